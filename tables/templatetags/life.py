"""`{% load life %}`: a table's life on the pit's page of it: what this person may do with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from django import template

from tables.base.rights import Right, may
from tables.base.timetable import Times, of_next_round
from tables.games import GAMES
from tables.games.shared.options import options_of
from tables.games.values.money import CREDIT
from tables.games.values.words import Words, say
from tables.models import Player, Table
from tables.services.pit import lifecycle
from tables.services.pit.options import most_at_once, options_now

register = template.Library()

PACE: Mapping[str, Words] = {
    "cut": say("Cut"),
    "betting": say("Betting"),
    "decision": say("Decision"),
    "beat": say("Between two steps of the dealer"),
    "result": say("Result"),
    "hurry": say("When all are ready"),
}
"""The times of a table in words, in the order of `Times`."""


@dataclass(frozen=True, slots=True)
class Field:
    """A number that can be set: its name in the form, what it is, for which bet if for one, and its value."""

    name: str
    title: Words
    spot: Words | str
    value: int | None


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

    limits: list[Field]
    authorised_by: str
    at_once: list[AtOnce]
    times: list[Field]
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
        times=[Field(field.name, PACE[field.name], "", getattr(times, field.name)) for field in fields(Times)],
        closings=lifecycle.closings(table),
        fresh_cards=lifecycle.fresh_cards_article(table),
        runs=may(user, Right.RUN_TABLES),
        asks=may(user, Right.ORDER_CHIPS),
    )


@register.filter
def runs_tables(user: Player) -> bool:
    """Whether this person opens, pauses and closes tables."""
    return may(user, Right.RUN_TABLES)


def _limits(table: Table) -> list[Field]:
    about, spots, found = options_of(GAMES[table.game].options), GAMES[table.game].spots, []
    for name in lifecycle.LIMITS:
        if name not in about or about[name].authorised:
            continue
        for spot, value in _amounts(table.options.get(name)).items():
            title = spots[spot].title if spot in spots else spot
            found.append(Field(f"{name}.{spot}" if spot else name, about[name].says, title, value and value // CREDIT))
    return found


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
