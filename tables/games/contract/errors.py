"""How a game says no."""

from __future__ import annotations

from tables.games.values.words import Words


class Refused(Exception):  # noqa: N818 (the field's word)
    """The player may not. Shown politely, with its article; nothing has changed.

    `most` are the cents that would be within the limit, where too much was asked for.
    """

    def __init__(self, article: str, words: Words, *, most: int | None = None) -> None:
        super().__init__(f"{words} ({article})" if article else str(words))
        self.article = article
        self.words = words
        self.most = most


class OptionError(ValueError):
    """House options that do not exist, have a wrong value or do not go together."""
