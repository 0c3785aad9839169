"""Every page of the floor by its name."""

from allauth.account import views as accounts
from allauth.mfa.base import views as mfa
from django.urls import URLPattern, path, re_path
from django.views.i18n import set_language

from tables.views.accounts import sends_mail
from tables.views.kiosk import device
from tables.views.kiosk import play as visit
from tables.views.pit import approvals, events, floor, lock, options, reports, rounds, rulings
from tables.views.pit import kiosks as pit_kiosks
from tables.views.pit import people as pit_people
from tables.views.pit import staff as pit_staff
from tables.views.pit import tables as pit_tables

from .views import history, jackpots, lobby, logins, people, rules, second_factor, table, verify

urlpatterns: list[URLPattern] = [
    path("", lobby.lobby, name="lobby"),
    path("tables/<slug:slug>/", table.table, name="table"),
    path("jackpots/<slug:slug>/", jackpots.jackpot, name="jackpot"),
    path("history/", history.history, name="history"),
    path("rounds/<int:log_id>/", history.round_, name="round"),
    path("rounds/<int:log_id>/record.json", history.record, name="record"),
    path("rounds/<int:log_id>/throws/", verify.throws, name="throws"),
    path("rounds/<int:log_id>/throws/<int:number>.txt", verify.throw_opening, name="throw_opening"),
    path("shoes/<int:shoe_id>/", verify.shoe, name="shoe"),
    path("shoes/<int:shoe_id>/opening.txt", verify.opening, name="shoe_opening"),
    path("shoes/<int:shoe_id>/leaves.txt", verify.leaves, name="shoe_leaves"),
    path("rules/<slug:game>/", rules.rules, name="rules"),
    path("guest/", people.guest, name="guest"),
    path("account/", people.account, name="account"),
    path("top-up/", people.top_up, name="top_up"),
    path("account/name/", logins.rename, name="rename"),
    path("account/logins/", logins.own, name="logins"),
    path("account/logins/end/", logins.end_others, name="end_logins"),
    path("account/still-there/", logins.still_there, name="still_there"),
    path("language/", set_language, name="set_language"),
    # kiosks
    path("kiosk/", device.door, name="kiosk"),
    path("kiosk/worker.js", device.worker, name="kiosk_worker"),
    path("kiosk/begin/", device.begin, name="kiosk_begin"),
    path("kiosk/attract/", device.attract, name="kiosk_attract"),
    path("kiosk/demonstration/<slug:slug>/", device.show_round, name="kiosk_demonstration"),
    path("kiosk/play/", visit.play, name="kiosk_play"),
    path("kiosk/choose/", visit.choose, name="kiosk_choose"),
    path("kiosk/tables/<slug:slug>/", visit.table, name="kiosk_table"),
    path("kiosk/guide/<slug:game>/", visit.guide, name="kiosk_guide"),
    path("kiosk/language/", visit.language, name="kiosk_language"),
    path("kiosk/farewell/", visit.farewell, name="kiosk_farewell"),
    # the pit
    path("pit/", floor.floor, name="pit"),
    path("pit/tables/new/", pit_tables.new, name="pit_new_table"),
    path("pit/tables/<slug:slug>/", floor.table, name="pit_table"),
    path("pit/tables/<slug:slug>/reopen/", pit_tables.reopen, name="pit_reopen"),
    path("pit/tables/<slug:slug>/pause/", pit_tables.pause, name="pit_pause"),
    path("pit/tables/<slug:slug>/resume/", pit_tables.resume, name="pit_resume"),
    path("pit/tables/<slug:slug>/close/", pit_tables.close, name="pit_close"),
    path("pit/tables/<slug:slug>/limits/", pit_tables.limits, name="pit_limits"),
    path("pit/tables/<slug:slug>/chips/", pit_tables.order, name="pit_order_chips"),
    path("pit/tables/<slug:slug>/inventory/", pit_tables.inventory, name="pit_inventory"),
    path("pit/chips/", pit_tables.chips, name="pit_chips"),
    path("pit/chips/<int:order_id>/confirm/", pit_tables.confirm, name="pit_confirm_chips"),
    path("pit/chips/<int:order_id>/refuse/", pit_tables.refuse, name="pit_refuse_chips"),
    path("pit/chips/<int:order_id>/take-back/", pit_tables.take_back, name="pit_take_back_chips"),
    path("pit/approvals/", approvals.waiting, name="pit_approvals"),
    path("pit/approvals/<int:request_id>/approve/", approvals.approve, name="pit_approve"),
    path("pit/approvals/<int:request_id>/refuse/", approvals.refuse, name="pit_refuse"),
    path("pit/kiosks/", pit_kiosks.kiosks, name="pit_kiosks"),
    path("pit/kiosks/new/", pit_kiosks.new, name="pit_new_kiosk"),
    path("pit/kiosks/<int:kiosk_id>/", pit_kiosks.kiosk, name="pit_kiosk"),
    path("pit/kiosks/<int:kiosk_id>/settings/", pit_kiosks.change, name="pit_change_kiosk"),
    path("pit/kiosks/<int:kiosk_id>/enrol/", pit_kiosks.enrol, name="pit_enrol_kiosk"),
    path("pit/kiosks/<int:kiosk_id>/message/", pit_kiosks.message, name="pit_kiosk_message"),
    path("pit/kiosks/<int:kiosk_id>/restart/", pit_kiosks.restart, name="pit_restart_kiosk"),
    path("pit/kiosks/<int:kiosk_id>/lock/", pit_kiosks.lock, name="pit_lock_kiosk"),
    path("pit/kiosks/<int:kiosk_id>/unlock/", pit_kiosks.unlock, name="pit_unlock_kiosk"),
    path("pit/kiosks/<int:kiosk_id>/revoke/", pit_kiosks.unpair, name="pit_revoke_kiosk"),
    path("pit/kiosks/<int:kiosk_id>/retire/", pit_kiosks.retire, name="pit_retire_kiosk"),
    path("pit/kiosks/<int:kiosk_id>/events/", events.of_kiosk, name="pit_kiosk_events"),
    path("pit/halt/", floor.halt, name="pit_halt"),
    path("pit/halt/end/", floor.end_halt, name="pit_end_halt"),
    path("pit/alerts/acknowledge/", floor.acknowledge, name="pit_acknowledge"),
    path("pit/staff/", pit_staff.members, name="pit_staff"),
    path("pit/staff/appoint/", pit_staff.appoint, name="pit_appoint"),
    path("pit/staff/<int:player_id>/dismiss/", pit_staff.dismiss, name="pit_dismiss"),
    path("pit/staff/<int:player_id>/lost/", pit_staff.lost, name="pit_lost"),
    path("pit/locked/", lock.locked, name="pit_locked"),
    path("pit/lock/", lock.lock, name="pit_lock"),
    path("pit/seen/", lock.seen, name="pit_seen"),
    path("pit/events/", events.events, name="pit_events"),
    path("pit/events/significant/", events.significant, name="pit_significant"),
    path("pit/events/significant.csv", events.significant_sheet, name="pit_significant_csv"),
    path("pit/people/", pit_people.people, name="pit_people"),
    path("pit/people/<int:player_id>/", pit_people.player, name="pit_player"),
    path("pit/people/<int:player_id>/restrict/", pit_people.restrict, name="pit_restrict"),
    path("pit/people/<int:player_id>/remove/<slug:slug>/", pit_people.remove, name="pit_remove"),
    path("pit/people/<int:player_id>/comp/", pit_people.comp, name="pit_comp"),
    path("pit/people/<int:player_id>/adjust/", pit_people.ask_adjustment, name="pit_ask_adjustment"),
    path("pit/restrictions/<int:restriction_id>/lift/", pit_people.lift, name="pit_lift"),
    path("pit/adjustments/", pit_people.waiting, name="pit_adjustments"),
    path("pit/adjustments/<int:adjustment_id>/approve/", pit_people.approve, name="pit_approve_adjustment"),
    path("pit/adjustments/<int:adjustment_id>/refuse/", pit_people.refuse, name="pit_refuse_adjustment"),
    path("pit/rounds/", rounds.rounds, name="pit_rounds"),
    path("pit/rounds/<int:log_id>/", rounds.round_, name="pit_round"),
    path("pit/rounds/<int:log_id>/as/<slug:key>/", rounds.round_, name="pit_round_as"),
    path("pit/rounds/<int:log_id>/record.json", rounds.record, name="pit_record"),
    path("pit/rounds/<int:log_id>/rule/", rulings.rule, name="pit_rule"),
    path("pit/tables/<slug:slug>/rule/", rulings.rule_now, name="pit_rule_now"),
    path("pit/reports/", reports.reports, name="pit_reports"),
    path("pit/reports.csv", reports.sheet, name="pit_reports_csv"),
    path("pit/options/", options.waiting, name="pit_options"),
    path("pit/options/<int:change_id>/", options.change, name="pit_option_change"),
    path("pit/options/<int:change_id>/submit/", options.submit, name="pit_submit_options"),
    path("pit/options/<int:change_id>/answer/", options.answer, name="pit_answer_options"),
    path("pit/options/<int:change_id>/adopt/", options.adopt, name="pit_adopt_options"),
    path("pit/options/<int:change_id>/withdraw/", options.withdraw, name="pit_withdraw_options"),
    path("pit/tables/<slug:slug>/options/", options.options, name="pit_table_options"),
    path("pit/tables/<slug:slug>/options/draft/", options.draft, name="pit_draft_options"),
    path("pit/tables/<slug:slug>/options/history/", options.history, name="pit_options_history"),
    # allauth's, those of its pages that this house has
    path("accounts/login/", people.log_in, name="account_login"),
    path("accounts/logout/", people.log_out, name="account_logout"),
    path("accounts/signup/", people.sign_up, name="account_signup"),
    path("accounts/inactive/", accounts.account_inactive, name="account_inactive"),
    path("accounts/keep/", people.keep, name="keep"),
    path("accounts/password/set/", people.keep, name="account_set_password"),  # who has none is a guest
    path("accounts/password/change/", accounts.password_change, name="account_change_password"),
    # … and of the second factor, for staff
    path("accounts/code/", mfa.authenticate, name="mfa_authenticate"),
    path("accounts/code/again/", second_factor.code_again, name="mfa_reauthenticate"),
    path("accounts/password/again/", second_factor.password_again, name="account_reauthenticate"),
    path("accounts/second-factor/", second_factor.activate, name="mfa_activate_totp"),
    path("accounts/recovery-codes/", second_factor.recovery_codes, name="mfa_view_recovery_codes"),
    path("accounts/recovery-codes/new/", second_factor.new_recovery_codes, name="mfa_generate_recovery_codes"),
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
