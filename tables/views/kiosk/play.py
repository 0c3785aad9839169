"""What visitors see at a kiosk: the games, how one goes, a table; and how they come and go."""

from __future__ import annotations

from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.http import require_GET, require_POST

from tables.felt.games import FELTS
from tables.felt.page import table_page
from tables.felt.private import Viewer
from tables.games import GAMES
from tables.games.contract.errors import Refused
from tables.games.shared.options import read_options
from tables.kiosk import guide as guides
from tables.kiosk.stage import at_home
from tables.models import Kiosk, Player, Realm, Shoe, Table
from tables.queries.table import table_state
from tables.services.kiosk import screen_sessions, visitors
from tables.services.money import wallet
from tables.views.rules import told_of
from tables.views.verify import ROOT, leaves_text

from .gate import at_kiosk, begin_anew, playing, renew, show, to

BACKEND = "django.contrib.auth.backends.ModelBackend"


@at_kiosk
@require_POST
def play(request: HttpRequest, kiosk: Kiosk) -> HttpResponse:
    """Somebody has touched the screen: begin a visit, at a table or at the choice of tables."""
    try:
        visitor = visitors.welcome(kiosk.pk, kiosk.use)
    except Refused:
        return to(request, "kiosk_attract")
    if request.user != visitor:
        if not screen_sessions.is_bare(request.session):  # something of one who has gone, but not from here
            begin_anew(request, kiosk.pk, kiosk.use)
        login(request, visitor, backend=BACKEND)
    screen_sessions.choose_language(kiosk, request.session, request.POST.get("language", ""))
    shown = Table.objects.filter(slug=request.POST.get("table", "")).first()
    wanted = None if shown is None else screen_sessions.wanted_of(screen_sessions.played_at(kiosk), shown)
    return to(request, "kiosk_choose") if wanted is None else to(request, "kiosk_table", wanted.slug)


@playing
@require_GET
def choose(request: HttpRequest, kiosk: Kiosk, visitor: Player) -> HttpResponse:
    """All games that can be played here, and the languages."""
    tables = [_choice(table) for table in screen_sessions.played_at(kiosk)]
    return show(request, kiosk, "kiosk/choose.html", tables=tables)


def _choice(table: Table) -> dict[str, object]:
    return {
        "slug": table.slug,
        "name": table.name,
        "game": table.game,
        "title": GAMES[table.game].title,
        "main": FELTS[table.game].limits(read_options(GAMES[table.game].options, table.options)),
        "halted": table.halted,
    }


@playing
@require_GET
def table(request: HttpRequest, kiosk: Kiosk, visitor: Player, slug: str) -> HttpResponse:
    """The felt, as large as the screen. Who meets the game for the first time is offered to be shown how it goes."""
    found = next((one for one in screen_sessions.played_at(kiosk) if one.slug == slug), None)
    if found is None:
        return to(request, "kiosk_choose")
    state = table_state(found.pk)
    viewer = Viewer(
        key=visitor.key,
        name=str(visitor),
        balance_cents=wallet.balance_of(visitor.pk),
        seat=state.seat_of(visitor.key),
        chats=False,
    )
    more = {"first_time": screen_sessions.meets(request.session, found.game), "home": at_home(kiosk, found.game)}
    return show(request, kiosk, "kiosk/table.html", **table_page(state, viewer), **more)


@playing
@require_GET
def guide(request: HttpRequest, kiosk: Kiosk, visitor: Player, game: str) -> HttpResponse:
    """A first round of this game, in forty seconds, step by step; then the table."""
    found = next((one for one in screen_sessions.played_at(kiosk) if one.game == game), None)
    if found is None:
        return to(request, "kiosk_choose")
    screen_sessions.meets(request.session, game)
    visitors.guided(visitor.pk)
    return show(request, kiosk, "kiosk/guide.html", **guides.page(game), table=found)


@playing
@require_GET
def rules(request: HttpRequest, kiosk: Kiosk, visitor: Player, game: str) -> HttpResponse:
    """The rules as they hold at this kiosk's table of the game."""
    found = next((one for one in screen_sessions.played_at(kiosk) if one.game == game), None)
    if found is None:
        return to(request, "kiosk_choose")
    return show(request, kiosk, "kiosk/rules.html", **told_of(table_state(found.pk)), table=found)


@playing
@require_GET
def leaves(request: HttpRequest, kiosk: Kiosk, visitor: Player, root: str) -> HttpResponse:
    """The leaves of a pack of the kiosks' tables, for the screen's own check of each card (docs/proof.md)."""
    if not ROOT.fullmatch(root):
        raise Http404
    packs = Shoe.objects.select_related("seed").filter(table__realm=Realm.KIOSKS)
    return HttpResponse(leaves_text(get_object_or_404(packs, commitment=root)), content_type="text/plain")


@playing
@require_POST
def language(request: HttpRequest, kiosk: Kiosk, visitor: Player) -> HttpResponse:
    """Go on in another language, on the same page."""
    screen_sessions.choose_language(kiosk, request.session, request.POST.get("language", ""))
    wanted = request.POST.get("next", "")
    return to(request, *_place_of(wanted))


def _place_of(path: str) -> tuple[str, ...]:
    """Name and arguments of the page of a visitor that is at this address; of the choice, if there is none."""
    try:
        found = resolve(path)
    except Resolver404:
        return ("kiosk_choose",)
    if found.url_name not in ("kiosk_choose", "kiosk_guide", "kiosk_rules", "kiosk_table"):
        return ("kiosk_choose",)
    return (found.url_name, *map(str, found.kwargs.values()))


@at_kiosk
@require_POST
def farewell(request: HttpRequest, kiosk: Kiosk) -> HttpResponse:
    """End the visit; nothing of the visitor stays."""
    renew(request, kiosk)
    return JsonResponse({"next": reverse("kiosk_attract")})
