"""Limits and times of several tables at once: presets, a preview with what looks like a slip, all of it or nothing; and
what players are told before a minimum rises."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from tables.felt.games import FELTS
from tables.games import GAMES
from tables.games.contract.errors import Refused
from tables.games.shared.limits import check_agree, check_bounded
from tables.games.shared.options import read_options
from tables.models import Event, Role, Table
from tables.pit import stakes
from tables.pit.stakes import PRESETS, Stakes
from tables.services.pit import lifecycle
from tests.house.kit import House

from .pit_kit import browser, member

pytestmark = pytest.mark.django_db

PATH = "/pit/limits/"


def text(page: bytes) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.decode())).split())


def main(table: Table) -> tuple[int, int | None]:
    """The limits of the main bet of a table now, in credits."""
    found = stakes.main_of(table.game, Table.objects.get(pk=table.pk).options)
    return found.least // 100, None if found.most is None else found.most // 100


def previews(client: Client, *tables: Table, **said: str) -> str:
    """Ask for a preview; the sign of what was shown."""
    answer = client.post(PATH, {"game": tables[0].game, "table": [table.slug for table in tables], **said})
    assert answer.status_code == 200, text(answer.content)
    (shown,) = re.findall(r'name="shown" value="([^"]*)"', answer.content.decode())
    return unescape(shown)


def applies(client: Client, *tables: Table, shown: str, **said: str) -> int:
    """Apply it; the status of the answer."""
    given = {"game": tables[0].game, "table": [table.slug for table in tables], "shown": shown, "apply": "1", **said}
    return client.post(PATH, given).status_code


def jades(house: House) -> tuple[Table, Table]:
    limits: dict[str, Any] = {"min_bet": {"player": 10_00, "banker": 10_00, "tie": 5_00},
              "max_bet": {"player": 2_000_00, "banker": 2_000_00, "tie": 200_00, "player_pair": 100_00,
                          "banker_pair": 100_00}}  # fmt: skip
    return house.table("jade", **limits), house.table("pearl", **limits)


def test_a_preset_is_set_at_several_tables_and_each_has_its_event(house: House) -> None:
    jade, pearl = jades(house)
    other = house.table("lotus")
    client = browser(Role.PIT_BOSS)
    said = {"preset": str(PRESETS.index(Stakes(50_00, 10_000_00))), "time.betting": "20", "why": "the evening"}
    shown = previews(client, jade, pearl, **said)
    assert main(jade) == (10, 2_000), "a preview changes nothing"
    assert applies(client, jade, pearl, shown=shown, **said) == 302
    for table in (jade, pearl):
        table.refresh_from_db()
        assert main(table) == (50, 10_000)
        assert table.options["min_bet"]["tie"] == 25_00 and table.options["max_bet"]["tie"] == 1_000_00
        assert table.times["betting"] == 20_000
    assert Event.objects.filter(deed=Event.Kind.LIMITS, why="the evening").count() == 2
    assert main(other)[0] == 1


def test_what_was_not_previewed_is_not_applied(house: House) -> None:
    jade, pearl = jades(house)
    client = browser(Role.PIT_BOSS)
    shown = previews(client, jade, least="20")
    assert applies(client, jade, shown="", least="20") == 200
    assert applies(client, jade, pearl, shown=shown, least="20") == 200
    assert applies(client, jade, shown=shown, least="200") == 200
    assert main(jade) == main(pearl) == (10, 2_000)
    assert applies(client, jade, shown=shown, least="20") == 302
    assert main(jade) == (20, 2_000)


def test_one_that_is_refused_leaves_all_as_they_were(house: House) -> None:
    jade, pearl = jades(house)
    by = member(Role.PIT_BOSS)
    good = stakes.with_stakes("baccarat", jade.options, Stakes(20_00, None))
    bad = {"min_bet": {"player": 5_000_00}}
    with pytest.raises(Refused) as refusal:
        lifecycle.set_limits_of_several(by, {jade.pk: (good, {}), pearl.pk: (bad, {})})
    assert "Pearl" in str(refusal.value.words)
    assert main(jade) == (10, 2_000) and not Event.objects.filter(deed=Event.Kind.LIMITS)


@pytest.mark.parametrize(
    ("said", "words"),
    [({"least": "1000"}, "from 10 to 1,000"), ({"most": "50"}, "less than 10 times the minimum"),
     ({"most": "1500000"}, "The float holds")],
)  # fmt: skip
def test_what_looks_like_a_slip_is_said_and_may_be_done(house: House, said: dict[str, str], words: str) -> None:
    jade, _ = jades(house)
    client = browser(Role.PIT_BOSS)
    answer = client.post(PATH, {"game": "baccarat", "table": "jade", **said})
    assert words in text(answer.content) and "Apply all the same" in text(answer.content)
    assert applies(client, jade, shown=previews(client, jade, **said), **said) == 302


def test_so_it_is_on_the_page_of_one_table(house: House) -> None:
    jade, _ = jades(house)
    client = browser(Role.PIT_BOSS)
    given = {f"{name}.{spot}": str(cents // 100) for name in ("min_bet", "max_bet")
             for spot, cents in jade.options[name].items()}  # fmt: skip
    given |= {"min_bet.player": "1000", "min_bet.banker": "1000"}
    answer = client.post("/pit/tables/jade/limits/", given)
    assert "from 10 to 1,000" in text(answer.content) and main(jade) == (10, 2_000)
    assert client.post("/pit/tables/jade/limits/", {**given, "sure": "1"}).status_code == 302
    assert main(jade) == (1_000, 2_000)


@pytest.mark.parametrize("said", [{}, {"least": "ten"}, {"least": "1.5"}, {"preset": "99"}, {"time.betting": "x"}])
def test_what_is_not_well_said_is_refused_and_kept(house: House, said: dict[str, str]) -> None:
    jade, _ = jades(house)
    answer = browser(Role.PIT_BOSS).post(PATH, {"game": "baccarat", "table": "jade", "why": "the evening", **said})
    assert answer.status_code == 400 and b"the evening" in answer.content
    assert main(jade) == (10, 2_000)


def test_roulette_has_its_limits_by_authorisation_and_its_times_here(house: House) -> None:
    wheel = house.table("wheel", game="roulette")
    client = browser(Role.PIT_BOSS)
    page = client.get(f"{PATH}?game=roulette").content.decode()
    assert 'name="preset"' not in page and "authorisation of the inspectorate" in page
    shown = previews(client, wheel, **{"time.result": "9"})
    assert applies(client, wheel, shown=shown, **{"time.result": "9"}) == 302
    wheel.refresh_from_db()
    assert wheel.times["result"] == 9_000
    before = wheel.options
    assert applies(client, wheel, shown=previews(client, wheel, least="5"), least="5") == 400
    wheel.refresh_from_db()
    assert wheel.options == before


@pytest.mark.parametrize("game", [slug for slug in GAMES if not stakes.needs_authorisation(slug)])
def test_every_preset_agrees_with_every_table_that_a_new_house_opens_with(game: str) -> None:
    for one in FELTS[game].tables:
        for preset in PRESETS:
            options = {**one.options, **stakes.with_stakes(game, one.options, preset)}
            if game == "stud_poker" and preset == PRESETS[-1]:
                continue  # what a raise pays at most is an option of its own, and too little for it
            read = read_options(GAMES[game].options, options)
            check_agree(GAMES[game], read)
            check_bounded(GAMES[game], read)
            found = stakes.main_of(game, options)
            assert (found.least, found.most) == preset


def test_players_read_at_the_table_that_a_minimum_is_going_to_rise(house: House) -> None:
    jade, _ = jades(house)
    house.until(jade, "betting")
    by = member(Role.PIT_BOSS)

    def read_at_the_table() -> str:
        return text(Client().get("/tables/jade/").content)

    def sets(least: int) -> None:
        jade.refresh_from_db()
        lifecycle.set_limits(by, jade.pk, stakes.with_stakes("baccarat", jade.options, Stakes(least * 100, None)), {})

    assert "the minimum is" not in read_at_the_table()
    sets(50)
    assert "From the next round on the minimum is 50: Player · Banker" in read_at_the_table()
    sets(5)
    assert "the minimum is" not in read_at_the_table(), "nobody is warned of a lower one"
    sets(50)
    house.play_out(jade)
    house.until(jade, "betting")
    assert "the minimum is" not in read_at_the_table()
