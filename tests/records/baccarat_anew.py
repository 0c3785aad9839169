"""A second implementation of Baccarat's records, written from the rulebook alone and as plainly as it goes.

It shares nothing with the rules under test but the names of the format, so that both are wrong in the same way only by
chance.
"""

from __future__ import annotations

from math import lcm
from typing import Any

from .anew_reading import Knows, Spot, demand, either, flag, is_void, limits, read, told, whole

MAIN = ("player", "banker")
PAIRS = ("player_pair", "banker_pair")
SPOTS = (*MAIN, "tie", *PAIRS, "lucky_six")
EDITIONS = ("55/2004+83/2011", "55/2004", "55/2004+73/2005")

BANKER_DRAWS = {3: "012345679", 4: "234567", 5: "4567", 6: "67"}
"""By Banker's two cards: the values of Player's third card against which Banker draws."""


def fits(options: dict[str, Any], edition: str, given: dict[str, Any]) -> bool:
    """No option is older than its dispatch; and those of the shoe go together, unless there is none."""
    if edition == "55/2004" and options["commission_mode"] == "no_commission_six_half":
        return False
    if edition != EDITIONS[0] and (options["burn_mode"] == "fixed_n" or options["lucky_six"]):
        return False
    if options["dealing_device"] == "auto_machine":
        return True
    fixed = options["burn_mode"] == "fixed_n"
    return fixed == ("burn_fixed_n" in given) and bool(options["cut_card_depth"] < 52 * options["decks"])


BACCARAT = Knows(
    game="baccarat",
    editions=EDITIONS,
    options={
        "decks": (8, whole(6, 12)),
        "layouts": (1, whole(1, 2)),
        "seats": (7, whole(7)),
        "dealing_device": ("shoe", either("shoe", "auto_machine")),
        "cut_card_depth": (14, whole(12)),
        "burn_mode": ("by_decks", either("by_decks", "by_first_card", "fixed_n")),
        "burn_fixed_n": (None, whole(1, 8)),
        "burn_indicator": ("extra", either("extra", "counted")),
        "demo_rounds": (0, whole(0, 3)),
        "last_round_rule": ("current_is_last", either("current_is_last", "one_more_round")),
        "burn_each_round": (0, whole(0, 1)),
        "tie_policy": ("free", either("free", "no_move", "return", "no_reduce")),
        "pairs_enabled": (True, flag),
        "pair_requires_main": (True, flag),
        "imbalance_limit": (None, lambda value: value is None or whole()(value)),
        "hold_cards": (True, flag),
        "squeeze": (False, flag),
        "squeeze_seconds": (8, whole(5, 30)),
        "commission_mode": ("five_percent", either("five_percent", "no_commission_six_half")),
        "banker_multiple_of_min": (True, flag),
        "lucky_six": (False, flag),
        "min_bet": (0, limits(*SPOTS)),
        "max_bet": ({}, limits(*SPOTS)),
    },
    spots={spot: Spot(may_be_boxed=True, carries=spot in MAIN) for spot in SPOTS},
    fits=fits,
    seats=lambda options: int(options["seats"]),
    decks=lambda options: int(options["decks"]),
)


def value(card: str) -> int:
    return "A23456789".find(card[0]) + 1


def total(hand: list[str]) -> int:
    return sum(map(value, hand)) % 10


