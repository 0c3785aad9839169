"""Visitors: players for a while at a kiosk, with demo credits that come from the kiosks' mint and go back there.

When a visitor has gone, nothing of theirs is left at the kiosk. The rules decide what they still have on a layout; what
it brings goes back to the mint as well.

Locks: the kiosk, then the visitor's tables in the order of their ids, then wallets and mint by id
(docs/concurrency.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import uuid4

from django.db.models import Count, F

from tables.base import announce
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.words import say
from tables.models import Account, Kiosk, KioskVisit, Player, Realm, Seat, Transfer
from tables.models.bettors import bettor_of
from tables.services.money import wallet
from tables.services.money.wallet import Posting, Reason
from tables.services.players.people import VISITOR_PREFIX
from tables.services.rounds import seating

from .schedule import Schedule

AT_ONCE = 200
"""So many wallets are emptied in one transaction."""


def welcome(kiosk_id: int, use: int, *, clock: Clock = DATABASE_CLOCK) -> Player:
    """The visitor who plays at this kiosk in this use of it: the one who is there, or a new one with its credits.

    However often it is asked, there is one. Raises Refused if the kiosk is not in service, or was started anew.
    """
    with unit_of_work():
        # The visitor is read after the lock: what is joined to a row that was waited for is as it was before.
        kiosk = Kiosk.objects.select_for_update().filter(pk=kiosk_id, use=use).exclude(token="").first()
        if kiosk is None:
            raise Refused("", say("This kiosk has been started on another screen."))
        if kiosk.locked or kiosk.wallboard:
            raise Refused("", say("This screen is out of service."))
        if kiosk.visitor is not None:
            return kiosk.visitor
        if Schedule.of(kiosk).closed_until(clock.now()) is not None:
            raise Refused("", say("This screen is closed now."))
        visitor = _new_visitor(kiosk)
        wallet.open_house(Realm.KIOSKS)
        wallet.open_player(visitor.pk, Realm.KIOSKS)
        mint, purse = wallet.mint_of(Realm.KIOSKS), wallet.player(visitor.pk)
        wallet.mint(
            [Posting(f"visit:{visitor.pk}", mint, purse, kiosk.credits, Reason.VISIT, visitor.key)], at=clock.now()
        )
        kiosk.visitor = visitor
        kiosk.save(update_fields=["visitor"])
        KioskVisit.objects.create(kiosk=kiosk, visitor=visitor, began_at=clock.now())
        announce.kiosk_changed(kiosk.pk)
        return visitor


def _new_visitor(kiosk: Kiosk) -> Player:
    """A visitor with a unique name: the kiosk's name and a number."""
    visitor = Player(username=f"{VISITOR_PREFIX}{uuid4().hex}", kiosk=kiosk)  # till it has its number
    visitor.set_unusable_password()
    visitor.save()
    number = f" {visitor.pk}"
    longest = Player._meta.get_field("name").max_length or 0
    visitor.username = f"{VISITOR_PREFIX}{visitor.pk}"
    visitor.name = f"{kiosk.name[: longest - len(number)]}{number}"
    visitor.save(update_fields=["username", "name"])
    return visitor


def farewell(kiosk_id: int, *, clock: Clock = DATABASE_CLOCK) -> int | None:
    """End the visit: seats are left, credits go back, nobody can log in as this visitor again. Returns their id."""
    with unit_of_work():
        visitor_id = Kiosk.objects.select_for_update().get(pk=kiosk_id).visitor_id
        if visitor_id is None:
            return None
        sits_at = Seat.objects.filter(player_id=visitor_id).order_by("table_id")
        for table in list(sits_at.values_list("table_id", flat=True)):
            seating.stand_up(visitor_id, table, clock=clock)
        Kiosk.objects.filter(pk=kiosk_id).update(visitor=None)
        KioskVisit.objects.filter(visitor=visitor_id, ended_at=None).update(ended_at=clock.now())
        Player.objects.filter(pk=visitor_id).update(is_active=False)
        _check_out([visitor_id], clock.now())
        announce.logins_ended(visitor_id)
        announce.kiosk_changed(kiosk_id)
        return visitor_id


def guided(visitor_id: int) -> None:
    """This visitor is shown how a game goes."""
    KioskVisit.objects.filter(visitor=visitor_id).update(guides=F("guides") + 1)


def sweep(*, clock: Clock = DATABASE_CLOCK) -> int:
    """What has come to those who have gone goes back to the mint; of how many."""
    wallets = Account.objects.filter(kind=Account.Kind.PLAYER, realm=Realm.KIOSKS, balance__gt=0)
    gone = list(wallets.filter(player__is_active=False).values_list("player_id", flat=True))
    for first in range(0, len(gone), AT_ONCE):
        with unit_of_work():
            _check_out(gone[first : first + AT_ONCE], clock.now())
    return len(gone)


def _check_out(visitors: Sequence[int], now: datetime) -> None:
    """Give back to the mint what lies in the wallets of these, who have gone."""
    mint = wallet.mint_of(Realm.KIOSKS)
    accounts = wallet.lock([mint, *map(wallet.player, visitors)])
    left = {pk: cents for pk in visitors if (cents := accounts.balances[wallet.player(pk)])}
    before = Transfer.objects.filter(reason=Reason.CHECKOUT, debit__player_id__in=left).values_list("debit__player_id")
    times: dict[int | None, int] = dict(before.annotate(times=Count("pk")).order_by())
    postings = [
        Posting(f"checkout:{pk}:{times.get(pk, 0) + 1}", wallet.player(pk), mint, cents, Reason.CHECKOUT, bettor_of(pk))
        for pk, cents in left.items()
    ]
    wallet.post(accounts, postings, at=now)
