"""What each role of the staff may do: one table, asked by every page, deed and socket of the pit."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from tables.games.contract.errors import Refused
from tables.games.values.words import say
from tables.models import Player, Role


class Right(StrEnum):
    """Something that not everybody of the staff may do."""

    WATCH = "watch"
    """Read the floor, its tables, rounds, people, events and reports."""
    ACKNOWLEDGE = "acknowledge"
    """Take note of an alert, by name."""
    RUN_TABLES = "run_tables"
    """Open, pause and close tables; set their pace and limits."""
    ORDER_CHIPS = "order_chips"
    """Ask for a fill or a credit."""
    CONFIRM_CHIPS = "confirm_chips"
    """Confirm what somebody else asked for."""
    COUNT = "count"
    """Count a float chip by chip; print slips of fills and credits."""
    DRAFT_OPTIONS = "draft_options"
    """Draft a change of house options, submit it, withdraw it; adopt what needs no authorisation."""
    RECORD_AUTHORISATION = "record_authorisation"
    """Record what the inspectorate answered."""
    RULE = "rule"
    """Rule on an irregularity of a round."""
    REVIEW = "review"
    """Rule on a review that a player has asked for."""
    ASK_ADJUSTMENT = "ask_adjustment"
    """Ask for a transfer that puts a mistake right."""
    APPROVE_ADJUSTMENT = "approve_adjustment"
    """Approve one that somebody else asked for."""
    WARN = "warn"
    """Warn and mute a player, remove them from their seat."""
    EXCLUDE = "exclude"
    """Exclude a player for a time or for good; set their limits."""
    COMP = "comp"
    """Give a player credits of the house."""
    NOTE = "note"
    """Write notes and bookmarks; keep the watch list."""
    RUN_KIOSKS = "run_kiosks"
    """Make kiosks and enrol their screens; restart, lock and retire them, and put a message on them."""
    HALT = "halt"
    """Stop new rounds of a game or of the whole floor; ask for the end of such a stop."""
    SECOND = "second"
    """Approve or refuse what somebody else asked for, if one may do or confirm such a thing at all."""
    APPOINT = "appoint"
    """Appoint staff, change a role, dismiss; remove a lost second factor."""
    ADMINISTER = "administer"
    """Correct a name, an address or an order in Django's admin."""


_PIT_BOSS = frozenset(
    {
        Right.WATCH,
        Right.ACKNOWLEDGE,
        Right.RUN_TABLES,
        Right.ORDER_CHIPS,
        Right.COUNT,
        Right.DRAFT_OPTIONS,
        Right.RULE,
        Right.REVIEW,
        Right.ASK_ADJUSTMENT,
        Right.WARN,
        Right.NOTE,
        Right.RUN_KIOSKS,
        Right.HALT,
        Right.SECOND,
    }
)

RIGHTS: Mapping[str, frozenset[Right]] = {
    Role.PIT_BOSS: _PIT_BOSS,
    Role.SHIFT_MANAGER: frozenset(Right),
    Role.SURVEILLANCE: frozenset({Right.WATCH, Right.NOTE}),
    Role.CAGE: frozenset({Right.WATCH, Right.CONFIRM_CHIPS, Right.COUNT, Right.SECOND}),
}
"""A role and its rights. Surveillance reads everything; it writes notes, and changes nothing else."""


def may(player: Player, right: Right) -> bool:
    """Whether this person may do this; nobody may who is not of the staff, or whose account is closed."""
    return player.is_active and right in RIGHTS.get(player.role, frozenset())


def demand(player: Player, right: Right) -> None:
    """Raise Refused unless this person may do this."""
    if not may(player, right):
        raise Refused("", say("Your role does not have this right."))
