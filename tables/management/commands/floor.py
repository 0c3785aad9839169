"""`manage.py floor`: the whole house in one process, or its pages alone.

Valkey (unless REDIS_URL names a Redis), the web server and a dealer in one event loop. Ctrl-C ends them in
order: nobody new comes in, the dealer gives his tables back, the players' sockets are told to come back.
"""

from __future__ import annotations

from casino import server  # isort: skip  (first: it installs the event loop that everything runs in)

import asyncio
import sys
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Any

import environ
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from casino import catalogues
from casino.embedded import EmbeddedError, Valkey
from tables import announce
from tables.dealer import Dealer
from tables.hub import hub
from tables.management import demo_staff
from tables.models import Realm
from tables.services import pit


class Command(BaseCommand):
    help = "Opens the floor: prepares the database, serves the pages and deals, until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        env = environ.Env()
        parser.add_argument("--host", default=env.str("HOST", default="127.0.0.1"), help="(HOST) 127.0.0.1")
        parser.add_argument("--port", type=int, default=env.int("PORT", default=8000), help="(PORT) 8000")
        only = parser.add_mutually_exclusive_group()
        only.add_argument("--prepare", action="store_true", help="prepare the database, open the demo floor, end")
        only.add_argument("--no-dealer", action="store_true", help="serve pages alone; prepare and deal nothing")

    def handle(self, *_args: Any, host: str, port: int, **options: Any) -> None:
        if options["prepare"]:
            self._prepare()
            return
        if why := server.free_to_listen(host, port):
            raise CommandError(f"Nobody can listen on {host}, port {port}: {why}. Choose another with PORT=…")
        with ExitStack() as house:
            if settings.EMBEDDED_VALKEY:
                self._say("Valkey     " + self._start_valkey(house))
            dealing = not options["no_dealer"]
            if dealing:
                self._prepare()
            code = self._serve(host, port, dealing)
        self._say("Closed.")
        sys.exit(code)

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    def _start_valkey(self, house: ExitStack) -> str:
        valkey = Valkey(settings.EMBEDDED_DIR)
        try:
            house.enter_context(valkey)
        except EmbeddedError as error:
            raise CommandError(str(error)) from error
        return f"{'started' if valkey.ours else 'joined'} on {valkey.socket}"

    def _prepare(self) -> None:
        catalogues.compile_stale()
        call_command("migrate", interactive=False, verbosity=0)
        database = settings.DATABASES["default"]
        kind, name = ("SQLite", database["NAME"]) if settings.ON_SQLITE else ("PostgreSQL", database["HOST"])
        self._say(f"Database   {kind}, {name}")
        tables = pit.open_demo_floor()
        for title, realm in (("Tables", Realm.FLOOR), ("Kiosks", Realm.KIOSKS)):
            self._say(f"{title:<10} {', '.join(table.name for table in tables if table.realm == realm)}")
        if settings.DEMO:
            self._say_who_runs_it()

    def _say_who_runs_it(self) -> None:
        """How to log in as the demonstration staff of the embedded default."""
        access = demo_staff.prepare()
        for at, (name, each) in enumerate(access.items()):
            self._say(f"{'' if at else 'Staff':<10} {name:<15} {each.password}")
        if access:
            self._say(f"{'':<10} a code is needed too: .venv/bin/python manage.py second_factor {next(iter(access))}")

    def _serve(self, host: str, port: int, dealing: bool) -> int:
        from casino.asgi import application

        background: dict[str, Callable[[], Awaitable[None]]] = {}
        if dealing:
            background["dealer"] = lambda: Dealer("floor").run()

        def begin() -> None:
            announce.use_loop(asyncio.get_running_loop())
            shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::") else host
            self._say(f"Dealer     {'at work' if dealing else 'none here; start one with manage.py deal'}")
            self._say(f"\n  Macau Floor is open:  http://{shown}:{port}/\n  Ctrl-C closes it.\n")

        return server.GuardedServer(
            application,
            host=host,
            port=port,
            background=background,
            on_ready=begin,
            on_stop=lambda: self._say("\nClosing: the dealer finishes, players are told to come back."),
            at_end=hub.stop,
            behind_proxy=settings.PROXIES > 0,
            log_requests=settings.LOG_REQUESTS,
        ).serve()
