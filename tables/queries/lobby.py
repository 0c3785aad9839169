"""The tables as the lobby shows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.games import GAMES
from tables.games.contract.round import Round
from tables.games.shared.options import read_options
from tables.models import Realm, Seat, Table
from tables.models.bettors import bettor_of

from .folds import rounds_of
from .jackpots import Pool, pool_of
from .table import WITH_FELT, first_on_road, results_of_tables

# ── The lobby ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class LobbyCard:
    """One table as the lobby shows it."""

    slug: str
    name: str
    game: str
    open: bool
    options: Any
    seats_free: int
    seats_total: int
    players: int
    phase: str
    pace: str
    due_at: datetime | None
    now: datetime
    round_number: int
    results: tuple[Mapping[str, Any], ...]
    attended: bool
    halted: bool = False
    pool: Pool | None = None


def lobby_cards(*, clock: Clock = DATABASE_CLOCK) -> list[LobbyCard]:
    """All open tables at which players play with their own chips, in their order.

    Five queries, and two more for each further 400 tables.
    """
    open_ = Table.objects.filter(open=True, realm=Realm.FLOOR).select_related(*WITH_FELT)
    tables = list(open_.annotate(road_from=first_on_road()).order_by("position", "pk"))
    if not tables:
        return []
    now = clock.now()
    rounds = rounds_of(table.round for table in tables if table.round is not None)
    seated: defaultdict[int, set[int]] = defaultdict(set)
    for table_id, player in Seat.objects.filter(table__in=tables).values_list("table_id", "player_id"):
        seated[table_id].add(player)
    results = results_of_tables(tables)
    return [
        _card(table, rounds.get(table.round_id or 0), seated[table.pk], results.get(table.pk, ()), now)
        for table in tables
    ]


def closed_tables() -> list[str]:
    """Those of them that are not on the floor, by name in their address."""
    return list(Table.objects.filter(open=False, realm=Realm.FLOOR).order_by("pk").values_list("slug", flat=True))


def _card(
    table: Table, round_: Round | None, seated: set[int], results: tuple[Mapping[str, Any], ...], now: datetime
) -> LobbyCard:
    options = read_options(GAMES[table.game].options, table.options)
    standing = {stake.by for stake in round_.stakes()} - {bettor_of(pk) for pk in seated} if round_ else set()
    return LobbyCard(
        slug=table.slug,
        name=table.name,
        game=table.game,
        open=table.open,
        options=options,
        seats_free=options.seats - len(seated),
        seats_total=options.seats,
        players=len(seated) + len(standing),
        phase=str(round_.phase) if round_ else "",
        pace=str(round_.pace) if round_ else "",
        due_at=table.round.due_at if table.round is not None else None,
        now=now,
        round_number=table.round.number if table.round is not None else 0,
        results=results,
        attended=table.attended_until is not None and table.attended_until > now,
        halted=table.halted,
        pool=pool_of(table),
    )
