"""What the house has chosen that a regulation wants authorised: the alternatives that options take."""

from __future__ import annotations

from collections.abc import Mapping

from tables.games.contract.errors import OptionError
from tables.games.contract.game import Game

from .options import options_json, options_of, read_options


def alternatives(game: Game, options: Mapping[str, object]) -> dict[str, object]:
    """Option -> its value as in the public record, of all that need an authorisation and are no defaults.

    The default of an option is what it would be beside the others if it were left out; if it would then be none, it has
    no effect there. A number that the director of the room may lower at once needs no authorisation below its default.
    Raises OptionError.
    """
    read = read_options(game.options, dict(options))
    whole, about = options_json(read), options_of(game.options)
    found = {}
    for name, value in whole.items():
        if not about[name].authorised or not about[name].is_left_to_the_house(read.edition):
            continue
        try:
            rest = read_options(game.options, {other: said for other, said in whole.items() if other != name})
        except OptionError:  # it must be said beside the others
            found[name] = value
            continue
        default = options_json(rest).get(name)
        lowered = name in game.lowered_at_once(read) and _is_lower(value, default)
        if default is not None and value != default and not lowered:
            found[name] = value
    return found


def _is_lower(value: object, than: object) -> bool:
    return isinstance(value, int) and isinstance(than, int) and value < than
