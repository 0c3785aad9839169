"""The felt of Blackjack: what each viewer sees of boxes, hands and decisions, and what never stands in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.utils import translation

from tables.felt.games import FELTS
from tables.felt.page import table_page
from tables.felt.private import PrivatePart, Viewer, private_fragments
from tables.felt.public import public_fragments
from tables.games import GAMES
from tables.games.blackjack.phases import Follow
from tables.games.codec import action_from
from tables.games.contract.errors import Refused
from tables.queries.table import SeatState, TableState
from tests.extent import spread
from tests.kit import article, view_for
from tests.regulation.blackjack_kit import opened, played, playing

from .kit import fragments_in
from .test_felt_baccarat import every_fragment_has_its_place, page, whole

ANA = Viewer("p1", "Ana", 9_500_00, 2)
CHEN = Viewer("p2", "陳小明", 9_500_00, 4)
MEI = Viewer("p8", "Mei", 9_800_00)
NOBODY = Viewer()
VIEWERS = {"decides": ANA, "on another box": CHEN, "stands behind": MEI, "watches": NOBODY}
NAMES = {"p1": "Ana", "p2": "陳小明", "p8": "Mei"}
SEATS = {"p1": 2, "p2": 4}
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
BETS = ("p1 main 100 box 2", "p8 main 50 box 2", "p2 main 200 box 4", "p1 any_pair 10 box 2")


@pytest.fixture(autouse=True)
def english() -> Any:
    with translation.override("en"):
        yield


def at(shoe: str, *lines: str | Follow, **given: Any) -> Any:
    """The round after these lines, with Ana seated at box 2, Mei behind her, and 陳小明 at box 4."""
    return playing(shoe, *BETS, *lines, seats=SEATS, **given)


def done(shoe: str, *lines: str, **given: Any) -> Any:
    return played(shoe, *BETS, *lines, seats=SEATS, **given)


def state(round_: Any, *, results: tuple[dict[str, Any], ...] = (), **changes: Any) -> TableState:
    seated = {2: SeatState(2, "p1", "Ana"), 4: SeatState(4, "p2", "陳小明", away=True)}
    options = round_.options
    about: dict[str, Any] = {
        "table_id": 1,
        "slug": "peninsula",
        "name": "Peninsula",
        "game": "blackjack",
        "open": True,
        "options": options,
        "table_version": 5,
        "round_id": 17,
        "round_number": 4,
        "round_version": 9,
        "round": round_,
        "due_at": NOW + timedelta(seconds=12),
        "wait_began_at": NOW - timedelta(seconds=6),
        "now": NOW,
        "seats": tuple(seated.get(number, SeatState(number)) for number in range(1, options.seats + 1)),
        "names": NAMES,
        "results": results,
        "shoe_number": 3,
        "commitment": "0" * 64,
    }
    return TableState(**about | changes)


PAIR = "8s Td 9d 8h Kc"
"""Box 2 has two eights, the bank a nine, box 4 a ten and a king."""

FACE_DOWN: dict[str, Any] = {"dealing_device": "metal_box", "decks": 1, "deal_procedure": 1}

ROUNDS: dict[str, Callable[[], Any]] = {
    "cut": lambda: opened(seats=SEATS, ceremony=True),
    "betting": lambda: opened(*BETS, seats=SEATS),
    "early, an ace": lambda: at("8s Td Ad 8h Kc", insurance_max_fraction="1"),
    "early, a nine": lambda: at(PAIR),
    "split": lambda: at(PAIR, "…", "p1 split 2"),
    "split again": lambda: at(PAIR + " 8d", "…", "p1 split 2", "p8 match 2", "p1 split 2", "p8 pass 2"),
    "double": lambda: at("6s Td 9d 5h Kc", "…", "p1 double 2"),
    "claim": lambda: at("2s Td 9d 3h Kc 4s 2h 3d", "…", "p1 hit 2", "p1 hit 2", "p1 hit 2"),
    "face down": lambda: at("6s Td 9d 5h Kc 7c", "…", **FACE_DOWN),
    "bust": lambda: at("6s Td 9d Th Kc 9s", "…", "p1 hit 2"),
    "prize": lambda: at("6s Td 9d 8s Kc 7s", "…", "p1 hit 2"),
    "settled": lambda: done("6s Td 9d 5h Kc 9s Tc", "…", "p1 double 2", "p8 match 2", "p2 stand 4"),
    "four bets": lambda: opened("p1 main 10 box 1", "p8 over_13 5 box 1", "p8 main 5 box 1", seats=SEATS),
}

LAYOUTS: dict[str, Callable[[], Any]] = {
    **ROUNDS,
    "eight boxes, no side bets": lambda: opened(*BETS[:3], seats=SEATS, boxes=8, side_bets_offered=[]),
}


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def sends(html: str) -> list[dict[str, Any]]:
    """What the buttons of a fragment send."""
    return [json.loads(unescape(sent)) for sent in re.findall(r'data-send="([^"]*)"', html)]


# ── Fragments and page ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_fragment_is_one_element_whose_id_is_its_name(name: str, viewer: str) -> None:
    for fragment, html in whole(state(LAYOUTS[name]()), VIEWERS[viewer]).items():
        assert list(fragments_in(html)) == [fragment], html[:200]
        assert 'hx-swap-oob="true"' in html[: html.index(">")], f"{fragment} would not be swapped"
        assert not re.search(r"<script|<style|\sstyle=|\son[a-z]+=|javascript:", html), html[:200]


@pytest.mark.parametrize(("name", "viewer"), spread(list(LAYOUTS), list(VIEWERS)))
def test_the_page_has_one_place_for_every_fragment_and_puts_the_pushed_bytes_there(name: str, viewer: str) -> None:
    every_fragment_has_its_place(state(LAYOUTS[name]()), VIEWERS[viewer])


@pytest.mark.parametrize("language", ["pt", "zh-hant"])
def test_the_felt_can_be_drawn_in_every_language(language: str) -> None:
    with translation.override(language):
        for name in ROUNDS:
            whole(state(ROUNDS[name]()), ANA)


def test_before_the_first_round_the_felt_has_the_same_places() -> None:
    first = ROUNDS["betting"]()
    empty = state(first, round=None, round_id=None, due_at=None)
    assert set(whole(empty, ANA)) == set(whole(state(first), ANA))


@article("56/2004", "3(1)")
def test_every_box_has_its_spots_and_its_seat_under_keys_of_their_own() -> None:
    there = state(ROUNDS["betting"]())
    html = page(there, ANA)
    keys = re.findall(r'data-spot="(\w+)" data-box="(\d)" data-key="([\w-]+)"', html)
    assert len(keys) == 7 * 5
    assert all(key == f"{spot}-{box}" for spot, box, key in keys)
    assert len(re.findall(r'class="seat" data-seat="\d"', html)) == 7


def test_each_card_on_the_felt_has_a_place_of_its_own() -> None:
    """Else it could not be seen where a card has come from."""
    for name in ("split again", "face down", "settled"):
        there = state(ROUNDS[name]())
        html = "".join(whole(there, ANA).values())
        keys = [key for key in re.findall(r'class="card[^"]*"[^>]*data-key="([^"]*)"', html) if key]
        assert keys
        assert len(keys) == len(set(keys))
        assert there.round is not None
        cards = sum(len(hand.cards) for box in view_for(there.round, "p1").boxes for hand in box.hands)
        assert len([key for key in keys if key.startswith("box")]) == cards


def test_fragments_of_a_viewer_change_only_with_their_key() -> None:
    """The hub draws nothing anew where the key is the same: two states with one key must look alike to a viewer."""
    seen: list[tuple[object, dict[str, str]]] = []
    more = ("p1 hit 2", "p1 stand 2", "p2 hit 4", "p2 stand 4")
    rounds = [ROUNDS[name]() for name in ROUNDS]
    rounds += [at("6s 2d 9d 5h 3c 2s 4h", "…", *more[:length]) for length in range(5)]
    rounds += [at("6s 2d 9d 5h 3c 2s 2h 4h", "…", *more[:length], **FACE_DOWN) for length in range(5)]
    for round_ in rounds:
        for who in (ANA, CHEN, MEI):
            fragments = private_fragments(state(round_), who)
            key = PrivatePart.of(state(round_), who)
            assert all(known == fragments for other, known in seen if other == key)
            seen.append((key, fragments))


# ── Who sees what ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("viewer", ["on another box", "watches"])
def test_a_card_face_down_that_is_swapped_changes_no_byte_for_whoever_may_not_see_it(viewer: str) -> None:
    """Procedure 1: the first two cards of box 2, and the bank's second from the metal box."""
    one = state(at("6s Td 9d 5h Kc 7c", "…", **FACE_DOWN))
    other = state(at("2s Td 9d 3h Kc Ac", "…", **FACE_DOWN))
    assert whole(one, VIEWERS[viewer]) == whole(other, VIEWERS[viewer])


