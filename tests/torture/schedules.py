"""The interleaver: two deeds that move money at once, in every order that two preemptions make (F1, F4 to F7, F12, B7).

    python -m tests.torture.schedules [--stage NAME] [--seed N] [--broken NAME]

Two threads, each with a line of its own to PostgreSQL, stop before each statement and before COMMIT; the schedule says
who goes on. A thread that has to wait for a lock lets the other go on: no preemption. Each schedule begins with
the same rows. What was answered and is there in the end must be what one of the two orders brings in which nothing is
interrupted; and all invariants hold.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations_with_replacement, islice
from queue import SimpleQueue
from threading import Event as Signal
from threading import Thread
from time import perf_counter, process_time
from typing import Any

import django

django.setup()

from django.db import connection  # noqa: E402

from tables.base import announce, sql  # noqa: E402
from tables.games.contract.actions import Withdraw  # noqa: E402
from tables.games.stud_poker.phases import Raise  # noqa: E402
from tables.models import Jackpot as StoredJackpot  # noqa: E402
from tables.models import Restriction, RoundLog, Table  # noqa: E402
from tables.services.money import wallet  # noqa: E402
from tables.services.pit import adjustments, floats, rulings, sanctions  # noqa: E402
from tables.services.players import people  # noqa: E402
from tables.services.rounds import betting, decisions, seating  # noqa: E402
from tables.services.rounds.betting import BetRequest  # noqa: E402
from tests.house import deeds  # noqa: E402
from tests.house.kit import ToldClock, answer  # noqa: E402

from . import broken, invariants  # noqa: E402
from .evenings import CREDIT, WISHES, Evening  # noqa: E402
from .place import Place, here  # noqa: E402

logging.getLogger("psycopg").setLevel(logging.ERROR)
"""That a pipeline ended with an error is no news here: some deeds of every schedule are refused."""

Work = Callable[[], str]


# ── Two threads that stop ───────────────────────────────────────────────────────────────────────────────────


class Actor:
    """A thread that does one deed after the other, and stops before a statement or COMMIT where it is told to."""

    def __init__(self) -> None:
        self.said, self.done = "", True
        self.pid = self.steps = 0
        self._left: int | None = 1
        self._began = True
        self._deeds: SimpleQueue[Work] = SimpleQueue()
        self._stopped, self._go = Signal(), Signal()
        Thread(target=self._live, daemon=True).start()
        self._stopped.wait()

    def begin(self, deed: Work) -> None:
        """Come to the first stop of this deed."""
        self.done, self.steps, self._left, self._began = False, 0, 1, True
        self._stopped.clear()
        self._deeds.put(deed)

    def go(self, steps: int | None) -> None:
        """Go on for so many statements, or to the end. `steps` counts them."""
        self._left = steps
        self._stopped.clear()
        self._go.set()

    def stands(self, seconds: float) -> bool:
        """Whether it has come to a stop, or to the end, within so long."""
        return self._stopped.wait(seconds)

    def _live(self) -> None:
        line: Any = connection
        line.ensure_connection()
        self.pid = line.connection.info.backend_pid
        commit = line._commit

        def guarded() -> None:
            self._stop()
            commit()

        line._commit = guarded
        self._stopped.set()
        while True:
            deed = self._deeds.get()
            with connection.execute_wrapper(self._before_statement):
                try:
                    self.said = deed()
                except Exception as error:
                    self.said = f"{type(error).__name__}: {error}".partition("\n")[0]
            self.steps += 1
            self.done = True
            self._stopped.set()

    def _before_statement(self, execute: Any, statement: Any, parameters: Any, many: Any, context: Any) -> Any:
        self._stop()
        return execute(statement, parameters, many, context)

    def _stop(self) -> None:
        if self._left is None or self._left > 1:
            self.steps += 1
            self._left = None if self._left is None else self._left - 1
            return
        if not self._began:
            self.steps += 1
        self._began = False
        self._stopped.set()
        self._go.wait()
        self._go.clear()


@dataclass
class Pair:
    """Two actors and what they do; who goes on is said from outside."""

    actors: tuple[Actor, Actor]

    def begin(self, deeds: tuple[Work, Work]) -> None:
        for actor, deed in zip(self.actors, deeds, strict=True):
            actor.begin(deed)
            assert actor.stands(60)

    def advance(self, who: int, most: int | None) -> int:
        """Let one go on for so many statements, or to its end. When it has to wait for a lock the other goes on to its
        own. How many statements it did before it ended or had to wait."""
        one, other = self.actors[who], self.actors[1 - who]
        if one.done:
            return 0
        before = one.steps
        one.go(most)
        waited_at = None
        if self._waits(one, other):
            waited_at = one.steps
            if not other.done:
                other.go(None)
            while self._waits(other, one):  # for each other: the database ends one of the two, which rolls back
                if one.stands(2) and not one.done:
                    one.go(None)
            assert one.stands(60), "it waits for a lock that nobody has"
        return (one.steps if waited_at is None else waited_at) - before

    def _waits(self, one: Actor, other: Actor) -> bool:
        """Whether it waits for a lock of the other; otherwise it has come to a stop. (Autovacuum has locks too.)"""
        while not one.stands(0.003):
            with connection.cursor() as cursor:
                cursor.execute("SELECT %s = ANY(pg_blocking_pids(%s))", [other.pid, one.pid])
                (blocked,) = cursor.fetchone()
            if blocked and not one.stands(0):
                return True
        return False


# ── Stages: where two deeds meet ────────────────────────────────────────────────────────────────────────────


class Stage:
    """Rows to begin with, and the deeds that may meet there."""

    game = "baccarat"

    def __init__(self) -> None:
        self.evening = Evening(self.game)
        self.house, self.table = self.evening.house, self.evening.table
        self.clock = self.house.clock
        self.set_up()
        self.log = self.house.log(self.table)
        self.early = ToldClock(self.clock.at)

    def set_up(self) -> None:
        raise NotImplementedError

    def deeds(self) -> dict[str, Work]:
        raise NotImplementedError

    # ── deeds ───────────────────────────────────────────────────────────────────────────────────────────────

    def says(self, deed: Callable[..., object], *args: Any, **more: Any) -> Work:
        return partial(answer, partial(deed, *args, **{"clock": self.clock, **more}))

    def bet(self, player: Any, spot: str, credits: int) -> Work:
        """A bet that is in time by its own clock, which is a moment behind the dealer's."""
        request = BetRequest(player.pk, self.house.ref(), spot, credits * CREDIT, None)
        return self.says(deeds.place, self.log.pk, request, clock=self.early)

    def dealer(self, table: Table | None = None) -> Work:
        """The one thing that is due at the table. Nobody is answered: whether it was done already is not compared."""
        at = table or self.table
        self.house.due(at)

        def step() -> str:
            self.house.advance(at)
            return "done"

        return step

    def comp(self, player: Any) -> Work:
        by, ref = self.evening.manager, self.house.ref()
        return self.says(sanctions.comp, by, player.pk, 50 * CREDIT, "a long wait", ref=ref)

    def void(self, log: RoundLog) -> Work:
        """The pit rules, with a second person, that the round is void."""
        name = self.evening.voiding(log)
        assert name is not None
        more = {"why": "the cards fell", "ref": self.house.ref(), "approved_by": self.evening.second}
        return self.says(rulings.rule, self.evening.boss, log.pk, name, **more)

    def leave_with(self, player: Any, credits: int) -> None:
        """The house takes what this player has beyond so much."""
        take = credits * CREDIT - self.house.balance(player)
        asked = adjustments.ask(self.evening.boss, player.pk, take, "too much", clock=self.clock)
        adjustments.approve(self.evening.manager, asked.pk, clock=self.clock)

    def adjustment(self, player: Any, credits: int) -> Work:
        asked = adjustments.ask(self.evening.boss, player.pk, credits * CREDIT, "a mistake", clock=self.clock)
        return self.says(adjustments.approve, self.evening.manager, asked.pk)

    def chips(self, kind: str) -> Work:
        order = floats.order_chips(self.evening.boss, self.table.pk, kind, 500 * CREDIT, clock=self.clock)
        return self.says(floats.confirm_chips, self.evening.cage, order.pk)


