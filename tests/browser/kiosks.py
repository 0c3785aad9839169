"""The notation of the tests of kiosks: a device before its kiosk.

device = enrolled(people, house, house.kiosk(table), KIOSK)
device.is_touched()                                  # somebody comes, and is at a table
device.lives(60)                                     # a minute in which nobody touches it
"""

from __future__ import annotations

import re
import time
from typing import Any

from playwright.sync_api import Cookie, Error, Locator, Page, WebSocket, expect

from tests.browser.house import WITHIN, House, Kiosk, Table
from tests.browser.kit import People, Screen

DOOR, ATTRACT = "/kiosk/", "/kiosk/attract/"

RETURNS = 30_000
"""Milliseconds within which a screen is back between visitors once the house answers: so it is promised."""

STEP = 5
"""Seconds between two words of a screen to the house."""


class Device(Screen):
    """A screen in its place, with nobody to help it."""

    def __init__(self, page: Page, house: House, kiosk: Kiosk) -> None:
        super().__init__(page, house, None)
        self.kiosk = kiosk
        self._line: WebSocket | None = None
        page.on("websocket", self._opens_line)

    def _opens_line(self, line: WebSocket) -> None:
        if line.url.endswith("/ws/kiosk/"):
            self._line = line

    # ── what it shows ───────────────────────────────────────────────────────────────────────────────────────

    @property
    def code(self) -> Locator:
        return self.page.locator("[data-code]")

    @property
    def soon(self) -> Locator:
        """ "Back soon", in all languages."""
        return self.page.locator(".soon")

    @property
    def asks(self) -> Locator:
        """The question whether anybody is there."""
        return self.page.locator("[data-still]")

    @property
    def invitation(self) -> Locator:
        return self.page.locator("[data-invite]")

    def attracts(self, *, since: int | None = None) -> Device:
        """Expect it to be between visitors; with `since`, in a later use of the kiosk than that."""
        other = "" if since is None else f":not([data-use='{since}'])"
        expect(self.page.locator(f"[data-kiosk-page=attract]{other}")).to_be_visible(timeout=RETURNS)
        expect(self.page).to_have_url(re.compile(f"{ATTRACT}([?].*)?$"))
        expect(self.soon).to_be_hidden()
        return self

    def is_at(self, table: Table) -> Device:
        """Expect it to show this table to a visitor, and the table to be live."""
        expect(self.page).to_have_url(f"{self.house.url}/kiosk/tables/{table.slug}/")
        self.line("open")
        return self

    @property
    def state(self) -> dict[str, Any]:
        """How the kiosk stands in the books."""
        found: dict[str, Any] = self.house.ask("kiosk", kiosk=self.kiosk.id)
        return found

    @property
    def use(self) -> int:
        return int(self.page.locator("body").get_attribute("data-use") or 0)

    @property
    def session(self) -> Cookie:
        (found,) = [one for one in self.page.context.cookies() if one["name"] == "sessionid"]
        return found

    def stored(self) -> dict[str, list[str]]:
        """The names of what the browser keeps."""
        found: dict[str, list[str]] = self.page.evaluate(
            "({ local: Object.keys(localStorage).sort(), session: Object.keys(sessionStorage).sort() })"
        )
        return found

    # ── what happens to it ──────────────────────────────────────────────────────────────────────────────────

    def opens(self) -> Device:
        """It is switched on, or sent to its door, if it is not just on its way there by itself."""
        try:
            self.page.goto(self.house.url + DOOR)
        except Error as error:
            if "ERR_ABORTED" not in error.message and "another navigation" not in error.message:
                raise
        return self

    def has_its_worker(self) -> Device:
        """Expect the worker that keeps the door to be at work."""
        self.page.evaluate(
            "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller || new Promise(done =>"
            " navigator.serviceWorker.addEventListener('controllerchange', done, { once: true })))"
            ".then(() => null)"
        )
        return self

    def is_touched(self) -> Device:
        """Somebody touches it between visitors; again, if it has begun anew under his finger."""
        box = self.page.viewport_size
        assert box is not None
        shown = None
        while shown != "play":
            use = self.use
            self.page.touchscreen.tap(box["width"] / 2, box["height"] / 2)
            after = self.page.locator(f"[data-kiosk-page=play], [data-kiosk-page=attract]:not([data-use='{use}'])")
            expect(after).to_be_visible()
            shown = after.get_attribute("data-kiosk-page")
        expect(self.page).to_have_url(re.compile("/kiosk/(tables|guide|choose)/"))
        return self

    def lays(self, credits: int, spot: str) -> None:
        """Put a chip on a spot, with a finger that does nothing if it comes too soon after another."""
        self.chip(credits).tap()
        while True:
            self.spot(spot).tap()
            try:
                expect(self.own(spot)).not_to_have_attribute("data-total", "0", timeout=2_000)
            except AssertionError:
                continue
            self.has(spot, credits)
            return

    def is_heard(self) -> Device:
        """Expect its line to the house to be open. Its clock may stand still, so the page cannot be left to look."""
        patience = time.monotonic() + WITHIN
        while not self.page.evaluate("Boolean(window.kiosk?.online?.())"):
            assert time.monotonic() < patience, "the line does not open"
        return self

    def stands_still(self) -> None:
        """No time passes on it by itself any more (its clock must be ours)."""
        self.page.clock.pause_at(self.page.evaluate("Date.now()") / 1000 + 1)

    def lives(self, seconds: int) -> None:
        """So much time passes (its clock must be ours), and all the while the house answers."""
        self.is_heard()
        for _ in range(0, seconds, STEP):
            assert self._line is not None
            with self._line.expect_event("framereceived"):
                self.page.clock.run_for(STEP * 1000)


def put_up(people: People, house: House, kiosk: Kiosk, size: dict[str, Any], *, ours: bool = False) -> Device:
    """A screen for this kiosk, not yet switched on; with `ours` its clock goes as `lives` says."""
    screen = people.comes(screen=size, language="en-GB")
    if ours:
        screen.page.clock.install()
    return Device(screen.page, house, kiosk)


def enrolled(people: People, house: House, kiosk: Kiosk, size: dict[str, Any], *, ours: bool = False) -> Device:
    """A screen that is this kiosk, with its worker at work, between visitors; it became it before the test began."""
    device = put_up(people, house, kiosk, size, ours=ours)
    told = house.ask("enrols", kiosk=kiosk.id)
    for name, value in told["cookies"].items():
        device.page.context.add_cookies([{"name": name, "value": value, "url": house.url}])
    device.page.goto(house.url + ATTRACT)
    device.page.evaluate("screen => localStorage.setItem('kiosk.screen', screen)", told["screen"])
    return device.has_its_worker().attracts()
