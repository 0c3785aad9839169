"""The pages of people: sign-up, log-in, guests, credits, languages, and what is said when something goes wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.test import Client, RequestFactory, override_settings
from django.utils import translation

from tables.models import Account, Player, Transfer
from tables.services.players.people import FIRST_CREDITS
from tables.views.accounts import SignupForm
from tables.views.privacy import cookies
from tests.house.kit import House

PASSWORD = "lotus and baize 1887"
_addresses = count(1)


@pytest.fixture
def house(db: None) -> Iterator[House]:
    """A house whose books must be in order when the test is over."""
    house = House()
    yield house
    house.in_order()


@pytest.fixture
def browser(house: House) -> Client:
    """Somebody at an address of their own: limits are counted by address."""
    return _browser()


def _browser() -> Client:
    number = next(_addresses)
    return Client(REMOTE_ADDR=f"10.1.{number // 250}.{number % 250 + 1}")


def _text(page: object) -> str:
    """What a page says, without its markup."""
    content: bytes = page.content  # type: ignore[attr-defined]
    return " ".join(re.sub(r"<[^>]*>", " ", content.decode()).split())


def _sign_up(browser: Client, name: str, password: str = PASSWORD, again: str | None = None) -> object:
    fields = {"username": name, "password1": password, "password2": password if again is None else again}
    return browser.post("/accounts/signup/", fields, follow=True)


def _log_in(browser: Client, name: str, password: str = PASSWORD) -> object:
    return browser.post("/accounts/login/", {"login": name, "password": password}, follow=True)


def _who(browser: Client) -> str | None:
    """The player that this browser is logged in as."""
    return browser.session.get("_auth_user_id")


# ── Sign up, log in, log out ────────────────────────────────────────────────────────────────────────────────


def test_who_signs_up_is_logged_in_and_has_ten_thousand_credits(browser: Client) -> None:
    _sign_up(browser, "ana")
    ana = Player.objects.get()
    assert (ana.username, ana.name, ana.guest) == ("ana", f"player-{ana.pk}", False)
    assert _who(browser) == str(ana.pk)
    assert Account.objects.get(player=ana).balance == FIRST_CREDITS
    assert Transfer.objects.filter(credit__player=ana, debit__kind="mint").count() == 1


def test_every_cookie_is_told_of_with_its_life(browser: Client, settings: Any) -> None:
    """GLI-19 v3.0, 2.6.8: all that a player's browser gets, from the first page to a line for the next."""
    told = {cookie.name: cookie for cookie in cookies()}
    got: dict[str, int] = {}
    _sign_up(browser, "ana")
    browser.post("/accounts/logout/")
    for path, fields in (
        ("/accounts/login/", {"login": "ana", "password": PASSWORD}),
        ("/language/", {"language": "en"}),
        ("/account/name/", {"name": "Ana do Porto"}),
    ):
        got.update((name, each["max-age"] or 0) for name, each in browser.cookies.items() if each.value)
        browser.post(path, fields)
    got.update((name, each["max-age"] or 0) for name, each in browser.cookies.items() if each.value)
    assert got.keys() == told.keys(), "each of them, and no other"
    page = browser.get("/privacy/").content.decode()
    for name, seconds in got.items():
        assert f"<code>{name}</code>" in page and told[name].purpose in page
        days = f"{seconds // (24 * 3600)} days" if seconds else "until it is shown"
        assert told[name].kept == days and days in page
    assert "Terms of whoever runs" not in page
    settings.TERMS_URL = "https://floor.example/terms"
    assert '<a href="https://floor.example/terms"' in browser.get("/privacy/").content.decode()


@pytest.mark.parametrize("name", ["ANA", "guest-7", "Guest-x", "house", "Dealer", "a b", "x" * 41, ""])
def test_a_name_that_is_taken_reserved_or_unfit_is_refused(browser: Client, house: House, name: str) -> None:
    house.player("ana")
    page = _sign_up(browser, name)
    assert "field__error" in page.content.decode()  # type: ignore[attr-defined]
    assert Player.objects.count() == 1
    assert _who(browser) is None


