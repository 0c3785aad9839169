"""Demonstration rounds: a whole round of any game, dealt for nobody, as it would look on the felt.

Nobody stakes, nothing is stored and no credits move; so chance need not be `tables.base.chance`, which only dealers may
ask. Cards, numbers and dice come from SHA-256 over the seed and a counter: the same seed gives the same round,
everywhere and for ever. Nothing may ever hang on what it gives.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from tables.felt.contract import Felt
from tables.felt.games import FELTS
from tables.felt.page import table_page
from tables.felt.private import Viewer
from tables.felt.public import public_fragments
from tables.felt.story import told
from tables.games import GAMES
from tables.games.contract.actions import (
    HOUSE,
    Action,
    Chance,
    Cut,
    Draw,
    DrawCard,
    Meter,
    PlaceBet,
    Seal,
    Step,
    Unseal,
)
from tables.games.contract.game import Game, Throw
from tables.games.contract.round import BetOffer, Opening, Pace, Round
from tables.games.shared.options import read_options
from tables.games.values.cards import Card, pack
from tables.games.values.words import Note, Words, say
from tables.queries.folds import LogEntry
from tables.queries.jackpots import Pool
from tables.queries.table import SeatState, TableState

T = TypeVar("T")

MARK = say("Demonstration · no real players")
"""Stands over every demonstration, in all languages."""

NO_TIME = datetime(2004, 5, 12, tzinfo=UTC)
"""When a demonstration is dealt: never. Its felt shows no countdown."""


# ── Chance on which nothing hangs ───────────────────────────────────────────────────────────────────────────


class Source(Protocol):
    """Where the cards and throws of a demonstration come from."""

    def card(self) -> Card:
        """The next card of the pack."""

    def throw(self, throw: Throw) -> tuple[int, ...]:
        """What is thrown next."""


@dataclass(slots=True)
class Counted:
    """SHA-256 of the seed and a counter, as often as it is asked; a pack of `decks` shuffled with it."""

    seed: str
    decks: int = 1
    _asked: int = field(default=0, init=False)
    _pack: list[Card] = field(default_factory=list, init=False)

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1. 256 bits against a few hundred: what is not even in it nobody can see."""
        self._asked += 1
        return int.from_bytes(hashlib.sha256(f"{self.seed}:{self._asked}".encode()).digest()) % bound

    def one_of(self, several: Sequence[T]) -> T:
        """One of them; there must be some."""
        return several[self.below(len(several))]

    def card(self) -> Card:
        if not self._pack:
            self._pack = list(pack(self.decks))
            for last in range(len(self._pack) - 1, 0, -1):
                chosen = self.below(last + 1)
                self._pack[last], self._pack[chosen] = self._pack[chosen], self._pack[last]
        return self._pack.pop()

    def throw(self, throw: Throw) -> tuple[int, ...]:
        return tuple(throw.least + self.below(throw.most - throw.least + 1) for _ in range(throw.count))


# ── A round that is dealt for nobody ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Bettor:
    """An invented bettor: a name, and a seat if they have one."""

    key: str
    name: str
    seat: int | None = None


BETTORS = (Bettor("ines", "Inês", 2), Bettor("mei", "Mei", 4), Bettor("rui", "Rui", 5), Bettor("lou", "Lou"))
"""Three who sit and one who stands. Their keys are no player's."""


@dataclass(slots=True)
class Show:
    """One round as it goes on: `note` is what has happened last, and the article that ordered it.

    `results` are those of the rounds before it, for the roads.
    """

    felt: Felt
    options: Any
    bettors: Sequence[Bettor]
    source: Source
    results: tuple[Mapping[str, Any], ...] = ()
    round: Round = field(init=False)
    version: int = field(default=0, init=False)
    note: Note | None = field(default=None, init=False)
    _sealed: tuple[int, ...] = field(default=(), init=False)

    @property
    def game(self) -> Game:
        """Its rules."""
        return self.felt.rules

    def __post_init__(self) -> None:
        seats = {one.key: one.seat for one in self.bettors if one.seat is not None}
        self.round = self.game.opened(self.options, Opening(seats))

    def do(self, action: Action) -> None:
        """One line of it. Raises Refused."""
        before = self.round
        self.round = before.apply(action)
        self.version += 1
        line = LogEntry(self.version, NO_TIME, action, before, self.round)
        notes = told(self.game.slug, line, "", self._names())
        ordered = [note for note in notes if note.article]
        if ordered or (notes and not self.round.over):  # how it ended is told by what was ordered before
            self.note = (ordered or notes)[0]

    def go_on(self) -> Action:
        """What the house does next, or what happens when the time of those whom it waits for is over."""
        due = self.round.next_house_step() or self.round.on_timeout()
        assert due is not None, "the round is over"
        action = due.action if isinstance(due, Step) else self._drawn(due)
        self.do(action)
        return action

    def _drawn(self, draw: Draw) -> Action:
        match draw.kind:
            case Chance.CARD:
                return DrawCard(card=self.source.card())
            case Chance.CUT:
                return Cut(HOUSE, position=1)
            case Chance.POOL:
                return Meter(pool=0)
            case Chance.SEAL:
                throw = self.game.throw(self.options)
                assert throw is not None, f"nothing is thrown in {self.game.slug}"
                self._sealed = self.source.throw(throw)
                return Seal(commitment=hashlib.sha256(b"dealt for nobody").hexdigest())
            case Chance.OPEN:
                return Unseal(values=self._sealed)

    def _names(self) -> dict[str, str]:
        return {one.key: one.name for one in self.bettors}

    @property
    def state(self) -> TableState:
        """What the felt shows now, made of nothing that is stored."""
        there = {one.seat: SeatState(one.seat, one.key, one.name) for one in self.bettors if one.seat is not None}
        over = self.round.over and not self.round.is_void and not self.game.unrecorded
        return TableState(
            table_id=0,
            slug="",
            name="",
            game=self.game.slug,
            open=True,
            options=self.options,
            table_version=0,
            round_id=None,
            round_number=0,
            round_version=self.version,
            round=self.round,
            due_at=None,
            now=NO_TIME,
            seats=tuple(there.get(number, SeatState(number)) for number in range(1, self.options.seats + 1)),
            names=self._names(),
            results=(*self.results, self.game.public_result(self.round)) if over else self.results,
            shoe_number=0,
            commitment="",
        )


