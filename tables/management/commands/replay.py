"""Work rounds out again from their public records: `replay FILE`, `-` for standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tables.games.record import outcome_line, records_in


class Command(BaseCommand):
    """For each record one line of JSON, in the order read; exit status 1 if one could not be read or played.

    Files need no database, so nothing here may import the models before a stored round is asked for.
    """

    help = "Play public records (a file of one, or JSON Lines; - for standard input) and print their outcomes."
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a record, or one record a line; - reads standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        if not self._replay(_bytes_of(options["file"])):
            sys.exit(1)

    def _replay(self, data: bytes) -> bool:
        """Whether every record of the file could be played."""
        all_played = True
        for record in records_in(data):
            played, line = outcome_line(record)
            all_played = all_played and played
            self.stdout.write(line)
        return all_played


def _bytes_of(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from error
