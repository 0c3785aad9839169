"""The decisions of a public record, as actions of a round and back (see docs/record.md)."""

from __future__ import annotations

from collections.abc import Sequence

from tables.games.contract.actions import HOUSE, Action, DrawCard
from tables.games.contract.decisions import Decision, Decisions

from .options import SurrenderTiming
from .phases import Asks, Claim, Double, EvenMoney, Hit, InHand, Insurance, Match, Phase, Split, Stand, Surrender
from .round import BlackjackRound
from .turns import is_finished

_IN_HAND: dict[str, type[InHand]] = {kind.do: kind for kind in (Hit, Stand, Double, Split, Match, Claim)}

_WITHOUT_BETTORS = (Phase.BANK_SECOND, Phase.BANK_DRAW, Phase.RESULT, Phase.SETTLED, Phase.VOID)

_NOWHERE = 0
"""A box that no layout has: what an item without a box means."""


class BlackjackDecisions(Decisions[BlackjackRound]):
    """Items name a box and a hand of it; those of the early window and surrender a box alone."""

    def action_of(self, round_: BlackjackRound, item: Decision) -> Action | None:
        box = _NOWHERE if item.box is None else item.box
        whole = _NOWHERE if item.hand else box
        match item.do:
            case "insurance":
                return Insurance(item.by, whole, item.amount or 0)
            case "even_money":
                return EvenMoney(item.by, whole)
            case "surrender":
                return Surrender(item.by, whole)
            case _ if item.do in _IN_HAND:
                return _IN_HAND[item.do](item.by, box, item.hand)
        return None

    def lets_pass(self, round_: BlackjackRound, item: Decision, before: Sequence[Decision]) -> bool:
        asked = round_.progress.asked
        if asked is None or round_.next_house_step() is not None:
            return False
        match asked.asks:
            case Asks.EARLY:
                return not self._belongs_to_window(round_, item)
            case Asks.MATCH_DOUBLE | Asks.MATCH_SPLIT:
                return item.do != Match.do
            case Asks.CLAIM:
                return item.do != Claim.do
            case Asks.TURN:
                in_window = all(self._belongs_to_window(round_, other) for other in (item, *before))
                return not in_window and self._names_a_later_hand(round_, item)

    @staticmethod
    def _belongs_to_window(round_: BlackjackRound, item: Decision) -> bool:
        """The early window lasts, for a record, up to the first item that is none of these."""
        if item.do == Surrender.do:
            return round_.options.surrender_timing is SurrenderTiming.BEFORE_ANY_DRAW
        return item.do in (Insurance.do, EvenMoney.do)

    @staticmethod
    def _names_a_later_hand(round_: BlackjackRound, item: Decision) -> bool:
        """Whether it is about a hand that acts after the one that acts now: that one, and those between, stand."""
        box = None if item.box is None else round_.box(item.box)
        if round_.acting is None or box is None or not 0 <= item.hand < len(box.hands):
            return False
        acting, at = round_.acting
        later = (box.number, item.hand) > (acting.number, at)
        return later and not is_finished(round_.options, round_.up, box, box.hands[item.hand])

    def item_of(self, round_: BlackjackRound, action: Action) -> Decision | None:
        if action.by == HOUSE:
            return None
        match action:
            case Insurance():
                return Decision(action.by, action.do, action.box, amount=action.amount)
            case EvenMoney() | Surrender():
                return Decision(action.by, action.do, action.box)
            case InHand() if action.do in _IN_HAND:
                return Decision(action.by, action.do, action.box, action.hand)
        return None

    def all_decided(self, round_: BlackjackRound) -> bool:
        return round_.phase in _WITHOUT_BETTORS

    def is_put_aside(self, round_: BlackjackRound, draw: DrawCard) -> bool:
        return round_.puts_aside(draw)
