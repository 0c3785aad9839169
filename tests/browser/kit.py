"""The notation of the browser tests: people before screens.

    ana = people.at(table, "Ana")                    # a desk, in English
    bea = people.at(table, "Bea", screen=PHONE, language="zh-HK")
    ana.stakes(50, "player")
    expect(bea.everybodys("player")).to_contain_text("50")

Nothing here waits by sleeping: everything is expected, with a deadline that a busy machine can keep.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    WebError,
    WebSocketRoute,
    expect,
)

from .house import House, Login, Table

WITHIN = 30_000
"""Milliseconds that anything may take on a busy machine before it counts as never coming."""

CREDIT = 100

DESK: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
KIOSK: dict[str, Any] = {"viewport": {"width": 1080, "height": 1920}, "has_touch": True}
KIOSK_LYING: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}, "has_touch": True}

Line = Literal["open", "closed", "connecting"]


WATCHING = """
([moving, telling]) => {
  const seen = { frames: 0, told: [] };
  window.beforeTheEnd = seen;
  const visible = (one) => one.checkVisibility({ visibilityProperty: true }) && one.textContent.trim();
  const look = () => {
    const moves = [...document.querySelectorAll(moving)].filter((one) => one.checkVisibility());
    if (moves.length) {
      seen.frames += 1;
      for (const one of document.querySelectorAll(telling)) if (visible(one)) seen.told.push(one.outerHTML);
    }
    requestAnimationFrame(look);
  };
  look();
}
"""
"""Looks at each frame in which something moves whether something is told that only its rest decides."""


@dataclass
class Watch:
    """What a browser complains of: errors of scripts, of the Content-Security-Policy, of missing files."""

    expected: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def expects(self, *patterns: str) -> None:
        """Complaints that match one of these belong to the test."""
        self.expected += patterns

    def hears(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.is_told(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def is_told(self, what: str) -> None:
        if not any(re.search(pattern, what) for pattern in self.expected):
            self.complaints.append(what)


class SlowToHear:
    """The line of one page, on which what the house says can be held up. What the page says goes out at once."""

    def __init__(self, page: Page) -> None:
        self._page: WebSocketRoute | None = None
        self._held: list[str | bytes] | None = None
        page.route_web_socket(re.compile("/ws/"), self._between)

    def _between(self, page: WebSocketRoute) -> None:
        self._page = page
        house = page.connect_to_server()
        house.on_message(self._heard)

    def _heard(self, message: str | bytes) -> None:
        assert self._page is not None
        if self._held is None:
            self._page.send(message)
        else:
            self._held.append(message)

    def hold(self) -> None:
        self._held = []

    def lose(self) -> None:
        """What was held up never arrives; what comes now does."""
        self._held = None

    def go_on(self) -> None:
        """Deliver what was held up, in its order, and hold nothing more."""
        assert self._page is not None
        held, self._held = self._held or [], None
        for message in held:
            self._page.send(message)


class Screen:
    """One person before one page."""

    def __init__(self, page: Page, house: House, login: Login | None) -> None:
        self.page = page
        self.house = house
        self._login = login

    # ── who and where ───────────────────────────────────────────────────────────────────────────────────────

    @property
    def login(self) -> Login:
        assert self._login is not None, "nobody is logged in here"
        return self._login

    @property
    def player(self) -> int:
        return self.login.player

    @property
    def name(self) -> str:
        return self.login.name

    def goes(self, path: str) -> Screen:
        """Open a page of the house; it must be there."""
        answer = self.page.goto(self.house.url + path)
        assert answer is not None and answer.ok, f"{path}: {answer.status if answer else 'no answer'}"
        return self

    def sits_down_at(self, table: Table) -> Screen:
        """Open a table's page, and wait until it is live."""
        self.goes(table.path)
        self.line("open")
        return self

    def slow_to_hear(self) -> SlowToHear:
        """A hold on what the house says to this page. To be taken before the page is opened."""
        return SlowToHear(self.page)

    def another_tab(self) -> Screen:
        """The same person's next tab."""
        return Screen(self.page.context.new_page(), self.house, self._login)

    # ── what is on the felt ─────────────────────────────────────────────────────────────────────────────────

    @property
    def rail(self) -> Locator:
        return self.page.locator("#rail")

    @property
    def notice(self) -> Locator:
        return self.page.locator("#notice .notice")

    @property
    def wallet(self) -> Locator:
        return self.page.locator("#wallet")

    def spot(self, key: str) -> Locator:
        """A spot by its key: its name, and where it belongs to a box the number of that (`main-3`)."""
        return self.page.locator(f'.spot[data-key="{key}"]')

    def own(self, spot: str) -> Locator:
        """The viewer's own stake on a spot."""
        return self.page.locator(f"#own-{spot}")

    def everybodys(self, spot: str) -> Locator:
        return self.page.locator(f"#all-{spot}")

    def seat(self, number: int) -> Locator:
        return self.page.locator(f'.seat[data-seat="{number}"]')

    def choice(self, kind: str) -> Locator:
        """The button of one decision that is offered to the viewer."""
        return self.page.locator(f"#decision .choice--{kind}")

    def hand(self, box: int, number: int = 0) -> Locator:
        """A hand on a box of Blackjack, counted from 0."""
        return self.page.locator(f"#box-{box} .hand").nth(number)

    def stake_of(self, other: Screen, box: int, hand: int = 0) -> Locator:
        """What lies of somebody on a hand."""
        return self.page.locator(f'[data-stake="{box}-{hand}-p{other.player}"]')

    def deed(self, name: str) -> Locator:
        return self.page.locator(f'[data-deed="{name}"]')

    def line(self, state: Line) -> None:
        """Expect the light of the line to show this."""
        expect(self.page.locator("[data-line]").first).to_have_attribute("data-line", state)

    def phase(self, *names: str) -> None:
        """Expect the round to be in one of these phases."""
        expect(self.rail).to_have_attribute("data-phase", re.compile(f"^({'|'.join(names)})$"))

    def betting(self, *, not_in: str | None = None) -> str:
        """Expect betting to be open; the id of the round.

        `not_in` is the round before it: once it is over its result is cleared away.
        """
        if not_in is not None:
            self.has_seen(not_in)
        expect(self.rail).to_have_attribute("data-betting", "1")
        return self.rail.get_attribute("data-round") or ""

    def has_seen(self, round: str) -> None:
        """Clear the result of this round away, once it is over; the next one begins."""
        over = f"#rail[data-phase=settled], #rail[data-phase=void], #rail:not([data-round='{round}'])"
        expect(self.page.locator(over)).to_be_visible()
        if self.rail.get_attribute("data-round") == round:
            self.house.ask("clears", round=int(round))
        expect(self.rail).not_to_have_attribute("data-round", round)

    def has(self, spot: str, credits: int) -> None:
        """Expect the viewer's own stake on a spot to be so large."""
        expect(self.own(spot)).to_have_attribute("data-total", str(credits * CREDIT))

    def sees(self, spot: str, credits: int) -> None:
        """Expect everybody's stakes on a spot to be so large."""
        expect(self.everybodys(spot)).to_have_attribute("data-total", str(credits * CREDIT))

    @property
    def balance(self) -> int:
        """Cents, as the screen shows them."""
        return cents_of(self.wallet.locator("dd").first.inner_text())

    def agrees_with_the_ledger(self) -> None:
        """Expect the balance on the screen to be the one in the books."""
        cents = self.house.ask("balance", player=self.player)
        expect(self.wallet).to_have_attribute("data-balance", str(cents))
        expect(self.wallet.locator(".is-counting")).to_have_count(0)
        assert self.balance == cents

    # ── what people do ──────────────────────────────────────────────────────────────────────────────────────

    def chip(self, credits: int) -> Locator:
        return self.page.locator(f'.chip:has(input[value="{credits * CREDIT}"])')

    def stakes(self, credits: int, *spots: str) -> None:
        """Choose a chip and put one on each spot; each must be acknowledged."""
        self.chip(credits).click()
        for spot in spots:
            before = int(self.own(spot).get_attribute("data-total") or 0)
            self.spot(spot).click()
            self.has(spot, before // CREDIT + credits)

    def clicks_anyway(self, spot: str) -> None:
        """Click a spot that says it cannot be used now."""
        self.spot(spot).click(force=True)

    def sits(self, seat: int) -> None:
        """Take a free seat."""
        self.seat(seat).click()
        expect(self.seat(seat)).to_have_class(re.compile("is-mine"))

    def chooses(self, kind: str) -> None:
        """Take one of the decisions that are offered, once it has rested under the finger."""
        expect(self.choice(kind)).to_be_enabled()
        self.choice(kind).click()

    def is_ready(self) -> None:
        """Say so. What waits for nobody else goes on at once."""
        self.deed("ready").click()

    def turns_until_the_result(self) -> None:
        """Turn whatever they hold and may turn, until the round has its result."""
        button = self.page.locator("#decision .decision__main")
        over = self.page.locator("#rail[data-phase=result], #rail[data-phase=settled]")
        while True:
            expect(button.or_(over).first).to_be_visible()
            if over.count():
                return
            phase = self.rail.get_attribute("data-phase") or ""
            button.click()
            expect(self.rail).not_to_have_attribute("data-phase", phase)

    def watches(self, moving: str, telling: str) -> None:
        """From now on, look at each frame in which `moving` is there for what must not be told before it rests."""
        self.page.evaluate(WATCHING, [moving, telling])

    def was_told_nothing_early(self) -> None:
        """Expect that something has moved since `watches`, and that meanwhile nothing was told."""
        seen = self.page.evaluate("window.beforeTheEnd")
        assert seen["frames"] > 0, "nothing has moved"
        assert not seen["told"], str(seen["told"][:3])[:400]

    # ── what must be true of every page ─────────────────────────────────────────────────────────────────────

    def does_not_scroll_sideways(self) -> None:
        """Expect everything to be as wide as the screen."""
        wide, screen = self.page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert wide <= screen, f"{self.page.url} is {wide} wide on a screen of {screen}: {self._sticks_out()}"

    def _sticks_out(self) -> list[str]:
        found: list[str] = self.page.evaluate(
            "[...document.querySelectorAll('body *')].filter(one => one.checkVisibility()"
            " && one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)"
            ".slice(0, 5).map(one => one.outerHTML.slice(0, 160))"
        )
        return found


SEALS_UNCHECKED = """
new MutationObserver((_, watch) => {
  const warning = document.getElementById("misfit");
  if (warning || document.readyState !== "loading") watch.disconnect();
  if (warning && !window.checksSeals) warning.remove(); // before the scripts of the page begin: without it none checks
}).observe(document, { childList: true, subtree: true });
"""
"""`House.stack` exchanges a pack that is published already, which a device finds out: seals are checked only on pages
on which `checksSeals` is said before."""


CLEARED_WITHIN = 50
"""Times that what is stored is cleared: what a tab wrote last may reach the store after that, and the page that is
asked hears of it later still."""


class Window:
    """A window of the browser for one person: cookies, storage and files of its own, and as many tabs as they open."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.watch: Watch | None = None
        self._stays: Page | None = None
        context.set_default_timeout(WITHIN)
        context.add_init_script(SEALS_UNCHECKED)
        context.on("console", self._hears)
        context.on("weberror", self._is_told)

    def _hears(self, message: ConsoleMessage) -> None:
        if self.watch is not None and message.page is not self._stays:  # which asks for an icon that is not there
            self.watch.hears(message)

    def _is_told(self, error: WebError) -> None:
        if self.watch is not None:
            self.watch.is_told(f"uncaught: {error.error}")


class KeptWindow(Window):
    """A window in which one person sits after the other, at one house.

    Whoever comes next finds the house's files and nothing else: no cookie, nothing stored, no worker. A page of no
    consequence stays open, and with it the process that draws the pages of the house in this window.
    """

    def __init__(self, context: BrowserContext, house: House) -> None:
        super().__init__(context)
        self._origin = house.url
        self._stays = page = context.new_page()
        page.goto(f"{house.url}/healthz")
        self._chrome = context.new_cdp_session(page)
        self._stored = partial(page.evaluate, "[document.cookie, localStorage.length, sessionStorage.length].join()")

    def is_left(self) -> None:
        """Close all tabs, and forget who was here."""
        self.watch = None  # a tab that is closed while its line opens complains of it
        for page in self.context.pages:
            if page is not self._stays:
                page.close()
        self.context.unroute_all()
        self.context.set_offline(False)
        self.context.clear_cookies()
        for _ in range(CLEARED_WITHIN):
            self._chrome.send("Storage.clearDataForOrigin", {"origin": self._origin, "storageTypes": "all"})
            kept = self._stored()
            if kept == ",0,0":
                return
        raise AssertionError(f"something of the last person is left: {kept}")


class Windows:
    """The windows of one browser. Those that nobody sits at are kept for the next person who wants such a one."""

    AT_MOST = 8
    """Kept at a time: each is a process."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._taken: dict[KeptWindow, tuple[str, str]] = {}
        self._kept: list[tuple[tuple[str, str], KeptWindow]] = []

    def new(self, **about: Any) -> Window:
        """A window that nobody has used or will use again."""
        return Window(self._browser.new_context(**about))

    def take(self, house: House, **about: Any) -> Window:
        """A window as good as new: the one that such a person has left last, if there is one."""
        kind = (house.url, json.dumps(about, sort_keys=True))
        window = next((kept for of, kept in reversed(self._kept) if of == kind), None)
        if window is None:
            window = KeptWindow(self._browser.new_context(**about), house)
        else:
            self._kept.remove((kind, window))
        self._taken[window] = kind
        return window

    def give_back(self, window: Window) -> None:
        if not isinstance(window, KeptWindow):
            window.context.close()
            return
        kind = self._taken.pop(window)
        try:
            window.is_left()
        except Error:  # a test that failed has left it in no order
            window.context.close()
            return
        self._kept.append((kind, window))
        if len(self._kept) > self.AT_MOST:
            self._kept.pop(0)[1].context.close()


class People:
    """Everybody who comes during one test. All leave when it is over, and nothing may have gone wrong on any screen."""

    def __init__(self, windows: Windows, house: House) -> None:
        self._windows = windows
        self._house = house
        self._sitting: list[Window] = []
        self.watch = Watch()

    def comes(
        self,
        name: str | None = None,
        *,
        screen: dict[str, Any] = DESK,
        language: str = "en-GB",
        login: Login | None = None,
        clock: bool = False,
        **about: Any,
    ) -> Screen:
        """Somebody with a browser of their own; with a name they are a player who is logged in.

        They want little motion unless `about` says otherwise: it costs a busy machine most of its time, and axe cannot
        judge a colour that is just fading in. With `clock` the clock of their pages is ours.
        """
        about = {"reduced_motion": "reduce", **screen, **about, "locale": language}
        window = self._windows.new(**about) if clock else self._windows.take(self._house, **about)
        self._sitting.append(window)
        window.watch = self.watch
        context = window.context
        if clock:
            context.clock.install()
        if name is not None:
            login = self._house.newcomer(name)
        if login is not None:
            context.add_cookies([{"name": login.cookie, "value": login.session, "url": self._house.url}])
        return Screen(context.new_page(), self._house, login)

    def at(self, table: Table, name: str | None = None, **about: Any) -> Screen:
        """Somebody at a table, whose page is live."""
        return self.comes(name, **about).sits_down_at(table)

    def leave(self) -> None:
        while self._sitting:
            self._windows.give_back(self._sitting.pop())


def cents_of(text: str) -> int:
    """The cents that an amount on a screen says, whatever stands between its thousands: 「10,095.50」, "−1.000,00"."""
    digits = re.search(r"([−+-]?)\s*(\d[\d.,\s]*)", text)
    assert digits is not None, f"no amount: {text!r}"
    whole = digits[2].strip()
    cents = re.search(r"[.,](\d\d)$", whole)
    units = int(re.sub(r"\D", "", whole[: cents.start()] if cents else whole))
    value = units * CREDIT + (int(cents[1]) if cents else 0)
    return -value if digits[1] in ("−", "-") else value
