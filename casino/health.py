"""What machines ask of us: are you alive, are you ready, how are you."""

from __future__ import annotations

import hmac
import logging
from ipaddress import ip_address

import redis
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_prometheus.exports import ExportToDjangoView

from .kept import Kept

log = logging.getLogger(__name__)

readiness: Kept[dict[str, bool]] = Kept(lambda: settings.READY_KEPT_S)


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """200 as long as this process answers at all."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(_request: HttpRequest) -> HttpResponse:
    """200 when database and Redis answer and every migration has run, else 503; says which of them do not.

    Looked up once for all who ask within READY_KEPT_S.
    """
    state = readiness.get((), _state)
    return JsonResponse(state, status=200 if all(state.values()) else 503)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """The figures for Prometheus: for who has the token, or asks from this machine without a proxy."""
    if not (_has_token(request) or _is_from_here(request)):
        return HttpResponseForbidden("Not from here.\n", content_type="text/plain")
    answer: HttpResponse = ExportToDjangoView(request)
    return answer


def _state() -> dict[str, bool]:
    return {"database": _database_is_ready(), "redis": _redis_answers()}


def pending_migrations() -> list[str]:
    """What the database lacks that this program counts on: the names of migrations."""
    executor = MigrationExecutor(connection)
    return [migration.name for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def _database_is_ready() -> bool:
    try:
        return not pending_migrations()
    except Exception:
        log.exception("the database is not ready")
        return False


def _redis_answers() -> bool:
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2) as client:
            return bool(client.ping())
    except redis.RedisError:
        log.exception("Redis does not answer")
        return False


def _has_token(request: HttpRequest) -> bool:
    given = request.headers.get("Authorization", "")
    return bool(settings.METRICS_TOKEN) and hmac.compare_digest(
        given.encode(), f"Bearer {settings.METRICS_TOKEN}".encode()
    )


def _is_from_here(request: HttpRequest) -> bool:
    if "X-Forwarded-For" in request.headers or "Forwarded" in request.headers:
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
