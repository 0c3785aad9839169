"""What becomes of each stake (6(7), 9, 10, 11), in words and cents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from tables.games.contract.actions import VoidReason
from tables.games.contract.round import Payout, Stake
from tables.games.values.cards import Card
from tables.games.values.money import Odds, part
from tables.games.values.words import Amount, Note, Words, say

from . import jackpot
from .bets import ANTE, CAPPED, EVEN, JACKPOT, RAISE, RAISE_ARTICLES, RAISE_ODDS, SPOTS
from .boxes import Box
from .hands import TITLES, Rank, Value, is_higher, qualifies, value_of
from .jackpot import Award, Prize
from .options import Options

# ── Ante and raise ──────────────────────────────────────────────────────────────────────────────────────────


def raise_odds(options: Options, rank: Rank) -> Odds:
    """What a winning raise with this hand pays (9(5))."""
    return Odds(options.royal_odds) if rank is Rank.ROYAL_FLUSH else RAISE_ODDS[rank]


def raise_prize(options: Options, rank: Rank, raised: int) -> int:
    """What a winning raise of `raised` cents wins with this hand, without the stake and under the cap (R6)."""
    prize = raise_odds(options, rank).prize(raised)
    return min(prize, options.raise_payout_cap) if rank in CAPPED else prize


def _is_cut(options: Options, rank: Rank, raised: int) -> bool:
    """Whether the cap takes something of what the odds say (R6)."""
    return raise_prize(options, rank, raised) < raise_odds(options, rank).prize(raised)


def decided(options: Options, box: Box, hand: Sequence[Card], dealer: Sequence[Card]) -> Iterator[Payout]:
    """What becomes of ante and raise of a hand that was raised, once the dealer's cards lie open (9)."""
    if not qualifies(dealer):
        why = Note("9(2)", say("The dealer does not qualify: the ante is paid 1 to 1"))
        yield _payout(box, ANTE, box.ante, box.ante + EVEN.prize(box.ante), why)
        why = Note("9(2)", say("The dealer does not qualify: the raise is returned"))
        yield _payout(box, RAISE, box.raising, box.raising, why)
        return
    mine, its = value_of(hand), value_of(dealer)
    if is_higher(dealer, hand):
        why = Note("9(4)", _lost(mine, its))
        yield _payout(box, ANTE, box.ante, 0, why)
        yield _payout(box, RAISE, box.raising, 0, why)
        return
    assert mine > its, "no two hands of one deck are equal"
    yield _payout(box, ANTE, box.ante, box.ante + EVEN.prize(box.ante), Note("9(5)", _won(mine, its)))
    prize = raise_prize(options, mine.rank, box.raising)
    won = _payout(box, RAISE, box.raising, box.raising + prize, _paid(options, mine.rank, box.raising, prize))
    yield replace(won, named=say("Maximum win")) if _is_cut(options, mine.rank, box.raising) else won


def folded(box: Box) -> Payout:
    """The ante of a hand that was not raised."""
    if box.automatic:
        why = Note("time", say("The time was over: the hand is folded, the ante is lost"))
    else:
        why = Note("6(7)", say("Folded: the ante is lost"))
    return _payout(box, ANTE, box.ante, 0, why)


def _payout(box: Box, spot: str, stake: int, returned: int, why: Note) -> Payout:
    return Payout(box.bet, box.who, spot, stake, returned, why)


def _lost(mine: Value, its: Value) -> Words:
    hand, dealer = TITLES[mine.rank], TITLES[its.rank]
    if mine.rank is not its.rank:
        return say("The dealer has %(dealer)s, higher than %(hand)s", dealer=dealer, hand=hand)
    if mine.keys != its.keys:
        return say("Both have %(hand)s; the dealer has the higher ranks", hand=hand)
    return say("Both have %(hand)s of the same ranks; the suit decides for the dealer", hand=hand)


def _won(mine: Value, its: Value) -> Words:
    hand, dealer = TITLES[mine.rank], TITLES[its.rank]
    if mine.rank is not its.rank:
        return say("The dealer has %(dealer)s, lower than %(hand)s", dealer=dealer, hand=hand)
    if mine.keys != its.keys:
        return say("Both have %(hand)s; the bettor has the higher ranks", hand=hand)
    return say("Both have %(hand)s of the same ranks; the suit decides for the bettor", hand=hand)


def _paid(options: Options, rank: Rank, raised: int, prize: int) -> Note:
    """How the raise was paid with this hand."""
    odds = raise_odds(options, rank)
    if _is_cut(options, rank, raised):
        words = say(
            "The raise is paid %(odds)s to 1 for %(hand)s, up to the maximum of %(cap)s",
            hand=TITLES[rank],
            odds=odds.win,
            cap=Amount(prize),
        )
    else:
        words = say("The raise is paid %(odds)s to 1 for %(hand)s", hand=TITLES[rank], odds=odds.win)
    return Note(RAISE_ARTICLES[rank], words)


HAND_ARTICLES: Mapping[Rank, str] = {
    Rank.ROYAL_FLUSH: "8(1)",
    Rank.STRAIGHT_FLUSH: "8(2)",
    Rank.FOUR_OF_A_KIND: "8(3)",
    Rank.FULL_HOUSE: "8(4)",
    Rank.FLUSH: "8(5)",
    Rank.STRAIGHT: "8(6)",
    Rank.THREE_OF_A_KIND: "8(7)",
    Rank.TWO_PAIRS: "8(8)",
    Rank.ONE_PAIR: "8(9)",
    Rank.FIVE_ODD_CARDS: "8(10)",
}
"""The item that says how hands of a rank are compared."""

