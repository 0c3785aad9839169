"""Who comes into the pit, page by page and role by role."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern

from tables.base.rights import RIGHTS, Right, may
from tables.models import Player
from tables.urls import urlpatterns
from tests.extent import EVERYTHING

from .pit_kit import ROLES, browser, browser_of, like, those_who_may

pytestmark = pytest.mark.django_db
PIT = (Path(__file__).parents[2] / "docs/pit.md").read_text()


def pit_pages() -> Iterator[Any]:
    """Every address of the pit and the right that it demands; numbers and names in it are of nothing."""
    for pattern in urlpatterns:
        assert isinstance(pattern, URLPattern)
        route = str(pattern.pattern)
        if route.startswith("pit/"):
            for name in ("<int:", "<slug:"):
                while name in route:
                    before, _, rest = route.partition(name)
                    route = f"{before}{'0' if name == '<int:' else 'nothing'}{rest.partition('>')[2]}"
            right = getattr(pattern.callback, "right", None)
            yield pytest.param(f"/{route}", right, id=str(pattern.name))


PAGES = list(pit_pages())


@pytest.mark.parametrize(("path", "right"), PAGES)
def test_every_page_of_the_pit_demands_a_right(path: str, right: Right | None) -> None:
    assert right is not None, "it does not pass the gate"


@pytest.fixture(scope="module")
def player(lasting_db: None) -> Client:
    """The browser of a player."""
    return browser_of(Player.objects.create(username="ana", name="Ana"))


@pytest.fixture(scope="module")
def staff(lasting_db: None) -> dict[str, Client]:
    """By role, the browser of somebody who has it."""
    return {role: browser(role) for role in ROLES}


@pytest.mark.parametrize(("path", "right"), PAGES)
def test_nobody_comes_in_who_is_not_of_the_staff(player: Client, path: str, right: Right) -> None:
    for ask in ("get", "post"):
        assert getattr(Client(), ask)(path).headers["Location"].startswith("/accounts/login/")
        assert getattr(like(player), ask)(path).status_code == 404


@pytest.mark.parametrize(("path", "right"), PAGES)
def test_each_role_comes_as_far_as_its_rights(staff: dict[str, Client], path: str, right: Right) -> None:
    """Whoever has the right is not turned away at the gate; all others are told why they are, whatever they ask."""
    may = [role for role in ROLES if role in those_who_may(right)]
    may_not = [role for role in ROLES if role not in may]
    turn = len(path)  # not the same role for all pages
    for role in ROLES if EVERYTHING else [roles[turn % len(roles)] for roles in (may, may_not) if roles]:
        client = like(staff[role])
        answers = {client.get(path).status_code, client.post(path).status_code}
        assert (403 not in answers) if role in those_who_may(right) else (answers == {403})


def test_the_page_of_the_pit_says_of_each_role_what_it_may_do() -> None:
    """docs/pit.md, which no right is added to unseen."""
    head, _, *rows = re.findall(r"^\|.+\|$", PIT.partition("## Two persons")[0], re.MULTILINE)
    roles = [name.strip().replace(" ", "_") for name in head.strip("|").split("|")[1:]]
    said = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    for right, (what, *cells) in zip(Right, said, strict=True):
        assert {role for role, cell in zip(roles, cells, strict=True) if cell == "yes"} == those_who_may(right), what


def test_surveillance_reads_everything_and_writes_nothing_but_notes() -> None:
    assert RIGHTS["surveillance"] == {Right.WATCH, Right.NOTE}
    assert all(Right.WATCH in rights for rights in RIGHTS.values())


def test_whoever_has_left_has_no_rights() -> None:
    gone = Player.objects.create(username="gone", name="Gone", role="shift_manager", is_active=True)
    client = browser_of(gone)
    assert client.get("/pit/events/").status_code == 200
    Player.objects.filter(pk=gone.pk).update(is_active=False)
    assert client.get("/pit/events/").status_code != 200
    gone.refresh_from_db()
    assert not may(gone, Right.WATCH), "a service that they had already reached refuses them too"
