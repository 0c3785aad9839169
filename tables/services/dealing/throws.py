"""Throws: made from a key and sealed before they count, and opened (docs/proof.md)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import structlog

from tables.base.chance import KEYED, Kind, Label, OpenedThrow, Vault, made_throw, seed_commitment
from tables.base.proof_format import Links
from tables.games import GAMES
from tables.games.contract.actions import HOUSE, Seal, Unseal
from tables.games.shared.options import read_options
from tables.models import LoggedAction, RoundLog, SealedThrow, Table
from tables.services.rounds import links
from tables.services.rounds.round_session import RoundSession

from .leases import DealerCredentials
from .seeds import close_links, commit, label_of_seed, next_number, unused_seed

# ── Throws ──────────────────────────────────────────────────────────────────────────────────────────────────


def label_of_throw(sealed: SealedThrow) -> Label:
    """What this throw is sealed as."""
    return Label(
        Kind.THROW,
        sealed.table_id or 0,
        sealed.serial or 0,
        sealed.sealed_at or datetime.min.replace(tzinfo=UTC),
        sealed.scheme,
    )


def seal_throw(session: RoundSession, table: Table, credentials: DealerCredentials) -> None:
    """Seal what will be thrown: from here on only the vault knows it. If bettors have offered links, commit to the seed
    of the throw after it; they have this round to reveal them, and nobody waits (docs/proof.md, 3)."""
    game = GAMES[session.log.game]
    throw = game.throw(read_options(game.options, session.log.options))
    assert throw is not None, f"nothing is thrown in {game.slug}"
    label, seed, offered, revealed = _seed_of_throw(session, table, credentials)
    committed, leaf = seed_commitment(label, seed), made_throw(label, throw, seed, revealed).commitment
    session.act(Seal(commitment=leaf, seed_commitment=committed))
    SealedThrow.objects.create(
        log=session.log,
        number=SealedThrow.objects.filter(log=session.log).count() + 1,
        table_id=label.table,
        serial=label.number,
        sealed_at=label.at,
        scheme=label.scheme,
        seed_commitment=committed,
        offered=offered,
        revealed=revealed,
        commitment=leaf,
        sealed=credentials.vault.seal_seed(label, seed),
    )
    if following := links.listed(table):
        commit(table, credentials, session.now, following, Kind.THROW)


def _seed_of_throw(
    session: RoundSession, table: Table, credentials: DealerCredentials
) -> tuple[Label, str, Links, Links]:
    """The seed of the throw that is sealed now: the one that was committed to in the round before, with its links; else
    one that is drawn now, to which nobody could add anything."""
    unused = unused_seed(table, credentials, Kind.THROW)
    if unused is None:
        number = next_number(table, Kind.THROW)
        return Label(Kind.THROW, table.pk, number, session.now), credentials.chance.seed(), [], []
    committed, seed = unused
    close_links(committed)
    committed.save(update_fields=["revealed"])
    return label_of_seed(committed, Kind.THROW), seed, committed.offered, committed.revealed or []


def open_throw(session: RoundSession, credentials: DealerCredentials) -> None:
    """Open the throw that was sealed last; or do what the game does if that cannot be done."""
    sealed = SealedThrow.objects.select_for_update().filter(log=session.log).latest("number")
    line = LoggedAction.objects.filter(log=session.log, by=HOUSE, action__do=Seal.do).latest("seq")
    try:
        if sealed.scheme != KEYED:
            raise ValueError("this throw was sealed under an earlier scheme, and decides nothing any more")
        opened = _opened(sealed, line.action, credentials.vault)
    except ValueError as error:
        _say_lost(sealed, error)
        session.act(GAMES[session.log.game].lost_throw)
        return
    session.act(Unseal(values=opened.values, salt=opened.salt))
    _publish(sealed, opened)


def open_uncounted(log: RoundLog, vault: Vault) -> None:
    """Open the throws of a round that is over and that were not opened in it: they were null, or not reached.

    One that the vault cannot open stays closed for ever, which the audit says.
    """
    if GAMES[log.game].throw(read_options(GAMES[log.game].options, log.options)) is None:
        return
    for sealed in SealedThrow.objects.select_for_update().filter(log=log, opened__isnull=True).order_by("number"):
        try:
            published = {"commitment": sealed.commitment, "seed_commitment": sealed.seed_commitment}
            _publish(sealed, _opened(sealed, published, vault))
        except ValueError as error:
            _say_lost(sealed, error)


def opened_throw(sealed: SealedThrow, vault: Vault) -> OpenedThrow:
    """What lies sealed in a throw, of whichever scheme. Raises ValueError if the vault cannot open it."""
    label = label_of_throw(sealed)
    if sealed.scheme != KEYED:
        return vault.open_throw(label, sealed.sealed)
    game = GAMES[sealed.log.game]
    throw = game.throw(read_options(game.options, sealed.log.options))
    assert throw is not None, f"nothing is thrown in {game.slug}"
    return made_throw(label, throw, vault.open_seed(label, sealed.sealed), sealed.revealed or ())


def _opened(sealed: SealedThrow, published: Mapping[str, object], vault: Vault) -> OpenedThrow:
    """Only here, and only with the dealers' key. Raises ValueError if it is not what was published."""
    opened = opened_throw(sealed, vault)
    if opened.commitment != published["commitment"]:
        raise ValueError("the sealed throw is not the one that was published")
    if opened.seed and seed_commitment(opened.label, opened.seed) != published.get("seed_commitment"):
        raise ValueError("the seed of the throw is not the one that was published")
    return opened


def _publish(sealed: SealedThrow, opened: OpenedThrow) -> None:
    sealed.opened = {"salt": opened.salt, "values": list(opened.values)}
    if opened.seed:
        sealed.opened["seed"] = opened.seed
    sealed.save(update_fields=["opened"])


def _say_lost(sealed: SealedThrow, error: ValueError) -> None:
    log = structlog.get_logger(__name__)
    log.error("a throw cannot be opened", round=sealed.log_id, number=sealed.number, reason=str(error))
