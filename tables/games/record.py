"""The public record of a round: read it, play it, write one (see docs/record.md).

`outcome_of` plays a record and says what became of it; `record_of` writes the record of a stored log. Amounts are
integer cents. Whatever cannot be read or played is a RecordError that says what is wrong and where; what the rules
merely refuse stands in the outcome, and the rest is played.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from . import GAMES
from .cards import Card, card
from .money import is_whole_credits
from .options import options_json, read_options
from .protocol import (
    HOUSE,
    Action,
    CloseBets,
    Draw,
    DrawCard,
    Game,
    Opening,
    OptionError,
    PlaceBet,
    Refused,
    Round,
    Stake,
    Step,
    Void,
)
from .words import say

T = TypeVar("T")

DECISIONS = frozenset(
    (
        *("hit", "stand", "double", "split", "surrender", "even_money", "insurance", "claim_five_cards", "match"),
        *("raise", "fold"),
        "void",
    )
)
"""Every `do` that the format knows, of whatever game."""


class RecordError(ValueError):
    """The record cannot be read or played: what is wrong, and where."""


# ── Reading ─────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Decision:
    """One item of `decisions`."""

    by: str
    do: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A record that has been read: everything in it has its right type, and nothing has been played yet."""

    game: Game
    options: Any
    seats: Mapping[str, int]
    bets: tuple[Stake, ...]
    chance: tuple[Card, ...]
    decisions: tuple[Decision, ...]
    first_round: bool


def read(record: Any) -> Entry:
    """Read one record strictly. Raises RecordError. Keys that the format does not know are ignored."""
    if type(record) is not dict:
        raise RecordError("a record is a JSON object")
    game = GAMES.get(slug := _key(record, "game", str))
    if game is None:
        raise RecordError(f"game: there is no game {slug!r}")
    options = _options(game, record)
    seats = _seats(options, _key(record, "seats", dict, {}))
    bets = tuple(_bet(game, bet, f"bets[{at}]") for at, bet in enumerate(_key(record, "bets", list)))
    if len({bet.bet for bet in bets}) != len(bets):
        raise RecordError("bets: two have the same id")
    return Entry(
        game,
        options,
        seats,
        bets,
        _cards(game, options, _key(record, "chance", list)),
        tuple(_decision(item, f"decisions[{at}]") for at, item in enumerate(_key(record, "decisions", list, []))),
        _key(record, "first_round", bool, False),
    )


def _key(data: Mapping[str, Any], key: str, kind: type[T], default: T | None = None, where: str = "") -> T:
    """The value of a key, of exactly this type (a bool is no int); without a default it must be there."""
    place = f"{where}.{key}" if where else key
    if key not in data:
        if default is None:
            raise RecordError(f"{place} is missing")
        return default
    value = data[key]
    if type(value) is not kind:
        raise RecordError(f"{place} is not of type {_JSON_NAMES[kind]}")
    return value


_JSON_NAMES: Mapping[type, str] = {str: "text", int: "integer", bool: "true or false", dict: "object", list: "list"}


def _options(game: Game, record: Mapping[str, Any]) -> Any:
    given = _key(record, "options", dict, {})
    if "edition" in given:
        raise RecordError("options: there is no option edition")
    if "edition" in record:
        given = {**given, "edition": _key(record, "edition", str)}
    try:
        return read_options(game.options, given)
    except OptionError as error:
        raise RecordError(f"options: {error}") from error


def _seats(options: Any, given: Mapping[str, Any]) -> Mapping[str, int]:
    taken = set()
    for who in given:
        seat = _key(given, who, int, where="seats")
        if not 1 <= seat <= options.seats:
            raise RecordError(f"seats: the table has no seat {seat}")
        if seat in taken:
            raise RecordError(f"seats: two bettors in seat {seat}")
        taken.add(seat)
    return given


def _bet(game: Game, data: Any, where: str) -> Stake:
    if type(data) is not dict:
        raise RecordError(f"{where} is not an object")
    name = _key(data, "spot", str, where=where)
    spot = game.spots.get(name)
    carried = _key(data, "carried", bool, False, where)
    box = _key(data, "box", int, where=where) if "box" in data else None
    if carried and not (spot and spot.carries):
        raise RecordError(f"{where}: no stake is carried on {name}")
    if spot and spot.boxed and box is None:
        raise RecordError(f"{where}.box is missing")
    return Stake(
        bet=_key(data, "id", str, where=where),
        by=_key(data, "by", str, where=where),
        spot=name,
        amount=_key(data, "amount", int, where=where),
        box=box,
        carried=carried,
    )


