"""The house checks itself: at every start, every day, and when somebody asks (`manage.py selfcheck`).

Files: each file of the program is the one that was built, and there is no other. The manifest is made at the build, in
the format of `sha256sum`, so that a tool that is none of ours can check it too:

    sha256sum --check --quiet MANIFEST.sha256

A checkout has no manifest; there the version control says what was changed. Pay tables: the house keeps of every bet
what it kept when the figures were pinned. Triggers: all are in the database, as they were made, and none is switched
off. Keys: what they sign and seal opens again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import structlog
from django.conf import settings
from django.core import signing
from django.db import DatabaseError, connection

from tables.base.chance import Kind, Label, Vault
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.games import GAMES
from tables.games.edges import edges_of
from tables.models import Alert, guards, seals, second_person
from tables.services.journal import alerts

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
    expected = guards.made(vendor) | seals.made(vendor) | second_person.made(vendor)
    with connection.cursor() as cursor:
        if vendor == "postgresql":
            cursor.execute(
                "SELECT tgname, tgenabled::text, prosrc FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid "
                "WHERE NOT tgisinternal"
            )
            present = {name: (enabled in "OA" and "RAISE EXCEPTION" in body) for name, enabled, body in cursor}
        else:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            present = {name: sql == expected.get(name) for name, sql in cursor.fetchall()}
    for name in expected:
        if name not in present:
            yield f"the trigger {name} is missing"
        elif not present[name]:
            yield f"the trigger {name} is not as it was made, or is switched off"


# ── Keys ────────────────────────────────────────────────────────────────────────────────────────────────────


def keys_useless() -> Iterator[str]:
    """The keys that do not open what they closed."""
    try:
        signing.loads(signing.dumps("self-check"))
    except signing.BadSignature:
        yield "SECRET_KEY does not open what it signs"
    if settings.SHOE_KEY:
        vault, label = Vault(settings.SHOE_KEY), Label(Kind.THROW, 0, 0, datetime(2000, 1, 1, tzinfo=UTC))
        seed = "0" * 64
        try:
            opens = vault.open_seed(label, vault.seal_seed(label, seed)) == seed
        except ValueError:
            opens = False
        if not opens:
            yield "SHOE_KEY does not open what it seals"
