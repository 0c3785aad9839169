"""Links of bettors: offered before the house commits to a seed, revealed once it has (docs/proof.md, 2 and 3).

A client keeps a chain of its own and hands in one link after another; whoever stays silent is left out, and holds up
nothing but a fresh pack, for a moment. No key is needed here, and no seed is seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, F, Value, When

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


@dataclass(frozen=True, slots=True)
class Reveal:
    """A bettor's link beneath the one that they have offered, for the pack or throw `number` of a table."""

    player: int
    number: int
    link: str


def reveal_many(table_id: int, reveals: Sequence[Reveal]) -> list[Refused | None]:
    """Reveal links at one table, in one transaction: from now on they are the ones that are offered. The same twice is
    done once. When all have revealed theirs the dealer goes on at once.

    One's refusal is no other's: for a pack or a throw that takes none any more, for somebody who is not in its list,
    and for a link that does not fit.
    """
    with unit_of_work():
        Table.objects.select_for_update().only("pk").get(pk=table_id)  # the dealer mixes under the same lock
        numbers = {one.number for one in reveals}
        taking = PackSeed.objects.filter(table=table_id, number__in=numbers, revealed__isnull=True, dropped_at=None)
        seeds = {seed.number: seed for seed in taking.only("table", "number", "offered")}
        fitting: dict[int, dict[int, str]] = {number: {} for number in seeds}
        answers = [_refused(seeds.get(one.number), one) for one in reveals]
        for one, refused in zip(reveals, answers, strict=True):
            if refused is None:
                fitting[one.number][one.player] = one.link
        for number, seed in seeds.items():
            _write(seed, fitting[number])
    return answers


def _refused(seed: PackSeed | None, one: Reveal) -> Refused | None:
    if seed is None:
        return Refused("", say("Number %(number)s takes no links now.", number=one.number))
    own = dict(seed.offered).get(bettor_of(one.player))
    if own is None:
        return Refused("", say("You have offered no link for number %(number)s.", number=one.number))
    if not fits(own, one.link):
        return Refused("", say("This link does not lie beneath the one that you have offered."))
    return None


def _write(seed: PackSeed, fitting: Mapping[int, str]) -> None:
    """Keep these links, of bettors who are in the list; those that are there already are what they were."""
    spoke = set(RevealedLink.objects.filter(seed=seed).values_list("player_id", flat=True))
    new = {player: link for player, link in fitting.items() if player not in spoke}
    if not new:
        return
    RevealedLink.objects.bulk_create(
        RevealedLink(seed=seed, player_id=player, link=link) for player, link in new.items()
    )
    listed = dict(seed.offered)  # whoever has offered another one since keeps that
    beneath = [When(player=player, link=listed[bettor_of(player)], then=Value(link)) for player, link in new.items()]
    OfferedLink.objects.filter(table=seed.table_id, player__in=new).update(link=Case(*beneath, default=F("link")))
    if len(spoke) + len(new) >= len(seed.offered):
        announce.nudge(seed.table_id)


# ── For the dealer ──────────────────────────────────────────────────────────────────────────────────────────


def listed(table: Table) -> Links:
    """The links that are offered for the next pack or throw of a table: bettors who are there, by seat, then those who
    stand and have staked lately, by their coming; at most 16 (docs/proof.md, 2)."""
    return _waiting(table)[:MOST_LINKS]


def _waiting(table: Table) -> list[tuple[Bettor, str]]:
    offers = OfferedLink.objects.filter(table=table).order_by("offered_at", "pk").values_list("player_id", "link")
    if not offers:
        return []
    seats = list(Seat.objects.filter(table=table).values_list("player_id", "number", "away"))
    number_of = {player: number for player, number, _ in seats}
    gone = {player for player, _, away in seats if away}
    gone |= set(Departure.objects.filter(table=table).values_list("player_id", flat=True))
    here = [one for one in offers if one[0] not in gone]
    seated = sorted((one for one in here if one[0] in number_of), key=lambda one: number_of[one[0]])
    standing = [one for one in here if one[0] not in number_of]
    if standing:
        theirs = {player for player, _ in standing}
        lately = set(seating.played_lately(table).filter(player__in=theirs).values_list("player_id", flat=True))
        if theirs - lately:
            lately |= seating.bettors_in(table)
        standing = [one for one in standing if one[0] in lately]
    return [(bettor_of(player), link) for player, link in (*seated, *standing)]


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
