"""Our own JavaScript: types that are checked, no words of its own, no way for a text to become markup or code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

DANGEROUS = re.compile(
    r"\b(?:eval|Function|setTimeout|setInterval)\s*\(\s*[\"'`]|\bnew Function\b|\.(?:inner|outer)HTML\b"
    r"|\binsertAdjacentHTML\b|\bdocument\.write\b"
)
TYPED = "// @ts-check"
WORDS = re.compile(
    r"\b(?:textContent|innerText|ariaLabel|title|placeholder|alt)\s*=\s*[\"'`][^\"'`]*[^\W\d_]{2}"
    r"|\b(?:alert|confirm|prompt)\s*\("
)


def complaints(folder: Path) -> Iterator[str]:
    """Everything that is wrong with the scripts in `folder`."""
    for file in sorted(folder.rglob("*.js")):
        lines = file.read_text().split("\n")
        if lines[0] != TYPED:
            yield f"{file}:1: the first line must be {TYPED!r}, or no types are checked"
        for number, line in enumerate(lines, 1):
            if DANGEROUS.search(line):
                yield f"{file}:{number}: makes markup or code of a text: {line.strip()}"
            if WORDS.search(line):
                yield f"{file}:{number}: words belong into the catalogues (hand them over in a data attribute)"
