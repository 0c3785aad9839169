"""One round of Stud Poker: its phases and what each action does (rulebook, sections 5 to 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import Any

from tables.games import seats
from tables.games.money import CREDIT, part
from tables.games.protocol import (
    HOUSE,
    Action,
    Chance,
    CloseBets,
    Cut,
    Draw,
    DrawCard,
    Due,
    Leave,
    Lower,
    Meter,
    Offers,
    Opening,
    Payout,
    PlaceBet,
    Ready,
    Refund,
    Refusal,
    Refused,
    Settle,
    Sit,
    Stake,
    Step,
    Tempo,
    Void,
    Withdraw,
)
from tables.games.stakes import Stakes
from tables.games.words import Note, Words, say

from . import betting, settling
from .bets import ANTE, JACKPOT
from .boxes import Box, laid_out
from .dealing import DEALER, Deal
from .hands import qualifies, rank_of
from .jackpot import Award as Awarded
from .jackpot import awarded
from .options import BOXES, DecisionMode, Options, Shuffle
from .phases import NO_ANTE, Award, Compare, Fold, Misdeal, Mishap, Phase, Proceed, Raise, Turn
from .view import View, seen

CARD = Draw(Chance.CARD)

DECK = 52

_HOUSE_ONLY = (Cut, CloseBets, Meter, Refund, DrawCard, Misdeal, Proceed, Turn, Compare, Award, Settle, Void)
"""What only the dealer does."""


@dataclass(frozen=True, slots=True)
class Where:
    """Where a round is: what follows from its facts, worked out once for each.

    `asked` are the boxes whose decision is waited for now, `award` what the jackpot pays, once the dealer has turned.
    """

    phase: Phase
    due: Due | None = None
    asked: tuple[Box, ...] = ()
    award: Awarded | None = None


@dataclass(frozen=True, slots=True)
class StudPokerRound:
    """A round, folded so far: the facts. Everything else is derived from them.

    `boxes` come into being when betting closes, from box 1. `pool` is what the jackpot's meter showed then, in cents.
    `turned` once the dealer's cards lie open; `compared` boxes are opened and compared, in order, and on those
    `won` a prize of the jackpot was called. `paid` is what the house has paid and collected, in order.
    """

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
    where: Where = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "where", self._where())

    # ── Where it is ──

    def _where(self) -> Where:
        if self.void:
            return Where(Phase.VOID)
        if self.closing is None:
            if self._is_to_be_cut:
                return Where(Phase.CUT, Draw(Chance.CUT))
            gone = betting.leaver(self.opening.seats, self.seats, self.layout)
            return Where(Phase.BETTING, Step(Refund(bet=gone.bet)) if gone else None)
        if self.deal is None:
            return Where(Phase.BETS_CLOSED, Step(Void(reason=NO_ANTE)))
        if self.pool is None:
            return Where(Phase.BETS_CLOSED, Draw(Chance.POOL))
        if self.deal.mistakes > 1:
            return Where(Phase.DEAL, Step(Void(reason=Mishap.EXPOSED)))
        if not self.deal.is_done:
            return Where(Phase.DEAL, CARD)
        if undecided := tuple(box for box in self.boxes if box.raised is None):
            in_turn = self.options.decision_mode is DecisionMode.IN_TURN
            return Where(Phase.LOOK_AND_DECIDE, None, undecided[:1] if in_turn else undecided)
        if not self.turned:
            return Where(Phase.DEALER_REVEAL, Step(Turn()))
        return self._where_turned(self.deal)

    @property
    def _is_to_be_cut(self) -> bool:
        """Whether the dealer must still cut the deck, shuffled by hand (3); a record knows no such ceremony."""
        by_hand = self.options.shuffle_method is Shuffle.MANUAL_SHOE
        return by_hand and self.opening.ceremony and self.cut is None

    def _where_turned(self, deal: Deal) -> Where:
        award = self._award(deal)
        if self.settled:
            return Where(Phase.SETTLED, award=award)
        if qualifies(deal.hand(DEALER)):
            for box in self.boxes:
                if box.raised and box.number not in self.compared:
                    return Where(Phase.COMPARE, Step(Compare(box=box.number)), award=award)
        if len(self.won) < len(award.prizes):
            return Where(Phase.JACKPOT, Step(Award(box=award.prizes[len(self.won)].box)), award=award)
        return Where(Phase.RESULT, Step(Settle()), award=award)

    def _award(self, deal: Deal) -> Awarded:
        """What the jackpot pays: to boxes with a live jackpot stake that did not fold, whatever the dealer has (R7)."""
        opening = self.jackpot_opening
        assert opening is not None
        hands = [
            (box.number, rank_of(deal.hand(box.number))) for box in self.boxes if box.jackpot is not None and box.raised
        ]
        return awarded(self.options, opening, hands)

    @property
    def jackpot_opening(self) -> int | None:
        """The pool when betting closed, this round's contributions included; None before the meter was read."""
        if self.pool is None:
            return None
        return self.pool + sum(self._contribution(stake) for stake in self.layout if _is_fresh_jackpot(stake))

    def _contribution(self, stake: Stake) -> int:
        return part(stake.amount, self.options.jackpot_contribution)

    @property
    def phase(self) -> Phase:
        return self.where.phase

    @property
    def tempo(self) -> Tempo:
        match self.where.phase:
            case Phase.BETTING:
                return Tempo.BETTING
            case Phase.LOOK_AND_DECIDE:
                return Tempo.DECISION
            case Phase.SETTLED | Phase.VOID:
                return Tempo.RESULT
            case _:
                return Tempo.BEAT

    @property
    def wait(self) -> str:
        phase = self.where.phase
        match phase:
            case Phase.LOOK_AND_DECIDE if self.options.decision_mode is DecisionMode.IN_TURN:
                return f"{phase}.{self.where.asked[0].number}"
            case Phase.CUT | Phase.BETTING | Phase.LOOK_AND_DECIDE | Phase.SETTLED | Phase.VOID:
                return phase.value
            case _:
                out = self.deal.out if self.deal else 0
                return f"{phase}.{out}.{len(self.compared)}.{len(self.won)}"

    @property
    def hurried(self) -> bool:
        if self.where.phase is not Phase.BETTING or not self.layout.total(ANTE):
            return False
        return seats.all_ready(self.seats, self.layout, self.ready)

    @property
    def over(self) -> bool:
        return self.settled or self.void is not None

    @property
    def is_void(self) -> bool:
        return self.void is not None

    @property
    def ends_shoe(self) -> bool:
        return True

    @property
    def next_is_last(self) -> bool:
        return False

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        return self.closing or ()

    @property
    def silence(self) -> Note | None:
        if self.where.phase not in (Phase.DEAL, Phase.LOOK_AND_DECIDE) or self.deal is None or not self.deal.out:
            return None
        return Note("12(2)", say("From the first card to the last decision nobody may talk at the table"))

    @property
    def asked(self) -> tuple[Box, ...]:
        """The boxes whose decision is waited for now, from box 1."""
        return self.where.asked

    @property
    def is_window_closed(self) -> bool:
        """Whether all have decided, so that the choices lie open."""
        return bool(self.boxes) and all(box.raised is not None for box in self.boxes)

    def box_of(self, who: str) -> Box | None:
        """The box that this bettor plays, once betting has closed."""
        for box in self.boxes:
            if box.who == who:
                return box
        return None

    # ── What comes next ──

    def due(self) -> Due | None:
        return self.where.due

    def overdue(self) -> Due | None:
        match self.where.phase:
            case Phase.BETTING if self.where.due is None:
                return Step(CloseBets())
            case Phase.LOOK_AND_DECIDE:
                return Step(Proceed())
            case _:
                return self.where.due

    def default_for(self, who: str) -> Action | None:
        return Fold(who) if any(box.who == who for box in self.where.asked) else None

    def offers(self, who: str) -> Offers:
        if self.where.phase is Phase.BETTING:
            bets = betting.offers(self.options, self.seats, self.layout, who)
            return Offers(tuple(bets), tuple(self._changes(who)))
        if any(box.who == who for box in self.where.asked):
            return Offers(actions=(Raise(who), Fold(who)))
        return Offers()

    def _changes(self, who: str) -> Iterator[Action]:
        """What a bettor may do while betting is open, beside staking."""
        for stake in self.layout.of_bettor(who):
            if not stake.carried:
                yield Withdraw(who, bet=stake.bet)
            if betting.may_lower(self.options, stake):
                yield Lower(who, bet=stake.bet, amount=CREDIT)
        if who not in self.ready and seats.takes_part(self.seats, self.layout, who):
            yield Ready(who)

    # ── What each action does ──

    def apply(self, action: Action) -> StudPokerRound:
        match self.where.phase, action:
            case ((Phase.SETTLED | Phase.VOID), _) if action.by != HOUSE:
                raise Refused("closed", say("The round is over"))
            case ((Phase.SETTLED | Phase.VOID), _):
                raise AssertionError(f"{action.do} after the end of the round")
            case _ if action.by != HOUSE and isinstance(action, _HOUSE_ONLY):
                raise Refused("", say("Only the dealer does that"))
            case _, Void():
                return self._voided(action)
            case _, Sit():
                return self._with(seats=seats.sat(self.seats, action, self.options.seats, "2(1)"))
            case _, Leave():
                return self._with(seats=seats.left(self.seats, action.by))

            case Phase.CUT, Cut():
                assert 1 <= action.position < DECK, "the deck cannot be cut there"
                return self._with(cut=action)

            case Phase.BETTING, PlaceBet():
                return self._bet(action)
            case Phase.BETTING, Withdraw():
                return self._with_layout(action.by, betting.withdrawn(self.layout, action.by, action.bet))
            case Phase.BETTING, Lower():
                stake = self.layout.own(action.by, action.bet)
                betting.check_lower(self.options, stake, action.amount)
                return self._with_layout(action.by, self.layout.changed(stake.bet, stake.amount - action.amount))
            case Phase.BETTING, Ready():
                seats.check_takes_part(self.seats, self.layout, action.by)
                return self._with(ready=self.ready | {action.by})
            case Phase.BETTING, Refund() if self.where.due == Step(action):
                return self._refunded(action.bet)
            case Phase.BETTING, CloseBets():
                return self._closed()

            case Phase.BETS_CLOSED, Meter() if self.where.due == Draw(Chance.POOL):
                return self._metered(action.pool)
            case Phase.DEAL, DrawCard() if self.deal and self.where.due == CARD:
                return self._with(deal=self.deal.drawn(action.card, action.exposed))
            case Phase.DEAL, Misdeal() if (
                self.deal and 1 <= action.box <= BOXES and self.deal.may_go_astray(action.box)
            ):
                return self._with(deal=self.deal.went_astray(action.box))

            case Phase.LOOK_AND_DECIDE, (Raise() | Fold()):
                return self._chosen(action)
            case Phase.LOOK_AND_DECIDE, Proceed():
                late = {box.number: replace(box, raised=False, automatic=True) for box in self.where.asked}
                return self._with_boxes(late)

            case Phase.DEALER_REVEAL, Turn():
                return self._with(turned=True)
            case Phase.COMPARE, Compare() if self.where.due == Step(action):
                return self._with(compared=(*self.compared, action.box))
            case Phase.JACKPOT, Award() if self.where.due == Step(action):
                return self._with(won=(*self.won, action.box))
            case Phase.RESULT, Settle():
                return self._settled()

            case _, PlaceBet() if action.spot == JACKPOT and self.deal and self.deal.out:
                raise Refused("6(3)", say("The jackpot stake is placed before the first card is dealt"))
            case _, (PlaceBet() | Withdraw() | Lower()):
                raise Refused("closed", say("Bets are taken only while betting is open"))
            case phase, _:
                assert action.by != HOUSE, f"{action.do} in phase {phase}"
                raise Refused(*self._why_not_now(action))

    @staticmethod
    def _why_not_now(action: Action) -> tuple[str, Words]:
        """Why what the regulation knows cannot be done at this moment."""
        match action:
            case Raise() | Fold():
                return "6(5)", say("The raise is decided after looking at the cards")
            case _:
                return "", say("That cannot be done now")

    def _with(self, **changes: Any) -> StudPokerRound:
        """The round with these facts changed, as `replace` would make it in twice the time."""
        facts = list(_facts_of(self))
        for name, value in changes.items():
            facts[_FACTS[name]] = value
        return StudPokerRound(*facts)

    def _with_boxes(self, changed: Mapping[int, Box]) -> StudPokerRound:
        return self._with(boxes=tuple(changed.get(box.number, box) for box in self.boxes))

    # ── Betting (5, 6, 10(1)) ──

    def _with_layout(self, who: str, layout: Stakes) -> StudPokerRound:
        """With this layout; the bettor who changed it is not ready any more."""
        return self._with(layout=layout, ready=self.ready - {who})

    def _bet(self, bet: PlaceBet) -> StudPokerRound:
        """A second ante of a bettor is added to the first, under its id."""
        betting.check_bet(self.options, self.seats, self.layout, bet)
        lying = self.layout.find(bet.by, bet.spot, bet.box)
        if lying is not None:
            return self._with_layout(bet.by, self.layout.changed(lying.bet, lying.amount + bet.amount))
        return self._with_layout(bet.by, self.layout.placed(Stake(bet.bet, bet.by, bet.spot, bet.amount, bet.box)))

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
        if box not in self.where.asked:
            raise Refused("R17", say("It is another bettor's turn"))
        if isinstance(action, Raise) and action.amount not in (None, box.raising):
            raise Refused("6(6)", say("The raise is exactly twice the ante"))
        return self._with_boxes({box.number: replace(box, raised=isinstance(action, Raise))})

    # ── Money and what is seen ──

    def ends_of(self, box: Box) -> tuple[Payout, ...]:
        """What becomes of ante and raise on a box: folded at once, else when the dealer has turned his cards."""
        assert self.deal is not None
        if box.folded:
            return (settling.folded(box),)
        return tuple(settling.decided(self.options, box, self.deal.hand(box.number), self.deal.hand(DEALER)))

    def _settled(self) -> StudPokerRound:
        award = self.where.award
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
        return self._with(paid=(*self.paid, *back), void=void)

    def laid(self, who: str | None = None) -> dict[str, int]:
        """Bet -> cents that were laid down for it in this round, a raise included; of one bettor, or of everybody."""
        stakes = self.layout if who is None else self.layout.of_bettor(who)
        laid = {stake.bet: stake.amount for stake in stakes if not stake.carried}
        for box in self.boxes:
            if box.bet in laid:
                laid[box.bet] = box.laid
        return laid

    def held(self, who: str | None = None) -> Mapping[str, int]:
        if self.over:
            return {}
        laid = self.laid(who)
        if self.pool is not None:
            for payout in self.paid:
                laid.pop(payout.bet, None)
        return laid

    def stakes(self) -> tuple[Stake, ...]:
        return tuple(self.layout)

    def payouts(self) -> tuple[Payout, ...]:
        return self.paid

    def carried(self) -> tuple[Stake, ...]:
        """All jackpot stakes of a void round (11), else those whose bettor did not ante. They follow him to a seat."""
        if not self.over:
            return ()
        played = () if self.void else {box.jackpot for box in self.boxes}
        return tuple(
            replace(stake, carried=True, box=self.seats.get(stake.by, stake.box))
            for stake in self.layout
            if stake.spot == JACKPOT and stake.bet not in played
        )

    def view(self, who: str | None) -> View:
        return seen(self, who)

    def result(self) -> dict[str, Any]:
        assert self.over, "the round has no result yet"
        if self.void:
            return {"void": True}
        assert self.deal is not None and self.where.award is not None
        dealer, award = self.deal.hand(DEALER), self.where.award
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


_FACTS = {fact.name: at for at, fact in enumerate(fact for fact in fields(StudPokerRound) if fact.init)}
_facts_of = attrgetter(*_FACTS)


def _is_fresh_jackpot(stake: Stake) -> bool:
    return stake.spot == JACKPOT and not stake.carried


def public_result(round_: StudPokerRound) -> dict[str, Any]:
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
