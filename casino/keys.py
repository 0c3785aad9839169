"""Keys that the embedded default makes for itself, once, readable by its own user alone."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable
from pathlib import Path

from django.core.management.utils import get_random_secret_key


def local_key(path: Path) -> str:
    """The key in the file `path`; made on first use. Raises OSError if the folder cannot be written.

    Several processes may ask for the first time at once: all get the same key.
    """
    return kept(path, get_random_secret_key)


def kept(path: Path, make: Callable[[], str]) -> str:
    """The text in the file `path`, which `make` makes up on first use; its owner alone can read it."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(file, "w") as out:
            out.write(make())
        try:
            os.link(draft, path)  # complete or not there at all; fails if another process was first
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text()


def derived(key: str, purpose: str) -> str:
    """A key for one purpose, made of another key: whoever has it knows nothing of that one. Empty if that is empty."""
    return hmac.new(key.encode(), f"macau-floor {purpose}".encode(), hashlib.sha256).hexdigest() if key else ""
