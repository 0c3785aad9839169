"""The life of a kiosk's session: enrolled, begun, a visitor who comes and goes, another use; and what each leaves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from http.cookies import Morsel
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tables.base.browser_sessions import stored
from tables.models import Account, Alert, BrowserSession, Kiosk, Pairing, Player, Realm, Seat, Table
from tables.services.kiosk import kiosks
from tables.services.players import restrictions
from tables.services.rounds import seating
from tests.house.kiosk_kit import boss
from tests.house.kit import House

from .kiosk_kit import CREDITS, Device, a_kiosk, enrolled, visited
from .pit_kit import browser, logged_in


@pytest.fixture
def house(db: None) -> Iterator[House]:
    """A house whose books must be in order when the test is over."""
    house = House()
    yield house
    house.in_order()


@pytest.fixture
def table(house: House) -> Table:
    return house.table("demo", realm=Realm.KIOSKS)


@pytest.fixture
def kiosk(table: Table) -> Kiosk:
    return a_kiosk(table)


@pytest.fixture
def device(kiosk: Kiosk) -> Device:
    """A device that is the kiosk."""
    return enrolled(kiosk)


def templates(answer: Any) -> set[str]:
    return {template.name for template in answer.templates}


def flags(cookie: Morsel[str]) -> tuple[Any, ...]:
    return tuple(cookie[name] for name in ("httponly", "samesite", "secure", "path", "max-age"))


# ── The door ────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_door_is_the_same_for_all_and_asks_nobody(
    device: Device, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """So that it can be kept, and shown while the house is away."""
    staff = browser("pit_boss")
    with django_assert_num_queries(0):
        pages = [one.get("/kiosk/") for one in (Client(), device.browser, staff)]
    assert {page.content for page in pages} == {pages[0].content}
    for page in pages:
        assert page.status_code == 200 and not page.cookies
        assert page.headers["Cache-Control"] == "no-cache" and "Cookie" not in page.headers["Vary"]


def test_the_worker_is_for_the_pages_of_kiosks_alone(client: Client) -> None:
    answer = client.get("/kiosk/worker.js")
    assert answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/javascript")
    assert "Service-Worker-Allowed" not in answer.headers
    assert "worker-src 'self'" in answer.headers["Content-Security-Policy"]


# ── Becoming a kiosk ────────────────────────────────────────────────────────────────────────────────────────


def test_a_screen_waits_with_one_code_until_the_pit_says_which_kiosk_it_is(kiosk: Kiosk) -> None:
    device = Device()
    first = device.begin()
    assert first["state"] == "waiting" and re.fullmatch("[A-Z0-9]{3}-[A-Z0-9]{3}", first["code"])
    assert device.begin() == first and Pairing.objects.count() == 1
    assert device.browser.get("/").status_code == 200, "it is no kiosk yet"
    kiosks.enrol(boss(), kiosk.pk, first["code"])
    begun = device.begin()
    kiosk.refresh_from_db()
    assert begun == {"state": "begun", "use": kiosk.use, "next": "/kiosk/attract/"}
    assert not device.cookie("kiosk_pairing")
    page = device.browser.get("/kiosk/attract/")
    assert page.status_code == 200 and "kiosk/attract.html" in templates(page)


def test_a_code_that_is_too_old_is_replaced(kiosk: Kiosk) -> None:
    device = Device()
    first = device.begin()
    Pairing.objects.update(asked_at=Pairing.objects.get().asked_at - kiosks.CODE_GOOD_FOR)
    assert device.begin()["code"] != first["code"]


@pytest.mark.parametrize("https", [False, True])
def test_what_the_device_keeps_is_no_scripts_to_read(kiosk: Kiosk, settings: Any, https: bool) -> None:
    settings.HTTPS = https
    device, secure = Device(), True if https else ""
    answer = device.ask()
    quarter = int(timedelta(minutes=15).total_seconds())
    assert flags(answer.cookies["kiosk_pairing"]) == (True, "Strict", secure, "/", quarter)
    assert "kiosk" not in answer.cookies
    kiosks.enrol(boss(), kiosk.pk, answer.json()["code"])
    answer = device.ask()
    assert flags(answer.cookies["kiosk"]) == (True, "Strict", secure, "/", 400 * 24 * 3600)
    assert answer.cookies["kiosk_pairing"].value == "" and answer.cookies["kiosk_pairing"]["path"] == "/"
    assert answer.cookies["sessionid"]["httponly"]
    kiosk.refresh_from_db()
    assert kiosk.token == kiosks.digest(device.cookie("kiosk")) != device.cookie("kiosk")


FOREIGN: dict[str, dict[str, str]] = {
    "no origin": {"origin": ""},
    "another origin": {"origin": "http://evil.example"},
    "another port": {"origin": "http://testserver:9999"},
    "no page": {"origin": "null"},
    "a plain form": {"x-kiosk": ""},
}


@pytest.mark.parametrize("how", FOREIGN)
def test_only_our_own_page_begins(device: Device, how: str) -> None:
    token, use = device.cookie("kiosk"), device.last_use
    answer = device.ask(**FOREIGN[how])
    assert answer.status_code == 403 and not answer.cookies
    assert device.cookie("kiosk") == token and Kiosk.objects.get().use == use
    stranger = Device("another-screen-0")
    waiting = Pairing.objects.count()
    assert stranger.ask(**FOREIGN[how]).status_code == 403
    assert Pairing.objects.count() == waiting


def test_beginning_takes_no_token_of_a_form_and_is_not_done_by_looking(device: Device) -> None:
    strict = device.copy()
    strict.browser.handler.enforce_csrf_checks = True
    assert strict.begin()["state"] == "begun"
    assert strict.browser.get("/kiosk/begin/").status_code == 405


@pytest.mark.parametrize(
    "said",
    [
        [], "x", 1, {}, {"screen": "0123456789abcdef"}, {"screen": "short", "last_use": None},
        {"screen": "0123456789abcde<", "last_use": None}, {"screen": 1, "last_use": None},
        {"screen": "x" * 65, "last_use": None}, {"screen": "0123456789abcdef", "last_use": "1"},
        {"screen": "0123456789abcdef", "last_use": True}, {"screen": "0123456789abcdef", "last_use": -1},
        {"screen": "0123456789abcdef", "last_use": 2**31}, {"screen": "0123456789abcdef", "last_use": 1.5},
        {"screen": "0123456789abcdef", "last_use": None, "use": 1},
    ],
    ids=str,
)  # fmt: skip
def test_what_a_screen_says_of_itself_is_taken_strictly(device: Device, said: object) -> None:
    assert device.ask(said).status_code == 400
    assert Kiosk.objects.get().use == device.last_use


def test_what_is_no_json_is_refused(device: Device) -> None:
    for text in ("", "{", "[" * 20_000, "\udcff".encode("utf-8", "surrogatepass")):
        answer = device.browser.post(
            "/kiosk/begin/",
            text,
            content_type="application/json",
            headers={"origin": "http://testserver", "x-kiosk": "1"},
        )
        assert answer.status_code == 400


def test_nobody_asks_for_codes_by_the_thousand(db: None) -> None:
    devices = [Device(f"screen-number-{number:04}") for number in range(70)]
    for device in devices:
        device.browser.defaults["REMOTE_ADDR"] = "198.51.100.7"
    answers = [device.ask().status_code for device in devices]
    assert answers[0] == 200 and answers[-1] == 429
    assert Pairing.objects.count() <= 60


def test_who_was_logged_in_where_a_kiosk_begins_is_logged_out(kiosk: Kiosk, house: House) -> None:
    ana = house.player("ana")
    device = Device(browser=logged_in(ana))
    before = device.cookie("sessionid")
    device.begin()
    assert device.browser.get("/account/").status_code == 200, "a screen that waits is nobody's yet"
    kiosks.enrol(boss(), kiosk.pk, device.begin()["code"])
    device.begin()
    assert dict(device.browser.session) == {"kiosk": {"id": kiosk.pk, "use": device.last_use}}
    assert not BrowserSession.objects.filter(pk=stored(before)).exists()


# ── Another use ─────────────────────────────────────────────────────────────────────────────────────────────

STALE_PAGES = ("attract/", "choose/", "tables/demo/", "guide/baccarat/", "demonstration/demo/")
STALE_DEEDS = ("play/", "language/", "farewell/")


def is_over(device: Device) -> None:
    """All pages lead to the door, and nothing can be done."""
    for page in STALE_PAGES:
        answer = device.browser.get(f"/kiosk/{page}")
        assert (answer.status_code, answer.headers.get("Location")) == (302, "/kiosk/"), page
    for deed in STALE_DEEDS:
        assert device.browser.post(f"/kiosk/{deed}", {"table": "demo", "language": "pt"}).status_code == 409, deed


def test_each_beginning_has_a_token_of_its_own_and_ends_the_use_before(kiosk: Kiosk, device: Device) -> None:
    visited(kiosk, "demo", device)
    visitor, other = Player.objects.get(kiosk=kiosk), device.copy()
    del other.browser.cookies["sessionid"]
    other.begin()
    assert other.cookie("kiosk") != device.cookie("kiosk")
    visitor.refresh_from_db()
    assert not visitor.is_active and not Account.objects.get(player=visitor).balance
    is_over(device)
    assert Player.objects.filter(kiosk=kiosk).count() == 1, "nobody was let in"
    assert other.browser.get("/kiosk/attract/").status_code == 200


def test_a_device_that_was_copied_is_told_on_and_only_one_goes_on(kiosk: Kiosk, device: Device) -> None:
    kiosks.hear(kiosk.pk, device.last_use or 0, kiosks.ATTRACT)
    thief = Device("the-thiefs-screen", last_use=device.last_use)
    thief.browser.cookies["kiosk"] = device.cookie("kiosk")
    assert thief.begin()["state"] == "waiting"
    assert not thief.cookie("kiosk") and Alert.objects.filter(kind="kiosk_twice").count() == 1
    assert device.browser.get("/kiosk/attract/").status_code == 200, "the kiosk itself goes on"


PUT_OUT: dict[str, Callable[[Kiosk], object]] = {
    "revoked": lambda kiosk: kiosks.unpair(boss(), kiosk.pk, "It was stolen"),
    "retired": lambda kiosk: kiosks.retire(boss(), kiosk.pk, "The fair is over"),
    "another screen is it": lambda kiosk: enrolled(kiosk, Device("another-screen-0")),
}


@pytest.mark.parametrize("how", PUT_OUT)
def test_a_screen_that_is_put_out_is_a_browser_like_any_other(kiosk: Kiosk, device: Device, how: str) -> None:
    visited(kiosk, "demo", device)
    PUT_OUT[how](kiosk)
    is_over(device)
    assert device.browser.get("/").status_code == 403
    assert device.begin()["state"] == "waiting"
    assert not device.cookie("kiosk") and not dict(device.browser.session)
    assert device.browser.get("/").status_code == 200


# ── A visitor ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_visitor_comes_plays_and_is_gone(kiosk: Kiosk, device: Device) -> None:
    device.play("demo", language="pt")
    visitor = Player.objects.get(kiosk=kiosk)
    seating.sit(visitor.pk, Table.objects.get(slug="demo").pk, 2)
    for path in ("/kiosk/choose/", "/kiosk/tables/demo/", "/kiosk/guide/baccarat/"):
        assert device.browser.get(path).status_code == 200, path
    assert f'data-me="{visitor.key}"' in device.browser.get("/kiosk/tables/demo/").content.decode()
    before, forms = device.cookie("sessionid"), device.cookie("csrftoken")
    assert set(device.browser.session.keys()) > {"kiosk", "kiosk_language", "kiosk_seen", "_auth_user_id"}
    answer = device.browser.post("/kiosk/farewell/")
    assert answer.status_code == 200 and answer.json() == {"next": "/kiosk/attract/"}
    assert dict(device.browser.session) == {"kiosk": {"id": kiosk.pk, "use": device.last_use}}
    assert device.cookie("sessionid") != before and not BrowserSession.objects.filter(pk=stored(before)).exists()
    assert device.cookie("csrftoken") != forms
    assert {name for name in device.browser.cookies if device.cookie(name)} == {"kiosk", "sessionid", "csrftoken"}
    visitor.refresh_from_db()
    assert not visitor.is_active and not Seat.objects.exists() and not Account.objects.get(player=visitor).balance
    page = device.browser.get("/kiosk/attract/").content.decode()
    assert str(visitor) not in page and visitor.username not in page and 'lang="zh-hant"' in page


def test_what_he_left_open_cannot_be_come_back_to(kiosk: Kiosk, device: Device) -> None:
    """A page of theirs that is shown again, and a cookie that was kept."""
    visited(kiosk, "demo", device)
    kept = device.copy()
    device.browser.post("/kiosk/farewell/")
    for path in ("/kiosk/tables/demo/", "/kiosk/choose/", "/kiosk/guide/baccarat/"):
        assert device.browser.get(path).headers["Location"] == "/kiosk/attract/"
        assert kept.browser.get(path).headers["Location"] == "/kiosk/"
    assert kept.browser.post("/kiosk/farewell/").status_code == 403


def test_of_the_next_visitor_nothing_is_the_one_befores(kiosk: Kiosk, device: Device) -> None:
    visited(kiosk, "demo", device)
    first = Player.objects.get(kiosk=kiosk)
    device.browser.post("/kiosk/farewell/")
    visited(kiosk, "demo", device)
    second = Player.objects.exclude(pk=first.pk).get(kiosk=kiosk)
    assert device.browser.session["_auth_user_id"] == str(second.pk)
    assert Account.objects.get(player=second).balance == CREDITS
    assert "kiosk_seen" not in device.browser.session


def test_what_the_screen_shows_to_nobody_ends_the_visit(kiosk: Kiosk, device: Device) -> None:
    visited(kiosk, "demo", device)
    assert device.browser.get("/kiosk/attract/").status_code == 200
    assert Kiosk.objects.get().visitor is None
    assert dict(device.browser.session) == {"kiosk": {"id": kiosk.pk, "use": device.last_use}}


def test_a_visitor_whom_the_pit_lets_go_leaves_nothing_either(kiosk: Kiosk, device: Device) -> None:
    device.play("demo", language="pt")
    kiosks.lock(boss(), kiosk.pk, "It is being cleaned")
    assert device.browser.get("/kiosk/tables/demo/").headers["Location"] == "/kiosk/attract/"
    page = device.browser.get("/kiosk/attract/")
    assert page.status_code == 200 and 'lang="zh-hant"' in page.content.decode()
    assert dict(device.browser.session) == {"kiosk": {"id": kiosk.pk, "use": device.last_use}}
    assert device.play("demo").headers["Location"] == "/kiosk/attract/"
    assert Kiosk.objects.get().visitor is None, "nobody is let play"


def test_who_comes_after_one_whom_the_pit_let_go_finds_nothing_of_him(kiosk: Kiosk, device: Device) -> None:
    """Also where the screen has not shown itself meanwhile."""
    device.play("demo", language="pt")
    device.browser.get("/kiosk/tables/demo/")
    kiosks.lock(boss(), kiosk.pk, "It is being cleaned")
    kiosks.unlock(boss(), kiosk.pk)
    assert device.play("demo").headers["Location"] == "/kiosk/tables/demo/"
    page = device.browser.get("/kiosk/tables/demo/")
    assert page.status_code == 200 and 'lang="zh-hant"' in page.content.decode() and page.context["first_time"]
    assert page.context["viewer"].balance_cents == CREDITS


def test_however_often_the_screen_is_touched_there_is_one_visitor(kiosk: Kiosk, device: Device) -> None:
    for _ in range(5):
        assert device.play("demo").headers["Location"] == "/kiosk/tables/demo/"
    visitor = Player.objects.get(kiosk=kiosk)
    assert Account.objects.get(player=visitor).balance == CREDITS


def test_where_a_touch_leads(house: House) -> None:
    """To the table that was shown, to the kiosks' own of its game, or to choose one."""
    for slug, game, realm in (
        ("jade", "baccarat", Realm.FLOOR), ("lotus", "roulette", Realm.FLOOR), ("pearl", "cussec", Realm.FLOOR),
        ("first", "baccarat", Realm.KIOSKS), ("demo", "baccarat", Realm.KIOSKS), ("wheel", "roulette", Realm.KIOSKS),
        ("dice", "cussec", Realm.KIOSKS),
    ):  # fmt: skip
        house.table(slug, game=game, realm=realm)
    tables = Table.objects.in_bulk(["jade", "demo", "lotus"], field_name="slug")
    device = enrolled(a_kiosk(*tables.values()))
    for wanted, there in (
        ("demo", "tables/demo/"), ("jade", "tables/demo/"), ("lotus", "tables/wheel/"), ("wheel", "tables/wheel/"),
        ("pearl", "choose/"), ("dice", "choose/"), ("nowhere", "choose/"), ("", "choose/"),
    ):  # fmt: skip
        answer = device.play(wanted)
        assert (answer.status_code, answer.headers["Location"]) == (303, f"/kiosk/{there}"), wanted
    for slug in ("jade", "lotus", "pearl", "dice", "nowhere"):
        assert device.browser.get(f"/kiosk/tables/{slug}/").headers["Location"] == "/kiosk/choose/", slug
    assert device.browser.get("/kiosk/guide/cussec/").headers["Location"] == "/kiosk/choose/"
    page = device.browser.get("/kiosk/choose/")
    assert {one["slug"] for one in page.context["tables"]} == {"demo", "wheel"}


