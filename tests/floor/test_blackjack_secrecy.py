"""No surface tells of a card of Blackjack that lies face down: the same night is played with another card there, and
everything that reaches anybody who may not know it is compared byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.conf import settings

from tables.base.executor import in_database
from tables.games.blackjack import GAME
from tables.games.blackjack.phases import (
    Double,
    EvenMoney,
    Hit,
    Insurance,
    Match,
    Pass,
    Split,
    Stand,
    Surrender,
    TurnHole,
)
from tables.games.contract.actions import Action, CloseBets, Cut, DrawCard, PlaceBet, Ready, Settle, Step
from tables.games.contract.round import Opening, Round
from tables.games.values.cards import cards
from tests.extent import EVERYTHING
from tests.kit import article
from tests.laws.secrets import hidden_in_blackjack

from .nights import EVERYBODY, Party, names_of, shown, swapped, tell_apart
from .nights import folded as fold

LANGUAGES = [code for code, _ in settings.LANGUAGES]

METAL_BOX = {"dealing_device": "metal_box", "decks": 1, "deal_procedure": 1, "initial_burn": "single"}
FACE_DOWN = {"deal_procedure": 1, "initial_burn": "single", "surrender_timing": "before_any_draw"}

# ── The felt and the telling, from the log alone ────────────────────────────────────────────────────────────

PEOPLE = {"decides on boxes 1 and 4": "p1", "stands behind box 1": "p2", "has side bets": "p8", "watches": None}


def logged(options: dict[str, Any], shoe: str, bets: Sequence[PlaceBet], deeds: Sequence[Action]) -> list[Action]:
    """The log of a round with these cards: the dealer does what they owe, and in between people do these deeds."""
    log: list[Action] = [Cut("p1", position=9)]
    pack, left = list(cards(shoe)), list(deeds)
    while True:
        round_ = folded(options, log)[-1]
        if round_.phase == "betting":
            log += [*bets, CloseBets()]
            continue
        due = round_.next_house_step()
        if round_.over:
            assert not pack and not left
            return log
        if due is None:
            log.append(left.pop(0))
        else:
            log.append(due.action if isinstance(due, Step) else DrawCard(card=pack.pop(0)))


def folded(options: dict[str, Any], log: Sequence[Action]) -> list[Round]:
    return fold(GAME, options, Opening(seats={"p1": 1, "p2": 2}, ceremony=True, first_round=True), log)


BETS = [
    PlaceBet("p1", "b1", "main", 100_00, 1),
    PlaceBet("p2", "b2", "main", 50_00, 1),
    PlaceBet("p3", "b3", "main", 100_00, 2),
    PlaceBet("p8", "b4", "main", 100_00, 3),
    PlaceBet("p3", "b5", "main", 30_00, 3),
    PlaceBet("p1", "b6", "main", 100_00, 4),
    PlaceBet("p8", "b7", "over_13", 10_00, 2),
    PlaceBet("p2", "b8", "any_pair", 10_00, 3),
    PlaceBet("p8", "b9", "sevens", 10_00, 1),
]

ROUNDS: dict[str, tuple[dict[str, Any], str, list[Action]]] = {
    # burn; boxes 1 to 4, bank, boxes 1 to 4; split, double, hits, double; the bank's second card and one more
    "shoe": (
        {"dealing_device": "shoe", **FACE_DOWN},
        "2s 8s 9c Td 9h 6d 8h 5d 4c 7s 3d 7h Tc 4h 3c Qd 9s",
        [
            Surrender("p1", 4),
            *map(Ready, ("p1", "p3", "p8")),
            Split("p1", 1),
            Pass("p2", 1),
            Double("p1", 1),
            Match("p2", 1),
            Stand("p1", 1, 1),
            Hit("p3", 2),
            Stand("p3", 2),
            Double("p8", 3),
            Pass("p3", 3),
        ],
    ),
    "metal box": (
        METAL_BOX,
        "2s 8s 9c Td 9h Ad 8h 5d 4c 7s Kd 3d 7h Tc 4h 3c",
        [
            Insurance("p2", 1, 25_00),
            *map(Ready, ("p1", "p3", "p8")),
            Split("p1", 1),
            Pass("p2", 1),
            Double("p1", 1),
            Match("p2", 1),
            Stand("p1", 1, 1),
            Hit("p3", 2),
            Stand("p3", 2),
            Double("p8", 3),
            Pass("p3", 3),
            Stand("p1", 4),
        ],
    ),
}


@pytest.mark.parametrize("viewer", PEOPLE)
@pytest.mark.parametrize("name", ROUNDS)
def test_nothing_on_the_felt_changes_when_a_hidden_card_is_another(name: str, viewer: str) -> None:
    """After each line, in one language after the other; with ALL=1 in each of them."""
    who = PEOPLE[viewer]
    options, shoe, deeds = ROUNDS[name]
    log = logged(options, shoe, BETS, deeds)
    rounds = folded(options, log)
    hidden_ever = 0
    for length in range(len(log) + 1):
        lines = log[:length]
        hidden = hidden_in_blackjack(lines, rounds[: length + 1], who)
        hidden_ever = max(hidden_ever, len(hidden))
        might_be = swapped(lines, hidden)
        languages = LANGUAGES if EVERYTHING else LANGUAGES[length % len(LANGUAGES) :][:1]
        one = shown(GAME.slug, rounds[: length + 1], lines, who, languages)
        another = shown(GAME.slug, folded(options, might_be), might_be, who, languages)
        assert [key for key in one if one[key] != another[key]] == [], f"after {length} lines {viewer} can tell"
    assert hidden_ever >= 5, "this test has hidden too little to mean anything"


@pytest.mark.parametrize("name", ROUNDS)
def test_the_bettors_of_a_box_do_see_their_cards(name: str) -> None:
    """The measure works: who has a stake on box 1 sees another felt if its cards are others, and nobody else does."""
    options, shoe, deeds = ROUNDS[name]
    log = logged(options, shoe, BETS, deeds)
    rounds = folded(options, log)
    length = next(at for at, round_ in enumerate(rounds) if round_.phase == "early_window")
    first = next(at for at, round_ in enumerate(rounds[1:]) if round_.boxes and round_.boxes[0].dealt)  # type: ignore[attr-defined]
    might_be = swapped(log[:length], [first])
    differs = {
        who: shown(GAME.slug, rounds[: length + 1], log[:length], who)
        != shown(GAME.slug, folded(options, might_be), might_be, who)
        for who in ("p1", "p2", "p3", "p8", None)
    }
    assert differs == {"p1": True, "p2": True, "p3": False, "p8": False, None: False}


# ── The whole house, through its real sockets and pages ─────────────────────────────────────────────────────


async def _with_a_hole_card(party: Party) -> None:
    """Insurance against an ace, a split with a match, a double with a refusal, a hit; then the card is turned."""
    house, room, table, people = party.house, party.room, party.table, party.people
    await room.until_phase(house, "cut")
    await party.does("ana", Cut, position=1)
    await room.until_phase(house, "betting")
    for who, spot, credits, box in (
        ("ana", "main", 100, 1), ("rui", "main", 100, 1), ("mei", "main", 100, 2), ("mei", "any_pair", 10, 1),
    ):  # fmt: skip
        player = people[who]
        await room.does(lambda p=player, s=spot, c=credits, b=box: house.bet(p, table, s, c, b))  # type: ignore[misc]
    await room.until_phase(house, "early_window")
    await party.seen()
    await party.looks_everywhere()
    await party.does("rui", Insurance, box=1, amount=50_00)
    for who in ("ana", "mei"):
        await party.does(who, Ready)
    await party.serves()
    await party.does("ana", Split, box=1)
    await party.does("rui", Match, box=1)
    await party.serves()
    await party.does("ana", Double, box=1)
    await party.does("rui", Pass, box=1)
    await party.serves()
    await party.does("ana", Stand, box=1, hand=1)
    await party.serves()
    await party.does("mei", Hit, box=2)
    await party.serves()
    await party.does("mei", Stand, box=2)
    await party.serves(until=lambda round_: round_.next_house_step() == Step(TurnHole()))
    await party.is_told()
    await party.serves()


@article("56/2004", "5(2)(1)(2)", "R25")
@pytest.mark.in_full
async def test_the_hole_card_exists_nowhere_before_it_is_turned(nights: Callable[..., Any]) -> None:
    """With a seven under it the bank has 18, with a ten a blackjack."""
    shoe = "2c Kd 8s Jc Ad 8h 5d {} 3h Qs 9s 4c"
    seven = await nights(_with_a_hole_card, shoe.format("7c"), GAME.slug, **METAL_BOX)
    ten = await nights(_with_a_hole_card, shoe.format("Td"), GAME.slug, **METAL_BOX)
    assert seven.told_at == ten.told_at > 15
    assert tell_apart(seven, ten, EVERYBODY) == []
    assert seven.announced == ten.announced
    for night, card in ((seven, "7c"), (ten, "Td")):
        named = names_of(card)
        assert [where for where, text in night.secret() if named.search(text)] == []
        assert [line for line in night.said if named.search(line)] == []
        assert not any(named.search(message) for message in night.announced)
    turned = len(seven.moments)
    differ = tell_apart(seven, ten, EVERYBODY, until=turned)
    for who in EVERYBODY:
        assert any(f"{who}: cards: " in where for where in differ), f"{who} never saw the card turned"
        assert any(names_of("7c").search(text) for text in seven.pushed[who])


async def _with_a_box_of_others(party: Party) -> None:
    """Mei's box is never exposed before the end; ana and rui have side bets on it."""
    house, room, table, people = party.house, party.room, party.table, party.people
    await room.until_phase(house, "betting")
    for who, spot, credits, box in (
        ("ana", "main", 100, 1), ("rui", "main", 100, 1), ("mei", "main", 100, 2),
        ("ana", "over_13", 10, 2), ("rui", "any_pair", 10, 2), ("mei", "sevens", 10, 2),
    ):  # fmt: skip
        player = people[who]
        await room.does(lambda p=player, s=spot, c=credits, b=box: house.bet(p, table, s, c, b))  # type: ignore[misc]
    await room.until_phase(house, "early_window")
    await party.seen()
    await party.looks_everywhere()
    for who in ("ana", "mei"):
        await party.does(who, Ready)
    await party.serves()
    await party.does("ana", Double, box=1)
    await party.does("rui", Pass, box=1)
    await party.serves()
    await party.does("mei", Hit, box=2)
    await party.serves()
    await party.does("mei", Stand, box=2)
    await party.serves(until=lambda round_: round_.next_house_step() == Step(Settle()))
    await party.is_told()
    await party.serves()


