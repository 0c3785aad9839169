"""A whole floor in one process: many tables, many sockets at each, and a change at one table after the other."""

from __future__ import annotations

import os
import resource
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter

from .clients import Clients, Line, nothing
from .places import BenchError, Child
from .sockets import bet, reaches

SECONDS_BETWEEN = 2.0
"""So long after a change of a table comes its next one."""

FILES_BESIDE = 200
"""Files that a process has open beside its sockets."""

WITHIN_S = 30
"""So long after the last change its last push may come."""

MIB_NEEDED = 1_500
"""Memory for five thousand sockets and their clients, the database beside them included."""


def check_room(sockets: int) -> None:
    """Raise BenchError where this machine has no room for so many sockets: files to open, and memory."""
    wanted = sockets + FILES_BESIDE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted <= hard or hard == resource.RLIM_INFINITY:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    if (room := resource.getrlimit(resource.RLIMIT_NOFILE)[0]) < wanted:
        raise BenchError(f"{wanted:,} files would be open at once, and a process may have {room:,} (ulimit -n)")
    with suppress(OSError, ValueError):  # what does not say how much is free is tried
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2**20
        if free < MIB_NEEDED:
            raise BenchError(f"{MIB_NEEDED:,} MiB of memory are needed, and {free:,} are free")


@dataclass(slots=True)
class ManyTables:
    """Seconds from the commit of each change to its arrival at each socket of its table; how long all took to come, in
    seconds; how many leases the dealer in the same process has lost."""

    arrived: list[float] = field(default_factory=list)
    opened: float = 0.0
    leases_lost: int = 0


class _Floor:
    """Hears to which round, and which line of its log, each of the sockets is brought, and when. One push may bring the
    changes of several commits."""

    def __init__(self, lines: dict[str, list[Line]]) -> None:
        self.table_of = {line: slug for slug, some in lines.items() for line in some}
        self.committed: dict[str, list[tuple[int, int, float]]] = {slug: [] for slug in lines}
        self.heard: dict[Line, list[tuple[tuple[int, int], float]]] = {line: [] for line in self.table_of}

    def hear(self, line: Line, text: bytes, at: float) -> None:
        if (reached := reaches(text)) > (-1, -1):
            self.heard[line].append((reached, at))

    def lacks(self, changes: int) -> bool:
        """Whether fewer changes than these have been committed at a table, or a socket has not been sent the last."""
        if any(len(told) < changes for told in self.committed.values()):
            return True
        last = {slug: max(told)[:2] for slug, told in self.committed.items()}
        return any(not heard or heard[-1][0] < last[self.table_of[line]] for line, heard in self.heard.items())

    def arrived(self) -> Iterator[float]:
        """Seconds from each commit to the push that brings it, at each socket of its table."""
        for line, slug in self.table_of.items():
            heard = iter(self.heard[line])
            reached, at = next(heard)
            for *change, since in sorted(self.committed[slug]):
                while reached < tuple(change):
                    reached, at = next(heard)
                yield at - since


def many_tables(
    server: Child, clients: Clients, cookies: Sequence[str], tables: int, sockets: int, changes: int
) -> ManyTables:
    """So many tables with so many sockets each, at which a dealer opens rounds; then so many bets at every one of them,
    one table after the other. Raises BenchError if a socket is lost, or a change at any of them."""
    slugs, found = server.ask("open_tables", number=tables, within=300), ManyTables()
    begun, logins = perf_counter(), deque(cookies)
    lines: dict[str, list[Line]] = {}
    for slug in slugs:
        lines[slug] = clients.open(f"/ws/tables/{slug}/?lang=en", sockets, list(logins)[:sockets])
        logins.rotate(-sockets)
        clients.rest(0.001)  # pings are answered meanwhile
    found.opened = perf_counter() - begun
    rounds: dict[str, int] = server.ask("all_open", within=300)
    clients.quiet(0.5, within=60)
    server.ask("changes")
    leases = server.ask("leases")
    floor = _Floor(lines)
    clients.heard = floor.hear
    for _ in range(changes):
        for slug in slugs:
            lines[slug][0].say(bet(rounds[slug])[0])
            clients.rest(SECONDS_BETWEEN / len(slugs))
    last = perf_counter()
    while floor.lacks(changes):
        if perf_counter() - last > WITHIN_S:
            raise BenchError(f"every change at every socket did not come within {WITHIN_S} seconds")
        clients.rest(0.5)
        for slug, told in server.ask("changes").items():
            floor.committed[slug] += map(tuple, told)
    clients.heard = nothing
    found.arrived += floor.arrived()
    found.leases_lost = sum(leases[slug] != epoch for slug, epoch in server.ask("leases").items())
    for some in lines.values():
        clients.close(some)
    return found
