"""One table: all that its felt shows, read in one go."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import OuterRef, Q, QuerySet, Subquery

from tables.base import sql
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.games import GAMES
from tables.games.contract.actions import HOUSE, Meter, Seal
from tables.games.contract.game import Game
from tables.games.contract.round import Round
from tables.games.shared.options import read_options
from tables.games.shared.squeeze import Peel, peels_from
from tables.models import Alert, LoggedAction, Player, Realm, RoundLog, Ruling, SealedThrow, Seat, Shoe, Table
from tables.models.bettors import player_named

from .archived import lines_of
from .chat import Said, chat_of
from .folds import Chance, any_of, folded, game_of
from .jackpots import Pool
from .shoes import DealtFrom, OpenList, dealt_from, open_list_of

# ── One table ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class SeatState:
    """One seat, taken or free (`key` None)."""

    number: int
    key: str | None = None
    name: str = ""
    away: bool = False


@dataclass(frozen=True, slots=True)
class Ruled:
    """What the pit has ruled in a round: the irregularity's name, the box it concerns, and how many lines the log had
    when it was ruled and carried out."""

    name: str
    box: int | None
    line: int


def rulings_of(log_id: int, *, until: int | None = None) -> tuple[Ruled, ...]:
    """The rulings of a round, oldest first; those made while its log had at most `until` lines."""
    stored = Ruling.objects.filter(log_id=log_id).order_by("id").values_list("irregularity", "values")
    rulings = [Ruled(name, values.get("box"), values["line"]) for name, values in stored]
    return tuple(ruled for ruled in rulings if until is None or ruled.line <= until)


Row = tuple[Any, ...]
"""A table as it is stored, with its round, its shoe, its jackpot and the cents in that."""


@dataclass(frozen=True, slots=True)
class TableState:
    """All that the felt of one table shows, read in one go. Of `round` only a `view` may reach a page."""

    table_id: int
    slug: str
    name: str
    game: str
    open: bool
    options: Any
    table_version: int
    round_id: int | None
    round_number: int
    round_version: int
    round: Round | None
    due_at: datetime | None
    now: datetime
    seats: tuple[SeatState, ...]
    names: Mapping[str, str]
    results: tuple[Mapping[str, Any], ...]
    shoe_number: int
    commitment: str
    shoe_id: int | None = None
    wait_began_at: datetime | None = None
    round_began_at: datetime | None = None
    chat: tuple[Said, ...] = ()
    pool: Pool | None = None
    rulings: tuple[Ruled, ...] = ()
    paused: bool = False
    halted: bool = False
    held: bool = False
    closing: str = ""
    edition_in_force: bool = False
    """The next round is played under the edition of its day."""
    coming: Any = None
    """The options of the next round, where the minimum of a bet will be another; else None."""
    fresh_by: str = ""
    """The article by which the pit has ordered fresh cards for the next round."""
    crowded: bool = False
    """Betting has closed early, because so much was written in the round."""
    links: OpenList | None = None
    """The bettors' links that the house has published with its commitment to the next seed, till it is mixed."""
    sealed_number: int = 0
    """The number at this table of the pack or the throw that `commitment` is of; 0 under an earlier scheme."""
    chance: Chance = Chance()
    """What was drawn in the round, with what opens it. Nothing of it may reach a page but what a view shows."""
    dealt_from: DealtFrom | None = None
    peels: Mapping[str, Peel] = field(default_factory=dict)
    """How far the cards have been peeled that are to be opened now, by their places."""
    row: Row = field(default=(), compare=False, repr=False)
    """What it was read from: where that is the same, nothing that the felt shows has changed."""

    @property
    def version(self) -> str:
        """Names this state; a client that has another one is behind. What other tables add to its jackpot counts."""
        cents = None if self.pool is None else self.pool.cents
        return _version(self.table_version, self.round_id or 0, self.round_version, cents)

    def seat_of(self, key: str | None) -> int | None:
        """The seat of this bettor, if they have one."""
        return next((seat.number for seat in self.seats if key is not None and seat.key == key), None)


