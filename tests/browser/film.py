"""Moments of play on film, to be looked at: `python -m tests.browser.film FOLDER [game or moment …]`.

A house of its own deals at its true pace. Of each moment FOLDER gets a sheet of frames, at least 50 ms apart, each with
the milliseconds since the moment began. Nothing is asserted: whether what is told comes after it is seen, and whether
anything jumps, flickers or lies over something else, is for whoever looks.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import django
from playwright.sync_api import Browser, Page, expect, sync_playwright

from casino.bootstrap import find_browser

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()  # what a house is made of needs it

from . import fonts  # noqa: E402
from . import house as houses  # noqa: E402
from .house import House, Table  # noqa: E402
from .kiosks import enrolled  # noqa: E402
from .kit import DESK, KIOSK, People, Screen, Windows  # noqa: E402
from .test_squeeze import SQUEEZED, holds, pulls  # noqa: E402

EVERY_MS = 50
AT_MOST = 40
"""Frames of a moment; of more each second one is left out."""

PACE = {"beat": 900, "hurry": 900, "betting": 600_000, "decision": 600_000, "result": 600_000, "cut": 600_000}
"""Cards come as they do for players, and nothing happens because time has passed."""

SHEET = """([frames, width]) => {
  document.body.replaceChildren(...frames.map(([at, data]) => {
    const figure = document.createElement("figure");
    figure.style = `margin: 2px; display: inline-block; width: ${width}px; font: 12px sans-serif; color: #fff`;
    const img = Object.assign(new Image(), { src: `data:image/jpeg;base64,${data}` });
    img.style = "width: 100%; display: block";
    figure.append(img, `${at} ms`);
    return figure;
  }));
  document.body.style = "margin: 4px; background: #222";
  return Promise.all([...document.images].map((img) => img.decode())).then(() => null);
}"""


class Film:
    """A camera on a page, and the sheets of what it has seen."""

    def __init__(self, page: Page, folder: Path, sheets: Page) -> None:
        self._folder, self._sheets, self._page = folder, sheets, page
        self._frames: list[tuple[float, str]] = []
        self._camera = page.context.new_cdp_session(page)
        self._camera.on("Page.screencastFrame", self._sees)

    def _sees(self, frame: dict[str, Any]) -> None:
        at = 1000 * float(frame["metadata"]["timestamp"])
        self._camera.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})
        if not self._frames or at - self._frames[-1][0] >= EVERY_MS:
            self._frames.append((at, frame["data"]))

    def moment(self, name: str, begins: Callable[[], object], seconds: float) -> None:
        """Film what this begins, for so long."""
        self._frames.clear()
        self._camera.send("Page.startScreencast", {"format": "jpeg", "quality": 70, "maxWidth": 960, "maxHeight": 960})
        begins()
        self._page.wait_for_timeout(1000 * seconds)
        self._camera.send("Page.stopScreencast")
        frames = list(self._frames)
        while len(frames) > AT_MOST:
            frames = frames[::2]
        if not frames:
            print(f"{name}: nothing moved")
            return
        began = frames[0][0]
        told = [(round(at - began), data) for at, data in frames]
        self._sheets.evaluate(SHEET, [told, 440])
        self._sheets.screenshot(path=self._folder / f"{name}.png", full_page=True)
        print(f"{name}: {len(told)} frames in {told[-1][0]} ms", flush=True)


def _plays(
    *spots: str, chip: int = 100, decides: str = "", cards: str = ""
) -> Callable[[Film, Screen, House, Table], None]:
    """A round with these stakes, from the first chip to what it has paid; with a decision, this one is taken."""

    def scene(film: Film, screen: Screen, house: House, table: Table) -> None:
        game = table.name
        screen.betting()
        if cards:
            house.stack(table, cards)
        screen.chip(chip).click()
        film.moment(f"{game}-chip", lambda: screen.spot(spots[0]).click(), 1.2)
        for spot in spots[1:]:
            screen.spot(spot).click()
            screen.has(spot, chip)
        film.moment(f"{game}-deal", lambda: screen.deed("ready").click(), 7)
        over = screen.page.locator("#rail[data-phase=result], #rail[data-phase=settled]")
        if decides:
            choice = screen.page.locator(f"#decision {decides}").first
            expect(choice.or_(over).first).to_be_attached()  # the deal may last longer than the film
            if choice.is_visible():
                film.moment(f"{game}-decision", choice.click, 6)
        if not over.count():
            film.moment(f"{game}-goes-on", lambda: expect(over.first).to_be_attached(), 3)
        film.moment(f"{game}-pays", lambda: screen.phase("settled"), 3)

    return scene


SCENES: Mapping[str, tuple[int | None, Callable[[Film, Screen, House, Table], None]]] = {
    "roulette": (None, _plays("straight_17", "red", "black", "dozen_middle")),
    "cussec": (None, _plays("big", "small", "odd", "even")),
    "baccarat": (1, _plays("player", "banker", decides=".decision__main", cards="4c 4d 4h 4s")),
    "blackjack": (3, _plays("main-3", decides=".choice--stand", cards="Ac 9d 6h Kc 8s Tc 5d")),
    "stud_poker": (2, _plays("ante-2", decides=".choice--raise")),
    "three_card_baccarat": (6, _plays("place-6", "odd", decides=".choice--ready", cards="3c 9d 7d Kc 6c Ts Jd")),
}
"""Of each game the seat that is taken, and what is played."""


MOVES: Literal["no-preference"] = "no-preference"

Shoots = Callable[[Page], Film]
"""Puts a camera on a page."""


def _squeeze(shoots: Shoots, people: People, house: House) -> None:
    """What a neighbour sees while a card is bent, let go and turned."""
    table = house.table(times=PACE, **SQUEEZED)
    ana, bea = (people.comes(name, screen=DESK, reduced_motion=MOVES).sits_down_at(table) for name in ("Ana", "Bea"))
    holds(ana, house, table)
    film = shoots(bea.page)

    def peels() -> None:
        pulls(ana, 0, 0, 0.47)
        ana.page.wait_for_timeout(600)
        pulls(ana, 0, 0, 1.6)
        ana.page.mouse.up()

    film.moment("squeeze", peels, 3)


def _countdown(shoots: Shoots, people: People, house: House) -> None:
    """The last seconds in which bets are taken, and the bell."""
    table = house.table(times={**PACE, "betting": 12_000})
    screen = people.comes("Ana", screen=DESK, reduced_motion=MOVES).sits_down_at(table)
    screen.betting()
    screen.stakes(100, "player")
    shoots(screen.page).moment("countdown", lambda: None, 13)


def _kiosk(shoots: Shoots, people: People, house: House) -> None:
    """The stage of a kiosk between two visitors, from the coin to a demonstration and on."""
    device = enrolled(people, house, house.kiosk(house.table(game="roulette")), KIOSK, ours=True)
    device.page.emulate_media(reduced_motion=MOVES)
    shoots(device.page).moment("kiosk", lambda: device.lives(20), 20)


MOMENTS: Mapping[str, Callable[[Shoots, People, House], None]] = {
    "squeeze": _squeeze, "countdown": _countdown, "kiosk": _kiosk,
}  # fmt: skip
"""What is no round of one bettor's."""


