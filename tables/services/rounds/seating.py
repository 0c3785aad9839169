"""Who is at a table: seats taken, held and given up; and whether anybody is there at all."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from tables.base import announce, security, sql
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.refs import own_ref, used_for_another
from tables.base.timetable import ATTENDED_FOR, AWAY_AFTER, HEARTBEAT, SEAT_HELD_FOR
from tables.base.transactions import unit_of_work
from tables.games import GAMES
from tables.games.contract.actions import Leave, Sit
from tables.games.contract.errors import Refused
from tables.games.contract.round import Pace, Round
from tables.games.shared.options import read_options
from tables.games.values.words import say
from tables.models import Departure, Played, Player, RoundLog, Seat, Table
from tables.models.bettors import bettor_of, player_of
from tables.queries.folds import round_of
from tables.services.players import restrictions

from .budget import Budget
from .round_session import locked_round

ROUNDS_REMEMBERED = 3
"""Whoever has staked in one of the last so many rounds that are over may cut the next pack, standing too (a ruling)."""


def sit(player: int, table_id: int, number: int, *, ref: str = "", clock: Clock = DATABASE_CLOCK) -> None:
    """Take a free seat, or move to it from another of this table. Raises Refused; of two who ask, one gets it.

    Where the round lets nobody change places now, the player keeps their present seat; where the regulation bars the
    seat until the round is over, nobody gets it. Whoever moves has left their seat themselves. A player has seats at
    few tables (`SEATS_PER_PLAYER`), and the guests of one network few seats together (`SEATS_PER_ADDRESS`); a seat that
    the player has left, and where nothing of theirs lies, is given up for a new one.
    """
    _give_up_left_seats(player, table_id, clock)
    with unit_of_work():
        table = _lock(table_id)
        now = clock.now()
        seats = read_options(GAMES[table.game].options, table.options).seats
        if not table.open:
            raise Refused("table", say("This table is closed."))
        if (why := restrictions.excluded(player, table.realm, now)) is not None:
            raise why
        if type(number) is not int or not 1 <= number <= seats:
            raise Refused("seat", say("This table has seats 1 to %(seats)s.", seats=seats))
        if ref and Seat.objects.filter(table=table, player_id=player, ref=ref).exclude(number=number).exists():
            raise used_for_another(own_ref(bettor_of(player), ref))
        taken = Seat.objects.filter(table=table, number=number).first()
        if taken is not None and taken.player_id != player:
            raise _taken(number)
        if taken is not None:
            return
        _check_share(player, table)
        moves = _leave_seat(table, player, clock, for_good=True)
        try:
            with transaction.atomic():
                Seat.objects.create(table=table, number=number, player_id=player, taken_at=now, seen_at=now, ref=ref)
        except IntegrityError:  # the database has the last word, whatever was seen before
            raise _taken(number) from None
        _tell_round(table, Sit(bettor_of(player), number), clock, asked=True, or_refuse=moves)
        _changed(table)


def _give_up_left_seats(player: int, table_id: int, clock: Clock) -> None:
    """A player who may have no further seat gives up those that they have left, as far as nothing of theirs lies
    there."""
    others = Seat.objects.filter(player_id=player).exclude(table_id=table_id)
    for left in others.filter(away=True).order_by("seen_at").values_list("table_id", flat=True):
        if others.count() < settings.SEATS_PER_PLAYER:
            return
        with unit_of_work():
            table = _lock(left)
            away = Seat.objects.filter(table=table, player_id=player, away=True).exists()
            if away and not plays_on(table, player) and _leave_seat(table, player, clock):
                _changed(table)


def _check_share(player: int, table: Table) -> None:
    """Raise Refused if this player, or the guests of their network, have as many seats elsewhere as they may.

    They are counted under the lock of the player, and of the first guest of that network.
    """
    me = Player.objects.select_for_update(no_key=True).get(pk=player)
    elsewhere = list(Seat.objects.filter(player=me).exclude(table=table).order_by("taken_at").select_related("table"))
    if len(elsewhere) >= settings.SEATS_PER_PLAYER:
        security.note("too many seats of one player", "limited", player=player, table=table.pk)
        names = ", ".join(seat.table.name for seat in elsewhere)
        raise Refused("seat", say("You have seats at %(tables)s. Leave one before you take another.", tables=names))
    if not (me.guest and me.origin):
        return
    neighbours = Player.objects.filter(guest=True, origin=me.origin)
    neighbours.select_for_update(no_key=True).order_by("pk").first()
    if Seat.objects.filter(player__in=neighbours).exclude(player=me).count() >= settings.SEATS_PER_ADDRESS:
        security.note("too many seats of one network", "limited", player=player, table=table.pk)
        most = settings.SEATS_PER_ADDRESS
        raise Refused(
            "seat", say("The guests of your network have %(most)s seats already. Sign up to take one.", most=most)
        )


def stand_up(player: int, table_id: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Give the seat up. Stakes stay where they lie; a hand that waits for a decision folds where the rules say so. Does
    nothing without a seat."""
    with unit_of_work():
        table = _lock(table_id)
        if _leave_seat(table, player, clock, for_good=True):
            _changed(table)


