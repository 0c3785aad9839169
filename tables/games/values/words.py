"""What the rules say to people: an English sentence with named places, translated where it is shown.

The games are pure and know no language. They say `say("The bank draws on %(total)s", total=3)`; the pages look
the sentence up in the catalogue of the reader's language and format the values there. `makemessages` collects
every `say("…")` for the catalogues.
"""

from __future__ import annotations

from dataclasses import dataclass

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


@quickly_made
@dataclass(frozen=True, slots=True)
class Note:
    """One thing that happened, and the article (or ruling) that ordered it."""

    article: str
    words: Words
