"""What one viewer sees, as fragments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from django.utils.safestring import SafeString

from tables.felt.shared.drawing import amount, chips
from tables.felt.shared.fragments import Draft, Fragments, fragment, fragment_once
from tables.felt.shared.openings import openings, shown_cards
from tables.felt.shared.rendering import Blank, active_language, blank, mark
from tables.games import GAMES
from tables.games.contract.round import Payout, Round
from tables.games.contract.view import OwnStake, PlayerView, View
from tables.games.values.quick import quickly_made
from tables.games.values.words import Note, Words
from tables.queries.own import Kept, Muted
from tables.queries.table import TableState

from .formatting import credits_in, text_of
from .games import FELTS
from .notices import spot_key
from .public import shown


@quickly_made
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
    muted: Muted = ()
    chats: bool = True
    favourites: tuple[Kept, ...] = ()


@quickly_made
@dataclass(frozen=True, slots=True)
class _Layout:
    """What one viewer has on the layout: in cents, in their own colour if the table gives one."""

    spots: tuple[str, ...]
    stakes: tuple[OwnStake, ...] = ()
    staked: int = 0
    ready: bool = False
    colour: int | None = None
    payouts: tuple[Payout, ...] = ()

    @classmethod
    def of(cls, spots: tuple[str, ...], mine: PlayerView) -> _Layout:
        colour = getattr(mine, "colour", None)
        return cls(spots, mine.stakes, mine.staked, mine.ready, colour, tuple(mine.payouts))


@quickly_made
@dataclass(frozen=True, slots=True)
class PrivatePart:
    """What only one viewer may see, not drawn yet. Two that are equal look the same: so it is drawn when it changes.

    In the active language, as what it is drawn from holds words. `drawn` is what all see whom the round does not
    concern: drawn once for all of them. `leaving` is what it costs to leave the seat. `seals` opens the cards that this
    viewer alone is shown, of the pack of that shoe.
    """

    language: str
    game: str
    who: Viewer
    layout: _Layout
    drafts: Mapping[str, Draft]
    drawn: Fragments | None = None
    leaving: Note | None = None
    seals: tuple[str, str] = ("", "")

    @classmethod
    def of(cls, state: TableState, who: Viewer) -> PrivatePart:
        felt, (public, spots), language = FELTS[state.game], _public(state), active_language()
        if who.key is None:
            return cls(language, state.game, who, _Layout(spots), felt.watching)
        outside = _Outside.of(state, language)
        if who.key not in outside.concerned:
            return cls(language, state.game, who, outside.layout, {}, outside.fragments)
        view = felt.rules.view(shown(state), who.key)
        assert view.mine is not None
        drafts = felt.private(state, view, public)
        layout, seals = _Layout.of(spots, view.mine), _seals(state, public, drafts)
        return cls(language, state.game, who, layout, drafts, leaving=view.mine.leaving, seals=seals)

    def fragments(self) -> Fragments:
        """Fragment id -> HTML."""
        who, plays, language = self.who, self.who.key is not None, self.language
        favourites, muted = (who.favourites, who.muted) if plays else ((), ())
        return {
            **(self.drawn or _drawn(self.game, self.drafts, self.layout, language)),
            **_seldom_new(self.game, self.seals, favourites, who.seat, self.leaving, language, plays=plays),
            "wallet": _wallet(self.game, who, self.layout, language),
            "chat-mine": _chat_mine(who.key or "", muted, language),
        }


def private_fragments(state: TableState, who: Viewer) -> Fragments:
    """What only this viewer may see: fragment id -> HTML, in the active language."""
    return PrivatePart.of(state, who).fragments()


def _drawn(game: str, drafts: Mapping[str, Draft], layout: _Layout, language: str) -> Fragments:
    return {
        **{name: draft.html(language) for name, draft in drafts.items()},
        **_owns(game, layout, language),
        "my-stakes": _my_stakes(game, layout, language),
    }


@lru_cache(maxsize=4096)
def _seldom_new(
    game: str, seals: tuple[str, str], favourites: tuple[Kept, ...], seat: int | None, leaving: Note | None,
    language: str, *, plays: bool,
) -> Fragments:  # fmt: skip
    """What most bettors have alike, and a bettor for many rounds; in the active `language`. Not to be changed."""
    shoe, cards = seals
    return {
        "my-seals": fragment("my_seals", shoe=shoe, cards=cards),
        "my-seat": fragment("my_seat", playing=plays, seat=seat, leaving=leaving, game=game),
        "favourites": fragment("favourites", favourites=favourites),
    }


def _seals(state: TableState, public: View, drafts: Mapping[str, Draft]) -> tuple[str, str]:
    """The shoe, and what opens the cards that are drawn for this viewer and that not everybody sees."""
    if state.dealt_from is None:
        return "", ""
    cards = shown_cards(state, drafts["my-cards"].context)
    own = openings(state, cards - shown_cards(state, public)) if cards else ""
    return (str(state.dealt_from.shoe_id), own) if own else ("", "")


def _chat_mine(me: str, muted: Muted, language: str) -> str:
    if muted:
        return fragment("chat_mine", me=me, muted=muted)
    return blank("table/_chat_mine.html", ("me",), language, muted=()).fill(me=me)


STAKES_KEPT = 8192
"""So many stakes on a spot are kept as they were drawn, whoever has one there."""

_newest: tuple[Round, View, tuple[str, ...]] | None = None


def _public(state: TableState) -> tuple[View, tuple[str, ...]]:
    """What everybody sees of a round, and the keys of its spots: worked out once for all the viewers of a push."""
    global _newest
    newest, round_ = _newest, shown(state)
    if newest is None or newest[0] is not round_:
        view = GAMES[state.game].view(round_, None)
        newest = _newest = (round_, view, tuple(spot.key for spot in view.spots))
    return newest[1:]


@dataclass(frozen=True, slots=True)
class _Outside:
    """What a player sees of a round in private whom it does not concern: the same for all of them, so it is drawn once,
    however many look on. `concerned` are the bettors of the round, and whoever sits at it or may cut its pack."""

    concerned: frozenset[str]
    layout: _Layout
    fragments: Fragments

    @classmethod
    def of(cls, state: TableState, language: str) -> _Outside:
        """In the active `language`."""
        round_ = shown(state)
        newest = _outside.get(state.table_id)
        if newest is None or newest[0] is not round_:
            newest = _outside[state.table_id] = (round_, {})
        if language not in newest[1]:
            newest[1][language] = cls._worked_out(state, round_, language)
        return newest[1][language]

    @classmethod
    def _worked_out(cls, state: TableState, round_: Round, language: str) -> _Outside:
        felt, (public, spots) = FELTS[state.game], _public(state)
        view = felt.rules.view(round_, "p0")
        bettors = {one.by for each in (round_.stakes(), round_.refusals, round_.payouts()) for one in each}
        bettors |= {back.stake.by for back in round_.went_back}
        layout = _Layout(spots)
        drawn = _drawn(state.game, felt.private(state, view, public), layout, language)
        return cls(frozenset({*round_.seats, *bettors, *round_.at_the_cut}), layout, drawn)


_outside: dict[int, tuple[Round, dict[str, _Outside]]] = {}
"""Of the newest round of each table, by language."""


def _owns(game: str, layout: _Layout, language: str) -> Fragments:
    """What the viewer has on each spot; most spots of a large layout are empty for every viewer."""
    bare = _bare(layout.spots, language)
    lies: dict[str, tuple[int, int]] = {}
    for own in layout.stakes:
        if not (cents := own.on_felt):
            continue
        boxed = f"{own.stake.spot}-{own.stake.box}"
        key = boxed if f"own-{boxed}" in bare else own.stake.spot
        already, left = lies.get(key, (0, 0))
        lies[key] = already + cents, left + (cents if own.stake.carried else 0)
    owns = bare.copy()
    for key, (cents, left) in lies.items():
        if (name := f"own-{key}") in bare:
            owns[name] = _own(game, key, cents, left, layout.colour, language)
    return owns


@lru_cache(maxsize=256)
def _bare(keys: tuple[str, ...], language: str) -> Fragments:
    """The spots with nothing of the viewer's on them. Not to be changed."""
    nothing = blank("table/_own.html", ("spot", "cents"), language, lies=False)
    return {f"own-{key}": nothing.fill(spot=key, cents="0") for key in keys}


