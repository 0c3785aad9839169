"""What tests of secrecy share: a log with another card where one is hidden, and whole nights to be compared."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import zip_longest
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.conf import settings
from django.core.management import call_command
from django.test import Client as Browser
from django.utils import translation

from tables.base import announce
from tables.base.executor import in_database
from tables.felt.formatting import card_name, text_of
from tables.felt.lobby import lobby_fragments
from tables.felt.private import Viewer
from tables.felt.story import told
from tables.games import GAMES
from tables.games.contract.actions import Action, DrawCard
from tables.games.contract.game import Game
from tables.games.contract.round import Opening, Round
from tables.games.shared.options import read_options
from tables.games.values.cards import Card, cards
from tables.live.hub import Hub
from tables.models import Player, RoundLog, Table
from tables.queries.folds import LogEntry, fold_cache
from tables.queries.lobby import lobby_cards
from tables.services.rounds import seating
from tests.house.kit import House, everything
from tests.house.processes import WITHIN

from .kit import Client, Room
from .test_felt_baccarat import NAMES, NOW, state, whole

LANGUAGES = [code for code, _ in settings.LANGUAGES]

# ── The felt and the telling, from the log alone ────────────────────────────────────────────────────────────


def other(card: Card) -> Card:
    """Another card, of another suit: a low one, with which nobody is done or over 21 who was not."""
    return Card("2" if card.rank != "2" else "3", "h" if card.suit in "sc" else "s")


def swapped(log: Sequence[Action], hidden: Sequence[int]) -> list[Action]:
    """The log with other cards where these lie."""
    return [
        replace(action, card=other(action.card)) if at in hidden and isinstance(action, DrawCard) else action
        for at, action in enumerate(log)
    ]


def folded(game: Game, options: dict[str, Any], opening: Opening, log: Sequence[Action]) -> list[Round]:
    """The round before the log and after each of its lines."""
    rounds: list[Round] = [game.opened(read_options(game.options, options), opening)]
    for action in log:
        rounds.append(rounds[-1].apply(action))
    return rounds


def shown(
    game: str,
    rounds: Sequence[Round],
    log: Sequence[Action],
    who: str | None,
    languages: Sequence[str] = tuple(LANGUAGES),
) -> dict[str, str]:
    """The felt after this log as `who` sees it, and what is told of its last line, in each of these languages."""
    viewer = Viewer(key=who, name=NAMES.get(who or "", ""), balance_cents=500_000)
    at = state(rounds[-1], game=game, options=rounds[-1].options)  # type: ignore[attr-defined]
    seen: dict[str, str] = {}
    for language in languages:
        with translation.override(language):
            seen |= {f"{language} {name}": html for name, html in whole(at, viewer).items()}
            if log and who is not None:
                line = LogEntry(len(log), NOW, log[-1], rounds[-2], rounds[-1])
                notes = told(game, line, who, NAMES)
                seen[f"{language} told"] = " / ".join(f"{note.article} {text_of(note.words)}" for note in notes)
    return seen


# ── The whole house, through its real sockets and pages ─────────────────────────────────────────────────────

PAGES = (
    "/", "/tables/jade/", "/history/", "/rounds/1/", "/rounds/1/record.json", "/shoes/1/", "/shoes/1/opening.txt",
    "/rounds/1/throws/", "/rounds/1/throws/1.txt", "/rounds/1/proof.json",
)  # fmt: skip

NOISE = re.compile(
    r'data-(now|since|due)="\d+"|name="csrfmiddlewaretoken" value="[^"]+"'
    r"|\b[0-9a-f]{12}(…|[0-9a-f]{52}\b)|<time data-clock-time>[^<]*|'commitment': '[0-9a-f]{64}'"
    r'|"salt": "[0-9a-f]{32}"|\b[0-9a-f]{32}(?=:)'
)
"""What is new each time, whatever the cards: the time of day, a form's token, commitments and salts of a pack."""


@lru_cache(maxsize=2_000)
def quiet(html: str) -> str:
    """Without that. Most of what a screen shows is what it showed a moment ago."""
    return NOISE.sub("", html)


@dataclass
class Party:
    """Ana sits at box 1, rui and mei stand; somebody watches."""

    house: House
    room: Room
    table: Table
    people: dict[str, Player]
    channel: str
    moments: list[dict[str, str]] = field(default_factory=list)
    told_at: int = 0
    announced: set[str] = field(default_factory=set)

    async def does(self, who: str, kind: type[Action], **fields: Any) -> None:
        await self.room.does(lambda: self.house.decide(self.people[who], self.table, kind, **fields))
        await self.seen()

    async def serves(self, *, until: Callable[[Any], bool] = lambda _: False) -> None:
        """The dealer does what they owe, until somebody is asked (or it is so)."""
        while True:
            round_ = await in_database(self.house.round, self.table)
            if round_.over or until(round_) or round_.next_house_step() is None:
                return
            await self.room.does(lambda: self.house.step(self.table))
            await self.seen()

    async def seen(self) -> None:
        """Keep what every screen shows now."""
        self.moments.append({
            f"{_name(client)}: {fragment}": quiet(html)
            for client in self.room.clients
            for fragment, html in client.screen.items()
            if fragment != "live"
        })  # fmt: skip

    async def looks_everywhere(self) -> None:
        """Everybody loads every page that there is, and the machines' figures are read."""
        for client in self.room.clients:
            pages = await in_database(_pages, client)
            self.moments[-1] |= {f"{_name(client)}: {path}": text for path, text in pages.items()}
        self.moments[-1] |= await in_database(_of_the_house)

    async def is_told(self) -> None:
        """Here the secret ends: what was announced till now is kept, and the next moment may differ."""
        await self.looks_everywhere()
        layer: Any = get_channel_layer()
        await layer.send(self.channel, {"type": "told"})
        while (message := await asyncio.wait_for(layer.receive(self.channel), WITHIN))["type"] != "told":
            self.announced.add(json.dumps(message, sort_keys=True))
        self.told_at = len(self.moments)


