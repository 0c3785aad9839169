"""Who of the people is staff: a list for all of them, and what a shift manager may do about it."""

from __future__ import annotations

from functools import partial

from allauth.mfa.models import Authenticator
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.base.rights import Right, may
from tables.models import Player, Role
from tables.services.pit import approvals
from tables.services.pit import staff as services
from tables.services.pit.deeds import Appointment, Deed, FactorRemoval

from .gate import do_and_say, member_of, staff_deed, staff_page


class AppointForm(forms.Form):
    """Somebody who has signed up, as what, and why."""

    name = forms.CharField(label=gettext_lazy("Username"), max_length=150)
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role.choices)
    why = forms.CharField(label=gettext_lazy("Why"), max_length=500)

    def clean_name(self) -> Player:
        person = Player.objects.filter(username=self.cleaned_data["name"]).first()
        if person is None:
            raise forms.ValidationError(_("Nobody has signed up under this name."))
        return person


@staff_page(Right.WATCH)
def members(request: HttpRequest) -> HttpResponse:
    """All members of the staff."""
    return _page(request)


def _page(request: HttpRequest, form: AppointForm | None = None) -> HttpResponse:
    by = member_of(request)
    found = Player.objects.exclude(role="").order_by("role", "username")
    factors = set(Authenticator.objects.filter(type=Authenticator.Type.TOTP).values_list("user_id", flat=True))
    appoints = may(by, Right.APPOINT)
    context: dict[str, object] = {
        "place": "staff",
        "members": [(one, one.pk in factors, appoints and one.pk != by.pk) for one in found],
        "appoints": appoints,
        "form": form or (AppointForm() if appoints else None),
    }
    return render(request, "pit/staff.html", context, status=400 if form else 200)


@staff_deed(Right.APPOINT)
def appoint(request: HttpRequest) -> HttpResponse:
    """Ask that somebody becomes a member of the staff, or that a member gets another role."""
    form = AppointForm(request.POST)
    if not form.is_valid():
        return _page(request, form)
    said = form.cleaned_data
    return _asked(request, Appointment(said["name"].pk, said["role"]), said["why"])


@staff_deed(Right.APPOINT)
def dismiss(request: HttpRequest, player_id: int) -> HttpResponse:
    """Make a member a player again."""
    person = get_object_or_404(Player, pk=player_id)
    deed = partial(services.dismiss, member_of(request), person, request.POST.get("why", "")[:500])
    return do_and_say(request, deed, _("%(name)s is no longer a member of the staff.") % {"name": person}, "pit_staff")


@staff_deed(Right.APPOINT)
def lost(request: HttpRequest, player_id: int) -> HttpResponse:
    """Ask that the second factor of a member whose telephone is lost is removed."""
    person = get_object_or_404(Player, pk=player_id)
    why = request.POST.get("why", "")[:500]
    return _asked(request, FactorRemoval(person.pk), why)


def _asked(request: HttpRequest, deed: Deed, why: str) -> HttpResponse:
    """Ask a second person for it, and say so."""
    said = _("Asked for. A second person must approve it.")
    return do_and_say(request, partial(approvals.ask, member_of(request), deed, why), said, "pit_staff")
