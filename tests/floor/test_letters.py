"""Letters lead to this house, whatever the request that asked for them says of where it is."""

from __future__ import annotations

import re
from itertools import count
from typing import Any

import pytest
from channels.testing import HttpCommunicator
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from casino.addresses import host_of, site_of
from casino.asgi import application
from tables.base.executor import in_database
from tables.models import Player

SITE = "https://floor.example"
_people = count(1)  # how often somebody asks is limited


@pytest.fixture
def ana(transactional_db: None, settings: Any) -> Player:
    settings.SITE = SITE
    return Player.objects.create_user("ana", f"ana{next(_people)}@floor.example", "lotus and baize 1887")


def links() -> list[str]:
    (letter,) = mail.outbox
    text = f"{letter.subject}\n{letter.body}"
    return re.findall(r"\S*(?:://|/accounts/)\S*", text)


@pytest.mark.parametrize("host", ["localhost", "localhost:6666", "127.0.0.1:1", "[::1]:80"])
def test_a_letter_does_not_say_under_what_name_it_was_asked_for(ana: Player, host: str) -> None:
    Client().post("/accounts/password/reset/", {"email": ana.email}, headers={"host": host})
    (link,) = links()
    assert link.startswith(f"{SITE}/accounts/password/reset/key/")


def test_the_link_of_a_letter_works(ana: Player) -> None:
    browser = Client()
    browser.post("/accounts/password/reset/", {"email": ana.email})
    (link,) = links()
    page = browser.get(link.removeprefix(SITE), follow=True)
    new = "quite another 1887"
    browser.post(page.request["PATH_INFO"], {"password1": new, "password2": new})
    ana.refresh_from_db()
    assert ana.check_password(new)


async def test_a_prefix_that_a_server_has_believed_is_in_no_letter(ana: Player) -> None:
    """The second door behind `casino.protocol`, which does not let the header in."""
    body = encode_multipart(BOUNDARY, {"email": ana.email})
    headers = [(b"host", b"localhost"), (b"content-type", MULTIPART_CONTENT.encode())]
    headers.append((b"content-length", str(len(body)).encode()))
    secret = "a" * 32
    headers += [(b"cookie", f"csrftoken={secret}".encode()), (b"x-csrftoken", secret.encode())]
    line = HttpCommunicator(application, "POST", "/accounts/password/reset/", body, headers)
    line.scope |= {"root_path": "https://evil.example", "client": ("127.0.0.1", 4711)}
    answer = await line.get_response(timeout=10)
    assert answer["status"] == 302
    assert dict(answer["headers"])[b"Location"].startswith(b"/accounts/")
    (link,) = await in_database(links)
    assert link.startswith(f"{SITE}/accounts/password/reset/key/")


async def test_a_prefix_opens_no_other_way_to_a_page() -> None:
    """A proxy that closes /metrics would else be gone around."""
    line = HttpCommunicator(application, "GET", "/zzz/healthz", headers=[(b"host", b"localhost")])
    line.scope["root_path"] = "/zzz"
    assert (await line.get_response(timeout=10))["status"] == 404


@pytest.mark.parametrize(
    ("given", "origin", "host"),
    [
        ("https://floor.example", "https://floor.example", "floor.example"),
        ("https://floor.example/", "https://floor.example", "floor.example"),
        ("http://[::1]:8000", "http://[::1]:8000", "[::1]"),
        ("http://192.0.2.1:8000", "http://192.0.2.1:8000", "192.0.2.1"),
        ("", "", ""),
    ],
)
def test_the_site_is_an_origin(given: str, origin: str, host: str) -> None:
    assert (site_of(given, https=False), host_of(given)) == (origin, host)


@pytest.mark.parametrize(
    ("given", "https"),
    [
        ("floor.example", False),
        ("ftp://floor.example", False),
        ("https://", False),
        ("https://floor.example/casino", False),
        ("https://floor.example?a", False),
        ("https://somebody@floor.example", False),
        ("https://floor.example:port", False),
        ("http://floor.example", True),
    ],
)
def test_what_is_no_origin_is_refused(given: str, https: bool) -> None:
    with pytest.raises(ImproperlyConfigured, match="SITE"):
        site_of(given, https=https)
