"""Kiosks in the pit: what its live pages show of them, every deed and its refusals by role, and figures of the day that
are the ledger's."""

from __future__ import annotations

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db.models import QuerySet, Sum
from django.test import Client as Browser
from django.utils import translation

from tables.base.calendar import MACAU, day_begun
from tables.base.clock import DATABASE_CLOCK
from tables.base.executor import in_database
from tables.base.rights import Right
from tables.base.transactions import unit_of_work
from tables.games.contract.actions import Withdraw
from tables.games.contract.round import Pace
from tables.kiosk import board as kiosk_board
from tables.kiosk import statistics as kiosk_statistics
from tables.kiosk.statistics import Visits
from tables.live.hub import Hub
from tables.models import Account, Alert, Event, Kiosk, Pairing, Player, Realm, RoundLog, Table, Transfer
from tables.models.bettors import player_of
from tables.pit.board import Buttons
from tables.queries.folds import round_of
from tables.services.journal import alerts
from tables.services.kiosk import kiosks, visitors
from tables.services.kiosk.kiosks import Begun, NotEnrolledError, Setting
from tables.services.pit import sanctions
from tables.services.rounds.betting import BetRequest
from tests.extent import first
from tests.house import deeds
from tests.house.kit import House, RunningClock, Seeded, ToldClock, answer, void_round
from tests.house.processes import WITHIN

from .kit import Client, fragments_in
from .pit_kit import ROLES, browser, browser_of, member, those_who_may
from .test_pit_floor import closed_with, english, hall, line, ours, session_of, shows

__all__ = ["hall", "ours"]  # fixtures of the pit's floor

SCREEN = "the screen by the stairs"


@pytest.fixture
def floor(db: None) -> Iterator[House]:
    """A house by the clock that pages ask."""
    house = House()
    house.clock = RunningClock()
    yield house
    house.in_order()


@pytest.fixture
def told(db: None) -> Iterator[House]:
    """A house by a clock that is told."""
    house = House()
    yield house
    house.in_order()


def roulette(house: House, slug: str = "francisco", **how: Any) -> Table:
    """A table for visitors."""
    return house.table(slug, game="roulette", realm=Realm.KIOSKS, **how)


def boss() -> Player:
    return Player.objects.filter(role="pit_boss").first() or member("pit_boss")


def a_kiosk(house: House, name: str = "Lobby", *, tables: tuple[Table, ...] = (), **about: Any) -> Kiosk:
    """A kiosk that no screen is yet."""
    some = tables or (Table.objects.filter(realm=Realm.KIOSKS).first() or roulette(house),)
    setting = Setting(
        **{
            "name": name,
            "place": "by the stairs",
            "tables": [table.pk for table in some],
            "languages": ["pt", "en"],
            "credits": 1_000_00,
            "idle_seconds": 60,
            **about,
        }
    )
    return kiosks.make(boss(), setting, clock=house.clock)


def begun(house: House, kiosk: Kiosk, screen: str = SCREEN) -> Begun:
    """A screen that is this kiosk, and has just begun."""
    code, secret = kiosks.ask(screen, clock=house.clock)
    kiosks.enrol(boss(), kiosk.pk, code, clock=house.clock)
    found = kiosks.answered(secret, screen, clock=house.clock)
    assert found is not None
    return found


def tile(html: str, kiosk: Kiosk) -> str:
    """The tile of a kiosk on a page."""
    return html[html.index(f'<article id="pit-kiosk-{kiosk.pk}"') :].partition("</article>")[0]


def facts(html: str) -> dict[str, str]:
    return dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", html))


