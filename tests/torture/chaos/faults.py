"""What is done to the house, one thing after the other or two at once, and how long it takes to be itself again."""

from __future__ import annotations

import asyncio
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random  # noqa: TID251 (a run that can be repeated: no chance of the house)
from time import monotonic
from typing import Any

import psycopg

from tests.bench.places import BenchError, Child

from .bots import Bot, attributes, page, shown, version_of
from .topology import UP_WITHIN_S, Kept, Topology, until

BACK_WITHIN_S, TAKEN_WITHIN_S = 60.0, 30.0
"""What takes longer is no figure any more: it is a violation."""

ALIKE_WITHIN_S = 3.0
"""A screen that differs from a page differs no more by then: so soon the house notices that an announcement was lost
(figure 8)."""

PAGES_EVERY_S = 0.05
"""So long after a page that differs comes the next one."""

DUE_WITHIN_S = 2.5
"""A takeover is measured at tables at which something is due within so long."""

LOOKS_EVERY_S = 0.7
"""How often a screen is compared with a page that is made anew."""

DECK = {
    "dealer-killed": 10,
    "dealer-stopped": 2,
    "dealer-ended": 2,
    "dealers-killed": 1,
    "web-killed": 5,
    "web-stopped": 2,
    "web-ended": 2,
    "house-killed": 1,
    "redis-killed": 3,
    "redis-flushed": 4,
    "redis-cut-off": 3,
    "database-restarted": 1,
    "database-killed": 1,
    "connections-cut": 4,
    "some-connections-cut": 4,
    "lines-cut": 8,
    "two-at-once": 4,
}
"""How often each comes in a deck. A run deals one deck after the other, each shuffled by the seed."""

IDS = {
    "A1": ("web-killed", "web-stopped", "web-ended"),
    "A2": ("dealer-killed",),
    "A5": ("dealer-stopped",),
    "A7": ("dealers-killed",),
    "A8": ("dealer-ended", "web-ended"),
    "A10": ("house-killed",),
    "B1": ("database-killed",),
    "B2": ("database-restarted",),
    "B3": ("connections-cut", "some-connections-cut"),
    "C1": ("redis-killed", "redis-cut-off"),
    "C2": ("redis-flushed",),
    "C12": ("lines-cut",),
}
"""Which of these are which fault of the catalogue."""

Deed = Callable[[Random, bool], Awaitable[None]]
"""A method of Chaos does each fault, named like it: with which chance, and whether nothing else happens meanwhile."""

QUICK = ("redis-flushed", "redis-cut-off", "connections-cut", "some-connections-cut", "lines-cut", "dealer-killed")
"""Two of these may come at once."""


@dataclass
class Measured:
    """Seconds, by what was measured."""

    takeover: list[float] = field(default_factory=list)
    stopped: list[float] = field(default_factory=list)
    back: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    resync: list[float] = field(default_factory=list)
    lag: list[float] = field(default_factory=list)
    compared: int = 0
    unlike: list[float] = field(default_factory=list)
    """For how long a screen and a page of one version differed."""


def plan(chance: Random, only: Collection[str]) -> Iterator[tuple[str, float, Random]]:
    """Without end: what comes next (of these alone, if there are any), how long to wait before it, and the chance by
    which it chooses its victim."""
    while True:
        deck = [name for name, times in DECK.items() for _ in range(times) if not only or name in only]
        chance.shuffle(deck)
        for name in deck:
            yield name, chance.uniform(0.0, 0.6), Random(chance.getrandbits(64))


