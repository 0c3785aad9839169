"""Sheets, or scripts, that a page loads as one file: a request less for each, and smaller, for they compress together.

Nothing is built beforehand. A page says with `{% joined %}` which of its files belong together; the address names them
all, and is signed, so that nobody can have others joined.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.templatetags.static import static
from django.utils.crypto import constant_time_compare, salted_hmac

from casino import static_files
from casino.static_files import FOREVER, VERSION, trimmed

SHEET = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
SCRIPT = re.compile(r'<script src="([^"]+)"((?: data-[\w-]+="[^"]*")*) defer></script>')

FOLDER = "joined/"
OF_ONE_FILE = {"Content-Length", "Content-Encoding", "Last-Modified", "ETag", "Vary"}


class Files(static_files.Files):
    """Static files, and those that are joined."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info.removeprefix(self.static_prefix)
        names = names_of(path) if request.path_info.startswith(self.static_prefix + FOLDER) else ()
        first = self._file(names[0]) if names else None
        content = content_of(names) if first is not None else None
        if first is None or content is None or request.method not in {"GET", "HEAD"}:
            return super().__call__(request)
        version = version_of_content(content)
        etag = f'"{version}"'
        known = request.headers.get("If-None-Match", "") == etag
        response = HttpResponse(b"" if known else content, status=304 if known else 200)
        for name, value in first.get_response("HEAD", {}).headers:  # its type, and who may frame it
            if name not in OF_ONE_FILE:
                response[name] = value
        response["ETag"] = etag
        if request.GET.get(VERSION) == version:
            response["Cache-Control"] = FOREVER
        return self.smaller(request, path, response, trims=False)

    def _file(self, name: str) -> Any:
        address = self.static_prefix + name
        return self.find_file(address) if self.autorefresh else self.files.get(address)


def joined(markup: str) -> str:
    """These elements with one `<link>` for all sheets, and one `<script>` for all scripts with all their attributes."""
    sheets = SHEET.findall(markup)
    scripts = SCRIPT.findall(markup)
    rest = SCRIPT.sub("", SHEET.sub("", markup)).strip()
    if len(sheets) > 1:
        sheets = [address_of([_name_of(one) for one in sheets])]
    if len(scripts) > 1:
        data = "".join(attributes for _, attributes in scripts)
        scripts = [(address_of([_name_of(one) for one, _ in scripts]), data)]
    links = [f'<link rel="stylesheet" href="{one}">' for one in sheets]
    return "".join([rest, *links, *(f'<script src="{one}"{data} defer></script>' for one, data in scripts)])


def address_of(names: Sequence[str]) -> str:
    """The address of these files as one: `/static/joined/<signature>/css/base,css/table.css?v=<version>`."""
    end = Path(names[0]).suffix
    path = f"{','.join(name.removesuffix(end) for name in names)}{end}"
    content = content_of(tuple(names))
    version = "" if content is None or settings.DEBUG else f"?{VERSION}={version_of_content(content)}"
    return f"{settings.STATIC_URL}{FOLDER}{_signature(path, settings.SECRET_KEY)}/{path}{version}"


def names_of(path: str) -> tuple[str, ...]:
    """The names of the files that this part of an address joins, as a page has signed it; else none."""
    signature, _, signed = path.removeprefix(FOLDER).partition("/")
    # a page that is open has been signed with an older one
    keys = settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS
    is_ours = any(constant_time_compare(signature, _signature(signed, key)) for key in keys)
    if not path.startswith(FOLDER) or not is_ours:
        return ()
    end = Path(signed).suffix
    return tuple(f"{name}{end}" for name in signed.removesuffix(end).split(","))


def content_of(names: tuple[str, ...]) -> bytes | None:
    """These files, trimmed, one after the other; None if one of them is not there."""
    return _read(names) if settings.DEBUG else _kept(names)


def version_of_content(content: bytes) -> str:
    """Which version of a joined file this is."""
    return hashlib.sha256(content).hexdigest()[:12]


@lru_cache(maxsize=256)
def _kept(names: tuple[str, ...]) -> bytes | None:
    return _read(names)


def _read(names: Iterable[str]) -> bytes | None:
    parts = []
    for name in names:
        path = f"{settings.STATIC_ROOT}/{name}" if settings.STATIC_MANIFEST else finders.find(name)
        if not path or not Path(path).is_file():
            return None
        content = Path(path).read_bytes()
        content = content if settings.STATIC_MANIFEST else trimmed(name, content)
        parts.append(_by_itself(content) if name.endswith(".js") else content)
    return b"\n".join(parts)


def _by_itself(script: bytes) -> bytes:
    """A script that fails as it would in a file of its own: its error is told, and those behind it run."""
    return b"try{%b\n}catch(error){reportError(error)}" % script


def static_name(name: str) -> str:
    """The name under which a file of the source is served: with a hash, where `collectstatic` has gathered them."""
    return _name_of(static(name))


def _name_of(address: str) -> str:
    return address.partition("?")[0].removeprefix(settings.STATIC_URL)


def _signature(path: str, key: str) -> str:
    return salted_hmac("casino.joined", path, key).hexdigest()[:16]
