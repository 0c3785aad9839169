"""A second implementation of 3-Card Baccarat's records, written from the rulebook alone and as plainly as it goes.

It shares nothing with the rules under test but the names of the format, so that both are wrong in the same way only by
chance.
"""

from __future__ import annotations

from typing import Any

from .anew_reading import Knows, Spot, demand, either, flag, is_void, limits, read, told, whole

POINTS = tuple(f"points_{number}" for number in range(10))
SPOTS = ("place", "tie", "odd", "even", "three_figures", *POINTS)


def fits(options: dict[str, Any], edition: str, given: dict[str, Any]) -> bool:
    """The round must be dealt in full from what lies behind the white card; from the box, from what there is."""
    room = 52 if options["decks"] == 1 else options["white_card_depth"]
    return bool(1 + 3 * (options["player_places"] + 1) <= room)


THREE_CARD_BACCARAT = Knows(
    game="three_card_baccarat",
    editions=("22/96/M",),
    options={
        "decks": (6, whole(1, 8)),
        "player_places": (7, whole(1)),
        "white_card_depth": (30, whole(30, 40)),
        "deal_style": ("one_by_one", either("one_by_one", "three_at_once")),
        "reshuffle_every_round": (False, flag),
        "standing_bets": (False, flag),
        "odd_even_enabled": (True, flag),
        "numbers_enabled": (True, flag),
        "tie_enabled": (True, flag),
        "min_bet": (0, limits(*SPOTS)),
        "max_bet": ({}, limits(*SPOTS)),
    },
    spots={
        **{spot: Spot() for spot in SPOTS},
        "place": Spot(boxed=True, carries=True),
        "tie": Spot(boxed=True),
        "odd": Spot(carries=True),
        "even": Spot(carries=True),
    },
    fits=fits,
    seats=lambda options: int(options["player_places"]),
    decks=lambda options: int(options["decks"]),
)


def points(hand: list[str]) -> int:
    return sum("A23456789".find(card[0]) + 1 for card in hand) % 10


def rank(hand: list[str]) -> int:
    """The number in the annex: 1 is best."""
    courts = sum(card[0] in "JQK" for card in hand)
    if courts == 3:
        return 1
    return 2 + 3 * (9 - points(hand)) + (2 - courts)


class Deal:
    """One round: what lies where when betting closes, then what was dealt."""

    def __init__(self, record: Any) -> None:
        self.record = read(record, THREE_CARD_BACCARAT)
        self.o = self.record["options"]
        self.refused: list[Any] = []
        self.lying: list[dict[str, Any]] = []
        for bet in self.record["bets"]:
            if bet["carried"] and self.chips(bet) and self.on_the_layout(bet):
                self.lying.append(bet)
        for bet in self.record["bets"]:
            if not bet["carried"] and self.accepts(bet):
                self.lying.append(bet)
        self.close()
        accepted = [bet["id"] for bet in self.lying]
        self.accepted = [bet for bet in self.record["bets"] if bet["id"] in accepted]
        self.refused = [bet["id"] for bet in self.record["bets"] if bet["id"] not in accepted]
        self.places = sorted({bet["box"] for bet in self.lying if bet["spot"] == "place"})

    def chips(self, bet: dict[str, Any]) -> bool:
        return bool(bet["amount"] > 0 and bet["amount"] % 100 == 0)

    def on_the_layout(self, bet: dict[str, Any]) -> bool:
        return bet["box"] is None or 1 <= bet["box"] <= self.o["player_places"]

    def sold(self, spot: str) -> bool:
        if spot in ("odd", "even"):
            return bool(self.o["odd_even_enabled"])
        if spot == "three_figures" or spot in POINTS:
            return bool(self.o["numbers_enabled"])
        if spot == "tie":
            return bool(self.o["tie_enabled"])
        return spot == "place"

    def limit(self, name: str, spot: str) -> int | None:
        limit: dict[str, int] | int = self.o[name]
        return limit.get(spot) if isinstance(limit, dict) else limit

    def accepts(self, bet: dict[str, Any]) -> bool:
        spot, amount = bet["spot"], bet["amount"]
        if not (self.sold(spot) and self.chips(bet) and self.on_the_layout(bet)):
            return False
        if not self.sits(bet) and not self.o["standing_bets"]:
            return False
        least, most = self.limit("min_bet", spot), self.limit("max_bet", spot)
        if least is not None and amount < least:
            return False
        there = sum(
            one["amount"] for one in self.lying if (one["by"], one["spot"], one["box"]) == (bet["by"], spot, bet["box"])
        )
        return most is None or there + amount <= most

    def sits(self, bet: dict[str, Any]) -> bool:
        return bet["by"] in self.record["seats"]

    def close(self) -> None:
        """A standing bettor's place, then the ties."""
        active = {bet["box"] for bet in self.lying if bet["spot"] == "place" and (bet["carried"] or self.sits(bet))}
        self.lying = [bet for bet in self.lying if bet["spot"] not in ("place", "tie") or bet["box"] in active]

    def outcome(self) -> dict[str, Any]:
        cards, items = self.record["chance"], self.record["decisions"]
        for at, item in enumerate(items):
            if is_void(item):
                self.refused += range(at + 1, len(items))
                return self.told({"void": True}, None, {}, len(cards))
            self.refused.append(at)
        shoe = self.o["decks"] > 1 and not self.o["reshuffle_every_round"]
        first = 1 if shoe and not self.record["first_round"] else 0
        hands = len(self.places) + 1
        end = first + 3 * hands
        demand(len(cards) >= end)
        if self.o["deal_style"] == "one_by_one":
            dealt = [cards[first + at : end : hands] for at in range(hands)]
        else:
            dealt = [cards[first + 3 * at : first + 3 * at + 3] for at in range(hands)]
        places = dict(zip(self.places, dealt, strict=False))
        result = {"banker": rank(dealt[-1]), "places": {str(place): rank(hand) for place, hand in places.items()}}
        return self.told(result, dealt[-1], places, end)

    def told(
        self, result: dict[str, Any], banker: list[str] | None, places: dict[int, list[str]], used: int
    ) -> dict[str, Any]:
        paid = []
        for bet in self.accepted:
            if banker is None:
                back, stays = (0, bet["amount"]) if bet["carried"] else (bet["amount"], 0)
            else:
                back, stays = due(bet, banker, places)
            paid.append((bet, back, stays))
        return told(result, paid, self.refused, used)


def due(bet: dict[str, Any], banker: list[str], places: dict[int, list[str]]) -> tuple[int, int]:
    """What comes back of a stake, and what stays on the layout."""
    amount, three = bet["amount"], rank(banker) == 1
    match bet["spot"]:
        case "place" | "tie":
            mine = rank(places[bet["box"]])
            if bet["spot"] == "tie":
                return (21 * amount, 0) if mine == rank(banker) else (0, 0)
            if mine == rank(banker):
                return 0, amount
            return (amount * 195 // 100, 0) if mine < rank(banker) else (0, 0)
        case "odd" | "even":
            if three:
                return 0, amount
            right = (points(banker) % 2 == 1) == (bet["spot"] == "odd")
            return (amount * 195 // 100, 0) if right else (0, 0)
        case "three_figures":
            return (17 * amount, 0) if three else (0, 0)
        case spot:
            return (9 * amount, 0) if not three and spot == f"points_{points(banker)}" else (0, 0)


def anew(record: Any) -> dict[str, Any]:
    return Deal(record).outcome()
