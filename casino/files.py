"""What static files say of themselves beside their type: whitenoise asks."""

from __future__ import annotations

from wsgiref.headers import Headers


def never_framed(headers: Headers, _path: str, _url: str) -> None:
    """Pages have a whole policy (CONTENT_SECURITY_POLICY); of a file it is enough that nobody shows it in a frame."""
    headers["Content-Security-Policy"] = "frame-ancestors 'none'"
