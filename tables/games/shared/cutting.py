"""The cut of a fresh pack: any bettor may cut it. It is offered to the seated bettors one after the other, then to the
standing ones who have staked lately all at once; if nobody wants, the house cuts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tables.games.contract.actions import HOUSE, Action, Chance, Cut, Decline, Draw, HouseStep, Step
from tables.games.contract.errors import Refused
from tables.games.contract.round import Opening
from tables.games.values.words import say


@dataclass(frozen=True, slots=True)
class CutView:
    """The cut: whom it is offered to (if several, the first who takes it cuts), or who made it (a bettor's key or
    HOUSE). Where it was made nobody is told."""

    offered_to: tuple[str, ...]
    by: str | None


@dataclass(frozen=True, slots=True)
class Cutting:
    """Who may still be offered the cut: `asked` in order, the one who is asked now first, then all of `others` at once;
    and the cut once it is made.

    The pack has `size` cards.
    """

    size: int
    asked: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    cut: Cut | None = None

    @classmethod
    def among(cls, opening: Opening, decks: int) -> Cutting:
        """It is offered to the seats in order, then to the standing bettors who have staked lately."""
        return cls(decks * 52, tuple(sorted(opening.seats, key=opening.seats.__getitem__)), opening.lately)

    @property
    def offered(self) -> tuple[str, ...]:
        """Who is asked to cut the pack now; nobody if the house cuts, or it has been cut."""
        return () if self.cut is not None else self.asked[:1] or self.others

    @property
    def people(self) -> tuple[str, ...]:
        """Who may still be offered the cut, or has made it."""
        if self.cut is None:
            return (*self.asked, *self.others)
        return () if self.cut.by == HOUSE else (self.cut.by,)

    @property
    def wait(self) -> str:
        """Names whose answer is waited for."""
        return self.asked[0] if self.asked else "others" if self.offered else HOUSE

    @property
    def on_timeout(self) -> HouseStep:
        """Nobody has answered in time: all others are asked at once, and after them the house cuts."""
        return Step(Decline(HOUSE)) if self.asked and (self.asked[1:] or self.others) else Draw(Chance.CUT)

    @property
    def view(self) -> CutView:
        """What everybody sees of it."""
        return CutView(self.offered, self.cut.by if self.cut else None)

    def made(self, cut: Cut, article: str) -> Cutting:
        """The pack is cut. Raises Refused, citing the article of the cut."""
        if cut.by not in (HOUSE, *self.offered):
            raise Refused(article, say("The cut is offered to another bettor"))
        if not 1 <= cut.position < self.size:
            raise Refused(article, say("The pack cannot be cut there"))
        return Cutting(self.size, cut=cut)

    def declined(self, who: str, article: str) -> Cutting:
        """The one who is asked passes; by HOUSE, has let the time pass. Raises Refused."""
        if who == HOUSE:
            assert self.asked, "nobody lets the time of the cut pass"
            return replace(self, asked=(), others=(*self.asked[1:], *self.others))
        if who not in self.offered:
            raise Refused(article, say("The cut is offered to another bettor"))
        return self.left(who)

    def sat(self, who: str, seats: Mapping[str, int]) -> Cutting:
        """Who takes a seat before the cut is asked after the other seats; `seats` as they were before."""
        if self.cut is not None or who in (*self.asked, *self.others) or who in seats:
            return self
        if self.asked:
            return replace(self, asked=(*self.asked, who))
        return replace(self, others=(*self.others, who))

    def left(self, who: str) -> Cutting:
        """Who leaves is not asked any more."""
        asked, others = (tuple(other for other in some if other != who) for some in (self.asked, self.others))
        return replace(self, asked=asked, others=others)

    def offers(self, who: str) -> tuple[Action, ...]:
        """What `who` may do: cut (in the middle, to begin with) or decline."""
        return (Cut(who, position=self.size // 2), Decline(who)) if who in self.offered else ()
