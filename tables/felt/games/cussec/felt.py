"""The felt of Cussec: the shaker, the uncovered dice, the last throws, and the layout with all its spots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.text import capfirst
from django.utils.translation import get_language, gettext, gettext_noop, pgettext

from tables.felt.contract import FeltOf, RoundResult
from tables.felt.formatting import listed, mark, number, odds_of, sentence, text_of
from tables.felt.shared.fragments import Context, Fragments, Templates
from tables.felt.shared.house_rules import house_rules as in_words
from tables.felt.shared.lately import Lately
from tables.felt.shared.phases import PHASES
from tables.games.cussec import GAME, Options, Phase
from tables.games.cussec.bets import SOLD, SPOTS, Kind
from tables.games.cussec.dice import Dice, Result
from tables.games.cussec.options import CockedDice, ShakeTiming
from tables.games.cussec.round import CussecRound
from tables.games.cussec.settling import announced
from tables.games.cussec.view import Outcome, SpotView, View
from tables.queries.table import TableState

from .lesson import LESSON, LIKED, LINES
from .rulebook import CussecRulebook
from .story import CussecStory
from .tables import KIOSK_TABLES, TABLES

_TEMPLATES = Templates(GAME.slug)


class CussecFelt(FeltOf[Options, CussecRound, View]):
    rules = GAME
    baize = "plum"
    story = CussecStory()
    rulebook = CussecRulebook()
    lesson = LESSON
    lines = LINES
    liked = LIKED
    main_bets = {spot: SPOTS[spot].title for spot in ("big", "small")}
    tables = TABLES
    kiosk_tables = KIOSK_TABLES
    phases = {
        **PHASES,
        Phase.SHAKE: gettext_noop("The dice are shaken"),
        Phase.SHAKE_AFTER: gettext_noop("The dice are shaken"),
        Phase.BETTING: gettext_noop("Please bet"),
        Phase.SPOILT: gettext_noop("The throw does not count"),
        Phase.UNCOVERED: gettext_noop("Result"),
    }

    def ended_words(self, result: RoundResult) -> str:
        return text_of(announced(Result.of(result["dice"])))

    def said(self, view: View, names: Mapping[str, str]) -> list[str]:
        words = [sentence(self.phase_words(view.phase))] if view.phase is not Phase.VOID else []
        words += [sentence(told(view)[0])] if told(view)[0] else []
        words += [sentence(text_of(note.words)) for note in view.notes]
        if view.outcome is not None and not view.void:
            words += [
                sentence(text_of(view.outcome.words)),
                sentence(capfirst(kind_words(view.outcome).replace(" · ", mark(",")))),
            ]
        return list(dict.fromkeys(words))

    def facts(self, options: Options) -> list[str]:
        words = [
            gettext("Shaken before the bets")
            if options.shake_timing is ShakeTiming.BEFORE_BETTING
            else gettext("Shaken after the bell")
        ]
        if options.four_numbers_enabled:
            words.append(gettext("Four numbers"))
        if options.cocked_dice is CockedDice.RESHAKE_BETS_STAND:
            words.append(gettext("Cocked dice are shaken again"))
        return words

    def road(self, results: Sequence[RoundResult]) -> str:
        """The last throws, small, for the lobby."""
        return _road(_throws(results)[-IN_LOBBY:], get_language() or "")

    def lately(self, results: Sequence[RoundResult]) -> Lately | None:
        """The last total, and how often its kind has come: big, small or a triple."""
        ends = [(thrown.kind, str(thrown.total)) for thrown in map(_thrown, _throws(results))]
        return Lately.of(ends, {kind: meaning for kind, (_, meaning) in _letters().items()})

    def signs(self, view: View) -> list[str]:
        """Short facts for the rail, which stays in sight: what was thrown, or that a throw did not count."""
        if view.void:
            return []
        if view.outcome is not None:
            return [gettext("Total %(points)s") % {"points": number(view.outcome.total)}]
        return [gettext("Shaken again")] if view.nulls else []

    def public(self, state: TableState, view: View) -> Fragments:
        """What the dealer does beside the shaker, the dice once they are uncovered, the result, and the last throws."""
        outcome = None if view.void else view.outcome
        does, article = told(view) if state.round is not None else ("", "")
        return {
            "cards": _TEMPLATES.same(
                "cards",
                notes=view.notes if state.round is not None else (),
                commitment=view.commitment,
                salt=view.salt,
                throw=f"{state.round_id}.{view.throws}",
                shakes=view.covered and (view.shaken or view.phase in (Phase.SHAKE, Phase.SHAKE_AFTER)),
                outcome=outcome,
                kind=kind_words(outcome) if outcome is not None else "",
                does=does,
                article=article,
                round_id=state.round_id,
            ),
            "result": _TEMPLATES.same(
                "result", void=view.void, outcome=outcome, nulls=view.nulls, notes=view.notes, won=_won(view)
            ),
            "roads": _roads(_throws(state.results), get_language() or ""),
        }

    def layout(self, state: TableState, view: View) -> Context:
        return {
            "spots": {spot.key: spot for spot in view.spots},
            "fields": list(_fields(view.spots)),
            "groups": list(_groups(view.spots)),
            "dealing_template": "games/cussec/_shaker.html",
            "dealing_title": gettext("Dice"),
            "sheets": ("spots",),
            "scripts": ("dice",),
            "by_hand": ("spots",),
            "house_rules": house_rules(state.options),
            "history_title": gettext("Last throws"),
        }


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────


def kind_words(outcome: Outcome) -> str:
    """What the dice are beside their total: "small · even", or that they are a triple."""
    if outcome.triple:
        return gettext("Triple")
    size = pgettext("of the dice", "big") if outcome.big else pgettext("of the dice", "small")
    parity = pgettext("of the dice", "odd") if outcome.odd else pgettext("of the dice", "even")
    return f"{size} · {parity}"


def told(view: View) -> tuple[str, str]:
    """What the dealer does or waits for, and what orders it."""
    match view.phase:
        case Phase.SHAKE | Phase.SHAKE_AFTER:
            pressed = gettext("The cover is locked, and the lever is pressed %(times)s times")
            return pressed % {"times": number(view.shakes)}, "CS-4"
        case Phase.BETTING if view.shaken:
            return gettext("The dice are shaken, and lie covered"), "CS-4"
        case Phase.BETTING:
            return gettext("The dice are shaken after the bell"), "C-A9"
        case Phase.NO_MORE_BETS:
            return gettext("The bell has rung: the cover is lifted"), "CS-5"
        case _:
            return "", ""


# ── Options ─────────────────────────────────────────────────────────────────────────────────────────────────


def house_rules(options: Options) -> list[tuple[str, str, str]]:
    """The options of the table in words, and where its odds come from (C-A1)."""
    return [(gettext("Odds"), gettext("as published for Macau"), "C-A1"), *in_words(options)]


# ── What everybody sees ─────────────────────────────────────────────────────────────────────────────────────


def _won(view: View) -> str:
    """The spots that are lit, one after the other."""
    return listed([text_of(spot.title) for spot in view.spots if spot.end == "won"])


# ── The layout ──────────────────────────────────────────────────────────────────────────────────────────────

LOW = 3
"""Doubles and triples up to this number lie at the dealer's right hand, the others at the left."""


