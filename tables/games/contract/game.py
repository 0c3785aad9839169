"""A game: what the house must know of it beside its rounds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from tables.games.values.cards import Card
from tables.games.values.expectation import Edge
from tables.games.values.json import JsonObject
from tables.games.values.words import Words, say

from .actions import Action, PlaceBet, Void, VoidReason
from .decisions import Decisions
from .editions import Day, Edition, edition_on
from .irregularity import IrregularityOf
from .options import TableOptions
from .round import Opening, Round, Spot, Stake
from .view import View

OptionsT = TypeVar("OptionsT", bound=TableOptions)
RoundT = TypeVar("RoundT", bound=Round)
ViewT_co = TypeVar("ViewT_co", bound=View, covariant=True)


@dataclass(frozen=True, slots=True)
class ShoeRules:
    """The pack that a game is dealt from: `decks` × 52 cards, with `white_depth` of them behind the white card.

    `every_round` a fresh one: a machine, or a single deck. A `machine` shuffles by itself: nobody cuts, and its
    ceremony is that of being loaded, not of every round.
    """

    decks: int
    every_round: bool = False
    white_depth: int | None = None
    machine: bool = False


@dataclass(frozen=True, slots=True)
class Throw:
    """What a game without cards throws: `count` numbers, each from `least` to `most` and as likely as any other.

    `null` if the public record tells of throws that did not count. `ring` the numbers in the order in which they stand
    around what is thrown into, if they stand so.
    """

    count: int
    least: int
    most: int
    null: bool = False
    ring: tuple[int, ...] = ()

    def allows(self, value: int) -> bool:
        """Whether this is a number that can be thrown."""
        return self.least <= value <= self.most


@dataclass(frozen=True, slots=True)
class Imbalance:
    """What one of two sides has more than the other, in cents, and the `limit` of that; it was `reached` if nothing
    more could be laid on the heavier side, or something had to be taken off it."""

    difference: int
    limit: int
    reached: bool


@dataclass(frozen=True, slots=True)
class PoolRules:
    """The progressive jackpot that a game feeds: when nothing is left of it, it restarts from `minimum` cents.

    `terms` are whatever else all tables of one jackpot must agree in.
    """

    minimum: int
    terms: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Article:
    """One citable rule: an article of the regulation, or a ruling or operating parameter of ours (`law` false)."""

    number: str
    says: Words
    law: bool = True


def in_box(bet: Words, box: int) -> Words:
    """A bet and the box that it lies in."""
    return say("%(bet)s, box %(box)s", bet=bet, box=box)


def on_hand(bet: Words, hand: int | None) -> Words:
    """A bet and which of several hands it was on, if it was."""
    return bet if hand is None else say("%(bet)s, hand %(hand)s", bet=bet, hand=hand)


class GameOf(ABC, Generic[OptionsT, RoundT, ViewT_co]):
    """The rules of one game: a class of which `tables.games.GAMES` holds one object.

    What every game must have is abstract or declared here without a value; what most games do has a default. `deeds`
    are the actions that a player may ask for by name over their socket, beside placing bets; `steps` those of the
    house, and what the seats tell a round. `irregularities` are those that the pit can rule on; what the rules meet by
    themselves (a bet after closing, a pack that runs out) is not among them.
    """

    slug: str
    title: Words
    regulation: str
    in_force: tuple[Edition, ...]
    options: type[OptionsT]
    deeds: tuple[type[Action], ...]
    steps: tuple[type[Action], ...]
    articles: Mapping[str, Article]
    spots: Mapping[str, Spot]
    irregularities: tuple[IrregularityOf[RoundT], ...]

    fresh_cards_article: str = ""
    """The article by which the house may have fresh cards after any round; empty where a pack serves one round."""
    dealt_unstaked = True
    """False where betting stays open until somebody has laid a stake."""
    throws = False
    """Whether numbers are thrown, sealed before they count, in place of cards that are dealt."""
    lost_throw: Action = Void(reason=VoidReason.LOST_THROW)
    """What the house does when the sealed throw cannot be opened, and nobody will ever know what it was."""
    unrecorded = ""
    """The article that forbids bettors to record results: then the table shows none."""
    private_hands = False
    """Whether a hand that was not opened stays its bettor's own when the round is over. Each round then has one fresh
    deck, which is opened card by card, to each viewer those that their views have shown."""
    squeeze_article: str = ""
    """The article that says who may peel a card, where cards are squeezed."""
    beside_records: frozenset[str] = frozenset()
    """Options of the house that the public record does not know: they change nothing that a round comes to."""
    earlier_articles: Mapping[str, Mapping[str, Article]] = {}
    """Edition -> all that its rounds can cite, where an earlier edition says it otherwise than `articles`."""
    grown: Mapping[str, Words] = {}
    """Titles of what grows out of a stake and is paid under a name of its own."""
    decisions: Decisions[RoundT] = Decisions()
    """What the game knows of the decisions in a public record."""

    @abstractmethod
    def opened(self, options: OptionsT, opening: Opening) -> RoundT:
        """The round as it is before anybody has acted."""

    @abstractmethod
    def view(self, round_: RoundT, who: str | None) -> ViewT_co:
        """What this bettor (None: a mere spectator) may see. Nothing else of a round may reach a page."""

    @abstractmethod
    def edges(self, options: OptionsT) -> Mapping[str, Edge]:
        """What the house keeps of each bet that options sell, by its spot."""

    def is_sold(self, options: OptionsT, spot: str) -> bool:
        """Whether the house offers this bet."""
        return True

    def shoe(self, options: OptionsT) -> ShoeRules | None:
        """The pack; None in a game without cards."""
        return None

    def throw(self, options: OptionsT) -> Throw | None:
        """What is thrown; None in a game of cards."""
        return None

    def pool(self, options: OptionsT) -> PoolRules | None:
        """The progressive jackpot that the game feeds, if it has one."""
        return None

    def carries(self, options: OptionsT) -> bool:
        """Whether options let a stake stay for another round at all, on the spots that carry."""
        return True

    def sold(self, options: OptionsT) -> Iterable[str]:
        """The spots that options sell, also those of which no edge is known."""
        return [spot for spot in self.spots if self.is_sold(options, spot)]

    def for_a_table(self, options: OptionsT) -> OptionsT:
        """These options as a table of the house opens with them: what it must have and a record need not is filled
        in."""
        return options

    def cautions(self, options: OptionsT) -> Sequence[Words]:
        """What is allowed, but hardly what the house wants: options that spoil each other. For the pit, in words."""
        return ()

    def lowered_at_once(self, options: OptionsT) -> Mapping[str, str]:
        """The numbers that the director of the room lowers without an authorisation: option -> the article."""
        return {}

    def check_carried(self, lying: Sequence[Stake], stake: Stake) -> None:
        """Raises Refused for a carried stake that cannot lie beside these."""

    def seating(self, round_: RoundT) -> Mapping[str, int]:
        """Who sits where for their bets when betting closes, as the record tells."""
        return round_.seats

    def hands(self, round_: RoundT) -> Mapping[str, Sequence[Card]]:
        """Whose the cards of the round are, by the names that its proof has for the hands (docs/proof.md): all cards
        that came to each, in their order. Burnt cards are in no hand. Holds cards that nobody may see yet."""
        return {}

    def peels(self, round_: RoundT, who: str | None) -> Mapping[str, Card]:
        """The cards that this bettor may peel now (None: those that somebody may), by the names of their places, where
        cards are squeezed. Holds cards that nobody may see yet: of them only a bend may reach a page."""
        return {}

    def seconds(self, round_: RoundT) -> int | None:
        """How long the present phase takes, where an option of the game sets it."""
        return None

    def imbalance(self, round_: RoundT) -> Imbalance | None:
        """How far two sides of a round are apart, where that is limited."""
        return None

    def public_result(self, round_: RoundT) -> JsonObject:
        """What of `Round.result` everybody may know; it is kept for the lists."""
        return round_.result()

    def in_box(self, bet: Words, box: int) -> Words:
        """A bet and the box that it lies in, as this game calls it."""
        return in_box(bet, box)

    def called(self, spot: str, box: int | None) -> Words:
        """The bet on this spot in words, with its box where the spot belongs to one."""
        if spot in self.grown:
            return self.in_box(self.grown[spot], box) if box is not None else self.grown[spot]
        there = self.spots[spot]
        return self.in_box(there.title, box) if there.boxed and box is not None else there.title

    def edition_on(self, day: Day) -> str:
        """The edition of the regulation that is in force on this day of Macau."""
        return edition_on(self.in_force, day).name

    def articles_of(self, edition: str) -> Mapping[str, Article]:
        """What a round under this edition can cite, in the words of that edition."""
        return self.earlier_articles.get(edition, self.articles)

    def regulation_of(self, edition: str) -> str:
        """The regulation that this edition is of, without what amended it."""
        return edition.partition("+")[0]

    def irregularity(self, name: str) -> IrregularityOf[RoundT] | None:
        """One of those that the pit can rule on; None if this game has none of that name."""
        return next((one for one in self.irregularities if one.name == name), None)

    @property
    def editions(self) -> tuple[str, ...]:
        """All editions of its regulation by name, oldest first."""
        return tuple(edition.name for edition in self.in_force)

    @property
    def actions(self) -> tuple[type[Action], ...]:
        """All actions that may stand in a log of this game."""
        return (PlaceBet, *self.deeds, *self.steps)


Game: TypeAlias = GameOf[Any, Any, View]
"""A game, for whoever need not know which."""
