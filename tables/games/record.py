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
from functools import lru_cache
from typing import TypeVar

from tables.games.contract.actions import (
    HOUSE,
    Action,
    Chance,
    CloseBets,
    Draw,
    DrawCard,
    HouseStep,
    Meter,
    NullThrow,
    PlaceBet,
    Seal,
    Step,
    Unseal,
    Void,
)
from tables.games.contract.decisions import Decision
from tables.games.contract.errors import OptionError, Refused
from tables.games.contract.game import Game, ShoeRules
from tables.games.contract.options import TableOptions
from tables.games.contract.round import Opening, Pace, Round, Stake
from tables.games.shared.options import options_json, read_options
from tables.games.values.cards import Card, card
from tables.games.values.json import JsonObject
from tables.games.values.money import is_whole_credits
from tables.games.values.words import say

from . import GAMES

T = TypeVar("T")

DECISIONS = frozenset(
    (
        *("hit", "stand", "double", "split", "surrender", "even_money", "insurance", "claim_five_cards", "match"),
        *("raise", "fold"),
        "void",
    )
)
"""Every `do` that the format knows, of whatever game."""


A_BETTOR_CALLED_HOUSE = "\0house"
"""How the rules know a bettor whose name in the record is that of the house."""

VOID: JsonObject = {"by": HOUSE, "do": "void"}


class RecordError(ValueError):
    """The record cannot be read or played: what is wrong, and where."""


class TooFewError(RecordError):
    """The record holds less chance than its round takes."""


# ── Reading ─────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Entry:
    """A record that has been read: everything in it has its right type, and nothing has been played yet."""

    game: Game
    options: TableOptions
    seats: Mapping[str, int]
    bets: tuple[Stake, ...]
    chance: tuple[Card | int | None, ...]
    decisions: tuple[Decision, ...]
    first_round: bool
    pool: int | None = None


def read(record: object) -> Entry:
    """Read one record strictly. Raises RecordError. Keys that the format does not know are ignored."""
    if type(record) is not dict:
        raise RecordError("a record is a JSON object")
    game = GAMES.get(slug := _key(record, "game", str))
    if game is None:
        raise RecordError(f"game: there is no game {slug!r}")
    options = _options(game, record)
    seats = _seats(options, _key(record, "seats", dict, {}))
    by_spot = game.throw(options) is not None or any(spot.boxed for spot in game.spots.values())
    bets = tuple(_bet(game, options, bet, f"bets[{at}]", by_spot) for at, bet in enumerate(_key(record, "bets", list)))
    if len({bet.bet for bet in bets}) != len(bets):
        raise RecordError("bets: two have the same id")
    return Entry(
        game,
        options,
        seats,
        bets,
        _chance(game, options, _key(record, "chance", list)),
        tuple(_decision(item, f"decisions[{at}]") for at, item in enumerate(_key(record, "decisions", list, []))),
        _key(record, "first_round", bool, False),
        _pool(game, options, record),
    )


def _pool(game: Game, options: TableOptions, record: JsonObject) -> int | None:
    """What the meter of the jackpot showed; left out, its minimum. None if the game has no jackpot."""
    rules = game.pool(options)
    if rules is None:
        return None
    pool = _key(_key(record, "jackpot", dict, {}), "pool", int, rules.minimum, "jackpot")
    if pool < 0:
        raise RecordError("jackpot.pool is below zero")
    return pool


def _key(data: JsonObject, key: str, kind: type[T], default: T | None = None, where: str = "") -> T:
    """The value of a key, of exactly this type (a bool is no int); without a default it must be there."""
    if key not in data:
        if default is not None:
            return default
        wrong = "is missing"
    elif type(value := data[key]) is kind:
        return value
    else:
        wrong = f"is not of type {_JSON_NAMES[kind]}"
    raise RecordError(f"{where}.{key} {wrong}" if where else f"{key} {wrong}")


_JSON_NAMES: Mapping[type, str] = {str: "text", int: "integer", bool: "true or false", dict: "object", list: "list"}


