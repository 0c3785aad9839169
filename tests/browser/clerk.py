"""The clerk of the house under test: a process beside its server, on the same database, that is told by lines of JSON.

    python -m tests.browser.clerk        {"do": "balance", "player": 3}  ->  {"is": 1000000}

He arranges what a browser cannot (tables with a pace of their own, logins without forms, the cards to come) and reads
the books, so that what screens show can be held against them. Money moves through the real services alone.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.db import connections  # noqa: E402
from django.db.models import Sum  # noqa: E402

from tables import queries  # noqa: E402
from tables.chance import Vault  # noqa: E402
from tables.games.cards import cards  # noqa: E402
from tables.models import Account, LoggedAction, Played, Player, RoundLog, Seat, Shoe, Table, Transfer  # noqa: E402
from tables.services import people, pit, seating, wallet  # noqa: E402
from tables.services.work import unit_of_work  # noqa: E402


class Clerk:
    """Each method is a deed that he can be told to do."""

    def opens(self, slug: str, name: str, options: dict[str, Any], times: dict[str, int]) -> int:
        """A new table of Baccarat; its id."""
        return pit.open_table(slug, name, "baccarat", options, times=times).pk

    def welcomes(self, name: str) -> dict[str, Any]:
        """A new player with the first credits and a login: his id and the cookie of it."""
        player = Player.objects.create(username=name.lower(), name=name)
        player.set_unusable_password()
        player.save()
        people.welcome(player)
        session = SessionStore()
        session[SESSION_KEY] = str(player.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = player.get_session_auth_hash()
        session.save()
        return {"player": player.pk, "cookie": settings.SESSION_COOKIE_NAME, "session": session.session_key}

    def seats(self, player: int, table: int, seat: int) -> None:
        """The player takes a seat before anybody has opened the table's page."""
        seating.sit(player, table, seat)

    def changes_the_shoe(self, table: int) -> None:
        pit.change_shoe(table)

    def stacks(self, table: int, text: str) -> None:
        """Seal the shoe of the table anew, once it is cut, with these cards to come next."""
        vault = Vault(settings.SHOE_KEY)
        with unit_of_work():
            shoe = Shoe.objects.select_for_update().get(table__pk=table, retired_at=None)
            assert shoe.cut is not None, "stack it once it is cut"
            order = list(vault.open(shoe.sealed).dealt_order(shoe.cut))
            for place, wanted in enumerate(cards(text), start=shoe.dealt):
                found = order.index(wanted, place)
                order[place], order[found] = order[found], order[place]
            pack = vault.seal([*order[len(order) - shoe.cut :], *order[: len(order) - shoe.cut]])
            shoe.sealed, shoe.commitment = pack.sealed, pack.commitment
            shoe.save(update_fields=["sealed", "commitment"])

    def balance(self, player: int) -> int:
        """Cents in the wallet, by the transfers and not by what is cached; both must agree."""
        account = Account.objects.get(player=player)
        came = Transfer.objects.filter(credit=account).aggregate(cents=Sum("amount"))["cents"] or 0
        went = Transfer.objects.filter(debit=account).aggregate(cents=Sum("amount"))["cents"] or 0
        assert came - went == account.balance == wallet.balance_of(player)
        return came - went

    def round(self, table: int) -> dict[str, Any]:
        """The present round: id, number, phase, shoe."""
        log = Table.objects.select_related("round").get(pk=table).round
        assert log is not None, "no round has begun"
        return {"id": log.pk, "number": log.number, "phase": log.phase, "shoe": log.shoe_id}

    def stakes(self, table: int) -> dict[str, int]:
        """What lies on the layout now, in cents, by "player id spot"."""
        log = Table.objects.select_related("round").get(pk=table).round
        sums: dict[str, int] = {}
        for stake in queries.round_of(log).stakes() if log is not None else ():
            name = f"{stake.by[1:]} {stake.spot}"
            sums[name] = sums.get(name, 0) + stake.amount
        return sums

    def played(self, round: int, player: int) -> dict[str, int]:
        """What a settled round took from the player and gave back, by the ledger and by the list; in cents."""
        moved = Transfer.objects.filter(log=round)
        account = Account.objects.get(player=player)
        staked = moved.filter(debit=account).aggregate(cents=Sum("amount"))["cents"] or 0
        returned = moved.filter(credit=account).aggregate(cents=Sum("amount"))["cents"] or 0
        line = Played.objects.get(log=round, player=player)
        assert (line.staked, line.returned) == (staked, returned)
        return {"staked": staked, "returned": returned}

    def result(self, round: int) -> dict[str, Any]:
        """The result of a round that is over."""
        log = RoundLog.objects.get(pk=round)
        assert log.settled_at is not None and log.result is not None
        return dict(log.result)

    def actions(self, round: int) -> list[str]:
        """What was done in a round, in order: "who does"."""
        lines = LoggedAction.objects.filter(log=round).order_by("seq")
        return [f"{line.by} {line.action['do']}" for line in lines]

    def sitting(self, table: int) -> dict[str, int]:
        """Seat -> player id."""
        return {str(seat.number): seat.player_id for seat in Seat.objects.filter(table=table)}

    def rounds(self, table: int) -> list[int]:
        """The ids of the table's rounds, oldest first."""
        return list(RoundLog.objects.filter(table=table).order_by("number").values_list("pk", flat=True))


def main() -> None:
    clerk = Clerk()
    print(json.dumps({"is": "ready"}), flush=True)
    for line in sys.stdin:
        told = json.loads(line)
        deed: Callable[..., Any] = getattr(clerk, told.pop("do"))
        try:
            answer = {"is": deed(**told)}
        except Exception:
            answer = {"failed": traceback.format_exc()}
        finally:
            connections.close_all()
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
