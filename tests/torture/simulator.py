"""The simulator: rounds of all games on a clock and a network of its own, in which messages go astray (C7 to C9, D1).

    python -m tests.torture.simulator [--seed N] [--rounds N] [--broken NAME] [--game NAME]

One thread, one seed, no database. A table deals by the rules; what is done in its rounds goes through the house's own
session (`RoundSession`), which is written into a ledger of dictionaries. What is announced goes over a bus to a feed,
which finds out what was lost by the house's own `Gaps`. One to three people, most often one, bet and decide by what
they were last shown, some of it too late, and ask again under the same ref until they are answered. Each message may be
dropped, doubled, delayed or overtaken by the next; lines break.

When a round is over and the lines have been quiet for a moment, everything is reckoned anew: see `Table.judge`.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from heapq import heappop, heappush
from itertools import count
from random import Random  # noqa: TID251 (a simulation that can be repeated: no chance of the house)
from time import perf_counter, process_time
from typing import Any, cast

import django

django.setup()

from tables.base import announce, refs  # noqa: E402
from tables.base.announce import TableChanged  # noqa: E402
from tables.base.refs import digest  # noqa: E402
from tables.base.timetable import Times  # noqa: E402
from tables.games import GAMES  # noqa: E402
from tables.games.contract.actions import (  # noqa: E402
    HOUSE,
    Action,
    Chance,
    Cut,
    DrawCard,
    HouseStep,
    Meter,
    PlaceBet,
    Seal,
    Step,
    Unseal,
    Void,
)
from tables.games.contract.errors import Refused  # noqa: E402
from tables.games.contract.round import SECOND_READING, Opening, Pace, Round, Stake  # noqa: E402
from tables.games.record import record_of  # noqa: E402
from tables.games.shared.limits import with_maximum  # noqa: E402
from tables.games.shared.options import options_json, read_options  # noqa: E402
from tables.games.values.cards import Card, pack  # noqa: E402
from tables.live.gaps import Gaps  # noqa: E402
from tables.models import Account, RoundLog  # noqa: E402
from tables.models import Table as StoredTable  # noqa: E402
from tables.models.bettors import bettor_of, player_of  # noqa: E402
from tables.queries.folds import Folded  # noqa: E402
from tables.queries.table import TableState  # noqa: E402
from tables.services.money import wallet  # noqa: E402
from tables.services.money.wallet import Holder, InsufficientFunds, Posting  # noqa: E402
from tables.services.rounds import round_session  # noqa: E402
from tables.services.rounds.decisions import in_time  # noqa: E402
from tables.services.rounds.refusals import Refusals  # noqa: E402
from tables.services.rounds.round_session import RoundSession  # noqa: E402
from tables.services.rounds.round_writer import update_head  # noqa: E402
from tests.house.kit import BY_MACHINE, MOST  # noqa: E402
from tests.records.anew_reading import played  # noqa: E402
from tests.records.test_anew import GAMES as ANEW  # noqa: E402

from . import broken  # noqa: E402

PEOPLE = {1: 4, 2: 1, 3: 1}
"""How many people play at a table, and how often: one who plays alone most of all."""

BEGAN = datetime(2066, 11, 21, 20, 0, tzinfo=UTC)
LOST_AFTER, LOOK_EVERY = 1.0, 0.5
"""Seconds, as in `tables.live.feeds` and `tables.live.hub`."""

QUIET = 4.0
"""Seconds for which a line is up before its screen is compared: a lost announcement has been noticed by then."""

FIRST_CENTS = 10_000_00
VOIDS = 0.01
"""The share of rounds that the pit calls off."""

FREEZES, FROZEN_S = 0.05, 3.0
"""The share of rounds that the pit freezes once, and for how many seconds."""


# ── The network ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class World:
    """Time, chance and what is on its way. Nothing happens but by its queue."""

    chance: Random
    now: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    _queue: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    _numbers: count[int] = field(default_factory=count)

    def later(self, seconds: float, what: Callable[[], None]) -> None:
        heappush(self._queue, (self.now + seconds, next(self._numbers), what))

    def send(self, what: Callable[[], None]) -> None:
        """A message on its way: dropped, doubled, delayed (so that others overtake it), or simply delivered."""
        dice = self.chance.random()
        if dice < 0.05:
            self.faults["dropped"] += 1
            return
        if dice < 0.10:
            self.faults["doubled"] += 1
            self.later(self.chance.uniform(0, 3), what)
        if dice > 0.90:
            self.faults["delayed"] += 1
            self.later(self.chance.uniform(0.2, 4), what)
        else:
            self.later(self.chance.uniform(0.01, 0.1), what)

    def run(self, table: Table, rounds: int) -> None:
        """Let happen what is to come, till the table has played so many rounds."""
        queue = self._queue
        while table.rounds <= rounds:
            self.now, _, what = heappop(queue)
            what()


# ── The house ───────────────────────────────────────────────────────────────────────────────────────────────


class Ledger:
    """The ledger in dictionaries: balances, and the keys that are used up."""

    def __init__(self) -> None:
        self.balances: defaultdict[Holder, int] = defaultdict(int)
        self.locked = wallet.Locked({})  # nobody else is there
        self.locked.balances = self.balances
        self.keys: set[str] = set()
        self.faults: list[str] = []

    def post(self, postings: list[Posting]) -> None:
        for posting in postings:
            if posting.key in self.keys:
                self.faults.append(f"I6: {posting.key} moved money twice")
            self.keys.add(posting.key)
            self.balances[posting.debit] -= posting.amount
            self.balances[posting.credit] += posting.amount


class Remembered(Refusals):
    """The refusals of a round in a dictionary."""

    def __init__(self) -> None:
        self.all: dict[str, Refused] = {}

    def of(self, ref: str, payload: str) -> Refused | None:
        return self.all.get(ref)

    def add(self, ref: str, payload: str, refusal: Refused) -> None:
        self.all[ref] = refusal


ANNOUNCED: list[announce.Announcement] = []
"""What the deed has announced that is under way (`run`)."""


class Session(RoundSession):
    """The house's session of a round, written into a ledger of dictionaries. Nothing is sealed: nobody could look."""

    def _remember_cut(self, position: int) -> None:
        pass

    def _save_clock(self) -> None:
        pass

    def _lies_closed(self, draw: DrawCard, after: Round) -> bool:
        return False

    def write_into(self, ledger: Ledger) -> list[TableChanged]:
        """Write what was staged; what is announced of it."""
        writer, accounts = self._writer, self._accounts
        assert accounts is not None
        before = (self.log.wait, self.log.due_at)
        writer._postings[:0] = writer._forgiven(accounts)
        writer._postings += writer._reset(accounts, self.version)
        update_head(self.log, self.round, self.version, self.times, self.now, at_once=writer._at_once)
        ledger.post(writer._postings)
        ANNOUNCED.clear()
        writer._announce(self.round, (self.log.wait, self.log.due_at) != before)
        return [one for one in ANNOUNCED if isinstance(one, TableChanged)]

    def use(self, ledger: Ledger) -> None:
        self._accounts = ledger.locked


