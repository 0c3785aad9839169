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
from .games.protocol import HOUSE, Action, Game, Meter, Round, Seal, no_throw
from .games.record import record_of
from .models import (
    Account,
    ChatLine,
    Favourite,
    Jackpot,
    LoggedAction,
    Mute,
    Played,
    Player,
    Realm,
    RoundLog,
    Ruling,
    SealedThrow,
    Seat,
    Table,
    Transfer,
)

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


def lines_of(log: RoundLog, *, after: int = 0, by: str | None = None) -> Iterable[tuple[dict[str, Any], str | None]]:
    """Actions and refs of the log's lines behind `after`, up to its version: everybody's, or one bettor's."""
    lines = LoggedAction.objects.filter(log_id=log.pk, seq__gt=after, seq__lte=log.version)
    return (lines if by is None else lines.filter(by=by)).order_by("seq").values_list("action", "ref")


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
class Said:
    """One message of a table's chat; `number` counts from 1, `name` is the speaker's name at that time."""

    id: int
    number: int
    key: str
    name: str
    text: str
    at: datetime


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
    chat: tuple[Said, ...] = ()
    pool: Pool | None = None
    rulings: tuple[Ruled, ...] = ()
    paused: bool = False
    closing: str = ""

    @property
    def version(self) -> str:
        """Names this state; a client that has another one is behind. What other tables add to its jackpot counts."""
        return _version(self.table_version, self.round_id or 0, self.round_version, self.pool)

    def seat_of(self, key: str | None) -> int | None:
        """The seat of this bettor, if they have one."""
        return next((seat.number for seat in self.seats if key is not None and seat.key == key), None)


def _version(table: int, round_id: int, line: int, pool: Pool | None) -> str:
    return f"{table}.{round_id}.{line}" if pool is None else f"{table}.{round_id}.{line}.{pool.cents}"


WITH_FELT = ("round", "shoe", "jackpot__account")
"""What is read with a table whose felt is shown."""


def table_state(table_id: int, *, before: TableState | None = None, clock: Clock = DATABASE_CLOCK) -> TableState:
    """The present state of a table. Raises Table.DoesNotExist.

    What cannot have changed since its state `before` (seats, names, roads, chat, rulings, while round and table version
    are the same) is taken from there and not read again. A new name of somebody is seen with the next round at the
    latest.
    """
    table = Table.objects.select_related(*WITH_FELT).get(pk=table_id)
    return _state(table, clock.now(), before)


def table_state_by_slug(slug: str, *, clock: Clock = DATABASE_CLOCK) -> TableState:
    """The present state of the table of that name. Raises Table.DoesNotExist."""
    return _state(Table.objects.select_related(*WITH_FELT).get(slug=slug), clock.now())


def _state(table: Table, now: datetime, before: TableState | None = None) -> TableState:
    game = GAMES[table.game]
    log = _on_the_felt(table)
    round_ = round_of(log) if log is not None else None
    present = (table.version, log.pk if log is not None else None)
    if before is not None and (before.table_version, before.round_id) != present:
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
        commitment=table.shoe.commitment if table.shoe is not None else _seal(game, log, round_, before),
        shoe_id=table.shoe.pk if table.shoe is not None else None,
        chat=before.chat if before is not None else chat_of(table.pk),
        pool=pool_of(table),
        paused=table.paused,
        closing=table.closing,
        rulings=before.rulings if before is not None else rulings_of(log.pk) if log is not None else (),
    )


def _seal(game: Game, log: RoundLog | None, round_: Round | None, before: TableState | None) -> str:
    """The newest commitment to a throw, in a round without cards. It changes when the round waits for another thing."""
    if game.throw is no_throw or log is None or round_ is None:
        return ""
    if before is not None and before.round is not None and before.round.wait == round_.wait:
        return before.commitment
    sealed = SealedThrow.objects.filter(log=log).order_by("-number")
    return sealed.values_list("commitment", flat=True).first() or ""


