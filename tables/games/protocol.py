"""The contract between the house and its games.

A round is a log: options and an opening, then actions. State is the fold of that log:

    round = game.opened(options, opening)
    for action in log: round = round.apply(action)

Everything else the house asks of a game is a question to the folded round. Bettors are opaque keys (`"p7"`);
the rules know who sits where and who staked what, never a name or a balance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Protocol, Self, cast

from .cards import Card
from .expectation import Edge
from .money import Odds
from .words import Note, Words, say

HOUSE = "house"
"""Who acts when nobody else does: the dealer."""


class Refused(Exception):  # noqa: N818 (the field's word)
    """The player may not. Shown politely, with its article; nothing has changed."""

    def __init__(self, article: str, words: Words) -> None:
        super().__init__(f"{words} ({article})" if article else str(words))
        self.article = article
        self.words = words


class OptionError(ValueError):
    """House options that do not exist, have a wrong value or do not go together."""


# ── Time ────────────────────────────────────────────────────────────────────────────────────────────────────


class Tempo(StrEnum):
    """What kind of time a phase takes. The table says how many seconds each kind is (see `tables.timetable`)."""

    CUT = "cut"  # somebody is offered the pack
    BETTING = "betting"  # the layout is open
    DECISION = "decision"  # named people have something to decide
    BEAT = "beat"  # the house does its next step
    RESULT = "result"  # the result stays on the felt
    OVER = "over"  # nothing more happens in this round


# ── Actions: what a log is made of ──────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Action:
    """One line of the log. `do` names its kind in JSON; `by` is a bettor's key or HOUSE.

    `at_once` if it asks for a card, or answers what held one up: the dealer gives it without waiting a beat.
    """

    do: ClassVar[str]
    at_once: ClassVar[bool] = False
    by: str


@dataclass(frozen=True, slots=True)
class PlaceBet(Action):
    """A fresh stake of `amount` cents on `spot`; `box` where the spot belongs to a box, else the common area."""

    do: ClassVar[str] = "bet"
    bet: str
    spot: str
    amount: int
    box: int | None = None


@dataclass(frozen=True, slots=True)
class Withdraw(Action):
    """The bettor takes the stake `bet` back, whole."""

    do: ClassVar[str] = "withdraw"
    bet: str


@dataclass(frozen=True, slots=True)
class Lower(Action):
    """The bettor takes `amount` cents off the stake `bet`."""

    do: ClassVar[str] = "lower"
    bet: str
    amount: int


@dataclass(frozen=True, slots=True)
class Move(Action):
    """The bettor moves the stake `bet`, whole, to `spot`; `box` where that is a spot of a box that he may choose."""

    do: ClassVar[str] = "move"
    bet: str
    spot: str
    box: int | None = None


@dataclass(frozen=True, slots=True)
class Ready(Action):
    """The bettor waits for nothing more: betting may close early when everybody has said so."""

    do: ClassVar[str] = "ready"


@dataclass(frozen=True, slots=True)
class Sit(Action):
    """The bettor has taken `seat`."""

    do: ClassVar[str] = "sit"
    seat: int


@dataclass(frozen=True, slots=True)
class Leave(Action):
    """The bettor has left his seat, or his line has dropped: he holds and decides nothing more."""

    do: ClassVar[str] = "leave"


@dataclass(frozen=True, slots=True)
class Cut(Action):
    """The pack is cut: `position` cards go from the top to the bottom."""

    do: ClassVar[str] = "cut"
    position: int


@dataclass(frozen=True, slots=True)
class Decline(Action):
    """The one who is offered something (the cut) passes; the next is asked, or the house does it."""

    do: ClassVar[str] = "decline"


@dataclass(frozen=True, slots=True)
class CloseBets(Action):
    """No stake is added, moved or withdrawn from here."""

    do: ClassVar[str] = "close"
    by: str = HOUSE


@dataclass(frozen=True, slots=True)
class DrawCard(Action):
    """Chance: the next card of the shoe. `exposed` if it came out face up by mistake."""

    do: ClassVar[str] = "card"
    by: str = HOUSE
    card: Card = field(kw_only=True)
    exposed: bool = False


@dataclass(frozen=True, slots=True)
class WhiteCard(Action):
    """Chance: the cut card came out where the next card was due; it is shown and set aside."""

    do: ClassVar[str] = "white"
    by: str = HOUSE


@dataclass(frozen=True, slots=True)
class Settle(Action):
    """The house collects and pays."""

    do: ClassVar[str] = "settle"
    by: str = HOUSE


TABLE_CLOSES = "table_closes"
"""Why a round is void that was never played, as the table closes: what was carried to it has gone back."""

TABLE_PAUSES = "table_pauses"
"""… in which nobody had a stake when the table paused."""

UNPLAYED: Mapping[str, Words] = {
    TABLE_CLOSES: say("The table closes: this round is not played"),
    TABLE_PAUSES: say("The table pauses: this round is not played"),
}
"""What is said of such a round, by the reason of its `Void`."""


@dataclass(frozen=True, slots=True)
class Void(Action):
    """The round is cancelled and void; `reason` is for the log and the pit."""

    do: ClassVar[str] = "void"
    by: str = HOUSE
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Seal(Action):
    """Chance: a throw has been drawn and sealed, and nobody can know it; `commitment` is what is published of it."""

    do: ClassVar[str] = "seal"
    by: str = HOUSE
    commitment: str = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Unseal(Action):
    """The sealed throw is opened: its values, and the salt that shows that they are those committed to."""

    do: ClassVar[str] = "unseal"
    by: str = HOUSE
    values: tuple[int, ...] = field(kw_only=True)
    salt: str = ""


@dataclass(frozen=True, slots=True)
class NullThrow(Action):
    """The throw does not count, and `reason` says why: a null spin, a cocked die."""

    do: ClassVar[str] = "null"
    by: str = HOUSE
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Meter(Action):
    """The progressive jackpot as it stood when betting closed: `pool` cents, before what this round adds to it.

    With this line the stakes for the jackpot are taken: what they add goes to the pool.
    """

    do: ClassVar[str] = "meter"
    by: str = HOUSE
    pool: int = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class GiveBack(Action):
    """The house gives back all stakes that were carried to this round: it leaves them no more, or the table closes."""

    do: ClassVar[str] = "give_back"
    by: str = HOUSE


@dataclass(frozen=True, slots=True)
class Refund(Action):
    """The house gives the carried stake `bet` back to a bettor who is not at the table any more."""

    do: ClassVar[str] = "refund"
    by: str = HOUSE
    bet: str = field(kw_only=True)


# ── What the house owes ─────────────────────────────────────────────────────────────────────────────────────


class Chance(StrEnum):
    """Kinds of chance that a round can ask for; only the dealer draws them."""

    CARD = "card"  # the next card of the shoe -> DrawCard (or WhiteCard before it)
    CUT = "cut"  # where the dealer cuts       -> Cut(HOUSE, position)
    SEAL = "seal"  # a throw that stays sealed   -> Seal(commitment)
    OPEN = "open"  # what the sealed throw is    -> Unseal(values, salt)
    POOL = "pool"  # no chance, but as little known: what the jackpot's meter shows -> Meter(pool)


@dataclass(frozen=True, slots=True)
class Draw:
    """The house owes a draw of chance."""

    kind: Chance


@dataclass(frozen=True, slots=True)
class Step:
    """The house owes this very action.

    It may be a bettor's own, asked for beforehand (to match a double, say), and cost them chips:
    `otherwise` is what is done if they have too few.
    """

    action: Action
    otherwise: Action | None = None


Due = Draw | Step


# ── Stakes, payments, offers ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Stake:
    """Chips on the layout: `amount` cents of one bettor on one spot; `carried` from an earlier round."""

    bet: str
    by: str
    spot: str
    amount: int
    box: int | None = None
    carried: bool = False


@dataclass(frozen=True, slots=True)
class Opening:
    """What a round begins with, beside its options.

    `seats` bettor -> seat; `carried` stakes that lie on the layout from an earlier round; `ceremony` true when the
    pack is first shuffled, cut, burnt and demonstrated; `first_round` true for the first round of a shoe;
    `last_round` true when it is already known to be the shoe's last.
    """

    seats: Mapping[str, int] = field(default_factory=dict)
    carried: tuple[Stake, ...] = ()
    ceremony: bool = False
    first_round: bool = False
    last_round: bool = False


@dataclass(frozen=True, slots=True)
class Spot:
    """One kind of bet on the layout: its machine name, title, odds ("to 1") and the article that sells it.

    `carries` if a stake on it may stay for the next round; `boxed` if it always belongs to a box; `family` if limits
    may name it together with others; `single` if a bettor has one stake there at most, to which a second is added;
    `needs` the spot on which its bettor must have laid a stake before.
    """

    name: str
    title: Words
    odds: tuple[Odds, ...]
    article: str
    carries: bool = False
    boxed: bool = False
    family: str = ""
    single: bool = False
    needs: str = ""


@dataclass(frozen=True, slots=True)
class Payout:
    """One thing that the house paid or collected, and for which bet. In cents.

    `stake` lay on the layout for it and is decided by it; `returned` goes to the bettor (stake included); `carried`
    stays on the layout; `commission` was kept from the prize by the house. `pooled` goes from this stake to the
    progressive jackpot; below zero, so much of what is `returned` comes out of it. `why` tells it in words, with its
    article.
    A bet that is decided in parts (hands that were split, a prize paid at once) has several; only in a void round may
    `returned` be negative: what had been paid already is taken back.
    """

    bet: str
    by: str
    spot: str
    stake: int
    returned: int
    why: Note
    carried: int = 0
    commission: int = 0
    pooled: int = 0


@dataclass(frozen=True, slots=True)
class Refusal:
    """A bet that was taken down when betting closed, and why; its stake went back."""

    bet: str
    by: str
    why: Note


@dataclass(frozen=True, slots=True)
class BetOffer:
    """A stake that would be accepted now: from `least` to `most` cents in steps of `step`, on `spot` (and `box`)."""

    spot: str
    least: int
    most: int | None
    step: int
    box: int | None = None


@dataclass(frozen=True, slots=True)
class Offers:
    """What one bettor may do now: bets as kinds with ranges, everything else as ready actions.

    `movable` are stakes that may be moved, whole, to wherever a bet of their amount is offered: where there are many
    spots no move is listed by itself.
    """

    bets: tuple[BetOffer, ...] = ()
    actions: tuple[Action, ...] = ()
    movable: tuple[str, ...] = ()


# ── The round and the game ──────────────────────────────────────────────────────────────────────────────────


class Round(Protocol):
    """One round, folded so far. Immutable: `apply` gives the next one."""

    @property
    def phase(self) -> StrEnum:
        """Where the round is, derived from its facts."""

    @property
    def tempo(self) -> Tempo:
        """What kind of time this phase takes."""

    @property
    def wait(self) -> str:
        """Names what is being waited for. While it stays the same, the clock is not set anew."""

    @property
    def hurried(self) -> bool:
        """Everybody it could wait for is ready: the rest of the time is not needed."""

    @property
    def over(self) -> bool:
        """Settled or void: nothing more can be applied."""

    @property
    def is_void(self) -> bool:
        """Ended as void."""

    @property
    def ends_shoe(self) -> bool:
        """Once over: the next round is dealt from a fresh shoe."""

    @property
    def next_is_last(self) -> bool:
        """Once over: the next round is the last of this shoe (known beforehand)."""

    @property
    def seats(self) -> Mapping[str, int]:
        """Bettor -> seat, as far as it matters to this round."""

    @property
    def silence(self) -> Note | None:
        """Why nobody may talk at the table now, if the regulation forbids it."""

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Bets taken down when betting closed."""

    def due(self) -> Due | None:
        """What the house owes next; None while it waits for people or for time."""

    def overdue(self) -> Due | None:
        """What the house does when the time of this phase is over; None when the round is over."""

    def offers(self, who: str) -> Offers:
        """What this bettor may do now."""

    def default_for(self, who: str) -> Action | None:
        """The published automatic decision of somebody absent or late; None if nothing is asked of him."""

    def apply(self, action: Action) -> Self:
        """The next round. Raises Refused (the player may not) or AssertionError (the house erred)."""

    def held(self, who: str | None = None) -> Mapping[str, int]:
        """Bet -> cents that lie in escrow for it now, with all that grew out of it; of one bettor, or of everybody.
        Empty once settled, but for what is carried; what has gone to the jackpot lies there no more."""

    def stakes(self) -> tuple[Stake, ...]:
        """All stakes on the layout as they were placed, oldest first."""

    def payouts(self) -> tuple[Payout, ...]:
        """What the house has paid and collected so far, in order; only its own actions add to it. Once the round is
        over every bet is in it, and the stakes of a bet's payouts add up to all that was laid down for it."""

    def carried(self) -> tuple[Stake, ...]:
        """Once over: the stakes that stay on the layout for the next round."""

    def view(self, who: str | None) -> Any:
        """What this bettor (or a mere spectator) may see: the game's own `View`."""

    def result(self) -> dict[str, Any]:
        """Once over: the `result` of the public record."""


