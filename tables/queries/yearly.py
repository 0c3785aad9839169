"""A player's statement of a year, summed up from the ledger: what they had, what came and went, what they had then."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import date

from django.db.models import BooleanField, ExpressionWrapper, Max, Min, Q, Sum
from django.db.models.functions import TruncMonth

from tables.base.calendar import MACAU, midnight
from tables.models import Account, Player, Transfer
from tables.models.ledger import LAID, TAKEN_BACK

Reason = Transfer.Reason

GIVEN = (Reason.WELCOME, Reason.TOP_UP)
"""Credits that a player was given when they came or had run out. What else comes outside of rounds is a comp or an
adjustment."""


@dataclass(slots=True)
class Month:
    """Cents of one month in Macau. `opening + given + comps + net = closing`, always."""

    first: date
    opening: int = 0
    given: int = 0
    comps: int = 0
    staked: int = 0
    returned: int = 0

    @property
    def net(self) -> int:
        """What rounds brought; negative for a loss."""
        return self.returned - self.staked

    @property
    def closing(self) -> int:
        """What there was at the end."""
        return self.opening + self.given + self.comps + self.net


@dataclass(frozen=True, slots=True)
class Statement:
    """A year of a player's wallet, month by month, and as a whole."""

    year: int
    months: list[Month]
    total: Month
    reasons: dict[str, int] = field(default_factory=dict)
    """Cents by the reason of the transfer, negative where credits left."""


def years_of(player: Player) -> list[int]:
    """The years in Macau in which this player's credits moved, the newest first."""
    ends: list[int] = []
    for side in ("debit", "credit"):
        found = Transfer.objects.filter(**{f"{side}__player": player}).aggregate(first=Min("at"), last=Max("at"))
        ends += [moment.astimezone(MACAU).year for moment in found.values() if moment is not None]
    return list(range(max(ends), min(ends) - 1, -1)) if ends else []


def statement_of_year(player: Player, year: int) -> Statement:
    """The statement of this year, of which months that have not begun are empty."""
    begins, ends = midnight(date(year, 1, 1)), midnight(date(year + 1, 1, 1))
    account = Account.objects.filter(player=player).first()
    opening = 0
    months = {number: Month(date(year, number, 1)) for number in range(1, 13)}
    reasons = Counter[str]()
    for side, sign in (("debit", -1), ("credit", 1)):  # two queries, so that each is answered from its own index
        moved = Transfer.objects.filter(**{side: account})
        opening += sign * (moved.filter(at__lt=begins).aggregate(cents=Sum("amount"))["cents"] or 0)
        of_months = moved.filter(at__gte=begins, at__lt=ends).annotate(
            month=TruncMonth("at", tzinfo=MACAU), outside=ExpressionWrapper(Q(log__isnull=True), BooleanField())
        )
        sums = of_months.order_by().values_list("month", "reason", "outside").annotate(cents=Sum("amount"))
        for month, reason, outside, cents in sums:
            _add(months[month.month], reason, sign * cents, outside=outside)
            reasons[reason] += sign * cents
    total = Month(date(year, 1, 1), opening)
    for one in months.values():
        one.opening = opening
        opening = one.closing
        for name in ("given", "comps", "staked", "returned"):
            setattr(total, name, getattr(total, name) + getattr(one, name))
    return Statement(year, list(months.values()), total, dict(reasons))


def _add(month: Month, reason: str, cents: int, *, outside: bool) -> None:
    """So much came to the wallet, or left it. Every transfer is in one of the four sums."""
    if outside and reason in GIVEN:
        month.given += cents
    elif outside:
        month.comps += cents
    elif reason in (*LAID, *TAKEN_BACK):
        month.staked -= cents
    else:
        month.returned += cents
