"""`{% load alerts %}`: the bar and the alerts of every page of the pit: what is open, and what somebody must see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import template
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right, may
from tables.felt.shared.fragments import live_fragment
from tables.games.values.words import Words
from tables.models import Adjustment, Alert, ApprovalRequest, ChipOrder, Player, Report
from tables.queries.reviews import open_reviews, unanswered_reviews
from tables.services.journal import alerts
from tables.services.journal.alert_words import REPORTED
from tables.services.journal.severity import ORDER, Severity, severity_of

register = template.Library()

_CHIPS = ChipOrder.objects.filter(state=ChipOrder.State.REQUESTED)
_ADJUSTMENTS = Adjustment.objects.filter(state=Adjustment.State.REQUESTED)
_REQUESTS = ApprovalRequest.objects.filter(state=ApprovalRequest.State.WAITING)

OPEN: Mapping[str, tuple[QuerySet[Any], ...]] = {
    "alerts": (Alert.objects.filter(acknowledged_at=None),),
    "chips": (_CHIPS,),
    "approvals": (_REQUESTS, _CHIPS, _ADJUSTMENTS, unanswered_reviews()),
    "reviews": (open_reviews(),),
    "adjustments": (_ADJUSTMENTS,),
}
"""What is counted, each beside the name of its place: what nobody has acknowledged, or the pit must decide."""

MOST_SHOWN = 200
"""So many alerts are shown at once, the newest of them; the number beside the floor counts all."""


@dataclass(frozen=True, slots=True)
class ShownAlert:
    """An alert in words: of what kind, how much it matters, and what it says."""

    alert: Alert
    kind: Words
    severity: Severity
    words: Words

    @property
    def kiosk(self) -> int | None:
        """The kiosk that it is about, if it is about one."""
        return alerts.kiosk_of(self.alert)

    @property
    def resolved(self) -> bool:
        """Whether what it is about is over."""
        return self.alert.resolved_at is not None


@dataclass(frozen=True, slots=True)
class AlertGroup:
    """Open alerts of one kind that matter as much, newest first: one stall of the house is one group."""

    severity: Severity
    kind: Words
    alerts: Sequence[ShownAlert]

    @property
    def newest(self) -> datetime:
        """When the newest was raised."""
        return self.alerts[0].alert.at

    @property
    def ids(self) -> str:
        """The ids of the alerts, for a form."""
        return ",".join(str(one.alert.pk) for one in self.alerts)

    @property
    def places(self) -> list[str]:
        """The tables and kiosks that they are about, each once."""
        found = (str(one.alert.table or one.alert.about.get("kiosk", "")) for one in self.alerts)
        return [name for name in dict.fromkeys(found) if name]

    @property
    def resolved(self) -> bool:
        """Whether what all of them are about is over."""
        return all(one.resolved for one in self.alerts)


def open_alerts() -> list[ShownAlert]:
    """What nobody has acknowledged yet, newest first."""
    return [
        ShownAlert(alert, alerts.KINDS[alert.kind], severity_of(alert), alerts.words_of(alert))
        for alert in alerts.open_alerts()
    ]


def grouped(shown: Iterable[ShownAlert]) -> list[AlertGroup]:
    """Alerts by what they are, the gravest first, and of those the newest."""
    found: dict[tuple[Severity, str], list[ShownAlert]] = {}
    for one in shown:
        found.setdefault((one.severity, one.alert.kind), []).append(one)
    groups = [AlertGroup(severity, some[0].kind, some) for (severity, _), some in found.items()]
    groups.sort(key=lambda group: group.newest, reverse=True)
    return sorted(groups, key=lambda group: (group.resolved, ORDER.index(group.severity)))


def alerts_part(*, acknowledges: bool) -> str:
    """All open alerts, with the buttons of whoever acknowledges them."""
    shown = open_alerts()
    context = {
        "groups": grouped(shown[:MOST_SHOWN]),
        "number": len(shown),
        "ids": ",".join(str(one.alert.pk) for one in shown[:MOST_SHOWN]),
        "urgent": sum(one.severity is Severity.URGENT and not one.resolved for one in shown),
        "acknowledges": acknowledges,
    }
    return render_to_string("pit/_alerts.html", context)


ON_WALLS = frozenset(
    {
        Alert.Kind.VOIDED, Alert.Kind.CROWDED, Alert.Kind.SILENT, Alert.Kind.LOW, Alert.Kind.JACKPOT, Alert.Kind.LIMIT,
        Alert.Kind.HOLD, Alert.Kind.KIOSK_TWICE, Alert.Kind.KIOSK_SILENT, Alert.Kind.REQUEST, Alert.Kind.HALTED,
        Alert.Kind.VOIDS, Alert.Kind.EDITION, Alert.Kind.REVIEW, Alert.Kind.CHANCE, Alert.Kind.FROZEN,
        Alert.Kind.BIG_BET, Alert.Kind.BIG_WIN, Alert.Kind.MISFIT, Alert.Kind.UNFIT, Alert.Kind.BOOKS,
        Alert.Kind.UNAUDITED, Alert.Kind.DIFFERS,
    }
)  # fmt: skip
"""The kinds of alerts that a wallboard shows, of each that it is so, where and since when. Those about somebody (a
watched player, a reported line, the staff, a comp, logins) are for members who are logged in."""


def on_walls(shown: ShownAlert) -> bool:
    """Whether a wallboard shows it."""
    return shown.alert.kind in ON_WALLS


def wall_alerts() -> str:
    """The open alerts for a wallboard."""
    groups = grouped(one for one in open_alerts() if on_walls(one))
    return render_to_string("kiosk/_wall_alerts.html", {"groups": groups})


def bar(*, acknowledges: bool) -> dict[str, str]:
    """What every page of the pit shows and hears: how much is open, and the alerts. Fragment id -> HTML, in the active
    language."""
    return {
        **{f"pit-count-{what}": open_count(what) for what in OPEN},
        "pit-alerts": alerts_part(acknowledges=acknowledges),
    }


@register.simple_tag
def open_count(what: str) -> str:
    """How much of this is open."""
    return render_to_string("pit/_count.html", {"what": what, "open": sum(each.count() for each in OPEN[what])})


@register.simple_tag
def pit_alerts(user: Player) -> SafeString:
    """The open alerts, as this member of the staff sees them."""
    return mark_safe(alerts_part(acknowledges=may(user, Right.ACKNOWLEDGE)))


@register.filter
def reported_because(report: Report) -> Words:
    """Why a line of the chat was reported."""
    return REPORTED[Report.Reason(report.reason)]


@register.simple_tag
def reported_lines() -> int:
    """How many reported lines of the chat nobody has looked at yet."""
    return Alert.objects.filter(kind=Alert.Kind.REPORT, acknowledged_at=None).count()


@register.filter
def acts(user: Player) -> bool:
    """Whether this member of the staff acknowledges alerts or freezes rounds."""
    return may(user, Right.ACKNOWLEDGE) or may(user, Right.RULE)


@register.simple_tag
def pit_live() -> SafeString:
    """The house's time and the version of the page, for the scripts."""
    return mark_safe(live_fragment("*", "pit", int(DATABASE_CLOCK.now().timestamp() * 1000)))
