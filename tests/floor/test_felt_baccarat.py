"""The fragments of the felt: what they are made of, and what never stands in them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from tables.felt.notices import Notice, notice_fragment
from tables.felt.page import chips_for, table_page
from tables.felt.private import Viewer, private_fragments
from tables.felt.public import public_fragments
from tables.games.contract.actions import Cut
from tables.games.values.words import say
from tables.queries.table import SeatState, TableState
from tests.extent import first, spread
from tests.kit import Shoe, article, bet_on, close, opened, play, run

from .kit import fragments_in

ANA = Viewer("p1", "Ana", 9_500_00, 2)
MEI = Viewer("p8", "Mei", 9_800_00)
NOBODY = Viewer()
NAMES = {"p1": "Ana", "p2": "陳小明", "p8": "Mei"}
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
STAKES = ("p1 banker 500 box 2", "p1 banker_pair 50 box 2", "p2 player 1000 box 3", "p8 tie 100", "p8 player 200")


@pytest.fixture(autouse=True)
def english() -> Any:
    with translation.override("en"):
        yield


def state(round_: Any, *, options: Any = None, results: tuple[dict[str, Any], ...] = (), **changes: Any) -> TableState:
    """A table with Ana in seat 2 and 陳小明 in seat 3, at which this round is played."""
    options = options or round_.options
    seated = {2: SeatState(2, "p1", "Ana"), 3: SeatState(3, "p2", "陳小明", away=True)}
    about: dict[str, Any] = {
        "table_id": 1,
        "slug": "lotus",
        "name": "Lotus",
        "game": "baccarat",
        "open": True,
        "options": options,
        "table_version": 5,
        "round_id": None if round_ is None else 17,
        "round_number": 4,
        "round_version": 9,
        "round": round_,
        "due_at": NOW + timedelta(seconds=12),
        "wait_began_at": NOW - timedelta(seconds=6),
        "now": NOW,
        "seats": tuple(seated.get(number, SeatState(number)) for number in range(1, options.seats + 1)),
        "names": NAMES,
        "results": results,
        "shoe_number": 3,
        "commitment": "0" * 64,
    }
    return TableState(**about | changes)


def at_betting(**given: Any) -> Any:
    return bet_on(opened(seats={"p1": 2, "p2": 3}, **given), *STAKES)


def dealt(cards: str, **given: Any) -> Any:
    """Betting is closed, and these cards lie face down before their holders."""
    return run(close(at_betting(**given)), Shoe(cards))


def settled(**given: Any) -> Any:
    return play("4s 3c Ad Kh 7h 4d", *STAKES, seats={"p1": 2, "p2": 3}, **given)


ROUNDS: dict[str, Callable[[], Any]] = {
    "cut": lambda: opened(seats={"p1": 2, "p2": 3}, ceremony=True),
    "burn": lambda: opened(seats={"p1": 2, "p2": 3}, ceremony=True).apply(Cut("p1", position=100)),
    "betting": at_betting,
    "carried": lambda: opened("p1 banker 500", seats={"p1": 2}),
    "dealt": lambda: dealt("4s 3c Ad Kh"),
    "settled": settled,
    "tie": lambda: play("Ts 4c 6d 2h", *STAKES, seats={"p1": 2, "p2": 3}),
    "machine": lambda: settled(dealing_device="auto_machine"),
    "six": lambda: settled(lucky_six=True, commission_mode="no_commission_six_half"),
}
VIEWERS = {"seated": ANA, "standing": MEI, "watching": NOBODY}


def whole(at: TableState, who: Viewer) -> dict[str, str]:
    return public_fragments(at) | private_fragments(at, who)


@pytest.mark.parametrize("name", ROUNDS)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_fragment_is_one_element_whose_id_is_its_name(name: str, viewer: str) -> None:
    for fragment, html in whole(state(ROUNDS[name]()), VIEWERS[viewer]).items():
        assert list(fragments_in(html)) == [fragment], html[:200]
        opening = html[: html.index(">")]
        assert 'hx-swap-oob="true"' in opening, f"{fragment} would not be swapped"


@pytest.mark.parametrize("name", ROUNDS)
def test_no_fragment_needs_what_the_content_policy_forbids(name: str) -> None:
    for html in whole(state(ROUNDS[name]()), ANA).values():
        assert not re.search(r"<script|<style|\sstyle=|\son[a-z]+=|javascript:", html), html[:200]


class _Ids(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids.update(value for name, value in attrs if name == "id" and value)


def page(at: TableState, who: Viewer = ANA) -> str:
    request = RequestFactory().get("/tables/lotus/")
    request.user = AnonymousUser()
    return render_to_string("table/page.html", table_page(at, who), request=request)


def every_fragment_has_its_place(at: TableState, who: Viewer) -> None:
    """Expect one place for each on the page, in which stands, byte for byte, what would be pushed."""
    html = page(at, who)
    ids = _Ids(html).ids
    assert not [one for one, count in ids.items() if count > 1], "an id stands twice"
    for fragment, pushed in whole(at, who).items():
        assert list(fragments_in(pushed)) == [fragment], pushed[:200]
        assert 'hx-swap-oob="true"' in pushed[: pushed.index(">")], f"{fragment} would not be swapped"
        assert ids[fragment] == 1, f"the page has no place for {fragment}"
        assert pushed in html


@pytest.mark.parametrize(("name", "viewer"), spread(list(ROUNDS), list(VIEWERS)))
def test_the_page_has_one_place_for_every_fragment_and_puts_the_pushed_bytes_there(name: str, viewer: str) -> None:
    every_fragment_has_its_place(state(ROUNDS[name]()), VIEWERS[viewer])


def test_before_the_first_round_the_felt_has_the_same_places_and_takes_no_bets() -> None:
    first = at_betting()
    empty = state(None, options=first.options, due_at=None)
    assert set(whole(empty, ANA)) == set(whole(state(first), ANA))
    assert 'data-betting="0"' in public_fragments(empty)["rail"]


def test_the_rail_tells_the_round_its_end_and_whether_bets_are_taken() -> None:
    rail = public_fragments(state(at_betting()))["rail"]
    for part in (
        'data-round="17"',
        'data-phase="betting"',
        'data-betting="1"',
        f'data-ends-at="{int(NOW.timestamp() * 1000) + 12_000}"',
        'data-span="18000"',
        "Place your bets",
    ):
        assert part in rail
    assert 'data-betting="0"' in public_fragments(state(settled()))["rail"]


def test_other_options_make_a_page_draw_its_layout_anew() -> None:
    def drawn(round_: Any) -> str:
        found = re.search(r'data-drawn="(\w+)"', public_fragments(state(round_))["rail"])
        assert found
        return found[1]

    assert drawn(at_betting()) == drawn(settled())
    assert drawn(at_betting()) != drawn(at_betting(lucky_six=True))


WHAT_ROULETTE_DRAWS = """
import django
django.setup()
from tables.felt.public import _drawn
from tables.games.roulette import Options
print(_drawn(Options(), ("red", "black")))
"""


@pytest.mark.in_full
def test_every_process_names_a_layout_alike() -> None:
    """A line that comes back to another process, or to one begun anew, must not reload its page."""
    named = {
        subprocess.run(
            [sys.executable, "-c", WHAT_ROULETTE_DRAWS],
            env=os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONHASHSEED": seed},
            cwd=settings.BASE_DIR, capture_output=True, text=True, check=True,
        ).stdout
        for seed in first("1", "2", "3", of_them=2)
    }  # fmt: skip
    assert len(named) == 1


# ── Who sees what ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_hidden_card_that_is_swapped_changes_no_byte_for_whoever_may_not_see_it(viewer: str) -> None:
    """Ana holds the Banker's cards, 陳小明 the Player's: nobody here sees the Player's."""
    one, other = state(dealt("4s 3c Ad Kh")), state(dealt("9s 3c 9d Kh"))
    assert whole(one, VIEWERS[viewer]) == whole(other, VIEWERS[viewer])


