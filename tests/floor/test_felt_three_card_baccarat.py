"""The felt of 3-Card Baccarat: what each viewer sees of places, locked stakes and cards, and how results are said."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
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
from tables.games.contract.actions import Leave, Ready, Void
from tables.games.contract.errors import Refused
from tables.queries.table import TableState
from tests import kit
from tests.extent import spread
from tests.kit import article
from tests.regulation.three_card_kit import dealt, opened, play

from .test_felt_baccarat import ANA, MEI, NOBODY, every_fragment_has_its_place, page, whole
from .test_felt_baccarat import state as state_of
from .test_felt_blackjack import text_of

CHEN = Viewer("p2", "陳小明", 9_500_00, 3)
VIEWERS = {"at place 2": ANA, "at place 3": CHEN, "stands": MEI, "watches": NOBODY}
SEATS = {"p1": 2, "p2": 3}
BETS = (
    "p1 place 100 box 2", "p1 place 50 box 5 as other", "p1 tie 10 box 2", "p1 odd 20", "p1 points_9 10",
    "p2 place 200 box 3", "p2 three_figures 10", "p8 place 30 box 2", "p8 even 40",
)  # fmt: skip
"""Places 2, 3 and 5 are dealt in. Ana plays two of them, and Mei stands behind her."""

NINE = ("Q 9 K", "J 9 Q", "3 4 6", "K Q J")
"""The banker has nine with two court cards: place 2 ties, place 3 loses, and place 5 wins."""


@pytest.fixture(autouse=True)
def english() -> Any:
    with translation.override("en"):
        yield


def at(*hands: str, ready: tuple[str, ...] = (), opened_: int = 0, **given: Any) -> Any:
    """The round with these hands dealt (the banker's first), after those have looked and so many hands are open."""
    round_ = dealt(*hands, bets=BETS, seats=SEATS, **{"standing_bets": True, **given})
    for who in ready:
        round_ = round_.apply(Ready(who))
    for _ in range(opened_):
        due = round_.on_timeout()
        round_ = round_.apply(due.action)
    return round_


def betting(*carried: str, **given: Any) -> Any:
    bets = BETS if not carried else ()
    return kit.bet_on(opened(*carried, seats=SEATS, **{"standing_bets": True, **given}), *bets)


def done(*hands: str, **given: Any) -> Any:
    return play(*hands, **{"bets": BETS, "seats": SEATS, "standing_bets": True, **given})


LOCKED = ("p1 place 100 box 2 as kept", "p8 odd 30 as keptodd", "p2 place 60 box 5 as third")

ROUNDS: dict[str, Callable[[], Any]] = {
    "cut": lambda: opened(seats=SEATS, ceremony=True),
    "betting": betting,
    "locked": lambda: betting(*LOCKED),
    "raised": lambda: kit.bet_on(betting(*LOCKED), "p1 place 50 box 2", "p8 odd 20"),
    "looking": lambda: at(*NINE),
    "one has looked": lambda: at(*NINE, ready=("p1",)),
    "banker open": lambda: at(*NINE, opened_=1),
    "two open": lambda: at(*NINE, opened_=3),
    "settled": lambda: done(*NINE),
    "court cards": lambda: done("K Q J", "J Q K", "3 4 6", "K Q 9"),
    "void": lambda: kit.bet_on(betting(*LOCKED), "p1 place 50 box 2").apply(Void(remark="mixed")),
    "box": lambda: done(*NINE, decks=1),
}

LAYOUTS: dict[str, Callable[[], Any]] = {
    **ROUNDS,
    "no ties and no numbers": lambda: opened(seats=SEATS, tie_enabled=False, numbers_enabled=False),
    "places alone": lambda: opened(seats=SEATS, tie_enabled=False, numbers_enabled=False, odd_even_enabled=False),
    "sixteen places": lambda: opened(seats=SEATS, decks=1, player_places=16),
    "a stake beyond the places": lambda: opened("p1 place 5 box 7", "p1 odd 5", seats=SEATS, player_places=3),
}


def state(round_: Any, **changes: Any) -> TableState:
    return state_of(round_, **{"game": "three_card_baccarat", **changes})


def private(name: str, who: Viewer) -> dict[str, str]:
    return private_fragments(state(ROUNDS[name]()), who)


def public(name: str) -> dict[str, str]:
    return public_fragments(state(ROUNDS[name]()))


def sends(html: str) -> list[dict[str, Any]]:
    """What the buttons of a fragment send, however it is quoted."""
    sent = re.findall(r"""data-send=(?:"([^"]*)"|'([^']*)')""", html)
    return [json.loads(unescape(one or other)) for one, other in sent]


# ── Fragments and page ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("name", "viewer"), spread(list(LAYOUTS), list(VIEWERS)))
def test_the_page_has_one_place_for_every_fragment_and_puts_the_pushed_bytes_there(name: str, viewer: str) -> None:
    every_fragment_has_its_place(state(LAYOUTS[name]()), VIEWERS[viewer])


@pytest.mark.parametrize("language", ["pt", "zh-hant"])
def test_the_felt_can_be_drawn_in_every_language(language: str) -> None:
    with translation.override(language):
        for name in ROUNDS:
            whole(state(ROUNDS[name]()), ANA)


def test_before_the_first_round_the_felt_has_the_same_places() -> None:
    first = betting()
    empty = state(None, options=first.options, due_at=None)
    assert set(whole(empty, ANA)) == set(whole(state(first), ANA))


@article("22/96/M", "4(1)")
def test_every_place_has_its_spots_and_its_seat_and_the_rest_belongs_to_the_whole_table() -> None:
    html = page(state(betting()))
    keys = re.findall(r'data-spot="(\w+)" data-box="(\d+)" data-key="([\w-]+)"', html)
    assert sorted(keys) == sorted(
        (spot, str(place), f"{spot}-{place}") for spot in ("place", "tie") for place in range(1, 8)
    )
    common = re.findall(r'data-spot="(\w+)" data-common data-key="(\w+)"', html)
    assert len(common) == 13
    assert all(spot == key for spot, key in common)
    assert len(re.findall(r'class="seat" data-seat="\d"', html)) == 7
    shortcuts = re.findall(r'data-key="([\w-]+)"[^>]*aria-keyshortcuts="(\w)"', html)
    assert dict(shortcuts)["place-3"] == "3"
    assert len({key for _, key in shortcuts}) == len(shortcuts)


def test_a_layout_with_other_spots_is_drawn_anew() -> None:
    """A locked stake beyond the places of the table, or on what is sold no more, has a spot while it lies there."""
    fewer: dict[str, Any] = {"player_places": 3, "odd_even_enabled": False}
    there, gone = state(betting("p1 place 5 box 7", "p1 odd 5", **fewer)), state(opened(seats=SEATS, **fewer))
    assert "100 locked" not in page(gone)
    assert re.search(r'class="[^"]*is-unsold"[^>]*data-key="odd"', page(there))
    assert "place-7" in public_fragments(there)
    drawn = [re.findall(r'data-drawn="(\w+)"', public_fragments(one)["rail"]) for one in (there, gone)]
    assert drawn[0] != drawn[1]


def test_each_card_on_the_felt_has_a_place_of_its_own() -> None:
    """Else it could not be seen where a card has come from."""
    html = "".join(whole(state(ROUNDS["looking"]()), ANA).values())
    keys = [key for key in re.findall(r'class="card[^"]*"[^>]*data-key="([^"]*)"', html) if key]
    assert len(keys) == len(set(keys)) == 3 * 4 + 3  # three places, the banker, and Ana's own in her hand


def test_fragments_of_a_viewer_change_only_with_their_key() -> None:
    """The hub draws nothing anew where the key is the same: two states with one key must look alike to a viewer."""
    seen: list[tuple[object, dict[str, str]]] = []
    for round_ in (ROUNDS[name]() for name in ROUNDS):
        for who in (ANA, CHEN, MEI):
            fragments, key = private_fragments(state(round_), who), PrivatePart.of(state(round_), who)
            assert all(known == fragments for other, known in seen if other == key)
            seen.append((key, fragments))


# ── Locked stakes ───────────────────────────────────────────────────────────────────────────────────────────


@article("22/96/M", "7(2)", "8(1)")
def test_a_locked_stake_is_marked_for_all_and_explained_to_its_bettor() -> None:
    place = text_of(public("locked")["place-2"])
    assert "100 locked art. 7(2)" in place
    assert "it may be raised, not taken back" in place
    mine = private("locked", ANA)
    assert "Place bet, place 2 100.00 is locked." in text_of(mine["my-result"])
    assert "you may add to it, not take it back art. 7(2)" in text_of(mine["my-result"])
    assert "100 locked" in text_of(mine["own-place-2"])
    assert "100 locked" in text_of(mine["my-stakes"])
    assert not sends(mine["my-stakes"]), "it can be neither taken back nor lowered nor moved"
    odd = private("locked", MEI)
    assert "Odd 30.00 is locked." in text_of(odd["my-result"])
    assert "art. 8(1)" in odd["my-result"]


def test_what_is_added_to_a_locked_stake_is_told_apart_and_can_be_taken_back() -> None:
    mine = private("raised", ANA)
    assert "100.00 is locked, 50.00 is added: 150.00 plays." in text_of(mine["my-result"])
    assert 'data-total="15000"' in mine["own-place-2"]
    assert "100 locked" in text_of(mine["own-place-2"])
    sent = sends(mine["my-stakes"])
    assert {one["bet"] for one in sent} == {"p1 place"}
    assert {one["do"] for one in sent} == {"withdraw", "lower", "move"}
    assert "150" in text_of(public("raised")["place-2"])


def test_a_void_round_returns_what_was_added_and_keeps_what_was_locked() -> None:
    mine = text_of(private("void", ANA)["my-result"])
    assert "100.00 stays for the next round. The round is void: the stake stays locked" in mine
    assert "50.00 is returned." in mine
    assert "ruling T-A11" in mine


# ── Who sees which cards ────────────────────────────────────────────────────────────────────────────────────


def faces(html: str) -> list[str]:
    return [card for card in re.findall(r'data-card="([^"]*)"', html) if card]


@article("22/96/M", "4(3)", "look")
def test_who_occupies_a_place_sees_its_cards_in_private_and_nobody_else_does() -> None:
    for name in ("looking", "one has looked", "banker open"):
        there = state(ROUNDS[name]())
        hers = private_fragments(there, ANA)["my-cards"]
        assert [card[0] for card in faces(hers)] == ["J", "9", "Q"]
        assert "Place 2: nine with two court cards" in text_of(hers)
        assert [card[0] for card in faces(private_fragments(there, CHEN)["my-cards"])] == ["3", "4", "6"]
        for who, place in ((ANA, 2), (CHEN, 3), (MEI, 0)):
            seen = FELTS[there.game].rules.view(there.round, who.key)
            others = [hand.hand for hand in seen.places if hand.number != place]
            assert not [card for hand in others for card in hand.cards if card.face], who.name
        for who in (MEI, NOBODY):
            assert not faces("".join(private_fragments(there, who).values()))
        assert not faces("".join(html for key, html in public_fragments(there).items() if key != "cards"))
    assert len(faces(public("banker open")["cards"])) == 3


def test_once_a_place_is_open_its_bettor_looks_at_the_felt_like_everybody() -> None:
    there = state(ROUNDS["two open"]())
    assert not faces(private_fragments(there, ANA)["my-cards"])
    assert len(faces(public_fragments(there)["place-2"])) == 3
    assert faces(public_fragments(there)["place-5"]) == []


def test_while_one_looks_he_is_asked_and_all_are_told_who_is_waited_for() -> None:
    asked = private("looking", ANA)["decision"]
    assert sends(asked) == [{"do": "ready"}]
    assert 'aria-keyshortcuts="Enter"' in asked
    assert "Open them" in asked
    assert "The dealer waits for Ana, 陳小明" in text_of(public("looking")["cards"])
    assert "If the time runs out the dealer opens the cards" in text_of(public("looking")["cards"])
    assert not sends(private("one has looked", ANA)["decision"])
    assert sends(private("one has looked", CHEN)["decision"])
    assert "The dealer waits for 陳小明" in text_of(public("one has looked")["cards"])
    for who in (MEI, NOBODY):
        assert not sends(private("looking", who)["decision"])
    assert "looks" in text_of(public("looking")["seat-2"])
    assert "ready" in text_of(public("one has looked")["seat-2"])


@article("22/96/M", "gone")
def test_the_cards_of_whoever_has_left_are_opened_by_the_dealer() -> None:
    left = state(ROUNDS["looking"]().apply(Leave("p1")))
    assert not faces(private_fragments(left, ANA)["my-cards"])
    assert "The bettor at place 2 has left: the dealer opens it" in text_of(public_fragments(left)["result"])


# ── What is offered ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ROUNDS)
@pytest.mark.parametrize("viewer", ["at place 2", "at place 3", "stands"])
def test_what_a_button_sends_is_a_deed_that_the_rules_accept(name: str, viewer: str) -> None:
    round_, who = ROUNDS[name](), VIEWERS[viewer]
    fragments = private_fragments(state(round_), who)
    for sent in [*sends(fragments["decision"]), *sends(fragments["my-stakes"])]:
        fields = {"by": who.key, **sent} | ({"amount": 100} if sent["do"] == "lower" else {})
        action = action_from(GAMES["three_card_baccarat"], fields)
        try:
            round_.apply(action)
        except Refused as refusal:
            raise AssertionError(f"{sent} is offered and refused: {refusal}") from None


@article("22/96/M", "4(2)", "T-A12")
def test_who_may_not_bet_without_a_place_reads_why() -> None:
    there = state(opened(seats=SEATS))
    told = private_fragments(there, MEI)["decision"]
    assert "Only bettors who occupy a place may bet here art. 4(2)" in text_of(told)
    assert "Only bettors" not in private_fragments(there, ANA)["decision"]
    assert "Only bettors" not in private("betting", MEI)["decision"], "the house lets standing bettors bet there"


def test_the_cut_is_offered_to_one_who_occupies_a_place() -> None:
    assert 'data-cut-from="1" data-cut-to="311"' in private("cut", ANA)["decision"]
    assert "Ana is offered the cut" in text_of(public("cut")["cards"])
    assert "data-cut-from" not in private("cut", CHEN)["decision"]


def test_a_place_names_its_occupants_stake_first_and_counts_the_crowd() -> None:
    crowd = kit.bet_on(
        betting("p2 place 60 box 5"), *(f"p{who} place {who} box 2" for who in (8, 11, 12, 13)), "p1 place 5 box 2"
    )
    place = text_of(public_fragments(state(crowd))["place-2"])
    assert place.index("Ana") < place.index("13")
    assert "2 more" in place


# ── Results ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "who", "told"),
    [
        ("settled", ANA, "Place bet, place 2 100.00 stays for the next round. Tie: nine with two court cards; "),
        ("settled", ANA, "the stake is locked for the next round art. 7(2)"),
        ("settled", ANA, "Place bet, place 5 Returned 97.50: stake 50.00 + winnings 50.00 − commission 2.50."),
        ("settled", ANA, "less a commission of 5 per cent art. 10"),
        ("settled", ANA, "Tie, place 2 Returned 210.00: stake 10.00 + winnings 200.00. Tie: nine with two court cards"),
        ("settled", ANA, "Odd Returned 39.00: stake 20.00 + winnings 20.00 − commission 1.00."),
        ("settled", ANA, "Points 9 Returned 90.00: stake 10.00 + winnings 80.00."),
        ("settled", CHEN, "Place bet, place 3 You lose 200.00."),
        ("settled", CHEN, "Three court cards You lose 10.00."),
        ("settled", MEI, "Even You lose 40.00."),
        ("court cards", CHEN, "Three court cards Returned 170.00: stake 10.00 + winnings 160.00."),
        ("court cards", MEI, "Even 40.00 stays for the next round."),
        ("court cards", MEI, "the stake is locked for the next round art. 8(1)"),
    ],
)  # fmt: skip
def test_a_result_says_for_each_bet_what_it_brought_and_by_which_article(name: str, who: Any, told: str) -> None:
    assert told in text_of(private(name, who)["my-result"])