def _name(client: Client) -> str:
    return client.player.username if client.player is not None else "watching"


def _pages(client: Client) -> dict[str, str]:
    browser = Browser(headers={"accept-language": client.language})
    if client.player is not None:
        browser.force_login(client.player, backend="django.contrib.auth.backends.ModelBackend")
    answers = {path: browser.get(path) for path in (*PAGES, "/admin/", "/admin/tables/roundlog/")}
    assert {answers[path].status_code for path in ("/admin/", "/admin/tables/roundlog/")} == {404}
    return {path: f"{answer.status_code} {NOISE.sub('', answer.content.decode())}" for path, answer in answers.items()}


def _of_the_house() -> dict[str, str]:
    """The lobby as it is pushed, the heads of rounds and all that is in the books, and the figures for machines."""
    figures = Browser(REMOTE_ADDR="127.0.0.1").get("/metrics")
    assert figures.status_code == 200
    rows = everything()
    heads = [dict(head) for head in RoundLog.objects.order_by("pk").values()]
    for head in heads:
        if head["settled_at"] is not None:  # then what was closed belongs to its lines
            del head["turned"]
    rows["RoundLog"] = [tuple(head.items()) for head in heads]
    seen = {kind: NOISE.sub("", repr(rows[kind])) for kind in ("RoundLog", "Account", "Transfer", "Played")}
    seen["figures"] = figures.content.decode()
    for language in LANGUAGES:
        with translation.override(language):
            seen[f"lobby {language}"] = "".join(lobby_fragments(lobby_cards()).values())
    return seen


@dataclass
class Night:
    """What a night has shown, moment by moment; what was announced, and what was written to the house's log."""

    moments: list[dict[str, str]]
    told_at: int
    announced: set[str]
    said: list[str]
    pushed: dict[str, list[str]]

    def secret(self) -> Iterator[tuple[str, str]]:
        """All that was seen while the card lay face down: where, and the text."""
        for number, moment in enumerate(self.moments[: self.told_at]):
            yield from ((f"{number} {where}", text) for where, text in moment.items())


TABLE = 1
"""The id of the table of a night: the first in an empty house."""


async def a_night(
    live: Hub, caplog: pytest.LogCaptureFixture, play: Callable[[Party], Any], cards: str, game: str, **options: Any
) -> Night:
    """A night in an empty house: two of them have the same ids. `cards` are the next of the pack, or what is thrown."""
    await live.stop()
    await in_database(lambda: call_command("flush", interactive=False, verbosity=0, reset_sequences=True))
    fold_cache.clear()
    caplog.clear()
    await live.start()
    house = House()
    throw = GAMES[game].throw(read_options(GAMES[game].options, options))
    if throw is None:
        house.stack(cards)
    else:
        house.throw(*map(int, cards.split()), least=throw.least)
    layer: Any = get_channel_layer()
    channel = await layer.new_channel()  # it hears the opening too, which may be announced late
    for group in (announce.FLOOR, announce.DEALERS, announce.group_of(TABLE)):
        await layer.group_add(group, channel)
    table = await in_database(lambda: house.table(game=game, **options))
    assert table.pk == TABLE
    people = {name: await in_database(house.player, name) for name in ("ana", "rui", "mei")}
    room = Room(table, live)
    for who, language in (("ana", "en"), ("rui", "pt"), ("mei", "zh-hant")):
        await room.enter(people[who], language)
    await room.enter(None)
    await in_database(lambda: seating.sit(people["ana"].pk, table.pk, 1, clock=house.clock))
    party = Party(house, room, table, people, channel)
    await play(party)
    await in_database(house.play_out, table)
    await in_database(house.in_order)
    said = [caplog.handler.format(record) for record in caplog.records]
    pushed = {_name(client): [NOISE.sub("", text) for text in client.messages] for client in room.clients}
    return Night(party.moments, party.told_at, party.announced, said, pushed)


def names_of(card: str) -> re.Pattern[str]:
    """Whatever could name this card: as the pages write it, and in words, in each language."""
    names = [rf'"{card}"', rf"#{card}\b", rf"\b{card}\b"]
    for language in LANGUAGES:
        with translation.override(language):
            names.append(rf"\b{re.escape(card_name(cards(card)[0]))}")
    return re.compile("|".join(names))


EVERYBODY = ("ana", "rui", "mei", "watching")


def tell_apart(one: Night, other: Night, who: Sequence[str], *, until: int | None = None) -> list[str]:
    """Where two nights differ for these people (and for the house at large), up to that moment."""
    people = tuple(f"{name}:" for name in who)
    others = tuple(f"{name}:" for name in EVERYBODY if name not in who)
    until = until or min(one.told_at, other.told_at)
    found = []
    for number, (this, that) in enumerate(zip(one.moments[:until], other.moments[:until], strict=True)):
        assert this.keys() == that.keys()
        for where in this.keys() - {"figures"}:
            if this[where] != that[where] and (where.startswith(people) or not where.startswith(others)):
                at = next(at for at, (a, b) in enumerate(zip_longest(this[where], that[where])) if a != b)
                here = slice(max(0, at - 30), at + 30)
                found.append(f"{number} {where}: {this[where][here]!r} / {that[where][here]!r}")
    return found
