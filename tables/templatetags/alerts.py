"""`{% load alerts %}`: how much is open, in the bar of every page of the pit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.db.models import QuerySet
from django.template.loader import render_to_string

from tables.models import Adjustment, Alert, ApprovalRequest, ChipOrder
from tables.queries.reviews import open_reviews, unanswered_reviews

register = template.Library()

_CHIPS = ChipOrder.objects.filter(state=ChipOrder.State.REQUESTED)
_ADJUSTMENTS = Adjustment.objects.filter(state=Adjustment.State.REQUESTED)
_REQUESTS = ApprovalRequest.objects.filter(state=ApprovalRequest.State.WAITING)

OPEN: Mapping[str, tuple[QuerySet[Any], ...]] = {
    "alerts": (Alert.objects.filter(acknowledged_at=None),),
    "chips": (_CHIPS,),
    "approvals": (_REQUESTS, _CHIPS, _ADJUSTMENTS, unanswered_reviews()),
    "reviews": (open_reviews(),),
    "adjustments": (_ADJUSTMENTS,),
}
"""What is counted, each beside the name of its place: what nobody has acknowledged, or the pit must decide."""


@register.simple_tag
def open_count(what: str) -> str:
    """How much of this is open."""
    return render_to_string("pit/_count.html", {"what": what, "open": sum(each.count() for each in OPEN[what])})
