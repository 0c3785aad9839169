"""The fold of a stored log, and its cache."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from threading import Lock

from django.db import transaction

from tables.games import GAMES
from tables.games.codec import action_from, opening_from
from tables.games.contract.actions import Action
from tables.games.contract.game import Game
from tables.games.contract.round import Round
from tables.games.shared.options import read_options
from tables.models import LoggedAction, RoundLog

# ── The fold, and its cache ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Folded:
    """A round folded up to `version`, and the refs of the deeds in it."""

    version: int
    round: Round
    refs: frozenset[str] = field(default=frozenset(), repr=False)


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
    game = game_of(log)
    round_, refs = known.round, set(known.refs)
    for data, ref in entries_of(log, after=known.version):
        round_ = round_.apply(action_from(game, data))
        if ref:
            refs.add(ref)
    result = Folded(log.version, round_, frozenset(refs))
    # On commit (at once outside a transaction): a line written in this very transaction may still be undone.
    transaction.on_commit(partial(fold_cache.keep, log.pk, result))
    return result


def entries_of(
    log: RoundLog, *, after: int = 0, by: str | None = None
) -> Iterable[tuple[dict[str, object], str | None]]:
    """Actions and refs of the log's entries behind `after`, up to its version: everybody's, or one bettor's."""
    lines = LoggedAction.objects.filter(log_id=log.pk, seq__gt=after, seq__lte=log.version)
    return (lines if by is None else lines.filter(by=by)).order_by("seq").values_list("action", "ref")


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
    """The log line by line, folded again from its beginning."""
    game, round_ = game_of(log), opened_round(log)
    lines = LoggedAction.objects.filter(log_id=log.pk, seq__lte=log.version).order_by("seq")
    for seq, at, data in lines.values_list("seq", "at", "action"):
        action = action_from(game, data)
        after = round_.apply(action)
        yield LogEntry(seq, at, action, round_, after)
        round_ = after
