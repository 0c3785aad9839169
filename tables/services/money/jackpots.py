"""What the house owes to a progressive jackpot: it is opened with something in it, and never stands empty.

A round takes of it what its own rules say, reckoned from its own opening. Where that is all there is, or more (another
table of the same jackpot has taken its prizes meanwhile), the house lays down what is lacking and the minimum with
it, in the same posting (art. 10(8) of 61/2004; docs/money.md).
"""

from __future__ import annotations

from collections.abc import Iterable

from tables.games import GAMES
from tables.games.contract.actions import HOUSE
from tables.games.contract.errors import OptionError
from tables.games.contract.game import PoolRules
from tables.games.shared.options import read_options
from tables.games.values.words import say
from tables.models import Account, Jackpot, RoundLog, Table

from . import wallet
from .wallet import Holder, Posting, Reason


def rules_of(on: Table | RoundLog) -> PoolRules | None:
    """The rules by which this table, or this round, feeds its jackpot; None if its game has none."""
    game = GAMES[on.game]
    return game.pool(read_options(game.options, on.options))


def check_link(jackpot: Jackpot, rules: PoolRules, *, besides: Table | None = None) -> None:
    """Raise OptionError unless a table with these rules agrees with all (`besides` itself) linked to this jackpot."""
    for table in jackpot.tables.all():
        if table != besides and rules_of(table) != rules:
            raise OptionError(
                say(
                    "the jackpot %(jackpot)s is fed and paid under other rules at %(table)s",
                    jackpot=jackpot.slug,
                    table=table.slug,
                )
            )


def taken(postings: Iterable[Posting]) -> bool:
    """Whether these postings take anything out of a jackpot."""
    return any(posting.debit[0] == Account.Kind.JACKPOT for posting in postings)


def reset_of(log: RoundLog, seq: int, postings: Iterable[Posting], pool: int, house: Holder) -> list[Posting]:
    """What the `house` lays down after these postings of line `seq`, with `pool` cents in the jackpot before them."""
    postings = list(postings)
    if not taken(postings):
        return []
    rules = rules_of(log)
    assert rules is not None and log.jackpot_id is not None, f"{log} takes out of a jackpot, and has none"
    jackpot = wallet.jackpot(log.jackpot_id)
    left = pool + sum(
        (posting.credit == jackpot) * posting.amount - (posting.debit == jackpot) * posting.amount
        for posting in postings
    )
    if left > 0 or left == rules.minimum:
        return []
    return [Posting(f"reset:{log.pk}:{seq}", house, jackpot, rules.minimum - left, Reason.RESET, HOUSE)]
