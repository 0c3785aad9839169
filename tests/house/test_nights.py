"""Whole nights of random play, the same for the same seed: whatever is offered is accepted, the books are in order, and
the pit's figures are those of the ledger.

Each night has other options, so that together they meet all that a table can be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any, get_type_hints

import pytest

from tables.games import GAMES
from tables.games.contract.actions import Action
from tables.games.contract.round import BetOffer, Pace
from tables.models import Account, Player, RoundLog, Seat, Table
from tables.proof.reconciliation import reconcile
from tables.queries.folds import fold_cache, round_of
from tables.services.players import people
from tables.services.rounds import decisions, seating
from tables.services.rounds.betting import BetRequest
from tests.extent import first

from . import deeds
from .kit import House, Seeded, answer, change_shoe, story, undone, void_round
from .test_figures import agrees, of

OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "baccarat": {
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
        "squeeze": (False, True),
        "commission_mode": ("five_percent", "no_commission_six_half"),
        "banker_multiple_of_min": (True, False),
        "lucky_six": (True, False),
        "min_bet": (100, {"player": 500, "banker": 700, "tie": 200}),
        "max_bet": ({}, 200_000, {"player": 50_000, "tie": 5_000}),
        "seats": (7, 9),
    },
    "blackjack": {
        "dealing_device": ("shoe", "shoe", "auto_shuffler", "metal_box"),
        "boxes": (6, 7),
        "decks": (1, 2, 2, 6),
        "max_boxes_per_player": (1, 3, 6),
        "initial_burn": ("one_per_deck", "single"),
        "round_burn": ("none", "each_following_round", "each_following_round_and_before_bank_second"),
        "deal_procedure": (1, 2),
        "double_loss_on_bank_blackjack": ("original_only", "all"),
        "insurance_max_fraction": ("1/2", "3/4", "1"),
        "one_side_bet_only": (True, False),
        "any_pair_after_split": ("every_pair", "first_two_cards_only"),
        "special_prize_offered": (True, True, False),
        "special_prize_mode": ("final", "bonus"),
        "max_split_hands": (4, 6),
        "resplit_allowed": (True, True, False),
        "resplit_aces": (True, False),
        "split_rank_rule": ("same_rank", "same_value", "same_value"),
        "double_rule": ("any_two", "any_two", "eleven_only"),
        "five_card_claim_offered": (True, False),
        "shared_box_rule": ("seated_decides", "seated_or_nearest", "highest_stake_decides"),
        "max_bettors_per_box": (2, 3, 3),
        "surrender_timing": ("before_any_draw", "own_first_decision"),
        "split_loss_on_bank_blackjack": ("all", "original_only"),
        "min_bet": (100, {"main": 500, "any_pair": 200}),
        "max_bet": ({}, 200_000, {"main": 100_000, "sevens": 2_000}),
    },
    "stud_poker": {
        "shuffle_method": ("shuffler", "shuffler", "manual_shoe"),
        "decision_mode": ("simultaneous", "in_turn"),
        "royal_flush_odds": (50, 100),
        "jackpot_minimum": (0, 10_00, 500_000_00),
        "jackpot_stake": (100, 2_500),
        "jackpot_contribution": ("0", "1/3", "7/10", "1"),
        "fixed_prizes_reduce_pool": (True, True, False),
        "min_ante": (100, 2_000),
        "max_ante": (5_000, 200_000),
    },
}
ROUNDS = 8
COSTLY = ("insurance", "double", "split", "match", "raise")
"""Deeds that take chips: the rules offer them whatever somebody has."""


class Night:
    """Some people at one table."""

    def __init__(self, house: House, game: str, seed: str) -> None:
        self.house, self.game, self.dice = house, GAMES[game], Seeded(f"people of {seed}")
        house.chance = Seeded(f"cards of {seed}")
        options = {name: self.dice.one_of(values) for name, values in OPTIONS[game].items()}
        match game:
            case "baccarat":
                self.baccarat(options)
            case "blackjack":
                self.blackjack(options)
        self.table = house.table("jade", game=game, **options)
        self.players = [house.player(name) for name in ("ana", "rui", "lin", "mei")]
        self.came: Counter[str] = Counter()

    def baccarat(self, options: dict[str, Any]) -> None:
        if options["burn_mode"] == "fixed_n":
            options["burn_fixed_n"] = 1 + self.dice.below(8)
        options["cut_card_depth"] = options["decks"] * 52 - 35  # a shoe lasts a few rounds

    def blackjack(self, options: dict[str, Any]) -> None:
        if options["dealing_device"] == "metal_box":
            options |= {"decks": 1, "deal_procedure": 1, "round_burn": "none"}
        if options["dealing_device"] == "shoe" and options["decks"] > 1:
            burnt = options["decks"] if options["initial_burn"] == "one_per_deck" else 1
            options["cut_card_depth"] = options["decks"] * 52 - burnt - 4 * (options["boxes"] + 1) - 1

    def play(self, rounds: int = ROUNDS) -> None:
        while RoundLog.objects.filter(table=self.table, settled_at__isnull=False).count() < rounds:
            log = Table.objects.select_related("round").get(pk=self.table.pk).round
            for _ in range(self.dice.below(24 if log is not None and log.phase == "betting" else 4)):
                self.somebody_acts()
            if self.dice.below(4):
                self.whoever_is_asked_answers()
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
                    seating.connection_lost(self.table.pk, player.pk, clock=self.house.clock)
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

    def whoever_is_asked_answers(self) -> None:
        """One who is waited for takes one of their decisions."""
        log = Table.objects.select_related("round").get(pk=self.table.pk).round
        if log is not None and (round_ := round_of(log)).pace is Pace.DECISION:
            asked = [player for player in self.players if round_.default_for(player.key) is not None]
            if asked:
                self.takes_an_offer(self.dice.one_of(asked), besides=("follow", "stand"))

    def takes_an_offer(self, player: Player, besides: Sequence[str] = ()) -> None:
        """Something that the rules offer them, `besides` this: it must be accepted, if only they can pay for it. Most
        bets are on the first spot of the game, without which the others are none."""
        log = Table.objects.select_related("round").get(pk=self.table.pk).round
        if log is None or (log.due_at is not None and log.due_at <= self.house.clock.at):
            return
        offers = round_of(log).offers(player.key)
        first = next(iter(self.game.spots))
        bets = [bet for bet in offers.bets if bet.spot == first or not self.dice.below(2 * len(self.game.spots))]
        if self.dice.below(4):
            besides = (*besides, "follow")
        choices: list[BetOffer | Action] = [*bets, *(one for one in offers.actions if one.do not in besides)]
        if not choices:
            return
        chosen = self.dice.one_of(choices)
        if isinstance(chosen, BetOffer):
            most = chosen.most if chosen.most is not None else 20 * chosen.least
            steps = (most - chosen.least) // chosen.step
            amount = chosen.least + chosen.step * self.dice.below(min(steps, 30) + 1)
            request = BetRequest(player.pk, self.house.ref(), chosen.spot, amount, chosen.box)
            said = answer(partial(deeds.place, log.pk, request, clock=self.house.clock))
            assert said in ("done", "balance"), (chosen, amount, said)
            self.came[f"bet {said}"] += 1
        else:
            said = self.does(player, log.pk, chosen)
            assert said == "done" or (said == "balance" and chosen.do in COSTLY), (chosen, said)
            self.came[f"{chosen.do} {said}"] += 1

    def does(self, player: Player, log: int, action: Action) -> str:
        deed = partial(decisions.decide, player.pk, log, self.house.ref(), action)
        return answer(partial(deed, clock=self.house.clock))

    def tries_something(self, player: Player) -> None:
        """Something that nobody offered: done or refused, but never half done."""
        logs = list(RoundLog.objects.filter(table=self.table).order_by("-number")[:2])
        if not logs:
            return
        some = self.dice.one_of(logs)
        kind = self.dice.one_of(self.game.deeds)
        fields: dict[str, Any] = {}
        for name, hint in get_type_hints(kind).items():
            if name not in ("do", "at_once", "by"):
                fields[name] = self.anything(name, hint, some)
        self.came[f"tried {self.does(player, some.pk, kind(player.key, **fields))}"] += 1

    def anything(self, name: str, hint: Any, some: RoundLog) -> Any:
        """Some value of a field of a deed."""
        match name:
            case "bet":
                return f"{some.pk}-{self.dice.below(12)}"
            case "spot":
                return self.dice.one_of((*self.game.spots, "nowhere"))
            case "to":
                return self.dice.one_of(self.players).key
            case "amount":
                return 100 * self.dice.below(20)
        if hint is bool:
            return bool(self.dice.below(2))
        if hint == int | None:
            return self.dice.one_of((None, *range(9)))
        return self.dice.below(9) if hint is int else self.dice.one_of(list(hint))

    def something_happens(self) -> None:
        match self.dice.below(40):
            case 0:
                said = answer(partial(void_round, self.house.log(self.table).pk, "x", clock=self.house.clock))
                self.came[f"void {said}"] += 1
            case 1:
                change_shoe(self.table.pk)
            case 2:
                self.house.take_over(self.table, self.house.ref())
                fold_cache.clear()
            case 3:
                self.house.clock.pass_(seconds=130)
                self.house.attend(self.table, self.dice.one_of(self.players))
                seating.sweep(self.table.pk, clock=self.house.clock)
            case 4:
                self.house.clock.pass_(hours=1)


SEEDS = {
    "baccarat": first("first", "second", "third", "fourth", "fifth", "sixth", of_them=1),
    "blackjack": first("first", "second", "third", "fourth", "fifth", "sixth", of_them=1),
    "stud_poker": first("first", "second", "third", "fourth", of_them=1),
}


@pytest.mark.parametrize(("game", "seed"), [(game, seed) for game, seeds in SEEDS.items() for seed in seeds])
def test_a_night_of_random_play_leaves_the_books_in_order(house: House, game: str, seed: str) -> None:
    night = Night(house, game, seed)
    night.play()
    assert night.came["bet done"] > ROUNDS
    while Account.objects.get(kind="escrow").balance:
        house.step(night.table)  # what is carried is decided some day
    assert Seat.objects.count() <= 4
    for log in RoundLog.objects.filter(settled_at__isnull=False):
        assert reconcile(log).faults == ()
    found = of(house, night.table)
    assert found.drop and found.win
    agrees(found)


@pytest.mark.parametrize("game", first(*SEEDS))
def test_the_same_seed_gives_the_same_night(house: House, game: str) -> None:
    stories = []
    for _ in range(2):
        with undone():
            night = Night(House(), game, "again")
            night.play(rounds=2)
            stories.append(story(night.table))
    assert stories[0] == stories[1]
