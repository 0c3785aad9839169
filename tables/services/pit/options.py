"""Changes of house options: drafted, submitted, answered, withdrawn, and adopted by the first round they may hold in.

A change that an article wants authorised is filed with the inspectorate three working days ahead and holds only with
its approval on record; the rest needs a draft and somebody's word. Either holds from the first round that is opened on
or after its date: never within a round, in Baccarat never within a shoe, and not while stakes of the round before lie
on the layout, which are decided under the options they were laid under.

The edition of the regulation is no choice of the house (`editions`). What can be planned is from which day a table
plays one that has not passed: its first day may not be known to the program, or the table plays an older one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Protocol, get_args

from tables.base.calendar import macau_date
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, demand
from tables.base.transactions import unit_of_work
from tables.games import GAMES
from tables.games.contract.editions import replaced_on
from tables.games.contract.errors import OptionError, Refused
from tables.games.shared.limits import check_agree, check_bounded
from tables.games.shared.options import change_between_shoes, hints_of, options_json, options_of, read_options
from tables.games.values.words import Words, say
from tables.models import Event, Jackpot, OptionChange, Player, RoundLog, Seat, Table
from tables.services.journal import events
from tables.services.money import jackpots

from . import authorisations, second_person
from .locked_table import lock_table, save_table

State = OptionChange.State

PENDING = (State.DRAFT, State.SUBMITTED, State.APPROVED)
"""States in which a change may still come into force; meanwhile nobody drafts another of the same option."""


class HouseOptions(Protocol):
    """What the options of all games have."""

    @property
    def edition(self) -> str: ...

    @property
    def seats(self) -> int: ...


EDITION = "edition"
"""The option that names the edition of the regulation."""


def may_be_planned(table: Table, now: datetime) -> tuple[str, ...]:
    """The editions that a table can be planned to play: those that have not passed."""
    in_force, today = GAMES[table.game].in_force, macau_date(now).isoformat()
    replaced = {edition.name: replaced_on(in_force, edition.name) for edition in in_force}
    return tuple(name for name, day in replaced.items() if day is None or today < day)


# ── What a change does ──────────────────────────────────────────────────────────────────────────────────────


def merged(game_slug: str, options: Mapping[str, object], changes: Mapping[str, object]) -> HouseOptions:
    """The options of a game with these changes, as it knows them; what is changed to None is none.

    Raises OptionError if they do not go together.
    """
    cls = GAMES[game_slug].options
    hints = hints_of(cls)
    for name, value in changes.items():
        if value is None and name in hints and type(None) not in get_args(hints[name]):
            raise OptionError(say("%(option)s cannot be null", option=name))
    data = {**options, **changes}
    found: HouseOptions = read_options(cls, {name: value for name, value in data.items() if value is not None})
    return found


def options_with(table: Table, changes: Mapping[str, object]) -> HouseOptions:
    """The options of this table with these changes; it is locked.

    Raises OptionError if they do not go together, or not with the other tables of its jackpot.
    """
    game = GAMES[table.game]
    options: HouseOptions = game.for_a_table(merged(table.game, table.options, changes))
    check_agree(game, options)
    rules = game.pool(options)
    if table.jackpot_id is not None and rules is not None:
        jackpots.check_link(Jackpot.objects.select_for_update().get(pk=table.jackpot_id), rules, besides=table)
    return options


def options_now(table: Table) -> HouseOptions:
    """The options of the table's next round, as its game knows them."""
    options: HouseOptions = read_options(GAMES[table.game].options, table.options)
    return options


def authorised_by(change: OptionChange) -> str:
    """The article that demands an authorisation for this change; nothing if none does."""
    return _authorised_by(change.table, change.changes)


def _authorised_by(table: Table, names: Iterable[str]) -> str:
    about = options_of(GAMES[table.game].options)
    return next((about[name].authorised_by for name in names if about[name].authorised), "")


def _check(table: Table, changes: Mapping[str, object]) -> dict[str, object]:
    """The options of the locked table with these changes, as JSON. Raises Refused with the reason if they cannot be."""
    try:
        options = options_with(table, changes)
    except OptionError as error:
        raise Refused("", reason_of(error)) from None
    check_bounded(GAMES[table.game], options, options_now(table))
    return options_json(options)


def reason_of(error: OptionError) -> Words:
    """Why options cannot be so, for people."""
    (words,) = error.args
    assert isinstance(words, Words)
    return words


# ── The deeds ───────────────────────────────────────────────────────────────────────────────────────────────


