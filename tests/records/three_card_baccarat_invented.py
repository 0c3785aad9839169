"""Invented records of 3-Card Baccarat, the same for the same seed: options and bets at random, and hands that tie, hold
three court cards or come to the same points."""

from __future__ import annotations

from contextlib import suppress
from random import Random  # noqa: TID251 (the same records for the same seed: no chance of the house)
from typing import Any

from .anew_reading import Unplayable
from .spoilt import no_decisions, spoilt
from .three_card_baccarat_anew import SPOTS, Deal

NAMES = ("ana", "rui", "lee", "eva", "tom", "house")

CHOICES: dict[str, tuple[Any, ...]] = {
    "decks": (1, 1, 2, 6, 8),
    "player_places": (1, 3, 5, 7, 8),
    "white_card_depth": (30, 33, 40),
    "deal_style": ("one_by_one", "three_at_once"),
    "reshuffle_every_round": (True, False),
    "odd_even_enabled": (True, False),
    "numbers_enabled": (True, False),
    "tie_enabled": (True, True, False),
    "min_bet": (0, 100, 500, 1000, {"place": 1000}, {"odd": 500, "tie": 200, "points_0": 300}, {}),
    "max_bet": (1500, 5000, {"place": 2000}, {"even": 1500, "tie": 500, "three_figures": 500}, {}),
}
RICH_IN = ("", "", "JQK", "JQK", "JQKT", "9JQ", "T5", "A9", "23K", "4K6", "789")
"""Ranks that a pack may bring early, so that ties and three court cards happen."""


def invented(seed: str) -> dict[str, Any]:
    """One record; one in eight is spoilt somewhere."""
    chance = Random(seed)
    record = begun(chance)
    with suppress(Unplayable):
        record["chance"] = cards(chance, Deal(record))
    if chance.random() < 0.05:
        record["chance"] = record["chance"][: chance.randrange(1 + len(record["chance"]))]
    return spoilt(record, chance) if chance.random() < 1 / 8 else record


def begun(chance: Random) -> dict[str, Any]:
    """Options, seats, bets and decisions; nothing dealt yet."""
    options = {name: chance.choice(values) for name, values in CHOICES.items() if chance.random() < 0.2}
    if chance.random() < 0.4:
        options["standing_bets"] = chance.random() < 0.9
    if chance.random() < 0.06:
        options |= chance.choice(
            (
                {"decks": 1, "player_places": 16},
                {"decks": 1, "player_places": 17},
                {"player_places": 9},
                {"player_places": 12, "white_card_depth": 40},
                {"player_places": 10, "white_card_depth": 33},
                {"player_places": 8, "white_card_depth": 30, "decks": 2},
                {"device": "shoe"},
            )
        )
    sitting = chance.sample(NAMES, chance.choice((0, 1, 1, 2, 2, 2, 3, 3, 4)))
    most = options.get("player_places", 7)
    seats = dict(zip(sitting, chance.sample(range(1, most + 1), min(most, len(sitting))), strict=False))
    bets = [bet_of(chance, seats, most) for _ in range(chance.choice((0, 1, 2, 3, 5, 8, 12)))]
    record = {
        "game": "three_card_baccarat",
        "options": options,
        "seats": seats,
        "bets": [{"id": str(at), **bet} for at, bet in enumerate(bets)],
        "chance": [],
        "decisions": no_decisions(chance, NAMES),
        "first_round": chance.random() < 0.4,
    }
    for key in ("first_round", "decisions"):
        if chance.random() < 0.1:
            del record[key]
    if chance.random() < 0.1:
        record["edition"] = "22/96/M"
    return record


def bet_of(chance: Random, seats: dict[str, int], places: int) -> dict[str, Any]:
    luck = chance.random()
    spot = "place" if luck < 0.4 else "tie" if luck < 0.6 else chance.choice(SPOTS)
    who = chance.choice(NAMES)
    if seats and chance.random() < 0.85:
        who = chance.choice(list(seats))
    amount = 100 * chance.choice((1, 5, 7, 10, 10, 15, 20, 50))
    if chance.random() < 0.05:
        amount = chance.choice((0, -100, 50, 150, 1001))
    bet: dict[str, Any] = {"by": who, "spot": spot, "amount": amount}
    if spot in ("place", "tie"):
        few = range(1, min(places, 3) + 1)
        bet["box"] = chance.choice(few) if chance.random() < 0.9 else chance.choice((-1, 0, places, places + 1))
    elif chance.random() < 0.1:
        bet["box"] = chance.choice((0, 1, 2, 99))
    if spot in ("place", "odd", "even") and chance.random() < 0.25:
        bet["carried"] = chance.random() < 0.9
    if chance.random() < 0.02:
        bet["spot"] = chance.choice(("points_10", "banker", "numbers", "three"))
    return bet


def cards(chance: Random, deal: Deal) -> list[str]:
    """The burn, if there is one, and hands of which some are as good as another."""
    decks: int = deal.o["decks"]
    pack: list[str] = [rank + suit for rank in "A23456789TJQK" for suit in "shdc"] * decks
    chance.shuffle(pack)
    rich = chance.choice(RICH_IN)
    pack.sort(key=lambda card: card[0] not in rich or chance.random() < 0.25)
    hands: list[list[str]] = []
    for _ in range(1 + len(deal.places)):
        hand = pack[:3]
        if hands and chance.random() < 0.4:
            wishes = [(card[0] if card[0] not in "JQK" else "JQK") for card in chance.choice(hands)]
            hand = picked(pack, wishes) or hand
        for card in hand:
            pack.remove(card)
        hands.append(hand)
    chance.shuffle(hands)
    if deal.o["deal_style"] == "one_by_one":
        dealt = [hand[turn] for turn in range(3) for hand in hands]
    else:
        dealt = [card for hand in hands for card in hand]
    burn = decks > 1 and not deal.o["reshuffle_every_round"] and not deal.record["first_round"]
    chance.shuffle(pack)
    return [pack[-1]] * burn + dealt + pack[: chance.choice((0, 0, 0, 0, 1, 4))]


def picked(pack: list[str], wishes: list[str]) -> list[str] | None:
    hand = []
    left = pack[:]
    for ranks in wishes:
        found = [card for card in left if card[0] in ranks]
        if not found:
            return None
        hand.append(found[0])
        left.remove(found[0])
    return hand
