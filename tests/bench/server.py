"""A child process that is the real web server, with three doors more: the baselines of the fan-out and of joining.

`/ws/tables/…` is the house's own application behind its own server. `/bench/stock/` is a Channels consumer as in the
tutorial, in a group of the same layer; `/bench/bare/` is the least that a hub can be: one subscription of the process,
and a loop over its sockets that sends what it was given. `/bench/page/` is a page that lies ready.
"""

from __future__ import annotations

from casino import server  # isort: skip  (first: it installs the event loop that everything runs in)

import asyncio
import gc
import json
import os
import sys
import threading
from collections import defaultdict
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import daphne.server
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer
from django.conf import settings
from django.urls import reverse
from django.utils import translation

from casino.asgi import application
from tables.base import announce
from tables.base.executor import in_database
from tables.felt.public import public_fragments
from tables.live import buckets, hub
from tables.live.dealer import Dealer
from tables.models import RoundLog, Shoe
from tables.queries.folds import fold_cache
from tables.queries.table import table_state

from . import house, proofs
from .answering import own_output

STOCK = "bench.stock"
BARE = "bench.bare"


# ── The doors ───────────────────────────────────────────────────────────────────────────────────────────────


class Stock(AsyncWebsocketConsumer):
    """A consumer as anybody would write it."""

    groups = [STOCK]

    async def bench_push(self, event: dict[str, Any]) -> None:
        await self.send(text_data=event["text"])


