"""Leases: which dealer runs which table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType

from django.db.models import Max

from tables.base import sql
from tables.base.chance import ChanceSource, Vault
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.identity import DealerIdentity
from tables.base.transactions import unit_of_work
from tables.models import Lease

from .enrolment import enrolled, lease_text

PROTOCOL = 1
"""Goes up with each change after which a program of before could not go on with what this one has begun at a table: an
action, an option or a phase that it does not know, another way to seal. A lease keeps it: see `take_lease`."""


NOTHING_HELD: Mapping[int, int] = MappingProxyType({})


class OutdatedDealerError(Exception):
    """A later program has dealt at a table, and this one does not go on there. Its text is one line."""

    def __init__(self, protocol: int, newest: int) -> None:
        super().__init__(
            f"A later version has dealt in this house (protocol {newest}, this one has {protocol}): update this dealer."
        )


class StaleLease(Exception):  # noqa: N818
    """This dealer no longer runs the table; whatever it wanted to do is another's."""


@dataclass(frozen=True, slots=True)
class DealerCredentials:
    """A dealer's credentials at a table: name, epoch of the lease, and what they draw and open shoes with."""

    owner: str
    epoch: int
    chance: ChanceSource
    vault: Vault


# ── Leases ──────────────────────────────────────────────────────────────────────────────────────────────────


def check_protocol(protocol: int = PROTOCOL) -> None:
    """Raise OutdatedDealerError if a later program has dealt in this house: this one has nothing to begin here."""
    newest = Lease.objects.aggregate(newest=Max("protocol"))["newest"] or 0
    if newest > protocol:
        raise OutdatedDealerError(protocol, newest)


def take_lease(
    owner: str,
    ttl: timedelta,
    held: Collection[int] = (),
    *,
    identity: DealerIdentity,
    protocol: int = PROTOCOL,
    clock: Clock = DATABASE_CLOCK,
) -> tuple[int, int] | None:
    """Take one table that nobody runs: (table, epoch), or None. Another's lease is taken once it has expired; of the
    tables that this dealer has `held` till now, none: they are for `renew_leases` to keep.

    Dealers of two versions share the house while it is updated: where the later one has dealt, the earlier one does not
    go on. Raises OutdatedDealerError if nothing else is free, and NotEnrolledError unless the house knows the dealer's
    key.
    """
    with unit_of_work():
        dealer = enrolled(identity.public)
        now = clock.now()
        expired = Lease.objects.filter(table__isnull=False).exclude(expires_at__gt=now).exclude(table__in=held)
        free = (
            expired.select_for_update(skip_locked=True)
            .filter(protocol__lte=protocol)
            .order_by("expires_at", "table_id")
            .first()
        )
        if free is None:
            if expired.filter(protocol__gt=protocol).exists():
                check_protocol(protocol)
            return None
        free.protocol, free.owner, free.epoch, free.expires_at = protocol, owner, free.epoch + 1, now + ttl
        free.dealer, free.signature = dealer, identity.sign(lease_text(free.table_id, free.epoch, owner))
        free.save(update_fields=["protocol", "owner", "epoch", "expires_at", "dealer", "signature"])
        return free.table_id, free.epoch


def renew_leases(
    owner: str, ttl: timedelta, held: Mapping[int, int] = NOTHING_HELD, *, clock: Clock = DATABASE_CLOCK
) -> dict[int, int]:
    """Keep what is still ours: table -> epoch.

    A lease that has expired is kept as well if nobody has taken it meanwhile, by the dealer who `held` it so (table ->
    epoch): one who was slow goes on. Who only bears the same name takes it as anybody does.
    """
    with unit_of_work():
        ours = list(
            Lease.objects.filter(owner=owner)
            .order_by("pk")
            .select_for_update()
            .values_list("table_id", "epoch", "expires_at")
        )
        now = clock.now()
        kept = {
            table: epoch
            for table, epoch, expires_at in ours
            if (expires_at is not None and expires_at > now) or held.get(table) == epoch
        }
        Lease.objects.filter(owner=owner, table__in=kept).update(expires_at=now + ttl)
        return kept


def release_leases(owner: str) -> None:
    """Give all tables back at once, at a clean end."""
    with unit_of_work():
        Lease.objects.filter(owner=owner).update(owner="", expires_at=None)


def hold_lease(table_id: int, credentials: DealerCredentials, clock: Clock) -> datetime:
    """Lock the lease for this transaction, then read the time. Raises StaleLease if it is no longer this dealer's."""
    columns = sql.columns_of(Lease, "own")
    found = sql.locked(columns, '"tables_lease" own', "own.table_id = %s", [table_id], of="own", clock=clock)
    if found is None:
        raise Lease.DoesNotExist
    lease, now = sql.instance_of(Lease, found[0]), found[1]
    if (
        lease.owner != credentials.owner
        or lease.epoch != credentials.epoch
        or lease.expires_at is None
        or lease.expires_at <= now
    ):
        raise StaleLease(f"table {table_id}: epoch {credentials.epoch} of {credentials.owner} is over")
    return now
