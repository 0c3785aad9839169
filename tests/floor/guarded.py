"""A server of ours with an application that misbehaves on purpose, as a process: `python -m tests.floor.guarded PORT`.

It tells what happens, a line each, on standard output; the house's own log goes to standard error. PROXIES, CONNECTIONS
and PER_ADDRESS in the environment are what the server is told of them.
"""

from __future__ import annotations

from casino.server import GuardedServer  # isort: skip  (installs the event loop)

import asyncio
import json
import os
import sys
from typing import Any

from casino.frames import PUSH

SIZES = (0, 1, 125, 126, 127, 65_535, 65_536, 200_001)
"""In bytes: on both sides of where the head of a frame becomes longer."""

ROW = 5


def tell(what: str) -> None:
    print(what, flush=True)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """/torrent sends without end, /sizes texts of some sizes and /row five large ones at once, /deaf never listens,
    /poison raises over what it hears,
    anything else gives back what it hears; to a page's request it answers what it was told of it.

    With ?push it pushes these texts, as the house does, else it sends them."""
    if scope["type"] != "websocket":
        await answer(scope, receive, send)
        return
    if scope["path"] == "/told":
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": told_of(scope)})
        return

    async def say(text: str) -> None:
        if scope["query_string"] != b"push" or not scope["extensions"][PUSH](text):
            await send({"type": "websocket.send", "text": text})

    await receive()
    await send({"type": "websocket.accept"})
    if scope["path"] == "/deaf":
        await asyncio.Event().wait()
    if scope["path"] == "/poison":
        raise RuntimeError((await receive())["text"])
    if scope["path"] in ("/sizes", "/row"):
        await receive()  # nothing waits any more, not even the answer to the handshake
    if scope["path"] == "/sizes":
        for size in SIZES:
            await say("é" * (size // 2) + "." * (size % 2))
    if scope["path"] == "/row":
        for number in range(ROW):
            await say(f"{number}" * 200_000)
    if scope["path"] == "/torrent":
        ended = asyncio.ensure_future(receive())
        while not ended.done():
            await say("." * 60_000)
            await asyncio.sleep(0)
        tell("the torrent has ended")
        return
    while (message := await receive())["type"] != "websocket.disconnect":
        await say(message["text"])
    tell("a socket has ended")


def told_of(scope: Any, body: bytes = b"") -> str:
    headers = {name.decode(): value.decode("latin-1") for name, value in scope["headers"]}
    told = {"client": scope["client"][0], "root_path": scope["root_path"], "headers": headers, "body": len(body)}
    return json.dumps(told)


async def answer(scope: Any, receive: Any, send: Any) -> None:
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body, more = body + message["body"], message["more_body"]
    text = told_of(scope, body).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"Content-Length", b"%d" % len(text))]})
    await send({"type": "http.response.body", "body": text})


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
            proxies=int(os.environ.get("PROXIES", "0")),
            connections=int(os.environ.get("CONNECTIONS", "100")),
            per_address=int(os.environ.get("PER_ADDRESS", "50")),
            background={"background": background, "crashing": crashing},
            on_ready=lambda: tell("ready"),
            on_stop=lambda: tell("ending"),
        ).serve()
    )
