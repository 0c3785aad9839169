"""Actions: what a log is made of, and what the house owes next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from tables.games.values.cards import Card
from tables.games.values.quick import quickly_made
from tables.games.values.words import Words, say

HOUSE = "house"
"""Who acts when nobody else does: the dealer."""


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
class HouseAction(Action):
    """An action that the dealer alone takes."""

    by: str = HOUSE


@quickly_made
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
    """The bettor moves the stake `bet`, whole, to `spot`; `box` where that is a spot of a box that they may choose."""

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
    """The bettor has left their seat, or their connection has dropped: they hold and decide nothing more.

    `for_good` if they have left it themselves: a connection that drops is no leaving.
    """

    do: ClassVar[str] = "leave"
    for_good: bool = False


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
class CloseBets(HouseAction):
    """No stake is added, moved or withdrawn from here."""

    do: ClassVar[str] = "close"


@quickly_made
@dataclass(frozen=True, slots=True)
class DrawCard(HouseAction):
    """Chance: the next card of the shoe. `exposed` if it came out face up by mistake. `salt` opens the commitment to
    the card (docs/proof.md; empty in rounds of before)."""

    do: ClassVar[str] = "card"
    card: Card = field(kw_only=True)
    exposed: bool = False
    salt: str = ""


@dataclass(frozen=True, slots=True)
class WhiteCard(HouseAction):
    """Chance: the cut card came out where the next card was due; it is shown and set aside."""

    do: ClassVar[str] = "white"


@dataclass(frozen=True, slots=True)
class Settle(HouseAction):
    """The house collects and pays."""

    do: ClassVar[str] = "settle"


class VoidReason(StrEnum):
    """Why a round is void."""

    PIT = "pit"  # the pit has cancelled it; the remark says why
    MISTAKE = "mistake"  # … that cannot be put right
    EXPOSED = "exposed"  # two cards came out face up
    MACHINE = "machine"  # what shuffles has failed
    THROW = "throw"  # nothing can be read from what was thrown
    LOST_THROW = "lost_throw"  # the sealed throw cannot be opened
    PACK_OUT = "pack_out"
    NO_MAIN_STAKE = "no_main_stake"  # nobody has the stake without which nothing is dealt
    ERROR = "error"  # the house has erred; the remark names it
    RESTORED = "restored"  # the house was restored to an earlier moment: what lay sealed may be known
    TABLE_CLOSES = "table_closes"  # never played: what was carried to it has gone back
    TABLE_PAUSES = "table_pauses"  # never played: nobody had a stake
    FULL = "full"  # never played: its log is full, and nobody has a stake
    NEW_EDITION = "new_edition"  # never played: nobody had a stake before the day of another edition


VOID_BECAUSE: Mapping[VoidReason, Words] = {
    VoidReason.PIT: say("the pit has cancelled it"),
    VoidReason.MISTAKE: say("a mistake that cannot be put right"),
    VoidReason.EXPOSED: say("two cards were exposed by mistake"),
    VoidReason.MACHINE: say("the machine has failed"),
    VoidReason.THROW: say("the throw cannot be read"),
    VoidReason.LOST_THROW: say("the sealed throw cannot be opened"),
    VoidReason.PACK_OUT: say("no card is left"),
    VoidReason.NO_MAIN_STAKE: say("nobody has the stake without which nothing is dealt"),
    VoidReason.ERROR: say("the house has erred"),
    VoidReason.RESTORED: say("the house was restored to an earlier moment"),
}
"""Why a round is void that was played, for the pit."""

UNPLAYED: Mapping[VoidReason, Words] = {
    VoidReason.TABLE_CLOSES: say("The table closes: this round is not played"),
    VoidReason.TABLE_PAUSES: say("The table pauses: this round is not played"),
    VoidReason.FULL: say("Too much was laid and taken back: this round is not played"),
    VoidReason.NEW_EDITION: say("Another edition of the regulation is in force: this round is not played"),
}
"""What everybody is told of a round that was never played."""


def void_because(reason: VoidReason, remark: str = "") -> Words:
    """Why a round is void, for the pit: the reason, with the remark if there is one; of what the pit has cancelled the
    remark says it."""
    if remark and reason is VoidReason.PIT:
        return Words(remark)
    why = VOID_BECAUSE.get(reason) or UNPLAYED[reason]
    return say("%(why)s: %(remark)s", why=why, remark=remark) if remark else why


@dataclass(frozen=True, slots=True)
class Void(HouseAction):
    """The round is cancelled and void; `reason` and the free `remark` are for the log and the pit."""

    do: ClassVar[str] = "void"
    reason: VoidReason = VoidReason.PIT
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Seal(HouseAction):
    """Chance: a throw has been drawn and sealed, and nobody can know it; `commitment` is what is published of it, and
    `seed_commitment` of the seed that it was made from (docs/proof.md; empty in rounds of before)."""

    do: ClassVar[str] = "seal"
    commitment: str = field(kw_only=True)
    seed_commitment: str = ""


@dataclass(frozen=True, slots=True)
class Unseal(HouseAction):
    """The sealed throw is opened: its values, and the salt that shows that they are those committed to."""

    do: ClassVar[str] = "unseal"
    values: tuple[int, ...] = field(kw_only=True)
    salt: str = ""


@dataclass(frozen=True, slots=True)
class NullThrow(HouseAction):
    """The throw does not count, and `reason` says why: a null spin, a cocked die."""

    do: ClassVar[str] = "null"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Meter(HouseAction):
    """The progressive jackpot as it stood when betting closed: `pool` cents, before what this round adds to it.

    With this line the stakes for the jackpot are taken: what they add goes to the pool.
    """

    do: ClassVar[str] = "meter"
    pool: int = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class GiveBack(HouseAction):
    """The house gives back all stakes that were carried to this round: it leaves them no more, or the table closes."""

    do: ClassVar[str] = "give_back"


@dataclass(frozen=True, slots=True)
class Refund(HouseAction):
    """The house gives the carried stake `bet` back to a bettor who is not at the table any more."""

    do: ClassVar[str] = "refund"
    bet: str = field(kw_only=True)


# ── What several games have ─────────────────────────────────────────────────────────────────────────────────

ALWAYS: tuple[type[Action], ...] = (Sit, Leave, CloseBets, Settle, Void)
"""What seats and house do in every game."""

CHANGES: tuple[type[Action], ...] = (Withdraw, Lower, Move, Ready)
"""What bettors do with their stakes on an open layout."""

CUTTING: tuple[type[Action], ...] = (Cut, Decline)
"""What bettors do who are offered the cut."""

CARDS: tuple[type[Action], ...] = (DrawCard, WhiteCard)
"""What comes out of a shoe."""

THROWS: tuple[type[Action], ...] = (Seal, NullThrow, Unseal)
"""What becomes of a throw."""


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


HouseStep = Draw | Step
