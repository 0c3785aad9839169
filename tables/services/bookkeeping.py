"""Which chips an action moves: from the round before and after it to entries of the ledger. Pure.

Stake: player → escrow. Settlement: escrow → float for what is lost, escrow → player and float → player for what is
won, float → house for the commission. Void: escrow → player. The keys name log, line and bet: each is used once.
"""

from __future__ import annotations

from collections.abc import Iterator

from tables.games.protocol import HOUSE, Action, Round

from . import wallet
from .wallet import Entry


def player_id(key: str) -> int:
    """The player behind a bettor's key."""
    assert key[:1] == "p", key
    return int(key[1:])


def entries_of(log_id: int, table_id: int, seq: int, before: Round, action: Action, after: Round) -> list[Entry]:
    """The entries of line `seq` of the log: `action`, which led from `before` to `after`."""
    if after.over:
        return list(_settlement(log_id, table_id, before, action, after))
    return list(_stakes(log_id, table_id, seq, before, action, after))


def _stakes(log_id: int, table_id: int, seq: int, before: Round, action: Action, after: Round) -> Iterator[Entry]:
    """What was laid down or taken back: the difference between what was held for each bet and what is now."""
    who = None if action.by == HOUSE else action.by
    held, holds = before.held(who), after.held(who)
    if held == holds:
        return
    owners = {} if who else {stake.bet: stake.by for stake in before.stakes()}
    for bet in (*held, *(bet for bet in holds if bet not in held)):
        delta = holds.get(bet, 0) - held.get(bet, 0)
        bettor, escrow = (
            wallet.player(player_id(who or owners[bet])) if delta else None,
            wallet.escrow(table_id),
        )
        if bettor is None:
            continue
        key = f"{log_id}:{seq}:{bet}"
        if delta > 0:
            yield Entry(f"stake:{key}", bettor, escrow, delta, "stake", action.by, bet)
        else:
            reason = "withdraw" if who else "trim"
            yield Entry(f"{reason}:{key}", escrow, bettor, -delta, reason, action.by, bet)


def _settlement(log_id: int, table_id: int, before: Round, action: Action, after: Round) -> Iterator[Entry]:
    """Each bet ends once, and what is carried stays where it lies."""
    held = before.held()
    escrow, float_ = wallet.escrow(table_id), wallet.float_of(table_id)
    for payout in after.payouts():
        bettor = wallet.player(player_id(payout.by))
        lying = held.get(payout.bet, 0) - payout.carried
        back = min(lying, payout.returned)
        legs = (
            ("back", escrow, bettor, back),
            ("lost", escrow, float_, lying - back),
            ("prize", float_, bettor, payout.returned - back),
            ("commission", float_, wallet.HOUSE, payout.commission),
        )
        for leg, debit, credit, amount in legs:
            if amount:
                key = f"settle:{log_id}:{payout.bet}:{leg}"
                yield Entry(key, debit, credit, amount, "void" if after.is_void else leg, action.by, payout.bet)
