"""All that waits for somebody of the pit, in one list; approving and refusing what waits for a second person."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from tables.base import security
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right, may
from tables.games.values.words import Amount, Words, say
from tables.models import Adjustment, ApprovalRequest, ChipOrder, Player
from tables.queries.reviews import listed, unanswered_reviews
from tables.services.pit import approvals, handover
from tables.services.pit.deeds import Deed, deed_of
from tables.services.pit.floats import waiting_orders
from tables.views.accounts import CodeAgainForm

from .gate import do_and_say, member_of, staff_deed, staff_page

SHOWN = 50
"""Requests that were decided last, under those that wait."""

DIGITS = 6
"""Of a code that an app shows. A recovery code is for a lost telephone, not for approving."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something that waits for a second person or an answer: what, who asked when and why, what this viewer may do."""

    title: Words
    says: Words
    where: str
    who: Player
    at: datetime
    why: str
    own: bool = False
    frozen: bool = False
    held_until: datetime | None = None
    approve: str = ""
    refuse: str = ""


@staff_page(Right.WATCH)
def waiting(request: HttpRequest) -> HttpResponse:
    """Requests, adjustments, orders of chips and reviews that wait, those that hold a round first, then the oldest."""
    by = member_of(request)
    found = [*_requests(by), *_adjustments(by), *_orders(by), *_reviews()]
    decided = ApprovalRequest.objects.exclude(state=ApprovalRequest.State.WAITING).order_by("-decided_at", "-pk")
    lines = decided.select_related("asked_by", "decided_by")[:SHOWN]
    context = {
        "place": "approvals",
        "waiting": sorted(found, key=lambda one: (one.held_until is None, one.at)),
        "decided": [(one, approvals.title_of(one), deed_of(one).says()) for one in lines],
    }
    return render(request, "pit/approvals.html", context)


@sensitive_post_parameters("code")
@staff_deed(Right.SECOND)
def approve(request: HttpRequest, request_id: int) -> HttpResponse:
    """Approve what somebody else asked for, with a code that has not been used yet."""
    asked = get_object_or_404(ApprovalRequest.objects.select_related("player"), pk=request_id)
    handed: list[str] = []

    def deed() -> None:
        handed.append(approvals.approve(member_of(request), request_id))

    answer = with_fresh_code(request, deed, _("Approved, and done."), "pit_approvals")
    if any(handed):  # shown now and never again: it goes into no message, no session and no address
        context = {"place": "approvals", "member": asked.player, "code": handed[0], "days": handover.LIVES.days}
        return render(request, "pit/handed_code.html", context)
    return answer


@staff_deed(Right.SECOND)
def refuse(request: HttpRequest, request_id: int) -> HttpResponse:
    """Refuse it, or take back what one has asked for oneself."""
    get_object_or_404(ApprovalRequest, pk=request_id)
    deed = partial(approvals.refuse, member_of(request), request_id, request.POST.get("why", ""))
    return do_and_say(request, deed, _("It is refused; nothing has been done."), "pit_approvals")


# ── For every form of the pit ───────────────────────────────────────────────────────────────────────────────


def with_fresh_code(request: HttpRequest, deed: Callable[[], object], said: str, page: str) -> HttpResponse:
    """Do it if a code of the member's app comes with the form that was not used yet; say so on a page of the pit."""
    if "approvals" in request.POST:  # the form stood in the list of all that waits
        page = "pit_approvals"
    if (why_not := _refused_code(request)) is not None:
        security.note("second factor at an approval", "refused", player=member_of(request).pk)
        messages.error(request, why_not)
        return redirect(page)
    return do_and_say(request, deed, said, page)


def do_or_ask(by: Player, deed: Deed, why: str) -> Words:
    """Do it, or ask a second person: then what to say of that; empty words if it is done. Raises Refused."""
    asked = approvals.do_or_ask(by, deed, why)
    return say("Asked for. A second person must approve it.") if asked is not None else Words("")


