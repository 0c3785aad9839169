"""The page of a progressive jackpot, made for a large screen that nobody looks after."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables.base.clock import DATABASE_CLOCK
from tables.felt import jackpot as board
from tables.felt.shared.fragments import live_fragment
from tables.models import Jackpot, Realm
from tables.queries.jackpots import jackpot_shown

from .strangers import same_for_strangers


@never_cache
@require_GET
@same_for_strangers
def jackpot(request: HttpRequest, slug: str) -> HttpResponse:
    """The meter, what is posted and what was last won: in the language of `?lang`, or in all of them in turn."""
    try:
        found = Jackpot.objects.filter(realm=Realm.FLOOR)
        shown = jackpot_shown(found.values_list("pk", flat=True).get(slug=slug))
    except Jackpot.DoesNotExist:
        raise Http404 from None
    asked = request.GET.get("lang", "")
    language = asked if asked in dict(settings.LANGUAGES) else board.ALL
    first = translation.get_language() or settings.LANGUAGE_CODE if language == board.ALL else language
    fragments = {name: mark_safe(html) for name, html in board.fragments(shown, language).items()}
    with translation.override(first):
        return render(
            request,
            "jackpot/page.html",
            {
                "shown": shown,
                "fragments": fragments,
                "language": language,
                "first": first,
                "languages": settings.LANGUAGES,
                "live": mark_safe(live_fragment("*", "jackpot", int(DATABASE_CLOCK.now().timestamp() * 1000))),
            },
        )
