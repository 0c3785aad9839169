"""A crowd for demonstrations, pictures and load: bettors that a program plays, over sockets as browsers open them.

Their names begin with "demo-", which nobody else may choose, so everybody sees who they are. They have logins of their
own, credits of the house's play money, and no right that a player has not. What they do is by chance, and by nothing
that a player could not see: which bets are sold, when bets are taken, and what they are asked.
"""

from __future__ import annotations

import asyncio
import html
import json
import random
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.request import urlopen
from uuid import uuid4

from autobahn.asyncio.websocket import WebSocketClientFactory, WebSocketClientProtocol
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

from tables.base.browser_sessions import SessionStore
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.models import Player
from tables.services.players import people, play_time

PREFIX = "demo-"
"""How the names of these bettors begin."""

SITS = 0.5
"""How many of them sit where one may stand, as a share."""

WAITS_S = (0.4, 5.0)
"""Seconds that a bettor takes to lay chips, and to decide: between these."""

LOGIN_S = 24 * 3600
"""Seconds that a login of theirs lasts."""

MULTIPLES = (1, 1, 1, 2, 5)
"""How many times the minimum is laid on a spot: one of these."""


@dataclass(frozen=True, slots=True)
class Login:
    """A bettor of the crowd: their name, and the cookie of their login."""

    player: int
    name: str
    cookie: str


def enlist(number: int, *, clock: Clock = DATABASE_CLOCK) -> list[Login]:
    """So many bettors, logged in: those of earlier crowds first, then new ones with the first credits."""
    with unit_of_work():
        found = list(Player.objects.filter(username__startswith=PREFIX, role="").order_by("pk")[:number])
        for count in range(len(found) + 1, number + 1):
            one = Player(username=f"{PREFIX}{count}", name=f"{PREFIX}{count}")
            one.set_unusable_password()
            one.save()
            people.welcome(one, clock=clock)
            found.append(one)
    play_time.seen([one.pk for one in found], clock.now())
    return [Login(one.pk, one.name, _cookie_of(one)) for one in found]


def _cookie_of(player: Player) -> str:
    session = SessionStore()
    session.set_expiry(LOGIN_S)
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


# ── What a bettor sees ──────────────────────────────────────────────────────────────────────────────────────

_SPOT = re.compile(r"<button\b[^>]*\bdata-spot=[^>]*>")
_SEAT = re.compile(r"<button\b[^>]*\bdata-seat=[^>]*>")
_RAIL = re.compile(r'<div id="rail"[^>]*>')
_WALLET = re.compile(r'<div id="wallet"[^>]*>')
_SEND = re.compile(r'data-send="([^"]*)"')
_ATTRIBUTE = re.compile(r'\bdata-([a-z-]+)="([^"]*)"')


def attributes(tag: str) -> dict[str, str]:
    """The data of an element."""
    return {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(tag)}


@dataclass(frozen=True, slots=True)
class Spot:
    """Where chips may be laid; amounts in cents. `common`: it belongs to the whole table, not to a seat."""

    name: str
    box: int | None
    common: bool
    least: int
    most: int

    @classmethod
    def of(cls, tag: str) -> Spot:
        told = attributes(tag)
        box = int(told["box"]) if told.get("box") else None
        least = int(told.get("least") or 0)
        return cls(told["spot"], box, "data-common" in tag, least, int(told.get("most") or 0) or least * 100)


@dataclass(frozen=True, slots=True)
class Felt:
    """What the page of a table says once: its spots and its seats."""

    slug: str
    spots: tuple[Spot, ...]
    seats: tuple[int, ...]

    @classmethod
    def read(cls, base: str, slug: str) -> Felt:
        """Raises OSError if the house does not answer, or has no such table."""
        with urlopen(f"{base}/tables/{slug}/", timeout=30) as answer:  # the address is ours
            page = answer.read().decode()
        spots = tuple(Spot.of(tag) for tag in _SPOT.findall(page))
        seats = tuple(int(attributes(tag)["seat"]) for tag in _SEAT.findall(page))
        return cls(slug, tuple(spot for spot in spots if spot.least), seats)

    def open_to(self, seat: int | None) -> list[Spot]:
        """Where somebody in this seat, or standing, may lay chips."""
        return [spot for spot in self.spots if spot.common or spot.box is None or spot.box == seat]

    @property
    def for_seated(self) -> bool:
        """Whether one has to sit here."""
        return not self.open_to(None)


