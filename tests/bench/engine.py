"""The engine by itself, on one core: rounds of Baccarat through `apply`, and public records through `replay`.

`python -m tests.bench.engine` prints the medians; the bench runner imports the functions, which give one figure a run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import cycle
from statistics import median
from time import perf_counter

from tables.games import GAMES
from tables.games.contract.actions import CloseBets, Draw, DrawCard, PlaceBet, Step
from tables.games.contract.round import Opening, Round
from tables.games.record import outcome_line
from tables.games.values.cards import RANKS, Card, pack

ROUNDS = 2_000
RECORDS = 5_000
BETS = (
    ("ana", "player", 10_00, 2),
    ("rui", "banker", 20_00, 5),
    ("rui", "tie", 5_00, 5),
    ("lee", "banker", 10_00, None),
    ("lee", "player_pair", 5_00, None),
    ("eva", "tie", 1_00, None),
)
SEATS = {"ana": 2, "rui": 5}


def shuffled(decks: int = 8) -> list[Card]:
    """A pack in an order that is the same in every run and still looks like none."""
    order = sorted(range(decks * 52), key=lambda at: sha256(str(at).encode()).digest())
    cards = pack(decks)
    return [cards[at] for at in order]


def rounds_a_second(runs: int = 5, rounds: int = ROUNDS) -> list[float]:
    """Whole rounds with six bets, from the opening to the payouts, everything through `apply`."""
    game, options = GAMES["baccarat"], GAMES["baccarat"].options()
    shoe = cycle(shuffled())

    def play() -> None:
        for _ in range(rounds):
            paid = _played(game.opened(options, Opening(SEATS)), shoe).payouts()
            assert len(paid) == len(BETS)

    return [rounds / took for took in timed(play, runs)]


def _played(round_: Round, shoe: Iterator[Card]) -> Round:
    for at, (who, spot, amount, box) in enumerate(BETS):
        round_ = round_.apply(PlaceBet(who, bet=str(at), spot=spot, amount=amount, box=box))
    round_ = round_.apply(CloseBets())
    while not round_.over:
        match round_.next_house_step() or round_.on_timeout():
            case Step(action):
                round_ = round_.apply(action)
            case Draw():
                round_ = round_.apply(DrawCard(card=next(shoe)))
    return round_


def bare_rounds_a_second(runs: int = 5, rounds: int = ROUNDS) -> list[float]:
    """The baseline: the same cards by the shortest arithmetic, without a log, phases, stakes or words."""
    worth = {rank: min(pips, 10) % 10 for pips, rank in enumerate(RANKS, start=1)}
    shoe = cycle([worth[card.rank] for card in shuffled()])

    def play() -> None:
        for _ in range(rounds):
            first, second, third, fourth = next(shoe), next(shoe), next(shoe), next(shoe)
            player, banker = (first + third) % 10, (second + fourth) % 10
            drawn = None
            if player < 8 and banker < 8:
                if player < 6:
                    drawn = next(shoe)
                    player = (player + drawn) % 10
                if banker < 6 if drawn is None else banker < 3 or drawn in _AGAINST.get(banker, ()):
                    banker = (banker + next(shoe)) % 10
            _ = (player > banker, player == banker)

    return [rounds / took for took in timed(play, runs)]


_AGAINST = {3: {0, 1, 2, 3, 4, 5, 6, 7, 9}, 4: {2, 3, 4, 5, 6, 7}, 5: {4, 5, 6, 7}, 6: {6, 7}}


def records(count: int = RECORDS) -> list[bytes]:
    """So many different records of six bets, as lines of a file."""
    shoe = cycle(shuffled())
    bets = [
        {"id": str(at), "by": who, "spot": spot, "amount": amount} | ({"box": box} if box else {})
        for at, (who, spot, amount, box) in enumerate(BETS)
    ]
    return [
        json.dumps(
            {"game": "baccarat", "seats": SEATS, "bets": bets, "chance": [str(next(shoe)) for _ in range(6)]}
        ).encode()
        for _ in range(count)
    ]


def records_a_second(runs: int = 5, count: int = RECORDS) -> list[float]:
    """Records from a line of JSON to the line of their outcome, as `manage.py replay` does once it has started."""
    lines = records(count)

    def replay() -> None:
        assert all(outcome_line(line)[0] for line in lines)

    return [count / took for took in timed(replay, runs)]


def bare_records_a_second(runs: int = 5, count: int = RECORDS) -> list[float]:
    """The baseline: the same lines only parsed and written again."""
    lines = records(count)

    def parse() -> None:
        for line in lines:
            json.dumps(json.loads(line))

    return [count / took for took in timed(parse, runs)]


def timed(work: Callable[[], None], runs: int) -> list[float]:
    """The seconds that each run takes, after one that does not count."""
    work()
    took = []
    for _ in range(runs):
        began = perf_counter()
        work()
        took.append(perf_counter() - began)
    return took


def told(figures: Sequence[float]) -> str:
    return f"{median(figures):>10,.0f}  ({min(figures):,.0f} to {max(figures):,.0f})"


if __name__ == "__main__":
    print("a second, median of 5 runs (lowest to highest)")
    print("rounds of Baccarat through apply", told(rounds_a_second()))
    print("  the same cards, bare          ", told(bare_rounds_a_second()))
    print("records replayed                ", told(records_a_second()))
    print("  the same lines, only parsed   ", told(bare_records_a_second()))
