"""A player's rounds: the list with what is chosen of it, its sums, and the same as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from urllib.parse import urlencode

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tables.felt.formatting import text_of
from tables.felt.games import FELTS
from tables.games import GAMES
from tables.games.values.words import Note
from tables.models import Player
from tables.proof import visibility
from tables.queries.history import Chosen, Ended, HistoryLine, history_of, sums_of, tables_played
from tables.queries.reviews import newest_of, unread_of

from .csv_sheets import csv_sheet, defused, plain
from .heavy import a_few_at_once
from .paging import older_page
from .people import player_of

ROUNDS = 25
"""Rounds on one page of the list."""


class ChooseForm(forms.Form):
    """Which rounds; all that is said must fit."""

    use_required_attribute = False

    game = forms.ChoiceField(label=_("Game"), required=False)
    table = forms.ChoiceField(label=_("Table"), required=False)
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    ended = forms.ChoiceField(
        label=_("Won or lost"),
        required=False,
        choices=(
            ("", _("all")),
            (Ended.WON.value, _("won")),
            (Ended.LOST.value, _("lost")),
            (Ended.EVEN.value, _("neither")),
        ),
    )

    def __init__(self, data: Mapping[str, object], player: Player) -> None:
        super().__init__(data)
        tables = tables_played(player)
        played = {table.game for table in tables}
        for name, choices in (
            ("game", [(slug, text_of(game.title)) for slug, game in GAMES.items() if slug in played]),
            ("table", [(table.slug, table.name) for table in tables]),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", gettext("all")), *choices]

    def clean(self) -> dict[str, object]:
        """Days in their order."""
        asked = super().clean() or {}
        since, until = asked.get("since"), asked.get("until")
        if since and until and until < since:
            self.add_error("until", gettext("The last day comes before the first."))
        return asked

    def chosen(self) -> Chosen | None:
        """What is asked for; nothing if it makes no sense."""
        if not self.is_valid():
            return None
        asked = self.cleaned_data
        ended = Ended(asked["ended"]) if asked["ended"] else None
        return Chosen(asked["game"], asked["table"], asked["since"], asked["until"], ended)

    def query(self) -> str:
        """The same as the query of an address."""
        said = {name: value for name, value in self.cleaned_data.items() if value}
        return urlencode(said)


@never_cache
@login_required
@require_safe
def history(request: HttpRequest) -> HttpResponse:
    """A player's rounds, newest first: those that are chosen, with their sums. 400 where the choice makes no sense."""
    player = player_of(request)
    form = ChooseForm(request.GET.dict(), player)
    chosen = form.chosen()
    context = {"form": form, "answers": unread_of(player)}
    if chosen is None:
        return render(request, "history/list.html", context, status=400)
    query = form.query()
    rounds, older_url = older_page(request, partial(history_of, player, chosen), ROUNDS, query)
    unrecorded = visibility.unrecorded_for(player)
    reviewed = newest_of(player, [line.log_id for line in rounds])
    here = reverse("history")
    context |= {
        "rounds": [
            (line, _result_words(line, unrecorded), unrecorded.get(line.table_id), reviewed.get(line.log_id))
            for line in rounds
        ],
        "sums": sums_of(player, chosen),
        "chosen": bool(query),
        "csv_url": f"{reverse('history_csv')}?{query}",
        "older_url": older_url,
        "newer_url": f"{here}?{query}" if "before" in request.GET else "",
    }
    return render(request, "history/list.html", context)


def _result_words(line: HistoryLine, unrecorded: Mapping[int, Note]) -> str:
    """How a round ended, in a few words; nothing while the player sits where recording is forbidden."""
    if not line.result or line.table_id in unrecorded:
        return ""
    return FELTS[line.game].result_words(line.result)


@never_cache
@a_few_at_once
@login_required
@require_safe
def sheet(request: HttpRequest) -> HttpResponse:
    """All rounds that are chosen as CSV, newest first: moments with their zone, amounts in credits."""
    player = player_of(request)
    form = ChooseForm(request.GET.dict(), player)
    chosen = form.chosen()
    if chosen is None:
        return HttpResponseRedirect(f"{reverse('history')}?{request.GET.urlencode()}")  # which says what is wrong
    return csv_sheet("rounds.csv", _columns(), _rows(player, chosen))


def _columns() -> tuple[str, ...]:
    return (
        gettext("Id of the round"),
        gettext("Table"),
        gettext("Number at its table"),
        gettext("Game"),
        gettext("Time"),
        gettext("Result"),
        gettext("Staked"),
        gettext("Returned"),
        gettext("Net"),
    )


def _rows(player: Player, chosen: Chosen) -> Iterator[list[str]]:
    unrecorded = visibility.unrecorded_for(player)
    for line in history_of(player, chosen, limit=None):
        yield [
            str(line.log_id),
            defused(line.table),
            str(line.number),
            defused(text_of(GAMES[line.game].title)),
            "" if line.settled_at is None else timezone.localtime(line.settled_at).isoformat(timespec="seconds"),
            defused(_result_words(line, unrecorded)),
            plain(line.staked),
            plain(line.returned),
            plain(line.net),
        ]
