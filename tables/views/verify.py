"""A shoe, or the throws of a round, for whoever wants to check: what was sealed, and once it is opened, what came out.

One that is committed to card by card shows each viewer the cards they saw, and what opens them (docs/fairness.md).
The sums are worked out here again, not taken from what made them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TypeVar

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino.published import FOREVER, publish
from tables.base import proof_format
from tables.base.bundle import written
from tables.felt.formatting import card_name
from tables.games.contract.actions import Unseal
from tables.games.contract.game import Throw
from tables.games.shared.options import read_options
from tables.games.values.cards import card, pack
from tables.models import Player, Realm, RoundLog, SealedThrow, Shoe
from tables.proof import visibility
from tables.proof.bundles import NoBundle, bundle_of
from tables.proof.visibility import DealtCard
from tables.queries.archived import lines_of
from tables.queries.folds import game_of
from tables.queries.history import took_part
from tables.queries.shoes import leaves_of, opens_by_card

from .heavy import a_few_at_once

ROOT = re.compile("[0-9a-f]{64}")
"""What a commitment to leaves looks like; PostgreSQL takes not every other text."""

BURNT = {"burn", "round_burn"}
"""Phases in which cards are burnt: nobody saw these."""

UNLABELLED = 1
"""The scheme of seals in which nothing says which pack or throw a commitment is of."""

AtATable = TypeVar("AtATable", Shoe, RoundLog)

SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must be true, and whether it is."""

    says: str
    good: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A dealt card as the page shows it; without text if it is not the viewer's to see."""

    place: int
    text: str
    name: str
    suit: str
    burnt: bool


@dataclass(frozen=True, slots=True)
class Dealt:
    """What one round took from the shoe."""

    log: RoundLog
    cards: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Contribution:
    """A link that a bettor offered, and the one beneath it if it was revealed in time."""

    bettor: str
    offered: str
    revealed: str


@dataclass(frozen=True, slots=True)
class Contributions:
    """The links of a pack or a throw, in their order; whether the viewer's is in it (None: they offered none)."""

    all: tuple[Contribution, ...]
    revealed: int
    own: bool | None

    @classmethod
    def of(cls, offered: Iterable[Sequence[str]], revealed: Iterable[Sequence[str]], me: str | None) -> Contributions:
        links = {bettor: link for bettor, link in revealed}  # noqa: C416 (each is a list of two)
        listed = tuple(Contribution(bettor, link, links.get(bettor, "")) for bettor, link in offered)
        own = next((bool(one.revealed) for one in listed if one.bettor == me), None)
        return cls(listed, len(links), own)


