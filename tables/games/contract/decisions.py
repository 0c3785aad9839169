"""What a game knows of the decisions in a public record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from .actions import Action, DrawCard

RoundT = TypeVar("RoundT")


@dataclass(frozen=True, slots=True)
class Decision:
    """One item of `decisions` of the public record, read but not yet understood: `at` what place of the layout."""

    by: str
    do: str
    box: int | None = None
    hand: int = 0
    amount: int | None = None


class Decisions(Generic[RoundT]):
    """What a game knows of the decisions in a public record: by default there are none."""

    def action_of(self, round_: RoundT, item: Decision) -> Action | None:
        """The action that an item of the record is in this round; None if the game has no such decision."""
        return None

    def lets_pass(self, round_: RoundT, item: Decision, before: Sequence[Decision]) -> bool:
        """Whether whoever comes with this item lets pass what the round waits for: it takes the automatic decision.

        `before` are the items that came before it in the record, those included that were refused.
        """
        return False

    def item_of(self, round_: RoundT, action: Action) -> Decision | None:
        """How a record writes an action that was taken in this round; None if it is none of its decisions."""
        return None

    def all_decided(self, round_: RoundT) -> bool:
        """Whether nobody will be asked any more: what the round owes now is the bank's own, or the end."""
        return True

    def is_put_aside(self, round_: RoundT, draw: DrawCard) -> bool:
        """Whether this card is void as it comes out (it lay face up, or was not due): a record knows nothing of it."""
        return False
