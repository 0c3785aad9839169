"""One round of Cussec: its phases and what each action does (rulebook, sections 5 and 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from tables.games.contract.actions import (
    Action,
    Chance,
    Draw,
    GiveBack,
    NullThrow,
    Seal,
    Settle,
    Step,
    Unseal,
    Void,
    VoidReason,
)
from tables.games.contract.round import Opening, Payout, Progress
from tables.games.shared.open_layout import OpenRound, payouts
from tables.games.shared.stakes import Stakes, voided
from tables.games.values.json import JsonObject
from tables.games.values.quick import quickly_made

from .bets import SPOTS
from .betting import LAYOUT
from .dice import Dice, Result, are_dice
from .options import CockedDice, Options, ShakeTiming
from .phases import Phase, Spoilt, spoilt_by
from .settling import RETURNED, STAYS, terms

A_DAY = 86_400

At = Progress[Phase, None]

_VOID: At = Progress.ended(Phase.VOID)
_SETTLED: At = Progress.ended(Phase.SETTLED)
_UNCOVERED: At = Progress.owing(Phase.UNCOVERED, Step(Settle()))
_RETURN: At = Progress.owing(Phase.RETURN, Step(GiveBack()))
_SHAKE: At = Progress.owing(Phase.SHAKE, Draw(Chance.SEAL))
_SHAKE_AFTER: At = Progress.owing(Phase.SHAKE_AFTER, Draw(Chance.SEAL))
_NO_MORE_BETS: At = Progress.owing(Phase.NO_MORE_BETS, Draw(Chance.OPEN))
_BETTING: At = Progress.betting(Phase.BETTING)


@quickly_made
@dataclass(frozen=True)
class CussecRound(OpenRound[Phase]):
    """A round, folded so far: the facts. Everything else is derived from them.

    `seal` is the commitment to the dice while they lie covered; `thrown` are the dice as they fell, once uncovered.
    `nulls` are the throws that did not count, oldest first: why, and what had been committed to.
    """

    on = LAYOUT

    options: Options
    opening: Opening
    seats: Mapping[str, int]
    layout: Stakes
    ready: frozenset[str] = frozenset()
    seal: str | None = None
    closed: bool = False
    nulls: tuple[tuple[Spoilt, str], ...] = ()
    thrown: Dice = ()
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
        if self.thrown:
            return _UNCOVERED
        if self.is_left_wrongly:
            return _RETURN
        if self.spoiler:
            return Progress.owing(Phase.SPOILT, Step(Void(reason=VoidReason.THROW)))
        if self.closed:
            return _SHAKE_AFTER if self.seal is None else _NO_MORE_BETS
        if self.seal is None and self.options.shake_timing is ShakeTiming.BEFORE_BETTING:
            return _SHAKE
        return _BETTING

    @property
    def spoiler(self) -> Spoilt | None:
        """Why the round is void after the last throw, if it is (C-A10)."""
        why = self.nulls[-1][0] if self.nulls else None
        match why:
            case Spoilt.COCKED | Spoilt.STACKED if self.options.cocked_dice is CockedDice.VOID_RETURN:
                return why
            case Spoilt.SEEN | Spoilt.BROKEN:
                return why
            case _:
                return None

    @property
    def wait(self) -> str:
        return f"{self.phase}.{len(self.nulls)}"

    # ── What each action does ──

    def _after(self, action: Action) -> CussecRound | None:
        match self.phase, action:
            case ((Phase.RETURN | Phase.SHAKE | Phase.BETTING), GiveBack()):
                return self._with(layout=self.given_back())
            case ((Phase.SHAKE | Phase.SHAKE_AFTER), Seal()):
                return self._with(seal=action.commitment)
            case ((Phase.BETTING | Phase.NO_MORE_BETS), NullThrow()) if self.seal is not None:
                return self._spoilt(action, self.seal)
            case Phase.NO_MORE_BETS, Unseal():
                assert are_dice(action.values), f"{action.values} are not three dice"
                return self._with(thrown=action.values, salt=action.salt)
            case Phase.UNCOVERED, Settle():
                ends = partial(terms, self.options, result=Result.of(self.thrown))
                return self._with(settled=True, paid=payouts(self.layout, ends))
            case _:
                return None

    def _voided(self, void: Void) -> CussecRound:
        carries = self.options.auto_leave_winners
        return self._with(void=void, paid=voided(self.layout, RETURNED[self.spoiler], STAYS, carries=carries))

    def _spoilt(self, action: NullThrow, seal: str) -> CussecRound:
        """The throw does not count: the round is void, or the dice are shaken anew.

        After the bell the bets stand then; before it they may be changed, and nobody is ready any more.
        """
        why = spoilt_by(self.phase, action.reason)
        return self._with(nulls=(*self.nulls, (why, seal)), seal=None, ready=frozenset())

    def _result(self) -> JsonObject:
        result = Result.of(self.thrown)
        return {"dice": list(result.dice), "total": result.total, "triple": result.triple}


def seconds(round_: CussecRound) -> int | None:
    """How long betting is open, a day at most; None where no option says it."""
    return min(round_.options.betting_seconds, A_DAY) if round_.phase is Phase.BETTING else None


def opened(options: Options, opening: Opening) -> CussecRound:
    """The round before anybody acts, with the stakes that were left on their spots."""
    for stake in opening.carried:
        assert stake.carried and stake.box is None and SPOTS[stake.spot].carries, f"{stake} cannot have been left"
    return CussecRound(options, opening, dict(opening.seats), Stakes.of(opening.carried))
