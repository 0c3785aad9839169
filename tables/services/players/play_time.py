"""How long a player is here, what that has cost, and when their next reality check is due.

Time counts from one thing that a player does to the next, as far as less than half an hour lies between; whoever has
done nothing for longer begins a new session. It is written down where logins are seen (`logins`), once a minute at most
and never with a bet. Staff and visitors of kiosks have no such clock.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings

from tables.base import sql
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.shifts import gaming_day, shifts_of
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.words import say
from tables.models import Alert, PlayClock, Watch
from tables.models.ledger import LAID, TAKEN_BACK
from tables.services.journal import alerts

SESSION_ENDS_AFTER = timedelta(minutes=30)
"""Whoever does nothing for so long has ended their session."""

CHECKS = (30, 60)
"""Minutes between reality checks that a player may choose; the last is what holds until they do."""


@dataclass(frozen=True, slots=True)
class Played:
    """Cents that rounds took from a player and gave back; what was taken back or was void is no stake."""

    staked: int = 0
    net: int = 0
    """What came back less what was laid: negative for a loss. What still lies on a layout counts as lost."""


@dataclass(frozen=True, slots=True)
class Session:
    """How a player's session stands."""

    since: datetime
    minutes: int
    today_minutes: int
    played: Played
    check_minutes: int
    check_due_at: datetime


def today(now: datetime) -> date:
    """The gaming day of this moment."""
    return gaming_day(now, settings.SHIFTS)


def day_began(now: datetime) -> datetime:
    """When the gaming day of this moment began."""
    return shifts_of(today(now), settings.SHIFTS)[0].since


# ── Its clock ───────────────────────────────────────────────────────────────────────────────────────────────


def seen(players: Collection[int], now: datetime) -> None:
    """These players have just done something."""
    with unit_of_work(part=True):
        clocks = _clocks(players, to_go_on=True)
        gone_on = [clock for clock in clocks.values() if clock.seen_at < now]
        came = [clock.pk for clock in gone_on if now - clock.seen_at >= SESSION_ENDS_AFTER]
        if gone_on:
            for clock in gone_on:
                _go_on(clock, now)
            _save(gone_on)
        if first := set(players).difference(clocks):
            came += _begin(first, now)
        if came:
            _tell_of_watched(came, now)


_WHO_PLAYS = "who.role = '' AND who.kiosk_id IS NULL"
"""Of `tables_player who`: that they have a clock."""


def _clocks(players: Collection[int], *, to_go_on: bool = False) -> dict[int, PlayClock]:
    """The clocks of these players, as far as they have one; `to_go_on`: of whoever still plays, locked."""
    who, ids = sql.one_of(players)
    columns, source = sql.columns_of(PlayClock, "own"), "tables_playclock own"
    order = "ORDER BY own.player_id"
    if to_go_on:
        source += f" JOIN tables_player who ON who.id = own.player_id AND {_WHO_PLAYS}"
        order += " FOR UPDATE OF own" if sql.on_postgres() else ""
    found = sql.fetched(f"SELECT {columns} FROM {source} WHERE own.player_id {who} {order}", [ids])  # noqa: S608
    return {one.pk: one for one in (sql.instance_of(PlayClock, row) for row in found)}


_WRITTEN = {
    "player_id": "bigint", "since": "timestamptz", "seen_at": "timestamptz", "day": "date", "played_s": "bigint",
    "check_due_at": "timestamptz",
}  # fmt: skip
"""What is written of clocks, by one statement: a whole crowd may bet in one moment."""


def _begin(players: Collection[int], now: datetime) -> list[int]:
    """Those of these players, who have no clock, who may have one: they have one from now on."""
    who, ids = sql.one_of(players)
    found = sql.fetched(f"SELECT who.id FROM tables_player who WHERE who.id {who} AND {_WHO_PLAYS}", [ids])  # noqa: S608
    due, day = _due(CHECKS[-1], now), today(now)
    clocks = [PlayClock(pk=pk, since=now, seen_at=now, day=day, check_due_at=due) for (pk,) in sorted(found)]
    if clocks:
        sql.execute(
            f"INSERT INTO tables_playclock (check_minutes, {', '.join(_WRITTEN)}) "  # noqa: S608
            f"SELECT {CHECKS[-1]}, {', '.join(f'row.{name}' for name in _WRITTEN)} FROM {sql.rows(_WRITTEN)} "
            "WHERE true ON CONFLICT DO NOTHING",  # another page of theirs may begin it at this very moment
            [_rows(clocks)],
        )
    return [clock.pk for clock in clocks]


def _save(clocks: Collection[PlayClock]) -> None:
    changes = ", ".join(f"{name} = row.{name}" for name in _WRITTEN if name != "player_id")
    sql.execute(
        f"UPDATE tables_playclock SET {changes} FROM {sql.rows(_WRITTEN)} "  # noqa: S608
        "WHERE tables_playclock.player_id = row.player_id",
        [_rows(clocks)],
    )


