"""Who sees what of a round of Roulette (rulebook, section 6).

A `View` is all that the felt needs for one viewer. The number is in no round before its seal is opened, so nobody can
see it; what everybody sees is worked out once for all viewers, from running totals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import nlargest

from tables.games.contract import view as contract
from tables.games.contract.view import End
from tables.games.shared.open_layout import NullView, OpenPlayerView, own_view
from tables.games.values.quick import quickly_made
from tables.games.values.words import Note, say

from .bets import SPOTS, Family, Numbers, covers
from .betting import LAYOUT
from .colours import colour_for
from .options import Direction, NullSpinBets, Options
from .phases import Phase, why_null
from .round import RouletteRound
from .settling import terms
from .wheel import Colour, colour_of

MOST_CHIPS = 4
"""So many bettors' chips are told apart on a spot, the biggest; the total is everybody's."""


# ── What everybody sees ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ChipsView:
    """What one bettor has on a spot, in cents, and their colour (0 to COLOURS - 1)."""

    who: str
    colour: int
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotView(contract.SpotView):
    """One spot of the layout: what it covers and pays, its limits, what lies on it and how it ended.

    `sold` is false where only stakes that were left there play on. Amounts in cents; `most` None if there is no
    maximum; `total` is everybody's, of `bettors`; `chips` are those of the biggest of them.
    """

    family: Family
    covers: Numbers
    sold: bool
    chips: tuple[ChipsView, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The number, as it is announced: its colour, and for all but zero odd or even, low or high; and why."""

    number: int
    colour: Colour
    odd: bool | None
    low: bool | None
    why: tuple[Note, ...]

    @classmethod
    def of(cls, number: int) -> Outcome:
        if number == 0:
            return cls(number, Colour.GREEN, None, None, _ABOUT_ZERO)
        colour, odd, low = colour_of(number), number % 2 == 1, number <= 18
        return cls(number, colour, odd, low, (_COLOURS[colour], _ODD_EVEN[odd], _LOW_HIGH[low]))


_ABOUT_ZERO = (
    Note("1(5)", say("Zero is neither red nor black")),
    Note("R-A8", say("Zero is neither odd nor even, neither low nor high")),
    Note("8", say("Only stakes on zero win")),
)
_COLOURS = {Colour.RED: Note("1(4)", say("The number is red")), Colour.BLACK: Note("1(4)", say("The number is black"))}
_ODD_EVEN = {True: Note("7(8)", say("The number is odd")), False: Note("7(8)", say("The number is even"))}
_LOW_HIGH = {True: Note("R-A4", say("The number is low")), False: Note("R-A4", say("The number is high"))}


# ── What only the viewer sees ───────────────────────────────────────────────────────────────────────────────


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView(OpenPlayerView):
    """What concerns the viewer alone. `colour` is their own."""

    colour: int


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class View(contract.View):
    """The felt as one viewer sees it; `mine` is None for a mere spectator.

    `open` while stakes are taken. `commitment` is what was published of the sealed number, with `salt` once it is
    opened; `outcome` from then on. `spins` counts the null spins and this one; `direction` is how the house throws.
    `spots` are those that are sold, and those where something was left; `stakes` everybody's, oldest first. `notes`
    tell what happened beside the number: a null spin, a void.
    """

    phase: Phase
    open: bool
    thrown: bool
    direction: Direction
    commitment: str | None
    salt: str
    outcome: Outcome | None
    nulls: tuple[NullView, ...]
    spots: tuple[SpotView, ...]
    mine: PlayerView | None

    @property
    def spins(self) -> int:
        return len(self.nulls) + 1


def view_of(round_: RouletteRound, who: str | None) -> View:
    """The round as `who` may see it (None: a mere spectator)."""
    public = round_.views.public(lambda: _public(round_))
    if who is None:
        return public
    return replace(public, mine=own_view(PlayerView, round_, who, colour=colour_for(round_.colours, who)))


def _public(round_: RouletteRound) -> View:
    return View(
        phase=round_.phase,
        open=round_.takes_bets,
        thrown=round_.thrown,
        direction=round_.options.throw_direction,
        commitment=round_.seal,
        salt=round_.salt,
        outcome=None if round_.number is None else Outcome.of(round_.number),
        nulls=tuple(NullView(why_null(reason), commitment) for reason, commitment in round_.nulls),
        spots=tuple(_spots(round_)),
        stakes=round_.stakes(),
        ready=round_.ready,
        refusals=round_.refusals,
        payouts=round_.payouts(),
        void=round_.is_void,
        notes=tuple(_notes(round_)),
        mine=None,
    )


# ── The layout ──────────────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=64)
def _bare(options: Options) -> tuple[SpotView, ...]:
    """Every spot before anything lies there."""
    return tuple(
        SpotView(
            name=name,
            family=Family(spot.family),
            title=spot.title,
            article=spot.article,
            odds=spot.odds,
            covers=covers(options.sector_definition, name),
            least=LAYOUT.least(options, name),
            most=LAYOUT.most(options, name),
            sold=LAYOUT.is_sold(options, name),
        )
        for name, spot in SPOTS.items()
    )


def _spots(round_: RouletteRound) -> Iterator[SpotView]:
    number = None if round_.is_void else round_.number
    for bare in _bare(round_.options):
        lies = round_.layout.on(bare.name)
        if not (lies or bare.sold):
            continue
        if lies:
            bare = replace(
                bare, total=round_.layout.total(bare.name), bettors=len(lies), chips=tuple(_chips(round_, lies))
            )
        if number is not None:
            end = End.WON if number in bare.covers else End.LOST
            bare = replace(bare, end=end, why=terms(round_.options, bare.name, number).why)
        yield bare


def _chips(round_: RouletteRound, lies: Mapping[str, int]) -> Iterator[ChipsView]:
    biggest = lies if len(lies) <= MOST_CHIPS else nlargest(MOST_CHIPS, lies, key=lies.__getitem__)
    return (ChipsView(who, round_.colours[who], lies[who]) for who in biggest)


def _notes(round_: RouletteRound) -> Iterator[Note]:
    if round_.nulls and round_.number is None:
        yield why_null(round_.nulls[-1][0])
        if round_.options.null_spin_bets is NullSpinBets.REOPEN:
            if round_.takes_bets:
                yield Note("R-A9", say("Betting is open again"))
        elif round_.closed or round_.rethrow:
            yield Note("R-A9", say("The bets stand, and the ball is thrown again"))
    if round_.void:
        yield round_.void_note(Note("void", say("The round is void: its stakes are returned")))
    match round_.phase:
        case Phase.RETURN:
            yield Note("R-A12", say("Stakes are left on their spots no more: the house gives them back"))
        case Phase.BETTING:
            yield Note("sealed", say("The number was sealed before bets opened; check it afterwards"))
        case Phase.SPINNING if round_.closed:
            yield Note("R-A10", say("No more bets: the ball is thrown now"))
        case Phase.SPINNING:
            yield Note("R-A10", say("Bets are taken until the bell"))
        case Phase.NO_MORE_BETS:
            yield Note("R-A10", say("No more bets"))
        case _:
            pass
