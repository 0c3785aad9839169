"""A night at 3-Card Baccarat: stakes that stay locked from round to round, and places that nobody changes meanwhile."""

from __future__ import annotations

from functools import partial

from tables.models import Seat
from tables.services.rounds import seating
from tests.kit import article, view_for

from .kit import House

CUT_AND_BURNT = "2c 3c"
"""The top card goes to the bottom, the next is removed."""


@article("22/96/M", "3(2)", "locked")
def test_a_locked_stake_waits_in_escrow_until_a_round_decides_it_though_its_bettor_has_left(house: House) -> None:
    table, ana, rui = house.table(game="three_card_baccarat", decks=1), house.player("ana"), house.player("rui")
    for player, seat in ((ana, 1), (rui, 2)):
        seating.sit(player.pk, table.pk, seat, clock=house.clock)
    before = house.balance(ana)
    house.stack(f"{CUT_AND_BURNT} Ks 9d Qd Kd 9s Qh")
    house.until(table, "betting")
    house.bet(ana, table, "place", 100, box=1)
    house.play_out(table)
    assert house.balance(ana) == before - 100_00
    assert house.round(table).result() == {"banker": 2, "places": {"1": 2}}
    house.in_order()

    house.stack(f"{CUT_AND_BURNT} Ks 2d Qd Kd 9s Qh")
    seating.stand_up(ana.pk, table.pk, clock=house.clock)
    house.step(table)
    house.until(table, "betting")
    assert house.round(table).in_escrow() == {stake.bet: 100_00 for stake in house.round(table).stakes()}
    house.play_out(table)
    assert house.round(table).result() == {"banker": 23, "places": {"1": 2}}
    assert house.balance(ana) == before + 95_00
    house.in_order()


@article("22/96/M", "4(3)")
def test_nobody_moves_to_another_seat_in_the_middle_of_a_round(house: House) -> None:
    table, ana, rui = house.table(game="three_card_baccarat", decks=1), house.player("ana"), house.player("rui")
    move = partial(seating.sit, ana.pk, table.pk, 4, clock=house.clock)
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    house.bet(ana, table, "place", 100, box=1)
    house.until(table, "look")
    assert house.refused(move).article == "4(3)"
    assert [seat.number for seat in Seat.objects.filter(table=table, player=ana)] == [1]
    assert view_for(house.round(table), ana.key).mine.place == 1
    seating.sit(rui.pk, table.pk, 4, clock=house.clock)
    house.play_out(table)
    seating.stand_up(rui.pk, table.pk, clock=house.clock)
    move()
    house.step(table)
    assert dict(house.round(table).seats) == {ana.key: 4}
