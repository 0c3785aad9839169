"""Several accounts of one place at a table where hands are private: the pit is told (GLI-19, 4.11).

Whoever knows several hands of one round decides better than the rules foresee. A family or an office may share an
address too, so this is for somebody to look at, and forbids nothing. Of the address only a keyed digest is kept, and
only as long as the player sits there or was there lately.
"""

from __future__ import annotations

from datetime import timedelta
from ipaddress import ip_network

from django.utils.crypto import salted_hmac

from casino.addresses import network_of
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.games import GAMES
from tables.models import Alert, Player, Realm, Seat, Table, TableOrigin
from tables.services.journal import alerts

LATELY = timedelta(minutes=15)
"""Whoever has no seat is taken to be there for so long after they came or laid something."""


def matters(game: str) -> bool:
    """Whether it matters at a table of this game who sits together."""
    return GAMES[game].private_hands


def note(table_id: int, player: int, address: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Somebody takes part at this table, from this address: remember it, and tell the pit who else did from there."""
    digest = _digest(address)
    if digest is None:
        return
    with unit_of_work():
        table = Table.objects.select_for_update().get(pk=table_id)
        if table.realm != Realm.FLOOR or not matters(table.game):
            return  # visitors at kiosks share the screens of the house
        now = clock.now()
        TableOrigin.objects.update_or_create(table=table, player_id=player, defaults={"digest": digest, "at": now})
        seated = set(Seat.objects.filter(table=table).values_list("player_id", flat=True))
        here = TableOrigin.objects.filter(table=table)
        here.filter(at__lte=now - LATELY).exclude(player_id__in=seated).delete()
        others = here.filter(digest=digest).exclude(player_id=player)
        for other in Player.objects.filter(pk__in=others.values("player")).order_by("pk"):
            _tell(table, Player.objects.get(pk=player), other, clock)


def _tell(table: Table, one: Player, other: Player, clock: Clock) -> None:
    """Once a day for each two."""
    now = clock.now()
    first, second = sorted((one.pk, other.pk))
    key = f"{Alert.Kind.SHARED}:{table.pk}:{first}:{second}:{now:%Y-%m-%d}"
    if not alerts.is_known(key):
        alerts.raise_alert(Alert.Kind.SHARED, key, at=now, table=table.pk, about={"names": f"{one}, {other}"})


def _digest(address: str) -> str | None:
    """A keyed digest of the address, or of the house that it belongs to; None for what is no address."""
    place = network_of(address)
    try:
        ip_network(place)
    except ValueError:
        return None
    return str(salted_hmac("tables.origins", place, algorithm="sha256").hexdigest())
