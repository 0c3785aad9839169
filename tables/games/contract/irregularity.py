"""What may go wrong in a round, and what the rules order then."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, TypeAlias, TypeVar

from tables.games.values.words import Words, say

from .actions import Action, Void, VoidReason
from .round import Round

RoundT = TypeVar("RoundT")


def always(round_: object) -> bool:
    """At any time of a round."""
    return True


def in_phases(*phases: StrEnum) -> Callable[[Round], bool]:
    """In these phases of a round alone."""
    return lambda round_: round_.phase in phases


def nothing(round_: object, box: int | None) -> Action | None:
    """What is done where the round itself does not change."""
    return None


def voids(reason: VoidReason) -> Callable[[object, int | None], Action]:
    """The deed that makes the round void for this reason."""
    return lambda round_, box: Void(reason=reason)


def only_noted(orders: Words) -> Words:
    """What follows where a ruling is no more than a note, as the house draws and deals without such mistakes: what the
    rules order, and that nothing of it was done."""
    return say("%(orders)s. Nothing was moved here, and the bets stand", orders=orders)


def no_spot(round_: object) -> frozenset[str]:
    """The spots of a round in which everybody sees what everybody has laid."""
    return frozenset()


@dataclass(frozen=True, slots=True)
class IrregularityOf(Generic[RoundT]):
    """One thing that may go wrong in a round, and what the rules order then; the pit rules that it has happened.

    `says` is what happened, `orders` what follows (worked out from the round where an option of the house decides it),
    `article` who orders it. `applies` says of a round that is not over whether it can have happened by now. `deed` is
    the house's action that carries it out; where there is none the round goes on, and the ruling is a note. `boxes` are
    those that it may have happened to, if one must be named. `next_card` holds where the card that is due next is the
    one meant: that card then lies face up. With `shoe` the cards are changed when the round is over, and with `options`
    the article has these options of the house (as in the public record) hold from the next round on. The stakes on
    `secret` spots are not told, as nobody but their bettors knows of them now.
    """

    name: str
    says: Words
    orders: Words | Callable[[RoundT], Words]
    article: str
    applies: Callable[[RoundT], bool]
    deed: Callable[[RoundT, int | None], Action | None] = nothing
    boxes: Callable[[RoundT], Sequence[int]] | None = None
    next_card: Callable[[RoundT], bool] | None = None
    shoe: bool = False
    options: Mapping[str, object] = field(default_factory=dict)
    secret: Callable[[RoundT], frozenset[str]] = no_spot

    def ordered(self, round_: RoundT) -> Words:
        """What follows, under the options of this round."""
        return self.orders if isinstance(self.orders, Words) else self.orders(round_)

    def happened(self, box: int | None) -> Words:
        """What happened, and in which box if one was named."""
        return self.says if box is None else say("%(what)s: box %(box)s", what=self.says, box=box)


Irregularity: TypeAlias = IrregularityOf[Any]
"""One of those of a game, for whoever need not know which."""
