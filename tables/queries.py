"""What is asked: reads, and the fold of a stored log. Nothing here changes anything."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from threading import Lock
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from .clock import DATABASE_CLOCK, Clock
from .games import GAMES
from .games.codec import action_from, opening_from
from .games.options import read_options
from .games.protocol import HOUSE, Action, DrawCard, Game, Round
from .games.record import record_of
from .models import Account, LoggedAction, Played, Player, RoundLog, Seat, Shoe, Table, Transfer

# ── The fold, and its cache ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Folded:
    """A round folded up to `version`, and the refs of the deeds in it."""

    version: int
    round: Round
    refs: frozenset[str] = field(default=frozenset(), repr=False)


class _Cache:
    """The newest fold of the rounds last asked for; only new lines are read. Safe to use from several threads."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._folds: OrderedDict[int, Folded] = OrderedDict()
        self._lock = Lock()

    def get(self, log_id: int) -> Folded | None:
        with self._lock:
            return self._folds.get(log_id)

    def keep(self, log_id: int, folded: Folded) -> None:
        with self._lock:
            known = self._folds.get(log_id)
            if known is None or known.version < folded.version:
                self._folds[log_id] = folded
            self._folds.move_to_end(log_id)
            while len(self._folds) > self._size:
                self._folds.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._folds.clear()


folds = _Cache(512)


def game_of(log: RoundLog) -> Game:
    """The game of a stored round."""
    return GAMES[log.game]


def opened(log: RoundLog) -> Round:
    """The round as it was before anybody acted."""
    game = game_of(log)
    return game.opened(read_options(game.options, log.options), opening_from(log.opening))


def folded(log: RoundLog) -> Folded:
    """The fold of `log` up to the version that this row names; reads only the lines not folded yet."""
    known = folds.get(log.pk)
    if known is None or known.version > log.version:
        known = Folded(0, opened(log))
    elif known.version == log.version:
        return known
    game = game_of(log)
    round_, refs = known.round, set(known.refs)
    for data, ref in lines_of(log, after=known.version):
        round_ = round_.apply(action_from(game, data))
        if ref:
            refs.add(ref)
    result = Folded(log.version, round_, frozenset(refs))
    # On commit (at once outside a transaction): a line written in this very transaction may still be undone.
    transaction.on_commit(partial(folds.keep, log.pk, result))
    return result


def lines_of(log: RoundLog, *, after: int = 0) -> Iterable[tuple[dict[str, Any], str | None]]:
    """Actions and refs of the log's lines behind `after`, up to its version."""
    return (
        LoggedAction.objects.filter(log_id=log.pk, seq__gt=after, seq__lte=log.version)
        .order_by("seq")
        .values_list("action", "ref")
    )


def round_of(log: RoundLog) -> Round:
    """The fold: the stored round as it is now."""
    return folded(log).round


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a stored log, with the round before and after it. `seq` counts from 1."""

    seq: int
    at: datetime
    action: Action
    before: Round
    after: Round


def replay(log: RoundLog) -> Iterator[Line]:
    """The log line by line, folded again from its beginning."""
    game, round_ = game_of(log), opened(log)
    lines = LoggedAction.objects.filter(log_id=log.pk, seq__lte=log.version).order_by("seq")
    for seq, at, data in lines.values_list("seq", "at", "action"):
        action = action_from(game, data)
        after = round_.apply(action)
        yield Line(seq, at, action, round_, after)
        round_ = after


# ── One table ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class SeatState:
    """One seat, taken or free (`key` None)."""

    number: int
    key: str | None = None
    name: str = ""
    away: bool = False


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

    @property
    def version(self) -> str:
        """Names this state; a client that has another one is behind."""
        return f"{self.table_version}.{self.round_id or 0}.{self.round_version}"

    def seat_of(self, key: str | None) -> int | None:
        """The seat of this bettor, if he has one."""
        return next((seat.number for seat in self.seats if key is not None and seat.key == key), None)


def table_state(table_id: int, *, before: TableState | None = None, clock: Clock = DATABASE_CLOCK) -> TableState:
    """The present state of a table. Raises Table.DoesNotExist.

    What cannot have changed since its state `before` (seats, names, roads, while round and table version are the
    same) is taken from there and not read again. A new name of somebody is seen with the next round at the latest.
    """
    table = Table.objects.select_related("round", "shoe").get(pk=table_id)
    return _state(table, clock.now(), before)


def table_state_by_slug(slug: str, *, clock: Clock = DATABASE_CLOCK) -> TableState:
    """The present state of the table of that name. Raises Table.DoesNotExist."""
    return _state(Table.objects.select_related("round", "shoe").get(slug=slug), clock.now())


def _state(table: Table, now: datetime, before: TableState | None = None) -> TableState:
    game = GAMES[table.game]
    log = table.round
    round_ = round_of(log) if log is not None else None
    if before is not None and (before.table_version, before.round_id) != (table.version, table.round_id):
        before = None
    if before is not None:
        options, seats, names = before.options, before.seats, dict(before.names)
    else:
        options = read_options(game.options, log.options if log is not None else table.options)
        seats = _seats(table, options.seats)
        names = {seat.key: seat.name for seat in seats if seat.key}
    names.update(names_of(
        {key for stake in (round_.stakes() if round_ else ()) if (key := stake.by) not in names}
        | {key for key in (round_.seats if round_ else ()) if key not in names}
    ))  # fmt: skip
    same_results = before is not None and (before.round is None or round_ is None or before.round.over == round_.over)
    return TableState(
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
        now=now,
        seats=seats,
        names=names,
        results=before.results if before is not None and same_results else results_of_shoe(table),
        shoe_number=table.shoe.number if table.shoe is not None else 0,
        commitment=table.shoe.commitment if table.shoe is not None else "",
        shoe_id=table.shoe.pk if table.shoe is not None else None,
    )


def _seats(table: Table, number_of_seats: int) -> tuple[SeatState, ...]:
    taken = {seat.number: seat for seat in Seat.objects.filter(table_id=table.pk).select_related("player")}
    return tuple(
        SeatState(number, taken[number].player.key, str(taken[number].player), taken[number].away)
        if number in taken
        else SeatState(number)
        for number in range(1, number_of_seats + 1)
    )


def version_of(table: Table) -> str:
    """The version of a table's present state, without reading the state (see `TableState.version`)."""
    log = table.round
    return f"{table.version}.{log.pk if log is not None else 0}.{log.version if log is not None else 0}"


