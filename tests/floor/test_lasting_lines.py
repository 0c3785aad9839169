"""An open socket never outlives its login, nor its player's standing, even if no announcement was heard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
import pytest_asyncio
from django.conf import settings
from django.db import connection
from django.db.models import F
from django.test import Client

from tables.base.browser_sessions import SessionStore, stored
from tables.base.clock import DATABASE_CLOCK
from tables.base.executor import in_database
from tables.live import consumers, hub
from tables.live.doorkeeper import KNOWN_FOR_S, Doorkeeper
from tables.live.hub import Hub
from tables.live.sockets import Socket
from tables.models import BrowserSession, Player
from tables.services.dealing.advance import advance
from tables.services.players import logins
from tables.services.players.logins import AWAY_AFTER, STAFF_LIFE, Held
from tests.house.kit import House
from tests.house.processes import WITHIN

from .pit_kit import browser_of, member
from .test_sockets import START, Line, Scene, logged_in


class Told:
    """A clock that says what it is told, and seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.later, self.seconds = timedelta(), 0.0

    def now(self) -> datetime:
        return DATABASE_CLOCK.now() + self.later

    def elapsed(self) -> float:
        return self.seconds

    def pass_(self, later: timedelta) -> None:
        self.later += later
        self.seconds += later.total_seconds()


@pytest_asyncio.fixture
async def told(live: Hub, monkeypatch: pytest.MonkeyPatch) -> Told:
    """The clock of the doorkeeper of the consumers' own hub, which is this test's."""
    monkeypatch.setattr(consumers, "hub", live)
    monkeypatch.setattr(hub, "hub", live)
    clock = Told()
    live.doorkeeper = Doorkeeper(elapsed=clock.elapsed, clock=clock)
    return clock


@pytest_asyncio.fixture
async def at_table(house: House, told: Told) -> AsyncIterator[Scene]:
    """A table that takes bets, and ana's open line to it."""
    house.clock = DATABASE_CLOCK  # type: ignore[assignment]  # the sockets ask the real one
    table = await in_database(lambda: house.table(times={"betting": 3_600_000}))
    ana = await in_database(house.player, "ana")
    scene = Scene(house, table, ana, await in_database(logged_in, ana))
    await in_database(lambda: advance(table.pk, house.credentials(table)))
    scene.log = (await in_database(house.log, table)).pk
    assert await scene.line.open()
    yield scene
    await scene.line.socket.disconnect()


async def bets(line: Line, log: int) -> None:
    line.refs += 1
    ref = f"ref-{line.refs:08}"
    await line.socket.send_json_to({"do": "bet", "round": log, "ref": ref, "spot": "player", "amount": 10_000})


def row_gone(scene: Scene) -> None:
    BrowserSession.objects.filter(pk=stored(scene.session)).delete()


def expired(scene: Scene) -> None:
    BrowserSession.objects.filter(pk=stored(scene.session)).update(expire_date=DATABASE_CLOCK.now())


def closed_account(scene: Scene) -> None:
    Player.objects.filter(pk=scene.ana.pk).update(is_active=False)


def joined_the_staff(scene: Scene) -> None:
    Player.objects.filter(pk=scene.ana.pk).update(role="cage")


def logged_in_as_another(scene: Scene) -> None:
    rui = scene.house.player("rui")
    BrowserSession.objects.filter(pk=stored(scene.session)).update(player=rui)


ENDINGS = [row_gone, expired, closed_account, joined_the_staff, logged_in_as_another]


@pytest.mark.parametrize("ending", ENDINGS)
async def test_nothing_is_placed_after_the_login_has_ended_unheard(
    at_table: Scene, told: Told, ending: Callable[[Scene], None]
) -> None:
    await in_database(ending, at_table)
    told.pass_(timedelta(seconds=KNOWN_FOR_S))
    await bets(at_table.line, at_table.log)
    assert await at_table.line.closed_with() == 4401
    assert await in_database(at_table.house.balance, at_table.ana) == START


@pytest.mark.parametrize("ending", ENDINGS)
async def test_the_next_beat_closes_a_line_that_says_nothing(
    at_table: Scene, live: Hub, ending: Callable[[Scene], None]
) -> None:
    other = await in_database(at_table.house.player, "lee")
    stays = Line(f"/ws/tables/{at_table.table.slug}/", await in_database(logged_in, other))
    watches = Line(f"/ws/tables/{at_table.table.slug}/")
    assert await stays.open() and await watches.open()
    await in_database(ending, at_table)
    await live.beat_logins()
    assert await at_table.line.closed_with() == 4401
    assert "Placed." in await stays.bet(at_table.log), "others' lines stay"
    for line in (stays, watches):
        await line.socket.disconnect()


