"""How pages are made: each as a whole, in one of a few threads of their own.

Django's own handler makes a coroutine of each layer of its middleware, and what every one of them does goes to a thread
and back: some twenty times for a page. It also gives each request a thread of its own, with a connection to the
database that is opened for it.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Any

from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.base import BaseHandler
from django.http import HttpRequest, HttpResponseBase

from tables.base.executor import lending_connection


class Pages(ASGIHandler):
    """ASGI: the pages of the house. What reads a request and sends an answer is Django's."""

    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        self._threads = ThreadPoolExecutor(settings.PAGES_AT_ONCE, thread_name_prefix="page")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.handle(scope, receive, send)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        make = partial(copy_context().run, lending_connection, partial(self.get_response, request))
        response: HttpResponseBase = await asyncio.get_running_loop().run_in_executor(self._threads, make)
        return response
