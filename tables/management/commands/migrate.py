"""`manage.py migrate`: Django's own, after one look at how old the database is."""

from __future__ import annotations

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from casino import waits


class Command(migrate.Command):
    def handle(self, *args: object, **options: object) -> None:
        connection = connections[str(options["database"])]
        if ("tables", "0001_opening") in MigrationRecorder(connection).applied_migrations():
            anew = f"Move {settings.VAR_DIR} away" if settings.ON_SQLITE else "Name an empty one in DATABASE_URL"
            raise CommandError(
                f"The database {connection.settings_dict['NAME']} was made by a development version before 0.2.0 and "
                f"cannot be brought up to date. {anew} to begin anew."
            )
        with waits.lifted(connection):
            super().handle(*args, **options)
