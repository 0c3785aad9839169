"""What one viewer sees, as fragments."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from django.utils.safestring import mark_safe
from django.utils.translation import get_language

from tables.felt.shared.fragments import Draft, Fragments, fragment, fragment_once
from tables.games import GAMES
from tables.games.contract.round import Round, Stake
from tables.games.contract.view import OwnStake, PlayerView, View
from tables.games.values.words import Note, Words
from tables.queries.chat import Muted
from tables.queries.table import Kept, TableState

from .contract import Felt
from .games import FELTS
from .notices import Notice, notice_fragment, spot_key
from .public import shown


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


@dataclass(frozen=True, slots=True)
class _Layout:
    """What one viewer has on the layout: in cents, in their own colour if the table gives one."""

    spots: tuple[str, ...]
    stakes: tuple[OwnStake, ...] = ()
    staked: int = 0
    ready: bool = False
    colour: int | None = None

    @classmethod
    def of(cls, spots: tuple[str, ...], mine: PlayerView) -> _Layout:
        return cls(spots, mine.stakes, mine.staked, mine.ready, getattr(mine, "colour", None))


@dataclass(frozen=True, slots=True)
class PrivatePart:
    """What only one viewer may see, not drawn yet. Two that are equal look the same: so it is drawn when it changes.

    In the active language, as what it is drawn from holds words. `drawn` is what all see whom the round does not
    concern: drawn once for all of them. `leaving` is what it costs to leave the seat.
    """

    game: str
    who: Viewer
    layout: _Layout
    drafts: Mapping[str, Draft]
    drawn: Fragments | None = None
    leaving: Note | None = None

    @classmethod
    def of(cls, state: TableState, who: Viewer) -> PrivatePart:
        felt, (public, spots) = FELTS[state.game], _public(state)
        if who.key is None:
            return cls(state.game, who, _Layout(spots), felt.watching(state))
        outside = _Outside.of(state)
        if who.key not in outside.concerned:
            return cls(state.game, who, outside.layout, {}, outside.fragments)
        view = felt.rules.view(shown(state), who.key)
        assert view.mine is not None
        drafts = felt.private(state, view, public)
        return cls(state.game, who, _Layout.of(spots, view.mine), drafts, leaving=view.mine.leaving)

    def fragments(self) -> Fragments:
        """Fragment id -> HTML."""
        who, plays = self.who, self.who.key is not None
        return {
            **(self.drawn or _drawn(self.game, self.drafts, self.layout)),
            "wallet": _wallet(self.game, who, self.layout),
            "my-seat": fragment_once("my_seat", playing=plays, seat=who.seat, leaving=self.leaving, game=self.game),
            "chat-mine": fragment_once("chat_mine", me=who.key or "", muted=who.muted if plays else ()),
            "favourites": fragment_once("favourites", favourites=who.favourites if plays else ()),
            "notice": notice_fragment(who.notice, self.game),
        }


def private_fragments(state: TableState, who: Viewer) -> Fragments:
    """What only this viewer may see: fragment id -> HTML, in the active language."""
    return PrivatePart.of(state, who).fragments()


def _drawn(game: str, drafts: Mapping[str, Draft], layout: _Layout) -> Fragments:
    return {
        **{name: draft.html() for name, draft in drafts.items()},
        **_owns(FELTS[game], layout),
        "my-stakes": _my_stakes(game, layout),
    }


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
        felt, (public, spots) = FELTS[state.game], _public(state)
        view = felt.rules.view(round_, "p0")
        bettors = {one.by for each in (round_.stakes(), round_.refusals, round_.payouts()) for one in each}
        bettors |= {back.stake.by for back in round_.went_back}
        layout = _Layout(spots)
        drawn = _drawn(state.game, felt.private(state, view, public), layout)
        return cls(frozenset({*round_.seats, *bettors, *round_.at_the_cut}), layout, drawn)


_outside: dict[int, tuple[Round, dict[str | None, _Outside]]] = {}
"""Of the newest round of each table, by language."""


def _owns(game: Felt, layout: _Layout) -> Fragments:
    """What the viewer has on each spot; most spots of a large layout are empty for every viewer."""
    lies: dict[str, list[Stake]] = {}
    for own in layout.stakes:
        boxed = f"{own.stake.spot}-{own.stake.box}"
        lies.setdefault(boxed if boxed in layout.spots else own.stake.spot, []).append(own.stake)
    bare = _bare(layout.spots, get_language())
    return bare | {f"own-{key}": _own(game, key, lies[key], layout.colour) for key in lies if f"own-{key}" in bare}


@lru_cache(maxsize=256)
def _bare(keys: tuple[str, ...], language: str | None) -> Fragments:
    """The spots with nothing of the viewer's on them. Not to be changed."""
    return {f"own-{key}": fragment_once("own", spot=key, total=0, kept="") for key in keys}


def _own(game: Felt, key: str, stakes: Iterable[Stake], colour: int | None) -> str:
    """The viewer's stakes on one spot, in the viewer's own colour if the table gives one."""
    total = sum(stake.amount for stake in stakes)
    kept = sum(stake.amount for stake in stakes if stake.carried)
    words = game.kept_words(kept) if kept else ""
    if colour is not None:
        return fragment_once("own_colour", spot=key, total=total, kept=words, colour=colour)
    return fragment_once("own", spot=key, total=total, kept=words)


def _wallet(game: str, who: Viewer, layout: _Layout) -> str:
    if who.key is None:
        return fragment("wallet", viewer=who)
    bets = [
        {
            "bet": own.stake.bet,
            "spot": own.stake.spot,
            "key": spot_key(game, own.stake.spot, own.stake.box),
            "amount": own.stake.amount,
            "box": own.stake.box,
            "carried": own.stake.carried,
            "may": own.menu.withdraw,
        }
        for own in layout.stakes
    ]
    return fragment(
        "wallet", viewer=who, staked=layout.staked, bets=json.dumps(bets, separators=(",", ":")), ready=layout.ready
    )


@dataclass(frozen=True, slots=True)
class _Target:
    spot: str
    box: int | None
    title: Words


def _my_stakes(game: str, layout: _Layout) -> str:
    if not layout.stakes:
        return fragment_once("my_stakes", stakes=())
    return fragment("my_stakes", stakes=[mark_safe(_my_stake(game, own)) for own in layout.stakes])


def _my_stake(slug: str, own: OwnStake) -> str:
    """One of the viewer's stakes, and what they may do with it; rendered once for all who have the same stake there."""
    game, stake = GAMES[slug], own.stake
    row = fragment_once(
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