# ── What is shown ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("about", "says"),
    [
        ({}, {"attract"}),
        ({"showing": "play"}, {"play"}),
        ({"showing": ""}, {"no connection"}),
        ({"seen_at": timedelta(seconds=20)}, {"no connection"}),
        ({"locked": True}, {"locked"}),
        ({"locked": True, "showing": ""}, {"locked", "no connection"}),
        ({"token": "", "screen": ""}, {"not enrolled"}),
        ({"token": "", "screen": "", "retired_at": timedelta(0)}, {"retired"}),
    ],
)
def test_it_is_told_what_each_kiosk_does(floor: House, about: dict[str, Any], says: set[str]) -> None:
    kiosk = a_kiosk(floor)
    kiosks.hear(kiosk.pk, begun(floor, kiosk).use, "attract", clock=floor.clock)
    now = DATABASE_CLOCK.now()
    Pairing.objects.all().delete()
    Kiosk.objects.filter(pk=kiosk.pk).update(
        **{name: now - value if isinstance(value, timedelta) else value for name, value in about.items()}
    )
    for path in ("/pit/kiosks/", f"/pit/kiosks/{kiosk.pk}/"):
        found = tile(english(browser_of(boss()), path), kiosk)
        assert set(re.findall(r'<span class="tag[^"]*">([^<]+)</span>', found)) == says
        assert "Lobby" in found and "by the stairs" in found
        assert ("is-calling" in found) == ("no connection" in says)


def test_its_heartbeat_visitor_and_message_are_told(floor: House) -> None:
    kiosk = a_kiosk(floor)
    html = english(browser_of(boss()), "/pit/kiosks/")
    assert "Never heard of" in tile(html, kiosk)
    use = begun(floor, kiosk).use
    kiosks.hear(kiosk.pk, use, "attract", clock=floor.clock)
    visitor = visitors.welcome(kiosk.pk, use, clock=floor.clock)
    kiosks.show(boss(), kiosk.pk, "Back at <nine>", clock=floor.clock)
    kiosk.refresh_from_db()
    assert kiosk.seen_at is not None
    found = tile(english(browser_of(boss()), "/pit/kiosks/"), kiosk)
    assert f'href="/pit/people/{visitor.pk}/"><bdi>{visitor}</bdi></a>' in found
    assert "Back at &lt;nine&gt;" in found
    assert f'<time datetime="{kiosk.seen_at.astimezone(MACAU):%Y-%m-%dT%H:%M:%S}' in found


def test_kiosks_stand_by_name_and_those_that_are_retired_last(floor: House) -> None:
    for name in ("Terrace", "Arrivals", "Bar"):
        a_kiosk(floor, name)
    kiosks.retire(boss(), Kiosk.objects.get(name="Arrivals").pk, "sold", clock=floor.clock)
    html = english(browser("surveillance"), "/pit/kiosks/")
    assert re.findall(r'<a href="/pit/kiosks/\d+/">(\w+)</a></h2>', html) == ["Bar", "Terrace", "Arrivals"]
    assert 'href="/pit/kiosks/" aria-current="page"' in html


def test_alerts_about_kiosks_are_there_and_are_acknowledged_from_there(floor: House) -> None:
    kiosk, other = a_kiosk(floor), a_kiosk(floor, "Terrace")
    begun(floor, kiosk)
    Kiosk.objects.filter(pk=kiosk.pk).update(seen_at=DATABASE_CLOCK.now() - timedelta(hours=1))
    with unit_of_work():
        alerts.raise_alert(
            Alert.Kind.SILENT, "of:a:table", at=DATABASE_CLOCK.now(), about={"since": "2026-11-21T20:00:00+00:00"}
        )
    kiosks.look(clock=floor.clock)
    alert = Alert.objects.get(kind="kiosk_silent")
    panel = browser_of(boss())
    for path in ("/pit/", "/pit/kiosks/", f"/pit/kiosks/{kiosk.pk}/", f"/pit/kiosks/{other.pk}/"):
        html = english(panel, path)
        assert "Lobby: not heard of since" in html, path
        assert "Nothing has been done since" in html, path
        assert 'data-count="2"' in html
    assert f'<a href="/pit/kiosks/{kiosk.pk}/">Lobby: not heard of since' in english(panel, "/pit/")
    assert "Kiosk silent" in tile(english(panel, "/pit/kiosks/"), kiosk)
    assert "Kiosk silent" not in tile(english(panel, "/pit/kiosks/"), other)
    page = f"/pit/kiosks/{kiosk.pk}/"
    said = {"alert": alert.pk, "next": page}
    assert panel.post("/pit/alerts/acknowledge/", said).headers["Location"] == page
    assert "not heard of since" not in english(panel, page)
    said = {"alert": Alert.objects.get(kind="silent").pk, "next": "https://elsewhere.example/"}
    assert panel.post("/pit/alerts/acknowledge/", said).headers["Location"] == "/pit/"


