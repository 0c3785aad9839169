"""A table's life on the pages of the pit: who may do what, what is shown, and what the players see of it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from tables.base.rights import Right
from tables.live.boards import render_lobby
from tables.models import Account, ChipOrder, OptionChange, Player, RoundLog, Table
from tables.queries.table import table_state, version_of
from tables.services.pit import lifecycle
from tables.services.pit.opening import open_jackpot
from tests.house.kit import House, open_table
from tests.house.test_running import left, left_on_dice, locked, tie_carried

from .pit_kit import ROLES, approve, browser, browser_of, member, those_who_may

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return House()


def text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def said(client: Client, path: str, **fields: str) -> str:
    """What the page says after a deed."""
    answer = client.post(path, fields, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_what_was_typed_stays_where_a_deed_is_refused(house: House) -> None:
    open_table("jade", "Jade", "baccarat", {"min_bet": {"tie": 5_00}})
    boss = browser("pit_boss")
    page = said(boss, "/pit/tables/jade/chips/", kind="fill", credits="999999999999", why="the <b>big</b> one")
    assert "No more than 1,000,000,000.00 come at once." in page
    assert 'value="999999999999"' in page and 'value="the &lt;b&gt;big&lt;/b&gt; one"' in page
    page = said(boss, "/pit/tables/jade/limits/", **{"min_bet.tie": "7", "time.betting": "99999999"})
    assert 'name="min_bet.tie" aria-label="Tie: Minimum" inputmode="numeric" pattern="[0-9]{1,12}" value="7"' in page
    assert 'name="time.betting" inputmode="decimal" pattern="[0-9]{1,4}([.,][0-9]{1,3})?" value="99999999"' in page


def test_the_address_of_a_deed_leads_to_its_page(house: House) -> None:
    open_table("jade", "Jade", "baccarat", {})
    boss = browser("pit_boss")
    for path in ("chips", "limits", "close", "reopen"):
        answer = boss.get(f"/pit/tables/jade/{path}/", follow=True)
        assert (answer.request["PATH_INFO"], answer.status_code) == ("/pit/tables/jade/", 200)


def now(table: Table) -> Table:
    return Table.objects.get(pk=table.pk)


def float_of(table: Table) -> int:
    return Account.objects.get(kind="float", table=table).balance


NEW = {"name": "Ruby", "slug": "ruby", "game": "baccarat", "most": "500", "float": "5000", "position": "3"}


def test_a_pit_boss_opens_a_table_with_the_defaults_of_its_game() -> None:
    page = said(browser("pit_boss"), "/pit/tables/new/", **NEW)
    table = Table.objects.get(slug="ruby")
    assert "Ruby is open." in page
    assert (table.name, table.position, float_of(table)) == ("Ruby", 3, 5_000_00)
    assert (table.options["max_bet"], table.options["imbalance_limit"]) == (500_00, 500_00)
    assert "Ruby" in text(Client(), "/")


def test_or_with_the_options_and_times_of_another_table(house: House) -> None:
    like = open_table("jade", "Jade", "baccarat", {"decks": 6, "max_bet": 700_00}, times={"beat": 5})
    said(browser("pit_boss"), "/pit/tables/new/", **NEW, like="jade")
    table = Table.objects.get(slug="ruby")
    assert (table.options, table.times) == (like.options, {"beat": 5})


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"slug": "jade"}, "There is a table of this name already."),
        ({"slug": "new"}, "A table cannot have this name."),
        ({"float": "0"}, "greater than or equal to 1"),
        ({"game": "roulette", "like": "jade"}, "That table plays another game."),
        ({"jackpot": "lisboa"}, "This jackpot does not go with this game."),
    ],
)
def test_what_cannot_be_opened_is_said_in_the_form(house: House, wrong: dict[str, str], words: str) -> None:
    open_table("jade", "Jade", "baccarat", {})
    open_jackpot("lisboa", "Lisboa", 100_00)
    assert words in said(browser("pit_boss"), "/pit/tables/new/", **{**NEW, **wrong})
    assert Table.objects.count() == 1


def test_each_role_sees_the_buttons_of_its_rights(house: House) -> None:
    open_table("jade", "Jade", "baccarat", {})
    for role in ROLES:
        page = text(browser(role), "/pit/tables/jade/")
        assert ("/pit/tables/jade/pause/" in page) == (role in those_who_may(Right.RUN_TABLES))
        assert ("/pit/tables/jade/chips/" in page) == (role in those_who_may(Right.ORDER_CHIPS))
        assert "Table inventory sheet" in page


def test_the_bar_counts_what_waits_for_a_second_person(house: House) -> None:
    open_table("jade", "Jade", "baccarat", {})
    boss, cage = browser("pit_boss"), browser("cage")
    counts = re.compile(r'id="pit-count-(\w+)"[^>]* data-count="(\d+)"')
    assert dict(counts.findall(cage.get("/pit/").content.decode())) == dict.fromkeys(
        ("alerts", "chips", "approvals", "adjustments", "reviews"), "0"
    )
    said(boss, "/pit/tables/jade/chips/", kind="fill", credits="500", why="")
    assert dict(counts.findall(cage.get("/pit/").content.decode()))["chips"] == "1"


def test_a_fill_takes_two_persons_and_two_pages(house: House) -> None:
    table = open_table("jade", "Jade", "baccarat", {}, float_cents=1_000_00)
    boss, cage = browser("pit_boss"), browser("cage")
    assert "second person must confirm" in said(boss, "/pit/tables/jade/chips/", kind="fill", credits="250", why="low")
    order = ChipOrder.objects.get()
    assert (order.amount, order.why) == (250_00, "low")
    page = text(boss, "/pit/chips/")
    assert f"/pit/chips/{order.pk}/take-back/" in page and f"/pit/chips/{order.pk}/confirm/" not in page
    assert "/confirm/" not in text(browser("surveillance"), "/pit/chips/")
    assert f"/pit/chips/{order.pk}/confirm/" in text(cage, "/pit/chips/")
    clerk, manager = Player.objects.get(role="cage"), member("shift_manager")
    assert "Fill completed: 250 to Jade." in approve(clerk, f"/pit/chips/{order.pk}/confirm/").content.decode()
    assert "decided already" in approve(manager, f"/pit/chips/{order.pk}/confirm/").content.decode()
    assert float_of(table) == 1_250_00
    sheet = text(cage, "/pit/tables/jade/inventory/")
    assert "1,000.00" in sheet and "250.00" in sheet and "1,250.00" in sheet


def test_a_manager_cannot_confirm_his_own_order_and_takes_it_back(house: House) -> None:
    table = open_table("jade", "Jade", "baccarat", {}, float_cents=1_000_00)
    manager = browser("shift_manager")
    said(manager, "/pit/tables/jade/chips/", kind="credit", credits="100")
    order = ChipOrder.objects.get()
    own = approve(Player.objects.get(role="shift_manager"), f"/pit/chips/{order.pk}/confirm/")
    assert "A second person must confirm" in own.content.decode()
    assert "Nothing moves" in said(manager, f"/pit/chips/{order.pk}/take-back/")
    order.refresh_from_db()
    assert (order.state, float_of(table)) == ("refused", 1_000_00)


@pytest.mark.parametrize("credits", ["", "0", "-5", "1.5", "x", "9" * 30])
def test_chips_that_are_none_are_not_asked_for(house: House, credits: str) -> None:
    open_table("jade", "Jade", "baccarat", {})
    assert "whole credits" in said(browser("pit_boss"), "/pit/tables/jade/chips/", kind="fill", credits=credits)
    assert not ChipOrder.objects.exists()


def test_limits_and_times_are_set_for_the_next_round(house: House) -> None:
    table = open_table("jade", "Jade", "baccarat", {"min_bet": {"player": 10_00, "tie": 5_00}, "max_bet": 900_00})
    boss = browser("pit_boss")
    page = text(boss, "/pit/tables/jade/")
    assert 'name="min_bet.player"' in page and 'name="max_bet"' in page and 'name="time.betting"' in page
    fields = {"min_bet.player": "20", "min_bet.tie": "5", "max_bet": "800", "time.betting": "9.5"}
    assert "with the next round" in said(boss, "/pit/tables/jade/limits/", **fields)
    table = now(table)
    assert table.options["min_bet"] == {"player": 20_00, "tie": 5_00}
    assert (table.options["max_bet"], table.times) == (800_00, {"betting": 9_500})
    assert "whole number" in said(boss, "/pit/tables/jade/limits/", **{**fields, "max_bet": "much"})
    assert now(table).options["max_bet"] == 800_00


def test_limits_that_need_leave_are_not_in_the_form(house: House) -> None:
    open_table("wheel", "Wheel", "roulette", {})
    page = text(browser("pit_boss"), "/pit/tables/wheel/")
    assert "need the authorisation of the inspectorate" in page and 'name="min_bet"' not in page


def test_the_players_see_that_a_table_pauses_and_closes(house: House) -> None:
    table = house.table()
    boss, player = browser("pit_boss"), Client()
    house.until(table, "betting")
    said(boss, "/pit/tables/jade/pause/")
    assert "Pauses after this round" in text(player, "/tables/jade/")
    house.play_out(table)
    assert "The table pauses" in text(player, "/tables/jade/")
    said(boss, "/pit/tables/jade/resume/")
    assert "The table pauses" not in text(player, "/tables/jade/")
    said(boss, "/pit/tables/jade/close/", when="round")
    assert "Closes after this round" in text(player, "/tables/jade/")
    assert "Jade" in text(player, "/")
    before = version_of(table.pk)
    house.step(table)
    assert not now(table).open
    assert version_of(table.pk) != before
    page = text(player, "/tables/jade/")
    assert "The table is closed" in page and "Closes after" not in page
    assert "Jade" not in text(player, "/")
    assert table_state(table.pk).version == version_of(table.pk)
    assert "The table is open." in said(boss, "/pit/tables/jade/reopen/", float="700")
    assert float_of(table) == 700_00


def test_the_card_of_a_table_that_closes_leaves_the_lobbies_that_are_open(house: House) -> None:
    table = house.table()
    assert "Jade" in render_lobby({"en"})["en"]["table-jade"]
    lifecycle.close(member("pit_boss"), table.pk, "round", clock=house.clock)
    house.step(table)
    assert render_lobby({"en"})["en"] == {"table-jade": '<article id="table-jade" hidden hx-swap-oob="true"></article>'}


def test_who_runs_tables_finds_the_way_to_a_new_one() -> None:
    for role in ROLES:
        assert ("/pit/tables/new/" in text(browser(role), "/pit/")) == (role in those_who_may(Right.RUN_TABLES))


def test_closing_at_once_wants_a_reason_and_voids_the_round(house: House) -> None:
    table = house.table()
    house.until(table, "betting")
    boss, second = browser("pit_boss"), member("pit_boss", "second")
    assert "Give a reason." in said(boss, "/pit/tables/jade/close/", when="now", why=" ")
    assert "A second person must approve it." in said(boss, "/pit/tables/jade/close/", when="now", why="a fire")
    assert not house.log(table).void
    approve(second)
    assert house.log(table).void
    house.step(table)
    assert not now(table).open


@pytest.mark.parametrize("laid", [tie_carried, locked, left, left_on_dice])
def test_the_round_in_which_it_went_back_can_be_read_by_its_bettor(
    house: House, laid: Callable[[House], tuple[Table, Player]]
) -> None:
    table, ana = laid(house)
    played = house.play_out(table)
    lifecycle.close(member("pit_boss"), table.pk, "round", clock=house.clock)
    house.step(table)
    last = RoundLog.objects.get(table=table, number=played.number + 1)
    client = browser_of(ana)
    told = text(client, f"/rounds/{last.pk}/?step={last.version}")
    assert "The table closes: the stakes that were carried here go back" in told
    assert "The table closes: this round is not played" in told and "stakes stay" not in told
    assert "Carried stake given back" in text(client, "/account/")
    assert client.get(f"/rounds/{last.pk}/record.json").status_code == 200
    assert text(client, "/history/")


def test_the_night_sheet_tells_each_time_that_the_table_was_open(house: House) -> None:
    table, boss = house.table(), member("pit_boss")
    lifecycle.close(boss, table.pk, "round", clock=house.clock)
    house.step(table)
    house.clock.pass_(hours=20)
    lifecycle.reopen(boss, table.pk, 40_000_00, clock=house.clock)
    page = text(browser_of(boss), "/pit/tables/jade/inventory/")
    assert page.count('<section class="panel"') == 2
    assert "40,000.00" in page and "1,000,000.00" in page and "Counted and given back" in page
    assert page.index("40,000.00") < page.index("Counted and given back")


def test_a_limit_that_is_refused_is_called_as_the_house_calls_it(house: House) -> None:
    open_table("guia", "Guia", "stud_poker", {})
    page = said(browser("pit_boss"), "/pit/tables/guia/limits/", sure="1", min_ante="5000", max_ante="100")
    assert "“Minimum ante” cannot be more than “Maximum ante”" in page and "min_ante cannot" not in page


def test_a_number_that_another_option_no_longer_allows_is_refused_with_the_reason(house: House) -> None:
    table = open_table("bank", "Bank", "blackjack", {"shared_box_rule": "seated_decides"})
    boss = member("pit_boss")
    OptionChange.objects.create(
        table=table, changes={"max_bettors_per_box": 5}, before={}, authorisation=False, state="adopted", why="a fair",
        drafted_by=boss, drafted_at=house.clock.now(), adopted_at=house.clock.now(),
    )  # fmt: skip
    Table.objects.filter(pk=table.pk).update(options=table.options | {"shared_box_rule": "seated_or_nearest"})
    page = said(browser_of(boss), "/pit/tables/bank/at-once/", option="max_bettors_per_box", number="5")
    assert "“Bettors on one box” cannot be more than 3 under “" in page
