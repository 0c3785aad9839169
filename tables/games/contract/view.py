"""What a viewer may see of a round: the part that all games have in common. Amounts are integer cents.

Each game adds to these classes what it alone has, in its own `view.py`; that module alone decides what a viewer may
see, and `Game.view` asks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from tables.games.values.cards import Card
from tables.games.values.money import Odds
from tables.games.values.quick import quickly_made
from tables.games.values.words import Note, Words

from .round import Offers, Payout, Refusal, Stake, WentBack


class End(StrEnum):
    """How the round ended for a stake, or for a spot."""

    WON = "won"
    LOST = "lost"
    PUSH = "push"  # nobody wins: it goes back, or waits for the next round
    HALF = "half"  # half of it came back
    RETURNED = "returned"  # it was not played for
    CARRIED = "carried"  # it stays for the next round


@dataclass(frozen=True, slots=True)
class Menu:
    """What the house lets a bettor do with a stake that lies there, beside keeping it and adding to it."""

    withdraw: bool = False
    lower: bool = False
    move: bool = False


@quickly_made
@dataclass(frozen=True, slots=True)
class OwnStake:
    """A stake of a viewer as it was placed, what they may do with it now, and the spots and other boxes that they may
    move it to. `lies` are the cents of it on the felt, where that is something else."""

    stake: Stake
    menu: Menu
    moves: tuple[str, ...] = ()
    boxes: tuple[int, ...] = ()
    lies: int | None = None

    @property
    def on_felt(self) -> int:
        """Cents that lie there now."""
        return self.stake.amount if self.lies is None else self.lies


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotView:
    """One spot of the layout, for everybody: what it pays ("to 1") and by which article, and its limits.

    `box` is the one that it belongs to, None if to none. `total` is everybody's, of so many `bettors`; `most` None if
    there is no maximum. `end` and `why` say how the round ended for it, once it did. Amounts in cents.
    """

    name: str
    box: int | None = None
    title: Words
    article: str
    odds: tuple[Odds, ...]
    least: int
    most: int | None
    total: int = 0
    bettors: int = 0
    end: End | None = None
    why: Note | None = None

    @property
    def key(self) -> str:
        """Names it on the page: its name, with its box where it belongs to one."""
        return self.name if self.box is None else f"{self.name}-{self.box}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView:
    """What one bettor alone sees: their seat, stakes, refusals and payouts; `leaving` is what it costs them to leave
    their seat now, if anything; `went_back` are stakes of theirs that went back with another."""

    who: str
    seat: int | None
    ready: bool
    staked: int
    stakes: tuple[OwnStake, ...]
    refusals: tuple[Refusal, ...]
    payouts: tuple[Payout, ...]
    leaving: Note | None = None
    went_back: tuple[WentBack, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A round as one viewer may see it; `mine` is None for a mere spectator.

    `stakes`, `refusals` and `payouts` are everybody's, as far as this viewer may know of them.
    """

    phase: StrEnum
    spots: tuple[SpotView, ...]
    stakes: tuple[Stake, ...]
    ready: frozenset[str]
    refusals: tuple[Refusal, ...]
    payouts: tuple[Payout, ...]
    void: bool
    notes: tuple[Note, ...]
    mine: PlayerView | None

    @property
    def on_felt(self) -> tuple[Stake, ...]:
        """The stakes as they lie there now: with what was added to them, without what the house has collected."""
        return self.stakes


# ── The cards in it ─────────────────────────────────────────────────────────────────────────────────────────

WITHOUT_CARDS = (Stake, Payout, Refusal, Offers, WentBack, SpotView)
"""Parts of a View in which no card lies: there may be thousands of them, and dozens of spots, each with its odds."""


def cards_in(shown: object) -> list[Card]:
    """The cards that a View shows, in no order. Each lies in one place of it."""
    found: list[Card] = []
    left = [shown]
    while left:
        thing = left.pop()
        if (parts := _parts_of(type(thing))) is not None:  # type: ignore[arg-type]  # a class can be hashed
            left.extend(parts(thing))
        elif isinstance(thing, Card):
            found.append(thing)
    return found


@cache
def _parts_of(kind: type) -> Callable[[Any], Iterable[object]] | None:
    """How to come to the parts of such a thing; None if it has none. A View has hundreds of parts of a few kinds."""
    if issubclass(kind, (*WITHOUT_CARDS, Card)):
        return None
    if issubclass(kind, Mapping):
        return kind.values
    if issubclass(kind, tuple | list | set | frozenset):
        return iter
    if is_dataclass(kind):
        names = [each.name for each in fields(kind)]
        return lambda thing: [getattr(thing, name) for name in names]
    return None
