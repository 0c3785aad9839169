"""The main game of Blackjack simulated under `market_2009` with the published basic strategy (rulebook, section 11).

`python -m tests.bench.simulation [rounds] [seed] [cores]` prints the house's edge with its confidence interval beside
the published 0.16 % and the rulebook's own 0.167 %. One bettor plays one box; every round is dealt from all six decks.
The loop knows cards as points, and takes totals, the bank's rule and the odds from the rules; before it begins, some
thousand rounds of it are played by the engine too, card by card.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import sqrt
from random import Random  # noqa: TID251 (a simulation that can be repeated: no chance of the house)
from time import perf_counter
from typing import Any

from tables.games.blackjack import GAME
from tables.games.blackjack.bank import must_draw
from tables.games.blackjack.bets import BLACKJACK, EVEN
from tables.games.blackjack.hands import VALUES, points
from tables.games.blackjack.options import MARKET_2009
from tables.games.blackjack.phases import Double, Hit, Split, Stand, Surrender
from tables.games.contract.actions import Action, CloseBets, Draw, DrawCard, PlaceBet, Step
from tables.games.contract.round import Opening
from tables.games.shared.options import read_options
from tables.games.values.cards import Card, card, pack

ROUNDS = 1_000_000
CHECKED = 3_000
PUBLISHED = 0.0016
RULEBOOK = 0.00167
CHUNK = 250_000
SHOWN = 8
"""Rounds that a process plays at a time, and after how many of these it is said how it stands."""

STAKE = 2
"""Units: a stake is two halves, so that a surrender and 3 to 2 are whole."""

DECKS = 6
HANDS = 4

# ── The strategy: columns are the bank's card, 2 to 9, ten, ace ─────────────────────────────────────────────

COLUMNS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)

HARD = {
    **dict.fromkeys(range(4, 9), "HHHHHHHHHH"),
    9: "HDDDDHHHHH",
    10: "DDDDDDDDHH",
    11: "DDDDDDDDDH",
    12: "HHSSSHHHHH",
    **dict.fromkeys(range(13, 17), "SSSSSHHHHH"),
    **dict.fromkeys(range(17, 22), "SSSSSSSSSS"),
}
SOFT = {
    12: "HHHHHHHHHH",
    13: "HHHDDHHHHH",
    14: "HHHDDHHHHH",
    15: "HHDDDHHHHH",
    16: "HHDDDHHHHH",
    17: "HDDDDHHHHH",
    18: "STTTTSSHHH",
    **dict.fromkeys(range(19, 22), "SSSSSSSSSS"),
}
"""H hit, S stand, D double or else hit, T double or else stand."""

PAIRS = {
    1: "YYYYYYYYYY",
    2: "YYYYYYNNNN",
    3: "YYYYYYNNNN",
    4: "NNNYYNNNNN",
    5: "NNNNNNNNNN",
    6: "YYYYYNNNNN",
    7: "YYYYYYNNNN",
    8: "YYYYYYYYYY",
    9: "YYYYYNYYNN",
    10: "NNNNNNNNNN",
}

SURRENDERED = {10: (14, 15, 16), 9: (16,)}
"""Hard totals that are given up, by the bank's card: against a ten also pairs of sevens and eights, against a nine not
the eights."""


def gives_up(first: int, second: int, up: int) -> bool:
    """Whether the first two cards are surrendered."""
    soft = 1 in (first, second)
    return not soft and first + second in SURRENDERED.get(up, ()) and not (up == 9 and first == second)


# ── What the rules say, as tables over hard totals ──────────────────────────────────────────────────────────

TOP = 32
"""No hand comes to more: somebody has drawn to 21."""


def _cards_of(hard: int, ace: bool) -> tuple[Card, ...]:
    """Some cards of this hard total, with or without an ace."""
    if hard < ace:
        return ()
    names = ["As"] * ace
    hard -= ace
    while hard:
        pips = hard if hard <= 10 else 10 if hard != 11 else 9
        if pips == 1 and not ace:
            return ()
        names.append({1: "Ah", 10: "Ts"}.get(pips, f"{pips}s"))
        hard -= pips
    return tuple(card(name) for name in names)


def _table(of: Callable[[tuple[Card, ...]], Any]) -> list[tuple[Any, Any]]:
    """Hard total -> what the rules say without an ace, and with one."""
    return [
        tuple(of(cards) if (cards := _cards_of(hard, ace)) else None for ace in (False, True))  # type: ignore[misc]
        for hard in range(TOP)
    ]


TOTALS = _table(lambda cards: points(cards)[0])
DRAWS = _table(must_draw)


def _moves() -> dict[int, list[tuple[str, str]]]:
    """Bank's card -> hard total -> what is done without an ace, and with one."""
    moves: dict[int, list[tuple[str, str]]] = {}
    for at, up in enumerate(COLUMNS):
        moves[up] = [("H", "H")] * TOP
        for hard in range(2, TOP):
            plain = HARD[hard][at] if hard in HARD else "H"
            soft_total = TOTALS[hard][1]
            soft = SOFT[soft_total][at] if soft_total is not None and soft_total != hard else plain
            moves[up][hard] = (plain, soft)
    return moves


