"""House options in the pit: those of a table, a change from its draft to its first round, and all that wait."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.base.calendar import earliest_adoption, latest_filing, macau_date
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right, may
from tables.felt.formatting import MARKS, number, text_of
from tables.felt.rules import held
from tables.felt.shared.limits import named_in_limits
from tables.games import GAMES
from tables.games.contract.errors import OptionError, Refused
from tables.games.contract.game import Game
from tables.games.edges import Edge, edges_of
from tables.games.shared.options import change_between_shoes, options_json, options_of
from tables.games.values.words import Words
from tables.models import Event, OptionChange, Table
from tables.services.journal.events import with_words
from tables.services.pit import options as house_options
from tables.services.pit.authorisations import Alternative, alternatives_of, covering, on_record
from tables.services.pit.options import PENDING, HouseOptions, State

from .gate import member_of, staff_deed, staff_page
from .option_forms import (
    Authorised,
    DraftForm,
    allowed_in_words,
    authorised_in_words,
    called,
    in_words,
    limits_in_words,
)

# ── The options of a table ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Row:
    """One option of a table: what it is about, its article, what is and may be chosen, the article that asks for an
    authorisation, and the field that changes it, if it can be (`free` where it does not list what is allowed)."""

    name: str
    says: str
    article: str
    value: str
    allowed: str
    authorised_by: str
    field: forms.BoundField | None
    free: bool
    settled: bool
    chosen: Alternative | None = None
    """If it is no default and needs an authorisation: the one by which it is played."""


@staff_page(Right.WATCH)
def options(request: HttpRequest, slug: str) -> HttpResponse:
    """Every option of a table with its article, value and allowed values, and what a change needs."""
    return _options(request, get_object_or_404(Table, slug=slug))


@staff_deed(Right.DRAFT_OPTIONS)
def draft(request: HttpRequest, slug: str) -> HttpResponse:
    """Draft a change; then to its page. What cannot be is said beside what was filled in."""
    table = get_object_or_404(Table, slug=slug)
    form = DraftForm(GAMES[table.game], house_options.options_now(table), request.POST, editions=_editions(table))
    if form.is_valid():
        try:
            change = house_options.draft(member_of(request), table.pk, form.wanted, form.cleaned_data["why"])
        except Refused as refusal:
            form.add_error(None, called(form.game, text_of(refusal.words)))
        else:
            return redirect("pit_option_change", change.pk)
    return _options(request, table, form)


def _options(request: HttpRequest, table: Table, form: DraftForm | None = None) -> HttpResponse:
    game, now = GAMES[table.game], house_options.options_now(table)
    if form is None and may(member_of(request), Right.DRAFT_OPTIONS):
        form = DraftForm(game, now, editions=_editions(table))
    context = {
        "place": "options",
        "table": table,
        "title": game.title,
        "rows": _rows(table, now, form),
        "form": form,
        "pending": [change for change in house_options.waiting() if change.table_id == table.pk],
        "between_shoes": change_between_shoes(game.options),
        "edition": now.edition,
        "held": held(game, now.edition),
        "edges": edge_lines(game, now, now)[1],
        "names": named_in_limits(game),
    }
    return render(request, "pit/options.html", context)


def _editions(table: Table) -> tuple[str, ...]:
    return house_options.may_be_planned(table, DATABASE_CLOCK.now())


def _rows(table: Table, options: HouseOptions, form: DraftForm | None = None) -> list[Row]:
    game = GAMES[table.game]
    chosen = {one.name: one for one in alternatives_of(table.game, options_json(options), table)}
    return [_row(game, options, name, form, chosen.get(name)) for name in options_of(game.options)]


def _row(game: Game, now: HouseOptions, name: str, form: DraftForm | None, chosen: Alternative | None) -> Row:
    about = options_of(game.options)[name]
    left = about.is_left_to_the_house(now.edition)
    return Row(
        name=name,
        says=text_of(about.says),
        article=about.article,
        value=in_words(game, name, getattr(now, name)),
        allowed=allowed_in_words(game, name) if left else "",
        authorised_by=about.authorised_by if left else "",
        field=form[name] if form is not None and name in form.fields else None,
        free=about.values is None,
        settled=not left,
        chosen=chosen,
    )


@staff_page(Right.WATCH)
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """What the options of a table were from its opening on, and what became of each change."""
    table = get_object_or_404(Table, slug=slug)
    game = GAMES[table.game]
    given, first = house_options.opened_with(table)
    opened = house_options.merged(table.game, given, {})
    limits = Event.objects.filter(table=table, deed=Event.Kind.LIMITS).select_related("by").order_by("-seq")
    context = {
        "place": "options",
        "table": table,
        "title": game.title,
        "changes": [(change, _changed(change)) for change in house_options.history(table)],
        "orders": [(event, _ordered(game, event)) for event in house_options.orders(table)],
        "limits": [(event, limits_in_words(game, event)) for event in limits],
        "first": first,
        "opened": _rows(table, opened),
    }
    return render(request, "pit/options_history.html", context)


def _ordered(game: Game, event: Event) -> list[tuple[str, str]]:
    """The options that the regulation or a ruling has set, each with its new value, in words."""
    changes = (event.after or {})["options"]
    after = house_options.merged(game.slug, event.log.options if event.log else {}, changes)
    about = options_of(game.options)
    return [(text_of(about[name].says), in_words(game, name, getattr(after, name))) for name in changes]


@staff_page(Right.WATCH)
def waiting(request: HttpRequest) -> HttpResponse:
    """All changes that do not hold yet, whichever their table."""
    changes = [(change, _changed(change)) for change in house_options.waiting()]
    return render(request, "pit/options_waiting.html", {"place": "options", "changes": changes})


# ── One change ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Changed:
    """One option that changes: from what to what, in words; and the article that demands an authorisation for it."""

    says: str
    article: str
    before: str
    after: str
    authorised_by: str


def _changed(change: OptionChange) -> list[Changed]:
    game = GAMES[change.table.game]
    before = house_options.merged(game.slug, change.before, {})
    after = house_options.merged(game.slug, change.before, change.changes)
    about = options_of(game.options)
    return [
        Changed(
            text_of(about[name].says),
            about[name].article,
            in_words(game, name, getattr(before, name)),
            in_words(game, name, getattr(after, name)),
            about[name].authorised_by,
        )
        for name in about
        if name in change.changes
    ]


class SubmitForm(forms.Form):
    """The dates of a request to the inspectorate, both Macau's."""

    submitted_on = forms.DateField(
        label=gettext_lazy("Date of the request"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    planned_for = forms.DateField(
        label=gettext_lazy("To hold from"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )


class AdoptForm(forms.Form):
    """From which day of Macau on a change is to hold; without one from today."""

    planned_for = forms.DateField(
        label=gettext_lazy("To hold from"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        required=False,
    )


@staff_page(Right.WATCH)
def change(request: HttpRequest, change_id: int) -> HttpResponse:
    """One change: what it changes, whether that goes together, what it does to the edges, and what comes next."""
    return _change(request, _one(change_id))


def _one(change_id: int) -> OptionChange:
    found = OptionChange.objects.select_related("table", "log", "drafted_by", "submitted_by", "decided_by")
    return get_object_or_404(found, pk=change_id)


def _change(request: HttpRequest, change: OptionChange, form: SubmitForm | None = None) -> HttpResponse:
    game, by = GAMES[change.table.game], member_of(request)
    present = change.table.options if change.state in PENDING else change.before
    before = house_options.merged(game.slug, present, {})
    fault, edges = "", None
    cautions: Sequence[Words] = ()
    try:
        after = game.for_a_table(house_options.merged(game.slug, present, change.changes))
        edges, cautions = edge_lines(game, before, after), game.cautions(after)
    except OptionError as error:
        fault = called(game, text_of(house_options.reason_of(error)))
    today = macau_date(DATABASE_CLOCK.now())
    earliest = earliest_adoption(today)
    drafts, answers = may(by, Right.DRAFT_OPTIONS), may(by, Right.RECORD_AUTHORISATION)
    is_draft = change.state == State.DRAFT
    if form is None and is_draft and change.authorisation and drafts:
        form = SubmitForm(initial={"submitted_on": today, "planned_for": earliest})
    context = {
        "place": "options",
        "change": change,
        "table": change.table,
        "title": game.title,
        "changed": _changed(change),
        "authorised_by": house_options.authorised_by(change),
        "covered": _covered(change),
        "fault": fault,
        "cautions": cautions,
        "edges": edges,
        "events": with_words(house_options.events_of(change)),
        "today": today,
        "earliest": earliest,
        "file_by": latest_filing(change.planned_for) if change.planned_for and change.submitted_on else None,
        "days": [(day, latest_filing(day)) for day in (earliest, *_following(earliest))],
        "form": form if is_draft and drafts else None,
        "adoption": AdoptForm(initial={"planned_for": today})
        if is_draft and not change.authorisation and drafts
        else None,
        "may_answer": change.state == State.SUBMITTED and answers and change.drafted_by_id != by.pk,
        "own": change.state == State.SUBMITTED and answers and change.drafted_by_id == by.pk,
        "may_withdraw": change.state in PENDING and drafts,
        "between_shoes": change_between_shoes(game.options),
    }
    return render(request, "pit/options_change.html", context)


def _covered(change: OptionChange) -> list[Authorised]:
    """By what a change that needs an authorisation has one already."""
    game = GAMES[change.table.game]
    about, given = options_of(game.options), on_record(game.slug)
    found = [(name, value, covering(given, name, value)) for name, value in change.changes.items()]
    covered = [(name, value, by) for name, value, by in found if about[name].authorised and not change.authorisation]
    return [words for name, value, by in covered for words in authorised_in_words(game, {name: value}, by)]


def _following(day: date) -> list[date]:
    """The next days for which the request may be filed later than for the one before."""
    found = []
    for _each in range(2):
        day = earliest_adoption(latest_filing(day) + timedelta(days=1))
        found.append(day)
    return found


# ── Its deeds ───────────────────────────────────────────────────────────────────────────────────────────────


@staff_deed(Right.DRAFT_OPTIONS)
def submit(request: HttpRequest, change_id: int) -> HttpResponse:
    """The request has been filed, with its date and the planned one."""
    change = _one(change_id)
    form = SubmitForm(request.POST)
    if not form.is_valid():
        return _change(request, change, form)
    dates = form.cleaned_data
    try:
        house_options.submit(member_of(request), change.pk, dates["submitted_on"], dates["planned_for"])
    except Refused as refusal:
        form.add_error(None, called(GAMES[change.table.game], text_of(refusal.words)))
        return _change(request, change, form)
    messages.success(request, _("The request is on record."))
    return redirect("pit_option_change", change.pk)


@staff_deed(Right.RECORD_AUTHORISATION)
def answer(request: HttpRequest, change_id: int) -> HttpResponse:
    """The inspectorate has given its authorisation, or refused it."""
    deed = house_options.refuse if request.POST.get("answer") == "refused" else house_options.approve
    reference = request.POST.get("reference", "")
    return _done(request, change_id, lambda pk: deed(member_of(request), pk, reference), _("The answer is on record."))


@staff_deed(Right.DRAFT_OPTIONS)
def adopt(request: HttpRequest, change_id: int) -> HttpResponse:
    """Adopt what no article wants authorised, at once or from a later day on."""
    form = AdoptForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Give a date."))
        return redirect("pit_option_change", change_id)
    day = form.cleaned_data["planned_for"]
    done = _("It takes effect as soon as it may.")
    return _done(request, change_id, lambda pk: house_options.adopt(member_of(request), pk, day), done)


@staff_deed(Right.DRAFT_OPTIONS)
def withdraw(request: HttpRequest, change_id: int) -> HttpResponse:
    """Give it up."""
    why = request.POST.get("why", "")
    done = _("The change is withdrawn.")
    return _done(request, change_id, lambda pk: house_options.withdraw(member_of(request), pk, why), done)


def _done(request: HttpRequest, change_id: int, deed: Callable[[int], object], done: str) -> HttpResponse:
    change = _one(change_id)
    try:
        deed(change.pk)
    except Refused as refusal:
        messages.error(request, called(GAMES[change.table.game], text_of(refusal.words)))
    else:
        messages.success(request, done)
    return redirect("pit_option_change", change.pk)


# ── What it does to the edges ───────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class EdgeLine:
    """What the house keeps of a bet, or of several of one kind, before and after; a dash where it is not offered."""

    bets: str
    before: str
    after: str
    exact: bool
    more: bool
    less: bool


def edge_lines(game: Game, before: object, after: object) -> tuple[list[EdgeLine], list[EdgeLine]]:
    """The bets whose edge these options change, and those whose edge stays: (changed, the same)."""
    was, becomes = edges_of(game.slug, before), edges_of(game.slug, after)
    groups: dict[tuple[str, Edge | None, Edge | None], list[str]] = {}
    for name, spot in game.spots.items():
        if name in was or name in becomes:
            groups.setdefault((spot.family or name, was.get(name), becomes.get(name)), []).append(name)
    changed: list[EdgeLine] = []
    same: list[EdgeLine] = []
    for (_family, old, new), names in groups.items():
        (same if old == new else changed).append(_edge_line(game, names, old, new))
    return changed, same


def _edge_line(game: Game, names: list[str], old: Edge | None, new: Edge | None) -> EdgeLine:
    first, last = (text_of(game.spots[name].title) for name in (names[0], names[-1]))
    bets = first if len(names) == 1 else f"{first} … {last} ({number(len(names))})"
    shares = (old.share if old else Fraction(0), new.share if new else Fraction(0))
    both = old is not None and new is not None
    return EdgeLine(
        bets=bets,
        before=per_cent(old.share) if old else "–",
        after=per_cent(new.share) if new else "–",
        exact=all(edge.exact for edge in (old, new) if edge is not None),
        more=both and shares[1] > shares[0],
        less=both and shares[1] < shares[0],
    )


def per_cent(share: Fraction) -> str:
    """A part of one in per cent with three decimals: 1.058 %."""
    _thousands, point = MARKS.get(translation.get_language() or "", (",", "."))
    whole, rest = divmod(abs(round(share * 100_000)), 1_000)
    return f"{'−' if share < 0 else ''}{number(whole)}{point}{rest:03} %"
