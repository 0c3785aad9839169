"""What stays in a browser: cookies under names that only this very host can set, and no pages."""

from __future__ import annotations

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

MESSAGES = f"{settings.COOKIE_PREFIX}messages"
"""What is to be said on the next page."""


class _Cookie(CookieStorage):
    cookie_name = MESSAGES


class Messages(FallbackStorage):
    """Django's own, in a cookie of ours."""

    storage_classes = (_Cookie, SessionStorage)


class NothingIsKept(MiddlewareMixin):
    """Pages that do not say otherwise are kept neither by browsers nor by anything between: refusals too."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response.headers.setdefault("Cache-Control", "no-store, private")
        return response
