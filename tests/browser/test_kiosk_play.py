"""Visitors at a kiosk: every game by touch alone on both screens, and touches that are not meant lay nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.extent import first, spread

from .house import House, Table
from .kiosks import APART, Device, middle_of, place_of, visited
from .kit import CREDIT, KIOSK, KIOSK_LYING, People
from .test_access import is_accessible
from .test_kiosk_screen import KIOSKS, SCREENS

LEAST = 64
"""CSS pixels that whatever can be touched has at least in both directions."""

BOUNCE = 0.03
"""Seconds between the end of a touch and what a screen makes of a finger that trembles."""

SHEETS = ("house-rules", "stakes", "done")
"""What can be opened over the felt."""


class Visit:
    """A visitor at a table of a kiosk."""

    def __init__(self, device: Device, table: Table) -> None:
        self.device = device
        self.table = table
        self.hand = device.fingers

    @property
    def visitor(self) -> int:
        return int(self.device.state["visitor"])

    def lays(self, credits: int, *spots: str) -> None:
        """Take a chip and put it on each of these spots; each must be acknowledged."""
        self.hand.taps(self.device.chip(credits))
        for spot in spots:
            self.hand.taps(self.device.spot(spot))
            self.device.has(spot, credits)

    def sits(self, seat: int) -> None:
        self.device.sits(seat)

    def is_ready(self) -> None:
        self.hand.taps(self.device.deed("ready"))

    def chooses(self, choice: str) -> None:
        expect(self.device.choice(choice)).to_be_enabled()
        self.hand.taps(self.device.choice(choice))

    def result(self) -> str:
        """Expect the round to have its result; its id."""
        self.device.phase("result", "settled")
        expect(self.device.page.locator(".my-result__headline")).to_be_visible()
        return self.device.rail.get_attribute("data-round") or ""

    def is_sound(self, what: str, *, seen_before: bool = False) -> None:
        """Expect what must be true of the page at any moment; axe judges a state once."""
        is_accessible(self.device, what, seen_before=seen_before)
        self.device.page.evaluate(AT_REST)
        assert self.device.page.evaluate(WRONG) == [], what
        assert self.device.unread() == [], what
        assert self.device.unseen() == [], what

    def opens(self, sheet: str) -> None:
        self.hand.taps(self.device.page.locator(f"[data-paper-open={sheet}]"))
        expect(self.device.page.locator(f"#{sheet}")).to_be_visible()


AT_REST = """Promise.all(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().iterations !== Infinity)
  .map((one) => one.finished.catch(() => null))).then(() => null)"""
"""Nothing moves any more but what always does."""

WRONG = """() => {
  const wrong = [];
  const shown = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const say = (one) => (one.className || one.name || one.tagName) + " " + one.textContent.trim().slice(0, 30);
  const within = ({ left, top, right, bottom }) =>
    left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  const touched = "button, a, summary, input, label, [tabindex]:not([tabindex='-1'], .paper__body)";
  const whole = "html, body, .floor, .rail, .ways, .felt, .dock, .tray, .choose";
  // what can be touched: as large as a finger, on the screen, and under nothing else
  for (const one of document.querySelectorAll(touched)) {
    if (!shown(one) || getComputedStyle(one).pointerEvents === "none" || (one.matches("a") && !one.href)) continue;
    const box = one.getBoundingClientRect();
    const side = Math.min(box.width, box.height);
    if (side < LEAST - 0.5) wrong.push(`small: ${say(one)} ${box.width} x ${box.height}`);
    if (!within(box)) wrong.push(`outside: ${say(one)}`);
    const there = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const covered = there && !one.contains(there) && !there.contains(one);
    if (covered && !there.closest(".paper, .answer")) wrong.push(`covered: ${say(one)} by ${say(there)}`);
  }
  // nothing opens a keyboard, and nothing leads away
  for (const one of document.querySelectorAll("input, textarea, select, [contenteditable]")) {
    if (!["radio", "range", "hidden"].includes(one.type)) wrong.push(`writes: ${say(one)}`);
  }
  for (const one of document.querySelectorAll("a[href]")) {
    if (!one.getAttribute("href").startsWith("/kiosk/")) wrong.push(`leads away: ${one.href}`);
  }
  // nothing scrolls, and nothing is cut off
  for (const one of document.querySelectorAll(whole)) {
    const [wide, high] = [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight];
    if (wide > 1 || high > 1) wrong.push(`too small: ${one.className} by ${wide} x ${high}`);
  }
  return wrong;
}""".replace("LEAST", str(LEAST))


def visiting(
    people: People,
    house: House,
    size: dict[str, Any],
    *games: str,
    language: str = "en",
    knows: bool = True,
    ours: bool = False,
    **about: Any,
) -> Visit:
    """Somebody has come to a kiosk with these games, and stands at a table of the first; `about` are times and options
    of the tables. With `ours` the screen's clock goes as `Device.lives` says."""
    tables = [house.table(game=game, realm=KIOSKS, **about) for game in games]
    knowing = games[0] if knows else ""
    place = place_of(tables[0])
    device = visited(people, house, house.kiosk(*tables), size, place, language=language, knows=knowing, ours=ours)
    return Visit(device.is_at(tables[0]), tables[0])


