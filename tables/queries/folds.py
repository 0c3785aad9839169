"""The fold of a stored log, and its cache."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial, reduce
from operator import or_
from threading import Lock
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

from tables.base.closed_cards import opened_line
from tables.base.refs import message_of
from tables.games import GAMES
from tables.games.codec import action_from, opening_from
from tables.games.contract.actions import Action, DrawCard, Unseal
from tables.games.contract.game import Game
from tables.games.contract.round import Round
from tables.games.shared.options import read_options
from tables.games.values.cards import Card
from tables.games.values.layered import Layered
from tables.models import LoggedAction, RoundLog

from .archived import lines_of

# ── The fold, and its cache ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Chance:
    """What chance has brought in a round: the cards in the order in which they were drawn, and the throw that was
    opened last.

    The card of each draw is an object of its own, and the very one that lies in the round: so equal cards of several
    decks are told apart.
    """

    draws: tuple[DrawCard, ...] = ()
    throw: Unseal | None = None

    def then(self, action: Action) -> Chance:
        """With one more action, as `by_itself` has given it."""
        match action:
            case DrawCard():
                return replace(self, draws=(*self.draws, action))
            case Unseal():
                return replace(self, throw=action)
            case _:
                return self


def by_itself(action: Action) -> Action:
    """The same action; the card that it draws is an object of its own."""
    if not isinstance(action, DrawCard):
        return action
    return replace(action, card=Card(action.card.rank, action.card.suit))


@dataclass(frozen=True, slots=True)
class Folded:
    """A round folded up to `version`.

    `refs`: those of its entries, and of the messages that these come of, with the digest of what was asked under them.
    `lines`: how many entries each has written. `chance`: what was drawn.
    """

    version: int
    round: Round
    refs: Layered[str, str] = field(default_factory=lambda: Layered({}), repr=False)
    lines: Mapping[str, int] = field(default_factory=dict, repr=False)
    chance: Chance = field(default=Chance(), repr=False)


def with_ref(refs: Layered[str, str], ref: str, payload: str) -> Layered[str, str]:
    """These refs, with that of one more entry and of its message, and the digest of what was asked under them."""
    for one in dict.fromkeys((ref, message_of(ref))):
        refs = refs.having(one, payload)
    return refs


class _Cache:
    """The newest fold of the rounds last asked for; only new lines are read. Safe to use from several threads."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._folds: OrderedDict[int, Folded] = OrderedDict()
        self._lock = Lock()

    def get(self, log_id: int) -> Folded | None:
        with self._lock:
            return self._folds.get(log_id)

    def keep(self, log_id: int, folded: Folded) -> None:
        with self._lock:
            known = self._folds.get(log_id)
            if known is None or known.version < folded.version:
                self._folds[log_id] = folded
            self._folds.move_to_end(log_id)
            while len(self._folds) > self._size:
                self._folds.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._folds.clear()


fold_cache = _Cache(512)


def game_of(log: RoundLog) -> Game:
    """The game of a stored round."""
    return GAMES[log.game]


def opened_round(log: RoundLog) -> Round:
    """The round as it was before anybody acted."""
    game = game_of(log)
    round_: Round = game.opened(read_options(game.options, log.options), opening_from(log.opening))
    return round_


def folded(log: RoundLog) -> Folded:
    """The fold of `log` up to the version that this row names; reads only the lines not folded yet."""
    known = fold_cache.get(log.pk)
    if known is None or known.version > log.version:
        known = Folded(0, opened_round(log))
    elif known.version == log.version:
        return known
    return _folded_on(log, known, entries_of(log, after=known.version))