def test_the_bettors_of_a_box_see_its_cards_in_private_and_nobody_else_does() -> None:
    there = state(ROUNDS["face down"]())
    for who in (ANA, MEI):
        mine = private_fragments(there, who)["my-cards"]
        assert 'data-card="6s"' in mine
        assert 'data-card="5h"' in mine
        assert "Box 2: 11" in text_of(mine)
    elsewhere = "".join([*public_fragments(there).values(), *private_fragments(there, CHEN).values()])
    for card in ("6s", "5h", "7c"):
        assert f'data-card="{card}"' not in elsewhere


def test_the_burnt_lie_in_a_pile_face_down() -> None:
    cards = public_fragments(state(opened(seats=SEATS, ceremony=False)))["cards"]
    assert "burnt-" not in cards
    round_ = at(PAIR.replace("8s", "2c 8s", 1), round_burn="each_following_round")
    cards = public_fragments(state(round_))["cards"]
    assert cards.count('data-key="burnt-') == 1
    assert "2c" not in cards


# ── Boxes and hands ─────────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "20(1)(2)")
def test_a_box_names_its_bettors_their_stakes_and_who_decides_and_why() -> None:
    box = public_fragments(state(ROUNDS["betting"]()))["box-2"]
    assert re.search(r"Ana.*100.*Mei.*50", text_of(box))
    assert "Decision: Ana" in text_of(box)
    assert "art. 20(1)(2)" in box
    assert 'title="' in box


