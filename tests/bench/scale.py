"""How many processes a house needs: a simulation of its queues, from what each event costs (docs/scale.md).

    python -m tests.bench.scale                     the table of docs/scale.md
    python -m tests.bench.scale --measure           measures the costs anew, on PostgreSQL, and holds the simulation
                                                    against rounds that it was not made from

Events are those of the house: a message of bets comes to the process that has the sockets of its table, a step of the
house to the dealer that has the table. Each process serves one after the other; bets that wait together at a table
share a transaction. A push is drawn once, and sent to each socket of the table. What comes out is how busy each kind
of process is, how long bets wait, and what is written. Costs are CPU on one core of the machine that
docs/performance.md describes; another machine is faster or slower as a whole.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from heapq import heapify, heappop, heappush
from math import ceil
from pathlib import Path
from typing import Any

WITHIN = 0.20
"""The simulation must come so near to what is measured."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Milliseconds of CPU, unless it says otherwise."""

    bet: float = 0.11
    """One more bet in a transaction …"""
    bets: float = 4.3
    """… and that transaction by itself, in the web process."""
    round_: float = 141.0
    """A round from its opening to its settlement in the dealer, without bets …"""
    settled_bet: float = 0.0
    """… and for each bet in it: too little to be told from the noise."""
    database_bets: float = 0.7
    """In the database: a transaction of bets …"""
    database_bet: float = 0.18
    """… one bet, laid and settled …"""
    database_round: float = 25.0
    """… and the round by itself."""
    push: float = 2.5
    """To read and draw what all see of a table, once for all of a process …"""
    sent: float = 0.026
    """… to hand it to one socket …"""
    private: float = 0.12
    """… and to draw what one bettor alone sees, when a phase ends."""
    joining: float = 21.6
    """Somebody opens the page of a table and its socket."""
    socket_kib: float = 32.2
    bet_bytes: float = 1_200.0
    """Stored for good, with indexes: a bet in all tables …"""
    round_bytes: float = 5_000.0
    """… and a round; a fresh pack comes to it where a machine shuffles."""


@dataclass(frozen=True, slots=True)
class House:
    """Who is there: tables with so many players each, each of whom sends one message of bets a round."""

    tables: int
    players: int
    bets: int = 3
    round_s: float = 45.0
    betting_s: float = 20.0
    steps: int = 8
    """Pushes of a round beside those of bets: phases and cards."""
    stay_s: float = 1_800.0
    """So long somebody stays at a table: then somebody else joins."""


@dataclass(frozen=True, slots=True)
class Found:
    """CPU in seconds a second (so many cores are busy), by kind of process; of the busiest web process; the longest
    wait of nineteen in twenty messages, in ms; transactions and pushes a second; GB stored a day."""

    web: float
    dealer: float
    database: float
    busiest: float
    wait_ms: float
    transactions: float
    pushes: float
    gb_a_day: float


def web_of(table: int, processes: int) -> int:
    """The web process that has the sockets of a table, as the proxy's hash spreads them."""
    return max(range(processes), key=lambda at: sha256(f"/ws/tables/{table}/{at}".encode()).digest())


