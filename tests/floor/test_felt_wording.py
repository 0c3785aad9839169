"""How the house writes amounts, odds, articles and the sentences of the rules."""

from __future__ import annotations

import pytest
from django.template import Context
from django.utils import translation
from django.utils.html import strip_tags

from tables.base.timetable import in_seconds
from tables.felt import formatting
from tables.games import GAMES
from tables.games.values.cards import card
from tables.games.values.money import Odds
from tables.games.values.words import Amount, say
from tables.templatetags import floor


@pytest.mark.parametrize(
    ("language", "cents", "exact", "written"),
    [
        ("en", 1_234_500, False, "12,345"),
        ("en", 97_50, False, "97.50"),
        ("en", 100_00, True, "100.00"),
        ("pt", 1_234_567, False, "12.345,67"),
        ("zh-hant", 1_234_567, True, "12,345.67"),
        ("en", -50_05, False, "−50.05"),
        ("en", 0, False, "0"),
    ],
)
def test_amounts_are_written_as_the_reader_is_used_to(language: str, cents: int, exact: bool, written: str) -> None:
    with translation.override(language):
        assert formatting.credits_of(cents, exact=exact) == written


def test_what_is_heard_of_an_amount_agrees_with_its_number() -> None:
    with translation.override("en"):
        heard = [strip_tags(floor.amount(cents)) for cents in (1_00, -1_00, 1_50, 0, 2_00)]
        ranges = [strip_tags(floor.amount_to(1_00, most)) for most in (1_000_00, None)]
    assert heard == ["1 credit", "−1 credit", "1.50 credits", "0 credits", "2 credits"]
    assert ranges == ["1 – 1,000 credits", "1 + credits"]
    with translation.override("pt"):
        assert strip_tags(floor.amount(1_00)) == "1 crédito"


@pytest.mark.parametrize(
    ("language", "ms", "written"),
    [("en", 18_000, "18"), ("en", 100, "0.1"), ("pt", 100, "0,1"), ("pt", 12_050, "12,05")],
)
def test_a_part_of_a_second_has_the_decimal_mark_of_the_language(language: str, ms: int, written: str) -> None:
    with translation.override(language):
        assert floor.words(in_seconds(ms)) == written


def test_a_sentence_translates_what_is_named_in_it_and_shows_amounts_to_the_cent() -> None:
    words = say(
        "%(spot)s takes %(amount)s in %(rounds)s rounds", spot=say("Banker"), amount=Amount(500_00), rounds=1200
    )
    with translation.override("pt"):
        assert formatting.text_of(words).endswith("takes 500,00 in 1.200 rounds")


def test_an_article_of_the_law_a_note_and_a_rule_of_the_house_are_cited_differently() -> None:
    articles = GAMES["baccarat"].articles
    with translation.override("en"):
        cited = {
            number: formatting.article_of(number, articles[number])
            for number in ("9(3)(2)", "note 1", "B-A5", "minimum")
        }
        assert formatting.article_of("time", None) == "house rule"  # of which the game says nothing itself
    assert cited == {"9(3)(2)": "art. 9(3)(2)", "note 1": "note 1", "B-A5": "ruling B-A5", "minimum": "house rule"}


def test_a_citation_tells_what_the_article_says() -> None:
    with translation.override("en"):
        cited = floor.article(Context(), "14", "baccarat")
    assert "the difference is accepted only up to a set limit." in cited
    assert floor.article(Context(), "", "baccarat") == ""


def test_odds_are_named_in_full() -> None:
    with translation.override("en"):
        assert floor.odds((Odds(12), Odds(20))) == "12 to 1 / 20 to 1"
        assert floor.odds(Odds(1, 2)) == "1 to 2"


def test_an_amount_is_made_of_the_fewest_chips_the_dearest_first() -> None:
    assert formatting.in_chips(1_787_00) == [1_000, 500, 100, 100, 50, 10, 10, 10, 5, 1, 1]
    assert formatting.in_chips(50) == []


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", ["500", "1K", "10K", "100K"]),
        ("pt", ["500", "1K", "10K", "100K"]),
        ("zh-hant", ["500", "1千", "1萬", "10萬"]),
    ],
)
def test_large_chips_are_short(language: str, written: list[str]) -> None:
    with translation.override(language):
        assert [formatting.short_number(value) for value in (500, 1_000, 10_000, 100_000)] == written


def test_a_card_face_down_names_no_card() -> None:
    with translation.override("en"):
        assert formatting.card_name(card("Td")) == "10 of diamonds"
        assert formatting.card_name(None) == "a card face down"
    hidden = floor.card(None, key="hand-player-0")
    assert "#back" in hidden
    assert 'data-card=""' in hidden


def test_a_sentence_is_no_html_until_the_template_has_escaped_it() -> None:
    text = floor.words(say("%(name)s sits", name="<b>x</b>"))
    assert text == "<b>x</b> sits"
    assert not hasattr(text, "__html__"), "the template would not escape it"
