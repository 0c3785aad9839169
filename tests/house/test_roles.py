"""The roles of the database: each process may do what it needs, and no more. On PostgreSQL; SQLite has none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from tables.base.chance import SystemRandomness
from tables.models import LoggedAction, Player, Shoe, Transfer, seals
from tables.models.privileges import PRIVILEGES, DatabaseRole
from tables.proof.audit import audit
from tables.services.dealing.leases import release_leases
from tables.services.pit import adjustments
from tables.services.pit import reviews as pit_reviews
from tables.services.players import people, reviews
from tables.services.rounds import seating

from .kit import VAULT, House

PASSWORD = "a password of the tests"
INSERT_ONLY = ("tables_transfer", "tables_loggedaction", "tables_event", "tables_ruling")


@pytest.mark.skipif(not settings.ON_SQLITE, reason="what SQLite is told")
def test_sqlite_is_told_that_it_has_no_roles() -> None:
    with pytest.raises(CommandError, match="SQLite has no roles"):
        call_command("roles")


def test_every_table_of_the_house_is_somebodys() -> None:
    """A new table must be given to those who need it: its line is missing in tables/models/privileges.py."""
    tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)} | {"django_migrations"}
    granted = set().union(*PRIVILEGES.values())
    assert tables - granted == set() and granted - tables == set()


@pytest.mark.parametrize("role", DatabaseRole)
@pytest.mark.parametrize("table", [*INSERT_ONLY, *seals.TABLES])
def test_what_is_written_once_is_written_once_by_right(role: DatabaseRole, table: str) -> None:
    rights = PRIVILEGES[role].get(table, "")
    assert "DELETE" not in rights
    if table in INSERT_ONLY:
        assert "UPDATE" not in rights
    for column in ("commitment", "sealed", "leaves", "opening", "serial", "number", "words", "asked_at"):
        if column not in seals.SET_ONCE.get(table, ()):  # such a column is filled in later, and a trigger keeps it
            assert column not in rights
    assert "UPDATE" not in rights.replace("UPDATE (", "")


@pytest.fixture
def roles(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The roles of the test database; gone afterwards."""
    prefix = str(connection.settings_dict["NAME"])
    for role in DatabaseRole:
        monkeypatch.setenv(f"{role.name}_PASSWORD", PASSWORD)
    call_command("roles", verbosity=0)
    yield prefix
    with connection.cursor() as cursor:
        for role in DatabaseRole:
            cursor.execute(f'DROP OWNED BY "{prefix}_{role}"')
            cursor.execute(f'DROP ROLE "{prefix}_{role}"')


@contextmanager
def logged_in(prefix: str, role: DatabaseRole) -> Iterator[psycopg.Connection[Any]]:
    """A connection of its own, as a process with this role has it."""
    given = connection.settings_dict
    with psycopg.connect(
        host=given["HOST"], port=given["PORT"] or 5432, dbname=given["NAME"], user=f"{prefix}_{role}",
        password=PASSWORD, autocommit=True,
    ) as other:  # fmt: skip
        yield other


@contextmanager
def acting_as(prefix: str, role: DatabaseRole) -> Iterator[None]:
    """What is done here, our own services do with the rights of this role."""
    with connection.cursor() as cursor:
        cursor.execute(f'SET ROLE "{prefix}_{role}"')
        try:
            yield
        finally:
            cursor.execute("RESET ROLE")


FORBIDDEN: dict[DatabaseRole, tuple[str, ...]] = {
    DatabaseRole.WEB: (
        "INSERT INTO tables_shoe SELECT * FROM tables_shoe",
        "INSERT INTO tables_sealedthrow SELECT * FROM tables_sealedthrow",
        "UPDATE tables_shoe SET sealed = sealed",
        "UPDATE tables_shoe SET commitment = commitment",
        "UPDATE tables_shoe SET dealt = 0",
        "UPDATE tables_roundlog SET opening = opening",
        "INSERT INTO tables_roundlog SELECT * FROM tables_roundlog",
        "UPDATE tables_lease SET epoch = epoch",
        "UPDATE tables_account SET realm = realm",
    ),
    DatabaseRole.DEALER: (
        "UPDATE tables_shoe SET sealed = sealed",
        "UPDATE tables_sealedthrow SET commitment = commitment",
        "SELECT * FROM tables_browsersession",
        "SELECT * FROM mfa_authenticator",
        "UPDATE tables_player SET role = 'pit_boss'",
        "INSERT INTO tables_player SELECT * FROM tables_player",
        "UPDATE tables_adjustment SET state = 'approved'",
    ),
    DatabaseRole.AUDIT: (
        "SELECT password FROM tables_player",
        "SELECT * FROM tables_browsersession",
        "INSERT INTO tables_transfer SELECT * FROM tables_transfer",
        "UPDATE tables_account SET balance = 0",
        "INSERT INTO tables_event SELECT * FROM tables_event",
    ),
    DatabaseRole.AUDITOR: (
        "SELECT password FROM tables_player",
        "SELECT * FROM tables_browsersession",
        "INSERT INTO tables_transfer SELECT * FROM tables_transfer",
        "UPDATE tables_account SET balance = 0",
        "UPDATE tables_table SET options = options",
        "UPDATE tables_roundlog SET settled_at = now()",
        "UPDATE tables_alert SET acknowledged_at = now()",
        "UPDATE tables_lease SET owner = ''",
    ),
}

