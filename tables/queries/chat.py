"""The chat of a table, and whom its players do not hear."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from tables.base import sql
from tables.models import ChatLine, RoundLog
from tables.models.bettors import Bettor, bettor_of

from .folds import log_entries, opened_round


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a table's chat; `number` counts from 1, `name` is the speaker's name at that time."""

    id: int
    number: int
    key: Bettor
    name: str
    text: str
    at: datetime


# ── The chat ────────────────────────────────────────────────────────────────────────────────────────────────

LINES_SHOWN = 60
"""So many of the last lines of a table can be read at most, and never less than ten fewer."""


def chat_of(table_id: int) -> tuple[Said, ...]:
    """The last lines that were said at a table, oldest first."""
    newest = ChatLine.objects.filter(table_id=table_id).order_by("-number")[:LINES_SHOWN]
    return tuple(
        Said(line.pk, line.number, bettor_of(line.player_id), line.name, line.text, line.at)
        for line in reversed(newest)
    )


Muted = tuple[tuple[str, str], ...]
"""Whom somebody does not want to hear: key and name, in the order of the names."""


def muted_by(players: Iterable[int]) -> dict[int, Muted]:
    """Whom each of these players has muted; who has muted nobody is left out."""
    who, ids = sql.one_of(set(players))
    found: dict[int, list[tuple[str, str]]] = {}
    for player, muted, name, username in sql.fetched(
        "SELECT mute.player_id, muted.id, muted.name, muted.username FROM tables_mute mute "  # noqa: S608
        f"JOIN tables_player muted ON muted.id = mute.muted_id WHERE mute.player_id {who}",
        [ids],
    ):
        found.setdefault(player, []).append((bettor_of(muted), name or username))
    return {player: tuple(sorted(muted, key=lambda one: one[::-1])) for player, muted in found.items()}


def said_in_silence(log: RoundLog) -> list[ChatLine]:
    """Lines that stand where the log says that nobody might talk (none, if the house has done its duty)."""
    lines = list(ChatLine.objects.filter(log=log).order_by("number"))
    if not lines:
        return []
    silent = {0: opened_round(log).silence is not None}
    silent |= {line.seq: line.after.silence is not None for line in log_entries(log)}
    return [line for line in lines if silent[line.version]]
