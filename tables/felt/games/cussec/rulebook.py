"""What the page of rules has from Cussec: the shaker with its dice, and what a number pays."""

from __future__ import annotations

from django.utils.translation import gettext

from tables.felt.shared.fragments import Templates
from tables.felt.shared.rulebook import Pay, RulebookOf
from tables.games.contract.round import Spot
from tables.games.cussec import GAME, Options
from tables.games.cussec.view import View

_TEMPLATES = Templates(GAME.slug)


class CussecRulebook(RulebookOf[Options, View]):
    """The dice under their cover, and uncovered."""

    def picture(self, view: View, place: str) -> str:
        return _TEMPLATES.fragment("drawn", uid=place, outcome=view.outcome)

    def pays(self, options: Options, spot: Spot) -> tuple[Pay, ...]:
        if len(spot.odds) == 1:
            return super().pays(options, spot)
        shown = (gettext("one die shows it"), gettext("two dice show it"), gettext("three dice show it"))
        return tuple(Pay("C-A4", odds, when) for odds, when in zip(spot.odds, shown, strict=True))
