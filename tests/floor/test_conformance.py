"""Each game of the house has all its parts, and nothing of it lies anywhere else (docs/adding-a-game.md)."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template.loader import get_template

from tables.felt.contract import Felt, StoryOf
from tables.felt.games import FELTS
from tables.games import GAMES
from tables.games.contract.game import Game
from tables.games.contract.round import Opening
from tables.games.contract.view import PlayerView, SpotView, View
from tables.games.shared.options import options_of, read_options
from tables.proof.selfcheck import PINNED, edges
from tables.services.rounds import seating
from tests.house.kit import BY_MACHINE, MAIN_BETS, House
from tests.house.test_rulings import STAKES, VOIDS
from tests.kit import article
from tests.laws.playing import AMOUNTS
from tests.regulation.seen import ARITHMETIC, OUR_RIGHTS
from tests.regulation.test_authorisation import DEMANDED_BY
from tests.regulation.test_irregularities import ROWS

from .pit_kit import browser_of
from .test_rules import SHOWN

ROOT: Path = settings.BASE_DIR

FILES = (
    "tables/games/{game}/articles.py",
    "tables/games/{game}/bets.py",
    "tables/games/{game}/edges.py",
    "tables/games/{game}/irregularities.py",
    "tables/games/{game}/options.py",
    "tables/games/{game}/round.py",
    "tables/games/{game}/view.py",
    "tables/felt/games/{game}/felt.py",
    "tables/felt/games/{game}/lesson.py",
    "tables/felt/games/{game}/rulebook.py",
    "tables/felt/games/{game}/story.py",
    "tables/felt/games/{game}/tables.py",
    "templates/games/{game}/_cards.html",
    "templates/games/{game}/_controls.html",
    "templates/games/{game}/_decision.html",
    "templates/games/{game}/_layout.html",
    "templates/games/{game}/_my_cards.html",
    "templates/games/{game}/_picture.html",
    "templates/games/{game}/_result.html",
    "static/css/games/{game}.css",
    "static/css/games/{game}-kiosk.css",
    "docs/regulation/{game}.md",
    "tests/regulation/test_{game}.py",
    "tests/regulation/test_{game}_odds.py",
    "tests/regulation/test_{game}_options.py",
    "tests/records/{game}.jsonl",
    "tests/playthroughs/{game}.py",
    "tests/playthroughs/{game}.txt",
    "tests/floor/test_felt_{game}.py",
)
"""The files of a game. Whatever else it has lies beside them."""

OWN = ("tables/games/{game}/", "tables/felt/games/{game}/")
"""Where alone production code may speak of a game by its slug."""

SAID_IN_TESTS: Mapping[str, Mapping[str, object]] = {
    "ROWS of tests/regulation/test_irregularities.py": ROWS,
    "DEMANDED_BY of tests/regulation/test_authorisation.py": DEMANDED_BY,
    "ARITHMETIC of tests/regulation/seen.py": ARITHMETIC,
    "OUR_RIGHTS of tests/regulation/seen.py": OUR_RIGHTS,
    "BY_MACHINE of tests/house/kit.py": BY_MACHINE,
    "MAIN_BETS of tests/house/kit.py": MAIN_BETS,
    "STAKES of tests/house/test_rulings.py": STAKES,
    "VOIDS of tests/house/test_rulings.py": VOIDS,
    "AMOUNTS of tests/laws/playing.py": AMOUNTS,
    "SHOWN of tests/floor/test_rules.py": SHOWN,
}
"""What tests must be told of every game."""

each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def voice(game: Game) -> Felt:
    assert game.slug in FELTS, f"{game.slug} has no FELT in tables/felt/games/"
    return FELTS[game.slug]


def test_every_folder_of_rules_is_a_game() -> None:
    folders = {path.parent.name for path in (ROOT / "tables" / "games").glob("*/articles.py")}
    assert folders == set(GAMES), "add its GAME to tables/games/__init__.py"


@each_game
def test_it_has_the_sheet_of_its_last_results_if_any_are_shown(game: Game) -> None:
    sheet = ROOT / f"static/css/games/{game.slug}-road.css"
    assert sheet.is_file() == FELTS[game.slug].has_road


@each_game
@pytest.mark.parametrize("file", FILES)
def test_it_has_each_of_its_files(game: Game, file: str) -> None:
    assert (ROOT / file.format(game=game.slug)).is_file(), f"{game.slug} has no {file.format(game=game.slug)}"


@each_game
def test_its_rules_are_whole(game: Game) -> None:
    assert game.slug and game.title.text and game.regulation and game.editions
    assert game.articles and game.spots and game.irregularities and game.steps
    options = game.options()
    assert "edition" in options_of(game.options)
    assert (game.shoe(options) is None) == game.throws == (game.throw(options) is not None), "cards, or throws"
    assert set(game.edges(options)) <= set(game.spots)
    for spot in game.spots.values():
        assert spot.article in game.articles, f"{spot.name} is sold by no article"


@each_game
def test_what_it_keeps_is_pinned(game: Game) -> None:
    """Else no dealer opens: the self-check compares."""
    pinned = json.loads(PINNED.read_text(encoding="ascii"))
    keeps = edges()[game.slug]
    assert pinned.get(game.slug) == keeps, f"{PINNED.name} has to say of {game.slug}: {json.dumps(keeps)}"


@each_game
def test_what_is_seen_of_it_has_the_common_shape(game: Game) -> None:
    round_ = game.opened(game.options(), Opening({"p1": 1}))
    everybodys, mine = game.view(round_, None), game.view(round_, "p1")
    assert (isinstance(everybodys, View), everybodys.mine) == (True, None)
    assert isinstance(mine.mine, PlayerView)
    assert mine.mine.who == "p1"
    assert everybodys.spots and all(isinstance(spot, SpotView) for spot in everybodys.spots)


@each_game
def test_it_has_a_whole_voice(game: Game) -> None:
    felt = voice(game)
    assert isinstance(felt.story, StoryOf)
    assert felt.rules is game, "the rules of another game"
    for number in felt.story.articles.values():
        assert number in game.articles, f"its story cites {number}"
    (phases,) = (kind for kind in vars(import_module(f"tables.games.{game.slug}")).values() if is_phase(kind))
    assert all(felt.phase_words(str(phase)) for phase in phases)


def is_phase(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrEnum) and kind.__name__ == "Phase"


@each_game
def test_it_is_taught_and_praised_by_its_own_articles(game: Game) -> None:
    felt = voice(game)
    assert 6 <= len(felt.lesson.steps) <= 8 and len(felt.lines) >= 4
    cited = [step.article for step in felt.lesson.steps] + [note.article for note in felt.lines]
    assert set(cited) <= set(game.articles)
    assert felt.main_bets and felt.main_bets.keys() <= felt.rules.spots.keys()
    for beginnings in felt.liked:
        for name in beginnings:
            assert any(spot.split("_")[0] == name or spot == name for spot in game.spots), f"nobody can stake on {name}"


@each_game
def test_it_brings_tables_that_can_be_opened(game: Game) -> None:
    felt = voice(game)
    assert felt.tables and felt.kiosk_tables
    for table in (*felt.tables, *felt.kiosk_tables):
        read_options(game.options, dict(table.options))
        assert table.jackpot is None or table.jackpot in felt.jackpots, f"{table.slug} shares no jackpot that opens"


@each_game
def test_no_other_table_has_the_address_of_one_of_its_own(game: Game) -> None:
    everybodys = Counter(table.slug for felt in FELTS.values() for table in (*felt.tables, *felt.kiosk_tables))
    assert [
        table.slug for table in (*voice(game).tables, *voice(game).kiosk_tables) if everybodys[table.slug] > 1
    ] == []


@each_game
@pytest.mark.parametrize("where", SAID_IN_TESTS)
def test_the_tests_are_told_of_it(game: Game, where: str) -> None:
    assert game.slug in SAID_IN_TESTS[where], f"{where} says nothing of {game.slug}"


@each_game
def test_its_templates_can_be_read(game: Game) -> None:
    for path in sorted((ROOT / "templates" / "games" / game.slug).glob("*.html")):
        get_template(f"games/{game.slug}/{path.name}")


@article("55/2004", "13", "13(1)", "13(2)", "13(3)", "13(4)", "13(1)(4)(3)")
@article("56/2004", "13(1)", "13(2)", "13(3)")
@article("61/2004", "5", "5(1)", "5(2)")
@article("22/96/M", "8(2)")
@article("57/2004", "CS-3")
@pytest.mark.parametrize(
    ("game", "options"),
    [*((game, {}) for game in GAMES.values()), (GAMES["baccarat"], {"lucky_six": True})],
    ids=[*GAMES, "baccarat with lucky six"],
)
@pytest.mark.django_db
def test_whatever_bet_it_offers_can_be_tapped(game: Game, options: dict[str, Any]) -> None:
    """A script sends the box that a button names; none if the button is `data-common`; else the bettor's own."""
    house = House()
    ana, table, seat = house.player("ana"), house.table(game=game.slug, **options), 2
    seating.sit(ana.pk, table.pk, seat, clock=house.clock)
    offered = {(bet.spot, bet.box) for bet in house.until(table, "betting").offers(ana.key).bets}
    page = browser_of(ana).get(f"/tables/{table.slug}/").content.decode()
    buttons = [button for button in re.findall(r"<button[^>]*>", page) if "data-spot=" in button]
    taps = set()
    for button in buttons:
        (spot,) = re.findall(r'data-spot="(\w+)"', button)
        box = re.findall(r'data-box="(\d+)"', button)
        taps.add((spot, int(box[0]) if box else None if re.search(r"\sdata-common\b", button) else seat))
    assert {spot.name for spot in game.view(house.round(table), ana.key).spots} <= {spot for spot, _ in taps}
    assert offered
    assert {spot for spot, _ in offered} == {spot for spot, _ in offered & taps}, "these taps go to a wrong box"
    assert {(spot, box) for spot, box in offered if box is not None} <= taps, "these boxes have no button"


