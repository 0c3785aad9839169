"""Who audits the house while it deals: one process at a time, by lease."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.models import AuditorLease


def take(owner: str, ttl: timedelta, *, clock: Clock = DATABASE_CLOCK) -> bool:
    """Become, or stay, the one that audits, for so long. False if another does."""
    with unit_of_work():
        now = clock.now()
        AuditorLease.objects.get_or_create(pk=1)
        free = AuditorLease.objects.filter(Q(owner=owner) | Q(expires_at=None) | Q(expires_at__lte=now), pk=1)
        return free.update(owner=owner, expires_at=now + ttl) == 1


def looked(owner: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """A look of this process has ended."""
    with unit_of_work():
        AuditorLease.objects.filter(pk=1, owner=owner).update(looked_at=clock.now())


def release(owner: str) -> None:
    """Another may audit at once."""
    with unit_of_work():
        AuditorLease.objects.filter(pk=1, owner=owner).update(owner="", expires_at=None)


def last_look() -> datetime | None:
    """When a look has ended last; None if the house was never audited so."""
    return AuditorLease.objects.filter(pk=1).values_list("looked_at", flat=True).first()
