"""An update: the database of before under this code, and dealers of two versions beside each other."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, migrations
from django.db.migrations.loader import MigrationLoader
from django.db.models import CheckConstraint, Q

from tables.models import Lease, LoggedAction, RoundLog, Table, Transfer
from tables.proof import selfcheck
from tables.queries.folds import fold_cache
from tables.services.dealing.leases import PROTOCOL, OutdatedDealerError, check_protocol, release_leases, take_lease

from .kit import IDENTITY, House

BEFORE = "0025_peeled"
"""The newest migration of the version before this one."""

TTL = timedelta(seconds=3)


# ── The database ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_house_of_before_is_brought_up_to_date_and_deals_on(hall: House) -> None:
    """A house with rounds behind it and stakes on the layout, in the form that the version before gave it."""
    ana, table = hall.player("ana"), hall.table(dealing_device="shoe")
    for _ in range(2):
        hall.until(table, "betting")
        hall.bet(ana, table, "player", 100)
        hall.play_out(table)
    hall.until(table, "betting")
    hall.bet(ana, table, "player", 100)
    rows = (Transfer.objects.count(), LoggedAction.objects.count(), RoundLog.objects.count())
    shoe = hall.log(table).shoe_id
    try:
        call_command("migrate", "tables", BEFORE, verbosity=0)
    finally:
        call_command("migrate", verbosity=0)
    fold_cache.clear()
    assert list(selfcheck.triggers_missing()) == []
    assert (Transfer.objects.count(), LoggedAction.objects.count(), RoundLog.objects.count()) == rows
    hall.in_order()
    hall.play_out(table)
    hall.until(table, "betting")
    assert hall.log(table).shoe_id == shoe, "nothing was redrawn"


ADDING = (migrations.CreateModel, migrations.AddField, migrations.AddIndex, migrations.RunPython)
CONSTRAINING = (migrations.RemoveConstraint, migrations.AddConstraint)


def test_a_migration_only_adds_so_that_the_code_of_before_goes_on_beside_it() -> None:
    """A constraint asks no more of it than before, as long as the new columns have their defaults."""
    loader = MigrationLoader(None)
    newer = sorted(name for app, name in loader.disk_migrations if app == "tables" and name > BEFORE)
    assert newer
    for name in newer:
        operations = loader.disk_migrations["tables", name].operations
        added = {one.name: one.field for one in operations if isinstance(one, migrations.AddField)}
        gone = {one.name for one in operations if isinstance(one, migrations.RemoveConstraint)}
        for operation in operations:
            assert isinstance(operation, ADDING + CONSTRAINING), f"{name}: {operation.describe()}"
            if isinstance(operation, migrations.AddConstraint):
                new = cast("CheckConstraint", operation.constraint)
                gone.discard(new.name)
                asked = asked_of_the_code_of_before(new, {one: field.db_default for one, field in added.items()})
                assert asked in ([], conditions(loader, new.name)), f"{name}: {operation.describe()}"
        assert not gone, f"{name}: {gone} held before"
        for column, field in added.items():
            assert field.null or field.has_db_default(), f"{name}: who does not know {column} cannot insert"


def asked_of_the_code_of_before(constraint: CheckConstraint, defaults: dict[str, object]) -> list[object]:
    """One of these must hold, where the new columns have their defaults; none where it holds by that."""
    assert isinstance(constraint.condition, Q) and constraint.condition.connector == Q.OR
    parts = cast("list[tuple[str, object]]", constraint.condition.children)
    if any(column in defaults and defaults[column] == value for column, value in parts):
        return []
    return [part for part in parts if part[0] not in defaults]


def conditions(loader: MigrationLoader, constraint: str) -> list[object]:
    """What the constraint of this name asked before."""
    known = loader.project_state(("tables", BEFORE)).models.values()
    return [part for model in known for one in model.options.get("constraints", ())
            if one.name == constraint for part in one.condition.children]  # fmt: skip


def test_the_code_of_before_opens_a_table_beside_this_one(db: None) -> None:
    """It names no column that it does not know."""
    table = House().table()
    Lease.objects.filter(table=table).delete()
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO tables_lease (table_id, owner, epoch, signature) VALUES (%s, '', 0, '')", [table.pk]
        )
    assert Lease.objects.get(table=table).protocol == 0


# ── Dealers of two versions ─────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def tables(db: None) -> list[Table]:
    house = House()
    made = [house.table(slug) for slug in ("jade", "ruby")]
    release_leases("test")
    Lease.objects.update(protocol=0)
    return made


def taken(owner: str, protocol: int, house: House) -> int | None:
    came = take_lease(owner, TTL, identity=IDENTITY, protocol=protocol, clock=house.clock)
    return None if came is None else came[0]


def test_two_versions_share_the_tables_and_none_goes_back_to_the_earlier(tables: list[Table]) -> None:
    house, (jade, ruby) = House(), [table.pk for table in tables]
    assert taken("earlier", PROTOCOL, house) == jade
    assert taken("later", PROTOCOL + 1, house) == ruby
    assert taken("another earlier", PROTOCOL, house) is None, "all are dealt at"
    release_leases("later")
    with pytest.raises(OutdatedDealerError, match=f"protocol {PROTOCOL + 1}, this one has {PROTOCOL}.: update") as told:
        taken("another earlier", PROTOCOL, house)
    assert "\n" not in str(told.value)
    release_leases("earlier")
    assert taken("another earlier", PROTOCOL, house) == jade, "no later one has dealt there"
    assert taken("later", PROTOCOL + 1, house) == ruby
    house.clock.pass_(seconds=5)
    assert {taken("later", PROTOCOL + 1, house), taken("later", PROTOCOL + 1, house)} == {jade, ruby}
    house.clock.pass_(seconds=5)
    with pytest.raises(OutdatedDealerError):
        taken("earlier", PROTOCOL, house)


def test_an_outdated_dealer_does_not_start_and_says_so_in_one_line(
    tables: list[Table], settings: object, tmp_path: Path
) -> None:
    check_protocol()
    Lease.objects.filter(table=tables[0]).update(protocol=PROTOCOL + 1)
    with pytest.raises(CommandError, match=r"^A later version has dealt in this house .*: update this dealer\.$"):
        call_command("deal")
