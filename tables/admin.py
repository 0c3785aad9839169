"""Django's admin at /pit/admin/: what the panel of the pit does not cover, to be read, and a few fields to correct.

It is behind the same gate as every page of the pit. What is sealed (shoes, throws), what keeps the house running
(leases, logins, second factors) and every round that is not over are not here at all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from csp.decorators import csp_update
from django import forms
from django.contrib import messages
from django.contrib.admin import display
from django.contrib.admin.models import LogEntry
from django.db.models import Model, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from unfold.admin import ModelAdmin
from unfold.sites import UnfoldAdminSite
from unfold.widgets import UnfoldAdminTextInputWidget

from tables.base.rights import Right, may
from tables.base.transactions import unit_of_work
from tables.felt.formatting import credits_of, text_of
from tables.felt.games import FELTS
from tables.games.contract.errors import Refused
from tables.queries.discretion import with_shown_balance
from tables.queries.folds import line_of
from tables.services.pit import approvals, corrections
from tables.services.pit.corrections import FIELDS
from tables.services.pit.deeds import EmailChange
from tables.views.pit.gate import member_of, staff

from .games import GAMES
from .models import (
    Account,
    ChatLine,
    Event,
    Favourite,
    Jackpot,
    Kiosk,
    LoggedAction,
    Mute,
    Played,
    Player,
    Report,
    RoundLog,
    Ruling,
    Table,
    Transfer,
)

POLICY = {"script-src": [UNSAFE_EVAL], "style-src": [UNSAFE_INLINE]}
"""What the theme needs beyond the policy of our own pages: Alpine.js reads expressions out of attributes, and the
theme's colours stand in a <style>. Still nothing comes from elsewhere, and no script stands in a page."""

OURS = {"login", "logout", "password_change", "password_change_done"}
"""Pages of Django's admin that this house has of its own, with the second factor."""

GROUPS: Mapping[str, Sequence[type[Model]]] = {
    "People": (Player, Favourite),
    "Talk": (ChatLine, Report, Mute),
    "The floor": (Table, Jackpot, Kiosk),
    "The ledger": (Account, Transfer, Played),
    "The logs": (RoundLog, LoggedAction, Ruling, Event),
}
"""All that is there, as the index and the sidebar have it."""

LOOKUPS = {"", "exact", "id__exact", "isnull", "gte", "lt"}
"""How the filters of a list ask. Anything else could be used to guess at what is not shown, letter by letter."""


class PitAdmin(UnfoldAdminSite):
    """The admin of this house. Whoever may watch the pit may read it; who may administer corrects."""

    index_title = "Administration"

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:
        """The view behind the gate of the pit, under the theme's policy."""
        inner: Any = csp_update(POLICY)(super().admin_view(view, cacheable))
        return staff(Right.WATCH)(inner)

    def has_permission(self, request: HttpRequest) -> bool:
        return _may(request, Right.WATCH)

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        """What there is, in the groups of this house."""
        apps: list[dict[str, Any]] = super().get_app_list(request, app_label)
        if app_label is not None or not apps:
            return apps
        found = {each["model"]: each for each in apps[0]["models"]}
        return [
            {**apps[0], "name": name, "models": [found[model] for model in models if model in found]}
            for name, models in GROUPS.items()
        ]

    def get_urls(self) -> list[URLPattern | URLResolver]:
        return [one for one in super().get_urls() if getattr(one, "name", None) not in OURS]

    def get_log_entries(self, request: HttpRequest) -> QuerySet[LogEntry]:
        """What was corrected is in the event log of the pit, and nowhere else."""
        return LogEntry.objects.none()


site = PitAdmin()


def _may(request: HttpRequest, right: Right) -> bool:
    return isinstance(request.user, Player) and may(request.user, right)