class Bare:
    """The sockets of the least hub, and what it does when it hears something."""

    def __init__(self) -> None:
        self.sockets: set[Callable[[Any], Awaitable[None]]] = set()
        self.page = self.first = ""
        """What its page is, and what a socket is sent as it opens."""
        self.renders: Callable[[], Awaitable[object]] | None = None

    async def __call__(self, _scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        if self.first:
            await send({"type": "websocket.send", "text": self.first})
        self.sockets.add(send)
        while (await receive())["type"] != "websocket.disconnect":
            pass
        self.sockets.discard(send)

    async def answer(self, send: Any) -> None:
        body = self.page.encode()
        headers = [(b"Content-Type", b"text/html; charset=utf-8"), (b"Content-Length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def listen(self) -> None:
        layer = get_channel_layer()
        assert layer is not None
        channel = await layer.new_channel()
        await layer.group_add(BARE, channel)
        while True:
            event = await layer.receive(channel)
            if event["renders"]:
                assert self.renders is not None
                await self.renders()
            for send in list(self.sockets):
                await send({"type": "websocket.send", "text": event["text"]})


stock = Stock.as_asgi()
bare = Bare()


async def doors(scope: Any, receive: Any, send: Any) -> None:
    """The house's application, and the two baselines beside it."""
    if scope["type"] == "websocket" and scope["path"] == "/bench/stock/":
        await stock(scope, receive, send)
    elif scope["type"] == "websocket" and scope["path"] == "/bench/bare/":
        await bare(scope, receive, send)
    elif scope["type"] == "http" and scope["path"] == "/bench/page/":
        await bare.answer(send)
    else:
        await application(scope, receive, send)


# ── What the bench asks ─────────────────────────────────────────────────────────────────────────────────────


class Bench:
    """Answers the bench, beside the server in its loop."""

    def __init__(self) -> None:
        self._out = own_output()
        self._said = b""
        self._table: house.BenchTable | None = None
        self._crowds: dict[str, house.BenchTable] = {}
        self._commits: list[float] = []
        self._changes: defaultdict[int, list[tuple[int, int, float]]] = defaultdict(list)
        self._tasks: set[asyncio.Task[None]] = set()
        self._in_loop = threading.get_ident()
        self._send = announce._send
        announce._send = self._stamped  # the moment after COMMIT, on the thread that committed

    def _stamped(self, group: str, message: announce.Message) -> None:
        told = threading.get_ident() == self._in_loop  # of what was committed before, and held until it was answered
        if not told and isinstance(said := announce.read(message), announce.TableChanged):
            self._commits.append(perf_counter())
            self._changes[said.table].append((said.round, said.line, perf_counter()))
        self._send(group, message)

    def begin(self) -> None:
        loop = asyncio.get_running_loop()
        announce.use_loop(loop)
        loop.add_reader(0, self._hear)

    def _hear(self) -> None:
        data = os.read(0, 1 << 20)
        if not data:  # the bench has ended, however it did
            asyncio.get_running_loop().remove_reader(0)
            os.kill(os.getpid(), 15)
            return
        *lines, self._said = (self._said + data).split(b"\n")
        for line in lines:
            task = asyncio.create_task(self._answer(json.loads(line)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _answer(self, asked: dict[str, Any]) -> None:
        try:
            told = {"answer": await getattr(self, asked.pop("do"))(**asked)}
        except Exception as error:
            sys.excepthook(*sys.exc_info())
            told = {"error": f"{type(error).__name__}: {error}"}
        self._out.write(json.dumps(told) + "\n")
        self._out.flush()

    async def hurried(self) -> None:
        """From now on a player may say as much as is answered, which is more than the house lets anybody say."""
        buckets.PLAYER = buckets.Allowance(burst=10_000, per_s=10_000)

    async def fresh_round(self) -> int:
        """Play the present round out and open the next one for bets. Its id."""
        return await in_database(self._fresh_round)

    def _fresh_round(self) -> int:
        if self._table is None:
            self._table = house.BenchTable()
            bare.renders = partial(_rendered, self._table.pk)
        return self._table.fresh_round()

    async def crowded(self, slug: str) -> tuple[int, list[str]]:
        """As `fresh_round`, at the table of this name; the round and the spots that are sold in it."""
        return await in_database(self._crowded, slug)

    def _crowded(self, slug: str) -> tuple[int, list[str]]:
        if slug not in self._crowds:
            self._crowds[slug] = house.BenchTable(slug)
        return self._crowds[slug].fresh_round(), self._crowds[slug].spots()

    async def with_devices(self, slug: str, players: list[int]) -> None:
        """From here on these bettors' devices contribute to the packs or throws of this table, and it is measured."""
        await in_database(self._crowded, slug)
        meter = proofs.watched()
        self._devices = proofs.Devices(self._crowds[slug].pk, players, meter)

    async def proven_round(self, slug: str) -> tuple[int, list[str]]:
        """As `crowded`; what is published meanwhile is answered with links."""
        table = self._crowds[slug]
        return await in_database(proofs.fresh_round, table, self._devices), await in_database(table.spots)

    async def contribute(self) -> None:
        """Offer and reveal what is to be."""
        await in_database(self._devices.offer)
        await in_database(self._devices.reveal)

    async def proof_took(self) -> tuple[float, int]:
        """The seconds of CPU that the proof has taken, and the number of the last list with links."""
        return self._devices.meter.seconds, self._devices.shown

    async def leaves_path(self) -> str:
        """Where devices read the leaves of the pack that lies at the table."""
        assert self._table is not None
        shoe = await in_database(Shoe.objects.get, table=self._table.pk, retired_at=None)
        return reverse("leaves", args=[shoe.commitment])

    async def play_out(self, slug: str) -> tuple[float, float]:
        """Ring the bell and pay; when each was done."""
        return await in_database(self._crowds[slug].played_out)

    async def settle(self, slug: str) -> int:
        """Play the present round to its end. Its id."""
        return int((await in_database(self._crowds[slug].until, "settled")).pk)

    async def deal(self) -> None:
        """Begin to deal at the table of decisions, as a dealer does in every house."""
        bare.renders = partial(_rendered, await in_database(house.table_of_decisions))
        self._tasks.add(asyncio.create_task(Dealer("bench", chance=house.Small()).run()))

    async def open_tables(self, number: int) -> list[str]:
        """Open so many tables of Baccarat more, and begin to deal at all of them: their names."""
        self._many = await in_database(house.many_tables, number)
        self._tasks.add(asyncio.create_task(Dealer("bench").run()))
        while len(await in_database(house.leases, self._many)) < number:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        return list(self._many)

    async def all_open(self) -> dict[str, int]:
        """Once betting is open at all of those tables: the round of each."""
        while len(rounds := await in_database(house.betting_at, self._many)) < len(self._many):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        return rounds

    async def leases(self) -> dict[str, int]:
        """The epochs of the leases of those tables that a dealer holds."""
        return await in_database(house.leases, self._many)

    async def changes(self) -> dict[str, list[tuple[int, int, float]]]:
        """To which round and line of its log each of those tables was brought since this was asked last, and when."""
        told, self._changes = self._changes, defaultdict(list)
        return {slug: told[pk] for slug, pk in self._many.items()}

    async def asked(self, player: int) -> tuple[int, int]:
        """Once this player may hit: the round and its version."""
        while (there := await in_database(house.asked, player)) is None:  # noqa: ASYNC110 (the database has no event)
            await asyncio.sleep(0.01)
        return there

    async def close_bets(self) -> None:
        """Let the time of betting be over."""
        assert self._table is not None
        await in_database(self._table.step)

    async def version(self, round_id: int) -> int:
        """How many lines the log of that round has."""
        return await in_database(_version, round_id)

    async def commits(self) -> list[float]:
        """When the table changed, since this was asked last."""
        told, self._commits = self._commits, []
        return told

    async def send(self, group: str, text: str, renders: bool = False) -> float:
        """Send this text to the sockets of one of the baselines; when that began."""
        layer = get_channel_layer()
        assert layer is not None
        at = perf_counter()
        await layer.group_send(group, {"type": "bench.push", "text": text, "renders": renders})
        return at

    async def bare_answers(self, page: int, first: int) -> None:
        """From now on the bare page has so many bytes, and the bare socket is sent so many as it opens."""
        bare.page, bare.first = "x" * page, "x" * first

    async def cpu(self) -> float:
        """Seconds of CPU that this process has taken."""
        return process_time()

    async def memory(self) -> int:
        """Bytes of this process that lie in memory."""
        gc.collect()
        return _resident()


async def _rendered(table_id: int) -> object:
    """What the house's own hub does before it sends: read the state, render what everybody sees of it."""
    return await in_database(_render, table_id)


def _render(table_id: int) -> object:
    state = table_state(table_id)
    with translation.override("en"):
        return public_fragments(state)


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _version(round_id: int) -> int:
    fold_cache.clear()
    return RoundLog.objects.get(pk=round_id).version


class BenchServer(server.GuardedServer):
    """The house's server, which leaves the baselines to send by Daphne's own way."""

    async def handle_reply(self, protocol: Any, message: Any) -> None:
        if getattr(getattr(protocol, "request", None), "path", "").startswith("/bench/"):
            await daphne.server.Server.handle_reply(self, protocol, message)
        else:
            await super().handle_reply(protocol, message)


def main() -> None:
    bench = Bench()
    BenchServer(
        doors,
        host="127.0.0.1",
        port=int(os.environ["PORT"]),
        background={"bare hub": bare.listen},
        on_ready=bench.begin,
        at_end=hub.hub.stop,
        connections=settings.CONNECTIONS,
        per_address=settings.CONNECTIONS_PER_ADDRESS,
    ).serve()


if __name__ == "__main__":
    main()
