"""What a bettor is asked, and all that they may answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, pgettext

from tables.games.blackjack.hands import VALUES
from tables.games.blackjack.phases import (
    Asks,
    Claim,
    Double,
    EvenMoney,
    Hit,
    InHand,
    Insurance,
    Match,
    Pass,
    Split,
    Stand,
    Surrender,
)
from tables.games.blackjack.view import BankView, Choice, PlayerView, Question, View
from tables.games.codec import action_json
from tables.games.contract.actions import Action, Ready
from tables.games.values.words import Words

from .words import automatic_words, box_words, hand_of, total_words


@dataclass(frozen=True, slots=True)
class Button:
    """One decision as it lies under the thumb: what is sent, what it costs, which key does the same.

    `most` cents where the amount may be chosen, from `cost` upward.
    """

    kind: str
    label: str
    send: str
    key: str
    cost: int = 0
    returned: int = 0
    means: Words | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The decisions for one box."""

    title: str
    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """What the bettor is asked, and all that they may answer."""

    title: str
    automatic: str
    groups: tuple[Group, ...]
    chosen: bool = False


KEYS = {
    Hit.do: "H",
    Stand.do: "S",
    Double.do: "D",
    Split.do: "P",
    Surrender.do: "U",
    Insurance.do: "I",
    EvenMoney.do: "E",
    Match.do: "M",
    Pass.do: "N",
    Claim.do: "F",
    Ready.do: "Enter",
}
"""The key of each decision: none that the page itself uses while one is open."""


def panel_of(view: View, mine: PlayerView, names: Mapping[str, str]) -> Panel | None:
    question = view.question
    if question is None or not mine.choices:
        return None
    choices = sorted(mine.choices, key=lambda choice: not isinstance(choice.action, InHand))  # hit and stand come first
    early = question.asks is Asks.EARLY
    if not any(isinstance(choice.action, InHand) for choice in choices):  # to play is to have answered
        choices += [Choice(action) for action in mine.offers.actions if isinstance(action, Ready)]
    free: set[str] = set(KEYS.values())
    by_box: dict[int | None, list[Button]] = {}
    for choice in choices:
        box = getattr(choice.action, "box", None)
        by_box.setdefault(box, []).append(_button(choice, choices, free, view))
    last = by_box.pop(None, [])
    groups = [
        Group(_place(view, box) if early and len(by_box) > 1 else "", tuple(buttons))
        for box, buttons in by_box.items()
        if box is not None
    ]
    if last:
        groups.append(Group("", tuple(last)))
    return Panel(
        title=_ask(view, mine, question, names, by_box),
        automatic=automatic_words(question) if mine.asked else "",
        groups=tuple(groups),
        chosen=any(button.most is not None for group in groups for button in group.buttons),
    )


def _button(choice: Choice, among: Sequence[Choice], free: set[str], view: View) -> Button:
    action = choice.action
    key = KEYS.get(action.do, "")
    if key in free:
        free.discard(key)
    else:
        key = ""  # it belongs to the first of them
    return Button(
        kind=action.do,
        label=_label(action, among, view),
        send=json.dumps({name: value for name, value in action_json(action).items() if name != "by"}),
        key=key,
        cost=choice.cost,
        returned=choice.returned,
        means=choice.means,
        most=choice.most if choice.most is not None and choice.most > choice.cost else None,
    )


def _label(action: Action, among: Sequence[Choice], view: View) -> str:
    match action:
        case Hit():
            return pgettext("blackjack", "Hit")
        case Stand():
            return pgettext("blackjack", "Stand")
        case Double():
            return pgettext("blackjack", "Double")
        case Split():
            return pgettext("blackjack", "Split")
        case Surrender():
            return gettext("Surrender")
        case Insurance():
            return gettext("Insurance")
        case EvenMoney():
            return gettext("Even money")
        case Match():
            return gettext("Follow")
        case Claim():
            return gettext("Take the half")
        case Pass() if view.question is not None and view.question.asks is Asks.CLAIM:
            return gettext("Play on")
        case Pass():
            return gettext("Do not follow")
        case Ready() if any(isinstance(choice.action, Insurance) for choice in among):
            return gettext("No insurance")
        case Ready() if any(isinstance(choice.action, EvenMoney) for choice in among):
            return gettext("Wait for the bank")
        case _:
            return gettext("Play on")


def _place(view: View, box: int) -> str:
    hand = hand_of(view, box, 0)
    if hand is None or hand.total is None:
        return box_words(box)
    return gettext("%(box)s: %(total)s") % {"box": box_words(box), "total": total_words(hand.total, hand.soft)}


def _ask(
    view: View, mine: PlayerView, question: Question, names: Mapping[str, str], boxes: Iterable[int | None]
) -> str:
    """What this bettor is asked, in a few words."""
    shows = _shows(view.bank)
    if question.asks is Asks.EARLY:
        asked = [box for box in boxes if box is not None]
        if len(asked) == 1:
            return gettext("%(hand)s against %(card)s") % {"hand": _place(view, asked[0]), "card": shows}
        return gettext("The bank shows %(card)s") % {"card": shows}
    box = next(one for one in view.boxes if one.number == question.box)
    place = box_words(box.number, question.hand, len(box.hands))
    hand = hand_of(view, question.box, question.hand)
    total = total_words(hand.total, hand.soft) if hand is not None and hand.total is not None else ""
    values: dict[str, object] = {
        "box": place,
        "total": total,
        "card": shows,
        "decider": names.get(box.decider or "", ""),
    }
    match question.asks:
        case Asks.MATCH_DOUBLE:
            return gettext("%(box)s: %(decider)s doubles") % values
        case Asks.MATCH_SPLIT:
            return gettext("%(box)s: %(decider)s splits") % values
        case Asks.CLAIM:
            return gettext("%(box)s: five cards, %(total)s") % values
        case _:
            return gettext("%(box)s: %(total)s against %(card)s") % values


def _shows(bank: BankView) -> str:
    """The bank's open card, as far as it matters."""
    face = bank.cards[0].face if bank.cards else None
    if face is None:
        return ""
    return gettext("an ace") if face.rank == "A" else str(VALUES[face.rank])
