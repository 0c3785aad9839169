"""The jackpot's meters: live on the felts of its tables, in the lobby, and on its own page; the same for everybody."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from typing import Any

import pytest
import pytest_asyncio
from channels.testing import WebsocketCommunicator
from django.test import Client as Browser

from casino.asgi import application
from tables.base import announce
from tables.base.executor import in_database
from tables.felt import jackpot
from tables.felt.lobby import lobby_fragments
from tables.felt.public import public_fragments
from tables.felt.shared.jackpot import meter as fragment
from tables.live import consumers, hub
from tables.live.boards import Board
from tables.live.hub import Hub
from tables.models import Account, Jackpot, Player, RoundLog, Table
from tables.queries.folds import log_entries
from tables.queries.jackpots import jackpot_shown
from tables.queries.lobby import lobby_cards
from tables.queries.table import state_at, table_state, version_of
from tables.services.pit.opening import open_jackpot
from tables.services.players import people
from tables.services.rounds import seating
from tests.house.kit import House, void_round
from tests.house.processes import WITHIN
from tests.house.test_jackpots import ADDS, FLUSH, LOW, STRAIGHT_FLUSH, Floor, M
from tests.kit import article

from .kit import Client, fragments_in

LANGUAGES = ("zh-hant", "pt", "en")
FIGURES = {"zh-hant": "1,000,000.00", "pt": "1.000.000,00", "en": "1,000,000.00"}


@pytest.fixture
def floor(db: None) -> Iterator[Floor]:
    """Two tables of one jackpot with a million in it; its books must be in order when the test is over."""
    house = House()
    floor = Floor(house, M)
    floor.table("guia", (1, 3))
    floor.table("penha", (2,))
    yield floor
    house.in_order()


def at(slug: str) -> Table:
    return Table.objects.get(slug=slug)


def page(address: str = "/jackpots/lisboa/") -> str:
    answer = Browser(headers={"accept-language": "en"}).get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def meter(html: str) -> str:
    """The amount that a meter shows."""
    (shown,) = re.findall(r'class="meter__pool">.*?amount__number">([^<]*)<', html)
    return str(shown)


# ── Its own page ────────────────────────────────────────────────────────────────────────────────────────────


def test_the_page_shows_the_pool_in_all_languages_one_after_the_other(floor: Floor) -> None:
    html = page()
    assert re.findall(r'class="board__figure is-(\d+)">([^<]*)<', html) == [
        (str(len(FIGURES[language])), FIGURES[language]) for language in LANGUAGES
    ]
    assert 'data-shown="en"' in html and "lang=all" in html


@pytest.mark.parametrize("language", LANGUAGES)
def test_or_in_the_language_that_it_is_asked_for(floor: Floor, language: str) -> None:
    html = page(f"/jackpots/lisboa/?lang={language}")
    assert re.findall(r'class="board__figure is-\d+">([^<]*)<', html) == [FIGURES[language]]
    assert set(re.findall(r'data-in="([^"]*)"', html)) == {language}
    assert f'<html lang="{language}">' in html


def test_whoever_asks_for_a_language_that_there_is_not_gets_all(floor: Floor) -> None:
    assert set(re.findall(r'data-in="([^"]*)"', page("/jackpots/lisboa/?lang=xx"))) == set(LANGUAGES)


@article("61/2004", "10(3)")
def test_it_shows_what_is_posted_with_its_articles(floor: Floor) -> None:
    html = page("/jackpots/lisboa/?lang=en")
    table = html[html.index('id="jackpot-posted"') : html.index('id="jackpot-hits"')]
    assert re.findall(r"(?:art\. )([0-9()]+)<", table) == [f"10(2)({item})" for item in (1, 2, 3, 4, 5)]
    assert re.findall(r'amount__number">([^<]*)<', table) == ["500,000", "50,000", "12,500", "2,500", "1,250"]
    assert "the whole jackpot, at least" in table and "ten per cent of the jackpot, at least" in table


def test_it_tells_the_last_prizes_by_table_and_box_and_names_nobody(floor: Floor) -> None:
    assert "Nobody has won yet." in page("/jackpots/lisboa/?lang=en")
    floor.play(at("guia"), {1: FLUSH, 3: LOW})
    floor.play(at("penha"), {2: STRAIGHT_FLUSH})
    html = page("/jackpots/lisboa/?lang=en")
    hits = html[html.index('id="jackpot-hits"') :]
    told = re.findall(r'<th scope="row">([a-z ]+) <span class="prizes__of">([^·]*) ·', hits)
    assert told == [("straight flush", "Penha, box 2"), ("flush", "Guia, box 1")]
    opening = M + 2 * ADDS - 1_250_00 + ADDS
    assert re.findall(r'amount__number">([^<]*)<', hits) == [f"{opening // 10 / 100:,.2f}", "1,250.00"]
    for player in Player.objects.all():
        assert player.name not in html and not re.search(rf"\b{player.key}\b", html)


def test_a_refund_is_no_prize(floor: Floor) -> None:
    house, table = floor.house, at("guia")
    floor.stake(table, 1)
    house.until(table, "deal")
    void_round(house.log(table).pk, "wrong dealing", clock=house.clock)
    seating.stand_up(floor.at[table.pk][1].pk, table.pk, clock=house.clock)
    floor.play(table, {3: LOW})
    assert house.balance(floor.at[table.pk][1]) == people.FIRST_CREDITS
    assert "Nobody has won yet." in page("/jackpots/lisboa/?lang=en")


def test_there_is_no_page_of_a_jackpot_that_does_not_exist(db: None) -> None:
    assert Browser().get("/jackpots/lisboa/").status_code == 404


def test_a_jackpot_without_a_table_shows_what_is_in_it(db: None) -> None:
    open_jackpot("lisboa", "Lisboa", M)
    assert FIGURES["en"] in page("/jackpots/lisboa/?lang=en")


# ── Lobby, felt, replay, statement ──────────────────────────────────────────────────────────────────────────


def test_the_lobby_shows_it_on_the_cards_of_its_tables_alone(floor: Floor) -> None:
    floor.house.table("jade")
    html = page("/")
    assert html.count('class="meter__pool"') == 2 and html.count('href="/jackpots/lisboa/"') == 2
    cards = lobby_fragments(lobby_cards())
    assert [meter(cards[f"table-{slug}"]) for slug in ("guia", "penha")] == [FIGURES["en"]] * 2
    assert "meter" not in cards["table-jade"]


def test_the_felts_of_all_its_tables_show_what_one_of_them_adds(floor: Floor) -> None:
    floor.stake(at("guia"))
    floor.house.until(at("guia"), "deal")
    for slug in ("guia", "penha"):
        fragments = public_fragments(table_state(at(slug).pk))
        assert meter(fragments["jackpot-meter"]) == "1,000,035.00"


def test_what_one_table_adds_makes_a_new_version_of_the_others(floor: Floor) -> None:
    """So that a heartbeat finds what an announcement that was lost would have said."""
    guia, penha = at("guia"), at("penha")
    floor.stake(guia)
    before = table_state(penha.pk).version
    assert version_of(penha.pk) == before
    floor.house.until(guia, "deal")
    assert version_of(penha.pk) == table_state(penha.pk).version != before


def test_a_replay_shows_the_meter_as_it_stood_when_betting_closed(floor: Floor) -> None:
    floor.play(at("guia"), {1: LOW})
    log = floor.play(at("penha"), {2: STRAIGHT_FLUSH})
    shown: dict[int, str] = {}
    for line in log_entries(log):
        state = state_at(log, line.after, line.seq, line.at)
        shown[line.seq] = meter(html) if 'class="meter__pool"' in (html := fragment(state)) else ""
    read = next(line.seq for line in log_entries(log) if line.action.do == "meter")
    assert {seq: text for seq, text in shown.items() if text} == dict.fromkeys(
        range(read, log.version + 1), "1,000,017.50"
    )
    assert RoundLog.objects.get(pk=log.pk).version > read > 1


def test_the_wallet_says_what_came_from_the_jackpot(floor: Floor) -> None:
    floor.play(at("guia"), {1: FLUSH})
    browser = Browser(headers={"accept-language": "en"})
    browser.force_login(floor.at[at("guia").pk][1], backend="django.contrib.auth.backends.ModelBackend")
    assert "Prize from the jackpot" in browser.get("/account/").content.decode()


# ── Live ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """No heartbeat finds out what was not told."""
    monkeypatch.setattr(hub, "HEARTBEAT", timedelta(hours=1))


@pytest_asyncio.fixture
async def hall(quiet: None, live: Hub) -> AsyncIterator[Floor]:
    """The same floor, where what happens is committed and told."""
    house = House()

    def opened() -> Floor:
        floor = Floor(house, M)
        floor.table("guia", (1, 3))
        floor.table("penha", (2,))
        return floor

    yield await in_database(opened)
    await in_database(house.in_order)


async def shows(client: Client, wanted: Any) -> None:
    """Wait until `wanted` says that this is on the client's screen."""
    async with asyncio.timeout(WITHIN):
        while True:
            client.heard.clear()
            assert not client.broken
            if await in_database(wanted):
                return
            await client.heard.wait()