def test_the_outcome_names_the_bankers_hand_and_how_the_places_ended() -> None:
    result = text_of(public("settled")["result"])
    assert "Nine with two court cards" in result
    assert "Winning on the banker's cards: Odd, Points 9 art. 9" in result
    assert "Places that win: 5 art. 6" in result
    assert "Places that lose: 3 art. 6" in result
    assert "Places that tie: 2. Their stakes are locked art. 7(2)" in result
    assert "art. 8(1)" in public("court cards")["result"]


@pytest.mark.parametrize(
    ("place", "words"), [(2, "9 points tie Nine with two"), (3, "3 points loses"), (5, "JQK points wins Three")]
)
def test_how_a_place_ended_is_said_in_words_and_not_by_colour_alone(place: int, words: str) -> None:
    assert words in text_of(public("settled")[f"place-{place}"])


def test_places_are_opened_one_after_the_other_and_the_newest_is_marked() -> None:
    fragments = public("two open")
    assert "is-acting" in fragments["place-3"]
    assert "is-acting" not in fragments["place-2"] + fragments["place-5"]
    assert "is-acting" not in "".join(public("settled").values())


def test_a_screen_reader_is_told_what_has_just_been_opened() -> None:
    assert "The banker: queen of" in unescape(public("banker open")["announcer"])
    said = unescape(public("two open")["announcer"])
    assert re.search(r"Place 3: 3 of .*; three without a court card\. The banker wins: ", said)
    assert "Place 2:" not in said
    assert "Place 2: 100.00 is locked." in unescape(public("locked")["announcer"])
    assert re.search(r"Place 2: .*Place 3: .*Place 5: ", unescape(public("settled")["announcer"]))


