"""`make bench`: the figures of docs/performance.md, each beside its own baseline of the same run.

make bench                         all of it, in a few minutes
make bench ARGS=--quick            a minute: fewer runs, the same figures
make bench ARGS="--only bets"      one part: engine, settlement, bets, fan-out, decisions, crowd, joining, growth,
                                   month, proof, memory, many, abuse

Ends with status 1 if something could not be measured, or if an aim was missed on a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import platform
import select
import signal
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import psycopg

from casino.embedded import Valkey

from . import blackjack, many, sockets, stud_poker, three_card_baccarat
from . import engine as rules
from .clients import Clients
from .figures import Aim, Row, number, of_runs, percentile, printed
from .places import (
    HOUSE_LIMITS,
    SLUG,
    BenchError,
    Child,
    Databases,
    Postgres,
    Sqlite,
    child,
    environment,
    free_port,
    wait_for_port,
)

PLAYERS = 1_000
LOGINS = 1_000
LONGEST = 3_600
"""Seconds after which the bench gives up, whatever it is doing."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is done for each figure."""

    engine: int
    sizes: tuple[int, ...]
    fan_out: int
    settlements: int
    alone: int
    bursts: int
    sustained: tuple[int, float]
    statements: int
    crowds: int
    joining: int
    transfers: tuple[int, ...]
    rounds: int
    changes: int
    abuse_s: float


FULL = Effort(
    engine=5,
    sizes=(200, 500, 1_000),
    fan_out=9,
    settlements=5,
    alone=60,
    bursts=20,
    sustained=(3, 3.0),
    statements=300,
    crowds=3,
    joining=3,
    transfers=(1_000, 10_000, 100_000),
    rounds=100_000,
    changes=15,
    abuse_s=12,
)
QUICK = Effort(
    engine=1,
    sizes=(200, 500),
    fan_out=3,
    settlements=3,
    alone=15,
    bursts=5,
    sustained=(1, 2.0),
    statements=100,
    crowds=1,
    joining=1,
    transfers=(1_000, 10_000),
    rounds=10_000,
    changes=5,
    abuse_s=5,
)


class Bench:
    """One run of the bench: where it happens, and what it has found."""

    def __init__(self, effort: Effort, folder: Path, redis_url: str, kinds: Sequence[Databases]) -> None:
        self.effort = effort
        self.rows: list[Row] = []
        self.kinds = kinds
        self._folder = folder
        self._redis_url = redis_url
        self._prepared: dict[str, tuple[str, Any]] = {}

    def environment(self, url: str, **more: str) -> dict[str, str]:
        return environment(url, self._folder, self._redis_url, **more)

    def prepared(self, kind: Databases) -> tuple[str, Any]:
        """A database of this kind with a table and people, and who they are. Made once, then copied."""
        if kind.name not in self._prepared:
            url = kind.fresh()
            with child("tests.bench.services", self.environment(url)) as services:
                told = services.ask("prepare", players=PLAYERS, sessions=LOGINS)
            self._prepared[kind.name] = url, told
        return self._prepared[kind.name]

    @contextmanager
    def services(self, kind: Databases) -> Iterator[tuple[Child, Any, str]]:
        """A process that calls services; who is there; and a copy of its database to replay statements on."""
        url, people = self.prepared(kind)
        used, replayed = kind.copy(url), kind.copy(url)
        with child("tests.bench.services", self.environment(used)) as services:
            yield services, people["players"], replayed

    @contextmanager
    def server(self, kind: Databases, **more: str) -> Iterator[tuple[Child, Clients, list[str]]]:
        """A web server, the clients of it, and the cookies of those who are logged in."""
        url, people = self.prepared(kind)
        port = free_port()
        with child("tests.bench.server", self.environment(kind.copy(url), PORT=str(port), **more)) as server:
            wait_for_port(port)
            yield server, Clients(port), people["cookies"]

    def add(self, row: Row) -> None:
        self.rows.append(row)
        beside = f", {row.beside}: {number(row.baseline)}" if row.baseline is not None else ""
        say(f"    {row.what}: {number(row.value)} {row.unit}{beside}")


