"""The engine of Blackjack by itself, on one core: rounds of three boxes, in which people hit, double and split.

`python -m tests.bench.blackjack` prints the medians; the bench runner imports the functions, a figure a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle

from tables.games import GAMES
from tables.games.blackjack.hands import VALUES, points
from tables.games.blackjack.options import MARKET_2009
from tables.games.blackjack.phases import Double, Hit, InHand, Phase, Split, Stand
from tables.games.blackjack.round import BlackjackRound
from tables.games.contract.actions import Action, CloseBets, Draw, DrawCard, PlaceBet, Ready, Step
from tables.games.contract.round import Opening
from tables.games.shared.options import read_options
from tables.games.values.cards import Card

from .engine import shuffled, timed, told

ROUNDS = 500
BETS = (("ana", 1, 10_00), ("ana", 2, 20_00), ("rui", 3, 10_00))
SEATS = {"ana": 1, "rui": 3}
SPLIT = frozenset("A8732")
"""Pairs that the players of the bench split. They double 10 and 11, and draw below 16 and on a soft 17 or less."""


# ── Through the engine ──────────────────────────────────────────────────────────────────────────────────────


def rounds_a_second(runs: int = 5, rounds: int = ROUNDS) -> list[float]:
    """Whole rounds, from the opening to the last payment, everything through `apply`; some ten decisions in each."""
    game = GAMES["blackjack"]
    options = read_options(game.options, dict(MARKET_2009))
    shoe = cycle(shuffled(6))

    def play() -> None:
        laid = 0
        for _ in range(rounds):
            round_ = game.opened(options, Opening(SEATS))
            assert isinstance(round_, BlackjackRound)
            laid += sum(payout.stake for payout in _played(round_, shoe).payouts())
        assert laid > 1.1 * rounds * sum(amount for *_, amount in BETS), "nobody splits or doubles"

    return [rounds / took for took in timed(play, runs)]


def _played(round_: BlackjackRound, shoe: Iterator[Card]) -> BlackjackRound:
    for at, (who, box, amount) in enumerate(BETS):
        round_ = round_.apply(PlaceBet(who, bet=str(at), spot="main", amount=amount, box=box))
    round_ = round_.apply(CloseBets())
    while not round_.over:
        match round_.next_house_step():
            case Step(action):
                round_ = round_.apply(action)
            case Draw():
                round_ = round_.apply(DrawCard(card=next(shoe)))
            case None:
                round_ = round_.apply(_answer(round_))
    return round_


def _answer(round_: BlackjackRound) -> Action:
    if round_.phase is Phase.EARLY_WINDOW:
        return next(Ready(who) for who in SEATS if round_.default_for(who) is not None)
    acting = round_.acting
    assert acting is not None
    box, at = acting
    hand, who = box.hands[at], box.deciders[0]
    kinds: dict[str, type[InHand]] = {"split": Split, "double": Double, "hit": Hit, "stand": Stand}
    faces = [card.rank for card in hand.cards]
    return kinds[_choice(faces, *points(hand.cards), len(box.hands), hand.split)](who, box=box.number, hand=at)


def _choice(ranks: list[str], total: int, soft: bool, hands: int, split: bool) -> str:
    if len(ranks) == 2:
        if ranks[0] == ranks[1] and ranks[0] in SPLIT and hands < 4 and not (split and ranks[0] == "A"):
            return "split"
        if total in (10, 11):
            return "double"
    return "hit" if total < 16 or (soft and total < 18) else "stand"


# ── Bare ────────────────────────────────────────────────────────────────────────────────────────────────────


def bare_rounds_a_second(runs: int = 5, rounds: int = ROUNDS) -> list[float]:
    """The baseline: the same cards and decisions by the shortest arithmetic, without a log, phases, stakes or words."""
    ranks = cycle([card.rank for card in shuffled(6)])

    def draw() -> str:
        return next(ranks)

    def play() -> None:
        for _ in range(rounds):
            firsts = [draw() for _ in BETS]
            bank = [draw()]
            totals = [_bare_box(first, draw(), draw) for first in firsts]
            bank.append(draw())
            while _bare_points(bank)[0] < 17:
                bank.append(draw())
            against = _bare_points(bank)[0]
            _ = [total <= 21 and (against > 21 or total > against) for box in totals for total in box]

    return [rounds / took for took in timed(play, runs)]


def _bare_points(ranks: list[str]) -> tuple[int, bool]:
    total = sum(VALUES[rank] for rank in ranks)
    return (total + 10, True) if total < 12 and "A" in ranks else (total, False)


def _bare_box(first: str, second: str, draw: Callable[[], str]) -> list[int]:
    """The totals of the hands of one box."""
    hands, split = [[first, second]], False
    totals: list[int] = []
    while len(totals) < len(hands):
        at = len(totals)
        hand = hands[at]
        if len(hand) == 1:
            hand.append(draw())
        chosen = "stand"
        while (total := _bare_points(hand)[0]) < 21 and not (split and hand[0] == "A"):
            chosen = _choice(hand, *_bare_points(hand), len(hands), split)
            if chosen == "split":
                split = True
                hands[at : at + 1] = [[hand[0], draw()], [hand[1]]]
                hand = hands[at]
                continue
            if chosen == "stand":
                break
            hand.append(draw())
            if chosen == "double":
                break
        totals.append(_bare_points(hand)[0] if chosen == "double" else total)
    return totals


if __name__ == "__main__":
    print("a second, median of 5 runs (lowest to highest)")
    print("rounds of Blackjack through apply", told(rounds_a_second()))
    print("  the same cards, bare           ", told(bare_rounds_a_second()))
