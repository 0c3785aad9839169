"""What a view tells of stakes, limits and payments is what the round says, and what it offers is what is accepted."""

from __future__ import annotations

from collections import Counter
from itertools import cycle
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tables.games import GAMES
from tables.games.contract.actions import Lower, Move, Withdraw
from tables.games.contract.round import Pace, Round
from tests.extent import times
from tests.kit import view_for

from .playing import PEOPLE, Play, is_accepted, plays

law = settings(
    max_examples=times(80, share=4),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
of_every_game = pytest.mark.parametrize("slug", GAMES)
NEWCOMER = "newcomer"


def moments(play: Play) -> list[tuple[Round, str]]:
    """Some rounds of a play, the last of all among them, each with somebody who looks on."""
    some = [*play.rounds[:: 1 + len(play.rounds) // 8], play.last]
    return list(zip(some, cycle(PEOPLE), strict=False))


@of_every_game
@law
@given(data=st.data())
def test_a_view_says_what_the_round_says(slug: str, data: st.DataObject) -> None:
    for round_, who in moments(data.draw(plays(GAMES[slug]))):
        view = view_for(round_, who)
        assert (view.phase, view.void) == (round_.phase, round_.is_void)
        assert (view.stakes, view.refusals) == (round_.stakes(), round_.refusals)
        known = [paid for paid in round_.payouts() if paid in view.payouts]
        assert list(view.payouts) == known
        if round_.over:
            assert view.payouts == round_.payouts()
        mine = view.mine
        assert (mine.who, mine.seat, mine.leaving) == (who, round_.seats.get(who), round_.leaving(who))
        assert mine.refusals == tuple(refusal for refusal in round_.refusals if refusal.by == who)
        assert mine.went_back == tuple(back for back in round_.went_back if back.stake.by == who)
        assert mine.payouts == tuple(paid for paid in view.payouts if paid.by == who)
        assert mine.ready == (who in view.ready)


@of_every_game
@law
@given(data=st.data())
def test_a_bettors_own_stakes_are_theirs_and_say_what_may_be_done_with_them(slug: str, data: st.DataObject) -> None:
    for round_, who in moments(data.draw(plays(GAMES[slug]))):
        view = view_for(round_, who)
        mine = view.mine
        assert [own.stake for own in mine.stakes] == [stake for stake in round_.stakes() if stake.by == who]
        if round_.pace is Pace.BETTING:
            assert mine.staked == sum(round_.in_escrow(who).values())
        elif slug == "blackjack" and round_.over:  # with all that was added
            assert mine.staked == sum(paid.stake for paid in mine.payouts)
        for own in mine.stakes:
            assert own.menu.withdraw == is_accepted(round_, Withdraw(who, own.stake.bet))
            (lies,) = (each for each in view.spots if each.name == own.stake.spot and each.box in (own.stake.box, None))
            above = own.stake.amount - lies.least
            if above > 0:
                assert own.menu.lower == is_accepted(round_, Lower(who, own.stake.bet, above))
            if own.moves or own.boxes:
                assert own.menu.move
            for spot in own.moves:
                assert is_accepted(round_, Move(who, own.stake.bet, spot))
            for box in own.boxes:
                assert is_accepted(round_, Move(who, own.stake.bet, own.stake.spot, box))


@of_every_game
@law
@given(data=st.data())
def test_a_spot_tells_its_limits_and_what_lies_there(slug: str, data: st.DataObject) -> None:
    for round_, who in moments(data.draw(plays(GAMES[slug]))):
        view = view_for(round_, who)
        spots = {(spot.name, spot.box): spot for spot in view.spots}
        assert len(spots) == len(view.spots)
        for name, box in spots:
            about, spot = GAMES[slug].spots[name], spots[name, box]
            assert (spot.title, spot.article, spot.odds) == (about.title, about.article, about.odds)
        for offer in round_.offers(NEWCOMER).bets:
            spot = spots[offer.spot, offer.box if about_boxes(slug, offer.spot) else None]
            assert spot.least == offer.least
            assert spot.most is None or offer.most is None or offer.most <= spot.most
        moves_along = slug == "stud_poker" and any(stake.carried for stake in view.stakes)  # to its bettor's ante (R14)
        if round_.pace is Pace.BETTING and not moves_along:
            totals, bettors = Counter[Any](), dict[Any, set[str]]()
            for stake in view.on_felt:
                where = (stake.spot, stake.box if about_boxes(slug, stake.spot) else None)
                totals[where] += stake.amount
                bettors.setdefault(where, set()).add(stake.by)
            assert {where: spot.total for where, spot in spots.items() if spot.total} == totals
            assert {where: spot.bettors for where, spot in spots.items() if spot.bettors} == {
                where: len(them) for where, them in bettors.items()
            }


def about_boxes(slug: str, spot: str) -> bool:
    return GAMES[slug].spots[spot].boxed
