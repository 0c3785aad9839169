"""Packs: shuffled, sealed, dealt from, retired."""

from __future__ import annotations

from datetime import datetime

import structlog

from tables.base.chance import SCHEME, Kind, Label, OpenedPack, Vault, places_dealt
from tables.games import GAMES
from tables.games.contract.actions import DrawCard, Void, VoidReason, WhiteCard
from tables.games.contract.game import ShoeRules  # fmt: skip
from tables.games.contract.round import Round
from tables.games.shared.options import read_options
from tables.games.values.cards import Card
from tables.models import RoundLog, Shoe, Table
from tables.queries.folds import game_of
from tables.services.pit import rulings
from tables.services.rounds.round_session import RoundSession

from .leases import DealerCredentials


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
    session.act(
        DrawCard(
            card=_card_at(shoe, session.log, credentials.vault),
            exposed=rulings.lies_face_up(session.log, session.round),
        )
    )
    shoe.dealt += 1
    shoe.save(update_fields=["dealt"])


def shoe_of(session: RoundSession) -> Shoe:
    assert session.log.shoe_id is not None, "this game has no shoe"
    return Shoe.objects.select_for_update().get(pk=session.log.shoe_id)


def label_of(shoe: Shoe) -> Label:
    """What this pack is sealed as."""
    return Label(Kind.PACK, shoe.table_id, shoe.number, shoe.shuffled_at, shoe.scheme)


_opened_packs: dict[tuple[Label, str, bytes], OpenedPack] = {}
"""The packs that were opened here and are the ones that were published: by label, commitment and sealed text."""


def _card_at(shoe: Shoe, log: RoundLog, vault: Vault) -> Card:
    """The next card of a sealed shoe. Only here, and only with the dealers' key.

    Raises ValueError unless it is the pack that the round was opened with, sealed as this very shoe.
    """
    if shoe.scheme != SCHEME:
        raise ValueError("this shoe was sealed without a label, and is not dealt from any more")
    if log.opening.get("commitment") != shoe.commitment:
        raise ValueError("this shoe is not the one that the round was opened with")
    return _opened_pack(shoe, vault).dealt_order(shoe.cut or 0)[shoe.dealt]


def _opened_pack(shoe: Shoe, vault: Vault) -> OpenedPack:
    """Raises ValueError if it cannot be opened, was sealed as another, or is not the one that was published."""
    known = (label_of(shoe), shoe.commitment, bytes(shoe.sealed))
    if known not in _opened_packs:
        pack = vault.open(label_of(shoe), shoe.sealed)
        if not pack.is_committed(shoe.commitment, shoe.leaves):
            raise ValueError("the sealed shoe is not the one that was published")
        while len(_opened_packs) >= 256:
            _opened_packs.pop(next(iter(_opened_packs)))
        _opened_packs[known] = pack
    return _opened_packs[known]


def wants_fresh_shoe(table: Table, rules: ShoeRules, before: Round | None) -> bool:
    return (
        table.shoe is None
        or rules.every_round
        or table.fresh_shoe_due
        or table.shoe.decks != rules.decks
        or table.shoe.scheme != SCHEME
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
    """A fresh pack, shuffled, sealed and committed to; the one before is retired and opened for all to check."""
    by_card = GAMES[table.game].private_hands
    assert not by_card or (rules.every_round and rules.decks == 1), "a card must be known by its face"
    number = 1
    if table.shoe is not None:
        retire(table.shoe, credentials.vault, now)
        number = table.shoe.number + 1
    label = Label(Kind.PACK, table.pk, number, now)
    pack = credentials.vault.seal(label, credentials.chance.shuffled(rules.decks), by_card=by_card)
    table.shoe = Shoe.objects.create(
        table=table,
        number=number,
        decks=rules.decks,
        scheme=label.scheme,
        commitment=pack.commitment,
        leaves=pack.leaves,
        sealed=pack.sealed,
        cut=0 if rules.machine else None,
        white_at=None if rules.white_depth is None else rules.decks * 52 - rules.white_depth,
        shuffled_at=now,
    )


def retire(shoe: Shoe, vault: Vault, now: datetime) -> None:
    """No card leaves this shoe any more: publish its order and salt. Does nothing the second time.

    Of a pack committed to card by card what opens those that were dealt is kept for the pages, which show it to whoever
    saw them; the others stay closed, since they would tell what the private hands are not.

    One that the vault cannot open (its key was lost), or that is not what was published, stays closed for ever, which
    the audit says; the table goes on.
    """
    if shoe.retired_at is not None:
        return
    shoe.retired_at = now
    try:
        pack = _opened_pack(shoe, vault)
    except ValueError as error:
        structlog.get_logger(__name__).error("a shoe is retired unopened", shoe=shoe.pk, reason=str(error))
    else:
        shoe.opened = _opening(shoe, pack)
    shoe.save(update_fields=["retired_at", "opened"])


def _opening(shoe: Shoe, pack: OpenedPack) -> dict[str, object]:
    if shoe.leaves is None:
        return {"salt": pack.salt, "order": [str(card) for card in pack.order]}
    places = places_dealt(shoe.decks, shoe.cut or 0, shoe.dealt)
    return {"cards": [[pack.salt_of(place), str(pack.order[place - 1])] for place in places]}
