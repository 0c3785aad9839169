"""Visitors at kiosks: demo credits that come from a realm of their own and go back there, whatever lies on a layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import Sum
from django.test.utils import CaptureQueriesContext

from tables.base import names
from tables.base.transactions import unit_of_work
from tables.felt.formatting import text_of
from tables.games.stud_poker.phases import Raise
from tables.models import Account, Jackpot, Kiosk, LoggedAction, Player, Realm, Seat, Table, Transfer, guards
from tables.proof.audit import audit
from tables.services.kiosk import kiosks, visitors
from tables.services.kiosk.visitors import AT_ONCE
from tables.services.money import wallet
from tables.services.money.wallet import Posting
from tables.services.pit import adjustments, lifecycle, sanctions
from tables.services.pit.opening import open_jackpot
from tables.services.players import chat, people
from tables.services.rounds import seating
from tables.services.rounds.betting import BetRequest
from tests.extent import EVERYTHING, NIGHTLY
from tests.floor.pit_kit import member

from . import deeds, processes
from .kiosk_kit import CREDITS, boss, in_service, setting, visitor
from .kit import VAULT, House, answer
from .processes import Flag, Halt, together, until, waiting_for_locks
from .test_crashes import Crashing
from .test_paying import until_asked

WELCOME = 10_000 * 100


@pytest.fixture
def garden(house: House) -> Table:
    """A table of Baccarat for visitors."""
    return house.table("garden", realm=Realm.KIOSKS, tie_policy="return")


def sums() -> dict[Realm, int]:
    """What all balances of each realm sum to."""
    found = Account.objects.values_list("realm").annotate(cents=Sum("balance")).order_by()
    return {Realm(realm): cents for realm, cents in found}


def of_realm(realm: Realm) -> dict[tuple[str, str], int]:
    """Every balance of a realm, by kind and whose it is."""
    accounts = Account.objects.filter(realm=realm).select_related("player", "table", "jackpot")
    return {(one.kind, str(one.player or one.table or one.jackpot or "")): one.balance for one in accounts}


def holds(kind: str, realm: Realm = Realm.KIOSKS) -> int:
    """What lies in the accounts of a kind."""
    return Account.objects.filter(kind=kind, realm=realm).aggregate(cents=Sum("balance"))["cents"] or 0


def why_not(house: House, deed: Callable[[], object]) -> str:
    """What the house says when it refuses this."""
    return text_of(house.refused(deed).words)


def gone(house: House, kiosk: Kiosk) -> None:
    assert visitors.farewell(kiosk.pk, clock=house.clock) is not None


# ── They come ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_touch_makes_a_visitor_with_the_credits_of_the_kiosk(house: House, garden: Table) -> None:
    kiosk, screen = in_service(house, garden, credits=250)
    before = holds("mint")
    ana = visitor(kiosk, screen)
    assert (house.balance(ana), holds("mint")) == (250_00, before - 250_00)
    assert (ana.realm, ana.role, ana.guest, ana.kiosk) == (Realm.KIOSKS, "", False, kiosk)
    assert not ana.has_usable_password() and ana.is_active
    moved = Transfer.objects.get(reason=Transfer.Reason.VISIT)
    assert (moved.credit.player, moved.amount, moved.by) == (ana, 250_00, ana.key)


def test_however_often_it_is_touched_there_is_one(house: House, garden: Table) -> None:
    kiosk, screen = in_service(house, garden)
    assert len({visitor(kiosk, screen).pk for _ in range(5)}) == 1
    assert Transfer.objects.filter(reason=Transfer.Reason.VISIT).count() == 1


def test_they_are_called_by_their_kiosk_and_no_two_the_same(house: House, garden: Table) -> None:
    names = []
    for name in ("Lobby", "x" * 39 + "1", "x" * 39 + "2"):
        kiosk, screen = in_service(house, garden, name=name)
        for _ in range(2):
            ana = visitor(kiosk, screen)
            names.append(ana.name)
            assert ana.name.startswith(name[:20]) and str(ana.pk) in ana.name and len(ana.name) <= 40
            gone(house, kiosk)
    assert len(set(names)) == len(set(Player.objects.filter(kiosk__isnull=False).values_list("username"))) == 6


def test_what_the_pit_sets_holds_for_the_next_visitor(house: House, garden: Table) -> None:
    kiosk, screen = in_service(house, garden)
    ana = visitor(kiosk, screen)
    kiosks.change(boss(), kiosk.pk, setting(garden, credits=5), clock=house.clock)
    assert visitor(kiosk, screen) == ana and house.balance(ana) == CREDITS * 100
    gone(house, kiosk)
    assert house.balance(visitor(kiosk, screen)) == 5_00


@pytest.mark.parametrize("use", [0, 99])
def test_a_use_that_is_over_lets_nobody_play(house: House, garden: Table, use: int) -> None:
    kiosk, _ = in_service(house, garden)
    assert "started on another screen" in why_not(house, partial(visitors.welcome, kiosk.pk, use, clock=house.clock))
    assert "started on another screen" in why_not(house, partial(visitors.welcome, 0, use, clock=house.clock))
    assert not Player.objects.filter(kiosk=kiosk).exists()


def test_nobody_may_call_himself_as_visitors_are_stored(house: House) -> None:
    assert names.is_reserved("Visitor-7") and names.is_reserved("guest-7") and not names.is_reserved("visitors")


# ── They play ───────────────────────────────────────────────────────────────────────────────────────────────


def test_the_money_of_the_floor_knows_nothing_of_theirs(house: House, garden: Table) -> None:
    """A visitor and a player play the same hands, each at their table: each realm sums to nothing by itself all along,
    and what one wins moves no balance of the other."""
    jade, rui = house.table("jade"), house.player("rui")
    floor = of_realm(Realm.FLOOR)
    kiosk, screen = in_service(house, garden)
    ana = visitor(kiosk, screen)
    for hands in ("4s Kc 5d 7h", "2s 3c Jd 5h"):
        house.stack(hands)
        house.until(garden, "betting")
        house.bet(ana, garden, "player", 100)
        assert sums() == {Realm.FLOOR: 0, Realm.KIOSKS: 0}
        house.play_out(garden)
        assert sums() == {Realm.FLOOR: 0, Realm.KIOSKS: 0}
    assert of_realm(Realm.FLOOR) == floor
    theirs = of_realm(Realm.KIOSKS)
    house.until(jade, "betting")
    house.bet(rui, jade, "banker", 100)
    house.play_out(jade)
    assert of_realm(Realm.KIOSKS) == theirs and of_realm(Realm.FLOOR) != floor
    gone(house, kiosk)
    assert sums() == {Realm.FLOOR: 0, Realm.KIOSKS: 0}
    assert holds("player") == 0


def test_players_do_not_play_with_visitors_nor_visitors_with_players(house: House, garden: Table) -> None:
    jade, rui, cage = house.table("jade"), house.player("rui"), member("cage")
    kiosk, screen = in_service(house, garden, jade)
    ana = visitor(kiosk, screen)
    for table in (jade, garden):
        house.until(table, "betting")
    for who, table, why in (
        (rui, garden, "This table is for visitors at our kiosks."),
        (ana, jade, "At this table people play with their own chips."),
        (cage, garden, "Staff of the house do not play."),
        (cage, jade, "Staff of the house do not play."),
    ):
        assert why_not(house, partial(house.bet, who, table, "player", 10)) == why
        assert why_not(house, partial(seating.sit, who.pk, table.pk, 1, clock=house.clock)) == why
    assert not Seat.objects.exists() and not Transfer.objects.filter(reason="stake").exists()
    for who, table in ((ana, garden), (rui, jade)):
        house.bet(who, table, "player", 10)


def test_a_visitor_neither_talks_nor_asks_for_more(house: House, garden: Table) -> None:
    kiosk, screen = in_service(house, garden)
    ana = visitor(kiosk, screen)
    why_not(house, lambda: chat.speak(ana.pk, garden.pk, "r-1", "hello", clock=house.clock))
    house.until(garden, "betting")
    house.bet(ana, garden, "player", CREDITS)
    why_not(house, lambda: people.top_up(ana.pk, clock=house.clock))
    people.welcome(ana, clock=house.clock)
    assert house.balance(ana) == 0


def test_what_the_pit_gives_a_visitor_comes_from_the_house_of_the_kiosks(house: House, garden: Table) -> None:
    kiosk, screen = in_service(house, garden)
    ana, manager = visitor(kiosk, screen), member("shift_manager")
    sanctions.comp(manager, ana.pk, 88_00, "a birthday", clock=house.clock)
    asked = adjustments.ask(boss(), ana.pk, -8_00, "a slip of the hand", clock=house.clock)
    adjustments.approve(manager, asked.pk, clock=house.clock)
    assert (house.balance(ana), holds("house"), holds("house", Realm.FLOOR)) == (CREDITS * 100 + 80_00, -80_00, 0)
    gone(house, kiosk)
    sanctions.comp(manager, ana.pk, 1_00, "too late", clock=house.clock)
    assert (visitors.sweep(clock=house.clock), house.balance(ana)) == (1, 0)


# ── They go ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_whoever_goes_leaves_his_seats_and_his_credits_and_cannot_come_back(house: House, garden: Table) -> None:
    temple = house.table("temple", realm=Realm.KIOSKS)
    kiosk, screen = in_service(house, garden, temple)
    before = holds("mint")
    ana = visitor(kiosk, screen)
    for table in (temple, garden):
        seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(garden, "betting")
    assert visitors.farewell(kiosk.pk, clock=house.clock) == ana.pk
    assert not Seat.objects.exists() and holds("mint") == before
    ana.refresh_from_db()
    assert not ana.is_active and Kiosk.objects.get().visitor is None
    assert why_not(house, lambda: house.bet(ana, garden, "player", 1)) == "You have left."
    assert why_not(house, lambda: seating.sit(ana.pk, garden.pk, 1, clock=house.clock)) == "You have left."
    assert visitors.farewell(kiosk.pk, clock=house.clock) is None
    assert Transfer.objects.filter(reason=Transfer.Reason.CHECKOUT).count() == 1
    assert visitor(kiosk, screen) != ana


@pytest.mark.parametrize(("hands", "back"), [("4s Kc 5d 7h", 200), ("2s 3c Jd 5h", 0), ("Ts 4c 6d 2h", 100)])
def test_bets_that_are_open_when_he_goes_settle_by_the_rules(
    house: House, garden: Table, hands: str, back: int
) -> None:
    """9 to 7, 2 to 8, a tie at 6: what it brings lies in their wallet for a moment, and goes back to the mint."""
    kiosk, screen = in_service(house, garden)
    ana = visitor(kiosk, screen)
    minted, chips = holds("mint"), holds("float")
    house.stack(hands)
    house.until(garden, "betting")
    house.bet(ana, garden, "player", 100)
    gone(house, kiosk)
    assert (house.balance(ana), holds("escrow")) == (0, 100_00)
    log = house.play_out(garden)
    assert log.played.get(player=ana).staked == 100_00 and not log.void
    assert house.balance(ana) == back * 100
    house.in_order()
    kiosks.look(clock=house.clock)
    assert (house.balance(ana), holds("float")) == (0, chips + 100_00 - back * 100)
    assert holds("mint") == minted + CREDITS * 100 - 100_00 + back * 100
    assert visitors.sweep(clock=house.clock) == 0


def test_whoever_is_there_keeps_what_he_has(house: House, garden: Table) -> None:
    """Also what they win, and a player of the floor whose account is closed."""
    kiosk, screen = in_service(house, garden)
    ana, rui = visitor(kiosk, screen), house.player("rui")
    Player.objects.filter(pk=rui.pk).update(is_active=False)
    house.stack("4s Kc 5d 7h")
    house.until(garden, "betting")
    house.bet(ana, garden, "player", 100)
    house.play_out(garden)
    assert visitors.sweep(clock=house.clock) == 0
    assert (house.balance(ana), house.balance(rui)) == (CREDITS * 100 + 100_00, WELCOME)


def test_a_stake_that_is_carried_comes_back_whenever_it_is_decided(house: House) -> None:
    table = house.table("garden", realm=Realm.KIOSKS, tie_policy="no_move")
    kiosk, screen = in_service(house, table)
    ana = visitor(kiosk, screen)
    for hands in ("Ts 4c 6d 2h", "4s Kc 5d 7h"):
        house.stack(hands)
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    house.play_out(table)
    gone(house, kiosk)
    assert (visitors.sweep(clock=house.clock), holds("escrow")) == (0, 100_00)
    house.until(table, "betting")
    house.play_out(table)
    assert (visitors.sweep(clock=house.clock), house.balance(ana), holds("escrow")) == (1, 0, 0)


def test_what_comes_in_two_parts_goes_back_in_two(house: House, garden: Table) -> None:
    """They have stakes at two tables that are decided one after the other."""
    temple = house.table("temple", realm=Realm.KIOSKS)
    kiosk, screen = in_service(house, garden, temple)
    ana = visitor(kiosk, screen)
    for table in (garden, temple):
        house.stack("4s Kc 5d 7h")
        house.until(table, "betting")
        house.bet(ana, table, "player", 100)
    gone(house, kiosk)
    for table in (garden, temple):
        house.play_out(table)
        assert visitors.sweep(clock=house.clock) == 1
    keys = Transfer.objects.filter(reason=Transfer.Reason.CHECKOUT).order_by("pk").values_list("key", "amount")
    assert [amount for _, amount in keys] == [CREDITS * 100 - 200_00, 200_00, 200_00]
    assert [key for key, _ in keys] == [f"checkout:{ana.pk}:{number}" for number in (1, 2, 3)]


def test_his_hand_is_played_by_the_rules_when_he_goes_in_the_middle_of_it(house: House) -> None:
    """Blackjack: 9 and 7 against a 10. Nobody decides for them; when the time is up the house does as it has to."""
    table = house.table("flora", game="blackjack", realm=Realm.KIOSKS, times={"decision": 15_000})
    kiosk, screen = in_service(house, table)
    ana = visitor(kiosk, screen)
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.stack("2c 9s Th 7d 8c")
    house.until(table, "betting")
    house.bet(ana, table, "main", 100, 1)
    while house.log(table).phase in ("betting", "deal"):
        house.step(table)
    until_asked(house, table)
    assert house.round(table).offers(ana.key).actions, "he is asked"
    gone(house, kiosk)
    log = house.play_out(table)
    assert log.played.get(player=ana).staked == 100_00
    done = LoggedAction.objects.filter(log=log, by=ana.key, action__do__in=("hit", "double", "split", "stand"))
    assert not done.exists()
    visitors.sweep(clock=house.clock)
    assert (house.balance(ana), holds("escrow"), holds("player")) == (0, 0, 0)


def test_a_table_that_closes_gives_back_what_was_carried_and_that_goes_back(house: House) -> None:
    table = house.table("garden", realm=Realm.KIOSKS, tie_policy="no_move")
    kiosk, screen = in_service(house, table)
    ana = visitor(kiosk, screen)
    house.stack("Ts 4c 6d 2h")
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    house.play_out(table)
    gone(house, kiosk)
    lifecycle.close(boss(), table.pk, "round", clock=house.clock)
    for _ in range(10):
        house.step(table)
        if not Table.objects.get(pk=table.pk).open:
            break
    assert not Table.objects.get(pk=table.pk).open
    assert (visitors.sweep(clock=house.clock), house.balance(ana)) == (1, 0)
    assert (holds("float"), sums()[Realm.KIOSKS]) == (0, 0)


def test_many_who_have_gone_are_swept_some_at_a_time(house: House, garden: Table) -> None:
    kiosk, screen = in_service(house, garden)
    visitor(kiosk, screen)
    gone(house, kiosk)
    people_ = [Player(username=f"visitor-x{number}", kiosk=kiosk, is_active=False) for number in range(AT_ONCE + 1)]
    players = Player.objects.bulk_create(people_)
    for one in players:
        wallet.open_player(one.pk, Realm.KIOSKS)
    mint = wallet.mint_of(Realm.KIOSKS)
    gifts = [
        Posting(f"visit:{one.pk}", mint, wallet.player(one.pk), 100, Transfer.Reason.VISIT, one.key) for one in players
    ]
    with unit_of_work():
        wallet.mint(gifts, at=house.clock.at)
    with CaptureQueriesContext(connection) as statements:
        assert visitors.sweep(clock=house.clock) == AT_ONCE + 1
    assert len(statements) < 20
    assert holds("player") == 0


def test_those_who_have_gone_cost_the_next_one_nothing(house: House, garden: Table) -> None:
    """Each of weeks of visitors is welcomed, let go and swept after with the same statements; none counts them."""
    kiosk, screen = in_service(house, garden)

    def visit() -> list[str]:
        with CaptureQueriesContext(connection) as statements:
            visitor(kiosk, screen)
            gone(house, kiosk)
            visitors.sweep(clock=house.clock)
        return [query["sql"] for query in statements]

    visit()
    few = visit()
    for number in range(50):
        Player.objects.create(username=f"visitor-x{number}", kiosk=kiosk, is_active=False)
    many = visit()
    assert len(many) == len(few)
    assert not [sql for sql in many if "COUNT(" in sql and "tables_player" in sql]


# ── Two realms ──────────────────────────────────────────────────────────────────────────────────────────────


def test_the_jackpots_of_two_realms_never_touch(house: House) -> None:
    """A visitor's royal flush is paid out of the kiosks' jackpot, which the house of the kiosks restarts."""
    open_jackpot("lisboa", "Lisboa", 500_000_00, clock=house.clock)
    guia = house.table("guia", game="stud_poker", jackpot="lisboa")
    carmo = house.table("carmo", game="stud_poker", realm=Realm.KIOSKS, times={"decision": 300_000})
    assert carmo.jackpot is not None and carmo.jackpot.realm == Realm.KIOSKS != guia.realm
    floor, minted = of_realm(Realm.FLOOR), holds("mint")
    kiosk, screen = in_service(house, carmo)
    ana = visitor(kiosk, screen)
    seating.sit(ana.pk, carmo.pk, 1, clock=house.clock)
    house.stack("As Ks Qs Js Ts 2d 4h 6s 8c Td")
    house.until(carmo, "betting")
    house.bet(ana, carmo, "ante", 100, 1)
    house.bet(ana, carmo, "jackpot", 25, 1)
    house.until(carmo, "look_and_decide")
    house.decide(ana, carmo, Raise)
    house.play_out(carmo)
    won = house.balance(ana) - CREDITS * 100
    assert won > 400_000_00
    assert of_realm(Realm.FLOOR) == floor
    reset = Transfer.objects.get(reason="reset")
    assert (reset.debit.kind, reset.debit.realm, reset.credit.realm) == ("house", Realm.KIOSKS, Realm.KIOSKS)
    gone(house, kiosk)
    assert sums() == {Realm.FLOOR: 0, Realm.KIOSKS: 0} and holds("mint") == minted + won


@pytest.mark.parametrize("realm", Realm)
def test_no_table_is_linked_to_a_jackpot_of_the_other_realm(house: House, realm: Realm) -> None:
    other = Realm.KIOSKS if realm == Realm.FLOOR else Realm.FLOOR
    open_jackpot("lisboa", "Lisboa", 0, realm=other, clock=house.clock)
    with pytest.raises(ValueError, match="other money"):
        house.table("guia", game="stud_poker", jackpot="lisboa", realm=realm)
    assert not Table.objects.exists()


def test_the_database_refuses_a_transfer_from_one_realm_to_the_other(house: House, garden: Table) -> None:
    kiosk, screen = in_service(house, garden)
    ana, rui = visitor(kiosk, screen), house.player("rui")
    mint, house_ = Account.Kind.MINT, Account.Kind.HOUSE
    for debit, credit in (
        (wallet.mint_of(Realm.FLOOR), wallet.player(ana.pk)),
        (wallet.mint_of(Realm.KIOSKS), wallet.player(rui.pk)),
        (wallet.player(ana.pk), wallet.player(rui.pk)),
        (wallet.house_of(Realm.FLOOR), wallet.house_of(Realm.KIOSKS)),
    ):
        with pytest.raises(DatabaseError, match="stays in its realm"), unit_of_work():
            wallet.mint([Posting("x", debit, credit, 1, Transfer.Reason.COMP, "x")], at=house.clock.at)
    with pytest.raises(DatabaseError, match="stays in its realm"), transaction.atomic():
        Transfer.objects.create(
            key="x", debit=Account.objects.get(kind=mint, realm=0), credit=Account.objects.get(kind=house_, realm=1),
            amount=1, reason="mint", by="x", at=house.clock.at,
        )  # fmt: skip
    honest = Posting("y", wallet.mint_of(Realm.KIOSKS), wallet.house_of(Realm.KIOSKS), 1, Transfer.Reason.MINT, "x")
    crooked = Posting("z", wallet.player(ana.pk), wallet.player(rui.pk), 1, Transfer.Reason.COMP, "x")
    with pytest.raises(DatabaseError, match="stays in its realm"), unit_of_work():
        wallet.mint([honest, crooked], at=house.clock.at)
    assert not Transfer.objects.filter(key__in="xyz").exists()


def test_the_database_refuses_another_realm_for_an_account(house: House, garden: Table) -> None:
    kiosk, screen = in_service(house, garden)
    visitor(kiosk, screen)
    for account in Account.objects.all():
        with pytest.raises(DatabaseError, match="stays in its realm"), transaction.atomic():
            Account.objects.filter(pk=account.pk).update(realm=1 - account.realm)
    assert {realm: cents for realm, cents in sums().items() if cents} == {}


@pytest.fixture
def unguarded(db: None) -> House:
    """A house with a player and a visitor, after somebody took away what keeps the realms apart."""
    house = House()
    table = house.table("garden", realm=Realm.KIOSKS)
    house.table("guia", game="stud_poker"), house.table("carmo", game="stud_poker", realm=Realm.KIOSKS)
    house.player("rui")
    visitor(*in_service(house, table))
    house.in_order()
    with connection.cursor() as cursor:
        for statement in guards._RELEASE_REALMS[connection.vendor]:
            cursor.execute(statement)
    return house


def faults() -> str:
    return "\n".join(audit(VAULT).faults)


def test_the_audit_finds_credits_that_went_from_one_realm_to_the_other(unguarded: House) -> None:
    ana, rui = Player.objects.get(kiosk__isnull=False), Player.objects.get(username="rui")
    with unit_of_work():
        entry = Posting("comp:x", wallet.player(ana.pk), wallet.player(rui.pk), 7, Transfer.Reason.COMP, "x")
        wallet.mint([entry], at=unguarded.clock.at)
    said = faults()
    assert "comp:x moved 7 from one realm to another" in said
    assert "all balances of FLOOR sum to 7, not to 0" in said and "all balances of KIOSKS sum to -7, not to 0" in said


@pytest.mark.parametrize("kind", ["player", "escrow", "float", "jackpot"])
def test_the_audit_finds_an_account_in_the_wrong_realm(unguarded: House, kind: str) -> None:
    account = Account.objects.filter(kind=kind, realm=Realm.KIOSKS).order_by("pk")[0]
    Account.objects.filter(pk=account.pk).update(realm=Realm.FLOOR)
    assert f"{account} is of FLOOR, its owner" in faults()


def test_the_audit_finds_an_owner_that_was_moved(unguarded: House) -> None:
    for owner in (Table.objects.get(slug="garden"), Jackpot.objects.get(slug="carmo")):
        with transaction.atomic():
            type(owner)._default_manager.filter(pk=owner.pk).update(realm=Realm.FLOOR)
            assert f"is of KIOSKS, its owner {owner} is not" in faults()
            transaction.set_rollback(True)
    Player.objects.filter(kiosk__isnull=False).update(kiosk=None)
    assert "is of KIOSKS, its owner Lobby" in faults()


def test_the_audit_finds_a_table_with_the_jackpot_of_the_other_realm(unguarded: House) -> None:
    Table.objects.filter(slug="carmo").update(jackpot=Jackpot.objects.get(slug="guia"))
    assert "is of KIOSKS, the jackpot Guia is not" in faults()


@pytest.mark.parametrize(
    ("reason", "debit", "credit"),
    [
        (Transfer.Reason.WELCOME, "mint", "player"), (Transfer.Reason.TOP_UP, "mint", "player"),
        (Transfer.Reason.VISIT, "mint", "player"),
        (Transfer.Reason.CHECKOUT, "player", "mint"),
    ],
)  # fmt: skip
def test_the_audit_finds_a_deed_of_one_realm_in_the_other(
    unguarded: House, reason: Transfer.Reason, debit: str, credit: str
) -> None:
    wrong = Realm.FLOOR if reason in (Transfer.Reason.VISIT, Transfer.Reason.CHECKOUT) else Realm.KIOSKS
    who = Player.objects.get(role="", kiosk__isnull=wrong == Realm.FLOOR)
    ends = {"mint": wallet.mint_of(wrong), "player": wallet.player(who.pk)}
    with unit_of_work():
        wallet.mint([Posting("x", ends[debit], ends[credit], 5, reason, "x")], at=unguarded.clock.at)
    assert f"{reason} of 5 from {debit} to {credit}: 1 such transfers" in faults()


def test_the_audit_finds_a_second_visit_of_one_visitor(unguarded: House) -> None:
    ana = Player.objects.get(kiosk__isnull=False)
    entry = Posting(
        "visit:again", wallet.mint_of(Realm.KIOSKS), wallet.player(ana.pk), 5, Transfer.Reason.VISIT, ana.key
    )
    with unit_of_work():
        wallet.mint([entry], at=unguarded.clock.at)
    assert "was welcomed 2 times" in faults()


# ── At once ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_storm_of_touches_is_one_visitor(hall: House) -> None:
    kiosk, screen = in_service(hall)
    assert len(set(together(*[lambda: visitor(kiosk, screen).pk] * 6))) == 1
    assert (
        Player.objects.filter(kiosk=kiosk).count() == 1 == Transfer.objects.filter(reason=Transfer.Reason.VISIT).count()
    )


def test_visitors_who_come_to_several_kiosks_at_once_all_get_theirs(hall: House) -> None:
    """The first ones of all: house and mint of the realm are made by one of them."""
    table = hall.table("garden")  # of the floor: nothing of the realm is there yet
    there = [in_service(hall, table, name=f"Kiosk {number}") for number in range(4)]
    assert not Account.objects.filter(realm=Realm.KIOSKS).exists()
    together(*[partial(lambda kiosk, screen: visitor(kiosk, screen).pk, *each) for each in there])
    assert (holds("player"), holds("mint")) == (4 * CREDITS * 100, -4 * CREDITS * 100)


def test_a_farewell_and_a_touch_at_once_leave_one_visitor_or_none(hall: House) -> None:
    kiosk, screen = in_service(hall)

    def comes() -> set[int]:
        return {visitor(kiosk, screen).pk for _ in range(5)}

    def goes() -> set[int]:
        return {pk for _ in range(5) if (pk := visitors.farewell(kiosk.pk, clock=hall.clock)) is not None}

    came = together(comes, comes, goes, goes)
    there = Kiosk.objects.get().visitor_id
    assert came[0] | came[1] == came[2] | came[3] | ({there} if there else set())
    assert not came[2] & came[3], "nobody goes twice"
    assert holds("player") == (CREDITS * 100 if there else 0)


def test_a_bet_and_a_farewell_at_once_lose_nothing(hall: House) -> None:
    """Their last touch is on its way as they go: it is done, or there is nothing left to lay down."""
    table = hall.table("garden", realm=Realm.KIOSKS, times={"betting": 3_600_000})
    kiosk, screen = in_service(hall, table)
    hall.until(table, "betting")
    round_id = hall.log(table).pk
    for number in range(4):
        ana = visitor(kiosk, screen)
        requests = [BetRequest(ana.pk, f"r-{number}-{each}", "player", 10_000) for each in range(5)]

        def bets(requests: list[BetRequest] = requests) -> Counter[str]:
            return Counter(answer(partial(deeds.place, round_id, request, clock=hall.clock)) for request in requests)

        def goes() -> Counter[str]:
            visitors.farewell(kiosk.pk, clock=hall.clock)
            return Counter()

        said = together(bets, goes)[0]
        assert set(said) <= {"done", "balance", ""}
        assert hall.balance(ana) == 0
    lying = Transfer.objects.filter(reason="stake").aggregate(cents=Sum("amount"))["cents"] or 0
    assert holds("escrow") == lying
    hall.play_out(table)
    visitors.sweep(clock=hall.clock)
    assert holds("player") == holds("escrow") == 0


def test_two_sweeps_at_once_give_back_once(hall: House) -> None:
    """Every process of the house looks after the floor."""
    table = hall.table("garden", realm=Realm.KIOSKS)
    kiosk, screen = in_service(hall, table)
    ana = visitor(kiosk, screen)
    hall.stack("4s Kc 5d 7h")
    hall.until(table, "betting")
    hall.bet(ana, table, "player", 100)
    gone(hall, kiosk)
    hall.play_out(table)
    together(*[partial(visitors.sweep, clock=hall.clock)] * 4)
    assert hall.balance(ana) == 0
    assert sorted(Transfer.objects.filter(reason=Transfer.Reason.CHECKOUT).values_list("amount", flat=True)) == [
        200_00,
        900_00,
    ]


@pytest.mark.postgresql
def test_a_farewell_and_the_dealer_who_pays_do_not_wait_for_each_other_for_ever(hall: House) -> None:
    """They go while the house pays them: wallet, escrow, float and mint are locked by id, the table before them."""
    table = hall.table("garden", realm=Realm.KIOSKS)
    kiosk, screen = in_service(hall, table)
    ana = visitor(kiosk, screen)
    seating.sit(ana.pk, table.pk, 1, clock=hall.clock)
    hall.stack("4s Kc 5d 7h")
    hall.until(table, "betting")
    hall.bet(ana, table, "player", 100, 1)
    hall.until(table, "result")
    hall.due(table)
    halt = Halt("FROM tables_account ")

    def pays() -> bool:
        return bool(hall.advance(table).acted)

    with processes.running(partial(halt.within, pays)) as (paying,):
        halt.halted.wait()
        with processes.running(partial(visitors.farewell, kiosk.pk, clock=hall.clock)) as (going,):
            until(lambda: waiting_for_locks() or not going.alive, "he waits for the table, or is gone")
            halt.go.raise_()
            assert paying.told() and going.told() == ana.pk
    visitors.sweep(clock=hall.clock)
    assert hall.balance(ana) == 0


@pytest.mark.postgresql
def test_two_who_go_from_the_same_tables_do_not_wait_for_each_other_for_ever(hall: House) -> None:
    """They sat down in other orders; their tables are locked in one."""
    tables = [hall.table(slug, realm=Realm.KIOSKS) for slug in ("garden", "temple")]
    there = [in_service(hall, *tables, name=name) for name in ("Lobby", "Bar")]
    for number, (kiosk, screen) in enumerate(there, start=1):
        ana = visitor(kiosk, screen)
        for table in tables[:: -1 if number % 2 else 1]:
            seating.sit(ana.pk, table.pk, number, clock=hall.clock)
    halt = Halt("FOR UPDATE", nth=3)  # the kiosk, its first table, and then it stops
    (lobby, _), (bar, _) = there
    with processes.running(partial(halt.within, partial(visitors.farewell, lobby.pk, clock=hall.clock))) as (first,):
        halt.halted.wait()
        with processes.running(partial(visitors.farewell, bar.pk, clock=hall.clock)) as (second,):
            until(lambda: waiting_for_locks() or not second.alive, "the second waits")
            halt.go.raise_()
            assert first.told() and second.told()
    assert not Seat.objects.exists() and holds("player") == 0


def test_a_start_waits_for_the_farewell_of_the_one_before(hall: House, on_postgresql: bool) -> None:
    """The kiosk's row is locked first: whoever begins finds the visitor gone, or sends them away."""
    kiosk, screen = in_service(hall)
    ana = visitor(kiosk, screen)
    held, free = Flag(), Flag()

    def goes() -> None:
        with unit_of_work():
            visitors.farewell(kiosk.pk, clock=hall.clock)
            held.raise_()
            free.wait()

    with processes.running(goes) as (going,):
        held.wait()
        with processes.running(screen.begin) as (beginning,):
            if on_postgresql:
                until(waiting_for_locks, "the start waits")
            free.raise_()
            going.told()
            assert beginning.told()
    assert Transfer.objects.filter(reason=Transfer.Reason.CHECKOUT, debit__player=ana).count() == 1


