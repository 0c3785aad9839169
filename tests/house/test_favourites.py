"""Bets laid together: several in one go, all taken back at once, and favourites that are kept for another day."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tables.games.contract.actions import Withdraw
from tables.games.contract.errors import Refused
from tables.models import Favourite, LoggedAction, Player, RoundLog, Table
from tables.queries.own import own_of
from tables.services.pit.opening import open_jackpot
from tables.services.rounds import betting, favourites, seating
from tables.services.rounds.favourites import LONGEST_NAME, MOST

from . import deeds
from .kit import House


def open_table(house: House, slug: str = "jade", **about: Any) -> Table:
    table = house.table(slug, **about)
    house.until(table, "betting")
    return table


def lay(house: House, player: Player, table: Table, favourite: str) -> dict[str, str]:
    """Lay it; spot -> article of its refusal."""
    found = Favourite.objects.get(player=player, name=favourite)
    wanted = favourites.requests(player.pk, table.pk, found.pk, house.ref())
    answers = betting.place_many(house.log(table).pk, wanted, clock=house.clock)
    return {
        one.spot: answer.article for one, answer in zip(wanted, answers, strict=True) if isinstance(answer, Refused)
    }


def lies(house: House, player: Player, table: Table) -> dict[tuple[str, int | None], int]:
    """What the player has on the layout, in credits."""
    found: dict[tuple[str, int | None], int] = {}
    for stake in house.round(table).stakes():
        if stake.by == player.key:
            found[stake.spot, stake.box] = found.get((stake.spot, stake.box), 0) + stake.amount // 100
    return found


# ── Favourites ──────────────────────────────────────────────────────────────────────────────────────────────


def test_what_lies_there_is_saved_and_laid_again_at_another_table_of_the_game(house: House) -> None:
    ana = house.player("ana")
    table, other = open_table(house, game="roulette"), open_table(house, "lotus", game="roulette")
    for spot, credits in (("straight_17", 5), ("split_17_20", 10), ("straight_17", 5), ("red", 20)):
        house.bet(ana, table, spot, credits)
    assert favourites.save(ana.pk, table.pk, "  my   numbers ") == "my numbers"
    assert not lay(house, ana, other, "my numbers")
    assert lies(house, ana, other) == {("straight_17", None): 10, ("split_17_20", None): 10, ("red", None): 20}
    (kept,) = own_of([ana.pk], "roulette")[ana.pk].favourites
    assert (kept.name, kept.bets, kept.cents) == ("my numbers", 3, 40_00)


def test_what_lay_in_ones_own_box_is_laid_in_the_box_of_ones_seat_now(house: House) -> None:
    ana = house.player("ana")
    table, other = open_table(house), open_table(house, "lotus")
    seating.sit(ana.pk, table.pk, 2, clock=house.clock)
    house.bet(ana, table, "player", 50, box=2)
    house.bet(ana, table, "tie", 5, box=2)
    favourites.save(ana.pk, table.pk, "player and tie")
    seating.sit(ana.pk, other.pk, 7, clock=house.clock)
    assert not lay(house, ana, other, "player and tie")
    assert lies(house, ana, other) == {("player", 7): 50, ("tie", 7): 5}
    seating.stand_up(ana.pk, other.pk, clock=house.clock)
    assert not lay(house, ana, other, "player and tie"), "who stands bets on the common area"
    assert lies(house, ana, other)[("player", None)] == 50


def test_what_needs_another_bet_is_laid_after_it(house: House) -> None:
    ana, table = house.player("ana"), open_table(house, game="stud_poker")
    seating.sit(ana.pk, table.pk, 3, clock=house.clock)
    house.bet(ana, table, "ante", 100, box=3)
    house.bet(ana, table, "jackpot", 25, box=3)
    favourites.save(ana.pk, table.pk, "both")
    betting.clear(ana.pk, house.log(table).pk, house.ref(), clock=house.clock)
    assert lies(house, ana, table) == {}
    assert not lay(house, ana, table, "both")
    assert lies(house, ana, table) == {("ante", 3): 100, ("jackpot", 3): 25}


def test_a_part_that_is_refused_has_its_reason_and_the_rest_lies_there(house: House) -> None:
    ana, table = house.player("ana"), open_table(house, game="roulette")
    for spot, credits in (("straight_17", 200), ("red", 50), ("sector12_1", 10)):
        house.bet(ana, table, spot, credits)
    favourites.save(ana.pk, table.pk, "mine")
    strict = open_table(
        house, "lotus", game="roulette", sector_definition="off", max_bet={"straight_17": 100_00, "red": 500_00}
    )
    assert lay(house, ana, strict, "mine") == {"straight_17": "maximum", "sector12_1": "R-A3"}
    assert lies(house, ana, strict) == {("red", None): 50}


def test_the_same_ref_lays_a_favourite_once(house: House) -> None:
    ana, table = house.player("ana"), open_table(house, game="cussec")
    house.bet(ana, table, "big", 10)
    favourites.save(ana.pk, table.pk, "big")
    (found,) = Favourite.objects.all()
    for _ in range(2):
        wanted = favourites.requests(ana.pk, table.pk, found.pk, "the-same-ref")
        betting.place_many(house.log(table).pk, wanted, clock=house.clock)
    assert lies(house, ana, table) == {("big", None): 20}


def test_a_name_is_kept_once_and_saving_again_replaces_what_it_had(house: House) -> None:
    ana, table = house.player("ana"), open_table(house, game="cussec")
    house.bet(ana, table, "big", 10)
    favourites.save(ana.pk, table.pk, "mine")
    house.bet(ana, table, "odd", 5)
    favourites.save(ana.pk, table.pk, "mine")
    assert [(one.name, len(one.stakes)) for one in Favourite.objects.all()] == [("mine", 2)]
    favourites.save(ana.pk, table.pk, "other")
    other = Favourite.objects.get(name="other")
    refusal = house.refused(partial(favourites.rename, ana.pk, other.pk, " mine "))
    assert "Another favourite is called mine" in str(refusal.words)
    assert favourites.rename(ana.pk, other.pk, "third") == "third"
    assert favourites.drop(ana.pk, other.pk) == "third"
    assert [one.name for one in Favourite.objects.all()] == ["mine"]


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u202e", "x" * (LONGEST_NAME + 1)], ids=ascii)
def test_a_name_is_short_text(house: House, name: str) -> None:
    ana, table = house.player("ana"), open_table(house, game="cussec")
    house.bet(ana, table, "big", 10)
    house.refused(partial(favourites.save, ana.pk, table.pk, name))
    assert not Favourite.objects.exists()


def test_nothing_is_saved_of_nothing_and_no_more_than_there_is_room_for(house: House) -> None:
    ana, table = house.player("ana"), open_table(house, game="cussec")
    save: Callable[[str], Callable[[], object]] = lambda name: partial(favourites.save, ana.pk, table.pk, name)  # noqa: E731
    assert "no stake" in str(house.refused(save("nothing")).words)
    house.bet(ana, table, "big", 10)
    for number in range(MOST):
        save(f"number {number}")()
    assert "the most allowed" in str(house.refused(save("one more")).words)
    save("number 3")()
    assert Favourite.objects.count() == MOST


def test_anothers_favourites_and_those_of_another_game_are_not_to_be_had(house: House) -> None:
    ana, rui, table = house.player("ana"), house.player("rui"), open_table(house, game="cussec")
    house.bet(ana, table, "big", 10)
    favourites.save(ana.pk, table.pk, "mine")
    (hers,) = Favourite.objects.all()
    for deed in (
        partial(favourites.requests, rui.pk, table.pk, hers.pk, "ref"),
        partial(favourites.rename, rui.pk, hers.pk, "his"),
        partial(favourites.drop, rui.pk, hers.pk),
    ):
        assert "no such favourite" in str(house.refused(deed).words)
    cards = open_table(house, "lotus")
    refusal = house.refused(partial(favourites.requests, ana.pk, cards.pk, hers.pk, "ref"))
    assert "another game" in str(refusal.words)
    assert not any(own.favourites for own in own_of([ana.pk, rui.pk], "baccarat").values())


# ── All back at once ────────────────────────────────────────────────────────────────────────────────────────


def test_clearing_takes_back_all_fresh_stakes_in_one_go_and_leaves_what_is_carried(house: House) -> None:
    ana, table = house.player("ana"), open_table(house, game="roulette", auto_leave_winners=True)
    house.throw(4)
    house.play_out(table)
    house.throw(17)
    house.until(table, "betting")
    house.bet(ana, table, "straight_17", 10)
    house.throw(17)
    while house.log(table).settled_at is None:
        house.step(table)
    house.step(table)
    house.until(table, "betting")
    carried = lies(house, ana, table)
    spots = [one.spot for one in house.round(table).offers(ana.key).bets][:150]
    before = house.balance(ana)
    for spot in spots:
        house.bet(ana, table, spot, 1)
    lines, log, ref = house.log(table).version, house.log(table).pk, house.ref()
    assert not betting.clear(ana.pk, log, ref, clock=house.clock).repeated
    assert lies(house, ana, table) == carried and house.balance(ana) == before
    assert house.log(table).version == lines + 150
    assert betting.clear(ana.pk, log, ref, clock=house.clock).repeated
    assert house.log(table).version == lines + 150
    for deed in (betting.clear, betting.undo):
        assert "no stake" in str(house.refused(partial(deed, ana.pk, log, house.ref(), clock=house.clock)).words)


def test_a_stake_that_others_lean_on_is_cleared_too(house: House) -> None:
    ana, table = house.player("ana"), open_table(house, game="baccarat")
    house.bet(ana, table, "player", 10)
    house.bet(ana, table, "player_pair", 5)
    betting.clear(ana.pk, house.log(table).pk, house.ref(), clock=house.clock)
    assert house.round(table).stakes() == ()


def test_nothing_is_cleared_when_betting_has_closed(house: House) -> None:
    ana, table = house.player("ana"), open_table(house, game="cussec")
    house.bet(ana, table, "big", 10)
    house.until(table, "no_more_bets")
    house.refused(partial(betting.clear, ana.pk, house.log(table).pk, house.ref(), clock=house.clock))
    assert not LoggedAction.objects.filter(log=house.log(table), action__do="withdraw").exists()


# ── The last gesture back ───────────────────────────────────────────────────────────────────────────────────


def lay_together(house: House, player: Player, table: Table, *bets: tuple[str, int], box: int | None = None) -> None:
    """Lay these in one message: spots and credits."""
    ref = house.ref()
    wanted = betting.requests_of(player.pk, ref, ((spot, credits * 100, box) for spot, credits in bets))
    for answer in betting.place_many(house.log(table).pk, wanted, clock=house.clock):
        assert not isinstance(answer, Refused), answer


def undo(house: House, player: Player, table: Table) -> None:
    betting.undo(player.pk, house.log(table).pk, house.ref(), clock=house.clock)


def test_undo_takes_back_what_came_in_one_message_and_then_what_came_before(house: House) -> None:
    ana, rui, table = house.player("ana"), house.player("rui"), open_table(house, game="roulette")
    before, log = house.balance(ana), house.log(table).pk
    house.bet(ana, table, "straight_17", 5)
    lay_together(house, ana, table, ("straight_17", 10), ("straight_18", 10), ("red", 20))
    house.bet(rui, table, "red", 30)
    favourites.save(ana.pk, table.pk, "mine")
    lay(house, ana, table, "mine")
    assert lies(house, ana, table) == {("straight_17", None): 30, ("straight_18", None): 20, ("red", None): 40}
    ref = house.ref()
    assert not betting.undo(ana.pk, log, ref, clock=house.clock).repeated
    assert betting.undo(ana.pk, log, ref, clock=house.clock).repeated
    assert lies(house, ana, table) == {("straight_17", None): 15, ("straight_18", None): 10, ("red", None): 20}
    undo(house, ana, table)
    assert lies(house, ana, table) == {("straight_17", None): 5}
    undo(house, ana, table)
    assert lies(house, ana, table) == {} and house.balance(ana) == before
    assert "no stake" in str(house.refused(partial(undo, house, ana, table)).words)
    assert lies(house, rui, table) == {("red", None): 30}


def test_chips_that_were_added_to_one_stake_are_taken_off_it_again(house: House) -> None:
    ana, table = house.player("ana"), open_table(house, game="blackjack")
    seating.sit(ana.pk, table.pk, 3, clock=house.clock)
    main, pair = ("main", 3), ("any_pair", 3)
    house.bet(ana, table, "main", 100, 3)
    lay_together(house, ana, table, ("main", 100), ("any_pair", 100), box=3)
    house.bet(ana, table, "main", 300, 3)
    (stake,) = (one for one in house.round(table).stakes() if one.spot == "main")
    deeds.lower(ana.pk, house.log(table).pk, house.ref(), stake.bet, 100_00, clock=house.clock)
    assert lies(house, ana, table) == {main: 400, pair: 100}
    undo(house, ana, table)
    assert lies(house, ana, table) == {main: 200, pair: 100}, "of the 300 he had taken back 100 himself"
    undo(house, ana, table)
    assert lies(house, ana, table) == {main: 100}
    undo(house, ana, table)
    assert lies(house, ana, table) == {}


def test_what_went_with_another_stake_is_not_taken_back_a_second_time(house: House) -> None:
    ana, table = house.player("ana"), open_table(house, game="stud_poker")
    seating.sit(ana.pk, table.pk, 2, clock=house.clock)
    lay_together(house, ana, table, ("ante", 100), ("jackpot", 25), box=2)
    (ante,) = (one for one in house.round(table).stakes() if one.spot == "ante")
    deeds.withdraw(ana.pk, house.log(table).pk, house.ref(), ante.bet, clock=house.clock)
    house.refused(partial(undo, house, ana, table))
    house.bet(ana, table, "ante", 200, 2)
    house.bet(ana, table, "jackpot", 25, 2)
    undo(house, ana, table)
    assert lies(house, ana, table) == {("ante", 2): 200}
    undo(house, ana, table)
    assert lies(house, ana, table) == {}
    house.refused(partial(undo, house, ana, table))


def test_what_is_carried_and_what_was_moved(house: House) -> None:
    ana, table = house.player("ana"), open_table(house, game="roulette", auto_leave_winners=True)
    house.throw(17)
    house.play_out(table)
    house.until(table, "betting")
    house.bet(ana, table, "straight_17", 10)
    house.play_out(table)
    house.until(table, "betting")
    carried = lies(house, ana, table)
    assert carried
    lay_together(house, ana, table, ("red", 10), ("black", 10))
    (red,) = (one for one in house.round(table).stakes() if one.spot == "red")
    deeds.move(ana.pk, house.log(table).pk, house.ref(), red.bet, "odd", clock=house.clock)
    undo(house, ana, table)
    assert lies(house, ana, table) == carried
    assert "no stake" in str(house.refused(partial(undo, house, ana, table)).words)


STAKES: dict[str, list[tuple[str, int | None]]] = {
    "baccarat": [("player", None)],
    "blackjack": [("main", 1)],
    "stud_poker": [("ante", 1), ("jackpot", 1)],
    "three_card_baccarat": [("place", 1)],
    "roulette": [("red", None)],
    "cussec": [("big", None)],
}


@pytest.mark.parametrize("game", STAKES)
def test_undo_and_clear_are_refused_when_there_is_nothing_to_write(house: House, game: str) -> None:
    """From the bell to the last moment of the result: whatever is answered as done stands in the log."""
    jackpot = open_jackpot("lisboa", "Lisboa", 1_000_000_00, clock=house.clock) if game == "stud_poker" else None
    ana, table = house.player("ana"), house.table(game=game, jackpot=jackpot.slug if jackpot else None)
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    for spot, box in STAKES[game]:
        house.bet(ana, table, spot, 100 if spot != "jackpot" else 25, box)
    log, deeds, phases = house.log(table).pk, (betting.undo, betting.clear), set[str]()
    while RoundLog.objects.get(pk=log).settled_at is None:
        house.step(table)
        if any(isinstance(one, Withdraw) for one in house.round(table).offers(ana.key).actions):
            continue
        for deed in deeds:
            house.refused(partial(deed, ana.pk, log, house.ref(), clock=house.clock))
        phases.add(house.log(table).phase)
    assert "result" in phases or len(phases) >= 2
    assert not LoggedAction.objects.filter(log=log, action__do__in=("withdraw", "lower")).exists()
