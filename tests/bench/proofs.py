"""What the proof adds to a round with a crowd: how much of the CPU of whole rounds goes into links, seeds, keys, leaves
and what opens a card, all of it measured in the same rounds, in a child process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from time import thread_time
from typing import Any

from django.test import Client
from django.utils import translation

from tables.base.proof_format import MOST_LINKS, chain
from tables.felt.private import PrivatePart, Viewer
from tables.felt.public import public_fragments
from tables.games.contract.errors import Refused
from tables.models import Table
from tables.models.bettors import bettor_of
from tables.queries.shoes import open_list_of
from tables.queries.table import TableState, table_state
from tables.services.rounds import links

from . import house
from .places import SLUG

OF_THE_PROOF = (
    "tables.services.dealing.rounds.commit",
    "tables.services.dealing.rounds.links_awaited_until",
    "tables.services.dealing.rounds.seed_commitment_of",
    "tables.services.dealing.shoes._card_at",
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

BURST = 50
TURNED_AWAY = 90
"""Devices that ask in vain in each round: each of the other 984 tries again after five to ten minutes."""


class Meter:
    """Seconds of CPU within what was wrapped, the outermost of it."""

    def __init__(self) -> None:
        self.seconds, self._depth = 0.0, 0

    @contextmanager
    def runs(self) -> Iterator[None]:
        begun, self._depth = thread_time(), self._depth + 1
        try:
            yield
        finally:
            self._depth -= 1
            if not self._depth:
                self.seconds += thread_time() - begun

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
            for player, links_left in self.chains.items():
                if offered.get(bettor_of(player)) == links_left[0]:
                    del links_left[0]
                    links.reveal(player, self.table, shown.number, links_left[0])


def proof(slug: str, players: list[int], runs: int) -> dict[str, Any]:
    """Seconds of CPU of whole rounds in which all these bet, and how much of each is the proof's; how many links were
    in the throws or packs of it."""
    table, meter = house.BenchTable(slug), Meter()
    devices = Devices(table.pk, players, meter)
    found = []
    for name in OF_THE_PROOF:  # for good: this process does nothing else
        module, _, function = name.rpartition(".")
        setattr(import_module(module), function, meter.wrapped(getattr(import_module(module), function)))
    with translation.override("en"):
        for _ in range(runs + 2):
            begun, meter.seconds = thread_time(), 0.0
            _round(table, players, devices)
            found.append((thread_time() - begun, meter.seconds))
    return {"rounds": found[2:], "list": devices.shown}


def _round(table: house.BenchTable, players: list[int], devices: Devices) -> None:
    """A round as a server draws it for the crowd: a push after every burst of bets and every step of the dealer."""
    while Table.objects.get(pk=table.pk).round_id is None or table.round().phase != "betting":
        table.step()
        devices.reveal()
    felt = _Felt(table.pk)
    spot = "player" if table.round().game == "baccarat" else "red"
    for at in range(0, len(players), BURST):
        table.place(table.round().pk, table.requests(players[at : at + BURST], spot))
        felt.push(players[at : at + BURST])
    devices.offer()
    devices.reveal()
    while (phase := table.round().phase) != "settled":
        table.step()
        now = table.round().phase
        felt.push(players if now != phase and now in ("no_more_bets", "settled") else [])


class _Felt:
    def __init__(self, table: int) -> None:
        self.table = table
        self.state: TableState | None = None

    def push(self, players: list[int]) -> None:
        self.state = table_state(self.table, before=self.state)
        json.dumps("".join(public_fragments(self.state).values()))
        for player in players:
            PrivatePart.of(self.state, Viewer(bettor_of(player), "Bettor", 100_000)).fragments()


def leaves(runs: int) -> list[float]:
    """Seconds of CPU for the leaves of a fresh pack of eight decks, for one device more."""
    shoe = Table.objects.get(slug=SLUG).shoe_id
    client, found = Client(), []
    for _ in range(runs + 5):
        begun = thread_time()
        assert client.get(f"/shoes/{shoe}/leaves.txt").status_code == 200
        found.append(thread_time() - begun)
    return found[5:]
