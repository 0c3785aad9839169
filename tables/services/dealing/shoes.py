"""Packs: committed to, made from a key, dealt from, retired (docs/proof.md)."""

from __future__ import annotations

from datetime import datetime

import structlog

from tables.base import sql
from tables.base.chance import KEYED, Kind, Label, MadePack, Pack, Vault, made_pack, places_dealt
from tables.base.proof_format import place_of
from tables.games import GAMES
from tables.games.contract.actions import DrawCard, Void, VoidReason, WhiteCard
from tables.games.contract.game import ShoeRules
from tables.games.contract.round import Round
from tables.games.shared.options import read_options
from tables.games.values.cards import Card
from tables.models import PackSeed, RoundLog, Shoe, Table
from tables.queries.folds import game_of
from tables.queries.shoes import leaves_of, opens_by_card
from tables.services.pit import rulings
from tables.services.rounds.round_session import RoundSession

from .leases import DealerCredentials
from .seeds import close_links, label_of_seed, opened_seed, seed_of_fresh_pack


def draw_card(session: RoundSession, table: Table, credentials: DealerCredentials) -> None:
    shoe = shoe_of(session)
    if shoe.dealt == shoe.decks * 52:
        session.act(Void(reason=VoidReason.PACK_OUT))
        table.fresh_shoe_due = True
        table.save(update_fields=["fresh_shoe_due"])
        return
    if shoe.white_at is not None and shoe.dealt == shoe.white_at and not shoe.white_shown:
        session.act(WhiteCard())
        shoe.white_shown = True
        shoe.save(update_fields=["white_shown"])
        return
    card, salt = _card_at(shoe, session.log, credentials.vault)
    session.act(DrawCard(card=card, exposed=rulings.lies_face_up(session.log, session.round), salt=salt))
    shoe.dealt += 1
    sql.execute('UPDATE "tables_shoe" SET dealt = %s WHERE id = %s', [shoe.dealt, shoe.pk])


_LONG = ("leaves", "opened")
"""Columns of shoes and seeds that no card is dealt by."""


def shoe_of(session: RoundSession) -> Shoe:
    """The shoe of this round, whose row is locked, with its seed."""
    assert session.log.shoe_id is not None, "this game has no shoe"
    row = sql.locked_row(
        f"{sql.columns_of(Shoe, 'own', _LONG)}, {sql.columns_of(PackSeed, 'seed', _LONG)}",
        '"tables_shoe" own LEFT JOIN "tables_packseed" seed ON seed.id = own.seed_id',
        "own.id = %s",
        [session.log.shoe_id],
        of="own",
    )
    assert row is not None, "a round keeps its shoe"
    own = sql.number_of(Shoe, _LONG)
    shoe = sql.instance_of(Shoe, row[:own], _LONG)
    shoe.seed = sql.instance_of(PackSeed, row[own:], _LONG) if shoe.seed_id is not None else None
    return shoe


def label_of(shoe: Shoe) -> Label:
    """What this pack, or the seed of it, is sealed as."""
    at = shoe.shuffled_at if shoe.seed is None else shoe.seed.committed_at
    return Label(Kind.PACK, shoe.table_id, shoe.number, at, shoe.scheme)


_opened_packs: dict[tuple[object, ...], MadePack] = {}
"""The packs that were made here and are the ones that were published, by all that they were made from."""


def _card_at(shoe: Shoe, log: RoundLog, vault: Vault) -> tuple[Card, str]:
    """The next card of a sealed shoe, and its salt. Only here, and only with the dealers' key.

    Raises ValueError unless it is the pack that the round was opened with, sealed as this very shoe.
    """
    if shoe.scheme != KEYED:
        raise ValueError("this shoe was sealed under an earlier scheme, and is not dealt from any more")
    if log.opening.get("commitment") != shoe.commitment:
        raise ValueError("this shoe is not the one that the round was opened with")
    pack, place = _made_pack(shoe, vault), place_of(shoe.dealt + 1, shoe.cut or 0, shoe.decks * 52)
    return pack.order[place - 1], pack.salt_of(place)


def _made_pack(shoe: Shoe, vault: Vault) -> MadePack:
    """Raises ValueError if its seed cannot be opened, was sealed as another, or gives another pack than the published
    one."""
    known = _what_it_is_made_from(shoe)
    if known not in _opened_packs:
        pack = opened_pack(shoe, vault)
        if not isinstance(pack, MadePack) or pack.commitment != shoe.commitment:
            raise ValueError("the sealed shoe is not the one that was published")
        _remember(known, pack)
    return _opened_packs[known]


def _what_it_is_made_from(shoe: Shoe) -> tuple[object, ...]:
    assert shoe.seed is not None
    seed = shoe.seed
    return label_of(shoe), shoe.decks, shoe.commitment, seed.commitment, bytes(seed.sealed), repr(seed.revealed)


