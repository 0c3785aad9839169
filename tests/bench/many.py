"""A whole floor in one process: many tables, many sockets at each, and a change at one table after the other."""

from __future__ import annotations

import os
import resource
from collections import defaultdict, deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter

from .clients import Clients, Line, nothing
from .places import BenchError, Child
from .sockets import bet, is_change

SECONDS_BETWEEN = 2.0
"""So long after a change of a table comes its next one."""

FILES_BESIDE = 200
"""Files that a process has open beside its sockets."""

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
    """Hears which change of their table each of the sockets has been sent."""

    def __init__(self, lines: dict[str, list[Line]]) -> None:
        self.table_of = {line: slug for slug, some in lines.items() for line in some}
        self.said: dict[str, int] = defaultdict(int)
        self.heard: dict[Line, list[float]] = defaultdict(list)

    def hear(self, line: Line, text: bytes, at: float) -> None:
        if is_change(text):
            self.heard[line].append(at)

    @property
    def complete(self) -> bool:
        return all(len(self.heard[line]) >= self.said[slug] for line, slug in self.table_of.items())


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
            floor.said[slug] += 1
            lines[slug][0].say(bet(rounds[slug])[0])
            clients.rest(SECONDS_BETWEEN / len(slugs))
    try:
        clients.run(lambda: floor.complete, within=30, what="every change at every socket")
    finally:
        clients.heard = nothing
    committed: dict[str, list[float]] = server.ask("changes")
    for line, slug in floor.table_of.items():
        if len(floor.heard[line]) != len(committed[slug]):
            raise BenchError(
                f"{len(committed[slug])} changes of {slug}, of which a socket was sent {len(floor.heard[line])}"
            )
        found.arrived += [at - since for at, since in zip(floor.heard[line], committed[slug], strict=True)]
    found.leases_lost = sum(leases[slug] != epoch for slug, epoch in server.ask("leases").items())
    for some in lines.values():
        clients.close(some)
    return found
