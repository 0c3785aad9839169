"""Whatever happens to the house or to the screen: a quiet "back soon", and back between visitors within half a minute.

They have a house of their own: what it logs while its database is away is no fault of it.
"""

from __future__ import annotations

import os
import re
import signal
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from playwright.sync_api import expect

from casino.embedded import Valkey
from tests.extent import first

from . import house as houses
from .house import House, Table
from .kiosks import Device, enrolled, place_of, visited
from .kit import KIOSK, KIOSK_LYING, People
from .test_kiosk_screen import KIOSKS, UPRIGHT

GONE = (
    r"WebSocket connection to .* failed",
    r"WebSocket is closed before the connection is established",
    r"Failed to load resource",
    r"ERR_[A-Z_]+",
    r"\[object Event\] \(.*/htmx-2",
    r"The FetchEvent for .* resulted in a network error response",
    r"Failed to fetch",
    r"unknown error occurred when fetching the script",
)
"""What Chromium and htmx write into the console when nobody answers."""


@pytest.fixture(scope="module")
def open_house(migrated: Path | None) -> Iterator[House]:
    """A house whose troubles are its own; its books are audited all the same. Its Valkey is one that can be killed."""
    given = os.environ.pop("REDIS_URL", None)
    try:
        with houses.house(migrated) as house:
            yield house
            house.close()
            audit = house.manage("audit")
            assert audit.returncode == 0 and "in order" in audit.stdout, audit.stdout + audit.stderr
    finally:
        if given is not None:
            os.environ["REDIS_URL"] = given


@pytest.fixture
def table(house: House) -> Table:
    """A table of Baccarat for visitors."""
    return house.table(realm=KIOSKS)


# ── What can happen to a house ──────────────────────────────────────────────────────────────────────────────


Outage = Callable[[House, Sequence[Device]], AbstractContextManager[None]]
"""What happens to a house or to these screens of it, until it is over."""


@contextmanager
def killed(house: House, devices: Sequence[Device]) -> Iterator[None]:
    """Server, dealer and Valkey die at once."""
    house.die()
    yield
    house.open()


@contextmanager
def frozen(house: House, devices: Sequence[Device]) -> Iterator[None]:
    """The server neither answers nor hangs up."""
    with house.frozen():
        yield


@contextmanager
def offline(house: House, devices: Sequence[Device]) -> Iterator[None]:
    """The screens have no network."""
    for device in devices:
        device.page.context.set_offline(True)
    yield
    for device in devices:
        device.page.context.set_offline(False)


