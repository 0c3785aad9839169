"""A player's rounds and movements, and the public record of a round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Sum

from tables.base.calendar import midnight
from tables.games.codec import action_from, opening_from
from tables.games.record import record_of
from tables.games.shared.options import read_options
from tables.models import Account, LoggedAction, Played, Player, RoundLog, Table, Transfer

from .archived import lines_of
from .discretion import unseen
from .folds import entries_of, game_of

# ── A player's history ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One round in which a player had a stake: cents debited and credited."""

    log_id: int
    table_id: int
    table: str
    game: str
    number: int
    settled_at: datetime | None
    void: bool
    result: Mapping[str, Any] | None
    staked: int
    returned: int

    @property
    def id(self) -> int:
        """By which a page says where it ends."""
        return self.log_id

    @property
    def net(self) -> int:
        """What the round brought the player; negative if it cost them."""
        return self.returned - self.staked


NEWEST_FIRST = ("-log__settled_at", "-log_id")
"""Rounds at several tables end in another order than they began."""


class Ended(StrEnum):
    """How a round ended for a player."""

    WON = "won"
    LOST = "lost"
    EVEN = "even"


_ENDED = {
    Ended.WON: Q(returned__gt=F("staked")),
    Ended.LOST: Q(returned__lt=F("staked")),
    Ended.EVEN: Q(returned=F("staked")),
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which of a player's rounds: of a game and a table by their slugs, settled from one day of Macau to another, ended
    so. What is not said is not asked for."""

    game: str = ""
    table: str = ""
    first: date | None = None
    last: date | None = None
    ended: Ended | None = None


ALL = Chosen()


@dataclass(frozen=True, slots=True)
class Sums:
    """Rounds, and the cents that they took from a player and gave back."""

    rounds: int
    staked: int
    returned: int

    @property
    def net(self) -> int:
        """What the rounds brought the player; negative if they cost them."""
        return self.returned - self.staked


def history_of(
    player: Player, chosen: Chosen = ALL, *, before: int | None = None, limit: int | None = 50
) -> list[HistoryLine]:
    """The rounds of a player, the one that was settled last first; `before` a round id for the next page."""
    played = _played(player, chosen).select_related("log__table").order_by(*NEWEST_FIRST)
    if before is not None:
        end = RoundLog.objects.filter(pk=before).values_list("settled_at", flat=True).first()
        earlier = Q(log__settled_at__lt=end) | Q(log__settled_at=end, log_id__lt=before)
        played = played.filter(earlier) if end is not None else played.none()
    return [
        HistoryLine(
            log_id=line.log_id,
            table_id=line.log.table_id,
            table=line.log.table.name,
            game=line.log.game,
            number=line.log.number,
            settled_at=line.log.settled_at,
            void=line.log.void,
            result=line.log.result,
            staked=line.staked,
            returned=line.returned,
        )
        for line in played[:limit]
    ]


def sums_of(player: Player, chosen: Chosen = ALL) -> Sums:
    """How many rounds of a player these are, and what they took and gave, in cents."""
    found = _played(player, chosen).aggregate(rounds=Count("pk"), staked=Sum("staked"), returned=Sum("returned"))
    return Sums(found["rounds"], found["staked"] or 0, found["returned"] or 0)


def tables_played(player: Player) -> list[Table]:
    """The tables at which a player has had a stake, as the floor has them."""
    return list(
        Table.objects.filter(pk__in=Played.objects.filter(player=player).values("log__table")).order_by(
            "position", "pk"
        )
    )


def _played(player: Player, chosen: Chosen) -> QuerySet[Played]:
    played = Played.objects.filter(player=player)
    if chosen.game:
        played = played.filter(log__game=chosen.game)
    if chosen.table:
        played = played.filter(log__table__slug=chosen.table)
    if chosen.first is not None:
        played = played.filter(log__settled_at__gte=midnight(chosen.first))
    if chosen.last is not None:
        played = played.filter(log__settled_at__lt=midnight(chosen.last + timedelta(days=1)))
    return played if chosen.ended is None else played.filter(_ENDED[chosen.ended])


def record_of_log(log: RoundLog) -> dict[str, Any]:
    """The public record of a stored round that is over."""
    game = game_of(log)
    actions = [action_from(game, data) for data, *_ in entries_of(log)]
    return record_of(game, read_options(game.options, log.options), opening_from(log.opening), actions)


TAKES_PART = ("bet", "sit")
"""What somebody does who takes part in a round."""


def took_part(log: RoundLog, player: Player) -> bool:
    """Whether the player had a stake or a seat in this round, and so may replay it."""
    opening = opening_from(log.opening)
    return (
        player.key in opening.seats
        or any(stake.by == player.key for stake in opening.carried)
        or _did_something(log, player)
    )


def _did_something(log: RoundLog, player: Player) -> bool:
    if log.archive_id is not None:
        return any(line.by == player.key for line in lines_of(log, *TAKES_PART))
    return LoggedAction.objects.filter(log=log, by=player.key, action__do__in=TAKES_PART).exists()


def ledger_of(log: RoundLog) -> list[Transfer]:
    """All that the ledger moved in this round, in its order, with the owners of both accounts."""
    owners = ("debit__player", "debit__table", "debit__jackpot", "credit__player", "credit__table", "credit__jackpot")
    return list(Transfer.objects.filter(log=log).select_related(*owners).order_by("pk"))


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One movement of a wallet, in cents; negative where credits left it. `log_id` if it belongs to a round."""

    id: int
    at: datetime
    reason: str
    amount: int
    log_id: int | None
    table: str
    number: int


def statement_of(
    player: Player, *, before: int | None = None, limit: int = 50, seen_by_staff: bool = False
) -> list[StatementLine]:
    """The movements of a player's wallet, newest first; `before` a movement's id for the next page. Staff do not see
    those of a round whose raises are private (`discretion`)."""
    found: list[StatementLine] = []
    account = Account.objects.filter(player=player).first()
    for side, sign in (("debit", -1), ("credit", 1)):  # two queries, so that each is answered from its own index
        moved = Transfer.objects.filter(**{side: account}).select_related("log__table").order_by("-pk")
        if before is not None:
            moved = moved.filter(pk__lt=before)
        if seen_by_staff:
            moved = moved.exclude(pk__in=unseen().values("pk"))
        found += [
            StatementLine(
                transfer.pk,
                transfer.at,
                transfer.reason,
                sign * transfer.amount,
                transfer.log_id,
                transfer.log.table.name if transfer.log is not None else "",
                transfer.log.number if transfer.log is not None else 0,
            )
            for transfer in moved[:limit]
        ]
    return sorted(found, key=lambda line: -line.id)[:limit]
