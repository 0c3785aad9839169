"""What the felt opens of a round while it is played: to each viewer the cards that they see, each as it was committed
to; and what becomes of it when a device says that one does not fit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import translation

from tables.base.executor import in_database
from tables.base.proof_format import card_leaf, root, throw_leaf
from tables.felt.private import Viewer, private_fragments
from tables.felt.public import public_fragments
from tables.models import Alert, Player, RoundLog, Shoe, Table
from tables.proof.visibility import cards_seen_by
from tables.queries.folds import entries_of, fold_cache
from tables.queries.table import table_state
from tables.services.journal import severity
from tables.services.rounds import seating
from tests.extent import first
from tests.house.kit import House, Seeded, without_guards
from tests.house.test_prove import STAKES, TABLES

from .test_sockets import Scene, live, scene  # noqa: F401 (fixtures)


def felt(house: House, table: Table, who: Player | None) -> dict[str, str]:
    """Every fragment that this viewer's felt is made of now."""
    with translation.override("en"):
        state = table_state(table.pk, clock=house.clock)
        viewer = Viewer(who.key, "", 0, state.seat_of(who.key)) if who is not None else Viewer()
        return public_fragments(state) | private_fragments(state, viewer)


def opened(fragments: dict[str, str]) -> Iterator[tuple[int, str, str]]:
    """Place, salt and card of all that they open."""
    for name in ("seals", "my-seals"):
        for cards in re.findall(r'data-cards="([^"]*)"', fragments[name]):
            for one in cards.split():
                place, salt, card = one.split(":")
                yield int(place), salt, card


def salts(log: RoundLog) -> set[str]:
    """The salts of all cards that were drawn so far, also of those that lie face down."""
    return {str(entry.action["salt"]) for entry in entries_of(log) if entry.action["do"] == "card"}


@pytest.mark.parametrize("game", first(*TABLES, of_them=2))
def test_each_viewer_can_check_the_cards_that_they_see_and_learns_nothing_of_any_other(db: None, game: str) -> None:
    house = House(Seeded(f"seals of {game}"))
    ana, table = house.player("ana"), house.table(game=game, **TABLES[game])
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    opened_to: dict[str, set[str]] = {"ana": set(), "nobody": set()}
    for round_ in range(2):
        if round_:
            house.step(table)  # the round that was played gives way to the next
        house.until(table, "betting")
        spot, credits, box = STAKES[game]
        house.bet(ana, table, spot, credits, box)
        log = house.log(table)
        while not log.settled_at:
            house.step(table)
            log = house.log(table)
            for name, who in (("ana", ana), ("nobody", None)):
                fold_cache.clear()  # another process, which has read the log alone
                fragments = felt(house, table, who)
                drawn = {seen.salt: str(seen.card) for seen in cards_seen_by(log, who.key if who else None)}
                mine = list(opened(fragments))
                assert {salt: card for _, salt, card in mine}.items() <= drawn.items()
                assert len({place for place, _, _ in mine}) == len(mine)
                everything = "".join(fragments.values())
                assert not [salt for salt in salts(log) - drawn.keys() if salt in everything], "of a card not seen"
                shoe = log.shoe
                assert shoe is not None and shoe.seed is not None
                leaves = shoe.seed.leaves or ()
                for place, salt, card in mine:
                    assert card_leaf(table.pk, shoe.number, place, salt, card) == leaves[place - 1]
                    opened_to[name].add(f"{round_} {place}")
                if mine:
                    assert f'data-sealed="{table.pk}:{shoe.number}:{root(leaves)}"' in fragments["shoe"]
    assert {one[0] for one in opened_to["nobody"]} == {"0", "1"}, "of the second round as well"
    assert opened_to["nobody"] <= opened_to["ana"]
    if game == "stud_poker":
        assert opened_to["nobody"] < opened_to["ana"], "a hand of one's own"


@pytest.mark.parametrize(("game", "spot"), [("roulette", "red"), ("cussec", "small")])
def test_a_throw_is_opened_with_what_it_was_committed_to_and_not_before(db: None, game: str, spot: str) -> None:
    house = House(Seeded("a throw"))
    ana, table = house.player("ana"), house.table(game=game)
    house.until(table, "betting")
    house.bet(ana, table, spot, 100)
    before = felt(house, table, ana)
    sealed = re.search(rf'data-sealed="{table.pk}:(\d+):(\w{{64}})"', before["shoe"])
    assert sealed is not None and "data-throw" not in before["seals"]
    house.play_out(table)
    found = re.search(r'data-throw="(\d+):(\w{32}):([\d ]+)"', felt(house, table, None)["seals"])
    assert found is not None and found[1] == sealed[1]
    assert throw_leaf(table.pk, int(found[1]), found[2], found[3]) == sealed[2]


def test_nothing_is_opened_of_a_pack_of_an_earlier_scheme(db: None) -> None:
    house = House(Seeded("earlier"))
    table = house.table(game="baccarat")
    house.until(table, "betting")
    house.bet(house.player("ana"), table, "player", 100)
    house.play_out(table)
    assert list(opened(felt(house, table, None)))
    without_guards()
    Shoe.objects.filter(table=table).update(seed=None, scheme=2)
    fragments = felt(house, table, None)
    assert not list(opened(fragments)) and "data-sealed" not in fragments["shoe"]


# ── A device that doubts ────────────────────────────────────────────────────────────────────────────────────


async def doubts(scene: Scene, **about: Any) -> str:  # noqa: F811
    """Say so, and something refused after it: what was said before is done by then, and was not answered."""
    said = {"do": "doubt", "ref": "ref-of-a-doubt", "round": scene.log, "place": 0} | about
    await scene.line.socket.send_to(text_data=json.dumps(said))
    return await scene.line.say({"do": "sit", "ref": "ref-of-a-seat", "seat": 99})


async def test_the_pit_hears_once_of_a_device_and_round_what_does_not_fit(scene: Scene) -> None:  # noqa: F811
    for place in (134, 135):
        assert "ref-of-a-doubt" not in await doubts(scene, place=place)
    (alert,) = await in_database(lambda: list(Alert.objects.filter(kind="misfit").select_related("table")))
    assert (alert.table_id, alert.log_id, alert.about["place"]) == (scene.table.pk, scene.log, 134)
    assert severity.severity_of(alert) is severity.Severity.URGENT
    await in_database(lambda: Alert.objects.update(acknowledged_at=alert.at, acknowledged_by=scene.ana))
    await doubts(scene, place=136)
    assert await in_database(Alert.objects.count) == 1, "not again when somebody has taken note of it"
    await scene.nothing_changed()


@pytest.mark.parametrize("about", [{"place": 0}, {"place": 417}, {"place": -1}, {"place": True}, {"round": 999_999}])
async def test_a_doubt_of_nothing_is_refused_and_tells_nobody(scene: Scene, about: dict[str, Any]) -> None:  # noqa: F811
    said = {"do": "doubt", "ref": "ref-of-a-doubt", "round": scene.log, "place": 1} | about
    assert 'data-kind="refused"' in await scene.line.say(said)
    assert not await in_database(Alert.objects.exists)
