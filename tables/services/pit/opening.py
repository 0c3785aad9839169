"""A table, or a jackpot, that was not there yet."""

from __future__ import annotations

from collections.abc import Mapping

from tables.base import announce
from tables.base.calendar import macau_date
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.timetable import NEXT, Times
from tables.base.transactions import unit_of_work
from tables.games import GAMES
from tables.games.contract.actions import HOUSE
from tables.games.contract.game import PoolRules
from tables.games.shared.limits import check_agree, check_bounded
from tables.games.shared.options import options_json, read_options
from tables.games.values.money import CREDIT
from tables.models import Jackpot, Lease, Realm, Table
from tables.queries.halts import is_halted
from tables.services.money import jackpots, wallet
from tables.services.money.wallet import Posting, Reason

from . import authorisations


def open_table(
    slug: str,
    name: str,
    game: str,
    options: Mapping[str, object],
    *,
    times: Mapping[str, int] | None = None,
    float_cents: int = 1_000_000 * CREDIT,
    position: int = 0,
    jackpot: str | None = None,
    realm: Realm = Realm.FLOOR,
    clock: Clock = DATABASE_CLOCK,
) -> Table:
    """Open a table with its options, pace and float (from the house). Raises OptionError or ValueError, and Refused for
    an alternative without an authorisation on record and for a bet without a maximum.

    Without an edition among the options it plays the one in force on each day, as it does if that one is named.

    What is played with at it, its `realm` says: players' own chips, or the demo credits of kiosks.

    `jackpot` is the slug of the one that it feeds and pays from together with others; a game that needs a jackpot and
    is given none opens one of its own, named like the table.
    """
    in_force = GAMES[game].edition_on(macau_date(clock.now()).isoformat())
    checked = GAMES[game].for_a_table(read_options(GAMES[game].options, {"edition": in_force, **options}))
    check_agree(GAMES[game], checked)
    check_bounded(GAMES[game], checked)
    authorisations.check(game, options_json(checked), at=macau_date(clock.now()))
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
            edition_in_force=checked.edition == in_force,
            times=dict(times or {}),
            position=position,
            realm=realm,
            halted=is_halted(game),
            jackpot=_jackpot_for(slug, name, rules, jackpot, realm, clock),
        )
        Lease.objects.create(table=table)
        wallet.open_table(table.pk, realm)
        house = wallet.house_of(realm)
        now = clock.now()
        wallet.mint(
            [
                Posting(f"mint:float:{table.pk}", wallet.mint_of(realm), house, float_cents, Reason.MINT, HOUSE),
                Posting(f"float:{table.pk}", house, wallet.float_of(table.pk), float_cents, Reason.FLOAT, HOUSE),
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
                    Posting(f"mint:seed:{jackpot.pk}", wallet.mint_of(realm), house, seed_cents, Reason.MINT, HOUSE),
                    Posting(f"seed:{jackpot.pk}", house, pool, seed_cents, Reason.SEED, HOUSE),
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
