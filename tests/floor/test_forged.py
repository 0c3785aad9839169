"""What a client makes up: messages of another day, ids of what is another's or of nothing, names of our own methods.

What is another's is answered like what there is not: so nobody learns by asking that it exists.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tables.base.clock import DATABASE_CLOCK
from tables.base.executor import in_database
from tables.games.contract.actions import Ready
from tables.live import buckets, consumers
from tables.live.messages import Malformed, parse
from tables.models import Account, Alert, ChatLine, Favourite, LoggedAction, RoundLog, Seat, Table, Transfer
from tables.services.dealing.advance import advance
from tables.services.pit import holding
from tables.services.players import chat
from tables.services.rounds import favourites, seating
from tests.house.kit import House

from .pit_kit import member
from .test_sockets import Line, Scene, boxes, live, scene

__all__ = ["boxes", "live", "scene"]


def books() -> list[Any]:
    """All that was ever done in a round, and where every cent lies; favourites and lines of the chat too."""
    kinds: tuple[Any, ...] = (LoggedAction, Transfer, Account, Favourite, ChatLine, Alert)
    return [list(kind.objects.order_by("pk").values()) for kind in kinds]


def neutral(answer: str) -> str:
    """An answer without the reference and the number that it was asked with."""
    return re.sub(r"ref-[\w-]+|\d+", "", answer)


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told to be slower here."""
    monkeypatch.setattr(buckets, "PLAYER", buckets.Allowance(burst=1_000, per_s=1_000.0))


def dealt_until(house: House, table: Table, done: Callable[[RoundLog], bool]) -> None:
    """Have the dealer do what comes next, without waiting for its time, until the present round is so."""
    for _ in range(100):
        if done(log := house.log(table)):
            return
        RoundLog.objects.filter(pk=log.pk).update(due_at=DATABASE_CLOCK.now())
        house.attend(table)
        house.advance(table)
    raise AssertionError(f"it never came; the round is in {log.phase}")


# ── Another day (D1, D2) ────────────────────────────────────────────────────────────────────────────────────


async def test_what_was_said_yesterday_says_nothing_today(scene: Scene) -> None:
    """Every message of a round, sent again word for word once it is over, over the same line and over a new one."""
    said: list[dict[str, Any]] = [
        {"do": "bet", "spot": "player", "amount": 10_000},
        {"do": "bets", "bets": [{"spot": "banker", "amount": 5_000}, {"spot": "tie", "amount": 1_000}]},
        {"do": "undo"},
        {"do": "ready"},
    ]
    recorded = [{"round": scene.log, "ref": f"ref-{at:08}", **one} for at, one in enumerate(said)]
    for one in recorded:
        assert "refused" not in await scene.line.say(one)
    await in_database(dealt_until, scene.house, scene.table, lambda log: log.pk != scene.log and log.phase == "betting")
    before = await in_database(books)
    again = Line(f"/ws/tables/{scene.table.slug}/?lang=en", scene.session)
    assert await again.open()
    for line in (scene.line, again):
        for one in recorded:
            await line.say(one)
            assert 'data-kind="refused"' in await line.say({**one, "ref": one["ref"].replace("ref", "new")})
    await again.socket.disconnect()
    assert await in_database(books) == before


async def test_fifty_times_the_same_message_over_three_lines_is_one_bet(patience: None, scene: Scene) -> None:
    lines = [scene.line]
    for _ in range(2):
        lines.append(Line(f"/ws/tables/{scene.table.slug}/?lang=en", scene.session))
        assert await lines[-1].open()
    bet = {"do": "bet", "round": scene.log, "ref": "ref-12345678", "spot": "player", "amount": 10_000}
    answers = [await lines[at % 3].say(bet) for at in range(50)]
    assert "Placed." in answers[0] and {neutral(answer) for answer in answers} == {neutral(answers[0])}
    assert await in_database(LoggedAction.objects.filter(action__do="bet").count) == 1
    assert await in_database(Transfer.objects.filter(log=scene.log).count) == 1
    for line in lines[1:]:
        await line.socket.disconnect()


async def test_what_was_refused_is_refused_over_another_line_though_it_would_be_taken_now(scene: Scene) -> None:
    boss = await in_database(member, "pit_boss")
    again = Line(f"/ws/tables/{scene.table.slug}/?lang=en", scene.session)
    assert await again.open()
    bet = {"do": "bet", "round": scene.log, "ref": "ref-12345678", "spot": "player", "amount": 10_000}
    await in_database(holding.freeze, boss, scene.table.pk)
    first = await scene.line.say(bet)
    assert "The pit is looking at this round" in first
    await in_database(holding.thaw, boss, scene.table.pk)
    assert neutral(await again.say(bet)) == neutral(first)
    await scene.nothing_changed()
    assert "Placed." in await again.say({**bet, "ref": "ref-12345679"})
    await again.socket.disconnect()


# ── Names of ours (D9) ──────────────────────────────────────────────────────────────────────────────────────

SOCKETS = [kind for kind in vars(consumers).values() if isinstance(kind, type) and kind.__name__.endswith("Socket")]


