"""What becomes of each stake (7(2), 9 to 15, 18, 19), in words and cents, in mid-round and at the end."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tables.games.contract.round import Payout, Stake
from tables.games.shared.stakes import Stakes
from tables.games.values.cards import Card, is_pair
from tables.games.values.money import Odds
from tables.games.values.words import Note, say

from .bets import (
    ANY_PAIR,
    BLACKJACK,
    EVEN,
    FIVE_CARDS,
    INSURANCE,
    MAIN,
    OVER_UNDER,
    SEVENS,
    SIDES,
    SPECIAL_PRIZE,
    SURRENDERED,
)
from .boxes import Box, open_on, wins_prize
from .hands import LIMIT, VALUES, Hand, Laid, best, is_blackjack
from .options import Loss, Options, PairsPaid, PrizeMode
from .secrecy import is_shown
from .turns import is_finished

Part = tuple[str, str]
"""What was paid: a bet's id, and which part of it. Each is paid once."""


def hand_part(bet: str, hand: Hand) -> Part:
    """The stake of a main bet on one hand."""
    return bet, f"hand {hand.serial}"


# ── In mid-round: what needs no look at the bank's second card ──────────────────────────────────────────────


def decided(
    options: Options, layout: Stakes, boxes: Sequence[Box], up: Card, paid: Collection[Part]
) -> Iterator[tuple[Part, Payout]]:
    """What is decided already and not among `paid`, box by box."""
    for box in boxes:
        for hand in box.hands:
            yield from _decided_on_hand(options, box, hand, up, paid)
        if not options.face_down or any(is_shown(options, up, box, hand) for hand in box.hands):
            yield from _decided_beside(options, layout, box, up, paid)


def _decided_on_hand(
    options: Options, box: Box, hand: Hand, up: Card, paid: Collection[Part]
) -> Iterator[tuple[Part, Payout]]:
    still_open = open_on(options, up, box, hand)
    if wins_prize(options, hand) and options.special_prize_mode is PrizeMode.BONUS:
        for bettor in box.bettors:
            part = (bettor.bet, f"prize {hand.serial}")
            if bettor.who in hand.stakes and part not in paid:
                prize = SPECIAL_PRIZE.prize(hand.stakes[bettor.who].total)
                yield part, Payout(bettor.bet, bettor.who, MAIN, 0, prize, _why_prize(hand))
    if len(still_open) == len(hand.stakes):
        return
    for bettor in box.bettors:
        laid = hand.stakes.get(bettor.who)
        part = hand_part(bettor.bet, hand)
        if laid is None or bettor.who in still_open or part in paid:
            continue
        back, why = _decision(options, box, hand, bettor.who, laid)
        yield part, Payout(bettor.bet, bettor.who, MAIN, laid.total, back, why)


def _decision(options: Options, box: Box, hand: Hand, who: str, laid: Laid) -> tuple[int, Note]:
    """What comes back of a stake that is decided before the bank's second card, in the precedence of section 4."""
    if hand.is_over:
        return 0, Note("7(2)", say("%(total)s is over 21", total=hand.total))
    if who in box.even:
        return _with_prize(laid.total, EVEN), Note("10(3)", say("Blackjack: even money is paid"))
    if box.surrendered:
        return SURRENDERED.prize(laid.total), Note("18(1)", say("Surrendered: half the stake is returned"))
    if laid.claimed:
        why = Note("19(1)", say("Five cards, %(total)s: half the stake is paid", total=hand.total))
        return _with_prize(laid.total, FIVE_CARDS), why
    if hand.is_blackjack:
        return _with_prize(laid.total, BLACKJACK), Note("10(2)", say("Blackjack; the bank cannot have one"))
    assert wins_prize(options, hand), "nothing else is decided before the bank's second card"
    return _with_prize(laid.total, SPECIAL_PRIZE), _why_prize(hand)


def _with_prize(amount: int, odds: Odds) -> int:
    return amount + odds.prize(amount)


