"""How often bettors keep silent who had offered a link (docs/proof.md, 3): whoever does picks between two orders that
they do not know. Once that is nothing; how often, and who, is for the pit to see."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta

from tables.base.calendar import midnight
from tables.base.proof_format import silent
from tables.models import PackSeed, Player, Table
from tables.models.bettors import player_of

MOST_NAMED = 20
"""So many of those who kept silent are named."""


@dataclass(frozen=True, slots=True)
class Counted:
    """Packs and throws for which links were offered, how many links were, and how many of them were revealed."""

    name: str
    mixed: int
    offered: int
    revealed: int

    @property
    def silent(self) -> int:
        return self.offered - self.revealed


@dataclass(frozen=True, slots=True)
class Quiet:
    """A bettor who kept silent: so many times, of so many links that they had offered."""

    player: int
    name: str
    silent: int
    offered: int


def silence_of(day: date) -> tuple[list[Counted], list[Quiet]]:
    """What became on one day of Macau of the links that were offered: by table, and who kept silent most. Counted from
    the packs and throws that were made on it, in three statements."""
    begun, ended = midnight(day), midnight(day + timedelta(days=1))
    mixed = PackSeed.objects.filter(committed_at__gte=begun, committed_at__lt=ended, revealed__isnull=False)
    tables: dict[int, Counter[str]] = {}
    offers, kept_silent = Counter[str](), Counter[str]()
    lists = mixed.exclude(offered=[]).values_list("table_id", "offered", "revealed")
    for table, offered, links in lists.iterator(chunk_size=1000):
        revealed = links or ()
        counted = tables.setdefault(table, Counter())
        counted.update(mixed=1, offered=len(offered), revealed=len(revealed))
        offers.update(bettor for bettor, _ in offered)
        kept_silent.update(silent(offered, revealed))
    most = kept_silent.most_common(MOST_NAMED)
    players = Player.objects.filter(pk__in=[player_of(bettor) for bettor, _ in most])
    names = {player.pk: str(player) for player in players}
    named = dict(Table.objects.filter(pk__in=tables).values_list("pk", "name"))
    by_table = [Counted(named[pk], **counted) for pk, counted in tables.items()]
    return (
        sorted(by_table, key=lambda one: (-one.silent, one.name)),
        [Quiet(player_of(who), names.get(player_of(who), ""), times, offers[who]) for who, times in most],
    )