FOR_NOBODY = (
    *(f"{deed} {table}" for table in INSERT_ONLY for deed in ("DELETE FROM", "TRUNCATE")),
    *(f"UPDATE {table} SET id = id" for table in INSERT_ONLY),  # noqa: S608
    "DELETE FROM tables_shoe",
    "DELETE FROM tables_roundlog",
    "ALTER TABLE tables_transfer DISABLE TRIGGER ALL",
    "DROP TRIGGER tables_transfer_insert_only ON tables_transfer",
    "DROP TABLE tables_event",
    "CREATE TABLE mine (id int)",
    "COPY (SELECT 1) TO PROGRAM 'true'",
    "SET ROLE postgres",
)


@pytest.mark.postgresql
@pytest.mark.parametrize("role", DatabaseRole)
def test_each_role_is_refused_what_it_does_not_need(roles: str, role: DatabaseRole) -> None:
    House().player("ana")
    with logged_in(roles, role) as other:
        assert other.execute("SELECT count(*) FROM tables_transfer").fetchone() == (1,)
        for statement in (*FORBIDDEN[role], *FOR_NOBODY):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                other.execute(statement)


@pytest.mark.postgresql
def test_the_roles_are_made_again_without_harm_and_lose_what_they_should_not_have(roles: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f'GRANT ALL ON tables_transfer TO "{roles}_web"')
        cursor.execute(f'GRANT UPDATE (sealed) ON tables_shoe TO "{roles}_web"')
    call_command("roles", verbosity=0)
    with logged_in(roles, DatabaseRole.WEB) as other:
        for statement in ("DELETE FROM tables_transfer", "UPDATE tables_shoe SET sealed = sealed"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                other.execute(statement)


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("game", "spot", "box", "options"),
    [
        ("baccarat", "player", None, {"dealing_device": "shoe"}),
        ("blackjack", "main", 1, {}),
        ("stud_poker", "ante", 1, {}),
        ("three_card_baccarat", "place", 1, {}),
        ("roulette", "red", None, {}),
        ("cussec", "big", None, {}),
    ],
)
def test_web_and_dealer_have_what_a_round_needs(
    roles: str, game: str, spot: str, box: int | None, options: dict[str, Any]
) -> None:
    house = House(SystemRandomness())
    with acting_as(roles, DatabaseRole.WEB):
        ana = people.new_guest(clock=house.clock)
    table = house.table(game=game, **options)

    def deal_until(phase: str) -> None:
        while house.log(table).phase != phase and house.log(table).settled_at is None:
            house.due(table)
            with acting_as(roles, DatabaseRole.DEALER):
                house.advance(table)

    for _ in range(2):
        with acting_as(roles, DatabaseRole.WEB):
            seating.sit(ana.pk, table.pk, 1, clock=house.clock)
        house.due(table)
        with acting_as(roles, DatabaseRole.DEALER):
            house.advance(table)
        deal_until("betting")
        with acting_as(roles, DatabaseRole.WEB):
            house.refused(lambda: house.bet(ana, table, spot, 1_000_000_000, box))
            house.bet(ana, table, spot, 100, box)
        deal_until("settled")
    with acting_as(roles, DatabaseRole.DEALER):
        release_leases("test")
    assert LoggedAction.objects.exists() and Transfer.objects.filter(reason="stake").count() == 2
    assert Shoe.objects.exists() == (game not in ("roulette", "cussec"))
    with acting_as(roles, DatabaseRole.AUDIT):
        report = audit(VAULT)
    assert report.clean, report.faults


@pytest.mark.postgresql
def test_web_has_what_a_review_needs(roles: str) -> None:
    house = House()
    ana, table = house.player("ana"), house.table()
    boss, manager = (
        Player.objects.create(username=role, name=role, role=role) for role in ("pit_boss", "shift_manager")
    )
    house.until(table, "betting")
    house.bet(ana, table, "banker", 100)
    log = house.play_out(table)
    with acting_as(roles, DatabaseRole.WEB):
        first = reviews.ask(ana.pk, log.pk, "payment", "I had the banker", clock=house.clock)
        pit_reviews.take(boss, first.pk, clock=house.clock)
        pit_reviews.stand(boss, first.pk, "The bank had 5.", clock=house.clock)
        reviews.read(ana, log, clock=house.clock)
        second = reviews.ask(ana.pk, log.pk, "payment", "Look again", clock=house.clock)
        asked = adjustments.ask(boss, ana.pk, 1_00, "So it is.", log=log.pk, review=second.pk, clock=house.clock)
        adjustments.approve(manager, asked.pk, clock=house.clock)
    second.refresh_from_db()
    assert second.outcome == "adjusted"
    with acting_as(roles, DatabaseRole.AUDIT):
        assert audit(VAULT).clean
