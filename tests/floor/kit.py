"""A client of the floor in a test: what it has on its screen, made of the page and of what was pushed."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from django.utils import translation

from tables.base.executor import in_database
from tables.felt.private import Viewer, private_fragments
from tables.felt.public import public_fragments
from tables.games.contract.round import Round
from tables.live.feeds import TableFeed
from tables.live.hub import Hub
from tables.live.sockets import Socket
from tables.models import Account, Player, Table
from tables.queries.own import own_of
from tables.queries.table import table_state, version_of
from tests.house.kit import House
from tests.house.processes import WITHIN

TAG = re.compile(r"""<!--.*?-->|<(/?)([a-zA-Z][^\s/>]*)((?:[^"'>]|"[^"]*"|'[^']*')*)>""", re.DOTALL)
"""A comment, or a tag: whether it closes, its name, and the rest of it."""

ID = re.compile(r"""\sid="([^"]*)\"""")

VOID = frozenset({"br", "hr", "img", "input", "link", "meta", "source", "wbr"})


@lru_cache(maxsize=500)
def _cut(text: str) -> tuple[tuple[str, str], ...]:
    """The top-level elements of a message, each with its id. Screens of one language hear the same messages."""
    found: dict[str, str] = {}
    open_: list[str] = []
    name, begin, end = "", 0, 0
    for tag in TAG.finditer(text):
        closes, kind, rest = tag.groups()
        if kind is None:
            continue
        if closes:
            assert open_ and open_[-1] == kind, f"unbalanced: </{kind}> within {open_} in {text[:200]}"
            open_.pop()
        else:
            if not open_:
                begin, its_id = tag.start(), ID.search(rest)
                assert not text[end:begin].strip(), f"between two fragments: {text[end:begin][:100]}"
                assert its_id and its_id[1], f"a fragment without an id: {text[begin : begin + 100]}"
                name = its_id[1]
            if kind not in VOID and not rest.endswith("/"):
                open_.append(kind)
        if not open_:
            end = tag.end()
            assert name not in found, f"{name} stands twice in one message"
            found[name] = text[begin:end]
    assert not open_, f"unbalanced: {text[:200]}"
    return tuple(found.items())


def fragments_in(text: str) -> dict[str, str]:
    """The fragments of one message, by id, whole."""
    return dict(_cut(text))


@dataclass
class Client:
    """One open page: who looks, in which language, and what the pushes have made of it."""

    player: Player | None
    language: str
    game: str
    heard: asyncio.Event
    screen: dict[str, str] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)
    broken: list[Exception] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.closed_with: int | None = None
        self.socket = Socket(
            send=self._sent,
            close=self._closed,
            language=self.language,
            player=self.player.pk if self.player else None,
            name=str(self.player) if self.player else "",
            game=self.game,
        )

    async def _sent(self, text: str) -> None:
        self.messages.append(text)
        try:
            self.screen |= fragments_in(text)
            self.screen.pop("leaves", None)  # a page fetches them (tables/felt/leaves.py)
        except Exception as error:  # the hub is not to be told: a client's trouble is no trouble of the house
            self.broken.append(error)
        self.heard.set()

    async def _closed(self, code: int) -> None:
        self.closed_with = code


def fresh_pages(table: Table, clients: Sequence[Client]) -> list[dict[str, str]]:
    """What the page of each would hold, loaded this moment, fragment by fragment."""
    state = table_state(table.pk)
    public: dict[str, dict[str, str]] = {}
    pages = []
    for client in clients:
        player = client.player
        viewer = Viewer(
            key=player.key if player else None,
            name=str(player) if player else "",
            balance_cents=Account.objects.get(player=player).balance if player else None,
            seat=state.seat_of(player.key if player else None),
            muted=own_of([player.pk], table.game)[player.pk].muted if player else (),
        )
        with translation.override(client.language):
            if client.language not in public:
                public[client.language] = public_fragments(state)
            fragments = {**public[client.language], **private_fragments(state, viewer)}
        pages.append({name: html.strip() for name, html in fragments.items()})
    return pages


def differences(table: Table, clients: Sequence[Client]) -> list[str]:
    """What a fresh load would show otherwise than the pushes have left it, and on whose screen.

    Nothing is drawn to be compared while somebody has not even heard of the present version.
    """
    version = version_of(table.pk)
    if late := [client for client in clients if client.socket.version != version]:
        return [f"{client.player} ({client.language}): is at {client.socket.version}, not {version}" for client in late]
    return [
        f"{client.player} ({client.language}): {name}"
        for client, page in zip(clients, fresh_pages(table, clients), strict=True)
        for name in (page | client.screen)
        if name != "live" and client.screen.get(name) != page.get(name)
    ]


class Room:
    """One table, the clients that look at it through a real hub and channel layer."""

    def __init__(self, table: Table, hub: Hub) -> None:
        self.table, self.hub, self.clients = table, hub, list[Client]()
        self.heard = asyncio.Event()
        self.feed: TableFeed | None = None

    async def enter(self, player: Player | None, language: str = "en") -> Client:
        """A page is opened: its socket joins, and it is sent the whole felt."""
        client = Client(player, language, self.table.game, self.heard)
        self.clients.append(client)
        self.feed = await self.hub.join_table(client.socket, self.table.pk)
        return client

    async def agree(self) -> None:
        """Wait until every screen shows what a fresh load would show; fails with what differs."""
        apart: list[str] = []
        try:
            async with asyncio.timeout(WITHIN):
                while True:
                    self.heard.clear()
                    broken = [error for client in self.clients for error in client.broken]
                    assert not broken, broken
                    apart = await in_database(differences, self.table, self.clients)
                    if not apart:
                        return
                    await self.heard.wait()
        except TimeoutError:
            raise AssertionError(f"otherwise than a fresh load: {apart}") from None

    # ── a round, with every screen at each of its steps ─────────────────────────────────────────────────────

    async def does(self, deed: Callable[[], object]) -> None:
        """Something is done at the table, and every screen comes to show it."""
        await in_database(deed)
        await self.agree()

    async def until(self, house: House, there: Callable[[Round], bool]) -> None:
        """The dealer goes on, one step after the other, until the round is where it should be."""
        for _ in range(200):
            state = await in_database(table_state, self.table.pk)
            if state.round is not None and there(state.round):
                return
            await self.does(lambda: house.step(self.table))
        raise AssertionError("it never came there")

    async def until_phase(self, house: House, *phases: str) -> None:
        await self.until(house, lambda round_: round_.phase in phases)

    async def until_asked(self, house: House) -> None:
        """The dealer does all that they owe, until somebody has to decide or the round is over."""
        await self.until(house, lambda round_: round_.over or round_.next_house_step() is None)

    async def until_over(self, house: House) -> None:
        """Whoever is waited for lets their time run out."""
        await self.until(house, lambda round_: round_.over)
