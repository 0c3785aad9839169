"""Pages that cost much: they fold a whole round, or all rounds of a shoe. Only a few are made at once in a process.

Else a dozen of them would hold every connection of the pool that bets need too. Whoever comes then waits a moment
without one, and is asked to come back if that was not enough.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from threading import BoundedSemaphore
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tables.base import security

Args = ParamSpec("Args")
Page = Callable[Concatenate[HttpRequest, Args], HttpResponse]

WAIT_S = 2.0
"""Seconds that somebody waits for their turn."""

RETRY_AFTER_S = 5
"""Seconds after which they are asked to come back."""

turns = BoundedSemaphore(settings.HEAVY_PAGES)
"""One for each such page that may be made at this moment."""


def a_few_at_once(page: Page[Args]) -> Page[Args]:
    """Answer 503 while as many of these pages are being made as may be."""

    @wraps(page)
    def made(request: HttpRequest, /, *args: Args.args, **kwargs: Args.kwargs) -> HttpResponse:
        if not turns.acquire(blocking=False):
            if not connection.in_atomic_block:
                connection.close()  # whoever waits holds none
            if not turns.acquire(timeout=WAIT_S):
                security.note("too many heavy pages", "limited", address=request.META.get("REMOTE_ADDR", ""))
                answer = render(request, "503.html", status=HTTPStatus.SERVICE_UNAVAILABLE)
                answer["Retry-After"] = str(RETRY_AFTER_S)
                return answer
        try:
            return page(request, *args, **kwargs)
        finally:
            turns.release()

    return made
