"""`{% load rulings %}`: whether somebody may rule on irregularities."""

from __future__ import annotations

from django import template

from tables.base.rights import Right, may
from tables.models import Player

register = template.Library()


@register.simple_tag
def may_rule(user: object) -> bool:
    """Whether this person may rule on irregularities."""
    return isinstance(user, Player) and may(user, Right.RULE)
