"""What a kiosk reaches, address by address, and who reaches a kiosk's pages; and that no secret of one is ever told."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tables.admin import site
from tables.models import Event, Kiosk, Pairing, Player, Realm, Table
from tables.services.kiosk import kiosks
from tables.urls import urlpatterns
from tables.views.kiosk.gate import OPEN
from tests.extent import EVERYTHING
from tests.house.kiosk_kit import boss
from tests.house.kit import House

from .kiosk_kit import CREDITS, Device, a_kiosk, enrolled, visited
from .pit_kit import ROLES, browser, browser_of, logged_in, member

pytestmark = pytest.mark.django_db

GIVEN = {"game": "baccarat", "language": "en"}
"""What stands in an address where its name is asked for; numbers are 1, other names are of the table "demo"."""


def addresses(patterns: Iterable[Any] | None = None, before: str = "/") -> Iterator[tuple[str, str]]:
    """Every address of the house, with its name; also those that only our own parts of it know."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        route = re.sub(r"<int:\w+>", "1", str(pattern.pattern))
        route = re.sub(r"<(?:slug|path|str):(\w+)>|<(\w+)>", lambda found: GIVEN.get(found[1] or "", "demo"), route)
        route = re.sub(r"\(\?P<app_label>tables\)", "tables", route)
        route = re.sub(r"\(\?P<\w+>[^)]*\)", "x", route).replace("^", "").replace("$", "")
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, before + route)
        else:
            assert isinstance(pattern, URLPattern)
            name = "" if before.startswith("/pit/admin/") else pattern.name or ""
            yield before + route, name


ALL = sorted(set(addresses()))
OURS = {name: path for path, name in ALL if name.startswith("kiosk")}
OTHERS = [path for path, name in ALL if not name.startswith("kiosk")]

PAGES = (
    *("kiosk_attract", "kiosk_demonstration", "kiosk_choose", "kiosk_table", "kiosk_guide", "kiosk_rules"),
    "kiosk_leaves",
)
DEEDS = ("kiosk_play", "kiosk_language", "kiosk_farewell")


def test_the_walk_finds_what_there_is() -> None:
    assert {"/", "/pit/", "/history/", "/account/", "/healthz", "/metrics", "/pit/admin/", "/tables/demo/"} <= set(
        OTHERS
    )
    assert {"/pit/kiosks/", "/pit/kiosks/1/enrol/", "/accounts/login/", "/language/", "/rounds/1/"} <= set(OTHERS)
    assert len(OTHERS) > 150
    assert set(OURS) == {*OPEN, *PAGES, *DEEDS}
    assert all(path.startswith("/kiosk/") for path in OURS.values())
    assert not [path for path in OTHERS if path.startswith("/kiosk/")]


def test_every_page_of_a_kiosk_passes_the_gate() -> None:
    for pattern in urlpatterns:
        if (pattern.name or "").startswith("kiosk") and pattern.name not in OPEN:
            assert getattr(pattern.callback, "at_kiosk", False), pattern.name


@pytest.fixture
def house(db: None) -> Iterator[House]:
    """A house whose books must be in order when the test is over."""
    house = House()
    yield house
    house.in_order()


@pytest.fixture
def table(house: House) -> Table:
    house.table("jade")
    return house.table("demo", realm=Realm.KIOSKS)


@pytest.fixture
def kiosk(table: Table) -> Kiosk:
    return a_kiosk(table)


# ── What a kiosk reaches ────────────────────────────────────────────────────────────────────────────────────


def bare(kiosk: Kiosk) -> Client:
    """A browser with nothing of a kiosk but its token."""
    device = enrolled(kiosk)
    client = Client()
    client.cookies["kiosk"] = device.cookie("kiosk")
    return client


def forged(_kiosk: Kiosk) -> Client:
    """A browser with a token that never was one."""
    client = Client()
    client.cookies["kiosk"] = "0123456789" * 4
    return client


def left_over(kiosk: Kiosk) -> Client:
    """A visitor who is logged in in a browser that is no kiosk."""
    visited(kiosk, "demo")
    return logged_in(Player.objects.get(kiosk=kiosk))


def stale(kiosk: Kiosk) -> Client:
    """A kiosk whose use is over, and whose token was taken from it."""
    device = visited(kiosk, "demo")
    kiosks.unpair(boss(), kiosk.pk, "It was stolen")
    del device.browser.cookies["kiosk"]
    return device.browser


