"""People talk: what they say is text, comes at once and to everybody, and disturbs nobody who plays."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.extent import first

from .house import House
from .kit import DESK, PHONE, People, Screen
from .test_access import fits_a_thumb, is_accessible

ATTACK = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"


def says(screen: Screen, text: str) -> None:
    """Say a line; the house must have it."""
    entry = opened(screen)
    entry.fill(text)
    entry.press("Enter")
    expect(entry).to_have_value("")


def opened(screen: Screen) -> Locator:
    """Where one types; on a phone the chat is opened first."""
    entry = screen.page.locator("#chat-text")
    if not entry.is_visible():
        screen.page.locator("[data-chat-toggle]").click()
    expect(entry).to_be_visible()
    return entry


def lines(screen: Screen) -> Locator:
    """The lines that they read."""
    return screen.page.locator("[data-chat-lines] > li").filter(visible=True)


def answered(screen: Screen) -> Locator:
    """What the house has answered in the chat."""
    return screen.page.locator("[data-chat-status]")


def chooses(screen: Screen, line: str, choice: str) -> None:
    """Open what can be done about a line, and choose."""
    lines(screen).filter(has_text=line).locator(".chat__more").click()
    expect(screen.page.locator("[data-chat-menu]")).to_be_visible()
    screen.page.locator("[data-chat-menu]").get_by_role("button", name=choice).click()


def test_two_people_talk_and_text_is_text(people: People, house: House) -> None:
    table = house.table()
    ana, bea = people.at(table, "Ana"), people.at(table, "Bea", screen=PHONE, language="pt-PT")
    watching = people.at(table)
    title = ana.page.title()
    says(ana, "  Good   evening ")
    unread = bea.page.locator("[data-chat-unread]")
    expect(unread).to_have_text("1")
    says(ana, ATTACK)
    expect(unread).to_have_text("2")
    says(bea, "晚上好 Olá")
    expect(unread).to_be_hidden()
    for screen in (ana, bea, watching):
        expect(lines(screen)).to_have_count(3)
        expect(lines(screen).nth(0)).to_contain_text("Good evening")
        expect(lines(screen).nth(1).locator(".chat__text")).to_have_text(ATTACK)
        expect(lines(screen).nth(2)).to_contain_text("晚上好 Olá")
        expect(lines(screen).nth(2).locator("time")).to_contain_text(":")
        assert screen.page.locator(".chat img, .chat script").count() == 0
    assert ana.page.title() == title
    expect(watching.page.locator("[data-chat-form]")).to_have_count(0)
    expect(lines(watching).locator(".chat__more")).to_have_count(0)
    assert lines(ana).nth(0).locator(".chat__more").count() == 0  # their own line

    ana.page.reload()
    ana.line("open")
    expect(lines(ana)).to_have_count(3)
    expect(lines(ana).last).to_be_in_viewport()


def test_a_refused_line_says_why_and_stays_to_be_put_right(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana")
    says(ana, "Good luck")
    says(ana, "good luck")
    entry = opened(ana)
    entry.fill("GOOD LUCK")
    entry.press("Enter")
    expect(answered(ana)).to_contain_text("more than once")
    expect(entry).to_have_value("GOOD LUCK")
    expect(ana.notice).to_have_count(0)  # it does not lie on the felt as well
    entry.fill("Good luck to all")
    entry.press("Enter")
    expect(entry).to_have_value("")
    expect(answered(ana)).to_have_text("")
    expect(lines(ana)).to_have_count(3)


def test_on_the_narrowest_phone_its_button_stands_in_the_dock_and_over_no_spot(people: People, house: House) -> None:
    narrow = PHONE | {"viewport": {"width": 320, "height": 640}}
    ana = people.at(house.table(game="blackjack"), "Ana", screen=narrow, language="pt-PT")
    toggle = ana.page.locator(".dock .chat__toggle")
    fits_a_thumb(toggle)
    ana.does_not_scroll_sideways()
    says(ana, "Boa noite")
    expect(lines(ana)).to_have_count(1)
    ana.page.locator("[data-chat-close]").click()
    expect(toggle).to_be_focused()
    ana.page.set_viewport_size({"width": 1440, "height": 900})
    expect(ana.page.locator("[data-chat] .chat__toggle")).to_have_count(1)


def test_typing_plays_nothing_and_what_others_say_does_not_disturb_it(people: People, house: House) -> None:
    table = house.table()
    ana, bea = people.at(table, "Ana"), people.at(table, "Bea")
    ana.betting()
    ana.stakes(50, "player")
    entry = opened(ana)
    entry.press_sequentially("ud2+ dc")  # undo, double, stake, a larger chip, clear
    says(bea, "hello")
    expect(lines(ana)).to_have_count(1)
    expect(entry).to_be_focused()
    entry.press_sequentially("!")
    expect(entry).to_have_value("ud2+ dc!")
    entry.press("Enter")
    expect(lines(bea)).to_have_count(2)
    ana.has("player", 50)
    ana.has("banker", 0)
    ana.agrees_with_the_ledger()
    expect(ana.page.locator("[name=chip]:checked")).to_have_value("5000")


@pytest.mark.in_full
def test_who_is_muted_is_not_read_at_any_table_until_he_is_again(people: People, house: House) -> None:
    table, other = house.table(), house.table()
    ana, bea, rui = people.at(table, "Ana", screen=PHONE), people.at(table, "Bea"), people.at(table, "Rui")
    tab = ana.another_tab().sits_down_at(other)
    says(bea, "draw, draw!")
    says(rui, "let him think")
    opened(ana)
    expect(lines(ana)).to_have_count(2)
    chooses(ana, "draw, draw!", "Mute this player")
    expect(answered(ana)).to_contain_text(f"You will not read {bea.name} any more.")
    expect(lines(ana)).to_have_count(1)
    bea.sits_down_at(other)
    says(bea, "draw here too!")
    opened(tab)
    expect(tab.page.locator("[data-chat-lines] > li")).to_have_count(1)
    expect(lines(tab)).to_have_count(0)
    expect(lines(rui)).to_have_count(2)

    ana.page.locator("[data-chat-muted] summary").click()
    ana.page.get_by_role("button", name=f"Unmute {bea.name}").click()
    expect(lines(ana)).to_have_count(2)
    expect(lines(tab)).to_have_count(1)
    expect(ana.page.locator("[data-chat-muted]")).to_have_count(0)


@pytest.mark.in_full
def test_a_line_is_shown_to_the_pit(people: People, house: House) -> None:
    table = house.table()
    ana, bea = people.at(table, "Ana"), people.at(table, "Bea")
    says(bea, "come to my own casino")
    expect(lines(ana)).to_have_count(1)
    chooses(ana, "my own casino", "advertises or begs")
    expect(answered(ana)).to_contain_text("Thank you.")
    expect(lines(ana).locator(".chat__more")).to_be_focused()
    expect(ana.notice).to_have_count(0)
    assert house.ask("reports", player=ana.player) == [
        {"about": bea.player, "text": "come to my own casino", "reason": "adverts"}
    ]


@pytest.mark.in_full
def test_the_chat_opens_and_closes_by_the_keyboard(people: People, house: House) -> None:
    table = house.table()
    ana, bea = people.at(table, "Ana", screen=PHONE), people.at(table, "Bea")
    says(bea, "hello")
    toggle, entry = ana.page.locator("[data-chat-toggle]"), ana.page.locator("#chat-text")
    toggle.focus()
    ana.page.keyboard.press("Enter")
    expect(entry).to_be_focused()
    expect(toggle).to_have_attribute("aria-expanded", "true")
    more = lines(ana).locator(".chat__more")
    more.focus()
    ana.page.keyboard.press("Enter")
    expect(ana.page.locator("[data-chat-menu]")).to_be_focused()
    ana.page.keyboard.press("Escape")
    expect(ana.page.locator("[data-chat-menu]")).to_be_hidden()
    expect(more).to_be_focused()
    ana.page.keyboard.press("Escape")
    expect(entry).to_be_hidden()
    expect(toggle).to_be_focused()


@pytest.mark.parametrize("size", first(PHONE, DESK), ids=first("phone", "desk"))
@pytest.mark.in_full
def test_the_open_chat_is_accessible(people: People, house: House, size: dict[str, object]) -> None:
    table = house.table()
    ana, bea = people.at(table, "Ana", screen=size), people.at(table, "Bea")
    for number in range(5):
        says(bea, f"line {number}: " + "the tide comes in at the harbour " * 4)
    opened(ana)
    expect(lines(ana)).to_have_count(5)
    is_accessible(ana, "the chat")
    lines(ana).last.locator(".chat__more").click()
    expect(ana.page.locator("[data-chat-menu]")).to_be_visible()
    is_accessible(ana, "with what can be done about a line")
    fits_a_thumb(ana.page.locator("[data-chat-menu] button"))
    ana.page.get_by_role("button", name="Mute this player").click()
    ana.page.locator("[data-chat-muted] summary").click()
    is_accessible(ana, "with whom he has muted")
    fits_a_thumb(ana.page.locator(".chat button"))


@pytest.mark.in_full
def test_the_chat_rests_from_the_first_card_to_the_last_decision(people: People, house: House) -> None:
    table = house.table(game="blackjack")
    ana, bea = people.at(table, "Ana"), people.at(table, "Bea")
    ana.betting()
    says(bea, "good luck")
    house.stack(table, "5s 9d 6s 2c 8h 9h")
    ana.chip(5).click()
    ana.page.locator('.spot[data-key="main-1"]').click()
    ana.has("main-1", 5)
    ana.is_ready()
    ana.phase("early_window")
    why = bea.page.locator("#chat-lock")
    expect(why).to_contain_text("From the first card to the last decision nobody may talk at the table art. 20(2)")
    decision = ana.page.locator("#decision")
    decision.get_by_role("button", name="Hit").click()
    ana.phase("player_turns")
    bea.phase("player_turns")
    entry = opened(bea)
    entry.fill("draw, draw!")
    entry.press("Enter")
    expect(answered(bea)).to_have_text("Chat is paused. Your message is kept.")
    expect(bea.page.locator("[data-chat-send]")).to_have_attribute("aria-disabled", "true")
    is_accessible(bea, "while the chat rests")
    bea.page.evaluate("window.floor.send({do: 'say', text: 'draw, draw!'})")  # whoever asks the house anyway
    expect(bea.notice).to_contain_text("art. 20(2)")
    expect(lines(ana)).to_have_count(1)

    decision.get_by_role("button", name="Stand").click()
    expect(why).to_be_empty()
    expect(entry).to_have_value("draw, draw!")
    entry.press("Enter")
    expect(lines(ana)).to_have_count(2)
    assert house.ask("said_in_silence", table=table.id) == []
