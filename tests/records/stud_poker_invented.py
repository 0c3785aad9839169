"""Invented records of Stud Poker, the same for the same seed: options, bets and pools at random, hands that are seldom
dealt and near to each other, and decisions that are now and then not possible."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random  # noqa: TID251 (the same records for the same seed: no chance of the house)
from typing import Any

from .anew_reading import Unplayable
from .spoilt import spoilt
from .stud_poker_anew import Deal

NAMES = ("ana", "rui", "lee", "eva", "tom", "mei", "ivo", "joe", "house")
FACES = "23456789TJQKA"
PACK = [rank + suit for rank in FACES for suit in "shdc"]

CHOICES: dict[str, tuple[Any, ...]] = {
    "royal_flush_odds": (50, 60, 99, 100),
    "shuffle_method": ("shuffler", "manual_shoe"),
    "jackpot_fixed_royal_flush": (0, 1, 500_000_00, 777_777_77),
    "jackpot_fixed_straight_flush": (0, 1, 50_000_00, 123_456_78),
    "jackpot_fixed_four_of_a_kind": (1, 12_500_00, 33_333_33),
    "jackpot_fixed_full_house": (1, 2_500_00, 250_050),
    "jackpot_fixed_flush": (1, 1_250_00, 999_99),
    "jackpot_minimum": (0, 1, 250_000_00, 500_000_00),
    "jackpot_stake": (100, 1000, 25_00, 33_00),
    "jackpot_contribution": ("7/10", "1", "0", "1/3", "2/3", "5/7", "99/100"),
    "fixed_prizes_reduce_pool": (True, False),
    "decision_mode": ("simultaneous", "in_turn"),
    "timeout_action": ("fold",),
}
POOLS = (0, 1, 7, 29_998_250, 99_996_500, 99_996_501, 99_996_503, 10**9 + 9, 5 * 10**8 + 9, 10**13 + 7)
SELDOM = ("royal", "steel", "wheel", "four", "full", "flush", "run", "low run", "three", "two", "pair", "AK", "AQ")


def invented(seed: str) -> dict[str, Any]:
    """One record; one in eight is spoilt somewhere."""
    chance = Random(seed)
    record = begun(chance)
    with suppress(Unplayable):
        record["chance"] = cards(chance, record)
        record["decisions"] = decisions(chance, Deal({**record, "decisions": []}))
    luck = chance.random()
    if luck < 0.03:
        record["chance"] = record["chance"][: chance.randrange(1 + len(record["chance"]))]
    elif luck < 0.05:
        rest = [card for card in PACK if card not in record["chance"]]
        record["chance"] = record["chance"] + rest[: chance.randrange(5)]
    return spoilt(record, chance) if chance.random() < 1 / 8 else record


def begun(chance: Random) -> dict[str, Any]:
    """Options, seats, bets and the meter; nothing dealt yet."""
    options = {name: chance.choice(values) for name, values in CHOICES.items() if chance.random() < 0.3}
    if chance.random() < 0.4:
        most = options["max_ante"] = chance.choice((500_00, 1_000_00, 10_000_00))
        options["raise_payout_cap"] = 14 * most + chance.choice((0, 0, 0, 100, 5_000_00, -1))
    if chance.random() < 0.2:
        options["min_ante"] = chance.choice((100, 200_00, 500_00, 1_000_00, 10_001_00))
    record: dict[str, Any] = {"game": "stud_poker", "options": options, "bets": [], "chance": [], "decisions": []}
    if chance.random() < 0.4:
        record["edition"] = chance.choice(("61/2004", "69/2003"))
        if record["edition"] == "69/2003" and chance.random() < 0.9:
            options.pop("royal_flush_odds", None)
    if chance.random() < 0.8:
        record["jackpot"] = {"pool": chance.choice(POOLS)}
    sitting = chance.sample(NAMES, chance.choice((1, 1, 2, 2, 3, 4, 5, 7)))
    seats = dict(zip(sitting, chance.sample(range(1, 8), len(sitting)), strict=True))
    record["seats"] = seats
    bets = []
    stake = options.get("jackpot_stake", 25_00)
    for who, box in seats.items():
        if chance.random() < 0.92:
            amount = chance.choice((100_00, 100_00, 200_00, 500_00, 1_000_00, 10_000_00, 10_000_00))
            bets.append({"by": who, "spot": "ante", "box": box, "amount": amount})
        luck = chance.random()
        if luck < 0.6:
            bets.append({"by": who, "spot": "jackpot", "box": box, "amount": stake})
        elif luck < 0.75:
            amount = chance.choice((stake, stake, 1700, 100, 0, 150))
            bets.append({"by": who, "spot": "jackpot", "box": box, "amount": amount, "carried": True})
    while chance.random() < 0.25:
        bets.append(nonsense(chance, seats, stake))
    chance.shuffle(bets)
    record["bets"] = [{"id": str(at), **bet} for at, bet in enumerate(bets)]
    return record


def nonsense(chance: Random, seats: dict[str, int], stake: int) -> dict[str, Any]:
    """A bet that is seldom possible."""
    who = chance.choice(NAMES)
    bet: dict[str, Any] = {
        "by": who,
        "spot": chance.choice(("ante", "ante", "jackpot", "jackpot", "raise", "place")),
        "box": seats.get(who, 3) if chance.random() < 0.5 else chance.choice((-1, 0, *range(1, 9))),
        "amount": chance.choice((stake, stake, 100_00, 100_00, 99_00, 150, 0, -100, 100_000_00)),
    }
    if chance.random() < 0.1 and bet["spot"] == "jackpot" and who not in seats:
        bet["carried"] = True
    return bet


# ── Hands ──


def cards(chance: Random, record: dict[str, Any]) -> list[str]:
    """The pack as it is dealt, so that whoever sits there holds what is seldom seen."""
    boxes = len(Deal(record).boxes)
    pack = PACK[:]
    chance.shuffle(pack)
    hands: list[list[str]] = []
    many = chance.choice(
        (None, None, None, "royal", "steel", "flush", "pair", "four", "full", "AK", "run", "two", "two")
    )
    for _ in range(boxes + 1):
        hand = None
        if hands and chance.random() < 0.35:
            hand = twin(chance, pack, chance.choice(hands))
        if hand is None and chance.random() < 0.7:
            hand = made(chance, pack, many or chance.choice(SELDOM))
        hand = hand or pack[:5]
        chance.shuffle(hand)
        hands.append(hand)
        pack = [card for card in pack if card not in hand]
    chance.shuffle(hands)
    if record["options"].get("shuffle_method") == "manual_shoe":
        return [hand[turn] for turn in range(5) for hand in hands]
    return [card for hand in hands for card in hand]


def twin(chance: Random, pack: list[str], other: list[str]) -> list[str] | None:
    """The same ranks again, or with another odd card, in what suits there are."""
    ranks = [card[0] for card in other]
    odd = [at for at in range(5) if ranks.count(ranks[at]) == 1]
    if odd and chance.random() < 0.4:
        ranks[chance.choice(odd)] = chance.choice(FACES)
    suits = [chance.choice("shdc")] * 5 if len({card[1] for card in other}) == 1 else [""] * 5
    return picked(pack, [(rank, suit) for rank, suit in zip(ranks, suits, strict=True)])


def made(chance: Random, pack: list[str], kind: str) -> list[str] | None:
    """A hand of this kind from what is left, or nothing."""
    suit = chance.choice([card[1] for card in pack if card[0] == "A"] or ["s"])
    some = chance.sample(FACES, 5)
    a, b, c, d, _ = some
    low = chance.randrange(8)
    wishes: dict[str, Callable[[], list[tuple[str, str]]]] = {
        "royal": lambda: [(rank, suit) for rank in "TJQKA"],
        "steel": lambda: [(rank, suit) for rank in FACES[low : low + 5]],
        "wheel": lambda: [(rank, suit if low % 2 else "") for rank in "5432A"],
        "four": lambda: [(rank, "") for rank in (a, a, a, a, b)],
        "full": lambda: [(rank, "") for rank in (a, a, a, b, b)],
        "flush": lambda: [(rank, suit) for rank in some],
        "run": lambda: [(rank, "") for rank in FACES[low + 1 : low + 6]],
        "low run": lambda: [(rank, "") for rank in chance.choice(("5432A", "65432", "TJQKA", "QKA23", "98765"))],
        "three": lambda: [(rank, "") for rank in (a, a, a, b, c)],
        "two": lambda: [(rank, "") for rank in (a, a, b, b, c)],
        "pair": lambda: [(rank, "") for rank in (a, a, b, c, d)],
        "AK": lambda: [(rank, "") for rank in ("A", "K", *chance.sample("23456789TJQ", 3))],
        "AQ": lambda: [(rank, "") for rank in chance.choice(("AQJT9", "AQ987", "KQJT8", "A2346", "KQ432"))],
    }
    return picked(pack, wishes[kind]())


def picked(pack: list[str], wishes: list[tuple[str, str]]) -> list[str] | None:
    """The first cards of the pack that are as wished (any suit, if none is said); nothing, if one is not there."""
    hand: list[str] = []
    for rank, suit in wishes:
        found = [card for card in pack if card not in hand and card[0] == rank and card[1].startswith(suit)]
        if not found:
            return None
        hand.append(found[0])
    return hand


# ── Decisions ──

WORDS = ("hit", "stand", "match", "insurance", "void", "raise", "fold", "raise", "fold")


def decisions(chance: Random, deal: Deal) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    for box in deal.boxes:
        luck, bet = chance.random(), deal.antes[box]
        if luck < 0.75:
            item = {"by": bet["by"], "do": "raise"}
            if chance.random() < 0.3:
                item["amount"] = bet["amount"] * 2 if chance.random() < 0.7 else chance.choice((bet["amount"], 150, 0))
            items.append(item)
        elif luck < 0.87:
            items.append({"by": bet["by"], "do": "fold"})
    if chance.random() < 0.4:
        chance.shuffle(items)
    while chance.random() < 0.25:
        item = {"by": chance.choice(NAMES), "do": chance.choice(WORDS)}
        items.insert(chance.randrange(1 + len(items)), item)
    if chance.random() < 0.08:
        items.insert(chance.choice((0, chance.randrange(1 + len(items)))), {"by": "house", "do": "void"})
    return items
