"""What may be bet, changed and kept: the articles on stakes (12 to 16), asked of options, seats and layout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import lcm

from tables.games.contract.actions import PlaceBet
from tables.games.contract.errors import Refused
from tables.games.contract.game import Imbalance
from tables.games.contract.round import Refusal, Stake
from tables.games.contract.view import Menu
from tables.games.shared import limits
from tables.games.shared.options import amount_for
from tables.games.shared.stakes import Stakes
from tables.games.values.money import CREDIT
from tables.games.values.words import Amount, Note, say

from .bets import MAINS, PAIRS, SPOTS
from .coup import BANKER, PLAYER, Hand
from .options import Options, TiePolicy

MENUS: Mapping[TiePolicy, Menu] = {
    TiePolicy.FREE: Menu(withdraw=True, lower=True, move=True),
    TiePolicy.NO_REDUCE: Menu(move=True),
    TiePolicy.NO_MOVE: Menu(),
    TiePolicy.RETURN: Menu(withdraw=True),  # it lies there from a shoe with another policy
}


_SIDES = {BANKER.value: 1, PLAYER.value: -1}
"""The two sides of article 14, by the sign they have in the difference."""


LONE_PAIR = Note("13(4)", say("A pair bet needs a stake on Player, Banker or Tie"))


@dataclass(frozen=True, slots=True)
class Trim:
    """A stake that was lowered by `amount` cents to `left` when betting closed; at 0 it is gone."""

    bet: str
    by: str
    spot: str
    amount: int
    left: int
    why: Note


@dataclass(frozen=True, slots=True)
class Closing:
    """What the dealer did when betting closed."""

    refusals: tuple[Refusal, ...] = ()
    trims: tuple[Trim, ...] = ()


# ── What is a legal bet ─────────────────────────────────────────────────────────────────────────────────────


def is_sold(options: Options, spot: str) -> bool:
    """Whether the house offers this bet."""
    if spot in PAIRS:
        return options.pairs_enabled
    return spot != "lucky_six" or options.lucky_six


def step(options: Options, spot: str) -> int:
    """Legal bets on a spot are multiples of this many cents."""
    if spot == BANKER and options.banker_multiple_of_min:
        return lcm(CREDIT, amount_for(options.min_bet, spot) or CREDIT)
    return CREDIT


def least_bet(options: Options, spot: str) -> int:
    """The smallest legal bet on a spot, in cents."""
    return limits.least_above(options.min_bet, spot, step(options, spot))


def legal(options: Options, spot: str, amount: int) -> int:
    """The highest legal bet on a spot that is not above `amount`; possibly 0."""
    by = step(options, spot)
    amount -= amount % by
    return amount if amount >= least_bet(options, spot) else 0


def room_in_limit(options: Options, layout: Stakes, spot: str) -> int | None:
    """What article 14 still lets anybody add on a spot, in cents; None if it sets no bound (B-A8)."""
    if options.imbalance_limit is None or spot not in _SIDES:
        return None
    ahead = _difference(layout) * _SIDES[spot]
    return max(options.imbalance_limit, abs(ahead)) - ahead


def _difference(layout: Stakes) -> int:
    return layout.total(BANKER) - layout.total(PLAYER)


def imbalance(options: Options, layout: Stakes, trims: Sequence[Trim]) -> Imbalance | None:
    """How far Banker and Player are apart, and how far article 14 lets them; None if it sets no bound."""
    if options.imbalance_limit is None:
        return None
    difference = abs(_difference(layout))
    return Imbalance(difference, options.imbalance_limit, bool(trims) or difference >= options.imbalance_limit)


def room(options: Options, layout: Stakes, who: str, spot: str) -> int | None:
    """The most that a bettor may still add on a spot, in cents; None if nothing bounds it."""
    under_maximum = limits.room_under(options.max_bet, spot, layout.staked(who, spot))
    bounds = [bound for bound in (under_maximum, room_in_limit(options, layout, spot)) if bound is not None]
    return max(0, min(bounds)) if bounds else None


def check_legal(options: Options, spot: str, amount: int) -> None:
    """Raise Refused unless `amount` cents are by themselves a legal bet on the spot."""
    limits.check_credits(amount)
    limits.check_minimum(options.min_bet, spot, amount)
    if spot == BANKER and amount % step(options, spot):
        least = amount_for(options.min_bet, spot) or 0
        raise Refused("note 1", say("Stakes on the Banker are multiples of %(least)s", least=Amount(least)))


def check_maximum(options: Options, layout: Stakes, who: str, spot: str, amount: int) -> None:
    """Raise Refused if `amount` more cents bring the bettor over the maximum of the spot, box and common area."""
    limits.check_maximum(options.max_bet, spot, layout.staked(who, spot), amount)


def check_difference(options: Options, layout: Stakes, spot: str, amount: int, leaving: str = "") -> None:
    """Raise Refused if `amount` cents on `spot` (taken from the spot `leaving`) leave too large a difference.

    Article 14, section 4.4 (a): above the limit and larger than before. Taking a stake off the two sides is not
    refused; what it unbalances is trimmed when betting closes.
    """
    if options.imbalance_limit is None or spot not in _SIDES:
        return
    before = _difference(layout)
    weight = abs(_SIDES[spot] - _SIDES.get(leaving, 0))
    after = before + amount * weight * _SIDES[spot]
    if abs(after) > options.imbalance_limit and abs(after) > abs(before):
        raise Refused(
            "14",
            say(
                "The difference between Banker and Player is limited to %(limit)s; %(open)s may still be added here",
                limit=Amount(options.imbalance_limit),
                open=Amount((room_in_limit(options, layout, spot) or 0) // weight),
            ),
        )


# ── Placing and changing stakes ─────────────────────────────────────────────────────────────────────────────


def check_bet(options: Options, seats: Mapping[str, int], layout: Stakes, bet: PlaceBet) -> None:
    """Raise Refused unless this bettor may place this bet now."""
    if bet.spot not in SPOTS:
        raise Refused("13", say("There is no such bet"))
    if not is_sold(options, bet.spot):
        raise Refused(SPOTS[bet.spot].article, say("%(bet)s is not offered here", bet=SPOTS[bet.spot].title))
    if bet.box is not None:
        if not 1 <= bet.box <= options.seats:
            raise Refused("1(5)", say("This layout has no box %(box)s", box=bet.box))
        if seats.get(bet.by) != bet.box:
            raise Refused("15", say("Box %(box)s belongs to the bettor seated there", box=bet.box))
    check_legal(options, bet.spot, bet.amount)
    check_maximum(options, layout, bet.by, bet.spot, bet.amount)
    check_difference(options, layout, bet.spot, bet.amount)


def menu(options: Options, stake: Stake) -> Menu:
    """What may be done with this stake: anything with a fresh one, what the tie policy lets with a carried one."""
    return MENUS[options.tie_policy] if stake.carried else _FRESH


_FRESH = Menu(withdraw=True, lower=True, move=True)


def check_withdraw(options: Options, stake: Stake) -> None:
    """Raise Refused if the stake must stay (12(1))."""
    if not menu(options, stake).withdraw:
        raise Refused("12(1)", say("After a tie this stake may not be withdrawn"))


def check_lower(options: Options, stake: Stake, amount: int) -> None:
    """Raise Refused unless `amount` cents may be taken off the stake (12(3)(1))."""
    if not menu(options, stake).lower:
        raise Refused("12(3)(1)", say("After a tie this stake may not be reduced"))
    limits.check_credits(amount)
    check_legal(options, stake.spot, stake.amount - amount)


def least_lowering(options: Options, stake: Stake) -> int:
    """The least that may be taken off the stake, in cents; 0 if it may not be lowered."""
    if not menu(options, stake).lower:
        return 0
    left = legal(options, stake.spot, stake.amount - CREDIT)
    return stake.amount - left if left else 0


def check_move(options: Options, layout: Stakes, stake: Stake, spot: str) -> None:
    """Raise Refused unless the stake, whole, may lie on `spot` instead (12(3)(2)): there it is a bet like any other."""
    if spot == stake.spot:
        raise Refused("", say("The stake lies there already"))
    if not menu(options, stake).move or (stake.carried and spot not in _SIDES):
        raise Refused("12(3)(2)", say("After a tie this stake may not be moved there"))
    if spot not in SPOTS or not is_sold(options, spot):
        raise Refused("13", say("There is no such bet"))
    check_legal(options, spot, stake.amount)
    check_maximum(options, layout, stake.by, spot, stake.amount)
    check_difference(options, layout, spot, stake.amount, leaving=stake.spot)


def targets(options: Options, layout: Stakes, stake: Stake) -> tuple[str, ...]:
    """The spots to which the stake may be moved."""
    found = []
    for spot in SPOTS:
        try:
            check_move(options, layout, stake, spot)
        except Refused:
            continue
        found.append(spot)
    return tuple(found)


def targets_of(options: Options, layout: Stakes, stakes: Iterable[Stake]) -> list[tuple[str, ...]]:
    """The same of each of one bettor's stakes: equal ones go to the same spots."""
    found: dict[tuple[str, int, bool], tuple[str, ...]] = {}
    of_each = []
    for stake in stakes:
        kind = stake.spot, stake.amount, stake.carried
        if kind not in found:
            found[kind] = targets(options, layout, stake)
        of_each.append(found[kind])
    return of_each