def _refused_code(request: HttpRequest) -> str | None:
    """Why the code that came with this form does not do; None if it does. It is used up."""
    code = request.POST.get("code", "").strip()
    if not (len(code) == DIGITS and code.isascii() and code.isdigit()):
        return _("Type the code that your app shows now.")
    form = CodeAgainForm(user=member_of(request), data={"code": code})
    return None if form.is_valid() else str(form.errors["code"][0])


# ── What waits ──────────────────────────────────────────────────────────────────────────────────────────────


def _requests(by: Player) -> Iterator[Waiting]:
    found = ApprovalRequest.objects.filter(state=ApprovalRequest.State.WAITING)
    now = DATABASE_CLOCK.now()
    for one in found.select_related("asked_by", "log", "table", "player"):
        held = one.log.held_until if one.log is not None and one.log.settled_at is None else None
        own = one.asked_by_id == by.pk
        able = approvals.may_approve(by, one)
        if one.table is not None:
            where = reverse("pit_table", args=[one.table.slug])
        elif one.player is not None and not one.player.role:
            where = reverse("pit_player", args=[one.player.pk])
        else:
            where = ""
        yield Waiting(
            title=approvals.title_of(one),
            says=deed_of(one).says(),
            where=where,
            who=one.asked_by,
            at=one.asked_at,
            why=one.why,
            own=own,
            frozen=one.log is not None and one.log.frozen_at is not None,
            held_until=held if held is not None and held > now else None,
            approve=reverse("pit_approve", args=[one.pk]) if able else "",
            refuse=reverse("pit_refuse", args=[one.pk]) if able or (own and may(by, Right.SECOND)) else "",
        )


def _adjustments(by: Player) -> Iterator[Waiting]:
    found = Adjustment.objects.filter(state=Adjustment.State.REQUESTED).select_related("player", "requested_by")
    approves, asks = may(by, Right.APPROVE_ADJUSTMENT), may(by, Right.ASK_ADJUSTMENT)
    for one in found:
        own = one.requested_by_id == by.pk
        yield Waiting(
            title=say("Adjustment"),
            says=say("%(cents)s to %(name)s", cents=Amount(one.cents), name=str(one.player)),
            where=reverse("pit_player", args=[one.player_id]),
            who=one.requested_by,
            at=one.requested_at,
            why=one.why,
            own=own,
            approve=reverse("pit_approve_adjustment", args=[one.pk]) if approves and not own else "",
            refuse=reverse("pit_refuse_adjustment", args=[one.pk]) if (asks if own else approves) else "",
        )


def _orders(by: Player) -> Iterator[Waiting]:
    confirms, asks = may(by, Right.CONFIRM_CHIPS), may(by, Right.ORDER_CHIPS)
    for one in waiting_orders():
        own = one.requested_by_id == by.pk
        refuse = "pit_take_back_chips" if own else "pit_refuse_chips"
        yield Waiting(
            title=say("Fill") if one.kind == ChipOrder.Kind.FILL else say("Credit slip"),
            says=say("%(cents)s at %(table)s", cents=Amount(one.amount), table=str(one.table)),
            where=reverse("pit_table", args=[one.table.slug]),
            who=one.requested_by,
            at=one.requested_at,
            why=one.why,
            own=own,
            approve=reverse("pit_confirm_chips", args=[one.pk]) if confirms and not own else "",
            refuse=reverse(refuse, args=[one.pk]) if (asks if own else confirms) else "",
        )


def _reviews() -> Iterator[Waiting]:
    """Each is answered on its own page, beside its round."""
    for one in listed(unanswered_reviews()):
        yield Waiting(
            title=say("Review"),
            says=say("Round %(round)s at %(table)s", round=one.log.number, table=str(one.log.table)),
            where=reverse("pit_review", args=[one.pk]),
            who=one.player,
            at=one.asked_at,
            why=": ".join(part for part in (str(one.get_reason_display()), one.words) if part),
        )
