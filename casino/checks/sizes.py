"""How long a module or a class of the house may be, for somebody to read it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

MODULE_LINES, CLASS_LINES = 600, 400
WRITTEN_BY_DJANGO = "migrations/0001_tables.py"


def complaints(*folders: Path) -> Iterator[str]:
    """Modules and classes in these folders that are too long."""
    for folder in folders:
        for file in sorted(folder.rglob("*.py")):
            if not file.as_posix().endswith(WRITTEN_BY_DJANGO):
                for what in complaints_about(file.read_text()):
                    yield f"{file}: {what}"


def complaints_about(source: str) -> Iterator[str]:
    """What is too long in one module."""
    if (lines := source.count("\n")) > MODULE_LINES:
        yield f"{lines} lines, of at most {MODULE_LINES}"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and (lines := (node.end_lineno or 0) - node.lineno + 1) > CLASS_LINES:
            yield f"the class {node.name} has {lines} lines, of at most {CLASS_LINES}"
