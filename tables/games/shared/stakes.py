"""The chips on the layout: an immutable collection of stakes, oldest first, with running totals.

Thousands of stakes may lie on one table and each bet makes a new collection: one stake more copies what is small, and
every other change a few dictionaries (in C); none loops over them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from tables.games.contract.errors import Refused
from tables.games.contract.round import Payout, Stake
from tables.games.values.layered import Layered
from tables.games.values.quick import quickly_made
from tables.games.values.words import Note, say

Place = tuple[str, int | None]
"""A spot, everywhere (None) or in one box."""

_EMPTY: Mapping[str, int] = {}


def voided(layout: Stakes, returned: Note, stays: Note, *, carries: bool = True) -> tuple[Payout, ...]:
    """A void round gives back what was laid in it; what lay there from another stays, if the house `carries` any."""
    return tuple(
        Payout(stake.bet, stake.by, stake.spot, stake.amount, 0, stays, carried=stake.amount)
        if stake.carried and carries
        else Payout(stake.bet, stake.by, stake.spot, stake.amount, stake.amount, returned)
        for stake in layout
    )


def _places(stake: Stake) -> tuple[Place, ...]:
    """The places that a stake counts in: its spot, and its spot in its box."""
    return ((stake.spot, None),) if stake.box is None else ((stake.spot, None), (stake.spot, stake.box))


@quickly_made
@dataclass(frozen=True, slots=True)
class Stakes:
    """All stakes by bet id, oldest first; a stake that is moved counts as placed when it was moved."""

    _stakes: Layered[str, Stake]
    _on: dict[Place, dict[str, int]]  # place -> bettor -> cents
    _totals: dict[Place, int]  # place -> cents
    _bets: Layered[str, tuple[str, ...]]  # bettor -> bet ids, oldest first

    @classmethod
    def of(cls, stakes: Iterable[Stake]) -> Stakes:
        """The collection of these stakes, given oldest first."""
        here = cls(Layered({}), {}, {}, Layered({}))
        for stake in stakes:
            here._lay(stake)
        return here

    def __iter__(self) -> Iterator[Stake]:
        return iter(self._stakes.whole().values())

    def __reversed__(self) -> Iterator[Stake]:
        return reversed(self._stakes.whole().values())

    def __len__(self) -> int:
        return len(self._stakes)

    def __contains__(self, bet: str) -> bool:
        return bet in self._stakes

    def get(self, bet: str) -> Stake | None:
        """The stake of this bet, if it lies on the layout."""
        return self._stakes.get(bet)

    def own(self, who: str, bet: str) -> Stake:
        """The bettor's own stake of this id. Raises Refused."""
        stake = self._stakes.get(bet)
        if stake is None or stake.by != who:
            raise Refused("", say("You have no such stake on the layout"))
        return stake

    def of_bettor(self, who: str) -> tuple[Stake, ...]:
        """One bettor's stakes, oldest first."""
        return self._stakes.of(self._bets.get(who, ()))

    def bettors(self) -> Iterable[str]:
        """Everybody with a stake."""
        return self._bets.whole().keys()

    def total(self, spot: str, box: int | None = None) -> int:
        """Cents on a spot, everybody's; in one box, or in all boxes and the common area together."""
        return self._totals.get((spot, box), 0)

    def on(self, spot: str, box: int | None = None) -> Mapping[str, int]:
        """Cents on a spot by bettor, in the order in which they first bet there."""
        return self._on.get((spot, box), _EMPTY)

    def staked(self, who: str, spot: str, box: int | None = None) -> int:
        """Cents that one bettor has on one spot."""
        return self._on.get((spot, box), _EMPTY).get(who, 0)

    def find(self, who: str, spot: str, box: int | None) -> Stake | None:
        """One bettor's oldest stake on one spot of one box."""
        for stake in self.of_bettor(who):
            if stake.spot == spot and stake.box == box:
                return stake
        return None

    # ── Changes: each gives the next collection ──

    def placed(self, stake: Stake) -> Stakes:
        """With one more stake, the newest."""
        assert stake.bet not in self._stakes, f"bet {stake.bet} lies there already"
        on, totals = self._on.copy(), self._totals.copy()
        who, amount = stake.by, stake.amount
        for place in _places(stake):
            there = on.get(place, _EMPTY)
            on[place] = {**there, who: there.get(who, 0) + amount}
            totals[place] = totals.get(place, 0) + amount
        bets = self._bets.having(who, (*self._bets.get(who, ()), stake.bet))
        return Stakes(self._stakes.having(stake.bet, stake), on, totals, bets)

    def added(self, stake: Stake) -> Stakes:
        """With so much more where its bettor has a stake already, under the id of that; else with one stake more."""
        lying = self.find(stake.by, stake.spot, stake.box)
        return self.placed(stake) if lying is None else self.changed(lying.bet, lying.amount + stake.amount)

    def without(self, *bets: str) -> Stakes:
        """Without these stakes."""
        after = self._copied(*(self._stakes[bet] for bet in bets))
        for bet in bets:
            after._take(bet)
        return after

    def changed(self, bet: str, amount: int) -> Stakes:
        """With one stake at `amount` cents, as old as it was; at none it is gone."""
        if not amount:
            return self.without(bet)
        old = self._stakes[bet]
        after = self._copied(old)
        after._stakes.whole()[bet] = replace(old, amount=amount)
        for place in _places(old):
            after._totals[place] += amount - old.amount
            after._on[place][old.by] += amount - old.amount
        return after

    def moved(self, bet: str, spot: str, box: int | None) -> Stakes:
        """With one stake on another spot or in another box, now the newest."""
        stake = self._stakes[bet]
        moved = replace(stake, spot=spot, box=box)
        after = self._copied(stake, moved)
        after._take(bet)
        after._lay(moved)
        return after

    # ── Only on a collection that nobody has seen yet ──

    def _copied(self, *touched: Stake) -> Stakes:
        """A copy whose entries for the places of these stakes may be written to."""
        on = self._on.copy()
        for place in {place for stake in touched for place in _places(stake)}:
            on[place] = on.get(place, {}).copy()
        return Stakes(Layered(self._stakes.whole().copy()), on, self._totals.copy(), Layered(self._bets.whole().copy()))

    def _lay(self, stake: Stake) -> None:
        self._stakes.whole()[stake.bet] = stake
        for place in _places(stake):
            on = self._on.setdefault(place, {})
            on[stake.by] = on.get(stake.by, 0) + stake.amount
            self._totals[place] = self._totals.get(place, 0) + stake.amount
        bets = self._bets.whole()
        bets[stake.by] = (*bets.get(stake.by, ()), stake.bet)

    def _take(self, bet: str) -> None:
        stake = self._stakes.whole().pop(bet)
        for place in _places(stake):
            on = self._on[place]
            on[stake.by] -= stake.amount
            if not on[stake.by]:
                del on[stake.by]
            self._totals[place] -= stake.amount
        bets = self._bets.whole()
        left = tuple(other for other in bets[stake.by] if other != bet)
        if left:
            bets[stake.by] = left
        else:
            del bets[stake.by]
