"""What a dealer finds by looking at all their tables at once: whatever `advance` would do, and nothing else."""

from __future__ import annotations

import pytest

from tables.models import Player, Table
from tables.services.dealing.advance import Outcome, may_be_due
from tables.services.pit import lifecycle

from .kit import BY_MACHINE, House


class Unnudged(House):
    """A house in which whatever the dealer does must have been found without a nudge."""

    def advance(self, table: Table) -> Outcome:
        found = self.finds(table)
        outcome = super().advance(table)
        assert found or not outcome.acted, f"nobody would have come to {table}: {self.round(table).phase}"
        return outcome

    def finds(self, table: Table) -> bool:
        return table.pk in may_be_due([table.pk], clock=self.clock)

    def sleeps(self, table: Table) -> None:
        """Nothing is due, and nobody looks at the table."""
        assert not self.finds(table)
        assert not super().advance(table).acted


@pytest.mark.parametrize("game", list(BY_MACHINE))
def test_without_a_nudge_he_finds_all_that_is_due_and_lets_other_tables_be(db: None, game: str) -> None:
    house = Unnudged()
    table, boss = house.table(game=game), Player.objects.create(username="boss", name="Boss", role="pit_boss")
    house.until(table, "betting")
    house.sleeps(table)  # there is time to bet
    lifecycle.pause(boss, table.pk, clock=house.clock)
    house.play_out(table)
    lifecycle.resume(boss, table.pk, clock=house.clock)
    house.sleeps(table)  # the result is looked at
    house.clock.pass_(hours=1)
    house.sleeps(table)  # nobody is there
    house.until(table, "betting")
    house.clock.pass_(hours=1)
    assert house.advance(table).acted
    assert house.log(table).due_at is None, "its time stands still while nobody is there"
    assert house.step(table).acted, "somebody has come"
    Table.objects.filter(pk=table.pk).update(attended_until=None)
    house.sleeps(table)  # there is time to bet, for whoever comes
    lifecycle.pause(boss, table.pk, clock=house.clock)
    assert house.advance(table).acted, "a round that nobody is in is not waited for"
    house.clock.pass_(hours=1)
    house.sleeps(table)
    lifecycle.close(boss, table.pk, "round", clock=house.clock)
    assert house.advance(table).acted
    assert not Table.objects.get(pk=table.pk).open
    house.clock.pass_(hours=1)
    house.sleeps(table)
    house.in_order()
