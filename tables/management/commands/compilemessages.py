"""`manage.py compilemessages`: make the .mo files that Django reads, without GNU gettext."""

from __future__ import annotations

from django.core.management.base import BaseCommand

from casino import catalogues


class Command(BaseCommand):
    help = "Compiles those of the catalogues in locale/ that have changed."
    requires_system_checks: list[str] = []

    def handle(self, *_args: object, **_options: object) -> None:
        for path in catalogues.compile_stale():
            self.stdout.write(str(path))
