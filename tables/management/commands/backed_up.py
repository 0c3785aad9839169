"""`manage.py backed_up FILE`: whoever has made a backup says so, and the pit sees when the last one was made."""

from __future__ import annotations

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tables.services.journal.backups import backed_up


class Command(BaseCommand):
    help = (
        "Write down that FILE is a backup of the database, with its size and SHA-256. Run it at the end of every "
        "backup: the pit's page of the house says how old the last one is."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the backup that was made")

    def handle(self, *_args: object, file: Path, **_options: object) -> None:
        try:
            event = backed_up(file)
        except ValueError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror or error}.") from error
        self.stdout.write(f"Event {event.seq}: {file} is a backup.")
