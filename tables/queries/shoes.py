"""What may be read of a shoe, of whichever scheme (docs/proof.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tables.base import proof_format
from tables.base.archive_files import ArchiveError
from tables.games import GAMES
from tables.models import PackSeed, RoundLog, Shoe, Table

from .archived import leaves_in_file


def opens_by_card(shoe: Shoe) -> bool:
    """Whether its cards are proven one by one, and the rest of it stays closed, since hands stay private."""
    return shoe.leaves is not None if shoe.seed_id is None else GAMES[shoe.table.game].private_hands


def leaves_of(shoe: Shoe) -> Sequence[str] | None:
    """The commitments to its single cards; None in a shoe of an earlier scheme that was committed to as a whole.

    Of a pack that has left for the archive they are worked out from its opened seed, or read from the file if it stays
    closed. Raises ArchiveError.
    """
    if shoe.seed is None:
        return shoe.leaves
    return shoe.seed.leaves if shoe.seed.archive_id is None else leaves_elsewhere(shoe)


def leaves_elsewhere(shoe: Shoe) -> list[str]:
    """The leaves of an archived pack, without those that the database keeps. Raises ArchiveError if there are none."""
    assert shoe.seed is not None
    if (seed := (shoe.opened or {}).get("seed")) is not None:
        key = proof_format.key(seed, [link for _, link in shoe.seed.revealed or ()])
        return list(proof_format.leaves(shoe.table_id, shoe.number, key, proof_format.pack_of(key, shoe.decks)))
    if (kept := leaves_in_file(shoe)) is None:
        raise ArchiveError(f"no archive has the leaves of shoe {shoe.pk}")
    return list(kept)


def leaves_with_root(shoe_id: int) -> tuple[str, Sequence[str]]:
    """The root of a shoe, and the leaves below it; no leaves where it was committed to as a whole."""
    shoe = Shoe.objects.select_related("seed").get(pk=shoe_id)
    return shoe.commitment, leaves_of(shoe) or ()


@dataclass(frozen=True, slots=True)
class OpenList:
    """The links that bettors have offered for the next pack or throw of a table, published with the commitment to its
    seed: those in it may reveal theirs now (docs/proof.md, 2 and 3)."""

    number: int
    commitment: str
    offered: tuple[tuple[str, str], ...]


def open_list_of(table_id: int) -> OpenList | None:
    """The list that takes links now; None if the table's next seed is not committed to, or is mixed."""
    seeds = PackSeed.objects.filter(table_id=table_id).order_by("-number")
    seed = seeds.only("number", "commitment", "offered", "revealed", "dropped_at").first()
    if seed is None or seed.revealed is not None or seed.dropped_at is not None:
        return None
    return OpenList(seed.number, seed.commitment, tuple((bettor, link) for bettor, link in seed.offered))


@dataclass(frozen=True, slots=True)
class DealtFrom:
    """The pack that a round is dealt from: which shoe, of how many cards, where it was cut, and how many had left it
    before the round."""

    shoe_id: int
    size: int
    cut: int
    before: int


def dealt_from(log: RoundLog, table: Table, drawn: int) -> DealtFrom | None:
    """The pack of a round in which so many cards were drawn; None if its cards are not opened one by one: there is
    none, it is not cut yet, or it is of an earlier scheme. `table` and its shoe are of the same moment as the log."""
    if log.shoe_id is None or not drawn:
        return None
    shoe = table.shoe
    if shoe is None or shoe.pk != log.shoe_id:
        shoe = Shoe.objects.only("seed", "decks", "cut", "dealt").get(pk=log.shoe_id)
    if shoe.seed_id is None or shoe.cut is None:
        return None
    return DealtFrom(shoe.pk, shoe.decks * 52, shoe.cut, shoe.dealt - drawn)
