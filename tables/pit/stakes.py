"""The stakes of several tables changed at once: presets, what they make of each table's limits, and what looks like a
slip. Amounts in cents. Nothing is read here, and nothing changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tables.felt.formatting import number
from tables.felt.games import FELTS
from tables.felt.shared.limits import BetLimits
from tables.games import GAMES
from tables.games.shared.options import options_of, read_options
from tables.games.values.money import CREDIT
from tables.games.values.words import Words, say


class Stakes(NamedTuple):
    """The least and the most of a main bet; None: as it is."""

    least: int | None
    most: int | None


PRESETS = tuple(
    Stakes(least * CREDIT, most * CREDIT)
    for least, most in ((5, 1_000), (10, 2_000), (20, 5_000), (50, 10_000), (100, 20_000), (500, 50_000))
)
"""What main bets are played for on a floor, from the smallest stakes to the highest."""

FEW_STEPS = 10
"""A maximum of fewer minimums leaves little between them."""

FAR = 10
"""A limit that becomes so many times what it was, or such a part of it, may be a slip of the hand."""

_LEAST, _MOST = ("min_bet", "min_ante"), ("max_bet", "max_ante")


def needs_authorisation(game: str) -> str:
    """The article that wants the limits of this game authorised; empty if none does."""
    about = options_of(GAMES[game].options)
    return next((about[name].authorised_by for name in (*_LEAST, *_MOST) if name in about), "")


def with_stakes(game: str, options: Mapping[str, Any], stakes: Stakes) -> dict[str, object]:
    """The limits of a table, as its options hold them, with its main bets at these stakes.

    Its other bets keep their proportion to them, in whole credits; none gets a minimum above its maximum.
    """
    now, about = main_of(game, options), options_of(GAMES[game].options)
    wanted = {**dict.fromkeys(_LEAST, (stakes.least, now.least)), **dict.fromkeys(_MOST, (stakes.most, now.most))}
    limits: dict[str, Any] = {
        name: _scaled(game, options.get(name, {}), becomes, was)
        for name, (becomes, was) in wanted.items()
        if name in about and becomes is not None
    }
    lowest, highest = (limits.get(name, options.get(name)) for name in ("min_bet", "max_bet"))
    if isinstance(lowest, dict) and isinstance(highest, dict):
        for name in [name for name in lowest if name in highest and not _is_main(game, name)]:
            if "max_bet" in limits:
                highest[name] = max(lowest[name], highest[name])
            elif "min_bet" in limits:
                lowest[name] = min(lowest[name], highest[name])
    return limits


def main_of(game: str, options: Mapping[str, Any]) -> BetLimits:
    """The limits of the main bet under these options."""
    return FELTS[game].limits(read_options(GAMES[game].options, dict(options)))


def _scaled(game: str, limit: Any, wanted: int, now: int | None) -> Any:
    """One limit of a table with its main bets at `wanted`, which were at `now`."""
    if not isinstance(limit, dict) or not limit:
        return wanted
    return {
        name: wanted if _is_main(game, name) else _in_proportion(cents, wanted, now) for name, cents in limit.items()
    }


def _is_main(game: str, name: str) -> bool:
    """Whether a limit of this name, of a bet or of its family, is that of the main bet."""
    mains, spots = FELTS[game].main_bets, GAMES[game].spots
    return name in mains or any(name == spots[main].family for main in mains if main in spots and spots[main].family)


def _in_proportion(cents: int, wanted: int, now: int | None) -> int:
    return cents if not now else max(1, round(cents * wanted / now / CREDIT)) * CREDIT


def implausible(
    game: str, before: Mapping[str, Any], after: Mapping[str, Any], float_cents: int | None = None
) -> Iterator[Words]:
    """What looks like a slip, or hardly like what the house wants, if a table's options become these. It is said, and
    may be done all the same."""
    was, becomes = main_of(game, before), main_of(game, after)
    if becomes.most is not None and becomes.most < FEW_STEPS * becomes.least and becomes != was:
        yield say("The maximum is less than %(times)s times the minimum.", times=FEW_STEPS)
    if _is_far(was.least, becomes.least):
        yield say(
            "The minimum goes from %(before)s to %(after)s.", before=_credits(was.least), after=_credits(becomes.least)
        )
    if was.most is not None and becomes.most is not None and _is_far(was.most, becomes.most):
        yield say(
            "The maximum goes from %(before)s to %(after)s.", before=_credits(was.most), after=_credits(becomes.most)
        )
    if float_cents is not None and becomes.most != was.most and (becomes.most or 0) > float_cents:
        yield say("The float holds %(float)s, less than one bet at the maximum may win.", float=_credits(float_cents))
    known, cautions = (GAMES[game].cautions(read_options(GAMES[game].options, dict(one))) for one in (before, after))
    yield from (one for one in cautions if one not in known)


def _is_far(old: int, new: int) -> bool:
    return new >= FAR * old or old >= FAR * new


def _credits(cents: int) -> str:
    return number(cents // CREDIT)
