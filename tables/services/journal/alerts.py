"""What somebody on the floor must see: raised where it happens, or found by looking; it stays until it is acknowledged.

Of one thing there is one open alert (its key). What happens in a round is raised in the round's own transaction
(`of_round`); what shows only with time (a silent dealer, a low float, a hold far off) a heartbeat finds (`look`), once
for each time that it comes about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, Protocol

from django.db import connection
from django.db.models import Q
from django.utils import timezone

from tables.base import announce
from tables.base.calendar import macau_date
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, demand
from tables.base.transactions import unit_of_work
from tables.games import GAMES
from tables.games.contract.actions import Void, VoidReason, void_because
from tables.games.contract.editions import Day, edition_after
from tables.games.contract.errors import Refused
from tables.games.contract.round import Pace, Round
from tables.games.shared.options import under
from tables.games.values.words import Amount, Words, say
from tables.models import Account, Alert, Event, Played, Player, Realm, RoundLog, Table, Transfer
from tables.models.bettors import player_of
from tables.queries.folds import game_of
from tables.services.money.wallet import Posting, Reason

from . import alert_words, auditing, events

Kind = Alert.Kind

KINDS: Mapping[str, Words] = {
    Kind.VOIDED: say("Round void"),
    Kind.CROWDED: say("Round full"),
    Kind.SILENT: say("Dealing stopped"),
    Kind.LOW: say("Float low"),
    Kind.JACKPOT: say("Jackpot hit"),
    Kind.LIMIT: say("Limit reached"),
    Kind.HOLD: say("Win out of range"),
    Kind.KIOSK_TWICE: say("Kiosk token reused"),
    Kind.KIOSK_SILENT: say("Kiosk silent"),
    Kind.SPRAYING: say("Many names tried"),
    Kind.CODES: say("Codes refused"),
    Kind.REQUEST: say("Second person needed"),
    Kind.COMP: say("Comp given"),
    Kind.STAFF: say("Staff changed"),
    Kind.HALTED: say("New rounds stopped"),
    Kind.VOIDS: say("Repeated void rounds"),
    Kind.SHARED: say("Several accounts of one place"),
    Kind.EDITION: say("New edition"),
    Kind.REVIEW: say("Review asked for"),
    Kind.CHANCE: say("Far from chance"),
    Kind.FROZEN: say("Round frozen"),
    Kind.BIG_BET: say("Big bet"),
    Kind.BIG_WIN: say("Big win"),
    Kind.REPORT: say("Chat message reported"),
    Kind.MISFIT: say("Seal does not fit"),
    Kind.UNFIT: say("Self-check failed"),
    Kind.BOOKS: say("Books do not agree"),
    Kind.UNAUDITED: say("No audit"),
    Kind.WATCHED: say("Watched player here"),
    Kind.DIFFERS: say("Count differs"),
}
"""What an alert can be about."""

SILENT_AFTER = timedelta(seconds=15)
"""A dealer who has let so much time go by, with people at the table, is silent; a lease is taken over far sooner."""

UNAUDITED_AFTER = timedelta(minutes=10)
"""If rounds end so long after the last look of the auditor, it is missed."""

LOW_BELOW = 4
"""A float is low below this part of what its table opened with: a quarter."""

FAR = 2
"""A hold is far outside its band if it is so many times as far from the middle as the band's end."""

WEEK = timedelta(days=7)
"""So long before the pit is alerted that another edition comes into force."""

ROUNDS_FOR_HOLD = 20
"""A hold of fewer rounds says nothing yet."""


class Hold(Protocol):
    """What an alert about the hold is judged by, in cents: the win of some rounds, and where it should lie; of what was
    `unreckoned` that is not known."""

    @property
    def rounds(self) -> int: ...

    @property
    def win(self) -> int: ...

    @property
    def theoretical(self) -> Fraction: ...

    @property
    def unreckoned(self) -> int: ...

    @property
    def band(self) -> tuple[int, int]: ...


# ── Raising ─────────────────────────────────────────────────────────────────────────────────────────────────


