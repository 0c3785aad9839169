"""The sockets: they translate. What a client says goes to a service; what comes back is a notice and the felt.

No rule is here. Each message is authorised by itself, by whom the socket belongs to: a client never says who he is.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from time import monotonic
from typing import Any
from urllib.parse import parse_qs

import structlog
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.utils import await_many_dispatch
from django.conf import settings

from . import messages
from .executor import in_database
from .felt import Notice
from .games import GAMES
from .games.codec import action_from
from .games.protocol import Action, Refused
from .games.words import Words, say
from .hub import Socket, TableFeed, hub, rendered_notice
from .messages import Malformed
from .models import Table
from .services import betting, playing, seating
from .services.betting import Answer, BetRequest

log = structlog.get_logger(__name__)

POLICY = 4008
FORBIDDEN = 4403

BURST = 30
"""Messages a client may send at once …"""

PER_SECOND = 12.0
"""… and how fast it may go on."""

PATIENCE = 60
"""After so many messages too many the line is cut."""


class Bucket:
    """A token bucket: `take` says whether one more message is allowed now."""

    def __init__(self) -> None:
        self._tokens, self._at, self.excess = float(BURST), monotonic(), 0

    def take(self) -> bool:
        now = monotonic()
        self._tokens = min(float(BURST), self._tokens + (now - self._at) * PER_SECOND)
        self._at = now
        if self._tokens < 1:
            self.excess += 1
            return False
        self._tokens -= 1
        return True


class BetQueue:
    """Bets of one round that arrive together are placed together: one transaction for the burst."""

    def __init__(self) -> None:
        self._waiting: defaultdict[int, list[tuple[BetRequest, asyncio.Future[Answer]]]] = defaultdict(list)
        self._working: set[int] = set()

    async def place(self, round_id: int, request: BetRequest) -> Answer:
        """Place one bet, with whatever others are waiting for the same round."""
        done: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[round_id].append((request, done))
        if round_id not in self._working:
            self._working.add(round_id)
            try:
                while burst := self._waiting.pop(round_id, None):
                    await self._place_burst(round_id, burst)
            finally:
                self._working.discard(round_id)
        return await done

    async def _place_burst(self, round_id: int, burst: list[tuple[BetRequest, asyncio.Future[Answer]]]) -> None:
        try:
            answers = await in_database(betting.place_many, round_id, [request for request, _ in burst])
        except Exception as error:
            for _, done in burst:
                if not done.done():
                    done.set_exception(error)
            return
        for (_, done), answer in zip(burst, answers, strict=True):
            if not done.done():
                done.set_result(answer)


bets = BetQueue()
_per_address: Counter[str] = Counter()
_per_player: Counter[int] = Counter()


class FloorSocket(AsyncWebsocketConsumer):
    """What all our sockets share: who is there, in which language, how much and how fast he may speak."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """As Channels' own, without a channel for each socket: the hub hears for all of them."""
        self.scope = scope
        self.base_send: Any = send
        try:
            await await_many_dispatch([receive], self.dispatch)
        except StopConsumer:
            pass  # the line is down
        finally:
            self._forget()

    async def dispatch(self, message: Any) -> None:
        """As Channels' own, without its hop to a shared thread at every message (database work is elsewhere)."""
        match message["type"]:
            case "websocket.connect":
                await self.websocket_connect(message)
            case "websocket.receive":
                await self.websocket_receive(message)
            case "websocket.disconnect":
                await self.disconnect(message["code"])
                raise StopConsumer

    async def connect(self) -> None:
        user = self.scope.get("user")
        player = user.pk if user is not None and user.is_authenticated else None
        self.bucket = Bucket()
        self.socket = Socket(
            send=self._send_text,
            close=self._close,
            language=self._language(),
            player=player,
            name=str(user) if player is not None else "",
            session=self.scope["session"].session_key if player is not None else None,
        )
        self._address = (self.scope.get("client") or ["unknown"])[0]
        self._counted = False
        if _per_address[self._address] >= settings.SOCKETS_PER_ADDRESS or (
            player is not None and _per_player[player] >= settings.SOCKETS_PER_PLAYER
        ):
            await self.accept()
            await self.close(code=POLICY)
            return
        self._counted = True
        _per_address[self._address] += 1
        if player is not None:
            _per_player[player] += 1
        await self.joined()

    async def joined(self) -> None:
        """Accept, or close with a reason."""
        raise NotImplementedError

    async def left(self) -> None:
        """The line is down."""
        raise NotImplementedError

    async def said(self, message: messages.Message) -> None:
        """One well-formed message."""
        raise NotImplementedError

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self.bucket.take():
            if self.bucket.excess > PATIENCE:
                await self.close(code=POLICY)
            elif self.bucket.excess == 1:
                await self.answer(Notice("refused", "", say("Slower, please."), None, ""))
            return
        if text_data is None:
            await self.close(code=POLICY)
            return
        try:
            message = messages.parse(text_data)
        except Malformed as error:
            await self.answer(
                Notice("refused", "", say("This was not understood: %(reason)s.", reason=str(error)), None, "")
            )
            return
        await self.said(message)

    async def disconnect(self, code: int) -> None:
        if self._counted:
            await self.left()

    def _forget(self) -> None:
        if getattr(self, "_counted", False):
            self._counted = False
            _per_address[self._address] -= 1
            if self.socket.player is not None:
                _per_player[self.socket.player] -= 1

    async def answer(self, notice: Notice) -> None:
        """Tell this client what became of what it said."""
        self.socket.notice = notice
        answer = rendered_notice(notice, self.socket)  # reads nothing: not worth a thread
        self.socket.private["notice"] = answer
        await self._send_text(answer)

    async def _send_text(self, text: str) -> None:
        await self.base_send({"type": "websocket.send", "text": text})

    async def _close(self, code: int) -> None:
        await self.close(code=code)

    def _language(self) -> str:
        asked = parse_qs(self.scope.get("query_string", b"").decode("latin-1")).get("lang", [""])[0]
        known = [code for code, _ in settings.LANGUAGES]
        return asked if asked in known else settings.LANGUAGE_CODE


