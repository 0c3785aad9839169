"""`manage.py staff`: who is staff; appoint, dismiss, remove a second factor that is lost."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tables.felt.formatting import text_of
from tables.games.contract.errors import Refused
from tables.models import Player, Role
from tables.services.pit import sessions, staff


class Command(BaseCommand):
    help = "List the staff, or change who is staff, in the name of the house. What is done is written down."

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_subparsers(dest="what", metavar="WHAT")
        what.add_parser("list", help="who is staff, and who of them has a second factor")
        appoint = what.add_parser("appoint", help="make somebody who has signed up a member of the staff")
        appoint.add_argument("name", metavar="NAME", help="their username")
        appoint.add_argument("role", metavar="ROLE", choices=Role.values, help=", ".join(Role.values))
        dismiss = what.add_parser("dismiss", help="make a member of the staff a player again")
        dismiss.add_argument("name", metavar="NAME", help="their username")
        lost = what.add_parser("lost", help="remove a lost second factor; they set up a new one")
        lost.add_argument("name", metavar="NAME", help="their username")
        for each in (appoint, dismiss, lost):
            each.add_argument("--why", default="", help="is written down with it")

    def handle(
        self, *args: object, what: str | None, name: str = "", role: str = "", why: str = "", **_: object
    ) -> None:
        if what in (None, "list"):
            self._list()
            return
        person = Player.objects.filter(username=name).first()
        if person is None:
            raise CommandError(f"Nobody is called {name}. They must sign up first, like everybody.")
        try:
            match what:
                case "appoint":
                    staff.appoint(None, person, role, why)
                case "dismiss":
                    staff.dismiss(None, person, why)
                case _:
                    staff.remove_second_factor(None, person, why)
        except Refused as refusal:
            raise CommandError(text_of(refusal.words)) from refusal
        self._list()

    def _list(self) -> None:
        for member in Player.objects.exclude(role="").order_by("username"):
            factor = "second factor" if sessions.has_second_factor(member) else "no second factor yet"
            self.stdout.write(f"{member.username:<24} {member.role:<16} {factor}")
