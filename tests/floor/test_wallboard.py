"""A wallboard: enrolled as a kiosk is, it shows the pit's floor and nothing about anybody; it does nothing, reaches no
other page, and is gone at once when the pit unpairs it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import Any

import pytest
import pytest_asyncio
from django.db import IntegrityError, transaction

from tables.base.clock import DATABASE_CLOCK
from tables.base.executor import in_database
from tables.games.contract.errors import Refused
from tables.live import consumers, hub, wallboard
from tables.live.hub import Hub
from tables.models import Alert, Kiosk, LoggedAction, Player, Realm, Table, Transfer
from tables.services.journal import alerts
from tables.services.kiosk import kiosks, visitors
from tables.services.kiosk.kiosks import Setting
from tables.services.pit import lifecycle
from tests.house.kiosk_kit import boss, setting
from tests.house.kit import House

from .kiosk_kit import Device, Line, a_kiosk, enrolled
from .kit import fragments_in
from .pit_kit import browser
from .test_kiosk_gate import ALL, OURS

PATH = "/ws/kiosk/wallboard/?lang=en"


def a_wallboard(name: str = "Wall", language: str = "en") -> Kiosk:
    return kiosks.make(boss(), Setting.of_wallboard(name, "behind the pit's desk", language))


def alert(kind: Alert.Kind, table: Table, **about: object) -> None:
    with transaction.atomic():
        now = DATABASE_CLOCK.now()
        alerts.raise_alert(kind, f"{kind}:{table.pk}", at=now, table=table.pk, about=about)


# ── What it shows ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.django_db
def test_it_shows_the_floor_and_names_nobody(house: House) -> None:
    jade = house.table("jade")
    house.table("demo", realm=Realm.KIOSKS)
    ana = house.player("Anabela")
    alert(Alert.Kind.BIG_BET, jade, who="Anabela", player=ana.pk, cents=5_000_00, round=1)
    alert(Alert.Kind.WATCHED, jade, who="Anabela", player=ana.pk, why="a debt")
    page = enrolled(a_wallboard()).browser.get("/kiosk/attract/").content.decode()
    body = page[page.index("<body") :]
    assert 'id="pit-table-jade"' in body and 'id="pit-table-demo"' not in body
    assert 'id="pit-sum"' in body and "Big bet" in body
    assert "Anabela" not in body and "Watched player" not in body
    assert not re.search(r"<(form|button|input|a)\b", body), "nothing can be done, nothing leads away"
    assert "csrf" not in page
    assert "/pit/" not in body


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "says"), [("zh-hant", "賭廳"), ("pt", "A sala")])
def test_it_speaks_its_own_language(house: House, language: str, says: str) -> None:
    house.table("jade")
    page = enrolled(a_wallboard(language=language)).browser.get("/kiosk/attract/").content.decode()
    assert f'lang="{language}"' in page and says in page


@pytest.mark.django_db
def test_locked_or_outside_its_hours_it_shows_nothing_of_the_floor(house: House) -> None:
    house.table("jade")
    wall = a_wallboard()
    device = enrolled(wall)
    kiosks.lock(boss(), wall.pk, "The wall is painted")
    page = device.browser.get("/kiosk/attract/").content.decode()
    assert "pit-table" not in page and "Out of service" in page


# ── What it may do: nothing ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.django_db
def test_it_reaches_no_other_page_and_does_nothing(house: House) -> None:
    house.table("jade")
    house.table("demo", realm=Realm.KIOSKS)
    client = enrolled(a_wallboard()).browser
    before = [each.objects.count() for each in (Player, Transfer, LoggedAction)]
    open_to_all = ("/kiosk/", "/kiosk/begin/", "/kiosk/worker.js")
    for path, _name in ALL:
        if path not in open_to_all:
            assert client.post(path, {"table": "demo", "why": "because"}).status_code in (403, 405), path
            if path != "/kiosk/attract/":
                got = client.get(path)
                ours = path in OURS.values()
                assert (got.status_code, got.headers.get("Location")) == (
                    (302, "/kiosk/attract/") if ours else (403, None)
                ), path
    assert [each.objects.count() for each in (Player, Transfer, LoggedAction)] == before
    assert client.get("/kiosk/attract/").status_code == 200


@pytest.mark.django_db
def test_nobody_plays_at_a_wallboard(house: House) -> None:
    wall = a_wallboard()
    enrolled(wall)
    wall.refresh_from_db()
    with pytest.raises(Refused):
        visitors.welcome(wall.pk, wall.use)
    with pytest.raises(IntegrityError, match="nobody_plays_at_a_wallboard"), transaction.atomic():
        Kiosk.objects.filter(pk=wall.pk).update(visitor=house.player("Ana"))


@pytest.mark.django_db
def test_a_kiosk_does_not_become_a_wallboard_nor_a_wallboard_a_kiosk(house: House) -> None:
    table = house.table("demo", realm=Realm.KIOSKS)
    kiosk, wall = a_kiosk(table), a_wallboard()
    with pytest.raises(Refused):
        kiosks.change(boss(), wall.pk, setting(table))
    with pytest.raises(Refused):
        kiosks.change(boss(), kiosk.pk, Setting.of_wallboard("Lobby", "", "en"))


@pytest.mark.django_db
def test_the_pit_makes_and_sets_it(house: House) -> None:
    house.table("jade")
    client = browser("pit_boss")
    made = client.post("/pit/kiosks/new-wallboard/", {"name": "Wall", "language": "pt", "place": "", "group": ""})
    wall = Kiosk.objects.get()
    assert made.headers["Location"] == f"/pit/kiosks/{wall.pk}/" and wall.wallboard and wall.languages == ["pt"]
    page = client.get(f"/pit/kiosks/{wall.pk}/").content.decode()
    assert "Lock it" in page and 'name="credits"' not in page
    client.post(f"/pit/kiosks/{wall.pk}/settings/", {"name": "Wall 2", "language": "en", "place": "", "group": ""})
    wall.refresh_from_db()
    assert (wall.name, wall.languages, wall.restarts) == ("Wall 2", ["en"], 1)
    refused = client.post("/pit/kiosks/new-wallboard/", {"name": "Wall 2", "language": "en"})
    assert refused.status_code == 400 and "There is a kiosk of this name already." in refused.content.decode()


# ── Its line ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def no_beats(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told is told because it was announced, and not found later."""
    monkeypatch.setattr(hub, "HEARTBEAT", timedelta(hours=1))


