"""One round of Baccarat: its phases and what each action does (rulebook, sections 5 to 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from tables.games.contract.actions import (
    HOUSE,
    Action,
    Decline,
    DrawCard,
    GiveBack,
    Lower,
    Move,
    PlaceBet,
    Settle,
    Step,
    Void,
    WhiteCard,
    Withdraw,
)
from tables.games.contract.errors import Refused
from tables.games.contract.round import BetOffer, Offers, Opening, Pace, Payout, Progress, Refusal, Stake, WentBack
from tables.games.shared.card_round import CARD, CardRound, NewShoeProcedure
from tables.games.shared.cutting import Cutting
from tables.games.shared.stakes import Stakes
from tables.games.shared.table_round import Change, gone_back
from tables.games.values.cards import POINTS, Card
from tables.games.values.json import JsonObject
from tables.games.values.quick import quickly_made
from tables.games.values.words import Note, say

from . import betting
from .bets import SPOTS
from .coup import BANKER, PLAYER, Coup, Hand, player_rule
from .options import Burn, Indicator, LastRound, Options
from .phases import OPENING, PassHand, Phase, Turn, Waive
from .settling import payouts


class White(StrEnum):
    """When the white card came out (section 5)."""

    BEFORE = "before"  # before the first card of this round
    DURING = "during"  # between its first and its last card


Place = tuple[Hand, int]
"""A card's place: its hand and its number in it, from 0."""

At = Progress[Phase, str]
"""Where a round is; `asked` is the holder whose turn it is to open their hand."""

_BETTING: At = Progress.betting(Phase.BETTING)
_RESULT: At = Progress.owing(Phase.RESULT, Step(Settle()))
_SETTLED: At = Progress.ended(Phase.SETTLED)
_VOID: At = Progress.ended(Phase.VOID)
_DRAWS: Mapping[Phase, At] = {
    phase: Progress.owing(phase, CARD)
    for phase in (Phase.BURN, Phase.DEMO, Phase.ROUND_BURN, Phase.DEAL, Phase.PLAYER_THIRD, Phase.BANKER_THIRD)
}
_DEMO, _ROUND_BURN, _DEAL = _DRAWS[Phase.DEMO], _DRAWS[Phase.ROUND_BURN], _DRAWS[Phase.DEAL]
_THIRD: Mapping[Hand, At] = {PLAYER: _DRAWS[Phase.PLAYER_THIRD], BANKER: _DRAWS[Phase.BANKER_THIRD]}
_FACE_DOWN: Mapping[tuple[Hand, int], Phase] = {
    (PLAYER, 2): Phase.OPEN_PLAYER,
    (PLAYER, 3): Phase.PLAYER_THIRD,
    (BANKER, 2): Phase.OPEN_BANKER,
    (BANKER, 3): Phase.BANKER_THIRD,
}


@lru_cache(maxsize=1024)
def _face_down(hand: Hand, cards: int, holder: str | None) -> At:
    """A hand of so many cards lies face down: its holder turns it, or the dealer does."""
    turned: At = Progress.owing(_FACE_DOWN[hand, cards], Step(Turn(HOUSE, hand=hand)))
    return Progress(turned.phase, Pace.DECISION, None, turned.on_timeout, holder) if holder else turned


_PLACES: Mapping[Hand, tuple[frozenset[Place], ...]] = {
    hand: tuple(frozenset((hand, place) for place in range(cards)) for cards in range(4)) for hand in Hand
}
"""The places of a hand's cards, by how many it has."""


