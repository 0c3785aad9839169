"""What invented records have in common, the same for the same seed: one place spoilt (a value of another kind, a key
too few or too many), and decisions where there is nothing to decide."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random  # noqa: TID251 (the same records for the same seed: no chance of the house)
from typing import Any

ODD: tuple[Any, ...] = (None, True, False, 0, 1, -1, 7, 8, 52, 100, 150, 100.0, "", "1", "As", "1/2", "house", [], {})
"""What may stand where something else was; some of it will do there."""


def spoilt(record: dict[str, Any], chance: Random) -> dict[str, Any]:
    """A copy with one thing changed that a reader must look at (or may not)."""
    made: dict[str, Any] = json.loads(json.dumps(record))
    holders = [holder for holder in _all(made) if holder]
    holder = chance.choice(holders)
    if isinstance(holder, dict):
        key = chance.choice(list(holder))
        match chance.randrange(6):
            case 0:
                del holder[key]
            case 1:
                holder[f"{key}s"] = holder[key]
            case 2:
                holder[key] = [holder[key]]
            case 3 if isinstance(holder[key], str):
                holder[key] = holder[key].upper()
            case _:
                holder[key] = chance.choice(ODD)
    else:
        at = chance.randrange(len(holder))
        match chance.randrange(4):
            case 0:
                holder.append(holder[at])
            case 1:
                del holder[at]
            case 2:
                holder.insert(at, holder.pop())
            case _:
                holder[at] = chance.choice(ODD)
    return made


def no_decisions(chance: Random, names: Sequence[str]) -> list[dict[str, Any]]:
    """Decisions for a game in which nobody decides anything: all are refused but a void of the house."""
    items: list[dict[str, Any]] = []
    while chance.random() < 0.1:
        items.append({"by": chance.choice(names), "do": chance.choice(("hit", "raise", "void", "fold"))})
    if chance.random() < 0.07:
        items.insert(chance.randrange(1 + len(items)), {"by": "house", "do": "void"})
    return items


def _all(value: Any) -> list[Any]:
    """Every object and list in it, itself included; the cards of a long list weigh as much as one key."""
    if isinstance(value, dict):
        return [value, *(one for inner in value.values() for one in _all(inner))]
    if isinstance(value, list):
        return [value, *(one for inner in value for one in _all(inner))]
    return []
