"""Pages are made in a few threads that stay; nothing of one request is left there for the next."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import path
from django.utils import translation

from casino.pages import Pages

SEEN: list[tuple[str, str]] = []


def page(request: HttpRequest) -> HttpResponse:
    """Says in which thread and language it was made."""
    SEEN.append((threading.current_thread().name, translation.get_language() or ""))
    if "speaks" in request.GET:
        translation.activate(request.GET["speaks"])
    if "fails" in request.GET:
        raise RuntimeError("a page that fails")
    return HttpResponse(request.GET.get("says", ""))


urlpatterns = [path("page/", page)]


@contextmanager
def house() -> Iterator[Pages]:
    """Nothing but that page, without any layer before it."""
    SEEN.clear()
    with override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[], PAGES_AT_ONCE=2, DEBUG_PROPAGATE_EXCEPTIONS=False):
        yield Pages()


async def answer(pages: Pages, query: str) -> tuple[int, bytes]:
    """Status and body of the answer to one request."""
    sent: list[dict[str, Any]] = []
    done = asyncio.Event()
    asked = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> dict[str, Any]:
        if (message := next(asked, None)) is not None:
            return message
        await done.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http", "http_version": "1.1", "method": "GET", "path": "/page/", "root_path": "", "scheme": "http",
        "query_string": query.encode(), "headers": [(b"host", b"localhost")],
    }  # fmt: skip
    await pages(scope, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)


@pytest.mark.django_db(transaction=True)
async def test_a_page_is_made_in_one_of_a_few_threads() -> None:
    with house() as pages:
        answers = await asyncio.gather(*[answer(pages, f"says={number}") for number in range(20)])
    assert answers == [(200, str(number).encode()) for number in range(20)]
    assert {name.rpartition("_")[0] for name, _ in SEEN} == {"page"}
    assert len({name for name, _ in SEEN}) <= 2


@pytest.mark.django_db(transaction=True)
async def test_nothing_of_one_request_is_left_for_the_next() -> None:
    with house() as pages:
        for query in ("speaks=pt", "fails", "speaks=zh-hant&fails", ""):
            await answer(pages, query)
    assert {language for _, language in SEEN} == {"en"}


@pytest.mark.django_db(transaction=True)
async def test_a_page_that_fails_is_an_answer_and_no_end_of_its_thread() -> None:
    with house() as pages:
        assert [(await answer(pages, "fails"))[0] for _ in range(4)] == [500] * 4
        assert await answer(pages, "says=on") == (200, b"on")
