"""Fresh cards that the pit orders: its button and its rulings, what the players read, and the round that follows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.test import Client

from tables.games.stud_poker.phases import Raise
from tables.models import Event, RoundLog, Table
from tables.proof import reconciliation
from tables.queries.history import record_of_log
from tables.queries.shoes import leaves_of
from tables.services.rounds import seating
from tests.house.kit import House, opened_pack
from tests.kit import article

from .pit_kit import ROLES, approve, browser, browser_of, member

SHOES: dict[str, dict[str, Any]] = {
    "baccarat": {"dealing_device": "shoe"},
    "blackjack": {"dealing_device": "shoe", "initial_burn": "single"},
    "three_card_baccarat": {"decks": 6},
}


@pytest.fixture
def house(db: None) -> Iterator[House]:
    house = House()
    yield house
    house.in_order()


def text(client: Client, path: str) -> str:
    """A page, without its tags."""
    answer = client.get(path)
    assert answer.status_code == 200, path
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())))


def staked(house: House, game: str) -> Table:
    """A table with a shoe in its second round, in which Ana has a stake."""
    table, ana = house.table(game=game, **SHOES[game]), house.player("ana")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    spot = {"baccarat": "player", "blackjack": "main", "three_card_baccarat": "place"}[game]
    for first in (True, False):
        house.until(table, "betting")
        house.bet(ana, table, spot, 100, None if game == "baccarat" else 1)
        if first:
            house.play_out(table)
            house.step(table)
    return table


@article("55/2004", "3(2)")
@article("56/2004", "2(2)(2)")
@article("22/96/M", "3(1)")
@pytest.mark.parametrize(
    ("game", "by"), [("baccarat", "3(2)"), ("blackjack", "2(2)(2)"), ("three_card_baccarat", "3(1)")]
)
def test_the_house_changes_the_cards_after_any_round_and_says_so(house: House, game: str, by: str) -> None:
    table, boss, player = staked(house, game), browser("pit_boss"), Client()
    path, last = f"/tables/{table.slug}/", f"The house changes the cards after this round. art. {by}"
    assert "Change the cards after the round" in text(boss, f"/pit{path}")
    assert last not in text(player, path)
    old = house.log(table).shoe
    done = boss.post(f"/pit{path}cards/", {"why": "a new box"}, follow=True).content.decode()
    assert "The next round is dealt from fresh cards." in done and "changes the cards after this round" in done
    page = text(player, path)
    assert last in page and "Last round" in page
    event = Event.objects.get(deed="cards_changed")
    assert (event.table, event.why, event.after, event.log) == (table, "a new box", {"article": by}, house.log(table))
    again = boss.post(f"/pit{path}cards/", follow=True).content.decode()
    assert "already" in again and Event.objects.filter(deed="cards_changed").count() == 1

    before = house.play_out(table)
    assert old is not None and before.shoe == old and not before.void  # finished with the cards that it had
    house.until(table, "betting")
    log = house.log(table)
    assert log.number == before.number + 1 and log.shoe is not None and log.shoe.number == old.number + 1
    assert log.opening["fresh_by"] == by and log.opening["first_round"]
    assert f"this round is dealt from fresh ones. art. {by}" in text(player, path)
    old.refresh_from_db()
    assert old.opened is not None and opened_pack(old).is_committed(old.commitment, leaves_of(old))
    house.bet(before.played.get().player, table, {"baccarat": "player", "blackjack": "main"}.get(game, "place"), 100,
              None if game == "baccarat" else 1)  # fmt: skip
    ended = house.play_out(table)
    assert record_of_log(ended)["first_round"] and reconciliation.reconcile(ended).faults == ()
    house.step(table)
    house.until(table, "betting")
    assert house.log(table).shoe == log.shoe
    assert "fresh ones" not in text(player, path) and last not in text(player, path)


@pytest.mark.parametrize("role", ROLES)
def test_who_runs_tables_may_and_nobody_else(house: House, role: str) -> None:
    table, may = house.table(**SHOES["baccarat"]), role in ("pit_boss", "shift_manager")
    client = browser(role)
    assert ("Change the cards" in text(client, "/pit/tables/jade/")) == may
    assert client.post("/pit/tables/jade/cards/").status_code == (302 if may else 403)
    assert Table.objects.get(pk=table.pk).fresh_shoe_due == may


def test_where_each_round_has_fresh_cards_there_is_nothing_to_change(house: House) -> None:
    house.table(game="stud_poker")
    boss = browser("pit_boss")
    assert "Change the cards" not in text(boss, "/pit/tables/jade/")
    assert "Each round is dealt from fresh cards here." in unescape(
        boss.post("/pit/tables/jade/cards/", follow=True).content.decode()
    )
    assert not Table.objects.get().fresh_shoe_due


def ruled(log: RoundLog, what: str) -> str:
    """The page after the pit boss has ruled this, a second one agreeing where it takes two."""
    boss, second = browser("pit_boss"), member("pit_boss", "second")
    told = {"what": what, "ref": "one", "why": "seen by the inspector"}
    page = boss.post(f"/pit/rounds/{log.pk}/rule/", told, follow=True).content.decode()
    return unescape(approve(second).content.decode() if "second person" in page else page)


@article("56/2004", "2(2)(1)")
def test_worn_cards_of_blackjack_are_replaced_after_the_round(house: House) -> None:
    table, player = staked(house, "blackjack"), Client()
    ruled(house.log(table), "worn")
    page = text(player, "/tables/jade/")
    assert "The cards are worn" in page and "The house changes the cards after this round. art. 2(2)(1)" in page
    before = house.play_out(table)
    house.until(table, "betting")
    log = house.log(table)
    assert (log.shoe != before.shoe, log.opening["fresh_by"], before.void) == (True, "2(2)(1)", False)


@article("61/2004", "11(4)")
@pytest.mark.parametrize(
    ("what", "method", "words"),
    [
        ("shuffler", "shuffler", "This round is dealt by another shuffler. art. 11(4)"),
        ("shuffler_to_shoe", "manual_shoe", "This round is dealt from the shoe in place of the shuffler. art. 11(4)"),
    ],
)
def test_a_shuffler_that_fails_is_replaced_by_another_or_by_the_shoe(
    house: House, what: str, method: str, words: str
) -> None:
    table, ana = house.table(game="stud_poker"), house.player("ana")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    house.bet(ana, table, "ante", 100, 1)
    house.bet(ana, table, "jackpot", 25, 1)
    house.until(table, "deal")
    ruled(house.log(table), what)
    failed = house.log(table)
    assert failed.void and record_of_log(failed)["options"]["shuffle_method"] == "shuffler"
    player = browser_of(ana)
    page = text(player, "/tables/jade/")
    assert "The shuffler has failed, and is replaced. art. 11(4)" in page
    assert "Last round" not in page  # of what? Each round has a pack of its own (3)

    house.until(table, "betting")
    log = house.log(table)
    assert log.options["shuffle_method"] == method and log.opening["fresh_by"] == "11(4)"
    assert words in text(player, "/tables/jade/")
    assert [stake["spot"] for stake in log.opening["carried"]] == ["jackpot"]
    house.bet(ana, table, "ante", 100, 1)
    house.until(table, "look_and_decide")
    house.decide(ana, table, Raise)
    ended = house.play_out(table)
    record = record_of_log(ended)
    assert (record["options"]["shuffle_method"], record["first_round"]) == (method, True)
    assert reconciliation.reconcile(ended).faults == ()
    assert ("cut" in {line.action["do"] for line in ended.actions.all()}) == (method == "manual_shoe")
    event = Event.objects.get(deed="ruled")
    chosen = {"shuffle_method": method} if method == "manual_shoe" else None
    assert event.after is not None and event.after.get("options") == chosen
    house.until(table, "betting")  # and so it stays
    assert house.log(table).options["shuffle_method"] == method
    assert words not in text(player, "/tables/jade/")
