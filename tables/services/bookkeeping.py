"""Which chips an action moves: from the round before and after it to entries of the ledger. Pure.

Stake: player → escrow. Whenever the house pays, in mid-round or at the end: escrow → float for what is lost, escrow →
player and float → player for what is won, float → house for the commission, escrow → jackpot for what a stake adds to
it, jackpot → player for its prizes. Void: escrow → player, and player → float for a prize that is taken back. The keys
name log, line and bet, or log, bet and payment: each is used once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tables.games.protocol import HOUSE, Action, GiveBack, Payout, PlaceBet, Refund, Round

from . import wallet
from .wallet import Entry, Holder

MORE = "more"
"""Why chips leave a wallet once betting has closed: they are laid to a stake (a double, a split, insurance)."""

REVERSED = "reversed"
"""Why a prize goes back to the float: the round is void (R18)."""

REFUND = "refund"
"""Reason: a bettor left the table, so their carried stake returns from the jackpot and the float."""

GIVEN_BACK = "given-back"
"""Why somebody gets back a stake that was carried and lies in escrow: none is left any more, or the table closes."""

FORGIVEN = "forgiven"
"""Reason: the float makes up for a prize that is taken back but has been spent."""


def player_id(key: str) -> int:
    """The player behind a bettor's key."""
    assert key[:1] == "p", key
    return int(key[1:])


def entries_of(
    log_id: int, table_id: int, seq: int, before: Round, action: Action, after: Round, *, jackpot_id: int | None = None,
    house: Holder = wallet.HOUSE,
) -> list[Entry]:  # fmt: skip
    """The entries of line `seq` of the log: `action`, which led from `before` to `after`.

    `house` is that of the table's realm.
    """
    earlier, payouts = before.payouts(), after.payouts()
    assert payouts[: len(earlier)] == earlier, "what was paid stays paid"
    paid = payouts[len(earlier) :]
    assert not paid or action.by == HOUSE, f"{action.do} of {action.by} pays, which only the house does"
    return [
        *_laid(log_id, table_id, seq, before, action, after, paid),
        *_paid(log_id, table_id, jackpot_id, house, action, earlier, paid, after.is_void),
    ]


def _laid(
    log_id: int, table_id: int, seq: int, before: Round, action: Action, after: Round, paid: Sequence[Payout]
) -> Iterator[Entry]:
    """What was laid down or taken back: how what is held for each bet changed, but for what was decided of it."""
    who = None if action.by == HOUSE else action.by
    held, holds = before.held(who), after.held(who)
    decided: Counter[str] = Counter()
    for payout in paid:
        decided[payout.bet] += payout.stake - payout.carried
    if held == holds and not paid:
        return
    escrow = wallet.escrow(table_id)
    owners: dict[str, str] = {}
    for bet in dict.fromkeys((*held, *holds, *decided)):
        delta = holds.get(bet, 0) - held.get(bet, 0) + decided[bet]
        if not delta:
            continue
        assert who or delta < 0, f"{action.do}: the house lays down nothing for bet {bet}"
        if not who and not owners:
            owners = {stake.bet: stake.by for stake in before.stakes()}
        bettor = wallet.player(player_id(who or owners[bet]))
        if delta > 0:
            reason = "stake" if isinstance(action, PlaceBet) else MORE
            yield Entry(f"stake:{log_id}:{seq}:{bet}", bettor, escrow, delta, reason, action.by, bet)
        else:
            deed = "withdraw" if who else "trim"
            reason = GIVEN_BACK if isinstance(action, GiveBack) else deed
            yield Entry(f"{deed}:{log_id}:{seq}:{bet}", escrow, bettor, -delta, reason, action.by, bet)


def _paid(
    log_id: int, table_id: int, jackpot_id: int | None, house: Holder, action: Action, earlier: Sequence[Payout],
    paid: Sequence[Payout], is_void: bool,
) -> Iterator[Entry]:  # fmt: skip
    """Each payment happens once, and what is carried stays where it lies."""
    if not paid:
        return
    escrow, float_ = wallet.escrow(table_id), wallet.float_of(table_id)
    jackpot = None if jackpot_id is None else wallet.jackpot(jackpot_id)
    parts = Counter(payout.bet for payout in earlier)
    for payout in paid:
        parts[payout.bet] += 1
        part = f"/{parts[payout.bet]}" if parts[payout.bet] > 1 else ""
        bettor = wallet.player(player_id(payout.by))
        assert is_void or payout.returned >= 0, f"bet {payout.bet}: only a void round takes back what was paid"
        assert jackpot is not None or not payout.pooled, f"bet {payout.bet}: this table has no jackpot"
        lying = payout.stake - payout.carried
        back = min(lying, max(payout.returned, 0))
        into, out = max(payout.pooled, 0), max(-payout.pooled, 0)
        refunds = isinstance(action, Refund)
        legs = (
            ("back", escrow, bettor, back),
            ("pool", escrow, jackpot or float_, into),
            ("lost", escrow, float_, lying - back - into),
            ("jackpot", jackpot or float_, bettor, out),
            (REFUND if refunds else "prize", float_, bettor, max(payout.returned, 0) - back - out),
            ("commission", float_, house, payout.commission),
            (REVERSED, bettor, float_, max(-payout.returned, 0)),
        )
        for leg, debit, credit, amount in legs:
            if amount:
                key = f"settle:{log_id}:{payout.bet}{part}:{leg}"
                reason = "void" if is_void and leg not in (REVERSED, "pool") else leg
                if refunds and leg == "jackpot":
                    reason = REFUND
                yield Entry(key, debit, credit, amount, reason, action.by, payout.bet)
