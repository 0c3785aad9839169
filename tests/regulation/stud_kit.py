"""The notation of Stud Poker's tests, on top of `tests.kit`.

    round_ = played("8s 8d 9c Jh 2d / As Kd 9h 7c 4d", "ana ante 100 box 3", "ana raise")
    assert back(round_) == {"ana ante": 600_00}

First the hands, of the boxes with an ante from box 1 on and of the dealer last: they are dealt by the method of the
table. `!` behind a card: it came out face up. Then bets and decisions, in order; what the house owes happens in
between, and `…` lets the time run out. Whoever lays an ante sits at their box unless `seats` say otherwise. Where
nobody decides anything any more time runs out by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tables.games import GAMES
from tables.games.contract.actions import Action, Chance, Cut, Draw, DrawCard, Meter, PlaceBet, Ready, Step
from tables.games.stud_poker.phases import Fold, Raise
from tables.games.values.cards import Card, card
from tables.games.values.money import CREDIT
from tests import kit
from tests.kit import bet, view_for

STUD = GAMES["stud_poker"]

MILLION = 1_000_000_00

LOW = "Qs Jd 9h 7c 4d"  # a dealer who does not qualify
HIGH = "As Kd 9h 7c 4d"  # one who does, with nothing else


def options(**given: Any) -> Any:
    """House options of Stud Poker, in the JSON that the record writes."""
    return kit.options("stud_poker", **given)


def opened(*bets: str, **about: Any) -> Any:
    """A round in which these bets have been placed (those marked `carried` lie there first)."""
    lying, fresh = parted(bets)
    about.setdefault("seats", seated(fresh))
    round_ = kit.opened(*lying, game="stud_poker", **about)
    for line in fresh:
        round_ = round_.apply(told(line))
    return round_


def parted(lines: Iterable[str | Action]) -> tuple[list[str], list[str | Action]]:
    """The stakes that were carried here, and everything else."""
    lying: list[str] = []
    rest: list[str | Action] = []
    for line in lines:
        if isinstance(line, str) and line.endswith(" carried"):
            lying.append(line.removesuffix(" carried"))
        else:
            rest.append(line)
    return lying, rest


def seated(lines: Iterable[str | Action]) -> dict[str, int]:
    """Whoever lays an ante sits at the first box that they name."""
    seats: dict[str, int] = {}
    for line in lines:
        laid = line if isinstance(line, Action) or line == "…" else told(line)
        if isinstance(laid, PlaceBet) and laid.box is not None:
            seats.setdefault(laid.by, laid.box)
    return seats


def told(text: str | Action) -> Action:
    """The action that a line of the notation describes."""
    if isinstance(text, Action):
        return text
    who, do, *rest = text.split()
    match do:
        case "raise":
            return Raise(who, round(float(rest[0]) * CREDIT) if rest else None)
        case "fold":
            return Fold(who)
        case "ready":
            return Ready(who)
        case _:
            return bet(text)


def pile(hands: str, chosen: Any) -> list[DrawCard]:
    """The cards of these hands in the order in which this table deals them."""
    dealt = [[drawn(token) for token in hand.split()] for hand in hands.split("/")]
    if chosen.shuffle_method == "shuffler":
        return [one for hand in dealt for one in hand]
    return [hand[at] for at in range(max(map(len, dealt))) for hand in dealt if at < len(hand)]


def drawn(token: str) -> DrawCard:
    return DrawCard(card=card(token.rstrip("!")), exposed=token.endswith("!"))


class Dealing:
    """A round that is played on with a stacked shoe, line by line; where the shoe ends it stops."""

    def __init__(self, hands: str, *lines: str | Action, pool: int = MILLION, **about: Any) -> None:
        self.pool = pool
        lying, rest = parted(lines)
        about.setdefault("seats", seated(rest))
        self.round: Any = kit.opened(*lying, game="stud_poker", **about)
        self.log: list[Action] = []
        self.cards = pile(hands, self.round.options)
        self.go(*rest)

    def go(self, *lines: str | Action) -> Any:
        """The round after these lines: it waits for somebody or for a card, or is over."""
        for line in lines:
            action = None if line == "…" else told(line)
            if self.round.phase == "betting" and (action is None or isinstance(action, Raise | Fold)):
                self.dealt()
            if action is None:
                self._do(self.round.on_timeout())
            else:
                self.apply(action)
            if self.round.phase not in ("betting", "cut"):
                self.serve()
        return self.round

    def dealt(self) -> Any:
        """The round when betting has closed and the house has done what it then owes."""
        self._do(self.round.on_timeout())
        self.serve()
        return self.round

    def serve(self) -> None:
        """Do what the house owes, as far as the cards go; but nothing more once it turns to the dealer's hand."""
        while (
            not self.round.over
            and self.round.phase != "dealer_reveal"
            and (due := self.round.next_house_step()) is not None
            and (self.cards or due != Draw(Chance.CARD))
        ):
            self._do(due)

    def step(self, count: int = 1) -> Any:
        """The round after so many steps more of the house."""
        for _ in range(count):
            self._do(self.round.next_house_step())
        return self.round

    def finish(self) -> Any:
        """The round at its end: nobody decides anything more. It must have taken all the cards."""
        while not self.round.over:
            self._do(self.round.next_house_step() or self.round.on_timeout())
        assert not self.cards, "it did not take all the cards"
        return self.round

    def apply(self, action: Action) -> None:
        self.round = self.round.apply(action)
        self.log.append(action)

    def _do(self, due: Any) -> None:
        match due:
            case Step(action):
                self.apply(action)
            case Draw(Chance.POOL):
                self.apply(Meter(pool=self.pool))
            case Draw(Chance.CUT):
                self.apply(Cut("house", position=20))
            case Draw():
                assert self.cards, "the stacked shoe is empty"
                self.apply(self.cards.pop(0))
            case None:
                raise AssertionError(f"nothing is due in {self.round.phase}")