def _options(game: Game, record: JsonObject) -> TableOptions:
    given = _key(record, "options", dict, {})
    if "edition" in given:
        raise RecordError("options: there is no option edition")
    if "edition" in record:
        given = {**given, "edition": _key(record, "edition", str)}
    try:
        return _options_like(game.slug, _SORTED.encode(given))
    except OptionError as error:
        raise RecordError(f"options: {error}") from error


@lru_cache(maxsize=1024)
def _options_like(game: str, written: str) -> TableOptions:
    """Options as they are written; many records of a file have the same."""
    options: TableOptions = read_options(GAMES[game].options, json.loads(written))
    return options


def _seats(options: TableOptions, given: JsonObject) -> Mapping[str, int]:
    taken = set()
    for who in given:
        seat = _key(given, who, int, where="seats")
        if not 1 <= seat <= options.seats:
            raise RecordError(f"seats: the table has no seat {seat}")
        if seat in taken:
            raise RecordError(f"seats: two bettors in seat {seat}")
        taken.add(seat)
    return {_bettor(who): seat for who, seat in given.items()}


def _bettor(name: str) -> str:
    return A_BETTOR_CALLED_HOUSE if name == HOUSE else name


def _name(bettor: str) -> str:
    return HOUSE if bettor == A_BETTOR_CALLED_HOUSE else bettor


def _bet(game: Game, options: TableOptions, data: object, where: str, by_spot: bool) -> Stake:
    """A bet of the list; `by_spot` if its spot says whether it has a box."""
    if type(data) is not dict:
        raise RecordError(f"{where} is not an object")
    name = _key(data, "spot", str, where=where)
    spot = game.spots.get(name)
    carried = _key(data, "carried", bool, False, where)
    box = _key(data, "box", int, where=where) if "box" in data else None
    if carried and not (spot and spot.carries and game.carries(options)):
        raise RecordError(f"{where}: no stake is carried on {name}")
    if spot and spot.boxed and box is None:
        raise RecordError(f"{where}.box is missing")
    if spot and not spot.boxed and by_spot:
        box = None  # it belongs to the whole table, and the format knows no box of it
    return Stake(
        bet=_key(data, "id", str, where=where),
        by=_bettor(_key(data, "by", str, where=where)),
        spot=name,
        amount=_key(data, "amount", int, where=where),
        box=box,
        carried=carried,
    )


def _chance(game: Game, options: TableOptions, given: Sequence[object]) -> tuple[Card | int | None, ...]:
    """Cards, or numbers that were thrown; None for a throw that did not count."""
    rules = game.shoe(options)
    if rules is not None:
        return _cards(rules, given)
    throw = game.throw(options)
    assert throw is not None, f"{game.slug} has neither cards nor throws"
    thrown: list[int | None] = []
    for at, number in enumerate(given):
        if type(number) is int and throw.allows(number):
            thrown.append(number)
        elif throw.null and number is None:
            thrown.append(None)
        else:
            raise RecordError(f"chance[{at}] is not from {throw.least} to {throw.most}")
    return tuple(thrown)


def _cards(rules: ShoeRules, given: Sequence[object]) -> tuple[Card, ...]:
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


def _decision(data: object, where: str) -> Decision:
    if type(data) is not dict:
        raise RecordError(f"{where} is not an object")
    do = _key(data, "do", str, where=where)
    if do not in DECISIONS:
        raise RecordError(f"{where}: there is no decision {do!r}")
    by = _key(data, "by", str, where=where)
    return Decision(
        by if do == "void" else _bettor(by),
        do,
        box=_key(data, "box", int, where=where) if "box" in data else None,
        hand=_key(data, "hand", int, 0, where),
        amount=_key(data, "amount", int, where=where) if "amount" in data else None,
    )


# ── Playing ─────────────────────────────────────────────────────────────────────────────────────────────────


