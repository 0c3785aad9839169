"""The live panel: the whole floor, one table, and the acknowledging of alerts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right, may
from tables.felt.formatting import text_of
from tables.felt.shared.fragments import Fragments
from tables.games import GAMES
from tables.games.contract.errors import Refused
from tables.games.values.words import Words, say
from tables.models import Alert, Player, Realm, Seat, Table
from tables.pit import board as pit_board
from tables.pit.board import Buttons, PitTable, TableStatus
from tables.queries import ratings
from tables.queries.ratings import Slip
from tables.services.journal import alerts
from tables.services.pit import approvals, halts, holding
from tables.services.pit.deeds import PlayAgain
from tables.templatetags.alerts import MOST_SHOWN

from .gate import do_and_say, member_of, onward, staff_deed, staff_page
from .notes import all_notes

ORDERS: Mapping[str, tuple[Words, Callable[[PitTable], int | str]]] = {
    "game": (say("Game"), lambda table: 0),
    "attention": (say("Attention"), lambda table: not table.needs_attention),
    "staked": (say("On the felt"), lambda table: -table.staked),
    "drop": (say("Turnover"), lambda table: -table.figures.drop),
    "win": (say("Win, the least first"), lambda table: table.figures.win),
    "name": (say("Name"), lambda table: table.name),
}
"""By what the tables may be ordered, in words; the first one if nothing is asked for."""

NOTES = 5
"""So many of its last notes stand on the page of a table."""


@staff_page(Right.WATCH)
def floor(request: HttpRequest) -> HttpResponse:
    """All tables; those that the filter leaves out are there too, hidden: one of them may come to need attention."""
    game, order = request.GET.get("game", ""), request.GET.get("order", "")
    calling = "attention" in request.GET
    order = order if order in ORDERS else next(iter(ORDERS))
    tables = pit_board.floor()
    fragments = _fragments(pit_board.floor_fragments(tables, buttons=Buttons.of(member_of(request))))
    places: dict[str, list[dict[str, object]]] = {"": [], "kiosks": [], "closed": []}
    for table in sorted(tables, key=ORDERS[order][1]):
        place = "closed" if table.state is TableStatus.CLOSED else "kiosks" if table.realm is Realm.KIOSKS else ""
        shown = game in ("", table.game) and (table.needs_attention or not calling)
        places[place].append({"game": table.game, "html": fragments[f"pit-table-{table.slug}"], "shown": shown})
    context = {
        "place": "floor",
        "tables": places.pop(""),
        "folded": [(name, some) for name, some in places.items() if some],
        "fragments": fragments,
        "games": [(slug, GAMES[slug].title) for slug in dict.fromkeys(table.game for table in tables)],
        "orders": [(slug, words) for slug, (words, _key) in ORDERS.items()],
        "game": game,
        "order": order,
        "calling": calling,
        "listed": request.GET.get("view") == "list",
        "halts": [(one, halts.words_of(one.game)) for one in halts.present()],
        "stops": may(member_of(request), Right.HALT),
        "freezes": may(member_of(request), Right.RULE),
        "all_games": [(slug, game.title) for slug, game in GAMES.items()],
    }
    return render(request, "pit/floor.html", context)


@staff_deed(Right.HALT)
def halt(request: HttpRequest) -> HttpResponse:
    """Stop new rounds of a game, or on the whole floor."""
    deed = partial(halts.stop, member_of(request), request.POST.get("game", ""), _why(request))
    return do_and_say(request, deed, _("No new round is begun there. Rounds in play end by themselves."), "pit")


@staff_deed(Right.HALT)
def end_halt(request: HttpRequest) -> HttpResponse:
    """Ask that new rounds are allowed again."""
    deed = partial(approvals.ask, member_of(request), PlayAgain(request.POST.get("game", "")), _why(request))
    return do_and_say(request, deed, _("Asked for. A second person must approve it."), "pit")


def _why(request: HttpRequest) -> str:
    return request.POST.get("why", "")[:500]


@staff_page(Right.WATCH)
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """One table: who is there, what lies on it, its last rounds, alerts and events, and what may be done with it."""
    return page_of_table(request, slug)


def page_of_table(request: HttpRequest, slug: str, *, refused: str = "") -> HttpResponse:
    """The page of one table. `refused` is the form whose deed was just refused: it keeps what was typed into it."""
    try:
        page = pit_board.table_page(slug)
    except Table.DoesNotExist:
        raise Http404 from None
    fragments = _fragments(pit_board.table_fragments(page, buttons=Buttons.of(member_of(request))))
    context = {
        "place": "floor",
        "page": page,
        "table": Table.objects.select_related("round", "shoe", "jackpot").get(pk=page.table.table_id),
        "tile": fragments[f"pit-table-{slug}"],
        "fragments": fragments,
        "slips": _slips(page.table.table_id),
        "notes": all_notes().filter(table=page.table.table_id)[:NOTES],
        "may_note": may(member_of(request), Right.NOTE),
        "refused": refused,
        "said": request.POST if refused else {},
    }
    return render(request, "pit/table.html", context)


def _slips(table_id: int) -> list[tuple[Player, Slip | None]]:
    """Who sits at the table, and what they are rated for there up to now; no visitors of kiosks."""
    seats = Seat.objects.filter(table=table_id, player__kiosk__isnull=True).select_related("player", "table")
    here = list(seats.order_by("number"))
    found = ratings.at_table(table_id, [seat.player_id for seat in here], DATABASE_CLOCK.now())
    return [(seat.player, found.get(seat.player_id)) for seat in here]


@staff_deed(Right.ACKNOWLEDGE)
def acknowledge(request: HttpRequest) -> HttpResponse:
    """Acknowledge an alert, or several, by name; then go back to the page before."""
    if "alerts" in request.POST:
        ids = {_number(one) for one in request.POST["alerts"].split(",")[:MOST_SHOWN]}
        deed: Callable[[], object] = partial(alerts.acknowledge_all, member_of(request), ids)
    else:
        alert = get_object_or_404(Alert, pk=_number(request.POST.get("alert", "")))
        deed = partial(alerts.acknowledge, member_of(request), alert.pk)
    return _and_back(request, deed)


@staff_deed(Right.RULE)
def freeze(request: HttpRequest) -> HttpResponse:
    """Freeze the present round of a table, or release it; then go back to the page before."""
    table = get_object_or_404(Table, slug=request.POST.get("table", "") or request.POST.get("release", ""))
    deed = holding.thaw if "release" in request.POST else holding.freeze
    return _and_back(request, partial(deed, member_of(request), table.pk, _why(request)))


def _and_back(request: HttpRequest, deed: Callable[[], object]) -> HttpResponse:
    """Do it, or say why not, and go back to the page on which it was asked for, with its filter."""
    try:
        deed()
    except Refused as refusal:
        messages.error(request, text_of(refusal.words))
    return HttpResponseRedirect(onward(request, request.POST.get("next", "")))


def _fragments(fragments: Fragments) -> dict[str, SafeString]:
    return {name: mark_safe(html) for name, html in fragments.items()}


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else 0