def withdrawn(options: Options, layout: Stakes, stake: Stake) -> Stakes:
    """The layout without the stake, and without the pair bets that went with the last main bet (B-A5)."""
    layout = layout.without(stake.bet)
    if not options.pair_requires_main or stake.spot not in MAINS or has_main(layout, stake.by):
        return layout
    return layout.without(*(other.bet for other in layout.of_bettor(stake.by) if other.spot in PAIRS))


def has_main(layout: Stakes, who: str) -> bool:
    """Whether the bettor has a stake that a pair bet can go with, carried ones included (B-A5)."""
    return any(layout.staked(who, spot) for spot in MAINS)


# ── Closing ─────────────────────────────────────────────────────────────────────────────────────────────────


def closed(options: Options, layout: Stakes) -> tuple[Stakes, Closing]:
    """The layout when betting has closed, and what the dealer took down to get there.

    Pair bets without a main bet are refused first, then the heavier side is trimmed to the limit of article 14; a
    main stake that is trimmed to nothing keeps its pair bets.
    """
    refusals = tuple(_lone_pairs(options, layout))
    if refusals:
        layout = layout.without(*(refusal.bet for refusal in refusals))
    trims: dict[str, Trim] = {}
    while (excess := _excess(options, layout)) > 0:
        layout = _trimmed(options, layout, excess, trims)
    return layout, Closing(refusals, tuple(trims.values()))


