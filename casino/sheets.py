"""A parser, a formatter and a linter for our style sheets.

    python -m casino.sheets      formats every sheet in static/css (`make fix` does)

A rule that fits on one line may stand on one line: so a sheet of short rules can be read like a table. A rule that does
not fit is opened, and its declarations fill lines of 120. A rule that somebody wrote with one declaration a line stays
so. The formatters that we know open every rule, which makes a sheet three times as long.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

WIDTH = 120
STEP = "  "
SHEETS = Path(__file__).resolve().parent.parent / "static/css"


class SheetError(ValueError):
    """A sheet that cannot be parsed. Says where."""


@dataclass
class Node:
    """A comment, a declaration, a statement (`@import …;`), or a rule with what is in its block."""

    text: str
    line: int
    kind: str
    within: list[Node] = field(default_factory=list)
    joined: bool = False
    """It began on the line on which what stands before it ended."""
    spaced: bool = False
    """An empty line stood before it."""
    block: int = 0
    """A rule: the line on which its block begins."""
    open: bool = False
    """A rule: its block was written on several lines."""


# ── Parser ─────────────────────────────────────────────────────────────────────────────────────────────────

TOKEN = re.compile(r"""/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|url\([^"')]*\)|[{};()\[\]]|\s+|.""", re.DOTALL)


def parse(source: str) -> list[Node]:
    """The nodes of a sheet. Raises SheetError."""
    stack: list[Node] = [Node("", 1, "rule")]
    text, began, depth, line, ended = "", 1, 0, 1, 0
    space = ""

    def add(node: Node) -> Node:
        node.joined = bool(stack[-1].within) and node.line == ended
        node.spaced = space.count("\n") > 1 and bool(stack[-1].within)
        stack[-1].within.append(node)
        return node

    def finish() -> None:
        nonlocal text
        words = text.strip()
        text = ""
        if not words:
            return
        if words.startswith("@"):
            add(Node(words, began, "statement"))
        elif ":" not in words or len(stack) == 1:
            raise SheetError(f"{began}: no declaration: {words[:60]}")
        else:
            add(Node(words, began, "declaration"))

    for token in TOKEN.findall(source):
        if not text.strip() and not token.isspace():
            text, began = "", line
        if token.startswith("/*") and len(token) > 3 and not text:
            add(Node(token, line, "comment"))
            line += token.count("\n")
            ended, space = line, ""
            continue
        if token in '"' or token == "'":
            raise SheetError(f"{line}: a text without an end")
        if token.isspace() and not text:
            space = token
        elif token in "([":
            depth += 1
            text += token
        elif token in ")]":
            depth -= 1
            text += token
            if depth < 0:
                raise SheetError(f"{line}: {token} closes nothing")
        elif token == "{":
            if depth or not text:
                raise SheetError(f"{line}: a block of nothing, or within parentheses")
            if ";" in text or re.match(r"[\w-]+\s*:\s", text):
                raise SheetError(f"{began}: no semicolon after {text[:60]}")
            stack.append(add(Node(" ".join(text.split()), began, "rule", block=line)))
            text, space = "", ""
        elif token in ";}":
            if depth:
                raise SheetError(f"{line}: a parenthesis is not closed")
            finish()
            ended, space = line, ""
            if token == "}":
                if len(stack) == 1:
                    raise SheetError(f"{line}: }} closes nothing")
                rule = stack.pop()
                rule.open = line > rule.block
                space = ""
        else:
            text += token
        line += token.count("\n")
    if text.strip() or len(stack) > 1:
        raise SheetError(f"{began}: something is not closed")
    return stack[0].within


# ── Formatter ──────────────────────────────────────────────────────────────────────────────────────────────


ROWS = re.compile(r'"[^"]*"[^"/]*|/.*')


def format_sheet(source: str) -> str:
    """The sheet in the one way. Raises SheetError."""
    return "\n".join(_lines(parse(source), "")) + "\n"


def _lines(nodes: list[Node], indent: str) -> list[str]:
    found: list[str] = []
    for node in nodes:
        if node.spaced:
            found.append("")
        pieces = _written(node, indent)
        together = f"{found[-1]} {pieces[0].strip()}" if found and len(pieces) == 1 else ""
        if together and node.joined and len(together) <= WIDTH and "\n" not in together and found[-1]:
            found[-1] = together
        elif node.kind == "comment" and node.joined and len(pieces) == 1:
            at = len(found) - _height(nodes, node, indent)  # above what it speaks of
            found[at:at] = pieces
        else:
            found += pieces
    return found


def _height(nodes: list[Node], comment: Node, indent: str) -> int:
    before = nodes[next(at for at, node in enumerate(nodes) if node is comment) - 1]
    return len(_written(before, indent))


def _written(node: Node, indent: str) -> list[str]:
    """The lines of one node."""
    if node.kind == "comment":
        return _comment(node.text, indent)
    if node.kind == "declaration":
        return _declaration(node.text, indent)
    if node.kind == "statement":
        return [f"{indent}{_spaced(node.text)};"]
    head = _spaced(node.text)
    if not node.open and all(one.kind in ("declaration", "rule", "comment") for one in node.within):
        parts = [piece.strip() for one in node.within for piece in _written(one, "")]
        line = f"{indent}{head} {{ {' '.join(parts)} }}"
        if len(line) <= WIDTH and len(parts) == len(node.within):
            return [line]
    heads = [head] if len(f"{indent}{head} {{") <= WIDTH or head.startswith("@") else _split(head)
    opening = [f"{indent}{one}," for one in heads[:-1]] + [f"{indent}{heads[-1]} {{"]
    return [*opening, *_lines(node.within, indent + STEP), f"{indent}}}"]


def _declaration(text: str, indent: str) -> list[str]:
    name, _, value = text.partition(":")
    name, value = name.strip(), value.strip()
    line = f"{indent}{name}: {_spaced(value)};"
    if "\n" in value:
        parts = [_spaced(part) for part in value.split("\n")]
    elif len(line) > WIDTH and value.startswith('"'):
        parts = [part.strip() for part in ROWS.findall(_spaced(value))]  # a grid: one row a line
    elif len(line) > WIDTH and len(_split(_spaced(value))) > 1:
        parts = _split(_spaced(value))
        parts = [f"{part}," for part in parts[:-1]] + parts[-1:]
    else:
        return [line]
    return [f"{indent}{name}:", *(f"{indent}{STEP}{part}" for part in parts[:-1]), f"{indent}{STEP}{parts[-1]};"]


def _comment(text: str, indent: str) -> list[str]:
    if "\n" in text:
        return [
            f"{indent}{line.strip()}" if at == 0 else _inner(line, indent) for at, line in enumerate(text.split("\n"))
        ]
    lines = [f"{indent}/*"]
    for word in text[2:-2].split():
        if len(lines[-1]) + len(word) + 4 > WIDTH and lines[-1].strip() != "/*":
            lines.append(f"{indent}  ")
        lines[-1] += f" {word}"
    lines[-1] += " */"
    return lines


def _inner(line: str, indent: str) -> str:
    words = line.strip()
    return f"{indent} {words}".rstrip() if words.startswith("*") else line.rstrip()


def _spaced(text: str) -> str:
    """One space for each stretch of white space outside texts."""
    parts = re.split(r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')""", text.strip())
    return "".join(part if at % 2 else re.sub(r"\s+", " ", part) for at, part in enumerate(parts))


def _split(text: str) -> list[str]:
    """At the commas that stand in no parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


# ── Linter ─────────────────────────────────────────────────────────────────────────────────────────────────


def complaints(folder: Path) -> Iterator[str]:
    """Everything that is wrong with the sheets in `folder`."""
    for file in sorted(folder.rglob("*.css")):
        source = file.read_text()
        try:
            nodes = parse(source)
        except SheetError as error:
            yield f"{file}:{error}"
            continue
        if format_sheet(source) != source:
            yield f"{file}: is not formatted; run `make fix`"
        for line, what in _wrong(nodes):
            yield f"{file}:{line}: {what}"


def _wrong(nodes: list[Node]) -> Iterator[tuple[int, str]]:
    """Line and complaint: rules of nothing, and what is said twice of one selector: only the second counts.

    Two rules may have one selector where they say different things, such as its place in a grid and its look.
    """
    said: dict[tuple[str, ...], str] = {}
    for heads, node in _rules(nodes, ()):
        if not any(one.kind != "comment" for one in node.within):
            yield node.line, f"{node.text} says nothing"
        before = ""
        for one in node.within:
            name, _, value = one.text.partition(":")
            if one.kind != "declaration":
                continue
            if (*heads, name) in said and name != before:  # side by side: for browsers that know only the first
                yield one.line, f"{node.text} says {name} twice; first {said[(*heads, name)]}"
            said[(*heads, name)] = value.strip()
            before = name


def _rules(nodes: list[Node], heads: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Node]]:
    """All rules, each with its head and the heads of those that it is within."""
    for node in nodes:
        if node.kind == "rule":
            yield (*heads, node.text), node
            if "keyframes" not in node.text:
                yield from _rules(node.within, (*heads, node.text))


def declarations(nodes: list[Node]) -> Iterator[tuple[int, str, str]]:
    """Line, property and value of all declarations of rules with a selector."""
    for node in nodes:
        for one in node.within:
            if one.kind == "declaration" and not node.text.startswith(("@font-face", "@page")):
                name, _, value = one.text.partition(":")
                yield one.line, name.strip(), _spaced(re.sub(r"/\*.*?\*/", "", value, flags=re.DOTALL))
        yield from declarations(node.within)


def main() -> int:
    for file in sorted(SHEETS.rglob("*.css")):
        source = file.read_text()
        written = format_sheet(source)
        if written != source:
            file.write_text(written)
            sys.stdout.write(f"{file.relative_to(SHEETS.parent.parent)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
