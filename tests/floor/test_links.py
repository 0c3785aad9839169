"""Links over the line and on the pages: offered and revealed in silence, refused in a word, and told on the proof."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from django.db import connection
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from tables.base.calendar import macau_date
from tables.base.executor import in_database
from tables.base.proof_format import chain
from tables.felt.public import public_fragments
from tables.models import OfferedLink, PackSeed, Player, RevealedLink
from tables.models.bettors import player_of
from tables.queries.table import table_state
from tables.services.dealing.seeds import opened_seed
from tests.house.kit import VAULT, House, Seeded
from tests.house.test_links import Device, dealt, opened, seated, thrown, to_the_list, waiting

from .pit_kit import browser_of, member
from .test_sockets import Scene, live, scene  # noqa: F401 (fixtures)

CHAIN = chain("5a" * 32, 20)
REF = "ref-of-a-link"


@pytest_asyncio.fixture
async def bettor(scene: Scene) -> AsyncIterator[Scene]:  # noqa: F811
    """Ana has a stake, and has been answered."""
    assert REF not in await scene.line.bet(scene.log)
    yield scene


async def offers(scene: Scene, link: Any) -> None:  # noqa: F811
    await scene.line.socket.send_to(text_data=json.dumps({"do": "offer", "ref": REF, "link": link}))


async def hears(scene: Scene) -> str:  # noqa: F811
    """The answer to something refused that is said after it: what was done before is done by then."""
    answer = await scene.line.say({"do": "sit", "ref": "ref-of-a-seat", "seat": 99})
    assert "refused" in answer
    return answer


async def test_a_link_is_offered_in_silence_by_whose_line_it_is(bettor: Scene) -> None:
    await offers(bettor, CHAIN[0])
    assert REF not in await hears(bettor), "nobody reads of it"
    offered = await in_database(lambda: list(OfferedLink.objects.values_list("player", "link")))
    assert offered == [(bettor.ana.pk, CHAIN[0])]


BAD = (
    {"do": "offer", "link": "5a" * 31},
    {"do": "offer", "link": "5A" * 32},
    {"do": "offer", "link": 5},
    {"do": "offer", "link": None},
    {"do": "offer"},
    {"do": "offer", "link": CHAIN[0], "player": 1},
    {"do": "reveal", "link": CHAIN[1]},
    {"do": "reveal", "link": CHAIN[1], "number": -1},
    {"do": "reveal", "link": CHAIN[1], "number": True},
    {"do": "reveal", "link": CHAIN[1], "number": 1},
    {"do": "reveal", "link": CHAIN[1], "number": 2**53 - 1},
)


@pytest.mark.parametrize("message", BAD, ids=str)
async def test_what_does_not_fit_is_refused_in_a_word_and_changes_nothing(
    bettor: Scene, message: dict[str, Any]
) -> None:
    assert 'data-kind="refused"' in await bettor.line.say({"ref": REF, **message})
    assert not await in_database(lambda: OfferedLink.objects.exists() or RevealedLink.objects.exists())


async def test_who_only_looks_on_offers_nothing(scene: Scene) -> None:  # noqa: F811
    answer = await scene.line.say({"do": "offer", "ref": REF, "link": CHAIN[0]})
    assert "has a seat or a stake" in answer
    assert not await in_database(OfferedLink.objects.exists)


# ── On the felt and on the pages ────────────────────────────────────────────────────────────────────────────


def page(path: str, player: Player | None) -> str:
    browser = Browser()
    if player is not None:
        browser.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    answer = browser.get(path)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def test_the_felt_has_the_list_while_it_takes_links_and_no_seed(db: None) -> None:
    house, table, (ana, rui), seed = opened("baccarat", "ana", "rui")

    def felt() -> str:
        with translation.override("en"):
            return public_fragments(table_state(table.pk, clock=house.clock))["shoe"]

    text = f"{ana.player.key}:{ana.chain[0]} {rui.player.key}:{rui.chain[0]} "
    assert f'data-number="{seed.number}" data-commitment="{seed.commitment}" data-offered="{text}"' in felt()
    ana.reveal(seed.number)
    assert ana.chain[0] not in felt(), "nobody is told before it is mixed"
    rui.reveal(seed.number)
    house.advance(table)
    assert "data-number" not in felt()


def test_a_bettor_reads_on_the_proof_that_their_link_was_in(db: None) -> None:
    house, table, (ana, rui), seed = opened("blackjack", "ana", "rui")
    ana.reveal(seed.number)
    house.clock.pass_(seconds=2)
    house.advance(table)
    log = house.log(table)
    path = f"/shoes/{log.shoe_id}/"
    assert "1 of 2 were revealed in time" in page(path, None) and "data-own-link" not in page(path, None)
    assert "Your link is in it" in page(path, ana.player)
    assert "did not reveal it in time" in page(path, rui.player)
    dealt(house, table)
    assert "Your link is in it" in page(f"/rounds/{log.pk}/", ana.player), "as the replay says"
    log.refresh_from_db()
    proof = Browser().get(f"/rounds/{log.pk}/proof.json").json()
    assert proof["pack"]["revealed"] == [[ana.player.key, ana.chain[0]]]


def test_a_bettor_reads_on_the_page_of_the_throws_that_their_link_was_in(db: None) -> None:
    house, table, (ana, _rui) = thrown("cussec")
    assert "none was offered" in page(f"/rounds/{house.log(table).pk}/throws/", None)
    seed = waiting(table)
    assert seed is not None
    ana.reveal(seed.number)
    house.bet(ana.player, table, "big", 10)
    house.play_out(table)
    house.until(table, "betting")
    assert "Your link is in it" in page(f"/rounds/{house.log(table).pk}/throws/", ana.player)


def test_no_page_and_no_fragment_has_a_seed_before_it_is_opened(db: None) -> None:
    house = House(Seeded("secret"))
    table = house.table(game="three_card_baccarat")
    house.step(table)
    devices: list[Device] = seated(house, table, "ana")
    seed = to_the_list(house, table)
    assert [player_of(bettor) for bettor, _ in seed.offered] == [devices[0].player.pk]
    assert PackSeed.objects.get(pk=seed.pk).revealed is None
    with translation.override("en"):
        fragments = public_fragments(table_state(table.pk, clock=house.clock))
    secret = opened_seed(seed, VAULT)
    assert not [name for name, html in fragments.items() if secret in html]
    assert secret not in page(f"/tables/{table.slug}/", devices[0].player)


# ── Who keeps silent ────────────────────────────────────────────────────────────────────────────────────────


def silence(browser: Browser, day: str) -> str:
    with CaptureQueriesContext(connection) as statements:
        answer = browser.get("/pit/silence/", {"day": day})
    assert answer.status_code == 200
    asked = [one["sql"] for one in statements if "packseed" in one["sql"] or "tables_table" in one["sql"]]
    assert len([one for one in asked if "packseed" in one]) == 1, "however many there are"
    return re.sub(r"(?:<[^>]+>|\s)+", " ", answer.content.decode())


def test_the_pit_reads_how_often_and_who_kept_silent(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    house, table, (ana, _rui), seed = opened("blackjack", "ana", "rui")
    browser = browser_of(member("surveillance"))
    assert "Nobody offered a link" in silence(browser, "1999-01-01")
    ana.reveal(seed.number)
    house.clock.pass_(seconds=2)
    house.advance(table)
    monkeypatch.setattr("tables.views.pit.silence.DATABASE_CLOCK", house.clock)
    page = silence(browser, f"{macau_date(seed.committed_at):%Y-%m-%d}")
    assert f"{table.name} 1 2 1 1" in page and "Rui 1 1" in page and "Ana 1 1" not in page
    assert f"{table.name} 1 2 1 1" in silence(browser, "no day"), "of today"
