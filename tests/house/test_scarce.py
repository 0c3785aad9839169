"""What a process lacks, or shares with others that it should not: memory, disk, the lock of SQLite's file, chance.

What cannot be done changes nothing, and is done once there is enough again.
"""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, connection

from casino.settings import BASE_DIR
from tables.base.chance import SystemRandomness
from tables.models import LoggedAction, Player, RoundLog, Table, Transfer
from tables.services.rounds import seating
from tables.services.rounds.betting import BetRequest

from . import deeds, test_dealer
from .kit import House, answer, bare_rows
from .processes import Process, running, together, until
from .test_dealer import deal, is_held, lines, open_table, present, settled

START = 10_000 * 100

on_sqlite = pytest.mark.skipif(not settings.ON_SQLITE, reason="of SQLite's file")
night = test_dealer.night


def at_betting(house: House, slug: str = "jade") -> tuple[Table, int]:
    table = house.table(slug)
    house.until(table, "betting")
    return table, house.log(table).pk


# ── Chance (A13) ────────────────────────────────────────────────────────────────────────────────────────────


def test_processes_that_were_forked_share_no_chance(transactional_db: None) -> None:
    """Also when chance was used before the fork: no seed and no row of numbers comes twice."""
    chance = SystemRandomness()

    def draws() -> list[str]:
        return [chance.seed() for _ in range(100)] + ["-".join(str(chance.below(37)) for _ in range(40))]

    drawn = draws()
    for process in together(*[draws] * 8):
        drawn += process
    assert len(set(drawn)) == len(drawn) == 9 * 101


# ── Memory (A11) ────────────────────────────────────────────────────────────────────────────────────────────


class Greedy:
    """Wants more memory than there is, before the `nth` statement."""

    def __init__(self, nth: int) -> None:
        self.left = nth

    def __call__(self, execute: Any, sql: Any, parameters: Any, many: Any, context: Any) -> Any:
        self.left -= 1
        if self.left == 0:
            bytearray(64 << 30)
        return execute(sql, parameters, many, context)


@pytest.mark.skipif(sys.platform != "linux", reason="sets a limit of memory as Linux has it")
def test_a_process_without_memory_does_nothing_by_halves(hall: House) -> None:
    """At each of the first statements of a bet; the process lives, and the same click is done afterwards."""
    _, round_id = at_betting(hall)
    ana = hall.player("ana")
    place = partial(deeds.place, round_id, BetRequest(ana.pk, "r-1", "player", 10_000), clock=hall.clock)
    before = bare_rows()

    def starved() -> list[str]:
        resource.setrlimit(resource.RLIMIT_AS, (32 << 30, 32 << 30))
        said = []
        for nth in range(1, 60):
            greedy = Greedy(nth)
            with connection.execute_wrapper(greedy):
                try:
                    place()
                except MemoryError:
                    said.append("no memory" if bare_rows() == before else "by halves")
                else:
                    break
        return [*said, answer(place)]

    (told,) = together(starved)
    assert set(told[:-1]) == {"no memory"} and len(told) > 3
    assert told[-1] == "repeated", "the one that had enough had done it"
    assert hall.balance(ana) == START - 10_000


# ── Disk (B10) ──────────────────────────────────────────────────────────────────────────────────────────────


@on_sqlite
def test_a_full_disk_refuses_whole_bets_and_is_forgotten_when_there_is_room(hall: House) -> None:
    """The file may have no more pages than it has, which is what SQLite knows of a full disk."""
    _, round_id = at_betting(hall)
    ana = hall.player("ana")

    said: list[str] = []

    def bets(prefix: str, many: int) -> int:
        done = 0
        for number in range(many):
            request = BetRequest(ana.pk, f"{prefix}-{number:06}", "player", 100)
            before = bare_rows()
            try:
                deeds.place(round_id, request, clock=hall.clock)
                done += 1
            except OperationalError as error:
                said.append(str(error))
                assert bare_rows() == before
                break
        return done

    with connection.cursor() as cursor:
        cursor.execute("VACUUM")  # what tests before this one have left free would be room
        cursor.execute("PRAGMA page_count")
        (pages,) = cursor.fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        (most,) = cursor.fetchone()
        assert most <= pages
    full = bets("full", 190)
    assert full < 190 and said == ["database or disk is full"]
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 1073741823")
        assert bets("room", 3) == 3
        cursor.execute("PRAGMA integrity_check")
        assert cursor.fetchone() == ("ok",)
    assert hall.balance(ana) == START - (full + 3) * 100


# ── The one lock of SQLite (B11, B12) ───────────────────────────────────────────────────────────────────────


