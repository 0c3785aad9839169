"""`manage.py close_days`: sum up the days that are over, for the reports; or all of them anew."""

from __future__ import annotations

import sys

from django.core.management.base import BaseCommand, CommandParser

from tables.services.pit.days import close_days, sum_anew


class Command(BaseCommand):
    help = (
        "Sum up what each table has done on the days that are over. The house does so itself, an hour after midnight."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--anew", action="store_true", help="work out again what was summed up (as the owner)")

    def handle(self, *args: object, anew: bool, **options: object) -> None:
        done = sum_anew() if anew else 0
        self.stdout.write(f"{done + close_days(most=sys.maxsize)} days summed up")
