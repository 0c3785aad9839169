"""Pages that show everybody the same: the lobby, a jackpot, the panel of the pit."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

import structlog
from django.utils import translation

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.executor import in_database
from tables.base.rights import Right, may
from tables.felt import jackpot
from tables.felt.lobby import lobby_fragments, lobby_gaps
from tables.felt.shared.fragments import Fragments, live_fragment
from tables.kiosk import board as kiosk_board
from tables.models import Player
from tables.pit import board as pit_board
from tables.pit.board import Buttons
from tables.queries.jackpots import jackpot_shown
from tables.queries.lobby import closed_tables, lobby_cards
from tables.services.kiosk import kiosks, screen_sessions
from tables.services.pit import sessions
from tables.templatetags.alerts import bar

from .sockets import FORBIDDEN, NOT_LOGGED_IN, Resyncs, Socket, deliver, now_ms

log = structlog.get_logger(__name__)

BOARD_INTERVAL_S = 0.5
"""Seconds between two pushes of a board at the least."""

PIT_INTERVAL_S = 1.0
"""The same for the boards of the pit, which read more."""

PIT_REFRESH_S = 2.0
"""How old what the pit's panel shows is at most, in seconds: single bets are told to their own table alone."""


class Board:
    """The sockets of a page that shows everybody the same: the lobby, the page of a jackpot.

    `render` makes its fragments by language. `name` stands for their version, which has no gaps to be found. Two pushes
    are at least `interval_s` apart. Where not every change is announced, the board also looks after `refresh_s`.
    """

    def __init__(
        self,
        name: str,
        render: Callable[[set[str]], dict[str, Fragments]],
        *,
        interval_s: float = BOARD_INTERVAL_S,
        refresh_s: float | None = None,
    ) -> None:
        self.name = name
        self._interval_s, self._refresh_s = interval_s, refresh_s
        self.sockets: set[Socket] = set()
        self._render = render
        self._known: dict[str, Fragments] = {}
        self._whole: set[Socket] = set()
        self._dirty = asyncio.Event()
        self._task = asyncio.create_task(self._run())
        self.resyncs = Resyncs(self.send_whole)

    def changed(self) -> None:
        if self.sockets:
            self._dirty.set()

    def send_whole(self, socket: Socket) -> None:
        self._whole.add(socket)
        self._dirty.set()

    def stop(self) -> None:
        self._task.cancel()
        self.resyncs.stop()

    async def _run(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._refresh_s):
                    await self._dirty.wait()
            self._dirty.clear()
            whole, self._whole = self._whole & self.sockets, set()
            try:
                fragments = await in_database(self._render, {s.language for s in self.sockets})
                for socket in list(self.sockets):
                    known = {} if socket in whole else self._known.get(socket.language, {})
                    new = fragments.get(socket.language)
                    if new is None:
                        self.send_whole(socket)
                        continue
                    changed = "".join(html for name, html in new.items() if known.get(name) != html)
                    if changed:
                        await deliver(socket, changed + live_fragment("*", self.name, int(now_ms())))
                self._known |= fragments
            except Exception:
                log.exception("a board could not be pushed", board=self.name)
            await asyncio.sleep(self._interval_s)

    async def beat(self) -> None:
        self.changed()
        for socket in list(self.sockets):
            await deliver(socket, live_fragment(self.name, self.name, int(now_ms())))


def _each(languages: set[str], fragments: Callable[[], Fragments]) -> dict[str, Fragments]:
    """These fragments, drawn once in each language."""
    drawn = {}
    for language in languages:
        with translation.override(language):
            drawn[language] = fragments()
    return drawn


def render_lobby(languages: set[str]) -> dict[str, Fragments]:
    cards, closed = lobby_cards(), closed_tables()
    return _each(languages, lambda: lobby_fragments(cards) | lobby_gaps(closed))


def render_jackpot(jackpot_id: int, languages: set[str]) -> dict[str, Fragments]:
    shown = jackpot_shown(jackpot_id)
    return {language: jackpot.fragments(shown, language) for language in languages}


def render_bar(buttons: Buttons, languages: set[str]) -> dict[str, Fragments]:
    return _each(languages, lambda: bar(acknowledges=buttons.acknowledges))


def render_floor(buttons: Buttons, languages: set[str]) -> dict[str, Fragments]:
    tables = pit_board.floor()
    return _each(languages, lambda: pit_board.floor_fragments(tables, buttons=buttons))


def render_wallboard(_buttons: Buttons, languages: set[str]) -> dict[str, Fragments]:
    tables = pit_board.floor()
    return _each(languages, lambda: pit_board.wallboard_fragments(tables))


def render_pit_table(slug: str, buttons: Buttons, languages: set[str]) -> dict[str, Fragments]:
    return _each(languages, lambda: pit_board.table_fragments(pit_board.table_page(slug), buttons=buttons))


def render_kiosks(buttons: Buttons, languages: set[str]) -> dict[str, Fragments]:
    some = kiosk_board.board()
    return _each(languages, lambda: kiosk_board.board_fragments(some, buttons=buttons))


def render_kiosk(kiosk_id: int, buttons: Buttons, languages: set[str]) -> dict[str, Fragments]:
    page = kiosk_board.kiosk_page(kiosk_id)
    return _each(languages, lambda: kiosk_board.kiosk_fragments(page, buttons=buttons))


def closed_to_wallboard(kiosk_id: int, use: int, *, clock: Clock = DATABASE_CLOCK) -> int | None:
    """With which code the floor is closed to a screen in this use of a kiosk: 4401 where that is over, 4403 where it
    shows no floor now; None where it may go on."""
    kiosk = kiosks.in_use(kiosk_id, use)
    if kiosk is None:
        return NOT_LOGGED_IN
    return None if screen_sessions.shows_floor(kiosk, clock.now()) else FORBIDDEN


def closed_to(player: int | None, session: str | None, *, clock: Clock = DATABASE_CLOCK) -> int | None:
    """With which code a socket of the pit is closed to this login: 4401 where it is not open, 4403 to who has not the
    right; None where they may go on watching."""
    if player is None or session is None:
        return NOT_LOGGED_IN
    member = Player.objects.filter(pk=player).first()
    if member is None or not may(member, Right.WATCH):
        return FORBIDDEN
    return None if sessions.heard(session, player, clock.now(), said=False) else NOT_LOGGED_IN