class Opened(Protocol):
    """How a game opens a round."""

    def __call__(self, options: Any, opening: Opening) -> Round: ...


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


def no_shoe(options: Any) -> ShoeRules | None:
    """The shoe of a game without cards."""
    return None


def seats_of(round_: Any) -> Mapping[str, int]:
    """Who sits where, as the round was told."""
    return cast(Round, round_).seats


@dataclass(frozen=True, slots=True)
class Throw:
    """What a game without cards throws: `count` numbers, each from `least` to `most` and as likely as any other.

    `null` if the public record tells of throws that did not count.
    """

    count: int
    least: int
    most: int
    null: bool = False

    def allows(self, value: int) -> bool:
        """Whether this is a number that can be thrown."""
        return self.least <= value <= self.most


def no_throw(options: Any) -> Throw | None:
    """The throw of a game of cards."""
    return None


def no_seconds(round_: Any) -> int | None:
    """The time of a game whose options set none."""
    return None


@dataclass(frozen=True, slots=True)
class Imbalance:
    """What one of two sides has more than the other, in cents, and the `limit` of that; it was `reached` if nothing
    more could be laid on the heavier side, or something had to be taken off it."""

    difference: int
    limit: int
    reached: bool


def no_imbalance(round_: Any) -> Imbalance | None:
    """Of a game that sets no limit between two sides."""
    return None