@pytest.mark.parametrize("language", ["zh-hant", "pt", "en"])
@pytest.mark.in_full
def test_each_page_can_be_read_in_each_language(floor: House, language: str) -> None:
    kiosk = a_kiosk(floor)
    for role in ROLES:
        for path in ("/pit/kiosks/", f"/pit/kiosks/{kiosk.pk}/", f"/pit/kiosks/{kiosk.pk}/events/"):
            client = browser_of(Player.objects.filter(role=role).first() or member(role))
            assert client.get(path, headers={"accept-language": language}).status_code == 200
    assert browser_of(boss()).get("/pit/kiosks/new/", headers={"accept-language": language}).status_code == 200


def test_there_is_no_page_of_a_kiosk_that_does_not_exist(db: None) -> None:
    client = browser("shift_manager")
    for path in ("/pit/kiosks/7/", "/pit/kiosks/7/events/", f"/pit/kiosks/{'9' * 30}/"):
        assert client.get(path).status_code == 404
    for deed in DEEDS:
        assert client.post(f"/pit/kiosks/7/{deed}/", {"why": "x", "code": "x"}).status_code == 404


# ── Deeds ───────────────────────────────────────────────────────────────────────────────────────────────────

DEEDS = ("settings", "enrol", "message", "schedule", "restart", "lock", "unlock", "revoke", "retire")


def settings_of(table: Table, **about: Any) -> dict[str, Any]:
    """What the form of a kiosk posts."""
    return {
        "name": "Lobby",
        "place": "beside the lift",
        "credits": "500",
        "idle_seconds": "45",
        "language": "en",
        "languages": ["pt", "en"],
        "tables": [table.pk],
        **about,
    }


@pytest.mark.parametrize("role", ROLES)
def test_a_kiosk_is_made_by_those_who_may(floor: House, role: str) -> None:
    table = roulette(floor)
    client = browser(role)
    listed = english(client, "/pit/kiosks/")
    made = client.post("/pit/kiosks/new/", settings_of(table))
    if role not in those_who_may(Right.RUN_KIOSKS):
        assert made.status_code == 403 and not Kiosk.objects.exists()
        assert "/pit/kiosks/new/" not in listed
        return
    kiosk = Kiosk.objects.get()
    assert made.headers["Location"] == f"/pit/kiosks/{kiosk.pk}/" and "/pit/kiosks/new/" in listed
    assert (kiosk.name, kiosk.place, kiosk.credits, kiosk.idle_seconds) == ("Lobby", "beside the lift", 500_00, 45)
    assert kiosk.languages == ["en", "pt"] and list(kiosk.tables.all()) == [table]
    event = Event.objects.get(deed="kiosk_made")
    assert event.by is not None and event.by.role == role
    assert "Lobby is made. Now enrol its screen." in english(client, f"/pit/kiosks/{kiosk.pk}/")


def stored() -> dict[str, Any]:
    """The one kiosk there is, as it is stored."""
    return dict(Kiosk.objects.values().get())


