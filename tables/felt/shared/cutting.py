"""The cut in words: shared by all felts that cut a pack."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext

from tables.felt.formatting import listed
from tables.games.contract.actions import HOUSE
from tables.games.shared.cutting import CutView


def who_cuts(cut: CutView | None) -> dict[str, list[str]]:
    """The bettors who are offered the cut, with their mark."""
    return {} if cut is None else {who: [gettext("cuts")] for who in cut.offered_to}


def cut_said(cut: CutView | None, names: Mapping[str, str]) -> list[str]:
    """What a screen reader tells while the pack is cut."""
    if cut is None or not cut.offered_to:
        return []
    if len(cut.offered_to) > 1:
        return [gettext("Whoever takes the cut first makes it: %(names)s.") % {"names": _named(cut, names)}]
    return [gettext("%(name)s is offered the cut.") % {"name": _named(cut, names)}]


def _named(cut: CutView, names: Mapping[str, str]) -> str:
    return listed([names.get(who, "") for who in cut.offered_to])


def cut_called(cut: CutView | None, names: Mapping[str, str], *, cutting: bool) -> list[str]:
    """What the dealer says over the empty felt: who cuts while it is being `cutting`, who has cut afterwards."""
    if cut is None:
        return []
    if cutting:
        if not cut.offered_to:
            return [gettext("The dealer cuts")]
        if len(cut.offered_to) > 1:
            return [gettext("Whoever takes the cut first makes it")]
        return [gettext("%(name)s is offered the cut") % {"name": _named(cut, names)}]
    if cut.by is None:
        return []
    if cut.by == HOUSE:
        return [gettext("Cut by the dealer")]
    return [gettext("Cut by %(name)s") % {"name": names.get(cut.by, "")}]
