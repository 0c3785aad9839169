"""What may be read of a shoe, of whichever scheme (docs/proof.md)."""

from __future__ import annotations

from collections.abc import Sequence

from tables.games import GAMES
from tables.models import Shoe


def opens_by_card(shoe: Shoe) -> bool:
    """Whether its cards are proven one by one, and the rest of it stays closed, since hands stay private."""
    return shoe.leaves is not None if shoe.seed_id is None else GAMES[shoe.table.game].private_hands


def leaves_of(shoe: Shoe) -> Sequence[str] | None:
    """The commitments to its single cards; None in a shoe of an earlier scheme that was committed to as a whole."""
    leaves: Sequence[str] | None = shoe.leaves if shoe.seed is None else shoe.seed.leaves
    return leaves
