"""Hypothesis plays: any game of the house, with any options, by people who do anything that comes to mind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from tables.games import GAMES
from tables.games.baccarat.options import Device
from tables.games.cards import Card, pack
from tables.games.options import options_of
from tables.games.protocol import (
    HOUSE,
    Action,
    BetOffer,
    Chance,
    Cut,
    Draw,
    DrawCard,
    Game,
    Leave,
    Opening,
    OptionError,
    PlaceBet,
    Refused,
    Round,
    Sit,
    Stake,
    Step,
    Void,
    WhiteCard,
)

PEOPLE = ("ana", "rui", "lee")

AMOUNTS: dict[str, dict[str, list[Any]]] = {
    "baccarat": {
        "seats": [7, 9],
        "cut_card_depth": [12, 14, 40],
        "imbalance_limit": [None, None, None, 50_00, 300_00],
        "min_bet": [1_00, 50_00, (("banker", 20_00), ("player", 5_00))],
        "max_bet": [(), 200_00, (("tie", 10_00),)],
        "dealing_device": [Device.SHOE, Device.SHOE, Device.SHOE, Device.AUTO_MACHINE],
        "hold_cards": [True, True, False],
    },
}
"""Values for the options of each game whose own values are without bound, or whose usual ones are worth more plays."""


@st.composite
def any_options(draw: st.DrawFn, game: Game) -> Any:
    """House options that go together."""
    for _ in range(20):
        chosen = {}
        for name, about in options_of(game.options).items():
            values = AMOUNTS[game.slug].get(name) or list(about.values or ())
            chosen[name] = draw(st.sampled_from(values))
        try:
            return game.options(**chosen)
        except OptionError:
            continue
    return game.options()


@dataclass
class Play:
    """One round as it was played: its log, and the round after each action (the first is the opening)."""

    game: Game
    options: Any
    opening: Opening
    log: list[Action] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)

    @property
    def last(self) -> Round:
        return self.rounds[-1]

    def do(self, action: Action) -> None:
        """Apply an action and note it down. Raises Refused (and notes nothing)."""
        self.rounds.append(self.last.apply(action))
        self.log.append(action)


@st.composite
def plays(draw: st.DrawFn, game: Game | None = None) -> Play:
    """A whole round of any game, to its end."""
    game = game or draw(st.sampled_from(list(GAMES.values())))
    options = draw(any_options(game))
    wanted = {who: draw(st.sampled_from([at, at + 3, None])) for at, who in enumerate(PEOPLE, start=1)}
    seats = {who: seat for who, seat in wanted.items() if seat}
    opening = Opening(
        seats,
        draw(carried_stakes(game)),
        ceremony=draw(st.booleans()),
        first_round=draw(st.booleans()),
        last_round=draw(st.booleans()),
    )
    play = Play(game, options, opening, rounds=[game.opened(options, opening)])
    shoe = draw(shoes(game, options))
    for action in impulses(draw, play, shoe):
        play.do(action)
    return play


@st.composite
def carried_stakes(draw: st.DrawFn, game: Game) -> tuple[Stake, ...]:
    """What may lie on the layout from an earlier round."""
    spots = [name for name, spot in game.spots.items() if spot.carries]
    if not spots:
        return ()
    laid = draw(st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from(spots), st.integers(1, 200)), max_size=2))
    return tuple(
        Stake(f"old {at}", who, spot, credits * 100, carried=True) for at, (who, spot, credits) in enumerate(laid)
    )


@st.composite
def shoes(draw: st.DrawFn, game: Game, options: Any) -> Iterator[Card]:
    """As many cards as a round can take, of the pack that the game is dealt from."""
    rules = game.shoe(options)
    if rules is None:
        return iter(())
    return iter(draw(st.lists(st.sampled_from(pack(1)), min_size=60, max_size=60)))


def impulses(draw: st.DrawFn, play: Play, shoe: Iterator[Card]) -> Iterator[Action]:
    """What happens next, until the round is over: wherever it waits people have some ideas, elsewhere hardly any."""
    ideas, waited_for = 0, ""
    while not play.last.over:
        due = play.last.due()
        if play.last.wait != waited_for:
            waited_for = play.last.wait
            ideas = draw(st.integers(0, 6)) if due is None else draw(st.sampled_from([0] * 9 + [1]))
        if ideas:
            ideas -= 1
            wish = draw(wishes(play.last, draw(st.sampled_from(PEOPLE)), len(play.log)))
            if wish is not None and is_accepted(play.last, wish):
                yield wish
            continue
        if draw(st.sampled_from([False] * 59 + [True])):
            yield Void(reason="so it came about")
            continue
        due = due or play.last.overdue()
        assert due is not None, f"nothing is ever due in {play.last.phase}"
        match due:
            case Step(step):
                yield step
            case Draw(Chance.CUT):
                yield Cut(HOUSE, position=draw(st.integers(1, 100)))
            case Draw():
                if draw(st.sampled_from([False] * 12 + [True])) and is_accepted(play.last, WhiteCard()):
                    yield WhiteCard()
                yield DrawCard(card=next(shoe), exposed=draw(st.sampled_from([False] * 8 + [True])))


def is_accepted(round_: Round, action: Action) -> bool:
    """Whether the round takes this action."""
    try:
        round_.apply(action)
    except (Refused, AssertionError):
        return False
    return True


@st.composite
def wishes(draw: st.DrawFn, round_: Round, who: str, at: int) -> Action | None:
    """Something that this bettor may do now, or a seat that he may take or leave."""
    offers = round_.offers(who)
    kinds: list[Any] = [*offers.bets, *offers.actions]
    if draw(st.sampled_from([False] * 9 + [True])):
        kinds += [Sit(who, seat=draw(st.integers(1, 7))), Leave(who)]
    if not kinds:
        return None
    chosen = draw(st.sampled_from(kinds))
    return bet_within(draw, chosen, who, f"bet {at}") if isinstance(chosen, BetOffer) else chosen


def bet_within(draw: st.DrawFn, offer: BetOffer, who: str, bet: str) -> PlaceBet:
    """A bet that keeps to the offer."""
    most = min(offer.most if offer.most is not None else 500_00, offer.least + 300 * offer.step)
    steps = draw(st.integers(0, (most - offer.least) // offer.step))
    return PlaceBet(who, bet=bet, spot=offer.spot, amount=offer.least + steps * offer.step, box=offer.box)
