"""A fragment that is drawn once and filled in for each viewer is what its template would have drawn for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe

from tables.felt.notices import Notice
from tables.felt.shared.drawing import amount, chips
from tables.felt.shared.rendering import blank
from tables.games.values.words import say

LANGUAGES = [code for code, _ in settings.LANGUAGES]
HOSTILE = "<b>\"x\" & 'y' {{ me }}"

WALLET = ("me", "cents", "seat", "ready", "bets", "balance", "staked")
OWN = ("spot", "cents", "chips", "total")
WHY = say("The number is red")
BLANKS: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    ("wallet", WALLET, {"playing": True}),
    ("chat_mine", ("me",), {"muted": ()}),
    ("notice", ("ref",), {"notice": Notice("ok", "", say("Placed."), "red"), "game": "roulette"}),
    ("own", ("spot", "cents"), {"lies": False}),
    *(("own", OWN, {"lies": True, "kept": kept}) for kept in ("", "carried")),
    *(("own_colour", ("spot", "cents", "colour", "total"), {"kept": kept}) for kept in ("", "carried")),
    ("my_stakes", ("rows",), {"staked": True}),
    *(
        ("my_stake", ("bet", "title", "amount"), {"kept": "", "withdraw": may, "lower": not may, "moves": ()})
        for may in (True, False)
    ),
    *(
        (
            "my_result",
            ("rows", "returned", "net", "brought"),
            {"told": True, "settled": True, "end": end, "headline": ""},
        )
        for end in ("won", "lost", "even")
    ),
    ("my_result", ("rows",), {"told": True, "settled": False}),
    ("my_result_line", ("title", "words"), {"end": "won", "why": WHY, "article": "1(4)", "game": "roulette"}),
]


def texts_of(names: tuple[str, ...]) -> Mapping[str, str]:
    drawn: dict[str, SafeString] = {"chips": chips(123_00), "rows": mark_safe("<li>one</li>"), "total": amount(5)}
    return {name: drawn.get(name, f"{HOSTILE} {name}") for name in names}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("template", "names", "context"), BLANKS)
def test_what_is_filled_in_is_what_would_be_drawn(
    template: str, names: tuple[str, ...], context: dict[str, Any], language: str
) -> None:
    path, texts = f"table/_{template}.html", texts_of(names)
    with translation.override(language):
        assert blank(path, names, **context).fill(**texts) == render_to_string(path, {**context, **texts})


def test_what_one_viewer_is_told_stays_with_them() -> None:
    """A blank keeps nothing of whom it was filled in for."""
    with translation.override("en"):
        wallet = blank("table/_wallet.html", WALLET, playing=True)
        first = wallet.fill(**texts_of(WALLET))
        wallet.fill(**dict.fromkeys(WALLET, "another's"))
        assert wallet.fill(**texts_of(WALLET)) == first
