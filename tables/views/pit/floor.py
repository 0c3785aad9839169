"""The live panel: the whole floor, one table, and the acknowledging of alerts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right, may
from tables.felt.formatting import text_of
from tables.felt.shared.fragments import Fragments, live_fragment
from tables.games import GAMES
from tables.games.contract.errors import Refused
from tables.games.values.words import Words, say
from tables.models import Alert, Table
from tables.pit import board as pit_board
from tables.pit.board import PitTable
from tables.services.journal import alerts
from tables.services.pit import approvals, halts
from tables.services.pit.deeds import PlayAgain

from .gate import do_and_say, member_of, onward, staff

ORDERS: Mapping[str, tuple[Words, Callable[[PitTable], int | str]]] = {
    "game": (say("Game"), lambda table: 0),
    "attention": (say("Attention"), lambda table: not table.needs_attention),
    "staked": (say("On the felt"), lambda table: -table.staked),
    "drop": (say("Drop"), lambda table: -table.figures.drop),
    "win": (say("Win, the least first"), lambda table: table.figures.win),
    "name": (say("Name"), lambda table: table.name),
}
"""By what the tables may be ordered, in words; the first one if nothing is asked for."""


@staff(Right.WATCH)
@require_GET
def floor(request: HttpRequest) -> HttpResponse:
    """All tables; those that the filter leaves out are there too, hidden: one of them may come to need attention."""
    game, order = request.GET.get("game", ""), request.GET.get("order", "")
    calling = "attention" in request.GET
    order = order if order in ORDERS else next(iter(ORDERS))
    tables = pit_board.floor()
    fragments = _fragments(pit_board.floor_fragments(tables, acknowledges=_acknowledges(request)))
    context = {
        "place": "floor",
        "tables": [
            {
                "game": table.game,
                "html": fragments[f"pit-table-{table.slug}"],
                "shown": game in ("", table.game) and (table.needs_attention or not calling),
            }
            for table in sorted(tables, key=ORDERS[order][1])
        ],
        "fragments": fragments,
        "games": [(slug, GAMES[slug].title) for slug in dict.fromkeys(table.game for table in tables)],
        "orders": [(slug, words) for slug, (words, _key) in ORDERS.items()],
        "game": game,
        "order": order,
        "calling": calling,
        "open_alerts": len(pit_board.open_alerts()),
        "live": _live(),
        "halts": [(one, halts.words_of(one.game)) for one in halts.present()],
        "stops": may(member_of(request), Right.HALT),
        "all_games": [(slug, game.title) for slug, game in GAMES.items()],
    }
    return render(request, "pit/floor.html", context)


@staff(Right.HALT)
@require_POST
def halt(request: HttpRequest) -> HttpResponse:
    """Stop new rounds of a game, or on the whole floor."""
    deed = partial(halts.stop, member_of(request), request.POST.get("game", ""), _why(request))
    return do_and_say(request, deed, _("No new round is begun there. Rounds in play end by themselves."), "pit")


@staff(Right.HALT)
@require_POST
def end_halt(request: HttpRequest) -> HttpResponse:
    """Ask that new rounds are allowed again."""
    deed = partial(approvals.ask, member_of(request), PlayAgain(request.POST.get("game", "")), _why(request))
    return do_and_say(request, deed, _("Asked for. A second person must approve it."), "pit")


def _why(request: HttpRequest) -> str:
    return request.POST.get("why", "")[:500]


@staff(Right.WATCH)
@require_GET
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """One table: who is there, what lies on it, its last rounds, alerts and events, and what may be done with it."""
    return page_of_table(request, slug)


def page_of_table(request: HttpRequest, slug: str, *, refused: str = "") -> HttpResponse:
    """The page of one table. `refused` is the form whose deed was just refused: it keeps what was typed into it."""
    try:
        page = pit_board.table_page(slug)
    except Table.DoesNotExist:
        raise Http404 from None
    fragments = _fragments(pit_board.table_fragments(page, acknowledges=_acknowledges(request)))
    context = {
        "place": "floor",
        "page": page,
        "table": Table.objects.select_related("round", "shoe", "jackpot").get(pk=page.table.table_id),
        "tile": fragments[f"pit-table-{slug}"],
        "fragments": fragments,
        "refused": refused,
        "said": request.POST if refused else {},
        "live": _live(),
    }
    return render(request, "pit/table.html", context)


@staff(Right.ACKNOWLEDGE)
@require_POST
def acknowledge(request: HttpRequest) -> HttpResponse:
    """Acknowledge an alert by name, then go back to the page before."""
    alert = get_object_or_404(Alert, pk=_number(request.POST.get("alert", "")))
    try:
        alerts.acknowledge(member_of(request), alert.pk)
    except Refused as refusal:
        messages.error(request, text_of(refusal.words))
    slug = request.POST.get("table", "")
    if Table.objects.filter(slug=slug).exists():
        return redirect("pit_table", slug)
    return HttpResponseRedirect(onward(request, request.POST.get("next", "")))


def _acknowledges(request: HttpRequest) -> bool:
    return may(member_of(request), Right.ACKNOWLEDGE)


def _fragments(fragments: Fragments) -> dict[str, SafeString]:
    return {name: mark_safe(html) for name, html in fragments.items()}


def _live() -> SafeString:
    return mark_safe(live_fragment("*", "pit", int(DATABASE_CLOCK.now().timestamp() * 1000)))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else 0