@dataclass(frozen=True, slots=True)
class Field:
    """Spots of one kind that are printed together: where, what the kind is called, and what it pays."""

    place: str
    title: str
    odds: str
    spots: tuple[SpotView, ...]

    @property
    def family(self) -> str:
        """Of what the list of all bets finds them by (`data-sweep`)."""
        return "even_chance" if self.spots[0].kind in EVEN_CHANCES else self.spots[0].kind.value


def _titles() -> dict[Kind, str]:
    """What each kind of bet is called; big, small, odd and even go together."""
    return {
        Kind.BIG: gettext("Big, small, odd, even"),
        Kind.ANY_TRIPLE: gettext("Any triple"),
        Kind.TRIPLE: gettext("Triples"),
        Kind.DOUBLE: gettext("Doubles"),
        Kind.TOTAL: gettext("Totals"),
        Kind.PAIR: gettext("Two dice"),
        Kind.SINGLE: gettext("Single numbers"),
        Kind.FOUR: gettext("Four numbers"),
    }


EVEN_CHANCES = (Kind.BIG, Kind.SMALL, Kind.ODD, Kind.EVEN)


def _field_of(spot: SpotView) -> tuple[str, Kind]:
    """Where a spot is printed on the layout, and of which kind it is."""
    match spot.kind:
        case Kind.SMALL | Kind.ODD:
            return "low", Kind.BIG
        case Kind.BIG | Kind.EVEN:
            return "high", Kind.BIG
        case Kind.DOUBLE | Kind.TRIPLE:
            return f"{spot.kind}s-{'low' if spot.faces[0] <= LOW else 'high'}", spot.kind
        case kind:
            return kind.value.replace("_", "-"), kind


