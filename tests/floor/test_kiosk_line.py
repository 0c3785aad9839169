"""The sockets of kiosks: the line that tells a screen how things stand, the tables that it shows, and nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
import pytest_asyncio

from casino.version import VERSION
from tables.base.clock import DATABASE_CLOCK
from tables.base.executor import in_database
from tables.live import buckets, consumers, hub
from tables.live.consumers import OF_VISITORS
from tables.live.hub import Hub
from tables.live.messages import _MESSAGES, Resync
from tables.live.routing import websocket_urlpatterns
from tables.models import Favourite, Kiosk, LoggedAction, Player, Realm, Seat, Table
from tables.services.dealing.advance import advance
from tables.services.kiosk import kiosks, visitors
from tests.house.kiosk_kit import boss
from tests.house.kit import House
from tests.house.processes import WITHIN

from .kiosk_kit import CREDITS, Device, Line, a_kiosk, enrolled, visited
from .kit import fragments_in
from .pit_kit import browser, logged_in


@pytest.fixture(autouse=True)
def no_beats(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told is told because it was announced, and not found later."""
    monkeypatch.setattr(hub, "HEARTBEAT", timedelta(hours=1))


@pytest_asyncio.fixture
async def live(live: Hub, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hub]:
    """The consumers' own hub is this test's."""
    monkeypatch.setattr(consumers, "hub", live)
    monkeypatch.setattr(hub, "hub", live)
    yield live


@dataclass
class Scene:
    """A kiosk that shows a table of players and one of its own, which takes bets; more tables of both kinds beside."""

    house: House
    kiosk: Kiosk
    device: Device
    floor: Table
    demo: Table

    async def line(self, device: Device | None = None) -> Line:
        return await (device or self.device).line().open()

    async def at(self, slug: str, device: Device | None = None) -> Line:
        return await (device or self.device).line(f"/ws/tables/{slug}/?lang=en").open()

    async def visit(self) -> Player:
        await in_database(visited, self.kiosk, "demo", self.device)
        kiosk = await in_database(lambda: Kiosk.objects.select_related("visitor").get(pk=self.kiosk.pk))
        assert kiosk.visitor is not None
        return kiosk.visitor

    async def log(self) -> int:
        """The round of the kiosk's table, which takes bets."""

        def there() -> int:
            advance(self.demo.pk, self.house.credentials(self.demo))
            return self.house.log(self.demo).pk

        return await in_database(there)


def arranged(house: House) -> Scene:
    house.clock = DATABASE_CLOCK  # type: ignore[assignment]  # the sockets ask the real one
    times = {"betting": 3_600_000}
    floor = house.table("jade", times=times)
    house.table("pearl")
    demo = house.table("demo", realm=Realm.KIOSKS, times=times)
    house.table("other", realm=Realm.KIOSKS, game="roulette")
    kiosk = a_kiosk(floor, demo)
    return Scene(house, kiosk, enrolled(kiosk), floor, demo)


@pytest_asyncio.fixture
async def scene(house: House) -> Scene:
    return await in_database(arranged, house)


# ── The line ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_it_is_told_how_things_stand_at_once_and_whenever_they_change(scene: Scene) -> None:
    line, by = await scene.line(), await in_database(boss)
    told: dict[str, object] = {
        "use": scene.device.last_use, "locked": False, "message": "", "restarts": 0, "visitor": False,
        "messages": {}, "closed": False, "dim": 0, "version": VERSION,
    }  # fmt: skip
    assert await line.told() == told
    deeds: list[tuple[Callable[[], Any], dict[str, Any]]] = [
        (lambda: kiosks.show(by, scene.kiosk.pk, "Closed at 3"), {"message": "Closed at 3"}),
        (lambda: kiosks.restart(by, scene.kiosk.pk), {"restarts": 1}),
        (lambda: kiosks.lock(by, scene.kiosk.pk, "It is being cleaned"), {"locked": True}),
        (lambda: kiosks.unlock(by, scene.kiosk.pk), {"locked": False}),
    ]
    for deed, new in deeds:
        await in_database(deed)
        told |= new
        await line.until(told)
    await scene.visit()
    await line.say({"type": "here", "showing": "play"})
    await line.until(told | {"visitor": True})
    await in_database(kiosks.lock, by, scene.kiosk.pk, "Out of order")
    await line.until(told | {"locked": True})
    await line.close()


