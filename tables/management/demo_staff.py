"""The staff of the demonstration floor: five accounts of the embedded default, made up at random on this machine.

Their passwords and what makes their codes lie in `VAR_DIR`, readable for its owner alone, so that every `make run` can
say them again. A real house has none of this.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as codes
from django.conf import settings
from django.utils.crypto import get_random_string

from casino.keys import kept
from tables.base.transactions import unit_of_work
from tables.models import Player, Role
from tables.services.journal.events import DEMONSTRATION
from tables.services.pit import staff
from tables.services.players import names

MEMBERS = {
    "pit-boss": Role.PIT_BOSS,
    "shift-manager": Role.SHIFT_MANAGER,
    "duty-manager": Role.SHIFT_MANAGER,
    "surveillance": Role.SURVEILLANCE,
    "cage": Role.CAGE,
}
"""Username -> role. Much needs a second shift manager. The house appoints all of them, so each is a second person for
the others at once."""

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""None that can be taken for another."""


@dataclass(frozen=True, slots=True)
class Access:
    """With what somebody of the demonstration staff logs in."""

    password: str
    secret: str


def path() -> Path:
    """Where it is kept."""
    return Path(settings.VAR_DIR) / "demo-staff"


def prepare() -> dict[str, Access]:
    """Make sure that the accounts exist. Returns how to log in to each of them.

    An account that somebody else has under such a name is left alone. If what was kept is gone, all get new ones. What
    was kept before one of them was known is added to.
    """
    fresh = not path().exists()
    known = json.loads(kept(path(), _made_up))
    if missing := MEMBERS.keys() - known.keys():
        made = json.loads(_made_up())
        known |= {name: made[name] for name in MEMBERS if name in missing}
        path().unlink()
        known = json.loads(kept(path(), lambda: json.dumps(known)))
    access = {name: Access(**each) for name, each in known.items()}
    ready = {}
    for name, role in MEMBERS.items():
        with unit_of_work():
            member, new = Player.objects.get_or_create(username=name, defaults={"name": name})
            if new or (fresh and member.role):
                member.set_password(access[name].password)
                member.save(update_fields=["password"])
                Authenticator.objects.filter(user=member).delete()
                codes.TOTP.activate(member, access[name].secret)
            if new:
                names.claim(member)
                staff.appoint(None, member, role, DEMONSTRATION, alert=False)
        if new or member.role:
            ready[name] = access[name]
    return ready


def _made_up() -> str:
    return json.dumps({name: asdict(Access(_password(), codes.generate_totp_secret())) for name in MEMBERS})


def _password() -> str:
    return "-".join(get_random_string(5, LETTERS) for _ in range(3))
