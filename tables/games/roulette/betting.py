"""What may be bet (rulebook, section 5): which spots the house offers."""

from __future__ import annotations

from tables.games.shared.open_layout import OpenLayout

from .bets import SPOTS, ZERO_COMBINATIONS, Family, Sectors
from .options import Options, ZeroCombinations


def why_unsold(options: Options, spot: str) -> str | None:
    """The ruling by which the house does not offer this bet; None if it does (R-A2, R-A3, R-A11)."""
    family = SPOTS[spot].family
    if family not in options.enabled_bets:
        return "R-A11"
    if spot in ZERO_COMBINATIONS:
        return None if options.zero_combinations is ZeroCombinations.ALLOWED else "R-A2"
    offered = {
        Family.SECTOR9: options.sector_definition is not Sectors.OFF,
        Family.SECTOR12: options.sector_definition is Sectors.WHEEL_ARCS,
    }
    return None if offered.get(Family(family), True) else "R-A3"


LAYOUT = OpenLayout(SPOTS, "7", why_unsold)
