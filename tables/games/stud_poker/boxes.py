"""A box with an ante: whose it is, what lies on it, and what its bettor has decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tables.games.contract.round import Stake
from tables.games.values.quick import quickly_made

from .bets import ANTE, JACKPOT, RAISE_STAKE


@quickly_made
@dataclass(frozen=True, slots=True)
class Box:
    """One box that plays. Amounts in cents.

    `bet` and `ante` are its bettor's; `jackpot` is the bet of their jackpot stake, a carried one included, if any.
    `raised` None until they have decided; `automatic` if the house has folded for them.
    """

    number: int
    who: str
    bet: str
    ante: int
    jackpot: str | None = None
    raised: bool | None = None
    automatic: bool = False

    @property
    def raising(self) -> int:
        """What a raise is on this ante (6(6))."""
        return RAISE_STAKE.prize(self.ante)

    @property
    def laid(self) -> int:
        """What was laid down for the ante, with the raise that grew out of it."""
        return self.ante + self.raising if self.raised else self.ante

    @property
    def folded(self) -> bool:
        return self.raised is False


def laid_out(layout: Iterable[Stake]) -> tuple[Box, ...]:
    """The boxes with an ante, from box 1 on. A jackpot stake plays for its bettor, wherever it was laid (R14)."""
    stakes = tuple(layout)
    jackpots = {stake.by: stake.bet for stake in reversed(stakes) if stake.spot == JACKPOT}
    boxes = [
        Box(stake.box, stake.by, stake.bet, stake.amount, jackpots.get(stake.by))
        for stake in stakes
        if stake.spot == ANTE and stake.box is not None
    ]
    return tuple(sorted(boxes, key=lambda box: box.number))