def raise_alert(
    kind: Kind,
    key: str,
    *,
    at: datetime,
    table: int | None = None,
    log: int | None = None,
    about: Mapping[str, object] | None = None,
) -> bool:
    """Raise an alert in the transaction of what happened; whether there was none open of this key.

    `about` holds the values of its words (see `words_of`), as JSON; amounts in cents.
    """
    assert connection.in_atomic_block, "an alert is raised in the transaction of what happened"
    if is_open(key):
        return False
    alert = Alert(kind=kind, key=key, table_id=table, log_id=log, at=at, about=dict(about or {}))
    Alert.objects.bulk_create([alert], ignore_conflicts=True)  # another may raise it at this very moment
    announce.pit_changed()
    return True


def of_round(
    log: RoundLog,
    before: Round,
    after: Round,
    actions: Iterable[Mapping[str, Any]],
    postings: Iterable[Posting],
    at: datetime,
) -> None:
    """Raise what these new actions of a round, as JSON, and the chips that they move, give cause for. Reads nothing if
    they give none. What is only about money is told of the floor's: demo credits at kiosks need nobody."""
    if after.is_void and not before.is_void and after.stakes():
        (void,) = (action for action in actions if action["do"] == Void.do)
        about = {"round": log.number, "why": void.get("reason", VoidReason.PIT), "remark": void.get("remark", "")}
        raise_alert(Kind.VOIDED, f"{Kind.VOIDED}:{log.pk}", at=at, table=log.table_id, log=log.pk, about=about)
    won = sum(
        posting.amount
        for posting in postings
        if posting.debit[0] == Account.Kind.JACKPOT and posting.reason is Reason.JACKPOT
    )
    if won and log.table.realm == Realm.FLOOR:
        about = {"round": log.number, "cents": won}
        key = f"{Kind.JACKPOT}:{log.pk}:{log.version}"
        raise_alert(Kind.JACKPOT, key, at=at, table=log.table_id, log=log.pk, about=about)
    if before.pace is Pace.BETTING and after.pace is not Pace.BETTING and not after.is_void:
        apart = game_of(log).imbalance(after)
        if apart is not None and apart.reached and log.table.realm == Realm.FLOOR:
            about = {"round": log.number, "cents": apart.limit}
            raise_alert(Kind.LIMIT, f"{Kind.LIMIT}:{log.table_id}", at=at, table=log.table_id, log=log.pk, about=about)
        _big_bets(log, after, at)
    if after.over and not before.over and not after.is_void:
        _big_wins(log, at)


def _big_bets(log: RoundLog, after: Round, at: datetime) -> None:
    """Raise who has staked so much that the table says so; told as betting closes, when everybody sees it."""
    if log.table.big_bet is None:
        return
    staked = Counter[str]()
    for stake in after.stakes():
        staked[stake.by] += stake.amount
    big = {player_of(by): cents for by, cents in staked.items() if cents >= log.table.big_bet}
    _of_bettors(Kind.BIG_BET, log, big, at)


def _big_wins(log: RoundLog, at: datetime) -> None:
    """Raise who has won so much in this round, all their bets together, that the table says so."""
    if log.table.big_win is None:
        return
    gains = {one.player_id: one.gain for one in Played.objects.filter(log=log)}
    _of_bettors(Kind.BIG_WIN, log, {who: cents for who, cents in gains.items() if cents >= log.table.big_win}, at)


def _of_bettors(kind: Kind, log: RoundLog, cents_of: Mapping[int, int], at: datetime) -> None:
    for player in Player.objects.filter(pk__in=cents_of).order_by("pk"):
        about = {"round": log.number, "who": str(player), "player": player.pk, "cents": cents_of[player.pk]}
        raise_alert(kind, f"{kind}:{log.pk}:{player.pk}", at=at, table=log.table_id, log=log.pk, about=about)


def frozen_key(log_id: int) -> str:
    """The key of the alert that a round is frozen."""
    return f"{Kind.FROZEN}:{log_id}"


def of_edition(table: Table, edition: str, fallen: Sequence[str], at: datetime) -> None:
    """Raise that these options of a table have fallen back, since the edition now in force does not know them."""
    alert = _edition_alert(table, edition, fallen, macau_date(at).isoformat())
    raise_alert(Kind.EDITION, alert.key, at=at, table=table.pk, about=alert.about)