def simulated(house: House, costs: Costs, *, webs: int, seconds: float = 90.0) -> Found:
    """Run a house for a while. Tables begin their rounds one after the other; bettors spread over the time to bet."""
    each, rest = divmod(house.players, house.tables)
    sizes = [each + (at < rest) for at in range(house.tables)]
    free: defaultdict[int, float] = defaultdict(float)
    busy: defaultdict[int, float] = defaultdict(float)
    queued: defaultdict[int, list[float]] = defaultdict(list)
    events: list[tuple[float, int, str]] = []
    for table, size in enumerate(sizes):
        at = house.round_s * (table * 0.618 % 1 - 1)  # all of them have begun when we begin to look
        while at < seconds:
            told = [(at + house.betting_s * (one + 0.5) / size, table, "bets") for one in range(size)]
            dealt_s = house.round_s - house.betting_s
            told += [
                (at + house.betting_s + dealt_s * step / house.steps, table, "step") for step in range(house.steps)
            ]
            events += [event for event in told if 0 <= event[0] < seconds]
            at += house.round_s
    heapify(events)
    dealer = database = 0.0
    transactions = pushes = 0
    waits: list[float] = []
    pushed: dict[int, float] = {}

    def work(process: int, at: float, ms: float) -> float:
        free[process] = max(free[process], at) + ms / 1000
        busy[process] += ms / 1000
        return free[process]

    def push(table: int, at: float, *, private: bool) -> None:
        nonlocal pushes
        if not private and at < pushed.get(table, -1.0) + 0.1:
            return  # it goes with the next one
        pushed[table], pushes = at, pushes + 1
        ms = costs.push + sizes[table] * (costs.sent + (costs.private if private else 0.0))
        work(web_of(table, webs), at, ms)

    while events:
        at, table, what = heappop(events)
        if what == "step":
            share = 1 / house.steps
            dealer += share * (costs.round_ + costs.settled_bet * house.bets * sizes[table]) / 1000
            database += share * (costs.database_round + costs.database_bet * house.bets * sizes[table]) / 1000
            push(table, at, private=True)
            continue
        process = web_of(table, webs)
        if free[process] > at and what == "bets":  # whoever comes while it works shares the next transaction
            queued[table].append(at)
            if len(queued[table]) == 1:
                heappush(events, (free[process], table, "queue"))
            continue
        came = queued.pop(table, []) if what == "queue" else [at]
        if not came:
            continue
        transactions += 1
        database += costs.database_bets / 1000
        done = work(process, at, costs.bets + costs.bet * house.bets * len(came))
        waits += [1000 * (done - one) for one in came]
        push(table, done, private=False)
    joining = house.players / house.stay_s * costs.joining / 1000
    a_round = house.players * house.bets * costs.bet_bytes + house.tables * costs.round_bytes
    shares = [busy[at] / seconds + joining / webs for at in range(webs)]
    waits.sort()
    return Found(
        web=sum(shares),
        dealer=dealer / seconds,
        database=database / seconds,
        busiest=max(shares),
        wait_ms=waits[int(0.95 * len(waits))] if waits else 0.0,
        transactions=transactions / seconds,
        pushes=pushes / seconds,
        gb_a_day=86_400 / house.round_s * a_round / 1e9,
    )


FULL = 0.6
"""No process is to be busier than that for long: what comes at once has to fit in, too."""


def needed(house: House, costs: Costs) -> tuple[int, Found]:
    """The number of web processes with which none is too busy, and what they do."""
    webs = max(1, ceil(simulated(house, costs, webs=1).web / FULL))
    while True:
        found = simulated(house, costs, webs=webs)
        if found.busiest <= FULL or webs >= house.tables:
            return webs, found
        webs = min(house.tables, ceil(webs * max(1.1, found.busiest / FULL)))


SIZES = ((10_000, 10), (10_000, 100), (10_000, 1_000), (100_000, 100), (100_000, 1_000), (100_000, 10_000),
         (1_000_000, 1_000), (1_000_000, 10_000))  # fmt: skip
SCALED = 20
"""Larger houses are simulated in a part of so many tables, and the part is multiplied."""


def of_size(players: int, tables: int, costs: Costs) -> tuple[int, Found, float]:
    """Web processes, what a part of the house does with its share of them, and how many such parts there are."""
    parts = max(1.0, tables / SCALED)
    house = House(tables=round(tables / parts), players=round(players / parts))
    webs, found = needed(house, costs)
    if webs > 1:
        return ceil(webs * parts), found, parts
    whole = max(2, ceil(found.web * parts / FULL))  # several parts fit into one process
    return whole, replace(found, busiest=found.web * parts / whole), parts


def table_of_sizes(costs: Costs, sizes: Sequence[tuple[int, int]] = SIZES) -> str:
    """The table of docs/scale.md, or of these numbers of players and tables."""
    heads = ("players", "tables", "web processes", "busiest of them", "bets wait, p95", "dealers",
             "cores of the database", "pushes a second", "GB a day", "sockets, GiB")  # fmt: skip
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for players, tables in sizes:
        webs, found, parts = of_size(players, tables, costs)
        lines.append(
            f"| {players:,} | {tables:,} | {webs:,} | {found.busiest:.0%} | {found.wait_ms:,.0f} ms | "
            f"{max(2, ceil(found.dealer * parts / FULL)):,} | {found.database * parts:.1f} | "
            f"{found.pushes * parts:,.0f} | {found.gb_a_day * parts:,.0f} | "
            f"{players * costs.socket_kib / 2**20:,.1f} |"
        )
    return "\n".join(lines)


