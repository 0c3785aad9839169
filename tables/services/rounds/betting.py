"""Stakes: bets placed, and what a bettor laid taken back, all or the last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.refs import digest, message_of, one_of, own_ref
from tables.games.codec import action_from
from tables.games.contract.actions import Lower, PlaceBet, Withdraw
from tables.games.contract.errors import Refused
from tables.games.shared.stakes import Place
from tables.games.values.words import say
from tables.models import RoundLog
from tables.models.bettors import Bettor, bettor_of
from tables.queries.folds import entries_of, game_of
from tables.services.players import restrictions

from .budget import Budget
from .decisions import in_time, no_such_round, once
from .round_session import Accepted, Answer, RoundSession, locked_round


@dataclass(frozen=True, slots=True)
class BetRequest:
    """A player asks to stake `amount` cents on `spot` (of `box`, or of the common area).

    `payload` tells all that the message asked for of which this is a part; by default this bet alone.
    """

    player: int
    ref: str
    spot: str
    amount: int
    box: int | None = None
    payload: str = ""

    @property
    def own_ref(self) -> str:
        """The ref, within its player's own."""
        return own_ref(bettor_of(self.player), self.ref)

    @property
    def asked(self) -> str:
        """The digest of what is asked under this ref."""
        return self.payload or digest("bet", self.spot, self.amount, self.box)


def requests_of(player: int, ref: str, chips: Iterable[tuple[str, int, int | None]]) -> list[BetRequest]:
    """The bets of one message, of which each chip says its spot, its cents and its box: chips for the same place are
    one bet, where the first of them stood."""
    cents: dict[tuple[str, int | None], int] = {}
    for spot, amount, box in chips:
        cents[spot, box] = cents.get((spot, box), 0) + amount
    bets = [(spot, amount, box) for (spot, box), amount in cents.items()]
    payload = digest("bets", bets)
    return [BetRequest(player, one_of(ref, at), *bet, payload) for at, bet in enumerate(bets)]


def place_many(round_id: int, requests: Sequence[BetRequest], *, clock: Clock = DATABASE_CLOCK) -> list[Answer]:
    """Place a burst of bets in one round, in order, in one transaction: an answer each, one's refusal is no other's."""
    players = {request.player for request in requests}
    try:
        with locked_round(round_id, players=players, clock=clock) as session:
            restricted = restrictions.Stakes(players, session.log.table.realm, session.now)
            budget = Budget(session, players)
            session.refusals.read([request.own_ref for request in requests])
            return [_place_one(session, request, restricted, budget) for request in requests]
    except RoundLog.DoesNotExist:
        return [no_such_round() for _ in requests]


def _place_one(session: RoundSession, request: BetRequest, restricted: restrictions.Stakes, budget: Budget) -> Answer:
    bettor, ref, asked = bettor_of(request.player), request.own_ref, request.asked
    bet = PlaceBet(bettor, f"{session.log.pk}-{session.version + 1}", request.spot, request.amount, request.box)

    def deed() -> None:
        in_round = restricted.check_is_due(request.player) and _has_staked(session, bettor)
        if (why := restricted.refused(request.player, request.amount, in_round=in_round)) is not None:
            raise why
        try:
            budget.check(bet)
            in_time(session)
            session.act(bet, ref, asked)
        except Refused as refusal:
            if refusal.most is not None and not session.takes(replace(bet, amount=refusal.most)):
                refusal.most = None  # what is within the limit would be refused for another reason
            raise
        restricted.laid(request.player, request.amount)

    return session.once(ref, asked, deed)


def _has_staked(session: RoundSession, bettor: Bettor) -> bool:
    return any(stake.by == bettor and not stake.carried for stake in session.round.stakes())