def links_of_round(log: RoundLog, me: str | None) -> Contributions | None:
    """The links in the pack that a round was dealt from, or in its last throw; None under an earlier scheme."""
    made = log.shoe.seed if log.shoe is not None else SealedThrow.objects.filter(log=log).order_by("-number").first()
    if made is None or (isinstance(made, SealedThrow) and not made.seed_commitment):
        return None
    return Contributions.of(made.offered or (), made.revealed or (), me)


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Where anybody can have the bundle of a round checked by their own browser (docs/proof.md)."""
    return render(request, "verify/page.html")


@never_cache
@a_few_at_once
@require_safe
def proof(request: HttpRequest, log_id: int) -> HttpResponse:
    """The bundle that proves a round, with the cards that this viewer has seen (docs/proof.md), also while it is
    played.

    The record is in it for whoever took part and for the staff. Where recording is forbidden, a bettor who plays there
    has no bundle of a round that is over. Not found, with the reason, if there is none in this format or not yet.
    """
    log = get_object_or_404(_shown_to(request, RoundLog).select_related("table", "shoe__seed"), pk=log_id)
    viewer = _viewer(request)
    if log.settled_at is not None and (why := visibility.unrecorded_for(viewer).get(log.table_id)) is not None:
        return render(request, "history/unrecorded.html", {"log": log, "why": why}, status=HTTPStatus.FORBIDDEN)
    may_have_record = viewer is not None and (bool(viewer.role) or took_part(log, viewer))
    try:
        bundle = bundle_of(log, viewer.key if viewer is not None else None, record=may_have_record)
    except NoBundle as error:
        return JsonResponse({"error": str(error), "page": error.page}, status=HTTPStatus.NOT_FOUND)
    answer = JsonResponse(written(bundle))
    answer["Content-Disposition"] = f'attachment; filename="proof-{log.pk}.json"'
    return answer


@never_cache
@a_few_at_once
@require_safe
def shoe(request: HttpRequest, shoe_id: int) -> HttpResponse:
    """The verification page. Before the shoe is retired it shows the commitment alone."""
    found = get_object_or_404(_shown_to(request, Shoe).select_related("table", "seed"), pk=shoe_id)
    around = Shoe.objects.filter(table=found.table)
    viewer = _viewer(request)
    why = visibility.unrecorded_for(viewer).get(found.table_id)
    context = {
        "shoe": found,
        "table": found.table,
        "cards_in_pack": found.decks * 52,
        "machine": found.cut == 0,
        "keyed": found.seed is not None,
        "by_card": opens_by_card(found),
        "leaves": leaves_of(found),
        "links": found.seed and Contributions.of(found.seed.offered, found.seed.revealed or (), _key_of(viewer)),
        "before": around.filter(number__lt=found.number).order_by("-number").first(),
        "after": around.filter(number__gt=found.number).order_by("number").first(),
        "played": None if found.retired_at else RoundLog.objects.filter(shoe=found, settled_at__isnull=False).count(),
        "why_not": why if found.retired_at is not None else None,
        "opened": found.retired_at is not None and found.opened is not None and why is None,
    }
    if context["opened"]:
        dealt = visibility.dealt_from(found, viewer.key if viewer is not None else None)
        cards = [one for _log, cards in dealt for one in cards]
        context |= {
            "name": _labelled(found, "pack", "").removesuffix(":"),
            "opening": opening_of(found, cards),
            "order": _order(found),
            "checks": checks_by_card(found, cards) if opens_by_card(found) else checks_of(found, cards),
            "rounds": [Dealt(log, tuple(map(_shown, cards))) for log, cards in dealt],
        }
    return render(request, "verify/shoe.html", context)


def _shown_to(request: HttpRequest, kind: type[AtATable]) -> QuerySet[AtATable]:
    """What this viewer may find: what was played with demo credits at kiosks only the staff."""
    found: QuerySet[AtATable] = kind._default_manager.all()
    viewer = _viewer(request)
    return found if viewer is not None and viewer.role else found.filter(table__realm=Realm.FLOOR)


def _viewer(request: HttpRequest) -> Player | None:
    return request.user if isinstance(request.user, Player) else None


def _key_of(viewer: Player | None) -> str | None:
    return viewer.key if viewer is not None else None


@never_cache
@a_few_at_once
@require_safe
def opening(request: HttpRequest, shoe_id: int) -> HttpResponse:
    """The very text whose SHA-256 is the commitment to the seed, for any tool; in a shoe of an earlier scheme, the
    commitment. Not found before the shoe is retired.

    Of a shoe that is opened card by card: a line for each card that this viewer saw, whose SHA-256 is its leaf.
    """
    shoes = _shown_to(request, Shoe).select_related("table", "seed")
    found = get_object_or_404(shoes, pk=shoe_id, opened__isnull=False)
    viewer = _viewer(request)
    if found.table_id in visibility.unrecorded_for(viewer):
        raise Http404
    dealt = visibility.dealt_from(found, viewer.key if viewer is not None else None) if opens_by_card(found) else []
    return _text_file(opening_of(found, [one for _log, cards in dealt for one in cards]), f"shoe-{found.pk}.txt")


@require_safe
def leaves(request: HttpRequest, shoe_id: int) -> HttpResponse:
    """The commitments to the single cards of a shoe, a line each: the text whose SHA-256 is its commitment.

    Not found for a shoe that was committed to as a whole.
    """
    found = get_object_or_404(_shown_to(request, Shoe).select_related("seed"), pk=shoe_id)
    if leaves_of(found) is None:
        raise Http404
    return _text_file(leaves_text(found), f"leaves-{shoe_id}.txt")


@require_safe
def published_leaves(request: HttpRequest, root: str) -> HttpResponse:
    """The same by the commitment, for devices: a crowd asks for each fresh pack, and only the first comes here."""
    if not ROOT.fullmatch(root):
        raise Http404
    found = get_object_or_404(_shown_to(request, Shoe).select_related("seed", "table"), commitment=root)
    text = leaves_text(found)
    if not text:
        raise Http404
    answer = _text_file(text, f"leaves-{found.pk}.txt")
    if found.table.realm == Realm.FLOOR and _sha256(text) == root:
        publish(request.path, text)
        answer["Cache-Control"] = FOREVER
    return answer


def _text_file(text: str, name: str) -> HttpResponse:
    answer = HttpResponse(text, content_type="text/plain; charset=us-ascii")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def leaves_text(found: Shoe) -> str:
    """The text whose SHA-256 is the commitment to this pack; needs its seed. Empty if there are no leaves."""
    return "".join(f"{leaf}\n" for leaf in leaves_of(found) or ())


def opening_of(found: Shoe, dealt: list[DealtCard]) -> str:
    """The seed of a retired shoe as it was hashed, or of the cards that the viewer saw each as it was; salt and order
    of one of an earlier scheme."""
    assert found.opened is not None
    if opens_by_card(found):
        return "".join(f"{_hashed(found, one)}\n" for one in dealt if one.card)
    if found.seed is not None:
        return _labelled(found, "seed", found.opened["seed"])
    return _labelled(found, "pack", f"{found.opened['salt']}:{' '.join(found.opened['order'])}")


def _order(found: Shoe) -> list[str]:
    """The cards of a retired shoe before the cut; none where it is opened card by card."""
    assert found.opened is not None
    if opens_by_card(found):
        return []
    if found.seed is not None:
        return [str(card) for card in proof_format.pack_of(_key(found), found.decks)]
    order: list[str] = found.opened["order"]
    return order


def _key(found: Shoe) -> str:
    assert found.seed is not None and found.opened is not None
    return proof_format.key(found.opened["seed"], [link for _who, link in found.seed.revealed or ()])


def _hashed(found: Shoe, one: DealtCard) -> str:
    """The text whose SHA-256 is the leaf of this card."""
    assert found.opened is not None
    salt, _card = found.opened["cards"][one.place - 1]
    return _labelled(found, "card", f"{_sealed_place(found, one)}:{salt}:{one.card}")


def _labelled(found: Shoe, kind: str, text: str) -> str:
    """A text as it was hashed: behind its kind, the table and the number of its pack, unless it is of before those."""
    return text if found.scheme == UNLABELLED else f"{kind}:{found.table_id}:{found.number}:{text}"


def _sealed_place(found: Shoe, one: DealtCard) -> int:
    """Where the card lay before the cut, from 1."""
    return ((found.cut or 0) + one.place - 1) % (found.decks * 52) + 1


def checks_of(found: Shoe, dealt: list[DealtCard]) -> list[Check]:
    """What everybody can check, checked."""
    order, cut = _order(found), found.cut or 0
    if found.seed is not None:
        checks = _checks_of_seed_and_leaves(found, order)
    else:
        checks = [
            Check(
                _("The SHA-256 of its name, salt and order is the commitment that was published before the cut."),
                _sha256(opening_of(found, dealt)) == found.commitment,
            )
        ]
    return [
        *checks,
        Check(
            _("The order holds every card of %(decks)s decks, no more and no less.") % {"decks": found.decks},
            sorted(order) == sorted(map(str, pack(found.decks))),
        ),
        Check(
            _("The cards dealt are those of the sealed order, turned by the cut, one after the other."),
            [one.card for one in dealt] == (order[cut:] + order[:cut])[: len(dealt)] and len(dealt) == found.dealt,
        ),
    ]


def _checks_of_seed_and_leaves(found: Shoe, order: list[str]) -> list[Check]:
    """That neither house nor bettors chose the order (docs/proof.md, 1 to 5)."""
    assert found.seed is not None
    key, name = _key(found), f"card:{found.table_id}:{found.number}"
    made = [_sha256(f"{name}:{at}:{proof_format.salt(key, at)}:{card}") for at, card in enumerate(order, start=1)]
    return [
        Check(
            _("The house’s seed is the one that it had committed to."),
            _sha256(opening_of(found, [])) == found.seed.commitment,
        ),
        Check(
            _("The SHA-256 of the commitments to the single cards is the commitment published before the deal."),
            _sha256(leaves_text(found)) == found.commitment,
        ),
        Check(_("The order follows from the seed and the bettors’ links."), made == leaves_of(found)),
    ]


def checks_by_card(found: Shoe, dealt: list[DealtCard]) -> list[Check]:
    """The same, as far as this viewer can check it with the cards they saw."""
    leaves = leaves_of(found) or ()
    assert found.opened is not None
    return [
        Check(
            _("The SHA-256 of the commitments to the single cards is the commitment published before the deal."),
            _sha256(leaves_text(found)) == found.commitment and len(leaves) == found.decks * 52,
        ),
        Check(
            _("Each card that you saw is the one that was committed to at its place, turned by the cut."),
            len(found.opened["cards"]) == len(dealt) == found.dealt
            and all(_sha256(_hashed(found, one)) == leaves[_sealed_place(found, one) - 1] for one in dealt if one.card),
        ),
    ]


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _shown(one: DealtCard) -> Shown:
    if not one.card:
        return Shown(one.place, "", card_name(None), "", burnt=False)
    face = card(one.card)
    rank = "10" if face.rank == "T" else face.rank
    return Shown(one.place, f"{rank}{SUITS[face.suit]}", card_name(face), face.suit, one.phase in BURNT)


# ── Throws ──────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Thrown:
    """One throw of a round: what was published of it, and what opens it (text, salt, numbers and seed) if it may be.

    `counted` if the round was decided by it.
    """

    number: int
    commitment: str
    seed_commitment: str = ""
    seed: str = ""
    name: str = ""
    text: str = ""
    salt: str = ""
    values: tuple[int, ...] = ()
    counted: bool = False
    checks: tuple[Check, ...] = ()
    links: Contributions | None = None


@never_cache
@require_safe
def throws(request: HttpRequest, log_id: int) -> HttpResponse:
    """What was thrown in a round: before betting closes the commitment alone; those that did not count at its end."""
    log = get_object_or_404(_shown_to(request, RoundLog).select_related("table"), pk=log_id)
    game = game_of(log)
    throw = game.throw(read_options(game.options, log.options))
    if throw is None:
        raise Http404
    sealed = list(SealedThrow.objects.filter(log=log).order_by("number"))
    decided = _decided_by(log)
    context = {
        "log": log,
        "table": log.table,
        "throws": [
            replace(_thrown(one, throw, decided if one is sealed[-1] else None), links=_links_of(one, _viewer(request)))
            for one in sealed
        ],
        "over": log.settled_at is not None,
    }
    return render(request, "verify/throws.html", context)


def _links_of(one: SealedThrow, viewer: Player | None) -> Contributions | None:
    """The links of a throw; None of one of an earlier scheme."""
    if not one.seed_commitment:
        return None
    return Contributions.of(one.offered or (), one.revealed or (), _key_of(viewer))


@never_cache
@require_safe
def throw_opening(request: HttpRequest, log_id: int, number: int) -> HttpResponse:
    """The very text whose SHA-256 the commitment is, for any tool. Not found before the throw is opened."""
    found = get_object_or_404(
        SealedThrow, log__in=_shown_to(request, RoundLog), log_id=log_id, number=number, opened__isnull=False
    )
    return _text_file(_throw_text(found), f"throw-{log_id}-{number}.txt")


def _throw_text(found: SealedThrow) -> str:
    assert found.opened is not None
    text = f"{found.opened['salt']}:{' '.join(map(str, found.opened['values']))}"
    return text if found.scheme == UNLABELLED else f"throw:{found.table_id}:{found.serial}:{text}"


def _decided_by(log: RoundLog) -> list[int] | None:
    """The numbers that a round was decided by, as its log has them: those of its last throw."""
    return next((line.action["values"] for line in lines_of(log, Unseal.do)), None)


def _thrown(one: SealedThrow, throw: Throw, decided: list[int] | None) -> Thrown:
    committed = one.seed_commitment or ""
    if one.opened is None:
        return Thrown(one.number, one.commitment, committed)
    values: list[int] = one.opened["values"]
    checks = [
        Check(
            _("The SHA-256 of its name, salt and numbers is the commitment that was published beforehand."),
            _sha256(_throw_text(one)) == one.commitment,
        ),
        Check(
            _("Each number is one that can be thrown."), len(values) == throw.count and all(map(throw.allows, values))
        ),
    ]
    seed: str = one.opened.get("seed", "")
    if committed:
        checks += _checks_of_seed(one, throw, seed)
    if decided is not None:
        checks.append(Check(_("The round was decided by these very numbers."), values == decided))
    return Thrown(
        one.number,
        one.commitment,
        committed,
        seed,
        name="" if one.scheme == UNLABELLED else f"throw:{one.table_id}:{one.serial}",
        text=_throw_text(one),
        salt=one.opened["salt"],
        values=tuple(values),
        counted=decided is not None,
        checks=tuple(checks),
    )


def _checks_of_seed(one: SealedThrow, throw: Throw, seed: str) -> list[Check]:
    """What is left of the claim that neither house nor bettors chose the numbers (docs/proof.md, 1 to 5)."""
    assert one.opened is not None and one.revealed is not None
    key = proof_format.key(seed, [link for _who, link in one.revealed])
    return [
        Check(
            _("The house’s seed is the one that it had committed to."),
            _sha256(f"seed:{one.table_id}:{one.serial}:{seed}") == one.seed_commitment,
        ),
        Check(
            _("The numbers follow from the seed and the bettors’ links."),
            (one.opened["salt"], one.opened["values"])
            == (proof_format.salt(key), list(proof_format.throw_of(key, throw))),
        ),
    ]
