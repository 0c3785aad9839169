"""The operator can end the logins of one person, or of everybody (ASVS 7.4.5)."""

from __future__ import annotations

import io

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from tables.models import BrowserSession, Event, Player, Role
from tests.house.kit import House

from .pit_kit import browser_of

pytestmark = pytest.mark.django_db


def said(*arguments: str) -> list[list[str]]:
    out = io.StringIO()
    call_command("logout", *arguments, stdout=out)
    return [line.split() for line in out.getvalue().splitlines()]


def is_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def test_the_logins_of_one_person_end_and_no_others() -> None:
    house = House()
    ana, rui = house.player("ana"), house.player("rui")
    here, there, other = browser_of(ana), browser_of(ana), browser_of(rui)
    assert said("ana") == [["ana", "2"]]
    assert (is_in(here), is_in(there), is_in(other)) == (False, False, True)
    assert not Event.objects.exists(), "of players the pit's events say nothing"


def test_the_logins_of_everybody_end() -> None:
    house = House()
    clients = [browser_of(house.player(name)) for name in ("ana", "rui", "bo")]
    assert [name for name, _ in said("--everybody")] == ["ana", "bo", "rui"]
    assert not [client for client in clients if is_in(client)]
    assert not BrowserSession.objects.filter(player__isnull=False).exists()


def test_of_the_staff_it_is_an_event_in_the_name_of_the_house() -> None:
    boss = Player.objects.create(username="boss", name="Boss", role=Role.PIT_BOSS)
    client = Client()
    client.force_login(boss, backend="django.contrib.auth.backends.ModelBackend")
    said("boss", "--why", "telephone lost")
    event = Event.objects.get(deed=Event.Kind.LOGINS_ENDED)
    assert (event.by_id, event.player_id, event.why) == (None, boss.pk, "telephone lost")


@pytest.mark.parametrize("arguments", [(), ("nobody",), ("ana", "--everybody")])
def test_it_must_be_said_who(arguments: tuple[str, ...]) -> None:
    client = browser_of(House().player("ana"))
    with pytest.raises(CommandError):
        said(*arguments)
    assert is_in(client)
