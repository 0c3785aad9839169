"""The registers: who is restricted by the house, who by themselves, who is watched; and the queue of the chat."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right, may
from tables.felt.formatting import text_of
from tables.games.contract.errors import Refused
from tables.models import Alert, Player, Report, Restriction, Watch
from tables.queries import moderation
from tables.services.journal import alerts
from tables.services.journal.alert_words import REPORTED
from tables.services.pit import sanctions, watches
from tables.services.players.restrictions import BY_THEMSELVES

from .gate import do_and_say, member_of, staff_deed, staff_page

SHOWN = 200
"""So many lines of each register are shown."""

MUTED_FOR = timedelta(days=1)
"""What one touch in the queue of the chat bars from it."""

Kind = Restriction.Kind


@staff_page(Right.WATCH)
def registers(request: HttpRequest) -> HttpResponse:
    """All who are restricted or watched now."""
    now = DATABASE_CLOCK.now()
    open_ = Q(until__isnull=True) | Q(until__gt=now) | Q(kind=Kind.OWN_EXCLUSION)
    held = Restriction.objects.filter(open_, lifted_at__isnull=True).select_related("player", "by")
    own = held.filter(kind__in=BY_THEMSELVES).order_by("player__name", "pk")[:SHOWN]
    context = {
        "place": "people",
        "restricted": held.exclude(kind__in=BY_THEMSELVES).order_by("player__name", "pk")[:SHOWN],
        "own": [(one, one.until is not None and one.until <= now) for one in own],
        "watched": Watch.objects.filter(ended_at__isnull=True).select_related("player", "by")[:SHOWN],
        "notes": may(member_of(request), Right.NOTE),
        "most": SHOWN,
    }
    return render(request, "pit/registers.html", context)


@staff_deed(Right.NOTE)
def watch(request: HttpRequest, player_id: int) -> HttpResponse:
    """Put a player on the watch list."""
    about = get_object_or_404(Player, pk=player_id, role="")
    deed = partial(watches.watch, member_of(request), about.pk, request.POST.get("why", "")[:500])
    return do_and_say(request, deed, _("The player is on the watch list."), "pit_player", about.pk)


@staff_deed(Right.NOTE)
def end_watch(request: HttpRequest, watch_id: int) -> HttpResponse:
    """Take a player off the watch list."""
    get_object_or_404(Watch, pk=watch_id)
    deed = partial(watches.end, member_of(request), watch_id, request.POST.get("why", "")[:500])
    return do_and_say(request, deed, _("The player is no longer on the watch list."), "pit_registers")


# ── The chat ────────────────────────────────────────────────────────────────────────────────────────────────


@staff_page(Right.WATCH)
def queue(request: HttpRequest) -> HttpResponse:
    """What players have reported of the chat, oldest first, with the lines around it; and what was looked at last."""
    by = member_of(request)
    context = {
        "place": "people",
        "waiting": moderation.waiting(),
        "done": moderation.done(),
        "mutes": may(by, Right.WARN) and may(by, Right.ACKNOWLEDGE),
    }
    return render(request, "pit/moderation.html", context)


@staff_deed(Right.WARN)
def moderate(request: HttpRequest, alert_id: int) -> HttpResponse:
    """Look at a reported line: bar its author from the chat for a day, or leave it at that."""
    alert = get_object_or_404(Alert, pk=alert_id, kind=Alert.Kind.REPORT)
    by, mutes = member_of(request), "mute" in request.POST
    try:
        alerts.acknowledge(by, alert.pk)  # first: whoever comes second bars nobody again
        if mutes:
            why = text_of(REPORTED[Report.Reason(alert.about["reason"])])
            said = f"{alert.about['text']} – {why}"[:500]
            until = DATABASE_CLOCK.now() + MUTED_FOR
            sanctions.restrict(by, alert.about["player"], Kind.MUTE, said, until=until)
    except Refused as refusal:
        messages.error(request, text_of(refusal.words))
    else:
        done = _("The player is barred from the chat for a day.") if mutes else _("Handled. Nobody is barred.")
        messages.success(request, done)
    return redirect("pit_moderation")
