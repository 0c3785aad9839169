"""A round of Baccarat at the table (rulebook, 4 to 7): phases, whom it waits for, what each viewer sees."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games import GAMES
from tables.games.baccarat import PassHand, Phase, Turn, Waive
from tables.games.baccarat.coup import Hand
from tables.games.contract.actions import (
    HOUSE,
    Chance,
    CloseBets,
    Cut,
    Decline,
    Draw,
    DrawCard,
    Leave,
    Lower,
    Move,
    PlaceBet,
    Ready,
    Settle,
    Sit,
    Step,
    Void,
    Withdraw,
)
from tables.games.contract.round import Opening, Pace
from tests.kit import Shoe, bet_on, cards, close, finish, opened, options, play, refusal, run, view_for

BACCARAT = GAMES["baccarat"]
PLAYER_WINS = "4s Kc 5d 7h"
TIE = "Ts 4c 6d 2h"


# ── The order of phases (5) ─────────────────────────────────────────────────────────────────────────────────


def test_the_phases_of_a_round_with_everything() -> None:
    table = opened(
        seats={"ana": 1, "rui": 2}, ceremony=True, demo_rounds=1, burn_each_round=1, burn_mode="fixed_n", burn_fixed_n=1
    )
    shoe = Shoe(f"2s {PLAYER_WINS} 9s Ks 3c 2d Th 7s 9h")
    seen = [(table.phase, table.pace)]

    def then(action: Any) -> None:
        nonlocal table
        table = table.apply(action)
        if (table.phase, table.pace) != seen[-1]:
            seen.append((table.phase, table.pace))

    def house() -> None:
        while (due := table.next_house_step()) is not None:
            then(due.action if isinstance(due, Step) else shoe.draw())

    then(Cut("ana", position=100))
    house()
    then(PlaceBet("ana", bet="1", spot="player", amount=10_00))
    then(PlaceBet("rui", bet="2", spot="banker", amount=10_00))
    then(CloseBets())
    house()
    then(Turn("ana", hand=Hand.PLAYER))
    then(Turn("rui", hand=Hand.BANKER))
    house()
    then(Turn("ana", hand=Hand.PLAYER))
    house()
    then(Turn("rui", hand=Hand.BANKER))
    house()
    assert seen == [
        (Phase.CUT, Pace.CUT),
        (Phase.BURN, Pace.BEAT),
        (Phase.DEMO, Pace.BEAT),
        (Phase.BETTING, Pace.BETTING),
        (Phase.ROUND_BURN, Pace.BEAT),
        (Phase.DEAL, Pace.BEAT),
        (Phase.OPEN_PLAYER, Pace.DECISION),
        (Phase.OPEN_BANKER, Pace.DECISION),
        (Phase.PLAYER_THIRD, Pace.BEAT),
        (Phase.PLAYER_THIRD, Pace.DECISION),
        (Phase.BANKER_THIRD, Pace.BEAT),
        (Phase.BANKER_THIRD, Pace.DECISION),
        (Phase.RESULT, Pace.BEAT),
        (Phase.SETTLED, Pace.RESULT),
    ]


def test_without_a_holder_the_dealer_opens_step_by_step() -> None:
    table = close(bet_on(opened(), "ana player 10"))
    shoe = Shoe("Ks 3c 2d Th 8s")
    steps = []
    while (due := table.next_house_step()) is not None:
        assert table.pace is Pace.BEAT
        steps.append(due.action if isinstance(due, Step) else "card")
        table = table.apply(due.action if isinstance(due, Step) else shoe.draw())
    assert steps == [
        *["card"] * 4,
        Turn(HOUSE, hand=Hand.PLAYER),
        Turn(HOUSE, hand=Hand.BANKER),
        "card",
        Turn(HOUSE, hand=Hand.PLAYER),
        Settle(),
    ]
    assert table.next_house_step() is None and table.on_timeout() is None


def test_a_round_that_is_over_takes_nothing_more() -> None:
    for table in (play(PLAYER_WINS, "ana player 10"), opened().apply(Void())):
        assert table.over
        for action in ("ana player 10", Ready("ana"), Leave("ana"), Sit("ana", seat=1)):
            assert refusal(table, action) == "closed"
        for deed in (CloseBets(), Settle(), Void(), DrawCard(card=cards("As")[0]), Turn(HOUSE, hand=Hand.PLAYER)):
            with pytest.raises(AssertionError):
                table.apply(deed)


def test_what_only_the_dealer_does_is_refused_to_everybody_else() -> None:
    table = close(bet_on(opened(seats={"ana": 1}), "ana player 10"))
    for action in (CloseBets("ana"), Settle("ana"), Void("ana"), DrawCard("ana", card=cards("As")[0])):
        assert refusal(table, action) == ""
        assert refusal(opened(), action) == ""


def test_a_house_step_out_of_turn_is_our_mistake() -> None:
    card = DrawCard(card=cards("As")[0])
    for table, action in (
        (opened(), card),
        (opened(), Settle()),
        (opened(), Turn(HOUSE, hand=Hand.PLAYER)),
        (close(opened()), Settle()),
        (close(opened()), CloseBets()),
        (opened(ceremony=True), card),
    ):
        with pytest.raises(AssertionError):
            table.apply(action)


# ── Time ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_clock_of_betting_is_not_set_anew_by_bets() -> None:
    table = opened(seats={"ana": 1})
    waits = {table.wait}
    for action in ("ana player 10", "ana tie 10"):
        table = bet_on(table, action)
        waits.add(table.wait)
    table = table.apply(Withdraw("ana", bet="ana tie")).apply(Ready("ana")).apply(Sit("rui", seat=2))
    assert waits | {table.wait} == {"betting"}
    assert table.on_timeout() == Step(CloseBets())


def test_each_step_of_the_house_has_its_own_wait() -> None:
    table = opened(ceremony=True, demo_rounds=1, burn_each_round=1).apply(Cut(HOUSE, position=1))
    shoe = Shoe("2s 3s 4s 5s 6s 7s 8s 9s " + f"{PLAYER_WINS} Ts " + "Ks 3c 2d Th 7s 9h")
    waits = [table.wait]
    while not table.over:
        due = table.next_house_step() or table.on_timeout()
        table = table.apply(due.action if isinstance(due, Step) else shoe.draw())
        waits.append(table.wait)
    assert len(set(waits)) == len(waits)


def test_each_one_who_is_offered_the_cut_has_his_own_time() -> None:
    table = opened(seats={"ana": 1, "rui": 2}, ceremony=True)
    assert table.pace is Pace.CUT
    waits = [table.wait]
    for who in ("ana", "rui"):
        table = table.apply(Decline(who))
        waits.append(table.wait)
    assert len(set(waits)) == 3
    assert table.pace is Pace.BEAT


def test_betting_closes_early_when_everybody_seated_or_betting_is_ready() -> None:
    table = opened(seats={"ana": 1, "rui": 2})
    assert not table.closes_early
    table = bet_on(table, "lee player 10").apply(Ready("ana")).apply(Ready("rui"))
    assert not table.closes_early
    table = table.apply(Ready("lee"))
    assert table.closes_early
    assert not bet_on(table, "rui tie 10").closes_early, "who bets again is not ready any more"
    assert not table.apply(Sit("eva", seat=3)).closes_early
    assert table.apply(Leave("rui")).closes_early
    for action in (
        Withdraw("lee", bet="lee player"),
        Lower("lee", bet="lee player", amount=1_00),
        Move("lee", bet="lee player", spot="tie"),
    ):
        assert "lee" not in table.apply(action).ready


def test_nobody_is_not_everybody() -> None:
    assert not opened().closes_early
    assert not close(opened()).closes_early


def test_the_published_automatic_decisions() -> None:
    table = opened(seats={"ana": 1}, ceremony=True)
    assert table.default_for("ana") == Decline("ana")
    assert table.on_timeout() == Draw(Chance.CUT)
    waiting = run(close(bet_on(opened(seats={"ana": 1}), "ana player 10")), Shoe(PLAYER_WINS))
    assert waiting.default_for("ana") == Turn(HOUSE, hand=Hand.PLAYER)
    assert waiting.default_for("rui") is None
    assert waiting.on_timeout() == Step(Turn(HOUSE, hand=Hand.PLAYER))


# ── Betting (4.2) ───────────────────────────────────────────────────────────────────────────────────────────


def test_fresh_bets_are_placed_raised_lowered_moved_and_withdrawn_freely() -> None:
    table = bet_on(opened(), "ana player 100", "ana player 50 as raise")
    table = table.apply(Lower("ana", bet="ana player", amount=40_00)).apply(Move("ana", bet="raise", spot="tie"))
    assert table.in_escrow() == {"ana player": 60_00, "raise": 50_00}
    assert [stake.spot for stake in table.stakes()] == ["player", "tie"]
    assert table.apply(Withdraw("ana", bet="raise")).in_escrow() == {"ana player": 60_00}


def test_nobody_touches_anothers_stake_nor_one_that_is_not_there() -> None:
    table = bet_on(opened(), "ana player 100")
    for who, laid in (("rui", "ana player"), ("ana", "nothing")):
        assert refusal(table, Withdraw(who, bet=laid)) == ""
        assert refusal(table, Lower(who, bet=laid, amount=1_00)) == ""
        assert refusal(table, Move(who, bet=laid, spot="tie")) == ""


def test_a_moved_stake_is_a_bet_like_any_other_where_it_lies_now() -> None:
    table = bet_on(opened(min_bet=50_00, pairs_enabled=False), "ana player 75")
    assert refusal(table, Move("ana", bet="ana player", spot="banker")) == "note 1"
    assert refusal(table, Move("ana", bet="ana player", spot="player_pair")) == "13"
    assert refusal(table, Move("ana", bet="ana player", spot="hand")) == "13"
    assert refusal(table, Move("ana", bet="ana player", spot="player")) == ""


def test_a_move_across_counts_twice_in_the_difference() -> None:
    table = bet_on(opened(imbalance_limit=100_00), "ana player 100", "rui banker 100")
    assert refusal(table, Move("ana", bet="ana player", spot="banker")) == "14"
    lopsided = opened("ana player 300", imbalance_limit=100_00)
    moved = lopsided.apply(Move("ana", bet="ana player", spot="banker"))
    assert moved.layout.total("banker") == 300_00, "the difference is no larger than before"


def test_leaving_the_two_sides_is_not_refused_but_trimmed_at_closing() -> None:
    table = bet_on(opened(imbalance_limit=100_00), "ana player 100 as p", "rui banker 200")
    table = table.apply(Move("ana", bet="p", spot="tie"))
    assert close(table).in_escrow() == {"rui banker": 100_00, "p": 100_00}


def test_a_bet_id_is_used_once() -> None:
    with pytest.raises(AssertionError):
        bet_on(opened(), "ana player 100", "ana player 100")


def test_what_is_held_and_what_is_paid_agree() -> None:
    table = bet_on(opened("rui banker 50"), "ana player 100", "ana tie 10")
    assert table.in_escrow("ana") == {"ana player": 100_00, "ana tie": 10_00}
    assert table.in_escrow() == {"rui banker": 50_00, "ana player": 100_00, "ana tie": 10_00}
    assert table.payouts() == () and table.carried() == ()
    tied = finish(table, TIE)
    assert tied.in_escrow() == {"rui banker": 50_00, "ana player": 100_00}
    assert tied.in_escrow("ana") == {"ana player": 100_00}


# ── Who sees what (5, 6) ────────────────────────────────────────────────────────────────────────────────────


def faces(table: Any, who: str | None) -> str:
    """The cards as this viewer sees them, `--` for a back; Player | Banker."""
    player, banker = (
        " ".join(str(card.face) if card.face else "--" for card in hand.cards) for hand in view_for(table, who).hands
    )
    return f"{player} | {banker}"


def test_the_holder_sees_his_cards_and_nobody_else_does_until_he_turns_them() -> None:
    table = close(bet_on(opened(seats={"ana": 1, "rui": 2}), "ana player 10", "rui banker 10", "lee player 500"))
    shoe = Shoe("Ks 3c 2d Th 8s")
    for _ in range(3):
        table = table.apply(shoe.draw())
        assert all(card.face is None for hand in view_for(table, "ana").hands for card in hand.cards), (
            "not while dealing"
        )
    table = table.apply(shoe.draw())
    assert faces(table, "ana") == "Ks 2d | -- --"
    assert faces(table, "rui") == "-- -- | 3c Th"
    for who in ("lee", "eva", None):
        assert faces(table, who) == "-- -- | -- --"
    assert view_for(table, "ana").player.total == 2
    assert view_for(table, None).player.total is None
    table = table.apply(Turn("ana", hand=Hand.PLAYER))
    assert faces(table, None) == "Ks 2d | -- --"
    table = run(table.apply(Turn("rui", hand=Hand.BANKER)), shoe)
    assert faces(table, None) == "Ks 2d -- | 3c Th"
    assert faces(table, "ana") == "Ks 2d 8s | 3c Th"
    assert view_for(table, None).banker.note is None, "it would tell what the third card is"
    assert view_for(table, None).player.note.article == "9(1)"
    table = table.apply(Turn("ana", hand=Hand.PLAYER))
    assert faces(table, None) == "Ks 2d 8s | 3c Th"
    assert str(view_for(table, None).banker.note.words) == "The Banker stands on 3 against an 8"


def test_the_holder_is_told_what_he_may_do() -> None:
    table = run(
        close(bet_on(opened(seats={"ana": 1, "rui": 2}), "ana player 10", "rui player 5", "ana banker 10")),
        Shoe(PLAYER_WINS),
    )
    mine = view_for(table, "ana").mine
    assert mine.holds == (Hand.PLAYER, Hand.BANKER)
    assert mine.may_turn is Hand.PLAYER
    assert mine.may_pass_to == ((Hand.PLAYER, ("rui",)), (Hand.BANKER, ()))
    assert mine.may_waive == (Hand.PLAYER, Hand.BANKER)
    assert set(table.offers("ana").actions) == {
        Turn("ana", hand=Hand.PLAYER),
        Waive("ana", hand=Hand.PLAYER),
        PassHand("ana", hand=Hand.PLAYER, to="rui"),
        Waive("ana", hand=Hand.BANKER),
    }
    assert view_for(table, "rui").mine.may_turn is None


def test_everybody_sees_everybodys_stakes_and_the_totals() -> None:
    table = bet_on(opened(seats={"ana": 1}), "ana player 10 box 1", "lee player 20", "lee tie 5")
    for who in (None, "ana", "eva"):
        view = view_for(table, who)
        assert [(stake.by, stake.spot, stake.amount, stake.box) for stake in view.stakes] == [
            ("ana", "player", 10_00, 1),
            ("lee", "player", 20_00, None),
            ("lee", "tie", 5_00, None),
        ]
        assert {spot.name: (spot.total, spot.bettors) for spot in view.spots if spot.total} == {
            "player": (30_00, 2),
            "tie": (5_00, 1),
        }


def test_the_view_says_how_each_spot_ended_and_what_was_paid() -> None:
    view = view_for(
        play(TIE, "ana player 10", "ana tie 10", "lee player_pair 5", "lee tie 5", "rui banker_pair 10"), "ana"
    )
    assert {spot.name: str(spot.end) for spot in view.spots} == {
        "player": "push",
        "banker": "push",
        "tie": "won",
        "player_pair": "lost",
        "banker_pair": "lost",
    }
    assert (view.outcome.winner, view.outcome.player, view.outcome.banker) == ("tie", 6, 6)
    assert view.outcome.why.article == "12"
    assert [(payout.bet, payout.returned, payout.carried) for payout in view.mine.payouts] == [
        ("ana player", 0, 10_00),
        ("ana tie", 90_00, 0),
    ]
    assert [refused.bet for refused in view.refusals] == ["rui banker_pair"]
    assert view.mine.refusals == ()


def test_the_cut_is_seen_to_be_made_and_by_whom_but_not_where() -> None:
    table = opened(seats={"ana": 1}, ceremony=True)
    assert view_for(table, None).cut.offered_to == ("ana",)
    assert view_for(table, "ana").mine.cut == (1, 8 * 52 - 1)
    assert view_for(table, "rui").mine.cut is None
    here, there = (view_for(table.apply(Cut("ana", position=position)), None) for position in (10, 400))
    assert here == there
    assert (here.cut.offered_to, here.cut.by) == ((), "ana")


def test_no_result_is_shown_before_all_cards_lie_open() -> None:
    table = close(bet_on(opened(seats={"ana": 1}), "ana player 10"))
    table = run(table, Shoe(PLAYER_WINS))
    assert view_for(table, "ana").outcome is None
    assert view_for(table, "ana").payouts == ()
    assert {spot.end for spot in view_for(table, "ana").spots} == {None}
    with pytest.raises(AssertionError):
        table.result()


def test_who_waits_to_be_carried_over_is_shown_as_carried() -> None:
    tied = play(TIE, "ana player 10")
    following = BACCARAT.opened(options(), Opening(carried=tied.carried()))
    (stake,) = view_for(following, None).stakes
    assert stake.carried
    (own,) = view_for(following, "ana").mine.stakes
    assert (own.menu.withdraw, own.menu.lower, own.menu.move, own.moves) == (True, True, True, ("banker",))
    stuck = view_for(
        BACCARAT.opened(options(tie_policy="no_move"), Opening(carried=tied.carried())), "ana"
    ).mine.stakes[0]
    assert (stuck.menu.withdraw, stuck.menu.lower, stuck.menu.move, stuck.moves) == (False, False, False, ())
