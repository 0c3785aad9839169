"""What a second person can be asked to approve, each in its typed shape, and how it is carried out.

Each deed calls the service that does it, in the name of whoever asked: the service checks everything anew and raises
`SecondPersonNeeded` where one person is not enough.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from tables.base.clock import Clock
from tables.base.rights import Right
from tables.games import GAMES
from tables.games.contract.errors import OptionError, Refused
from tables.games.values.words import Amount, Words, say
from tables.models import ApprovalRequest, Player, Realm, Role, RoundLog, Table

from . import corrections, halts, lifecycle, rulings, sanctions, staff

Kind = ApprovalRequest.Kind


@dataclass(frozen=True, slots=True)
class Deed(ABC):
    """Something that may need two persons. Its fields are its shape in the database; amounts are cents."""

    kind: ClassVar[Kind]
    asks: ClassVar[Right]
    """Who may ask for it."""
    approves: ClassVar[Right]
    """Who may approve it."""
    named_by: ClassVar[tuple[str, ...]] = ()
    """The fields that say of what one request waits at a time; where none is named, all of them."""
    holds: ClassVar[bool] = False
    """Whether the present round of its table is held while it waits."""
    sets_up_factor: ClassVar[bool] = False
    """Whether its player sets up a second factor afterwards, with a code that whoever approves hands over."""

    @abstractmethod
    def carry_out(self, by: Player, approved_by: Player | None, why: str, clock: Clock) -> None:
        """Do it in the name of `by`. Raises Refused, and SecondPersonNeeded if it needs two and is approved by none."""

    @abstractmethod
    def says(self) -> Words:
        """What it is about, in words."""

    @property
    def thing(self) -> str:
        """Of what one request waits at a time."""
        return ":".join(str(getattr(self, name)) for name in self.named_by or asdict(self))

    @property
    def about_player(self) -> int | None:
        return getattr(self, "player", None)

    @property
    def about_table(self) -> int | None:
        return getattr(self, "table", None)

    @property
    def about_log(self) -> int | None:
        return getattr(self, "log", None)


@dataclass(frozen=True, slots=True)
class Appointment(Deed):
    """Somebody becomes a member of the staff, or gets another role."""

    kind = Kind.APPOINT
    asks = approves = Right.APPOINT
    named_by = ("player",)
    sets_up_factor = True

    player: int
    role: str

    def carry_out(self, by: Player, approved_by: Player | None, why: str, clock: Clock) -> None:
        staff.appoint(by, _person(self.player), self.role, why, approved_by=approved_by, clock=clock)

    def says(self) -> Words:
        return say("%(name)s becomes %(role)s", name=_name(self.player), role=_role(self.role))


@dataclass(frozen=True, slots=True)
class FactorRemoval(Deed):
    """A member's second factor is removed; they set up a new one."""

    kind = Kind.REMOVE_FACTOR
    asks = approves = Right.APPOINT
    sets_up_factor = True

    player: int

    def carry_out(self, by: Player, approved_by: Player | None, why: str, clock: Clock) -> None:
        staff.remove_second_factor(by, _person(self.player), why, approved_by=approved_by, clock=clock)

    def says(self) -> Words:
        return say("The second factor of %(name)s is removed", name=_name(self.player))


@dataclass(frozen=True, slots=True)
class EmailChange(Deed):
    """Another e-mail address of a player."""

    kind = Kind.CHANGE_EMAIL
    asks = approves = Right.ADMINISTER
    named_by = ("player",)

    player: int
    email: str

    def carry_out(self, by: Player, approved_by: Player | None, why: str, clock: Clock) -> None:
        corrections.correct(by, _person(self.player), {"email": self.email}, why, approved_by=approved_by, clock=clock)

    def says(self) -> Words:
        return say("%(name)s: letters go to %(email)s", name=_name(self.player), email=self.email or "–")


@dataclass(frozen=True, slots=True)
class Comp(Deed):
    """A comp beyond what one member gives in a day. What is asked for under the same `ref` is given once."""

    kind = Kind.COMP
    asks = approves = Right.COMP
    named_by = ("player", "cents")

    player: int
    cents: int
    ref: str = ""

    def carry_out(self, by: Player, approved_by: Player | None, why: str, clock: Clock) -> None:
        sanctions.comp(by, self.player, self.cents, why, ref=self.ref, approved_by=approved_by, clock=clock)

    def says(self) -> Words:
        return say("%(cents)s to %(name)s", cents=Amount(self.cents), name=_name(self.player))