def say(line: str) -> None:
    """Progress, beside the table."""
    print(line, file=sys.stderr, flush=True)


def ms(seconds: Sequence[float]) -> list[float]:
    return [1000 * each for each in seconds]


# ── Parts ───────────────────────────────────────────────────────────────────────────────────────────────────


def settlement(bench: Bench) -> None:
    sizes = [10, 100, 1_000]
    for kind in bench.kinds:
        part = f"settlement, {kind.name}"
        say(part)
        with bench.services(kind) as (services, players, replay_on):
            found = services.ask(
                "settlement", sizes=sizes, runs=bench.effort.settlements, players=players, replay_on=replay_on
            )
        for one in found:
            what = f"a round with {one['size']:,} bets"
            aim = Aim(1.3, of_baseline=True) if one["size"] == 1_000 and isinstance(kind, Postgres) else None
            seconds, raw = ms(one["seconds"]), ms(one["raw"])
            bench.add(of_runs(part, what, seconds, "ms", beside="raw statements", baselines=raw, aim=aim))
        _, hundred, thousand = (median(ms(one["seconds"])) for one in found)
        bench.add(Row(part, "1,000 bets", thousand, "ms", "100 bets", hundred, Aim(11, of_baseline=True)))
        few, many = max(found[0]["statements"]), max(found[-1]["statements"])
        bench.add(Row(part, "statements, 1,000 bets", many, "", "10 bets", few, Aim(1, of_baseline=True)))


def bets(bench: Bench) -> None:
    effort = bench.effort
    for kind in bench.kinds:
        part = f"bets, {kind.name}"
        say(part)
        with bench.services(kind) as (services, players, replay_on):
            service = services.ask(
                "bets", single=effort.statements, rested=effort.alone, bursts=10, burst=50, players=players,
                replay_on=replay_on,
            )  # fmt: skip
        raw, raw_alone = ms(service["raw"]), ms(service["raw_rested"])
        for what, seconds, said_again in (
            ("service, one after the other, p50", service["seconds"], raw),
            ("service alone, p50", service["rested"], raw_alone),
        ):
            bench.add(Row(part, what, median(ms(seconds)), "ms", "raw statements", median(said_again)))
        with bench.server(kind) as (server, clients, cookies):
            server.ask("hurried")
            bettors = sockets.Bettors(server, clients, cookies[:200])
            runs, seconds = effort.sustained
            sustained = [bettors.sustained(seconds) for _ in range(runs)]
            bursts = [ms(burst) for burst in bettors.at_once(50, effort.bursts)]
            alone = ms(bettors.alone(effort.alone))  # when each connection knows its statements, as in a house at work
        everybody = [each for burst in bursts for each in burst]
        last = [burst[-1] for burst in bursts]
        one_by_one = [sum(raw[i : i + 50]) for i in range(0, len(raw) - 49, 50)]
        beside = "raw statements"
        on_postgres = isinstance(kind, Postgres)
        aims = [Aim(4), Aim(2.5, of_baseline=True)] if on_postgres else [Aim(3)]
        for aim in aims:
            bench.add(Row(part, "one alone, p50", median(alone), "ms", beside, median(raw_alone), aim))
        bench.add(Row(part, "one alone, p95", percentile(alone, 0.95), "ms", beside, percentile(raw_alone, 0.95)))
        beside = "50 raw, one by one"
        bench.add(Row(part, "50 at once, p50", median(everybody), "ms", beside, median(one_by_one)))
        bench.add(Row(part, "50 at once, p95", percentile(everybody, 0.95), "ms", beside, median(one_by_one)))
        aim = Aim(40 if on_postgres else 30)
        bench.add(Row(part, "the last of 50, p95", percentile(last, 0.95), "ms", beside, median(one_by_one), aim))
        bench.add(
            of_runs(
                part,
                "sustained",
                sustained,
                "/s",
                beside="raw, one connection",
                baselines=[len(raw) * 1000 / sum(raw)],
                aim=Aim(2_500, at_least=True),
            )
        )


