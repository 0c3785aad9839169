"""The felt of Stud Poker: what each viewer sees of hands, choices and prizes, what is posted, what stands nowhere."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.utils import translation

from tables.felt.games import FELTS
from tables.felt.page import table_page
from tables.felt.private import PrivatePart, Viewer, private_fragments
from tables.felt.public import public_fragments
from tables.games import GAMES
from tables.games.codec import action_from
from tables.games.contract.actions import CloseBets, Void, VoidReason
from tables.games.contract.errors import Refused
from tables.queries.jackpots import Pool
from tables.queries.table import SeatState, TableState
from tests.extent import spread
from tests.kit import article, view_for
from tests.regulation.stud_kit import Dealing, opened, played, playing

from .kit import fragments_in
from .test_felt_baccarat import NOW, every_fragment_has_its_place, page, whole

ANA = Viewer("p1", "Ana", 9_500_00, 2)
CHEN = Viewer("p2", "陳小明", 9_500_00, 4)
MEI = Viewer("p8", "Mei", 9_800_00)
NOBODY = Viewer()
VIEWERS = {"bettor": ANA, "other bettor": CHEN, "stands": MEI, "watches": NOBODY}
NAMES = {"p1": "Ana", "p2": "陳小明", "p8": "Mei"}
SEATS = {"p1": 2, "p2": 4}
BETS = ("p1 ante 100 box 2", "p1 jackpot 25 box 2", "p2 ante 200 box 4")

FLUSH = "Ah Jh 9h 4h 3h"
PAIR = "8s 8d Qh 6c 2c"
ACE_KING = "Ac Kd 8c 7d 5s"
NOTHING = "Qs Jd 9c 7s 5d"
HANDS = f"{FLUSH} / {PAIR} / {ACE_KING}"


@pytest.fixture(autouse=True)
def english() -> Any:
    with translation.override("en"):
        yield


def at(*lines: str, hands: str = HANDS, steps: int = 0, **given: Any) -> Any:
    """The round after these lines and so many steps more, with Ana at box 2 and 陳小明 at box 4."""
    if not steps:
        return playing(hands, *BETS, *lines, seats=SEATS, **given)
    return Dealing(hands, *BETS, *lines, seats=SEATS, **given).step(steps)


def done(*lines: str, hands: str = HANDS, **given: Any) -> Any:
    return played(hands, *BETS, *lines, seats=SEATS, **given)


def state(round_: Any, **changes: Any) -> TableState:
    seated = {2: SeatState(2, "p1", "Ana"), 4: SeatState(4, "p2", "陳小明", away=True)}
    about: dict[str, Any] = {
        "table_id": 1,
        "slug": "guia",
        "name": "Guia",
        "game": "stud_poker",
        "open": True,
        "options": round_.options,
        "table_version": 5,
        "round_id": 17,
        "round_number": 4,
        "round_version": 9,
        "round": round_,
        "due_at": NOW + timedelta(seconds=12),
        "wait_began_at": NOW - timedelta(seconds=6),
        "now": NOW,
        "seats": tuple(seated.get(number, SeatState(number)) for number in range(1, 8)),
        "names": NAMES,
        "results": (),
        "shoe_number": 3,
        "commitment": "0" * 64,
        "pool": Pool(1, "lisboa", "Lisboa", 1_000_017_50),
    }
    return TableState(**about | changes)


BOTH = ("p1 raise", "p2 raise")

ROUNDS: dict[str, Callable[[], Any]] = {
    "cut": lambda: opened(seats=SEATS, ceremony=True, shuffle_method="manual_shoe"),
    "betting": lambda: opened(*BETS, seats=SEATS),
    "carried": lambda: opened("p1 jackpot 25 box 2 carried", "p2 ante 200 box 4", seats=SEATS),
    "dealing": lambda: at(hands=FLUSH),
    "decide": at,
    "one has decided": lambda: at("p2 raise"),
    "in turn": lambda: at(decision_mode="in_turn"),
    "choices open": lambda: at("p1 raise", "p2 fold"),
    "compared": lambda: at(*BOTH, steps=2),
    "prize": lambda: at(*BOTH, steps=4),
    "settled": lambda: done(*BOTH),
    "not qualified": lambda: done(*BOTH, hands=f"{FLUSH} / {PAIR} / {NOTHING}"),
    "late": lambda: done("p1 raise", "…"),
    "void": lambda: at("p1 raise").apply(Void(reason=VoidReason.MISTAKE)),
    "no ante": lambda: opened(seats=SEATS).apply(CloseBets()).apply(Void(reason=VoidReason.NO_MAIN_STAKE)),
    "exposed": lambda: at(hands=f"{FLUSH} / 8s 8d! Qh 6c 2c / {ACE_KING}"),
}


def public(round_: Any, **changes: Any) -> dict[str, str]:
    return public_fragments(state(round_, **changes))


def private(round_: Any, who: Viewer = ANA) -> dict[str, str]:
    return private_fragments(state(round_), who)


def text_of(html: str) -> str:
    text = unescape(re.sub(r"<[^>]*>", " ", html)).replace(" credits", "")
    return " ".join(text.split())


def faces(html: str) -> list[str]:
    """The cards in it, `""` for each that lies face down."""
    return re.findall(r'data-card="(\w*)"', html)


def sends(html: str) -> list[dict[str, Any]]:
    """What the buttons of a fragment send."""
    return [json.loads(unescape(sent)) for sent in re.findall(r'data-send="([^"]*)"', html)]


# ── Fragments and page ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ROUNDS)
def test_a_fragment_is_one_element_whose_id_is_its_name(name: str) -> None:
    there = state(ROUNDS[name]())
    for who in VIEWERS.values():
        for fragment, html in whole(there, who).items():
            assert list(fragments_in(html)) == [fragment], html[:200]
            assert 'hx-swap-oob="true"' in html[: html.index(">")], f"{fragment} would not be swapped"
            assert not re.search(r"<script|<style|\sstyle=|\son[a-z]+=|javascript:", html), html[:200]


@pytest.mark.parametrize(("name", "viewer"), spread(["betting", "decide", "prize", "void"], list(VIEWERS)))
def test_the_page_has_one_place_for_every_fragment_and_puts_the_pushed_bytes_there(name: str, viewer: str) -> None:
    every_fragment_has_its_place(state(ROUNDS[name]()), VIEWERS[viewer])


@pytest.mark.parametrize("language", ["pt", "zh-hant"])
def test_the_felt_can_be_drawn_in_every_language(language: str) -> None:
    with translation.override(language):
        for name in ROUNDS:
            whole(state(ROUNDS[name]()), ANA)


def test_before_the_first_round_the_felt_has_the_same_places() -> None:
    first = ROUNDS["betting"]()
    empty = state(first, round=None, round_id=None, due_at=None)
    assert set(whole(empty, ANA)) == set(whole(state(first), ANA))


@article("61/2004", "2(1)", "2(2)")
def test_seven_boxes_with_their_two_spots_and_seat_stand_in_the_order_of_the_deal() -> None:
    html = page(state(ROUNDS["betting"]()), ANA)
    assert re.findall(r'data-key="(jackpot|ante)-(\d)"', html) == [
        (spot, str(box)) for box in range(1, 8) for spot in ("jackpot", "ante")
    ]
    assert re.findall(r'class="seat" data-seat="(\d)"', html) == list("1234567")
    assert html.count('data-fixed="2500"') == 7, "the jackpot takes one amount"
    assert re.search(r'<template data-raise-words data-times="2"', html)


def test_each_card_on_the_felt_has_a_place_of_its_own() -> None:
    html = "".join(whole(state(ROUNDS["settled"]()), ANA).values())
    keys = [key for key in re.findall(r'class="card[^"]*"[^>]*data-key="([^"]*)"', html) if key]
    assert len(keys) == len(set(keys)) == 4 * 5


def test_fragments_of_a_viewer_change_only_with_their_key() -> None:
    """The hub draws nothing anew where the key is the same: two states with one key must look alike to a viewer."""
    seen: list[tuple[object, dict[str, str]]] = []
    other_cards = at(hands=f"{PAIR} / {FLUSH} / {ACE_KING}")
    for round_ in (*(ROUNDS[name]() for name in ROUNDS), other_cards, at(*BOTH, steps=1), at(*BOTH, steps=3)):
        for who in (ANA, CHEN, MEI):
            fragments = private(round_, who)
            key = PrivatePart.of(state(round_), who)
            assert all(known == fragments for other, known in seen if other == key)
            seen.append((key, fragments))


# ── Who sees what ───────────────────────────────────────────────────────────────────────────────────────────


def test_five_cards_are_seen_by_their_bettor_alone_as_they_were_dealt_with_their_rank() -> None:
    round_ = at()
    mine = private(round_)["my-cards"]
    assert faces(mine) == FLUSH.split()
    assert "flush" in text_of(mine)
    assert faces(public(round_)["box-2"]) == [""] * 5
    for who in (CHEN, MEI, NOBODY):
        html = "".join(whole(state(round_), who).values())
        assert not set(FLUSH.split()) & set(faces(html))
    assert faces(private(round_, CHEN)["my-cards"]) == PAIR.split()
    assert private(round_, MEI)["my-cards"] == private(round_, NOBODY)["my-cards"]


def test_of_the_dealer_only_the_open_card_is_seen_until_he_turns_them() -> None:
    assert faces(public(at())["cards"]) == ["", "", "", "", "5s"]
    assert faces(public(at(*BOTH, steps=1))["cards"]) == ACE_KING.split()


@pytest.mark.parametrize("viewer", ["other bettor", "watches"])
def test_another_card_in_a_hidden_hand_changes_no_byte(viewer: str) -> None:
    hands = f"9h Jc 9s 4h 3h / {PAIR} / 2d 2s 8c 7d 5s"
    one, other = state(at("p1 raise")), state(at("p1 raise", hands=hands))
    assert whole(one, VIEWERS[viewer]) == whole(other, VIEWERS[viewer])


@article("61/2004", "R17")
@pytest.mark.parametrize("viewer", ["other bettor", "watches"])
def test_that_somebody_has_decided_is_shown_but_not_what(viewer: str) -> None:
    raised, folded = (whole(state(at(f"p1 {choice}")), VIEWERS[viewer]) for choice in ("raise", "fold"))
    assert raised == folded
    assert "has decided" in text_of(raised["box-2"])
    assert "decides" in text_of(raised["box-4"])
    assert "data-stake" not in raised["raise-2"]


def test_when_all_have_decided_the_raises_lie_there_and_folded_boxes_are_cleared() -> None:
    shown = public(at("p1 raise", "p2 fold"))
    assert 'data-stake="raise-2"' in shown["raise-2"]
    assert "200" in text_of(shown["raise-2"])
    assert faces(shown["box-2"]) == [""] * 5
    assert faces(shown["box-4"]) == []
    assert "folds" in text_of(shown["box-4"])
    assert "data-stake" not in shown["raise-4"]


@article("61/2004", "6(6)")
def test_the_sum_at_a_seat_grows_by_the_raise_once_all_may_know_it() -> None:
    asked, decided = public(at("p1 raise")), public(at("p1 raise", "p2 fold"))
    assert "125" in text_of(asked["seat-2"])  # the ante and the jackpot stake: the raise is still a secret (R17)
    assert "325" in text_of(decided["seat-2"])
    assert "200" in text_of(decided["seat-4"])


def test_in_turn_each_decides_before_all() -> None:
    shown = public(ROUNDS["in turn"]())
    assert "Box 2, decision: Ana" in text_of(shown["cards"])
    assert "waits" in text_of(shown["box-4"])
    assert not sends(private(ROUNDS["in turn"](), CHEN)["decision"])
    after = public(at("p1 raise", decision_mode="in_turn"))
    assert 'data-stake="raise-2"' in after["raise-2"]


def test_a_hand_that_is_not_opened_stays_face_down_for_the_others_and_one_that_wins_the_jackpot_does_not() -> None:
    """9(1) and the table "What is shown to whom"."""
    shown = public(ROUNDS["not qualified"]())
    assert faces(shown["box-4"]) == [""] * 5
    assert faces(shown["box-2"]) == FLUSH.split()
    assert faces(private(ROUNDS["not qualified"](), CHEN)["my-cards"]) == PAIR.split()
    folded = done("p1 fold", "p2 raise")
    assert not set(FLUSH.split()) & set(faces("".join(whole(state(folded), CHEN).values())))
    assert "folded" in text_of(private(folded)["my-cards"])
    assert faces(private(folded)["my-cards"]) == FLUSH.split()


def test_a_card_exposed_by_mistake_is_seen_by_all_and_marked() -> None:
    shown = public(ROUNDS["exposed"]())
    assert faces(shown["box-4"]) == ["", "8d", "", "", ""]
    assert 'title="exposed by mistake"' in shown["box-4"]
    assert "art. 11(2)" in shown["result"]


# ── Stakes ──────────────────────────────────────────────────────────────────────────────────────────────────


@article("61/2004", "10(1)")
def test_ante_and_jackpot_stake_are_lit_once_they_have_been_accepted() -> None:
    """10(1)."""
    open_, closed = public(ROUNDS["betting"]()), public(at())
    assert "accepted" not in open_["box-2"]
    assert 'data-ante="accepted"' in closed["box-2"]
    assert 'data-jackpot="accepted"' in closed["box-2"]
    assert "The ante is accepted. The jackpot stake is accepted." in text_of(closed["box-2"])
    assert "data-jackpot" not in closed["box-4"]


def test_a_carried_jackpot_stake_is_shown_as_such() -> None:
    """R14."""
    waits = ROUNDS["carried"]()
    assert "Carried jackpot stake: live with an ante ruling R14" in text_of(public(waits)["box-2"])
    assert 'data-jackpot="waits"' in public(waits)["box-2"]
    assert "carried: live with an ante" in private(waits)["own-jackpot-2"]
    live = opened("p1 jackpot 25 box 2 carried", "p1 ante 100 box 2", seats=SEATS)
    assert "Carried jackpot stake: live ruling R14" in text_of(public(live)["box-2"])


# ── Raise or fold ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ROUNDS)
def test_what_a_button_sends_is_a_deed_that_the_rules_accept(name: str) -> None:
    round_ = ROUNDS[name]()
    for who in (ANA, CHEN, MEI):
        for sent in sends(private(round_, who)["decision"]):
            action = action_from(GAMES["stud_poker"], {"by": who.key, **sent})
            try:
                round_.apply(action)
            except Refused as refusal:
                raise AssertionError(f"{sent} is offered and refused: {refusal}") from None


@article("61/2004", "5(3)", "6(6)")
def test_raise_has_its_cost_on_it_and_both_their_keys_and_the_automatic_decision_is_announced() -> None:
    decision = private(at(), CHEN)["decision"]
    assert sends(decision) == [{"do": "raise"}, {"do": "fold"}]
    assert re.search(r"Raise costs 400 R .*Fold F", text_of(decision))
    assert 'data-needs="40000"' in decision
    assert re.findall(r'aria-keyshortcuts="(\w+)"', decision) == ["R", "F"]
    assert "If the time runs out: Whoever does not raise folds" in text_of(decision)
    assert "data-asks" not in decision, "a pair is folded without a question"
    assert "If the time runs out: Whoever does not raise folds" in text_of(public(at())["cards"])


def test_folding_a_prize_of_the_jackpot_is_asked_once_more() -> None:
    """R8; and nothing else is ever advised (12(1))."""
    decision = private(at())["decision"]
    assert re.search(r"data-asks[^>]*>.*Fold", decision)
    assert "Folding flush loses its prize of the jackpot. ruling R8" in text_of(decision)
    assert [one["do"] for one in sends(decision)] == ["raise", "fold", "fold"]
    hidden = re.findall(r"<(?:p|button)[^>]*data-sure[^>]*>", decision)
    assert len(hidden) == 3
    assert all(part.endswith(" hidden>") for part in hidden)
    unstaked = playing(HANDS, BETS[0], BETS[2], seats=SEATS)
    assert "data-asks" not in private(unstaked)["decision"]


@article("61/2004", "6(4)", "6(7)", "R8")
def test_who_would_leave_or_fold_reads_all_that_goes_with_the_hand() -> None:
    """The ante, and the jackpot stake, or the prize that a flush would win."""
    assert "your ante is lost, and the prize of the jackpot for flush. art. 6(4)" in text_of(private(at())["my-seat"])
    assert "The hand, the ante and the jackpot stake are lost" in text_of(private(at())["decision"])
    poor = text_of(private(at(hands=f"{PAIR} / {FLUSH} / {ACE_KING}"))["my-seat"])
    assert "your ante and your jackpot stake are lost. art. 6(4)" in poor
    assert "Your hand folds at once, and your ante is lost. art. 6(4)" in text_of(private(at(), CHEN)["my-seat"])
    assert "The hand and the ante are lost" in text_of(private(at(), CHEN)["decision"])


def test_why_one_who_has_too_little_may_only_fold_stands_ready() -> None:
    decision = private(at())["decision"]
    assert "Your balance does not cover a raise of 200: you can only fold. art. 6(6)" in text_of(decision)
    assert re.search(r"data-too-little hidden>", decision)


def test_what_one_has_chosen_he_sees_at_once_and_has_no_button_more() -> None:
    for choice, words in (("raise", "You raise"), ("fold", "You fold")):
        decision = private(at(f"p1 {choice}"))["decision"]
        assert f"{words} The others see it when all have decided." == text_of(decision)
        assert not sends(decision)


def test_a_hand_that_was_folded_because_the_time_was_over_is_marked() -> None:
    shown = public(ROUNDS["late"]())
    assert "automatic" in text_of(shown["box-4"])
    assert "automatic" not in text_of(shown["box-2"])
    assert "The time was over: the hand is folded, the ante is lost" in text_of(
        private(ROUNDS["late"](), CHEN)["my-result"]
    )


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────


@article("61/2004", "9(1)", "9(2)", "9(3)")
def test_it_is_said_whether_the_dealer_qualifies() -> None:
    shown = public(ROUNDS["settled"]())
    assert "five odd cards qualifies" in text_of(shown["cards"])
    assert "The dealer qualifies with five odd cards: the hands are compared art. 9(3)" in text_of(shown["result"])
    folded = text_of(public(done("p1 fold", "p2 fold"))["result"])
    assert "The dealer qualifies with five odd cards; no hand is left to compare art. 9(3)" in folded
    shown = public(ROUNDS["not qualified"]())
    assert "does not qualify" in text_of(shown["cards"])
    assert "art. 9(1)" in shown["result"]
    assert text_of(shown["result"]).count("The dealer does not qualify: the raise is returned art. 9(2)") == 1


def test_each_box_says_from_the_first_on_what_decided_it_with_its_article() -> None:
    result = text_of(public(ROUNDS["settled"]())["result"])
    assert "Box 2, Ana +2,325.00 The dealer has five odd cards, lower than flush. art. 9(5)" in result
    assert "The jackpot pays 1,250.00 for flush. art. 10(2)(5)" in result
    assert "Box 4, 陳小明 +600.00 The dealer has five odd cards, lower than one pair. art. 9(5)" in result
    assert result.index("Box 2") < result.index("Box 4") < result.index("before the prizes")


@pytest.mark.parametrize(
    ("hand", "told"),
    [
        (
            "Ks Kd Qh 7c 4d",
            "−325.00 Both have one pair; the dealer has the higher ranks. art. 9(4) The pair decides. art. 8(9)",
        ),
        ("As 3d Qh 7c 4d", "−325.00 The dealer has one pair, higher than five odd cards. art. 9(4) Box 4"),
        ("As Ac 9d 8h 5h", "suit decides for the bettor. art. 9(5) The suit decides. art. 4(1)"),
    ],
)
def test_it_is_said_what_made_one_of_two_hands_the_higher(hand: str, told: str) -> None:
    """8(9), 4(1)."""
    round_ = done(*BOTH, hands=f"{hand} / 9h Jh Th 4h 3h / Ah Ad 9c 8d 5s")
    assert told in text_of(public(round_)["result"])


def test_a_box_is_compared_only_when_its_turn_comes() -> None:
    shown = public(ROUNDS["compared"]())
    assert faces(shown["box-2"]) == FLUSH.split()
    assert faces(shown["box-4"]) == [""] * 5
    assert "+1,075.00" in text_of(shown["box-2"])
    assert 'data-end="won"' in shown["raise-2"]
    assert 'data-end=""' in shown["raise-4"]


def test_a_result_lists_ante_raise_and_jackpot_and_adds_them_up() -> None:
    fragment = private(ROUNDS["settled"]())["my-result"]
    mine = text_of(fragment)
    assert "Ante Returned 200.00: stake 100.00 + winnings 100.00." in mine
    assert (
        "Raise Returned 1,200.00: stake 200.00 + winnings 1,000.00. The raise is paid 5 to 1 for flush art. 9(5)(5)"
        in mine
    )
    assert "Jackpot You win 1,250.00. The jackpot pays 1,250.00 for flush art. 10(2)(5)" in mine
    assert mine.startswith("Jackpot +1,250.00 You win +2,325.00")
    assert 'data-net="232500"' in fragment
    waiting = private(ROUNDS["prize"]())["my-result"]
    assert "data-net" not in waiting, "nothing has been paid yet"


@pytest.mark.parametrize(
    ("carried", "given", "net"),
    [
        ("", ("p1 raise", HANDS), 232_500),
        (" carried", ("p1 raise", HANDS), 235_000),
        ("", ("p1 fold", HANDS), -12_500),
        (" carried", ("p1 fold", HANDS), -10_000),
        ("", ("p1 raise", f"{PAIR} / {FLUSH} / {NOTHING}"), 7_500),
    ],
)
def test_what_a_box_has_won_is_the_same_for_all_and_for_its_bettor(
    carried: str, given: tuple[str, str], net: int
) -> None:
    """The jackpot stake was paid when betting closed; one that is carried was paid in an earlier round."""
    bets = (BETS[0], f"{BETS[1]}{carried}", BETS[2])
    round_ = played(given[1], *bets, given[0], "p2 raise", seats=SEATS)
    assert f'data-net="{net}"' in private(round_)["my-result"]
    lost = "Jackpot 25.00, staked in an earlier round, is lost." in text_of(private(round_)["my-result"])
    assert lost == (bool(carried) and given[0] == "p1 fold")
    amount = f"{'+' if net > 0 else '−'}{abs(net) / 100:,.2f}"
    assert amount in text_of(public(round_)["box-2"])
    assert f"Ana {amount}" in text_of(public(round_)["result"])


@article("61/2004", "10(7)")
def test_who_has_a_royal_flush_reads_that_the_straight_flush_was_paid_before() -> None:
    hands = f"As Ks Qs Js Ts / 9h 8h 7h 6h 5h / {ACE_KING}"
    round_ = played(hands, *BETS, "p2 jackpot 25 box 4", *BOTH, seats=SEATS)
    result = text_of(public(round_)["result"])
    assert "for royal flush, after the straight flush. art. 10(7)" in result
    assert "for straight flush. art. 10(2)(2)" in result


def test_a_jackpot_stake_that_wins_nothing_is_lost_with_its_amount() -> None:
    round_ = played(f"{PAIR} / {ACE_KING}", "p1 ante 100 box 2", "p1 jackpot 25 box 2", "p1 raise", seats=SEATS)
    assert "Jackpot You lose 25.00. Lower than a flush" in text_of(private(round_)["my-result"])


def test_the_cap_is_named_when_it_has_bitten() -> None:
    hands = f"9s 9h 9d 9c 2d / {PAIR} / {ACE_KING}"
    bets = ("p1 ante 10000 box 2", "p2 ante 200 box 4")
    round_ = played(hands, *bets, *BOTH, seats=SEATS, raise_payout_cap=140_000_00)
    mine = text_of(private(round_)["my-result"])
    assert "up to the maximum of 140,000.00 art. 9(5)(7)" in mine
    assert "Raise Returned 160,000.00: stake 20,000.00 + winnings 140,000.00." in mine


def test_the_pool_is_told_before_and_after_its_prizes() -> None:
    result = text_of(public(ROUNDS["settled"]())["result"])
    assert "Jackpot: 1,000,017.50 before the prizes, 998,767.50 after them art. 10(8)" in result
    none = played(f"{PAIR} / {ACE_KING}", "p1 ante 100 box 2", "p1 jackpot 25 box 2", "p1 raise", seats=SEATS)
    assert "before the prizes" not in text_of(public(none)["result"])


def test_a_void_round_gives_antes_and_raises_back_and_keeps_jackpot_stakes() -> None:
    """11(1)."""
    round_ = ROUNDS["void"]()
    assert "Antes and raises are returned; jackpot stakes stay for the next round" in text_of(public(round_)["result"])
    fragment = private(round_)["my-result"]
    mine = text_of(fragment)
    assert "Ante 100.00 is returned." in mine
    assert "Raise 200.00 is returned." in mine
    assert "Jackpot 25.00 stays for the next round." in mine
    assert 'data-net="0"' in fragment
    assert "returned" in text_of(public(round_)["all-ante-2"])
    assert "carried" in text_of(public(round_)["all-jackpot-2"])
    assert faces(public(round_)["cards"]) == ["", "", "", "", "5s"], "what was not turned stays hidden"
    nothing = text_of(public(ROUNDS["no ante"]())["result"])
    assert "Nobody has an ante" in nothing
    assert "returned" not in nothing


@article("61/2004", "11(4)")
def test_what_a_shuffler_that_fails_gives_back_and_carries_is_cited_from_its_item() -> None:
    result = text_of(public(at(hands=FLUSH).apply(Void(reason=VoidReason.MACHINE)))["result"])
    assert "The shuffler has failed: the round is void art. 11(4)" in result
    assert "jackpot stakes stay for the next round art. 11(4)" in result and "11(1)" not in result


def test_what_was_chosen_in_a_void_round_stays_hidden() -> None:
    rounds = [at(f"p1 {choice}").apply(Void(reason=VoidReason.MISTAKE)) for choice in ("raise", "fold")]
    seen = [whole(state(round_), CHEN) for round_ in rounds]
    assert seen[0] == seen[1]


# ── What is posted, and what is not shown ───────────────────────────────────────────────────────────────────


@article("61/2004", "10(3)")
@pytest.mark.parametrize("name", ["betting", "decide", "settled", "void"])
def test_the_fixed_sums_the_cap_and_the_odds_are_always_posted(name: str) -> None:
    """10(3)."""
    posted = text_of(public(ROUNDS[name]())["roads"])
    assert "Royal flush 100 to 1 * 500,000 or 100 %".lower() in posted.lower()
    assert "straight flush 50 to 1 * 50,000 or 10 %" in posted
    assert "four of a kind 20 to 1 * 12,500 full house 7 to 1 2,500 flush 5 to 1 1,250 straight 4 to 1" in posted
    assert "one pair or lower 1 to 1" in posted
    assert "at most 500,000 won on one raise ruling R6" in posted
    old = text_of(public(opened(seats=SEATS, edition="69/2003"))["roads"])
    assert "royal flush 50 to 1" in old


@article("61/2004", "1")
def test_the_meter_of_the_jackpot_stands_on_the_felt() -> None:
    assert "Lisboa 1,000,017.50" in text_of(public(at())["jackpot-meter"])


@article("61/2004", "12(1)")
def test_the_table_keeps_no_results_and_leads_to_none() -> None:
    """12(1): neither a road nor a link; a few words for lists elsewhere."""
    results = ({"qualifies": True, "dealer": "one_pair", "boxes": {"2": "flush"}, "jackpot": {}},)
    assert public(at(), results=results)["roads"] == public(at())["roads"]
    assert FELTS["stud_poker"].road(results) == ""
    assert FELTS["stud_poker"].signs(view_for(at(), None)) == []
    assert FELTS["stud_poker"].result_words(results[0]) == "The dealer qualifies with one pair"
    assert FELTS["stud_poker"].result_words({"qualifies": False}) == "The dealer does not qualify"
    assert FELTS["stud_poker"].result_words({"void": True}) == "Void"


def test_the_chat_rests_from_the_first_card_to_the_last_decision() -> None:
    """12(2)."""
    locked = {name: "data-locked" in public(ROUNDS[name]())["chat-lock"] for name in ROUNDS}
    assert [name for name, rests in locked.items() if rests] == [
        "dealing", "decide", "one has decided", "in turn", "exposed",
    ]  # fmt: skip


def test_the_house_rules_are_in_words_and_say_nothing_twice() -> None:
    rules = {says: chosen for says, chosen, _ in table_page(state(at()), ANA)["house_rules"]}
    assert rules["A royal flush pays on the raise, to 1"] == "100 to 1"
    assert rules["Part of each jackpot stake that goes into the pool"] == "70 per cent"
    assert rules["The jackpot restarts from"] == "500,000"
    assert rules["Shuffled and dealt"] == "by a shuffler"
    assert "Fixed sum for a flush" not in rules
    for method, ordered in (("shuffler", "7(2)"), ("manual_shoe", "7(1)")):
        told = table_page(state(opened(seats=SEATS, shuffle_method=method)), ANA)["house_rules"]
        assert [by for says, _, by in told if says == "Shuffled and dealt"] == [ordered]


# ── What is told ────────────────────────────────────────────────────────────────────────────────────────────


def test_what_a_screen_reader_is_told_in_each_phase() -> None:
    told = {name: text_of(public(ROUNDS[name]())["announcer"]) for name in ROUNDS}
    assert "The dealer shows 5 of spades. All decide at the same time, unseen by the others." in told["decide"]
    assert "Box 4, 陳小明: has decided." in told["one has decided"]
    assert "raises" not in told["one has decided"]
    assert "Box 2, Ana: raises. Box 4, 陳小明: folds." in told["choices open"]
    assert "The dealer has ace of clubs, king of diamonds, " in told["compared"]
    assert "Box 2, Ana: ace of hearts, jack of hearts, 9 of hearts, 4 of hearts, 3 of hearts." in told["compared"]
    assert "Box 2, Ana: The jackpot pays 1,250.00 for flush." in told["prize"]
    assert "Box 2: Jackpot, carried: live with an ante." in told["carried"]
    assert "ace of hearts" not in told["decide"]
