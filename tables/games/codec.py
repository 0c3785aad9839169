"""Actions, stakes and openings as JSON and back: what the log stores. Strict, so that a log can be trusted.

Each dataclass is its own description: its fields are the keys, their types what JSON must hold. A field that has its
default is left out. Reading raises ValueError for anything that writing would not have written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, get_type_hints

from tables.games.contract.actions import Action
from tables.games.contract.game import Game
from tables.games.contract.round import Opening, Stake
from tables.games.values.cards import Card, card
from tables.games.values.json import JsonObject

T = TypeVar("T")


def action_json(action: Action) -> JsonObject:
    """An action as the log stores it: `{"do": "bet", "by": "p7", …}`."""
    return {"do": action.do, **_written(action)}


def action_from(game: Game, data: object) -> Action:
    """The action that `data` describes, among those that the game knows. Raises ValueError."""
    if type(data) is not dict or type(do := data.get("do")) is not str:
        raise ValueError("an action is an object with a text `do`")
    kind = _kinds_of(game.actions).get(do)
    if kind is None:
        raise ValueError(f"{game.slug} knows no action {do!r}")
    return _read(kind, {key: value for key, value in data.items() if key != "do"})


def stake_json(stake: Stake) -> JsonObject:
    """A stake as the log stores it."""
    return _written(stake)


def stake_from(data: object) -> Stake:
    """The stake that `data` describes. Raises ValueError."""
    return _read(Stake, data)


def opening_json(opening: Opening) -> JsonObject:
    """An opening as the log stores it."""
    return _written(opening)


def opening_from(data: object) -> Opening:
    """The opening that `data` describes. Raises ValueError."""
    return _read(Opening, data)


@cache
def _kinds_of(actions: tuple[type[Action], ...]) -> Mapping[str, type[Action]]:
    kinds = {kind.do: kind for kind in actions}
    assert len(kinds) == len(actions), "two actions have the same name"
    return kinds


# ── Any dataclass of the contract ───────────────────────────────────────────────────────────────────────────


def _written(thing: object) -> JsonObject:
    data = {}
    for name, (_, write, default) in _shape(type(thing)).items():
        value = getattr(thing, name)
        if default is MISSING or value != default:
            data[name] = write(value)
    return data


def _read(cls: type[T], data: object) -> T:
    if type(data) is not dict:
        raise ValueError(f"{cls.__name__} is an object")
    shape = _shape(cls)
    values = {}
    for name, value in data.items():
        if name not in shape:
            raise ValueError(f"{cls.__name__} has no {name!r}")
        values[name] = shape[name][0](value)
    for name, (_, _, default) in shape.items():
        if default is MISSING and name not in values:
            raise ValueError(f"{cls.__name__} lacks {name!r}")
    return cls(**values)


_Read = Callable[[object], Any]
_Write = Callable[[Any], object]

_Shape = Mapping[str, tuple[_Read, _Write, object]]
"""Field -> how to read it, how to write it, its default (MISSING if it must be there)."""

_SHAPES: dict[type[Any], _Shape] = {}


def _shape(cls: type[Any]) -> _Shape:
    """The shape of a dataclass, worked out once."""
    if cls not in _SHAPES:
        _SHAPES[cls] = _shape_of(cls)
    return _SHAPES[cls]


def _shape_of(cls: type[Any]) -> _Shape:
    hints = get_type_hints(cls)
    shape = {}
    for f in fields(cls):
        default = f.default if f.default_factory is MISSING else f.default_factory()
        shape[f.name] = (*_codec(hints[f.name]), default)
    return shape


def _codec(hint: object) -> tuple[_Read, _Write]:
    if hint in (int, str, bool):
        return _exactly(hint), _as_is
    if hint == int | None:
        return _optional(_exactly(int)), _as_is
    if hint is Card:
        return _card, str
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _member(hint), str
    if hint == Mapping[str, int]:
        return _mapping, dict
    if hint == tuple[int, ...]:
        return _several(int), list
    if hint == tuple[str, ...]:
        return _several(str), list
    if hint == tuple[Stake, ...]:
        return _stakes, lambda stakes: [stake_json(stake) for stake in stakes]
    raise AssertionError(f"no JSON for {hint}")


def _as_is(value: object) -> object:
    return value


def _exactly(kind: type[Any]) -> _Read:
    def read(value: object) -> object:
        if type(value) is not kind:
            raise ValueError(f"{value!r} is not {kind.__name__}")
        return value

    return read


def _optional(read: _Read) -> _Read:
    return lambda value: None if value is None else read(value)


def _member(kind: type[StrEnum]) -> _Read:
    return lambda value: kind(_exactly(str)(value))


def _card(value: object) -> Card:
    return card(_exactly(str)(value))


def _mapping(value: object) -> Mapping[str, int]:
    whole = _exactly(int)
    return {_exactly(str)(key): whole(number) for key, number in _exactly(dict)(value).items()}


def _several(kind: type[object]) -> _Read:
    read = _exactly(kind)
    return lambda value: tuple(read(each) for each in _exactly(list)(value))


def _stakes(value: object) -> tuple[Stake, ...]:
    return tuple(stake_from(each) for each in _exactly(list)(value))