def playing(hands: str, *lines: str | Action, **about: Any) -> Any:
    """The round after these lines: it waits for somebody, for the dealer to turn, or, where the shoe ends, a card."""
    dealing = Dealing(hands, *lines, **about)
    return dealing.round if dealing.round.phase != "betting" else dealing.dealt()


def played(hands: str, *lines: str | Action, **about: Any) -> Any:
    """A whole round, which takes exactly these cards."""
    return Dealing(hands, *lines, **about).finish()


def back(round_: Any) -> dict[str, int]:
    """What came back of each bet in cents, all its parts together."""
    sums: dict[str, int] = {}
    for paid in round_.payouts():
        sums[paid.bet] = sums.get(paid.bet, 0) + paid.returned
    return sums


def laid(round_: Any) -> dict[str, int]:
    """What was laid down for each bet in cents, with the raise that grew out of it; of a round that is over."""
    sums: dict[str, int] = {}
    for paid in round_.payouts():
        sums[paid.bet] = sums.get(paid.bet, 0) + paid.stake
    return sums


def why(round_: Any, bet: str) -> list[tuple[str, str]]:
    """What decided a bet: spot and article of each payout, in order."""
    return [(paid.spot, paid.why.article) for paid in round_.payouts() if paid.bet == bet]


def refused(round_: Any, line: str | Action) -> str:
    """The article with which the round refuses this; fails the test if it does not."""
    return kit.refusal(round_, told(line))


def faces(cards: Sequence[Any]) -> str:
    """Cards by name, or as a viewer sees them: `--` lies face down."""
    return " ".join(str(one if isinstance(one, Card) else one.face or "--") for one in cards)


def box(round_: Any, number: int, who: str | None = None) -> Any:
    """A box as this viewer sees it."""
    return view_for(round_, who).boxes[number - 1]


def hand(round_: Any, number: int) -> tuple[Card, ...]:
    """The cards of a box, or at 0 the dealer's, whoever may see them."""
    cards: tuple[Card, ...] = round_.deal.hand(number)
    return cards
