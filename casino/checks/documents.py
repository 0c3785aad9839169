"""The documents keep up: every setting is in the README, every dependency has its reason, no lock names a host."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

SETTING = re.compile(r"""env\.(?:str|int|bool|list|db_url|email_url)\(\s*"([A-Z_]+)\"""")
PACKAGE = re.compile(r"^([A-Za-z0-9_.-]+)(?:\[[a-z,]+\])?==", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
HOST = re.compile(r"https?://|--(?:extra-)?index-url|--find-links ?\S")


def complaints(base: Path) -> Iterator[str]:
    """Everything that is wrong with the documents of the checkout `base`."""
    readme = (base / "README.md").read_text()
    for source in ("casino/settings.py", "tables/management/commands/floor.py"):
        for name in dict.fromkeys(SETTING.findall((base / source).read_text())):
            if f"`{name}`" not in readme:
                yield f"README.md: the setting {name} of {source} is not there"
    reasons = (base / "docs/dependencies.md").read_text().lower()
    for lock in ("requirements.txt", "requirements-dev.txt"):
        text = (base / lock).read_text()
        if HOST.search(re.sub(r"--no-emit-\S+", "", text)):
            yield f"{lock}: names a host"
        for name in PACKAGE.findall(text):
            if f"**{name.lower()}**" not in reasons:
                yield f"docs/dependencies.md: no reason is given for {name}"
    for document in (*base.glob("*.md"), *base.glob("docs/**/*.md")):
        for target in LINK.findall(document.read_text()):
            if not (document.parent / target).exists():
                yield f"{document.relative_to(base)}: links to {target}, which is not there"