class ForReading(ModelAdmin):
    """Rows that can be looked at, found and filtered, and nothing else."""

    list_per_page = 50
    list_fullwidth = True
    show_full_result_count = False  # counting the whole ledger for each page of it
    ordering: Sequence[str] = ("-pk",)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return _may(request, Right.WATCH)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _may(request, Right.WATCH)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_actions(self, request: HttpRequest) -> dict[str, object]:
        return {}

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Only what the filters of the list ask: Django would let any field be asked for, hidden ones too."""
        field, _, how = lookup.partition("__")
        return field in self.list_filter and how in LOOKUPS

    def history_view(self, request: HttpRequest, object_id: str, extra_context: object = None) -> HttpResponse:
        """There is none but the event log of the pit."""
        raise Http404


class ReasonForm(forms.ModelForm):  # type: ignore[type-arg]  # the admin names the model
    """The fields of a row, and why they are corrected."""

    why = forms.CharField(
        max_length=500, widget=UnfoldAdminTextInputWidget, help_text="Goes into the event log of the pit."
    )


class ForCorrecting(ForReading):
    """Rows with a few fields that those with the right may correct, with a reason."""

    form = ReasonForm

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _may(request, Right.ADMINISTER)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> Sequence[object]:
        fields = super().get_fields(request, obj)
        return [*fields, "why"] if self.has_change_permission(request, obj) else fields

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Sequence[object]:
        return [name for name in super().get_fields(request, obj) if name not in FIELDS[self.model]]

    def changeform_view(self, request: HttpRequest, *args: object, **kwargs: object) -> object:
        """Correct it in our own unit of work, or say why not."""
        if request.method != "POST":
            return super().changeform_view(request, *args, **kwargs)
        try:
            with unit_of_work():
                return super().changeform_view(request, *args, **kwargs)
        except Refused as refusal:
            messages.error(request, text_of(refusal.words))
            return redirect(request.path)

    def save_model(self, request: HttpRequest, obj: corrections.Thing, form: ReasonForm, change: bool) -> None:
        by, why = member_of(request), form.cleaned_data["why"]
        changes = {name: form.cleaned_data[name] for name in form.changed_data if name in FIELDS[self.model]}
        email = changes.pop("email", None)
        corrections.correct(by, obj, changes, why)
        if email is not None and approvals.do_or_ask(by, EmailChange(obj.pk, email), why) is not None:
            messages.info(request, _("The e-mail address waits for a second person to approve it."))

    def log_change(self, request: HttpRequest, obj: Model, message: object) -> None:
        """It is an event of the pit (see `administration.correct`)."""


# ── People ──────────────────────────────────────────────────────────────────────────────────────────────────


class PlayerAdmin(ForCorrecting):
    list_display = ("name", "username", "email", "role", "guest", "kiosk", "is_active", "date_joined")
    list_filter = ("role", "guest", "kiosk", "is_active", "date_joined")
    list_select_related = ("kiosk",)
    search_fields = ("name", "username", "email")
    fields = (
        "username",
        "name",
        "email",
        "is_active",
        "role",
        "guest",
        "kiosk",
        "date_joined",
        "last_login",
        "last_topped_up_at",
    )

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Of players alone: what concerns the staff are deeds of their own, and visitors go with their kiosk."""
        apart = isinstance(obj, Player) and (obj.role or obj.kiosk_id is not None)
        return super().has_change_permission(request, obj) and not apart


class FavouriteAdmin(ForReading):
    list_display = ("player", "game", "name")
    list_filter = ("game",)
    list_select_related = ("player",)
    search_fields = ("player__name", "name")
    fields = ("player", "game", "name", "stakes")


class MuteAdmin(ForReading):
    list_display = ("player", "muted", "at")
    list_filter = ("at",)
    list_select_related = ("player", "muted")
    search_fields = ("player__name", "muted__name")
    fields = ("player", "muted", "at")


class ChatLineAdmin(ForReading):
    list_display = ("at", "table", "name", "text")
    list_filter = ("table", "at")
    list_select_related = ("table",)
    search_fields = ("name", "text")
    fields = ("table", "number", "player", "name", "text", "at", "log", "version")