@dataclass
class Ask:
    """Something that a bettor asks for, until they are answered."""

    ref: str
    action: Action
    tries: int = 0
    answer: str = ""


class Table:
    """One table of a game, its rounds one after the other, and those who play there."""

    def __init__(self, game: str, world: World) -> None:
        self.game, self.world = GAMES[game], world
        given: dict[str, Any] = dict(BY_MACHINE[game])
        self.options = read_options(self.game.options, with_maximum(self.game, given, MOST))
        self.jackpot = 1 if self.game.pool(self.options) is not None else None
        self.stored = StoredTable(pk=1, game=game, slug=game, realm=0, options=options_json(self.options))
        players = range(1, world.chance.choices(*zip(*PEOPLE.items(), strict=True))[0] + 1)
        self.ledger = Ledger()
        self.ledger.post([Posting(f"welcome:{p}", wallet.MINT, wallet.player(p), FIRST_CENTS, wallet.Reason.WELCOME, "")
                          for p in players])  # fmt: skip
        if self.jackpot is not None:
            seed = Posting("seed", wallet.HOUSE, wallet.jackpot(1), 500_000_00, wallet.Reason.SEED, "")
            self.ledger.post([seed])
        for holder in (wallet.escrow(1), wallet.float_of(1), wallet.HOUSE):
            self.ledger.balances[holder] += 0
        self.feed = Feed(self)
        self.people = [Person(player, self) for player in players]
        self.cards: list[Card] = []
        self.rounds = self.compared = self.screens = self.lines_done = self.due = 0
        self.faults: list[str] = []
        self.carried: tuple[Stake, ...] = ()
        self.begin()
        for person in self.people:
            person.want_all()  # as everybody is shown the whole felt when they come

    # ── rounds ──────────────────────────────────────────────────────────────────────────────────────────────

    def begin(self) -> None:
        self.rounds += 1
        seats: dict[str, int] = {person.key: person.player for person in self.people}
        self.opening = Opening(seats, self.carried, reading=SECOND_READING, commitment="sealed")
        self.log = RoundLog(
            pk=self.rounds, table=self.stored, number=self.rounds, game=self.game.slug, edition=self.options.edition,
            options=self.stored.options, opening={}, phase="", jackpot_id=self.jackpot,
            started_at=self.at(), wait_began_at=self.at(),
        )  # fmt: skip
        round_ = self.game.opened(self.options, self.opening)
        self.folded, self.newest = Folded(0, round_), Shown(self.rounds, 0)
        self.times = Times()
        self.refusals = Remembered()
        self.lines: list[Action] = []
        self.history: list[Round] = [round_]
        self.waits: list[str] = [round_.wait]
        self.before = self.ledger.balances.copy()
        update_head(self.log, round_, 0, self.times, self.at())
        rules = self.game.shoe(self.options)
        if rules is not None and len(self.cards) < 100:  # so a single deck is mixed for each round
            self.cards = list(pack(rules.decks))
            self.world.chance.shuffle(self.cards)
        self.doomed = self.world.chance.random() < VOIDS
        if self.world.chance.random() < FREEZES:
            self.world.later(self.world.chance.uniform(0, 30), partial(self.freeze, self.log))
        for person in self.people:
            person.asks.clear()
        self.tell([TableChanged(1)])
        self.wait()

    def at(self) -> datetime:
        return BEGAN + timedelta(seconds=self.world.now)

    def session(self) -> Session:
        session = Session(self.log, self.folded, self.times, self.at())
        session.use(self.ledger)
        session.refusals = self.refusals
        return session

    def commit(self, session: Session, *actions: Action) -> None:
        said = session.write_into(self.ledger)
        self.folded = Folded(session.version, session.round, session._refs, session.lines, session._chance)
        self.newest = Shown(self.rounds, session.version)
        for action in actions:
            self.lines.append(action)
            self.history.append(session.round)
            self.waits.append(session.round.wait)
        self.tell(said)
        self.wait()

    def tell(self, said: list[TableChanged]) -> None:
        for one in said:
            self.world.send(partial(self.feed.heard, one))
        self.feed.look_soon()

    def wait(self) -> None:
        """The dealer comes when something is due; or the next round begins, once the screens have been compared."""
        self.due += 1
        if self.folded.round.over:
            log = self.log
            self.world.later(self.times.result / 1000, lambda: self.end(log))
        elif self.log.due_at is not None:
            left = (self.log.due_at - self.at()).total_seconds()
            self.world.later(max(0.0, left), partial(self.deal, self.due))

    def freeze(self, log: RoundLog) -> None:
        """The pit looks at the round, if it is not over: nothing is done in it."""
        if log is self.log and not self.folded.round.over:
            self.world.faults["frozen"] += 1
            self.session().freeze(self.at() + timedelta(seconds=2 * FROZEN_S))
            self.wait()
            self.world.later(FROZEN_S, self.release)

    def release(self) -> None:
        self.session().release()
        self.wait()

    def deal(self, due_then: int) -> None:
        """The one thing that is due. A dealer who comes for something that is not due any more does nothing."""
        round_ = self.folded.round
        if due_then != self.due:
            return
        due = round_.next_house_step() or round_.on_timeout()
        assert due is not None
        nobody_plays = round_.pace is Pace.BETTING and not round_.in_escrow()
        if nobody_plays or (self.doomed and round_.pace is Pace.BEAT):
            due = Step(Void(remark="called off"))
        session = self.session()
        action = self.drawn(due)
        try:
            session.act(action)
        except InsufficientFunds:
            assert isinstance(due, Step) and due.otherwise is not None
            action = due.otherwise
            session.act(action)
        self.commit(session, action)

    def drawn(self, due: HouseStep) -> Action:
        if isinstance(due, Step):
            return due.action
        chance = self.world.chance
        match due.kind:
            case Chance.CARD:
                return DrawCard(card=self.cards.pop())
            case Chance.CUT:
                return Cut(HOUSE, position=chance.randint(10, 40))
            case Chance.POOL:
                return Meter(pool=self.ledger.balances[wallet.jackpot(1)])
            case Chance.SEAL:
                return Seal(commitment="sealed")
            case Chance.OPEN:
                throw = self.game.throw(self.options)
                assert throw is not None
                values = tuple(chance.randint(throw.least, throw.most) for _ in range(throw.count))
                return Unseal(values=values, salt="salt")
        raise AssertionError(due)

    # ── what people ask for ─────────────────────────────────────────────────────────────────────────────────

    def ask(self, round_id: int, person: Person, ref: str, action: Action) -> None:
        """A message has come: it is acted on once, in time, and answered."""
        if round_id != self.rounds:
            self.world.send(partial(person.answered, ref, "refused"))
            return
        bettor = bettor_of(person.player)
        own, payload = refs.own_ref(bettor, ref), digest(ref)
        session = self.session()
        if isinstance(action, PlaceBet):
            action = replace(action, bet=f"{self.rounds}-{session.version + 1}")

        def deed() -> None:
            in_time(session)
            session.act(action, own, payload)

        came = session.once(own, payload, deed)
        if isinstance(came, Refused):
            answer = f"refused: {came.words}"
        elif came.repeated:
            answer = "repeated"
        else:
            answer = "done"
            self.commit(session, action)
        self.world.send(partial(person.answered, ref, answer))

    # ── what must hold ──────────────────────────────────────────────────────────────────────────────────────

    def end(self, log: RoundLog) -> None:
        if log is self.log:
            self.judge()
            self.carried = self.folded.round.carried()
            self.begin()

    def judge(self) -> None:
        """I1, I3, I4, I5, I6, I9, I14, once the round is over."""
        round_, balances, say = self.folded.round, self.ledger.balances, self.fault
        if total := sum(balances.values()):
            say(f"I1: all accounts together hold {total}")
        for holder, cents in balances.items():
            if cents < 0 and holder[0] in (Account.Kind.PLAYER, Account.Kind.ESCROW, Account.Kind.JACKPOT):
                say(f"I3: {holder} holds {cents}")
        if balances[wallet.escrow(1)] != (lies := sum(round_.in_escrow().values())):
            say(f"I4: {balances[wallet.escrow(1)]} in escrow, {lies} on the layout")
        self.lines_done += self.folded.version
        self.faults += [f"round {self.rounds}: {fault}" for fault in self.ledger.faults]
        self.ledger.faults.clear()
        returned, carried = Counter[int](), Counter[int]()
        for payout in round_.payouts():
            returned[player_of(payout.by)] += payout.returned - payout.stake + payout.carried
        for person in self.people:
            holder = wallet.player(person.player)
            moved = balances[holder] - self.before[holder]
            fresh = sum(s.amount for s in round_.carried() if s.by == person.key)
            before = sum(s.amount for s in self.opening.carried if s.by == person.key)
            if not round_.is_void and moved != returned[person.player] - fresh + before - carried[person.player]:
                say(f"I9: the wallet of {person.key} changed by {moved}, not {returned[person.player]}")
            for ask in person.asks.values():
                lines = int(refs.own_ref(person.key, ask.ref) in self.folded.refs)
                if ask.answer in ("done", "repeated") and lines != 1:
                    say(f"I6: {ask.action} was answered {ask.answer!r} and stands in {lines} lines")
                if ask.answer.startswith("refused") and lines:
                    say(f"I6: {ask.action} was answered {ask.answer!r} and is done")
            self.screens += person.judge(say)
        self.reckon_anew(round_)

    def reckon_anew(self, round_: Round) -> None:
        """The round played once more by an implementation that shares nothing with the rules, where there is one."""
        anew = ANEW.get(self.game.slug)
        if anew is None or round_.is_void or self.rounds % AGAIN:
            return
        self.compared += 1
        record = record_of(self.game, self.options, self.opening, self.lines)
        outcome = played(json.loads(json.dumps(record)), anew.anew)
        back: Counter[str] = Counter()
        for payout in round_.payouts():
            back[payout.bet] += payout.returned
        if outcome == "error":
            self.fault("I9: the record cannot be played")
            return
        for bet in outcome["bets"]:
            taken_off = sum(trim.amount - trim.left for trim in getattr(round_, "trims", ()) if trim.bet == bet["id"])
            if bet["returned"] != back[bet["id"]] + taken_off:
                self.fault(f"I9: {bet['id']} returned {back[bet['id']]}, reckoned anew {bet['returned']}")

    def fault(self, text: str) -> None:
        self.faults.append(f"{self.game.slug}, round {self.rounds}: {text}")


