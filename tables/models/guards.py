"""Triggers that keep the ledger and the logs insert-only, on both databases.

Nobody changes or deletes a transfer or a line of a log: not by mistake, not in the shell, not through the admin.
"""

from __future__ import annotations

from typing import Any

GUARDED = ("tables_transfer", "tables_loggedaction")


def create(schema_editor: Any) -> None:
    """Put the triggers in place."""
    for statement in _create(schema_editor.connection.vendor):
        schema_editor.execute(statement)


def drop(schema_editor: Any) -> None:
    """Take them away (when a migration is undone, or a test empties its database)."""
    for statement in _drop(schema_editor.connection.vendor):
        schema_editor.execute(statement)


def _create(vendor: str) -> list[str]:
    if vendor == "postgresql":
        function = (
            "CREATE OR REPLACE FUNCTION tables_insert_only() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is insert-only'; END $$"
        )
        return [function] + [
            f"CREATE TRIGGER {table}_insert_only BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION tables_insert_only()"
            for table in GUARDED
        ]
    return [
        f"CREATE TRIGGER {table}_no_{event.lower()} BEFORE {event} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is insert-only'); END"
        for table in GUARDED
        for event in ("UPDATE", "DELETE")
    ]


def _drop(vendor: str) -> list[str]:
    if vendor == "postgresql":
        return [f"DROP TRIGGER {table}_insert_only ON {table}" for table in GUARDED] + [
            "DROP FUNCTION tables_insert_only()"
        ]
    return [f"DROP TRIGGER {table}_no_{event}" for table in GUARDED for event in ("update", "delete")]
