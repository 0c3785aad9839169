"""`manage.py dealers`: which dealers are enrolled; enrol one by its public key, revoke one."""

from __future__ import annotations

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tables.base.identity import DealerIdentity
from tables.models import EnrolledDealer
from tables.services.dealing import enrolment


class Command(BaseCommand):
    help = "List the enrolled dealers; enrol one by the key that it says, or revoke one. It is written down."

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_subparsers(dest="what", metavar="WHAT")
        what.add_parser("list", help="which dealers there are")
        what.add_parser("key", help="the public key of a dealer that runs with this environment (DEALER_KEY)")
        enrol = what.add_parser("enrol", help="let a dealer take leases")
        enrol.add_argument("name", metavar="NAME", help="what it is called")
        enrol.add_argument("key", metavar="KEY", help="its public key, as `manage.py dealers key` says")
        revoke = what.add_parser("revoke", help="let a dealer take leases no more; its tables are free at once")
        revoke.add_argument("name", metavar="NAME")
        for each in (enrol, revoke):
            each.add_argument("--why", required=True, help="is written down with it")

    def handle(
        self, *_args: object, what: str | None, name: str = "", key: str = "", why: str = "", **_: object
    ) -> None:
        try:
            match what:
                case "key":
                    if not settings.DEALER_KEY:
                        raise CommandError("There is no DEALER_KEY in this environment.")
                    self.stdout.write(DealerIdentity(settings.DEALER_KEY).public)
                    return
                case "enrol":
                    enrolment.enrol(name, key, why)
                case "revoke":
                    enrolment.revoke(name, why)
        except ValueError as error:
            raise CommandError(f"It was not enrolled: {error}.") from error
        except EnrolledDealer.DoesNotExist:
            raise CommandError(f"No dealer called {name} is enrolled.") from None
        for dealer in EnrolledDealer.objects.order_by("name"):
            state = "revoked" if dealer.revoked_at else "enrolled"
            self.stdout.write(f"{dealer.name:<24} {dealer.public_key} {state}")
