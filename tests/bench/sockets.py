"""The figures that are measured from outside, over real sockets: fan-out, bets, memory."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter

from .clients import Clients, Line, nothing
from .places import BenchError, Child

TABLE = "/ws/tables/bench/?lang=en"
PAGE = "/tables/bench/"
DECISIONS = "/ws/tables/bench-decisions/?lang=en"
STOCK = "/bench/stock/"
BARE = "/bench/bare/"
BARE_PAGE = "/bench/page/"
CREDIT = 100

_LIVE = re.compile(rb'data-base="([^"]*)" data-version="([^"]*)"')
_refs = count(1)


def bet(round_id: int, spot: str = "player") -> tuple[str, str]:
    """The message of a bet of one credit, and its ref."""
    ref = f"bench-ws-{next(_refs):08}"
    return json.dumps({"do": "bet", "round": round_id, "ref": ref, "spot": spot, "box": None, "amount": CREDIT}), ref


def is_change(text: bytes) -> bool:
    """Whether a text brings a newer version, and is neither a heartbeat nor an answer."""
    found = _LIVE.search(text, max(0, len(text) - 300))
    return found is not None and found[1] != found[2]


# ── Fan-out ─────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class FanOut:
    """Seconds from the commit (or the sending) of a change to the last of `sockets` clients, run by run."""

    sockets: int
    bytes: int = 0
    ours: list[float] = field(default_factory=list)
    stock: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    bare_rendering: list[float] = field(default_factory=list)
    closing: list[float] = field(default_factory=list)


class Arrivals:
    """When the wanted text was at each of some lines."""

    def __init__(self, clients: Clients, lines: Sequence[Line], wanted: Callable[[bytes], bool]) -> None:
        self._clients, self._wanted = clients, wanted
        self._missing = set(lines)
        self.last = 0.0
        self.text = b""

    def wait(self, what: str) -> None:
        """Hear until every line has it."""
        self._clients.heard = self._heard
        try:
            self._clients.run(lambda: not self._missing, within=20, what=what)
        finally:
            self._clients.heard = nothing

    def _heard(self, line: Line, text: bytes, at: float) -> None:
        if line in self._missing and self._wanted(text):
            self._missing.discard(line)
            self.last, self.text = at, text


def fan_out(
    server: Child, clients: Clients, cookies: Sequence[str], sockets: int, runs: int, closings: int = 0
) -> FanOut:
    """One bet by somebody else, seen by so many at one table; and the same bytes by the two baselines, in turn.

    Then so many closings of the bets, which may change what everybody sees in private.
    """
    result = FanOut(sockets)
    round_id = server.ask("fresh_round")
    (bettor,) = clients.open(TABLE, 1, cookies[:1])
    here = clients.open(TABLE, sockets, cookies[1:])
    stock, bare = clients.open(STOCK, sockets), clients.open(BARE, sockets)
    clients.quiet()
    for run in range(runs + 2):
        server.ask("commits")
        arrivals = Arrivals(clients, here, is_change)
        bettor.say(bet(round_id)[0])
        arrivals.wait("the change")
        clients.quiet(0.15)  # nothing is owed to anybody any more, and the hub has had its pause
        commits = server.ask("commits")
        ours, text = arrivals.last - commits[0], arrivals.text
        baselines = _baselines(server, clients, text, stock, bare)
        if run >= 2:  # the first ones warm up
            result.bytes = len(text)
            result.ours.append(ours)
            for seconds, into in zip(baselines, (result.stock, result.bare, result.bare_rendering), strict=True):
                into.append(seconds)
    for _ in range(closings):
        server.ask("fresh_round")
        clients.quiet(1.0)  # a new round is rendered for each of them alone, which takes a while
        server.ask("commits")
        arrivals = Arrivals(clients, here, is_change)
        server.tell("close_bets")
        arrivals.wait("the end of betting")
        server.answer("close_bets")
        clients.quiet()
        result.closing.append(arrivals.last - server.ask("commits")[0])
    clients.close([bettor, *here, *stock, *bare])
    return result


def _baselines(
    server: Child, clients: Clients, text: bytes, stock: Sequence[Line], bare: Sequence[Line]
) -> list[float]:
    """Seconds until this text is at the last of the stock consumers, of the bare hub's sockets, and of those once more
    when the hub reads and renders before."""
    found = []
    for group, lines, renders in (
        ("bench.stock", stock, False),
        ("bench.bare", bare, False),
        ("bench.bare", bare, True),
    ):
        arrivals = Arrivals(clients, lines, lambda _: True)
        server.tell("send", group=group, text=text.decode(), renders=renders)
        arrivals.wait(group)
        found.append(arrivals.last - server.answer("send"))
        clients.quiet(0.1)
    return found


# ── Decisions ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Decisions:
    """Seconds from a player's «hit», as they say it, until the card is committed and until it is at the last of
    `sockets`; and those of the same bytes through the baselines, run by run."""

    sockets: int
    bytes: int = 0
    dealt: list[float] = field(default_factory=list)
    ours: list[float] = field(default_factory=list)
    stock: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    bare_rendering: list[float] = field(default_factory=list)


def decisions(
    server: Child, clients: Clients, cookies: Sequence[str], player: int, sockets: int, runs: int
) -> Decisions:
    """One hit after another by `player`, whose cookie is the first, with so many sockets at the table, theirs included.

    The dealer works in the server's process, as in the house that one command opens.
    """
    result = Decisions(sockets)
    (bettor, *_), here = clients.open(DECISIONS, 1, cookies[:1]), []
    if sockets > 1:
        here = clients.open(DECISIONS, sockets - 1, cookies[1:])
    stock, bare = clients.open(STOCK, sockets), clients.open(BARE, sockets)
    for run in range(runs + 2):
        round_id, version = server.ask("asked", player=player)
        clients.quiet()
        server.ask("commits")
        dealt_at = (round_id, version + 2)
        arrivals = Arrivals(clients, [bettor, *here], lambda text, at=dealt_at: reaches(text) >= at)  # type: ignore[misc]
        said = perf_counter()
        bettor.say(json.dumps({"do": "hit", "round": round_id, "ref": f"hit-{version:05}-{run}", "box": 1, "hand": 0}))
        arrivals.wait("the card")
        clients.quiet(0.15)
        _, dealt, *_ = server.ask("commits")
        baselines = _baselines(server, clients, arrivals.text, stock, bare)
        if run >= 2:
            result.bytes = len(arrivals.text)
            result.dealt.append(dealt - said)
            result.ours.append(arrivals.last - said)
            for seconds, into in zip(baselines, (result.stock, result.bare, result.bare_rendering), strict=True):
                into.append(seconds)
    clients.close([bettor, *here, *stock, *bare])
    return result


def reaches(text: bytes) -> tuple[int, int]:
    """Which round, and which line of its log, a change brings its reader to; nothing is before any for a text that is
    none. After the last card of a round comes the next round, at times in one change."""
    found = _LIVE.search(text, max(0, len(text) - 300))
    if found is None or found[1] == found[2]:
        return -1, -1
    _, round_id, version = found[2].split(b".")[:3]
    return int(round_id), int(version)


# ── Bets ────────────────────────────────────────────────────────────────────────────────────────────────────


class Bettors:
    """Sockets that bet, and hear what became of it."""

    def __init__(self, server: Child, clients: Clients, cookies: Sequence[str]) -> None:
        self._server, self._clients = server, clients
        self.lines = clients.open(TABLE, len(cookies), cookies)
        self._waiting: dict[Line, tuple[bytes, float]] = {}
        self._then: Callable[[Line], None] = lambda _: None
        self.seconds: list[float] = []
        clients.quiet()

    def bet(self, line: Line, round_id: int) -> None:
        """Bet one credit."""
        message, ref = bet(round_id)
        self._waiting[line] = (ref.encode(), perf_counter())
        line.say(message)

    def _heard(self, line: Line, text: bytes, at: float) -> None:
        waiting = self._waiting.get(line)
        if waiting is not None and waiting[0] in text:
            del self._waiting[line]
            self.seconds.append(at - waiting[1])
            self._then(line)

    def alone(self, bets: int) -> list[float]:
        """One bettor, one bet after another, each when the one before has been told to everybody; ten in a round."""
        found = []
        for round_id in self._rounds(bets, 10):
            self.bet(self.lines[0], round_id)
            self._clients.run(lambda: not self._waiting, within=10, what="the answer")
            found.append(self.seconds[-1])
            self._clients.quiet(0.12)
        return found

    def paced(self, seconds: float, pause_s: float = 0.05) -> list[float]:
        """One bettor for so long, however much else happens there: a moment's pause after each answer, ten bets in a
        round."""
        found, end = [], perf_counter() + seconds
        while perf_counter() < end:
            round_id = self._server.ask("fresh_round")
            self._clients.rest(0.5)
            self._clients.heard = self._heard
            for _ in range(10):
                self.bet(self.lines[0], round_id)
                self._clients.run(lambda: not self._waiting, within=60, what="the answer")
                found.append(self.seconds[-1])
                self._clients.rest(pause_s)
            self._clients.heard = nothing
        return found

    def at_once(self, bettors: int, bursts: int) -> list[list[float]]:
        """So many bettors at the same instant, again and again, five times in a round; the seconds of each burst,
        the last one last."""
        found = []
        for round_id in self._rounds(bursts, 5):
            for line in self.lines[:bettors]:
                self.bet(line, round_id)
            self._clients.run(lambda: not self._waiting, within=20, what="the answers")
            found.append(sorted(self.seconds[-bettors:]))
            self._clients.quiet(0.15)
        return found

    def _rounds(self, deeds: int, in_one: int) -> Iterator[int]:
        """The round of each of so many deeds: a new one after every `in_one`, as no bettor stakes without end."""
        while deeds > 0:
            round_id = self._begin()
            for _ in range(min(deeds, in_one)):
                yield round_id
            self._end(round_id)
            deeds -= in_one

    def sustained(self, seconds: float) -> float:
        """Everybody bets again as soon as they are answered: bets a second."""
        round_id = self._begin()
        begun = perf_counter()

        def again(line: Line) -> None:
            if perf_counter() - begun < seconds:
                self.bet(line, round_id)

        self._then = again
        for line in self.lines:
            self.bet(line, round_id)
        self._clients.run(lambda: not self._waiting, within=seconds + 20, what="the answers")
        took = perf_counter() - begun
        self._then = lambda _: None
        return self._end(round_id) / took

    def _begin(self) -> int:
        round_id: int = self._server.ask("fresh_round")
        self._clients.quiet()
        self._clients.heard, self.seconds = self._heard, []
        return round_id

    def _end(self, round_id: int) -> int:
        """How many bets were answered in this round. Raises BenchError unless just those lie on the table."""
        self._clients.heard = nothing
        accepted = self._server.ask("version", round_id=round_id)
        if accepted != len(self.seconds):
            raise BenchError(f"{len(self.seconds)} bets were answered, but {accepted} lie on the table")
        return len(self.seconds)


# ── A crowd ─────────────────────────────────────────────────────────────────────────────────────────────────

BETS_EACH = 5


@dataclass(slots=True)
class Crowd:
    """So many bettors at one table, each with five bets: bets a second; for how long the last of them waited for their
    answer, and the seconds of the server's CPU until then; seconds from the bell to the last payment, and till the last
    of them saw it; bytes for each of them in the round."""

    bets_a_second: list[float] = field(default_factory=list)
    last_answer: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    paid: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    bytes: list[float] = field(default_factory=list)


def crowd(server: Child, clients: Clients, cookies: Sequence[str], game: str, bettors: int, runs: int) -> Crowd:
    """Rounds in which so many bettors lay their bets in one instant, five in a message, all over the layout."""
    result = Crowd()
    server.ask("crowded", slug=game)
    lines = clients.open(f"/ws/tables/{game}/?lang=en", bettors, cookies)
    clients.quiet(2.0)
    for run in range(runs + 1):
        round_id, spots = server.ask("crowded", slug=game)
        clients.quiet(2.0)
        room = _Room(clients)
        cpu = server.ask("cpu")
        for line in lines:
            ref = f"bench-ws-{next(_refs):08}"
            room.waiting[line] = ref.encode()
            places = [(31 * line.number + 17 * at) % len(spots) for at in range(BETS_EACH)]
            laid = [{"spot": spots[place], "amount": CREDIT} for place in places]
            line.say(json.dumps({"do": "bets", "round": round_id, "ref": ref, "bets": laid}))
        begun = perf_counter()
        clients.run(lambda: not room.waiting, within=120, what="the answers")  # noqa: B023 (done before the next)
        took = max(room.answered) - begun
        cpu = server.ask("cpu") - cpu
        clients.quiet(1.0)
        room.missing = set(lines)
        server.tell("play_out", slug=game)
        clients.run(lambda: not room.missing, within=120, what="the result")  # noqa: B023
        bell, paid = server.answer("play_out")
        clients.quiet(1.0)
        clients.heard = nothing
        if run:  # the first one warms up
            result.bets_a_second.append(BETS_EACH * bettors / took)
            result.last_answer.append(took)
            result.cpu.append(cpu)
            result.paid.append(paid - bell)
            result.shown.append(room.last - bell)
            result.bytes.append(room.bytes / bettors)
    clients.close(lines)
    return result


def proven(
    server: Child, clients: Clients, cookies: Sequence[str], game: str, players: list[int], runs: int
) -> list[tuple[float, float]]:
    """Seconds of the server's CPU for whole rounds in which all these lay a bet, and those of them for the proof."""
    server.ask("with_devices", slug=game, players=players)
    lines = clients.open(f"/ws/tables/{game.replace('_', '-')}/?lang=en", len(players), cookies)
    clients.quiet(2.0)
    found = []
    for _ in range(runs + 2):
        begun, (of_proof, _) = server.ask("cpu"), server.ask("proof_took")
        round_id, spots = server.ask("proven_round", slug=game)
        clients.quiet(1.0)
        room = _Room(clients)
        for line in lines:
            ref = f"bench-ws-{next(_refs):08}"
            room.waiting[line] = ref.encode()
            laid = [{"spot": spots[line.number % len(spots)], "amount": CREDIT}]
            line.say(json.dumps({"do": "bets", "round": round_id, "ref": ref, "bets": laid}))
        clients.run(lambda: not room.waiting, within=120, what="the answers")  # noqa: B023 (done before the next)
        server.ask("contribute")
        room.missing = set(lines)
        server.tell("settle", slug=game)
        clients.run(lambda: not room.missing, within=120, what="the result")  # noqa: B023
        server.answer("settle")
        clients.quiet(1.0)
        clients.heard = nothing
        found.append((server.ask("cpu") - begun, server.ask("proof_took")[0] - of_proof))
    assert server.ask("proof_took")[1] >= runs, "links were in each of them"
    clients.close(lines)
    return found[2:]