class Betting(Stage):
    """Betting is open and its time is over. Ana has 300 credits left, and two stakes; Rui has one."""

    def set_up(self) -> None:
        house, evening, table = self.house, self.evening, self.table
        house.until(table, "betting")
        self.leave_with(evening.ana, 500)
        for player, spot in ((evening.ana, "player"), (evening.ana, "tie"), (evening.rui, "banker")):
            house.bet(player, table, spot, 100)
        house.due(table)

    def deeds(self) -> dict[str, Work]:
        ana, rui, evening, log = self.evening.ana, self.evening.rui, self.evening, self.log
        self.early.at = self.clock.at.replace(microsecond=0) - (self.clock.at - log.wait_began_at) / 1000
        bets = sorted(dict(self.house.round(self.table).in_escrow(ana.key)))
        take_back = Withdraw(ana.key, bets[0])
        return {
            "bet": self.bet(ana, "player", 200),
            "bet of the last chips": self.bet(ana, "banker", 300),
            "bet of another": self.bet(rui, "tie", 100),
            "take back": self.says(decisions.decide, ana.pk, log.pk, self.house.ref(), take_back, clock=self.early),
            "clear": self.says(betting.clear, ana.pk, log.pk, self.house.ref(), clock=self.early),
            "close": self.dealer(),
            "void": self.void(log),
            "comp": self.comp(ana),
            "adjustment": self.adjustment(ana, -250),
            "top-up": self.says(people.top_up, ana.pk),
            "exclusion": self.says(
                sanctions.restrict, evening.manager, ana.pk, Restriction.Kind.EXCLUSION, "trouble", until=None
            ),
        }