def test_a_script_is_told_where_to_go(device: Device) -> None:
    """So that it can put the next page in the place of its own."""
    answer = device.browser.post("/kiosk/play/", {"table": "demo"}, headers={"x-kiosk": "1"})
    assert answer.status_code == 200 and answer.json() == {"next": "/kiosk/tables/demo/"}
    said = {"language": "pt", "next": "/kiosk/choose/"}
    answer = device.browser.post("/kiosk/language/", said, headers={"x-kiosk": "1"})
    assert answer.json() == {"next": "/kiosk/choose/"}


def test_who_meets_a_game_for_the_first_time_is_told_once(device: Device) -> None:
    device.play("demo")
    times = [device.browser.get("/kiosk/tables/demo/").context["first_time"] for _ in range(2)]
    assert times == [True, False]
    device.browser.post("/kiosk/farewell/")
    device.play("demo")
    device.browser.get("/kiosk/guide/baccarat/")
    assert device.browser.get("/kiosk/tables/demo/").context["first_time"] is False


def test_a_deed_needs_the_token_of_its_page(kiosk: Kiosk, device: Device) -> None:
    device.browser.get("/kiosk/attract/")
    device.browser.handler.enforce_csrf_checks = True
    for deed in STALE_DEEDS:
        answer = device.browser.post(f"/kiosk/{deed}", {"table": "demo"})
        assert answer.status_code == 403 and "kiosk/refused.html" in templates(answer)
    assert Kiosk.objects.get().visitor is None
    token = re.search(
        'name="csrfmiddlewaretoken" value="([^"]+)"', device.browser.get("/kiosk/attract/").content.decode()
    )
    assert token is not None
    assert device.play("demo", csrfmiddlewaretoken=token[1]).status_code == 303


