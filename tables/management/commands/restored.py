"""`manage.py restored`: the operator says that an older database was restored, and the house may open again."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tables.proof.anchors import of_settings


class Command(BaseCommand):
    help = (
        "Acknowledge that the database was restored to an earlier moment. It is written down as an event; the rounds "
        "that were played are void, and nothing that lay sealed then is dealt or thrown."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--why", required=True, help="what happened, and who decided it")

    def handle(self, *_args: object, why: str, **_options: object) -> None:
        anchors = of_settings()
        if anchors is None or not anchors.signs:
            raise CommandError("There are no anchors here, or no key that signs them (SHOE_KEY or ANCHOR_KEY).")
        if not why.strip():
            raise CommandError("Say why.")
        done, dropped = anchors.acknowledge(why.strip())
        self.stdout.write(
            f"Acknowledged: from event {done.heads.events} and transfer {done.heads.transfers} on this database "
            f"counts. Void: {dropped.rounds} rounds. Fresh packs: {dropped.packs}. "
            f"Seeds that are not used: {dropped.seeds}."
        )