def client(language: str, game: str = "") -> Client:
    return Client(None, language, game, asyncio.Event())


@pytest.mark.parametrize("language", ["pt", jackpot.ALL])
async def test_what_is_pushed_to_its_page_is_what_a_fresh_load_would_show(
    hall: Floor, live: Hub, language: str
) -> None:
    """After a contribution, and after a prize."""
    screen = client(language)
    pk = hall.jackpot.pk
    await live.join_jackpot(screen.socket, pk)

    def agrees() -> bool:
        fresh = jackpot.fragments(jackpot_shown(pk), language)
        return {name: html for name, html in screen.screen.items() if name != "live"} == {
            name: html.strip() for name, html in fresh.items()
        }

    await shows(screen, agrees)
    before = screen.screen["jackpot-pool"]
    await in_database(lambda: hall.stack({1: FLUSH, 3: LOW}))
    await in_database(lambda: hall.stake(at("guia")))
    await in_database(lambda: hall.house.until(at("guia"), "look_and_decide"))
    await shows(screen, lambda: agrees() and screen.screen["jackpot-pool"] != before)
    await in_database(lambda: hall.decide(at("guia")))
    await in_database(lambda: hall.ended(at("guia")))
    await shows(screen, lambda: agrees() and "1.250,00" in screen.screen["jackpot-hits"])


