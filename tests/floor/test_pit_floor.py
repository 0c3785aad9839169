"""The pit's live panel: what it shows of every table, who may look, and that what is pushed is what a page shows."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import pytest_asyncio
from channels.testing import WebsocketCommunicator
from django.test import Client as Browser
from django.utils import translation

from casino.asgi import application
from tables.base.browser_sessions import SessionStore, stored
from tables.base.calendar import day_begun
from tables.base.clock import DATABASE_CLOCK
from tables.base.executor import in_database
from tables.base.rights import Right
from tables.base.transactions import unit_of_work
from tables.felt.formatting import card_name
from tables.games.stud_poker.phases import Raise
from tables.live import consumers, hub
from tables.live.hub import Hub
from tables.models import Account, Alert, Event, Player, RoundLog, Table
from tables.pit import board as pit_board
from tables.pit.board import Buttons
from tables.pit.demo_floor import open_demo_floor
from tables.queries import statistics
from tables.services.journal import alerts, events
from tables.services.pit import sessions
from tables.services.rounds import seating
from tables.templatetags.alerts import OPEN
from tests.extent import first
from tests.house.kit import House, RunningClock, void_round
from tests.house.processes import WITHIN
from tests.house.test_jackpots import Floor, M

from .kit import Client, fragments_in
from .pit_kit import ROLES, browser, browser_of, member, those_who_may

BETTING = "betting"


@pytest.fixture
def floor(db: None) -> Iterator[House]:
    """A house by the clock that pages ask."""
    house = House()
    house.clock = RunningClock()
    yield house
    house.in_order()


def english(browser: Browser, path: str) -> str:
    """A page, in English."""
    answer = browser.get(path, headers={"accept-language": "en"})
    assert answer.status_code == 200
    return answer.content.decode()


def facts(html: str, slug: str) -> dict[str, str]:
    """What the tile of a table says, by the name of each figure."""
    tile = fragments_in(html[html.index(f'<article id="pit-table-{slug}"') :].partition("</article>")[0] + "</article>")
    pairs = re.findall(r"<dt>(.*?)</dt><dd[^>]*>(.*?)</dd>", tile[f"pit-table-{slug}"])
    return dict(pairs)


def patient(house: House, slug: str = "jade", **how: Any) -> Table:
    """A table whose betting stays open for an hour."""
    table = house.table(slug, times={"betting": 3_600_000}, **how)
    while not Table.objects.filter(pk=table.pk, round__phase=BETTING).exists():
        assert house.advance(table).acted
    return table


# ── What it shows ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_table_is_shown_with_all_that_the_pit_must_know(floor: House) -> None:
    jade = patient(floor, imbalance_limit=1_000_00)
    ana, bruno, carla = (floor.player(name) for name in ("ana", "bruno", "carla"))
    seating.sit(ana.pk, jade.pk, 3, clock=floor.clock)
    floor.bet(ana, jade, "player", 300, 3)
    floor.bet(bruno, jade, "banker", 100)
    floor.bet(carla, jade, "tie", 20)
    html = english(browser("surveillance"), "/pit/")
    assert facts(html, "jade") == {
        "Seats": "1/7",
        "Standing": "2",
        "On the felt": "420",
        "Player · Banker": "1 – 1,000,000",
        "Average bet": "0",
        "Rounds, 60 min": "0",
        "Turnover": "0",
        "Win": "0",
        "Win %": "–",
        "Theoretical": "0",
        "Float": "1,000,000",
        "Imbalance": "200 of 1,000",
    }
    assert "Place your bets" in html and 'class="pit-table is-open is-running"' in html


def test_the_figures_of_today_are_the_ledgers(house: House) -> None:
    """Ana wins 100 on the Player, and loses 200 on the tie; the day before somebody lost what does not count now."""
    jade, ana = house.table(), house.player("ana")
    house.until(jade, BETTING)
    house.bet(ana, jade, "tie", 500)
    house.play_out(jade)
    house.clock.pass_(hours=21)
    house.stack("9s 2h 9h 2d")
    house.step(jade)
    house.until(jade, BETTING)
    house.bet(ana, jade, "player", 100)
    house.bet(ana, jade, "tie", 200)
    house.play_out(jade)
    (table,) = pit_board.floor(clock=house.clock)
    day = statistics.of_table(jade.pk, day_begun(house.clock.at), house.clock.at + timedelta(seconds=1))
    assert (day.drop, day.win, day.rounds) == (300_00, 100_00, 1)
    house.clock.pass_(seconds=1)
    (table,) = pit_board.floor(clock=house.clock)
    told = facts(pit_board.floor_fragments([table], buttons=Buttons())["pit-table-jade"], "jade")
    assert (told["Turnover"], told["Win"], told["Win %"]) == ("300", "100", "33.3%")
    assert (told["Rounds, 60 min"], told["Average bet"]) == ("1", "300")
    assert told["Theoretical"] == str(round(day.theoretical / 100))
    assert table.float_cents == Account.objects.get(table=jade, kind="float").balance
    house.clock.pass_(hours=1)
    (table,) = pit_board.floor(clock=house.clock)
    assert (table.last_hour, table.figures.win) == (0, 100_00)


@pytest.mark.parametrize(
    ("changes", "state", "said"),
    [
        ({}, "open", "open"),
        ({"paused": True}, "paused", "paused"),
        ({"closing": "round"}, "closing", "closes after the round"),
        ({"closing": "shoe", "paused": True}, "closing", "closes after the shoe"),
        ({"open": False}, "closed", "closed"),
    ],
)
def test_it_says_what_the_pit_has_made_of_a_table(floor: House, changes: dict[str, Any], state: str, said: str) -> None:
    jade = floor.table()
    Table.objects.filter(pk=jade.pk).update(**changes)
    html = english(browser("pit_boss"), "/pit/")
    assert f'class="pit-table is-{state}"' in html and f">{said}</span>" in html


def test_tables_stand_by_game_and_can_be_chosen_and_ordered(floor: House) -> None:
    floor.table("jade")
    floor.table("guia", game="stud_poker")
    lotus = patient(floor, "lotus")
    floor.bet(floor.player("ana"), lotus, "player", 100)
    boss = browser("pit_boss")

    def shown(query: str = "") -> list[str]:
        places = re.findall(
            r'<li data-game="[^"]*"( hidden)?><article id="pit-table-([^"]*)"', english(boss, f"/pit/{query}")
        )
        return [slug for hidden, slug in places if not hidden]

    assert shown() == ["jade", "lotus", "guia"]
    assert shown("?game=stud_poker") == ["guia"]
    assert shown("?order=name") == ["guia", "jade", "lotus"]
    assert shown("?order=staked")[0] == "lotus"
    assert shown("?order=nothing&game=") == ["jade", "lotus", "guia"]
    assert shown("?attention=1") == []
    void_round(floor.log(lotus).pk, "a mistake", clock=floor.clock)
    assert shown("?attention=1") == ["lotus"]


def test_the_tables_can_be_a_dense_list(floor: House) -> None:
    client = browser("surveillance")
    for asked, listed in (("", False), ("?view=list", True), ("?view=nonsense", False)):
        html = client.get(f"/pit/{asked}").content.decode()
        assert ("pit-floor is-list" in html) == listed
        assert ('<option value="list" selected>' in html) == listed
        assert html.count('class="is-more"') == 5 * html.count("<article"), "a list leaves these figures out"


def test_the_page_of_a_table_tells_who_is_there_and_what_lies_there(floor: House) -> None:
    jade = patient(floor)
    ana, bruno = floor.player("ana"), floor.player("bruno")
    seating.sit(ana.pk, jade.pk, 3, clock=floor.clock)
    floor.bet(ana, jade, "player", 300, 3)
    floor.bet(bruno, jade, "tie", 20)
    with unit_of_work():
        events.record(Event.Kind.ROLE, by=None, table=jade.pk, why="for a look")
    html = english(browser("surveillance"), "/pit/tables/jade/")
    parts = {name: html[html.index(f'id="pit-{name}"') :].partition("</section>")[0] for name in pit_board.PARTS}
    assert re.findall(r'<a href="/pit/people/(\d+)/"><bdi>(\w+)</bdi></a>', parts["people"]) == [
        (str(ana.pk), "Ana"),
        (str(bruno.pk), "Bruno"),
    ]
    assert re.findall(r'amount__number">([^<]*)<', parts["people"]) == ["300", "20"]
    assert re.findall(r'row">([^<]*)</th><td class="num">(\d)</td>', parts["round"]) == [("Player", "1"), ("Tie", "1")]
    assert "No round has been played yet." in parts["rounds"]
    assert "for a look" in parts["events"] and 'href="/tables/jade/"' in parts["round"]


def test_there_is_no_page_of_a_table_that_does_not_exist(db: None) -> None:
    assert browser("pit_boss").get("/pit/tables/jade/").status_code == 404


def test_last_rounds_are_told_with_their_results(house: House) -> None:
    jade = house.table()
    house.stack("9s 2h 9h 2d")
    house.until(jade, BETTING)
    log = house.play_out(jade)
    page = pit_board.table_page("jade", clock=house.clock)
    assert [(one.log, one.words) for one in page.rounds] == [(log, "Player, 8 to 4")]
    assert "Player, 8 to 4" in pit_board.table_fragments(page, buttons=Buttons())["pit-rounds"]


# ── Alerts ──────────────────────────────────────────────────────────────────────────────────────────────────


def voided(house: House) -> Alert:
    """The alert of a round with a stake that was void."""
    jade = patient(house)
    house.bet(house.player("ana"), jade, "player", 100)
    void_round(house.log(jade).pk, "a card of another shoe", clock=house.clock)
    return Alert.objects.get()


@pytest.mark.parametrize("path", ["/pit/", "/pit/tables/jade/"])
def test_an_alert_stays_until_it_is_acknowledged_by_name(floor: House, path: str) -> None:
    alert, boss = voided(floor), member("pit_boss")
    panel = browser_of(boss)
    html = english(panel, path)
    assert "Round 1 is void: a card of another shoe" in html
    assert f'form="pit-deed" name="alert" value="{alert.pk}"' in html
    assert 'data-count="1"' in english(panel, "/pit/events/")
    answer = panel.post("/pit/alerts/acknowledge/", {"alert": alert.pk, "next": path})
    assert answer.headers["Location"] == path
    alert.refresh_from_db()
    assert alert.acknowledged_by == boss and Event.objects.get(deed="acknowledged").by == boss
    html = english(panel, path)
    assert "a card of another shoe" not in html and 'data-count="0"' in html
    again = panel.post("/pit/alerts/acknowledge/", {"alert": alert.pk}, headers={"accept-language": "en"}, follow=True)
    assert "pit_boss-one has acknowledged it already." in again.content.decode()


@pytest.mark.parametrize("role", ROLES)
def test_its_button_is_for_those_who_may(floor: House, role: str) -> None:
    alert, client = voided(floor), browser(role)
    may = role in those_who_may(Right.ACKNOWLEDGE)
    for path in ("/pit/", "/pit/tables/jade/"):
        html = english(client, path)
        assert "a card of another shoe" in html and ('name="alert"' in html) == may
    assert client.post("/pit/alerts/acknowledge/", {"alert": alert.pk}).status_code == (302 if may else 403)
    alert.refresh_from_db()
    assert (alert.acknowledged_by is not None) == may


@pytest.mark.parametrize("said", ["0", "", "x", "9" * 30, "²"])
def test_there_is_nothing_to_acknowledge_that_does_not_exist(db: None, said: str) -> None:
    assert browser("pit_boss").post("/pit/alerts/acknowledge/", {"alert": said}).status_code == 404


# ── Nothing that is hidden ──────────────────────────────────────────────────────────────────────────────────


def test_a_hand_that_its_holder_turns_is_not_told(house: House) -> None:
    """All that the pit is shown of a round is what a spectator sees: no face that they do not, till it lies open."""
    jade, ana = house.table(dealing_device="shoe"), house.player("ana")
    seating.sit(ana.pk, jade.pk, 3, clock=house.clock)
    house.until(jade, BETTING)
    house.bet(ana, jade, "player", 100, 3)

    def told(phase: str) -> tuple[str, set[str]]:
        """All that the pit is shown in this phase, and the faces of ana's hand as far as it is dealt."""
        round_: Any = house.until(jade, phase)
        page = pit_board.table_page("jade", clock=house.clock)
        fragments = (
            pit_board.table_fragments(page, buttons=Buttons(acknowledges=True)),
            pit_board.floor_fragments([page.table], buttons=Buttons(acknowledges=True)),
        )
        return " ".join(html for some in fragments for html in some.values()), {
            card_name(card) for card in round_.coup.player
        }

    shown, faces = told("open_player")
    assert len(faces) == 2 and not any(face in shown for face in faces)
    shown, faces = told("result")
    assert all(face in shown for face in faces)


