"""A round that the house has thrown is proven by the program that knows nothing of ours."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tables.models import RoundLog, SealedThrow, Table
from tests.fairness import verifier
from tests.fairness.bundles import by_the_rules

from .kit import House, everything, null_throw, without_guards

VERIFY = verifier.load()


def prove(log: RoundLog) -> dict[str, Any]:
    """What the command writes."""
    out = StringIO()
    call_command("prove", str(log.pk), stdout=out)
    return dict(json.loads(out.getvalue()))


def states(bundle: dict[str, Any], kept: dict[str, Any] | None = None) -> dict[str, set[str]]:
    """What the verifier says of each kind of claim."""
    found: dict[str, set[str]] = {}
    noted = json.dumps(kept).encode() if kept else b""
    claims = VERIFY.verify(json.dumps(bundle).encode(), bundle["house"], bundle["round"], noted, by_the_rules)
    for claim in claims:
        found.setdefault(claim.code, set()).add(claim.state)
    return found


def staked(house: House, game: str, spot: str) -> Table:
    ana, table = house.player("ana"), house.table(game=game)
    house.until(table, "betting")
    house.bet(ana, table, spot, 100)
    return table


@pytest.mark.parametrize(("game", "spot"), [("roulette", "red"), ("cussec", "small")])
def test_the_verifier_accepts_a_round_that_the_house_has_thrown(house: House, game: str, spot: str) -> None:
    table = staked(house, game, spot)
    before = prove(house.log(table))
    (closed,) = before["throws"]
    assert not {"seed", "salt", "value"} & closed.keys() and not {"record", "outcome"} & before.keys()
    assert VERIFY.CLOSED in states(before)["seed"]
    after = prove(house.play_out(table))
    found = states(after, before)
    assert set().union(*found.values()) == {VERIFY.PROVEN}
    assert found.keys() >= {"seed", "links", "leaf", "numbers", "counts", "record", "outcome", "stakes", "noted"}


def test_a_null_spin_is_in_the_proof_and_counts_for_nothing(house: House) -> None:
    house.throw(17, 4)
    table = staked(house, "roulette", "red")
    house.until(table, "spinning")
    null_throw(house.log(table).pk, "object", clock=house.clock)
    bundle = prove(house.play_out(table))
    assert [(throw["value"], throw["counts"]) for throw in bundle["throws"]] == [("17", False), ("4", True)]
    assert set().union(*states(bundle).values()) <= {VERIFY.PROVEN, VERIFY.UNCHECKED}


def test_a_number_that_the_house_has_chosen_is_found_by_everybody(db: None) -> None:
    """All that the house publishes is changed together: the seed tells."""
    house = House()
    log = house.play_out(staked(house, "cussec", "small"))
    without_guards()
    one = SealedThrow.objects.get(log=log)
    one.opened = (one.opened or {}) | {"values": [6, 6, 6]}
    one.commitment = VERIFY.sha256(f"throw:{one.table_id}:{one.serial}:{one.opened['salt']}:6 6 6")
    one.save()
    assert states(prove(log))["numbers"] == {VERIFY.BROKEN}


def test_the_seed_is_nowhere_in_the_database_before_it_is_opened(house: House) -> None:
    table = staked(house, "roulette", "red")
    rows = repr(everything())
    seed = prove(house.play_out(table))["throws"][0]["seed"]
    assert seed not in rows and seed in repr(everything())


def test_a_round_of_cards_and_one_that_is_not_there_have_no_bundle_yet(house: House) -> None:
    table = house.table()
    house.until(table, "betting")
    with pytest.raises(CommandError, match="earlier scheme: /shoes/"):
        prove(house.log(table))
    with pytest.raises(CommandError, match="There is no round 999"):
        call_command("prove", "999")