def in_all_states(house: House) -> tuple[Kiosk, dict[str, dict[str, Any]]]:
    """An enrolled kiosk that is locked, a screen that waits, and what each deed posts."""
    kiosk = a_kiosk(house)
    begun(house, kiosk)
    code, _ = kiosks.ask("another screen", clock=house.clock)
    table = kiosk.tables.get()
    return kiosk, {
        "settings": settings_of(table, name="Bar"),
        "enrol": {"code": f"{code[:3]}-{code[3:].lower()}"},
        "message": {"message": "Back at nine"},
        "schedule": {"day_0": "10:00-22:00"},
        "restart": {},
        "lock": {"why": "the glass is broken"},
        "unlock": {},
        "revoke": {"why": "stolen"},
        "retire": {"why": "sold"},
    }


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("role", ROLES)
def test_each_deed_is_done_by_those_who_may_and_written_down(floor: House, role: str, deed: str) -> None:
    kiosk, said = in_all_states(floor)
    if deed == "unlock":
        kiosks.lock(boss(), kiosk.pk, "for a while", clock=floor.clock)
    events, before = Event.objects.count(), stored()
    by = Player.objects.filter(role=role).first() or member(role)
    client = browser_of(by)
    done = client.post(f"/pit/kiosks/{kiosk.pk}/{deed}/", said[deed])
    page = english(client, f"/pit/kiosks/{kiosk.pk}/")
    if role not in those_who_may(Right.RUN_KIOSKS):
        assert done.status_code == 403
        assert Event.objects.count() == events and stored() == before
        assert f"/{kiosk.pk}/{deed}/" not in page
        return
    assert done.headers["Location"] == f"/pit/kiosks/{kiosk.pk}/"
    event = Event.objects.latest("seq")
    assert Event.objects.count() == events + 1 and event.by == by
    assert event.after is not None and event.after["kiosk"] == kiosk.pk
    assert event.why == said[deed].get("why", "")
    assert "notice--ok" in page
    after = stored()
    assert {name for name in after if after[name] != before[name]} == {
        "settings": {"name", "place", "credits", "idle_seconds", "languages"},
        "enrol": {"token", "screen", "use", "enrolled_at"},
        "message": {"message"},
        "schedule": {"hours"},
        "restart": {"restarts"},
        "lock": {"locked"},
        "unlock": {"locked"},
        "revoke": {"token", "screen", "use", "enrolled_at"},
        "retire": {"token", "screen", "use", "enrolled_at", "retired_at"},
    }[deed]


def test_the_screen_whose_code_was_typed_becomes_the_kiosk(floor: House) -> None:
    """However the code is written; and the screen that it was before is it no longer."""
    kiosk = a_kiosk(floor)
    old = begun(floor, kiosk)
    code, secret = kiosks.ask("another screen", clock=floor.clock)
    client = browser_of(boss())
    client.post(f"/pit/kiosks/{kiosk.pk}/enrol/", {"code": f" {code[:2].lower()} {code[2:]} "})
    assert "its screen is to begin" in tile(english(client, "/pit/kiosks/"), kiosk)
    new = kiosks.answered(secret, "another screen", clock=floor.clock)
    assert new is not None and new.kiosk == kiosk
    with pytest.raises(NotEnrolledError):
        kiosks.begin(old.token, SCREEN, old.use, clock=floor.clock)


def test_whoever_plays_goes_when_it_is_locked_and_when_its_screen_is_put_out(floor: House) -> None:
    kiosk, client = a_kiosk(floor), browser_of(boss())
    for deed in ("lock", "revoke"):
        use = begun(floor, kiosk).use
        Kiosk.objects.update(locked=False)
        visitor = visitors.welcome(kiosk.pk, use, clock=floor.clock)
        client.post(f"/pit/kiosks/{kiosk.pk}/{deed}/", {"why": "a test"})
        kiosk.refresh_from_db()
        assert kiosk.visitor is None and Account.objects.get(player=visitor).balance == 0


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "Terrace"}, "There is a kiosk of this name already."),
        ({"name": "x" * 41}, "at most 40 characters"),
        ({"place": "x" * 81}, "at most 80 characters"),
        ({"credits": "0"}, "greater than or equal to 1"),
        ({"credits": "1000001"}, "less than or equal to 1000000"),
        ({"credits": "a lot"}, "Write a whole number"),
        ({"idle_seconds": "5"}, "greater than or equal to 15"),
        ({"idle_seconds": "601"}, "less than or equal to 600"),
        ({"language": "de"}, "de is not one of the available choices"),
        ({"languages": ["de"]}, "de is not one of the available choices"),
        ({"tables": []}, "Choose at least one table."),
        ({"tables": ["999"]}, "999 is not one of the available choices"),
    ],
)
@pytest.mark.parametrize("path", ["/pit/kiosks/new/", "/pit/kiosks/{}/settings/"])
def test_settings_that_cannot_be_are_refused_with_all_that_was_typed(
    floor: House, path: str, changes: dict[str, Any], words: str
) -> None:
    table = roulette(floor)
    kiosk = a_kiosk(floor, "Lobby" if "{}" in path else "Bar", tables=(table,))
    a_kiosk(floor, "Terrace", tables=(table,))
    events, before = Event.objects.count(), list(Kiosk.objects.values())
    refused = browser_of(boss()).post(
        path.format(kiosk.pk), settings_of(table, **changes), headers={"accept-language": "en"}
    )
    html = refused.content.decode().replace("&#x27;", "'")
    assert refused.status_code == 400 and words in html
    assert f'value="{changes.get("place", "beside the lift")}"' in html
    assert Event.objects.count() == events and list(Kiosk.objects.values()) == before


