"""The reviews that players have asked for: those that wait, those of a round, and answers that nobody has read yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import F, OuterRef, QuerySet, Subquery

from tables.models import Adjustment, Played, Player, Review, RoundLog

_NAMED = ("log__table", "player", "taken_by", "decided_by", "adjustment__requested_by")


def open_reviews() -> QuerySet[Review]:
    """Those that wait for an answer, the oldest first. Every list and every count of the pit is this one."""
    return Review.objects.filter(outcome__isnull=True).order_by("asked_at", "pk")


def unanswered_reviews() -> QuerySet[Review]:
    """Those that wait for the pit, and not for the second person of an adjustment that would settle them."""
    return open_reviews().exclude(adjustment__state=Adjustment.State.REQUESTED)


def all_reviews_of(log: RoundLog) -> QuerySet[Review]:
    """What players have asked about this round, the oldest first."""
    return Review.objects.filter(log=log).select_related(*_NAMED).order_by("pk")


def ruled_reviews() -> QuerySet[Review]:
    """Those that were answered, the newest first."""
    return Review.objects.filter(outcome__isnull=False).order_by("-decided_at", "-pk")


def listed(reviews: QuerySet[Review]) -> QuerySet[Review]:
    """The same with what a list of the pit shows of each: names, and `staked`, what the player staked (cents)."""
    staked = Played.objects.filter(log=OuterRef("log"), player=OuterRef("player")).values("staked")
    return reviews.select_related(*_NAMED).annotate(staked=Subquery(staked))


def reviews_of(log: RoundLog, player: Player) -> list[Review]:
    """What this player has asked about this round, the newest first."""
    return list(Review.objects.filter(log=log, player=player).select_related("adjustment").order_by("-pk"))


def newest_of(player: Player, logs: Iterable[int]) -> Mapping[int, Review]:
    """Round -> the newest review that this player has asked for of it, if any."""
    return {one.log_id: one for one in Review.objects.filter(player=player, log_id__in=list(logs)).order_by("pk")}


def unread_of(player: Player) -> list[Review]:
    """Answers that this player has not seen yet, the oldest first."""
    found = Review.objects.filter(player=player, outcome__isnull=False, told_at__isnull=True)
    return list(found.select_related("log__table").order_by(F("decided_at").asc(), "pk"))


def waits_for_second(review: Review) -> bool:
    """Whether an adjustment that would settle it waits for a second person."""
    asked = review.adjustment
    return review.outcome is None and asked is not None and asked.state == Adjustment.State.REQUESTED
