"""Hypothesis plays: any game of the house, with any options, by people who do anything that comes to mind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import chain
from typing import Any, TypeVar

from hypothesis import strategies as st

from tables.games import GAMES
from tables.games.baccarat.options import Device
from tables.games.blackjack.options import Device as Dealer
from tables.games.blackjack.options import RoundBurn, SideBet
from tables.games.blackjack.phases import Follow, Insurance, Overdraw
from tables.games.contract.actions import (
    HOUSE,
    Action,
    Chance,
    Cut,
    Draw,
    DrawCard,
    Leave,
    Meter,
    Move,
    NullThrow,
    PlaceBet,
    Seal,
    Sit,
    Step,
    Unseal,
    Void,
    WhiteCard,
)
from tables.games.contract.errors import OptionError, Refused
from tables.games.contract.game import Game
from tables.games.contract.round import FIRST_READING, SECOND_READING, BetOffer, Offers, Opening, Pace, Round, Stake
from tables.games.roulette.bets import Family
from tables.games.roulette.options import ZeroCombinations
from tables.games.shared.options import options_of
from tables.games.stud_poker.phases import Misdeal
from tables.games.values.cards import Card, pack

T = TypeVar("T")

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
        "squeeze": [False, True],
    },
    "blackjack": {
        "boxes": [6, 7],
        "decks": [1, 2, 6],
        "dealing_device": [Dealer.SHOE, Dealer.SHOE, Dealer.AUTO_SHUFFLER, Dealer.METAL_BOX],
        "deal_procedure": [1, 2],
        "cut_card_depth": [None, 30],
        "max_boxes_per_player": [1, 3, 6],
        "insurance_max_fraction": [Fraction(1, 2), Fraction(3, 4), Fraction(1)],
        "side_bets_offered": [frozenset(SideBet), frozenset(SideBet), frozenset(), frozenset({SideBet.SEVENS})],
        "max_split_hands": [4, 6],
        "max_bettors_per_box": [1, 3],
        "min_bet": [1_00, (("main", 20_00), ("sevens", 5_00))],
        "max_bet": [(), 200_00, (("any_pair", 10_00),)],
    },
    "cussec": {
        "shakes": [3, 5],
        "betting_seconds": [30],
        "min_bet": [1_00, (("total", 5_00), ("total_9", 20_00), ("big", 2_00))],
        "max_bet": [(), 200_00, (("pair", 10_00), ("pair_1_2", 20_00), ("small", 50_00))],
    },
    "roulette": {
        "betting_seconds": [30],
        "late_seconds": [8],
        "enabled_bets": [frozenset(Family), frozenset(Family), frozenset({Family.STRAIGHT, Family.RED_BLACK})],
        "zero_combinations": list(ZeroCombinations),
        "min_bet": [1_00, (("straight", 5_00), ("straight_0", 20_00), ("red_black", 2_00))],
        "max_bet": [(), 200_00, (("split", 10_00), ("corner_0", 20_00), ("straight", 50_00))],
    },
    "stud_poker": {
        "royal_flush_odds": [None, None, 50, 77],
        "raise_payout_cap": [140_000_00],
        "jackpot_fixed_royal_flush": [5_000_00],
        "jackpot_fixed_straight_flush": [0, 500_00],
        "jackpot_fixed_four_of_a_kind": [125_00],
        "jackpot_fixed_full_house": [25_00],
        "jackpot_fixed_flush": [12_51],
        "jackpot_minimum": [0, 5_000_00],
        "jackpot_stake": [1_00, 25_00],
        "jackpot_contribution": [Fraction(0), Fraction(7, 10), Fraction(1, 3), Fraction(1)],
        "min_ante": [1_00, 100_00],
        "max_ante": [200_00, 10_000_00],
    },
    "three_card_baccarat": {
        "decks": [1, 2, 6],
        "player_places": [6, 7, 8],
        "white_card_depth": [30, 40],
        "min_bet": [1_00, (("place", 20_00), ("odd", 5_00))],
        "max_bet": [(), 200_00, (("tie", 10_00),)],
    },
}
"""Values for the options of each game whose own values are without bound, or whose usual ones are worth more plays."""


TOGETHER: dict[str, list[dict[str, Any]]] = {
    "blackjack": [
        {},
        {"dealing_device": Dealer.SHOE, "decks": 6},
        {
            "dealing_device": Dealer.METAL_BOX,
            "decks": 1,
            "deal_procedure": 1,
            "round_burn": RoundBurn.NONE,
            "max_bettors_per_box": 3,
        },
        {"max_bettors_per_box": 3, "five_card_claim_offered": True},
    ]
}
"""Options that chance would seldom bring together."""


STARTS: dict[str, list[tuple[Action, ...]]] = {
    "blackjack": [
        (),
        tuple(PlaceBet(who, bet=f"{who} main", spot="main", amount=100_00, box=1) for who in PEOPLE),
        (
            PlaceBet("ana", bet="ana main", spot="main", amount=100_00, box=2),
            PlaceBet("rui", bet="rui main", spot="main", amount=200_00, box=2),
            PlaceBet("rui", bet="rui pair", spot="any_pair", amount=10_00, box=2),
            Follow("ana", doubles=True, splits=True),
        ),
    ],
    "stud_poker": [
        *[
            tuple(
                PlaceBet(who, bet=f"{who} {spot}", spot=spot, amount=amount, box=box)
                for at, who in enumerate(PEOPLE, start=1)
                for box in (at, at + 3)
                for spot, amount in (("ante", 100_00), ("jackpot", 1_00), ("jackpot", 25_00))
            )
        ]
        * 3,
        (
            *(PlaceBet("ana", bet="ana ante", spot="ante", amount=200_00, box=box) for box in (1, 4)),
            *(PlaceBet("rui", bet="rui ante", spot="ante", amount=150_00, box=box) for box in (2, 5)),
            Leave("ana"),
        ),
    ],
    "three_card_baccarat": [
        (),
        tuple(
            PlaceBet(who, bet=f"{who} {spot}", spot=spot, amount=20_00, box=at)
            for at, who in enumerate(PEOPLE, start=1)
            for spot in ("place", "tie")
        ),
        (
            PlaceBet("ana", bet="ana tie", spot="tie", amount=10_00, box=3),
            PlaceBet("lee", bet="lee place", spot="place", amount=20_00, box=3),
        ),
    ],
}
"""How a round may begin, as chance would seldom have it."""


@cache
def _places(number: int) -> st.SearchStrategy[int]:
    return st.sampled_from(range(number))


@cache
def _whole(least: int, most: int) -> st.SearchStrategy[int]:
    return st.integers(least, most)


def one_of(draw: st.DrawFn, things: Sequence[T]) -> T:
    """One of these, as `sampled_from` gives it; but to make a strategy of each few takes longer than to draw."""
    return things[draw(_places(len(things)))]


@st.composite
def any_options(draw: st.DrawFn, game: Game) -> Any:
    """House options that go together."""
    together = one_of(draw, TOGETHER.get(game.slug, [{}]))
    for _ in range(20):
        chosen = {}
        for name, about in options_of(game.options).items():
            values = AMOUNTS[game.slug].get(name) or list(about.values or ())
            chosen[name] = one_of(draw, values)
        try:
            return game.options(**{**chosen, **together})
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
    game = game or one_of(draw, list(GAMES.values()))
    options = draw(any_options(game))
    wanted = {who: one_of(draw, [at, at + 3, None]) for at, who in enumerate(PEOPLE, start=1)}
    seats = {who: seat for who, seat in wanted.items() if seat}
    opening = Opening(
        seats,
        draw(carried_stakes(game)),
        ceremony=draw(st.booleans()),
        first_round=draw(st.booleans()),
        last_round=draw(st.booleans()),
        lately=tuple(who for who in PEOPLE if who not in seats),
        reading=one_of(draw, [SECOND_READING, SECOND_READING, FIRST_READING]),
    )
    play = Play(game, options, opening, rounds=[game.opened(options, opening)])
    shoe = draw(shoes(game, options))
    for action in one_of(draw, STARTS.get(game.slug, [()])):
        if is_accepted(play.last, action):
            play.do(action)
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
    lying: list[Stake] = []
    for at, (who, spot, credits) in enumerate(laid):
        box = 1 + credits % 3 if game.spots[spot].boxed else None
        stake = Stake(f"old {at}", who, spot, credits * 100, box, carried=True)
        try:
            game.check_carried(lying, stake)
            lying.append(stake)
        except Refused:
            pass
    return tuple(lying)


@st.composite
def shoes(draw: st.DrawFn, game: Game, options: Any) -> Iterator[Card]:
    """The pack that the game is dealt from, in some order; on top of some lie few ranks or suits alone."""
    rules = game.shoe(options)
    if rules is None:
        return iter(())
    ranks = one_of(draw, ["", "", "A7T", "2345", "678", "8KQ", "AT", "A23"])
    suits = one_of(draw, ["shdc", "shdc", "shdc", "s"])
    some = [card for card in pack(1) if (not ranks or card.rank in ranks) and card.suit in suits]
    left = Counter(pack(rules.decks))
    top = []
    for byte in draw(st.binary(min_size=60, max_size=60)):
        card = some[byte % len(some)]
        if left[card]:
            left[card] -= 1
            top.append(card)
    return chain(top, left.elements())


IDEAS = {most: st.integers(0, most) for most in (6, 9)}
HARDLY_ANY = st.sampled_from([0] * 9 + [1])
ONE_IN_150, ONE_IN_25, ONE_IN_13, ONE_IN_10, ONE_IN_9 = (
    st.sampled_from([False] * (of - 1) + [True]) for of in (150, 25, 13, 10, 9)
)
"""Made once: they are drawn from at every step."""

METERS = st.sampled_from([0, 1, 99_99]) | st.integers(0, 1_000_000_00)
"""What a jackpot's meter may show."""

