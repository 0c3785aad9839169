"""The leaves of a fresh pack (docs/proof.md, 5), pushed to everybody at the table in one text.

A device that has come later, or has missed the push, fetches them (`tables.views.verify.published_leaves`).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence

from django.utils.html import format_html

from tables.queries.shoes import leaves_with_root
from tables.queries.table import TableState


def leaves_fragment(before: TableState | None, state: TableState) -> str:
    """The leaves of the pack that has come between two states of a table; empty where none has."""
    if before is None or state.shoe_id is None or not state.sealed_number or before.commitment == state.commitment:
        return ""
    return _drawn(*leaves_with_root(state.shoe_id))


def _drawn(root: str, leaves: Sequence[str]) -> str:
    """The hashes packed, 32 bytes each one after another, in base64."""
    return format_html(
        '<i id="leaves" hx-swap-oob="true" hidden data-root="{}" data-packed="{}"></i>',
        root,
        b64encode(bytes.fromhex("".join(leaves))).decode("ascii"),
    )
