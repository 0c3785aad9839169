"""Play safely: a player's own limits, breaks, reality check and self-exclusion, and the statement of a year."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial, wraps
from itertools import dropwhile
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tables.base.calendar import macau_date
from tables.base.clock import DATABASE_CLOCK
from tables.felt.formatting import credits_of, number, text_of
from tables.games.contract.errors import Refused
from tables.games.values.money import CREDIT
from tables.models import OwnLimit, Restriction
from tables.queries.yearly import Month, Statement, statement_of_year, years_of
from tables.services.money import wallet
from tables.services.players import own_limits, play_time, restrictions
from tables.services.rounds import breaks

from .csv_sheets import csv_sheet, plain
from .people import player_of
from .pit.number_fields import WholeNumber

Kind = OwnLimit.Kind
View = Callable[..., HttpResponse]


def players_only(view: View) -> View:
    """Whoever plays with their own credits: of staff, who do not play, nothing is limited here."""

    @never_cache
    @login_required
    @wraps(view)
    def asked(request: HttpRequest, *args: object, **named: object) -> HttpResponse:
        return redirect("account") if player_of(request).role else view(request, *args, **named)

    return asked


# ── The page ────────────────────────────────────────────────────────────────────────────────────────────────


class LimitForm(forms.Form):
    """A limit: credits or minutes a day, or nothing for no limit."""

    kind = forms.ChoiceField(choices=Kind.choices, widget=forms.HiddenInput)
    most = WholeNumber(required=False, min_value=1)

    @property
    def most_in_units(self) -> int | None:
        """In cents, or in minutes."""
        most: int | None = self.cleaned_data["most"]
        return most if most is None or self.cleaned_data["kind"] == Kind.TIME else most * CREDIT


class CheckForm(forms.Form):
    """How often the reality check comes."""

    minutes = forms.TypedChoiceField(
        label=gettext_lazy("A reality check every"),
        coerce=int,
        choices=((30, gettext_lazy("30 minutes")), (60, gettext_lazy("60 minutes"))),
    )


class BreakForm(forms.Form):
    """How long a break is."""

    length = forms.ChoiceField(
        label=gettext_lazy("How long"),
        choices=(
            ("1h", gettext_lazy("1 hour")),
            ("6h", gettext_lazy("6 hours")),
            ("1d", gettext_lazy("1 day")),
            ("3d", gettext_lazy("3 days")),
            ("7d", gettext_lazy("7 days")),
        ),
        initial="1d",
    )


class ExclusionForm(forms.Form):
    """How long a self-exclusion is, and that it is meant."""

    length = forms.ChoiceField(
        label=gettext_lazy("How long"),
        choices=(
            ("6m", gettext_lazy("6 months")),
            ("1y", gettext_lazy("1 year")),
            ("2y", gettext_lazy("2 years")),
            ("5y", gettext_lazy("5 years")),
        ),
    )
    sure = forms.BooleanField(label=gettext_lazy("I know that nobody can end it early, not even the house."))


class ReturnForm(forms.Form):
    """After a self-exclusion: that playing again is meant."""

    sure = forms.BooleanField(label=gettext_lazy("I have thought about it, and I want to play again."))


@dataclass(frozen=True, slots=True)
class LimitPanel:
    """One limit as the page shows it: what holds, what waits, and the form."""

    kind: Kind
    title: str
    label: str
    limit: OwnLimit | None
    holds: str
    waits: str


TITLES = {
    Kind.LOSS: (gettext_lazy("Most that I may lose a day"), gettext_lazy("Credits")),
    Kind.STAKE: (gettext_lazy("Most that I may stake a day"), gettext_lazy("Credits")),
    Kind.TIME: (gettext_lazy("Longest that I may play a day"), gettext_lazy("Minutes")),
}


@players_only
@require_safe
def safely(request: HttpRequest) -> HttpResponse:
    """All of it on one page."""
    player, now = player_of(request), DATABASE_CLOCK.now()
    session = play_time.session_of(player.pk, now)
    began = play_time.day_began(now)
    held = restrictions.in_force([player.pk], restrictions.BY_THEMSELVES, now).get(player.pk, [])
    limits = own_limits.limits_of(player.pk)
    context = {
        "player": player,
        "session": session,
        "began": began,
        "today": play_time.played_since([player.pk], began).get(player.pk, play_time.Played()),
        "held": restrictions.in_words(player.pk, now),
        "returns": ReturnForm(auto_id="return-%s") if _may_return(held, now) else None,
        "limits": [_panel(kind, limits.get(kind), now) for kind in Kind],
        "check": CheckForm(initial={"minutes": session.check_minutes}, auto_id="check-%s"),
        "take_break": BreakForm(auto_id="break-%s"),
        "exclude": None if player.guest else ExclusionForm(auto_id="exclude-%s"),
        "years": years_of(player),
    }
    return render(request, "account/safely.html", context)


def _may_return(held: list[Restriction], now: datetime) -> bool:
    own = [one for one in held if one.kind == Restriction.Kind.OWN_EXCLUSION]
    return bool(own) and all(one.until is not None and one.until <= now for one in own)


def _panel(kind: Kind, limit: OwnLimit | None, now: datetime) -> LimitPanel:
    title, label = TITLES[kind]
    holds = limit.at(now) if limit is not None else None
    waits = ""
    if limit is not None and limit.waits(now):
        waits = _("no limit") if limit.next_most is None else _in_units(kind, limit.next_most)
    shown = _("no limit") if holds is None else _in_units(kind, holds)
    return LimitPanel(kind, str(title), str(label), limit, shown, waits)


def _in_units(kind: Kind, most: int) -> str:
    if kind == Kind.TIME:
        return _("%(minutes)s min") % {"minutes": number(most)}
    return _("%(amount)s credits") % {"amount": credits_of(most)}


# ── Deeds ───────────────────────────────────────────────────────────────────────────────────────────────────


def _do(request: HttpRequest, deed: Callable[[], object], done: str) -> HttpResponse:
    """Do it and say so, or why not."""
    try:
        deed()
    except Refused as refusal:
        messages.error(request, text_of(refusal.words))
    else:
        messages.success(request, done)
    return redirect("safely")


def _do_chosen(
    request: HttpRequest, form: forms.Form, field: str, deed: Callable[[int, Any], object], done: str
) -> HttpResponse:
    """Do for this player what the form chooses in this field, and say so; or say what is wrong with it."""
    if not form.is_valid():
        return _wrong(request, form)
    return _do(request, partial(deed, player_of(request).pk, form.cleaned_data[field]), done)


def _wrong(request: HttpRequest, form: forms.Form) -> HttpResponse:
    """Say what is wrong with what was written."""
    for errors in form.errors.values():
        messages.error(request, str(errors[0]))
    return redirect("safely")


@players_only
@require_POST
def limit(request: HttpRequest) -> HttpResponse:
    """Set, change or remove a limit."""
    form = LimitForm(request.POST)
    if not form.is_valid():
        return _wrong(request, form)
    player, kind, most = player_of(request).pk, form.cleaned_data["kind"], form.most_in_units
    try:
        set_ = own_limits.set_limit(player, kind, most)
    except Refused as refusal:
        messages.error(request, text_of(refusal.words))
        return redirect("safely")
    if set_.changes_at is not None:
        messages.success(request, _("It holds in 24 hours. Until then you can take it back."))
    else:
        messages.success(request, _("It holds from now on."))
    return redirect("safely")


@players_only
@require_POST
def take_back(request: HttpRequest) -> HttpResponse:
    """Take back a raise or a removal that waits."""
    kind = request.POST.get("kind", "")
    if kind not in Kind.values:
        raise Http404
    return _do(request, partial(own_limits.take_back, player_of(request).pk, kind), _("The limit stays as it is."))


@players_only
@require_POST
def check_every(request: HttpRequest) -> HttpResponse:
    """Choose how often the reality check comes."""
    form = CheckForm(request.POST)
    return _do_chosen(request, form, "minutes", play_time.check_every, _("It holds from now on."))


@players_only
@require_POST
def take_break(request: HttpRequest) -> HttpResponse:
    """Take a break."""
    return _do_chosen(request, BreakForm(request.POST), "length", breaks.take_break, _("Your break has begun."))


@players_only
@require_POST
def exclude(request: HttpRequest) -> HttpResponse:
    """Exclude oneself."""
    form = ExclusionForm(request.POST)
    return _do_chosen(request, form, "length", breaks.exclude_oneself, _("You have excluded yourself."))


@players_only
@require_POST
def play_again(request: HttpRequest) -> HttpResponse:
    """Come back after a self-exclusion that is over."""
    form = ReturnForm(request.POST)
    if not form.is_valid():
        return _wrong(request, form)
    return _do(request, partial(breaks.play_again, player_of(request).pk), _("You may play again."))


# ── The reality check at a table ────────────────────────────────────────────────────────────────────────────


@players_only
@require_http_methods(["GET", "POST"])
def check(request: HttpRequest) -> HttpResponse:
    """What the reality check says now, for the dialog of a table; POST: it has been read."""
    player = player_of(request).pk
    if request.method == "POST":
        play_time.acknowledge(player)
    now = DATABASE_CLOCK.now()
    session = play_time.session_of(player, now)
    context = {"session": session, "base": wallet.balance_of(player) - session.played.net}
    return render(request, "account/_check.html", context)


# ── The statement of a year ─────────────────────────────────────────────────────────────────────────────────


@players_only
@require_safe
def statement(request: HttpRequest, year: int) -> HttpResponse:
    """A year of the wallet, month by month."""
    found, years = _statement(request, year)
    return render(request, "account/statement.html", {"statement": found, "months": _shown(found), "years": years})


@players_only
@require_safe
def sheet(request: HttpRequest, year: int) -> HttpResponse:
    """The same as CSV, in credits."""
    found, _years = _statement(request, year)
    head = (
        _("Month"), _("Opening balance"), _("Welcome credits and top-ups"), _("Comps and adjustments"), _("Staked"),
        _("Returned"), _("Net"), _("Closing balance"),
    )  # fmt: skip
    return csv_sheet(f"statement-{year}.csv", head, _rows(found))


def _statement(request: HttpRequest, year: int) -> tuple[Statement, list[int]]:
    player = player_of(request)
    years = years_of(player)
    if year not in years:
        raise Http404
    return statement_of_year(player, year), years


def _shown(found: Statement) -> list[Month]:
    """The months from the first in which there was something, as far as they have begun."""
    today = macau_date(DATABASE_CLOCK.now())
    months = [month for month in found.months if month.first <= today]
    return list(dropwhile(lambda month: not (month.opening or month.given or month.comps or month.staked), months))


def _rows(found: Statement) -> Iterator[list[str]]:
    for name, one in [*((f"{month.first:%Y-%m}", month) for month in _shown(found)), (str(found.year), found.total)]:
        cents = (one.opening, one.given, one.comps, one.staked, one.returned, one.net, one.closing)
        yield [name, *map(plain, cents)]