def rounds_of(logs: Iterable[RoundLog]) -> dict[int, Round]:
    """The folds of several stored rounds, by id of the log; what is not folded yet of `AT_ONCE` is read together."""
    behind: dict[int, tuple[RoundLog, Folded]] = {}
    rounds: dict[int, Round] = {}
    missing: list[Q] = []
    for log in logs:
        known = fold_cache.get(log.pk)
        if known is not None and known.version == log.version:
            rounds[log.pk] = known.round
            continue
        if known is None or known.version > log.version:
            known = Folded(0, opened_round(log))
        behind[log.pk] = log, known
        missing.append(Q(log_id=log.pk, seq__gt=known.version, seq__lte=log.version))
    read: defaultdict[int, list[Entry]] = defaultdict(list)
    for some in any_of(missing):
        lines = LoggedAction.objects.filter(some).order_by("log_id", "seq")
        for log_id, *entry in lines.values_list("log_id", *Entry._fields):
            read[log_id].append(_opened(behind[log_id][0], Entry._make(entry)))
    return rounds | {pk: _folded_on(log, known, read[pk]).round for pk, (log, known) in behind.items()}


AT_ONCE = 400
"""So many conditions of one query, one for each table, at the most: SQLite takes fewer than 1,000."""


def any_of(conditions: Sequence[Q]) -> Iterator[Q]:
    """Conditions of which any may hold, as few queries take them."""
    for at in range(0, len(conditions), AT_ONCE):
        yield reduce(or_, conditions[at : at + AT_ONCE])


def _folded_on(log: RoundLog, known: Folded, entries: Iterable[Entry]) -> Folded:
    """What is known of the log, and these further entries of it."""
    game = game_of(log)
    round_, refs, lines = known.round, known.refs, Counter(known.lines)
    chance = known.chance
    for entry in entries:
        action = by_itself(action_from(game, entry.action))
        round_, chance = round_.apply(action), chance.then(action)
        lines[action.by] += 1
        if entry.ref:
            refs = with_ref(refs, entry.ref, entry.payload or "")
    result = Folded(log.version, round_, refs, lines, chance)
    # On commit (at once outside a transaction): a line written in this very transaction may still be undone.
    transaction.on_commit(partial(fold_cache.keep, log.pk, result))
    return result


class Entry(NamedTuple):
    """One entry of a log: the action as JSON, with its card if it lies face down; its ref, and the digest of what was
    asked under it; its place in the log, from 1."""

    action: dict[str, object]
    ref: str | None
    payload: str | None
    seq: int


def line_of(log: RoundLog, seq: int, stored: dict[str, object]) -> dict[str, object]:
    """A line of this log as the rules read it. Raises ValueError if a card sealed in it cannot be opened."""
    return opened_line(log.pk, seq, stored, log.turned)


def _opened(log: RoundLog, entry: Entry) -> Entry:
    return entry._replace(action=line_of(log, entry.seq, entry.action))


def entries_of(log: RoundLog, *, after: int = 0, by: str | None = None) -> Iterator[Entry]:
    """The log's entries behind `after`, up to its version: everybody's, or one bettor's. Raises ArchiveError."""
    if log.archive_id is not None:
        there = (line for line in lines_of(log) if after < line.seq <= log.version and by in (None, line.by))
        return (_opened(log, Entry(line.action, line.ref, line.payload, line.seq)) for line in there)
    lines = LoggedAction.objects.filter(log_id=log.pk, seq__gt=after, seq__lte=log.version)
    stored = (lines if by is None else lines.filter(by=by)).order_by("seq").values_list(*Entry._fields)
    return (_opened(log, Entry._make(each)) for each in stored)


def round_of(log: RoundLog) -> Round:
    """The fold: the stored round as it is now."""
    return folded(log).round


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of a stored log, with the round before and after it. `seq` counts from 1."""

    seq: int
    at: datetime
    action: Action
    before: Round
    after: Round


def log_entries(log: RoundLog) -> Iterator[LogEntry]:
    """The log line by line, folded again from its beginning. Raises ArchiveError."""
    game, round_ = game_of(log), opened_round(log)
    lines: Iterable[tuple[int, datetime, dict[str, object]]]
    if log.archive_id is None:
        stored = LoggedAction.objects.filter(log_id=log.pk, seq__lte=log.version).order_by("seq")
        lines = stored.values_list("seq", "at", "action")
    else:
        lines = ((line.seq, line.at, line.action) for line in lines_of(log) if line.seq <= log.version)
    for seq, at, data in lines:
        action = action_from(game, line_of(log, seq, data))
        after = round_.apply(action)
        yield LogEntry(seq, at, action, round_, after)
        round_ = after
