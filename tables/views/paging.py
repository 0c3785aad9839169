"""Lists that grow at their head, page by page: each page says where the next, older one begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from django.http import Http404, HttpRequest


class Line(Protocol):
    """Anything with a number that grows with time."""

    @property
    def id(self) -> int: ...


T = TypeVar("T", bound=Line, covariant=True)


class Ask(Protocol[T]):
    """A question for at most `limit` lines, newest first, before a number (None: the newest there are)."""

    def __call__(self, *, before: int | None, limit: int) -> Sequence[T]: ...


def older_page(request: HttpRequest, ask: Ask[T], size: int, chosen: str = "") -> tuple[Sequence[T], str]:
    """The lines that `?before=` asks for (the newest without it) and the address of the older ones, if there are any;
    `chosen` is the rest of its query.

    Raises Http404 for a number that is none.
    """
    wanted = request.GET.get("before")
    if wanted is not None and not (wanted.isascii() and wanted.isdigit() and len(wanted) <= 18):
        raise Http404
    lines = ask(before=None if wanted is None else int(wanted), limit=size + 1)
    if len(lines) <= size:
        return lines, ""
    return lines[:size], f"{request.path}?{chosen}{'&' if chosen else ''}before={lines[size - 1].id}"
