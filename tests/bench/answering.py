"""The child's side of `places.Child`: questions come in on standard input, answers go out on standard output."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import IO, Any


def own_output() -> IO[str]:
    """Standard output, kept for answers alone: whatever else is printed goes to standard error from here on."""
    kept = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    return kept


def answer(line: str, doers: dict[str, Callable[..., Any]], out: IO[str]) -> None:
    """Do what one line asks, and answer it."""
    asked = json.loads(line)
    try:
        told = {"answer": doers[asked.pop("do")](**asked)}
    except Exception as error:
        sys.excepthook(*sys.exc_info())
        told = {"error": f"{type(error).__name__}: {error}"}
    out.write(json.dumps(told) + "\n")
    out.flush()


def answer_all(doers: dict[str, Callable[..., Any]]) -> None:
    """Until nobody asks any more."""
    out = own_output()
    for line in sys.stdin:
        answer(line, doers, out)
