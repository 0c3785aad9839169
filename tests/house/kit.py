"""The notation of tests with a database: a house with a clock that is told the time and a shoe that is stacked."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from multiprocessing.sharedctypes import RawValue
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from django.conf import settings
from django.db import connection, transaction

from tables.base import announce, proof_format
from tables.base.chance import (
    LABELLED,
    UNLABELLED,
    ChanceSource,
    Kind,
    Label,
    OpenedPack,
    OpenedThrow,
    Pack,
    Vault,
    commitment_to,
)
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.identity import DealerIdentity
from tables.base.timetable import ATTENDED_FOR
from tables.base.transactions import unit_of_work
from tables.felt.newest import newest_states
from tables.games import GAMES
from tables.games.contract.actions import Action, NullThrow, Void
from tables.games.contract.errors import Refused
from tables.games.contract.game import Throw
from tables.games.contract.round import Round
from tables.games.shared.limits import with_maximum
from tables.games.values.cards import Card, cards
from tables.games.values.words import say
from tables.models import (
    Account,
    EnrolledDealer,
    Event,
    Jackpot,
    Kiosk,
    Lease,
    LoggedAction,
    PackSeed,
    Pairing,
    Played,
    Player,
    Realm,
    RoundLog,
    SealedThrow,
    Seat,
    Shoe,
    Table,
    Transfer,
    guards,
    seals,
    second_person,
)
from tables.models.bettors import bettor_of
from tables.proof.audit import audit
from tables.queries.folds import entries_of, fold_cache, round_of
from tables.services.dealing.advance import Outcome, advance
from tables.services.dealing.leases import DealerCredentials, take_lease
from tables.services.dealing.shoes import opened_pack as opened_by
from tables.services.journal import events
from tables.services.money import wallet
from tables.services.pit import authorisations, opening
from tables.services.players import people
from tables.services.rounds import decisions, seating
from tables.services.rounds.betting import BetRequest
from tables.services.rounds.round_session import Accepted, RoundSession, locked_round
from tests.arranged import seed_for
from tests.sentences import assert_said_in_all_languages

from . import deeds

T = TypeVar("T")

VAULT = Vault(settings.SHOE_KEY)
IDENTITY = DealerIdentity(settings.DEALER_KEY)
LEASE = timedelta(days=1)
MOST = 1_000_000_00
"""Cents: the maximum of a bet for which a test says none; more than anybody stakes."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

BY_MACHINE: Mapping[str, Mapping[str, Any]] = {
    "baccarat": {"dealing_device": "auto_machine"},
    "blackjack": {"dealing_device": "auto_shuffler", "initial_burn": "single"},
    "stud_poker": {"shuffle_method": "shuffler"},
    "three_card_baccarat": {"decks": 1},
    "roulette": {},
    "cussec": {},
}
"""Tables without a cut: Baccarat's machine has no ceremony, Blackjack's burns one card when it is loaded.

3-Card Baccarat has no machine: its box is cut, and one card burnt, before every round.
"""


MAIN_BETS: dict[str, tuple[str, int | None]] = {
    "baccarat": ("player", None),
    "blackjack": ("main", 1),
    "stud_poker": ("ante", 1),
    "three_card_baccarat": ("place", 1),
    "roulette": ("red", None),
    "cussec": ("big", None),
}
"""Where somebody in seat 1 stakes first: the spot and its box."""


class ToldClock:
    """A clock that stands still until it is told. Processes forked from a test see the same hands.

    It begins in a far year: pages ask the database's clock, and no night of a test may cross the hour of its run.
    """

    def __init__(self, at: datetime = datetime(2066, 11, 21, 20, 0, tzinfo=UTC)) -> None:
        self._since = RawValue("q")
        self.at = at

    @property
    def at(self) -> datetime:
        return EPOCH + timedelta(microseconds=self._since.value)

    @at.setter
    def at(self, at: datetime) -> None:
        self._since.value = (at - EPOCH) // timedelta(microseconds=1)

    def now(self) -> datetime:
        return self.at

    def pass_(self, **time: float) -> None:
        """Let so many seconds, minutes, … go by."""
        self.at += timedelta(**time)


class RunningClock(ToldClock):
    """The house's real clock, for tests of what only real time can show."""

    def now(self) -> datetime:
        return DATABASE_CLOCK.now()


