"""A dealer looks at a table when there is a reason, and not again because of what they have done themselves."""

from __future__ import annotations

import pytest

from tables.live.nudges import Nudges
from tables.services.rounds import seating

from .kit import BY_MACHINE, MAIN_BETS, House


def test_what_was_seen_is_no_reason_to_look_and_anything_else_is() -> None:
    nudges = Nudges()
    assert not nudges.take(7)
    nudges.hear(7, (3, 5))
    assert nudges.take(7) and not nudges.take(7), "whoever takes it looks"
    nudges.see(7, (3, 6))
    nudges.hear(7, (3, 6))
    nudges.hear(7, (2, 90))
    assert not nudges.take(7), "of a line that was seen, and of a round before"
    nudges.hear(7, (3, 7))
    nudges.hear(7, (3, 6))
    assert nudges.take(7), "whatever order they come in"
    nudges.see(7, (3, 2))
    nudges.hear(7, (3, 6))
    assert not nudges.take(7), "what was seen stays so"
    nudges.hear(7)
    assert nudges.take(7), "no line tells of it"
    nudges.hear(8, (3, 6))
    assert nudges.take(8), "another table"


@pytest.mark.parametrize("game", list(BY_MACHINE))
def test_after_each_step_the_dealer_knows_when_to_come_next(house: House, game: str) -> None:
    """And which line was the last, so that its nudge brings nobody back before that."""
    table, ana = house.table(game=game), house.player("ana")
    house.until(table, "betting")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    spot, box = MAIN_BETS[game]
    house.bet(ana, table, spot, 100, box)
    before, steps = house.log(table).pk, 0
    while house.log(table).pk == before:
        outcome, log = house.step(table), house.log(table)
        if log.pk == before:
            steps += 1
            assert outcome.acted and outcome.look_at == log.due_at and outcome.seen == (log.pk, log.version)
    assert steps > 2
