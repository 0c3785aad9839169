"""One round of Blackjack: its phases and what each action does (rulebook, sections 4 to 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import Any

from tables.games import seats
from tables.games.cards import Card
from tables.games.cutting import Cutting
from tables.games.money import CREDIT
from tables.games.protocol import (
    HOUSE,
    Action,
    Chance,
    CloseBets,
    Cut,
    Decline,
    Draw,
    DrawCard,
    Due,
    Leave,
    Lower,
    Offers,
    Opening,
    Payout,
    PlaceBet,
    Ready,
    Refusal,
    Refused,
    Settle,
    Sit,
    Stake,
    Step,
    Tempo,
    Void,
    WhiteCard,
    Withdraw,
)
from tables.games.stakes import Stakes
from tables.games.words import Note, Words, say

from . import bank, betting, turns, window
from .boxes import Box, laid_out, open_on
from .hands import Hand, best, is_blackjack
from .options import Options, RoundBurn, SurrenderTiming
from .phases import (
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
from .settling import Part, decided, settled, voided
from .view import Asks, View, seen
from .window import Window

CARD = Draw(Chance.CARD)

_HOUSE_ONLY = (CloseBets, DrawCard, WhiteCard, Settle, Void, Proceed, Pay, TurnHole, Overdraw)
"""What only the dealer does."""

_MAY_PRESET = (Phase.BETTING, Phase.ROUND_BURN, Phase.DEAL, Phase.EARLY_WINDOW, Phase.PLAYER_TURNS)
"""When a bettor may say what is to be done automatically."""


# ── What a round consists of ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Ceremony:
    """What happens to a fresh pack before its first round: the cut, but for the machine, and the burn (2, 4(1))."""

    cutting: Cutting | None
    burnt: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What is being decided: of which box and hand (its number in the box), and who has not answered yet."""

    asks: Asks
    who: tuple[str, ...]
    box: int | None = None
    hand: int | None = None


@dataclass(frozen=True, slots=True)
class Where:
    """Where a round is: what follows from its facts, worked out once for each."""

    phase: Phase
    due: Due | None = None
    asked: Asked | None = None


