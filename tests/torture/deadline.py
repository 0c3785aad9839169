"""Bets within 50 ms of the close, each sent one to five times (F1, D1, D2).

    python -m tests.torture.deadline [--seed N] [--bets N] [--broken NAME]

Forty people at a table of Baccarat bet all at once when its time is nearly over. Copies of a bet come before the close,
after it, and when the round is paid. The time of each message is told to the services, and the dealer comes up to 30 ms
late. A bet that is answered as placed lies once, was in time and stands before the close; all its copies are answered
as repeated; what was refused lies nowhere.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count, groupby
from random import Random  # noqa: TID251 (a run that can be repeated: no chance of the house)
from time import perf_counter, process_time
from typing import Any

import django

django.setup()

from django.db import connection  # noqa: E402

from tables.base import announce, refs  # noqa: E402
from tables.games.contract.errors import Refused  # noqa: E402
from tables.models import LoggedAction, RoundLog, Transfer  # noqa: E402
from tables.services.rounds import betting  # noqa: E402
from tables.services.rounds.betting import BetRequest  # noqa: E402
from tests.house import deeds  # noqa: E402
from tests.house.kit import House, ToldClock  # noqa: E402

from . import broken, invariants  # noqa: E402
from .evenings import FIRST_CARDS, Same  # noqa: E402

PEOPLE, OF_EACH = 40, 50
"""Bettors, and bets of each in a round."""

AROUND_MS, LATE_MS = 50, 30
CENTS = 100


@dataclass
class Deadline:
    """What was found so far."""

    chance: Random
    bets: int = 0
    sent: int = 0
    near: int = 0
    violations: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.house = House(Same(FIRST_CARDS["baccarat"]))
        self.table = self.house.table()
        self.players = [self.house.player(f"p{number}") for number in range(PEOPLE)]
        self.refs = count()

    def round(self) -> None:
        """A round in which everybody bets near its close, and is paid."""
        house, table = self.house, self.table
        house.until(table, "betting")
        house.attend(table, *self.players)
        opens = BetRequest(self.players[0].pk, f"opens-{next(self.refs)}", "tie", CENTS)
        deeds.place(house.log(table).pk, opens, clock=house.clock)
        log = house.log(table)
        due = log.due_at
        assert due is not None
        closes = due + timedelta(milliseconds=self.chance.randint(0, LATE_MS))
        wishes = [self.wish(player.pk) for player in self.players for _ in range(OF_EACH)]
        sends: list[tuple[datetime, int, BetRequest]] = []
        later: list[BetRequest] = []
        for number, wish in enumerate(wishes):
            first, *copies = (self.chance.randint(-AROUND_MS, AROUND_MS) for _ in range(self.chance.randint(1, 5)))
            sends.append((due + timedelta(milliseconds=first), number, wish))
            for copy in copies:
                if self.chance.random() < 0.1:
                    later.append(wish)
                else:
                    sends.append((due + timedelta(milliseconds=copy), number, wish))
        sends.sort(key=lambda one: one[:2])
        answers: defaultdict[str, Counter[str]] = defaultdict(Counter)
        clock, closed = ToldClock(), False
        for at, together in groupby(sends, key=lambda one: one[0]):
            if at >= closes and not closed:
                closed = self.close(closes)
            clock.at = at
            self.send(log, [wish for _, _, wish in together], clock, answers)
        if not closed:
            self.close(closes)
        house.play_out(table)
        self.send(log, later, house.clock, answers)
        self.bets += len(wishes)
        self.near += len(sends)
        self.judge(log, due, wishes, answers)

    def wish(self, player: int) -> BetRequest:
        spot = self.chance.choice(("player", "banker"))
        return BetRequest(player, f"bet-{next(self.refs)}", spot, CENTS)

    def close(self, at: datetime) -> bool:
        self.house.clock.at = at
        assert self.house.advance(self.table).acted
        return True

    def send(
        self, log: RoundLog, some: list[BetRequest], clock: ToldClock, answers: defaultdict[str, Counter[str]]
    ) -> None:
        for at in range(0, len(some), 250):
            together = some[at : at + 250]
            for wish, came in zip(together, betting.place_many(log.pk, together, clock=clock), strict=True):
                said = "refused" if isinstance(came, Refused) else "repeated" if came.repeated else "done"
                answers[wish.ref][said] += 1
            self.sent += len(together)

    def judge(
        self, log: RoundLog, due: datetime, wishes: list[BetRequest], answers: defaultdict[str, Counter[str]]
    ) -> None:
        lines = LoggedAction.objects.filter(log=log).order_by("seq").values_list("seq", "at", "ref", "action__do")
        placed: defaultdict[str, list[tuple[int, datetime]]] = defaultdict(list)
        close = 0
        for seq, at, ref, do in lines:
            if do == "bet":
                placed[ref or ""].append((seq, at))
            if do == "close":
                close = seq
        for wish in wishes:
            said, there = answers[wish.ref], placed.get(refs.own_ref(f"p{wish.player}", wish.ref), [])  # type: ignore[arg-type]
            if said["done"] != len(there) or said["done"] > 1:
                self.violations.append(f"I6: {wish.ref} was answered {dict(said)} and stands in {len(there)} lines")
            if said["repeated"] and not there:
                self.violations.append(f"I6: {wish.ref} was answered {dict(said)} and lies nowhere")
            for seq, at in there:
                if seq > close or at >= due:
                    self.violations.append(f"I7: {wish.ref} lies behind the close, {at - due} after its time")
        stakes = Transfer.objects.filter(log=log, reason="stake").count()
        if stakes != sum(map(len, placed.values())):
            self.violations.append(f"I5: {stakes} stakes were moved, {sum(map(len, placed.values()))} bets stand there")
        self.violations += invariants.faults(by_the_audit=False)


# ── Built-in faults ─────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def no_deadline() -> Iterator[None]:
    """Whoever comes before the dealer is in time."""
    with broken.changed("in_time", lambda session: None, of=betting):
        yield


@contextmanager
def another_key() -> Iterator[None]:
    """Each copy comes under a key of its own."""
    numbers, own_ref = count(), refs.own_ref
    with broken.changed("own_ref", lambda bettor, ref: own_ref(bettor, f"{ref}-{next(numbers)}"), of=betting):
        yield


BROKEN: dict[str, Callable[[], AbstractContextManager[None]]] = {"no-deadline": no_deadline, "another-key": another_key}


def run(bets: int, seed: int, broken_by: str = "") -> dict[str, Any]:
    began = perf_counter()
    with BROKEN[broken_by]() if broken_by else nullcontext(), broken.changed("_send", lambda *_: None, of=announce):
        found = Deadline(Random(f"{seed}"))
        while found.bets < bets:
            found.round()
            if found.bets % 20_000 == 0:
                print(f"    {connection.vendor}: {found.bets:,} bets", file=sys.stderr, flush=True)
        found.violations += invariants.faults()
    return {
        "bets": found.bets, "sent": found.sent, "near": found.near, "violations": found.violations,
        "seconds": perf_counter() - began, "cpu": process_time(),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bets", type=int, default=50_000)
    parser.add_argument("--broken", choices=BROKEN, default="")
    wanted = parser.parse_args()
    print(json.dumps(run(wanted.bets, wanted.seed, wanted.broken)))


if __name__ == "__main__":
    main()
