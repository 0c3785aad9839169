"""After a restore to an earlier moment nothing decides that lay sealed then: it was opened since."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tables.base.transactions import unit_of_work
from tables.games import GAMES
from tables.games.contract.actions import VoidReason
from tables.models import LoggedAction, PackSeed, RoundLog, SealedThrow, Shoe, Table
from tables.proof.audit import audit
from tables.services.dealing.seeds import commit
from tables.services.rounds import seating

from .kit import MAIN_BETS, VAULT, House


@pytest.fixture
def restore(settings: Any, tmp_path: Path) -> Any:
    """Says by the operator's command that the database, as it is now, is one of an earlier moment."""
    settings.ANCHORS, settings.ANCHOR_KEY = str(tmp_path / "anchors.jsonl"), "what the database has not"

    def said() -> str:
        out = StringIO()
        call_command("restored", why="the backup of noon", stdout=out)
        return out.getvalue()

    return said


def staked(game: str) -> tuple[House, Table, RoundLog]:
    """A round in which somebody has a stake, and its pack or its throw lies sealed."""
    house = House()
    table, ana = house.table(game=game), house.player("ana")
    house.step(table)
    spot, box = MAIN_BETS[game]
    if box is not None:
        seating.sit(ana.pk, table.pk, box, clock=house.clock)
    house.until(table, "betting")
    house.bet(ana, table, spot, 100, box)
    assert house.balance(ana) == 9_900_00
    return house, table, house.log(table)


@pytest.mark.parametrize("game", GAMES)
def test_the_round_is_void_and_the_next_has_a_pack_or_a_throw_of_its_own(db: None, game: str, restore: Any) -> None:
    house, table, log = staked(game)
    said = restore()
    assert "Void: 1 rounds." in said and f"Fresh packs: {0 if GAMES[game].throws else 1}." in said
    log.refresh_from_db()
    line = LoggedAction.objects.get(log=log, action__do="void")
    assert log.void and line.action["reason"] == VoidReason.RESTORED
    ana = log.played.get().player
    assert house.balance(ana) == 10_000_00, "the stake has gone back"
    house.until(table, "betting")
    present = house.log(table)
    assert present.number == log.number + 1
    if GAMES[game].throws:
        (lay,) = SealedThrow.objects.filter(log=log)
        assert lay.opened is not None, "everybody sees what would have come"
        assert SealedThrow.objects.get(log=present).serial == (lay.serial or 0) + 1
    else:
        assert log.shoe is not None and present.shoe is not None
        assert present.shoe.number == log.shoe.number + 1
        assert Shoe.objects.get(pk=log.shoe.pk).retired_at is not None
    assert audit(VAULT).faults == []


def test_a_seed_that_was_committed_to_and_not_used_stays_unused_for_ever(db: None, restore: Any) -> None:
    """Somebody who has seen its pack dealt, before the restore, would know every card."""
    house, table, _log = staked("three_card_baccarat")
    house.play_out(table)
    with unit_of_work():
        known, _seed = commit(Table.objects.get(pk=table.pk), house.credentials(table), house.clock.at)
    assert "Seeds that are not used: 1." in restore()
    house.until(table, "betting")
    shoe = house.log(table).shoe
    assert shoe is not None and shoe.number == known.number + 1
    assert not Shoe.objects.filter(seed=known).exists() and PackSeed.objects.get(pk=known.pk).dropped_at is not None
    assert audit(VAULT).faults == [
        f"table {table.pk}: the seed of pack {known.number} was committed to, and no pack was dealt from it"
    ]


def test_between_two_rounds_nothing_is_void_and_the_shoe_is_another_one(db: None, restore: Any) -> None:
    house, table, _log = staked("baccarat")
    log = house.play_out(table)
    assert "Void: 0 rounds. Fresh packs: 1." in restore()
    house.until(table, "betting")
    assert house.log(table).shoe_id != log.shoe_id
    log.refresh_from_db()
    assert not log.void
