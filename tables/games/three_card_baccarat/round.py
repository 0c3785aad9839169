"""One round of 3-Card Baccarat: its phases and what each action does (rulebook, sections 5 to 7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tables.games import seats
from tables.games.cards import Card
from tables.games.cutting import Cutting
from tables.games.money import CREDIT
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
from .bets import PLACE, SPOTS
from .hands import BANKER, Combination, combination
from .options import HAND, DealStyle, Options
from .phases import Phase, Reveal
from .settling import payouts
from .view import View, seen

_HOUSE_ONLY = (GiveBack, CloseBets, DrawCard, WhiteCard, Reveal, Settle, Void)


@dataclass(frozen=True, slots=True)
class ThreeCardRound:
    """A round, folded so far: the facts. Everything else is derived from them.

    `cards` lie as they were dealt, `exposed` are the numbers of those that turned over; `revealed` hands are open, the
    banker's first. `kept` are the places of bettors who have gone while their stakes lay there, and who occupy them
    until somebody else does. `looked` are those who need not be waited for any more.
    """

    options: Options
    opening: Opening
    seats: Mapping[str, int]
    cutting: Cutting | None
    layout: Stakes
    first_burn: tuple[Card, ...] = ()
    ready: frozenset[str] = frozenset()
    kept: Mapping[str, int] = field(default_factory=dict)
    closing: betting.Closing | None = None
    burnt: tuple[Card, ...] = ()
    cards: tuple[Card, ...] = ()
    exposed: frozenset[int] = frozenset()
    looked: frozenset[str] = frozenset()
    revealed: int = 0
    white: bool = False
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
        if len(self.burnt) < self._burns:
            return Phase.ROUND_BURN
        if not self.is_dealt:
            return Phase.DEAL
        if not self.revealed:
            return Phase.LOOK if self.looking else Phase.REVEAL_BANKER
        return Phase.REVEAL_PLACES if self.revealed <= len(self.places) else Phase.RESULT

    def _phase_before_closing(self) -> Phase:
        if self.cutting is None:
            return Phase.BETTING
        if self.cutting.cut is None:
            return Phase.CUT
        return Phase.BURN if self.burn_owed else Phase.BETTING

    @property
    def tempo(self) -> Tempo:
        match self.phase:
            case Phase.CUT if self.offered_cut is not None:
                return Tempo.CUT
            case Phase.BETTING:
                return Tempo.BETTING
            case Phase.LOOK:
                return Tempo.DECISION
            case Phase.SETTLED | Phase.VOID:
                return Tempo.RESULT
            case _:
                return Tempo.BEAT

    @property
    def wait(self) -> str:
        match self.phase:
            case Phase.CUT:
                return f"cut.{self.offered_cut or HOUSE}"
            case Phase.BURN | Phase.ROUND_BURN | Phase.DEAL as phase:
                return f"{phase}.{len(self.first_burn) + len(self.burnt) + len(self.cards) + self.white}"
            case Phase.REVEAL_PLACES as phase:
                return f"{phase}.{self.revealed}"
            case phase:
                return phase.value

    @property
    def hurried(self) -> bool:
        return self.phase is Phase.BETTING and seats.all_ready(self.seats, self.layout, self.ready)

    @property
    def over(self) -> bool:
        return self.settled or self.void is not None

    @property
    def is_void(self) -> bool:
        return self.void is not None

    @property
    def is_last(self) -> bool:
        """Whether it is known already that no more rounds are dealt from this shoe (3(1), T-A15)."""
        return self.opening.last_round or self.white

    @property
    def ends_shoe(self) -> bool:
        return self.options.fresh_pack or self.is_last

    @property
    def next_is_last(self) -> bool:
        return False

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        return self.closing.refusals if self.closing else ()

    @property
    def silence(self) -> Note | None:
        return None

    @property
    def offered_cut(self) -> str | None:
        """Who is asked to cut the pack now."""
        return self.cutting.offered if self.cutting and not self.over else None

    @property
    def burn_owed(self) -> int:
        """Cards that are still to be removed after the shuffle: as many as decks (2(2))."""
        return 0 if self.cutting is None else self.options.decks - len(self.first_burn)

    @property
    def _burns(self) -> int:
        """Cards that are removed at the start of this round: one from the shoe, but for its first round (2(3))."""
        return 0 if self.options.fresh_pack or self.opening.first_round else 1

    # ── Places and their cards ──

    @property
    def occupants(self) -> Mapping[str, int]:
        """Who occupies which place: who sits there, or has gone and left fresh stakes; as the record says it."""
        gone = {who: place for who, place in self.kept.items() if self._has_fresh(who)}
        return {**self.seats, **gone} if gone else self.seats

    def _has_fresh(self, who: str) -> bool:
        return any(not stake.carried for stake in self.layout.of_bettor(who))

    @property
    def places(self) -> tuple[int, ...]:
        """The places with a place bet, fresh or locked, clockwise: those that get cards."""
        return self.closing.places if self.closing else _dealt_in(self.layout)

    @property
    def all_places(self) -> list[int]:
        """The players' places of this table, and wherever else a stake is locked, clockwise."""
        return sorted({*range(1, self.options.player_places + 1), *self.places})

    @property
    def locked(self) -> Counter[tuple[str, int | None]]:
        """Cents by spot and place that were locked in an earlier round."""
        locked = Counter[tuple[str, int | None]]()
        for stake in self.opening.carried:
            locked[stake.spot, stake.box] += stake.amount
        return locked

    def holder(self, place: int) -> str | None:
        """Whose cards these are to look at: the place was his when betting closed, and he sits there now (4(3))."""
        if self.closing is None or place not in self.places:
            return None
        for who, seat in self.seats.items():
            if seat == place and self.closing.seats.get(who) == place:
                return who
        return None

    @property
    def left_places(self) -> tuple[int, ...]:
        """The places in play whose bettor was there when betting closed, and is not any more."""
        if self.closing is None:
            return ()
        occupied = set(self.closing.seats.values())
        return tuple(place for place in self.places if place in occupied and self.holder(place) is None)

    @property
    def is_dealt(self) -> bool:
        """Whether every place has its cards."""
        return self.closing is not None and len(self.cards) == HAND * (len(self.places) + 1)

    @property
    def looking(self) -> tuple[str, ...]:
        """Who may look at his cards, and has not said that he has."""
        if not self.is_dealt or self.revealed or self.over:
            return ()
        holders = (self.holder(place) for place in self.places)
        return tuple(who for who in holders if who is not None and who not in self.looked)

    def numbers_of(self, place: int) -> range:
        """Which of the cards go to a place: clockwise, the banker last, one or three at a time (2(2), T-A13)."""
        if self.closing is None or place not in (BANKER, *self.places):
            return range(0)
        order = (*self.places, BANKER)
        at = order.index(place)
        if self.options.deal_style is DealStyle.THREE_AT_ONCE:
            return range(HAND * at, HAND * (at + 1))
        return range(at, HAND * len(order), len(order))

    def dealt_to(self, place: int) -> list[tuple[Card, bool]]:
        """The cards that a place has been dealt, and whether they turned over."""
        return [(self.cards[at], at in self.exposed) for at in self.numbers_of(place) if at < len(self.cards)]

    def is_open(self, place: int) -> bool:
        """Whether the dealer has opened the hand of this place."""
        return place in (BANKER, *self.places)[: self.revealed]

    def _hand(self, place: int) -> Combination:
        return combination([self.cards[at] for at in self.numbers_of(place)])

    @property
    def opened_hands(self) -> Mapping[int, Combination]:
        """The combinations that lie open for everybody, by place."""
        return {place: self._hand(place) for place in (BANKER, *self.places)[: self.revealed]}

    # ── What comes next ──

    def due(self) -> Due | None:
        match self.phase:
            case Phase.CUT:
                return None if self.offered_cut else Draw(Chance.CUT)
            case Phase.BURN | Phase.ROUND_BURN | Phase.DEAL:
                return Draw(Chance.CARD)
            case Phase.REVEAL_BANKER:
                return Step(Reveal())
            case Phase.REVEAL_PLACES:
                return Step(Reveal(place=self.places[self.revealed - 1]))
            case Phase.RESULT:
                return Step(Settle())
            case Phase.BETTING | Phase.LOOK | Phase.SETTLED | Phase.VOID:
                return None

    def overdue(self) -> Due | None:
        match self.phase:
            case Phase.CUT:
                return Draw(Chance.CUT)
            case Phase.BETTING:
                return Step(CloseBets())
            case Phase.LOOK:
                return Step(Reveal())
            case _:
                return self.due()

    def default_for(self, who: str) -> Action | None:
        if who == self.offered_cut:
            return Decline(who)
        return Ready(who) if who in self.looking else None

    def offers(self, who: str) -> Offers:
        match self.phase:
            case Phase.CUT if self.cutting:
                return Offers(actions=self.cutting.offers(who, self.options.decks * 52))
            case Phase.BETTING:
                bets = tuple(betting.offers(self.options, self.seats, self.layout, who))
                return Offers(bets, (*self._changes(who, bets), *self._readiness(who)))
            case Phase.LOOK if who in self.looking:
                return Offers(actions=(Ready(who),))
            case _:
                return Offers()

    def _changes(self, who: str, bets: tuple[BetOffer, ...]) -> list[Action]:
        """What a bettor may do with the fresh stakes that lie there: withdraw, lower by a credit, move."""
        actions: list[Action] = []
        for stake in self.layout.of_bettor(who):
            if stake.carried:
                continue
            actions.append(Withdraw(who, bet=stake.bet))
            if betting.may_lower(self.options, stake):
                actions.append(Lower(who, bet=stake.bet, amount=CREDIT))
            actions.extend(betting.moves(stake, bets))
        return actions

    def _readiness(self, who: str) -> tuple[Action, ...]:
        takes_part = seats.takes_part(self.seats, self.layout, who)
        return (Ready(who),) if takes_part and who not in self.ready else ()

    # ── What each action does ──

    def apply(self, action: Action) -> ThreeCardRound:
        match self.phase, action:
            case ((Phase.SETTLED | Phase.VOID), _) if action.by != HOUSE:
                raise Refused("closed", say("The round is over"))
            case ((Phase.SETTLED | Phase.VOID), _):
                raise AssertionError(f"{action.do} after the end of the round")
            case _, _ if isinstance(action, _HOUSE_ONLY) and action.by != HOUSE:
                raise Refused("", say("Only the dealer does that"))
            case _, Void():
                return self._ended(void=action)
            case _, Sit():
                return self._sat(action)
            case _, Leave():
                return self._left(action.by)

            case Phase.CUT, Cut() if self.cutting:
                return replace(self, cutting=self.cutting.made(action, self.options.decks * 52, "2(1)"))
            case Phase.CUT, Decline() if self.cutting:
                return replace(self, cutting=self.cutting.declined(action.by, "2(1)"))
            case Phase.BURN, DrawCard():
                return replace(self, first_burn=(*self.first_burn, action.card))

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
            case Phase.DEAL, DrawCard():
                turned = {len(self.cards)} if action.exposed else set()
                return replace(self, cards=(*self.cards, action.card), exposed=self.exposed | turned)
            case ((Phase.ROUND_BURN | Phase.DEAL), WhiteCard()):
                assert not self.white and not self.options.has_box, "there is one such white card, in the shoe"
                return replace(self, white=True)

            case Phase.LOOK, Ready():
                return self._has_looked(action.by)
            case ((Phase.LOOK | Phase.REVEAL_BANKER | Phase.REVEAL_PLACES), Reveal()):
                assert self.overdue() == Step(action), f"place {action.place} is not opened now"
                return replace(self, revealed=self.revealed + 1)
            case Phase.RESULT, Settle():
                return self._ended(settled=True)

            case _, (PlaceBet() | Withdraw() | Lower() | Move() | Ready()):
                raise Refused("closed", say("Bets are taken only while betting is open"))
            case phase, _:
                assert action.by != HOUSE, f"{action.do} in phase {phase}"
                raise Refused("", say("That cannot be done now"))

    def _sat(self, action: Sit) -> ThreeCardRound:
        """He takes a place, or changes it; not in the middle of a round (4(3))."""
        if self.closing is not None:
            place = self.seats.get(action.by, self.closing.seats.get(action.by, action.seat))
            if place != action.seat:
                raise Refused("4(3)", say("Nobody changes place in the middle of a round"))
        after = replace(
            self,
            seats=seats.sat(self.seats, action, self.options.player_places, "4(1)"),
            kept={who: place for who, place in self.kept.items() if who != action.by and place != action.seat},
        )
        if self.cutting:
            return replace(after, cutting=self.cutting.sat(action.by, self.seats))
        return after

    def _left(self, who: str) -> ThreeCardRound:
        """His stakes stay, and the dealer opens his place; nobody waits for him any more."""
        place = self.seats.get(who)
        after = replace(self, seats=seats.left(self.seats, who), looked=self.looked | {who})
        if self.closing is None:
            kept = self.kept if place is None or not self._has_fresh(who) else {**self.kept, who: place}
            after = replace(after, kept=kept, looked=self.looked)
        if self.cutting:
            return replace(after, cutting=self.cutting.left(who))
        return after

    # ── Betting (4, 7, 8) ──

    def _with_layout(self, who: str, layout: Stakes) -> ThreeCardRound:
        """With this layout; the bettor who changed it is not ready any more."""
        return replace(self, layout=layout, ready=self.ready - {who})

    def _bet(self, bet: PlaceBet) -> ThreeCardRound:
        betting.check_bet(self.options, self.seats, self.layout, bet)
        return self._with_layout(bet.by, self.layout.placed(Stake(bet.bet, bet.by, bet.spot, bet.amount, bet.box)))

    def _withdrew(self, action: Withdraw) -> ThreeCardRound:
        stake = self.layout.own(action.by, action.bet)
        betting.check_fresh(stake)
        return self._with_layout(action.by, self.layout.without(stake.bet))

    def _lowered(self, action: Lower) -> ThreeCardRound:
        stake = self.layout.own(action.by, action.bet)
        betting.check_lower(self.options, stake, action.amount)
        return self._with_layout(action.by, self.layout.changed(stake.bet, stake.amount - action.amount))

    def _moved(self, action: Move) -> ThreeCardRound:
        stake = self.layout.own(action.by, action.bet)
        betting.check_move(self.options, self.seats, self.layout, stake, action)
        return self._with_layout(action.by, self.layout.moved(stake.bet, action.spot, action.box))

    def _closed(self) -> ThreeCardRound:
        occupants = self.occupants
        layout, refusals = betting.closed(self.options, occupants, self.layout)
        return replace(
            self,
            layout=layout,
            closing=betting.Closing(occupants, _dealt_in(layout), refusals),
            looked=frozenset(occupants) - frozenset(self.seats),
        )

    def _has_looked(self, who: str) -> ThreeCardRound:
        if all(self.holder(place) != who for place in self.places):
            raise Refused("4(3)", say("Only who occupies a place that is played looks at its cards"))
        return replace(self, looked=self.looked | {who})

    # ── Money and what is seen ──

    def held(self, who: str | None = None) -> Mapping[str, int]:
        if self.over:
            return {stake.bet: stake.amount for stake in self.carried() if who is None or stake.by == who}
        stakes = self.layout if who is None else self.layout.of_bettor(who)
        return {stake.bet: stake.amount for stake in stakes}

    def stakes(self) -> tuple[Stake, ...]:
        return tuple(self.layout)

    def _ended(self, **end: Any) -> ThreeCardRound:
        after = replace(self, **end)
        return replace(after, paid=payouts(self.layout, None if after.void else self.opened_hands))

    def payouts(self) -> tuple[Payout, ...]:
        return self.paid

    def carried(self) -> tuple[Stake, ...]:
        amounts = {payout.bet: payout.carried for payout in self.payouts() if payout.carried}
        return tuple(replace(stake, carried=True) for stake in self.layout if stake.bet in amounts)

    def view(self, who: str | None) -> View:
        return seen(self, who)

    def result(self) -> dict[str, Any]:
        assert self.over, "the round has no result yet"
        if self.void:
            return {"void": True}
        ranks = {place: hand.rank for place, hand in self.opened_hands.items()}
        return {"banker": ranks[BANKER], "places": {str(place): ranks[place] for place in self.places}}


def _dealt_in(layout: Stakes) -> tuple[int, ...]:
    return tuple(sorted({stake.box for stake in layout if stake.spot == PLACE and stake.box is not None}))


def opened(options: Options, opening: Opening) -> ThreeCardRound:
    """The round before anybody acts. The cut is offered to the seats in order."""
    for stake in opening.carried:
        spot = SPOTS[stake.spot]
        assert spot.carries and stake.carried and spot.boxed == (stake.box is not None), f"{stake} cannot be locked"
    cutting = Cutting.among(opening.seats) if opening.ceremony else None
    return ThreeCardRound(options, opening, dict(opening.seats), cutting, Stakes.of(opening.carried))