def test_a_raise_that_only_its_bettor_knows_of_is_not_told(house: House) -> None:
    """At a table where all decide at once, what lies on the felt is what a spectator sees there."""
    floor = Floor(house, M)
    guia = floor.table("guia", (1, 3))
    floor.stake(guia, jackpot=False)
    house.until(guia, "look_and_decide")

    def told() -> tuple[int, list[int], list[int]]:
        page = pit_board.table_page("guia", clock=house.clock)
        return page.table.staked, [one.staked for one in page.people], [spot.total for spot in page.spots]

    before = told()
    assert before == (200_00, [100_00, 100_00], [100_00, 100_00])
    house.decide(floor.at[guia.pk][1], guia, Raise)
    assert told() == before
    assert Account.objects.get(table=guia, kind="escrow").balance == 400_00


@pytest.mark.parametrize("language", first("zh-hant", "pt", "en"))
@pytest.mark.in_full
def test_every_table_of_every_game_can_be_shown(house: House, language: str) -> None:
    boss, headers = browser("shift_manager"), {"accept-language": language}
    tables = open_demo_floor(clock=house.clock)
    everywhere = boss.get("/pit/", headers=headers)
    assert tables and everywhere.status_code == 200
    for table in tables:
        answer = boss.get(f"/pit/tables/{table.slug}/", headers=headers)
        assert answer.status_code == 200
        for shown in (everywhere, answer):
            assert f'id="pit-table-{table.slug}"' in shown.content.decode()