async def test_what_it_says_is_heard_and_answered_and_that_it_has_gone_too(scene: Scene) -> None:
    line = await scene.line()
    await line.told()
    for showing in ("attract", "play"):
        assert (await line.here(showing))["use"] == scene.device.last_use
        assert await in_database(Kiosk.objects.values_list("showing", flat=True).get) == showing
    second = await scene.line()
    await second.told()
    await second.here("play")
    await line.close()
    assert await in_database(Kiosk.objects.values_list("showing", flat=True).get) == "play", "the next page is there"
    await second.close()
    assert await in_database(Kiosk.objects.values_list("showing", flat=True).get) == ""


@pytest.mark.parametrize(
    "said",
    [
        "here",
        "[]",
        "[" * 3_000,
        '{"type":"here"}',
        '{"type":"here","showing":"pit"}',
        '{"type":"here","showing":["play"]}',
        '{"type":"there","showing":"play"}',
        '{"type":"here","showing":"play","use":1}',
        '{"type":"here","showing":"play","showing":"attract"}',
        '{"do":"resync"}',
        '{"do":"sit","ref":"ref-12345678","seat":1}',
    ],
)
async def test_it_understands_nothing_else(scene: Scene, said: str) -> None:
    line = await scene.line()
    await line.say(said)
    assert await line.closed_with() == 4008
    assert await in_database(Kiosk.objects.values_list("showing", flat=True).get) == ""


@pytest.mark.usefixtures("no_time_between_messages")
async def test_bytes_and_floods_are_cut_off(scene: Scene) -> None:
    line = await scene.line()
    await line.socket.send_to(bytes_data=b"\x00")
    assert await line.closed_with() == 4008
    flood = await scene.line()
    for _ in range(buckets.PLAYER.burst + consumers.EXCESS_MESSAGES + 40):
        await flood.say({"type": "here", "showing": "attract"})
    assert await flood.closed_with() == 4008


async def test_it_outlives_the_visitor(scene: Scene) -> None:
    await scene.visit()
    line, table = await scene.line(), await scene.at("demo")
    assert (await line.told())["visitor"] is True
    await in_database(visitors.farewell, scene.kiosk.pk)
    while (await line.told())["visitor"]:
        pass
    assert await table.closed_with() == 4401
    assert (await line.here())["visitor"] is False
    await line.close()


OVER: dict[str, Callable[[Scene], object]] = {
    "begun anew": lambda scene: scene.device.copy().begin(),
    "revoked": lambda scene: kiosks.unpair(boss(), scene.kiosk.pk, "It was stolen"),
    "retired": lambda scene: kiosks.retire(boss(), scene.kiosk.pk, "The fair is over"),
    "another screen is it": lambda scene: enrolled(scene.kiosk, Device("another-screen-0")),
}


@pytest.mark.parametrize("how", OVER)
async def test_all_sockets_close_when_the_use_is_over_and_open_no_more(scene: Scene, how: str) -> None:
    line, felt = await scene.line(), await scene.at("jade")
    await scene.visit()
    own = await scene.at("demo")
    await in_database(OVER[how], scene)
    for each in (line, felt, own):
        assert await each.closed_with() == 4401
    for path in ("/ws/kiosk/", "/ws/tables/jade/", "/ws/tables/demo/"):
        assert await (await scene.device.line(path).open()).closed_with() == 4401


async def test_what_is_said_over_a_use_that_is_over_is_not_heard(scene: Scene) -> None:
    """Also while announcements are lost, and sockets are still open."""
    await scene.visit()
    line, table = await scene.line(), await scene.at("demo")
    await line.told()
    log = await scene.log()
    await in_database(lambda: Kiosk.objects.update(use=99))
    await line.say({"type": "here", "showing": "play"})
    assert await line.closed_with() == 4401
    await table.say({"do": "bet", "round": log, "ref": "ref-12345678", "spot": "player", "amount": 10_000})
    assert await table.closed_with() == 4401
    assert await in_database(Kiosk.objects.values_list("showing", flat=True).get) == ""
    assert not await in_database(LoggedAction.objects.exclude(by="house").count)


async def test_a_beat_finds_what_no_announcement_has_told(scene: Scene, live: Hub) -> None:
    line = await scene.line()
    await line.told()
    await in_database(lambda: Kiosk.objects.update(message="Lost and found"))
    for feed in live.kiosks.values():
        feed.changed()  # as each beat does
    assert (await line.told())["message"] == "Lost and found"
    await line.close()
    assert not live.kiosks, "nobody is left to be told"


