"""One round of Roulette: its phases and what each action does (rulebook, sections 6 and 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tables.games import seats
from tables.games.open_layout import OpenRound, Seen
from tables.games.protocol import (
    HOUSE,
    Action,
    Chance,
    CloseBets,
    Draw,
    Due,
    GiveBack,
    Leave,
    Lower,
    Move,
    NullThrow,
    Offers,
    Opening,
    Payout,
    PlaceBet,
    Ready,
    Refused,
    Seal,
    Settle,
    Sit,
    Step,
    Tempo,
    Unseal,
    Void,
    Withdraw,
)
from tables.games.stakes import Stakes
from tables.games.words import say

from .bets import SPOTS
from .betting import LAYOUT
from .colours import coloured
from .options import SEATS, BetsClose, NullSpinBets, Options
from .phases import Phase, ThrowBall
from .settling import payouts, voided
from .view import View, seen
from .wheel import NUMBERS

A_DAY = 86_400

_HOUSE_ONLY = (GiveBack, Seal, ThrowBall, CloseBets, Unseal, NullThrow, Settle, Void)


@dataclass(frozen=True, slots=True)
class RouletteRound(OpenRound):
    """A round, folded so far: the facts. Everything else is derived from them.

    `seal` is the commitment to the number while one is sealed; `thrown` the ball, and `rethrow` if it is owed again
    without betting before it. `nulls` are the null spins, oldest first: why, and what had been committed to. `colours`
    are the bettors' own, from their first stake on.
    """

    options: Options
    opening: Opening
    seats: Mapping[str, int]
    layout: Stakes
    colours: Mapping[str, int]
    ready: frozenset[str] = frozenset()
    seal: str | None = None
    thrown: bool = False
    rethrow: bool = False
    closed: bool = False
    nulls: tuple[tuple[str, str], ...] = ()
    number: int | None = None
    salt: str = ""
    settled: bool = False
    void: Void | None = None
    paid: tuple[Payout, ...] = field(default=(), compare=False, repr=False)
    """What follows from the facts at the end: worked out once, as everybody asks."""
    seen: Seen[View] = field(default_factory=Seen, init=False, compare=False, repr=False)

    # ── Where it is ──

    @property
    def phase(self) -> Phase:
        if self.void:
            return Phase.VOID
        if self.settled:
            return Phase.SETTLED
        if self.number is not None:
            return Phase.RESULT
        if self.is_left_wrongly:
            return Phase.RETURN
        if self.seal is None:
            return Phase.SEAL
        if self.closed:
            return Phase.NO_MORE_BETS if self.thrown else Phase.SPINNING
        return Phase.SPINNING if self.thrown or self.rethrow else Phase.BETTING

    @property
    def is_open(self) -> bool:
        """Whether stakes are taken now: from the seal until betting closes."""
        return self.phase in (Phase.BETTING, Phase.SPINNING) and not self.closed

    @property
    def tempo(self) -> Tempo:
        match self.phase:
            case Phase.BETTING | Phase.SPINNING if not self.closed:
                return Tempo.BETTING
            case Phase.SETTLED | Phase.VOID:
                return Tempo.RESULT
            case _:
                return Tempo.BEAT

    @property
    def wait(self) -> str:
        match self.phase:
            case Phase.SPINNING as phase if not self.thrown:
                return f"{phase}.{len(self.nulls)}.ball"
            case phase:
                return f"{phase}.{len(self.nulls)}"

    @property
    def hurried(self) -> bool:
        return self.is_open and seats.all_ready(self.seats, self.layout, self.ready)

    # ── What comes next ──

    def due(self) -> Due | None:
        match self.phase:
            case Phase.RETURN:
                return Step(GiveBack())
            case Phase.SEAL:
                return Draw(Chance.SEAL)
            case Phase.SPINNING if not self.thrown:
                return Step(ThrowBall())
            case Phase.NO_MORE_BETS:
                return Draw(Chance.OPEN)
            case Phase.RESULT:
                return Step(Settle())
            case Phase.BETTING | Phase.SPINNING | Phase.SETTLED | Phase.VOID:
                return None

    def overdue(self) -> Due | None:
        match self.phase:
            case Phase.BETTING:
                return Step(ThrowBall() if self.options.bets_close is BetsClose.ON_BELL else CloseBets())
            case Phase.SPINNING if self.thrown:
                return Step(CloseBets())
            case _:
                return self.due()

    def offers(self, who: str) -> Offers:
        if not self.is_open:
            return Offers()
        return LAYOUT.offers(self.options, self.seats, self.layout, self.ready, who)

    # ── What each action does ──

    def apply(self, action: Action) -> RouletteRound:
        match self.phase, action:
            case ((Phase.SETTLED | Phase.VOID), _) if action.by != HOUSE:
                raise Refused("closed", say("The round is over"))
            case ((Phase.SETTLED | Phase.VOID), _):
                raise AssertionError(f"{action.do} after the end of the round")
            case _, _ if isinstance(action, _HOUSE_ONLY) and action.by != HOUSE:
                raise Refused("", say("Only the dealer does that"))
            case _, Void():
                return replace(self, void=action, paid=voided(self.options, self.layout))
            case _, Sit():
                return replace(self, seats=seats.sat(self.seats, action, SEATS, "seat"))
            case _, Leave():
                return replace(self, seats=seats.left(self.seats, action.by))

            case ((Phase.RETURN | Phase.SEAL), GiveBack()):
                return replace(self, layout=self.given_back())
            case Phase.SEAL, Seal():
                return replace(self, seal=action.commitment)
            case ((Phase.BETTING | Phase.SPINNING | Phase.NO_MORE_BETS), NullThrow()):
                return self._nulled(action)

            case ((Phase.BETTING | Phase.SPINNING), _) if not self.closed:
                return self._open(action)
            case Phase.SPINNING, ThrowBall() if not self.thrown:
                return replace(self, thrown=True)
            case Phase.NO_MORE_BETS, Unseal():
                return self._rested(action)
            case Phase.RESULT, Settle():
                assert self.number is not None
                return replace(self, settled=True, paid=payouts(self.options, self.layout, self.number))

            case _, (PlaceBet() | Withdraw() | Lower() | Move() | Ready()):
                raise Refused("closed", say("Bets are taken only while betting is open"))
            case phase, _:
                assert action.by != HOUSE, f"{action.do} in phase {phase}"
                raise Refused("", say("That cannot be done now"))

    def _open(self, action: Action) -> RouletteRound:
        """While the layout is open."""
        match action:
            case PlaceBet() | Withdraw() | Lower() | Move():
                layout = LAYOUT.changed(self.options, self.layout, action)
                colours = self.colours if action.by in self.colours else coloured(self.colours, action.by)
                return replace(self, layout=layout, ready=self.ready - {action.by}, colours=colours)
            case Ready():
                seats.check_takes_part(self.seats, self.layout, action.by)
                return replace(self, ready=self.ready | {action.by})
            case ThrowBall() if not self.thrown and (self.rethrow or self.options.bets_close is BetsClose.ON_BELL):
                return replace(self, thrown=True)
            case CloseBets():
                return replace(self, closed=True)
            case _:
                assert action.by != HOUSE, f"{action.do} in phase {self.phase}"
                raise Refused("", say("That cannot be done now"))

    def _nulled(self, action: NullThrow) -> RouletteRound:
        """The spin is null (2): another number is sealed. The ball is thrown again at once, or betting reopens first.

        A number that was lost before the ball was thrown changes nothing else.
        """
        reopens = self.options.null_spin_bets is NullSpinBets.REOPEN
        return replace(
            self,
            nulls=(*self.nulls, (action.reason, self.seal or "")),
            seal=None,
            thrown=False,
            rethrow=(self.thrown or self.rethrow) and not reopens,
            closed=self.closed and not reopens,
            ready=frozenset() if reopens else self.ready,
        )

    def _rested(self, action: Unseal) -> RouletteRound:
        """The ball is at rest: this is the number."""
        assert len(action.values) == 1 and action.values[0] in NUMBERS, f"{action.values} is no pocket"
        return replace(self, number=action.values[0], salt=action.salt)

    # ── Money and what is seen ──

    def view(self, who: str | None) -> View:
        return seen(self, who)

    def result(self) -> dict[str, Any]:
        assert self.over, "the round has no result yet"
        return {"void": True} if self.void else {"number": self.number}


def seconds(round_: RouletteRound) -> int | None:
    """How long betting is open before the throw, and from the throw to the bell, a day at most; None where no option
    says it."""
    match round_.phase:
        case Phase.BETTING:
            return min(round_.options.betting_seconds, A_DAY)
        case Phase.SPINNING if round_.thrown and not round_.closed:
            return min(round_.options.late_seconds, A_DAY)
        case _:
            return None


def opened(options: Options, opening: Opening) -> RouletteRound:
    """The round before anybody acts, with the stakes that were left on their spots."""
    colours: Mapping[str, int] = {}
    for stake in opening.carried:
        assert stake.carried and stake.box is None and SPOTS[stake.spot].carries, f"{stake} cannot have been left"
        if stake.by not in colours:
            colours = coloured(colours, stake.by)
    return RouletteRound(options, opening, dict(opening.seats), Stakes.of(opening.carried), colours)