class Result(Stage):
    """The cards lie, and the round is to be paid. Ana has 300 credits left; at another table betting is open."""

    def set_up(self) -> None:
        house, evening, table = self.house, self.evening, self.table
        self.other = house.table("lotus", times={"betting": 3_600_000})
        house.until(self.other, "betting")
        house.until(table, "betting")
        self.leave_with(evening.ana, 500)
        for player, spot in ((evening.ana, "banker"), (evening.ana, "tie"), (evening.rui, "player")):
            house.bet(player, table, spot, 100)
        house.until(table, "result")
        house.due(table)

    def deeds(self) -> dict[str, Work]:
        ana = self.evening.ana
        elsewhere = BetRequest(ana.pk, self.house.ref(), "player", 250 * CREDIT, None)
        return {
            "settle": self.dealer(),
            "bet elsewhere": self.says(deeds.place, self.house.log(self.other).pk, elsewhere),
            "void": self.void(self.log),
            "comp": self.comp(ana),
            "adjustment": self.adjustment(ana, -250),
            "top-up": self.says(people.top_up, ana.pk),
            "fill": self.chips("fill"),
            "credit": self.chips("credit"),
        }


class Decision(Stage):
    """Ana is asked whether she doubles, and her time is over. She has what she needs for it, and no more."""

    game = "blackjack"

    def set_up(self) -> None:
        house, evening, table = self.house, self.evening, self.table
        house.until(table, "betting")
        house.bet(evening.ana, table, "main", 100, 1)
        house.bet(evening.rui, table, "main", 100, 2)
        self.leave_with(evening.ana, 150)
        while house.round(table).default_for(evening.ana.key) is None or not self.wish():
            house.step(table)
        house.due(table)

    def wish(self) -> Any:
        offered = {one.do: one for one in self.house.round(self.table).offers(self.evening.ana.key).actions}
        return next((offered[name] for name in WISHES[:2] if name in offered), None)

    def deeds(self) -> dict[str, Work]:
        ana, log = self.evening.ana, self.log
        self.early.at = log.wait_began_at
        return {
            "decision": self.says(decisions.decide, ana.pk, log.pk, self.house.ref(), self.wish(), clock=self.early),
            "time is over": self.dealer(),
            "void": self.void(log),
            "adjustment": self.adjustment(ana, -100),
            "comp": self.comp(ana),
            "top-up": self.says(people.top_up, ana.pk),
        }


