"""Which chips an action moves: from the round before and after it to postings of the ledger. Pure.

Stake: player → escrow. Whenever the house pays, in mid-round or at the end: escrow → float for what is lost, escrow →
player and float → player for what is won, float → house for the commission, escrow → jackpot for what a stake adds to
it, jackpot → player for its prizes. Void: escrow → player, and player → float for a prize that is taken back. The keys
name log, line and bet, or log, bet and payment: each is used once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tables.games.contract.actions import HOUSE, Action, GiveBack, Move, PlaceBet, Refund, Withdraw
from tables.games.contract.round import Payout, Round
from tables.models.bettors import player_of

from . import wallet
from .wallet import Holder, Posting, Reason


def postings_of(
    log_id: int, table_id: int, seq: int, before: Round, action: Action, after: Round, *, jackpot_id: int | None = None,
    house: Holder = wallet.HOUSE,
) -> list[Posting]:  # fmt: skip
    """The postings of line `seq` of the log: `action`, which led from `before` to `after`.

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
) -> Iterator[Posting]:
    """What was laid down or taken back: how what is held for each bet changed, but for what was decided of it."""
    house = action.by == HOUSE
    who = None if house else action.by
    held, holds = before.in_escrow(who), after.in_escrow(who)
    if isinstance(action, Withdraw | Move) and len(before.stakes()) - len(after.stakes()) != len(held) - len(holds):
        who = None  # others' stakes went with it
        held, holds = before.in_escrow(), after.in_escrow()
    if held == holds and not paid:
        return
    decided: dict[str, int] = {}
    for payout in paid:
        decided[payout.bet] = decided.get(payout.bet, 0) + payout.stake - payout.carried
    escrow = wallet.escrow(table_id)
    owners: dict[str, str] = {}
    other = [bet for bet, cents in held.items() if bet in decided or holds.get(bet) != cents]
    new = [bet for bet in holds if bet not in held]
    for bet in dict.fromkeys((*other, *new, *decided)):
        delta = holds.get(bet, 0) - held.get(bet, 0) + decided.get(bet, 0)
        if not delta:
            continue
        assert who or delta < 0, f"{action.do} lays down something for bet {bet}, which its bettor has not asked for"
        if not who and not owners:
            owners = {stake.bet: stake.by for stake in before.stakes()}
        bettor = wallet.player(player_of(who or owners[bet]))
        if delta > 0:
            reason = Reason.STAKE if isinstance(action, PlaceBet) else Reason.MORE
            yield Posting(f"stake:{log_id}:{seq}:{bet}", bettor, escrow, delta, reason, action.by, bet)
        else:
            back = Reason.TRIM if house else Reason.WITHDRAW
            reason = Reason.GIVEN_BACK if isinstance(action, GiveBack) else back
            yield Posting(f"{back}:{log_id}:{seq}:{bet}", escrow, bettor, -delta, reason, action.by, bet)


def _paid(
    log_id: int, table_id: int, jackpot_id: int | None, house: Holder, action: Action, earlier: Sequence[Payout],
    paid: Sequence[Payout], is_void: bool,
) -> Iterator[Posting]:  # fmt: skip
    """Each payment happens once, and what is carried stays where it lies."""
    if not paid:
        return
    escrow, float_ = wallet.escrow(table_id), wallet.float_of(table_id)
    jackpot = None if jackpot_id is None else wallet.jackpot(jackpot_id)
    parts = Counter(payout.bet for payout in earlier)
    refunds = isinstance(action, Refund)
    for payout in paid:
        parts[payout.bet] += 1
        part = f"/{parts[payout.bet]}" if parts[payout.bet] > 1 else ""
        bettor = wallet.player(player_of(payout.by))
        assert is_void or payout.returned >= 0, f"bet {payout.bet}: only a void round takes back what was paid"
        assert jackpot is not None or not payout.pooled, f"bet {payout.bet}: this table has no jackpot"
        returned, reversed_ = (payout.returned, 0) if payout.returned >= 0 else (0, -payout.returned)
        into, out = (payout.pooled, 0) if payout.pooled >= 0 else (0, -payout.pooled)
        lying = payout.stake - payout.carried
        back = lying if lying < returned else returned
        legs = (
            (Reason.BACK, escrow, bettor, back),
            (Reason.POOL, escrow, jackpot or float_, into),
            (Reason.LOST, escrow, float_, lying - back - into),
            (Reason.JACKPOT, jackpot or float_, bettor, out),
            (Reason.REFUND if refunds else Reason.PRIZE, float_, bettor, returned - back - out),
            (Reason.COMMISSION, float_, house, payout.commission),
            (Reason.REVERSED, bettor, float_, reversed_),
        )
        for leg, debit, credit, amount in legs:
            if amount:
                key = f"settle:{log_id}:{payout.bet}{part}:{leg}"
                reason = Reason.VOID if is_void and leg not in (Reason.REVERSED, Reason.POOL) else leg
                if refunds and leg is Reason.JACKPOT:
                    reason = Reason.REFUND
                yield Posting(key, debit, credit, amount, reason, action.by, payout.bet)
