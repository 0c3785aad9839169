"""The sockets: they translate. What a client says goes to a service; what comes back is a notice and the felt.

No rule is here. Each message is authorised by itself, by whom the socket belongs to: a client never says who it is.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, TypedDict, cast
from urllib.parse import parse_qs

import structlog
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from casino.addresses import network_of
from casino.frames import PUSH
from tables.base import metrics, security
from tables.base.executor import in_database
from tables.felt.jackpot import ALL
from tables.felt.notices import Notice, Offer, notice_fragment, notice_of, spot_key
from tables.games import GAMES
from tables.games.codec import action_from
from tables.games.contract.actions import Action
from tables.games.contract.errors import Refused
from tables.games.values.words import Words, say
from tables.models import Jackpot, Kiosk, Realm, Table
from tables.models.bettors import bettor_of
from tables.pit.board import Buttons
from tables.queries.table import Addressed
from tables.services.kiosk import kiosks, screen_sessions
from tables.services.players import chat, origins
from tables.services.rounds import betting, decisions, doubts, favourites, links, seating, squeezing
from tables.services.rounds.betting import BetRequest

from . import messages, outcomes
from .boards import Board, closed_to
from .buckets import Bucket, Share, buckets
from .bursts import bets, reveals
from .feeds import TableFeed
from .hub import hub
from .messages import Malformed
from .sockets import FORBIDDEN, NOT_LOGGED_IN, Socket

log = structlog.get_logger(__name__)

CLOSE_TOO_MUCH = 4008

EXCESS_MESSAGES = 60
"""After so many messages too many the connection is cut."""

_per_address: Counter[str] = Counter()
_per_player: Counter[int] = Counter()


class FloorSocket(AsyncWebsocketConsumer):
    """What all our sockets share: who is connected, in which language, and how much and how fast they may send.

    To a kiosk all are closed but those that are `for_kiosks`.
    """

    for_kiosks = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """As Channels' own, without a channel for each socket: the hub hears for all of them."""
        self.scope = scope
        self.base_send: Any = send
        try:
            while True:
                await self.dispatch(await receive())
        except StopConsumer:
            pass  # the connection is closed
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
        self._address = network_of((self.scope.get("client") or ["unknown"])[0])
        self.at_kiosk = screen_sessions.is_kiosk(self.scope["session"], self.scope["cookies"], user)
        if self.at_kiosk and player is None:  # all screens of a house may share its address
            self.share = Share(Bucket())
        else:
            self.share = buckets.share_of(player, self._address, guest=bool(getattr(user, "guest", False)))
        self._excess = 0
        self.socket = Socket(
            send=self._send_text,
            close=self._close,
            language=self._language(),
            push=cast("dict[str, Any]", self.scope.get("extensions", {})).get(PUSH),
            player=player,
            name=str(user) if player is not None else "",
            session=self.scope["session"].stored_key if player is not None else None,
            staff=bool(getattr(user, "role", "")),
            chats=chat.offered_in(self.scope["session"]),
        )
        self._counted = False
        if _per_address[self._address] >= settings.SOCKETS_PER_ADDRESS or (
            player is not None and _per_player[player] >= settings.SOCKETS_PER_PLAYER
        ):
            security.note("too many sockets", "limited", player=player, address=self._address)
            await self.accept()
            await self.close(code=CLOSE_TOO_MUCH)
            return
        if self.at_kiosk and not self.for_kiosks:
            await self.accept()
            await self._turn_away(FORBIDDEN)
            return
        if not self.at_kiosk and not cast("dict[str, Any]", self.scope)["login_is_open"]:
            await self.accept()
            await self._let_go()
            return
        self._counted, self._player = True, player
        _per_address[self._address] += 1
        if player is not None:
            _per_player[player] += 1
        await self.joined()

    async def joined(self) -> None:
        """Accept, or close with a reason."""
        raise NotImplementedError

    async def left(self) -> None:
        """The connection is closed."""
        raise NotImplementedError

    async def said(self, message: messages.Message) -> None:
        """One well-formed message."""
        raise NotImplementedError

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self.share.take():
            if await self._too_much() == 1:
                await self.answer(Notice("refused", "", say("Too many actions at once. Wait a moment."), None, ""))
            return
        if text_data is None:
            await self.close(code=CLOSE_TOO_MUCH)
            return
        try:
            message = messages.parse(text_data)
        except Malformed as error:
            await self.answer(
                Notice("refused", "", say("This was not understood: %(reason)s.", reason=str(error)), None, "")
            )
            return
        try:
            admitted = await hub.doorkeeper.admits(self.socket, said=not isinstance(message, messages.Resync))
        except Exception:
            log.exception("a login could not be looked at")
            await self.answer(Notice("refused", "", say("Something went wrong. Nothing has changed."), None, ""))
            return
        if admitted:
            await self.said(message)
        else:
            await self._let_go()

    async def _turn_away(self, code: int) -> None:
        """Close: whoever opened this socket may not look there. What there is and who may, is not told apart."""
        about, kind = self.socket.player, type(self).__name__
        security.note("socket refused", "refused", player=about, address=self._address, socket=kind, code=code)
        await self.close(code=code)

    async def _let_go(self) -> None:
        """Close: the login that this socket was opened in has ended."""
        security.note("socket closed: its login has ended", "refused", player=self.socket.player, address=self._address)
        await self.close(code=NOT_LOGGED_IN)

    async def _too_much(self) -> int:
        """How many messages this socket has sent too many; it is closed after so many."""
        self._excess += 1
        if self._excess in (1, EXCESS_MESSAGES + 1):
            security.note("too many messages", "limited", player=self.socket.player, address=self._address)
        if self._excess > EXCESS_MESSAGES:
            await self.close(code=CLOSE_TOO_MUCH)
        return self._excess

    async def disconnect(self, code: int) -> None:
        if self._counted:
            await self.left()

    def _forget(self) -> None:
        if getattr(self, "_counted", False):
            self._counted = False
            hub.sockets.discard(self.socket)  # if its connection was lost while it joined
            _per_address[self._address] -= 1
            if self._player is not None:
                _per_player[self._player] -= 1

    async def answer(self, notice: Notice) -> None:
        """Tell this client what became of what it said."""
        # reads nothing: not worth a thread
        await self._send_text(notice_fragment(notice, self.socket.game, self.socket.language))

    async def _send_text(self, text: str) -> None:
        push = self.socket.push
        if push is None or not push(text):
            await self.base_send({"type": "websocket.send", "text": text})

    async def _close(self, code: int) -> None:
        await self.close(code=code)

    def _language(self) -> str:
        asked = self._asked()
        known = [code for code, _ in settings.LANGUAGES]
        return asked if asked in known else settings.LANGUAGE_CODE

    def _asked(self) -> str:
        """The language that the page names, whatever it says."""
        return parse_qs(self.scope.get("query_string", b"").decode("latin-1")).get("lang", [""])[0]


