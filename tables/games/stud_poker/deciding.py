"""The decisions of a public record, as actions of a round and back (see docs/record.md)."""

from __future__ import annotations

from collections.abc import Sequence

from tables.games.contract.actions import HOUSE, Action, DrawCard
from tables.games.contract.decisions import Decision, Decisions

from .options import DecisionMode
from .phases import Fold, Phase, Raise
from .round import StudPokerRound

_WITH_BETTORS = (Phase.CUT, Phase.BETTING, Phase.BETS_CLOSED, Phase.DEAL, Phase.LOOK_AND_DECIDE)


class StudPokerDecisions(Decisions[StudPokerRound]):
    """Items name a bettor, who has one box."""

    def action_of(self, round_: StudPokerRound, item: Decision) -> Action | None:
        match item.do:
            case Raise.do:
                return Raise(item.by, item.amount)
            case Fold.do:
                return Fold(item.by)
        return None

    def lets_pass(self, round_: StudPokerRound, item: Decision, before: Sequence[Decision]) -> bool:
        """In turn, an item of a later box folds the one whose turn it is, even if it is itself refused."""
        asked, box = round_.asked, round_.box_of(item.by)
        if round_.options.decision_mode is not DecisionMode.IN_TURN or not asked or box is None:
            return False
        return box.number > asked[0].number

    def item_of(self, round_: StudPokerRound, action: Action) -> Decision | None:
        if action.by == HOUSE or not isinstance(action, Raise | Fold):
            return None
        return Decision(action.by, action.do)

    def all_decided(self, round_: StudPokerRound) -> bool:
        return round_.phase not in _WITH_BETTORS

    def is_put_aside(self, round_: StudPokerRound, draw: DrawCard) -> bool:
        return round_.deal is not None and bool(round_.deal.astray)
