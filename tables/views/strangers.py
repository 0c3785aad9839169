"""Pages that are the same for everybody who is not logged in: made once for all who ask within a moment."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils.translation import get_language

from casino.cookies import MESSAGES
from casino.kept import Kept
from tables.services.kiosk import screen_sessions

Args = ParamSpec("Args")

pages: Kept[tuple[bytes, ...]] = Kept(lambda: settings.PAGES_KEPT_S)
"""The pieces of each page, between which the reader's own form token stands."""

_TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="([A-Za-z0-9]+)"')


def same_for_strangers(
    view: Callable[Concatenate[HttpRequest, Args], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Args], HttpResponse]:
    """Make the page once for all strangers who read it in one language; each gets a form token of their own in it.

    Whoever has a login, a message waiting or a kiosk's token, and whoever asks for something in the query, gets a page
    of their own. What is no page (a redirect, an error) is never kept.
    """

    @wraps(view)
    def kept(request: HttpRequest, /, *args: Args.args, **kwargs: Args.kwargs) -> HttpResponse:
        if not is_stranger(request):
            return view(request, *args, **kwargs)
        try:
            found = pages.get((request.path, get_language()), lambda: _pieces(view(request, *args, **kwargs)))
        except NoPageError as error:
            return error.answer
        return HttpResponse(found[0] if len(found) == 1 else get_token(request).encode().join(found))

    return kept


def is_stranger(request: HttpRequest) -> bool:
    """Whether nothing of this request is anybody's own."""
    own = {settings.SESSION_COOKIE_NAME, MESSAGES, screen_sessions.TOKEN, screen_sessions.PAIRING}
    return request.method == "GET" and not request.META.get("QUERY_STRING") and own.isdisjoint(request.COOKIES)


class NoPageError(Exception):
    """What a view has answered is nobody else's."""

    def __init__(self, answer: HttpResponse) -> None:
        super().__init__()
        self.answer = answer


def _pieces(answer: HttpResponse) -> tuple[bytes, ...]:
    """The page without the token of who asked for it. Raises NoPageError."""
    tokens = set(_TOKEN.findall(answer.content))
    if answer.status_code != 200 or len(tokens) > 1 or answer.cookies:
        raise NoPageError(answer)
    return tuple(answer.content.split(tokens.pop())) if tokens else (answer.content,)