@pytest.mark.parametrize(("password", "again"), [("short", "short"), ("12345678901", "12345678901"), (PASSWORD, "x")])
def test_a_weak_or_mistyped_password_is_refused(browser: Client, password: str, again: str) -> None:
    _sign_up(browser, "ana", password, again)
    assert not Player.objects.exists()


def test_names_may_be_chinese(browser: Client) -> None:
    _sign_up(browser, "陳大文")
    assert Player.objects.get().username == "陳大文"


def test_of_two_who_choose_one_name_at_the_same_moment_the_second_is_told(house: House) -> None:
    request = RequestFactory().post("/accounts/signup/")
    form = SignupForm({"username": "ana", "password1": PASSWORD, "password2": PASSWORD})
    assert form.is_valid()
    house.player("ana")  # after it was looked up, before it is written
    player, answer = form.try_save(request)
    assert player is None
    assert answer is not None
    assert "This name is not free." in _text(answer)
    assert Player.objects.count() == 1


def test_log_in_and_out(browser: Client) -> None:
    _sign_up(browser, "ana")
    assert "Log out" in _text(browser.get("/accounts/logout/"))
    browser.post("/accounts/logout/")
    assert _who(browser) is None
    _log_in(browser, "ana")
    assert _who(browser) == str(Player.objects.get().pk)


def test_a_wrong_password_is_refused_without_saying_which_was_wrong(browser: Client) -> None:
    _sign_up(browser, "ana")
    stranger = _browser()
    wrong, nobody = _log_in(stranger, "ana", "wrong"), _log_in(stranger, "nobody", "wrong")
    assert "Wrong user name or password." in _text(wrong)
    assert "Wrong user name or password." in _text(nobody)
    assert _who(stranger) is None


def test_guessing_passwords_is_slowed_down_whatever_the_address(browser: Client) -> None:
    _sign_up(browser, "victim")  # failures are counted by name, over tests too
    for _ in range(30):
        _log_in(_browser(), "victim", "wrong")
    late = _browser()
    assert "Too many attempts." in _text(_log_in(late, "victim"))
    assert _who(late) is None


def test_who_signs_up_too_often_from_one_address_gets_a_page_that_says_so(browser: Client) -> None:
    for _ in range(20):
        _sign_up(browser, "no", "weak")
    page = browser.post("/accounts/signup/", {"username": "no"})
    assert page.status_code == 429
    assert "Too many attempts" in _text(page)


def test_a_changed_password_ends_the_other_logins(browser: Client) -> None:
    _sign_up(browser, "ana")
    elsewhere = _browser()
    _log_in(elsewhere, "ana")
    fields = {"oldpassword": PASSWORD, "password1": "quite another 1887", "password2": "quite another 1887"}
    page = browser.post("/accounts/password/change/", fields, follow=True)
    assert "Your password has been changed." in _text(page)
    assert browser.get("/account/").status_code == 200
    assert elsewhere.get("/account/").status_code == 302
    _log_in(elsewhere, "ana", "quite another 1887")
    assert elsewhere.get("/account/").status_code == 200