def test_hands_that_were_split_lie_side_by_side_with_each_bettors_stake() -> None:
    box = public_fragments(state(ROUNDS["split again"]()))["box-2"]
    assert 'class="hands hands--3"' in box
    first, second, third = box.split("<section")[1:]
    assert "Mei" in first
    assert "Mei" in box
    assert "is-acts" in first or "is-draws" in first
    assert "Ana" in second
    assert "Ana" in third


def test_soft_and_hard_totals_are_told_apart() -> None:
    soft = public_fragments(state(at("As Td 9d 6h Kc")))["box-2"]
    assert "soft 17" in text_of(soft)
    assert "is-soft" in soft
    hard = public_fragments(state(at("Ts Td 9d 7h Kc")))["box-2"]
    assert "soft" not in text_of(hard)


@article("56/2004", "17(1)")
def test_the_one_card_after_a_double_lies_sideways() -> None:
    box = public_fragments(state(ROUNDS["settled"]()))["box-2"]
    assert box.count("slot--sideways") == 1
    assert "doubled" in text_of(box)


@article("56/2004", "15")
def test_a_prize_is_shown_at_its_hand_with_what_it_pays() -> None:
    box = public_fragments(state(ROUNDS["prize"]()))["box-2"]
    assert "hand__prize" in box
    assert "3 to 1" in text_of(box)
    assert 'data-end="won"' in box


@article("56/2004", "6(2)")
def test_a_hand_over_21_has_lost_at_once() -> None:
    box = public_fragments(state(ROUNDS["bust"]()))["box-2"]
    assert "over 21" in text_of(box)
    assert box.count('data-end="lost"') == 2


