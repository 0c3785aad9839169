"""Kiosks: their live list, the page of one, how it is set, which screen it is, and what the pit tells it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.forms.boundfield import BoundWidget
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from tables.base.rights import Right, may
from tables.felt.formatting import text_of
from tables.games import GAMES
from tables.games.contract.errors import Refused
from tables.games.values.money import CREDIT
from tables.kiosk import board as kiosk_board
from tables.kiosk.board import State
from tables.models import Kiosk, Realm, Table
from tables.pit.board import Buttons
from tables.services.kiosk import kiosks as services
from tables.services.kiosk.kiosks import Setting
from tables.services.kiosk.schedule import DAYS, Schedule

from .gate import member_of, staff, staff_deed, staff_page
from .number_fields import WholeNumber

FIRST_CREDITS, FIRST_IDLE = 1_000, 60
"""What the form of a new kiosk proposes: credits, and seconds."""

MONDAY = date(2024, 1, 1)
"""One of them: days of the week are called by it."""

FIELDS: Mapping[str, str] = {"idle": "idle_seconds"}
"""Where a refusal is shown, if not at the field of the name that it gives."""


# ── Forms ───────────────────────────────────────────────────────────────────────────────────────────────────


class SettingForm(forms.Form):
    """How a kiosk is set."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=services.LONGEST_NAME,
        help_text=gettext_lazy("Its visitors carry this name at the tables."),
    )
    place = forms.CharField(
        label=gettext_lazy("Place"),
        max_length=services.LONGEST_PLACE,
        required=False,
        help_text=gettext_lazy("Where the screen stands."),
    )
    credits = WholeNumber(
        label=gettext_lazy("Credits"), min_value=1, max_value=services.MOST_CREDITS // CREDIT, initial=FIRST_CREDITS,
        help_text=gettext_lazy("What each visitor gets, and gives back on leaving."),
    )  # fmt: skip
    idle_seconds = WholeNumber(
        label=gettext_lazy("Seconds without a touch"), min_value=services.IDLE[0], max_value=services.IDLE[-1],
        initial=FIRST_IDLE, help_text=gettext_lazy("Then visitors are asked whether they are still there."),
    )  # fmt: skip
    language = forms.ChoiceField(
        label=gettext_lazy("Its own language"), choices=settings.LANGUAGES,
        help_text=gettext_lazy("What it shows while nobody plays, and first to each visitor."),
    )  # fmt: skip
    languages = forms.MultipleChoiceField(
        label=gettext_lazy("Languages to choose from"), choices=settings.LANGUAGES, required=False,
        widget=forms.CheckboxSelectMultiple, initial=[code for code, _ in settings.LANGUAGES],
    )  # fmt: skip
    tables = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Tables"), coerce=int, widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one table.")},
    )  # fmt: skip

    group = forms.CharField(
        label=gettext_lazy("Group"), max_length=services.LONGEST_GROUP, required=False,
        help_text=gettext_lazy("Kiosks of one group are told things together."),
    )  # fmt: skip

    PLAIN = ("name", "place", "group", "credits", "idle_seconds", "language")
    """Fields that are shown as any other."""

    def __init__(self, data: QueryDict | None = None, *, initial: dict[str, object] | None = None) -> None:
        super().__init__(data, initial=initial)
        self._realms = dict(Table.objects.values_list("pk", "realm"))
        found = sorted(Table.objects.order_by("position", "pk"), key=lambda table: -table.realm)
        self.fields["tables"].choices = [(table.pk, _called(table)) for table in found]  # type: ignore[attr-defined]
        if "tables" not in self.initial:
            self.initial["tables"] = [table.pk for table in found if table.realm == Realm.KIOSKS and table.open]

    @classmethod
    def of(cls, kiosk: Kiosk) -> SettingForm:
        """The form as the kiosk is set now."""
        now = services.setting_of(kiosk)
        return cls(
            initial={
                "name": now.name,
                "place": now.place,
                "credits": now.credits // CREDIT,
                "idle_seconds": now.idle_seconds,
                "group": now.group,
                "language": now.languages[0],
                "languages": list(now.languages),
                "tables": list(now.tables),
            }
        )

    @property
    def plain(self) -> list[forms.BoundField]:
        return [self[name] for name in self.PLAIN]

    def groups(self) -> Iterator[tuple[str, list[BoundWidget]]]:
        """The tables by whose they are, each group with its title."""
        titles = ((Realm.KIOSKS, _("For visitors")), (Realm.FLOOR, _("Players' tables to show")))
        for realm, title in titles:
            some = [widget for widget in self["tables"].subwidgets if self._realms[widget.data["value"]] == realm]
            if some:
                yield title, some

    def setting(self) -> Setting:
        """What the form says, once it is valid."""
        said = self.cleaned_data
        return Setting(
            name=said["name"],
            place=said["place"],
            tables=said["tables"],
            languages=list(dict.fromkeys((said["language"], *said["languages"]))),
            credits=said["credits"] * CREDIT,
            idle_seconds=said["idle_seconds"],
            group=said["group"],
        )


