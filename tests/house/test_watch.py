"""The watch over chance: each day that is over is put to the test, and what is far from chance is alerted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tables.base import proof_format
from tables.base.calendar import macau_date, midnight
from tables.models import Alert, ChanceDay, RoundLog, SealedThrow, Shoe, Table
from tables.pit import board
from tables.proof.evidence import evidence, watch
from tables.proof.evidence.sources import BALL, DICE, KeySource, seeds_from
from tests.floor.pit_kit import browser_of, member

from .kit import House

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _no_day_is_known() -> None:
    watch._watched.clear()


def fair(text: str) -> Iterator[str]:
    """Keys by which balls, dice and packs are drawn, the same each time."""
    return (proof_format.key(seed, ()) for seed in seeds_from(text))


class Book:
    """Throws and shoes as they stand when they are over; the rounds they belong to are of no matter."""

    def __init__(self, house: House) -> None:
        self.house, self._serial, self._numbers = house, count(1), count(100)
        self.day = macau_date(house.clock.at)
        wheel, dice = house.table("wheel", game="roulette"), house.table("dice", game="cussec")
        self.shoes = house.table("shoes", game="baccarat")
        self._logs = {1: self._a_round(wheel), 3: self._a_round(dice)}

    def _a_round(self, table: Table) -> RoundLog:
        self.house.until(table, "betting")
        return self.house.play_out(table)

    def throws(self, values: Sequence[tuple[int, ...]]) -> None:
        log = self._logs[len(values[0])]
        SealedThrow.objects.bulk_create([
            SealedThrow(
                log=log, number=number, sealed=b"", opened={"salt": "", "values": [*each]},
                commitment=hashlib.sha256(f"{next(self._serial)}".encode()).hexdigest(),
            )
            for number, each in zip(self._numbers, values, strict=False)
        ])  # fmt: skip

    def packs(self, orders: Sequence[Sequence[object]]) -> None:
        Shoe.objects.bulk_create([
            Shoe(
                table=self.shoes, number=1000 + next(self._serial), decks=len(order) // 52, sealed=b"",
                commitment=hashlib.sha256(f"{next(self._serial)}".encode()).hexdigest(),
                shuffled_at=self.house.clock.at, retired_at=self.house.clock.at,
                opened={"salt": "", "order": [str(card) for card in order]},
            )
            for order in orders
        ])  # fmt: skip

    def ends(self) -> date:
        """The day is over, and the house looks at it; which day it was."""
        self.house.clock.at = midnight(self.day + DAY) + timedelta(hours=2)
        board.look(clock=self.house.clock)
        return self.day


@pytest.fixture
def book(db: None) -> Book:
    """In a house of its own, which no audit looks at: what is written in the book was never sealed."""
    return Book(House())


def alerts() -> list[Alert]:
    return list(Alert.objects.filter(kind=Alert.Kind.CHANCE))


def a_day_of_chance(book: Book, text: str = "a day") -> None:
    keys = fair(text)
    book.throws([proof_format.throw_of(next(keys), BALL) for _ in range(600)])
    book.throws([proof_format.throw_of(next(keys), DICE) for _ in range(1200)])
    book.packs([proof_format.pack_of(next(keys), 8) for _ in range(6)])


def test_a_day_of_chance_is_kept_and_alerts_nobody(book: Book) -> None:
    a_day_of_chance(book)
    day = book.ends()
    found = watch.watched(day)
    assert {(each.family, each.name) for each in found.findings} == {
        ("the day", name) for name in found.tallies if name != "cards dealt"
    }
    assert found.tallies["pockets"].total == 601 and found.tallies["faces"].total == 3603
    assert found.tallies["quarters of a pack"].total == 6 * 416
    assert found.passed and not alerts()


def test_a_table_that_sealed_a_throw_itself_is_counted(house: House) -> None:
    """What a dealer really throws and opens, by the round: nothing is made up here."""
    wheel, ana = house.table("wheel", game="roulette"), house.player("ana")
    day = macau_date(house.clock.at)
    came = []
    for _ in range(3):
        house.until(wheel, "betting")
        house.bet(ana, wheel, "red", 100)
        house.play_out(wheel)
        came += [row.opened["values"][0] for row in SealedThrow.objects.filter(log=house.log(wheel)) if row.opened]
        house.step(wheel)
    house.clock.at = midnight(day + DAY) + timedelta(hours=2)
    board.look(clock=house.clock)
    pockets = watch.watched(day).tallies["pockets"]
    assert sorted(came) == [at for at, n in enumerate(pockets.came) for _ in range(n)]
    assert watch.watched(day).findings == ()


def heavy_wheel(book: Book) -> None:
    """A ball that has come falls into the same pocket again, one time in four."""
    keys, balls = fair("heavy"), [(0,)]
    for _ in range(600):
        (ball,) = proof_format.throw_of(next(keys), BALL)
        balls.append(balls[-1] if ball < 9 else (ball,))
    book.throws(balls)


def loaded_die(book: Book) -> None:
    """The second die shows a six for half of its ones."""
    keys = fair("loaded")
    thrown = [proof_format.throw_of(next(keys), DICE) for _ in range(1200)]
    book.throws([(a, 6 if b == 1 and at % 2 else b, c) for at, (a, b, c) in enumerate(thrown)])


@pytest.mark.parametrize(("fault", "test"), [(heavy_wheel, "distances on the wheel"), (loaded_die, "faces")])
def test_what_is_not_by_chance_is_alerted_once(book: Book, fault: object, test: str) -> None:
    assert callable(fault)
    fault(book)
    day = book.ends()
    refused = {each.name for each in watch.watched(day).findings if each.refused}
    assert test in refused
    (alert,) = alerts()
    assert alert.about == {"day": day.isoformat(), "tests": sorted(refused)}
    watch._watched.clear()
    board.look(clock=book.house.clock)
    assert len(alerts()) == 1 and ChanceDay.objects.filter(day=day).count() == 1


def test_shoes_that_begin_alike_are_alerted(book: Book) -> None:
    """The court cards of the third quarter of every shoe lie in its first."""
    keys = fair("court")
    orders = []
    for _ in range(6):
        order = [str(card) for card in proof_format.pack_of(next(keys), 8)]
        first = [at for at in range(208, 312) if order[at][0] in "JQK"]
        for at in first:
            order[at], order[at - 208] = order[at - 208], order[at]
        orders.append(order)
    book.packs(orders)
    day = book.ends()
    assert {each.name for each in watch.watched(day).findings if each.refused} == {"quarters of a pack"}
    assert alerts()


def test_a_fault_too_small_for_a_day_shows_in_a_month(book: Book) -> None:
    """One pocket that comes nine times too often in 500 balls passes each day; twenty such days do not."""
    for number in range(20):
        keys = fair(f"day {number}")
        balls = [proof_format.throw_of(next(keys), BALL)[0] for _ in range(500)]
        balls[::62] = [17] * len(balls[::62])
        tally = dict(watch.of_balls([balls]))
        tallies = {name: _stored(one) for name, one in tally.items()}
        ChanceDay.objects.create(day=book.day - (20 - number) * DAY, tallies=tallies)
    found = watch.last_days(20)
    assert not any(each.refused for one in found for each in one.findings if each.family == "the day")
    assert [each.name for each in found[0].findings if each.refused] == ["pockets"]
    assert found[-1].passed


def _stored(one: watch.Tally) -> dict[str, object]:
    return {"came": one.came, "means": one.means, "variances": one.variances, "degrees": one.degrees}


def test_honest_tallies_are_spread_as_their_p_values_say() -> None:
    """Of 200 honest months few are far off and few are too good: the variances are right for packs and for hands."""
    keys = fair("spread")
    number = {card: at for at, card in enumerate(proof_format.pack_of(next(keys), 1))}
    few = {"quarters of a pack": 0, "cards dealt": 0}
    for _ in range(100):
        packs = [[number[card] for card in proof_format.pack_of(next(keys), 1)] for _ in range(24)]
        for name, tally in (*watch.of_orders(packs), *watch.of_dealt([one[: 10 + at] for at, one in enumerate(packs)])):
            assert tally.p is not None
            few[name] += tally.p < 0.1
    assert all(2 <= n <= 20 for n in few.values()), few


def test_the_pit_reads_of_days_and_of_the_last_report(book: Book, settings: Any, tmp_path: Path) -> None:
    a_day_of_chance(book)
    heavy_wheel(book)
    day = book.ends()
    settings.VAR_DIR = tmp_path
    browser = browser_of(member("surveillance"))
    page = browser.get("/pit/chance/").content.decode()
    assert f"{day:%Y-%m-%d}" in page and "Far from chance" in page and "No report has been written." in page
    report = evidence("the proof format", KeySource(seeds_from("page")), 20_000)
    (tmp_path / "chance-evidence.json").write_text(json.dumps([report.json]), encoding="utf-8")
    page = browser.get("/pit/chance/").content.decode()
    assert "Kolmogorov–Smirnov of the p-values" in page and "20,000 draws" in page
    assert 'href="/pit/chance/"' in browser.get("/pit/").content.decode(), "the alert leads there"
    (tmp_path / "chance-evidence.json").write_text("[{}", encoding="utf-8")
    assert "No report has been written." in browser.get("/pit/chance/").content.decode()