# ── Language ────────────────────────────────────────────────────────────────────────────────────────────────


def language_of(page: Any) -> str:
    found = re.search('<html lang="([a-z-]+)"', page.content.decode())
    assert found is not None and page.headers["Content-Language"] == found[1]
    return found[1]


def test_the_language_is_the_visitors_and_goes_with_him(device: Device) -> None:
    device.browser.cookies["django_language"] = "en"  # left by whatever the browser was before
    assert language_of(device.browser.get("/kiosk/attract/", headers={"accept-language": "pt"})) == "zh-hant"
    device.play("demo", language="pt")
    assert language_of(device.browser.get("/kiosk/tables/demo/")) == "pt"
    answer = device.browser.post("/kiosk/language/", {"language": "en", "next": "/kiosk/tables/demo/"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/kiosk/tables/demo/")
    assert "django_language" not in answer.cookies
    assert language_of(device.browser.get("/kiosk/tables/demo/")) == "en"
    device.browser.post("/kiosk/language/", {"language": "xx"})
    assert language_of(device.browser.get("/kiosk/choose/")) == "en"
    device.browser.post("/kiosk/farewell/")
    assert language_of(device.browser.get("/kiosk/attract/")) == "zh-hant"
    device.play("demo")
    assert language_of(device.browser.get("/kiosk/choose/")) == "zh-hant"


def test_a_kiosk_speaks_only_what_the_pit_has_set(table: Table) -> None:
    device = enrolled(a_kiosk(table, languages=("pt", "en")))
    device.play("demo", language="zh-hant")
    assert language_of(device.browser.get("/kiosk/choose/")) == "pt"


@pytest.mark.parametrize(
    "wanted",
    ["https://evil.example/", "//evil.example/", "/", "/pit/", "/kiosk/", "/kiosk/attract/", "", "x", "/account/"],
)
def test_it_leads_to_no_other_page(device: Device, wanted: str) -> None:
    device.play("demo")
    answer = device.browser.post("/kiosk/language/", {"language": "pt", "next": wanted})
    assert answer.headers["Location"] == "/kiosk/choose/"


def test_whoever_has_gone_chooses_no_language(device: Device) -> None:
    answer = device.browser.post("/kiosk/language/", {"language": "pt", "next": "/kiosk/choose/"})
    assert answer.headers["Location"] == "/kiosk/attract/"
    assert "kiosk_language" not in device.browser.session


# ── What it shows ───────────────────────────────────────────────────────────────────────────────────────────


def test_it_shows_one_table_after_the_other(house: House) -> None:
    tables = [house.table(slug, realm=realm) for slug, realm in (("jade", Realm.FLOOR), ("demo", Realm.KIOSKS))]
    device = enrolled(a_kiosk(*tables))
    for at, slug in ((0, "jade"), (1, "demo"), (2, "jade"), (901, "demo")):
        assert device.browser.get(f"/kiosk/attract/?at={at}").context["state"].slug == slug
    for nonsense in ("-1", "x", "", "9" * 40, "１"):
        assert device.browser.get("/kiosk/attract/", {"at": nonsense}).context["state"].slug == "jade"
    Table.objects.update(open=False)
    assert device.browser.get("/kiosk/attract/").status_code == 200, "nothing is open, and still there is a page"


def test_a_table_is_shown_live_while_somebody_is_there(device: Device, table: Table) -> None:
    seating.heartbeat(table.pk, [])
    live = device.browser.get("/kiosk/attract/")
    assert "demonstration" not in live.context and live.context["state"].table_id == table.pk
    assert live.context["viewer"].key is None
    Table.objects.update(attended_until=None)
    dealt = device.browser.get("/kiosk/attract/")
    assert dealt.context["demonstration"] and dealt.context["state"].table_id == 0
    assert dealt.context["rule"].article


def test_a_demonstration_is_of_what_the_kiosk_shows(house: House, device: Device) -> None:
    house.table("jade")
    assert device.browser.get("/kiosk/demonstration/demo/?seed=3").status_code == 200
    for slug in ("jade", "nowhere"):
        assert device.browser.get(f"/kiosk/demonstration/{slug}/").status_code == 404


# ── When something is wrong ─────────────────────────────────────────────────────────────────────────────────


def test_whatever_goes_wrong_the_screen_goes_to_the_door_by_itself(kiosk: Kiosk, device: Device) -> None:
    """A page of our house that has erred would stay on the screen till somebody comes."""
    device.play("demo")
    sound = Table.objects.get(slug="demo").options
    Table.objects.update(options={"no": "such option"})
    device.browser.raise_request_exception = False
    broken = [device.browser.get(f"/kiosk/{page}") for page in ("choose/", "tables/demo/", "attract/")]
    assert [page.status_code for page in broken] == [500] * 3
    for answer in (*broken, device.browser.get("/kiosk/nowhere/"), device.browser.get("/account/")):
        assert "kiosk/refused.html" in templates(answer) or b'http-equiv="refresh"' in answer.content
        text = answer.content.decode()
        assert 'content="3; url=/kiosk/"' in text and 'href="/"' not in text and "<a " not in text
        assert answer.headers["Cache-Control"] == "no-store"
    Table.objects.update(options=sound)


def test_an_ordinary_browser_is_told_as_ever(client: Client, db: None) -> None:
    assert b"http-equiv" not in client.get("/kiosk/nowhere/").content


def test_a_visitor_is_no_player_elsewhere(kiosk: Kiosk, device: Device) -> None:
    visited(kiosk, "demo", device)
    visitor = Player.objects.get(kiosk=kiosk)
    assert restrictions.not_admitted([visitor.pk], Realm.FLOOR) and not visitor.has_usable_password()
