"""`manage.py chance_evidence`: is what the dealers draw by chance? (docs/fairness.md#evidence-of-chance)"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tables.proof.evidence import evidence
from tables.proof.evidence.sources import KeySource, Source, SystemSource, seeds_from

LEAST_DRAWS = 20_000


class Command(BaseCommand):
    help = (
        "Draw by the code that deals, put the draws through 17 families of tests and write a report (text and JSON). "
        "Exit status 1 if chance is refused."
    )
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--draws", type=int, default=10_000_000, help="numbers of each source; minutes for 10000000"
        )
        parser.add_argument("--seed", help="any text: test also draws that can be made again from it")
        parser.add_argument("--folder", type=Path, default=Path(settings.VAR_DIR), help="where the report is written")

    def handle(self, *_args: object, draws: int, seed: str | None, folder: Path, **_options: object) -> None:
        if draws < LEAST_DRAWS:
            raise CommandError(f"--draws: {draws} are too few to tell anything; {LEAST_DRAWS} are the least")
        if not folder.is_dir():
            raise CommandError(f"--folder: there is no folder {folder}")
        sources: dict[str, Source] = {"the house's dealers": SystemSource()}
        if seed is not None:
            sources["the proof format"] = KeySource(seeds_from(seed))
        found = [evidence(name, source, draws) for name, source in sources.items()]
        text = "\n".join(each.text for each in found)
        (folder / "chance-evidence.txt").write_text(text, encoding="utf-8")
        data = json.dumps([each.json for each in found], indent=1)
        (folder / "chance-evidence.json").write_text(data, encoding="utf-8")
        self.stdout.write(text)
        if not all(each.passed for each in found):
            sys.exit(1)
