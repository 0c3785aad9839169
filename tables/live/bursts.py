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

_Waiting = list[tuple[Sequence[Request], asyncio.Future[Sequence[Answer]]]]
"""Requests that were asked for together, and their answers, which will come together."""

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
        return sum(len(requests) for waiting in self._waiting.values() for requests, _ in waiting)

    async def do(self, about: int, requests: Sequence[Request]) -> list[Answer]:
        """Have these done, with whatever others are waiting about the same: an answer each."""
        loop = asyncio.get_running_loop()
        parts = [requests[at : at + MAX_TOGETHER] for at in range(0, len(requests), MAX_TOGETHER)]
        asked: _Waiting[Request, Answer] = [(part, loop.create_future()) for part in parts]
        self._waiting[about] += asked
        if about not in self._working:
            self._working[about] = asyncio.create_task(self._work(about))
        if len(asked) == 1:
            return list(await asked[0][1])
        return [answer for answers in await asyncio.gather(*(done for _, done in asked)) for answer in answers]

    async def _work(self, about: int) -> None:
        try:
            while about in self._waiting:
                if self._gathers_s:
                    await asyncio.sleep(self._gathers_s)
                waiting = self._waiting.pop(about)
                together = _together(waiting)
                if rest := waiting[together:]:
                    self._waiting[about] = rest
                await self._do_burst(about, waiting[:together])
        finally:
            del self._working[about]
            _fail(self._waiting.pop(about, ()), ConnectionError(CLOSING))  # nobody waits for ever

    async def _do_burst(self, about: int, burst: _Waiting[Request, Answer]) -> None:
        together = [request for requests, _ in burst for request in requests]
        try:
            answers = iter(await in_database(self._do_all, about, together))
        except Exception as error:
            _fail(burst, error)
            return
        except BaseException:
            _fail(burst, ConnectionError(CLOSING))
            raise
        for requests, done in burst:
            own = [next(answers) for _ in requests]
            if not done.done():
                done.set_result(own)


def _together(waiting: _Waiting[Request, Answer]) -> int:
    """How many of those who wait may share a transaction, from the first on."""
    requests = 0
    for at, (some, _) in enumerate(waiting):
        requests += len(some)
        if requests > MAX_TOGETHER:
            return at
    return len(waiting)


def _fail(waiting: Iterable[tuple[object, asyncio.Future[Answer]]], error: Exception) -> None:
    for _, done in waiting:
        if not done.done():
            done.set_exception(error)


# ── Of this process ─────────────────────────────────────────────────────────────────────────────────────────

REVEALS_GATHERED_S = 0.05
"""So long the first who reveals a link waits for the others of the list: all of them hear of it in one push."""

bets = Bursts(betting.place_many)
reveals = Bursts(links.reveal_many, gathers_s=REVEALS_GATHERED_S)
metrics.BETS_WAITING.set_function(lambda: len(bets))
