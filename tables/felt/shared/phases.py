"""What the rail says of the phases that several games have."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_noop

PHASES: Mapping[str, str] = {
    "cut": gettext_noop("The cut"),
    "burn": gettext_noop("Burning cards"),
    "betting": gettext_noop("Place your bets"),
    "round_burn": gettext_noop("Bets closed"),
    "deal": gettext_noop("Bets closed"),
    "bets_closed": gettext_noop("Bets closed"),
    "no_more_bets": gettext_noop("No more bets"),
    "return": gettext_noop("Stakes are given back"),
    "result": gettext_noop("Result"),
    "settled": gettext_noop("Result"),
    "void": gettext_noop("The round is void"),
}
"""Phase -> its words in English; each game adds its own."""
