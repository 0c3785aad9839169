"""Requests that a second person approves: asked for with a reason, approved or refused by another, carried out once.

What is carried out is in `tables.services.pit.deeds`; who counts as a second person, `second_person` says, and so does
the database. A request is tried out as it is asked, and undone: what cannot be carried out is refused at once.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta

from django.db import IntegrityError, transaction

from tables.base import announce, security
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, demand, may
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.words import Words, say
from tables.models import Alert, ApprovalRequest, Event, Player
from tables.services.journal import alerts, events
from tables.services.journal.alert_words import REQUESTS

from . import handover, holding, second_person
from .deeds import Deed, deed_of
from .second_person import SecondPersonNeeded

State = ApprovalRequest.State

LIVES = timedelta(hours=24)
"""A request that nobody has decided for so long is not approved any more: what it was about has changed."""

LONGEST = 500
"""Characters of a reason."""


# ── Asking ──────────────────────────────────────────────────────────────────────────────────────────────────


def do_or_ask(by: Player, deed: Deed, why: str, *, clock: Clock = DATABASE_CLOCK) -> ApprovalRequest | None:
    """Do it if one person may, or else ask a second one: then the request. Raises Refused."""
    try:
        with unit_of_work():
            deed.carry_out(by, None, why, clock)
        return None
    except SecondPersonNeeded:
        return ask(by, deed, why, clock=clock)


def ask(by: Player, deed: Deed, why: str, *, clock: Clock = DATABASE_CLOCK) -> ApprovalRequest:
    """Ask for a deed that a second person must approve. Nothing is done yet, but that a round may be held.

    Raises Refused: for what could not be carried out now, and if the same waits already.
    """
    demand(by, deed.asks)
    events.check_reason(why)
    why = why.strip()
    if len(why) > LONGEST:
        raise Refused("", say("The reason has at most %(number)s characters.", number=LONGEST))
    with unit_of_work():
        key = f"{deed.kind}:{deed.thing}"
        if ApprovalRequest.objects.filter(key=key, state=State.WAITING).exists():
            raise _waits_already()
        _try_out(by, deed, why, clock)
        table = deed.about_table
        held = holding.hold(by, table, why, clock) if deed.holds and table is not None else None
        try:
            with transaction.atomic():
                request = ApprovalRequest.objects.create(
                    kind=deed.kind, key=key, asked=asdict(deed), why=why, asked_by=by, asked_at=clock.now(),
                    player_id=deed.about_player, table_id=table,
                    log_id=held.pk if held is not None else deed.about_log,
                )  # fmt: skip
        except IntegrityError:
            raise _waits_already() from None
        about = {"request": request.pk, "kind": request.kind, "by": str(by)}
        alerts.raise_alert(
            Alert.Kind.REQUEST, _alert_of(request), at=request.asked_at,
            table=request.table_id, log=request.log_id, about=about,
        )  # fmt: skip
        _record(Event.Kind.REQUEST_ASKED, request, by, why, clock)
        return request


def _try_out(by: Player, deed: Deed, why: str, clock: Clock) -> None:
    """Carry it out as if somebody who may had approved it, and undo that. Raises Refused."""
    others = Player.objects.filter(is_active=True).exclude(pk=by.pk).exclude(role="").order_by("pk")
    second = next((one for one in others if may(one, Right.SECOND) and may(one, deed.approves)), None)
    try:
        with unit_of_work(), transaction.atomic():
            deed.carry_out(by, second, why, clock)
            transaction.set_rollback(True)
    except SecondPersonNeeded:
        raise Refused("", say("Nobody else of the staff may approve this.")) from None


def _waits_already() -> Refused:
    return Refused("", say("The same waits for a second person already."))


# ── Deciding ────────────────────────────────────────────────────────────────────────────────────────────────


def approve(by: Player, request_id: int, *, clock: Clock = DATABASE_CLOCK) -> str:
    """Approve what somebody else asked for: it is carried out now, once, in this transaction. Raises Refused.

    Returns the code to hand to whoever sets up a second factor after it (`handover`); empty where nobody does.
    Whoever calls this has just shown their second factor (`tables.views.pit.approvals`).
    """
    demand(by, Right.SECOND)
    with unit_of_work():
        request = _waiting(request_id)
        deed = deed_of(request)
        demand(by, deed.approves)
        now = clock.now()
        second_person.check(request.asked_by, by, now, say("A second person must approve it."))
        if now - request.asked_at >= LIVES:
            raise Refused("", say("This was asked for more than a day ago. It must be asked for anew."))
        deed.carry_out(request.asked_by, by, request.why, clock)
        _decide(request, by, State.APPROVED, "", clock)
        _record(Event.Kind.REQUEST_APPROVED, request, by, "", clock)
        member = deed.about_player if deed.sets_up_factor else None
        return handover.issue(by, member, clock=clock) if member is not None else ""


def refuse(by: Player, request_id: int, why: str, *, clock: Clock = DATABASE_CLOCK) -> ApprovalRequest:
    """Refuse it, or take back what one has asked for oneself; a round that was held goes on. Raises Refused."""
    events.check_reason(why)
    why = why.strip()[:LONGEST]
    with unit_of_work():
        request = _waiting(request_id)
        own = request.asked_by_id == by.pk
        demand(by, Right.WATCH if own else deed_of(request).approves)
        if request.log_id is not None:
            holding.release(by, request.log_id, clock)
        _decide(request, by, State.WITHDRAWN if own else State.REFUSED, why, clock)
        _record(Event.Kind.REQUEST_WITHDRAWN if own else Event.Kind.REQUEST_REFUSED, request, by, why, clock)
        return request


def _waiting(request_id: int) -> ApprovalRequest:
    """A request that waits, locked, and its alert."""
    request = ApprovalRequest.objects.select_for_update().filter(pk=request_id).first()
    if request is None:
        raise Refused("", say("There is no such request."))
    if request.state != State.WAITING:
        security.note("request decided", "refused", request=request_id, reason="decided already")
        raise Refused("", say("It has been decided already."))
    alerts.lock(_alert_of(request))
    return request


def _decide(request: ApprovalRequest, by: Player, state: State, why: str, clock: Clock) -> None:
    request.state, request.decided_by, request.decided_at, request.decision = state, by, clock.now(), why
    if state == State.WITHDRAWN:
        request.told_at = request.decided_at
    request.save(update_fields=["state", "decided_by", "decided_at", "decision", "told_at"])
    alerts.settle(_alert_of(request), by, request.decided_at)
    announce.pit_changed()


# ── What is asked ───────────────────────────────────────────────────────────────────────────────────────────


def title_of(request: ApprovalRequest) -> Words:
    """What is asked for, in a word or two."""
    return REQUESTS[request.kind]


def may_approve(by: Player, request: ApprovalRequest) -> bool:
    """Whether this member has the right to approve it (they may still not count as a second person)."""
    return request.asked_by_id != by.pk and may(by, Right.SECOND) and may(by, deed_of(request).approves)


def tell(by: Player, *, clock: Clock = DATABASE_CLOCK) -> list[ApprovalRequest]:
    """How the requests of this member have ended, each told once."""
    ended = ApprovalRequest.objects.filter(asked_by=by, told_at=None, decided_at__isnull=False)
    if not ended.exists():
        return []
    with unit_of_work():
        found = list(ended.select_for_update(of=("self",)).select_related("decided_by").order_by("decided_at", "pk"))
        ApprovalRequest.objects.filter(pk__in=[one.pk for one in found]).update(told_at=clock.now())
    return found


def _alert_of(request: ApprovalRequest) -> str:
    return f"{Alert.Kind.REQUEST}:{request.pk}"


def _record(kind: Event.Kind, request: ApprovalRequest, by: Player, why: str, clock: Clock) -> None:
    after = {"request": request.pk, "kind": request.kind, "asked": request.asked, "state": str(request.state)}
    events.record(
        kind, by=by.pk, table=request.table_id, log=request.log_id, player=request.player_id, why=why, after=after,
        clock=clock,
    )  # fmt: skip