# ── Which sockets ───────────────────────────────────────────────────────────────────────────────────────────


def paths() -> list[str]:
    """All sockets of the house: those with a table in their name at each kind of table, others at what is there."""
    found = []
    for pattern in websocket_urlpatterns:
        route = str(pattern.pattern).replace("<int:kiosk_id>", "1")
        slugs = ("jade", "pearl", "demo", "other", "nowhere") if "<slug:slug>" in route else ("",)
        found += [f"/{route.replace('<slug:slug>', slug)}" for slug in slugs]
    return found


SHOWN = {"/ws/kiosk/", "/ws/tables/jade/", "/ws/tables/demo/"}


async def codes(device: Device, *, opened: bool = False) -> dict[str, int | None]:
    """With what each socket of the house is closed to this browser: None to those that it may open."""
    found: dict[str, int | None] = {}
    for path in paths():
        line = await device.line(path).open()
        message = await line.socket.receive_output(timeout=WITHIN)
        found[path] = int(message["code"]) if message["type"] == "websocket.close" else None
        await line.close()
    return found


async def test_a_kiosk_opens_its_line_and_the_tables_that_it_shows(scene: Scene) -> None:
    found = await codes(scene.device)
    assert {path for path, code in found.items() if code is None} == SHOWN
    assert {code for code in found.values() if code is not None} == {4403}
    await scene.visit()
    found = await codes(scene.device)
    assert {path for path, code in found.items() if code is None} == SHOWN - {"/ws/tables/jade/"}


async def test_a_browser_with_nothing_but_the_cookie_opens_none(scene: Scene) -> None:
    bare = Device()
    bare.browser.cookies["kiosk"] = scene.device.cookie("kiosk")
    assert set((await codes(bare)).values()) == {4401, 4403}
    assert {path for path, code in (await codes(bare)).items() if code == 4401} >= SHOWN


async def test_a_visitor_in_another_browser_opens_none(scene: Scene) -> None:
    visitor = await scene.visit()
    other = Device()
    other.browser = await in_database(logged_in, visitor)
    assert None not in (await codes(other)).values()


@pytest.mark.parametrize("who", ["nobody", "ana", "pit_boss"])
async def test_nobody_else_opens_a_kiosks_socket(scene: Scene, who: str) -> None:
    device = Device()
    if who == "ana":
        device.browser = await in_database(lambda: logged_in(scene.house.player("ana")))
    elif who != "nobody":
        device.browser = await in_database(browser, who)
    found = await codes(device)
    for path in ("/ws/kiosk/", "/ws/tables/demo/", "/ws/tables/other/"):
        assert found[path] == 4403
    assert found["/ws/tables/jade/"] is None and found["/ws/lobby/"] is None
    assert (found["/ws/pit/tables/demo/"] is None) == (who == "pit_boss")


# ── What is said at a table ─────────────────────────────────────────────────────────────────────────────────

FIELDS: dict[str, Any] = {
    "round": 0, "ref": "ref-12345678", "seat": 2, "text": "hello", "who": "p1", "line": 1, "reason": "spam",
    "spot": "player", "amount": 10_000, "box": None, "bets": [{"spot": "banker", "amount": 10_000}], "favourite": 1,
    "name": "mine", "number": 1, "link": "0" * 64, "place": 999, "hand": "player", "card": 0, "edge": "short",
    "step": 1,
}  # fmt: skip


def messages_of(log: int) -> dict[str, dict[str, Any]]:
    """Every message of the house, well formed, by name; and a deed of the game."""
    found = {
        name: {"do": name, **{field: FIELDS[field] for field in kind.__dataclass_fields__ if field != "do"}}
        for name, kind in _MESSAGES.items()
    }
    return {name: {**said, "round": log} if "round" in said else said for name, said in found.items()}


async def answer(line: Line, said: dict[str, Any]) -> str:
    await line.say(said)
    while True:
        fragments = fragments_in(await line.heard())
        if "notice" in fragments and said["ref"] in fragments["notice"]:
            return fragments["notice"]


