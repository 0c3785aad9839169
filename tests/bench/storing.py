"""What rounds leave in the database, before and after they are archived. Run in a child process by `stored`."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from tables.base.proof_format import chain, sha256  # noqa: E402
from tables.models import Lease, PackSeed, RoundLog, Table  # noqa: E402
from tables.queries.archived import folder  # noqa: E402
from tables.services.journal.archiving import archive  # noqa: E402
from tables.services.rounds import links, seating  # noqa: E402
from tests.house.kit import LEASE, MAIN_BETS, House, Seeded  # noqa: E402

from .answering import answer_all  # noqa: E402


class Growing(House):
    """A house with one table, at which all bettors stake and reveal a link in every round."""

    def __init__(self, game: str, bettors: int, rounds: int) -> None:
        super().__init__(Seeded(game))
        self.game = game
        self.played_at = self.table(game, game=game)
        self.players = [self.player(f"{game}-{number}") for number in range(bettors)]
        self.chains = {player.pk: list(chain(sha256(player.username), 3 * rounds)) for player in self.players}

    def one_round(self) -> None:
        self.to_the_bets()
        table = self.played_at
        spot, box = MAIN_BETS[self.game]
        for seat, player in enumerate(self.players, start=1):
            if box is not None:
                seating.sit(player.pk, table.pk, seat, clock=self.clock)
            self.bet(player, table, spot, 100, seat if box is not None else None)
            links.offer(player.pk, table.pk, self.chains[player.pk][0], clock=self.clock)
        self.attend(table, *self.players)
        self.play_out(table)

    def to_the_bets(self) -> None:
        table = self.played_at
        while Table.objects.values_list("round__phase", flat=True).get(pk=table.pk) != "betting":
            self._reveal()
            self.step(table)

    def _reveal(self) -> None:
        seed = PackSeed.objects.filter(table=self.played_at, revealed__isnull=True, dropped_at=None).first()
        if seed is None or seed.links.exists():
            return
        listed = [player for player in self.players if player.key in dict(seed.offered)]
        reveals = [links.Reveal(player.pk, seed.number, self.chains[player.pk][1]) for player in listed]
        assert not any(links.reveal_many(self.played_at.pk, reveals))
        for player in listed:
            del self.chains[player.pk][0]

    def grows_old(self) -> None:
        self.clock.pass_(days=120)
        Lease.objects.update(expires_at=self.clock.at + LEASE)
        self.to_the_bets()


def prepare() -> None:
    call_command("migrate", interactive=False, verbosity=0)
    settings.LINES_PER_ROUND = settings.LINES_PER_PLAYER = 10_000_000


def stored(game: str, bettors: int, rounds: int) -> dict[str, Any]:
    """Bytes a round, by table with its indexes: as it was played, and as it stays. And how long it is in its file."""
    house = Growing(game, bettors, rounds + 1)
    house.one_round()  # what is made once is made
    before = _bytes()
    for _ in range(rounds):
        house.one_round()
    played = _bytes()
    house.grows_old()
    made = list(archive(timedelta(days=90), clock=house.clock))
    archived, number = _bytes(), sum(one.rounds for one in made)
    assert number == rounds + 1 == RoundLog.objects.filter(game=game, archive__isnull=False).count()
    return {
        "played": _each(before, played, rounds),
        "archived": _each(before, archived, rounds),
        "file": sum((folder() / one.name).stat().st_size for one in made) / number,
    }


def _each(before: dict[str, int], after: dict[str, int], rounds: int) -> dict[str, float]:
    return {name: (size - before.get(name, 0)) / rounds for name, size in after.items()}


def _bytes() -> dict[str, int]:
    """What each table holds with its indexes, without the room that is free in it."""
    postgresql = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute("VACUUM FULL" if postgresql else "VACUUM")
        cursor.execute(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r' AND relname ~ '^tables_'"
            if postgresql
            else "SELECT tbl_name, SUM(pgsize) FROM dbstat JOIN sqlite_master USING (name) GROUP BY tbl_name"
        )
        return dict(cursor.fetchall())


if __name__ == "__main__":
    answer_all({"prepare": prepare, "stored": stored})
