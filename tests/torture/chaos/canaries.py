"""Looks for what nobody may know yet in everything that leaves the house (H10): seeds, salts and cards to come.

A sweep collects what each role gets from each surface, asks the clerk what is secret still, and looks for that: as
hexadecimal digits, in base64, and as cards in a row, however they are written.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .bots import Bot, answered
from .topology import Topology

WINDOW = 6
"""So many cards in a row, in the order in which they will leave the shoe, are no accident."""

STAFF = ("pit_boss", "surveillance")

SWEEP_EVERY_S = 20.0

LOG_BYTES, MONITOR_CHUNKS = 1 << 20, 4_000
"""How much of each log, and of what Redis was told, is kept for a sweep."""

_DIGITS = re.compile(r"[0-9a-fA-F]{32,}")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{22,}")
_CARD = re.compile(r"(?<![0-9A-Za-z])(10|[2-9TJQKA])([shdc♠♥♦♣])(?![0-9A-Za-z])")
_SUITS = dict(zip("♠♥♦♣", "shdc", strict=True))


@dataclass(frozen=True)
class Secrets:
    """What must occur nowhere: hexadecimal digits, each with what it is, and cards in a row."""

    digits: Mapping[str, str]
    windows: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Secrets:
        return cls(told["digits"], frozenset(map(tuple, told["windows"])))

    def found_in(self, text: str) -> Iterator[str]:
        """What of it occurs in this text."""
        for match in _DIGITS.finditer(text):
            yield from self._among(match[0].lower())
        for match in _BASE64.finditer(text):
            with suppress(binascii.Error, ValueError):
                padded = match[0].replace("-", "+").replace("_", "/")
                raw = base64.b64decode(padded + "=" * (-len(padded) % 4))
                yield from self._among(raw.hex())
                yield from self._among(raw.decode("ascii", errors="ignore").lower())
        cards = [("T" if rank == "10" else rank) + _SUITS.get(suit, suit) for rank, suit in _CARD.findall(text)]
        for at in range(len(cards) - WINDOW + 1):
            if tuple(cards[at : at + WINDOW]) in self.windows:
                yield f"cards to come: {' '.join(cards[at : at + WINDOW])}"

    def _among(self, digits: str) -> Iterator[str]:
        for size in (32, 64):
            for at in range(min(len(digits) - size + 1, 512)):
                if (what := self.digits.get(digits[at : at + size])) is not None:
                    yield what


@dataclass
class Canaries:
    """What was looked at, and what was found."""

    house: Topology
    ask: Callable[..., Awaitable[Any]]
    bots: Sequence[Bot]
    sweeps: int = 0
    looked: Counter[tuple[str, str]] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)
    _heard: list[str] = field(default_factory=list)
    _staff: dict[str, str] = field(default_factory=dict)

    @property
    def surfaces(self) -> set[str]:
        return {surface for surface, _ in self.looked}

    @property
    def roles(self) -> set[str]:
        return {role for _, role in self.looked if role}

    async def run(self) -> None:
        """Sweep again and again, until cancelled."""
        while True:
            with suppress(Exception):  # in the middle of a fault somebody does not answer: the next sweep comes
                await self.sweep()
            await asyncio.sleep(SWEEP_EVERY_S)

    async def sweep(self) -> None:
        """Look everywhere once. Raises whatever an answer that does not come raises."""
        if not self._staff:
            self._staff = await self.ask("staff", roles=list(STAFF))
        cookies = {"stranger": "", "player": self.bots[0].cookie, **self._staff}
        monitor = asyncio.create_task(self._monitor())
        for bot in self.bots:
            bot.kept = []
        texts = [one async for one in self._pages(cookies, await self.ask("places"))]
        texts += [("frames", "player", "\n".join(bot.kept or ())) for bot in self.bots]
        for bot in self.bots:
            bot.kept = None
        monitor.cancel()
        texts += [("Redis", "", "".join(self._heard)), ("database", "", await self.ask("dump")), *self._files()]
        secrets = Secrets.of(await self.ask("secrets", window=WINDOW))
        await asyncio.to_thread(self._search, texts, secrets)
        self.sweeps += 1

    def _search(self, texts: Sequence[tuple[str, str, str]], secrets: Secrets) -> None:
        for surface, role, text in texts:
            self.looked[surface, role] += bool(text)
            self.violations += [
                f"I13: {what} is in {surface} ({role or 'the house'})" for what in secrets.found_in(text)
            ]

    async def _pages(
        self, cookies: Mapping[str, str], places: Mapping[str, Any]
    ) -> AsyncIterator[tuple[str, str, str]]:
        """Surface, role and text of everything that is answered over HTTP."""
        slug = self.bots[self.sweeps % len(self.bots)].felt.slug
        paths = {
            "tables": [f"/tables/{slug}/", f"/tables/{slug}/beside/"],
            "lobby": ["/", "/side-by-side/", "/mine/"],
            "rounds": [f"/rounds/{pk}/" for pk in places["rounds"]],
            "records": [f"/rounds/{pk}/{name}.json" for pk in places["rounds"] for name in ("record", "proof")],
            "shoes": [f"/shoes/{pk}/{name}" for pk in places["shoes"] for name in ("", "opening.txt", "leaves.txt")],
            "throws": [f"/rounds/{pk}/throws/{name}" for pk in places["thrown"] for name in ("", "1.txt")],
            "sheets": ["/history.csv", "/pit/reports.csv", "/pit/ratings.csv", "/pit/events/significant.csv"],
            "pit": ["/pit/", f"/pit/tables/{slug}/", "/pit/house/", *(f"/pit/rounds/{pk}/" for pk in places["rounds"])],
            "admin": [f"/pit/admin/tables/{name}/" for name in ("roundlog", "loggedaction", "table", "transfer")],
            "errors": ["/nowhere/", "/tables/nowhere/", "/rounds/999999999/", "/shoes/999999999/"],
            "history": ["/history/", "/verify/", "/account/"],
            "metrics": ["/metrics"],
        }
        for surface, of_it in paths.items():
            for path in of_it:
                for role, cookie in cookies.items():
                    with suppress(OSError, TimeoutError):
                        head, body = await answered(self.house.ports[self.sweeps % 2], path, cookie)
                        yield surface, role, body
                        yield "headers", role, head

    def _files(self) -> Iterator[tuple[str, str, str]]:
        for log in sorted(self.house.folder.glob("*.log")):
            with log.open("rb") as file:
                file.seek(max(0, log.stat().st_size - LOG_BYTES))
                yield "logs", "", file.read().decode(errors="replace")
        for anchors in self.house.folder.glob("anchors*"):
            yield "anchors", "", anchors.read_text(errors="replace")
        for web in self.house.webs:
            with suppress(OSError):
                yield "environment", "", Path(f"/proc/{web.pid}/environ").read_text(errors="replace")

    async def _monitor(self) -> None:
        """What Redis is told, while a sweep lasts."""
        self._heard.clear()
        reader, writer = await asyncio.open_unix_connection(self.house.valkey.socket)
        try:
            writer.write(b"MONITOR\r\n")
            while (piece := await reader.read(65536)) and len(self._heard) < MONITOR_CHUNKS:
                self._heard.append(piece.decode(errors="replace"))
        finally:
            writer.close()
