"""One round of Blackjack: what each action does (rulebook, sections 4 to 8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tables.games.contract.actions import (
    HOUSE,
    Action,
    DrawCard,
    Lower,
    Move,
    PlaceBet,
    Ready,
    Settle,
    Step,
    Void,
    WhiteCard,
    Withdraw,
)
from tables.games.contract.errors import Refused
from tables.games.contract.round import Offers, Opening, Stake
from tables.games.shared.card_round import CARD, NewShoeProcedure
from tables.games.shared.cutting import Cutting
from tables.games.shared.stakes import Stakes
from tables.games.shared.table_round import Change
from tables.games.values.cards import Card
from tables.games.values.json import JsonObject
from tables.games.values.quick import quickly_made
from tables.games.values.words import Note, Words, say

from . import betting, offering, turns, window
from .bets import MAIN
from .boxes import Box, laid_out, open_on
from .facts import Asked, At, Facts
from .hands import Hand, best, is_blackjack
from .options import Options, SurrenderTiming
from .phases import (
    Asks,
    Claim,
    Double,
    EvenMoney,
    Follow,
    Hit,
    InHand,
    Insurance,
    Match,
    Overdraw,
    Pass,
    Pay,
    Phase,
    Proceed,
    Split,
    Stand,
    Surrender,
    TurnHole,
)
from .progress import progress_of, wait_of
from .settling import decided, settled, voided


@quickly_made
@dataclass(frozen=True)
class BlackjackRound(Facts):
    """A round, folded so far: its facts, and what each action makes of them."""

    bets_only = (PlaceBet, Withdraw, Lower)
    main_spot = MAIN
    seat_article = "1(1)"
    cut_article = "2(1)(1)"

    def _progress(self) -> At:
        return progress_of(self)

    @property
    def wait(self) -> str:
        return wait_of(self)

    def default_for(self, who: str) -> Action | None:
        return offering.default_for(self, who)

    def offers(self, who: str) -> Offers:
        return offering.offers(self, who)

    def leaving(self, who: str) -> Note | None:
        """Whoever decides for a box because they sit there decides no more for it; once betting has closed nothing
        changes."""
        if not self.takes_bets or who not in self.seats:
            return None
        gone = {other: seat for other, seat in self.seats.items() if other != who}
        with_seat, without = (laid_out(self.options, seats, self.layout) for seats in (self.seats, gone))
        if any(who == box.deciders[0] != then.deciders[0] for box, then in zip(with_seat, without, strict=True)):
            return Note("20(1)", say("Another bettor then decides for your box"))
        return None

    # ── What each action does ──

    def _after(self, action: Action) -> BlackjackRound | None:
        match action:
            case WhiteCard() if self.progress.next_house_step == CARD:
                return self._white_came_out()
            case Follow() if self.may_preset(action.by):
                return self._with(follows={**self.follows, action.by: action})
        match self.phase:
            case Phase.CUT | Phase.BURN:
                return self._handled(action)
            case Phase.ROUND_BURN | Phase.DEAL | Phase.BANK_DRAW:
                return self._drawn(action) if isinstance(action, DrawCard) else None
            case Phase.EARLY_WINDOW:
                return self._after_early(action)
            case Phase.PLAYER_TURNS:
                return self._after_turn(action)
            case Phase.BANK_SECOND | Phase.RESULT:
                return self._after_bank(action)
            case _:
                return None

    def _after_early(self, action: Action) -> BlackjackRound | None:
        """In the early window."""
        match action:
            case Insurance() | EvenMoney():
                return self._answered_early(action)
            case Surrender() if self.options.surrender_timing is SurrenderTiming.BEFORE_ANY_DRAW:
                return self._answered_early(action)
            case Ready() if action.by in self.asked_early:
                return self._with(window=replace(self.window, ready=self.window.ready | {action.by}))
            case Proceed():
                return self._with(window=replace(self.window, over=True))
            case Hit() | Stand() | Double() | Split() | Surrender() if self.may_begin(action.by):
                return self._acted(action)
            case _:
                return None

    def _after_turn(self, action: Action) -> BlackjackRound | None:
        """In the turns of the boxes."""
        due = self.progress.next_house_step
        match action:
            case DrawCard() if due == CARD:
                return self._drawn(action)
            case Hit() | Stand() | Double() | Split() | Surrender() if due is None and self.offer is None:
                return self._acted(action)
            case Claim() if self.offer is not None or due is None:
                return self._claimed(action)
            case Match():
                return self._matched(action)
            case Pass():
                return self._passed(action)
            case Proceed() if self.offer is not None:
                return self._with(offer=None)
            case Pay() if due == Step(action):
                return self._paid()
            case _:
                return None

    def _after_bank(self, action: Action) -> BlackjackRound | None:
        """The bank has its second card, or the result is known."""
        due = self.progress.next_house_step
        match action:
            case DrawCard() if due == CARD:
                return self._drawn(action)
            case Pay() if due == Step(action):
                return self._paid()
            case TurnHole() if due == Step(action):
                return self._with(hole_turned=True)
            case Overdraw() if self.phase is Phase.RESULT and self.may_overdraw:
                return self._with(overdraw=action)
            case Settle() if due == Step(action):
                return self._settled()
            case _:
                return None

    def _why_not_now(self, action: Action) -> tuple[str, Words]:
        match action:
            case Insurance():
                return "12(1)", say("Insurance is taken before the first decision, against an ace")
            case EvenMoney():
                return "10(3)", say("Even money is asked for before the first decision")
            case Surrender():
                return "18(2)", say("Surrender comes before any other decision")
            case InHand():
                return "6(3)", say("Nothing is to be decided there now")
            case _:
                return Facts._why_not_now(self, action)

    def _white_came_out(self) -> BlackjackRound:
        assert self.options.has_second_white_card and not self.white, "there is one such card, in a shoe of many decks"
        return self._with(white=True)

    # ── Betting (3, 13) ──

    def _changed(self, action: Change) -> Stakes | None:
        """A second stake of a bettor on the same spot and box is added to the first, under its id."""
        match action:
            case PlaceBet():
                betting.check_bet(self.options, self.layout, action)
                return self.layout.added(Stake(action.bet, action.by, action.spot, action.amount, action.box))
            case Withdraw():
                return self.layout.without(self.layout.own(action.by, action.bet).bet)
            case Lower():
                stake = self.layout.own(action.by, action.bet)
                betting.check_lower(self.options, stake, action.amount)
                return self.layout.changed(stake.bet, stake.amount - action.amount)
            case Move():
                return None

    def _closed(self) -> BlackjackRound:
        layout, refusals = betting.closed(self.layout)
        boxes = laid_out(self.options, self.seats, layout)
        return self._with(layout=layout, closing=refusals, boxes=boxes)

    # ── Cards (5, 6, 7) ──

    def _drawn(self, draw: DrawCard) -> BlackjackRound:
        """A card comes out: it is burnt, void because it lay face up (5(1)(1)), or goes where it is owed."""
        card = draw.card
        if self.phase is Phase.RESULT:
            return self._with(extra_card=card)
        if self.burns_next:
            return self._with(burnt=(*self.burnt, card))
        if self.puts_aside(draw):
            return self._with(exposed_cards=(*self.exposed_cards, card))
        if self.phase in (Phase.BANK_SECOND, Phase.BANK_DRAW):
            return self._with(bank=(*self.bank, card))
        if self.phase is Phase.DEAL:
            return self._dealt(card)
        return self._dealt_in_turn(card)

    def _dealt(self, card: Card) -> BlackjackRound:
        at = self.next_place()
        assert at is not None
        if at == len(self.boxes):
            return self._with(bank=(*self.bank, card))
        box = self.boxes[at]
        dealt = (*box.dealt, card)
        return self._with_box(replace(box, hands=(Hand(0, box.hands[0].stakes, dealt),), dealt=dealt))

    def _dealt_in_turn(self, card: Card) -> BlackjackRound:
        acting = self.acting
        assert acting is not None
        box, at = acting
        hand = replace(box.hands[at], cards=(*box.hands[at].cards, card), owed=False)
        box = replace(box.with_hand(at, hand), dealt=(*box.dealt, card))
        others = tuple(open_on(self.options, self.up, box, hand)[1:])
        may_claim = turns.may_claim(self.options, self.up, hand)
        return self._with_box(box, offer=_offer(Asks.CLAIM, others, box, at) if may_claim else None)

    def _with_box(self, box: Box, **changes: object) -> BlackjackRound:
        boxes = tuple(box if other.number == box.number else other for other in self.boxes)
        return self._with(boxes=boxes, **changes)

    # ── Decisions ──

    def _answered_early(self, action: Insurance | EvenMoney | Surrender) -> BlackjackRound:
        """An answer in the early window, each bettor for their own stake, the decider for the box."""
        match action:
            case Insurance():
                box = window.own(self.boxes, self.window, action.by, action.box, "12(1)")
                return self._with_box(window.insured(self.options, self.up, box, action))
            case EvenMoney():
                box = window.own(self.boxes, self.window, action.by, action.box, "10(3)")
                return self._with_box(window.paid_even(self.up, box, action.by))
            case Surrender():
                box = window.own(self.boxes, self.window, action.by, action.box, "18(1)")
                return self._with_box(window.surrendered(self.options, self.up, box, action.by))

    def _acted(self, action: Hit | Stand | Double | Split | Surrender) -> BlackjackRound:
        """A decision of the decider in the turn of their hand, after the early window; by HOUSE their time was over."""
        number = 0 if isinstance(action, Surrender) else action.hand
        box, at = self._acting_hand(action.by, action.box, number)
        hand = box.hands[at]
        still_open = open_on(self.options, self.up, box, hand)
        if action.by != still_open[0]:
            assert action.by != HOUSE or isinstance(action, Stand), "the house only ends what took too long"
            if action.by != HOUSE:
                raise Refused("20(1)", say("Another bettor decides for this box"))
        others = tuple(still_open[1:])
        over = replace(self.window, over=True)
        match action:
            case Hit():
                turns.allow(turns.why_no_hit(hand))
                return self._with_box(box.with_hand(at, replace(hand, owed=True)), window=over)
            case Stand():
                return self._with_box(box.with_hand(at, replace(hand, stood=action.by)), window=over)
            case Double():
                turns.allow(turns.why_no_double(self.options, hand))
                box = turns.doubled(box.with_hand(at, replace(hand, doubled=True, owed=True)), at, action.by)
                return self._with_box(box, offer=_offer(Asks.MATCH_DOUBLE, others, box, at), window=over)
            case Split():
                turns.allow(turns.why_no_split(self.options, box, hand))
                box = turns.split(box, at, action.by)
                return self._with_box(box, offer=_offer(Asks.MATCH_SPLIT, others, box, at), window=over)
            case Surrender():
                turns.allow(turns.why_no_surrender_in_turn(self.options, self.up, box))
                return self._with_box(replace(box, surrendered=True), window=over)

    def _acting_hand(self, who: str, number: int, at: int) -> tuple[Box, int]:
        """The hand whose turn it is, if that is the one named. Raises Refused."""
        acting = self.acting
        if acting is not None and (acting[0].number, acting[1]) == (number, at):
            return acting
        assert who != HOUSE, "the house ends another hand than the one that acts"
        box = self.box(number)
        if box is None or not 0 <= at < len(box.hands):
            raise Refused("6(3)", say("There is no such hand"))
        raise Refused("6(3)", say("It is another hand's turn"))

    def _matched(self, action: Match) -> BlackjackRound:
        offer = self.offer
        if offer is None or offer.asks is Asks.CLAIM or action.by not in offer.who:
            raise Refused("R17", say("There is nothing for you to match"))
        box, at = self._acting_hand(action.by, action.box, action.hand)
        matched = turns.doubled if offer.asks is Asks.MATCH_DOUBLE else turns.joined
        return self._with_box(matched(box, at, action.by), offer=_answered(offer, action.by))

    def _passed(self, action: Pass) -> BlackjackRound:
        if self.offer is None or action.by not in self.offer.who:
            raise Refused("6(3)", say("You are not asked"))
        self._acting_hand(action.by, action.box, action.hand)
        return self._with(offer=_answered(self.offer, action.by))

    def _claimed(self, action: Claim) -> BlackjackRound:
        """Anybody with a stake on the hand that acts, as long as it has just five cards (R10)."""
        box, at = self._acting_hand(action.by, action.box, action.hand)
        turns.allow(turns.why_no_claim(self.options, self.up, box.hands[at]))
        if action.by not in self.open_here():
            raise Refused("19(1)", say("You have no open stake on this hand"))
        offer = self.offer and _answered(self.offer, action.by)
        return self._with_box(turns.claimed(box, at, action.by), offer=offer)

    # ── Money ──

    def _paid(self) -> BlackjackRound:
        new = dict(decided(self.options, self.layout, self.boxes, self.up, self.paid))
        return self._with(paid={**self.paid, **new})

    def _settled(self) -> BlackjackRound:
        new = dict(settled(self.options, self.layout, self.boxes, self.bank, self.paid))
        return self._with(paid={**self.paid, **new}, settled=True)

    def _voided(self, void: Void) -> BlackjackRound:
        new = dict(voided(self.layout, self.laid(), self.payouts()))
        return self._with(paid={**self.paid, **new}, void=void)

    def in_escrow(self, who: str | None = None) -> Mapping[str, int]:
        if self.over:
            return {}
        held = self.laid(who)
        for payout in self.paid.values():
            if payout.stake and payout.bet in held:
                held[payout.bet] -= payout.stake
        return {bet: amount for bet, amount in held.items() if amount}

    def _result(self) -> JsonObject:
        return {
            "bank": [str(card) for card in self.bank],
            "bank_total": best(self.bank),
            "bank_blackjack": is_blackjack(self.bank),
            "boxes": {
                str(box.number): [[str(card) for card in hand.cards] for hand in box.hands] for box in self.boxes
            },
        }


def _offer(asks: Asks, others: tuple[str, ...], box: Box, at: int) -> Asked | None:
    """What the others on a hand are asked; nothing if there are none."""
    return Asked(asks, others, box.number, at) if others else None


def _answered(offer: Asked, who: str) -> Asked | None:
    """What is still asked when this one has answered."""
    left = tuple(other for other in offer.who if other != who)
    return replace(offer, who=left) if left else None


def opened(options: Options, opening: Opening) -> BlackjackRound:
    """The round before anybody acts. The machine is not cut."""
    assert not opening.carried, "no stake of Blackjack stays for the next round"
    ceremony = None
    if opening.ceremony:
        ceremony = NewShoeProcedure(None if options.by_machine else Cutting.among(opening, options.decks))
    return BlackjackRound(options, opening, dict(opening.seats), ceremony, Stakes.of(()))