@dataclass
class Stacked:
    """Chance that is arranged: the first cards of the next shoes (before the cut), and where the dealer cuts; or the
    next throws. Of what is thrown the least comes if nothing else is said."""

    shoes: list[tuple[Card, ...]] = field(default_factory=list)
    cut_at: int = 0
    throws: list[tuple[Throw, tuple[int, ...]]] = field(default_factory=list)

    def below(self, bound: int) -> int:
        return self.cut_at % bound

    def seed(self) -> str:
        if self.shoes:
            return seed_for(self.shoes.pop(0))
        return seed_of(self.throws.pop(0)) if self.throws else seed_for((), LEAST)


BALL, DICE = Throw(1, 0, 36), Throw(3, 1, 6)


@cache
def seed_of(*wanted: tuple[Throw, tuple[int, ...]]) -> str:
    """A seed from which these throws follow where nobody reveals a link: the first of a row that gives them."""
    row = (hashlib.sha256(f"{wanted}:{at}".encode()).hexdigest() for at in count())
    keys = ((seed, proof_format.key(seed, ())) for seed in row)
    return next(seed for seed, key in keys if all(proof_format.throw_of(key, throw) == of for throw, of in wanted))


LEAST = "3323650c7e00db56d71c2e784890bee1a8f1ffa34e335ff4137e223c20d425a0"
"""A seed of the least of everything, and of cards in the order of a fresh pack.

`seed_of((BALL, (0,)), (DICE, (1, 1, 1)))` finds it among thousands; each process of the tests would look as it starts.
"""

seed_for((), LEAST)


