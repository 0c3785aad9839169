"""Breaks and self-exclusions: a player bars themselves from playing for a time, and nobody ends it early.

What lies on a layout is played to its end; seats are given up at once, or after the round. A break ends by itself.
After a self-exclusion its player says that they want to play again, and until then it holds on.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from tables.base import announce
from tables.base.calendar import months_later
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.words import say
from tables.models import Event, Player, Realm, Restriction
from tables.services.journal import events
from tables.services.money import wallet
from tables.services.players.own_limits import check_pace
from tables.services.players.restrictions import BY_THEMSELVES, in_force, not_admitted

from . import seating

Kind = Restriction.Kind

BREAKS: Mapping[str, timedelta] = {
    "1h": timedelta(hours=1),
    "6h": timedelta(hours=6),
    "1d": timedelta(days=1),
    "3d": timedelta(days=3),
    "7d": timedelta(days=7),
}
"""How long a break may be, by the name that a form gives it."""

EXCLUSIONS: Mapping[str, int] = {"6m": 6, "1y": 12, "2y": 24, "5y": 60}
"""Months of a self-exclusion, likewise."""


def take_break(player: int, length: str, *, clock: Clock = DATABASE_CLOCK) -> Restriction:
    """Bar oneself from playing for a short time. Raises Refused."""
    if length not in BREAKS:
        raise Refused("", say("Choose how long."))
    now = clock.now()
    return _bar(player, Kind.BREAK, now, now + BREAKS[length], clock)


def exclude_oneself(player: int, length: str, *, clock: Clock = DATABASE_CLOCK) -> Restriction:
    """Bar oneself from playing for months or years. Raises Refused; a guest needs an account first, since nobody knows
    them again without their browser."""
    if length not in EXCLUSIONS:
        raise Refused("", say("Choose how long."))
    if Player.objects.filter(pk=player, guest=True).exists():
        raise Refused("", say("Keep this account first: a guest who has left cannot be recognised again."))
    now = clock.now()
    return _bar(player, Kind.OWN_EXCLUSION, now, months_later(now, EXCLUSIONS[length]), clock)


def _bar(player: int, kind: Kind, now: datetime, until: datetime, clock: Clock) -> Restriction:
    if (why := not_admitted([player], Realm.FLOOR).get(player)) is not None:
        raise why
    with unit_of_work():
        check_pace(player, now)
        held = in_force([player], BY_THEMSELVES, now).get(player, ())
        if any(one.until is not None and one.until >= until for one in held):
            raise Refused("", say("You have already barred yourself for at least as long."))
        seating.give_up_all(player, clock=clock)
        wallet.lock([wallet.player(player)])  # a bet that found nothing against it is committed before this
        one = Restriction.objects.create(player_id=player, kind=kind, by_id=player, at=now, until=until)
        after = {"kind": str(kind), "until": until.isoformat()}
        events.record(Event.Kind.OWN_EXCLUSION, by=player, player=player, after=after, clock=clock)
        announce.players_changed([player])
        return one


def play_again(player: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """After a self-exclusion: its player wants to play again. Raises Refused while one runs, or if there is none."""
    with unit_of_work():
        now = clock.now()
        held = list(
            Restriction.objects.select_for_update().filter(
                player_id=player, kind=Kind.OWN_EXCLUSION, lifted_at__isnull=True
            )
        )
        if not held:
            raise Refused("", say("You have not excluded yourself."))
        if any(one.until is not None and one.until > now for one in held):
            raise Refused("", say("Your self-exclusion is not over yet."))
        for one in held:
            one.lifted_by_id, one.lifted_at = player, now
            one.save(update_fields=["lifted_by", "lifted_at"])
        events.record(Event.Kind.OWN_RETURN, by=player, player=player, clock=clock)
        announce.players_changed([player])
