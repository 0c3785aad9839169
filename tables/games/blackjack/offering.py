"""What a bettor may do now in a round of Blackjack, and what is done for them if they do nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tables.games.contract.actions import Action, Decline, Lower, Ready, Withdraw
from tables.games.contract.round import Offers
from tables.games.values.money import CREDIT

from . import betting, turns, window
from .facts import Facts
from .phases import Asks, Claim, Follow, Match, Pass, Phase
from .progress import automatic


def default_for(facts: Facts, who: str) -> Action | None:
    """The automatic decision of this bettor; None if they are asked nothing."""
    if who in facts.offered_cut:
        return Decline(who)
    asked = facts.progress.asked
    if facts.progress.next_house_step is not None or asked is None or who not in asked.who:
        return None
    match asked.asks:
        case Asks.EARLY:
            return Ready(who)
        case Asks.TURN:
            return automatic(asked)
        case _:
            assert asked.box is not None and asked.hand is not None
            return Pass(who, asked.box, asked.hand)


def offers(facts: Facts, who: str) -> Offers:
    """All that this bettor may do now."""
    presets = _presets(facts, who)
    match facts.phase:
        case Phase.CUT:
            return Offers(actions=facts.cut_offers(who))
        case Phase.BETTING:
            bets = tuple(betting.offers(facts.options, facts.layout, who))
            return Offers(bets, (*_changes(facts, who), *facts.readiness(who), *presets))
        case Phase.EARLY_WINDOW:
            return Offers(actions=(*_early_choices(facts, who), *presets))
        case Phase.PLAYER_TURNS if facts.offer is not None:
            return Offers(actions=(*_offer_choices(facts, who), *presets))
        case Phase.PLAYER_TURNS if facts.progress.next_house_step is None:
            return Offers(actions=(*_turn_choices(facts, who), *presets))
        case _:
            return Offers(actions=tuple(presets))


def _changes(facts: Facts, who: str) -> Iterator[Action]:
    """What a bettor may do with the stakes that lie there: withdraw, or lower by a credit."""
    for stake in facts.layout.of_bettor(who):
        yield Withdraw(who, bet=stake.bet)
        if betting.may_lower(facts.options, stake):
            yield Lower(who, bet=stake.bet, amount=CREDIT)


def _presets(facts: Facts, who: str) -> Iterator[Action]:
    """What the bettor asks to be done by itself, each turned on or off."""
    if not facts.may_preset(who):
        return
    now = facts.follows.get(who) or Follow(who)
    yield replace(now, doubles=not now.doubles)
    yield replace(now, splits=not now.splits)
    yield replace(now, claims=not now.claims)


def _early_choices(facts: Facts, who: str) -> Iterator[Action]:
    """What a bettor may answer in the early window; whoever is waited for alone may act in their turn at once."""
    if who not in facts.asked_early:
        return
    for box in facts.boxes:
        yield from window.choices_on(facts.options, facts.up, box, who)
    yield Ready(who)
    if facts.may_begin(who):
        yield from _turn_choices(facts, who)


def _turn_choices(facts: Facts, who: str) -> Iterator[Action]:
    if facts.acting is not None:
        yield from turns.choices(facts.options, facts.up, *facts.acting, who)


def _offer_choices(facts: Facts, who: str) -> Iterator[Action]:
    """What a bettor may answer to what the others on a box are asked; five cards the decider may claim too."""
    offer = facts.offer
    assert offer is not None and offer.box is not None and offer.hand is not None
    if offer.asks is Asks.CLAIM:
        if who in facts.open_here():
            yield Claim(who, offer.box, offer.hand)
    elif who in offer.who:
        yield Match(who, offer.box, offer.hand)
    if who in offer.who:
        yield Pass(who, offer.box, offer.hand)