@quickly_made
@dataclass(frozen=True)
class BaccaratRound(CardRound[Phase, str]):
    """A round, folded so far: the facts. Everything else is derived from them.

    `demos` are the demonstration rounds of a new shoe.
    """

    seat_article = "1(5)"
    cut_article = "2(1)"

    options: Options
    opening: Opening
    seats: Mapping[str, int]
    ceremony: NewShoeProcedure | None
    layout: Stakes
    demos: tuple[Coup, ...] = ()
    ready: frozenset[str] = frozenset()
    closing: betting.Closing | None = None
    holders: Mapping[Hand, str] = field(default_factory=dict)
    burnt: tuple[Card, ...] = ()
    coup: Coup = Coup()
    face_up: frozenset[Place] = frozenset()
    exposed: frozenset[Place] = frozenset()
    white: White | None = None
    settled: bool = False
    void: Void | None = None
    back: tuple[WentBack, ...] = ()
    paid: tuple[Payout, ...] = field(default=(), compare=False, repr=False)
    """What follows from the facts at the end: worked out once, as everybody asks."""
    progress: At = field(init=False, compare=False, repr=False)

    # ── Where it is ──

    def _progress(self) -> At:
        if self.void:
            return _VOID
        if self.settled:
            return _SETTLED
        if self.closing is None:
            return _BETTING if self.ceremony is None else self._progress_of_the_shoe()
        if self.options.burn_each_round and len(self.burnt) < self._burns:
            return _ROUND_BURN
        if len(self.coup.banker) < 2:
            return _DEAL
        if len(self.face_up) < len(self.coup):
            hand = BANKER if self.is_open(PLAYER) else PLAYER
            return _face_down(hand, len(self.coup.of(hand)), self.holders.get(hand))
        drawing = self.coup.next()
        return _RESULT if drawing is None else _THIRD[drawing]

    def _progress_of_the_shoe(self) -> At:
        """Before the first round of a shoe its pack is cut, and cards are burnt and demonstrated (2)."""
        if self.is_to_be_cut:
            return self.cut_due(Phase.CUT)
        if self.burn_owed():
            return _DRAWS[Phase.BURN]
        return _DEMO if self._demo_owed() else _BETTING

    @property
    def wait(self) -> str:
        match self.phase:
            case Phase.CUT:
                return self.cut_wait()
            case Phase.BURN | Phase.DEMO as phase:
                return f"{phase}.{len(self.first_burnt) + sum(map(len, self.demos)) + bool(self.white)}"
            case Phase.BETTING | Phase.RESULT | Phase.SETTLED | Phase.VOID as phase:
                return phase.value
            case phase:
                whose = "holder" if self.progress.asked else HOUSE
                turned = len(self.face_up) if self.options.squeezes else 0  # each card is waited for by itself
                return f"{phase}.{len(self.burnt) + len(self.coup) + bool(self.white) + turned}.{whose}"

    @property
    def is_last(self) -> bool:
        """Whether it is known already that no more rounds are dealt from this shoe (3(1), B-A2)."""
        rule = self.options.last_round_rule
        return (
            self.opening.last_round
            or self.white is White.BEFORE
            or (self.white is White.DURING and rule is LastRound.CURRENT)
        )

    @property
    def ends_shoe(self) -> bool:
        return self.options.by_machine or self.is_last

    @property
    def next_is_last(self) -> bool:
        return self.white is White.DURING and not self.is_last

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        return self.closing.refusals if self.closing else ()

    @property
    def trims(self) -> tuple[betting.Trim, ...]:
        """Stakes that were lowered when betting closed."""
        return self.closing.trims if self.closing else ()

    def is_open(self, hand: Hand) -> bool:
        """Whether every card that the hand has been dealt lies face up for all."""
        return _PLACES[hand][len(self.coup.of(hand))] <= self.face_up

    # ── What comes next ──

    def default_for(self, who: str) -> Action | None:
        if who in self.offered_cut:
            return Decline(who)
        return Turn(HOUSE, hand=OPENING[self.phase]) if who == self.progress.asked else None

    def offers(self, who: str) -> Offers:
        match self.phase:
            case Phase.CUT:
                return Offers(actions=self.cut_offers(who))
            case Phase.BETTING:
                return Offers(self._bet_offers(who), (*self._changes(who), *self.readiness(who)))
            case _:
                return Offers(actions=self.holding(who))

    def _bet_offers(self, who: str) -> tuple[BetOffer, ...]:
        seat = self.seats.get(who)
        offers = []
        for spot in SPOTS:
            if not betting.is_sold(self.options, spot):
                continue
            least, step = betting.least_bet(self.options, spot), betting.step(self.options, spot)
            most = betting.room(self.options, self.layout, who, spot)
            if most is not None:
                most -= most % step
                if most < least:
                    continue
            offers.append(BetOffer(spot, least, most, step))
            if seat is not None:
                offers.append(BetOffer(spot, least, most, step, seat))
        return tuple(offers)

    def _changes(self, who: str) -> list[Action]:
        """What a bettor may do with the stakes that lie there: withdraw, move, or lower by the least amount."""
        actions: list[Action] = []
        stakes = self.layout.of_bettor(who)
        for stake, spots in zip(stakes, betting.targets_of(self.options, self.layout, stakes), strict=True):
            menu = betting.menu(self.options, stake)
            if menu.withdraw:
                actions.append(Withdraw(who, bet=stake.bet))
            if lower := betting.least_lowering(self.options, stake):
                actions.append(Lower(who, bet=stake.bet, amount=lower))
            actions.extend(Move(who, bet=stake.bet, spot=spot) for spot in spots)
        return actions

    def holding(self, who: str) -> tuple[Action, ...]:
        """What the holder of a hand may do: turn it when it is its turn, waive it, pass it on."""
        phase = self.phase
        if phase not in OPENING:
            return ()
        actions: list[Action] = []
        for hand, holder in self.holders.items():
            if holder != who or self._is_done(hand) or self._stands(hand):
                continue
            if OPENING[phase] is hand and not self.is_open(hand):
                actions.append(Turn(who, hand=hand))
                actions.extend(Turn(who, hand=hand, card=card) for card in self.turned_one_by_one(hand))
            actions.append(Waive(who, hand=hand))
            actions.extend(PassHand(who, hand=hand, to=other) for other in self._may_hold(hand) if other != who)
        return tuple(actions)

    def turned_one_by_one(self, hand: Hand) -> list[int]:
        """The cards of a hand that lie face down, where each may be turned by itself (B-A18)."""
        if not self.options.squeezes:
            return []
        return [card for card in range(len(self.coup.of(hand))) if (hand, card) not in self.face_up]

    # ── What each action does ──

    def _after(self, action: Action) -> BaccaratRound | None:
        phase = self.progress.phase
        match action:
            case DrawCard() if self.progress.next_house_step is CARD:
                return self._drawn(action)
            case Turn() if phase in OPENING:
                return self._turned(OPENING[phase], action)
            case Settle() if phase is Phase.RESULT:
                return self._ended(settled=True)
            case WhiteCard() if self.progress.next_house_step is CARD:
                return self._white_came_out()
            case Waive() if phase in OPENING:
                return self._passed(action.by, action.hand, None)
            case PassHand() if phase in OPENING:
                return self._passed(action.by, action.hand, action.to)
            case GiveBack() if phase is Phase.BETTING:
                return self._with(layout=self.given_back())
            case _ if phase is Phase.CUT:
                return self._handled(action)
            case _:
                return None

    def _drawn(self, draw: DrawCard) -> BaccaratRound | None:
        """The card that was due has come out: where it goes."""
        if self.progress is _ROUND_BURN:
            return self._with(burnt=(*self.burnt, draw.card))
        if self.closing is not None:
            return self._dealt(draw)
        if self.progress is _DEMO:
            return self._with(demos=self._demonstrated(draw.card))
        return self._handled(draw)

    def leaving(self, who: str) -> Note | None:
        seat = self.seats.get(who)
        if seat is None or self.over:
            return None
        if any(holder == who and not self._is_done(hand) for hand, holder in self.holders.items()):
            return Note("16(2)", say("The dealer opens the cards that you hold"))
        if self.takes_bets and any(stake.box == seat for stake in self.layout.of_bettor(who)):
            return Note("15", say("Your stakes stay, but you cannot add to them in this box"))
        return None

    def _left(self, who: str) -> BaccaratRound:
        """They hold nothing more: the dealer opens at once (16(2)). Their stakes stay."""
        holders = {hand: holder for hand, holder in self.holders.items() if holder != who}
        return CardRound._left(self, who)._with(holders=holders)

    # ── Ceremony (2) ──

    def burn_owed(self) -> int:
        """Cards that are still to be burnt after the cut, as far as is known (2(1), B-A1)."""
        burnt = self.first_burnt
        match self.options.burn_mode:
            case Burn.BY_DECKS:
                total = self.options.decks
            case Burn.FIXED_N:
                total = self.options.burn_fixed_n or 0
            case Burn.BY_FIRST_CARD if burnt:
                total = (POINTS[burnt[0].rank] or 10) + (self.options.burn_indicator is Indicator.EXTRA)
            case Burn.BY_FIRST_CARD:
                total = 1
        return total - len(burnt)

    def _demo_owed(self) -> bool:
        demos = self.demos
        return len(demos) < self.options.demo_rounds or (bool(demos) and demos[-1].next() is not None)

    def _demonstrated(self, card: Card) -> tuple[Coup, ...]:
        if self.demos and self.demos[-1].next() is not None:
            return (*self.demos[:-1], self.demos[-1].dealt(card))
        return (*self.demos, Coup().dealt(card))

    # ── Betting (12 to 15) ──

    def _changed(self, action: Change) -> Stakes:
        if isinstance(action, PlaceBet):
            betting.check_bet(self.options, self.seats, self.layout, action)
            return self.layout.placed(Stake(action.bet, action.by, action.spot, action.amount, action.box))
        stake = self.layout.own(action.by, action.bet)
        match action:
            case Withdraw():
                betting.check_withdraw(self.options, stake)
                return betting.withdrawn(self.options, self.layout, stake)
            case Lower():
                betting.check_lower(self.options, stake, action.amount)
                return self.layout.changed(stake.bet, stake.amount - action.amount)
            case Move():
                if action.box is not None:
                    raise Refused("15", say("A stake moves within its box, or within the common area"))
                betting.check_move(self.options, self.layout, stake, action.spot)
                return self.layout.moved(stake.bet, action.spot, self._box_when_moved(stake))

    def _with_layout(self, action: Change, layout: Stakes) -> BaccaratRound:
        after = CardRound._with_layout(self, action, layout)
        if isinstance(action, PlaceBet) and not self.back:
            return after
        return after._with(back=gone_back(self, action, layout, betting.LONE_PAIR))

    def _box_when_moved(self, stake: Stake) -> int | None:
        """Where a stake lies that is moved: in its box while its bettor sits there, else in the common area, as the
        boxes are for those who sit (15)."""
        sits_there = self.seats.get(stake.by) == stake.box
        return stake.box if sits_there or not self.is_read_anew else None

    def _closed(self) -> BaccaratRound:
        layout, closing = betting.closed(self.options, self.layout)
        holders = {}
        for hand in (PLAYER, BANKER):
            holder = betting.holder(self.options, self.seats, layout, hand)
            if holder is not None:
                holders[hand] = holder
        return self._with(layout=layout, closing=closing, holders=holders)

    # ── Cards (4, 7 to 9, 16) ──

    @property
    def _burns(self) -> int:
        return 0 if self.options.by_machine else self.options.burn_each_round

    def _dealt(self, draw: DrawCard) -> BaccaratRound:
        coup = self.coup.dealt(draw.card)
        if not (draw.exposed or self.options.by_machine):
            return self._with(coup=coup)
        hand = PLAYER if len(coup.player) > len(self.coup.player) else BANKER
        place = (hand, len(self.coup.of(hand)))
        if self.options.by_machine:
            return self._with(coup=coup, face_up=self.face_up | {place})
        return self._with(coup=coup, face_up=self.face_up | {place}, exposed=self.exposed | {place})

    def _white_came_out(self) -> BaccaratRound:
        assert self.white is None and not self.options.by_machine, "there is one white card, in the shoe"
        return self._with(white=White.DURING if len(self.coup) else White.BEFORE)

    def _turned(self, due: Hand, turn: Turn) -> BaccaratRound:
        hand = turn.hand
        if hand is not due:
            raise Refused("7(1)", say("The other hand is opened first"))
        if self.is_open(hand):
            raise Refused("16(2)", say("The third card is not on the table yet"))
        if turn.by not in (HOUSE, self.holders.get(hand)):
            raise Refused("16(2)", say("Only the holder of the hand turns its cards"))
        if turn.card is None:
            return self._with(face_up=self.face_up | _PLACES[hand][len(self.coup.of(hand))])
        if turn.card not in self.turned_one_by_one(hand):
            raise Refused("B-A18", say("This card cannot be turned by itself"))
        return self._with(face_up=self.face_up | {(hand, turn.card)})

    def _may_hold(self, hand: Hand) -> list[str]:
        """The seated bettors with a stake on the hand, by seat."""
        stakes = self.layout.on(hand)
        return sorted((who for who in self.seats if who in stakes), key=self.seats.__getitem__)

    def _is_done(self, hand: Hand) -> bool:
        """Whether the hand lies open and it is known to all that it draws nothing more."""
        if not (self.is_open(Hand.PLAYER) and self.is_open(Hand.BANKER)):
            return self.is_open(hand) and len(self.coup.of(hand)) == 3
        return self.coup.next() is None or (hand is Hand.PLAYER and self.coup.next() is Hand.BANKER)

    def _stands(self, hand: Hand) -> bool:
        """Whether it is the Player's and lies open with points on which it draws nothing, whatever the Banker has."""
        return hand is PLAYER and self.is_open(hand) and not player_rule(self.coup.points(hand), 0).draws

    def _passed(self, by: str, hand: Hand, to: str | None) -> BaccaratRound:
        """The holder waives the hand, or passes it on. The clock that runs for it is not set anew."""
        if by != self.holders.get(hand) or self._is_done(hand) or self._stands(hand):
            raise Refused("16(2)", say("You do not hold this hand"))
        if to is not None and (to == by or to not in self._may_hold(hand)):
            raise Refused("16(2)", say("Only a seated bettor with a stake on the hand may hold it"))
        holders = {other: holder for other, holder in self.holders.items() if other is not hand}
        if to is not None:
            holders[hand] = to
        return self._with(holders=holders)

    # ── Money ──

    def _ended(self, **end: object) -> BaccaratRound:
        return self._with(paid=payouts(self.options, self.layout, None if "void" in end else self.coup), **end)

    def _voided(self, void: Void) -> BaccaratRound:
        return self._ended(void=void)

    def payouts(self) -> tuple[Payout, ...]:
        return self.paid

    def _result(self) -> JsonObject:
        return {
            "winner": self.coup.winner().value,
            "player": self.coup.points(Hand.PLAYER),
            "banker": self.coup.points(Hand.BANKER),
            "player_pair": self.coup.is_pair(Hand.PLAYER),
            "banker_pair": self.coup.is_pair(Hand.BANKER),
        }


def opened(options: Options, opening: Opening) -> BaccaratRound:
    """The round before anybody acts. Only a shoe has a ceremony."""
    assert all(SPOTS[stake.spot].carries and stake.carried for stake in opening.carried)
    ceremony = None
    if opening.ceremony and not options.by_machine:
        ceremony = NewShoeProcedure(Cutting.among(opening, options.decks))
    return BaccaratRound(options, opening, dict(opening.seats), ceremony, Stakes.of(opening.carried))
