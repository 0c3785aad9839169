"""`manage.py archive --older-than 90d`: log lines of old rounds, and leaves of their packs, leave the database."""

from __future__ import annotations

import argparse
import re
from datetime import timedelta

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tables.base.archive_files import ArchiveError
from tables.queries.archived import folder
from tables.services.journal.archiving import LEAST_AGE, archive


def age(text: str) -> timedelta:
    """`90d`: so many days."""
    found = re.fullmatch(r"(\d{1,5})d", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of days such as 90d")
    return timedelta(days=int(found[1]))


class Command(BaseCommand):
    help = (
        "Write the log lines of rounds that ended so long ago to a file a day in ARCHIVE, and take them out of the "
        "database, with the leaves of their packs. Run it as the owner of the tables. Audit, replay and pages go on as "
        "before."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--older-than", type=age, required=True, metavar="DAYS", help=f"90d; at least {LEAST_AGE.days}d"
        )

    def handle(self, *_args: object, **options: timedelta) -> None:
        files = rounds = lines = 0
        try:
            for made in archive(options["older_than"]):
                self.stdout.write(f"{made.name}  {made.sha256}  {made.rounds} rounds, {made.lines} lines")
                files, rounds, lines = files + 1, rounds + made.rounds, lines + made.lines
        except (ValueError, ArchiveError) as error:
            raise CommandError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error
        except OSError as error:
            raise CommandError(f"{error.filename or folder()} cannot be written: {error.strerror or error}") from error
        self.stdout.write(f"{files} files in {folder()}: {rounds} rounds, {lines} lines")
