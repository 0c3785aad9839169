"""A login that ends takes its sockets with it: those of this login, or of all, and nobody else's."""

from __future__ import annotations

import asyncio
from itertools import count

from django.test import Client as Browser

from tables.base.browser_sessions import stored
from tables.base.executor import in_database
from tables.live.hub import Hub
from tables.models import BrowserSession, Player, Table
from tables.services.pit import staff
from tests.house.kit import House
from tests.house.processes import WITHIN

from .kit import Client

PASSWORD = "lotus and baize 1887"
_addresses = count(1)


class Line(Client):
    """The open page of somebody's login."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.closed = asyncio.Event()

    async def _closed(self, code: int) -> None:
        await super()._closed(code)
        self.closed.set()

    async def ends(self) -> int | None:
        """Wait for the house to close the line; its code."""
        async with asyncio.timeout(WITHIN):
            await self.closed.wait()
        return self.closed_with


def _browser() -> Browser:
    return Browser(REMOTE_ADDR=f"10.3.0.{next(_addresses)}")


def _logged_in(player: Player) -> Browser:
    browser = _browser()
    browser.post("/accounts/login/", {"login": player.username, "password": PASSWORD})
    assert "_auth_user_id" in browser.session
    return browser


async def _line(hub: Hub, table: Table, player: Player | None, browser: Browser) -> Line:
    line = Line(player, "en", table.game, asyncio.Event())
    if player is not None:
        line.socket.session = stored(browser.cookies["sessionid"].value)
    await hub.join_table(line.socket, table.pk)
    return line


async def _somebody(house: House, name: str) -> Player:
    def make() -> Player:
        player = house.player(name)
        player.set_password(PASSWORD)
        player.save()
        return player

    return await in_database(make)


async def test_logging_out_closes_the_sockets_of_this_login_alone(house: House, live: Hub) -> None:
    table = await in_database(house.table)
    ana, rui = await _somebody(house, "ana"), await _somebody(house, "rui")
    here, there, other = [await in_database(_logged_in, player) for player in (ana, ana, rui)]
    first, second = await _line(live, table, ana, here), await _line(live, table, ana, here)
    elsewhere, his = await _line(live, table, ana, there), await _line(live, table, rui, other)
    watching = await _line(live, table, None, _browser())
    await in_database(lambda: here.post("/accounts/logout/"))
    assert await first.ends() == 4401
    assert await second.ends() == 4401
    assert [line.closed_with for line in (elsewhere, his, watching)] == [None, None, None]


async def test_a_changed_password_closes_all_sockets_of_the_player(house: House, live: Hub) -> None:
    table = await in_database(house.table)
    ana, rui = await _somebody(house, "ana"), await _somebody(house, "rui")
    here, there, other = [await in_database(_logged_in, player) for player in (ana, ana, rui)]
    lines = [await _line(live, table, ana, here), await _line(live, table, ana, there)]
    his = await _line(live, table, rui, other)
    fields = {"oldpassword": PASSWORD, "password1": "quite another 1887", "password2": "quite another 1887"}
    await in_database(lambda: here.post("/accounts/password/change/", fields))
    assert [await line.ends() for line in lines] == [4401, 4401]  # also this browser's: its login has a new key
    assert his.closed_with is None


async def test_a_guest_who_keeps_his_account_has_a_new_login(house: House, live: Hub) -> None:
    table = await in_database(house.table)
    browser = _browser()
    await in_database(lambda: browser.post("/guest/"))
    guest = await in_database(Player.objects.get)
    line = await _line(live, table, guest, browser)
    before = browser.cookies["sessionid"].value
    await in_database(
        lambda: browser.post("/accounts/keep/", {"username": "rui", "password1": PASSWORD, "password2": PASSWORD})
    )
    assert await line.ends() == 4401
    assert browser.cookies["sessionid"].value != before
    again = await _line(live, table, guest, browser)
    await in_database(lambda: browser.post("/accounts/logout/"))
    assert await again.ends() == 4401


async def test_another_role_closes_all_sockets_of_the_person(house: House, live: Hub) -> None:
    table = await in_database(house.table)
    ana, rui = await _somebody(house, "ana"), await _somebody(house, "rui")
    browsers = [await in_database(_logged_in, ana) for _ in range(2)]
    lines = [await _line(live, table, ana, browser) for browser in browsers]
    his = await _line(live, table, rui, await in_database(_logged_in, rui))
    await in_database(staff.appoint, None, ana, "cage", "first night")
    assert [await line.ends() for line in lines] == [4401, 4401]
    assert his.closed_with is None
    assert not await in_database(BrowserSession.objects.filter(player=ana).exists)
