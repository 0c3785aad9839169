"""What the rounds of all games do alike: progress, time, seats, betting, and the refusals that every game knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import ClassVar, Generic, Self

from tables.games.contract.actions import (
    HOUSE,
    UNPLAYED,
    Action,
    CloseBets,
    HouseAction,
    HouseStep,
    Leave,
    Lower,
    Move,
    PlaceBet,
    Ready,
    Sit,
    Void,
    Withdraw,
)
from tables.games.contract.errors import Refused
from tables.games.contract.options import TableOptions
from tables.games.contract.round import (
    SECOND_READING,
    AskedT,
    Opening,
    Pace,
    Payout,
    PhaseT,
    Progress,
    Refusal,
    Round,
    Stake,
    WentBack,
)
from tables.games.values.json import JsonObject
from tables.games.values.words import Note, Words, say

from . import seats
from .stakes import Stakes
from .view_cache import ViewCache

Change = PlaceBet | Withdraw | Lower | Move
"""What a bettor does to their stakes."""

_BETTING = Pace.BETTING
"""Asked at every action; an enum looks its members up each time (until CPython 3.12)."""


class TableRound(Generic[PhaseT, AskedT]):
    """A round of whichever game, folded so far. A game's round is a frozen dataclass of its facts that derives from
    this, says where it is (`_progress`) and what each action does (`_changed`, `_after`).

    It has no slots: a round is made for every action, and a dictionary is copied at once (`_with`)."""

    house_only: ClassVar[tuple[type[Action], ...]] = (HouseAction,)
    """What only the dealer does."""
    bets_only: ClassVar[tuple[type[Action], ...]] = (PlaceBet, Withdraw, Lower, Move, Ready)
    """What is done only while betting is open."""
    main_spot: ClassVar[str] = ""
    """The spot without a stake on which betting is not closed early."""
    seat_article: ClassVar[str] = "seat"
    """The article that says how many seats there are."""

    options: TableOptions
    opening: Opening
    seats: Mapping[str, int]
    layout: Stakes
    ready: frozenset[str]
    settled: bool
    void: Void | None
    back: tuple[WentBack, ...] = ()
    progress: Progress[PhaseT, AskedT]

    def __post_init__(self) -> None:
        """Work out, once, what follows from the facts."""
        self.__dict__["progress"] = self._progress()

    def _progress(self) -> Progress[PhaseT, AskedT]:
        """Where the round is, by its facts."""
        raise NotImplementedError

    def _with(self, **changes: object) -> Self:
        """The round with these facts changed, as `replace` would make it in many times the time."""
        facts = self.__dict__ | changes
        facts.pop("_views", None)
        after: Self = object.__new__(type(self))
        object.__setattr__(after, "__dict__", facts)
        facts["progress"] = after._progress()
        return after

    @property
    def views(self) -> ViewCache:
        """What its viewers ask of it, kept with it."""
        views: ViewCache | None = self.__dict__.get("_views")
        if views is None:
            views = self.__dict__["_views"] = ViewCache()
        return views

    # ── Where it is ──

    @property
    def phase(self) -> PhaseT:
        return self.progress.phase

    @property
    def pace(self) -> Pace:
        return self.progress.pace

    def next_house_step(self) -> HouseStep | None:
        return self.progress.next_house_step

    def on_timeout(self) -> HouseStep | None:
        return self.progress.on_timeout

    @property
    def takes_bets(self) -> bool:
        """Whether stakes are taken now."""
        return self.progress.pace is _BETTING

    @property
    def closes_early(self) -> bool:
        if not self.takes_bets or (self.main_spot and not self.layout.total(self.main_spot)):
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
        return False

    @property
    def next_is_last(self) -> bool:
        return False

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        return ()

    @property
    def went_back(self) -> tuple[WentBack, ...]:
        return self.back

    def hand_of(self, payout: Payout) -> int | None:
        return None

    @property
    def silence(self) -> Note | None:
        return None

    @property
    def at_the_cut(self) -> tuple[str, ...]:
        return ()

    @property
    def is_read_anew(self) -> bool:
        """Whether the second reading of the regulation holds for this round."""
        return self.opening.reading >= SECOND_READING

    def leaving(self, who: str) -> Note | None:
        return None

    def bars_seat(self, who: str, seat: int) -> Note | None:
        return None

    def default_for(self, who: str) -> Action | None:
        return None

    def takes_part(self, who: str) -> bool:
        """Whether this bettor has a seat or a stake."""
        return seats.takes_part(self.seats, self.layout, who)

    def readiness(self, who: str) -> tuple[Action, ...]:
        """What a bettor may say who has not said yet that they wait for nothing more."""
        return (Ready(who),) if who not in self.ready and self.takes_part(who) else ()

    # ── What each action does ──

    def apply(self, action: Action) -> Self:
        if self.settled or self.void is not None:
            if action.by != HOUSE:
                raise Refused("closed", say("The round is over"))
            raise AssertionError(f"{action.do} after the end of the round")
        if action.by != HOUSE and isinstance(action, self.house_only):
            raise Refused("", say("Only the dealer does that"))
        after = self._bet(action) if self.progress.pace is _BETTING else None
        if after is None:
            after = self._after(action)
        if after is None:
            after = self._at_any_time(action)
        if after is None:
            raise self._refused(action)
        return after

    def _at_any_time(self, action: Action) -> Self | None:
        """What may happen whatever the round waits for; None if it is nothing of that."""
        match action:
            case Void():
                return self._voided(action)
            case Sit():
                return self._sat(action)
            case Leave():
                after = self._left(action.by)
                return after._gone_for_good(action.by) if action.for_good else after
            case _:
                return None

    def _bet(self, action: Action) -> Self | None:
        """What all games do while betting is open; None if it is nothing of that."""
        match action:
            case PlaceBet() | Withdraw() | Lower() | Move():
                layout = self._changed(action)
                return None if layout is None else self._with_layout(action, layout)
            case Ready():
                seats.check_takes_part(self.seats, self.layout, action.by)
                return self._with(ready=self.ready | {action.by})
            case CloseBets():
                return self._closed()
            case _:
                return None

    def _changed(self, action: Change) -> Stakes | None:
        """The stakes after this; None if the game has no such change. Raises Refused."""
        raise NotImplementedError

    def _with_layout(self, action: Change, layout: Stakes) -> Self:
        """With this layout; the bettor who changed it is not ready any more."""
        return self._with(layout=layout, ready=self.ready - {action.by} if self.ready else self.ready)

    def _closed(self) -> Self:
        """The round when betting has closed."""
        raise NotImplementedError

    def _voided(self, void: Void) -> Self:
        """The round, void, with what has gone back."""
        raise NotImplementedError

    def _after(self, action: Action) -> Self | None:
        """The round after an action that the other games do not know, or not so; None if it cannot be done now."""
        raise NotImplementedError

    def _refused(self, action: Action) -> Refused:
        """Why this action cannot be done now; it must be a bettor's."""
        if isinstance(action, self.bets_only):
            return Refused("closed", say("Bets are taken only while betting is open"))
        assert action.by != HOUSE, f"{action.do} in phase {self.phase}"
        return Refused(*self._why_not_now(action))

    def _why_not_now(self, action: Action) -> tuple[str, Words]:
        """The article and the words that forbid a bettor this action at this moment."""
        return "", say("That cannot be done now")

    def _sat(self, sit: Sit) -> Self:
        if (why := self.bars_seat(sit.by, sit.seat)) is not None:
            raise Refused(why.article, why.words)
        return self._with(seats=seats.sat(self.seats, sit, self.options.seats, self.seat_article))

    def _left(self, who: str) -> Self:
        """Their stakes stay."""
        return self._with(seats=seats.left(self.seats, who))

    def _gone_for_good(self, who: str) -> Self:
        """They have left their seat themselves, and are not at it any more."""
        return self

    def void_note(self, played: Note) -> Note:
        """What is told of a void round: that it was never played, or what is said of one that was."""
        never = UNPLAYED.get(self.void.reason) if self.void else None
        return Note("", never) if never else played

    # ── Stakes ──

    def given_back(self) -> Stakes:
        """The stakes without those that lay there from another round."""
        return Stakes.of(stake for stake in self.layout if not stake.carried)

    def in_escrow(self, who: str | None = None) -> Mapping[str, int]:
        if self.over:
            return {payout.bet: payout.carried for payout in self._paid_to(who) if payout.carried}
        stakes = self.layout if who is None else self.layout.of_bettor(who)
        return {stake.bet: stake.amount for stake in stakes}

    def _paid_to(self, who: str | None) -> Iterable[Payout]:
        """The payouts of one bettor, or of everybody."""
        return (payout for payout in self.payouts() if who in (None, payout.by))

    def leaning(self, who: str) -> frozenset[str]:
        return frozenset()

    def stakes(self) -> tuple[Stake, ...]:
        return tuple(self.layout)

    def payouts(self) -> tuple[Payout, ...]:
        raise NotImplementedError

    def carried(self) -> tuple[Stake, ...]:
        left = {payout.bet for payout in self.payouts() if payout.carried}
        return tuple(replace(stake, carried=True) for stake in self.layout if stake.bet in left) if left else ()

    def result(self) -> JsonObject:
        assert self.over, "the round has no result yet"
        return {"void": True} if self.void else self._result()

    def _result(self) -> JsonObject:
        """The result of a round that was settled."""
        raise NotImplementedError


def gone_back(round_: Round, action: Change, layout: Stakes, why: Note) -> tuple[WentBack, ...]:
    """What has gone back with another stake once this is done, which leaves this layout; why it had to. What somebody
    lays down again is not told of any more."""
    told = round_.went_back
    if isinstance(action, PlaceBet | Move) and told:
        place = (action.by, action.spot, action.box)
        told = tuple(back for back in told if (back.stake.by, back.stake.spot, back.stake.box) != place)
    taken = isinstance(action, Withdraw)
    before = round_.stakes()
    if not isinstance(action, Withdraw | Move) or len(layout) == len(before) - taken:
        return told
    gone = (stake for stake in before if stake.bet not in layout and stake.bet != action.bet)
    return (*told, *(WentBack(stake, why) for stake in gone))
