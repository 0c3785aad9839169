"""No surface tells of the covered dice of Cussec: the same night is played with other dice under the seal, and
everything that reaches anybody till the cover is lifted is compared byte for byte."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tables.games.contract.actions import CloseBets, NullThrow, PlaceBet, Ready, Seal, Settle, Sit, Unseal
from tables.games.contract.round import Opening
from tables.games.cussec import GAME
from tests.extent import first
from tests.house.kit import null_throw

from .nights import EVERYBODY, Party, folded, shown, tell_apart

PEOPLE = {"seated": "p1", "standing": "p8", "watching": None}

LOG = [
    Seal(commitment="a" * 64), Sit("p1", 2), PlaceBet("p1", "b1", "total_11", 10_00), NullThrow(reason="presses"),
    Seal(commitment="b" * 64), PlaceBet("p8", "b2", "big", 50_00), CloseBets(), NullThrow(reason="cocked"),
    Seal(commitment="c" * 64), Unseal(values=(6, 2, 3), salt="salt"), Settle(),
]  # fmt: skip


def test_the_felt_before_the_cover_is_lifted_depends_on_no_die_and_after_it_on_nothing_else() -> None:
    """The rounds are the same until then: the dice are in no fact before it, so nothing can be made of them."""
    options = {"cocked_dice": "reshake_bets_stand"}
    opening = LOG.index(next(one for one in LOG if isinstance(one, Unseal)))
    other = [replace(one, values=(1, 1, 2)) if isinstance(one, Unseal) else one for one in LOG]
    mine, theirs = folded(GAME, options, Opening(), LOG), folded(GAME, options, Opening(), other)
    for who in PEOPLE.values():
        for length in range(len(LOG) + 1):
            one = shown(GAME.slug, mine[: length + 1], LOG[:length], who)
            another = shown(GAME.slug, theirs[: length + 1], other[:length], who)
            assert (one == another) == (length <= opening), f"after {length} lines"


async def _until_the_cover_is_lifted(party: Party) -> None:
    """Bets over covered dice, one shake that does not count, and another; looked at everywhere before they are seen."""
    house, room, table, people = party.house, party.room, party.table, party.people
    await room.until_phase(house, "betting")
    await party.seen()
    for who, spot, credits in (
        ("ana", "total_11", 10), ("rui", "total_4", 10), ("mei", "big", 50), ("rui", "double_1", 20),
    ):  # fmt: skip
        player = people[who]
        await room.does(lambda p=player, s=spot, c=credits: house.bet(p, table, s, c))  # type: ignore[misc]
    await party.seen()
    await party.looks_everywhere()
    if table.options["shake_timing"] == "before_betting":
        await room.does(lambda: null_throw(house.log(table).pk, "presses", clock=house.clock))
        await room.until_phase(house, "betting")
    for who in ("ana", "rui", "mei"):
        await party.does(who, Ready)
    await room.until_phase(house, "no_more_bets")
    await party.seen()
    if table.options["shake_timing"] == "after_betting":
        await room.does(lambda: null_throw(house.log(table).pk, "cocked", clock=house.clock))
        await party.seen()
        await room.until_phase(house, "no_more_bets")
    await party.is_told()
    await room.does(lambda: house.step(table))
    await room.until_phase(house, "uncovered")
    await party.seen()


@pytest.mark.parametrize(
    "options",
    first({}, {"shake_timing": "after_betting", "cocked_dice": "reshake_bets_stand"}),
    ids=first("before", "after"),
)
async def test_neither_the_dice_nor_those_that_did_not_count_are_known_before_their_time(
    nights: Callable[..., Any], options: dict[str, Any]
) -> None:
    """With 6-2-3 ana wins, with 1-1-2 rui; the throw that did not count is opened only when the round is over."""
    one = await nights(_until_the_cover_is_lifted, "4 4 4 6 2 3", GAME.slug, **options)
    other = await nights(_until_the_cover_is_lifted, "5 5 1 1 1 2", GAME.slug, **options)
    assert one.told_at == other.told_at > 5
    assert tell_apart(one, other, EVERYBODY) == []
    assert one.announced == other.announced
    for night in (one, other):
        assert [line for line in night.said if re.search(r"\b(dice|values|thrown)\b.*\d", line)] == []
    after = tell_apart(one, other, EVERYBODY, until=len(one.moments))
    assert any("watching: cards" in where for where in after), "the dice were never shown"
