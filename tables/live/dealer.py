"""The loop that owns time. A dealer holds tables by lease and does what is due there, one thing after another.

All state is in the database: a dealer that dies is replaced within seconds by another that goes on from the log.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from functools import partial
from time import monotonic
from typing import TypeVar

import structlog
from channels.layers import get_channel_layer
from django.conf import settings

from tables.base import announce, metrics
from tables.base.chance import ChanceSource, SystemRandomness, Vault
from tables.base.clock import DATABASE_CLOCK
from tables.base.executor import in_database
from tables.base.identity import DealerIdentity
from tables.base.tasks import cancel_and_wait
from tables.base.transactions import DATABASE_AWAY
from tables.pit import board as pit_board
from tables.proof import anchors, selfcheck
from tables.proof.anchors import RestoredError
from tables.services.dealing.advance import advance, may_be_due, void_after_error
from tables.services.dealing.enrolment import NotEnrolledError
from tables.services.dealing.leases import (
    DealerCredentials,
    OutdatedDealerError,
    StaleLease,
    release_leases,
    renew_leases,
    take_lease,
)
from tables.services.players import chat
from tables.services.rounds import seating

from .nudges import Nudges

R = TypeVar("R")

log = structlog.get_logger(__name__)

LEASE = timedelta(seconds=3)
"""For so long a table stays with a dealer who is not heard of."""
RENEW_INTERVAL_S = 0.75
"""How often a dealer renews its leases, and looks for tables that nobody holds, in seconds."""
OTHERS_S = 0.05
"""For so long a dealer that has taken a table leaves the next one to others, in seconds."""
CARE_INTERVAL_S = 2.0
"""How often a dealer looks after what is no dealing, in seconds."""
LOOK_INTERVAL_S = 1.0
"""How long a lost nudge can delay anything, in seconds."""
PRUNE_INTERVAL_S = 3600.0
"""How often old chat is forgotten, in seconds."""
WATCH_INTERVAL_S = 10.0
"""How often the floor is looked after: for what only time shows, in seconds."""
ANCHOR_INTERVAL_S = 10.0
"""How often it is seen whether the heads of events and ledger are to be anchored again, in seconds."""
LISTEN_AGAIN_AFTER_S = 1.0


class UnfitError(Exception):
    """The house has failed its self-check: nothing is dealt. Its text is one line."""


class Dealer:
    """Runs as many tables as it can get a lease for."""

    def __init__(
        self,
        name: str = "",
        *,
        chance: ChanceSource | None = None,
        vault: Vault | None = None,
        identity: DealerIdentity | None = None,
    ) -> None:
        self.name = f"{name or 'dealer'}@{socket.gethostname()}:{os.getpid()}"
        self._chance = chance or SystemRandomness()
        self._identity = identity or DealerIdentity(settings.DEALER_KEY)
        self._take = partial(take_lease, identity=self._identity)
        self._vault = vault or Vault(settings.SHOE_KEY, *settings.SHOE_KEY_FALLBACKS)
        self._anchors = anchors.of_settings()
        self._epochs: dict[int, int] = {}
        self._look_at: dict[int, datetime | None] = {}
        self._nudges = Nudges()
        self._listener = announce.Listener(self._heard)
        self._prune_at = 0.0
        self._watch_at = 0.0
        self._anchor_at = 0.0
        self._check_at = monotonic() + selfcheck.INTERVAL_S
        self._unfit: UnfitError | None = None
        self._wake = asyncio.Event()

    async def run(self) -> None:
        """Deal until cancelled; then give the tables back. Raises UnfitError if a self-check fails, now or one day."""
        await in_database(self._check_house)
        log.info("dealer begins", dealer=self.name)
        helpers = [
            asyncio.create_task(begin()) for begin in (self._listen, self._keep_leases, self._look_around, self._care)
        ]
        self._listener.begin()
        try:
            await self._deal()
        finally:
            self._listener.end()
            await cancel_and_wait(helpers)
            with contextlib.suppress(Exception):
                await asyncio.shield(in_database(release_leases, self.name))
            log.info("dealer ends", dealer=self.name)

    # ── helpers of the loop ─────────────────────────────────────────────────────────────────────────────────

    async def _listen(self) -> None:
        """Hear nudges. While Redis is away the loop looks for itself."""
        while True:
            try:
                layer = get_channel_layer()
                assert layer is not None
                channel = await layer.new_channel()
                for group in (announce.FLOOR, announce.DEALERS):
                    await layer.group_add(group, channel)
                await self._listener.listen(layer, channel)
            except Exception as error:  # whatever Redis's client raises: it must never be the last word
                log.warning("nudges are not heard", error=str(error))
                await asyncio.sleep(LISTEN_AGAIN_AFTER_S)

    def _heard(self, announcement: announce.Announcement) -> None:
        match announcement:
            case announce.TableChanged(table, due=True):
                self._nudge(table, (announcement.round, announcement.line))
            case announce.TableDue(table):
                self._nudge(table)

    async def _keep_leases(self) -> None:
        """Renew what we hold, take what nobody holds. Nothing else is done here: a lease must not wait for it."""
        while True:
            try:
                held, self._epochs = self._epochs, await _to_the_end(in_database(self._renew))
                for table in held.keys() - self._epochs.keys():
                    log.warning("lease lost", dealer=self.name, table=table, epoch=held[table])
                renewed = monotonic()
                while taken := await _to_the_end(in_database(self._take, self.name, LEASE, set(self._epochs))):
                    table, epoch = taken
                    log.info("table taken", dealer=self.name, table=table, epoch=epoch)
                    metrics.TABLES_TAKEN.inc()
                    self._epochs[table] = epoch
                    self._nudge(table)
                    await asyncio.sleep(OTHERS_S)
                    if monotonic() - renewed >= RENEW_INTERVAL_S:
                        break
                metrics.TABLES_DEALT.set(len(self._epochs))
                if taken is not None:
                    continue
            except NotEnrolledError as error:
                log.error("this dealer is not enrolled", dealer=self.name, reason=str(error))
            except OutdatedDealerError as error:
                log.error("this dealer is outdated", dealer=self.name, reason=str(error))
            except Exception:
                log.exception("leases could not be kept", dealer=self.name)
            await asyncio.sleep(RENEW_INTERVAL_S)

    def _renew(self) -> dict[int, int]:
        return renew_leases(self.name, LEASE, self._epochs)

    async def _care(self) -> None:
        """Sweep the seats of our tables, and look after the house."""
        while True:
            try:
                for table in await in_database(self._to_sweep):
                    await in_database(seating.sweep, table)
                if monotonic() >= self._watch_at:
                    self._watch_at = monotonic() + WATCH_INTERVAL_S
                    await in_database(pit_board.look)
                if monotonic() >= self._check_at:
                    self._check_at = monotonic() + selfcheck.INTERVAL_S
                    await in_database(self._check_house)
                if monotonic() >= self._anchor_at:
                    self._anchor_at = monotonic() + ANCHOR_INTERVAL_S
                    await in_database(self._anchor)
                if monotonic() >= self._prune_at:
                    self._prune_at = monotonic() + PRUNE_INTERVAL_S
                    for table in list(self._epochs):
                        await in_database(chat.prune, table)
            except UnfitError as error:
                self._unfit = error
                self._wake.set()
                return
            except Exception:
                log.exception("the house could not be looked after", dealer=self.name)
            await asyncio.sleep(CARE_INTERVAL_S)

    async def _look_around(self) -> None:
        """Find what is due although no nudge has said so."""
        while True:
            try:
                for table in await in_database(may_be_due, list(self._epochs)):
                    self._nudge(table)
            except Exception:
                log.exception("the tables could not be looked at", dealer=self.name)
            await asyncio.sleep(LOOK_INTERVAL_S)

    def _nudge(self, table: int, line: announce.Line = announce.NO_LINE) -> None:
        self._nudges.hear(table, line)
        self._wake.set()

    def _to_sweep(self) -> set[int]:
        return seating.needs_sweep(DATABASE_CLOCK.now()) & set(self._epochs)

    def _check_house(self) -> None:
        """Raise UnfitError unless files, pay tables, triggers and keys are as they must be."""
        if found := list(selfcheck.faults()):
            log.critical("the house has failed its self-check: nothing is dealt", dealer=self.name, faults=found[:10])
            selfcheck.tell_the_pit(found)
            raise UnfitError(f"The house has failed its self-check: {found[0]}.")

    def _anchor(self) -> None:
        """Anchor the heads of events and ledger outside the database, if a minute is over."""
        if self._anchors is None:
            return
        try:
            self._anchors.write_due()
        except (OSError, RestoredError) as error:
            log.error("the heads of events and ledger cannot be anchored", reason=str(error))

    # ── dealing ─────────────────────────────────────────────────────────────────────────────────────────────

    async def _deal(self) -> None:
        busy: dict[int, asyncio.Task[None]] = {}
        while True:
            if self._unfit is not None:
                raise self._unfit
            for table in [table for table, task in busy.items() if task.done()]:
                del busy[table]
            now = datetime.now(UTC)  # only decides when to look; what is due is decided in the database
            for table in [table for table in self._epochs if table not in busy]:
                look_at = self._look_at.get(table)
                is_time = look_at is not None and look_at <= now
                if self._nudges.take(table) or is_time:
                    if look_at is not None and is_time:
                        metrics.STEP_LATE_SECONDS.observe((now - look_at).total_seconds())
                    busy[table] = asyncio.create_task(self._advance(table))
            self._look_at = {table: at for table, at in self._look_at.items() if table in self._epochs}
            self._wake.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._until_next(now, set(busy))):
                    await self._wake.wait()

    def _until_next(self, now: datetime, busy: set[int]) -> float:
        times = [at for table, at in self._look_at.items() if at is not None and table not in busy]
        soonest = min(times, default=None)
        if soonest is None:
            return LOOK_INTERVAL_S
        return max(0.0, min(LOOK_INTERVAL_S, (soonest - now).total_seconds()))

    async def _advance(self, table: int) -> None:
        """Do what is due at this table until nothing is."""
        credentials = DealerCredentials(self.name, self._epochs.get(table, 0), self._chance, self._vault)
        try:
            while True:
                outcome = await in_database(advance, table, credentials)
                metrics.STEPS.inc(outcome.acted)
                self._nudges.see(table, outcome.seen)
                if not outcome.acted or (outcome.look_at is not None and outcome.look_at > datetime.now(UTC)):
                    break
            self._look_at[table] = outcome.look_at
        except StaleLease as stale:  # another has the table, or this dealer is late: the next renewal shows which
            log.warning("nothing is done without a lease", dealer=self.name, reason=str(stale))
            self._look_at[table] = datetime.now(UTC) + timedelta(seconds=RENEW_INTERVAL_S)
        except DATABASE_AWAY:  # no fault of the round: it is tried again
            log.exception("the database is away", table=table)
            self._look_at[table] = datetime.now(UTC) + timedelta(seconds=LOOK_INTERVAL_S)
        except Exception as error:
            log.exception("a round failed and is void", table=table)
            metrics.ROUNDS_FAILED.inc()
            await self._void(table, credentials, error)
        finally:
            self._wake.set()

    async def _void(self, table: int, credentials: DealerCredentials, error: Exception) -> None:
        self._look_at[table] = datetime.now(UTC) + timedelta(seconds=LOOK_INTERVAL_S)
        try:
            await in_database(void_after_error, table, credentials, f"{type(error).__name__}")
        except Exception:
            log.exception("the failed round could not be voided", table=table)


async def _to_the_end(work: Coroutine[object, object, R]) -> R:
    """Wait for `work` even if cancelled meanwhile: its thread goes on, and would take a table after the last was
    given back."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
    return task.result()
