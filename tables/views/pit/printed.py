"""The line in the lower margin of every sheet that is printed: by whom and when."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right

from .gate import member_of, staff


@staff(Right.WATCH)
@never_cache
@require_GET
def margin(request: HttpRequest) -> HttpResponse:
    """A style sheet for paper. It is made anew for each page, since no style sheet can read a name from the page into
    a margin."""
    said = _("Printed by %(name)s, %(time)s") % {
        "name": member_of(request),
        "time": f"{localtime(DATABASE_CLOCK.now()):%Y-%m-%d %H:%M}",
    }
    css = f"@page {{ @bottom-left {{ content: {css_string(said)}; font-size: 8pt; }} }}\n"
    return HttpResponse(css, content_type="text/css; charset=utf-8")


def css_string(text: str) -> str:
    """A string in a style sheet: whatever could end it, or mean something there, by its number."""
    return '"' + "".join(sign if sign.isalnum() and sign.isascii() else f"\\{ord(sign):06x}" for sign in text) + '"'
