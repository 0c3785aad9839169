"""A second implementation of Stud Poker's records, written from the rulebook alone and as plainly as it goes.

It shares nothing with the rules under test but the names of the format, so that both are wrong in the same way only by
chance.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from .anew_reading import Knows, Spot, demand, either, flag, is_void, read, share, whole

SUMS = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush")
"""The hands that win the jackpot."""


def fits(options: dict[str, Any], edition: str, given: dict[str, Any]) -> bool:
    if edition == "69/2003":
        options["royal_flush_odds"] = given.get("royal_flush_odds", 50)
        if options["royal_flush_odds"] != 50:
            return False
    return bool(
        options["raise_payout_cap"] >= 7 * 2 * options["max_ante"] and options["min_ante"] <= options["max_ante"]
    )


def chips(value: Any) -> bool:
    """Stakes are in whole dollars."""
    return whole(100)(value) and value % 100 == 0


STUD_POKER = Knows(
    game="stud_poker",
    editions=("61/2004", "69/2003"),
    options={
        "royal_flush_odds": (100, whole(50, 100)),
        "raise_payout_cap": (500_000_00, whole()),
        "shuffle_method": ("shuffler", either("shuffler", "manual_shoe")),
        "jackpot_fixed_royal_flush": (500_000_00, whole()),
        "jackpot_fixed_straight_flush": (50_000_00, whole()),
        "jackpot_fixed_four_of_a_kind": (12_500_00, whole()),
        "jackpot_fixed_full_house": (2_500_00, whole()),
        "jackpot_fixed_flush": (1_250_00, whole()),
        "jackpot_minimum": (500_000_00, whole()),
        "jackpot_stake": (25_00, chips),
        "jackpot_contribution": ("7/10", lambda value: share(value) and Fraction(value) <= 1),
        "fixed_prizes_reduce_pool": (True, flag),
        "min_ante": (100_00, chips),
        "max_ante": (10_000_00, chips),
        "decision_mode": ("simultaneous", either("simultaneous", "in_turn")),
        "timeout_action": ("fold", either("fold")),
    },
    spots={"ante": Spot(boxed=True), "jackpot": Spot(boxed=True, carries=True)},
    fits=fits,
    seats=lambda options: 7,
    decks=lambda options: 1,
    jackpot=True,
)

# ── Hands ──

HANDS = (
    *("five_odd_cards", "one_pair", "two_pairs", "three_of_a_kind", "straight"),
    *("flush", "full_house", "four_of_a_kind", "straight_flush", "royal_flush"),
)
ODDS = {"two_pairs": 2, "three_of_a_kind": 3, "straight": 4, "flush": 5, "full_house": 7}
ODDS |= {"four_of_a_kind": 20, "straight_flush": 50}


def worth(hand: list[str]) -> tuple[Any, ...]:
    """How high a hand stands: its category, then the keys of the rulebook, then the suit."""
    faces = sorted(("23456789TJQKA".index(card[0]) + 2 for card in hand), reverse=True)
    suit_of = {("23456789TJQKA".index(card[0]) + 2): "dchs".index(card[1]) for card in hand}
    count = Counter(faces)
    groups = sorted(count, key=lambda face: (-count[face], -face))
    shape = "".join(str(count[face]) for face in groups)
    one_suit = len({card[1] for card in hand}) == 1
    top = None
    if shape == "11111" and faces[0] - faces[4] == 4:
        top = faces[0]
    if faces == [14, 5, 4, 3, 2]:
        top = 5
    in_pair = max(
        ("dchs".index(card[1]) for card in hand if "23456789TJQKA".index(card[0]) + 2 == groups[0]), default=0
    )

    def tells(name: str, *keys: int) -> tuple[Any, ...]:
        return HANDS.index(name), keys

    if top is not None and one_suit:
        if top == 14:
            return tells("royal_flush", suit_of[14])
        return tells("straight_flush", top, suit_of[top])
    if shape == "41":
        return tells("four_of_a_kind", groups[0])
    if shape == "32":
        return tells("full_house", groups[0])
    if one_suit:
        return tells("flush", *faces, suit_of[faces[0]])
    if top is not None:
        return tells("straight", top, suit_of[top])
    if shape == "311":
        return tells("three_of_a_kind", groups[0])
    if shape == "221":
        return tells("two_pairs", *groups, in_pair)
    if shape == "2111":
        return tells("one_pair", *groups, in_pair)
    return tells("five_odd_cards", *faces, suit_of[faces[0]])


def named(hand: list[str]) -> str:
    return HANDS[worth(hand)[0]]


def qualifies(hand: list[str]) -> bool:
    return named(hand) != "five_odd_cards" or {"A", "K"} <= {card[0] for card in hand}


# ── The round ──


class Deal:
    """One round: whose boxes are staked, then what they hold, then what they did."""

    def __init__(self, record: Any) -> None:
        self.record = read(record, STUD_POKER)
        self.o = self.record["options"]
        self.refused: list[Any] = []
        self.antes: dict[int, dict[str, Any]] = {}  # box -> bet
        self.jackpots: dict[int, dict[str, Any]] = {}
        self.did: dict[int, str] = {}
        self.bets()
        self.boxes = sorted(self.antes)
        self.live = {bet["by"]: box for box, bet in self.antes.items()}

    def bets(self) -> None:
        """Carried stakes lie there first, then each bet as it was placed; the conditions are looked at in the end."""
        lies = {"ante": self.antes, "jackpot": self.jackpots}
        for bet in sorted(self.record["bets"], key=lambda bet: not bet["carried"]):
            if self.takes(bet, lies.get(bet["spot"])):
                lies[bet["spot"]][bet["box"]] = bet
        for box in set(self.jackpots) - set(self.antes):
            if not self.jackpots[box]["carried"]:
                del self.jackpots[box]
        taken = [bet["id"] for spot in lies.values() for bet in spot.values()]
        self.accepted = [bet for bet in self.record["bets"] if bet["id"] in taken]
        self.refused += [bet["id"] for bet in self.record["bets"] if bet["id"] not in taken]

    def takes(self, bet: dict[str, Any], there: dict[int, dict[str, Any]] | None) -> bool:
        amount, box = bet["amount"], bet["box"]
        if there is None or box in there or not 1 <= box <= 7 or amount <= 0 or amount % 100:
            return False
        if bet["carried"]:
            return bet["by"] not in {one["by"] for one in there.values()}
        if self.record["seats"].get(bet["by"]) != box:
            return False
        if bet["spot"] == "ante":
            return bool(self.o["min_ante"] <= amount <= self.o["max_ante"])
        return amount == self.o["jackpot_stake"] and bet["by"] not in {one["by"] for one in there.values()}

    def outcome(self) -> dict[str, Any]:
        items = self.record["decisions"]
        if not self.boxes:
            seen = False
            for at, item in enumerate(items):
                if is_void(item) and not seen:
                    seen = True
                else:
                    self.refused.append(at)
            return self.voided(0)
        if items and is_void(items[0]):
            self.refused += range(1, len(items))
            return self.voided(len(self.record["chance"]))
        demand(len(self.record["chance"]) >= 5 * (len(self.boxes) + 1))
        for at, item in enumerate(items):
            if is_void(item):
                self.refused += range(at + 1, len(items))
                return self.voided(len(self.record["chance"]))
            if not self.decides(item):
                self.refused.append(at)
        return self.settled()

    def decides(self, item: dict[str, Any]) -> bool:
        box = self.live.get(item["by"])
        if box is None or box in self.did:
            return False
        if self.o["decision_mode"] == "in_turn":
            for earlier in self.boxes:
                if earlier < box:
                    self.did.setdefault(earlier, "fold")
        if item["do"] not in ("raise", "fold"):
            return False
        if item["do"] == "raise" and item["amount"] not in (None, 2 * self.antes[box]["amount"]):
            return False
        self.did[box] = item["do"]
        return True

    def raised(self, box: int) -> int:
        return 2 * int(self.antes[box]["amount"]) if self.did.get(box) == "raise" else 0

    def hands(self) -> tuple[dict[int, list[str]], list[str]]:
        """What was dealt to each staked box, and to the dealer."""
        places, cards = len(self.boxes) + 1, self.record["chance"]
        if self.o["shuffle_method"] == "manual_shoe":
            dealt = [cards[at : 5 * places : places] for at in range(places)]
        else:
            dealt = [cards[5 * at : 5 * at + 5] for at in range(places)]
        return dict(zip(self.boxes, dealt, strict=False)), dealt[-1]

    def told(self, result: dict[str, Any], back: dict[str, int], carried: dict[str, int], used: int) -> dict[str, Any]:
        staked: dict[str, int] = {}
        returned: dict[str, int] = {}
        for bet in self.accepted:
            by = bet["by"]
            fresh = 0 if bet["carried"] else bet["amount"]
            more = self.raised(bet["box"]) if bet["spot"] == "ante" else 0
            staked[by] = staked.get(by, 0) + fresh + more
            returned[by] = returned.get(by, 0) + back.get(bet["id"], 0)
        return {
            "result": result,
            "bets": [
                {"id": bet["id"], "returned": back.get(bet["id"], 0), "carried": carried.get(bet["id"], 0)}
                for bet in self.accepted
            ],
            "staked": staked,
            "returned": returned,
            "refused": self.refused,
            "chance_used": used,
        }

    def voided(self, used: int) -> dict[str, Any]:
        back = {bet["id"]: bet["amount"] + self.raised(box) for box, bet in self.antes.items()}
        stays = {bet["id"]: bet["amount"] for bet in self.jackpots.values()}
        return self.told({"void": True}, back, stays, used)

    def settled(self) -> dict[str, Any]:
        hands, dealer = self.hands()
        back = {}
        for box, bet in self.antes.items():
            back[bet["id"]] = self.main(bet["amount"], hands[box], dealer) if self.raised(box) else 0
        prizes, result = self.jackpot(hands)
        stays: dict[str, int] = {}
        for bet in self.jackpots.values():
            if bet["by"] not in self.live:
                stays[bet["id"]] = bet["amount"]
            else:
                back[bet["id"]] = prizes.get(self.live[bet["by"]], 0)
        boxes = {str(box): named(hands[box]) if self.raised(box) else "folded" for box in self.boxes}
        told = {"qualifies": qualifies(dealer), "dealer": named(dealer), "boxes": boxes, "jackpot": result}
        return self.told(told, back, stays, 5 * (len(self.boxes) + 1))

    def main(self, ante: int, hand: list[str], dealer: list[str]) -> int:
        """What comes back of the ante and of the raise."""
        if not qualifies(dealer):
            return 2 * ante + 2 * ante
        if worth(hand) < worth(dealer):
            return 0
        name = named(hand)
        odds = self.o["royal_flush_odds"] if name == "royal_flush" else ODDS.get(name, 1)
        won = odds * 2 * ante
        if name in ("four_of_a_kind", "straight_flush", "royal_flush"):
            won = min(won, self.o["raise_payout_cap"])
        return int(2 * ante + 2 * ante + won)

    def jackpot(self, hands: dict[int, list[str]]) -> tuple[dict[int, int], dict[str, Any]]:
        """Section 5, step by step: what each box gets, and what is told of it."""
        opening = self.record["pool"]
        of_each = Fraction(self.o["jackpot_contribution"])
        for bet in self.jackpots.values():
            if not bet["carried"]:
                opening += int(bet["amount"] * of_each)
        in_it = {self.live[bet["by"]] for bet in self.jackpots.values() if bet["by"] in self.live}
        holds = {box: named(hands[box]) for box in self.boxes if box in in_it and self.raised(box)}
        prizes = {}
        for box, name in holds.items():
            if name in SUMS:
                prizes[box] = self.o[f"jackpot_fixed_{name}"]
            if name == "straight_flush":
                prizes[box] = max(prizes[box], opening // 10)
        royals = [box for box, name in holds.items() if name == "royal_flush"]
        if royals:
            straight = sum(prizes[box] for box, name in holds.items() if name == "straight_flush")
            total = max(self.o["jackpot_fixed_royal_flush"], opening - straight)
            for at, box in enumerate(royals):
                prizes[box] = total // len(royals) + (1 if at < total % len(royals) else 0)
        taken = sum(
            prize
            for box, prize in prizes.items()
            if self.o["fixed_prizes_reduce_pool"] or holds[box] in ("royal_flush", "straight_flush")
        )
        closing = opening - taken
        if closing <= 0:
            closing = self.o["jackpot_minimum"]
        by_name = {self.antes[box]["by"]: prize for box, prize in prizes.items()}
        return prizes, {"opening": opening, "closing": closing, "prizes": by_name}


def anew(record: Any) -> dict[str, Any]:
    return Deal(record).outcome()