MOVES = _moves()
SPLITS = {(rank, up): row[at] == "Y" for rank, row in PAIRS.items() for at, up in enumerate(COLUMNS)}

# ── One round in a few microseconds ─────────────────────────────────────────────────────────────────────────

WINS = EVEN.prize(STAKE)
BLACKJACK_WINS = BLACKJACK.prize(STAKE)


class Pack:
    """Six decks, from which a fresh round takes any cards: those drawn go to the end, out of reach until the next."""

    def __init__(self, seed: str) -> None:
        self.cards = list(pack(DECKS))
        self.points = [VALUES[one.rank] for one in self.cards]
        self.order = list(range(len(self.cards)))
        self.left = len(self.order)
        self.random = Random(seed).random

    def draw(self) -> int:
        """The points of the next card, an ace being 1."""
        order, left = self.order, self.left
        at = int(self.random() * left)
        self.left = left = left - 1
        drawn = order[at]
        order[at] = order[left]
        order[left] = drawn
        return self.points[drawn]

    def card(self) -> Card:
        """Any card at all."""
        return self.cards[int(self.random() * len(self.cards))]

    def drawn(self) -> list[Card]:
        """The cards of this round, in the order in which they came."""
        return [self.cards[at] for at in reversed(self.order[self.left :])]


def net_of(shoe: Pack) -> tuple[int, int]:
    """One round: what the bettor has won in halves, and what they staked in the end."""
    shoe.left = DECKS * 52
    draw = shoe.draw
    first, up, second = draw(), draw(), draw()
    if first + second == 11 and 1 in (first, second):
        if up not in (1, 10):
            return BLACKJACK_WINS, STAKE
        return (0 if _is_blackjack(up, draw()) else BLACKJACK_WINS), STAKE
    if gives_up(first, second, up):
        return -STAKE // 2, STAKE
    net = 0
    staked = 0
    open_hands: list[tuple[int, int]] = []
    for total, stake in _hands(first, second, up, draw):
        staked += stake
        if total > 21:
            net -= stake
        else:
            open_hands.append((total, stake))
    if not open_hands:
        return net, staked
    hard = draw()
    if _is_blackjack(up, hard):
        return net - STAKE, staked
    ace = up == 1 or hard == 1
    hard += up
    while DRAWS[hard][ace]:
        drawn = draw()
        hard += drawn
        ace = ace or drawn == 1
    bank = TOTALS[hard][ace]
    for total, stake in open_hands:
        if bank > 21 or total > bank:
            net += stake * WINS // STAKE
        elif total < bank:
            net -= stake
    return net, staked


def _is_blackjack(up: int, second: int) -> bool:
    return up + second == 11 and 1 in (up, second)


def _hands(first: int, second: int, up: int, draw: Callable[[], int]) -> list[tuple[int, int]]:
    """The box played out: total and stake of each hand, left to right."""
    if first != second or not SPLITS[first, up]:
        return [_played(first, second, up, draw)]
    done: list[tuple[int, int]] = []
    waiting = [first, first]
    while waiting:
        held = waiting.pop()
        drawn = draw()
        if held == 1:
            done.append((TOTALS[1 + drawn][1], STAKE))
        elif drawn == held and len(done) + len(waiting) + 1 < HANDS and SPLITS[held, up]:
            waiting += [held, held]
        else:
            done.append(_played(held, drawn, up, draw))
    return done


def _played(first: int, second: int, up: int, draw: Callable[[], int]) -> tuple[int, int]:
    """A hand of two cards played out: its total, and the stake that lies on it."""
    hard, ace = first + second, first == 1 or second == 1
    moves = MOVES[up]
    move = moves[hard][ace]
    if move in "DT":
        drawn = draw()
        return TOTALS[hard + drawn][ace or drawn == 1], 2 * STAKE
    while move in "HD":
        drawn = draw()
        hard += drawn
        ace = ace or drawn == 1
        if hard > 21:
            break
        move = moves[hard][ace]
    return TOTALS[hard][ace], STAKE


# ── The same round by the engine ────────────────────────────────────────────────────────────────────────────

OPTIONS = read_options(GAME.options, dict(MARKET_2009))


def net_by_the_engine(cards: Sequence[Card], more: Callable[[], Card]) -> tuple[int, int]:
    """The round that these cards make (and `more`, where the bank draws on), through `apply` alone."""
    round_: Any = GAME.opened(OPTIONS, Opening())
    round_ = round_.apply(PlaceBet("ana", bet="ana", spot="main", amount=100 * STAKE, box=1)).apply(CloseBets())
    shoe = list(reversed(cards))
    while not round_.over:
        match round_.next_house_step():
            case Step(action):
                round_ = round_.apply(action)
            case Draw():
                round_ = round_.apply(DrawCard(card=shoe.pop() if shoe else more()))
            case None:
                wish = chosen(round_)
                late = round_.on_timeout()
                round_ = round_.apply(wish if wish is not None else late.action)
    assert not shoe, "the engine took fewer cards than the loop"
    back = sum(paid.returned for paid in round_.payouts())
    staked = sum(paid.stake for paid in round_.payouts())
    return (back - staked) // 100, staked // 100


