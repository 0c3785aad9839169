"""Work rounds out again from their public records: `replay FILE`, `-` for standard input, or `replay --round ID`."""

from __future__ import annotations

import json
import sys

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tables.games.replay import ABOUT, FILE_HELP, UnreadableFile, replay


class Command(BaseCommand):
    """For each record one line of JSON, in the order read; exit status 1 if one could not be read or played.

    Files need no database, so nothing here may import the models before a stored round is asked for.
    """

    help = ABOUT
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("file", metavar="FILE", nargs="?", help=FILE_HELP)
        what.add_argument(
            "--round", type=int, metavar="ID", help="a stored round: its record and outcome, compared with the ledger"
        )

    def handle(self, *args: object, **options: object) -> None:
        if isinstance(number := options["round"], int):
            good = self._recount(number)
        else:
            good = self._replay(str(options["file"]))
        if not good:
            sys.exit(1)

    def _replay(self, name: str) -> bool:
        """Whether every record of the file could be played."""
        try:
            return replay(name, self.stdout.write)
        except UnreadableFile as error:
            raise CommandError(str(error)) from error

    def _recount(self, round_id: int) -> bool:
        """Whether the ledger says of a stored round what its record says."""
        from tables.base.archive_files import ArchiveError
        from tables.models import RoundLog
        from tables.proof.reconciliation import reconcile

        log = RoundLog.objects.filter(pk=round_id).first()
        if log is None:
            raise CommandError(f"There is no round {round_id}.")
        if log.settled_at is None:
            raise CommandError(f"Round {round_id} is not over yet.")
        try:
            found = reconcile(log)
        except ArchiveError as error:
            raise CommandError(f"Round {round_id} is in the archive, and {error}.") from error
        self.stdout.write(json.dumps({"record": found.record, "outcome": found.outcome}))
        for fault in found.faults:
            self.stderr.write(f"Round {round_id}: {fault}")
        return not found.faults
