"""A PostgreSQL of this test's own dies as if its machine had, while somebody bets: what was answered is there.

The bettor is a process of its own. What it gets no answer to, it asks again under the same ref, as a client does.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from casino.settings import BASE_DIR

from .database_server import Server, available, own_server
from .processes import WITHIN

pytestmark = pytest.mark.in_full

BEGIN = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from tables.models import Table
from tests.house.kit import House, RunningClock
house = House()
house.clock = RunningClock()
table = house.table(times={"betting": 3_600_000})
while Table.objects.values_list("round__phase", flat=True).get() != "betting":
    assert house.advance(table).acted
print(house.log(table).pk, house.player("ana").pk)
"""

BET = """
import sys, threading, django
django.setup()
from django.db import connection
from tables.base.transactions import DATABASE_AWAY
from tables.services.rounds.betting import BetRequest
from tests.house import deeds
log, player = map(int, sys.argv[1:])
pause, number = threading.Event(), 0
while sys.stdin.readline():
    number += 1
    request = BetRequest(player, f"ref-{number:08}", "player", 100)
    while True:
        try:
            accepted = deeds.place(log, request)
        except DATABASE_AWAY:
            print("away", number, flush=True)
            connection.close()
            pause.wait(0.1)
        else:
            print("repeated" if accepted.repeated else "done", number, flush=True)
            break
"""

COUNT = """
import django
django.setup()
from tables.models import LoggedAction, Transfer
from tables.proof.audit import audit
from tests.house.kit import VAULT
refs = list(LoggedAction.objects.filter(action__do="bet").values_list("ref", flat=True))
report = audit(VAULT)
print(len(refs), len(set(refs)), Transfer.objects.filter(reason="stake").count(), report.clean)
"""


@pytest.fixture
def server() -> Iterator[Server]:
    if not available():
        pytest.skip("the programs of a PostgreSQL server are not on the PATH")
    with own_server() as one:
        yield one


def test_no_answered_bet_is_lost_when_the_server_dies(server: Server) -> None:
    """Twice, in the middle of bets; the bettor reads that the database is away, and goes on by itself."""
    environment = os.environ | {
        "DATABASE_URL": server.url,
        # Those of the tests do not wait for the disk at COMMIT: under them this finds a bet lost each time.
        "DJANGO_SETTINGS_MODULE": "casino.settings",
        "LINES_PER_PLAYER": "100000",
        "LINES_PER_ROUND": "100000",
    }

    def said(script: str, **more: str) -> list[str]:
        command = [sys.executable, "-c", script]
        told = subprocess.run(
            command, cwd=BASE_DIR, env=environment | more, capture_output=True, text=True, timeout=3 * WITHIN
        )
        assert told.returncode == 0, told.stderr
        return told.stdout.split()

    where = said(BEGIN, DJANGO_SETTINGS_MODULE="tests.settings")  # a migration syncs much
    heard: list[tuple[str, int]] = []
    command = [sys.executable, "-c", BET, *where]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=BASE_DIR, env=environment, text=True, **pipes) as bettor:  # type: ignore[call-overload]

        def one_bet() -> None:
            """Have one bet laid, however often that has to be asked for."""
            bettor.stdin.write("go\n")
            bettor.stdin.flush()
            while not heard or heard[-1][0] == "away" or heard[-1][1] < goal:
                what, number = bettor.stdout.readline().split()
                heard.append((what, int(number)))

        def dies_and_comes_back() -> None:
            server.dies()
            server.start()

        goal = 0
        try:
            for _ in range(2):
                outage = threading.Thread(target=dies_and_comes_back)
                for _ in range(5):
                    goal += 1
                    one_bet()
                outage.start()
                while outage.is_alive():
                    goal += 1
                    one_bet()
                outage.join()
        finally:
            bettor.kill()
    assert sum(what == "away" for what, _ in heard) >= 2
    answered = [number for what, number in heard if what != "away"]
    assert answered == list(range(1, goal + 1))
    assert said(COUNT) == [str(goal)] * 3 + ["True"]