def knows_it(visit: Visit) -> None:
    """Whoever is offered to be shown how it goes says that they know."""
    offered = visit.device.page.locator("[data-first-time]")
    visit.is_sound("offered to be shown how it goes")
    visit.hand.taps(offered.locator("button"))
    expect(offered).to_be_hidden()


# ── A round of each game ────────────────────────────────────────────────────────────────────────────────────


def baccarat(visit: Visit) -> None:
    visit.lays(5, "player", "tie")
    visit.sits(4)
    visit.lays(10, "banker_pair")
    visit.is_sound("staked")
    visit.device.house.stack(visit.table, "4s Kc 5d 7h")  # no tie: nothing stays for the next round
    visit.is_ready()
    turns = visit.device.page.locator("#decision .decision__main")
    over = visit.device.page.locator("#rail[data-phase=result], #rail[data-phase=settled]")
    asked = False
    while True:
        expect(turns.or_(over).first).to_be_visible()
        if over.count():
            return
        visit.is_sound("to turn", seen_before=asked)
        asked = True
        phase = visit.device.rail.get_attribute("data-phase") or ""
        visit.hand.taps(turns)
        expect(visit.device.rail).not_to_have_attribute("data-phase", phase)


def blackjack(visit: Visit) -> None:
    visit.sits(3)
    visit.lays(5, "main-3", "main-5")
    visit.is_sound("staked")
    visit.is_ready()
    stands = visit.device.choice("stand").first
    passes = visit.device.choice("ready")
    over = visit.device.page.locator("#rail[data-phase=result], #rail[data-phase=settled]")
    asked = False
    while True:
        expect(stands.or_(passes).or_(over).first).to_be_visible()
        if over.count():
            return
        visit.is_sound("to decide", seen_before=asked)
        asked = True
        before = visit.device.page.locator("#decision").inner_text()
        here = stands if stands.count() else passes
        expect(here).to_be_enabled()
        visit.hand.taps(here)
        expect(visit.device.page.locator("#decision")).not_to_have_text(before, use_inner_text=True)


def stud_poker(visit: Visit) -> None:
    visit.sits(2)
    visit.lays(10, "ante-2")
    visit.is_sound("staked")
    visit.is_ready()
    expect(visit.device.choice("raise")).to_be_enabled()
    visit.is_sound("to decide")
    visit.chooses("raise")


def three_card_baccarat(visit: Visit) -> None:
    visit.sits(6)
    cuts = visit.device.page.locator("[data-cut-now]")
    betting = visit.device.page.locator("#rail[data-betting='1']")
    expect(cuts.or_(betting).first).to_be_visible()
    if cuts.is_visible():
        visit.hand.taps(cuts)
    visit.device.betting()
    visit.lays(5, "place-6", "odd")
    visit.is_sound("staked")
    visit.device.house.stack(visit.table, "3c 9d 7d Kc 6c Ts Jd")  # nine against three: nothing stays either
    visit.is_ready()
    expect(visit.device.choice("ready")).to_be_enabled()
    visit.is_sound("to look")
    visit.chooses("ready")