def main(folder: Path, names: list[str]) -> None:
    """Film these games and moments, or all."""
    folder.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=houses.WITHIN * 1000)
    with tempfile.TemporaryDirectory() as letters, houses.house() as house, sync_playwright() as playwright:
        chrome = playwright.chromium.launch(
            executable_path=find_browser(),
            args=["--no-sandbox"] if not os.geteuid() else [],
            env={**fonts.environment(Path(letters))},
        )
        sheets = chrome.new_page(viewport={"width": 1800, "height": 400})
        for name in names or (*SCENES, *MOMENTS):
            try:
                if name in MOMENTS:
                    people = People(Windows(chrome), house)
                    MOMENTS[name](lambda page: Film(page, folder, sheets), people, house)
                else:
                    _film(name, folder, house, chrome, sheets)
            except Exception as trouble:  # the others are filmed all the same
                print(f"{name}: {trouble}", flush=True)
        chrome.close()


def _film(game: str, folder: Path, house: House, chrome: Browser, sheets: Page) -> None:
    seat, scene = SCENES[game]
    people = People(Windows(chrome), house)
    table = house.table(game=game, times=PACE)
    screen = people.comes("Ana", screen=DESK, reduced_motion=MOVES).sits_down_at(table)
    if seat is not None:
        screen.sits(seat)
    cuts = screen.page.locator("[data-cut-now]")
    if game == "three_card_baccarat":
        expect(cuts.or_(screen.page.locator("#rail[data-betting='1']")).first).to_be_visible()
        if cuts.is_visible():
            cuts.click()
    scene(Film(screen.page, folder, sheets), screen, house, Table(table.id, table.slug, game))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
