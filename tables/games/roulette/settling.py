"""What becomes of each stake (articles 7 and 8), in words and cents."""

from __future__ import annotations

from tables.games.shared.open_layout import Terms
from tables.games.values.words import Note, say

from .bets import SPOTS, covers
from .options import Options


def terms(options: Options, spot: str, number: int) -> Terms:
    """How the round ends for a spot: it wins if it covers the number."""
    about = SPOTS[spot]
    if number not in covers(options.sector_definition, spot):
        if number == 0:
            return Terms(Note("8", say("Zero comes up: the stake loses")))
        return Terms(Note(about.article, say("%(number)s comes up: the stake loses", number=number)))
    if options.auto_leave_winners:
        why = say("%(number)s comes up: the prize is paid, the stake stays on its spot", number=number)
        return Terms(Note("R-A12", why), about.odds[0], stays=True)
    if number == 0:
        return Terms(Note("8", say("Zero comes up: the stake wins")), about.odds[0])
    return Terms(Note(about.article, say("%(number)s comes up: the stake wins", number=number)), about.odds[0])


RETURNED = Note("void", say("The round is void: the stake is returned"))
"""Why a fresh stake comes back in a void round."""

STAYS = Note("void", say("The round is void: the stake stays on its spot"))
