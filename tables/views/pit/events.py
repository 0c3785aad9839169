"""The event log of the pit, newest first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import partial, reduce
from operator import or_
from urllib.parse import urlencode

from django import forms
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tables.base.calendar import macau_date, midnight
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right
from tables.felt.formatting import text_of
from tables.games.values.words import Words
from tables.kiosk import board as kiosk_board
from tables.models import Event, EventHead, Kiosk
from tables.pit.significant import Significant, between
from tables.services.journal.events import KINDS, said_by, with_words
from tables.views.csv_sheets import csv_sheet, defused, plain
from tables.views.paging import older_page

from .event_changes import Change, changes
from .gate import staff_page
from .report_forms import MOST_DAYS

LINES = 50
"""Events on one page."""


@staff_page(Right.WATCH)
def events(request: HttpRequest) -> HttpResponse:
    """Every deed of the staff, and of the house about its tables: who, when, what, why, before and after."""
    asked = Search(request.GET)
    chosen = urlencode({name: value for name in asked.fields if (value := request.GET.get(name, ""))})
    lines, older_url = older_page(request, partial(_events, asked), LINES, chosen)
    context = {
        "place": "events",
        "form": asked,
        "searched": bool(chosen),
        "events": _in_words(lines),
        "older_url": older_url,
        "newer_url": f"{reverse('pit_events')}?{chosen}" if "before" in request.GET else "",
        "export_url": f"{reverse('pit_events_json')}?{_days(*asked.span())}",
    }
    return render(request, "pit/events.html", context)


@staff_page(Right.WATCH)
def exported(request: HttpRequest) -> HttpResponse:
    """All events of some days as JSON, oldest first, with the digests of the chain: whoever has the file works them out
    again from what each event says."""
    first, last = Days(request.GET).span()
    found = _within(Event.objects.select_related("by", "player", "table"), first, last).order_by("seq")
    lines = list(found)
    head = EventHead.objects.filter(pk=1).first()
    people = {str(one.pk): str(one) for line in lines for one in (line.by, line.player) if one is not None}
    told = {
        "format": "macau-floor/events/1",
        "digest": "SHA-256 of the event as JSON without its digest: keys sorted, ', ' and ': ' between, UTF-8",
        "since": first.isoformat(),
        "until": last.isoformat(),
        "head": {"seq": head.seq, "digest": head.digest} if head is not None else None,
        "people": people,
        "tables": {str(line.table_id): str(line.table) for line in lines if line.table is not None},
        "events": [{**said_by(line), "digest": line.digest} for line in lines],
    }
    answer = HttpResponse(json.dumps(told, ensure_ascii=False, indent=1), content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="events-{first:%Y-%m-%d}-{last:%Y-%m-%d}.json"'
    return answer


@staff_page(Right.WATCH)
def of_kiosk(request: HttpRequest, kiosk_id: int) -> HttpResponse:
    """What was done with one kiosk."""
    kiosk = get_object_or_404(Kiosk, pk=kiosk_id)
    lines, older_url = older_page(request, partial(kiosk_board.events_of, kiosk_id), LINES)
    context = {
        "place": "kiosks",
        "kiosk": kiosk,
        "events": _in_words(lines),
        "older_url": older_url,
        "newer_url": reverse("pit_kiosk_events", args=[kiosk_id]) if "before" in request.GET else "",
    }
    return render(request, "pit/events.html", context)


def _in_words(lines: Iterable[Event]) -> list[tuple[Event, Words, list[Change]]]:
    """Events, each with what it says and what it has changed."""
    return [(event, deed, changes(event)) for event, deed in with_words(lines)]


class Days(forms.Form):
    """The first and the last day, both Macau's."""

    use_required_attribute = False

    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def clean(self) -> dict[str, object]:
        """They are in their order, and not too far apart."""
        asked = super().clean() or {}
        since, until = asked.get("since"), asked.get("until")
        if since is not None and until is not None:
            if until < since:
                self.add_error("until", gettext("The last day comes before the first."))
            elif (until - since).days >= MOST_DAYS:
                self.add_error("until", gettext("At most %(days)s days in one report.") % {"days": MOST_DAYS})
        return asked

    def span(self) -> tuple[date, date]:
        """What is asked for; today if it makes no sense, and one day if one is given."""
        asked = self.cleaned_data if self.is_valid() else {}
        today = macau_date(DATABASE_CLOCK.now())
        first, last = asked.get("since"), asked.get("until")
        return first or last or today, last or first or today


