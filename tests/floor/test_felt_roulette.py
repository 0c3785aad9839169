"""The felt of Roulette: where each spot lies, whose chips are seen on it, and how throws and results are said."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from django.utils import translation

from tables.felt.formatting import short_credits
from tables.felt.games import FELTS
from tables.felt.games.roulette import felt as roulette_felt
from tables.felt.private import PrivatePart, Viewer, private_fragments
from tables.felt.public import public_fragments
from tables.games.contract.actions import Ready, Void
from tables.games.roulette.bets import Family
from tables.games.roulette.wheel import WHEEL, colour_of
from tables.queries.table import TableState
from tests import kit
from tests.extent import spread
from tests.kit import article, view_for
from tests.regulation.roulette_kit import NULL, fresh, late, opened, play, rolled, seal

from .test_felt_baccarat import ANA, MEI, NOBODY, every_fragment_has_its_place, page, whole
from .test_felt_baccarat import state as state_of
from .test_felt_blackjack import text_of

SEATS = {"p1": 2, "p2": 3}
VIEWERS = {"seated": ANA, "standing": MEI, "watching": NOBODY}
BETS = (
    "p1 straight_17 100", "p1 split_17_20 50", "p1 red 20", "p1 straight_0 10", "p2 corner_13 200",
    "p2 straight_17 300", "p8 sector9_1 40", "p8 dozen_small 30",
)  # fmt: skip
BEFORE = {"bets_close": "before_throw"}


@pytest.fixture(autouse=True)
def english() -> Any:
    with translation.override("en"):
        yield


def betting(**given: Any) -> Any:
    return kit.bet_on(opened(seats=SEATS, **given), *BETS)


def done(number: int, **given: Any) -> Any:
    return play(number, *BETS, seats=SEATS, **given)


ROUNDS: dict[str, Callable[[], Any]] = {
    "to be sealed": lambda: fresh(seats=SEATS),
    "betting": betting,
    "rolls": lambda: late(betting()),
    "bell": lambda: late(late(betting())),
    "closed before the throw": lambda: late(betting(**BEFORE)),
    "null, thrown again": lambda: seal(late(betting()).apply(NULL)),
    "null, reopened": lambda: seal(late(betting(null_spin_bets="reopen")).apply(NULL)),
    "settled": lambda: done(17),
    "zero": lambda: done(0),
    "left": lambda: done(17, auto_leave_winners=True),
    "after a null": lambda: rolled(seal(late(betting()).apply(NULL)), 17),
    "void": lambda: betting().apply(Void(remark="mixed")),
}

LAYOUTS: dict[str, Callable[[], Any]] = {
    **ROUNDS,
    "with zero": lambda: opened(seats=SEATS, zero_combinations="allowed", sector_definition="layout_blocks"),
    "no sectors": lambda: opened(seats=SEATS, sector_definition="off"),
    "splits and colours": lambda: opened(seats=SEATS, enabled_bets=["split", "red_black"]),
    "a stake left on what is sold no more": lambda: opened(
        "p1 sector12_1 5", seats=SEATS, sector_definition="layout_blocks", auto_leave_winners=True
    ),
}


def state(round_: Any, **changes: Any) -> TableState:
    return state_of(round_, **{"game": "roulette", **changes})


def private(name: str, who: Viewer) -> dict[str, str]:
    return private_fragments(state(ROUNDS[name]()), who)


def public(name: str, **changes: Any) -> dict[str, str]:
    return public_fragments(state(ROUNDS[name](), **changes))


# ── Fragments and page ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("name", "viewer"), spread(list(LAYOUTS), list(VIEWERS)))
def test_the_page_has_one_place_for_every_fragment_and_puts_the_pushed_bytes_there(name: str, viewer: str) -> None:
    every_fragment_has_its_place(state(LAYOUTS[name]()), VIEWERS[viewer])


@pytest.mark.parametrize("language", ["pt", "zh-hant"])
def test_the_felt_can_be_drawn_in_every_language(language: str) -> None:
    with translation.override(language):
        for name in ROUNDS:
            whole(state(ROUNDS[name](), results=({"number": 17}, {"number": 0})), ANA)


def test_before_the_first_round_the_felt_has_the_same_places() -> None:
    first = betting()
    empty = state(None, options=first.options, due_at=None)
    assert set(whole(empty, ANA)) == set(whole(state(first), ANA))
    assert "sealed" not in text_of(public_fragments(empty)["cards"])


@pytest.mark.parametrize(("given", "spots"), [({}, 158), ({"zero_combinations": "allowed"}, 164)])
def test_every_spot_has_a_button_and_an_entry_in_the_list_of_all_bets(given: dict[str, Any], spots: int) -> None:
    there = opened(seats=SEATS, **given)
    html = page(state(there))
    keys = re.findall(r'data-spot="(\w+)" data-common data-key="(\w+)"', html)
    names = {spot.name for spot in view_for(there, None).spots}
    assert len(keys) == spots and {(name, name) for name in names} == set(keys)
    families = re.findall(r'<button[^>]*data-family="(\w+)"', html)
    assert len(families) == spots and set(families) == set(re.findall(r'data-group="([^"]+)"', html))


def test_a_button_says_what_it_covers_pays_and_takes() -> None:
    html = page(state(opened(seats=SEATS, min_bet={"corner": 5_00}, max_bet={"corner": 80_000, "straight": 10_000})))
    (corner,) = re.findall(r'<button[^>]*data-key="corner_13"[^>]*>', html)
    for said in ('data-covers="13 14 16 17"', 'data-odds="8 to 1"', 'data-limits="5–800"', 'data-least="500"',
                 'aria-label="Corner 13, 14, 16, 17, 8 to 1"'):  # fmt: skip
        assert said in corner, corner
    (red,) = re.findall(r'<button[^>]*data-key="red"[^>]*>', html)
    assert 'data-limits="1+"' in red


def test_only_one_place_among_the_numbers_is_come_to_by_tab() -> None:
    html = page(state(opened(seats=SEATS)))
    among = re.findall(r'<button[^>]*class="[^"]* c\d+ r\d+"[^>]*tabindex="(-?\d)"', html)
    assert sorted(among) == ["-1"] * 138 + ["0"]


def test_fragments_of_a_viewer_change_only_with_their_key() -> None:
    """The hub draws nothing anew where the key is the same: two states with one key must look alike to a viewer."""
    seen: list[tuple[object, dict[str, str]]] = []
    for round_ in (ROUNDS[name]() for name in ROUNDS):
        for who in (ANA, Viewer("p2", "陳小明", 9_500_00, 3), MEI):
            fragments, key = private_fragments(state(round_), who), PrivatePart.of(state(round_), who)
            assert all(known == fragments for other, known in seen if other == key)
            seen.append((key, fragments))


# ── Where everything lies ───────────────────────────────────────────────────────────────────────────────────


def cells() -> dict[int, tuple[float, float, float, float]]:
    """The cell of each number by row and column: left, top, right, bottom, in half cells; zero lies before all."""
    found = {0: (0.0, 0.0, 6.0, 2.0)}
    for n in range(1, 37):
        row, column = (n + 2) // 3, (n - 1) % 3
        found[n] = (2.0 * column, 2.0 * row, 2.0 * column + 2, 2.0 * row + 2)
    return found


@pytest.mark.parametrize("given", [{}, {"zero_combinations": "allowed"}])
def test_a_bet_on_numbers_lies_where_its_numbers_touch(given: dict[str, Any]) -> None:
    """On a number, an edge, a corner; streets and lines at the edge of the layout beside their rows."""
    there = view_for(opened(**given), None)
    places: dict[tuple[int, int], str] = {}
    for spot in there.spots:
        place = roulette_felt.place_of(spot)
        if place is None:
            continue
        assert places.setdefault(place, spot.name) == spot.name, "two spots in one place"
        x, y = place
        touched = {n for n, (left, top, right, bottom) in cells().items() if left <= x <= right and top <= y <= bottom}
        if spot.family in (Family.STREET, Family.LINE) or spot.name == "corner_0":
            if x == 0:  # whole rows
                touched = {n for n in range(37) if any(n and m and (n + 2) // 3 == (m + 2) // 3 for m in touched)} | (
                    touched & {0}
                )
            assert touched == set(spot.covers), spot.name
        elif 0 in spot.covers and spot.family is Family.SPLIT:
            assert touched == set(spot.covers), spot.name
        else:
            assert touched - {0} == set(spot.covers) - {0} and (0 in touched) == (0 in spot.covers), spot.name
    assert len(places) == sum(spot.family in INSIDE for spot in there.spots)


INSIDE = (Family.STRAIGHT, Family.SPLIT, Family.STREET, Family.CORNER, Family.LINE)


@pytest.mark.parametrize("shape", ["lying", "upright"])
def test_the_racetrack_is_the_wheel_each_number_beside_its_neighbours(shape: str) -> None:
    ring = [getattr(pocket, shape) for pocket in roulette_felt._POCKETS]
    assert [pocket.number for pocket in roulette_felt._POCKETS] == list(WHEEL)
    assert len(set(ring)) == 37
    for place, (x, y) in enumerate(ring):
        nx, ny = ring[(place + 1) % 37]
        far = abs(nx - x) + abs(ny - y)
        assert far == 1 or (far == 2 and 0 in (place, (place + 1) % 37)), "zero takes two cells"
    turns = sum((x * ny - nx * y) for (x, y), (nx, ny) in zip(ring, [*ring[1:], ring[0]], strict=True))
    assert turns > 0, "clockwise, as y grows downwards"


@article("60/2004", "1(3)", "1(4)", "1(5)")
def test_the_wheel_is_drawn_with_its_pockets_clockwise_from_zero() -> None:
    html = page(state(opened()))
    drawn = re.findall(r'class="pocket pocket--(\w+)" transform="rotate\(([\d.]+)\)" data-pocket="(\d+)"', html)
    assert [(int(n), colour) for colour, _, n in drawn] == [(n, colour_of(n)) for n in WHEEL]
    angles = [float(angle) for _, angle, _ in drawn]
    assert all(abs(after - before - 360 / 37) < 0.01 for before, after in pairwise(angles))


# ── Chips ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_everybodys_chips_are_a_total_and_the_colours_of_the_biggest() -> None:
    there = public("betting")["all-straight_17"]
    assert 'data-total="40000" data-bettors="2"' in there
    assert len(re.findall(r'<i class="k\d+">', there)) == 2
    assert "400" in text_of(there)


@article("60/2004", "colour")
def test_ones_own_stake_is_exact_and_in_ones_own_colour() -> None:
    mine = private("betting", ANA)
    assert 'data-total="10000"' in mine["own-straight_17"] and "Your stake 100" in text_of(mine["own-straight_17"])
    colours = {re.search(r"disc (k\d+)", mine[f"own-{key}"])[1] for key in ("straight_17", "split_17_20", "red")}  # type: ignore[index]
    assert len(colours) == 1
    assert colours.pop() in public("betting")["all-red"]
    assert "disc" not in mine["own-straight_1"]


def test_a_thousand_bettors_make_no_fragment_longer() -> None:
    """What everybody is sent of a spot names nobody; one more bet changes one spot, and the sums."""
    crowd = kit.bet_on(opened(), *(f"p{who} straight_17 10 as b{who}" for who in range(100, 1_100)))
    there = public_fragments(state(crowd))
    assert len(there["all-straight_17"]) < 400
    assert len(re.findall(r'<i class="k\d+">', there["all-straight_17"])) == 4
    assert 'data-total="1000000" data-bettors="1000"' in there["all-straight_17"]
    assert "10K" in text_of(there["all-straight_17"])
    after = public_fragments(state(kit.bet_on(crowd, "p100 red 10")))
    assert {name for name in there if there[name] != after[name]} <= {"all-red", "crowd", "rail"}
    assert len(there["crowd"]) < 3_000


@pytest.mark.parametrize(
    ("credits", "language", "text"),
    [(9_999, "en", "9,999"), (12_340, "en", "12.3K"), (12_000, "en", "12K"), (250_900, "en", "250K"),
     (12_340, "pt", "12,3K"), (12_340, "zh-hant", "1.2萬")],
)  # fmt: skip
def test_totals_are_short_where_there_is_little_room(credits: int, language: str, text: str) -> None:
    with translation.override(language):
        assert short_credits(credits * 100) == text


# ── Throw and number ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "words", "open_"),
    [
        ("to be sealed", "The number is sealed", False),
        ("betting", "Place your bets", True),
        ("rolls", "The ball is thrown", True),
        ("bell", "No more bets", False),
        ("closed before the throw", "The ball is thrown", False),
        ("null, thrown again", "The ball is thrown", True),
        ("null, reopened", "Place your bets", True),
        ("settled", "Result", False),
        ("void", "The round is void", False),
    ],
)
def test_the_rail_says_the_phase_and_whether_bets_are_taken(name: str, words: str, open_: bool) -> None:
    rail = public(name)["rail"]
    assert words in text_of(rail)
    assert f'data-betting="{int(open_)}"' in rail
    assert ("Bets until the bell" in text_of(rail)) == (open_ and words == "The ball is thrown")


def wheel(name: str) -> tuple[str, str]:
    """Whether the ball rolls, and the number that it rests on."""
    found = re.search(r'data-rolls="(\d)" data-number="(\d*)"', public(name)["cards"])
    assert found
    return found[1], found[2]


def test_the_ball_rolls_from_the_throw_and_rests_once_the_number_is_there() -> None:
    seen = {name: wheel(name) for name in ROUNDS}
    assert {name for name, (rolls, _) in seen.items() if rolls == "1"} == {"rolls", "bell"}
    rests = {"settled": "17", "zero": "0", "left": "17", "after a null": "17"}
    assert {name: number for name, (_, number) in seen.items() if number} == rests


@article("60/2004", "2(1)")
def test_the_plate_turns_the_other_way_with_each_throw_unless_the_house_says() -> None:
    def turns(round_: Any, number: int) -> str:
        cards = public_fragments(state(round_, round_number=number))["cards"]
        return re.search(r'data-turns="(-?1)"', cards)[1]  # type: ignore[index]

    assert turns(opened(), 4) != turns(opened(), 5)
    assert turns(late(opened()), 4) != turns(seal(late(opened()).apply(NULL)), 4)
    for direction, way in (("left_to_right", "-1"), ("right_to_left", "1")):
        assert {turns(opened(throw_direction=direction), number) for number in (4, 5)} == {way}


def test_before_the_throw_the_ball_lies_where_it_fell_last() -> None:
    assert 'data-last="26"' in public("betting", results=({"number": 3}, {"number": 26}))["cards"]
    assert 'data-last="0"' in public("betting", results=({"number": 0},))["cards"]
    assert 'data-last=""' in public("betting")["cards"]


@article("60/2004", "R-A9", "R-A10", "R-A14")
@pytest.mark.parametrize(
    ("name", "told", "article"),
    [
        ("betting", "The number was sealed before bets opened; check it afterwards", "house rule"),
        ("rolls", "Bets are taken until the bell", "ruling R-A10"),
        ("bell", "No more bets", "ruling R-A10"),
        ("closed before the throw", "No more bets: the ball is thrown now", "ruling R-A10"),
        ("null, thrown again", "Null spin: something fell onto the plate", "ruling R-A14"),
        ("null, thrown again", "The bets stand, and the ball is thrown again", "ruling R-A9"),
        ("null, reopened", "Betting is open again", "ruling R-A9"),
    ],
)
def test_what_the_dealer_does_is_told_beside_the_wheel_and_to_who_does_not_see_it(
    name: str, told: str, article: str
) -> None:
    fragments = public(name)
    assert f"{told} {article}" in text_of(fragments["cards"])
    assert told in text_of(fragments["announcer"])


@pytest.mark.parametrize(
    ("number", "beside", "why"),
    [
        (17, "17 Black odd · low", ("The number is black art. 1(4)", "The number is odd art. 7(8)", "low ruling R-A4")),
        (36, "36 Red even · high", ("The number is red art. 1(4)", "The number is even", "high ruling R-A4")),
        (0, "0 Green", ("Zero is neither red nor black art. 1(5)", "Only stakes on zero win art. 8")),
    ],
)
def test_the_number_is_announced_with_its_colour_and_halves(number: int, beside: str, why: tuple[str, ...]) -> None:
    fragments = public_fragments(state(done(number)))
    assert text_of(fragments["cards"]).strip().startswith(beside)
    for words in why:
        assert words in text_of(fragments["result"])
    said = text_of(fragments["announcer"])
    assert f"{number} {beside.split()[1].lower()}." in said
    assert "Result." in said


def test_a_null_spin_before_the_number_is_remembered_in_the_result_and_a_void_says_so() -> None:
    result = text_of(public("after a null")["result"])
    assert "Null spin: something fell onto the plate ruling R-A14" in result and "Number 17" in result
    assert "The round is void: its stakes are returned house rule" in text_of(public("void")["result"])
    assert "data-net" in private("void", ANA)["my-result"]


def test_the_winning_spots_are_marked_and_the_others_are_left_alone() -> None:
    """A spot that loses is sent to nobody anew: the page clears it by the phase."""
    before, after = public("bell"), public("settled")
    changed = {name for name in after if name.startswith("all-") and before.get(name) != after[name]}
    won = {f"all-{spot.key}" for spot in view_for(done(17), None).spots if spot.end == "won"}
    assert changed == won and {"all-straight_17", "all-corner_13", "all-sector12_1", "all-odd"} <= won
    assert all("is-won" in after[name] for name in won)


# ── What became of the stakes ───────────────────────────────────────────────────────────────────────────────

EXPLAINED = {
    "straight_17": ("Straight 17", "360.00", "350.00", "7(1)"),
    "split_17_20": ("Split 17, 20", "180.00", "170.00", "7(2)"),
    "street_16": ("Street 16 to 18", "120.00", "110.00", "7(3)"),
    "corner_13": ("Corner 13, 14, 16, 17", "90.00", "80.00", "7(4)"),
    "line_13": ("Line 13 to 18", "60.00", "50.00", "7(5)"),
    "sector9_1": ("Sector of nine, number 1", "40.00", "30.00", "7(6)"),
    "sector12_1": ("Sector of twelve, number 1", "30.00", "20.00", "7(7)"),
    "column_2": ("Column 2", "30.00", "20.00", "7(7)"),
    "dozen_middle": ("Middle, 13 to 24", "30.00", "20.00", "7(7)"),
    "low": ("Low, 1 to 18", "20.00", "10.00", "7(8)"),
    "odd": ("Odd", "20.00", "10.00", "7(8)"),
    "black": ("Black", "20.00", "10.00", "7(8)"),
}


@article("60/2004", "7", "8")
@pytest.mark.parametrize("spot", EXPLAINED)
def test_each_result_is_explained_with_its_article(spot: str) -> None:
    title, returned, prize, article = EXPLAINED[spot]
    won = text_of(private_fragments(state(play(17, f"p1 {spot} 10")), ANA)["my-result"])
    assert (
        f"{title} Returned {returned}: stake 10.00 + winnings {prize}. 17 comes up: the stake wins art. {article}"
        in won
    )
    lost = text_of(private_fragments(state(play(36, f"p1 {spot} 10")), ANA)["my-result"])
    assert f"{title} You lose 10.00. 36 comes up: the stake loses art. {article}" in lost
    zero = text_of(private_fragments(state(play(0, f"p1 {spot} 10")), ANA)["my-result"])
    assert f"{title} You lose 10.00. Zero comes up: the stake loses art. 8" in zero


def test_what_has_won_is_told_first_and_the_sum_of_it_all_before() -> None:
    mine = text_of(private("zero", ANA)["my-result"])
    assert mine.startswith("35 to 1 +350.00") and mine.index("You win") < mine.index("Straight 0")
    assert mine.index("Straight 0 Returned 360.00") < mine.index("Straight 17 You lose")
    assert "Zero comes up: the stake wins art. 8" in mine


def test_a_winning_stake_that_stays_says_so_and_lies_there_in_the_next_round() -> None:
    assert "the prize is paid, the stake stays on its spot ruling R-A12" in text_of(private("left", ANA)["my-result"])
    there = opened("p1 straight_17 100", seats=SEATS, auto_leave_winners=True)
    assert "carried" in text_of(private_fragments(state(there), ANA)["own-straight_17"])


def test_who_is_ready_has_it_at_his_seat() -> None:
    assert "ready" in text_of(public_fragments(state(betting().apply(Ready("p1"))))["seat-2"])


# ── The last numbers, the options ───────────────────────────────────────────────────────────────────────────


def test_the_hot_have_come_most_often_and_the_cold_least_over_the_last_hundred() -> None:
    came = [17] * 5 + [3] * 4 + [8] * 4 + [n for n in range(37) if n not in (0, 26)]
    hot, cold = roulette_felt.hot_and_cold(came)
    assert hot[:3] == [(17, 6), (8, 5), (3, 5)], "of equals the newest is hotter"
    assert {(0, 0), (26, 0)} <= set(cold) and cold[0][1] == 0
    assert roulette_felt.hot_and_cold([]) == ([], [])
    results = ({"number": 5},) * 20 + tuple({"number": n % 37} for n in range(100))
    told = text_of(public("betting", results=results)["roads"])
    assert "over the last 100 numbers" in told and "5 red 3 times" in told, "what came before does not count"


def test_the_last_numbers_are_listed_the_newest_first_and_told_in_the_lobby() -> None:
    results: Any = ({"number": 0}, {"void": True}, {"number": 17}, {"number": 32})
    roads = public("betting", results=results)["roads"]
    assert re.findall(r'<li class="came came--(\w+)"><b>(\d+)</b>', roads) == [
        ("red", "32"),
        ("black", "17"),
        ("green", "0"),
    ]
    assert "No results yet" in text_of(public("betting")["roads"])
    drawn = FELTS["roulette"].road(results)
    assert "The last numbers, the newest last: 0 green, 17 black, 32 red." in drawn
    assert FELTS["roulette"].result_words({"number": 17}) == "17 black"
    assert FELTS["roulette"].result_words({"void": True}) == "Void"


def test_the_options_are_told_in_words() -> None:
    options = opened(sector_definition="layout_blocks", zero_combinations="allowed", **BEFORE).options
    assert FELTS["roulette"].facts(options) == [
        "Bets close before the throw",
        "Sectors of the layout",
        "Zero combinations",
    ]
    assert FELTS["roulette"].facts(opened().options) == ["Bets until the bell", "Sectors of the wheel"]
    assert FELTS["roulette"].facts(opened(enabled_bets=["red_black"]).options) == ["Bets until the bell"]
    told = {says: (chosen, article) for says, chosen, article in roulette_felt.house_rules(opened().options)}
    assert told["Betting closes"] == ("at the bell, while the ball rolls", "R-A10")
    assert told["Seconds from the throw to the bell"] == ("8", "R-A1")
    assert told["On a null spin"] == ("the bets stand", "R-A9")
    assert "Seconds from the throw to the bell" not in {says for says, _, _ in roulette_felt.house_rules(options)}


def test_the_commitment_is_there_while_people_bet_and_is_opened_after_the_bell() -> None:
    open_, after = public("betting")["cards"], public("settled")["cards"]
    assert 'href="/rounds/17/throws/"' in open_ and "Sealed" in text_of(open_)
    assert "Opened" not in text_of(open_) and "Opened" in text_of(after)
    assert "salt" not in open_ and "salt" not in after, "the page of the throw has what opens it"


def test_the_page_shows_a_wheel_and_no_cards() -> None:
    html = page(state(betting()))
    assert 'aria-label="Wheel"' in html
    assert 'class="card' not in html
