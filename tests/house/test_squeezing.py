"""The squeeze in the house: who peels, what it leaves in the database, and when the dealer opens what nobody peels."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tables.base.timetable import PEELED_FOR
from tables.games.baccarat import PassHand, Turn, Waive
from tables.games.baccarat.coup import Hand
from tables.games.shared.squeeze import Edge, Peel
from tables.models import Player, RoundLog, Table
from tables.queries.table import table_state
from tables.services.pit import holding
from tables.services.rounds import seating, squeezing
from tests.kit import article

from .kit import House, everything
from .test_shoes import SHOE, stacked

NIGHT = "2s 3c 3d 5h 9s"
"""Player 5, draws; Banker 8, a natural: nothing is drawn."""


class Night:
    """A table at which ana holds the Player, rui the Banker, lee stands, and the cards are dealt."""

    def __init__(self, house: House, *hands: str, **options: Any) -> None:
        self.house = house
        stacked(house, *(hands or (NIGHT,)))
        self.table: Table = house.table(**SHOE, **{"squeeze": True, **options})
        self.ana, self.rui, self.lee = (house.player(name) for name in ("ana", "rui", "lee"))
        for seat, player in ((1, self.ana), (2, self.rui)):
            seating.sit(player.pk, self.table.pk, seat, clock=house.clock)
        house.until(self.table, "betting")
        house.bet(self.ana, self.table, "player", 100, 1)
        house.bet(self.rui, self.table, "banker", 100, 2)
        house.bet(self.lee, self.table, "player", 500)
        house.until(self.table, "open_player")

    @property
    def log(self) -> RoundLog:
        return self.house.log(self.table)

    def peels(self, player: Player, place: str = "player-0", edge: str = "short", step: int = 1) -> None:
        squeezing.peel(player.pk, self.log.pk, place, edge, step, clock=self.house.clock)

    def refused(self, *args: Any, **about: Any) -> str:
        """The article by which it is refused; nothing has changed."""
        before = everything()
        refusal = self.house.refused(lambda: self.peels(*args, **about))
        assert everything() == before
        return refusal.article

    @property
    def peeled(self) -> dict[str, Peel]:
        return dict(table_state(self.table.pk, clock=self.house.clock).peels)

    @property
    def left(self) -> float:
        """Seconds until the dealer opens."""
        due = self.log.due_at
        assert due is not None
        return (due - self.house.clock.now()).total_seconds()


@pytest.fixture
def night(house: House) -> Night:
    return Night(house)


@article("55/2004", "16(2)")
def test_only_the_holder_peels_and_only_what_is_to_be_opened_now(night: Night) -> None:
    for player in (night.rui, night.lee):
        assert night.refused(player) == "16(2)"
    for place in ("banker-0", "player-2", "player", "", "dealer-0"):
        assert night.refused(night.ana, place) == "16(2)"
    night.peels(night.ana, "player-1", "long", 3)
    assert night.peeled == {"player-1": Peel(Edge.LONG, {Edge.LONG: 3})}
    night.house.decide(night.ana, night.table, Turn, hand=Hand.PLAYER)
    assert night.refused(night.ana) == "16(2)"
    night.peels(night.rui, "banker-0")


@pytest.mark.parametrize(("edge", "step"), [("short", 0), ("short", 11), ("top", 1), ("", 1), ("SHORT", 1)])
def test_there_is_no_other_edge_and_no_other_step(night: Night, edge: str, step: int) -> None:
    assert night.refused(night.ana, "player-0", edge, step) == ""


def test_a_bend_goes_on_and_never_back_and_is_no_line_of_the_log(night: Night) -> None:
    version, balances = night.log.version, [night.house.balance(one) for one in (night.ana, night.rui)]
    for edge, step in (("short", 2), ("short", 1), ("long", 4), ("short", 1)):
        night.peels(night.ana, "player-0", edge, step)
    assert night.peeled == {"player-0": Peel(Edge.SHORT, {Edge.SHORT: 2, Edge.LONG: 4})}
    assert night.log.version == version
    assert [night.house.balance(one) for one in (night.ana, night.rui)] == balances


def test_what_is_done_twice_is_done_once(night: Night) -> None:
    night.peels(night.ana, step=4)
    before = everything()
    night.house.clock.pass_(seconds=3)
    night.peels(night.ana, step=4)
    night.peels(night.ana, step=3)
    assert everything() == before


@article("55/2004", "B-A18")
def test_an_idle_hold_opens_itself_after_eight_seconds(night: Night) -> None:
    assert night.left == 8
    night.house.clock.pass_(seconds=7.999)
    assert not night.house.advance(night.table).acted
    night.house.clock.pass_(seconds=0.001)
    assert night.refused(night.ana) == "time"
    assert night.house.advance(night.table).acted
    assert night.log.phase == "open_banker"
    night.house.play_out(night.table)


@article("55/2004", "B-A18")
def test_whoever_peels_on_has_eight_seconds_more_but_thirty_in_all(night: Night) -> None:
    for step in range(1, 5):
        night.house.clock.pass_(seconds=6)
        night.peels(night.ana, step=step)
        assert night.left == min(8, 30 - 6 * step)
    night.house.clock.pass_(seconds=1)
    night.peels(night.ana, step=4)  # it is bent as far already
    night.peels(night.ana, step=5)
    assert night.left == 5
    night.house.clock.pass_(seconds=5)
    assert night.refused(night.ana, step=6) == "time"
    assert timedelta(seconds=30) == PEELED_FOR
    assert night.house.advance(night.table).acted
    assert night.log.phase == "open_banker"


@article("55/2004", "B-A18")
def test_what_goes_no_further_prolongs_nothing(night: Night) -> None:
    night.peels(night.ana, step=3)
    night.peels(night.ana, edge="long", step=1)
    night.house.clock.pass_(seconds=5)
    night.peels(night.ana, step=1)  # the other edge again, as far as it was
    assert night.left == 3


@article("55/2004", "B-A18", "B-A9")
def test_time_and_bend_stay_when_the_hand_is_passed_or_another_is_waived(house: House) -> None:
    night = Night(house)
    seating.sit(night.lee.pk, night.table.pk, 3, clock=house.clock)
    house.clock.pass_(seconds=6)
    night.peels(night.ana, step=4)
    house.clock.pass_(seconds=4)
    house.decide(night.rui, night.table, Waive, hand=Hand.BANKER)
    assert night.left == 4
    house.decide(night.ana, night.table, PassHand, hand=Hand.PLAYER, to=night.lee.key)
    assert night.left == 4
    assert night.peeled == {"player-0": Peel(Edge.SHORT, {Edge.SHORT: 4})}
    assert night.refused(night.ana) == "16(2)"
    night.peels(night.lee, step=5)
    assert night.left == 8


@article("55/2004", "B-A18")
def test_a_card_that_is_turned_by_itself_leaves_the_other_as_it_is_bent_and_time_for_it(night: Night) -> None:
    night.peels(night.ana, "player-0", step=4)
    night.peels(night.ana, "player-1", step=2)
    night.house.clock.pass_(seconds=6)
    night.house.decide(night.ana, night.table, Turn, hand=Hand.PLAYER, card=0)
    assert (night.log.phase, night.left) == ("open_player", 8)
    assert night.peeled["player-1"] == Peel(Edge.SHORT, {Edge.SHORT: 2})
    assert night.refused(night.ana, "player-0", step=5) == "16(2)"
    night.house.decide(night.ana, night.table, Turn, hand=Hand.PLAYER, card=1)
    assert night.log.phase == "open_banker"


def test_nothing_of_it_is_left_when_the_hand_lies_open(night: Night) -> None:
    night.peels(night.ana, step=9)
    night.house.decide(night.ana, night.table, Turn, hand=Hand.PLAYER)
    assert not night.peeled
    assert (night.log.peeled, night.log.peeled_at) == (None, None)
    log = night.house.play_out(night.table)
    assert (log.peeled, log.peeled_at) == (None, None)


def test_nobody_peels_while_the_pit_looks_at_the_round(night: Night) -> None:
    night.peels(night.ana, step=2)
    boss = Player.objects.create(username="boss", name="Boss", role="pit_boss")
    holding.freeze(boss, night.table.pk, clock=night.house.clock)
    assert night.refused(night.ana, step=3) == "time"
    night.house.clock.pass_(seconds=60)
    holding.thaw(boss, night.table.pk, clock=night.house.clock)
    assert night.left == 8
    night.peels(night.ana, step=3)


@article("55/2004", "B-A18")
def test_nobody_peels_where_the_house_does_not_have_it(house: House) -> None:
    night = Night(house, squeeze=False)
    assert night.refused(night.ana) == "16(2)"
    assert night.left == 10  # the table's time for a decision


def test_there_is_no_such_round(night: Night) -> None:
    refusal = night.house.refused(lambda: squeezing.peel(night.ana.pk, 999_999, "player-0", "short", 1))
    assert refusal.article == "round"