@pytest_asyncio.fixture
async def own(live: Hub, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hub]:
    """The consumers' own hub is this test's."""
    for module in (consumers, hub, wallboard):
        monkeypatch.setattr(module, "hub", live)
    yield live


async def line_of(device: Device) -> Line:
    return await device.line(PATH).open()


async def until(line: Line, says: Callable[[dict[str, Any]], bool]) -> None:
    """Wait till it is sent such fragments."""
    while not says(fragments_in(await line.heard())):
        pass


@pytest.mark.usefixtures("no_beats")
async def test_it_is_live(house: House, own: Hub) -> None:
    house.clock = DATABASE_CLOCK  # type: ignore[assignment]  # the sockets ask the real one
    jade = await in_database(lambda: house.table("jade"))
    line = await line_of(await in_database(lambda: enrolled(a_wallboard())))
    await until(line, lambda sent: {"pit-table-jade", "pit-sum", "wall-alerts"} <= sent.keys())
    await in_database(lambda: lifecycle.pause(boss(), jade.pk))
    await until(line, lambda sent: "paused" in sent.get("pit-table-jade", ""))
    await in_database(lambda: alert(Alert.Kind.LOW, jade, cents=100_00, of=1_000_00))
    await until(line, lambda sent: "Float low" in sent.get("wall-alerts", ""))
    await line.close()


@pytest.mark.parametrize("deed", [kiosks.unpair, kiosks.retire, kiosks.lock])
@pytest.mark.usefixtures("no_beats")
async def test_when_the_pit_takes_it_away_it_is_gone_at_once(house: House, own: Hub, deed: Callable[..., None]) -> None:
    house.clock = DATABASE_CLOCK  # type: ignore[assignment]
    wall = await in_database(a_wallboard)
    device = await in_database(lambda: enrolled(wall))
    line = await line_of(device)
    await until(line, lambda sent: "pit-sum" in sent)
    await in_database(lambda: deed(boss(), wall.pk, "It hangs elsewhere"))
    assert await line.closed_with() == 4401
    again = await line_of(device)
    assert await again.closed_with() in (4401, 4403)


async def test_a_beat_finds_what_nobody_has_announced(house: House, own: Hub) -> None:
    wall = await in_database(a_wallboard)
    line = await line_of(await in_database(lambda: enrolled(wall)))
    await until(line, lambda sent: "pit-sum" in sent)
    await own.beat_pit()
    await in_database(lambda: Kiosk.objects.filter(pk=wall.pk).update(token="", token_before="", screen=""))
    await own.beat_pit()
    assert await line.closed_with() == 4401


async def test_no_other_screen_and_nobody_else_has_its_line(house: House, own: Hub) -> None:
    table = await in_database(lambda: house.table("demo", realm=Realm.KIOSKS))
    kiosk = await line_of(await in_database(lambda: enrolled(a_kiosk(table))))
    assert await kiosk.closed_with() == 4403
    wall = await in_database(lambda: enrolled(a_wallboard(), Device("f" * 16)))
    for path in ("/ws/pit/", "/ws/pit/kiosks/", "/ws/lobby/", "/ws/tables/demo/"):
        assert await (await wall.line(path).open()).closed_with() == 4403, path
    stranger = await Device().line(PATH).open()
    assert await stranger.closed_with() == 4403