def outcome_of(record: object) -> JsonObject:
    """Play one record and say what became of it, as the format describes. Raises RecordError."""
    entry = read(record)
    refused: dict[str, Refused] = {}
    play = _Play(entry, _bet_on(entry, refused))
    not_taken = [
        _refusal({"decision": at}, error.article, str(error.words))
        for at in range(len(entry.decisions))
        if (error := play.decide(at)) is not None
    ]
    play.finish()
    accepted = [bet for bet in entry.bets if bet.bet not in refused]
    if entry.game.throw(entry.options) is not None:
        accepted.sort(key=lambda bet: not bet.carried)  # the examples of these games tell them in the order they lie
    return {
        "result": _told(play.round.result()),
        **_accounts(play.round, accepted),
        "refused": [
            _refusal({"id": bet.bet}, refused[bet.bet].article, str(refused[bet.bet].words))
            for bet in entry.bets
            if bet.bet in refused
        ]
        + not_taken,
        "chance_used": play.used,
    }


class _Play:
    """A round that is played on with the cards and the decisions of a record; `used` cards have been dealt of them."""

    def __init__(self, entry: Entry, round_: Round) -> None:
        self.round = round_
        self.used = 0
        self._chance = entry.chance
        self._thrown = entry.game.throw(entry.options)
        self._pool = entry.pool
        self._decisions = entry.decisions
        self._knows = entry.game.decisions
        self._nothing_dealt = round_.over
        self._void = False

    def decide(self, at: int) -> Refused | None:
        """Take decision `at` of the list, all before it having been taken; why it was refused, if it was.

        Whatever the house owes to people comes first, and those whom it passes over take the automatic decision. The
        bank does not play before the list has ended. A void that is the first decision takes what there is of the deal.
        """
        item = self._decisions[at]
        voids = item.do == "void" and item.by == HOUSE
        if self._void or (self._nothing_dealt and not voids):
            return Refused("", say("The round is over"))
        if not (self._nothing_dealt or (voids and at == 0)):
            self._serve()
            before = self._decisions[:at]
            while self._knows.lets_pass(self.round, item, before):
                self._do(self.round.on_timeout())
                self._serve()
        if voids:
            self._end_void()
            return None
        action = self._knows.action_of(self.round, item)
        if action is None:
            return Refused("", say("There is no such decision in this game"))
        try:
            self.round = self.round.apply(action)
        except Refused as error:
            return error
        return None

    def _end_void(self) -> None:
        self._void = True
        if not self._nothing_dealt:
            self.round = self.round.apply(Void())
            self.used = len(self._chance)

    def finish(self) -> None:
        """Play to the end: whoever is still asked takes the automatic decision."""
        while not self.round.over:
            self._do(self.round.next_house_step() or self.round.on_timeout())

    def _serve(self) -> None:
        """Do what the house owes until it waits for somebody, or nobody will be asked any more."""
        while not self._knows.all_decided(self.round) and (due := self.round.next_house_step()) is not None:
            self._do(due)

    def _do(self, due: HouseStep | None) -> None:
        match due:
            case Step(action):
                self.round = self.round.apply(action)
            case Draw(Chance.CARD):
                if self.used == len(self._chance):
                    raise TooFewError(f"chance: {self.used} cards are too few")
                card = self._chance[self.used]
                assert isinstance(card, Card)
                self.round = self.round.apply(DrawCard(card=card))
                self.used += 1
            case Draw(Chance.POOL):
                assert self._pool is not None, "this game has no jackpot"
                self.round = self.round.apply(Meter(pool=self._pool))
            case Draw(Chance.SEAL):
                self.round = self.round.apply(Seal(commitment=""))
            case Draw(Chance.OPEN):
                self._throw()
            case _:
                raise AssertionError(f"nothing is due in {self.round.phase}")

    def _throw(self) -> None:
        """The next throw of the list; one that did not count is thrown again."""
        throw = self._thrown
        assert throw is not None, "this game throws nothing"
        if self._chance[self.used : self.used + 1] == (None,):
            self.round = self.round.apply(NullThrow())
            self.used += 1
            return
        values = self._chance[self.used : self.used + throw.count]
        if len(values) < throw.count:
            raise TooFewError(f"chance: {len(self._chance)} numbers are too few")
        self.round = self.round.apply(Unseal(values=tuple(value for value in values if isinstance(value, int))))
        self.used += throw.count


