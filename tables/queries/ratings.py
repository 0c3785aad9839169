"""What players played for: how long, how much and with what outcome, beside what was to be expected of it.

A slip is what one player did at one table without a break of half an hour, from their first stake until the last of
these rounds was settled. It is worked out from the ledger and the logs of rounds that are over, in cents; the slips of
a table come to what its figures say (`round_figures`). Visitors of kiosks are not rated.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from functools import partial
from math import floor

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from tables.models import Played, Player, Realm, RoundLog, Table, Transfer
from tables.models.bettors import bettor_of

from .remembered import Remembered
from .round_figures import NOTHING, READ, Figures, Part, of_bettors
from .statistics import AT_ONCE, DAY, batched, total

SLIP_ENDS_AFTER = timedelta(minutes=30)
"""Whoever has no stake at a table for so long begins a new slip there."""

MOST_ROUNDS = 500
"""So many of a player's latest rounds are looked at for their page."""

TOP = 20
"""So many players stand in a list of the top ones."""

remembered: Remembered[dict[str, Part]] = Remembered()
"""The parts of the bettors in rounds that are over, which never change."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What a player did in some time: `minutes` at the tables (at two at once they count twice), and the figures."""

    time: timedelta
    figures: Figures

    @property
    def minutes(self) -> int:
        """Whole minutes, rounded up: whoever has played has played for one."""
        return -(-self.time // timedelta(minutes=1))

    @property
    def average_bet(self) -> int:
        """What was freshly staked for each round that counted, in whole cents."""
        return self.figures.drop // self.figures.rounds if self.figures.rounds else 0

    @property
    def theoretical(self) -> int:
        """What the house was to win of it on average, to the nearest cent."""
        return round(self.figures.theoretical)

    @property
    def earned(self) -> int:
        """The comps that the theoretical win has earned, in whole cents: the share that the house gives back."""
        return floor(max(self.figures.theoretical, Fraction(0)) * Fraction(settings.COMP_SHARE, 100))


@dataclass(frozen=True, slots=True)
class Slip(Rating):
    """… of one player at one table without a break."""

    player_id: int
    table: Table
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class PlayerRating(Rating):
    """… of one player in a period, and what the house gave them in comps meanwhile."""

    player: Player
    given: int


def of_player(player: Player, since: datetime, until: datetime) -> tuple[list[Slip], bool]:
    """The slips of a player from rounds that were settled in [since, until), the latest first, and whether these are
    all: at most the latest `MOST_ROUNDS` rounds are looked at."""
    played = _settled(since, until).filter(player=player).order_by("-log__settled_at", "-log_id")
    rows = list(played.values_list(*_FIELDS)[: MOST_ROUNDS + 1])
    whole = len(rows) <= MOST_ROUNDS
    return _slips(rows[:MOST_ROUNDS]), whole


def at_table(table_id: int, players: Collection[int], now: datetime) -> dict[int, Slip]:
    """The slips of these players at a table that still go on, by the player; of the last day at most."""
    played = _settled(now - DAY, now).filter(player__in=players, log__table=table_id)
    latest = {slip.player_id: slip for slip in reversed(_slips(list(played.values_list(*_FIELDS))))}
    return {player: slip for player, slip in latest.items() if now - slip.until < SLIP_ENDS_AFTER}


def of_period(since: datetime, until: datetime) -> list[PlayerRating]:
    """Everybody who had a stake in a round that was settled in [since, until), or was given a comp meanwhile; whoever
    was to bring the house most comes first."""
    slips: defaultdict[int, list[Slip]] = defaultdict(list)
    for slip in _slips(list(_settled(since, until).values_list(*_FIELDS))):
        slips[slip.player_id].append(slip)
    given = comps_given(since, until)
    people = Player.objects.in_bulk(slips.keys() | given.keys())
    found = [
        PlayerRating(*_sum(slips.get(pk, ())), player=player, given=given.get(pk, 0)) for pk, player in people.items()
    ]
    return sorted(found, key=lambda one: (-one.figures.theoretical, -one.figures.drop, one.player.pk))


def together(slips: Iterable[Slip]) -> Rating:
    """All of these slips as one."""
    return Rating(*_sum(slips))


def comps_given(since: datetime, until: datetime, player: Player | None = None) -> Mapping[int, int]:
    """What the house gave in comps in [since, until) on the floor, in cents by player: to this one, or to all."""
    moved = Transfer.objects.filter(log__isnull=True, at__gte=since, at__lt=until, reason=Transfer.Reason.COMP)
    moved = moved.filter(debit__realm=Realm.FLOOR).order_by()
    if player is not None:
        moved = moved.filter(credit__player=player)
    given: Counter[int] = Counter()
    for pk, cents in moved.values_list("credit__player", "amount"):
        given[pk] += cents
    return given


# ── From rounds to slips ────────────────────────────────────────────────────────────────────────────────────

_FIELDS = ("log_id", "player_id", "log__table_id", "log__settled_at")
Row = tuple[int, int, int, datetime]


def _settled(since: datetime, until: datetime) -> QuerySet[Played]:
    """What people other than visitors had in rounds that were settled then."""
    played = Played.objects.filter(log__settled_at__gte=since, log__settled_at__lt=until)
    return played.filter(log__table__realm=Realm.FLOOR).order_by()


def _slips(rows: Sequence[Row]) -> list[Slip]:
    """The slips that these rounds make up, the latest first."""
    parts = _parts([pk for pk, _, _, _ in rows])
    tables = Table.objects.in_bulk({table for _, _, table, _ in rows})
    found = []
    for (player, table), own in _by_place(rows).items():
        key = bettor_of(player)
        rounds = [(part, ends) for pk, ends in own if (part := parts[pk].get(key)) is not None]
        for some in _without_break(rounds):
            since, until = some[0][0].since, some[-1][1]
            figures = total(part.figures for part, _ in some)
            found.append(Slip(until - since, figures, player_id=player, table=tables[table], since=since, until=until))
    return sorted(found, key=lambda slip: (slip.until, slip.since, slip.table.pk), reverse=True)


def _by_place(rows: Sequence[Row]) -> dict[tuple[int, int], list[tuple[int, datetime]]]:
    """The rounds by player and table, in the order of time, with when they were settled."""
    found: defaultdict[tuple[int, int], list[tuple[int, datetime]]] = defaultdict(list)
    for pk, player, table, ends in sorted(rows, key=lambda row: (row[3], row[0])):
        found[player, table].append((pk, ends))
    return found


def _without_break(rounds: Sequence[tuple[Part, datetime]]) -> Iterator[list[tuple[Part, datetime]]]:
    """These rounds, parted where nothing lay on the layout for so long that another slip begins."""
    some: list[tuple[Part, datetime]] = []
    for part, ends in rounds:
        if some and part.since - some[-1][1] >= SLIP_ENDS_AFTER:
            yield some
            some = []
        some.append((part, ends))
    if some:
        yield some


def _parts(ids: Sequence[int]) -> dict[int, dict[str, Part]]:
    """What each bettor had in these rounds, which are over."""
    wanted = list(dict.fromkeys(ids))
    found = remembered.of(wanted)
    for some in batched([pk for pk in wanted if pk not in found], AT_ONCE):
        logs = list(RoundLog.objects.filter(pk__in=some).only(*READ, "started_at"))
        read = {log.pk: parts for log, parts in zip(logs, of_bettors(logs), strict=True)}
        # On commit (at once outside a transaction): a round that was settled in this very one may still be undone.
        transaction.on_commit(partial(remembered.keep, read))
        found |= read
    return found


def _sum(slips: Iterable[Slip]) -> tuple[timedelta, Figures]:
    some = list(slips)
    return sum((slip.time for slip in some), timedelta()), total(slip.figures for slip in some) if some else NOTHING
