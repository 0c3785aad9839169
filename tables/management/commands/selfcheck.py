"""`manage.py selfcheck`: are files, pay tables, triggers and keys as they must be?"""

from __future__ import annotations

import sys
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from tables.proof import selfcheck


class Command(BaseCommand):
    help = "Check the program's files, the pay tables, the triggers and the keys. Exit status 1 if any is not right."
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--write-manifest",
            action="store_true",
            help=f"write {selfcheck.MANIFEST} of the files as they are; a build does",
        )

    def handle(self, *_args: object, write_manifest: bool, **_options: object) -> None:
        base = Path(settings.BASE_DIR)
        if write_manifest:
            text = selfcheck.manifest_text(base)
            (base / selfcheck.MANIFEST).write_text(text, encoding="utf-8")
            self.stdout.write(f"{len(text.splitlines())} files in {selfcheck.MANIFEST}")
            return
        found = list(selfcheck.faults())
        for fault in found:
            self.stderr.write(fault)
        built = (base / selfcheck.MANIFEST).exists()
        self.stdout.write(
            f"files {'as built' if built else 'of a checkout, without a manifest'}, pay tables, triggers, keys: "
            + (f"{len(found)} faults" if found else "in order")
        )
        if found:
            sys.exit(1)
