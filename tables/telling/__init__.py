"""What happened in a round, in words: each line of a log as one viewer saw it.

The words are made of what that viewer's views show before and after the line, never of the action's own card: a card
that lies face down for them is not named.
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
    GiveBack,
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
from tables.telling import baccarat, blackjack, cussec, roulette, stud_poker, three_card_baccarat


class Telling(Protocol):
    """What only a game itself can tell: one module a game. Views are the viewer's, before and after the line.

    `ARTICLES` says what orders that which all games have: `cut` and `white`, and with carried stakes `withdraw`,
    `lower` and `move`.
    """

    @property
    def ARTICLES(self) -> Mapping[str, str]: ...  # noqa: N802 (a module's constant)

    def card(self, before: Any, after: Any) -> list[Note]:
        """Where a card went and what ordered it."""

    def closed(self, view: Any) -> list[Note]:
        """What became of the viewer's own stakes when betting closed."""

    def settled(self, before: Any, after: Any) -> list[Note]:
        """How the round ended."""

    def deed(self, action: Action, by: str | Words, names: Mapping[str, str], before: Any, after: Any) -> list[Note]:
        """An action that only this game knows."""


TELLINGS: Mapping[str, Telling] = {
    "baccarat": baccarat,
    "blackjack": blackjack,
    "cussec": cussec,
    "roulette": roulette,
    "stud_poker": stud_poker,
    "three_card_baccarat": three_card_baccarat,
}


def told(game: str, line: Line, who: str, names: Mapping[str, str]) -> list[Note]:
    """What this line of the log did, and by which articles, as `who` saw it."""
    by: str | Words = say("The dealer") if line.action.by == HOUSE else names.get(line.action.by, line.action.by)
    ordered = TELLINGS[game].ARTICLES
    match line.action:
        case PlaceBet(spot=spot, amount=amount, box=box) if box is None or GAMES[game].spots[spot].boxed:
            called = GAMES[game].called(spot, box)
            words = say("%(who)s stakes %(amount)s on %(spot)s", who=by, amount=Amount(amount), spot=called)
            return [Note(GAMES[game].spots[spot].article, words)]
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
            return [Note(ordered.get("withdraw", "") if stake.carried else "", words)]
        case Lower(bet=bet, amount=amount):
            stake = _stake(line, bet)
            words = say(
                "%(who)s takes %(amount)s off %(spot)s",
                who=by, amount=Amount(amount), spot=_title(game, stake.spot),
            )  # fmt: skip
            return [Note(ordered.get("lower", "") if stake.carried else "", words)]
        case Move(bet=bet, spot=spot):
            stake = _stake(line, bet)
            words = say(
                "%(who)s moves %(amount)s from %(spot)s to %(other)s",
                who=by, amount=Amount(stake.amount), spot=_title(game, stake.spot), other=_title(game, spot),
            )  # fmt: skip
            return [Note(ordered.get("move", "") if stake.carried else "", words)]
        case Ready():
            return [Note("", say("%(who)s is ready", who=by))]
        case Sit(seat=seat):
            return [Note("", say("%(who)s takes seat %(seat)s", who=by, seat=seat))]
        case Leave():
            return [Note("", say("%(who)s has left the seat, or the line has dropped", who=by))]
        case Cut():
            return [Note(ordered["cut"], say("%(who)s cuts the pack", who=by))]
        case Decline():
            return [Note(ordered["cut"], say("%(who)s leaves the cut to the next", who=by))]
        case WhiteCard():
            return [Note(ordered["white"], say("The white card comes out")), *_new_notes(line, who)]
        case CloseBets():
            return [Note("", say("Bets are closed")), *TELLINGS[game].closed(line.after.view(who))]
        case DrawCard():
            return TELLINGS[game].card(line.before.view(who), line.after.view(who))
        case Settle():
            return TELLINGS[game].settled(line.before.view(who), line.after.view(who))
        case GiveBack() if str(line.before.phase) != "return":
            return [Note("", say("The table closes: the stakes that were carried here go back to their bettors"))]
        case Void():
            return _new_notes(line, who)
        case action:
            return TELLINGS[game].deed(action, by, names, line.before.view(who), line.after.view(who))


def _stake(line: Line, bet: str) -> Stake:
    return next(stake for stake in line.before.stakes() if stake.bet == bet)


def _title(game: str, spot: str) -> Words:
    return GAMES[game].spots[spot].title


def _new_notes(line: Line, who: str) -> list[Note]:
    before = line.before.view(who).notes
    return [note for note in line.after.view(who).notes if note not in before]
