"""Invented records of Blackjack, the same for the same seed: options, bets and cards at random, and decisions that come
near to what is possible, now and then not."""

from __future__ import annotations

from contextlib import suppress
from random import Random  # noqa: TID251 (the same records for the same seed: no chance of the house)
from typing import Any

from .anew_reading import Unplayable
from .blackjack_anew import Hand, Table, total

NAMES = ("ana", "rui", "lee", "eva")

CHOICES: dict[str, tuple[Any, ...]] = {
    "boxes": (6, 7, 8),
    "max_boxes_per_player": (1, 2, 4, 6),
    "initial_burn": ("one_per_deck", "single"),
    "double_loss_on_bank_blackjack": ("original_only", "all"),
    "split_loss_on_bank_blackjack": ("original_only", "all"),
    "insurance_max_fraction": ("1/2", "1", "3/4", "2/3"),
    "side_bets_offered": ([], ["sevens"], ["any_pair", "over_under_13"], ["any_pair", "sevens", "over_under_13"]),
    "one_side_bet_only": (True, False),
    "any_pair_after_split": ("every_pair", "first_two_cards_only"),
    "special_prize_offered": (True, False),
    "special_prize_mode": ("final", "bonus"),
    "max_split_hands": (4, 5, 7),
    "resplit_allowed": (True, False),
    "resplit_aces": (True, False),
    "split_rank_rule": ("same_rank", "same_value"),
    "double_rule": ("any_two", "eleven_only"),
    "five_card_claim_offered": (True, False),
    "shared_box_rule": ("seated_decides", "seated_or_nearest", "highest_stake_decides"),
    "max_bettors_per_box": (1, 2, 3),
    "surrender_timing": ("before_any_draw", "own_first_decision"),
    "min_bet": (0, 500, {"main": 1000}, {"sevens": 500, "over_13": 200}, {}),
    "max_bet": (5000, {"main": 10000}, {"sevens": 500}, {}),
}
OF_A_SHOE: dict[str, tuple[Any, ...]] = {
    "decks": (1, 2, 4, 6, 8),
    "deal_procedure": (1, 2),
    "round_burn": ("none", "each_following_round", "each_following_round_and_before_bank_second"),
}
RICH_IN = ("", "7", "8", "A", "2", "AT", "2345", "678", "ATJQK")
"""Ranks that a pack may bring early, so that what is rare happens."""

WORDS = ("raise", "fold", "void", "match", "hit", "claim_five_cards", "even_money", "insurance", "surrender", "stand")


def invented(seed: str) -> dict[str, Any]:
    """One record, with decisions that were made up while it was played."""
    chance = Random(seed)
    record = begun(chance)
    if chance.random() < 0.03:
        record["chance"] = record["chance"][: chance.randrange(12)]
    if chance.random() < 0.02:
        record["decisions"] = [{"by": "house", "do": "void"}]
    with suppress(Unplayable):
        Table(record, Inventor(chance)).outcome()
    return record


def begun(chance: Random) -> dict[str, Any]:
    """Options, seats, bets and cards; nothing decided yet."""
    options = {name: chance.choice(values) for name, values in CHOICES.items() if chance.random() < 0.3}
    device = chance.choice(("shoe", "shoe", "auto_shuffler", "metal_box"))
    if device == "metal_box":
        options |= {"decks": 1, "deal_procedure": 1}
    else:
        options |= {name: chance.choice(values) for name, values in OF_A_SHOE.items() if chance.random() < 0.3}
    boxes = chance.sample(range(1, 5), chance.choice((1, 1, 2, 2, 3)))
    bets = [
        {"by": who, "spot": "main", "box": box, "amount": 100 * chance.choice((1, 10, 10, 25, 50, 100))}
        for box in boxes
        for who in chance.sample(NAMES, chance.choice((1, 1, 2, 2, 3, 4)))
    ]
    for _ in range(chance.choice((0, 0, 1, 2, 4))):
        spot = chance.choice(("any_pair", "sevens", "over_13", "under_13"))
        box, amount = chance.choice((*boxes, 9)), 100 * chance.choice((1, 5, 10))
        bets.append({"by": chance.choice(NAMES), "spot": spot, "box": box, "amount": amount})
    if chance.random() < 0.1:
        box, amount = chance.choice((0, 1, 2, 9)), chance.choice((0, -100, 150, 1000))
        bets.append({"by": chance.choice(NAMES), "spot": "main", "box": box, "amount": amount})
    if chance.random() < 0.02:
        bets = [bet for bet in bets if bet["spot"] != "main"]
    chance.shuffle(bets)
    sitting = chance.sample(NAMES, chance.randrange(4))
    return {
        "game": "blackjack",
        "options": {**options, "dealing_device": device},
        "seats": dict(zip(sitting, chance.sample(range(1, 5), len(sitting)), strict=True)),
        "bets": [{"id": str(at), **bet} for at, bet in enumerate(bets)],
        "chance": cards(chance, options.get("decks", 6)),
        "decisions": [],
        "first_round": chance.random() < 0.3,
    }


