"""No surface tells of another's hand of Stud Poker, of the dealer's cards before they turn them, or of a choice before
its window closes: the same night is played otherwise there, and what reaches the others is compared byte for byte."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tables.base.executor import in_database
from tables.games.contract.actions import Action, DrawCard, Step
from tables.games.stud_poker import GAME
from tables.games.stud_poker.phases import Fold, Misdeal, Raise, Turn
from tables.games.values.cards import Card
from tables.services.rounds import seating
from tests.laws.secrets import hidden_in_stud_poker
from tests.regulation.stud_kit import Dealing, drawn

from .nights import Night, Party, folded, names_of, shown, tell_apart

# ── The felt and the telling, from the log alone ────────────────────────────────────────────────────────────

PEOPLE = {"raises": "p1", "folds": "p2", "stands": "p8", "watches": None}

BETS = ("p1 ante 100 box 2", "p1 jackpot 25 box 2", "p2 ante 100 box 3", "p2 jackpot 25 box 3", "p3 ante 100 box 6")


def _from_the_shuffler() -> Dealing:
    """A card is exposed; all are opened but the one that folds, and there is a prize."""
    hands = "Ah Jh 9h 4h 3h / 8s 8d! Qh 6c 2c / Ts 9c 7d 4s 2d / Ac Kd 8c 7h 5s"
    return Dealing(hands, *BETS, "p2 fold", "p3 raise", "p1 raise")


def _from_the_shoe() -> Dealing:
    """In turn, a card goes astray; the dealer does not qualify: only the prize is opened."""
    hands = "Ah Jh 9h 4h 3h / 8s 8d Qh 6c 2c / Ts 9c 7d 4s 2d / Qs Jd 9s 7h 5d"
    dealing = Dealing(hands, *BETS, shuffle_method="manual_shoe", decision_mode="in_turn")
    dealing.cards.insert(0, drawn("Kc"))
    dealing._do(dealing.round.on_timeout())
    dealing.step()
    dealing.apply(Misdeal(box=5))
    dealing.serve()
    dealing.go("p1 raise", "p2 raise", "p3 fold")
    return dealing


ROUNDS: dict[str, tuple[dict[str, Any], Callable[[], Dealing]]] = {
    "shuffler": ({}, _from_the_shuffler),
    "shoe": ({"shuffle_method": "manual_shoe", "decision_mode": "in_turn"}, _from_the_shoe),
}

MIXED = [Card("A23456789TJQK"[at * 5 % 13], "shdc"[at % 4]) for at in range(52)]
"""The pack in an order in which five cards that follow each other make nothing."""


def swapped(log: Sequence[Action], hidden: Sequence[int]) -> list[Action]:
    """The log with other cards of the same deck where these lie."""
    used = {action.card for action in log if isinstance(action, DrawCard)}
    left = [card for card in MIXED if card not in used]
    others = dict(zip(hidden, left, strict=False))
    return [
        replace(action, card=others[at]) if at in others and isinstance(action, DrawCard) else action
        for at, action in enumerate(log)
    ]


def _winning(rounds: Sequence[Any], length: int) -> set[int]:
    """Where the cards lie in the log of hands that win of the jackpot, once the dealer has turned theirs: then the
    phase tells all that a prize is coming."""
    award = rounds[length].award
    if award is None:
        return set()
    won = {card for prize in award.prizes for card in rounds[length].deal.hand(prize.box)}
    return {at for at in range(length) if rounds[at].phase == "deal" and _came(rounds, at) in won}


def _came(rounds: Sequence[Any], at: int) -> Card | None:
    """The card that this line of the log brought to a hand."""
    before, after = rounds[at].deal.cards, rounds[at + 1].deal.cards
    return after[-1] if len(after) > len(before) else None


@pytest.mark.parametrize("viewer", PEOPLE)
@pytest.mark.parametrize("name", ROUNDS)
def test_nothing_on_the_felt_changes_when_a_hidden_card_is_another(name: str, viewer: str) -> None:
    who = PEOPLE[viewer]
    options, dealt = ROUNDS[name]
    dealing = dealt()
    dealing.finish()
    log, opening = dealing.log, dealing.round.opening
    rounds = folded(GAME, options, opening, log)
    hidden_ever = 0
    for length in range(len(log) + 1):
        lines = log[:length]
        hidden = [
            at for at in hidden_in_stud_poker(lines, rounds[: length + 1], who) if at not in _winning(rounds, length)
        ]
        hidden_ever = max(hidden_ever, len(hidden))
        might_be = swapped(lines, hidden)
        one = shown("stud_poker", rounds[: length + 1], lines, who)
        another = shown("stud_poker", folded(GAME, options, opening, might_be), might_be, who)
        assert [key for key in one if one[key] != another[key]] == [], f"after {length} lines {viewer} can tell"
    assert hidden_ever >= 13, "this test has hidden too little to mean anything"


def test_a_choice_is_seen_by_nobody_else_before_the_window_closes() -> None:
    dealing = _from_the_shuffler()
    opening, log = dealing.round.opening, dealing.log
    at = next(at for at, action in enumerate(log) if isinstance(action, Fold))
    folds, raises = log[: at + 1], [*log[:at], Raise("p2")]
    differs = {
        who: shown("stud_poker", folded(GAME, {}, opening, folds), folds, who)
        != shown("stud_poker", folded(GAME, {}, opening, raises), raises, who)
        for who in ("p1", "p2", "p3", "p8", None)
    }
    assert differs == {"p1": False, "p2": True, "p3": False, "p8": False, None: False}


# ── The whole house, through its real sockets and pages ─────────────────────────────────────────────────────

PLAIN, LOW = "8s 8d Qh 6c 2c", "Qs Jd 9s 7h 5d"
BOXES = {"ana": 1, "rui": 3, "mei": 5}
OTHERS = ("ana", "mei", "watching")


def _evening(choice: type[Action]) -> Callable[[Party], Any]:
    """Rui decides first, and thus; mei folds, ana raises. The secret ends when the dealer is to turn their cards."""

    async def play(party: Party) -> None:
        house, room, table, people = party.house, party.room, party.table, party.people
        for name in ("rui", "mei"):
            await in_database(lambda n=name: seating.sit(people[n].pk, table.pk, BOXES[n], clock=house.clock))  # type: ignore[misc]
        await room.until_phase(house, "betting")
        for name, box in BOXES.items():
            for spot, credits in (("ante", 100), ("jackpot", 25)):
                await room.does(lambda n=name, s=spot, c=credits, b=box: house.bet(people[n], table, s, c, b))  # type: ignore[misc]
        await room.until_phase(house, "look_and_decide")
        await party.seen()
        await party.does("rui", choice)
        await party.does("mei", Fold)
        await party.is_told()
        await party.does("ana", Raise)
        await party.serves(until=lambda round_: round_.next_house_step() == Step(Turn()))
        await party.serves()
        await party.looks_everywhere()

    return play


@pytest.mark.in_full
async def test_hands_that_are_never_opened_exist_nowhere_but_with_their_bettors(nights: Callable[..., Any]) -> None:
    """The dealer does not qualify: rui's hand stays private, and that of mei, who folds, was seen by her alone."""
    shoe = "Ah Jc 9h 4h 3h {} {} {}"
    one: Night = await nights(_evening(Raise), shoe.format(PLAIN, "Ts 9c 7d 4s 2d", LOW), "stud_poker")
    two: Night = await nights(_evening(Raise), shoe.format("Kd 5c 8c 3s 2h", "Kh Ks 7s 4c Td", LOW), "stud_poker")
    assert tell_apart(one, two, ("ana", "watching"), until=len(one.moments)) == []
    assert one.announced == two.announced
    for night, rui, mei in ((one, PLAIN, "Ts 9c 7d 4s 2d"), (two, "Kd 5c 8c 3s 2h", "Kh Ks 7s 4c Td")):
        everywhere = _everywhere(night)
        for cards, owner in ((rui, "rui"), (mei, "mei")):
            for named in map(names_of, cards.split()):
                seen = {who for text, seen_by in everywhere.items() if named.search(text) for who in seen_by}
                assert seen == {f"{owner}:"}, f"{named.pattern}: {seen}"
                assert [line for line in night.said if named.search(line)] == []


