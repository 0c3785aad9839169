"""Who sees what of a round of Cussec (rulebook, section 5).

A `View` is all that the felt needs for one viewer. The dice are in no round before the cover is lifted, so nobody can
see them; what everybody sees is worked out once for all viewers, from running totals.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from tables.games.contract import view as contract
from tables.games.contract.view import End
from tables.games.shared.open_layout import NullView, OpenPlayerView, own_view
from tables.games.values.money import Odds
from tables.games.values.quick import quickly_made
from tables.games.values.words import Note, Words, say

from .bets import BETS, SPOTS, WON, Kind
from .betting import LAYOUT
from .dice import Dice, Result
from .options import Options
from .phases import WHY, Phase, Spoilt
from .round import CussecRound
from .settling import announced, terms

# ── What everybody sees ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotView(contract.SpotView):
    """One spot of the layout: the dice it shows and what it pays, its limits, what lies on it and how it ended.

    `faces` are the numbers drawn on it, `points` the total that it names. `odds` are all that it may pay, `paid` those
    that it won. `sold` is false where only stakes that were left there play on. Amounts in cents; `most` None if there
    is no maximum; `total` is everybody's, of `bettors`.
    """

    kind: Kind
    faces: Dice
    points: int | None
    sold: bool
    paid: Odds | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The uncovered dice: as they were `thrown`, and from the lowest to the highest; `words` as the dealer calls them.

    A triple is neither big nor small, neither odd nor even: `big` and `odd` are None. `won` are the winning spots.
    """

    thrown: Dice
    dice: Dice
    total: int
    triple: bool
    big: bool | None
    odd: bool | None
    won: tuple[str, ...]
    words: Words

    @classmethod
    def of(cls, thrown: Dice) -> Outcome:
        result = Result.of(thrown)
        total, triple = result.total, result.triple
        return cls(
            thrown,
            result.dice,
            total,
            triple,
            None if triple else total >= 11,
            None if triple else total % 2 == 1,
            tuple(WON[result.dice]),
            announced(result),
        )


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView(OpenPlayerView):
    """What concerns the viewer alone."""


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class View(contract.View):
    """The felt as one viewer sees it; `mine` is None for a mere spectator.

    `open` while stakes are taken. `covered` until the cover is lifted, `shaken` once the dice lie there, after `shakes`
    presses of the lever; `throws` counts those that did not count and this one. `commitment` is what was published of
    the sealed dice, with `salt` once it is opened; `outcome` from then on. `spots` are those that are sold, and those
    where something was left; `stakes` everybody's, oldest first. `notes` tell what happened beside the dice.
    """

    phase: Phase
    open: bool
    covered: bool
    shaken: bool
    shakes: int
    commitment: str | None
    salt: str
    outcome: Outcome | None
    nulls: tuple[NullView, ...]
    spots: tuple[SpotView, ...]
    mine: PlayerView | None

    @property
    def throws(self) -> int:
        return len(self.nulls) + 1


def view_of(round_: CussecRound, who: str | None) -> View:
    """The round as `who` may see it (None: a mere spectator)."""
    public = round_.views.public(lambda: _public(round_))
    return public if who is None else replace(public, mine=own_view(PlayerView, round_, who))


def _public(round_: CussecRound) -> View:
    return View(
        phase=round_.phase,
        open=round_.phase is Phase.BETTING,
        covered=not round_.thrown,
        shaken=round_.seal is not None,
        shakes=round_.options.shakes,
        commitment=round_.seal,
        salt=round_.salt,
        outcome=Outcome.of(round_.thrown) if round_.thrown else None,
        nulls=tuple(NullView(WHY[why], commitment) for why, commitment in round_.nulls),
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
            kind=bet.kind,
            title=bet.title,
            article=SPOTS[name].article,
            odds=bet.odds,
            faces=bet.faces,
            points=bet.points,
            least=LAYOUT.least(options, name),
            most=LAYOUT.most(options, name),
            sold=LAYOUT.is_sold(options, name),
        )
        for name, bet in BETS.items()
    )


def _spots(round_: CussecRound) -> Iterator[SpotView]:
    result = None if round_.is_void or not round_.thrown else Result.of(round_.thrown)
    for bare in _bare(round_.options):
        lies = round_.layout.on(bare.name)
        if not (lies or bare.sold):
            continue
        if lies:
            bare = replace(bare, total=round_.layout.total(bare.name), bettors=len(lies))
        if result is not None:
            ends = terms(round_.options, bare.name, result)
            bare = replace(bare, end=End.WON if ends.odds else End.LOST, paid=ends.odds, why=ends.why)
        yield bare


def _notes(round_: CussecRound) -> Iterator[Note]:
    if round_.phase is Phase.RETURN:
        yield Note("stays", say("The house leaves no stakes on their spots any more: they are given back"))
    why = round_.nulls[-1][0] if round_.nulls and not round_.thrown else None
    match why, round_.phase:
        case Spoilt.PRESSES, Phase.SHAKE:
            yield WHY[Spoilt.PRESSES]
        case Spoilt.PRESSES, Phase.BETTING:
            yield WHY[Spoilt.PRESSES]
            yield Note("presses", say("Bets may be changed"))
        case ((Spoilt.COCKED | Spoilt.STACKED), (Phase.SHAKE_AFTER | Phase.NO_MORE_BETS)):
            yield WHY[why]
            yield Note("C-A10", say("The bets stand, and the dice are shaken again"))
        case Spoilt(), (Phase.SPOILT | Phase.VOID) if why is not Spoilt.PRESSES:
            yield WHY[why]
    if round_.void:
        yield round_.void_note(Note("void", say("The round is void: its stakes are returned")))
