"""The exact odds of Baccarat: the tree of probability that `next_house_step()` spans, walked to its ends.

The drawing rules know points, not cards (a test below holds them to it). So each pair of two-card totals is played
once by the real round, with every third card that it asks for and a bet on every spot; and each end counts as often
as there are sequences of six cards that lead to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import perm
from typing import Any

import pytest

from tables.games.baccarat.edges import SEQUENCES
from tables.games.baccarat.options import TiePolicy
from tables.games.contract.actions import Draw, DrawCard, Step
from tables.games.edges import Edge, edges_of
from tables.games.values.cards import RANKS, card, cards
from tests.kit import Shoe, article, bet_on, close, opened, options, play, run

VALUES = range(10)
FACE = {0: card("Ks"), 1: card("As"), **{value: card(f"{value}s") for value in range(2, 10)}}
STAKE = 100_00
SPOTS = ("player", "banker", "tie", "lucky_six")
COMMISSIONS = ("five_percent", "no_commission_six_half")


@dataclass(frozen=True)
class End:
    """One end of the tree: the third cards that led to it, and what came of it.

    That is who won, the number of the Banker's cards if that hand wins with 6, and what 100 on each spot returned
    (in a push 100).
    """

    thirds: tuple[int, ...]
    outcome: tuple[str, int, tuple[tuple[str, int], ...]]

    @property
    def winner(self) -> str:
        return self.outcome[0]


@cache
def ends(player: int, banker: int, commission: str) -> tuple[End, ...]:
    """Where two cards of so many points each lead."""
    bets = (f"x {spot} {STAKE // 100}" for spot in SPOTS)
    table = close(bet_on(opened(lucky_six=True, commission_mode=commission), *bets))
    dealt = Shoe([FACE[0], FACE[0], FACE[player], FACE[banker]])
    for _ in range(4):
        table = table.apply(dealt.draw())
    return tuple(walked(table, ()))


def walked(table: Any, thirds: tuple[int, ...]) -> Iterator[End]:
    match table.next_house_step():
        case Step(action):
            yield from walked(table.apply(action), thirds)
        case Draw():
            for value in VALUES:
                yield from walked(table.apply(DrawCard(card=FACE[value])), (*thirds, value))
        case None:
            result = table.result()
            six = len(table.coup.banker) if result["winner"] == "banker" and result["banker"] == 6 else 0
            returned = {paid.spot: paid.returned + paid.carried for paid in table.payouts()}
            yield End(thirds, (result["winner"], six, tuple(returned.items())))


@dataclass
class Odds:
    """The whole tree of a shoe: how many sequences of six cards end how."""

    sequences: int
    winners: Counter[str]
    banker_six: Counter[int]
    returned: Counter[str]
    squares: Counter[str]

    def edge(self, spot: str) -> Fraction:
        """Expected loss per unit staked, a push being none."""
        return 1 - Fraction(self.returned[spot], STAKE * self.sequences)

    def variance(self, spot: str) -> Fraction:
        """Of what the house keeps of a unit."""
        return Fraction(self.squares[spot], STAKE**2 * self.sequences) - self.edge(spot) ** 2


@cache
def odds(decks: int, commission: str = "five_percent") -> Odds:
    """Every end of every first four cards, each as often as it can come."""
    size = decks * 52
    held = [decks * 16] + [decks * 4] * 9  # cards of each value in the shoe
    found = Odds(perm(size, 6), Counter(), Counter(), Counter(), Counter())
    outcomes: Counter[tuple[str, int, tuple[tuple[str, int], ...]]] = Counter()
    hands = list(combinations_with_replacement(VALUES, 2))
    for player, banker in product(hands, repeat=2):
        left = held.copy()
        ways = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
        for value in (*player, *banker):
            ways *= left[value]
            left[value] -= 1
        for end in ends(sum(player) % 10, sum(banker) % 10, commission):
            count = ways
            for at, value in enumerate(end.thirds):
                count *= left[value] - (at == 1 and end.thirds[0] == value)
            count *= perm(size - 4 - len(end.thirds), 2 - len(end.thirds))
            outcomes[end.outcome] += count
    for (winner, banker_six, returned), count in outcomes.items():
        found.winners[winner] += count
        found.banker_six[banker_six] += count
        for spot, back in returned:
            found.returned[spot] += count * back
            found.squares[spot] += count * (back - STAKE) ** 2
    return found


def told(**given: Any) -> Mapping[str, Edge]:
    """What the house tells of the edge of each spot."""
    return edges_of("baccarat", options(lucky_six=True, **given))


def test_the_tree_is_complete() -> None:
    for decks in (6, 8, 12):
        assert sum(odds(decks).winners.values()) == odds(decks).sequences == perm(52 * decks, 6)


def test_the_drawing_rules_know_points_not_cards() -> None:
    """Any cards of the same points ask for the same third cards as the two that stand for them above."""
    by_points = {0: "TJQK", 1: "A", **{value: str(value) for value in range(2, 10)}}
    for player, banker in product(((4, 5), (3, 2), (9, 6), (8, 8), (0, 7)), ((0, 3), (9, 4), (6, 0), (5, 0))):
        for first, second in product(by_points[player[0]], by_points[banker[1]]):
            shown = cards(f"{first}d {by_points[banker[0]][0]}h {by_points[player[1]][-1]}c {second}s")
            table = run(close(opened()), Shoe([*shown, *cards("6d 6h")]), impatient=True)
            stands_for = [
                end
                for end in ends(sum(player) % 10, sum(banker) % 10, "five_percent")
                if all(value == 6 for value in end.thirds)
            ]
            assert [end.winner for end in stands_for] == [table.result()["winner"]]


def test_eight_decks_have_these_sequences() -> None:
    eight = odds(8)
    assert eight.sequences == 4_998_398_275_503_360
    assert eight.winners == {
        "banker": 2_292_252_566_437_888,
        "player": 2_230_518_282_592_256,
        "tie": 475_627_426_473_216,
    }
    assert (eight.banker_six[2], eight.banker_six[3]) == (186_173_936_904_192, 83_058_367_551_488)


@pytest.mark.parametrize(
    ("spot", "commission", "exactly"),
    [
        ("banker", "five_percent", Fraction(114753351728, 10847218479825)),
        ("banker", "no_commission_six_half", Fraction(284694798368, 19524993263685)),
        ("player", "five_percent", Fraction(241149546272, 19524993263685)),
        ("tie", "five_percent", Fraction(103841353768, 723147898655)),
        ("lucky_six", "five_percent", Fraction(47209656769, 282970916865)),
    ],
)
def test_the_edge_with_eight_decks_is_exactly_that_of_the_rulebook(
    spot: str, commission: str, exactly: Fraction
) -> None:
    assert odds(8, commission).edge(spot) == exactly
    assert told(commission_mode=commission)[spot].share == exactly


@article("55/2004", "18")
@pytest.mark.parametrize("commission", COMMISSIONS)
@pytest.mark.parametrize("decks", range(6, 13))
def test_the_house_tells_what_the_tree_comes_to(decks: int, commission: str) -> None:
    """What stands in the table of sequences, and the edges and variances worked out from it."""
    found, stored = odds(decks, commission), SEQUENCES[decks]
    assert stored.all == found.sequences
    assert found.winners == {"player": stored.player, "banker": stored.banker, "tie": stored.tie}
    assert {cards: many for cards, many in found.banker_six.items() if cards} == stored.sixes
    for tie_policy in TiePolicy:
        edges = told(decks=decks, commission_mode=commission, tie_policy=tie_policy)
        assert set(edges) == {*SPOTS, "player_pair", "banker_pair"}
        for spot in SPOTS:
            assert edges[spot] == Edge(found.edge(spot), found.variance(spot), exact=True)


@pytest.mark.parametrize(
    ("spot", "commission", "per_cent"),
    [
        ("banker", "five_percent", {6: "1.0558", 8: "1.0579", 12: "1.0599"}),
        ("banker", "no_commission_six_half", {6: "1.4548", 8: "1.4581", 12: "1.4614"}),
        ("player", "five_percent", {6: "1.2374", 8: "1.2351", 12: "1.2328"}),
        ("tie", "five_percent", {6: "14.4382", 8: "14.3596", 12: "14.2799"}),
        ("lucky_six", "five_percent", {6: "16.7163", 8: "16.6836", 12: "16.6510"}),
    ],
)
@pytest.mark.parametrize("decks", [6, 8, 12])
def test_the_edge_with_other_decks_rounds_to_that_of_the_rulebook(
    spot: str, commission: str, per_cent: dict[int, str], decks: int
) -> None:
    assert f"{float(100 * odds(decks, commission).edge(spot)):.4f}" == per_cent[decks]


@article("55/2004", "17")
@pytest.mark.parametrize(("decks", "per_cent"), [(6, "11.2540"), (8, "10.3614"), (12, "9.4703")])
@pytest.mark.parametrize("hand", ["player", "banker"])
def test_the_edge_of_a_pair(decks: int, per_cent: str, hand: str) -> None:
    """Only the two cards of the hand count: the round itself tells which ranks pay, and how much."""
    back = 0
    for first, second in product(RANKS, repeat=2):
        pays = pair_returns(hand, first, second)
        back += pays * 4 * decks * (4 * decks - (first == second))
    edge = 1 - Fraction(back, STAKE * perm(52 * decks, 2))
    assert edge == 1 - 12 * Fraction(4 * decks - 1, 52 * decks - 1)
    assert f"{float(100 * edge):.4f}" == per_cent
    assert decks != 8 or edge == Fraction(43, 415)
    won = (1 - edge) / 12
    assert told(decks=decks)[f"{hand}_pair"] == Edge(edge, 12**2 * won * (1 - won), exact=True)


@cache
def pair_returns(hand: str, first: str, second: str) -> int:
    """What 100 on the pair of a hand return when these are its first two cards."""
    shown = [f"{first}s", "Th", f"{second}d", "9h"] if hand == "player" else ["Th", f"{first}s", "9h", f"{second}d"]
    played = play(" ".join(shown), f"x {hand}_pair 100", pair_requires_main=False)
    (paid,) = played.payouts()
    return int(paid.returned)