async def test_the_other_tables_and_the_lobby_hear_of_it_without_asking(hall: Floor, live: Hub) -> None:
    penha, lobby = client("en", "stud_poker"), client("en")
    await live.join_table(penha.socket, await in_database(lambda: at("penha").pk))
    await live.join_lobby(lobby.socket)
    await shows(penha, lambda: "jackpot-meter" in penha.screen)
    await in_database(lambda: hall.stake(at("guia")))
    await in_database(lambda: hall.house.until(at("guia"), "deal"))
    await shows(penha, lambda: meter(penha.screen["jackpot-meter"]) == "1,000,035.00")
    await shows(lobby, lambda: meter(lobby.screen.get("table-penha", "")) == "1,000,035.00")


async def test_a_table_of_another_jackpot_hears_nothing_of_it(hall: Floor, live: Hub) -> None:
    table = await in_database(lambda: hall.house.table("barra", game="stud_poker"))
    screen = client("en", "stud_poker")
    feed = await live.join_table(screen.socket, table.pk)
    await shows(screen, lambda: "jackpot-meter" in screen.screen)
    of_its_own = feed._pool_shown  # its own jackpot has just been opened, and that may still be on its way
    live._heard(announce.JackpotChanged(hall.jackpot.pk))
    assert feed._pool_shown is of_its_own
    own = await in_database(lambda: Jackpot.objects.get(slug="barra").pk)
    live._heard(announce.JackpotChanged(own))
    assert feed._pool_shown is not None


