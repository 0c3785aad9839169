"""What may be bet, changed and kept: the articles on stakes (4, 7 and 8), asked of options, seats and layout."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from tables.games.contract.actions import Move, PlaceBet
from tables.games.contract.errors import Refused
from tables.games.contract.round import BetOffer, Refusal, Stake
from tables.games.contract.view import Menu
from tables.games.shared import limits
from tables.games.shared.stakes import Stakes
from tables.games.values.money import CREDIT
from tables.games.values.words import Note, say

from .bets import EVEN, ODD, PLACE, SPOTS, TIE
from .options import Options

FRESH = Menu(withdraw=True, lower=True, move=True)
LOCKED = Menu()
"""A locked stake may only be added to (7(2), 8(1))."""

LONE_TIE = Note("8(3)", say("A tie bet needs a place bet on its place"))


# ── What is a legal bet ─────────────────────────────────────────────────────────────────────────────────────


def is_sold(options: Options, spot: str) -> bool:
    """Whether the house offers this bet."""
    match spot:
        case "place":
            return True
        case "tie":
            return options.tie_enabled
        case "odd" | "even":
            return options.odd_even_enabled
        case _:
            return options.numbers_enabled


def least_bet(options: Options, spot: str) -> int:
    """The smallest legal bet on a spot, in cents."""
    return limits.least_above(options.min_bet, spot)


def barred(options: Options, seats: Collection[str], who: str) -> Note | None:
    """Why this bettor may not bet at all: they occupy no place, and the house lets nobody else."""
    if who in seats or options.standing_bets:
        return None
    return Note("4(2)", say("Only bettors who occupy a place may bet here"))


def check_bet(options: Options, seats: Collection[str], layout: Stakes, bet: PlaceBet) -> None:
    """Raise Refused unless this bettor may place this bet now; with what lies there it may not pass the maximum."""
    check_spot(options, bet.spot, bet.box)
    if why := barred(options, seats, bet.by):
        raise Refused(why.article, why.words)
    limits.check_credits(bet.amount)
    limits.check_minimum(options.min_bet, bet.spot, bet.amount)
    limits.check_maximum(options.max_bet, bet.spot, layout.staked(bet.by, bet.spot, bet.box), bet.amount)


def check_spot(options: Options, spot: str, box: int | None) -> None:
    """Raise Refused unless there is such a spot here, at such a place, and it is sold."""
    if spot not in SPOTS:
        raise Refused("9", say("There is no such bet"))
    if not is_sold(options, spot):
        raise Refused(SPOTS[spot].article, say("%(bet)s is not offered here", bet=SPOTS[spot].title))
    if not SPOTS[spot].boxed:
        if box is not None:
            raise Refused("8(1)", say("This bet belongs to the banker's cards, not to a place"))
    elif box is None or not 1 <= box <= options.player_places:
        raise Refused("4(1)", say("This table has no such place"))


def is_lone_tie(layout: Stakes, spot: str, box: int | None) -> bool:
    """Whether this would be a tie bet on a place on which nobody has a stake (8(3), T-A9)."""
    return spot == TIE and not layout.on(PLACE, box)


def check_tie(layout: Stakes, spot: str, box: int | None) -> None:
    """Raise Refused for a tie bet on a place on which there are no bets already."""
    if is_lone_tie(layout, spot, box):
        raise Refused(LONE_TIE.article, LONE_TIE.words)


def lone_ties(layout: Stakes) -> Iterator[Stake]:
    """The tie bets on places on which nobody has a stake."""
    return (stake for stake in layout if is_lone_tie(layout, stake.spot, stake.box))


def offers(options: Options, seats: Collection[str], layout: Stakes, who: str) -> Iterator[BetOffer]:
    """The bets that would be accepted, as ranges."""
    if barred(options, seats, who):
        return
    for spot, box in spots(options):
        least, room = least_bet(options, spot), limits.room_under(options.max_bet, spot, layout.staked(who, spot, box))
        if room is not None:
            room -= room % CREDIT
            if room < least:
                continue
        yield BetOffer(spot, least, room, CREDIT, box)


def spots(options: Options) -> Iterator[tuple[str, int | None]]:
    """Every spot that is sold, at every place where it belongs to one."""
    for name, spot in SPOTS.items():
        if is_sold(options, name):
            yield from ((name, box) for box in (range(1, options.player_places + 1) if spot.boxed else (None,)))


# ── Changing stakes ─────────────────────────────────────────────────────────────────────────────────────────


def menu(stake: Stake) -> Menu:
    """What may be done with this stake: anything with a fresh one, nothing with a locked one."""
    return LOCKED if stake.carried else FRESH


def check_fresh(stake: Stake) -> None:
    """Raise Refused if the stake is locked (7(2), 8(1))."""
    if stake.carried:
        raise Refused(
            "8(1)" if stake.spot in (ODD, EVEN) else "7(2)",
            say("This stake is locked: it may be added to, not taken back, lowered or moved"),
        )


def check_lower(options: Options, stake: Stake, amount: int) -> None:
    """Raise Refused unless `amount` cents may be taken off the stake."""
    check_fresh(stake)
    limits.check_credits(amount)
    limits.check_credits(stake.amount - amount)
    limits.check_minimum(options.min_bet, stake.spot, stake.amount - amount)


def may_lower(options: Options, stake: Stake) -> bool:
    """Whether at least a credit may be taken off the stake."""
    return not stake.carried and stake.amount - CREDIT >= least_bet(options, stake.spot)


def check_move(options: Options, seats: Collection[str], layout: Stakes, stake: Stake, move: Move) -> None:
    """Raise Refused unless the stake, whole, may lie there instead: it is a bet like any other."""
    check_fresh(stake)
    if (move.spot, move.box) == (stake.spot, stake.box):
        raise Refused("", say("The stake lies there already"))
    check_bet(options, seats, layout, PlaceBet(stake.by, stake.bet, move.spot, stake.amount, move.box))


def moves(stake: Stake, bets: Iterable[BetOffer]) -> Iterator[Move]:
    """The moves of a fresh stake that would be accepted: to wherever a bet of its amount would be, by these offers."""
    for offer in bets:
        fits = offer.least <= stake.amount and (offer.most is None or stake.amount <= offer.most)
        if fits and (offer.spot, offer.box) != (stake.spot, stake.box):
            yield Move(stake.by, bet=stake.bet, spot=offer.spot, box=offer.box)


# ── Closing ─────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Closing:
    """What the dealer found when betting closed: who sat where, which places are dealt in, and what was taken down."""

    seats: Mapping[str, int]
    places: tuple[int, ...]
    refusals: tuple[Refusal, ...]


def closed(options: Options, occupants: Collection[str], layout: Stakes) -> tuple[Stakes, tuple[Refusal, ...]]:
    """The layout when betting has closed, and what the dealer took down to get there.

    First what standing bettors may not have, then ties on places where no place bet is left.
    """
    standing = tuple(_standing(options, occupants, layout))
    layout = layout.without(*(refusal.bet for refusal in standing))
    lone = tuple(Refusal(stake.bet, stake.by, LONE_TIE) for stake in lone_ties(layout))
    return layout.without(*(refusal.bet for refusal in lone)), (*standing, *lone)


def _standing(options: Options, occupants: Collection[str], layout: Stakes) -> Iterator[Refusal]:
    """A standing bettor's place bet needs an occupant's or a locked stake on that place; or they may not bet at all."""
    played = {stake.box for stake in layout if stake.spot == PLACE and (stake.carried or stake.by in occupants)}
    for stake in layout:
        if stake.carried or stake.by in occupants:
            continue
        if why := barred(options, occupants, stake.by):
            yield Refusal(stake.bet, stake.by, why)
        elif stake.spot == PLACE and stake.box not in played:
            why = Note("T-A12", say("A standing bettor bets only on a place that is played"))
            yield Refusal(stake.bet, stake.by, why)