class Seeded:
    """Chance that is different for each seed and always the same for one: SHA-256 of the seed and a counter."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._drawn = 0

    def below(self, bound: int) -> int:
        self._drawn += 1
        digest = hashlib.sha256(f"{self._seed}:{self._drawn}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % bound

    def seed(self) -> str:
        self._drawn += 1
        return hashlib.sha256(f"{self._seed}:{self._drawn}".encode()).hexdigest()

    def mixed(self, things: Iterable[T]) -> list[T]:
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            chosen = self.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order

    def one_of(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]


def lawful(game: str, options: Mapping[str, Any], *, clock: Clock = DATABASE_CLOCK) -> dict[str, Any]:
    """Options that a table may open with: every bet has a maximum, and what is no default is authorised from now on."""
    given = with_maximum(GAMES[game], options, MOST)
    authorisations.bring(game, given, "TEST", clock=clock)
    return given


def open_table(
    slug: str, name: str, game: str, options: Mapping[str, Any], *, clock: Clock = DATABASE_CLOCK, **about: Any
) -> Table:
    """A table with these options, made lawful."""
    return opening.open_table(slug, name, game, lawful(game, options, clock=clock), clock=clock, **about)


def refusal_of(deed: Callable[[], object]) -> Refused:
    """The refusal that this deed meets; fails if it is accepted, or refused in no sentence of all languages."""
    with pytest.raises(Refused) as caught:
        deed()
    assert isinstance(caught.value.article, str)
    assert_said_in_all_languages(caught.value.words)
    return caught.value


def why_not(deed: Callable[[], object]) -> str:
    """What the house says when it refuses this."""
    return str(refusal_of(deed).words)


class House:
    """A house in a test. Everything it does goes through the real services."""

    resumes = True

    def __init__(self, chance: ChanceSource | None = None) -> None:
        self.clock: ToldClock = ToldClock()
        self.chance: ChanceSource = chance or Stacked()
        self._refs = 0
        self._credentials: dict[int, DealerCredentials] = {}

    def stack(self, text: str) -> None:
        """The next fresh pack begins with these cards."""
        assert isinstance(self.chance, Stacked)
        self.chance.shoes.append(cards(text))
        seed_for(self.chance.shoes[-1])  # processes that are forked from here on know of it

    def throw(self, *numbers: int, least: int = 0) -> None:
        """The next balls fall on these numbers; dice, the `least` of which is 1, on these faces."""
        assert isinstance(self.chance, Stacked)
        throw = DICE if least else BALL
        each = range(0, len(numbers), throw.count)
        self.chance.throws += [(throw, numbers[at : at + throw.count]) for at in each]

    # ── people and tables ───────────────────────────────────────────────────────────────────────────────────

    def player(self, name: str, *, username: str = "") -> Player:
        """A new player with the first credits."""
        player = Player.objects.create(username=username or name, name=name.title())
        people.welcome(player, clock=self.clock)
        return player

    def table(
        self,
        slug: str = "jade",
        *,
        game: str = "baccarat",
        times: Mapping[str, int] | None = None,
        jackpot: str | None = None,
        realm: Realm = Realm.FLOOR,
        **options: Any,
    ) -> Table:
        """A table with a machine unless the options say otherwise (see `BY_MACHINE`); somebody is there."""
        given, title = {**BY_MACHINE[game], **options}, slug.title()
        table = open_table(slug, title, game, given, times=times, jackpot=jackpot, realm=realm, clock=self.clock)
        enrol()
        taken = take_lease("test", LEASE, identity=IDENTITY, clock=self.clock)
        assert taken is not None
        self._credentials[taken[0]] = DealerCredentials("test", taken[1], self.chance, VAULT)
        self.attend(table)
        return table

    def attend(self, table: Table, *players: Player) -> None:
        """Somebody is at the table, and these players' lines are alive."""
        seating.heartbeat(table.pk, [player.pk for player in players], clock=self.clock)

    def credentials(self, table: Table) -> DealerCredentials:
        return self._credentials[table.pk]

    # ── the present ─────────────────────────────────────────────────────────────────────────────────────────

    def log(self, table: Table) -> RoundLog:
        """The table's present round, as stored."""
        log = Table.objects.select_related("round").get(pk=table.pk).round
        assert log is not None
        return log

    def round(self, table: Table) -> Round:
        """The table's present round, folded."""
        return round_of(self.log(table))

    def balance(self, player: Player) -> int:
        """Cents in a player's wallet."""
        return wallet.balance_of(player.pk)

    # ── deeds ───────────────────────────────────────────────────────────────────────────────────────────────

    def ref(self) -> str:
        self._refs += 1
        return f"ref-{self._refs:08}"

    def bet(self, player: Player, table: Table, spot: str, credits: int, box: int | None = None) -> None:
        """Place a bet in the present round. Raises Refused."""
        request = BetRequest(player.pk, self.ref(), spot, credits * 100, box)
        deeds.place(self.log(table).pk, request, clock=self.clock)

    def decide(self, player: Player, table: Table, kind: type[Action], **fields: Any) -> None:
        """Have a player do something in the present round. Raises Refused."""
        action = kind(player.key, **fields)
        decisions.decide(player.pk, self.log(table).pk, self.ref(), action, clock=self.clock)

    def refused(self, deed: Callable[[], object]) -> Refused:
        """The refusal that this deed meets; fails if it is accepted, or refused in no sentence of all languages."""
        return refusal_of(deed)

    def due(self, table: Table) -> None:
        """Let the time come for what is due next, with somebody at the table."""
        due_at, attended = Table.objects.values_list("round__due_at", "attended_until").get(pk=table.pk)
        if due_at is not None and due_at > self.clock.at:
            self.clock.at = due_at
        if attended is None or attended < self.clock.at + ATTENDED_FOR / 2:
            self.attend(table)  # a line that is alive says so every few seconds, not at every card

    def advance(self, table: Table) -> Outcome:
        """Have the dealer do the one thing that is due now. A table that stops by itself after too many void rounds the
        pit resumes at once, unless the test wants to see it (`resumes`)."""
        outcome = advance(table.pk, self.credentials(table), clock=self.clock)
        if self.resumes and outcome.acted and outcome.look_at is None:
            self._resume(table)
        return outcome

    def _resume(self, table: Table) -> None:
        if not Table.objects.filter(pk=table.pk, paused=True).exists():
            return
        last = Event.objects.filter(table=table).latest("seq")
        if last.deed == Event.Kind.TABLE_PAUSED and last.by_id is None:
            with unit_of_work():
                Table.objects.filter(pk=table.pk).update(paused=False)
                events.record(Event.Kind.TABLE_RESUMED, by=None, table=table.pk, clock=self.clock)

    def step(self, table: Table) -> Outcome:
        """Let the time come for what is due next, and have it done."""
        self.due(table)
        return self.advance(table)

    def take_over(self, table: Table, owner: str) -> None:
        """The lease of the dealer has run out, and another has taken the table."""
        Lease.objects.filter(table=table).update(expires_at=self.clock.at)
        taken = take_lease(owner, LEASE, identity=IDENTITY, clock=self.clock)
        assert taken is not None and taken[0] == table.pk
        self._credentials[table.pk] = DealerCredentials(owner, taken[1], self.chance, VAULT)

    def until(self, table: Table, phase: str, *, most: int = 200) -> Round:
        """Step until the present round is in `phase`."""
        for _ in range(most):
            if Table.objects.values_list("round__phase", flat=True).get(pk=table.pk) == phase:
                return self.round(table)
            self.step(table)
        raise AssertionError(f"{phase} never came; the round is in {self.log(table).phase}")

    def play_out(self, table: Table) -> RoundLog:
        """Step until the present round is over."""
        for _ in range(200):
            if Table.objects.values_list("round__settled_at", flat=True).get(pk=table.pk) is not None:
                return self.log(table)
            self.step(table)
        raise AssertionError("the round does not end")

    def in_order(self) -> None:
        """Fails with the faults that the audit finds."""
        report = audit(VAULT)
        assert report.clean, "\n".join(report.faults)