def _seats(table: Table, number_of_seats: int) -> tuple[SeatState, ...]:
    taken = {seat.number: seat for seat in Seat.objects.filter(table_id=table.pk).select_related("player")}
    return tuple(
        SeatState(number, taken[number].player.key, str(taken[number].player), taken[number].away)
        if number in taken
        else SeatState(number)
        for number in range(1, number_of_seats + 1)
    )


def _on_the_felt(table: Table) -> RoundLog | None:
    """The round that the felt of a table shows; a closed table's is empty."""
    return table.round if table.open else None


def version_of(table_id: int) -> str:
    """The version of a table's present state, without reading the state (see `TableState.version`)."""
    table = Table.objects.select_related("round", "jackpot__account").get(pk=table_id)
    log = _on_the_felt(table)
    return _version(
        table.version, log.pk if log is not None else 0, log.version if log is not None else 0, pool_of(table)
    )


def state_at(log: RoundLog, round_: Round, version: int, at: datetime) -> TableState:
    """The table as it stood in a round that is over, when its log had `version` lines: what the round itself knows."""
    game = game_of(log)
    options = read_options(game.options, log.options)
    holders = {number: key for key, number in round_.seats.items()}
    names = names_of({*round_.seats, *(stake.by for stake in round_.stakes()), *_keys_in(log)})
    rules = game.shoe(options)
    rounds = RoundLog.objects.filter(table_id=log.table_id, number__lt=log.number)
    results = _results(game, rounds if rules is None or rules.every_round else rounds.filter(shoe=log.shoe))
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
    if game.throw is no_throw:
        return ""
    lines = LoggedAction.objects.filter(log=log, seq__lte=version, action__do=Seal.do)
    return lines.order_by("-seq").values_list("action__commitment", flat=True).first() or ""


def _pool_at(log: RoundLog, version: int) -> Pool | None:
    """What the jackpot's meter showed when betting closed, if the round had come so far."""
    lines = LoggedAction.objects.filter(log=log, seq__lte=version, action__do=Meter.do)
    cents = None if log.jackpot is None else lines.values_list("action__pool", flat=True).first()
    return (
        None
        if log.jackpot is None or cents is None
        else Pool(log.jackpot.pk, log.jackpot.slug, log.jackpot.name, cents)
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
    """Results of the settled rounds for the roads, oldest first: of the present shoe, or of the last rounds.

    None where the regulation forbids to record them.
    """
    game = GAMES[table.game]
    rules = game.shoe(read_options(game.options, table.options))
    rounds = RoundLog.objects.filter(table_id=table.pk)
    return _results(game, rounds if rules is None or rules.every_round else rounds.filter(shoe=table.shoe))


def _results(game: Game, rounds: QuerySet[RoundLog]) -> tuple[Mapping[str, Any], ...]:
    if game.unrecorded:
        return ()
    settled = rounds.filter(settled_at__isnull=False, void=False)
    newest = settled.order_by("-number").values_list("result", flat=True)[:ROAD_LENGTH]
    return tuple(reversed([result for result in newest if result is not None]))


# ── The chat ────────────────────────────────────────────────────────────────────────────────────────────────

LINES_SHOWN = 60
"""So many of the last lines of a table can be read at most, and never less than ten fewer."""


def chat_of(table_id: int) -> tuple[Said, ...]:
    """The last lines that were said at a table, oldest first."""
    newest = ChatLine.objects.filter(table_id=table_id).order_by("-number")[:LINES_SHOWN]
    return tuple(
        Said(line.pk, line.number, f"p{line.player_id}", line.name, line.text, line.at) for line in reversed(newest)
    )


Muted = tuple[tuple[str, str], ...]
"""Whom somebody does not want to hear: key and name, in the order of the names."""


def muted_by(players: Iterable[int]) -> dict[int, Muted]:
    """Whom each of these players has muted; who has muted nobody is left out."""
    found: dict[int, list[tuple[str, str]]] = {}
    for mute in Mute.objects.filter(player_id__in=set(players)).select_related("muted"):
        found.setdefault(mute.player_id, []).append((mute.muted.key, str(mute.muted)))
    return {player: tuple(sorted(muted, key=lambda one: one[::-1])) for player, muted in found.items()}


@dataclass(frozen=True, slots=True)
class Kept:
    """A favourite of a player: what it is called, how many bets it has and what they come to, in cents."""

    id: int
    name: str
    bets: int
    cents: int


def favourites_of(players: Iterable[int], game: str) -> dict[int, tuple[Kept, ...]]:
    """The favourites of each of these players for one game, in the order of their names; who has none is left out."""
    found: dict[int, list[Kept]] = {}
    for one in Favourite.objects.filter(player_id__in=set(players), game=game).order_by("name"):
        cents = sum(stake["amount"] for stake in one.stakes)
        found.setdefault(one.player_id, []).append(Kept(one.pk, one.name, len(one.stakes), cents))
    return {player: tuple(kept) for player, kept in found.items()}


def said_in_silence(log: RoundLog) -> list[ChatLine]:
    """Lines that stand where the log says that nobody might talk (none, if the house has done its duty)."""
    lines = list(ChatLine.objects.filter(log=log).order_by("number"))
    if not lines:
        return []
    silent = {0: opened(log).silence is not None}
    silent |= {line.seq: line.after.silence is not None for line in replay(log)}
    return [line for line in lines if silent[line.version]]


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
    pool: Pool | None = None


def lobby(*, clock: Clock = DATABASE_CLOCK) -> list[LobbyCard]:
    """All open tables at which players play with their own chips, in their order."""
    tables = Table.objects.filter(open=True, realm=Realm.FLOOR).select_related(*WITH_FELT)
    return [lobby_card(table, clock.now()) for table in tables.order_by("position", "pk")]


def closed_tables() -> list[str]:
    """Those of them that are not on the floor, by name in their address."""
    return list(Table.objects.filter(open=False, realm=Realm.FLOOR).order_by("pk").values_list("slug", flat=True))


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
        pool=pool_of(table),
    )


