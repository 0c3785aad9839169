"""Who may open a socket: only a page of this very site.

A socket carries the session cookie and no CSRF token: only its Origin tells our page from another's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from tables.base import security

from .addresses import network_of

_PORTS = {"http": "80", "https": "443"}


def is_same_origin(origin: str, host: str, scheme: str) -> bool:
    """Whether a page from `origin` ("https://floor.example") stands at `host` (of the Host header) by this `scheme`.

    Port and all: another port of the same machine is another site, and so is what came in clear to a house of HTTPS.
    `CSRF_TRUSTED_ORIGINS` may come too.
    """
    try:
        parts = urlsplit(origin)
        port = parts.port
    except ValueError:
        return False
    if parts.scheme not in _PORTS or not parts.hostname:
        return False  # no Origin, or "null": a file, a sandboxed frame, a script without a browser
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    if parts.scheme != scheme:
        return False
    default = _PORTS[scheme]
    domain, host_port = split_domain_port(host)
    name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return (
        bool(domain)
        and validate_host(domain, settings.ALLOWED_HOSTS)
        and (name, str(port or default)) == (domain, host_port or default)
    )


class SameOrigin:
    """ASGI: passes sockets from our own pages on, and denies the rest with 403."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        given: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            given.setdefault(name, []).append(value)
        origins, hosts = given.get(b"origin", []), given.get(b"host", [])
        if (
            len(origins) == 1
            and len(hosts) == 1
            and is_same_origin(origins[0].decode("latin-1"), hosts[0].decode("latin-1"), _scheme_of(given))
        ):
            return await self.application(scope, receive, send)
        security.note("a socket from another site", "refused", address=network_of((scope.get("client") or [""])[0]))
        return await WebsocketDenier()(scope, receive, send)


def _scheme_of(given: Mapping[bytes, Sequence[bytes]]) -> str:
    """By what scheme a socket came, as Django finds it out for pages: from the header of a proxy of ours, if there is
    one. We speak no TLS ourselves."""
    if settings.SECURE_PROXY_SSL_HEADER is None:
        return "http"
    name, secure = settings.SECURE_PROXY_SSL_HEADER
    said = b",".join(given.get(name.removeprefix("HTTP_").replace("_", "-").lower().encode(), []))
    return "https" if said.decode("latin-1").partition(",")[0].strip() == secure else "http"
