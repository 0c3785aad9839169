"""What became of a bettor's stakes, in words: shared by all felts. Amounts in cents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import gcd

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from tables.felt.formatting import credits_of, odds_of, sentence, text_of
from tables.games.contract.game import Game, in_box
from tables.games.contract.round import Payout, Refusal, Spot, WentBack
from tables.games.values.money import Odds
from tables.games.values.words import Note, Words, say

from .drawing import amount
from .fragments import Draft
from .rendering import active_language, blank


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one stake. `end` is won, lost, push or down; `box` where the spot belongs to one."""

    title: Words
    end: str
    words: str
    why: Words
    article: str
    box: int | None = None


def paid_line(
    title: Words, why: Words, article: str, *, stake: int, returned: int, carried: int = 0, fee: int = 0,
    box: int | None = None,
) -> Line:  # fmt: skip
    """What a stake brought: what was won or lost, of what it is made up, and why."""
    return _paid_line(title, why, article, box, stake, returned, carried, fee, active_language())


@lru_cache(maxsize=4096)
def _paid_line(
    title: Words, why: Words, article: str, box: int | None, stake: int, returned: int, carried: int, fee: int,
    language: str,
) -> Line:  # fmt: skip
    """The same for all who have won or lost so much there."""
    end, words = _outcome(stake, returned, carried, fee)
    return Line(title, end, words, why, article, box)


def lines_by_spot(spots: Mapping[str, Spot], payouts: Iterable[Payout]) -> list[Line]:
    """Of many stakes, one line a spot: what was won or lost, and why; what has won comes first."""
    by_spot: dict[tuple[str, bool], tuple[Note, int, int, int]] = {}
    for one in payouts:
        key = one.spot, one.carried > 0
        why, stake, returned, carried = by_spot.get(key, (one.why, 0, 0, 0))
        by_spot[key] = why, stake + one.stake, returned + one.returned, carried + one.carried
    language = active_language()
    lines = [
        _paid_line(spots[spot].title, why.words, why.article, None, stake, returned, carried, 0, language)
        for (spot, _), (why, stake, returned, carried) in by_spot.items()
    ]
    return sorted(lines, key=lambda line: line.end == "lost")


def gone_back(game: Game, back: Iterable[WentBack]) -> list[Line]:
    """Stakes that went back with another while betting was open."""
    return [
        Line(
            game.called(one.stake.spot, one.stake.box),
            "down",
            gettext("%(returned)s is returned") % {"returned": credits_of(one.stake.amount, exact=True)},
            one.why.words,
            one.why.article,
        )
        for one in back
    ]


def taken_down(refusals: Iterable[Refusal]) -> list[Line]:
    """Stakes that were taken down when betting closed."""
    return [
        Line(say("Stake taken down"), "down", gettext("It is returned"), refusal.why.words, refusal.why.article)
        for refusal in refusals
    ]


def _outcome(stake: int, returned: int, carried: int, fee: int) -> tuple[str, str]:
    values = {
        "returned": credits_of(returned, exact=True),
        "stake": credits_of(stake, exact=True),
        "carried": credits_of(carried, exact=True),
        "prize": credits_of(returned - stake + fee, exact=True),
        "commission": credits_of(fee, exact=True),
        "back": credits_of(-returned, exact=True),
    }
    if carried:
        return "push", gettext("%(carried)s stays for the next round") % values
    if returned < 0:
        return "lost", gettext("%(back)s is taken back") % values
    if returned > stake and fee:
        return "won", gettext(
            "Returned %(returned)s: stake %(stake)s + winnings %(prize)s − commission %(commission)s"
        ) % values
    if returned > stake and stake:
        return "won", gettext("Returned %(returned)s: stake %(stake)s + winnings %(prize)s") % values
    if returned > stake:
        return "won", gettext("You win %(prize)s") % values
    if returned:
        return "push", gettext("%(returned)s is returned") % values
    return "lost", gettext("You lose %(stake)s") % values


def my_result(game: str, lines: Sequence[Line], payouts: Sequence[Payout], *, over: bool, edition: str = "") -> Draft:
    """The fragment of a bettor's own result: its lines, and once the round is over the sum of it. It cites in the words
    of the `edition`, where the game has several."""
    if not lines:
        return nothing_yet()
    language = active_language()
    filled: dict[str, str] = {"rows": SafeString("".join([_row(line, game, edition, language) for line in lines]))}
    if not (over and payouts):
        return Draft("table/_my_result.html", {"told": True, "settled": False}, filled=filled)
    staked = sum([payout.stake for payout in payouts])
    returned = sum([payout.returned for payout in payouts])
    carried = sum([payout.carried for payout in payouts])
    net = returned + carried - staked
    end = "won" if net > 0 else "lost" if net < 0 else "even"
    great = _great(payouts)
    headline = _headline(end, language, stays=carried > 0)
    context = {"told": True, "settled": True, "end": end, "headline": headline, "great": bool(great)}
    filled |= {"returned": str(returned), "net": str(net), "brought": amount(net, "signed", language)}
    if great is not None:
        filled |= {"great_odds": great[0], "great_won": amount(great[1], "signed", language)}
    return Draft("table/_my_result.html", context, filled=filled)


GREAT = 10
"""A win of so many times its stake, or more, is shown large, and so is each prize of the jackpot."""


def _great(payouts: Sequence[Payout]) -> tuple[str, int] | None:
    """The greatest win that is shown large: its odds in words, or what it is called, and what was won, in cents."""
    prizes = [(one.returned - one.stake + one.commission, one) for one in payouts]
    at_odds = [(prize, one) for prize, one in prizes if one.stake and prize >= GREAT * one.stake]
    jackpots = [(prize, one) for prize, one in prizes if one.named is not None and not one.stake]
    best = max(at_odds, key=lambda each: (each[0] / each[1].stake, each[0]), default=None)
    won = [each for each in (best, max(jackpots, key=lambda each: each[0], default=None)) if each is not None]
    if not won:
        return None
    prize, one = max(won, key=lambda each: each[0])
    return text_of(one.named) if one.named is not None else _odds(prize, one.stake), one.returned - one.stake


def _odds(prize: int, stake: int) -> str:
    common = gcd(prize, stake)
    return odds_of(Odds(prize // common, stake // common))


@lru_cache(maxsize=4096)
def _row(line: Line, game: str, edition: str, language: str) -> str:
    """A line as it is drawn, in the active language: the same for all of whom it is true."""
    row = "table/_my_result_line.html"
    drawn = blank(
        row, ("title", "words"), language, end=line.end, why=line.why, article=line.article, game=game, edition=edition
    )
    title = in_box(line.title, line.box) if line.box else line.title
    return drawn.fill(title=text_of(title), words=sentence(line.words))


def kept_words(cents: int) -> str:
    """How a stake that has stayed from an earlier round is marked."""
    return gettext("carried")


def nothing_yet() -> Draft:
    """The same fragment while there is nothing to tell."""
    return Draft("table/_my_result.html", {"told": False}, shared=True)


@lru_cache(maxsize=64)
def _headline(end: str, language: str, *, stays: bool) -> str:
    """How it ended, in the active language."""
    if end == "even":
        return gettext("Your stake stays") if stays else gettext("You break even")
    return gettext("You win") if end == "won" else gettext("You lose")
