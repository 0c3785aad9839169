"""Public records of a file, played out again: for `python -m tables.games FILE` and `manage.py replay FILE` alike."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from .record import outcome_line, records_in

ABOUT = "Play public records (a file of one, or JSON Lines; - for standard input) and print their outcomes."
FILE_HELP = "a record, or one record a line; - reads standard input"


class UnreadableFile(Exception):  # noqa: N818 (said as it is)
    """The file cannot be read: its name, and why."""


def bytes_of(name: str) -> bytes:
    """What is in the file of this name; `-` is standard input. Raises UnreadableFile."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise UnreadableFile(f"{name}: {error.strerror}") from error


def replay(name: str, write: Callable[[str], object]) -> bool:
    """Write one line of JSON for each record of a file, in the order read; whether every one could be played."""
    all_played = True
    for record in records_in(bytes_of(name)):
        played, line = outcome_line(record)
        all_played = all_played and played
        write(line)
    return all_played
