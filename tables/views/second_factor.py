"""The second factor of staff: allauth's pages, those that this house has, behind the gate of the pit."""

from __future__ import annotations

from allauth.account import views as account
from allauth.mfa.base import views as base
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters

from tables.base.browser_sessions import session_of
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right
from tables.services.pit import sessions
from tables.services.pit import staff as members
from tables.services.pit.sessions import Standing
from tables.views.pit.gate import member_of, staff

from .accounts import use_up

NEW = frozenset({Standing.FACTORLESS})


class Activate(totp.ActivateTOTPView):
    """Set up an app that shows codes, and prove it with the first."""

    def form_valid(self, form: forms.Form) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)
        member = member_of(self.request)
        use_up(Authenticator.objects.get(user=member, type=Authenticator.Type.TOTP), form.cleaned_data["code"])
        members.took_second_factor(member)
        sessions.prove(session_of(self.request), member, DATABASE_CLOCK.now())
        return answer

    def get_success_url(self) -> str:
        return reverse("mfa_view_recovery_codes" if self.did_generate_recovery_codes else "pit")


@sensitive_post_parameters("code")
@staff(Right.WATCH, at=NEW)
def activate(request: HttpRequest) -> HttpResponse:
    """Set up a second factor: a picture for the app, and the first code."""
    answer: HttpResponse = Activate.as_view()(request)
    return answer


@sensitive_post_parameters("password")
@staff(Right.WATCH, at=NEW)
def password_again(request: HttpRequest) -> HttpResponse:
    """The password once more, before a second factor is set up."""
    answer: HttpResponse = account.reauthenticate(request)
    return answer


@sensitive_post_parameters("code")
@staff(Right.WATCH)
def code_again(request: HttpRequest) -> HttpResponse:
    """Ask for a code again before the recovery codes are shown or replaced."""
    answer: HttpResponse = base.reauthenticate(request)
    return answer


@staff(Right.WATCH)
def recovery_codes(request: HttpRequest) -> HttpResponse:
    """The codes for the day on which the app is lost: shown once."""
    answer: HttpResponse = recovery.view_recovery_codes(request)
    return answer


@staff(Right.WATCH)
def new_recovery_codes(request: HttpRequest) -> HttpResponse:
    """Make new ones; those of before are no longer good."""
    answer: HttpResponse = recovery.generate_recovery_codes(request)
    return answer
