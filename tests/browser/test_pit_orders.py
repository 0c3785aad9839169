"""What the pit orders, as players at the table see it: other cards, a cut for those who stand, a round that waits."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.kit import article

from .house import House
from .kit import DESK, PHONE, People, Screen
from .test_pit_door import PASSWORD


def a_boss(people: People, house: House, name: str) -> Screen:
    return people.comes(
        login=house.logged_in_member(house.ask("hires", name=name, role="pit_boss", password=PASSWORD), name),
        screen=DESK,
    )


@article("55/2004", "2(1)", "3(2)")
def test_the_house_changes_the_cards_and_who_stands_is_offered_the_cut(people: People, house: House) -> None:
    table = house.table(dealing_device="shoe")
    boss, ana = a_boss(people, house, "otilia"), people.at(table, "Ana")
    bea = people.at(table, "Bea", screen=PHONE, language="zh-HK")
    kai = people.at(table, "Kai", language="pt-PT")
    number = ana.betting()
    boss.goes(f"/pit/tables/{table.slug}/")
    boss.page.get_by_role("button", name=re.compile("^Change the cards after the round")).click()
    expect(boss.page.locator(".notice--ok")).to_have_text("The next round is dealt from fresh cards.")
    expect(ana.page.locator("#rulings")).to_contain_text("The house changes the cards after this round. art. 3(2)")
    for screen, spot in ((ana, "player"), (bea, "banker")):
        screen.stakes(100, spot)
    house.stack(table, "9s 2h Th 5c")
    for screen in (ana, bea):
        screen.is_ready()
    ana.has_seen(number)
    ana.phase("cut")
    for screen in (ana, bea):
        expect(screen.page.locator("[data-cutter]")).to_be_visible()
    expect(kai.page.locator("[data-cutter]")).to_be_hidden()  # who has staked nothing is not asked
    expect(kai.page.locator("#cards")).to_contain_text("Corta quem primeiro aceitar")
    bea.page.get_by_role("button", name="割牌", exact=True).click()
    expect(ana.page.locator("[data-cutter]")).to_be_hidden()
    assert f"p{bea.player} cut" in house.ask("actions", round=int(ana.betting()))
    expect(kai.page.locator("#rulings")).to_contain_text("esta jogada usa cartas novas. art.º 3(2)")


def test_what_the_pit_says_of_a_round_has_its_place_on_a_phone(people: People, house: House) -> None:
    table, boss = house.table(game="blackjack"), a_boss(people, house, "frida")
    everybody = [people.at(table, language=language, screen=PHONE) for language in ("zh-HK", "pt-PT", "en-GB")]
    everybody[0].betting()
    boss.goes("/pit/")
    boss.page.locator(f".pit-freeze[value={table.slug}]").click()
    for screen in everybody:
        sign, ring = screen.page.locator(".rail__round .tag"), screen.page.locator("#rail .ring")
        expect(sign).to_be_visible()
        for width in (390, 360):
            screen.page.set_viewport_size({"width": width, "height": 844})
            beside, clock = sign.bounding_box(), ring.bounding_box()
            assert beside is not None and clock is not None and beside["x"] + beside["width"] <= clock["x"]
            screen.does_not_scroll_sideways()


@article("56/2004", "20(2)")
def test_who_has_a_stake_at_a_silent_table_talks_nowhere(people: People, house: House) -> None:
    """Standing or not; what they wrote stays in its field, and goes out when the last has decided."""
    silent, other = house.table(game="blackjack"), house.table()
    ana, kim = people.at(silent, "Ana"), people.at(silent, "Kim", language="zh-HK")
    ana.betting()
    ana.sits(1)
    for screen in (ana, kim):
        screen.stakes(100, "main-1")
    there, rui = kim.another_tab().sits_down_at(other), people.at(other, "Rui")
    house.stack(silent, "Td 9c 8s Th")
    for screen in (ana, kim):
        screen.is_ready()
    expect(kim.page.locator("#chat-lock")).to_contain_text("第20(2)條")
    field = there.page.locator("[data-chat-form] [name=text]")
    field.fill("我有十八點")
    field.press("Enter")
    expect(there.page.locator("[data-chat-status]")).to_contain_text(f"你在{silent.name}有注")
    expect(field).to_have_value("我有十八點")
    house.ask("says_that_time_is_over", table=silent.id)
    expect(ana.choice("stand")).to_be_visible()
    ana.chooses("stand")
    ana.phase("settled")
    field.press("Enter")
    expect(rui.page.locator("[data-chat-lines] li")).to_have_count(1)
    expect(field).to_have_value("")
