"""What the proof adds to a round with a crowd: how much of the CPU of whole rounds goes into links, seeds, keys, leaves
and what opens a card, all of it measured in the same rounds, in the server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from threading import local
from time import thread_time
from typing import Any

from tables.base.proof_format import MOST_LINKS, chain
from tables.games.contract.errors import Refused
from tables.models import Table
from tables.models.bettors import bettor_of
from tables.queries.shoes import open_list_of
from tables.services.rounds import links

from . import house

OF_THE_PROOF = (
    "tables.services.dealing.rounds.commit",
    "tables.services.dealing.rounds.links_awaited_until",
    "tables.services.dealing.rounds.seed_commitment_of",
    "tables.services.dealing.shoes._card_at",
    "tables.services.dealing.shoes._publish",
    "tables.services.dealing.shoes.close_links",
    "tables.services.dealing.shoes.made_pack",
    "tables.services.dealing.shoes.retire",
    "tables.services.dealing.shoes.seed_of_fresh_pack",
    "tables.services.dealing.throws._seed_of_throw",
    "tables.services.dealing.throws.commit",
    "tables.services.dealing.throws.made_throw",
    "tables.services.rounds.links.listed",
    "tables.queries.table._links",
    "tables.queries.table.dealt_from",
    "tables.felt.public._seals",
    "tables.felt.private._seals",
)
"""Everything of a round that is done for the proof, also what would be done for a pack or a throw without one."""

TURNED_AWAY = 2
"""Devices that ask in vain in each round. The others have read on the felt that the list is full, and rest."""


class Meter(local):
    """Seconds of CPU within what was wrapped, the outermost of it, in whichever thread."""

    depth = 0

    def __init__(self, taken: list[float]) -> None:
        self.taken = taken

    @property
    def seconds(self) -> float:
        return sum(self.taken)

    @contextmanager
    def runs(self) -> Iterator[None]:
        begun, self.depth = thread_time(), self.depth + 1
        try:
            yield
        finally:
            self.depth -= 1
            if not self.depth:
                self.taken.append(thread_time() - begun)

    def wrapped(self, what: Callable[..., Any]) -> Callable[..., Any]:
        def measured(*args: Any, **kwargs: Any) -> Any:
            with self.runs():
                return what(*args, **kwargs)

        return measured


class Devices:
    """Sixteen devices that contribute, and a crowd that finds no place."""

    def __init__(self, table: int, players: list[int], meter: Meter) -> None:
        self.table, self.players, self.meter = table, players, meter
        self.chains = {player: list(chain(f"{player:064x}", 100)) for player in players[:MOST_LINKS]}
        self.shown = 0

    def offer(self) -> None:
        with self.meter.runs():
            if not self.shown:  # what is revealed is offered for the next
                for player, links_left in self.chains.items():
                    links.offer(player, self.table, links_left[0])
            for player in self.players[MOST_LINKS : MOST_LINKS + TURNED_AWAY]:
                with suppress(Refused):
                    links.offer(player, self.table, self.chains[self.players[0]][0])

    def reveal(self) -> None:
        """As soon as the felt shows a list: each that is in it, its next link."""
        with self.meter.runs():
            shown = open_list_of(self.table)
            if shown is None or shown.number == self.shown:
                return
            self.shown, offered = shown.number, dict(shown.offered)
            beneath = []
            for player, links_left in self.chains.items():
                if offered.get(bettor_of(player)) == links_left[0]:
                    del links_left[0]
                    beneath.append(links.Reveal(player, shown.number, links_left[0]))
            links.reveal_many(self.table, beneath)  # all hear of the list in one push


def watched() -> Meter:
    """Measure from here on, for good, what this process does for the proof."""
    meter = Meter([])
    for name in OF_THE_PROOF:
        module, _, function = name.rpartition(".")
        setattr(import_module(module), function, meter.wrapped(getattr(import_module(module), function)))
    return meter


def fresh_round(table: house.BenchTable, devices: Devices) -> int:
    """As `BenchTable.fresh_round`; whoever is in a list that is published meanwhile reveals their link."""
    if Table.objects.get(pk=table.pk).round_id is not None:
        table.until("settled")
    for _ in range(100):
        table.step()
        devices.reveal()
        if table.round().phase == "betting":
            return int(table.round().pk)
    raise AssertionError("betting never came")
