"""What happened in a round, in words: each line of a log as one viewer saw it.

The words are made of what that viewer's views show before and after the line, never of the action's own card: a card
that lies face down for him is not named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from tables.games import GAMES
from tables.games.protocol import (
    HOUSE,
    Action,
    CloseBets,
    Cut,
    Decline,
    DrawCard,
    Leave,
    Lower,
    Move,
    PlaceBet,
    Ready,
    Settle,
    Sit,
    Stake,
    Void,
    WhiteCard,
    Withdraw,
)  # fmt: skip
from tables.games.words import Amount, Note, Words, say
from tables.queries import Line
from tables.telling import baccarat


class Telling(Protocol):
    """What only a game itself can tell: one module a game."""

    def card(self, before: Any, after: Any) -> list[Note]:
        """Where a card went and what ordered it, by the viewer's views before and after."""

    def settled(self, view: Any) -> list[Note]:
        """How the round ended."""

    def deed(self, action: Action, by: str | Words, names: Mapping[str, str]) -> list[Note]:
        """An action that only this game knows."""


TELLINGS: Mapping[str, Telling] = {"baccarat": baccarat}


def told(game: str, line: Line, who: str, names: Mapping[str, str]) -> list[Note]:
    """What this line of the log did, and by which articles, as `who` saw it."""
    by: str | Words = say("The dealer") if line.action.by == HOUSE else names.get(line.action.by, line.action.by)
    match line.action:
        case PlaceBet(spot=spot, amount=amount, box=None):
            place = GAMES[game].spots[spot]
            words = say("%(who)s stakes %(amount)s on %(spot)s", who=by, amount=Amount(amount), spot=place.title)
            return [Note(place.article, words)]
        case PlaceBet(spot=spot, amount=amount, box=box):
            place = GAMES[game].spots[spot]
            return [
                Note(
                    place.article,
                    say(
                        "%(who)s stakes %(amount)s on %(spot)s, box %(box)s",
                        who=by, amount=Amount(amount), spot=place.title, box=box or 0,
                    ),
                )
            ]  # fmt: skip
        case Withdraw(bet=bet):
            stake = _stake(line, bet)
            words = say(
                "%(who)s withdraws %(amount)s from %(spot)s",
                who=by, amount=Amount(stake.amount), spot=_title(game, stake.spot),
            )  # fmt: skip
            return [Note("12(1)" if stake.carried else "", words)]
        case Lower(bet=bet, amount=amount):
            stake = _stake(line, bet)
            words = say(
                "%(who)s takes %(amount)s off %(spot)s",
                who=by, amount=Amount(amount), spot=_title(game, stake.spot),
            )  # fmt: skip
            return [Note("12(3)(1)" if stake.carried else "", words)]
        case Move(bet=bet, spot=spot):
            stake = _stake(line, bet)
            words = say(
                "%(who)s moves %(amount)s from %(spot)s to %(other)s",
                who=by, amount=Amount(stake.amount), spot=_title(game, stake.spot), other=_title(game, spot),
            )  # fmt: skip
            return [Note("12(3)(2)" if stake.carried else "", words)]
        case Ready():
            return [Note("", say("%(who)s is ready", who=by))]
        case Sit(seat=seat):
            return [Note("", say("%(who)s takes seat %(seat)s", who=by, seat=seat))]
        case Leave():
            return [Note("", say("%(who)s has left the seat, or the line has dropped", who=by))]
        case Cut():
            return [Note("2(1)", say("%(who)s cuts the pack", who=by))]
        case Decline():
            return [Note("2(1)", say("%(who)s leaves the cut to the next", who=by))]
        case WhiteCard():
            return [Note("3(1)", say("The white card comes out")), *_new_notes(line, who)]
        case CloseBets():
            return [Note("", say("Bets are closed")), *_closing(line, who)]
        case DrawCard():
            return TELLINGS[game].card(line.before.view(who), line.after.view(who))
        case Settle():
            return TELLINGS[game].settled(line.after.view(who))
        case Void():
            return _new_notes(line, who)
        case action:
            return TELLINGS[game].deed(action, by, names)


def _stake(line: Line, bet: str) -> Stake:
    return next(stake for stake in line.before.stakes() if stake.bet == bet)


def _title(game: str, spot: str) -> Words:
    return GAMES[game].spots[spot].title


def _closing(line: Line, who: str) -> list[Note]:
    """What was taken down or trimmed of the viewer's own stakes."""
    mine = line.after.view(who).mine
    return [taken.why for taken in (*mine.refusals, *mine.trims)]


def _new_notes(line: Line, who: str) -> list[Note]:
    before = line.before.view(who).notes
    return [note for note in line.after.view(who).notes if note not in before]