def _told(result: JsonObject) -> JsonObject:
    """The result with bettors called as in the record."""
    if (jackpot := result.get("jackpot")) is not None:
        jackpot["prizes"] = {_name(who): prize for who, prize in jackpot["prizes"].items()}
    return result


def _refusal(what: JsonObject, article: str, reason: str) -> JsonObject:
    return {**what, "article": article, "reason": reason}


def _bet_on(entry: Entry, refused: dict[str, Refused]) -> Round:
    """The round when betting has closed, void if nothing is dealt; carried stakes lie there first."""
    carried: list[Stake] = []
    for bet in entry.bets:
        if bet.carried:
            try:
                _check_carried(entry, bet)
                entry.game.check_carried(carried, bet)
                carried.append(bet)
            except Refused as error:
                refused[bet.bet] = error
    round_: Round = entry.game.opened(
        entry.options, Opening(entry.seats, tuple(carried), first_round=entry.first_round)
    )
    if round_.next_house_step() == Draw(Chance.SEAL):
        round_ = round_.apply(Seal(commitment=""))
    single = set()
    for bet in sorted(entry.bets, key=lambda bet: _needs_another(entry.game, bet)):
        if not bet.carried:
            place = (bet.by, bet.spot, bet.box)
            try:
                if place in single:
                    raise Refused("", say("This bettor has a stake there already"))
                round_ = round_.apply(PlaceBet(bet.by, bet=bet.bet, spot=bet.spot, amount=bet.amount, box=bet.box))
                if entry.game.spots[bet.spot].single:
                    single.add(place)
            except Refused as error:
                refused[bet.bet] = error
    round_ = round_.apply(CloseBets())
    for refusal in round_.refusals:
        refused[refusal.bet] = Refused(refusal.why.article, refusal.why.words)
    match round_.next_house_step():
        case Step(Void() as void):
            round_ = round_.apply(void)
    return round_


def _needs_another(game: Game, bet: Stake) -> bool:
    """Whether a bet is accepted only with another on the table, wherever that stands in the list."""
    spot = game.spots.get(bet.spot)
    return spot is not None and bool(spot.needs)


def _check_carried(entry: Entry, bet: Stake) -> None:
    """A carried stake plays on whatever its size and whoever sits where; but it must be chips, on this layout."""
    if not is_whole_credits(bet.amount):
        raise Refused("credits", say("A stake is a whole number of credits, at least 1"))
    if bet.box is not None and not 1 <= bet.box <= entry.options.seats:
        raise Refused("", say("This layout has no box %(box)s", box=bet.box))


def _accounts(round_: Round, accepted: Sequence[Stake]) -> JsonObject:
    """What each accepted bet and each bettor got, with all that grew out of a bet (doubles, splits, insurance); what
    was trimmed when betting closed came back too."""
    paid: dict[str, tuple[int, int]] = {}
    for payout in round_.payouts():
        laid, back = paid.get(payout.bet, (0, 0))
        paid[payout.bet] = (laid + payout.stake, back + payout.returned)
    lying = {stake.bet: stake.amount for stake in round_.stakes()}
    carried = {stake.bet: stake.amount for stake in round_.carried()}
    bets = []
    staked: dict[str, int] = {}
    returned: dict[str, int] = {}
    for bet in accepted:
        laid, back = paid.get(bet.bet, (0, 0))
        back += bet.amount - lying.get(bet.bet, 0)
        who = _name(bet.by)
        bets.append({"id": bet.bet, "returned": back, "carried": carried.get(bet.bet, 0)})
        staked[who] = staked.get(who, 0) + (0 if bet.carried else max(bet.amount, laid))
        returned[who] = returned.get(who, 0) + back
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


