"""Triggers that keep the ledger and the logs insert-only and the realms of money apart, on both databases.

Nobody changes or deletes a transfer or a line of a log: not by mistake, not in the shell, not through the admin. Lines
alone may leave once their round is marked as archived, which cannot be undone; only the owner may do either.

SQLite makes a table anew to change it: a migration that changes one of these tables, or the accounts, drops their
triggers before and creates them again.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor

LINES = "tables_loggedaction"
LEDGER_AND_LOGS = ("tables_transfer", LINES)
PIT = ("tables_event", "tables_ruling")
BOOKS = ("tables_floatcount", "tables_pitnote")
ARCHIVES = ("tables_archive",)
FIRST = (*LEDGER_AND_LOGS, *PIT)
"""Those that are guarded from the first migration on; a later one guards its own."""
GUARDED = (*FIRST, *BOOKS, *ARCHIVES)


def made(vendor: str) -> list[str]:
    """The statements that make all these triggers, and the functions that they call."""
    others = [table for table in GUARDED if table != LINES]
    return [*_create(vendor, others), *_LET_ARCHIVED_GO[vendor], *_KEEP_REALMS[vendor]]


def create(schema_editor: BaseDatabaseSchemaEditor, tables: Sequence[str]) -> None:
    """Put the triggers of these tables in place."""
    for statement in _create(schema_editor.connection.vendor, tables):
        schema_editor.execute(statement)


def drop(schema_editor: BaseDatabaseSchemaEditor, tables: Sequence[str]) -> None:
    """Take them away (when a migration is undone)."""
    for statement in _drop(schema_editor.connection.vendor, tables):
        schema_editor.execute(statement)


def let_archived_go(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """From here on lines of archived rounds may be deleted, and no others."""
    drop(schema_editor, [LINES])
    for statement in _LET_ARCHIVED_GO[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def keep_all_lines(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """No line may be deleted (when a migration is undone)."""
    drop(schema_editor, [LINES])
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP FUNCTION tables_lines_stay()")
    create(schema_editor, [LINES])


def _create(vendor: str, tables: Sequence[str]) -> list[str]:
    if vendor == "postgresql":
        function = (
            "CREATE OR REPLACE FUNCTION tables_insert_only() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is insert-only'; END $$"
        )
        return [function] + [
            f"CREATE TRIGGER {table}_insert_only BEFORE DELETE OR UPDATE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION tables_insert_only()"
            for table in tables
        ]
    return [
        f"CREATE TRIGGER {table}_no_{event.lower()} BEFORE {event} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is insert-only'); END"
        for table in tables
        for event in ("UPDATE", "DELETE")
    ]


def _drop(vendor: str, tables: Sequence[str] = GUARDED) -> list[str]:
    if vendor == "postgresql":
        statements = [f"DROP TRIGGER {table}_insert_only ON {table}" for table in tables]
        return statements + (["DROP FUNCTION tables_insert_only()"] if set(LEDGER_AND_LOGS) <= set(tables) else [])
    return [f"DROP TRIGGER {table}_no_{event}" for table in tables for event in ("update", "delete")]


def keep_realms(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """From here on the database refuses a transfer from one realm to another, and another realm for an account."""
    for statement in _KEEP_REALMS[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def release_realms(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take that away (when a migration is undone)."""
    for statement in _RELEASE_REALMS[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


_KEEP_REALMS = {
    "postgresql": (
        (
            "CREATE FUNCTION tables_one_realm() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "IF EXISTS (SELECT FROM posted JOIN tables_account debit ON debit.id = posted.debit_id "
            "JOIN tables_account credit ON credit.id = posted.credit_id WHERE debit.realm <> credit.realm) "
            "THEN RAISE EXCEPTION 'a transfer stays in its realm'; END IF; RETURN NULL; END $$"
        ),
        (
            "CREATE TRIGGER tables_transfer_one_realm AFTER INSERT ON tables_transfer "
            "REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION tables_one_realm()"
        ),
        (
            "CREATE FUNCTION tables_same_realm() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "IF NEW.realm <> OLD.realm THEN RAISE EXCEPTION 'an account stays in its realm'; END IF; RETURN NEW; END $$"
        ),
        (
            "CREATE TRIGGER tables_account_same_realm BEFORE UPDATE OF realm ON tables_account "
            "FOR EACH ROW EXECUTE FUNCTION tables_same_realm()"
        ),
    ),
    "sqlite": (
        (
            "CREATE TRIGGER tables_transfer_one_realm BEFORE INSERT ON tables_transfer "
            "WHEN (SELECT realm FROM tables_account WHERE id = NEW.debit_id) "
            "<> (SELECT realm FROM tables_account WHERE id = NEW.credit_id) "
            "BEGIN SELECT RAISE(ABORT, 'a transfer stays in its realm'); END"
        ),
        (
            "CREATE TRIGGER tables_account_same_realm BEFORE UPDATE OF realm ON tables_account "
            "WHEN NEW.realm <> OLD.realm BEGIN SELECT RAISE(ABORT, 'an account stays in its realm'); END"
        ),
    ),
}
_RELEASE_REALMS = {
    "postgresql": (
        "DROP TRIGGER tables_transfer_one_realm ON tables_transfer",
        "DROP FUNCTION tables_one_realm()",
        "DROP TRIGGER tables_account_same_realm ON tables_account",
        "DROP FUNCTION tables_same_realm()",
    ),
    "sqlite": ("DROP TRIGGER tables_transfer_one_realm", "DROP TRIGGER tables_account_same_realm"),
}

_LET_ARCHIVED_GO = {
    "postgresql": (
        (
            "CREATE OR REPLACE FUNCTION tables_lines_stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "IF TG_OP = 'DELETE' AND EXISTS "
            "(SELECT FROM tables_roundlog WHERE id = OLD.log_id AND archive_id IS NOT NULL) "
            "THEN RETURN OLD; END IF; "
            "RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is insert-only'; END $$"
        ),
        (
            f"CREATE TRIGGER {LINES}_insert_only BEFORE DELETE OR UPDATE ON {LINES} "
            "FOR EACH ROW EXECUTE FUNCTION tables_lines_stay()"
        ),
    ),
    "sqlite": (
        (
            "CREATE TRIGGER tables_loggedaction_no_update BEFORE UPDATE ON tables_loggedaction "
            "BEGIN SELECT RAISE(ABORT, 'tables_loggedaction is insert-only'); END"
        ),
        (
            "CREATE TRIGGER tables_loggedaction_no_delete BEFORE DELETE ON tables_loggedaction "
            "WHEN NOT EXISTS (SELECT 1 FROM tables_roundlog WHERE id = OLD.log_id AND archive_id IS NOT NULL) "
            "BEGIN SELECT RAISE(ABORT, 'tables_loggedaction is insert-only'); END"
        ),
    ),
}
