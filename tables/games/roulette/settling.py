"""What becomes of each stake (articles 7 and 8), in words and cents."""

from __future__ import annotations

from dataclasses import dataclass

from tables.games.contract.round import Payout, Stake
from tables.games.shared.stakes import Stakes
from tables.games.values.money import Odds
from tables.games.values.words import Note, say

from .bets import SPOTS, covers
from .options import Options


@dataclass(frozen=True, slots=True)
class Terms:
    """How the round ends for one spot: what a stake wins (None: nothing), whether it then stays there; and why."""

    why: Note
    odds: Odds | None = None
    stays: bool = False


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


def payouts(options: Options, layout: Stakes, number: int) -> tuple[Payout, ...]:
    """What became of each stake on the layout, oldest first."""
    ends = {spot: terms(options, spot, number) for spot in {stake.spot for stake in layout}}
    return tuple(_paid(stake, ends[stake.spot]) for stake in layout)


def _paid(stake: Stake, end: Terms) -> Payout:
    returned = carried = 0
    if end.odds is not None:
        returned = end.odds.prize(stake.amount)
        if end.stays:
            carried = stake.amount
        else:
            returned += stake.amount
    return Payout(stake.bet, stake.by, stake.spot, stake.amount, returned, end.why, carried)


def voided(options: Options, layout: Stakes) -> tuple[Payout, ...]:
    """A void round gives back what was laid in it; what was left there from another stays, if anything is left here."""
    return tuple(_voided(stake, stake.carried and options.auto_leave_winners) for stake in layout)


def _voided(stake: Stake, stays: bool) -> Payout:
    if stays:
        why = Note("void", say("The round is void: the stake stays on its spot"))
        return Payout(stake.bet, stake.by, stake.spot, stake.amount, 0, why, carried=stake.amount)
    why = Note("void", say("The round is void: the stake is returned"))
    return Payout(stake.bet, stake.by, stake.spot, stake.amount, stake.amount, why)