@pytest.mark.parametrize(
    ("deed", "said", "words"),
    [
        ("enrol", {"code": "AAAAAA"}, "No screen shows this code now."),
        ("enrol", {"code": "old"}, "No screen shows this code now."),
        ("enrol", {"code": ""}, "This field is required."),
        ("enrol", {"code": "x" * 13}, "at most 12 characters"),
        ("message", {"message": "x" * 201}, "at most 200 characters"),
        ("lock", {"why": "  "}, "This field is required."),
        ("revoke", {}, "This field is required."),
        ("retire", {"why": "x" * 501}, "at most 500 characters"),
        ("unlock", {}, "It is not locked."),
    ],
)
def test_what_cannot_be_done_says_why_beside_what_was_typed(
    floor: House, deed: str, said: dict[str, str], words: str
) -> None:
    kiosk = a_kiosk(floor)
    begun(floor, kiosk)
    if said.get("code") == "old":
        code, _ = kiosks.ask("a slow screen", clock=ToldClock(DATABASE_CLOCK.now() - timedelta(minutes=15, seconds=1)))
        said = {"code": code}
    refused(kiosk, deed, said, words)


@pytest.mark.parametrize(("deed", "words"), [("restart", "No screen is enrolled"), ("revoke", "No screen is enrolled")])
def test_a_kiosk_without_a_screen_cannot_begin_anew_nor_be_put_out(floor: House, deed: str, words: str) -> None:
    refused(a_kiosk(floor), deed, {"why": "a test"} if deed == "revoke" else {}, words)


def test_what_is_locked_is_not_locked_again(floor: House) -> None:
    kiosk = a_kiosk(floor)
    kiosks.lock(boss(), kiosk.pk, "for a while", clock=floor.clock)
    refused(kiosk, "lock", {"why": "once more"}, "It is locked already.")


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.in_full
def test_nothing_is_done_with_a_kiosk_that_is_retired(floor: House, deed: str) -> None:
    kiosk, said = in_all_states(floor)
    kiosks.retire(boss(), kiosk.pk, "sold", clock=floor.clock)
    refused(kiosk, deed, said[deed], "This kiosk is retired.")
    page = english(browser_of(boss()), f"/pit/kiosks/{kiosk.pk}/")
    assert not any(f"/{kiosk.pk}/{deed}/" in page for deed in DEEDS)


def refused(kiosk: Kiosk, deed: str, said: dict[str, Any], words: str) -> None:
    """A pit boss tries it: they are told why not, what they typed is still there, and nothing has changed."""
    events, before = Event.objects.count(), stored()
    client = browser_of(boss())
    found = client.post(f"/pit/kiosks/{kiosk.pk}/{deed}/", said, headers={"accept-language": "en"}, follow=True)
    html = found.content.decode()
    assert words in html
    in_service = kiosk.retired_at is None and Kiosk.objects.get().retired_at is None
    for typed in said.values():
        assert not in_service or not str(typed).strip() or f'value="{typed}"' in html
    assert Event.objects.count() == events and stored() == before


