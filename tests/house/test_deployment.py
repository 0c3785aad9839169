"""compose.yaml and the Caddyfile keep what the documents promise; and Redis's rights are tried on a server."""

from __future__ import annotations

import asyncio
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from channels_redis.pubsub import RedisPubSubChannelLayer

from casino.cache import JsonRedisCache
from casino.embedded import binary
from casino.protocol import MAX_BODY_BYTES
from casino.settings import BASE_DIR
from tables.live.routing import websocket_urlpatterns

from .processes import WITHIN

COMPOSE = (BASE_DIR / "compose.yaml").read_text()
CADDYFILE = (BASE_DIR / "Caddyfile").read_text()

PASSWORD = "0123456789abcdef"


def service(name: str) -> str:
    """What compose.yaml says of one service."""
    found = re.search(rf"^  {name}:.*?\n(?=  \w|\n?\w|# )", COMPOSE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found.group()


# ── Redis ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def guarded_redis() -> Iterator[str]:
    """A server with the rights of compose.yaml; its address, with a place for who asks."""
    with tempfile.TemporaryDirectory(prefix="acl-") as folder:
        lines = re.findall(r'echo "(user .*)"', COMPOSE)
        assert len(lines) == 2
        rights, socket = Path(folder, "users.acl"), Path(folder, "s")
        rights.write_text("\n".join(lines).replace("$$password", PASSWORD) + "\n")
        arguments = [
            "--port",
            "0",
            "--unixsocket",
            str(socket),
            "--aclfile",
            str(rights),
            "--save",
            "",
            "--dir",
            folder,
        ]
        with subprocess.Popen([str(binary()), *arguments], stdout=subprocess.DEVNULL) as server:
            url = f"unix://floor:{PASSWORD}@{socket}"
            wait_for(url)
            yield url
            server.terminate()


def wait_for(url: str) -> None:
    line = redis.Redis.from_url(url, retry=redis.retry.Retry(redis.backoff.ConstantBackoff(0.05), int(WITHIN * 20)))
    assert line.ping()


def test_redis_lets_nobody_in_without_the_password(guarded_redis: str) -> None:
    for somebody in ("", "default:@", f"default:{PASSWORD}@", "floor:wrong@"):
        with pytest.raises((redis.AuthenticationError, redis.ResponseError)):
            redis.Redis.from_url(guarded_redis.replace(f"floor:{PASSWORD}@", somebody)).ping()


def test_the_house_has_the_rights_in_redis_that_its_cache_needs(guarded_redis: str) -> None:
    cache = JsonRedisCache(guarded_redis, {"KEY_PREFIX": "floor"})
    assert cache.add("lock", True, 60) and not cache.add("lock", True, 60)
    cache.set("count", [1.5], 60)
    assert cache.get("count") == [1.5]
    assert cache.touch("count", 60)
    cache.set_many({"one": 1, "two": 2}, 60)
    assert cache.incr("one") == 2
    assert cache.get_many(["one", "two"]) == {"one": 2, "two": 2}
    cache.delete_many(["lock", "count", "one", "two"])


async def test_the_house_has_the_rights_in_redis_that_its_channels_need(guarded_redis: str) -> None:
    layer: Any = RedisPubSubChannelLayer(hosts=[guarded_redis], prefix="floor", symmetric_encryption_keys=["key"])
    channel = await layer.new_channel()
    await layer.group_add("table.1", channel)
    await layer.group_send("table.1", {"type": "told"})
    async with asyncio.timeout(WITHIN):
        assert await layer.receive(channel) == {"type": "told"}
    await layer.group_discard("table.1", channel)
    await layer.flush()


@pytest.mark.parametrize(
    "command",
    [
        ("GET", "others:key"),
        ("SET", "others:key", "value"),
        ("PUBLISH", "others", "value"),
        ("CONFIG", "GET", "*"),
        ("FLUSHALL",),
        ("KEYS", "*"),
        ("ACL", "LIST"),
        ("LATENCY", "RESET"),
        ("SHUTDOWN",),
        ("MONITOR",),
    ],
)
def test_the_house_has_no_other_rights_in_redis(guarded_redis: str, command: tuple[str, ...]) -> None:
    line: Any = redis.Redis.from_url(guarded_redis)
    with pytest.raises(redis.exceptions.NoPermissionError):
        line.execute_command(*command)


# ── Containers ──────────────────────────────────────────────────────────────────────────────────────────────

SERVICES = ("db", "redis", "prepare", "web", "dealer", "auditor", "archive", "proxy")


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_has_limits_and_next_to_no_rights(name: str) -> None:
    said = service(name)
    house = COMPOSE[COMPOSE.index("x-house:") : COMPOSE.index("x-environment:")]
    guarded = COMPOSE[COMPOSE.index("x-guarded:") : COMPOSE.index("x-house:")]
    if "<<: *house" in said:
        said = house + said
    assert "<<: *guarded" in said
    assert all(each in guarded for each in ("read_only: true", "cap_drop: [ALL]", "no-new-privileges:true"))
    assert re.search(r"mem_limit: \d+[mg]", said)
    for size in re.findall(r'"/[\w/]+(:[^"]*)?"', re.search(r"tmpfs: \[.*\]", said).group()):  # type: ignore[union-attr]
        assert "size=" in size


def test_only_who_needs_it_has_a_secret_and_no_secret_is_in_the_environment() -> None:
    assert [name for name in SERVICES if "shoe-key" in service(name)] == ["dealer"]
    assert [name for name in SERVICES if "secrets:" not in service(name)] == ["proxy"]
    assert not re.search(r"(?:PASSWORD|SECRET_KEY|SHOE_KEY): ", COMPOSE)


def test_each_container_has_the_role_in_the_database_that_it_needs_and_none_is_its_superuser() -> None:
    common = COMPOSE[COMPOSE.index("x-environment:") : COMPOSE.index("services:")]
    used = {}
    for name in ("prepare", "web", "dealer", "auditor", "audit", "archive"):
        said = service(name) if "DATABASE_URL" in service(name) else common
        (user,) = re.findall(r"DATABASE_URL: postgresql://(\w+)@db", said)
        (password,) = re.findall(r"DATABASE_PASSWORD_FILE: /run/secrets/([\w-]+)", said)
        used[name] = user, password
    assert used == {
        "prepare": ("floor", "owner-password"),
        "web": ("floor_web", "web-password"),
        "dealer": ("floor_dealer", "dealer-password"),
        "auditor": ("floor_auditor", "auditor-password"),
        "audit": ("floor_audit", "audit-password"),
        "archive": ("floor", "owner-password"),
    }
    assert "POSTGRES_USER" not in COMPOSE, "the superuser has the image's own name"
    assert [name for name in SERVICES if "postgres-password" in service(name)] == ["db"]
    made = COMPOSE[COMPOSE.index("\nconfigs:") :]
    assert "CREATE ROLE floor LOGIN CREATEROLE PASSWORD" in made


def test_the_proxy_reaches_the_web_processes_alone() -> None:
    networks = {name: re.findall(r"networks: \[(.*)\]", service(name)) or ["back"] for name in SERVICES}
    assert networks.pop("proxy") == ["front"]
    assert networks.pop("web") == ["front, back"]
    assert all(each == ["back"] for each in networks.values())
    assert "back:\n    internal: true" in COMPOSE


def test_the_sockets_of_a_table_come_to_one_process_and_pages_to_any() -> None:
    """The hash is of the path alone: what a browser says in that header is overwritten."""
    tables, others = re.findall(
        r"\treverse_proxy (/ws/tables/\* )?\{\n\t\timport web\n\t\tlb_policy (.*)\n\t\}", CADDYFILE
    )
    assert tables == ("/ws/tables/* ", "header X-Table") and others == ("", "least_conn")
    assert "\trequest_header /ws/tables/* X-Table {path}\n" in CADDYFILE
    assert "ws/tables/<slug:slug>/" in [str(each.pattern) for each in websocket_urlpatterns]
    assert "(web) {\n\tdynamic a web 8000 {" in CADDYFILE and re.search(r"replicas: [2-9]", service("web"))


def test_archived_rounds_are_written_by_one_and_read_by_those_who_show_them() -> None:
    assert 'volumes: ["archive:/archive"]' in service("archive")
    assert 'volumes: ["archive:/archive:ro"]' in service("web") and "archive:/archive:ro" in service("audit")
    assert "/archive" in (BASE_DIR / "Dockerfile").read_text() and "ARCHIVE: /archive" in COMPOSE


def test_the_proxy_refuses_what_the_house_refuses() -> None:
    assert f"max_size {MAX_BODY_BYTES // 1024}KiB" in CADDYFILE
    assert "request_header -Daphne-Root-Path" in CADDYFILE
    assert "@inside path /metrics /readyz\n" in CADDYFILE and "respond @inside 404" in CADDYFILE


def test_the_log_of_the_proxy_has_no_link_that_sets_a_password() -> None:
    found = re.search(r'request>uri regexp "(.*)" "(.*)"', CADDYFILE)
    assert found is not None
    pattern, instead = found.groups()
    link = "/accounts/password/reset/key/5-digp1u-6e96184efbad799fa13c3365535d53d2/?next=/"
    assert re.sub(pattern, instead, link) == "/accounts/password/reset/key/kept-back/?next=/"
    assert "request>headers>Referer delete" in CADDYFILE
