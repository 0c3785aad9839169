"""The three catalogues: complete, not fuzzy, and in the tone of the house."""

from __future__ import annotations

import re
from collections.abc import Iterator

from babel.messages import Catalog

from casino import catalogues

CURRENCY = re.compile(r"[$€£¥₩]|\b(?:MOP|HKD|pataca|dollar|euro|patacas|dólar|dólares|euros)\b|澳門幣|澳門元|港幣|港元")
LOUD = re.compile(r"[!！]")


def complaints() -> Iterator[str]:
    """Everything that is wrong with the catalogues."""
    template = catalogues.messages_of_the_code()
    for locale in catalogues.LOCALES:
        if not catalogues.po_path(locale).exists():
            yield f"{locale}: there is no catalogue; run `make messages`"
            continue
        yield from catalogues.complaints(locale, template)
        yield from tone(locale, catalogues.read(locale))


def tone(locale: str, catalog: Catalog) -> Iterator[str]:
    """Sentences that shout, or that speak of money that this is not."""
    for message in catalog:
        said = message.string if isinstance(message.string, str) else " ".join(message.string or ())
        if message.id and LOUD.search(said):
            yield f"{locale}: an exclamation mark in {said!r}"
        if message.id and CURRENCY.search(said):
            yield f"{locale}: a currency in {said!r}; this is play money, say credits"
