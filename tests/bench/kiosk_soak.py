"""A kiosk for days, in minutes: whether its memory stays flat, in real Chromium.

    python -m tests.bench.kiosk_soak                       ten minutes
    python -m tests.bench.kiosk_soak --rounds 4000         until so many rounds have been dealt

Two screens side by side. On one a visitor stays: their table deals one round after the other on one page, the longest
that a page can live. On the other visitors come and go: a touch, a table, a bet and its round, nobody answers, all is
wiped, and the loop between visitors shows another table. Its clock is compressed: a minute without a touch passes in a
moment, while the house answers all the time.

What is measured after the garbage is collected: the JavaScript heap, documents, nodes and listeners of each screen
(what leaks stays), and beside it what the renderers and the server hold in all.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from playwright.sync_api import Browser, CDPSession, Error, expect, sync_playwright

from casino.bootstrap import find_browser
from tests.browser import house as houses
from tests.browser.conftest import ARGUMENTS
from tests.browser.house import House, Table
from tests.browser.kiosks import Device, enrolled
from tests.browser.kit import KIOSK, WITHIN, People, Windows

KIOSKS = 1
"""The realm of their tables."""

FAST = {"cut": 100, "betting": 120, "decision": 100, "beat": 10, "result": 40, "hurry": 10}
"""Milliseconds: a round in less than a second."""

IDLE = 15
"""Seconds after which the second screen asks, and seconds that it waits then."""

LONGEST_IDLE = 600

MEASURES = 12
"""So many times it is measured."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What one screen holds, after its garbage is collected."""

    heap: int
    documents: int
    nodes: int
    listeners: int


class Stay:
    """The screen at which one visitor stays."""

    def __init__(self, people: People, house: House) -> None:
        self.table = house.table(realm=KIOSKS, times=FAST)
        kiosk = house.kiosk(self.table, idle_seconds=LONGEST_IDLE)
        self.device = enrolled(people, house, kiosk, KIOSK)
        self.device.is_touched()
        self.device.is_at(self.table)
        self.probe = _probe(self.device)

    def go_on(self) -> None:
        """A touch that means nothing: they are still there."""
        self.device.page.touchscreen.tap(2, 2)


class Visits:
    """The screen at which visitors come and go."""

    def __init__(self, people: People, house: House) -> None:
        self.tables = [
            house.table(realm=KIOSKS, game=game, times={**FAST, "betting": 600_000})
            for game in ("baccarat", "roulette", "cussec")
        ]
        self.device = enrolled(people, house, house.kiosk(*self.tables, idle_seconds=IDLE), KIOSK, ours=True)
        self.probe = _probe(self.device)
        self.done = self.cut_off = 0

    def try_to_go_on(self) -> None:
        """One visitor. On a machine that is too busy their line may be lost; then the screen begins anew."""
        try:
            self.go_on()
        except (AssertionError, Error):
            self.cut_off += 1
            self.device.opens().attracts()

    def go_on(self) -> None:
        """One visitor, from the touch to the wipe."""
        page = self.device.page
        self.device.is_touched()
        expect(page.locator("#wallet[data-me]")).to_be_attached()
        self.device.line("open")
        page.locator(".spot[data-spot]:not([aria-disabled=true])").first.tap()
        expect(page.locator("#wallet:not([data-bets='[]'])")).to_be_attached()
        self.device.deed("ready").dispatch_event("click")
        self.device.lives(IDLE)
        expect(self.device.asks).to_be_visible()
        self.device.lives(10)
        page.clock.run_for(6_000)
        self.device.attracts().is_heard()
        at = self.done % len(self.tables)
        page.evaluate(f"kiosk.go('/kiosk/attract/?at={at}')")
        expect(page.locator(".attract__table")).to_have_text(self.tables[at].name)
        self.done += 1


SETTLED = "new Promise(done => (window.requestIdleCallback || setTimeout)(done))"
"""What a page has done when all that it heard is on it."""


def _probe(device: Device) -> CDPSession:
    return device.page.context.new_cdp_session(device.page)


def measured(probe: CDPSession) -> Memory:
    """What the page of this screen holds, while nothing is pushed to it: what is under way is no leak."""
    for _ in range(3):  # what the first finds unreachable the next ones free
        probe.send("Runtime.evaluate", {"expression": SETTLED, "awaitPromise": True})
        probe.send("HeapProfiler.collectGarbage")
    heap = probe.send("Runtime.getHeapUsage")
    counted = probe.send("Memory.getDOMCounters")
    return Memory(int(heap["usedSize"]), counted["documents"], counted["nodes"], counted["jsEventListeners"])


def resident(pid: int) -> int:
    """Bytes that a process holds in memory."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


def renderers(browser: CDPSession) -> int:
    """Bytes that all renderers hold."""
    processes = browser.send("SystemInfo.getProcessInfo")["processInfo"]
    return sum(resident(int(one["id"])) for one in processes if one["type"] == "renderer")


HEAD = (
    *("minute", "rounds", "visits", "stay: heap", "nodes", "listeners", "visits: heap", "nodes", "listeners"),
    *("renderers", "server"),
)


def line(values: tuple[Any, ...]) -> str:
    return "  ".join(f"{value:>{max(7, len(head))}}" for value, head in zip(values, HEAD, strict=True))


def megabytes(value: int) -> str:
    return f"{value / 1_000_000:.1f}"


@contextmanager
def places() -> Iterator[tuple[House, Browser]]:
    """A house and a Chromium of our own."""
    chromium = find_browser()
    if chromium is None:
        raise SystemExit("This needs a Chromium; say where one is with CHROMIUM=/path/to/it.")
    sandbox = () if os.geteuid() else ("--no-sandbox",)
    expect.set_options(timeout=2 * WITHIN)
    with houses.house() as house, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*ARGUMENTS, *sandbox])
        yield house, browser
        browser.close()


def rounds_of(house: House, tables: list[Table]) -> int:
    return sum(len(house.ask("rounds", table=table.id)) for table in tables)


def soak(minutes: float, rounds: int | None) -> None:
    """Let it run, and print what is measured."""
    with places() as (house, browser):
        people = People(Windows(browser), house)
        stay, visits = Stay(people, house), Visits(people, house)
        chrome = browser.new_browser_cdp_session()
        tables = [stay.table, *visits.tables]
        began, dealt, measures = monotonic(), 0, 0
        print("megabytes after a collection\n" + line(HEAD), flush=True)
        while True:
            passed = (monotonic() - began) / 60
            share = passed / minutes if rounds is None else dealt / rounds
            if share * MEASURES >= measures:
                measures = int(share * MEASURES) + 1
                with house.frozen():
                    one, other = measured(stay.probe), measured(visits.probe)
                print(
                    line((
                        f"{passed:.1f}", dealt, visits.done,
                        megabytes(one.heap), one.nodes, one.listeners,
                        megabytes(other.heap), other.nodes, other.listeners,
                        megabytes(renderers(chrome)), megabytes(resident(house.server_pid)),
                    )),
                    flush=True,
                )  # fmt: skip
            if share >= 1:
                break
            visits.try_to_go_on()
            stay.go_on()
            dealt = rounds_of(house, tables)
        people.leave()
        print(f"{visits.cut_off} visits were cut off by a lost line.")
        print(house.troubles() or "The house has nothing to complain of.")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--rounds", type=int, help="go on until so many rounds have been dealt")
    said = parser.parse_args()
    soak(said.minutes, said.rounds)


if __name__ == "__main__":
    main()
