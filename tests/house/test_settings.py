"""Settings as an operator gives them: a process of its own is started with each environment."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from casino.addresses import is_loopback
from casino.settings import BASE_DIR
from tests.extent import first

SHOW = (
    "import json; from django.conf import settings as s; s.DEBUG; print(json.dumps({n: getattr(s, n) for n in NAMES}))"
)


def started(folder: Path, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Python with the house's settings, in this environment and nothing else."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    house = {"DJANGO_SETTINGS_MODULE": "casino.settings", "VAR_DIR": str(folder)}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=BASE_DIR,
        env=kept | house | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def migrated_folder(tmp_path: Path, migrated: Path | None) -> Path:
    """A folder in which the database has been made, where that could be done beforehand."""
    if migrated is not None:
        shutil.copy(migrated, tmp_path / "floor.sqlite3")
    return tmp_path


def shown(folder: Path, *names: str, **environment: str) -> dict[str, object]:
    done = started(folder, SHOW.replace("NAMES", repr(names)), **environment)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def refused(folder: Path, **environment: str) -> str:
    """The last line in which it says why it does not start."""
    done = started(folder, SHOW.replace("NAMES", "()"), **environment)
    assert done.returncode != 0
    return done.stderr.strip().splitlines()[-1]


REAL = {
    "DATABASE_URL": "postgresql://floor@db:5432/floor",
    "SECRET_KEY": "k" * 50,
    "REDIS_URL": "redis://floor@redis:6379/0",
}


# ── Secrets ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_secrets_may_come_in_files(tmp_path: Path) -> None:
    given = {
        "SECRET_KEY": "a" * 50,
        "DATABASE_PASSWORD": "data:b@se/",
        "REDIS_PASSWORD": "re;dis",
        "METRICS_TOKEN": "m",
    }
    for name, value in given.items():
        (tmp_path / name).write_text(f"{value}\n")
    files = {f"{name}_FILE": str(tmp_path / name) for name in given}
    addresses = {name: url for name, url in REAL.items() if name != "SECRET_KEY"}
    found = shown(tmp_path, "SECRET_KEY", "REDIS_URL", "DATABASES", "METRICS_TOKEN", **addresses, **files)
    assert (found["SECRET_KEY"], found["METRICS_TOKEN"]) == ("a" * 50, "m")
    assert found["REDIS_URL"] == "redis://floor:re%3Bdis@redis:6379/0"
    database = found["DATABASES"]["default"]  # type: ignore[index]
    assert (database["USER"], database["PASSWORD"], database["HOST"]) == ("floor", "data:b@se/", "db")


def test_a_secret_is_given_once(tmp_path: Path) -> None:
    assert "not both" in refused(tmp_path, SECRET_KEY="a", SECRET_KEY_FILE=os.devnull)
    assert "has a password already" in refused(
        tmp_path, **(REAL | {"DATABASE_URL": "postgresql://a:b@db/floor"}), DATABASE_PASSWORD="c"
    )


def test_a_file_of_a_secret_that_is_not_there_is_said(tmp_path: Path) -> None:
    assert f"SECRET_KEY_FILE names {tmp_path}/none" in refused(tmp_path, SECRET_KEY_FILE=f"{tmp_path}/none")


# ── The site ────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_embedded_default_is_found_on_this_machine(tmp_path: Path) -> None:
    assert shown(tmp_path, "SITE", PORT="8123")["SITE"] == "http://localhost:8123"


def test_the_name_in_the_site_is_allowed(tmp_path: Path) -> None:
    found = shown(tmp_path, "SITE", "ALLOWED_HOSTS", **REAL, SITE="https://floor.example", HTTPS="1")
    assert found["SITE"] == "https://floor.example"
    assert "floor.example" in found["ALLOWED_HOSTS"]  # type: ignore[operator]


def test_a_house_that_sends_letters_must_know_where_it_is(tmp_path: Path) -> None:
    assert "SITE is demanded" in refused(tmp_path, **REAL, EMAIL_URL="smtp://mail:25")
    assert "https" in refused(tmp_path, **REAL, SITE="http://floor.example", HTTPS="1")


# ── Cookies ─────────────────────────────────────────────────────────────────────────────────────────────────

COOKIES = ("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "LANGUAGE_COOKIE_NAME")

ASKED = """
import django; django.setup()
from django.test import Client
from django.core.management import call_command
from tables.services.kiosk import screen_sessions
from casino.cookies import Messages
call_command("migrate", verbosity=0)
ours = {"x-forwarded-proto": "https", "origin": "https://localhost", "x-kiosk": "1", "host": "localhost"}
browser = Client(headers=ours)
answers = [browser.get("/accounts/login/"), browser.post("/language/", {"language": "pt"}), browser.post("/guest/"),
    browser.post("/kiosk/begin/", '{"screen": "0123456789abcdef", "last_use": null}', content_type="application/json"),
    browser.post("/accounts/logout/")]
