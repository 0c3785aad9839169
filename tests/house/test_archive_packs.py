"""What packs and throws are long of leaves the database once their rounds are archived, and everybody reads it as
before: worked out again from the opened seed, or from the file."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.test import Client

from tables.base.bundle import written
from tables.base.calendar import macau_date
from tables.models import Archive, Lease, PackSeed, RevealedLink, RoundLog, Shoe, Table
from tables.models.privileges import PRIVILEGES, DatabaseRole
from tables.proof import selfcheck
from tables.proof.audit import audit
from tables.proof.bundles import bundle_of
from tables.proof.evidence.watch import drawn_on
from tables.proof.running_audit import RunningAudit
from tables.queries import archived, statistics
from tables.queries.folds import fold_cache
from tables.queries.shoes import leaves_of
from tables.services.journal import archiving
from tables.services.journal.archiving import archive
from tables.services.rounds import seating

from .kit import LEASE, MAIN_BETS, VAULT, House, Seeded, without_guards
from .test_links import Device, waiting

AGE = timedelta(days=90)
GAMES = ("baccarat", "stud_poker", "roulette")
"""One whose packs are opened by their seed, one whose packs stay closed, and one of throws."""


class Old(House):
    """A house in which Ana played three rounds of each game four months ago, and revealed a link for each."""

    def __init__(self) -> None:
        super().__init__(Seeded("archive"))
        self.ana = self.player("ana")
        self.tables = [self.table(game, game=game) for game in GAMES]
        self.devices = {table.pk: Device(self.ana, table, self) for table in self.tables}
        for _ in range(3):
            for table in self.tables:
                self.round_of(table)
        self.clock.pass_(days=120)
        Lease.objects.update(expires_at=self.clock.at + LEASE)
        for table in self.tables:
            self.round_of(table)

    def round_of(self, table: Table) -> None:
        """One round in which Ana plays, and reveals her link if there is a list."""
        device = self.devices[table.pk]
        for _ in range(200):
            self.reveal(device)
            if self.phase(table) == "betting":
                break
            self.step(table)
        if table.game == "stud_poker":
            seating.sit(self.ana.pk, table.pk, 1, clock=self.clock)
        spot, box = MAIN_BETS[table.game]
        self.bet(self.ana, table, spot, 100, box)
        device.offer()
        self.play_out(table)
        if table.game == "stud_poker":
            self.reveal(device)

    def phase(self, table: Table) -> str:
        return str(Table.objects.values_list("round__phase", flat=True).get(pk=table.pk))

    def reveal(self, device: Device) -> None:
        seed = waiting(device.table)
        if seed is not None and seed.offered and not seed.links.exists():
            device.reveal(seed.number)

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


def packs(game: str) -> list[Shoe]:
    """The packs of this game whose round was played then."""
    found = Shoe.objects.filter(table__game=game, retired_at__isnull=False, rounds__isnull=False)
    return list(found.select_related("seed", "table").order_by("pk").distinct())[:3]


def kept() -> Any:
    """What the database keeps of leaves and links of those seeds."""
    return list(PackSeed.objects.order_by("pk").values_list("pk", "leaves", "revealed", "archive"))


def all_leaves() -> dict[int, list[str]]:
    return {shoe.pk: list(leaves_of(shoe) or ()) for shoe in Shoe.objects.select_related("seed", "table")}


def seed_of(shoe: Shoe) -> PackSeed:
    assert shoe.seed is not None
    return PackSeed.objects.get(pk=shoe.seed.pk)


def test_leaves_leave_with_the_last_round_and_are_what_they_were(old: Old, folder: Path) -> None:
    before, revealed = all_leaves(), RevealedLink.objects.count()
    links = {pk: given for pk, _, given, _ in kept()}
    (made,) = old.archived()
    assert made.rounds == 9
    for game, size in (("baccarat", 8 * 52), ("stud_poker", 52)):
        assert len(packs(game)) == 3
        for shoe in packs(game):
            assert seed_of(shoe).leaves is None and seed_of(shoe).archive == made
            assert len(before[shoe.pk]) == size
    assert all_leaves() == before
    assert {pk: given for pk, _, given, _ in kept()} == links, "which links there were stays"
    gone = PackSeed.objects.filter(archive=made)
    assert {one.table.game for one in gone.exclude(revealed=[])} == set(GAMES)
    assert not RevealedLink.objects.filter(seed__in=gone).exists()
    assert 0 < RevealedLink.objects.count() < revealed
    assert PackSeed.objects.filter(archive=None, leaves__isnull=False).exists(), "of those of today"
    assert old.archived() == [] and all_leaves() == before, "once is enough"


def test_the_file_has_leaves_of_packs_that_stay_closed_alone(old: Old, folder: Path) -> None:
    before = all_leaves()
    (made,) = old.archived()
    with gzip.open(folder / made.name) as file:
        rounds = [json.loads(line) for line in file]
    for said in rounds:
        log = RoundLog.objects.get(pk=said["round"])
        assert said.get("leaves") == (before[log.shoe_id or 0] if log.game == "stud_poker" else None)


def test_audit_proofs_pages_and_evidence_say_what_they_said(old: Old) -> None:
    logs = list(RoundLog.objects.filter(settled_at__isnull=False).order_by("pk"))
    day = macau_date(logs[0].started_at)
    shoes = [shoe.pk for game in GAMES[:2] for shoe in packs(game)]
    paths = [f"/shoes/{pk}/{what}" for pk in shoes for what in ("", "leaves.txt", "opening.txt")]
    paths += [f"/leaves/{root}.txt" for root in Shoe.objects.filter(pk__in=shoes).values_list("commitment", flat=True)]
    browser = Client()  # of a spectator: whoever plays Stud Poker has no record of it

    def said() -> Any:
        pages = {path: browser.get(path) for path in paths}
        assert {answer.status_code for answer in pages.values()} == {200}
        out = StringIO()
        call_command("prove", logs[0].pk, stdout=out)
        return (
            [written(bundle_of(RoundLog.objects.get(pk=log.pk), old.ana.key)) for log in logs],
            {path: answer.content for path, answer in pages.items() if not path.endswith("/")},
            {path: answer.content.decode().count("True.") for path, answer in pages.items()},
            out.getvalue(),
            drawn_on(day),
        )

    before = said()
    assert any(before[2].values())
    old.archived()
    assert said() == before
    old.in_order()
    assert RunningAudit(old.clock).look() == []


def test_where_the_file_is_not_mounted_opened_packs_are_shown_all_the_same(old: Old, folder: Path) -> None:
    old.archived()
    folder.rename(folder.with_name("elsewhere"))
    (opened, *_), (closed, *_) = packs("baccarat"), packs("stud_poker")
    answer = Client().get(f"/leaves/{opened.commitment}.txt")
    assert hashlib.sha256(answer.content).hexdigest() == opened.commitment
    answer = Client().get(f"/leaves/{closed.commitment}.txt")
    assert answer.status_code == 404 and "in the archive" in answer.content.decode()
    faults = "\n".join(audit(VAULT).faults)
    assert f"shoe {closed.pk}: " in faults and "cannot be read" in faults


def test_leaves_of_a_pack_whose_key_was_lost_go_to_the_file(old: Old, folder: Path) -> None:
    shoe = packs("baccarat")[0]
    Shoe.objects.filter(pk=shoe.pk).update(opened=None)
    before = all_leaves()
    (made,) = old.archived()
    shoe = Shoe.objects.select_related("seed").get(pk=shoe.pk)
    assert seed_of(shoe).leaves is None and leaves_of(shoe) == before[shoe.pk]
    with gzip.open(folder / made.name) as file:
        assert sum("leaves" in json.loads(line) for line in file) == 4


def test_leaves_that_nobody_could_have_otherwise_stay(old: Old, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds of private hands that an earlier version archived have none in their file; a page with another seed gives
    others."""
    real = archived.line_of_file
    monkeypatch.setattr(archiving, "line_of_file", lambda log, lines, _leaves: real(log, lines))
    tampered = packs("baccarat")[0]
    Shoe.objects.filter(pk=tampered.pk).update(opened={"seed": "5eed" * 16})
    before = all_leaves()
    old.archived()
    monkeypatch.undo()
    assert old.archived() == []
    for shoe in (*packs("stud_poker"), tampered):
        assert seed_of(shoe).leaves == before[shoe.pk] and seed_of(shoe).archive is None
    assert seed_of(packs("baccarat")[1]).leaves is None
    assert all_leaves() == before
    assert f"shoe {tampered.pk} cannot be read" in "\n".join(audit(VAULT).faults)


