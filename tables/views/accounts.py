"""How people come to have accounts: allauth, with our own words, and what our house adds.

Whoever signs up is welcomed in the same transaction; a guest may keep the account by choosing a name and a password;
a login that ends takes its sockets with it; and staff show a second factor (`tables.services.pit.sessions`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast
from urllib.parse import quote

from allauth.account import forms as stock
from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.core import context
from allauth.decorators import rate_limit
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base import forms as mfa
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp
from allauth.mfa.totp.internal import auth as codes
from cryptography.fernet import InvalidToken
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from tables.base import announce
from tables.base.browser_sessions import session_of
from tables.base.clock import DATABASE_CLOCK
from tables.base.names import LONGEST_NAME, normal
from tables.base.seals import Seal
from tables.base.transactions import unit_of_work
from tables.felt.formatting import text_of
from tables.games.contract.errors import Refused
from tables.models import Player
from tables.services.journal import access
from tables.services.pit import handover, sessions
from tables.services.players import logins, names, people

from . import attempts
from .address import address_of

SAID_BY_OTHERS = (
    _("You must type the same password each time."),
    _("Forgot your password?"),
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
        8,
    ),
)
"""What allauth and Django say by themselves and do not ship in all our languages: for our catalogues."""


def sends_mail() -> bool:
    """Whether this house can send letters: only then are addresses asked for, and passwords reset."""
    return settings.EMAIL_BACKEND != "django.core.mail.backends.dummy.EmailBackend"


View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def limited(action: str) -> Callable[[View], View]:
    """Answer 429 to whoever posts this more often than the settings allow (counted in the cache, by address)."""
    return cast(Callable[[View], View], rate_limit(action=action))


class Accounts(DefaultAccountAdapter):
    """What allauth asks the house."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "email_taken": _("This e-mail address belongs to another account."),
        "enter_current_password": _("This is not your present password."),
        "incorrect_password": _("This is not your password."),
        "invalid_password_reset": _("This link has expired. Ask for a new one."),
        "rate_limited": _("Too many attempts. Wait a little."),
        "too_many_login_attempts": _("Too many attempts. Wait a few minutes."),
        "username_blacklisted": _("This name is not free."),
        "username_password_mismatch": _("Wrong user name or password."),
        "username_taken": _("This name is not free."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """A user name that looks like nobody else's name and like none of the house's. Raises ValidationError."""
        username = normal(username)
        if (why := names.fault(username, shown=False)) is not None:
            raise forms.ValidationError(text_of(why))
        cleaned: str = super().clean_username(username, shallow)
        return cleaned

    def save_user(self, request: HttpRequest, user: Player, form: forms.Form, commit: bool = True) -> Player:
        """Save a new player and give them their first credits, both or neither."""
        user.name = form.cleaned_data["name"]
        with unit_of_work():
            super().save_user(request, user, form, commit=commit)
            if commit:
                _take_names(user)
                people.welcome(user)
        return user

    def login(self, request: HttpRequest, user: Player) -> None:
        """Log in. The session gets a new key; sockets of the old one close."""
        before = session_of(request).stored_key if request.user.is_authenticated else None
        super().login(request, user)
        if before is not None and before != session_of(request).stored_key:
            announce.session_ended(before)
        access.note("login", "done", player=user, address=address_of(request), guest=user.guest)

    def post_login(self, request: HttpRequest, user: Player, **how: object) -> HttpResponse:
        """The browser is known to this account from now on; the player hears when the login before was."""
        answer: HttpResponse = super().post_login(request, user, **how)
        attempts.remember_browser(request, answer, user)
        login = logins.login_of(session_of(request))
        if login is not None and login.last_login_at is not None:
            when = localtime(login.last_login_at).strftime("%Y-%m-%d %H:%M")
            messages.info(request, _("Your last login was on %(time)s.") % {"time": when})
        return answer

    def logout(self, request: HttpRequest) -> None:
        """Log out; the sockets of this login close."""
        before, player = session_of(request).stored_key, request.user
        super().logout(request)
        if before is not None:
            announce.session_ended(before)
        if isinstance(player, Player):
            access.note("logout", "done", player=player, address=address_of(request))

    def set_password(self, user: Player, password: str) -> None:
        """Change the password. All other logins end and this one is given a new key: all sockets close."""
        super().set_password(user, password)
        request = context.request
        logins.end_all(user.pk, but=session_of(request) if request.user == user else None)
        announce.logins_ended(user.pk)
        access.note("password changed", "done", player=user, address=address_of(request))

    def pre_authenticate(self, request: HttpRequest, **credentials: str) -> None:
        """Raise ValidationError if there were too many attempts (`tables.views.attempts`)."""
        name = credentials.get("username", "")
        self._login_failed_rl_usage = attempts.take(request, name)
        if self._login_failed_rl_usage is None:
            access.note("locked out", "limited", player=attempts.somebody(name), address=address_of(request))
            raise self.validation_error("too_many_login_attempts")

    def authentication_failed(self, request: HttpRequest, **credentials: str) -> None:
        attempts.failed(request, credentials.get("username", ""))

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: str) -> None:
        attempts.forget(request, credentials.get("username", ""))

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Staff begin at the pit."""
        if isinstance(request.user, Player) and request.user.role:
            return reverse("pit")
        url: str = super().get_login_redirect_url(request)
        return url

    def get_reauthentication_methods(self, user: Player) -> list[dict[str, object]]:
        """Whoever has a second factor is asked for that."""
        methods: list[dict[str, object]] = super().get_reauthentication_methods(user)
        return [one for one in methods if one["id"] == "mfa_reauthenticate"] or methods

    def get_client_ip(self, request: HttpRequest) -> str:
        """Whose attempts are counted together: as our sockets count them (the server has asked our proxies)."""
        address: str = request.META.get("REMOTE_ADDR", "")
        if not address:
            raise PermissionDenied("Nobody can be counted without an address.")
        return address

    def get_reset_password_from_key_url(self, key: str) -> str:
        """The link of a letter leads to this house, under whatever name it was asked for."""
        path = reverse("account_reset_password_from_key", kwargs={"uidb36": "UID", "key": "KEY"})
        return settings.SITE + path.replace("UID-KEY", quote(key))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, object]) -> None:
        """Send a letter. It names no site but this one, and knows nothing of the request that asked for it."""
        super().send_mail(template_prefix, email, {**context, "current_site": settings.SITE, "request": None})

    def format_email_subject(self, subject: str) -> str:
        return f"Macau Floor: {subject}"


# ── The second factor, of staff ─────────────────────────────────────────────────────────────────────────────


class SecondFactor(DefaultMFAAdapter):
    """What allauth asks the house about codes that change. Only staff have them; what makes them is stored sealed."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "cannot_generate_recovery_codes": _("First set up your second factor."),
        "incorrect_code": _("That code is wrong or has expired."),
        "unreadable_secret": _("Your second factor cannot be read any more. Have it removed, and set up a new one."),
    }

    def encrypt(self, text: str) -> str:
        return _safe().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Raises ValidationError if it was sealed with a key that this house no longer has."""
        try:
            return _safe().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            raise self.validation_error("unreadable_secret") from None

    def is_mfa_enabled(self, user: Player, types: list[str] | None = None) -> bool:
        """Players are never asked for a code."""
        return bool(getattr(user, "role", "")) and bool(super().is_mfa_enabled(user, types))

    def get_totp_label(self, user: Player) -> str:
        return user.username

    def build_totp_svg(self, url: str) -> str:
        """The picture that an app reads, to stand in a page: no style in it, and not read aloud."""
        import qrcode
        from qrcode.image.svg import SvgPathImage

        drawn: str = qrcode.make(url, image_factory=SvgPathImage).to_string(encoding="unicode")
        return drawn.replace("<svg ", '<svg class="qr" aria-hidden="true" focusable="false" ', 1)


def _safe() -> Seal:
    """What seals the secrets of second factors, with the present SECRET_KEY, and opens those of earlier ones."""
    return Seal("second factor", (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))


def step_of(secret: str, code: str) -> int | None:
    """The half minute whose code this is, of those whose code is good now."""
    for step in codes.yield_hotp_counters_from_time():
        if codes.compare_user_code(actual=code, expected=codes.format_hotp_value(codes.hotp_value(secret, step))):
            return int(step)
    return None


def use_up(authenticator: Authenticator, code: str) -> bool:
    """Whether this code is later than the last one that was used; from now on it is the last. Recovery codes see to it
    themselves. The secret is sealed anew, with the present key."""
    if authenticator.type != Authenticator.Type.TOTP:
        return True
    with unit_of_work():
        stored = Authenticator.objects.select_for_update().get(pk=authenticator.pk)
        adapter = get_mfa_adapter()
        secret = adapter.decrypt(stored.data["secret"])
        step = step_of(secret, code)
        if step is None or step <= stored.data.get("last", -1):
            return False
        authenticator.data = stored.data = {"secret": adapter.encrypt(secret), "last": step}
        stored.save(update_fields=["data"])
    return True


def _take_names(player: Player) -> None:
    """The names of this player are theirs, and a player who has chosen none for the tables has one by number. Raises
    Refused."""
    if not player.name:
        player.name = names.unnamed(player)
        player.save(update_fields=["name"])
    names.claim(player)


# ── Forms ───────────────────────────────────────────────────────────────────────────────────────────────────


class _Plain:
    """Our labels; no placeholders, which would say the label once more and vanish when it is needed."""

    labels = {
        "login": _("Username"),
        "username": _("Username"),
        "name": _("Name at the tables"),
        "email": _("E-mail (for a forgotten password)"),
        "password": _("Password"),
        "oldpassword": _("Current password"),
        "password1": _("Password"),
        "password2": _("Password again"),
        "code": _("Code"),
    }

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, forms.Field] = self.fields  # type: ignore[attr-defined]
        for name, field in fields.items():
            field.label = self.labels.get(name, field.label)
            field.widget.attrs.pop("placeholder", None)


class LoginForm(_Plain, stock.LoginForm):
    """Name and password."""


class _WithNames:
    """A user name to log in with, and another for the tables."""

    cleaned_data: dict[str, str]

    def clean_name(self) -> str:
        """A name that looks like nobody else's, nor like the user name beside it; empty: the house gives one."""
        name = normal(self.cleaned_data["name"])
        why = names.fault(name) or names.distinct(self.cleaned_data.get("username", ""), name) if name else None
        if why is not None:
            raise forms.ValidationError(text_of(why))
        return name


