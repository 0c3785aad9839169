"""The security log hears of every page that was refused: which, to whom, and from where they asked."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from time import monotonic

import structlog
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from tables.base import security
from tables.base.archive_files import ArchiveError
from tables.models import Player

from .address import address_of

log = structlog.get_logger(__name__)

REFUSED = {403: "page refused", 404: "page not found", 429: "page limited"}
"""By the status of the answer."""

LINES_AT_ONCE, LINES_PER_S = 200, 10
"""A flood of refusals fills no disk: what is beyond is counted, and told with the next line."""

PATH_LETTERS = 200


class Refusals(MiddlewareMixin):
    """Writes a line for each answer of 403, 404 or 429."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        super().__init__(get_response)
        self._lines, self._at, self._unsaid = float(LINES_AT_ONCE), monotonic(), 0

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        what = REFUSED.get(response.status_code)
        if what is not None and self._may_write():
            player = getattr(request, "user", None)
            found = request.resolver_match
            security.note(
                what,
                "limited" if response.status_code == 429 else "refused",
                player=player.pk if isinstance(player, Player) else None,
                address=address_of(request),
                method=request.method,
                # Of an address that is ours, its pattern: what stands in a link may be a secret.
                path=f"/{found.route}" if found is not None else request.path_info[:PATH_LETTERS],
                unsaid=self._unsaid,
            )
            self._unsaid = 0
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponseBase | None:
        """A round whose lines are in the archive is shown where its file is, and else it is said where it is."""
        if not isinstance(exception, ArchiveError):
            return None
        log.warning("an archived round was asked for", reason=str(exception))
        return render(request, "archived.html", status=HTTPStatus.NOT_FOUND)

    def _may_write(self) -> bool:
        now = monotonic()
        self._lines = min(float(LINES_AT_ONCE), self._lines + (now - self._at) * LINES_PER_S)
        self._at = now
        if self._lines < 1:
            self._unsaid += 1
            return False
        self._lines -= 1
        return True
