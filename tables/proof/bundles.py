"""The bundle of a stored round: what proves it, for one viewer (docs/proof.md)."""

from __future__ import annotations

from django.conf import settings

from tables.base.bundle import Bundle, ThrowProof
from tables.base.proof_format import throw_value
from tables.games.contract.actions import Unseal
from tables.games.record import outcome_of
from tables.games.values.json import JsonObject
from tables.models import LoggedAction, RoundLog, SealedThrow
from tables.queries.folds import game_of
from tables.queries.history import record_of_log

from . import visibility


class NoBundle(Exception):  # noqa: N818 (it says what there is)
    """The round has no proof in this format; the text says why."""


def bundle_of(log: RoundLog, who: str | None) -> Bundle:
    """All that this viewer (None: a mere spectator) may have of the proof of a round, as far as it is opened.

    Raises NoBundle for a round that was dealt, or thrown, under an earlier scheme.
    """
    if not game_of(log).throws:
        raise NoBundle(f"round {log.pk} was dealt from a pack of an earlier scheme: /shoes/{log.shoe_id}/ proves it")
    thrown = list(SealedThrow.objects.filter(log=log).order_by("number"))
    if not all(one.seed_commitment for one in thrown):
        raise NoBundle(f"round {log.pk} was thrown under an earlier scheme: /rounds/{log.pk}/throws/ proves it")
    counted = LoggedAction.objects.filter(log=log, action__do=Unseal.do, seq__lte=log.version).exists()
    record, outcome = _record_of(log, who)
    return Bundle(
        house=settings.SITE,
        table=log.table_id,
        round=log.pk,
        game=log.game,
        throws=[_throw(one, counts=counted and one is thrown[-1]) for one in thrown],
        record=record,
        outcome=outcome,
    )


def _record_of(log: RoundLog, who: str | None) -> tuple[JsonObject | None, JsonObject | None]:
    """Record and outcome of a round, if this viewer may have them."""
    if not visibility.record_is_open(log, who):
        return None, None
    record = record_of_log(log)
    return record, outcome_of(record)


def _throw(one: SealedThrow, *, counts: bool) -> ThrowProof:
    opened = one.opened or {}
    return ThrowProof(
        number=one.serial or 0,
        seed_commitment=one.seed_commitment or "",
        offered=[(bettor, link) for bettor, link in one.offered or ()],
        revealed=[(bettor, link) for bettor, link in one.revealed or ()],
        leaf=one.commitment,
        counts=counts,
        salt=opened.get("salt"),
        value=throw_value(opened["values"]) if opened else None,
        seed=opened.get("seed"),
    )