# ── What people see ─────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Shown:
    """What a screen was shown: of which round, up to which line. (`Gaps` reads no more of a TableState.)"""

    round_id: int
    round_version: int
    table_version: int = 0


class Feed:
    """The feed of the table in one web process, as `tables.live.feeds.TableFeed` is, on simulated time."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.gaps = Gaps()
        self.state: Shown | None = None
        self.touched: set[int] | None = set()
        self.whole: set[int] = set()
        self.pushing = self.looking = self.waiting = False

    def heard(self, said: TableChanged) -> None:
        self.gaps.hear(said)
        self.changed(said.players)

    def changed(self, players: tuple[int, ...] | None) -> None:
        if players is None:
            self.touched = None
        elif self.touched is not None:
            self.touched.update(players)
        self.push_soon()

    def push_soon(self) -> None:
        if not self.pushing:
            self.pushing = True
            self.table.world.later(0.1, self.push)

    def push(self) -> None:
        self.pushing = False
        touched, self.touched = self.touched, set()
        whole, self.whole = self.whole, set()
        before, state = self.state, self.table.newest
        if before is not None and before.round_id != state.round_id:
            touched = None
        self.gaps.show(cast(TableState | None, before), cast(TableState, state), to_all=touched is None)
        if self.gaps.open and not self.waiting:
            self.waiting = True
            self.table.world.later(LOST_AFTER, partial(self.give_up, frozenset(self.gaps.open)))
        self.state = state
        for person in self.table.people:
            concerned = touched is None or person.player in touched
            person.deliver(before, state, private=concerned, whole=person.player in whole)

    def give_up(self, waited_for: frozenset[tuple[int, int]]) -> None:
        self.waiting = False
        if waited_for & self.gaps.open:
            self.changed(None)
        elif self.gaps.open:
            self.waiting = True
            self.table.world.later(LOST_AFTER, partial(self.give_up, frozenset(self.gaps.open)))

    def look_soon(self) -> None:
        if not self.looking:
            self.looking = True
            self.table.world.later(LOOK_EVERY, partial(self.look, None))

    def look(self, behind: Shown | None) -> None:
        """Whether the table has gone on and nobody has said so."""
        self.looking = False
        if self.state == self.table.newest:
            return
        if behind is not None and behind == self.state:
            self.changed(None)
        self.looking = True
        self.table.world.later(LOST_AFTER, partial(self.look, self.state))


class Person:
    """Somebody at the table, with a line that breaks now and then: in order while it is up, everything anew after."""

    def __init__(self, player: int, table: Table) -> None:
        self.player, self.table, self.key = player, table, bettor_of(player)
        self.asks: dict[str, Ask] = {}
        self.public: Shown | None = None
        self.private: Shown | None = None
        self.up_since = table.world.now
        self.up = True
        self._asked_at: tuple[int, str] = (0, "")
        self._arrives = 0.0
        self._refs = count(1)

    # ── what they are shown ─────────────────────────────────────────────────────────────────────────────────

    def deliver(self, base: Shown | None, state: Shown, *, private: bool, whole: bool) -> None:
        """A push on its way: in order, and none through a line that has broken meanwhile."""
        if not self.up:
            return
        world, line = self.table.world, self.up_since
        if world.chance.random() < 0.01:
            world.faults["line broken"] += 1
            self.up = False
            world.later(world.chance.uniform(0.5, 3), self.reconnect)
            return
        self._arrives = max(self._arrives, world.now + world.chance.uniform(0.01, 0.2))
        world.later(self._arrives - world.now, partial(self.see, line, base, state, private, whole))

    def reconnect(self) -> None:
        self.up, self.up_since = True, self.table.world.now
        self.want_all()

    def want_all(self) -> None:
        self.table.feed.whole.add(self.player)
        self.table.feed.push_soon()

    def see(self, line: float, base: Shown | None, state: Shown, private: bool, whole: bool) -> None:
        if line != self.up_since or not self.up:
            return
        if whole:
            private = True
        elif self.public != base:
            self.want_all()
            return
        self.public = state
        if private:
            self.private = state
        self.wish()

    def judge(self, say: Callable[[str], None]) -> int:
        """I14: what this screen shows is what the house would show now. How many screens were compared."""
        table = self.table
        if not self.up or table.world.now - self.up_since < QUIET:
            return 0
        newest = table.newest
        if self.public != newest:
            say(f"I14: the screen of {self.key} is at {self.public}, the house at {newest}")
        elif self.private != newest:
            assert self.private is not None
            own, view = self.private.round_version, table.game.view
            if self.private.round_id != newest.round_id:
                say(f"I14: what {self.key} sees in private is of round {self.private.round_id}")
            elif view(table.history[own], self.key).mine != view(table.folded.round, self.key).mine:
                say(f"I14: what {self.key} sees in private is of line {own}, the house is at {newest.round_version}")
        return 1

    # ── what they do ────────────────────────────────────────────────────────────────────────────────────────

    def wish(self) -> None:
        """What somebody wants who has just been shown this: some bets, or a decision. Once for each wait."""
        table, shown, chance = self.table, self.public, self.table.world.chance
        if shown is None or shown.round_id != table.rounds:
            return
        wait = table.waits[shown.round_version]
        if self._asked_at == (shown.round_id, wait):
            return
        seen = table.history[shown.round_version]
        if seen.pace is Pace.BETTING:
            self._asked_at = shown.round_id, wait
            offers = seen.offers(self.key).bets
            if not offers:
                return
            for at in range(chance.randint(1, 3)):
                offer = offers[0] if not at and not table.game.dealt_unstaked else chance.choice(offers)
                cents = offer.least + offer.step * chance.randint(0, 3)
                bet = PlaceBet(self.key, "", offer.spot, cents, offer.box)
                table.world.later(chance.uniform(0, 18.3), partial(self.begin_to_ask, shown.round_id, bet))
        elif seen.pace is Pace.DECISION and seen.default_for(self.key) is not None:
            self._asked_at = shown.round_id, wait
            actions = seen.offers(self.key).actions
            if actions:
                pause = chance.uniform(0, table.times.decision / 900)
                table.world.later(pause, partial(self.begin_to_ask, shown.round_id, chance.choice(actions)))

    def begin_to_ask(self, round_id: int, action: Action) -> None:
        if round_id == self.table.rounds:
            ask = Ask(f"r{next(self._refs)}", action)
            self.asks[ask.ref] = ask
            self.go_on(round_id, ask)

    def go_on(self, round_id: int, ask: Ask) -> None:
        """Ask, until there is an answer."""
        if not ask.answer and round_id == self.table.rounds and ask.tries < 8:
            ask.tries += 1
            self.table.world.send(partial(self.table.ask, round_id, self, ask.ref, ask.action))
            self.table.world.later(1.0, partial(self.go_on, round_id, ask))

    def answered(self, ref: str, answer: str) -> None:
        """The first answer counts; what comes of a doubled message says the same."""
        ask = self.asks.get(ref)
        if ask is not None and not ask.answer:
            ask.answer = answer


# ── The run ─────────────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def another_key() -> Iterator[None]:
    """Each copy of a message comes under a key of its own."""
    numbers, own_ref = count(), refs.own_ref
    with broken.changed("own_ref", lambda bettor, ref: own_ref(bettor, f"{ref}-{next(numbers)}"), of=refs):
        yield


@contextmanager
def deaf() -> Iterator[None]:
    """Nobody misses an announcement that was lost."""
    show = Gaps.show

    def show_to_all(self: Gaps, before: TableState | None, state: TableState, *, to_all: bool) -> None:
        show(self, before, state, to_all=True)

    with broken.changed("show", show_to_all, of=Gaps):
        yield


@contextmanager
def a_prize_is_lost() -> Iterator[None]:
    """What the house pays from its float to a bettor is left out, once in ten times."""
    paid, postings_of = count(), vars(round_session)["postings_of"]

    def without_some(*args: Any, **more: Any) -> list[Posting]:
        found = postings_of(*args, **more)
        return [one for one in found if one.reason is not wallet.Reason.PRIZE or next(paid) % 10]

    with broken.changed("postings_of", without_some, of=round_session):
        yield


@contextmanager
def forgotten() -> Iterator[None]:
    """Nobody remembers what was refused."""
    with broken.changed("add", lambda *_: None, of=Remembered):
        yield


BROKEN: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "another-key": another_key, "deaf": deaf, "forgotten": forgotten, "lost-prize": a_prize_is_lost,
}  # fmt: skip

AGAIN = 10
"""Of so many rounds one is reckoned anew by another implementation, which takes longer than to play it."""

TABLE_OF = 200
"""Rounds that are played at a table; then another opens, with a seed of its own."""


def run(games: list[str], rounds: int, seed: int, seconds: float, broken_by: str = "") -> dict[str, Any]:
    """So many rounds of these games, in turn, if there is time for them; what was found."""
    began = perf_counter()
    faults: Counter[str] = Counter()
    violations: list[str] = []
    done = compared = screens = lines = 0
    hear = broken.changed("_on_commit", lambda _, one: ANNOUNCED.append(one), of=announce)
    with hear, BROKEN[broken_by]() if broken_by else nullcontext():
        for number in count():
            left = min(TABLE_OF, rounds - done)
            if left <= 0 or perf_counter() - began > seconds:
                break
            game = games[number % len(games)]
            world = World(Random(f"{seed}.{number}"))
            table = Table(game, world)
            world.run(table, left)
            done, compared, screens = done + left, compared + table.compared, screens + table.screens
            lines += table.lines_done
            faults.update(world.faults)
            violations += [f"table {number}, {fault}" for fault in table.faults]
            if number % 50 == 49:
                print(
                    f"    {done:,} rounds, {done / (perf_counter() - began):.0f} a second", file=sys.stderr, flush=True
                )
    return {
        "rounds": done, "lines": lines, "compared": compared, "screens": screens, "faults": dict(faults),
        "violations": violations, "seconds": perf_counter() - began, "cpu": process_time(),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=500_000)
    parser.add_argument("--seconds", type=float, default=36_000)
    parser.add_argument("--broken", choices=BROKEN, default="")
    parser.add_argument("--game", choices=GAMES, action="append")
    wanted = parser.parse_args()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)  # nearly nothing here is garbage in a circle
    print(json.dumps(run(wanted.game or list(GAMES), wanted.rounds, wanted.seed, wanted.seconds, wanted.broken)))


if __name__ == "__main__":
    main()
