"""Bettors over real sockets, who come back as browsers do and send again what was not answered.

Each message bears a ref, goes out one to three times, and once more on the next connection until somebody has answered
it. What was answered is kept: it is held against the books in the end.
"""

from __future__ import annotations

import asyncio
import html
import json
import re
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from random import Random  # noqa: TID251 (a run that can be repeated: no chance of the house)
from time import monotonic
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

ANSWER_WITHIN_S = 6.0
"""What is not answered within so long is sent again, on the same connection."""

AGAIN_S, EAGER_S, IDLE_S = 2.5, 0.2, 2.0
"""Seconds: a table that waits for bets is bet at again after so long; how often a prober looks whether to bet, and how
long they wait if nobody wants to know."""

PACE_S = (0.1, 0.8)
"""Seconds that a bettor takes over what they do: between these."""

UNKNOWN = "cannot say yet"
"""In the words of an answer that says neither yes nor no."""

LATEST = 64
"""So many of the versions that a screen has shown are remembered."""

_SPOT = re.compile(r"<button\b[^>]*\bdata-spot=[^>]*>")
_SEAT = re.compile(r"<button\b[^>]*\bdata-seat=[^>]*>")
_ELEMENT = {name: re.compile(rf'<div[^>]*\bid="{name}"[^>]*>') for name in ("rail", "wallet", "notice", "live")}
_SEND = re.compile(r'data-send="([^"]*)"')
_ATTRIBUTE = re.compile(r'\bdata-([a-z-]+)="([^"]*)"')
_SHOWN = {"rail": ("round", "phase", "betting", "drawn"), "wallet": ("me", "balance", "seat", "ready", "bets")}
"""What must be the same on a screen and on a page made anew."""


def attributes(text: str, name: str) -> dict[str, str] | None:
    """The data of the element of this id; None if it is not there."""
    found = _ELEMENT[name].search(text)
    return found and {key: html.unescape(value) for key, value in _ATTRIBUTE.findall(found[0])}


def shown(rail: Mapping[str, str], wallet: Mapping[str, str]) -> tuple[str | None, ...]:
    return tuple(
        there.get(name) for there, names in ((rail, _SHOWN["rail"]), (wallet, _SHOWN["wallet"])) for name in names
    )


def version_of(live: Mapping[str, str]) -> tuple[int, ...]:
    """As numbers that grow: the round, and the line of its log."""
    return tuple(int(part) for part in re.findall(r"\d+", live["version"]))


@dataclass
class Bet:
    """One bet: how often it was sent, on how many connections, and what was answered, in order."""

    player: int
    ref: str
    message: dict[str, Any]
    sent: int = 0
    connections: int = 0
    last: float = 0.0
    answers: list[str] = field(default_factory=list)

    @property
    def settled(self) -> bool:
        """Whether somebody has said yes or no."""
        return any(kind in ("ok", "refused") for kind in self.answers)


@dataclass
class Felt:
    """The spots and seats of a table, as its page says."""

    slug: str
    spots: list[dict[str, str]]
    seats: list[int]

    @classmethod
    def of(cls, slug: str, page: str) -> Felt:
        def data(tag: str) -> dict[str, str]:
            return {key: html.unescape(value) for key, value in _ATTRIBUTE.findall(tag)}

        spots = [data(tag) | {"common": "1" if "data-common" in tag else ""} for tag in _SPOT.findall(page)]
        seats = [int(data(tag)["seat"]) for tag in _SEAT.findall(page)]
        return cls(slug, [spot for spot in spots if int(spot.get("least") or 0)], seats)

    def open_to(self, seat: int | None) -> list[dict[str, str]]:
        return [spot for spot in self.spots if spot["common"] or not spot.get("box") or spot["box"] == str(seat)]