def test_the_holder_sees_his_cards_in_private_and_nobody_else_does() -> None:
    at = state(dealt("4s 3c Ad Kh"))
    mine = private_fragments(at, ANA)["my-cards"]
    assert 'data-card="3c"' in mine
    assert 'data-card="Kh"' in mine
    elsewhere = "".join([*public_fragments(at).values(), *private_fragments(at, MEI).values()])
    assert "3c" not in elsewhere
    assert "Kh" not in elsewhere


@article("55/2004", "16(2)")
def test_only_the_one_who_may_turn_is_offered_it() -> None:
    at = state(dealt("4s 3c Ad Kh"))
    chen = Viewer("p2", "陳小明", 100, 3)
    assert '"do":"turn","hand":"player"' in private_fragments(at, chen)["decision"]
    waits = private_fragments(at, ANA)["decision"]
    assert '"do":"turn"' not in waits
    assert '"do":"waive","hand":"banker"' in waits
    assert "data-send" not in private_fragments(at, MEI)["decision"]


@article("55/2004", "2(1)")
def test_the_cut_is_offered_to_one_alone() -> None:
    at = state(ROUNDS["cut"]())
    assert 'data-cut-from="1" data-cut-to="415"' in private_fragments(at, ANA)["decision"]
    assert "data-cut-from" not in private_fragments(at, Viewer("p2", "陳小明", 100, 3))["decision"]
    assert "Ana is offered the cut" in public_fragments(at)["cards"]


