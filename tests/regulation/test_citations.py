"""Every article has a test, every mark names an article, and nothing in the rules cites one that does not exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

import tables.games
from tables.games import GAMES

from . import seen

TESTS = Path(__file__).parent
RULES = Path(tables.games.__file__).parent
REGULATION = TESTS.parents[1] / "docs" / "regulation"

CITING = {"Refused": 0, "Note": 0, "Rule": 1, "Spot": 3, "IrregularityOf": 3, "_won": 1, "OpenLayout": 1}
"""What cites an article, and which of its arguments does; so does what is assigned to a name like `cut_article`."""


@cache
def marks_in(folder: str) -> dict[str, set[str]]:
    """Regulation -> the articles that tests in this folder are marked with."""
    found: dict[str, set[str]] = {}
    for text in (path.read_text(encoding="utf-8") for path in (TESTS.parent / folder).glob("test_*.py")):
        for node in ast.walk(ast.parse(text)) if "@article(" in text else ():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "article":
                        regulation, *numbers = (ast.literal_eval(argument) for argument in mark.args)
                        found.setdefault(regulation, set()).update(numbers)
    return found


def marks(*folders: str) -> dict[str, set[str]]:
    """Regulation -> the articles that tests in any of these folders are marked with."""
    found: dict[str, set[str]] = {}
    for folder in folders:
        for regulation, numbers in marks_in(folder).items():
            found.setdefault(regulation, set()).update(numbers)
    return found


def citations(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Where an article is cited, and which."""
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign):
                named = isinstance(node.targets[0], ast.Name) and node.targets[0].id.endswith("_article")
                if named and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
                    yield f"{path.name}:{node.lineno}", node.value.value
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            cited: list[ast.expr] = [keyword.value for keyword in node.keywords if keyword.arg == "article"]
            if name in CITING and len(node.args) > CITING[name]:
                cited.append(node.args[CITING[name]])
            for argument in cited:
                for leaf in ast.walk(argument):
                    if isinstance(leaf, ast.Constant) and isinstance(leaf.value, str) and leaf.value:
                        yield f"{path.name}:{node.lineno}", leaf.value


@pytest.mark.parametrize("slug", GAMES)
def test_every_article_has_a_test(slug: str) -> None:
    game = GAMES[slug]
    tested = marks(TESTS.name, *seen.FOLDERS)[game.regulation] | seen.named(seen.EXPECTED.get(slug, ""))
    assert set(game.articles) - tested == set(seen.NOT_OURS.get(slug, ()))


@pytest.mark.parametrize("slug", GAMES)
def test_what_people_do_or_see_has_a_test_that_goes_through_page_socket_or_service(slug: str) -> None:
    game = GAMES[slug]
    law = {number for number, about in game.articles.items() if about.law}
    rights = law - seen.named(seen.ARITHMETIC[slug]) - set(seen.NOT_OURS.get(slug, ()))
    rights |= seen.named(seen.OUR_RIGHTS[slug])
    assert sorted(rights - marks(*seen.FOLDERS).get(game.regulation, set())) == sorted(
        seen.named(seen.EXPECTED.get(slug, ""))
    ), "what is there now stands in EXPECTED no more"


@pytest.mark.parametrize("slug", GAMES)
def test_what_is_said_to_be_arithmetic_or_ours_is_so(slug: str) -> None:
    articles = GAMES[slug].articles
    for listed, law in (
        (seen.named(seen.ARITHMETIC[slug]), True),
        (set(seen.NOT_OURS.get(slug, ())), True),
        (seen.named(seen.OUR_RIGHTS[slug]), False),
    ):
        assert {number for number in listed if number not in articles or articles[number].law is not law} == set()


def test_every_mark_names_an_article() -> None:
    known = {game.regulation: set(game.articles) for game in GAMES.values()}
    for regulation, numbers in marks(TESTS.name, *seen.FOLDERS).items():
        assert numbers - known[regulation] == set(), regulation


@pytest.mark.parametrize("slug", GAMES)
def test_the_rules_cite_only_articles_that_exist(slug: str) -> None:
    found = list(citations((RULES / slug).glob("*.py")))
    assert {number for _, number in found} >= {
        spot.article for spot in GAMES[slug].spots.values() if spot.article[0].isdigit()
    }, "the scan finds what it looks for"
    assert [where for where in found if where[1] not in GAMES[slug].articles] == []


def test_what_all_games_share_cites_what_every_game_knows() -> None:
    shared = list(citations(path for folder in ("", "shared", "contract") for path in (RULES / folder).glob("*.py")))
    assert {"credits", "minimum", "maximum"} <= {number for _, number in shared}, "the scan finds what it looks for"
    for where, number in shared:
        assert all(number in game.articles for game in GAMES.values()), where


@pytest.mark.parametrize("slug", GAMES)
def test_the_regulation_in_the_documents_has_the_same_articles(slug: str) -> None:
    """Each row of its tables of articles begins with the number in bold, and law is told apart from what is ours."""
    text = (REGULATION / f"{slug}.md").read_text(encoding="utf-8")
    law = set(re.findall(r"^\| \*\*(?P<number>[^*]+)\*\* \|", text, re.MULTILINE))
    ours = set(re.findall(r"^\| _(?P<number>[^_]+)_ \|", text, re.MULTILINE))
    articles = GAMES[slug].articles
    assert law == {number for number, about in articles.items() if about.law}
    assert ours == {number for number, about in articles.items() if not about.law}


@pytest.mark.parametrize("slug", GAMES)
def test_an_article_is_listed_under_its_own_number(slug: str) -> None:
    assert all(number == about.number for number, about in GAMES[slug].articles.items())