class Coup:
    """One round: what lies on the layout when betting closes, then what was dealt."""

    def __init__(self, record: Any) -> None:
        self.record = read(record, BACCARAT)
        self.o = self.record["options"]
        self.lying: list[dict[str, Any]] = []
        for bet in self.record["bets"]:
            if bet["carried"] and self.chips(bet) and self.on_the_layout(bet):
                self.lying.append(bet)
        for bet in self.record["bets"]:
            if not bet["carried"] and self.accepts(bet):
                self.lying.append(bet)
        if self.o["pair_requires_main"]:
            mains = {bet["by"] for bet in self.lying if bet["spot"] in (*MAIN, "tie")}
            self.lying = [bet for bet in self.lying if bet["spot"] not in PAIRS or bet["by"] in mains]
        self.left = {bet["id"]: int(bet["amount"]) for bet in self.lying}
        self.trim()
        self.accepted = [bet for bet in self.record["bets"] if bet["id"] in self.left]
        self.refused: list[Any] = [bet["id"] for bet in self.record["bets"] if bet["id"] not in self.left]

    # what may be laid

    def chips(self, bet: dict[str, Any]) -> bool:
        return bool(bet["amount"] > 0 and bet["amount"] % 100 == 0)

    def on_the_layout(self, bet: dict[str, Any]) -> bool:
        return bet["box"] is None or 1 <= bet["box"] <= self.o["seats"]

    def sold(self, spot: str) -> bool:
        if spot in PAIRS:
            return bool(self.o["pairs_enabled"])
        return bool(self.o["lucky_six"]) if spot == "lucky_six" else spot in SPOTS

    def limit(self, name: str, spot: str) -> int | None:
        limit: dict[str, int] | int = self.o[name]
        return limit.get(spot) if isinstance(limit, dict) else limit

    def accepts(self, bet: dict[str, Any]) -> bool:
        by, spot, amount = bet["by"], bet["spot"], bet["amount"]
        if not (self.sold(spot) and self.chips(bet)):
            return False
        if bet["box"] is not None and self.record["seats"].get(by) != bet["box"]:
            return False
        if self.legal(spot, amount) != amount:
            return False
        most = self.limit("max_bet", spot)
        there = sum(one["amount"] for one in self.lying if (one["by"], one["spot"]) == (by, spot))
        if most is not None and there + amount > most:
            return False
        if spot not in MAIN or self.o["imbalance_limit"] is None:
            return True
        before = self.more_on_banker({bet["id"]: bet["amount"] for bet in self.lying})
        after = before + (amount if spot == "banker" else -amount)
        return bool(abs(after) <= max(self.o["imbalance_limit"], abs(before)))

    def legal(self, spot: str, amount: int) -> int:
        """The largest stake up to this that may be laid: none if it is under the minimum."""
        least = self.limit("min_bet", spot) or 0
        multiple = spot == "banker" and least and self.o["banker_multiple_of_min"]
        amount -= amount % lcm(100, least if multiple else 1)
        return amount if amount >= least else 0

    def more_on_banker(self, amounts: dict[str, int]) -> int:
        return sum(
            amounts[bet["id"]] * (1 if bet["spot"] == "banker" else -1) for bet in self.lying if bet["spot"] in MAIN
        )

    def trim(self) -> None:
        """The heavier side loses what is too much: of the newest stake first, of what was carried last."""
        most = self.o["imbalance_limit"]
        if most is None:
            return
        oldest_first = [bet for bet in self.lying if bet["carried"]] + [bet for bet in self.lying if not bet["carried"]]
        while abs(more := self.more_on_banker(self.left)) > most:
            heavier = "banker" if more > 0 else "player"
            bet = [bet for bet in oldest_first if bet["spot"] == heavier and self.left[bet["id"]]][-1]
            rest = max(0, self.left[bet["id"]] - (abs(more) - most))
            self.left[bet["id"]] = self.legal(heavier, rest)

    # what is dealt

    def outcome(self) -> dict[str, Any]:
        cards, items = self.record["chance"], self.record["decisions"]
        for at, item in enumerate(items):
            if is_void(item):
                self.refused += range(at + 1, len(items))
                return self.told({"void": True}, {}, len(cards))
            self.refused.append(at)
        burnt = 0 if self.o["dealing_device"] == "auto_machine" else self.o["burn_each_round"]
        coming = iter(cards[burnt:])
        player, banker = self.dealt(coming)
        used = burnt + len(player) + len(banker)
        mine, theirs = total(player), total(banker)
        result = {
            "winner": "tie" if mine == theirs else "player" if mine > theirs else "banker",
            "player": mine,
            "banker": theirs,
            "player_pair": player[0][0] == player[1][0],
            "banker_pair": banker[0][0] == banker[1][0],
        }
        six = 0 if result["winner"] != "banker" or theirs != 6 else len(banker)
        return self.told(result, self.pays(result, six), used)

    def dealt(self, coming: Any) -> tuple[list[str], list[str]]:
        def card() -> str:
            found = next(coming, None)
            demand(found is not None)
            return str(found)

        player, banker = [card()], [card()]
        player.append(card())
        banker.append(card())
        if total(player) >= 8 or total(banker) >= 8:
            return player, banker
        if total(player) <= 5:
            player.append(card())
            draws = total(banker) <= 2 or str(value(player[2])) in BANKER_DRAWS.get(total(banker), "")
        else:
            draws = total(banker) <= 5
        if draws:
            banker.append(card())
        return player, banker

    def pays(self, result: dict[str, Any], six: int) -> dict[str, int]:
        """By spot that wins: what comes back of a stake of 100. `six` counts the cards of a Banker that won with 6."""
        winner = result["winner"]
        back = {"tie": 900} if winner == "tie" else {"player": 200} if winner == "player" else {"banker": 195}
        if winner == "banker" and self.o["commission_mode"] == "no_commission_six_half":
            back["banker"] = 150 if six else 200
        if six:
            back["lucky_six"] = 1300 if six == 2 else 2100
        return back | {pair: 1200 for pair in PAIRS if result[pair]}

    def told(self, result: dict[str, Any], pays: dict[str, int], used: int) -> dict[str, Any]:
        paid = []
        for bet in self.accepted:
            left, stays = self.left[bet["id"]], 0
            back = bet["amount"] - left
            if "void" in result:
                back, stays = (back, left) if bet["carried"] else (bet["amount"], 0)
            elif result["winner"] == "tie" and bet["spot"] in MAIN:
                back, stays = (back + left, 0) if self.o["tie_policy"] == "return" else (back, left)
            else:
                back += left * pays.get(bet["spot"], 0) // 100
            paid.append((bet, back, stays))
        return told(result, paid, self.refused, used)


def anew(record: Any) -> dict[str, Any]:
    return Coup(record).outcome()
