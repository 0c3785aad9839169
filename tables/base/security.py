"""The security log: one line for each login, each refusal and each limit that somebody met.

It is the logger `security`, so an operator can send it elsewhere. Names that look like secrets are kept back by the
log itself (`casino.logs`). Needs no Django: the server refuses before Django hears of a request.
"""

from __future__ import annotations

from typing import Literal

import structlog

Outcome = Literal["done", "refused", "limited"]

_log = structlog.get_logger("security")


def note(event: str, outcome: Outcome, *, player: int | None = None, address: str = "", **facts: object) -> None:
    """Write down that something of security happened: what, how it ended, who (an id) and from which address."""
    write = _log.info if outcome == "done" else _log.warning
    write(event, outcome=outcome, player=player, address=address, **facts)