def test_a_hand_that_stood_because_the_time_was_over_is_marked() -> None:
    box = public_fragments(state(at(PAIR, "…", "…")))["box-2"]
    assert "automatic" in text_of(box)


# ── The decision ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ROUNDS)
@pytest.mark.parametrize("viewer", ["decides", "on another box", "stands behind"])
def test_what_a_button_sends_is_a_deed_that_the_rules_accept(name: str, viewer: str) -> None:
    round_, who = ROUNDS[name](), VIEWERS[viewer]
    for sent in sends(private_fragments(state(round_), who)["decision"]):
        if sent["do"] == "decline":
            continue
        action = action_from(GAMES["blackjack"], {"by": who.key, **sent})
        try:
            round_.apply(action)
        except Refused as refusal:
            raise AssertionError(f"{sent} is offered and refused: {refusal}") from None


def test_the_decider_has_a_button_with_its_cost_and_key_for_all_that_the_rules_offer() -> None:
    there = state(at(PAIR, "…"))
    decision = private_fragments(there, ANA)["decision"]
    assert {one["do"] for one in sends(decision)} == {"hit", "stand", "double", "split"}
    assert re.search(r"Double.*100.*Split.*100", text_of(decision))
    assert re.findall(r'aria-keyshortcuts="(\w+)"', decision) == ["H", "S", "D", "P"]
    assert "Box 2: 16 against 9" in text_of(decision)
    for who in (CHEN, MEI):
        assert not sends(private_fragments(there, who)["decision"])


def test_the_automatic_decision_is_announced_to_all_before_it_is_taken() -> None:
    there = state(at(PAIR, "…"))
    assert "If the time runs out: The hand stands" in text_of(public_fragments(there)["cards"])
    assert "If the time runs out" in text_of(private_fragments(there, ANA)["decision"])


def test_whoever_stands_behind_reads_what_becomes_of_him_before_he_follows_or_not() -> None:
    for name, words in (("split", "stays on the first hand"), ("double", "single stake")):
        there = state(ROUNDS[name]())
        decision = private_fragments(there, MEI)["decision"]
        assert [one["do"] for one in sends(decision)] == ["match", "pass"]
        assert words in text_of(decision)
        assert "50" in text_of(decision)
        assert not sends(private_fragments(there, ANA)["decision"])


@article("56/2004", "12(1)", "R21")
def test_insurance_has_its_range_and_a_way_to_say_no() -> None:
    decision = private_fragments(state(ROUNDS["early, an ace"]()), ANA)["decision"]
    assert 'data-least="5000" data-most="10000"' in decision
    assert "data-chosen" in decision
    assert [one["do"] for one in sends(decision)] == ["insurance", "ready"]
    half = private_fragments(state(at("8s Td Ad 8h Kc")), ANA)["decision"]
    assert "data-chosen" not in half, "there is nothing to choose between half and half"


def test_what_a_bettor_follows_by_himself_is_known_to_his_page() -> None:
    round_ = at(PAIR, Follow("p8", doubles=True, claims=True))
    assert 'data-follows="doubles claims"' in private_fragments(state(round_), MEI)["decision"]
    assert 'data-follows=""' in private_fragments(state(round_), ANA)["decision"]


def test_no_key_of_a_decision_stands_twice() -> None:
    for name in ROUNDS:
        for who in (ANA, CHEN, MEI):
            keys = re.findall(r'aria-keyshortcuts="(\w+)"', private_fragments(state(ROUNDS[name]()), who)["decision"])
            assert len(keys) == len(set(keys))


# ── What is told ────────────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "7(1)")
def test_the_totals_are_announced_when_a_turn_begins_and_when_it_has_ended() -> None:
    """Articles 6(5) and 7(1)."""
    said = public_fragments(state(at("As Td 9d 6h Kc", "…")))["announcer"]
    assert "Box 2: ace of spades, 6 of hearts; points: soft 17." in said
    assert "Box 2, decision: Ana." in said
    said = public_fragments(state(at("As Td 9d 6h Kc", "…", "p1 stand 2")))["announcer"]
    assert "Box 2: ace of spades, 6 of hearts; points: soft 17." in said
    assert "Box 4: 10 of diamonds, king of clubs; points: 20." in said
    said = public_fragments(state(ROUNDS["settled"]()))["announcer"]
    assert "Bank: 9 of diamonds, 10 of clubs; points: 19." in said


