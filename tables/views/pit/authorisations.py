"""Authorisations of the inspectorate in the pit: what is on record, what has been asked for, and the answers."""

from __future__ import annotations

from functools import partial

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from tables.base.calendar import earliest_adoption, macau_date
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right, may
from tables.felt.formatting import text_of
from tables.felt.shared.limits import named_in_limits
from tables.games import GAMES
from tables.games.contract.errors import Refused
from tables.games.contract.game import Game
from tables.games.shared.options import options_of
from tables.models import Authorisation
from tables.services.pit import authorisations

from .gate import do_and_say, member_of, staff, staff_deed, staff_page
from .option_forms import DraftForm, allowed_in_words, authorised_in_words, called

State = Authorisation.State


@staff_page(Right.WATCH)
def on_record(request: HttpRequest) -> HttpResponse:
    """Everything that has been asked for and answered, game by game; and the games in which something can be asked."""
    by = member_of(request)
    found = Authorisation.objects.select_related("requested_by", "decided_by", "table").order_by("-requested_at", "-pk")
    rows = [(one, authorised_in_words(GAMES[one.game], one.options, one)) for one in found]
    context = {
        "place": "options",
        "games": [
            (game, [(one, words) for one, words in rows if one.game == game.slug])
            for game in GAMES.values()
            if any(about.authorised for about in options_of(game.options).values())
        ],
        "asks": may(by, Right.DRAFT_OPTIONS),
        "answers": may(by, Right.RECORD_AUTHORISATION),
        "me": by.pk,
    }
    return render(request, "pit/authorisations.html", context)


class RequestForm(DraftForm):
    """A request to the inspectorate: the alternatives of a game, each as it is by default; and its dates, Macau's."""

    submitted_on = forms.DateField(
        label=gettext_lazy("Date of the request"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    holds_from = forms.DateField(
        label=gettext_lazy("To hold from"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def __init__(self, game: Game, data: QueryDict | None = None) -> None:
        super().__init__(game, game.options(), data, authorised=True)
        today = macau_date(DATABASE_CLOCK.now())
        self.fields["submitted_on"].initial, self.fields["holds_from"].initial = today, earliest_adoption(today)


@staff(Right.DRAFT_OPTIONS)
@require_http_methods(["GET", "POST"])
def ask(request: HttpRequest, game: str) -> HttpResponse:
    """Write down a request for alternatives of a game."""
    rules = GAMES.get(game)
    if rules is None or not any(about.authorised for about in options_of(rules.options).values()):
        raise Http404
    form = RequestForm(rules, request.POST if request.method == "POST" else None)
    if form.is_valid():
        dates = form.cleaned_data
        try:
            authorisations.request(
                member_of(request), game, form.wanted, dates["submitted_on"], dates["holds_from"], dates["why"]
            )
        except Refused as refusal:
            form.add_error(None, called(rules, text_of(refusal.words)))
        else:
            return redirect("pit_authorisations")
    about = options_of(rules.options)
    rows = [
        (form[name], allowed_in_words(rules, name) if about[name].values is None else "", about[name])
        for name in form.fields
        if name in about
    ]
    context = {"place": "options", "game": rules, "form": form, "rows": rows, "names": named_in_limits(rules)}
    return render(request, "pit/authorisation_new.html", context)


@staff_deed(Right.RECORD_AUTHORISATION)
def answer(request: HttpRequest, authorisation_id: int) -> HttpResponse:
    """The inspectorate has given its authorisation, or refused it."""
    get_object_or_404(Authorisation, pk=authorisation_id)
    state = State.REFUSED if request.POST.get("answer") == "refused" else State.GIVEN
    reference = request.POST.get("reference", "")
    deed = partial(authorisations.answer, member_of(request), authorisation_id, state, reference)
    return do_and_say(request, deed, _("The answer is on record."), "pit_authorisations")