# ── Live ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def ours(live: Hub, monkeypatch: pytest.MonkeyPatch) -> Hub:
    """The consumers' own hub is this test's, and no heartbeat does what the test does."""
    monkeypatch.setattr(consumers, "hub", live)
    monkeypatch.setattr(hub, "hub", live)
    monkeypatch.setattr(hub, "HEARTBEAT", timedelta(hours=1))
    return live


@pytest_asyncio.fixture
async def hall(ours: Hub) -> AsyncIterator[House]:
    """A house where what happens is committed and told."""
    house = House()
    house.clock = RunningClock()
    yield house
    await in_database(house.in_order)


def line(path: str, session: str | None) -> WebsocketCommunicator:
    headers = [(b"host", b"localhost"), (b"origin", b"http://localhost")]
    if session is not None:
        headers.append((b"cookie", f"sessionid={session}".encode()))
    return WebsocketCommunicator(application, f"{path}?lang=en", headers)


def session_of(player: Player) -> str:
    return browser_of(player).cookies["sessionid"].value


async def closed_with(socket: WebsocketCommunicator) -> int:
    while True:
        message = await socket.receive_output(timeout=WITHIN)
        if message["type"] == "websocket.close":
            return int(message["code"])


PATHS = ("/ws/pit/", "/ws/pit/tables/jade/")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("role", ROLES)
async def test_each_role_of_the_staff_is_shown_what_its_page_shows(
    hall: House, ours: Hub, role: str, path: str
) -> None:
    await in_database(lambda: voided(hall))
    somebody = await in_database(member, role)
    socket = line(path, await in_database(session_of, somebody))
    assert (await socket.connect(timeout=WITHIN))[0]
    pushed = fragments_in(str(await socket.receive_from(timeout=WITHIN)))
    assert ('name="alert"' in pushed["pit-alerts"]) == (role in those_who_may(Right.ACKNOWLEDGE))
    page = await in_database(lambda: english(browser_of(somebody), path.removeprefix("/ws")))
    for name, html in pushed.items():
        assert name == "live" or html in page, name
    await socket.disconnect()
    assert not ours.pit, "nobody looks at it any more"


