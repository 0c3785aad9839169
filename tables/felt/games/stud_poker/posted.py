"""What is posted at the table: odds and prizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import gettext

from tables.felt.formatting import odds_of, text_of
from tables.felt.shared.fragments import Templates
from tables.games.stud_poker import GAME
from tables.games.stud_poker.hands import Rank
from tables.games.stud_poker.posted import Posted, Share

_TEMPLATES = Templates(GAME.slug)


@dataclass(frozen=True, slots=True)
class Row:
    """One hand, as it is posted: what the raise pays with it, and what it wins of the jackpot (10(2), 10(3))."""

    title: str
    odds: str
    capped: bool
    fixed: int | None
    share: str


@lru_cache(maxsize=64)
def posted_fragment(posted: Posted, language: str) -> str:
    """The fixed sums, the cap and the odds (10(3)), drawn once: they lie where other tables show their results."""
    return _TEMPLATES.fragment("roads", posted=posted, rows=list(_rows(posted)))


def _rows(posted: Posted) -> Iterator[Row]:
    prizes = {prize.rank: prize for prize in posted.prizes}
    shares = {Share.ALL: gettext("or 100 %"), Share.TENTH: gettext("or 10 %"), Share.NONE: ""}
    for row in posted.odds:
        if row.rank is Rank.FIVE_ODD_CARDS:
            continue  # with one pair: "or lower"
        prize = prizes.get(row.rank)
        yield Row(
            gettext("one pair or lower") if row.rank is Rank.ONE_PAIR else text_of(row.title),
            odds_of(row.odds),
            row.capped,
            prize.fixed if prize is not None else None,
            shares[prize.share] if prize is not None else "",
        )
