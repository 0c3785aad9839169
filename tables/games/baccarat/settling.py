"""What becomes of each stake (articles 11, 12, 17 and 18), in words and cents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tables.games.contract.round import Payout, Stake
from tables.games.shared.stakes import Stakes, voided
from tables.games.values.cards import is_pair, points
from tables.games.values.money import Odds, commission
from tables.games.values.words import Note, Words, say

from .bets import BANKER_SIX, COMMISSION_PERCENT, LUCKY_SIX, SPOTS
from .coup import BANKER, PLAYER, Coup, Hand, Winner
from .options import CommissionMode, Options, TiePolicy


@dataclass(frozen=True, slots=True)
class Terms:
    """How the round ends for one spot: what a stake wins (None: it is lost), or that it is a push; and why."""

    why: Note
    odds: Odds | None = None
    percent: int = 0
    push: bool = False
    carries: bool = False


def payouts(options: Options, layout: Stakes, coup: Coup | None) -> tuple[Payout, ...]:
    """What became of each stake on the layout, oldest first; without a coup the round is void (B-A12)."""
    if coup is None:
        return voided(layout, RETURNED, STAYS)
    by_spot = terms(options, coup)
    return tuple([_paid(stake, by_spot[stake.spot]) for stake in layout])


def terms(options: Options, coup: Coup) -> Mapping[str, Terms]:
    """How the round ends for every spot. The thousands of ends that there are, are told once each."""
    player, banker = coup.player, coup.banker
    end = (
        *(options.commission_mode, options.tie_policy, len(banker)),
        *(points(player), points(banker), is_pair(player), is_pair(banker)),
    )
    if end not in _TERMS:
        _TERMS[end] = {
            "player": _side(options, coup, PLAYER),
            "banker": _side(options, coup, BANKER),
            "tie": _tie(coup),
            "player_pair": _pair(coup, PLAYER),
            "banker_pair": _pair(coup, BANKER),
            "lucky_six": _lucky_six(coup),
        }
    return _TERMS[end]


_TERMS: dict[tuple[object, ...], Mapping[str, Terms]] = {}
"""By all that the ends of the spots depend on: two options, the points, the pairs, and the Banker's number of cards."""


def _side(options: Options, coup: Coup, side: Hand) -> Terms:
    winner = coup.winner()
    if winner is Winner.TIE:
        return _push(options, coup)
    if winner.value != side.value:
        return Terms(Note("11", result(coup)))
    if side is Hand.PLAYER:
        return Terms(Note("17", result(coup)), SPOTS[side].odds[0])
    if options.commission_mode is CommissionMode.FIVE_PERCENT:
        why = say(
            "%(result)s, less a commission of %(percent)s per cent", result=result(coup), percent=COMMISSION_PERCENT
        )
        return Terms(Note("18(1)", why), SPOTS[side].odds[0], COMMISSION_PERCENT)
    if coup.points(Hand.BANKER) == 6:
        return Terms(Note("18(2)", say("The Banker wins with 6: half is paid, without commission")), BANKER_SIX)
    return Terms(Note("18(2)", say("%(result)s, without commission", result=result(coup))), SPOTS[side].odds[0])


def _push(options: Options, coup: Coup) -> Terms:
    total = coup.points(Hand.PLAYER)
    if options.tie_policy is TiePolicy.RETURN:
        return Terms(Note("12(1)", say("Tie at %(total)s: the stake is returned", total=total)), push=True)
    why = say("Tie at %(total)s: the stake stays for the next round", total=total)
    return Terms(Note("12", why), push=True, carries=True)


def _tie(coup: Coup) -> Terms:
    if coup.winner() is Winner.TIE:
        return Terms(Note("17", result(coup)), SPOTS["tie"].odds[0])
    return Terms(Note("11", result(coup)))


def _pair(coup: Coup, hand: Hand) -> Terms:
    if coup.is_pair(hand):
        return Terms(Note("17", say("The first two cards of the hand are a pair")), SPOTS[f"{hand}_pair"].odds[0])
    return Terms(Note("13(4)", say("The first two cards of the hand are no pair")))


def _lucky_six(coup: Coup) -> Terms:
    if coup.winner() is Winner.BANKER and coup.points(Hand.BANKER) == 6:
        count = len(coup.banker)
        return Terms(Note("17(5)", say("The Banker wins with 6 in %(count)s cards", count=count)), LUCKY_SIX[count])
    return Terms(Note("13(1)(4)(3)", say("The Banker does not win with 6")))


def result(coup: Coup) -> Words:
    """Who won, in words."""
    player, banker = coup.points(Hand.PLAYER), coup.points(Hand.BANKER)
    match coup.winner():
        case Winner.PLAYER:
            return say("Player wins, %(player)s to %(banker)s", player=player, banker=banker)
        case Winner.BANKER:
            return say("Banker wins, %(banker)s to %(player)s", player=player, banker=banker)
        case Winner.TIE:
            return say("Tie at %(total)s", total=player)


def _paid(stake: Stake, end: Terms) -> Payout:
    returned = carried = fee = 0
    if end.push:
        returned, carried = (0, stake.amount) if end.carries else (stake.amount, 0)
    elif end.odds is not None:
        prize = end.odds.prize(stake.amount)
        fee = commission(prize, end.percent)
        returned = stake.amount + prize - fee
    return Payout(stake.bet, stake.by, stake.spot, stake.amount, returned, end.why, carried, fee)


RETURNED = Note("10", say("The round is void: the stake is returned"))
STAYS = Note("10", say("The round is void: the stake stays for the next round"))