@dataclass(frozen=True, slots=True)
class Opening(Deed):
    """A new table with a large float."""

    kind = Kind.OPEN_TABLE
    asks = Right.RUN_TABLES
    approves = Right.CONFIRM_CHIPS
    named_by = ("slug",)

    slug: str
    name: str
    game: str
    options: Mapping[str, Any]
    times: Mapping[str, int] | None
    float_cents: int
    position: int
    jackpot: str | None
    realm: int

    def carry_out(self, by: Player, approved_by: Player | None, why: str, clock: Clock) -> None:
        try:
            lifecycle.open_new(
                by, self.slug, self.name, self.game, self.options,
                times=self.times, float_cents=self.float_cents, position=self.position, jackpot=self.jackpot,
                realm=Realm(self.realm), approved_by=approved_by, clock=clock,
            )  # fmt: skip
        except OptionError as error:
            raise Refused("", error.args[0]) from None
        except ValueError:
            raise Refused("", say("This jackpot does not go with this game.")) from None

    def says(self) -> Words:
        return say(
            "%(table)s, %(game)s, with a float of %(cents)s",
            table=self.name, game=GAMES[self.game].title, cents=Amount(self.float_cents),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reopening(Deed):
    """A closed table opens again with a large float."""

    kind = Kind.REOPEN_TABLE
    asks = Right.RUN_TABLES
    approves = Right.CONFIRM_CHIPS
    named_by = ("table",)

    table: int
    float_cents: int

    def carry_out(self, by: Player, approved_by: Player | None, why: str, clock: Clock) -> None:
        lifecycle.reopen(by, self.table, self.float_cents, approved_by=approved_by, clock=clock)

    def says(self) -> Words:
        return say("%(table)s, with a float of %(cents)s", table=_table(self.table), cents=Amount(self.float_cents))


@dataclass(frozen=True, slots=True)
class Void(Deed):
    """A ruling that voids a round in which stakes lie. The round is held meanwhile."""

    kind = Kind.VOID
    asks = approves = Right.RULE
    named_by = ("log",)
    holds = True

    log: int
    irregularity: str
    box: int | None
    ref: str

    def carry_out(self, by: Player, approved_by: Player | None, why: str, clock: Clock) -> None:
        rulings.rule(
            by, self.log, self.irregularity, why=why, ref=self.ref, box=self.box, approved_by=approved_by, clock=clock
        )

    def says(self) -> Words:
        log = RoundLog.objects.select_related("table").get(pk=self.log)
        what = GAMES[log.game].irregularity(self.irregularity)
        return say(
            "%(table)s, round %(round)s: %(what)s",
            table=str(log.table), round=log.number, what=what.happened(self.box) if what else self.irregularity,
        )  # fmt: skip

    @property
    def about_table(self) -> int | None:
        return RoundLog.objects.values_list("table_id", flat=True).get(pk=self.log)


@dataclass(frozen=True, slots=True)
class ClosingAtOnce(Deed):
    """The present round is void, and the table closes. A round with stakes is held meanwhile."""

    kind = Kind.CLOSE_AT_ONCE
    asks = approves = Right.RULE
    holds = True

    table: int

    def carry_out(self, by: Player, approved_by: Player | None, why: str, clock: Clock) -> None:
        lifecycle.close_at_once(by, self.table, why, approved_by=approved_by, clock=clock)

    def says(self) -> Words:
        return say("%(table)s: the present round is void, and the table closes", table=_table(self.table))


@dataclass(frozen=True, slots=True)
class PlayAgain(Deed):
    """A stop of play ends: rounds of a game, or of the whole floor, are begun again."""

    kind = Kind.PLAY_AGAIN
    asks = approves = Right.HALT

    game: str

    def carry_out(self, by: Player, approved_by: Player | None, why: str, clock: Clock) -> None:
        halts.end(by, self.game, why, approved_by=approved_by, clock=clock)

    def says(self) -> Words:
        return say("New rounds again: %(what)s", what=halts.words_of(self.game))


DEEDS: Mapping[str, type[Deed]] = {
    deed.kind: deed
    for deed in (
        Appointment, FactorRemoval, EmailChange, Comp, Opening, Reopening, Void, ClosingAtOnce, PlayAgain,
    )
}  # fmt: skip


def deed_of(request: ApprovalRequest) -> Deed:
    """The deed that a request asks for."""
    return DEEDS[request.kind](**request.asked)


def _person(player: int) -> Player:
    found = Player.objects.filter(pk=player).first()
    if found is None:
        raise Refused("", say("There is no such person."))
    return found


def _name(player: int) -> str:
    return str(Player.objects.filter(pk=player).first() or "")


def _role(role: str) -> str:
    return str(Role(role).label) if role in Role.values else role


def _table(table: int) -> str:
    return str(Table.objects.filter(pk=table).first() or "")
