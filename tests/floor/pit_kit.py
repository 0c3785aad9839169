"""Staff in a test: members of each role, and their browsers."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as codes
from allauth.mfa.utils import decrypt
from django.test import Client

from tables.base.browser_sessions import SessionStore
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right, may
from tables.models import ApprovalRequest, Player, Role
from tables.services.pit import sessions

ROLES = tuple(Role.values)
SECRET = "MACAUFLOORMACAUFLOORMACAUFLOORMA"
"""Of the second factor of everybody here; any 32 letters of base 32."""


def member(role: str, name: str = "") -> Player:
    """Somebody of the staff with this role (a name of their own for the second of a role)."""
    name = name or f"{role}-one"
    return Player.objects.create(username=name, name=name, role=role)


def browser_of(player: Player) -> Client:
    """A browser in which this person is logged in; a member of the staff with their second factor, a moment ago."""
    client = logged_in(player)
    if player.role:
        has_factor(player)
        session = store_of(client)
        sessions.prove(session, player, DATABASE_CLOCK.now())
    return client


def like(browser: Client) -> Client:
    """A browser with the same cookies, so with the same login."""
    other = Client()
    other.cookies = deepcopy(browser.cookies)
    return other


def store_of(client: Client) -> SessionStore:
    """What the house keeps of this browser."""
    assert isinstance(client.session, SessionStore)
    return client.session


def logged_in(player: Player) -> Client:
    """A browser in which this person is logged in with their password alone."""
    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    return client


def has_factor(player: Player) -> None:
    """They have set up their second factor, if they had not yet."""
    if not sessions.has_second_factor(player):
        codes.TOTP.activate(player, SECRET)


def code_of(player: Player) -> str:
    """The code that their app shows now; if that is used up, the next, which is good already."""
    data = Authenticator.objects.get(user=player, type=Authenticator.Type.TOTP).data
    _, now, _ = codes.yield_hotp_counters_from_time()
    return str(codes.format_hotp_value(codes.hotp_value(decrypt(data["secret"]), max(now, data.get("last", -1) + 1))))


def browser(role: str) -> Client:
    """The browser of somebody with this role."""
    return browser_of(member(role))


def those_who_may(right: Right) -> set[str]:
    """The roles that have this right."""
    return {role for role in ROLES if may(Player(role=role), right)}


def fresh_code_of(player: Player) -> str:
    """A code that nobody has used yet, of a new app of this member: however many they, or those who had their number
    in another test, have shown in the last half minute."""
    Authenticator.objects.filter(user=player).delete()
    codes.TOTP.activate(player, codes.generate_totp_secret())
    return code_of(player)


def approve(player: Player, address: str = "") -> Any:
    """This member approves the newest request that waits (or what has this address), with a fresh code: the page that
    they come to."""
    if not address:
        waiting = ApprovalRequest.objects.filter(state=ApprovalRequest.State.WAITING).latest("pk")
        address = f"/pit/approvals/{waiting.pk}/approve/"
    code = fresh_code_of(player)
    return browser_of(player).post(address, {"code": code}, follow=True)
