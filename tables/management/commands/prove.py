"""`manage.py prove ROUND`: write the bundle that proves a round, for anybody's verifier (docs/proof.md)."""

from __future__ import annotations

import json

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tables.base.archive_files import ArchiveError
from tables.base.bundle import written
from tables.models import RoundLog
from tables.proof.bundles import NoBundle, bundle_of


class Command(BaseCommand):
    help = "Write the proof of a round, as far as it is opened and as a spectator may have it, to standard output."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("round", metavar="ROUND", type=int, help="the number of the round, as in /rounds/ROUND/")

    def handle(self, *args: object, **options: object) -> None:
        number = int(str(options["round"]))
        log = RoundLog.objects.filter(pk=number).first()
        if log is None:
            raise CommandError(f"There is no round {number}.")
        try:
            self.stdout.write(json.dumps(written(bundle_of(log, None))))
        except NoBundle as error:
            raise CommandError(f"There is no such proof: {error}.") from error
        except ArchiveError as error:
            raise CommandError(f"Round {number} is in the archive, and {error}.") from error
