"""What is wrong with our style sheets beside their format, which is Deno's: rules of nothing, and what is said twice.

It reads sheets as Deno writes them: whatever ends with `{`, `;` or `}` ends a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent.parent
SHEETS = BASE / "static/css"

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

Said = tuple[int, int, tuple[str, ...], str, str]
"""Line, number of the rule, the heads of the rules round it, property, value."""


def complaints(folder: Path) -> Iterator[str]:
    """Everything that is wrong with the sheets in `folder`."""
    for file in sorted(folder.rglob("*.css")):
        for line, what in complaints_about(file.read_text()):
            yield f"{file}:{line}: {what}"


def complaints_about(source: str) -> Iterator[tuple[int, str]]:
    """Line and complaint, for one sheet.

    Two rules may have one selector where they say different things, such as its place in a grid and its look. Side by
    side a property may be said twice: for browsers that know only the first.
    """
    said: dict[tuple[str, ...], str] = {}
    before: tuple[object, ...] = ()
    for line, rule, heads, name, value in declarations(source):
        if not name:
            yield line, f"{heads[-1]} says nothing"
        elif (
            (key := (*heads, name)) in said
            and (rule, name) != before
            and not any("keyframes" in head for head in heads)
        ):
            yield line, f"{heads[-1]} says {name} twice; first {said[key]}"
        said[(*heads, name)] = value
        before = (rule, name)


def declarations(source: str) -> Iterator[Said]:
    """All declarations; of a rule that says nothing one without a name."""
    heads: list[str] = []
    empty, rule = False, 0
    text, began = "", 0
    without_comments = COMMENT.sub(lambda found: "\n" * found[0].count("\n"), source)
    for number, line in enumerate(without_comments.splitlines(), start=1):
        text, began = (f"{text} {line.strip()}".strip(), began or number)
        if not text:
            began = 0
        elif text.endswith("{"):
            heads.append(text.removesuffix("{").strip())
            text, began, empty, rule = "", 0, True, rule + 1
        elif text.endswith("}"):
            if empty:
                yield number, rule, tuple(heads), "", ""
            heads.pop()
            text, began, empty = "", 0, False
        elif text.endswith(";"):
            name, _, value = text.removesuffix(";").partition(":")
            if heads:
                yield began, rule, tuple(heads), name.strip(), value.strip()
            text, began, empty = "", 0, False