@each_game
def test_its_baize_has_a_colour(game: Game) -> None:
    tokens = (ROOT / "static" / "css" / "tokens.css").read_text()
    baize = voice(game).baize
    assert f'[data-baize="{baize}"]' in tokens and baize != "slate", "slate is the house's own"


def test_no_sheet_that_games_share_is_keyed_by_one() -> None:
    shared = (ROOT / "static" / "css").glob("*.css")
    keyed = [(path.name, game) for path in shared for game in GAMES if f'"{game}"' in path.read_text()]
    assert keyed == []


@each_game
def test_it_is_held_apart_from_the_others(game: Game) -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    apart = next(contract for contract in contracts if contract["type"] == "independence")
    assert f"tables.games.{game.slug}" in apart["modules"]


def names_of_games(source: str) -> Iterator[str]:
    """The slugs that stand in a module as text or as a name that is imported from."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in GAMES:
            yield node.value
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from {slug for slug in GAMES if slug in node.module.split(".")}


def test_nothing_is_keyed_by_a_game_anywhere_else() -> None:
    found = []
    for path in sorted([*(ROOT / "tables").rglob("*.py"), *(ROOT / "casino").rglob("*.py")]):
        name = path.relative_to(ROOT).as_posix()
        own = {game for game in GAMES if name.startswith(tuple(folder.format(game=game) for folder in OWN))}
        found += [(name, game) for game in names_of_games(path.read_text()) if game not in own]
    assert found == []
