"""Players, as the pit sees them: what they have and play, their restrictions, and what may be done."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from uuid import uuid4

from django import forms
from django.conf import settings
from django.contrib import messages
from django.db.models import F, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters

from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right, may
from tables.felt.formatting import text_of
from tables.games.contract.errors import Refused
from tables.games.values.money import CREDIT
from tables.games.values.words import Words
from tables.models import Adjustment, Event, Player, Restriction, Seat, Table, Watch
from tables.queries import ratings
from tables.queries.discretion import shown_balances
from tables.queries.history import history_of, statement_of
from tables.services.journal.events import with_words
from tables.services.pit import adjustments, sanctions
from tables.services.pit.deeds import Comp
from tables.services.pit.sanctions import MOST_LIMIT, RIGHT_TO
from tables.services.players import restrictions

from .approvals import do_or_ask, with_fresh_code
from .gate import do_and_say, member_of, staff_deed, staff_page
from .notes import all_notes
from .number_fields import MOST_ID, Credits, WholeNumber

SHOWN = 50
"""People in one list."""

LINES = 12
"""Movements, rounds and events on a player's page; the whole is in the lists that it links to."""

RATED_DAYS = 30
"""Of so many days the ratings stand on a player's page."""

Kind = Restriction.Kind


@staff_page(Right.WATCH)
def people(request: HttpRequest) -> HttpResponse:
    """Players by name or number; without either those who sit at a table."""
    wanted = request.GET.get("q", "").strip()
    players = Player.objects.filter(role="")
    if wanted:
        number = Q(pk=int(wanted)) if wanted.isascii() and wanted.isdigit() and len(wanted) < 19 else Q(pk__in=())
        fits = players.filter(number | Q(name__icontains=wanted) | Q(username__icontains=wanted))
        players = fits.order_by(F("kiosk").asc(nulls_first=True), "-is_active", "name")  # there are many visitors
    else:
        players = players.filter(seats__isnull=False).distinct().order_by("name")
    found = list(players.prefetch_related("seats__table").select_related("kiosk")[:SHOWN])
    held = restrictions.in_force([player.pk for player in found], Kind.values, DATABASE_CLOCK.now())
    balances = shown_balances([player.pk for player in found])
    lines = [(player, held.get(player.pk, []), balances.get(player.pk)) for player in found]
    return render(request, "pit/people.html", {"place": "people", "q": wanted, "people": lines, "most": SHOWN})


# ── One player ──────────────────────────────────────────────────────────────────────────────────────────────


class RestrictForm(forms.Form):
    """A restriction of a player: which, for how long, and why."""

    LENGTHS = (
        (60, gettext_lazy("an hour")),
        (24 * 60, gettext_lazy("a day")),
        (7 * 24 * 60, gettext_lazy("a week")),
        (30 * 24 * 60, gettext_lazy("30 days")),
        (365 * 24 * 60, gettext_lazy("a year")),
        (0, gettext_lazy("for good")),
    )
    KINDS = (
        (Kind.WARNING, gettext_lazy("Warn")),
        (Kind.MUTE, gettext_lazy("Mute")),
        (Kind.EXCLUSION, gettext_lazy("Exclude")),
        (Kind.LIMIT, gettext_lazy("Limit the player's stakes a day")),
    )

    kind = forms.ChoiceField(label=gettext_lazy("What"))
    minutes = forms.TypedChoiceField(label=gettext_lazy("How long"), choices=LENGTHS, coerce=int, initial=24 * 60)
    credits = WholeNumber(
        label=gettext_lazy("Credits a day"), required=False, min_value=0, max_value=MOST_LIMIT // CREDIT,
        help_text=gettext_lazy("Only of a limit."),
    )  # fmt: skip
    why = forms.CharField(label=gettext_lazy("Why"), max_length=500)

    def __init__(self, by: Player, data: object = None) -> None:
        super().__init__(data, prefix="restrict")  # type: ignore[arg-type]
        choices = [(kind, words) for kind, words in self.KINDS if may(by, RIGHT_TO[kind])]
        self.fields["kind"].choices = choices  # type: ignore[attr-defined]


class CreditsForm(forms.Form):
    """So many credits, and why."""

    credits = Credits(label=gettext_lazy("Credits"), max_digits=12, decimal_places=2)
    why = forms.CharField(label=gettext_lazy("Why"), max_length=500)

    @property
    def cents(self) -> int:
        return int(self.cleaned_data["credits"] * CREDIT)


