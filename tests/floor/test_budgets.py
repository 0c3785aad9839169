"""Budgets over the lines and the pages: who sends or asks too much is told so, kindly, and harms nobody else."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.test import Client as Browser
from django.utils import translation

from tables.base.executor import in_database
from tables.live import buckets
from tables.live.hub import Hub
from tables.models import LoggedAction, Player, RoundLog
from tables.services.players import people
from tables.views import heavy
from tests.house.kit import House

from .pit_kit import browser_of, member
from .test_sockets import Line, Scene, live, logged_in, scene

__all__ = ["live", "scene"]


# ── Over the lines ──────────────────────────────────────────────────────────────────────────────────────────


async def lines_of(player: Player) -> int:
    return await in_database(LoggedAction.objects.filter(by=player.key).count)


@pytest.mark.usefixtures("no_time_between_messages")
async def test_a_player_has_one_bucket_for_all_sockets_old_and_new(scene: Scene) -> None:
    for _ in range(buckets.PLAYER.burst):
        assert "Too many actions" not in await scene.line.say({"do": "nonsense"})
    second = Line(f"/ws/tables/{scene.table.slug}/?lang=en", scene.session)
    assert await second.open()
    assert "Too many actions" in await second.say({"do": "nonsense"})
    await second.socket.disconnect()
    third = Line(f"/ws/tables/{scene.table.slug}/?lang=en", scene.session)
    assert await third.open()
    assert "Too many actions" in await third.bet(scene.log)
    await third.socket.disconnect()
    await scene.nothing_changed()
    rui = await in_database(scene.house.player, "rui")
    other = Line(f"/ws/tables/{scene.table.slug}/?lang=en", await in_database(logged_in, rui))
    assert await other.open()
    assert "Placed" in await other.bet(scene.log)
    await other.socket.disconnect()


@pytest.mark.usefixtures("no_time_between_messages")
async def test_guests_of_one_address_share_a_bucket_and_players_do_not(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buckets, "ADDRESS", buckets.Allowance(burst=4, per_s=1.0))
    guests = []
    for _ in range(2):
        guest = await in_database(people.new_guest)
        line = Line(f"/ws/tables/{scene.table.slug}/?lang=en", await in_database(logged_in, guest))
        assert await line.open()
        guests.append(line)
    answers = [await line.say({"do": "nonsense"}) for line in guests * 2]
    assert not any("Too many actions" in answer for answer in answers)
    for line in guests:
        assert "Too many actions" in await line.say({"do": "nonsense"})
        await line.socket.disconnect()
    assert "Placed" in await scene.line.bet(scene.log)


async def test_two_sockets_of_a_player_cannot_write_more_than_one(scene: Scene, settings: Any) -> None:
    settings.LINES_PER_PLAYER = 5
    second = Line(f"/ws/tables/{scene.table.slug}/?lang=en", scene.session)
    assert await second.open()
    second.refs = 100
    answers = await asyncio.gather(*(line.bet(scene.log, 1_000) for line in (scene.line, second) * 2))
    answers += [await line.bet(scene.log, 1_000) for line in (scene.line, second) * 2]
    assert [("Too many actions" in answer) for answer in answers].count(True) == 3
    assert await lines_of(scene.ana) == 5
    await second.socket.disconnect()


@pytest.mark.parametrize("other", [{"amount": 2_000}, {"spot": "banker"}, {"box": 1}])
async def test_a_ref_that_was_used_for_another_bet_is_never_placed(scene: Scene, other: dict[str, Any]) -> None:
    first = {"do": "bet", "round": scene.log, "ref": "ref-12345678", "spot": "player", "amount": 1_000}
    assert "Placed" in await scene.line.say(first)
    assert "Placed" in await scene.line.say(first), "the same once more is done once and answered as before"
    answer = await scene.line.say({**first, **other})
    assert 'data-kind="refused"' in answer and "the same reference" in answer and "Placed" not in answer
    assert await lines_of(scene.ana) == 1


# ── Pages that cost much ────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def crowded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As many others look at rounds as may at once."""
    monkeypatch.setattr(heavy, "WAIT_S", 0.0)
    taken = 0
    while heavy.turns.acquire(blocking=False):
        taken += 1
    assert taken == 2
    try:
        yield
    finally:
        for _ in range(taken):
            heavy.turns.release()


def a_round(house: House, ana: Player) -> RoundLog:
    table = house.table()
    house.until(table, "betting")
    house.bet(ana, table, "player", 10)
    return house.play_out(table)


@pytest.mark.parametrize("language", ["en", "pt", "zh-hant"])
async def test_when_many_look_at_rounds_others_are_asked_kindly_to_come_back(
    house: House, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    def look() -> None:
        ana = house.player("ana")
        log = a_round(house, ana)
        browser, pit = Browser(headers={"accept-language": language}), browser_of(member("pit_boss"))
        browser.force_login(ana, backend="django.contrib.auth.backends.ModelBackend")
        pages = [f"/rounds/{log.pk}/", f"/rounds/{log.pk}/record.json", f"/shoes/{log.shoe_id}/"]
        with crowded(monkeypatch), translation.override(language):
            for page in pages:
                busy = browser.get(page)
                assert (busy.status_code, busy["Retry-After"]) == (503, "5")
                assert re.search(rf'href="{page}"', busy.content.decode()), "no way to try again"
                assert translation.gettext("A moment, please") in busy.content.decode()
            assert pit.get(f"/pit/rounds/{log.pk}/").status_code == 503
            assert browser.get("/").status_code == browser.get("/history/").status_code == 200
        assert browser.get(pages[0]).status_code == pit.get(f"/pit/rounds/{log.pk}/").status_code == 200

    await in_database(look)


async def test_a_page_that_fails_gives_its_turn_back(house: House, live: Hub) -> None:
    def look() -> None:
        browser = browser_of(member("pit_boss"))
        for _ in range(3):
            assert browser.get("/pit/rounds/999999/").status_code == 404
        assert heavy.turns.acquire(blocking=False) and heavy.turns.acquire(blocking=False)
        heavy.turns.release()
        heavy.turns.release()

    await in_database(look)
