"""What the rules say to people: an English sentence with named places, translated where it is shown.

The games are pure and know no language. They say `say("The bank draws on %(total)s", total=3)`; the pages look
the sentence up in the catalogue of the reader's language and format the values there. `makemessages` collects
every `say("…")` for the catalogues.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .quick import quickly_made


class Amount(int):
    """Cents, to be shown as an amount in the reader's format (100 = 1 credit)."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"{self // 100}.{self % 100:02}"


@quickly_made
@dataclass(frozen=True, slots=True)
class Words:
    """A sentence and the values of its named places. A value may itself be `Words` (the name of a bet)."""

    text: str
    values: tuple[tuple[str, int | str | Amount | Words], ...] = ()

    def __str__(self) -> str:
        """The sentence in English, for records, logs and tests."""
        return self.text % {name: str(value) for name, value in self.values} if self.values else self.text


def say(text: str, /, **values: int | str | Amount | Words) -> Words:
    """Mark `text` for translation and bind the values of its `%(name)s` places."""
    return Words(text, tuple(values.items()))


def words_json(words: Words) -> dict[str, Any]:
    """The words as JSON, for `words_from`: the sentence, and name, kind and value of each of its places."""
    return {"text": words.text, "values": [[name, *_value_json(value)] for name, value in words.values]}


def _value_json(value: int | str | Amount | Words) -> tuple[str, Any]:
    match value:
        case Words():
            return "words", words_json(value)
        case Amount():
            return "cents", int(value)
        case _:
            return "plain", value


def words_from(stored: Mapping[str, Any]) -> Words:
    """The words that `words_json` has made this of."""
    made: Mapping[str, Callable[[Any], Any]] = {"words": words_from, "cents": Amount, "plain": lambda value: value}
    return Words(stored["text"], tuple((name, made[kind](value)) for name, kind, value in stored["values"]))


@quickly_made
@dataclass(frozen=True, slots=True)
class Note:
    """One thing that happened, and the article (or ruling) that ordered it."""

    article: str
    words: Words