@lru_cache(maxsize=STAKES_KEPT)
def _own(game: str, key: str, cents: int, left: int, colour: int | None, language: str) -> str:
    """So much on one spot, `left` of it by an earlier round, in this colour if the table gives one: the same for all
    who have it there."""
    kept = FELTS[game].kept_words(left) if left else ""
    if colour is not None:
        drawn = blank("table/_own_colour.html", ("spot", "cents", "colour", "total"), language, kept=kept)
        return drawn.fill(spot=key, cents=str(cents), colour=str(colour), total=credits_in(language, cents))
    drawn = blank("table/_own.html", ("spot", "cents", "chips", "total"), language, lies=True, kept=kept)
    total = amount(cents, language=language)
    return drawn.fill(spot=key, cents=str(cents), chips=chips(cents), total=total)


_WALLET = ("me", "cents", "seat", "ready", "bets", "paid", "balance", "staked")


def _wallet(game: str, who: Viewer, layout: _Layout, language: str) -> str:
    if who.key is None:
        return fragment_once("wallet", language, playing=False)
    bets = ",".join([_bet(game, own).fill(bet=own.stake.bet) for own in layout.stakes])
    return blank("table/_wallet.html", _WALLET, language, playing=True).fill(
        me=who.key,
        cents=str(who.balance_cents or 0),
        seat="" if who.seat is None else str(who.seat),
        ready="1" if layout.ready else "0",
        bets=SafeString(f"[{bets}]"),
        paid=_paid(game, layout),
        balance=amount(who.balance_cents, "exact", language),
        staked=amount(layout.staked, language=language),
    )


