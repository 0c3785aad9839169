"""What arrives together is done together: bets of one round, links for one table."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from tables.base import metrics
from tables.base.executor import in_database
from tables.services.rounds import betting, links

MAX_TOGETHER = 250
"""So many requests are done in one transaction at most: others wait for the table's lock."""

Request = TypeVar("Request")
Answer = TypeVar("Answer")

_Waiting = list[tuple[Request, asyncio.Future[Answer]]]

CLOSING = "the house closes"


class Bursts(Generic[Request, Answer]):
    """One transaction for a burst of requests, by what they are about: `do_all` answers each.

    A task of its own has them done: whoever asked first may leave first. The first of a burst waits `gathers_s` seconds
    for the others.
    """

    def __init__(self, do_all: Callable[[int, list[Request]], Sequence[Answer]], *, gathers_s: float = 0) -> None:
        self._do_all = do_all
        self._gathers_s = gathers_s
        self._waiting: defaultdict[int, _Waiting[Request, Answer]] = defaultdict(list)
        self._working: dict[int, asyncio.Task[None]] = {}

    def __len__(self) -> int:
        """How many requests wait."""
        return sum(len(waiting) for waiting in self._waiting.values())

    async def do(self, about: int, requests: Sequence[Request]) -> list[Answer]:
        """Have these done, with whatever others are waiting about the same: an answer each."""
        loop = asyncio.get_running_loop()
        asked = [(request, loop.create_future()) for request in requests]
        self._waiting[about] += asked
        if about not in self._working:
            self._working[about] = asyncio.create_task(self._work(about))
        return list(await asyncio.gather(*(done for _, done in asked)))

    async def _work(self, about: int) -> None:
        try:
            while about in self._waiting:
                if self._gathers_s:
                    await asyncio.sleep(self._gathers_s)
                waiting = self._waiting.pop(about)
                burst, rest = waiting[:MAX_TOGETHER], waiting[MAX_TOGETHER:]
                if rest:
                    self._waiting[about] = rest
                await self._do_burst(about, burst)
        finally:
            del self._working[about]
            _fail(self._waiting.pop(about, ()), ConnectionError(CLOSING))  # nobody waits for ever

    async def _do_burst(self, about: int, burst: _Waiting[Request, Answer]) -> None:
        try:
            answers = await in_database(self._do_all, about, [request for request, _ in burst])
        except Exception as error:
            _fail(burst, error)
            return
        except BaseException:
            _fail(burst, ConnectionError(CLOSING))
            raise
        for (_, done), answer in zip(burst, answers, strict=True):
            if not done.done():
                done.set_result(answer)


def _fail(waiting: Iterable[tuple[Request, asyncio.Future[Answer]]], error: Exception) -> None:
    for _, done in waiting:
        if not done.done():
            done.set_exception(error)


# ── Of this process ─────────────────────────────────────────────────────────────────────────────────────────

REVEALS_GATHERED_S = 0.05
"""So long the first who reveals a link waits for the others of the list: all of them hear of it in one push."""

bets = Bursts(betting.place_many)
reveals = Bursts(links.reveal_many, gathers_s=REVEALS_GATHERED_S)
metrics.BETS_WAITING.set_function(lambda: len(bets))
