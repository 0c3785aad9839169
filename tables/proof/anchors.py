"""Anchors: where the pit's events, the ledger and the published packs and throws ended, minute by minute, kept outside
the database.

Whoever owns the database can drop a trigger, leave events out, and number and hash the rest anew; nothing inside it
would tell. So dealers write the heads of these chains into a file, a JSON object a line: when, the number and digest of
the last event, and the id and digest of the last transfer, pack and throw. Each line is signed (HMAC-SHA-256) with a
key that the database has not, over the line before it as well. The same heads go to the log, which an operator may send
elsewhere.

What has no chain in the database has one here: `sha256(digest before + "\\n" + row)`, a row being written with tabs
between its parts. A transfer: id, key, debit, credit, amount, reason, round, bet, by and moment. A pack: id, table,
number, commitment, that of its seed, and moment. A throw: id, round, number, commitment, that of its seed, and moment.

A database that ends before its last anchor was restored to an earlier moment. It is recognised at start, and nothing
opens until the operator says so (`manage.py restored`), which is an event and a line of the file. What lies sealed in
it may be known by then, so it decides nothing any more.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import json
import os
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path

import structlog
from django.conf import settings
from django.db.models import Model

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.models import Event, EventHead, SealedThrow, Shoe, Transfer
from tables.services.dealing import restoring
from tables.services.journal import events

log = structlog.get_logger(__name__)

TAIL_BYTES = 16_384
"""In so many bytes at the end of the file lie its last two lines."""

INTERVAL = timedelta(minutes=1)
"""How often the heads are anchored."""

SETTLED_AFTER = timedelta(minutes=1)
"""What is so old is anchored: by then no transaction that began before it can still write."""


class RestoredError(Exception):
    """The database is not the one that was anchored, or it ends before its last anchor. Its text is one line."""


@dataclass(frozen=True, slots=True)
class Heads:
    """Where the chains end: the last event and its digest; of the others the last id and the digest up to it. Anchors
    of before know nothing of packs and throws."""

    events: int = 0
    event_digest: str = ""
    transfers: int = 0
    transfer_digest: str = ""
    packs: int = 0
    pack_digest: str = ""
    throws: int = 0
    throw_digest: str = ""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A line of the file. `why` is given where the operator acknowledged that an older database was restored."""

    at: str
    heads: Heads
    why: str
    mac: str


