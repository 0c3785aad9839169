"""The deal: which card goes where, by either method (7), and what can go wrong with it (11)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tables.games.values.cards import Card
from tables.games.values.quick import quickly_made

from .hands import HAND

DEALER = 0
"""The dealer's place in the order of dealing; the others are boxes."""


@dataclass(frozen=True, slots=True)
class Dead:
    """A card that went to a box without a stake (11(3)); `exposed` if it lies open there."""

    box: int
    card: Card
    exposed: bool


@quickly_made
@dataclass(frozen=True, slots=True)
class Deal:
    """The cards as they came out, and to whom.

    `places` are the boxes with an ante, from box 1 on, and the dealer last. In `packets` each gets five at once
    (7(2)), else all get one at a time (7(1)). `exposed` are those of `cards`, by their place in the order of dealing,
    that lie open by mistake. To the boxes `astray` go the cards that come out next, by mistake.
    """

    places: tuple[int, ...]
    packets: bool
    cards: tuple[Card, ...] = ()
    exposed: frozenset[int] = frozenset()
    dead: tuple[Dead, ...] = ()
    astray: tuple[int, ...] = ()

    @property
    def is_done(self) -> bool:
        return not self.astray and len(self.cards) == HAND * len(self.places)

    @property
    def out(self) -> int:
        """Cards that have come out."""
        return len(self.cards) + len(self.dead)

    @property
    def mistakes(self) -> int:
        """Cards that lie open by mistake; the dealer's regular open card does not count."""
        return len(self.exposed) + (sum(dead.exposed for dead in self.dead) if self.dead else 0)

    def _of(self, place: int) -> range:
        """Which of `cards` are those of one place."""
        at = self.places.index(place)
        if self.packets:
            return range(min(at * HAND, len(self.cards)), min((at + 1) * HAND, len(self.cards)))
        return range(at, len(self.cards), len(self.places))

    @property
    def next_place(self) -> int:
        """Whose the next card is, while cards are owed and none goes astray."""
        at = len(self.cards)
        return self.places[at // HAND if self.packets else at % len(self.places)]

    def hand(self, place: int) -> tuple[Card, ...]:
        """The cards of a box or of the dealer, in the order in which they came."""
        which = self._of(place)
        return self.cards[which.start : which.stop : which.step]

    def exposed_of(self, place: int) -> tuple[bool, ...]:
        """Which of these cards were exposed by mistake."""
        return tuple(at in self.exposed for at in self._of(place))

    def open_cards(self, place: int) -> tuple[bool, ...]:
        """Which of these cards lie open for everybody, though the hand was not opened.

        Of a bettor's those exposed by mistake; of the dealer's the fifth, unless another has been exposed (11(2), R2).
        """
        faces = list(self.exposed_of(place))
        if place == DEALER and len(faces) == HAND and not any(faces[:-1]):
            faces[-1] = True
        return tuple(faces)

    def drawn(self, card: Card, exposed: bool) -> Deal:
        """With one card more."""
        if self.astray:
            return replace(self, dead=(*self.dead, Dead(self.astray[0], card, exposed)), astray=self.astray[1:])
        at = len(self.cards)
        mistaken = exposed and not self._is_regularly_open(at)
        shown = self.exposed | {at} if mistaken else self.exposed
        return Deal(self.places, self.packets, (*self.cards, card), shown, self.dead, self.astray)

    def _is_regularly_open(self, at: int) -> bool:
        """Whether the card that comes out at this place is the dealer's fifth, which is to lie open."""
        is_last = at == HAND * len(self.places) - 1  # the dealer's fifth is the last card by either method
        return is_last and not any(self.open_cards(DEALER))

    def may_go_astray(self, box: int) -> bool:
        """Whether cards could wrongly be dealt to this box now: it has no stake, and room for them."""
        if self.is_done or self.astray or box in self.places:
            return False
        if self.packets and len(self.cards) % HAND:
            return False
        return sum(dead.box == box for dead in self.dead) < HAND

    def went_astray(self, box: int) -> Deal:
        """The next card, or packet of five, goes to this box."""
        return replace(self, astray=(box,) * (HAND if self.packets else 1))
