"""Over the socket: two accounts of one address that take part at a Stud Poker table are an alert to the pit."""

from __future__ import annotations

from collections.abc import AsyncIterator
from html import unescape

import pytest
import pytest_asyncio

from tables.base.clock import DATABASE_CLOCK
from tables.base.executor import in_database
from tables.live import consumers, hub
from tables.live.hub import Hub
from tables.models import Alert, TableOrigin
from tests.house.kit import House

from .pit_kit import browser
from .test_sockets import Line, logged_in


@pytest_asyncio.fixture
async def live(live: Hub, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hub]:
    """The consumers' own hub is this test's."""
    monkeypatch.setattr(consumers, "hub", live)
    monkeypatch.setattr(hub, "hub", live)
    yield live


@pytest.mark.parametrize(
    ("here", "elsewhere", "again"),
    [
        ("192.0.2.7", "192.0.2.8", "192.0.2.7"),
        ("2001:db8:0:1::7", "2001:db8:0:2::7", "2001:db8:0:1:ffff::8"),  # a household of IPv6 is one address
    ],
)
async def test_two_who_sit_down_from_one_address_are_told_to_the_pit(
    house: House, here: str, elsewhere: str, again: str
) -> None:
    house.clock = DATABASE_CLOCK  # type: ignore[assignment]  # the sockets ask the real one
    table = await in_database(lambda: house.table(game="stud_poker"))
    lines = []
    for seat, (name, address) in enumerate((("ana", here), ("bea", elsewhere), ("rui", again)), start=1):
        player = await in_database(house.player, name)
        line = Line(f"/ws/tables/{table.slug}/?lang=en", await in_database(logged_in, player))
        line.socket.scope["client"] = (address, 40_000 + seat)
        assert await line.open()
        assert 'data-kind="ok"' in await line.say({"do": "sit", "seat": seat, "ref": f"ref-{seat:08}"})
        lines.append(line)
    for line in lines:
        await line.socket.disconnect()

    def told() -> tuple[list[str], str, int]:
        kinds = list(Alert.objects.filter(kind="shared").values_list("about", flat=True))
        page = unescape(browser("surveillance").get("/pit/").content.decode())
        return [about["names"] for about in kinds], page, TableOrigin.objects.count()

    names, page, kept = await in_database(told)
    assert names == ["Rui, Ana"] and kept == 3
    assert "Several accounts of one place" in page and "Rui, Ana come from one address" in page
    assert "192.0.2" not in page and "2001:" not in page