# ── What they stake and decide ──────────────────────────────────────────────────────────────────────────────


def _stakes(show: Show, chance: Counted) -> Iterator[PlaceBet]:
    """The bets that the invented bettors place, each from what is offered to them at that moment."""
    for turn, liked in enumerate(show.felt.liked):
        first = chance.below(len(liked))
        for at, one in enumerate(show.bettors, start=first):
            if turn and not chance.below(2):
                continue
            beginning = liked[at % len(liked)]
            offers = [
                bet
                for bet in show.round.offers(one.key).bets
                if bet.spot.split("_")[0] == beginning or bet.spot == beginning
            ]
            own = [bet for bet in offers if bet.box is None or bet.box == one.seat]
            if own:
                offer = chance.one_of(own)
                yield PlaceBet(one.key, f"{one.key}-{turn}", offer.spot, _amount(offer, chance), offer.box)


def _amount(offer: BetOffer, chance: Counted) -> int:
    """The minimum, or a few times as much where that may be laid."""
    most = offer.least * 20 if offer.most is None else offer.most
    several = [offer.least * times for times in (1, 2, 4, 5, 10)]
    return chance.one_of([cents for cents in several if cents <= most and cents % offer.step == 0] or [offer.least])


def _decided(show: Show) -> Action | None:
    """What the first of those who are asked decides; None if nobody is."""
    if show.round.next_house_step() is not None:
        return None
    for one in show.bettors:
        usual = show.round.default_for(one.key)
        if usual is not None:
            return _wish(show, one.key) or usual
    return None


def _wish(show: Show, who: str) -> Action | None:
    """What somebody who knows the game decides, where that is not the automatic decision."""
    view = show.game.view(show.round, who)
    return next((action for action in show.round.offers(who).actions if show.felt.wishes(view, action)), None)


# ── Frames ──────────────────────────────────────────────────────────────────────────────────────────────────

Fragments = Mapping[str, str]

UNSEEN = frozenset({"announcer", "chat", "chat-earlier", "chat-lock", "shoe", "rulings"})
"""Public fragments that have no place where a round is only shown."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One moment of a demonstration: the felt as everybody sees it, what has just happened, and how long it stays.

    `html` is what `felt.public_fragments` gives; `changed` of it what the frame before had otherwise.
    """

    html: Fragments
    changed: Fragments
    note: Note | None
    seconds: float

    @property
    def words(self) -> Words | None:
        """What has just happened."""
        return None if self.note is None else self.note.words

    @property
    def milliseconds(self) -> int:
        """How long it stays, as scripts count."""
        return round(self.seconds * 1000)

    @property
    def swaps(self) -> list[SafeString]:
        """What is put in place when this frame comes."""
        return [mark_safe(html) for html in self.changed.values()]


SETTLED_STAYS, FIRST_STAYS = 8.0, 2.5
"""Seconds for which the result is shown, and the empty layout."""

MAX_ROUND_S = 38.0
"""Seconds that a round takes at most; longer ones go faster."""

PAST_ROUNDS = 14
"""Rounds that lie behind a demonstration, for the roads; of games that have some."""

MOST_SEEDS = 12
"""So many rounds are there to be shown of one table's options; other seeds show one of them."""


def frames(game_slug: str, options: Mapping[str, Any], seed: int) -> list[Frame]:
    """A whole round of this game under these options (as a table's JSON has them), in the active language."""
    written = json.dumps(options, sort_keys=True)
    return list(_frames(game_slug, written, seed % MOST_SEEDS, get_language() or ""))


