"""Pages, compressed for browsers: with Brotli where they can unpack it, as all do, else with gzip.

The size of a page must not tell what is in it (BREACH): Django adds some bytes, nobody knows how many, to what it packs
with gzip, and so does this to what it packs with Brotli.
"""

from __future__ import annotations

import brotli  # type: ignore[import-untyped]
from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers
from django.utils.crypto import get_random_string

QUALITY = 7
"""A page of a table takes a millisecond or two, of Roulette six. What is smaller still takes ten times as long."""

LEAST_BYTES = 200


class Compression(GZipMiddleware):
    """Django's, and Brotli before it."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The same answer, smaller, if the browser can unpack it and if that is worth it."""
        unpacks = {one.strip() for one in request.headers.get("Accept-Encoding", "").split(",")}
        if response.streaming or response.has_header("Content-Encoding") or "br" not in unpacks:
            return super().process_response(request, response)
        content: bytes = response.content  # type: ignore[attr-defined]  # it is no stream
        if len(content) < LEAST_BYTES:
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        response.content = packed(content)  # type: ignore[attr-defined]
        response["Content-Length"] = str(len(response.content))  # type: ignore[attr-defined]
        response["Content-Encoding"] = "br"
        if response.get("ETag", "").startswith('"'):
            response["ETag"] = f"W/{response['ETag']}"
        return response


def packed(content: bytes) -> bytes:
    """With Brotli, and 1 to 100 more bytes in a block of metadata, which says nothing (RFC 7932, 9.2)."""
    packer = brotli.Compressor(mode=brotli.MODE_TEXT, quality=QUALITY)
    begun: bytes = packer.process(content) + packer.flush()  # whole bytes
    end: bytes = packer.finish()
    return begun + _metadata(1 + int(get_random_string(2, "0123456789"))) + end


def _metadata(length: int) -> bytes:
    """A block of metadata of so many bytes. Its head, bit by bit: not the last block; no nibbles of a length
    follow, so it is metadata; reserved; one byte of a length follows; that length, less one.
    """
    head = 0b01_0_11_0 | (length - 1) << 6
    return head.to_bytes(2, "little") + bytes(length)