def _version(table: int, round_id: int, line: int, cents: int | None) -> str:
    return f"{table}.{round_id}.{line}" if cents is None else f"{table}.{round_id}.{line}.{cents}"


WITH_FELT = ("round", "shoe", "jackpot__account")
"""What is read with a table whose felt is shown."""


def table_state(table_id: int, *, before: TableState | None = None, clock: Clock = DATABASE_CLOCK) -> TableState:
    """The present state of a table. Raises Table.DoesNotExist.

    What cannot have changed since its state `before` (seats, names, roads, chat, rulings, while round and table version
    are the same) is taken from there and not read again. A new name of somebody is seen with the next round at the
    latest.
    """
    row, now = _row_of("own.id = %s", [table_id], clock)
    return _state(row, now, before)


def table_state_by_slug(
    slug: str, *, before: Callable[[int], TableState | None] = lambda _: None, clock: Clock = DATABASE_CLOCK
) -> TableState:
    """The present state of the table of that name, which is none of a kiosk's. Raises Table.DoesNotExist.

    `before` finds an earlier state of a table by its id, from which is taken what cannot have changed (`table_state`).
    """
    row, now = _row_of("own.slug = %s AND own.realm = %s", [slug, int(Realm.FLOOR)], clock)
    return _state(row, now, before(row[0]))


_OF_SHOE = ("id", "number", "seed_id", "decks", "commitment", "cut", "dealt")
"""What the felt shows of a shoe: without its leaves, which are long."""


def _row_of(which: str, values: list[str | int], clock: Clock) -> tuple[Row, datetime]:
    """The row of the table that is asked for, and the time. Raises Table.DoesNotExist."""
    shoe = ", ".join(f"shoe.{column}" for column in _OF_SHOE)
    columns = f"{sql.columns_of(Table, 'own')}, {sql.columns_of(RoundLog, 'log')}, {shoe}"
    timed = clock is DATABASE_CLOCK and connection.vendor == "postgresql"
    rows = sql.fetched(
        f"SELECT {columns}, pool.id, pool.slug, pool.name, lies.balance{', clock_timestamp()' if timed else ''} "  # noqa: S608
        "FROM tables_table own "
        "LEFT JOIN tables_roundlog log ON log.id = own.round_id "
        "LEFT JOIN tables_shoe shoe ON shoe.id = own.shoe_id "
        "LEFT JOIN tables_jackpot pool ON pool.id = own.jackpot_id "
        f"LEFT JOIN tables_account lies ON lies.jackpot_id = pool.id WHERE {which}",
        values,
    )
    if not rows:
        raise Table.DoesNotExist
    return (rows[0][:-1], rows[0][-1]) if timed else (rows[0], clock.now())


def _read(row: Row) -> tuple[Table, Pool | None]:
    """The table of such a row, with its round and its shoe; and its jackpot."""
    own = sql.number_of(Table)
    log = own + sql.number_of(RoundLog)
    shoe = log + len(_OF_SHOE)
    table = sql.instance_of(Table, row[:own])
    table.round = sql.instance_of(RoundLog, row[own:log]) if table.round_id is not None else None
    table.shoe = Shoe.from_db(None, _OF_SHOE, row[log:shoe]) if table.shoe_id is not None else None
    return table, Pool(*row[shoe:]) if table.jackpot_id is not None else None


