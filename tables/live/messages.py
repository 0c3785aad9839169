"""What a client may say over its socket, parsed once, strictly.

A closed set of messages with exactly these keys, exactly these types (`true` is no number, `1.0` no integer); and
deeds, whose names and needs each game knows, in one narrow shape. Anything else is Malformed, with the reason, and goes
no further.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tables.models.bettors import player_named

MAX_MESSAGE_BYTES = 4096
"""Bytes of the longest message."""

_REF = re.compile(r"[A-Za-z0-9_-]{8,40}")
_WORD = re.compile(r"[a-z][a-z0-9_]{0,39}")
_FIELD = re.compile(r"[a-z_]{1,20}")
_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,40}")
_LINK = re.compile(r"[0-9a-f]{64}")
_LARGEST = 2**53 - 1  # what JavaScript can count

MAX_TEXT_CHARACTERS = 1000
"""Characters of a text as it comes; what is left of it when it is cleaned must be shorter."""

MAX_BETS = 50
"""So many bets may lie in one message."""

MAX_FIELDS = 6
"""So much a deed of a game may say beside its round and its ref."""


class Malformed(ValueError):  # noqa: N818 (it says what the message is)
    """Not a message of ours; its text says what is wrong."""


@dataclass(frozen=True, slots=True)
class Message:
    """Something a client says. `do` names it."""

    do: ClassVar[str]


@dataclass(frozen=True, slots=True)
class ByRef(Message):
    """A deed under a ref that the client made."""

    ref: str


@dataclass(frozen=True, slots=True)
class Resync(Message):
    """Send me everything: I have missed something."""

    do: ClassVar[str] = "resync"


@dataclass(frozen=True, slots=True)
class SitDown(ByRef):
    do: ClassVar[str] = "sit"
    seat: int


@dataclass(frozen=True, slots=True)
class StandUp(ByRef):
    do: ClassVar[str] = "stand_up"


@dataclass(frozen=True, slots=True)
class Say(ByRef):
    """A line of the chat."""

    do: ClassVar[str] = "say"
    text: str


@dataclass(frozen=True, slots=True)
class Mute(ByRef):
    do: ClassVar[str] = "mute"
    who: str


@dataclass(frozen=True, slots=True)
class Unmute(ByRef):
    do: ClassVar[str] = "unmute"
    who: str


@dataclass(frozen=True, slots=True)
class Report(ByRef):
    """Show a line of the chat to the pit."""

    do: ClassVar[str] = "report"
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class OfferLink(ByRef):
    """Commit to a link for the next pack or throw (docs/proof.md, 2)."""

    do: ClassVar[str] = "offer"
    link: str


@dataclass(frozen=True, slots=True)
class RevealLink(ByRef):
    """Reveal the link beneath it, for the pack or the throw of this number."""

    do: ClassVar[str] = "reveal"
    number: int
    link: str


@dataclass(frozen=True, slots=True)
class Doubt(ByRef):
    """The card at this place of the pack, 0 for the throw, does not fit what was committed to (docs/proof.md, 7)."""

    do: ClassVar[str] = "doubt"
    round: int
    place: int


@dataclass(frozen=True, slots=True)
class InRound(ByRef):
    """The same in a round."""

    round: int


@dataclass(frozen=True, slots=True)
class Bet(InRound):
    do: ClassVar[str] = "bet"
    spot: str
    amount: int
    box: int | None = None


@dataclass(frozen=True, slots=True)
class Laid:
    """One of several chips that are laid at once."""

    spot: str
    amount: int
    box: int | None = None


@dataclass(frozen=True, slots=True)
class Bets(InRound):
    """Several bets in one gesture: each is accepted or refused by itself."""

    do: ClassVar[str] = "bets"
    bets: tuple[Laid, ...]


@dataclass(frozen=True, slots=True)
class Clear(InRound):
    """Take back every stake that may be taken back, but for what is carried."""

    do: ClassVar[str] = "clear"


@dataclass(frozen=True, slots=True)
class Undo(InRound):
    """Take back what was laid last, all that came in one message."""

    do: ClassVar[str] = "undo"


@dataclass(frozen=True, slots=True)
class Lay(InRound):
    """Lay the bets of a favourite."""

    do: ClassVar[str] = "lay"
    favourite: int


@dataclass(frozen=True, slots=True)
class Peel(InRound):
    """Bend a card that one holds from an edge, so many steps far; nothing is answered, the felt shows it."""

    do: ClassVar[str] = "peel"
    hand: str
    card: int
    edge: str
    step: int


@dataclass(frozen=True, slots=True)
class SaveFavourite(ByRef):
    """Save what lies there now under this name."""

    do: ClassVar[str] = "save_favourite"
    name: str


@dataclass(frozen=True, slots=True)
class RenameFavourite(ByRef):
    do: ClassVar[str] = "rename_favourite"
    favourite: int
    name: str


@dataclass(frozen=True, slots=True)
class DropFavourite(ByRef):
    do: ClassVar[str] = "drop_favourite"
    favourite: int


@dataclass(frozen=True, slots=True)
class Decision(InRound):
    """Whatever else somebody may do in a round: `do` names an action of the game, `fields` say what it needs.

    Only the shape is looked at here. Whether the game knows such a deed, and what it needs, is the game's to say.
    """

    do: str  # type: ignore[misc]  # each has its own
    fields: Mapping[str, int | bool | str]


_MESSAGES: dict[str, type[Message]] = {
    kind.do: kind
    for kind in (
        Resync,
        SitDown,
        StandUp,
        Say,
        Mute,
        Unmute,
        Report,
        OfferLink,
        RevealLink,
        Doubt,
        Bet,
        Bets,
        Clear,
        Undo,
        Lay,
        Peel,
        SaveFavourite,
        RenameFavourite,
        DropFavourite,
    )
}

OF_PROOF = (OfferLink, RevealLink, Doubt)
"""What a client says of the proof by itself. It is answered only if it is refused: the felt shows what comes of it."""

UNANSWERED = (*OF_PROOF, Peel)
"""What is answered only if it is refused."""

DONE_ONCE = (InRound, SitDown, StandUp, Say, Mute, Unmute, SaveFavourite, *OF_PROOF)
"""Done once however often it is asked for: by its ref, or because the second time there is nothing left to do."""

TAKEN = frozenset(_MESSAGES)
"""No game may call a deed of its own like this."""


def _whole(value: object) -> bool:
    return type(value) is int and 0 <= value <= _LARGEST


def _text(pattern: re.Pattern[str]) -> Callable[[object], bool]:
    return lambda value: type(value) is str and pattern.fullmatch(value) is not None


def _bets(value: object) -> bool:
    return type(value) is list and 1 <= len(value) <= MAX_BETS and all(map(_is_bet, value))


def _is_bet(value: object) -> bool:
    """Whether this is one of several bets: a spot, an amount and perhaps a box, and nothing else."""
    if type(value) is not dict or not {"spot", "amount"} <= value.keys() <= {"spot", "amount", "box"}:
        return False
    return all(_FIELDS[name][0](each) for name, each in value.items())


_FIELDS: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "round": (_whole, "a whole number"),
    "ref": (_text(_REF), "8 to 40 letters and digits"),
    "seat": (_whole, "a whole number"),
    "spot": (_text(_WORD), "the name of a spot"),
    "amount": (_whole, "a whole number of cents"),
    "text": (lambda value: type(value) is str and 1 <= len(value) <= MAX_TEXT_CHARACTERS, "1 to 1000 characters"),
    "who": (lambda value: type(value) is str and player_named(value) is not None, "a player"),
    "line": (_whole, "a whole number"),
    "number": (_whole, "a whole number"),
    "place": (_whole, "a whole number"),
    "link": (_text(_LINK), "64 digits, 0 to 9 and a to f"),
    "reason": (_text(_WORD), "a reason"),
    "hand": (_text(_WORD), "the name of a hand"),
    "card": (_whole, "a whole number"),
    "edge": (_text(_WORD), "the name of an edge"),
    "step": (_whole, "a whole number"),
    "bets": (_bets, f"1 to {MAX_BETS} bets, each with spot, amount and box"),
    "favourite": (_whole, "a whole number"),
    "name": (lambda value: type(value) is str and 1 <= len(value) <= MAX_TEXT_CHARACTERS, "1 to 1000 characters"),
    "box": (lambda value: value is None or _whole(value), "a whole number or null"),
}
_OPTIONAL = {"box"}


def _keys(kind: type[Message]) -> tuple[frozenset[str], frozenset[str]]:
    """What such a message has beside its `do`, and what of that it must have."""
    keys = frozenset(kind.__dataclass_fields__) - {"do"}
    return keys, keys - _OPTIONAL


_KEYS = {kind: _keys(kind) for kind in (*_MESSAGES.values(), InRound)}


def parse(text: str) -> Message:
    """The message that `text` is. Raises Malformed."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_MESSAGE_BYTES:
        raise Malformed("longer than 4096 bytes")
    try:
        data = _DECODER.decode(text)
    except RecursionError:
        raise Malformed("nested too deeply") from None
    except Malformed:
        raise
    except ValueError:
        raise Malformed("not JSON") from None
    if type(data) is not dict:
        raise Malformed("not an object")
    do, fields = data.get("do"), {name: value for name, value in data.items() if name != "do"}
    if type(do) is not str or not _WORD.fullmatch(do):
        raise Malformed("an unknown message")
    kind = _MESSAGES.get(do)
    if kind is None:
        return _decision(do, fields)
    expected, needed = _KEYS[kind]
    if unknown := fields.keys() - expected:
        raise Malformed(f"unknown key: {min(unknown)[:40]}")
    _check(fields, needed)
    if kind is Bets:
        fields["bets"] = tuple(Laid(**bet) for bet in fields["bets"])
    return kind(**fields)