class BoardSocket(FloorSocket):
    """Looks at what is the same for all who look; says nothing."""

    board: Board | None = None

    async def left(self) -> None:
        if self.board is not None:
            hub.leave_board(self.socket, self.board)

    async def said(self, message: messages.Message) -> None:
        if isinstance(message, messages.Resync) and self.board is not None:
            self.board.resyncs.ask(self.socket)


class LobbySocket(BoardSocket):
    """Looks at the lobby."""

    async def joined(self) -> None:
        await self.accept()
        self.board = await hub.join_lobby(self.socket)


class JackpotSocket(BoardSocket):
    """Looks at the page of a jackpot, in one language or in all of them."""

    async def joined(self) -> None:
        found = Jackpot.objects.filter(slug=self.scope["url_route"]["kwargs"]["slug"], realm=Realm.FLOOR)
        jackpot_id = await in_database(found.values_list("pk", flat=True).first)
        await self.accept()
        if jackpot_id is None:
            await self._turn_away(FORBIDDEN)
            return
        self.board = await hub.join_jackpot(self.socket, jackpot_id)

    def _language(self) -> str:
        return ALL if self._asked() == ALL else super()._language()


class _Address(TypedDict, total=False):
    slug: str
    kiosk_id: int


class PitSocket(BoardSocket):
    """Looks at the pit's panel, or at its page of one table: staff alone, in a login that is open."""

    async def joined(self) -> None:
        code = await in_database(closed_to, self.socket.player, self.socket.session)
        if code is None and not await in_database(self._is_there):
            code = FORBIDDEN
        await self.accept()
        if code is not None:
            await self._turn_away(code)
            return
        user: Any = self.scope["user"]
        self.board = await self._join(Buttons.of(user))

    @property
    def _about(self) -> _Address:
        """What the address names."""
        return cast("_Address", self.scope["url_route"]["kwargs"])

    def _is_there(self) -> bool:
        slug = self._about.get("slug", "")
        return not slug or Table.objects.filter(slug=slug).exists()

    async def _join(self, buttons: Buttons) -> Board:
        return await hub.join_pit(self.socket, self._about.get("slug", ""), buttons)


