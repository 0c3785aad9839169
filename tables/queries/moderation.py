"""What players have reported of the chat: each line with those around it, by whom and why, and what became of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from tables.models import Alert, ChatLine, Report

AROUND = 5
"""So many lines before and after a reported one are shown, as long as they are kept."""

LAST = 20
"""So many lines of which note was taken are told."""

MOST_WAITING = 50


@dataclass(frozen=True, slots=True)
class Reported:
    """A reported line: its alert, which is open until somebody has looked at it; all who reported it; and what was said
    around it, oldest first, the line itself among it. Nothing of that once the chat is forgotten."""

    alert: Alert
    reports: Sequence[Report]
    around: Sequence[ChatLine]

    @property
    def first(self) -> Report:
        """The line as it was said: all reports of it say the same."""
        return self.reports[0]


def waiting() -> list[Reported]:
    """What nobody has looked at yet, oldest first."""
    open_ = Alert.objects.filter(kind=Alert.Kind.REPORT, acknowledged_at=None).order_by("at", "pk")
    return _reported(list(open_.select_related("table")[:MOST_WAITING]), with_lines=True)


def done() -> list[Reported]:
    """What somebody has looked at, the latest first."""
    seen = Alert.objects.filter(kind=Alert.Kind.REPORT, acknowledged_at__isnull=False)
    latest = seen.select_related("table", "acknowledged_by").order_by("-acknowledged_at", "-pk")[:LAST]
    return _reported(list(latest), with_lines=False)


def _reported(alerts: Sequence[Alert], *, with_lines: bool) -> list[Reported]:
    lines = {alert.pk: int(alert.key.rpartition(":")[2]) for alert in alerts}
    reports: defaultdict[int, list[Report]] = defaultdict(list)
    for one in Report.objects.filter(line__in=lines.values()).select_related("by", "about", "table").order_by("pk"):
        reports[one.line].append(one)
    around = _around(lines.values()) if with_lines else {}
    return [
        Reported(alert, reports[lines[alert.pk]], around.get(lines[alert.pk], ()))
        for alert in alerts
        if reports[lines[alert.pk]]
    ]


def _around(ids: Iterable[int]) -> Mapping[int, list[ChatLine]]:
    """The lines around each of these that is still kept, by its id."""
    found = list(ChatLine.objects.filter(pk__in=list(ids)))
    if not found:
        return {}
    near = Q(pk__in=())
    for line in found:
        near |= Q(table=line.table_id, number__gte=line.number - AROUND, number__lte=line.number + AROUND)
    lines = list(ChatLine.objects.filter(near).order_by("table", "number"))
    return {
        one.pk: [line for line in lines if line.table_id == one.table_id and abs(line.number - one.number) <= AROUND]
        for one in found
    }