# ── History and rules ───────────────────────────────────────────────────────────────────────────────────────


def test_the_bankers_last_points_are_written_column_by_column_and_told() -> None:
    results: tuple[dict[str, Any], ...] = (*({"banker": rank} for rank in (2, 1, 31, 7, 28)), {"void": True})
    roads = public_fragments(state(betting(), results=results))["roads"]
    assert re.findall(r"<text[^>]*>([^<]*)</text>", roads) == ["9", "JQK", "0", "8", "1"]
    assert re.findall(r'class="total total--(\w+)"', roads) == ["odd", "courts", "even", "even", "odd"]
    assert "the newest last: 9, three court cards, 0, 8, 1." in unescape(roads)
    assert re.findall(r"</span>(\d)</li>", roads) == ["2", "2", "1"]
    assert "JQK" in FELTS["three_card_baccarat"].road(results)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"void": True}, "Void"),
        ({"banker": 2}, "The banker has nine with two court cards"),
        ({"banker": 31}, "The banker has zero without a court card"),
    ],
)
def test_a_result_in_a_few_words(result: dict[str, Any], words: str) -> None:
    assert FELTS["three_card_baccarat"].result_words(result) == words


def test_the_house_rules_name_no_option_that_means_nothing_with_a_box() -> None:
    def said(round_: Any) -> set[str]:
        return {says for says, _, _ in table_page(state(round_), ANA)["house_rules"]}

    assert "Cards behind the white card" in said(betting())
    assert not said(ROUNDS["box"]()) & {"Cards behind the white card", "The cards are shuffled after every round"}


def test_the_facts_of_a_table_say_box_or_shoe() -> None:
    assert FELTS["three_card_baccarat"].facts(betting().options) == ["Shoe", "6 decks", "Standing bets"]
    assert FELTS["three_card_baccarat"].facts(ROUNDS["box"]().options) == ["Box", "One deck", "Standing bets"]
