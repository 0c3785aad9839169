"""House options: what the regulation leaves to the house, declared once as the fields of a frozen dataclass.

    @dataclass(frozen=True, slots=True)
    class Options:
        decks: int = option(8, article="1(1)", says=say("Decks in use"), values=range(6, 13))

The type of the field says what its JSON looks like, `values` or `check` what is allowed, and `authorised` whether a
change needs the gaming inspectorate's leave. `read_options` is the one way in from JSON, `options_json` the one way
out. Amounts are integer cents.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, TypeVar, get_type_hints

from .protocol import OptionError
from .words import Words, say

T = TypeVar("T")

Limit = int | tuple[tuple[str, int], ...]
"""An amount for every bet, or (spot, amount) pairs for the bets that have one; `()` limits nothing."""


@dataclass(frozen=True, slots=True)
class Option:
    """What is known of one house option beside its value."""

    article: str
    says: Words
    values: Collection[Any] | None
    check: Callable[[Any], bool] | None
    authorised: bool
    null: bool

    def allows(self, value: Any) -> bool:
        """Whether the regulation (or our validation) knows this value."""
        if self.values is not None and value not in self.values:
            return False
        return self.check is None or self.check(value)


def option(
    default: Any,
    *,
    article: str,
    says: Words,
    values: Collection[Any] | None = None,
    check: Callable[[Any], bool] | None = None,
    authorised: bool = False,
    null: bool = False,
) -> Any:
    """A field of `Options`.

    `article` leaves the choice to the house; `values` are all that it may choose from (a mapping gives each its
    words), or `check` says whether a value will do; `authorised` options change only with leave; `null` if JSON may
    say null for "none" (otherwise none is said by leaving the option out).
    """
    if type(default) is bool:
        values = (False, True)
    about = Option(article, says, values, check, authorised, null)
    return field(default=default, metadata={"option": about})


def options_of(cls: type[Any]) -> Mapping[str, Option]:
    """The options of a game by name, in the order of the rulebook."""
    if cls not in _ABOUT:
        _ABOUT[cls] = {f.name: f.metadata["option"] for f in fields(cls)}
    return _ABOUT[cls]


def amount_for(limit: Limit, spot: str) -> int | None:
    """What a limit says about one spot; None if nothing."""
    if not isinstance(limit, tuple):
        return limit
    for name, amount in limit:
        if name == spot:
            return amount
    return None


def limit_on(spots: Iterable[str], least: int = 0) -> Callable[[Any], bool]:
    """A check for limits: at least `least` cents, and no other spots than these."""
    known = frozenset(spots)

    def check(limit: Any) -> bool:
        if not isinstance(limit, tuple):
            return bool(limit >= least)
        return all(name in known and amount >= least for name, amount in limit)

    return check


def check_values(options: Any) -> None:
    """Raise OptionError if an option has a value of another type or one that it does not allow.

    Every `Options.__post_init__` calls this first and then checks what goes together.
    """
    about = options_of(type(options))
    for name, kind in _kinds(type(options)).items():
        value = getattr(options, name)
        if not (kind.holds(value) and about[name].allows(value)):
            raise OptionError(say("%(option)s cannot be %(value)s", option=name, value=str(value)))


def read_options(cls: type[T], data: Any) -> T:
    """Options from JSON, strictly: every name known, every value of its own type (a bool is no int).

    Raises OptionError with a sentence that names the option.
    """
    if type(data) is not dict:
        raise OptionError(say("the options are not an object"))
    kinds = _kinds(cls)
    values = {}
    for name, value in data.items():
        if name not in kinds:
            raise OptionError(say("there is no option %(option)s", option=str(name)))
        if value is None and not options_of(cls)[name].null:
            raise OptionError(say("%(option)s cannot be null", option=name))
        values[name] = kinds[name].read(value)
    return cls(**values)


def options_json(options: Any) -> dict[str, Any]:
    """All options by name, as `read_options` reads them; those that are none are left out."""
    kinds = _kinds(type(options))
    return {name: kinds[name].write(value) for name in kinds if (value := getattr(options, name)) is not None}


# ── The kinds of value an option can have ───────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Kind:
    """How one type of field looks in JSON. What `read` cannot make sense of it leaves for `holds` to refuse."""

    holds: Callable[[Any], bool]
    read: Callable[[Any], Any]
    write: Callable[[Any], Any]


_ABOUT: dict[type[Any], Mapping[str, Option]] = {}
_KINDS: dict[type[Any], Mapping[str, _Kind]] = {}
"""What the fields of each `Options` say, worked out once."""


def _kinds(cls: type[Any]) -> Mapping[str, _Kind]:
    if cls not in _KINDS:
        hints = get_type_hints(cls)
        _KINDS[cls] = {f.name: _kind(hints[f.name]) for f in fields(cls)}
    return _KINDS[cls]


def _kind(hint: Any) -> _Kind:
    if hint == Limit:
        return _Kind(_is_limit, lambda v: tuple(v.items()) if type(v) is dict else v, _limit_json)
    if hint == int | None:
        return _Kind(lambda v: v is None or type(v) is int, _same, _same)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        words = {member.value: member for member in hint}
        return _Kind(
            lambda v: type(v) is hint, lambda v: words.get(v, v) if type(v) is str else v, lambda v: str(v.value)
        )
    assert hint in (int, bool, str), f"an option cannot be {hint}"
    return _Kind(lambda v: type(v) is hint, _same, _same)


def _same(value: Any) -> Any:
    return value


def _is_limit(value: Any) -> bool:
    return type(value) is int or (
        type(value) is tuple and all(type(name) is str and type(amount) is int for name, amount in value)
    )


def _limit_json(value: Any) -> Any:
    return dict(value) if type(value) is tuple else value
