"""How much one player, the guests of one network, and all together may write into the log of one round.

Nothing in a log is ever deleted, and whoever holds the lock of a round keeps the others waiting: so nobody may write
without end. What counts stands in the log itself, so the count is the same in every process. A round that is full
closes its betting early: everybody is told, and the pit is alerted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from django.conf import settings

from tables.base import security, sql
from tables.games.contract.actions import HOUSE, Action, Withdraw
from tables.games.contract.errors import Refused
from tables.games.contract.round import Pace
from tables.games.values.words import Words, say
from tables.models.bettors import bettor_of, player_of

from .round_session import RoundSession


class Budget:
    """What may still be written in a locked round.

    A stake may be taken back however much was written: that is no more than was laid. Once betting is over each has as
    many entries again, so that nobody who has spent theirs on bets is kept from deciding.
    """

    def __init__(self, session: RoundSession, players: Collection[int] = ()) -> None:
        """`players` are those who ask for something in this transaction, if they are several."""
        self._session = session
        self._players = players
        self._noted: set[str] = set()
        self._origins: dict[str, str] = {}
        self._asked: frozenset[str] = frozenset()
        self._guests: defaultdict[str, set[str]] = defaultdict(set)

    def refused(self, action: Action) -> Refused | None:
        """Why this bettor may not do this too; None if they may."""
        if isinstance(action, Withdraw):
            return None
        session, betting = self._session, self._session.round.pace is Pace.BETTING
        own = settings.LINES_PER_PLAYER if betting else 2 * settings.LINES_PER_PLAYER
        if session.lines.get(action.by, 0) >= own:
            words = say("Too many actions: %(most)s is the limit in a round.", most=own)
            return self._limited(action.by, "entries of one player", words)
        if not betting:
            return None
        if session.is_full:
            return Refused("round", say("This round has very many bets, so betting closes early."))
        shared = settings.LINES_PER_ADDRESS
        if session.version >= shared and self._with_neighbours(action.by) >= shared:
            words = say("Too many actions: the guests of your network have reached their limit in this round.")
            return self._limited(action.by, "entries of one network", words)
        return None

    def check(self, action: Action) -> None:
        """Raise Refused if this bettor may not do this too."""
        if (why := self.refused(action)) is not None:
            raise why

    def _limited(self, bettor: str, what: str, words: Words) -> Refused:
        if bettor not in self._noted:
            self._noted.add(bettor)
            log = self._session.log
            security.note(f"too many {what}", "limited", player=player_of(bettor), table=log.table_id, round=log.pk)
        return Refused("round", words)

    def _with_neighbours(self, bettor: str) -> int:
        """How many entries the guests of this guest's network have written; none if they are no guest."""
        if bettor not in self._asked:
            self._read_origins(bettor)
        origin = self._origins.get(bettor)
        return sum(self._session.lines.get(by, 0) for by in self._guests[origin]) if origin is not None else 0

    def _read_origins(self, bettor: str) -> None:
        """Read at once where all guests come from who have written in this round, or who ask to."""
        bettors = {bettor, *map(bettor_of, self._players), *self._session.lines} - {HOUSE}
        who, ids = sql.one_of(map(player_of, bettors))
        guests = f"SELECT id, origin FROM tables_player WHERE guest AND origin <> '' AND id {who}"  # noqa: S608
        self._origins = {bettor_of(pk): origin for pk, origin in sql.fetched(guests, [ids])}
        self._asked = frozenset(bettors)
        self._guests.clear()
        for guest, origin in self._origins.items():
            self._guests[origin].add(guest)


def used_up(session: RoundSession) -> bool:
    """Whether nobody, or not everybody, could bet any more in this round, however long it stayed open."""
    return session.is_full or any(
        count >= settings.LINES_PER_PLAYER for by, count in session.lines.items() if by != HOUSE
    )
