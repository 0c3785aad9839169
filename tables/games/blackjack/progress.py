"""Where a round of Blackjack is: what the house owes next, who is asked, and what happens when time is up."""

from __future__ import annotations

from tables.games.contract.actions import HOUSE, Action, HouseStep, Settle, Step, Void, VoidReason
from tables.games.contract.round import Pace, Progress
from tables.games.shared.card_round import CARD

from . import bank
from .boxes import Box, open_on
from .facts import Asked, At, Facts
from .phases import Asks, Claim, Match, Pass, Pay, Phase, Proceed, Stand, TurnHole
from .settling import decided

_VOID: At = Progress.ended(Phase.VOID)
_SETTLED: At = Progress.ended(Phase.SETTLED)
_BURN: At = Progress.owing(Phase.BURN, CARD)
_BETTING: At = Progress.betting(Phase.BETTING)
_NO_MAIN_STAKE: At = Progress.owing(Phase.RESULT, Step(Void(reason=VoidReason.NO_MAIN_STAKE)))
_ROUND_BURN: At = Progress.owing(Phase.ROUND_BURN, CARD)
_DEAL: At = Progress.owing(Phase.DEAL, CARD)
_TURNS_PAY: At = Progress.owing(Phase.PLAYER_TURNS, Step(Pay()))
_TURNS_CARD: At = Progress.owing(Phase.PLAYER_TURNS, CARD)
_BANK_PAYS: At = Progress.owing(Phase.BANK_SECOND, Step(Pay()))
_BANK_TURNS: At = Progress.owing(Phase.BANK_SECOND, Step(TurnHole()))
_BANK_SECOND: At = Progress.owing(Phase.BANK_SECOND, CARD)
_BANK_DRAW: At = Progress.owing(Phase.BANK_DRAW, CARD)
_OVERDRAWN: At = Progress.owing(Phase.RESULT, CARD)
_TURN_HOLE: At = Progress.owing(Phase.RESULT, Step(TurnHole()))
_SETTLE: At = Progress.owing(Phase.RESULT, Step(Settle()))


def progress_of(facts: Facts) -> At:
    """Where the round of these facts is."""
    if facts.void:
        return _VOID
    if facts.settled:
        return _SETTLED
    if facts.closing is None:
        return _before_closing(facts)
    if not facts.boxes:
        return _NO_MAIN_STAKE
    if len(facts.burnt) < facts.burns_first:
        return _ROUND_BURN
    if facts.next_place() is not None:
        return _DEAL
    if asked := facts.asked_early:
        return _asking(Phase.EARLY_WINDOW, Asked(Asks.EARLY, asked))
    acting = facts.acting
    return _at_the_bank(facts) if acting is None else _in_turns(facts, *acting)


def _before_closing(facts: Facts) -> At:
    if facts.ceremony:
        if facts.is_to_be_cut:
            return facts.cut_due(Phase.CUT)
        if facts.burn_owed:
            return _BURN
    return _BETTING


def _in_turns(facts: Facts, box: Box, at: int) -> At:
    hand = box.hands[at]
    if facts.offer:
        preset = _preset(facts, facts.offer)
        if preset is None:
            return _asking(Phase.PLAYER_TURNS, facts.offer)
        return Progress(Phase.PLAYER_TURNS, Pace.BEAT, preset, preset, facts.offer)
    if _is_unpaid(facts):
        return _TURNS_PAY
    if hand.owed or len(hand.cards) < 2:
        return _TURNS_CARD
    decider = open_on(facts.options, facts.up, box, hand)[0]
    return _asking(Phase.PLAYER_TURNS, Asked(Asks.TURN, (decider,), box.number, at))


def _asking(phase: Phase, asked: Asked) -> At:
    """People decide; when the time is over the automatic decision is taken for them."""
    return Progress(phase, Pace.DECISION, None, Step(automatic(asked)), asked)


def automatic(asked: Asked) -> Action:
    """What happens when the time is over."""
    if asked.asks is not Asks.TURN:
        return Proceed()
    assert asked.box is not None and asked.hand is not None
    return Stand(HOUSE, asked.box, asked.hand)


def _preset(facts: Facts, offer: Asked) -> HouseStep | None:
    """What one of those who are asked has asked to be done by itself."""
    assert offer.box is not None and offer.hand is not None
    for who in offer.who:
        follow = facts.follows.get(who)
        if follow is None:
            continue
        match offer.asks:
            case Asks.MATCH_DOUBLE if follow.doubles:
                return Step(Match(who, offer.box, offer.hand), Pass(who, offer.box, offer.hand))
            case Asks.MATCH_SPLIT if follow.splits:
                return Step(Match(who, offer.box, offer.hand), Pass(who, offer.box, offer.hand))
            case Asks.CLAIM if follow.claims:
                return Step(Claim(who, offer.box, offer.hand))
    return None


def _at_the_bank(facts: Facts) -> At:
    main, insurance = facts.is_main_open(), any(box.insured for box in facts.boxes)
    if (main or insurance) and len(facts.bank_shown) < 2:
        if _is_unpaid(facts):
            return _BANK_PAYS
        return _BANK_TURNS if facts.options.has_hole_card else _BANK_SECOND
    if main and bank.must_draw(facts.bank_shown):
        return _BANK_DRAW
    if facts.is_overdrawn:
        return _OVERDRAWN
    return _TURN_HOLE if facts.options.has_hole_card and not facts.hole_turned else _SETTLE


def _is_unpaid(facts: Facts) -> bool:
    """Whether something is decided that has not been paid or collected."""
    return next(decided(facts.options, facts.layout, facts.boxes, facts.up, facts.paid), None) is not None


def wait_of(facts: Facts) -> str:
    """Names what the round waits for."""
    phase, due, asked = facts.progress.phase, facts.progress.next_house_step, facts.progress.asked
    match phase:
        case Phase.CUT:
            return facts.cut_wait()
        case Phase.BETTING | Phase.EARLY_WINDOW | Phase.SETTLED | Phase.VOID:
            return phase.value
        case Phase.PLAYER_TURNS if asked and due is None:
            return _wait_in_turns(facts, asked)
        case _:
            whose = due.action.by if isinstance(due, Step) else HOUSE
            return f"{phase}.{facts.out}.{len(facts.paid)}.{whose}"


def _wait_in_turns(facts: Facts, asked: Asked) -> str:
    """Whoever decides has their time from the last card on; the offers that follow from it run in the same time."""
    if asked.asks is Asks.CLAIM:
        return f"claim.{asked.box}.{asked.hand}.{facts.out}"
    return f"turn.{asked.box}.{asked.hand}.{facts.out}.{facts.open_here()[0]}"