def crowded(log: RoundLog, at: datetime) -> None:
    """Raise that betting closes early in this round, because so much has been written in it."""
    about = {"round": log.number, "entries": log.version}
    raise_alert(Kind.CROWDED, f"{Kind.CROWDED}:{log.pk}", at=at, table=log.table_id, log=log.pk, about=about)


# ── Looking ─────────────────────────────────────────────────────────────────────────────────────────────────


def look(holds: Mapping[int, Hold], *, clock: Clock = DATABASE_CLOCK) -> None:
    """Find what nobody has said: tables whose dealer is silent, low floats, editions that are
    about to come into force, and of these holds of today (by table)
    those that are far outside their band; of tables where demo credits are played with, the silence alone. What was
    acknowledged is raised anew only when it comes about anew."""
    now = clock.now()
    tables = list(Table.objects.filter(open=True).select_related("round", "lease"))
    found = [alert for table in tables if (alert := _silence(table, now)) is not None]
    players_own = [table for table in tables if table.realm == Realm.FLOOR]
    found += _low_floats(players_own)
    found += [alert for table in tables if (alert := _coming_edition(table, now)) is not None]
    found += [alert for table in players_own if (alert := _far_hold(table, holds.get(table.pk), now)) is not None]
    found += _unaudited()
    _resolve({alert.key for alert in found}, now)
    known = set(Alert.objects.filter(key__in=[alert.key for alert in found]).values_list("key", flat=True))
    new = [alert for alert in found if alert.key not in known]
    if not new:
        return
    with unit_of_work():
        for alert in new:
            raise_alert(Kind(alert.kind), alert.key, at=now, table=alert.table_id, log=alert.log_id, about=alert.about)


FOUND = (Kind.SILENT, Kind.LOW, Kind.HOLD, Kind.UNAUDITED)
"""What is found by looking, and is over when it is not found any more."""


def _resolve(found: Collection[str], now: datetime) -> None:
    """Mark the open alerts whose matter is over, and take the mark from those that have come about again."""
    waiting = Alert.objects.filter(acknowledged_at=None)
    again = waiting.filter(kind__in=FOUND, resolved_at__isnull=False, key__in=found)
    over = waiting.filter(kind__in=FOUND, resolved_at=None).exclude(key__in=found)
    thawed = waiting.filter(kind=Kind.FROZEN, resolved_at=None).exclude(_FROZEN)
    changed = [*again.values_list("pk", flat=True), *over.values_list("pk", flat=True)]
    changed += thawed.values_list("pk", flat=True)
    if not changed:
        return
    with unit_of_work():
        again.update(resolved_at=None)
        over.update(resolved_at=now)
        thawed.update(resolved_at=now)
        announce.pit_changed()


_FROZEN = Q(log__settled_at=None, log__frozen_at__isnull=False)
"""Alerts whose round is frozen now."""


def is_known(key: str) -> bool:
    """Whether this alert was raised before, be it acknowledged or not."""
    return Alert.objects.filter(key=key).exists()


def is_open(key: str) -> bool:
    """Whether this alert waits for somebody to take note of it."""
    return Alert.objects.filter(key=key, acknowledged_at=None).exists()


def kiosk_of(alert: Alert) -> int | None:
    """The id of the kiosk that an alert is about, as its key says; None if it is about none."""
    return int(alert.key.split(":")[1]) if alert.kind in (Kind.KIOSK_TWICE, Kind.KIOSK_SILENT) else None


def _silence(table: Table, now: datetime) -> Alert | None:
    """Somebody is at the table and nothing is done there: what is due is long past, or nobody holds the lease."""
    if table.attended_until is None or table.attended_until <= now:
        return None
    log, long_ago = table.round, now - SILENT_AFTER
    begins = not (table.begins_no_round or table.closing)
    owed = log is not None and log.due_at is not None and (log.settled_at is None or begins)
    if log is not None and log.due_at is not None and owed and log.due_at < long_ago:
        since, thing = log.due_at, f"{log.pk}:{log.version}"
    elif table.lease.expires_at is not None and table.lease.expires_at < long_ago:
        since, thing = table.lease.expires_at, f"lease:{table.pk}:{table.lease.epoch}"
    else:
        return None
    about = {"since": since.isoformat()}
    return Alert(kind=Kind.SILENT, key=f"{Kind.SILENT}:{thing}", table=table, log=log, about=about)