async def test_a_visitor_bets_sits_and_takes_back_and_can_say_nothing_else(scene: Scene) -> None:
    """Every message there is: those of visitors are heard, all others refused by the server."""
    visitor = await scene.visit()
    line, log = await scene.at("demo"), await scene.log()
    allowed, refused = {name for name, kind in _MESSAGES.items() if kind in OF_VISITORS}, set()
    assert allowed == {"bet", "bets", "clear", "undo", "sit", "stand_up", "resync", "offer", "reveal", "doubt", "peel"}
    for number, (name, said) in enumerate(messages_of(log).items()):
        if name != Resync.do:
            notice = await answer(line, {**said, "ref": f"ref-{number:08}"})
            if "There is nothing like that here." in notice:
                refused.add(name)
    assert refused == set(_MESSAGES) - allowed
    assert await in_database(lambda: list(LoggedAction.objects.exclude(by="house").values_list("by", flat=True)))
    assert not await in_database(Favourite.objects.count)
    deed = {"do": "ready", "round": log, "ref": "ref-99999999"}
    assert "There is nothing like that here." not in await answer(line, deed)
    await line.close()
    assert await in_database(scene.house.balance, visitor) <= CREDITS


async def test_a_visitor_plays(scene: Scene) -> None:
    visitor = await scene.visit()
    line, log = await scene.at("demo"), await scene.log()
    assert 'data-kind="ok"' in await answer(line, messages_of(log)["bet"])
    assert 'data-kind="ok"' in await answer(line, {"do": "sit", "ref": "ref-22345678", "seat": 2})
    assert await in_database(scene.house.balance, visitor) == CREDITS - 10_000
    assert await in_database(lambda: Seat.objects.get().player_id) == visitor.pk
    again = await answer(line, messages_of(log)["bet"])
    assert await in_database(scene.house.balance, visitor) == CREDITS - 10_000, again
    await line.close()


@pytest.mark.parametrize("slug", ["jade", "demo"])
async def test_a_kiosk_without_a_visitor_changes_nothing(scene: Scene, slug: str) -> None:
    line, log = await scene.at(slug), await scene.log()
    for number, (name, said) in enumerate(messages_of(log).items()):
        if name != Resync.do:
            assert "refused" in await answer(line, {**said, "ref": f"ref-{number:08}"})
    assert not await in_database(LoggedAction.objects.exclude(by="house").count)
    assert not await in_database(Seat.objects.count)
    await line.close()


async def test_a_chat_is_never_shown(scene: Scene) -> None:
    await scene.visit()
    line = await scene.at("demo")
    whole = fragments_in(await line.heard())
    assert "<form" not in whole["chat-mine"] and "<textarea" not in whole["chat-mine"]
    await line.close()


# ── Who is at a table ───────────────────────────────────────────────────────────────────────────────────────


async def test_what_a_kiosk_shows_to_nobody_has_nobody_at_its_table(scene: Scene, live: Hub) -> None:
    """The house deals for visitors and onlookers; not for screens that nobody touches."""

    def attended() -> dict[str, bool]:
        tables = Table.objects.filter(slug__in=("jade", "demo"))
        return {table.slug: table.attended_until is not None for table in tables}

    async def beaten() -> None:
        for feed in live.tables.values():
            if any(socket.attends for socket in feed.sockets):
                await live._say_who_is_here(feed)

    await in_database(lambda: Table.objects.update(attended_until=None))
    shown = [await scene.at(slug) for slug in ("jade", "demo")]
    for line in shown:
        await line.heard()
    await beaten()
    assert await in_database(attended) == {"jade": False, "demo": False}
    assert not live._greet, "nobody was greeted"
    await scene.visit()
    own = await scene.at("demo")
    await own.heard()
    await beaten()
    assert await in_database(attended) == {"jade": False, "demo": True}
    watcher = Device()
    onlooker = await scene.at("jade", watcher)
    await onlooker.heard()
    await beaten()
    assert await in_database(attended) == {"jade": True, "demo": True}
    for line in (*shown, own, onlooker):
        await line.close()


async def test_a_player_has_no_way_to_a_kiosks_chips(scene: Scene) -> None:
    """Even with the number of its round."""
    ana = await in_database(scene.house.player, "ana")
    device = Device()
    device.browser = await in_database(logged_in, ana)
    line, log = await scene.at("jade", device), await scene.log()
    assert "refused" in await answer(line, messages_of(log)["bet"])
    assert not await in_database(LoggedAction.objects.exclude(by="house").count)
    await line.close()
