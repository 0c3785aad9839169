"""What a game brings to the page of its rules: what lies on the table at a moment of a round, and what bets pay.

All text is in the active language. Amounts are integer cents.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.template.loader import render_to_string

from tables.games.contract.options import TableOptions
from tables.games.contract.round import Spot
from tables.games.contract.view import View
from tables.games.values.cards import Card
from tables.games.values.expectation import Edge
from tables.games.values.money import Odds
from tables.games.values.words import Words

from .limits import Limits, limits_of_spot

OptionsT = TypeVar("OptionsT", bound=TableOptions)
ViewT = TypeVar("ViewT", bound=View)


@dataclass(frozen=True, slots=True)
class Pay:
    """One end at which a bet pays, by its article: `odds`, less so many per cent `commission` of the prize; `says` what
    it brings where that is no odds. `when` names the end if the bet has several."""

    article: str
    odds: Odds | None = None
    when: str = ""
    says: str = ""
    commission: int = 0


@dataclass(frozen=True, slots=True)
class GrownBet:
    """A stake that grows out of another one, or a prize that nobody stakes for, and what it pays.

    `edge` where it has one of its own: what becomes of all others counts with the stake that they grow out of.
    """

    title: Words
    article: str
    pays: tuple[Pay, ...]
    limits: Limits | None = None
    edge: Edge | None = None


@dataclass(frozen=True, slots=True)
class PicturedHand:
    """Cards that lie together: whose they are, and what they come to. None is a card face down; `places` so many
    are there where none lies yet."""

    title: str
    cards: tuple[Card | None, ...]
    comes_to: str = ""
    places: int = 0

    @property
    def empty(self) -> range:
        """The places on which no card lies yet."""
        return range(max(0, self.places - len(self.cards)))


class RulebookOf(ABC, Generic[OptionsT, ViewT]):
    """What the page of rules has from its game alone."""

    @abstractmethod
    def picture(self, view: ViewT, place: str) -> str:
        """What lies on the table, drawn: cards, the wheel or the dice, with their words; empty for nothing.

        `place` begins the ids of the drawing, of which there may be several on a page.
        """

    def pays(self, options: OptionsT, spot: Spot) -> tuple[Pay, ...]:
        """What this bet pays under these options. By default its odds."""
        return tuple(Pay(spot.article, odds) for odds in spot.odds)

    def grown(self, options: OptionsT) -> Sequence[GrownBet]:
        """What can grow out of a stake under these options."""
        return ()

    def limits(self, options: Any, spot: Spot) -> Limits:
        """What may be staked on this spot."""
        return limits_of_spot(options, spot)


def drawn_hands(hands: Iterable[PicturedHand]) -> str:
    """A picture of cards."""
    return render_to_string("rules/_hands.html", {"hands": tuple(hands)})
