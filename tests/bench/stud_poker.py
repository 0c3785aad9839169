"""The engine of Stud Poker by itself, on one core: rounds of four boxes, and two hands of five compared.

`python -m tests.bench.stud_poker` prints the medians; the bench runner imports the functions, a figure a run.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import cycle

from pokerkit import Card as KeptCard
from pokerkit import StandardHighHand

from tables.games import GAMES
from tables.games.contract.actions import Action, Chance, CloseBets, Draw, DrawCard, Meter, PlaceBet, Step
from tables.games.contract.round import Opening
from tables.games.stud_poker.bets import ANTE, JACKPOT
from tables.games.stud_poker.hands import ACE_KING, HAND, is_higher, qualifies, value_of
from tables.games.stud_poker.phases import Fold, Raise
from tables.games.stud_poker.round import StudPokerRound
from tables.games.values.cards import Card, pack

from .engine import shuffled, timed, told

ROUNDS = 500
COMPARISONS = 10_000
SEATS = {"ana": 1, "rui": 3, "lee": 4, "eva": 7}
STAKED_JACKPOT = ("ana", "lee")
BETS = len(SEATS) + len(STAKED_JACKPOT)
POOL = 500_000_00


# ── Through the engine ──────────────────────────────────────────────────────────────────────────────────────


def rounds_a_second(runs: int = 5, rounds: int = ROUNDS) -> list[float]:
    """Whole rounds, from the opening to the last prize, everything through `apply`; ace-king or better is raised."""
    game = GAMES["stud_poker"]
    options = game.options()
    deck = cycle(shuffled(1))  # any 25 cards in a row are of one deck

    def play() -> None:
        raised = 0
        for _ in range(rounds):
            round_ = game.opened(options, Opening(SEATS))
            assert isinstance(round_, StudPokerRound)
            round_ = _played(round_, deck)
            assert len({payout.bet for payout in round_.payouts()}) == BETS
            raised += sum(bool(box.raised) for box in round_.boxes)
        assert 0.3 < raised / (rounds * len(SEATS)) < 0.8, "nearly half of all hands are raised"

    return [rounds / took for took in timed(play, runs)]


def _played(round_: StudPokerRound, deck: Iterator[Card]) -> StudPokerRound:
    stake = round_.options.jackpot_stake
    for who, box in SEATS.items():
        round_ = round_.apply(PlaceBet(who, bet=who, spot=ANTE, amount=round_.options.min_ante, box=box))
        if who in STAKED_JACKPOT:
            round_ = round_.apply(PlaceBet(who, bet=f"{who}'s", spot=JACKPOT, amount=stake, box=box))
    round_ = round_.apply(CloseBets())
    while not round_.over:
        match round_.next_house_step():
            case Step(action):
                round_ = round_.apply(action)
            case Draw(Chance.POOL):
                round_ = round_.apply(Meter(pool=POOL))
            case Draw():
                round_ = round_.apply(DrawCard(card=next(deck)))
            case None:
                for action in _answers(round_):
                    round_ = round_.apply(action)
    return round_


def _answers(round_: StudPokerRound) -> Iterator[Action]:
    deal = round_.deal
    assert deal is not None
    for box in round_.asked:
        yield Raise(box.who) if value_of(deal.hand(box.number)) >= ACE_KING else Fold(box.who)


def bare_rounds_a_second(runs: int = 5, rounds: int = ROUNDS) -> list[float]:
    """The baseline: the same hands only dealt and compared, without a log, phases, stakes or words."""
    deck = cycle(shuffled(1))

    def play() -> None:
        for _ in range(rounds):
            hands = [[next(deck) for _ in range(HAND)] for _ in range(len(SEATS) + 1)]
            *bettors, dealer = map(value_of, hands)
            opens = qualifies(hands[-1])
            _ = [opens and hand > dealer for hand in bettors if hand >= ACE_KING]

    return [rounds / took for took in timed(play, runs)]


# ── Hands ───────────────────────────────────────────────────────────────────────────────────────────────────


def deals(count: int = COMPARISONS) -> list[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """So many pairs of hands of one deck, the same in every run."""
    found = []
    deck = pack(1)
    for at in range(count):
        number = int.from_bytes(sha256(str(at).encode()).digest(), "big")
        left, dealt = list(deck), []
        for _ in range(2 * HAND):
            number, place = divmod(number, len(left))
            dealt.append(left.pop(place))
        found.append((tuple(dealt[:HAND]), tuple(dealt[HAND:])))
    return found


def comparisons_a_second(runs: int = 5, count: int = COMPARISONS) -> list[float]:
    """Which of two hands is higher, from ten cards to the answer; suits decide."""
    pairs = deals(count)

    def compare() -> None:
        assert 0.4 < sum(is_higher(one, other) for one, other in pairs) / count < 0.6

    return [count / took for took in timed(compare, runs)]


def kept_comparisons_a_second(runs: int = 5, count: int = COMPARISONS) -> list[float]:
    """The baseline: the same hands by PokerKit, from ten of its cards to the answer; it knows no suits."""
    pairs = [(_kept(one), _kept(other)) for one, other in deals(count)]

    def compare() -> None:
        assert 0.4 < sum(StandardHighHand(one) > StandardHighHand(other) for one, other in pairs) / count < 0.6

    return [count / took for took in timed(compare, runs)]


def _kept(hand: tuple[Card, ...]) -> tuple[KeptCard, ...]:
    return tuple(KeptCard.parse("".join(map(str, hand))))


if __name__ == "__main__":
    print("a second, median of 5 runs (lowest to highest)")
    print("rounds of Stud Poker through apply", told(rounds_a_second()))
    print("  the same hands, bare            ", told(bare_rounds_a_second()))
    print("two hands compared                ", told(comparisons_a_second()))
    print("  by PokerKit                     ", told(kept_comparisons_a_second()))
