"""A player's rounds again: the list, each step as they saw it then, the record, and the shoe they came from."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from html import unescape
from io import StringIO
from typing import Any

import pytest
from django.test import Client

from tables.base.calendar import macau_date
from tables.felt.formatting import card_name, credits_of
from tables.games.baccarat import Turn
from tables.games.baccarat.coup import Hand
from tables.games.baccarat.view import View
from tables.games.blackjack.phases import Double, Match, Split, Surrender
from tables.games.contract.actions import Ready
from tables.games.record import outcome_of
from tables.games.values.cards import card
from tables.models import Played, Player, RoundLog, Shoe, Table
from tables.queries.folds import log_entries
from tables.queries.history import history_of
from tables.services.rounds import decisions, seating
from tests.house import deeds
from tests.house.kit import House, change_shoe, opened_pack, void_round
from tests.kit import view_for

SHOE: dict[str, Any] = {"dealing_device": "shoe", "burn_mode": "fixed_n", "burn_fixed_n": 1}
"""Dealt from a shoe, one card burnt after the cut; the dealer cuts after the first card of the pack."""


@pytest.fixture
def house(db: None) -> Iterator[House]:
    """A house whose books must be in order when the test is over."""
    house = House()
    yield house
    house.in_order()


def _browser(player: Player | None) -> Client:
    browser = Client()
    if player is not None:
        browser.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    return browser


def _page(browser: Client, path: str) -> str:
    answer = browser.get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    html: str = answer.content.decode()
    return html


def _text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def _played(house: House, table: Table, bets: list[tuple[Player, str, int]]) -> RoundLog:
    """One round with these bets, to its end."""
    house.until(table, "betting")
    for player, spot, credits in bets:
        house.bet(player, table, spot, credits)
    return house.play_out(table)


# ── The list ────────────────────────────────────────────────────────────────────────────────────────────────


def test_who_has_not_played_is_told_so(house: House) -> None:
    assert "You have not played a round yet." in _page(_browser(house.player("ana")), "/history/")


def test_only_who_is_logged_in_has_a_history(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    log = _played(house, table, [(ana, "player", 10)])
    for path in ("/history/", f"/rounds/{log.pk}/", f"/rounds/{log.pk}/record.json"):
        assert _browser(None).get(path)["Location"].startswith("/accounts/login/?next=")


def test_the_list_says_what_was_staked_what_returned_and_what_is_left_of_it(house: House) -> None:
    table, ana, rui = house.table(), house.player("ana"), house.player("rui")
    house.stack("2s 3c Jd 5h")  # the Banker wins with a natural 8
    first = _played(house, table, [(ana, "banker", 100), (ana, "tie", 20)])
    house.stack("4s Kc 5d 7h")  # the Player wins, 9 to 7
    second = _played(house, table, [(rui, "player", 30)])
    mine, his = _page(_browser(ana), "/history/"), _page(_browser(rui), "/history/")
    (row,) = re.findall(r"<tr>\s*<th scope=\"row\".*?</tr>", mine, re.DOTALL)
    row = _text(row)
    assert all(said in row for said in ("Jade 1", "120.00", "195.00", "+75.00", "Banker, 2 to 8"))
    assert f"/rounds/{first.pk}/" in mine
    assert f"/rounds/{second.pk}/" not in mine
    assert f"/rounds/{second.pk}/" in his
    assert "+30.00" in _text(his)


@pytest.mark.in_full
def test_the_list_is_paged_newest_first(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    logs = [_played(house, table, [(ana, "player", 1)]) for _ in range(27)]
    browser = _browser(ana)
    first = _page(browser, "/history/")
    shown = re.findall(r"/rounds/(\d+)/", first)
    assert shown == [str(log.pk) for log in reversed(logs[2:])]
    older = re.search(r'href="(/history/\?before=\d+)"', first)
    assert older is not None
    assert re.findall(r"/rounds/(\d+)/", _page(browser, older.group(1))) == [str(logs[1].pk), str(logs[0].pk)]
    for wrong in ("x", "-1", "1.5", "", "9" * 30):
        assert browser.get("/history/", {"before": wrong}).status_code == 404


def test_the_round_that_ended_last_stands_first_at_whichever_table_it_began(house: House) -> None:
    slow, quick, ana = house.table(), house.table("lotus"), house.player("ana")
    house.until(slow, "betting")
    house.bet(ana, slow, "player", 10)  # begins first, and ends between two others
    first = _played(house, quick, [(ana, "player", 1)])
    second = house.play_out(slow)
    third = _played(house, quick, [(ana, "player", 1)])
    shown = re.findall(r"/rounds/(\d+)/", _page(_browser(ana), "/history/"))
    assert shown == [str(log.pk) for log in (third, second, first)]
    assert second.pk < first.pk < third.pk
    ended = history_of(ana, before=third.pk)
    assert [line.log_id for line in ended] == [second.pk, first.pk]
    assert [line.log_id for line in history_of(ana, before=second.pk)] == [first.pk]


def _listed(html: str) -> list[int]:
    """The rounds of a page of the list, in its order."""
    return [int(number) for number in re.findall(r"/rounds/(\d+)/", html)]


def _sums(html: str) -> dict[str, str]:
    """What the page says of all rounds that are chosen."""
    found = re.search(r'<dl class="sums".*?</dl>', html, re.DOTALL)
    assert found is not None
    said = re.findall(r"<dt>(.*?)</dt><dd[^>]*>(.*?)</dd>", found.group())
    return {_text(name): _text(amount).removesuffix(" credits") for name, amount in said}


def test_the_list_shows_what_is_chosen_and_sums_up_just_that(house: House) -> None:
    jade, ana, rui = house.table(tie_policy="return"), house.player("ana"), house.player("rui")
    house.stack("2s 3c Jd 5h")  # the Banker wins with a natural 8
    won = _played(house, jade, [(ana, "banker", 100), (rui, "player", 5)])
    house.stack("2s 3c Jd 5h")
    lost = _played(house, jade, [(ana, "player", 30)])
    house.stack("Ts 4c 6d 2h")  # a tie returns what lies on the Player
    even = _played(house, jade, [(ana, "player", 40)])
    house.clock.pass_(hours=21)  # the next day of Macau, while the dealer has its tables still
    lotus, black = house.table("lotus"), house.table("taipa", game="blackjack")
    house.stack("2s 3c Jd 5h")
    later = _played(house, lotus, [(ana, "player", 7)])
    assert even.settled_at is not None and later.settled_at is not None
    day, next_day = (f"{macau_date(settled):%Y-%m-%d}" for settled in (even.settled_at, later.settled_at))
    house.until(black, "betting")
    house.bet(ana, black, "main", 20, 2)
    other = house.play_out(black)
    browser = _browser(ana)
    for query, expected in (
        ("", [other, later, even, lost, won]),
        ("game=baccarat", [later, even, lost, won]),
        (f"table={black.slug}", [other]),
        (f"table={jade.slug}", [even, lost, won]),
        ("game=baccarat&ended=won", [won]),
        ("game=baccarat&ended=lost", [later, lost]),
        ("ended=even&game=baccarat", [even]),
        (f"until={day}&game=baccarat", [even, lost, won]),
        (f"since={next_day}&until={next_day}&game=baccarat", [later]),
    ):
        html = _page(browser, f"/history/?{query}")
        assert _listed(html) == [log.pk for log in expected], query
        played = Played.objects.filter(player=ana, log__in=expected)
        staked, returned = (sum(getattr(one, name) for one in played) for name in ("staked", "returned"))
        sums = _sums(html)
        assert sums["Rounds"] == str(len(expected))
        assert (sums["Staked"], sums["Returned"]) == (credits_of(staked, exact=True), credits_of(returned, exact=True))
        assert sums["Net"].endswith(credits_of(abs(returned - staked), exact=True)), query
        rows = _csv(browser, query)
        assert [row[0] for row in rows[1:]] == [str(log.pk) for log in expected]
        assert sum(round(float(row[-1]) * 100) for row in rows[1:]) == returned - staked
    assert _sums(_page(browser, "/history/?ended=won&game=baccarat"))["Net"] == "+95.00"
    assert _listed(_page(_browser(rui), "/history/?ended=lost")) == [won.pk]
    empty = _page(browser, f"/history/?since={next_day}&ended=won&game=baccarat")
    assert "None of your rounds matches this choice." in empty
    assert _sums(empty) == {"Rounds": "0", "Staked": "0.00", "Returned": "0.00", "Net": "0.00"}


def _csv(browser: Client, query: str) -> list[list[str]]:
    answer = browser.get(f"/history.csv?{query}")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="rounds.csv"'
    text = answer.content.decode()
    assert text[0] == "\ufeff"
    return list(csv.reader(StringIO(text[1:])))


def test_the_sheet_says_what_the_list_says_in_plain_figures(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.stack("2s 3c Jd 5h")
    log = _played(house, table, [(ana, "banker", 1_000), (ana, "tie", 20)])
    head, row = _csv(_browser(ana), "")
    assert head[:3] == ["Id of the round", "Table", "Number at its table"]
    assert row[:4] == [str(log.pk), "Jade", "1", "Baccarat"]
    assert datetime.fromisoformat(row[4]) == log.settled_at.replace(microsecond=0)  # type: ignore[union-attr]
    assert row[4].endswith("+08:00")
    assert row[5:] == ["Banker, 2 to 8", "1020.00", "1950.00", "930.00"]
    assert _browser(None).get("/history.csv")["Location"].startswith("/accounts/login/?next=")


@pytest.mark.in_full
def test_a_choice_without_sense_is_refused_and_what_is_chosen_stays_on_the_next_page(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    for _ in range(26):
        _played(house, table, [(ana, "player", 1)])
    browser = _browser(ana)
    for wrong in ("since=2026-07-02&until=2026-07-01", "since=x", "game=bridge", "table=nowhere", "ended=maybe"):
        answer = browser.get(f"/history/?{wrong}")
        assert answer.status_code == 400
        assert "field__error" in answer.content.decode()
        assert not _listed(answer.content.decode())
        assert browser.get(f"/history.csv?{wrong}")["Location"] == f"/history/?{wrong}"
    first = _page(browser, "/history/?game=baccarat")
    older = re.search(r'href="(/history/\?game=baccarat&amp;before=\d+)"', first)
    assert older is not None
    second = _page(browser, unescape(older.group(1)))
    assert len(_listed(second)) == 1
    assert _sums(second)["Rounds"] == "26"
    assert 'href="/history/?game=baccarat"' in second


# ── The replay ──────────────────────────────────────────────────────────────────────────────────────────────


def _seen_in(html: str) -> Counter[str]:
    """The faces of all cards on a page."""
    return Counter(name for name in re.findall(r'data-card="([^"]*)"', html) if name)


def _shown_by(view: View) -> Counter[str]:
    """The faces that a viewer's view shows them of the two hands."""
    return Counter(str(one.face) for hand in view.hands for one in hand.cards if one.face is not None)


