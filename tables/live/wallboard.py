"""The socket of a wallboard: a screen that is enrolled as a kiosk is, and shows the pit's floor."""

from __future__ import annotations

from tables.base.executor import in_database
from tables.services.kiosk import screen_sessions

from .boards import closed_to_wallboard
from .consumers import BoardSocket
from .hub import hub
from .sockets import FORBIDDEN, NOT_LOGGED_IN


class WallboardSocket(BoardSocket):
    """It looks at the floor, and says nothing but that it has missed something."""

    for_kiosks = True

    async def joined(self) -> None:
        kiosk = await in_database(screen_sessions.kiosk_of, self.scope["session"])
        code = None if kiosk is None else await in_database(closed_to_wallboard, kiosk.pk, kiosk.use)
        await self.accept()
        if kiosk is None or code is not None:
            await self._turn_away(code or (NOT_LOGGED_IN if self.at_kiosk else FORBIDDEN))
            return
        self.socket.player = self.socket.session = None
        self.socket.kiosk, self.socket.use = kiosk.pk, kiosk.use
        self.board = await hub.join_wallboard(self.socket)