@dataclass(frozen=True, slots=True)
class PoolRules:
    """The progressive jackpot that a game feeds: when nothing is left of it, it restarts from `minimum` cents.

    `terms` are whatever else all tables of one jackpot must agree in.
    """

    minimum: int
    terms: tuple[Any, ...] = ()


def no_pool(options: Any) -> PoolRules | None:
    """The jackpot of a game that has none."""
    return None


def may_carry(options: Any) -> bool:
    """Whether stakes may be carried at all, on the spots that carry: of a game whose options do not say."""
    return True


def lies_anywhere(lying: Sequence[Stake], stake: Stake) -> None:
    """Whether a carried stake may lie beside these: wherever it is."""


def whole_result(round_: Any) -> dict[str, Any]:
    """What everybody may know of the end of a round that hides nothing."""
    result: dict[str, Any] = round_.result()
    return result


def no_edges(options: Any) -> Mapping[str, Edge]:
    """The figures of a game of which nobody knows any."""
    return {}


def in_box(bet: Words, box: int) -> Words:
    """A bet and the box that it lies in, where it is called so."""
    return say("%(bet)s, box %(box)s", bet=bet, box=box)


@dataclass(frozen=True, slots=True)
class Decision:
    """One item of `decisions` of the public record, read but not yet understood: `at` what place of the layout."""

    by: str
    do: str
    box: int | None = None
    hand: int = 0
    amount: int | None = None