@dataclass(frozen=True, slots=True)
class BlackjackRound:
    """A round, folded so far: the facts. Everything else is derived from them.

    `boxes` come into being when betting closes, from box 1. `offer` is what the others on a box are asked after a
    double, a split or a fifth card. `burnt` cards were burnt in this round, `aside` came out face up and are void,
    `wrong` is the one that the bank should not have drawn. `paid` is what the house has paid and collected, in order.
    """

    options: Options
    opening: Opening
    seats: Mapping[str, int]
    ceremony: Ceremony | None
    layout: Stakes
    ready: frozenset[str] = frozenset()
    follows: Mapping[str, Follow] = field(default_factory=dict)
    closing: tuple[Refusal, ...] | None = None
    boxes: tuple[Box, ...] = ()
    bank: tuple[Card, ...] = ()
    hole_turned: bool = False
    burnt: tuple[Card, ...] = ()
    aside: tuple[Card, ...] = ()
    window: Window = Window()
    offer: Asked | None = None
    overdraw: Overdraw | None = None
    wrong: Card | None = None
    white: bool = False
    paid: Mapping[Part, Payout] = field(default_factory=dict)
    settled: bool = False
    void: Void | None = None
    where: Where = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "where", self._where())

    # ── Where it is ──

    def _where(self) -> Where:
        if self.void:
            return Where(Phase.VOID)
        if self.settled:
            return Where(Phase.SETTLED)
        if self.closing is None:
            return self._where_before_closing()
        if not self.boxes:
            return Where(Phase.RESULT, Step(Void(reason="no main stake")))
        if len(self.burnt) < self._burns_first:
            return Where(Phase.ROUND_BURN, CARD)
        if self._next_place() is not None:
            return Where(Phase.DEAL, CARD)
        if asked := self.asked_early:
            return Where(Phase.EARLY_WINDOW, None, Asked(Asks.EARLY, asked))
        acting = self.acting
        if acting is not None:
            return self._where_in_turns(*acting)
        return self._where_at_the_bank()

    def _where_before_closing(self) -> Where:
        if self.ceremony:
            cutting = self.ceremony.cutting
            if cutting and cutting.cut is None:
                return Where(Phase.CUT, None if cutting.offered else Draw(Chance.CUT))
            if self.burn_owed:
                return Where(Phase.BURN, CARD)
        return Where(Phase.BETTING)

    def _where_in_turns(self, box: Box, at: int) -> Where:
        hand = box.hands[at]
        if self.offer:
            return Where(Phase.PLAYER_TURNS, self._preset(self.offer), self.offer)
        if self._is_unpaid():
            return Where(Phase.PLAYER_TURNS, Step(Pay()))
        if hand.owed or len(hand.cards) < 2:
            return Where(Phase.PLAYER_TURNS, CARD)
        decider = open_on(self.options, self.up, box, hand)[0]
        return Where(Phase.PLAYER_TURNS, None, Asked(Asks.TURN, (decider,), box.number, at))

    def _preset(self, offer: Asked) -> Due | None:
        """What one of those who are asked has asked to be done by itself."""
        assert offer.box is not None and offer.hand is not None
        for who in offer.who:
            follow = self.follows.get(who)
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

    def _where_at_the_bank(self) -> Where:
        main, insurance = self._is_main_open(), any(box.insured for box in self.boxes)
        if (main or insurance) and len(self.bank_shown) < 2:
            if self._is_unpaid():
                return Where(Phase.BANK_SECOND, Step(Pay()))
            return Where(Phase.BANK_SECOND, Step(TurnHole()) if self.options.has_hole_card else CARD)
        if main and bank.must_draw(self.bank_shown):
            return Where(Phase.BANK_DRAW, CARD)
        if self._is_overdrawn:
            return Where(Phase.RESULT, CARD)
        unturned = self.options.has_hole_card and not self.hole_turned
        return Where(Phase.RESULT, Step(TurnHole()) if unturned else Step(Settle()))

    def _is_main_open(self) -> bool:
        return any(open_on(self.options, self.up, box, hand) for box in self.boxes for hand in box.hands)

    def _is_unpaid(self) -> bool:
        """Whether something is decided that has not been paid or collected."""
        return next(decided(self.options, self.layout, self.boxes, self.up, self.paid), None) is not None

    @property
    def _is_overdrawn(self) -> bool:
        """Whether the card that the bank wrongly drew must still be put away (6(1))."""
        if self.overdraw is None or self.wrong is not None:
            return False
        return self.overdraw.shown or not self.options.unseen_overdraw_valid

    @property
    def phase(self) -> Phase:
        return self.where.phase

    @property
    def tempo(self) -> Tempo:
        match self.where.phase:
            case Phase.CUT if self.offered_cut is not None:
                return Tempo.CUT
            case Phase.BETTING:
                return Tempo.BETTING
            case Phase.SETTLED | Phase.VOID:
                return Tempo.RESULT
            case _:
                return Tempo.BEAT if self.where.due or not self.where.asked else Tempo.DECISION

    @property
    def wait(self) -> str:
        phase, due, asked = self.where.phase, self.where.due, self.where.asked
        match phase:
            case Phase.CUT:
                return f"cut.{self.offered_cut or HOUSE}"
            case Phase.BETTING | Phase.EARLY_WINDOW | Phase.SETTLED | Phase.VOID:
                return phase.value
            case Phase.PLAYER_TURNS if asked and due is None:
                return self._wait_in_turns(asked)
            case _:
                whose = due.action.by if isinstance(due, Step) else HOUSE
                return f"{phase}.{self._out}.{len(self.paid)}.{whose}"

    def _wait_in_turns(self, asked: Asked) -> str:
        """Whoever decides has his time from the last card on; the offers that follow from it run in the same time."""
        if asked.asks is Asks.CLAIM:
            return f"claim.{asked.box}.{asked.hand}.{self._out}"
        return f"turn.{asked.box}.{asked.hand}.{self._out}.{self._open_here()[0]}"

    @property
    def _out(self) -> int:
        """Cards that have come out so far, the white one included."""
        ceremony = len(self.ceremony.burnt) if self.ceremony else 0
        dealt = sum(len(box.dealt) for box in self.boxes) + len(self.bank)
        return ceremony + len(self.burnt) + len(self.aside) + dealt + bool(self.wrong) + self.white

    @property
    def hurried(self) -> bool:
        if self.where.phase is not Phase.BETTING or not self.layout.total("main"):
            return False
        return seats.all_ready(self.seats, self.layout, self.ready)

    @property
    def over(self) -> bool:
        return self.settled or self.void is not None

    @property
    def is_void(self) -> bool:
        return self.void is not None

    @property
    def is_last(self) -> bool:
        """Whether the white card has announced the last round of the shoe (2(2)(1))."""
        return self.white or self.opening.last_round

    @property
    def ends_shoe(self) -> bool:
        return self.options.fresh_pack or self.is_last

    @property
    def next_is_last(self) -> bool:
        return False

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        return self.closing or ()

    @property
    def silence(self) -> Note | None:
        if self.where.phase is not Phase.PLAYER_TURNS:
            return None
        return Note("20(2)", say("While the boxes decide nobody may talk at the table"))

    @property
    def offered_cut(self) -> str | None:
        """Who is asked to cut the pack now."""
        return self.ceremony.cutting.offered if self.ceremony and self.ceremony.cutting else None

    @property
    def burn_owed(self) -> int:
        """Cards that are still to be burnt after the shuffle (4(1))."""
        return 0 if self.ceremony is None else self.options.burnt_first - len(self.ceremony.burnt)

    @property
    def up(self) -> Card:
        """The bank's open card."""
        return self.bank[0]

    @property
    def bank_shown(self) -> tuple[Card, ...]:
        """The bank's cards that lie open."""
        return self.bank[:1] if self.options.has_hole_card and not self.hole_turned else self.bank

    @property
    def acting(self) -> tuple[Box, int] | None:
        """The first hand from the left that is not finished: its box, and its number in it (6(3), R7)."""
        for box in self.boxes:
            for at, hand in enumerate(box.hands):
                if not turns.is_finished(self.options, self.up, box, hand):
                    return box, at
        return None

    def box(self, number: int) -> Box | None:
        """The box of this number, if there is a stake on it."""
        for box in self.boxes:
            if box.number == number:
                return box
        return None

    @property
    def _burns_first(self) -> int:
        """Cards burnt at the start of this round: it follows another one of the same pack (4(2))."""
        follows = not self.opening.first_round and (self.options.by_machine or not self.options.fresh_pack)
        return int(follows and self.options.round_burn is not RoundBurn.NONE)

    @property
    def _burns(self) -> int:
        """Cards burnt in this round until the bank has its second card."""
        return self._burns_first + (self.options.round_burn is RoundBurn.FOLLOWING_AND_SECOND)

    def _next_place(self) -> int | None:
        """Whose card is dealt next: the number of a box among `boxes`, or their number for the bank; None when done."""
        count = len(self.boxes)
        dealt = sum(min(len(box.dealt), 2) for box in self.boxes) + min(len(self.bank), 2)
        if dealt <= 2 * count:
            return dealt if dealt <= count else dealt - count - 1
        return count if self.options.has_hole_card and len(self.bank) < 2 else None

    # ── What comes next ──

    def due(self) -> Due | None:
        return self.where.due

    def overdue(self) -> Due | None:
        match self.where.phase:
            case Phase.CUT:
                return Draw(Chance.CUT)
            case Phase.BETTING:
                return Step(CloseBets())
            case _ if self.where.due is None and self.where.asked is not None:
                return Step(self._automatic(self.where.asked))
            case _:
                return self.where.due

    @staticmethod
    def _automatic(asked: Asked) -> Action:
        """What happens when the time is over."""
        if asked.asks is not Asks.TURN:
            return Proceed()
        assert asked.box is not None and asked.hand is not None
        return Stand(HOUSE, asked.box, asked.hand)

    def default_for(self, who: str) -> Action | None:
        if who == self.offered_cut:
            return Decline(who)
        asked = self.where.asked
        if self.where.due is not None or asked is None or who not in asked.who:
            return None
        match asked.asks:
            case Asks.EARLY:
                return Ready(who)
            case Asks.TURN:
                return self._automatic(asked)
            case _:
                assert asked.box is not None and asked.hand is not None
                return Pass(who, asked.box, asked.hand)

    def offers(self, who: str) -> Offers:
        actions: list[Action] = []
        match self.where.phase:
            case Phase.CUT if self.ceremony and self.ceremony.cutting:
                actions.extend(self.ceremony.cutting.offers(who, self.options.decks * 52))
            case Phase.BETTING:
                actions.extend(self._changes(who))
                if self._takes_part(who) and who not in self.ready:
                    actions.append(Ready(who))
                actions.extend(self._presets(who))
                return Offers(tuple(betting.offers(self.options, self.layout, who)), tuple(actions))
            case Phase.EARLY_WINDOW:
                actions.extend(self._early_choices(who))
            case Phase.PLAYER_TURNS if self.offer is not None:
                actions.extend(self._offer_choices(who))
            case Phase.PLAYER_TURNS if self.where.due is None:
                actions.extend(self._turn_choices(who))
        return Offers(actions=(*actions, *self._presets(who)))

    def _changes(self, who: str) -> Iterator[Action]:
        """What a bettor may do with the stakes that lie there: withdraw, or lower by a credit."""
        for stake in self.layout.of_bettor(who):
            yield Withdraw(who, bet=stake.bet)
            if betting.may_lower(self.options, stake):
                yield Lower(who, bet=stake.bet, amount=CREDIT)

    def _presets(self, who: str) -> Iterator[Action]:
        """What he asks to be done by itself, each turned on or off."""
        if not self._may_preset(who):
            return
        now = self.follows.get(who) or Follow(who)
        yield replace(now, doubles=not now.doubles)
        yield replace(now, splits=not now.splits)
        yield replace(now, claims=not now.claims)

    def _may_preset(self, who: str) -> bool:
        return self.where.phase in _MAY_PRESET and self._takes_part(who)

    # ── The early window (10(3), 12(1), 18) ──

    @property
    def is_after_window(self) -> bool:
        """Whether all first cards lie there and nobody is asked before the turns any more."""
        return bool(self.boxes) and self._next_place() is None and not self.asked_early

    @property
    def asked_early(self) -> tuple[str, ...]:
        """Who still has something to answer before the turns."""
        return window.asked(self.options, self.up, self.boxes, self.window)

    def _may_begin(self, who: str) -> bool:
        """Whether the window waits for him only, so that he may act in his turn at once.

        Where cards lie face down, the viewer must see why earlier boxes do not act: else it would tell their cards.
        """
        if self.where.phase is not Phase.EARLY_WINDOW or self.asked_early != (who,) or self.acting is None:
            return False
        before = (box for box in self.boxes if box.number < self.acting[0].number)
        return not self.options.face_down or all(box.surrendered or box.bettor(who) for box in before)

    def _early_choices(self, who: str) -> Iterator[Action]:
        """What a bettor may answer in the early window; whoever is waited for alone may act in his turn at once."""
        if who not in self.asked_early:
            return
        for box in self.boxes:
            yield from window.choices_on(self.options, self.up, box, who)
        yield Ready(who)
        if self._may_begin(who):
            yield from self._turn_choices(who)

    # ── Turns and offers (6, 16, 17, 19) ──

    def _turn_choices(self, who: str) -> Iterator[Action]:
        if self.acting is not None:
            yield from turns.choices(self.options, self.up, *self.acting, who)

    def _offer_choices(self, who: str) -> Iterator[Action]:
        """What a bettor may answer to what the others on a box are asked; five cards the decider may claim too."""
        offer = self.offer
        assert offer is not None and offer.box is not None and offer.hand is not None
        if offer.asks is Asks.CLAIM:
            if who in self._open_here():
                yield Claim(who, offer.box, offer.hand)
        elif who in offer.who:
            yield Match(who, offer.box, offer.hand)
        if who in offer.who:
            yield Pass(who, offer.box, offer.hand)

    def _open_here(self) -> list[str]:
        """The bettors whose stake on the acting hand is undecided, whoever decides first."""
        assert self.acting is not None
        box, at = self.acting
        return open_on(self.options, self.up, box, box.hands[at])

    # ── What each action does ──

    def apply(self, action: Action) -> BlackjackRound:
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
                return self._sat(action)
            case _, Leave():
                return self._left(action.by)
            case _, WhiteCard() if self.where.due == CARD:
                return self._white_came_out()
            case _, Follow() if self._may_preset(action.by):
                return self._with(follows={**self.follows, action.by: action})

            case Phase.CUT, Cut():
                return self._with_cutting(self._cutting.made(action, self.options.decks * 52, "2(1)(1)"))
            case Phase.CUT, Decline():
                return self._with_cutting(self._cutting.declined(action.by, "2(1)(1)"))

            case Phase.BETTING, PlaceBet():
                return self._bet(action)
            case Phase.BETTING, Withdraw():
                stake = self.layout.own(action.by, action.bet)
                return self._with_layout(action.by, self.layout.without(stake.bet))
            case Phase.BETTING, Lower():
                stake = self.layout.own(action.by, action.bet)
                betting.check_lower(self.options, stake, action.amount)
                return self._with_layout(action.by, self.layout.changed(stake.bet, stake.amount - action.amount))
            case Phase.BETTING, Ready():
                seats.check_takes_part(self.seats, self.layout, action.by)
                return self._with(ready=self.ready | {action.by})
            case Phase.BETTING, CloseBets():
                return self._closed()

            case _, DrawCard() if self.where.due == CARD:
                return self._drawn(action)

            case Phase.EARLY_WINDOW, (Insurance() | EvenMoney()):
                return self._answered_early(action)
            case Phase.EARLY_WINDOW, Surrender() if self._is_surrender_early:
                return self._answered_early(action)
            case Phase.EARLY_WINDOW, Ready() if action.by in self.asked_early:
                return self._with(window=replace(self.window, ready=self.window.ready | {action.by}))
            case Phase.EARLY_WINDOW, Proceed():
                return self._with(window=replace(self.window, over=True))
            case Phase.EARLY_WINDOW, (Hit() | Stand() | Double() | Split() | Surrender()) if self._may_begin(action.by):
                return self._acted(action)

            case Phase.PLAYER_TURNS, (Hit() | Stand() | Double() | Split() | Surrender()) if self._asks_one:
                return self._acted(action)
            case Phase.PLAYER_TURNS, Claim() if self.offer is not None or self.where.due is None:
                return self._claimed(action)
            case Phase.PLAYER_TURNS, Match():
                return self._matched(action)
            case Phase.PLAYER_TURNS, Pass():
                return self._passed(action)
            case Phase.PLAYER_TURNS, Proceed() if self.offer is not None:
                return self._with(offer=None)

            case ((Phase.PLAYER_TURNS | Phase.BANK_SECOND), Pay()) if self.where.due == Step(Pay()):
                return self._paid()
            case ((Phase.BANK_SECOND | Phase.RESULT), TurnHole()) if self.where.due == Step(TurnHole()):
                return self._with(hole_turned=True)
            case Phase.RESULT, Overdraw() if self.may_overdraw:
                return self._with(overdraw=action)
            case Phase.RESULT, Settle() if self.where.due == Step(Settle()):
                return self._settled()

            case _, (PlaceBet() | Withdraw() | Lower()):
                raise Refused("closed", say("Bets are taken only while betting is open"))
            case phase, _:
                assert action.by != HOUSE, f"{action.do} in phase {phase}"
                raise Refused(*self._why_not_now(action))

    @staticmethod
    def _why_not_now(action: Action) -> tuple[str, Words]:
        """Why a decision that the regulation knows cannot be taken at this moment."""
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
                return "", say("That cannot be done now")

    # ── Seats, and the pack (2, 4, 20) ──

    def _sat(self, action: Sit) -> BlackjackRound:
        after = self._with(seats=seats.sat(self.seats, action, self.options.seats, "1(1)"))
        if self.ceremony and self.ceremony.cutting:
            return after._with_cutting(self.ceremony.cutting.sat(action.by, self.seats))
        return after

    def _left(self, who: str) -> BlackjackRound:
        """His stakes stay, and so do his decisions: when his time is over the automatic one is taken (section 5)."""
        after = self._with(seats=seats.left(self.seats, who))
        if self.ceremony and self.ceremony.cutting:
            return after._with_cutting(self.ceremony.cutting.left(who))
        return after

    @property
    def _cutting(self) -> Cutting:
        assert self.ceremony is not None and self.ceremony.cutting is not None
        return self.ceremony.cutting

    def _with(self, **changes: Any) -> BlackjackRound:
        """The round with these facts changed, as `replace` would make it in twice the time."""
        facts = list(_facts_of(self))
        for name, value in changes.items():
            facts[_FACTS[name]] = value
        return BlackjackRound(*facts)

    def _with_cutting(self, cutting: Cutting) -> BlackjackRound:
        assert self.ceremony is not None
        return self._with(ceremony=replace(self.ceremony, cutting=cutting))

    def _burnt_first(self, card: Card) -> BlackjackRound:
        assert self.ceremony is not None
        return self._with(ceremony=replace(self.ceremony, burnt=(*self.ceremony.burnt, card)))

    def _white_came_out(self) -> BlackjackRound:
        assert self.options.has_second_white_card and not self.white, "there is one such card, in a shoe of many decks"
        return self._with(white=True)

    # ── Betting (3, 13) ──

    def _takes_part(self, who: str) -> bool:
        return seats.takes_part(self.seats, self.layout, who)

    def _with_layout(self, who: str, layout: Stakes) -> BlackjackRound:
        """With this layout; the bettor who changed it is not ready any more."""
        return self._with(layout=layout, ready=self.ready - {who})

    def _bet(self, bet: PlaceBet) -> BlackjackRound:
        """A second stake of a bettor on the same spot and box is added to the first, under its id."""
        betting.check_bet(self.options, self.layout, bet)
        lying = self.layout.find(bet.by, bet.spot, bet.box)
        if lying is not None:
            return self._with_layout(bet.by, self.layout.changed(lying.bet, lying.amount + bet.amount))
        return self._with_layout(bet.by, self.layout.placed(Stake(bet.bet, bet.by, bet.spot, bet.amount, bet.box)))

    def _closed(self) -> BlackjackRound:
        layout, refusals = betting.closed(self.layout)
        boxes = laid_out(self.options, self.seats, layout)
        return self._with(layout=layout, closing=refusals, boxes=boxes)

    # ── Cards (5, 6, 7) ──

    def _drawn(self, draw: DrawCard) -> BlackjackRound:
        """A card comes out: it is burnt, void because it lay face up (5(1)(1)), or goes where it is owed."""
        card = draw.card
        if self.where.phase is Phase.BURN:
            return self._burnt_first(card)
        if self.where.phase is Phase.RESULT:
            return self._with(wrong=card)
        if self._burns_next:
            return self._with(burnt=(*self.burnt, card))
        if self.puts_aside(draw):
            return self._with(aside=(*self.aside, card))
        if self.where.phase in (Phase.BANK_SECOND, Phase.BANK_DRAW):
            return self._with(bank=(*self.bank, card))
        if self.where.phase is Phase.DEAL:
            return self._dealt(card)
        return self._dealt_in_turn(card)

    @property
    def _burns_next(self) -> bool:
        """Whether the next card is burnt: at the start, or before the bank's second card (4(2))."""
        match self.where.phase:
            case Phase.ROUND_BURN:
                return True
            case Phase.BANK_SECOND:
                return len(self.burnt) < self._burns
            case _:
                return False

    def puts_aside(self, draw: DrawCard) -> bool:
        """Whether this card, coming next, is void: it lies face up (5(1)(1)), or the bank should not draw it (6(1))."""
        if self.where.phase is Phase.RESULT:
            return True
        dealt = self.where.phase in (Phase.DEAL, Phase.PLAYER_TURNS, Phase.BANK_SECOND, Phase.BANK_DRAW)
        return draw.exposed and dealt and not self._burns_next and not self._is_valid_though_exposed

    @property
    def _is_valid_though_exposed(self) -> bool:
        """Whether it is the very first card after the shuffle, and the house plays it (5(1)(1))."""
        nothing_yet = not self.bank and not self.aside and not any(box.dealt for box in self.boxes)
        return self.options.exposed_first_card_valid and self.opening.first_round and nothing_yet

    def _dealt(self, card: Card) -> BlackjackRound:
        at = self._next_place()
        assert at is not None
        if at == len(self.boxes):
            return self._with(bank=(*self.bank, card))
        box = self.boxes[at]
        dealt = (*box.dealt, card)
        return self._with_box(replace(box, hands=(Hand(0, box.hands[0].stakes, dealt),), dealt=dealt))

    def _dealt_in_turn(self, card: Card) -> BlackjackRound:
        assert self.acting is not None
        box, at = self.acting
        hand = replace(box.hands[at], cards=(*box.hands[at].cards, card), owed=False)
        box = replace(box.with_hand(at, hand), dealt=(*box.dealt, card))
        others = tuple(open_on(self.options, self.up, box, hand)[1:])
        may_claim = turns.may_claim(self.options, self.up, hand)
        return self._with_box(box, offer=_offer(Asks.CLAIM, others, box, at) if may_claim else None)

    def _with_box(self, box: Box, **changes: Any) -> BlackjackRound:
        boxes = tuple(box if other.number == box.number else other for other in self.boxes)
        return self._with(boxes=boxes, **changes)

    # ── Decisions ──

    @property
    def _is_surrender_early(self) -> bool:
        return self.options.surrender_timing is SurrenderTiming.BEFORE_ANY_DRAW

    def _answered_early(self, action: Insurance | EvenMoney | Surrender) -> BlackjackRound:
        """An answer in the early window, each bettor for his own stake, the decider for the box."""
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

    @property
    def _asks_one(self) -> bool:
        """Whether the decider of the acting hand is asked, and nobody else."""
        return self.where.due is None and self.offer is None

    def _acted(self, action: Hit | Stand | Double | Split | Surrender) -> BlackjackRound:
        """A decision of the decider in the turn of his hand, after the early window; by HOUSE his time was over."""
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
        if self.acting is not None and (self.acting[0].number, self.acting[1]) == (number, at):
            return self.acting
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
        if action.by not in self._open_here():
            raise Refused("19(1)", say("You have no open stake on this hand"))
        offer = self.offer and _answered(self.offer, action.by)
        return self._with_box(turns.claimed(box, at, action.by), offer=offer)

    @property
    def may_overdraw(self) -> bool:
        """Whether the bank could wrongly draw here: it stands, and has not done so already."""
        return self.overdraw is None and self._is_main_open()

    # ── Money and what is seen ──

    def _paid(self) -> BlackjackRound:
        new = dict(decided(self.options, self.layout, self.boxes, self.up, self.paid))
        return self._with(paid={**self.paid, **new})

    def _settled(self) -> BlackjackRound:
        new = dict(settled(self.options, self.layout, self.boxes, self.bank, self.paid))
        return self._with(paid={**self.paid, **new}, settled=True)

    def _voided(self, void: Void) -> BlackjackRound:
        new = dict(voided(self.layout, self.laid(), self.payouts()))
        return self._with(paid={**self.paid, **new}, void=void)

    def laid(self, who: str | None = None) -> dict[str, int]:
        """Bet -> all cents that were laid down for it, with all that grew out of it; of one bettor, or of everybody."""
        stakes = self.layout if who is None else self.layout.of_bettor(who)
        laid = {stake.bet: stake.amount for stake in stakes}
        for box in self.boxes:
            for bettor in box.bettors:
                if bettor.bet in laid:
                    laid[bettor.bet] = box.laid(bettor.who)
        return laid

    def held(self, who: str | None = None) -> Mapping[str, int]:
        if self.over:
            return {}
        held = self.laid(who)
        for payout in self.paid.values():
            if payout.stake and payout.bet in held:
                held[payout.bet] -= payout.stake
        return {bet: amount for bet, amount in held.items() if amount}

    def stakes(self) -> tuple[Stake, ...]:
        return tuple(self.layout)

    def payouts(self) -> tuple[Payout, ...]:
        return tuple(self.paid.values())

    def carried(self) -> tuple[Stake, ...]:
        return ()

    def view(self, who: str | None) -> View:
        return seen(self, who)

    def result(self) -> dict[str, Any]:
        assert self.over, "the round has no result yet"
        if self.void:
            return {"void": True}
        return {
            "bank": [str(card) for card in self.bank],
            "bank_total": best(self.bank),
            "bank_blackjack": is_blackjack(self.bank),
            "boxes": {
                str(box.number): [[str(card) for card in hand.cards] for hand in box.hands] for box in self.boxes
            },
        }


_FACTS = {fact.name: at for at, fact in enumerate(fact for fact in fields(BlackjackRound) if fact.init)}
_facts_of = attrgetter(*_FACTS)


def _offer(asks: Asks, others: tuple[str, ...], box: Box, at: int) -> Asked | None:
    """What the others on a hand are asked; nothing if there are none."""
    return Asked(asks, others, box.number, at) if others else None


def _answered(offer: Asked, who: str) -> Asked | None:
    """What is still asked when this one has answered."""
    left = tuple(other for other in offer.who if other != who)
    return replace(offer, who=left) if left else None


def opened(options: Options, opening: Opening) -> BlackjackRound:
    """The round before anybody acts. The machine is not cut; the cut is offered to the seats in order."""
    assert not opening.carried, "no stake of Blackjack stays for the next round"
    ceremony = None
    if opening.ceremony:
        ceremony = Ceremony(None if options.by_machine else Cutting.among(opening.seats))
    return BlackjackRound(options, opening, dict(opening.seats), ceremony, Stakes.of(()))
