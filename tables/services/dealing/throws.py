"""Throws: sealed before they count, and opened."""

from __future__ import annotations

from datetime import UTC, datetime

import structlog
from django.db.models import Max

from tables.base.chance import SCHEME, Kind, Label, OpenedThrow, Vault, thrown
from tables.games import GAMES
from tables.games.contract.actions import HOUSE, Seal, Unseal
from tables.games.shared.options import read_options
from tables.models import LoggedAction, RoundLog, SealedThrow
from tables.services.rounds.round_session import RoundSession

from .leases import DealerCredentials

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


def seal_throw(session: RoundSession, credentials: DealerCredentials) -> None:
    """Draw what will be thrown and seal it at once: from here on only the vault knows it."""
    game = GAMES[session.log.game]
    throw = game.throw(read_options(game.options, session.log.options))
    assert throw is not None, f"nothing is thrown in {game.slug}"
    of_table = SealedThrow.objects.filter(table_id=session.table_id).aggregate(last=Max("serial"))
    label = Label(Kind.THROW, session.table_id, (of_table["last"] or 0) + 1, session.now)
    sealed = credentials.vault.seal_throw(label, thrown(throw, credentials.chance))
    session.act(Seal(commitment=sealed.commitment))
    SealedThrow.objects.create(
        log=session.log,
        number=SealedThrow.objects.filter(log=session.log).count() + 1,
        table_id=label.table,
        serial=label.number,
        sealed_at=label.at,
        scheme=label.scheme,
        commitment=sealed.commitment,
        sealed=sealed.sealed,
    )


def open_throw(session: RoundSession, credentials: DealerCredentials) -> None:
    """Open the throw that was sealed last; or do what the game does if that cannot be done."""
    sealed = SealedThrow.objects.select_for_update().filter(log=session.log).latest("number")
    line = LoggedAction.objects.filter(log=session.log, by=HOUSE, action__do=Seal.do).latest("seq")
    try:
        if sealed.scheme != SCHEME:
            raise ValueError("this throw was sealed without a label, and decides nothing any more")
        opened = _opened(sealed, line.action["commitment"], credentials.vault)
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
            _publish(sealed, _opened(sealed, sealed.commitment, vault))
        except ValueError as error:
            _say_lost(sealed, error)


def _opened(sealed: SealedThrow, published: str, vault: Vault) -> OpenedThrow:
    """Only here, and only with the dealers' key. Raises ValueError if it is not what was published."""
    opened = vault.open_throw(label_of_throw(sealed), sealed.sealed)
    if opened.commitment != published:
        raise ValueError("the sealed throw is not the one that was published")
    return opened


def _publish(sealed: SealedThrow, opened: OpenedThrow) -> None:
    sealed.opened = {"salt": opened.salt, "values": list(opened.values)}
    sealed.save(update_fields=["opened"])


def _say_lost(sealed: SealedThrow, error: ValueError) -> None:
    log = structlog.get_logger(__name__)
    log.error("a throw cannot be opened", round=sealed.log_id, number=sealed.number, reason=str(error))