class Anchors:
    """The file of anchors, and the keys: the first signs, and each of them may have signed. Without one it can be read
    and not written."""

    def __init__(self, path: Path, *keys: str) -> None:
        self._path = path
        self._keys = [key.encode() for key in keys]
        self._kept: list[dict[str, object]] | None = None

    @property
    def signs(self) -> bool:
        """Whether anchors can be written and their signatures checked here."""
        return bool(self._keys)

    @property
    def exist(self) -> bool:
        """Whether anything was ever anchored here."""
        return self._path.exists()

    def last_at(self) -> datetime | None:
        """When the last line was written; None if there is none here, or it cannot be read."""
        try:
            last = self._last() if self.exist else None
        except (OSError, ValueError, RestoredError):
            return None
        return None if last is None else datetime.fromisoformat(last.at)

    # ── writing ─────────────────────────────────────────────────────────────────────────────────────────────

    def write_due(self, *, clock: Clock = DATABASE_CLOCK) -> Anchor | None:
        """Anchor the present heads if the last anchor is a minute old. Raises OSError.

        Several dealers may share the file: one of them writes. Nothing is anchored over a database that does not fit
        to the last anchor: then RestoredError is raised.
        """
        now = clock.now()
        with self._locked():
            last = self._last()
            if last is not None and now < datetime.fromisoformat(last.at) + INTERVAL:
                return None
            if last is not None:
                self._compare(last)
            return self._append(last, self._heads(last, until=now - SETTLED_AFTER), now)

    def acknowledge(self, why: str, *, clock: Clock = DATABASE_CLOCK) -> tuple[Anchor, restoring.Dropped]:
        """From here on the present database counts, although it is older than the last anchor, and nothing that lies
        sealed in it is played (`restoring`). Written down as an event."""
        now = clock.now()
        with unit_of_work(), self._locked():
            last = self._last()
            before = None if last is None else asdict(last.heads)
            dropped = restoring.drop_what_was_sealed(clock=clock)
            events.record(
                Event.Kind.RESTORED, by=None, why=why, before=before, after=asdict(heads(until=now)), clock=clock
            )
            return self._append(last, heads(until=now), now, why=why), dropped

    def _append(self, last: Anchor | None, present: Heads, now: datetime, *, why: str = "") -> Anchor:
        line: dict[str, object] = {"at": now.astimezone(UTC).isoformat(timespec="microseconds"), **asdict(present)}
        if why:
            line["why"] = why
        line["mac"] = _mac(self._keys[0], line, last.mac if last is not None else "")
        with self._path.open("a", encoding="ascii") as file:
            file.write(json.dumps(line, ensure_ascii=True) + "\n")
            file.flush()
            os.fsync(file.fileno())
        log.info("anchored", **line)
        return _read(line)

    def _heads(self, last: Anchor | None, *, until: datetime) -> Heads:
        """The present heads, worked out from the last anchor on."""
        return heads(until=until, since=last.heads if last is not None else Heads())

    # ── reading ─────────────────────────────────────────────────────────────────────────────────────────────

    def check_start(self) -> None:
        """Raise RestoredError if this is not the database of the last anchor, or it ends before it."""
        if self.exist and (last := self._last()) is not None:
            self._compare(last)

    def _compare(self, last: Anchor) -> None:
        anchored = last.heads
        event = Event.objects.filter(seq=anchored.events).values_list("digest", flat=True).first() or ""
        transfers = Transfer.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        ends = EventHead.objects.values_list("seq", flat=True).first() or 0
        if ends < anchored.events or transfers < anchored.transfers:
            raise RestoredError(
                f"The database ends at event {ends} and transfer {transfers}; at {last.at} it had come to event "
                f"{anchored.events} and transfer {anchored.transfers}. It was restored to an earlier moment: "
                f"acknowledge it with manage.py restored --why '…', or bring the newer one back."
            )
        if event != anchored.event_digest:
            raise RestoredError(
                f"Event {anchored.events} is not the one that was anchored at {last.at}: this is another database, or "
                f"its events were changed. manage.py audit says more; acknowledge it with manage.py restored --why '…'."
            )

    def read(self) -> None:
        """Read the file now: `faults` and `count` are about what it holds at this moment."""
        self._kept = None
        self._kept = list(self._lines()) if self.exist else []

    def faults(self) -> Iterator[str]:
        """Where the database differs from what was anchored since the operator acknowledged a restore last."""
        if not self.exist:
            return
        lines = list(self._lines())
        previous = ""
        for number, line in enumerate(lines, start=1):
            if self.signs and not self._is_ours(line, previous):
                yield f"anchor {number} ({line.get('at')}) was not written by this house, or one before it is gone"
                return
            previous = str(line.get("mac"))
        anchors = [_read(line) for line in lines]
        begin = max((at for at, anchor in enumerate(anchors) if anchor.why), default=0)
        anchors = anchors[begin:]
        yield from _events_differ(anchors)
        for chain in CHAINS:
            yield from chain.differs(anchors)

    def count(self) -> int:
        """How many anchors there are."""
        return sum(1 for _ in self._lines()) if self.exist else 0

    def _lines(self) -> Iterator[dict[str, object]]:
        if self._kept is not None:
            yield from self._kept
            return
        with self._path.open("rb") as file:
            for line in file:
                yield json.loads(line)

    def _last(self) -> Anchor | None:
        """The last line, if it is signed as it must be. Raises RestoredError."""
        with self._path.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL_BYTES))
            text = file.read().splitlines()
        if not text:
            return None
        line = json.loads(text[-1])
        previous = str(json.loads(text[-2])["mac"]) if len(text) > 1 else ""
        if self.signs and not self._is_ours(line, previous):
            raise RestoredError(
                f"The last line of {self._path} was not signed with the key of this house: look at it, and move it "
                f"away."
            )
        return _read(line)

    def _is_ours(self, line: Mapping[str, object], previous: str) -> bool:
        """Whether a key of this house has signed this line over the one before it."""
        return any(hmac.compare_digest(str(line.get("mac")), _mac(key, line, previous)) for key in self._keys)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """The file is there, and nobody else of this machine writes it."""
        assert self.signs, "anchors are written by those who have the key"
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)


