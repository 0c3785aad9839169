"""One round of Baccarat: its phases and what each action does (rulebook, sections 5 to 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from tables.games import seats
from tables.games.cards import POINTS, Card
from tables.games.cutting import Cutting
from tables.games.protocol import (
    HOUSE,
    Action,
    BetOffer,
    Chance,
    CloseBets,
    Cut,
    Decline,
    Draw,
    DrawCard,
    Due,
    GiveBack,
    Leave,
    Lower,
    Move,
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
from tables.games.words import Note, say

from . import betting
from .bets import SPOTS
from .coup import Coup, Hand
from .options import Burn, Indicator, LastRound, Options
from .phases import OPENING, PassHand, Phase, Turn, Waive
from .settling import payouts
from .view import View, seen


class White(StrEnum):
    """When the white card came out (section 5)."""

    BEFORE = "before"  # before the first card of this round
    DURING = "during"  # between its first and its last card


# ── The round ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Ceremony:
    """What happens to a new shoe before its first round: cut, burn, demonstrations (2)."""

    cutting: Cutting = Cutting()
    burnt: tuple[Card, ...] = ()
    demos: tuple[Coup, ...] = ()


Place = tuple[Hand, int]
"""A card's place: its hand and its number in it, from 0."""


@dataclass(frozen=True, slots=True)
class BaccaratRound:
    """A round, folded so far: the facts. Everything else is derived from them."""

    options: Options
    opening: Opening
    seats: Mapping[str, int]
    ceremony: Ceremony | None
    layout: Stakes
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
    paid: tuple[Payout, ...] = field(default=(), compare=False, repr=False)
    """What follows from the facts at the end: worked out once, as everybody asks."""

    # ── Where it is ──

    @property
    def phase(self) -> Phase:
        if self.void:
            return Phase.VOID
        if self.settled:
            return Phase.SETTLED
        if self.closing is None:
            return self._phase_before_closing()
        if self._burns and len(self.burnt) < self._burns:
            return Phase.ROUND_BURN
        if len(self.coup) < 4:
            return Phase.DEAL
        player, banker = self.is_open(Hand.PLAYER), self.is_open(Hand.BANKER)
        if not player:
            return Phase.OPEN_PLAYER if len(self.coup.player) == 2 else Phase.PLAYER_THIRD
        if not banker:
            return Phase.OPEN_BANKER if len(self.coup.banker) == 2 else Phase.BANKER_THIRD
        match self.coup.next():
            case Hand.PLAYER:
                return Phase.PLAYER_THIRD
            case Hand.BANKER:
                return Phase.BANKER_THIRD
            case None:
                return Phase.RESULT

    def _phase_before_closing(self) -> Phase:
        if self.ceremony is None:
            return Phase.BETTING
        if self.ceremony.cutting.cut is None:
            return Phase.CUT
        if self.burn_owed():
            return Phase.BURN
        if self._demo_owed():
            return Phase.DEMO
        return Phase.BETTING

    @property
    def tempo(self) -> Tempo:
        match self.phase:
            case Phase.CUT if self.offered_cut is not None:
                return Tempo.CUT
            case Phase.BETTING:
                return Tempo.BETTING
            case Phase.SETTLED | Phase.VOID:
                return Tempo.RESULT
            case phase:
                return Tempo.DECISION if self._waits_for(phase) else Tempo.BEAT

    @property
    def wait(self) -> str:
        match self.phase:
            case Phase.CUT:
                return f"cut.{self.offered_cut or HOUSE}"
            case Phase.BURN | Phase.DEMO as phase:
                ceremony = self.ceremony or Ceremony()
                return f"{phase}.{len(ceremony.burnt) + sum(map(len, ceremony.demos)) + bool(self.white)}"
            case Phase.BETTING | Phase.RESULT | Phase.SETTLED | Phase.VOID as phase:
                return phase.value
            case phase:
                whose = "holder" if self._waits_for(phase) else HOUSE
                return f"{phase}.{len(self.burnt) + len(self.coup) + bool(self.white)}.{whose}"

    @property
    def hurried(self) -> bool:
        if self.phase is not Phase.BETTING:
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

    @property
    def silence(self) -> Note | None:
        return None

    @property
    def offered_cut(self) -> str | None:
        """Who is asked to cut the pack now."""
        return self.ceremony.cutting.offered if self.ceremony else None

    def is_open(self, hand: Hand) -> bool:
        """Whether every card that the hand has been dealt lies face up for all."""
        return all((hand, place) in self.face_up for place in range(len(self.coup.of(hand))))

    # ── What comes next ──

    def due(self) -> Due | None:
        match self.phase:
            case Phase.CUT:
                return None if self.offered_cut else Draw(Chance.CUT)
            case Phase.BETTING | Phase.SETTLED | Phase.VOID:
                return None
            case Phase.RESULT:
                return Step(Settle())
            case Phase.BURN | Phase.DEMO | Phase.ROUND_BURN | Phase.DEAL:
                return Draw(Chance.CARD)
            case phase:
                hand = OPENING[phase]
                if self.is_open(hand):
                    return Draw(Chance.CARD)
                return None if hand in self.holders else Step(Turn(HOUSE, hand=hand))

    def overdue(self) -> Due | None:
        match self.phase:
            case Phase.CUT:
                return Draw(Chance.CUT)
            case Phase.BETTING:
                return Step(CloseBets())
            case phase if self._waits_for(phase):
                return Step(Turn(HOUSE, hand=OPENING[phase]))
            case _:
                return self.due()

    def _waits_for(self, phase: Phase) -> str | None:
        """The holder whose turn it is to open a hand."""
        hand = OPENING.get(phase)
        return None if hand is None or self.is_open(hand) else self.holders.get(hand)

    def default_for(self, who: str) -> Action | None:
        phase = self.phase
        if phase is Phase.CUT and who == self.offered_cut:
            return Decline(who)
        if self._waits_for(phase) == who:
            return Turn(HOUSE, hand=OPENING[phase])
        return None

    def offers(self, who: str) -> Offers:
        match self.phase:
            case Phase.CUT if self.ceremony:
                return Offers(actions=self.ceremony.cutting.offers(who, self.options.decks * 52))
            case Phase.BETTING:
                return Offers(self._bet_offers(who), (*self._changes(who), *self._readiness(who)))
            case phase if phase in OPENING:
                return Offers(actions=self._holding(who, phase))
            case _:
                return Offers()

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
        for stake in self.layout.of_bettor(who):
            menu = betting.menu(self.options, stake)
            if menu.withdraw:
                actions.append(Withdraw(who, bet=stake.bet))
            if lower := betting.least_lowering(self.options, stake):
                actions.append(Lower(who, bet=stake.bet, amount=lower))
            actions.extend(betting.moves(self.options, self.layout, stake))
        return actions

    def _readiness(self, who: str) -> tuple[Action, ...]:
        takes_part = seats.takes_part(self.seats, self.layout, who)
        return (Ready(who),) if takes_part and who not in self.ready else ()

    def _holding(self, who: str, phase: Phase) -> tuple[Action, ...]:
        """What the holder of a hand may do: turn it when it is its turn, waive it, pass it on."""
        actions: list[Action] = []
        for hand, holder in self.holders.items():
            if holder != who or self._is_done(hand):
                continue
            if OPENING[phase] is hand and not self.is_open(hand):
                actions.append(Turn(who, hand=hand))
            actions.append(Waive(who, hand=hand))
            actions.extend(PassHand(who, hand=hand, to=other) for other in self._may_hold(hand) if other != who)
        return tuple(actions)

    # ── What each action does ──

    def apply(self, action: Action) -> BaccaratRound:
        match self.phase, action:
            case ((Phase.SETTLED | Phase.VOID), _) if action.by != HOUSE:
                raise Refused("closed", say("The round is over"))
            case ((Phase.SETTLED | Phase.VOID), _):
                raise AssertionError(f"{action.do} after the end of the round")
            case _, (CloseBets() | GiveBack() | DrawCard() | WhiteCard() | Settle() | Void()) if action.by != HOUSE:
                raise Refused("", say("Only the dealer does that"))
            case _, Void():
                return self._ended(void=action)
            case _, Sit():
                return self._sat(action)
            case _, Leave():
                return self._left(action.by)

            case Phase.CUT, Cut():
                return self._with_ceremony(cutting=self._begun.cutting.made(action, self.options.decks * 52, "2(1)"))
            case Phase.CUT, Decline():
                return self._with_ceremony(cutting=self._begun.cutting.declined(action.by, "2(1)"))
            case Phase.BURN, DrawCard():
                return self._with_ceremony(burnt=(*self._begun.burnt, action.card))
            case Phase.DEMO, DrawCard():
                return self._demonstrated(action.card)

            case Phase.BETTING, PlaceBet():
                return self._bet(action)
            case Phase.BETTING, Withdraw():
                return self._withdrew(action)
            case Phase.BETTING, Lower():
                return self._lowered(action)
            case Phase.BETTING, Move():
                return self._moved(action)
            case Phase.BETTING, Ready():
                seats.check_takes_part(self.seats, self.layout, action.by)
                return replace(self, ready=self.ready | {action.by})
            case Phase.BETTING, GiveBack():
                return replace(self, layout=self.layout.without(*(stake.bet for stake in self.opening.carried)))
            case Phase.BETTING, CloseBets():
                return self._closed()

            case Phase.ROUND_BURN, DrawCard():
                return replace(self, burnt=(*self.burnt, action.card))
            case ((Phase.DEAL | Phase.PLAYER_THIRD | Phase.BANKER_THIRD), DrawCard()) if self.due() == Draw(
                Chance.CARD
            ):
                return self._dealt(action)
            case _, WhiteCard() if self.due() == Draw(Chance.CARD):
                return self._white_came_out()

            case (Phase.OPEN_PLAYER | Phase.OPEN_BANKER | Phase.PLAYER_THIRD | Phase.BANKER_THIRD) as phase, Turn():
                return self._turned(phase, action)
            case ((Phase.OPEN_PLAYER | Phase.OPEN_BANKER | Phase.PLAYER_THIRD | Phase.BANKER_THIRD), Waive()):
                return self._passed(action.by, action.hand, None)
            case ((Phase.OPEN_PLAYER | Phase.OPEN_BANKER | Phase.PLAYER_THIRD | Phase.BANKER_THIRD), PassHand()):
                return self._passed(action.by, action.hand, action.to)

            case Phase.RESULT, Settle():
                return self._ended(settled=True)

            case _, (PlaceBet() | Withdraw() | Lower() | Move() | Ready()):
                raise Refused("closed", say("Bets are taken only while betting is open"))
            case phase, _:
                assert action.by != HOUSE, f"{action.do} in phase {phase}"
                raise Refused("", say("That cannot be done now"))

    def _sat(self, action: Sit) -> BaccaratRound:
        after = replace(self, seats=seats.sat(self.seats, action, self.options.seats, "1(5)"))
        if self.ceremony:
            return after._with_ceremony(cutting=self.ceremony.cutting.sat(action.by, self.seats))
        return after

    def _left(self, who: str) -> BaccaratRound:
        """He holds nothing more: the dealer opens at once (16(2)). His stakes stay."""
        after = replace(
            self,
            seats=seats.left(self.seats, who),
            holders={hand: holder for hand, holder in self.holders.items() if holder != who},
        )
        if self.ceremony:
            return after._with_ceremony(cutting=self.ceremony.cutting.left(who))
        return after

    # ── Ceremony (2) ──

    @property
    def _begun(self) -> Ceremony:
        assert self.ceremony is not None
        return self.ceremony

    def _with_ceremony(self, **changes: Any) -> BaccaratRound:
        return replace(self, ceremony=replace(self._begun, **changes))

    def burn_owed(self) -> int:
        """Cards that are still to be burnt after the cut, as far as is known (2(1), B-A1)."""
        burnt = self._begun.burnt
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
        demos = self._begun.demos
        return len(demos) < self.options.demo_rounds or (bool(demos) and demos[-1].next() is not None)

    def _demonstrated(self, card: Card) -> BaccaratRound:
        demos = self._begun.demos
        if demos and demos[-1].next() is not None:
            return self._with_ceremony(demos=(*demos[:-1], demos[-1].dealt(card)))
        return self._with_ceremony(demos=(*demos, Coup().dealt(card)))

    # ── Betting (12 to 15) ──

    def _with_layout(self, who: str, layout: Stakes) -> BaccaratRound:
        """With this layout; the bettor who changed it is not ready any more."""
        return replace(self, layout=layout, ready=self.ready - {who})

    def _bet(self, bet: PlaceBet) -> BaccaratRound:
        betting.check_bet(self.options, self.seats, self.layout, bet)
        stake = Stake(bet.bet, bet.by, bet.spot, bet.amount, bet.box)
        return self._with_layout(bet.by, self.layout.placed(stake))

    def _withdrew(self, action: Withdraw) -> BaccaratRound:
        stake = self.layout.own(action.by, action.bet)
        betting.check_withdraw(self.options, stake)
        return self._with_layout(action.by, betting.withdrawn(self.options, self.layout, stake))

    def _lowered(self, action: Lower) -> BaccaratRound:
        stake = self.layout.own(action.by, action.bet)
        betting.check_lower(self.options, stake, action.amount)
        return self._with_layout(action.by, self.layout.changed(stake.bet, stake.amount - action.amount))

    def _moved(self, action: Move) -> BaccaratRound:
        stake = self.layout.own(action.by, action.bet)
        if action.box is not None:
            raise Refused("15", say("A stake moves within its box, or within the common area"))
        betting.check_move(self.options, self.layout, stake, action.spot)
        return self._with_layout(action.by, self.layout.moved(stake.bet, action.spot, stake.box))

    def _closed(self) -> BaccaratRound:
        layout, closing = betting.closed(self.options, self.layout)
        holders = {}
        for hand in Hand:
            holder = betting.holder(self.options, self.seats, layout, hand)
            if holder is not None:
                holders[hand] = holder
        return replace(self, layout=layout, closing=closing, holders=holders)

    # ── Cards (4, 7 to 9, 16) ──

    @property
    def _burns(self) -> int:
        return 0 if self.options.by_machine else self.options.burn_each_round

    def _dealt(self, draw: DrawCard) -> BaccaratRound:
        hand = self.coup.next()
        assert hand is not None
        place = (hand, len(self.coup.of(hand)))
        after = replace(self, coup=self.coup.dealt(draw.card))
        if self.options.by_machine:
            return replace(after, face_up=self.face_up | {place})
        if draw.exposed:
            return replace(after, face_up=self.face_up | {place}, exposed=self.exposed | {place})
        return after

    def _white_came_out(self) -> BaccaratRound:
        assert self.white is None and not self.options.by_machine, "there is one white card, in the shoe"
        return replace(self, white=White.DURING if len(self.coup) else White.BEFORE)

    def _turned(self, phase: Phase, turn: Turn) -> BaccaratRound:
        hand = turn.hand
        if OPENING[phase] is not hand:
            raise Refused("7(1)", say("The other hand is opened first"))
        if self.is_open(hand):
            raise Refused("16(2)", say("The third card is not on the table yet"))
        if turn.by not in (HOUSE, self.holders.get(hand)):
            raise Refused("16(2)", say("Only the holder of the hand turns its cards"))
        opened = {(hand, place) for place in range(len(self.coup.of(hand)))}
        return replace(self, face_up=self.face_up | opened)

    def _may_hold(self, hand: Hand) -> list[str]:
        """The seated bettors with a stake on the hand, by seat."""
        stakes = self.layout.on(hand)
        return sorted((who for who in self.seats if who in stakes), key=self.seats.__getitem__)

    def _is_done(self, hand: Hand) -> bool:
        """Whether the hand lies open and it is known to all that it draws nothing more."""
        if not (self.is_open(Hand.PLAYER) and self.is_open(Hand.BANKER)):
            return self.is_open(hand) and len(self.coup.of(hand)) == 3
        return self.coup.next() is None or (hand is Hand.PLAYER and self.coup.next() is Hand.BANKER)

    def _passed(self, by: str, hand: Hand, to: str | None) -> BaccaratRound:
        """The holder waives the hand, or passes it on. The clock that runs for it is not set anew."""
        if by != self.holders.get(hand) or self._is_done(hand):
            raise Refused("16(2)", say("You do not hold this hand"))
        if to is not None and (to == by or to not in self._may_hold(hand)):
            raise Refused("16(2)", say("Only a seated bettor with a stake on the hand may hold it"))
        holders = {other: holder for other, holder in self.holders.items() if other is not hand}
        if to is not None:
            holders[hand] = to
        return replace(self, holders=holders)

    # ── Money and what is seen ──

    def held(self, who: str | None = None) -> Mapping[str, int]:
        if self.over:
            return {stake.bet: stake.amount for stake in self.carried() if who is None or stake.by == who}
        stakes = self.layout if who is None else self.layout.of_bettor(who)
        return {stake.bet: stake.amount for stake in stakes}

    def stakes(self) -> tuple[Stake, ...]:
        return tuple(self.layout)

    def _ended(self, **end: Any) -> BaccaratRound:
        after = replace(self, **end)
        return replace(after, paid=payouts(self.options, self.layout, None if after.void else self.coup))

    def payouts(self) -> tuple[Payout, ...]:
        return self.paid

    def carried(self) -> tuple[Stake, ...]:
        if not self.over:
            return ()
        amounts = {payout.bet: payout.carried for payout in self.payouts() if payout.carried}
        return tuple(replace(stake, carried=True) for stake in self.layout if stake.bet in amounts)

    def view(self, who: str | None) -> View:
        return seen(self, who)

    def result(self) -> dict[str, Any]:
        assert self.over, "the round has no result yet"
        if self.void:
            return {"void": True}
        return {
            "winner": self.coup.winner().value,
            "player": self.coup.points(Hand.PLAYER),
            "banker": self.coup.points(Hand.BANKER),
            "player_pair": self.coup.is_pair(Hand.PLAYER),
            "banker_pair": self.coup.is_pair(Hand.BANKER),
        }


def opened(options: Options, opening: Opening) -> BaccaratRound:
    """The round before anybody acts. Only a shoe has a ceremony; the cut is offered to the seats in order."""
    assert all(SPOTS[stake.spot].carries and stake.carried for stake in opening.carried)
    ceremony = None
    if opening.ceremony and not options.by_machine:
        ceremony = Ceremony(Cutting.among(opening.seats))
    return BaccaratRound(options, opening, dict(opening.seats), ceremony, Stakes.of(opening.carried))
