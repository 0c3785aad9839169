"""What nobody may know yet, as the dealers' key shows it; and what whoever reads the database sees. For the clerk."""

from __future__ import annotations

from typing import Any

from allauth.mfa.totp.internal import auth as codes
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import connection

from tables.base.browser_sessions import SessionStore
from tables.base.chance import Vault, places_dealt
from tables.base.clock import DATABASE_CLOCK
from tables.models import Player, RoundLog, SealedThrow, Shoe
from tables.services.dealing.shoes import label_of, opened_pack
from tables.services.dealing.throws import label_of_throw, opened_throw
from tables.services.pit import sessions
from tables.services.players import play_time

NEWEST = 30
"""Packs and throws that are looked at: the last ones, of which those that are not opened stay secret."""

ROWS = 1_500
"""Rows of each table of the database that are read: the newest."""


def secrets(window: int) -> dict[str, Any]:
    """Everything that must occur nowhere now: as hexadecimal digits, each with what it is; and so many cards in a row,
    in the order in which they will leave the shoe."""
    vault = Vault(settings.SHOE_KEY)
    digits: dict[str, str] = {}
    windows: list[list[str]] = []
    for shoe in Shoe.objects.select_related("seed").order_by("-pk")[:NEWEST]:
        opened = shoe.opened or {}
        if shoe.seed is None or "seed" in opened:
            continue
        name = f"shoe {shoe.pk}"
        digits[vault.open_seed(label_of(shoe), shoe.seed.sealed)] = f"the seed of {name}"
        pack, cut = opened_pack(shoe, vault), shoe.cut or 0
        dealt = set(places_dealt(shoe.decks, cut, shoe.dealt))
        for place in range(1, shoe.decks * 52 + 1):
            if place not in dealt:
                digits[pack.salt_of(place)] = f"the salt of place {place} of {name}"
        coming = [str(card) for card in pack.dealt_order(cut)][shoe.dealt :]
        windows += [coming[at : at + window] for at in range(len(coming) - window + 1)]
    for throw in SealedThrow.objects.filter(opened__isnull=True).order_by("-pk")[:NEWEST]:
        digits[vault.open_seed(label_of_throw(throw), throw.sealed)] = f"the seed of throw {throw.pk}"
        digits[opened_throw(throw, vault).salt] = f"the salt of throw {throw.pk}"
    return {"digits": digits, "windows": windows}


def places() -> dict[str, Any]:
    """Numbers that stand in addresses: the newest rounds, shoes and throws."""
    rounds = list(RoundLog.objects.order_by("-pk").values_list("pk", flat=True)[:4])
    shoes = list(Shoe.objects.order_by("-pk").values_list("pk", flat=True)[:4])
    thrown = list(SealedThrow.objects.order_by("-pk").values_list("log_id", flat=True)[:2])
    return {"rounds": rounds, "shoes": shoes, "thrown": thrown}


def dump() -> str:
    """The newest rows of every table, as a dump has them."""
    told = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            query = f'COPY (SELECT * FROM "{table}" ORDER BY 1 DESC LIMIT {ROWS}) TO STDOUT'  # noqa: S608
            with cursor.copy(query) as copy:
                told += [bytes(piece).decode(errors="replace") for piece in copy]
    return "".join(told)


def staff(roles: list[str]) -> dict[str, str]:
    """A member of the staff of each role, with an open login: their cookies."""
    cookies = {}
    for role in roles:
        player = Player(username=f"chaos-{role}", name=f"chaos-{role}", role=role)
        player.set_unusable_password()
        player.save()
        codes.TOTP.activate(player, codes.generate_totp_secret())
        session = SessionStore()
        session[SESSION_KEY] = str(player.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = player.get_session_auth_hash()
        play_time.seen([player.pk], DATABASE_CLOCK.now())
        session.save()
        sessions.prove(session, player, DATABASE_CLOCK.now())
        session.save()
        cookies[role] = f"{settings.SESSION_COOKIE_NAME}={session.session_key}"
    return cookies
