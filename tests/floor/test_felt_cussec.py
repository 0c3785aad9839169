"""The felt of Cussec: which spots are printed where, what covers and what shows the dice, and how results are said."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.utils import translation

from tables.felt import story
from tables.felt.formatting import text_of as words_of
from tables.felt.games import FELTS
from tables.felt.games.cussec import felt as cussec_felt
from tables.felt.private import PrivatePart, Viewer, private_fragments
from tables.felt.public import public_fragments
from tables.games.contract.actions import CloseBets, NullThrow, PlaceBet, Ready, Seal, Settle, Unseal, Void
from tables.games.cussec import Spoilt
from tables.queries.folds import LogEntry
from tables.queries.table import TableState
from tests.extent import spread
from tests.kit import article, view_for
from tests.regulation.cussec_kit import betting as open_
from tests.regulation.cussec_kit import finish, opened, play, rung, seal

from .test_felt_baccarat import ANA, MEI, NAMES, NOBODY, NOW, every_fragment_has_its_place, page, whole
from .test_felt_baccarat import state as state_of
from .test_felt_blackjack import text_of

SEATS = {"p1": 2, "p2": 3}
VIEWERS = {"seated": ANA, "standing": MEI, "watching": NOBODY}
BETS = (
    "p1 big 100", "p1 total_9 20", "p1 double_3 10", "p1 four_2356 10", "p2 small 300", "p2 total_9 80",
    "p8 pair_1_6 40", "p8 single_3 30", "p8 any_triple 10",
)  # fmt: skip
AFTER = {"shake_timing": "after_betting"}
RESHAKE = {"cocked_dice": "reshake_bets_stand"}
COCKED = NullThrow(reason=Spoilt.COCKED)


@pytest.fixture(autouse=True)
def english() -> Any:
    with translation.override("en"):
        yield


def betting(**given: Any) -> Any:
    return open_(*BETS, seats=SEATS, **given)


def bell(**given: Any) -> Any:
    return rung(*BETS, seats=SEATS, **given)


def done(shown: str, **given: Any) -> Any:
    return play(shown, *BETS, seats=SEATS, **given)


ROUNDS: dict[str, Callable[[], Any]] = {
    "shake": lambda: opened(seats=SEATS),
    "betting": betting,
    "betting before the shake": lambda: betting(**AFTER),
    "bell": bell,
    "pressed too seldom": lambda: seal(betting().apply(NullThrow(reason=Spoilt.PRESSES))),
    "cocked": lambda: bell().apply(COCKED),
    "cocked, void": lambda: finish(bell().apply(COCKED), "3 3 3"),
    "cocked, shaken again": lambda: bell(**RESHAKE).apply(COCKED),
    "seen": lambda: betting().apply(NullThrow(reason=Spoilt.SEEN)),
    "after cocked dice": lambda: finish(seal(bell(**RESHAKE).apply(COCKED)), "6 2 3"),
    "settled": lambda: done("6 2 3"),
    "triple": lambda: done("3 3 3"),
    "left": lambda: done("6 2 3", auto_leave_winners=True),
    "void": lambda: betting().apply(Void(remark="power")),
}

LAYOUTS: dict[str, Callable[[], Any]] = {
    **ROUNDS,
    "small layout": lambda: opened(seats=SEATS, odd_even_enabled=False, four_numbers_enabled=False),
    "a stake left on what is sold no more": lambda: opened(
        "p1 four_1234 5", seats=SEATS, four_numbers_enabled=False, auto_leave_winners=True
    ),
}


def state(round_: Any, **changes: Any) -> TableState:
    return state_of(round_, **{"game": "cussec", **changes})


def private(name: str, who: Viewer) -> dict[str, str]:
    return private_fragments(state(ROUNDS[name]()), who)


def public(name: str, **changes: Any) -> dict[str, str]:
    return public_fragments(state(ROUNDS[name](), **changes))


# ── Fragments and page ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("name", "viewer"), spread(list(LAYOUTS), list(VIEWERS)))
def test_the_page_has_one_place_for_every_fragment_and_puts_the_pushed_bytes_there(name: str, viewer: str) -> None:
    every_fragment_has_its_place(state(LAYOUTS[name]()), VIEWERS[viewer])


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_the_felt_never_says_the_words_of_which_the_sources_contradict_each_other(language: str) -> None:
    results: Any = ({"dice": [1, 1, 1], "total": 3, "triple": True}, {"dice": [2, 5, 6], "total": 13, "triple": False})
    with translation.override(language):
        for name in ROUNDS:
            html = page(state(ROUNDS[name](), results=results))
            assert "長牌" not in html and "短牌" not in html


def test_before_the_first_round_the_felt_has_the_same_places() -> None:
    first = betting()
    empty = state(None, options=first.options, due_at=None, commitment="")
    assert set(whole(empty, ANA)) == set(whole(state(first), ANA))
    assert "sealed" not in text_of(public_fragments(empty)["cards"]).lower()


@article("57/2004", "CS-3", "C-A8")
@pytest.mark.parametrize(
    ("given", "spots"),
    [({}, 56), ({"four_numbers_enabled": False}, 52), ({"odd_even_enabled": False, "four_numbers_enabled": False}, 50)],
)
def test_every_spot_has_one_button_and_one_entry_in_the_list_of_all_bets(given: dict[str, Any], spots: int) -> None:
    there = opened(seats=SEATS, **given)
    html = page(state(there))
    keys = re.findall(r'data-spot="(\w+)" data-common data-key="(\w+)"', html)
    names = {spot.name for spot in view_for(there, None).spots}
    assert len(keys) == spots and {(name, name) for name in names} == set(keys)
    kinds = re.findall(r'<button[^>]*data-sweep="(\w+)"', html)
    assert len(kinds) == spots and set(kinds) == set(re.findall(r'data-group="([^"]+)"', html))


@pytest.mark.parametrize(
    ("spot", "said"),
    [
        ("total_5", ('aria-label="Total 5, 18 to 1"', 'data-limits="5–500"', 'data-covers="5"')),
        ("pair_3_5", ('aria-label="Two dice 3 and 5, 5 to 1"', 'data-covers="3 5"')),
        ("single_4", ('aria-label="Single number 4, 1 to 1 / 2 to 1 / 3 to 1"', 'aria-keyshortcuts="4"')),
        ("big", ('aria-label="Big, 1 to 1"', 'data-limits="1+"', 'aria-keyshortcuts="B"')),
        ("triple_6", ('aria-label="Triple 6, 150 to 1"', 'data-covers="6 6 6"', 'data-least="100"')),
    ],
)
def test_a_button_says_what_it_is_pays_and_takes(spot: str, said: tuple[str, ...]) -> None:
    html = page(state(opened(seats=SEATS, min_bet={"total": 5_00}, max_bet={"total": 500_00})))
    (button,) = re.findall(rf'<button[^>]*data-key="{spot}"[^>]*>', html)
    for each in said:
        assert each in button, button


def test_every_spot_is_drawn_with_the_dice_that_it_names() -> None:
    html = page(state(opened(seats=SEATS)))
    for name, faces in {
        "triple_4": "444",
        "double_1": "11",
        "pair_2_6": "26",
        "single_5": "5",
        "four_2356": "2356",
    }.items():
        (button,) = re.findall(rf'<button[^>]*data-key="{name}".*?</button>', html, re.DOTALL)
        assert "".join(re.findall(r"#die-(\d)", button)) == faces


def test_tab_comes_to_each_field_once_and_every_key_means_one_thing() -> None:
    html = page(state(opened(seats=SEATS)))
    fields = re.findall(r'<div class="field field--([\w-]+)".*?</div>\s*</div>', html, re.DOTALL)
    assert fields == list(cussec_felt.ORDER)
    assert len(re.findall(r'class="spot [^>]*tabindex="0"', html)) == len(fields)
    keys = re.findall(r'class="(?:spot|deed|finder__open)[^>]*aria-keyshortcuts="(\w+)"', html)
    assert len(keys) == len(set(keys)) and {*"BSOEA123456F"} <= set(keys)


def test_fragments_of_a_viewer_change_only_with_their_key() -> None:
    """The hub draws nothing anew where the key is the same: two states with one key must look alike to a viewer."""
    seen: list[tuple[object, dict[str, str]]] = []
    for round_ in (ROUNDS[name]() for name in ROUNDS):
        for who in (ANA, Viewer("p2", "陳小明", 9_500_00, 3), MEI):
            fragments, key = private_fragments(state(round_), who), PrivatePart.of(state(round_), who)
            assert all(known == fragments for other, known in seen if other == key)
            seen.append((key, fragments))


# ── Chips ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_others_chips_are_a_total_a_spot_and_ones_own_are_exact() -> None:
    there = state(open_("p1 big 12345", "p2 big 1", seats=SEATS))
    everybodys = public_fragments(there)["all-big"]
    assert 'data-total="1234600"' in everybodys and 'data-bettors="2"' in everybodys
    assert "12.3K" in everybodys and "Ana" not in everybodys
    assert "12,345" in text_of(private_fragments(there, ANA)["own-big"])
    assert 'data-total="0"' in private_fragments(there, MEI)["own-big"]


@article("57/2004", "CS-3")
def test_the_winning_spots_are_lit_and_the_others_are_left_alone() -> None:
    """A spot that loses is sent to nobody anew: the page clears it by the phase."""
    before, after = public("bell"), public("settled")
    changed = {name.removeprefix("all-") for name in after if name.startswith("all-") and before[name] != after[name]}
    assert changed == {
        "big", "odd", "total_11", "pair_2_3", "pair_2_6", "pair_3_6", "single_2", "single_3", "single_6", "four_2356",
    }  # fmt: skip
    assert all("is-won" in after[f"all-{name}"] and "wins" in after[f"all-{name}"] for name in changed)


# ── The shaker and the dice ─────────────────────────────────────────────────────────────────────────────────


@article("57/2004", "CS-2")
@pytest.mark.parametrize(
    "name", ["shake", "betting", "betting before the shake", "bell", "cocked", "seen", "cocked, void", "void"]
)
def test_no_die_is_shown_before_the_cover_is_lifted_or_where_nothing_can_be_read(name: str) -> None:
    fragments = public(name)
    assert "die-" not in fragments["cards"] and "is-open" not in fragments["cards"]


@article("57/2004", "CS-6")
def test_the_dice_lie_as_they_were_thrown_beside_their_total() -> None:
    cards = public("settled")["cards"]
    assert re.findall(r"#die-(\d)", cards) == ["6", "2", "3"]
    assert "is-open" in cards
    assert text_of(cards).startswith("11 Big · odd")
    assert text_of(public("triple")["cards"]).startswith("9 Triple")


@article("57/2004", "CS-4", "CS-5", "CS-7", "seen")
@pytest.mark.parametrize(
    ("name", "told", "article"),
    [
        ("shake", "The cover is locked, and the lever is pressed 3 times", "ruling CS-4"),
        ("betting", "The dice are shaken, and lie covered", "ruling CS-4"),
        ("betting before the shake", "The dice are shaken after the bell", "ruling C-A9"),
        ("bell", "The bell has rung: the cover is lifted", "ruling CS-5"),
        (
            "pressed too seldom",
            "The lever was not pressed as often as it must be: the dice are shaken again",
            "house rule",
        ),
        ("pressed too seldom", "Bets may be changed", "house rule"),
        ("cocked", "A die is cocked: the throw does not count", "ruling CS-7"),
        ("cocked, shaken again", "The bets stand, and the dice are shaken again", "ruling C-A10"),
        ("seen", "The dice were seen before the bell: the round is void", "house rule"),
    ],
)
def test_what_the_dealer_does_is_told_beside_the_shaker_and_to_who_does_not_see_it(
    name: str, told: str, article: str
) -> None:
    fragments = public(name)
    assert f"{told} {article}" in text_of(fragments["cards"])
    assert told in text_of(fragments["announcer"])


def test_the_shaker_jumps_once_for_each_throw() -> None:
    def jumps(name: str) -> tuple[str, str]:
        found = re.search(r'data-throw="([\d.]+)" data-shakes="(\d)"', public(name)["cards"])
        assert found
        return found[1], found[2]

    assert jumps("shake") == jumps("betting") == ("17.1", "1"), "a page that missed the shake can still tell of it"
    assert jumps("betting before the shake") == ("17.1", "0")
    assert jumps("cocked, shaken again") == ("17.2", "1")


def test_the_commitment_is_there_while_people_bet_and_is_opened_with_the_cover() -> None:
    covered, uncovered = public("betting")["cards"], public("settled")["cards"]
    assert 'href="/rounds/17/throws/"' in covered and "Sealed sealed 1" in text_of(covered)
    assert "Opened sealed 1" in text_of(uncovered)
    assert "seal" not in public("betting before the shake")["cards"], "nothing has been thrown yet"


@pytest.mark.parametrize(
    ("shown", "headline", "why", "said"),
    [
        ("6 2 3", "2, 3, 6, total 11", "Lit: Big, Odd, Total 11, Two dice 2 and 3", "Big, odd."),
        ("3 3 3", "Triple 3, total 9", "Any triple beats big, small, odd and even ruling CS-9", "Triple."),
    ],
)
def test_the_result_is_announced_with_what_is_lit(shown: str, headline: str, why: str, said: str) -> None:
    fragments = public_fragments(state(done(shown)))
    assert headline in text_of(fragments["result"]) and why in text_of(fragments["result"])
    announced = text_of(fragments["announcer"]).lower()
    assert f"{headline}.".lower() in announced and said.lower() in announced


def test_cocked_dice_are_remembered_in_the_result_and_a_void_round_says_why() -> None:
    again = text_of(public("after cocked dice")["result"])
    assert "A die is cocked: the throw does not count ruling CS-7" in again and "total 11" in again
    void = text_of(public("cocked, void")["result"])
    assert "A die is cocked" in void and "The round is void: its stakes are returned house rule" in void
    mine = text_of(private("cocked, void", ANA)["my-result"])
    assert "100.00 is returned. Cocked dice decide nothing: the stake is returned ruling C-A10" in mine
    assert "Shaken again" in text_of(public("cocked, shaken again")["rail"])
    rail = text_of(public("after cocked dice")["rail"])
    assert "Total 11" in rail and "Shaken again" not in rail


# ── What became of the stakes ───────────────────────────────────────────────────────────────────────────────


WON = "Returned {}: stake 10.00 + winnings {}."
LOST = "You lose 10.00."

EXPLAINED = (
    ("6 2 3", "big", WON.format("20.00", "10.00"), "2, 3, 6, total 11: the stake wins 1 to 1", "CS-8"),
    ("6 2 3", "even", LOST, "2, 3, 6, total 11: the stake loses", "CS-8"),
    ("3 3 3", "odd", LOST, "Triple 3, total 9: any triple beats this bet", "CS-9"),
    ("3 3 3", "total_9", WON.format("70.00", "60.00"), "the total wins on a triple too, 6 to 1", "C-A2"),
    ("3 3 3", "double_3", WON.format("90.00", "80.00"), "the double wins once, 8 to 1", "C-A3"),
    ("3 3 3", "single_3", WON.format("40.00", "30.00"), "three dice show the number, 3 to 1", "C-A4"),
    ("3 3 3", "triple_3", WON.format("1,510.00", "1,500.00"), "the stake wins 150 to 1", "CS-10"),
    ("3 3 3", "any_triple", WON.format("250.00", "240.00"), "the stake wins 24 to 1", "CS-10"),
    ("5 3 3", "pair_3_5", WON.format("60.00", "50.00"), "both numbers show, 5 to 1 once", "C-A5"),
    ("6 2 3", "four_2356", WON.format("80.00", "70.00"), "three of the four numbers, 7 to 1", "C-A7"),
    ("2 2 3", "four_1234", LOST, "the numbers are not three different ones", "C-A7"),
)


@article("57/2004", "CS-8")
@pytest.mark.parametrize(("shown", "spot", "amounts", "why", "article"), EXPLAINED)
def test_each_result_is_explained_with_its_article(shown: str, spot: str, amounts: str, why: str, article: str) -> None:
    mine = text_of(private_fragments(state(play(shown, f"p1 {spot} 10")), ANA)["my-result"])
    assert f" {amounts} " in mine
    assert f"{why} ruling {article}" in mine


def test_several_stakes_on_a_spot_are_told_as_one_and_what_has_won_comes_first() -> None:
    there = play("6 2 3", "p1 small 10", "p1 big 10", "p1 big 30 as more")
    mine = text_of(private_fragments(state(there), ANA)["my-result"])
    assert mine.index("Big Returned 80.00: stake 40.00 + winnings 40.00") < mine.index("Small You lose 10.00")
    assert mine.count("Big Returned") == 1


def test_a_winning_stake_that_stays_says_so_and_lies_there_in_the_next_round() -> None:
    assert "the prize is paid, the stake stays on its spot house rule" in text_of(private("left", ANA)["my-result"])
    there = opened("p1 big 100", seats=SEATS, auto_leave_winners=True)
    assert "carried" in text_of(private_fragments(state(there), ANA)["own-big"])


def test_who_is_ready_has_it_at_his_seat() -> None:
    assert "ready" in text_of(public_fragments(state(betting().apply(Ready("p1"))))["seat-2"])


# ── The last throws, the options ────────────────────────────────────────────────────────────────────────────


def test_the_last_throws_are_listed_the_newest_first_with_a_letter_each_and_told_in_the_lobby() -> None:
    results: Any = (
        {"dice": [1, 2, 5], "total": 8, "triple": False},
        {"void": True},
        {"dice": [4, 4, 4], "total": 12, "triple": True},
        {"dice": [4, 5, 6], "total": 15, "triple": False},
    )
    roads = public("betting", results=results)["roads"]
    lines = [text_of(line) for line in re.findall(r'<li class="thrown__one">.*?</li>', roads)]
    assert lines == ["15 B 4, 5, 6, total 15, Big", "12 T Triple 4, total 12", "8 S 1, 2, 5, total 8, Small"]
    assert re.findall(r"#die-(\d)", roads)[:3] == ["4", "5", "6"]
    assert "B Big 1" in text_of(roads) and "T Triple 1" in text_of(roads)
    assert "No results yet" in text_of(public("betting")["roads"])
    drawn = FELTS["cussec"].road(results)
    assert (
        "The last throws, the newest last: 1, 2, 5, total 8, Small; Triple 4, total 12; 4, 5, 6, total 15, Big."
        in drawn
    )
    assert FELTS["cussec"].result_words(results[0]) == "1, 2, 5, total 8"
    assert FELTS["cussec"].result_words(results[1]) == "Void"


@article("57/2004", "C-A1")
def test_the_options_are_told_in_words_and_that_the_odds_are_the_published_ones() -> None:
    assert FELTS["cussec"].facts(opened().options) == ["Shaken before the bets", "Four numbers"]
    other = opened(four_numbers_enabled=False, **AFTER, **RESHAKE).options
    assert FELTS["cussec"].facts(other) == ["Shaken after the bell", "Cocked dice are shaken again"]
    told = {says: (chosen, article) for says, chosen, article in cussec_felt.house_rules(opened().options)}
    assert told["Odds"] == ("as published for Macau", "C-A1")
    assert told["Cocked or stacked dice"] == ("make the round void", "C-A10")
    assert told["Presses of the lever"] == ("3", "CS-4")
    assert "as published for Macau" in text_of(page(state(betting())))


# ── The telling ─────────────────────────────────────────────────────────────────────────────────────────────

RESHAKEN = (
    Seal(commitment="a"), PlaceBet("p1", "b1", "total_11", 10_00), NullThrow(reason=Spoilt.PRESSES),
    Seal(commitment="b"), CloseBets(), COCKED, Seal(commitment="c"), Unseal(values=(6, 2, 3), salt="s"), Settle(),
)  # fmt: skip

TOLD = (
    ["CS-4: The dealer locks the cover and presses the lever 3 times",
     "sealed: The dice are drawn and sealed; their commitment is published"],
    ["CS-8: Ana stakes 10.00 on Total 11"],
    ["presses: The lever was not pressed as often as it must be: the dice are shaken again"],
    ["CS-4: The dealer locks the cover and presses the lever 3 times",
     "sealed: The dice are drawn and sealed; their commitment is published"],
    [": Bets are closed", "CS-5: The dealer rings the bell"],
    ["CS-7: A die is cocked: the throw does not count", "C-A10: The bets stand, and the dice are shaken again"],
    ["CS-4: The dealer locks the cover and presses the lever 3 times",
     "sealed: The dice are drawn and sealed; their commitment is published"],
    ["CS-6: The cover is lifted: 2, 3, 6, total 11", "sealed: The seal is opened"],
    ["CS-8: Total 11: 2, 3, 6, total 11: the stake wins 6 to 1. You staked 10.00, 70.00 comes back"],
)  # fmt: skip


def test_each_line_of_a_round_is_told_with_what_orders_it() -> None:
    rounds = [opened(seats=SEATS, **RESHAKE)]
    for number, (action, words) in enumerate(zip(RESHAKEN, TOLD, strict=True), start=1):
        rounds.append(rounds[-1].apply(action))
        notes = story.told("cussec", LogEntry(number, NOW, action, rounds[-2], rounds[-1]), "p1", NAMES)
        assert [f"{note.article}: {words_of(note.words)}" for note in notes] == words