def draft(
    by: Player, table_id: int, wanted: Mapping[str, object], why: str, *, clock: Clock = DATABASE_CLOCK
) -> OptionChange:
    """Draft a change: option -> value as in the public record, None for none; what stays as it is is left out.

    Raises Refused if nothing changes, for options that do not exist or do not go together, for what is no choice of the
    house, and for an option of which another change is pending.
    """
    demand(by, Right.DRAFT_OPTIONS)
    events.check_reason(why)
    with unit_of_work():
        table = Table.objects.select_for_update().get(pk=table_id)
        before = options_json(options_now(table))
        after = _check(table, wanted)
        changes = {name: after.get(name) for name in {**before, **after} if before.get(name) != after.get(name)}
        if EDITION in changes:  # what it knows for the first time takes its default: nobody has chosen that
            changes = {name: value for name, value in changes.items() if name in wanted}
        if not changes:
            raise Refused("", say("Nothing changes."))
        about = options_of(GAMES[table.game].options)
        edition, planned = str(after[EDITION]), may_be_planned(table, clock.now())
        for name in changes:
            if not (edition in planned if name == EDITION else about[name].is_left_to_the_house(edition)):
                raise Refused("", say("The regulation does not leave this to the house: %(option)s", option=name))
        for other in OptionChange.objects.filter(table=table, state__in=PENDING):
            for name in changes.keys() & other.changes.keys():
                raise Refused(
                    "",
                    say(
                        "Another change of this is pending, no. %(number)s: %(option)s",
                        number=str(other.pk),
                        option=about[name].says,
                    ),
                )
        change = OptionChange.objects.create(
            table=table,
            before=before,
            changes=changes,
            authorisation=authorisations.needed(table, changes, after, macau_date(clock.now())),
            why=why,
            drafted_by=by,
            drafted_at=clock.now(),
        )
        _record(Event.Kind.OPTIONS_DRAFTED, change, by, why=why, clock=clock)
        return change


def submit(
    by: Player, change_id: int, submitted_on: date, planned_for: date, *, clock: Clock = DATABASE_CLOCK
) -> OptionChange:
    """Write down that the request was filed with the inspectorate on this date, and from when the change is to hold.

    Both are dates of Macau. Raises Refused unless three working days lie between them.
    """
    demand(by, Right.DRAFT_OPTIONS)
    with unit_of_work():
        change = _locked(change_id, State.DRAFT)
        article = authorised_by(change)
        if not change.authorisation:
            raise Refused("", say("No article requires an authorisation for this."))
        if not macau_date(change.drafted_at) <= submitted_on <= macau_date(clock.now()):
            raise Refused("", say("The request is dated between the draft and today."))
        authorisations.check_filed(submitted_on, planned_for, article)
        _check(change.table, change.changes)
        change.state, change.submitted_by = State.SUBMITTED, by
        change.submitted_on, change.planned_for = submitted_on, planned_for
        _check_holds(change)
        change.save(update_fields=["state", "submitted_by", "submitted_on", "planned_for"])
        _record(Event.Kind.OPTIONS_SUBMITTED, change, by, clock=clock)
        return change


def approve(by: Player, change_id: int, reference: str, *, clock: Clock = DATABASE_CLOCK) -> OptionChange:
    """Record that the inspectorate has given its authorisation, with the reference of its answer. Raises Refused."""
    return _answer(by, change_id, State.APPROVED, reference, clock)


def refuse(by: Player, change_id: int, reference: str, *, clock: Clock = DATABASE_CLOCK) -> OptionChange:
    """Record that the inspectorate has refused its authorisation, with the reference of its answer. Raises Refused."""
    return _answer(by, change_id, State.REFUSED, reference, clock)


def _answer(by: Player, change_id: int, state: State, reference: str, clock: Clock) -> OptionChange:
    demand(by, Right.RECORD_AUTHORISATION)
    reference = authorisations.checked_reference(reference)
    with unit_of_work():
        change = _locked(change_id, State.SUBMITTED)
        second_person.check(change.drafted_by, by, clock.now(), say("A second person must record the answer."))
        change.state, change.reference = state, reference
        change.decided_by, change.decided_at = by, clock.now()
        change.save(update_fields=["state", "reference", "decided_by", "decided_at"])
        if state == State.APPROVED:
            authorisations.record_approved(
                change, options_json(merged(change.table.game, change.table.options, change.changes))
            )
        decision = Event.Kind.OPTIONS_APPROVED if state == State.APPROVED else Event.Kind.OPTIONS_REFUSED
        _record(decision, change, by, clock=clock)
        return change


