"""The watch over chance: what the tables really drew on each day that is over, put to the test, with an alert.

Of each day the counts of what came are kept (`ChanceDay`). The day is tested alone, and together with the days before
it, as a fault too small to be seen in one day shows in a month. All that was drawn is counted: what did not count in a
round as well, and the whole order of a shoe, however many of its cards were dealt.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import reduce
from itertools import pairwise
from operator import add
from typing import Any

from django.db.models import Min

from tables.base import proof_format
from tables.base.calendar import macau_date, midnight
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.games.values.cards import pack
from tables.games.values.json import JsonObject
from tables.models import Alert, ChanceDay, RoundLog, SealedThrow, Shoe
from tables.services.journal import alerts

from . import Finding, corrected
from .distributions import chi_square_p
from .families import CARDS, FACES, POCKETS, SUMS
from .sources import BALL

DAY = timedelta(days=1)
SETTLING = timedelta(hours=1)
"""So long after midnight a day is looked at: whatever was done before midnight has been opened by then."""

WINDOW = 30
"""A day is also tested together with those before it, so many in all."""

LEAST = 5
"""Counts that are expected to be smaller than this say nothing yet."""

QUARTERS = 4

_watched: set[date] = set()
"""Days of which this process knows that they were looked at."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How often each thing came beside how often it should have, on average. The sum of (came − mean)² ÷ variance is
    distributed as chi-square with so many degrees of freedom."""

    came: tuple[int, ...]
    means: tuple[float, ...]
    variances: tuple[float, ...]
    degrees: int

    def __add__(self, other: Tally) -> Tally:
        came, means, variances = (
            tuple(map(add, mine, others))
            for mine, others in (
                (self.came, other.came), (self.means, other.means), (self.variances, other.variances),
            )
        )  # fmt: skip
        return Tally(came, means, variances, self.degrees)

    @property
    def p(self) -> float | None:
        """Of two sides; None where too little has come to tell."""
        if min(self.means) < LEAST:
            return None
        far = sum((n - m) ** 2 / v for n, m, v in zip(self.came, self.means, self.variances, strict=True))
        return chi_square_p(far, self.degrees)

    @property
    def total(self) -> int:
        return sum(self.came)


def weighted(came: Sequence[int], weights: Sequence[int], *, groups: int = 1) -> Tally:
    """Of independent draws; in each of so many groups the weights say how often each thing comes."""
    per_group, whole = sum(came) / groups, sum(weights) / groups
    means = tuple(per_group * weight / whole for weight in weights)
    return Tally(tuple(came), means, means, len(came) - groups)


# ── What came ───────────────────────────────────────────────────────────────────────────────────────────────


def of_balls(tables: Iterable[Sequence[int]]) -> Iterator[tuple[str, Tally]]:
    """The balls of each table, in their order."""
    place = {pocket: at for at, pocket in enumerate(BALL.ring)}
    balls, far = Counter[int](), Counter[int]()
    for one in tables:
        balls.update(one)
        far.update((place[b] - place[a]) % POCKETS for a, b in pairwise(one))
    for name, found in (("pockets", balls), ("distances on the wheel", far)):
        yield name, weighted(_counts(found, POCKETS), [1] * POCKETS)


def of_dice(tables: Iterable[Sequence[Sequence[int]]]) -> Iterator[tuple[str, Tally]]:
    """The throws of each table, in their order."""
    faces, totals, again = Counter[tuple[int, int]](), Counter[int](), [0, 0]
    for one in tables:
        faces.update((die, face) for throw in one for die, face in enumerate(throw))
        totals.update(map(sum, one))
        for a, b in pairwise(one):
            same = sum(x == y for x, y in zip(a, b, strict=True))
            again[0] += same
            again[1] += len(a) - same
    each = [faces[die, face] for die in range(3) for face in range(1, FACES + 1)]
    yield "faces", weighted(each, [1] * 3 * FACES, groups=3)
    yield "totals", weighted([totals[total] for total in sorted(SUMS)], [SUMS[total] for total in sorted(SUMS)])
    yield "faces that come again", weighted(again, [1, FACES - 1])


def of_orders(orders: Iterable[Sequence[int]]) -> Iterator[tuple[str, Tally]]:
    """Whole packs as they were shuffled: each card in each quarter. Cards are numbers: their places in a fresh pack."""
    came, mean, variance = Counter[int](), 0.0, 0.0
    for order in orders:
        size = len(order)
        came.update(at * QUARTERS // size * CARDS + card for at, card in enumerate(order))
        mean += size / (QUARTERS * CARDS)
        variance += size / (QUARTERS * CARDS) * size / (size - 1)
    cells = QUARTERS * CARDS
    degrees = (QUARTERS - 1) * (CARDS - 1)
    yield "quarters of a pack", Tally(_counts(came, cells), (mean,) * cells, (variance,) * cells, degrees)


def of_dealt(hands: Iterable[Sequence[int]]) -> Iterator[tuple[str, Tally]]:
    """The cards that were dealt from single packs that are never opened whole. How many they are follows from how many
    play, not from the cards."""
    came, mean, variance = Counter[int](), 0.0, 0.0
    for dealt in hands:
        came.update(dealt)
        mean += len(dealt) / CARDS
        variance += len(dealt) / CARDS * (CARDS - len(dealt)) / (CARDS - 1)
    yield "cards dealt", Tally(_counts(came, CARDS), (mean,) * CARDS, (variance,) * CARDS, CARDS - 1)


def _counts(came: Counter[int], cells: int) -> tuple[int, ...]:
    return tuple(came[at] for at in range(cells))


def drawn_on(day: date) -> dict[str, Tally]:
    """All that the tables drew for the rounds settled on this day, and for the packs retired on it."""
    since, until = midnight(day), midnight(day + DAY)
    thrown: defaultdict[bool, defaultdict[int, list[tuple[int, ...]]]] = defaultdict(lambda: defaultdict(list))
    throws = SealedThrow.objects.filter(
        log__settled_at__gte=since, log__settled_at__lt=until, opened__isnull=False
    ).order_by("log__table", "log__number", "number")
    found: Any
    for table, found in throws.values_list("log__table", "opened"):
        thrown[len(found["values"]) == BALL.count][table].append(tuple(found["values"]))
    number = {str(card): at for at, card in enumerate(pack(1))}
    orders, dealt = [], []
    retired = Shoe.objects.filter(retired_at__gte=since, retired_at__lt=until, opened__isnull=False)
    opened = retired.values_list("opened", "decks", "seed__revealed")
    for found, decks, revealed in opened:
        if "seed" in found:
            key = proof_format.key(found["seed"], [link for _who, link in revealed or ()])
            orders.append([number[str(card)] for card in proof_format.pack_of(key, decks)])
        elif "order" in found:
            orders.append([number[card] for card in found["order"]])
        elif "cards" in found:
            dealt.append([number[card] for _salt, card in found["cards"]])
    balls = [[ball for (ball,) in one] for one in thrown[True].values()]
    return dict([
        *of_balls(balls), *of_dice(thrown[False].values()), *of_orders(orders), *of_dealt(dealt),
    ])  # fmt: skip


# ── What is kept of it ──────────────────────────────────────────────────────────────────────────────────────


def tallies_of(row: ChanceDay) -> dict[str, Tally]:
    return {
        name: Tally(tuple(one["came"]), tuple(one["means"]), tuple(one["variances"]), one["degrees"])
        for name, one in row.tallies.items()
    }


def _stored(tallies: Mapping[str, Tally]) -> JsonObject:
    return {
        name: {"came": [*one.came], "means": [*one.means], "variances": [*one.variances], "degrees": one.degrees}
        for name, one in tallies.items()
    }


@dataclass(frozen=True, slots=True)
class WatchedDay:
    """What was found of one day, alone and with the days before it."""

    day: date
    tallies: Mapping[str, Tally]
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        return not any(finding.refused for finding in self.findings)


def watched(day: date) -> WatchedDay:
    """Raises ChanceDay.DoesNotExist if nobody has looked at this day."""
    rows = ChanceDay.objects.filter(day__gt=day - WINDOW * DAY, day__lte=day).order_by("day")
    by_day = {row.day: tallies_of(row) for row in rows}
    if day not in by_day:
        raise ChanceDay.DoesNotExist
    return _watched_day(day, by_day)


def _watched_day(day: date, by_day: Mapping[date, Mapping[str, Tally]]) -> WatchedDay:
    """Of this day and those of the window before it that are given."""
    alone = by_day[day]
    window = [by_day[each] for each in sorted(by_day) if day - WINDOW * DAY < each <= day]
    found = [("the day", name, one.p) for name, one in alone.items()]
    if len(window) > 1:
        together = {name: reduce(add, (each[name] for each in window)) for name in alone}
        found += [("the month", name, one.p) for name, one in together.items()]
    return WatchedDay(day, alone, corrected([(span, name, p) for span, name, p in found if p is not None]))


def last_days(most: int = WINDOW) -> list[WatchedDay]:
    """The days that were looked at last, newest first."""
    rows = ChanceDay.objects.order_by("-day")[: most + WINDOW]
    by_day = {row.day: tallies_of(row) for row in rows}
    return [_watched_day(day, by_day) for day in sorted(by_day, reverse=True)[:most]]


def look(*, clock: Clock = DATABASE_CLOCK, most: int = 1) -> int:
    """Look at days that are over, oldest first, at most so many; says how many. What is far from chance is alerted.
    Several processes may do so at once."""
    now = clock.now()
    last = macau_date(now - SETTLING) - DAY
    if last in _watched:
        return 0
    done = 0
    for day in _days_unwatched(last)[:most]:
        with unit_of_work(slow=True):
            row = ChanceDay(day=day, tallies=_stored(drawn_on(day)))
            ChanceDay.objects.bulk_create([row], ignore_conflicts=True)
            refused = [each for each in watched(day).findings if each.refused]
            if refused:
                about = {"day": day.isoformat(), "tests": sorted({each.name for each in refused})}
                alerts.raise_alert(Alert.Kind.CHANCE, f"{Alert.Kind.CHANCE}:{day}", at=now, about=about)
        done += 1
    if done < most:
        _watched.add(last)
    return done


def _days_unwatched(last: date) -> list[date]:
    """The days up to the last one that nobody has looked at, from the first on which a round was settled."""
    began = RoundLog.objects.filter(settled_at__isnull=False).aggregate(first=Min("settled_at"))["first"]
    if began is None:
        return []
    first = macau_date(began)
    known = set(ChanceDay.objects.filter(day__gte=first).values_list("day", flat=True))
    days = (first + n * DAY for n in range((last - first).days + 1))
    return [day for day in days if day not in known]
