"""What may be bet (3(2), 13, 20(1)(2), R15), asked of options and layout; and what is taken down at the end of it."""

from __future__ import annotations

from collections.abc import Iterator

from tables.games.contract.actions import PlaceBet
from tables.games.contract.errors import Refused
from tables.games.contract.round import BetOffer, Refusal, Stake
from tables.games.shared import limits
from tables.games.shared.stakes import Stakes
from tables.games.values.money import CREDIT
from tables.games.values.words import Note, say

from .bets import MAIN, SIDES, SPOTS
from .options import Options


def is_sold(options: Options, spot: str) -> bool:
    """Whether the house offers this bet."""
    return spot == MAIN or SIDES[spot] in options.side_bets_offered


def least_bet(options: Options, spot: str) -> int:
    """The smallest legal bet on a spot, in cents."""
    return limits.least_above(options.min_bet, spot)


def check_bet(options: Options, layout: Stakes, bet: PlaceBet) -> None:
    """Raise Refused unless this bettor may place this bet now; a second one adds to the stake that lies there."""
    if bet.spot not in SPOTS:
        raise Refused("13", say("There is no such bet"))
    if not is_sold(options, bet.spot):
        raise Refused(SPOTS[bet.spot].article, say("%(bet)s is not offered here", bet=SPOTS[bet.spot].title))
    if bet.box is None or not 1 <= bet.box <= options.boxes:
        raise Refused("3(1)", say("This layout has no such box"))
    limits.check_credits(bet.amount)
    already = layout.staked(bet.by, bet.spot, bet.box)
    if not already:
        limits.check_minimum(options.min_bet, bet.spot, bet.amount)
        check_place(options, layout, bet.by, bet.spot, bet.box)
    limits.check_maximum(options.max_bet, bet.spot, already, bet.amount)


def check_place(options: Options, layout: Stakes, who: str, spot: str, box: int) -> None:
    """Raise Refused unless the bettor may begin a stake there."""
    if spot == MAIN:
        if len(layout.on(MAIN, box)) >= options.max_bettors_per_box:
            raise Refused("20(1)(2)", say("Box %(box)s is full", box=box))
        if len(boxes_of(layout, who)) >= options.max_boxes_per_player:
            raise Refused("3(2)", say("One bettor plays at most %(most)s boxes", most=options.max_boxes_per_player))
        return
    for other, kind in SIDES.items():
        if layout.staked(who, other, box) and (options.one_side_bet_only or kind == SIDES[spot]):
            raise Refused("13", say("Only one type of side bet on each box"))


def boxes_of(layout: Stakes, who: str) -> list[int]:
    """The boxes on which a bettor has a main stake."""
    return [stake.box for stake in layout.of_bettor(who) if stake.spot == MAIN and stake.box is not None]


def offers(options: Options, layout: Stakes, who: str) -> Iterator[BetOffer]:
    """The bets that would be accepted, as ranges."""
    for spot in SPOTS:
        if not is_sold(options, spot):
            continue
        fresh = least_bet(options, spot)
        for box in range(1, options.boxes + 1):
            already = layout.staked(who, spot, box)
            least, room = CREDIT if already else fresh, limits.room_under(options.max_bet, spot, already)
            if room is not None:
                room -= room % CREDIT
                if room < least:
                    continue
            if not already:
                try:
                    check_place(options, layout, who, spot, box)
                except Refused:
                    continue
            yield BetOffer(spot, least, room, CREDIT, box)


def check_lower(options: Options, stake: Stake, amount: int) -> None:
    """Raise Refused unless `amount` cents may be taken off the stake."""
    limits.check_credits(amount)
    limits.check_credits(stake.amount - amount)
    limits.check_minimum(options.min_bet, stake.spot, stake.amount - amount)


def may_lower(options: Options, stake: Stake) -> bool:
    """Whether at least a credit may be taken off the stake."""
    return stake.amount - CREDIT >= least_bet(options, stake.spot)


def closed(layout: Stakes) -> tuple[Stakes, tuple[Refusal, ...]]:
    """The layout when betting has closed, and the side bets that were taken down to get there (R15)."""
    refusals = tuple(_lone(layout))
    return (layout.without(*(refusal.bet for refusal in refusals)) if refusals else layout), refusals


def _lone(layout: Stakes) -> Iterator[Refusal]:
    for stake in layout:
        if stake.spot == MAIN:
            continue
        if not layout.on(MAIN, stake.box):
            yield Refusal(stake.bet, stake.by, Note("R15", say("A side bet needs a main bet on its box")))
        elif not layout.staked(stake.by, MAIN):
            yield Refusal(stake.bet, stake.by, Note("R15", say("A side bet needs a main bet of your own")))
