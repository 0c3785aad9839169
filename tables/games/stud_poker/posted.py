"""What must be read at a table of Stud Poker: the prizes, and the odds of the raise (rulebook, 10(3))."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from tables.games.values.money import Odds
from tables.games.values.words import Words

from . import jackpot
from .bets import CAPPED, RAISE_ARTICLES, RAISE_STAKE
from .hands import TITLES, Rank
from .options import Options
from .settling import raise_odds


class Share(StrEnum):
    """What a prize of the jackpot is compared with, the higher of the two being paid."""

    ALL = "all"  # of the pool: a royal flush
    TENTH = "tenth"  # of the pool: a straight flush
    NONE = "none"  # a fixed sum and nothing else


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """One row of the posted prizes (10(3)): the fixed sum, in cents, and which share of the pool may be higher."""

    rank: Rank
    title: Words
    fixed: int
    share: Share
    article: str


@dataclass(frozen=True, slots=True)
class OddsRow:
    """One row of the payout table of the raise (9(5)); `capped` if its winnings have a maximum."""

    rank: Rank
    title: Words
    odds: Odds
    capped: bool
    article: str


@dataclass(frozen=True, slots=True)
class Posted:
    """What must be read at the table (10(3)): prizes, odds of the raise, and the cap on what one raise wins.

    `stake` is the jackpot stake, `contribution` what it adds to the pool, `restart` what an exhausted pool begins with
    anew; all in cents. A raise is `times` its ante.
    """

    stake: int
    contribution: int
    restart: int
    prizes: tuple[PrizeRow, ...]
    odds: tuple[OddsRow, ...]
    cap: int
    times: int


_SHARES = {Rank.ROYAL_FLUSH: Share.ALL, Rank.STRAIGHT_FLUSH: Share.TENTH}


@cache
def posted(options: Options) -> Posted:
    """What must be read at a table with these options (10(3))."""
    return Posted(
        options.jackpot_stake,
        jackpot.contribution(options),
        options.jackpot_minimum,
        tuple(
            PrizeRow(rank, TITLES[rank], jackpot.fixed_sum(options, rank), _SHARES.get(rank, Share.NONE), article)
            for rank, article in jackpot.ARTICLES.items()
        ),
        tuple(
            OddsRow(rank, TITLES[rank], raise_odds(options, rank), rank in CAPPED, article)
            for rank, article in RAISE_ARTICLES.items()
        ),
        options.raise_payout_cap,
        RAISE_STAKE.win,
    )
