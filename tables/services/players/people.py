"""New players, guests, and credits for those who run out."""

from __future__ import annotations

from datetime import timedelta
from ipaddress import ip_network
from uuid import uuid4

from django.utils.crypto import salted_hmac

from tables.base import announce
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.money import CREDIT
from tables.games.values.words import Amount, say
from tables.models import Account, Player, Realm
from tables.services.money import wallet
from tables.services.money.wallet import Posting, Reason

from .restrictions import not_admitted

FIRST_CREDITS = 10_000 * CREDIT
"""What each new player gets from the mint, in cents."""

NEARLY_BROKE = 500 * CREDIT
"""Below this balance a player may ask for more."""

TOP_UP_TO = FIRST_CREDITS
"""The balance that a top-up restores."""

GUEST_PREFIX, VISITOR_PREFIX = "guest-", "visitor-"
"""How the names of guests begin, and those by which visitors at kiosks are stored; nobody else's may."""

COOL_DOWN = timedelta(hours=1)
"""How long after the last time."""


def welcome(player: Player, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Open the wallet of a new player and put the first credits in it. Does nothing the second time, nor for staff."""
    with unit_of_work():
        if player.role or Account.objects.filter(player=player).exists():
            return
        wallet.open_house()
        wallet.open_player(player.pk)
        posting = Posting(
            f"welcome:{player.pk}", wallet.MINT, wallet.player(player.pk), FIRST_CREDITS, Reason.WELCOME, player.key
        )
        wallet.mint([posting], at=clock.now())


def origin_of(address: str) -> str:
    """The network of an address (of IPv6 the first 64 bits, which one household has), as a keyed digest: it tells
    guests of one network from those of another, and nothing else."""
    try:
        network = ip_network((address, 64 if ":" in address else 32), strict=False)
    except ValueError:
        return ""
    return salted_hmac("tables.guest.origin", str(network), algorithm="sha256").hexdigest()[:32]


def new_guest(address: str = "", *, clock: Clock = DATABASE_CLOCK) -> Player:
    """A player without a password, named by a number, with the first credits; they come from this address."""
    with unit_of_work():
        player = Player(guest=True, origin=origin_of(address))
        player.username = f"{GUEST_PREFIX}{uuid4().hex}"  # till it has its number
        player.set_unusable_password()
        player.save()
        player.username = player.name = f"{GUEST_PREFIX}{player.pk}"
        player.save(update_fields=["username", "name"])
        welcome(player, clock=clock)
        return player


def known(player_id: int) -> Player:
    """The player of this id. Raises Refused for somebody of the staff, or nobody."""
    player = Player.objects.filter(pk=player_id, role="").first()
    if player is None:
        raise Refused("", say("There is no such player."))
    return player


def top_up(player_id: int, *, clock: Clock = DATABASE_CLOCK) -> int:
    """Top a nearly broke player up to the first credits. Returns the cents given. Raises Refused."""
    with unit_of_work():
        # No key changes: whoever writes that this player played or sits need not wait (docs/concurrency.md).
        player = Player.objects.select_for_update(no_key=True).get(pk=player_id)
        if (why := not_admitted([player_id], Realm.FLOOR).get(player_id)) is not None:
            raise why
        now = clock.now()
        accounts = wallet.lock([wallet.MINT, wallet.player(player_id)])
        balance = accounts.balances[wallet.player(player_id)]
        if balance >= NEARLY_BROKE:
            raise Refused(
                "credits", say("More credits are for those with less than %(limit)s.", limit=Amount(NEARLY_BROKE))
            )
        if player.last_topped_up_at is not None and now < player.last_topped_up_at + COOL_DOWN:
            left = player.last_topped_up_at + COOL_DOWN - now
            minutes = -(-left // timedelta(minutes=1))
            raise Refused("credits", say("You may ask again in %(minutes)s min.", minutes=minutes))
        player.last_topped_up_at = now
        player.save(update_fields=["last_topped_up_at"])
        amount = TOP_UP_TO - balance
        key = f"top-up:{player_id}:{now.isoformat()}"
        wallet.post(
            accounts, [Posting(key, wallet.MINT, wallet.player(player_id), amount, Reason.TOP_UP, player.key)], at=now
        )
        announce.players_changed([player_id])
        return amount
