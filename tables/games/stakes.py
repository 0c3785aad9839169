"""The chips on the layout: an immutable collection of stakes, oldest first, with running totals.

Thousands of stakes may lie on one table and each bet makes a new collection, so every change copies a few
dictionaries (in C) and loops over nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from .protocol import Stake

_EMPTY: Mapping[str, int] = {}


@dataclass(frozen=True, slots=True)
class Stakes:
    """All stakes by bet id, oldest first; a stake that is moved counts as placed when it was moved."""

    _stakes: dict[str, Stake] = field(default_factory=dict)
    _on: dict[str, dict[str, int]] = field(default_factory=dict)  # spot -> bettor -> cents
    _totals: dict[str, int] = field(default_factory=dict)  # spot -> cents
    _bets: dict[str, tuple[str, ...]] = field(default_factory=dict)  # bettor -> bet ids, oldest first

    @classmethod
    def of(cls, stakes: Iterable[Stake]) -> Stakes:
        """The collection of these stakes, given oldest first."""
        here = cls()
        for stake in stakes:
            here._lay(stake)
        return here

    def __iter__(self) -> Iterator[Stake]:
        return iter(self._stakes.values())

    def __reversed__(self) -> Iterator[Stake]:
        return reversed(self._stakes.values())

    def __len__(self) -> int:
        return len(self._stakes)

    def __contains__(self, bet: str) -> bool:
        return bet in self._stakes

    def get(self, bet: str) -> Stake | None:
        """The stake of this bet, if it lies on the layout."""
        return self._stakes.get(bet)

    def of_bettor(self, who: str) -> tuple[Stake, ...]:
        """One bettor's stakes, oldest first."""
        return tuple(self._stakes[bet] for bet in self._bets.get(who, ()))

    def bettors(self) -> Iterable[str]:
        """Everybody with a stake."""
        return self._bets.keys()

    def total(self, spot: str) -> int:
        """Cents on a spot, everybody's."""
        return self._totals.get(spot, 0)

    def on(self, spot: str) -> Mapping[str, int]:
        """Cents on a spot by bettor, in the order in which they first bet there."""
        return self._on.get(spot, _EMPTY)

    def staked(self, who: str, spot: str) -> int:
        """Cents that one bettor has on one spot, box and common area together."""
        return self.on(spot).get(who, 0)

    # ── Changes: each gives the next collection ──

    def placed(self, stake: Stake) -> Stakes:
        """With one more stake, the newest."""
        assert stake.bet not in self._stakes, f"bet {stake.bet} lies there already"
        after = self._copied(stake.spot)
        after._lay(stake)
        return after

    def without(self, *bets: str) -> Stakes:
        """Without these stakes."""
        after = self._copied(*{self._stakes[bet].spot for bet in bets})
        for bet in bets:
            after._take(bet)
        return after

    def lowered(self, bet: str, amount: int) -> Stakes:
        """With one stake at `amount` cents, as old as it was; at none it is gone."""
        if not amount:
            return self.without(bet)
        old = self._stakes[bet]
        after = self._copied(old.spot)
        after._stakes[bet] = replace(old, amount=amount)
        after._totals[old.spot] += amount - old.amount
        after._on[old.spot][old.by] += amount - old.amount
        return after

    def moved(self, bet: str, spot: str) -> Stakes:
        """With one stake on another spot, now the newest."""
        stake = self._stakes[bet]
        after = self._copied(stake.spot, spot)
        after._take(bet)
        after._lay(replace(stake, spot=spot))
        return after

    # ── Only on a collection that nobody has seen yet ──

    def _copied(self, *spots: str) -> Stakes:
        """A copy whose entries for `spots` may be written to."""
        on = self._on.copy()
        for spot in spots:
            on[spot] = on.get(spot, {}).copy()
        return Stakes(self._stakes.copy(), on, self._totals.copy(), self._bets.copy())

    def _lay(self, stake: Stake) -> None:
        self._stakes[stake.bet] = stake
        on = self._on.setdefault(stake.spot, {})
        on[stake.by] = on.get(stake.by, 0) + stake.amount
        self._totals[stake.spot] = self._totals.get(stake.spot, 0) + stake.amount
        self._bets[stake.by] = (*self._bets.get(stake.by, ()), stake.bet)

    def _take(self, bet: str) -> None:
        stake = self._stakes.pop(bet)
        on = self._on[stake.spot]
        on[stake.by] -= stake.amount
        if not on[stake.by]:
            del on[stake.by]
        self._totals[stake.spot] -= stake.amount
        left = tuple(other for other in self._bets[stake.by] if other != bet)
        if left:
            self._bets[stake.by] = left
        else:
            del self._bets[stake.by]