class Decisions(Protocol):
    """What a game knows of the decisions in a public record."""

    def action_of(self, round_: Any, item: Decision) -> Action | None:
        """The action that an item of the record is in this round; None if the game has no such decision."""

    def lets_pass(self, round_: Any, item: Decision, before: Sequence[Decision]) -> bool:
        """Whether whoever comes with this item lets pass what the round waits for: it takes the automatic decision.

        `before` are the items that came before it in the record, those included that were refused.
        """

    def item_of(self, round_: Any, action: Action) -> Decision | None:
        """How a record writes an action that was taken in this round; None if it is none of its decisions."""

    def all_decided(self, round_: Any) -> bool:
        """Whether nobody will be asked any more: what the round owes now is the bank's own, or the end."""

    def is_put_aside(self, round_: Any, draw: DrawCard) -> bool:
        """Whether this card is void as it comes out (it lay face up, or was not due): a record knows nothing of it."""


class NoDecisions:
    """The decisions of a game in which nobody has any."""

    def action_of(self, round_: Any, item: Decision) -> Action | None:
        return None

    def lets_pass(self, round_: Any, item: Decision, before: Sequence[Decision]) -> bool:
        return False

    def item_of(self, round_: Any, action: Action) -> Decision | None:
        return None

    def all_decided(self, round_: Any) -> bool:
        return True

    def is_put_aside(self, round_: Any, draw: DrawCard) -> bool:
        return False


