"""What templates of the pit ask for."""

from __future__ import annotations

from django import template

from tables.services.pit.sessions import IDLE

register = template.Library()


@register.simple_tag
def idle_seconds() -> int:
    """After so many seconds without a word a login of the staff is locked."""
    return int(IDLE.total_seconds())