_DECIDES: Mapping[Rank, tuple[Words, ...]] = {
    Rank.FOUR_OF_A_KIND: (say("The rank of the four decides"),),
    Rank.FULL_HOUSE: (say("The rank of the three decides"),),
    Rank.THREE_OF_A_KIND: (say("The rank of the three decides"),),
    Rank.TWO_PAIRS: (say("The high pair decides"), say("The low pair decides"), say("The odd card decides")),
    Rank.ONE_PAIR: (say("The pair decides"), say("The highest odd card decides"), say("A lower odd card decides")),
}
"""What of two hands of a rank decides, by the place of the key that differs; in the others it is a card."""


def what_decides(mine: Value, its: Value) -> Note:
    """By what one of two hands is higher: its rank, a card or a pair, or in the end the suit (8, 4(1))."""
    if mine.rank is not its.rank:
        return Note("8", say("The rank of the hand decides"))
    for at, (one, other) in enumerate(zip(mine.keys, its.keys, strict=True)):
        if one != other:
            words = _DECIDES.get(mine.rank, (say("The highest card decides"), say("A lower card decides")))
            return Note(HAND_ARTICLES[mine.rank], words[min(at, len(words) - 1)])
    return Note("4(1)", say("The suit decides"))


# ── The jackpot ─────────────────────────────────────────────────────────────────────────────────────────────


def taken(options: Options, stake: Stake, why: Note) -> Payout:
    """A fresh jackpot stake goes to the pool, in part, and to the house."""
    return Payout(
        stake.bet, stake.by, JACKPOT, stake.amount, 0, why, pooled=part(stake.amount, options.jackpot_contribution)
    )


def refunded(options: Options, stake: Stake) -> Payout:
    """A carried jackpot stake goes back to a bettor who has left, and out of the pool what it had added (R14)."""
    why = Note("R14", say("The bettor has left the table: the carried jackpot stake is refunded"))
    pooled = -part(stake.amount, options.jackpot_contribution)
    return Payout(stake.bet, stake.by, JACKPOT, 0, stake.amount, why, pooled=pooled)


def prizes(options: Options, boxes: Sequence[Box], award: Award) -> Iterator[Payout]:
    """The prizes, in the order in which they are paid (10(4), 10(7))."""
    for prize in award.prizes:
        box = next(box for box in boxes if box.number == prize.box)
        assert box.jackpot is not None
        out = prize.amount if jackpot.reduces_pool(options, prize.rank) else 0
        why = why_prize(award, prize)
        yield Payout(box.jackpot, box.who, JACKPOT, 0, prize.amount, why, pooled=-out, named=SPOTS[JACKPOT].title)


def why_prize(award: Award, prize: Prize) -> Note:
    """What a box wins of the jackpot, and by which article."""
    several = sum(other.rank is prize.rank for other in award.prizes) > 1
    hand, amount = TITLES[prize.rank], Amount(prize.amount)
    if several and prize.rank is Rank.ROYAL_FLUSH:
        return Note("10(5)", say("The royal flushes share the jackpot: %(amount)s", amount=amount))
    if prize.rank is Rank.ROYAL_FLUSH and any(other.rank is Rank.STRAIGHT_FLUSH for other in award.prizes):
        return Note(
            "10(7)", say("The jackpot pays %(amount)s for %(hand)s, after the straight flush", hand=hand, amount=amount)
        )
    article = "10(6)" if several and prize.rank is Rank.STRAIGHT_FLUSH else jackpot.ARTICLES[prize.rank]
    return Note(article, say("The jackpot pays %(amount)s for %(hand)s", hand=hand, amount=amount))


def unlucky(box: Box) -> Payout:
    """A jackpot stake that wins nothing; it went to the jackpot when betting closed."""
    assert box.jackpot is not None
    if box.folded:
        why = Note("R8", say("Folded: the jackpot stake is lost"))
    else:
        why = Note("10(2)", say("Lower than a flush: the jackpot stake is lost"))
    return Payout(box.jackpot, box.who, JACKPOT, 0, 0, why)


# ── Void ────────────────────────────────────────────────────────────────────────────────────────────────────


def why_void(reason: VoidReason) -> Note:
    """Why a round is void in which there were stakes (11)."""
    if reason == VoidReason.MACHINE:
        return Note("11(4)", say("The shuffler has failed: the round is void"))
    if reason == VoidReason.EXPOSED:
        return Note("11(1)", say("Two cards were exposed by mistake: the round is void"))
    return Note("11(1)", say("The round is void"))


def voided(
    options: Options, layout: Iterable[Stake], boxes: Sequence[Box], is_taken: bool, article: str
) -> Iterator[Payout]:
    """Antes and raises go back; jackpot stakes are carried, and go to the pool now if they have not yet (11(1)).

    Nothing is said of a carried jackpot stake that did not play.
    """
    raised = {box.bet: box for box in boxes if box.raised}
    live = {box.jackpot for box in boxes}
    back = Note(article, say("The round is void: the stake is returned"))
    stays = Note(article, say("The round is void: the jackpot stake is carried to the next round"))
    for stake in layout:
        if stake.spot == ANTE:
            yield Payout(stake.bet, stake.by, ANTE, stake.amount, stake.amount, back)
            if stake.bet in raised:
                yield _payout(raised[stake.bet], RAISE, raised[stake.bet].raising, raised[stake.bet].raising, back)
        elif not stake.carried and not is_taken:
            yield taken(options, stake, stays)
        elif stake.bet in live:
            yield Payout(stake.bet, stake.by, JACKPOT, 0, 0, stays)
