"""What becomes of each stake (CS-8 to CS-10), in words and cents."""

from __future__ import annotations

from collections.abc import Mapping

from tables.games.shared.open_layout import Terms
from tables.games.values.money import Odds
from tables.games.values.words import Note, Words, say

from .bets import BETS, WON, Kind
from .dice import Result
from .options import Options
from .phases import Spoilt

BEATEN_BY_TRIPLES = (Kind.BIG, Kind.SMALL, Kind.ODD, Kind.EVEN)


def terms(options: Options, spot: str, result: Result) -> Terms:
    """How the round ends for a spot."""
    odds = WON[result.dice].get(spot)
    if odds is None:
        return Terms(_lost(BETS[spot].kind, result))
    if options.auto_leave_winners:
        why = say("%(result)s: the prize is paid, the stake stays on its spot", result=announced(result))
        return Terms(Note("stays", why), odds, stays=True)
    return Terms(_won(BETS[spot].kind, result, odds), odds)


def announced(result: Result) -> Words:
    """The result as the dealer calls it."""
    a, b, c = result.dice
    if result.triple:
        return say("Triple %(number)s, total %(total)s", number=a, total=result.total)
    return say("%(a)s, %(b)s, %(c)s, total %(total)s", a=a, b=b, c=c, total=result.total)


def _won(kind: Kind, result: Result, odds: Odds) -> Note:
    """What a winning bet is paid by: on dice that are alike there are rulings beside the table of odds."""
    shown, win = announced(result), odds.win
    match kind:
        case Kind.TOTAL if result.triple:
            return Note(
                "C-A2", say("%(result)s: the total wins on a triple too, %(odds)s to 1", result=shown, odds=win)
            )
        case Kind.DOUBLE if result.triple:
            return Note("C-A3", say("%(result)s: the double wins once, %(odds)s to 1", result=shown, odds=win))
        case Kind.SINGLE if result.triple:
            return Note("C-A4", say("%(result)s: three dice show the number, %(odds)s to 1", result=shown, odds=win))
        case Kind.PAIR if result.alike:
            return Note("C-A5", say("%(result)s: both numbers show, %(odds)s to 1 once", result=shown, odds=win))
        case Kind.TRIPLE | Kind.ANY_TRIPLE:
            return Note("CS-10", say("%(result)s: the stake wins %(odds)s to 1", result=shown, odds=win))
        case Kind.FOUR:
            return Note("C-A7", say("%(result)s: three of the four numbers, %(odds)s to 1", result=shown, odds=win))
        case _:
            return Note("CS-8", say("%(result)s: the stake wins %(odds)s to 1", result=shown, odds=win))


def _lost(kind: Kind, result: Result) -> Note:
    shown = announced(result)
    if result.triple and kind in BEATEN_BY_TRIPLES:
        return Note("CS-9", say("%(result)s: any triple beats this bet", result=shown))
    if kind is Kind.FOUR and result.alike:
        return Note("C-A7", say("%(result)s: the numbers are not three different ones", result=shown))
    return Note("CS-8", say("%(result)s: the stake loses", result=shown))


RETURNED: Mapping[Spoilt | None, Note] = {
    Spoilt.COCKED: Note("C-A10", say("Cocked dice decide nothing: the stake is returned")),
    Spoilt.STACKED: Note("C-A10", say("Stacked dice decide nothing: the stake is returned")),
    Spoilt.SEEN: Note("seen", say("The dice were seen before the bell: the stake is returned")),
    Spoilt.BROKEN: Note("broken", say("A die is broken or has left the dome: the stake is returned")),
    None: Note("void", say("The round is void: the stake is returned")),
}
"""Why a fresh stake comes back, by what has spoilt the dice."""

STAYS = Note("void", say("The round is void: the stake stays on its spot"))
