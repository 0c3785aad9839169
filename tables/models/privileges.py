"""What each role of the database may do with each table, on PostgreSQL: no more than its processes need.

`owner` makes the tables and changes them (migrations); nobody serves or deals as the owner. `web` serves pages and
sockets: it takes bets and the pit's deeds, and cannot make a pack or a throw. `dealer` deals. `audit` reads. What is
insert-only for the triggers (`guards`, `seals`) is insert-only by right as well, for everybody but the owner. `auditor`
reads what `audit` reads, and stops a table.
`manage.py roles` makes the roles and grants this; a test finds a table that is missing here.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class DatabaseRole(StrEnum):
    """Who may log in to the database, beside its owner."""

    WEB = "web"
    DEALER = "dealer"
    AUDIT = "audit"
    AUDITOR = "auditor"


READ = "SELECT"
WRITE_ONCE = "SELECT, INSERT"
KEEP = "SELECT, INSERT, UPDATE"
ALL = "SELECT, INSERT, UPDATE, DELETE"

_HEAD = (
    "version, phase, wait, wait_began_at, due_at, settled_at, void, result, turned, held_until, frozen_at, "
    "peeled, peeled_at, refused_at"
)
"""What changes of a round while it is played; what it was opened with does not."""

_DECIDED = "state, decided_by_id, decided_at"
_RULED = "outcome, answer, decided_by_id, decided_as, decided_at"

_READ_BY_AUDITS: Mapping[str, str] = {
    "django_migrations": READ,
    "tables_account": READ,
    "tables_adjustment": READ,
    "tables_alert": READ,
    "tables_archive": READ,
    "tables_approvalrequest": READ,
    "tables_authorisation": READ,
    "tables_chanceday": READ,
    "tables_chatline": READ,
    "tables_chiporder": READ,
    "tables_departure": READ,
    "tables_enrolleddealer": READ,
    "tables_event": READ,
    "tables_eventhead": READ,
    "tables_halt": READ,
    "tables_jackpot": READ,
    "tables_lease": READ,
    "tables_loggedaction": READ,
    "tables_optionchange": READ,
    "tables_packseed": READ,
    "tables_played": READ,
    "tables_player": "SELECT (id, name, kiosk_id, role)",
    "tables_restriction": READ,
    "tables_revealedlink": READ,
    "tables_review": READ,
    "tables_roundlog": READ,
    "tables_ruling": READ,
    "tables_sealedthrow": READ,
    "tables_seat": READ,
    "tables_shoe": READ,
    "tables_slip": READ,
    "tables_table": READ,
    "tables_tableday": READ,
    "tables_transfer": READ,
}

PRIVILEGES: Mapping[DatabaseRole, Mapping[str, str]] = {
    DatabaseRole.WEB: {
        "account_emailaddress": ALL,
        "account_emailconfirmation": ALL,
        "auth_group": READ,
        "auth_group_permissions": READ,
        "auth_permission": READ,
        "django_admin_log": WRITE_ONCE,
        "django_content_type": READ,
        "django_migrations": READ,
        "mfa_authenticator": ALL,
        "tables_account": "SELECT, INSERT, UPDATE (balance)",
        "tables_adjustment": f"SELECT, INSERT, UPDATE ({_DECIDED})",
        "tables_approvalrequest": f"SELECT, INSERT, UPDATE ({_DECIDED}, decision, told_at)",
        "tables_authorisation": f"SELECT, INSERT, UPDATE ({_DECIDED}, reference)",
        "tables_archive": READ,
        "tables_browsersession": ALL,
        "tables_alert": "SELECT, INSERT, UPDATE (acknowledged_by_id, acknowledged_at, resolved_at)",
        "tables_auditorlease": READ,
        "tables_chanceday": WRITE_ONCE,
        "tables_chatline": WRITE_ONCE,
        "tables_chiporder": f"SELECT, INSERT, UPDATE ({_DECIDED})",
        "tables_departure": ALL,
        "tables_enrolleddealer": READ,
        "tables_event": WRITE_ONCE,
        "tables_eventhead": KEEP,
        "tables_favourite": ALL,
        "tables_floatcount": WRITE_ONCE,
        "tables_halt": "SELECT, INSERT, UPDATE (ended_by_id, approved_by_id, ended_at)",
        "tables_handedcode": ALL,
        "tables_jackpot": KEEP,
        "tables_kiosk": KEEP,
        "tables_kiosk_tables": ALL,
        "tables_kioskvisit": "SELECT, INSERT, UPDATE (ended_at, guides)",
        "tables_lease": WRITE_ONCE,
        "tables_loggedaction": WRITE_ONCE,
        "tables_mute": ALL,
        "tables_offeredlink": ALL,
        "tables_optionchange": KEEP,
        "tables_ownlimit": KEEP,
        "tables_packseed": READ,
        "tables_pairing": ALL,
        "tables_pitnote": WRITE_ONCE,
        "tables_playclock": KEEP,
        "tables_played": WRITE_ONCE,
        "tables_player": KEEP,
        "tables_player_groups": READ,
        "tables_player_user_permissions": READ,
        "tables_refuseddeed": "SELECT, INSERT, UPDATE (answer), DELETE",
        "tables_report": WRITE_ONCE,
        "tables_revealedlink": WRITE_ONCE,
        "tables_restriction": "SELECT, INSERT, UPDATE (lifted_by_id, lifted_at)",
        "tables_review": f"SELECT, INSERT, UPDATE ({_RULED}, taken_by_id, taken_at, adjustment_id, told_at)",
        "tables_roundlog": f"SELECT, UPDATE ({_HEAD})",
        "tables_ruling": WRITE_ONCE,
        "tables_sealedthrow": READ,
        "tables_seat": ALL,
        "tables_shoe": "SELECT, UPDATE (cut)",
        "tables_slip": "SELECT, INSERT, UPDATE (printed)",
        "tables_table": KEEP,
        "tables_tableday": WRITE_ONCE,
        "tables_tableorigin": ALL,
        "tables_takenname": ALL,
        "tables_transfer": WRITE_ONCE,
        "tables_watch": "SELECT, INSERT, UPDATE (ended_by_id, ended_at)",
    },
    DatabaseRole.DEALER: {
        "django_migrations": READ,
        "tables_account": "SELECT, UPDATE (balance)",
        "tables_alert": "SELECT, INSERT, UPDATE (resolved_at)",
        "tables_archive": READ,
        "tables_auditorlease": READ,
        "tables_chanceday": WRITE_ONCE,
        "tables_chatline": "SELECT, DELETE",
        "tables_departure": WRITE_ONCE,
        "tables_enrolleddealer": READ,
        "tables_event": WRITE_ONCE,
        "tables_eventhead": KEEP,
        "tables_jackpot": "SELECT, UPDATE (name)",
        "tables_kiosk": "SELECT, UPDATE (visitor_id)",
        "tables_kiosk_tables": READ,
        "tables_kioskvisit": "SELECT, UPDATE (ended_at)",
        "tables_lease": "SELECT, UPDATE (owner, expires_at, epoch, protocol, dealer_id, signature)",
        "tables_loggedaction": WRITE_ONCE,
        "tables_offeredlink": "SELECT, DELETE",
        "tables_optionchange": "SELECT, UPDATE (state, adopted_at, log_id)",
        "tables_packseed": "SELECT, INSERT, UPDATE (revealed, leaves)",
        "tables_played": WRITE_ONCE,
        "tables_player": "SELECT, UPDATE (is_active)",
        "tables_refuseddeed": "SELECT, DELETE",
        "tables_report": READ,
        "tables_restriction": READ,
        "tables_revealedlink": READ,
        "tables_roundlog": f"SELECT, INSERT, UPDATE ({_HEAD})",
        "tables_ruling": READ,
        "tables_sealedthrow": "SELECT, INSERT, UPDATE (opened)",
        "tables_seat": ALL,
        "tables_shoe": "SELECT, INSERT, UPDATE (cut, white_shown, dealt, retired_at, opened)",
        "tables_table": "SELECT, UPDATE",
        "tables_tableday": WRITE_ONCE,
        "tables_transfer": WRITE_ONCE,
    },
    DatabaseRole.AUDIT: _READ_BY_AUDITS,
    DatabaseRole.AUDITOR: {
        **_READ_BY_AUDITS,
        "tables_alert": WRITE_ONCE,
        "tables_auditorlease": KEEP,
        "tables_event": WRITE_ONCE,
        "tables_eventhead": KEEP,
        "tables_table": "SELECT, UPDATE (paused, version)",
    },
}
"""Role -> table -> what it may do there. What is not named it may not."""