def adopt(
    by: Player, change_id: int, planned_for: date | None = None, *, clock: Clock = DATABASE_CLOCK
) -> OptionChange:
    """Adopt a change that no article wants authorised: it holds from the next round (or shoe) on, or from the first one
    of a later day of Macau. Raises Refused, also for an edition that does not hold on that day."""
    demand(by, Right.DRAFT_OPTIONS)
    with unit_of_work():
        change = _locked(change_id, State.DRAFT)
        if change.authorisation:
            raise Refused(authorised_by(change), say("This must be submitted to the inspectorate first."))
        _check(change.table, change.changes)
        change.state, change.decided_by, change.decided_at = State.APPROVED, by, clock.now()
        today = macau_date(change.decided_at)
        change.planned_for = planned_for or today
        if change.planned_for < today:
            raise Refused("", say("That day has passed."))
        _check_holds(change)
        change.save(update_fields=["state", "decided_by", "decided_at", "planned_for"])
        _record(Event.Kind.OPTIONS_DECIDED, change, by, clock=clock)
        return change


def _check_holds(change: OptionChange) -> None:
    """Raise Refused if this changes to an edition that does not hold on the planned day, as far as days are known."""
    game, name = GAMES[change.table.game], change.changes.get(EDITION)
    if name is None or change.planned_for is None:
        return
    since = next(edition.since for edition in game.in_force if edition.name == name)
    replaced, day = replaced_on(game.in_force, name), change.planned_for.isoformat()
    if since is not None and day < since:
        raise Refused("", say("%(edition)s is in force from %(since)s", edition=name, since=since))
    if replaced is not None and replaced <= day:
        raise Refused("", say("%(edition)s is in force no more from %(day)s.", edition=name, day=replaced))


def withdraw(by: Player, change_id: int, why: str, *, clock: Clock = DATABASE_CLOCK) -> OptionChange:
    """Give a change up that does not hold yet. Raises Refused."""
    demand(by, Right.DRAFT_OPTIONS)
    events.check_reason(why)
    with unit_of_work():
        change = _locked(change_id, *PENDING)
        change.state = State.WITHDRAWN
        change.save(update_fields=["state"])
        _record(Event.Kind.OPTIONS_WITHDRAWN, change, by, why=why, clock=clock)
        return change


def _locked(change_id: int, *states: str) -> OptionChange:
    """A change in one of these states, its table locked: whatever is done about options is done one after another.

    Raises OptionChange.DoesNotExist, and Refused if it is in another state.
    """
    table_id = OptionChange.objects.values_list("table", flat=True).get(pk=change_id)
    table = Table.objects.select_for_update().get(pk=table_id)
    change = OptionChange.objects.get(pk=change_id)
    change.table = table
    if change.state not in states:
        raise Refused("", say("This change is in another state by now."))
    return change


def _record(
    kind: Event.Kind, change: OptionChange, by: Player | None, *, why: str = "", clock: Clock, log: int | None = None
) -> None:
    """Write down a deed about this change: what its options were, and what they become."""
    after: dict[str, object] = {"change": change.pk, "options": change.changes}
    for name in ("submitted_on", "planned_for", "reference"):
        if value := getattr(change, name):
            after[name] = str(value)
    events.record(
        kind,
        by=None if by is None else by.pk,
        table=change.table_id,
        log=log,
        why=why,
        before={name: change.before.get(name) for name in change.changes},
        after=after,
        clock=clock,
    )


# ── Between two rounds ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Due:
    """What has come into force at a table with the round that is being opened, and what could not, and why."""

    taken: list[OptionChange] = field(default_factory=list)
    failed: list[tuple[OptionChange, Words]] = field(default_factory=list)

    def write_down(self, log: RoundLog, clock: Clock) -> None:
        """Note the first round under what was taken, and what was not. Last of all in the round's opening.

        What cannot be adopted is said once, and again only when its reason is another.
        """
        for change in self.taken:
            change.state, change.adopted_at, change.log = State.ADOPTED, log.started_at, log
            change.save(update_fields=["state", "adopted_at", "log"])
            _record(Event.Kind.OPTIONS_ADOPTED, change, None, clock=clock, log=log.pk)
        for change, words in self.failed:
            said = Event.objects.filter(
                deed=Event.Kind.OPTIONS_NOT_ADOPTED, table=change.table_id, after__change=change.pk
            )
            last = said.order_by("-seq").first()
            if last is None or last.why != str(words):
                _record(Event.Kind.OPTIONS_NOT_ADOPTED, change, None, why=str(words), clock=clock)