class WallboardForm(forms.Form):
    """How a wallboard is set."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=services.LONGEST_NAME)
    place = forms.CharField(
        label=gettext_lazy("Place"), max_length=services.LONGEST_PLACE, required=False,
        help_text=gettext_lazy("Where the screen stands."),
    )  # fmt: skip
    group = forms.CharField(
        label=gettext_lazy("Group"), max_length=services.LONGEST_GROUP, required=False,
        help_text=gettext_lazy("Kiosks of one group are told things together."),
    )  # fmt: skip
    language = forms.ChoiceField(label=gettext_lazy("Language"), choices=settings.LANGUAGES)

    @classmethod
    def of(cls, kiosk: Kiosk) -> WallboardForm:
        """The form as the wallboard is set now."""
        now = services.setting_of(kiosk)
        said = {"name": now.name, "place": now.place, "group": now.group, "language": now.languages[0]}
        return cls(initial=said)

    @property
    def plain(self) -> list[forms.BoundField]:
        return list(self)

    def setting(self) -> Setting:
        """What the form says, once it is valid."""
        said = self.cleaned_data
        return Setting.of_wallboard(said["name"], said["place"], said["language"], said["group"])


def _called(table: Table) -> str:
    name = f"{table.name} · {text_of(GAMES[table.game].title)}"
    return name if table.open else _("%(table)s (closed)") % {"table": name}


class CodeForm(forms.Form):
    """The code that a screen shows."""

    code = forms.CharField(
        label=gettext_lazy("Code"), max_length=12, help_text=gettext_lazy("As the screen shows it."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false", "class": "kiosk-code"}
        ),
    )  # fmt: skip


class MessageForm(forms.Form):
    """What a screen shows beside all else, or nothing."""

    message = forms.CharField(
        label=gettext_lazy("Message"), max_length=services.LONGEST_MESSAGE, required=False,
    )  # fmt: skip

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        for code, name in settings.LANGUAGES:
            self.fields[f"message_{code}"] = forms.CharField(
                label=name, max_length=services.LONGEST_MESSAGE, required=False,
            )  # fmt: skip

    @staticmethod
    def initially(kiosk: Kiosk) -> dict[str, str]:
        """What is on the screen."""
        return {"message": kiosk.message, **{f"message_{code}": text for code, text in kiosk.messages.items()}}

    def by_language(self) -> dict[str, str]:
        return {code: self.cleaned_data[f"message_{code}"] for code, _ in settings.LANGUAGES}


class ScheduleForm(forms.Form):
    """When it plays and how bright it is."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        for number in range(DAYS):
            self.fields[f"day_{number}"] = forms.CharField(
                label=date_format(MONDAY + timedelta(days=number), "l"), max_length=20, required=False,
            )  # fmt: skip
        self.fields["day_0"].help_text = gettext_lazy("As 10:00-02:00; empty: not that day. All empty: always.")
        self.fields["brightness"] = forms.CharField(
            label=gettext_lazy("Brightness"), max_length=100, required=False,
            help_text=gettext_lazy("Hours and per cent, as 8 100, 20 70, 0 40."),
        )  # fmt: skip

    @staticmethod
    def initially(kiosk: Kiosk) -> dict[str, str]:
        """As it is now."""
        now = Schedule.of(kiosk)
        return {**{f"day_{number}": text for number, text in enumerate(now.days())}, "brightness": now.steps()}

    def schedule(self) -> Schedule:
        """What the form says. Raises Refused."""
        said = self.cleaned_data
        return Schedule.read([said[f"day_{number}"] for number in range(DAYS)], said["brightness"])


class WhyForm(forms.Form):
    """A reason."""

    why = forms.CharField(label=gettext_lazy("Why"), max_length=500)


class NoForm(forms.Form):
    """A deed that needs no word."""


# ── Pages ───────────────────────────────────────────────────────────────────────────────────────────────────


