"""The tables as the lobby shows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from tables.base import sql
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.games import GAMES
from tables.games.contract.round import Pace, Round
from tables.games.shared.options import read_options
from tables.models import Realm, Seat, Table
from tables.models.bettors import Bettor, bettor_of

from .folds import rounds_of
from .jackpots import Pool, pool_of
from .table import WITH_FELT, first_on_road, results_of_tables

# ── The lobby ───────────────────────────────────────────────────────────────────────────────────────────────


class Place(NamedTuple):
    """Where somebody takes part: their seat, if they have one, and the cents of theirs that lie in the round."""

    slug: str
    name: str
    seat: int | None
    staked: int


class NamedTable(NamedTuple):
    """A table by its name, and in addresses by its slug."""

    slug: str
    name: str
    game: str


@dataclass(frozen=True, slots=True)
class LobbyCard:
    """One table as the lobby shows it; `place` is where whoever asks takes part there."""

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
    place: Place | None = None
    number: int = 0

    @property
    def rank(self) -> str:
        """Its place among the tables by what moves there now: where bets are taken, where a round is played, where
        somebody sits; the fuller first, else as they stand on the floor. Read from the left."""
        moves = self.attended and not self.halted
        taken = moves and self.pace == Pace.BETTING
        return f"{3 - moves - taken - (self.players > 0)}{9_999 - self.players:04}{self.number:04}"


def lobby_cards(bettor: Bettor | None = None, *, clock: Clock = DATABASE_CLOCK) -> list[LobbyCard]:
    """All open tables at which players play with their own chips, in their order; with what this bettor has there.

    Five queries, and two more for each further 400 tables.
    """
    open_ = Table.objects.filter(open=True, realm=Realm.FLOOR).select_related(*WITH_FELT)
    tables = list(open_.annotate(road_from=first_on_road()).order_by("position", "pk"))
    if not tables:
        return []
    now = clock.now()
    rounds = rounds_of(table.round for table in tables if table.round is not None)
    seated: defaultdict[int, dict[Bettor, int]] = defaultdict(dict)
    taken = Seat.objects.filter(table__in=tables).values_list("table_id", "player_id", "number")
    for table_id, player, seat in taken:
        seated[table_id][bettor_of(player)] = seat
    results = results_of_tables(tables)
    return [
        _card(table, rounds.get(table.round_id or 0), seated[table.pk], results.get(table.pk, ()), now, number, bettor)
        for number, table in enumerate(tables)
    ]


def open_tables(game: str = "") -> list[NamedTable]:
    """By name alone, in their order; those of one game, if one is named."""
    which, values = ("AND game = %s", [game]) if game else ("", [])
    rows = sql.fetched(
        f"SELECT slug, name, game FROM tables_table WHERE open AND realm = %s {which} ORDER BY position, id",  # noqa: S608
        [int(Realm.FLOOR), *values],
    )
    return [NamedTable(*row) for row in rows]


def closed_tables() -> list[str]:
    """Those of them that are not on the floor, by name in their address."""
    return list(Table.objects.filter(open=False, realm=Realm.FLOOR).order_by("pk").values_list("slug", flat=True))


def _card(
    table: Table,
    round_: Round | None,
    seated: Mapping[Bettor, int],
    results: tuple[Mapping[str, Any], ...],
    now: datetime,
    number: int,
    bettor: Bettor | None,
) -> LobbyCard:
    options = read_options(GAMES[table.game].options, table.options)
    standing = {stake.by for stake in round_.stakes()} - seated.keys() if round_ else set()
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
        place=_place(table, round_, seated, bettor) if bettor is not None else None,
        number=number,
    )


def _place(table: Table, round_: Round | None, seated: Mapping[Bettor, int], bettor: Bettor) -> Place | None:
    seat = seated.get(bettor)
    staked = sum(round_.in_escrow(bettor).values()) if round_ is not None else 0
    return Place(table.slug, table.name, seat, staked) if seat is not None or staked else None
