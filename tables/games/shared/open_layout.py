"""A layout on which anybody may stake on any spot, and change their stakes freely until betting closes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Protocol, Self, TypeVar

from tables.games.contract.actions import Action, Lower, Move, PlaceBet, Ready, Withdraw
from tables.games.contract.errors import Refused
from tables.games.contract.options import TableOptions
from tables.games.contract.round import BetOffer, Offers, Payout, PhaseT, Spot, Stake
from tables.games.contract.view import Menu, OwnStake, PlayerView
from tables.games.values.money import CREDIT, Odds
from tables.games.values.words import Note, say

from . import limits, seats
from .options import Limit, amount_for
from .stakes import Stakes
from .table_round import Change, TableRound

V = TypeVar("V")

FREE = Menu(withdraw=True, lower=True, move=True)
"""Until betting closes every stake may be taken back, lowered and moved, one that was left on its spot too."""


class LayoutOptions(TableOptions, Protocol):
    """What the house has chosen at a table with such a layout."""

    @property
    def min_bet(self) -> Limit:
        """The least that is bet on each spot."""

    @property
    def max_bet(self) -> Limit:
        """The most that one bettor may have on each spot."""

    @property
    def auto_leave_winners(self) -> bool:
        """Whether what won stays on its spot for the next round."""


@dataclass(frozen=True, slots=True, eq=False)
class OpenLayout:
    """What may be bet on these spots, by options with `min_bet` and `max_bet`.

    `why_unsold` names the article or ruling by which the house does not offer a spot, None if it does; `article` says
    which bets there are.
    """

    spots: Mapping[str, Spot]
    article: str
    why_unsold: Callable[[Any, str], str | None]

    def is_sold(self, options: LayoutOptions, spot: str) -> bool:
        """Whether the house offers this bet."""
        return self.why_unsold(options, spot) is None

    def least(self, options: LayoutOptions, spot: str) -> int:
        """The smallest legal bet on a spot, in cents."""
        return limits.least_above(options.min_bet, spot, family=self.spots[spot].family)

    def most(self, options: LayoutOptions, spot: str) -> int | None:
        """The most that one bettor may have on a spot, in cents; None if there is no maximum."""
        return amount_for(options.max_bet, spot, self.spots[spot].family)

    # ── What would be accepted ──

    def offers(
        self, options: LayoutOptions, seated: Mapping[str, int], layout: Stakes, ready: Set[str], who: str
    ) -> Offers:
        """All that this bettor may do while betting is open."""
        own = layout.of_bettor(who)
        actions = [*self._changes(options, who, own)]
        if who not in ready and seats.takes_part(seated, layout, who):
            actions.append(Ready(who))
        return Offers(self._bets(options, layout, who, own), tuple(actions), tuple(stake.bet for stake in own))

    def _changes(self, options: LayoutOptions, who: str, own: tuple[Stake, ...]) -> Iterator[Action]:
        """What may be done with the stakes that lie there, beside moving them: withdraw, lower by a credit."""
        for stake in own:
            yield Withdraw(who, bet=stake.bet)
            if stake.amount - CREDIT >= self.least(options, stake.spot):
                yield Lower(who, bet=stake.bet, amount=CREDIT)

    def _bets(self, options: LayoutOptions, layout: Stakes, who: str, own: tuple[Stake, ...]) -> tuple[BetOffer, ...]:
        """The bets as ranges: the same for all, but where this bettor has something already."""
        anybody = _for_anybody(self, options)
        lies_on = {stake.spot for stake in own}
        if options.max_bet == () or not lies_on:
            return anybody
        left = (
            self.offer(options, offer.spot, layout.staked(who, offer.spot)) if offer.spot in lies_on else offer
            for offer in anybody
        )
        return tuple(offer for offer in left if offer)

    def offer(self, options: LayoutOptions, spot: str, already: int) -> BetOffer | None:
        """What may be laid where this much lies already; None if nothing."""
        least = self.least(options, spot)
        room = limits.room_under(options.max_bet, spot, already, self.spots[spot].family)
        if room is not None:
            room -= room % CREDIT
            if room < least:
                return None
        return BetOffer(spot, least, room, CREDIT)

    # ── What a bettor does ──

    def changed(self, options: LayoutOptions, layout: Stakes, action: Change) -> Stakes:
        """The stakes after this. Raises Refused."""
        match action:
            case PlaceBet():
                self.check_bet(options, layout, action)
                return layout.placed(Stake(action.bet, action.by, action.spot, action.amount))
            case Withdraw():
                return layout.without(layout.own(action.by, action.bet).bet)
            case Lower():
                stake = layout.own(action.by, action.bet)
                limits.check_credits(action.amount)
                limits.check_credits(left := stake.amount - action.amount)
                limits.check_minimum(options.min_bet, stake.spot, left, self.spots[stake.spot].family)
                return layout.changed(stake.bet, left)
            case Move():
                stake = layout.own(action.by, action.bet)
                if (action.spot, action.box) == (stake.spot, stake.box):
                    raise Refused("", say("The stake lies there already"))
                there = PlaceBet(stake.by, stake.bet, action.spot, stake.amount, action.box)
                self.check_bet(options, layout, there)  # it is a bet like any other
                return layout.moved(stake.bet, action.spot, action.box)

    def check_bet(self, options: LayoutOptions, layout: Stakes, bet: PlaceBet) -> None:
        """Raise Refused unless this bettor may place this bet; with what lies there it may not pass the maximum."""
        spot = self.spots.get(bet.spot)
        if spot is None:
            raise Refused(self.article, say("There is no such bet"))
        if bet.box is not None:
            raise Refused(self.article, say("This bet belongs to the whole table, not to a box"))
        if (why := self.why_unsold(options, bet.spot)) is not None:
            raise Refused(why, say("%(bet)s is not offered here", bet=spot.title))
        limits.check_credits(bet.amount)
        limits.check_minimum(options.min_bet, bet.spot, bet.amount, spot.family)
        limits.check_maximum(options.max_bet, bet.spot, layout.staked(bet.by, bet.spot), bet.amount, spot.family)


@lru_cache(maxsize=128)
def _for_anybody(layout: OpenLayout, options: LayoutOptions) -> tuple[BetOffer, ...]:
    """The bets that would be accepted of somebody who has no stake yet."""
    sold = (spot for spot in layout.spots if layout.is_sold(options, spot))
    return tuple(offer for spot in sold if (offer := layout.offer(options, spot, already=0)))


# ── What becomes of the stakes ──────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Terms:
    """How the round ends for one spot: what a stake wins (None: nothing), whether it then stays there; and why."""

    why: Note
    odds: Odds | None = None
    stays: bool = False


def payouts(layout: Stakes, terms: Callable[[str], Terms]) -> tuple[Payout, ...]:
    """What became of each stake on the layout, oldest first, by how the round ends for its spot."""
    ends = {spot: terms(spot) for spot in {stake.spot for stake in layout}}
    return tuple(_paid(stake, ends[stake.spot]) for stake in layout)


def _paid(stake: Stake, end: Terms) -> Payout:
    returned = carried = 0
    if end.odds is not None:
        returned = end.odds.prize(stake.amount)
        if end.stays:
            carried = stake.amount
        else:
            returned += stake.amount
    return Payout(stake.bet, stake.by, stake.spot, stake.amount, returned, end.why, carried)


# ── What is seen of it ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class NullView:
    """A throw that did not count, why, and the commitment to what it was."""

    why: Note
    commitment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPlayerView(PlayerView):
    """What concerns the viewer alone. `staked` is what they have on the layout, in cents, `left` what of it was left
    there by an earlier round.

    A stake may be moved to any spot where a bet of its amount is offered; where there are so many they are not listed
    with each (`OwnStake.moves` is empty).
    """

    left: int


PlayerViewT = TypeVar("PlayerViewT", bound=OpenPlayerView)


def own_view(kind: type[PlayerViewT], round_: OpenRound[Any], who: str, **more: object) -> PlayerViewT:
    """What concerns this viewer alone, with whatever `more` the game says of them."""
    stakes = round_.layout.of_bettor(who)
    menu = FREE if round_.takes_bets else Menu()
    parts: dict[str, Any] = dict(
        who=who,
        seat=round_.seats.get(who),
        ready=who in round_.ready,
        staked=sum([stake.amount for stake in stakes]),
        left=sum([stake.amount for stake in stakes if stake.carried]),
        stakes=tuple([OwnStake(stake, menu) for stake in stakes]),
        refusals=(),
        payouts=round_.views.paid_to(who, round_.paid),
        **more,
    )
    return kind(**parts)


# ── The round that is played on it ──────────────────────────────────────────────────────────────────────────


class OpenRound(TableRound[PhaseT, None]):
    """What every round on an open layout does alike: nobody decides anything, no bet is taken down when betting closes,
    there are no cards, and what won may be left on its spot for the next round."""

    on: ClassVar[OpenLayout]
    """The layout that it is played on."""

    options: LayoutOptions
    closed: bool
    paid: tuple[Payout, ...]

    @property
    def is_left_wrongly(self) -> bool:
        """Whether stakes lie there from another round although the house leaves none any more."""
        if self.options.auto_leave_winners or not self.opening.carried:
            return False
        return any(stake.carried for stake in self.layout)

    def offers(self, who: str) -> Offers:
        if not self.takes_bets:
            return Offers()
        return self.on.offers(self.options, self.seats, self.layout, self.ready, who)

    def _changed(self, action: Change) -> Stakes:
        return self.on.changed(self.options, self.layout, action)

    def _closed(self) -> Self:
        return self._with(closed=True)

    def _paid_to(self, who: str | None) -> tuple[Payout, ...]:
        return self.paid if who is None else self.views.paid_to(who, self.paid)

    def payouts(self) -> tuple[Payout, ...]:
        return self.paid