def fan_out(bench: Bench) -> None:
    for kind in bench.kinds:
        part = f"fan-out, {kind.name}"
        say(part)
        with bench.server(kind) as (server, clients, cookies):
            for size in bench.effort.sizes if kind is bench.kinds[0] else bench.effort.sizes[-1:]:
                closings = 3 if size == bench.effort.sizes[-1] else 0
                found = sockets.fan_out(server, clients, cookies, size, bench.effort.fan_out, closings)
                what = f"{size:,} sockets, {found.bytes:,} bytes"
                for beside, runs, aim in (
                    ("stock consumers", found.stock, Aim(0.4, of_baseline=True)),
                    ("bare hub", found.bare, Aim(0.5 if size == 1_000 else 1, of_baseline=True)),
                    ("bare hub, reading, rendering", found.bare_rendering, None),
                ):
                    bench.add(of_runs(part, what, ms(found.ours), "ms", beside=beside, baselines=ms(runs), aim=aim))
                if closings:
                    what = f"{size:,} sockets, betting closes"
                    beside, one_bet = "one bet by another", ms(found.ours)
                    bench.add(of_runs(part, what, ms(found.closing), "ms", beside=beside, baselines=one_bet))


def decisions(bench: Bench) -> None:
    for kind in bench.kinds:
        part = f"decisions, {kind.name}"
        say(part)
        with bench.server(kind) as (server, clients, cookies):
            player = bench.prepared(kind)[1]["players"][0]
            server.ask("deal")
            for size in (500, 1):  # alone at last, when each connection knows its statements
                found = sockets.decisions(server, clients, cookies, player, size, bench.effort.fan_out)
                if size == 1:
                    bench.add(of_runs(part, "hit to card, nobody else there", ms(found.ours), "ms", aim=Aim(15)))
                    continue
                bench.add(of_runs(part, f"hit to card committed, {size} there", ms(found.dealt), "ms"))
                what = f"hit to the last of {size}, {found.bytes:,} bytes"
                for beside, runs in (
                    ("stock consumers", found.stock),
                    ("bare hub", found.bare),
                    ("bare hub, reading, rendering", found.bare_rendering),
                ):
                    bench.add(of_runs(part, what, ms(found.ours), "ms", beside=beside, baselines=ms(runs)))


