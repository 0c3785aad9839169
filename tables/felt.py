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
from functools import lru_cache
from typing import Any, Literal, Protocol
from zlib import crc32

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from tables.felts import FELTS, Felt
from tables.felts.rendering import rendered_once
from tables.games import GAMES
from tables.games.money import CREDIT
from tables.games.protocol import Refused, Round, Stake, Tempo
from tables.games.stakes import OwnStake
from tables.games.words import Words, say
from tables.queries import LINES_SHOWN, Kept, LobbyCard, Muted, TableState
from tables.wording import DENOMINATIONS, number, sentence, short_number, text_of

Fragments = dict[str, str]


@dataclass(frozen=True, slots=True)
class Part:
    """Of several bets, those that were refused for one reason: their keys and titles, the reason and its article."""

    spots: tuple[str, ...]
    titles: tuple[Words, ...]
    words: Words
    article: str


@dataclass(frozen=True, slots=True)
class Notice:
    """What the house answers to one client: which deed it was, at which spot, and if refused by which article.

    `spot` is the spot's key on the page (`spot_key`); `parts` if some of several bets were refused.
    """

    kind: Literal["ok", "refused", "info"]
    article: str
    words: Words | None
    spot: str | None = None
    ref: str = ""
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks. `key` is None for somebody who only watches; the balance is in cents.

    `muted`: whom they have muted; `chats`: whether their login has a chat at all; `favourites`: their own for this
    game.
    """

    key: str | None = None
    name: str = ""
    balance_cents: int | None = None
    seat: int | None = None
    notice: Notice | None = None
    muted: Muted = ()
    chats: bool = True
    favourites: tuple[Kept, ...] = ()


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
    short = GAMES[state.game].throw(state.options) is not None
    return {
        "rail": _rail(state, view),
        **game.public(state, view),
        **_seats(state, chips.by_bettor, game.holds(view), game.ready(view)),
        "crowd": _crowd(state, chips.by_bettor),
        **{f"all-{spot.key}": _all(spot, chips.on(spot), short=short) for spot in view.spots},
        "announcer": _fragment("announcer", said=_said(state, view)),
        "rulings": _rulings(state),
        "shoe": _fragment("shoe", state=state),
        **_chat(state),
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

    def on(self, spot: Any) -> Mapping[int | None, int]:
        """What lies on one spot, by box; a spot that itself belongs to a box holds all of it in its middle."""
        boxes = self.boxes.get(spot.name, {})
        return boxes if spot.key == spot.name else {None: spot.total}


TIMED = frozenset({Tempo.CUT, Tempo.BETTING, Tempo.DECISION, Tempo.RESULT})
"""Waits that the ring shows; a beat of the house is over before anybody has read it."""


def _rail(state: TableState, view: Any) -> str:
    game = FELTS[state.game]
    round_ = state.round
    layout = (state.options, [spot.key for spot in view.spots])
    drawn = f"{crc32(repr(layout).encode()):08x}"  # a page whose layout was drawn for other options or spots reloads
    if round_ is None:
        words = _without_a_round(state)
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
        betting=game.betting(phase) and round_.tempo is Tempo.BETTING,
        words=gettext("The table pauses") if state.paused and round_.over else game.phase_words(phase),
        signs=[*_announced(state), *game.signs(view)],
        timed=timed,
        span=span,
    )


def _without_a_round(state: TableState) -> str:
    if not state.open:
        return gettext("The table is closed")
    return gettext("The table pauses") if state.paused else gettext("The table opens when somebody is here")


def _announced(state: TableState) -> list[str]:
    """What the pit has ordered for after this round."""
    if state.closing:
        return [gettext("Closes after this round") if state.closing == "round" else gettext("Closes with this shoe")]
    if state.paused and state.round is not None and not state.round.over:
        return [gettext("Pauses after this round")]
    return []


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


def _all(spot: Any, boxes: Mapping[int | None, int], *, short: bool) -> str:
    """Everybody's chips on one spot: those in the boxes of the seats, those on the common area, and the total.

    In `short` the total alone, and the colours of its bettors where they have any: games that throw have many spots,
    and what lost is not said of each of them.
    """
    if short:
        colours = tuple(chip.colour for chip in getattr(spot, "chips", ()))
        won = spot.end == "won"
        return _same("all_short", spot=spot.key, total=spot.total, bettors=spot.bettors, colours=colours, won=won)
    seated = tuple(_Box(box, cents) for box, cents in sorted((b, c) for b, c in boxes.items() if b is not None))
    return _same(
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
        "chat-earlier": _same("chat_lines", ident="chat-earlier", lines=earlier),
        "chat": _same("chat_lines", ident="chat", lines=tuple(line for line in state.chat if line.number > begun)),
        "chat-lock": _same("chat_lock", why=silence, game=state.game),
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


def _rulings(state: TableState) -> str:
    return _same("rulings", rulings=_ruled(state), game=state.game)


def _said(state: TableState, view: Any) -> list[str]:
    if state.round is None:
        return []
    said = FELTS[state.game].said(view, state.names)
    ruled = [sentence(text_of(words)) for one in _ruled(state) for words in (one.happened, one.orders)]
    return [gettext("Round %(number)s.") % {"number": number(state.round_number)}, *ruled, *said]


# ── What one viewer sees ────────────────────────────────────────────────────────────────────────────────────


def private_fragments(state: TableState, who: Viewer) -> Fragments:
    """What only this viewer may see: fragment id -> HTML, in the active language."""
    game = FELTS[state.game]
    public = _public_view(shown(state))
    if who.key is None:
        return {
            **game.watching(state),
            **_owns(game, public.spots),
            "wallet": _fragment("wallet", viewer=who),
            "my-seat": _my_seat(who),
            "my-stakes": _same("my_stakes", stakes=()),
            "chat-mine": _same("chat_mine", me="", muted=()),
            "favourites": _same("favourites", favourites=()),
            "notice": notice(who.notice, state.game),
        }
    outside = _Outside.of(state)
    if who.key not in outside.concerned:
        return outside.fragments | {
            "wallet": _wallet(state, who, outside.mine),
            "my-seat": _my_seat(who),
            "chat-mine": _same("chat_mine", me=who.key, muted=who.muted),
            "favourites": _same("favourites", favourites=who.favourites),
            "notice": notice(who.notice, state.game),
        }
    view = shown(state).view(who.key)
    mine = view.mine
    return {
        **game.private(state, view, public),
        **_owns(game, public.spots, mine),
        "wallet": _wallet(state, who, mine),
        "my-seat": _my_seat(who),
        "my-stakes": _my_stakes(state, mine),
        "chat-mine": _same("chat_mine", me=who.key, muted=who.muted),
        "favourites": _same("favourites", favourites=who.favourites),
        "notice": notice(who.notice, state.game),
    }


def private_key(state: TableState, who: Viewer) -> object:
    """A key that is equal for two states whose private fragments for this viewer are equal; cheaper than rendering."""
    if who.key is None:
        return state.round_id, who
    outside = _Outside.of(state)
    if who.key not in outside.concerned:
        return who, outside.fragments
    round_ = shown(state)
    view = round_.view(who.key)
    mine = replace(view.mine, offers=replace(view.mine.offers, bets=()))  # what may be bet stands in no fragment
    return state.round_id, who, mine, FELTS[state.game].private_key(state, view, _public_view(round_))


_newest: tuple[Round, Any] | None = None


def _public_view(round_: Round) -> Any:
    """What everybody sees of a round: worked out once for all the viewers of a push."""
    global _newest
    newest = _newest
    if newest is None or newest[0] is not round_:
        newest = _newest = (round_, round_.view(None))
    return newest[1]


@dataclass(frozen=True, slots=True)
class _Outside:
    """What a player sees of a round in private whom it does not concern: the same for all of them, so it is rendered
    once, however many look on. `concerned` are the bettors of the round and whoever sits at it."""

    concerned: frozenset[str]
    mine: Any
    fragments: Fragments

    @classmethod
    def of(cls, state: TableState) -> _Outside:
        """In the active language."""
        round_, language = shown(state), get_language()
        newest = _outside.get(state.table_id)
        if newest is None or newest[0] is not round_:
            newest = _outside[state.table_id] = (round_, {})
        if language not in newest[1]:
            newest[1][language] = cls._worked_out(state, round_)
        return newest[1][language]

    @classmethod
    def _worked_out(cls, state: TableState, round_: Round) -> _Outside:
        view, public = round_.view("p0"), _public_view(round_)
        bettors = {one.by for each in (round_.stakes(), round_.refusals, round_.payouts()) for one in each}
        fragments = {
            **FELTS[state.game].private(state, view, public),
            **_owns(FELTS[state.game], public.spots),
            "my-stakes": _my_stakes(state, view.mine),
        }
        return cls(frozenset({*round_.seats, *bettors}), view.mine, fragments)


_outside: dict[int, tuple[Round, dict[str | None, _Outside]]] = {}
"""Of the newest round of each table, by language."""


def _my_seat(who: Viewer) -> str:
    return _same("my_seat", playing=who.key is not None, seat=who.seat)


def spot_key(game: str, spot: str, box: int | None) -> str:
    """How a spot is called on the page: by its name, or by name and box where it belongs to a box."""
    known = GAMES[game].spots.get(spot)
    return f"{spot}-{box}" if known is not None and known.boxed and box is not None else spot


def _owns(game: Felt, spots: Iterable[Any], mine: Any = None) -> Fragments:
    """What the viewer has on each spot; most spots of a large layout are empty for every viewer."""
    keys = tuple(spot.key for spot in spots)
    lies: dict[str, list[Stake]] = {}
    for own in mine.stakes if mine is not None else ():
        boxed = f"{own.stake.spot}-{own.stake.box}"
        lies.setdefault(boxed if boxed in keys else own.stake.spot, []).append(own.stake)
    colour = getattr(mine, "colour", None)
    bare = _bare(keys, get_language())
    return bare | {f"own-{key}": _own(game, key, lies[key], colour) for key in lies if f"own-{key}" in bare}


@lru_cache(maxsize=256)
def _bare(keys: tuple[str, ...], language: str | None) -> Fragments:
    """The spots with nothing of the viewer's on them. Not to be changed."""
    return {f"own-{key}": _same("own", spot=key, total=0, kept="") for key in keys}