def roulette(visit: Visit) -> None:
    visit.lays(1, "straight_17", "straight_0", "red", "dozen_middle")
    page = visit.device.page
    for kind, spot in (("split", "split_17_20"), ("corner", "corner_1"), ("street", "street_1"), ("line", "line_1")):
        page.locator(f".reach__one:has([value={kind}])").tap()
        visit.is_sound(kind)
        first = page.locator(f".board .spot--{kind}").first
        key = first.get_attribute("data-key") or spot
        visit.hand.taps(first)
        visit.device.has(key, 1)
    page.locator(".reach__one:has([value=race])").tap()
    visit.is_sound("the racetrack")
    visit.hand.taps(page.locator("[data-neighbours='5']"))
    visit.device.has("straight_10", 1)
    visit.is_ready()
    visit.result()
    visit.is_sound("a result in the racetrack")
    page.locator(".reach__one:has([value=straight])").tap()


def cussec(visit: Visit) -> None:
    visit.lays(1, "big", "odd", "total_9", "single_3", "any_triple")
    visit.is_sound("staked")
    visit.is_ready()


GAMES: dict[str, Callable[[Visit], None]] = {
    "baccarat": baccarat,
    "blackjack": blackjack,
    "stud_poker": stud_poker,
    "three_card_baccarat": three_card_baccarat,
    "roulette": roulette,
    "cussec": cussec,
}


@pytest.mark.in_full
def test_leaving_with_a_hand_is_asked_first_on_a_sheet(people: People, house: House) -> None:
    visit = visiting(people, house, KIOSK, "stud_poker")
    visit.device.betting()
    visit.sits(2)
    visit.lays(10, "ante-2")
    visit.is_ready()
    expect(visit.device.choice("raise")).to_be_enabled()
    page = visit.device.page
    stands_up, asked = page.locator("#my-seat button"), page.locator("#leaving")
    visit.hand.taps(stands_up)
    expect(asked).to_contain_text("Your hand folds at once, and your ante is lost. art. 6(4)")
    visit.is_sound("asked whether to leave the seat")
    visit.hand.taps(asked.locator("[data-stays]"))
    expect(asked).to_be_hidden()
    visit.hand.taps(stands_up)
    expect(asked.locator("[data-goes]")).not_to_have_attribute("aria-disabled", "true")
    visit.hand.taps(asked.locator("[data-goes]"))
    expect(asked).to_be_hidden()
    expect(page.locator("#my-seat")).to_have_attribute("data-seat", "")
    visit.device.phase("dealer_reveal", "compare", "jackpot", "result", "settled")


@pytest.mark.parametrize(("game", "held"), first(*spread(list(GAMES), list(SCREENS))))
def test_a_round_by_touch(people: People, house: House, game: str, held: str) -> None:
    """Its pages are in one language upright and in another lying; tests/browser/test_fonts.py shows all of them."""
    language = {"upright": "pt", "lying": "zh-hant"}[held]
    visit = visiting(people, house, SCREENS[held], game, language=language, knows=False)
    knows_it(visit)
    if game != "three_card_baccarat":  # whose dealer waits for whoever sits to cut
        visit.device.betting()
    visit.is_sound("betting")
    GAMES[game](visit)
    round_ = int(visit.result())
    visit.is_sound("the result")
    played = house.ask("played", round=round_, player=visit.visitor)
    net = visit.device.page.locator("#my-result").get_attribute("data-net")
    assert int(net or 0) == played["returned"] - played["staked"]
    cents = house.ask("balance", player=visit.visitor)
    expect(visit.device.wallet).to_have_attribute("data-balance", str(cents))


