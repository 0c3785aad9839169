"""Rendering of fragments that many viewers share byte for byte: once a language, then from memory.

At a change of phase hundreds of bettors get fragments of their own, and most of these are the same: an empty spot, no
decision, the same stake. What is kept holds nothing but text that whoever asks would have got anyhow.
"""

from __future__ import annotations

from functools import lru_cache

from django.template.loader import render_to_string
from django.utils.translation import get_language

MAX_FRAGMENTS_KEPT = 4096
"""So many fragments are kept; the oldest go first."""


def rendered_once(template: str, **context: object) -> str:
    """As `render_to_string`, for a context of hashable values that says all there is to say."""
    return _rendered(get_language() or "", template, tuple(sorted(context.items())))


@lru_cache(MAX_FRAGMENTS_KEPT)
def _rendered(language: str, template: str, context: tuple[tuple[str, object], ...]) -> str:
    return render_to_string(template, dict(context))
