"""Dealers as they are: processes with a loop and a lease, killed and replaced while the house goes on.

They run in real time, at tables of a quick pace. Nothing here depends on how quick: tests wait for what must
happen, and where a round has to be caught in the middle it waits there for a player.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from channels.layers import channel_layers
from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.backends.signals import connection_created
from django.utils.module_loading import import_string

from casino import waits
from casino.embedded import Valkey
from tables.base import announce
from tables.base.chance import Vault
from tables.base.clock import DATABASE_CLOCK
from tables.base.executor import executor
from tables.base.transactions import unit_of_work
from tables.games.baccarat.coup import Hand as Side
from tables.games.baccarat.phases import Turn
from tables.games.blackjack.phases import Follow
from tables.games.contract.actions import Ready
from tables.games.contract.round import Pace
from tables.live import dealer as dealing_loop
from tables.models import Lease, LoggedAction, Player, RoundLog, Seat, Shoe, Table
from tables.proof.audit import audit
from tables.services.dealing.shoes import label_of
from tables.services.rounds import decisions, seating
from tests import databases

from . import deeds, kit
from .kit import BY_MACHINE, VAULT, House, RunningClock, Seeded, change_shoe, enrol
from .processes import Halt, running, until

QUICK = {"cut": 0, "betting": 3_600_000, "decision": 3_600_000, "beat": 5, "result": 20, "hurry": 0}
"""Nothing takes long but what players are waited for: betting closes when they are ready."""


@pytest.fixture
def night(hall: House) -> House:
    """A house in real time."""
    hall.clock = RunningClock()
    return hall


def open_table(slug: str = "jade", *, game: str = "baccarat", attended: bool = True, **options: Any) -> Table:
    """A table that no dealer holds yet."""
    enrol()
    table = kit.open_table(slug, slug.title(), game, {**BY_MACHINE[game], **options}, times=QUICK)
    if attended:
        seating.heartbeat(table.pk, [])
    return table


def deal(
    name: str = "dealer",
    *,
    lease: float = 0.5,
    look_every: float = 0.02,
    vault: Vault = VAULT,
    redis: str = "",
    at_end: Callable[[], object] = lambda: None,
    idle_ms: int | None = None,
) -> None:
    """A dealer's process: as `manage.py deal`, but quicker to give up on the dead. With `idle_ms` the database lets its
    transactions do nothing for so long."""
    if idle_ms is not None:
        waits._LIMITS["idle_in_transaction_session_timeout"] = idle_ms
        connection.settings_dict["OPTIONS"] |= waits.of_connections(["manage.py", "deal"])
    dealing_loop.LEASE = timedelta(seconds=lease)
    dealing_loop.RENEW_INTERVAL_S = lease / 4
    dealing_loop.LOOK_INTERVAL_S = look_every
    if redis:
        listen_at(redis)

    async def until_told_to_end() -> None:
        announce.use_loop(asyncio.get_running_loop())
        dealer = dealing_loop.Dealer(name, chance=Seeded(name), vault=vault)
        at_work = asyncio.create_task(dealer.run())
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: (at_end(), at_work.cancel()))
        with contextlib.suppress(asyncio.CancelledError):
            await at_work

    asyncio.run(until_told_to_end())


def listen_at(redis: str) -> None:
    """From now on this process announces and hears over that Redis."""
    configuration: dict[str, Any] = settings.CHANNEL_LAYERS["default"]
    backend = import_string(configuration["BACKEND"])
    channel_layers.set("default", backend(**(configuration["CONFIG"] | {"hosts": [redis]})))


def lease(table: Table) -> Lease:
    return Lease.objects.get(table=table)


def is_held(table: Table) -> bool:
    return lease(table).owner != ""


def is_over(table: Table) -> bool:
    expires_at = lease(table).expires_at
    return expires_at is not None and expires_at <= DATABASE_CLOCK.now()


def present(table: Table) -> RoundLog | None:
    return Table.objects.select_related("round").get(pk=table.pk).round


def reached(table: Table, phase: str) -> None:
    """Wait until the present round is in this phase."""

    def there() -> bool:
        log = present(table)
        return log is not None and log.phase == phase

    until(there, f"{table} is in {phase}")


def lines(table: Table) -> list[tuple[int, str, Any]]:
    """The lines of all logs of a table, in order."""
    found = LoggedAction.objects.filter(log__table=table).order_by("log__number", "seq")
    return [(line.pk, line.by, line.action) for line in found]


def asked(log: RoundLog) -> bool:
    """Whether a holder is waited for."""
    return "holder" in log.wait


def bet(house: House, player: Player, table: Table, spot: str = "player", credits: int = 100) -> None:
    """A bet, and nothing more is waited for."""
    reached(table, "betting")
    house.bet(player, table, spot, credits)
    deeds.ready(player.pk, house.log(table).pk, house.ref())


def progress(table: Table) -> tuple[int, int]:
    """How many rounds and lines there are."""
    return RoundLog.objects.filter(table=table).count(), len(lines(table))


def settled(table: Table, rounds: int = 1) -> None:
    """Wait until so many rounds are over."""
    over = RoundLog.objects.filter(table=table, settled_at__isnull=False)
    until(lambda: over.count() >= rounds, f"{rounds} rounds of {table} are over")


def many_looks(table: Table) -> None:
    """Wait until the dealer has renewed their lease several times, which takes many of their looks."""
    for _ in range(3):
        before = lease(table).expires_at
        until(lambda before=before: lease(table).expires_at != before, "the lease is renewed")  # type: ignore[misc]


# ── One dealer after another ────────────────────────────────────────────────────────────────────────────────


def test_another_goes_on_from_the_log_when_a_dealer_is_killed_in_a_round(night: House) -> None:
    table = open_table(dealing_device="shoe")
    ana = night.player("ana")
    seating.sit(ana.pk, table.pk, 3)
    with running(partial(deal, "first")) as (first,):
        bet(night, ana, table)
        reached(table, "open_player")  # the cards are dealt, and ana holds hers
        first.kill()
        first.wait()
    before, dead = lines(table), lease(table)
    assert [action["do"] for _, _, action in before].count("card") == 8 + 4
    with running(partial(deal, "heir")):
        until(lambda: lease(table).epoch > dead.epoch, "the heir has the table")
        assert lines(table) == before
        log = night.log(table)  # the heir may have begun the next round before we look
        decisions.decide(ana.pk, log.pk, night.ref(), Turn(ana.key, Side.PLAYER))

        def goes_on() -> bool:
            log.refresh_from_db()
            return asked(log) or log.settled_at is not None

        until(goes_on, "the heir deals on")
        if asked(log):  # a third card, which is hers too
            decisions.decide(ana.pk, log.pk, night.ref(), Turn(ana.key, Side.PLAYER))
        settled(table)
    assert lines(table)[: len(before)] == before
    log.refresh_from_db()
    assert not log.void


def test_a_round_survives_any_number_of_dealers(night: House) -> None:
    table = open_table(burn_each_round=1, dealing_device="shoe", hold_cards=False)
    ana = night.player("ana")
    killed = 0
    placed = False
    while (log := present(table)) is None or log.number < 2:
        known, before = lines(table), progress(table)
        with running(partial(deal, f"dealer {killed}", lease=0.2)) as (dealer,):
            until(lambda before=before: progress(table) > before, "a dealer does something")  # type: ignore[misc]
            dealer.kill()
            dealer.wait()
        killed += 1
        assert lines(table)[: len(known)] == known
        log = present(table)
        if not placed and log is not None and log.phase == "betting":
            bet(night, ana, table)
            placed = True
    assert placed and killed >= 2
    first = RoundLog.objects.get(table=table, number=1)
    assert first.settled_at is not None and not first.void
    assert [action["do"] for _, _, action in lines(table)].count("cut") == 1


@pytest.mark.in_full
def test_hands_that_are_played_survive_any_number_of_dealers(night: House) -> None:
    """Two people decide at Blackjack, and after whatever a dealer has done that process is killed."""
    table = open_table("taipa", game="blackjack", split_rank_rule="same_value")
    people = [night.player(name) for name in ("ana", "rui")]
    killed, decided = 0, 0
    while (log := present(table)) is None or log.number < 2:
        known, before = lines(table), progress(table)
        with running(partial(deal, f"dealer {killed}", lease=0.2)) as (dealer,):
            until(lambda before=before: progress(table) > before, "a dealer does something")  # type: ignore[misc]
            dealer.kill()
            dealer.wait()
        killed += 1
        assert lines(table)[: len(known)] == known
        log = present(table)
        assert log is not None
        if log.phase == "betting" and not night.round(table).in_escrow():
            for player, box in zip(people, (1, 1), strict=True):
                night.bet(player, table, "main", 10, box)
            for player in people:
                night.decide(player, table, Ready)
        while night.round(table).next_house_step() is None and night.round(table).pace is Pace.DECISION:
            who = next(player for player in people if night.round(table).default_for(player.key) is not None)
            wanted = [one for one in night.round(table).offers(who.key).actions if not isinstance(one, Follow)]
            chosen = next((one for one in wanted if one.do in ("split", "match", "hit", "ready")), wanted[0])
            decisions.decide(who.pk, log.pk, night.ref(), chosen)
            decided += 1
    first = RoundLog.objects.get(table=table, number=1)
    assert first.settled_at is not None and not first.void
    assert killed >= 3 and decided >= 3


def test_dealers_share_the_tables_and_inherit_them(night: House) -> None:
    tables = [open_table(slug) for slug in ("jade", "lotus", "harbour")]
    ana = night.player("ana")
    with running(partial(deal, "first"), partial(deal, "second")) as processes:
        for table in tables:
            until(partial(is_held, table), "every table has its dealer")
        unlucky = lease(tables[0]).owner
        victim = next(process for process in processes if unlucky.endswith(f":{process.pid}"))
        victim.kill()
        victim.wait()
        for table in tables:
            bet(night, ana, table)
        for table in tables:
            settled(table)
            assert lease(table).owner != unlucky


def test_a_dealer_who_was_stopped_for_a_while_goes_on_at_once_where_nobody_took_his_place(night: House) -> None:
    """However many tables they hold: none has to be taken anew."""
    tables, ana = [open_table(slug) for slug in ("jade", "lotus", "harbour")], night.player("ana")
    with running(deal) as (dealer,):
        for table in tables:
            until(partial(is_held, table))
            reached(table, "betting")
        before = {table: lease(table).epoch for table in tables}
        os.kill(dealer.pid, signal.SIGSTOP)
        for table in tables:
            until(partial(is_over, table), "its lease is over")
        os.kill(dealer.pid, signal.SIGCONT)
        for table in tables:
            bet(night, ana, table)
            settled(table)
        assert {table: lease(table).epoch for table in tables} == before
    assert not RoundLog.objects.filter(void=True).exists()


def test_a_dealer_who_ends_in_order_gives_his_tables_back_at_once(night: House) -> None:
    tables = [open_table(slug) for slug in ("jade", "lotus")]

    def deal_by_command() -> str:
        call_command("deal", name="by-command")
        return "ended"

    with running(deal_by_command) as (dealer,):
        for table in tables:
            until(partial(is_held, table))
            reached(table, "betting")
        dealer.end()
        assert dealer.told() == "ended"
    assert [lease(table).owner for table in tables] == ["", ""]
    assert {lease(table).expires_at for table in tables} == {None}


@pytest.mark.postgresql
def test_a_dealer_told_to_end_while_he_takes_a_table_gives_that_back_too(night: House) -> None:
    table = open_table()
    halt = Halt('"epoch" =')  # in the middle of taking one

    def on_every_line(sender: object, connection: Any, **_: object) -> None:
        connection.execute_wrappers.append(halt)

    def deal_over_it() -> None:
        connection_created.connect(on_every_line)
        # What is stopped there goes on only when the end has begun, and as any process this one waits for its threads.
        deal(at_end=lambda: asyncio.get_running_loop().call_later(0.2, halt.go.raise_))
        executor().shutdown(wait=True)

    with running(deal_over_it) as (dealer,):
        halt.halted.wait()
        dealer.end()
        dealer.told()
    assert lease(table).owner == ""


# ── Sleep ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_table_sleeps_while_nobody_is_there_and_wakes_when_somebody_comes(night: House) -> None:
    table = open_table(attended=False)
    with running(deal):
        until(partial(is_held, table))
        many_looks(table)
        assert present(table) is None
        seating.heartbeat(table.pk, [])
        reached(table, "betting")
        Table.objects.filter(pk=table.pk).update(attended_until=night.clock.now() - timedelta(seconds=1))
        log = RoundLog.objects.filter(table=table)
        log.update(due_at=night.clock.now())  # betting is over, and nobody has come
        until(lambda: log.get().due_at is None, "it sleeps")
        before = lines(table)
        many_looks(table)
        assert (lines(table), log.get().due_at, log.get().phase) == (before, None, "betting")
        seating.heartbeat(table.pk, [])
        until(lambda: log.get().due_at is not None, "it wakes")


def test_the_dealer_gives_up_the_seats_of_those_who_do_not_come_back(night: House) -> None:
    table, ana = open_table(), night.player("ana")
    seating.sit(ana.pk, table.pk, 3)
    Seat.objects.update(seen_at=night.clock.now() - timedelta(seconds=121))
    with running(deal):
        until(lambda: not Seat.objects.exists(), "the seat is given up")


# ── When something breaks ───────────────────────────────────────────────────────────────────────────────────


def test_an_exception_voids_its_round_once_and_the_dealer_goes_on(transactional_db: None) -> None:
    """Here: the dealers' key was lost while a round was under way."""
    house = House()
    house.clock = RunningClock()
    table, ana = open_table(dealing_device="shoe"), house.player("ana")
    other = Vault("another key")
    with running(deal) as (dealer,):
        reached(table, "betting")
        dealer.end()
        dealer.wait()
    house.bet(ana, table, "player", 100)
    with running(partial(deal, "stranger", vault=other)) as (stranger,):
        deeds.ready(ana.pk, house.log(table).pk, house.ref())
        settled(table)
        first = RoundLog.objects.get(table=table, number=1)
        assert first.void and house.balance(ana) == 1_000_000
        bet(house, ana, table)
        settled(table, 2)
        healthy = open_table("lotus")
        bet(house, ana, healthy)
        settled(healthy)
        assert stranger.alive
    assert not RoundLog.objects.exclude(pk=first.pk).filter(void=True).exists()
    voids = [action for _, _, action in lines(table) if action["do"] == "void"]
    assert voids == [{"do": "void", "reason": "error", "remark": "ValueError"}]
    assert all(" was sealed with another key" in fault for fault in audit(other).faults)


