"""The house checks itself: at every start, every day, and when somebody asks (`manage.py selfcheck`).

Files: each file of the program is the one that was built, and there is no other. The manifest is made at the build, in
the format of `sha256sum`, so that a tool that is none of ours can check it too:

    sha256sum --check --quiet MANIFEST.sha256

A checkout has no manifest; there the version control says what was changed. Pay tables: the house keeps of every bet
what it kept when the figures were pinned. Triggers: all are in the database, as they were made, and none is switched
off. Keys: what they sign and seal opens again, and so does what they have sealed before.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import structlog
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection

from tables.base.chance import Kind, Label, Vault
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.games import GAMES
from tables.games.edges import edges_of
from tables.models import Alert, Shoe, guards, seals, second_person
from tables.services.dealing.shoes import label_of
from tables.services.journal import alerts

T = TypeVar("T")

log = structlog.get_logger(__name__)

INTERVAL_S = 24 * 3600.0
"""How often the house checks itself while it is open, in seconds (GLI-19 v3.0, 2.3.2)."""

MANIFEST = "MANIFEST.sha256"
"""The file of the manifest, beside manage.py."""

PROGRAM = ("casino", "tables", "templates", "static", "locale", "staticfiles", "manage.py")
"""What the program is made of: folders and files."""

PINNED = Path(__file__).with_name("pinned_edges.json")
"""What the house keeps of each bet under the default options of each game, as fractions."""


def faults(base: Path | None = None) -> Iterator[str]:
    """Everything that is not as it must be, a line each. Nothing opens while there is any."""
    yield from files_differ(base or Path(settings.BASE_DIR))
    yield from pay_tables_differ()
    yield from triggers_missing()
    yield from keys_useless()


def tell_the_pit(found: Sequence[str], *, clock: Clock = DATABASE_CLOCK) -> None:
    """Raise an alert that the house has failed its check. One is enough until somebody has acknowledged it; and where
    the database does not take it, the log alone has it."""
    about = {"fault": found[0], "faults": len(found)}
    try:
        with unit_of_work():
            alerts.raise_alert(Alert.Kind.UNFIT, Alert.Kind.UNFIT, at=clock.now(), about=about)
    except DatabaseError:
        log.exception("the pit could not be told that the house has failed its self-check")


# ── Files ───────────────────────────────────────────────────────────────────────────────────────────────────


def manifest(base: Path) -> dict[str, str]:
    """The digest of each file of the program under `base`, by its path."""
    found = {}
    for name in PROGRAM:
        top = base / name
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            if path.is_file():
                found[path.relative_to(base).as_posix()] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def manifest_text(base: Path) -> str:
    """The manifest as `sha256sum` writes it."""
    return "".join(f"{digest}  {path}\n" for path, digest in sorted(manifest(base).items()))


def files_differ(base: Path) -> Iterator[str]:
    """The files that are not those of the manifest. Compiled modules count if they were there when it was made."""
    file = base / MANIFEST
    if not file.exists():
        return
    built = {path: digest for digest, path in (line.split("  ", 1) for line in file.read_text().splitlines())}
    compiled = any(path.endswith(".pyc") for path in built)
    present = {path: digest for path, digest in manifest(base).items() if compiled or not path.endswith(".pyc")}
    for path in sorted(built.keys() | present.keys()):
        if path not in present:
            yield f"{path} is missing"
        elif path not in built:
            yield f"{path} was not there when this was built"
        elif built[path] != present[path]:
            yield f"{path} is not the file that was built"


# ── Pay tables ──────────────────────────────────────────────────────────────────────────────────────────────


def edges() -> dict[str, dict[str, str]]:
    """What the house keeps of each bet of each game under its default options: game -> spot -> fraction."""
    return {
        slug: {spot: str(edge.share) for spot, edge in sorted(edges_of(slug, game.options()).items())}
        for slug, game in sorted(GAMES.items())
    }


def pay_tables_differ() -> Iterator[str]:
    """The bets of which the house does not keep what it should."""
    pinned: Mapping[str, Mapping[str, str]] = json.loads(PINNED.read_text(encoding="ascii"))
    present = edges()
    for game in sorted(pinned.keys() | present.keys()):
        should, does = pinned.get(game, {}), present.get(game, {})
        for spot in sorted(should.keys() | does.keys()):
            if should.get(spot) != does.get(spot):
                yield f"the house keeps {does.get(spot)} of a credit on {spot} of {game}, and should {should.get(spot)}"


# ── Triggers ────────────────────────────────────────────────────────────────────────────────────────────────


def triggers_missing() -> Iterator[str]:
    """The triggers that are not there, were changed, or are switched off."""
    vendor = connection.vendor
    statements = [*guards.made(vendor), *seals.made(vendor), *second_person.made(vendor)]
    triggers = {each.split()[2]: each for each in statements if each.startswith("CREATE TRIGGER ")}
    with connection.cursor() as cursor:
        if vendor == "postgresql":
            bodies = {found[1]: found[2] for each in statements if (found := _FUNCTION.search(each))}
            expected = {name: (_plain(sql), bodies[_CALLS.findall(sql)[0]]) for name, sql in triggers.items()}
            cursor.execute(
                "SELECT tgname, pg_get_triggerdef(pg_trigger.oid), prosrc, tgenabled::text "
                "FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid WHERE NOT tgisinternal"
            )
            present = {
                name: enabled in "OA" and (_plain(sql), body) == expected.get(name)
                for name, sql, body, enabled in cursor
            }
        else:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            present = {name: sql == triggers.get(name) for name, sql in cursor.fetchall()}
    for name in triggers:
        if name not in present:
            yield f"the trigger {name} is missing"
        elif not present[name]:
            yield f"the trigger {name} is not as it was made, or is switched off"


_FUNCTION = re.compile(r"FUNCTION (\w+)\(\) RETURNS trigger LANGUAGE plpgsql AS \$\$(.*)\$\$", re.DOTALL)
"""A function and its body, in the statement that makes it."""

_CALLS = re.compile(r"EXECUTE FUNCTION (\w+)\(\)")


def _plain(sql: str) -> str:
    """What makes a trigger, without what PostgreSQL writes otherwise when it is asked: brackets, schema, types."""
    return " ".join(re.sub(r"[()]|public\.|::text", "", sql).lower().split())


# ── Keys ────────────────────────────────────────────────────────────────────────────────────────────────────


def keys_useless() -> Iterator[str]:
    """The keys that do not open what they close, or nothing of what was closed before: then they are others."""
    try:
        signing.loads(signing.dumps("self-check"))
    except signing.BadSignature:
        yield "SECRET_KEY does not open what it signs"
    if _opens_none(_second_factors(), get_mfa_adapter().decrypt):
        yield "SECRET_KEY opens no second factor of the staff: is it another one, without the earlier ones beside it?"
    if settings.SHOE_KEY:
        vault = Vault(settings.SHOE_KEY, *settings.SHOE_KEY_FALLBACKS)
        label, seed = Label(Kind.THROW, 0, 0, datetime(2000, 1, 1, tzinfo=UTC)), "0" * 64
        try:
            opens = vault.open_seed(label, vault.seal_seed(label, seed)) == seed
        except ValueError:
            opens = False
        if not opens:
            yield "SHOE_KEY does not open what it seals"
        in_use = Shoe.objects.filter(retired_at=None, seed__isnull=False).select_related("seed")
        sealed = ((label_of(shoe), shoe.seed.sealed) for shoe in in_use.iterator() if shoe.seed is not None)
        if _opens_none(sealed, lambda each: vault.open_seed(*each)):
            yield "SHOE_KEY opens no pack that is in use: is it another one, without the earlier ones beside it?"


def _second_factors() -> Iterator[str]:
    """The secrets of second factors as they are stored, for those who may read them: dealers and the audit may not."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT has_table_privilege(%s, 'SELECT')", [Authenticator._meta.db_table])
            if not cursor.fetchone()[0]:
                return
    for data in Authenticator.objects.filter(type=Authenticator.Type.TOTP).values_list("data", flat=True):
        yield data["secret"]


def _opens_none(closed: Iterable[T], opens: Callable[[T], object]) -> bool:
    """Whether there is something, and none of it can be opened. A single thing that cannot is the audit's matter."""
    tried = 0
    for one in closed:
        tried += 1
        with suppress(ValidationError, ValueError):
            opens(one)
            return False
    return tried > 0
