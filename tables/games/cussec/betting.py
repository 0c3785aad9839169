"""What may be bet (rulebook, section 4): which spots the house offers."""

from __future__ import annotations

from tables.games.shared.open_layout import OpenLayout

from .bets import BETS, SPOTS, Kind
from .options import Options


def why_unsold(options: Options, spot: str) -> str | None:
    """The ruling by which the house does not offer this bet; None if it does (C-A6, C-A8)."""
    match BETS[spot].kind:
        case Kind.ODD | Kind.EVEN if not options.odd_even_enabled:
            return SPOTS[spot].article
        case Kind.FOUR if not options.four_numbers_enabled:
            return SPOTS[spot].article
        case _:
            return None


LAYOUT = OpenLayout(SPOTS, "CS-3", why_unsold)