def _low_floats(tables: Sequence[Table]) -> list[Alert]:
    """Floats far below the opening; alerted again when a fill has been used up."""
    low = []
    for account in Account.objects.filter(kind=Account.Kind.FLOAT, table__in=tables).select_related("table"):
        laid = Transfer.objects.filter(credit=account, debit__kind=Account.Kind.HOUSE).order_by("-pk")
        opened_with = laid.filter(reason=Reason.FLOAT).values_list("amount", flat=True).first() or 0
        if account.balance * LOW_BELOW < opened_with:
            newest = laid.values_list("pk", flat=True).first()
            about = {"cents": account.balance, "of": opened_with}
            low.append(
                Alert(kind=Kind.LOW, key=f"{Kind.LOW}:{account.table_id}:{newest}", table=account.table, about=about)
            )
    return low


def _unaudited() -> list[Alert]:
    """Rounds have ended that should have been audited long ago; where nobody ever has, nobody is missed."""
    last = auditing.last_look()
    if last is None or not RoundLog.objects.filter(settled_at__gt=last + UNAUDITED_AFTER).exists():
        return []
    return [Alert(kind=Kind.UNAUDITED, key=f"{Kind.UNAUDITED}:{last.isoformat()}", about={"since": last.isoformat()})]


def _far_hold(table: Table, hold: Hold | None, now: datetime) -> Alert | None:
    if hold is None or hold.rounds < ROUNDS_FOR_HOLD or hold.unreckoned:
        return None
    low, high = hold.band
    if abs(hold.win - hold.theoretical) <= Fraction(FAR * (high - low), 2):
        return None
    about = {"rounds": hold.rounds, "cents": hold.win, "of": round(hold.theoretical)}
    return Alert(
        kind=Kind.HOLD, key=f"{Kind.HOLD}:{table.pk}:{timezone.localdate(now).isoformat()}", table=table, about=about
    )


def _coming_edition(table: Table, now: datetime) -> Alert | None:
    """Another edition comes into force within a week at a table that plays the one in force."""
    game, today = GAMES[table.game], macau_date(now)
    coming = edition_after(game.in_force, today.isoformat())
    soon = (today + WEEK).isoformat()
    if coming is None or coming.since is None or coming.since > soon or not table.edition_in_force:
        return None
    _options, fallen = under(game.options, table.options, coming.name)
    return _edition_alert(table, coming.name, fallen, coming.since)


def _edition_alert(table: Table, edition: str, fallen: Sequence[str], since: Day) -> Alert:
    about = {"edition": edition, "since": since, "game": table.game, "fallen": list(fallen)}
    return Alert(kind=Kind.EDITION, key=f"{Kind.EDITION}:{table.pk}:{edition}", table=table, about=about)


# ── Taking note ─────────────────────────────────────────────────────────────────────────────────────────────


def open_alerts() -> list[Alert]:
    """What nobody has acknowledged yet, newest first."""
    return list(Alert.objects.filter(acknowledged_at=None).select_related("table"))


