"""What the pit does about a player: warn, mute, remove, exclude, limit; and give a comp."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db.models import Sum

from tables.base import announce
from tables.base.calendar import day_begun
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.refs import own_ref, used_for_another
from tables.base.rights import Right, demand
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.money import CREDIT
from tables.games.values.words import Amount, say
from tables.models import Alert, Event, Player, Restriction, Transfer
from tables.services.journal import alerts, events
from tables.services.money import wallet
from tables.services.money.wallet import Posting, Reason
from tables.services.players import people
from tables.services.rounds import seating

from .second_person import SecondPersonNeeded

Kind = Restriction.Kind

MOST_COMP = 1_000_000 * CREDIT
"""No comp is more than this, in cents, whoever approves it."""

MOST_LIMIT = 1_000_000_000 * CREDIT
"""No limit of stakes is more than this, in cents: it would limit nothing."""

RIGHT_TO = {Kind.WARNING: Right.WARN, Kind.MUTE: Right.WARN, Kind.EXCLUSION: Right.EXCLUDE, Kind.LIMIT: Right.EXCLUDE}
"""Which right each restriction needs, to impose it and to lift it."""


def right_to(kind: str) -> Right:
    """The right that a restriction of this kind needs. Raises Refused for those that are their player's alone."""
    if (right := RIGHT_TO.get(Kind(kind))) is None:
        raise Refused("", say("This is the player's own decision. The house neither makes it nor ends it early."))
    return right


def restrict(
    by: Player,
    player: int,
    kind: str,
    why: str,
    *,
    until: datetime | None = None,
    cents: int | None = None,
    clock: Clock = DATABASE_CLOCK,
) -> Restriction:
    """Impose a restriction on a player, until a time or for good. Raises Refused.

    The stakes of an excluded player are played to their end; their seats go after the round.
    """
    demand(by, right_to(kind))
    events.check_reason(why)
    with unit_of_work():
        about = people.known(player)
        now = clock.now()
        if until is not None and until <= now:
            raise Refused("", say("This is over before it begins."))
        if (kind == Kind.LIMIT) != (cents is not None) or (cents is not None and cents < 0):
            raise Refused("", say("A limit has an amount, and nothing else has."))
        if cents is not None and cents > MOST_LIMIT:
            raise Refused("", say("No limit is more than %(most)s.", most=Amount(MOST_LIMIT)))
        if kind == Kind.EXCLUSION:
            seating.give_up_all(about.pk, clock=clock)
        restriction = Restriction.objects.create(
            player=about, kind=kind, cents=cents, why=why, by=by, at=now, until=until
        )
        after = {"kind": str(kind), "until": until.isoformat() if until else None, "cents": cents}
        events.record(Event.Kind.RESTRICT, by=by.pk, player=about.pk, why=why, after=after, clock=clock)
        announce.players_changed([about.pk])
        return restriction


def lift(by: Player, restriction: int, why: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Lift a restriction before its time. Raises Refused."""
    events.check_reason(why)
    with unit_of_work():
        one = Restriction.objects.select_for_update().get(pk=restriction)
        demand(by, right_to(one.kind))
        if one.lifted_at is not None:
            raise Refused("", say("It has been lifted already."))
        one.lifted_by, one.lifted_at = by, clock.now()
        one.save(update_fields=["lifted_by", "lifted_at"])
        before = {"kind": one.kind, "until": one.until.isoformat() if one.until else None, "cents": one.cents}
        events.record(Event.Kind.LIFT, by=by.pk, player=one.player_id, why=why, before=before, clock=clock)
        announce.players_changed([one.player_id])


def remove(by: Player, player: int, table: int, why: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Remove a player from their seat: at once if they have no stake in the round, else after it. Raises Refused."""
    demand(by, Right.WARN)
    events.check_reason(why)
    with unit_of_work():
        about = people.known(player)
        if not seating.give_up(about.pk, table, clock=clock):
            raise Refused("", say("The player does not sit at this table."))
        events.record(Event.Kind.REMOVE, by=by.pk, player=about.pk, table=table, why=why, clock=clock)


def comp(
    by: Player,
    player: int,
    cents: int,
    why: str,
    *,
    ref: str = "",
    approved_by: Player | None = None,
    clock: Clock = DATABASE_CLOCK,
) -> None:
    """Give a player credits of the house. Raises Refused, and SecondPersonNeeded beyond what one member gives in a day
    of Macau (`COMP_ALONE` of the settings).

    What is given under the same `ref` once more is not given again; without one it is given each time.
    """
    demand(by, Right.COMP)
    events.check_reason(why)
    if type(cents) is not int or cents <= 0:
        raise Refused("", say("Give something, or nothing at all."))
    if cents > MOST_COMP:
        raise Refused("", say("No comp is more than %(most)s.", most=Amount(MOST_COMP)))
    with unit_of_work():
        about = people.known(player)
        house = wallet.house_of(about.realm)
        accounts = wallet.lock([house, wallet.player(about.pk)])
        if ref and (known := Event.objects.filter(deed=Event.Kind.COMP, by=by, player=about, after__ref=ref).first()):
            if known.after != {"cents": cents, "ref": ref}:
                raise used_for_another(own_ref(by.key, ref))
            return
        if approved_by is None and given_today(by, clock.now()) + cents > settings.COMP_ALONE * CREDIT:
            raise SecondPersonNeeded
        after = {"cents": cents, **({"ref": ref} if ref else {})}
        event = events.record(Event.Kind.COMP, by=by.pk, player=about.pk, why=why, after=after, clock=clock)
        posting = Posting(f"comp:{event.seq}", house, wallet.player(about.pk), cents, Reason.COMP, by.key)
        wallet.post(accounts, [posting], at=event.at)
        told = {"who": str(about), "by": str(by), "cents": cents}
        alerts.raise_alert(Alert.Kind.COMP, f"{Alert.Kind.COMP}:{event.seq}", at=event.at, about=told)
        announce.players_changed([about.pk])


def given_today(by: Player, now: datetime) -> int:
    """What this member of the staff has given in comps since midnight in Macau, in cents, approved ones included."""
    given = Transfer.objects.filter(reason=Reason.COMP, by=by.key, at__gte=day_begun(now))
    return given.aggregate(cents=Sum("amount"))["cents"] or 0