BROWSERS: dict[str, Callable[[Kiosk], Client]] = {
    "nobody plays": lambda kiosk: enrolled(kiosk).browser,
    "a visitor": lambda kiosk: visited(kiosk, "demo").browser,
    "only the cookie": bare,
    "a forged cookie": forged,
    "a visitor elsewhere": left_over,
    "a use that is over": stale,
}


@pytest.mark.parametrize("which", BROWSERS)
def test_a_kiosk_reaches_nothing_that_is_not_a_kiosks(kiosk: Kiosk, which: str) -> None:
    """Every address of the house, and some that there are not: with ALL=1 read and written by each of these browsers,
    otherwise read by every other one and written by the rest."""
    client = BROWSERS[which](kiosk)
    before = Player.objects.count(), Event.objects.count()
    turn = list(BROWSERS).index(which)
    for path in (*OTHERS, "/nowhere/", "/kiosk", "/kiosk/nowhere/", "/pit", "/KIOSK/", "/pit/kiosk/"):
        turn += 1
        for ask in (client.get, client.post) if EVERYTHING else ((client.get, client.post)[turn % 2],):
            answer: Any = ask(path)
            assert answer.status_code == 403 and not answer.cookies, path
            assert b"3; url=/kiosk/" in answer.content and len(answer.content) < 5_000, path
    for ask in (client.head, client.put, client.delete, client.options):
        assert {ask(path).status_code for path in ("/", "/account/", "/pit/", "/guest/")} == {403}
    assert (Player.objects.count(), Event.objects.count()) == before


@pytest.mark.parametrize("role", ROLES)
def test_nobody_of_the_staff_works_at_a_kiosk(kiosk: Kiosk, role: str) -> None:
    client = browser(role)
    client.cookies["kiosk"] = enrolled(kiosk).cookie("kiosk")
    for path in ("/pit/", "/pit/kiosks/", "/pit/admin/", "/", "/tables/jade/", "/account/"):
        assert client.get(path).status_code == 403


def test_it_gets_what_its_pages_are_made_of(kiosk: Kiosk) -> None:
    device = visited(kiosk, "demo")
    for page in ("/kiosk/", "/kiosk/attract/"):
        content = device.browser.get(page).content.decode()
        files = set(re.findall(r'(?:src|href)="(/static/[^"#]+)', content))
        assert files
        for file in files:
            assert device.browser.get(file).status_code == 200, file


def test_its_pages_name_no_address_but_its_own(kiosk: Kiosk) -> None:
    device = visited(kiosk, "demo")
    for path in (
        OURS["kiosk"],
        *(OURS[name] for name in ("kiosk_choose", "kiosk_table", "kiosk_guide", "kiosk_rules", "kiosk_attract")),
    ):
        content = device.browser.get(path).content.decode()
        named = re.findall(r'(?:href|action|src|ws-connect|formaction)="([^"#][^"]*)"', content)
        strange = {one for one in named if not one.startswith(("/kiosk/", "/static/", "/ws/tables/demo/"))}
        assert not strange


# ── Who reaches a kiosk ─────────────────────────────────────────────────────────────────────────────────────


def test_who_comes_to_which_page_of_a_kiosk(kiosk: Kiosk) -> None:
    device = enrolled(kiosk)
    for name in PAGES:
        answer = device.browser.get(OURS[name])
        if name in ("kiosk_attract", "kiosk_demonstration"):
            assert answer.status_code == 200, name
        else:
            assert (answer.status_code, answer.headers["Location"]) == (303, "/kiosk/attract/"), name
    visited(kiosk, "demo", device)
    for name in ("kiosk_demonstration", "kiosk_choose", "kiosk_table", "kiosk_guide", "kiosk_rules"):
        assert device.browser.get(OURS[name]).status_code == 200, name
        assert device.browser.post(OURS[name]).status_code == 405, name
    for name in DEEDS:
        assert device.browser.get(OURS[name]).status_code == 405, name
    for name, path in OURS.items():
        if name not in OPEN:
            assert "no-store" in device.browser.get(path).headers["Cache-Control"], name


