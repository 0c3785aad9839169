"""`{% load pit %}`: what templates of the pit ask for."""

from __future__ import annotations

from django import template

from tables.base.rights import Right, may
from tables.models import Player
from tables.services.pit.sessions import IDLE

register = template.Library()


@register.simple_tag
def idle_seconds() -> int:
    """After so many seconds without a word a login of the staff is locked."""
    return int(IDLE.total_seconds())


@register.simple_tag
def may_rule(user: object) -> bool:
    """Whether this person may rule on irregularities."""
    return isinstance(user, Player) and may(user, Right.RULE)
