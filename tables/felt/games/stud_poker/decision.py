"""Raise or fold: what a bettor is asked or has chosen."""

from __future__ import annotations

import json
from dataclasses import dataclass

from django.utils.translation import gettext, pgettext

from tables.felt.formatting import credits_of
from tables.games.codec import action_json
from tables.games.stud_poker.phases import Fold, Raise
from tables.games.stud_poker.view import Choice, PlayerView, View
from tables.games.values.words import Note, Words

from .words import automatic_words

KEYS = {Raise.do: "R", Fold.do: "F"}
"""The key of each decision."""


@dataclass(frozen=True, slots=True)
class Button:
    """One decision as it lies under the thumb: what is sent, what it costs, which key does the same.

    `warning`: what is asked once more before it is sent.
    """

    kind: str
    label: str
    send: str
    key: str
    cost: int
    means: Words
    warning: Note | None


@dataclass(frozen=True, slots=True)
class Panel:
    """What the bettor is asked or has chosen, which others may not know yet."""

    title: str
    more: str
    buttons: tuple[Button, ...] = ()
    short: str = ""

    @property
    def warned(self) -> Button | None:
        """The decision that is asked once more."""
        return next((button for button in self.buttons if button.warning is not None), None)


def panel_of(view: View, mine: PlayerView) -> Panel | None:
    question = view.question
    if question is None:
        return None
    if mine.choices:
        cost = max(choice.cost for choice in mine.choices)
        return Panel(
            title=gettext("Raise or fold?"),
            more=automatic_words(question),
            buttons=tuple(_button(choice) for choice in mine.choices),
            short=gettext("Your balance does not cover a raise of %(cost)s: you can only fold.")
            % {"cost": credits_of(cost)},
        )
    if mine.chosen is None:
        return None
    title = gettext("You raise") if mine.chosen == Raise.do else gettext("You fold")
    return Panel(title=title, more="" if question.in_turn else gettext("The others see it when all have decided."))


def _button(choice: Choice) -> Button:
    action = choice.action
    label = pgettext("stud poker", "Raise") if isinstance(action, Raise) else pgettext("stud poker", "Fold")
    sent = {name: value for name, value in action_json(action).items() if name != "by" and value is not None}
    return Button(action.do, label, json.dumps(sent), KEYS[action.do], choice.cost, choice.means, choice.warning)
