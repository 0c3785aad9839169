"""The limits of a table in words, per bet: no line says the minimum of one bet and the maximum of another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from django.utils.translation import gettext

from tables.felt.formatting import text_of
from tables.games.contract.game import Game
from tables.games.contract.round import Spot
from tables.games.shared.limits import least_above
from tables.games.shared.options import amount_for
from tables.games.values.words import Words

Limits: TypeAlias = tuple[int, int | None]
"""The least and the most that may be staked, in cents; None: no maximum."""

FEW = 3
"""So many bets of one family are named one by one; of more only the first and the last."""


@dataclass(frozen=True, slots=True)
class BetLimits:
    """The limits of bets that have the same, in cents, and what these bets are called; `most` None if there is none."""

    called: str
    least: int
    most: int | None


def limits_of(game: Game, options: object, spot: str) -> Limits:
    """The limits of the bet of this name."""
    return limits_of_spot(options, game.spots[spot])


def limits_of_spot(options: object, spot: Spot) -> Limits:
    """The limits of one bet."""
    lowest, highest = getattr(options, "min_bet", ()), getattr(options, "max_bet", ())
    return least_above(lowest, spot.name, family=spot.family), amount_for(highest, spot.name, spot.family)


def main_limits(game: Game, options: object, main_bets: Mapping[str, Words]) -> BetLimits:
    """The limits of the first of these bets that is sold, and the names of all that have the same."""
    sold = list(game.sold(options))
    named = {spot: words for spot, words in main_bets.items() if spot in sold}
    named = named or {sold[0]: game.spots[sold[0]].title}
    limits = limits_of(game, options, next(iter(named)))
    same = [text_of(words) for spot, words in named.items() if limits_of(game, options, spot) == limits]
    return BetLimits(" · ".join(same), *limits)


def all_limits(game: Game, options: object) -> list[BetLimits]:
    """The limits of every bet that is sold, those that have the same together."""
    sold = list(game.sold(options))
    alike: defaultdict[Limits, dict[str, list[str]]] = defaultdict(dict)
    for spot in sold:
        families = alike[limits_of(game, options, spot)]
        families.setdefault(game.spots[spot].family or spot, []).append(text_of(game.spots[spot].title))
    if len(alike) == 1 and len(sold) > 1:
        return [BetLimits(gettext("every bet"), *limits) for limits in alike]
    return [BetLimits(_called(families), *limits) for limits, families in alike.items()]


def rising(game: Game, before: object, after: object) -> dict[int, str]:
    """The bets of which the minimum rises between these options, by their new minimum."""
    found: dict[int, dict[str, list[str]]] = {}
    for name in game.sold(after):
        spot, least = game.spots[name], limits_of(game, after, name)[0]
        if least > limits_of(game, before, name)[0]:
            found.setdefault(least, {}).setdefault(spot.family or name, []).append(text_of(spot.title))
    return {least: _called(families) for least, families in found.items()}


def _called(families: Mapping[str, list[str]]) -> str:
    return " · ".join(_together(titles) for titles in families.values())


def _together(titles: list[str]) -> str:
    return " · ".join(titles) if len(titles) <= FEW else f"{titles[0]} … {titles[-1]}"


def named_in_limits(game: Game) -> dict[str, str]:
    """What a limit may name, a spot or its family, with the titles of its bets."""
    families: dict[str, list[str]] = {}
    for name, spot in game.spots.items():
        families.setdefault(spot.family or name, []).append(text_of(spot.title))
    return {name: _together(titles) for name, titles in families.items()}