ORDER = (
    "low", "doubles-low", "triples-low", "any-triple", "triples-high", "doubles-high", "high", "total", "pair",
    "single", "four",
)  # fmt: skip
"""The fields as they are printed, from the dealer to the bettors."""


def _fields(spots: Iterable[SpotView]) -> Iterator[Field]:
    titles = _titles()
    lie: dict[str, list[SpotView]] = {}
    for spot in spots:
        lie.setdefault(_field_of(spot)[0], []).append(spot)
    for place in ORDER:
        if own := lie.get(place):
            kind = _field_of(own[0])[1]
            own = sorted(own, key=lambda spot: (Kind.SMALL, Kind.ODD, Kind.EVEN, Kind.BIG).index(spot.kind)) if (
                kind is Kind.BIG
            ) else own  # fmt: skip
            yield Field(place, titles[kind], _odds(own[0].kind), tuple(own))


def _odds(kind: Kind) -> str:
    """What a kind pays, if all its spots pay the same."""
    odds = SOLD[kind].odds
    if kind is not Kind.SINGLE:
        return odds_of(odds[0]) if odds else ""
    one, two, three = (odds_of(each) for each in odds)
    return gettext("one die %(one)s, two dice %(two)s, three dice %(three)s") % {
        "one": one, "two": two, "three": three
    }  # fmt: skip


def _groups(spots: Sequence[SpotView]) -> Iterator[Field]:
    """The spots of each kind, as the list of all bets shows them."""
    for kind, title in _titles().items():
        own = tuple(spot for spot in spots if spot.kind is kind or (kind is Kind.BIG and spot.kind in EVEN_CHANCES))
        if own:
            yield Field(kind.value, title, _odds(kind), own)


# ── The last throws ─────────────────────────────────────────────────────────────────────────────────────────

LISTED = 24
"""So many of the last throws are listed."""

IN_LOBBY = 12
"""So many of them are drawn in the lobby."""


@dataclass(frozen=True, slots=True)
class Thrown:
    """A throw of an earlier round: its dice, its total, and its mark, a letter and a shape for one kind."""

    dice: Dice
    total: int
    kind: str
    letter: str
    words: str


def _throws(results: Iterable[RoundResult]) -> tuple[Dice, ...]:
    return tuple(tuple(result["dice"]) for result in results if "dice" in result)[-LISTED:]


def _letters() -> dict[str, tuple[str, str]]:
    """The marks of the last throws: a letter and its meaning."""
    return {
        "big": (pgettext("one letter", "B"), gettext("Big")),
        "small": (pgettext("one letter", "S"), gettext("Small")),
        "triple": (pgettext("one letter", "T"), gettext("Triple")),
    }


def _thrown(dice: Dice) -> Thrown:
    result = Result.of(dice)
    kind = "triple" if result.triple else "big" if result.total >= 11 else "small"
    letter, meaning = _letters()[kind]
    words = text_of(announced(result))
    return Thrown(result.dice, result.total, kind, letter, words if result.triple else words + mark(",") + meaning)


@lru_cache(maxsize=256)
def _roads(throws: tuple[Dice, ...], language: str) -> str:
    """The last throws, the newest first: drawn once a result and language."""
    listed_ = [_thrown(dice) for dice in reversed(throws)]
    times = Counter(one.kind for one in listed_)
    counts = [(kind, letter, meaning, times[kind]) for kind, (letter, meaning) in _letters().items()]
    return _TEMPLATES.fragment("roads", throws=listed_, counts=counts)


def road_words(throws: Sequence[Dice]) -> str:
    """The last throws one after the other, the newest last."""
    if not throws:
        return gettext("No results yet.")
    words = [_thrown(dice).words for dice in throws]
    return gettext("The last throws, the newest last: %(throws)s.") % {"throws": mark(";").join(words)}


@lru_cache(maxsize=256)
def _road(throws: tuple[Dice, ...], language: str) -> str:
    """The last throws, small, drawn once a result and language."""
    marks = [(26 * place, _thrown(dice)) for place, dice in enumerate(throws)]
    return _TEMPLATES.fragment("road", marks=marks, width=26 * max(len(throws), 1), words=road_words(throws))