def cards(chance: Random, decks: int) -> list[str]:
    """The first cards of a pack that brings some ranks early."""
    pack = [rank + suit for rank in "A23456789TJQK" for suit in "shdc"] * decks
    chance.shuffle(pack)
    rich = chance.choice(RICH_IN)
    early, late = [card for card in pack if card[0] in rich], [card for card in pack if card[0] not in rich]
    mixed = []
    while early and late:
        mixed.append((early if chance.random() < 0.6 else late).pop())
    return (mixed + early + late)[:150]


class Inventor:
    """Makes up the next decision from what lies on the table."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def __call__(self, table: Table) -> dict[str, Any] | None:
        luck = self.chance.random()
        if luck < 0.015:
            return {"by": "house", "do": "void"}
        if luck < 0.03:
            return self.nonsense()
        if luck < 0.08:
            return None
        if table.phase == "window" and self.chance.random() < 0.55:
            return self.early(table)
        place = table.current()
        if place is None:
            return None if self.chance.random() < 0.8 else self.nonsense()
        box, hand = place
        if table.phase == "offer" and self.chance.random() < 0.7:
            return {"by": self.chance.choice(list(table.boxes[box].mains)), "do": "match", "box": box, "hand": hand}
        if self.chance.random() < 0.1:
            places = [(number, at) for number, other in table.boxes.items() for at in range(len(other.hands))]
            box, hand = self.chance.choice(places)
        return self.in_turn(table, box, hand)

    def nonsense(self) -> dict[str, Any]:
        item: dict[str, Any] = {"by": self.chance.choice((*NAMES, "house")), "do": self.chance.choice(WORDS)}
        for name, values in (("box", range(6)), ("hand", range(-1, 3)), ("amount", (500, 1000))):
            if self.chance.random() < 0.6:
                item[name] = self.chance.choice(values)
        return item

    def early(self, table: Table) -> dict[str, Any]:
        number, box = self.chance.choice(list(table.boxes.items()))
        who = self.chance.choice((*box.mains, box.order[0]))
        if table.shows == "A":
            do = self.chance.choice(("insurance", "insurance", "insurance", "even_money", "surrender"))
        elif table.shows in "TJQK":
            do = self.chance.choice(("even_money", "surrender", "surrender"))
        else:
            do = self.chance.choice(("surrender", "surrender", "even_money", "insurance"))
        item = {"by": who, "do": do, "box": number}
        if do == "insurance":
            stake = box.hands[0].stakes[who].base
            item["amount"] = self.chance.choice((stake // 2, stake // 2, stake, stake * 2 // 3, stake // 2 + 1, 1))
        return item

    def in_turn(self, table: Table, number: int, at: int) -> dict[str, Any]:
        box = table.boxes[number]
        hand = box.hands[at]
        who = table.decider(box, hand)
        if who is None or self.chance.random() < 0.07:
            who = self.chance.choice(NAMES)
        do = self.deed(hand)
        if do == "claim_five_cards":
            who = self.chance.choice(list(hand.stakes) or NAMES)
        return {"by": who, "do": do, "box": number, "hand": at}

    def deed(self, hand: Hand) -> str:
        count = len(hand.cards)
        if count == 2 and hand.cards[0][0] == hand.cards[1][0]:
            return self.chance.choice(("split", "split", "split", "hit", "double"))
        if count == 2:
            return self.chance.choice(("hit", "hit", "hit", "double", "double", "stand", "split", "surrender", "match"))
        if count == 5 and self.chance.random() < 0.6:
            return "claim_five_cards"
        if total(hand.cards) >= 17 and self.chance.random() < 0.6:
            return "stand"
        return self.chance.choice(("hit", "hit", "hit", "stand", "double"))
