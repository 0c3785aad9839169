"""The notation of Blackjack's tests, on top of `tests.kit`.

    round_ = played("As 6d Ah Kc Td Qs 9c", "ana main 100 box 1", "ana split 1")
    assert back(round_) == {"ana main": 400_00}

After the cards come bets and then decisions, in order: `who do box`, or `who do box.hand`, with credits behind an
`insurance`. What the house owes happens in between; `…` lets the time of whoever is waited for run out. Where nobody
decides anything any more time runs out by itself. Bets are called `who spot`, or by their `as`.
"""

from __future__ import annotations

from typing import Any

from tables.games import GAMES
from tables.games.blackjack.phases import Claim, Double, EvenMoney, Hit, Insurance, Match, Pass, Split, Stand, Surrender
from tables.games.contract.actions import Action, Draw, DrawCard, PlaceBet, Ready, Step
from tables.games.contract.game import ShoeRules
from tables.games.values.money import CREDIT
from tests import kit
from tests.kit import bet, cards

BLACKJACK = GAMES["blackjack"]

IN_HAND = {"hit": Hit, "stand": Stand, "double": Double, "split": Split, "match": Match, "pass": Pass, "claim": Claim}
ON_BOX = {"even_money": EvenMoney, "surrender": Surrender}


def options(**given: Any) -> Any:
    """House options of Blackjack, in the JSON that the record writes."""
    return kit.options("blackjack", **given)


def pack_of(**given: Any) -> ShoeRules:
    """The pack that a table with these options is dealt from."""
    rules = BLACKJACK.shoe(options(**given))
    assert rules is not None
    return rules


def opened(*bets: str, **about: Any) -> Any:
    """A round in which these bets have been placed; `about` are seats, what the opening tells, and options."""
    return kit.bet_on(kit.opened(game="blackjack", **about), *bets)


def told(text: str | Action) -> Action:
    """The action that a line of the notation describes."""
    if isinstance(text, Action):
        return text
    who, do, *rest = text.split()
    if do in BLACKJACK.spots:
        return bet(text)
    if do == "ready":
        return Ready(who)
    box, _, hand = rest[0].partition(".")
    if do == "insurance":
        return Insurance(who, int(box), round(float(rest[1]) * CREDIT))
    if do in ON_BOX:
        return ON_BOX[do](who, int(box))
    return IN_HAND[do](who, int(box), int(hand or 0))


class Dealing:
    """A round that is played on with a stacked shoe, line by line; where the shoe ends it stops."""

    def __init__(self, shoe: str, *lines: str | Action, **about: Any) -> None:
        self.cards = list(cards(shoe))
        self.round: Any = kit.opened(game="blackjack", **about)
        self.go(*lines)

    def go(self, *lines: str | Action) -> Any:
        """The round after these lines: it waits for somebody or for a card, or is over."""
        for line in lines:
            action = None if line == "…" else told(line)
            if self.round.phase == "betting" and not isinstance(action, PlaceBet):
                self.dealt()
            if action is None:
                self._do(self.round.on_timeout())
            else:
                self.round = self.round.apply(action)
            if self.round.phase != "betting":
                self.serve()
        return self.round

    def dealt(self) -> Any:
        """The round when betting has closed and the house has done what it then owes."""
        self._do(self.round.on_timeout())
        self.serve()
        return self.round

    def serve(self) -> None:
        """Do what the house owes, as far as the cards go."""
        while (
            not self.round.over
            and (due := self.round.next_house_step()) is not None
            and (self.cards or isinstance(due, Step))
        ):
            self._do(due)

    def finish(self) -> Any:
        """The round at its end: nobody decides anything more. It must have taken all the cards."""
        while not self.round.over:
            self._do(self.round.next_house_step() or self.round.on_timeout())
        assert not self.cards, "it did not take all the cards"
        return self.round

    def _do(self, due: Any) -> None:
        match due:
            case Step(action):
                self.round = self.round.apply(action)
            case Draw():
                assert self.cards, "the stacked shoe is empty"
                self.round = self.round.apply(DrawCard(card=self.cards.pop(0)))
            case None:
                raise AssertionError(f"nothing is due in {self.round.phase}")


def playing(shoe: str, *lines: str | Action, **about: Any) -> Any:
    """The round after these lines: it waits for somebody or, where the shoe has come to its end, for a card."""
    dealing = Dealing(shoe, *lines, **about)
    return dealing.round if dealing.round.phase != "betting" else dealing.dealt()


def played(shoe: str, *lines: str | Action, **about: Any) -> Any:
    """A whole round, which takes exactly these cards."""
    return Dealing(shoe, *lines, **about).finish()


def back(round_: Any) -> dict[str, int]:
    """What came back of each bet in cents, all its parts together."""
    sums: dict[str, int] = {}
    for paid in round_.payouts():
        sums[paid.bet] = sums.get(paid.bet, 0) + paid.returned
    return sums


def laid(round_: Any) -> dict[str, int]:
    """What was laid down for each bet in cents, with all that grew out of it; of a round that is over."""
    sums: dict[str, int] = {}
    for paid in round_.payouts():
        sums[paid.bet] = sums.get(paid.bet, 0) + paid.stake
    return sums


def why(round_: Any, bet: str) -> list[str]:
    """The articles that decided a bet, in the order of its payouts."""
    return [paid.why.article for paid in round_.payouts() if paid.bet == bet]


def may(round_: Any, who: str) -> set[str]:
    """The decisions that somebody is offered, by name."""
    return {action.do for action in round_.offers(who).actions if action.do not in ("follow", "withdraw", "lower")}
