"""A second implementation of Blackjack's records, written from the rulebook alone and as plainly as it goes.

It shares nothing with the rules under test but the names of the format, so that both are wrong in the same way only by
chance. One function a phase, one mutable table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .anew_reading import Unplayable

DEFAULTS: dict[str, Any] = {
    "boxes": 7, "decks": 6, "dealing_device": "shoe", "max_boxes_per_player": 3, "round_burn": "none",
    "deal_procedure": 2, "double_loss_on_bank_blackjack": "original_only", "insurance_max_fraction": "1/2",
    "side_bets_offered": ["any_pair", "sevens", "over_under_13"], "one_side_bet_only": True,
    "any_pair_after_split": "every_pair", "special_prize_offered": True, "special_prize_mode": "final",
    "max_split_hands": 4, "resplit_allowed": True, "resplit_aces": False, "split_rank_rule": "same_rank",
    "double_rule": "any_two", "five_card_claim_offered": True, "shared_box_rule": "seated_or_nearest",
    "max_bettors_per_box": 3, "surrender_timing": "before_any_draw", "split_loss_on_bank_blackjack": "all",
    "min_bet": 100, "max_bet": {},
}  # fmt: skip

TYPES = {"any_pair": "any_pair", "sevens": "sevens", "over_13": "over_under_13", "under_13": "over_under_13"}


class Voided(Exception):  # noqa: N818 (the field's words, here and below)
    """The house has voided the round."""


class No(Exception):  # noqa: N818
    """Refused."""


def pips(card: str) -> int:
    return 1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])


def total(hand: list[str]) -> int:
    hard = sum(map(pips, hand))
    return hard + 10 if hard <= 11 and any(card[0] == "A" for card in hand) else hard


def natural(hand: list[str]) -> bool:
    return len(hand) == 2 and total(hand) == 21


@dataclass
class Lying:
    """One bettor's stake on one hand."""

    bet: str
    base: int
    doubled: int = 0
    open: bool = True


@dataclass
class Hand:
    cards: list[str]
    stakes: dict[str, Lying]
    split: bool = False
    done: bool = False


@dataclass
class Box:
    order: list[str]  # who decides, who next, …
    mains: dict[str, str]
    hands: list[Hand] = field(default_factory=list)
    acted: bool = False
    surrendered: bool = False
    dealt: list[str] = field(default_factory=list)  # every card of the box as it came
    pairs: int = 0


Source = Callable[["Table"], "dict[str, Any] | None"]


