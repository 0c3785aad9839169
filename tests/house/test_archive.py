"""Log lines of old rounds go to files and out of the database; audit, replay and pages read them from there, and no sum
changes."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import subprocess
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from django.db.models import Sum
from django.test import Client

from casino.settings import BASE_DIR
from tables.base import archive_files
from tables.base.archive_files import ArchiveError
from tables.models import Account, Archive, Event, Lease, LoggedAction, Played, RoundLog, Table, TableDay, Transfer
from tables.models.privileges import PRIVILEGES, DatabaseRole
from tables.proof import selfcheck
from tables.proof.audit import audit
from tables.proof.bundles import bundle_of
from tables.proof.reconciliation import reconcile
from tables.proof.running_audit import RunningAudit
from tables.queries import statistics
from tables.queries.archived import lines_of
from tables.queries.folds import entries_of, fold_cache
from tables.services.journal import archiving
from tables.services.journal.archiving import archive
from tables.services.pit.days import close_days

from .kit import LEASE, VAULT, House, void_round

AGE = timedelta(days=90)
STAKES = {"baccarat": ("player", None), "blackjack": ("main", 1), "roulette": ("red", None)}


class Old(House):
    """A house in which rounds of several games were played on two days, four months ago."""

    def __init__(self) -> None:
        super().__init__()
        self.ana = self.player("ana")
        self.tables = [self.table(game, game=game) for game in STAKES]
        for _ in range(2):
            for table in self.tables:
                self.round_of(table)
            self.later(days=1)
        self.until(self.tables[0], "betting")
        self.bet(self.ana, self.tables[0], "player", 100)
        void_round(self.log(self.tables[0]).pk, "a test", clock=self.clock)
        for table in self.tables:
            self.round_of(table)
        close_days(clock=self.clock)
        self.later(days=120)
        close_days(clock=self.clock)
        for table in self.tables:
            self.round_of(table)

    def later(self, *, days: int) -> None:
        """So many days later the same dealer still has the tables."""
        self.clock.pass_(days=days)
        Lease.objects.update(expires_at=self.clock.at + LEASE)

    def round_of(self, table: Table) -> None:
        self.until(table, "betting")
        spot, box = STAKES[table.game]
        self.bet(self.ana, table, spot, 100, box)
        self.play_out(table)

    def archived(self) -> list[Archive]:
        fold_cache.clear()
        made = list(archive(AGE, clock=self.clock))
        fold_cache.clear()
        statistics.remembered.clear()
        return made


@pytest.fixture
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.ARCHIVE = str(tmp_path / "archive")
    return tmp_path / "archive"


@pytest.fixture(scope="module")
def autumn(lasting_db: None) -> Old:
    return Old()


@pytest.fixture
def old(autumn: Old, folder: Path, db: None) -> Old:
    """That house. What is done to it is undone afterwards."""
    return autumn


def sums() -> object:
    """All that the ledger says, and what bettors staked and got."""
    return (
        list(Account.objects.order_by("pk").values_list("pk", "balance")),
        list(Transfer.objects.order_by("pk").values_list()),
        Played.objects.aggregate(staked=Sum("staked"), returned=Sum("returned")),
        list(TableDay.objects.order_by("pk").values_list()),
    )


def test_lines_leave_day_by_day_and_every_sum_stays(old: Old, folder: Path) -> None:
    before, lines = sums(), LoggedAction.objects.count()
    archived = {log.pk: list(entries_of(log)) for log in RoundLog.objects.filter(settled_at__isnull=False)}
    made = old.archived()
    assert [one.day for one in made] == sorted({one.day for one in made}) and len(made) == 3
    assert sums() == before
    assert LoggedAction.objects.count() == lines - sum(one.lines for one in made) < lines / 2
    for log in RoundLog.objects.filter(archive__isnull=False):
        assert not LoggedAction.objects.filter(log=log).exists()
        assert list(entries_of(log)) == archived[log.pk]
    assert RoundLog.objects.filter(archive__isnull=True).count() == 3, "those of today"
    assert old.archived() == [], "once is enough"


def test_audit_replay_and_proofs_read_the_files(old: Old) -> None:
    proofs = {log.pk: bundle_of(log, None) for log in RoundLog.objects.filter(settled_at__isnull=False)}
    old.archived()
    old.in_order()
    assert RunningAudit(old.clock).look() == []
    for log in RoundLog.objects.filter(archive__isnull=False):
        assert reconcile(log).faults == ()
        assert bundle_of(log, None) == proofs[log.pk]
        said = StringIO()
        call_command("replay", "--round", str(log.pk), stdout=said)
        assert json.loads(said.getvalue())["record"]


def test_reports_of_an_archived_day_say_what_they_said(old: Old) -> None:
    void = RoundLog.objects.get(void=True, number__gt=1)
    assert void.settled_at is not None
    since, until = void.settled_at - timedelta(days=1), void.settled_at + timedelta(days=1)
    before = statistics.voids_of_tables([void.table_id], since, until), statistics.of_rounds_on(void.settled_at.date())
    old.archived()
    assert (
        statistics.voids_of_tables([void.table_id], since, until),
        statistics.of_rounds_on(void.settled_at.date()),
    ) == before
    assert before[0]


def test_a_file_is_read_by_any_gunzip_and_its_sums_by_sha256sum(old: Old, folder: Path) -> None:
    made = old.archived()
    with gzip.open(folder / made[0].name) as file:
        rounds = [json.loads(line) for line in file]
    assert len(rounds) == made[0].rounds and sum(len(one["lines"]) for one in rounds) == made[0].lines
    assert {one["table"] for one in rounds} == set(STAKES)
    said = subprocess.run(
        ["sha256sum", "--check", "SHA256SUMS"], cwd=folder, capture_output=True, text=True, check=True
    )
    assert said.stdout.count(": OK") == 3
    events = Event.objects.filter(deed=Event.Kind.ARCHIVED).order_by("seq")
    assert [(event.after or {})["sha256"] for event in events] == [one.sha256 for one in made]
    assert hashlib.sha256((folder / made[0].name).read_bytes()).hexdigest() == made[0].sha256


def test_the_audit_finds_a_file_that_was_changed_or_is_gone(old: Old, folder: Path) -> None:
    made = old.archived()
    file = folder / made[0].name
    kept = file.read_bytes()
    file.write_bytes(kept[:-9] + bytes([kept[-9] ^ 1]) + kept[-8:])
    faults = "\n".join(audit(VAULT).faults)
    assert f"archive: {made[0].name} is not the file that was archived" in faults
    file.unlink()
    faults = "\n".join(audit(VAULT).faults)
    assert f"archive: {made[0].name} cannot be read" in faults
    log = RoundLog.objects.filter(archive=made[0])[0]
    with pytest.raises(ArchiveError):
        lines_of(log)
    file.write_bytes(kept)
    old.in_order()


def test_a_page_of_an_archived_round_shows_it_and_says_so_if_the_file_is_elsewhere(old: Old, folder: Path) -> None:
    old.archived()
    log = RoundLog.objects.filter(archive__isnull=False, void=False).order_by("pk")[0]
    browser = Client()
    browser.force_login(old.ana)
    for page in (f"/rounds/{log.pk}/", f"/rounds/{log.pk}/record.json", f"/rounds/{log.pk}/proof.json"):
        assert browser.get(page).status_code == 200, page
    folder.rename(folder.with_name("elsewhere"))
    answer = browser.get(f"/rounds/{log.pk}/")
    assert answer.status_code == 404
    assert "in the archive" in answer.content.decode()


def test_what_is_of_a_pack_that_is_dealt_from_stays_until_it_is_retired(old: Old) -> None:
    house = House()
    house.clock.at = old.clock.at
    rui, table = house.player("rui"), house.table("jade", dealing_device="shoe")
    for _ in range(3):
        house.until(table, "betting")
        house.bet(rui, table, "player", 100)
        house.play_out(table)
    house.clock.pass_(days=120)
    list(archive(AGE, clock=house.clock))
    assert not RoundLog.objects.filter(table=table, archive__isnull=False).exists(), "the pack is still in use"
    Table.objects.filter(pk=table.pk).update(fresh_shoe_due=True)
    Lease.objects.update(expires_at=house.clock.at + LEASE)
    house.step(table)
    list(archive(AGE, clock=house.clock))
    assert RoundLog.objects.filter(table=table, archive__isnull=False).count() == 3
    house.in_order()


def test_young_rounds_stay(old: Old) -> None:
    with pytest.raises(ValueError, match="last 30 days"):
        next(archive(timedelta(days=29), clock=old.clock))
    with pytest.raises(CommandError, match="Rounds of the last 30 days stay"):
        call_command("archive", "--older-than", "29d")


def test_the_documents_say_of_each_table_how_long_it_is_kept() -> None:
    """A new table is missing in docs/running-the-house.md: how long is it kept, and what takes it away?"""
    section = (BASE_DIR / "docs" / "running-the-house.md").read_text().partition("\n## What is kept, and how long\n")[2]
    named = re.findall(r"`(\w+)`", section.partition("\n## ")[0])
    tables = {model.__name__ for model in apps.get_app_config("tables").get_models()}
    assert tables - set(named) == set()


# ── The guards ──────────────────────────────────────────────────────────────────────────────────────────────


def test_no_line_goes_whose_round_is_not_archived_and_no_round_goes_back(old: Old) -> None:
    made = old.archived()
    live = RoundLog.objects.filter(archive__isnull=True)[0]
    gone = RoundLog.objects.filter(archive=made[0])[0]
    for deed in (
        lambda: LoggedAction.objects.filter(log=live).delete(),
        lambda: LoggedAction.objects.filter(log=live).update(by="nobody"),
        lambda: RoundLog.objects.filter(pk=gone.pk).update(archive=None),
        lambda: RoundLog.objects.filter(pk=gone.pk).update(archive_offset=1),
        lambda: Archive.objects.filter(pk=made[0].pk).update(sha256="0" * 64),
        lambda: Archive.objects.filter(pk=made[0].pk).delete(),
        lambda: Transfer.objects.filter(log=gone).delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            deed()
    assert list(selfcheck.triggers_missing()) == []


def test_the_audit_finds_an_archive_of_which_no_event_tells(old: Old) -> None:
    old.archived()
    Archive.objects.create(name="more", day="2066-11-21", sha256="0" * 64, rounds=1, lines=1, at=old.clock.now())
    faults = audit(VAULT).faults
    assert "more is not the archive that the events tell of" in faults


# ── Interruptions ───────────────────────────────────────────────────────────────────────────────────────────


class Killed(BaseException):
    pass


@pytest.mark.parametrize("at", ["write_sums", "_let_go", "second part"])
def test_after_an_interruption_it_goes_on_and_nothing_is_lost(
    old: Old, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    before, wanted = sums(), {log.pk: lines_of(log) for log in RoundLog.objects.all()}

    def dies(*_: Any) -> None:
        raise Killed

    monkeypatch.setattr(archiving, "AT_ONCE", 2)
    with monkeypatch.context() as patched:
        match at:
            case "write_sums":
                patched.setattr(archive_files, "write_sums", dies)
            case "_let_go":
                patched.setattr(archiving, "_let_go", dies)
            case _:
                real, calls = archiving._let_go, iter((0, 1))
                patched.setattr(archiving, "_let_go", lambda *given: real(*given) if next(calls) == 0 else dies())
        with pytest.raises(Killed):
            old.archived()
    old.in_order()
    old.archived()
    old.in_order()
    assert sums() == before
    assert RoundLog.objects.filter(archive__isnull=True).count() == 3
    for log in RoundLog.objects.all():
        assert [(line.seq, line.action, line.ref) for line in lines_of(log)] == [
            (line.seq, line.action, line.ref) for line in wanted[log.pk]
        ]


def test_what_the_file_does_not_hold_stays_in_the_database(old: Old, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is read again, byte by byte, before any line goes."""
    real = archive_files.read
    monkeypatch.setattr(archive_files, "read", lambda *given: real(*given)[:-1])
    lines = LoggedAction.objects.count()
    with pytest.raises(ArchiveError, match="does not hold round"):
        old.archived()
    assert LoggedAction.objects.count() == lines


def test_the_command_says_what_it_did(old: Old, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tables.management.commands.archive.archive", lambda age: archive(age, clock=old.clock))
    said = StringIO()
    call_command("archive", "--older-than", "90d", stdout=said)
    *days, whole = said.getvalue().splitlines()
    assert len(days) == 3 and whole.startswith("3 files in ")
    with pytest.raises(CommandError, match="no number of days"):
        call_command("archive", "--older-than", "soon")


@pytest.mark.parametrize("role", DatabaseRole)
def test_no_role_but_the_owner_archives(role: DatabaseRole) -> None:
    rights = PRIVILEGES[role]
    assert "archive" not in rights["tables_roundlog"] and "DELETE" not in rights["tables_loggedaction"]
    assert rights["tables_archive"] == "SELECT"