def _parsed(data: bytes) -> object:
    try:
        return _STRICT.decode(data.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


_STRICT, _SORTED = json.JSONDecoder(parse_constant=_no_constant), json.JSONEncoder(sort_keys=True)


# ── Writing ─────────────────────────────────────────────────────────────────────────────────────────────────


def record_of(game: Game, options: TableOptions, opening: Opening, actions: Iterable[Action]) -> JsonObject:
    """The public record of a finished round. Raises ValueError if the round is not over.

    The format knows no withdrawals: the bets are those that lay there when betting closed. Where another order of
    placing them would have met the limit of the difference on the way (they were moved or withdrawn meanwhile), the
    record shows them as they lay after closing, and without that limit. There a void comes after the cards owed:
    decisions whose cards it stopped are left out, and their stakes, which came back with the rest.
    """
    round_: Round = game.opened(options, opening)
    before = round_
    throw = game.throw(options)
    chance: list[str | int | None] = []
    decisions = []
    closed = dealt = False
    pool = None
    for action in actions:
        if not closed:
            before = round_
        elif isinstance(action, DrawCard):
            dealt = True
            if not game.decisions.is_put_aside(round_, action):
                chance.append(str(action.card))
        elif (item := game.decisions.item_of(round_, action)) is not None:
            decisions.append(_decided(item))
        match action:
            case Meter():
                pool = action.pool
            case Unseal():
                chance.extend(action.values)
            case NullThrow() if throw is not None and throw.null:
                chance.append(None)
        if isinstance(action, Void) and (dealt or throw or round_.next_house_step() != Step(action)):
            decisions.append(VOID)
        round_ = round_.apply(action)
        closed = isinstance(action, CloseBets) or (closed and round_.pace is not Pace.BETTING)
    if not round_.over:
        raise ValueError("only a round that is over has a record")
    written = {name: value for name, value in options_json(options).items() if name not in game.beside_records}
    record = {
        "game": game.slug,
        "edition": written.pop("edition"),
        "options": written,
        "seats": dict(game.seating(before)),
        "bets": [_written(game, options, before, stake) for stake in before.stakes()],
        "chance": chance,
        "decisions": decisions,
        "first_round": opening.first_round,
    }
    if pool is not None:
        record["jackpot"] = {"pool": pool}
    while len(decisions) > 1 and _lacks_cards(record):
        del decisions[-2]  # before the void
    if "imbalance_limit" in written:
        taken_down = {refusal.bet for refusal in round_.refusals}
        lay = [stake for stake in before.stakes() if stake.bet not in taken_down]
        played = outcome_of(record)
        if {key: played[key] for key in ("bets", "staked", "returned")} != _accounts(round_, lay):
            written["imbalance_limit"] = None
            record["bets"] = [_written(game, options, before, stake) for stake in round_.stakes()]
    return record


def _lacks_cards(record: JsonObject) -> bool:
    """Whether a decision of this void round asks for cards that were never dealt."""
    if record["decisions"][-1] != VOID:
        return False
    try:
        outcome_of(record)
    except TooFewError:
        return True
    return False


def _decided(item: Decision) -> JsonObject:
    decision: JsonObject = {"by": item.by, "do": item.do}
    if item.box is not None:
        decision["box"] = item.box
    if item.hand:
        decision["hand"] = item.hand
    if item.amount is not None:
        decision["amount"] = item.amount
    return decision


def _written(game: Game, options: TableOptions, round_: Round, stake: Stake) -> JsonObject:
    bet: JsonObject = {"id": stake.bet, "by": stake.by, "spot": stake.spot, "amount": stake.amount}
    boxed = game.spots[stake.spot].boxed or stake.carried
    if stake.box is not None and (boxed or round_.seats.get(stake.by) == stake.box):
        bet["box"] = stake.box
    if stake.carried and game.carries(options):
        bet["carried"] = True
    return bet