class ReportAdmin(ForReading):
    list_display = ("at", "table", "by", "name", "text", "reason")
    list_filter = ("table", "reason", "at")
    list_select_related = ("table", "by")
    search_fields = ("by__name", "name", "text")
    fields = ("by", "at", "reason", "table", "about", "name", "text", "said_at", "line", "log", "version")


# ── The floor ───────────────────────────────────────────────────────────────────────────────────────────────


class TableAdmin(ForCorrecting):
    ordering = ("position", "pk")
    list_display = ("name", "slug", "game", "realm", "position", "open", "jackpot")
    list_filter = ("game", "realm", "open")
    list_select_related = ("jackpot",)
    search_fields = ("name", "slug")
    fields = ("name", "position", "slug", "game", "realm", "open", "paused", "closing", "jackpot", "options", "times")


class JackpotAdmin(ForCorrecting):
    list_display = ("name", "slug", "realm", "meter")
    list_select_related = ("account",)
    search_fields = ("name", "slug")
    fields = ("name", "slug", "realm", "meter")

    @display(description="Meter")
    def meter(self, jackpot: Jackpot) -> str:
        return credits_of(jackpot.account.balance, exact=True)


class KioskAdmin(ForReading):
    """Neither tokens nor screens, not even their digests: what is done about a kiosk is done on its page in the pit."""

    ordering = ("name",)
    list_display = ("name", "place", "locked", "enrolled_at", "seen_at", "retired_at")
    list_filter = ("locked", "retired_at")
    search_fields = ("name", "place")
    fields = (
        "name", "place", "tables", "languages", "credits", "idle_seconds", "locked", "message", "enrolled_at",
        "seen_at", "showing", "visitor", "retired_at",
    )  # fmt: skip


# ── The ledger ──────────────────────────────────────────────────────────────────────────────────────────────


class AccountAdmin(ForReading):
    list_display = ("kind", "owner", "realm", "credits")
    list_filter = ("kind", "realm")
    list_select_related = ("player", "table", "jackpot")
    search_fields = ("player__name", "table__name", "jackpot__name")
    fields = ("kind", "player", "table", "jackpot", "realm", "credits")

    @display(description="Whose")
    def owner(self, account: Account) -> str:
        return str(account.player or account.table or account.jackpot or "")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Account]:
        """With the balance that staff see: a raise of a round that is played is known to its bettor alone."""
        rows: QuerySet[Account] = super().get_queryset(request)
        return with_shown_balance(rows)

    @display(description="Balance", ordering="shown")
    def credits(self, account: Account) -> str:
        return credits_of(account.shown, exact=True)  # type: ignore[attr-defined]  # by get_queryset


