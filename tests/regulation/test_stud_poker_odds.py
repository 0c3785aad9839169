"""The exact figures of Stud Poker (rulebook, section 12), with suits: no hand is simulated and none left out.

Hands are counted by class: the ranks of the five cards, and whether they are of one suit. What a class is worth but
for the suit that breaks a tie, `value_of` says for one hand of it (that this holds for all, `test_stud_poker_hands`
shows). How many hands of the dealer avoid the bettor's cards follows from how many hold some of them (inclusion and
exclusion), so the 3,986,646,103,440 pairs of hands are added up in a second or two.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations, combinations_with_replacement, cycle, product
from math import comb

import pytest

from tables.games.edges import Edge, edges_of
from tables.games.stud_poker.edges import BEATEN, BEATS, FOLDED, UNQUALIFIED
from tables.games.stud_poker.hands import ACE_KING, CARD_VALUES, SUIT_VALUES, Rank, Value, value_of
from tables.games.stud_poker.jackpot import awarded
from tables.games.stud_poker.options import Options
from tables.games.stud_poker.settling import raise_odds
from tables.games.values.cards import SUITS, Card, card, cards, pack
from tests.kit import article

RANKS = "".join(sorted(CARD_VALUES))
"""In an order in which texts are easily sorted; what a rank is worth does not matter here."""

Key = tuple[int, tuple[int, ...]]
"""A value without its suit: strength and keys."""

QUALIFYING: Key = ACE_KING[:2]
HANDS = comb(52, 5)
PAIRS = HANDS * comb(47, 5)
WITH_OPEN_CARD = PAIRS * 5
"""Each of the dealer's five cards may be the open one."""

# ── Classes of hands, and how many hold certain cards ───────────────────────────────────────────────────────


@cache
def key_of(ranks: str, suited: bool) -> Key:
    """What hands of this class are worth but for the suit that breaks a tie."""
    suits = SUITS[0] if suited else SUITS
    return value_of([Card(rank, suit) for rank, suit in zip(ranks, cycle(suits), strict=False)])[:2]


@cache
def multisets(size: int) -> list[str]:
    """All ranks that so many cards of one deck can have."""
    found = map("".join, combinations_with_replacement(RANKS, size))
    return [ranks for ranks in found if max(map(ranks.count, ranks), default=0) <= len(SUITS)]


def ways(ranks: str, beside: str = "") -> int:
    """In how many ways cards of these ranks can be chosen from a deck without some of the ranks `beside`."""
    found = 1
    for rank in set(ranks):
        found *= comb(len(SUITS) - beside.count(rank), ranks.count(rank))
    return found


@dataclass(frozen=True, slots=True)
class Holding:
    """All hands that hold certain cards, by what they are worth."""

    keys: list[Key]
    up_to: list[int]
    unqualified: int

    def below(self, key: Key) -> int:
        return self.up_to[bisect_left(self.keys, key)]

    def at_most(self, key: Key) -> int:
        return self.up_to[bisect_right(self.keys, key)]


@cache
def holding(ranks: str, suited: bool) -> Holding:
    """The hands that hold certain cards of these ranks, which are of one suit or not."""
    found: Counter[Key] = Counter()
    for rest in multisets(5 - len(ranks)):
        whole = "".join(sorted(ranks + rest))
        flushes = 0
        if suited and len(set(whole)) == 5:
            flushes = 1 if ranks else len(SUITS)
            found[key_of(whole, True)] += flushes
        if mixed := ways(rest, beside=ranks) - flushes:
            found[key_of(whole, False)] += mixed
    keys = sorted(found)
    up_to = [0, *accumulate(found[key] for key in keys)]
    return Holding(keys, up_to, up_to[bisect_left(keys, QUALIFYING)])


def parts(ranks: str) -> Iterator[tuple[str, str]]:
    """All ranks that some of a hand's cards can have, and those of the others."""
    each = {rank: ranks.count(rank) for rank in ranks}
    for taken in product(*(range(count + 1) for count in each.values())):
        counts = list(zip(each.items(), taken, strict=True))
        yield "".join(r * many for (r, _), many in counts), "".join(r * (of - many) for (r, of), many in counts)