def test_the_shoe_key_is_exchanged_while_people_play(transactional_db: None) -> None:
    """The next dealer has the new key, and the one before among its fallbacks: nobody at the table notices."""
    house = House()
    house.clock = RunningClock()
    table, ana = open_table(dealing_device="shoe"), house.player("ana")
    with running(deal) as (dealer,):
        reached(table, "betting")
        dealer.end()
        dealer.wait()
    bet(house, ana, table)
    change_shoe(table.pk)
    exchanged = Vault("the new key", settings.SHOE_KEY)
    with running(partial(deal, "second", vault=exchanged)) as (second,):
        settled(table)
        bet(house, ana, table)
        settled(table, 2)
        assert second.alive
    assert not RoundLog.objects.filter(void=True).exists()
    first, fresh = RoundLog.objects.order_by("number").values_list("shoe", flat=True)[:2]
    assert first != fresh
    shoe = Shoe.objects.get(pk=fresh)
    assert shoe.seed is not None
    assert Vault("the new key").open_seed(label_of(shoe), shoe.seed.sealed)
    assert audit(exchanged).clean


@pytest.mark.postgresql
def test_a_lost_line_to_the_database_voids_nothing(night: House) -> None:
    table, ana = open_table(dealing_device="shoe", hold_cards=False), night.player("ana")

    began = night.clock.now()

    def cut_lines() -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND backend_start > %s",
                [began],
            )

    with running(deal) as (dealer,):
        bet(night, ana, table)
        known = 0
        while not RoundLog.objects.filter(table=table, settled_at__isnull=False).exists():
            cut_lines()
            until(lambda: len(lines(table)) > known or not dealer.alive, "the round goes on")  # noqa: B023
            known = len(lines(table))
            assert dealer.alive
    assert not RoundLog.objects.filter(void=True).exists()