@article("56/2004", "R26")
def test_no_total_is_announced_of_cards_that_lie_face_down() -> None:
    """Ruling R26."""
    said = public_fragments(state(ROUNDS["face down"]()))["announcer"]
    assert "Box 2: a card face down, a card face down." in said
    assert "points: 11" not in said


def test_a_result_says_for_each_stake_what_it_brought_and_by_which_article() -> None:
    mine = text_of(private_fragments(state(ROUNDS["settled"]()), ANA)["my-result"])
    assert "Main bet, box 2 Returned 400.00: stake 200.00 + winnings 200.00." in mine
    assert "art. 9" in mine
    assert "Any pair, box 2 You lose 10.00." in mine
    assert "You win +190.00" in mine.replace(" credits", "").replace("  ", " ")


def test_what_is_paid_in_mid_round_is_told_without_a_sum_of_the_round() -> None:
    fragment = private_fragments(state(ROUNDS["prize"]()), ANA)["my-result"]
    assert "Special prize, box 2" in text_of(fragment)
    assert "data-net" not in fragment


def test_an_insurance_is_called_so_in_the_result() -> None:
    round_ = done("Ks Td Ad 7h Kc Qs", "p1 insurance 2 50", "p8 ready", "p2 ready", "p1 stand 2", "p2 stand 4")
    mine = text_of(private_fragments(state(round_), ANA)["my-result"])
    assert "Insurance, box 2 Returned 150.00: stake 50.00 + winnings 100.00." in mine


# ── The last totals ─────────────────────────────────────────────────────────────────────────────────────────


def result(total: int, cards: int = 2, blackjack_: bool = False) -> dict[str, Any]:
    return {"bank": ["9d"] * cards, "bank_total": total, "bank_blackjack": blackjack_, "boxes": {}}


def test_the_banks_last_totals_are_written_column_by_column_and_told() -> None:
    results = (result(17), result(24, 3), result(21, blackjack_=True), result(9, 1), *[result(20)] * 3)
    roads = public_fragments(state(ROUNDS["betting"](), results=results))["roads"]
    assert re.findall(r"<text[^>]*>([^<]*)</text>", roads) == ["17", "24", "BJ", "–", "20", "20", "20"]
    assert "the newest last: 17, 24, blackjack, no second card, 20, 20, 20." in roads
    assert 'viewBox="0 0 40 120"' in roads


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ({"void": True}, "Void"),
        (result(18), "The bank has 18"),
        (result(25, 4), "The bank is over 21, with 25"),
        (result(21, blackjack_=True), "The bank has a blackjack"),
        (result(9, 1), "The bank took no second card"),
    ],
)
def test_a_result_in_a_few_words(outcome: dict[str, Any], words: str) -> None:
    assert FELTS["blackjack"].result_words(outcome) == words


def test_the_house_rules_name_no_option_that_means_nothing_at_the_table() -> None:
    said = {says for says, _, _ in table_page(state(ROUNDS["face down"]()), ANA)["house_rules"]}
    assert "Cards burnt in each round" not in said
    assert "Cards behind the second white card" not in said
    rules = {says: chosen for says, chosen, _ in table_page(state(ROUNDS["betting"]()), ANA)["house_rules"]}
    assert rules["Side bets"] == "any pair, sevens, over and under 13"
    assert rules["The highest insurance, as a part of the stake"] == "½"


def test_a_stake_of_which_half_comes_back_is_not_shown_as_lost() -> None:
    """Of a double against a blackjack only the original stake is lost (10(7))."""
    deal = ("6s Tc Ad 5h Kc 9s Kd", "…", "p1 double 2", "p8 match 2", "p2 stand 4")
    box = public_fragments(state(done(*deal)))["box-2"]
    assert dict(re.findall(r'data-stake="2-0-(p\d)" data-end="(\w+)"', box)) == {"p1": "half", "p8": "half"}
    lost = public_fragments(state(done(*deal, double_loss_on_bank_blackjack="all")))["box-2"]
    assert set(re.findall(r'data-end="(\w+)"', lost)) == {"lost"}