@article("56/2004", "5(2)", "5(2)(1)(1)")
@pytest.mark.in_full
async def test_the_cards_of_a_box_are_its_bettors_alone_until_the_end(nights: Callable[..., Any]) -> None:
    """Nor is it told by a total, a side bet, a balance, or by what the dealer says (5(2)(1), R26)."""
    shoe = "Kd 8s {0} 6d 3h {1} 7h 3c Qh 9d"
    fifteen = await nights(_with_a_box_of_others, shoe.format("Jc", "5c"), GAME.slug, **FACE_DOWN)
    pair = await nights(_with_a_box_of_others, shoe.format("4c", "4s"), GAME.slug, **FACE_DOWN)
    others = ("ana", "rui", "watching")
    assert fifteen.told_at == pair.told_at > 10
    assert tell_apart(fifteen, pair, others) == []
    assert fifteen.announced == pair.announced
    for night, hidden in ((fifteen, ("Jc", "5c")), (pair, ("4c", "4s"))):
        for named in map(names_of, hidden):
            seen = [where for where, text in night.secret() if named.search(text)]
            own = (" mei: my-cards", " mei: my-seals", " mei: /tables/", " mei: /rounds/1/proof.json")
            assert seen and all(any(place in where for place in own) for where in seen), seen
            assert [line for line in night.said if named.search(line)] == []
    assert {where.split()[1] for where in tell_apart(fifteen, pair, EVERYBODY)} == {"mei:"}
    ended = tell_apart(fifteen, pair, others, until=len(fifteen.moments))
    assert any("watching: box-2" in where for where in ended), "the cards were never shown"


