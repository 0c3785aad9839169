"""Links of bettors: offered before the house commits to a seed, revealed once it has (docs/proof.md, 2 and 3).

A client keeps a chain of its own and hands in one link after another; whoever stays silent is left out, and holds up
nothing but a fresh pack, for a moment. No key is needed here, and no seed is seen.
"""

from __future__ import annotations

from datetime import datetime

from tables.base import announce
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.proof_format import HASH, MOST_LINKS, Links, fits
from tables.base.timetable import LINKS_WITHIN
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.words import say
from tables.models import Departure, OfferedLink, PackSeed, RevealedLink, Seat, Table
from tables.models.bettors import Bettor, bettor_of, player_of

from . import seating


def offer(player: int, table_id: int, link: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Commit to a link for the next pack or throw of a table; one that was offered before is replaced, and the lists
    that were published stay as they are. Raises Refused for what is no link, without a seat or a stake there, and for a
    seventeenth bettor who has no seat.

    Nobody's lock is waited for: with a thousand bettors a thousand may ask at once, and nearly all are refused.
    """
    if not HASH.fullmatch(link):
        raise Refused("", say("A link is 64 digits: 0 to 9, a to f."))
    table = Table.objects.select_related("round").get(pk=table_id)
    seated = Seat.objects.filter(table=table, player_id=player).exists()
    if not (seated or seating.plays_on(table, player)):
        raise Refused("", say("Whoever has a seat or a stake at this table may offer a link."))
    others = OfferedLink.objects.filter(table=table).exclude(player_id=player)
    if not seated and others.count() >= MOST_LINKS:
        waiting = [bettor for bettor, _ in _waiting(table) if bettor != bettor_of(player)]
        if len(waiting) >= MOST_LINKS:
            raise Refused("", say("%(most)s bettors offer links at this table already.", most=MOST_LINKS))
    with unit_of_work():
        OfferedLink.objects.update_or_create(
            table=table,
            player_id=player,
            defaults={"link": link},
            create_defaults={"link": link, "offered_at": clock.now()},
        )


def reveal(player: int, table_id: int, number: int, link: str) -> None:
    """Reveal the link beneath the one that was offered for pack or throw `number` of a table; from now on it is the
    one that is offered. The same twice is done once. When all have revealed theirs the dealer goes on at once.

    Raises Refused for a pack or a throw that takes none any more, from somebody who is not in its list, and for a link
    that does not fit.
    """
    with unit_of_work():
        Table.objects.select_for_update().only("pk").get(pk=table_id)  # the dealer mixes under the same lock
        seeds = PackSeed.objects.filter(table=table_id, number=number).only("offered", "revealed", "dropped_at")
        seed, bettor = seeds.first(), bettor_of(player)
        if seed is None or seed.revealed is not None or seed.dropped_at is not None:
            raise Refused("", say("Number %(number)s takes no links now.", number=number))
        own = dict(seed.offered).get(bettor)
        if own is None:
            raise Refused("", say("You have offered no link for number %(number)s.", number=number))
        if not fits(own, link):
            raise Refused("", say("This link does not lie beneath the one that you have offered."))
        spoke = set(RevealedLink.objects.filter(seed=seed).values_list("player_id", flat=True))
        if player in spoke:
            return
        RevealedLink.objects.create(seed=seed, player_id=player, link=link)
        OfferedLink.objects.filter(table=table_id, player_id=player, link=own).update(link=link)
        if len(spoke) + 1 >= len(seed.offered):
            announce.nudge(table_id)


# ── For the dealer ──────────────────────────────────────────────────────────────────────────────────────────


def listed(table: Table) -> Links:
    """The links that are offered for the next pack or throw of a table: bettors who are there, by seat, then those who
    stand and have staked lately, by their coming; at most 16 (docs/proof.md, 2)."""
    return _waiting(table)[:MOST_LINKS]


def _waiting(table: Table) -> list[tuple[Bettor, str]]:
    offers = list(OfferedLink.objects.filter(table=table).order_by("offered_at", "pk"))
    if not offers:
        return []
    seats = dict(Seat.objects.filter(table=table).values_list("player_id", "number"))
    away = set(Seat.objects.filter(table=table, away=True).values_list("player_id", flat=True))
    away |= set(Departure.objects.filter(table=table).values_list("player_id", flat=True))
    here = [one for one in offers if one.player_id not in away]
    seated = sorted((one for one in here if one.player_id in seats), key=lambda one: seats[one.player_id])
    standing = [one for one in here if one.player_id not in seats]
    if standing:
        lately = set(seating.played_lately(table).values_list("player_id", flat=True)) | seating.bettors_in(table)
        standing = [one for one in standing if one.player_id in lately]
    return [(bettor_of(one.player_id), one.link) for one in (*seated, *standing)]


def revealed_for(seed: PackSeed) -> list[tuple[str, str]]:
    """What was revealed so far, in the order of the list."""
    links = dict(RevealedLink.objects.filter(seed=seed).values_list("player_id", "link"))
    return [(bettor, links[player_of(bettor)]) for bettor, _ in seed.offered if player_of(bettor) in links]


def all_revealed(seed: PackSeed) -> bool:
    """Whether everybody in the list has revealed their link; true of an empty list."""
    return RevealedLink.objects.filter(seed=seed).count() >= len(seed.offered) if seed.offered else True


def waits_until(seed: PackSeed, now: datetime) -> datetime | None:
    """Until when a pack waits for the links of its list; None if it waits for nobody any more."""
    until = seed.committed_at + LINKS_WITHIN
    return None if now >= until or all_revealed(seed) else until


def forget_silent(seed: PackSeed) -> None:
    """The seed is mixed: whoever stayed silent is in no further list until they offer a link again."""
    spoke = {bettor for bettor, _ in seed.revealed or ()}
    for bettor, link in seed.offered:
        if bettor not in spoke:
            OfferedLink.objects.filter(table_id=seed.table_id, player_id=player_of(bettor), link=link).delete()
