"""No surface tells of a card of 3-Card Baccarat that lies face down: of a place's to anybody but who occupies it, of
the banker's and of what is burnt to anybody. The same night is played with other cards there and compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tables.base.executor import in_database
from tables.games.contract.actions import Action, CloseBets, Cut, DrawCard, PlaceBet, Ready, Step
from tables.games.contract.round import Opening, Round
from tables.games.three_card_baccarat import GAME, Reveal
from tables.games.values.cards import cards
from tables.services.rounds import seating
from tests.laws.secrets import hidden_in_three_card_baccarat

from .nights import EVERYBODY, Party, folded, names_of, shown, swapped, tell_apart

PEOPLE = {"at place 1": "p1", "at place 2": "p2", "stands behind place 2": "p8", "watches": None}

OPENING = Opening(seats={"p1": 1, "p2": 2}, ceremony=True, first_round=True)

BOX = {"decks": 1, "standing_bets": True}

BETS = (
    PlaceBet("p1", "b1", "place", 100_00, 1),
    PlaceBet("p2", "b2", "place", 50_00, 2),
    PlaceBet("p8", "b3", "place", 30_00, 2),
    PlaceBet("p1", "b4", "place", 20_00, 4),
    PlaceBet("p8", "b5", "tie", 10_00, 1),
    PlaceBet("p2", "b6", "odd", 10_00),
)
"""Places 1, 2 and 4 get cards; nobody occupies the last."""


def logged() -> list[Action]:
    """A whole round from the box, the sixth card of which turns over while it is dealt (2(5))."""
    log: list[Action] = [Cut("p1", position=9), DrawCard(card=cards("2c")[0]), *BETS, CloseBets()]
    dealt = cards("9s Kh 5d Qs 4c 8h 7s Jd Ac Th 6d 3s")
    log += [DrawCard(card=card, exposed=number == 5) for number, card in enumerate(dealt)]
    log += [Ready("p1"), Ready("p2")]
    while isinstance(due := folded(GAME, BOX, OPENING, log)[-1].next_house_step(), Step):
        log.append(due.action)
    return log


@pytest.mark.parametrize("viewer", PEOPLE)
def test_nothing_on_the_felt_changes_when_a_hidden_card_is_another(viewer: str) -> None:
    who, log = PEOPLE[viewer], logged()
    rounds: list[Round] = folded(GAME, BOX, OPENING, log)
    assert rounds[-1].over
    hidden_ever = 0
    for length in range(log.index(BETS[-1]) + 1, len(log) + 1):
        lines = log[:length]
        hidden = hidden_in_three_card_baccarat(lines, rounds[: length + 1], who)
        hidden_ever = max(hidden_ever, len(hidden))
        might_be = swapped(lines, hidden)
        one = shown(GAME.slug, rounds[: length + 1], lines, who)
        another = shown(GAME.slug, folded(GAME, BOX, OPENING, might_be), might_be, who)
        assert [key for key in one if one[key] != another[key]] == [], f"after {length} lines {viewer} can tell"
    assert hidden_ever >= 11, "this test has hidden too little to mean anything"


def test_only_who_occupies_a_place_does_see_its_cards() -> None:
    """The measure works: another first card of place 1 makes another felt to its occupant, and to nobody else."""
    log = logged()
    length = log.index(Ready("p1"))
    rounds = folded(GAME, BOX, OPENING, log)
    might_be = swapped(log[:length], [log.index(CloseBets()) + 1])
    other = folded(GAME, BOX, OPENING, might_be)
    differs = {
        who: shown(GAME.slug, rounds[: length + 1], log[:length], who) != shown(GAME.slug, other, might_be, who)
        for who in PEOPLE.values()
    }
    assert differs == {"p1": True, "p2": False, "p8": False, None: False}


async def _until_the_second_place_is_opened(party: Party) -> None:
    """Ana plays place 1, mei place 2, rui stands behind her; they look, and the dealer opens the banker and place 1."""
    house, room, table, people = party.house, party.room, party.table, party.people
    await in_database(lambda: seating.sit(people["mei"].pk, table.pk, 2, clock=house.clock))
    await room.until_phase(house, "cut")
    await party.does("ana", Cut, position=1)
    await room.until_phase(house, "betting")
    for who, spot, credits, box in (
        ("ana", "place", 100, 1), ("mei", "place", 100, 2), ("rui", "place", 50, 2), ("rui", "tie", 10, 2),
        ("ana", "points_9", 10, None),
    ):  # fmt: skip
        player = people[who]
        await room.does(lambda p=player, s=spot, c=credits, b=box: house.bet(p, table, s, c, b))  # type: ignore[misc]
    await room.until_phase(house, "look")
    await party.seen()
    await party.looks_everywhere()
    await party.does("mei", Ready)
    await party.does("ana", Ready)
    await party.serves(until=lambda round_: round_.next_house_step() == Step(Reveal(place=2)))
    await party.is_told()
    await party.serves()


@pytest.mark.in_full
async def test_the_cards_of_a_place_are_its_occupants_alone_until_it_is_opened(nights: Callable[..., Any]) -> None:
    """With a nine place 2 ties, with a four it loses; nor is either told by a balance or by what the dealer says."""
    shoe = "2c Kd 8s {} 9h 3h Qs Kc 7h Js Qd"  # cut by one card, and one is burnt; to place 1, 2, the banker, 1, …
    nine = await nights(_until_the_second_place_is_opened, shoe.format("9c"), GAME.slug, **BOX)
    four = await nights(_until_the_second_place_is_opened, shoe.format("4c"), GAME.slug, **BOX)
    others = ("ana", "rui", "watching")
    assert nine.told_at == four.told_at > 5
    assert tell_apart(nine, four, others) == []
    assert nine.announced == four.announced
    for night, card in ((nine, "9c"), (four, "4c")):
        named = names_of(card)
        seen = [where for where, text in night.secret() if named.search(text)]
        own = (" mei: my-cards", " mei: my-seals", " mei: /tables/", " mei: /rounds/1/proof.json")
        assert seen and all(any(place in where for place in own) for where in seen), seen
        assert [line for line in night.said if named.search(line)] == []
    assert {where.split()[1] for where in tell_apart(nine, four, EVERYBODY)} == {"mei:"}
    ended = tell_apart(nine, four, others, until=len(nine.moments))
    assert any("watching: place-2" in where for where in ended), "the cards were never shown"
    banker = names_of("9h")
    before = [text for moment in nine.moments[:4] for text in moment.values()]
    assert before and not any(banker.search(text) for text in before), "the banker's card was known too early"
    assert any(banker.search(text) for _, text in nine.secret()), "it was opened before place 2"