@pytest.mark.parametrize("size", first(KIOSK, KIOSK_LYING))
def test_what_each_bet_on_the_number_brings_has_room(people: People, house: House, size: dict[str, Any]) -> None:
    """A bet of each kind around the number that comes; the amounts stand there, and together are what was won."""
    visit = visiting(people, house, size, "roulette", language="pt")
    page = visit.device.page
    visit.device.betting()
    (number,) = house.ask("will_throw", table=visit.table.id)
    for kind in ("split", "street", "corner", "line", "straight"):
        page.locator(f".reach__one:has([value={kind}])").tap()
        around = page.locator(f".board .spot--{kind}[data-covers~='{number}']")
        if around.count():  # none round a zero
            key = around.last.get_attribute("data-key") or ""
            visit.hand.taps(around.last)
            visit.device.has(key, 1)
    for spot in page.locator(f".tableau .spot[data-covers~='{number}']:not(.board *)").all():
        key = spot.get_attribute("data-key") or ""
        visit.hand.taps(spot)
        visit.device.has(key, 1)
    page.locator(".reach__one:has([value=race])").tap()
    visit.is_ready()
    visit.result()
    visit.device.phase("settled")
    net = int(page.locator("#my-result").get_attribute("data-net") or 0)
    amounts = page.locator(".spot > .won")
    for view in ("race", "straight"):  # the numbers leave the result less room
        page.locator(f".reach__one:has([value={view}])").tap()
        page.evaluate(AT_REST)
        assert visit.device.unseen() == [], (number, view)
    expect(amounts.first).to_be_visible()
    assert sum(int(one) for one in amounts.evaluate_all("all => all.map((one) => one.dataset.net)")) == net


CUT_BY_HAND: Mapping[str, dict[str, Any]] = {
    "three_card_baccarat": {},
    "blackjack": {"dealing_device": "shoe"},
    "baccarat": {"dealing_device": "shoe"},
}


@pytest.mark.parametrize(("game", "held"), first(*spread(list(CUT_BY_HAND), ["lying", "upright"])))
@pytest.mark.in_full
def test_the_pack_is_cut_by_touch(people: People, house: House, game: str, held: str) -> None:
    visit = visiting(people, house, SCREENS[held], game, language="pt", times={"result": 100}, **CUT_BY_HAND[game])
    visit.device.phase("cut", "betting")
    visit.sits(3)
    cuts = visit.device.page.locator("[data-cut-now]")
    betting = visit.device.page.locator("#rail[data-betting='1']")
    expect(cuts.or_(betting).first).to_be_visible()
    if betting.count():  # the first pack was cut before somebody sat
        house.ask("changes_the_shoe", table=visit.table.id)
        house.ask("voids", table=visit.table.id, reason="a test")
        expect(cuts).to_be_visible()
    visit.is_sound("to cut")
    visit.hand.taps(cuts)
    visit.device.betting()


@pytest.mark.parametrize("game", first(*reversed(GAMES)))
def test_it_fits_in_every_language(people: People, house: House, game: str) -> None:
    """The table and its sheets, upright and lying, in one language after the other; axe judges each of them once."""
    visit = visiting(people, house, KIOSK, game, language="zh-hant")
    page = visit.device.page
    for language in ("zh-hant", "pt"):
        if language != "zh-hant":
            visit.hand.taps(page.locator(f".tongues [lang={language}]"))
        expect(page.locator("html")).to_have_attribute("lang", language)
        visit.device.is_at(visit.table)
        for held, size in SCREENS.items():
            page.set_viewport_size(size["viewport"])
            again = (language, held) != ("zh-hant", "upright")
            visit.is_sound(f"the table, {language}, {held}", seen_before=again)
            for sheet in SHEETS:
                visit.opens(sheet)
                visit.is_sound(f"{sheet}, {language}, {held}", seen_before=again)
            visit.hand.taps(page.locator("#done [data-paper-close]"))
            expect(page.locator("#done")).to_be_hidden()


# ── The ways from a table ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("size", first(KIOSK_LYING, KIOSK), ids=first("lying", "upright"))
@pytest.mark.in_full
def test_the_ways_from_a_table(people: People, house: House, size: dict[str, Any]) -> None:
    visit = visiting(people, house, size, "baccarat", "cussec")
    device, page, hand, visitor = visit.device, visit.device.page, visit.hand, visit.visitor
    visit.device.betting()
    visit.lays(5, "player")
    hand.taps(page.locator(".tongues [lang=pt]"))  # another language, and nothing else has changed
    expect(page.locator("html")).to_have_attribute("lang", "pt")
    device.is_at(visit.table).has("player", 5)

    hand.taps(page.locator(".ways a").first)
    expect(page.locator(".games .game")).to_have_count(2)
    assert page.evaluate(WRONG) == []
    is_accessible(device, "the choice")
    hand.taps(page.locator(".tongues [lang=en]"))
    expect(page.locator("html")).to_have_attribute("lang", "en")
    hand.taps(page.locator(".games [data-game=cussec] .game"))
    expect(page.locator("body")).to_have_attribute("data-game", "cussec")
    device.line("open")
    hand.taps(page.locator("[data-first-time] button"))

    hand.taps(page.locator(".ways a").nth(1))
    expect(page).to_have_url(f"{house.url}/kiosk/guide/cussec/")
    page.goto(house.url + place_of(visit.table))
    device.is_at(visit.table).has("player", 5)
    hand.taps(page.locator("[data-paper-open=done]"))
    hand.taps(page.locator("#done [data-paper-close]"))
    hand.taps(page.locator("[data-paper-open=done]"))
    hand.taps(page.locator("#done .button--main"))
    device.attracts()
    assert device.state["visitor"] is None
    assert house.ask("balance", player=visitor) == 0
    assert house.ask("stakes", table=visit.table.id) == {f"{visitor} player": 500}  # settled by the rules


