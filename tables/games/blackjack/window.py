"""The early window: what everybody is asked at the same time, before the turns (10(3), 12(1), 18)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tables.games.contract.actions import Action
from tables.games.contract.errors import Refused
from tables.games.values.cards import Card
from tables.games.values.words import Amount, say

from . import bank
from .boxes import Box
from .options import Options, SurrenderTiming
from .phases import EvenMoney, Insurance, Surrender
from .turns import allow, why_no_surrender


@dataclass(frozen=True, slots=True)
class Window:
    """Who has nothing more to say, and whether the window is over."""

    ready: frozenset[str] = frozenset()
    over: bool = False


# ── Who is asked, and what ──────────────────────────────────────────────────────────────────────────────────


def asked(options: Options, up: Card, boxes: Sequence[Box], window: Window) -> tuple[str, ...]:
    """Who still has something to answer, in the order of the boxes.

    Where cards lie face down, everybody who could be asked is asked, whatever they hold: so the question tells nothing.
    """
    if window.over:
        return ()
    return tuple(
        dict.fromkeys(
            bettor.who
            for box in boxes
            for bettor in box.bettors
            if bettor.who not in window.ready and is_asked_about(options, up, box, bettor.who)
        )
    )


def is_asked_about(options: Options, up: Card, box: Box, who: str) -> bool:
    """Whether the bettor is asked something about their stake on this box."""
    if not options.face_down:
        return next(choices_on(options, up, box, who), None) is not None
    if box.surrendered or who in box.even or who in box.insured:
        return False
    return bank.may_have_blackjack(up) or _may_surrender(options, up, box, who)


def choices_on(options: Options, up: Card, box: Box, who: str) -> Iterator[Action]:
    """What a bettor may answer about their stake on one box; an insurance is offered at its least amount."""
    bettor = box.bettor(who)
    if bettor is None or box.surrendered or who in box.even or who in box.insured:
        return
    if bank.shows_ace(up):
        yield Insurance(who, box.number, least_insurance(bettor.amount))
    if box.hands[0].is_blackjack and bank.may_have_blackjack(up):
        yield EvenMoney(who, box.number)
    if _may_surrender(options, up, box, who) and why_no_surrender(options, up, box) is None:
        yield Surrender(who, box.number)


def _may_surrender(options: Options, up: Card, box: Box, who: str) -> bool:
    """Whether this bettor could give the box up in the window, its cards apart."""
    early = options.surrender_timing is SurrenderTiming.BEFORE_ANY_DRAW
    return early and not bank.shows_ace(up) and who == _decider(box)


def _decider(box: Box) -> str | None:
    """Who decides for the box before anybody has acted: whoever has taken even money is out of it."""
    return next((who for who in box.deciders if who not in box.even), None)


# ── The answers: each gives the box after it, or raises Refused ─────────────────────────────────────────────


def own(boxes: Sequence[Box], window: Window, who: str, number: int, article: str) -> Box:
    """The box on which this bettor has a main stake, while they may still answer. Raises Refused."""
    box = next((box for box in boxes if box.number == number), None)
    if box is None or box.bettor(who) is None:
        raise Refused(article, say("You have no main bet on box %(box)s", box=number))
    if who in window.ready:
        raise Refused("6(3)", say("You have said already that you want nothing more"))
    return box


def insured(options: Options, up: Card, box: Box, action: Insurance) -> Box:
    """The box with this insurance (12(1), R21)."""
    bettor = box.bettor(action.by)
    assert bettor is not None
    if not bank.shows_ace(up):
        raise Refused("12(1)", say("Insurance is offered only against an ace"))
    if action.by in box.insured:
        raise Refused("12(1)", say("This stake is insured already"))
    if action.by in box.even:
        raise Refused("R22", say("Insurance and even money exclude each other"))
    least, most = least_insurance(bettor.amount), most_insurance(options, bettor.amount)
    if not least <= action.amount <= most:
        words = say("Insurance is from %(least)s to %(most)s here", least=Amount(least), most=Amount(most))
        raise Refused("R21", words)
    return replace(box, insured={**box.insured, action.by: action.amount})


def paid_even(up: Card, box: Box, who: str) -> Box:
    """The box on which this bettor takes even money for a blackjack (10(3))."""
    if not (box.hands[0].is_blackjack and bank.may_have_blackjack(up)):
        raise Refused("10(3)", say("Even money is for a blackjack against an ace, a ten or a court card"))
    if who in box.insured:
        raise Refused("R22", say("Insurance and even money exclude each other"))
    if box.surrendered or who in box.even:
        raise Refused("10(3)", say("That is decided already"))
    return replace(box, even=box.even | {who})


def surrendered(options: Options, up: Card, box: Box, who: str) -> Box:
    """The box that its decider gives up (18, R17)."""
    allow(why_no_surrender(options, up, box))
    if who != _decider(box):
        raise Refused("20(1)", say("Another bettor decides for this box"))
    return replace(box, surrendered=True)


def least_insurance(stake: int) -> int:
    """Half the stake, in cents (12(1), R21)."""
    return -(-stake // 2)


def most_insurance(options: Options, stake: int) -> int:
    """The most that the house accepts, in cents (12(1))."""
    return int(stake * options.insurance_max_fraction)
