"""Logins from before keys were hashed go on, and nothing is left that a cookie could be made of."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import connection
from django.test import Client

from tables.base.browser_sessions import SessionStore
from tables.base.clock import DATABASE_CLOCK
from tables.models import BrowserSession, Player, TakenName

sessions = import_module("tables.migrations.0006_sessions")
names = import_module("tables.migrations.0007_names")


@pytest.mark.django_db(transaction=True)
def test_whoever_was_logged_in_stays_so() -> None:
    ana = Player.objects.create(username="ana", name="Ana", role="cage")
    data = {
        SESSION_KEY: str(ana.pk),
        BACKEND_SESSION_KEY: "django.contrib.auth.backends.ModelBackend",
        HASH_SESSION_KEY: ana.get_session_auth_hash(),
    }
    rows = [
        ("a" * 32, SessionStore().encode(data), timedelta(days=1)),
        ("b" * 32, SessionStore().encode(data), timedelta(days=-1)),
        ("c" * 32, SessionStore().encode({**data, SESSION_KEY: "999999"}), timedelta(days=1)),
        ("d" * 32, SessionStore().encode({"kiosk": {"id": 1, "use": 2}}), timedelta(days=1)),
    ]
    with connection.cursor() as cursor:
        time = "timestamptz" if connection.vendor == "postgresql" else "datetime"
        columns = f"session_key varchar(40) PRIMARY KEY, session_data text, expire_date {time}"
        cursor.execute(f"CREATE TABLE {sessions.BEFORE} ({columns})")
        for key, said, left in rows:
            until = connection.ops.adapt_datetimefield_value(DATABASE_CLOCK.now() + left)
            cursor.execute(f"INSERT INTO {sessions.BEFORE} VALUES (%s, %s, %s)", [key, said, until])  # noqa: S608
    with connection.schema_editor() as editor:
        sessions.move(apps, editor)
    assert sessions.BEFORE not in connection.introspection.table_names()
    assert sorted(BrowserSession.objects.values_list("player", flat=True), key=str) == [ana.pk, None]
    browser = Client()
    browser.cookies["sessionid"] = "a" * 32
    assert browser.get("/account/").status_code == 200
    for key in "bc":
        browser.cookies["sessionid"] = key * 32
        assert browser.get("/account/").status_code == 302


@pytest.mark.django_db
def test_of_two_who_look_alike_the_older_keeps_the_name() -> None:
    older = Player.objects.create(username="first", name="Carmo")
    younger = Player.objects.create(username="second", name="Carrno")
    Player.objects.create(username="guest-7", name="guest-7", guest=True)
    names.take(apps, None)
    assert TakenName.objects.get(skeleton="carmo").player == older
    assert TakenName.objects.filter(player=younger).exists(), "the user name is another"
    assert not TakenName.objects.filter(skeleton="guest7").exists()