def _why_prize(hand: Hand) -> Note:
    if hand.cards[0].rank == hand.cards[1].rank:
        return Note("15", say("Three sevens: the special prize"))
    return Note("15", say("6-7-8 of one suit: the special prize"))


# ── Beside the main stake (13, 14) ──────────────────────────────────────────────────────────────────────────


def _decided_beside(
    options: Options, layout: Stakes, box: Box, up: Card, paid: Collection[Part], over: bool = False
) -> Iterator[tuple[Part, Payout]]:
    """The side bets on a box; `over` when the box takes no card more, whatever its hands say."""
    first_two = box.dealt[:2]
    if len(first_two) < 2:
        return
    for spot in SIDES:
        for who in layout.on(spot, box.number):
            stake = layout.find(who, spot, box.number)
            assert stake is not None
            if (stake.bet, "first") not in paid:
                if spot == "sevens":
                    end = _sevens(options, box, up, over)
                elif spot == "any_pair":
                    end = _any_pair(first_two)
                else:
                    end = _over_under(spot, first_two)
                if end is not None:
                    odds, why = end
                    back = 0 if odds is None else _with_prize(stake.amount, odds)
                    yield (stake.bet, "first"), _beside(stake, stake.amount, back, why)
            if spot == "any_pair" and options.any_pair_after_split is PairsPaid.EVERY and is_pair(first_two):
                for hand in box.hands:
                    part = (stake.bet, f"pair {hand.serial}")
                    if hand.split and is_pair(hand.cards) and part not in paid:
                        why = Note("13(1)(2)", say("Another pair after a split"))
                        yield part, _beside(stake, 0, ANY_PAIR.prize(stake.amount), why)


def _beside(stake: Stake, amount: int, back: int, why: Note) -> Payout:
    return Payout(stake.bet, stake.by, stake.spot, amount, back, why)


def _any_pair(first_two: Sequence[Card]) -> tuple[Odds | None, Note]:
    if is_pair(first_two):
        return ANY_PAIR, Note("14(1)", say("The first two cards are a pair"))
    return None, Note("13(1)(1)", say("The first two cards are no pair"))


def _over_under(spot: str, first_two: Sequence[Card]) -> tuple[Odds | None, Note]:
    total = sum(VALUES[card.rank] for card in first_two)
    won = total > 13 if spot == "over_13" else total < 13
    article = "14(3)" if won else "R13" if total == 13 else "13(3)"
    return (OVER_UNDER if won else None), Note(article, say("The first two cards make %(total)s", total=total))


def _sevens(options: Options, box: Box, up: Card, over: bool) -> tuple[Odds | None, Note] | None:
    """How the sevens end; None while the third card of the box may still come (R23)."""
    sevens = box.dealt[:2]
    if any(card.rank != "7" for card in sevens):
        return None, Note("13(2)(1)", say("The first two cards are not both sevens"))
    if len(box.dealt) > 2:
        sevens = box.dealt[:3] if box.dealt[2].rank == "7" else sevens
    elif not (over or all(is_finished(options, up, box, hand) for hand in box.hands)):
        return None
    suited = len({card.suit for card in sevens}) == 1
    if suited:
        return SEVENS[len(sevens), True], Note("14(2)", say("%(count)s sevens of one suit", count=len(sevens)))
    return SEVENS[len(sevens), False], Note("14(2)", say("%(count)s sevens of different suits", count=len(sevens)))


# ── At the end ──────────────────────────────────────────────────────────────────────────────────────────────


def settled(
    options: Options, layout: Stakes, boxes: Sequence[Box], bank_cards: Sequence[Card], paid: Collection[Part]
) -> Iterator[tuple[Part, Payout]]:
    """All that is not among `paid`, now that the bank has its cards: insurance first, then box by box."""
    for box in boxes:
        for bettor in box.bettors:
            if amount := box.insured.get(bettor.who):
                yield (bettor.bet, "insurance"), _insurance(bettor.bet, bettor.who, amount, bank_cards)
    up = bank_cards[0]
    for box in boxes:
        for hand in box.hands:
            yield from _decided_on_hand(options, box, hand, up, paid)
            still_open = open_on(options, up, box, hand)
            for bettor in box.bettors:
                if bettor.who in still_open:
                    laid = hand.stakes[bettor.who]
                    back, why = _compared(options, box, hand, bettor.who, laid, bank_cards)
                    yield hand_part(bettor.bet, hand), Payout(bettor.bet, bettor.who, MAIN, laid.total, back, why)
        yield from _decided_beside(options, layout, box, up, paid, over=True)


