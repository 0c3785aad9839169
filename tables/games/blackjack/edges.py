"""What the house keeps of each bet in Blackjack: the side bets exactly, the main bet by the published figures.

A box is dealt from whole decks, as by the machine; a shoe deviates from that as its cards go, not on average. Rulebook,
section 11.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import perm
from typing import NamedTuple

from tables.games.values.cards import RANKS
from tables.games.values.expectation import LOST, Edge, edge_of, won

from .bets import ANY_PAIR, INSURANCE, OVER_UNDER, SEVENS, SPOTS
from .betting import is_sold
from .hands import VALUES
from .options import DoubleRule, Loss, Options, PairsPaid, PrizeMode, SplitRank

Ends = Iterable[tuple[Fraction, int]]


def edges(options: Options) -> Mapping[str, Edge]:
    """The edge of each spot that is sold and of which a figure is known."""
    found = {spot: _edge(options, spot) for spot in SPOTS if is_sold(options, spot)}
    return {spot: edge for spot, edge in found.items() if edge is not None}


def _edge(options: Options, spot: str) -> Edge | None:
    match spot:
        case "main":
            return _main(options)
        case "sevens":
            return edge_of(_sevens(options.decks))
        case "any_pair":
            return _any_pair(options)
        case _:
            return edge_of(_over_under(spot, options.decks))


# ── The main bet ────────────────────────────────────────────────────────────────────────────────────────────


class Rules(NamedTuple):
    """What of the options makes the main bet better or worse; as they stand here it is the regulation to the letter,
    without its two extras."""

    decks: int = 6
    double_rule: DoubleRule = DoubleRule.ANY_TWO
    doubles: Loss = Loss.ORIGINAL_ONLY
    splits: Loss = Loss.ALL
    resplit_aces: bool = False
    special_prize: bool = False
    five_cards: bool = False


PER_CENT: Mapping[Rules, str] = {
    Rules(splits=Loss.ORIGINAL_ONLY): "0.167",
    Rules(splits=Loss.ORIGINAL_ONLY, resplit_aces=True): "0.099",
    Rules(): "0.191",
    Rules(resplit_aces=True): "0.121",
    Rules(doubles=Loss.ALL): "0.267",
    Rules(special_prize=True): "0.120",
    Rules(five_cards=True): "-0.516",
    Rules(special_prize=True, five_cards=True): "-0.581",
    Rules(8, special_prize=True, five_cards=True): "-0.565",
    Rules(double_rule=DoubleRule.ELEVEN_ONLY): "0.957",
    Rules(8): "0.210",
    Rules(1): "-0.255",
}
"""The house's share of a main stake, with the basic strategy for each set of rules."""

STANDARD_ERROR, ROUNDS = Fraction("0.000036"), 10**9
"""Of each of these figures, and the rounds that it was found in: so much a round deviates."""

SPLIT_HANDS = 4
"""Hands of a box in all of these sets of rules."""


def _main(options: Options) -> Edge | None:
    """The published figure, where there is one. No basic strategy splits tens, insures a stake or takes even money: the
    options of these change nothing."""
    if options.max_split_hands != SPLIT_HANDS or not options.resplit_allowed:
        return None
    if options.special_prize_offered and options.special_prize_mode is not PrizeMode.FINAL:
        return None
    rules = Rules(
        options.decks,
        options.double_rule,
        options.double_loss_on_bank_blackjack,
        options.split_loss_on_bank_blackjack,
        options.resplit_aces,
        options.special_prize_offered,
        options.five_card_claim_offered,
    )
    if rules not in PER_CENT:
        return None
    return Edge(Fraction(PER_CENT[rules]) / 100, STANDARD_ERROR**2 * ROUNDS, exact=False)


def insurance_edge(options: Options) -> Edge:
    """Of an insurance, by whoever knows no card but the bank's ace (12): it wins if the bank's next card counts ten."""
    tens = 4 * options.decks * sum(VALUES[rank] == 10 for rank in RANKS)
    return edge_of([(won(INSURANCE), tens), (LOST, 52 * options.decks - 1 - tens)])


