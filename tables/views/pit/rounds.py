"""Disputes: find any round, replay it as a viewer saw it, work it out again and compare it with the ledger."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django import forms
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.base.rights import Right, may
from tables.felt.games import FELTS
from tables.models import Played, Player, RoundLog, Table
from tables.models.bettors import player_named
from tables.proof import visibility
from tables.proof.reconciliation import reconcile
from tables.queries.history import record_of_log, took_part
from tables.queries.reviews import all_reviews_of, waits_for_second
from tables.views.heavy import a_few_at_once
from tables.views.history import replayed

from .gate import member_of, staff_page
from .notes import all_notes
from .number_fields import MOST_ID, WholeNumber

SHOWN = 100
"""Rounds in one list."""


class FindForm(forms.Form):
    """What is known of a round; all that is said must fit."""

    id = WholeNumber(label=gettext_lazy("Id of the round"), required=False, min_value=1, max_value=MOST_ID)
    table = forms.ModelChoiceField(
        Table.objects.order_by("position", "pk"),
        label=gettext_lazy("Table"),
        required=False,
        to_field_name="slug",
        empty_label=gettext_lazy("Any"),
    )
    number = WholeNumber(label=gettext_lazy("Number at its table"), required=False, min_value=1, max_value=MOST_ID)
    player = forms.CharField(label=gettext_lazy("Player (name or number)"), required=False, max_length=60)
    since = forms.DateTimeField(
        label=gettext_lazy("From"), required=False, widget=forms.DateTimeInput(attrs={"type": "datetime-local"})
    )
    until = forms.DateTimeField(
        label=gettext_lazy("Until"), required=False, widget=forms.DateTimeInput(attrs={"type": "datetime-local"})
    )

    def rounds(self) -> QuerySet[RoundLog]:
        """The rounds that fit, newest first."""
        said = self.cleaned_data
        found = RoundLog.objects.select_related("table").order_by("-pk")
        for name, field in (("id", "pk"), ("table", "table"), ("number", "number")):
            if said[name]:
                found = found.filter(**{field: said[name]})
        if said["player"]:
            found = found.filter(pk__in=Played.objects.filter(self._player(said["player"])).values("log"))
        since: datetime | None = said["since"]
        until: datetime | None = said["until"]
        if since is not None:
            found = found.filter(started_at__gte=since)
        if until is not None:
            found = found.filter(started_at__lte=until)
        return found

    @staticmethod
    def _player(text: str) -> Q:
        named = Q(player__name__iexact=text) | Q(player__username__iexact=text)
        return named | Q(player_id=int(text)) if text.isascii() and text.isdigit() and len(text) < 19 else named


@staff_page(Right.WATCH)
def rounds(request: HttpRequest) -> HttpResponse:
    """Rounds by id, table, number, player or time; the newest without."""
    form = FindForm(request.GET or None)
    found = form.rounds() if form.is_valid() else RoundLog.objects.select_related("table").order_by("-pk")
    lines = [(log, FELTS[log.game].result_words(log.result) if log.result else "") for log in found[:SHOWN]]
    return render(request, "pit/rounds.html", {"place": "rounds", "form": form, "rounds": lines, "most": SHOWN})


@a_few_at_once
@staff_page(Right.WATCH)
def round_(request: HttpRequest, log_id: int, key: str = "") -> HttpResponse:
    """A round that is over, step by step, as a spectator saw it or as the bettor with this key; and what the ledger
    says of it."""
    log = get_object_or_404(RoundLog.objects.select_related("table", "shoe"), pk=log_id)
    if log.settled_at is None:
        return render(request, "pit/round_running.html", {"place": "rounds", "log": log})
    player = None
    if key:
        player = get_object_or_404(Player, pk=player_named(key))
        if not took_part(log, player):
            raise Http404
    address = reverse("pit_round", args=(log.pk,))
    context = {
        **page_of(request, log, player),
        "place": "rounds",
        "here": reverse("pit_round_as", args=(log.pk, key)) if key else address,
        "seen_by": seen_by(log, player, address, lambda one: reverse("pit_round_as", args=(log.pk, one.key))),
        "may_adjust": may(member_of(request), Right.ASK_ADJUSTMENT),
        "reviews": [(one, waits_for_second(one)) for one in all_reviews_of(log)],
    }
    return render(request, "pit/round.html", context)


def page_of(request: HttpRequest, log: RoundLog, viewer: Player | None) -> dict[str, object]:
    """What a page of the pit needs that shows a round which is over as this player saw it (nobody: a spectator), with
    everybody's money."""
    reconciled = reconcile(log)
    return {
        **replayed(request, log, viewer),
        "viewer": viewer,
        "everybody": _played(log),
        "faults": reconciled.faults,
        "chance": reconciled.record["chance"] if visibility.record_tells_nothing_new(log) else (),
        "adjustments": log.adjustments.select_related("player", "requested_by", "decided_by"),
        "rulings": log.rulings.select_related("by"),
        "notes": all_notes().filter(log=log),
        "may_note": may(member_of(request), Right.NOTE),
    }


def seen_by(
    log: RoundLog, viewer: Player | None, spectator: str, address_of: Callable[[Player], str]
) -> list[tuple[Player | None, str, bool]]:
    """As whom the round can be seen (None: a spectator), where, and whether it is seen so now."""
    bettors = [(line.player, address_of(line.player), viewer == line.player) for line in _played(log)]
    return [(None, spectator, viewer is None), *bettors]


def _played(log: RoundLog) -> list[Played]:
    return list(Played.objects.filter(log=log).select_related("player").order_by("player__name"))


@a_few_at_once
@staff_page(Right.WATCH)
def record(request: HttpRequest, log_id: int) -> HttpResponse:
    """The public record of a round that is over, as it is handed out in a dispute; not while it tells of cards that
    nobody has seen and that the shoe in use is short of."""
    log = get_object_or_404(RoundLog.objects.select_related("shoe"), pk=log_id, settled_at__isnull=False)
    if not visibility.record_tells_nothing_new(log):
        messages.error(request, _("The record is available once the shoe is retired."))
        return redirect("pit_round", log_id)
    answer = JsonResponse(record_of_log(log), json_dumps_params={"indent": 1})
    answer["Content-Disposition"] = f'attachment; filename="round-{log.pk}.json"'
    return answer
