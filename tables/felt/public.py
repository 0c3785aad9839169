"""What everybody at a table may see, as fragments."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Any
from zlib import crc32

from django.conf import settings
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from tables.base.calendar import macau_date
from tables.felt.shared.dealers import dealer_of
from tables.felt.shared.drawing import amount, chips, colour_dots
from tables.felt.shared.fragments import Fragments, fragment_once
from tables.felt.shared.limits import rising
from tables.felt.shared.openings import opened_throw, openings, shown_cards
from tables.felt.shared.rendering import active_language, blank
from tables.games import GAMES
from tables.games.contract.editions import edition_after
from tables.games.contract.round import Pace, Round, Stake
from tables.games.contract.view import View
from tables.games.shared.options import options_json
from tables.games.values.money import CREDIT
from tables.games.values.words import Note, Words, say
from tables.queries.chat import LINES_SHOWN
from tables.queries.table import TableState

from .formatting import credits_of, number, sentence, short_credits, text_of
from .games import FELTS

# ── What everybody sees ─────────────────────────────────────────────────────────────────────────────────────


def public_fragments(state: TableState) -> Fragments:
    """What everybody at the table may see: fragment id -> HTML, in the active language."""
    game = FELTS[state.game]
    view = game.rules.view(shown(state), None)
    lies = _Chips.of(view.on_felt)
    short = GAMES[state.game].throw(state.options) is not None
    language = active_language()
    return {
        "rail": _rail(state, view),
        **game.public(state, view),
        **_seats(state, lies.by_bettor, game.holds(view), game.ready(view)),
        "crowd": _crowd(state, lies.by_bettor),
        **{f"all-{spot.key}": _all(spot, lies.on(spot), language, short=short) for spot in view.spots},
        "announcer": fragment_once("announcer", said=tuple(_said(state, view))),
        "rulings": _rulings(state),
        "shoe": _shoe(state),
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


def _shoe(state: TableState) -> str:
    """What was sealed for this round, and the list that takes links for the next one."""
    return fragment_once(
        "shoe",
        table_id=state.table_id,
        sealed_number=state.sealed_number,
        commitment=state.commitment,
        shoe_id=state.shoe_id,
        shoe_number=state.shoe_number,
        round_id=state.round_id,
        links=state.links,
        dealer=dealer_at(state),
    )


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
    told: dict[str, Hashable] = {
        "round_id": state.round_id,
        "round_number": state.round_number,
        "due_at": state.due_at,
        "drawn": _drawn(state.options, tuple(spot.key for spot in view.spots)),
    }
    if round_ is None:
        return fragment_once("rail", words=_without_a_round(state), betting=False, timed=False, **told)
    phase = str(round_.phase)
    timed = round_.pace in TIMED and state.due_at is not None
    span = 0
    if timed and state.due_at is not None and state.wait_began_at is not None:
        span = int((state.due_at - state.wait_began_at).total_seconds() * 1000)
    return fragment_once(
        "rail",
        dealer=dealer_at(state),
        phase=phase,
        pace=str(round_.pace),
        betting=game.betting(phase) and round_.pace is Pace.BETTING,
        words=_stopped(state) if round_.over and (state.paused or state.halted) else game.phase_words(phase),
        signs=tuple(dict.fromkeys((*_announced(state), *game.signs(view)))),
        timed=timed,
        span=span,
        **told,
    )


def dealer_at(state: TableState) -> str:
    """The name of whoever deals this round, or would deal one now. It changes with a round, never within one."""
    return _dealer(state.table_id, state.round_began_at or state.now, tuple(settings.SHIFTS), get_language() or "")


_dealer = lru_cache(maxsize=256)(dealer_of)


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


def _crowd(state: TableState, totals: Mapping[str, int]) -> str:
    seated = {seat.key for seat in state.seats if seat.key is not None}
    standing = sorted(((cents, key) for key, cents in totals.items() if key not in seated), reverse=True)
    named, rest = standing[:MOST_NAMES], standing[MOST_NAMES:]
    person = blank("table/_crowd_person.html", ("name", "total"))
    rows = [person.fill(name=state.names.get(key, ""), total=amount(cents)) for cents, key in named]
    drawn = blank("table/_crowd.html", ("people", "count", "total"), anybody=bool(named), more=bool(rest))
    return drawn.fill(
        people=SafeString("".join(rows)), count=number(len(rest)), total=credits_of(sum(cents for cents, _ in rest))
    )


_ALL = ("spot", "cents", "boxes", "common", "total", "bettors", "people")
_ALL_SHORT = ("spot", "cents", "bettors", "colours", "total")


def _all(spot: Any, boxes: Mapping[int | None, int], language: str, *, short: bool) -> str:
    """Everybody's chips on one spot: those in the boxes of the seats, those on the common area, and the total.

    In `short` the total alone, and the colours of its bettors where they have any: games that throw have many spots,
    and what lost is not said of each of them.
    """
    if short:
        colours = tuple([chip.colour for chip in getattr(spot, "chips", ())])
        return _all_short(spot.key, spot.total, spot.bettors, colours, spot.end == "won", language)
    seated = tuple(sorted([(box, cents) for box, cents in boxes.items() if box is not None]))
    return _all_in_full(spot.key, spot.total, spot.bettors, seated, boxes.get(None, 0), str(spot.end or ""), language)


SPOTS_KEPT = 8192
"""So many spots are kept as they were drawn: a layout has up to 158, and most pushes change one of them."""


@lru_cache(maxsize=SPOTS_KEPT)
def _all_in_full(
    spot: str, cents: int, bettors: int, seated: tuple[tuple[int, int], ...], common: int, end: str, language: str
) -> str:
    box = blank("table/_all_box.html", ("box", "chips"), language)
    drawn = blank("table/_all.html", _ALL, language, lies=bool(cents), one=bettors == 1, end=end)
    return drawn.fill(
        spot=spot,
        cents=str(cents),
        boxes=SafeString("".join([box.fill(box=str(at), chips=chips(lies)) for at, lies in seated])),
        common=chips(common),
        total=amount(cents, language=language),
        bettors=str(bettors),
        people=number(bettors),
    )


@lru_cache(maxsize=SPOTS_KEPT)
def _all_short(spot: str, cents: int, bettors: int, colours: tuple[int, ...], won: bool, language: str) -> str:
    drawn = blank("table/_all_short.html", _ALL_SHORT, language, lies=bool(cents), won=won)
    return drawn.fill(
        spot=spot, cents=str(cents), bettors=str(bettors), colours=colour_dots(colours), total=short_credits(cents)
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
