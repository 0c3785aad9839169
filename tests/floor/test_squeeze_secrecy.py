"""The squeeze tells nobody more of a card than the pips that its bend has uncovered: not the holder, not a push.

The measure: a card is exchanged for every other one of which the same pips would be seen, and whatever is drawn or sent
stays the same, byte for byte. Where it is exchanged for another one, it does not.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest
from channels.layers import get_channel_layer

from tables.base import announce
from tables.base.executor import in_database
from tables.felt.private import Viewer
from tables.games.baccarat import GAME, Options, Turn
from tables.games.baccarat.coup import Hand
from tables.games.contract.actions import Action, CloseBets, DrawCard, PlaceBet
from tables.games.contract.round import Opening, Round
from tables.games.shared.squeeze import STEPS, Edge, Peel, pips
from tables.games.values.cards import Card, card, pack
from tables.live.hub import Hub
from tables.models import Player, RoundLog, Table
from tables.services.rounds import seating, squeezing
from tests import extent
from tests.house.kit import House
from tests.house.processes import WITHIN

from .kit import Room
from .test_felt_baccarat import state, whole

PACK = pack(1)
BENDS = [(edge, step) for edge in Edge for step in range(1, STEPS + 1)]
OPENING = Opening(seats={"p1": 2, "p2": 3})
VIEWERS = {"holds the Player": "p1", "holds the Banker": "p2", "stands": "p3", "watches": None}
PLAYER, BANKER = ("player-0", "player-1"), ("banker-0", "banker-1")


def dealt(*four: Card, turned: bool = False) -> Round:
    """A round whose hands are held, with these cards in the order of the deal."""
    log: list[Action] = [
        PlaceBet("p1", "b1", "player", 10_000, 2),
        PlaceBet("p2", "b2", "banker", 10_000, 3),
        PlaceBet("p3", "b3", "tie", 1_000),
        CloseBets(),
        *(DrawCard(card=one) for one in four),
        *([Turn("p1", Hand.PLAYER)] if turned else []),
    ]
    round_: Round = GAME.opened(Options(squeeze=True), OPENING)
    for action in log:
        round_ = round_.apply(action)
    return round_


def screen(round_: Round, who: str | None, peels: dict[str, Peel]) -> dict[str, str]:
    viewer = Viewer(key=who, name="Somebody", balance_cents=500_000, seat=OPENING.seats.get(who or ""))
    return whole(state(round_, peels=peels), viewer)


def visible(one: Card, edge: Edge, step: int) -> object:
    """What somebody at the table can see of a card on such a bend, told by the line of its fold alone."""
    reach = {Edge.SHORT: (0, 7 * step), Edge.LONG: (5 * step, 0), Edge.CORNER: (10 * step, 10 * step)}[edge]

    def uncovered(right: float, below: float) -> bool:
        match edge:
            case Edge.SHORT:
                return below <= reach[1]
            case Edge.LONG:
                return right <= reach[0]
            case Edge.CORNER:
                return right + below <= reach[0]

    if one.rank in "JQK":
        corner = {Edge.SHORT: (0, 10.5), Edge.LONG: (27, 0), Edge.CORNER: (27, 10.5)}[edge]
        return "a frame" if uncovered(*corner) else frozenset()
    return frozenset(pip for pip in pips(one) if uncovered(100 - pip.x, 140 - pip.y))


@cache
def alike(edge: Edge, step: int) -> list[list[Card]]:
    """The cards of a pack that nobody can tell apart on such a bend."""
    groups: defaultdict[object, list[Card]] = defaultdict(list)
    for one in PACK:
        groups[visible(one, edge, step)].append(one)
    return list(groups.values())


@pytest.mark.parametrize("edge", extent.first(*Edge))
def test_at_each_progress_the_bytes_tell_apart_only_what_the_visible_pips_do(edge: Edge) -> None:
    """The two fragments in which a card is drawn, of all cards of a pack, as the holder and the others have them."""
    others = (card("3c"), card("Jd"), card("5h"))
    drawn = {one: dealt(one, *others) for one in PACK}
    for step in range(1, STEPS + 1):
        looks: list[tuple[str, str]] = []
        for group in alike(edge, step):
            bytes_of = set()
            for one in group:
                shown = screen(drawn[one], "p1", {"player-0": Peel(edge, {edge: step})})
                bytes_of.add((shown["cards"], shown["my-cards"]))
            assert len(bytes_of) == 1, (edge, step, [str(one) for one in group])
            looks += bytes_of
        assert len(set(looks)) == len(looks), f"{edge} {step}: some bend shows less than its pips"


@pytest.mark.parametrize("viewer", VIEWERS)
def test_no_part_of_the_felt_depends_on_more(viewer: str) -> None:
    """Everything that is drawn for a viewer, with both cards of the hand bent, of the one hand and of the other."""
    who = VIEWERS[viewer]
    told = 0
    for (first, second), turned in product([(("short", 4), ("long", 7)), (("corner", 8), ("short", 2))], (False, True)):
        places = BANKER if turned else PLAYER
        bent = [(Edge(edge), step) for edge, step in (first, second)]
        peels = {place: Peel(edge, {edge: step}) for place, (edge, step) in zip(places, bent, strict=True)}
        pairs = list(zip(*(max(alike(*one), key=len)[:4] for one in bent), strict=False))
        assert len(pairs) >= 4
        screens = []
        for own in pairs:
            other = (card("4s"), card("3d"))
            player, banker = (other, own) if turned else (own, other)
            screens.append(screen(dealt(player[0], banker[0], player[1], banker[1], turned=turned), who, peels))
        assert all(one == screens[0] for one in screens)
        told += "bend" in screens[0]["cards"]
    assert told == 4, "this test has peeled too little to mean anything"


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_card_that_is_not_to_be_opened_now_shows_nothing_whatever_was_written_of_it(viewer: str) -> None:
    """Were the row of a round another, the rules would still uncover no card that nobody may peel."""
    peels = dict.fromkeys((*PLAYER, *BANKER, "player-2"), Peel(Edge.SHORT, {Edge.SHORT: STEPS}))
    four = [card(text) for text in ("4s", "8c", "3d", "6h")]
    for turned, swapped in ((False, (1, 3)), (True, ())):
        shown = screen(dealt(*four, turned=turned), VIEWERS[viewer], peels)
        assert shown["cards"].count('class="peel"') == 2
        other = [Card("Q", "h") if at in swapped else one for at, one in enumerate(four)]
        assert screen(dealt(*other, turned=turned), VIEWERS[viewer], peels) == shown
    off = replace(dealt(*four), options=Options())  # type: ignore[type-var]
    assert "peel" not in screen(off, None, peels)["cards"]


# ── What is sent ────────────────────────────────────────────────────────────────────────────────────────────


OTHER = ("live", "shoe")
"""What is another at every table: the version, and the commitment to the pack, which was there before the deal."""


class Sent:
    """A table at which ana holds the Player, who sits beside rui; kai only watches, in Chinese. All that is sent."""

    def __init__(self, house: House, live: Hub) -> None:
        self.house, self.live = house, live

    async def begins(self, slug: str, first: str) -> None:
        """The cards are dealt; the first of them is this."""
        self.house.stack(f"Kd 2c {first} 3c 4d 5h 9s 7s")
        self.table, people = await in_database(self._dealt, slug)
        self.ana = people[0]
        self.room = Room(self.table, self.live)
        for player, language in zip((*people, None), ("en", "pt", "zh-hant", "en"), strict=True):
            await self.room.enter(player, language)
        await self.room.agree()

    def _dealt(self, slug: str) -> tuple[Table, list[Player]]:
        house = self.house
        shoe: dict[str, Any] = {"dealing_device": "shoe", "decks": 6, "burn_mode": "fixed_n", "burn_fixed_n": 1}
        table = house.table(slug, squeeze=True, **shoe)
        ana, rui, kai = (house.player(name, username=f"{slug}-{name}") for name in ("ana", "rui", "kai"))
        for seat, player in ((1, ana), (2, rui)):
            seating.sit(player.pk, table.pk, seat, clock=house.clock)
        house.until(table, "betting")
        house.bet(ana, table, "player", 100, 1)
        house.bet(rui, table, "banker", 100, 2)
        house.until(table, "open_player")
        return table, [ana, rui, kai]

    async def peels(self, edge: Edge, step: int) -> list[dict[str, str]]:
        """All that each of them has been sent, fragment by fragment, when ana has peeled her first card so far."""
        log = (await in_database(self.house.log, self.table)).pk
        await self.room.does(lambda: squeezing.peel(self.ana.pk, log, "player-0", edge, step, clock=self.house.clock))
        return [
            {name: self.alike(name, html) for name, html in client.screen.items() if name not in OTHER}
            for client in self.room.clients
        ]

    def alike(self, name: str, html: str) -> str:
        """A fragment without what is another at every table: names, ids, times, and what was drawn by chance."""
        html = re.sub(r"\b[0-9a-f]{12,}\b…?", "(random)", html.replace(self.table.slug, "table"))
        html = re.sub(r"<b data-dealer>[^<]*</b>|<b>[^<]*</b>(?= <span)", "(dealer)", html)
        html = html.replace(self.table.slug.title(), "Table")
        html = re.sub(r'data-(round|ends-at|sealed|shoe|leaves)="[^"]*"', r'data-\1=""', html)
        html = re.sub(r"(/(?:shoes|rounds)/|#)\d+|\b\d+-ref-\d+", r"\1(id)", html)
        if name == "wallet":  # the numbers of stakes
            html = re.sub(r"[0-9a-f]*[0-9][0-9a-f]*", "(number)", html)
        return re.sub(r"\bp\d+\b", "(player)", html)


PATH = [(Edge.SHORT, 2), (Edge.SHORT, 4), (Edge.SHORT, 6), (Edge.SHORT, 8), (Edge.LONG, 7), (Edge.CORNER, 10)]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("4h", "9h", 3),  # two pips below, until the nine shows a second row
        ("Kh", "Jc", 6),  # the frame of a picture, whatever is in it
        ("6d", "7d", 6),  # the pip of a seven lies above the middle
        ("As", "Ac", 6),  # an ace is blank till the middle
        ("As", "2s", 2),
    ],
)
async def test_nothing_that_is_sent_tells_two_cards_apart_before_their_pips_do(
    house: House, live: Hub, one: str, other: str, same: int
) -> None:
    known: list[list[list[dict[str, str]]]] = []
    for slug, first in (("amber", one), ("coral", other)):
        at = Sent(house, live)
        await at.begins(slug, first)
        known.append([await at.peels(edge, step) for edge, step in PATH])
    equal = [visible(card(one), edge, step) == visible(card(other), edge, step) for edge, step in PATH]
    assert sum(equal) == same
    for bend, mine, its, alike in zip(PATH, *known, equal, strict=True):
        assert all("bend" in screen["cards"] for screen in mine), "somebody saw nothing"
        told = {
            name for a, b in zip(mine, its, strict=True) for name in a.keys() | b.keys() if a.get(name) != b.get(name)
        }
        assert told == (set() if alike else {"cards", "my-cards"}), bend


async def test_what_goes_over_redis_says_nothing_of_a_bend(house: House, live: Hub) -> None:
    sent = Sent(house, live)
    await sent.begins("amber", "4h")
    layer: Any = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add(announce.group_of(sent.table.pk), channel)
    await sent.peels(Edge.SHORT, 4)
    wanted, heard = announce.TableChanged(sent.table.pk, (sent.ana.pk,)), list[announce.Announcement | None]()
    while wanted not in heard:  # what was done before may be announced late
        message = await asyncio.wait_for(layer.receive(channel), WITHIN)
        assert message.pop("heard_by", None) in (None, [live._listener.name])
        heard.append(announce.read(message))
        assert heard[-1] is not None and heard[-1].as_message() == message


async def test_what_is_stored_of_a_bend_is_how_far_it_goes(house: House, live: Hub) -> None:
    """A reader of the database learns no pip: the closed card stands sealed in the log as it did."""
    sent = Sent(house, live)
    await sent.begins("amber", "4h")
    await sent.peels(Edge.SHORT, 4)
    log: RoundLog = await in_database(sent.house.log, sent.table)
    assert log.peeled == {"player-0": {"edge": "short", "furthest": {"short": 4}}}
    assert log.turned is None
