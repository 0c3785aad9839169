"""Addresses: who somebody is to a server that sees only those, the same for sockets, pages, rate limits and logs; and
where the house itself is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

IPV6_NETWORK_BITS = 64
"""What one household or phone gets of IPv6 at the least: inside it, everybody has as many addresses as they like."""


def client_of(peer: str, forwarded: Sequence[str], proxies: int) -> str:
    """The address of a client whose connection comes from `peer`, with these values of X-Forwarded-For.

    Each of our `proxies` adds whom it heard from at the right; so the client is that many from the right, and what
    stands further left is what somebody says of themselves. Without proxies nothing of it is believed.
    """
    named = [name.strip() for value in forwarded for name in value.split(",") if name.strip()]
    if not proxies or not named:
        return peer
    return _plain(named[-min(proxies, len(named))]) or peer


def network_of(address: str) -> str:
    """By what an address is counted: itself, or of IPv6 its network ("2001:db8:1:2::/64")."""
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(known, IPv6Address):
        return str(known)
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    kept = int(known) >> (128 - IPV6_NETWORK_BITS) << (128 - IPV6_NETWORK_BITS)
    return f"{IPv6Address(kept)}/{IPV6_NETWORK_BITS}"


def is_loopback(host: str) -> bool:
    """Whether nobody reaches a server there but from this very machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _plain(named: str) -> str:
    """The address that a proxy named, without a port: "192.0.2.1:4711", "[2001:db8::1]:4711"; empty if it is none."""
    if named.startswith("["):
        named = named[1:].partition("]")[0]
    elif named.count(":") == 1:
        named = named.partition(":")[0]
    try:
        return str(ip_address(named))
    except ValueError:
        return ""


# ── Where the house is found ────────────────────────────────────────────────────────────────────────────────


def site_of(given: str, *, https: bool) -> str:
    """The origin that SITE gives, "https://floor.example"; empty if it gives none. Raises ImproperlyConfigured."""
    if not given:
        return ""
    origin = given.rstrip("/")
    try:
        parts = urlsplit(origin)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        good = False
    if not good or origin != f"{parts.scheme}://{parts.netloc}" or "@" in parts.netloc:
        raise ImproperlyConfigured(f"SITE must be an origin such as https://floor.example, and {given!r} is none.")
    if https and parts.scheme != "https":
        raise ImproperlyConfigured(f"With HTTPS=1 SITE begins with https, and {given!r} does not.")
    return origin


def host_of(site: str) -> str:
    """The name of the house in its origin, as ALLOWED_HOSTS wants it."""
    name = urlsplit(site).hostname or ""
    return f"[{name}]" if ":" in name else name