def test_a_visitor_s_screen_gets_the_leaves_of_kiosks_packs_and_no_others(house: House, kiosk: Kiosk) -> None:
    device = visited(kiosk, "demo")
    roots = {}
    for slug in ("demo", "jade"):
        house.until(Table.objects.get(slug=slug), "betting")
        shoe = Table.objects.get(slug=slug).shoe
        assert shoe is not None
        roots[slug] = shoe.commitment
    leaves = device.browser.get(f"/kiosk/leaves/{roots['demo']}.txt")
    assert hashlib.sha256(leaves.content).hexdigest() == roots["demo"]
    assert device.browser.get(f"/kiosk/leaves/{roots['jade']}.txt").status_code == 404
    for root in ("0" * 64, "x", roots["demo"].upper(), f"{roots['demo']}%00", "%00"):
        assert device.browser.get(f"/kiosk/leaves/{root}.txt").status_code == 404, root


def strangers(house: House) -> Iterator[Client]:
    yield Client()
    yield logged_in(house.player("ana"))
    for role in ROLES:
        yield browser(role)


def test_for_everybody_else_there_is_the_door_and_nothing_behind_it(house: House, kiosk: Kiosk) -> None:
    enrolled(kiosk)
    use = Kiosk.objects.get().use
    for client in strangers(house):
        for name in PAGES:
            answer = client.get(OURS[name])
            assert (answer.status_code, answer.headers["Location"]) == (302, "/kiosk/"), name
        for name in (*PAGES, *DEEDS):
            assert client.post(OURS[name], {"table": "demo"}).status_code == 403, name
    assert not Player.objects.filter(kiosk__isnull=False).exists()
    assert Kiosk.objects.get().use == use


def test_a_session_cannot_be_talked_into_being_a_kiosks(house: House, kiosk: Kiosk) -> None:
    """Neither a code that nobody has confirmed, nor another screen's secret, nor a made-up token opens anything."""
    device = Device()
    code = device.begin()["code"]
    assert device.browser.get("/kiosk/attract/").headers["Location"] == "/kiosk/"
    other = Device("another-screen-0")
    other.browser.cookies["kiosk_pairing"] = device.cookie("kiosk_pairing")
    kiosks.enrol(boss(), kiosk.pk, code)
    assert other.begin()["state"] == "waiting", "the secret is bound to its screen"
    other.browser.cookies["kiosk"] = device.cookie("kiosk_pairing")
    assert other.begin()["state"] == "waiting"
    assert device.begin()["state"] == "begun"
    late = Device()
    late.browser.cookies["kiosk_pairing"] = device.cookie("kiosk_pairing")
    assert late.begin()["state"] == "waiting", "what is over opens nothing"


def test_tables_of_kiosks_are_not_there_for_anybody_else(house: House, kiosk: Kiosk) -> None:
    house.table("raise", game="stud_poker", realm=Realm.KIOSKS)
    pool = Table.objects.select_related("jackpot").get(slug="raise").jackpot
    assert pool is not None
    for client in strangers(house):
        assert client.get("/tables/demo/").status_code == 404
        assert client.get("/tables/jade/").status_code == 200
        assert client.get(f"/jackpots/{pool.slug}/").status_code == 404
        lobby = client.get("/").content.decode()
        assert "jade" in lobby and "/tables/demo/" not in lobby and "table-demo" not in lobby


def test_rounds_and_shoes_of_kiosks_are_not_there_for_players(house: House, kiosk: Kiosk) -> None:
    table = Table.objects.get(slug="demo")
    device = visited(kiosk, "demo")
    visitor = Player.objects.get(kiosk=kiosk)
    house.until(table, "betting")
    log = house.log(table)
    while house.log(table).pk == log.pk:
        house.step(table)
    shoe = Table.objects.get(slug="demo").shoe
    assert shoe is not None
    paths = [f"/rounds/{log.pk}/", f"/rounds/{log.pk}/record.json", f"/shoes/{shoe.pk}/"]
    paths += [f"/shoes/{shoe.pk}/leaves.txt", f"/leaves/{shoe.commitment}.txt"]
    for client in (Client(), logged_in(house.player("ana"))):
        for path in paths:
            assert client.get(path).status_code in (302, 404), path
    for path in paths:
        assert device.browser.get(path).status_code == 403 and logged_in(visitor).get(path).status_code == 403


# ── Secrets ─────────────────────────────────────────────────────────────────────────────────────────────────


def told_in(context: object) -> Iterator[object]:
    """All values that a page was made of, however deep."""
    match context:
        case str():
            yield context
        case Mapping():
            for value in context.values():
                yield from told_in(value)
        case list() | tuple() | set() | frozenset():
            for value in context:
                yield from told_in(value)
        case _:
            yield context


