"""Every page of the floor by its name."""

from allauth.account import views as accounts
from django.urls import URLPattern, path, re_path
from django.views.i18n import set_language

from tables.accounts import sends_mail
from tables.views import history, lobby, people, table, verify

urlpatterns: list[URLPattern] = [
    path("", lobby.lobby, name="lobby"),
    path("tables/<slug:slug>/", table.table, name="table"),
    path("history/", history.history, name="history"),
    path("rounds/<int:log_id>/", history.round_, name="round"),
    path("rounds/<int:log_id>/record.json", history.record, name="record"),
    path("shoes/<int:shoe_id>/", verify.shoe, name="shoe"),
    path("shoes/<int:shoe_id>/opening.txt", verify.opening, name="shoe_opening"),
    path("guest/", people.guest, name="guest"),
    path("account/", people.account, name="account"),
    path("top-up/", people.top_up, name="top_up"),
    path("language/", set_language, name="set_language"),
    # allauth's, those of its pages that this house has
    path("accounts/login/", people.log_in, name="account_login"),
    path("accounts/logout/", accounts.logout, name="account_logout"),
    path("accounts/signup/", people.sign_up, name="account_signup"),
    path("accounts/inactive/", accounts.account_inactive, name="account_inactive"),
    path("accounts/keep/", people.keep, name="keep"),
    path("accounts/password/set/", people.keep, name="account_set_password"),  # who has none is a guest
    path("accounts/password/change/", accounts.password_change, name="account_change_password"),
]

if sends_mail():
    urlpatterns += [
        path("accounts/password/reset/", accounts.password_reset, name="account_reset_password"),
        path("accounts/password/reset/done/", accounts.password_reset_done, name="account_reset_password_done"),
        re_path(
            r"^accounts/password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
            accounts.password_reset_from_key,
            name="account_reset_password_from_key",
        ),
        path(
            "accounts/password/reset/key/done/",
            accounts.password_reset_from_key_done,
            name="account_reset_password_from_key_done",
        ),
    ]
