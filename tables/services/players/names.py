"""Names of people: who may be called what, and that nobody is called what looks like somebody else's name."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import Q

from tables.base import names
from tables.games.contract.errors import Refused
from tables.games.values.words import Words, say
from tables.models import Player, TakenName

UNNAMED_PREFIX = "player-"
"""How the name at the tables begins of somebody who has chosen none."""

NOT_FREE = say("This name is not free.")


def fault(name: str, *, shown: bool = True, player: int | None = None) -> Words | None:
    """Why this name (a normal one) cannot be chosen, at the tables if `shown`, or else as a user name; None if it can.

    What is taken by `player` counts as free for them.
    """
    if (why := names.fault(name, shown=shown)) is not None:
        return why
    if names.is_reserved(name):
        return NOT_FREE
    taken = TakenName.objects.filter(skeleton__in=names.skeletons(name))
    # … and those that were given by other hands than `claim`.
    called = Player.objects.filter(Q(username__iexact=name) | Q(name__iexact=name))
    is_taken = taken.exclude(player_id=player or 0).exists() or called.exclude(pk=player or 0).exists()
    return NOT_FREE if is_taken else None


def distinct(username: str, name: str) -> Words | None:
    """Why these two do not go together: at the tables nobody should read what somebody logs in with."""
    if names.skeletons(username) & names.skeletons(name):
        return say("Choose a name that is not your user name: everybody at the tables reads it.")
    return None


def unnamed(player: Player) -> str:
    """The name at the tables of a player who has chosen none."""
    return f"{UNNAMED_PREFIX}{player.pk}"


def claim(player: Player) -> None:
    """From now on the names of this player are taken, and their former ones free. Raises Refused if one is not free.

    In the transaction that gives the names.
    """
    looks = names.skeletons(player.username) | names.skeletons(player.name)
    TakenName.objects.filter(player=player).exclude(skeleton__in=looks).delete()
    known = set(TakenName.objects.filter(player=player).values_list("skeleton", flat=True))
    new = [TakenName(skeleton=look, player=player) for look in sorted(looks - known)]
    try:
        with transaction.atomic():
            TakenName.objects.bulk_create(new)
    except IntegrityError:
        raise Refused("name", NOT_FREE) from None


def rename(player: Player, name: str) -> str:
    """Give this player another name at the tables. Returns it as it is kept. Raises Refused."""
    name = names.normal(name)
    why = distinct(player.username, name) or fault(name, player=player.pk)
    if why is not None:
        raise Refused("name", why)
    with transaction.atomic():
        Player.objects.filter(pk=player.pk).update(name=name)
        player.name = name
        claim(player)
    return name