def contexts_of(answer: Any) -> Iterator[object]:
    for context in answer.context or ():
        for layer in context.dicts if hasattr(context, "dicts") else [context]:
            yield from told_in({name: value for name, value in layer.items() if name not in ("request", "block")})


def test_no_page_knows_a_secret_of_the_device(kiosk: Kiosk, caplog: pytest.LogCaptureFixture) -> None:
    """Neither in what it is made of, nor in what is sent, nor in the log; in the pit neither."""
    caplog.set_level(logging.DEBUG)
    device = Device()
    code = device.begin()["code"]
    secrets = {device.cookie("kiosk_pairing"), kiosks.digest(device.cookie("kiosk_pairing"))}
    staff = browser_of(boss())
    pages = [device.browser.get("/kiosk/"), staff.get("/pit/kiosks/"), staff.get(f"/pit/kiosks/{kiosk.pk}/")]
    kiosks.enrol(boss(), kiosk.pk, code)
    told = [device.ask().content]
    token, screen = device.cookie("kiosk"), device.screen
    device.last_use = Kiosk.objects.get().use
    kiosk.refresh_from_db()
    secrets |= {token, kiosk.token, screen, kiosk.screen, kiosks.digest(screen)} - {""}
    visited(kiosk, "demo", device)
    pages += [
        device.browser.get(OURS[name])
        for name in ("kiosk_choose", "kiosk_table", "kiosk_guide", "kiosk_rules", "kiosk")
    ]
    pages += [device.browser.get(OURS[name]) for name in ("kiosk_attract", "kiosk_demonstration")]
    pages += [device.browser.get("/account/"), device.browser.post("/kiosk/farewell/")]
    pages += [
        staff.get(path)
        for path in ("/pit/", "/pit/kiosks/", f"/pit/kiosks/{kiosk.pk}/", "/pit/events/", "/pit/people/")
    ]
    for page in pages:
        assert page.status_code in (200, 403), page.request["PATH_INFO"]
        told.append(page.content)
        if page.templates and page.templates[0].name and not str(page.request["PATH_INFO"]).startswith("/pit/"):
            for value in contexts_of(page):
                assert not isinstance(value, (Kiosk, Pairing)), page.request["PATH_INFO"]
                assert not any(secret in str(value) for secret in secrets), page.request["PATH_INFO"]
    for text in (*(content.decode() for content in told), caplog.text, *map(str, Event.objects.values_list())):
        assert not any(secret in text for secret in secrets)


def test_the_admin_shows_nothing_of_a_device() -> None:
    assert Pairing not in site._registry
    for admin in site._registry.values():
        assert not {"token", "token_before", "screen", "secret"} & {*admin.fields, *admin.list_display}


def test_what_is_named_like_a_secret_never_reaches_a_log() -> None:
    from casino.logs import KEPT_BACK, keep_back

    said = {"token": "x", "token_before": "x", "pairing_secret": "x", "cookies": {"kiosk_token": "x"}}
    kept = keep_back(None, "info", dict(said))
    assert "x" not in str({**kept, "cookies": ""}) and kept["token"] == KEPT_BACK


def test_a_token_is_stored_nowhere(kiosk: Kiosk, tmp_path: Path) -> None:
    """Nor the secret by which it was got: in no table of the database."""
    device = Device()
    code = device.begin()["code"]
    secret = device.cookie("kiosk_pairing")
    kiosks.enrol(boss(), kiosk.pk, code)
    device.begin()
    visited(kiosk, "demo", device)
    dump = tmp_path / "dump.json"
    call_command("dumpdata", output=str(dump), verbosity=0)
    text = dump.read_text()
    assert kiosks.digest(device.cookie("kiosk")) in text, "what is stored of it"
    assert device.cookie("kiosk") not in text and secret not in text and device.screen not in text


def test_a_visitor_has_what_the_pit_gives_and_no_more(kiosk: Kiosk) -> None:
    """No way leads from a kiosk to more credits: neither by asking, nor by coming again."""
    device = visited(kiosk, "demo")
    visitor = Player.objects.get(kiosk=kiosk)
    assert device.browser.post("/top-up/").status_code == 403
    for _ in range(3):
        device.play("demo")
    assert visitor.account.balance == CREDITS
    assert member("cage").pk
