"""The house checks itself, and does not open when it is not as it must be."""

from __future__ import annotations

import asyncio
import shutil
import signal
import subprocess
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from tables.base.executor import in_database
from tables.management.fitness import end_when_unfit, refuse_unless_fit
from tables.proof import selfcheck
from tests.floor.pit_kit import browser_of, has_factor, member

from .kit import House, without_guards
from .processes import WITHIN


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A small program with its manifest."""
    for path, text in {
        "casino/keys.py": "one",
        "tables/games/money.py": "two",
        "static/js/live.js": "three",
        "tables/__pycache__/money.cpython-311.pyc": "four",
        "manage.py": "five",
        "var/floor.sqlite3": "no part of the program",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / selfcheck.MANIFEST).write_text(selfcheck.manifest_text(tmp_path))
    return tmp_path


def test_the_files_are_those_that_were_built(built: Path) -> None:
    assert list(selfcheck.files_differ(built)) == []
    (built / "tables/games/money.py").write_text("two and a half")
    (built / "static/js/live.js").unlink()
    (built / "tables/extra.py").write_text("new")
    (built / "tables/__pycache__/money.cpython-311.pyc").write_text("changed")
    (built / "var/floor.sqlite3").write_text("changed")
    assert list(selfcheck.files_differ(built)) == [
        "static/js/live.js is missing",
        "tables/__pycache__/money.cpython-311.pyc is not the file that was built",
        "tables/extra.py was not there when this was built",
        "tables/games/money.py is not the file that was built",
    ]


def test_compiled_modules_count_only_if_they_were_built(built: Path) -> None:
    shutil.rmtree(built / "tables/__pycache__")
    (built / selfcheck.MANIFEST).write_text(selfcheck.manifest_text(built))
    (built / "casino/__pycache__").mkdir()
    (built / "casino/__pycache__/keys.cpython-311.pyc").write_text("made by itself")
    assert list(selfcheck.files_differ(built)) == []


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="the independent tool is not on this machine")
def test_an_independent_tool_checks_the_manifest_too(built: Path) -> None:
    command = ["sha256sum", "--check", "--quiet", selfcheck.MANIFEST]
    assert subprocess.run(command, cwd=built, check=False, capture_output=True).returncode == 0
    (built / "manage.py").write_text("changed")
    assert b"manage.py: FAILED" in subprocess.run(command, cwd=built, check=False, capture_output=True).stdout


def test_every_bet_costs_what_was_pinned(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert list(selfcheck.pay_tables_differ()) == []
    text = selfcheck.PINNED.read_text()
    assert text.count('"straight_17": "1/37"') == 1
    monkeypatch.setattr(selfcheck, "PINNED", tmp_path / "pinned.json")
    selfcheck.PINNED.write_text(text.replace('"straight_17": "1/37"', '"straight_17": "2/37"'))
    (fault,) = selfcheck.pay_tables_differ()
    assert fault == "the house keeps 1/37 of a credit on straight_17 of roulette, and should 2/37"


def test_all_triggers_are_there_as_they_were_made(db: None) -> None:
    assert list(selfcheck.triggers_missing()) == []
    without_guards()
    missing = list(selfcheck.triggers_missing())
    assert "the trigger tables_shoe_written_once is missing" in missing
    assert any("tables_transfer" in one for one in missing)


def test_a_trigger_that_does_nothing_is_found(db: None) -> None:
    name = "tables_shoe_written_once"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"ALTER TABLE tables_shoe DISABLE TRIGGER {name}")
        else:
            cursor.execute(f"DROP TRIGGER {name}")
            cursor.execute(f"CREATE TRIGGER {name} BEFORE UPDATE ON tables_shoe BEGIN SELECT 1; END")
    assert list(selfcheck.triggers_missing()) == [f"the trigger {name} is not as it was made, or is switched off"]


CALLS = "EXECUTE FUNCTION tables_shoe_written_once()"


@pytest.mark.postgresql
@pytest.mark.parametrize(
    "weakened",
    [
        f"BEFORE UPDATE ON tables_shoe FOR EACH ROW WHEN (OLD.number IS DISTINCT FROM NEW.number) {CALLS}",
        f"BEFORE INSERT ON tables_shoe FOR EACH ROW {CALLS}",
        f"BEFORE UPDATE ON tables_seat FOR EACH ROW {CALLS}",
    ],
    ids=["its condition", "its event", "its table"],
)
def test_a_trigger_that_does_less_is_found(db: None, weakened: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER tables_shoe_written_once ON tables_shoe")
        cursor.execute(f"CREATE TRIGGER tables_shoe_written_once {weakened}")
    (fault,) = selfcheck.triggers_missing()
    assert fault == "the trigger tables_shoe_written_once is not as it was made, or is switched off"


@pytest.mark.postgresql
def test_a_trigger_whose_function_does_less_is_found(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE OR REPLACE FUNCTION tables_shoe_written_once() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN IF false THEN RAISE EXCEPTION 'tables_shoe is written once'; END IF; RETURN NEW; END $$"
        )
    faults = list(selfcheck.triggers_missing())
    assert len(faults) == 2 and all("tables_shoe_" in each for each in faults), "both triggers that call it"


@pytest.mark.django_db(transaction=True)
def test_a_shoe_key_that_opens_no_pack_in_use_is_another_one(house: House, settings: Any) -> None:
    table = house.table(dealing_device="shoe")
    house.until(table, "betting")
    assert list(selfcheck.keys_useless()) == []
    before, settings.SHOE_KEY = settings.SHOE_KEY, "the key of another house"
    (fault,) = selfcheck.keys_useless()
    assert fault.startswith("SHOE_KEY opens no pack that is in use")
    with pytest.raises(CommandError, match="SHOE_KEY opens no pack"):
        refuse_unless_fit()
    settings.SHOE_KEY_FALLBACKS = [before]
    assert list(selfcheck.keys_useless()) == []


def test_a_secret_key_that_opens_no_second_factor_is_another_one(db: None, settings: Any) -> None:
    has_factor(member("pit_boss"))
    assert list(selfcheck.keys_useless()) == []
    before, settings.SECRET_KEY = settings.SECRET_KEY, "the key of another house"
    (fault,) = selfcheck.keys_useless()
    assert fault.startswith("SECRET_KEY opens no second factor")
    settings.SECRET_KEY_FALLBACKS = [before]
    assert list(selfcheck.keys_useless()) == []


def test_a_database_older_than_the_program_is_refused(db: None) -> None:
    MigrationRecorder(connection).record_unapplied("tables", newest := migrations("tables")[-1])
    with pytest.raises(CommandError, match=f"older than this program: it lacks {newest}. Run manage.py floor") as told:
        refuse_unless_fit()
    assert "\n" not in str(told.value)
    with pytest.raises(CommandError, match="older than this program"):
        call_command("deal")


def migrations(app: str) -> list[str]:
    """The names of an app's migrations, in the order in which they are carried out."""
    graph = MigrationLoader(connection).graph
    return [name for at, name in graph.forwards_plan(graph.leaf_nodes(app)[0]) if at == app]