class Chaos:
    """What has been done so far, and what came of it."""

    def __init__(self, house: Topology, clerk: Child, bots: Sequence[Bot], probers: Sequence[Bot]) -> None:
        self.house, self.bots, self.probers = house, bots, probers
        self.done: Counter[str] = Counter()
        self.measured = Measured()
        self.violations: list[str] = []
        self._clerk, self._thread = clerk, ThreadPoolExecutor(1)
        self._ahead = 0.0

    async def ask(self, do: str, *, within: float = 300, **what: Any) -> Any:
        """Ask the clerk: one question after the other, even if whoever asked does not wait any more."""
        asked = partial(self._clerk.ask, do, within=within, **what)
        return await asyncio.get_running_loop().run_in_executor(self._thread, asked)

    async def go_on(self, chance: Random, seconds: float, only: Collection[str] = ()) -> None:
        """Faults, one after the other, for so long: all of them, or these alone."""
        self._ahead = await self.ask("now") - time.time()
        deadline = monotonic() + seconds
        looking = asyncio.create_task(self._look(Random(chance.getrandbits(64))))
        try:
            for name, pause, whim in plan(chance, only):
                await asyncio.sleep(pause)
                if monotonic() >= deadline:
                    return
                await self._strike(name, whim)
        finally:
            looking.cancel()
            await self.whole()

    async def _strike(self, name: str, chance: Random) -> None:
        if name != "two-at-once":
            await self._one(name, chance, alone=True)
            return
        one, other = chance.sample(QUICK, 2)
        whims = [Random(chance.getrandbits(64)) for _ in range(2)]
        await asyncio.gather(self._one(one, whims[0], alone=False), self._one(other, whims[1], alone=False))

    async def _one(self, name: str, chance: Random, *, alone: bool) -> None:
        """Do it, and wait until the house is itself again; measure that if nothing else happens meanwhile."""
        do: Deed = getattr(self, f"_{name.replace('-', '_')}")
        await do(chance, alone)
        self.done[name] += 1

    async def whole(self) -> None:
        """Until every process is up, and everybody is connected."""
        async with asyncio.timeout(UP_WITHIN_S):
            for one in (*self.house.webs, *self.house.dealers):
                await one.up.wait()
        if not await until(lambda: all(bot.fresh for bot in (*self.bots, *self.probers)), BACK_WITHIN_S):
            self.violations.append("somebody has not come back within a minute")

    # ── dealers ─────────────────────────────────────────────────────────────────────────────────────────────

    async def _up(self, some: Sequence[Kept]) -> None:
        async with asyncio.timeout(UP_WITHIN_S):
            for one in some:
                await one.up.wait()

    async def _busiest(self) -> tuple[Kept, list[int]]:
        """The dealer who holds the most tables at which something is due soon, while another stands by; and these."""
        await self._up(self.house.dealers)
        held: dict[int, list[int]] = {dealer.pid: [] for dealer in self.house.dealers}
        with suppress(BenchError):  # the database may be away
            for table, owner, due in await self.ask("leases"):
                pid = int(owner.rpartition(":")[2])
                if pid in held and due < time.time() + self._ahead + DUE_WITHIN_S:
                    held[pid].append(table)
        dealer = max(self.house.dealers, key=lambda one: len(held[one.pid]) if one.pid in held else 0)
        return dealer, held.get(dealer.pid, [])

    async def _taken_over(self, tables: Sequence[int], since: float, into: list[float], what: str) -> None:
        """Wait until the house has acted at these tables; not where it has just opened bets that stay open long."""
        kills = [[table, since + self._ahead] for table in tables]
        took: list[float | None] = [None] * len(kills)
        done = [False] * len(kills)
        deadline = monotonic() + TAKEN_WITHIN_S
        while not all(done) and monotonic() < deadline:
            await asyncio.sleep(0.25)
            with suppress(BenchError):  # the database may be away
                took = await self.ask("takeovers", kills=kills)
                acted = await self.ask("had_just_acted", kills=kills, idle_s=TAKEN_WITHIN_S)
                done = [here is not None or before for here, before in zip(took, acted, strict=True)]
        for (table, _), seconds, is_done in zip(kills, took, done, strict=True):
            if not is_done:
                self.violations.append(f"{what}: nobody took table {table} within {TAKEN_WITHIN_S:.0f} s")
            elif seconds is not None:
                into.append(seconds)

    async def _dealer_killed(self, chance: Random, alone: bool) -> None:
        dealer, tables = await self._busiest()
        since = time.time()
        dealer.signal(signal.SIGKILL)
        await self._taken_over(tables, since, self.measured.takeover if alone else [], "dealer killed")

    async def _dealer_stopped(self, chance: Random, alone: bool) -> None:
        dealer, tables = await self._busiest()
        since, pid = time.time(), dealer.pid
        dealer.signal(signal.SIGSTOP)
        going_on = asyncio.create_task(_goes_on(dealer, pid, chance.uniform(4.0, 7.0)))
        await self._taken_over(tables, since, self.measured.stopped if alone else [], "dealer stopped")
        await going_on

    async def _dealer_ended(self, chance: Random, alone: bool) -> None:
        dealer, tables = await self._busiest()
        since = time.time()
        dealer.signal(signal.SIGTERM)
        await self._taken_over(tables, since, [], "dealer ended")

    async def _dealers_killed(self, chance: Random, alone: bool) -> None:
        await self._up(self.house.dealers)
        for dealer in self.house.dealers:
            dealer.signal(signal.SIGKILL)
        await self._up(self.house.dealers)

    # ── who serves ──────────────────────────────────────────────────────────────────────────────────────────

    async def _bets_again(self, since: float, whose: Sequence[Bot], what: str) -> None:
        """Wait until each of these has had a bet accepted that was sent after this moment."""

        async def of(bot: Bot) -> None:
            if not await until(lambda: bot.accepted_sent_at > since, BACK_WITHIN_S):
                self.violations.append(f"{what or 'something'}: no bet was taken within a minute")
            elif what:
                self.measured.back[what].append(monotonic() - since)

        for bot in whose:
            bot.eager = True
        await asyncio.gather(*(of(bot) for bot in whose))
        for bot in whose:
            bot.eager = False

    async def _a_web(self, chance: Random) -> tuple[Kept, list[Bot]]:
        """One that serves while another does, and the probers who are connected to it."""
        await self._up(self.house.webs)
        await until(lambda: all(bot.fresh for bot in self.probers), BACK_WITHIN_S)
        at = chance.randrange(len(self.house.webs))
        return self.house.webs[at], [bot for bot in self.probers if bot.port == self.house.ports[at]]

    async def _web_killed(self, chance: Random, alone: bool) -> None:
        web, whose = await self._a_web(chance)
        since = monotonic()
        web.signal(signal.SIGKILL)
        await self._bets_again(since, whose, "web")

    async def _web_stopped(self, chance: Random, alone: bool) -> None:
        web, whose = await self._a_web(chance)
        pid = web.pid
        web.signal(signal.SIGSTOP)
        await _goes_on(web, pid, chance.uniform(0.5, 4.0))
        await self._bets_again(monotonic(), whose, "")

    async def _web_ended(self, chance: Random, alone: bool) -> None:
        web, whose = await self._a_web(chance)
        since = monotonic()
        web.signal(signal.SIGTERM)
        await self._bets_again(since, whose, "web ended")

    async def _house_killed(self, chance: Random, alone: bool) -> None:
        """All processes at once; they are started again in whichever order."""
        await self._up([*self.house.webs, *self.house.dealers])
        since = monotonic()
        for one in (*self.house.webs, *self.house.dealers):
            one.signal(signal.SIGKILL)
        await self._bets_again(since, self.probers, "")

    # ── Redis and the database ──────────────────────────────────────────────────────────────────────────────

    async def _redis_killed(self, chance: Random, alone: bool) -> None:
        since = monotonic()
        await self.house.redis_dies(chance.uniform(0.1, 1.0))
        await self._bets_again(since, self.probers, "Redis")

    async def _redis_flushed(self, chance: Random, alone: bool) -> None:
        with suppress(OSError):
            await self.house.redis_is_told("FLUSHALL")

    async def _redis_cut_off(self, chance: Random, alone: bool) -> None:
        with suppress(OSError):
            await self.house.redis_is_told("CLIENT", "KILL", "SKIPME", "yes")

    async def _database_restarted(self, chance: Random, alone: bool) -> None:
        since = monotonic()
        await self.house.database_restarts(dies=False, away_s=chance.uniform(0.0, 1.0))
        await self._bets_again(since, self.probers, "database restarted")

    async def _database_killed(self, chance: Random, alone: bool) -> None:
        since = monotonic()
        await self.house.database_restarts(dies=True, away_s=chance.uniform(0.0, 1.0))
        await self._bets_again(since, self.probers, "database restarted")

    async def _connections_cut(self, chance: Random, alone: bool) -> None:
        await self._cut(1.0, alone)

    async def _some_connections_cut(self, chance: Random, alone: bool) -> None:
        await self._cut(chance.uniform(0.2, 0.6), alone)

    async def _cut(self, share: float, alone: bool) -> None:
        since = monotonic()
        with suppress(psycopg.Error):
            await asyncio.to_thread(self.house.cut_off, share)
        await self._bets_again(since, self.probers, "connections to the database cut" if alone else "")

    # ── lines of players ────────────────────────────────────────────────────────────────────────────────────

    async def _lines_cut(self, chance: Random, alone: bool) -> None:
        victims = [bot for bot in chance.sample(list(self.bots), len(self.bots) // 3) if bot.fresh]
        counts = [len(bot.resyncs) for bot in victims]
        for bot in victims:
            bot.cut(chance.uniform(0.2, 1.5))

        def back() -> bool:
            return all(len(bot.resyncs) > before for bot, before in zip(victims, counts, strict=True))

        if not await until(back, BACK_WITHIN_S):
            self.violations.append("lines cut: somebody has not come back within a minute")
        elif alone:
            self.measured.resync += [bot.resyncs[before] for bot, before in zip(victims, counts, strict=True)]

    # ── screens ─────────────────────────────────────────────────────────────────────────────────────────────

    async def _look(self, chance: Random) -> None:
        """Again and again: a screen shows what a page that another process makes shows, and as soon as it does."""
        while True:
            await asyncio.sleep(LOOKS_EVERY_S)
            bot = chance.choice(self.bots)
            others = [port for port in self.house.ports if port != bot.port]
            if not bot.fresh or not others:
                continue
            opened = bot.opened
            try:
                made = await page(others[0], f"/tables/{bot.felt.slug}/", bot.cookie)
            except (OSError, TimeoutError, asyncio.IncompleteReadError):
                continue
            await self._compare(bot, made)
            live = attributes(made, "live")
            if live is None:
                continue
            version, since = version_of(live), monotonic()
            shows = await until(lambda: bot.version >= version or bot.opened != opened, BACK_WITHIN_S)  # noqa: B023
            if bot.opened == opened:
                first = next((at for seen, at in bot.seen if seen >= version), monotonic())
                self.measured.lag.append(max(0.0, first - since))
                if not shows:
                    self.violations.append(f"I14: a screen of {bot.felt.slug} never showed {version}")

    def tried(self) -> list[str]:
        """The faults of the catalogue that have been done."""
        return [number for number, names in IDS.items() if any(self.done[name] for name in names)]

    async def _compare(self, bot: Bot, made: str) -> None:
        """Hold a screen against pages of the same version, till they are alike. A page that is made while a bet is
        taken may have the balance of after it, and what concerns one bettor may be announced last, or be lost."""
        difference, since = self._difference(bot, made), monotonic()
        if difference is None:
            return
        self.measured.compared += 1
        if not difference:
            return
        while difference and monotonic() - since < ALIKE_WITHIN_S:
            await asyncio.sleep(PAGES_EVERY_S)
            with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                made = await page(bot.port, f"/tables/{bot.felt.slug}/", bot.cookie)
                difference = self._difference(bot, made)
        self.measured.unlike.append(monotonic() - since)
        if difference:
            self.violations.append(f"I14: {difference}")

    @staticmethod
    def _difference(bot: Bot, made: str) -> str | None:
        """What a page shows and a screen does not; "" if they are alike, None if they are of other versions."""
        live, rail, wallet = (attributes(made, name) for name in ("live", "rail", "wallet"))
        if live is None or rail is None or wallet is None or not bot.fresh or version_of(live) != bot.version:
            return None
        on_page, on_screen = shown(rail, wallet), shown(bot.rail, bot.wallet)
        return "" if on_page == on_screen else f"at {live['version']} the page: {on_page}, the screen: {on_screen}"


async def _goes_on(one: Kept, pid: int, after_s: float) -> None:
    await asyncio.sleep(after_s)
    if one.pid == pid:
        one.signal(signal.SIGCONT)
