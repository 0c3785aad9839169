"""The squeeze over the sockets: what a holder may say of a card, and who sees what comes of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from tables.base.clock import DATABASE_CLOCK
from tables.base.executor import in_database
from tables.models import RoundLog
from tables.services.rounds import seating
from tests.house import deeds
from tests.house.kit import House
from tests.house.processes import WITHIN
from tests.kit import article

from .kit import fragments_in
from .test_sockets import Line, Scene, live, logged_in  # noqa: F401 (`live` is a fixture)

SHOE: dict[str, Any] = {"dealing_device": "shoe", "decks": 6, "burn_mode": "fixed_n", "burn_fixed_n": 1}


@pytest_asyncio.fixture
async def dealt(house: House) -> AsyncIterator[Scene]:
    """Ana holds the Player's cards, the nine of hearts first."""
    house.clock = DATABASE_CLOCK  # type: ignore[assignment]  # the sockets ask the real one
    scene = await in_database(_dealt, house)
    assert await scene.line.open()
    yield scene
    await scene.line.socket.disconnect()


def _dealt(house: House) -> Scene:
    house.stack("Kd 2c 9h 3c 4d 5h 9s 7s")
    times = {"cut": 0, "betting": 3_600_000, "hurry": 0, "beat": 0}
    table = house.table(times=times, squeeze=True, squeeze_seconds=30, **SHOE)
    ana = house.player("ana")
    seating.sit(ana.pk, table.pk, 1)
    scene = Scene(house, table, ana, logged_in(ana))
    scene.until("betting")
    house.bet(ana, table, "player", 100, 1)
    scene.log = house.log(table).pk
    deeds.ready(ana.pk, scene.log, house.ref())
    scene.until("open_player")
    return scene


async def shows(line: Line, what: str) -> str:
    """Wait until the felt shows this; the fragment that does."""
    while True:
        for html in fragments_in(str(await line.socket.receive_from(timeout=WITHIN))).values():
            if what in html:
                return html


def peel(scene: Scene, **about: Any) -> dict[str, Any]:
    return {"do": "peel", "round": scene.log, "ref": "ref-12345678", "hand": "player", "card": 0, "edge": "short"} | {
        "step": 4,
        **about,
    }


async def stored(scene: Scene) -> object:
    return (await in_database(RoundLog.objects.get, pk=scene.log)).peeled


@article("55/2004", "B-A18")
async def test_everybody_at_the_table_sees_what_the_holder_peels_and_nobody_is_answered(dealt: Scene) -> None:
    watcher = Line(f"/ws/tables/{dealt.table.slug}/?lang=pt")
    assert await watcher.open()
    await shows(watcher, 'id="cards"')
    await dealt.line.socket.send_json_to(peel(dealt))
    seen = await shows(watcher, 'data-edge="short" data-step="4"')
    assert seen.count("#pip-h") == 2
    own = await shows(dealt.line, 'data-edge="short" data-step="4"')
    assert "As" not in own
    # had it been answered, the answer would come before that of this one
    answer = await dealt.line.say(peel(dealt, card=2, ref="ref-00000002"))
    assert 'data-kind="refused"' in answer and "ref-00000002" in answer
    await watcher.socket.disconnect()


@pytest.mark.parametrize(
    "about",
    [
        {"card": True},
        {"card": "0"},
        {"card": -1},
        {"card": 2},
        {"card": 2**53},
        {"hand": 0},
        {"hand": "banker"},
        {"hand": "Player"},
        {"edge": "top"},
        {"edge": 1},
        {"edge": None},
        {"step": 0},
        {"step": 11},
        {"step": 4.0},
        {"step": True},
        {"step": "4"},
        {"round": 999_999},
        {"by": "p1"},
        {"pips": []},
    ],
    ids=str,
)
async def test_whatever_else_a_client_says_of_a_card_is_refused(dealt: Scene, about: dict[str, Any]) -> None:
    assert 'data-kind="refused"' in await dealt.line.say(peel(dealt, **about))
    assert await stored(dealt) is None


@pytest.mark.parametrize("missing", ["round", "ref", "hand", "card", "edge", "step"])
async def test_nothing_of_it_may_be_missing(dealt: Scene, missing: str) -> None:
    message = {name: value for name, value in peel(dealt).items() if name != missing}
    assert 'data-kind="refused"' in await dealt.line.say(message)
    assert await stored(dealt) is None


@article("55/2004", "16(2)")
async def test_nobody_peels_for_the_holder(dealt: Scene) -> None:
    rui = await in_database(dealt.house.player, "rui")
    for session in (await in_database(logged_in, rui), None):
        line = Line(f"/ws/tables/{dealt.table.slug}/?lang=en", session)
        assert await line.open()
        assert 'data-kind="refused"' in await line.say(peel(dealt))
        await line.socket.disconnect()
    assert await stored(dealt) is None


@article("55/2004", "B-A18")
async def test_the_holder_turns_one_card_and_the_other_stays_as_it_is(dealt: Scene) -> None:
    await dealt.line.socket.send_json_to(peel(dealt, card=1, edge="long", step=7))
    await shows(dealt.line, 'data-step="7"')
    turn = {"do": "turn", "round": dealt.log, "ref": "ref-00000003", "hand": "player", "card": 0}
    await dealt.line.socket.send_json_to(turn)
    cards = await shows(dealt.line, 'data-card="9h"')
    assert 'data-edge="long" data-step="7"' in cards