class CompForm(CreditsForm):
    """A comp, given once however often the form is sent: its answer may be lost."""

    ref = forms.RegexField(r"[0-9a-f]{32}", widget=forms.HiddenInput)

    def __init__(self, data: object = None) -> None:
        super().__init__(data, prefix="comp", initial={"ref": uuid4().hex})  # type: ignore[arg-type]


class AdjustmentForm(CreditsForm):
    """Credits to a player, or from them; for a round or for none."""

    round = WholeNumber(
        label=gettext_lazy("Round"),
        required=False,
        min_value=1,
        max_value=MOST_ID,
        help_text=gettext_lazy("Its id, if it is about one."),
    )
    field_order = ("credits", "round", "why")


class WhyForm(forms.Form):
    """A reason."""

    why = forms.CharField(label=gettext_lazy("Why"), max_length=500)


@staff_page(Right.WATCH)
def player(request: HttpRequest, player_id: int) -> HttpResponse:
    """All about one player."""
    about = get_object_or_404(Player, pk=player_id, role="")
    return _page(request, about)


def _page(request: HttpRequest, about: Player, **forms_: forms.Form) -> HttpResponse:
    by, now = member_of(request), DATABASE_CLOCK.now()
    held = restrictions.in_force([about.pk], Kind.values, now).get(about.pk, [])
    past = about.restrictions.exclude(pk__in=[one.pk for one in held]).select_related("by", "lifted_by")
    events = Event.objects.filter(player=about).select_related("by", "table").order_by("-seq")[:LINES]
    context = {
        "place": "people",
        "player": about,
        "balance": shown_balances([about.pk]).get(about.pk, 0),
        "staked_today": restrictions.staked_today(about.pk, now, seen_by_staff=True),
        "lines": statement_of(about, limit=LINES, seen_by_staff=True),
        "rounds": history_of(about, limit=LINES),
        **_ratings(about, now),
        "seats": Seat.objects.filter(player=about).select_related("table"),
        "held": [(one, one.kind in RIGHT_TO and may(by, RIGHT_TO[Kind(one.kind)])) for one in held],
        "past": past,
        "adjustments": about.adjustments.select_related("log__table", "requested_by", "decided_by"),
        "events": with_words(events),
        "restrict": forms_.get("restrict") or (RestrictForm(by) if may(by, Right.WARN) else None),
        "comp": forms_.get("comp") or (CompForm() if may(by, Right.COMP) else None),
        "adjust": forms_.get("adjust") or (AdjustmentForm(prefix="adjust") if may(by, Right.ASK_ADJUSTMENT) else None),
        "may_warn": may(by, Right.WARN),
        "may_note": may(by, Right.NOTE),
        "notes": all_notes().filter(player=about)[:LINES],
        "watch": Watch.objects.filter(player=about, ended_at__isnull=True).select_related("by").first(),
    }
    return render(request, "pit/player.html", context, status=400 if forms_ else 200)


def _ratings(about: Player, now: datetime) -> dict[str, object]:
    """What this player was rated for within the last days."""
    if about.kiosk_id is not None:
        return {}
    since = now - timedelta(days=RATED_DAYS)
    slips, whole = ratings.of_player(about, since, now)
    given = ratings.comps_given(since, now, about).get(about.pk, 0)
    return {
        "slips": slips[:LINES], "rating": ratings.together(slips), "given": given, "whole": whole,
        "share": settings.COMP_SHARE,
    }  # fmt: skip


def _done_by(
    request: HttpRequest, deed: Callable[[], object], said: str | Callable[[], str], about: Player, **form: forms.Form
) -> HttpResponse:
    """The same for what is asked for with a form of the page: it says why not, and keeps what was typed into it."""
    try:
        deed()
    except Refused as refusal:
        for one in form.values():
            one.add_error(None, text_of(refusal.words))
        return _page(request, about, **form)
    messages.success(request, said if isinstance(said, str) else said())
    return redirect("pit_player", about.pk)


@staff_deed(Right.WARN)
def restrict(request: HttpRequest, player_id: int) -> HttpResponse:
    """Impose a restriction on a player."""
    about, by = get_object_or_404(Player, pk=player_id, role=""), member_of(request)
    form = RestrictForm(by, request.POST)
    if not form.is_valid():
        return _page(request, about, restrict=form)
    said = form.cleaned_data
    until = DATABASE_CLOCK.now() + timedelta(minutes=said["minutes"]) if said["minutes"] else None
    cents = said["credits"] * CREDIT if said["credits"] is not None else None
    deed = partial(sanctions.restrict, by, about.pk, said["kind"], said["why"], until=until, cents=cents)
    return _done_by(request, deed, _("It is in force."), about, restrict=form)