# ── Measured ────────────────────────────────────────────────────────────────────────────────────────────────


def fitted(measured: Sequence[dict[str, Any]], costs: Costs) -> Costs:
    """The costs that these three measurements have: few bets, many bets, and many in few transactions."""
    few, many, together = measured
    apart, more = _transactions(many) - _transactions(together), many["bets"] - few["bets"]

    def each(name: str) -> tuple[float, float, float]:
        """What a transaction, a bet and the rest take of this."""
        transaction = (many[name] - together[name]) / apart
        left = [one[name] - transaction * _transactions(one) for one in measured]
        bet = max(0.0, (left[1] + left[2]) / 2 - left[0]) / more
        return transaction, bet, sum(rest - bet * one["bets"] for rest, one in zip(left, measured, strict=True)) / 3

    def both(of: Callable[[dict[str, Any]], float]) -> tuple[float, float]:
        """What a bet and a round take of this, where transactions do not matter."""
        bet = max(0.0, (of(many) + of(together)) / 2 - of(few)) / more
        return bet, sum(of(one) - bet * one["bets"] for one in measured) / 3

    bets, bet, _ = each("bet_cpu_ms")
    settled, round_ = both(lambda one: float(one["round_cpu_ms"]))
    in_database = each("database_cpu_ms")
    stored = both(_kept)
    return replace(
        costs,
        bet=bet,
        bets=bets,
        settled_bet=settled,
        round_=round_,
        database_bets=in_database[0],
        database_bet=in_database[1],
        database_round=in_database[2],
        bet_bytes=stored[0],
        round_bytes=stored[1],
    )


def _transactions(measured: dict[str, Any]) -> int:
    """Each burst is laid in two."""
    return 2 * int(measured["bets"] // measured["burst"])


def _kept(measured: dict[str, Any]) -> float:
    """Bytes that a round has left, but for its pack: that of a shoe serves many."""
    return float(sum(size for name, size in measured["stored"].items() if name != "tables_packseed"))


def foretold(costs: Costs, *, bets: int, burst: int) -> dict[str, float]:
    """What a round with so many bets should take."""
    transactions = _transactions({"bets": bets, "burst": burst})
    return {
        "bet_cpu_ms": costs.bet * bets + costs.bets * transactions,
        "round_cpu_ms": costs.round_ + costs.settled_bet * bets,
        "database_cpu_ms": costs.database_round + costs.database_bet * bets + costs.database_bets * transactions,
        "bytes": costs.round_bytes + costs.bet_bytes * bets,
    }


def measure(url: str, redis_url: str, rounds: int) -> bool:
    """Measure, fit, and hold what is foretold of another size against what is measured there. Whether it is near."""
    from .places import Postgres, child, environment

    databases = Postgres(url)
    with tempfile.TemporaryDirectory() as folder:
        try:
            settings = environment(databases.fresh(), Path(folder), redis_url, DATABASE_POOL="1")
            with child("tests.bench.costs", settings) as costs_of:
                players = costs_of.ask("prepare", players=100, within=600)

                def ask(bets: int, burst: int) -> Any:
                    return costs_of.ask("rounds", number=rounds, bets=bets, burst=burst, players=players, within=1_200)

                ask(10, 10)  # what is made once is made
                measured = [ask(10, 10), ask(100, 10), ask(100, 50)]
                other = ask(40, 20)
        finally:
            databases.drop_all()
    for one in (*measured, other):
        print(json.dumps(one))
    costs = fitted(measured, Costs())
    print(costs)
    near = True
    for name, told in foretold(costs, bets=other["bets"], burst=other["burst"]).items():
        found = _kept(other) if name == "bytes" else other[name]
        near = near and abs(told - found) <= WITHIN * found
        print(f"{name:<16} foretold {told:10.1f}  measured {found:10.1f}  {told / found:.2f} ×")
    return near


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.scale", description=__doc__)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--postgres", default="postgresql:///test")
    parser.add_argument("--redis", default="redis://127.0.0.1:6379/0")
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args()
    if given.measure:
        sys.exit(0 if measure(given.postgres, given.redis, given.rounds) else 1)
    print(table_of_sizes(Costs()))


if __name__ == "__main__":
    main()
