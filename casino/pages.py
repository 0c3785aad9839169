"""How pages are made: each as a whole, in one of a few threads of their own.

Django's own handler makes a coroutine of each layer of its middleware, and what every one of them does goes to a thread
and back: some twenty times for a page. It also gives each request a thread of its own, with a connection to the
database that is opened for it; and it has two tasks of the loop wait for each page, to hear of a client who has gone.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import IO, Any

from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import FileResponse, HttpResponseBase
from django.urls import set_script_prefix

from tables.base.executor import lending_connection


class Pages(ASGIHandler):
    """ASGI: the pages of the house. What reads a request and sends an answer is Django's."""

    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        self._threads = ThreadPoolExecutor(settings.PAGES_AT_ONCE, thread_name_prefix="page")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request. Where the client has gone meanwhile, the page is made to its end, and nobody gets it."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        signals.request_started.send(sender=self.__class__, scope=scope)
        make = partial(copy_context().run, lending_connection, partial(self._make, scope, body))
        response: HttpResponseBase = await asyncio.get_running_loop().run_in_executor(self._threads, make)
        try:
            await self.send_response(response, send)
        finally:
            response.close()
            body.close()

    def _make(self, scope: Any, body: IO[bytes]) -> HttpResponseBase:
        set_script_prefix(get_script_prefix(scope))
        request, refusal = self.create_request(scope, body)
        made: Any = refusal if request is None else self.get_response(request)
        made._handler_class = self.__class__
        if isinstance(made, FileResponse):
            made.block_size = self.chunk_size
        response: HttpResponseBase = made
        return response
