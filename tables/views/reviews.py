"""Where a player asks for a review of a round, and reads what the pit has answered: a part of the round's own page."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from tables.base.clock import DATABASE_CLOCK
from tables.models import Player, Review, RoundLog
from tables.queries.reviews import reviews_of
from tables.services.players import reviews


class AskForm(forms.Form):
    """What a review is asked for about, and what the player says of it."""

    reason = forms.ChoiceField(
        label=gettext_lazy("What is it about?"),
        choices=[("", gettext_lazy("Please choose")), *Review.Reason.choices],
        error_messages={"required": gettext_lazy("Choose what it is about.")},
    )
    words = forms.CharField(
        label=gettext_lazy("What happened?"),
        max_length=reviews.LONGEST,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("500 characters at most. The pit reads it beside your round."),
    )


def panel_of(request: HttpRequest, log: RoundLog, player: Player, form: AskForm | None = None) -> dict[str, object]:
    """What the page of a round shows about its reviews: those that this player has asked for, and either the form to
    ask with or why not. An answer that is shown counts as read."""
    found = reviews_of(log, player)
    reviews.read(player, log)
    why_not = reviews.why_not(player, log, DATABASE_CLOCK.now())
    until = log.settled_at + reviews.OPEN_FOR if log.settled_at is not None else None
    return {
        "reviews": found,
        "ask": None if why_not is not None else form or AskForm(),
        "ask_refused": why_not.words if why_not is not None and (form is not None or not found) else None,
        "ask_until": until,
    }
