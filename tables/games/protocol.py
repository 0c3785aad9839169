"""The contract between the house and its games.

A round is a log: options and an opening, then actions. State is the fold of that log:

    round = game.opened(options, opening)
    for action in log: round = round.apply(action)

Everything else the house asks of a game is a question to the folded round. Bettors are opaque keys (`"p7"`);
the rules know who sits where and who staked what, never a name or a balance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Protocol, Self

from .cards import Card
from .money import Odds
from .words import Note, Words

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
    """One line of the log. `do` names its kind in JSON; `by` is a bettor's key or HOUSE."""

    do: ClassVar[str]
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
    """The bettor moves the stake `bet`, whole, to `spot`."""

    do: ClassVar[str] = "move"
    bet: str
    spot: str


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


@dataclass(frozen=True, slots=True)
class Void(Action):
    """The round is cancelled and void; `reason` is for the log and the pit."""

    do: ClassVar[str] = "void"
    by: str = HOUSE
    reason: str = ""


# ── What the house owes ─────────────────────────────────────────────────────────────────────────────────────


class Chance(StrEnum):
    """Kinds of chance that a round can ask for; only the dealer draws them."""

    CARD = "card"  # the next card of the shoe -> DrawCard (or WhiteCard before it)
    CUT = "cut"  # where the dealer cuts       -> Cut(HOUSE, position)


@dataclass(frozen=True, slots=True)
class Draw:
    """The house owes a draw of chance."""

    kind: Chance


@dataclass(frozen=True, slots=True)
class Step:
    """The house owes this very action."""

    action: Action


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
    may name it together with others.
    """

    name: str
    title: Words
    odds: tuple[Odds, ...]
    article: str
    carries: bool = False
    boxed: bool = False
    family: str = ""


@dataclass(frozen=True, slots=True)
class Payout:
    """What became of one bet. In cents.

    `stake` lay on the layout at settlement; `returned` goes to the bettor (stake included); `carried` stays on the
    layout; `commission` was kept from the prize by the house. `why` tells it in words, with its article.
    """

    bet: str
    by: str
    spot: str
    stake: int
    returned: int
    why: Note
    carried: int = 0
    commission: int = 0


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
    """What one bettor may do now: bets as kinds with ranges, everything else as ready actions."""

    bets: tuple[BetOffer, ...] = ()
    actions: tuple[Action, ...] = ()


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
        """Bet -> cents that lie in escrow for it now; of one bettor, or of everybody. Empty once settled,
        but for what is carried."""

    def stakes(self) -> tuple[Stake, ...]:
        """All stakes on the layout, oldest first."""

    def payouts(self) -> tuple[Payout, ...]:
        """Once over: what became of each bet. Empty before."""

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
    """The pack that a game is dealt from: `decks` × 52 cards; `every_round` a fresh one (a machine, a single deck),
    else cut by a bettor, with `white_depth` cards behind the white card."""

    decks: int
    every_round: bool = False
    white_depth: int | None = None


def no_shoe(options: Any) -> ShoeRules | None:
    """The shoe of a game without cards."""
    return None


@dataclass(frozen=True, slots=True)
class Game:
    """One game of the house, as `tables.games.GAMES` lists it."""

    slug: str
    title: Words
    regulation: str
    editions: tuple[str, ...]
    options: type[Any]
    opened: Opened
    actions: tuple[type[Action], ...]
    articles: Mapping[str, Article]
    spots: Mapping[str, Spot]
    shoe: Callable[[Any], ShoeRules | None] = no_shoe


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