async def test_for_a_second_a_login_is_known_and_no_longer(at_table: Scene, told: Told) -> None:
    assert "Placed." in await at_table.line.bet(at_table.log)
    await in_database(row_gone, at_table)
    assert "Placed." in await at_table.line.bet(at_table.log), "asked a moment ago"
    told.pass_(timedelta(seconds=KNOWN_FOR_S))
    await bets(at_table.line, at_table.log)
    assert await at_table.line.closed_with() == 4401


async def test_a_player_who_does_nothing_for_half_an_hour_is_let_go(at_table: Scene, told: Told, live: Hub) -> None:
    """What counts is what the player says; a felt that the page asks for by itself is not that."""
    told.pass_(AWAY_AFTER - timedelta(minutes=1))
    await live.beat_logins()
    assert "Placed." in await at_table.line.bet(at_table.log)
    told.pass_(AWAY_AFTER - timedelta(minutes=2))
    await at_table.line.socket.send_json_to({"do": "resync"})
    await live.beat_logins()
    assert "Placed." in await at_table.line.bet(at_table.log)
    told.pass_(AWAY_AFTER - timedelta(minutes=1))
    await at_table.line.socket.send_json_to({"do": "resync"})
    await live.beat_logins()
    told.pass_(timedelta(minutes=2))
    await live.beat_logins()
    assert await at_table.line.closed_with() == 4401


async def test_no_line_opens_in_a_login_whose_player_is_away(at_table: Scene) -> None:
    login = BrowserSession.objects.filter(pk=stored(at_table.session))
    await in_database(lambda: login.update(seen_at=F("seen_at") - AWAY_AFTER))
    again = Line(f"/ws/tables/{at_table.table.slug}/", at_table.session)
    await again.open()
    closed = await again.socket.receive_output(WITHIN)
    assert (closed["type"], closed["code"]) == ("websocket.close", 4401), "and nothing is shown before"


def another_password(scene: Scene) -> None:
    scene.ana.set_password("a horse that staples batteries")
    scene.ana.save()


async def comes_in_as_nobody(scene: Scene) -> None:
    again = Line(f"/ws/tables/{scene.table.slug}/?lang=en", scene.session)
    assert await again.open()
    assert "Log in, or play as a guest" in await again.bet(scene.log)
    await again.socket.disconnect()


async def account_page(session: str) -> int:
    """How the account's page answers a browser with this session."""
    browser = Client()
    browser.cookies[settings.SESSION_COOKIE_NAME] = session
    return int((await in_database(browser.get, "/account/")).status_code)


@pytest.mark.parametrize("ending", [row_gone, expired, closed_account, another_password])
async def test_nobody_comes_in_with_a_login_that_holds_no_more(
    at_table: Scene, ending: Callable[[Scene], None]
) -> None:
    await in_database(ending, at_table)
    await comes_in_as_nobody(at_table)
    assert await account_page(at_table.session) == 302


async def test_nobody_comes_in_by_a_way_that_the_house_has_no_more(at_table: Scene, settings: Any) -> None:
    settings.AUTHENTICATION_BACKENDS = [one for one in settings.AUTHENTICATION_BACKENDS if "allauth" in one]
    await comes_in_as_nobody(at_table)
    assert await account_page(at_table.session) == 302


async def test_nobody_comes_in_as_whom_the_row_of_their_session_names(at_table: Scene) -> None:
    await in_database(logged_in_as_another, at_table)
    await comes_in_as_nobody(at_table)


async def test_a_new_secret_key_ends_no_login(at_table: Scene, settings: Any) -> None:
    """The house has restarted with it: the lines come back before a page has given the session its new hash."""
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the next one", [settings.SECRET_KEY]
    again = Line(f"/ws/tables/{at_table.table.slug}/?lang=en", at_table.session)
    assert await again.open()
    assert "Placed." in await again.bet(at_table.log)
    await again.socket.disconnect()
    assert await account_page(at_table.session) == 200
    assert await account_page(at_table.session) == 302, "Django has given it another key, with the new hash"


async def test_a_guest_is_asked_like_everybody_else(house: House, told: Told, live: Hub) -> None:
    table, guest = await in_database(house.table), await in_database(house.player, "guest-1")
    await in_database(lambda: Player.objects.filter(pk=guest.pk).update(guest=True))
    line = Line(f"/ws/tables/{table.slug}/", await in_database(logged_in, guest))
    assert await line.open()
    told.pass_(AWAY_AFTER)
    await live.beat_logins()
    assert await line.closed_with() == 4401


async def test_a_login_of_the_staff_has_an_end_however_busy(house: House, told: Told, live: Hub) -> None:
    table, boss = await in_database(house.table), await in_database(member, "pit_boss")
    session = await in_database(lambda: browser_of(boss).cookies["sessionid"].value)
    line = Line(f"/ws/tables/{table.slug}/", session)
    assert await line.open()
    login = BrowserSession.objects.filter(pk=stored(session))
    told.pass_(STAFF_LIFE - timedelta(minutes=1))
    await in_database(lambda: login.update(seen_at=told.now()))
    await live.beat_logins()
    told.pass_(timedelta(minutes=1))
    await in_database(lambda: login.update(seen_at=told.now()))
    await live.beat_logins()
    assert await line.closed_with() == 4401