def words_of(alert: Alert) -> Words:
    """What an alert says, beside its kind and its table."""
    about = alert.about
    match alert.kind:
        case Kind.VOIDED:
            why = void_because(VoidReason(about["why"]), about["remark"])
            return say("Round %(round)s is void: %(why)s", round=about["round"], why=why)
        case Kind.CROWDED:
            entries, number = about["entries"], about["round"]
            return say(
                "Betting closed early in round %(round)s after %(entries)s entries", round=number, entries=entries
            )
        case Kind.SILENT:
            since = timezone.localtime(datetime.fromisoformat(about["since"]))
            return say("Nothing has been done since %(time)s", time=f"{since:%H:%M:%S}")
        case Kind.LOW:
            return say("%(left)s left of %(opened)s", left=Amount(about["cents"]), opened=Amount(about["of"]))
        case Kind.JACKPOT:
            return say("%(cents)s paid in round %(round)s", cents=Amount(about["cents"]), round=about["round"])
        case Kind.LIMIT:
            limit = Amount(about["cents"])
            return say(
                "Difference of %(limit)s between two sides in round %(round)s", limit=limit, round=about["round"]
            )
        case Kind.KIOSK_TWICE:
            return say("%(kiosk)s: its token was shown by a second screen", kiosk=about["kiosk"])
        case Kind.KIOSK_SILENT:
            since = timezone.localtime(datetime.fromisoformat(about["since"]))
            return say("%(kiosk)s: not heard of since %(time)s", kiosk=about["kiosk"], time=f"{since:%H:%M:%S}")
        case Kind.SPRAYING:
            return say(
                "%(names)s user names tried in vain from %(address)s", names=about["names"], address=about["address"]
            )
        case Kind.CODES:
            return say(
                "%(name)s: wrong codes again and again, from %(address)s", name=about["name"], address=about["address"]
            )
        case Kind.HOLD:
            return say(
                "Won %(win)s in %(rounds)s rounds, %(expected)s expected",
                win=Amount(about["cents"]),
                rounds=about["rounds"],
                expected=Amount(about["of"]),
            )
        case _:
            return alert_words.of(alert)


def lock(key: str) -> None:
    """Lock this alert, if it is open, for whoever is going to settle it: an alert is locked before the end of the
    chain of events, as `acknowledge` does."""
    Alert.objects.select_for_update().filter(key=key, acknowledged_at=None).first()


def settle(key: str, by: Player, at: datetime) -> None:
    """What this alert was about has been dealt with by somebody: they have taken note of it. In their transaction."""
    Alert.objects.filter(key=key, acknowledged_at=None).update(acknowledged_by=by, acknowledged_at=at)


def acknowledge(by: Player, alert_id: int, *, clock: Clock = DATABASE_CLOCK) -> Alert:
    """Take note of an alert, by name. Raises Refused, and Alert.DoesNotExist."""
    demand(by, Right.ACKNOWLEDGE)
    with unit_of_work():
        # Who has is read after the lock: what is joined to a row that was waited for is as it was before.
        alert = Alert.objects.select_for_update().get(pk=alert_id)
        if alert.acknowledged_by is not None:
            raise Refused("", say("%(name)s has acknowledged it already.", name=str(alert.acknowledged_by)))
        if _is_frozen(alert):
            raise Refused("", say("The round is still frozen: release it, or rule on it."))
        _acknowledge(alert, by, clock)
        return alert


def acknowledge_all(by: Player, alert_ids: Collection[int], *, clock: Clock = DATABASE_CLOCK) -> int:
    """Take note of these alerts, by name, and return of how many: not of those that somebody else has acknowledged
    meanwhile, nor of rounds that are still frozen. Raises Refused."""
    demand(by, Right.ACKNOWLEDGE)
    with unit_of_work():
        # An alert of a frozen round is not even locked: whoever rules on the round locks others before it.
        frozen = Alert.objects.filter(_FROZEN, kind=Kind.FROZEN).values_list("pk", flat=True)
        ids = set(alert_ids) - set(frozen)
        noted = list(Alert.objects.select_for_update().filter(pk__in=ids, acknowledged_at=None).order_by("pk"))
        for alert in noted:
            _acknowledge(alert, by, clock)
        return len(noted)


def _is_frozen(alert: Alert) -> bool:
    """Whether this alert says that a round is frozen, and it still is."""
    return alert.kind == Kind.FROZEN and Alert.objects.filter(_FROZEN, pk=alert.pk).exists()


def _acknowledge(alert: Alert, by: Player, clock: Clock) -> None:
    alert.acknowledged_by, alert.acknowledged_at = by, clock.now()
    alert.save(update_fields=["acknowledged_by", "acknowledged_at"])
    announce.pit_changed()
    after = {"kind": alert.kind, "key": alert.key, **alert.about}
    events.record(Event.Kind.ACKNOWLEDGED, by=by.pk, table=alert.table_id, log=alert.log_id, after=after, clock=clock)
