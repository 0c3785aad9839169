"""What a viewer may see, as HTML: the fragments of the felt, for page and push alike.

A fragment is one element whose id is its name. The page is made of the very strings that are pushed, so what was
pushed is what a fresh load would show. What everybody sees and what one viewer sees are kept apart: the first is
rendered once for all sockets of a table.

What differs between games is in `tables.felts`; what they share is here and in templates/table/.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal
from zlib import crc32

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from tables.felts import FELTS
from tables.felts.rendering import rendered_once
from tables.games import GAMES
from tables.games.money import CREDIT
from tables.games.protocol import Round, Stake, Tempo
from tables.games.words import Words
from tables.queries import LobbyCard, TableState
from tables.wording import DENOMINATIONS, number, short_number

Fragments = dict[str, str]


@dataclass(frozen=True, slots=True)
class Notice:
    """What the house answers to one client: which deed it was, at which spot, and if refused by which article."""

    kind: Literal["ok", "refused", "info"]
    article: str
    words: Words | None
    spot: str | None = None
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks. `key` is None for somebody who only watches; the balance is in cents."""

    key: str | None = None
    name: str = ""
    balance_cents: int | None = None
    seat: int | None = None
    notice: Notice | None = None


def _fragment(name: str, **context: Any) -> str:
    return render_to_string(f"table/_{name}.html", context)


def _same(name: str, **context: Hashable) -> str:
    """As `_fragment`, of values that can be compared: most pushes change one spot and one seat, the rest is kept."""
    return rendered_once(f"table/_{name}.html", **context)


# ── What everybody sees ─────────────────────────────────────────────────────────────────────────────────────


def public_fragments(state: TableState) -> Fragments:
    """What everybody at the table may see: fragment id -> HTML, in the active language."""
    game = FELTS[state.game]
    view = shown(state).view(None)
    chips = _Chips.of(view.stakes)
    return {
        "rail": _rail(state, view),
        **game.public(state, view),
        **_seats(state, chips.by_bettor, game.holds(view), game.ready(view)),
        "crowd": _crowd(state, chips.by_bettor),
        **{f"all-{spot.name}": _all(spot, chips.boxes.get(spot.name, {})) for spot in view.spots},
        "announcer": _fragment("announcer", said=_said(state, view)),
        "shoe": _fragment("shoe", state=state),
    }


def shown(state: TableState) -> Round:
    """The round that the felt shows: before the first one of a table, an empty one that nobody can bet in."""
    return state.round if state.round is not None else FELTS[state.game].idle(state.options)


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


TIMED = frozenset({Tempo.CUT, Tempo.BETTING, Tempo.DECISION, Tempo.RESULT})
"""Waits that the ring shows; a beat of the house is over before anybody has read it."""


def _rail(state: TableState, view: Any) -> str:
    game = FELTS[state.game]
    round_ = state.round
    drawn = f"{crc32(repr(state.options).encode()):08x}"  # a page whose layout was drawn for other options reloads
    if round_ is None:
        words = gettext("The table opens when somebody is here") if state.open else gettext("The table is closed")
        return _fragment("rail", state=state, drawn=drawn, words=words, betting=False, timed=False)
    phase = str(round_.phase)
    timed = round_.tempo in TIMED and state.due_at is not None
    span = 0
    if timed and state.due_at is not None and state.wait_began_at is not None:
        span = int((state.due_at - state.wait_began_at).total_seconds() * 1000)
    return _fragment(
        "rail",
        state=state,
        drawn=drawn,
        phase=phase,
        tempo=str(round_.tempo),
        betting=game.betting(phase),
        words=game.phase_words(phase),
        signs=game.signs(view),
        timed=timed,
        span=span,
    )


