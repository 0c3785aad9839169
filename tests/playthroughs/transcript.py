"""Write a log down so that a person can follow it: what is done, and what everybody and the holders see of it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import fields, replace
from typing import Any

from tables.games.codec import action_json
from tables.games.contract.actions import HOUSE, Action, Draw, Step
from tables.games.contract.errors import Refused
from tables.games.contract.game import Game
from tables.games.contract.round import SECOND_READING, Opening
from tables.games.shared.options import options_json
from tables.games.values.words import Amount, Note
from tests.kit import view_for

INDENT = " " * 14

Felt = Callable[[Any], Iterator[str]]
"""A view of a game in lines, each of which is shown when it is new."""


def transcript(
    game: Game,
    options: Any,
    opening: Opening,
    script: Iterable[Action | str],
    shoe: Iterator[Action],
    people: str,
    felt: Felt,
) -> Generator[str, None, Any]:
    """The lines of one round; returns the round as it ended.

    `script` are people's actions in order, and "…" where time runs out for whoever is waited for; in between the house
    does what is due, with the cards of `shoe`. `people` are those whose eyes the reader borrows; `felt` tells what
    they see, in lines.
    """
    yield f"Options   {changed_options(game, options)}"
    yield f"Seats     {', '.join(f'{who} in {seat}' for who, seat in opening.seats.items()) or 'nobody sits'}"
    for stake in opening.carried:
        yield f"Carried   {stake.by}: {Amount(stake.amount)} on {stake.spot} ({stake.bet})"
    round_ = game.opened(options, replace(opening, reading=SECOND_READING))
    shown: dict[str | None, list[str]] = {}
    yield from _shown(round_, people.split(), shown, felt)
    steps = iter(script)
    while not round_.over:
        match round_.next_house_step():
            case Step(action):
                pass
            case Draw():
                action = next(shoe)
            case None:
                wish = next(steps, None)
                assert wish is not None, f"the script ends in {round_.phase}"
                if isinstance(wish, str):
                    yield f"{INDENT}{wish} time is over"
                    late = round_.on_timeout()
                    assert isinstance(late, Step)
                    wish = late.action
                action = wish
        yield f"{round_.phase!s:<13} {told(action)}"
        try:
            round_ = round_.apply(action)
        except Refused as refused:
            yield f"{INDENT}refused: {refused.words} ({refused.article})"
            continue
        yield from _shown(round_, people.split(), shown, felt)
    assert next(steps, None) is None, "the script goes on after the end"
    yield f"Result    {round_.result()}"
    if round_.ends_shoe:
        yield "          The shoe ends here."
    if round_.next_is_last:
        yield "          The next round is the last of this shoe."
    return round_


def changed_options(game: Game, options: Any) -> str:
    """What the table has chosen otherwise than the rulebook's defaults."""
    usual = options_json(game.options())
    return ", ".join(f"{name} {value}" for name, value in options_json(options).items() if usual.get(name) != value)


def told(action: Action) -> str:
    """An action in one line: who, what, and its particulars."""
    data = action_json(action)
    words = {name: str(Amount(data.get(name, 0))) for name in ("amount", "pool")}
    words |= {"box": f"box {data.get('box')}", "exposed": "face up"}
    if type(number := data.get("hand")) is int:
        words["hand"] = f"hand {number}"
    names = [field.name for field in fields(action) if field.name in data and field.name != "by"]
    particulars = [words.get(name, name if data[name] is True else str(data[name])) for name in names]
    who = "the house" if action.by == HOUSE else action.by
    return f"{who}: {' '.join([action.do, *particulars])}"


def _shown(round_: Any, people: list[str], shown: dict[str | None, list[str]], felt: Felt) -> Iterator[str]:
    """What has changed on the felt, for everybody and then for each whose eyes see more."""
    public = list(felt(view_for(round_, None)))
    yield from (f"{INDENT}{line}" for line in public if line not in shown.get(None, []))
    shown[None] = public
    for who in people:
        own = [line for line in felt(view_for(round_, who)) if line not in public]
        own += list(_offered(round_, who))
        yield from (f"{INDENT}({who}) {line}" for line in own if line not in shown.get(who, []))
        shown[who] = own


def _offered(round_: Any, who: str) -> Iterator[str]:
    actions = [action for action in round_.offers(who).actions if round_.phase != "betting" and action.do != "follow"]
    if actions:
        yield "may " + ", ".join(told(action).split(": ", 1)[1] for action in actions)


def notes(*given: Note | None) -> Iterator[str]:
    return (note(one) for one in given if one is not None)


def note(one: Note) -> str:
    return f"{one.words} ({one.article})"
