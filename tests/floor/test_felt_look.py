"""The look: drawings that agree with their drawing, colours that can be told apart, icons that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from tables.felt.games import FELTS
from tables.games import GAMES
from tables.games.values.cards import RANKS, SUITS
from tables.games.values.money import DENOMINATIONS
from tables.management.commands import draw
from tables.templatetags.floor import icon

ROOT = Path(settings.BASE_DIR)
TOKENS = (ROOT / "static/css/tokens.css").read_text(encoding="utf-8")


def test_the_drawn_files_are_what_the_command_draws() -> None:
    for path, text in draw.drawings().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is stale: run manage.py draw"


def test_every_card_has_a_face_a_small_face_and_a_back() -> None:
    ids = set(re.findall(r'<symbol id="([^"]+)"', draw.cards_svg()))
    faces = {rank + suit for rank in RANKS for suit in SUITS}
    assert faces | {f"{face}-small" for face in faces} | {"back"} <= ids


def test_every_denomination_has_its_chip() -> None:
    ids = set(re.findall(r'<symbol id="([^"]+)"', draw.chips_svg()))
    assert {f"{kind}-{value}" for kind in ("chip", "disc") for value in DENOMINATIONS} <= ids


def test_every_face_of_a_die_has_its_pips() -> None:
    drawn = re.findall(r'<symbol id="die-(\d)".*?</symbol>', draw.dice_svg())
    assert drawn == list("123456")
    pips = [face.count("<circle") for face in draw.dice_svg().split("<symbol")[1:]]
    assert pips == [1, 2, 3, 4, 5, 6]


def test_every_icon_that_a_template_asks_for_is_drawn() -> None:
    asked = {
        name
        for path in (ROOT / "templates").rglob("*.html")
        for name in re.findall(r'{% icon "([^"]+)" %}', path.read_text(encoding="utf-8"))
    }
    for name in asked:
        (file,) = re.findall(r"svg/([a-z-]+)\.svg", icon(name))
        assert f'<symbol id="{name}"' in (ROOT / "static/svg" / f"{file}.svg").read_text(encoding="utf-8"), name


def test_no_template_or_stylesheet_needs_what_the_content_policy_forbids() -> None:
    for path in (ROOT / "templates").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=\"|javascript:|hx-on", text), path
        assert not re.search(r"<script(?![^>]*\ssrc=)", text), path
    for path in (ROOT / "static/css").rglob("*.css"):
        assert "url(" not in path.read_text(encoding="utf-8"), path


# ── Contrast, worked out from the tokens ────────────────────────────────────────────────────────────────────


def tokens(game: str = "") -> dict[str, str]:
    """The custom properties of the page, with those of a game laid over them."""
    blocks = [TOKENS.split("@media")[0]]
    own = re.search(rf'\[data-baize="{FELTS[game].baize}"\] {{([^}}]*)}}', blocks[0]) if game else None
    found = dict(re.findall(r"(--[\w-]+):\s*(#[0-9a-f]{6})", blocks[0].split("[data-suits")[0]))
    return found | dict(re.findall(r"(--[\w-]+):\s*(#[0-9a-f]{6})", own[1] if own else ""))


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("text", ["--ivory", "--ivory-dim", "--brass-bright", "--attention", "--win"])
def test_text_on_every_baize_has_a_contrast_of_four_and_a_half(game: str, text: str) -> None:
    colours = tokens(game)
    assert contrast(colours[text], colours["--baize"]) >= 4.5


@pytest.mark.parametrize("text", ["--ivory", "--ivory-dim", "--brass-bright"])
def test_text_can_be_read_when_the_lamps_are_turned_up_for_the_day(text: str) -> None:
    by_day = re.search(r"prefers-color-scheme: light\) {.*?--baize: (#[0-9a-f]{6})", TOKENS, re.DOTALL)
    assert by_day
    assert contrast(tokens()[text], by_day[1]) >= 4.5


@pytest.mark.parametrize("game", GAMES)
def test_lines_on_every_baize_have_a_contrast_of_three(game: str) -> None:
    colours = tokens(game)
    assert contrast(colours["--brass"], colours["--baize"]) >= 3


@pytest.mark.parametrize("hand", ["player", "banker", "tie"])
def test_what_is_printed_on_the_layout_can_be_read(hand: str) -> None:
    colours = tokens("baccarat")
    for text in (f"--{hand}-text", "--ivory", "--brass-bright"):
        assert contrast(colours[text], colours[f"--{hand}-felt"]) >= 4.5


@pytest.mark.parametrize("suit", ["s", "h", "d", "c"])
def test_suits_can_be_read_on_the_card(suit: str) -> None:
    colours = tokens()
    assert contrast(colours[f"--suit-{suit}"], colours["--card-paper"]) >= 4.5
