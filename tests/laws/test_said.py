"""Whatever a round says to people is a sentence of all languages, with all its places filled, under a known article."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import cycle
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tables.games import GAMES
from tables.games.contract.errors import Refused
from tables.games.contract.game import Game
from tables.games.contract.round import Round
from tables.games.values.words import Note, Words
from tests.extent import times
from tests.kit import view_for
from tests.sentences import assert_said_in_all_languages

from .playing import PEOPLE, Play, plays
from .test_rounds import everything

said = settings(
    max_examples=times(60, share=4),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
BESIDES = {"", "void"}
"""What stands in the place of an article where the house itself orders something."""


@pytest.mark.parametrize("slug", GAMES)
@said
@given(data=st.data())
def test_what_a_round_says_is_a_sentence_of_all_languages_under_an_article_of_its_game(
    slug: str, data: st.DataObject
) -> None:
    game = GAMES[slug]
    play = data.draw(plays(game))
    viewers = cycle((*PEOPLE, None))
    for round_ in play.rounds[:: 1 + len(play.rounds) // 8]:
        for thing in told(round_, next(viewers)):
            assert_sound(game, thing)
    for thing in (thing for who in PEOPLE for thing in told(play.last, who)):
        assert_sound(game, thing)


@pytest.mark.parametrize("slug", GAMES)
@said
@given(data=st.data())
def test_a_refusal_is_a_sentence_of_all_languages_under_an_article_of_its_game(slug: str, data: st.DataObject) -> None:
    game = GAMES[slug]
    play = data.draw(plays(game))
    for round_, who in zip(play.rounds[:: 1 + len(play.rounds) // 3], cycle(PEOPLE), strict=False):
        for refused in refusals(round_, play, who):
            assert_sound(game, Note(refused.article, refused.words))


def told(round_: Round, who: str | None) -> list[Note | Words]:
    """All that a viewer is told in words."""
    view = view_for(round_, who)
    assert all(isinstance(paid.why, Note) for paid in round_.payouts())
    assert all(isinstance(spot.why, Note) == (spot.end is not None) for spot in view.spots)
    things: list[Any] = [view, round_.payouts(), round_.refusals, round_.went_back, round_.silence]
    if who is not None:
        things += [round_.leaving(who), *(round_.bars_seat(who, seat) for seat in (1, 2, 3))]
    return list(words_in(things))


def refusals(round_: Round, play: Play, who: str) -> Iterator[Refused]:
    """How the round says no to whatever this bettor could send."""
    for action in everything(play, who):
        try:
            round_.apply(action)
        except Refused as refused:
            yield refused


def words_in(thing: Any) -> Iterator[Note | Words]:
    """Every note in a thing, and every other sentence."""
    match thing:
        case Note() | Words():
            yield thing
        case Mapping():
            yield from words_in([*thing.keys(), *thing.values()])
        case tuple() | list() | set() | frozenset():
            for part in thing:
                yield from words_in(part)
        case _ if is_dataclass(thing) and not isinstance(thing, type):
            for part in fields(thing):
                yield from words_in(getattr(thing, part.name))


def assert_sound(game: Game, thing: Note | Words) -> None:
    if isinstance(thing, Note):
        assert thing.article in BESIDES or thing.article in game.articles, thing
        thing = thing.words
    assert_said_in_all_languages(thing)