def _everywhere(night: Night) -> dict[str, set[str]]:
    """Every text that was to be seen at some moment -> whose screens it stood on, or which page or row it was of."""
    seen: dict[str, set[str]] = defaultdict(set)
    for moment in night.moments:
        for where, text in moment.items():
            seen[text].add(where.split()[0])
    return seen


@pytest.mark.in_full
async def test_neither_a_choice_nor_the_dealers_cards_reach_anybody_too_early(nights: Callable[..., Any]) -> None:
    """In one night rui raises and the dealer qualifies, in the other neither is so."""
    shoe = f"Ah Jc 9h 4h 3h {PLAIN} Ts 9c 7d 4s 2d {{}}"
    raises: Night = await nights(_evening(Raise), shoe.format("Ac Ad Kc 8h 5d"), "stud_poker")
    folds: Night = await nights(_evening(Fold), shoe.format(LOW), "stud_poker")
    books = ("Account", "Transfer")  # the raise lies in escrow
    apart = tell_apart(raises, folds, OTHERS)
    assert [where for where in apart if not where.split()[1].startswith(books)] == []
    assert raises.announced == folds.announced
    assert tell_apart(raises, folds, ("rui",)) != []
    for who in (*OTHERS, "rui"):
        assert any(names_of("Ac").search(text) for text in raises.pushed[who]), "the dealer never turned his cards"
        assert any('data-stake="raise-3"' in text for text in raises.pushed[who]), "the choice was never shown"
