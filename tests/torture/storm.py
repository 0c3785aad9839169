"""Everybody comes back at once, and some never read (C13, C14).

    python -m tests.torture.storm [--seed N] [--clients N]

All lines are lost at the same moment, then each of the processes that serve ends in order: clients come back as
browsers do, and are served when they show the whole felt. Then some sockets take nothing of what is sent to them, while
others bet: their answers must not come later than beside as many that read.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import socket
import tempfile
from contextlib import suppress
from pathlib import Path
from random import Random  # noqa: TID251 (a run that can be repeated: no chance of the house)
from time import monotonic, perf_counter
from typing import Any

from tests.bench.places import BenchError, Child

from .chaos.__main__ import p, said
from .chaos.bots import Bot, Felt, page
from .chaos.topology import Topology, topology, until

PLAYERS, PROBERS = 40, 16
STORMS = 3
SERVED_WITHIN_S = 10.0

STALLED = 100
"""Sockets that never read."""

WINDOWS, WINDOW_S, SETTLED_S = 4, 8.0, 3.0
"""So often answers are measured beside these, and beside as many that read; for so long, once they have the felt."""

LATER, LATER_S = 1.10, 0.010
"""p99 of the others may grow by this factor; less than so many seconds is the machine's own noise."""


async def everybody_is_back(clients: list[Bot], since: float) -> list[float]:
    """Until all show the whole felt; after how many seconds each did. Raises BenchError."""
    if not await until(lambda: all(bot.fresh and bot.fresh_at > since for bot in clients), 60):
        raise BenchError("somebody is not served within a minute")
    return [bot.fresh_at - since for bot in clients]


def opened(port: int, cookie: str, slug: str) -> socket.socket:
    """A line to a table whose system takes next to nothing unless somebody reads."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.settimeout(10)
    sock.connect(("127.0.0.1", port))
    host = f"127.0.0.1:{port}"
    sock.sendall(
        f"GET /ws/tables/{slug}/?lang=en HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
        f"Cookie: {cookie}\r\n\r\n".encode()
    )
    sock.setblocking(False)
    return sock


def drain(sock: socket.socket) -> None:
    """Take what has come."""
    with suppress(OSError):
        sock.recv(1 << 16)


async def answers(probers: list[Bot]) -> list[float]:
    """How long answers to bets take, over a window."""
    for bot in probers:
        bot.eager = True
        bot.waits.clear()
    await asyncio.sleep(WINDOW_S)
    return [wait for bot in probers for wait in bot.waits]


async def storm(house: Topology, seed: int, number: int) -> dict[str, Any]:
    chance, began = Random(f"{seed}"), perf_counter()
    clerk = Child("tests.torture.chaos.clerk", house.environment)
    violations: list[str] = []
    try:
        there = await asyncio.to_thread(clerk.ask, "prepare", within=300, people=PLAYERS + PROBERS)
        await house.open()
        slugs = sorted(there["tables"])
        felts = {slug: Felt.of(slug, await page(house.ports[0], f"/tables/{slug}/", "", within_s=60)) for slug in slugs}
        probed = felts["probed"]
        probed.spots = [spot for spot in probed.spots if spot["spot"] in ("player", "banker")]
        people = there["people"]

        def client(at: int, *, probes: bool = False) -> Bot:
            player, cookie = people[PLAYERS + at if probes else at % PLAYERS]
            doors = house.ports[at % 2 :] + house.ports[: at % 2]
            felt = probed if probes else felts[slugs[at % len(slugs)]]
            whims = Random(chance.getrandbits(64))
            return Bot(player, cookie, felt, lambda: doors, whims, probes=probes, plays=probes)

        probers = [client(at, probes=True) for at in range(PROBERS)]
        clients = [*(client(at) for at in range(number)), *probers]
        running = [asyncio.create_task(bot.run()) for bot in clients]
        await everybody_is_back(clients, 0.0)
        cut: list[float] = []
        for _ in range(STORMS):
            since = monotonic()
            for bot in clients:
                bot.cut(0.0)
            cut += await everybody_is_back(clients, since)
        ended: list[float] = []
        for web, port in zip(house.webs, house.ports, strict=True):
            theirs, since = [bot for bot in clients if bot.port == port], monotonic()
            web.signal(signal.SIGTERM)
            ended += await everybody_is_back(theirs, since)
            await web.up.wait()
        if max(cut + ended) > SERVED_WITHIN_S:
            violations.append(f"C13: somebody was served after {max(cut + ended):.1f} s")
        reading, never = await _reading_and_not(house, probers, people[0][1])
        later = int(p(0.99, never) > p(0.99, reading) * LATER + LATER_S)
        if later:
            violations.append(
                f"C14: p99 {p(0.99, never):.3f} s beside who never reads, {p(0.99, reading):.3f} s beside readers"
            )
        for each in running:
            each.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    finally:
        clerk.end()
        await house.close()
    ms = [round(p(0.99, each) * 1000) for each in (never, reading)]
    told = f"p99 {ms[0]} ms beside {STALLED} who never read, {ms[1]} beside as many that do"
    load = f"load {os.getloadavg()[0]:.0f}"
    return {
        "clients": len(clients),
        "violations": violations,
        "figures": [{"figure": 23, "count": len(never), "violations": later, "what": f"{told}; {load}"}],
        "details": {"C13": f"cut: {said(cut)}; a process ends: {said(ended)}; {load}", "C14": told},
        "seconds": perf_counter() - began,
    }


async def _reading_and_not(house: Topology, probers: list[Bot], cookie: str) -> tuple[list[float], list[float]]:
    """Seconds that answers take beside sockets that read, and beside as many that never do; windows in turn."""
    loop = asyncio.get_running_loop()
    waits: tuple[list[float], list[float]] = [], []
    for at in range(2 * WINDOWS):
        never, lines = at % 2 == 1, []
        try:
            for each in range(STALLED):
                lines.append(await asyncio.to_thread(opened, house.ports[each % 2], cookie, "probed"))
                if not never:
                    loop.add_reader(lines[-1], drain, lines[-1])
            await asyncio.sleep(SETTLED_S)
            waits[never].extend(await answers(probers))
        finally:
            for line in lines:
                loop.remove_reader(line)
                line.close()
    return waits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clients", type=int, default=400)
    wanted = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="floor-storm-") as folder,
        topology(Path(folder), os.environ.get("DATABASE_URL", "")) as house,
    ):
        print(json.dumps(asyncio.run(storm(house, wanted.seed, wanted.clients))))


if __name__ == "__main__":
    main()
