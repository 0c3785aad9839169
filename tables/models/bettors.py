"""How the rules, the logs and the records name a player: by a key that is opaque to them. Only here is it "p7"."""

from __future__ import annotations

import re
from typing import NewType

Bettor = NewType("Bettor", str)
"""The key of a player."""

_KEY = re.compile(r"p[0-9]{1,18}")


def bettor_of(player_id: int) -> Bettor:
    """The key of this player."""
    return Bettor(f"p{player_id}")


def player_of(bettor: str) -> int:
    """The player behind a key of ours: of a log, a round, a session."""
    assert bettor[:1] == "p", bettor
    return int(bettor[1:])


def player_named(text: str) -> int | None:
    """The player behind a key that somebody else wrote; None if it is no key."""
    return player_of(text) if _KEY.fullmatch(text) else None
