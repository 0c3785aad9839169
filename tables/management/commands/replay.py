"""Work rounds out again from their public records: `replay FILE`, `-` for standard input, or `replay --round ID`."""

from __future__ import annotations

import json
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
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument(
            "file", metavar="FILE", nargs="?", help="a record, or one record a line; - reads standard input"
        )
        what.add_argument(
            "--round", type=int, metavar="ID", help="a stored round: its record and outcome, compared with the ledger"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["round"] is not None:
            good = self._recount(options["round"])
        else:
            good = self._replay(_bytes_of(options["file"]))
        if not good:
            sys.exit(1)

    def _replay(self, data: bytes) -> bool:
        """Whether every record of the file could be played."""
        all_played = True
        for record in records_in(data):
            played, line = outcome_line(record)
            all_played = all_played and played
            self.stdout.write(line)
        return all_played

    def _recount(self, round_id: int) -> bool:
        """Whether the ledger says of a stored round what its record says."""
        from tables.models import RoundLog
        from tables.reckoning import reckon

        log = RoundLog.objects.filter(pk=round_id).first()
        if log is None:
            raise CommandError(f"There is no round {round_id}.")
        if log.settled_at is None:
            raise CommandError(f"Round {round_id} is not over yet.")
        found = reckon(log)
        self.stdout.write(json.dumps({"record": found.record, "outcome": found.outcome}))
        for fault in found.faults:
            self.stderr.write(f"Round {round_id}: {fault}")
        return not found.faults


def _bytes_of(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from error