def _cards(game: Game, options: Any, given: Sequence[Any]) -> tuple[Card, ...]:
    rules = game.shoe(options)
    assert rules is not None, f"{game.slug} is not dealt from a shoe"
    cards = []
    for at, text in enumerate(given):
        try:
            cards.append(card(text if type(text) is str else ""))
        except ValueError:
            raise RecordError(f"chance[{at}] is not a card") from None
    if len(cards) > rules.decks:
        most, count = Counter(cards).most_common(1)[0]
        if count > rules.decks:
            raise RecordError(f"chance: {count} cards {most} in {rules.decks} decks")
    return tuple(cards)


def _decision(data: Any, where: str) -> Decision:
    if type(data) is not dict:
        raise RecordError(f"{where} is not an object")
    do = _key(data, "do", str, where=where)
    if do not in DECISIONS:
        raise RecordError(f"{where}: there is no decision {do!r}")
    for number in ("box", "hand", "amount"):
        _key(data, number, int, 0, where)
    return Decision(_key(data, "by", str, where=where), do)


# ── Playing ─────────────────────────────────────────────────────────────────────────────────────────────────


def outcome_of(record: Any) -> dict[str, Any]:
    """Play one record and say what became of it, as the format describes. Raises RecordError."""
    entry = read(record)
    refused: dict[str, Refused] = {}
    round_ = _bet_on(entry, refused)
    no_decision: list[dict[str, Any]] = []
    for at, decision in enumerate(entry.decisions):
        if round_.over:
            no_decision.append(_refusal({"decision": at}, "", "the round is over"))
        elif decision.do == "void" and decision.by == HOUSE:
            round_ = round_.apply(Void())
        else:
            no_decision.append(_refusal({"decision": at}, "", "no such decision in this game"))
    if not round_.over:
        round_, used = _dealt(round_, entry.chance)
    else:
        used = len(entry.chance)
    accepted = [bet for bet in entry.bets if bet.bet not in refused]
    return {
        "result": round_.result(),
        **_accounts(round_, accepted),
        "refused": [
            _refusal({"id": bet.bet}, refused[bet.bet].article, str(refused[bet.bet].words))
            for bet in entry.bets
            if bet.bet in refused
        ]
        + no_decision,
        "chance_used": used,
    }


def _refusal(what: dict[str, Any], article: str, reason: str) -> dict[str, Any]:
    return {**what, "article": article, "reason": reason}


def _bet_on(entry: Entry, refused: dict[str, Refused]) -> Round:
    """The round when betting has closed; carried stakes lie there first."""
    carried = []
    for bet in entry.bets:
        if bet.carried:
            try:
                _check_carried(entry, bet)
                carried.append(bet)
            except Refused as error:
                refused[bet.bet] = error
    round_: Round = entry.game.opened(
        entry.options, Opening(entry.seats, tuple(carried), first_round=entry.first_round)
    )
    for bet in entry.bets:
        if not bet.carried:
            try:
                round_ = round_.apply(PlaceBet(bet.by, bet=bet.bet, spot=bet.spot, amount=bet.amount, box=bet.box))
            except Refused as error:
                refused[bet.bet] = error
    round_ = round_.apply(CloseBets())
    for refusal in round_.refusals:
        refused[refusal.bet] = Refused(refusal.why.article, refusal.why.words)
    return round_


def _check_carried(entry: Entry, bet: Stake) -> None:
    """A carried stake plays on whatever its size and whoever sits where; but it must be chips, on this layout."""
    if not is_whole_credits(bet.amount):
        raise Refused("credits", say("A stake is a whole number of credits, at least 1"))
    if bet.box is not None and not 1 <= bet.box <= entry.options.seats:
        raise Refused("", say("This layout has no box %(box)s", box=bet.box))


