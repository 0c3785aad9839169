"""How much an alert matters: what cannot wait, what somebody should look at, what is good to know."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from tables.games.contract.actions import VoidReason
from tables.models import Alert

Kind = Alert.Kind


class Severity(StrEnum):
    """The colour of an alert, the gravest first."""

    URGENT = "urgent"
    """Somebody must act now: play stands still, or somebody may be cheating."""
    ATTENTION = "attention"
    """Somebody should look at it soon."""
    INFORMATION = "information"
    """Good to know: nothing is to be done."""


ORDER = tuple(Severity)

SEVERITIES: Mapping[Kind, Severity] = {
    Kind.VOIDED: Severity.INFORMATION,
    Kind.CROWDED: Severity.ATTENTION,
    Kind.SILENT: Severity.URGENT,
    Kind.LOW: Severity.ATTENTION,
    Kind.JACKPOT: Severity.INFORMATION,
    Kind.LIMIT: Severity.INFORMATION,
    Kind.HOLD: Severity.ATTENTION,
    Kind.KIOSK_TWICE: Severity.URGENT,
    Kind.KIOSK_SILENT: Severity.ATTENTION,
    Kind.SPRAYING: Severity.URGENT,
    Kind.CODES: Severity.URGENT,
    Kind.REQUEST: Severity.ATTENTION,
    Kind.COMP: Severity.INFORMATION,
    Kind.STAFF: Severity.INFORMATION,
    Kind.HALTED: Severity.ATTENTION,
    Kind.VOIDS: Severity.URGENT,
    Kind.SHARED: Severity.ATTENTION,
    Kind.EDITION: Severity.INFORMATION,
    Kind.REVIEW: Severity.ATTENTION,
    Kind.CHANCE: Severity.URGENT,
    Kind.FROZEN: Severity.URGENT,
    Kind.BIG_BET: Severity.ATTENTION,
    Kind.BIG_WIN: Severity.ATTENTION,
    Kind.REPORT: Severity.ATTENTION,
    Kind.MISFIT: Severity.URGENT,
    Kind.UNFIT: Severity.URGENT,
    Kind.BOOKS: Severity.URGENT,
    Kind.UNAUDITED: Severity.ATTENTION,
    Kind.WATCHED: Severity.URGENT,
    Kind.DIFFERS: Severity.ATTENTION,
}
"""What each kind of alert is, unless it says otherwise itself."""


def severity_of(alert: Alert) -> Severity:
    """How much this alert matters. A void that the house did not mean is urgent; one that the pit ruled is not."""
    if alert.kind == Kind.VOIDED and alert.about.get("why") in (VoidReason.ERROR, VoidReason.LOST_THROW):
        return Severity.URGENT
    return SEVERITIES[Kind(alert.kind)]
