"""Seals on the felt: each turned card is checked by the device that sees it, and what does not fit is said."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.extent import first

from .house import House
from .kiosks import place_of, visited
from .kit import KIOSK, PHONE, People
from .test_access import is_accessible
from .test_kiosk_play import Visit
from .test_kiosk_screen import KIOSKS
from .test_pit_door import PASSWORD, TABLET


def test_a_device_checks_each_card_and_tells_the_pit_of_one_that_does_not_fit(people: People, house: House) -> None:
    number = house.ask("hires", name="teresa1", role="pit_boss", password=PASSWORD)
    boss = people.comes(login=house.logged_in_member(number, "teresa1"), screen=TABLET)
    boss.goes("/pit/")
    table = house.table(game="baccarat")
    ana, rui = people.comes("Ana"), people.comes("Rui", screen=PHONE)
    for one in (ana, rui):
        one.page.add_init_script("window.checksSeals = true")
    rui.page.route("**/leaves/*.txt", lambda route: route.fulfill(body=f"{'0' * 64}\n" * 416))  # of another pack
    fetched = list[str]()
    for one in (ana, rui):
        one.page.on("request", lambda request: fetched.append(request.url) if "/leaves/" in request.url else None)
    ana.sits_down_at(table)  # before there is a pack: its leaves are pushed to her
    log = ana.betting()
    rui.sits_down_at(table)
    rui.betting()
    ana.stakes(100, "player")
    ana.is_ready()
    checked = ana.page.locator("#cards .hand .card[data-checked]")
    expect(checked.nth(3)).to_have_attribute("data-checked", "fits")
    legend = ana.page.locator("#checked")
    expect(legend).to_contain_text("Checked on this device")
    legend.locator("summary").press("Enter")
    expect(legend).to_contain_text("the very one that the house had committed to")
    is_accessible(ana, "a card that is sealed")
    expect(ana.page.locator("#misfit")).to_be_hidden()

    expect(rui.page.locator("#cards .card[data-checked='misfit'] .card__seal").first).to_be_visible()
    expect(rui.page.locator("[role=alert] #misfit")).to_be_visible()
    expect(boss.page.locator("#pit-alerts")).to_contain_text(f"A device of {rui.name} says")
    expect(rui.page.locator("#notice .notice")).to_have_count(0)

    for one in (ana, rui):  # the leaves of the next pack are pushed to both
        one.betting(not_in=log)
    ana.stakes(100, "player")
    ana.is_ready()
    for one in (ana, rui):
        expect(one.page.locator("#cards .hand .card[data-checked]").nth(3)).to_have_attribute("data-checked", "fits")
    expect(rui.page.locator("#misfit")).to_be_hidden()
    assert len(fetched) == 1, "by whoever came after they were pushed, once"


@pytest.mark.parametrize("fetched", first(True, False))
def test_a_device_finds_that_the_house_has_exchanged_a_pack_that_it_had_published(
    people: People, house: House, fetched: bool
) -> None:
    """Seed, leaves and root together, when the device has fetched the leaves, or has seen their root alone."""
    people.watch.expects(r"404 .*/leaves/")
    table = house.table(game="baccarat")
    lee = people.comes("Lee")
    lee.sits_down_at(table)
    lee.betting()
    ana, held = people.comes("Ana"), list[Route]()
    ana.page.add_init_script("window.checksSeals = true")
    if not fetched:
        ana.page.route("**/leaves/*.txt", lambda route: held.append(route))
    with ana.page.expect_event("requestfinished" if fetched else "request", lambda one: "/leaves/" in one.url):
        ana.sits_down_at(table)
    ana.betting()
    house.stack(table, "4s Kc 5d 7h")
    for route in held:
        route.continue_()
    rui = people.comes("Rui", screen=PHONE)  # who was not there before
    rui.page.add_init_script("window.checksSeals = true")
    rui.goes(table.path)
    ana.stakes(100, "player")
    ana.is_ready()
    expect(ana.page.locator("#cards .hand .card[data-checked='misfit'] .card__seal")).to_have_count(4)
    expect(ana.page.locator("[role=alert] #misfit")).to_be_visible()
    expect(rui.page.locator("#cards .hand .card[data-checked='fits'] .card__seal")).to_have_count(4)
    expect(rui.page.locator("#misfit")).to_be_hidden()


@pytest.mark.parametrize("honest", first(False, True))
def test_the_screen_of_a_kiosk_checks_for_its_visitor(people: People, house: House, honest: bool) -> None:
    number = house.ask("hires", name=f"teresa{2 + honest}", role="pit_boss", password=PASSWORD)
    boss = people.comes(login=house.logged_in_member(number, "teresa"), screen=TABLET)
    boss.goes("/pit/")
    table = house.table(realm=KIOSKS)
    kiosk = house.kiosk(table)
    device = visited(people, house, kiosk, KIOSK, place_of(table), language="en", knows="baccarat").is_at(table)
    device.betting()
    page, visit = device.page, Visit(device, table)
    page.add_init_script("window.checksSeals = true")
    page.goto(f"{house.url}/kiosk/choose/")
    if not honest:
        page.route("**/kiosk/leaves/*.txt", lambda route: route.fulfill(body=f"{'0' * 64}\n" * 416))
    with page.expect_response("**/kiosk/leaves/*.txt"):
        page.goto(house.url + place_of(table))  # its pack is known by now: its leaves are fetched
    device.betting()
    device.lays(100, "player")
    visit.is_ready()
    expect(page.locator("#cards .hand .card[data-checked]").nth(3)).to_have_attribute(
        "data-checked", "fits" if honest else "misfit"
    )
    warning = page.locator("[role=alert] #misfit")
    if honest:
        expect(warning).to_be_hidden()
        visit.opens("house-rules")
        legend = page.locator("#checked")
        visit.hand.taps(legend.locator("summary"))
        expect(legend).to_contain_text("the very one that the house had committed to")
    else:
        expect(warning).to_be_visible()
        expect(boss.page.locator("#pit-alerts")).to_contain_text(f"A device of {kiosk.name}")
    is_accessible(device, "cards that a kiosk has checked")
