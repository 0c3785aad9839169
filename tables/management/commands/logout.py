"""`manage.py logout`: end all logins of somebody, or of everybody."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tables.base import security
from tables.base.transactions import unit_of_work
from tables.models import Event, Player
from tables.services.journal import events
from tables.services.players import logins


class Command(BaseCommand):
    help = "End all logins of these people, in the name of the house. Their sockets close; a guest's account is lost."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("names", metavar="NAME", nargs="*", help="their username")
        parser.add_argument("--everybody", action="store_true", help="whoever is logged in, guests too")
        parser.add_argument("--why", default="", help="is written down with it")

    def handle(self, *args: object, names: list[str], everybody: bool, why: str, **_: object) -> None:
        if bool(names) == everybody:
            raise CommandError("Say who it is about: their usernames, or --everybody.")
        for person in self._everybody() if everybody else [self._called(name) for name in names]:
            with unit_of_work():
                number = logins.end_all(person.pk)
                if person.role:
                    after = {"number": number}
                    events.record(Event.Kind.LOGINS_ENDED, by=None, player=person.pk, after=after, why=why)
            security.note("logins ended", "done", player=person.pk, number=number, by="operator", why=why)
            self.stdout.write(f"{person.username:<24} {number}")

    def _everybody(self) -> list[Player]:
        return list(Player.objects.filter(logins__isnull=False).distinct().order_by("username"))

    def _called(self, name: str) -> Player:
        person = Player.objects.filter(username=name).first()
        if person is None:
            raise CommandError(f"Nobody is called {name}.")
        return person