def test_only_who_had_a_stake_or_a_seat_may_see_a_round_again(house: House) -> None:
    table, ana, rui, lee = house.table(), house.player("ana"), house.player("rui"), house.player("lee")
    seating.sit(rui.pk, table.pk, 3, clock=house.clock)
    log = _played(house, table, [(ana, "player", 10)])
    assert _browser(ana).get(f"/rounds/{log.pk}/").status_code == 200
    assert _browser(rui).get(f"/rounds/{log.pk}/").status_code == 200
    for path in (f"/rounds/{log.pk}/", f"/rounds/{log.pk}/?step=1", f"/rounds/{log.pk}/record.json"):
        assert _browser(lee).get(path).status_code == 404
    assert _browser(ana).get("/rounds/999999/").status_code == 404


def test_a_carried_stake_is_a_stake(house: House) -> None:
    table, ana = house.table(tie_policy="no_move"), house.player("ana")
    house.stack("Ts 4c 6d 2h")  # a tie
    _played(house, table, [(ana, "player", 10)])
    second = _played(house, table, [])
    assert "My stakes" in _page(_browser(ana), f"/rounds/{second.pk}/")


def test_a_round_that_is_still_played_shows_nothing_yet(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 10)
    round_id = house.log(table).pk
    page = _page(_browser(ana), f"/rounds/{round_id}/")
    assert "still being played" in page
    assert "data-card" not in page
    assert _browser(ana).get(f"/rounds/{round_id}/record.json").status_code == 404


