"""`manage.py floor`: the whole house in one process, or its pages alone.

Valkey (unless REDIS_URL names a Redis), the web server, a dealer and the auditor in one process. Ctrl-C ends them in
order: nobody new comes in, the dealer gives its tables back, the players' sockets are told to come back.
"""

from __future__ import annotations

from casino import server  # isort: skip  (first: it installs the event loop that everything runs in)

import asyncio
import os
import sys
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

import environ
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from casino import catalogues
from casino.addresses import is_loopback
from casino.embedded import EmbeddedError, Valkey
from tables.base import announce
from tables.base.identity import DealerIdentity
from tables.live.auditor import Auditor
from tables.live.dealer import Dealer
from tables.live.hub import hub
from tables.management import demo_staff
from tables.management.fitness import end_when_unfit, refuse_unless_fit
from tables.models import Realm
from tables.pit.demo_floor import open_demo_floor
from tables.services.dealing import enrolment
from tables.services.journal import events


@contextmanager
def _troubles_told() -> Iterator[None]:
    """What is wrong with this machine, and not with us, in one line."""
    try:
        yield
    except OperationalError as error:
        where = settings.DATABASES["default"]["NAME" if settings.ON_SQLITE else "HOST"]
        raise CommandError(f"The database ({where}) cannot be used: {' '.join(str(error).split())}") from error
    except OSError as error:
        raise CommandError(f"{error.filename or 'A file'} cannot be used: {error.strerror or error}") from error


class Command(BaseCommand):
    help = "Opens the floor: prepares the database, serves the pages and deals, until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        env = environ.Env()
        parser.add_argument("--host", default=env.str("HOST", default="127.0.0.1"), help="(HOST) 127.0.0.1")
        parser.add_argument("--port", default=env.str("PORT", default="") or "8000", help="(PORT) 8000")
        only = parser.add_mutually_exclusive_group()
        only.add_argument("--prepare", action="store_true", help="prepare the database, open the demo floor, end")
        only.add_argument("--no-dealer", action="store_true", help="serve pages alone; prepare and deal nothing")

    def handle(self, *_args: object, host: str, port: str, **options: object) -> None:
        os.umask(0o077)  # what is written from here on is for whoever runs the house
        if options["prepare"]:
            with _troubles_told():
                self._prepare(host)
            return
        if not (port.isdecimal() and 0 < int(port) < 65536):
            raise CommandError(f"PORT must be a number from 1 to 65535, and {port!r} is none.")
        if why := server.free_to_listen(host, int(port)):
            raise CommandError(f"Nobody can listen on {host}, port {port}: {why}. Choose another with PORT=…")
        dealing = not options["no_dealer"]
        if dealing and (missing := [name for name in ("SHOE_KEY", "DEALER_KEY") if not getattr(settings, name)]):
            raise CommandError(f"A dealer needs {' and '.join(missing)}: see Settings in README.md.")
        with ExitStack() as house:
            with _troubles_told():
                if settings.EMBEDDED_VALKEY:
                    self._say("Valkey     " + self._start_valkey(house))
                if dealing:
                    self._prepare(host)
                else:
                    refuse_unless_fit()
            code = self._serve(host, int(port), dealing)
        self._say("Closed.")
        sys.exit(code)

    def _say(self, line: str) -> None:
        with suppress(BrokenPipeError):  # whoever read it may be gone; the house stays
            self.stdout.write(line)
            self.stdout.flush()

    def _start_valkey(self, house: ExitStack) -> str:
        valkey = Valkey(settings.EMBEDDED_DIR)
        try:
            house.enter_context(valkey)
        except EmbeddedError as error:
            raise CommandError(str(error)) from error
        return f"{'started' if valkey.ours else 'joined'} on {valkey.socket}"

    def _prepare(self, host: str) -> None:
        catalogues.compile_stale()
        call_command("migrate", interactive=False, verbosity=0)
        database = settings.DATABASES["default"]
        kind, name = ("SQLite", database["NAME"]) if settings.ON_SQLITE else ("PostgreSQL", database["HOST"])
        self._say(f"Database   {kind}, {name}")
        if not settings.ON_SQLITE:
            from .roles import passwords

            if passwords():
                call_command("roles")
        refuse_unless_fit()  # before anything is written to it
        if settings.DEALER_KEY:
            self._enrol_own_dealer(DealerIdentity(settings.DEALER_KEY).public)
        tables = open_demo_floor()
        for title, realm in (("Tables", Realm.FLOOR), ("Kiosks", Realm.KIOSKS)):
            self._say(f"{title:<10} {', '.join(table.name for table in tables if table.realm == realm)}")
        if not settings.DEMO:
            return
        if settings.DEMO_STAFF or is_loopback(host):
            self._say_who_runs_it()
        else:
            self._say(
                f"{'Staff':<10} none: this is a demonstration house, and others can reach it at {host}. "
                "DEMO_STAFF=1 makes some"
            )

    def _enrol_own_dealer(self, public: str) -> None:
        """The dealers that are started with the key of this environment are the house's own."""
        try:
            enrolment.enrol(f"floor-{public[:8]}", public, events.OWN_DEALER)
        except ValueError as error:
            raise CommandError(f"The dealer of DEALER_KEY was not enrolled: {error}.") from error

    def _say_who_runs_it(self) -> None:
        """How to log in as the demonstration staff of the embedded default."""
        access = demo_staff.prepare()
        for at, (name, each) in enumerate(access.items()):
            self._say(f"{'' if at else 'Staff':<10} {name:<15} {each.password}")
        if access:
            self._say(f"{'':<10} a code is needed too: .venv/bin/python manage.py second_factor {next(iter(access))}")

    def _serve(self, host: str, port: int, dealing: bool) -> int:
        from casino.asgi import application

        background: dict[str, Callable[[], Awaitable[None]]] = {"self-check": end_when_unfit}
        if dealing:
            background["dealer"] = lambda: Dealer("floor").run()
            background["auditor"] = lambda: Auditor("floor").run()

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
            proxies=settings.PROXIES,
            connections=settings.CONNECTIONS,
            per_address=settings.CONNECTIONS_PER_ADDRESS,
            log_requests=settings.LOG_REQUESTS,
        ).serve()
