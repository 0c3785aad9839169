"""What a round owes against what its transfers paid, for the audit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.db.models import Max, Q

from tables.games.contract.round import Round
from tables.models import Account, RoundLog, Transfer
from tables.models.bettors import player_of
from tables.services.money.wallet import Reason


def of_round(log: RoundLog, round_: Round, carried: dict[str, int]) -> Iterator[str]:
    """What each bettor got back is what the rules say, whichever way the postings were cut; and all that was laid down
    for a bet is decided."""
    owed: Counter[int] = Counter()
    decided: Counter[str] = Counter()
    for payout in round_.payouts():
        owed[player_of(payout.by)] += payout.returned
        decided[payout.bet] += payout.stake
    paid: Counter[int] = Counter()
    laid = Counter(carried)
    moved = Transfer.objects.filter(log=log).exclude(reason__in=(Reason.FORGIVEN, Reason.RESET))
    for bet, key, debit, credit, amount in moved.values_list(
        "bet", "key", "debit__player_id", "credit__player_id", "amount"
    ):
        sign = (credit is not None) - (debit is not None)
        if key.startswith("settle:"):
            paid[credit or debit or 0] += sign * amount
        else:
            laid[bet] -= sign * amount
    del paid[0]  # what moved between layout, float and house
    if +owed != +paid:
        yield f"round {log.pk} owes {dict(+owed)} and paid {dict(+paid)}"
    for bet in sorted(laid.keys() | decided.keys()):
        if laid[bet] != decided[bet]:
            yield f"round {log.pk}: {laid[bet]} was laid down for bet {bet}, and {decided[bet]} of it decided"


def forgiven(log: RoundLog, round_: Round) -> Iterator[str]:
    """The house forgives only in a void round, from the float of its table, and just what somebody lacked who had
    spent a prize that was taken back: then nothing was left in their wallet."""
    moved = Transfer.objects.filter(log=log)
    forgiven = list(moved.filter(reason=Reason.FORGIVEN).select_related("debit", "credit"))
    if not forgiven:
        return
    last = moved.aggregate(last=Max("pk"))["last"]
    taken_back = set(moved.filter(reason=Reason.REVERSED).values_list("debit_id", flat=True))
    for given in forgiven:
        who = given.credit
        wallet = Transfer.objects.filter(pk__lte=last).filter(Q(debit=who) | Q(credit=who))
        left = sum(amount if credit == who.pk else -amount for credit, amount in wallet.values_list("credit", "amount"))
        if (
            not round_.is_void
            or who.pk not in taken_back
            or (given.debit.kind, given.debit.table_id) != (Account.Kind.FLOAT, log.table_id)
            or left
        ):
            yield f"round {log.pk}: {given.key} forgave {given.amount} to {who}, who did not lack it"
