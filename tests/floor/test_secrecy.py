"""No surface tells of a card that its viewer may not know: not the page, not a push, not a message on the way."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from channels.layers import get_channel_layer

from tables.base import announce
from tables.base.executor import in_database
from tables.felt.private import Viewer
from tables.games.baccarat import GAME, Options, Turn
from tables.games.baccarat.coup import Hand
from tables.games.baccarat.options import Burn
from tables.games.contract.actions import HOUSE, Action, CloseBets, Cut, DrawCard, PlaceBet, Settle
from tables.games.contract.round import Opening, Round
from tables.games.values.cards import RANKS, Card, cards
from tables.live.hub import Hub
from tests.house.kit import House
from tests.house.processes import WITHIN
from tests.laws.secrets import hidden_in_baccarat

from .test_felt_baccarat import state, whole

OPENING = Opening(seats={"p1": 2, "p2": 3}, ceremony=True, first_round=True)
OPTIONS = Options(burn_mode=Burn.BY_FIRST_CARD, burn_each_round=1)


def drawn(text: str) -> list[Action]:
    return [DrawCard(card=card) for card in cards(text)]


LOG: list[Action] = [
    Cut("p1", position=100),
    *drawn("2s 9h 8d"),  # the indicator, and two burnt face down
    PlaceBet("p1", "b1", "player", 10_000, 2),
    PlaceBet("p2", "b2", "banker", 10_000, 3),
    PlaceBet("p3", "b3", "tie", 1_000),
    CloseBets(),
    *drawn("Qd"),  # burnt at the start of the round
    *drawn("4s 3c Ah Kd"),
    Turn("p1", Hand.PLAYER),
    Turn("p2", Hand.BANKER),
    *drawn("7h"),
    Turn("p1", Hand.PLAYER),
    *drawn("4d"),
    Turn(HOUSE, Hand.BANKER),
    Settle(),
]
"""A round with a ceremony, a burn and both third cards, in which both hands are held."""

VIEWERS = {"holds the Player": "p1", "holds the Banker": "p2", "stands": "p3", "watches": None}


def folded(log: list[Action]) -> list[Round]:
    rounds: list[Round] = [GAME.opened(OPTIONS, OPENING)]
    for action in log:
        rounds.append(rounds[-1].apply(action))
    return rounds


def other(card: Card) -> Card:
    """Another card: of another rank, value and suit."""
    return Card(RANKS[(RANKS.index(card.rank) + 5) % len(RANKS)], "h" if card.suit in "sc" else "s")


@pytest.mark.parametrize("viewer", VIEWERS)
def test_nothing_on_the_felt_changes_when_a_hidden_card_is_another(viewer: str) -> None:
    who = VIEWERS[viewer]
    seen_by = Viewer(key=who, name="Somebody", balance_cents=500_000, seat=OPENING.seats.get(who or ""))
    rounds = folded(LOG)
    hidden_ever = 0
    for length in range(len(LOG) + 1):
        log = LOG[:length]
        hidden = set(hidden_in_baccarat(log, rounds[: length + 1], who))
        hidden_ever = max(hidden_ever, len(hidden))
        swapped: list[Action] = [
            replace(action, card=other(action.card)) if at in hidden and isinstance(action, DrawCard) else action
            for at, action in enumerate(log)
        ]
        as_it_is = whole(state(rounds[length]), seen_by)
        as_it_might_be = whole(state(folded(swapped)[-1]), seen_by)
        assert as_it_is == as_it_might_be, f"after {length} lines {viewer} can tell a hidden card"
    assert hidden_ever >= 5, "this test has hidden too little to mean anything"


def test_what_is_seen_does_change_with_the_card() -> None:
    """The measure works: with an open card another, the felt is another."""
    rounds = folded(LOG)
    opened = LOG.index(Turn("p1", Hand.PLAYER)) + 1
    at = opened - 5  # the Player's first card
    card = LOG[at]
    assert isinstance(card, DrawCard)
    log = [*LOG[:at], replace(card, card=other(card.card)), *LOG[at + 1 : opened]]
    nobody = Viewer()
    assert whole(state(rounds[opened]), nobody) != whole(state(folded(log)[-1]), nobody)


async def test_messages_carry_ids_and_nothing_else(house: House, live: Hub) -> None:
    """Whoever reads Redis learns where something has changed, and which lines of a log tell it; never what."""
    table = await in_database(lambda: house.table(dealing_device="shoe"))
    ana = await in_database(house.player, "ana")
    layer: Any = get_channel_layer()
    channel = await layer.new_channel()
    for group in (announce.FLOOR, announce.DEALERS, announce.group_of(table.pk)):
        await layer.group_add(group, channel)
    await in_database(house.until, table, "betting")
    await in_database(lambda: house.bet(ana, table, "player", 100))
    await in_database(house.play_out, table)
    await in_database(house.step, table)
    told: set[tuple[str, bool]] = set()
    for _ in range(12):
        message = await asyncio.wait_for(layer.receive(channel), WITHIN)
        told.add((message["type"], message.get("lobby", False)))
        assert set(message.pop("heard_by", ())) <= {live._listener.name}, message
        flags = {name: value for name, value in message.items() if name in ("soon", "lobby", "due")}
        assert all(type(one) is bool for one in flags.values()), message
        said = {name: value for name, value in message.items() if name != "type" and name not in flags}
        assert said.keys() <= {"table", "players", "version", "round", "since", "line"}, message
        for value in said.values():
            ids = value if isinstance(value, list) else [] if value is None else [value]
            assert all(type(one) is int for one in ids), message
    assert {("table.changed", True), ("table.changed", False)} <= told, "the dealer's steps, and a bet"
