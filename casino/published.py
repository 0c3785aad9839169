"""What is published for good and for everybody, under an address that names its content: packed once, and sent without
a session, the database, or any other layer of a page."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

FOREVER = "max-age=31536000, public, immutable"

MOST = 64
"""Texts that are kept in this process; for one that is gone a page is made, which keeps it again."""


@dataclass(frozen=True, slots=True)
class _Text:
    plain: bytes
    packed: bytes

    def answer(self, asked: Mapping[bytes, bytes]) -> tuple[list[tuple[bytes, bytes]], bytes]:
        """Headers and body for whoever sends these headers."""
        unpacks = b"gzip" in {one.strip() for one in asked.get(b"accept-encoding", b"").split(b",")}
        body = self.packed if unpacks else self.plain
        headers = [
            (b"Content-Type", b"text/plain; charset=us-ascii"),
            (b"Content-Length", str(len(body)).encode()),
            (b"Cache-Control", FOREVER.encode()),
            (b"Vary", b"Accept-Encoding"),
            (b"X-Content-Type-Options", b"nosniff"),
        ]
        return [*headers, (b"Content-Encoding", b"gzip")] if unpacks else headers, body


_texts: dict[str, _Text] = {}
_lock = Lock()


def publish(path: str, text: str) -> None:
    """Answer this address with this text from now on: everybody may read it, and it never changes."""
    plain = text.encode("ascii")
    found = _Text(plain, gzip.compress(plain, mtime=0))
    with _lock:
        while len(_texts) >= MOST:
            _texts.pop(next(iter(_texts)))
        _texts[path] = found


class Published:
    """ASGI: whoever asks for what is published has it at once; everything else goes on."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        asked = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        text = _texts.get(scope["path"]) if asked else None
        if text is None:
            await self.application(scope, receive, send)
            return
        headers, body = text.answer(dict(scope["headers"]))
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body if scope["method"] == "GET" else b""})