def test_its_history_is_its_own_page_by_page(floor: House) -> None:
    kiosk, other = a_kiosk(floor), a_kiosk(floor, "Terrace")
    for number in range(60):
        kiosks.show(boss(), kiosk.pk, f"message {number}", clock=floor.clock)
    kiosks.lock(boss(), other.pk, "another one", clock=floor.clock)
    client = browser("surveillance")
    newest = english(client, f"/pit/kiosks/{kiosk.pk}/events/")
    assert "message 59" in newest and "another one" not in newest
    older = re.search(r'rel="next" href="([^"]+)"', newest)
    assert older is not None
    oldest = english(client, older[1])
    assert "Kiosk made" in oldest and "message 59" not in oldest
    page = english(client, f"/pit/kiosks/{kiosk.pk}/")
    assert "message 59" in page and "message 49" not in page and "another one" not in page


# ── Live ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("role", ROLES)
async def test_each_role_of_the_staff_is_shown_what_its_page_shows(hall: House, ours: Hub, role: str) -> None:
    kiosk = await in_database(lambda: a_kiosk(hall))
    somebody = await in_database(member, role, f"{role}-two")
    session = await in_database(session_of, somebody)
    for path in ("/pit/kiosks/", f"/pit/kiosks/{kiosk.pk}/"):
        socket = line(f"/ws{path}", session)
        assert (await socket.connect(timeout=WITHIN))[0]
        pushed = fragments_in(str(await socket.receive_from(timeout=WITHIN)))
        page = await in_database(english, logged_in_as(session), path)
        assert f"pit-kiosk-{kiosk.pk}" in pushed
        for name, html in pushed.items():
            assert name == "live" or html in page, name
        await socket.disconnect()
    assert not ours.pit, "nobody looks at it any more"


def logged_in_as(session: str) -> Browser:
    client = Browser()
    client.cookies["sessionid"] = session
    return client


async def test_nobody_else_is_admitted(hall: House, ours: Hub) -> None:
    kiosk = await in_database(lambda: a_kiosk(hall))
    ana = await in_database(hall.player, "ana")
    watcher = await in_database(lambda: session_of(member("cage")))
    sessions = [(None, 4401), (await in_database(session_of, ana), 4403)]
    for path in ("/ws/pit/kiosks/", f"/ws/pit/kiosks/{kiosk.pk}/"):
        for session, code in sessions:
            socket = line(path, session)
            await socket.connect(timeout=WITHIN)
            assert await closed_with(socket) == code
    socket = line(f"/ws/pit/kiosks/{kiosk.pk + 1}/", watcher)
    await socket.connect(timeout=WITHIN)
    assert await closed_with(socket) == 4403
    assert not ours.pit


