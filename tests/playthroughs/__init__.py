"""One readable transcript per game: its rules at a glance. Written anew by `python -m tests.playthroughs`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from tests.playthroughs import baccarat

HERE = Path(__file__).parent

TRANSCRIPTS: dict[str, Callable[[], Iterator[str]]] = {"baccarat": baccarat.lines}


def text_of(name: str) -> str:
    """The transcript as the rules play it now."""
    return "\n".join(line.rstrip() for line in TRANSCRIPTS[name]()) + "\n"
