"""What a restricted player may not do. Asked wherever a player sits down, stakes or talks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from django.db.models import Q, Sum

from tables.base.calendar import MACAU, day_begun
from tables.games.contract.errors import Refused
from tables.games.values.words import Amount, Words, say
from tables.models import Player, Realm, Restriction, Transfer
from tables.queries.discretion import unseen
from tables.services.money import sql

Kind = Restriction.Kind

_LAID = (Transfer.Reason.STAKE, Transfer.Reason.MORE)
_TAKEN_BACK = (
    Transfer.Reason.WITHDRAW, Transfer.Reason.TRIM, Transfer.Reason.GIVEN_BACK, Transfer.Reason.VOID,
)  # fmt: skip
"""Reasons of transfers: what a player stakes, and what returns to them without being played."""


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
    return _other_money(realm) if player.realm != realm else Refused("", say("You have left."))


def _other_money(realm: int) -> Refused:
    if realm == Realm.FLOOR:
        return Refused("table", say("At this table people play with their own chips."))
    return Refused("table", say("This table is for visitors at our kiosks."))


def in_force(players: Collection[int], kinds: Iterable[str], now: datetime) -> Mapping[int, list[Restriction]]:
    """Restrictions of these kinds that hold for these players now, oldest first."""
    held: defaultdict[int, list[Restriction]] = defaultdict(list)
    found = Restriction.objects.filter(player_id__in=players, kind__in=list(kinds), lifted_at__isnull=True)
    for one in found.filter(Q(until__isnull=True) | Q(until__gt=now)).order_by("at", "pk"):
        held[one.player_id].append(one)
    return held


def excluded(player: int, realm: int, now: datetime) -> Refused | None:
    """Why this player may not sit down at a table of this realm; None if they may."""
    if (why := not_admitted([player], realm).get(player)) is not None:
        return why
    return _excluded(in_force([player], [Kind.EXCLUSION], now).get(player, ()))


_OF_STAKES = (Kind.EXCLUSION, Kind.LIMIT)
"""Restrictions of these kinds concern what is staked."""


def _any_concerned(players: Collection[int], realm: int, now: datetime) -> bool:
    """Whether `not_admitted` or `in_force` would say anything of what these players stake: asked in one statement, as
    nearly always they say nothing."""
    who, ids = sql.one_of(players)
    kiosk = "" if realm == Realm.FLOOR else "NOT"
    active = "" if realm == Realm.FLOOR else "AND is_active"
    kinds = ", ".join(f"'{kind}'" for kind in _OF_STAKES)
    return sql.found(
        f"SELECT 1 FROM tables_player WHERE id {who} AND NOT (role = '' AND kiosk_id IS {kiosk} NULL {active}) "  # noqa: S608
        f"UNION ALL SELECT 1 FROM tables_restriction WHERE player_id {who} AND kind IN ({kinds}) "
        "AND lifted_at IS NULL AND (until IS NULL OR until > %s) LIMIT 1",
        [ids, ids, sql.moment(now)],
    )


class Stakes:
    """What restrictions leave some players to stake at a table of this realm, in one transaction."""

    def __init__(self, players: Collection[int], realm: int, now: datetime) -> None:
        who = set(players)
        concerned = _any_concerned(who, realm, now)
        self._not_admitted = not_admitted(who, realm) if concerned else {}
        self._held = in_force(who, _OF_STAKES, now) if concerned else {}
        self._now = now
        self._laid = Counter[int]()

    def refused(self, player: int, cents: int) -> Refused | None:
        """Why this player may not stake this much more now; None if they may."""
        if (why := self._not_admitted.get(player)) is not None:
            return why
        held = self._held.get(player, [])
        limits = [one.cents for one in held if one.kind == Kind.LIMIT and one.cents is not None]
        if (why := _excluded(held)) is not None or not limits:
            return why
        left = max(0, min(limits) - staked_today(player, self._now) - self._laid[player])
        return None if cents <= left else Refused("", say("Your limit leaves %(left)s for today.", left=Amount(left)))

    def laid(self, player: int, cents: int) -> None:
        """This player has staked so much, and the ledger does not say so yet."""
        self._laid[player] += cents


def silenced(player: int, now: datetime) -> Refused | None:
    """Why this player may not talk; None if they may."""
    if (why := not_admitted([player], Realm.FLOOR).get(player)) is not None:
        return why
    held = in_force([player], [Kind.MUTE], now).get(player, ())
    return next((Refused("", _told(one)) for one in held), None)


def in_words(player: int, now: datetime) -> list[Words]:
    """All restrictions of this player that are in force, in words, oldest first."""
    return [_told(one) for one in in_force([player], Kind.values, now).get(player, ())]


def staked_today(player: int, now: datetime, *, seen_by_staff: bool = False) -> int:
    """What this player has staked since midnight in Macau, in cents, without withdrawn and void stakes; as staff see it
    without what lies in a round whose raises are private (`tables.queries.discretion`)."""
    moved = Transfer.objects.filter(at__gte=day_begun(now))
    if seen_by_staff:
        moved = moved.exclude(pk__in=unseen().values("pk"))
    laid = moved.filter(debit__player_id=player, reason__in=_LAID).aggregate(cents=Sum("amount"))["cents"] or 0
    back = moved.filter(credit__player_id=player, reason__in=_TAKEN_BACK).aggregate(cents=Sum("amount"))["cents"] or 0
    return laid - back


def _excluded(held: Iterable[Restriction]) -> Refused | None:
    return next((Refused("", _told(one)) for one in held if one.kind == Kind.EXCLUSION), None)


def _told(one: Restriction) -> Words:
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