def nothing(round_: Any, box: int | None) -> Action | None:
    """What is done where the round itself does not change."""
    return None


def no_spot(round_: Any) -> frozenset[str]:
    """The spots of a round in which everybody sees what everybody has laid."""
    return frozenset()


@dataclass(frozen=True, slots=True)
class Irregularity:
    """One thing that may go wrong in a round, and what the rules order then; the pit rules that it has happened.

    `says` is what happened, `orders` what follows (worked out from the round where an option of the house decides it),
    `article` who orders it. `applies` says of a round that is not over whether it can have happened by now. `deed` is
    the house's action that carries it out; where there is none the round goes on, as the rules say. `boxes` are those
    that it may have happened to, if one must be named. `next_card` holds where the card that is due next is the one
    meant: that card then lies face up. With `shoe` the cards are changed when the round is over. The stakes on
    `secret` spots are not told, as nobody but their bettors knows of them now.
    """

    name: str
    says: Words
    orders: Words | Callable[[Any], Words]
    article: str
    applies: Callable[[Any], bool]
    deed: Callable[[Any, int | None], Action | None] = nothing
    boxes: Callable[[Any], Sequence[int]] | None = None
    next_card: Callable[[Any], bool] | None = None
    shoe: bool = False
    secret: Callable[[Any], frozenset[str]] = no_spot

    def ordered(self, round_: Any) -> Words:
        """What follows, under the options of this round."""
        return self.orders if isinstance(self.orders, Words) else self.orders(round_)

    def happened(self, box: int | None) -> Words:
        """What happened, and in which box if one was named."""
        return self.says if box is None else say("%(what)s: box %(box)s", what=self.says, box=box)


