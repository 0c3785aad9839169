"""The chat on the pages and over the sockets: who reads what, who may talk, and that text is never anything else."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from django.conf import settings
from django.test import Client as Browser
from django.utils import translation

from tables.base.clock import DATABASE_CLOCK
from tables.base.executor import in_database
from tables.felt.private import Viewer, private_fragments
from tables.felt.public import LINES_TOGETHER, public_fragments
from tables.live import consumers, hub
from tables.live.hub import Hub
from tables.models import ChatLine, Mute, Player, Realm, Report, Table
from tables.queries.chat import LINES_SHOWN
from tables.queries.own import own_of
from tables.queries.table import table_state
from tables.services.players import chat
from tests.house.kit import House

from .kiosk_kit import a_kiosk, visited
from .kit import Room, fragments_in
from .test_sockets import Line, logged_in

LANGUAGES = [code for code, _ in settings.LANGUAGES]

NASTY = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</ol></div><div id=wallet hx-swap-oob=true>",
    "'onmouseover='alert(1)",
    "<div hx-get='/x' hx-trigger=load>",
    "{{ state.name }} {% now %}",
    "&lt;b&gt; &amp; %(name)s",
    "javascript:alert(1)//",
]


def spoken(house: House, player: Player, table: Table, *texts: str) -> None:
    for text in texts:
        house.clock.pass_(seconds=11)
        chat.speak(player.pk, table.pk, house.ref(), text, clock=house.clock)


# ── On the page ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def quiet(db: None) -> House:
    return House()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", NASTY)
def test_what_is_said_and_who_says_it_is_text_in_every_language(quiet: House, text: str, language: str) -> None:
    table, ana, rui = quiet.table(), quiet.player("ana"), quiet.player("rui")
    Player.objects.filter(pk=rui.pk).update(name=text[:40])
    rui.refresh_from_db()
    spoken(quiet, rui, table, text)
    chat.mute(ana.pk, table.pk, rui.key, clock=quiet.clock)
    state = table_state(table.pk)
    who = Viewer(key=ana.key, name="Ana", balance_cents=0, muted=own_of([ana.pk], table.game)[ana.pk].muted)
    with translation.override(language):
        html = public_fragments(state)["chat"] + private_fragments(state, who)["chat-mine"]
    assert fragments_in(html).keys() == {"chat", "chat-mine"}
    for raw in ("<script", "<img", "<div hx", "<div id=wallet", "'onmouse", "</ol></div>"):
        assert raw not in html
    shown = html.replace("&lt;", "<").replace("&gt;", ">").replace("&#x27;", "'").replace("&quot;", '"')
    assert text in shown.replace("&amp;", "&")


def test_at_least_fifty_lines_are_shown_and_a_new_one_changes_few_of_them(quiet: House) -> None:
    table, ana = quiet.table(), quiet.player("ana")
    before: dict[str, str] = {}
    swapped = 0
    for number in range(1, 2 * LINES_SHOWN):
        spoken(quiet, ana, table, f"line {number}")
        fragments = public_fragments(table_state(table.pk))
        shown = re.findall(r">line (\d+)<", fragments["chat-earlier"] + fragments["chat"])
        assert shown == [str(one) for one in range(number - len(shown) + 1, number + 1)]
        assert min(number, LINES_SHOWN - LINES_TOGETHER + 1) <= len(shown) <= LINES_SHOWN
        assert fragments["chat"].count("<li") <= LINES_TOGETHER
        swapped += fragments["chat-earlier"] != before.get("chat-earlier")
        before = fragments
    assert swapped <= 2 * LINES_SHOWN / LINES_TOGETHER + 1


def test_the_page_has_a_chat_for_players_to_talk_and_for_watchers_to_read(quiet: House) -> None:
    table, ana = quiet.table(), quiet.player("ana")
    spoken(quiet, ana, table, "hello there")
    browser = Browser()
    watching = browser.get(f"/tables/{table.slug}/").content.decode()
    assert "hello there" in watching and "data-chat-form" not in watching
    browser.force_login(ana, backend="django.contrib.auth.backends.ModelBackend")
    playing = browser.get(f"/tables/{table.slug}/").content.decode()
    assert "hello there" in playing and "data-chat-form" in playing


def test_a_kiosk_has_no_chat(quiet: House) -> None:
    device = visited(a_kiosk(quiet.table("demo", realm=Realm.KIOSKS)), "demo")
    page = device.browser.get("/kiosk/tables/demo/").content.decode()
    assert "data-chat" not in page
    for fragment in ("chat", "chat-earlier", "chat-lock", "chat-mine"):  # what is pushed finds its place
        assert f'id="{fragment}"' in page


# ── Pushed ──────────────────────────────────────────────────────────────────────────────────────────────────


async def a_room(house: House, live: Hub) -> tuple[Room, Player, Player]:
    table: Table = await in_database(house.table)
    ana, rui = await in_database(house.player, "ana"), await in_database(house.player, "rui")
    room = Room(table, live)
    for player, language in ((ana, "en"), (ana, "zh-hant"), (rui, "pt"), (None, "en")):
        await room.enter(player, language)
    await in_database(house.until, table, "betting")
    await room.agree()
    return room, ana, rui


async def test_what_was_said_is_pushed_and_equals_a_fresh_page(house: House, live: Hub) -> None:
    room, ana, rui = await a_room(house, live)
    for number in range(LINES_TOGETHER + 2):
        await in_database(spoken, house, (ana, rui)[number % 2], room.table, f"line {number}")
        await room.agree()
    assert all("line 11" in client.screen["chat"] for client in room.clients)
    assert all("line 9<" in client.screen["chat-earlier"] for client in room.clients)
    await in_database(house.step, room.table)
    await room.agree()


async def test_a_line_is_pushed_by_itself(house: House, live: Hub) -> None:
    room, ana, _ = await a_room(house, live)
    await in_database(spoken, house, ana, room.table, "hello")
    await room.agree()
    for client in room.clients:
        assert fragments_in(client.messages[-1]).keys() == {"chat", "live"}


async def test_a_mute_is_pushed_to_all_tabs_of_that_player_and_to_nobody_else(house: House, live: Hub) -> None:
    room, ana, rui = await a_room(house, live)
    other = Room(await in_database(house.table, "lotus"), live)
    elsewhere = await other.enter(ana)
    await other.agree()
    heard = [len(client.messages) for client in room.clients]
    await in_database(spoken, house, rui, room.table, "hello")
    await room.agree()
    await other.agree()
    heard = [len(client.messages) for client in room.clients]
    for deed in (
        lambda: chat.mute(ana.pk, room.table.pk, rui.key, clock=house.clock),
        lambda: chat.unmute(ana.pk, room.table.pk, rui.key),
    ):
        await in_database(deed)
        await room.agree()
        await other.agree()
        muted = await in_database(Mute.objects.exists)
        for client in (*room.clients[:2], elsewhere):
            assert (f'data-muted="{rui.key} "' in client.screen["chat-mine"]) is muted
    assert [len(client.messages) - before for client, before in zip(room.clients, heard, strict=True)] == [2, 2, 0, 0]


# ── Over the socket ─────────────────────────────────────────────────────────────────────────────────────────


class Scene:
    """A table, ana logged in, and her open line."""

    def __init__(self, house: House, table: Table, ana: Player, line: Line) -> None:
        self.house, self.table, self.ana, self.line = house, table, ana, line
        self.refs = 0

    async def does(self, do: str, over: Line | None = None, /, **more: Any) -> str:
        self.refs += 1
        return await (over or self.line).say({"do": do, "ref": f"ref-{self.refs:08}", **more})

    async def another(self, name: str) -> tuple[Player, Line]:
        player = await in_database(self.house.player, name)
        line = Line(f"/ws/tables/{self.table.slug}/?lang=en", await in_database(logged_in, player))
        assert await line.open()
        return player, line

    async def at_a_kiosk(self) -> Line:
        """The line of a visitor who plays at a kiosk."""
        table = await in_database(lambda: self.house.table("demo", realm=Realm.KIOSKS))
        device = await in_database(lambda: visited(a_kiosk(table), "demo"))
        line = Line("/ws/tables/demo/?lang=en", device.cookie("sessionid"))
        assert await line.open()
        return line


@pytest_asyncio.fixture
async def scene(house: House, live: Hub, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    monkeypatch.setattr(consumers, "hub", live)
    monkeypatch.setattr(hub, "hub", live)
    house.clock = DATABASE_CLOCK  # type: ignore[assignment]  # the sockets ask the real one
    table = await in_database(house.table)
    ana = await in_database(house.player, "ana")
    line = Line(f"/ws/tables/{table.slug}/?lang=en", await in_database(logged_in, ana))
    assert await line.open()
    yield Scene(house, table, ana, line)
    await line.socket.disconnect()


async def test_a_player_talks_seated_or_standing(scene: Scene) -> None:
    answer = await scene.does("say", text="  Good   evening ")
    assert 'data-kind="ok"' in answer and "ref-00000001" in answer
    assert "<p" not in answer and "sr" not in answer  # the line is its own answer
    await scene.does("sit", seat=3)
    assert 'data-kind="ok"' in await scene.does("say", text="Now I sit")
    said = await in_database(lambda: list(ChatLine.objects.order_by("number").values_list("player", "text")))
    assert said == [(scene.ana.pk, "Good evening"), (scene.ana.pk, "Now I sit")]


async def test_who_only_watches_reads_and_does_not_talk(scene: Scene) -> None:
    watcher = Line(f"/ws/tables/{scene.table.slug}/?lang=en")
    assert await watcher.open()
    for do, more in (
        ("say", {"text": "hello"}),
        ("mute", {"who": scene.ana.key}),
        ("report", {"line": 1, "reason": "rude"}),
    ):
        assert "Log in, or play as a guest" in await scene.does(do, watcher, **more)
    assert not await in_database(ChatLine.objects.exists)
    await watcher.socket.disconnect()


async def test_a_kiosk_does_not_talk_either(scene: Scene) -> None:
    line = await scene.at_a_kiosk()
    for do, more in (
        ("say", {"text": "hello"}),
        ("mute", {"who": scene.ana.key}),
        ("report", {"line": 1, "reason": "rude"}),
    ):
        assert "There is nothing like that here." in await scene.does(do, line, **more)
    assert not await in_database(ChatLine.objects.exists)
    await line.socket.disconnect()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "1 to 1000"), ("x" * 1001, "1 to 1000"), (7, "1 to 1000"), (None, "1 to 1000"), (["hi"], "1 to 1000"),
        ("   ", "nothing to read"), ("\u200b", "nothing to read"), ("\ud800", "nothing to read"),
        ("é" * 201, "at most 200"),
    ],
    ids=ascii,
)  # fmt: skip
async def test_what_cannot_be_said_is_refused_with_its_reason(scene: Scene, text: object, reason: str) -> None:
    answer = await scene.does("say", text=text)
    assert 'data-kind="refused"' in answer and reason in answer
    assert not await in_database(ChatLine.objects.exists)


@pytest.mark.parametrize(
    "message",
    [
        {"do": "say"},
        {"do": "say", "text": "hi", "by": "p1"},
        {"do": "say", "text": "hi", "round": 1},
        {"do": "mute"},
        {"do": "mute", "who": "everybody"},
        {"do": "mute", "who": 7},
        {"do": "unmute", "who": "p1", "player": "p2"},
        {"do": "report", "line": 1},
        {"do": "report", "line": "1", "reason": "rude"},
        {"do": "report", "line": 1, "reason": "Very rude!"},
        {"do": "report", "line": True, "reason": "rude"},
    ],
    ids=str,
)
async def test_strange_messages_are_not_understood(scene: Scene, message: dict[str, Any]) -> None:
    answer = await scene.line.say({"ref": "ref-12345678", **message})
    assert "not understood" in answer
    for kind in (ChatLine, Mute, Report):
        assert not await in_database(kind._default_manager.exists)


async def test_too_much_at_once_is_refused(scene: Scene) -> None:
    answers = [await scene.does("say", text=f"line {number}") for number in range(7)]
    assert ["refused" in answer for answer in answers] == [False] * 5 + [True] * 2
    assert "Wait a few seconds" in answers[-1]


async def test_mute_unmute_and_report_are_answered(scene: Scene) -> None:
    rui, line = await scene.another("rui")
    await scene.does("say", line, text="draw, draw!")
    said = await in_database(ChatLine.objects.get)
    assert "You will not read Rui any more." in await scene.does("mute", who=rui.key)
    assert "You will read Rui again." in await scene.does("unmute", who=rui.key)
    for _ in range(2):
        assert "Thank you." in await scene.does("report", line=said.pk, reason="advice")
    report = await in_database(Report.objects.get)
    assert (report.by_id, report.about_id, report.text) == (scene.ana.pk, rui.pk, "draw, draw!")
    assert "your own" in await scene.does("report", line, line=said.pk, reason="rude")
    await line.socket.disconnect()
