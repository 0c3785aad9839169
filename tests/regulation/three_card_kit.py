"""The notation of the tests of 3-Card Baccarat: hands by their ranks, the banker's first.

    @article("22/96/M", "6")
    def test_a_place_wins_with_the_better_combination() -> None:
        assert returned(play("K 4 5", "Q J 9", bets=["ana place 100 box 1"])) == {"ana place": 195_00}

The other hands are those of the places that are bet on, clockwise. Ana sits at place 1 and Rui at place 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import cycle
from typing import Any

from tables.games import GAMES
from tests import kit

SLUG = "three_card_baccarat"
GAME = GAMES[SLUG]
SEATS = {"ana": 1, "rui": 2}


def options(**given: Any) -> Any:
    """House options by name, as a record writes them."""
    return kit.options(SLUG, **given)


def shoe(banker: str, *places: str, at_once: bool = False) -> str:
    """The cards in the order in which they are dealt: to these places clockwise, the banker last."""
    hands = [hand.split() for hand in (*places, banker)]
    ranks = (
        [rank for hand in hands for rank in hand]
        if at_once
        else [hand[number] for number in range(3) for hand in hands]
    )
    return " ".join(rank + suit for rank, suit in zip(ranks, cycle("shdc"), strict=False))


def opened(*carried: str, seats: Mapping[str, int] | None = None, first_round: bool = True, **about: Any) -> Any:
    """A round before anybody acts: ana at place 1, rui at place 2, unless it is said; the first of its shoe."""
    return kit.opened(*carried, seats=SEATS if seats is None else seats, first_round=first_round, game=SLUG, **about)


def dealt(banker: str, *places: str, bets: Iterable[str] = (), carried: Iterable[str] = (), **about: Any) -> Any:
    """A round whose cards are dealt, and nobody has looked yet."""
    at_once = about.get("deal_style") == "three_at_once"
    closed = kit.close(kit.bet_on(opened(*carried, **about), *bets))
    cards = kit.Shoe(shoe(banker, *places, at_once=at_once))
    while closed.phase in ("round_burn", "deal"):
        closed = closed.apply(cards.draw())
    assert not cards.left(), "it did not take all the cards"
    return closed


def play(banker: str, *places: str, bets: Iterable[str] = (), carried: Iterable[str] = (), **about: Any) -> Any:
    """A whole round in which nobody does anything but bet."""
    return kit.finish(dealt(banker, *places, bets=bets, carried=carried, **about), "")


def locked(round_: Any) -> dict[str, int]:
    """What stays on the layout of each bet, in cents."""
    return {stake.bet: stake.amount for stake in round_.carried()}