@contextmanager
def undone() -> Iterator[None]:
    """What happens in here is undone in the end; till then it counts as committed, as it does in a test."""
    _forget()
    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined]
    with block:
        try:
            yield
        finally:
            transaction.set_rollback(True)
            _forget()  # the ids of its rounds will come again


def _forget() -> None:
    fold_cache.clear()
    newest_states.clear()


def enrol() -> None:
    """The dealers of the tests are enrolled. No event tells of it: tests count those."""
    EnrolledDealer.objects.get_or_create(
        public_key=IDENTITY.public, defaults={"name": "tests", "enrolled_at": datetime(2066, 11, 21, tzinfo=UTC)}
    )


def opened_pack(shoe: Shoe) -> Pack:
    """What lies sealed in a shoe."""
    return opened_by(shoe, VAULT)


@dataclass(frozen=True)
class Before:
    """What was sealed under an earlier scheme: what was published of it, and the sealed text."""

    commitment: str
    sealed: bytes
    leaves: tuple[str, ...] | None = None


SALT = "5a17" * 8


def pack_before(label: Label, order: Sequence[Card], *, by_card: bool = False) -> Before:
    """A pack as it was sealed before there were keys, with its label or without."""
    opened = OpenedPack(label, SALT, tuple(order))
    sealed = _sealed_before(label, f"{SALT}:{' '.join(map(str, order))}")
    leaves = opened.leaves if by_card else None
    return Before(opened.commitment if leaves is None else commitment_to(leaves), sealed, leaves)


def throw_before(label: Label, values: Sequence[int]) -> Before:
    """A throw as it was sealed before there were keys."""
    opened = OpenedThrow(label, SALT, tuple(values))
    return Before(opened.commitment, _sealed_before(label, opened.opening.ljust(96)))


def _sealed_before(label: Label, text: str) -> bytes:
    return VAULT._seal.encrypt((f"{label.line}\n{text}" if label.scheme != UNLABELLED else text).encode())


def label(kind: Kind = Kind.PACK, number: int = 1, *, table: int = 1, scheme: int = LABELLED) -> Label:
    """A label for what lies in no table's row, of the scheme before if it is not said."""
    return Label(kind, table, number, datetime(2066, 11, 21, 20, 0, tzinfo=UTC), scheme)


def without_guards() -> None:
    """Take all guards away, as the owner of the database can; to be undone with the test."""
    editor: Any = SimpleNamespace(connection=connection, execute=connection.cursor().execute)
    guards.drop(editor, guards.GUARDED)
    seals.drop(editor)
    second_person.drop(editor, second_person.TABLES)


def answer(deed: Callable[[], object]) -> str:
    """What came of a deed, so that other processes can tell it: `done`, `repeated`, or the article of its refusal."""
    try:
        came = deed()
    except Refused as refusal:
        return refusal.article
    return "repeated" if isinstance(came, Accepted) and came.repeated else "done"


KINDS = (
    Table, Jackpot, Seat, PackSeed, Shoe, Lease, RoundLog, LoggedAction, SealedThrow, Account, Transfer, Played, Player,
    Kiosk, Pairing,
)  # fmt: skip
"""Whatever a deed could change."""


def everything() -> dict[str, list[tuple[Any, ...]]]:
    """Every row that a deed could change, as it stands in the database."""
    return {
        kind.__name__: [
            tuple(bytes(value) if isinstance(value, memoryview) else value for value in row)
            for row in kind._default_manager.order_by("pk").values_list()
        ]
        for kind in KINDS
    }