def test_a_house_that_sends_no_mail_asks_for_no_address(browser: Client) -> None:
    with override_settings(EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend"):
        page = browser.get("/accounts/signup/").content.decode()
    assert 'name="email"' not in page


def test_a_forgotten_password_is_set_anew_by_a_link_that_is_sent(
    browser: Client, mailoutbox: list[EmailMessage]
) -> None:
    fields = {"username": "ana", "email": "ana@floor.example", "password1": PASSWORD, "password2": PASSWORD}
    browser.post("/accounts/signup/", fields)
    stranger = _browser()
    known = stranger.post("/accounts/password/reset/", {"email": "ana@floor.example"}, follow=True)
    unknown = stranger.post("/accounts/password/reset/", {"email": "nobody@floor.example"}, follow=True)
    assert _text(known) == _text(unknown)
    (letter,) = mailoutbox
    assert letter.to == ["ana@floor.example"]
    link = re.search(rf"{re.escape(settings.SITE)}(/\S+)", str(letter.body))
    assert link is not None
    page = stranger.get(link.group(1), follow=True)
    where = page.request["PATH_INFO"]
    stranger.post(where, {"password1": "quite another 1887", "password2": "quite another 1887"})
    assert browser.get("/account/").status_code == 302  # who was logged in with the old one is not any more
    _log_in(stranger, "ana", "quite another 1887")
    assert _who(stranger) == str(Player.objects.get().pk)
    assert "This link has expired." in _text(_browser().get(link.group(1), follow=True))


# ── Guests ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_one_click_makes_a_guest_with_credits(browser: Client) -> None:
    answer = browser.post("/guest/", {"next": "/tables/jade/"})
    assert (answer.status_code, answer["Location"]) == (302, "/tables/jade/")
    guest = Player.objects.get()
    assert guest.guest
    assert _who(browser) == str(guest.pk)
    assert Account.objects.get(player=guest).balance == FIRST_CREDITS
    browser.post("/guest/")
    assert Player.objects.count() == 1


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", ""])
def test_a_guest_is_led_nowhere_else(browser: Client, elsewhere: str) -> None:
    assert browser.post("/guest/", {"next": elsewhere})["Location"] == "/"


def test_no_guest_is_made_by_a_link_or_from_another_site(browser: Client) -> None:
    assert browser.get("/guest/").status_code == 405
    strict = Client(enforce_csrf_checks=True)
    page = strict.post("/guest/")
    assert page.status_code == 403
    assert "Please try again" in _text(page)
    assert not Player.objects.exists()


def test_nobody_mints_guests_by_the_thousand(browser: Client) -> None:
    address = f"10.2.0.{next(_addresses)}"
    for _ in range(30):
        assert Client(REMOTE_ADDR=address).post("/guest/").status_code == 302
    page = Client(REMOTE_ADDR=address).post("/guest/")
    assert page.status_code == 429
    assert "Too many attempts" in _text(page)
    assert Player.objects.count() == 30
    assert browser.post("/guest/").status_code == 302  # from elsewhere it is still one click


def test_a_guest_keeps_what_he_has_under_a_name_of_his_own(browser: Client, house: House) -> None:
    browser.post("/guest/")
    guest = Player.objects.get()
    fields = {"username": "rui", "password1": PASSWORD, "password2": PASSWORD}
    page = browser.post("/accounts/keep/", fields, follow=True)
    assert "This account is yours now, rui." in _text(page)
    kept = Player.objects.get()
    assert (kept.pk, kept.username, kept.name, kept.guest) == (guest.pk, "rui", f"player-{guest.pk}", False)
    assert _who(browser) == str(guest.pk)
    assert Account.objects.get(player=kept).balance == FIRST_CREDITS
    elsewhere = _browser()
    _log_in(elsewhere, "rui")
    assert _who(elsewhere) == str(guest.pk)
    assert browser.get("/accounts/keep/")["Location"] == "/account/"


def test_a_guest_cannot_take_the_name_of_another(browser: Client, house: House) -> None:
    house.player("ana")
    browser.post("/guest/")
    page = browser.post("/accounts/keep/", {"username": "Ana", "password1": PASSWORD, "password2": PASSWORD})
    assert "This name is not free." in _text(page)
    assert Player.objects.filter(guest=True).count() == 1


def test_a_guest_is_warned_before_he_loses_everything(browser: Client) -> None:
    browser.post("/guest/")
    assert browser.get("/accounts/signup/")["Location"] == "/accounts/keep/"
    assert browser.get("/accounts/password/change/", follow=True).request["PATH_INFO"] == "/accounts/password/set/"
    page = browser.get("/accounts/login/", follow=True)
    assert "nobody can come back to these credits" in _text(page)
    assert browser.post("/accounts/logout/", {"next": "/accounts/login/"})["Location"] == "/accounts/login/"
    assert _who(browser) is None


# ── Credits ─────────────────────────────────────────────────────────────────────────────────────────────────


def _lose_all(house: House, player: Player) -> None:
    table = house.table(max_bet=100_000_000)
    house.stack("4s Kc 5d 7h")  # the Player wins
    house.until(table, "betting")
    house.bet(player, table, "banker", house.balance(player) // 100)
    house.play_out(table)
    assert house.balance(player) == 0


def test_who_has_enough_is_told_why_he_gets_no_more(browser: Client) -> None:
    _sign_up(browser, "ana")
    assert "Ask for more" not in _text(browser.get("/account/"))
    page = browser.post("/top-up/", follow=True)
    assert "More credits are for those with less than 500.00." in _text(page)
    assert Account.objects.get(kind="player").balance == FIRST_CREDITS


def test_who_has_nothing_left_asks_and_gets_once_an_hour(browser: Client, house: House) -> None:
    _sign_up(browser, "ana")
    ana = Player.objects.get()
    _lose_all(house, ana)
    assert "Ask for more" in _text(browser.get("/account/"))
    page = browser.post("/top-up/", follow=True)
    assert "You have been given 10,000 credits." in _text(page)
    assert house.balance(ana) == FIRST_CREDITS
    Player.objects.filter(pk=ana.pk).update(name="Ana")
    house.clock.pass_(minutes=1)
    table = house.table("lotus", max_bet=100_000_000)
    house.until(table, "betting")
    house.bet(ana, table, "tie", 10_000)
    assert "You may ask again at" in _text(browser.get("/account/"))
    assert "You may ask again in" in _text(browser.post("/top-up/", follow=True))
    assert house.balance(ana) == 0


def test_credits_are_asked_for_by_those_who_are_logged_in_and_by_nothing_else(browser: Client) -> None:
    assert browser.post("/top-up/")["Location"].startswith("/accounts/login/")
    assert browser.get("/top-up/").status_code == 405


def test_the_wallet_tells_what_moved_page_by_page(browser: Client, house: House) -> None:
    _sign_up(browser, "ana")
    ana = Player.objects.get()
    table = house.table()
    house.until(table, "betting")
    for credits in range(1, 31):
        house.bet(ana, table, "tie", credits)
    first = browser.get("/account/").content.decode()
    assert first.count("<tr>") == 1 + 30
    assert "−30.00" in first
    assert "Welcome credits" not in first
    older = re.search(r'href="(/account/\?before=\d+)"', first)
    assert older is not None
    second = browser.get(older.group(1)).content.decode()
    assert "Welcome credits" in second
    assert "+10,000.00" in second
    assert browser.get("/account/?before=x").status_code == 404


# ── Languages ───────────────────────────────────────────────────────────────────────────────────────────────

PAGES = ["/accounts/login/", "/accounts/signup/", "/", "/nowhere/"]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("zh-HK,zh;q=0.9,en;q=0.5", "zh-hant"),
        ("zh-MO", "zh-hant"),
        ("zh-TW", "zh-hant"),
        ("zh-CN", "zh-hant"),
        ("pt-BR", "pt"),
        ("pt-PT,en;q=0.5", "pt"),
        ("en-US", "en"),
        ("fr-FR,de;q=0.5", "en"),
        ("", "en"),
    ],
)
def test_the_browser_chooses_the_language(browser: Client, asked: str, given: str, path: str) -> None:
    page = browser.get(path, headers={"accept-language": asked})
    assert f'<html lang="{given}">' in page.content.decode()