def leaves(server: Child, clients: Clients, cookie: str, runs: int, devices: int = 100) -> list[float]:
    """Seconds of the server's CPU for the leaves of a fresh pack of eight decks, for one device more."""
    server.ask("fresh_round")
    path, found = server.ask("leaves_path"), []
    for _ in range(runs + 1):
        before = server.ask("cpu")
        clients.read(path, cookie, times=devices, **{"Accept-Encoding": "gzip, deflate, br"})
        found.append((server.ask("cpu") - before) / devices)
    return found[1:]


class _Room:
    """Hears all of a crowd at once: who has an answer, who sees that the round is settled, and how much it was."""

    def __init__(self, clients: Clients) -> None:
        self.waiting: dict[Line, bytes] = {}
        self.answered: list[float] = []
        self.missing: set[Line] = set()
        self.last = 0.0
        self.bytes = 0
        clients.heard = self._heard

    def _heard(self, line: Line, text: bytes, at: float) -> None:
        self.bytes += len(text)
        if (ref := self.waiting.get(line)) is not None and ref in text:
            del self.waiting[line]
            self.answered.append(at)
        elif line in self.missing and b'data-phase="settled"' in text:
            self.missing.discard(line)
            self.last = at


# ── Memory ──────────────────────────────────────────────────────────────────────────────────────────────────


