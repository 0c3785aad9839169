"""What a client may say over its socket, parsed once, strictly.

A closed set of messages: exactly these keys, exactly these types (`true` is no number, `1.0` no integer). Anything
else is Malformed, with the reason, and goes no further.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

LONGEST = 4096
"""Bytes of the longest message."""

_REF = re.compile(r"[A-Za-z0-9_-]{8,40}")
_WORD = re.compile(r"[a-z][a-z0-9_]{0,39}")
_KEY = re.compile(r"p[0-9]{1,18}")
_BET = re.compile(r"[A-Za-z0-9_-]{1,40}")
_LARGEST = 2**53 - 1  # what JavaScript can count


class Malformed(ValueError):  # noqa: N818 (it says what the message is)
    """Not a message of ours; its text says what is wrong."""


@dataclass(frozen=True, slots=True)
class Message:
    """Something a client says. `do` names it."""

    do: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Resync(Message):
    """Send me everything: I have missed something."""

    do: ClassVar[str] = "resync"


@dataclass(frozen=True, slots=True)
class SitDown(Message):
    do: ClassVar[str] = "sit"
    ref: str
    seat: int


@dataclass(frozen=True, slots=True)
class StandUp(Message):
    do: ClassVar[str] = "stand_up"
    ref: str


@dataclass(frozen=True, slots=True)
class InRound(Message):
    """A deed in a round, under a ref that the client made."""

    round: int
    ref: str


@dataclass(frozen=True, slots=True)
class Bet(InRound):
    do: ClassVar[str] = "bet"
    spot: str
    amount: int
    box: int | None = None


@dataclass(frozen=True, slots=True)
class Withdraw(InRound):
    do: ClassVar[str] = "withdraw"
    bet: str


@dataclass(frozen=True, slots=True)
class Lower(InRound):
    do: ClassVar[str] = "lower"
    bet: str
    amount: int


@dataclass(frozen=True, slots=True)
class Move(InRound):
    do: ClassVar[str] = "move"
    bet: str
    spot: str


@dataclass(frozen=True, slots=True)
class Ready(InRound):
    do: ClassVar[str] = "ready"


@dataclass(frozen=True, slots=True)
class Cut(InRound):
    do: ClassVar[str] = "cut"
    position: int


@dataclass(frozen=True, slots=True)
class Decline(InRound):
    do: ClassVar[str] = "decline"


@dataclass(frozen=True, slots=True)
class Turn(InRound):
    do: ClassVar[str] = "turn"
    hand: str


@dataclass(frozen=True, slots=True)
class Waive(InRound):
    do: ClassVar[str] = "waive"
    hand: str


@dataclass(frozen=True, slots=True)
class Pass(InRound):
    do: ClassVar[str] = "pass"
    hand: str
    to: str


_MESSAGES: dict[str, type[Message]] = {
    kind.do: kind
    for kind in (Resync, SitDown, StandUp, Bet, Withdraw, Lower, Move, Ready, Cut, Decline, Turn, Waive, Pass)
}


def _whole(value: object) -> bool:
    return type(value) is int and 0 <= value <= _LARGEST


def _text(pattern: re.Pattern[str]) -> Callable[[object], bool]:
    return lambda value: type(value) is str and pattern.fullmatch(value) is not None


_FIELDS: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "round": (_whole, "a whole number"),
    "ref": (_text(_REF), "8 to 40 letters and digits"),
    "seat": (_whole, "a whole number"),
    "spot": (_text(_WORD), "the name of a spot"),
    "amount": (_whole, "a whole number of cents"),
    "box": (lambda value: value is None or _whole(value), "a whole number or null"),
    "bet": (_text(_BET), "the name of a bet"),
    "position": (_whole, "a whole number"),
    "hand": (_text(_WORD), "the name of a hand"),
    "to": (_text(_KEY), "a bettor"),
}
_OPTIONAL = {"box"}


def parse(text: str) -> Message:
    """The message that `text` is. Raises Malformed."""
    if len(text.encode("utf-8", "surrogatepass")) > LONGEST:
        raise Malformed("longer than 4096 bytes")
    try:
        data = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except RecursionError:
        raise Malformed("nested too deeply") from None
    except Malformed:
        raise
    except ValueError:
        raise Malformed("not JSON") from None
    if type(data) is not dict:
        raise Malformed("not an object")
    kind = _MESSAGES.get(data["do"]) if type(data.get("do")) is str else None
    if kind is None:
        raise Malformed("an unknown message")
    fields = {name: value for name, value in data.items() if name != "do"}
    expected = {field for field in kind.__dataclass_fields__ if field != "do"}
    if unknown := fields.keys() - expected:
        raise Malformed(f"unknown key: {min(unknown)[:40]}")
    if missing := expected - fields.keys() - _OPTIONAL:
        raise Malformed(f"missing key: {min(missing)}")
    for name, value in fields.items():
        fits, what = _FIELDS[name]
        if not fits(value):
            raise Malformed(f"{name} must be {what}")
    return kind(**fields)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise Malformed("a key stands twice")
    return result


def _constant(name: str) -> None:
    raise Malformed(f"{name} is no number")
