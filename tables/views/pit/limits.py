"""Limits and times of several tables of a game at once: chosen, previewed with what looks like a slip, and applied to
all of them or to none."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from tables.base.rights import Right
from tables.base.timetable import LEAST, Times, in_seconds, of_next_round
from tables.felt.formatting import text_of
from tables.felt.shared.limits import BetLimits
from tables.games import GAMES
from tables.games.contract.errors import OptionError, Refused
from tables.games.values.words import Words
from tables.models import Account, Table
from tables.pit import stakes
from tables.pit.stakes import PRESETS, Stakes
from tables.services.pit import lifecycle

from .gate import member_of, staff
from .number_fields import cents_in, milliseconds
from .option_forms import called


@dataclass(frozen=True, slots=True)
class Plan:
    """What becomes of one table: its main bet's limits before and after, its times if they change, and what looks like
    a slip."""

    table: Table
    before: BetLimits
    after: BetLimits
    limits: Mapping[str, object]
    times: Mapping[str, int]
    warnings: Sequence[Words]

    @property
    def key(self) -> list[object]:
        """What is previewed, to compare with what is applied."""
        return [self.table.pk, self.before.least, self.before.most, self.after.least, self.after.most, self.times]


@dataclass
class Asked:
    """What the form says."""

    game: str
    tables: list[Table] = field(default_factory=list)
    stakes: Stakes = Stakes(None, None)
    times: dict[str, int] = field(default_factory=dict)
    error: str = ""

    @classmethod
    def of(cls, said: QueryDict, game: str) -> Asked:
        asked = cls(game)
        asked.tables = list(Table.objects.filter(game=game, slug__in=said.getlist("table")).order_by("position", "pk"))
        try:
            preset = Stakes(None, None)
            if chosen := said.get("preset", ""):
                preset = dict(enumerate(PRESETS))[int(chosen)]
            least, most = (cents_in(said.get(name, "")) for name in ("least", "most"))
            asked.stakes = Stakes(preset.least if least is None else least, preset.most if most is None else most)
            given = {one.name: said.get(f"time.{one.name}", "").strip() for one in fields(Times)}
            asked.times = {name: milliseconds(text) for name, text in given.items() if text}
        except (ValueError, KeyError):
            asked.error = _("A limit is a whole number of credits, a time a number of seconds.")
        else:
            if not asked.tables:
                asked.error = _("Choose at least one table.")
            elif asked.stakes == (None, None) and not asked.times:
                asked.error = _("Choose limits or times.")
        return asked

    def plans(self) -> list[Plan]:
        """What becomes of each table. Raises OptionError."""
        floats = Account.objects.filter(kind=Account.Kind.FLOAT, table__in=self.tables)
        lies = dict(floats.values_list("table_id", "balance"))
        return [self._plan(table, lies.get(table.pk)) for table in self.tables]

    def _plan(self, table: Table, float_cents: int | None) -> Plan:
        limits = {} if self.stakes == (None, None) else stakes.with_stakes(self.game, table.options, self.stakes)
        after = {**table.options, **limits}
        warnings = list(stakes.implausible(self.game, table.options, after, float_cents if table.open else None))
        before_times: dict[str, Any] = of_next_round(table.times)
        return Plan(
            table,
            stakes.main_of(self.game, table.options),
            stakes.main_of(self.game, after),
            limits,
            {**before_times, **self.times},
            warnings if limits else (),
        )


@staff(Right.RUN_TABLES)
@require_http_methods(["GET", "POST"])
def several(request: HttpRequest) -> HttpResponse:
    """Choose tables, limits and times; see what becomes of each; apply it to all of them."""
    games = list(dict.fromkeys(Table.objects.order_by("position").values_list("game", flat=True)))
    said = request.POST if request.method == "POST" else request.GET
    game = said.get("game", "") if said.get("game", "") in games else next(iter(games), "")
    asked, plans = Asked(game), list[Plan]()
    if request.method == "POST":
        asked = Asked.of(request.POST, game)
        if not asked.error:
            try:
                plans = asked.plans()
                if "apply" in request.POST and _shown(plans) == request.POST.get("shown", ""):
                    return _apply(request, plans)
            except OptionError as error:
                asked.error, plans = called(GAMES[game], text_of(error.args[0])), []
            except Refused as refusal:
                asked.error, plans = called(GAMES[game], text_of(refusal.words)), []
            else:
                if "apply" in request.POST:
                    messages.warning(request, _("It was changed after this preview. Look at it again."))
    context = {
        "place": "floor",
        "games": [(slug, GAMES[slug].title) for slug in games],
        "game": game,
        "tables": [(table, stakes.main_of(game, table.options)) for table in _of_game(game)],
        "chosen": {table.slug for table in asked.tables} or set(request.GET.getlist("table")),
        "authorised_by": stakes.needs_authorisation(game) if game else "",
        "presets": [(str(number), one) for number, one in enumerate(PRESETS)],
        "times": [(one.name, lifecycle.PACE[one.name], in_seconds(LEAST.get(one.name, 0))) for one in fields(Times)],
        "said": said,
        "error": asked.error,
        "plans": plans,
        "shown": _shown(plans),
        "warned": any(plan.warnings for plan in plans),
    }
    return render(request, "pit/limits.html", context, status=400 if asked.error else 200)


def _of_game(game: str) -> list[Table]:
    return list(Table.objects.filter(game=game).order_by("realm", "position", "pk"))


def _shown(plans: Sequence[Plan]) -> str:
    return json.dumps([plan.key for plan in plans])


def _apply(request: HttpRequest, plans: Sequence[Plan]) -> HttpResponse:
    """Set all of it. Raises Refused."""
    changes = {plan.table.pk: (plan.limits, plan.times) for plan in plans}
    lifecycle.set_limits_of_several(member_of(request), changes, request.POST.get("why", "")[:500])
    words = ngettext(
        "%(number)s table: this takes effect with the next round.",
        "%(number)s tables: this takes effect with the next round.",
        len(plans),
    )
    messages.success(request, words % {"number": len(plans)})
    return redirect("pit")