class TransferAdmin(ForReading):
    list_display = ("at", "reason", "debit", "credit", "credits", "by", "log")
    list_filter = ("reason", "at")
    list_select_related = ("debit", "credit", "log")
    search_fields = ("=key", "=bet", "=by", "=log__id", "debit__player__name", "credit__player__name")
    fields = ("key", "debit", "credit", "credits", "reason", "log", "bet", "by", "at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Transfer]:
        """Hidden while the round is played: who has raised may be a secret."""
        rows: QuerySet[Transfer] = super().get_queryset(request)
        return rows.filter(Q(log__isnull=True) | Q(log__settled_at__isnull=False))

    @display(description="Credits", ordering="amount")
    def credits(self, transfer: Transfer) -> str:
        return credits_of(transfer.amount, exact=True)


class PlayedAdmin(ForReading):
    list_display = ("log", "player", "in_credits", "out_credits")
    list_select_related = ("log", "player")
    search_fields = ("=log__id", "player__name")
    fields = ("log", "player", "in_credits", "out_credits")

    @display(description="Staked", ordering="staked")
    def in_credits(self, played: Played) -> str:
        return credits_of(played.staked, exact=True)

    @display(description="Returned", ordering="returned")
    def out_credits(self, played: Played) -> str:
        return credits_of(played.returned, exact=True)


# ── The logs ────────────────────────────────────────────────────────────────────────────────────────────────


class RoundLogAdmin(ForReading):
    list_display = ("__str__", "table", "number", "game", "started_at", "settled_at", "was_void", "came_to")
    list_filter = ("table", "game", "void", "settled_at")
    list_select_related = ("table",)
    search_fields = ("=id", "=number", "table__name")
    fields = (
        "table", "number", "game", "edition", "options", "version", "phase", "started_at", "settled_at", "was_void",
        "came_to", "replay",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[RoundLog]:
        """Only what is over: of a round that is being played the floor shows what a spectator sees."""
        rows: QuerySet[RoundLog] = super().get_queryset(request)
        return rows.filter(settled_at__isnull=False)

    @display(description="Void", ordering="void")
    def was_void(self, log: RoundLog) -> str:
        """In words: a sound round with a red cross for "not void" looks like a fault."""
        return "void" if log.void else ""

    @display(description="Result")
    def came_to(self, log: RoundLog) -> str:
        return FELTS[log.game].result_words(log.result) if log.result else ""

    @display(description="Step by step")
    def replay(self, log: RoundLog) -> SafeString:
        address = reverse("pit_round", args=[log.pk])
        return format_html('<a href="{}">{}</a>', address, address)


class LoggedActionAdmin(ForReading):
    list_display = ("log", "seq", "at", "by", "said")
    list_filter = ("at",)
    list_select_related = ("log__shoe",)
    search_fields = ("=log__id", "=by", "=ref")
    fields = ("log", "seq", "at", "by", "said", "ref")

    def get_queryset(self, request: HttpRequest) -> QuerySet[LoggedAction]:
        """Only of rounds that are over."""
        rows: QuerySet[LoggedAction] = super().get_queryset(request)
        return rows.filter(log__settled_at__isnull=False)

    @display(description="Action")
    def said(self, line: LoggedAction) -> str:
        """The line as it was logged. Its kind alone while the pack is in use, for cards were burnt face down; and
        wherever hands stay private."""
        shoe = line.log.shoe
        if GAMES[line.log.game].private_hands or (shoe is not None and shoe.retired_at is None):
            return str(line.action["do"])
        return json.dumps(line_of(line.log, line.seq, line.action), ensure_ascii=False)


class EventAdmin(ForReading):
    list_display = ("seq", "at", "by", "deed", "table", "player", "why")
    list_filter = ("deed", "table", "at")
    list_select_related = ("by", "table", "player")
    search_fields = ("=seq", "by__name", "player__name", "why")
    fields = ("seq", "at", "by", "deed", "table", "log", "player", "why", "before", "after", "previous", "digest")


class RulingAdmin(ForReading):
    list_display = ("at", "log", "irregularity", "by", "why")
    list_filter = ("irregularity", "at")
    list_select_related = ("log", "by")
    search_fields = ("=log__id", "by__name", "why")
    fields = ("log", "irregularity", "why", "by", "at")


Played._meta.verbose_name_plural = "rounds played"  # for these pages alone: no migration sees it

site.register(Player, PlayerAdmin)
site.register(Favourite, FavouriteAdmin)
site.register(Mute, MuteAdmin)
site.register(ChatLine, ChatLineAdmin)
site.register(Report, ReportAdmin)
site.register(Table, TableAdmin)
site.register(Jackpot, JackpotAdmin)
site.register(Kiosk, KioskAdmin)
site.register(Account, AccountAdmin)
site.register(Transfer, TransferAdmin)
site.register(Played, PlayedAdmin)
site.register(RoundLog, RoundLogAdmin)
site.register(LoggedAction, LoggedActionAdmin)
site.register(Event, EventAdmin)
site.register(Ruling, RulingAdmin)