@on_sqlite
def test_eight_who_write_at_once_wait_for_each_other_and_none_is_refused(hall: House) -> None:
    """Each in a process of its own, with nothing to queue in but the lock of the file."""
    tables = [at_betting(hall, f"jade-{number}")[1] for number in range(2)]
    players = [hall.player(f"p{number}") for number in range(8)]

    def bets(player: Player) -> list[str]:
        return [
            answer(
                partial(
                    deeds.place, tables[number % 2], BetRequest(player.pk, f"r-{number:04}", "player", 100),
                    clock=hall.clock,
                )
            )
            for number in range(20)
        ]  # fmt: skip

    said = [one for process in together(*[partial(bets, player) for player in players]) for one in process]
    assert said == ["done"] * 160
    assert Transfer.objects.filter(reason="stake").count() == 160


@on_sqlite
def test_a_backup_or_a_checkpoint_that_is_killed_harms_nothing(hall: House, tmp_path: Path) -> None:
    _, round_id = at_betting(hall)
    ana = hall.player("ana")
    name = connection.settings_dict["NAME"]

    def checkpoints() -> None:
        with closing(sqlite3.connect(name, timeout=30)) as own:
            while True:
                own.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def backups(to: Path) -> None:
        with closing(sqlite3.connect(name, timeout=30)) as own:
            while True:
                with closing(sqlite3.connect(to)) as copy:
                    own.backup(copy, pages=1)

    works: list[Callable[[], None]] = [checkpoints, *[partial(backups, tmp_path / f"{at}.bak") for at in range(4)]]
    done = 0
    for work in works * 2:
        process = Process(work)
        for _ in range(5):
            done += 1
            request = BetRequest(ana.pk, f"r-{done:06}", "player", 100)
            assert answer(partial(deeds.place, round_id, request, clock=hall.clock)) == "done"
        process.clean_up()
        with closing(sqlite3.connect(name, timeout=30)) as own:
            assert own.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert hall.balance(ana) == START - done * 100
    assert LoggedAction.objects.filter(log=round_id, action__do="bet").count() == done


# ── A migration (B13) ───────────────────────────────────────────────────────────────────────────────────────

DYING = """
import sys, django
django.setup()
from django.core.management import call_command
from tests.house.processes import Tripwire
Tripwire(int(sys.argv[1])).strung(lambda: call_command("migrate", verbosity=0))
"""


@pytest.mark.in_full
@on_sqlite
def test_a_migration_that_is_killed_is_taken_up_again(db: None, tmp_path: Path) -> None:
    """At several statements of it, one after the other, of the same database; then it comes to its end."""
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    environment |= {"VAR_DIR": str(tmp_path / "var"), "DJANGO_SETTINGS_MODULE": "casino.settings"}

    def run(*arguments: str) -> int:
        command = [sys.executable, *arguments]
        return subprocess.run(command, cwd=BASE_DIR, env=environment, capture_output=True, timeout=300).returncode

    for at in ("40", "120", "15", "60"):
        assert run("-c", DYING, at) == -9
    assert run("manage.py", "migrate", "--verbosity=0") == 0
    assert run("manage.py", "migrate", "--check") == 0
    with closing(sqlite3.connect(tmp_path / "var" / "floor.sqlite3")) as own:
        found = sorted(own.execute("SELECT type, name FROM sqlite_master WHERE type IN ('table', 'trigger')"))
    with connection.cursor() as cursor:
        cursor.execute("SELECT type, name FROM sqlite_master WHERE type IN ('table', 'trigger')")
        assert found == sorted(cursor.fetchall())


# ── A dealer that is told to end, again and again (A8) ──────────────────────────────────────────────────────


@pytest.mark.in_full
def test_twenty_restarts_of_the_dealer_void_nothing(night: House) -> None:
    """Each is told to end in order, wherever it is in the round; what is dealt stays dealt, and every round ends."""
    table, ana = open_table(dealing_device="shoe", hold_cards=False), night.player("ana")
    readied: set[int] = set()

    def has_gone_on(known: list[tuple[int, str, Any]]) -> bool:
        """Whether there are more lines than that; somebody is there all the time, and stakes whenever that is asked."""
        seating.heartbeat(table.pk, [])
        log = present(table)
        if log is not None and log.phase == "betting" and log.pk not in readied:
            if not night.round(table).in_escrow():  # after a tie, the bet lies there already
                night.bet(ana, table, "player", 10)
            deeds.ready(ana.pk, log.pk, night.ref())
            readied.add(log.pk)
        return len(lines(table)) > len(known)

    for number in range(20):
        known = lines(table)
        with running(partial(deal, f"dealer {number}")) as (dealer,):
            until(partial(is_held, table), "a dealer has the table")
            until(partial(has_gone_on, known), "it does something")
            dealer.end()
            assert dealer.wait()
        assert lines(table)[: len(known)] == known
    with running(deal):
        settled(table, len(readied))
    assert readied and not RoundLog.objects.filter(void=True).exists()
