"""What everybody at a table may see, as fragments."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Any
from zlib import crc32

from django.conf import settings
from django.utils.translation import get_language, gettext

from tables.base.calendar import macau_date
from tables.felt.shared.dealers import dealer_of
from tables.felt.shared.drawing import colour_dots
from tables.felt.shared.fragments import Fragments, fragment, fragment_once
from tables.felt.shared.limits import rising
from tables.felt.shared.openings import opened_throw, openings, shown_cards
from tables.felt.shared.rendering import blank
from tables.games import GAMES
from tables.games.contract.editions import edition_after
from tables.games.contract.round import Pace, Round, Stake
from tables.games.contract.view import View
from tables.games.shared.options import options_json
from tables.games.values.money import CREDIT
from tables.games.values.words import Note, Words, say
from tables.queries.chat import LINES_SHOWN
from tables.queries.table import TableState

from .formatting import number, sentence, short_credits, text_of
from .games import FELTS

# ── What everybody sees ─────────────────────────────────────────────────────────────────────────────────────


def public_fragments(state: TableState) -> Fragments:
    """What everybody at the table may see: fragment id -> HTML, in the active language."""
    game = FELTS[state.game]
    view = game.rules.view(shown(state), None)
    chips = _Chips.of(view.on_felt)
    short = GAMES[state.game].throw(state.options) is not None
    return {
        "rail": _rail(state, view),
        **game.public(state, view),
        **_seats(state, chips.by_bettor, game.holds(view), game.ready(view)),
        "crowd": _crowd(state, chips.by_bettor),
        **{f"all-{spot.key}": _all(spot, chips.on(spot), short=short) for spot in view.spots},
        "announcer": fragment("announcer", said=_said(state, view)),
        "rulings": _rulings(state),
        "shoe": fragment("shoe", state=state, dealer=dealer_at(state)),
        "seals": _seals(state, view),
        **_chat(state),
    }


def shown(state: TableState) -> Round:
    """The round that the felt shows: before the first one of a table, an empty one that nobody can bet in."""
    round_: Round = FELTS[state.game].shown(state)
    return round_


@dataclass(frozen=True, slots=True)
class _Chips:
    """The stakes on the layout, added up in one pass: cents by bettor, and by spot and box (None: common area)."""

    by_bettor: Mapping[str, int]
    boxes: Mapping[str, Mapping[int | None, int]]

    @classmethod
    def of(cls, stakes: Iterable[Stake]) -> _Chips:
        by_bettor: dict[str, int] = {}
        boxes: dict[str, dict[int | None, int]] = {}
        for stake in stakes:
            by_bettor[stake.by] = by_bettor.get(stake.by, 0) + stake.amount
            here = boxes.setdefault(stake.spot, {})
            here[stake.box] = here.get(stake.box, 0) + stake.amount
        return cls(by_bettor, boxes)

    def on(self, spot: Any) -> Mapping[int | None, int]:
        """What lies on one spot, by box; a spot that itself belongs to a box holds all of it in its middle."""
        boxes = self.boxes.get(spot.name, {})
        return boxes if spot.key == spot.name else {None: spot.total}


def _seals(state: TableState, view: View) -> str:
    return fragment_once(
        "seals",
        shoe=str(state.dealt_from.shoe_id) if state.dealt_from is not None else "",
        cards=openings(state, shown_cards(state, view)),
        throw=opened_throw(state, view),
    )


TIMED = frozenset({Pace.CUT, Pace.BETTING, Pace.DECISION, Pace.RESULT})
"""Waits that the ring shows; a beat of the house is over before anybody has read it."""


def _rail(state: TableState, view: Any) -> str:
    game = FELTS[state.game]
    round_ = state.round
    drawn = _drawn(state.options, tuple(spot.key for spot in view.spots))
    if round_ is None:
        words = _without_a_round(state)
        return fragment("rail", state=state, drawn=drawn, words=words, betting=False, timed=False)
    phase = str(round_.phase)
    timed = round_.pace in TIMED and state.due_at is not None
    span = 0
    if timed and state.due_at is not None and state.wait_began_at is not None:
        span = int((state.due_at - state.wait_began_at).total_seconds() * 1000)
    return fragment(
        "rail",
        state=state,
        drawn=drawn,
        dealer=dealer_at(state),
        phase=phase,
        pace=str(round_.pace),
        betting=game.betting(phase) and round_.pace is Pace.BETTING,
        words=_stopped(state) if round_.over and (state.paused or state.halted) else game.phase_words(phase),
        signs=list(dict.fromkeys((*_announced(state), *game.signs(view)))),
        timed=timed,
        span=span,
    )


def dealer_at(state: TableState) -> str:
    """The name of whoever deals this round, or would deal one now. It changes with a round, never within one."""
    return dealer_of(state.table_id, state.round_began_at or state.now, settings.SHIFTS, get_language() or "")


@lru_cache(maxsize=256)
def _drawn(options: Any, spots: tuple[str, ...]) -> str:
    """Names what a layout is drawn for, the same in every process: a page that was drawn for something else reloads."""
    return f"{crc32(json.dumps([options_json(options), spots], sort_keys=True).encode()):08x}"


def _without_a_round(state: TableState) -> str:
    if not state.open:
        return gettext("The table is closed")
    if state.paused or state.halted:
        return _stopped(state)
    return gettext("Opening the table…")


def _stopped(state: TableState) -> str:
    """Why no round is begun."""
    return gettext("The house has stopped new rounds for now") if state.halted else gettext("The table pauses")


def _announced(state: TableState) -> list[str]:
    """What the house has to say of this round, and what the pit has ordered, now or for after it."""
    if state.held:
        return [gettext("The pit looks at this round: it waits")]
    signs = [gettext("Very many bets: betting closes early")] if state.crowded else []
    if state.closing:
        after = gettext("Closes after this round") if state.closing == "round" else gettext("Closes with this shoe")
        return [*signs, after]
    shoe = FELTS[state.game].rules.shoe(state.options)
    if state.fresh_by and shoe is not None and not shoe.every_round:
        signs.append(gettext("Last round"))  # of this shoe
    if state.round is not None and not state.round.over and (state.paused or state.halted):
        return [*signs, gettext("No new round after this one") if state.halted else gettext("Pauses after this round")]
    return signs


def _seats(
    state: TableState, totals: Mapping[str, int], marks: Mapping[str, list[str]], ready: frozenset[str]
) -> Fragments:
    return {
        f"seat-{seat.number}": fragment_once(
            "seat",
            seat=seat,
            total=totals.get(seat.key or "", 0),
            marks=tuple(marks.get(seat.key or "", ())),
            ready=seat.key in ready,
        )
        for seat in state.seats
    }


MOST_NAMES = 8
"""So many of the standing crowd are named; the rest is counted."""


@dataclass(frozen=True, slots=True)
class _Person:
    name: str
    total: int


def _crowd(state: TableState, totals: Mapping[str, int]) -> str:
    seated = {seat.key for seat in state.seats if seat.key is not None}
    standing = sorted(((cents, key) for key, cents in totals.items() if key not in seated), reverse=True)
    named, rest = standing[:MOST_NAMES], standing[MOST_NAMES:]
    return fragment(
        "crowd",
        people=[_Person(state.names.get(key, ""), cents) for cents, key in named],
        more=len(rest),
        more_total=sum(cents for cents, _ in rest),
    )


@dataclass(frozen=True, slots=True)
class _Box:
    box: int
    cents: int


_ALL_SHORT = ("spot", "cents", "bettors", "colours", "total")


def _all(spot: Any, boxes: Mapping[int | None, int], *, short: bool) -> str:
    """Everybody's chips on one spot: those in the boxes of the seats, those on the common area, and the total.

    In `short` the total alone, and the colours of its bettors where they have any: games that throw have many spots,
    and what lost is not said of each of them.
    """
    if short:
        drawn = blank("table/_all_short.html", _ALL_SHORT, lies=bool(spot.total), won=spot.end == "won")
        return drawn.fill(
            spot=spot.key,
            cents=str(spot.total),
            bettors=str(spot.bettors),
            colours=colour_dots(chip.colour for chip in getattr(spot, "chips", ())),
            total=short_credits(spot.total),
        )
    seated = tuple(_Box(box, cents) for box, cents in sorted((b, c) for b, c in boxes.items() if b is not None))
    return fragment_once(
        "all",
        spot=spot.key,
        total=spot.total,
        bettors=spot.bettors,
        end=str(spot.end or ""),
        boxes=seated,
        common=boxes.get(None, 0),
    )


LINES_TOGETHER = 10
"""Lines of the chat that are pushed together; those before them stand in a fragment that seldom changes."""


def _chat(state: TableState) -> Fragments:
    """What was said at the table, and why nobody may talk now."""
    newest = state.chat[-1].number if state.chat else 0
    begun = (newest - 1) // LINES_TOGETHER * LINES_TOGETHER
    first = begun - (LINES_SHOWN - LINES_TOGETHER)
    earlier = tuple(line for line in state.chat if first < line.number <= begun)
    silence = shown(state).silence
    return {
        "chat-earlier": fragment_once("chat_lines", ident="chat-earlier", lines=earlier),
        "chat": fragment_once(
            "chat_lines", ident="chat", lines=tuple(line for line in state.chat if line.number > begun)
        ),
        "chat-lock": fragment_once("chat_lock", why=silence, game=state.game),
    }


@dataclass(frozen=True, slots=True)
class _Ruled:
    happened: Words
    orders: Words
    article: str


def _ruled(state: TableState) -> tuple[_Ruled, ...]:
    """What the pit has ruled in this round: what happened, and what the article orders."""
    round_, game = shown(state), GAMES[state.game]
    return tuple(
        _Ruled(what.happened(ruled.box), what.ordered(round_), what.article)
        for ruled in state.rulings
        if (what := game.irregularity(ruled.name)) is not None
    )


def _told(state: TableState) -> Iterator[Note]:
    """What the house tells everybody of this round or the next: cards that the pit has changed, another edition."""
    felt, round_ = FELTS[state.game], state.round
    if state.fresh_by:
        yield Note(state.fresh_by, felt.fresh_cards(state.options, done=False))
    elif round_ is not None and round_.opening.fresh_by and not round_.over:
        yield Note(round_.opening.fresh_by, felt.fresh_cards(state.options, done=True))
    if round_ is not None and round_.opening.new_edition:
        edition = state.options.edition
        yield Note("", say("From this round on edition %(edition)s of the regulation holds", edition=edition))
    if state.coming is not None:
        for least, bets in rising(GAMES[state.game], state.options, state.coming).items():
            words = say(
                "From the next round on the minimum is %(least)s: %(bets)s", least=number(least // CREDIT), bets=bets
            )
            yield Note("", words)
    if not state.edition_in_force:
        return
    game, today = GAMES[state.game], macau_date(state.now)
    coming = edition_after(game.in_force, today.isoformat())
    if (now := game.edition_on(today.isoformat())) != state.options.edition:
        yield Note("", say("From the next round on edition %(edition)s of the regulation holds", edition=now))
    elif coming is not None and coming.since == (today + timedelta(days=1)).isoformat():
        yield Note("", say("From midnight on edition %(edition)s of the regulation holds", edition=coming.name))


def _rulings(state: TableState) -> str:
    return fragment_once(
        "rulings", rulings=_ruled(state), told=tuple(_told(state)), game=state.game, edition=state.options.edition
    )


def _said(state: TableState, view: Any) -> list[str]:
    if state.round is None:
        return []
    said = FELTS[state.game].said(view, state.names)
    ruled = [sentence(text_of(words)) for one in _ruled(state) for words in (one.happened, one.orders)]
    ruled += [sentence(text_of(note.words)) for note in _told(state)]
    return [gettext("Round %(number)s.") % {"number": number(state.round_number)}, *ruled, *said]
