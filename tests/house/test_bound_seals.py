"""What is sealed is dealt once, as what it was sealed: who can write the database cannot deal an old pack again.

The attack: the seed of a retired shoe is public, so all cards to come are known if its columns are copied over those of
a fresh one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.test import Client

from tables.base.chance import (
    KEYED,
    LABELLED,
    UNLABELLED,
    Kind,
    Label,
    OpenedPack,
    OpenedThrow,
    made_pack,
    seed_commitment,
)
from tables.games.values.cards import pack
from tables.models import LoggedAction, PackSeed, RoundLog, SealedThrow, Shoe, Table
from tables.proof.audit import audit
from tables.queries.folds import fold_cache
from tables.services.dealing.advance import advance, void_after_error
from tables.services.dealing.shoes import label_of

from .kit import SALT, VAULT, House, change_shoe, label, opened_pack, pack_before, throw_before, without_guards

SHOE: dict[str, Any] = {"dealing_device": "shoe", "decks": 6, "burn_mode": "fixed_n", "burn_fixed_n": 1}
FREED = "0" * 64


def two_shoes(house: House) -> tuple[Table, Shoe, Shoe]:
    """A table whose first shoe is retired and known to everybody, and whose second is about to be dealt from."""
    for first in ("2s", "3s", "4s"):  # each from a seed of its own
        house.stack(first)
    table = house.table(**SHOE)
    for _ in range(2):
        house.until(table, "betting")
        house.play_out(table)
    change_shoe(table.pk)
    house.until(table, "betting")
    retired, fresh = Shoe.objects.filter(table=table).order_by("number")
    assert retired.opened is not None and fresh.opened is None
    return table, retired, fresh


def copied(retired: Shoe, fresh: Shoe, *columns: str) -> Callable[[], int]:
    """The attack of the review, with these columns of the seed."""
    values = {column: getattr(retired.seed, column) for column in columns}
    return lambda: PackSeed.objects.filter(pk=fresh.seed_id or 0).update(**values)


def exchange(retired: Shoe, fresh: Shoe) -> None:
    """The whole attack, with all guards away: only the key is missing to make it perfect."""
    without_guards()
    copy = copied(retired, fresh, "commitment", "sealed", "leaves")
    Shoe.objects.filter(pk=retired.pk).update(commitment=FREED)
    Shoe.objects.filter(pk=fresh.pk).update(commitment=retired.commitment)
    PackSeed.objects.filter(pk=retired.seed_id or 0).update(commitment=FREED)
    copy()


def dealt_next(house: House, table: Table) -> RoundLog:
    """The round of the table, played out by a dealer who voids what fails, as the dealer does."""
    while (log := house.log(table)).settled_at is None:
        house.due(table)
        try:
            with transaction.atomic():
                advance(table.pk, house.credentials(table), clock=house.clock)
        except ValueError as error:
            void_after_error(table.pk, house.credentials(table), str(error), clock=house.clock)
    return log


# ── The guards ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_retired_shoe_cannot_be_copied_over_a_fresh_one(house: House) -> None:
    table, retired, fresh = two_shoes(house)
    for columns in (("commitment", "sealed", "leaves"), ("sealed",), ("commitment",), ("leaves",)):
        with pytest.raises(DatabaseError, match="tables_packseed is written once"), transaction.atomic():
            copied(retired, fresh, *columns)()
    with pytest.raises(DatabaseError, match="tables_shoe is written once"), transaction.atomic():
        Shoe.objects.filter(pk=fresh.pk).update(commitment=FREED)
    assert house.play_out(table).settled_at is not None


@pytest.mark.parametrize(
    "change", [{"cut": 17}, {"number": 9}, {"decks": 8}, {"scheme": 1}, {"leaves": ["0"]}, {"seed": None}], ids=str
)
@pytest.mark.in_full
def test_nothing_that_tells_what_a_shoe_is_changes(house: House, change: dict[str, Any]) -> None:
    _table, _retired, fresh = two_shoes(house)
    assert fresh.cut is not None
    with pytest.raises(DatabaseError, match="is written once"), transaction.atomic():
        Shoe.objects.filter(pk=fresh.pk).update(**change)
    Shoe.objects.filter(pk=fresh.pk).update(dealt=fresh.dealt, white_shown=False)  # what changes with each card


@pytest.mark.parametrize(
    "change", [{"number": 9}, {"offered": [["p1", FREED]]}, {"revealed": [["p1", FREED]]}, {"leaves": None}], ids=str
)
def test_nothing_that_a_pack_is_made_from_changes(house: House, change: dict[str, Any]) -> None:
    _table, _retired, fresh = two_shoes(house)
    with pytest.raises(DatabaseError, match="tables_packseed is written once"), transaction.atomic():
        PackSeed.objects.filter(pk=fresh.seed_id or 0).update(**change)


def test_no_shoe_and_no_throw_is_deleted_and_no_opening_of_a_round_is_written_anew(house: House) -> None:
    table, _retired, fresh = two_shoes(house)
    wheel = house.table("wheel", game="roulette")
    house.until(wheel, "betting")
    log = house.log(table)
    deeds: list[Callable[[], object]] = [
        lambda: Shoe.objects.filter(pk=fresh.pk)._raw_delete("default"),
        lambda: PackSeed.objects.filter(pk=fresh.seed_id or 0)._raw_delete("default"),
        lambda: SealedThrow.objects.filter(log=house.log(wheel))._raw_delete("default"),
        lambda: RoundLog.objects.filter(pk=log.pk).update(opening=log.opening | {"commitment": FREED}),
        lambda: RoundLog.objects.filter(pk=log.pk).update(shoe=None),
    ]
    for deed in deeds:
        with pytest.raises(DatabaseError, match="is written once"), transaction.atomic():
            deed()


def test_a_commitment_stands_once(house: House) -> None:
    table, retired, fresh = two_shoes(house)
    given = {"decks": 6, "scheme": 2, "sealed": b"x", "shuffled_at": fresh.shuffled_at}
    with pytest.raises(IntegrityError), transaction.atomic():
        Shoe.objects.create(table=table, number=3, commitment=retired.commitment, **given)


# ── With the guards away: at the card ───────────────────────────────────────────────────────────────────────


def test_not_one_card_of_a_copied_shoe_is_dealt(db: None) -> None:
    house = House()
    table, retired, fresh = two_shoes(house)
    ana = house.player("ana")
    house.bet(ana, table, "player", 100)
    cards = LoggedAction.objects.filter(log=house.log(table), action__do="card")
    burnt = cards.count()
    exchange(retired, fresh)
    log = dealt_next(house, table)
    assert log.void and cards.count() == burnt
    assert house.balance(ana) == 1_000_000
    house.until(table, "betting")
    assert house.log(table).shoe_id not in (retired.pk, fresh.pk), "the next round is dealt from a fresh pack"


def test_nor_if_what_the_round_was_opened_with_is_changed_too(db: None) -> None:
    """What the seal says it is cannot be changed without the key."""
    house = House()
    table, retired, fresh = two_shoes(house)
    exchange(retired, fresh)
    log = house.log(table)
    RoundLog.objects.filter(pk=log.pk).update(opening=log.opening | {"commitment": retired.commitment})
    house.until(table, "deal")
    house.due(table)
    with pytest.raises(ValueError, match=f"was sealed as pack:{table.pk}:1 .*, not as pack:{table.pk}:2 "):
        advance(table.pk, house.credentials(table), clock=house.clock)


def test_a_pack_that_was_sealed_anew_with_the_key_is_not_dealt_once_the_round_is_open(db: None) -> None:
    """What the round was opened with says so, though the seal is as it must be."""
    house = House()
    table, _retired, fresh = two_shoes(house)
    seed, this = "5eed" * 16, label_of(fresh)
    without_guards()
    Shoe.objects.filter(pk=fresh.pk).update(commitment=made_pack(this, 6, seed, ()).commitment)
    PackSeed.objects.filter(pk=fresh.seed_id or 0).update(
        commitment=seed_commitment(this, seed), sealed=VAULT.seal_seed(this, seed)
    )
    house.until(table, "deal")
    house.due(table)
    with pytest.raises(ValueError, match="is not the one that the round was opened with"):
        advance(table.pk, house.credentials(table), clock=house.clock)


def test_a_pack_of_another_table_is_not_dealt_either(db: None) -> None:
    house = House()
    table, _retired, fresh = two_shoes(house)
    other = house.table("other", **SHOE)
    house.until(other, "betting")
    foreign = Shoe.objects.get(table=other)
    exchange(foreign, fresh)
    assert dealt_next(house, table).void


@pytest.mark.parametrize(("scheme", "says"), [(UNLABELLED, "the first scheme"), (LABELLED, "the second scheme")])
def test_a_pack_of_an_earlier_scheme_is_replaced_before_the_next_round_and_is_still_proven(
    db: None, scheme: int, says: str
) -> None:
    """As after bringing an older house up to date."""
    house = House()
    table, _retired, fresh = two_shoes(house)
    without_guards()
    old = pack_before(Label(Kind.PACK, table.pk, fresh.number, fresh.shuffled_at, scheme), pack(6))
    Shoe.objects.filter(pk=fresh.pk).update(scheme=scheme, commitment=old.commitment, sealed=old.sealed, seed=None)
    PackSeed.objects.filter(pk=fresh.seed_id or 0).delete()
    log = house.log(table)
    opening = {name: value for name, value in log.opening.items() if name != "seed_commitment"}
    RoundLog.objects.filter(pk=log.pk).update(opening=opening | {"commitment": old.commitment})
    assert dealt_next(house, table).void
    house.until(table, "betting")
    fresh.refresh_from_db()
    assert fresh.opened is not None and fresh.opened["salt"] == SALT, "it is opened and can be checked"
    opening_text = Client().get(f"/shoes/{fresh.pk}/opening.txt").content
    assert hashlib.sha256(opening_text).hexdigest() == fresh.commitment
    page = Client().get(f"/shoes/{fresh.pk}/").content.decode()
    assert page.count("True.") == 2 and says in page, "a card was burnt from the pack that lay there before"
    proof = Client().get(f"/rounds/{log.pk}/proof.json")
    assert (proof.status_code, proof.json()["page"]) == (404, f"/shoes/{fresh.pk}/")
    assert [one.scheme for one in Shoe.objects.filter(rounds=house.log(table))] == [KEYED]


# ── With the guards away: by the audit ──────────────────────────────────────────────────────────────────────


def faults(*, key: bool = True) -> str:
    return "\n".join(audit(VAULT if key else None).faults)


def test_the_audit_finds_a_shoe_that_was_copied_even_without_the_key(db: None) -> None:
    house = House()
    _table, retired, fresh = two_shoes(house)
    exchange(retired, fresh)
    assert f"shoe {fresh.pk}: round {RoundLog.objects.latest('pk').pk} was opened with another commitment" in faults(
        key=False
    )
    seeds = [f"table {fresh.table_id}: the seed of pack {one.number}" for one in (fresh, retired)]
    assert f"{seeds[0]} has the sealed text of {seeds[1]}" in faults(key=False)
    assert f"shoe {fresh.pk} cannot be read: this pack was sealed as pack:" in faults()


def test_the_audit_finds_a_commitment_that_occurs_twice(db: None) -> None:
    """That of a shoe on a throw: no constraint of one table finds it."""
    house = House()
    _table, retired, _fresh = two_shoes(house)
    wheel = house.table("wheel", game="roulette")
    house.until(wheel, "betting")
    without_guards()
    SealedThrow.objects.update(commitment=retired.commitment)
    assert f"round {house.log(wheel).pk}: throw 1 has the commitment of shoe {retired.pk}" in faults(key=False)


def test_the_audit_finds_an_opening_of_another_pack_under_this_number(db: None) -> None:
    """The preimage names the pack: a retired pack published as another does not give its commitment."""
    house = House()
    table, retired, fresh = two_shoes(house)
    change_shoe(table.pk)
    house.play_out(table)
    house.until(table, "betting")
    without_guards()
    Shoe.objects.filter(pk=fresh.pk).update(opened=retired.opened)
    assert f"shoe {fresh.pk} cannot be read: the seed on its page is not the one that was committed to" in faults(
        key=False
    )


# ── Throws ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_throw_cannot_be_thrown_again(house: House) -> None:
    house.throw(17, 4)
    wheel = house.table("wheel", game="roulette")
    house.until(wheel, "betting")
    first = SealedThrow.objects.get(log=house.log(wheel))
    house.play_out(wheel)
    house.until(wheel, "betting")
    second = SealedThrow.objects.get(log=house.log(wheel))
    assert (first.serial, second.serial) == (1, 2)
    for values in ({"sealed": first.sealed}, {"commitment": FREED}, {"serial": 1}, {"number": 3}):
        with pytest.raises(DatabaseError, match="tables_sealedthrow is written once"), transaction.atomic():
            SealedThrow.objects.filter(pk=second.pk).update(**values)
    assert house.play_out(wheel).result == {"number": 4}


def test_with_the_guards_away_a_throw_that_was_known_decides_nothing(db: None) -> None:
    house = House()
    house.throw(17, 4, 9)
    wheel, ana = house.table("wheel", game="roulette"), house.player("ana")
    house.until(wheel, "betting")
    first = SealedThrow.objects.get(log=house.log(wheel))
    house.play_out(wheel)
    house.until(wheel, "betting")
    house.bet(ana, wheel, "straight_17", 100)
    without_guards()
    SealedThrow.objects.filter(pk=first.pk).update(commitment=FREED)
    second = SealedThrow.objects.filter(log=house.log(wheel))
    second.update(commitment=first.commitment, sealed=first.sealed)
    line = LoggedAction.objects.get(log=house.log(wheel), action__do="seal")
    LoggedAction.objects.filter(pk=line.pk).update(action=line.action | {"commitment": first.commitment})
    log = house.play_out(wheel)
    assert log.result != {"number": 17} and house.balance(ana) == 1_000_000 - 10_000
    assert "this throw was sealed as throw:" in faults()
    assert "has the sealed text of" in faults(key=False)


def test_a_throw_that_was_sealed_under_an_earlier_scheme_decides_nothing_and_is_still_proven(db: None) -> None:
    house = House()
    house.throw(4, 9)
    wheel = house.table("wheel", game="roulette")
    house.until(wheel, "betting")
    without_guards()
    found = SealedThrow.objects.get(log=house.log(wheel))
    assert found.sealed_at is not None
    old = throw_before(Label(Kind.THROW, wheel.pk, 1, found.sealed_at, LABELLED), (17,))
    SealedThrow.objects.filter(pk=found.pk).update(
        scheme=2, commitment=old.commitment, sealed=old.sealed, seed_commitment=None, offered=None, revealed=None
    )
    seal = {"do": "seal", "by": "house", "commitment": old.commitment}
    LoggedAction.objects.filter(log=house.log(wheel), action__do="seal").update(action=seal)
    fold_cache.clear()
    log = house.play_out(wheel)
    assert log.result == {"number": 9}, "the spin is null, and another follows"
    found.refresh_from_db()
    assert found.opened is not None and found.opened["values"] == [17] and "seed" not in found.opened
    assert audit(VAULT).clean
    page = Client().get(f"/rounds/{log.pk}/throws/").content.decode()
    assert page.count("True.") == 2 + 5 and "Not true." not in page


# ── The published formulas ──────────────────────────────────────────────────────────────────────────────────


def test_the_formulas_are_those_of_the_documents() -> None:
    """Worked out here by hand, from docs/fairness.md alone."""

    def sha256(text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()

    order = pack(1)
    whole = OpenedPack(label(number=31, table=3), "00ff" * 8, order)
    assert whole.commitment == sha256(f"pack:3:31:{'00ff' * 8}:{' '.join(map(str, order))}")
    assert whole.leaves[16] == sha256(f"card:3:31:17:{whole.salt_of(17)}:{order[16]}")
    thrown = OpenedThrow(label(Kind.THROW, 77, table=3), "00ff" * 8, (3, 3, 5))
    assert thrown.commitment == sha256(f"throw:3:77:{'00ff' * 8}:3 3 5")


def test_a_seal_opens_as_itself_alone() -> None:
    mine = label(number=5, table=3, scheme=KEYED)
    sealed = VAULT.seal_seed(mine, FREED)
    assert VAULT.open_seed(mine, sealed) == FREED
    others = [
        label(number=6, table=3),
        label(number=5, table=4),
        label(Kind.THROW, 5, table=3),
        Label(Kind.PACK, 3, 5, mine.at.replace(minute=1)),
    ]
    for other in others:
        with pytest.raises(ValueError, match="sealed as pack:3:5 "):
            VAULT.open_seed(other, sealed)


def test_a_retired_shoe_opens_to_everybody_as_what_it_was_sealed(house: House) -> None:
    _table, retired, _fresh = two_shoes(house)
    assert opened_pack(retired).commitment == retired.commitment
    text = Client().get(f"/shoes/{retired.pk}/opening.txt").content.decode()
    assert retired.seed is not None and text.startswith(f"seed:{retired.table_id}:1:")
    assert hashlib.sha256(text.encode()).hexdigest() == retired.seed.commitment
