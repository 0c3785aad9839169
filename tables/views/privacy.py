"""What the house keeps of people, and what it leaves in their browsers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from casino.cookies import MESSAGES
from tables.felt.formatting import number

from .attempts import KNOWN, KNOWN_FOR_S
from .strangers import same_for_strangers

DAY_S = 24 * 3600


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie: its name, what it is for, and for how long a browser keeps it."""

    name: str
    purpose: str
    kept: str


@require_safe
@same_for_strangers
def privacy(request: HttpRequest) -> HttpResponse:
    """Each cookie that a browser may get, and what the house keeps of people (GLI-19 v3.0, 2.6.8 and 2.6.9)."""
    return render(request, "account/privacy.html", {"cookies": list(cookies()), "terms": settings.TERMS_URL})


def cookies() -> Iterator[Cookie]:
    """All cookies of players and staff. The screen of a kiosk has others, but no browser of a person's own."""
    yield Cookie(
        settings.SESSION_COOKIE_NAME, _("who you are, once you are logged in"), _days(settings.SESSION_COOKIE_AGE)
    )
    yield Cookie(
        settings.CSRF_COOKIE_NAME, _("so that no other site can send a form for you"), _days(settings.CSRF_COOKIE_AGE)
    )
    yield Cookie(settings.LANGUAGE_COOKIE_NAME, _("the language that you chose"), _days(settings.LANGUAGE_COOKIE_AGE))
    yield Cookie(
        KNOWN,
        _("that you logged in here before, so that wrong tries of others do not keep you out"),
        _days(KNOWN_FOR_S),
    )
    yield Cookie(MESSAGES, _("a line for the next page"), _("until it is shown"))


def _days(seconds: int) -> str:
    days = seconds // DAY_S
    return ngettext("%(number)s day", "%(number)s days", days) % {"number": number(days)}