async def test_alerts_and_numbers_come_to_every_other_page_too(hall: House, ours: Hub) -> None:
    """Whoever is at the chips hears of a void round; the socket of the bar says nothing else."""
    cage = await in_database(lambda: session_of(member("cage")))
    socket = line("/ws/pit/bar/", cage)
    assert (await socket.connect(timeout=WITHIN))[0]
    shown = fragments_in(str(await socket.receive_from(timeout=WITHIN)))
    assert set(shown) == {"live", "pit-alerts", *(f"pit-count-{what}" for what in OPEN)}
    assert 'name="alert"' not in shown["pit-alerts"], "the cage acknowledges nothing"
    await in_database(lambda: voided(hall))
    while "Round 1 is void" not in shown["pit-alerts"] or 'data-count="1"' not in shown["pit-count-alerts"]:
        shown |= fragments_in(str(await socket.receive_from(timeout=WITHIN)))
    await socket.disconnect()
    assert not ours.pit


@pytest.mark.parametrize("path", [*PATHS, "/ws/pit/bar/"])
async def test_nobody_else_is_admitted(hall: House, ours: Hub, path: str) -> None:
    await in_database(hall.table)
    ana = await in_database(hall.player, "ana")
    for session, code in ((None, 4401), (await in_database(session_of, ana), 4403)):
        socket = line(path, session)
        await socket.connect(timeout=WITHIN)
        assert await closed_with(socket) == code
    assert not ours.pit


