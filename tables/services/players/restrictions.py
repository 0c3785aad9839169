"""What a restricted player may not do, by the house or by themselves: asked where they sit down, stake or talk."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from enum import StrEnum

from django.db.models import Q, Sum

from tables.base import sql
from tables.base.calendar import MACAU, day_begun
from tables.games.contract.errors import Refused
from tables.games.values.words import Amount, Words, say
from tables.models import OwnLimit, Player, Realm, Restriction, Transfer
from tables.models.ledger import LAID, TAKEN_BACK
from tables.queries.discretion import unseen

from .play_time import SESSION_ENDS_AFTER, Played, day_began, played_since, today

Kind = Restriction.Kind
Own = OwnLimit.Kind

BY_THEMSELVES = (Kind.BREAK, Kind.OWN_EXCLUSION)
"""What players impose on themselves."""

BARS = (Kind.EXCLUSION, *BY_THEMSELVES)
"""Whoever is under one of these neither sits down nor stakes."""


def staff_do_not_play() -> Refused:
    """The refusal of whatever only players do."""
    return Refused("", say("Staff of the house do not play."))


def not_admitted(players: Collection[int], realm: int) -> dict[int, Refused]:
    """Who of these does not play at the tables of this realm, and why: staff, who plays with other money, and visitors
    who have left their kiosk."""
    admitted = Q(kiosk__isnull=True) if realm == Realm.FLOOR else Q(kiosk__isnull=False, is_active=True)
    return {one.pk: _why_not(one, realm) for one in Player.objects.filter(pk__in=players).exclude(admitted, role="")}


def _why_not(player: Player, realm: int) -> Refused:
    if player.role:
        return staff_do_not_play()
    if player.realm == realm:
        return Refused("", say("You have left."))
    if realm == Realm.FLOOR:
        return Refused("table", say("At this table people play with their own chips."))
    return Refused("table", say("This table is for visitors at our kiosks."))


def in_force(players: Collection[int], kinds: Iterable[str], now: datetime) -> Mapping[int, list[Restriction]]:
    """Restrictions of these kinds that hold for these players now, oldest first. A self-exclusion holds until its
    player has said that they want to play again."""
    held: defaultdict[int, list[Restriction]] = defaultdict(list)
    found = Restriction.objects.filter(player_id__in=players, kind__in=list(kinds), lifted_at__isnull=True)
    for one in found.filter(Q(until__isnull=True) | Q(until__gt=now) | Q(kind=Kind.OWN_EXCLUSION)).order_by("at", "pk"):
        held[one.player_id].append(one)
    return held


def excluded(player: int, realm: int, now: datetime) -> Refused | None:
    """Why this player may not sit down at a table of this realm; None if they may."""
    return Stakes([player], realm, now).barred(player, in_round=False)


_OF_STAKES = (*BARS, Kind.LIMIT)
"""Restrictions of these kinds concern what is staked."""


class _Concern(StrEnum):
    """What may be said of a player who stakes."""

    ADMISSION = "admission"
    RESTRICTION = "restriction"
    OWN = "own"
    """A limit of their own: its kind, and cents or minutes."""
    PLAYED = "played"
    """Minutes that somebody with a limit of time has played today."""
    CHECK = "check"
    """Their reality check is due."""


def _concerns(players: Collection[int], realm: int, now: datetime) -> list[tuple[str, int, str, int | None]]:
    """What concerns these players when they stake, as (concern, player, kind, number): asked in one statement, as
    nearly always there is nothing."""
    who, ids = sql.one_of(players)
    kiosk = "" if realm == Realm.FLOOR else "NOT"
    active = "" if realm == Realm.FLOOR else "AND is_active"
    kinds = ", ".join(f"'{kind}'" for kind in _OF_STAKES)
    at = sql.moment(now)
    return sql.fetched(
        f"SELECT '{_Concern.ADMISSION}', id, '', CAST(NULL AS bigint) FROM tables_player "  # noqa: S608
        f"WHERE id {who} AND NOT (role = '' AND kiosk_id IS {kiosk} NULL {active}) "
        f"UNION ALL SELECT '{_Concern.RESTRICTION}', player_id, kind, NULL FROM tables_restriction "
        f"WHERE player_id {who} AND kind IN ({kinds}) AND lifted_at IS NULL "
        f"AND (until IS NULL OR until > %s OR kind = '{Kind.OWN_EXCLUSION}') "
        f"UNION ALL SELECT '{_Concern.OWN}', player_id, kind, "
        "CASE WHEN changes_at <= %s THEN next_most ELSE most END FROM tables_ownlimit "
        f"WHERE player_id {who} "
        f"UNION ALL SELECT '{_Concern.PLAYED}', clock.player_id, '', clock.played_s / 60 FROM tables_playclock clock "
        f"JOIN tables_ownlimit own ON own.player_id = clock.player_id AND own.kind = '{Own.TIME}' "
        f"WHERE clock.player_id {who} AND clock.day = %s "
        f"UNION ALL SELECT '{_Concern.CHECK}', player_id, '', NULL FROM tables_playclock "
        f"WHERE player_id {who} AND check_due_at <= %s AND seen_at > %s",
        [ids, ids, at, at, ids, ids, today(now).isoformat(), ids, at, sql.moment(now - SESSION_ENDS_AFTER)],
    )


class Stakes:
    """What the house and they themselves leave some players to stake at a table of this realm, in one transaction.

    One statement for players whom nothing concerns, one more for those with a limit of loss or stakes of their own.
    """

    def __init__(self, players: Collection[int], realm: int, now: datetime) -> None:
        who = set(players)
        concerns = _concerns(who, realm, now)
        found = {concern for concern, *_ in concerns}
        self._not_admitted = not_admitted(who, realm) if _Concern.ADMISSION in found else {}
        self._held = in_force(who, _OF_STAKES, now) if _Concern.RESTRICTION in found else {}
        self._now = now
        self._laid = Counter[int]()
        self._due = {player for concern, player, *_ in concerns if concern == _Concern.CHECK}
        self._minutes = {player: number or 0 for concern, player, _, number in concerns if concern == _Concern.PLAYED}
        self._own: defaultdict[int, dict[str, int]] = defaultdict(dict)
        for concern, player, kind, number in concerns:
            if concern == _Concern.OWN and number is not None:
                self._own[player][kind] = number
        counted = [player for player, limits in self._own.items() if {Own.LOSS, Own.STAKE} & limits.keys()]
        self._today = played_since(counted, day_began(now)) if counted else {}

    def check_is_due(self, player: int) -> bool:
        """Whether this player has to read their reality check."""
        return player in self._due

    def barred(self, player: int, *, in_round: bool) -> Refused | None:
        """Why this player may do nothing here now, whatever it costs; None if they may. A reality check waits
        while they have a stake in the round."""
        if (why := self._not_admitted.get(player)) is not None:
            return why
        if (why := _excluded(self._held.get(player, ()), self._now)) is not None:
            return why
        minutes = self._own[player].get(Own.TIME) if player in self._own else None
        if minutes is not None and self._minutes.get(player, 0) >= minutes:
            return Refused("", say("Your own limit of %(minutes)s minutes a day is reached.", minutes=minutes))
        if player in self._due and not in_round:
            return Refused("", say("Your reality check is due. Read it first."))
        return None

    def refused(self, player: int, cents: int, *, in_round: bool = False) -> Refused | None:
        """Why this player may not stake this much more now; None if they may. `in_round`: whether they have staked in
        this round already."""
        if (why := self.barred(player, in_round=in_round)) is not None:
            return why
        limits = [one.cents for one in self._held.get(player, ()) if one.kind == Kind.LIMIT and one.cents is not None]
        if limits:
            left = max(0, min(limits) - staked_today(player, self._now) - self._laid[player])
            if cents > left:
                return Refused("", say("Your limit leaves %(left)s for today.", left=Amount(left)))
        return self._beyond_own(player, cents) if player in self._own else None

    def _beyond_own(self, player: int, cents: int) -> Refused | None:
        own, today_ = self._own[player], self._today.get(player, Played())
        if (most := own.get(Own.STAKE)) is not None:
            left = max(0, most - today_.staked - self._laid[player])
            if cents > left:
                return Refused("", say("Your own limit of stakes leaves %(left)s for today.", left=Amount(left)))
        if (most := own.get(Own.LOSS)) is not None:
            left = max(0, most + today_.net - self._laid[player])
            if cents > left:
                return Refused("", say("Your own limit of loss leaves %(left)s for today.", left=Amount(left)))
        return None

    def laid(self, player: int, cents: int) -> None:
        """This player has staked so much, and the ledger does not say so yet."""
        self._laid[player] += cents


def silenced(player: int, now: datetime) -> Refused | None:
    """Why this player may not talk; None if they may."""
    if (why := not_admitted([player], Realm.FLOOR).get(player)) is not None:
        return why
    held = in_force([player], [Kind.MUTE], now).get(player, ())
    return next((Refused("", _told(one, now)) for one in held), None)


def in_words(player: int, now: datetime) -> list[Words]:
    """All restrictions of this player that are in force, in words, oldest first."""
    return [_told(one, now) for one in in_force([player], Kind.values, now).get(player, ())]


def staked_today(player: int, now: datetime, *, seen_by_staff: bool = False) -> int:
    """What this player has staked since midnight in Macau, in cents, without withdrawn and void stakes; as staff see it
    without what lies in a round whose raises are private (`tables.queries.discretion`)."""
    moved = Transfer.objects.filter(at__gte=day_begun(now))
    if seen_by_staff:
        moved = moved.exclude(pk__in=unseen().values("pk"))
    laid = moved.filter(debit__player_id=player, reason__in=LAID).aggregate(cents=Sum("amount"))["cents"] or 0
    back = moved.filter(credit__player_id=player, reason__in=TAKEN_BACK).aggregate(cents=Sum("amount"))["cents"] or 0
    return laid - back


def _excluded(held: Iterable[Restriction], now: datetime) -> Refused | None:
    return next((Refused("", _told(one, now)) for one in held if one.kind in BARS), None)


def _told(one: Restriction, now: datetime) -> Words:
    until = one.until.astimezone(MACAU).strftime("%Y-%m-%d %H:%M") if one.until is not None else ""
    match Kind(one.kind):
        case Kind.WARNING:
            return say("The house warns you: %(why)s", why=one.why)
        case Kind.MUTE if until:
            return say("The house has silenced you until %(until)s.", until=until)
        case Kind.MUTE:
            return say("The house has silenced you.")
        case Kind.EXCLUSION if until:
            return say("The house has excluded you from playing until %(until)s.", until=until)
        case Kind.EXCLUSION:
            return say("The house has excluded you from playing.")
        case Kind.LIMIT:
            return say("You may stake %(most)s a day.", most=Amount(one.cents or 0))
        case Kind.BREAK:
            return say("You are taking a break until %(until)s.", until=until)
        case Kind.OWN_EXCLUSION if one.until is not None and one.until <= now:
            return say(
                "You had excluded yourself until %(until)s. To play again, say so under Play safely.", until=until
            )
        case Kind.OWN_EXCLUSION:
            return say("You have excluded yourself until %(until)s.", until=until)
