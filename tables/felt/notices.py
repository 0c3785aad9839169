"""What the house answers to one client."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Protocol

from django.utils import translation

from tables.felt.shared.fragments import fragment
from tables.felt.shared.rendering import Blank, active_language, blank
from tables.games import GAMES
from tables.games.contract.errors import Refused
from tables.games.values.words import Words, say


@dataclass(frozen=True, slots=True)
class Part:
    """Of several bets, those that were refused for one reason: their keys and titles, the reason and its article."""

    spots: tuple[str, ...]
    titles: tuple[Words, ...]
    words: Words
    article: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A bet that may be placed instead of one that was too much: where, and how many cents."""

    spot: str
    box: int | None
    cents: int


@dataclass(frozen=True, slots=True)
class Notice:
    """What the house answers to one client: which deed it was, at which spot, and if refused by which article.

    `spot` is the spot's key on the page (`spot_key`); `parts` if some of several bets were refused.
    `offer` is what may be placed instead.
    """

    kind: Literal["ok", "refused", "info"]
    article: str
    words: Words | None
    spot: str | None = None
    ref: str = ""
    parts: tuple[Part, ...] = ()
    offer: Offer | None = None


def spot_key(game: str, spot: str, box: int | None) -> str:
    """How a spot is called on the page: by its name, or by name and box where it belongs to a box."""
    known = GAMES[game].spots.get(spot)
    return f"{spot}-{box}" if known is not None and known.boxed and box is not None else spot


def notice_fragment(notice: Notice, game: str = "", language: str = "") -> str:
    """The house's answer to one client, as the fragment that says it, in this language or the active one.

    It is said once, when it was asked for, and stands in no other message: what a page has said itself since then stays
    on it.
    """
    language = language or active_language()
    if notice.kind == "ok":
        return _done(language, notice.words, notice.spot).fill(ref=notice.ref)
    with translation.override(language):
        return fragment("notice", notice=notice, ref=notice.ref, game=game)


@lru_cache(maxsize=4096)
def _done(language: str, words: Words | None, spot: str | None) -> Blank:
    """What is the same for all who did this, but for their refs."""
    with translation.override(language):
        return blank("table/_notice.html", ("ref",), language, notice=Notice("ok", "", words, spot), game="")


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
