"""Bets of one round that arrive together are placed together."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence

from tables.base import metrics
from tables.base.executor import in_database
from tables.services.rounds import betting
from tables.services.rounds.betting import Answer, BetRequest

MAX_BETS_TOGETHER = 250
"""So many bets are placed in one transaction at most: others wait for the table's lock."""

_Waiting = list[tuple[BetRequest, asyncio.Future[Answer]]]


class BetQueue:
    """One transaction for a burst of bets. A task of its own places them: whoever asked first may leave first."""

    def __init__(self) -> None:
        self._waiting: defaultdict[int, _Waiting] = defaultdict(list)
        self._working: dict[int, asyncio.Task[None]] = {}

    def __len__(self) -> int:
        """How many bets wait to be placed."""
        return sum(len(waiting) for waiting in self._waiting.values())

    async def place(self, round_id: int, requests: Sequence[BetRequest]) -> list[Answer]:
        """Place these bets, with whatever others are waiting for the same round: an answer each."""
        loop = asyncio.get_running_loop()
        placed = [(request, loop.create_future()) for request in requests]
        self._waiting[round_id] += placed
        if round_id not in self._working:
            self._working[round_id] = asyncio.create_task(self._place_all(round_id))
        return list(await asyncio.gather(*(done for _, done in placed)))

    async def _place_all(self, round_id: int) -> None:
        try:
            while waiting := self._waiting.pop(round_id, None):
                burst, rest = waiting[:MAX_BETS_TOGETHER], waiting[MAX_BETS_TOGETHER:]
                if rest:
                    self._waiting[round_id] = rest
                await self._place_burst(round_id, burst)
        finally:
            del self._working[round_id]

    async def _place_burst(self, round_id: int, burst: _Waiting) -> None:
        try:
            answers = await in_database(betting.place_many, round_id, [request for request, _ in burst])
        except BaseException as error:
            if not isinstance(error, Exception):  # the house closes: nobody waits for ever
                burst += self._waiting.pop(round_id, [])
            for _, done in burst:
                if not done.done():
                    done.set_exception(error if isinstance(error, Exception) else ConnectionError("the house closes"))
            if not isinstance(error, Exception):
                raise
            return
        metrics.BETS.inc(len(burst))
        for (_, done), answer in zip(burst, answers, strict=True):
            if not done.done():
                done.set_result(answer)