def _shown_name() -> forms.CharField:
    field = forms.CharField(
        max_length=LONGEST_NAME,
        required=False,
        help_text=_("Everybody at a table reads it. Leave it empty, and the house gives you a number."),
    )
    field.widget.attrs.update({"autocomplete": "nickname", "spellcheck": "false"})
    return field


class SignupForm(_WithNames, _Plain, stock.SignupForm):
    """A user name, a name for the tables, a password, and an e-mail address if the house can write to it."""

    name = _shown_name()
    field_order = ("username", "name", "email", "password1", "password2")

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if not sends_mail():
            self.fields.pop("email", None)
        _as_a_name(self.fields["username"])

    def save(self, request: HttpRequest) -> Player:
        """Create the player with their e-mail address and first credits, all or nothing."""
        with unit_of_work():
            player: Player = super().save(request)
        return player

    def try_save(self, request: HttpRequest) -> tuple[Player | None, HttpResponse | None]:
        """As allauth's; of two who choose one name at the same moment the second is told."""
        try:
            player, answer = super().try_save(request)
        except (IntegrityError, Refused):
            self.add_error("username", get_adapter(request).validation_error("username_taken"))
            return None, render(request, "account/signup.html", {"form": self})
        return player, answer


class KeepForm(_WithNames, _Plain, stock.SetPasswordForm):
    """A guest chooses a user name, a name for the tables and a password, and keeps the account."""

    username = forms.CharField(label=_("Username"))
    name = _shown_name()
    field_order = ("username", "name", "password1", "password2")

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        _as_a_name(self.fields["username"])

    def clean_username(self) -> str:
        cleaned: str = get_adapter().clean_username(self.cleaned_data["username"])
        return cleaned

    def keep(self, request: HttpRequest) -> bool:
        """Give the guest a name and password; False, with an error in the form, if the name was just taken."""
        player, before = self.user, session_of(request).stored_key
        player.username, player.name = self.cleaned_data["username"], self.cleaned_data["name"]
        player.guest = False
        player.set_password(self.cleaned_data["password1"])
        try:
            with unit_of_work():
                player.save()
                _take_names(player)
        except (IntegrityError, Refused):
            self.add_error("username", get_adapter(request).validation_error("username_taken"))
            return False
        update_session_auth_hash(request, player)
        if before is not None:
            announce.session_ended(before)
        access.note("account kept", "done", player=player, address=address_of(request))
        return True


