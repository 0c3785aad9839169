"""What a page weighs, and that browsers need not ask for its files twice; as `make run` serves them."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import brotli  # type: ignore[import-untyped]
import pytest
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

from casino.joined import joined
from casino.static_files import trimmed, version_of
from tables.templatetags.joining import joined_address
from tests.house.kit import House

FIRST_VISIT_BYTES = {
    "lobby": 39_500,
    "baccarat": 60_000,
    "blackjack": 60_000,
    "cussec": 60_000,
    "roulette": 60_000,
    "stud_poker": 60_000,
    "three_card_baccarat": 60_000,
}
"""The most that a page and all its files may weigh on the way to somebody who has never been here. Pages of one state
differ by some hundred bytes; that of Roulette, with 158 spots, by 700, when what Brotli samples of it falls ill."""

UNPACKS = {"Accept-Encoding": "gzip, deflate, br"}

PACKINGS = pytest.mark.parametrize(
    ("unpacks", "packing", "unpacked"),
    [("gzip, deflate, br", "br", brotli.decompress), ("gzip, deflate", "gzip", gzip.decompress)],
)


def _sent(browser: Client, address: str) -> bytes:
    """What goes over the line for this address to a browser that can unpack it."""
    answer = browser.get(address, headers=UNPACKS)
    assert answer.status_code == 200, address
    return _bytes(answer)


def _bytes(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def _weights(browser: Client, page: str) -> dict[str, int]:
    """Every address that a page needs, and how much comes from there."""
    sent = _sent(browser, page)
    html = brotli.decompress(sent).decode()
    files = set(re.findall(r'(?:src|href)="(/static/[^"#]+)', html))
    assert len(files) > 5
    return {page: len(sent), **{one: len(_sent(browser, one)) for one in files}}


@pytest.mark.parametrize("game", FIRST_VISIT_BYTES)
def test_what_a_page_weighs_on_the_first_visit(db: None, game: str) -> None:
    house = House()
    for each in (game,) if game != "lobby" else ("baccarat", "roulette", "cussec", "blackjack"):
        house.until(house.table(each.replace("_", "-"), game=each), "betting")
    browser = Client()
    browser.cookies[settings.LANGUAGE_COOKIE_NAME] = "zh-hant"  # its pages are the heaviest
    if game != "lobby":
        browser.force_login(house.player("ana"), backend="django.contrib.auth.backends.ModelBackend")
    weights = _weights(browser, "/" if game == "lobby" else f"/tables/{game.replace('_', '-')}/")
    assert sum(weights.values()) <= FIRST_VISIT_BYTES[game], sorted(weights.items(), key=lambda one: -one[1])[:12]


@PACKINGS
def test_what_a_browser_can_unpack_is_compressed_and_is_the_same(
    db: None, client: Client, unpacks: str, packing: str, unpacked: Callable[[bytes], bytes]
) -> None:
    address, headers = staticfiles_storage.url("svg/cards.svg"), {"Accept-Encoding": unpacks}
    packed, plain = client.get(address, headers=headers), client.get(address)
    assert packed["Content-Encoding"] == packing and "Content-Encoding" not in plain
    assert packed["Vary"] == plain["Vary"] == "Accept-Encoding"
    assert packed["Content-Type"] == plain["Content-Type"] == "image/svg+xml"
    assert packed["Content-Security-Policy"] == "frame-ancestors 'none'"
    content = (Path(settings.BASE_DIR) / "static/svg/cards.svg").read_bytes()
    assert _bytes(plain) == content and unpacked(packed.content) == trimmed("svg/cards.svg", content)
    assert int(packed["Content-Length"]) == len(packed.content) < len(content) / 10
    part = client.get(address, headers={**headers, "Range": "bytes=0-9"})
    assert (part.status_code, _bytes(part)) == (206, content[:10])
    known = client.get(address, headers={**headers, "If-None-Match": packed["ETag"]})
    assert known.status_code == 304


DRAWINGS = sorted(Path(settings.BASE_DIR, "static/svg").glob("*.svg"))


def test_a_drawing_that_is_trimmed_shows_the_same() -> None:
    """Comments and what stands between shapes go, and nothing else."""
    for drawing in DRAWINGS:
        content = drawing.read_bytes()
        sent = trimmed(drawing.name, content)
        assert b"<!--" not in sent and b"\n" not in sent.strip()
        assert ET.canonicalize(sent) == ET.canonicalize(content, strip_text=True), drawing.name


def test_a_file_is_kept_for_ever_under_the_address_of_its_version_alone(client: Client) -> None:
    address = staticfiles_storage.url("css/base.css")
    assert address == f"/static/css/base.css?v={version_of('css/base.css')}"
    assert "immutable" in client.get(address)["Cache-Control"]
    for other in ("/static/css/base.css", "/static/css/base.css?v=", "/static/css/base.css?v=000000000000"):
        assert "immutable" not in client.get(other)["Cache-Control"]
    assert client.get("/static/css/no-such.css?v=").status_code == 404


@PACKINGS
def test_a_page_is_compressed_and_its_size_tells_nothing(
    client: Client, unpacks: str, packing: str, unpacked: Callable[[bytes], bytes]
) -> None:
    sent = [client.get("/accounts/login/", headers={"Accept-Encoding": unpacks}) for _ in range(8)]
    assert all(one["Content-Encoding"] == packing and "Accept-Encoding" in one["Vary"] for one in sent)
    assert b"<h1" in unpacked(sent[0].content)
    assert len({len(one.content) for one in sent}) > 1


def test_files_are_joined_as_a_page_has_signed_them_alone(db: None, client: Client) -> None:
    address = joined_address("js/prefs.js", "js/arithmetic.js")
    answer = client.get(address, headers=UNPACKS)
    both = [
        trimmed(name, Path(settings.BASE_DIR, "static", name).read_bytes())
        for name in ("js/prefs.js", "js/arithmetic.js")
    ]
    alone = [b"try{%b\n}catch(error){reportError(error)}" % one for one in both]
    assert brotli.decompress(answer.content) == b"\n".join(alone)
    assert "immutable" in answer["Cache-Control"] and answer["Content-Type"].startswith("text/javascript")
    assert answer["Content-Security-Policy"] == "frame-ancestors 'none'"
    assert client.get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    for other in (address.partition("?")[0], address.replace("?v=", "?v=0")):
        assert "immutable" not in client.get(other)["Cache-Control"]
    for other in (
        address.replace("js/prefs", "js/fly"),
        address.replace("js/prefs,", ""),
        "/static/joined/",
        "/static/joined/0/js/prefs,js/fly.js",
    ):
        assert client.get(other).status_code == 404


def test_a_page_that_is_open_gets_its_files_when_the_key_is_exchanged(db: None, client: Client, settings: Any) -> None:
    address, former = joined_address("js/prefs.js", "js/arithmetic.js"), settings.SECRET_KEY
    settings.SECRET_KEY = "another"
    assert client.get(address).status_code == 404
    settings.SECRET_KEY_FALLBACKS = [former]
    assert client.get(address).status_code == 200


def test_sheets_and_scripts_of_a_page_are_joined() -> None:
    """Each kind in its order; one alone, and what is neither, stays as it is."""
    sheet, script = (
        '<link rel="stylesheet" href="/static/css/base.css">',
        '<script src="/static/js/fly.js" defer></script>',
    )
    assert joined(sheet + script) == sheet + script
    assert joined(" ") == ""
    other = '<script src="/static/js/page.js?v=0" data-a="1" defer></script>'
    made = re.fullmatch(
        r'<script src="/static/joined/\w+/js/fly,js/page\.js\?v=\w+" data-a="1" defer></script>', joined(script + other)
    )
    assert made is not None