class PitBarSocket(PitSocket):
    """Looks at any other page of the pit: its bar and the alerts are live."""

    async def _join(self, buttons: Buttons) -> Board:
        return await hub.join_bar(self.socket, buttons)


class PitKiosksSocket(PitSocket):
    """Looks at the pit's list of kiosks, or at its page of one."""

    def _is_there(self) -> bool:
        kiosk_id = self._about.get("kiosk_id")
        return kiosk_id is None or Kiosk.objects.filter(pk=kiosk_id).exists()

    async def _join(self, buttons: Buttons) -> Board:
        return await hub.join_kiosks(self.socket, self._about.get("kiosk_id"), buttons)


class KioskSocket(FloorSocket):
    """The connection of a kiosk's page.

    The page says every few seconds that it is there and what it shows. It hears each time, and whenever anything
    changes, how its kiosk stands.
    """

    for_kiosks = True
    heard_at: datetime | None = None

    async def joined(self) -> None:
        kiosk = await in_database(screen_sessions.kiosk_of, self.scope["session"])
        await self.accept()
        if kiosk is None:
            await self._turn_away(NOT_LOGGED_IN if self.at_kiosk else FORBIDDEN)
            return
        # A player has a socket at their table, which closes when they go; this connection stays.
        self.socket.player = self.socket.session = None
        self.socket.kiosk, self.socket.use = kiosk.pk, kiosk.use
        await hub.join_kiosk(self.socket)

    async def left(self) -> None:
        hub.leave_kiosk(self.socket)
        if self.socket.kiosk is not None and self.heard_at is not None:
            heard_at = self.heard_at
            await in_database(kiosks.gone, self.socket.kiosk, self.socket.use, heard_at=heard_at)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self.share.take():
            await self._too_much()
            return
        if self.socket.kiosk is None:
            return
        try:
            showing, health = messages.showing(text_data or "", (kiosks.ATTRACT, kiosks.PLAY))
        except Malformed:
            await self.close(code=CLOSE_TOO_MUCH)
            return
        kiosk = await in_database(kiosks.hear, self.socket.kiosk, self.socket.use, showing, health)
        if kiosk is None:
            await self.close(code=NOT_LOGGED_IN)
            return
        self.heard_at = kiosk.seen_at
        self.socket.version = json.dumps(screen_sessions.state_of(kiosk))
        await self._send_text(self.socket.version)


OF_VISITORS = (
    messages.Bet, messages.Bets, messages.Clear, messages.Undo, messages.Decision, messages.SitDown, messages.StandUp,
    messages.Resync, messages.OfferLink, messages.RevealLink, messages.Doubt, messages.Peel,
)  # fmt: skip
"""What can be said at a table over a kiosk."""


TAKES_PART = (messages.Bet, messages.Bets, messages.Lay, messages.SitDown)
"""With one of these somebody takes part at a table, beside looking on."""


