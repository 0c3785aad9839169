"""The page on which the pit rules on an irregularity: what can be ruled, what it would do, and the reason."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tables.base.rights import Right
from tables.felt.formatting import text_of
from tables.felt.games import FELTS
from tables.games.contract.errors import Refused
from tables.games.contract.irregularity import Irregularity
from tables.games.contract.round import Round
from tables.games.values.words import Words
from tables.models import RoundLog, Table
from tables.queries.folds import round_of
from tables.services.pit import rulings
from tables.services.pit.deeds import Void

from .approvals import do_or_ask
from .gate import member_of, staff


@dataclass(frozen=True, slots=True)
class Choice:
    """One irregularity of the game's list: what it orders, and where it is looked at (for each box, if one must be
    named); with no address it cannot be ruled now."""

    what: Irregularity
    orders: Words
    urls: tuple[tuple[int | None, str], ...]


@staff(Right.RULE)
@require_http_methods(["GET", "POST"])
def rule(request: HttpRequest, log_id: int) -> HttpResponse:
    """Look at what a ruling would do (GET, `what` and `box`), and rule (POST)."""
    log = get_object_or_404(RoundLog.objects.select_related("table"), pk=log_id)
    if request.method == "POST":
        return _ruled(request, log)
    round_ = round_of(log)
    context = {
        "log": log,
        "place": "floor",
        "phase": FELTS[log.game].phase_words(str(round_.phase)),
        "choices": _choices(log, round_),
        "rulings": rulings.in_words(log),
    }
    if name := request.GET.get("what", ""):
        try:
            context["preview"] = rulings.preview(log, name, _box(request.GET.get("box", "")))
        except Refused as refusal:
            context["refusal"] = refusal
        else:
            context["ref"] = uuid.uuid4().hex
            context["why"] = request.GET.get("why", "")
            context["longest"] = rulings.LONGEST
    return render(request, "pit/rule.html", context)


@staff(Right.RULE)
@require_safe
def rule_now(request: HttpRequest, slug: str) -> HttpResponse:
    """To the present round of a table, whichever it is by now."""
    table = get_object_or_404(Table, slug=slug)
    if table.round_id is None:
        messages.info(request, _("No round has begun at this table yet."))
        return redirect("pit_table", slug)
    return redirect("pit_rule", table.round_id)


def _ruled(request: HttpRequest, log: RoundLog) -> HttpResponse:
    name, box, why = request.POST.get("what", ""), request.POST.get("box", ""), request.POST.get("why", "")
    ref = request.POST.get("ref", "")
    if not (ref.isascii() and ref.isalnum() and len(ref) <= 64):
        raise Http404
    here = reverse("pit_rule", args=[log.pk])
    try:
        asked = do_or_ask(member_of(request), Void(log.pk, name, _box(box), ref), why)
    except Refused as refusal:
        messages.error(request, text_of(refusal.words))
        return redirect(f"{here}?{urlencode({'what': name, 'box': box, 'why': why[: rulings.LONGEST]})}")
    messages.success(request, text_of(asked) or _("The ruling is made, and the players are told."))
    return redirect(here)


def _box(given: str) -> int | None:
    if not given:
        return None
    if not (given.isascii() and given.isdigit() and len(given) <= 3):
        raise Http404
    return int(given)


def _choices(log: RoundLog, round_: Round) -> list[Choice]:
    """The game's list, what can be ruled now first."""
    here = reverse("pit_rule", args=[log.pk])
    found = []
    for what, may in rulings.open_to(log):
        boxes: tuple[int | None, ...] = (None,) if what.boxes is None else tuple(what.boxes(round_))
        urls = tuple(
            (box, f"{here}?{urlencode({'what': what.name} | ({} if box is None else {'box': box}))}#preview")
            for box in boxes
            if may
        )
        found.append(Choice(what, what.ordered(round_), urls))
    return sorted(found, key=lambda choice: not choice.urls)
