"""Demonstrations: rounds of every game that are dealt for nobody, as everybody would see them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

from tables.felt.games import FELTS
from tables.felt.shared.demonstration import DemoTable
from tables.games import GAMES
from tables.games.values.cards import pack
from tables.kiosk import demonstration
from tables.kiosk.demonstration import Counted, Frame
from tables.models import Account, LoggedAction, RoundLog, Table, Transfer
from tables.queries.jackpots import Pool
from tests.extent import first
from tests.house.kit import House

from .kiosk_kit import a_kiosk, enrolled

KIOSK_TABLES = {game: felt.kiosk_tables[0] for game, felt in FELTS.items()}
EVERY_GAME = pytest.mark.parametrize("game", GAMES)
EVERY_TABLE = pytest.mark.parametrize(
    ("game", "table"),
    [
        pytest.param(game, table, id=table.slug)
        for game, felt in FELTS.items()
        for table in (*felt.kiosk_tables, *felt.tables)
    ],
)


def frames(game: str, seed: int = 0) -> list[Frame]:
    return demonstration.frames(game, KIOSK_TABLES[game].options, seed)


def afresh(game: str, seed: int) -> list[Frame]:
    """The same, dealt again."""
    demonstration._frames.cache_clear()
    demonstration._past.cache_clear()
    return frames(game, seed)


def phase(frame: Frame) -> str:
    found = re.search(r'data-phase="(\w+)"', frame.html["rail"])
    assert found is not None
    return found[1]


def faces(frame: Frame) -> set[str]:
    """The cards that lie open on the felt."""
    return set(re.findall(r'data-card="(\w\w)"', " ".join(frame.html.values())))


# None of these tests may ask the database: without its mark, whoever does fails.


@EVERY_GAME
@pytest.mark.in_full
def test_the_same_seed_deals_the_same_round_and_another_another(game: str) -> None:
    assert afresh(game, 5) == afresh(game, 5)
    assert frames(game, 5)[-1].html != frames(game, 6)[-1].html


@EVERY_TABLE
@pytest.mark.parametrize("seed", first(0, 7))
def test_it_goes_from_the_open_layout_to_the_end(game: str, table: DemoTable, seed: int) -> None:
    round_ = demonstration.frames(game, table.options, seed)
    phases = [phase(frame) for frame in round_]
    assert phases[0] == "betting" and phases[-1] == "settled"
    assert 'data-total="' in round_[0].html[next(name for name in round_[0].html if name.startswith("all-"))]
    staked = [sum(map(int, re.findall(r'data-total="(\d+)"', "".join(frame.html.values())))) for frame in round_]
    assert staked[0] == 0 and max(staked) > 0
    assert all(frame.changed for frame in round_), "nobody waits for nothing"
    assert 12 <= sum(frame.seconds for frame in round_) <= demonstration.MAX_ROUND_S + 0.1
    assert all(frame.words is not None and str(frame.words) for frame in round_[1:])


@EVERY_GAME
def test_several_bet_on_several_spots(game: str) -> None:
    before_deal = [frame for frame in frames(game) if phase(frame) == "betting"][-1]
    spots = {
        name for name, html in before_deal.html.items() if name.startswith("all-") and 'data-total="0"' not in html
    }
    assert len(spots) >= min(3, len(GAMES[game].spots))


@EVERY_GAME
def test_each_frame_tells_what_it_changes_and_the_first_begins_again(game: str) -> None:
    round_ = frames(game)
    for before, after in [*pairwise(round_), (round_[-1], round_[0])]:
        assert {**before.html, **after.changed} == after.html


HIDDEN = {
    "stud_poker": ({"deal", "look_and_decide"}, 1),  # the dealer's fifth
    "three_card_baccarat": ({"deal", "look"}, 0),
}


@pytest.mark.parametrize("game", HIDDEN)
@pytest.mark.parametrize("seed", range(4))
def test_hands_that_only_their_bettors_see_lie_face_down(game: str, seed: int) -> None:
    phases, most = HIDDEN[game]
    hidden = [frame for frame in frames(game, seed) if phase(frame) in phases]
    assert hidden and max(len(faces(frame)) for frame in hidden) == most
    assert len(faces(frames(game, seed)[-1])) > most


@pytest.mark.parametrize("game", ["roulette", "cussec"])
def test_what_is_thrown_is_not_on_the_felt_before_it_counts(game: str) -> None:
    shown = re.compile(r'data-number="\d' if game == "roulette" else r'class="shake__dice"')
    told = [bool(shown.search(frame.html["cards"])) for frame in frames(game)]
    assert told == sorted(told) and told[-1] and not told[0]
    betting = [bool(shown.search(frame.html["cards"])) for frame in frames(game) if phase(frame) != "settled"]
    assert not all(betting)


@EVERY_GAME
def test_no_player_is_in_it_and_nothing_leads_away(game: str) -> None:
    for frame in frames(game):
        html = "".join(frame.html.values())
        assert not re.search(r'data-(by|key)="p\d', html)
        assert "<a " not in html and 'href="/' not in html.replace('href="/static/', "")
        assert "#None" not in html and "Round 0" not in html


def test_a_pack_is_dealt_out_without_a_card_twice() -> None:
    source = Counted("any", decks=2)
    assert Counter(source.card() for _ in range(104)) == Counter(pack(2))


def test_throws_reach_every_number() -> None:
    throw = GAMES["roulette"].throw(GAMES["roulette"].options())
    assert throw is not None
    source = Counted("any")
    assert {source.throw(throw)[0] for _ in range(600)} == set(range(37))


# ── On a page ───────────────────────────────────────────────────────────────────────────────────────────────


class Page(HTMLParser):
    """The ids of a page outside its templates, those within them, and what can be pressed outside `inert`."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.swapped: set[str] = set()
        self.pressed: list[str] = []
        self._open: list[tuple[str, bool, bool]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        template = tag == "template" or any(inside for _, inside, _ in self._open)
        inert = "inert" in given or any(inside for *_, inside in self._open)
        if (ident := given.get("id")) is not None:
            self.swapped.add(ident) if template else self.ids.append(ident)
        if tag in ("button", "a", "input", "form") and not inert and not template:
            self.pressed.append(tag)
        if tag not in ("input", "use", "path", "circle", "stop", "text", "img", "br"):
            self._open.append((tag, template, inert))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        for at in range(len(self._open) - 1, -1, -1):
            if self._open[at][0] == tag:
                del self._open[at:]
                break


def shown(game: str, language: str = "en", **more: object) -> str:
    with translation.override(language):
        page = demonstration.page(game, KIOSK_TABLES[game].options, 2)
        return render_to_string("kiosk/_demonstration.html", {**page, **more})


@EVERY_GAME
def test_the_page_has_a_place_for_all_that_changes_and_nothing_to_press(game: str) -> None:
    page = Page(shown(game))
    assert len(page.ids) == len(set(page.ids))
    assert page.swapped and page.swapped <= set(page.ids)
    assert page.pressed == []


@EVERY_GAME
@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_it_is_marked_as_dealt_for_nobody(game: str, language: str) -> None:
    html = shown(game, language)
    for code, _ in settings.LANGUAGES:
        with translation.override(code):
            assert translation.gettext(demonstration.MARK.text) in html
    assert f'<span lang="{language}">' in html


def test_the_meter_of_a_jackpot_shows_what_lies_in_it() -> None:
    table = next(table for table in FELTS["stud_poker"].tables if table.jackpot)
    page = demonstration.page("stud_poker", table.options, 0, Pool(1, "lisboa", "Lisboa", 123_456_78))
    assert "123,456.78" in page["fragments"]["jackpot-meter"]
    assert "123,456" not in demonstration.page("stud_poker", table.options, 0)["fragments"]["jackpot-meter"]


@EVERY_GAME
def test_lines_about_the_rules_cite_them(game: str) -> None:
    lines = demonstration.lines(game)
    assert len(lines) >= 4 and len({line.words for line in lines}) == len(lines)
    for line in lines:
        assert line.article in GAMES[game].articles
        assert len(str(line.words)) <= 100 and str(line.words).endswith(".")


def written() -> Mapping[str, object]:
    return {
        "accounts": sorted(Account.objects.values_list("pk", "balance")),
        "transfers": Transfer.objects.count(),
        "rounds": RoundLog.objects.count(),
        "lines": LoggedAction.objects.count(),
        "tables": sorted(Table.objects.values_list("pk", "version", "round_id", "attended_until")),
    }


@pytest.mark.django_db
def test_a_kiosk_shows_it_and_nothing_is_written_or_moved() -> None:
    house = House()
    tables = [house.table(game.replace("_", "-"), game=game) for game in GAMES]
    device = enrolled(a_kiosk(*tables))
    before = written()
    for table in tables:
        answer = device.browser.get(f"/kiosk/demonstration/{table.slug}/?seed=3")
        assert answer.status_code == 200 and b"data-frame" in answer.content
    assert written() == before
    house.in_order()