def crowd(bench: Bench) -> None:
    for kind in bench.kinds:
        for game in ("roulette", "cussec"):
            part = f"crowd at {game}, {kind.name}"
            say(part)
            with bench.server(kind) as (server, clients, cookies):
                few, many = (
                    sockets.crowd(server, clients, cookies, game, bettors, bench.effort.crowds)
                    for bettors in (PLAYERS // 4, PLAYERS)
                )
            beside = f"{PLAYERS // 4} bettors"
            for what, unit, ours, theirs, aim in (
                ("bets", "/s", many.bets_a_second, few.bets_a_second, Aim(0.5, of_baseline=True, at_least=True)),
                ("bell to the last payment", "ms", ms(many.paid), ms(few.paid), Aim(6, of_baseline=True)),
                ("bell to the last screen", "ms", ms(many.shown), ms(few.shown), Aim(6, of_baseline=True)),
                ("for each of them", "KiB", [b / 1024 for b in many.bytes], [b / 1024 for b in few.bytes], None),
            ):
                what = f"{PLAYERS:,} bettors, {what}"
                bench.add(of_runs(part, what, ours, unit, beside=beside, baselines=theirs, aim=aim))
            for what, seconds, theirs, unit_aim in (
                ("last answer", many.last_answer, few.last_answer, Aim(1_000)),
                ("CPU until then", many.cpu, few.cpu, None),
            ):
                what = f"{PLAYERS:,} bettors, {what}"
                bench.add(of_runs(part, what, ms(seconds), "ms", beside=beside, baselines=ms(theirs), aim=unit_aim))
            shown = ms(many.shown)
            bench.add(of_runs(part, f"{PLAYERS:,} bettors, bell to the last screen", shown, "ms", aim=Aim(500)))


WORST = {
    "address": "one anonymous address floods",
    "guest": "one guest floods through ten sockets",
    "form": "one form of 200 MB after another",
}


def abuse(bench: Bench) -> None:
    seconds = bench.effort.abuse_s
    for kind in bench.kinds:
        part = f"abuse, {kind.name}"
        say(part)
        with bench.server(kind, **HOUSE_LIMITS) as (server, clients, cookies), child("tests.bench.abuse", {}) as worst:
            bettors = sockets.Bettors(server, clients, cookies[:1])
            bettors.paced(seconds / 2)  # warms up
            quiet = ms(bettors.paced(seconds))
            bench.add(Row(part, "nobody else: answer to a bet, p95", percentile(quiet, 0.95), "ms"))
            for name, what in WORST.items():
                more = {"port": clients.port, "slug": SLUG, "cookie": cookies[1]}
                worst.tell("flood", kind=name, seconds=seconds + 6, **more)
                clients.rest(2)
                found = ms(bettors.paced(seconds))
                say(f"    {worst.answer('flood', within=seconds + 60)}")
                clients.rest(2)
                aim = Aim(3, of_baseline=True)
                row = Row(
                    part, f"{what}, p95", percentile(found, 0.95), "ms", "nobody else", percentile(quiet, 0.95), aim
                )
                bench.add(row)


def memory(bench: Bench) -> None:
    say("memory")
    taken = []
    for path in (sockets.TABLE, sockets.STOCK):
        with bench.server(bench.kinds[0]) as (server, clients, cookies):
            taken.append(sockets.memory(server, clients, path, cookies, 1_000) / 1024)
    bench.add(Row("memory", "an idle socket (of 1,000)", taken[0], "KiB", "stock consumer", taken[1], Aim(33)))


def joining(bench: Bench) -> None:
    for kind in bench.kinds:
        part = f"joining, {kind.name}"
        say(part)
        with bench.server(kind) as (server, clients, cookies):
            found = sockets.joining(server, clients, cookies[:400], bench.effort.joining)
        for what, ours, bare, aim in (
            ("page of one more, CPU", found.pages, found.bare_pages, None),
            ("socket of one more, CPU", found.sockets, found.bare_sockets, None),
            (
                "page and socket, CPU",
                _both(found.pages, found.sockets),
                _both(found.bare_pages, found.bare_sockets),
                Aim(3),
            ),
        ):
            bench.add(of_runs(part, what, ms(ours), "ms", beside="Daphne alone", baselines=ms(bare), aim=aim))


def _both(some: Sequence[float], others: Sequence[float]) -> list[float]:
    return [one + other for one, other in zip(some, others, strict=True)]


def growth(bench: Bench) -> None:
    few, many = 31, 500
    for kind in bench.kinds:
        part = f"growth, {kind.name}"
        say(part)
        with bench.services(kind) as (services, players, _):
            drawn = services.ask("private_parts", players=players[:500], runs=bench.effort.crowds)
            lobby = services.ask("lobby_statements", sizes=[few, many])
            pages = services.ask("pit_page", sizes=bench.effort.transfers, runs=5, within=600)
        bench.add(of_runs(part, "private part of one bettor, CPU", ms(drawn), "ms", aim=Aim(0.1)))
        bench.add(Row(part, f"statements, lobby of {few} tables", lobby[0], "", aim=Aim(6)))
        bench.add(Row(part, f"statements, lobby of {many} tables", lobby[1], "", f"{few} tables", lobby[0], Aim(6)))
        for one in pages:
            what = f"pit's page of one table, {one['size']:,} transfers"
            bench.add(of_runs(part, what, ms(one["seconds"]), "ms", aim=Aim(50)))


def month(bench: Bench) -> None:
    say("month")
    rounds = bench.effort.rounds
    with bench.services(bench.kinds[0]) as (services, players, _):
        found = services.ask("report_of_a_month", rounds=rounds, runs=3, players=players[:1], within=1_800)
    what = f"report of 31 tables over 31 days, {rounds:,} rounds"
    bench.add(of_runs("month", what, ms(found["seconds"]), "ms", aim=Aim(1_000)))
    bench.add(Row("month", f"statements, {what}", max(found["statements"]), "", aim=Aim(40)))


TABLES, SOCKETS_EACH = 100, 50


def many_tables(bench: Bench) -> None:
    say("many tables")
    many.check_room(TABLES * SOCKETS_EACH)
    with bench.server(bench.kinds[0]) as (server, clients, cookies):
        found = many.many_tables(server, clients, cookies, TABLES, SOCKETS_EACH, bench.effort.changes)
    what, last = f"{TABLES} tables, {TABLES * SOCKETS_EACH:,} sockets", percentile(found.arrived, 1)
    bench.add(Row("many tables", f"{what}: commit to socket, p50", 1000 * median(found.arrived), "ms"))
    bench.add(Row("many tables", "… p95", 1000 * percentile(found.arrived, 0.95), "ms", aim=Aim(250)))
    bench.add(Row("many tables", "… the last of all", 1000 * last, "ms"))
    bench.add(Row("many tables", "leases lost by the dealer beside them", found.leases_lost, "", aim=Aim(0)))
    bench.add(Row("many tables", "all of them come", found.opened, "s"))


def proof(bench: Bench) -> None:
    for kind in bench.kinds:
        part = f"proof, {kind.name}"
        say(part)
        for slug, game in (("roulette", "Roulette"), (SLUG, "Baccarat, a pack each")):
            with bench.server(kind) as (server, clients, cookies):
                players = bench.prepared(kind)[1]["players"][:PLAYERS]
                found = sockets.proven(server, clients, cookies, slug, players, bench.effort.crowds)
            rounds, without = ms([total for total, _ in found]), ms([total - of_proof for total, of_proof in found])
            aim = Aim(1.05, of_baseline=True)
            what = f"a round of {game}, {PLAYERS:,} bettors, CPU"
            bench.add(of_runs(part, what, rounds, "ms", beside="less the proof", baselines=without, aim=aim))
        with bench.server(kind) as (server, clients, cookies):
            leaves = sockets.leaves(server, clients, cookies[0], bench.effort.crowds)
        bench.add(of_runs(part, "leaves of a pack for one device, CPU", ms(leaves), "ms"))


LEAST_ROUNDS, LEAST_HANDS = 10_000, 1_500_000
"""A second through the rules on one core: rounds of Baccarat, and pairs of hands."""


def engine(bench: Bench) -> None:
    say("engine")
    runs = bench.effort.engine
    for what, ours, beside, bare, least in (
        (
            "rounds through apply",
            rules.rounds_a_second,
            "the same cards, bare",
            rules.bare_rounds_a_second,
            LEAST_ROUNDS,
        ),
        (
            "rounds of Blackjack through apply",
            blackjack.rounds_a_second,
            "the same cards, bare",
            blackjack.bare_rounds_a_second,
            None,
        ),
        (
            "rounds of Stud Poker through apply",
            stud_poker.rounds_a_second,
            "the same hands, bare",
            stud_poker.bare_rounds_a_second,
            None,
        ),
        (
            "rounds of 3-Card Baccarat through apply",
            three_card_baccarat.rounds_a_second,
            "the same cards, bare",
            three_card_baccarat.bare_rounds_a_second,
            None,
        ),
        (
            "hands of Stud Poker compared",
            stud_poker.comparisons_a_second,
            "by PokerKit",
            stud_poker.kept_comparisons_a_second,
            LEAST_HANDS,
        ),
        ("records replayed", rules.records_a_second, "only parsed", rules.bare_records_a_second, None),
    ):
        aim = None if least is None else Aim(least, at_least=True)
        bench.add(of_runs("engine, one core", what, ours(runs), "/s", beside=beside, baselines=bare(runs), aim=aim))


PARTS: Mapping[str, Callable[[Bench], None]] = {
    "engine": engine,
    "settlement": settlement,
    "bets": bets,
    "fan-out": fan_out,
    "decisions": decisions,
    "crowd": crowd,
    "joining": joining,
    "growth": growth,
    "month": month,
    "proof": proof,
    "memory": memory,
    "many": many_tables,
    "abuse": abuse,
}


# ── The run ─────────────────────────────────────────────────────────────────────────────────────────────────


def main() -> int:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a minute: fewer runs")
    parser.add_argument("--only", choices=PARTS, action="append", help="this part (may be repeated)")
    parser.add_argument(
        "--postgres",
        default=os.environ.get("DATABASE_URL", "postgresql:///test"),
        help="where a PostgreSQL is that lets us create databases (DATABASE_URL)",
    )
    wanted = parser.parse_args()
    signal.signal(signal.SIGALRM, _too_long)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.alarm(LONGEST)
    notes: list[str] = []
    others = [busy_with_others()]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="floor-bench-")))
        valkey = stack.enter_context(Valkey(folder / "valkey"))
        kinds: list[Databases] = []
        try:
            postgres = Postgres(wanted.postgres)
            stack.callback(postgres.drop_all)
            kinds.append(postgres)
        except psycopg.Error as error:
            notes.append(f"PostgreSQL was left out: {str(error).strip()}")
        kinds.append(Sqlite(folder))
        bench = Bench(QUICK if wanted.quick else FULL, folder, f"unix://{valkey.socket}", kinds)
        say(about(kinds))
        for name in wanted.only or PARTS:
            try:
                PARTS[name](bench)
            except BenchError as error:
                notes.append(f"{name} could not be measured: {error}")
                say(f"    {notes[-1]}")
            others.append(busy_with_others())
    print(about(kinds), end="\n\n")
    print(printed(bench.rows))
    missed = [row for row in bench.rows if row.verdict == "MISSED"]
    quiet = max(others) <= QUIET
    if not quiet:
        notes_on_others = f"The machine was not quiet: other work took up to {max(others):.0%} of it between the parts."
        print(f"\n{notes_on_others} No aim is judged by this run.")
    elif missed:
        print(f"\nThe machine was quiet, and {len(missed)} aims were missed.")
    print("\n".join(["", *notes]) if notes else "", end="\n" if notes else "")
    return 1 if notes or (quiet and missed) else 0