def _seats(
    state: TableState, totals: Mapping[str, int], marks: Mapping[str, list[str]], ready: frozenset[str]
) -> Fragments:
    return {
        f"seat-{seat.number}": _same(
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
    return _fragment(
        "crowd",
        people=[_Person(state.names.get(key, ""), cents) for cents, key in named],
        more=len(rest),
        more_total=sum(cents for cents, _ in rest),
    )


@dataclass(frozen=True, slots=True)
class _Box:
    box: int
    cents: int


def _all(spot: Any, boxes: Mapping[int | None, int]) -> str:
    """Everybody's chips on one spot: those in the boxes of the seats, those on the common area, and the total."""
    seated = tuple(_Box(box, cents) for box, cents in sorted((b, c) for b, c in boxes.items() if b is not None))
    return _same(
        "all",
        spot=spot.name,
        total=spot.total,
        bettors=spot.bettors,
        end=str(spot.end or ""),
        boxes=seated,
        common=boxes.get(None, 0),
    )


def _said(state: TableState, view: Any) -> list[str]:
    if state.round is None:
        return []
    said = FELTS[state.game].said(view, state.names)
    return [gettext("Round %(number)s.") % {"number": number(state.round_number)}, *said]


# ── What one viewer sees ────────────────────────────────────────────────────────────────────────────────────


def private_fragments(state: TableState, who: Viewer) -> Fragments:
    """What only this viewer may see: fragment id -> HTML, in the active language."""
    game = FELTS[state.game]
    public = _public_view(shown(state))
    if who.key is None:
        return {
            **game.watching(state),
            **{f"own-{spot.name}": _own(spot.name, ()) for spot in public.spots},
            "wallet": _fragment("wallet", viewer=who),
            "my-seat": _my_seat(who),
            "my-stakes": _same("my_stakes", stakes=()),
            "notice": notice(who.notice, state.game),
        }
    view = shown(state).view(who.key)
    mine = view.mine
    return {
        **game.private(state, view, public),
        **{f"own-{spot.name}": _own(spot.name, mine.stakes) for spot in public.spots},
        "wallet": _wallet(who, mine),
        "my-seat": _my_seat(who),
        "my-stakes": _my_stakes(state, mine),
        "notice": notice(who.notice, state.game),
    }


def private_key(state: TableState, who: Viewer) -> object:
    """Equal for two states of which this viewer's private fragments are the same; cheaper than rendering them."""
    if who.key is None:
        return state.round_id, who
    mine = shown(state).view(who.key).mine
    mine = replace(mine, offers=replace(mine.offers, bets=()))  # what may be bet stands in no private fragment
    return state.round_id, who, mine, state.version if mine.holds or mine.cut else ""


_newest: tuple[Round, Any] | None = None


def _public_view(round_: Round) -> Any:
    """What everybody sees of a round: worked out once for all the viewers of a push."""
    global _newest
    newest = _newest
    if newest is None or newest[0] is not round_:
        newest = _newest = (round_, round_.view(None))
    return newest[1]


def _my_seat(who: Viewer) -> str:
    return _same("my_seat", playing=who.key is not None, seat=who.seat)


def _own(spot: str, own_stakes: Iterable[Any]) -> str:
    stakes = [own.stake for own in own_stakes if own.stake.spot == spot]
    return _same(
        "own",
        spot=spot,
        total=sum(stake.amount for stake in stakes),
        carried=any(stake.carried for stake in stakes),
    )


def _wallet(who: Viewer, mine: Any) -> str:
    bets = [
        {
            "bet": own.stake.bet,
            "spot": own.stake.spot,
            "amount": own.stake.amount,
            "box": own.stake.box,
            "carried": own.stake.carried,
            "may": own.menu.withdraw,
        }
        for own in mine.stakes
    ]
    return _fragment(
        "wallet", viewer=who, staked=mine.staked, bets=json.dumps(bets, separators=(",", ":")), ready=mine.ready
    )


@dataclass(frozen=True, slots=True)
class _Target:
    spot: str
    title: Words


@dataclass(frozen=True, slots=True)
class _Own:
    stake: Stake
    title: Words
    menu: Any
    moves: Sequence[_Target]


def _my_stakes(state: TableState, mine: Any) -> str:
    if not mine.stakes:
        return _same("my_stakes", stakes=())
    spots = GAMES[state.game].spots
    return _fragment(
        "my_stakes",
        stakes=[
            _Own(
                own.stake,
                spots[own.stake.spot].title,
                own.menu,
                [_Target(spot, spots[spot].title) for spot in own.moves],
            )
            for own in mine.stakes
        ],
    )


def notice(notice: Notice | None, game: str = "") -> str:
    """The house's answer to one client, as the fragment that says it."""
    if notice is None:
        return _same("notice", notice=None, game="")
    return _fragment("notice", notice=notice, game=game)


def live(base: str, version: str, now_ms: int) -> str:
    """What every message ends with: the version it makes of which, and the house's time."""
    return format_html(
        '<div id="live" hx-swap-oob="true" hidden data-base="{}" data-version="{}" data-now="{}"></div>',
        base,
        version,
        now_ms,
    )


# ── The page ────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Seat:
    number: int
    html: SafeString


@dataclass(frozen=True, slots=True)
class _Chip:
    credits: int
    cents: int
    short: str
    ready: bool


def page(state: TableState, viewer: Viewer) -> dict[str, Any]:
    """The context of a table's page, made of the same fragments that are pushed."""
    game = FELTS[state.game]
    fragments = {
        name: mark_safe(html) for name, html in {**public_fragments(state), **private_fragments(state, viewer)}.items()
    }
    least, most = game.limits(state.options)
    layout = game.layout(state)
    return {
        "state": state,
        "viewer": viewer,
        "title": GAMES[state.game].title,
        "least": least,
        "most": most,
        "facts": game.facts(state.options),
        "fragments": fragments,
        "seats": [_Seat(seat.number, fragments[f"seat-{seat.number}"]) for seat in state.seats],
        "chips": chips_for(least, most, max((spot.least for spot in layout["spots"].values()), default=least)),
        "layout_template": f"games/{state.game}/_layout.html",
        "controls_template": f"games/{state.game}/_controls.html",
        "live": mark_safe(live("*", state.version, int(state.now.timestamp() * 1000))),
        **layout,
    }


MOST_CHIPS = 7
"""So many chips lie in the tray; more would not fit under a thumb."""


def chips_for(least: int, most: int | None, everywhere: int) -> list[_Chip]:
    """The chips that make sense between a table's minimum and its maximum, the smallest first.

    The one that lies ready is the smallest that is enough for every spot (`everywhere` cents).
    """
    useful = [value for value in DENOMINATIONS if value * CREDIT >= least and (most is None or value * CREDIT <= most)]
    tray = useful[::-1][:MOST_CHIPS]
    ready = next((value for value in tray if value * CREDIT >= everywhere), tray[-1] if tray else 0)
    return [_Chip(value, value * CREDIT, short_number(value), value == ready) for value in tray]


# ── The lobby ───────────────────────────────────────────────────────────────────────────────────────────────


def lobby_fragments(cards: Iterable[LobbyCard]) -> Fragments:
    """The cards of the lobby: fragment id -> HTML, in the active language."""
    return {f"table-{card.slug}": _lobby_card(card) for card in cards}


def _lobby_card(card: LobbyCard) -> str:
    game = FELTS[card.game]
    least, most = game.limits(card.options)
    return render_to_string(
        "lobby/_table.html",
        {
            "card": card,
            "title": GAMES[card.game].title,
            "words": game.phase_words(card.phase) if card.phase and card.attended else gettext("Waiting for players"),
            "timed": card.attended and card.tempo in TIMED and card.due_at is not None,
            "least": least,
            "most": most,
            "facts": game.facts(card.options),
            "road": mark_safe(game.road(card.results)),
            "picture": f"games/{card.game}/_picture.html",
        },
    )
