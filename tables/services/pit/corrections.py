"""What is corrected in Django's admin: a name, an address, an order. No money, no rules, nobody's role."""

from __future__ import annotations

from collections.abc import Mapping

from allauth.account.models import EmailAddress

from tables.base import announce
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, demand
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.words import say
from tables.models import Event, Jackpot, Player, Table
from tables.services.journal import events
from tables.services.players import logins, names

from .second_person import SecondPersonNeeded

Thing = Player | Table | Jackpot

FIELDS: Mapping[type[Thing], tuple[str, ...]] = {
    Player: ("name", "email", "is_active"),
    Table: ("name", "position"),
    Jackpot: ("name",),
}
"""What can be corrected of each. Addresses (slugs) stay: links, sockets and the books know them."""


def correct(
    by: Player,
    thing: Thing,
    changes: Mapping[str, object],
    why: str,
    *,
    approved_by: Player | None = None,
    clock: Clock = DATABASE_CLOCK,
) -> Thing:
    """Set these fields; what stands there already is no change. Returns the thing as it is now. Raises Refused, and
    SecondPersonNeeded for another e-mail address: whoever reads its letters can take the account.

    Members of the staff are not corrected here: who is one, and who has left, is a deed of its own.
    """
    demand(by, Right.ADMINISTER)
    assert changes.keys() <= set(FIELDS[type(thing)]), f"not corrected here: {sorted(changes)}"
    events.check_reason(why)
    with unit_of_work():
        found: Thing = type(thing)._default_manager.select_for_update(no_key=True).get(pk=thing.pk)
        before = {name: getattr(found, name) for name in changes if getattr(found, name) != changes[name]}
        after = {name: changes[name] for name in before}
        if not after:
            return found
        if isinstance(found, Player):
            _check(found, after)
            if "email" in after and approved_by is None:
                raise SecondPersonNeeded
        for name, value in after.items():
            setattr(found, name, value)
        if isinstance(found, Table):
            found.version += 1
            found.save(update_fields=[*after, "version"])
            announce.table_changed(found.pk, version=found.version)
        else:
            found.save(update_fields=list(after))
        if isinstance(found, Jackpot):
            before["jackpot"] = after["jackpot"] = found.slug
            announce.jackpot_changed(found.pk)
        if isinstance(found, Player):
            _follow(found, after)
        events.record(
            Event.Kind.ADMINISTERED,
            by=by.pk,
            table=found.pk if isinstance(found, Table) else None,
            player=found.pk if isinstance(found, Player) else None,
            why=why.strip(),
            before=before,
            after=after,
            clock=clock,
        )
        return found


def _check(player: Player, after: Mapping[str, object]) -> None:
    """Raise Refused if this player may not be called so, or written to there."""
    if player.role:
        raise Refused("", say("Members of the staff are not administered here."))
    if player.kiosk_id is not None:
        raise Refused("", say("Visitors at kiosks come and go with their kiosk."))
    others = Player.objects.exclude(pk=player.pk)
    if name := str(after.get("name", "")):
        why = None if name == player.username else names.fault(name, player=player.pk)
        if why is not None:
            raise Refused("", why)
    email = after.get("email", "")
    theirs = EmailAddress.objects.exclude(user=player)
    if email and (others.filter(email__iexact=email).exists() or theirs.filter(email__iexact=email).exists()):
        raise Refused("", say("This e-mail address belongs to another account."))


def _follow(player: Player, after: Mapping[str, object]) -> None:
    """A letter goes to the new address alone; a closed account has no login."""
    if "email" in after:
        EmailAddress.objects.filter(user=player).delete()
        if player.email:
            EmailAddress.objects.create(user=player, email=player.email, primary=True, verified=False)
    if "name" in after:
        names.claim(player)
    if after.get("is_active") is False:
        logins.end_all(player.pk)