@contextmanager
def without_database(house: House, devices: Sequence[Device]) -> Iterator[None]:
    """PostgreSQL lets nobody in and throws everybody out; SQLite's file is locked by somebody else."""
    url = house.environment["DATABASE_URL"]
    if not url:
        file = house.folder / "var" / "floor.sqlite3"
        with closing(sqlite3.connect(file, isolation_level=None, timeout=houses.WITHIN)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            yield
            lock.execute("ROLLBACK")
        return
    split = urlsplit(url)
    name = split.path.removeprefix("/")
    server = urlunsplit(split._replace(scheme="postgresql", path="/postgres"))
    with psycopg.connect(server, autocommit=True) as boss:
        boss.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        boss.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        try:
            yield
        finally:
            boss.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
    house.another_clerk()


@pytest.mark.parametrize(
    "outages", first((killed, offline), (frozen, without_database)), ids=lambda those: those[0].__name__
)
@pytest.mark.in_full
def test_they_come_back_by_themselves(
    people: People, house: House, table: Table, outages: tuple[Outage, Outage]
) -> None:
    """An upright screen between visitors, and a lying one at which somebody plays; with ALL=1 one more of each.

    The second outage meets them when they are back from the first.
    """
    people.watch.expects(*GONE)
    waiting = [enrolled(people, house, house.kiosk(table), size) for size in first(KIOSK, KIOSK_LYING)]
    playing = [played_at(people, house, table, size) for size in first(KIOSK_LYING, KIOSK)]
    devices = [*waiting, *playing]
    for outage in outages:
        visitors = [device.state["visitor"] for device in playing]
        assert None not in visitors
        uses = [device.use for device in devices]
        with outage(house, devices):
            for device in devices:
                is_quiet(device)
        for device, use in zip(devices, uses, strict=True):
            device.attracts(since=use)
            state = device.state
            assert state["visitor"] is None
            assert state["alerts"] == []
        for visitor in visitors:
            assert house.ask("balance", player=visitor) == 0
        for device in playing:
            device.is_touched().is_at(table)  # and all is well
    for device in waiting:
        device.is_touched().is_at(table)


def played_at(people: People, house: House, table: Table, size: dict[str, Any]) -> Device:
    """A screen at which somebody plays."""
    device = visited(people, house, house.kiosk(table), size, place_of(table))
    return device.has_its_worker().is_at(table)


def is_quiet(device: Device) -> None:
    """Expect it to say "back soon", and nothing else."""
    expect(device.soon).to_be_visible()
    expect(device.soon.locator("[lang]")).to_have_count(3)
    assert device.page.evaluate(
        "(({ width, height }) => [width, height].join() === [innerWidth, innerHeight].join())"
        "(document.querySelector('.soon').getBoundingClientRect())"
    )


@pytest.mark.in_full
def test_a_page_that_is_asked_for_while_nobody_answers_is_the_door(people: People, house: House, table: Table) -> None:
    """The device is restarted, or reloads its page, in the middle of it: never the browser's own error page."""
    people.watch.expects(*GONE)
    devices = [played_at(people, house, table, KIOSK) for _ in range(2)]
    reloaded, restarted = devices
    for outage in first(killed, offline, frozen, of_them=2):
        for device in devices:
            if device.state["visitor"] is None:
                device.is_touched().is_at(table)
        with outage(house, devices):
            reloaded.page.reload(wait_until="commit")
            restarted.page.goto(house.url + "/kiosk/attract/?at=1", wait_until="commit")
            for device in devices:
                is_quiet(device)
        for device in devices:
            device.attracts()
            assert device.state["visitor"] is None


@pytest.mark.in_full
def test_a_screen_without_a_worker_comes_back_as_well(people: People, house: House, table: Table) -> None:
    """Browsers have workers with HTTPS alone; without it the page that is there waits."""
    people.watch.expects(*GONE)
    device = enrolled(people, house, house.kiosk(table), KIOSK_LYING)
    device.page.context.route("**/kiosk/worker.js", lambda route: route.abort())
    device.page.evaluate("navigator.serviceWorker.getRegistration().then(one => one.unregister())")
    device.opens().attracts()
    assert device.page.evaluate("navigator.serviceWorker.controller") is None
    use = device.is_heard().use
    house.die()
    is_quiet(device)
    house.open()
    device.attracts(since=use)


# ── Redis ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.in_full
def test_a_restart_of_redis_is_survived(people: People, house: House, table: Table) -> None:
    people.watch.expects(*GONE)
    device = played_at(people, house, table, KIOSK)
    place = valkey_dies(house)
    device.opens()
    is_quiet(device)
    with valkey_again(house, place):
        device.attracts()
        house.ask("tells", kiosk=device.kiosk.id, what="show", say="We are back")
        expect(device.page.locator("[data-message]")).to_have_text("We are back")
        device.is_touched()
        device.is_at(table)


def valkey_dies(house: House) -> Path:
    """The Valkey of the house is killed; where it was."""
    (note,) = house.folder.glob("macau-floor-*/pid")
    os.kill(int(note.read_text()), signal.SIGKILL)
    return note.parent


@contextmanager
def valkey_again(house: House, place: Path) -> Iterator[None]:
    """Another one serves the house there, until the house ends."""
    started = Valkey(place)._spawn()
    try:
        yield
    finally:
        house.die()
        started.terminate()
        started.wait()


# ── The device itself ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.in_full
@UPRIGHT
def test_a_device_that_has_slept_begins_anew(people: People, house: House, table: Table, size: dict[str, Any]) -> None:
    people.watch.expects("WebSocket is closed before the connection is established")  # as it goes on from the door
    device = visited(people, house, house.kiosk(table), size, place_of(table), ours=True)
    use = device.is_at(table).use
    device.page.clock.fast_forward("08:00:00")
    expect(device.page.locator("body")).to_have_attribute("data-use", re.compile(f"^(?!{use}$)"))
    device.attracts()
    assert device.state["visitor"] is None
    assert device.state["alerts"] == []


@pytest.mark.in_full
def test_a_reload_ends_a_visit(people: People, house: House, table: Table) -> None:
    device = played_at(people, house, table, KIOSK)
    device.page.evaluate("localStorage.setItem('floor.suits', 'on'); sessionStorage.setItem('floor.last', 'something')")
    device.page.reload()
    device.attracts()
    assert device.state["visitor"] is None
    kept = device.stored()
    assert kept["local"] == ["kiosk.screen"], "something of the visitor is left"
    assert "floor.last" not in kept["session"], "something of the visitor is left"
    use = device.use
    device.page.reload()
    expect(device.page.locator("body")).to_have_attribute("data-use", str(use + 1))
    device.attracts()
    assert device.state["alerts"] == []