def _own(game: Felt, key: str, stakes: Iterable[Stake], colour: int | None) -> str:
    """The viewer's stakes on one spot, in the viewer's own colour if the table gives one."""
    total = sum(stake.amount for stake in stakes)
    kept = sum(stake.amount for stake in stakes if stake.carried)
    words = game.kept_words(kept) if kept else ""
    if colour is not None:
        return _same("own_colour", spot=key, total=total, kept=words, colour=colour)
    return _same("own", spot=key, total=total, kept=words)


def _wallet(state: TableState, who: Viewer, mine: Any) -> str:
    bets = [
        {
            "bet": own.stake.bet,
            "spot": own.stake.spot,
            "key": spot_key(state.game, own.stake.spot, own.stake.box),
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
    box: int | None
    title: Words


def _my_stakes(state: TableState, mine: Any) -> str:
    if not mine.stakes:
        return _same("my_stakes", stakes=())
    return _fragment("my_stakes", stakes=[mark_safe(_my_stake(state.game, own)) for own in mine.stakes])


def _my_stake(slug: str, own: OwnStake) -> str:
    """One of the viewer's stakes, and what they may do with it; rendered once for all who have the same stake there."""
    game, stake = GAMES[slug], own.stake
    row = _same(
        "my_stake",
        bet=_ID,
        title=game.called(stake.spot, stake.box),
        amount=stake.amount,
        kept=FELTS[slug].kept_words(stake.amount) if stake.carried else "",
        withdraw=own.menu.withdraw,
        lower=own.menu.lower,
        moves=(
            *(_Target(stake.spot, box, game.called(stake.spot, box)) for box in own.boxes),
            *(_Target(spot, None, game.spots[spot].title) for spot in own.moves),
        ),
    )
    return row.replace(_ID, stake.bet)


_ID = "-bet-"
"""Stands for the id of a stake in a row that is kept; no id is like it, and no word."""


def notice(notice: Notice | None, game: str = "") -> str:
    """The house's answer to one client, as the fragment that says it."""
    if notice is None:
        return _same("notice", notice=None, game="")
    return _fragment("notice", notice=notice, game=game)


class _Wanted(Protocol):
    """A bet that was asked for."""

    @property
    def spot(self) -> str: ...
    @property
    def box(self) -> int | None: ...


def notice_of(game: str, ref: str, bets: int, refused: Sequence[tuple[_Wanted, Refused]]) -> Notice:
    """The answer to several bets at once; each refused bet has its reason."""
    if not refused:
        return Notice("ok", "", say("Placed."), None, ref)
    reasons: dict[tuple[str, Words], list[_Wanted]] = {}
    for bet, refusal in refused:
        reasons.setdefault((refusal.article, refusal.words), []).append(bet)
    parts = tuple(
        Part(
            tuple(spot_key(game, bet.spot, bet.box) for bet in those),
            tuple(_title(game, bet) for bet in those),
            reason,
            article,
        )
        for (article, reason), those in reasons.items()
    )
    words = say("%(placed)s of %(bets)s bets were placed.", placed=bets - len(refused), bets=bets)
    return Notice("refused", "", words, None, ref, parts)


def _title(game: str, bet: _Wanted) -> Words:
    """The bet in words; of what there is not, the name that was given."""
    rules = GAMES[game]
    return rules.called(bet.spot, bet.box) if bet.spot in rules.spots else Words(bet.spot)


def live(base: str, version: str, now_ms: int) -> str:
    """The end of every message: the version before, the version after, and the house's time."""
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


def lobby_gaps(slugs: Iterable[str]) -> Fragments:
    """Nothing, where the card of a table stood that has closed."""
    return {f"table-{slug}": render_to_string("lobby/_gap.html", {"slug": slug}) for slug in slugs}


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
