"""The pit's pages of players, adjustments and disputed rounds: who sees what, and what the buttons do."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from tables.games.contract.actions import DrawCard
from tables.games.record import outcome_of
from tables.models import Adjustment, Player, Restriction, RoundLog, Seat
from tables.queries.folds import log_entries
from tables.services.rounds import seating
from tests.house.kit import House, change_shoe

from .pit_kit import approve, browser, browser_of, member

pytestmark = pytest.mark.django_db


def played(house: House) -> tuple[RoundLog, Player]:
    """A round of Baccarat that Ana has lost."""
    table, ana = house.table(), house.player("Ana")
    house.stack("9s 2c Kd 3h")
    house.attend(table, ana)
    house.until(table, "betting")
    house.bet(ana, table, "banker", 100)
    return house.play_out(table), ana


def text(client: Client, path: str) -> str:
    """The page there."""
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def test_people_are_found_by_name_and_number_and_staff_are_not_among_them(house: House) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    client = browser("surveillance")
    assert "Nobody sits" in text(client, "/pit/people/")
    assert f"/pit/people/{ana.pk}/" in (found := text(client, "/pit/people/?q=an")) and "Bea" not in found
    assert "Bea" in text(client, f"/pit/people/?q={bea.pk}")
    assert "Nobody has this name" in text(client, "/pit/people/?q=surveillance")
    table = house.table()
    seating.sit(bea.pk, table.pk, 3, clock=house.clock)
    assert "Bea" in text(client, "/pit/people/")


def test_surveillance_reads_a_players_page_and_has_no_button_on_it(house: House) -> None:
    log, ana = played(house)
    page = text(browser("surveillance"), f"/pit/people/{ana.pk}/")
    assert "9,900.00" in page and f"/pit/rounds/{log.pk}/as/{ana.key}/" in page
    theirs = {"/pit/lock/", "/pit/notes/write/", f"/pit/people/{ana.pk}/watch/"}
    assert set(re.findall(r'action="(/pit/[^"]*)"', page)) == theirs, (
        "their own login is theirs to lock, and their notes"
    )
    for role, forms in (("pit_boss", {"restrict", "adjust"}), ("shift_manager", {"restrict", "adjust", "comp"})):
        page = text(browser(role), f"/pit/people/{ana.pk}/")
        assert {name for name in ("restrict", "adjust", "comp") if f'/{name}/"' in page} == forms


def test_a_pit_boss_warns_and_only_a_shift_manager_excludes_and_lifts(house: House) -> None:
    ana = house.player("Ana")
    boss, manager = browser("pit_boss"), browser("shift_manager")
    path = f"/pit/people/{ana.pk}/restrict/"
    said = {"restrict-minutes": "0", "restrict-why": "shouts"}
    boss.post(path, {**said, "restrict-kind": "warning"})
    answer = boss.post(path, {**said, "restrict-kind": "exclusion"})
    assert answer.status_code == 400
    manager.post(path, {**said, "restrict-kind": "exclusion"})
    assert list(Restriction.objects.order_by("pk").values_list("kind", "why")) == [
        ("warning", "shouts"),
        ("exclusion", "shouts"),
    ]
    exclusion = Restriction.objects.get(kind="exclusion")
    boss.post(f"/pit/restrictions/{exclusion.pk}/lift/", {"why": "nice again"})
    manager.post(f"/pit/restrictions/{exclusion.pk}/lift/", {"why": ""})
    assert not Restriction.objects.filter(lifted_at__isnull=False).exists()
    manager.post(f"/pit/restrictions/{exclusion.pk}/lift/", {"why": "nice again"})
    assert list(Restriction.objects.filter(lifted_at__isnull=False)) == [exclusion]
    assert "lifted by" in text(boss, f"/pit/people/{ana.pk}/")


def test_a_player_reads_what_was_laid_upon_him_and_the_others_do_not(house: House) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    manager = browser("shift_manager")
    for kind, credits in (("warning", ""), ("limit", "250")):
        said = {"restrict-kind": kind, "restrict-credits": credits, "restrict-minutes": "60"}
        manager.post(f"/pit/people/{ana.pk}/restrict/", {**said, "restrict-why": "hands off other stakes"})
    for path in ("/", "/account/"):
        page = text(browser_of(ana), path)
        assert "The house warns you: hands off other stakes" in page and "You may stake 250.00 a day." in page, path
        assert "hands off" not in text(browser_of(bea), path)


def test_a_player_is_removed_from_his_seat(house: House) -> None:
    table, ana = house.table(), house.player("Ana")
    seating.sit(ana.pk, table.pk, 3, clock=house.clock)
    boss = browser("pit_boss")
    assert "Remove from the seat" in text(boss, f"/pit/people/{ana.pk}/")
    boss.post(f"/pit/people/{ana.pk}/remove/{table.slug}/", {"why": "sleeps"})
    assert not Seat.objects.exists()


def test_an_adjustment_is_asked_for_by_one_and_approved_by_another(house: House) -> None:
    log, ana = played(house)
    manager, other = member("shift_manager"), member("shift_manager", "another")
    asks, approves = browser_of(manager), browser_of(other)
    said = {"adjust-credits": "25.50", "adjust-round": str(log.pk), "adjust-why": "misread card"}
    asks.post(f"/pit/people/{ana.pk}/adjust/", said)
    asked = Adjustment.objects.get()
    assert (asked.cents, asked.log) == (25_50, log)
    address = f"/pit/adjustments/{asked.pk}/approve/"
    assert address not in text(asks, "/pit/adjustments/")
    approve(manager, address)
    assert house.balance(ana) == 9_900_00
    assert address in text(approves, "/pit/adjustments/")
    approve(other, address)
    approve(other, address)
    assert house.balance(ana) == 9_925_50
    assert "Put right by the house" in text(browser_of(ana), "/account/")
    assert "misread card" in text(browser("surveillance"), f"/pit/rounds/{log.pk}/")
    house.in_order()


def test_a_comp_is_given_by_a_shift_manager(house: House) -> None:
    ana = house.player("Ana")
    path = f"/pit/people/{ana.pk}/comp/"
    form = {"comp-credits": "10", "comp-why": "a birthday", "comp-ref": "a" * 32}
    assert browser("pit_boss").post(path, form).status_code == 403
    manager = browser("shift_manager")
    for wrong in ({"comp-credits": "ten"}, {"comp-ref": ""}, {"comp-ref": "of my own"}):
        assert manager.post(path, form | wrong).status_code == 400
    manager.post(path, form)
    assert house.balance(ana) == 10_010_00
    house.in_order()


def test_a_comp_whose_answer_was_lost_is_given_once_however_often_the_form_is_sent(house: House) -> None:
    ana, rui, manager = house.player("Ana"), house.player("Rui"), browser("shift_manager")
    page = text(manager, f"/pit/people/{ana.pk}/")
    found = re.search(r'name="comp-ref" value="([0-9a-f]{32})"', page)
    assert found is not None
    form = {"comp-credits": "10", "comp-why": "a birthday", "comp-ref": found[1]}
    for _ in range(3):
        answer = manager.post(f"/pit/people/{ana.pk}/comp/", form, follow=True)
        assert "The comp has been given." in answer.content.decode()
    other = manager.post(f"/pit/people/{ana.pk}/comp/", form | {"comp-credits": "20"})
    assert other.status_code == 400 and "under the same reference" in other.content.decode()
    assert manager.post(f"/pit/people/{rui.pk}/comp/", form).status_code == 400
    assert (house.balance(ana), house.balance(rui)) == (10_010_00, 10_000_00)
    assert found[1] not in text(manager, f"/pit/people/{ana.pk}/"), "the next comp is another one"
    house.in_order()


def test_an_adjustment_that_is_asked_for_twice_by_a_slip_waits_once(house: House) -> None:
    ana, boss = house.player("Ana"), browser("pit_boss")
    form = {"adjust-credits": "5", "adjust-why": "a mistake"}
    for status in (302, 400):
        assert boss.post(f"/pit/people/{ana.pk}/adjust/", form).status_code == status
    assert boss.post(f"/pit/people/{ana.pk}/adjust/", form | {"adjust-credits": "6"}).status_code == 302
    assert [one.cents for one in Adjustment.objects.order_by("pk")] == [5_00, 6_00]


# ── Rounds ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_round_is_found_by_all_that_may_be_known_of_it(house: House) -> None:
    log, ana = played(house)
    client = browser("surveillance")
    link = f'"/pit/rounds/{log.pk}/"'
    day = log.started_at.strftime("%Y-%m-%d")
    for known in (f"id={log.pk}", "table=jade", "number=1", "player=ana", f"player={ana.pk}", f"since={day}T00:00"):
        assert link in text(client, f"/pit/rounds/?{known}"), known
    for wrong in ("number=99", "player=nobody", "until=2001-01-01T00:00", "table=jade&number=2"):
        assert link not in text(client, f"/pit/rounds/?{wrong}"), wrong


def test_a_round_is_replayed_as_whoever_saw_it_and_agrees_with_the_ledger(house: House) -> None:
    log, ana = played(house)
    client = browser("surveillance")
    page = text(client, f"/pit/rounds/{log.pk}/?step={log.version}")
    assert "agrees with the ledger" in page and f'"/pit/rounds/{log.pk}/?step=1"' in page
    assert 'data-card="9s"' in page
    assert ">100.00<" in page
    as_ana = text(client, f"/pit/rounds/{log.pk}/as/{ana.key}/?step={log.version}")
    assert f'"/pit/rounds/{log.pk}/as/{ana.key}/?step=1"' in as_ana
    bea = house.player("Bea")
    for nobody in (bea.key, "px", "house", "p"):
        assert client.get(f"/pit/rounds/{log.pk}/as/{nobody}/").status_code == 404


def test_nothing_is_seen_of_a_round_that_is_played(house: House) -> None:
    table, ana = house.table(), house.player("Ana")
    house.attend(table, ana)
    house.until(table, "betting")
    house.bet(ana, table, "banker", 100)
    log = house.log(table)
    page = text(browser("shift_manager"), f"/pit/rounds/{log.pk}/")
    assert "still being played" in page and "data-card" not in page
    assert browser("pit_boss").get(f"/pit/rounds/{log.pk}/record.json").status_code == 404


def test_the_record_is_handed_out_and_comes_to_the_same(house: House) -> None:
    log, ana = played(house)
    record = json.loads(text(browser("surveillance"), f"/pit/rounds/{log.pk}/record.json"))
    assert outcome_of(record)["returned"] == {ana.key: 0}


def test_no_record_tells_of_burnt_cards_while_their_shoe_is_in_use(house: House) -> None:
    table = house.table(dealing_device="shoe", burn_mode="fixed_n", burn_fixed_n=2, burn_each_round=1)
    ana = house.player("Ana")
    house.attend(table, ana)
    house.until(table, "betting")
    house.bet(ana, table, "banker", 100)
    log = house.play_out(table)
    client = browser("surveillance")
    assert client.get(f"/pit/rounds/{log.pk}/record.json").status_code == 302
    assert "As the house sees it" not in text(client, f"/pit/rounds/{log.pk}/")
    change_shoe(table.pk)
    house.until(table, "betting")
    assert house.log(table).shoe_id != log.shoe_id
    assert client.get(f"/pit/rounds/{log.pk}/record.json").status_code == 200
    assert "As the house sees it" in text(client, f"/pit/rounds/{log.pk}/")


def test_a_private_hand_is_seen_as_its_bettor_and_by_no_spectator(house: House) -> None:
    """Stud Poker: whoever folds shows nothing; in a dispute the pit sees their round as they did."""
    table, ana = house.table("guia", game="stud_poker"), house.player("Ana")
    seating.sit(ana.pk, table.pk, 2, clock=house.clock)
    house.attend(table, ana)
    house.until(table, "betting")
    house.bet(ana, table, "ante", 100, box=2)
    log = house.play_out(table)  # they let their time pass, and fold
    client = browser("shift_manager")
    drawn = {str(entry.action.card) for entry in log_entries(log) if isinstance(entry.action, DrawCard)}

    def shown(path: str) -> set[str]:
        page = text(client, f"{path}?step={log.version}")
        return {card for card in drawn if f'data-card="{card}"' in page}

    spectator, own = shown(f"/pit/rounds/{log.pk}/"), shown(f"/pit/rounds/{log.pk}/as/{ana.key}/")
    assert spectator < own and len(own - spectator) == 5


def test_what_was_typed_stays_where_a_deed_on_a_player_is_refused(house: House) -> None:
    ana = house.player("ana")
    fields = {"restrict-kind": "limit", "restrict-minutes": "60", "restrict-credits": "", "restrict-why": "he asked"}
    answer = browser("shift_manager").post(f"/pit/people/{ana.pk}/restrict/", fields)
    page = answer.content.decode()
    assert "A limit has an amount" in page and 'value="he asked"' in page
    assert '<option value="60" selected>' in page
