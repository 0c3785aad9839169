"""Closed cards: how a card that nobody may see yet stands in a round's log.

While people decide, a reader of the database learns nothing of a card that lies face down: its line holds the card
sealed with what opens its commitment, by a key that only the house's processes have. The label within says which line
of which log it is, so no line opens as another. When the round is over, its cards are written beside the log in clear
(`RoundLog.turned`), so that no finished round needs a key.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from cryptography.fernet import InvalidToken
from django.conf import settings

from .seals import Seal

SEALED = "sealed"
"""The part of a line that stands in place of what is hidden."""

HIDDEN = ("card", "salt")
"""The parts of a line that are hidden while its card lies face down; a round of before has no salts."""


def sealed_line(log_id: int, seq: int, line: Mapping[str, object]) -> dict[str, object]:
    """The line of a card as it is stored while the card lies face down."""
    rest = {name: value for name, value in line.items() if name not in HIDDEN}
    hidden = " ".join(str(line[name]) for name in HIDDEN if name in line)
    return rest | {SEALED: _seal().encrypt(f"{_label(log_id, seq)} {hidden}".encode()).decode()}


def opened_line(log_id: int, seq: int, line: dict[str, object], turned: Mapping[str, str] | None) -> dict[str, object]:
    """A line as the rules read it; `turned` are the closed cards of a round that is over, by line.

    Raises ValueError for a sealed line that the keys of the house do not open, or that is of another place.
    """
    if SEALED not in line:
        return line
    hidden = (turned or {}).get(str(seq)) or hidden_in(log_id, seq, str(line[SEALED]))
    return {name: value for name, value in line.items() if name != SEALED} | dict(
        zip(HIDDEN, hidden.split(), strict=False)
    )


def hidden_in(log_id: int, seq: int, sealed: str) -> str:
    """What is hidden in a sealed line: the card, and its salt if it has one. Raises ValueError if it cannot be opened,
    or is that of another line."""
    try:
        label, _, hidden = _seal().decrypt(sealed.encode()).decode().partition(" ")
    except InvalidToken:
        raise ValueError(f"the card in line {seq} was sealed with another key") from None
    if label != _label(log_id, seq):
        raise ValueError(f"the card in line {seq} was sealed as that of {label}")
    return hidden


def _label(log_id: int, seq: int) -> str:
    """Which line of which log: equally long for all, so that the length of a seal tells nothing."""
    return f"{log_id:020}:{seq:06}"


def _seal() -> Seal:
    return _seal_with((settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))


@cache
def _seal_with(keys: tuple[str, ...]) -> Seal:
    return Seal("closed card", keys)