def _dealt(round_: Round, chance: Sequence[Card]) -> tuple[Round, int]:
    """The round played to its end with these cards, and how many it took; nobody decides anything himself."""
    used = 0
    while not round_.over:
        match round_.due() or round_.overdue():
            case Step(action):
                round_ = round_.apply(action)
            case Draw():
                if used == len(chance):
                    raise RecordError(f"chance: {used} cards are too few")
                round_ = round_.apply(DrawCard(card=chance[used]))
                used += 1
            case None:
                raise AssertionError(f"nothing is due in {round_.phase}")
    return round_, used


def _accounts(round_: Round, accepted: Sequence[Stake]) -> dict[str, Any]:
    """What each accepted bet and each bettor got; what was trimmed when betting closed came back too."""
    paid = {payout.bet: payout for payout in round_.payouts()}
    bets = []
    staked: dict[str, int] = {}
    returned: dict[str, int] = {}
    for bet in accepted:
        payout = paid.get(bet.bet)
        back = bet.amount if payout is None else bet.amount - payout.stake + payout.returned
        bets.append({"id": bet.bet, "returned": back, "carried": payout.carried if payout else 0})
        staked[bet.by] = staked.get(bet.by, 0) + (0 if bet.carried else bet.amount)
        returned[bet.by] = returned.get(bet.by, 0) + back
    return {"bets": bets, "staked": staked, "returned": returned}


# ── Files ───────────────────────────────────────────────────────────────────────────────────────────────────


def records_in(data: bytes) -> Iterator[bytes]:
    """The records of a file: one JSON text, or one a line; empty lines are none."""
    try:
        _parsed(data)
    except ValueError:
        yield from (line for line in data.split(b"\n") if line.strip())
    else:
        yield data


def outcome_line(data: bytes) -> tuple[bool, str]:
    """The outcome of one record written as JSON, as one line of JSON: `{"error": …}` if it cannot be read or played.

    Tells first whether it could.
    """
    try:
        return True, json.dumps(outcome_of(_parsed(data)))
    except RecordError as error:
        wrong = str(error)
    except ValueError as error:
        wrong = f"not JSON: {error}"
    except AssertionError as error:
        wrong = f"our own mistake: {error}"
    return False, json.dumps({"error": wrong})


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


# ── Writing ─────────────────────────────────────────────────────────────────────────────────────────────────


def record_of(game: Game, options: Any, opening: Opening, actions: Iterable[Action]) -> dict[str, Any]:
    """The public record of a finished round. Raises ValueError if the round is not over.

    The format knows no withdrawals: the bets are those that lay there when betting closed. Where another order of
    placing them would have met the limit of the difference on the way (they were moved or withdrawn meanwhile), the
    record shows them as they lay after closing, and without that limit.
    """
    round_: Round = game.opened(options, opening)
    before = round_
    chance = []
    closed = False
    for action in actions:
        if not closed:
            before = round_
        round_ = round_.apply(action)
        if closed and isinstance(action, DrawCard):
            chance.append(str(action.card))
        closed = closed or isinstance(action, CloseBets)
    if not round_.over:
        raise ValueError("only a round that is over has a record")
    written = options_json(options)
    record = {
        "game": game.slug,
        "edition": written.pop("edition"),
        "options": written,
        "seats": dict(before.seats),
        "bets": [_written(before, stake) for stake in before.stakes()],
        "chance": chance,
        "decisions": [{"by": HOUSE, "do": "void"}] if round_.is_void else [],
        "first_round": opening.first_round,
    }
    taken_down = {refusal.bet for refusal in round_.refusals}
    lay = [stake for stake in before.stakes() if stake.bet not in taken_down]
    played = outcome_of(record)
    if {key: played[key] for key in ("bets", "staked", "returned")} != _accounts(round_, lay):
        written["imbalance_limit"] = None
        record["bets"] = [_written(before, stake) for stake in round_.stakes()]
    return record


def _written(round_: Round, stake: Stake) -> dict[str, Any]:
    bet: dict[str, Any] = {"id": stake.bet, "by": stake.by, "spot": stake.spot, "amount": stake.amount}
    if stake.box is not None and (stake.carried or round_.seats.get(stake.by) == stake.box):
        bet["box"] = stake.box
    if stake.carried:
        bet["carried"] = True
    return bet
