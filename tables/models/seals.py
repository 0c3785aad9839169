"""Triggers that keep what was sealed as it was sealed, on both databases.

A seed, a link, a pack or a throw is written once: which it is, its commitment and its sealed text never change, a seed
is mixed and a pack is cut once, and none is ever deleted. What a round was opened with, the commitment of its pack
included, never changes either, nor what a player has asked the pit to look at again, and what the pit has ruled on it.

SQLite makes a table anew to change it: a migration that changes one of these tables drops their triggers before and
creates them again.
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
    "tables_packseed": ("revealed", "leaves", "dropped_at"),
    "tables_shoe": ("cut",),
    "tables_roundlog": ("turned", "archive_id", "archive_offset", "archive_length"),
    "tables_review": ("taken_by_id", "taken_at", "outcome", "answer", "decided_by_id", "decided_as", "decided_at"),
}
"""Table -> the columns that are empty at first, and stay as they are once something was written there."""

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
        with schema_editor.connection.cursor() as cursor:
            there = {each.name for each in schema_editor.connection.introspection.get_table_description(cursor, table)}
        for statement in _create(schema_editor.connection.vendor, table, there):
            schema_editor.execute(statement)


def drop(schema_editor: BaseDatabaseSchemaEditor, tables: Sequence[str] = TABLES) -> None:
    """Take them away."""
    for table in tables:
        for statement in _drop(schema_editor.connection.vendor, table):
            schema_editor.execute(statement)


def _create(vendor: str, table: str, there: Collection[str] | None = None) -> list[str]:
    """The statements that make the triggers of a table; `there` are its columns now, None if it has all of them."""
    on_change, on_delete = names(table)
    differs = "IS DISTINCT FROM" if vendor == "postgresql" else "IS NOT"
    once = [each for each in WRITTEN_ONCE[table] if there is None or each in there]
    set_once = [each for each in SET_ONCE.get(table, ()) if there is None or each in there]
    changed = [f"OLD.{column} {differs} NEW.{column}" for column in once]
    changed += [f"(OLD.{each} IS NOT NULL AND OLD.{each} {differs} NEW.{each})" for each in set_once]
    when = " OR ".join(changed)
    if vendor == "postgresql":
        return [
            (
                f"CREATE FUNCTION {on_change}() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN RAISE EXCEPTION '{table} is written once'; END $$"
            ),
            (
                f"CREATE TRIGGER {on_change} BEFORE UPDATE ON {table} FOR EACH ROW WHEN ({when}) "
                f"EXECUTE FUNCTION {on_change}()"
            ),
            f"CREATE TRIGGER {on_delete} BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION {on_change}()",
        ]
    refuse = f"BEGIN SELECT RAISE(ABORT, '{table} is written once'); END"
    return [
        f"CREATE TRIGGER {on_change} BEFORE UPDATE ON {table} WHEN {when} {refuse}",
        f"CREATE TRIGGER {on_delete} BEFORE DELETE ON {table} {refuse}",
    ]


def _drop(vendor: str, table: str) -> list[str]:
    on_change, on_delete = names(table)
    if vendor == "postgresql":
        return [
            f"DROP TRIGGER {on_change} ON {table}",
            f"DROP TRIGGER {on_delete} ON {table}",
            f"DROP FUNCTION {on_change}()",
        ]
    return [f"DROP TRIGGER {on_change}", f"DROP TRIGGER {on_delete}"]
