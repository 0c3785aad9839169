"""Reviews that players have asked for: the list, one beside its round and the ledger, and the pit's answer to it."""

from __future__ import annotations

from functools import partial

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right
from tables.felt.formatting import text_of
from tables.games.contract.errors import Refused
from tables.games.values.money import CREDIT
from tables.models import Player, Review
from tables.models.bettors import player_named
from tables.queries.history import ledger_of, statement_of, took_part
from tables.queries.reviews import listed, open_reviews, ruled_reviews, waits_for_second
from tables.services.pit import adjustments
from tables.services.pit import reviews as ruling
from tables.views.heavy import a_few_at_once

from .gate import do_and_say, member_of, staff_deed, staff_page
from .number_fields import Credits
from .rounds import page_of, seen_by

SHOWN = 50
"""Reviews that were answered last, under those that wait."""

LINES = 12
"""Movements of the player's wallet, up to the end of the round."""


class StandForm(forms.Form):
    """Why the round stands."""

    answer = forms.CharField(
        label=gettext_lazy("What the player reads"), max_length=ruling.LONGEST, widget=forms.Textarea(attrs={"rows": 3})
    )


class AdjustForm(StandForm):
    """How many credits put it right, and what the player reads once a second person has approved it."""

    credits = Credits(
        label=gettext_lazy("Credits"), max_digits=12, decimal_places=2,
        help_text=gettext_lazy("To the player; from the player with a minus."),
    )  # fmt: skip
    field_order = ("credits", "answer")


@staff_page(Right.WATCH)
def reviews(request: HttpRequest) -> HttpResponse:
    """Those that wait, the oldest first, and the last that were answered."""
    context = {
        "place": "reviews",
        "waiting": [(one, waits_for_second(one)) for one in listed(open_reviews())],
        "ruled": listed(ruled_reviews())[:SHOWN],
    }
    return render(request, "pit/reviews.html", context)


@a_few_at_once
@staff_page(Right.WATCH)
def review(request: HttpRequest, review_id: int, key: str = "") -> HttpResponse:
    """One review: its round as the player saw it, or as whoever has this key (`spectator`: nobody), beside the
    ledger."""
    return _page(request, _review(review_id), key)


@staff_deed(Right.REVIEW)
def take(request: HttpRequest, review_id: int) -> HttpResponse:
    """Take it up."""
    one = _review(review_id)
    deed = partial(ruling.take, member_of(request), one.pk)
    return do_and_say(request, deed, _("The player reads that the pit is looking at it."), "pit_review", one.pk)


@staff_deed(Right.REVIEW)
def stand(request: HttpRequest, review_id: int) -> HttpResponse:
    """Rule that the round stands."""
    one, form = _review(review_id), StandForm(request.POST, prefix="stand")
    if form.is_valid():
        try:
            ruling.stand(member_of(request), one.pk, form.cleaned_data["answer"])
        except Refused as refusal:
            form.add_error(None, text_of(refusal.words))
        else:
            messages.success(request, _("The player reads your answer."))
            return redirect("pit_reviews")
    return _page(request, one, stand=form)


@staff_deed(Right.REVIEW)
def adjust(request: HttpRequest, review_id: int) -> HttpResponse:
    """Ask for an adjustment that settles it."""
    one, form = _review(review_id), AdjustForm(request.POST, prefix="adjust")
    if form.is_valid():
        cents, answer = int(form.cleaned_data["credits"] * CREDIT), form.cleaned_data["answer"]
        try:
            adjustments.ask(member_of(request), one.player_id, cents, answer, log=one.log_id, review=one.pk)
        except Refused as refusal:
            form.add_error(None, text_of(refusal.words))
        else:
            messages.success(request, _("It waits for a second person to approve it."))
            return redirect("pit_reviews")
    return _page(request, one, adjust=form)


def _review(review_id: int) -> Review:
    found = Review.objects.select_related("log__table", "log__shoe", "player", "taken_by", "decided_by", "adjustment")
    return get_object_or_404(found, pk=review_id)


def _page(request: HttpRequest, one: Review, key: str = "", **forms_: forms.Form) -> HttpResponse:
    log, viewer = one.log, _viewer(one, key)
    transfers = ledger_of(log)
    why_not = ruling.why_not(member_of(request), one, DATABASE_CLOCK.now())
    waits = waits_for_second(one)
    here = reverse("pit_review", args=(one.pk,))
    context = {
        **page_of(request, log, viewer),
        "place": "reviews",
        "here": reverse("pit_review_as", args=(one.pk, key)) if key else here,
        "seen_by": seen_by(
            log, viewer, reverse("pit_review_as", args=(one.pk, "spectator")),
            lambda player: reverse("pit_review_as", args=(one.pk, player.key)),
        ),
        "may_adjust": False,
        "review": one,
        "waits_for_second": waits,
        "transfers": transfers,
        "wallet": statement_of(
            one.player, before=transfers[-1].pk + 1 if transfers else None, limit=LINES, seen_by_staff=True
        ),
        "why_not": why_not,
        "rulable": one.outcome is None and not waits and why_not is None,
        "stand": forms_.get("stand") or StandForm(prefix="stand"),
        "adjust": forms_.get("adjust") or AdjustForm(prefix="adjust"),
    }  # fmt: skip
    return render(request, "pit/review.html", context, status=400 if forms_ else 200)


def _viewer(one: Review, key: str) -> Player | None:
    """As whom the round is seen: without a key whoever has asked."""
    if key == "spectator":
        return None
    viewer = get_object_or_404(Player, pk=player_named(key)) if key else one.player
    if not took_part(one.log, viewer):
        raise Http404
    return viewer