def bare_rows() -> list[list[tuple[Any, ...]]]:
    """The same rows in the database's own words, for who only compares them: read in a third of the time."""
    found = []
    with connection.cursor() as cursor:
        for kind in KINDS:
            cursor.execute(f'SELECT * FROM "{kind._meta.db_table}" ORDER BY "{kind._meta.pk.column}"')  # noqa: S608
            found.append(list(cursor.fetchall()))
    return found


def story(table: Table) -> dict[str, Any]:
    """All that happened at a table, told without ids and times: two tables with the same story had the same night."""
    numbers = dict(RoundLog.objects.filter(table=table).values_list("pk", "number"))
    names: dict[str, str] = {bettor_of(pk): name for pk, name in Player.objects.values_list("pk", "name")}

    def told(value: Any) -> Any:
        if isinstance(value, dict):  # no two seals are alike
            value = {key: what for key, what in value.items() if key not in ("commitment", "seed_commitment", "salt")}
        text = json.dumps(value)
        text = re.sub(r'"(p\d+)"', lambda key: json.dumps(names[key[1]]), text)
        return json.loads(re.sub(r'"(\d+)-(\d+)"', lambda bet: f'"{numbers[int(bet[1])]}-{bet[2]}"', text))

    def holder(account: Account) -> str:
        return account.player.name if account.player is not None else account.kind

    transfers = list(Transfer.objects.filter(log__table=table).select_related("debit__player", "credit__player"))
    wallets = {
        (account.player.name, account.balance)
        for moved in transfers
        for account in (moved.debit, moved.credit)
        if account.player is not None
    }
    return {
        "rounds": [
            {
                "head": (log.number, log.phase, log.version, log.void, log.settled_at is not None, told(log.result)),
                "opening": told(log.opening),
                "shoe": log.shoe.number if log.shoe is not None else None,
                "lines": [told(entry.action) for entry in entries_of(log)],
            }
            for log in RoundLog.objects.filter(table=table).select_related("shoe").order_by("number")
        ],
        "transfers": sorted(
            (numbers[moved.log_id or 0], moved.reason, holder(moved.debit), holder(moved.credit), moved.amount,
             told(moved.bet), told(moved.by))
            for moved in transfers
        ),
        "shoes": [
            (shoe.number, shoe.cut, shoe.dealt, shoe.white_shown, shoe.retired_at is not None,
             [str(card) for card in opened_pack(shoe).order])
            for shoe in Shoe.objects.filter(table=table).order_by("number")
        ],
        "seats": [
            (seat.number, seat.player.name, seat.away, seat.rounds_without_bet)
            for seat in Seat.objects.filter(table=table).select_related("player").order_by("number")
        ],
        "played": sorted(
            (line.log.number, line.player.name, line.staked, line.returned)
            for line in Played.objects.filter(log__table=table).select_related("log", "player")
        ),
        "wallets": sorted(wallets),
        "escrow": Account.objects.get(table=table, kind="escrow").balance,
    }  # fmt: skip


# ── What happens at a table without anybody of the pit ──────────────────────────────────────────────────────


@contextmanager
def locked_table_and_round(round_id: int, clock: Clock) -> Iterator[RoundSession]:
    """The session of a round whose table is locked before it, as whoever ends a round locks them."""
    with unit_of_work():
        table = Table.objects.select_for_update(of=("self",)).get(rounds=round_id)
        with locked_round(round_id, table=table, clock=clock) as session:
            yield session


def void_round(round_id: int, remark: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Cancel a running round: fresh stakes return in full, carried ones stay, prizes go back. Raises Refused."""
    with locked_table_and_round(round_id, clock) as session:
        if session.round.over:
            raise Refused("closed", say("The round is over"))
        session.act(Void(remark=remark))


def null_throw(round_id: int, reason: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """The throw of a running round does not count (a null spin, a cocked die), and why. Raises Refused."""
    with locked_table_and_round(round_id, clock) as session:
        if session.round.over:
            raise Refused("closed", say("The round is over"))
        session.act(NullThrow(reason=reason))


def change_shoe(table_id: int) -> None:
    """The next round begins with a fresh shoe; a running one is finished first."""
    with unit_of_work():
        table = Table.objects.select_for_update().get(pk=table_id)
        table.fresh_shoe_due = True
        table.version += 1
        table.save(update_fields=["fresh_shoe_due", "version"])
        announce.table_changed(table_id, version=table.version)
