"""Progressive jackpots: what their meters show, and the page of one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tables.games import GAMES
from tables.games.shared.options import read_options
from tables.models import Jackpot, Table, Transfer

from .folds import round_of


@dataclass(frozen=True, slots=True)
class Pool:
    """What a progressive jackpot's meters show: its name, and the cents that lie in it."""

    jackpot_id: int
    slug: str
    name: str
    cents: int


def pool_of(table: Table) -> Pool | None:
    """The jackpot of a table, if it is linked to one; its row and its account are read with the table."""
    jackpot = table.jackpot
    return None if jackpot is None else Pool(jackpot.pk, jackpot.slug, jackpot.name, jackpot.account.balance)


# ── The page of a jackpot ───────────────────────────────────────────────────────────────────────────────────

WINS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class JackpotWin:
    """A prize of a jackpot: table, box, hand (as the result names it), and amount in cents."""

    table: str
    box: int
    hand: str
    cents: int
    at: datetime


@dataclass(frozen=True, slots=True)
class JackpotShown:
    """All that the page of a jackpot shows. Winners' names stay at their tables."""

    pool: Pool
    tables: tuple[tuple[str, str], ...]
    game: str
    options: Any
    hits: tuple[JackpotWin, ...]


def jackpot_shown(jackpot_id: int) -> JackpotShown:
    """A jackpot, its tables (slug and name) with what they have posted, and its last prizes, newest first.

    Raises Jackpot.DoesNotExist.
    """
    jackpot = Jackpot.objects.select_related("account").get(pk=jackpot_id)
    tables = list(jackpot.tables.filter(open=True).order_by("position", "pk")) or list(jackpot.tables.all()[:1])
    game = GAMES[tables[0].game] if tables else None
    return JackpotShown(
        pool=Pool(jackpot.pk, jackpot.slug, jackpot.name, jackpot.account.balance),
        tables=tuple((table.slug, table.name) for table in tables),
        game=game.slug if game is not None else "",
        options=read_options(game.options, tables[0].options) if game is not None else None,
        hits=tuple(_wins(jackpot)),
    )


def _wins(jackpot: Jackpot) -> list[JackpotWin]:
    """The last prizes of a jackpot, from the ledger: whole amounts, with what the house added."""
    paid = Transfer.objects.filter(debit=jackpot.account, reason=Transfer.Reason.JACKPOT).order_by("-pk")
    hits: list[JackpotWin] = []
    for moved in paid.select_related("log__table")[:WINS_SHOWN]:
        log = moved.log
        if log is None or log.result is None:
            continue  # the round has paid and goes on: shown when it is over
        round_ = round_of(log)
        box = next(stake.box for stake in round_.stakes() if stake.bet == moved.bet)
        cents = sum(payout.returned for payout in round_.payouts() if payout.bet == moved.bet)
        hits.append(JackpotWin(log.table.name, box or 0, log.result["boxes"][str(box)], cents, moved.at))
    return hits