def test_a_name_that_is_html_is_shown_as_it_was_typed() -> None:
    evil = "<img src=x onerror=alert(1)>"
    at = state(
        at_betting(), names=NAMES | {"p8": evil}, seats=(SeatState(1, "p1", evil), *[SeatState(n) for n in range(2, 8)])
    )
    text = "".join(whole(at, ANA).values())
    assert "<img" not in text
    assert "&lt;img" in text


# ── What is told ────────────────────────────────────────────────────────────────────────────────────────────


def test_stakes_are_shown_to_all_with_their_totals_and_to_the_bettor_as_his_own() -> None:
    at = state(at_betting())
    player = public_fragments(at)["all-player"]
    assert 'data-total="120000"' in player
    assert "1,200" in player
    assert 'data-box="3"' in player
    assert "1,000" in public_fragments(at)["seat-3"]
    assert "Mei" in public_fragments(at)["crowd"]
    assert 'data-total="50000"' in private_fragments(at, ANA)["own-banker"]
    assert 'data-total="0"' in private_fragments(at, MEI)["own-banker"]


def test_the_wallet_lists_the_bets_that_undo_and_repeat_need() -> None:
    wallet = private_fragments(state(at_betting()), ANA)["wallet"]
    assert 'data-balance="950000"' in wallet
    assert 'data-seat="2"' in wallet
    assert "&quot;bet&quot;:&quot;p1 banker&quot;" in wallet
    assert "&quot;may&quot;:true" in wallet


@article("55/2004", "12(3)(2)", "note 2", "B-A4")
def test_a_carried_stake_is_marked_and_offers_what_its_policy_allows() -> None:
    free = private_fragments(state(opened("p1 banker 500", seats={"p1": 2})), ANA)["my-stakes"]
    assert "carried" in free
    assert "Take back" in free
    assert '"do":"move","bet":"p1 banker","spot":"player"' in free
    kept = private_fragments(state(opened("p1 banker 500", seats={"p1": 2}, tie_policy="no_move")), ANA)["my-stakes"]
    assert "data-send" not in kept


def test_a_result_says_what_was_won_why_and_by_which_article() -> None:
    at = state(settled())
    result, mine = public_fragments(at)["result"], private_fragments(at, ANA)["my-result"]
    for words in ("Banker wins, 7 to 2", "The Banker draws on 3 against a 7", "art. 9(3)(2)"):
        assert words in result
    assert "Returned 975.00: stake 500.00 + winnings 500.00 − commission 25.00" in mine
    assert "art. 18(1)" in mine
    assert "You lose 50.00" in mine
    assert 'data-net="42500"' in mine


def test_the_announcer_reads_cards_totals_and_result() -> None:
    said = public_fragments(state(settled()))["announcer"]
    assert "Player: 4 of spades, ace of diamonds, 7 of hearts; points: 2." in said
    assert "Banker wins, 7 to 2." in said


