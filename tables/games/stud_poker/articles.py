"""Everything that a refusal, a payment or a dealt card of Stud Poker can cite.

Regulation: External Regulatory Dispatch 61/2004, and 69/2003 before it, which has the same numbers but no article 13,
and some words of its own (`EARLIER`). What is not law but a ruling or operating parameter of ours is marked so, and
stays marked wherever it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping

from tables.games.contract.game import Article
from tables.games.values.words import Words, say


def _table(law: bool, rows: Mapping[str, Words]) -> dict[str, Article]:
    return {number: Article(number, says, law) for number, says in rows.items()}


LAW = _table(
    True,
    {
        "1": say(
            "The equipment includes one deck of 52 cards, a shoe and a white cut card, a shuffler, and an electronic "
            "display and system for the progressive jackpot."
        ),
        "2(1)": say("The layout has eight places, the dealer's included."),
        "2(2)": say(
            "Each box of a bettor has three betting spaces: nearest to the dealer for the jackpot stake, in the middle "
            "for the ante, outermost for the raise."
        ),
        "3(1)": say(
            "Shuffled by hand, the deck is cut by the dealer with the white card, which stays at the bottom, and put "
            "in the shoe."
        ),
        "3(2)": say("Shuffled by the shuffler, the deck is not cut."),
        "4(1)": say("The suits from high to low are spades, hearts, clubs, diamonds."),
        "4(2)": say("The cards from high to low are A K Q J 10 9 8 7 6 5 4 3 2."),
        "4(3)": say("In the straight 5-4-3-2-A the ace is the lowest card."),
        "5": say("What can be staked."),
        "5(1)": say("The ante."),
        "5(2)": say("The progressive jackpot."),
        "5(3)": say("The raise."),
        "6": say("Bettors must keep to this procedure when they stake."),
        "6(1)": say("A bettor may stake on one box only, and not together with others."),
        "6(2)": say("An ante must first be placed on each box."),
        "6(3)": say("The jackpot stake is optional and is placed before the first card is dealt."),
        "6(4)": say("Who holds cards may not leave the table, and the cards may not be taken from it."),
        "6(5)": say("After looking at their cards the bettors decide whether to raise."),
        "6(6)": say("The raise is exactly twice the ante."),
        "6(7)": say("Without a raise the hand is lost; its cards and the ante are collected."),
        "6(8)": say("Then the hands are played out."),
        "7(1)": say(
            "From the shoe cards are dealt one at a time, face down, clockwise to each box with a stake and last to "
            "the dealer, until all have five; the dealer's fifth is face up."
        ),
        "7(2)": say(
            "From the shuffler five cards at a time are dealt, face down, clockwise to each box with a stake and last "
            "to the dealer, whose fifth card is turned up."
        ),
        "8": say("Hands have ten ranks."),
        "8(1)": say(
            "A royal flush is A-K-Q-J-10 of one suit. If dealer and bettor both have one, the higher suit wins."
        ),
        "8(2)": say(
            "A straight flush is five cards of one suit in sequence, from K-Q-J-10-9, the highest, to 5-4-3-2-A, the "
            "lowest. The higher cards win; if they are equal, the higher suit."
        ),
        "8(3)": say(
            "Four of a kind is four cards of one rank. The higher rank wins; the odd card does not count for anything."
        ),
        "8(4)": say(
            "A full house is three cards of one rank and two of another. The higher rank of the three cards wins."
        ),
        "8(5)": say(
            "A flush is five cards of one suit that are not in sequence, such as 10-9-7-5-2. The highest card decides, "
            "then the next one, and so on; if all are equal, the higher suit wins."
        ),
        "8(6)": say(
            "A straight is five cards in sequence that are not of one suit, such as 6-7-8-9-10. The higher cards win; "
            "if they are equal, the suit of the highest card decides."
        ),
        "8(7)": say(
            "Three of a kind is three cards of one rank and two odd cards, such as K-K-K-6-5. The higher rank of the "
            "three cards wins; the odd cards do not count for anything."
        ),
        "8(8)": say(
            "Two pairs are two pairs of different ranks and an odd card, such as 10-10-6-6-5. The higher pair decides, "
            "then the other pair, then the odd card; if all are equal, the suit of the higher pair."
        ),
        "8(9)": say(
            "One pair is two cards of one rank and three odd cards, such as 10-10-9-7-6. The pair decides, then the "
            "highest odd card, then the next one, and so on; if all are equal, the suit of the pair."
        ),
        "8(10)": say(
            "Five odd cards are no pair, no straight and no flush. The highest card decides, then the next one, and so "
            "on; if all are equal, the suit of the highest card."
        ),
        "9(1)": say(
            "To open the bettors' hands the dealer needs at least the value of an ace and a king; in the Chinese text, "
            "at least one ace and one king."
        ),
        "9(2)": say("If the dealer does not qualify the raises are void and returned, and the antes are paid 1 to 1."),
        "9(3)": say("If the dealer qualifies, the bettors' hands are opened and compared with the dealer's."),
        "9(4)": say("If the dealer's hand is higher ante and raise are lost."),
        "9(5)": say("If the bettor's hand is higher the ante is paid 1 to 1 and the raise by the payout table."),
        "9(5)(1)": say("One pair or lower pays 1 to 1 on the raise."),
        "9(5)(2)": say("Two pairs pay 2 to 1 on the raise."),
        "9(5)(3)": say("Three of a kind pays 3 to 1 on the raise."),
        "9(5)(4)": say("A straight pays 4 to 1 on the raise."),
        "9(5)(5)": say("A flush pays 5 to 1 on the raise."),
        "9(5)(6)": say("A full house pays 7 to 1 on the raise."),
        "9(5)(7)": say(
            "Four of a kind pays 20 to 1 on the raise, at most the maximum per round that the house has set before."
        ),
        "9(5)(8)": say(
            "A straight flush pays 50 to 1 on the raise, at most the maximum per round that the house has set before."
        ),
        "9(5)(9)": say(
            "A royal flush pays 50 to 1 up to 100 to 1 on the raise, as the house chooses, at most the maximum per "
            "round that the house has set before."
        ),
        "10(1)": say("A jackpot bettor stakes both ante and jackpot, and makes sure that both were accepted."),
        "10(2)": say(
            "A royal flush, a straight flush, four of a kind, a full house and a flush win of the progressive jackpot."
        ),
        "10(2)(1)": say("A royal flush wins a fixed sum or the whole jackpot, whichever is higher."),
        "10(2)(2)": say("A straight flush wins a fixed sum or 10 per cent of the jackpot, whichever is higher."),
        "10(2)(3)": say("Four of a kind wins a fixed sum."),
        "10(2)(4)": say("A full house wins a fixed sum."),
        "10(2)(5)": say("A flush wins a fixed sum."),
        "10(3)": say("The fixed sums are posted at the table."),
        "10(4)": say("The jackpot is paid from left to right, beginning at the dealer's immediate left."),
        "10(5)": say("Several royal flushes share the jackpot or the fixed sum, whichever is higher."),
        "10(6)": say("Each of several straight flushes wins 10 per cent or the fixed sum, whichever is higher."),
        "10(7)": say("A straight flush is paid before a royal flush of the same round."),
        "10(8)": say("The prizes reduce the pool; when nothing is left it restarts from the minimum amount."),
        "11(1)": say(
            "Wrong dealing, a wrong number of cards, or two or more cards exposed by mistake: the round and its "
            "stakes are void, and jackpot stakes are carried to the next round. New stakes and a new deal follow."
        ),
        "11(2)": say(
            "One card exposed by mistake: the round and its stakes stand, and play goes on. If it is the dealer's it "
            "stays open, and all the dealer's other cards are dealt face down."
        ),
        "11(3)": say("Cards dealt by mistake to a box without a stake: the box is void, the round goes on."),
        "11(4)": say(
            "The shuffler fails during the deal: the round is void, and jackpot stakes are carried to the next round; "
            "the shuffler is replaced, or the shoe is used."
        ),
        "12(1)": say("Bettors may not use any means of recording results, making forecasts or working out strategies."),
        "12(2)": say(
            "Bettors may not talk with each other or with third parties while they read their cards and decide on "
            "the raise."
        ),
        "13": say(
            "The house's choice of the odds of a royal flush (9(5)(9)) needs the prior authorisation of the gaming "
            "inspectorate, asked for three working days before the day on which it is to be adopted."
        ),
    },
)

OURS = _table(
    False,
    {
        "R1": say("The dealer qualifies with ace-king high or any better hand."),
        "R2": say("The card that is turned up is the fifth, on top of the five."),
        "R3": say("The suit of a pair is its highest: whoever has the spade of the rank."),
        "R4": say("In 5-4-3-2-A the five is the highest card, also for its suit."),
        "R5": say("The odd cards beside four, and all beside three of a rank, are never looked at."),
        "R6": say("The maximum per round is on what one hand's raise wins, in the three hands named."),
        "R7": say("The jackpot is paid whether or not the dealer qualifies or wins."),
        "R8": say("Whoever folds loses the jackpot stake too."),
        "R9": say("The jackpot stake is not returned with a prize."),
        "R10": say("Each straight flush is paid from the same opening pool."),
        "R11": say("Fixed sums come out of the pool, unless the house says otherwise; the house bears a shortfall."),
        "R12": say("A royal flush wins what the straight flushes have left of the pool."),
        "R13": say("Several royal flushes divide the higher of pool and fixed sum."),
        "R14": say(
            "A carried jackpot stake plays in the next round in which its bettor antes, and is refunded if the bettor "
            "leaves."
        ),
        "R15": say("Cards dealt to a box without a stake do not make the round void."),
        "R16": say("One card of a bettor and one of the dealer are two exposed cards."),
        "R17": say(
            "Decisions are taken at the same time and are hidden until the close, unless the house says in turn."
        ),
        "R18": say("Royal flushes are compared by their suit."),
        "R19": say("A pool that is merely below the minimum is not filled up."),
        "R20": say("The odds of a royal flush are whole numbers."),
        "R21": say("Equal hands do not push: the suit decides."),
        "R22": say("The procedure of article 6 is binding."),
        "R23": say("The house keeps its own records; they are not shown at the table."),
        "R24": say(
            "From the first card to the last decision nobody talks at the table, onlookers included; who sits or "
            "has a stake there talks at no other table either."
        ),
        "credits": say("Stakes are whole credits."),
        "minimum": say("The minimum ante of the table."),
        "maximum": say("The maximum ante of the table."),
        "closed": say("Bets are taken only while betting is open."),
        "seat": say("Only seated bettors stake, each on the box of their seat, and each seat has one bettor."),
        "jackpot": say("The jackpot stake is one fixed amount, of which a part goes into the pool."),
        "time": say("Whoever lets the time pass, or leaves the box before deciding, folds."),
        "void": say("Without an ante nothing is dealt."),
    },
)

ARTICLES: dict[str, Article] = LAW | OURS

_OF_2003 = _table(
    True,
    {
        "1": say(
            "The equipment is one deck of 52 cards, a sabot and a white cut card, a shuffler, and an electronic "
            "display and system for the progressive jackpot."
        ),
        "3(1)": say(
            "Shuffled by hand, the deck is cut by the dealer with the white card, which stays at the bottom, and put "
            "in the sabot."
        ),
        "6": say("Bettors may follow this procedure when they stake."),
        "7(1)": say(
            "From the sabot cards are dealt one at a time, face down, clockwise to each box with a stake and last to "
            "the dealer, until all have five; the dealer's fifth is face up."
        ),
        "9(5)(9)": say(
            "A royal flush pays 50 to 1 on the raise, at most the maximum per round that the house has set before."
        ),
        "11(4)": say(
            "The shuffler fails during the deal: the round is void, and jackpot stakes are carried to the next round; "
            "the shuffler is replaced, or the sabot is used."
        ),
    },
)

_OURS_OF_2003 = _table(
    False, {"R22": say("Article 6 says that bettors may follow its procedure; the house holds everybody to it.")}
)

_LATER = ("13", "R20")
"""What there is only since 61/2004: the house's choice of the odds of a royal flush."""

EARLIER: dict[str, dict[str, Article]] = {
    "69/2003": {
        number: about for number, about in (ARTICLES | _OF_2003 | _OURS_OF_2003).items() if number not in _LATER
    }
}
"""Edition -> all that its rounds can cite, in its own words."""
