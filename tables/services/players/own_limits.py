"""Limits that players set for themselves: a loss, stakes and time a gaming day.

A limit that is set or lowered holds at once. One that is raised or removed holds 24 hours later, is shown as waiting
until then, and may be taken back. What a decision adds to a stake that lies already (a double, a raise) is counted and
never refused: to refuse it would cost the player what lies.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from tables.base import security
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.money import CREDIT
from tables.games.values.words import Amount, Words, say
from tables.models import Event, OwnLimit, Player
from tables.services.journal import events
from tables.services.money import wallet

from .restrictions import not_admitted

Kind = OwnLimit.Kind

RAISED_AFTER = timedelta(hours=24)
"""A limit that is raised or removed holds so long after that was asked for."""

MOST_A_DAY, A_DAY = 100, timedelta(hours=24)
"""So many changes of limits, and breaks, one player may ask for in so much time: each is an event for good."""

MOST: Mapping[Kind, int] = {Kind.LOSS: 1_000_000_000 * CREDIT, Kind.STAKE: 1_000_000_000 * CREDIT, Kind.TIME: 24 * 60}
"""No limit is more than this, in cents or minutes: it would limit nothing."""


def limits_of(player: int) -> dict[Kind, OwnLimit]:
    """The limits of this player, those that have been removed included."""
    return {Kind(one.kind): one for one in OwnLimit.objects.filter(player_id=player)}


def set_limit(player: int, kind: str, most: int | None, *, clock: Clock = DATABASE_CLOCK) -> OwnLimit:
    """Set, lower, raise or remove (None) a limit, in cents or minutes. Raises Refused.

    What is asked for takes the place of what waited.
    """
    which = Kind(kind)
    if most is not None and not 0 < most <= MOST[which]:
        raise Refused("", _out_of_range(which))
    with unit_of_work():
        owner = _owner(player)
        wallet.lock([wallet.player(player)])  # a bet that the limit forbids is committed before it, or refused
        now = clock.now()
        check_pace(player, now)
        limit = OwnLimit.objects.filter(player=owner, kind=which).first() or OwnLimit(player=owner, kind=which)
        was = _in_json(limit, now)
        holds = limit.at(now)
        at_once = holds is None or (most is not None and most <= holds)
        limit.most = most if at_once else holds
        limit.next_most, limit.changes_at = (None, None) if at_once else (most, now + RAISED_AFTER)
        limit.set_at = now
        limit.save()
        _record(owner, limit, was, now, clock)
        return limit


def check_pace(player: int, now: datetime) -> None:
    """Raise Refused if this player has asked for very many limits and breaks lately."""
    kinds = (Event.Kind.OWN_LIMIT, Event.Kind.OWN_EXCLUSION)
    if Event.objects.filter(player_id=player, deed__in=kinds, at__gt=now - A_DAY).count() >= MOST_A_DAY:
        security.note("too many own limits", "limited", player=player)
        raise Refused("", say("You have changed your limits very often today. Try again tomorrow."))


def take_back(player: int, kind: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Take back a raise or a removal that waits. Raises Refused if none does."""
    with unit_of_work():
        owner = _owner(player)
        now = clock.now()
        limit = OwnLimit.objects.filter(player=owner, kind=Kind(kind)).first()
        if limit is None or not limit.waits(now):
            raise Refused("", say("Nothing waits here."))
        was = _in_json(limit, now)
        limit.next_most = limit.changes_at = None
        limit.save()
        _record(owner, limit, was, now, clock)


def _owner(player: int) -> Player:
    """The player, locked: limits are changed one after the other. Raises Refused for staff and visitors of kiosks."""
    owner = Player.objects.select_for_update(no_key=True).get(pk=player)
    if (why := not_admitted([player], 0).get(player)) is not None:
        raise why
    return owner


def _record(owner: Player, limit: OwnLimit, was: dict[str, object], now: datetime, clock: Clock) -> None:
    becomes = _in_json(limit, now)
    if becomes != was:
        events.record(
            Event.Kind.OWN_LIMIT, by=owner.pk, player=owner.pk, before=was, after={"kind": limit.kind, **becomes},
            clock=clock,
        )  # fmt: skip


def _in_json(limit: OwnLimit, now: datetime) -> dict[str, object]:
    """What holds now, and what waits."""
    unit = "minutes" if limit.kind == Kind.TIME else "cents"
    said: dict[str, object] = {unit: limit.at(now)}
    if limit.waits(now) and limit.changes_at is not None:
        said |= {f"{unit}_later": limit.next_most, "changes_at": limit.changes_at.isoformat()}
    return said


def _out_of_range(kind: Kind) -> Words:
    if kind == Kind.TIME:
        return say("A limit of time is 1 to %(most)s minutes.", most=MOST[kind])
    return say("A limit is more than nothing, and %(most)s at most.", most=Amount(MOST[kind]))