async def test_there_is_no_socket_of_a_table_that_does_not_exist(hall: House, ours: Hub) -> None:
    socket = line("/ws/pit/tables/jade/", await in_database(lambda: session_of(member("cage"))))
    await socket.connect(timeout=WITHIN)
    assert await closed_with(socket) == 4403


async def test_a_login_without_its_second_factor_is_not_admitted(hall: House, ours: Hub) -> None:
    boss = await in_database(member, "pit_boss")
    session = await in_database(session_of, boss)

    def locked() -> None:
        store = SessionStore(session)
        sessions.lock(store)
        store.save()

    await in_database(locked)
    socket = line("/ws/pit/", session)
    await socket.connect(timeout=WITHIN)
    assert await closed_with(socket) == 4401


async def opened(session: str) -> WebsocketCommunicator:
    """A line to the panel on which the floor has come."""
    socket = line("/ws/pit/", session)
    assert (await socket.connect(timeout=WITHIN))[0]
    await socket.receive_from(timeout=WITHIN)
    return socket


async def test_who_loses_his_role_is_let_go_at_the_next_beat(hall: House, ours: Hub) -> None:
    boss, other = await in_database(lambda: (member("pit_boss"), member("cage")))
    gone, stays = [await opened(await in_database(session_of, one)) for one in (boss, other)]
    await in_database(lambda: Player.objects.filter(pk=boss.pk).update(role=""))
    await ours.beat_pit()
    assert await closed_with(gone) == 4403
    assert [socket.player for board in ours.pit.values() for socket in board.sockets] == [other.pk]
    await stays.disconnect()