HEALTH = {
    "version": 20,
    "began": 20,
    "size": 30,
    "error": 200,
    "page": 20,
    "game": 30,
    "phase": 30,
    "sheet": 30,
    "language": 10,
}
"""What the page of a kiosk may say of itself, and in how many letters."""


def showing(text: str, known: Collection[str]) -> tuple[str, dict[str, str] | None]:
    """What a kiosk says that it shows, and of its health; it can say nothing else. Raises Malformed."""
    try:
        said = _DECODER.decode(text[: MAX_MESSAGE_BYTES + 1])
    except (ValueError, RecursionError):
        raise Malformed("not JSON") from None
    if type(said) is not dict or said.keys() - {"health"} != {"type", "showing"} or said["type"] != "here":
        raise Malformed("an unknown message")
    if type(said["showing"]) is not str or said["showing"] not in known:
        raise Malformed("an unknown page")
    return str(said["showing"]), None if "health" not in said else _health(said["health"])


def _health(said: object) -> dict[str, str]:
    if type(said) is not dict or said.keys() - HEALTH.keys():
        raise Malformed("not what a screen says of itself")
    if not all(type(text) is str and len(text) <= HEALTH[name] and text.isprintable() for name, text in said.items()):
        raise Malformed("too much, or no text")
    return {name: text for name, text in said.items() if text}


def _decision(do: str, data: dict[str, Any]) -> Decision:
    own = {name: value for name, value in data.items() if name not in InRound.__dataclass_fields__}
    if len(own) > MAX_FIELDS:
        raise Malformed("too many keys")
    for name, value in own.items():
        if name == "by" or not _FIELD.fullmatch(name):
            raise Malformed(f"unknown key: {name[:40]}")
        if not (type(value) is bool or _whole(value) or _text(_PLAIN)(value)):
            raise Malformed(f"{name} must be a whole number, true, false, or a plain word")
    common = {name: value for name, value in data.items() if name not in own}
    _check(common, _KEYS[InRound][1])
    return Decision(do=do, fields=own, **common)


def _check(fields: Mapping[str, object], needed: frozenset[str]) -> None:
    if missing := needed - fields.keys():
        raise Malformed(f"missing key: {min(missing)}")
    for name, value in fields.items():
        fits, what = _FIELDS[name]
        if not fits(value):
            raise Malformed(f"{name} must be {what}")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise Malformed("a key stands twice")
    return result


def _constant(name: str) -> None:
    raise Malformed(f"{name} is no number")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
