"""Triggers that keep what was sealed as it was sealed, on both databases.

A seed, a link, a pack or a throw is written once: which it is, its commitment and its sealed text never change, a seed
is mixed and a pack is cut once, and none is ever deleted. What a round was opened with, the commitment of its pack
included, never changes either, nor what a player has asked the pit to look at again, and what the pit has ruled on it.

Only what has left for the archive goes (`tables.services.journal.archiving`): the leaves of a pack in the moment in
which its seed is marked with a file, and the revealed links of a seed that is marked. The mark is set once, and only
the owner of the tables may set it.

SQLite makes a table anew to change it: a migration that changes one of these tables drops their triggers before and
creates them again, and with those of seeds the ones of revealed links, which look at seeds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor

WRITTEN_ONCE: Mapping[str, tuple[str, ...]] = {
    "tables_packseed": ("table_id", "number", "committed_at", "commitment", "offered", "sealed"),
    "tables_revealedlink": ("seed_id", "player_id", "link"),
    "tables_shoe": (
        "table_id", "number", "seed_id", "decks", "scheme", "commitment", "leaves", "sealed", "white_at", "shuffled_at",
    ),
    "tables_sealedthrow": (
        "log_id", "number", "table_id", "serial", "sealed_at", "scheme", "seed_commitment", "offered", "revealed",
        "commitment", "sealed",
    ),
    "tables_roundlog": ("table_id", "shoe_id", "number", "game", "edition", "opening", "started_at"),
    "tables_review": ("log_id", "player_id", "reason", "words", "asked_at"),
}  # fmt: skip
"""Table -> the columns that stay as they were first written."""

SET_ONCE: Mapping[str, tuple[str, ...]] = {
    "tables_packseed": ("revealed", "leaves", "dropped_at", "archive_id"),
    "tables_shoe": ("cut",),
    "tables_roundlog": ("turned", "archive_id", "archive_offset", "archive_length"),
    "tables_review": ("taken_by_id", "taken_at", "outcome", "answer", "decided_by_id", "decided_as", "decided_at"),
}
"""Table -> the columns that are empty at first, and stay as they are once something was written there."""

LET_GO: Mapping[str, tuple[str, ...]] = {"tables_packseed": ("leaves",)}
"""… of which these are emptied as their row is marked with its archive, and stay empty."""

GOES_WITH: Mapping[str, tuple[str, str]] = {"tables_revealedlink": ("tables_packseed", "seed_id")}
"""Table -> the table whose mark lets its rows be deleted, and the column that names the row there."""

TABLES = tuple(WRITTEN_ONCE)


def names(table: str) -> tuple[str, ...]:
    """The triggers of one of these tables."""
    return (f"{table}_written_once", f"{table}_not_deleted")


def made(vendor: str) -> list[str]:
    """The statements that make all these triggers, and the functions that they call."""
    return [statement for table in TABLES for statement in _create(vendor, table)]


def create(schema_editor: BaseDatabaseSchemaEditor, tables: Sequence[str] = TABLES) -> None:
    """Put the triggers of these tables in place, for the columns that there are: a later migration may add some."""
    for table in tables:
        there = _columns(schema_editor, table)
        marked = _columns(schema_editor, GOES_WITH[table][0]) if table in GOES_WITH else there
        for statement in _create(schema_editor.connection.vendor, table, there, all_stays="archive_id" not in marked):
            schema_editor.execute(statement)


def drop(schema_editor: BaseDatabaseSchemaEditor, tables: Sequence[str] = TABLES) -> None:
    """Take them away."""
    for table in tables:
        for statement in _drop(schema_editor.connection.vendor, table):
            schema_editor.execute(statement)


def _columns(schema_editor: BaseDatabaseSchemaEditor, table: str) -> set[str]:
    with schema_editor.connection.cursor() as cursor:
        found = schema_editor.connection.introspection.get_table_description(cursor, table)
    return {each.name for each in found}


def _create(vendor: str, table: str, there: Collection[str] | None = None, *, all_stays: bool = False) -> list[str]:
    """The statements that make the triggers of a table; `there` are its columns now, None if it has all of them.
    `all_stays` before there were archives."""
    differs = "IS DISTINCT FROM" if vendor == "postgresql" else "IS NOT"
    once = [each for each in WRITTEN_ONCE[table] if there is None or each in there]
    set_once = [each for each in SET_ONCE.get(table, ()) if there is None or each in there]
    goes = () if all_stays else LET_GO.get(table, ())
    changed = [f"OLD.{column} {differs} NEW.{column}" for column in once]
    for column in set_once:
        is_other = f"OLD.{column} IS NOT NULL AND OLD.{column} {differs} NEW.{column}"
        if column in goes:
            changed.append(f"({is_other} AND (NEW.{column} IS NOT NULL OR NEW.archive_id IS NULL))")
            changed.append(f"(NEW.{column} IS NOT NULL AND NEW.archive_id IS NOT NULL)")
        else:
            changed.append(f"({is_other})")
    mark = None if all_stays else GOES_WITH.get(table)
    return (_on_postgresql if vendor == "postgresql" else _on_sqlite)(table, " OR ".join(changed), mark)


def _on_postgresql(table: str, when: str, mark: tuple[str, str] | None) -> list[str]:
    on_change, on_delete = names(table)
    refuse = f"RAISE EXCEPTION '{table} is written once'"
    function = "CREATE FUNCTION {}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {}; END $$"
    statements = [
        function.format(on_change, refuse),
        (
            f"CREATE TRIGGER {on_change} BEFORE UPDATE ON {table} FOR EACH ROW WHEN ({when}) "
            f"EXECUTE FUNCTION {on_change}()"
        ),
    ]
    if mark is not None:
        statements.append(function.format(on_delete, f"IF EXISTS ({_marked(*mark)}) THEN RETURN OLD; END IF; {refuse}"))
    calls = on_change if mark is None else on_delete
    return [*statements, f"CREATE TRIGGER {on_delete} BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION {calls}()"]


def _marked(table: str, column: str) -> str:
    return f"SELECT 1 FROM {table} WHERE id = OLD.{column} AND archive_id IS NOT NULL"  # noqa: S608 (our own names)


def _on_sqlite(table: str, when: str, mark: tuple[str, str] | None) -> list[str]:
    on_change, on_delete = names(table)
    refuse, unless_marked = f"BEGIN SELECT RAISE(ABORT, '{table} is written once'); END", ""
    if mark is not None:
        unless_marked = f"WHEN NOT EXISTS ({_marked(*mark)}) "
    return [
        f"CREATE TRIGGER {on_change} BEFORE UPDATE ON {table} WHEN {when} {refuse}",
        f"CREATE TRIGGER {on_delete} BEFORE DELETE ON {table} {unless_marked}{refuse}",
    ]


def _drop(vendor: str, table: str) -> list[str]:
    on_change, on_delete = names(table)
    if vendor == "postgresql":
        return [
            f"DROP TRIGGER {on_change} ON {table}",
            f"DROP TRIGGER {on_delete} ON {table}",
            f"DROP FUNCTION {on_change}()",
            f"DROP FUNCTION IF EXISTS {on_delete}()",
        ]
    return [f"DROP TRIGGER {on_change}", f"DROP TRIGGER {on_delete}"]
