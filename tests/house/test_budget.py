"""What a player, the guests of a network, and all together may write into a round; refs; and shares of the seats."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.felt.public import public_fragments
from tables.games.contract.actions import Lower, Ready, VoidReason, Withdraw
from tables.models import Alert, ChatLine, LoggedAction, Player, Seat, Table, Transfer
from tables.queries.folds import fold_cache
from tables.queries.table import table_state
from tables.services.journal import alerts
from tables.services.players import chat, people
from tables.services.rounds import betting, decisions, seating
from tables.services.rounds.betting import BetRequest
from tables.services.rounds.round_session import Accepted

from . import deeds
from .kit import House

OFFICE, ELSEWHERE = "203.0.113.7", "203.0.113.8"


@pytest.fixture
def wheel(house: House) -> Table:
    table = house.table("wheel", game="roulette", times={"betting": 60_000})
    house.until(table, "betting")
    return table


def lines_of(player: Player) -> int:
    return LoggedAction.objects.filter(by=player.key).count()


def why_not(house: House, deed: Any) -> str:
    return str(house.refused(deed).words)


def lay_and_take_back(house: House, player: Player, table: Table) -> None:
    house.bet(player, table, "red", 1)
    betting.clear(player.pk, house.log(table).pk, house.ref(), clock=house.clock)


# ── A player's share of a round ─────────────────────────────────────────────────────────────────────────────


def test_clearing_and_laying_again_comes_to_an_end(house: House, wheel: Table, settings: Any) -> None:
    settings.LINES_PER_PLAYER = 6
    ana, rui = house.player("ana"), house.player("rui")
    for _ in range(3):
        lay_and_take_back(house, ana, wheel)
    assert lines_of(ana) == 6
    balance = house.balance(ana)
    assert "Too many actions" in why_not(house, partial(house.bet, ana, wheel, "red", 1))
    assert (lines_of(ana), house.balance(ana)) == (6, balance)
    house.bet(rui, wheel, "red", 1)
    assert lines_of(rui) == 1, "somebody else has a share of their own"


def test_refused_bets_count_for_nothing_and_a_new_round_begins_anew(house: House, wheel: Table, settings: Any) -> None:
    settings.LINES_PER_PLAYER = 3
    ana = house.player("ana")
    for _ in range(9):
        house.refused(partial(house.bet, ana, wheel, "red", 10**9))
    for _ in range(3):
        house.bet(ana, wheel, "red", 1)
    assert "Too many actions" in why_not(house, partial(house.bet, ana, wheel, "red", 1))
    house.play_out(wheel)
    house.until(wheel, "betting")
    house.bet(ana, wheel, "red", 1)


def test_saying_ready_and_lowering_count_too_but_a_stake_can_always_be_taken_back(
    house: House, wheel: Table, settings: Any
) -> None:
    settings.LINES_PER_PLAYER = 4
    ana = house.player("ana")
    house.player("rui")
    house.bet(ana, wheel, "red", 10)
    house.decide(ana, wheel, Ready)
    house.bet(ana, wheel, "black", 10)
    stakes = house.round(wheel).stakes()
    house.decide(ana, wheel, Lower, bet=stakes[0].bet, amount=100)
    assert "Too many actions" in why_not(house, partial(house.decide, ana, wheel, Ready))
    assert "Too many actions" in why_not(house, partial(house.decide, ana, wheel, Lower, bet=stakes[0].bet, amount=100))
    for stake in stakes:
        house.decide(ana, wheel, Withdraw, bet=stake.bet)
    assert not house.round(wheel).stakes()


def test_taking_a_seat_again_and_again_comes_to_an_end(house: House, settings: Any) -> None:
    settings.LINES_PER_PLAYER = 5
    ana, table = house.player("ana"), house.table()
    house.until(table, "betting")
    for _ in range(20):
        seating.sit(ana.pk, table.pk, 3, clock=house.clock)
        seating.stand_up(ana.pk, table.pk, clock=house.clock)
    assert lines_of(ana) <= 6
    seating.sit(ana.pk, table.pk, 3, clock=house.clock)
    assert Seat.objects.filter(player=ana, number=3).exists(), "theirs, though this round does not hear it"


def test_after_the_bets_a_player_who_has_used_their_share_may_still_decide(house: House, settings: Any) -> None:
    settings.LINES_PER_PLAYER = 2
    ana, table = house.player("ana"), house.table(game="blackjack")
    house.stack("8s 5d 9h 7c 2s 3d 4h")
    house.until(table, "betting")
    house.bet(ana, table, "main", 100, box=1)
    house.bet(ana, table, "main", 100, box=1)
    assert "Too many actions" in why_not(house, partial(house.bet, ana, table, "main", 100, box=1))
    while house.round(table).default_for(ana.key) is None:
        house.step(table)
    action = house.round(table).default_for(ana.key)
    assert action is not None
    decisions.decide(ana.pk, house.log(table).pk, house.ref(), action, clock=house.clock)
    assert lines_of(ana) == 3


def test_chips_of_one_message_on_one_place_are_one_bet(house: House, wheel: Table) -> None:
    ana = house.player("ana")
    chips = [("red", 100, None)] * 30 + [("black", 200, None)] + [("red", 100, None)] * 19
    wanted = betting.requests_of(ana.pk, house.ref(), chips)
    betting.place_many(house.log(wheel).pk, wanted, clock=house.clock)
    stakes = [(stake.spot, stake.amount) for stake in house.round(wheel).stakes()]
    assert (stakes, lines_of(ana)) == ([("red", 49_00), ("black", 2_00)], 2)


# ── The guests of one network ───────────────────────────────────────────────────────────────────────────────


def test_guests_of_one_network_share_a_budget_and_others_do_not(house: House, wheel: Table, settings: Any) -> None:
    settings.LINES_PER_ADDRESS = 6
    guests = [people.new_guest(OFFICE, clock=house.clock) for _ in range(3)]
    for guest in guests * 2:
        house.bet(guest, wheel, "red", 1)
    assert "the guests of your network" in why_not(house, partial(house.bet, guests[0], wheel, "red", 1))
    house.bet(people.new_guest(ELSEWHERE, clock=house.clock), wheel, "red", 1)
    house.bet(house.player("ana"), wheel, "red", 1)


def test_a_network_is_kept_as_a_digest_and_one_household_of_ipv6_is_one(house: House) -> None:
    guests = [
        people.new_guest(address, clock=house.clock)
        for address in ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1", OFFICE, "unknown")
    ]
    first, same, other, office, nowhere = (guest.origin for guest in guests)
    assert first == same and len({first, other, office}) == 3 and not nowhere
    assert "2001" not in first and OFFICE not in office


# ── A round that is full ────────────────────────────────────────────────────────────────────────────────────


def signs(table: Table, house: House) -> str:
    return public_fragments(table_state(table.pk, clock=house.clock))["rail"]


def fill(house: House, table: Table, settings: Any) -> list[Player]:
    settings.LINES_PER_ROUND = house.log(table).version + 4
    players = [house.player(name) for name in ("ana", "rui", "lee", "mei")]
    for player in players:
        house.bet(player, table, "red", 1)
    return players


def test_a_full_round_closes_early_in_order_and_everybody_and_the_pit_is_told(
    house: House, wheel: Table, settings: Any
) -> None:
    assert "very many bets" not in signs(wheel, house).lower()
    ana, *_ = fill(house, wheel, settings)
    late = why_not(house, partial(house.bet, ana, wheel, "red", 1))
    assert "very many bets" in late
    assert "Very many bets" in signs(wheel, house)
    (alert,) = Alert.objects.filter(kind="crowded")
    assert (alert.log, alert.table) == (house.log(wheel), wheel)
    assert "Betting closed early in round 1" in str(alerts.words_of(alert))
    due = house.log(wheel).due_at
    assert due is not None and (due - house.clock.at).total_seconds() < 2, "a minute of betting was left"
    log = house.play_out(wheel)
    assert not log.void and Transfer.objects.filter(log=log, reason="stake").count() == 4
    house.until(wheel, "betting")
    house.bet(ana, wheel, "red", 1)
    assert "Very many bets" not in signs(wheel, house)
    assert Alert.objects.filter(kind="crowded").count() == 1


def test_a_full_round_in_which_nothing_lies_is_left_unplayed(house: House, settings: Any) -> None:
    settings.LINES_PER_PLAYER = 4
    table = house.table(game="stud_poker")
    ana = house.player("ana")
    sit(house, ana, table, 2)
    house.until(table, "betting")
    first = house.log(table)
    for _ in range(2):
        house.bet(ana, table, "ante", 100, box=2)
        betting.clear(ana.pk, first.pk, house.ref(), clock=house.clock)
    assert "Too many actions" in why_not(house, partial(house.bet, ana, table, "ante", 100, box=2))
    house.due(table)
    house.step(table)
    first.refresh_from_db()
    assert first.void and first.actions.latest("seq").action["reason"] == VoidReason.FULL
    house.until(table, "betting")
    house.bet(ana, table, "ante", 100, box=2)


def test_a_flood_cannot_prolong_a_round(house: House, wheel: Table, settings: Any) -> None:
    players = fill(house, wheel, settings)
    due = house.log(wheel).due_at
    for _ in range(3):
        house.clock.pass_(milliseconds=200)
        for player in players:
            if house.round(wheel).in_escrow(player.key):
                betting.clear(player.pk, house.log(wheel).pk, house.ref(), clock=house.clock)
    assert house.log(wheel).due_at == due


# ── Refs ────────────────────────────────────────────────────────────────────────────────────────────────────

OTHERS: dict[str, Any] = {
    "another amount": lambda player: BetRequest(player, "ref-0000000a", "red", 2_00),
    "another spot": lambda player: BetRequest(player, "ref-0000000a", "black", 1_00),
    "one of several": lambda player: betting.requests_of(player, "ref-0000000a", [("red", 1_00, None)])[0],
}


@pytest.mark.parametrize("other", OTHERS)
def test_the_same_ref_with_another_bet_is_refused_and_lays_nothing(house: House, wheel: Table, other: str) -> None:
    ana, log = house.player("ana"), house.log(wheel).pk
    first = BetRequest(ana.pk, "ref-0000000a", "red", 1_00)
    assert not deeds.place(log, first, clock=house.clock).repeated
    assert deeds.place(log, first, clock=house.clock).repeated
    balance = house.balance(ana)
    said = why_not(house, lambda: deeds.place(log, OTHERS[other](ana.pk), clock=house.clock))
    assert "the same reference" in said
    assert (lines_of(ana), house.balance(ana)) == (1, balance)


def test_a_ref_stays_taken_when_the_log_is_read_anew(house: House, wheel: Table) -> None:
    ana, log = house.player("ana"), house.log(wheel).pk
    several = betting.requests_of(ana.pk, "ref-0000000b", [("nowhere", 1_00, None), ("red", 1_00, None)])
    betting.place_many(log, several, clock=house.clock)
    fold_cache.clear()
    again = betting.place_many(log, several, clock=house.clock)
    assert "repeated=True" in str(again[1]) and lines_of(ana) == 1
    more = betting.requests_of(ana.pk, "ref-0000000b", [("red", 1_00, None), ("black", 1_00, None)])
    assert all("reference" in str(answer) for answer in betting.place_many(log, more, clock=house.clock))
    assert lines_of(ana) == 1


def test_the_same_ref_for_another_deed_is_refused(house: House, wheel: Table) -> None:
    ana, log = house.player("ana"), house.log(wheel).pk
    deeds.place(log, BetRequest(ana.pk, "ref-0000000c", "red", 5_00), clock=house.clock)
    (stake,) = house.round(wheel).stakes()
    withdraw = partial(deeds.withdraw, ana.pk, log, bet=stake.bet, clock=house.clock)
    for deed in (
        partial(betting.clear, ana.pk, log, "ref-0000000c", clock=house.clock),
        partial(betting.undo, ana.pk, log, "ref-0000000c", clock=house.clock),
        partial(withdraw, ref="ref-0000000c"),
    ):
        assert "the same reference" in why_not(house, deed)
    assert len(house.round(wheel).stakes()) == 1
    assert not withdraw(ref="ref-0000000d").repeated and withdraw(ref="ref-0000000d").repeated
    lower = partial(deeds.lower, ana.pk, log, "ref-0000000d", stake.bet, 1_00, clock=house.clock)
    assert "the same reference" in why_not(house, lower)


def test_the_same_ref_for_another_seat_or_another_line_is_refused(house: House) -> None:
    ana, table = house.player("ana"), house.table()
    seating.sit(ana.pk, table.pk, 3, ref="ref-0000000e", clock=house.clock)
    seating.sit(ana.pk, table.pk, 3, ref="ref-0000000e", clock=house.clock)
    assert "the same reference" in why_not(
        house, partial(seating.sit, ana.pk, table.pk, 4, ref="ref-0000000e", clock=house.clock)
    )
    assert Seat.objects.get(player=ana).number == 3
    chat.speak(ana.pk, table.pk, "ref-0000000f", "hello", clock=house.clock)
    chat.speak(ana.pk, table.pk, "ref-0000000f", "hello ", clock=house.clock)
    other = partial(chat.speak, ana.pk, table.pk, "ref-0000000f", "goodbye", clock=house.clock)
    assert "the same reference" in why_not(house, other)
    assert [line.text for line in ChatLine.objects.all()] == ["hello"]


# ── Shares of the seats ─────────────────────────────────────────────────────────────────────────────────────


def tables_of(house: House, *names: str) -> list[Table]:
    return [house.table(name) for name in names]


def sit(house: House, player: Player, table: Table, seat: int = 1) -> None:
    seating.sit(player.pk, table.pk, seat, clock=house.clock)


def seats_of(player: Player) -> list[str]:
    return sorted(Seat.objects.filter(player=player).values_list("table__slug", flat=True))


def test_a_player_has_seats_at_two_tables_and_is_told_where(house: House) -> None:
    jade, lotus, peony = tables_of(house, "jade", "lotus", "peony")
    ana = house.player("ana")
    sit(house, ana, jade)
    sit(house, ana, lotus)
    said = why_not(house, partial(sit, house, ana, peony))
    assert jade.name in said and lotus.name in said
    assert seats_of(ana) == ["jade", "lotus"]
    sit(house, ana, lotus, 4)
    seating.stand_up(ana.pk, jade.pk, clock=house.clock)
    sit(house, ana, peony)
    assert seats_of(ana) == ["lotus", "peony"]


def test_a_seat_that_was_left_is_given_up_for_a_new_one_unless_something_lies_there(house: House) -> None:
    jade, lotus, peony = tables_of(house, "jade", "lotus", "peony")
    ana = house.player("ana")
    for table in (jade, lotus):
        house.until(table, "betting")
        sit(house, ana, table)
    house.bet(ana, jade, "player", 10)
    for table in (jade, lotus):
        seating.connection_lost(table.pk, ana.pk, clock=house.clock)
    sit(house, ana, peony)
    assert seats_of(ana) == ["jade", "peony"], "a stake of theirs lies at jade"
    grand = house.table("grand")
    assert jade.name in why_not(house, partial(sit, house, ana, grand))


def test_the_guests_of_one_network_have_so_many_seats_together(house: House, settings: Any) -> None:
    settings.SEATS_PER_ADDRESS = 3
    jade, lotus = tables_of(house, "jade", "lotus")
    guests = [people.new_guest(OFFICE, clock=house.clock) for _ in range(4)]
    sit(house, guests[0], jade, 1)
    sit(house, guests[0], lotus, 1)
    sit(house, guests[1], jade, 2)
    assert "Sign up" in why_not(house, partial(sit, house, guests[2], jade, 3))
    assert not seats_of(guests[2])
    sit(house, guests[1], jade, 5)
    sit(house, people.new_guest(ELSEWHERE, clock=house.clock), jade, 3)
    ana = house.player("ana")
    Player.objects.filter(pk=ana.pk).update(origin=guests[0].origin)
    sit(house, ana, jade, 4)  # a member of the same network, of whom nobody can make a dozen
    seating.stand_up(guests[0].pk, lotus.pk, clock=house.clock)
    sit(house, guests[2], lotus, 3)


def test_where_all_guests_come_from_is_read_at_once(house: House, wheel: Table, settings: Any) -> None:
    """Once many entries lie in a round, a bet of six costs as many statements as a bet of two."""
    settings.LINES_PER_ADDRESS = 2
    everybody = [house.player(f"p{number}") for number in range(8)]

    def statements(players: list[Player]) -> int:
        requests = [BetRequest(player.pk, house.ref(), "red", 100) for player in players]
        with CaptureQueriesContext(connection) as said:
            answers = betting.place_many(house.log(wheel).pk, requests, clock=house.clock)
        assert answers == [Accepted()] * len(players)
        return len(said)

    for player in everybody:
        house.bet(player, wheel, "red", 1)
    assert statements(everybody[2:]) == statements(everybody[:2])
