"""The chat of a table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

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


def said_in_silence(log: RoundLog) -> list[ChatLine]:
    """Lines that stand where the log says that nobody might talk (none, if the house has done its duty)."""
    lines = list(ChatLine.objects.filter(log=log).order_by("number"))
    if not lines:
        return []
    silent = {0: opened_round(log).silence is not None}
    silent |= {line.seq: line.after.silence is not None for line in log_entries(log)}
    return [line for line in lines if silent[line.version]]
