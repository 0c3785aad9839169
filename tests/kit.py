"""The notation that tests of the rules are written in. Pure: no database, no Django.

    @article("55/2004", "9(3)(2)")
    def test_the_bank_draws_on_three_unless_the_player_drew_an_eight() -> None:
        coup = play("Ks 3c 2d Th 8s", "ana banker 100")
        assert returned(coup) == {"ana banker": 195_00}

A stake is written `who spot credits`, with `box N` for one in a box, `carried` for one from an earlier round and
`as name` for another id than `who spot`. Amounts that come out are cents: 195_00 is 195 credits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest

from tables.games import GAMES
from tables.games.contract.actions import Action, CloseBets, Draw, DrawCard, PlaceBet, Step
from tables.games.contract.errors import Refused
from tables.games.contract.game import Game
from tables.games.contract.round import SECOND_READING, Opening, Round, Stake
from tables.games.roulette.wheel import WHEEL
from tables.games.shared.options import read_options
from tables.games.values.cards import Card, cards
from tables.games.values.money import CREDIT

__all__ = [
    "Shoe",
    "article",
    "bet",
    "bet_on",
    "cards",
    "close",
    "credits_of",
    "finish",
    "neighbours",
    "opened",
    "options",
    "play",
    "refusal",
    "replayed",
    "returned",
    "run",
    "stake",
    "view_for",
]

article = pytest.mark.article


class Shoe:
    """A stacked shoe: these cards, in this order."""

    def __init__(self, text: str | Iterable[Card] = "") -> None:
        self._cards: Iterator[Card] = iter(cards(text) if isinstance(text, str) else text)

    def draw(self) -> DrawCard:
        """The next card. Fails the test if there is none."""
        card = next(self._cards, None)
        assert card is not None, "the stacked shoe is empty"
        return DrawCard(card=card)

    def left(self) -> list[Card]:
        """What has not been drawn; the shoe is empty afterwards."""
        return list(self._cards)


def options(game: str = "baccarat", /, **given: Any) -> Any:
    """House options by name, in the JSON that the record writes (amounts in cents)."""
    return read_options(GAMES[game].options, given)


def replayed(game: Game, options: Any, opening: Opening, actions: Iterable[Action]) -> Any:
    """The fold: the round that this log describes."""
    round_ = game.opened(options, opening)
    for action in actions:
        round_ = round_.apply(action)
    return round_


def neighbours(number: int, each_side: int) -> tuple[int, ...]:
    """A number of Roulette with those beside it on the wheel, clockwise."""
    at = WHEEL.index(number)
    return tuple(WHEEL[(at + step) % len(WHEEL)] for step in range(-each_side, each_side + 1))


def stake(text: str) -> Stake:
    """The stake that `text` describes."""
    who, spot, amount, *rest = text.split()
    marks = iter(rest)
    bet, box, carried = f"{who} {spot}", None, False
    for mark in marks:
        match mark:
            case "box":
                box = int(next(marks))
            case "as":
                bet = next(marks)
            case "carried":
                carried = True
            case _:
                raise ValueError(f"what is {mark!r} in {text!r}?")
    return Stake(bet, who, spot, round(float(amount) * CREDIT), box, carried)


def bet(text: str) -> PlaceBet:
    """The bet that `text` describes, as an action."""
    laid = stake(text)
    return PlaceBet(laid.by, bet=laid.bet, spot=laid.spot, amount=laid.amount, box=laid.box)


def opened(
    *carried: str,
    seats: Mapping[str, int] | None = None,
    ceremony: bool = False,
    first_round: bool = False,
    last_round: bool = False,
    lately: tuple[str, ...] = (),
    reading: int = SECOND_READING,
    game: str = "baccarat",
    **given: Any,
) -> Any:
    """A round before anybody acts, with these carried stakes, seats and house options."""
    lying = tuple(stake(f"{text} carried") for text in carried)
    opening = Opening(seats or {}, lying, ceremony, first_round, last_round, lately=lately, reading=reading)
    return GAMES[game].opened(options(game, **given), opening)


def bet_on(round_: Any, *bets: str) -> Any:
    """The round with these bets placed, which must all be accepted."""
    for text in bets:
        round_ = round_.apply(bet(text))
    return round_


def close(round_: Any) -> Any:
    """The round with betting closed."""
    return round_.apply(CloseBets())


def run(round_: Any, shoe: Shoe, *, impatient: bool = False) -> Any:
    """The round played on while the house owes something; with `impatient` it waits for nobody either."""
    while (due := round_.next_house_step() or (round_.on_timeout() if impatient else None)) is not None:
        match due:
            case Step(action):
                round_ = round_.apply(action)
            case Draw():
                round_ = round_.apply(shoe.draw())
    return round_


def finish(round_: Any, shoe: str) -> Any:
    """The round played to its end with these cards, all of which it must take; nobody decides anything."""
    pack = Shoe(shoe)
    round_ = run(round_, pack, impatient=True)
    assert round_.over, f"it stopped in {round_.phase}"
    assert not pack.left(), "it did not take all the cards"
    return round_


def play(shoe: str, *bets: str, **about: Any) -> Any:
    """A whole round: these bets (those marked `carried` lie there first), these cards, to the end."""
    carried = [text.removesuffix(" carried") for text in bets if text.endswith(" carried")]
    fresh = [text for text in bets if not text.endswith(" carried")]
    return finish(bet_on(opened(*carried, **about), *fresh), shoe)


def returned(round_: Round) -> dict[str, int]:
    """What came back of each bet, in cents; of a push that stays nothing does."""
    return {payout.bet: payout.returned for payout in round_.payouts()}


def refusal(round_: Any, action: Action | str) -> str:
    """The article with which the round refuses this action (or bet); fails the test if it does not."""
    with pytest.raises(Refused) as caught:
        round_.apply(bet(action) if isinstance(action, str) else action)
    return caught.value.article


def credits_of(cents: int) -> str:
    """Cents in credits, as transcripts of felts have them."""
    return f"{cents // CREDIT}" if cents % CREDIT == 0 else f"{cents / CREDIT:.2f}"


def view_for(round_: Round, who: str | None) -> Any:
    """What `who` sees of a round of whichever game."""
    return next(game for game in GAMES.values() if type(round_).__module__.split(".")[2] == game.slug).view(round_, who)
