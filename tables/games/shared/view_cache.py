"""What many viewers ask of one round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar, cast

from tables.games.contract.round import Payout

V = TypeVar("V")


@dataclass(slots=True)
class ViewCache:
    """What many viewers ask of one round: worked out when the first of them does."""

    _public: object = None
    _paid: Mapping[str, tuple[Payout, ...]] | None = None

    def public(self, work_out: Callable[[], V]) -> V:
        """The view of a mere spectator."""
        if self._public is None:
            self._public = work_out()
        return cast(V, self._public)

    def paid_to(self, who: str, payouts: Iterable[Payout]) -> tuple[Payout, ...]:
        """One bettor's of these payouts, which are the round's."""
        if self._paid is None:
            paid = defaultdict(list)
            for payout in payouts:
                paid[payout.by].append(payout)
            self._paid = {bettor: tuple(own) for bettor, own in paid.items()}
        return self._paid.get(who, ())