@staff_deed(Right.WARN)
def lift(request: HttpRequest, restriction_id: int) -> HttpResponse:
    """Lift a restriction before its time."""
    one, form = get_object_or_404(Restriction, pk=restriction_id), WhyForm(request.POST)
    why = form.cleaned_data["why"] if form.is_valid() else ""
    deed = partial(sanctions.lift, member_of(request), one.pk, why)
    return do_and_say(request, deed, _("It is lifted."), "pit_player", one.player_id)


@staff_deed(Right.WARN)
def remove(request: HttpRequest, player_id: int, slug: str) -> HttpResponse:
    """Take a player's seat away."""
    about, table = get_object_or_404(Player, pk=player_id, role=""), get_object_or_404(Table, slug=slug)
    form = WhyForm(request.POST)
    why = form.cleaned_data["why"] if form.is_valid() else ""
    deed = partial(sanctions.remove, member_of(request), about.pk, table.pk, why)
    said = _("The player leaves the seat, at the latest after the round.")
    return do_and_say(request, deed, said, "pit_player", about.pk)


@staff_deed(Right.COMP)
def comp(request: HttpRequest, player_id: int) -> HttpResponse:
    """Give a player credits of the house."""
    about = get_object_or_404(Player, pk=player_id, role="")
    form = CompForm(request.POST)
    if not form.is_valid():
        return _page(request, about, comp=form)
    asked: list[Words] = []

    def deed() -> None:
        given = Comp(about.pk, form.cents, form.cleaned_data["ref"])
        asked.append(do_or_ask(member_of(request), given, form.cleaned_data["why"]))

    return _done_by(request, deed, lambda: text_of(asked[0]) or _("The comp has been given."), about, comp=form)


# ── Adjustments ─────────────────────────────────────────────────────────────────────────────────────────────


@staff_deed(Right.ASK_ADJUSTMENT)
def ask_adjustment(request: HttpRequest, player_id: int) -> HttpResponse:
    """Ask for a transfer that puts a mistake right."""
    about = get_object_or_404(Player, pk=player_id, role="")
    form = AdjustmentForm(request.POST, prefix="adjust")
    if not form.is_valid():
        return _page(request, about, adjust=form)
    said = form.cleaned_data
    deed = partial(adjustments.ask, member_of(request), about.pk, form.cents, said["why"], log=said["round"])
    return _done_by(request, deed, _("It waits for a second person to approve it."), about, adjust=form)


@staff_page(Right.WATCH)
def waiting(request: HttpRequest) -> HttpResponse:
    """The adjustments that wait for a second person, and the last that were decided."""
    by = member_of(request)
    lines = Adjustment.objects.select_related("player", "log__table", "requested_by", "decided_by")
    open_ = lines.filter(state=Adjustment.State.REQUESTED)
    context = {
        "place": "adjustments",
        "waiting": [(one, one.requested_by_id == by.pk) for one in open_],
        "decided": lines.exclude(state=Adjustment.State.REQUESTED).order_by("-decided_at")[:SHOWN],
        "may_approve": may(by, Right.APPROVE_ADJUSTMENT),
    }
    return render(request, "pit/adjustments.html", context)


@sensitive_post_parameters("code")
@staff_deed(Right.APPROVE_ADJUSTMENT)
def approve(request: HttpRequest, adjustment_id: int) -> HttpResponse:
    """Approve what somebody else asked for, with a code that has not been used yet."""
    get_object_or_404(Adjustment, pk=adjustment_id)
    deed = partial(adjustments.approve, member_of(request), adjustment_id)
    return with_fresh_code(request, deed, _("Adjustment paid."), "pit_adjustments")


@staff_deed(Right.ASK_ADJUSTMENT)
def refuse(request: HttpRequest, adjustment_id: int) -> HttpResponse:
    """Refuse it, or take back what one has asked for."""
    get_object_or_404(Adjustment, pk=adjustment_id)
    form = WhyForm(request.POST)
    why = form.cleaned_data["why"] if form.is_valid() else ""
    deed = partial(adjustments.refuse, member_of(request), adjustment_id, why)
    return do_and_say(request, deed, _("It is refused; nothing has moved."), "pit_adjustments")
