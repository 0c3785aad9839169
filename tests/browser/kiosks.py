"""The notation of the tests of kiosks: a device before its kiosk.

device = enrolled(people, house, house.kiosk(table), KIOSK)
device.is_touched()                                  # somebody comes, and is at a table
device.lives(60)                                     # a minute in which nobody touches it
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Cookie, Error, Locator, Page, WebSocket, expect

from .house import WITHIN, House, Kiosk, Table
from .kit import CREDIT, People, Screen

DOOR, ATTRACT = "/kiosk/", "/kiosk/attract/"

RETURNS = 30_000
"""Milliseconds within which a screen is back between visitors once the house answers: so it is promised."""

STEP = 5
"""Seconds between two words of a screen to the house."""

LEGIBLE = 28
"""CSS pixels that letters have at least on an upright screen of 1080 x 1920."""

SMALL = """(least) => {
  const found = new Set();
  const unseen = (one) => one !== null && (getComputedStyle(one).clipPath !== "none" || unseen(one.parentElement));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const [node, one] = [walker.currentNode, walker.currentNode.parentElement];
    if (!node.data.trim() || one.closest("svg, script, style, template")) continue;
    if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || unseen(one)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    if (![...range.getClientRects()].some(({ width, height }) => width > 1 && height > 1)) continue;
    const size = parseFloat(getComputedStyle(one).fontSize) * (one.currentCSSZoom ?? 1);
    const name = [one.parentElement, one].map((each) => [each.localName, ...each.classList].join("."));
    if (size < least) found.add(`${size.toFixed(1)} px: ${name.join(" ")}`);
  }
  return [...found];
}"""
"""What is written on a page in letters under so many pixels; without pictures, and what only screen readers read."""

UNSEEN = """() => {
  const wrong = [];
  const shown = (one) => {
    if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    for (let up = one; up; up = up.parentElement) if (getComputedStyle(up).clipPath !== "none") return false;
    return true;
  };
  const says = ({ textOverflow, webkitLineClamp }) => textOverflow === "ellipsis" || webkitLineClamp !== "none";
  const moved = ".rulebook__body, #house-rules .paper__body, .rail__facts"; // facts that do not fit go whole
  for (const one of document.querySelectorAll("body *")) {
    const style = getComputedStyle(one);
    if (one.closest("svg, .wheel, .bend") || one.matches(moved) || says(style) || !shown(one)) continue;
    const wide = style.overflowX === "visible" ? 0 : one.scrollWidth - one.clientWidth;
    const high = style.overflowY === "visible" ? 0 : one.scrollHeight - one.clientHeight;
    if (one.clientWidth && (wide > 1 || high > 1)) wrong.push(`cut: ${one.className} by ${wide} x ${high}`);
  }
  for (const part of document.querySelectorAll(".felt, .rail, .dock, .paper, .attract__head, .attract__rule")) {
    const texts = [];
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const [node, parent] = [walker.currentNode, walker.currentNode.parentElement];
      if (!node.data.trim() || parent.closest("svg") || !shown(parent)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const size = parseFloat(getComputedStyle(parent).fontSize) * (parent.currentCSSZoom ?? 1);
      const rolled = says(getComputedStyle(parent)) ? parent : parent.closest(".rail__facts");
      const end = rolled ? rolled.getBoundingClientRect().bottom : Infinity;
      for (const { left, right, top, bottom } of range.getClientRects()) {
        if (top >= end - 3) continue;
        const middle = (top + bottom) / 2; // of the letters: above and below them each font has another room
        texts.push([{ of: node, left, right, top: middle - size / 2, bottom: middle + size / 2 }, node.data.trim()]);
      }
    }
    texts.forEach(([a, one], at) => texts.slice(at + 1).forEach(([b, other]) => {
      if (a.of === b.of) return;
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 3 && high > 3) wrong.push(`over: ${one} / ${other} by ${wide} x ${high}`);
    }));
  }
  return wrong;
}"""
"""Which boxes are cut off (rules are moved with a finger and show it, and a name that is cut says so), and which texts
stand over others."""


APART = 0.25
"""Seconds between two touches that are both meant."""

Point = tuple[float, float]


class Hand:
    """Fingers on a screen. Their times are said with them, so that nothing here has to wait."""

    def __init__(self, page: Page) -> None:
        self._chrome = page.context.new_cdp_session(page)
        self._now = time.time()

    def taps(self, target: Locator, *, after: float = APART) -> None:
        """One touch that is meant."""
        self._now = max(self._now, time.time())
        self.touches([middle_of(target)], after=after)

    def touches(self, places: Sequence[Point], *, after: float) -> None:
        """As many fingers, one after the other without lifting those before, so long after the last were lifted."""
        self._now += after
        for count in range(1, len(places) + 1):
            self._send("touchStart", places[:count])
            self._now += 0.01
        self._now += 0.04
        for count in range(len(places) - 1, -1, -1):
            self._send("touchEnd", places[:count])

    def _send(self, kind: str, places: Sequence[Point]) -> None:
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(places)]
        self._chrome.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points, "timestamp": self._now})


def middle_of(target: Locator) -> Point:
    expect(target).to_be_visible()
    box = target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Device(Screen):
    """A screen in its place, with nobody to help it."""

    def __init__(self, page: Page, house: House, kiosk: Kiosk) -> None:
        super().__init__(page, house, None)
        self.kiosk = kiosk
        self.fingers = Hand(page)
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
        expect(self.page).to_have_url(self.house.url + place_of(table))
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
        """Somebody touches it between visitors; again, if it has begun anew under their finger."""
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
        """Put a chip on a spot."""
        self.fingers.taps(self.chip(credits))
        self.insists(self.spot(spot), self.own(spot), "data-total", str(credits * CREDIT))

    def sits(self, seat: int) -> None:
        """Take a free seat."""
        self.insists(self.seat(seat), self.page.locator("#my-seat"), "data-seat", str(seat))

    def insists(self, target: Locator, outcome: Locator, name: str, value: str) -> None:
        """Touch this until the outcome has this value: with a clock of ours a touch may come too soon after another."""
        patience = time.monotonic() + WITHIN
        while outcome.get_attribute(name) != value:
            said = self.page.locator("#notice").all_inner_texts()
            assert time.monotonic() < patience, f"it never became {name}={value}; the screen says {said}"
            self.fingers.taps(target)
            with contextlib.suppress(AssertionError):
                expect(outcome).to_have_attribute(name, value, timeout=2_000)

    def unread(self) -> list[str]:
        """What nobody could read from two metres, if the screen stands upright."""
        size = self.page.viewport_size
        assert size is not None
        return self.page.evaluate(SMALL, LEGIBLE) if size["height"] > size["width"] else []

    def unseen(self) -> list[str]:
        """What is cut off, or stands over something else."""
        found: list[str] = self.page.evaluate(UNSEEN)
        return found

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
    screen = people.comes(screen=size, language="en-GB", clock=ours)
    # A page that fills its screen has that size from then on; to these tests the window is the screen.
    screen.page.add_init_script("Element.prototype.requestFullscreen = () => Promise.resolve()")
    return Device(screen.page, house, kiosk)


def enrolled(people: People, house: House, kiosk: Kiosk, size: dict[str, Any], *, ours: bool = False) -> Device:
    """A screen that is this kiosk, with its worker at work, between visitors; it became it before the test began."""
    device = put_up(people, house, kiosk, size, ours=ours)
    _becomes(device, house.ask("enrols", kiosk=kiosk.id))
    device.page.goto(house.url + ATTRACT)
    return device.has_its_worker().attracts()


def visited(
    people: People,
    house: House,
    kiosk: Kiosk,
    size: dict[str, Any],
    path: str,
    *,
    language: str = "",
    knows: str = "",
    ours: bool = False,
) -> Device:
    """Such a screen that somebody has touched before the test began, at this page of theirs.

    They have chosen `language` (else it is the kiosk's own), and know how the game `knows` goes.
    """
    device = put_up(people, house, kiosk, size, ours=ours)
    _becomes(device, house.ask("is_visited", kiosk=kiosk.id, language=language, knows=knows))
    device.page.goto(house.url + path)
    expect(device.page).to_have_url(house.url + path)
    return device


def place_of(table: Table) -> str:
    """Where a visitor plays at this table."""
    return f"/kiosk/tables/{table.slug}/"


def _becomes(device: Device, told: dict[str, Any]) -> None:
    """Give it the cookies of a kiosk, and its name for itself."""
    for name, value in told["cookies"].items():
        device.page.context.add_cookies([{"name": name, "value": value, "url": device.house.url}])
    device.page.add_init_script(
        f"if (location.protocol === 'http:') localStorage.setItem('kiosk.screen', '{told['screen']}')"
    )
