"""Faults that are built in on purpose, to see that a part notices them. Nothing of it runs unless it is asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

from tables.base import refs
from tables.models.bettors import Bettor
from tables.services.money import wallet


@contextmanager
def changed(name: str, value: Any, *, of: Any = None) -> Iterator[None]:
    """In here whatever module of the house has `name` finds `value` there instead."""
    modules = [of] if of is not None else [m for key, m in list(sys.modules.items()) if key.startswith("tables.")]
    before = [(module, getattr(module, name)) for module in modules if name in vars(module)]
    assert before, f"nobody has {name}"
    for module, _ in before:
        setattr(module, name, value)
    try:
        yield
    finally:
        for module, was in before:
            setattr(module, name, was)


@contextmanager
def money_by_itself() -> Iterator[None]:
    """Money moves in a transaction of its own, after what it is for."""
    post = wallet.post

    def in_another_transaction(*args: Any, **more: Any) -> None:
        if not connection.savepoint_ids:
            with connection.cursor() as cursor:
                cursor.execute("COMMIT")
                cursor.execute("BEGIN")
        post(*args, **more)

    with changed("post", in_another_transaction, of=wallet):
        yield


@contextmanager
def another_key_each_time() -> Iterator[None]:
    """What is asked for again comes under another key. (Each try is a process of its own.)"""
    own_ref = refs.own_ref

    def never_the_same(bettor: Bettor, ref: str) -> str:
        return own_ref(bettor, f"{ref}-{os.getpid()}")

    with changed("own_ref", never_the_same):
        yield