def test_the_house_does_not_open_when_it_fails(db: None, built: Path, settings: Any) -> None:
    refuse_unless_fit()
    settings.BASE_DIR = built
    refuse_unless_fit()
    (built / "manage.py").write_text("changed")
    with pytest.raises(CommandError, match=r"does not open, it has failed its self-check: manage.py is not the file"):
        refuse_unless_fit()
    without_guards()
    with pytest.raises(CommandError, match=r"\(and \d+ more: manage.py selfcheck\)") as told:
        refuse_unless_fit()
    assert "\n" not in str(told.value)
    for command, options in (("floor", {"port": "8199", "no_dealer": True}), ("deal", {})):
        with pytest.raises(CommandError, match="self-check"):
            call_command(command, **options)


@pytest.mark.django_db(transaction=True)
async def test_a_process_that_becomes_unfit_closes_in_order(
    built: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check of each day, which here is one of each moment."""
    boss = await in_database(member, "pit_boss")
    monkeypatch.setattr(selfcheck, "INTERVAL_S", 0.0)
    settings.BASE_DIR = built
    told_to_end = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told_to_end.set)
    try:
        watching = asyncio.create_task(end_when_unfit())
        (built / "manage.py").write_text("changed")
        async with asyncio.timeout(WITHIN):
            await told_to_end.wait()
            await watching
    finally:
        asyncio.get_running_loop().remove_signal_handler(signal.SIGTERM)
    for page in ("/pit/", "/pit/events/significant/"):
        told = await in_database(lambda page=page: browser_of(boss).get(page).content.decode())  # type: ignore[misc]
        assert "manage.py is not the file that was built" in told, page


def test_the_command_says_what_is_wrong(db: None, built: Path, settings: Any) -> None:
    said, complained = StringIO(), StringIO()
    settings.BASE_DIR = built
    call_command("selfcheck", stdout=said, stderr=complained)
    assert said.getvalue() == "files as built, pay tables, triggers, keys: in order\n"
    (built / "manage.py").write_text("changed")
    with pytest.raises(SystemExit) as end:
        call_command("selfcheck", stdout=said, stderr=complained)
    assert end.value.code == 1 and complained.getvalue() == "manage.py is not the file that was built\n"
    call_command("selfcheck", "--write-manifest", stdout=said)
    assert list(selfcheck.files_differ(built)) == []
    (built / selfcheck.MANIFEST).unlink()
    call_command("selfcheck", stdout=said)
    assert said.getvalue().endswith("files of a checkout, without a manifest, pay tables, triggers, keys: in order\n")