def test_the_steps_are_links_that_need_no_script(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.stack("4s Kc 5d 7h")
    log = _played(house, table, [(ana, "player", 10)])
    browser, here = _browser(ana), f"/rounds/{log.pk}/"
    assert f'href="{here}?step=0"' not in _steps(_page(browser, f"{here}?step=0"))
    assert _now(_page(browser, here)) == _now(_page(browser, f"{here}?step={log.version}")), "it opens on its result"
    walked, at = [], 0
    while True:
        html = _page(browser, f"{here}?step={at}")
        walked.append(at)
        on = re.search(rf'href="{here}\?step=(\d+)" data-step="on"', html)
        if on is None:
            break
        at = int(on.group(1))
    assert walked == list(range(log.version + 1))
    last = _steps(_page(browser, f"{here}?step=99999"))
    assert f'href="{here}?step=0"' in last
    assert f'href="{here}?step={log.version - 1}" data-step="back"' in last
    for wrong in ("x", "-1", "1.5", "", "9" * 30):
        assert browser.get(here, {"step": wrong}).status_code == 404


def _steps(html: str) -> str:
    found = re.search(r'<nav class="steps".*?</nav>', html, re.DOTALL)
    assert found is not None
    return found.group()


def test_each_step_says_what_happened_with_its_article(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    seating.sit(ana.pk, table.pk, 3, clock=house.clock)
    house.stack("Js 2c 5d 4h 6s Ah")  # the Player draws on 5, the bank on 6 against a 6; Banker wins 7 to 1
    house.until(table, "betting")
    house.bet(ana, table, "banker", 100, box=3)
    house.bet(ana, table, "tie", 5)
    (tie,) = [stake for stake in house.round(table).stakes() if stake.spot == "tie"]
    deeds.withdraw(ana.pk, house.log(table).pk, house.ref(), tie.bet, clock=house.clock)
    log = house.play_out(table)
    browser = _browser(ana)
    said = [_now(_page(browser, f"/rounds/{log.pk}/?step={step}")) for step in range(log.version + 1)]
    expected = [
        "The round begins.",
        "Ana stakes 100.00 on Banker, box 3. art. 13(2)",
        "Ana stakes 5.00 on Tie. art. 13(3)",
        "Ana withdraws 5.00 from Tie.",
        "Bets are closed.",
        "Player gets jack of spades. art. 7(1)",
        "Banker gets 2 of clubs. art. 7(1)",
        "Player gets 5 of diamonds. art. 7(1)",
        "Banker gets 4 of hearts. art. 7(1)",
        "The Player draws on 5. art. 9(1) Player gets 6 of spades.",
        "The Banker draws on 6 against a 6. art. 9(3)(5) Banker gets ace of hearts.",
        "Banker wins, 7 to 1. art. 11",
    ]
    assert [re.sub(r" ?\d\d:\d\d:\d\d$", "", line).strip() for line in said] == expected


def _now(html: str) -> str:
    """What the page says of its step."""
    found = re.search(r'<p class="replay__now".*?</p>', html, re.DOTALL)
    assert found is not None
    return _text(found.group())


def _squeezed(house: House) -> tuple[RoundLog, Player, Player]:
    """A round from a shoe: one holds the Player's hand and turns it, the other the Banker's and is too late."""
    table, ana, rui = house.table(**SHOE, burn_each_round=1), house.player("ana"), house.player("rui")
    seating.sit(ana.pk, table.pk, 2, clock=house.clock)
    seating.sit(rui.pk, table.pk, 5, clock=house.clock)
    # to the bottom; burnt after the cut; burnt in the round; the Player draws on 5, the bank on 6 against a 6
    house.stack("9c 9d 8d Js 2c 5d 4h 6s Ah")
    house.until(table, "betting")
    house.bet(ana, table, "player", 50)
    house.bet(rui, table, "banker", 50)
    house.until(table, "open_player")
    round_id = house.log(table).pk
    decisions.decide(ana.pk, round_id, house.ref(), Turn(ana.key, hand=Hand.PLAYER), clock=house.clock)
    return house.play_out(table), ana, rui


@pytest.mark.in_full
def test_a_step_shows_the_cards_that_the_player_saw_then_and_no_other(house: House) -> None:
    log, ana, rui = _squeezed(house)
    differ = 0
    lines = list(log_entries(log))
    for player in (ana, rui):
        browser = _browser(player)
        for line in lines:
            html = _page(browser, f"/rounds/{log.pk}/?step={line.seq}")
            view = view_for(line.after, player.key)
            assert _seen_in(html) == _shown_by(view), (player, line.seq)
            differ += _shown_by(view) != _shown_by(view_for(line.after, None))
    assert differ >= 4, "somebody should have looked at cards that lay face down for the others"


def test_no_step_names_a_card_before_the_player_saw_it_nor_a_burnt_one_ever(house: House) -> None:
    log, ana, rui = _squeezed(house)
    dealt = ["Js", "2c", "5d", "4h", "6s", "Ah"]
    for player in (ana, rui):
        browser = _browser(player)
        for line in log_entries(log):
            text = _text(_page(browser, f"/rounds/{log.pk}/?step={line.seq}"))
            shown = _shown_by(view_for(line.after, player.key))
            for name in (*dealt, "9c", "9d", "8d"):
                assert (card_name(card(name)) in text) <= (name in shown), (player, line.seq, name)


def test_the_page_has_nothing_to_press_but_links_and_the_switches_of_every_page(house: House) -> None:
    log, ana, _rui = _squeezed(house)
    for step in range(log.version + 1):
        html = _page(_browser(ana), f"/rounds/{log.pk}/?step={step}")
        felt = html[html.index('<div class="felt">') : html.index('<div class="dock">')]
        outside = re.sub(r"<fieldset.*?</fieldset>", "", felt, flags=re.DOTALL)
        assert "<button" not in outside
        assert "<fieldset" in felt
        assert re.search(r"<fieldset[^>]* disabled", felt)
        assert "ws-connect" not in html


def test_a_cancelled_round_can_be_seen_again(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    house.until(table, "deal")
    void_round(house.log(table).pk, "cards mixed up", clock=house.clock)
    log = house.log(table)
    html = _page(_browser(ana), f"/rounds/{log.pk}/?step={log.version}")
    assert "The round is void: its stakes are returned, carried stakes stay. art. 10" in _now(html)
    assert "cards mixed up" not in html


# ── The record ──────────────────────────────────────────────────────────────────────────────────────────────


def test_the_record_can_be_had_and_plays_to_the_same_end(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.stack("2s 3c Jd 5h")
    log = _played(house, table, [(ana, "banker", 100)])
    answer = _browser(ana).get(f"/rounds/{log.pk}/record.json")
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"] == f'attachment; filename="round-{log.pk}.json"'
    record = json.loads(answer.content)
    assert record["chance"] == ["2s", "3c", "Jd", "5h"]
    outcome = outcome_of(record)
    assert outcome["result"] == log.result
    assert outcome["returned"] == {ana.key: 19_500}


@pytest.mark.parametrize("cancelled", [False, True])
def test_a_record_with_cards_that_nobody_saw_waits_for_the_end_of_the_shoe(house: House, cancelled: bool) -> None:
    table, ana = house.table(**SHOE, burn_each_round=0 if cancelled else 1), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    if cancelled:
        house.until(table, "open_player")
        void_round(house.log(table).pk, "cards mixed up", clock=house.clock)
    log, browser = house.play_out(table), _browser(ana)
    page = _page(browser, f"/rounds/{log.pk}/")
    assert "record.json" not in page
    assert "once the shoe is retired" in page
    answer = browser.get(f"/rounds/{log.pk}/record.json", follow=True)
    assert "once the shoe is retired" in answer.content.decode()
    assert "chance" not in answer.content.decode()
    change_shoe(table.pk)
    house.until(table, "betting")
    assert log.shoe is not None
    log.shoe.refresh_from_db()
    assert log.shoe.retired_at is not None
    assert "record.json" in _page(browser, f"/rounds/{log.pk}/")
    record = json.loads(browser.get(f"/rounds/{log.pk}/record.json").content)
    assert outcome_of(record)["result"] == log.result


# ── The shoe ────────────────────────────────────────────────────────────────────────────────────────────────


def _two_rounds(house: House) -> tuple[Table, Shoe]:
    """A shoe in use from which two rounds have been dealt."""
    table, ana = house.table(**SHOE, burn_each_round=1, demo_rounds=1), house.player("ana")
    _played(house, table, [(ana, "player", 10)])
    log = _played(house, table, [(ana, "player", 10)])
    assert log.shoe is not None
    return table, log.shoe


def test_a_shoe_in_use_shows_its_commitment_and_nothing_else(house: House) -> None:
    _table, shoe = _two_rounds(house)
    browser = _browser(None)  # everybody may look
    html = _page(browser, f"/shoes/{shoe.pk}/")
    assert shoe.commitment in html
    assert "still in use" in html
    assert "2 rounds have been dealt from it so far." in html
    assert not re.search(r"\b[A23456789TJQK][shdc] [A23456789TJQK][shdc]\b", html)
    assert 'class="face' not in html
    assert browser.get(f"/shoes/{shoe.pk}/opening.txt").status_code == 404
    assert browser.get("/shoes/999999/").status_code == 404


def test_a_retired_shoe_can_be_checked_by_anybody(house: House) -> None:
    table, shoe = _two_rounds(house)
    change_shoe(table.pk)
    house.until(table, "betting")
    browser = _browser(None)
    opening = browser.get(f"/shoes/{shoe.pk}/opening.txt").content
    assert shoe.seed is not None and hashlib.sha256(opening).hexdigest() == shoe.seed.commitment
    assert hashlib.sha256(browser.get(f"/shoes/{shoe.pk}/leaves.txt").content).hexdigest() == shoe.commitment
    html = _page(browser, f"/shoes/{shoe.pk}/")
    assert html.count("True.") == 5
    assert "Not true." not in html
    kind, of, number, seed = opening.decode().split(":")
    assert (kind, of, number) == ("seed", str(table.pk), "1") and seed in html
    sealed_order = " ".join(map(str, opened_pack(Shoe.objects.get(pk=shoe.pk)).order))
    assert sealed_order in html
    rows = re.findall(r"<tr>\s*<th scope=\"row\".*?</tr>", html, re.DOTALL)
    faces = [re.findall(r'class="face face--\w" title="([^"]*)"', row) for row in rows]
    cut = Shoe.objects.get(pk=shoe.pk).cut or 0
    order = sealed_order.split()
    turned = order[cut:] + order[:cut]
    dealt = [name for row in faces for name in row]
    assert dealt == [card_name(card(name)) for name in turned[: len(dealt)]]
    assert len(rows) == 2
    assert rows[0].count("<s ") == 2  # burnt after the cut, and at the start of the round
    assert rows[1].count("<s ") == 1


def test_a_shoe_that_was_tampered_with_is_found_out(house: House) -> None:
    table, shoe = _two_rounds(house)
    change_shoe(table.pk)
    house.until(table, "betting")
    shoe.refresh_from_db()
    assert shoe.opened is not None
    honest = shoe.opened
    Shoe.objects.filter(pk=shoe.pk).update(opened={"seed": "5eed" * 16})
    page = _page(_browser(None), f"/shoes/{shoe.pk}/")
    assert page.count("Not true.") == 3, "another seed gives other leaves, and other cards"
    Shoe.objects.filter(pk=shoe.pk).update(opened=honest)


def test_a_shoe_whose_key_was_lost_says_so(house: House) -> None:
    table, shoe = _two_rounds(house)
    change_shoe(table.pk)
    house.until(table, "betting")
    Shoe.objects.filter(pk=shoe.pk).update(opened=None)
    browser = _browser(None)
    assert "has lost the key" in _page(browser, f"/shoes/{shoe.pk}/")
    assert browser.get(f"/shoes/{shoe.pk}/opening.txt").status_code == 404
    assert browser.get(f"/shoes/{shoe.pk}/leaves.txt").status_code == 200, "these were published before"


def test_history_and_shoe_lead_to_each_other(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    log = _played(house, table, [(ana, "player", 10)])
    assert f'href="/shoes/{log.shoe_id}/"' in _page(_browser(ana), f"/rounds/{log.pk}/")
    assert f'href="/tables/{table.slug}/"' in _page(_browser(ana), f"/shoes/{log.shoe_id}/")


def test_the_felt_shows_the_commitment_of_the_shoe_and_leads_to_it(house: House) -> None:
    table = house.table(**SHOE)
    house.until(table, "cut")  # before anybody has cut
    shoe = house.log(table).shoe
    assert shoe is not None
    html = _page(_browser(None), f"/tables/{table.slug}/")
    assert f'href="/shoes/{shoe.pk}/"' in html
    assert shoe.commitment[:12] in html
    assert shoe.commitment in _page(_browser(None), f"/shoes/{shoe.pk}/")


# ── Blackjack ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.in_full
def test_a_round_of_blackjack_can_be_seen_again_step_by_step(house: House) -> None:
    """A shared box that is doubled, followed; the steps tell who decided what, and each stake has its line."""
    house.stack("2c 6s 9d 5h 9s Tc")
    table, ana, rui = house.table(game="blackjack"), house.player("ana"), house.player("rui")
    house.until(table, "betting")
    house.bet(ana, table, "main", 100, 2)
    house.bet(rui, table, "main", 50, 2)
    house.bet(ana, table, "under_13", 10, 2)
    house.until(table, "player_turns")
    house.step(table)  # the side bet is paid
    house.decide(ana, table, Double, box=2)
    house.decide(rui, table, Match, box=2)
    log = house.play_out(table)
    browser = _browser(ana)
    said = [_now(_page(browser, f"/rounds/{log.pk}/?step={step}")) for step in range(log.version + 1)]
    for wanted in (
        "Ana stakes 100.00 on Main bet, box 2. art. 9",
        "Box 2 gets 6 of spades. art. 5(1)",
        "The bank gets 9 of diamonds. art. 5(1)",
        "Ana doubles on box 2. art. 17",
        "Rui follows the double on box 2. ruling R17",
        "Box 2 gets 9 of spades. art. 17(1)",
        "The bank gets 10 of clubs. art. 7(1)",
    ):
        assert any(line.startswith(wanted) for line in said), (wanted, said)
    last = _page(browser, f"/rounds/{log.pk}/?step={log.version}")
    assert "The bank has 19" in _text(last)
    assert _seen_in(last) == Counter(["6s", "5h", "9s", "9d", "Tc"])
    assert "Main bet, box 2" in last
    assert "Under 13, box 2" in last
    assert "The bank has 19" in _text(_page(browser, "/history/"))


def test_the_hands_of_a_split_box_are_told_apart_in_what_they_brought(house: House) -> None:
    house.stack("2c 8s 9d 8h 3d Th 6d Ts")  # to the bottom; the pair and the bank's card; a card each; the bank has 25
    table, ana = house.table(game="blackjack"), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "main", 100, 2)
    house.until(table, "player_turns")
    house.decide(ana, table, Split, box=2)
    log = house.play_out(table)
    page = _text(_page(_browser(ana), f"/rounds/{log.pk}/"))
    assert page.count("Main bet, box 2, hand 1") == 2, "in the result and among the stakes"
    assert page.count("Main bet, box 2, hand 2") == 2


@pytest.mark.in_full
def test_of_a_round_dealt_face_down_each_sees_again_only_what_he_saw(house: House) -> None:
    """A surrendered hand stays face down for whoever was not on its box, at every step."""
    house.stack("2c 6s Td 9d 5h Kc")
    face_down: dict[str, Any] = {"dealing_device": "metal_box", "decks": 1, "deal_procedure": 1}
    table = house.table(game="blackjack", initial_burn="single", **face_down)
    ana, rui = house.player("ana"), house.player("rui")
    house.until(table, "betting")
    house.bet(ana, table, "main", 100, 2)
    house.bet(rui, table, "main", 50, 4)
    house.until(table, "early_window")
    dealt = house.round(table)
    (hand,) = view_for(dealt, ana.key).boxes[1].hands
    mine = {str(one.face) for one in hand.cards}
    house.decide(ana, table, Surrender, box=2)
    log = house.play_out(table)
    for step in range(log.version + 1):
        assert not mine & set(_seen_in(_page(_browser(rui), f"/rounds/{log.pk}/?step={step}")))
    assert mine <= set(_seen_in(_page(_browser(ana), f"/rounds/{log.pk}/?step={log.version}")))


# ── 3-Card Baccarat ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.in_full
def test_a_round_of_three_card_baccarat_can_be_seen_again_step_by_step(house: House) -> None:
    """Place 1 ties and its stake is locked; who does not occupy it sees its cards when the dealer opens them."""
    house.stack("2c 2d 9d 9h Kc Ks Qh Qs")  # cut by one card, one is burnt; place 1 and the banker
    table, ana, rui = house.table(game="three_card_baccarat"), house.player("ana"), house.player("rui")
    for place, player in ((1, ana), (2, rui)):
        seating.sit(player.pk, table.pk, place, clock=house.clock)
    house.until(table, "betting")
    house.bet(ana, table, "place", 100, 1)
    house.bet(ana, table, "odd", 10)
    house.bet(rui, table, "tie", 5, 1)
    house.until(table, "look")
    house.decide(ana, table, Ready)
    log = house.play_out(table)
    said = [_now(_page(_browser(ana), f"/rounds/{log.pk}/?step={step}")) for step in range(log.version + 1)]
    for wanted in (
        "Ana stakes 100.00 on Place bet, place 1. art. 6",
        "Ana stakes 10.00 on Odd. art. 8(1)",
        "A card is burnt, face down. art. 2(2)",
        "Place 1 gets a card face down. art. 2(2)",
        "The banker gets a card face down. art. 2(2)",
        "The dealer opens the banker's cards: 9 of hearts, king of spades, queen of spades. art. 6",
        "The dealer opens place 1: 9 of diamonds, king of clubs, queen of hearts. art. 6",
        "Tie: nine with two court cards; the stake is locked for the next round. 100.00 stays. art. 7(2)",
    ):
        assert any(line.startswith(wanted) for line in said), (wanted, said)
    assert any("You staked 10.00, 19.50 comes back. art. 10" in line for line in said)
    last = _page(_browser(ana), f"/rounds/{log.pk}/?step={log.version}")
    assert _seen_in(last) == Counter(["9d", "Kc", "Qh", "9h", "Ks", "Qs"])
    assert "Place bet, place 1" in last
    assert "The banker has nine with two court cards" in _text(_page(_browser(rui), "/history/"))
    opened = next(step for step, line in enumerate(said) if line.startswith("The dealer opens place 1"))
    for step in range(opened):
        seen = _seen_in(_page(_browser(rui), f"/rounds/{log.pk}/?step={step}"))
        assert not seen & Counter(["9d", "Kc", "Qh"]), f"rui sees them again at step {step}"