def give_up(player: int, table_id: int, *, clock: Clock = DATABASE_CLOCK) -> bool:
    """Give the seat up at once if nothing of the player's lies in the round, else after it; whether there was one."""
    with unit_of_work():
        table = Table.objects.select_for_update(of=("self",)).get(pk=table_id)
        seat = Seat.objects.filter(table=table, player_id=player).first()
        if seat is None:
            return False
        if plays_on(table, player):
            seat.leaves_after_round = True
            seat.save(update_fields=["leaves_after_round"])
        else:
            stand_up(player, table_id, clock=clock)
        return True


def give_up_all(player: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Give up all seats of this player, each as `give_up` does."""
    for table in Seat.objects.filter(player_id=player).order_by("table_id").values_list("table_id", flat=True):
        give_up(player, table, clock=clock)


def heartbeat(table_id: int, players: Collection[int], *, clock: Clock = DATABASE_CLOCK) -> None:
    """A web process says: somebody is at this table, and these players are connected."""
    with unit_of_work():
        table = _lock(table_id)
        now = clock.now()
        was_idle = table.attended_until is None or table.attended_until <= now
        table.attended_until = now + ATTENDED_FOR
        table.save(update_fields=["attended_until"])
        back = []
        if players:
            back = list(Seat.objects.filter(table=table, player_id__in=players, away=True))
            Seat.objects.filter(table=table, player_id__in=players).update(seen_at=now, away=False)
            Departure.objects.filter(table=table, player_id__in=players).delete()
        for seat in back:
            _tell_round(table, Sit(bettor_of(seat.player_id), seat.number), clock)
        if back:
            _changed(table)
        if was_idle:
            announce.nudge(table.pk)


def greet(table_id: int, players: Collection[int], *, clock: Clock = DATABASE_CLOCK) -> None:
    """These players have just come, or somebody who only watches: as `heartbeat`, where that has anything to say.

    It has nothing if a process has said lately that somebody is there, and none of them has a seat or had left."""
    who, ids = sql.one_of(players)
    ((*own, has_place),), now = sql.fetched_at(
        f"{sql.columns_of(Table, 'own')}, "  # noqa: S608
        f"EXISTS (SELECT 1 FROM tables_seat seat WHERE seat.table_id = own.id AND seat.player_id {who}) "
        f"OR EXISTS (SELECT 1 FROM tables_departure gone WHERE gone.table_id = own.id AND gone.player_id {who})",
        "tables_table own WHERE own.id = %s",
        [ids, ids, table_id],
        clock=clock,
    )
    attended_until = sql.instance_of(Table, own).attended_until
    is_said = attended_until is not None and attended_until >= now + ATTENDED_FOR - HEARTBEAT
    if has_place or not is_said:
        heartbeat(table_id, players, clock=clock)


def connection_lost(table_id: int, player: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """This player's last connection to this table has closed: the seat is held, the dealer turns their cards. Whoever
    has no seat, but a stake now or lately, is not asked to cut the pack."""
    seated, played, round_ = _share_in(table_id, player)
    if seated:
        _leaves_seat_held(table_id, player, clock)
    elif played or (round_ is not None and round_.in_escrow(bettor_of(player))):
        _has_left(table_id, player, clock)


def _share_in(table_id: int, player: int) -> tuple[bool, bool, Round | None]:
    """Whether this player has a seat at this table and played in its last rounds; the round that is played there."""
    ((seated, played, *log),) = sql.fetched(
        "SELECT EXISTS (SELECT 1 FROM tables_seat seat "  # noqa: S608
        "WHERE seat.table_id = own.id AND seat.player_id = %s), "
        "EXISTS (SELECT 1 FROM tables_played played WHERE played.player_id = %s AND played.log_id IN "
        "(SELECT last.id FROM tables_roundlog last WHERE last.table_id = own.id AND last.settled_at IS NOT NULL "
        "ORDER BY last.number DESC LIMIT %s)), "
        f"{sql.columns_of(RoundLog, 'log')} FROM tables_table own "
        "LEFT JOIN tables_roundlog log ON log.id = own.round_id AND log.settled_at IS NULL WHERE own.id = %s",
        [player, player, ROUNDS_REMEMBERED, table_id],
    )
    return bool(seated), bool(played), None if log[0] is None else round_of(sql.instance_of(RoundLog, log))


def _leaves_seat_held(table_id: int, player: int, clock: Clock) -> None:
    with unit_of_work():
        table = _lock(table_id)
        seat = Seat.objects.filter(table=table, player_id=player, away=False).first()
        if seat is not None:
            seat.seen_at = clock.now()  # it was alive till now
            _mark_away(table, seat, clock)
            _changed(table)


def _has_left(table_id: int, player: int, clock: Clock) -> None:
    """A player without a seat is at this table no more."""
    with unit_of_work():
        table = _lock(table_id)
        Departure.objects.get_or_create(table=table, player_id=player)
        _tell_round(table, Leave(bettor_of(player)), clock)


def played_lately(table: Table) -> QuerySet[Played]:
    """Who has played in the last rounds of this table that are over, once for each of them."""
    over = RoundLog.objects.filter(table=table, settled_at__isnull=False)
    last = over.order_by("-number").values_list("pk", flat=True)[:ROUNDS_REMEMBERED]
    return Played.objects.filter(log_id__in=list(last))


def sweep(table_id: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Mark away those not heard of, and give up seats held too long."""
    with unit_of_work():
        table = _lock(table_id)
        now = clock.now()
        if _is_held(table, now):
            return  # nobody loses a hand or a seat while the pit looks
        changed = False
        for seat in Seat.objects.filter(table=table):
            if seat.seen_at <= now - SEAT_HELD_FOR:
                if _leave_seat(table, seat.player_id, clock):
                    Departure.objects.get_or_create(table=table, player_id=seat.player_id)
                    changed = True
            elif not seat.away and seat.seen_at <= now - AWAY_AFTER:
                _mark_away(table, seat, clock)
                changed = True
        if changed:
            _changed(table)


def plays_on(table: Table, player: int) -> bool:
    """Whether something of this player's lies in the round that is played at the table."""
    log = table.round
    return log is not None and log.settled_at is None and bool(round_of(log).in_escrow(bettor_of(player)))


def bettors_in(table: Table) -> set[int]:
    """The players who have a stake in the round that is played at the table."""
    log = table.round
    if log is None or log.settled_at is not None:
        return set()
    return {player_of(stake.by) for stake in round_of(log).stakes()}


def give_up_after_round(table: Table) -> None:
    """The round is over: players whom the pit has removed meanwhile leave their seats now."""
    Seat.objects.filter(table=table, leaves_after_round=True).delete()


def needs_sweep(now: datetime) -> set[int]:
    """Tables where somebody's connection may be lost."""
    stale = Seat.objects.filter(seen_at__lte=now - AWAY_AFTER)
    return set(
        (stale.filter(away=False) | Seat.objects.filter(seen_at__lte=now - SEAT_HELD_FOR)).values_list(
            "table_id", flat=True
        )
    )


def _is_held(table: Table, now: datetime) -> bool:
    """Whether the pit holds the present round of this table."""
    if table.round_id is None:
        return False
    return RoundLog.objects.filter(pk=table.round_id, settled_at=None, held_until__gt=now).exists()


def _lock(table_id: int) -> Table:
    return Table.objects.select_for_update().get(pk=table_id)


def _taken(number: int) -> Refused:
    return Refused("seat", say("Seat %(seat)s has just been taken.", seat=number))


def _leave_seat(table: Table, player: int, clock: Clock, *, for_good: bool = False) -> bool:
    deleted, _ = Seat.objects.filter(table=table, player_id=player).delete()
    if deleted:
        _tell_round(table, Leave(bettor_of(player), for_good), clock)
    return bool(deleted)


def _mark_away(table: Table, seat: Seat, clock: Clock) -> None:
    seat.away = True
    seat.save(update_fields=["away", "seen_at"])
    _tell_round(table, Leave(bettor_of(seat.player_id)), clock)


def _tell_round(
    table: Table, action: Sit | Leave, clock: Clock, *, asked: bool = False, or_refuse: bool = False
) -> None:
    """Seats matter to a running round (boxes, holders): it hears of them if it still can. They move no chips.

    A seat that somebody has `asked` for is refused where the regulation bars it in this round.
    """
    if table.round_id is None:
        return
    with locked_round(table.round_id, clock=clock) as session:
        if asked and isinstance(action, Sit) and (why := session.round.bars_seat(action.by, action.seat)) is not None:
            raise Refused(why.article, why.words)
        if session.is_held and isinstance(action, Leave) and not action.for_good:
            return  # whose line drops while the pit looks decides when the round goes on
        if not session.round.over and _matters(session.round, action):
            try:
                if isinstance(action, Sit):  # somebody who leaves has sat down before
                    Budget(session).check(action)
                session.act(action)
            except Refused:  # too late for this round; the next one opens with the seats as they are
                if or_refuse:
                    raise


def _matters(round_: Round, action: Sit | Leave) -> bool:
    seat = round_.seats.get(action.by)
    if isinstance(action, Sit):
        return seat != action.seat
    if seat is not None or (round_.pace is Pace.CUT and action.by in round_.at_the_cut):
        return True
    return action.for_good and round_.leaving(action.by) is not None


def _changed(table: Table) -> None:
    table.version += 1
    table.save(update_fields=["version"])
    announce.table_changed(table.pk, version=table.version)
