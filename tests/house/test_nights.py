"""Whole nights of random play, the same for the same seed: whatever is offered is accepted, and the books are in order.

Each night has other options, so that together they meet all that a table can be.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

import pytest
from django.db import transaction

from tables import queries
from tables.games.protocol import Action, BetOffer, Lower, Move, Ready, Withdraw
from tables.models import Account, Player, RoundLog, Seat, Table
from tables.services import betting, people, pit, playing, seating
from tables.services.betting import BetRequest
from tests.house.kit import House, Seeded, answer, story

OPTIONS: dict[str, tuple[Any, ...]] = {
    "dealing_device": ("shoe", "shoe", "auto_machine"),
    "decks": (6, 8, 12),
    "burn_mode": ("by_decks", "by_first_card", "fixed_n"),
    "burn_indicator": ("extra", "counted"),
    "demo_rounds": (0, 1),
    "last_round_rule": ("current_is_last", "one_more_round"),
    "burn_each_round": (0, 1),
    "tie_policy": ("free", "no_move", "return", "no_reduce"),
    "pairs_enabled": (True, True, False),
    "pair_requires_main": (True, False),
    "imbalance_limit": (None, 20_000, 100_000),
    "hold_cards": (True, True, False),
    "commission_mode": ("five_percent", "no_commission_six_half"),
    "banker_multiple_of_min": (True, False),
    "lucky_six": (True, False),
    "min_bet": (100, {"player": 500, "banker": 700, "tie": 200}),
    "max_bet": ({}, 200_000, {"player": 50_000, "tie": 5_000}),
    "seats": (7, 9),
}
ROUNDS = 8


class Night:
    """Some people at one table."""

    def __init__(self, house: House, seed: str) -> None:
        self.house, self.dice = house, Seeded(f"people of {seed}")
        house.chance = Seeded(f"cards of {seed}")
        options = {name: self.dice.one_of(values) for name, values in OPTIONS.items()}
        if options["burn_mode"] == "fixed_n":
            options["burn_fixed_n"] = 1 + self.dice.below(8)
        options["cut_card_depth"] = options["decks"] * 52 - 35  # a shoe lasts a few rounds
        self.table = house.table("jade", **options)
        self.players = [house.player(name) for name in ("ana", "rui", "lin", "mei")]
        self.came: Counter[str] = Counter()

    def play(self, rounds: int = ROUNDS) -> None:
        while RoundLog.objects.filter(table=self.table, settled_at__isnull=False).count() < rounds:
            betting_is_open = RoundLog.objects.filter(table=self.table, phase="betting").exists()
            for _ in range(self.dice.below(24 if betting_is_open else 4)):
                self.somebody_acts()
            self.house.step(self.table)
            self.something_happens()
        self.house.in_order()

    def somebody_acts(self) -> None:
        player = self.dice.one_of(self.players)
        match self.dice.below(12):
            case 0:
                seating_deed = partial(seating.sit, player.pk, self.table.pk, self.dice.below(9))
                self.came[f"sit {answer(partial(seating_deed, clock=self.house.clock))}"] += 1
            case 1:
                if self.dice.below(3):
                    seating.line_dropped(self.table.pk, player.pk, clock=self.house.clock)
                else:
                    seating.stand_up(player.pk, self.table.pk, clock=self.house.clock)
            case 2:
                self.house.attend(self.table, *self.players)
            case 3:
                self.came[f"top-up {answer(partial(people.top_up, player.pk, clock=self.house.clock))}"] += 1
            case 4:
                self.tries_something(player)
            case _:
                self.takes_an_offer(player)

    def takes_an_offer(self, player: Player) -> None:
        """Something that the rules offer him: it must be accepted, if only he can pay for it."""
        log = Table.objects.select_related("round").get(pk=self.table.pk).round
        if log is None or (log.due_at is not None and log.due_at <= self.house.clock.at):
            return
        offers = queries.round_of(log).offers(player.key)
        choices: list[BetOffer | Action] = [*offers.bets, *offers.actions]
        if not choices:
            return
        chosen = self.dice.one_of(choices)
        if isinstance(chosen, BetOffer):
            most = chosen.most if chosen.most is not None else 20 * chosen.least
            steps = (most - chosen.least) // chosen.step
            amount = chosen.least + chosen.step * self.dice.below(min(steps, 30) + 1)
            request = BetRequest(player.pk, self.house.ref(), chosen.spot, amount, chosen.box)
            said = answer(partial(betting.place, log.pk, request, clock=self.house.clock))
            assert said in ("done", "balance"), (chosen, amount, said)
            self.came[f"bet {said}"] += 1
        else:
            said = self.does(player, log.pk, chosen)
            assert said == "done", (chosen, said)
            self.came[f"{chosen.do} {said}"] += 1

    def does(self, player: Player, log: int, action: Action) -> str:
        deed = betting.change if isinstance(action, Withdraw | Lower | Move | Ready) else playing.decide
        return answer(partial(deed, player.pk, log, self.house.ref(), action, clock=self.house.clock))

    def tries_something(self, player: Player) -> None:
        """Something that nobody offered: done or refused, but never half done."""
        logs = list(RoundLog.objects.filter(table=self.table).order_by("-number")[:2])
        if not logs:
            return
        some = self.dice.one_of(logs)
        bet = f"{some.pk}-{self.dice.below(12)}"
        spot = self.dice.one_of(("player", "banker", "tie", "player_pair", "lucky_six", "nowhere"))
        tried: list[Action] = [
            Withdraw(player.key, bet),
            Lower(player.key, bet, 100 * self.dice.below(20)),
            Move(player.key, bet, spot),
            Ready(player.key),
        ]
        self.came[f"tried {self.does(player, some.pk, self.dice.one_of(tried))}"] += 1

    def something_happens(self) -> None:
        match self.dice.below(40):
            case 0:
                said = answer(partial(pit.void_round, self.house.log(self.table).pk, "x", clock=self.house.clock))
                self.came[f"void {said}"] += 1
            case 1:
                pit.change_shoe(self.table.pk)
            case 2:
                self.house.take_over(self.table, self.house.ref())
                queries.folds.clear()
            case 3:
                self.house.clock.pass_(seconds=130)
                self.house.attend(self.table, self.dice.one_of(self.players))
                seating.sweep(self.table.pk, clock=self.house.clock)
            case 4:
                self.house.clock.pass_(hours=1)


@pytest.mark.parametrize("seed", ["first", "second", "third", "fourth", "fifth", "sixth"])
def test_a_night_of_random_play_leaves_the_books_in_order(house: House, seed: str) -> None:
    night = Night(house, seed)
    night.play()
    assert night.came["bet done"] > ROUNDS
    while Account.objects.get(kind="escrow").balance:
        house.step(night.table)  # what is carried is decided some day
    assert Seat.objects.count() <= 4


def test_the_same_seed_gives_the_same_night(house: House) -> None:
    stories = []
    for _ in range(2):
        with transaction.atomic():
            night = Night(House(), "again")
            night.play(rounds=3)
            stories.append(story(night.table))
            transaction.set_rollback(True)
    assert stories[0] == stories[1]
