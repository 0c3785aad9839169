"""The transcripts are what the rules play now; a difference is read, then written by `python -m tests.playthroughs`."""

from __future__ import annotations

import pytest

from tables.games import GAMES

from . import HERE, TRANSCRIPTS, text_of


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_the_transcript_is_what_the_rules_play(name: str) -> None:
    assert text_of(name) == (HERE / f"{name}.txt").read_text(encoding="utf-8")


def test_every_game_has_a_transcript() -> None:
    assert set(TRANSCRIPTS) == set(GAMES)