@pytest.mark.postgresql
@pytest.mark.parametrize("at", ['"tables_lease"', "INSERT"], ids=["with its lease locked", "in the middle of a step"])
def test_a_dealer_who_freezes_in_a_transaction_loses_the_table_and_changes_nothing(night: House, at: str) -> None:
    """Its locks go when the database ends its connection; what it was about to write is not there."""
    table, ana = open_table(dealing_device="shoe", hold_cards=False), night.player("ana")
    halt = Halt(at, nth=2)

    def on_every_line(sender: object, connection: Any, **_: object) -> None:
        connection.execute_wrappers.append(halt)

    def deal_and_freeze() -> None:
        connection_created.connect(on_every_line)
        deal("frozen", idle_ms=200)

    with running(deal_and_freeze):
        halt.halted.wait()
        frozen, before = lease(table), lines(table)
        with running(partial(deal, "heir")):
            until(lambda: lease(table).epoch > frozen.epoch, "the heir has the table")
            assert lines(table)[: len(before)] == before
            bet(night, ana, table)
            settled(table)
    assert not RoundLog.objects.filter(void=True).exists()


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_the_server_has_ended_is_a_database_that_was_away() -> None:
    """As of a process that was frozen in it: no round is void for that, and what a bettor asked for is asked again."""

    def idles() -> None:
        with unit_of_work(), connection.cursor() as cursor, databases.server() as server:
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 1")
            cursor.execute("SELECT pg_backend_pid()")
            own = cursor.fetchone()
            while server.execute("SELECT FROM pg_stat_activity WHERE pid = %s", own).fetchone() is not None:
                pass
            cursor.execute("SELECT 1")

    with pytest.raises(OperationalError):
        idles()


def test_without_redis_the_dealer_looks_for_himself(night: House, tmp_path: Path) -> None:
    table, ana = open_table(), night.player("ana")
    with running(partial(deal, redis=f"unix://{tmp_path}/nobody.sock")) as (dealer,):
        for rounds in (1, 2):
            bet(night, ana, table)
            settled(table, rounds)
        assert dealer.alive


def test_he_hears_nudges_again_once_redis_is_back(night: House, tmp_path: Path) -> None:
    table = open_table(attended=False)
    redis = Valkey(Path("/tmp") / f"mf-{tmp_path.parent.name}-{tmp_path.name}"[:60])
    url = f"unix://{redis.socket}"
    with running(partial(deal, look_every=3600, redis=url)):
        until(partial(is_held, table))
        many_looks(table)  # they have tried to listen, and nobody was there
        Table.objects.update(attended_until=night.clock.now() + timedelta(hours=1))
        with redis, running(partial(nudge_until_a_round_begins, table, url)) as (other,):
            other.told()
    assert present(table) is not None


def nudge_until_a_round_begins(table: Table, redis: str) -> None:
    listen_at(redis)

    def nudged() -> bool:
        announce.nudge(table.pk)
        return present(table) is not None

    until(nudged, "a nudge is heard")