def test_rounds_that_an_earlier_version_archived_let_their_packs_go_now(
    old: Old, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = all_leaves()
    with monkeypatch.context() as patched:
        patched.setattr(archiving, "_let_seeds_go", lambda _before: None)
        (made,) = old.archived()
    assert seed_of(packs("baccarat")[0]).leaves is not None
    assert old.archived() == []
    assert seed_of(packs("baccarat")[0]).archive == made and all_leaves() == before
    old.in_order()


def test_after_an_interruption_among_the_packs_nothing_is_lost(old: Old, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        pass

    before = all_leaves()
    monkeypatch.setattr(archiving, "AT_ONCE", 2)
    real, calls = archiving._is_had_elsewhere, iter(range(4))

    def dies(seed: PackSeed) -> bool:
        if next(calls, None) is None:
            raise Killed
        return real(seed)

    with monkeypatch.context() as patched:
        patched.setattr(archiving, "_is_had_elsewhere", dies)
        with pytest.raises(Killed):
            old.archived()
    assert 0 < PackSeed.objects.filter(archive__isnull=False).count() < 9
    assert all_leaves() == before
    old.in_order()
    old.archived()
    assert all_leaves() == before
    for game in GAMES[:2]:
        assert all(seed_of(shoe).leaves is None for shoe in packs(game))
    old.in_order()


# ── The guards ──────────────────────────────────────────────────────────────────────────────────────────────


def test_nothing_goes_that_is_not_marked_and_no_mark_is_taken_back(old: Old) -> None:
    present = PackSeed.objects.filter(leaves__isnull=False).latest("pk")
    (made,) = old.archived()
    gone = seed_of(packs("baccarat")[0])
    link = RevealedLink.objects.filter(seed__archive=None)[0]
    other = Archive.objects.create(name="other", day="2066-11-21", sha256="0" * 64, rounds=1, lines=1, at=old.clock.at)
    deeds = {
        "leaves without a mark": lambda: PackSeed.objects.filter(pk=present.pk).update(leaves=None),
        "a mark and the leaves": lambda: PackSeed.objects.filter(pk=present.pk).update(archive=made),
        "other leaves": lambda: PackSeed.objects.filter(pk=present.pk).update(leaves=["0" * 64], archive=made),
        "leaves after the mark": lambda: PackSeed.objects.filter(pk=gone.pk).update(leaves=["0" * 64]),
        "no mark": lambda: PackSeed.objects.filter(pk=gone.pk).update(archive=None),
        "another mark": lambda: PackSeed.objects.filter(pk=gone.pk).update(archive=other),
        "its links": lambda: PackSeed.objects.filter(pk=gone.pk).update(revealed=[["p1", "0" * 64]]),
        "a link that is not marked": lambda: RevealedLink.objects.filter(pk=link.pk).delete(),
        "a seed": lambda: PackSeed.objects.filter(pk=gone.pk)._raw_delete("default"),
    }
    for what, deed in deeds.items():
        assert is_refused(deed), what
    assert list(selfcheck.triggers_missing()) == []


def is_refused(deed: Callable[[], object]) -> bool:
    try:
        with transaction.atomic():
            deed()
    except DatabaseError as error:
        return "is written once" in str(error)
    return False


@pytest.mark.parametrize("role", DatabaseRole)
def test_no_role_but_the_owner_marks_a_seed(role: DatabaseRole) -> None:
    assert "archive" not in PRIVILEGES[role].get("tables_packseed", "")
    assert "DELETE" not in PRIVILEGES[role].get("tables_revealedlink", "")


def test_the_audit_finds_a_mark_that_was_set_for_nothing(old: Old) -> None:
    """Somebody without guards takes leaves away whose rounds are in no file."""
    without_guards()
    (closed, *_) = packs("stud_poker")
    made = Archive.objects.create(name="x", day="2066-11-21", sha256="0" * 64, rounds=1, lines=1, at=old.clock.at)
    PackSeed.objects.filter(pk=closed.seed_id or 0).update(leaves=None, archive=made)
    faults = audit(VAULT).faults
    assert f"shoe {closed.pk}: its leaves cannot be read: no archive has the leaves of shoe {closed.pk}" in faults