def held_by(ranks: str, suited: bool) -> list[tuple[int, Holding]]:
    """The cards that hands of this class hold, each with the hands of the dealer that hold them too, and a weight.

    Added up with their weights these are the dealer's hands without a card of the bettor's, for all hands of the class.
    """
    terms = []
    for part, rest in parts(ranks):
        sign = -1 if len(part) % 2 else 1
        distinct = len(set(part)) == len(part)
        of_one_suit = (len(SUITS) if part else 1) if distinct else 0
        whole_flush = (1 if part else len(SUITS)) if len(set(ranks)) == 5 else 0
        completed = whole_flush if suited else ways(rest, beside=part) - whole_flush
        if of_one_suit:
            terms.append((sign * of_one_suit * completed, holding(part, True)))
        mixed = ways(part) - of_one_suit
        if mixed and not suited:
            terms.append((sign * mixed * ways(rest, beside=part), holding(part, False)))
    return terms


# ── What becomes of a raise, by the bettor's class ──────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Pairs of hands: the dealer's not qualified, lower, higher, of the same key."""

    unqualified: int = 0
    won: int = 0
    lost: int = 0
    equal: int = 0

    def __add__(self, other: Outcomes) -> Outcomes:
        return Outcomes(
            self.unqualified + other.unqualified, self.won + other.won, self.lost + other.lost, self.equal + other.equal
        )

    @property
    def all(self) -> int:
        return self.unqualified + self.won + self.lost + self.equal


@cache
def by_class() -> dict[tuple[str, bool], Outcomes]:
    """For every class of the bettor's hand, what the dealer's can be."""
    found = {}
    for ranks in multisets(5):
        for suited in (False, True) if len(set(ranks)) == 5 else (False,):
            key, terms = key_of(ranks, suited), held_by(ranks, suited)
            qualified_from = max(key, QUALIFYING)
            unqualified = sum(weight * held.unqualified for weight, held in terms)
            below = sum(weight * held.below(qualified_from) for weight, held in terms)
            up_to = sum(weight * held.at_most(key) for weight, held in terms) if key >= QUALIFYING else below
            total = sum(weight * held.up_to[-1] for weight, held in terms)
            found[ranks, suited] = Outcomes(unqualified, below - unqualified, total - up_to, up_to - below)
    return found


def by_rank() -> dict[Rank, Outcomes]:
    found: dict[Rank, Outcomes] = {}
    for (ranks, suited), outcomes in by_class().items():
        rank = Value(*key_of(ranks, suited), 0).rank
        found[rank] = found.get(rank, Outcomes()) + outcomes
    return found


@pytest.mark.in_full
def test_the_classes_are_all_hands_and_all_pairs_of_hands() -> None:
    assert holding("", True).up_to[-1] == HANDS == 2_598_960
    assert holding("A", True).up_to[-1] == comb(51, 4)
    assert holding("AK", False).up_to[-1] == holding("AK", True).up_to[-1] == comb(50, 3)
    assert sum(outcomes.all for outcomes in by_class().values()) == PAIRS == 3_986_646_103_440


TABLE = {
    # dealer not qualified, bettor wins, dealer wins by ranks, and each half of those that a suit decides
    Rank.ONE_PAIR: (732_583_278_000, 464_948_464_320, 487_071_772_560, 14_826_240),
    Rank.TWO_PAIRS: (81_513_938_520, 97_602_427_872, 10_404_494_280, 185_328),
    Rank.THREE_OF_A_KIND: (35_762_960_520, 46_848_581_664, 1_620_116_184, 0),
    Rank.STRAIGHT: (6_795_675_528, 8_761_103_220, 86_930_052, 1_234_500),
    Rank.FLUSH: (3_441_266_448, 4_371_398_056, 22_680_584, 7_662),
    Rank.FULL_HOUSE: (2_411_292_240, 3_324_895_056, 6_880_320, 0),
    Rank.FOUR_OF_A_KIND: (390_529_440, 566_487_160, 161_336, 0),
    Rank.STRAIGHT_FLUSH: (23_835_156, 31_385_944, 596, 54),
    Rank.ROYAL_FLUSH: (2_783_796, 3_351_948, 0, 6),
}


