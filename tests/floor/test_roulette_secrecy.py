"""No surface tells of the number of Roulette before its seal is opened: the same night is played with another number
under the seal, and everything that reaches anybody till then is compared byte for byte."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tables.games.contract.actions import CloseBets, NullThrow, PlaceBet, Ready, Seal, Settle, Sit, Unseal
from tables.games.contract.round import Opening
from tables.games.roulette import GAME
from tables.games.roulette.phases import ThrowBall
from tests.house.kit import null_throw

from .nights import EVERYBODY, Party, folded, shown, tell_apart

PEOPLE = {"seated": "p1", "standing": "p8", "watching": None}

LOG = [
    Seal(commitment="a" * 64), Sit("p1", 2), PlaceBet("p1", "b1", "straight_17", 10_00),
    PlaceBet("p8", "b2", "red", 50_00), ThrowBall(), PlaceBet("p8", "b3", "split_17_20", 5_00), CloseBets(),
    NullThrow(reason="jumped"), Seal(commitment="b" * 64), ThrowBall(), Unseal(values=(17,), salt="salt"), Settle(),
]  # fmt: skip


def test_the_felt_before_the_opening_depends_on_no_number_and_after_it_on_nothing_else() -> None:
    """The rounds are the same until then: the number is in no fact before it, so nothing can be made of it."""
    opening = LOG.index(next(one for one in LOG if isinstance(one, Unseal)))
    other = [replace(one, values=(4,)) if isinstance(one, Unseal) else one for one in LOG]
    mine, theirs = folded(GAME, {}, Opening(), LOG), folded(GAME, {}, Opening(), other)
    for who in PEOPLE.values():
        for length in range(len(LOG) + 1):
            one = shown(GAME.slug, mine[: length + 1], LOG[:length], who)
            another = shown(GAME.slug, theirs[: length + 1], other[:length], who)
            assert (one == another) == (length <= opening), f"after {length} lines"


def test_what_moves_the_ball_is_the_same_for_everybody_and_holds_no_number_while_it_rolls() -> None:
    rounds = folded(GAME, {}, Opening(), LOG)
    rolls = LOG.index(ThrowBall()) + 1
    seen = {shown(GAME.slug, rounds[: rolls + 1], LOG[:rolls], who)["en cards"] for who in PEOPLE.values()}
    assert len(seen) == 1
    moves = dict(re.findall(r'data-(\w+)="([^"]*)"', seen.pop()))
    assert moves["rolls"] == "1" and moves["number"] == moves["last"] == ""


async def _until_the_ball_rests(party: Party) -> None:
    """Bets until the bell, a throw that does not count, and the second; looked at everywhere before it is opened."""
    house, room, table, people = party.house, party.room, party.table, party.people
    await room.until_phase(house, "betting")
    for who, spot, credits in (
        ("ana", "straight_17", 10), ("rui", "straight_4", 10), ("mei", "red", 50), ("rui", "odd", 20),
    ):  # fmt: skip
        player = people[who]
        await room.does(lambda p=player, s=spot, c=credits: house.bet(p, table, s, c))  # type: ignore[misc]
    await party.seen()
    await party.looks_everywhere()
    for who in ("ana", "rui", "mei"):
        await party.does(who, Ready)
    await room.until_phase(house, "spinning")
    await party.seen()
    await room.does(lambda: null_throw(house.log(table).pk, "two_balls", clock=house.clock))
    await room.until(house, lambda round_: bool(round_.thrown))  # type: ignore[attr-defined]
    await party.seen()
    await room.until_phase(house, "no_more_bets")
    await party.seen()
    await party.is_told()
    await room.until_phase(house, "result")
    await party.seen()


@pytest.mark.in_full
async def test_neither_the_number_nor_one_that_did_not_count_is_known_before_its_time(
    nights: Callable[..., Any],
) -> None:
    """With 17 ana wins, with 4 rui; the throw that was null is 30 or 11, and opened only when the round is over."""
    one = await nights(_until_the_ball_rests, "30 17", GAME.slug)
    other = await nights(_until_the_ball_rests, "11 4", GAME.slug)
    assert one.told_at == other.told_at > 5
    assert tell_apart(one, other, EVERYBODY) == []
    assert one.announced == other.announced
    for night in (one, other):
        said = [line for line in night.said if "page not found" not in line]  # it holds the address of the page
        assert [line for line in said if re.search(r"\b(straight|number|values)\b.*\b(17|30|11|4)\b", line)] == []
    after = tell_apart(one, other, EVERYBODY, until=len(one.moments))
    assert any("watching: cards" in where for where in after), "the number was never shown"
