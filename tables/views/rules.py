"""The rules of a game, for whoever wants to read them: before playing, while playing, or in a dispute."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import get_language
from django.views.decorators.http import require_GET

from tables.base.calendar import macau_date
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right, may
from tables.felt.games import FELTS
from tables.felt.rules import rules_of
from tables.kiosk.demonstration import Counted, Show
from tables.kiosk.guide import scenes_of
from tables.models import Realm, RoundLog, Table
from tables.queries.folds import opened_round
from tables.queries.history import took_part
from tables.queries.table import TableState, state_at, table_state_by_slug

from .people import player_of


@require_GET
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """The rules as they hold at the table that `table` names, or as the round was played under that `round` names;
    without either, as the regulation has them by default."""
    if game not in FELTS:
        raise Http404
    slug, round_ = request.GET.get("table", ""), request.GET.get("round", "")
    table = get_object_or_404(Table, slug=slug, game=game, realm=Realm.FLOOR) if slug else None
    log = _round(request, game, round_) if round_ else None
    state = _of_round(log) if log is not None else table_state_by_slug(slug) if slug else _by_default(game)
    query = f"?round={log.pk}" if log is not None else f"?table={slug}" if slug else ""
    told = {**told_of(state), "table": table, "log": log, "rules_query": query}
    return render(request, "rules/page.html", told)


def told_of(state: TableState) -> dict[str, object]:
    """What rules/_rulebook.html needs: the rules under these options, and a round in pictures."""
    return {**rules_of(state), "scenes": scenes_of(state.game, get_language() or "")}


def _by_default(game: str) -> TableState:
    felt, today = FELTS[game], macau_date(DATABASE_CLOCK.now()).isoformat()
    options = felt.rules.options(edition=felt.rules.edition_on(today))
    return Show(felt, options, (), Counted(game)).state


def _of_round(log: RoundLog) -> TableState:
    """The table under the options of this round, before anything has happened in it."""
    return state_at(log, opened_round(log), 0, log.started_at)


def _round(request: HttpRequest, game: str, number: str) -> RoundLog:
    """The round, if the reader took part in it or works for the house; to everybody else it does not exist."""
    if not (number.isascii() and number.isdigit() and len(number) <= 9 and request.user.is_authenticated):
        raise Http404
    log = get_object_or_404(RoundLog.objects.select_related("table", "shoe"), pk=int(number), game=game)
    player = player_of(request)
    if not (may(player, Right.WATCH) or took_part(log, player)):
        raise Http404
    return log
