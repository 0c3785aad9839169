"""One search over everything that the pit has a page of: tables, players, rounds, kiosks, slips, reviews and notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from django.db.models import F, Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from tables.base.rights import Right
from tables.felt.formatting import credits_of, isolated, text_of
from tables.games import GAMES
from tables.models import ChipOrder, Kiosk, Player, Review, RoundLog, Slip, Table

from .gate import staff_page
from .notes import all_notes
from .number_fields import MOST_ID

MOST = 10
"""So many of each kind are listed."""

LONGEST = 60
"""Signs of what is looked for."""

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Hit:
    """One page that was found: its address, what it is called, and what is said beside it."""

    url: str
    title: str
    about: str = ""


@staff_page(Right.WATCH)
def search(request: HttpRequest) -> HttpResponse:
    """What has this name or number, by kind."""
    wanted = " ".join(request.GET.get("q", "").split())[:LONGEST]
    kinds = [(title, hits) for title, hits in _kinds(wanted) if hits] if wanted else []
    return render(
        request, "pit/search.html", {"place": "search", "q": wanted, "kinds": kinds, "most": MOST, "longest": LONGEST}
    )


def _kinds(wanted: str) -> Iterator[tuple[str, list[Hit]]]:
    number = _number(wanted.removeprefix("#"))
    yield _("Tables"), _tables(wanted)
    yield _("People"), _people(wanted, number)
    yield _("Rounds"), _rounds(wanted, number)
    yield (
        _("Kiosks"),
        [
            Hit(reverse("pit_kiosk", args=(kiosk.pk,)), isolated(kiosk.name), isolated(kiosk.place))
            for kiosk in _first(Kiosk.objects.filter(Q(name__icontains=wanted) | Q(place__icontains=wanted)))
        ],
    )
    yield _("Slips"), _slips(number)
    yield _("Reviews"), _reviews(wanted, number)
    yield (
        _("Notes"),
        [
            Hit(f"{reverse('pit_notes')}?{urlencode({'q': wanted})}", isolated(note.text[:80]), f"{note.by}")
            for note in _first(all_notes().filter(text__icontains=wanted))
        ],
    )


def _number(text: str) -> int | None:
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(MOST_ID)):
        return None
    return number if (number := int(text)) <= MOST_ID else None


def _first(found: QuerySet[M]) -> Iterable[M]:
    return found[:MOST]


def _tables(wanted: str) -> list[Hit]:
    fits = Table.objects.filter(Q(name__icontains=wanted) | Q(slug__icontains=wanted)).order_by("-open", "position")
    return [
        Hit(reverse("pit_table", args=(table.slug,)), isolated(table.name), text_of(GAMES[table.game].title))
        for table in _first(fits)
    ]


def _people(wanted: str, number: int | None) -> list[Hit]:
    fits = Q(name__icontains=wanted) | Q(username__icontains=wanted) | Q(pk=number or 0)
    found = Player.objects.filter(fits, role="").order_by(F("kiosk").asc(nulls_first=True), "-is_active", "name")
    return [
        Hit(reverse("pit_player", args=(one.pk,)), isolated(str(one)), _("No. %(number)s") % {"number": one.pk})
        for one in _first(found)
    ]


def _rounds(wanted: str, number: int | None) -> list[Hit]:
    """By id, or by the name of a table and the number of the round there: `Jade 15`."""
    fits = Q(pk=number or 0)
    if at_table := re.fullmatch(r"(.*\S) #?([0-9]+)", wanted):
        name, counted = at_table[1], _number(at_table[2])
        fits |= Q(table__name__icontains=name, number=counted or 0)
    found = RoundLog.objects.filter(fits).select_related("table").order_by("-pk")
    return [
        Hit(reverse("pit_round", args=(log.pk,)), f"{isolated(log.table.name)} {log.number}", f"#{log.pk}")
        for log in _first(found)
    ]


def _slips(number: int | None) -> list[Hit]:
    found = Slip.objects.filter(number=number or 0).select_related("order__table").order_by("-pk")
    return [
        Hit(
            reverse("pit_slip", args=(slip.order_id,)),
            (_("Fill slip no. %(number)s") if slip.kind == ChipOrder.Kind.FILL else _("Credit slip no. %(number)s"))
            % {"number": slip.number},
            f"{isolated(slip.order.table.name)} {credits_of(slip.order.amount)}",
        )
        for slip in _first(found)
    ]


def _reviews(wanted: str, number: int | None) -> list[Hit]:
    fits = Q(pk=number or 0) | Q(player__name__icontains=wanted)
    found = Review.objects.filter(fits).select_related("player", "log__table").order_by("-pk")
    return [
        Hit(
            reverse("pit_review", args=(one.pk,)),
            _("Review no. %(number)s") % {"number": one.pk},
            f"{isolated(str(one.player))} {isolated(one.log.table.name)} {one.log.number}",
        )
        for one in _first(found)
    ]
