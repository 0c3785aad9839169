"""What a round leaves in the database for good, game by game, once it is archived (docs/scale.md).

    python -m tests.bench.stored                        on SQLite
    python -m tests.bench.stored --postgres URL         on PostgreSQL; the role must be able to create databases

Each game is played for so many rounds by bettors who all stake once and reveal a link. Sizes are with indexes, without
free room.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tables.games import GAMES

from .places import Databases, Postgres, Sqlite, child, environment

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "ledger": ("tables_transfer",),
    "who played": ("tables_played",),
    "head": ("tables_roundlog",),
    "pack or throw": ("tables_shoe", "tables_packseed", "tables_sealedthrow"),
    "links": ("tables_revealedlink",),
    "lines": ("tables_loggedaction",),
}
"""What the tables are called there; all others are `rest`."""


def table_of(databases: Databases, folder: Path, redis_url: str, *, bettors: int, rounds: int) -> str:
    """The table for this kind of database, in KB a round: what stays of each kind, and in brackets what was there."""
    heads = ("", *COLUMNS, "rest", "together", "in the file")
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    settings = environment(databases.fresh(), folder, redis_url, ARCHIVE=str(folder / f"archive-{databases.name}"))
    with child("tests.bench.storing", settings) as house:
        house.ask("prepare", within=600)
        for game in sorted(GAMES):
            found = house.ask("stored", game=game, bettors=bettors, rounds=rounds, within=1_800)
            played, archived = found["played"], found["archived"]
            named = {name for names in COLUMNS.values() for name in names}
            whole = set(archived) | set(played)
            cells = [
                _kb(*(sum(size.get(name, 0) for name in names) for size in (archived, played)))
                for names in (*COLUMNS.values(), whole - named, whole)
            ]
            cells = [game, *cells, f"{found['file'] / 1000:.1f}"]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _kb(stays: float, was: float) -> str:
    stays, was = round(stays / 1000, 1), round(was / 1000, 1)
    return f"{stays:.1f}" if abs(stays - was) < 0.15 else f"{max(0.0, stays):.1f} ({was:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.stored", description=__doc__)
    parser.add_argument("--postgres", metavar="URL")
    parser.add_argument("--redis", default="redis://127.0.0.1:6379/0")
    parser.add_argument("--bettors", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=100)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        databases: Databases = Postgres(given.postgres) if given.postgres else Sqlite(Path(name))
        try:
            print(databases.name)
            print(table_of(databases, Path(name), given.redis, bettors=given.bettors, rounds=given.rounds))
        finally:
            databases.drop_all()


if __name__ == "__main__":
    main()
