"""A server of ours with an application that misbehaves on purpose, as a process: `python -m tests.floor.guarded PORT`.

It tells what happens, a line each, on standard output.
"""

from __future__ import annotations

from casino.server import GuardedServer  # isort: skip  (installs the event loop)

import asyncio
import sys
from typing import Any


def tell(what: str) -> None:
    print(what, flush=True)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """/torrent sends without end, /deaf never listens, anything else gives back what it hears."""
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    if scope["path"] == "/deaf":
        await asyncio.Event().wait()
    if scope["path"] == "/torrent":
        ended = asyncio.ensure_future(receive())
        while not ended.done():
            await send({"type": "websocket.send", "text": "." * 60_000})
            await asyncio.sleep(0)
        tell("the torrent has ended")
        return
    while (message := await receive())["type"] != "websocket.disconnect":
        await send({"type": "websocket.send", "text": message["text"]})
    tell("a socket has ended")


async def background() -> None:
    try:
        await asyncio.Event().wait()
    finally:
        tell("the background has ended")


crashes = iter((RuntimeError("once"), None))


async def crashing() -> None:
    """Crashes the first time."""
    if error := next(crashes):
        raise error
    tell("started again")
    await asyncio.Event().wait()


if __name__ == "__main__":
    sys.exit(
        GuardedServer(
            application,
            host="127.0.0.1",
            port=int(sys.argv[1]),
            background={"background": background, "crashing": crashing},
            on_ready=lambda: tell("ready"),
            on_stop=lambda: tell("ending"),
        ).serve()
    )