def _state(row: Row, now: datetime, before: TableState | None = None) -> TableState:
    if before is not None and before.row == row:
        return replace(before, now=now)
    table, pool = _read(row)
    game = GAMES[table.game]
    log = table.round if table.open else None  # the felt of a closed table is empty
    round_, chance = None, Chance()
    if log is not None:
        fold = folded(log)
        round_, chance = fold.round, fold.chance
    present = (table.version, log.pk if log is not None else None)
    if before is not None and (before.table_version, before.round_id) != present:
        before = None
    if before is not None:
        options, seats, names, coming = before.options, before.seats, dict(before.names), before.coming
    else:
        coming = _coming(table, game, log)
        options = read_options(game.options, log.options if log is not None else table.options)
        seats = _seats(table, options.seats)
        names = {seat.key: seat.name for seat in seats if seat.key}
    names.update(names_of(
        {key for stake in (round_.stakes() if round_ else ()) if (key := stake.by) not in names}
        | {key for key in ((*round_.seats, *round_.at_the_cut) if round_ else ()) if key not in names}
    ))  # fmt: skip
    sealed = _seal_of_pack(table.shoe) if table.shoe is not None else _seal(game, log, round_, before)
    same_results = before is not None and (before.round is None or round_ is None or before.round.over == round_.over)
    return TableState(
        row=row,
        table_id=table.pk,
        slug=table.slug,
        name=table.name,
        game=table.game,
        open=table.open,
        options=options,
        table_version=table.version,
        round_id=log.pk if log is not None else None,
        round_number=log.number if log is not None else 0,
        round_version=log.version if log is not None else 0,
        round=round_,
        due_at=log.due_at if log is not None else None,
        wait_began_at=log.wait_began_at if log is not None else None,
        round_began_at=log.started_at if log is not None else None,
        now=now,
        seats=seats,
        names=names,
        results=before.results if before is not None and same_results else results_of_shoe(table),
        shoe_number=table.shoe.number if table.shoe is not None else 0,
        commitment=sealed[0],
        sealed_number=sealed[1],
        chance=chance,
        dealt_from=dealt_from(log, table, len(chance.draws)) if log is not None else None,
        shoe_id=table.shoe.pk if table.shoe is not None else None,
        chat=before.chat if before is not None else chat_of(table.pk),
        pool=pool,
        paused=table.paused,
        halted=table.halted,
        held=log is not None and log.held_until is not None and log.settled_at is None,
        closing=table.closing,
        edition_in_force=table.edition_in_force,
        coming=coming,
        fresh_by=table.fresh_shoe_by,
        crowded=_is_crowded(log),
        peels=peels_from(log.peeled) if log is not None else {},
        links=_links(table, game, round_, before),
        rulings=before.rulings if before is not None else rulings_of(log.pk) if log is not None else (),
    )


def _coming(table: Table, game: Game, log: RoundLog | None) -> Any:
    """The options of the next round, if it is going to have another minimum than the present one."""
    if log is None or all(table.options.get(name) == log.options.get(name) for name in ("min_bet", "min_ante")):
        return None
    return read_options(game.options, table.options)


def _seal_of_pack(shoe: Shoe) -> tuple[str, int]:
    """The commitment to a pack, and its number if its cards are opened one by one."""
    return shoe.commitment, shoe.number if shoe.seed_id is not None else 0


def _seal(game: Game, log: RoundLog | None, round_: Round | None, before: TableState | None) -> tuple[str, int]:
    """The newest commitment to a throw and its number, in a round without cards. It changes when the round waits for
    another thing."""
    if not game.throws or log is None or round_ is None:
        return "", 0
    if before is not None and before.round is not None and before.round.wait == round_.wait:
        return before.commitment, before.sealed_number
    sealed = (
        SealedThrow.objects.filter(log=log).order_by("-number").values_list("commitment", "serial", "seed_commitment")
    )
    commitment, serial, seed = sealed.first() or ("", None, None)
    return commitment, (serial or 0) if seed else 0


def _links(table: Table, game: Game, round_: Round | None, before: TableState | None) -> OpenList | None:
    """The list that takes links now: of a pack between two rounds, of the next throw while the present one lies sealed.
    It changes with the table's version, or when the round waits for another thing."""
    if before is not None and before.round is not None and round_ is not None and before.round.wait == round_.wait:
        return before.links
    if not game.throws and round_ is not None and not round_.over:
        return None
    return open_list_of(table.pk)