MISHAPS = (Overdraw(), Overdraw(shown=False), Misdeal(box=7), NullThrow(reason="object"))
"""What the house may do wrong."""

EXPOSED = {"stud_poker": ONE_IN_25}
"""How often a card comes out face up, where two are the end of the round."""


def impulses(draw: st.DrawFn, play: Play, shoe: Iterator[Card]) -> Iterator[Action]:
    """What happens next, until the round is over: wherever it waits people have some ideas, elsewhere hardly any."""
    ideas, waited_for = 0, ""
    while not play.last.over:
        due = play.last.next_house_step()
        if play.last.wait != waited_for:
            waited_for = play.last.wait
            most = 9 if play.last.pace is Pace.BETTING else 6
            ideas = draw(IDEAS[most]) if due is None else draw(HARDLY_ANY)
        if ideas:
            ideas -= 1
            asked = [who for who in PEOPLE if play.last.default_for(who)]
            who = one_of(draw, [*PEOPLE, *asked * 3])
            wish = a_wish(draw, play.last, who, len(play.log))
            if wish is not None and is_accepted(play.last, wish):
                yield wish
            continue
        if draw(ONE_IN_150):
            yield Void(remark="so it came about")
            continue
        for mishap in MISHAPS:
            if type(mishap) in play.game.steps and is_accepted(play.last, mishap) and one_of(draw, [0, 0, 1]):
                yield mishap
        due = play.last.next_house_step() or play.last.on_timeout()
        assert due is not None, f"nothing is ever due in {play.last.phase}"
        match due:
            case Step(step):
                yield step
            case Draw(Chance.CUT):
                yield Cut(HOUSE, position=draw(_whole(1, 51)))
            case Draw(Chance.POOL):
                yield Meter(pool=draw(METERS))
            case Draw(Chance.SEAL):
                yield Seal(commitment=f"sealed {len(play.log)}")
            case Draw(Chance.OPEN):
                yield Unseal(values=thrown(draw, play), salt="salt")
            case Draw():
                if draw(ONE_IN_13) and is_accepted(play.last, WhiteCard()):
                    yield WhiteCard()
                card = next(shoe, None)
                if card is None:
                    yield Void(remark="the pack has run out")
                else:
                    yield DrawCard(card=card, exposed=draw(EXPOSED.get(play.game.slug, ONE_IN_9)))