def _paid(game: str, layout: _Layout) -> str:
    """What each of the viewer's spots has won (+) or lost (-), and 1 if its stake stays there, else 0: as JSON by the
    spot's key, in an attribute; empty before that."""
    if not layout.payouts:
        return ""
    boxes = {own.stake.bet: own.stake.box for own in layout.stakes}
    paid: dict[str, tuple[int, int]] = {}
    for one in layout.payouts:
        key = spot_key(game, one.spot, boxes.get(one.bet))
        net, stays = paid.get(key, (0, 0))
        paid[key] = net + one.returned + one.carried - one.stake, int(stays or one.carried > 0)
    told = [f"&quot;{key}&quot;:[{net},{stays}]" for key, (net, stays) in paid.items()]
    return SafeString(f"{{{','.join(told)}}}")


def _bet(game: str, own: OwnStake) -> Blank:
    """What the page knows of a stake, as JSON in an attribute, but for its id, which is digits and a dash."""
    stake = own.stake
    return _bet_json(game, stake.spot, stake.box, stake.amount, stake.carried, own.menu.withdraw)


@lru_cache(maxsize=STAKES_KEPT)
def _bet_json(game: str, spot: str, box: int | None, cents: int, carried: bool, may: bool) -> Blank:
    bet = {
        "bet": mark("bet"), "spot": spot, "key": spot_key(game, spot, box), "amount": cents, "box": box,
        "carried": carried, "may": may,
    }  # fmt: skip
    return Blank(escape(json.dumps(bet, separators=(",", ":"), ensure_ascii=False)))


def _my_stakes(game: str, layout: _Layout, language: str) -> str:
    if not any(own.on_felt for own in layout.stakes):
        return fragment_once("my_stakes", language, staked=False)
    rows = SafeString("".join([_my_stake(game, own, language) for own in layout.stakes if own.on_felt]))
    return blank("table/_my_stakes.html", ("rows",), language, staked=True).fill(rows=rows)


def _my_stake(game: str, own: OwnStake, language: str) -> str:
    """One of the viewer's stakes, and what they may do with it."""
    stake, menu = own.stake, own.menu
    left = stake.amount if stake.carried else 0
    may = menu.withdraw, menu.lower
    return _row(game, stake.spot, stake.box, own.on_felt, left, may, own.boxes, own.moves, language).fill(bet=stake.bet)


@lru_cache(maxsize=STAKES_KEPT)
def _row(
    game: str, spot: str, box: int | None, cents: int, left: int, may: tuple[bool, bool], boxes: tuple[int, ...],
    moves: tuple[str, ...], language: str,
) -> Blank:  # fmt: skip
    """The same for all who have so much there and may do the same with it, but for the bet's id."""
    kept = FELTS[game].kept_words(left) if left else ""
    withdraw, lower = may
    row = blank(
        "table/_my_stake.html", ("bet", "title", "amount"), language, kept=kept, withdraw=withdraw, lower=lower,
        moves=_targets(game, spot, boxes, moves),
    )  # fmt: skip
    title, total = _title(game, spot, box, language), amount(cents, language=language)
    return Blank(row.fill(bet=mark("bet"), title=title, amount=total))


@dataclass(frozen=True, slots=True)
class _Target:
    spot: str
    box: int | None
    title: Words


@lru_cache(maxsize=4096)
def _targets(slug: str, spot: str, boxes: tuple[int, ...], moves: tuple[str, ...]) -> tuple[_Target, ...]:
    """Where a stake on this spot may be moved to: other boxes, other spots."""
    game = GAMES[slug]
    return (
        *(_Target(spot, box, game.called(spot, box)) for box in boxes),
        *(_Target(other, None, game.spots[other].title) for other in moves),
    )


@lru_cache(maxsize=4096)
def _title(slug: str, spot: str, box: int | None, language: str) -> str:
    """What a bet is called, in the active language."""
    return text_of(GAMES[slug].called(spot, box))
