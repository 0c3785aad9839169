"""Who may come in: origins of sockets, health and figures for machines, the headers on every page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client, override_settings
from django.urls import get_resolver

from casino.asgi import application
from casino.origin import SameOrigin, is_same_origin
from tests.house.kit import House

# ── Sockets ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("origin", "host", "scheme"),
    [
        ("http://localhost:8000", "localhost:8000", "http"),
        ("http://localhost", "localhost", "http"),
        ("http://localhost:80", "localhost", "http"),
        ("https://localhost", "localhost:443", "https"),
        ("http://[::1]:8000", "[::1]:8000", "http"),
        ("https://friend.example", "localhost:8000", "http"),
    ],
)
@override_settings(CSRF_TRUSTED_ORIGINS=["https://friend.example"])
def test_our_own_pages_and_trusted_ones_may_open_a_socket(origin: str, host: str, scheme: str) -> None:
    assert is_same_origin(origin, host, scheme)


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://evil.example", "localhost:8000"),
        ("http://localhost.evil.example:8000", "localhost:8000"),
        ("http://localhost:9000", "localhost:8000"),
        ("http://localhost", "localhost:8000"),
        ("https://localhost", "localhost:80"),
        ("http://evil.example", "evil.example"),  # the same, but not a name of ours
        ("null", "localhost"),
        ("", "localhost"),
        ("file://", "localhost"),
        ("http://", "localhost"),
        ("http://localhost:port", "localhost"),
        ("http://localhost:99999", "localhost"),
        ("http://[::1", "localhost"),
        ("localhost", "localhost"),
        ("http://localhost", ""),
        ("http://user@evil.example", "localhost"),
    ],
)
def test_nobody_else_may(origin: str, host: str, scheme: str) -> None:
    assert not is_same_origin(origin, host, scheme)


@pytest.mark.parametrize(
    ("origin", "host", "scheme"),
    [
        ("http://localhost", "localhost", "https"),
        ("https://localhost", "localhost", "http"),
        ("https://localhost:8000", "localhost:8000", "http"),
        ("http://localhost:8000", "localhost:8000", "https"),
    ],
)
def test_a_page_that_came_by_another_scheme_is_of_another_site(origin: str, host: str, scheme: str) -> None:
    """Whoever can change what comes in clear could else speak for a house of HTTPS."""
    assert not is_same_origin(origin, host, scheme)


async def accepting(_scope: Any, receive: Any, send: Any) -> None:
    await receive()
    await send({"type": "websocket.accept"})


@pytest.mark.parametrize(
    ("headers", "welcome"),
    [
        ([(b"host", b"localhost"), (b"origin", b"http://localhost")], True),
        ([(b"host", b"localhost"), (b"origin", b"http://evil.example")], False),
        ([(b"host", b"localhost")], False),
        ([(b"origin", b"http://localhost")], False),
        ([(b"host", b"localhost"), (b"origin", b"http://evil.example"), (b"origin", b"http://localhost")], False),
        ([(b"host", b"evil.example"), (b"host", b"localhost"), (b"origin", b"http://localhost")], False),
        ([(b"host", b"localhost"), (b"origin", b"http://localhost"), (b"origin", b"http://evil.example")], False),
        ([(b"host", b"localhost"), (b"host", b"evil.example"), (b"origin", b"http://localhost")], False),
        ([(b"host", b"localhost"), (b"origin", b"\xff\xfe")], False),
    ],
)
async def test_a_socket_without_exactly_one_good_origin_is_denied(
    headers: list[tuple[bytes, bytes]], welcome: bool, caplog: pytest.LogCaptureFixture
) -> None:
    line = WebsocketCommunicator(SameOrigin(accepting), "/ws/lobby/", headers)
    assert (await line.connect())[0] is welcome
    assert ("a socket from another site" in caplog.text) is not welcome
    await line.disconnect()


HERE = (b"host", b"localhost")
SECURE = (b"x-forwarded-proto", b"https")


@pytest.mark.parametrize(
    ("proxied", "headers", "welcome"),
    [
        (True, [HERE, SECURE, (b"origin", b"https://localhost")], True),
        (True, [HERE, SECURE, (b"origin", b"http://localhost")], False),
        (True, [HERE, (b"x-forwarded-proto", b"http"), (b"origin", b"https://localhost")], False),
        (False, [HERE, SECURE, (b"origin", b"https://localhost")], False),  # that is what the client says of itself
        (False, [HERE, SECURE, (b"origin", b"http://localhost")], True),
    ],
)
async def test_the_scheme_of_a_socket_is_what_our_proxy_says(
    settings: Any, proxied: bool, headers: list[tuple[bytes, bytes]], welcome: bool
) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if proxied else None
    line = WebsocketCommunicator(SameOrigin(accepting), "/ws/lobby/", headers)
    assert (await line.connect())[0] is welcome
    await line.disconnect()


@pytest.mark.parametrize("path", ["/ws/nothing/", "/ws/", "/", "/accounts/login/", "/ws/tables/"])
async def test_a_socket_to_nowhere_is_denied_quietly(path: str, caplog: pytest.LogCaptureFixture) -> None:
    line = WebsocketCommunicator(application, path, [HERE, (b"origin", b"http://localhost")])
    assert (await line.connect())[0] is False
    await line.disconnect()
    assert not caplog.records


# ── Machines ────────────────────────────────────────────────────────────────────────────────────────────────


def test_it_is_alive(client: Client) -> None:
    answer = client.get("/healthz", headers={"host": "localhost"})
    assert (answer.status_code, answer.content) == (200, b"ok\n")


@pytest.mark.django_db
def test_it_is_ready_when_database_and_redis_are(client: Client) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"database": True, "redis": True})


@pytest.mark.django_db
@override_settings(REDIS_URL="redis://127.0.0.1:1/0")
def test_it_is_not_ready_without_redis(client: Client) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"database": True, "redis": False})


@override_settings(HTTPS=True, SECURE_SSL_REDIRECT=True)
def test_health_is_told_without_https_and_pages_are_not(client: Client) -> None:
    assert client.get("/healthz").status_code == 200
    assert client.get("/").status_code == 301


def test_figures_are_for_this_machine(client: Client) -> None:
    assert client.get("/metrics").status_code == 200
    assert client.get("/metrics", REMOTE_ADDR="::1").status_code == 200
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.7").status_code == 403
    assert client.get("/metrics", REMOTE_ADDR="").status_code == 403
    assert client.get("/metrics", headers={"x-forwarded-for": "127.0.0.1"}).status_code == 403
    assert client.get("/metrics", headers={"forwarded": "for=127.0.0.1"}).status_code == 403


@override_settings(METRICS_TOKEN="for prometheus")
def test_figures_are_for_who_has_the_token(client: Client) -> None:
    def asked(token: str) -> int:
        return client.get("/metrics", REMOTE_ADDR="192.0.2.7", headers={"authorization": f"Bearer {token}"}).status_code

    assert asked("for prometheus") == 200
    assert asked("for Prometheus") == 403
    assert asked("für prometheus") == 403
    assert asked("") == 403


def test_without_a_token_an_empty_one_opens_nothing(client: Client) -> None:
    answer = client.get("/metrics", REMOTE_ADDR="192.0.2.7", headers={"authorization": "Bearer "})
    assert answer.status_code == 403


def test_only_looking_is_allowed(client: Client) -> None:
    assert [client.post(path).status_code for path in ("/healthz", "/readyz", "/metrics")] == [405] * 3


def test_the_only_admin_is_the_one_in_the_pit() -> None:
    """What it shows is proved in test_pit_admin; here, that nothing finds its way into another by itself."""
    assert "django.contrib.admin" not in settings.INSTALLED_APPS, "it would gather the admin modules of all libraries"
    assert [route for route in map(str, _routes(get_resolver().url_patterns)) if "admin" in route] == ["pit/admin/"]


def _routes(patterns: Iterable[Any]) -> Iterator[str]:
    for one in patterns:
        yield str(one.pattern)
        yield from _routes(getattr(one, "url_patterns", ()))


@pytest.mark.django_db
def test_the_figures_name_nobody_and_no_table(client: Client) -> None:
    """Machines learn how much and how long, never who or what (labels are of views and methods alone)."""
    house = House()
    table = house.table("taipa", game="blackjack")
    ana = house.player("anastasia")
    house.until(table, "betting")
    house.bet(ana, table, "main", 77, 1)
    client.force_login(ana, backend="django.contrib.auth.backends.ModelBackend")
    client.get("/tables/taipa/")
    figures = client.get("/metrics", REMOTE_ADDR="127.0.0.1").content.decode()
    assert "django_http_requests" in figures
    for told in ("anastasia", "taipa", "blackjack", "main"):
        assert told not in figures.lower()


# ── Pages ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.django_db
def test_pages_may_run_nothing_but_our_own_files(client: Client) -> None:
    policy = client.get("/accounts/login/").headers["Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["frame-ancestors"] == "'none'"
    assert {rules[name] for name in ("script-src", "style-src", "connect-src", "img-src", "form-action")} == {"'self'"}
    assert "unsafe" not in policy


@pytest.mark.django_db
def test_pages_cannot_be_framed_sniffed_or_told_on(client: Client) -> None:
    headers = client.get("/accounts/login/").headers
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.django_db
def test_a_host_that_is_not_ours_gets_nothing(client: Client) -> None:
    assert client.get("/accounts/login/", headers={"host": "evil.example"}).status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/accounts/password/change/", "/accounts/logout/", "/nothing/", "/accounts/login/"])
def test_no_page_is_kept(client: Client, path: str) -> None:
    """Nor is the refusal of one: somebody else may sit at this screen next."""
    client.post("/guest/", REMOTE_ADDR="10.9.0.1")
    assert "no-store" in client.get(path).headers["Cache-Control"]


@pytest.mark.django_db
def test_who_logs_out_leaves_nothing_in_the_browser(client: Client) -> None:
    client.post("/guest/", REMOTE_ADDR="10.9.0.2")
    assert "Clear-Site-Data" not in client.get("/accounts/logout/").headers
    assert client.post("/accounts/logout/").headers["Clear-Site-Data"] == '"cache"'