# ── What a bettor does ──────────────────────────────────────────────────────────────────────────────────────


class Bettor(WebSocketClientProtocol):
    """One bettor at one table, from the first push to the last."""

    def __init__(self, felt: Felt, chance: random.Random, told: Callable[[], None]) -> None:
        """`told` is called after each round that they have bet in."""
        super().__init__()
        self._felt, self._chance, self._told = felt, chance, told
        self._seat: int | None = None
        self._round = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def onOpen(self) -> None:
        if self._felt.for_seated or self._chance.random() < SITS:
            self._sit()

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        text = payload.decode()
        if found := _WALLET.search(text):
            seat = attributes(found[0]).get("seat", "")
            self._seat = int(seat) if seat.isdecimal() else None
        if found := _RAIL.search(text):
            self._round_is(attributes(found[0]))
        if sends := _SEND.findall(text.partition('<div id="decision"')[2]):
            self._later(partial(self._decide, [json.loads(html.unescape(each)) for each in sends]))

    def onClose(self, wasClean: bool, code: int, reason: str) -> None:
        for task in self._tasks:
            task.cancel()

    def leave(self) -> None:
        """Stand up and go."""
        if self._seat is not None:
            self._say({"do": "stand_up"})
        self.sendClose()

    def _round_is(self, rail: Mapping[str, str]) -> None:
        number = int(rail.get("round") or 0)
        if rail.get("betting") == "1" and number != self._round:
            self._round = number
            self._later(self._bet)

    async def _bet(self) -> None:
        spots = self._felt.open_to(self._seat)
        if not spots:
            self._sit()  # the seat was somebody else's
            return
        for spot in self._chance.sample(spots, min(len(spots), self._chance.choice((1, 1, 2, 3)))):
            amount = min(spot.most, spot.least * self._chance.choice(MULTIPLES))
            box = spot.box if spot.box is not None or spot.common else self._seat
            self._say({"do": "bet", "round": self._round, "spot": spot.name, "box": box, "amount": amount})
        await self._waits()
        self._say({"do": "ready", "round": self._round})
        self._told()

    def _sit(self) -> None:
        if self._felt.seats:
            self._say({"do": "sit", "seat": self._chance.choice(self._felt.seats)})

    async def _decide(self, choices: Sequence[dict[str, Any]]) -> None:
        self._say({**self._chance.choice(choices), "round": self._round})

    def _later(self, deed: Callable[[], Awaitable[None]]) -> None:
        task = asyncio.get_running_loop().create_task(self._after_a_while(deed))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _after_a_while(self, deed: Callable[[], Awaitable[None]]) -> None:
        await self._waits()
        await deed()

    async def _waits(self) -> None:
        await asyncio.sleep(self._chance.uniform(*WAITS_S))

    def _say(self, message: Mapping[str, object]) -> None:
        text = json.dumps({**message, "ref": uuid4().hex})
        self.sendMessage(text.encode())  # type: ignore[no-untyped-call]


async def play(
    base: str,
    crowd: Sequence[Login],
    felts: Sequence[Felt],
    until: asyncio.Event,
    *,
    seed: int | None = None,
    most: int | None = None,
) -> int:
    """Let them play, spread over these tables, until it is time to go, or they have bet in `most` rounds together.
    How many those were.

    Raises OSError if the house cannot be reached.
    """
    loop = asyncio.get_running_loop()
    bettors, rounds = [], 0

    def count() -> None:
        nonlocal rounds
        rounds += 1
        if rounds == most:
            until.set()

    host, port = base.removeprefix("http://").rsplit(":", 1)
    for at, one in enumerate(crowd):
        felt = felts[at % len(felts)]
        factory = WebSocketClientFactory(  # type: ignore[no-untyped-call]
            f"ws://{host}:{port}/ws/tables/{felt.slug}/?lang=en", origin=base, headers={"Cookie": one.cookie}, loop=loop
        )
        whims = random.Random(None if seed is None else seed + at)
        factory.protocol = partial(Bettor, felt, whims, count)  # type: ignore[assignment]
        _transport, bettor = await loop.create_connection(factory, host, int(port))
        bettors.append(bettor)
    await until.wait()
    for bettor in bettors:
        bettor.leave()
    await asyncio.gather(*(bettor.is_closed for bettor in bettors))
    return rounds
