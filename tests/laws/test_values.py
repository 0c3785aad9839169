"""What is made quickly (`quickly_made`) is a frozen dataclass like any other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from typing import Any, Generic, TypeVar

import pytest

from tables.games import GAMES
from tables.games.contract.actions import PlaceBet
from tables.games.contract.round import Opening, Progress, Stake
from tables.games.values.quick import quickly_made

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Base:
    by: str


@dataclass(frozen=True, slots=True)
class Plain(Base):
    """The yardstick."""

    amount: int
    box: int | None = None
    seats: Mapping[str, int] = field(default_factory=dict, compare=False)
    card: str = field(kw_only=True)
    twice: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "twice", 2 * self.amount)


@quickly_made
@dataclass(frozen=True, slots=True)
class Quick(Base):
    """The same, made quickly."""

    amount: int
    box: int | None = None
    seats: Mapping[str, int] = field(default_factory=dict, compare=False)
    card: str = field(kw_only=True)
    twice: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "twice", 2 * self.amount)


@quickly_made
@dataclass(frozen=True, slots=True)
class Several(Generic[T]):
    first: T


MADE: list[Any] = [
    Quick("ana", 5, card="As"),
    Several(5),
    Stake("1", "ana", "tie", 100),
    PlaceBet("ana", "1", "tie", 100),
    GAMES["baccarat"].opened(GAMES["baccarat"].options(), Opening()),
]


@pytest.mark.parametrize("made", MADE, ids=lambda made: type(made).__name__)
def test_nothing_can_be_set_or_deleted(made: Any) -> None:
    name = fields(made)[0].name
    before = getattr(made, name)
    with pytest.raises(FrozenInstanceError):
        setattr(made, name, "other")
    with pytest.raises(FrozenInstanceError):
        delattr(made, name)
    assert getattr(made, name) == before


def test_it_is_of_its_class_and_of_no_other() -> None:
    made = Quick("ana", 5, card="As")
    assert type(made) is Quick and isinstance(made, Base)
    assert type(Several(5)) is Several and type(Progress("phase", "pace")) is Progress  # type: ignore[type-var,arg-type]


@pytest.mark.parametrize(("given", "named"), [(("ana", 5), {}), (("ana", 5, 2), {"seats": {"ana": 1}})])
def test_it_takes_and_says_the_same(given: tuple[Any, ...], named: dict[str, Any]) -> None:
    plain, quick = Plain(*given, card="As", **named), Quick(*given, card="As", **named)
    assert [getattr(plain, each.name) for each in fields(plain)] == [
        getattr(quick, each.name) for each in fields(quick)
    ]
    assert repr(quick) == repr(plain).replace("Plain", "Quick")
    assert quick.twice == 10
    assert quick == Quick(*given, card="As", **named) and quick != Quick(*given, card="Ks", **named)
    assert replace(quick, amount=7).twice == 14
    assert Quick.__match_args__ == Plain.__match_args__


def test_each_has_its_own_of_what_is_made_for_each() -> None:
    assert Quick("ana", 5, card="As").seats is not Quick("ana", 5, card="As").seats


@pytest.mark.parametrize("named", [{}, {"by": "ana", "amount": 5}, {"by": "ana", "amount": 5, "card": "As", "kind": 1}])
def test_what_is_missing_or_too_much_is_an_error(named: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        Quick(**named)


def test_equal_ones_have_one_hash() -> None:
    stakes = {Stake("1", "ana", "tie", 100), Stake(bet="1", by="ana", spot="tie", amount=100, box=None)}
    assert len(stakes) == 1