@pytest.mark.parametrize("language", ["en", "pt"])
@pytest.mark.parametrize("of_one", [False, True])
async def test_what_is_pushed_is_what_a_fresh_load_would_show(
    hall: House, ours: Hub, of_one: bool, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a kiosk that is made to one that is retired, with a visitor between; and another one made meanwhile."""
    monkeypatch.setattr(kiosks, "ALIVE_FOR", timedelta(hours=1))  # however long all this takes, its line is there
    kiosk = await in_database(lambda: a_kiosk(hall))
    screen = Client(None, language, "", asyncio.Event())
    await ours.join_kiosks(screen.socket, kiosk.pk if of_one else None, Buttons(acknowledges=True))

    def agrees() -> bool:
        with translation.override(language):
            if of_one:
                page = kiosk_board.kiosk_page(kiosk.pk)
                fresh = kiosk_board.kiosk_fragments(page, buttons=Buttons(acknowledges=True))
            else:
                fresh = kiosk_board.board_fragments(kiosk_board.board(), buttons=Buttons(acknowledges=True))
        return {name: html for name, html in screen.screen.items() if name != "live"} == {
            name: html.strip() for name, html in fresh.items()
        }

    def shown(what: str) -> Callable[[], bool]:
        return lambda: agrees() and what in screen.screen[f"pit-kiosk-{kiosk.pk}"]

    await shows(screen, shown("is-not_enrolled"))
    use = (await in_database(lambda: begun(hall, kiosk))).use
    await shows(screen, shown("is-no_line"))
    await in_database(lambda: kiosks.hear(kiosk.pk, use, "attract"))
    await shows(screen, shown("is-attract"))
    visitor = await in_database(lambda: visitors.welcome(kiosk.pk, use))
    await shows(screen, shown(str(visitor)))
    await in_database(lambda: kiosks.hear(kiosk.pk, use, "play"))
    await shows(screen, shown("is-play"))
    await in_database(lambda: kiosks.show(boss(), kiosk.pk, "Back at nine"))
    await shows(screen, shown("Back at nine"))
    await in_database(lambda: kiosks.lock(boss(), kiosk.pk, "the glass is broken"))
    await shows(screen, shown("is-locked"))
    if not of_one:
        other = await in_database(lambda: a_kiosk(hall, "Terrace"))
        await shows(screen, lambda: agrees() and f"pit-kiosk-{other.pk}" in screen.screen)
    await in_database(lambda: kiosks.gone(kiosk.pk, use))
    await in_database(lambda: kiosks.retire(boss(), kiosk.pk, "sold"))
    await shows(screen, shown("is-retired"))


# ── Figures ─────────────────────────────────────────────────────────────────────────────────────────────────


def by_the_ledger(since: datetime, until: datetime) -> dict[int, Visits]:
    """What the transfers of visitors say one by one: what was of a round, in the moment in which that was settled. Who
    has a payout in a round, be it nothing, played in it; so did whoever got back a surplus or a carried stake."""
    sums: defaultdict[int, Counter[str]] = defaultdict(Counter)
    rounds: defaultdict[int, set[int]] = defaultdict(set)
    for moved in Transfer.objects.select_related("debit__player", "credit__player", "log"):
        for player, cents in ((moved.debit.player, -moved.amount), (moved.credit.player, moved.amount)):
            at = moved.at if moved.log is None else moved.log.settled_at
            if player is None or player.kiosk_id is None or at is None or not since <= at < until:
                continue
            of = sums[player.kiosk_id]
            if moved.log is None:
                of["given" if cents > 0 else "checked_out"] += abs(cents)
                of["visitors"] += moved.reason == "visit"
            elif (cents < 0 and moved.reason != "reversed") or (moved.reason == "withdraw" and not carried(moved)):
                of["staked"] -= cents
            else:
                of["returned"] += cents
            if moved.log is not None and not moved.log.void and (moved.reason == "trim" or carried(moved)):
                rounds[player.kiosk_id].add(moved.log.pk)
    kiosk_of = dict(Player.objects.exclude(kiosk=None).values_list("pk", "kiosk"))
    for log in RoundLog.objects.filter(settled_at__gte=since, settled_at__lt=until, void=False):
        for payout in round_of(log).payouts():
            rounds[kiosk_of[player_of(payout.by)]].add(log.pk)
    return {pk: Visits(rounds=len(rounds[pk]), **sums[pk]) for pk in sums.keys() | rounds.keys()}


def cents_of(rows: QuerySet[Any], name: str = "amount") -> int:
    return int(rows.aggregate(cents=Sum(name))["cents"] or 0)


def carried(moved: Transfer) -> bool:
    assert moved.log is not None
    return moved.bet in {stake["bet"] for stake in moved.log.opening.get("carried", ())}


@pytest.mark.parametrize("seed", first("first", "second"))
@pytest.mark.in_full
def test_the_figures_of_a_day_are_those_of_the_ledger(told: House, seed: str) -> None:
    """Two kiosks and two tables beyond midnight: visitors come, stake, take back, go while their bets lie there; some
    rounds are void; the pit gives somebody credits."""
    dice = Seeded(f"visitors, {seed}")
    told.chance = Seeded(f"chance, {seed}")
    told.clock.at = datetime(2066, 11, 21, 15, 45, tzinfo=UTC)  # a quarter of an hour before midnight in Macau
    tables = [roulette(told, auto_leave_winners=True), told.table("camoes", realm=Realm.KIOSKS, min_bet=5_00)]
    both = [a_kiosk(told, name, tables=tuple(tables)) for name in ("Lobby", "Terrace")]
    uses = {kiosk.pk: begun(told, kiosk, f"screen of {kiosk}").use for kiosk in both}
    manager, began = member("shift_manager"), told.clock.at
    for _ in range(260):
        told.clock.pass_(seconds=dice.below(15))
        table, kiosk = dice.one_of(tables), dice.one_of(both)
        log = Table.objects.select_related("round").get(pk=table.pk).round
        match dice.below(12):
            case 0:
                visitors.farewell(kiosk.pk, clock=told.clock)
            case 1 if log is not None and log.settled_at is None and not dice.below(3):
                void_round(log.pk, "a test", clock=told.clock)
            case 2 if not dice.below(4):
                somebody = visitors.welcome(kiosk.pk, uses[kiosk.pk], clock=told.clock)
                sanctions.comp(manager, somebody.pk, 7_00, "a test", clock=told.clock)
            case 3:
                visitors.sweep(clock=told.clock)
            case 4 | 5 | 6 | 7 | 8 if log is not None and round_of(log).pace is Pace.BETTING:
                player = visitors.welcome(kiosk.pk, uses[kiosk.pk], clock=told.clock)
                offers = round_of(log).offers(player.key)
                taken = [one for one in offers.actions if isinstance(one, Withdraw)]
                if taken and not dice.below(3):
                    bet_id = dice.one_of(taken).bet
                    answer(lambda player=player, table=table, bet=bet_id: told.decide(player, table, Withdraw, bet=bet))  # type: ignore[misc]
                elif offers.bets:
                    bet = dice.one_of(offers.bets)
                    request = BetRequest(player.pk, told.ref(), bet.spot, bet.least * (1 + dice.below(5)), bet.box)
                    answer(lambda request=request, log=log: deeds.place(log.pk, request, clock=told.clock))  # type: ignore[misc]
            case _:
                told.step(table)
    now = told.clock.at + timedelta(microseconds=1)
    midnight = day_begun(now)
    assert began < midnight < now, "it goes over midnight"
    for since, until in ((began, midnight), (midnight, now), (began, now), (midnight, midnight)):
        found, wanted = kiosk_statistics.of_kiosks(since, until), by_the_ledger(since, until)
        assert {pk: of for pk, of in found.items() if of != Visits()} == wanted
    whole = kiosk_statistics.of_kiosks(began, now)
    assert all(min(of.visitors, of.rounds, of.given, of.staked, of.returned, of.checked_out) for of in whole.values())
    all_of_it = kiosk_statistics.total(whole.values())
    left = cents_of(Account.objects.filter(player__kiosk__isnull=False), "balance")
    running = Transfer.objects.filter(log__isnull=False, log__settled_at=None)
    lying = cents_of(running.filter(debit__kind="player")) - cents_of(running.filter(credit__kind="player"))
    assert all_of_it.given - all_of_it.staked + all_of_it.returned - all_of_it.checked_out == left + lying
    shown = kiosk_board.board(clock=ToldClock(now))
    assert {kiosk.kiosk_id: kiosk.figures for kiosk in shown} == kiosk_statistics.of_kiosks(midnight, now)


def test_the_figures_of_today_stand_on_the_tiles_and_above_them(told: House) -> None:
    table = roulette(told)
    lobby, terrace = (a_kiosk(told, name, tables=(table,)) for name in ("Lobby", "Terrace"))
    ana = visitors.welcome(lobby.pk, begun(told, lobby).use, clock=told.clock)
    told.throw(1)
    told.until(table, "betting")
    told.bet(ana, table, "red", 100)
    told.bet(ana, table, "black", 30)
    told.play_out(table)
    visitors.farewell(lobby.pk, clock=told.clock)
    visitors.welcome(terrace.pk, begun(told, terrace, "other").use, clock=told.clock)
    told.clock.pass_(seconds=1)
    fragments = kiosk_board.board_fragments(kiosk_board.board(clock=told.clock), buttons=Buttons())
    rows = [facts(fragments[f"pit-kiosk-{name}"]) for name in (lobby.pk, terrace.pk, "sum")]
    names = ("Visitors", "Rounds", "Given", "Staked", "Returned", "Checked out")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("1", "1", "1,000", "130", "200", "1,070"),
        ("1", "0", "1,000", "0", "0", "0"),
        ("2", "1", "2,000", "130", "200", "1,070"),
    ]
    told.clock.pass_(days=1)
    assert all(kiosk.figures == Visits() for kiosk in kiosk_board.board(clock=told.clock))
