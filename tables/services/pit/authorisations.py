"""Authorisations of the inspectorate: asked for, answered, and what the house may play by them.

The regulations want the house's choice among alternatives authorised (Baccarat 19, Blackjack 21, Roulette 9, Stud Poker
13; Cussec by a ruling): the house's, so that one authorisation holds at all tables of its game. Without one on record a
table opens with the defaults alone. A change of one table's options asks for one by itself (`options`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import Q

from tables.base.calendar import earliest_adoption, latest_filing, macau_date
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, demand
from tables.base.transactions import unit_of_work
from tables.games import GAMES
from tables.games.contract.errors import OptionError, Refused
from tables.games.shared.alternatives import alternatives
from tables.games.shared.options import options_json, options_of, read_options
from tables.games.values.words import say
from tables.models import Authorisation, Event, OptionChange, Player, Table
from tables.services.journal import events

from . import second_person

Basis = Authorisation.Basis
State = Authorisation.State

LONGEST_REFERENCE = 80


# ── What is on record ───────────────────────────────────────────────────────────────────────────────────────


def on_record(game: str, table: Table | None = None) -> list[Authorisation]:
    """What has been given for a game, the earliest first; with a table, also what only that table may go on with."""
    whose = Q(table=None) if table is None else Q(table=None) | Q(table=table)
    given = Authorisation.objects.filter(whose, game=game, state=State.GIVEN)
    return list(given.select_related("requested_by", "decided_by").order_by("holds_from", "pk"))


def covering(given: Iterable[Authorisation], name: str, value: object) -> Authorisation | None:
    """The first of these that lets this option have this value."""
    return next((one for one in given if name in one.options and one.options[name] == value), None)


@dataclass(frozen=True, slots=True)
class Alternative:
    """An alternative, and the authorisation by which it is played, if one is on record."""

    name: str
    value: object
    by: Authorisation | None


def alternatives_of(game: str, options: Mapping[str, object], table: Table | None = None) -> list[Alternative]:
    """What these options have chosen that needs an authorisation, each with the one that is on record for it."""
    given = on_record(game, table)
    chosen = alternatives(GAMES[game], options)
    return [Alternative(name, value, covering(given, name, value)) for name, value in chosen.items()]


def check(game: str, options: Mapping[str, object], *, at: date, table: Table | None = None) -> None:
    """Raise Refused, with the article, if these options take an alternative that may not be played on this day."""
    about = options_of(GAMES[game].options)
    for one in alternatives_of(game, options, table):
        if one.by is None:
            raise Refused(
                about[one.name].authorised_by,
                say("The inspectorate has not authorised this alternative: %(option)s", option=about[one.name].says),
            )
        if one.by.holds_from > at:
            raise Refused(
                about[one.name].authorised_by,
                say(
                    "This alternative is authorised from %(day)s on: %(option)s",
                    day=one.by.holds_from.isoformat(), option=about[one.name].says,
                ),
            )  # fmt: skip


def needed(table: Table, changes: Mapping[str, object], after: Mapping[str, object], at: date) -> bool:
    """Whether a change of this table's options, by which they become `after`, needs an authorisation.

    It does if one of its options needs one and none is on record for the new value, or if another option is a default
    no more beside the new ones.
    """
    about, given = options_of(GAMES[table.game].options), on_record(table.game)
    for name, value in changes.items():
        by = covering(given, name, value)
        if about[name].authorised and (by is None or by.holds_from > at):
            return True
    return any(one.by is None for one in alternatives_of(table.game, after, table))


# ── Asked for and answered ──────────────────────────────────────────────────────────────────────────────────


def check_filed(submitted_on: date, planned_for: date, article: str) -> None:
    """Raise Refused unless three working days lie between the request and the day it is for; dates of Macau."""
    if latest_filing(planned_for) < submitted_on:
        raise Refused(
            article,
            say(
                "For %(planned)s the request must be filed by %(latest)s; filed on %(filed)s, the change may hold "
                "from %(earliest)s.",
                planned=planned_for.isoformat(),
                latest=latest_filing(planned_for).isoformat(),
                filed=submitted_on.isoformat(),
                earliest=earliest_adoption(submitted_on).isoformat(),
            ),
        )


def request(
    by: Player,
    game: str,
    wanted: Mapping[str, object],
    submitted_on: date,
    holds_from: date,
    why: str,
    *,
    clock: Clock = DATABASE_CLOCK,
) -> Authorisation:
    """Write down a request to the inspectorate for the house: option -> value as in the public record.

    What is a default is left out. The request may be dated before the house kept this record. Raises Refused.
    """
    demand(by, Right.DRAFT_OPTIONS)
    events.check_reason(why)
    cls = GAMES[game].options
    try:
        chosen = alternatives(
            GAMES[game], options_json(read_options(cls, {name: v for name, v in wanted.items() if v is not None}))
        )
    except OptionError as error:
        raise Refused("", error.args[0]) from None
    if not chosen:
        raise Refused("", say("These are the defaults: no article requires an authorisation for them."))
    if submitted_on > macau_date(clock.now()):
        raise Refused("", say("The request is dated today or before."))
    check_filed(submitted_on, holds_from, options_of(cls)[next(iter(chosen))].authorised_by)
    with unit_of_work():
        asked = Authorisation.objects.create(
            game=game,
            options=chosen,
            basis=Basis.ANSWER,
            why=why.strip(),
            submitted_on=submitted_on,
            holds_from=holds_from,
            requested_by=by,
            requested_at=clock.now(),
        )
        _record(Event.Kind.AUTHORISATION_REQUESTED, asked, by, clock, why=asked.why)
        return asked


def answer(
    by: Player, authorisation_id: int, state: Authorisation.State, reference: str, *, clock: Clock = DATABASE_CLOCK
) -> Authorisation:
    """Record what the inspectorate answered, given or refused, with the reference of its answer. Raises Refused."""
    demand(by, Right.RECORD_AUTHORISATION)
    reference = checked_reference(reference)
    with unit_of_work():
        asked = Authorisation.objects.select_for_update(of=("self",)).get(pk=authorisation_id)
        if asked.state != State.REQUESTED or asked.requested_by is None:
            raise Refused("", say("It has been decided already."))
        second_person.check(asked.requested_by, by, clock.now(), say("A second person must record the answer."))
        asked.state, asked.reference, asked.decided_by, asked.decided_at = state, reference, by, clock.now()
        asked.save(update_fields=["state", "reference", "decided_by", "decided_at"])
        given = state == State.GIVEN
        kind = Event.Kind.AUTHORISATION_GIVEN if given else Event.Kind.AUTHORISATION_REFUSED
        _record(kind, asked, by, clock)
        return asked


def checked_reference(reference: str) -> str:
    """The reference of an answer. Raises Refused unless there is one."""
    reference = reference.strip()
    if not reference or len(reference) > LONGEST_REFERENCE:
        raise Refused("", say("Give the reference of the inspectorate's answer, in 80 characters at most."))
    return reference


def record_approved(change: OptionChange, after: Mapping[str, object]) -> None:
    """A change of one table that the inspectorate has authorised, by which its options become `after`: the house may
    play it anywhere, and with it what is a default no more beside the new options."""
    about = options_of(GAMES[change.table.game].options)
    changed = {name: value for name, value in change.changes.items() if about[name].authorised}
    beside = {one.name: one.value for one in alternatives_of(change.table.game, after, change.table) if one.by is None}
    assert change.planned_for is not None, "it was submitted for a day"
    Authorisation.objects.create(
        game=change.table.game,
        options={**beside, **changed},
        basis=Basis.ANSWER,
        change=change,
        why=change.why,
        state=State.GIVEN,
        submitted_on=change.submitted_on,
        holds_from=change.planned_for,
        reference=change.reference,
        requested_by=change.drafted_by,
        requested_at=change.drafted_at,
        decided_by=change.decided_by,
        decided_at=change.decided_at,
    )


def bring(game: str, options: Mapping[str, object], reference: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Put on record what a demonstration table plays and no authorisation covers yet: as if filed in time, by nobody.

    It is shown as brought with the demonstration floor, and like the tables of that floor it is no deed of the staff.
    """
    whole = options_json(read_options(GAMES[game].options, dict(options)))
    missing = {one.name: one.value for one in alternatives_of(game, whole) if one.by is None}
    if not missing:
        return
    now = clock.now()
    Authorisation.objects.create(
        game=game,
        options=missing,
        basis=Basis.DEMONSTRATION,
        state=State.GIVEN,
        submitted_on=latest_filing(macau_date(now)),
        holds_from=macau_date(now),
        reference=reference,
        requested_at=now,
        decided_at=now,
    )


def _record(kind: Event.Kind, about: Authorisation, by: Player, clock: Clock, *, why: str = "") -> None:
    after: dict[str, object] = {"authorisation": about.pk, "game": about.game, "options": about.options}
    for name in ("submitted_on", "holds_from", "reference"):
        if value := getattr(about, name):
            after[name] = str(value)
    events.record(kind, by=by.pk, why=why, after=after, clock=clock)