# ── A process dies ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.in_full
def test_a_visit_is_whole_wherever_a_process_dies_over_it(hall: House) -> None:
    """Welcome, a bet, a farewell in the middle of the round, its end and the sweep: each is tried by processes that die
    at points of it, as over the evenings. Nothing is done by halves, and whoever asks again finds it done."""
    table = hall.table("garden", realm=Realm.KIOSKS)
    kiosk, screen = in_service(hall, table)
    present = Crashing(hall, table)

    def done(deed: Callable[..., object], *args: Any) -> Callable[[], str]:
        return partial(answer, partial(deed, *args, clock=hall.clock))

    present.player(done(visitors.welcome, kiosk.pk, screen.use), again="done")
    ana = visitor(kiosk, screen)
    present.player(done(seating.sit, ana.pk, table.pk, 1), again="done")
    hall.stack("4s Kc 5d 7h")
    hall.until(table, "betting")
    present.player(done(deeds.place, hall.log(table).pk, BetRequest(ana.pk, "a-touch", "player", 10_000, 1)))
    present.player(done(visitors.farewell, kiosk.pk), again="done")
    hall.play_out(table)
    present.player(done(visitors.sweep), again="done")
    assert present.deaths > (50 if NIGHTLY else 30 if EVERYTHING else 15)
    assert (hall.balance(ana), holds("player"), holds("escrow")) == (0, 0, 0)
    assert sums() == {Realm.KIOSKS: 0}