class LobbySocket(FloorSocket):
    """Looks at the lobby; says nothing."""

    async def joined(self) -> None:
        await self.accept()
        await hub.join_lobby(self.socket)

    async def left(self) -> None:
        hub.leave_lobby(self.socket)

    async def said(self, message: messages.Message) -> None:
        if isinstance(message, messages.Resync):
            await hub.join_lobby(self.socket)


class TableSocket(FloorSocket):
    """One person at one table, seated, standing or watching."""

    feed: TableFeed | None = None

    async def joined(self) -> None:
        slug = self.scope["url_route"]["kwargs"]["slug"]
        table = await in_database(Table.objects.filter(slug=slug).values_list("pk", "game").first)
        await self.accept()
        if table is None:
            await self.close(code=FORBIDDEN)
            return
        table_id, self.socket.game = table
        self.feed = await hub.join_table(self.socket, table_id)

    async def left(self) -> None:
        if self.feed is not None:
            await hub.leave_table(self.socket, self.feed)

    async def said(self, message: messages.Message) -> None:
        if self.feed is None:
            return
        if isinstance(message, messages.Resync):
            self.feed.send_whole(self.socket)
            return
        ref = getattr(message, "ref", "")
        spot = getattr(message, "spot", None)
        if self.socket.player is None:
            await self.answer(Notice("refused", "", say("Log in, or play as a guest, to take part."), spot, ref))
            return
        try:
            done = await self._do(message, self.socket.player)
        except Refused as refusal:
            await self.answer(Notice("refused", refusal.article, refusal.words, spot, ref))
        except Exception:
            log.exception("a message failed", message=type(message).__name__)
            await self.answer(Notice("refused", "", say("The house has erred. Nothing has changed."), spot, ref))
        else:
            await self.answer(Notice("ok", "", done, spot, ref))

    async def _do(self, message: messages.Message, player: int) -> Words:
        """Have it done. Raises Refused; returns what to say."""
        assert self.feed is not None
        table = self.feed.table_id
        match message:
            case messages.Bet(round=round_id, ref=ref, spot=spot, amount=amount, box=box):
                answer = await bets.place(round_id, BetRequest(player, ref, spot, amount, box))
                if isinstance(answer, Refused):
                    raise answer
                return say("Placed.")
            case messages.SitDown(seat=seat):
                await in_database(seating.sit, player, table, seat)
                return say("You have seat %(seat)s.", seat=seat)
            case messages.StandUp():
                await in_database(seating.stand_up, player, table)
                return say("You have left your seat.")
            case messages.Cut() | messages.Decline() | messages.Turn() | messages.Waive() | messages.Pass():
                action = _action(message, self.socket.game, player)
                await in_database(playing.decide, player, message.round, message.ref, action)
                return say("Done.")
            case messages.InRound():
                action = _action(message, self.socket.game, player)
                await in_database(betting.change, player, message.round, message.ref, action)
                return say("Done.")
            case _:
                raise Refused("", say("There is nothing like that here."))


def _action(message: messages.InRound, game: str, player: int) -> Action:
    """The action of the rules that a message asks for, by the one whose socket it came over. Raises Refused."""
    fields = {
        name: getattr(message, name) for name in message.__dataclass_fields__ if name not in ("do", "round", "ref")
    }
    try:
        return action_from(GAMES[game], {"do": message.do, "by": f"p{player}", **fields})
    except ValueError:
        raise Refused("", say("There is nothing like that here.")) from None
