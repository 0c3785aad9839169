"""`manage.py deal`: a dealer in a process of its own. Start several: they share the tables by lease."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from prometheus_client import start_http_server

from casino import garbage
from casino.embedded import EmbeddedError, Valkey
from tables.base import announce
from tables.base.identity import DealerIdentity
from tables.live.dealer import Dealer, UnfitError
from tables.management.fitness import refuse_unless_fit
from tables.services.dealing.enrolment import NotEnrolledError, enrolled
from tables.services.dealing.leases import OutdatedDealerError, check_protocol


class Command(BaseCommand):
    help = "Deals at the tables that no other dealer holds, until SIGTERM or Ctrl-C. Ends with 1 if it fails."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--name", default="dealer", help="shown in the log and in the leases")

    def handle(self, *_args: object, name: str, **_options: object) -> None:
        os.umask(0o077)
        if not settings.SHOE_KEY:
            raise CommandError("A dealer needs SHOE_KEY, the key that shoes are sealed with.")
        if not settings.DEALER_KEY:
            raise CommandError("A dealer needs DEALER_KEY, a key of its own by which it is enrolled.")
        refuse_unless_fit()
        try:
            enrolled(DealerIdentity(settings.DEALER_KEY).public)
            check_protocol()
        except (NotEnrolledError, OutdatedDealerError) as error:
            raise CommandError(str(error)) from error
        if settings.METRICS_PORT:
            start_http_server(settings.METRICS_PORT, settings.METRICS_HOST)
        try:
            with Valkey(settings.EMBEDDED_DIR) if settings.EMBEDDED_VALKEY else contextlib.nullcontext():
                asyncio.run(self._deal(name))
        except (EmbeddedError, UnfitError) as error:
            raise CommandError(str(error)) from error

    async def _deal(self, name: str) -> None:
        """A crash ends the process: whoever runs it starts another, and meanwhile other dealers take over."""
        loop = asyncio.get_running_loop()
        announce.use_loop(loop)
        garbage.freeze()
        dealing = asyncio.create_task(Dealer(name).run(), name="dealer")
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, dealing.cancel)
        with contextlib.suppress(asyncio.CancelledError):
            await dealing
