"""`manage.py audit`: prove that no cent was lost or invented, and no card changed its place."""

from __future__ import annotations

import sys

from django.conf import settings
from django.core.management.base import BaseCommand

from tables.base.chance import Vault
from tables.proof.anchors import of_settings
from tables.proof.audit import audit


class Command(BaseCommand):
    help = "Check ledger, logs and shoes against each other. Exit status 1 if anything does not agree."

    def handle(self, *args: object, **options: object) -> None:
        vault = Vault(settings.SHOE_KEY, *settings.SHOE_KEY_FALLBACKS) if settings.SHOE_KEY else None
        report = audit(vault, of_settings())
        for fault in report.faults:
            self.stderr.write(fault)
        self.stdout.write(
            f"{report.accounts} accounts, {report.transfers} transfers, {report.rounds} rounds, {report.shoes} shoes, "
            f"{report.throws} throws, {report.days} days, {report.anchors} anchors: "
            + ("in order" if report.clean else f"{len(report.faults)} faults")
        )
        if not report.clean:
            sys.exit(1)
