"""Many kiosks: hours and brightness, groups, messages by language, the health of a screen, how visits went."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from casino.version import VERSION
from tables.base.calendar import MACAU
from tables.games.contract.errors import Refused
from tables.kiosk import statistics
from tables.kiosk.board import Health
from tables.live import messages
from tables.live.messages import Malformed
from tables.models import Event, Kiosk, KioskVisit
from tables.services.kiosk import kiosks, screen_sessions, visitors
from tables.services.kiosk.schedule import Schedule

from .kiosk_kit import boss, in_service, setting, visitor
from .kit import House

WEEK = ("10:00-22:00", "", "18:00-02:00", "", "", "", "")
"""Monday by day, Wednesday into the night."""

MONDAY = datetime(2026, 11, 23, tzinfo=MACAU)


@pytest.mark.parametrize(
    ("after", "until"),
    [
        (timedelta(hours=9, minutes=59), timedelta(hours=10)),
        (timedelta(hours=10), None),
        (timedelta(hours=22), timedelta(days=2, hours=18)),
        (timedelta(days=3, hours=1, minutes=59), None),
        (timedelta(days=3, hours=2), timedelta(days=7, hours=10)),
    ],
)
def test_it_plays_in_its_hours(after: timedelta, until: timedelta | None) -> None:
    schedule = Schedule.read(WEEK, "")
    assert schedule.closed_until(MONDAY + after) == (None if until is None else MONDAY + until)


def test_without_hours_it_always_plays() -> None:
    assert Schedule.read([""] * 7, "").closed_until(MONDAY) is None


def test_the_hour_says_how_bright_it_is() -> None:
    schedule = Schedule.read([""] * 7, "8 100, 20 70, 0 40")
    bright = [schedule.percent(MONDAY + timedelta(hours=hour)) for hour in (0, 7, 8, 19, 20, 23)]
    assert bright == [40, 40, 100, 100, 70, 70]
    assert Schedule.read([""] * 7, "8 90").percent(MONDAY) == 90


@pytest.mark.parametrize("typed", ["25:00-26:00", "ten", "10:00"])
def test_hours_that_are_none_are_refused(typed: str) -> None:
    with pytest.raises(Refused):
        Schedule.read([typed, *[""] * 6], "")
    with pytest.raises(Refused):
        Schedule.read([""] * 7, "8 10")


def test_what_is_typed_is_shown_again() -> None:
    schedule = Schedule.read(WEEK, "20 70, 8 100")
    assert schedule.days() == list(WEEK)
    assert schedule.steps() == "8 100, 20 70"


def test_the_version_is_that_of_the_program() -> None:
    assert tomllib.loads(Path("pyproject.toml").read_text())["project"]["version"] == VERSION


def here(health: object) -> str:
    return json.dumps({"type": "here", "showing": "play", "health": health})


def test_a_screen_says_how_it_is() -> None:
    assert messages.showing(here({"size": "1080 × 1920 @ 1"}), ("play",)) == ("play", {"size": "1080 × 1920 @ 1"})
    assert messages.showing('{"type": "here", "showing": "play"}', ("play",)) == ("play", None)


@pytest.mark.parametrize("health", [{"else": "x"}, {"error": 1}, {"size": "x" * 31}, {"error": "a\nb"}, "well", None])
def test_it_can_say_nothing_else(health: object) -> None:
    with pytest.raises(Malformed):
        messages.showing(here(health), ("play",))


def test_the_pit_reads_how_a_screen_is(house: House) -> None:
    kiosk, screen = in_service(house)
    assert screen.use is not None
    health = {"size": "1080 × 1920 @ 1", "game": "roulette", "error": "x is not defined", "began": "1700000000000"}
    kiosks.hear(kiosk.pk, screen.use, "play", health, clock=house.clock)
    kiosks.hear(kiosk.pk, screen.use, "play", clock=house.clock)  # what it has said stays
    seen = Health.of(Kiosk.objects.get(pk=kiosk.pk))
    assert (seen.upright, seen.error, seen.baize) == (True, "x is not defined", "moss")
    assert seen.began_at is not None and seen.began_at.year == 2023


# ── Hours ───────────────────────────────────────────────────────────────────────────────────────────────────


def always_closed(house: House) -> Schedule:
    """Open for one minute of a day that is not today."""
    other = (house.clock.now().astimezone(MACAU).weekday() + 3) % 7
    return Schedule(tuple((0, 1) if day == other else None for day in range(7)))


def test_outside_its_hours_nobody_is_let_play(house: House) -> None:
    kiosk, screen = in_service(house)
    kiosks.plan(boss(), kiosk.pk, always_closed(house), clock=house.clock)
    assert "closed" in str(house.refused(lambda: visitor(kiosk, screen)).words)
    kiosks.plan(boss(), kiosk.pk, Schedule(), clock=house.clock)
    assert visitor(kiosk, screen).kiosk == kiosk


def test_whoever_plays_when_it_closes_goes(house: House) -> None:
    kiosk, screen = in_service(house)
    visitor(kiosk, screen)
    kiosks.look(clock=house.clock)
    assert Kiosk.objects.get(pk=kiosk.pk).visitor is not None
    kiosks.plan(boss(), kiosk.pk, always_closed(house), clock=house.clock)
    kiosks.look(clock=house.clock)
    assert Kiosk.objects.get(pk=kiosk.pk).visitor is None


def test_its_screen_is_told(house: House) -> None:
    kiosk, screen = in_service(house)
    kiosks.plan(boss(), kiosk.pk, replace(always_closed(house), brightness=((0, 40),)), clock=house.clock)
    kiosks.show(boss(), kiosk.pk, "Back at nine", {"pt": "Voltamos às nove", "en": " "}, clock=house.clock)
    heard = screen.hear(kiosk)
    assert heard is not None
    state = screen_sessions.state_of(heard)
    assert (state["closed"], state["dim"], state["messages"]) == (True, 60, {"pt": "Voltamos às nove"})


# ── Groups ──────────────────────────────────────────────────────────────────────────────────────────────────


def lobby(house: House, *names: str) -> list[Kiosk]:
    """Kiosks of one group, and one that is in none."""
    first, _ = in_service(house, name="alone")
    table = first.tables.get()
    of_it = [replace(setting(table, name=name), group="lobby") for name in names]
    return [kiosks.make(boss(), one, clock=house.clock) for one in of_it]


def test_a_group_is_told_at_once(house: House) -> None:
    some = lobby(house, "north", "south")
    before = Event.objects.count()
    assert kiosks.for_group(boss(), "lobby", lambda pk: kiosks.show(boss(), pk, "Back at nine", clock=house.clock)) == 2
    assert set(Kiosk.objects.exclude(message="").values_list("name", flat=True)) == {"north", "south"}
    assert Event.objects.count() == before + len(some)


def test_one_with_nothing_to_do_is_left(house: House) -> None:
    north, _ = lobby(house, "north", "south")
    kiosks.lock(boss(), north.pk, "it flickers", clock=house.clock)

    def lock(pk: int) -> None:
        kiosks.lock(boss(), pk, "cleaning", clock=house.clock)

    assert kiosks.for_group(boss(), "lobby", lock) == 1
    assert "already" in str(house.refused(lambda: kiosks.for_group(boss(), "lobby", lock)).words)
    assert "no kiosk" in str(house.refused(lambda: kiosks.for_group(boss(), "", lock)).words)


def test_what_is_wrong_for_one_is_done_to_none(house: House) -> None:
    lobby(house, "north", "south")
    too_long: Mapping[str, str] = {"pt": "x" * 201}
    deed = lambda pk: kiosks.show(boss(), pk, "", too_long, clock=house.clock)  # noqa: E731
    assert house.refused(lambda: kiosks.for_group(boss(), "lobby", deed)).article == "message_pt"
    assert set(Kiosk.objects.values_list("message", flat=True)) == {""}


# ── How visits went ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_visit_is_counted_from_the_touch_to_its_end(house: House) -> None:
    kiosk, screen = in_service(house)
    since = house.clock.now()
    ana = visitor(kiosk, screen)
    visitors.guided(ana.pk)
    visitors.guided(ana.pk)
    house.clock.pass_(minutes=3)
    visitors.farewell(kiosk.pk, clock=house.clock)
    visitor(kiosk, screen)
    house.clock.pass_(minutes=1)
    went = statistics.courses(since, house.clock.now())[kiosk.pk]
    assert (went.touches, went.guided, went.bet, went.ended, went.minutes) == (2, 1, 0, 1, 3)
    assert KioskVisit.objects.get(visitor=ana).guides == 2
