"""Authorisations in the pit: what may be opened and why, what is asked for and answered, what is set at once."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

import pytest
from django.apps import apps
from django.test import Client

from tables.base.calendar import macau_date
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right
from tables.games import GAMES
from tables.models import Authorisation, Table
from tables.pit.demo_floor import open_demo_floor
from tables.proof import laws
from tables.services.pit.authorisations import alternatives_of
from tables.views.pit.authorisations import RequestForm
from tests.house.kit import House, open_table, without_guards
from tests.kit import article

from .pit_kit import ROLES, browser, browser_of, member, those_who_may
from .test_pit_options import page, row, text_of
from .test_pit_tables import NEW, said

pytestmark = pytest.mark.django_db


@pytest.fixture
def house(db: None) -> Iterator[House]:
    house = House()
    yield house
    house.in_order()


def asked(client: Client, game: str, **changes: str) -> str:
    """What the page says to a request for these alternatives."""
    form = RequestForm(GAMES[game])
    sent = {bound.name: bound.value() for bound in form if bound.name != "why"}
    fields = {name: value if isinstance(value, list) else "" if value is None else str(value) for name, value in sent.items()}  # fmt: skip  # noqa: E501
    answer = client.post(f"/pit/authorisations/{game}/new/", {**fields, "why": "the season", **changes}, follow=True)
    return text_of(answer.content.decode())


def test_a_table_opens_with_an_alternative_once_it_is_authorised(house: House) -> None:
    """From the refusal to the request, the answer and the table, through the pit's pages alone."""
    boss, manager = browser("pit_boss"), browser("shift_manager")
    wheel = {**NEW, "game": "roulette", "slug": "wheel", "most": "200"}
    refused = text_of(said(boss, "/pit/tables/new/", **wheel))
    assert "The inspectorate has not authorised this alternative: Maximum (art. 9)" in refused
    assert "Roulette Nothing is on record: tables of this game open with the defaults." in refused
    assert not Table.objects.exists()
    today = macau_date(DATABASE_CLOCK.now())
    late = asked(boss, "roulette", max_bet="200", holds_from=str(today))
    assert "the request must be filed by" in late
    assert "These are the defaults" in asked(boss, "roulette")
    filed = {"submitted_on": "2026-01-05", "holds_from": "2026-01-08"}
    assert "Filed on Mon 2026-01-05" in asked(boss, "roulette", max_bet="200", **filed)
    one = Authorisation.objects.get()
    assert one.options == {"max_bet": 200_00}
    path = f"/pit/authorisations/{one.pk}/answer/"
    assert path not in text_of(boss.get("/pit/authorisations/").content.decode())
    answered = text_of(said(manager, path, answer="approved", reference="DICJ 17"))
    assert "Maximum: 200 art. 9 authorised: DICJ 17, filed on 2026-01-05, from 2026-01-08" in answered
    assert "Maximum: 200 art. 9 authorised: DICJ 17" in page(boss, "/pit/tables/new/")
    assert "Ruby is open." in text_of(said(boss, "/pit/tables/new/", **wheel))
    history = row(boss, "/pit/tables/wheel/options/history/", "Maximum")
    assert "200 art. 9 authorised: DICJ 17, filed on 2026-01-05, from 2026-01-08" in history
    assert "pit_boss-one , shift_manager-one" in history
    assert "the default" in row(boss, "/pit/tables/wheel/options/history/", "Sectors are")


def test_like_another_table_is_the_same_door(house: House) -> None:
    open_table("old", "Old", "cussec", {"odd_even_enabled": False})
    without_guards()
    Authorisation.objects.all().delete()
    import_module("tables.migrations.0011_authorisations").take_over(apps, None)
    boss, like = browser("pit_boss"), {**NEW, "game": "cussec", "like": "old"}
    refused = text_of(said(boss, "/pit/tables/new/", **like))
    assert "The inspectorate has not authorised this alternative: Odd and Even are offered (house rule)" in refused
    assert "No other table may open like Old: Odd and Even are offered: no" in refused
    path = "/pit/tables/old/options/history/"
    assert "opened before authorisations were asked for" in row(boss, path, "Odd and Even")
    assert not Table.objects.filter(slug="ruby").exists()


def test_a_bet_without_a_maximum_is_refused_in_the_form() -> None:
    refused = text_of(said(browser("pit_boss"), "/pit/tables/new/", **{**NEW, "most": ""}))
    assert "5 bets have no maximum, Player among them. A table limits every bet." in refused
    assert not Table.objects.exists()


@article("60/2004", "8", "9")
def test_every_table_of_the_demonstration_floor_is_lawful_and_its_history_says_why(house: House) -> None:
    boss, alternatives = browser("pit_boss"), 0
    for table in open_demo_floor(clock=house.clock):
        chosen = alternatives_of(table.game, table.options, table)
        history = page(boss, f"/pit/tables/{table.slug}/options/history/")
        assert history.count("(brought with the demonstration floor)") == len(chosen)
        assert "not authorised" not in history
        alternatives += len(chosen)
        assert table.options.get("zero_combinations", "none") == "none", "Roulette 8"
    opens = page(boss, "/pit/tables/new/")
    assert "Column 1 · Column 2 · Column 3: 10" in opens and "Straight 0 … Straight 36: 1" in opens
    assert "sector12" not in opens and "low_high" not in opens
    assert alternatives > 30
    assert not list(laws.faults())


def test_who_asks_and_who_answers(house: House) -> None:
    for role in ROLES:
        client = browser(role)
        assert client.get("/pit/authorisations/").status_code == 200
        asks = client.post("/pit/authorisations/cussec/new/").status_code
        assert (asks == 403) == (role not in those_who_may(Right.DRAFT_OPTIONS))
        answers = client.post("/pit/authorisations/1/answer/").status_code
        assert (answers == 403) == (role not in those_who_may(Right.RECORD_AUTHORISATION))
    assert (
        browser_of(member("pit_boss", "second")).get("/pit/authorisations/three_card_baccarat/new/").status_code == 404
    )


def test_the_bettors_on_a_box_are_set_on_the_page_of_the_table(house: House) -> None:
    """Blackjack 20(1)(2): lowered at once by the director of the room, from the next round on."""
    table, boss = house.table("bank", game="blackjack"), browser("pit_boss")
    path = "/pit/tables/bank/at-once/"
    assert path in boss.get("/pit/tables/bank/").content.decode()
    assert path not in browser("surveillance").get("/pit/tables/bank/").content.decode()
    sent = {"option": "max_bettors_per_box", "number": "1"}
    assert "This takes effect with the next round." in text_of(said(boss, path, **sent))
    ana, rui = house.player("ana"), house.player("rui")
    house.until(table, "betting")
    house.bet(ana, table, "main", 10, 1)
    assert house.refused(lambda: house.bet(rui, table, "main", 10, 1)).article == "20(1)(2)"
    assert "Bettors on one box: 3 → 1" in page(boss, "/pit/tables/bank/options/history/")
    assert "It is from 1 to 3." in text_of(said(boss, path, **{**sent, "number": "4"}))
    house.table("jade")
    assert "at-once" not in boss.get("/pit/tables/jade/").content.decode()
