"""Every text in three languages: complete, not fuzzy, and in the tone of the house. English is what the code says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from casino import catalogues

CURRENCY = re.compile(r"[$€£¥₩]|\b(?:MOP|HKD|pataca|dollar|euro|patacas|dólar|dólares|euros)\b|澳門幣|澳門元|港幣|港元")
LOUD = re.compile(r"[!！]")


def complaints() -> Iterator[str]:
    """Everything that is wrong with the catalogues."""
    template = catalogues.messages_of_the_code()
    yield from tone("en", (message.id for message in template))
    for locale in catalogues.LOCALES:
        if not catalogues.po_path(locale).exists():
            yield f"{locale}: there is no catalogue; run `make messages`"
            continue
        yield from catalogues.complaints(locale, template)
        yield from tone(locale, (message.string for message in catalogues.read(locale) if message.id))


def tone(locale: str, texts: Iterable[str | Sequence[str] | None]) -> Iterator[str]:
    """Sentences that shout, or that speak of money that this is not."""
    for text in texts:
        said = text if isinstance(text, str) else " ".join(text or ())
        if LOUD.search(said):
            yield f"{locale}: an exclamation mark in {said!r}"
        if CURRENCY.search(said):
            yield f"{locale}: a currency in {said!r}; this is play money, say credits"