def _is_crowded(log: RoundLog | None) -> bool:
    """Whether betting has closed early in this round; the pit was alerted then."""
    if log is None or log.version < settings.LINES_PER_ROUND or log.settled_at is not None:
        return False
    return Alert.objects.filter(log=log, kind=Alert.Kind.CROWDED).exists()


def _seats(table: Table, number_of_seats: int) -> tuple[SeatState, ...]:
    taken = {seat.number: seat for seat in Seat.objects.filter(table_id=table.pk).select_related("player")}
    return tuple(
        SeatState(number, taken[number].player.key, str(taken[number].player), taken[number].away)
        if number in taken
        else SeatState(number)
        for number in range(1, number_of_seats + 1)
    )


@dataclass(frozen=True, slots=True)
class Addressed:
    """A table as its address finds it: as little as says who may come to it."""

    pk: int
    game: str
    realm: int


def at_address(slug: str) -> Addressed | None:
    """The table of that name, if there is one."""
    rows = sql.fetched("SELECT id, game, realm FROM tables_table WHERE slug = %s", [slug])
    return Addressed(*rows[0]) if rows else None


def version_of(table_id: int) -> str:
    """The version of a table's present state, without reading the state (see `TableState.version`)."""
    return versions_of([table_id])[table_id]


def versions_of(tables: Iterable[int]) -> dict[int, str]:
    """The versions of the present states of these tables, by table."""
    which, ids = sql.one_of(tables)
    rows = sql.fetched(
        "SELECT own.id, own.version, log.id, log.version, lies.balance FROM tables_table own "  # noqa: S608
        "LEFT JOIN tables_roundlog log ON log.id = own.round_id AND own.open "
        f"LEFT JOIN tables_account lies ON lies.jackpot_id = own.jackpot_id WHERE own.id {which}",
        [ids],
    )
    return {pk: _version(version, log or 0, line or 0, cents) for pk, version, log, line, cents in rows}


def state_at(log: RoundLog, round_: Round, version: int, at: datetime) -> TableState:
    """The table as it stood in a round that is over, when its log had `version` lines: what the round itself knows."""
    game = game_of(log)
    options = read_options(game.options, log.options)
    holders = {number: key for key, number in round_.seats.items()}
    names = names_of({*round_.seats, *round_.at_the_cut, *(stake.by for stake in round_.stakes()), *_keys_in(log)})
    rules = game.shoe(options)
    rounds = RoundLog.objects.filter(table_id=log.table_id, number__lt=log.number)
    results = results_of(game, rounds if rules is None or rules.every_round else rounds.filter(shoe=log.shoe))
    if round_.over and not round_.is_void and not game.unrecorded:
        results = (*results, game.public_result(round_))
    return TableState(
        table_id=log.table_id,
        slug=log.table.slug,
        name=log.table.name,
        game=log.game,
        open=log.table.open,
        options=options,
        table_version=0,
        round_id=log.pk,
        round_number=log.number,
        round_version=version,
        round=round_,
        due_at=None,
        round_began_at=log.started_at,
        now=at,
        seats=tuple(
            SeatState(number, holders[number], names.get(holders[number], ""))
            if number in holders
            else SeatState(number)
            for number in range(1, options.seats + 1)
        ),
        names=names,
        results=results,
        shoe_number=log.shoe.number if log.shoe is not None else 0,
        commitment=log.shoe.commitment if log.shoe is not None else _seal_at(game, log, version),
        shoe_id=log.shoe_id,
        pool=_pool_at(log, version),
        rulings=rulings_of(log.pk, until=version),
    )


def _seal_at(game: Game, log: RoundLog, version: int) -> str:
    """The commitment to the throw that was sealed when the log had so many lines."""
    if not game.throws:
        return ""
    if log.archive_id is not None:
        sealed = [line.action["commitment"] for line in lines_of(log, Seal.do) if line.seq <= version]
        return sealed[-1] if sealed else ""
    lines = LoggedAction.objects.filter(log=log, seq__lte=version, action__do=Seal.do)
    return lines.order_by("-seq").values_list("action__commitment", flat=True).first() or ""


