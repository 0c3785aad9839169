"""What staff do not see yet: whatever was laid in a round that is being played, in a game where a raise is private.

Who has raised is known to that bettor alone until the round is over. A balance, a movement or a sum of the day would
tell, so all of it is shown to staff as it stood before such a round.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db.models import BigIntegerField, F, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from tables.games import GAMES
from tables.models import Account, RoundLog, Transfer


def undecided_rounds() -> QuerySet[RoundLog]:
    """The rounds that are being played in games with private hands."""
    private = [slug for slug, game in GAMES.items() if game.private_hands]
    return RoundLog.objects.filter(game__in=private, settled_at__isnull=True)


def unseen() -> QuerySet[Transfer]:
    """The transfers that belong to such a round."""
    return Transfer.objects.filter(log__in=undecided_rounds())


def with_shown_balance(accounts: QuerySet[Account]) -> QuerySet[Account]:
    """These accounts, each with `shown`: its balance in cents without those transfers."""

    def moved(side: str) -> Coalesce:
        sums = unseen().filter(**{side: OuterRef("pk")}).order_by().values(side).annotate(cents=Sum("amount"))
        return Coalesce(Subquery(sums.values("cents"), output_field=BigIntegerField()), 0)

    return accounts.annotate(shown=F("balance") + moved("debit") - moved("credit"))


def shown_balances(players: Collection[int]) -> Mapping[int, int]:
    """Player -> the balance that staff see, in cents."""
    found = with_shown_balance(Account.objects.filter(player__in=players))
    return {account.player_id: account.shown for account in found}  # type: ignore[attr-defined, misc]
