"""House options in the pit: who reads and changes them, and what the pages say of a change on its way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from tables.base.calendar import earliest_adoption, latest_filing, macau_date
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right
from tables.games import GAMES
from tables.games.contract.game import Game
from tables.models import OptionChange, Player, Table
from tables.services.pit import options as house_options
from tables.views.pit.option_forms import DraftForm, in_words
from tests.house.kit import House, open_table

from .pit_kit import ROLES, browser, browser_of, member, those_who_may

pytestmark = pytest.mark.django_db


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", html)))


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return text_of(answer.content.decode())


def row(client: Client, path: str, name: str) -> str:
    """The row of a table that begins with this name."""
    html = client.get(path).content.decode()
    found = [text_of(one) for one in re.findall(r"<tr.*?</tr>", html, re.DOTALL)]
    return next(one for one in found if one.strip().startswith(name))


def fields(slug: str, **changes: Any) -> dict[str, Any]:
    """What the form on the page of a table sends if only these fields are changed."""
    table = Table.objects.get(slug=slug)
    form = DraftForm(GAMES[table.game], house_options.options_now(table))
    sent = {}
    for bound in form:
        value = bound.value()
        sent[bound.name] = value if isinstance(value, list) else "" if value is None else str(value)
    return sent | {"why": "the season"} | changes


def draft(client: Client, slug: str, **changes: Any) -> OptionChange:
    answer = client.post(f"/pit/tables/{slug}/options/draft/", fields(slug, **changes))
    assert answer.status_code == 302, text_of(answer.content.decode())
    change = OptionChange.objects.latest("pk")
    assert answer.headers["Location"] == f"/pit/options/{change.pk}/"
    return change


@pytest.fixture
def jade(db: None) -> Table:
    return open_table("jade", "Jade", "baccarat", {"burn_mode": "fixed_n", "burn_fixed_n": 3, "min_bet": {"tie": 500}})


@pytest.fixture
def house(db: None) -> Iterator[House]:
    house = House()
    yield house
    house.in_order()


@pytest.fixture
def boss(db: None) -> Client:
    return browser("pit_boss")


def test_everybody_of_the_staff_reads_the_options_and_some_may_draft(jade: Table) -> None:
    for role in ROLES:
        html = browser(role).get("/pit/tables/jade/options/").content.decode()
        assert "Decks in use" in html
        assert ("/pit/tables/jade/options/draft/" in html) == (role in those_who_may(Right.DRAFT_OPTIONS))


def test_an_option_is_shown_with_its_article_value_leave_and_what_is_allowed(jade: Table) -> None:
    surveillance, path = browser("surveillance"), "/pit/tables/jade/options/"
    assert row(surveillance, path, "Decks in use") == " Decks in use art. 1(1) 8 not needed 6 to 12 "
    tie = row(surveillance, path, "After a tie a stake")
    assert "art. 12 may be withdrawn, kept or changed needed art. 19" in tie and "is returned" in tie
    assert "14 not needed 12 or more" in row(surveillance, path, "Cards behind the white card")
    assert "Tie: 5 not needed an amount, or one for each bet" in row(surveillance, path, "Minimum")
    assert "1,000,000 not needed an amount or none" in row(surveillance, path, "Limit of the difference")
    assert "no choice of the house" in row(surveillance, path, "Edition of the regulation")
    assert "never in the middle of one" in page(surveillance, path)
    open_table("wheel", "Wheel", "roulette", {})
    assert "needed art. 9" in row(surveillance, "/pit/tables/wheel/options/", "Minimum")
    open_table("guia", "Guia", "stud_poker", {"edition": "69/2003"})
    assert "no choice of the house" in row(surveillance, "/pit/tables/guia/options/", "A royal flush pays")
    open_table("box", "Box", "three_card_baccarat", {})
    assert "art. 1(1)" in row(surveillance, "/pit/tables/box/options/", "Decks in use")
    assert " needed " not in page(surveillance, "/pit/tables/box/options/").replace("not needed", "")


@pytest.mark.parametrize("game", GAMES)
def test_the_form_as_it_stands_changes_nothing(boss: Client, game: str) -> None:
    open_table("one", "One", game, {})
    answer = boss.post("/pit/tables/one/options/draft/", fields("one"))
    assert "Nothing changes." in text_of(answer.content.decode())
    assert not OptionChange.objects.exists()


def test_a_draft_takes_each_kind_of_value(boss: Client, jade: Table) -> None:
    change = draft(
        boss, "jade",
        decks="6", tie_policy='"return"', lucky_six="true", imbalance_limit="20000.50", seats="9",
        burn_mode='"by_decks"', burn_fixed_n="null", min_bet="5",
        max_bet="player 1000\nbanker 2000\ntie 50\nplayer_pair 50\nbanker_pair 50\nlucky_six 50",
    )  # fmt: skip
    assert change.changes == {
        "decks": 6, "tie_policy": "return", "lucky_six": True, "imbalance_limit": 20_000_50, "seats": 9,
        "burn_mode": "by_decks", "burn_fixed_n": None, "min_bet": 5_00,
        "max_bet": {
            "player": 1_000_00, "banker": 2_000_00, "tie": 50_00, "player_pair": 50_00, "banker_pair": 50_00,
            "lucky_six": 50_00,
        },
    }  # fmt: skip
    open_table("bank", "Bank", "blackjack", {})
    sides = draft(boss, "bank", side_bets_offered=["sevens"], insurance_max_fraction="3/4", deal_procedure="1")
    assert sides.changes == {"side_bets_offered": ["sevens"], "insurance_max_fraction": "3/4", "deal_procedure": 1}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"decks": "13"}, "Select a valid choice"),
        ({"seats": "many"}, "Write a whole number"),
        ({"seats": "3"}, "seats cannot be 3"),
        ({"imbalance_limit": "-4"}, "Write an amount of credits"),
        ({"min_bet": "tie"}, "Write an amount of credits"),
        ({"min_bet": "tie 5\ntie 6"}, "a name and an amount in each line"),
        ({"min_bet": "dragon 5"}, "“Minimum” cannot be"),
        (
            {"imbalance_limit": "4", "min_bet": "5"},
            "With a difference of at most 4.00 nobody could lay the minimum of 5.00.",
        ),
        ({"burn_fixed_n": "null"}, "“The fixed number of burnt cards” goes with “Cards burnt after the cut” “"),
        ({"decks": "6", "why": " "}, "This field is required"),
    ],
)
def test_what_cannot_be_is_said_and_what_was_filled_in_stays(
    boss: Client, jade: Table, changes: dict[str, str], said: str
) -> None:
    answer = boss.post("/pit/tables/jade/options/draft/", fields("jade", **{"cut_card_depth": "21", **changes}))
    assert answer.status_code == 200 and said in text_of(answer.content.decode())
    assert 'value="21"' in answer.content.decode()
    assert not OptionChange.objects.exists()


def test_options_that_spoil_each_other_are_warned_of(boss: Client) -> None:
    open_table("jade", "Jade", "baccarat", {"max_bet": 20_000_00})
    text = page(boss, f"/pit/options/{draft(boss, 'jade', imbalance_limit='500').pk}/")
    assert (
        "The difference is limited to 500.00: a stake of the maximum of 20,000.00 can only lie against stakes" in text
    )
    assert "all options of the table agree" not in text


def test_a_change_is_shown_with_what_it_does_and_by_when_it_is_filed(boss: Client, jade: Table) -> None:
    change = draft(boss, "jade", commission_mode='"no_commission_six_half"', pairs_enabled="false")
    path = f"/pit/options/{change.pk}/"
    text = page(boss, path)
    today = macau_date(change.drafted_at)
    earliest = earliest_adoption(today)
    assert f"To hold from {earliest:%a %Y-%m-%d}: file by {latest_filing(earliest):%a %Y-%m-%d}" in text
    assert f"it may hold from {earliest:%a %Y-%m-%d}" in text
    assert "all options of the table agree" in text
    assert "five per cent commission no commission; half is paid on a win with 6 needed art. 19" in text
    assert re.search(r"Banker 1\.058 % more 1\.458 % exact", text)
    assert re.search(r"Player pair 1\d\.\d{3} % – exact", text)
    assert f'value="{earliest}"' in boss.get(path).content.decode()


def test_from_the_draft_to_the_approval(boss: Client) -> None:
    open_table("wheel", "Wheel", "roulette", {})
    change = draft(boss, "wheel", zero_combinations='"allowed"')
    path = f"/pit/options/{change.pk}/"
    today = macau_date(change.drafted_at)
    earliest = earliest_adoption(today)
    late = boss.post(f"{path}submit/", {"submitted_on": today, "planned_for": today})
    assert "the request must be filed by" in text_of(late.content.decode())
    assert "Enter a valid date" in text_of(boss.post(f"{path}submit/", {"submitted_on": "x"}).content.decode())
    sent = boss.post(f"{path}submit/", {"submitted_on": today, "planned_for": earliest}, follow=True)
    assert "The inspectorate has yet to answer" in text_of(sent.content.decode())
    assert "answer/" not in boss.get(path).content.decode()
    manager = browser("shift_manager")
    assert "answer/" in manager.get(path).content.decode()
    answered = manager.post(f"{path}answer/", {"answer": "approved", "reference": "DICJ 17"}, follow=True)
    text = text_of(answered.content.decode())
    assert f"the first round that is opened on or after {earliest:%a %Y-%m-%d}" in text and "DICJ 17" in text
    assert "authorised" in page(boss, "/pit/options/")
    assert f"/pit/options/{change.pk}/" in boss.get("/pit/tables/wheel/options/").content.decode()


def test_nobody_answers_his_own_draft(jade: Table) -> None:
    manager = browser("shift_manager")
    change = draft(manager, "jade", tie_policy='"return"')
    path, today = f"/pit/options/{change.pk}/", macau_date(change.drafted_at)
    manager.post(f"{path}submit/", {"submitted_on": today, "planned_for": earliest_adoption(today)})
    assert "A second person must record" in page(manager, path)
    tried = manager.post(f"{path}answer/", {"answer": "approved", "reference": "17"}, follow=True)
    assert "A second person must record" in text_of(tried.content.decode())
    change.refresh_from_db()
    assert change.state == "submitted"
    other = browser_of(member("shift_manager", "other"))
    other.post(f"{path}answer/", {"answer": "refused", "reference": "DICJ 18"})
    change.refresh_from_db()
    assert (change.state, change.reference) == ("refused", "DICJ 18")
    assert "Nothing: it is over." in page(manager, path)


def test_what_needs_no_leave_is_adopted_here_and_its_history_is_told(house: House, boss: Client) -> None:
    table = house.table("box", game="three_card_baccarat")
    change = draft(boss, "box", tie_enabled="false")
    path = f"/pit/options/{change.pk}/"
    text = page(boss, path)
    assert "No article requires an authorisation" in text and "submit/" not in boss.get(path).content.decode()
    assert re.search(r"Tie \d\d\.\d{3} % – exact", text)
    assert "It takes effect as soon as it may" in text_of(boss.post(f"{path}adopt/", follow=True).content.decode())
    house.until(table, "betting")
    first = house.log(table)
    assert f"First round: {first.number}" in page(boss, path) and "New options in force the house" in page(boss, path)
    history = page(boss, "/pit/tables/box/options/history/")
    assert re.search(rf" {change.pk} adopted Tie bets are offered: yes → no {first.number} , 2066", history)
    assert "the season" in history
    assert "Tie bets are offered art. 8(3) yes" in history.partition("What the table opened with")[2]
    assert "No change of options waits" in page(boss, "/pit/options/")


def test_a_draft_is_withdrawn_with_a_reason(boss: Client, jade: Table) -> None:
    change = draft(boss, "jade", decks="6")
    path = f"/pit/options/{change.pk}/"
    assert "Give a reason" in text_of(boss.post(f"{path}withdraw/", {"why": ""}, follow=True).content.decode())
    assert "not now" in text_of(boss.post(f"{path}withdraw/", {"why": "not now"}, follow=True).content.decode())
    change.refresh_from_db()
    assert change.state == "withdrawn" and "withdrawn" in page(boss, "/pit/tables/jade/options/history/")


def test_what_does_not_go_together_any_more_says_so(boss: Client) -> None:
    table = open_table("bank", "Bank", "blackjack", {})
    change = draft(boss, "bank", max_boxes_per_player="7")
    Table.objects.filter(pk=table.pk).update(options=table.options | {"boxes": 6})
    text = page(boss, f"/pit/options/{change.pk}/")
    assert "“Boxes that one bettor may play” cannot be more than the boxes." in text and "agree" not in text


def test_each_deed_is_for_those_who_have_its_right(jade: Table) -> None:
    change = draft(browser_of(member("shift_manager", "drafter")), "jade", tie_policy='"return"')
    deeds = {"submit": Right.DRAFT_OPTIONS, "adopt": Right.DRAFT_OPTIONS, "withdraw": Right.DRAFT_OPTIONS,
             "answer": Right.RECORD_AUTHORISATION}  # fmt: skip
    for role in ROLES:
        client = browser(role)
        assert client.get(f"/pit/options/{change.pk}/").status_code == 200
        for deed, right in deeds.items():
            status = client.post(f"/pit/options/{change.pk}/{deed}/").status_code
            assert (status == 403) == (role not in those_who_may(right)), (role, deed)
    assert browser_of(Player.objects.create(username="ana", name="Ana")).get("/pit/options/").status_code == 404
    change.refresh_from_db()
    assert change.state == "draft" and change.planned_for is None


def test_a_refusal_calls_options_as_the_house_does(jade: Table) -> None:
    answer = browser("pit_boss").post("/pit/tables/jade/options/draft/", fields("jade", cut_card_depth="3"))
    said = text_of(answer.content.decode())
    assert "“Cards behind the white card” cannot be 3" in said and "cut_card_depth" not in said


def test_the_history_tells_limits_in_words(jade: Table) -> None:
    boss = browser("pit_boss")
    boss.post("/pit/tables/jade/limits/", {"min_bet.tie": "7", "max_bet": "1000000", "time.betting": "25"})
    said = page(boss, "/pit/tables/jade/options/history/")
    assert "Minimum: Tie: 5 → Tie: 7" in said and "Betting: – → 25 s" in said


def test_an_edition_is_planned_here_for_a_later_day(boss: Client) -> None:
    open_table("guia", "Guia", "stud_poker", {"edition": "69/2003"})
    shown = page(boss, "/pit/tables/guia/options/")
    assert "Edition 69/2003: it is kept, whichever is in force." in shown
    assert "In force since 2003-09-09. Another took its place on 2004-05-18." in shown
    change = draft(boss, "guia", edition='"61/2004"')
    assert (change.changes, change.authorisation) == ({"edition": "61/2004"}, False)
    path, later = f"/pit/options/{change.pk}/", macau_date(DATABASE_CLOCK.now()) + timedelta(days=9)
    assert "Give a date." in text_of(boss.post(f"{path}adopt/", {"planned_for": "soon"}, follow=True).content.decode())
    boss.post(f"{path}adopt/", {"planned_for": later})
    change.refresh_from_db()
    assert (change.state, change.planned_for) == ("approved", later)
    open_table("penha", "Penha", "stud_poker", {})
    assert "the one in force" in page(boss, "/pit/tables/penha/options/")
    assert b'name="edition"' in boss.get("/pit/tables/guia/options/").content
    assert b'name="edition"' not in boss.get("/pit/tables/penha/options/").content


@pytest.mark.parametrize("game", [GAMES["roulette"], GAMES["cussec"]], ids=lambda game: game.slug)
def test_a_limit_of_several_bets_is_told_by_their_titles_and_not_by_its_own_name(game: Game) -> None:
    families = {spot.family or name: 1_00 for name, spot in game.spots.items()}
    with translation.override("zh-hant"):
        told = in_words(game, "max_bet", tuple(families.items()))
    assert len(told.split("；")) == len(families)
    assert not re.findall("[a-z_]{3,}", told), "the name that the options have for it"
