"""Static files: without comments, indents and long names, compressed once, kept by browsers while they are the same.

`collectstatic` does all of it beforehand (STATIC_MANIFEST). Otherwise the files are served from where they lie: their
addresses say which version they are of, and what a browser can unpack is made smaller when it is asked for first.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from pathlib import Path

import brotli  # type: ignore[import-untyped]
import rcssmin  # type: ignore[import-untyped]
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.core.files.base import ContentFile, File
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

VERSION = "v"
"""The part of an address that says which version of a file it means."""

FOREVER = "max-age=315360000, public, immutable"

TEXTS = ("text/", "image/svg+xml", "application/json", "application/manifest+json")
"""Types of files that become smaller when they are compressed."""

PACKINGS: Mapping[str, Callable[[bytes], bytes]] = {
    "br": partial(brotli.compress, mode=brotli.MODE_TEXT),
    "gzip": partial(gzip.compress, compresslevel=9, mtime=0),
}
"""How a file is compressed, the smallest first; the names are those of HTTP."""

LEAST_BYTES = 200
"""What is smaller is sent as it is."""

BETWEEN_SHAPES = re.compile(rb"<!--.*?-->|(?<=>)\s+(?=<)", re.DOTALL)
"""Comments and white space of a drawing. Ours hold no words in which white space counts."""


@lru_cache(maxsize=4096)
def version_of(name: str) -> str:
    """Which version of a file is there, as long as this process lives; empty if there is no such file."""
    path = finders.find(name)
    if not isinstance(path, str):
        return ""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]


def trimmed(name: str, content: bytes) -> bytes:
    """A sheet, a script or a drawing as a browser needs it; everything else, and what is trimmed already, as it is."""
    path = Path(name)
    if path.stem.endswith(".min"):
        return content
    if path.suffix == ".css":
        sheet: bytes = rcssmin.cssmin(content)
        return sheet
    if path.suffix == ".svg":
        return BETWEEN_SHAPES.sub(b"", content)
    return _script(content) if path.suffix == ".js" else content


def _script(content: bytes) -> bytes:
    """A script without comments, indents and long names of its own."""
    import minify  # type: ignore[import-untyped]  # only who serves scripts carries its runtime, which is Go's

    script: str = minify.string("application/javascript", content.decode())
    return script.encode()


class GatheredFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # it has no types
    """The files that `collectstatic` gathers, trimmed, compressed, and named by their content."""

    def save(self, name: str, content: File[bytes], max_length: int | None = None) -> str:
        """Keep a file that was found; what it refers to is named, and it is compressed, once all are there."""
        found = ContentFile(trimmed(name, content.read()), name)
        saved: str = super().save(name, found, max_length)
        return saved


class VersionedFiles(StaticFilesStorage):
    """Files where they lie, under addresses that change with their content."""

    def url(self, name: str | None) -> str:
        """The address of a file, with its version. While DEBUG is on, files change under the same address."""
        url = super().url(name)
        version = "" if settings.DEBUG or not name else version_of(name)
        return f"{url}?{VERSION}={version}" if version else url


class Files(WhiteNoiseMiddleware):  # type: ignore[misc]  # it has no types
    """WhiteNoise, for files that nobody has compressed beforehand as well."""

    def __init__(self, *about: object, **more: object) -> None:
        super().__init__(*about, **more)
        self._packed: dict[tuple[str, str, str], bytes] = {}

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        found = self.find_file(path) if self.autorefresh else self.files.get(path)
        if found is None:
            answer: HttpResponseBase = self.get_response(request)
            return answer
        response: HttpResponseBase = self.serve(found, request)
        version = request.GET.get(VERSION)
        if version and version == version_of(path.removeprefix(self.static_prefix)):
            response["Cache-Control"] = FOREVER
        return self.smaller(request, path, response)

    def smaller(
        self, request: HttpRequest, path: str, response: HttpResponseBase, *, trims: bool = True
    ) -> HttpResponseBase:
        """The same, compressed if that is worth it and the browser can unpack it."""
        if not response.get("Content-Type", "").startswith(TEXTS) or response.has_header("Content-Encoding"):
            return response
        if response.has_header("Vary"):  # it lies there compressed, and was asked for as it is
            return response
        response["Vary"] = "Accept-Encoding"
        plain = request.method != "GET" or response.status_code != 200 or "Range" in request.headers
        unpacked = {one.strip() for one in request.headers.get("Accept-Encoding", "").split(",")}
        packing = next((one for one in PACKINGS if one in unpacked), None)
        if plain or packing is None or self.autorefresh:
            return response
        if int(response.get("Content-Length", str(LEAST_BYTES))) < LEAST_BYTES:
            return response
        key = packing, path, response.get("ETag", "")
        if key not in self._packed:
            content = b"".join(response)
            self._packed[key] = PACKINGS[packing](trimmed(path, content) if trims else content)
        packed = HttpResponse(self._packed[key], headers=dict(response.items()))
        response.close()
        packed["Content-Encoding"] = packing
        packed["Content-Length"] = str(len(self._packed[key]))
        return packed
