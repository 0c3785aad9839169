"""Who counts as a second person, as the database sees it: triggers on both databases.

Two persons are two unless one has brought in the other within the last 30 days, or the same person has brought in
both: whoever asked for an appointment or approved it has brought that member in, and so have those who brought in them,
two steps back. Appointments by the operator's command are no requests and bring nobody in. A decision is made once, and
neither it nor what was asked for is ever deleted.

SQLite makes a table anew to change it: a migration that changes one of these tables drops their triggers before and
creates them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.backends.base.schema import BaseDatabaseSchemaEditor

INDEPENDENT_AFTER_DAYS = 30


@dataclass(frozen=True, slots=True)
class Decided:
    """A table of what one person asks for and another approves: who asks, and the states that it waits and agrees in.

    One with `once` is decided once; one with `fixed` columns never changes what was asked.
    """

    table: str
    asker: str
    approved: str
    waiting: str = ""
    fixed: tuple[str, ...] = ()


DECIDED = (
    Decided(
        "tables_approvalrequest", "asked_by_id", "approved", "waiting",
        ("kind", "key", "asked", "why", "player_id", "table_id", "log_id", "asked_by_id", "asked_at"),
    ),
    Decided(
        "tables_adjustment", "requested_by_id", "approved", "requested",
        ("player_id", "log_id", "cents", "why", "requested_by_id", "requested_at"),
    ),
    Decided(
        "tables_chiporder", "requested_by_id", "confirmed", "requested",
        ("table_id", "kind", "amount", "why", "requested_by_id", "requested_at"),
    ),
    Decided("tables_optionchange", "drafted_by_id", "approved"),
    Decided(
        "tables_authorisation", "requested_by_id", "given", "requested",
        (
            "game", "options", "basis", "table_id", "change_id", "why", "submitted_on", "holds_from", "requested_by_id",
            "requested_at",
        ),
    ),
)  # fmt: skip

FIRST = ("tables_approvalrequest", "tables_adjustment", "tables_chiporder", "tables_optionchange", "tables_halt")
"""The first tables that had triggers of this module; of the last one only that nothing is deleted."""

AUTHORISATIONS = ("tables_authorisation",)
TABLES = (*FIRST, *AUTHORISATIONS)
"""All that have any."""


def made(vendor: str) -> list[str]:
    """The statements that make all these triggers, and the functions that they call."""
    return [
        statement
        for table in TABLES
        for name, event, when, says in _guards(vendor, table)
        for statement in _create(vendor, table, name, event, when, says)
    ]


def create(schema_editor: BaseDatabaseSchemaEditor, tables: Sequence[str] = FIRST) -> None:
    """From here on the database refuses an approval by no second person, a second decision, and to forget one."""
    vendor = schema_editor.connection.vendor
    for table in tables:
        for name, event, when, says in _guards(vendor, table):
            for statement in _create(vendor, table, name, event, when, says):
                schema_editor.execute(statement, None)


def drop(schema_editor: BaseDatabaseSchemaEditor, tables: Sequence[str] = FIRST) -> None:
    """Take that away, as far as it is there."""
    vendor = schema_editor.connection.vendor
    for table in tables:
        for name, *_ in _guards(vendor, table):
            on = f" ON {table}" if vendor == "postgresql" else ""
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {table}_{name}{on}", None)
            if vendor == "postgresql":
                schema_editor.execute(f"DROP FUNCTION IF EXISTS {table}_{name}()", None)


def _guards(vendor: str, table: str) -> list[tuple[str, str, str, str]]:
    """Name, event, condition and words of each trigger of a table."""
    guards = [("kept", "DELETE", "1 = 1", "this is kept")]
    for one in DECIDED:
        if one.table == table:
            guards += _guards_of_decisions(vendor, one)
    return guards


def _guards_of_decisions(vendor: str, one: Decided) -> list[tuple[str, str, str, str]]:
    same = _one_circle(vendor, f"NEW.{one.asker}", "NEW.decided_by_id")
    approves = f"NEW.state = '{one.approved}' AND NEW.decided_by_id <> NEW.{one.asker}"
    guards = [
        ("two_persons", "UPDATE OF state, decided_by_id", f"{approves} AND {same}", "these two are no two persons yet"),
        ("two_persons_new", "INSERT", f"{approves} AND {same}", "these two are no two persons yet"),
    ]
    if one.waiting:
        guards.append(
            (
                "decided_once",
                "UPDATE OF state, decided_by_id, decided_at",
                f"OLD.state <> '{one.waiting}'",
                "this is decided already",
            )
        )
    if one.fixed:
        guards.append(("asked_once", f"UPDATE OF {', '.join(one.fixed)}", "1 = 1", "what was asked for stays"))
    return guards


_BROUGHT_IN = (
    "SELECT player_id, asked_by_id AS by_id, decided_at AS at FROM tables_approvalrequest "
    "WHERE kind = 'appoint' AND state = 'approved' "
    "UNION ALL SELECT player_id, decided_by_id, decided_at FROM tables_approvalrequest "
    "WHERE kind = 'appoint' AND state = 'approved'"
)
"""Who was brought in by whom, and when."""


def _one_circle(vendor: str, asker: str, approver: str) -> str:
    """Whether these two, or those who brought them in lately, are the same."""
    return (
        f"EXISTS (SELECT 1 FROM ({_circle(vendor, asker)}) mine "  # noqa: S608  # our own names alone
        f"JOIN ({_circle(vendor, approver)}) theirs ON mine.id = theirs.id)"
    )


def _circle(vendor: str, person: str) -> str:
    since = (
        f"NEW.decided_at - interval '{INDEPENDENT_AFTER_DAYS} days'"
        if vendor == "postgresql"
        else f"datetime(NEW.decided_at, '-{INDEPENDENT_AFTER_DAYS} days')"
    )
    return (
        f"SELECT {person} AS id "  # noqa: S608  # our own names alone
        f"UNION SELECT one.by_id FROM ({_BROUGHT_IN}) one WHERE one.player_id = {person} AND one.at > {since} "
        f"UNION SELECT two.by_id FROM ({_BROUGHT_IN}) one JOIN ({_BROUGHT_IN}) two ON two.player_id = one.by_id "
        f"WHERE one.player_id = {person} AND one.at > {since} AND two.at > {since}"
    )


def _create(vendor: str, table: str, name: str, event: str, when: str, says: str) -> list[str]:
    words = f"{table}: {says}"
    if vendor == "postgresql":
        function = (
            f"CREATE FUNCTION {table}_{name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF {when} THEN RAISE EXCEPTION '{words}' USING ERRCODE = 'integrity_constraint_violation'; END IF; "
            "RETURN NEW; END $$"
        )
        trigger = (
            f"CREATE TRIGGER {table}_{name} BEFORE {event} ON {table} FOR EACH ROW EXECUTE FUNCTION {table}_{name}()"
        )
        return [function, trigger]
    return [
        f"CREATE TRIGGER {table}_{name} BEFORE {event} ON {table} WHEN {when} BEGIN SELECT RAISE(ABORT, '{words}'); END"
    ]