class TableSocket(FloorSocket):
    """One person at one table, seated, standing or watching; or a kiosk that shows it."""

    for_kiosks = True
    feed: TableFeed | None = None
    origin_known = False
    charged_for = ""

    async def joined(self) -> None:
        table = await hub.table_at(self.scope["url_route"]["kwargs"]["slug"])
        if self.at_kiosk:
            code = await in_database(self._closed_at_kiosk, table)
        else:
            code = None if table is not None and table.realm == Realm.FLOOR else FORBIDDEN
        await self.accept()
        if table is None or code is not None:
            await self._turn_away(code or FORBIDDEN)
            return
        self._table_id, self.socket.game = table.pk, table.game
        self.feed = await hub.join_table(self.socket, table.pk)

    def _closed_at_kiosk(self, table: Addressed | None) -> int | None:
        """The close code for a kiosk that may not show this table; None if it may."""
        kiosk = screen_sessions.kiosk_of(self.scope["session"])
        if kiosk is None:
            return NOT_LOGGED_IN
        visitor = screen_sessions.visitor_of(kiosk, self.scope["user"])
        if visitor is None and self.socket.player is not None:
            return NOT_LOGGED_IN
        if table is None or not screen_sessions.admits(kiosk, table.pk, visitor):
            return FORBIDDEN
        self.socket.kiosk, self.socket.use = kiosk.pk, kiosk.use
        self.socket.attends = visitor is not None
        return None

    async def left(self) -> None:
        if self.feed is not None:
            await hub.leave_table(self.socket, self.feed)

    async def said(self, message: messages.Message) -> None:
        if self.feed is None:
            return
        if self.socket.kiosk is not None and not await in_database(
            screen_sessions.goes_on, self.socket.kiosk, self.socket.use, self.socket.player
        ):
            await self.close(code=NOT_LOGGED_IN)
            return
        if isinstance(message, messages.Resync):
            self.feed.resyncs.ask(self.socket)
            return
        ref = getattr(message, "ref", "")
        spot = _place_of(message, self.socket.game)
        if self.socket.kiosk is not None and not isinstance(message, OF_VISITORS):
            await self.answer(Notice("refused", "", say("There is nothing like that here."), spot, ref))
            return
        if self.socket.player is None:
            await self.answer(Notice("refused", "", say("Log in, or play as a guest, to take part."), spot, ref))
            return
        player = self.socket.player

        async def deed() -> Words | Notice | None:
            return await self._do(message, player)

        async def look_up() -> None:
            await self.answer(Notice("info", "", say("The house is looking up whether this was done."), spot, ""))

        self.charged_for, again = "", isinstance(message, messages.DONE_ONCE)
        try:
            done = await outcomes.of_deed(deed, look_up, again=again)
        except Refused as refusal:
            offer = _offer(message, refusal)
            await self.answer(Notice("refused", refusal.article, refusal.words, spot, ref, offer=offer))
        except outcomes.Unknown:
            unknown = say("The house cannot say yet whether this was done. Look at the table before you ask again.")
            await self.answer(Notice("refused", "", unknown, spot, ref))
        except Exception:
            log.exception("a message failed", message=type(message).__name__)
            await self.answer(Notice("refused", "", say("Something went wrong. Nothing has changed."), spot, ref))
        else:
            if isinstance(message, messages.UNANSWERED):
                return
            if isinstance(done, Notice):
                await self.answer(done)
            else:
                kind: Literal["ok", "info"] = "info" if isinstance(message, messages.Report) else "ok"
                await self.answer(Notice(kind, "", done, spot, ref))
            await self._note_origin(message, player)

    async def _note_origin(self, message: messages.Message, player: int) -> None:
        """Once for each connection: from where somebody takes part at a table with private hands. What they did is done
        and answered already, whatever becomes of this."""
        if self.origin_known or not isinstance(message, TAKES_PART) or not origins.matters(self.socket.game):
            return
        self.origin_known = True
        try:
            await in_database(origins.note, self._table_id, player, self._address)
        except Exception:
            log.exception("an origin was not noted", table=self._table_id)

    async def _do(self, message: messages.Message, player: int) -> Words | Notice | None:
        """Have it done. Raises Refused; returns what to say, or the whole notice."""
        assert self.feed is not None
        table = self.feed.table_id
        match message:
            case messages.Bet(round=round_id, ref=ref, spot=spot, amount=amount, box=box):
                metrics.BETS.inc()
                (answer,) = await bets.do(round_id, [BetRequest(player, ref, spot, amount, box)])
                if isinstance(answer, Refused):
                    raise answer
                return say("Placed.")
            case messages.Bets(round=round_id, ref=ref, bets=laid):
                self._charge(ref, len(laid))
                wanted = betting.requests_of(player, ref, ((bet.spot, bet.amount, bet.box) for bet in laid))
                return await self._place_all(round_id, ref, wanted)
            case messages.Lay(round=round_id, ref=ref, favourite=favourite):
                wanted = await in_database(favourites.requests, player, table, favourite, ref)
                self._charge(ref, len(wanted))
                return await self._place_all(round_id, ref, wanted)
            case messages.Clear(round=round_id, ref=ref):
                await in_database(betting.clear, player, round_id, ref)
                return say("Taken back.")
            case messages.Undo(round=round_id, ref=ref):
                await in_database(betting.undo, player, round_id, ref)
                return say("Taken back.")
            case messages.SaveFavourite(name=name):
                return say("Saved as %(name)s.", name=await in_database(favourites.save, player, table, name))
            case messages.RenameFavourite(favourite=favourite, name=name):
                new = await in_database(favourites.rename, player, favourite, name)
                return say("It is called %(name)s now.", name=new)
            case messages.DropFavourite(favourite=favourite):
                return say("%(name)s is gone.", name=await in_database(favourites.drop, player, favourite))
            case messages.SitDown(ref=ref, seat=seat):
                await in_database(seating.sit, player, table, seat, ref=ref)
                return say("You have seat %(seat)s.", seat=seat)
            case messages.StandUp():
                await in_database(seating.stand_up, player, table)
                return say("You have left your seat.")
            case messages.OfferLink(link=link):
                await in_database(links.offer, player, table, link)
                return None
            case messages.RevealLink(number=number, link=link):
                (refused,) = await reveals.do(table, [links.Reveal(player, number, link)])
                if refused is not None:
                    raise refused
                return None
            case messages.Doubt(round=round_id, place=place):
                await in_database(doubts.doubt, player, table, round_id, place)
                return None
            case messages.Decision(round=round_id, ref=ref):
                action = _action(message, self.socket.game, player)
                await in_database(decisions.decide, player, round_id, ref, action)
                return say("Done.")
            case messages.Peel(round=round_id, hand=hand, card=card, edge=edge, step=step):
                await in_database(squeezing.peel, player, round_id, f"{hand}-{card}", edge, step)
                return None
            case messages.Say() | messages.Mute() | messages.Unmute() | messages.Report() if self.socket.chats:
                return await self._chat(message, player)
            case _:
                raise Refused("", say("There is nothing like that here."))

    def _charge(self, ref: str, bets: int) -> None:
        """Several bets count as several messages, once however often the house asks the database for them."""
        if ref != self.charged_for:
            self.charged_for = ref
            self.share.charge(bets)

    async def _place_all(self, round_id: int, ref: str, wanted: Sequence[BetRequest]) -> Notice:
        """Lay several bets; what is to be said of them all."""
        answers = await bets.do(round_id, wanted)
        metrics.BETS.inc(len(wanted))
        refused = [(one, answer) for one, answer in zip(wanted, answers, strict=True) if isinstance(answer, Refused)]
        return notice_of(self.socket.game, ref, len(wanted), refused)

    async def _chat(
        self, message: messages.Say | messages.Mute | messages.Unmute | messages.Report, player: int
    ) -> Words | None:
        """Have it said, hidden, shown or reported. A line that is said is its own answer."""
        assert self.feed is not None
        table = self.feed.table_id
        match message:
            case messages.Say(ref=ref, text=text):
                await in_database(chat.speak, player, table, ref, text)
                return None
            case messages.Mute(who=who):
                return say(
                    "You will not read %(name)s any more.", name=await in_database(chat.mute, player, table, who)
                )
            case messages.Unmute(who=who):
                return say("You will read %(name)s again.", name=await in_database(chat.unmute, player, table, who))
            case messages.Report(line=line, reason=reason):
                await in_database(chat.report, player, table, line, reason)
                return say("Thank you. The pit will look at it.")


def _action(decision: messages.Decision, game: str, player: int) -> Action:
    """The player's action that a decision asks for, by the one whose socket it came over. Raises Refused."""
    rules = GAMES[game]
    try:
        if any(kind.do == decision.do for kind in rules.deeds):
            return action_from(rules, {**decision.fields, "do": decision.do, "by": bettor_of(player)})
    except ValueError:
        pass  # it needs something else
    raise Refused("", say("There is nothing like that here."))


def _offer(message: messages.Message, refusal: Refused) -> Offer | None:
    """The most that may be placed where too much was to be."""
    match message:
        case messages.Bet(spot=spot, box=box) if refusal.most is not None:
            return Offer(spot, box, refusal.most)
        case _:
            return None


def _place_of(message: messages.Message, game: str) -> str | None:
    """The key of the spot that a message is about, as the page calls it."""
    match message:
        case messages.Bet(spot=spot, box=box):
            return spot_key(game, spot, box)
        case messages.Decision(fields={"spot": str(spot)}):
            return spot
        case _:
            return None
