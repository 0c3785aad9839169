"""One round of 3-Card Baccarat: its phases and what each action does (rulebook, sections 5 to 7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from tables.games.contract.actions import (
    Action,
    Decline,
    DrawCard,
    GiveBack,
    Lower,
    Move,
    PlaceBet,
    Ready,
    Settle,
    Sit,
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
from tables.games.values.cards import Card
from tables.games.values.json import JsonObject
from tables.games.values.money import CREDIT
from tables.games.values.quick import quickly_made
from tables.games.values.words import Note, say

from . import betting
from .bets import PLACE, SPOTS, TIE
from .hands import BANKER, Combination, combination
from .options import HAND, DealStyle, Options
from .phases import Phase, Reveal
from .settling import payouts

At = Progress[Phase, tuple[str, ...]]
"""Where a round is; `asked` are those who may still look at their cards."""

_BURN: At = Progress.owing(Phase.BURN, CARD)
_BETTING: At = Progress.betting(Phase.BETTING)
_ROUND_BURN: At = Progress.owing(Phase.ROUND_BURN, CARD)
_DEAL: At = Progress.owing(Phase.DEAL, CARD)
_REVEAL_BANKER: At = Progress.owing(Phase.REVEAL_BANKER, Step(Reveal()))
_RESULT: At = Progress.owing(Phase.RESULT, Step(Settle()))
_SETTLED: At = Progress.ended(Phase.SETTLED)
_VOID: At = Progress.ended(Phase.VOID)


@quickly_made
@dataclass(frozen=True)
class ThreeCardRound(CardRound[Phase, tuple[str, ...]]):
    """A round, folded so far: the facts. Everything else is derived from them.

    `cards` lie as they were dealt, `exposed` are the numbers of those that turned over; `revealed` hands are open, the
    banker's first. `kept` are the places of bettors who have gone: before betting closed those of bettors whose stakes
    lay there, and who occupy them until somebody else does; afterwards everybody's. `looked` are those who need not be
    waited for any more.
    """

    seat_article = "4(1)"
    cut_article = "2(1)"

    options: Options
    opening: Opening
    seats: Mapping[str, int]
    ceremony: NewShoeProcedure | None
    layout: Stakes
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
            if self.is_to_be_cut:
                return self.cut_due(Phase.CUT)
            return _BURN if self.burn_owed else _BETTING
        if len(self.burnt) < self._burns:
            return _ROUND_BURN
        if not self.is_dealt:
            return _DEAL
        if not self.revealed:
            looking = self._looking()
            return Progress(Phase.LOOK, Pace.DECISION, None, Step(Reveal()), looking) if looking else _REVEAL_BANKER
        if self.revealed <= len(self.places):
            return Progress.owing(Phase.REVEAL_PLACES, Step(Reveal(place=self.places[self.revealed - 1])))
        return _RESULT

    @property
    def wait(self) -> str:
        match self.phase:
            case Phase.CUT:
                return self.cut_wait()
            case Phase.BURN | Phase.ROUND_BURN | Phase.DEAL as phase:
                return f"{phase}.{len(self.first_burnt) + len(self.burnt) + len(self.cards) + self.white}"
            case Phase.REVEAL_PLACES as phase:
                return f"{phase}.{self.revealed}"
            case phase:
                return phase.value

    @property
    def is_last(self) -> bool:
        """Whether it is known already that no more rounds are dealt from this shoe (3(1), T-A15)."""
        return self.white

    @property
    def ends_shoe(self) -> bool:
        return self.options.fresh_pack or self.is_last

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        return self.closing.refusals if self.closing else ()

    @property
    def burn_owed(self) -> int:
        """Cards that are still to be removed after the shuffle: as many as decks (2(2))."""
        return 0 if self.ceremony is None else self.options.decks - len(self.first_burnt)

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
        """Whose cards these are to look at: the place was theirs when betting closed, and they sit there now (4(3))."""
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
        """Who may look at their cards, and has not said that they have."""
        return self.progress.asked or ()

    def _looking(self) -> tuple[str, ...]:
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

    def default_for(self, who: str) -> Action | None:
        if who in self.offered_cut:
            return Decline(who)
        return Ready(who) if who in self.looking else None

    def offers(self, who: str) -> Offers:
        match self.phase:
            case Phase.CUT:
                return Offers(actions=self.cut_offers(who))
            case Phase.BETTING:
                bets = tuple(
                    bet
                    for bet in betting.offers(self.options, self.seats, self.layout, who)
                    if not (self.is_read_anew and betting.is_lone_tie(self.layout, bet.spot, bet.box))
                )
                return Offers(bets, (*self._changes(who, bets), *self.readiness(who)))
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
            left = self.layout.without(stake.bet)
            actions.extend(
                move
                for move in betting.moves(stake, bets)
                if not (self.is_read_anew and betting.is_lone_tie(left, move.spot, move.box))
            )
        return actions

    # ── What each action does ──

    def _after(self, action: Action) -> ThreeCardRound | None:
        phase = self.progress.phase
        match action:
            case DrawCard() if phase is Phase.DEAL:
                exposed = self.exposed | {len(self.cards)} if action.exposed else self.exposed
                return self._with(cards=(*self.cards, action.card), exposed=exposed)
            case DrawCard() if phase is Phase.ROUND_BURN:
                return self._with(burnt=(*self.burnt, action.card))
            case WhiteCard() if phase in (Phase.ROUND_BURN, Phase.DEAL):
                assert not self.white and not self.options.has_box, "there is one such white card, in the shoe"
                return self._with(white=True)
            case GiveBack() if phase is Phase.BETTING:
                return self._with(layout=self.given_back())
            case Ready() if phase is Phase.LOOK:
                return self._has_looked(action.by)
            case Reveal() if phase in (Phase.LOOK, Phase.REVEAL_BANKER, Phase.REVEAL_PLACES):
                assert self.on_timeout() == Step(action), f"place {action.place} is not opened now"
                return self._with(revealed=self.revealed + 1)
            case Settle() if phase is Phase.RESULT:
                return self._ended(settled=True)
            case _ if phase in (Phase.CUT, Phase.BURN):
                return self._handled(action)
            case _:
                return None

    def _sat(self, action: Sit) -> ThreeCardRound:
        """They take a place, or change it."""
        closed = self.closing is not None
        kept = {who: place for who, place in self.kept.items() if who != action.by and (closed or place != action.seat)}
        return CardRound._sat(self, action)._with(kept=kept)

    def bars_seat(self, who: str, seat: int) -> Note | None:
        """Nobody changes place in the middle of a round (4(3)), also not by leaving it first."""
        if self.closing is None or self.over:
            return None
        had = self.kept.get(who, seat) if self.is_read_anew else seat
        if self.seats.get(who, self.closing.seats.get(who, had)) == seat:
            return None
        return Note("4(3)", say("Nobody changes place in the middle of a round"))

    def leaving(self, who: str) -> Note | None:
        if who not in self.seats or self.over:
            return None
        if any(self.holder(place) == who and not self.is_open(place) for place in self.places):
            return Note("4(3)", say("The dealer opens your cards; you look at them no more unless you come back"))
        if self.takes_bets and self.layout.of_bettor(who) and not self.options.standing_bets:
            return Note("4(2)", say("Your stakes stay, but nothing can be added to them from elsewhere"))
        return None

    def _left(self, who: str) -> ThreeCardRound:
        """Their stakes stay, and the dealer opens their place; nobody waits for them any more."""
        after = CardRound._left(self, who)
        place = self.seats.get(who)
        if self.closing is not None:
            kept = self.kept if place is None else {**self.kept, who: place}
            return after._with(looked=self.looked | {who}, kept=kept)
        return after if place is None or not self._has_fresh(who) else after._with(kept={**self.kept, who: place})

    # ── Betting (4, 7, 8) ──

    def _changed(self, action: Change) -> Stakes:
        if isinstance(action, PlaceBet):
            betting.check_bet(self.options, self.seats, self.layout, action)
            if self.is_read_anew:
                betting.check_tie(self.layout, action.spot, action.box)
            return self.layout.placed(Stake(action.bet, action.by, action.spot, action.amount, action.box))
        stake = self.layout.own(action.by, action.bet)
        match action:
            case Withdraw():
                betting.check_fresh(stake)
                return self._without_lone_ties(self.layout.without(stake.bet))
            case Lower():
                betting.check_lower(self.options, stake, action.amount)
                return self.layout.changed(stake.bet, stake.amount - action.amount)
            case Move():
                betting.check_move(self.options, self.seats, self.layout, stake, action)
                if self.is_read_anew:
                    betting.check_tie(self.layout.without(stake.bet), action.spot, action.box)
                return self._without_lone_ties(self.layout.moved(stake.bet, action.spot, action.box))

    def _with_layout(self, action: Change, layout: Stakes) -> ThreeCardRound:
        after = CardRound._with_layout(self, action, layout)
        if isinstance(action, PlaceBet) and not self.back:
            return after
        return after._with(back=gone_back(self, action, layout, betting.LONE_TIE))

    def leaning(self, who: str) -> frozenset[str]:
        places = {stake.box for stake in self.layout.of_bettor(who) if stake.spot == PLACE}
        return frozenset(other for place in places for other in self.layout.on(TIE, place))

    def _without_lone_ties(self, layout: Stakes) -> Stakes:
        """With the last stake of a place its ties come back, whosever they are (8(3))."""
        lone = betting.lone_ties(layout) if self.is_read_anew else ()
        return layout.without(*(stake.bet for stake in lone))

    def _closed(self) -> ThreeCardRound:
        occupants = self.occupants
        layout, refusals = betting.closed(self.options, occupants, self.layout)
        return self._with(
            layout=layout,
            closing=betting.Closing(occupants, _dealt_in(layout), refusals),
            looked=frozenset(occupants) - frozenset(self.seats),
        )

    def _has_looked(self, who: str) -> ThreeCardRound:
        if all(self.holder(place) != who for place in self.places):
            raise Refused("4(3)", say("Only who occupies a place that is played looks at its cards"))
        return self._with(looked=self.looked | {who})

    # ── Money ──

    def _ended(self, **end: object) -> ThreeCardRound:
        after = self._with(**end)
        return after._with(paid=payouts(self.layout, None if after.void else self.opened_hands))

    def _voided(self, void: Void) -> ThreeCardRound:
        return self._ended(void=void)

    def payouts(self) -> tuple[Payout, ...]:
        return self.paid

    def _result(self) -> JsonObject:
        ranks = {place: hand.rank for place, hand in self.opened_hands.items()}
        return {"banker": ranks[BANKER], "places": {str(place): ranks[place] for place in self.places}}


def _dealt_in(layout: Stakes) -> tuple[int, ...]:
    return tuple(sorted({stake.box for stake in layout if stake.spot == PLACE and stake.box is not None}))


def opened(options: Options, opening: Opening) -> ThreeCardRound:
    """The round before anybody acts."""
    for stake in opening.carried:
        spot = SPOTS[stake.spot]
        assert spot.carries and stake.carried and spot.boxed == (stake.box is not None), f"{stake} cannot be locked"
    ceremony = NewShoeProcedure(Cutting.among(opening, options.decks)) if opening.ceremony else None
    return ThreeCardRound(options, opening, dict(opening.seats), ceremony, Stakes.of(opening.carried))
