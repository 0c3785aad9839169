"""Who is staff, in which role, and with which second factor."""

from __future__ import annotations

from allauth.mfa.models import Authenticator

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, demand
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.words import say
from tables.models import Alert, Event, Favourite, Player, Role, RoundLog, Seat
from tables.queries.folds import round_of
from tables.services.journal import alerts, events
from tables.services.players import logins, people

from . import handover
from .second_person import SecondPersonNeeded

Kind = Alert.Kind


def appoint(
    by: Player | None,
    player: Player,
    role: str,
    why: str,
    *,
    approved_by: Player | None = None,
    alert: bool = True,
    clock: Clock = DATABASE_CLOCK,
) -> None:
    """Make a person a member of the staff, or give a member another role; `by` nobody it is the operator of the house,
    at its own machine. Raises Refused, and SecondPersonNeeded.

    Staff do not play: the player must have no seat and no stake, and their favourites are deleted.
    """
    _may_change(by, player)
    if role not in Role.values:
        raise Refused("", say("There is no such role."))
    with unit_of_work():
        player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        if player.guest or not player.is_active or not player.has_usable_password():
            raise Refused("", say("Only somebody with a password of their own can join the staff."))
        if Seat.objects.filter(player=player).exists() or _plays(player):
            raise Refused("", say("%(name)s is playing and must leave the tables first.", name=str(player)))
        if player.role == role:
            raise Refused("", say("%(name)s has this role already.", name=str(player)))
        _need_two(by, approved_by)
        Favourite.objects.filter(player=player).delete()
        _change(by, player, role, why, clock)
        if by is None:
            handover.forget(player)
        if alert:
            _alert("appointed", by, player, role, clock)


def dismiss(by: Player | None, player: Player, why: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """A member of the staff is a player like all others from now on, without a second factor. Raises Refused.

    It only takes rights away, and may be urgent: one person does it, and the others are told.
    """
    _may_change(by, player)
    with unit_of_work():
        player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        if not player.role:
            raise Refused("", say("%(name)s is not a member of the staff.", name=str(player)))
        Authenticator.objects.filter(user=player).delete()
        handover.forget(player)
        _change(by, player, "", why, clock)
        people.welcome(player, clock=clock)
        _alert("dismissed", by, player, "", clock)


def remove_second_factor(
    by: Player | None, player: Player, why: str, *, approved_by: Player | None = None, clock: Clock = DATABASE_CLOCK
) -> None:
    """Remove a lost second factor, or the code that was handed over for the first one; at the next login the member
    sets up a new one. Raises Refused, and SecondPersonNeeded."""
    _may_change(by, player)
    with unit_of_work():
        removed, _ = Authenticator.objects.filter(user=player).delete()
        waits = handover.forget(player)
        if not removed and not waits:
            raise Refused("", say("%(name)s has no second factor.", name=str(player)))
        _need_two(by, approved_by)
        logins.end_all(player.pk)
        events.record(
            Event.Kind.SECOND_FACTOR,
            by=by.pk if by is not None else None,
            player=player.pk,
            why=why,
            before=bool(removed),
            after=False,
            clock=clock,
        )
        _alert("factor", by, player, player.role, clock)


def took_second_factor(player: Player, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Record that this member of the staff has set up a second factor; the code that they were handed is used up."""
    with unit_of_work():
        handover.forget(player)
        events.record(Event.Kind.SECOND_FACTOR, by=player.pk, player=player.pk, before=False, after=True, clock=clock)


def _need_two(by: Player | None, approved_by: Player | None) -> None:
    if by is not None and approved_by is None:
        raise SecondPersonNeeded


def _may_change(by: Player | None, player: Player) -> None:
    if by is None:
        return
    demand(by, Right.APPOINT)
    if by.pk == player.pk:
        raise Refused("", say("Nobody changes their own role."))


def _alert(what: str, by: Player | None, player: Player, role: str, clock: Clock) -> None:
    """Tell everybody in the pit that somebody has joined, left, or lost their second factor."""
    now = clock.now()
    about = {"what": what, "who": str(player), "role": role, "by": str(by) if by is not None else ""}
    alerts.raise_alert(Kind.STAFF, f"{Kind.STAFF}:{player.pk}:{what}:{now.timestamp():.6f}", at=now, about=about)


def _plays(player: Player) -> bool:
    running = RoundLog.objects.filter(settled_at__isnull=True)
    return any(round_of(log).in_escrow(player.key) for log in running)


def _change(by: Player | None, player: Player, role: str, why: str, clock: Clock) -> None:
    before, player.role = player.role, role
    player.save(update_fields=["role"])
    logins.end_all(player.pk)
    events.record(
        Event.Kind.ROLE,
        by=by.pk if by is not None else None,
        player=player.pk,
        why=why,
        before=before,
        after=role,
        clock=clock,
    )