# ── Storms ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def visit(people: People, house: House) -> Visit:
    """Somebody at a table of Baccarat with a chip of one credit in their hand."""
    visit = visiting(people, house, KIOSK, "baccarat")
    visit.device.betting()
    visit.hand.taps(visit.device.chip(1))
    return visit


def laid(visit: Visit, house: House) -> dict[str, int]:
    """What lies there, in credits by spot, once all that was said before has been heard."""
    visit.hand.taps(visit.device.spot("banker_pair"))
    visit.device.has("banker_pair", 1)
    stakes = house.ask("stakes", table=visit.table.id)
    return {name.split()[1]: cents // CREDIT for name, cents in stakes.items() if not name.endswith("banker_pair")}


def test_a_touch_is_a_chip(visit: Visit, house: House) -> None:
    for _ in range(3):
        visit.hand.taps(visit.device.spot("player"))
    assert laid(visit, house) == {"player": 3}


def test_a_screen_that_bounces_lays_one_chip(visit: Visit, house: House) -> None:
    place = middle_of(visit.device.spot("player"))
    visit.hand.touches([place], after=APART)
    for _ in range(6):
        visit.hand.touches([place], after=BOUNCE)
    assert laid(visit, house) == {"player": 1}


@pytest.mark.in_full
def test_several_fingers_at_once_lay_nothing(visit: Visit, house: House) -> None:
    x, y = middle_of(visit.device.spot("player"))
    for fingers in (2, 3, 5):
        visit.hand.touches([(x + 12 * finger, y) for finger in range(fingers)], after=APART)
    assert laid(visit, house) == {}


@pytest.mark.in_full
def test_a_storm_over_the_page_lays_one_chip_at_most(visit: Visit, house: House) -> None:
    """Hands, palms and water: as many touches as there are, on spots, chips and deeds, none at rest before the next."""
    device = visit.device
    deeds = [device.deed(name) for name in ("double", "repeat", "undo")]
    places = [middle_of(one) for one in (device.spot("player"), device.spot("banker"), device.spot("tie"), *deeds)]
    visit.hand.touches(places[:1], after=APART)
    for turn in range(40):
        some = [places[(turn * 5 + finger) % len(places)] for finger in range(turn % 4 + 1)]
        visit.hand.touches(some, after=BOUNCE)
    assert laid(visit, house) == {"player": 1}


def test_a_decision_is_taken_once(people: People, house: House) -> None:
    visit = visiting(people, house, KIOSK, "blackjack")
    device = visit.device
    device.betting()
    visit.sits(3)
    visit.lays(5, "main-3")
    house.stack(visit.table, "2h 3h 9c 2d 3d 4d 5d 6d 7d 8d")
    round_ = int(device.rail.get_attribute("data-round") or 0)
    visit.is_ready()
    hit = device.choice("hit")
    expect(hit).to_be_enabled()
    place = middle_of(hit)
    visit.hand.taps(hit, after=0.05)
    visit.hand.touches([place], after=0.1)
    expect(device.page.locator("#box-3 .card")).to_have_count(3)
    expect(hit).to_be_enabled()
    visit.hand.touches([middle_of(hit)], after=0.1)  # it came while the next choice still rested, and is heard late
    visit.chooses("stand")
    visit.result()
    done = [line for line in house.ask("actions", round=round_) if line.startswith(f"p{visit.visitor} ")]
    assert [line.split()[1] for line in done].count("hit") == 1