class ChangePasswordForm(_Plain, stock.ChangePasswordForm):
    """The present password and a new one."""

    labels = {**_Plain.labels, "password1": _("New password"), "password2": _("New password again")}


class ResetPasswordForm(_Plain, stock.ResetPasswordForm):
    """The address that the link is sent to."""

    labels = {"email": _("E-mail")}


class ResetPasswordKeyForm(_Plain, stock.ResetPasswordKeyForm):
    """A new password, by the link that was sent."""

    labels = ChangePasswordForm.labels


class ReauthenticateForm(_Plain, stock.ReauthenticateForm):
    """The password once more, before something about the account is changed."""


class ActivateForm(_Plain, totp.ActivateTOTPForm):
    """The first code of a new second factor."""

    labels = {"code": _("The code that the app shows")}

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        _as_a_code(self.fields["code"])
        if handover.is_due(self.user):
            self.fields["handed"] = forms.CharField(label=_("The code that you were handed"), max_length=20)
            self.fields["handed"].widget.attrs["autocomplete"] = "off"

    def clean_handed(self) -> str:
        handed: str = self.cleaned_data["handed"]
        try:
            handover.check(self.user, handed)
        except Refused as refusal:
            attempts.code_refused(context.request, self.user)
            raise forms.ValidationError(text_of(refusal.words)) from refusal
        return handed


