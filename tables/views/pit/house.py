"""How the house itself does: who deals and who audits, and whether database and Redis answer."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import perf_counter

import django
import redis
from django.conf import settings
from django.db import connection
from django.db.models import Count, Min
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from casino.version import VERSION
from tables.base import metrics
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right
from tables.models import Alert, AuditorLease, Lease, Player, RoundLog
from tables.proof import anchors
from tables.services.journal.backups import last_backup

from .gate import staff_page

ANCHORED_WITHIN = timedelta(minutes=3)
"""Anchors are written every minute."""

AUDITED_WITHIN = timedelta(minutes=2)
"""So long ago the last look of the auditor may have ended."""

BACKED_UP_WITHIN = timedelta(hours=26)
"""A backup is made every day."""

OF_THE_HOUSE = (Alert.Kind.UNFIT, Alert.Kind.BOOKS, Alert.Kind.UNAUDITED, Alert.Kind.SILENT, Alert.Kind.MISFIT)
"""Kinds of alerts that are about the house, not about play."""


@dataclass(frozen=True, slots=True)
class Dealer:
    """A process that deals: its name, under which key it is enrolled, how many tables it holds, and until when all of
    its leases hold at least."""

    name: str
    enrolled: str
    tables: int
    until: datetime
    late: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether something answers, in how many milliseconds, and what it says that it is."""

    milliseconds: float | None
    version: str


@staff_page(Right.WATCH)
def house(request: HttpRequest) -> HttpResponse:
    """Dealers and their leases, auditor, anchors and backups, database and Redis, this process, and open alerts."""
    now = DATABASE_CLOCK.now()
    auditor = AuditorLease.objects.filter(pk=1).first()
    looked = auditor.looked_at if auditor is not None else None
    anchored, backup = _anchored(), last_backup()
    context = {
        "place": "events",
        "dealers": _dealers(now),
        "orphans": Lease.objects.filter(table__open=True, table__attended_until__gt=now).exclude(expires_at__gt=now),
        "auditor": auditor,
        "audit_late": looked is None or now - looked > AUDITED_WITHIN,
        "anchors": anchored is not None,
        "anchored": anchored,
        "anchor_late": anchored is not None and now - anchored > ANCHORED_WITHIN,
        "backup": backup,
        "backup_late": backup is None or now - backup.at > BACKED_UP_WITHIN,
        "database": _timed(_database),
        "redis": _timed(_redis),
        "alerts": Alert.objects.filter(acknowledged_at=None, kind__in=OF_THE_HOUSE).count(),
        "sockets": int(metrics.value_of("floor_sockets")),
        "here": Player.objects.filter(seats__isnull=False).distinct().count(),
        "rounds": RoundLog.objects.filter(settled_at__gt=now - timedelta(hours=1)).count(),
        "version": f"{VERSION} (Python {sys.version.split()[0]}, Django {django.get_version()})",
    }
    return render(request, "pit/house.html", context)


def _dealers(now: datetime) -> list[Dealer]:
    held = Lease.objects.filter(table__open=True).exclude(owner="").exclude(expires_at=None).order_by()
    found = held.values_list("owner", "dealer__name").annotate(tables=Count("pk"), until=Min("expires_at"))
    return [Dealer(owner, name or "", tables, until, until <= now) for owner, name, tables, until in sorted(found)]


def _anchored() -> datetime | None:
    kept = anchors.of_settings()
    return kept.last_at() if kept is not None else None


def _timed(ask: Callable[[], str]) -> Answer:
    begun = perf_counter()
    try:
        version = ask()
    except redis.RedisError:
        return Answer(None, "")
    return Answer((perf_counter() - begun) * 1000, version)


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT sqlite_version()" if connection.vendor == "sqlite" else "SHOW server_version")
        (version,) = cursor.fetchone()
    return f"{connection.display_name} {version}"


def _redis() -> str:
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2) as client:
        info = client.info("server")
    return f"{info.get('server_name', 'redis').title()} {info.get('valkey_version') or info['redis_version']}"
