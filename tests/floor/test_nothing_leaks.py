"""What pages, files and logs give away by themselves: nothing (docs/assurance/asvs.md, V3, V4, V13, V16)."""

from __future__ import annotations

import io
import json
import logging
import logging.config
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog
from django.conf import settings
from django.test import Client

from casino.logs import logging_config
from tests.house.kit import House

PAGES = ("/", "/accounts/login/", "/accounts/signup/", "/history/", "/account/", "/kiosk/", "/nowhere/")


def player(house: House, name: str = "ana") -> Client:
    """A browser in which somebody is logged in."""
    browser = Client()
    browser.force_login(house.player(name), backend="django.contrib.auth.backends.ModelBackend")
    return browser


# ── Files ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/.git/config",
        "/.git/",
        "/.env",
        "/manage.py",
        "/casino/settings.py",
        "/pyproject.toml",
        "/compose.yaml",
        "/var/secret-key",
        "/static/../casino/settings.py",
        "/static/%2e%2e/casino/settings.py",
        "/static/..%2fcasino/settings.py",
        "/static//etc/passwd",
    ],
)
def test_nothing_is_served_but_pages_and_static_files(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/static/", "/static/css/", "/static/css", "/static/js/", "/static/svg/", "/tables/"])
def test_no_folder_is_listed(client: Client, path: str) -> None:
    assert client.get(path, follow=True).status_code == 404


@pytest.mark.django_db
def test_files_that_pages_need_are_served(client: Client) -> None:
    """Else the two tests above would prove nothing."""
    sheets = sorted(Path(settings.BASE_DIR, "static/css").glob("*.css"))
    assert sheets
    assert client.get(f"/static/css/{sheets[0].name}").status_code == 200


# ── Headers ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.django_db
@pytest.mark.parametrize("path", [*PAGES, "/healthz", "/readyz"])
def test_every_answer_names_its_type_and_its_letters(client: Client, path: str) -> None:
    answer = client.get(path, follow=True)
    kind, _, letters = answer["Content-Type"].partition(";")
    assert kind in {"text/html", "text/plain", "application/json"}
    assert kind == "application/json" or letters.strip() in {"charset=utf-8", ""}
    assert kind != "text/html" or letters.strip() == "charset=utf-8"


@pytest.mark.django_db
@pytest.mark.parametrize("path", [*PAGES, "/healthz", "/readyz", "/static/css/*.css", "/static/js/*.js"])
def test_no_answer_is_shown_in_a_frame_or_taken_for_another_type(client: Client, path: str) -> None:
    if "*" in path:
        found = sorted(Path(settings.BASE_DIR).glob(path.removeprefix("/")))[0]
        path = f"/{found.relative_to(settings.BASE_DIR).as_posix()}"
    answer = client.get(path, follow=True)
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES)
def test_no_other_site_may_read_an_answer(client: Client, path: str) -> None:
    for origin in ("https://evil.example", "null"):
        answer = client.get(path, headers={"origin": origin})
        assert not [name for name in answer.headers if name.lower().startswith("access-control-")]


@pytest.mark.django_db
def test_no_script_reads_a_cookie_and_no_other_site_sends_one() -> None:
    browser = Client(REMOTE_ADDR="10.8.0.1")
    browser.get("/accounts/login/")
    browser.post("/guest/")
    browser.post("/language/", {"language": "pt", "next": "/"})
    assert len(browser.cookies) >= 3
    for name, cookie in browser.cookies.items():
        assert cookie["httponly"], name
        assert cookie["samesite"] in {"Lax", "Strict"}, name


@pytest.mark.django_db
def test_who_is_logged_in_finds_the_way_out_on_every_page() -> None:
    browser = player(House())
    for path in ("/", "/account/", "/history/", "/accounts/password/change/"):
        page = browser.get(path, follow=True)
        assert page.status_code == 200, path
        assert 'action="/accounts/logout/"' in page.content.decode(), path


# ── Logs ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def lines() -> Any:
    """What a process of a real house writes on standard error, from now on."""
    written = io.StringIO()
    config = logging_config(level="INFO", as_json=True)
    config["handlers"]["stderr"]["stream"] = written
    logging.config.dictConfig(config)
    yield lambda: written.getvalue().removesuffix("\n").split("\n")
    logging.config.dictConfig(settings.LOGGING)
    logging_config(level=settings.LOG_LEVEL, as_json=settings.LOG_FORMAT == "json")


def test_a_line_of_the_log_is_one_object_with_a_time_in_utc(lines: Any) -> None:
    structlog.get_logger("tests.leaks").warning("somebody came", player=7)
    logging.getLogger("tests.leaks").info("somebody %s", "went")
    first, second = map(json.loads, lines())
    assert (first["event"], first["player"], first["level"], first["logger"]) == (
        "somebody came", 7, "warning", "tests.leaks",
    )  # fmt: skip
    assert (second["event"], second["level"]) == ("somebody went", "info")
    for line in (first, second):
        assert datetime.fromisoformat(line["timestamp"]).utcoffset() == timedelta(0)


@pytest.mark.parametrize("text", ['a\n{"event": "forged"}', "a\r\nb", "a\x1b[2Jb", "a\u2028b"])
def test_nobody_writes_a_line_of_their_own_into_the_log(lines: Any, text: str) -> None:
    structlog.get_logger("tests.leaks").warning("somebody came", name=text)
    logging.getLogger("tests.leaks").warning("said %s", text)
    assert len(lines()) == len([line for line in lines() if json.loads(line)["event"] != "forged"]) == 2