QUIET = 0.1
"""The machine is quiet if other work takes no more than this share of its cores."""


def busy_with_others(seconds: float = 1.0) -> float:
    """The share of the machine that work takes while the bench itself rests, so that none of it is ours. Where the
    system does not say that, it is told from the load, which lags behind."""
    try:
        before = _ticks()
        select.select([], [], [], seconds)
        after = _ticks()
    except OSError:
        return min(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    idle, total = (later - sooner for later, sooner in zip(after, before, strict=True))
    return 1 - idle / max(1, total)


def _ticks() -> tuple[int, int]:
    """Idle time and all time of all cores since the machine began, in ticks. Raises OSError."""
    told = [int(each) for each in Path("/proc/stat").read_text().partition("\n")[0].split()[1:]]
    return told[3] + told[4], sum(told[:8])


def about(kinds: Sequence[Databases]) -> str:
    """The machine, in one line; with its load, since a busy one is slower."""
    postgres = [f"PostgreSQL {kind.version}" for kind in kinds if isinstance(kind, Postgres)]
    return ", ".join(
        [
            f"{os.cpu_count()} cores",
            f"CPython {platform.python_version()}",
            *postgres,
            f"SQLite {sqlite3.sqlite_version}",
            f"load {os.getloadavg()[0]:.1f}",
        ]
    )


def _too_long(*_: object) -> None:
    raise BenchError(f"not done after {LONGEST} seconds")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        say("\nStopped; what it had made is gone.")
        sys.exit(130)
