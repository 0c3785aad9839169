"""Write a log down so that a person can follow it: what is done, and what everybody and the holders see of it."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import fields
from typing import Any

from tables.games.codec import action_json
from tables.games.options import options_json
from tables.games.protocol import HOUSE, Action, Draw, Game, Opening, Refused, Step
from tables.games.words import Amount, Note

INDENT = " " * 14


def transcript(
    game: Game, options: Any, opening: Opening, script: Iterable[Action | str], shoe: Iterator[Action], people: str
) -> Generator[str, None, Any]:
    """The lines of one round; returns the round as it ended.

    `script` are people's actions in order, and "…" where time runs out for whoever is waited for; in between the house
    does what is due, with the cards of `shoe`. `people` are those whose eyes the reader borrows.
    """
    yield f"Options   {changed_options(game, options)}"
    yield f"Seats     {', '.join(f'{who} in {seat}' for who, seat in opening.seats.items()) or 'nobody sits'}"
    for stake in opening.carried:
        yield f"Carried   {stake.by}: {Amount(stake.amount)} on {stake.spot} ({stake.bet})"
    round_ = game.opened(options, opening)
    seen: dict[str | None, list[str]] = {}
    yield from _shown(round_, people.split(), seen)
    steps = iter(script)
    while not round_.over:
        match round_.due():
            case Step(action):
                pass
            case Draw():
                action = next(shoe)
            case None:
                wish = next(steps, None)
                assert wish is not None, f"the script ends in {round_.phase}"
                if isinstance(wish, str):
                    yield f"{INDENT}{wish} time is over"
                    late = round_.overdue()
                    assert isinstance(late, Step)
                    wish = late.action
                action = wish
        yield f"{round_.phase!s:<13} {told(action)}"
        try:
            round_ = round_.apply(action)
        except Refused as refused:
            yield f"{INDENT}refused: {refused.words} ({refused.article})"
            continue
        yield from _shown(round_, people.split(), seen)
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
    words = {"amount": str(Amount(data.get("amount", 0))), "box": f"box {data.get('box')}", "exposed": "face up"}
    names = [field.name for field in fields(action) if field.name in data and field.name != "by"]
    particulars = [words.get(name, str(data[name])) for name in names]
    who = "the house" if action.by == HOUSE else action.by
    return f"{who}: {' '.join([action.do, *particulars])}"


def _shown(round_: Any, people: list[str], seen: dict[str | None, list[str]]) -> Iterator[str]:
    """What has changed on the felt, for everybody and then for each whose eyes see more."""
    public = list(_felt(round_.view(None)))
    yield from (f"{INDENT}{line}" for line in public if line not in seen.get(None, []))
    seen[None] = public
    for who in people:
        own = [line for line in _felt(round_.view(who)) if line not in public]
        own += list(_offered(round_, who))
        yield from (f"{INDENT}({who}) {line}" for line in own if line not in seen.get(who, []))
        seen[who] = own


def _offered(round_: Any, who: str) -> Iterator[str]:
    actions = [action for action in round_.offers(who).actions if round_.phase != "betting"]
    if actions:
        yield "may " + ", ".join(told(action).split(": ", 1)[1] for action in actions)


def _felt(view: Any) -> Iterator[str]:
    """The felt in lines, each of which is shown when it is new."""
    if view.cut and view.cut.offered_to:
        yield f"the cut is offered to {view.cut.offered_to}"
    if view.burn:
        turned = f", {view.burn.indicator} turned up" if view.burn.indicator else ""
        yield f"burnt {view.burn.burnt}{turned}"
    for at, demo in enumerate(view.demos, start=1):
        yield f"demonstration {at}: {_hand(demo.player)} | {_hand(demo.banker)}"
        yield from _notes(demo.player.note, demo.banker.note, demo.outcome and demo.outcome.why)
    totals = [f"{spot.name} {Amount(spot.total)}" for spot in view.spots if spot.total]
    if totals:
        yield f"stakes: {', '.join(totals)}"
    yield from (f"taken down: {refusal.bet}: {_note(refusal.why)}" for refusal in view.refusals)
    yield from (f"lowered: {trim.bet} to {Amount(trim.left)}: {_note(trim.why)}" for trim in view.trims)
    if view.burnt:
        yield f"burnt at the start: {view.burnt}"
    if view.player.cards:
        yield f"{_hand(view.player)} | {_hand(view.banker)}"
    for hand in view.hands:
        if hand.holder:
            yield f"{hand.hand} is held by {hand.holder}"
    yield from _notes(view.player.note, view.banker.note, *view.notes, view.outcome and view.outcome.why)
    for paid in view.payouts:
        went = f"returned {Amount(paid.returned)}" + (f", carried {Amount(paid.carried)}" if paid.carried else "")
        fee = f", commission {Amount(paid.commission)}" if paid.commission else ""
        yield f"{paid.bet}: {Amount(paid.stake)} → {went}{fee}: {_note(paid.why)}"


def _hand(hand: Any) -> str:
    faces = " ".join(str(card.face) + "!" * card.exposed if card.face else "--" for card in hand.cards)
    return f"{hand.hand} {faces}" + (f" = {hand.total}" if hand.total is not None else "")


def _notes(*notes: Note | None) -> Iterator[str]:
    return (_note(note) for note in notes if note is not None)


def _note(note: Note) -> str:
    return f"{note.words} ({note.article})"
