"""The leaves of a pack, for a crowd of devices: pushed in one text, or made once, and sent without a page's layers."""

from __future__ import annotations

import gzip
import hashlib
import re
from base64 import b64decode
from typing import Any

from channels.testing import HttpCommunicator
from django.test import Client

from casino import asgi, published
from casino.published import MOST, Published, publish
from tables.base.executor import in_database
from tables.live.hub import Hub
from tables.models import Realm, Shoe
from tests.house.kit import House, without_guards

from .pit_kit import browser_of, member
from .test_push import a_room


async def lower(scope: Any, receive: Any, send: Any) -> None:
    """What lies behind: it tells that it was asked."""
    await send({"type": "http.response.start", "status": 418, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def answer(application: Any, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    found = await HttpCommunicator(application, method, path, headers=[(b"host", b"localhost"), *sent]).get_response()
    return found["status"], {name.decode(): value.decode() for name, value in found["headers"]}, found["body"]


async def test_what_is_published_comes_packed_or_plain_and_all_else_goes_on() -> None:
    application = Published(lower)
    text = "0123456789abcdef\n" * 400
    assert (await answer(application, "/leaves/a.txt"))[0] == 418
    publish("/leaves/a.txt", text)
    status, headers, body = await answer(application, "/leaves/a.txt")
    assert (status, body) == (200, text.encode())
    assert headers["Cache-Control"] == "max-age=31536000, public, immutable"
    assert headers["Vary"] == "Accept-Encoding" and "Content-Encoding" not in headers
    assert headers["X-Content-Type-Options"] == "nosniff" and headers["Content-Length"] == str(len(body))
    status, headers, body = await answer(application, "/leaves/a.txt", accept_encoding="br, gzip")
    assert headers["Content-Encoding"] == "gzip" and headers["Content-Length"] == str(len(body))
    assert len(body) < len(text) and gzip.decompress(body) == text.encode()
    assert (await answer(application, "/leaves/a.txt", "HEAD"))[::2] == (200, b"")
    for path, method in (("/leaves/a.txt", "POST"), ("/leaves/b.txt", "GET"), ("/leaves/a.txt/", "GET")):
        assert (await answer(application, path, method))[0] == 418


async def test_the_oldest_go_when_there_are_too_many() -> None:
    for number in range(MOST + 1):
        publish(f"/many/{number}.txt", "text")
    assert [(await answer(Published(lower), f"/many/{one}.txt"))[0] for one in (0, 1, MOST)] == [418, 200, 200]


def dealt(house: House, realm: Realm = Realm.FLOOR) -> Shoe:
    table = house.table(realm=realm)
    house.until(table, "betting")
    return Shoe.objects.get(table=table)


async def test_the_first_device_reads_a_page_and_the_next_what_it_left(house: House) -> None:
    shoe = await in_database(dealt, house)
    path = f"/leaves/{shoe.commitment}.txt"
    assert path not in published._texts
    first, second = await answer(asgi.application, path), await answer(asgi.application, path)
    assert first[::2] == second[::2] and hashlib.sha256(second[2]).hexdigest() == shoe.commitment
    assert first[1]["Cache-Control"] == second[1]["Cache-Control"] and "Set-Cookie" not in first[1]
    assert "Content-Disposition" in first[1] and "Content-Disposition" not in second[1], "of no page any more"


def test_what_is_no_root_is_not_found_and_what_does_not_give_its_root_is_not_kept(db: None) -> None:
    shoe = dealt(House())
    for root in ("0" * 64, "", "x", shoe.commitment.upper(), f"{shoe.commitment}%00", "..%2f..%2fetc"):
        assert Client().get(f"/leaves/{root}.txt").status_code == 404
    assert shoe.seed is not None and shoe.seed.leaves is not None
    without_guards()
    shoe.seed.leaves[3] = "0" * 64
    shoe.seed.save()
    path = f"/leaves/{shoe.commitment}.txt"
    found = Client().get(path)
    assert found.status_code == 200 and "immutable" not in found["Cache-Control"], "for devices to find out"
    assert path not in published._texts


def test_the_leaves_of_a_table_of_kiosks_are_for_the_staff(db: None) -> None:
    path = f"/leaves/{dealt(House(), Realm.KIOSKS).commitment}.txt"
    assert Client().get(path).status_code == 404
    assert browser_of(member("surveillance")).get(path).status_code == 200
    assert path not in published._texts and Client().get(path).status_code == 404


async def test_the_leaves_of_a_fresh_pack_are_pushed_to_all_who_look_on(house: House, live: Hub) -> None:
    room, ana, _ = await a_room(house, live)
    await room.until_phase(house, "betting")
    await room.does(lambda: house.bet(ana, room.table, "player", 100, 3))
    await room.until_over(house)
    before = [len(client.messages) for client in room.clients]
    await room.until_phase(house, "betting")
    shoe = await in_database(Shoe.objects.filter(table=room.table).order_by("number").last)
    since = zip(room.clients, before, strict=True)
    pushed = [[text for text in client.messages[seen:] if 'id="leaves"' in text] for client, seen in since]
    assert all(texts == pushed[0] for texts in pushed) and len(pushed[0]) == 1
    found = re.search(r'data-root="(\w+)" data-packed="([^"]+)"', pushed[0][0])
    assert found is not None and shoe is not None and found[1] == shoe.commitment
    hashes = b64decode(found[2]).hex()
    text = "".join(f"{hashes[at : at + 64]}\n" for at in range(0, len(hashes), 64))
    assert hashlib.sha256(text.encode()).hexdigest() == shoe.commitment