def _remember(known: tuple[object, ...], pack: MadePack) -> None:
    while len(_opened_packs) >= 256:
        _opened_packs.pop(next(iter(_opened_packs)))
    _opened_packs[known] = pack


def opened_pack(shoe: Shoe, vault: Vault) -> Pack:
    """The pack of a shoe, of whichever scheme, as the dealers' key shows it. Raises ValueError if it cannot be opened,
    was sealed as another, or has another seed than the published one."""
    label = label_of(shoe)
    if shoe.seed is None:
        return vault.open(label, shoe.sealed or b"")
    return made_pack(label, shoe.decks, opened_seed(shoe.seed, vault), shoe.seed.revealed or ())


def seed_commitment_of(shoe: Shoe | None) -> str:
    """What was published of the seed of a pack; nothing if it was made from none."""
    if shoe is None or shoe.seed_id is None:
        return ""
    return PackSeed.objects.values_list("commitment", flat=True).get(pk=shoe.seed_id)


def wants_fresh_shoe(table: Table, rules: ShoeRules, before: Round | None) -> bool:
    return (
        table.shoe is None
        or rules.every_round
        or table.fresh_shoe_due
        or table.shoe.decks != rules.decks
        or table.shoe.scheme != KEYED
        or table.shoe.retired_at is not None
        or (before is not None and before.ends_shoe)
    )


def is_loaded(table: Table, rules: ShoeRules) -> bool:
    """Whether the machine is loaded now; else it shuffles what it holds, as after every round."""
    last = table.round
    if last is None or table.fresh_shoe_due:
        return True
    game = game_of(last)
    return game.shoe(read_options(game.options, last.options)) != rules


def shuffle(table: Table, rules: ShoeRules, credentials: DealerCredentials, now: datetime) -> None:
    """A fresh pack, made from its seed and published leaf by leaf; the one before is retired and opened for all to
    check (docs/proof.md, 3 to 5). Raises LinksAwaited, and then nothing may stay of what was done."""
    by_card = GAMES[table.game].private_hands
    assert not by_card or (rules.every_round and rules.decks == 1), "a card must be known by its face"
    committed, seed = seed_of_fresh_pack(table, credentials, now)
    if table.shoe is not None:
        retire(table.shoe, credentials.vault, now)
    close_links(committed)
    pack = made_pack(label_of_seed(committed), rules.decks, seed, committed.revealed or ())
    commitment = _publish(committed, pack)
    table.shoe = Shoe.objects.create(
        table=table,
        number=committed.number,
        seed=committed,
        decks=rules.decks,
        scheme=KEYED,
        commitment=commitment,
        cut=0 if rules.machine else None,
        white_at=None if rules.white_depth is None else rules.decks * 52 - rules.white_depth,
        shuffled_at=now,
    )
    _remember(_what_it_is_made_from(table.shoe), pack)


def _publish(committed: PackSeed, pack: MadePack) -> str:
    """Write down the leaves of a fresh pack and the links that are in it; its commitment."""
    committed.leaves = list(pack.leaves)
    committed.save(update_fields=["revealed", "leaves"])
    return pack.commitment


def retire(shoe: Shoe, vault: Vault, now: datetime) -> None:
    """No card leaves this shoe any more: publish its seed (docs/proof.md, 8).

    Where hands stay private the seed stays closed for ever. What opens the cards that were dealt is kept for the pages,
    which show it to whoever saw them; the others stay closed, since they would tell what the private hands are not.

    One that the vault cannot open (its key was lost), or that is not what was published, stays closed for ever, which
    the audit says; the table goes on.
    """
    if shoe.retired_at is not None:
        return
    shoe.retired_at = now
    try:
        pack = opened_pack(shoe, vault) if shoe.seed is None else _made_pack(shoe, vault)
        if not pack.is_committed(shoe.commitment, leaves_of(shoe)):
            raise ValueError("the sealed shoe is not the one that was published")
    except ValueError as error:
        structlog.get_logger(__name__).error("a shoe is retired unopened", shoe=shoe.pk, reason=str(error))
    else:
        shoe.opened = _opening(shoe, pack)
    shoe.save(update_fields=["retired_at", "opened"])


def _opening(shoe: Shoe, pack: Pack) -> dict[str, object]:
    if opens_by_card(shoe):
        places = places_dealt(shoe.decks, shoe.cut or 0, shoe.dealt)
        return {"cards": [[pack.salt_of(place), str(pack.order[place - 1])] for place in places]}
    if isinstance(pack, MadePack):
        return {"seed": pack.seed}
    return {"salt": pack.salt, "order": [str(card) for card in pack.order]}
