"""The squeeze: which pips a bend uncovers, of every card, from every edge, at every step; and nothing more."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise, product

import pytest

from tables.games.shared.squeeze import HEIGHT, STEPS, WIDTH, Bend, Edge, Peel, Pip, bend, peeled, pips
from tables.games.values.cards import RANKS, Card, card, pack

PACK = pack(1)
BENDS = list(product(Edge, range(1, STEPS + 1)))


def shown(one: Card, edge: Edge, step: int) -> Bend:
    return bend(one, peeled(None, edge, step))


def lies_on_the_bend(pip: Pip, edge: Edge, step: int) -> bool:
    """Whether the middle of a pip is on the part that is bent over, told by the line of the fold."""
    right, below = WIDTH - pip.x, HEIGHT - pip.y
    match edge:
        case Edge.SHORT:
            return below * STEPS * 2 <= step * HEIGHT
        case Edge.LONG:
            return right * STEPS * 2 <= step * WIDTH
        case Edge.CORNER:
            return (right + below) * STEPS <= step * WIDTH


def test_every_bend_of_every_card_shows_the_pips_on_it_and_nothing_else() -> None:
    for one, (edge, step) in product(PACK, BENDS):
        seen = shown(one, edge, step)
        assert set(seen.pips) == {pip for pip in pips(one) if lies_on_the_bend(pip, edge, step)}, (one, edge, step)
        assert (seen.edge, seen.step) == (edge, step)
    assert {field.name for field in fields(Bend)} == {"edge", "step", "pips", "framed"}
    assert {field.name for field in fields(Pip)} == {"suit", "x", "y"}


@pytest.mark.parametrize("rank", RANKS)
def test_a_card_has_as_many_pips_as_it_counts_and_a_court_card_a_frame(rank: str) -> None:
    for suit in "shdc":
        one = card(rank + suit)
        assert len(pips(one)) == (0 if rank in "JQK" else RANKS.index(rank) + 1)
        assert len(set(pips(one))) == len(pips(one))
        assert {pip.suit for pip in pips(one)} <= {suit}
        assert shown(one, Edge.SHORT, STEPS).framed == (rank in "JQK")


def test_cards_whose_visible_pips_are_equal_look_equal() -> None:
    """Whatever tells two cards apart is a pip that one can see, its suit, or the frame of a picture."""
    for edge, step in BENDS:
        kinds: dict[object, set[Bend]] = {}
        for one in PACK:
            visible = frozenset((p.suit, p.x, p.y) for p in pips(one) if lies_on_the_bend(p, edge, step))
            framed = shown(one, edge, step).framed
            assert not framed or one.rank in "JQK"
            kinds.setdefault((visible, framed), set()).add(shown(one, edge, step))
        assert all(len(looks) == 1 for looks in kinds.values()), (edge, step)


def test_a_bend_that_goes_on_hides_nothing_that_it_has_shown() -> None:
    for one, edge in product(PACK, Edge):
        looks = [shown(one, edge, step) for step in range(1, STEPS + 1)]
        for before, after in pairwise(looks):
            assert set(before.pips) <= set(after.pips)
            assert before.framed <= after.framed


def ranks(edge: Edge, step: int) -> list[set[str]]:
    """The ranks that cannot be told from each other, by how they look in one suit."""
    looks: dict[Bend, set[str]] = {}
    for rank in RANKS:
        looks.setdefault(shown(card(rank + "h"), edge, step), set()).add(rank)
    return list(looks.values())


@pytest.mark.parametrize(
    ("edge", "step", "told"),
    [
        (Edge.SHORT, 1, "A23456789TJQK"),  # blank paper
        (Edge.SHORT, 2, "A23456789T JQK"),  # a picture shows its frame first of all
        (Edge.SHORT, 4, "A 23 456789T JQK"),  # no pip, one, two: "with legs"
        (Edge.SHORT, 10, "A 2 3 4 5 67 8 9 T JQK"),  # all of it but the pip above the middle of a seven
        (Edge.LONG, 5, "A23456789TJQK"),
        (Edge.LONG, 7, "A23 45 678 9T JQK"),  # no side, two, three, four
        (Edge.CORNER, 6, "A23456789T JQK"),
        (Edge.CORNER, 7, "A23 456789T JQK"),
    ],
)
def test_what_a_holder_reads_as_from_paper(edge: Edge, step: int, told: str) -> None:
    assert sorted(map(sorted, ranks(edge, step))) == sorted(sorted(group) for group in told.split())


def test_the_suit_is_told_by_a_pip_and_never_by_a_frame() -> None:
    for rank, (edge, step) in product(RANKS, BENDS):
        looks = {shown(card(rank + suit), edge, step) for suit in "shdc"}
        assert len(looks) == (4 if shown(card(rank + "s"), edge, step).pips else 1), (rank, edge, step)


def test_a_peel_remembers_the_furthest_step_from_each_edge_and_never_goes_back() -> None:
    peel = peeled(None, Edge.SHORT, 3)
    assert peel.goes_further_than(None)
    again = peeled(peel, Edge.SHORT, 2)
    assert again == peel and not again.goes_further_than(peel)
    other = peeled(peel, Edge.LONG, 1)
    assert other.goes_further_than(peel)
    assert (other.edge, other.step) == (Edge.LONG, 1)
    back = peeled(other, Edge.SHORT, 1)
    assert (back.edge, back.step) == (Edge.SHORT, 3) and not back.goes_further_than(other)
    assert Peel(Edge.SHORT, {Edge.SHORT: 3, Edge.LONG: 1}) == back


@pytest.mark.parametrize("step", [-1, 0, STEPS + 1])
def test_there_is_no_other_step(step: int) -> None:
    with pytest.raises(ValueError, match="1 to 10 steps"):
        peeled(None, Edge.SHORT, step)