@lru_cache(maxsize=72)
def _frames(game_slug: str, written: str, seed: int, language: str) -> tuple[Frame, ...]:
    return tuple(changes(_moments(_show(game_slug, written, seed), seed)))


def _show(game_slug: str, written: str, seed: int) -> Show:
    """The round as its layout opens."""
    game = GAMES[game_slug]
    options = read_options(game.options, json.loads(written))
    bettors = [one for one in BETTORS if one.seat is None or one.seat <= options.seats]
    show = Show(FELTS[game_slug], options, bettors, _source(game, options, f"{seed}"), _past(game_slug, written, seed))
    while show.round.next_house_step() is not None:
        show.go_on()
    return show


def _source(game: Game, options: Any, seed: str) -> Counted:
    shoe = game.shoe(options)
    return Counted(f"{game.slug}:{seed}", 1 if shoe is None else shoe.decks)


@lru_cache(maxsize=72)
def _past(game_slug: str, written: str, seed: int) -> tuple[Mapping[str, Any], ...]:
    """The results of a few rounds in which nobody staked anything."""
    game = GAMES[game_slug]
    options = read_options(game.options, json.loads(written))
    if game.unrecorded or not game.dealt_unstaked:
        return ()
    results = []
    for number in range(PAST_ROUNDS):
        show = Show(FELTS[game_slug], options, (), _source(game, options, f"{seed}:{number}"))
        while not show.round.over:
            show.go_on()
        results.append(game.public_result(show.round))
    return tuple(results)


@dataclass(frozen=True, slots=True)
class Moment:
    """One step of a demonstration: all fragments of the felt, the newest that happened, and for how long it stays."""

    html: Fragments
    note: Note | None
    seconds: float


def _moments(show: Show, seed: int) -> Iterator[Moment]:
    """The round from the open layout to the end."""
    yield Moment(public_fragments(show.state), None, FIRST_STAYS)
    chance = Counted(f"{show.game.slug}:{seed}:stakes")
    for stake in _stakes(show, chance):
        show.do(stake)
        yield Moment(public_fragments(show.state), show.note, 1.2)
    while not show.round.over:
        decided = _decided(show)
        if decided is None:
            action = show.go_on()
        else:
            action = decided
            show.do(decided)
        yield Moment(public_fragments(show.state), show.note, _seconds(show, action))


def _seconds(show: Show, action: Action) -> float:
    """How long what this action did is looked at."""
    if show.round.over:
        return SETTLED_STAYS
    if isinstance(action, DrawCard):
        return show.felt.card_s
    if action.by != HOUSE:
        return 1.6
    return 3.5 if show.round.pace is Pace.BETTING else 1.4


def changes(moments: Iterator[Moment]) -> Iterator[Frame]:
    """The moments as frames, each with what it changes; one that changes nothing only makes the one before longer.

    What the first one changes is what it has otherwise than the last: with it the round begins again.
    """
    all_: list[Frame] = []
    for moment in moments:
        html = {name: text for name, text in moment.html.items() if name not in UNSEEN}
        before = all_[-1] if all_ else Frame({}, {}, None, 0.0)
        changed = otherwise(html, before.html)
        if changed or not all_:
            all_.append(Frame(html, changed, moment.note, moment.seconds))
        else:
            note = before.note or moment.note
            all_[-1] = Frame(html, before.changed, note, max(before.seconds, moment.seconds))
    first = all_[0]
    long = sum(frame.seconds for frame in all_[:-1])
    pace = min(1.0, (MAX_ROUND_S - all_[-1].seconds) / long)
    all_[0] = replace(first, changed=otherwise(first.html, all_[-1].html))
    yield from (replace(frame, seconds=round(frame.seconds * pace, 2)) for frame in all_[:-1])
    yield all_[-1]


def otherwise(html: Fragments, before: Fragments) -> dict[str, str]:
    """The fragments that were not so before."""
    return {name: text for name, text in html.items() if before.get(name) != text}


def page(game_slug: str, options: Mapping[str, Any], seed: int, pool: Pool | None = None) -> dict[str, Any]:
    """What kiosk/_demonstration.html needs: the felt at its first frame, as `felt.page` has it, and all `frames`.

    `options` are those of a table, as its JSON has them; `pool` is what the meter of its jackpot shows.
    """
    show = _show(game_slug, json.dumps(options, sort_keys=True), seed % MOST_SEEDS)
    return {
        **table_page(replace(show.state, pool=pool), Viewer(chats=False)),
        "mark": MARK,
        "frames": frames(game_slug, options, seed),
    }


# ── A line about the rules ──────────────────────────────────────────────────────────────────────────────────


def lines(game_slug: str) -> list[Note]:
    """What can be said of a game in one line each, with its article: true at every table of it."""
    return list(FELTS[game_slug].lines)