class Jackpot(Stage):
    """Two tables of one jackpot: at one all of it has been won and is to be paid, at the other betting has closed."""

    game = "stud_poker"

    def set_up(self) -> None:
        house, evening, table = self.house, self.evening, self.table
        jackpot = StoredJackpot.objects.get(tables=table).slug
        self.other = house.table("penha", game=self.game, jackpot=jackpot)
        lin = house.player("lin")
        seating.sit(lin.pk, self.other.pk, 1, clock=self.clock)
        self.lay(self.other, lin, 1)
        self.lay(table, evening.ana, 1)
        house.until(self.other, "bets_closed")
        house.until(table, "look_and_decide")
        house.decide(evening.ana, table, Raise)
        house.until(table, "result")
        house.due(self.other)
        house.due(table)

    def lay(self, table: Table, player: Any, box: int) -> None:
        self.house.until(table, "betting")
        self.house.bet(player, table, "ante", 100, box)
        self.house.bet(player, table, "jackpot", 25, box)

    def deeds(self) -> dict[str, Work]:
        other = self.house.log(self.other)
        return {
            "prize": self.dealer(),
            "contribution": self.dealer(self.other),
            "void of the prize": self.void(self.log),
            "void of the contribution": self.void(other),
            "comp": self.comp(self.evening.ana),
        }


STAGES: dict[str, type[Stage]] = {"betting": Betting, "result": Result, "decision": Decision, "jackpot": Jackpot}


# ── What comes of it ────────────────────────────────────────────────────────────────────────────────────────

OUTCOME = (
    "SELECT kind, player_id, table_id, jackpot_id, realm, balance FROM tables_account",
    'SELECT "key", debit_id, credit_id, amount, reason, bet, "by" FROM tables_transfer',
    'SELECT log_id, seq, "by", action::text, ref FROM tables_loggedaction',
    "SELECT id, phase, version, void, settled_at IS NULL, due_at FROM tables_roundlog",
    "SELECT table_id, number, player_id, away FROM tables_seat",
    "SELECT log_id, player_id, staked, returned FROM tables_played",
    "SELECT id, state FROM tables_adjustment",
    "SELECT id, state FROM tables_chiporder",
    "SELECT player_id, kind FROM tables_restriction",
    'SELECT deed, by_id, table_id, log_id, player_id, before::text, after::text FROM tables_event',
)  # fmt: skip
"""What is compared: all that money and rounds are, without the order in which rows were numbered."""


def outcome() -> tuple[Any, ...]:
    return tuple(tuple(sorted(map(str, sql.fetched(query, [])))) for query in OUTCOME)


