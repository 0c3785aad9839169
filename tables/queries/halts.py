"""Whether new rounds are stopped: of a game, or on the whole floor."""

from __future__ import annotations

from tables.models import Halt


def halted_games() -> set[str]:
    """The games whose new rounds are stopped now; "" among them for the whole floor."""
    return set(Halt.objects.filter(ended_at=None).values_list("game", flat=True))


def is_halted(game: str) -> bool:
    """Whether no round of this game may be begun now."""
    return Halt.objects.filter(ended_at=None, game__in=("", game)).exists()
