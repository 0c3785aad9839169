"""One readable transcript per game: its rules at a glance. Written anew by `python -m tests.playthroughs`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from . import baccarat, blackjack, cussec, roulette, stud_poker, three_card_baccarat

HERE = Path(__file__).parent

TRANSCRIPTS: dict[str, Callable[[], Iterator[str]]] = {
    "baccarat": baccarat.lines,
    "blackjack": blackjack.lines,
    "cussec": cussec.lines,
    "roulette": roulette.lines,
    "stud_poker": stud_poker.lines,
    "three_card_baccarat": three_card_baccarat.lines,
}


def text_of(name: str) -> str:
    """The transcript as the rules play it now."""
    return "\n".join(line.rstrip() for line in TRANSCRIPTS[name]()) + "\n"
