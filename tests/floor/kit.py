"""A client of the floor in a test: what it has on its screen, made of the page and of what was pushed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from html.parser import HTMLParser

from django.utils import translation

from tables import felt, queries
from tables.executor import in_database
from tables.felt import Viewer
from tables.hub import Hub, Socket, TableFeed
from tables.models import Account, Player, Table


class _TopLevel(HTMLParser):
    """Cuts a message into its top-level elements, by id."""

    VOID = frozenset({"br", "hr", "img", "input", "link", "meta", "source", "wbr"})

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self.text, self._depth, self._begin, self._id = text, 0, 0, ""
        self.elements: dict[str, str] = {}
        self._lines = [0]
        for line in text.split("\n")[:-1]:
            self._lines.append(self._lines[-1] + len(line) + 1)
        self.feed(text)
        self.close()
        assert self._depth == 0, f"unbalanced: {text[:200]}"

    def _at(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._depth == 0:
            self._begin, self._id = self._at(), dict(attrs).get("id") or ""
            assert self._id, f"a fragment without an id: {self.text[self._begin : self._begin + 100]}"
        if tag not in self.VOID:
            self._depth += 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._depth == 0:
            self._id = dict(attrs).get("id") or ""
            self.elements[self._id] = self.get_starttag_text() or ""

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            self._depth -= 1
            if self._depth == 0:
                assert self._id not in self.elements, f"{self._id} stands twice in one message"
                self.elements[self._id] = self.text[self._begin : self._at() + len(f"</{tag}>")]


def fragments_in(text: str) -> dict[str, str]:
    """The fragments of one message, by id, whole."""
    return _TopLevel(text).elements


@dataclass
class Client:
    """One open page: who looks, in which language, and what the pushes have made of it."""

    player: Player | None
    language: str
    screen: dict[str, str] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)
    broken: list[Exception] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.closed_with: int | None = None
        self.heard = asyncio.Event()
        self.socket = Socket(
            send=self._sent,
            close=self._closed,
            language=self.language,
            player=self.player.pk if self.player else None,
            name=str(self.player) if self.player else "",
            game="baccarat",
        )

    async def _sent(self, text: str) -> None:
        self.messages.append(text)
        try:
            self.screen |= fragments_in(text)
        except Exception as error:  # the hub is not to be told: a client's trouble is no trouble of the house
            self.broken.append(error)
        self.heard.set()

    async def _closed(self, code: int) -> None:
        self.closed_with = code


def fresh_page(table: Table, client: Client) -> dict[str, str]:
    """What a page loaded this moment would hold, fragment by fragment."""
    state = queries.table_state(table.pk)
    player = client.player
    viewer = Viewer(
        key=player.key if player else None,
        name=str(player) if player else "",
        balance_cents=Account.objects.get(player=player).balance if player else None,
        seat=state.seat_of(player.key if player else None),
        notice=client.socket.notice,
    )
    with translation.override(client.language):
        fragments = {**felt.public_fragments(state), **felt.private_fragments(state, viewer)}
    return {name: html.strip() for name, html in fragments.items()}


def differences(table: Table, client: Client) -> list[str]:
    """Fragments that a fresh load would show otherwise than the pushes have left them."""
    page = fresh_page(table, client)
    return [name for name, html in page.items() if client.screen.get(name) != html] + [
        f"{name} is on no page" for name in client.screen if name not in page and name != "live"
    ]


WITHIN = 30.0
"""Seconds that a push may take in a test before it counts as never coming."""


class Room:
    """One table, the clients that look at it through a real hub and channel layer."""

    def __init__(self, table: Table, hub: Hub) -> None:
        self.table, self.hub, self.clients = table, hub, list[Client]()
        self.feed: TableFeed | None = None

    async def enter(self, player: Player | None, language: str = "en") -> Client:
        """A page is opened: its socket joins, and it is sent the whole felt."""
        client = Client(player, language)
        self.clients.append(client)
        self.feed = await self.hub.join_table(client.socket, self.table.pk)
        return client

    async def agree(self) -> None:
        """Wait until every screen shows what a fresh load would show; fails with what differs."""
        for client in self.clients:
            try:
                async with asyncio.timeout(WITHIN):
                    while True:
                        client.heard.clear()
                        assert not client.broken, client.broken
                        if not await in_database(differences, self.table, client):
                            break
                        await client.heard.wait()
            except TimeoutError:
                raise AssertionError(
                    f"{client.player} ({client.language}) has otherwise than a fresh load: "
                    f"{await in_database(differences, self.table, client)}"
                ) from None
