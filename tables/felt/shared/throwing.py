"""What games that throw tell alike: how a round with many stakes ended."""

from __future__ import annotations

from collections.abc import Iterator

from tables.games.contract.view import View
from tables.games.values.words import Amount, Note, say


def settled(before: View, after: View) -> list[Note]:
    """What was paid and collected; of the viewer's own stakes with the amount."""
    return list(dict.fromkeys(_paid(after))) or [Note("", say("The round is settled"))]


def _paid(after: View) -> Iterator[Note]:
    assert after.mine is not None
    for payout in after.mine.payouts:
        if payout.carried:
            words = say("%(why)s. %(stake)s stays", why=payout.why.words, stake=Amount(payout.carried))
        else:
            words = say(
                "%(why)s. You staked %(stake)s, %(returned)s comes back",
                why=payout.why.words, stake=Amount(payout.stake), returned=Amount(payout.returned),
            )  # fmt: skip
        yield Note(payout.why.article, words)
