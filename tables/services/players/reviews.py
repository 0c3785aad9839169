"""A dispute begins with the player: they ask the pit to look at a round of theirs again, and read its answer there."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q

from tables.base import security
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.words import say
from tables.models import Alert, Event, Played, Player, Realm, Review, RoundLog
from tables.services.journal import alerts, events

from .chat import cleaned
from .restrictions import staff_do_not_play

OPEN_FOR = timedelta(days=7)
"""So long after a round was settled a review of it may be asked for."""

LONGEST = 500
"""Characters of what the player says of it."""

MOST_A_DAY, MOST_OF_A_NETWORK, A_DAY = 10, 50, timedelta(hours=24)
"""So many one player, and the guests of one network together, may ask for in so much time."""


def ask(player: int, log: int, reason: str, words: str, *, clock: Clock = DATABASE_CLOCK) -> Review:
    """Ask for a review of a round in which this player had a stake. Raises Refused, and RoundLog.DoesNotExist."""
    if reason not in Review.Reason.values:
        raise Refused("", say("Choose what it is about."))
    words = cleaned(words, LONGEST)
    with unit_of_work():
        asker = Player.objects.select_for_update(no_key=True).get(pk=player)  # what they ask for is counted under it
        about = RoundLog.objects.select_related("table").get(pk=log)
        now = clock.now()
        if (why := why_not(asker, about, now)) is not None:
            raise why
        review = Review.objects.create(log=about, player=asker, reason=reason, words=words, asked_at=now)
        alerts.raise_alert(
            Alert.Kind.REVIEW, review.alert_key, at=now, table=about.table_id, log=about.pk,
            about={"review": review.pk, "round": about.number, "who": str(asker)},
        )  # fmt: skip
        events.record(
            Event.Kind.REVIEW_ASKED, by=asker.pk, table=about.table_id, log=about.pk, player=asker.pk, why=words,
            after={"review": review.pk, "reason": reason}, clock=clock,
        )  # fmt: skip
        return review


def why_not(asker: Player, log: RoundLog, now: datetime) -> Refused | None:
    """Why this player may not ask for a review of this round now; None if they may."""
    if asker.role:
        return staff_do_not_play()
    if log.table.realm != Realm.FLOOR:
        return Refused("", say("Rounds with demo credits are not reviewed."))
    if log.settled_at is None:
        return Refused("", say("This round is still being played."))
    if not Played.objects.filter(log=log, player=asker).exists():
        return Refused("", say("You had no stake in this round."))
    if now - log.settled_at >= OPEN_FOR:
        return Refused("", say("A review can be asked for within %(days)s days of the round.", days=OPEN_FOR.days))
    if Review.objects.filter(log=log, player=asker, outcome__isnull=True).exists():
        return Refused("", say("You have asked for a review of this round already. The pit has not answered yet."))
    return _too_many(asker, now)


def _too_many(asker: Player, now: datetime) -> Refused | None:
    lately = Review.objects.filter(asked_at__gt=now - A_DAY)
    if lately.filter(player=asker).count() >= MOST_A_DAY:
        words = say("You have asked for %(most)s reviews within a day. Ask again later.", most=MOST_A_DAY)
    elif asker.origin and lately.filter(_neighbours(asker)).count() >= MOST_OF_A_NETWORK:
        words = say("The guests of your network have asked for very many reviews. Ask again later.")
    else:
        return None
    security.note("too many reviews", "limited", player=asker.pk)
    return Refused("", words)


def _neighbours(asker: Player) -> Q:
    return Q(player__guest=True, player__origin=asker.origin)


def read(player: Player, log: RoundLog, *, clock: Clock = DATABASE_CLOCK) -> None:
    """This player sees the answers of this round: no note tells of them any more."""
    unread = Review.objects.filter(log=log, player=player, outcome__isnull=False, told_at__isnull=True)
    if unread.exists():
        with unit_of_work():
            unread.update(told_at=clock.now())