@pytest.mark.django_db
def test_a_line_without_a_stored_login_lasts_as_long_as_its_account() -> None:
    held = {
        name: Held(None, Player.objects.create(username=name, name=name.title(), is_active=name == "here").pk)
        for name in ("here", "closed")
    }
    assert logins.ended(held.values(), clock=Told()) == {held["closed"]: logins.Standing.OVER}


@pytest.mark.django_db
def test_a_thousand_sockets_are_one_query(django_assert_num_queries: Any) -> None:
    players = Player.objects.bulk_create([Player(username=f"p{number}", name=f"P{number}") for number in range(1000)])
    now = DATABASE_CLOCK.now() + timedelta(hours=1)
    rows = [
        BrowserSession(session_key=stored(one.username), player=one, expire_date=now, begun_at=now, seen_at=now)
        for one in players
    ]
    BrowserSession.objects.bulk_create(rows, batch_size=50)
    held = {Held(stored(one.username), one.pk) for one in players}
    clock = Told()
    with django_assert_num_queries(1 if connection.vendor == "sqlite" else 2):  # … and the clock's own
        assert not logins.ended(held, heard={one.login for one in held if one.login}, clock=clock)
    BrowserSession.objects.filter(player__in=players[:3]).delete()
    assert {one.player for one in logins.ended(held, clock=clock)} == {one.pk for one in players[:3]}


async def test_messages_that_come_together_are_one_question(house: House, told: Told, live: Hub) -> None:
    """However many people speak at once, their logins are looked up together."""
    asked: list[int] = []

    class Counting(Doorkeeper):
        async def _ended(self, sockets: Any, heard: Any) -> Any:
            asked.append(len(sockets))
            return await super()._ended(sockets, heard)

    live.doorkeeper = Counting(elapsed=told.elapsed, clock=told)
    table = await in_database(house.table)
    lines = []
    for name in ("ana", "rui", "lee", "mei"):
        player = await in_database(house.player, name)
        lines.append(Line(f"/ws/tables/{table.slug}/?lang=en", await in_database(logged_in, player)))
        assert await lines[-1].open()
    asked.clear()
    for line in lines:
        await line.socket.send_json_to({"do": "stand_up", "ref": "ref-00000001"})
    for line in lines:
        await line.notice()
    assert sum(asked) == 4 and len(asked) <= 2, "the first alone at most, and then all who waited"
    for line in lines:
        await line.socket.disconnect()


# ── How sessions are stored ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.django_db
def test_what_the_database_holds_opens_nothing(client: Any) -> None:
    client.post("/guest/")
    cookie, (row,) = client.cookies["sessionid"].value, BrowserSession.objects.values()
    assert cookie not in str(row) and row["session_key"] == stored(cookie)
    assert client.get("/account/").status_code == 200
    client.cookies["sessionid"] = row["session_key"]
    assert client.get("/account/").status_code == 302


@pytest.mark.django_db
def test_another_key_for_a_login_is_the_same_login() -> None:
    ana = Player.objects.create(username="ana", name="Ana")
    session = browser_of(ana).session
    assert isinstance(session, SessionStore)
    before: dict[str, Any] = dict(BrowserSession.objects.values().get())
    session.cycle_key()
    session.save()
    after: dict[str, Any] = dict(BrowserSession.objects.values().get())
    changed = {name for name in before if before[name] != after[name]}
    assert "session_key" in changed and not changed & {"player_id", "begun_at", "seen_at", "proved_by_id"}


@pytest.mark.django_db
def test_sessions_that_have_expired_are_forgotten() -> None:
    for name in ("ana", "rui"):
        browser_of(Player.objects.create(username=name, name=name))
    BrowserSession.objects.filter(player__username="ana").update(expire_date=DATABASE_CLOCK.now())
    assert logins.prune() == 1
    assert BrowserSession.objects.get().player == Player.objects.get(username="rui")


async def test_whoever_asks_first_may_leave_while_others_wait(house: House, told: Told, live: Hub) -> None:
    """The question is nobody's own: the line that put it goes away, and the others hear the answer all the same."""
    players = [await in_database(house.player, name) for name in ("ana", "rui")]
    sockets = [await in_database(a_socket, player) for player in players]
    first, second = [asyncio.ensure_future(live.doorkeeper.admits(socket)) for socket in sockets]
    await asyncio.sleep(0)
    first.cancel()
    async with asyncio.timeout(WITHIN):
        assert await second


def a_socket(player: Player) -> Socket:
    async def nothing(_: object) -> None: ...

    return Socket(nothing, nothing, "en", player=player.pk, session=stored(logged_in(player)))
