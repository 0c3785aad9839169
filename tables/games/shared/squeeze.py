"""The squeeze: what a card that lies face down shows while its holder peels it from an edge.

A card is bent in steps from one of its edges, and shows the pips whose middle lies on the part that is bent over. A
court card shows the frame of its picture and no pip. The indices in the corners lie under the holder's fingers. All
pips of a row stand at one height, whatever the rank, so that two cards look different only where their pips do.

The card is 100 wide and 140 high, as it is drawn; it is peeled from its lower short side, from its right long side, or
from the corner between them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from tables.games.values.cards import Card
from tables.games.values.json import JsonObject

WIDTH, HEIGHT = 100, 140

STEPS = 10
"""Steps from an edge; the last bends the card in its middle."""


class Edge(StrEnum):
    """From where a card is peeled."""

    SHORT = "short"
    LONG = "long"
    CORNER = "corner"


@dataclass(frozen=True, slots=True)
class Pip:
    """A pip of this suit with its middle at (x, y)."""

    suit: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Bend:
    """What everybody sees of a card that is peeled so far: nothing else of the card is in it."""

    edge: Edge
    step: int
    pips: tuple[Pip, ...]
    framed: bool


@dataclass(frozen=True, slots=True)
class Peel:
    """How far a card has been peeled: the edge that is bent now, and the furthest step from each edge."""

    edge: Edge
    furthest: Mapping[Edge, int] = field(default_factory=dict)

    @property
    def step(self) -> int:
        """How far the edge is bent that is bent now."""
        return self.furthest[self.edge]

    def then(self, edge: Edge, step: int) -> Peel:
        """With the card bent from this edge by so many steps: never less far than before."""
        return replace(self, edge=edge, furthest={**self.furthest, edge: max(step, self.furthest.get(edge, 0))})

    def goes_further_than(self, other: Peel | None) -> bool:
        """Whether something is uncovered by it that the other has not uncovered."""
        before = other.furthest if other is not None else {}
        return any(step > before.get(edge, 0) for edge, step in self.furthest.items())


def peeled(before: Peel | None, edge: Edge, step: int) -> Peel:
    """A card, peeled so far before, that is bent from this edge by so many steps. Raises ValueError for no step."""
    if not 1 <= step <= STEPS:
        raise ValueError(f"a card is bent by 1 to {STEPS} steps, not {step}")
    return (before or Peel(edge)).then(edge, step)


_LEFT, _MIDDLE, _RIGHT = 34, 50, 66
_OUTER: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys("45", (27, 113)),
    **dict.fromkeys("678", (27, 70, 113)),
    **dict.fromkeys("9T", (27, 55, 85, 113)),
}
_INNER: Mapping[str, tuple[int, ...]] = {
    "A": (70,),
    "2": (27, 113),
    "3": (27, 70, 113),
    "5": (70,),
    "7": (49,),
    "8": (49, 91),
    "9": (70,),
    "T": (40, 100),
}
_COURT = "JQK"
_FRAME = (27, 10.5)
"""How far the frame of a court card lies from its long and from its short sides."""


def pips(card: Card) -> tuple[Pip, ...]:
    """All pips of a card, as the squeeze shows them; a court card has none."""
    outer = ((x, y) for y in _OUTER.get(card.rank, ()) for x in (_LEFT, _RIGHT))
    inner = ((_MIDDLE, y) for y in _INNER.get(card.rank, ()))
    return tuple(Pip(card.suit, x, y) for x, y in (*outer, *inner))


def _depth(edge: Edge, from_right: float, from_below: float) -> float:
    """At which step from this edge a point is uncovered that lies so far from the right and from the lower side."""
    match edge:
        case Edge.SHORT:
            return from_below / (HEIGHT / 2) * STEPS
        case Edge.LONG:
            return from_right / (WIDTH / 2) * STEPS
        case Edge.CORNER:
            return (from_right + from_below) / WIDTH * STEPS


def bend(card: Card, peel: Peel) -> Bend:
    """What this card shows to everybody while it is peeled so far."""
    edge, step = peel.edge, peel.step
    seen = (pip for pip in pips(card) if _depth(edge, WIDTH - pip.x, HEIGHT - pip.y) <= step)
    side, foot = _FRAME
    reached = {
        Edge.SHORT: _depth(edge, 0, foot),
        Edge.LONG: _depth(edge, side, 0),
        Edge.CORNER: _depth(edge, side, foot),
    }[edge]
    return Bend(edge, step, tuple(seen), framed=card.rank in _COURT and reached <= step)


def bends(cards: Mapping[str, Card], peels: Mapping[str, Peel]) -> dict[str, Bend]:
    """What everybody sees of these cards, by the names of their places; a card that lies flat is left out."""
    return {place: bend(card, peels[place]) for place, card in cards.items() if place in peels}


def peels_json(peels: Mapping[str, Peel]) -> JsonObject:
    """How far the cards of a round have been peeled, as it is stored beside the round."""
    return {place: {"edge": peel.edge.value, "furthest": dict(peel.furthest)} for place, peel in peels.items()}


def peels_from(stored: Mapping[str, JsonObject] | None) -> dict[str, Peel]:
    """The same, read; nothing is stored where no card has been peeled."""
    return {
        place: Peel(Edge(one["edge"]), {Edge(edge): step for edge, step in one["furthest"].items()})
        for place, one in (stored or {}).items()
    }
