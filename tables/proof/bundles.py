"""The bundle of a stored round: what proves it, for one viewer (docs/proof.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.conf import settings

from tables.base.bundle import Bundle, OpenedCard, PackProof, ThrowProof
from tables.base.proof_format import Links, place_of, throw_value
from tables.games.contract.actions import DrawCard, Unseal
from tables.games.record import outcome_of
from tables.games.values.json import JsonObject
from tables.models import LoggedAction, RoundLog, SealedThrow, Shoe
from tables.queries.archived import lines_of
from tables.queries.folds import game_of
from tables.queries.history import record_of_log
from tables.queries.shoes import leaves_of

from . import visibility


class NoBundle(Exception):  # noqa: N818 (it says what there is)
    """The round has no proof in this format, or not yet; the text says why, and `page` where another proof is."""

    def __init__(self, why: str, page: str = "") -> None:
        super().__init__(f"{why}: {page} proves it" if page else why)
        self.page = page


def bundle_of(log: RoundLog, who: str | None, *, record: bool = True) -> Bundle:
    """All that this viewer (None: a mere spectator) may have of the proof of a round, as far as it is opened; with its
    record only if they are given `record`.

    Raises NoBundle for a round that was dealt, or thrown, under an earlier scheme, and before its pack is cut.
    """
    throws = _throws_of(log) if game_of(log).throws else []
    pack, cards = (None, []) if game_of(log).throws else (_pack_of(log), _cards_of(log, who))
    record_, outcome = _record_of(log, who) if record else (None, None)
    return Bundle(
        house=settings.SITE,
        table=log.table_id,
        round=log.pk,
        game=log.game,
        pack=pack,
        cards=cards,
        throws=throws,
        record=record_,
        outcome=outcome,
    )


# ── Cards ───────────────────────────────────────────────────────────────────────────────────────────────────


def _pack_of(log: RoundLog) -> PackProof:
    shoe = log.shoe
    if shoe is None:
        raise NoBundle(f"nothing was dealt in round {log.pk}")
    seed = shoe.seed
    if seed is None:
        raise NoBundle(f"round {log.pk} was dealt from a pack of an earlier scheme", f"/shoes/{shoe.pk}/")
    if shoe.cut is None:
        raise NoBundle(f"the pack of round {log.pk} is not cut yet")
    return PackProof(
        number=shoe.number,
        decks=shoe.decks,
        seed_commitment=seed.commitment,
        offered=_links(seed.offered),
        revealed=_links(seed.revealed),
        leaves=leaves_of(shoe) or [],
        root=shoe.commitment,
        cut=shoe.cut,
        seed=(shoe.opened or {}).get("seed"),
    )


def _cards_of(log: RoundLog, who: str | None) -> list[OpenedCard]:
    """The cards that this viewer has seen, each with its place and its salt."""
    shoe = log.shoe
    assert shoe is not None and shoe.cut is not None
    before, cut, size = _dealt_before(log, shoe), shoe.cut, shoe.decks * 52
    return [
        OpenedCard(
            deal=before + seen.number,
            place=place_of(before + seen.number, cut, size),
            salt=seen.salt,
            card=str(seen.card),
            to=seen.to,
        )
        for seen in visibility.cards_seen_by(log, who)
    ]


def _dealt_before(log: RoundLog, shoe: Shoe) -> int:
    """How many cards have left the shoe in earlier rounds."""
    earlier = RoundLog.objects.filter(shoe=shoe, number__lt=log.number)
    stored = LoggedAction.objects.filter(log__in=earlier, action__do=DrawCard.do).count()
    archived = earlier.filter(archive__isnull=False).select_related("archive")
    return stored + sum(len(lines_of(one, DrawCard.do)) for one in archived)


def _links(stored: Iterable[Sequence[str]] | None) -> Links:
    return [(bettor, link) for bettor, link in stored or ()]


# ── Throws ──────────────────────────────────────────────────────────────────────────────────────────────────


def _throws_of(log: RoundLog) -> list[ThrowProof]:
    thrown = list(SealedThrow.objects.filter(log=log).order_by("number"))
    if not all(one.seed_commitment for one in thrown):
        raise NoBundle(f"round {log.pk} was thrown under an earlier scheme", f"/rounds/{log.pk}/throws/")
    counted = bool(lines_of(log, Unseal.do))
    return [_throw(one, counts=counted and one is thrown[-1]) for one in thrown]


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
        offered=_links(one.offered),
        revealed=_links(one.revealed),
        leaf=one.commitment,
        counts=counts,
        salt=opened.get("salt"),
        value=throw_value(opened["values"]) if opened else None,
        seed=opened.get("seed"),
    )
