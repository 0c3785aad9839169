"""What is sent over a socket: framed once for all who get the same, and given to the system at once.

A server's frames carry no mask (RFC 6455, 5.1), so that one frame serves every connection. Where nothing waits for a
client, the system takes most frames whole; then no poller has to be armed for the connection and disarmed again.
"""

from __future__ import annotations

from functools import lru_cache
from struct import pack
from typing import Any

PUSH = "macau_floor.push"
"""The extension of a WebSocket's scope, in the sense of ASGI, by which an application sends a text without awaiting it:
`push(text)` says whether it was taken; if not, the text has to go the usual way. It spares a socket all layers between
the application and its connection, which have nothing to do with a text."""

_FINAL_TEXT = 0x81
"""The first byte of a frame that is a whole text."""


@lru_cache(maxsize=16)
def frame_of(text: str) -> bytes:
    """The frame that carries this text. What is sent to many at once is framed once: the last few are kept."""
    payload = text.encode()
    size = len(payload)
    if size < 126:
        head = pack("!BB", _FINAL_TEXT, size)
    elif size < 1 << 16:
        head = pack("!BBH", _FINAL_TEXT, 126, size)
    else:
        head = pack("!BBQ", _FINAL_TEXT, 127, size)
    return head + payload


def takes_frames(protocol: Any) -> bool:
    """Whether ready frames may be written to this connection: it is open, packs nothing, and holds nothing back."""
    return protocol.state == protocol.STATE_OPEN and protocol._perMessageCompress is None and not protocol.send_queue


def write(transport: Any, data: bytes) -> None:
    """Write this behind whatever waits already. What the system does not take at once waits with the transport, which
    also finds out about a connection that has broken."""
    if transport.connected and not transport.disconnecting and not backlog(transport):
        taken = transport.writeSomeData(data)
        if isinstance(taken, int):
            data = data[taken:]
    if data:
        transport.write(data)


def backlog(transport: Any) -> int:
    """Bytes that wait in a Twisted transport for its client to read (it has no public name for that)."""
    waiting: int = len(transport.dataBuffer) - transport.offset + transport._tempDataLen
    return waiting