@pytest.mark.parametrize("path", PAGES)
def test_every_page_can_be_switched_and_the_choice_is_remembered(browser: Client, path: str) -> None:
    page = browser.get(path).content.decode()
    assert 'action="/language/"' in page
    assert {"zh-hant", "pt", "en"} <= set(re.findall(r'name="language" value="([a-z-]+)"', page))
    answer = browser.post("/language/", {"language": "pt", "next": path})
    assert answer["Location"] == path
    assert answer.cookies["django_language"]["max-age"] >= 180 * 24 * 3600
    assert '<html lang="pt">' in browser.get(path, headers={"accept-language": "zh-HK"}).content.decode()


def test_switching_leads_nowhere_else(browser: Client) -> None:
    answer = browser.post("/language/", {"language": "pt", "next": "https://evil.example/"})
    assert "evil" not in answer["Location"]


# ── Errors ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "page", ["400.html", "403.html", "403_csrf.html", "404.html", "429.html", "500.html", "503.html"]
)
@pytest.mark.parametrize("language", ["zh-hant", "pt", "en"])
def test_error_pages_need_nothing_but_themselves(page: str, language: str) -> None:
    """No request, no database: one of them may be what failed."""
    with translation.override(language):
        html = render_to_string(page)
    assert f'<html lang="{language}">' in html
    assert 'href="/"' in html
