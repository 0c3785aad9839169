"""Several chips in one gesture, and favourites: by finger and by mouse, on wide spots and on crowded layouts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from .house import House, Table
from .kit import CREDIT, DESK, PHONE, People, Screen


def middle(screen: Screen, spot: str) -> dict[str, float]:
    """Where a finger touches a spot."""
    there = screen.spot(spot).bounding_box()
    assert there is not None, f"{spot} is not on the screen"
    return {"x": there["x"] + there["width"] / 2, "y": there["y"] + there["height"] / 2}


def draws_over(screen: Screen, *spots: str, held: bool = True) -> None:
    """Put a finger on the first spot, hold it there if `held`, draw it over the others and lift it."""
    screen.spot(spots[0]).evaluate("one => one.scrollIntoView({ block: 'center' })")
    finger = screen.page.context.new_cdp_session(screen.page)

    def touch(kind: str, *points: Any) -> None:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    points = [middle(screen, spot) for spot in spots]
    touch("touchStart", points[0])
    if held:
        screen.page.locator(f'.spot.is-held[data-key="{spots[0]}"]').wait_for()
    for before, after in pairwise(points):
        for step in range(1, 6):
            touch("touchMove", {side: before[side] + (after[side] - before[side]) * step / 5 for side in ("x", "y")})
    touch("touchEnd")


def draws_with_the_mouse(screen: Screen, *points: dict[str, float]) -> None:
    """Press the button at the first point, draw to the others, and let it go."""
    for at, point in enumerate(points):
        screen.page.mouse.move(**point, steps=5)
        if at == 0:
            screen.page.mouse.down()
    screen.page.mouse.up()


def lies(screen: Screen, table: Table) -> dict[str, int]:
    """What the books say that this person has on the layout, in credits by spot."""
    stakes = {tuple(name.split()): cents for name, cents in screen.house.ask("stakes", table=table.id).items()}
    return {spot: cents // CREDIT for (player, spot), cents in stakes.items() if player == str(screen.player)}


def test_a_finger_that_is_held_and_drawn_lays_a_chip_on_each_spot_and_one_tap_lays_it_all_again(
    people: People, house: House
) -> None:
    table = house.table()
    ana = people.at(table, "Ana", screen=PHONE)
    ana.betting()
    ana.chip(10).click()
    draws_over(ana, "player", "tie", "banker")
    for spot in ("player", "tie", "banker"):
        ana.has(spot, 10)
    expect(ana.wallet).to_have_attribute("data-balance", str(10_000_00 - 30_00))

    sheet = ana.page.locator("[data-favourites]")
    sheet.locator("summary").click()
    sheet.get_by_role("textbox", name="Name").fill("all three")
    sheet.get_by_role("button", name="Save these bets").click()
    expect(sheet.locator("#favourites")).to_contain_text("all three")
    ana.does_not_scroll_sideways()
    sheet.get_by_role("button", name="all three 30").click()
    for spot in ("player", "tie", "banker"):
        ana.has(spot, 20)
    sheet.locator("summary").click()
    sheet.get_by_role("button", name="Rename all three").click()
    sheet.get_by_role("textbox", name="Name").fill("mine")
    sheet.get_by_role("button", name="Rename", exact=True).last.click()
    expect(sheet.locator("#favourites")).to_contain_text("mine")
    sheet.get_by_role("button", name="Delete mine").click()
    expect(sheet.locator("#favourites")).not_to_contain_text("mine")
    sheet.locator("summary").click()

    ana.deed("clear").click()
    for spot in ("player", "tie", "banker"):
        ana.has(spot, 0)
    ana.agrees_with_the_ledger()


@pytest.mark.in_full
def test_a_mouse_that_is_drawn_over_spots_lays_a_chip_on_each_and_what_is_refused_is_named(
    people: People, house: House
) -> None:
    table = house.table(max_bet={"player": 5_000_00, "banker": 5_000_00, "tie": 5_00})
    ana = people.at(table, "Ana", screen=DESK)
    ana.betting()
    ana.chip(10).click()
    draws_with_the_mouse(ana, *(middle(ana, spot) for spot in ("player", "tie", "banker")))
    ana.has("player", 10)
    ana.has("banker", 10)
    expect(ana.notice).to_contain_text("2 of 3 bets were placed.")
    expect(ana.notice.locator(".notice__parts li")).to_contain_text("Tie")
    ana.has("tie", 0)
    ana.agrees_with_the_ledger()


@pytest.mark.in_full
def test_a_finger_over_the_numbers_lays_numbers_alone_and_one_tap_takes_all_back_or_lays_all_again(
    people: People, house: House
) -> None:
    """Where everything may be laid, a finger crosses edges and corners all the time."""
    table = house.table(game="roulette", late_seconds=1)
    ana = people.at(table, "Ana", screen=PHONE)
    number = ana.betting()
    drawn = {f"straight_{one}": 10 for one in range(4, 10)}
    ana.page.locator('.reach__one:has([value="all"])').click()
    ana.chip(10).click()
    draws_over(ana, "straight_4", "straight_6", "straight_9", "straight_7")
    ana.has("straight_7", 10)
    assert lies(ana, table) == drawn
    ana.stakes(10, "straight_5", "red")
    for deed, left in (("undo", drawn | {"straight_5": 20}), ("undo", drawn), ("undo", {})):
        ana.deed(deed).click()
        expect(ana.wallet).to_have_attribute("data-balance", str((10_000 - sum(left.values())) * CREDIT))
        assert lies(ana, table) == left

    draws_over(ana, "corner_4", "corner_8", "corner_10")  # a corner lies on four numbers
    ana.has("corner_10", 10)
    assert lies(ana, table) == dict.fromkeys(("corner_4", "corner_8", "corner_10"), 10)
    sheet = ana.page.locator("[data-favourites]")
    sheet.locator("summary").click()
    sheet.get_by_role("textbox", name="Name").fill("zigzag")
    sheet.get_by_role("button", name="Save these bets").click()
    expect(sheet.locator("#favourites")).to_contain_text("zigzag")
    ana.deed("clear").click()
    ana.has("corner_10", 0)
    sheet.locator("summary").click()
    sheet.get_by_role("button", name="zigzag 30").click()
    ana.has("corner_10", 10)
    expect(sheet.locator(".sheet__body")).to_be_hidden()  # it lay over the numbers
    ana.is_ready()

    ana.betting(not_in=number)
    ana.deed("repeat").click()
    ana.has("corner_10", 10)
    ana.deed("double").click()
    ana.has("corner_10", 20)
    assert lies(ana, table) == dict.fromkeys(("corner_4", "corner_8", "corner_10"), 20)
    ana.deed("undo").click()
    ana.has("corner_10", 10)
    assert lies(ana, table) == dict.fromkeys(("corner_4", "corner_8", "corner_10"), 10)
    ana.agrees_with_the_ledger()


@pytest.mark.in_full
def test_a_mouse_lays_one_kind_and_is_not_led_astray_by_what_lies_between(people: People, house: House) -> None:
    """Any triple lies between the triples; an edge of Roulette lies on the number that is clicked."""
    table = house.table(game="cussec")
    ana = people.at(table, "Ana")
    ana.betting()
    ana.chip(50).click()
    draws_with_the_mouse(ana, *(middle(ana, spot) for spot in ("triple_2", "any_triple", "triple_5")))
    ana.has("triple_5", 50)
    mouse = ana.page.mouse
    for at, spot in enumerate(("total_4", "total_7")):
        mouse.move(**middle(ana, spot), steps=5)
        if at == 0:
            mouse.down()
    expect(ana.page.locator(".sweep")).to_have_text("4 × 50 = 200")
    ana.page.keyboard.press("Escape")
    expect(ana.page.locator(".sweep")).to_have_count(0)
    mouse.up()
    draws_with_the_mouse(ana, middle(ana, "pair_1_2"), middle(ana, "single_2"), middle(ana, "pair_1_4"))
    ana.has("pair_1_4", 50)
    assert lies(ana, table) == {"triple_2": 50, "triple_5": 50, "pair_1_2": 50, "pair_1_4": 50}
    ana.deed("double").click()
    ana.has("pair_1_4", 100)
    ana.deed("undo").click()
    ana.has("pair_1_4", 50)
    ana.deed("undo").click()
    ana.has("pair_1_4", 0)
    assert lies(ana, table) == {"triple_2": 50, "triple_5": 50}
    ana.agrees_with_the_ledger()

    wheel = house.table(game="roulette")
    ana.sits_down_at(wheel)
    ana.betting()
    ana.chip(10).click()
    cell = ana.spot("straight_17").bounding_box()
    assert cell is not None
    draws_with_the_mouse(
        ana, middle(ana, "straight_17"), middle(ana, "straight_17") | {"x": cell["x"] + cell["width"] - 3}
    )
    ana.has("straight_17", 10)
    draws_with_the_mouse(ana, middle(ana, "split_17_20"), middle(ana, "split_20_23"))
    ana.has("split_20_23", 10)
    assert lies(ana, wheel) == {"straight_17": 10, "split_17_20": 10, "split_20_23": 10}
    ana.agrees_with_the_ledger()
