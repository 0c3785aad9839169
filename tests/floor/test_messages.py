"""What a client may say: a closed set of messages, strictly typed. Everything else is named and goes no further."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.messages import LONGEST, Bet, Malformed, Resync, parse

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
        ('{"do": "deal"}', "unknown message"),
        ('{"do": ["bet"]}', "unknown message"),
        ('{"do": "resync", "do": "resync"}', "stands twice"),
        ('{"do": "bet", "round": 1, "round": 2}', "stands twice"),
        ('{"do": "ready", "round": NaN, "ref": "abcdefgh"}', "no number"),
        ("[" * 2_000, "nested too deeply"),
        ('{"do": "resync"}' + " " * LONGEST, "longer than"),
        ("é" * (LONGEST // 2 + 1), "longer than"),
    ],
    ids=lambda value: value[:24],
)
def test_what_is_no_message_is_told_so(text: str, reason: str) -> None:
    with pytest.raises(Malformed, match=reason):
        parse(text)


@given(st.text(max_size=300))
def test_no_text_breaks_the_reading(text: str) -> None:
    with contextlib.suppress(Malformed):
        assert parse(text) == Resync()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
)


@given(st.fixed_dictionaries({"do": st.sampled_from(["bet", "lower", "turn", "sit", "cut"])}, optional={
    "round": JSON, "ref": JSON, "spot": JSON, "amount": JSON, "box": JSON, "bet": JSON, "hand": JSON, "seat": JSON,
}))  # fmt: skip
def test_whatever_is_accepted_has_exactly_its_types(data: dict[str, object]) -> None:
    try:
        message = parse(json.dumps(data))
    except Malformed:
        return
    for name in message.__dataclass_fields__:
        if name != "do":
            value = getattr(message, name)
            assert type(value) in (int, str, type(None))
            assert value == data.get(name)
