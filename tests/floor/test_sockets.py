"""The sockets: what is refused is refused with its reason and changes nothing; whose socket it is decides who acts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from channels.testing import WebsocketCommunicator
from channels_redis.pubsub import RedisSingleShardConnection
from django.test import Client as Browser

from casino.asgi import application
from tables.base import announce, tasks
from tables.base.browser_sessions import stored
from tables.base.clock import DATABASE_CLOCK
from tables.base.executor import in_database
from tables.live import consumers, hub
from tables.live.buckets import PLAYER
from tables.live.consumers import EXCESS_MESSAGES
from tables.live.hub import Hub
from tables.live.messages import MAX_BETS
from tables.models import ChatLine, Favourite, LoggedAction, Player, Seat, Table, Transfer
from tables.services.dealing.advance import advance
from tests.house.kit import House
from tests.house.processes import WITHIN

from .kit import fragments_in
from .pit_kit import browser_of, member

START = 10_000 * 100


@pytest_asyncio.fixture
async def live(live: Hub, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hub]:
    """The consumers' own hub is this test's."""
    monkeypatch.setattr(consumers, "hub", live)
    monkeypatch.setattr(hub, "hub", live)
    yield live


class Line:
    """One socket to the real application, as a browser opens it."""

    def __init__(self, path: str, session: str | None = None, origin: str = "http://localhost") -> None:
        headers = [(b"host", b"localhost"), (b"origin", origin.encode())]
        if session is not None:
            headers.append((b"cookie", f"sessionid={session}".encode()))
        self.socket = WebsocketCommunicator(application, path, headers)
        self.refs = 0

    async def open(self) -> bool:
        opened, _ = await self.socket.connect(timeout=WITHIN)
        return opened

    async def say(self, text: str | dict[str, Any]) -> str:
        """Say something; the text of the notice that answers it."""
        await self.socket.send_to(text_data=text if isinstance(text, str) else json.dumps(text))
        return await self.notice()

    async def notice(self) -> str:
        while True:
            fragments = await self.heard()
            if fragments.keys() == {"notice"}:
                return fragments["notice"]

    async def heard(self) -> dict[str, str]:
        """The fragments of the next message."""
        return fragments_in(str(await self.socket.receive_from(timeout=WITHIN)))

    async def bet(self, log: int, amount: Any = 10_000, spot: Any = "player", **more: Any) -> str:
        self.refs += 1
        return await self.say(
            {"do": "bet", "round": log, "ref": f"ref-{self.refs:08}", "spot": spot, "amount": amount, **more}
        )

    async def closed_with(self) -> int:
        """Wait for the server to close the line; its code."""
        while True:
            message = await self.socket.receive_output(timeout=WITHIN)
            if message["type"] == "websocket.close":
                return int(message["code"])


class Scene:
    """A table that takes bets, ana logged in, and her open line."""

    def __init__(self, house: House, table: Table, ana: Player, session: str) -> None:
        self.house, self.table, self.ana, self.session = house, table, ana, session
        self.line = Line(f"/ws/tables/{table.slug}/?lang=en", session)
        self.log = 0

    def until(self, phase: str) -> None:
        """Have the dealer do what is due until the round is there."""
        while (present := Table.objects.select_related("round").get(pk=self.table.pk).round) is None or (
            present.phase != phase
        ):
            assert self.house.advance(self.table).acted

    async def nothing_changed(self) -> None:
        """No line in the log, no chip moved."""
        assert not await in_database(LoggedAction.objects.exclude(by="house").count)
        assert not await in_database(Transfer.objects.filter(log__isnull=False).count)
        assert await in_database(self.house.balance, self.ana) == START


def logged_in(player: Player) -> str:
    browser = Browser()
    browser.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    return browser.cookies["sessionid"].value


@pytest_asyncio.fixture
async def scene(house: House) -> AsyncIterator[Scene]:
    house.clock = DATABASE_CLOCK  # type: ignore[assignment]  # the sockets ask the real one
    table = await in_database(lambda: house.table(times={"betting": 3_600_000}))
    ana = await in_database(house.player, "ana")
    scene = Scene(house, table, ana, await in_database(logged_in, ana))
    await in_database(lambda: advance(table.pk, house.credentials(table)))
    scene.log = (await in_database(house.log, table)).pk
    assert await scene.line.open()
    yield scene
    await scene.line.socket.disconnect()


async def test_a_bet_is_taken_and_answered(scene: Scene) -> None:
    answer = await scene.line.bet(scene.log)
    assert "ref-00000001" in answer
    assert await in_database(scene.house.balance, scene.ana) == START - 10_000


async def test_what_was_answered_is_said_once(scene: Scene) -> None:
    """No whole felt and no push says it again: it would take away what the page has said itself meanwhile."""
    assert "refused" in await scene.line.say({"do": "sit", "ref": "ref-12345678", "seat": 8})
    await scene.line.socket.send_json_to({"do": "resync"})
    while "roads" not in (whole := await scene.line.heard()):
        pass
    await in_database(scene.house.bet, scene.ana, scene.table, "player", 100)
    while "own-player" not in (push := await scene.line.heard()):
        pass
    assert "notice" not in whole.keys() | push.keys()


@pytest.mark.parametrize("amount", [-10_000, 0, 150, 100.5, "10000", True, None, 10**9, 10**30, [1]], ids=str)
async def test_an_amount_that_cannot_be_staked_is_refused(scene: Scene, amount: object) -> None:
    assert "refused" in await scene.line.bet(scene.log, amount)
    await scene.nothing_changed()


@pytest.mark.parametrize(
    "message",
    [
        {"spot": "nowhere"},
        {"spot": "lucky_six"},
        {"box": 3},
        {"box": 99},
        {"box": 0},
        {"round": 999_999},
        {"by": "p1"},
        {"player": 1},
    ],
    ids=str,
)
async def test_a_bet_that_the_rules_or_the_format_refuse_changes_nothing(scene: Scene, message: dict[str, Any]) -> None:
    bet = {"do": "bet", "round": scene.log, "ref": "ref-12345678", "spot": "player", "amount": 10_000, **message}
    assert "refused" in await scene.line.say(bet)
    await scene.nothing_changed()


@pytest.mark.parametrize(
    "text", [" ", "nonsense", "[]", "{}", '{"do":"deal"}', '{"do":"bet"}', "x" * 5_000, "[" * 3_000]
)
async def test_what_is_no_message_is_answered_and_changes_nothing(scene: Scene, text: str) -> None:
    assert "refused" in await scene.line.say(text)
    await scene.nothing_changed()


@pytest.mark.parametrize("seat", [0, 8, 10**12])
async def test_an_unknown_seat_is_refused_with_its_article(scene: Scene, seat: int) -> None:
    answer = await scene.line.say({"do": "sit", "ref": "ref-12345678", "seat": seat})
    assert "refused" in answer
    assert "seats 1 to 7" in answer
    assert not await in_database(Seat.objects.count)


@pytest.mark.parametrize(
    "deed",
    [
        {"do": "withdraw", "bet": "1-1"},
        {"do": "lower", "bet": "1-1", "amount": 100},
        {"do": "move", "bet": "1-1", "spot": "banker"},
        {"do": "turn", "hand": "player"},
        {"do": "turn", "hand": "dealer"},
        {"do": "waive", "hand": "player"},
        {"do": "pass", "hand": "player", "to": "p1"},
        {"do": "cut", "position": 100},
        {"do": "decline"},
        {"do": "ready"},
        {"do": "turn", "hand": 0},
        {"do": "turn"},
        {"do": "ready", "box": 3},
        {"do": "hit", "box": 3, "hand": 0},
        {"do": "card", "card": "As"},
        {"do": "settle"},
        {"do": "void", "reason": "mine"},
        {"do": "close"},
        {"do": "leave"},
        {"do": "pass", "hand": "player", "to": "house"},
    ],
    ids=str,
)
async def test_a_deed_that_is_not_his_to_do_is_refused(scene: Scene, deed: dict[str, Any]) -> None:
    assert "refused" in await scene.line.say({"round": scene.log, "ref": "ref-12345678", **deed})
    await scene.nothing_changed()


async def test_what_the_game_knows_is_done_in_the_name_of_whose_socket_it_is(scene: Scene) -> None:
    await scene.line.bet(scene.log)
    bet = await in_database(lambda: LoggedAction.objects.get(action__do="bet").action["bet"])
    for deed in ({"do": "lower", "bet": bet, "amount": 2_000}, {"do": "move", "bet": bet, "spot": "banker"}):
        answer = await scene.line.say({"round": scene.log, "ref": f"ref-{deed['do']:x>8}", **deed})
        assert 'data-kind="ok"' in answer
    told = await in_database(lambda: list(LoggedAction.objects.exclude(by="house").values_list("by", "action__do")))
    assert told == [(scene.ana.key, "bet"), (scene.ana.key, "lower"), (scene.ana.key, "move")]
    assert await in_database(scene.house.balance, scene.ana) == START - 8_000


async def test_a_refusal_says_which_spot_it_is_about(scene: Scene) -> None:
    await scene.line.bet(scene.log)
    bet = await in_database(lambda: LoggedAction.objects.get(action__do="bet").action["bet"])
    deed = {"do": "move", "bet": bet, "spot": "lucky_six", "round": scene.log, "ref": "ref-12345678"}
    assert 'data-about="lucky_six"' in await scene.line.say(deed)
    assert 'data-about="banker"' in await scene.line.bet(scene.log, 1, spot="banker")


@pytest_asyncio.fixture
async def boxes(house: House) -> AsyncIterator[Scene]:
    """A table of Blackjack that takes bets, ana logged in, and her open line."""
    house.clock = DATABASE_CLOCK  # type: ignore[assignment]  # the sockets ask the real one
    table = await in_database(
        lambda: house.table(game="blackjack", times={"betting": 3_600_000, "decision": 3_600_000, "beat": 0})
    )
    ana = await in_database(house.player, "ana")
    scene = Scene(house, table, ana, await in_database(logged_in, ana))
    await in_database(scene.until, "betting")
    scene.log = (await in_database(house.log, table)).pk
    assert await scene.line.open()
    yield scene
    await scene.line.socket.disconnect()


async def test_a_bet_on_a_box_is_answered_where_it_was_laid(boxes: Scene) -> None:
    assert 'data-about="main-3"' in await boxes.line.bet(boxes.log, 10_000, spot="main", box=3)
    refused = await boxes.line.bet(boxes.log, 1, spot="main", box=3)
    assert 'data-kind="refused"' in refused and 'data-about="main-3"' in refused
    assert 'data-about="main-99"' in await boxes.line.bet(boxes.log, 10_000, spot="main", box=99)
    assert await in_database(boxes.house.balance, boxes.ana) == START - 10_000


async def test_what_a_decider_decides_is_done(boxes: Scene) -> None:
    for deed in ({"do": "follow", "doubles": True}, {"do": "ready"}):
        await boxes.line.bet(boxes.log, 10_000, spot="main", box=3)
        answer = await boxes.line.say({"round": boxes.log, "ref": f"ref-{deed['do']:x>8}", **deed})
        assert 'data-kind="ok"' in answer
    told = await in_database(lambda: list(LoggedAction.objects.exclude(by="house").values_list("action", flat=True)))
    assert told[1] == {"do": "follow", "by": boxes.ana.key, "doubles": True}
    assert told[3] == {"do": "ready", "by": boxes.ana.key}


@pytest.mark.parametrize(
    "deed",
    [
        {"do": "hit", "box": 3},
        {"do": "hit", "box": 3, "hand": 2**53 - 1},
        {"do": "hit", "box": True},
        {"do": "hit"},
        {"do": "hit", "box": "3"},
        {"do": "stand", "box": 0, "hand": 0},
        {"do": "split", "box": 3, "hand": 0, "by": "house"},
        {"do": "double", "box": 3, "amount": 1},
        {"do": "insurance", "box": 3, "amount": 2**53 - 1},
        {"do": "insurance", "box": 3, "amount": -100},
        {"do": "even_money", "box": 99},
        {"do": "follow", "doubles": 1},
        {"do": "follow", "everything": True},
        {"do": "proceed"},
        {"do": "pay"},
        {"do": "turn_hole"},
        {"do": "overdraw"},
        {"do": "turn", "hand": "player"},
    ],
    ids=str,
)
async def test_a_decision_that_is_not_to_be_taken_is_refused(boxes: Scene, deed: dict[str, Any]) -> None:
    assert 'data-kind="refused"' in await boxes.line.say({"round": boxes.log, "ref": "ref-12345678", **deed})
    await boxes.nothing_changed()


async def test_a_bet_over_the_balance_says_what_there_is(scene: Scene) -> None:
    answer = await scene.line.bet(scene.log, 2 * START)
    assert "10,000" in answer
    await scene.nothing_changed()


async def test_who_only_watches_cannot_bet(scene: Scene) -> None:
    watcher = Line(f"/ws/tables/{scene.table.slug}/")
    assert await watcher.open()
    assert "refused" in await watcher.bet(scene.log)
    await scene.nothing_changed()
    await watcher.socket.disconnect()


async def test_an_unknown_table_is_closed_at_once(scene: Scene) -> None:
    line = Line("/ws/tables/nowhere/", scene.session)
    await line.open()
    assert await line.closed_with() == 4403


async def test_a_socket_that_is_refused_is_in_the_security_log(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    """As the refusal of a page is: who, from where, and what for."""
    for path in ("/ws/pit/", "/ws/pit/kiosks/", "/ws/tables/nowhere/", "/ws/kiosk/"):
        line = Line(path, scene.session)
        line.socket.scope["client"] = ("192.0.2.7", 4711)
        await line.open()
        assert await line.closed_with() == 4403
    stranger = Line("/ws/pit/")
    await stranger.open()
    assert await stranger.closed_with() == 4401
    said = [one.msg for one in caplog.records if one.name == "security" and isinstance(one.msg, dict)]
    assert [(one["event"], one["player"], one["address"], one["socket"], one["code"]) for one in said] == [
        ("socket refused", scene.ana.pk, "192.0.2.7", "PitSocket", 4403),
        ("socket refused", scene.ana.pk, "192.0.2.7", "PitKiosksSocket", 4403),
        ("socket refused", scene.ana.pk, "192.0.2.7", "TableSocket", 4403),
        ("socket refused", scene.ana.pk, "192.0.2.7", "KioskSocket", 4403),
        ("socket refused", None, "unknown", "PitSocket", 4401),
    ]


@pytest.mark.parametrize("origin", ["http://elsewhere.example", "null", "http://localhost:9999"])
async def test_a_page_from_elsewhere_opens_no_socket(scene: Scene, origin: str) -> None:
    assert not await Line(f"/ws/tables/{scene.table.slug}/", scene.session, origin).open()


async def test_a_login_that_ends_closes_its_sockets(scene: Scene) -> None:
    await in_database(announce.session_ended, stored(scene.session))
    assert await scene.line.closed_with() == 4401


@pytest.mark.usefixtures("no_time_between_messages")
async def test_a_flood_is_slowed_and_then_cut_off(scene: Scene) -> None:
    for _ in range(PLAYER.burst + EXCESS_MESSAGES + 40):
        await scene.line.socket.send_to(text_data='{"do": "nonsense"}')
    assert await scene.line.closed_with() == 4008


async def test_bytes_are_no_language_of_ours(scene: Scene) -> None:
    await scene.line.socket.send_to(bytes_data=b"\x00\x01")
    assert await scene.line.closed_with() == 4008


async def test_a_player_has_so_many_lines_and_no_more(scene: Scene, settings: Any) -> None:
    settings.SOCKETS_PER_PLAYER = 1
    second = Line(f"/ws/tables/{scene.table.slug}/", scene.session)
    await second.open()
    assert await second.closed_with() == 4008


async def test_bets_that_arrive_together_are_all_answered(scene: Scene) -> None:
    others = []
    for name in ("rui", "lee", "mei"):
        player = await in_database(scene.house.player, name)
        line = Line(f"/ws/tables/{scene.table.slug}/", await in_database(logged_in, player))
        assert await line.open()
        others.append(line)
    answers = await asyncio.gather(*(line.bet(scene.log) for line in others))
    assert all("refused" not in answer for answer in answers)
    assert await in_database(LoggedAction.objects.filter(action__do="bet").count) == 3
    for line in others:
        await line.socket.disconnect()


async def test_the_answer_says_which_bet_it_is_about_in_the_readers_language(scene: Scene) -> None:
    line = Line(f"/ws/tables/{scene.table.slug}/?lang=pt", scene.session)
    assert await line.open()
    answer = await line.bet(scene.log, spot="nowhere")
    assert "ref-00000001" in answer
    await line.socket.disconnect()


# ── Several bets in one message ─────────────────────────────────────────────────────────────────────────────


async def test_of_several_bets_each_is_answered_and_none_is_lost(scene: Scene) -> None:
    bets = [
        {"spot": "player", "amount": 10_000},
        {"spot": "nowhere", "amount": 10_000},
        {"spot": "tie", "amount": 150, "box": None},
        {"spot": "banker", "amount": 5_000},
    ]
    message = {"do": "bets", "round": scene.log, "ref": "ref-12345678", "bets": bets}
    answer = await scene.line.say(message)
    assert "2 of 4 bets were placed." in answer
    assert 'data-refused="nowhere tie "' in answer and "whole number of credits" in answer
    assert await in_database(scene.house.balance, scene.ana) == START - 15_000
    again = await scene.line.say(message)
    assert "2 of 4 bets were placed." in again
    assert await in_database(scene.house.balance, scene.ana) == START - 15_000, "the same ref is placed once"


@pytest.mark.parametrize("deed", ["clear", "undo"])
async def test_what_was_laid_in_one_message_is_taken_back_by_another(scene: Scene, deed: str) -> None:
    bets = [{"spot": spot, "amount": 1_000} for spot in ("player", "banker", "tie")]
    await scene.line.say({"do": "bets", "round": scene.log, "ref": "ref-12345678", "bets": bets})
    assert await in_database(scene.house.balance, scene.ana) == START - 3_000
    assert "Taken back" in await scene.line.say({"do": deed, "round": scene.log, "ref": "ref-23456789"})
    assert await in_database(scene.house.balance, scene.ana) == START


@pytest.mark.usefixtures("no_time_between_messages")
async def test_many_bets_count_for_more_than_one_message(scene: Scene) -> None:
    bets = [{"spot": "player", "amount": 100}] * MAX_BETS
    answers: list[str] = []
    while not answers or "Too many actions" not in answers[-1]:
        message = {"do": "bets", "round": scene.log, "ref": f"ref-{len(answers):08}", "bets": bets}
        answers.append(await scene.line.say(message))
    assert "Placed." in answers[0]
    assert len(answers) <= PLAYER.burst // 2, "so many single bets would not have been too many"


async def test_a_favourite_is_saved_laid_renamed_and_dropped_over_the_line(scene: Scene) -> None:
    async def say(**message: Any) -> str:
        scene.line.refs += 1
        return await scene.line.say({"ref": f"ref-{scene.line.refs:08}", **message})

    assert "no stake" in await say(do="save_favourite", name="mine")
    await scene.line.bet(scene.log, 2_000)
    assert "Saved as mine" in await say(do="save_favourite", name="mine")
    (found,) = await in_database(lambda: list(Favourite.objects.all()))
    assert "Placed." in await say(do="lay", round=scene.log, favourite=found.pk)
    assert await in_database(scene.house.balance, scene.ana) == START - 4_000
    assert "yours" in await say(do="rename_favourite", favourite=found.pk, name="yours")
    assert "yours is gone" in await say(do="drop_favourite", favourite=found.pk)
    assert "no such favourite" in await say(do="lay", round=scene.log, favourite=found.pk)
    assert await in_database(scene.house.balance, scene.ana) == START - 4_000


async def test_staff_neither_sit_nor_stake_nor_talk(scene: Scene) -> None:
    boss = await in_database(member, "pit_boss")
    session = await in_database(lambda: browser_of(boss).cookies["sessionid"].value)
    line = Line(f"/ws/tables/{scene.table.slug}/?lang=en", session)
    assert await line.open()
    felt = fragments_in(str(await line.socket.receive_from(timeout=WITHIN)))
    assert "data-balance" not in felt["wallet"] and boss.key not in felt["wallet"], "he is shown as a spectator"
    refused = "Staff of the house do not play."
    assert refused in await line.bet(scene.log)
    for message in (
        {"do": "sit", "seat": 2},
        {"do": "say", "text": "good evening"},
        {"do": "save_favourite", "name": "mine"},
    ):
        assert refused in await line.say({"ref": "ref-99999999", **message})
    await scene.nothing_changed()
    assert not await in_database(Seat.objects.filter(player=boss).exists)
    assert not await in_database(ChatLine.objects.filter(player=boss).exists)
    await line.socket.disconnect()


async def test_a_hub_stops_although_redis_lets_nobody_leave(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaving = asyncio.Event()

    async def never(self: RedisSingleShardConnection, channel: str) -> None:
        leaving.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(RedisSingleShardConnection, "unsubscribe", never)
    monkeypatch.setattr(tasks, "CANCEL_AGAIN_AFTER_S", 0.01)
    floor = Hub()
    await floor.start()
    async with asyncio.timeout(WITHIN):
        while floor._channel is None:  # noqa: ASYNC110 (nothing says when it listens)
            await asyncio.sleep(0)
        await floor.stop()
    assert leaving.is_set()