def test_a_refusal_stands_with_its_spot_its_article_and_the_deed_it_answers() -> None:
    refused = notice_fragment(Notice("refused", "14", say("Too much"), "banker", "abcd1234"), "baccarat")
    for part in ('data-kind="refused"', 'data-about="banker"', 'data-ref="abcd1234"', "Too much", "art. 14"):
        assert part in refused
    accepted = notice_fragment(Notice("ok", "", say("Placed."), "banker", "abcd1234"), "baccarat")
    assert "notice--" not in accepted, "what went well is told to the ear alone"


# ── Roads and chips ─────────────────────────────────────────────────────────────────────────────────────────


def result(winner: str) -> dict[str, Any]:
    return {"winner": winner, "player": 1, "banker": 2, "player_pair": False, "banker_pair": winner == "tie"}


def test_every_result_in_a_road_has_its_letter() -> None:
    results = tuple(result(winner) for winner in ("player", "banker", "tie", "banker"))
    roads = public_fragments(state(at_betting(), results=results))["roads"]
    bead, big = roads.split('class="road road--big"')
    assert letters(bead) == {(10, 14): "P", (10, 34): "B", (10, 54): "T", (10, 74): "B"}
    assert letters(big) == {(10, 14): "P", (30, 14): "B", (30, 34): "B"}
    for road in (bead, big):  # and its dot
        dots = set(re.findall(r"M(\d+) (\d+)h0", "".join(re.findall(r'class="wins [^>]*', road))))
        assert dots == {(str(x), str(y - 4)) for x, y in letters(road)}
    assert "the newest last: Player, Banker, Tie, Banker." in roads
    assert 'class="ties" d="M23 17l14-14"' in big
    assert "pairs--banker" in bead and "pairs--player" not in bead


def test_the_derived_roads_are_drawn_in_shapes_and_told_in_words() -> None:
    results = tuple(result(winner) for winner in ("banker", "player", "player", "player", "banker", "tie"))
    roads = public_fragments(state(at_betting(), results=results))["roads"]
    told = unescape(re.sub(r"<[^>]*>", "|", roads))
    assert re.findall(r'aria-label="((?:Big eye boy|Small road|Cockroach pig)[^"]*)"', roads) == [
        "Big eye boy. The last marks, the newest last: blue, red, blue.", "Small road. ", "Cockroach pig. ",
    ]  # fmt: skip
    eye = roads.split("road--eye")[1].split("</svg>")[0]
    rings = {colour: path.count("a3 3 0 1 1 6 0") for colour, path in re.findall(r'repeats--(\w+)" d="([^"]*)"', eye)}
    assert rings == {"red": 1, "blue": 2}
    assert eye.count("h0") == 2, "a blue ring has a dot, for whoever sees no colours"
    assert "If the Player wins" in told and "If the Banker wins" in told
    for answer in ("Big eye boy: blue, Small road: red", "Big eye boy: red, Small road: blue"):
        assert f"{answer} and Cockroach pig: no mark yet" in told or f"{answer}, Cockroach pig: no mark yet" in told, (
            told
        )


def letters(road: str) -> dict[tuple[int, int], str]:
    """What is written in a road, and where."""
    found = re.findall(r'<text class="wins__letters [^"]*" x="([\d ]+)" y="([\d ]+)">(\w+)</text>', road)
    return {
        (int(x), int(y)): letter
        for across, down, written in found
        for x, y, letter in zip(across.split(), down.split(), written, strict=True)
    }


def test_a_long_shoe_keeps_the_newest_columns_of_its_road() -> None:
    results = tuple(result("player" if number % 2 else "banker") for number in range(90))
    roads = public_fragments(state(at_betting(), results=results))["roads"]
    big = roads.split('class="road road--big"')[1]
    assert len(letters(big)) == 40
    assert 'viewBox="0 0 800 120"' in big


def test_the_tray_holds_chips_between_minimum_and_maximum_and_readies_one_that_every_spot_takes() -> None:
    tray = chips_for(10_00, 20_000_00, 50_00)
    assert [chip.credits for chip in tray] == [10, 50, 100, 500, 1_000, 10_000]
    assert [chip.credits for chip in tray if chip.ready] == [50]
    assert [chip.short for chip in tray][-2:] == ["1K", "10K"]
