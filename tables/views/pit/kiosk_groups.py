"""For whoever looks after many kiosks: deeds for a whole group, and how the visits of a fortnight went."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from tables.base.calendar import macau_date, midnight
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right
from tables.felt.formatting import text_of
from tables.games.contract.errors import Refused
from tables.kiosk import statistics
from tables.kiosk.statistics import Course
from tables.models import Kiosk, Player
from tables.services.kiosk import kiosks as services

from .gate import member_of, staff, staff_page
from .kiosks import MessageForm, NoForm, ScheduleForm, WhyForm

DAYS_SHOWN = 14


def _deeds() -> dict[str, tuple[str, type[forms.Form]]]:
    return {
        "message": (_("Show a message"), MessageForm),
        "restart": (_("Restart"), NoForm),
        "lock": (_("Lock"), WhyForm),
        "unlock": (_("Unlock"), NoForm),
        "schedule": (_("Set the hours"), ScheduleForm),
    }


def _deed(by: Player, name: str, form: forms.Form) -> Callable[[int], None]:
    """What is done for each kiosk."""
    match name, form:
        case "message", MessageForm():
            return lambda pk: services.show(by, pk, form.cleaned_data["message"], form.by_language())
        case "lock", _:
            return lambda pk: services.lock(by, pk, form.cleaned_data["why"])
        case "unlock", _:
            return lambda pk: services.unlock(by, pk)
        case "schedule", ScheduleForm():
            planned = form.schedule()
            return lambda pk: services.plan(by, pk, planned)
    return lambda pk: services.restart(by, pk)


@staff(Right.RUN_KIOSKS)
@require_http_methods(["GET", "POST"])
def group(request: HttpRequest) -> HttpResponse:
    """A group of kiosks, and what may be done for all of them."""
    asked = request.POST if request.method == "POST" else request.GET
    name, known = asked.get("group", ""), _deeds()
    members = list(Kiosk.objects.filter(group=name, retired_at=None).exclude(group=""))
    if not members:
        raise Http404
    forms_ = {deed: form(auto_id=f"{deed}_%s") for deed, (_title, form) in known.items()}
    forms_["schedule"] = ScheduleForm(auto_id="schedule_%s", initial=ScheduleForm.initially(members[0]))
    deed = request.POST.get("deed", "")
    status = 200
    if request.method == "POST" and deed in known:
        form = known[deed][1](request.POST, auto_id=f"{deed}_%s")
        if form.is_valid():
            try:
                done = services.for_group(member_of(request), name, _deed(member_of(request), deed, form))
            except Refused as refusal:
                field = refusal.article if refusal.article in form.fields else None
                form.add_error(field, text_of(refusal.words))
            else:
                said = ngettext("Done for %(many)s kiosk.", "Done for %(many)s kiosks.", done) % {"many": done}
                messages.success(request, said)
                return redirect(f"{reverse('pit_kiosk_group')}?{urlencode({'group': name})}")
        forms_[deed], status = form, 400
    context = {
        "place": "kiosks",
        "group": name,
        "members": members,
        "deeds": [(one, title, forms_[one]) for one, (title, _form) in known.items()],
    }
    return render(request, "pit/kiosk_group.html", context, status=status)


@staff_page(Right.WATCH)
def visits(request: HttpRequest) -> HttpResponse:
    """How the visits of the last days went, by day and by kiosk."""
    now = DATABASE_CLOCK.now()
    today = macau_date(now)
    days = [today - timedelta(days=ago) for ago in range(DAYS_SHOWN)]
    by_day = [(str(day), sum(_on(day).values(), Course())) for day in days]
    found = statistics.courses(midnight(days[-1]), now)
    names = dict(Kiosk.objects.values_list("pk", "name"))
    by_kiosk = sorted(((names[pk], course) for pk, course in found.items()), key=lambda line: line[0])
    tables = ((_("Day"), by_day), (_("Kiosk"), by_kiosk))
    return render(request, "pit/kiosk_visits.html", {"place": "kiosks", "tables": tables})


def _on(day: date) -> dict[int, Course]:
    return statistics.courses(midnight(day), midnight(day + timedelta(days=1)))
