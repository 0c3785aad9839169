"""The cut in words: shared by all felts that cut a pack."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext

from tables.games.contract.actions import HOUSE
from tables.games.shared.cutting import CutView


def who_cuts(cut: CutView | None) -> dict[str, list[str]]:
    """The bettor who is offered the cut, with their mark."""
    return {} if cut is None or cut.offered_to is None else {cut.offered_to: [gettext("cuts")]}


def cut_said(cut: CutView | None, names: Mapping[str, str]) -> list[str]:
    """What a screen reader tells while the pack is cut."""
    if cut is None or cut.offered_to is None:
        return []
    return [gettext("%(name)s is offered the cut.") % {"name": names.get(cut.offered_to, "")}]


def cut_called(cut: CutView | None, names: Mapping[str, str], *, cutting: bool) -> list[str]:
    """What the dealer says over the empty felt: who cuts while it is being `cutting`, who has cut afterwards."""
    if cut is None:
        return []
    if cutting:
        if cut.offered_to is None:
            return [gettext("The dealer cuts")]
        return [gettext("%(name)s is offered the cut") % {"name": names.get(cut.offered_to, "")}]
    if cut.by is None:
        return []
    if cut.by == HOUSE:
        return [gettext("Cut by the dealer")]
    return [gettext("Cut by %(name)s") % {"name": names.get(cut.by, "")}]
