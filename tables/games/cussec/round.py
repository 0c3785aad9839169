"""One round of Cussec: its phases and what each action does (rulebook, sections 5 and 7)."""

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
from .dice import Dice, Result, are_dice
from .options import SEATS, CockedDice, Options, ShakeTiming
from .phases import Phase, Spoilt, spoilt_by
from .settling import payouts, voided
from .view import View, seen

A_DAY = 86_400

_HOUSE_ONLY = (GiveBack, Seal, CloseBets, Unseal, NullThrow, Settle, Void)


@dataclass(frozen=True, slots=True)
class CussecRound(OpenRound):
    """A round, folded so far: the facts. Everything else is derived from them.

    `seal` is the commitment to the dice while they lie covered; `thrown` are the dice as they fell, once uncovered.
    `nulls` are the throws that did not count, oldest first: why, and what had been committed to.
    """

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
    seen: Seen[View] = field(default_factory=Seen, init=False, compare=False, repr=False)

    # ── Where it is ──

    @property
    def phase(self) -> Phase:
        if self.void:
            return Phase.VOID
        if self.settled:
            return Phase.SETTLED
        if self.thrown:
            return Phase.UNCOVERED
        if self.is_left_wrongly:
            return Phase.RETURN
        if self.spoiler:
            return Phase.SPOILT
        if self.closed:
            return Phase.SHAKE_AFTER if self.seal is None else Phase.NO_MORE_BETS
        if self.seal is None and self.options.shake_timing is ShakeTiming.BEFORE_BETTING:
            return Phase.SHAKE
        return Phase.BETTING

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
    def tempo(self) -> Tempo:
        match self.phase:
            case Phase.BETTING:
                return Tempo.BETTING
            case Phase.SETTLED | Phase.VOID:
                return Tempo.RESULT
            case _:
                return Tempo.BEAT

    @property
    def wait(self) -> str:
        return f"{self.phase}.{len(self.nulls)}"

    @property
    def hurried(self) -> bool:
        return self.phase is Phase.BETTING and seats.all_ready(self.seats, self.layout, self.ready)

    # ── What comes next ──

    def due(self) -> Due | None:
        match self.phase:
            case Phase.RETURN:
                return Step(GiveBack())
            case Phase.SHAKE | Phase.SHAKE_AFTER:
                return Draw(Chance.SEAL)
            case Phase.NO_MORE_BETS:
                return Draw(Chance.OPEN)
            case Phase.SPOILT:
                return Step(Void(reason=self.spoiler or ""))
            case Phase.UNCOVERED:
                return Step(Settle())
            case Phase.BETTING | Phase.SETTLED | Phase.VOID:
                return None

    def overdue(self) -> Due | None:
        return Step(CloseBets()) if self.phase is Phase.BETTING else self.due()

    def offers(self, who: str) -> Offers:
        if self.phase is not Phase.BETTING:
            return Offers()
        return LAYOUT.offers(self.options, self.seats, self.layout, self.ready, who)

    # ── What each action does ──

    def apply(self, action: Action) -> CussecRound:
        match self.phase, action:
            case ((Phase.SETTLED | Phase.VOID), _) if action.by != HOUSE:
                raise Refused("closed", say("The round is over"))
            case ((Phase.SETTLED | Phase.VOID), _):
                raise AssertionError(f"{action.do} after the end of the round")
            case _, _ if isinstance(action, _HOUSE_ONLY) and action.by != HOUSE:
                raise Refused("", say("Only the dealer does that"))
            case _, Void():
                return replace(self, void=action, paid=voided(self.options, self.layout, self.spoiler))
            case _, Sit():
                return replace(self, seats=seats.sat(self.seats, action, SEATS, "seat"))
            case _, Leave():
                return replace(self, seats=seats.left(self.seats, action.by))

            case ((Phase.RETURN | Phase.SHAKE | Phase.BETTING), GiveBack()):
                return replace(self, layout=self.given_back())
            case ((Phase.SHAKE | Phase.SHAKE_AFTER), Seal()):
                return replace(self, seal=action.commitment)
            case ((Phase.BETTING | Phase.NO_MORE_BETS), NullThrow()) if self.seal is not None:
                return self._spoilt(action)

            case Phase.BETTING, (PlaceBet() | Withdraw() | Lower() | Move()):
                layout = LAYOUT.changed(self.options, self.layout, action)
                return replace(self, layout=layout, ready=self.ready - {action.by})
            case Phase.BETTING, Ready():
                seats.check_takes_part(self.seats, self.layout, action.by)
                return replace(self, ready=self.ready | {action.by})
            case Phase.BETTING, CloseBets():
                return replace(self, closed=True)

            case Phase.NO_MORE_BETS, Unseal():
                assert are_dice(action.values), f"{action.values} are not three dice"
                return replace(self, thrown=action.values, salt=action.salt)
            case Phase.UNCOVERED, Settle():
                return replace(self, settled=True, paid=payouts(self.options, self.layout, Result.of(self.thrown)))

            case _, (PlaceBet() | Withdraw() | Lower() | Move() | Ready()):
                raise Refused("closed", say("Bets are taken only while betting is open"))
            case phase, _:
                assert action.by != HOUSE, f"{action.do} in phase {phase}"
                raise Refused("", say("That cannot be done now"))

    def _spoilt(self, action: NullThrow) -> CussecRound:
        """The throw does not count: the round is void, or the dice are shaken anew.

        After the bell the bets stand then; before it they may be changed, and nobody is ready any more.
        """
        assert self.seal is not None
        why = spoilt_by(self.phase, action.reason)
        return replace(self, nulls=(*self.nulls, (why, self.seal)), seal=None, ready=frozenset())

    # ── Money and what is seen ──

    def view(self, who: str | None) -> View:
        return seen(self, who)

    def result(self) -> dict[str, Any]:
        assert self.over, "the round has no result yet"
        if self.void:
            return {"void": True}
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
