"""What of a table is a bettor's own: the balance, whom they do not hear, the favourites for its game."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from tables.base import sql
from tables.models.bettors import bettor_of

Muted = tuple[tuple[str, str], ...]
"""Whom somebody does not want to hear: key and name, in the order of the names."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A favourite of a player: what it is called, how many bets it has and what they come to, in cents."""

    id: int
    name: str
    bets: int
    cents: int


@dataclass(frozen=True, slots=True)
class Own:
    """What is a player's own; the favourites are in the order of their names. Staff have no wallet, and no balance."""

    balance_cents: int | None = None
    muted: Muted = ()
    favourites: tuple[Kept, ...] = ()


def own_of(players: Iterable[int], game: str) -> dict[int, Own]:
    """What each of these players has of their own at a table of this game."""
    asked = set(players)
    who, ids = sql.one_of(asked)
    balances: dict[int, int] = {}
    muted: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
    favourites: defaultdict[int, list[Kept]] = defaultdict(list)
    for what, player, number, name, more in sql.fetched(
        "SELECT 'balance' AS what, player_id, balance AS number, '' AS name, '' AS more "  # noqa: S608
        f"FROM tables_account WHERE player_id {who} "
        "UNION ALL SELECT 'muted', mute.player_id, muted.id, muted.name, muted.username "
        f"FROM tables_mute mute JOIN tables_player muted ON muted.id = mute.muted_id WHERE mute.player_id {who} "
        "UNION ALL SELECT 'favourite', player_id, id, name, CAST(stakes AS text) "
        f"FROM tables_favourite WHERE player_id {who} AND game = %s ORDER BY name",
        [ids, ids, ids, game],
    ):
        match what:
            case "balance":
                balances[player] = number
            case "muted":
                muted[player].append((bettor_of(number), name or more))
            case "favourite":
                stakes = json.loads(more)
                favourites[player].append(Kept(number, name, len(stakes), sum(stake["amount"] for stake in stakes)))
    return {
        player: Own(
            balances.get(player),
            tuple(sorted(muted[player], key=lambda one: one[::-1])) if player in muted else (),
            tuple(favourites[player]) if player in favourites else (),
        )
        for player in asked
    }
