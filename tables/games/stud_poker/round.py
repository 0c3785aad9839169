"""One round of Stud Poker: its phases and what each action does (rulebook, sections 5 to 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from tables.games.contract.actions import (
    Action,
    Chance,
    Cut,
    Draw,
    DrawCard,
    HouseAction,
    Lower,
    Meter,
    Move,
    PlaceBet,
    Refund,
    Settle,
    Step,
    Void,
    VoidReason,
    Withdraw,
)
from tables.games.contract.errors import Refused
from tables.games.contract.round import Offers, Opening, Pace, Payout, Progress, Refusal, Stake
from tables.games.shared.card_round import CARD, CUT, CardRound
from tables.games.shared.stakes import Stakes
from tables.games.shared.table_round import Change
from tables.games.values.json import JsonObject
from tables.games.values.money import CREDIT, part
from tables.games.values.quick import quickly_made
from tables.games.values.words import Note, Words, say

from . import betting, settling
from .bets import ANTE, JACKPOT
from .boxes import Box, laid_out
from .dealing import DEALER, Deal
from .hands import HAND, TITLES, qualifies, rank_of
from .jackpot import ARTICLES as PRIZES
from .jackpot import Award as Awarded
from .jackpot import awarded
from .options import BOXES, DecisionMode, Options, Shuffle
from .phases import Award, Compare, Fold, Misdeal, Phase, Proceed, Raise, Turn

DECK = 52

At = Progress[Phase, tuple[Box, ...]]
"""Where a round is; `asked` are the boxes whose decision is waited for."""

_CUT: At = Progress.owing(Phase.CUT, CUT)
_BETTING: At = Progress.betting(Phase.BETTING)
_METER: At = Progress.owing(Phase.BETS_CLOSED, Draw(Chance.POOL))
_DEAL: At = Progress.owing(Phase.DEAL, CARD)
_REVEAL: At = Progress.owing(Phase.DEALER_REVEAL, Step(Turn()))
_RESULT: At = Progress.owing(Phase.RESULT, Step(Settle()))
_SETTLED: At = Progress.ended(Phase.SETTLED)
_VOID: At = Progress.ended(Phase.VOID)


@quickly_made
@dataclass(frozen=True)
class StudPokerRound(CardRound[Phase, tuple[Box, ...]]):
    """A round, folded so far: the facts. Everything else is derived from them.

    `boxes` come into being when betting closes, from box 1. `pool` is what the jackpot's meter showed then, in cents.
    `turned` once the dealer's cards lie open; `award` is what the jackpot pays then. `compared` boxes are opened and
    compared, in order, and on those `won` a prize of the jackpot was called. `paid` is what the house has paid and
    collected, in order.
    """

    house_only = (HouseAction, Cut)
    bets_only = (PlaceBet, Withdraw, Lower)
    main_spot = ANTE
    seat_article = "2(1)"
    ceremony = None
    """Only the dealer cuts this deck, and no card of it is burnt."""

    options: Options
    opening: Opening
    seats: Mapping[str, int]
    layout: Stakes
    cut: Cut | None = None
    ready: frozenset[str] = frozenset()
    closing: tuple[Refusal, ...] | None = None
    boxes: tuple[Box, ...] = ()
    pool: int | None = None
    deal: Deal | None = None
    turned: bool = False
    compared: tuple[int, ...] = ()
    won: tuple[int, ...] = ()
    paid: tuple[Payout, ...] = ()
    settled: bool = False
    void: Void | None = None
    award: Awarded | None = field(default=None, compare=False, repr=False)
    progress: At = field(init=False, compare=False, repr=False)

    # ── Where it is ──

    def _progress(self) -> At:
        if self.void:
            return _VOID
        if self.closing is None:
            if self.is_to_be_cut:
                return _CUT
            gone = betting.leaver(self.opening.seats, self.seats, self.layout)
            if gone is None:
                return _BETTING
            refund = Step(Refund(bet=gone.bet))
            return Progress(Phase.BETTING, Pace.BETTING, refund, refund)
        if self.deal is None:
            return Progress.owing(Phase.BETS_CLOSED, Step(Void(reason=VoidReason.NO_MAIN_STAKE)))
        if self.pool is None:
            return _METER
        if self.deal.mistakes > 1:
            return Progress.owing(Phase.DEAL, Step(Void(reason=VoidReason.EXPOSED)))
        if not self.deal.is_done:
            return _DEAL
        if undecided := tuple(box for box in self.boxes if box.raised is None):
            in_turn = self.options.decision_mode is DecisionMode.IN_TURN
            asked = undecided[:1] if in_turn else undecided
            return Progress(Phase.LOOK_AND_DECIDE, Pace.DECISION, None, Step(Proceed()), asked)
        if not self.turned:
            return _REVEAL
        return _SETTLED if self.settled else self._progress_turned(self.deal)

    def _progress_turned(self, deal: Deal) -> At:
        assert self.award is not None
        if qualifies(deal.hand(DEALER)):
            for box in self.boxes:
                if box.raised and box.number not in self.compared:
                    return Progress.owing(Phase.COMPARE, Step(Compare(box=box.number)))
        if len(self.won) < len(self.award.prizes):
            return Progress.owing(Phase.JACKPOT, Step(Award(box=self.award.prizes[len(self.won)].box)))
        return _RESULT

    @property
    def is_to_be_cut(self) -> bool:
        """Whether the dealer must still cut the deck, shuffled by hand (3); a record knows no such ceremony."""
        by_hand = self.options.shuffle_method is Shuffle.MANUAL_SHOE
        return by_hand and self.opening.ceremony and self.cut is None

    @property
    def jackpot_opening(self) -> int | None:
        """The pool when betting closed, this round's contributions included; None before the meter was read."""
        if self.pool is None:
            return None
        share = self.options.jackpot_contribution
        return self.pool + sum(part(stake.amount, share) for stake in self.layout if _is_fresh_jackpot(stake))

    @property
    def wait(self) -> str:
        match phase := self.phase:
            case Phase.LOOK_AND_DECIDE if self.options.decision_mode is DecisionMode.IN_TURN:
                return f"{phase}.{self.asked[0].number}"
            case Phase.CUT | Phase.BETTING | Phase.LOOK_AND_DECIDE | Phase.SETTLED | Phase.VOID:
                return phase.value
            case _:
                out = self.deal.out if self.deal else 0
                return f"{phase}.{out}.{len(self.compared)}.{len(self.won)}"

    @property
    def ends_shoe(self) -> bool:
        return True

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        return self.closing or ()

    @property
    def silence(self) -> Note | None:
        if self.phase not in (Phase.DEAL, Phase.LOOK_AND_DECIDE) or self.deal is None or not self.deal.out:
            return None
        return Note("12(2)", say("From the first card to the last decision nobody may talk at the table"))

    @property
    def asked(self) -> tuple[Box, ...]:
        """The boxes whose decision is waited for now, from box 1."""
        return self.progress.asked or ()

    @property
    def is_window_closed(self) -> bool:
        """Whether all have decided, so that the choices lie open."""
        return bool(self.boxes) and all(box.raised is not None for box in self.boxes)

    def box_of(self, who: str) -> Box | None:
        """The box that this bettor plays, once betting has closed."""
        return next((box for box in self.boxes if box.who == who), None)

    # ── Leaving (6(4)) ──

    def leaving(self, who: str) -> Note | None:
        box = self.box_of(who)
        if self.over:
            return None
        if box is not None and box.raised is None:  # theirs, whether their line holds or not
            return Note("6(4)", self._lost_by_leaving(box))
        if who not in self.seats:
            return None
        if self.takes_bets and any(not stake.carried for stake in self.layout.of_bettor(who)):
            return Note("seat", say("Your stakes are taken down when betting closes, and go back to you"))
        if any(stake.carried and (box is None or stake.bet != box.jackpot) for stake in self.layout.of_bettor(who)):
            return Note("R14", say("Your carried jackpot stake goes back to you"))
        return None

    def _lost_by_leaving(self, box: Box) -> Words:
        """What goes with a hand that folds: the ante, and the jackpot stake or what it would win (R8)."""
        hand = self.deal.hand(box.number) if self.deal else ()
        if box.jackpot is None:
            return say("Your hand folds at once, and your ante is lost")
        if len(hand) == HAND and (rank := rank_of(hand)) in PRIZES:
            return say(
                "Your hand folds at once: your ante is lost, and the prize of the jackpot for %(hand)s",
                hand=TITLES[rank],
            )
        return say("Your hand folds at once, and your ante and your jackpot stake are lost")

    def bars_seat(self, who: str, seat: int) -> Note | None:
        """Nobody takes the box of a bettor whose hand lies there."""
        if self.is_read_anew and not self.over and any(box.number == seat and box.who != who for box in self.boxes):
            return Note("6(4)", say("Another bettor's hand lies on this box until the round is over"))
        return None

    def _gone_for_good(self, who: str) -> StudPokerRound:
        """Whoever leaves their box before they have decided folds at once."""
        box = self.box_of(who)
        if box is None or box.raised is not None:
            return self
        return self._with_boxes({box.number: replace(box, raised=False)})

    # ── What comes next ──

    def default_for(self, who: str) -> Action | None:
        return Fold(who) if any(box.who == who for box in self.asked) else None

    def offers(self, who: str) -> Offers:
        if self.phase is Phase.BETTING:
            bets = betting.offers(self.options, self.seats, self.layout, who)
            return Offers(tuple(bets), tuple(self._changes(who)))
        if any(box.who == who for box in self.asked):
            return Offers(actions=(Raise(who), Fold(who)))
        return Offers()

    def _changes(self, who: str) -> Iterator[Action]:
        """What a bettor may do while betting is open, beside staking."""
        for stake in self.layout.of_bettor(who):
            if not stake.carried:
                yield Withdraw(who, bet=stake.bet)
            if betting.may_lower(self.options, stake):
                yield Lower(who, bet=stake.bet, amount=CREDIT)
        yield from self.readiness(who)

    # ── What each action does ──

    def _after(self, action: Action) -> StudPokerRound | None:
        phase, due = self.progress.phase, self.progress.next_house_step
        match action:
            case Cut() if phase is Phase.CUT:
                assert 1 <= action.position < DECK, "the deck cannot be cut there"
                return self._with(cut=action)
            case Refund() if due == Step(action):
                return self._refunded(action.bet)
            case Meter() if due == Draw(Chance.POOL):
                return self._metered(action.pool)
            case DrawCard() if self.deal and due is CARD:
                return self._with(deal=self.deal.drawn(action.card, action.exposed))
            case Misdeal() if phase is Phase.DEAL and self.deal:
                astray = 1 <= action.box <= BOXES and self.deal.may_go_astray(action.box)
                return self._with(deal=self.deal.went_astray(action.box)) if astray else None
            case Raise() | Fold() if phase is Phase.LOOK_AND_DECIDE:
                return self._chosen(action)
            case Proceed() if phase is Phase.LOOK_AND_DECIDE:
                return self._with_boxes({box.number: replace(box, raised=False, automatic=True) for box in self.asked})
            case Turn() if phase is Phase.DEALER_REVEAL and self.deal:
                return self._turned(self.deal)
            case Compare() if due == Step(action):
                return self._with(compared=(*self.compared, action.box))
            case Award() if due == Step(action):
                return self._with(won=(*self.won, action.box))
            case Settle() if phase is Phase.RESULT:
                return self._settled()
            case _:
                return None

    def _refused(self, action: Action) -> Refused:
        if isinstance(action, PlaceBet) and action.spot == JACKPOT and self.deal and self.deal.out:
            return Refused("6(3)", say("The jackpot stake is placed before the first card is dealt"))
        return CardRound._refused(self, action)

    def _why_not_now(self, action: Action) -> tuple[str, Words]:
        if isinstance(action, Raise | Fold):
            return "6(5)", say("The raise is decided after looking at the cards")
        return CardRound._why_not_now(self, action)

    def _with_boxes(self, changed: Mapping[int, Box]) -> StudPokerRound:
        return self._with(boxes=tuple(changed.get(box.number, box) for box in self.boxes))

    # ── Betting (5, 6, 10(1)) ──

    def _changed(self, action: Change) -> Stakes | None:
        """A second ante of a bettor is added to the first, under its id."""
        match action:
            case PlaceBet():
                betting.check_bet(self.options, self.seats, self.layout, action)
                return self.layout.added(Stake(action.bet, action.by, action.spot, action.amount, action.box))
            case Withdraw():
                return betting.withdrawn(self.layout, action.by, action.bet)
            case Lower():
                stake = self.layout.own(action.by, action.bet)
                betting.check_lower(self.options, stake, action.amount)
                return self.layout.changed(stake.bet, stake.amount - action.amount)
            case Move():
                return None

    def _refunded(self, bet: str) -> StudPokerRound:
        stake = self.layout.get(bet)
        assert stake is not None
        refund = settling.refunded(self.options, stake)
        return self._with(layout=self.layout.without(bet), paid=(*self.paid, refund))

    def _closed(self) -> StudPokerRound:
        layout, refusals = betting.closed(self.seats, self.layout)
        boxes = laid_out(layout)
        places = (*(box.number for box in boxes), DEALER)
        deal = Deal(places, self.options.shuffle_method is Shuffle.SHUFFLER) if boxes else None
        return self._with(layout=layout, closing=refusals, boxes=boxes, deal=deal)

    def _metered(self, pool: int) -> StudPokerRound:
        """With this line the jackpot stakes are taken: part of each goes to the pool, the rest to the house (10(1))."""
        assert pool >= 0, "a jackpot cannot owe"
        why = Note("10(1)", say("The jackpot stake is accepted"))
        taken = (settling.taken(self.options, stake, why) for stake in self.layout if _is_fresh_jackpot(stake))
        return self._with(pool=pool, paid=(*self.paid, *taken))

    # ── Decisions (6(5) to 6(7)) ──

    def _chosen(self, action: Raise | Fold) -> StudPokerRound:
        """Raise or fold, once; what the others have chosen makes no difference to it (R17)."""
        box = self.box_of(action.by)
        if box is None:
            raise Refused("6(5)", say("You have no hand in this round"))
        if box.raised is not None:
            raise Refused("6(5)", say("Your decision is final"))
        if box not in self.asked:
            raise Refused("R17", say("It is another bettor's turn"))
        if isinstance(action, Raise) and action.amount not in (None, box.raising):
            raise Refused("6(6)", say("The raise is exactly twice the ante"))
        return self._with_boxes({box.number: replace(box, raised=isinstance(action, Raise))})

    # ── Money ──

    def _turned(self, deal: Deal) -> StudPokerRound:
        """The dealer's cards lie open. The jackpot pays whatever they are, to boxes with a live stake that did not fold
        (R7)."""
        opening = self.jackpot_opening
        assert opening is not None
        hands = [
            (box.number, rank_of(deal.hand(box.number))) for box in self.boxes if box.jackpot is not None and box.raised
        ]
        return self._with(turned=True, award=awarded(self.options, opening, hands))

    def ends_of(self, box: Box) -> tuple[Payout, ...]:
        """What becomes of ante and raise on a box: folded at once, else when the dealer has turned the cards."""
        assert self.deal is not None
        if box.folded:
            return (settling.folded(box),)
        return tuple(settling.decided(self.options, box, self.deal.hand(box.number), self.deal.hand(DEALER)))

    def _settled(self) -> StudPokerRound:
        award = self.award
        assert award is not None
        lucky = {prize.box for prize in award.prizes}
        paid = [
            *(payout for box in self.boxes for payout in self.ends_of(box)),
            *settling.prizes(self.options, self.boxes, award),
            *(settling.unlucky(box) for box in self.boxes if box.jackpot is not None and box.number not in lucky),
        ]
        return self._with(paid=(*self.paid, *paid), settled=True)

    def _voided(self, void: Void) -> StudPokerRound:
        article = settling.why_void(void.reason).article
        back = settling.voided(self.options, self.layout, self.boxes, self.pool is not None, article)
        return self._with(paid=(*self.paid, *back), void=void, award=None)

    def laid(self, who: str | None = None) -> dict[str, int]:
        """Bet -> cents that were laid down for it in this round, a raise included; of one bettor, or of everybody."""
        stakes = self.layout if who is None else self.layout.of_bettor(who)
        laid = {stake.bet: stake.amount for stake in stakes if not stake.carried}
        for box in self.boxes:
            if box.bet in laid:
                laid[box.bet] = box.laid
        return laid

    def in_escrow(self, who: str | None = None) -> Mapping[str, int]:
        if self.over:
            return {}
        laid = self.laid(who)
        if self.pool is not None:
            for payout in self.paid:
                laid.pop(payout.bet, None)
        return laid

    def payouts(self) -> tuple[Payout, ...]:
        return self.paid

    def carried(self) -> tuple[Stake, ...]:
        """All jackpot stakes of a void round (11), else those whose bettor did not ante. They follow the bettor
        to a seat."""
        if not self.over:
            return ()
        played = () if self.void else {box.jackpot for box in self.boxes}
        return tuple(
            replace(stake, carried=True, box=self.seats.get(stake.by, stake.box))
            for stake in self.layout
            if stake.spot == JACKPOT and stake.bet not in played
        )

    def _result(self) -> JsonObject:
        assert self.deal is not None and self.award is not None
        dealer, award = self.deal.hand(DEALER), self.award
        return {
            "qualifies": qualifies(dealer),
            "dealer": rank_of(dealer).value,
            "boxes": {
                str(box.number): "folded" if box.folded else rank_of(self.deal.hand(box.number)).value
                for box in self.boxes
            },
            "jackpot": {
                "opening": award.opening,
                "closing": award.closing,
                "prizes": {box.who: prize.amount for box in self.boxes if (prize := award.of(box.number))},
            },
        }


def _is_fresh_jackpot(stake: Stake) -> bool:
    return stake.spot == JACKPOT and not stake.carried


def public_result(round_: StudPokerRound) -> JsonObject:
    """The result without what hands that were never opened were (9(1)): of those it says only that they raised."""
    result = round_.result()
    if not round_.void:
        opened = {str(number) for number in (*round_.compared, *round_.won)}
        boxes: dict[str, str] = result["boxes"]
        result["boxes"] = {
            number: rank if number in opened or rank == "folded" else "raised" for number, rank in boxes.items()
        }
    return result


def opened(options: Options, opening: Opening) -> StudPokerRound:
    """The round before anybody acts; jackpot stakes may have been carried here."""
    assert all(stake.spot == JACKPOT and stake.carried for stake in opening.carried), "only jackpot stakes are carried"
    return StudPokerRound(options, opening, dict(opening.seats), Stakes.of(opening.carried))
