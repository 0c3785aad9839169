"""The demonstration floor: the tables that `make run` opens, as the games bring them."""

from __future__ import annotations

from itertools import chain

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.felt.games import FELTS
from tables.models import Jackpot, Realm, Table
from tables.services.pit import authorisations
from tables.services.pit.opening import open_jackpot, open_table

FIRST_AT_KIOSKS = 500
"""The position of the first table for visitors; those of the floor come before."""


def open_demo_floor(*, clock: Clock = DATABASE_CLOCK) -> list[Table]:
    """Open those demonstration tables that are not there yet, and return all of them."""
    known = set(Table.objects.values_list("slug", flat=True))
    for felt in FELTS.values():
        for slug, (name, seed_cents) in felt.jackpots.items():
            if not Jackpot.objects.filter(slug=slug).exists():
                open_jackpot(slug, name, seed_cents, clock=clock)
    floor = [(felt.rules.slug, demo) for felt in FELTS.values() for demo in felt.tables]
    kiosks = [(felt.rules.slug, demo) for felt in FELTS.values() for demo in felt.kiosk_tables]
    for realm, tables, first in ((Realm.FLOOR, floor, 0), (Realm.KIOSKS, kiosks, FIRST_AT_KIOSKS)):
        for position, (game, demo) in enumerate(tables, start=first):
            if demo.slug not in known:
                authorisations.bring(game, demo.options, f"DEMO {demo.slug}", clock=clock)
                open_table(
                    demo.slug,
                    demo.name,
                    game,
                    demo.options,
                    times=demo.times,
                    position=position,
                    jackpot=demo.jackpot,
                    realm=realm,
                    clock=clock,
                )
    return list(Table.objects.filter(slug__in=[demo.slug for _, demo in chain(floor, kiosks)]))
