"""House options: what the regulation leaves to the house, declared once as the fields of a frozen dataclass.

    @dataclass(frozen=True, slots=True)
    class Options:
        decks: int = option(8, article="1(1)", says=say("Decks in use"), values=range(6, 13))

The type of the field says what its JSON looks like, `values` or `check` what is allowed, and `authorised_by` which
article demands the inspectorate's authorisation for a change. `read_options` is the one way in from JSON,
`options_json` the one way out. Amounts are integer cents; a `Fraction` is written as text ("1/2"), a set of names
(`frozenset` of an enum) as a list without repetitions. A class with `between_shoes: ClassVar[bool] = True` takes no new
options in the middle of a shoe.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from itertools import combinations
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from tables.games.contract.editions import Edition
from tables.games.contract.errors import OptionError
from tables.games.values.json import JsonObject
from tables.games.values.words import Words, say

T = TypeVar("T")

Limit = int | tuple[tuple[str, int], ...]
"""An amount for every bet, or (name, amount) pairs for the spots or families that have one; `()` limits nothing."""


@dataclass(frozen=True, slots=True)
class Option:
    """What is known of one house option beside its value."""

    article: str
    says: Words
    values: Collection[object] | None
    check: Callable[[Any], bool] | None
    allowed: Words | None
    authorised_by: str
    editions: Collection[str]
    cents: bool
    null: bool

    @property
    def authorised(self) -> bool:
        """Whether a change needs an authorisation."""
        return bool(self.authorised_by)

    def is_left_to_the_house(self, edition: str) -> bool:
        """Whether the house may choose at all: not its edition, and not what an edition settles by itself."""
        return bool(self.article) and (not self.editions or edition in self.editions)

    def allows(self, value: object) -> bool:
        """Whether the regulation (or our validation) knows this value."""
        chosen = value if isinstance(value, frozenset) else (value,)
        if self.values is not None and not all(each in self.values for each in chosen):
            return False
        return self.check is None or self.check(value)


def option(
    default: T,
    *,
    article: str,
    says: Words,
    values: Collection[object] | None = None,
    check: Callable[[Any], bool] | None = None,
    least: int | Fraction | None = None,
    most: int | None = None,
    authorised_by: str = "",
    editions: Collection[str] = (),
    cents: bool = False,
    null: bool = False,
) -> T:
    """A field of `Options`.

    `article` leaves the choice to the house; `values` are all that it may choose from (a mapping gives each its
    words; of a set they are what it may hold), or `least` and perhaps `most` are the bounds of a number (one that may
    be none is not compared), or `check` says whether a value will do.
    `authorised_by` is the article by which a change needs an authorisation, `editions` those under which it is a
    choice of the house (all, if none is named); `cents` marks an amount; `null` if JSON may say null for "none"
    (otherwise none is said by leaving the option out).
    """
    if type(default) is bool:
        values = (False, True)
    allowed = None
    if least is not None:
        check, allowed = _within(least, most), _bounds(least, most)
    about = Option(article, says, values, check, allowed, authorised_by, editions, cents, null)
    return field(default=default, metadata={"option": about})


def edition_option(in_force: Sequence[Edition]) -> str:
    """Under which of these editions of the regulation a table plays, oldest first; by default under the newest."""
    names = tuple(edition.name for edition in in_force)
    return option(names[-1], article="", says=say("Edition of the regulation"), values=names)


def _within(least: int | Fraction, most: int | None) -> Callable[[Any], bool]:
    return lambda value: value is None or (least <= value and (most is None or value <= most))


def _bounds(least: int | Fraction, most: int | None) -> Words:
    lowest = least if isinstance(least, int) else str(least)
    if most is None:
        return say("%(least)s or more", least=lowest)
    return say("%(least)s to %(most)s", least=lowest, most=most)


def options_of(cls: type[Any]) -> Mapping[str, Option]:
    """The options of a game by name, in the order of the rulebook."""
    if cls not in _ABOUT:
        _ABOUT[cls] = {f.name: f.metadata["option"] for f in fields(cls)}
    return _ABOUT[cls]


def change_between_shoes(cls: type[object]) -> bool:
    """Whether new options wait for a fresh shoe; else they hold from the next round on."""
    return bool(getattr(cls, "between_shoes", False))


def hints_of(cls: type[Any]) -> Mapping[str, object]:
    """The type of each option of a game by its name."""
    if cls not in _HINTS:
        hints = get_type_hints(cls)
        _HINTS[cls] = {f.name: hints[f.name] for f in fields(cls)}
    return _HINTS[cls]


def amount_for(limit: Limit, spot: str, family: str = "") -> int | None:
    """What a limit says about one spot, its own name going before that of its family; None if nothing."""
    if not isinstance(limit, tuple):
        return limit
    said = None
    for name, amount in limit:
        if name == spot:
            return amount
        if name == family:
            said = amount
    return said


def limit_on(names: Iterable[str], least: int = 0) -> Callable[[Limit], bool]:
    """A check for limits: at least `least` cents, and no other spots or families than these."""
    known = frozenset(names)

    def check(limit: Limit) -> bool:
        if not isinstance(limit, tuple):
            return bool(limit >= least)
        return all(name in known and amount >= least for name, amount in limit)

    return check


def check_values(options: object) -> None:
    """Raise OptionError if an option has a value of another type or one that it does not allow.

    Every `Options.__post_init__` calls this first and then checks what goes together.
    """
    about = options_of(type(options))
    for name, kind in _kinds(type(options)).items():
        value = getattr(options, name)
        if not (kind.holds(value) and about[name].allows(value)):
            raise OptionError(say("%(option)s cannot be %(value)s", option=name, value=str(value)))


def read_options(cls: type[T], data: object) -> T:
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


def read_value(cls: type[object], name: str, value: object) -> object:
    """The value of one option from JSON, whatever the others are; what cannot be read is left as it is."""
    return None if value is None else _kinds(cls)[name].read(value)


def options_json(options: object) -> JsonObject:
    """All options by name, as `read_options` reads them; those that are none are left out."""
    kinds = _kinds(type(options))
    return {name: kinds[name].write(value) for name in kinds if (value := getattr(options, name)) is not None}


def under(cls: type[T], data: JsonObject, edition: str) -> tuple[T, tuple[str, ...]]:
    """Options of a game as they are under another edition, and the names of those that have fallen back.

    `data` are the options as JSON. As few as possible of them fall back to what they are by default: those that the
    edition does not know, or that do not go together with what it knows. Raises OptionError if not even all defaults
    will do, or there is no such edition.
    """
    default = options_json(read_options(cls, {"edition": edition}))
    chosen = {name: value for name, value in data.items() if name != "edition" and default.get(name) != value}
    for size in range(len(chosen)):
        for fallen in combinations(chosen, size):
            kept = {name: value for name, value in chosen.items() if name not in fallen}
            try:
                return read_options(cls, {**kept, "edition": edition}), fallen
            except OptionError:
                continue
    return read_options(cls, {"edition": edition}), tuple(chosen)


# ── The kinds of value an option can have ───────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Kind:
    """How one type of field looks in JSON. What `read` cannot make sense of it leaves for `holds` to refuse."""

    holds: Callable[[object], bool]
    read: Callable[[object], object]
    write: Callable[[Any], object]


_ABOUT: dict[type[Any], Mapping[str, Option]] = {}
_HINTS: dict[type[Any], Mapping[str, object]] = {}
_KINDS: dict[type[Any], Mapping[str, _Kind]] = {}
"""What the fields of each `Options` say, worked out once."""


def _kinds(cls: type[Any]) -> Mapping[str, _Kind]:
    if cls not in _KINDS:
        _KINDS[cls] = {name: _kind(hint) for name, hint in hints_of(cls).items()}
    return _KINDS[cls]


def _kind(hint: object) -> _Kind:
    if hint == Limit:
        return _Kind(_is_limit, lambda v: tuple(v.items()) if type(v) is dict else v, _limit_json)
    if hint == int | None:
        return _Kind(lambda v: v is None or type(v) is int, _same, _same)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        words = {member.value: member for member in hint}
        return _Kind(
            lambda v: type(v) is hint, lambda v: words.get(v, v) if type(v) is str else v, lambda v: str(v.value)
        )
    if get_origin(hint) is frozenset:
        return _set_kind(*get_args(hint))
    if hint is Fraction:
        return _Kind(lambda v: type(v) is Fraction, _fraction, str)
    assert hint in (int, bool, str), f"an option cannot be {hint}"
    return _Kind(lambda v: type(v) is hint, _same, _same)


def _set_kind(members: type[StrEnum]) -> _Kind:
    """A set of names, written in the order of the enum; a list that says one twice is left as it is, for refusal."""
    words = {member.value: member for member in members}

    def read(value: object) -> object:
        if type(value) is not list or not all(type(name) is str and name in words for name in value):
            return value
        names = frozenset(words[name] for name in value)
        return names if len(names) == len(value) else value

    return _Kind(
        lambda v: type(v) is frozenset and all(type(name) is members for name in v),
        read,
        lambda v: [member.value for member in members if member in v],
    )


def _fraction(value: object) -> object:
    """`"1/2"` or `"1"`; anything else is left as it is, for refusal."""
    if type(value) is str and re.fullmatch("[0-9]{1,9}(/[1-9][0-9]{0,8})?", value):
        return Fraction(value)
    return value


def _same(value: object) -> object:
    return value


def _is_limit(value: object) -> bool:
    return type(value) is int or (
        type(value) is tuple and all(type(name) is str and type(amount) is int for name, amount in value)
    )


def _limit_json(value: object) -> object:
    return dict(value) if type(value) is tuple else value
