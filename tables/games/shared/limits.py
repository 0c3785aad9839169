"""What any stake must keep to: whole credits, the minimum and the maximum of the table. In cents.

A limit may name a spot, or its `family` together with others.
"""

from __future__ import annotations

from collections.abc import Mapping

from tables.games.contract.errors import OptionError, Refused
from tables.games.contract.game import Game
from tables.games.values.money import CREDIT, is_whole_credits
from tables.games.values.words import Amount, say

from .options import Limit, amount_for, read_options


def check_credits(amount: int) -> None:
    """Raise Refused unless chips can lay down `amount` cents."""
    if not is_whole_credits(amount):
        raise Refused("credits", say("A stake is a whole number of credits, at least 1"))


def check_minimum(limit: Limit, spot: str, amount: int, family: str = "") -> None:
    """Raise Refused if `amount` cents are less than the minimum of the spot."""
    least = amount_for(limit, spot, family) or 0
    if amount < least:
        raise Refused("minimum", say("The minimum here is %(least)s", least=Amount(least)))


def check_maximum(limit: Limit, spot: str, already: int, amount: int, family: str = "") -> None:
    """Raise Refused if `amount` more cents bring what lies there already over the maximum of the spot."""
    most = amount_for(limit, spot, family)
    if most is not None and already + amount > most:
        left = max(0, most - already)
        raise Refused(
            "maximum",
            say("The maximum here is %(most)s; you may still add %(open)s", most=Amount(most), open=Amount(left)),
            most=left or None,
        )


def check_agree(game: Game, options: object) -> None:
    """Raise OptionError if nobody could bet on a spot, its minimum being more than its maximum."""
    lowest, highest = getattr(options, "min_bet", ()), getattr(options, "max_bet", ())
    for name, spot in game.spots.items():
        least, most = amount_for(lowest, name, spot.family), amount_for(highest, name, spot.family)
        if least is not None and most is not None and least > most:
            raise OptionError(
                say(
                    "The minimum of %(bet)s is %(least)s, more than its maximum of %(most)s.",
                    bet=spot.title,
                    least=Amount(least),
                    most=Amount(most),
                )
            )


def unlimited(game: Game, options: object) -> list[str]:
    """The bets that a bettor could lay any sum on: those that are sold and have no maximum, by their names."""
    highest = getattr(options, "max_bet", ())
    return [name for name in game.sold(options) if amount_for(highest, name, game.spots[name].family) is None]


def check_bounded(game: Game, options: object, before: object = None) -> None:
    """Raise Refused if a bet has no maximum; one that had none `before` may still have none."""
    had_none = () if before is None else unlimited(game, before)
    without = [game.spots[name].title for name in unlimited(game, options) if name not in had_none]
    if len(without) == 1:
        raise Refused("maximum", say("%(bet)s has no maximum. A table limits every bet.", bet=without[0]))
    if without:
        said = say(
            "%(count)s bets have no maximum, %(bet)s among them. A table limits every bet.",
            count=len(without),
            bet=without[0],
        )
        raise Refused("maximum", said)


def with_maximum(game: Game, options: Mapping[str, object], most: int) -> dict[str, object]:
    """Options as JSON in which each bet that has no maximum takes at most so many cents. Raises OptionError."""
    without = unlimited(game, read_options(game.options, dict(options)))
    if not without:
        return dict(options)
    said = options.get("max_bet") or {}
    return {**options, "max_bet": {**said, **dict.fromkeys(without, most)} if isinstance(said, dict) and said else most}


def room_under(limit: Limit, spot: str, already: int, family: str = "") -> int | None:
    """The most that may still be added on the spot; None if there is no maximum."""
    most = amount_for(limit, spot, family)
    return None if most is None else max(0, most - already)


def least_above(limit: Limit, spot: str, step: int = CREDIT, family: str = "") -> int:
    """The smallest multiple of `step` that is not under the minimum of the spot, at least one."""
    return max(-(-(amount_for(limit, spot, family) or 0) // step), 1) * step
