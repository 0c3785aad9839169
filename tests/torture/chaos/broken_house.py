"""`manage.py` with a fault built in (BROKEN), to see that the supervisor notices it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta

import django
import structlog

django.setup()

from django.core.management import execute_from_command_line  # noqa: E402

from tables.base.chance import Label, Vault  # noqa: E402
from tables.live import dealer  # noqa: E402
from tests.torture import broken  # noqa: E402


@contextmanager
def long_lease() -> Iterator[None]:
    """A dealer who dies keeps their tables for two minutes."""
    with broken.changed("LEASE", timedelta(minutes=2), of=dealer):
        yield


@contextmanager
def loose_tongue() -> Iterator[None]:
    """A dealer writes into the log what they seal."""
    seal_seed = Vault.seal_seed

    def aloud(vault: Vault, label: Label, seed: str) -> bytes:
        structlog.get_logger("tables").info("a seed was sealed", seed=seed)
        return seal_seed(vault, label, seed)

    with broken.changed("seal_seed", aloud, of=Vault):
        yield


BROKEN: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "money-by-itself": broken.money_by_itself,
    "long-lease": long_lease,
    "loose-tongue": loose_tongue,
}

if __name__ == "__main__":
    with BROKEN[os.environ["BROKEN"]]():
        execute_from_command_line(["manage.py", *sys.argv[1:]])
