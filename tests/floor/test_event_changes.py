"""The events of the pit tell what has changed in words, in the reader's language, in credits and Macau's time."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html import unescape

import pytest

from tables.models import Alert, Event
from tables.models.ledger import Realm
from tables.services.journal import alerts
from tables.services.kiosk import kiosks
from tables.services.pit import approvals, floats, halts, lifecycle, sanctions
from tables.services.pit.deeds import Comp
from tables.views.pit.event_changes import changes
from tests.house.kit import House

from .pit_kit import browser_of, member


def rows(kind: Event.Kind) -> list[tuple[str, str, str]]:
    """What the newest deed of this kind has changed."""
    return changes(Event.objects.filter(deed=kind).latest("seq"))


def test_limits_and_floats_are_in_credits_and_times_in_their_unit(house: House) -> None:
    boss, cage = member("pit_boss"), member("cage")
    table = house.table(min_bet=5_00)
    lifecycle.set_limits(boss, table.pk, {"min_bet": 10_00}, {"betting": 12_000}, clock=house.clock)
    assert rows(Event.Kind.LIMITS) == [("Minimum", "5", "10"), ("Betting", "–", "12 s")]
    order = floats.order_chips(boss, table.pk, "fill", 2_500_00, clock=house.clock)
    assert rows(Event.Kind.CHIPS_ORDERED) == [
        ("Chip order", "", f"{order.pk}"),
        ("Kind", "", "Fill"),
        ("Amount", "", "2,500"),
    ]
    floats.confirm_chips(cage, order.pk, clock=house.clock)
    assert ("Float", "1,000,000", "1,002,500") in rows(Event.Kind.CHIPS_CONFIRMED)


def test_a_table_that_opens_tells_what_is_not_the_default(house: House) -> None:
    lifecycle.open_new(
        member("shift_manager"),
        "jade",
        "Jade",
        "baccarat",
        {"decks": 6, "max_bet": 500_00},
        float_cents=500_00,
        clock=house.clock,
    )
    found = {name: becomes for name, _was, becomes in rows(Event.Kind.TABLE_OPENED)}
    assert found == {
        "Decks in use": "6",
        "Maximum": "500",
        "Limit of the difference between Banker and Player": "500",
        "Game": "Baccarat",
        "Float": "500",
        "Played with": "players' own chips",
    }


def test_a_closing_is_counted_in_credits(house: House) -> None:
    boss, table = member("pit_boss"), house.table()
    lifecycle.close(boss, table.pk, "round", clock=house.clock)
    assert rows(Event.Kind.TABLE_CLOSING) == [("Closing", "", "after the round")]
    for _ in range(20):
        house.step(table)
    assert ("Opened with", "", "1,000,000") in rows(Event.Kind.TABLE_CLOSED)
    assert ("Closing", "", "1,000,000") in rows(Event.Kind.TABLE_CLOSED)


def test_what_was_done_about_somebody(house: House) -> None:
    boss, manager, ana = member("pit_boss"), member("shift_manager"), house.player("ana")
    member("shift_manager", "another")
    until = datetime(2067, 1, 1, 16, tzinfo=UTC)
    sanctions.restrict(boss, ana.pk, "mute", "Shouting", until=until, clock=house.clock)
    assert rows(Event.Kind.RESTRICT) == [("Kind", "", "no talking"), ("Until", "", "2067-01-02 00:00:00")]
    sanctions.comp(manager, ana.pk, 88_00, "a birthday", ref="a1", clock=house.clock)
    assert rows(Event.Kind.COMP) == [("Amount", "", "88")]
    approvals.ask(manager, Comp(ana.pk, 20_000_00), "a birthday", clock=house.clock)
    (_number, kind, what, state) = rows(Event.Kind.REQUEST_ASKED)
    assert (kind, what, state) == (
        ("Kind", "", "Comp"), ("Asked for", "", "20,000.00 to Ana"), ("State", "", "waiting"),
    )  # fmt: skip
    alert = Alert.objects.get(kind=Alert.Kind.REQUEST)
    alerts.acknowledge(boss, alert.pk, clock=house.clock)
    assert rows(Event.Kind.ACKNOWLEDGED) == [("Second person needed", "", "shift_manager-one asks for it: Comp")]


def test_a_kiosk_and_a_halt(house: House) -> None:
    boss = member("shift_manager")
    table = house.table(realm=Realm.KIOSKS)
    setting = kiosks.Setting("Lobby", "By the stairs", [table.pk], ["en", "pt"], 1_000_00, 60)
    kiosks.make(boss, setting, clock=house.clock)
    found = {name: becomes for name, _was, becomes in rows(Event.Kind.KIOSK_MADE)}
    assert (found["Credits"], found["Tables"], found["Languages"]) == ("1,000", "Jade", "English, Português")
    halts.stop(boss, "", "a fire drill", clock=house.clock)
    assert rows(Event.Kind.HALTED) == [("Game", "", "the whole floor")]


def test_what_nobody_has_a_word_for_is_shown_as_it_was_written() -> None:
    assert changes(Event(deed="ruled", before={"a_thing": [1]}, after={"a_thing": {"b": 2}})) == [
        ("a thing", "[1]", '{"b": 2}')
    ]
    assert changes(Event(deed="second_factor", before=True, after=False)) == [("", "yes", "no")]
    assert changes(Event(deed="role", before="cage", after="")) == [("", "cage", "")]
    same = {"name": "Jade", "cents": 1}
    assert changes(Event(deed="ruled", before=same, after={**same, "cents": 5})) == [("Amount", "0.01", "0.05")]


@pytest.mark.parametrize(
    ("language", "says"),
    [("zh-hant", ["<b>籌碼調撥單</b> {}", "<b>類別</b> 補碼", "<b>金額</b> 2,500"]),
     ("pt", ["<b>Ordem de fichas</b> {}", "<b>Tipo</b> Reforço", "<b>Valor</b> 2.500"])],
)  # fmt: skip
def test_the_page_tells_it_in_the_language_of_its_reader(house: House, language: str, says: list[str]) -> None:
    boss = member("pit_boss")
    order = floats.order_chips(boss, house.table().pk, "fill", 2_500_00, clock=house.clock)
    browser = browser_of(boss)
    browser.cookies["django_language"] = language
    page = unescape(browser.get("/pit/events/").content.decode())
    (changed,) = re.findall(r'<ul class="changes">(.*?)</ul>', page, re.S)
    assert [" ".join(one.split()) for one in re.findall("<li>(.*?)</li>", changed, re.S)] == [
        one.format(order.pk) for one in says
    ]