class Table:
    """One round; `more` may invent the next decision while it is played (it is then added to `record`)."""

    def __init__(self, record: dict[str, Any], more: Source | None = None) -> None:
        self.record = record
        self.more = more
        given = record.get("options", {})
        self.o = DEFAULTS | given
        self.seats = record.get("seats", {})
        self.used = 0
        self.at = 0
        self.refused: list[Any] = []
        self.staked: dict[str, int] = {}
        self.back: dict[str, int] = {}  # bet -> cents
        self.laid: dict[str, int] = {}  # bet -> cents
        self.bets: list[dict[str, Any]] = []
        self.boxes: dict[int, Box] = {}
        self.bank: list[str] = []
        self.insured: dict[tuple[str, int], int] = {}
        self.phase = ""
        self.strict = True

    # ── Bets ──

    def limit(self, name: str, spot: str) -> int | None:
        limit: dict[str, int] | int = self.o[name]
        return limit.get(spot) if isinstance(limit, dict) else limit

    def bet(self, bet: dict[str, Any]) -> None:
        spot, by, amount, box = bet["spot"], bet["by"], bet["amount"], bet.get("box", 0)
        if spot != "main" and (spot not in TYPES or TYPES[spot] not in self.o["side_bets_offered"]):
            raise No
        if not 1 <= box <= self.o["boxes"] or amount <= 0 or amount % 100:
            raise No
        least, most = self.limit("min_bet", spot), self.limit("max_bet", spot)
        if (least is not None and amount < least) or (most is not None and amount > most):
            raise No
        mine = [b for b in self.bets if b["by"] == by]
        here = [b for b in mine if b["box"] == box]
        if any(b["spot"] == spot for b in here):
            raise No
        if spot == "main":
            if len([b for b in self.bets if b["spot"] == "main" and b["box"] == box]) >= self.o["max_bettors_per_box"]:
                raise No
            if len([b for b in mine if b["spot"] == "main"]) >= self.o["max_boxes_per_player"]:
                raise No
        else:
            sides = {TYPES[b["spot"]] for b in here if b["spot"] != "main"}
            if TYPES[spot] in sides or (self.o["one_side_bet_only"] and sides):
                raise No
        self.bets.append(bet)

    def close(self) -> None:
        for bet in self.record["bets"]:
            try:
                self.bet(bet)
            except No:
                self.refused.append(bet["id"])
        mains = [b for b in self.bets if b["spot"] == "main"]
        for bet in self.bets[:]:
            if bet["spot"] != "main" and not (
                any(b["by"] == bet["by"] for b in mains) and any(b["box"] == bet["box"] for b in mains)
            ):
                self.bets.remove(bet)
                self.refused.append(bet["id"])
        ids = [b["id"] for b in self.record["bets"]]
        self.refused.sort(key=ids.index)
        for bet in self.bets:
            self.lay(bet["by"], bet["id"], bet["amount"])
        for number in sorted({b["box"] for b in mains}):
            here = [b for b in mains if b["box"] == number]
            sits = {b["by"]: self.seats.get(b["by"]) == number for b in here}
            if self.o["shared_box_rule"] == "highest_stake_decides":
                here_sorted = sorted(here, key=lambda b: (-b["amount"], not sits[b["by"]]))
            else:
                here_sorted = sorted(here, key=lambda b: not sits[b["by"]])
            stakes = {b["by"]: Lying(b["id"], b["amount"]) for b in here}
            self.boxes[number] = Box(
                [b["by"] for b in here_sorted], {b["by"]: b["id"] for b in here}, [Hand([], stakes)]
            )

    def lay(self, by: str, bet: str, amount: int) -> None:
        self.staked[by] = self.staked.get(by, 0) + amount
        self.laid[bet] = self.laid.get(bet, 0) + amount
        self.back.setdefault(bet, 0)

    def pay(self, lying: Lying, back: int) -> None:
        self.back[lying.bet] += back
        lying.open = False

    # ── Chance and decisions ──

    def card(self) -> str:
        if self.used == len(self.record["chance"]):
            raise Unplayable("too few cards")
        self.used += 1
        return str(self.record["chance"][self.used - 1])

    def peek(self) -> dict[str, Any] | None:
        items = self.record["decisions"]
        if self.at == len(items):
            if self.more is None:
                return None
            invented = self.more(self)
            if invented is None:
                self.more = None
                return None
            items.append(invented)
        item: dict[str, Any] = items[self.at]
        if item["do"] == "void" and item["by"] == "house":
            self.at += 1
            raise Voided
        return item

    def take(self, legal: Callable[[dict[str, Any]], None]) -> None:
        item = self.record["decisions"][self.at]
        self.at += 1
        try:
            legal(item)
        except No:
            self.refused.append(self.at - 1)

    def refuse(self) -> None:
        self.refused.append(self.at)
        self.at += 1

    # ── The round ──

    def outcome(self) -> dict[str, Any]:
        self.close()
        try:
            if not self.boxes:
                raise Voided
            if self.record["decisions"] and self.first_is_void():
                raise Voided
            self.deal()
            self.window()
            self.turns()
            self.finish_list()
        except Voided:
            return self.voided()
        self.bank_plays()
        self.settle()
        result = {
            "bank": self.bank,
            "bank_total": total(self.bank),
            "bank_blackjack": natural(self.bank),
            "boxes": {str(number): [hand.cards for hand in box.hands] for number, box in self.boxes.items()},
        }
        return self.told(result, self.used)

    def first_is_void(self) -> bool:
        item = self.record["decisions"][0]
        if item["do"] == "void" and item["by"] == "house":
            self.at = 1
            return True
        return False

    def told(self, result: dict[str, Any], used: int) -> dict[str, Any]:
        returned = dict.fromkeys(self.staked, 0)
        for bet in self.bets:
            returned[bet["by"]] += self.back[bet["id"]]
        return {
            "result": result,
            "bets": [{"id": b["id"], "returned": self.back[b["id"]], "carried": 0} for b in self.bets],
            "staked": self.staked,
            "returned": returned,
            "refused": self.refused,
            "chance_used": used,
        }

    def voided(self) -> dict[str, Any]:
        self.back = dict(self.laid)
        items = self.record["decisions"]
        if not self.boxes:
            seen = False
            for at, item in enumerate(items):
                if item["do"] == "void" and item["by"] == "house" and not seen:
                    seen = True
                else:
                    self.refused.append(at)
            return self.told({"void": True}, 0)
        self.refused += range(self.at, len(items))
        return self.told({"void": True}, len(self.record["chance"]))

    def deal(self) -> None:
        fresh = self.o["decks"] == 1 and self.o["dealing_device"] != "auto_shuffler"
        if self.o["round_burn"] != "none" and not self.record.get("first_round", False) and not fresh:
            self.card()
        for turn in range(2):
            for box in self.boxes.values():
                self.give(box, box.hands[0])
            if turn == 0 or self.o["dealing_device"] == "metal_box":
                self.bank.append(self.card())
        for box in self.boxes.values():
            first = box.hands[0].cards
            box.pairs = 1 if first[0][0] == first[1][0] else 0
            if natural(first):
                box.hands[0].done = True

    def give(self, box: Box, hand: Hand) -> None:
        card = self.card()
        hand.cards.append(card)
        box.dealt.append(card)

    @property
    def shows(self) -> str:
        return self.bank[0][0]

    # ── Early window ──

    def window(self) -> None:
        self.phase = "window"
        while (item := self.peek()) is not None:
            match item["do"]:
                case "insurance":
                    self.take(self.insurance)
                case "even_money":
                    self.take(self.even_money)
                case "surrender" if self.o["surrender_timing"] == "before_any_draw":
                    self.take(self.surrender)
                case _:
                    break
        if self.shows in "23456789":
            for box in self.boxes.values():
                hand = box.hands[0]
                if natural(hand.cards):
                    for lying in hand.stakes.values():
                        self.pay(lying, lying.base * 5 // 2)

    def own(self, item: dict[str, Any]) -> tuple[Box, Lying]:
        box = self.boxes.get(item.get("box", 0))
        if box is None or item["by"] not in box.mains or item.get("hand", 0) != 0:
            raise No
        lying = box.hands[0].stakes[item["by"]]
        if not lying.open:
            raise No
        return box, lying

    def insurance(self, item: dict[str, Any]) -> None:
        _, lying = self.own(item)
        key = (item["by"], item["box"])
        amount = item.get("amount")
        if self.shows != "A" or key in self.insured or amount is None:
            raise No
        if not Fraction(lying.base, 2) <= amount <= lying.base * Fraction(self.o["insurance_max_fraction"]):
            raise No
        self.insured[key] = amount
        self.lay(item["by"], lying.bet, amount)

    def even_money(self, item: dict[str, Any]) -> None:
        box, lying = self.own(item)
        if self.shows not in "ATJQK" or not natural(box.hands[0].cards) or (item["by"], item["box"]) in self.insured:
            raise No
        self.pay(lying, 2 * lying.base)

    def surrender(self, item: dict[str, Any]) -> None:
        box, _ = self.own(item)
        if self.shows == "A" or box.surrendered or item["by"] != self.decider(box, box.hands[0]):
            raise No
        if natural(box.hands[0].cards) and self.shows in "23456789":
            raise No
        box.surrendered = True
        box.hands[0].done = True
        for other in box.hands[0].stakes.values():
            if other.open:
                self.pay(other, other.base // 2)

    def decider(self, box: Box, hand: Hand) -> str | None:
        return next((who for who in box.order if who in hand.stakes and hand.stakes[who].open), None)

    # ── Turns ──

    def current(self) -> tuple[int, int] | None:
        for number, box in self.boxes.items():
            for at, hand in enumerate(box.hands):
                if not hand.done:
                    return number, at
        return None

    def turns(self) -> None:
        self.phase = "turns"
        while (place := self.current()) is not None:
            box, hand = self.boxes[place[0]], self.boxes[place[0]].hands[place[1]]
            if len(hand.cards) == 1:
                self.second(box, hand)
                continue
            item = self.peek()
            if item is None:
                hand.done = True
                continue
            target = (item.get("box", 0), item.get("hand", 0))
            there = self.boxes.get(target[0])
            if there is None or not 0 <= target[1] < len(there.hands) or there.hands[target[1]].done:
                self.refuse()
            elif target != place:
                hand.done = True
            else:
                self.take(self.act)

    def second(self, box: Box, hand: Hand) -> None:
        self.give(box, hand)
        if hand.cards[0][0] == hand.cards[1][0]:
            box.pairs += 1
        only_one = hand.cards[0][0] == "A" and not self.may_split(box, hand)
        hand.done = only_one or total(hand.cards) == 21

    def may_split(self, box: Box, hand: Hand) -> bool:
        if len(hand.cards) != 2 or len(box.hands) >= self.o["max_split_hands"]:
            return False
        one, two = hand.cards
        if one[0] != two[0] and not (self.o["split_rank_rule"] == "same_value" and pips(one) == pips(two)):
            return False
        if hand.split:
            return bool(self.o["resplit_aces"] if one[0] == "A" else self.o["resplit_allowed"])
        return True

    def claimable(self, hand: Hand) -> bool:
        return (
            len(hand.cards) == 5
            and total(hand.cards) <= 21
            and bool(self.o["five_card_claim_offered"])
            and self.shows != "A"
        )

    def act(self, item: dict[str, Any]) -> None:
        box, at, by = self.boxes[item["box"]], item.get("hand", 0), item["by"]
        hand = box.hands[at]
        if item["do"] == "claim_five_cards":
            lying = hand.stakes.get(by)
            if lying is None or not lying.open or not self.claimable(hand):
                raise No
            self.pay(lying, (lying.base + lying.doubled) * 3 // 2)
            box.acted = True
            if not any(lying.open for lying in hand.stakes.values()):
                hand.done = True
            return
        if by != self.decider(box, hand):
            raise No
        split_ace = hand.split and hand.cards[0][0] == "A"
        match item["do"]:
            case "stand":
                hand.done = True
            case "hit":
                if total(hand.cards) >= 21 or split_ace:
                    raise No
                self.draw(box, hand)
            case "double":
                if len(hand.cards) != 2 or total(hand.cards) >= 21 or split_ace:
                    raise No
                if self.o["double_rule"] == "eleven_only" and (total(hand.cards) != 11 or hand.split):
                    raise No
                for who in (by, *self.matching(box, at, hand, by)):
                    lying = hand.stakes[who]
                    lying.doubled = lying.base
                    self.lay(who, lying.bet, lying.base)
                self.draw(box, hand)
                hand.done = True
            case "split":
                if not self.may_split(box, hand):
                    raise No
                new = Hand([hand.cards.pop()], {}, split=True)
                hand.split = True
                for who in (by, *self.matching(box, at, hand, by)):
                    lying = hand.stakes[who]
                    new.stakes[who] = Lying(lying.bet, lying.base)
                    self.lay(who, lying.bet, lying.base)
                box.hands.insert(at + 1, new)
                self.second(box, hand)
            case "surrender":
                untouched = not box.acted and len(box.hands) == 1 and len(hand.cards) == 2
                if self.o["surrender_timing"] != "own_first_decision" or not untouched:
                    raise No
                self.surrender(item)
                return
            case _:
                raise No
        box.acted = True

    def matching(self, box: Box, at: int, hand: Hand, decider: str) -> list[str]:
        """Who follows: the items right after this one."""
        asked = {who for who, lying in hand.stakes.items() if who != decider and lying.open}
        follow: list[str] = []
        self.phase = "offer"
        number = next(n for n, other in self.boxes.items() if other is box)
        while asked:
            item = self.peek_match()
            if item is None or item["do"] != "match":
                break
            if (item.get("box", 0), item.get("hand", 0)) == (number, at) and item["by"] in asked:
                asked.remove(item["by"])
                follow.append(item["by"])
                self.at += 1
            else:
                self.refuse()
        self.phase = "turns"
        return follow

    def peek_match(self) -> dict[str, Any] | None:
        """A void in an offer stands after the card that is owed: it ends the offer like any other item."""
        try:
            return self.peek()
        except Voided:
            self.at -= 1
            return None

    def draw(self, box: Box, hand: Hand) -> None:
        self.give(box, hand)
        if total(hand.cards) > 21:
            hand.done = True
            for lying in hand.stakes.values():
                lying.open = False
            return
        if len(hand.cards) == 3 and self.o["special_prize_offered"] and special(hand.cards):
            hand.done = True
            for lying in hand.stakes.values():
                amount = lying.base + lying.doubled
                if self.o["special_prize_mode"] == "final":
                    self.pay(lying, 4 * amount)
                else:
                    self.back[lying.bet] += 3 * amount
        elif total(hand.cards) == 21 and not self.claimable(hand):
            hand.done = True

    def finish_list(self) -> None:
        while self.peek() is not None:
            self.refuse()

    # ── The bank ──

    def bank_plays(self) -> None:
        mains = any(lying.open for box in self.boxes.values() for hand in box.hands for lying in hand.stakes.values())
        if not mains and not self.insured:
            return
        if len(self.bank) == 1:
            if self.o["round_burn"] == "each_following_round_and_before_bank_second":
                self.card()
            self.bank.append(self.card())
        while mains and total(self.bank) <= 16:
            self.bank.append(self.card())

    def settle(self) -> None:
        bank_natural = natural(self.bank)
        for (by, number), amount in self.insured.items():
            if bank_natural:
                self.back[self.boxes[number].mains[by]] += 3 * amount
        for box in self.boxes.values():
            originals: dict[str, Hand] = {}
            for hand in box.hands:
                if total(hand.cards) <= 21:
                    for who in hand.stakes:
                        originals.setdefault(who, hand)
            for hand in box.hands:
                for who, lying in hand.stakes.items():
                    if lying.open:
                        self.pay(lying, self.due(hand, lying, originals.get(who) is hand, bank_natural))
        for bet in self.bets:
            if bet["spot"] != "main":
                self.back[bet["id"]] = self.side(bet["spot"], bet["amount"], self.boxes[bet["box"]])

    def due(self, hand: Hand, lying: Lying, original: bool, bank_natural: bool) -> int:
        own = natural(hand.cards) and not hand.split
        if bank_natural:
            if own:
                return lying.base
            back = 0
            if hand.split and not original and self.o["split_loss_on_bank_blackjack"] == "original_only":
                back += lying.base
            if self.o["double_loss_on_bank_blackjack"] == "original_only":
                back += lying.doubled
            return back
        if own:
            return lying.base * 5 // 2
        mine, banks, amount = total(hand.cards), total(self.bank), lying.base + lying.doubled
        if banks > 21 or mine > banks:
            return 2 * amount
        return amount if mine == banks else 0

    def side(self, spot: str, amount: int, box: Box) -> int:
        one, two = box.dealt[0], box.dealt[1]
        match spot:
            case "over_13" | "under_13":
                value = pips(one) + pips(two)
                return 2 * amount if (value > 13 if spot == "over_13" else value < 13) else 0
            case "any_pair":
                if one[0] != two[0]:
                    return 0
                return amount + 11 * amount * (box.pairs if self.o["any_pair_after_split"] == "every_pair" else 1)
            case _:
                sevens = box.dealt[:3] if len(box.dealt) > 2 and box.dealt[2][0] == "7" else [one, two]
                if not (one[0] == two[0] == "7"):
                    return 0
                suited = len({card[1] for card in sevens}) == 1
                odds = {(2, False): 50, (2, True): 150, (3, False): 500, (3, True): 5000}[len(sevens), suited]
                return amount * (odds + 1)


def special(cards: list[str]) -> bool:
    ranks = sorted(card[0] for card in cards)
    return ranks == ["7", "7", "7"] or (ranks == ["6", "7", "8"] and len({card[1] for card in cards}) == 1)


def anew(record: Any) -> dict[str, Any]:
    return Table(record).outcome()
