"""Favourite bets: what somebody had on the layout, saved under a name, and laid again with one tap."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import IntegrityError, transaction

from tables.base import announce
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.contract.round import Stake
from tables.games.values.words import say
from tables.models import Favourite, Player, Seat, Table
from tables.models.bettors import bettor_of
from tables.queries.folds import round_of
from tables.services.players.chat import cleaned
from tables.services.players.restrictions import staff_do_not_play

from .betting import BetRequest, requests_of

MOST = 12
"""So many somebody may have for one game."""

LONGEST_NAME = 30
"""Characters."""


def save(player: int, table_id: int, name: str) -> str:
    """Save what this player has on the layout now, in the place of what had this name; the name. Raises Refused."""
    wanted = _name(name)
    with unit_of_work():
        _lock(player)
        table = Table.objects.select_related("round").get(pk=table_id)
        round_ = round_of(table.round) if table.round is not None else None
        own = [stake for stake in (round_.stakes() if round_ is not None else ()) if stake.by == bettor_of(player)]
        if round_ is None or round_.over or not own:
            raise Refused("", say("You have no stake on the layout."))
        others = Favourite.objects.filter(player_id=player, game=table.game).exclude(name=wanted)
        if others.count() >= MOST:
            raise Refused("", say("You have %(most)s favourites for this game, the most allowed.", most=MOST))
        stakes = _added_up(own, _seat(player, table_id))
        Favourite.objects.update_or_create(player_id=player, game=table.game, name=wanted, defaults={"stakes": stakes})
        announce.players_changed([player])
    return wanted


def rename(player: int, favourite: int, name: str) -> str:
    """Call it otherwise; the name. Raises Refused."""
    wanted = _name(name)
    with unit_of_work():
        _lock(player)
        found = _own(player, favourite)
        found.name = wanted
        try:
            with transaction.atomic():
                found.save(update_fields=["name"])
        except IntegrityError:
            raise Refused("", say("Another favourite is called %(name)s.", name=wanted)) from None
        announce.players_changed([player])
    return wanted


def drop(player: int, favourite: int) -> str:
    """Forget it; the name that it had. Raises Refused."""
    with unit_of_work():
        _lock(player)
        found = _own(player, favourite)
        found.delete()
        announce.players_changed([player])
    return found.name


def requests(player: int, table_id: int, favourite: int, ref: str) -> list[BetRequest]:
    """The bets of a favourite as they are laid at this table, from where the player sits now. Raises Refused."""
    found = _own(player, favourite)
    if found.game != Table.objects.values_list("game", flat=True).get(pk=table_id):
        raise Refused("", say("%(name)s belongs to another game.", name=found.name))
    seat = _seat(player, table_id)
    return requests_of(
        player, ref, ((one["spot"], one["amount"], seat if one.get("own") else one.get("box")) for one in found.stakes)
    )


def _added_up(own: list[Stake], seat: int | None) -> list[Mapping[str, object]]:
    """What lies there, one entry for each place, in the order in which it was first laid."""
    sums: dict[tuple[str, int | None], int] = {}
    for stake in own:
        sums[stake.spot, stake.box] = sums.get((stake.spot, stake.box), 0) + stake.amount
    places: list[Mapping[str, object]] = []
    for (spot, box), amount in sums.items():
        where = {} if box is None else {"own": True} if box == seat else {"box": box}
        places.append({"spot": spot, "amount": amount, **where})
    return places


def _seat(player: int, table_id: int) -> int | None:
    return Seat.objects.filter(table_id=table_id, player_id=player).values_list("number", flat=True).first()


def _name(text: str) -> str:
    name = cleaned(text)
    if not name:
        raise Refused("", say("A favourite needs a name."))
    if len(name) > LONGEST_NAME:
        raise Refused("", say("A name has at most %(most)s characters.", most=LONGEST_NAME))
    return name


def _own(player: int, favourite: int) -> Favourite:
    found = Favourite.objects.filter(pk=favourite, player_id=player).first()
    if found is None:
        raise Refused("", say("You have no such favourite."))
    return found


def _lock(player: int) -> None:
    """How many there are is counted, and their names compared, under it."""
    if Player.objects.select_for_update(no_key=True).get(pk=player).role:
        raise staff_do_not_play()