@dataclass
class Schedules:
    """What was found so far."""

    place: Place
    pair: Pair
    until: float
    left: int = 0
    covered: int = 0
    executed: int = 0
    pairs: int = 0
    violations: list[str] = field(default_factory=list)
    _audited: set[int] = field(default_factory=set)

    def stage(self, name: str, most: int | None) -> None:
        self.place.restore("fresh")
        stage = STAGES[name]()
        deeds = stage.deeds()
        self.place.keep("start")
        for first, second in islice(combinations_with_replacement(deeds, 2), most):
            if perf_counter() > self.until:
                self.left += 1
                continue
            began = self.covered, len(self.violations)
            self.meet(f"{name}: {first} | {second}", (deeds[first], deeds[second]))
            print(f"    {name}: {first} | {second}: {self.covered - began[0]} schedules, "
                  f"{len(self.violations) - began[1]} violations", file=sys.stderr, flush=True)  # fmt: skip

    def meet(self, label: str, deeds: tuple[Work, Work]) -> None:
        """All schedules of two deeds, of which each is preempted once at most."""
        self.pairs += 1
        serial = [self.run(deeds, ((who, None), (1 - who, None))) for who in (0, 1)]
        lengths = [serial[who][2][0] for who in (0, 1)]
        allowed = {(came, said) for came, said, _ in serial}
        assert all(serial[who][1][who] == "done" for who in (0, 1)), f"{label}: {[said for _, said, _ in serial]}"
        for who in (0, 1):
            for at in range(1, lengths[who]):
                self.judge(label, deeds, ((who, at), (1 - who, None), (who, None)), allowed)
            for at in range(1, lengths[who]):
                for then in range(1, lengths[1 - who]):
                    plan = ((who, at), (1 - who, then), (who, None), (1 - who, None))
                    steps = self.judge(label, deeds, plan, allowed)
                    if len(steps) > 1 and steps[1] < then:  # it had to wait: later ones come to the same
                        self.covered += lengths[1 - who] - then - 1
                        break

    def run(
        self, deeds: tuple[Work, Work], plan: tuple[tuple[int, int | None], ...]
    ) -> tuple[tuple[Any, ...], tuple[str, str], list[int]]:
        """What is there in the end, what was answered, and the steps of each part of the plan."""
        self.place.restore("start")
        self.pair.begin(deeds)
        steps = [self.pair.advance(who, most) for who, most in plan]
        self.covered += 1
        self.executed += 1
        one, other = self.pair.actors
        assert one.done and other.done
        return outcome(), (one.said, other.said), steps

    def judge(
        self, label: str, deeds: tuple[Work, Work], plan: tuple[tuple[int, int | None], ...], allowed: set[Any]
    ) -> list[int]:
        came, said, steps = self.run(deeds, plan)
        found = []
        if (came, said) not in allowed:
            answers = [said for _, said in allowed]
            found.append(f"no order of the two brings this: {said}, not {answers}{_difference(came, allowed)}")
        audits = hash(came) not in self._audited
        self._audited.add(hash(came))
        found += invariants.faults(by_the_audit=audits)
        self.violations += [f"{label}, {plan}: {fault}" for fault in found]
        return steps


def _difference(came: tuple[Any, ...], allowed: set[Any]) -> str:
    """What is there and would not be, and what is not and would be, in the order that comes nearest."""
    told = []
    for other, _ in allowed:
        rows = [Counter(mine) - Counter(theirs) for mine, theirs in zip(came, other, strict=True)]
        lacking = [Counter(theirs) - Counter(mine) for mine, theirs in zip(came, other, strict=True)]
        told.append(f"; there: {[*sum(rows, Counter())]}, lacking: {[*sum(lacking, Counter())]}")
    return min(told, key=len)[:600]


# ── Built-in faults ─────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def round_unlocked() -> Iterator[None]:
    """Nobody locks the round."""
    fetched = sql.fetched
    with broken.changed("fetched", lambda text, values: fetched(text.replace("FOR UPDATE OF log", ""), values), of=sql):
        yield


@contextmanager
def accounts_unlocked() -> Iterator[None]:
    """Nobody locks the accounts."""
    with broken.changed("_for_update", lambda: "", of=wallet):
        yield


BROKEN: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "round-unlocked": round_unlocked, "accounts-unlocked": accounts_unlocked,
}  # fmt: skip


def run(stages: list[str], seconds: float, most: int | None = None, broken_by: str = "") -> dict[str, Any]:
    """All schedules of the pairs of deeds of these stages, or of so many of each, if there is time; what was found."""
    began = perf_counter()
    place = here()
    place.keep("fresh")
    found = Schedules(place, Pair((Actor(), Actor())), began + seconds)
    with BROKEN[broken_by]() if broken_by else nullcontext(), broken.changed("_send", lambda *_: None, of=announce):
        for name in stages:
            found.stage(name, most)
    return {
        "schedules": found.covered, "executed": found.executed, "pairs": found.pairs, "left": found.left,
        "violations": found.violations,
        "seconds": perf_counter() - began, "cpu": process_time(),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="chooses nothing here: every schedule is tried")
    parser.add_argument("--stage", choices=STAGES, action="append")
    parser.add_argument("--pairs", type=int, help="so many of each stage; all without it")
    parser.add_argument("--seconds", type=float, default=36_000)
    parser.add_argument("--broken", choices=BROKEN, default="")
    wanted = parser.parse_args()
    assert connection.vendor == "postgresql", "only where there are row locks"
    print(json.dumps(run(wanted.stage or list(STAGES), wanted.seconds, wanted.pairs, wanted.broken)))


if __name__ == "__main__":
    main()