async def test_a_thousand_changes_are_one_push(live: Hub) -> None:
    drawn = []

    def render(languages: set[str]) -> dict[str, dict[str, str]]:
        drawn.append(languages)
        return {language: {"figure": f'<p id="figure">{len(drawn)}</p>'} for language in languages}

    board, screen = Board("jackpot", render), client("en")
    board.sockets.add(screen.socket)
    try:
        for number in (1, 2):
            for _ in range(1000):
                board.changed()
            await shows(screen, lambda number=number: screen.screen.get("figure") == f'<p id="figure">{number}</p>')
        assert len(drawn) == len(screen.messages) == 2
    finally:
        board.stop()


async def test_a_thousand_changes_at_other_tables_are_one_push_to_a_felt(hall: Floor, live: Hub) -> None:
    screen = client("en", "stud_poker")
    penha = await in_database(lambda: at("penha").pk)
    feed = await live.join_table(screen.socket, penha)
    await shows(screen, lambda: "jackpot-meter" in screen.screen)
    live._heard(announce.JackpotChanged(hall.jackpot.pk))
    timer = feed._pool_shown
    for _ in range(1000):
        live._heard(announce.JackpotChanged(hall.jackpot.pk))
    assert timer is not None and feed._pool_shown is timer


# ── Its socket ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def ours(live: Hub, monkeypatch: pytest.MonkeyPatch) -> Hub:
    """The consumers' own hub is this test's."""
    monkeypatch.setattr(consumers, "hub", live)
    monkeypatch.setattr(hub, "hub", live)
    return live


def line(path: str) -> WebsocketCommunicator:
    return WebsocketCommunicator(application, path, [(b"host", b"localhost"), (b"origin", b"http://localhost")])


@pytest.mark.parametrize(("asked", "got"), [("all", LANGUAGES), ("pt", ("pt",)), ("xx", ("en",))])
async def test_its_socket_speaks_one_language_or_all(hall: Floor, ours: Hub, asked: str, got: tuple[str, ...]) -> None:
    socket = line(f"/ws/jackpots/lisboa/?lang={asked}")
    assert (await socket.connect(timeout=WITHIN))[0]
    fragments = fragments_in(str(await socket.receive_from(timeout=WITHIN)))
    assert fragments.keys() == {"jackpot-pool", "jackpot-posted", "jackpot-hits", "live"}
    assert tuple(re.findall(r'data-in="([^"]*)"', fragments["jackpot-pool"])) == got
    await socket.disconnect()


async def test_nobody_can_do_anything_over_it_but_ask_for_the_whole(hall: Floor, ours: Hub) -> None:
    socket = line("/ws/jackpots/lisboa/?lang=en")
    await socket.connect(timeout=WITHIN)
    whole = fragments_in(str(await socket.receive_from(timeout=WITHIN)))
    log = await in_database(lambda: at("guia").round_id or 0)
    await socket.send_to(
        text_data=f'{{"do": "bet", "round": {log}, "ref": "ref-00000001", "spot": "ante", "amount": 10000, "box": 1}}'
    )
    await socket.send_to(text_data='{"do": "resync"}')
    again = fragments_in(str(await socket.receive_from(timeout=WITHIN)))
    assert {name: html for name, html in again.items() if name != "live"} == {
        name: html for name, html in whole.items() if name != "live"
    }
    await socket.disconnect()
    assert not ours.jackpots, "nobody looks at it any more"
    assert await in_database(lambda: Account.objects.get(jackpot=hall.jackpot).balance) == M


async def test_a_socket_to_a_jackpot_that_does_not_exist_is_closed(hall: Floor, ours: Hub) -> None:
    socket = line("/ws/jackpots/macau/")
    await socket.connect(timeout=WITHIN)
    assert (await socket.receive_output(timeout=WITHIN))["code"] == 4403


async def test_its_heartbeat_shows_what_nobody_has_told(
    hall: Floor, live: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = client("en")
    board = await live.join_jackpot(screen.socket, hall.jackpot.pk)
    await shows(screen, lambda: "1,000,000.00" in screen.screen.get("jackpot-pool", ""))
    announce.use_loop(None)
    monkeypatch.setattr(announce, "FLOOR", "nobody-listens-here")
    await in_database(lambda: hall.stake(at("penha")))
    await in_database(lambda: hall.house.until(at("penha"), "deal"))
    await board.beat()
    await shows(screen, lambda: "1,000,017.50" in screen.screen["jackpot-pool"])