@dataclass(frozen=True, slots=True)
class Game:
    """One game of the house, as `tables.games.GAMES` lists it.

    `deeds` are the actions that a player may ask for by name over their socket, beside placing bets; `steps` those of
    the house, and what the seats tell a round. Where a game is not `dealt_unstaked` betting stays open until somebody
    has laid a stake. `seating` says, of a round when betting closes, who sits where for its bets, as its record tells.
    `check_carried` raises Refused for a carried stake that a record lays where it cannot lie beside those before it.
    `carries` says whether options let a stake stay for another round at all.
    `throw` is what a game without cards throws, sealed before it counts; `seconds` says how long a phase of a round
    takes where an option of the game sets it. `imbalance` says how far two sides of a round are apart where that is
    limited. `lost_throw` is what the house does when the sealed throw cannot be
    opened, and nobody will ever know what it was. `unrecorded` is the article that forbids bettors to record results:
    then the table shows none. `edges` says what the house keeps of each bet that options sell, by its spot.

    With `private_hands` a hand that was not opened stays its bettor's own when the round is over: each round has one
    fresh deck, which is opened card by card, to each viewer those that their views have shown. `public_result` is
    what of `Round.result` everybody may know; it is kept for the lists. `in_box` names a bet with its box; `grown`
    are the titles of what grows out of a stake and is paid under a name of its own. `irregularities` are those that the
    pit can rule on; what the rules meet by themselves (a bet after closing, a pack that runs out) is not among them.
    """

    slug: str
    title: Words
    regulation: str
    editions: tuple[str, ...]
    options: type[Any]
    opened: Opened
    deeds: tuple[type[Action], ...]
    steps: tuple[type[Action], ...]
    articles: Mapping[str, Article]
    spots: Mapping[str, Spot]
    shoe: Callable[[Any], ShoeRules | None] = no_shoe
    decisions: Decisions = NoDecisions()
    dealt_unstaked: bool = True
    seating: Callable[[Any], Mapping[str, int]] = seats_of
    check_carried: Callable[[Sequence[Stake], Stake], None] = lies_anywhere
    carries: Callable[[Any], bool] = may_carry
    pool: Callable[[Any], PoolRules | None] = no_pool
    throw: Callable[[Any], Throw | None] = no_throw
    seconds: Callable[[Any], int | None] = no_seconds
    imbalance: Callable[[Any], Imbalance | None] = no_imbalance
    lost_throw: Action = Void(reason="the sealed throw cannot be opened")
    unrecorded: str = ""
    private_hands: bool = False
    edges: Callable[[Any], Mapping[str, Edge]] = no_edges
    public_result: Callable[[Any], dict[str, Any]] = whole_result
    in_box: Callable[[Words, int], Words] = in_box
    grown: Mapping[str, Words] = field(default_factory=dict)
    irregularities: tuple[Irregularity, ...] = ()

    def called(self, spot: str, box: int | None) -> Words:
        """The bet on this spot in words, with its box where the spot belongs to one."""
        if spot in self.grown:
            return self.in_box(self.grown[spot], box) if box is not None else self.grown[spot]
        there = self.spots[spot]
        return self.in_box(there.title, box) if there.boxed and box is not None else there.title

    def irregularity(self, name: str) -> Irregularity | None:
        """One of those that the pit can rule on; None if this game has none of that name."""
        return next((one for one in self.irregularities if one.name == name), None)

    @property
    def actions(self) -> tuple[type[Action], ...]:
        """All actions that may stand in a log of this game."""
        return (PlaceBet, *self.deeds, *self.steps)


@dataclass(frozen=True, slots=True)
class Article:
    """One citable rule: an article of the regulation, or a ruling or operating parameter of ours (`law` false)."""

    number: str
    says: Words
    law: bool = True


def replayed(game: Game, options: Any, opening: Opening, actions: Iterable[Action]) -> Round:
    """The fold: the round that this log describes."""
    round_ = game.opened(options, opening)
    for action in actions:
        round_ = round_.apply(action)
    return round_
