"""The pit's page of rulings, and what players see of a ruling: on the felt, in a push, in their history."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from tables.base.executor import in_database
from tables.felt.formatting import text_of
from tables.felt.public import public_fragments
from tables.games import GAMES
from tables.games.stud_poker.phases import Raise
from tables.games.values.words import say
from tables.live.hub import Hub
from tables.models import ApprovalRequest, Player, RoundLog, Ruling, Table
from tables.queries.table import table_state
from tables.services.pit import rulings
from tables.services.rounds import seating
from tests.house.kit import House

from .kit import Room
from .pit_kit import ROLES, approve, browser, browser_of, member

LANGUAGES = ("en", "pt", "zh-hant")


@pytest.fixture
def desk(db: None) -> House:
    """A house without a hub."""
    return House()


def at_betting(house: House, game: str = "baccarat", **options: Any) -> tuple[Table, Player]:
    """A table in its betting; Ana has a hundred credits on it."""
    table, ana = house.table(game=game, **options), house.player("ana")
    spot = {"baccarat": "player", "roulette": "red", "cussec": "big"}[game]
    house.until(table, "betting")
    house.bet(ana, table, spot, 100)
    return table, ana


def page_of(client: Client, log: RoundLog, **asked: Any) -> str:
    answer = client.get(f"/pit/rounds/{log.pk}/rule/", asked)
    assert answer.status_code == 200
    return answer.content.decode()


def ref_in(page: str) -> str:
    found = re.search(r'name="ref" value="(\w+)"', page)
    assert found
    return found[1]


def test_a_pit_boss_looks_rules_and_the_round_is_void(desk: House) -> None:
    table, ana = at_betting(desk)
    log, boss = desk.log(table), browser("pit_boss")
    assert "A mistake that cannot be put right" in page_of(boss, log)
    looked = page_of(boss, log, what="cancelled")
    assert "Ana" in looked and "fresh stakes are returned" in looked and not Ruling.objects.exists()
    told = {"what": "cancelled", "ref": ref_in(looked), "why": "The order of the cards is lost"}
    second = member("pit_boss", "second")
    for _ in range(2):
        assert boss.post(f"/pit/rounds/{log.pk}/rule/", told).status_code == 302
    assert not Ruling.objects.exists() and ApprovalRequest.objects.count() == 1
    approve(second)
    assert Ruling.objects.count() == 1 and desk.round(table).is_void
    assert desk.balance(ana) == 1_000_000
    after = page_of(boss, log)
    assert "The order of the cards is lost" in after and "is put right by an adjustment" in after
    desk.in_order()


@pytest.mark.parametrize("role", ROLES)
def test_only_who_may_rules(desk: House, role: str) -> None:
    table, _ = at_betting(desk)
    log, client = desk.log(table), browser(role)
    may = role in ("pit_boss", "shift_manager")
    address = f"/pit/rounds/{log.pk}/rule/"
    assert client.get(address).status_code == (200 if may else 403)
    second = member("pit_boss", "second")
    answer = client.post(address, {"what": "cancelled", "ref": "one", "why": "so"})
    assert answer.status_code == (302 if may else 403)
    assert ApprovalRequest.objects.exists() == may
    if may:
        approve(second)
    assert desk.round(table).is_void == may


def test_what_cannot_be_ruled_is_said_and_not_done(desk: House) -> None:
    table, _ = at_betting(desk, "roulette")
    log, boss = desk.log(table), browser("pit_boss")
    assert "not now" in page_of(boss, log)
    assert "cannot be ruled in this part of the round" in page_of(boss, log, what="jumped")
    answer = boss.post(f"/pit/rounds/{log.pk}/rule/", {"what": "jumped", "ref": "one", "why": "so"}, follow=True)
    assert "cannot be ruled in this part of the round" in answer.content.decode() and not Ruling.objects.exists()
    without = boss.post(f"/pit/rounds/{log.pk}/rule/", {"what": "jumped", "ref": "one", "why": " "}, follow=True)
    assert "needs its reason" in without.content.decode()


@pytest.mark.parametrize("sent", [{"ref": ""}, {"ref": "a b"}, {"ref": "x" * 65}, {"ref": "one", "box": "-1"}])
def test_what_no_page_of_ours_sends_is_not_found(desk: House, sent: dict[str, str]) -> None:
    table, _ = at_betting(desk)
    address = f"/pit/rounds/{desk.log(table).pk}/rule/"
    assert browser("pit_boss").post(address, {"what": "cancelled", "why": "so", **sent}).status_code == 404


def test_the_page_tells_no_card_and_no_raise_that_spectators_do_not_know(desk: House) -> None:
    desk.stack("As Ks 2h 2d Qs 7c 7d Js 8c 9h Ts Td Tc 3h 4h")
    table = desk.table(game="stud_poker")
    people = [desk.player(name) for name in ("ana", "rui")]
    for seat, player in enumerate(people, 1):
        seating.sit(player.pk, table.pk, seat, clock=desk.clock)
    desk.attend(table, *people)
    desk.until(table, "betting")
    for seat, player in enumerate(people, 1):
        desk.bet(player, table, "ante", 100, seat)
    desk.until(table, "look_and_decide")
    log, boss = desk.log(table), browser("pit_boss")
    before = page_of(boss, log, what="wrong_deal")
    desk.decide(people[0], table, Raise)
    after = page_of(boss, log, what="wrong_deal")

    def told(page: str) -> str:
        return re.sub(r'value="\w{32,}"|data-now="\d+"', "", page)

    assert told(after) == told(before)
    assert "Hidden stakes go back" in after and "data-card" not in after


def test_surveillance_reads_of_rulings_at_a_table_and_cannot_make_them(desk: House) -> None:
    table, _ = at_betting(desk)
    boss = member("pit_boss")
    rulings.rule(boss, desk.log(table).pk, "soiled", why="Wine", ref="one", clock=desk.clock)
    link = f"/pit/tables/{table.slug}/rule/"
    seen = {
        role: browser_of(member(role, f"{role}-two")).get(f"/pit/tables/{table.slug}/").content.decode()
        for role in ROLES
    }
    assert all("A card is soiled or damaged" in page and "Wine" in page for page in seen.values())
    assert {role for role, page in seen.items() if link in page} == {"pit_boss", "shift_manager"}


def test_the_way_to_rule_leads_to_the_round_that_runs_now(desk: House) -> None:
    table, _ = at_betting(desk)
    boss, first = browser("pit_boss"), desk.log(table).pk
    assert boss.get(f"/pit/tables/{table.slug}/rule/").headers["Location"] == f"/pit/rounds/{first}/rule/"
    desk.play_out(table)
    while (second := desk.log(table).pk) == first:
        desk.step(table)
    assert boss.get(f"/pit/tables/{table.slug}/rule/").headers["Location"] == f"/pit/rounds/{second}/rule/"
    assert "To the present round" in page_of(boss, RoundLog.objects.get(pk=first))
    empty = desk.table("lotus")
    assert boss.get(f"/pit/tables/{empty.slug}/rule/").headers["Location"] == "/pit/tables/lotus/"


# ── What players see ────────────────────────────────────────────────────────────────────────────────────────


def ruled_on(house: House, table: Table, name: str) -> tuple[RoundLog, tuple[Any, Any]]:
    log = house.log(table)
    what = GAMES[log.game].irregularity(name)
    assert what is not None
    orders = what.ordered(house.round(table))
    second = member("shift_manager", "second")
    rulings.rule(member("pit_boss"), log.pk, name, why="between us", ref="one", approved_by=second, clock=house.clock)
    return log, (what.says, orders)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "name"), [("baccarat", "cancelled"), ("roulette", "jumped"), ("cussec", "seen")])
@pytest.mark.in_full
def test_the_felt_and_the_history_say_what_was_ruled_in_each_language(
    desk: House, language: str, game: str, name: str
) -> None:
    table, ana = at_betting(desk, game)
    if game == "roulette":
        desk.until(table, "no_more_bets")
    log, words = ruled_on(desk, table, name)
    client = browser_of(ana)
    client.cookies["django_language"] = language
    page = unescape(client.get(f"/tables/{table.slug}/").content.decode())
    with translation.override(language):
        says = [text_of(one) for one in words]
    assert all(one in page for one in says) and "between us" not in page
    desk.play_out(table)
    history = unescape(client.get(f"/rounds/{log.pk}/?step={log.version + 99}").content.decode())
    assert all(one in history for one in says) and "between us" not in history
    at = Ruling.objects.get().values["line"]

    def told(step: int) -> str:
        page = unescape(client.get(f"/rounds/{log.pk}/?step={step}").content.decode())
        return page[page.index('<ol class="log">') : page.index("</ol>", page.index('<ol class="log">'))]

    with translation.override(language):
        ruled = text_of(say("The pit has ruled: %(what)s", what=words[0]))
    assert ruled in told(at) and ruled not in told(at - 1)


def test_the_felt_of_the_next_round_is_silent(desk: House) -> None:
    table, _ = at_betting(desk)
    log, _ = ruled_on(desk, table, "cancelled")
    shown = public_fragments(table_state(table.pk))["rulings"]
    assert "The pit has ruled" in shown
    while desk.log(table).pk == log.pk:
        desk.step(table)
    assert "The pit has ruled" not in public_fragments(table_state(table.pk))["rulings"]


async def test_a_ruling_is_pushed_to_everybody_as_the_page_shows_it(house: House, live: Hub) -> None:
    table = await in_database(lambda: house.table(game="baccarat"))
    ana, rui = [await in_database(house.player, name) for name in ("ana", "rui")]
    boss, second = [await in_database(member, "pit_boss", name) for name in ("one", "two")]
    room = Room(table, live)
    for player, language in ((ana, "en"), (rui, "pt"), (ana, "zh-hant"), (None, "en")):
        await room.enter(player, language)
    await room.until_phase(house, "betting")
    await room.does(lambda: house.bet(ana, table, "player", 100))
    for name in ("soiled", "cancelled"):
        log_id = (await in_database(house.log, table)).pk
        await room.does(
            lambda name=name, log_id=log_id: rulings.rule(  # type: ignore[misc]
                boss, log_id, name, why="so", ref=name, approved_by=second, clock=house.clock
            )
        )
        await room.agree()
    assert all("rulings" in client.screen for client in room.clients)
    english = room.clients[0].screen["rulings"]
    assert "A card is soiled or damaged" in english and "A mistake that cannot be put right" in english
    await room.until_phase(house, "betting")
    await room.agree()