async def _to_the_end_of_the_window(party: Party) -> None:
    house, room, table, people = party.house, party.room, party.table, party.people
    await room.until_phase(house, "betting")
    for who, box in (("ana", 1), ("rui", 1), ("mei", 2)):
        await room.does(lambda p=people[who], b=box: house.bet(p, table, "main", 100, b))  # type: ignore[misc]
    await room.until_phase(house, "early_window")
    await party.seen()
    await party.looks_everywhere()
    await party.does("ana", Ready)
    if await in_database(_may_take_even_money, party):
        await party.does("mei", EvenMoney, box=2)
    else:
        await party.does("mei", Ready)
    await party.is_told()


def _may_take_even_money(party: Party) -> bool:
    offers = party.house.round(party.table).offers(party.people["mei"].key)
    return any(isinstance(action, EvenMoney) for action in offers.actions)


@pytest.mark.in_full
async def test_who_is_asked_in_the_window_does_not_tell_a_blackjack(nights: Callable[..., Any]) -> None:
    """Against a ten everybody is asked, whatever they hold; even money is not to be seen before the window ends."""
    shoe = "Kd 8s {} Kh 3h Qd 7h 3c Qh 9d"
    blackjack = await nights(_to_the_end_of_the_window, shoe.format("Ac"), GAME.slug, **FACE_DOWN)
    nineteen = await nights(_to_the_end_of_the_window, shoe.format("9c"), GAME.slug, **FACE_DOWN)
    assert blackjack.told_at == nineteen.told_at
    assert tell_apart(blackjack, nineteen, ("ana", "rui", "watching")) == []
    assert tell_apart(blackjack, nineteen, ("mei",)) != []