def test_what_one_asks_for_beforehand_is_shown_to_all_before_the_cards() -> None:
    there = state(opened(*BETS, seats=SEATS).apply(Follow("p8", doubles=True)))
    assert "follows without being asked" in public_fragments(there)["box-2"]
    assert "follows without being asked" not in public_fragments(there)["box-4"]
    assert 'data-follows="doubles"' in private_fragments(there, MEI)["decision"]
    assert 'data-follows=""' in private_fragments(there, ANA)["decision"]


def test_a_stake_in_a_box_is_named_by_its_box_in_wallet_and_spots() -> None:
    there = state(opened(*BETS, seats=SEATS))
    mine = private_fragments(there, ANA)
    assert "&quot;key&quot;:&quot;any_pair-2&quot;" in mine["wallet"]
    assert 'data-total="1000"' in mine["own-any_pair-2"]
    assert 'data-total="0"' in mine["own-any_pair-4"]
    assert 'data-total="15000"' in public_fragments(there)["all-main-2"]


def _totals(fragments: dict[str, str], kind: str) -> dict[str, int]:
    """Cents on each spot, as the chips there say; only where there are any."""
    found = {name: re.search(r'data-total="(\d+)"', html) for name, html in fragments.items() if name.startswith(kind)}
    return {name.removeprefix(kind): int(said[1]) for name, said in found.items() if said and said[1] != "0"}


def test_what_was_doubled_or_split_lies_on_the_felt_and_what_is_lost_does_not() -> None:
    doubled = state(ROUNDS["double"]())
    assert _totals(private_fragments(doubled, ANA), "own-") == {"main-2": 200_00}
    assert re.search(r"Main bet, box 2 200\b", text_of(private_fragments(doubled, ANA)["my-stakes"]))
    assert _totals(dict(public_fragments(doubled)), "all-")["main-2"] == 250_00
    assert "&quot;amount&quot;:10000" in private_fragments(doubled, ANA)["wallet"], "what Repeat lays is what was laid"
    split = state(ROUNDS["split again"]())
    assert _totals(private_fragments(split, ANA), "own-")["main-2"] == 300_00
    bust = state(ROUNDS["bust"]())
    assert _totals(private_fragments(bust, ANA), "own-") == {}
    assert "You have no stake on the layout." in private_fragments(bust, ANA)["my-stakes"]
    assert _totals(dict(public_fragments(bust)), "all-") == {"main-4": 200_00}


@pytest.mark.parametrize("name", ROUNDS)
def test_the_chips_on_the_felt_are_what_the_ledger_has_of_them(name: str) -> None:
    """What is in escrow, and what was paid back on a stake that is decided, until the round is cleared."""
    round_ = ROUNDS[name]()
    there, public = state(round_), _totals(dict(public_fragments(state(round_))), "all-")
    owns = {who.key: _totals(private_fragments(there, who), "own-") for who in (ANA, CHEN, MEI)}
    kept = sum(min(paid.stake, max(paid.returned, 0)) for paid in round_.payouts())
    assert sum(public.values()) == sum(round_.in_escrow().values()) + kept
    assert sum(sum(own.values()) for own in owns.values()) == sum(public.values())
    for spot, cents in public.items():
        assert cents == sum(own.get(spot, 0) for own in owns.values())


def test_each_hand_of_a_split_box_has_its_own_line_in_the_result() -> None:
    round_ = done(PAIR + " 2d 3d Ts", "…", "p1 split 2", "p8 pass 2")
    mine = text_of(private_fragments(state(round_), ANA)["my-result"])
    assert "Main bet, box 2, hand 1" in mine and "Main bet, box 2, hand 2" in mine
    assert "Any pair, box 2" in mine and "Any pair, box 2, hand" not in mine
    other = text_of(private_fragments(state(round_), CHEN)["my-result"])
    assert "Main bet, box 4" in other and "hand" not in other