class Search(Days):
    """Which events: of some days, of one kind, or in which these words stand. What makes no sense is left out."""

    deed = forms.ChoiceField(label=_("Deed"), required=False)
    q = forms.CharField(label=_("Who, about whom or what, or why"), required=False, max_length=60)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        kinds = sorted((text_of(words), str(kind)) for kind, words in KINDS.items())
        self.fields["deed"].choices = [("", gettext("all")), *((kind, words) for words, kind in kinds)]  # type: ignore[attr-defined]

    def found(self) -> QuerySet[Event]:
        asked = self.cleaned_data if self.is_valid() else {}
        found = Event.objects.all()
        if asked.get("since") or asked.get("until"):
            found = _within(found, *self.span())
        if deed := asked.get("deed"):
            found = found.filter(deed=deed)
        if words := asked.get("q"):
            places = ("by__name", "by__username", "player__name", "player__username", "table__name", "why")
            found = found.filter(reduce(or_, (Q(**{f"{place}__icontains": words}) for place in places)))
        return found


def _within(found: QuerySet[Event], first: date, last: date) -> QuerySet[Event]:
    return found.filter(at__gte=midnight(first), at__lt=midnight(last + timedelta(days=1)))


def _days(first: date, last: date) -> str:
    return urlencode({"since": first.isoformat(), "until": last.isoformat()})


def _significant(request: HttpRequest) -> tuple[Days, date, date, list[Significant]]:
    today = macau_date(DATABASE_CLOCK.now()).isoformat()
    asked = Days({"since": today, "until": today, **request.GET.dict()})
    first, last = asked.span()
    return asked, first, last, between(midnight(first), midnight(last + timedelta(days=1)))


@staff_page(Right.WATCH)
def significant(request: HttpRequest) -> HttpResponse:
    """The significant events of some days, newest first."""
    asked, first, last, found = _significant(request)
    context = {
        "place": "events",
        "form": asked,
        "first": first,
        "last": last,
        "found": found,
        "csv_url": f"{reverse('pit_significant_csv')}?{_days(first, last)}",
    }
    return render(request, "pit/significant.html", context)


@staff_page(Right.WATCH)
def significant_sheet(request: HttpRequest) -> HttpResponse:
    """The same as CSV, UTF-8 with a mark of it: moments with their zone, amounts in credits."""
    _asked, first, last, found = _significant(request)
    name = f"significant-events-{first:%Y-%m-%d}-{last:%Y-%m-%d}.csv"
    return csv_sheet(name, _columns(), ([defused(cell) for cell in _cells(one)] for one in found))


def _columns() -> tuple[str, ...]:
    return (
        gettext("Time"),
        gettext("Kind"),
        gettext("What"),
        gettext("Who"),
        gettext("Table"),
        gettext("Round"),
        gettext("Bettor"),
        gettext("Amount"),
        gettext("Before"),
        gettext("After"),
        gettext("Why"),
        gettext("Source"),
    )


def _cells(one: Significant) -> tuple[str, ...]:
    return (
        timezone.localtime(one.at).isoformat(timespec="seconds"),
        text_of(one.kind),
        text_of(one.says),
        one.by,
        one.table,
        str(one.round or ""),
        one.player,
        "" if one.cents is None else plain(one.cents),
        _json(one.before),
        _json(one.after),
        text_of(one.why) if isinstance(one.why, Words) else one.why,
        text_of(one.source),
    )


def _json(value: object) -> str:
    return "" if value is None else json.dumps(value, sort_keys=True, ensure_ascii=False)


def _events(asked: Search, *, before: int | None, limit: int) -> Sequence[Event]:
    found = asked.found().select_related("by", "table", "player").order_by("-id")
    return list((found if before is None else found.filter(pk__lt=before))[:limit])