def _lone_pairs(options: Options, layout: Stakes) -> list[Refusal]:
    if not options.pair_requires_main:
        return []
    with_main = {who for spot in MAINS for who in layout.on(spot)}
    lone = [stake for stake in layout if stake.spot in PAIRS and stake.by not in with_main]
    return [Refusal(stake.bet, stake.by, LONE_PAIR) for stake in lone]


def _excess(options: Options, layout: Stakes) -> int:
    """Cents by which the difference between Banker and Player is above the limit."""
    if options.imbalance_limit is None:
        return 0
    return abs(_difference(layout)) - options.imbalance_limit


def _trimmed(options: Options, layout: Stakes, excess: int, trims: dict[str, Trim]) -> Stakes:
    """One pass over the heavier side, newest first and fresh before carried.

    What is left of a stake must be a legal bet, so a pass may take more than the excess; should that leave the other
    side too heavy, another pass follows.
    """
    side = BANKER if _difference(layout) > 0 else PLAYER
    newest = [stake for stake in reversed(layout) if stake.spot == side]
    for stake in sorted(newest, key=lambda stake: stake.carried):
        if excess <= 0:
            break
        left = legal(options, side, max(0, stake.amount - excess))
        taken = stake.amount - left
        excess -= taken
        layout = layout.changed(stake.bet, left)
        before = trims.get(stake.bet)
        trims[stake.bet] = Trim(
            stake.bet,
            stake.by,
            side,
            taken + (before.amount if before else 0),
            left,
            Note(
                "14",
                say(
                    "The difference between Banker and Player is limited: %(amount)s returned",
                    amount=Amount(taken + (before.amount if before else 0)),
                ),
            ),
        )
    return layout


def holder(options: Options, seats: Mapping[str, int], layout: Stakes, hand: Hand) -> str | None:
    """Who holds a hand: the seated bettor with the largest stake on it, of equal ones the first there (16(2), B-A9)."""
    if not options.hold_cards or options.by_machine:
        return None
    holder, largest = None, 0
    for who, amount in layout.on(hand).items():
        if amount > largest and who in seats:
            holder, largest = who, amount
    return holder