async def test_who_has_been_away_for_too_long_is_let_go_at_the_next_beat(hall: House, ours: Hub) -> None:
    """What is pushed to them is no word from them: the login locks, and the panel with it."""
    boss = await in_database(member, "pit_boss")
    session = await in_database(session_of, boss)
    socket = await opened(session)
    await ours.beat_pit()
    assert ours.pit

    def away() -> None:
        store = SessionStore(session)
        sessions.see(store, DATABASE_CLOCK.now() - sessions.IDLE)
        store.save()

    await in_database(away)
    await ours.beat_pit()
    assert await closed_with(socket) == 4401


async def shows(client: Client, wanted: Callable[[], bool]) -> None:
    """Wait until `wanted` says that this is on the client's screen."""
    async with asyncio.timeout(WITHIN):
        while True:
            client.heard.clear()
            assert not client.broken
            if await in_database(wanted):
                return
            await client.heard.wait()


@pytest.mark.parametrize("language", ["en", "pt"])
@pytest.mark.parametrize("slug", ["", "jade"])
async def test_what_is_pushed_is_what_a_fresh_load_would_show(hall: House, ours: Hub, slug: str, language: str) -> None:
    """After bets, after a void and its alert, after it was acknowledged."""
    jade = await in_database(lambda: patient(hall))
    screen = Client(None, language, "", asyncio.Event())
    await ours.join_pit(screen.socket, slug, Buttons(acknowledges=True))

    def agrees() -> bool:
        with translation.override(language):
            if slug:
                fresh = pit_board.table_fragments(pit_board.table_page(slug), buttons=Buttons(acknowledges=True))
            else:
                fresh = pit_board.floor_fragments(pit_board.floor(), buttons=Buttons(acknowledges=True))
        return {name: html for name, html in screen.screen.items() if name != "live"} == {
            name: html.strip() for name, html in fresh.items()
        }

    await shows(screen, agrees)
    ana = await in_database(hall.player, "ana")
    await in_database(lambda: seating.sit(ana.pk, jade.pk, 3, clock=hall.clock))
    await in_database(lambda: hall.bet(ana, jade, "player", 1_234, 3))
    await shows(screen, lambda: agrees() and re.search(r"1[,.]234", screen.screen["pit-table-jade"]) is not None)
    await in_database(lambda: void_round(hall.log(jade).pk, "a mistake", clock=hall.clock))
    await shows(screen, lambda: agrees() and "a mistake" in screen.screen["pit-alerts"])
    await in_database(lambda: alerts.acknowledge(member("pit_boss"), Alert.objects.get().pk))
    await shows(screen, lambda: agrees() and "a mistake" not in screen.screen["pit-alerts"])


async def test_the_beat_finds_what_nobody_has_told(hall: House, ours: Hub) -> None:
    """A dealer who is silent: with people at the table, and nothing done there for an hour."""
    jade = await in_database(lambda: patient(hall))
    long_ago = DATABASE_CLOCK.now
    await in_database(lambda: RoundLog.objects.filter(table=jade).update(due_at=long_ago() - timedelta(hours=1)))
    screen = Client(None, "en", "", asyncio.Event())
    boss = await in_database(member, "pit_boss")
    screen.socket.player, screen.socket.session = boss.pk, stored(await in_database(session_of, boss))
    await ours.join_pit(screen.socket, "", Buttons())
    await ours.beat_pit()
    shown = screen.screen  # the list and its number are read one after the other: two pushes may bring them
    await shows(screen, lambda: "Dealing stopped" in shown.get("pit-alerts", ""))
    await shows(screen, lambda: 'data-count="1"' in shown.get("pit-count-alerts", ""))
    assert screen.closed_with is None
