"""`manage.py roles`: the roles of the database, with the least rights that web, dealers and audit need."""

from __future__ import annotations

import os

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, transaction
from psycopg import sql

from casino.keys import secret_of
from tables.models.privileges import PRIVILEGES, DatabaseRole


def passwords() -> dict[DatabaseRole, str]:
    """The passwords of the roles in the environment, or in the files that it names."""
    named = {role: secret_of(f"{role.name}_PASSWORD", os.environ) for role in DatabaseRole}
    return {role: password for role, password in named.items() if password}


class Command(BaseCommand):
    """Run as the owner of the tables, after each migration: it may be run as often as one likes."""

    help = (
        "Make the roles of a PostgreSQL database (web, dealer, audit, auditor) and grant them what they need, and "
        "nothing else. Their passwords are WEB_PASSWORD, DEALER_PASSWORD, AUDIT_PASSWORD and AUDITOR_PASSWORD in the "
        "environment; a role without one keeps the password that it has."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--prefix", default="", help="their names are <prefix>_web and so on; the name of the database"
        )

    def handle(self, *_args: object, prefix: str, **_options: object) -> None:
        if settings.ON_SQLITE:
            raise CommandError("SQLite has no roles: whoever can write the file can write everything. Use PostgreSQL.")
        given = passwords()
        for role in DatabaseRole:
            name = f"{prefix or connection.settings_dict['NAME']}_{role}"
            with transaction.atomic():
                self._make(name, given.get(role, ""))
                self._grant(name, role)
            self.stdout.write(f"{name:<24} {len(PRIVILEGES[role])} tables")

    def _make(self, name: str, password: str) -> None:
        """The role is there; it can log in if it has a password."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name])
            known = cursor.fetchone() is not None
        role = sql.Identifier(name)
        plain = sql.SQL("NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS" if not known else "")
        if not known:
            self._run(sql.SQL("CREATE ROLE {} {}").format(role, plain))
        if password:
            self._run(sql.SQL("ALTER ROLE {} LOGIN PASSWORD {}").format(role, sql.Literal(password)))

    def _grant(self, name: str, role: DatabaseRole) -> None:
        """Just what is listed, whatever it had before."""
        who, database = sql.Identifier(name), sql.Identifier(str(connection.settings_dict["NAME"]))
        self._run(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(database))
        self._run(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, who))
        self._run(sql.SQL("REVOKE ALL ON SCHEMA public FROM PUBLIC"))
        self._run(sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(who))
        self._run(sql.SQL("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {}").format(who))
        self._run(sql.SQL("REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM {}").format(who))
        for table, rights in PRIVILEGES[role].items():
            self._run(sql.SQL("GRANT {} ON {} TO {}").format(sql.SQL(rights), sql.Identifier(table), who))

    def _run(self, statement: sql.Composed | sql.SQL) -> None:
        with connection.cursor() as cursor:
            assert connection.connection is not None
            cursor.execute(statement.as_string(connection.connection))
