"""Seeds: committed to together with the links that are offered, used with those that were revealed (docs/proof.md).

Only dealers draw them, and only their key opens them.
"""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db.models import Max

from tables.base.chance import Kind, Label, Vault, seed_commitment
from tables.base.proof_format import Links
from tables.models import PackSeed, SealedThrow, Table
from tables.services.rounds import links

from .leases import DealerCredentials


class LinksAwaited(Exception):  # noqa: N818 (it says what is waited for)
    """A fresh pack is due, and bettors have offered links: the house commits to a seed first, and waits for them."""


def label_of_seed(row: PackSeed, kind: Kind = Kind.PACK) -> Label:
    """What this seed is sealed as."""
    return Label(kind, row.table_id, row.number, row.committed_at)


def opened_seed(row: PackSeed, vault: Vault, kind: Kind = Kind.PACK) -> str:
    """The seed that lies sealed in this row. Raises ValueError if the vault cannot open it, or it is not the one that
    was published."""
    label = label_of_seed(row, kind)
    seed = vault.open_seed(label, row.sealed)
    if seed_commitment(label, seed) != row.commitment:
        raise ValueError(
            f"the seed of the {'shoe' if kind is Kind.PACK else 'throw'} is not the one that was published"
        )
    return seed


def unused_seed(table: Table, credentials: DealerCredentials, kind: Kind = Kind.PACK) -> tuple[PackSeed, str] | None:
    """The seed that was committed to for the table's next pack or throw, by whichever dealer, and what it is.

    One that the vault cannot open (its key was lost), that is not what was published, or that was dropped after a
    restore, is left as it is, which the audit says.
    """
    last = PackSeed.objects.select_for_update().filter(table=table).order_by("-number").first()
    if last is None or last.revealed is not None or last.dropped_at is not None:
        return None
    try:
        return last, opened_seed(last, credentials.vault, kind)
    except ValueError as error:
        log = structlog.get_logger(__name__)
        log.error("a seed cannot be opened", table=table.pk, number=last.number, reason=str(error))
        return None


def commit(
    table: Table, credentials: DealerCredentials, now: datetime, offered: Links = (), kind: Kind = Kind.PACK
) -> tuple[PackSeed, str]:
    """The seed of the table's next pack or throw, and what it is: the one that was committed to and not used yet; else
    one that is drawn and committed to now, together with the links that are `offered` (docs/proof.md, 1)."""
    if (unused := unused_seed(table, credentials, kind)) is not None:
        return unused
    label, seed = Label(kind, table.pk, next_number(table, kind), now), credentials.chance.seed()
    committed = PackSeed.objects.create(
        table=table,
        number=label.number,
        committed_at=now,
        commitment=seed_commitment(label, seed),
        offered=[[bettor, link] for bettor, link in offered],
        sealed=credentials.vault.seal_seed(label, seed),
    )
    return committed, seed


def next_number(table: Table, kind: Kind) -> int:
    """The number of the table's next pack or throw: no seed was ever committed to under it."""
    last = PackSeed.objects.filter(table=table).aggregate(last=Max("number"))["last"] or 0
    if kind is Kind.PACK:
        return 1 + max(last, 0 if table.shoe is None else table.shoe.number)
    return 1 + max(last, SealedThrow.objects.filter(table=table).aggregate(last=Max("serial"))["last"] or 0)


def seed_of_fresh_pack(table: Table, credentials: DealerCredentials, now: datetime) -> tuple[PackSeed, str]:
    """The seed that the table's next pack is made from now, and what it is. Raises LinksAwaited."""
    if (unused := unused_seed(table, credentials)) is not None:
        if links.waits_until(unused[0], now) is not None:
            raise LinksAwaited
        return unused
    if links.listed(table):
        raise LinksAwaited
    return commit(table, credentials, now)


def close_links(committed: PackSeed) -> None:
    """No link counts for this seed any more but those that were revealed by now; whoever stayed silent is left out
    (docs/proof.md, 3). The caller saves it."""
    committed.revealed = [[bettor, link] for bettor, link in links.revealed_for(committed)]
    links.forget_silent(committed)
