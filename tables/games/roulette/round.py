"""One round of Roulette: its phases and what each action does (rulebook, sections 6 and 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from tables.games.contract.actions import Action, Chance, Draw, GiveBack, NullThrow, Seal, Settle, Step, Unseal, Void
from tables.games.contract.round import Opening, Pace, Payout, Progress
from tables.games.shared.open_layout import OpenRound, payouts
from tables.games.shared.stakes import Stakes, voided
from tables.games.shared.table_round import Change
from tables.games.values.json import JsonObject
from tables.games.values.quick import quickly_made

from .bets import SPOTS
from .betting import LAYOUT
from .colours import coloured
from .options import BetsClose, NullSpinBets, Options
from .phases import Phase, ThrowBall
from .settling import RETURNED, STAYS, terms
from .wheel import NUMBERS

A_DAY = 86_400

At = Progress[Phase, None]

_VOID: At = Progress.ended(Phase.VOID)
_SETTLED: At = Progress.ended(Phase.SETTLED)
_RESULT: At = Progress.owing(Phase.RESULT, Step(Settle()))
_RETURN: At = Progress.owing(Phase.RETURN, Step(GiveBack()))
_SEAL: At = Progress.owing(Phase.SEAL, Draw(Chance.SEAL))
_NO_MORE_BETS: At = Progress.owing(Phase.NO_MORE_BETS, Draw(Chance.OPEN))
_THROW: At = Progress.owing(Phase.SPINNING, Step(ThrowBall()))
_THROW_AGAIN: At = Progress(Phase.SPINNING, Pace.BETTING, Step(ThrowBall()), Step(ThrowBall()))
_SPINNING: At = Progress.betting(Phase.SPINNING)
_BETTING: At = Progress.betting(Phase.BETTING)
_BETTING_TO_THE_BELL: At = Progress.betting(Phase.BETTING, ThrowBall())


@quickly_made
@dataclass(frozen=True)
class RouletteRound(OpenRound[Phase]):
    """A round, folded so far: the facts. Everything else is derived from them.

    `seal` is the commitment to the number while one is sealed; `thrown` the ball, and `rethrow` if it is owed again
    without betting before it. `nulls` are the null spins, oldest first: why, and what had been committed to. `colours`
    are the bettors' own, from their first stake on.
    """

    on = LAYOUT

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
    progress: At = field(init=False, compare=False, repr=False)

    # ── Where it is ──

    def _progress(self) -> At:
        if self.void:
            return _VOID
        if self.settled:
            return _SETTLED
        if self.number is not None:
            return _RESULT
        if self.is_left_wrongly:
            return _RETURN
        if self.seal is None:
            return _SEAL
        if self.closed:
            return _NO_MORE_BETS if self.thrown else _THROW
        if self.thrown:
            return _SPINNING
        if self.rethrow:
            return _THROW_AGAIN
        return _BETTING_TO_THE_BELL if self._is_thrown_before_the_bell else _BETTING

    @property
    def _is_thrown_before_the_bell(self) -> bool:
        return self.options.bets_close is BetsClose.ON_BELL

    @property
    def wait(self) -> str:
        match self.phase:
            case Phase.SPINNING as phase if not self.thrown:
                return f"{phase}.{len(self.nulls)}.ball"
            case phase:
                return f"{phase}.{len(self.nulls)}"

    # ── What each action does ──

    def _after(self, action: Action) -> RouletteRound | None:
        match self.phase, action:
            case ((Phase.RETURN | Phase.SEAL), GiveBack()):
                return self._with(layout=self.given_back())
            case Phase.SEAL, Seal():
                return self._with(seal=action.commitment)
            case ((Phase.BETTING | Phase.SPINNING | Phase.NO_MORE_BETS), NullThrow()):
                return self._nulled(action)
            case Phase.BETTING, ThrowBall() if self._is_thrown_before_the_bell:
                return self._with(thrown=True)
            case Phase.SPINNING, ThrowBall() if not self.thrown:
                return self._with(thrown=True)
            case Phase.NO_MORE_BETS, Unseal():
                assert len(action.values) == 1 and action.values[0] in NUMBERS, f"{action.values} is no pocket"
                return self._with(number=action.values[0], salt=action.salt)
            case Phase.RESULT, Settle():
                assert self.number is not None
                ends = partial(terms, self.options, number=self.number)
                return self._with(settled=True, paid=payouts(self.layout, ends))
            case _:
                return None

    def _with_layout(self, action: Change, layout: Stakes) -> RouletteRound:
        """Who stakes has chips of their own colour."""
        who = action.by
        colours = self.colours if who in self.colours else coloured(self.colours, who)
        return self._with(layout=layout, ready=self.ready - {who}, colours=colours)

    def _voided(self, void: Void) -> RouletteRound:
        carries = self.options.auto_leave_winners
        return self._with(void=void, paid=voided(self.layout, RETURNED, STAYS, carries=carries))

    def _nulled(self, action: NullThrow) -> RouletteRound:
        """The spin is null (2): another number is sealed. The ball is thrown again at once, or betting reopens first.

        A number that was lost before the ball was thrown changes nothing else.
        """
        reopens = self.options.null_spin_bets is NullSpinBets.REOPEN
        return self._with(
            nulls=(*self.nulls, (action.reason, self.seal or "")),
            seal=None,
            thrown=False,
            rethrow=(self.thrown or self.rethrow) and not reopens,
            closed=self.closed and not reopens,
            ready=frozenset() if reopens else self.ready,
        )

    def _result(self) -> JsonObject:
        return {"number": self.number}


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
