"""A card that lies face down is in the database sealed, until its round is over."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from tables.games.contract.actions import DrawCard
from tables.games.contract.view import cards_in
from tables.models import LoggedAction, RoundLog, Table
from tables.proof.audit import audit
from tables.queries.folds import fold_cache, log_entries, round_of
from tables.services.rounds import seating
from tests.kit import view_for

from .kit import VAULT, House, without_guards

TABLES: dict[str, dict[str, Any]] = {
    "baccarat": {"dealing_device": "shoe", "burn_each_round": 1},
    "blackjack": {"deal_procedure": 1},
    "stud_poker": {},
    "three_card_baccarat": {},
}
STAKES = {
    "baccarat": ("player", 100, None),
    "blackjack": ("main", 100, 1),
    "stud_poker": ("ante", 100, 1),
    "three_card_baccarat": ("place", 100, 1),
}


def staked(house: House, game: str) -> Table:
    """A table of this game in its betting, with a seat and a stake of Ana's."""
    ana, table = house.player("ana"), house.table(game=game, **TABLES[game])
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    house.bet(ana, table, *STAKES[game])
    return table


def stored(log: RoundLog) -> dict[int, dict[str, Any]]:
    """The lines of its cards as they stand in the database."""
    lines = LoggedAction.objects.filter(log=log, action__do="card").order_by("seq")
    return {line.seq: line.action for line in lines}


@pytest.mark.parametrize("game", TABLES)
def test_no_card_that_lies_face_down_is_in_the_database_while_the_round_goes_on(house: House, game: str) -> None:
    table = staked(house, game)
    closed = 0
    while house.log(table).settled_at is None:
        house.step(table)
        log = house.log(table)
        if log.settled_at is not None:
            break
        assert log.turned is None
        shown = Counter(cards_in(view_for(house.round(table), None)))
        in_clear = Counter(line["card"] for line in stored(log).values() if "card" in line)
        assert not in_clear - Counter(map(str, shown.elements())), "the database tells what nobody sees"
        closed = max(closed, len(stored(log)) - in_clear.total())
    assert closed
    log = house.log(table)
    drawn = {entry.seq: str(entry.action.card) for entry in log_entries(log) if isinstance(entry.action, DrawCard)}
    turned = {seq: hidden.split() for seq, hidden in (log.turned or {}).items()}
    sealed = {str(seq): drawn[seq] for seq, line in stored(log).items() if "sealed" in line}
    assert {seq: card for seq, (card, _salt) in turned.items()} == sealed
    house.in_order()


def test_a_card_like_one_that_is_turned_up_with_it_lies_closed_none_the_less(house: House) -> None:
    """The last card of the deal begins the turn of the first box, whose own closed cards lie open then."""
    house.stack("3c Ad 7h 8d Qc Qc 5d")  # burnt; boxes 1 and 2, the bank; boxes 1 and 2 once more
    options: dict[str, Any] = {"deal_procedure": 1, "dealing_device": "auto_shuffler", "initial_burn": "single"}
    options |= {"surrender_timing": "own_first_decision"}  # no window before the turns
    table = house.table(game="blackjack", **options)
    people = [house.player(name) for name in ("ana", "rui")]
    for box, player in enumerate(people, start=1):
        seating.sit(player.pk, table.pk, box, clock=house.clock)
    house.until(table, "betting")
    for box, player in enumerate(people, start=1):
        house.bet(player, table, "main", 100, box)
    house.until(table, "player_turns")
    shown = list(map(str, cards_in(view_for(house.round(table), None))))
    assert sorted(shown) == ["8d", "Ad", "Qc"]
    assert [line.get("card") for line in stored(house.log(table)).values()] == [None, None, None, "8d", None, None]


def test_nine_of_ten_cards_are_sealed_while_a_hand_of_stud_poker_is_decided(house: House) -> None:
    table = staked(house, "stud_poker")
    house.until(table, "look_and_decide")
    lines = list(stored(house.log(table)).values())
    assert len(lines) == 10 and sum("sealed" in line and "card" not in line for line in lines) == 9
    assert len({len(line["sealed"]) for line in lines if "sealed" in line}) == 1, "the length tells nothing"


def test_a_round_that_is_over_needs_no_key(house: House, settings: Any) -> None:
    table = staked(house, "stud_poker")
    log = house.play_out(table)
    before = round_of(log)
    settings.SECRET_KEY = "another key"
    fold_cache.clear()
    assert round_of(log) == before
    assert audit(VAULT).clean


def test_a_round_that_is_not_over_goes_on_under_a_new_key_if_the_old_one_is_named(house: House, settings: Any) -> None:
    table = staked(house, "stud_poker")
    house.until(table, "look_and_decide")
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key", [settings.SECRET_KEY]
    fold_cache.clear()
    assert house.play_out(table).turned
    house.in_order()


def test_what_was_turned_is_written_once(house: House) -> None:
    log = house.play_out(staked(house, "stud_poker"))
    assert log.turned is not None
    with pytest.raises(DatabaseError, match="is written once"), transaction.atomic():
        RoundLog.objects.filter(pk=log.pk).update(turned=log.turned | {"1": "As"})


def test_a_sealed_line_opens_nowhere_else(db: None) -> None:
    house = House()
    table = staked(house, "stud_poker")
    house.until(table, "look_and_decide")
    log = house.log(table)
    one, other = [seq for seq, line in stored(log).items() if "sealed" in line][:2]
    without_guards()
    LoggedAction.objects.filter(log=log, seq=other).update(action=stored(log)[one])
    fold_cache.clear()
    with pytest.raises(ValueError, match=f"sealed as that of 0*{log.pk}:0*{one}$"):
        round_of(log)


def test_the_audit_finds_what_was_turned_otherwise(db: None) -> None:
    house = House()
    log = house.play_out(staked(house, "stud_poker"))
    assert log.turned is not None
    (first, card), *rest = log.turned.items()
    without_guards()
    RoundLog.objects.filter(pk=log.pk).update(turned={first: rest[0][1], **dict(rest)})
    fold_cache.clear()
    assert f"round {log.pk}: the card in line {first} is {card}, and was turned as {rest[0][1]}" in audit(VAULT).faults
    RoundLog.objects.filter(pk=log.pk).update(turned=dict(rest))
    fold_cache.clear()
    assert "were turned" in "\n".join(audit(VAULT).faults)