def _pool_at(log: RoundLog, version: int) -> Pool | None:
    """What the jackpot's meter showed when betting closed, if the round had come so far."""
    cents = None
    if log.archive_id is not None:
        cents = next((line.action["pool"] for line in lines_of(log, Meter.do) if line.seq <= version), None)
    elif log.jackpot is not None:
        lines = LoggedAction.objects.filter(log=log, seq__lte=version, action__do=Meter.do)
        cents = lines.values_list("action__pool", flat=True).first()
    return (
        None
        if log.jackpot is None or cents is None
        else Pool(log.jackpot.pk, log.jackpot.slug, log.jackpot.name, cents)
    )


def _keys_in(log: RoundLog) -> set[str]:
    """Everybody who did something in the round, and everybody it was handed to."""
    if log.archive_id is not None:
        done = [line for line in lines_of(log) if line.by != HOUSE]
        return {line.by for line in done} | {line.action["to"] for line in done if line.action["do"] == "pass"} - {None}
    lines = LoggedAction.objects.filter(log=log).exclude(by=HOUSE)
    return set(lines.values_list("by", flat=True)) | {
        key for key in lines.filter(action__do="pass").values_list("action__to", flat=True) if key
    }


def names_of(keys: set[str]) -> dict[str, str]:
    """The names of these bettors. Unknown keys are left out."""
    ids = [number for number in map(player_named, keys) if number is not None]
    return {player.key: str(player) for player in Player.objects.filter(pk__in=ids)} if ids else {}


ROAD_LENGTH = 120
"""How many rounds a road shows where the pack is shuffled for every round."""


def results_of_shoe(table: Table) -> tuple[Mapping[str, Any], ...]:
    """Results of the settled rounds for the roads, oldest first: of the present shoe, or of the last rounds.

    None where the regulation forbids to record them.
    """
    rounds = RoundLog.objects.filter(table_id=table.pk)
    return results_of(GAMES[table.game], rounds.filter(shoe=table.shoe) if _road_ends_with_shoe(table) else rounds)


def results_of(game: Game, rounds: QuerySet[RoundLog]) -> tuple[Mapping[str, Any], ...]:
    if game.unrecorded:
        return ()
    newest = _played(rounds).order_by("-number").values_list("result", flat=True)[:ROAD_LENGTH]
    return tuple(reversed([result for result in newest if result is not None]))


def first_on_road() -> Subquery:
    """To annotate tables with: the number of the first of the last rounds that a road shows; None of fewer rounds."""
    rounds = _played(RoundLog.objects.filter(table=OuterRef("pk"))).order_by("-number").values("number")
    return Subquery(rounds[ROAD_LENGTH - 1 : ROAD_LENGTH])


def results_of_tables(tables: Iterable[Any]) -> dict[int, tuple[Mapping[str, Any], ...]]:
    """The same as `results_of_shoe`, of several tables read together, by table; of none is said nothing.

    The tables are annotated with `road_from` (`first_on_road`).
    """
    which: list[Q] = []
    for table in tables:
        if not GAMES[table.game].unrecorded:
            part = {"shoe_id": table.shoe_id} if _road_ends_with_shoe(table) else {"number__gte": table.road_from or 0}
            which.append(Q(table_id=table.pk, **part))
    found: defaultdict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for some in any_of(which):
        rounds = _played(RoundLog.objects.filter(some)).order_by("table_id", "number")
        for table_id, result in rounds.values_list("table_id", "result"):
            if result is not None:
                found[table_id].append(result)
    return {table_id: tuple(results[-ROAD_LENGTH:]) for table_id, results in found.items()}


def _road_ends_with_shoe(table: Table) -> bool:
    game = GAMES[table.game]
    rules = game.shoe(read_options(game.options, table.options))
    return rules is not None and not rules.every_round


def _played(rounds: QuerySet[RoundLog]) -> QuerySet[RoundLog]:
    return rounds.filter(settled_at__isnull=False, void=False)
