"""What the pit does to a table. Its panel comes later; the deeds are here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tables import announce
from tables.clock import DATABASE_CLOCK, Clock
from tables.games import GAMES
from tables.games.money import CREDIT
from tables.games.options import options_json, read_options
from tables.games.protocol import Refused, Void
from tables.games.words import say
from tables.models import Lease, Table
from tables.timetable import Times

from . import wallet
from .desk import round_desk
from .wallet import Entry
from .work import unit_of_work


def open_table(
    slug: str,
    name: str,
    game: str,
    options: Mapping[str, Any],
    *,
    times: Mapping[str, int] | None = None,
    float_cents: int = 1_000_000 * CREDIT,
    position: int = 0,
    clock: Clock = DATABASE_CLOCK,
) -> Table:
    """Open a table with its options, pace and float (from the house). Raises OptionError or ValueError."""
    checked = read_options(GAMES[game].options, dict(options))
    Times.of(times or {})
    with unit_of_work():
        table = Table.objects.create(
            slug=slug,
            name=name,
            game=game,
            options=options_json(checked),
            times=dict(times or {}),
            position=position,
        )
        Lease.objects.create(table=table)
        wallet.open_table(table.pk)
        now = clock.now()
        wallet.mint(
            [
                Entry(f"mint:float:{table.pk}", wallet.MINT, wallet.HOUSE, float_cents, "mint", "house"),
                Entry(
                    f"float:{table.pk}",
                    wallet.HOUSE,
                    wallet.float_of(table.pk),
                    float_cents,
                    "float",
                    "house",
                ),
            ],
            at=now,
        )
        announce.table_changed(table.pk)
        return table


def void_round(round_id: int, reason: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Cancel a running round (art. 10): fresh stakes return in full, carried ones stay. Raises Refused."""
    with round_desk(round_id, clock=clock) as desk:
        if desk.round.over:
            raise Refused("10", say("This round is over already."))
        desk.act(Void(reason=reason))


def change_shoe(table_id: int) -> None:
    """The next round begins with a fresh shoe (art. 3(2)); a running one is finished first."""
    with unit_of_work():
        table = Table.objects.select_for_update().get(pk=table_id)
        table.fresh_shoe_due = True
        table.version += 1
        table.save(update_fields=["fresh_shoe_due", "version"])
        announce.table_changed(table_id)


# ── The demonstration floor ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class DemoTable:
    """A table that `make run` opens."""

    slug: str
    name: str
    game: str
    options: Mapping[str, Any]
    times: Mapping[str, int] = field(default_factory=dict)


def credits(number: int) -> int:
    """Cents in so many credits."""
    return number * CREDIT


DEMO_FLOOR = (
    DemoTable(
        "jade", "Jade", "baccarat",
        {"decks": 8, "min_bet": {"player": credits(10), "banker": credits(10), "tie": credits(5),
                                 "player_pair": credits(5), "banker_pair": credits(5)},
         "max_bet": {"player": credits(5_000), "banker": credits(5_000), "tie": credits(500),
                     "player_pair": credits(500), "banker_pair": credits(500)},
         "imbalance_limit": credits(20_000)},
    ),
    DemoTable(
        "lotus", "Lotus", "baccarat",
        {"decks": 8, "commission_mode": "no_commission_six_half", "tie_policy": "no_move", "lucky_six": True,
         "last_round_rule": "one_more_round", "cut_card_depth": 16, "burn_mode": "by_first_card", "demo_rounds": 1,
         "min_bet": {"player": credits(50), "banker": credits(50), "tie": credits(10), "player_pair": credits(10),
                     "banker_pair": credits(10), "lucky_six": credits(10)},
         "max_bet": {"player": credits(20_000), "banker": credits(20_000), "tie": credits(2_000),
                     "player_pair": credits(2_000), "banker_pair": credits(2_000), "lucky_six": credits(2_000)},
         "imbalance_limit": credits(50_000)},
    ),
    DemoTable(
        "harbour", "Harbour", "baccarat",
        {"decks": 6, "dealing_device": "auto_machine", "tie_policy": "return", "seats": 9,
         "min_bet": credits(1), "max_bet": credits(1_000), "imbalance_limit": credits(5_000)},
        {"betting": 12_000, "beat": 600, "result": 5_000},
    ),
)  # fmt: skip
"""Three Baccarat tables: five per cent, no commission with the half on six, and the automatic machine."""


def open_demo_floor(*, clock: Clock = DATABASE_CLOCK) -> list[Table]:
    """Open those demonstration tables that are not there yet, and return all of them."""
    known = set(Table.objects.values_list("slug", flat=True))
    for position, demo in enumerate(DEMO_FLOOR):
        if demo.slug not in known:
            open_table(
                demo.slug,
                demo.name,
                demo.game,
                demo.options,
                times=demo.times,
                position=position,
                clock=clock,
            )
    return list(Table.objects.filter(slug__in=[demo.slug for demo in DEMO_FLOOR]))
