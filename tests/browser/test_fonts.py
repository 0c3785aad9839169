"""No page depends on the fonts of a machine: with the set that is chosen everything fits, in every language.

Each page is shown in one language, another with each set of fonts; with ALL=1 in all. Where no set is asked for by
FONTS, some are left out. SHOTS=folder keeps pictures, and a line of matrix.csv for each: what was looked at, its
language and size, what did not fit, its spots and those in view.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tables.base.calendar import MACAU
from tests.extent import EVERYTHING, NIGHTLY

from . import fonts
from .house import House, Table
from .kiosks import LEGIBLE, SMALL, Device, enrolled, put_up
from .kit import DESK, KIOSK, KIOSK_LYING, PHONE, People, Screen
from .test_pit_door import PASSWORD, TABLET

LANGUAGES = ("pt", "zh-hant", "en")

EVERY_PAGE = EVERYTHING or "FONTS" in os.environ
"""CI asks for two sets of fonts, one after the other: with each of them every page is looked at."""


def of_every_page(test: Callable[..., None]) -> Callable[..., None]:
    """Left out where not every page is looked at."""
    return test if EVERY_PAGE else pytest.mark.in_full(test)


KIOSKS = 1
"""The realm of the tables of kiosks."""

Size = tuple[int, int]


def size_of(screen: dict[str, Any]) -> Size:
    return screen["viewport"]["width"], screen["viewport"]["height"]


LYING: Size = (844, 390)
"""A phone on its side."""

PAGE: Sequence[Size] = (size_of(PHONE), LYING, size_of(DESK))
NARROW: Size = (320, 640)
"""The narrowest that must do: also a desk at 400 %."""
MORE: Sequence[Size] = (size_of(TABLET), (1920, 1080), (3840, 2160))
"""Screens at which other tests look; with SHOTS tables are looked at there too."""
FLOOR: Sequence[Size] = (*PAGE, NARROW, *(MORE if "SHOTS" in os.environ else ()), size_of(KIOSK))
LARGE: Sequence[Size] = (size_of(KIOSK), size_of(KIOSK_LYING))
PIT: Sequence[Size] = (size_of(TABLET), size_of(DESK), size_of(PHONE))


# ── The fonts ───────────────────────────────────────────────────────────────────────────────────────────────

DRAWN = """([text, family]) => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [120, 120];
  const pen = canvas.getContext("2d");
  pen.font = `100px ${family}`;
  pen.fillText(text, 10, 100);
  return [pen.measureText(text).width, canvas.toDataURL()];
}"""
"""How wide a text is at 100 px, and its picture."""


def test_the_browser_draws_with_the_chosen_fonts(people: People, house: House) -> None:
    chosen = fonts.chosen()
    page = people.comes().goes("/accounts/login/").page
    sans = page.evaluate("getComputedStyle(document.documentElement).fontFamily")

    def drawn(text: str) -> tuple[float, str]:
        width, picture = page.evaluate(DRAWN, [text, sans])
        return width, picture

    if chosen is not None:
        assert drawn("0")[0] == pytest.approx(100 * chosen.zero, abs=0.5)
    boxes = drawn("繁")[1] == drawn("體")[1]
    assert boxes == (chosen is not None and not chosen.chinese), "two characters are drawn alike: they are boxes"


# ── What fits ───────────────────────────────────────────────────────────────────────────────────────────────

UNFIT = """(still) => {
  const found = [];
  const shown = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const name = (one) => `${one.tagName.toLowerCase()}.${[...one.classList].join(".")}`;
  const say = (one, what) => found.push(`${what}: ${name(one)} in ${name(one.parentElement)}`
    + ` 「${one.textContent.trim().replace(/\\s+/g, " ").slice(0, 40)}」`);
  const html = document.documentElement;
  const known = (find, found = new Map()) => (one) => found.get(one) ?? found.set(one, find(one)).get(one);
  const style = known((one) => {
    const { display, position, overflowX, overflowY, textOverflow, webkitLineClamp, clipPath } = getComputedStyle(one);
    return { display, position, overflowX, overflowY, textOverflow, webkitLineClamp, clipPath };
  });
  const drawn = known((one) => {
    const its = getComputedStyle(one);
    return parseFloat(its.borderLeftWidth) > 0 || its.backgroundImage !== "none"
      || !/rgba\\(.*, 0\\)|transparent/.test(its.backgroundColor);
  });
  const rect = known((one) => one.getBoundingClientRect());

  // only for those who listen
  const unseen = known((one) => one !== null && (style(one).clipPath !== "none" || unseen(one.parentElement)));

  // of these lines what is not rolled or cut away
  const seen = (one, lines) => {
    for (let box = one; box && box !== document.body; box = box.parentElement) {
      if (style(box).overflowX === "visible") continue;
      const { left, top, right, bottom } = rect(box);
      lines = lines.map((line) => [
        Math.max(left, line[0]), Math.max(top, line[1]), Math.min(right, line[2]), Math.min(bottom, line[3]),
      ]);
    }
    return lines.filter((line) => line[0] < line[2] && line[1] < line[3]);
  };

  // nothing is wider than the screen
  if (html.scrollWidth > html.clientWidth) {
    found.push(`sideways: ${html.scrollWidth} on ${html.clientWidth}`);
    const out = (one) => one.getBoundingClientRect().right > html.clientWidth + 1 && !one.closest(".boxes, .sr");
    for (const one of [...document.body.querySelectorAll("*")].filter((one) => shown(one) && out(one)).slice(0, 3)) {
      say(one, "sticks out");
    }
  }

  const texts = [];
  const layers = ".dock, .rail, .foot, .chat, .paper, .answer, .lost, dialog, .guided__foot, .menu__sheet, .alarms";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const one = node.parentElement;
    if (!node.data.trim() || !shown(one) || one.closest("svg, script, style, template, select")) continue;
    if (unseen(one)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    // of a line only its letters count: what a font keeps above and below them is air
    const lines = [...range.getClientRects()].filter((line) => line.width > 1)
      .map((line) => [line.left, line.top + line.height * .26, line.right, line.bottom - line.height * .26]);
    if (!lines.length) continue;
    // no word is torn
    if (lines.length > 1 && !one.closest("code, .hash") && /anywhere|break/.test(getComputedStyle(one).overflowWrap)) {
      for (const word of node.data.matchAll(/[\\p{Script=Latin}]{3,}/gu)) {
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const parts = [...range.getClientRects()].filter((row) => row.width > 1);
        if (new Set(parts.map((row) => Math.round(row.top))).size > 1) say(one, `${word[0]} is torn`);
      }
    }
    const [left, top] = [0, 1].map((side) => Math.min(...lines.map((line) => line[side])));
    const [right, bottom] = [2, 3].map((side) => Math.max(...lines.map((line) => line[side])));
    const layer = one.closest(layers);
    texts.push([one, layer, seen(one, lines)]);
    // nothing of the felt lies under the rail
    const felt = one.closest(".felt");
    if (felt && !layer && top < rect(felt).top - 1.5) say(one, "above the felt");
    const spot = one.closest(".spot");
    if (spot && !one.closest(".spot__limits")) {
      const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      const other = above && above.closest(".spot");
      const hides = other && other !== spot && getComputedStyle(other).backgroundImage !== "none";
      if (hides) say(one, `under ${name(other)}`);
    }
    const sticksOut = (around) => left < around.left - 1.5 || right > around.right + 1.5
      || top < around.top - 1.5 || bottom > around.bottom + 1.5;
    let boxed = false;
    for (let box = one; box && box !== document.body; box = box.parentElement) {
      const its = style(box);
      if (its.display === "inline" || its.display === "contents") continue;
      const around = rect(box);
      const clips = its.overflowX !== "visible" || its.overflowY !== "visible";
      const rolls = /auto|scroll/.test(its.overflowX + its.overflowY);
      if (its.position === "fixed" && rolls) break;
      if (clips && !rolls) {
        if (its.textOverflow === "ellipsis" || its.webkitLineClamp !== "none") break;
        if (box.matches(".rail__facts") && top > around.bottom - 3) break; // left away whole
        if (sticksOut(around)) say(one, `cut off by ${name(box)}`);
      } else if (rolls) {
        break;
      } else if (!boxed && drawn(box)) {
        boxed = true;
        const [wide, high] = [around.width, around.height].map(Math.round);
        if (sticksOut(around)) say(one, `out of ${name(box)}, ${wide} x ${high}`);
      }
      if (its.position === "fixed") break;
    }
  }

  // no letters lie over others
  texts.forEach(([one, layer, lines], at) => {
    for (const [other, its, others] of texts.slice(at + 1)) {
      if (its !== layer || one.contains(other) || other.contains(one)) continue;
      const over = lines.some(([left, top, right, bottom]) => others.some((line) =>
        Math.min(right, line[2]) - Math.max(left, line[0]) > 3
        && Math.min(bottom, line[3]) - Math.max(top, line[1]) > 3));
      if (over) say(one, `over ${name(other)} 「${other.textContent.trim().slice(0, 30)}」`);
    }
  });

  // on a screen that nobody looks after nothing scrolls
  if (still) {
    for (const one of document.querySelectorAll("body, body *")) {
      if (!shown(one) || one.closest("svg") || unseen(one)) continue;
      const its = style(one);
      if (its.overflowX === "visible" || one.clientHeight <= 1 || its.textOverflow === "ellipsis") continue;
      if (one.matches(".rail__facts")) continue;
      const [wide, high] = [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight];
      if (wide > 2 || high > 2) found.push(`scrolls: ${name(one)} by ${wide} x ${high}`);
    }
  }
  return found;
}"""
"""What does not fit on a page at one size; with `still` nothing may scroll either."""


IN_VIEW = """() => {
  const spots = [...document.querySelectorAll(".spot")].filter((one) => one.checkVisibility());
  const dock = document.querySelector(".dock")?.getBoundingClientRect().top ?? innerHeight;
  const inView = ({ left, right, top, bottom }) =>
    left >= -1 && right <= innerWidth + 1 && top >= 0 && bottom <= dock + 1;
  return [spots.length, spots.filter((one) => inView(one.getBoundingClientRect())).length];
}"""
"""How many spots a page has, and how many of them lie wholly on the screen and above the dock."""

SETTLED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))"
"""The page has heard of its size, and is drawn in it."""


class Tour:
    """Pages, one after the other, and all that does not fit on them."""

    def __init__(self) -> None:
        self.unfit: list[str] = []
        self._turn = list(fonts.SETS).index(os.environ.get("FONTS", "wide"))

    def language(self, turn: int) -> str:
        """The language of a page that is shown in one alone."""
        return LANGUAGES[(self._turn + turn) % len(LANGUAGES)]

    def languages(self) -> Iterable[str]:
        """The languages in which the next page is shown."""
        self._turn += 1
        return LANGUAGES if EVERYTHING else (self.language(0),)

    def languages_of_the_pit(self) -> Iterable[str]:
        """The languages in which the next page of the pit is shown: that with the longest words and another in turn;
        all with NIGHTLY=1."""
        self._turn += 1
        longest, *others = LANGUAGES
        return LANGUAGES if NIGHTLY else (longest, others[self._turn % len(others)])

    def look(self, page: Page, what: str, sizes: Sequence[Size], *, still: bool = False, kiosk: bool = False) -> None:
        """Look at a page that is open, at each size; at a kiosk nothing scrolls, and on an upright one all can be read
        from two metres."""
        language = page.evaluate("document.documentElement.lang")
        page.evaluate("document.fonts.ready.then(() => null)")
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(SETTLED)
            unfit = page.evaluate(UNFIT, still or kiosk)
            self.unfit += [f"{what} ({language}, {width} x {height}): {one}" for one in unfit]
            if kiosk and height > width:
                self.read(page, f"{what} ({language})")
            if shots := os.environ.get("SHOTS"):
                page.screenshot(path=f"{shots}/{what.replace(' ', '-').replace('/', '_')}-{language}-{width}.png")
                with Path(shots, "matrix.csv").open("a", newline="") as matrix:
                    csv.writer(matrix).writerow((what, language, width, height, len(unfit), *page.evaluate(IN_VIEW)))

    def read(self, page: Page, what: str) -> None:
        """Read a page that is open on an upright kiosk."""
        self.unfit += [f"{what}, too small: {one}" for one in page.evaluate(SMALL, LEGIBLE)]

    def opens(self, screen: Screen, path: str, sizes: Sequence[Size] = PAGE, what: str = "") -> None:
        """Open a page in its languages, and look at it."""
        for language in self.languages_of_the_pit() if sizes is PIT else self.languages():
            speaks(screen, language).goes(path)
            self.look(screen.page, what or path, sizes)

    def fits(self) -> None:
        assert not self.unfit, "\n".join(dict.fromkeys(self.unfit))


def speaks(screen: Screen, language: str) -> Screen:
    """The next page that it opens is in this language."""
    cookie = {"name": "django_language", "value": language, "url": screen.house.url}
    screen.page.context.add_cookies([cookie])  # type: ignore[list-item]
    return screen


@pytest.fixture
def tour() -> Tour:
    return Tour()


# ── Tables, and kiosks ──────────────────────────────────────────────────────────────────────────────────────


class Player:
    """Somebody at a table, on the floor or at a kiosk, and who looks over the shoulder."""

    def __init__(self, screen: Screen, table: Table, game: str, tour: Tour, sizes: Sequence[Size]) -> None:
        self.screen, self.page, self.house = screen, screen.page, screen.house
        self.table, self.game = table, game
        self._tour, self._sizes = tour, sizes
        self._hand = screen.fingers if isinstance(screen, Device) else None

    def presses(self, target: Locator) -> None:
        if self._hand is None:
            target.click()
        else:
            self._hand.taps(target)

    def looks(self, what: str) -> None:
        """Look at the table, in the language in which it is."""
        kiosk = self._hand is not None
        self._tour.look(self.page, f"{self.game} {'at a kiosk ' * kiosk}{what}", self._sizes, kiosk=kiosk)
        width, height = self._sizes[-1]
        self.page.set_viewport_size({"width": width, "height": height})

    def stakes(self, credits: int, *spots: str) -> None:
        self.presses(self.screen.chip(credits))
        for spot in spots:
            self.presses(self.screen.spot(spot))
            self.screen.has(spot, credits)

    def sits(self, seat: int) -> None:
        self.presses(self.screen.seat(seat))
        expect(self.page.locator("#my-seat")).to_have_attribute("data-seat", str(seat))

    def goes_on(self, *choices: str) -> None:
        """Choose one of these as long as there is one, until the round has its result."""
        choice = self.page.locator(", ".join(f"#decision {one}" for one in choices)).first
        over = self.page.locator("#rail[data-phase=result], #rail[data-phase=settled]")
        seen = False
        while True:
            expect(choice.or_(over).first).to_be_visible()
            if over.count():
                return
            if not seen:
                self.looks("with a decision")
            seen = True
            before = self.page.locator("#tray, .tray").first.inner_text()
            expect(choice).to_be_enabled()
            self.presses(choice)
            expect(self.page.locator("#tray, .tray").first).not_to_have_text(before, use_inner_text=True)

    def plays(self) -> None:
        """A round, looked at with stakes, with what is to be decided, and with its result."""
        stakes, choices = GAMES[self.game]
        if self.game != "three_card_baccarat":
            self.screen.betting()
        stakes(self)
        self.looks("with stakes")
        self.presses(self.screen.deed("ready"))
        if choices:
            self.goes_on(*choices)
        self.screen.phase("settled")
        expect(self.page.locator(".my-result__line").first).to_be_visible()
        if self.game == "cussec":
            self.page.evaluate(SHOW_THE_WIDEST)
        self.looks("with a result")


def baccarat(ana: Player) -> None:
    """Every bet, and a round of which the most is to be told."""
    ana.sits(1)
    ana.stakes(1_000, "player", "banker", "tie", "player_pair", "banker_pair")
    ana.house.stack(ana.table, "4c 4d 4h 4s")


def blackjack(ana: Player) -> None:
    ana.sits(3)
    ana.stakes(1_000, "main-3", "main-4")
    ana.house.stack(ana.table, "Ac 9d 6h Kc 8s Tc 5d")


def stud_poker(ana: Player) -> None:
    ana.sits(2)
    ana.stakes(1_000, "ante-2")


def three_card_baccarat(ana: Player) -> None:
    ana.sits(6)
    cuts = ana.page.locator("[data-cut-now]")
    expect(cuts.or_(ana.page.locator("#rail[data-betting='1']")).first).to_be_visible()
    if cuts.is_visible():
        ana.looks("to cut")
        ana.presses(cuts)
    ana.screen.betting()
    ana.stakes(1_000, "place-6", "odd")
    ana.house.stack(ana.table, "3c 9d 7d Kc 6c Ts Jd")


def roulette(ana: Player) -> None:
    ana.stakes(100, "straight_17", "red", "dozen_middle", "even")


def cussec(ana: Player) -> None:
    ana.stakes(100, "big", "odd", "total_9", "single_3", "any_triple")


GAMES: dict[str, tuple[Callable[[Player], None], Sequence[str]]] = {
    "baccarat": (baccarat, (".decision__main",)),
    "blackjack": (blackjack, (".choice--stand", ".choice--ready")),
    "stud_poker": (stud_poker, (".choice--raise",)),
    "three_card_baccarat": (three_card_baccarat, (".choice--ready",)),
    "roulette": (roulette, ()),
    "cussec": (cussec, ()),
}
"""What is staked at a table, and what is chosen until it has a result."""

SHOW_THE_WIDEST = """() => {
  const [total, kind] = document.querySelectorAll(".shake__total > *");
  total.textContent = 10;
  kind.textContent = { pt: "Pequeno · ímpar", en: "Small · even" }[document.documentElement.lang] ?? "小 · 雙";
}"""
"""Of all throws of dice the one with the longest words, whatever was thrown."""

ROUNDS = [(game, language) for game in GAMES for language in (LANGUAGES if EVERYTHING else ("",))]
AT_TABLES, AT_KIOSKS = (ROUNDS, ROUNDS) if EVERY_PAGE else (ROUNDS[:2], ROUNDS[4:5])
"""Else two of the games are looked at on tables, another at kiosks."""


@pytest.mark.parametrize(("game", "language"), AT_TABLES)
def test_a_table_and_its_rounds_fit(people: People, house: House, tour: Tour, game: str, language: str) -> None:
    people.watch.expects("status of 403")  # of Stud Poker no round is shown before its session is over
    table = house.table(game=game)
    screen = speaks(people.comes("Ana"), language or tour.language(list(GAMES).index(game)))
    Player(screen.sits_down_at(table), table, game, tour, FLOOR).plays()
    screen.page.goto(f"{house.url}/rounds/{house.ask('round', table=table.id)['id']}/")
    tour.look(screen.page, f"a round of {game}", PAGE)
    tour.fits()


@pytest.mark.parametrize("cards", ["Kc 9d Kc 9d 2h", "4c 4d 4h 4s"], ids=["a natural and two pairs", "a tie"])
def test_the_most_that_two_hands_of_baccarat_say_fits(people: People, house: House, tour: Tour, cards: str) -> None:
    """As somebody sees it who only watches, on a phone, in the longest language."""
    table = house.table()
    screen = people.comes("Ana").sits_down_at(table)
    screen.betting()
    screen.stakes(100, "player")
    house.stack(table, cards)
    screen.is_ready()
    screen.phase("settled")
    nobody = speaks(people.comes(), "pt").goes(f"/tables/{table.slug}/")
    tour.look(nobody.page, "two hands", (*PAGE, NARROW))
    tour.fits()


@pytest.mark.parametrize(("game", "language"), AT_KIOSKS)
def test_a_kiosk_fits(people: People, house: House, tour: Tour, game: str, language: str) -> None:
    """Between visitors, the guided round, the choice, the table."""
    language = language or tour.language(list(GAMES).index(game) + 1)
    table = house.table(game=game, realm=KIOSKS)
    device = enrolled(people, house, house.kiosk(table, languages=[language], credits=20_000_00), KIOSK)
    look = partial(tour.look, device.page, kiosk=True)
    if game == "roulette":
        look(f"{game} between visitors", LARGE)
    ana = Player(device, table, game, tour, LARGE)
    ana.presses(device.page.locator(".invite [lang]").first)
    device.is_at(table)
    look(f"{game} offered to be shown", LARGE)
    ana.presses(device.page.locator("[data-first-time] button"))
    ana.plays()
    device.page.set_viewport_size(KIOSK["viewport"])
    device.page.goto(f"{house.url}/kiosk/rules/{game}/")
    tour.read(device.page, f"the rules of {game} ({language})")
    device.page.goto(f"{house.url}/kiosk/choose/")
    expect(device.page.locator(".games .game")).to_have_count(1)
    look("the choice", LARGE)
    device.page.goto(f"{house.url}/kiosk/guide/{game}/")
    expect(device.page.locator(".guided__way .is-now")).to_have_count(1)
    sizes = LARGE if EVERYTHING else LARGE[list(GAMES).index(game) % 2 :][:1]
    steps = device.page.locator(".guided__way li").count()
    for step in range(steps):
        expect(device.page.locator(".guided__way li").nth(step)).to_have_class("is-now")
        look(f"{game}, step {step}", sizes)
        if step + 1 < steps:
            device.page.locator("[data-on]").dispatch_event("click")
    tour.fits()


def test_the_door_of_a_kiosk_fits(people: People, house: House, tour: Tour) -> None:
    device = put_up(people, house, house.kiosk(house.table(realm=KIOSKS)), KIOSK).opens()
    expect(device.code).to_be_visible()
    tour.look(device.page, "the door", LARGE, kiosk=True)
    tour.fits()


def test_what_is_too_small_at_a_kiosk_is_found(people: People, house: House, tour: Tour) -> None:
    device = put_up(people, house, house.kiosk(house.table(realm=KIOSKS)), KIOSK).opens()
    expect(device.code).to_be_visible()
    device.code.evaluate("(one) => one.style.fontSize = '27px'")
    tour.read(device.page, "the door")
    assert tour.unfit


# ── Pages ───────────────────────────────────────────────────────────────────────────────────────────────────


@of_every_page
def test_the_wall_of_a_jackpot_fits(people: People, house: House, tour: Tour) -> None:
    table = house.table(game="stud_poker", jackpot_minimum=123_456_789_00)
    screen = people.comes()
    for language in LANGUAGES:
        screen.goes(f"/jackpots/{table.slug}/?lang={language}").line("open")
        tour.look(screen.page, f"the wall in {language}", LARGE, still=True)
        tour.look(screen.page, f"the wall in {language}", [size_of(PHONE)])
    tour.fits()


def test_the_pages_of_players_fit(people: People, house: House, tour: Tour) -> None:
    table = house.table()
    nobody, ana = people.comes(), people.comes("Ana")
    screen = ana.sits_down_at(table)
    screen.betting()
    screen.stakes(100, "player")
    house.stack(table, "Kc 9d Kc 9d 2h")
    screen.is_ready()
    screen.phase("settled")
    shoe = house.ask("round", table=table.id)["shoe"]
    played = house.ask("rounds", table=table.id)[0]
    for path in ("/accounts/login/", "/accounts/signup/", "/privacy/", "/verify/", f"/tables/{table.slug}/"):
        tour.opens(nobody, path)
    tour.opens(ana, "/", FLOOR)
    paths = (
        *("/history/", f"/rounds/{played}/", f"/shoes/{shoe}/", "/account/", "/account/logins/", "/accounts/logout/"),
        *(
            "/accounts/keep/",
            "/safely/",
            f"/safely/{datetime.now(MACAU).year}/",
            *(f"/rules/{game}/" for game in GAMES),
        ),
    )
    for path in paths:
        tour.opens(ana, path)
    tour.fits()


@of_every_page
def test_the_pages_of_the_pit_fit(people: People, house: House, tour: Tour) -> None:
    tables = [house.table(), house.table(game="cussec")]
    house.ask("stops", game="cussec")
    kiosk = house.kiosk(house.table(game="roulette", realm=KIOSKS))
    number = house.ask("hires", name="benvinda1", role="shift_manager", password=PASSWORD)
    boss, ana = people.comes(login=house.logged_in_member(number, "benvinda1")), people.comes("Ana")
    screen = ana.sits_down_at(tables[0])
    screen.betting()
    screen.stakes(100, "player")
    screen.is_ready()
    screen.phase("settled")
    slug, played, who = tables[0].slug, house.ask("rounds", table=tables[0].id)[0], ana.player
    books = house.ask("keeps_the_books", by=number, table=tables[0].id, player=who, round=played)
    table = f"/tables/{slug}/"
    paths = (
        *("/", "/?view=list", "/tables/new/", table, f"{table}rule/", f"{table}options/", f"{table}options/history/"),
        *("/options/", "/authorisations/", "/authorisations/baccarat/new/", "/kiosks/", "/kiosks/new/"),
        *(f"/kiosks/{kiosk.id}/", f"/kiosks/{kiosk.id}/events/", "/people/?q=ana", f"/people/{who}/", "/adjustments/"),
        *("/approvals/", "/reviews/", f"/reviews/{books['review']}/", "/rounds/", f"/rounds/{played}/"),
        *(f"/rounds/{played}/rule/", "/reports/", "/shift/", "/ratings/", "/registers/", "/moderation/", "/notes/"),
        *("/house/", "/search/?q=a", "/silence/", "/chance/", "/events/", "/events/significant/", "/staff/", "/chips/"),
        *(f"{table}inventory/", f"{table}count/", f"/counts/{books['count']}/", f"/slips/{books['order']}/"),
    )
    for path in paths:
        tour.opens(boss, f"/pit{path}", PIT)
    house.ask("lets_go_on", game="cussec")
    tour.fits()
