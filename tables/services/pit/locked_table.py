"""A table's row under lock, as the pit changes it."""

from __future__ import annotations

from tables.base import announce
from tables.games.contract.errors import Refused
from tables.games.values.money import is_whole_credits
from tables.games.values.words import Amount, say
from tables.models import RoundLog, Table

MOST = 1_000_000_000_00
"""No float, fill or credit is more than this, in cents: ten digits of credits are a slip of the hand."""


# ── Helpers ─────────────────────────────────────────────────────────────────────────────────────────────────


def check_amount(cents: int) -> None:
    if type(cents) is not int or not is_whole_credits(cents):
        raise Refused("credits", say("Chips come in whole credits, at least 1."))
    if cents > MOST:
        raise Refused("credits", say("No more than %(most)s come at once.", most=Amount(MOST)))


def table_is_closed() -> Refused:
    return Refused("table", say("This table is closed."))


def lock_table(table_id: int) -> Table:
    table = Table.objects.select_for_update(of=("self",)).select_related("round").filter(pk=table_id).first()
    if table is None:
        raise Refused("table", say("There is no such table."))
    return table


def lock_open_table(table_id: int) -> Table:
    table = lock_table(table_id)
    if not table.open:
        raise table_is_closed()
    return table


def present_round(table: Table) -> RoundLog | None:
    """The round of a table, read again: others go on with it while the table is locked."""
    return None if table.round_id is None else RoundLog.objects.get(pk=table.round_id)


def save_table(table: Table, *fields: str) -> None:
    """Save what has changed of a table, and tell pages and dealer of it."""
    table.version += 1
    table.save(update_fields=[*fields, "version"])
    announce.table_changed(table.pk, due=True, version=table.version)