def thrown(draw: st.DrawFn, play: Play) -> tuple[int, ...]:
    """What a sealed throw turns out to be."""
    throw = play.game.throw(play.options)
    assert throw is not None
    return tuple(draw(_whole(throw.least, throw.most)) for _ in range(throw.count))


def is_accepted(round_: Round, action: Action) -> bool:
    """Whether the round takes this action."""
    try:
        round_.apply(action)
    except (Refused, AssertionError):
        return False
    return True


def a_wish(draw: st.DrawFn, round_: Round, who: str, at: int) -> Action | None:
    """Something that this bettor may do now, or a seat that they may take or leave."""
    offers = round_.offers(who)
    near: int = one_of(draw, [2, 2, 999])  # mostly where the others are too
    bets = list(offers.bets[:near])
    presets: bool = one_of(draw, [False, False, True])
    actions = [action for action in offers.actions if presets or not isinstance(action, Follow)]
    actions += [move for bet in offers.movable if (move := a_move(draw, round_, offers, who, bet)) is not None]
    only_bets: bool = draw(st.booleans())
    kinds: list[Any] = [*bets, *(() if bets and only_bets else actions)]
    if draw(ONE_IN_10):
        kinds += [Sit(who, seat=draw(_whole(1, 7))), Leave(who), Leave(who, for_good=True)]
    if not kinds:
        return None
    chosen: Any = one_of(draw, kinds)
    match chosen:
        case BetOffer():
            return bet_within(draw, chosen, who, f"bet {at}")
        case Insurance():
            return replace(chosen, amount=draw(_whole(chosen.amount, 2 * chosen.amount)))
        case Action():
            return chosen
    raise AssertionError(f"{chosen} is no wish")


def a_move(draw: st.DrawFn, round_: Round, offers: Offers, who: str, bet: str) -> Move | None:
    """A move of this stake to where a bet of its amount is offered."""
    lies = next(stake for stake in round_.stakes() if stake.bet == bet)
    targets = [offer for offer in offers.bets if moves_to(lies, offer)]
    if not targets:
        return None
    target = one_of(draw, targets)
    return Move(who, bet=bet, spot=target.spot, box=target.box)


def moves_to(stake: Stake, offer: BetOffer) -> bool:
    """Whether a stake that may be moved may lie where this bet is offered."""
    fits = offer.least <= stake.amount and (offer.most is None or stake.amount <= offer.most)
    return fits and (stake.spot, stake.box) != (offer.spot, offer.box)


def bet_within(draw: st.DrawFn, offer: BetOffer, who: str, bet: str) -> PlaceBet:
    """A bet that keeps to the offer."""
    most = min(offer.most if offer.most is not None else 500_00, offer.least + 300 * offer.step)
    steps = draw(_whole(0, (most - offer.least) // offer.step))
    return PlaceBet(who, bet=bet, spot=offer.spot, amount=offer.least + steps * offer.step, box=offer.box)
