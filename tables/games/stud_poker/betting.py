"""What may be staked (2, 5, 6(1) to (3), 10(1)), asked of options, seats and layout; and what is taken down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tables.games.contract.actions import PlaceBet
from tables.games.contract.errors import Refused
from tables.games.contract.round import BetOffer, Refusal, Stake
from tables.games.shared import limits
from tables.games.shared.stakes import Stakes
from tables.games.values.money import CREDIT
from tables.games.values.words import Amount, Note, say

from .bets import ANTE, JACKPOT, SPOTS
from .options import BOXES, Options


def least_ante(options: Options) -> int:
    """The smallest legal ante, in cents."""
    return limits.least_above(options.min_ante, ANTE)


def check_bet(options: Options, seats: Mapping[str, int], layout: Stakes, bet: PlaceBet) -> None:
    """Raise Refused unless this bettor may place this bet now; a second ante adds to the one that lies there."""
    if bet.spot not in SPOTS:
        raise Refused("5", say("There is no such bet"))
    if bet.box is None or not 1 <= bet.box <= BOXES:
        raise Refused("2(1)", say("This layout has no such box"))
    limits.check_credits(bet.amount)
    check_place(seats, layout, bet.by, bet.spot, bet.box)
    if bet.spot == JACKPOT:
        if bet.amount != options.jackpot_stake:
            raise Refused("jackpot", say("The jackpot stake is %(stake)s", stake=Amount(options.jackpot_stake)))
        return
    already = layout.staked(bet.by, ANTE, bet.box)
    if not already:
        limits.check_minimum(options.min_ante, ANTE, bet.amount)
    limits.check_maximum(options.max_ante, ANTE, already, bet.amount)


def check_place(seats: Mapping[str, int], layout: Stakes, who: str, spot: str, box: int) -> None:
    """Raise Refused unless the bettor may stake on this spot of this box, whatever the amount."""
    if who not in seats:
        raise Refused("seat", say("Take a seat to bet here"))
    if seats[who] != box:
        raise Refused("6(1)", say("A bettor stakes on one box only, that of their seat"))
    if any(stake.box != box and not stake.carried for stake in layout.of_bettor(who)):
        raise Refused("6(1)", say("A bettor stakes on one box only, and yours lies on another"))
    if any(other != who for other in layout.on(ANTE, box)):
        raise Refused("6(1)", say("Another bettor has staked on this box"))
    if spot == JACKPOT:
        if not layout.staked(who, ANTE, box):
            raise Refused("10(1)", say("The jackpot stake needs an ante"))
        if layout.on(JACKPOT, box) or layout.staked(who, JACKPOT):
            raise Refused("jackpot", say("There is a jackpot stake already"))


def check_carried(lying: Sequence[Stake], stake: Stake) -> None:
    """Raise Refused if a carried stake cannot lie there beside those carried stakes: only a record can say so."""
    if any(other.box == stake.box for other in lying):
        raise Refused("jackpot", say("There is a jackpot stake already"))
    if any(other.by == stake.by for other in lying):
        raise Refused("6(1)", say("A bettor stakes on one box only, and yours lies on another"))


def offers(options: Options, seats: Mapping[str, int], layout: Stakes, who: str) -> Iterator[BetOffer]:
    """The bets that would be accepted, as ranges."""
    box = seats.get(who)
    if box is None:
        return
    if _may_place(seats, layout, who, ANTE, box):
        already = layout.staked(who, ANTE, box)
        least, most = CREDIT if already else least_ante(options), options.max_ante - already
        most -= most % CREDIT
        if least <= most:
            yield BetOffer(ANTE, least, most, CREDIT, box)
    if _may_place(seats, layout, who, JACKPOT, box):
        yield BetOffer(JACKPOT, options.jackpot_stake, options.jackpot_stake, CREDIT, box)


def _may_place(seats: Mapping[str, int], layout: Stakes, who: str, spot: str, box: int) -> bool:
    try:
        check_place(seats, layout, who, spot, box)
    except Refused:
        return False
    return True


# ── Taken back, and taken down ──────────────────────────────────────────────────────────────────────────────


def check_lower(options: Options, stake: Stake, amount: int) -> None:
    """Raise Refused unless `amount` cents may be taken off the stake."""
    if stake.spot == JACKPOT:
        raise Refused("jackpot", say("The jackpot stake is one fixed amount"))
    limits.check_credits(amount)
    limits.check_credits(stake.amount - amount)
    limits.check_minimum(options.min_ante, ANTE, stake.amount - amount)


def may_lower(options: Options, stake: Stake) -> bool:
    """Whether at least a credit may be taken off the stake."""
    return stake.spot == ANTE and stake.amount - CREDIT >= least_ante(options)


def withdrawn(layout: Stakes, who: str, bet: str) -> Stakes:
    """The layout when the bettor has taken this stake back; with the ante comes the jackpot stake, which needs one."""
    stake = layout.own(who, bet)
    if stake.carried:
        raise Refused("R14", say("A carried jackpot stake stays until its bettor antes or leaves"))
    taken = [stake.bet]
    if stake.spot == ANTE:
        taken += [other.bet for other in layout.of_bettor(who) if other.spot == JACKPOT and not other.carried]
    return layout.without(*taken)


def closed(seats: Mapping[str, int], layout: Stakes) -> tuple[Stakes, tuple[Refusal, ...]]:
    """The layout when betting has closed, and the stakes of those who have left their box, which were taken down."""
    refusals = tuple(
        Refusal(stake.bet, stake.by, Note("seat", say("Its bettor has left the box before betting closed")))
        for stake in layout
        if not stake.carried and seats.get(stake.by) != stake.box
    )
    return (layout.without(*(refusal.bet for refusal in refusals)) if refusals else layout), refusals


def leaver(opening: Mapping[str, int], seats: Mapping[str, int], layout: Stakes) -> Stake | None:
    """A carried jackpot stake whose bettor was not at the table when the round opened, nor has come since (R14).

    Who leaves during the round gets theirs back when the next one opens: till then they may come back.
    """
    for stake in layout:
        if stake.carried and stake.by not in opening and stake.by not in seats:
            return stake
    return None