def clear(player: int, round_id: int, ref: str, *, clock: Clock = DATABASE_CLOCK) -> Accepted:
    """Take back all that may be taken back, but for what is carried, in one transaction. Raises Refused if there is
    nothing."""
    bettor, payload = bettor_of(player), digest("clear")
    own = own_ref(bettor, ref)

    def deed(session: RoundSession) -> None:
        in_time(session)
        offered = [one.bet for one in session.round.offers(bettor).actions if isinstance(one, Withdraw)]
        carried = {stake.bet for stake in session.round.stakes() if stake.by == bettor and stake.carried}
        fresh = [bet for bet in reversed(offered) if bet not in carried]  # the newest first: it may lean on others
        if not fresh:
            raise Refused("", say("You have no stake to take back."))
        for at, bet in enumerate(fresh):
            if bet in session.round.in_escrow(bettor):  # else it has gone with the one that it leaned on
                session.act(Withdraw(bettor, bet), one_of(own, at), payload)

    return once(player, round_id, one_of(own, 0), payload, deed, clock=clock)


def undo(player: int, round_id: int, ref: str, *, clock: Clock = DATABASE_CLOCK) -> Accepted:
    """Take back what this player laid last, all that came in one message and lies there still, in one transaction.
    Raises Refused if there is nothing."""
    bettor, payload = bettor_of(player), digest("undo")
    own = own_ref(bettor, ref)

    def deed(session: RoundSession) -> None:
        in_time(session)
        laid = _last_laid(session, bettor)
        began = session.version
        for at, (bet, cents) in enumerate(laid.items()):
            held = session.round.in_escrow(bettor).get(bet)
            if held is not None:  # else it has gone with the one that it leaned on, or is decided
                less = Withdraw(bettor, bet) if cents == held else Lower(bettor, bet, cents)
                session.act(less, one_of(own, at), payload)
        if session.version == began:
            raise Refused("", say("You have no stake to take back."))

    return once(player, round_id, one_of(own, 0), payload, deed, clock=clock)


_Pile = str | Place
"""Chips that are one stake: a bet, or all on a place where further chips are added to the first."""

_Chip = tuple[_Pile, str | None, int]
"""Where it lies, the message in which it came, and its cents."""


def _last_laid(session: RoundSession, bettor: Bettor) -> dict[str, int]:
    """Bet -> cents of it that this bettor laid last in one message and has not taken back, the newest first."""
    game = game_of(session.log)

    def pile_of(bet: str, spot: str, box: int | None) -> _Pile:
        return (spot, box) if game.spots[spot].single else bet

    piles: dict[str, _Pile] = {}
    chips: list[_Chip] = []
    for data, ref, *_ in entries_of(session.log, by=bettor):
        match action_from(game, data):
            case PlaceBet(bet=bet, spot=spot, box=box, amount=cents):
                piles[bet] = pile_of(bet, spot, box)
                chips.append((piles[bet], ref and message_of(ref), cents))
            case Withdraw(bet=bet):
                chips = [chip for chip in chips if chip[0] != piles.get(bet)]
            case Lower(bet=bet, amount=cents):
                chips = _less(chips, piles.get(bet), cents)
    own = (stake for stake in session.round.stakes() if stake.by == bettor)
    left = {pile_of(stake.bet, stake.spot, stake.box): (stake.bet, stake.amount) for stake in own}
    last, laid = None, dict[str, int]()
    for pile, message, cents in reversed(chips):
        bet, most = left.get(pile, ("", 0))  # what went with another stake is gone, and no line says so
        if not most:
            continue
        if laid and message != last:
            break
        last, here = message, min(cents, most)
        left[pile] = (bet, most - here)
        laid[bet] = laid.get(bet, 0) + here
    return laid


def _less(chips: list[_Chip], pile: _Pile | None, cents: int) -> list[_Chip]:
    """These chips without so many cents of this pile, the newest gone first."""
    kept = []
    for chip in reversed(chips):
        gone = min(cents, chip[2]) if chip[0] == pile else 0
        cents -= gone
        if chip[2] > gone:
            kept.append((chip[0], chip[1], chip[2] - gone))
    return kept[::-1]