def names_of_methods() -> Iterator[str]:
    """Whatever a dispatcher that goes by names might find, of sockets and of announcements."""
    for kind in SOCKETS:
        for name in dir(kind):
            yield name
            yield name.replace("_", ".")
    yield from ("table.changed", "session.ended", "logins.ended", "websocket.connect", "http.request", "deal.card")


def test_no_method_of_ours_can_be_named_in_a_message() -> None:
    names = sorted(set(names_of_methods()))
    assert "websocket.disconnect" in names and "websocket_receive" in names
    for name in names:
        for said in ({"type": name}, {"type": name, "do": "resync"}, {"do": name}):
            with pytest.raises(Malformed):
                parse(json.dumps(said))


async def test_a_type_in_a_message_is_a_strange_key_and_does_nothing(scene: Scene) -> None:
    for name in ("websocket.disconnect", "websocket.connect", "websocket.close", "session.ended", "table.changed"):
        assert "refused" in await scene.line.say({"type": name, "code": 1000, "session": scene.session})
    assert "Placed." in await scene.line.bet(scene.log)


# ── What is another's (D10, D11) ────────────────────────────────────────────────────────────────────────────


async def test_what_is_anothers_is_answered_like_what_there_is_not(patience: None, scene: Scene) -> None:
    """Rounds of other tables and favourites, bets and lines of others, beside ids that nothing has."""

    def somebody_else() -> dict[str, int | str]:
        house = scene.house
        rui, away = house.player("rui"), house.table("lotus", game="roulette")
        advance(away.pk, house.credentials(away))
        dealt_until(house, away, lambda log: log.phase == "betting")
        house.bet(rui, away, "red", 10)
        favourites.save(rui.pk, away.pk, "rui's own")
        house.bet(rui, scene.table, "banker", 10)
        (bet,) = (stake.bet for stake in house.round(scene.table).stakes() if stake.by == rui.key)
        seating.sit(rui.pk, away.pk, 1, clock=house.clock)
        chat.speak(rui.pk, away.pk, "ref-12345678", "hello", clock=house.clock)
        return {
            "round": house.log(away).pk,
            "favourite": Favourite.objects.get().pk,
            "bet": bet,
            "line": ChatLine.objects.get().pk,
        }

    his = await in_database(somebody_else)
    nothing: dict[str, int | str] = {"round": 2**53 - 1, "favourite": 2**53 - 1, "bet": "999-9", "line": 2**53 - 1}
    before = await in_database(books)
    asked: list[tuple[str, dict[str, Any]]] = [
        ("favourite", {"do": "lay", "round": scene.log}),
        ("favourite", {"do": "drop_favourite"}),
        ("favourite", {"do": "rename_favourite", "name": "mine"}),
        ("bet", {"do": "withdraw", "round": scene.log}),
        ("bet", {"do": "lower", "round": scene.log, "amount": 100}),
        ("bet", {"do": "move", "round": scene.log, "spot": "player"}),
        ("line", {"do": "report", "reason": "abuse"}),
        ("round", {"do": "bet", "spot": "nowhere", "amount": 10_000}),
        ("round", {"do": "clear"}),
        ("round", {"do": "undo"}),
        ("round", {"do": "ready"}),
    ]
    for at, (name, message) in enumerate(asked):
        answers = [
            await scene.line.say({"ref": f"ref-{at:04}-{kind}", **message, name: ids[name]})
            for kind, ids in (("his", his), ("none", nothing))
        ]
        assert all('data-kind="refused"' in answer for answer in answers), message
        if name != "round":  # a round of another table is no secret: everybody may look on
            assert neutral(answers[0]) == neutral(answers[1]), message
    assert await in_database(books) == before


async def test_nobody_acts_for_another_box(patience: None, boxes: Scene) -> None:
    """Rui decides for box 2; ana, who has a box of her own, tries each deed for his."""

    def dealt() -> int:
        house = boxes.house
        rui = house.player("rui")
        for player, box in ((boxes.ana, 1), (rui, 2)):
            seating.sit(player.pk, boxes.table.pk, box, clock=house.clock)
            house.bet(player, boxes.table, "main", 10, box)
        for player in (boxes.ana, rui):
            house.decide(player, boxes.table, Ready)
        dealt_until(house, boxes.table, lambda _: house.round(boxes.table).default_for(rui.key) is not None)
        return house.log(boxes.table).pk

    log = await in_database(dealt)
    before = await in_database(books)
    for deed in ("hit", "stand", "double", "split", "surrender", "insurance", "even_money", "match", "pass"):
        for more in ({"box": 2}, {"box": 2, "hand": 0}, {"box": 2, "hand": 0, "by": "p2"}, {"box": 2, "by": "house"}):
            answer = await boxes.line.say({"do": deed, "round": log, "ref": f"ref-{deed:x>8}-{len(more)}", **more})
            assert 'data-kind="refused"' in answer, (deed, more)
    assert await in_database(books) == before
    assert await in_database(Seat.objects.filter(number=2).exists)
