"""Who counts as a second person for whom. The database refuses the same (`tables.models.second_person`)."""

from __future__ import annotations

from datetime import datetime, timedelta

from tables.base import security
from tables.games.contract.errors import Refused
from tables.games.values.words import Words, say
from tables.models import ApprovalRequest, Player
from tables.models.second_person import INDEPENDENT_AFTER_DAYS

INDEPENDENT_AFTER = timedelta(days=INDEPENDENT_AFTER_DAYS)
"""So long after an appointment a member is no second person for those who brought them in."""

STEPS = 2
"""Who brought in those who brought somebody in counts too, and nobody further back."""


class SecondPersonNeeded(Refused):
    """One member of the staff cannot do this alone: it is asked for, and another approves it."""

    def __init__(self) -> None:
        super().__init__("", say("A second person must approve this."))


def check(asker: Player, approver: Player, now: datetime, same: Words) -> None:
    """Raise Refused unless these two count as two persons now; `same` is what is said to whoever asked themselves."""
    if (why := why_not(asker, approver, now, same)) is not None:
        reason = "asked themselves" if asker.pk == approver.pk else "brought in"
        security.note("second person", "refused", player=approver.pk, asked_by=asker.pk, reason=reason)
        raise Refused("", why)


def why_not(asker: Player, approver: Player, now: datetime, same: Words) -> Words | None:
    """Why these two do not count as two persons now; None if they do."""
    if asker.pk == approver.pk:
        return same
    if _circle(asker.pk, now) & _circle(approver.pk, now):
        return say(
            "You and %(name)s do not count as two persons yet: one of you brought in the other, or somebody "
            "brought in both of you, in the last %(days)s days.",
            name=str(asker), days=INDEPENDENT_AFTER_DAYS,
        )  # fmt: skip
    return None


def _circle(person: int, now: datetime) -> set[int]:
    """This person, and those who brought them in lately."""
    found, newest = {person}, {person}
    for _ in range(STEPS):
        pairs = ApprovalRequest.objects.filter(
            kind=ApprovalRequest.Kind.APPOINT,
            state=ApprovalRequest.State.APPROVED,
            player__in=newest,
            decided_at__gt=now - INDEPENDENT_AFTER,
        ).values_list("asked_by", "decided_by")
        newest = {who for pair in pairs for who in pair}
        found |= newest
    return found
