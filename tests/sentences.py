"""The sentences that people may be told: those of the code that every language has."""

from __future__ import annotations

import re
from functools import cache

from casino import catalogues
from tables.games.values.words import Words


def assert_said_in_all_languages(words: object) -> None:
    """Fails unless it is a sentence of every catalogue in which each place is filled."""
    assert isinstance(words, Words), words
    assert words.text in sentences(), words.text
    assert set(re.findall(r"%\((\w+)\)", words.text)) == {name for name, _ in words.values}, words
    for _, value in words.values:
        assert isinstance(value, int | str | Words), words
        if isinstance(value, Words):
            assert_said_in_all_languages(value)


@cache
def sentences() -> frozenset[str]:
    """What is translated into every language."""
    read = map(catalogues.read, catalogues.LOCALES)
    return frozenset.intersection(*(frozenset(str(each.id) for each in catalog if each.string) for catalog in read))
