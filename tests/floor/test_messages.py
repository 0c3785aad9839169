"""What a client may say: a closed set of messages, strictly typed. Everything else is named and goes no further."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.games import GAMES
from tables.games.contract.game import Game
from tables.live.messages import (
    MAX_BETS,
    MAX_FIELDS,
    MAX_MESSAGE_BYTES,
    TAKEN,
    Bet,
    Bets,
    Decision,
    Laid,
    Malformed,
    Message,
    parse,
)

DEED = {"do": "split", "round": 7, "ref": "abcdefgh-1", "box": 3, "hand": 0}

BET = {"do": "bet", "round": 7, "ref": "abcdefgh-1", "spot": "player", "amount": 10_000, "box": 3}


def test_a_bet_is_read() -> None:
    assert parse(json.dumps(BET)) == Bet(round=7, ref="abcdefgh-1", spot="player", amount=10_000, box=3)


def test_the_box_may_be_left_out_or_null() -> None:
    without = {key: value for key, value in BET.items() if key != "box"}
    assert parse(json.dumps(without)) == parse(json.dumps(BET | {"box": None}))


@pytest.mark.parametrize(
    "amount",
    [-100, 1.0, 100.5, True, "100", None, [100], {"cents": 100}, 2**53, 10**400, float("nan"), float("inf")],
    ids=str,
)
def test_an_amount_that_is_no_whole_number_of_cents_is_named(amount: object) -> None:
    with pytest.raises(Malformed, match=r"amount|no number"):
        parse(json.dumps(BET | {"amount": amount}))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("round", True), ("round", "7"), ("round", -1), ("round", None),
        ("ref", "short"), ("ref", "x" * 41), ("ref", "a b c d e f"), ("ref", 12345678), ("ref", "abcdefgh\n"),
        ("spot", "Player"), ("spot", ""), ("spot", "../../etc"), ("spot", 1), ("spot", "p" * 41),
        ("box", True), ("box", "3"), ("box", -1), ("box", 3.0),
    ],
)  # fmt: skip
def test_a_field_of_the_wrong_type_is_named(field: str, value: object) -> None:
    with pytest.raises(Malformed, match=field):
        parse(json.dumps(BET | {field: value}))


@pytest.mark.parametrize("missing", ["round", "ref", "spot", "amount"])
def test_a_missing_key_is_named(missing: str) -> None:
    with pytest.raises(Malformed, match=f"missing key: {missing}"):
        parse(json.dumps({key: value for key, value in BET.items() if key != missing}))


@pytest.mark.parametrize("forged", ["by", "player", "bettor", "HEADERS", "at"])
def test_a_client_cannot_say_who_he_is(forged: str) -> None:
    with pytest.raises(Malformed, match=f"unknown key: {forged}"):
        parse(json.dumps(BET | {forged: "p1"}))


SEVERAL = {
    "do": "bets",
    "round": 7,
    "ref": "abcdefgh-1",
    "bets": [{"spot": "red", "amount": 500}, {"spot": "main", "amount": 1_000, "box": 3}],
}


def test_several_bets_are_read_in_their_order() -> None:
    assert parse(json.dumps(SEVERAL)) == Bets(
        round=7, ref="abcdefgh-1", bets=(Laid("red", 500), Laid("main", 1_000, 3))
    )


@pytest.mark.parametrize(
    "bets",
    [
        None, {}, [], "red", [None], [[]], ["red"], [{"spot": "red"}], [{"amount": 1}],
        [{"spot": "Red", "amount": 1}], [{"spot": "red", "amount": True}], [{"spot": "red", "amount": -1}],
        [{"spot": "red", "amount": 1, "box": "3"}], [{"spot": "red", "amount": 1, "by": "p1"}],
        [{"spot": "red", "amount": 1}, {}], [{"spot": "red", "amount": 1}] * (MAX_BETS + 1),
    ],
    ids=lambda bets: repr(bets)[:60],
)  # fmt: skip
def test_several_bets_are_as_strict_as_one(bets: object) -> None:
    with pytest.raises(Malformed, match="bets must be"):
        parse(json.dumps(SEVERAL | {"bets": bets}))


def test_the_longest_list_of_bets_fits_into_a_message() -> None:
    bet = {"spot": "split_34_35", "amount": 100_000_000, "box": None}
    assert isinstance(parse(json.dumps(SEVERAL | {"bets": [bet] * MAX_BETS}, separators=(",", ":"))), Bets)


def test_a_deed_of_whatever_game_is_read() -> None:
    assert parse(json.dumps(DEED)) == Decision(round=7, ref="abcdefgh-1", do="split", fields={"box": 3, "hand": 0})


def test_a_deed_may_say_nothing_more_than_which_it_is() -> None:
    deed = {key: DEED[key] for key in ("round", "ref")} | {"do": "ready"}
    assert parse(json.dumps(deed)) == Decision(round=7, ref="abcdefgh-1", do="ready", fields={})


@pytest.mark.parametrize("value", [0, 2**53 - 1, True, False, "player", "p12", "118-4", "A", "x" * 40], ids=str)
def test_a_deed_says_whole_numbers_yes_or_no_and_plain_words(value: int | bool | str) -> None:
    read = parse(json.dumps(DEED | {"amount": value}))
    assert isinstance(read, Decision)
    assert read.fields["amount"] == value and type(read.fields["amount"]) is type(value)


@pytest.mark.parametrize(
    "value",
    [-1, 1.0, 2**53, None, [], {}, ["x"], {"do": "bet"}, "", "x" * 41, "two words", "<b>", "é", "a\n", "%(x)s", "a.b"],
    ids=repr,
)
def test_a_deed_says_nothing_else(value: object) -> None:
    with pytest.raises(Malformed, match="amount must be"):
        parse(json.dumps(DEED | {"amount": value}))


@pytest.mark.parametrize("name", ["by", "BY", "By", "", "a b", "hand2", "__class__.x", "x" * 21, "é"])
def test_a_deed_never_says_by_whom_nor_anything_by_a_strange_name(name: str) -> None:
    with pytest.raises(Malformed, match="unknown key"):
        parse(json.dumps(DEED | {name: "p1"}))


def test_a_deed_is_short() -> None:
    fields = dict.fromkeys("abcdefgh"[:MAX_FIELDS], 1)
    bare = {"do": "hit", "round": 7, "ref": "abcdefgh"}
    assert isinstance(parse(json.dumps(bare | fields)), Decision)
    with pytest.raises(Malformed, match="too many keys"):
        parse(json.dumps(bare | fields | {"z": 1}))


@pytest.mark.parametrize("missing", ["round", "ref"])
def test_a_deed_lies_in_a_round_and_has_a_ref(missing: str) -> None:
    with pytest.raises(Malformed, match=f"missing key: {missing}"):
        parse(json.dumps({key: value for key, value in DEED.items() if key != missing}))


@pytest.mark.parametrize(("field", "value"), [("round", True), ("round", "7"), ("round", -1), ("ref", "x"), ("ref", 1)])
def test_round_and_ref_of_a_deed_are_as_strict_as_those_of_a_bet(field: str, value: object) -> None:
    with pytest.raises(Malformed, match=field):
        parse(json.dumps(DEED | {field: value}))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_no_game_calls_a_deed_like_a_message_of_the_house(game: Game) -> None:
    assert not {deed.do for deed in game.deeds} & TAKEN


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[1, 2]", "not an object"),
        ("7", "not an object"),
        ("null", "not an object"),
        ('"bet"', "not an object"),
        ("{}", "unknown message"),
        ('{"do": "deal"}', "missing key"),
        ('{"do": "Bet"}', "unknown message"),
        ('{"do": "__init__"}', "unknown message"),
        ('{"do": ["bet"]}', "unknown message"),
        ('{"do": "resync", "do": "resync"}', "stands twice"),
        ('{"do": "bet", "round": 1, "round": 2}', "stands twice"),
        ('{"do": "ready", "round": NaN, "ref": "abcdefgh"}', "no number"),
        ("[" * 2_000, "nested too deeply|not JSON"),  # from Python 3.13 on this is not too deep
        ('{"do": "resync"}' + " " * MAX_MESSAGE_BYTES, "longer than"),
        ("é" * (MAX_MESSAGE_BYTES // 2 + 1), "longer than"),
    ],
    ids=lambda value: value[:24],
)
def test_what_is_no_message_is_told_so(text: str, reason: str) -> None:
    with pytest.raises(Malformed, match=reason):
        parse(text)


@given(st.text(max_size=300))
def test_no_text_breaks_the_reading(text: str) -> None:
    with contextlib.suppress(Malformed):
        assert isinstance(parse(text), Message)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
)


NAMES = ["round", "ref", "spot", "amount", "box", "bet", "hand", "seat", "by", "to", "doubles"]
VALUES = JSON | st.integers(0, 2**53) | st.from_regex(r"[A-Za-z0-9_-]{8,40}", fullmatch=True)


@given(
    st.sampled_from(["bet", "lower", "turn", "sit", "cut", "hit", "pass", "follow"]) | st.text(max_size=8),
    st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=4), VALUES, max_size=9),
)
def test_whatever_is_accepted_has_exactly_its_types(do: str, data: dict[str, object]) -> None:
    data.pop("do", None)
    try:
        message = parse(json.dumps({"do": do, **data}))
    except Malformed:
        return
    assert message.do == do
    said = {name: getattr(message, name) for name in message.__dataclass_fields__ if name not in ("do", "fields")}
    if isinstance(message, Decision):
        said |= message.fields
        assert "by" not in message.fields and len(message.fields) <= MAX_FIELDS
        assert said == data
    for name, value in said.items():
        assert type(value) in (int, str, bool, type(None))
        assert value == data.get(name)
    assert said.keys() >= data.keys()