def take_due(table: Table, now: datetime, *, fresh_shoe: bool, lying: bool) -> Due:
    """Bring into force what is due at a table that is about to open a round; it is locked. Its options are changed.

    `fresh_shoe`: the round begins with one, or needs none. `lying`: stakes of the round before lie on the layout, and
    then only what gives them back is taken. Another edition, being law, waits for neither. Of changes that do not go
    with what holds each waits for the others, and what still does not is left as it is. Whoever sits where no seat is
    left stands up.
    """
    due = Due()
    changes = OptionChange.objects.filter(table=table, state=State.APPROVED, planned_for__lte=macau_date(now))
    game = GAMES[table.game]
    waits = change_between_shoes(game.options) and not fresh_shoe
    left = [change for change in changes.order_by("planned_for", "pk") if EDITION in change.changes or not waits]
    if not left:
        return due
    shoe = game.shoe(options_now(table))
    progress = True
    while left and progress:
        progress, due.failed = False, []
        for change in tuple(left):
            try:
                options = options_with(table, change.changes)
            except OptionError as error:
                due.failed.append((change, reason_of(error)))
                continue
            if lying and game.carries(options) and EDITION not in change.changes:
                left.remove(change)
                continue
            table.options = options_json(options)
            left.remove(change)
            due.taken.append(change)
            progress = True
    if due.taken:
        options = options_now(table)
        table.fresh_shoe_due = table.fresh_shoe_due or game.shoe(options) != shoe
        if any(EDITION in change.changes for change in due.taken):
            table.edition_in_force = options.edition == game.edition_on(macau_date(now).isoformat())
        table.version += 1
        table.save(update_fields=["options", "edition_in_force", "version"])
        Seat.objects.filter(table=table, number__gt=options.seats).delete()
    return due


# ── The director of the room ────────────────────────────────────────────────────────────────────────────────


def set_at_once(
    by: Player, table_id: int, name: str, number: int, why: str = "", *, clock: Clock = DATABASE_CLOCK
) -> None:
    """Lower a number that an article lets the director of the room lower, or raise it again, up to what is authorised.

    It holds from the next round on, without a request and without waiting. Raises Refused.
    """
    demand(by, Right.RUN_TABLES)
    with unit_of_work():
        table = lock_table(table_id)
        options = options_now(table)
        article = GAMES[table.game].lowered_at_once(options).get(name)
        if article is None:
            raise Refused("", say("No article lets this be lowered at once here."))
        most, present = most_at_once(table, name), getattr(options, name)
        if not 1 <= number <= most:
            raise Refused(article, say("It is from %(least)s to %(most)s.", least=1, most=most))
        if number == present:
            raise Refused("", say("Nothing changes."))
        table.options = _check(table, {name: number})
        save_table(table, "options")
        before, after = {"limits": {name: present}}, {"limits": {name: number}}
        events.record(
            Event.Kind.LIMITS, by=by.pk, table=table.pk, why=why.strip(), before=before, after=after, clock=clock
        )


def most_at_once(table: Table, name: str) -> int:
    """What such a number may be raised to: as the last change that was adopted says, or else as the article does."""
    last = OptionChange.objects.filter(table=table, state=State.ADOPTED, changes__has_key=name)
    change = last.order_by("-adopted_at", "-pk").first()
    most: int = getattr(GAMES[table.game].options(), name) if change is None else change.changes[name]
    return most


# ── What is asked ───────────────────────────────────────────────────────────────────────────────────────────


def waiting() -> list[OptionChange]:
    """All changes that do not hold yet, those of the earliest date first, drafts last."""
    found = OptionChange.objects.filter(state__in=PENDING).select_related("table", "drafted_by")
    return sorted(found, key=lambda change: (change.planned_for or date.max, change.pk))


def history(table: Table) -> list[OptionChange]:
    """What has become of the changes of this table, newest first: adopted, refused, withdrawn."""
    found = OptionChange.objects.filter(table=table).exclude(state__in=PENDING)
    return list(found.select_related("log", "drafted_by", "decided_by").order_by("-pk"))


def events_of(change: OptionChange) -> list[Event]:
    """What has been done about this change, in order."""
    found = Event.objects.filter(table=change.table_id, deed__startswith="options_", after__change=change.pk)
    return list(found.select_related("by").order_by("seq"))


def orders(table: Table) -> list[Event]:
    """What has set options of this table without anybody's choice, newest first: another edition in force (in its first
    round), and rulings (in the round that they were made in)."""
    found = Event.objects.filter(table=table, deed__in=(Event.Kind.EDITION, Event.Kind.RULED), after__has_key="options")
    return list(found.select_related("log").order_by("-seq"))


def opened_with(table: Table) -> tuple[Mapping[str, object], RoundLog | None]:
    """The options that the table was opened with, before any change; and its first round, if one has been played."""
    first = RoundLog.objects.filter(table=table).order_by("number").first()
    if first is None:
        return table.options, None
    changed = OptionChange.objects.filter(table=table, log=first).order_by("pk").first()
    return (first.options if changed is None else changed.before), first
