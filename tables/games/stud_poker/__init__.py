"""Stud Poker 聯獎撲克, External Regulatory Dispatch 61/2004 (and 69/2003 before it): options, opening, the game."""

from tables.games.protocol import (
    CloseBets,
    Cut,
    DrawCard,
    Game,
    Leave,
    Lower,
    Meter,
    PoolRules,
    Ready,
    Refund,
    Settle,
    ShoeRules,
    Sit,
    Void,
    Withdraw,
)
from tables.games.words import say

from .articles import ARTICLES
from .bets import RAISE, SPOTS, TITLES
from .betting import check_carried
from .deciding import DECISIONS
from .edges import edges
from .irregularities import IRREGULARITIES
from .options import EDITIONS, Options, Shuffle
from .phases import Award, Compare, Fold, Misdeal, Phase, Proceed, Raise, Turn
from .round import StudPokerRound, opened, public_result


def shoe_rules(options: Options) -> ShoeRules:
    """The pack: one deck, fresh for every round, from the shoe or the shuffler (1, 3)."""
    return ShoeRules(1, every_round=True, machine=options.shuffle_method is Shuffle.SHUFFLER)


def pool_rules(options: Options) -> PoolRules:
    """The progressive jackpot: tables of one jackpot have the same stake, contribution and prizes (5(2), 10)."""
    return PoolRules(
        options.jackpot_minimum,
        (
            options.jackpot_stake,
            options.jackpot_contribution,
            options.jackpot_fixed_royal_flush,
            options.jackpot_fixed_straight_flush,
            options.jackpot_fixed_four_of_a_kind,
            options.jackpot_fixed_full_house,
            options.jackpot_fixed_flush,
            options.fixed_prizes_reduce_pool,
        ),
    )


GAME = Game(
    slug="stud_poker",
    title=say("Stud Poker"),
    regulation="61/2004",
    editions=EDITIONS,
    options=Options,
    opened=opened,
    deeds=(Withdraw, Lower, Ready, Raise, Fold),
    steps=(Sit, Leave, Cut, CloseBets, Meter, Refund, DrawCard, Misdeal, Proceed, Turn, Compare, Award, Settle, Void),
    articles=ARTICLES,
    spots=SPOTS,
    edges=edges,
    shoe=shoe_rules,
    decisions=DECISIONS,
    dealt_unstaked=False,
    check_carried=check_carried,
    pool=pool_rules,
    unrecorded="12(1)",
    private_hands=True,
    grown={RAISE: TITLES[RAISE]},
    public_result=public_result,
    irregularities=IRREGULARITIES,
)

__all__ = ["GAME", "Options", "Phase", "StudPokerRound", "opened"]