@staff_page(Right.WATCH)
def kiosks(request: HttpRequest) -> HttpResponse:
    """All kiosks, live."""
    by = member_of(request)
    board = kiosk_board.board()
    fragments = kiosk_board.board_fragments(board, buttons=Buttons.of(by))
    context = {
        "place": "kiosks",
        "tiles": [mark_safe(fragments[f"pit-kiosk-{kiosk.kiosk_id}"]) for kiosk in board],
        "runs": may(by, Right.RUN_KIOSKS),
        "groups": sorted({kiosk.group for kiosk in board if kiosk.group}) if may(by, Right.RUN_KIOSKS) else [],
        "fragments": {name: mark_safe(html) for name, html in fragments.items()},
    }
    return render(request, "pit/kiosks.html", context)


@staff(Right.RUN_KIOSKS)
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Make a kiosk; which screen it is comes next."""
    return _new(request, SettingForm(request.POST or None))


@staff(Right.RUN_KIOSKS)
@require_http_methods(["GET", "POST"])
def new_wallboard(request: HttpRequest) -> HttpResponse:
    """Make a wallboard; which screen it is comes next."""
    return _new(request, WallboardForm(request.POST or None), wallboard=True)


def _new(request: HttpRequest, form: SettingForm | WallboardForm, *, wallboard: bool = False) -> HttpResponse:
    if form.is_valid():
        try:
            kiosk = services.make(member_of(request), form.setting())
        except Refused as refusal:
            _refuse(form, refusal)
        else:
            messages.success(request, _("%(kiosk)s is made. Now enrol its screen.") % {"kiosk": kiosk})
            return redirect("pit_kiosk", kiosk.pk)
    context = {"place": "kiosks", "form": form, "wallboard": wallboard}
    return render(request, "pit/kiosk_new.html", context, status=400 if form.errors else 200)


@staff_page(Right.WATCH)
def kiosk(request: HttpRequest, kiosk_id: int) -> HttpResponse:
    """One kiosk: what it does, what was done with it, and what may be."""
    return _page(request, kiosk_id)


def _page(request: HttpRequest, kiosk_id: int, **refused: forms.Form) -> HttpResponse:
    """The page of one kiosk; with the form of a deed that was refused, by its name."""
    by = member_of(request)
    try:
        page = kiosk_board.kiosk_page(kiosk_id)
    except Kiosk.DoesNotExist:
        raise Http404 from None
    kiosk = Kiosk.objects.get(pk=kiosk_id)
    fragments = kiosk_board.kiosk_fragments(page, buttons=Buttons.of(by))
    in_service = page.kiosk.state is not State.RETIRED
    deeds: dict[str, forms.Form] = {}
    if in_service and may(by, Right.RUN_KIOSKS):
        deeds = {
            "setting": WallboardForm.of(kiosk) if kiosk.wallboard else SettingForm.of(kiosk),
            "enrol": CodeForm(auto_id="enrol_%s"),
            "message": MessageForm(auto_id="message_%s", initial=MessageForm.initially(kiosk)),
            "schedule": ScheduleForm(auto_id="schedule_%s", initial=ScheduleForm.initially(kiosk)),
            "lock": WhyForm(auto_id="lock_%s"),
            "revoke": WhyForm(auto_id="revoke_%s"),
            "retire": WhyForm(auto_id="retire_%s"),
        }
    context = {
        "place": "kiosks",
        "kiosk": kiosk,
        "page": page.kiosk,
        "kiosk_path": request.build_absolute_uri(reverse("kiosk")),
        "languages": [dict(settings.LANGUAGES)[code] for code in kiosk.languages],
        "playlist": [(table, _called(table)) for table in kiosk.tables.order_by("-realm", "position", "pk")],
        "tile": mark_safe(fragments[f"pit-kiosk-{kiosk_id}"]),
        "deeds": deeds | refused if deeds else {},
        "refused": next(iter(refused), ""),
        "fragments": {name: mark_safe(html) for name, html in fragments.items()},
    }
    return render(request, "pit/kiosk.html", context, status=400 if refused else 200)


# ── Deeds ───────────────────────────────────────────────────────────────────────────────────────────────────


def _refuse(form: forms.Form, refusal: Refused) -> None:
    """Say in the form why its deed is refused, at the field that it is about."""
    name = FIELDS.get(refusal.article, refusal.article)
    form.add_error(name if name in form.fields else None, text_of(refusal.words))


def _do(
    request: HttpRequest, kiosk_id: int, name: str, form: forms.Form, deed: Callable[[], object], said: str
) -> HttpResponse:
    """Do it and say so on the page of the kiosk; or show there why not, beside what was typed."""
    kiosk = get_object_or_404(Kiosk, pk=kiosk_id)
    if form.is_valid():
        try:
            deed()
        except Refused as refusal:
            if not form.fields or kiosk.retired_at is not None:  # its page has no such form
                messages.error(request, text_of(refusal.words))
                return redirect("pit_kiosk", kiosk_id)
            _refuse(form, refusal)
        else:
            messages.success(request, said)
            return redirect("pit_kiosk", kiosk_id)
    return _page(request, kiosk_id, **{name: form})


@staff_deed(Right.RUN_KIOSKS)
def change(request: HttpRequest, kiosk_id: int) -> HttpResponse:
    """Change its settings."""
    by, wallboard = member_of(request), get_object_or_404(Kiosk, pk=kiosk_id).wallboard
    form = WallboardForm(request.POST) if wallboard else SettingForm(request.POST)
    deed = lambda: services.change(by, kiosk_id, form.setting())  # noqa: E731
    said = _("The wallboard restarts with it.") if wallboard else _("This takes effect with the next visitor.")
    return _do(request, kiosk_id, "setting", form, deed, said)


@staff_deed(Right.RUN_KIOSKS)
def enrol(request: HttpRequest, kiosk_id: int) -> HttpResponse:
    """The screen that shows this code is this kiosk."""
    form, by = CodeForm(request.POST, auto_id="enrol_%s"), member_of(request)
    deed = lambda: services.enrol(by, kiosk_id, form.cleaned_data["code"])  # noqa: E731
    return _do(request, kiosk_id, "enrol", form, deed, _("The screen starts within a few seconds."))


@staff_deed(Right.RUN_KIOSKS)
def message(request: HttpRequest, kiosk_id: int) -> HttpResponse:
    """Put a message on the screen, or take it away."""
    form, by = MessageForm(request.POST, auto_id="message_%s"), member_of(request)
    deed = lambda: services.show(by, kiosk_id, form.cleaned_data["message"], form.by_language())  # noqa: E731
    given = any(request.POST.get(name, "").strip() for name in form.fields)
    said = _("The screen shows it.") if given else _("The screen shows no message.")
    return _do(request, kiosk_id, "message", form, deed, said)


@staff_deed(Right.RUN_KIOSKS)
def schedule(request: HttpRequest, kiosk_id: int) -> HttpResponse:
    """Set when it plays and how bright it is."""
    form, by = ScheduleForm(request.POST, auto_id="schedule_%s"), member_of(request)
    deed = lambda: services.plan(by, kiosk_id, form.schedule())  # noqa: E731
    return _do(request, kiosk_id, "schedule", form, deed, _("Its hours are set."))


@staff_deed(Right.RUN_KIOSKS)
def restart(request: HttpRequest, kiosk_id: int) -> HttpResponse:
    """Restart the screen."""
    deed = partial(services.restart, member_of(request), kiosk_id)
    return _do(request, kiosk_id, "restart", NoForm(request.POST), deed, _("The screen restarts."))


@staff_deed(Right.RUN_KIOSKS)
def lock(request: HttpRequest, kiosk_id: int) -> HttpResponse:
    """Put it out of service."""
    said = _("Nobody can play there now. Whoever was playing has been checked out.")
    return _for_a_reason(request, kiosk_id, "lock", services.lock, said)


@staff_deed(Right.RUN_KIOSKS)
def unlock(request: HttpRequest, kiosk_id: int) -> HttpResponse:
    """Put it into service again."""
    deed = partial(services.unlock, member_of(request), kiosk_id)
    return _do(request, kiosk_id, "unlock", NoForm(request.POST), deed, _("It is in service again."))


@staff_deed(Right.RUN_KIOSKS)
def unpair(request: HttpRequest, kiosk_id: int) -> HttpResponse:
    """Put out the screen that is this kiosk."""
    said = _("That screen is no longer a kiosk.")
    return _for_a_reason(request, kiosk_id, "revoke", services.unpair, said)


@staff_deed(Right.RUN_KIOSKS)
def retire(request: HttpRequest, kiosk_id: int) -> HttpResponse:
    """There is no such kiosk any more."""
    return _for_a_reason(request, kiosk_id, "retire", services.retire, _("It is retired. Its figures stay."))


def _for_a_reason(
    request: HttpRequest, kiosk_id: int, name: str, deed: Callable[..., object], said: str
) -> HttpResponse:
    form, by = WhyForm(request.POST, auto_id=f"{name}_%s"), member_of(request)
    return _do(request, kiosk_id, name, form, lambda: deed(by, kiosk_id, form.cleaned_data["why"]), said)
