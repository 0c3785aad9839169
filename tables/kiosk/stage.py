"""What a kiosk tells passers-by beside the felt, and how a visitor goes on at home."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import qrcode
from django.conf import settings
from django.db.models import F
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from qrcode.image.svg import SvgPathImage

from tables.games import GAMES
from tables.games.values.words import Words
from tables.models import Kiosk, Played, Realm, Table
from tables.queries.jackpots import Pool, pool_of

LAST_WINS = 3


@dataclass(frozen=True, slots=True)
class Win:
    """What a visitor has won at a kiosk: in which game, and how many cents more than was staked. Nobody's name."""

    game: Words
    cents: int


def last_wins() -> list[Win]:
    """The last wins of visitors, newest first."""
    won = Played.objects.filter(player__kiosk__isnull=False, log__void=False, returned__gt=F("staked"))
    lines = won.order_by("-log").values_list("log__table__game", "returned", "staked")[:LAST_WINS]
    return [Win(GAMES[game].title, returned - staked) for game, returned, staked in lines]


def greatest_pool(tables: Iterable[Table]) -> Pool | None:
    """The greatest jackpot that can be played for at these tables."""
    pools = [pool for table in tables if (pool := pool_of(table)) is not None]
    return max(pools, key=lambda pool: pool.cents, default=None)


# ── On one's own phone ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class AtHome:
    """Where to go on with a phone: a table for players, and its address as a picture that phones read."""

    table: str
    url: str
    picture: SafeString


def at_home(kiosk: Kiosk, game: str) -> AtHome | None:
    """The players' table of this game: one that the kiosk shows, or else the first that is open."""
    opened = Table.objects.filter(realm=Realm.FLOOR, open=True, game=game).order_by("position", "pk")
    table = opened.filter(kiosks=kiosk).first() or opened.first()
    if table is None:
        return None
    url = f"{settings.SITE}{reverse('table', args=[table.slug])}"
    return AtHome(table.name, url, _picture(url))


@lru_cache(maxsize=64)
def _picture(url: str) -> SafeString:
    drawn: str = qrcode.make(url, image_factory=SvgPathImage).to_string(encoding="unicode")
    return mark_safe(drawn.replace("<svg ", '<svg class="home__code" aria-hidden="true" focusable="false" ', 1))