def chosen(round_: Any) -> Action | None:
    """What the strategy does where the engine waits; None: nothing extra."""
    offered: dict[str, Action] = {action.do: action for action in round_.offers("ana").actions}
    up = VALUES[round_.up.rank]
    if round_.phase == "early_window":
        first, second = (VALUES[one.rank] for one in round_.boxes[0].hands[0].cards)
        return offered.get(Surrender.do) if gives_up(first, second, up) else None
    box, at = round_.acting
    held = [VALUES[one.rank] for one in box.hands[at].cards]
    if len(held) == 2 and held[0] == held[1] and SPLITS[held[0], up] and Split.do in offered:
        return offered[Split.do]
    move = MOVES[up][sum(held)][1 in held]
    if move in "DT" and Double.do in offered:
        return offered[Double.do]
    return offered[Hit.do] if move in "HD" else offered[Stand.do]


def check(rounds: int, seed: str) -> None:
    """Play so many rounds both ways, card by card. Raises AssertionError where they differ."""
    shoe, spare = Pack(seed), Pack(f"{seed} spare")
    for at in range(rounds):
        found = net_of(shoe)
        cards = shoe.drawn()
        by_engine = net_by_the_engine(cards, spare.card)
        assert found == by_engine, f"round {at}, {' '.join(map(str, cards))}: {found}, by the engine {by_engine}"


# ── Many rounds ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Tally:
    """What many rounds came to, in halves of a stake."""

    rounds: int = 0
    net: int = 0
    squares: int = 0
    staked: int = 0
    surrendered: int = 0

    def __iadd__(self, other: Tally) -> Tally:
        self.rounds += other.rounds
        self.net += other.net
        self.squares += other.squares
        self.staked += other.staked
        self.surrendered += other.surrendered
        return self

    def __str__(self) -> str:
        low, high = self.edge - 1.96 * self.error, self.edge + 1.96 * self.error
        return f"house {100 * self.edge:.3f} %, between {100 * low:.3f} and {100 * high:.3f} (95 %)"

    @property
    def edge(self) -> float:
        """What the house wins of each original stake."""
        return -self.net / (STAKE * self.rounds)

    @property
    def deviation(self) -> float:
        """Standard deviation of one round, in stakes."""
        mean = self.net / self.rounds
        return sqrt(self.squares / self.rounds - mean * mean) / STAKE

    @property
    def error(self) -> float:
        """Standard error of the edge."""
        return self.deviation / sqrt(self.rounds)


def simulated(rounds: int, seed: str) -> Tally:
    """So many rounds, the same for the same seed."""
    tally = Tally(rounds)
    shoe = Pack(seed)
    net_sum = squares = staked_sum = surrendered = 0
    for _ in range(rounds):
        net, staked = net_of(shoe)
        net_sum += net
        squares += net * net
        staked_sum += staked
        surrendered += net == -1
    tally.net, tally.squares, tally.staked, tally.surrendered = net_sum, squares, staked_sum, surrendered
    return tally


def main(rounds: int, seed: str, cores: int) -> None:
    check(CHECKED, f"{seed} checked")
    print(f"{CHECKED:,} rounds came to the same by the engine, card by card")
    began = perf_counter()
    tally = Tally()
    chunks = [min(CHUNK, rounds - at) for at in range(0, rounds, CHUNK)]
    seeds = [f"{seed}.{at}" for at in range(len(chunks))]
    with ProcessPoolExecutor(cores) as workers:
        for at, part in enumerate(workers.map(simulated, chunks, seeds), start=1):
            tally += part
            if at % SHOWN == 0 and at < len(chunks):
                print(f"{tally.rounds:>15,} rounds: {tally}", flush=True)
    took = perf_counter() - began
    print(f"{tally.rounds:,} rounds, seed {seed!r}, {took:.0f} s, {tally.rounds / took:,.0f} a second on {cores} cores")
    print(tally)
    print(f"published {100 * PUBLISHED:.2f} %, the rulebook's simulation {100 * RULEBOOK:.3f} %")
    print(
        f"standard deviation {tally.deviation:.3f}, final stake {tally.staked / (STAKE * tally.rounds):.3f}, "
        f"surrendered {100 * tally.surrendered / tally.rounds:.2f} %"
    )


if __name__ == "__main__":
    given = dict(enumerate(sys.argv[1:]))
    main(int(given.get(0, ROUNDS)), given.get(1, "macau"), int(given.get(2, 1)))
