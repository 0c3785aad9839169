"""`manage.py crowd N`: demonstration bettors at the tables of a house that runs on this machine."""

from __future__ import annotations

import asyncio
import signal
from argparse import ArgumentParser

import environ
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tables.management import crowd
from tables.models import Realm, Table

MOST = 500
"""More do not come from one address (`SOCKETS_PER_ADDRESS`)."""


class Command(BaseCommand):
    help = "Brings demonstration bettors, over real sockets, until Ctrl-C. Only to a house that asks for it: CROWD=1."

    def add_arguments(self, parser: ArgumentParser) -> None:
        env = environ.Env()
        parser.add_argument("number", type=int, help=f"how many bettors, 1 to {MOST}")
        parser.add_argument("--table", action="append", default=[], help="a table by its slug; every open one if none")
        parser.add_argument("--seconds", type=float, default=None, help="go after so many seconds")
        parser.add_argument("--rounds", type=int, default=None, help="go after so many rounds, all bettors' added up")
        parser.add_argument("--seed", type=int, default=None, help="the same bets again")
        parser.add_argument("--port", default=env.str("PORT", default="") or "8000", help="(PORT) 8000")

    def handle(
        self, *_args: object, number: int, table: list[str], seconds: float | None, rounds: int | None,
        seed: int | None, port: str, **_options: object,
    ) -> None:  # fmt: skip
        if not settings.CROWD:
            raise CommandError(
                "This house has not asked for a crowd. CROWD=1 asks for one: they play with its credits."
            )
        if not 1 <= number <= MOST:
            raise CommandError(f"A crowd is 1 to {MOST} bettors, and not {number}.")
        open_tables = Table.objects.filter(realm=Realm.FLOOR, open=True).order_by("pk")
        slugs = table or list(open_tables.values_list("slug", flat=True))
        if unknown := set(slugs) - set(open_tables.values_list("slug", flat=True)):
            raise CommandError(f"There is no open table {sorted(unknown)[0]}.")
        base = f"http://127.0.0.1:{port}"
        logins = crowd.enlist(number)
        try:
            felts = [crowd.Felt.read(base, slug) for slug in slugs]
            self.stdout.write(f"{number} bettors, {logins[0].name} to {logins[-1].name}, at {len(felts)} tables")
            played = asyncio.run(_plays(base, logins, felts, seconds, seed=seed, most=rounds))
        except OSError as error:
            raise CommandError(f"The house at {base} does not answer: {error}") from error
        self.stdout.write(f"They have gone. Rounds bet in, all added up: {played}")


async def _plays(
    base: str, logins: list[crowd.Login], felts: list[crowd.Felt], seconds: float | None, **about: int | None
) -> int:
    until = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, until.set)
    if seconds is not None:
        loop.call_later(seconds, until.set)
    return await crowd.play(base, logins, felts, until, **about)
