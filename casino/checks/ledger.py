"""Only `services/money/wallet.py` writes the ledger. Imports cannot tell reading from writing; calls can."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

LEDGER = {"Account", "Transfer"}
WRITES = {
    "abulk_create", "abulk_update", "acreate", "adelete", "aget_or_create", "aupdate", "aupdate_or_create",
    "bulk_create", "bulk_update", "create", "delete", "get_or_create", "update", "update_or_create",
}  # fmt: skip
WRITER = "services/money/wallet.py"


def complaints(folder: Path) -> Iterator[str]:
    """Calls in `folder` (the app) that write accounts or transfers from elsewhere."""
    for file in sorted(folder.rglob("*.py")):
        place = file.relative_to(folder).as_posix()
        if place != WRITER and not place.startswith("migrations/"):
            for line, what in complaints_about(file.read_text()):
                yield f"{file}:{line}: {what}; only {WRITER} writes the ledger"


def complaints_about(source: str) -> Iterator[tuple[int, str]]:
    """Line and call, for one module."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in LEDGER:
            yield node.lineno, f"makes a {node.func.id}"
        if isinstance(node.func, ast.Attribute) and node.func.attr in WRITES and _root(node.func) in LEDGER:
            yield node.lineno, f"{_root(node.func)}.….{node.func.attr}()"


def _root(node: ast.expr) -> str:
    """`Account` of `Account.objects.filter(…).update`."""
    while True:
        match node:
            case ast.Attribute(value=inner) | ast.Call(func=inner) | ast.Subscript(value=inner):
                node = inner
            case ast.Name(id=name):
                return name
            case _:
                return ""