for answer in answers:
    for cookie in answer.cookies.values():
        print(answer.status_code, cookie.key, cookie["path"], cookie["domain"] or "-", bool(cookie["secure"]))
print(0, screen_sessions.TOKEN, "/", "-", True)
"""


@pytest.mark.in_full
def test_with_https_every_cookie_is_of_this_very_host(migrated_folder: Path, valkey: None) -> None:
    """A browser takes such a name only over https, without a domain and for all paths: no sibling can plant one."""
    done = started(migrated_folder, ASKED, HTTPS="1", PROXIES="1", LOG_LEVEL="ERROR", REDIS_URL=settings.REDIS_URL)
    assert done.returncode == 0, done.stderr
    found = [line.split() for line in done.stdout.splitlines()]
    names = {name for _, name, *_ in found}
    assert names >= {
        "__Host-sessionid",
        "__Host-csrftoken",
        "__Host-django_language",
        "__Host-kiosk",
        "__Host-messages",
    }
    assert all(name.startswith("__Host-") and rest == ["/", "-", "True"] for _, name, *rest in found), found


def test_without_https_no_browser_would_take_such_names(tmp_path: Path) -> None:
    assert list(shown(tmp_path, *COOKIES).values()) == ["sessionid", "csrftoken", "django_language"]


# ── Files ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("before", [None, 0o644])
def test_the_database_is_for_its_owner_alone_in_whatever_folder(tmp_path: Path, before: int | None) -> None:
    """Its journals get the mode of the file."""
    file = tmp_path / "floor.sqlite3"
    if before is not None:
        file.touch(before)
    tmp_path.chmod(0o755)
    shown(tmp_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600


# ── A demonstration house ───────────────────────────────────────────────────────────────────────────────────

PREPARE = (
    "import sys; from django.core.management import execute_from_command_line as run; run(['manage.py', *sys.argv[1:]])"
)


@pytest.mark.parametrize(("host", "wanted", "staff"), first(("0.0.0.0", "", False), ("0.0.0.0", "1", True)))
@pytest.mark.in_full
def test_where_others_can_come_in_a_demonstration_house_has_staff_only_if_that_is_said(
    migrated_folder: Path, valkey: None, host: str, wanted: str, staff: bool
) -> None:
    """A container without DATABASE_URL is one, and its log has the passwords in it."""
    code = f"import sys; sys.argv[1:] = ['floor', '--prepare', '--host', '{host}']; {PREPARE}"
    done = started(migrated_folder, code, REDIS_URL=settings.REDIS_URL, **({"DEMO_STAFF": wanted} if wanted else {}))
    assert done.returncode == 0, done.stderr
    assert ("pit-boss" in done.stdout) is staff
    assert ("this is a demonstration house" in done.stdout) is not staff
    assert (migrated_folder / "demo-staff").exists() is staff


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "localhost"])
def test_only_this_machine_reaches_a_loopback(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "floor.example", ""])
def test_anything_else_may_be_reached_by_others(host: str) -> None:
    assert not is_loopback(host)


WAITS = """
import sys
sys.argv = ["manage.py", COMMAND]
import django
django.setup()
from django.db import connection
def told(name):
    with connection.cursor() as cursor:
        cursor.execute("SHOW " + name)
        return cursor.fetchone()[0]
NAMES = ("idle_in_transaction_session_timeout", "lock_timeout", "statement_timeout")
print(*map(told, NAMES))
connection.connection._pool.close()
"""


@pytest.mark.postgresql
def test_nobody_waits_without_end_for_a_process_that_players_wait_for(tmp_path: Path) -> None:
    """The server ends what a frozen process holds before those who wait for it give up; an operator's command takes
    the time that it needs."""
    url = os.environ["DATABASE_URL"]
    keys = dict.fromkeys(("SECRET_KEY", "SHOE_KEY"), "x" * 50)
    for command, expected in (("deal", "4s 5s 30s"), ("floor", "4s 5s 30s"), ("audit", "0 0 0")):
        done = started(tmp_path, WAITS.replace("COMMAND", repr(command)), DATABASE_URL=url, **keys)
        assert done.stdout.strip() == expected, done.stderr
