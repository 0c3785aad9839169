"""The cut of a fresh pack: it is offered to the seated bettors one after the other; if nobody wants, the house cuts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tables.games.contract.actions import HOUSE, Action, Cut, Decline
from tables.games.contract.errors import Refused
from tables.games.values.words import say


@dataclass(frozen=True, slots=True)
class CutView:
    """The cut: whom it is offered to, or who made it (a bettor's key or HOUSE). Where it was made nobody is told."""

    offered_to: str | None
    by: str | None


@dataclass(frozen=True, slots=True)
class Cutting:
    """Who may still be offered the cut, the one who is asked now first; and the cut once it is made.

    The pack has `size` cards.
    """

    size: int
    asked: tuple[str, ...] = ()
    cut: Cut | None = None

    @classmethod
    def among(cls, seats: Mapping[str, int], decks: int) -> Cutting:
        """It is offered to the seats in order."""
        return cls(decks * 52, tuple(sorted(seats, key=seats.__getitem__)))

    @property
    def offered(self) -> str | None:
        """Who is asked to cut the pack now; None if the house cuts, or it has been cut."""
        return self.asked[0] if self.cut is None and self.asked else None

    @property
    def view(self) -> CutView:
        """What everybody sees of it."""
        return CutView(self.offered, self.cut.by if self.cut else None)

    def made(self, cut: Cut, article: str) -> Cutting:
        """The pack is cut. Raises Refused, citing the article of the cut."""
        if cut.by not in (HOUSE, self.offered):
            raise Refused(article, say("The cut is offered to another bettor"))
        if not 1 <= cut.position < self.size:
            raise Refused(article, say("The pack cannot be cut there"))
        return Cutting(self.size, cut=cut)

    def declined(self, who: str, article: str) -> Cutting:
        """The one who is asked passes. Raises Refused."""
        if who != self.offered:
            raise Refused(article, say("The cut is offered to another bettor"))
        return replace(self, asked=self.asked[1:])

    def sat(self, who: str, seats: Mapping[str, int]) -> Cutting:
        """Who takes a seat before the cut is asked last; `seats` as they were before."""
        if self.cut is not None or who in self.asked or who in seats:
            return self
        return replace(self, asked=(*self.asked, who))

    def left(self, who: str) -> Cutting:
        """Who leaves is not asked any more."""
        return replace(self, asked=tuple(other for other in self.asked if other != who))

    def offers(self, who: str) -> tuple[Action, ...]:
        """What `who` may do: cut (in the middle, to begin with) or decline."""
        return (Cut(who, position=self.size // 2), Decline(who)) if who == self.offered else ()
