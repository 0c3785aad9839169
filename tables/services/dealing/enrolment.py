"""Dealers are enrolled by their public keys; without that none runs a table."""

from __future__ import annotations

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.identity import is_signed
from tables.base.transactions import unit_of_work
from tables.models import EnrolledDealer, Event, Lease
from tables.services.journal import events


class NotEnrolledError(Exception):
    """The dealer was never enrolled, or not any more. Its text is one line."""

    def __init__(self, public: str) -> None:
        super().__init__(
            f"The dealer with the key {public} is not enrolled. As the owner of the database: "
            f"manage.py dealers enrol NAME {public} --why '…'"
        )


def enrolled(public: str) -> EnrolledDealer:
    """The dealer with this public key. Raises NotEnrolledError."""
    found = EnrolledDealer.objects.filter(public_key=public, revoked_at=None).first()
    if found is None:
        raise NotEnrolledError(public)
    return found


def enrol(name: str, public: str, why: str, *, clock: Clock = DATABASE_CLOCK) -> EnrolledDealer | None:
    """Enrol a dealer. Returns None if one with this key is enrolled already; a key that was revoked stays so.

    Raises ValueError for what is no key, or a name or a key that was used before.
    """
    if len(public) != 64 or not set(public) <= set("0123456789abcdef"):
        raise ValueError("a public key has 64 hexadecimal digits")
    with unit_of_work():
        known = EnrolledDealer.objects.filter(public_key=public).first()
        if known is not None and known.revoked_at is None:
            return None
        if known is not None or EnrolledDealer.objects.filter(name=name).exists():
            raise ValueError("this name or this key was used before: give the dealer a new one")
        dealer = EnrolledDealer.objects.create(name=name, public_key=public, enrolled_at=clock.now())
        after = {"name": name, "public_key": public}
        events.record(Event.Kind.DEALER_ENROLLED, by=None, why=why, after=after, clock=clock)
        return dealer


def revoke(name: str, why: str, *, clock: Clock = DATABASE_CLOCK) -> EnrolledDealer:
    """From now on this dealer gets no lease and keeps none; its tables are free at once.

    Raises EnrolledDealer.DoesNotExist.
    """
    with unit_of_work():
        dealer = EnrolledDealer.objects.select_for_update().get(name=name, revoked_at=None)
        dealer.revoked_at = clock.now()
        dealer.save(update_fields=["revoked_at"])
        Lease.objects.filter(dealer=dealer).update(owner="", expires_at=None, signature="")
        before = {"name": name, "public_key": dealer.public_key}
        events.record(Event.Kind.DEALER_REVOKED, by=None, why=why, before=before, clock=clock)
        return dealer


def lease_text(table: int, epoch: int, owner: str) -> str:
    """What a dealer signs who takes a table."""
    return f"lease:{table}:{epoch}:{owner}"


def is_signed_lease(lease: Lease) -> bool:
    """Whether whoever holds this lease has signed it with the key that they are enrolled by."""
    text = lease_text(lease.table_id, lease.epoch, lease.owner)
    return lease.dealer is not None and is_signed(text, lease.signature, lease.dealer.public_key)
