"""From which address somebody asks: the one place that says so for pages."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest


def address_of(request: HttpRequest) -> str:
    """The address of who asks, behind as many proxies of ours as the settings say; empty if nobody knows."""
    try:
        found: str = get_adapter().get_client_ip(request)
    except PermissionDenied:
        return ""
    return found
