"""What was refused stays refused, whatever becomes of the round before its copy comes: a message may come twice."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from tables.games.blackjack.phases import Hit, Stand
from tables.games.contract.actions import Action
from tables.games.contract.errors import Refused
from tables.games.values.words import words_from, words_json
from tables.models import LoggedAction, Player, RefusedDeed, Table
from tables.services.money.wallet import InsufficientFunds
from tables.services.pit import holding
from tables.services.players import people
from tables.services.rounds import betting, decisions
from tables.services.rounds.betting import BetRequest
from tables.services.rounds.round_session import Accepted
from tests.floor.pit_kit import member

from . import deeds
from .kit import House
from .test_races import asked


@pytest.fixture
def jade(house: House) -> Table:
    """A table of Baccarat that takes bets."""
    table = house.table(max_bet=50_000)
    house.until(table, "betting")
    return table


@pytest.fixture
def ana(house: House) -> Player:
    return house.player("ana")


def same(one: Refused, other: Refused) -> bool:
    """Whether both are told alike."""
    return (one.article, one.words, one.most) == (other.article, other.words, other.most)


def kept() -> int:
    """How many refusals are kept, over all bettors."""
    return RefusedDeed.objects.exclude(payload="").count()


def lines_of(player: Player) -> int:
    return LoggedAction.objects.filter(by=player.key).count()


def test_a_bet_that_came_while_the_pit_looked_is_not_laid_by_its_copy(house: House, jade: Table, ana: Player) -> None:
    boss = member("pit_boss")
    bet = BetRequest(ana.pk, "ref-00000a", "player", 1_000)
    place = partial(deeds.place, house.log(jade).pk, clock=house.clock)
    holding.freeze(boss, jade.pk, clock=house.clock)
    first = house.refused(partial(place, bet))
    holding.thaw(boss, jade.pk, clock=house.clock)
    assert "The pit is looking" in str(first.words)
    assert same(house.refused(partial(place, bet)), first) and not lines_of(ana)
    assert place(replace(bet, ref="ref-00000b")) == Accepted() and lines_of(ana) == 1
    assert same(house.refused(partial(place, bet)), first), "nor later, when something else was done"


def test_a_bet_that_nobody_could_pay_is_not_laid_once_they_can(house: House, ana: Player) -> None:
    table = house.table()
    house.until(table, "betting")
    house.bet(ana, table, "player", house.balance(ana) // 100)
    bet = BetRequest(ana.pk, "ref-00000a", "tie", 1_000)
    place = partial(deeds.place, house.log(table).pk, bet, clock=house.clock)
    first = house.refused(place)
    assert isinstance(first, InsufficientFunds)
    people.top_up(ana.pk, clock=house.clock)
    assert house.balance(ana) > 1_000
    assert same(house.refused(place), first) and lines_of(ana) == 1


def test_too_much_is_answered_with_the_same_offer_twice(house: House, jade: Table, ana: Player) -> None:
    bet = BetRequest(ana.pk, "ref-00000a", "player", 60_000)
    place = partial(deeds.place, house.log(jade).pk, clock=house.clock)
    first = house.refused(partial(place, bet))
    assert first.most == 50_000 and "%" in first.words.text
    assert same(house.refused(partial(place, bet)), first)
    assert words_from(words_json(first.words)) == first.words


def test_a_decision_that_came_before_its_turn_is_not_taken_by_its_copy(house: House, ana: Player) -> None:
    rui = house.player("rui")
    table = asked(house, (ana,), (rui,))
    log = house.log(table).pk

    def says(player: Player, ref: str, action: Action) -> Accepted:
        return decisions.decide(player.pk, log, ref, action, clock=house.clock)

    early = partial(says, rui, "ref-00000a", Hit(rui.key, box=2))
    first = house.refused(early)
    says(ana, "ref-00000b", Stand(ana.key, box=1))
    lines = lines_of(rui)
    assert same(house.refused(early), first) and lines_of(rui) == lines
    says(rui, "ref-00000c", Hit(rui.key, box=2))
    assert lines_of(rui) == lines + 1
    house.play_out(table)


def test_what_there_was_not_to_take_back_stays_when_it_is_laid_later(house: House, jade: Table, ana: Player) -> None:
    log = house.log(jade).pk
    for ref, back in (("ref-00000a", betting.clear), ("ref-00000b", betting.undo)):
        take_back = partial(back, ana.pk, log, ref, clock=house.clock)
        first = house.refused(take_back)
        house.bet(ana, jade, "player", 10)
        lies = house.round(jade).in_escrow(ana.key)
        assert same(house.refused(take_back), first) and house.round(jade).in_escrow(ana.key) == lies
        betting.clear(ana.pk, log, f"{ref}-new", clock=house.clock)


def test_of_several_bets_in_one_message_each_keeps_its_own_answer(house: House, jade: Table, ana: Player) -> None:
    chips = [("player", 1_000, None), ("banker", 60_000, None), ("tie", 1_000, None)]
    bets = betting.requests_of(ana.pk, "ref-00000a", chips)
    place = partial(betting.place_many, house.log(jade).pk, clock=house.clock)
    accepted, refused, also = place(bets)
    assert (accepted, also) == (Accepted(), Accepted()) and isinstance(refused, Refused)
    again = place([*bets, *bets])
    for one, other in ((again[0], again[1]), (again[3], again[4])):
        assert one == Accepted(repeated=True) and isinstance(other, Refused) and same(other, refused)
    assert lines_of(ana) == 2 and kept() == 1


def test_both_copies_in_one_burst_are_refused_alike(house: House, jade: Table, ana: Player) -> None:
    bet = BetRequest(ana.pk, "ref-00000a", "player", 60_000)
    one, other = betting.place_many(house.log(jade).pk, [bet, bet], clock=house.clock)
    assert isinstance(one, Refused) and isinstance(other, Refused) and same(one, other)
    assert kept() == 1


def test_something_else_under_a_refused_ref_is_told_so(house: House, jade: Table, ana: Player) -> None:
    bet = BetRequest(ana.pk, "ref-00000a", "player", 60_000)
    place = partial(deeds.place, house.log(jade).pk, clock=house.clock)
    house.refused(partial(place, bet))
    assert "Something else was sent" in str(house.refused(partial(place, replace(bet, amount=1_000))).words)
    rui = house.player("rui")
    assert place(replace(bet, player=rui.pk, amount=1_000)) == Accepted(), "the same ref of somebody else is another"


def test_after_so_many_refusals_nothing_more_is_done_for_a_bettor_in_this_round(
    house: House, jade: Table, ana: Player, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.REFUSALS_PER_PLAYER = 3
    place = partial(betting.place_many, house.log(jade).pk, clock=house.clock)
    good = BetRequest(ana.pk, "ref-00000a", "player", 1_000)
    too_much = [replace(good, ref=f"ref-0000{at}z", amount=60_000) for at in range(3)]
    assert place([good, too_much[0]])[0] == Accepted()
    assert isinstance(place(too_much[1:2])[0], Refused)
    last, also = place([too_much[2], replace(good, ref="ref-00000b")])
    assert isinstance(last, Refused) and last.most == 49_000, "the last that is kept has its own reason"
    assert isinstance(also, Refused) and "Too many refusals: after 3" in str(also.words)
    take_back = partial(betting.clear, ana.pk, house.log(jade).pk, clock=house.clock)
    for _ in range(2):
        assert same(house.refused(partial(take_back, "ref-00000c")), also)
    assert kept() == 3, "of what comes then nothing is kept"
    noted = [one.msg for one in caplog.records if one.name == "security" and isinstance(one.msg, dict)]
    assert [(one["event"], one["player"], one["table"], one["round"]) for one in noted] == [
        ("too many refusals of one player", ana.pk, jade.pk, house.log(jade).pk)
    ]
    assert place([good]) == [Accepted(repeated=True)] and lines_of(ana) == 1
    answer = place([too_much[2]])[0]
    assert isinstance(answer, Refused) and same(answer, last)
    rui = house.player("rui")
    assert place([replace(good, player=rui.pk)]) == [Accepted()]
    house.play_out(jade)
    house.until(jade, "betting")
    house.bet(ana, jade, "player", 10)


def test_nothing_is_kept_of_a_round_that_is_over(house: House, jade: Table, ana: Player) -> None:
    log = house.log(jade).pk
    bet = BetRequest(ana.pk, "ref-00000a", "player", 60_000)
    place = partial(deeds.place, log, clock=house.clock)
    house.refused(partial(place, bet))
    place(replace(bet, ref="ref-00000b", amount=1_000))
    assert RefusedDeed.objects.filter(log_id=log).exists()
    house.play_out(jade)
    assert not RefusedDeed.objects.exists()
    house.refused(partial(place, bet))
    house.refused(partial(place, replace(bet, ref="ref-00000c")))
    assert not RefusedDeed.objects.exists()
