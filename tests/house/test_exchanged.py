"""The house, or whoever has its database, exchanges the root of a pack that is published: who finds out, and when.

Those with the dealers' key can exchange all that follows from a seed. Then nothing in the database tells of it.
Whoever has noted the root down does: a device that had the felt open (tests/browser/test_seals.py), a bundle that was
kept, and the anchors.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from tables.base.chance import MadePack, made_pack, seed_commitment
from tables.models import LoggedAction, PackSeed, RoundLog, SealedThrow, Shoe, Table
from tables.proof.anchors import Anchors
from tables.proof.audit import audit
from tables.services.dealing.shoes import label_of

from .kit import VAULT, House, Seeded, without_guards
from .test_bound_seals import dealt_next
from .test_prove import prove, states

OTHER_SEED = "5eed" * 16
SHOE: dict[str, Any] = {"dealing_device": "shoe", "decks": 6, "burn_mode": "fixed_n", "burn_fixed_n": 1}

EXCHANGED = {
    "the root": ("root",),
    "the root, and what the round was opened with": ("root", "opening"),
    "the root, its leaves, and what the round was opened with": ("root", "opening", "leaves"),
}


def published() -> tuple[House, Table, Shoe]:
    """A pack that is published and cut, with a bet on its first card."""
    house = House(Seeded("exchanged"))
    table = house.table(**SHOE)
    house.until(table, "betting")
    house.bet(house.player("ana"), table, "player", 100)
    return house, table, Shoe.objects.get(table=table)


def exchange(shoe: Shoe, *what: str) -> MadePack:
    """Put these of another pack in the place of what is published, without any guard."""
    other = made_pack(label_of(shoe), shoe.decks, OTHER_SEED, ())
    seed, log = PackSeed.objects.filter(pk=shoe.seed_id or 0), RoundLog.objects.get(shoe=shoe)
    without_guards()
    if "root" in what:
        Shoe.objects.filter(pk=shoe.pk).update(commitment=other.commitment)
    if "opening" in what:
        log.opening |= {"commitment": other.commitment}
    if "leaves" in what:
        seed.update(leaves=list(other.leaves))
    if "seed" in what:
        seed.update(
            commitment=seed_commitment(other.label, OTHER_SEED), sealed=VAULT.seal_seed(other.label, OTHER_SEED)
        )
        log.opening |= {"seed_commitment": seed_commitment(other.label, OTHER_SEED)}
    log.save()
    return other


def faults(*, key: bool) -> str:
    return "\n".join(audit(VAULT if key else None).faults)


def test_the_database_keeps_the_root_that_was_published(db: None) -> None:
    _, _, shoe = published()
    with pytest.raises(DatabaseError, match="tables_shoe is written once"), transaction.atomic():
        Shoe.objects.filter(pk=shoe.pk).update(commitment="0" * 64)


@pytest.mark.parametrize("what", EXCHANGED)
def test_without_the_key_no_card_is_dealt_from_an_exchanged_root_and_the_audit_says_so(db: None, what: str) -> None:
    house, table, shoe = published()
    cards = LoggedAction.objects.filter(log__shoe=shoe, action__do="card")
    burnt = cards.count()
    exchange(shoe, *EXCHANGED[what])
    assert f"shoe {shoe.pk}: " in faults(key=True)
    assert f"shoe {shoe.pk}: " in faults(key=False), "the burnt card has its leaf"
    assert dealt_next(house, table).void and cards.count() == burnt
    house.until(table, "betting")
    assert house.log(table).shoe_id != shoe.pk
    assert f"shoe {shoe.pk}: " in faults(key=False), "for good"


@pytest.mark.parametrize("what", EXCHANGED)
def test_the_verifier_finds_an_exchanged_root(db: None, what: str) -> None:
    """In the bundle itself, or beside one that was kept from before."""
    house, table, shoe = published()
    kept = prove(house.log(table))
    assert "BROKEN" not in {state for found in states(kept).values() for state in found}
    exchange(shoe, *EXCHANGED[what])
    now = prove(house.log(table))
    assert now["pack"]["root"] != kept["pack"]["root"]
    assert states(now, kept)["noted"] == {"BROKEN"}
    alone = {claim for claim, found in states(now).items() if "BROKEN" in found}
    assert alone == (set() if "leaves" in EXCHANGED[what] else {"root"}), "nobody has seen a card of it yet"


def test_a_pack_that_was_exchanged_whole_is_found_by_who_has_noted_its_root(db: None, tmp_path: Path) -> None:
    """With the key, before a card has left it, the exchange is perfect: the database is in order. The anchors know."""
    house = House(Seeded("exchanged"))
    table = house.table()
    house.until(table, "betting")
    house.bet(house.player("ana"), table, "player", 100)
    kept = prove(house.log(table))
    anchors = Anchors(tmp_path / "anchors.jsonl", "what the database has not")
    house.clock.pass_(minutes=2)
    anchors.write_due(clock=house.clock)
    assert audit(VAULT, anchors).clean
    other = exchange(Shoe.objects.get(table=table), "root", "opening", "leaves", "seed")
    log = house.play_out(table)
    assert not log.void and not faults(key=True)
    (fault,) = audit(VAULT, anchors).faults
    assert fault.startswith(f"the packs up to {log.shoe_id} are not those that were anchored")
    proof = prove(log)
    assert proof["pack"]["root"] == other.commitment != kept["pack"]["root"]
    assert "BROKEN" not in {state for found in states(proof).values() for state in found}
    assert states(proof, kept)["noted"] == {"BROKEN"}


def test_the_anchors_know_a_throw_that_was_exchanged(db: None, tmp_path: Path) -> None:
    house = House(Seeded("exchanged"))
    table = house.table(game="roulette")
    house.until(table, "betting")
    anchors = Anchors(tmp_path / "anchors.jsonl", "what the database has not")
    house.clock.pass_(minutes=2)
    anchors.write_due(clock=house.clock)
    house.play_out(table)
    assert audit(VAULT, anchors).clean
    without_guards()
    SealedThrow.objects.filter(log__table=table).update(commitment="0" * 64)
    assert "the throws up to" in "\n".join(audit(VAULT, anchors).faults)
