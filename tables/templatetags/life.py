"""`{% load life %}`: a table's life on the pit's page of it: what this person may do with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from django import template

from tables.base.rights import Right, may
from tables.base.timetable import LEAST, Times, in_seconds, of_next_round
from tables.games import GAMES
from tables.games.shared.options import options_of
from tables.games.values.money import CREDIT
from tables.games.values.words import Words, say
from tables.models import Player, Table
from tables.services.pit import lifecycle
from tables.services.pit.lifecycle import PACE
from tables.services.pit.options import most_at_once, options_now

register = template.Library()


@dataclass(frozen=True, slots=True)
class Field:
    """An amount of credits that can be set: its name in the form, what it is, and its value if there is one."""

    name: str
    title: Words
    value: int | None


@dataclass(frozen=True, slots=True)
class LimitRow:
    """What is limited, and its two limits, where they can be set here."""

    title: Words | str
    least: Field | None
    most: Field | None


@dataclass(frozen=True, slots=True)
class Time:
    """A time of a table in seconds: its name, what it is, how long it is, and how long it is at least."""

    name: str
    title: Words
    seconds: Words | str
    least: Words | str


@dataclass(frozen=True, slots=True)
class AtOnce:
    """A number that the director of the room sets at once: its option, what it is, by which article, and up to what."""

    name: str
    title: Words
    article: str
    value: int
    choices: range


@dataclass(frozen=True, slots=True)
class Life:
    """What can be set and done at a table, and by this person. (How it stands is pushed: `tables.pit.board`.)"""

    limits: list[LimitRow]
    authorised_by: str
    at_once: list[AtOnce]
    times: list[Time]
    thresholds: list[Field]
    """Which stakes and wins of a bettor alert the pit."""
    closings: tuple[str, ...]
    fresh_cards: str
    """The article by which the house may change the cards after any round; empty where each round has fresh ones."""
    runs: bool
    asks: bool


@register.simple_tag
def life_of(table: Table, user: Player) -> Life:
    """The life of this table, for this member of the staff."""
    times = Times.of(of_next_round(table.times))
    return Life(
        limits=list(_limits(table)),
        authorised_by=_authorised_by(table),
        at_once=list(_at_once(table)),
        times=[_time(field.name, getattr(times, field.name)) for field in fields(Times)],
        thresholds=[
            Field("big_bet", say("Big bet"), table.big_bet and table.big_bet // CREDIT),
            Field("big_win", say("Big win"), table.big_win and table.big_win // CREDIT),
        ],
        closings=lifecycle.closings(table),
        fresh_cards=lifecycle.fresh_cards_article(table),
        runs=may(user, Right.RUN_TABLES),
        asks=may(user, Right.ORDER_CHIPS),
    )


@register.filter
def runs_tables(user: Player) -> bool:
    """Whether this person opens, pauses and closes tables."""
    return may(user, Right.RUN_TABLES)


def _time(name: str, ms: int) -> Time:
    return Time(name, PACE[name], in_seconds(ms), in_seconds(LEAST.get(name, 0)))


def _limits(table: Table) -> Iterator[LimitRow]:
    """A row for each bet that has limits of its own, and one for all that have none."""
    about, spots = options_of(GAMES[table.game].options), GAMES[table.game].spots
    for lowest, highest, all_bets in ROWS:
        columns = [
            {spot: Field(f"{name}.{spot}" if spot else name, about[name].says, value and value // CREDIT)
             for spot, value in _amounts(table.options.get(name)).items()}
            if name in about and not about[name].authorised else {}
            for name in (lowest, highest)
        ]  # fmt: skip
        named = dict.fromkeys([*columns[0], *columns[1]])
        for spot in named:
            title = (spots[spot].title if spot in spots else spot) if spot else all_bets
            if title == OTHERS and len(named) == 1:
                title = EVERY
            yield LimitRow(title, columns[0].get(spot), columns[1].get(spot))


EVERY, OTHERS = say("Every bet"), say("Every other bet")

ROWS = (("min_bet", "max_bet", OTHERS), ("min_ante", "max_ante", say("Ante")))
"""Options that are the two limits of the same, and what the row without a bet is called."""


def _at_once(table: Table) -> Iterator[AtOnce]:
    now, about = options_now(table), options_of(GAMES[table.game].options)
    for name, article in GAMES[table.game].lowered_at_once(now).items():
        yield AtOnce(name, about[name].says, article, getattr(now, name), range(1, most_at_once(table, name) + 1))


def _amounts(limit: int | dict[str, int | None] | None) -> Mapping[str, int | None]:
    """Cents by spot, `""` for every bet; a limit that is none has no amount."""
    return (limit or {"": None}) if isinstance(limit, dict) else {"": limit}


def _authorised_by(table: Table) -> str:
    """The article that wants the limits of this game authorised; empty if none does."""
    about = options_of(GAMES[table.game].options)
    return next((about[name].authorised_by for name in lifecycle.LIMITS if name in about), "")
