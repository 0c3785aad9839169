"""Invented rounds of all games, played twice: `python -m tests.records [--rounds N] [--seed N]`.

By the rules of the house, and by a second implementation of each game that shares nothing with them (figure 15). Rounds
are counted, not records: some of those cannot be played, and both have to say so. Prints each record that the two play
differently, and ends with status 1 if there is one.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count

from .anew_reading import by_the_rules, played
from .test_anew import GAMES

PART = 1_000
"""Records that a process plays at a time."""


def compare(seed: int, game: str, part: int) -> tuple[str, int, list[str]]:
    """The game, how many of the records of this part are rounds, and those that are not played alike."""
    rounds, different = 0, []
    for at in range(PART):
        record = GAMES[game].invented(f"{seed}.{part}.{at}")
        anew = played(record, GAMES[game].anew)
        rounds += anew != "error"
        if by_the_rules(record) != anew:
            different.append(json.dumps(record))
    return game, rounds, different


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=1_000_000, help="of all games together")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    processes = os.cpu_count() or 1
    rounds, different = Counter[str](), Counter[str]()
    with ProcessPoolExecutor(processes) as pool:
        for part in count():
            for game, found, wrong in pool.map(partial(compare, wanted.seed, part=part), GAMES):
                rounds[game] += found
                different[game] += len(wrong)
                print(*wrong, sep="\n", end="\n" if wrong else "", flush=True)
            if rounds.total() >= wanted.rounds:
                break
    for game in GAMES:
        print(f"{game}: {rounds[game]:,} rounds, {different[game]:,} differences")
    print(f"together: {rounds.total():,} rounds, {different.total():,} differences")
    raise SystemExit(bool(different.total()))


if __name__ == "__main__":
    main()
