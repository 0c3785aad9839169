"""`manage.py second_factor NAME`: the code that a member of the demonstration staff needs now."""

from __future__ import annotations

import time

from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as codes
from allauth.mfa.utils import decrypt
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tables.management.demo_staff import MEMBERS


class Command(BaseCommand):
    help = "Print the present code of somebody of the demonstration staff (embedded default only)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME", choices=tuple(MEMBERS), help=", ".join(MEMBERS))

    def handle(self, *args: object, name: str, **options: object) -> None:
        if not settings.DEMO:
            raise CommandError("This is a real house: codes are on the telephones of its staff and nowhere else.")
        found = Authenticator.objects.filter(user__username=name, type=Authenticator.Type.TOTP).first()
        if found is None:
            raise CommandError(f"{name} has no second factor here. Start the house first (make run).")
        now = int(time.time())
        # A code is good once, in its own half minute. If the present one is used up, the next is said, and from when.
        step = max(now // app_settings.TOTP_PERIOD, found.data.get("last", -1) + 1)
        if (wait_s := step * app_settings.TOTP_PERIOD - now) > 0:
            self.stderr.write(f"The present code is used up. This one is good in {wait_s} s:")
        self.stdout.write(codes.format_hotp_value(codes.hotp_value(decrypt(found.data["secret"]), step)))