def memory(server: Child, clients: Clients, path: str, cookies: Sequence[str], sockets: int) -> float:
    """Bytes that one more idle socket takes in the server, found with so many of them."""
    if path == TABLE:
        server.ask("fresh_round")
    warm = clients.open(path, 20, cookies)
    clients.quiet()
    before = server.ask("memory")
    lines = clients.open(path, sockets, cookies)
    clients.quiet(1.0)
    after = server.ask("memory")
    clients.close([*lines, *warm])
    took: float = (after - before) / sockets
    return took


@dataclass(slots=True)
class Joining:
    """Seconds of the server's CPU for one who comes to the table, run by run: their page, their socket with the whole
    felt that they are sent; and the same bytes from the server with nothing of the house behind it."""

    pages: list[float] = field(default_factory=list)
    sockets: list[float] = field(default_factory=list)
    bare_pages: list[float] = field(default_factory=list)
    bare_sockets: list[float] = field(default_factory=list)


def joining(server: Child, clients: Clients, cookies: Sequence[str], runs: int) -> Joining:
    """People come one after the other, none of them twice. The first of so many runs warms up."""
    server.ask("fresh_round")
    found, each = Joining(), len(cookies) // (runs + 1)
    felt: list[int] = []
    for run in range(runs + 1):
        some = cookies[run * each : (run + 1) * each]
        begun = server.ask("cpu")
        sizes = [clients.read(PAGE, cookie) for cookie in some]
        read = server.ask("cpu")
        clients.heard = lambda _line, text, _at: felt.append(len(text))
        _come(clients, TABLE, some)
        clients.heard = nothing
        opened = server.ask("cpu")
        server.ask("bare_answers", page=sizes[-1], first=max(felt))
        before = server.ask("cpu")
        for cookie in some:
            clients.read(BARE_PAGE, cookie)
        bare_read = server.ask("cpu")
        _come(clients, BARE, some)
        bare_opened = server.ask("cpu")
        if run:
            found.pages.append((read - begun) / each)
            found.sockets.append((opened - read) / each)
            found.bare_pages.append((bare_read - before) / each)
            found.bare_sockets.append((bare_opened - bare_read) / each)
    return found


def _come(clients: Clients, path: str, cookies: Sequence[str]) -> None:
    """Open a socket for each of these logins, one after the other, and close them in the end."""
    lines = []
    for cookie in cookies:
        lines += clients.open(path, 1, [cookie])
        clients.rest(0.001)  # pings are answered meanwhile
    clients.quiet(0.5)
    clients.close(lines)
    clients.quiet(0.5)