# ── The page of a jackpot ───────────────────────────────────────────────────────────────────────────────────

HITS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Hit:
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
    hits: tuple[Hit, ...]


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
        hits=tuple(_hits(jackpot)),
    )


def _hits(jackpot: Jackpot) -> list[Hit]:
    """The last prizes of a jackpot, from the ledger: whole amounts, with what the house added."""
    paid = Transfer.objects.filter(debit=jackpot.account, reason="jackpot").order_by("-pk")
    hits: list[Hit] = []
    for moved in paid.select_related("log__table")[:HITS_SHOWN]:
        log = moved.log
        if log is None or log.result is None:
            continue  # the round has paid and goes on: shown when it is over
        round_ = round_of(log)
        box = next(stake.box for stake in round_.stakes() if stake.bet == moved.bet)
        cents = sum(payout.returned for payout in round_.payouts() if payout.bet == moved.bet)
        hits.append(Hit(log.table.name, box or 0, log.result["boxes"][str(box)], cents, moved.at))
    return hits


# ── A player's history ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One round in which a player had a stake: cents debited and credited."""

    log_id: int
    table_id: int
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
        """What the round brought the player; negative if it cost them."""
        return self.returned - self.staked


def history(player: Player, *, before: int | None = None, limit: int = 50) -> list[HistoryLine]:
    """The rounds of a player, newest first; `before` a round id for the next page."""
    played = Played.objects.filter(player=player).select_related("log__table").order_by("-log_id")
    if before is not None:
        played = played.filter(log_id__lt=before)
    return [
        HistoryLine(
            log_id=line.log_id,
            table_id=line.log.table_id,
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


def record_of_log(log: RoundLog) -> dict[str, Any]:
    """The public record of a stored round that is over."""
    game = game_of(log)
    actions = [action_from(game, data) for data, _ref in lines_of(log)]
    return record_of(game, read_options(game.options, log.options), opening_from(log.opening), actions)


def took_part(log: RoundLog, player: Player) -> bool:
    """Whether the player had a stake or a seat in this round, and so may replay it."""
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