OFF = "off"
"""A file of this name is none: nothing is anchored."""


def of_settings() -> Anchors | None:
    """The anchors of this house; None if they are switched off."""
    keys = (settings.ANCHOR_KEY, *settings.ANCHOR_KEY_FALLBACKS) if settings.ANCHOR_KEY else ()
    return None if settings.ANCHORS == OFF else Anchors(Path(settings.ANCHORS), *keys)


# ── The chains ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Chain:
    """Rows that are written once, each with a digest over all of them up to it."""

    name: str
    model: type[Model]
    columns: tuple[str, ...]
    moment: str

    def head(self, heads: Heads) -> tuple[int, str]:
        """Where this chain ends: an id, and the digest up to it."""
        return getattr(heads, f"{self.name}s"), getattr(heads, f"{self.name}_digest")

    def links(self, since: tuple[int, str] = (0, ""), *, until: datetime | None = None) -> Iterator[tuple[int, str]]:
        """The chain behind `since`: the id of each row, and the digest up to it."""
        after, digest = since
        rows = self.model._default_manager.filter(pk__gt=after).order_by("pk")
        for *row, at in rows.values_list(*self.columns, self.moment).iterator():
            if until is not None and at is not None and at > until:
                break
            said = ["" if one is None else str(one) for one in row]
            said.append("" if at is None else at.astimezone(UTC).isoformat(timespec="microseconds"))
            digest = hashlib.sha256((digest + "\n" + "\t".join(said)).encode()).hexdigest()
            yield row[0], digest

    def differs(self, anchors: Sequence[Anchor]) -> Iterator[str]:
        """The first anchor that this chain does not fit to."""
        anchored = {self.head(one.heads): one for one in anchors}
        wanted = {pk for pk, _ in anchored}
        digests = {0: ""} | {pk: digest for pk, digest in self.links() if pk in wanted}
        for (pk, digest), one in anchored.items():
            if digests.get(pk) != digest:
                yield f"the {self.name}s up to {pk} are not those that were anchored at {one.at}"
                return


CHAINS = (
    Chain(
        "transfer", Transfer, ("id", "key", "debit_id", "credit_id", "amount", "reason", "log_id", "bet", "by"), "at"
    ),
    Chain("pack", Shoe, ("id", "table_id", "number", "commitment", "seed__commitment"), "shuffled_at"),
    Chain("throw", SealedThrow, ("id", "log_id", "number", "commitment", "seed_commitment"), "sealed_at"),
)


def heads(*, until: datetime, since: Heads = Heads()) -> Heads:
    """The head of the chain of events now, and of the others as they were at `until`, worked out from `since` on."""
    head = EventHead.objects.first() or EventHead()
    ends: list[int | str] = [head.seq, head.digest]
    for chain in CHAINS:
        before = chain.head(since)
        newest = deque(chain.links(before, until=until), maxlen=1)
        ends += newest[0] if newest else before
    return Heads(*ends)  # type: ignore[arg-type]  # in the order of its fields


def _events_differ(anchors: list[Anchor]) -> Iterator[str]:
    digests = dict(Event.objects.filter(seq__in={one.heads.events for one in anchors}).values_list("seq", "digest"))
    for one in anchors:
        if digests.get(one.heads.events, "") != one.heads.event_digest:
            yield f"the events up to {one.heads.events} are not those that were anchored at {one.at}"
            return


def _mac(key: bytes, line: Mapping[str, object], previous: str) -> str:
    signed = {name: value for name, value in line.items() if name != "mac"} | {"previous": previous}
    text = json.dumps(signed, sort_keys=True, ensure_ascii=True)
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def _read(line: Mapping[str, object]) -> Anchor:
    known = {one.name: line[one.name] for one in fields(Heads) if one.name in line}
    heads_ = Heads(**known)  # type: ignore[arg-type]  # signed, so it is ours
    return Anchor(str(line["at"]), heads_, str(line.get("why", "")), str(line["mac"]))