def _rows(clocks: Collection[PlayClock]) -> str:
    return json.dumps([
        {
            "player_id": clock.pk,
            "since": str(sql.moment(clock.since)),
            "seen_at": str(sql.moment(clock.seen_at)),
            "day": clock.day.isoformat(),
            "played_s": clock.played_s,
            "check_due_at": str(sql.moment(clock.check_due_at)),
        }
        for clock in clocks
    ])  # fmt: skip


def _tell_of_watched(came: Collection[int], now: datetime) -> None:
    """Those of these players who are on the watch list have just come in."""
    who, ids = sql.one_of(came)
    if not sql.found(f"SELECT 1 FROM tables_watch WHERE player_id {who} AND ended_at IS NULL", [ids]):  # noqa: S608
        return  # as nearly always
    for watch in Watch.objects.filter(player__in=came, ended_at__isnull=True).select_related("player").order_by("pk"):
        about = {"who": str(watch.player), "player": watch.player_id, "why": watch.why}
        alerts.raise_alert(Alert.Kind.WATCHED, f"{Alert.Kind.WATCHED}:{watch.player_id}", at=now, about=about)


def _go_on(clock: PlayClock, now: datetime) -> None:
    """Its player has done something again."""
    if now - clock.seen_at >= SESSION_ENDS_AFTER:
        clock.since, clock.check_due_at = now, _due(clock.check_minutes, now)
        passed = timedelta()
    else:
        passed = now - max(clock.seen_at, day_began(now))
    if clock.day != today(now):
        clock.day, clock.played_s = today(now), 0
    clock.played_s += round(passed.total_seconds())
    clock.seen_at = now


def _due(minutes: int, now: datetime) -> datetime:
    return now + timedelta(minutes=minutes)


def session_of(player: int, now: datetime) -> Session:
    """The present session of this player; one that begins now if there is none."""
    clock = _clocks([player]).get(player)
    if clock is None or now - clock.seen_at >= SESSION_ENDS_AFTER:
        every = CHECKS[-1] if clock is None else clock.check_minutes
        earlier = 0 if clock is None or clock.day != today(now) else clock.played_s // 60
        return Session(now, 0, earlier, Played(), every, _due(every, now))
    due = clock.check_due_at
    _go_on(clock, max(now, clock.seen_at))
    return Session(
        clock.since,
        (now - clock.since) // timedelta(minutes=1),
        clock.played_s // 60,
        played_since([player], clock.since).get(player, Played()),
        clock.check_minutes,
        due,
    )


# ── What it has cost ────────────────────────────────────────────────────────────────────────────────────────


def played_since(players: Collection[int], since: datetime) -> Mapping[int, Played]:
    """What rounds took from each of these players and gave them from this moment on: one statement, which reads those
    transfers alone. Who has moved nothing is left out."""
    who, ids = sql.one_of(players)
    laid, back = (", ".join(f"'{one}'" for one in reasons) for reasons in (LAID, TAKEN_BACK))
    sides = (
        f"SELECT own.player_id, CASE WHEN moved.reason IN ({reasons}) THEN {sign}moved.amount ELSE 0 END AS staked, "  # noqa: S608
        f"-({sign}moved.amount) AS net FROM tables_account own "
        f"JOIN tables_transfer moved ON moved.{side}_id = own.id "
        f'WHERE own.player_id {who} AND moved."at" >= %s AND moved.log_id IS NOT NULL'
        for side, sign, reasons in (("debit", "", laid), ("credit", "-", back))
    )
    found = sql.fetched(
        f"SELECT player_id, SUM(staked), SUM(net) FROM ({' UNION ALL '.join(sides)}) both_sides GROUP BY player_id",  # noqa: S608
        [ids, sql.moment(since), ids, sql.moment(since)],
    )
    return {player: Played(int(staked), int(net)) for player, staked, net in found}


# ── Reality checks ──────────────────────────────────────────────────────────────────────────────────────────


def check_every(player: int, minutes: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Choose how often the reality check comes. One that was due sooner comes when it was due. Raises Refused."""
    if minutes not in CHECKS:
        raise Refused("", say("A reality check comes every 30 or 60 minutes."))
    with unit_of_work():
        now = clock.now()
        seen([player], now)
        for one in PlayClock.objects.select_for_update().filter(pk=player):
            one.check_minutes, one.check_due_at = minutes, min(one.check_due_at, _due(minutes, now))
            one.save(update_fields=["check_minutes", "check_due_at"])


def acknowledge(player: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """The player has read their reality check: the next comes once their time has passed again."""
    with unit_of_work():
        now = clock.now()
        for one in PlayClock.objects.select_for_update().filter(pk=player):
            one.check_due_at = _due(one.check_minutes, now)
            one.save(update_fields=["check_due_at"])
