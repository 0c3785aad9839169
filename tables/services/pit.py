"""What the pit does to a table. Its panel comes later; the deeds are here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tables import announce
from tables.clock import DATABASE_CLOCK, Clock
from tables.games import GAMES
from tables.games.blackjack.options import MARKET_2009, REGULATION_FULL
from tables.games.money import CREDIT
from tables.games.options import options_json, read_options
from tables.games.protocol import HOUSE, PoolRules
from tables.games.three_card_baccarat.bets import POINTS_SPOTS
from tables.models import Jackpot, Lease, Realm, Table
from tables.timetable import NEXT, Times

from . import jackpots, wallet
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
    jackpot: str | None = None,
    realm: Realm = Realm.FLOOR,
    clock: Clock = DATABASE_CLOCK,
) -> Table:
    """Open a table with its options, pace and float (from the house). Raises OptionError or ValueError.

    What is played with at it, its `realm` says: players' own chips, or the demo credits of kiosks.

    `jackpot` is the slug of the one that it feeds and pays from together with others; a game that needs a jackpot and
    is given none opens one of its own, named like the table.
    """
    checked = read_options(GAMES[game].options, dict(options))
    Times.of(times or {})
    if NEXT in (times or {}):
        raise ValueError("a new table has the times that it begins with")
    rules = GAMES[game].pool(checked)
    with unit_of_work():
        table = Table.objects.create(
            slug=slug,
            name=name,
            game=game,
            options=options_json(checked),
            times=dict(times or {}),
            position=position,
            realm=realm,
            jackpot=_jackpot_for(slug, name, rules, jackpot, realm, clock),
        )
        Lease.objects.create(table=table)
        wallet.open_table(table.pk, realm)
        house = wallet.house_of(realm)
        now = clock.now()
        wallet.mint(
            [
                Entry(f"mint:float:{table.pk}", wallet.mint_of(realm), house, float_cents, "mint", "house"),
                Entry(
                    f"float:{table.pk}",
                    house,
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


def open_jackpot(
    slug: str, name: str, seed_cents: int, *, realm: Realm = Realm.FLOOR, clock: Clock = DATABASE_CLOCK
) -> Jackpot:
    """Open a progressive jackpot with so much in it, from the house. Tables are linked to it as they are opened."""
    if seed_cents < 0:
        raise ValueError("a jackpot cannot open below zero")
    with unit_of_work():
        jackpot = Jackpot.objects.create(slug=slug, name=name, realm=realm)
        wallet.open_jackpot(jackpot.pk, realm)
        if seed_cents:
            house, pool = wallet.house_of(realm), wallet.jackpot(jackpot.pk)
            wallet.mint(
                [
                    Entry(f"mint:seed:{jackpot.pk}", wallet.mint_of(realm), house, seed_cents, "mint", HOUSE),
                    Entry(f"seed:{jackpot.pk}", house, pool, seed_cents, jackpots.SEED, HOUSE),
                ],
                at=clock.now(),
            )
        announce.jackpot_changed(jackpot.pk)
        return jackpot


def _jackpot_for(
    slug: str, name: str, rules: PoolRules | None, wanted: str | None, realm: Realm, clock: Clock
) -> Jackpot | None:
    """The jackpot that a new table is linked to."""
    if rules is None:
        if wanted is not None:
            raise ValueError(f"no jackpot is played at {slug}")
        return None
    if wanted is None:
        return open_jackpot(slug, name, rules.minimum, realm=realm, clock=clock)
    jackpot = Jackpot.objects.select_for_update().filter(slug=wanted).first()
    if jackpot is None:
        raise ValueError(f"there is no jackpot {wanted}")
    if jackpot.realm != realm:
        raise ValueError(f"in the jackpot {wanted} lies other money than is played with at {slug}")
    jackpots.check_link(jackpot, rules)
    return jackpot


# ── The demonstration floor ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class DemoTable:
    """A table that `make run` opens."""

    slug: str
    name: str
    game: str
    options: Mapping[str, Any]
    times: Mapping[str, int] = field(default_factory=dict)
    jackpot: str | None = None


def credits(number: int) -> int:
    """Cents in so many credits."""
    return number * CREDIT


OUTSIDE = ("sector12", "column", "dozen", "low_high", "odd_even", "red_black")
"""The bets of Roulette on twelve numbers and more."""

DICE_HALVES = ("big", "small", "odd", "even")
DICE_SPOTS = ("total", "double", "triple", "any_triple", "pair", "single", "four")
"""The even chances of Cussec, and its other bets."""

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
    DemoTable(
        "peninsula", "Peninsula", "blackjack",
        {**REGULATION_FULL,
         "min_bet": {"main": credits(10), "any_pair": credits(5), "sevens": credits(5), "over_13": credits(5),
                     "under_13": credits(5)},
         "max_bet": {"main": credits(2_000), "any_pair": credits(100), "sevens": credits(20), "over_13": credits(500),
                     "under_13": credits(500)}},
        {"betting": 20_000, "decision": 15_000, "beat": 700},
    ),
    DemoTable(
        "taipa", "Taipa", "blackjack",
        {**MARKET_2009,
         "min_bet": {"main": credits(50), "any_pair": credits(10), "sevens": credits(10), "over_13": credits(10),
                     "under_13": credits(10)},
         "max_bet": {"main": credits(5_000), "any_pair": credits(200), "sevens": credits(20), "over_13": credits(1_000),
                     "under_13": credits(1_000)}},
        {"betting": 15_000, "decision": 15_000, "beat": 600, "result": 6_000},
    ),
    DemoTable(
        "coloane", "Coloane", "blackjack",
        {"decks": 1, "dealing_device": "metal_box", "deal_procedure": 1, "boxes": 6, "max_boxes_per_player": 2,
         "initial_burn": "single", "shared_box_rule": "seated_decides",
         "min_bet": credits(5), "max_bet": {"main": credits(1_000), "any_pair": credits(50), "sevens": credits(10),
                                            "over_13": credits(200), "under_13": credits(200)}},
        {"cut": 6_000, "betting": 20_000, "decision": 15_000, "beat": 700},
    ),
    DemoTable(
        "guia", "Guia", "stud_poker",
        {"shuffle_method": "shuffler", "min_ante": credits(20), "max_ante": credits(1_000)},
        {"betting": 20_000, "decision": 20_000, "beat": 500},
        jackpot="lisboa",
    ),
    DemoTable(
        "penha", "Penha", "stud_poker",
        {"shuffle_method": "manual_shoe", "decision_mode": "in_turn", "royal_flush_odds": 50,
         "min_ante": credits(50), "max_ante": credits(2_000)},
        {"cut": 6_000, "betting": 20_000, "decision": 15_000, "beat": 400},
        jackpot="lisboa",
    ),
    DemoTable(
        "barra", "Barra", "three_card_baccarat",
        {"decks": 6, "player_places": 7, "standing_bets": True,
         "min_bet": {"place": credits(20), "odd": credits(10), "even": credits(10), "tie": credits(5),
                     "three_figures": credits(5), **dict.fromkeys(POINTS_SPOTS, credits(5))},
         "max_bet": {"place": credits(5_000), "odd": credits(2_000), "even": credits(2_000), "tie": credits(200),
                     "three_figures": credits(200), **dict.fromkeys(POINTS_SPOTS, credits(200))}},
        {"betting": 20_000, "decision": 15_000, "beat": 600},
    ),
    DemoTable(
        "cotai", "Cotai", "three_card_baccarat",
        {"decks": 1, "player_places": 6, "deal_style": "three_at_once", "min_bet": credits(10),
         "max_bet": credits(1_000)},
        {"cut": 6_000, "betting": 20_000, "decision": 15_000, "beat": 600},
    ),
    DemoTable(
        "lilau", "Lilau", "roulette",
        {"betting_seconds": 25, "min_bet": {"straight": credits(1), **dict.fromkeys(OUTSIDE, credits(10))},
         "max_bet": {"straight": credits(200), "split": credits(400), "street": credits(600), "corner": credits(800),
                     "line": credits(1_200), "sector9": credits(1_800), **dict.fromkeys(OUTSIDE, credits(5_000))}},
        {"beat": 1_500, "result": 8_000},
    ),
    DemoTable(
        "senado", "Senado", "roulette",
        {"bets_close": "before_throw", "betting_seconds": 20, "sector_definition": "layout_blocks",
         "zero_combinations": "allowed", "null_spin_bets": "reopen", "auto_leave_winners": True,
         "min_bet": credits(5), "max_bet": credits(1_000)},
        {"beat": 2_500, "result": 7_000},
    ),
    DemoTable(
        "patane", "Patane", "cussec",
        {"betting_seconds": 25,
         "min_bet": {**dict.fromkeys(DICE_SPOTS, credits(5)), **dict.fromkeys(DICE_HALVES, credits(10))},
         "max_bet": {**dict.fromkeys(DICE_SPOTS, credits(500)), **dict.fromkeys(DICE_HALVES, credits(5_000)),
                     "triple": credits(100), "any_triple": credits(200)}},
        {"beat": 1_500, "result": 8_000},
    ),
    DemoTable(
        "hac-sa", "Hac Sa", "cussec",
        {"shake_timing": "after_betting", "cocked_dice": "reshake_bets_stand", "shakes": 4, "betting_seconds": 20,
         "four_numbers_enabled": False, "auto_leave_winners": True, "min_bet": credits(1), "max_bet": credits(1_000)},
        {"beat": 1_500, "result": 7_000},
    ),
)  # fmt: skip
"""Three Baccarat tables: five per cent, no commission with the half on six, and the automatic machine. Three of
Blackjack: all of the regulation from a shoe, what the market plays from a machine, and one deck in a metal box, dealt
face down. Two of Stud Poker on one jackpot: by a shuffler, all deciding at once; by hand, one after the other. Two of
3-Card Baccarat: a shoe of six decks, and one deck in a box. Two of Roulette: bets until the bell and sectors of the
wheel; bets before the throw, blocks of the layout and combinations with zero. Two of Cussec: shaken before the bets;
shaken after the bell, where cocked dice are shaken again."""

KIOSK_FLOOR = (
    DemoTable(
        "camoes", "Camões", "baccarat",
        {"decks": 8, "dealing_device": "auto_machine", "seats": 9, "min_bet": credits(5), "max_bet": credits(1_000),
         "imbalance_limit": credits(20_000)},
        {"betting": 20_000, "beat": 700, "result": 8_000},
    ),
    DemoTable(
        "flora", "Flora", "blackjack",
        {**MARKET_2009,
         "min_bet": credits(5), "max_bet": {"main": credits(1_000), "any_pair": credits(100), "sevens": credits(20),
                                            "over_13": credits(200), "under_13": credits(200)}},
        {"betting": 20_000, "decision": 20_000, "beat": 700, "result": 8_000},
    ),
    DemoTable(
        "carmo", "Carmo", "stud_poker",
        {"shuffle_method": "shuffler", "min_ante": credits(10), "max_ante": credits(200)},
        {"betting": 25_000, "decision": 25_000, "beat": 500, "result": 9_000},
    ),
    DemoTable(
        "lou-lim-ioc", "Lou Lim Ioc", "three_card_baccarat",
        {"decks": 6, "player_places": 7, "standing_bets": True, "min_bet": credits(5), "max_bet": credits(500)},
        {"cut": 3_000, "betting": 20_000, "decision": 15_000, "beat": 600, "result": 8_000},
    ),
    DemoTable(
        "francisco", "São Francisco", "roulette",
        {"betting_seconds": 25, "min_bet": credits(1), "max_bet": credits(200)},
        {"beat": 1_500, "result": 9_000},
    ),
    DemoTable(
        "penha-garden", "Jardim da Penha", "cussec",
        {"betting_seconds": 25, "min_bet": credits(1), "max_bet": credits(200)},
        {"beat": 1_500, "result": 9_000},
    ),
)  # fmt: skip
"""One table of each game for visitors at kiosks: small stakes, machines instead of ceremonies, a calm pace."""

DEMO_JACKPOTS: Mapping[str, tuple[str, int]] = {"lisboa": ("Lisboa", credits(500_000))}
"""Slug -> name of the jackpot that they share, and what it opens with."""


def open_demo_floor(*, clock: Clock = DATABASE_CLOCK) -> list[Table]:
    """Open those demonstration tables that are not there yet, and return all of them."""
    known = set(Table.objects.values_list("slug", flat=True))
    for slug, (name, seed_cents) in DEMO_JACKPOTS.items():
        if not Jackpot.objects.filter(slug=slug).exists():
            open_jackpot(slug, name, seed_cents, clock=clock)
    for realm, floor, first in ((Realm.FLOOR, DEMO_FLOOR, 0), (Realm.KIOSKS, KIOSK_FLOOR, 500)):
        for position, demo in enumerate(floor, start=first):
            if demo.slug not in known:
                open_table(
                    demo.slug,
                    demo.name,
                    demo.game,
                    demo.options,
                    times=demo.times,
                    position=position,
                    jackpot=demo.jackpot,
                    realm=realm,
                    clock=clock,
                )
    return list(Table.objects.filter(slug__in=[demo.slug for demo in (*DEMO_FLOOR, *KIOSK_FLOOR)]))