@article("61/2004", "9(2)")
@article("61/2004", "9(4)")
@article("61/2004", "9(5)")
@pytest.mark.parametrize("rank", TABLE)
def test_what_becomes_of_a_raise_with_each_hand(rank: Rank) -> None:
    """Equal ranks: with the two hands exchanged the other one wins, so a suit decides half of them for the bettor."""
    unqualified, won, lost, each = TABLE[rank]
    assert by_rank()[rank] == Outcomes(unqualified, won, lost, 2 * each)


def test_the_pairs_of_hands_that_only_a_suit_decides() -> None:
    """Unordered, as the rulebook counts them."""
    ties = {rank: outcomes.equal // 2 for rank, outcomes in by_rank().items() if rank is not Rank.FIVE_ODD_CARDS}
    assert ties == {rank: each for rank, (*_, each) in TABLE.items()}
    assert by_rank()[Rank.ONE_PAIR].equal == 2 * 14_826_240


@article("61/2004", "9(1)")
def test_how_often_the_dealer_qualifies() -> None:
    qualifying = HANDS - holding("", True).unqualified
    assert qualifying == 1_463_700
    assert f"{100 * qualifying / HANDS:.5f}" == "56.31868"
    ace_king = holding("", True).below((1, ())) - holding("", True).unqualified
    assert (ace_king, f"{ace_king / HANDS:.8f}") == (167_280, "0.06436421")


# ── Ace-king with one card of the dealer's known ────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Situation:
    """An ace-king hand of the bettor beside the dealer's open card, and what the other four can make of it.

    `many` is how many such hands and open cards there are; of `equal` hands `equal_won` have the lower ace.
    """

    ranks: str
    open: str
    many: int
    unqualified: int
    won: int
    equal_won: int
    equal_lost: int

    @property
    def lost(self) -> int:
        return REST - self.unqualified - self.won - self.equal_won - self.equal_lost

    def gain(self, *, suits: bool) -> int:
        """Antes that a raise wins in all of them together (at 1 to 1); with `suits` off, equal hands push."""
        ties = 3 * (self.equal_won - self.equal_lost) if suits else 0
        return self.unqualified + 3 * (self.won - self.lost) + ties


REST = comb(46, 4)
"""Hands of the dealer, when their open card and the bettor's five are known."""


@cache
def situations() -> list[Situation]:
    """All ace-king hands (of mixed suits, no straight) beside all open cards, grouped where nothing can differ."""
    return list(_situations())


def _situations() -> Iterator[Situation]:
    for kickers in combinations([rank for rank in RANKS if rank not in "AK"], 3):
        ranks = "AK" + "".join(kickers)
        if key_of(ranks, False)[0] != QUALIFYING[0]:
            continue
        for open_rank in RANKS:
            for in_suit, (unqualified, won, equal) in _dealers(ranks, open_rank):
                if equal:
                    for many, below in _aces(in_suit, open_rank):
                        yield Situation(ranks, open_rank, many, unqualified, won, below, equal - below)
                else:
                    many = 4 * (3 ** (5 - len(in_suit)) - (0 if in_suit else 3))
                    yield Situation(ranks, open_rank, many, unqualified, won, 0, 0)


def _dealers(ranks: str, open_rank: str) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """By which of the bettor's cards are of the open card's suit: hands that do not qualify, are lower, are equal."""
    key = key_of(ranks, False)
    apart: dict[str, tuple[int, int, int]] = {}
    together: dict[str, tuple[int, int, int]] = {}
    for size in range(5):
        for part in map("".join, combinations(ranks, size)):
            sign = -1 if size % 2 else 1
            for found, suited in ((apart, False), (together, True)):
                if suited or size:
                    held = holding("".join(sorted(part + open_rank)), suited)
                    below = held.below(key)
                    found[part] = (
                        sign * held.unqualified,
                        sign * (below - held.unqualified),
                        sign * (held.at_most(key) - below),
                    )
    apart[""] = together[""]
    base = [sum(column) for column in zip(*apart.values(), strict=True)]
    for size in range(5):
        for in_suit in combinations(ranks.replace(open_rank, ""), size):
            unqualified, won, equal = base
            for taken in range(1, size + 1):
                for part in map("".join, combinations(in_suit, taken)):
                    one, other = together[part], apart[part]
                    unqualified += one[0] - other[0]
                    won += one[1] - other[1]
                    equal += one[2] - other[2]
            yield "".join(in_suit), (unqualified, won, equal)


def _aces(in_suit: str, open_rank: str) -> Iterator[tuple[int, int]]:
    """By the suits of the open card and of the bettor's ace: how many hands, and how many of the dealer's equal ones
    have a lower ace. One card of each rank is the bettor's, so there are three suits left for each of the dealer's."""
    for open_suit, ace in product(SUITS, repeat=2):
        if ("A" in in_suit) != (ace == open_suit):
            continue
        if "A" in in_suit:
            many = 3 ** (5 - len(in_suit))
        else:
            many = 3 ** (4 - len(in_suit)) - (0 if in_suit else 1)
        below = 0
        for dealers in [open_suit] if open_rank == "A" else [suit for suit in SUITS if suit != ace]:
            others = 3 ** (4 if open_rank == "A" else 3)
            flush = 1 if dealers == open_suit and not in_suit else 0
            if SUIT_VALUES[dealers] < SUIT_VALUES[ace]:
                below += others - flush
        yield many, below


def test_the_situations_are_all_ace_king_hands_beside_all_open_cards() -> None:
    assert sum(situation.many for situation in situations()) == 167_280 * 47
    expected = Outcomes()
    for (ranks, suited), outcomes in by_class().items():
        if "A" in ranks and "K" in ranks and not suited and key_of(ranks, False)[0] == 0:
            expected += outcomes
    found = Outcomes()
    for each in situations():
        equal = each.equal_won + each.equal_lost
        found += Outcomes(*(each.many * count for count in (each.unqualified, each.won, each.lost, equal)))
    assert found == Outcomes(5 * expected.unqualified, 5 * expected.won, 5 * expected.lost, 5 * expected.equal)
    assert sum(each.many * (each.equal_won - each.equal_lost) for each in situations()) == 0


@pytest.mark.parametrize(
    ("hand", "open_card"),
    [
        ("Ah Kd 9c 5s 2d", "Ac"),  # the open card is an ace between the others in suit
        ("Ac Ks Jh 7d 3s", "Kh"),
        ("Ad Qc Ks Jc 2h", "5c"),
    ],
)
def test_a_situation_counted_hand_by_hand(hand: str, open_card: str) -> None:
    mine, shown = cards(hand), card(open_card)
    its = value_of(mine)
    found: Counter[str] = Counter()
    for rest in combinations([each for each in pack(1) if each not in mine and each != shown], 4):
        dealers = value_of((shown, *rest))
        if dealers < ACE_KING:
            found["unqualified"] += 1
        elif dealers[:2] == its[:2]:
            found["equal won" if its > dealers else "equal lost"] += 1
        else:
            found["won" if its > dealers else "lost"] += 1
    assert any(
        (each.unqualified, each.won, each.lost, each.equal_won, each.equal_lost)
        == tuple(found[name] for name in ("unqualified", "won", "lost", "equal won", "equal lost"))
        for each in situations()
        if set(each.ranks) == {one.rank for one in mine} and each.open == shown.rank
    )


# ── The house edge ──────────────────────────────────────────────────────────────────────────────────────────

Strategy = Callable[[Situation], bool]
"""Whether to raise an ace-king hand. A pair or better is always raised, anything below ace-king never: that best play
does so too is published, and the total comes out the same."""


def best(situation: Situation) -> bool:
    """A raise wins more than the ante that a fold costs, the suits counted."""
    return situation.gain(suits=True) > -REST


def best_with_pushes(situation: Situation) -> bool:
    return situation.gain(suits=False) > -REST


def three_rules_of_thumb(situation: Situation) -> bool:
    """The open card is (a) 2 to Q and one of yours, (b) A or K and you have a Q or J, (c) none of yours, below your
    fourth card, and you have a Q."""
    ranks, shown = situation.ranks, situation.open
    if shown in "AK":
        return "Q" in ranks or "J" in ranks
    if shown in ranks:
        return True
    fourth = sorted((CARD_VALUES[rank] for rank in ranks), reverse=True)[3]
    return "Q" in ranks and CARD_VALUES[shown] < fourth


def ace_king_jack_eight_three(situation: Situation) -> bool:
    return key_of(situation.ranks, False) >= value_of(cards("As Kh Jc 8d 3s"))[:2]


def never(situation: Situation) -> bool:
    return False


def always(situation: Situation) -> bool:
    return True


def loss(strategy: Strategy, royal: int, *, suits: bool) -> int:
    """What the bettor loses in antes over all hands and open cards, the cap ignored."""
    options = Options(royal_flush_odds=royal)
    gained = 0
    for rank, outcomes in by_rank().items():
        if rank is Rank.FIVE_ODD_CARDS:
            folded = outcomes.all * 5 - sum(each.many * REST for each in situations())
            gained -= folded
        else:
            win = 1 + 2 * raise_odds(options, rank).win
            ties = outcomes.equal // 2 * (win - 3) if suits else 0
            gained += 5 * (outcomes.unqualified + win * outcomes.won - 3 * outcomes.lost + ties)
    for each in situations():
        gained += each.many * (each.gain(suits=suits) if strategy(each) else -REST)
    return -gained


@article("61/2004", "R21")
@pytest.mark.parametrize(
    ("strategy", "pushing", "with_suits", "at_50", "per_cent"),
    [
        (best, 1_041_372_912_372, 1_041_333_362_472, 1_043_009_339_472, "5.224107 5.232515"),
        (three_rules_of_thumb, 1_041_417_758_724, 1_041_378_531_564, 1_043_054_508_564, "5.224334 5.232742"),
        (ace_king_jack_eight_three, 1_059_715_400_580, 1_059_676_173_420, 1_061_352_150_420, "5.316129 5.324537"),
        (never, 1_090_272_101_460, 1_090_232_874_300, 1_091_908_851_300, "5.469424 5.477832"),
        (always, 1_132_600_203_540, 1_132_560_976_380, 1_134_236_953_380, "5.681773 5.690181"),
    ],
)
def test_the_house_edge_on_the_ante(
    strategy: Strategy, pushing: int, with_suits: int, at_50: int, per_cent: str
) -> None:
    """As published where equal hands push; by the regulation, which lets suits decide, a little less."""
    assert loss(best_with_pushes if strategy is best else strategy, 100, suits=False) == pushing
    assert loss(strategy, 100, suits=True) == with_suits
    assert loss(strategy, 50, suits=True) == at_50
    if strategy is best:
        for royal, lost in ((100, with_suits), (50, at_50)):
            told = edges_of("stud_poker", Options(royal_flush_odds=royal))["ante"]
            assert told.share == Fraction(lost, WITH_OPEN_CARD)
    assert " ".join(f"{100 * lost / WITH_OPEN_CARD:.6f}" for lost in (with_suits, at_50)) == per_cent


@article("61/2004", "9(5)(9)")
@pytest.mark.parametrize("royal", [50, 77, 100])
def test_the_house_tells_the_edge_of_the_best_strategy(royal: int) -> None:
    """What stands in the tables of ends, and the edge and the variance worked out from them."""
    folded = unqualified = beaten = 0
    beats = Counter[Rank]()
    for each in situations():
        if best(each):
            unqualified += each.many * each.unqualified
            beaten += each.many * (each.lost + each.equal_lost)
            beats[Rank.FIVE_ODD_CARDS] += each.many * (each.won + each.equal_won)
        else:
            folded += each.many * REST
    for rank, outcomes in by_rank().items():
        if rank is Rank.FIVE_ODD_CARDS:
            folded += 5 * outcomes.all - sum(each.many * REST for each in situations())
        else:
            unqualified += 5 * outcomes.unqualified
            beaten += 5 * (outcomes.lost + outcomes.equal // 2)
            beats[rank] += 5 * (outcomes.won + outcomes.equal // 2)
    assert (folded, unqualified, beaten) == (FOLDED, UNQUALIFIED, BEATEN)
    assert beats == BEATS
    assert folded + unqualified + beaten + beats.total() == WITH_OPEN_CARD

    options = Options(royal_flush_odds=royal, max_ante=100_00, raise_payout_cap=20_000_00)
    ends = Counter({-1: folded, 1: unqualified, -3: beaten})
    for rank, many in beats.items():
        ends[1 + 2 * raise_odds(options, rank).win] += many
    share = Fraction(loss(best, royal, suits=True), WITH_OPEN_CARD)
    squares = Fraction(sum(net**2 * many for net, many in ends.items()), WITH_OPEN_CARD)
    assert edges_of("stud_poker", options) == {"ante": Edge(share, squares - share**2, exact=True)}


@article("61/2004", "R6")
def test_the_edge_is_told_as_exact_where_no_raise_comes_to_the_maximum() -> None:
    def told(cap: int) -> Edge:
        return edges_of("stud_poker", Options(max_ante=1_000_00, royal_flush_odds=60, raise_payout_cap=cap))["ante"]

    assert told(120_000_00).exact
    assert not told(119_999_99).exact
    assert told(119_999_99).share == told(120_000_00).share


def test_how_much_is_staked_with_best_play() -> None:
    raised = sum(each.many * REST for each in situations() if best(each))
    raised += sum(5 * outcomes.all for rank, outcomes in by_rank().items() if rank is not Rank.FIVE_ODD_CARDS)
    assert WITH_OPEN_CARD == 19_933_230_517_200
    assert f"{100 * raised / WITH_OPEN_CARD:.4f}" == "52.2253"
    staked = 1 + Fraction(2 * raised, WITH_OPEN_CARD)
    assert f"{float(staked):.4f}" == "2.0445"
    assert f"{float(100 * loss(best, 100, suits=True) / WITH_OPEN_CARD / staked):.2f}" == "2.56"


def test_how_far_a_round_deviates_when_a_pair_or_better_is_raised() -> None:
    """The standard deviation that simulations are held against, in antes."""
    squares = 0
    for rank, outcomes in by_rank().items():
        if rank is Rank.FIVE_ODD_CARDS:
            squares += outcomes.all
        else:
            win = 1 + 2 * raise_odds(Options(), rank).win
            half = outcomes.equal // 2
            squares += outcomes.unqualified + win**2 * (outcomes.won + half) + 9 * (outcomes.lost + half)
    mean = loss(never, 100, suits=True) / WITH_OPEN_CARD
    assert f"{(squares / PAIRS - mean**2) ** 0.5:.4f}" == "2.2205"


# ── The jackpot ─────────────────────────────────────────────────────────────────────────────────────────────


def jackpot_return(meter: int) -> Fraction:
    """What a jackpot stake returns, for one bettor alone, if the pool is so many cents; the stake never comes back."""
    options = Options()
    paid = 0
    for rank, outcomes in by_rank().items():
        hands = outcomes.all // comb(47, 5)
        paid += hands * sum(prize.amount for prize in awarded(options, meter, [(1, rank)]).prizes)
    return Fraction(paid, HANDS * options.jackpot_stake)


@article("61/2004", "10(2)")
@article("61/2004", "R9")
@pytest.mark.parametrize(
    ("meter", "per_cent"),
    [(500_000_00, "42.086"), (1_000_000_00, "47.935"), (2_000_000_00, "59.632"), (5_000_000_00, "94.723")],
)
def test_what_a_jackpot_stake_returns(meter: int, per_cent: str) -> None:
    assert f"{float(100 * jackpot_return(meter)):.3f}" == per_cent


@article("61/2004", "10(2)")
def test_the_jackpot_is_worth_its_stake_from_5_451_184_21_on() -> None:
    assert jackpot_return(5_451_184_20) < 1 <= jackpot_return(5_451_184_30)
    lower = 5_108 * 1_250 + 3_744 * 2_500 + 624 * 12_500
    assert f"{100 * lower / HANDS / 25:.3f}" == "36.238"
