"""Connections to the database that were cut off while nobody used them."""

from __future__ import annotations

import asyncio
from threading import Barrier

import pytest
from django.db import OperationalError, connection

from tables.base.executor import in_database
from tests import databases

WAITING = 4


def own_pid() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    return int(pid)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_where_all_connections_of_the_pool_were_cut_off_one_deed_fails_and_not_one_for_each() -> None:
    together = Barrier(WAITING)

    def uses_one_of_its_own() -> int:
        pid = own_pid()
        together.wait()
        return pid

    async def deeds() -> None:
        waiting = await asyncio.gather(*(in_database(uses_one_of_its_own) for _ in range(WAITING)))
        assert len(set(waiting)) == WAITING
        with databases.server() as server:
            server.execute("SELECT pg_terminate_backend(pid, 10000) FROM unnest(%s) pid", (waiting,))
        with pytest.raises(OperationalError):
            await in_database(own_pid)
        for _ in range(WAITING):
            assert await in_database(own_pid) not in waiting

    asyncio.run(deeds())