# ── Side bets on the first cards ────────────────────────────────────────────────────────────────────────────


@cache
def _over_under(spot: str, decks: int) -> Ends:
    """The sum of the first two cards, exactly 13 losing both ways (13(3), R13)."""
    held = Counter(VALUES[rank] for rank in RANKS)
    ends = Counter[Fraction]()
    for one, other in product(held, repeat=2):
        total = one + other
        wins = total > 13 if spot == "over_13" else total < 13
        ways = 4 * decks * held[one] * (4 * decks * held[other] - (one == other))
        ends[won(OVER_UNDER) if wins else LOST] += ways
    return tuple(ends.items())


@cache
def _sevens(decks: int) -> Ends:
    """The first three cards of a box (13(2), 14(2)); two sevens are always drawn to, or split, which is best for the
    bet."""
    of_suit, of_suits, others = perm(decks, 2) * 4, perm(4 * decks, 2) - perm(decks, 2) * 4, 48 * decks
    three_of_suit = perm(decks, 3) * 4
    ends = [
        (won(SEVENS[2, True]), of_suit * others),
        (won(SEVENS[2, False]), of_suits * others),
        (won(SEVENS[3, True]), three_of_suit),
        (won(SEVENS[3, False]), perm(4 * decks, 3) - three_of_suit),
    ]
    return (*ends, (LOST, perm(52 * decks, 3) - sum(many for _, many in ends)))


# ── Any pair ────────────────────────────────────────────────────────────────────────────────────────────────

MANY_HANDS = 12
"""With more hands of a box than this it would take too long to follow all pairs that may come of one."""


def _any_pair(options: Options) -> Edge | None:
    """By the first two cards alone, or with every pair that comes of a split (13(1)(2), R14): every pair is split as
    often as it may be, which is best for the bet. Where tens of different ranks are split again too, nobody has counted
    what comes of it."""
    if options.any_pair_after_split is PairsPaid.FIRST_TWO:
        return _pairs(options.decks, None, None)
    if options.max_split_hands > MANY_HANDS:
        return None
    if options.split_rank_rule is SplitRank.SAME_VALUE and options.resplit_allowed:
        return None
    again = options.max_split_hands - 2
    return _pairs(options.decks, again if options.resplit_allowed else 0, again if options.resplit_aces else 0)


@lru_cache(maxsize=64)
def _pairs(decks: int, again: int | None, aces_again: int | None) -> Edge:
    """How often a pair, and one of aces, may be split again after its first split; None if only the first pair pays."""
    equal, others = 4 * decks - 1, 52 * decks - 1
    paid = won(ANY_PAIR)
    ends = defaultdict[Fraction, Fraction](Fraction, {LOST: Fraction(others - equal, others)})
    for ranks, free in ((len(RANKS) - 1, again), (1, aces_again)):
        further = {0: Fraction(1)} if free is None else _further(equal - 1, others - 1, free, 2)
        for pairs, chance in further.items():
            ends[paid * (1 + pairs)] += Fraction(equal, others) * Fraction(ranks, len(RANKS)) * chance
    return edge_of(ends.items())


@lru_cache(maxsize=4096)
def _further(equal: int, left: int, free: int, pending: int) -> Mapping[int, Fraction]:
    """How likely it is that so many more pairs come of `pending` split hands that still get their second card, with
    `equal` cards of their rank among `left`; the first `free` pairs are split again, each into two such hands."""
    if not (pending and equal):
        return {0: Fraction(1)}
    found = defaultdict[int, Fraction](Fraction)
    paired = Fraction(equal, left)
    split = free > 0
    for pairs, chance in _further(equal - 1, left - 1, free - split, pending + (1 if split else -1)).items():
        found[1 + pairs] += paired * chance
    for pairs, chance in _further(equal, left - 1, free, pending - 1).items():
        found[pairs] += (1 - paired) * chance
    return found