def state_at(log: RoundLog, round_: Round, version: int, at: datetime) -> TableState:
    """The table as it stood in a round that is over, when its log had `version` lines: what the round itself knows."""
    game = game_of(log)
    options = read_options(game.options, log.options)
    holders = {number: key for key, number in round_.seats.items()}
    names = names_of({*round_.seats, *(stake.by for stake in round_.stakes()), *_keys_in(log)})
    rules = game.shoe(options)
    rounds = RoundLog.objects.filter(table_id=log.table_id, number__lt=log.number)
    results = _results(rounds if rules is None or rules.every_round else rounds.filter(shoe=log.shoe))
    if round_.over and not round_.is_void:
        results = (*results, round_.result())
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
        commitment=log.shoe.commitment if log.shoe is not None else "",
        shoe_id=log.shoe_id,
    )


def _keys_in(log: RoundLog) -> set[str]:
    """Everybody who did something in the round, and everybody it was handed to."""
    lines = LoggedAction.objects.filter(log=log).exclude(by=HOUSE)
    return set(lines.values_list("by", flat=True)) | {
        key for key in lines.filter(action__do="pass").values_list("action__to", flat=True) if key
    }


def names_of(keys: set[str]) -> dict[str, str]:
    """The names of these bettors. Unknown keys are left out."""
    ids = [int(key[1:]) for key in keys if key[:1] == "p" and key[1:].isdigit()]
    return {player.key: str(player) for player in Player.objects.filter(pk__in=ids)} if ids else {}


ROAD_LENGTH = 120
"""How many rounds a road shows where the pack is shuffled for every round."""


def results_of_shoe(table: Table) -> tuple[Mapping[str, Any], ...]:
    """Results of the settled rounds for the roads, oldest first: of the present shoe, or of the last rounds."""
    game = GAMES[table.game]
    rules = game.shoe(read_options(game.options, table.options))
    rounds = RoundLog.objects.filter(table_id=table.pk)
    return _results(rounds if rules is None or rules.every_round else rounds.filter(shoe=table.shoe))


def _results(rounds: QuerySet[RoundLog]) -> tuple[Mapping[str, Any], ...]:
    settled = rounds.filter(settled_at__isnull=False, void=False)
    newest = settled.order_by("-number").values_list("result", flat=True)[:ROAD_LENGTH]
    return tuple(reversed([result for result in newest if result is not None]))


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
    tempo: str
    due_at: datetime | None
    now: datetime
    round_number: int
    results: tuple[Mapping[str, Any], ...]
    attended: bool


def lobby(*, clock: Clock = DATABASE_CLOCK) -> list[LobbyCard]:
    """All open tables, in their order."""
    return [
        lobby_card(table, clock.now())
        for table in Table.objects.filter(open=True).select_related("round", "shoe").order_by("position", "pk")
    ]


