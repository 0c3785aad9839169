"""How much and how fast clients may speak: one bucket for all sockets of a player, one for all guests of an address.

It holds in each process; what it holds over all of them is in `tables.services.rounds.budget`.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

BETS_PER_MESSAGE = 10
"""So many bets of one message count as another message."""

MAX_BUCKETS = 5_000
"""When there are more buckets than this, those that are full again are forgotten."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many messages may come at once, and how fast they may go on."""

    burst: int
    per_s: float


PLAYER = Allowance(burst=30, per_s=12.0)
"""Of one player, or one screen of a kiosk."""

ADDRESS = Allowance(burst=300, per_s=60.0)
"""Of all together who have no account and come from one address: a whole office may share one."""


class Bucket:
    """A token bucket."""

    def __init__(self, allowance: Allowance = PLAYER) -> None:
        self._allowance = allowance
        self._tokens, self._at = float(allowance.burst), monotonic()

    @property
    def is_full(self) -> bool:
        """Whether nothing has been taken for a while."""
        self._fill()
        return self._tokens >= self._allowance.burst

    def take(self) -> bool:
        """Whether one more message is allowed now; then it is counted."""
        self._fill()
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def charge(self, bets: int) -> None:
        """What held so many bets counts for more than one message: the next ones wait for it."""
        self._tokens -= bets / BETS_PER_MESSAGE

    def _fill(self) -> None:
        now = monotonic()
        self._tokens = min(float(self._allowance.burst), self._tokens + (now - self._at) * self._allowance.per_s)
        self._at = now


class Share:
    """The buckets that a socket takes from: its player's, and that of its address if they have no account."""

    def __init__(self, *buckets: Bucket) -> None:
        self._buckets = buckets

    def take(self) -> bool:
        """Whether one more message is allowed now."""
        return all(bucket.take() for bucket in self._buckets)

    def charge(self, bets: int) -> None:
        """What held so many bets counts for more than one message."""
        for bucket in self._buckets:
            bucket.charge(bets)


class Buckets:
    """The buckets of this process. They outlive the sockets: who comes back finds theirs as they left it."""

    def __init__(self) -> None:
        self._kept: dict[str, Bucket] = {}

    def share_of(self, player: int | None, address: str, *, guest: bool) -> Share:
        """What a socket of this player (None: somebody who only looks) from this address takes from."""
        own = [] if player is None else [self._bucket(f"player {player}", PLAYER)]
        together = [self._bucket(f"address {address}", ADDRESS)] if guest or player is None else []
        return Share(*own, *together)

    def _bucket(self, key: str, allowance: Allowance) -> Bucket:
        if key not in self._kept:
            if len(self._kept) >= MAX_BUCKETS:
                self._kept = {key: bucket for key, bucket in self._kept.items() if not bucket.is_full}
            self._kept[key] = Bucket(allowance)
        return self._kept[key]

    def clear(self) -> None:
        """Forget all of them."""
        self._kept.clear()


buckets = Buckets()
