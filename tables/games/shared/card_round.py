"""What the rounds of the card games do alike: the pack before the first round of a shoe, and what is left of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from tables.games.contract.actions import HOUSE, Action, Chance, Cut, Decline, Draw, DrawCard, Sit
from tables.games.contract.round import AskedT, Pace, PhaseT, Progress
from tables.games.values.cards import Card

from .cutting import Cutting
from .table_round import TableRound

CARD = Draw(Chance.CARD)
"""The next card is due."""

CUT = Draw(Chance.CUT)
"""The dealer cuts."""


@dataclass(frozen=True, slots=True)
class NewShoeProcedure:
    """What happens to a fresh pack before its first round: the cut, but for a machine, and the burn."""

    cutting: Cutting | None
    burnt: tuple[Card, ...] = ()


class CardRound(TableRound[PhaseT, AskedT]):
    """A round that is dealt, folded so far."""

    cut_article: ClassVar[str]
    """The article of the cut."""

    ceremony: NewShoeProcedure | None

    @property
    def cutting(self) -> Cutting | None:
        """The cut of the pack, if bettors are offered it in this round."""
        return self.ceremony.cutting if self.ceremony else None

    @property
    def at_the_cut(self) -> tuple[str, ...]:
        return self.cutting.people if self.cutting else ()

    @property
    def offered_cut(self) -> tuple[str, ...]:
        """Who is asked to cut the pack now; if several, the first who takes it cuts."""
        return self.cutting.offered if self.cutting and not self.over else ()

    @property
    def is_to_be_cut(self) -> bool:
        """Whether the pack waits for its cut."""
        return self.cutting is not None and self.cutting.cut is None

    @property
    def first_burnt(self) -> tuple[Card, ...]:
        """The cards burnt after the shuffle."""
        return self.ceremony.burnt if self.ceremony else ()

    def cut_due(self, phase: PhaseT) -> Progress[PhaseT, AskedT]:
        """Where a round is whose pack waits for its cut."""
        assert self.cutting is not None
        if self.cutting.offered:
            return Progress(phase, Pace.CUT, None, self.cutting.on_timeout)
        return Progress.owing(phase, CUT)

    def cut_wait(self) -> str:
        """Names whose cut is waited for."""
        return f"cut.{self.cutting.wait if self.cutting and not self.over else HOUSE}"

    def cut_offers(self, who: str) -> tuple[Action, ...]:
        """What a bettor may do with the pack."""
        return self.cutting.offers(who) if self.cutting and self.is_to_be_cut else ()

    def _handled(self, action: Action) -> Self | None:
        """The pack is cut, or a card is burnt after that; None if it is neither."""
        match action:
            case Cut() if self.cutting and self.is_to_be_cut:
                return self._with_cutting(self.cutting.made(action, self.cut_article))
            case Decline() if self.cutting and self.is_to_be_cut:
                return self._with_cutting(self.cutting.declined(action.by, self.cut_article))
            case DrawCard() if self.ceremony and not self.is_to_be_cut:
                return self._with(ceremony=replace(self.ceremony, burnt=(*self.ceremony.burnt, action.card)))
            case _:
                return None

    def _with_cutting(self, cutting: Cutting) -> Self:
        assert self.ceremony is not None
        return self._with(ceremony=replace(self.ceremony, cutting=cutting))

    def _sat(self, sit: Sit) -> Self:
        after = super()._sat(sit)
        return after._with_cutting(self.cutting.sat(sit.by, self.seats)) if self.cutting else after

    def _left(self, who: str) -> Self:
        after = super()._left(who)
        return after._with_cutting(self.cutting.left(who)) if self.cutting else after
