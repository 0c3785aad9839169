"""Whether each pack and each throw of the house is the one that was committed to before. Reads only.

What was opened needs no key, nor do the cards that were dealt from a pack made from a key: their salts stand in the
logs. With the dealers' vault, what is still sealed is checked too.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain

from django.db.models import Q

from tables.base.chance import (
    KEYED,
    UNLABELLED,
    Kind,
    Label,
    OpenedPack,
    OpenedThrow,
    Pack,
    Vault,
    commitment_to,
    leaf,
    made_pack,
    made_throw,
    places_dealt,
    seed_commitment,
)
from tables.base.proof_format import checked_reveals
from tables.games import GAMES
from tables.games.codec import action_from
from tables.games.contract.actions import DrawCard, Seal, Unseal
from tables.games.contract.errors import Refused
from tables.games.contract.game import Throw
from tables.games.shared.options import read_options
from tables.games.values.cards import cards
from tables.models import PackSeed, RoundLog, SealedThrow, Shoe, Table
from tables.queries.archived import lines_of
from tables.queries.folds import entries_of, game_of
from tables.queries.shoes import leaves_of, opens_by_card
from tables.services.dealing.seeds import opened_seed
from tables.services.dealing.shoes import label_of, opened_pack
from tables.services.dealing.throws import label_of_throw, opened_throw

IMPOSSIBLE = (Refused, AssertionError, ValueError, LookupError, TypeError)
"""What folding or opening raises when the stored thing is not what was written."""


def faults(vault: Vault | None) -> Iterator[str]:
    """Every pack, seed and throw that is not what was published of it."""
    yield from _sealed_twice()
    yield from _seeds(vault)
    yield from _shoes(vault)
    yield from _throws(vault)


def _sealed_twice() -> Iterator[str]:
    """Nothing is sealed twice: each commitment and each sealed text is that of one seed, one pack or one throw."""
    shoes = Shoe.objects.order_by("pk").only("commitment", "sealed").iterator()
    seeds = PackSeed.objects.order_by("pk").only("table_id", "number", "commitment", "sealed").iterator()
    throws = SealedThrow.objects.order_by("pk").only("log_id", "number", "commitment", "sealed").iterator()
    all_: Iterator[Shoe | PackSeed | SealedThrow] = chain(shoes, seeds, throws)
    seen: dict[str | bytes, str] = {}
    for one in all_:
        name = _name(one)
        if (first := seen.setdefault(one.commitment, name)) != name:
            yield f"{name} has the commitment of {first}"
        if one.sealed is not None and (first := seen.setdefault(hashlib.sha256(one.sealed).digest(), name)) != name:
            yield f"{name} has the sealed text of {first}"


def _name(one: Shoe | PackSeed | SealedThrow) -> str:
    match one:
        case Shoe():
            return f"shoe {one.pk}"
        case PackSeed():
            return f"table {one.table_id}: the seed of pack {one.number}"
    return f"round {one.log_id}: throw {one.number}"


# ── Packs ───────────────────────────────────────────────────────────────────────────────────────────────────


def _seeds(vault: Vault | None) -> Iterator[str]:
    """Each seed that was committed to became a pack or a throw, save the newest of its table, which still may; and each
    is the one that was committed to."""
    newest: dict[int, int] = {}
    made = set(Shoe.objects.filter(seed__isnull=False).values_list("seed_id", flat=True))
    for one in PackSeed.objects.select_related("table").defer("leaves").order_by("table_id", "-number").iterator():
        name, last = _name(one), newest.setdefault(one.table_id, one.number)
        throw, used, is_throw = None, one.pk in made, bool(GAMES[one.table.game].throws)
        if is_throw:
            name = f"table {one.table_id}: the seed of throw {one.number}"
            throw = SealedThrow.objects.filter(table=one.table, serial=one.number).first()
            used = throw is not None
        if used != (one.revealed is not None):
            what = "throw" if is_throw else "shoe"
            yield f"{name} is mixed without a {what}, or the {what} is there without mixing"
        if not used and one.number < last:
            yield f"{name} was committed to, and no {'throw was made' if is_throw else 'pack was dealt'} from it"
        if throw is not None and _mixed(throw) != (one.commitment, one.offered, one.revealed):
            yield f"{name} and its throw have other commitments or links"
        try:
            checked_reveals(one.offered, one.revealed or ())
        except (TypeError, ValueError) as error:
            yield f"{name}: its links do not fit: {error}"
        if vault is not None:
            try:
                opened_seed(one, vault, Kind.THROW if is_throw else Kind.PACK)
            except ValueError as error:
                yield f"{name} cannot be read: {error}"


def _mixed(throw: SealedThrow) -> tuple[object, ...]:
    return throw.seed_commitment, throw.offered, throw.revealed


def _shoes(vault: Vault | None) -> Iterator[str]:
    """The cards in the logs are the sealed ones, in their order."""
    for shoe in Shoe.objects.select_related("seed", "table").order_by("pk").iterator():
        name = _name(shoe)
        try:
            drawn = list(_drawn(shoe))
        except IMPOSSIBLE as error:
            yield f"{name}: the lines of its cards cannot be read: {error}"
            continue
        if len(drawn) != shoe.dealt:
            yield f"{name}: {shoe.dealt} cards have left it, the logs have {len(drawn)}"
        if shoe.scheme != UNLABELLED:
            yield from _dealt_from(shoe, name)
        if shoe.scheme == KEYED and (shoe.seed is None or (shoe.seed.table_id, shoe.seed.number) != _place(shoe)):
            yield f"{name} is made from the seed of another pack"
            continue
        try:
            leaves = leaves_of(shoe)
        except IMPOSSIBLE as error:
            yield f"{name}: its leaves cannot be read: {error}"
            continue
        if leaves is not None and commitment_to(leaves) != shoe.commitment:
            yield f"{name}: its leaves are not the ones that were committed to"
        if leaves is not None and shoe.seed is not None:
            yield from _turned(name, shoe, leaves, drawn)
        try:
            packs = {where: pack for where, pack in _packs(shoe, vault) if pack is not None}
        except IMPOSSIBLE as error:
            yield f"{name} cannot be read: {error}"
            continue
        if opens_by_card(shoe):
            yield from _by_card(name, shoe, leaves, drawn)
        for pack in packs.values():
            if not pack.is_committed(shoe.commitment, leaves):
                yield f"{name}: its order is not the one that was committed to"
            if [draw.card for draw in drawn] != list(pack.dealt_order(shoe.cut or 0)[: len(drawn)]):
                yield f"{name}: the cards in the logs are not in its order"


def _place(shoe: Shoe) -> tuple[int, int]:
    return shoe.table_id, shoe.number


def _dealt_from(shoe: Shoe, name: str) -> Iterator[str]:
    """The rounds of a shoe were opened with its commitment, and with that of its seed; and they were archived before
    its leaves."""
    seed = "" if shoe.seed is None else shoe.seed.commitment
    rounds = RoundLog.objects.filter(shoe=shoe).order_by("number")
    if shoe.seed is not None and shoe.seed.archive_id is not None:
        for number in rounds.filter(archive__isnull=True).values_list("pk", flat=True):
            yield f"{name} is archived, and its round {number} is not"
    for number, opening in rounds.values_list("pk", "opening"):
        if opening.get("commitment") != shoe.commitment:
            yield f"{name}: round {number} was opened with another commitment"
        if opening.get("seed_commitment", "") != seed:
            yield f"{name}: round {number} was opened with another seed"


def _turned(name: str, shoe: Shoe, leaves: Sequence[str], drawn: Sequence[DrawCard]) -> Iterator[str]:
    """Each card in the logs is the one that was committed to at its place. This needs no key."""
    for place, draw in zip(places_dealt(shoe.decks, shoe.cut or 0, len(drawn)), drawn, strict=True):
        if place > len(leaves) or leaves[place - 1] != leaf(label_of(shoe), place, draw.salt, draw.card):
            yield f"{name}: the card at place {place} is not the one that was committed to"


def _by_card(name: str, shoe: Shoe, leaves: Sequence[str] | None, drawn: list[DrawCard]) -> Iterator[str]:
    """What was opened of a pack whose hands stay private is what was dealt, no more and no less, and was committed to.

    This needs no key.
    """
    if shoe.opened is None or leaves is None:
        return
    opened = shoe.opened.get("cards", [])
    if shoe.opened.keys() != {"cards"} or [card for _salt, card in opened] != [str(draw.card) for draw in drawn]:
        yield f"{name}: the cards that were opened are not the ones in the logs"
        return
    for place, (salt, card) in zip(places_dealt(shoe.decks, shoe.cut or 0, len(opened)), opened, strict=True):
        if leaves[place - 1] != leaf(label_of(shoe), place, salt, card):
            yield f"{name}: the card at place {place} is not the one that was committed to"


def _drawn(shoe: Shoe) -> Iterator[DrawCard]:
    """The cards of this shoe in the logs, in order."""
    for log in RoundLog.objects.filter(shoe=shoe).order_by("number"):
        for data, *_ in entries_of(log):
            action = action_from(game_of(log), data)
            if isinstance(action, DrawCard):
                yield action


def _packs(shoe: Shoe, vault: Vault | None) -> Iterator[tuple[str, Pack | None]]:
    """Its order: as it was published, and as the dealers' key shows it; what has not been opened nobody reads without
    the key."""
    if shoe.opened is not None and not opens_by_card(shoe):
        yield "page", _published(shoe)
    if vault is not None and (shoe.seed is not None or shoe.opened is None or shoe.leaves is not None):
        yield "vault", opened_pack(shoe, vault)


def _published(shoe: Shoe) -> Pack:
    """Raises ValueError if it was opened with another seed than the one that was committed to."""
    assert shoe.opened is not None
    label = label_of(shoe)
    if shoe.seed is None:
        return OpenedPack(label, shoe.opened["salt"], cards(shoe.opened["order"]))
    seed = shoe.opened["seed"]
    if seed_commitment(label, seed) != shoe.seed.commitment:
        raise ValueError("the seed on its page is not the one that was committed to")
    return made_pack(label, shoe.decks, seed, shoe.seed.revealed or ())


# ── Throws ──────────────────────────────────────────────────────────────────────────────────────────────────


def _throws(vault: Vault | None) -> Iterator[str]:
    """Each throw that a log was opened with is the one that was committed to before, and none lies closed behind it.

    What is opened needs no key.
    """
    present = set(Table.objects.values_list("round", flat=True))
    sealed: dict[int, list[SealedThrow]] = defaultdict(list)
    for one in SealedThrow.objects.select_related("log").order_by("log", "number").iterator():
        sealed[one.log_id].append(one)
    throwing = [game.slug for game in GAMES.values() if game.throws]
    logs = RoundLog.objects.filter(Q(game__in=throwing) | Q(pk__in=sealed.keys()))
    for log in logs.order_by("pk").iterator():
        name = f"round {log.pk}"
        try:
            game = game_of(log)
            throw = game.throw(read_options(game.options, log.options))
            seals, counted = _committed(log)
            found, committed = sealed[log.pk], [seal.commitment for seal in seals]
            if [(one.number, one.commitment) for one in found] != list(enumerate(committed, start=1)):
                yield f"{name}: its throws are sealed as {[one.commitment for one in found]}, its log says {committed}"
                continue
            for one, seal in zip(found, seals, strict=True):
                if (one.seed_commitment or "") != seal.seed_commitment:
                    yield f"{name}: throw {one.number} has another seed than its log says"
            for one in found:
                yield from _throw(one, throw, counted.get(one.number), vault)
                if one.opened is None and log.settled_at is not None and log.pk not in present:
                    yield f"{name}: throw {one.number} was never opened"
        except IMPOSSIBLE as error:
            yield f"{name}: its throws cannot be read: {type(error).__name__} {error}"


_Opening = tuple[str, tuple[int, ...]]
"""What opens a throw: its salt and its numbers."""


def _committed(log: RoundLog) -> tuple[list[Seal], dict[int, _Opening]]:
    """The commitments that stand in a log, in order; and by their number those throws that it was opened with."""
    committed: list[Seal] = []
    counted: dict[int, _Opening] = {}
    game = game_of(log)
    for line in lines_of(log, Seal.do, Unseal.do):
        match action_from(game, line.action):
            case Seal() as seal:
                committed.append(seal)
            case Unseal(values=values, salt=salt):
                counted[len(committed)] = (salt, values)
    return committed, counted


def _throw(one: SealedThrow, throw: Throw | None, counted: _Opening | None, vault: Vault | None) -> Iterator[str]:
    """One sealed throw: what the log was opened with, what is published of it, and what the vault holds."""
    name = f"round {one.log_id}: throw {one.number}"
    label = label_of_throw(one)
    published = None if one.opened is None else (one.opened["salt"], tuple(one.opened["values"]))
    if counted is not None and counted != published:
        yield f"{name} is in the log as {counted[1]}, and was published as {published and published[1]}"
    openings = {
        where: None if opening is None else OpenedThrow(label, *opening)
        for where, opening in (("log", counted), ("page", published))
    }
    if one.scheme != UNLABELLED and one.table_id != one.log.table_id:
        yield f"{name} was sealed for another table"
    if vault is not None:
        try:
            openings["vault"] = opened_throw(one, vault)
        except ValueError as error:
            yield f"{name} cannot be read: {error}"
    if one.scheme == KEYED and throw is not None:
        yield from _made_from(one, label, throw, openings.get("vault"), published)
    for where, opened in openings.items():
        if opened is None:
            continue
        if opened.commitment != one.commitment:
            yield f"{name}: what the {where} has of it is not what was committed to"
        if throw is None or len(opened.values) != throw.count or not all(map(throw.allows, opened.values)):
            yield f"{name}: {opened.values} in the {where} is nothing that could be thrown"


def _made_from(
    one: SealedThrow, label: Label, throw: Throw, sealed: OpenedThrow | None, published: _Opening | None
) -> Iterator[str]:
    """A throw that was made from a key: its links fit, its seed is the one committed to, and what is published of it
    follows from both."""
    name = f"round {one.log_id}: throw {one.number}"
    try:
        checked_reveals(one.offered or (), one.revealed or ())
    except (TypeError, ValueError) as error:
        yield f"{name}: its links do not fit: {error}"
        return
    seeds = {"vault": sealed.seed if sealed is not None else None, "page": (one.opened or {}).get("seed")}
    for where, seed in seeds.items():
        if seed is not None and seed_commitment(label, seed) != one.seed_commitment:
            yield f"{name}: the seed in the {where} is not the one that was committed to"
    if published is not None:
        if seeds["page"] is None:
            yield f"{name} was published without its seed"
            return
        made = made_throw(label, throw, seeds["page"], one.revealed or ())
        if published != (made.salt, made.values):
            yield f"{name}: seed and links give {made.values}, and {published[1]} was published"