class Bot:
    """One bettor at one table."""

    def __init__(
        self,
        player: int,
        cookie: str,
        felt: Felt,
        doors: Callable[[], list[int]],
        chance: Random,
        *,
        probes: bool,
        plays: bool = True,
    ) -> None:
        """`doors`: the ports behind which pages are served; a prober bets all the time and does nothing else; who
        does not play only looks."""
        self.player, self.cookie, self.felt, self.probes = player, cookie, felt, probes
        self._bets_by_round = plays and not probes
        self.fresh_at = 0.0
        self.waits: list[float] = []
        self.eager = False
        self.kept: list[str] | None = None
        self.port = 0
        self.bets: list[Bet] = []
        self.resyncs: list[float] = []
        self.accepted_sent_at = 0.0
        self.version: tuple[int, ...] = ()
        self.seen: deque[tuple[tuple[int, ...], float]] = deque(maxlen=LATEST)
        self.rail: dict[str, str] = {}
        self.wallet: dict[str, str] = {}
        self.held_back_until = 0.0
        self.opened = self.gaps = 0
        self._doors, self._chance = doors, chance
        self._waiting: dict[str, Bet] = {}
        self._socket: ClientConnection | None = None
        self._fresh = False
        self._asked_at = 0.0
        self._text_version = ""
        self._bet_in = 0
        self._numbers = count(1)
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def fresh(self) -> bool:
        """Whether it is connected and shows what the house has sent on this connection."""
        return self._fresh

    def cut(self, for_s: float) -> None:
        """Its line goes dead, without a word to the house, and is there again after so long."""
        self.held_back_until = monotonic() + for_s
        if self._socket is not None:
            self._socket.transport.abort()

    async def run(self) -> None:
        """Play until cancelled."""
        failed = 0
        while True:
            await asyncio.sleep(max(0.0, self.held_back_until - monotonic()))
            before = self.opened
            for port in self._doors():
                self.port, began = port, monotonic()
                with suppress(OSError, TimeoutError, InvalidHandshake, WebSocketException):
                    await self._stay(began)
                if self.opened > before:
                    break
            failed = 0 if self.opened > before else failed + 1
            chance = self._chance.random()  # as static/js/arithmetic.js has it
            await asyncio.sleep(min(8.0, 0.3 * 2**failed) * (0.5 + chance / 2) if failed else chance)

    async def _stay(self, began: float) -> None:
        base = f"127.0.0.1:{self.port}"
        async with connect(
            f"ws://{base}/ws/tables/{self.felt.slug}/?lang=en",
            origin=f"http://{base}",  # type: ignore[arg-type]
            additional_headers={"Cookie": self.cookie},
            open_timeout=10,
            ping_interval=None,
            close_timeout=0.5,
            max_size=None,
            compression=None,
        ) as socket:
            self._socket = socket
            self.opened += 1
            caring = asyncio.create_task(self._care())
            try:
                async for text in socket:
                    assert isinstance(text, str)
                    self._hear(text, began)
            finally:
                self._socket, self._fresh = None, False
                for task in (caring, *self._tasks):
                    task.cancel()

    # ── what it hears ───────────────────────────────────────────────────────────────────────────────────────

    def _hear(self, text: str, began: float) -> None:
        if self.kept is not None:
            self.kept.append(text)
        if (live := attributes(text, "live")) is not None:
            if live["base"] in ("*", self._text_version):
                self._text_version, self.version = live["version"], version_of(live)
                self.seen.append((self.version, monotonic()))
                if not self._fresh:
                    self._fresh, self.fresh_at = True, monotonic()
                    self.resyncs.append(monotonic() - began)
                    self._again()
            elif monotonic() - self._asked_at > 1.5:
                self._asked_at = monotonic()
                self.gaps += 1
                self._say({"do": "resync"})
        if (notice := attributes(text, "notice")) is not None and notice.get("ref"):
            self._is_answered(notice, UNKNOWN in text)
        if (wallet := attributes(text, "wallet")) is not None:
            self.wallet = wallet
        if (rail := attributes(text, "rail")) is not None:
            self.rail = rail
            if rail.get("betting") == "1" and int(rail["round"]) != self._bet_in and self._bets_by_round:
                self._bet_in = int(rail["round"])
                self._later(self._bet)
        _, found, decision = text.partition('<div id="decision"')
        if found and self._bets_by_round and (choices := _SEND.findall(decision)):
            self._later(lambda: self._decide(json.loads(html.unescape(self._chance.choice(choices)))))

    def _is_answered(self, notice: Mapping[str, str], unknown: bool) -> None:
        bet = self._waiting.get(notice["ref"])
        if bet is None:
            return
        kind = "unknown" if unknown else notice["kind"]
        bet.answers.append(kind)
        if kind == "ok":
            self.accepted_sent_at = bet.last
            if bet.connections == 1:
                self.waits.append(monotonic() - bet.last)
        if bet.settled:
            del self._waiting[bet.ref]

    # ── what it does ────────────────────────────────────────────────────────────────────────────────────────

    @property
    def _seat(self) -> int | None:
        seat = self.wallet.get("seat", "")
        return int(seat) if seat.isdecimal() else None

    def _bet(self) -> None:
        if self._seat is None and self.felt.seats and self._chance.random() < 0.5:
            self._say({"do": "sit", "seat": self._chance.choice(self.felt.seats), "ref": self._ref()})
        spots = self.felt.open_to(self._seat)
        for spot in self._chance.sample(spots, min(len(spots), self._chance.choice((1, 1, 2)))):
            self.lay(spot)
        self._later(lambda: self._say({"do": "ready", "round": self._bet_in, "ref": self._ref()}))

    def lay(self, spot: Mapping[str, str]) -> None:
        """One bet on this spot, sent one to three times."""
        box = int(spot["box"]) if spot.get("box") else None if spot["common"] else self._seat
        ref = self._ref()
        message = {
            "do": "bet", "round": int(self.rail["round"]), "spot": spot["spot"], "box": box,
            "amount": int(spot["least"]), "ref": ref,
        }  # fmt: skip
        bet = Bet(self.player, ref, message)
        self.bets.append(bet)
        self._waiting[bet.ref] = bet
        bet.connections = 1
        for _ in range(self._chance.choice((1, 1, 1, 2, 3))):
            self._send(bet)

    def _decide(self, choice: dict[str, Any]) -> None:
        if self.rail.get("round"):
            self._say({**choice, "round": int(self.rail["round"]), "ref": self._ref()})

    def _again(self) -> None:
        """What was not answered on the last connection."""
        for bet in list(self._waiting.values()):
            bet.connections += 1
            self._send(bet)

    def _send(self, bet: Bet) -> None:
        bet.sent, bet.last = bet.sent + 1, monotonic()
        self._say(bet.message)

    async def _care(self) -> None:
        """A prober bets; everybody asks again for what is not answered for too long."""
        while True:
            await asyncio.sleep(EAGER_S if self.probes else 0.5)
            now = monotonic()
            for bet in list(self._waiting.values()):
                if now - bet.last > (1.0 if self.probes else ANSWER_WITHIN_S):
                    self._send(bet)
            if not self._fresh or self._waiting or self.rail.get("betting") != "1":
                continue
            since = now - (self.bets[-1].last if self.bets else 0.0)
            if self.probes and (self.eager or since > IDLE_S):
                self.lay(self._chance.choice(self.felt.open_to(None)))
            elif self._bets_by_round and since > AGAIN_S:
                self._bet()

    def _later(self, deed: Callable[[], None]) -> None:
        async def after_a_while() -> None:
            await asyncio.sleep(self._chance.uniform(*PACE_S))
            deed()

        task = asyncio.get_running_loop().create_task(after_a_while())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _ref(self) -> str:
        return f"chaos-{self.player}-{next(self._numbers):06}"

    def _say(self, message: Mapping[str, object]) -> None:
        if self._socket is not None:
            task = asyncio.get_running_loop().create_task(self._put(self._socket, json.dumps(message)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    @staticmethod
    async def _put(socket: ClientConnection, text: str) -> None:
        with suppress(WebSocketException, OSError):
            await socket.send(text)


async def page(port: int, path: str, cookie: str, *, within_s: float = 5.0) -> str:
    """A page of the house, whole. Raises OSError or TimeoutError."""
    head, body = await answered(port, path, cookie, within_s=within_s)
    if " 200 " not in head.partition("\r\n")[0]:
        raise OSError(f"{path} is answered: {head.partition(chr(13))[0]}")
    return body


async def answered(port: int, path: str, cookie: str, *, within_s: float = 5.0) -> tuple[str, str]:
    """Head and body of what the house answers, whatever that is. Raises OSError or TimeoutError."""
    async with asyncio.timeout(within_s):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(
                f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\nAccept-Language: en\r\n"
                "Connection: close\r\n\r\n".encode()
            )
            answer = (await reader.read()).decode(errors="replace")
        finally:
            writer.close()
    head, _, body = answer.partition("\r\n\r\n")
    return head, body
