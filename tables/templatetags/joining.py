"""`{% load joining %}`: files that a page loads as one."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.template import Context, NodeList
from django.template.base import Parser, Token
from django.utils.safestring import SafeString, mark_safe

from casino.joined import address_of, joined, static_name

register = template.Library()


class Joined(template.Node):
    """Links to sheets, and scripts, of which each kind is loaded as one file."""

    def __init__(self, links: NodeList) -> None:
        self.nodelist = links

    def render(self, context: Context) -> SafeString:
        """The same with one link for all sheets, and one for all scripts."""
        return mark_safe(joined(self.nodelist.render(context)))  # the addresses are our own


@register.simple_tag
def joined_address(*names: str, scripts: Iterable[str] = ()) -> str:
    """The address of these files as one, and of these scripts, for a script that loads them when they are needed."""
    return address_of([static_name(name) for name in (*names, *(f"js/{script}.js" for script in scripts))])


@register.tag("joined")
def joined_links(parser: Parser, token: Token) -> Joined:
    """What stands up to `{% endjoined %}` is sheets, or scripts with `defer`, in the order in which they apply."""
    links = parser.parse(("endjoined",))
    parser.delete_first_token()
    return Joined(links)
