"""What was refused in a round stays refused.

A message may come twice, over an old line and a new one, and the round may go on between the two copies: then the
second might be done, though whoever asked was told that nothing had changed. So refusals are kept until the round is
over, under its lock and with what was answered; from then on everything is refused.

Of one bettor so many are kept, and no more: then all that they ask for in this round is refused, whichever copy comes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from datetime import datetime
from typing import Any, TypedDict

from django.conf import settings

from tables.base import security, sql
from tables.base.refs import ONE_OF, bettor_in, own_ref, used_for_another
from tables.games.contract.errors import Refused
from tables.games.values.words import say, words_from, words_json
from tables.models import RefusedDeed, RoundLog
from tables.models.bettors import Bettor, player_of


class _Row(TypedDict):
    """A refusal as it is stored: the ref, the digest of what was asked, what was answered."""

    ref: str
    payload: str
    answer: dict[str, Any]


class Refusals:
    """The refusals of a locked round: those of before, and those of this transaction."""

    def __init__(self, log: RoundLog) -> None:
        self._log = log
        self._known: dict[str, tuple[str, Refused] | None] = {}
        self._kept: Counter[Bettor] = Counter()
        self._new: list[_Row] = []

    def read(self, refs: Collection[str]) -> None:
        """Read at once what was refused under these refs: of several deeds, before each is looked at by itself."""
        self._known |= dict.fromkeys(refs)
        if self._log.refused_at is not None:
            asked = {*refs, *(_number_of(bettor_in(ref)) for ref in refs)}
            rows = RefusedDeed.objects.filter(log_id=self._log.pk, ref__in=asked)
            for ref, payload, answer in rows.values_list("ref", "payload", "answer"):
                if ref in self._known:
                    self._known[ref] = payload, _refused(answer)
                else:
                    self._kept.setdefault(bettor_in(ref), answer["kept"])

    def of(self, ref: str, payload: str) -> Refused | None:
        """What was answered if this was refused before, or all that its bettor asks for is; another refusal if
        something else was refused under the same ref."""
        if ref not in self._known:
            self.read([ref])
        known = self._known[ref]
        if known is None:
            return self._too_many() if self._kept[bettor_in(ref)] >= settings.REFUSALS_PER_PLAYER else None
        asked, refusal = known
        return refusal if asked == payload else used_for_another(ref)

    def add(self, ref: str, payload: str, refusal: Refused) -> None:
        """Keep a refusal for `write`."""
        bettor, log = bettor_in(ref), self._log
        self._known[ref] = payload, refusal
        answer = {"article": refusal.article, "words": words_json(refusal.words), "most": refusal.most}
        self._new.append({"ref": ref, "payload": payload, "answer": answer})
        self._kept[bettor] += 1
        if self._kept[bettor] == settings.REFUSALS_PER_PLAYER:
            who = player_of(bettor)
            security.note("too many refusals of one player", "limited", player=who, table=log.table_id, round=log.pk)

    def _too_many(self) -> Refused:
        most = settings.REFUSALS_PER_PLAYER
        words = say("Too many refusals: after %(most)s nothing more is done for you in this round.", most=most)
        return Refused("round", words)

    def write(self, *, over: bool, now: datetime) -> None:
        """Store what is new; once the round is over, nothing is kept of it."""
        log = self._log
        if over:
            if log.refused_at is not None:
                sql.execute('DELETE FROM "tables_refuseddeed" WHERE log_id = %s', [log.pk])
            return
        if not self._new:
            return
        numbers: list[_Row] = [
            {"ref": _number_of(bettor), "payload": "", "answer": {"kept": self._kept[bettor]}}
            for bettor in {bettor_in(row["ref"]) for row in self._new}
        ]
        columns = {"ref": "text", "payload": "text", "answer": "jsonb"}
        sql.execute(
            'INSERT INTO "tables_refuseddeed" (log_id, ref, payload, answer) '  # noqa: S608
            f"SELECT %s, row.ref, row.payload, row.answer FROM {sql.rows(columns)} WHERE true "
            "ON CONFLICT (log_id, ref) DO UPDATE SET answer = excluded.answer",
            [log.pk, json.dumps([*self._new, *numbers])],
        )
        if log.refused_at is None:
            sql.execute('UPDATE "tables_roundlog" SET refused_at = %s WHERE id = %s', [sql.moment(now), log.pk])
            log.refused_at = now


def _number_of(bettor: Bettor) -> str:
    """Under this, which no client may send, stands how many refusals are kept of this bettor."""
    return own_ref(bettor, ONE_OF)


def _refused(answer: dict[str, Any]) -> Refused:
    return Refused(answer["article"], words_from(answer["words"]), most=answer["most"])