def _insurance(bet: str, who: str, amount: int, bank_cards: Sequence[Card]) -> Payout:
    if is_blackjack(bank_cards):
        why = Note("12(2)", say("The bank has a blackjack: the insurance is paid"))
        return Payout(bet, who, MAIN, amount, _with_prize(amount, INSURANCE), why)
    return Payout(bet, who, MAIN, amount, 0, Note("12(3)", say("The bank has no blackjack: the insurance loses")))


def _compared(
    options: Options, box: Box, hand: Hand, who: str, laid: Laid, bank_cards: Sequence[Card]
) -> tuple[int, Note]:
    """What comes back of a stake that the bank's hand decides."""
    mine, its = hand.total, best(bank_cards)
    if is_blackjack(bank_cards):
        if hand.is_blackjack:
            return laid.total, Note("11(1)", say("Both have a blackjack: the stake is returned"))
        return _against_blackjack(options, box, hand, who, laid)
    if hand.is_blackjack:
        article = "10(5)" if its == LIMIT else "10(2)"
        return _with_prize(laid.total, BLACKJACK), Note(article, say("Blackjack; the bank has none"))
    if its > LIMIT:
        return _with_prize(laid.total, EVEN), Note("R2", say("The bank is over 21 with %(bank)s", bank=its))
    if mine > its:
        why = Note("10(4)" if mine == LIMIT else "9", say("%(mine)s beats the bank's %(bank)s", mine=mine, bank=its))
        return _with_prize(laid.total, EVEN), why
    if mine == its:
        return laid.total, Note("11(2)", say("Both have %(mine)s: the stake is returned", mine=mine))
    return 0, Note("9", say("The bank's %(bank)s beats %(mine)s", mine=mine, bank=its))


def _against_blackjack(options: Options, box: Box, hand: Hand, who: str, laid: Laid) -> tuple[int, Note]:
    """What a blackjack of the bank leaves: of a double its second part (10(7)), of splits what the house says (R19).

    The original stake is the one on the bettor's leftmost hand that is not over 21.
    """
    back = laid.doubled if options.double_loss_on_bank_blackjack is Loss.ORIGINAL_ONLY else 0
    original = next(one for one in box.hands if who in one.stakes and not one.is_over)
    if options.split_loss_on_bank_blackjack is Loss.ORIGINAL_ONLY and original is not hand:
        why = Note("R19", say("The bank has a blackjack: only the original stake is lost, not the split one"))
        return laid.amount + back, why
    if back:
        return back, Note("10(7)", say("The bank has a blackjack: only the original stake is lost"))
    article = "10(6)" if hand.total == LIMIT else "12(2)"
    return 0, Note(article, say("The bank has a blackjack"))


# ── Void ────────────────────────────────────────────────────────────────────────────────────────────────────


def voided(layout: Stakes, laid: dict[str, int], paid: Sequence[Payout]) -> Iterator[tuple[Part, Payout]]:
    """Everything that was laid down goes back, and what was paid is taken back (5(1)(2), R18); `laid` by bet."""
    for stake in layout:
        lay = laid[stake.bet]
        before = [payout for payout in paid if payout.bet == stake.bet]
        left = lay - sum(payout.stake for payout in before)
        back = lay - sum(payout.returned for payout in before)
        if not before:
            why = Note("5(1)(2)", say("The round is void: all stakes are returned"))
        else:
            why = Note("R18", say("The round is void: all stakes are returned, and what was paid is taken back"))
        yield (stake.bet, "void"), Payout(stake.bet, stake.by, stake.spot, left, back, why)
