"""What happened in a round, in words: each line of a log as one viewer saw it.

The words are made of what that viewer's views show before and after the line, never of the action's own card: a card
that lies face down for them is not named.
"""

from __future__ import annotations

from collections.abc import Mapping

from tables.felt.games import FELTS
from tables.games import GAMES
from tables.games.contract.actions import (
    HOUSE,
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
    Void,
    WhiteCard,
    Withdraw,
)
from tables.games.contract.round import Stake  # fmt: skip
from tables.games.values.words import Amount, Note, Words, say
from tables.queries.folds import LogEntry


def told(game: str, line: LogEntry, who: str, names: Mapping[str, str]) -> list[Note]:
    """What this line of the log did, and by which articles, as `who` saw it."""
    by: str | Words = say("The dealer") if line.action.by == HOUSE else names.get(line.action.by, line.action.by)
    ordered = FELTS[game].story.articles
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
            return [Note(ordered.get("withdraw", "") if stake.carried else "", words), *_gone_with(game, line, bet)]
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
            return [Note(ordered.get("move", "") if stake.carried else "", words), *_gone_with(game, line, bet)]
        case Ready():
            return [Note("", say("%(who)s is ready", who=by))]
        case Sit(seat=seat):
            return [Note("", say("%(who)s takes seat %(seat)s", who=by, seat=seat))]
        case Leave():
            if line.action.for_good:
                return [Note("", say("%(who)s has left the seat", who=by)), *_given_up(game, line, by, who)]
            return [Note("", say("%(who)s has left the seat, or the line has dropped", who=by))]
        case Cut():
            return [Note(ordered["cut"], say("%(who)s cuts the pack", who=by))]
        case Decline():
            if line.action.by == HOUSE:
                return [Note(ordered["cut"], say("The time is over: the cut is offered to all others"))]
            return [Note(ordered["cut"], say("%(who)s leaves the cut to the next", who=by))]
        case WhiteCard():
            return [Note(ordered["white"], say("The white card comes out")), *_new_notes(game, line, who)]
        case CloseBets():
            return [Note("", say("Bets are closed")), *FELTS[game].story.closed(GAMES[game].view(line.after, who))]
        case DrawCard():
            return FELTS[game].story.card(GAMES[game].view(line.before, who), GAMES[game].view(line.after, who))
        case Settle():
            return FELTS[game].story.settled(GAMES[game].view(line.before, who), GAMES[game].view(line.after, who))
        case GiveBack() if str(line.before.phase) != "return":
            return [Note("", say("The table closes: the stakes that were carried here go back to their bettors"))]
        case Void():
            return _new_notes(game, line, who)
        case action:
            before, after = (GAMES[game].view(round_, who) for round_ in (line.before, line.after))
            return FELTS[game].story.deed(action, by, names, before, after)


def _gone_with(game: str, line: LogEntry, bet: str) -> list[Note]:
    """The stakes that came back because the one that they need was taken away."""
    left = {stake.bet for stake in line.after.stakes()}
    return [
        Note(
            GAMES[game].spots[stake.spot].article,
            say(
                "%(amount)s on %(spot)s come back with it",
                amount=Amount(stake.amount), spot=GAMES[game].called(stake.spot, stake.box),
            ),
        )
        for stake in line.before.stakes()
        if stake.bet != bet and stake.bet not in left
    ]  # fmt: skip


def _given_up(game: str, line: LogEntry, by: str | Words, who: str) -> list[Note]:
    before, after = (GAMES[game].view(round_, who) for round_ in (line.before, line.after))
    return FELTS[game].story.left(line.action.by, by, before, after)


def _stake(line: LogEntry, bet: str) -> Stake:
    return next(stake for stake in line.before.stakes() if stake.bet == bet)


def _title(game: str, spot: str) -> Words:
    return GAMES[game].spots[spot].title


def _new_notes(game: str, line: LogEntry, who: str) -> list[Note]:
    before = GAMES[game].view(line.before, who).notes
    return [note for note in GAMES[game].view(line.after, who).notes if note not in before]