def lobby_card(table: Table, now: datetime) -> LobbyCard:
    """One table as the lobby shows it."""
    game = GAMES[table.game]
    options = read_options(game.options, table.options)
    round_ = round_of(table.round) if table.round is not None else None
    seated = set(Seat.objects.filter(table_id=table.pk).values_list("player_id", flat=True))
    standing = {stake.by for stake in round_.stakes()} - {f"p{pk}" for pk in seated} if round_ else set()
    attended = table.attended_until is not None and table.attended_until > now
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
        tempo=str(round_.tempo) if round_ else "",
        due_at=table.round.due_at if table.round is not None else None,
        now=now,
        round_number=table.round.number if table.round is not None else 0,
        results=results_of_shoe(table),
        attended=attended,
    )


# ── A player's history ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One round in which a player had a stake: what he was debited and credited in it, in cents."""

    log_id: int
    table: str
    game: str
    number: int
    settled_at: datetime | None
    void: bool
    result: Mapping[str, Any] | None
    staked: int
    returned: int

    @property
    def id(self) -> int:
        """Grows with time."""
        return self.log_id

    @property
    def net(self) -> int:
        """What the round brought him, or cost him if negative."""
        return self.returned - self.staked


def history(player: Player, *, before: int | None = None, limit: int = 50) -> list[HistoryLine]:
    """The rounds of a player, newest first; `before` a round id for the next page."""
    played = Played.objects.filter(player=player).select_related("log__table").order_by("-log_id")
    if before is not None:
        played = played.filter(log_id__lt=before)
    return [
        HistoryLine(
            log_id=line.log_id,
            table=line.log.table.name,
            game=line.log.game,
            number=line.log.number,
            settled_at=line.log.settled_at,
            void=line.log.void,
            result=line.log.result,
            staked=line.staked,
            returned=line.returned,
        )
        for line in played[:limit]
    ]


def record_is_open(log: RoundLog) -> bool:
    """Whether the public record of a round may be had: it is over, and tells of no card that nobody has seen yet.

    Cards burnt at the start of a round, and those of a round that was cancelled, stay unseen till the shoe is retired.
    """
    if log.settled_at is None:
        return False
    unseen = log.void or bool(log.options.get("burn_each_round"))
    return not unseen or log.shoe is None or log.shoe.retired_at is not None


def record_of_log(log: RoundLog) -> dict[str, Any]:
    """The public record of a stored round that is over."""
    game = game_of(log)
    actions = [action_from(game, data) for data, _ref in lines_of(log)]
    return record_of(game, read_options(game.options, log.options), opening_from(log.opening), actions)


def took_part(log: RoundLog, player: Player) -> bool:
    """Whether the player had a stake or a seat in this round: then he may look at it again."""
    opening = opening_from(log.opening)
    return (
        player.key in opening.seats
        or any(stake.by == player.key for stake in opening.carried)
        or LoggedAction.objects.filter(log=log, by=player.key, action__do__in=("bet", "sit")).exists()
    )


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One movement of a wallet, in cents; negative where credits left it. `log_id` if it belongs to a round."""

    id: int
    at: datetime
    reason: str
    amount: int
    log_id: int | None
    table: str
    number: int


def statement(player: Player, *, before: int | None = None, limit: int = 50) -> list[StatementLine]:
    """The movements of a player's wallet, newest first; `before` a movement's id for the next page."""
    found: list[StatementLine] = []
    account = Account.objects.filter(player=player).first()
    for side, sign in (("debit", -1), ("credit", 1)):  # two queries, so that each is answered from its own index
        moved = Transfer.objects.filter(**{side: account}).select_related("log__table").order_by("-pk")
        if before is not None:
            moved = moved.filter(pk__lt=before)
        found += [
            StatementLine(
                transfer.pk,
                transfer.at,
                transfer.reason,
                sign * transfer.amount,
                transfer.log_id,
                transfer.log.table.name if transfer.log is not None else "",
                transfer.log.number if transfer.log is not None else 0,
            )
            for transfer in moved[:limit]
        ]
    return sorted(found, key=lambda line: -line.id)[:limit]


# ── Shoes ───────────────────────────────────────────────────────────────────────────────────────────────────


def shoe_rounds(shoe: Shoe) -> list[RoundLog]:
    """The rounds dealt from a shoe, in order."""
    return list(RoundLog.objects.filter(shoe=shoe).order_by("number"))


@dataclass(frozen=True, slots=True)
class DealtCard:
    """A card that left a shoe: its place in the order of dealing (from 1), and the phase it was drawn in."""

    place: int
    card: str
    phase: str


def dealt_from(shoe: Shoe) -> list[tuple[RoundLog, list[DealtCard]]]:
    """The cards of each round, as the logs have them. Only of a retired shoe: some of these nobody has seen."""
    assert shoe.retired_at is not None, "nobody looks into a shoe that is in use"
    place, rounds = 0, []
    for log in shoe_rounds(shoe):
        dealt = []
        for line in replay(log):
            if isinstance(line.action, DrawCard):
                place += 1
                dealt.append(DealtCard(place, str(line.action.card), str(line.before.phase)))
        rounds.append((log, dealt))
    return rounds
