"""What visitors have done at kiosks between two moments, from the ledger alone.

A round belongs to the moment in which it was settled, as in all figures of the house; what is still on a layout has
not been staked yet. So over the whole life of a kiosk what was given, less what was staked, with what was returned and
less what was checked out, is what its visitors have left in their wallets and on the layouts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import reduce
from operator import add

from django.db.models import Count, Exists, OuterRef, Q, Sum

from tables.models import KioskVisit, Played, Realm, Table, Transfer
from tables.queries import statistics


@dataclass(frozen=True, slots=True)
class Visits:
    """Sums of a period at one kiosk, or at several; amounts in cents."""

    visitors: int = 0
    """Who were given credits."""
    rounds: int = 0
    """Settled, not void, that a visitor played in, even with stakes carried there. Each kiosk counts its own."""
    given: int = 0
    """Credits to visitors from the mint; and what the pit gave them, if it did."""
    staked: int = 0
    """What left their wallets for layouts, without bets taken back before they closed."""
    returned: int = 0
    """What came back from there: stakes, prizes, and all stakes of void rounds."""
    checked_out: int = 0
    """What went back to the mint after they had gone; and what the pit took from them, if it did."""

    def __add__(self, other: Visits) -> Visits:
        return Visits(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))


NOTHING = Visits()


def of_kiosks(since: datetime, until: datetime) -> dict[int, Visits]:
    """The figures of kiosks in [since, until), by their ids; only of those where something happened."""
    visitors, given = _to_visitors(since, until)
    checked_out = _from_visitors(since, until)
    played = _played(since, until)
    return {
        pk: replace(played.get(pk, NOTHING), visitors=visitors[pk], given=given[pk], checked_out=checked_out[pk])
        for pk in given.keys() | checked_out.keys() | played.keys()
    }


def total(visits: Iterable[Visits]) -> Visits:
    """All of them together."""
    return reduce(add, visits, NOTHING)


def _to_visitors(since: datetime, until: datetime) -> tuple[Counter[int], Counter[int]]:
    """By kiosk: how many visits began, and cents that came to visitors, outside rounds."""
    moved = Transfer.objects.filter(log__isnull=True, at__gte=since, at__lt=until, credit__player__kiosk__isnull=False)
    sums = moved.values_list("credit__player__kiosk").annotate(
        visits=Count("pk", filter=Q(reason=Transfer.Reason.VISIT)), cents=Sum("amount")
    )
    lines = list(sums.order_by())
    return Counter({pk: visits for pk, visits, _ in lines}), Counter({pk: cents for pk, _, cents in lines})


def _from_visitors(since: datetime, until: datetime) -> Counter[int]:
    """By kiosk: cents that left visitors, outside rounds."""
    moved = Transfer.objects.filter(log__isnull=True, at__gte=since, at__lt=until, debit__player__kiosk__isnull=False)
    return Counter(dict(moved.values_list("debit__player__kiosk").annotate(cents=Sum("amount")).order_by()))


def _played(since: datetime, until: datetime) -> Mapping[int, Visits]:
    """By kiosk: what was played in the rounds that were settled."""
    tables = Table.objects.filter(realm=Realm.KIOSKS).values_list("pk", flat=True)
    lines = Played.objects.filter(log__in=statistics.rounds_of(tables, since, until), player__kiosk__isnull=False)
    sums = lines.values_list("player__kiosk").annotate(
        rounds=Count("log", distinct=True, filter=Q(log__void=False)), out=Sum("staked"), back=Sum("returned")
    )
    return {pk: Visits(rounds=rounds, staked=out, returned=back) for pk, rounds, out, back in sums.order_by()}


# ── How visits go ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Course:
    """Of visits: how many began with a touch, in how many of them a guided round was begun, in how many a bet was
    settled, how many have ended, and how many seconds these were long together."""

    touches: int = 0
    guided: int = 0
    bet: int = 0
    ended: int = 0
    seconds: int = 0

    def __add__(self, other: Course) -> Course:
        return Course(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    @property
    def minutes(self) -> float:
        """How long a visit was, on average."""
        return self.seconds / self.ended / 60 if self.ended else 0


def courses(since: datetime, until: datetime) -> dict[int, Course]:
    """By kiosk: how the visits went that began then."""
    visits = KioskVisit.objects.filter(began_at__gte=since, began_at__lt=until)
    staked = Exists(Played.objects.filter(player=OuterRef("visitor"), staked__gt=0))
    found: dict[int, Course] = {}
    for kiosk, began, ended, guides, bet in visits.annotate(bet=staked).values_list(
        "kiosk", "began_at", "ended_at", "guides", "bet"
    ):
        seconds = 0 if ended is None else int((ended - began).total_seconds())
        found[kiosk] = found.get(kiosk, Course()) + Course(
            1, int(guides > 0), int(bet), int(ended is not None), seconds
        )
    return found
