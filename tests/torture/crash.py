"""The crash enumerator: a process dies at each point of each deed that moves money (A3, A4).

    python -m tests.torture.crash [--every N] [--seed N] [--broken NAME] [--game NAME]

A point is before a statement, before COMMIT, right after it, or once it has answered. A process of its own does the
deed and kills itself there. What is in the database then must be all of the deed or nothing; nothing only if nobody
was told that it is done. If all, whoever repeats it (under the same key; for a dealer, another dealer) is answered so,
and nothing changes. Then everything is as it was before, and the next point comes, until the deed goes through.

After each deed all invariants are reckoned anew, and the evening ends with the same balances as one without crashes.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from time import perf_counter
from typing import Any

import django

django.setup()

from django.db import connection  # noqa: E402

from tables.base.transactions import unit_of_work  # noqa: E402
from tables.games import GAMES  # noqa: E402
from tests.house.processes import Process, Tripwire, WorkError  # noqa: E402

from . import broken, invariants  # noqa: E402
from .evenings import Deed, Evening  # noqa: E402
from .place import Place, here  # noqa: E402

Door = Callable[[Deed, Callable[[str], None]], None]
"""How somebody asks for a deed, and is answered."""


def answers_after(deed: Deed, say: Callable[[str], None]) -> None:
    say(deed.do())


def answers_before_commit(deed: Deed, say: Callable[[str], None]) -> None:
    with unit_of_work():
        say(deed.do())


BROKEN: dict[str, tuple[Callable[[], AbstractContextManager[None]], Door]] = {
    "money-by-itself": (broken.money_by_itself, answers_after),
    "another-key": (broken.another_key_each_time, answers_after),
    "hasty-answer": (nullcontext, answers_before_commit),
}


@dataclass
class Crashes:
    """What was found so far."""

    place: Place
    door: Door = answers_after
    every: int = 1
    seed: int = 0
    points: int = 0
    deeds: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)

    def evening(self, game: str) -> None:
        """All points of all deeds of an evening, or each `every`-th from a place that `seed` chooses, after one that
        nobody interrupts; nothing of it stays."""
        calm = Evening(game)
        for deed in calm.deeds():
            assert (said := deed.do()) == "done", f"{game}, {deed.name}: {said}"
        ended = calm.ended()
        self.place.restore("fresh")

        rough = Evening(game)
        for deed in rough.deeds():
            self.die_over(rough, deed)
        if rough.ended() != ended:
            self.violations.append(f"{game}: the evening ended with other balances: {rough.ended()}, not {ended}")

    def die_over(self, evening: Evening, deed: Deed) -> None:
        before, credentials = self.place.state(), evening.credentials()
        self.place.keep("before")
        for at in count(1 + (self.seed + self.deeds.total()) % self.every, self.every):
            alive, said = self.die_at(at, deed)
            after = self.place.state()
            found = self.judge(deed, said, alive=alive, changed=after != before)
            self.violations += [f"{evening.game}, {deed.name}, point {at}: {fault}" for fault in found]
            if alive and not found:
                break
            if after != before or found:
                self.place.restore("before")
                evening.put_back(credentials)
            if alive:
                assert deed.do() == "done"  # it went wrong, and the evening goes on
                break
            self.points += 1
            self.deeds[deed.name] += 1

    def die_at(self, point: int, deed: Deed) -> tuple[bool, str]:
        """Whether a process lived through the deed that was to die at this point of it, and what it had answered."""
        heard, said = os.pipe()
        work = partial(
            Tripwire(point).strung, partial(self.door, deed, lambda text: void(os.write(said, text.encode())))
        )
        process = Process(work)
        os.close(said)
        alive = process.wait()
        answer = os.read(heard, 4096).decode()
        os.close(heard)
        try:
            if alive:
                process.told()
        except WorkError as error:
            answer = str(error)
        finally:
            process.clean_up()
        return alive, answer

    def judge(self, deed: Deed, said: str, *, alive: bool, changed: bool) -> list[str]:
        """Everything that is wrong after a process has died, or not."""
        if not changed:
            return [f"I6: {said!r} was answered, and nothing is there"] if said or alive else []
        if said not in ("", "done"):
            return [f"I6: {said!r} was answered, and something is there"]
        found = invariants.faults()
        if found or deed.again is None:
            return found
        kept = self.place.state()
        again = deed.repeated()
        now = self.place.state()
        if deed.again != "stale" and now != kept:  # a dealer's heir has signed for the table
            return [f"I6: done a second time, and answered {again!r}"]
        return [] if again == deed.again else [f"I6: {again!r} was answered the second time, not {deed.again!r}"]


def void(_: object) -> None:
    """Nothing."""


def run(games: list[str], broken_by: str = "", every: int = 1, seed: int = 0) -> dict[str, Any]:
    """All evenings of these games; what was found."""
    fault, door = BROKEN[broken_by] if broken_by else (nullcontext, answers_after)
    place = here()
    place.keep("fresh")
    crashes, began = Crashes(place, door, every, seed), perf_counter()
    for game in games:
        known = crashes.points, len(crashes.violations)
        with fault():
            crashes.evening(game)
        points, wrong = crashes.points - known[0], len(crashes.violations) - known[1]
        rate = crashes.points / (perf_counter() - began)
        print(f"    {connection.vendor}, {game}: {points} points, {wrong} violations ({rate:.1f} points a second)",
              file=sys.stderr, flush=True)  # fmt: skip
        place.restore("fresh")
    return {
        "points": crashes.points,
        "deeds": dict(crashes.deeds),
        "violations": crashes.violations,
        "seconds": perf_counter() - began,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--every", type=int, default=1, help="point of a deed alone that comes after so many")
    parser.add_argument("--seed", type=int, default=1, help="says which those are")
    parser.add_argument("--broken", choices=BROKEN, default="")
    parser.add_argument("--game", choices=GAMES, action="append")
    wanted = parser.parse_args()
    print(json.dumps(run(wanted.game or list(GAMES), wanted.broken, wanted.every, wanted.seed)))


if __name__ == "__main__":
    main()
