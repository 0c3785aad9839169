"""The pit's answer to a player who wants a round looked at again: it stands, or it is adjusted.

Nobody rules on what they have ruled in that round themselves, nor on a review of their own (ADR 28). An adjustment is
asked for and approved as any other (`adjustments`), which calls `propose` and `settle` here; the round never changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from django.db.models import Q

from tables.base import announce
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, demand, may
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.words import Words, say
from tables.models import Adjustment, ApprovalRequest, Event, Player, Review, Ruling
from tables.queries.reviews import waits_for_second
from tables.services.journal import alerts, events

from . import second_person

Outcome = Review.Outcome

LONGEST = 500
"""Characters of an answer."""


def take(by: Player, review_id: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Take it up: the player reads that the pit looks at it. Whoever else may can still rule on it. Raises Refused."""
    demand(by, Right.REVIEW)
    with unit_of_work():
        review = _waiting(review_id, by, clock)
        if review.taken_by_id is not None:
            raise Refused("", say("Somebody has taken it up already."))
        alerts.lock(review.alert_key)
        _take(review, by, clock.now())
        _record(Event.Kind.REVIEW_TAKEN, review, by, "", {}, clock)


def stand(by: Player, review_id: int, answer: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Rule that the round stands, and say why; the player reads it. Raises Refused."""
    demand(by, Right.REVIEW)
    answer = _checked(answer)
    with unit_of_work():
        review = _waiting(review_id, by, clock)
        review.adjustment = None  # one that was refused
        _rule(review, Outcome.STANDS, answer, by, by, clock)


def propose(by: Player, review_id: int, asked: Adjustment, *, clock: Clock) -> None:
    """An adjustment was asked for to settle this review: it waits for the second person. Its reason is what the player
    will read. In the transaction that asks for it. Raises Refused."""
    demand(by, Right.REVIEW)
    _checked(asked.why)
    review = _waiting(review_id, by, clock)
    if (review.player_id, review.log_id) != (asked.player_id, asked.log_id):
        raise Refused("", say("The review is of another round or another player."))
    review.adjustment = asked
    review.save(update_fields=["adjustment"])
    if review.taken_by_id is None:
        alerts.lock(review.alert_key)
        _take(review, by, clock.now())


def settle(by: Player, asked: Adjustment, *, clock: Clock) -> None:
    """`by` approves an adjustment: the review that it settles, if there is one, is answered by whoever asked for it.
    In the transaction that moves the credits. Raises Refused."""
    review = Review.objects.select_for_update(of=("self",)).filter(adjustment=asked, outcome__isnull=True).first()
    if review is not None:
        _check_impartial(review, by, clock.now())
        _rule(review, Outcome.ADJUSTED, asked.why.strip(), asked.requested_by, by, clock)


def why_not(by: Player, review: Review, now: datetime) -> Words | None:
    """Why this member may not rule on this review; None if they may."""
    if not may(by, Right.REVIEW):
        return say("Your role does not have this right.")
    reasons = (second_person.why_not(one, by, now, same) for one, same in _concerned(review))
    return next((why for why in reasons if why is not None), None)


def _waiting(review_id: int, by: Player, clock: Clock) -> Review:
    """A review that waits, locked, for somebody who may rule on it."""
    review = Review.objects.select_for_update(of=("self",)).get(pk=review_id)
    if review.outcome is not None:
        raise Refused("", say("This review is answered already."))
    if waits_for_second(review):
        raise Refused("", say("An adjustment for it waits for a second person already."))
    _check_impartial(review, by, clock.now())
    return review


def _check_impartial(review: Review, by: Player, now: datetime) -> None:
    """Raise Refused unless `by` and each of those concerned count as two persons (ADR 22)."""
    for one, same in _concerned(review):
        second_person.check(one, by, now, same)


def _concerned(review: Review) -> Iterator[tuple[Player, Words]]:
    """Who does not rule on this review, and what they are told: the player; whoever ruled on an irregularity of this
    round, or approved that it was void."""
    yield review.player, say("Nobody rules on a review of their own.")
    ruled = Ruling.objects.filter(log=review.log_id).values("by")
    approved = ApprovalRequest.objects.filter(log=review.log_id, state=ApprovalRequest.State.APPROVED)
    for one in Player.objects.filter(Q(pk__in=ruled) | Q(pk__in=approved.values("decided_by"))).order_by("pk"):
        yield one, say("You have ruled in this round. Somebody else must answer.")


def _checked(answer: str) -> str:
    answer = answer.strip()
    if not answer:
        raise Refused("", say("Write what the player is to read."))
    if len(answer) > LONGEST:
        raise Refused("", say("The answer has at most %(number)s characters.", number=LONGEST))
    return answer


def _take(review: Review, by: Player, at: datetime) -> None:
    review.taken_by, review.taken_at = by, at
    review.save(update_fields=["taken_by", "taken_at"])
    alerts.settle(review.alert_key, by, at)
    announce.pit_changed()


def _rule(review: Review, outcome: Outcome, answer: str, ruled_by: Player, by: Player, clock: Clock) -> None:
    """Write the answer of `ruled_by`; `by` does it now."""
    alerts.lock(review.alert_key)
    now = clock.now()
    review.outcome, review.answer, review.decided_at = outcome, answer, now
    review.decided_by, review.decided_as = ruled_by, ruled_by.role or by.role
    review.save(update_fields=["outcome", "answer", "decided_at", "decided_by", "decided_as", "adjustment"])
    alerts.settle(review.alert_key, by, now)
    announce.pit_changed()
    after = {"outcome": str(outcome), "adjustment": review.adjustment_id, "ruled by": ruled_by.pk}
    _record(Event.Kind.REVIEW_RULED, review, by, answer, after, clock)


def _record(kind: Event.Kind, review: Review, by: Player, why: str, after: Mapping[str, object], clock: Clock) -> None:
    events.record(
        kind, by=by.pk, table=review.log.table_id, log=review.log_id, player=review.player_id, why=why,
        after={"review": review.pk, **after}, clock=clock,
    )  # fmt: skip