class _Code(_Plain):
    """A code of the second factor: good once, and then this login is open."""

    user: Player
    authenticator: Authenticator

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        _as_a_code(self.fields["code"])  # type: ignore[attr-defined]

    def clean_code(self) -> str:
        code: str = super().clean_code()  # type: ignore[misc]
        if not use_up(self.authenticator, code):
            attempts.code_refused(context.request, self.user)
            raise get_mfa_adapter().validation_error("incorrect_code")
        return code

    def save(self) -> None:
        super().save()  # type: ignore[misc]
        sessions.prove(session_of(context.request), self.user, DATABASE_CLOCK.now())


class CodeForm(_Code, mfa.AuthenticateForm):
    """The code that is asked for at log-in, after the password."""


class CodeAgainForm(_Code, mfa.ReauthenticateForm):
    """The code that is asked for in a login that is locked, and before the second factor is changed."""

    def save(self) -> None:
        super().save()
        sessions.unlock(session_of(context.request), self.user, DATABASE_CLOCK.now())


def _as_a_code(field: forms.Field) -> None:
    field.widget.attrs.update({"inputmode": "numeric", "autofocus": True, "maxlength": "20"})


def _as_a_name(field: forms.Field) -> None:
    """The field of a username: how long it may be, and that nothing corrects its spelling."""
    assert isinstance(field, forms.CharField)
    field.max_length = LONGEST_NAME
    field.help_text = _("You log in with it; nobody else sees it. Letters, digits and @ . + - _")
    field.widget.attrs.update(
        {"maxlength": str(LONGEST_NAME), "autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
    )
