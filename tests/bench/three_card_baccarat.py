"""The engine of 3-Card Baccarat by itself, on one core: rounds of four places.

`python -m tests.bench.three_card_baccarat` prints the medians; the bench runner imports the functions, a figure a run.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

from tables.games import GAMES
from tables.games.contract.actions import CloseBets, Draw, DrawCard, PlaceBet, Step
from tables.games.contract.round import Opening, Round
from tables.games.values.cards import RANKS, Card

from .engine import shuffled, timed, told

ROUNDS = 500
SEATS = {"ana": 1, "rui": 3, "lee": 4, "eva": 7}
BETS: tuple[tuple[str, str, int, int | None], ...] = (
    *((who, "place", 10_00, place) for who, place in SEATS.items()),
    ("ana", "tie", 1_00, 1),
    ("rui", "odd", 5_00, None),
    ("eva", "points_7", 1_00, None),
)
DECKS = 6


def rounds_a_second(runs: int = 5, rounds: int = ROUNDS) -> list[float]:
    """Whole rounds with seven bets, from the opening to the payouts, everything through `apply`."""
    game = GAMES["three_card_baccarat"]
    options = game.options(decks=DECKS)
    shoe = cycle(shuffled(DECKS))

    def play() -> None:
        for _ in range(rounds):
            paid = _played(game.opened(options, Opening(SEATS, first_round=True)), shoe).payouts()
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
    shoe = cycle([card.rank for card in shuffled(DECKS)])

    def hand() -> tuple[int, int]:
        ranks = [next(shoe), next(shoe), next(shoe)]
        courts = sum(rank in "JQK" for rank in ranks)
        return (10, 0) if courts == 3 else (sum(worth[rank] for rank in ranks) % 10, courts)

    def play() -> None:
        for _ in range(rounds):
            places = [hand() for _ in SEATS]
            banker = hand()
            _ = [(place > banker, place == banker) for place in places], banker[0] % 2

    return [rounds / took for took in timed(play, runs)]


if __name__ == "__main__":
    print("a second, median of 5 runs (lowest to highest)")
    print("rounds of 3-Card Baccarat through apply", told(rounds_a_second()))
    print("  the same cards, bare                 ", told(bare_rounds_a_second()))
