"""Everything that a refusal, a payment or a drawn card of Blackjack can cite.

Regulation: External Regulatory Dispatch 56/2004. What is not law but a ruling or operating parameter of ours is marked
so, and stays marked wherever it is shown.
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
        "1(1)": say("The table has a printed layout and six or more seats."),
        "1(2)": say("One or more decks of 52 cards are in use."),
        "1(3)": say("One deck is dealt from a metal box or a shoe with one white card, several from a shoe with two."),
        "1(4)": say("An automatic machine may shuffle and deal instead."),
        "2(1)": say("A shuffle serves one or more rounds."),
        "2(1)(1)": say(
            "Any bettor may cut with a white card; if nobody wants to, the bank does. With several decks a second "
            "white card goes in among the last 30 cards or more."
        ),
        "2(1)(2)": say("With the automatic machine there is no cut and no white card."),
        "2(2)": say("When the cards are shuffled again."),
        "2(2)(1)": say(
            "The second white card announces the last round; the round is finished, then the cards are shuffled, or"
            " replaced where they are worn."
        ),
        "2(2)(2)": say("The bank may shuffle again at the end of any round."),
        "2(2)(3)": say("A metal box with one deck serves exactly one round."),
        "2(2)(4)": say("With the automatic machine all cards go back after every round."),
        "3(1)": say("There are six or more boxes."),
        "3(2)": say("The house may limit the boxes that one bettor plays."),
        "3(3)": say("A bettor may play more than one box."),
        "3(4)": say("Where only standing bettors have staked, only the dealer handles the cards."),
        "4(1)": say("Cards are burnt before the first round after a shuffle."),
        "4(1)(1)": say("As many cards are burnt as there are decks."),
        "4(1)(2)": say("Only the first card is burnt."),
        "4(2)": say(
            "With a shoe or the automatic machine one card may also be burnt at the start of every following "
            "round; or that one and another before the bank's second card."
        ),
        "5(1)": say("Cards are dealt one at a time from the left to each box with a stake and to the bank."),
        "5(1)(1)": say("A card that comes out face up is void; the house may treat the very first one as valid."),
        "5(1)(2)": say("A mistake is corrected at once; if that cannot be done all cards of the round are cancelled."),
        "5(2)": say("The cards are dealt by one of two procedures."),
        "5(2)(1)(1)": say(
            "Procedure 1: two cards face down to each box and one face up to the bank, its second after all have acted."
        ),
        "5(2)(1)(2)": say(
            "Procedure 1 from the metal box: the bank has its second card, face down, before the bettors act."
        ),
        "5(2)(2)(1)": say("Procedure 2: two cards face up to each box and one to the bank."),
        "5(2)(2)(2)": say("Procedure 2: the bank's second card comes face up after the bettors have acted."),
        "6": say("In drawing cards one or more of these procedures are observed."),
        "6(1)": say(
            "The bank must draw on 16 or less and may not draw on 17 or more. A card that it wrongly draws is void "
            "and removed; it may be considered valid if it was not shown."
        ),
        "6(2)": say("Bettors draw as they like; over 21 they show the hand at once."),
        "6(3)": say(
            "The boxes act strictly in order from the left. Each tells the bank its final decision before the bank "
            "turns to the next."
        ),
        "6(4)": say("Cards may be drawn while the total is below 21."),
        "6(4)(1)": say("No card is drawn to a blackjack or to 21."),
        "6(4)(2)": say("After doubling one card only."),
        "6(4)(3)": say("After splitting aces one card only for each."),
        "6(5)": say("The bank announces the totals from the left and awaits each decision."),
        "7(1)": say(
            "When all have decided the bank deals the cards asked for, announces each total, takes its second card "
            "and announces its own total."
        ),
        "7(2)": say("A bettor over 21 loses even if the bank goes over 21 too."),
        "8": say("An ace counts 1 or 11 as the bettor likes, a court card 10, any other card its pips."),
        "9": say("More points than the bank win, fewer lose."),
        "10(1)": say("A blackjack is an ace with a ten or a court card as the first two cards."),
        "10(2)": say("A blackjack pays 3 to 2 if the bank has none."),
        "10(3)": say("Against an ace, a ten or a court card the holder of a blackjack may ask for even money."),
        "10(4)": say("Another 21 is no blackjack; it pays 1 to 1 if the bank has neither a blackjack nor 21."),
        "10(5)": say("A blackjack beats the bank's 21 in three or more cards."),
        "10(6)": say("The bank's blackjack beats a 21 in more cards; 21 on a split stake is no blackjack."),
        "10(7)": say("If the bank has a blackjack, a doubled stake may lose only its original part."),
        "11": say("Tie: the stake is returned."),
        "11(1)": say("It is a tie if both have a blackjack."),
        "11(2)": say("It is a tie on equal points."),
        "12(1)": say(
            "Against an ace an insurance from half to the whole of the stake may be made, as the bank accepts."
        ),
        "12(2)": say(
            "Insurance is decided when all have acted, and pays 2 to 1 if the bank has a blackjack; the bank then "
            "takes the stakes of all who have none."
        ),
        "12(3)": say("If the bank has no blackjack all insurance stakes lose."),
        "13": say("Beside the main stake a bettor may make one of the side bets."),
        "13(1)": say("Any pair, on any boxes of any bettor."),
        "13(1)(1)": say(
            "The first two cards are of one denomination, whatever their colour and suit: two jacks are a pair, a jack "
            "and a queen are not."
        ),
        "13(1)(2)": say("Another pair that is formed after a split counts too."),
        "13(2)": say("Sevens, before the first card is dealt."),
        "13(2)(1)": say("The first two cards are both sevens."),
        "13(2)(2)": say("Two sevens are split, and the third card dealt is a seven too."),
        "13(3)": say("Over 13 and under 13, before the first card is dealt: the sum of the first two cards."),
        "14(1)": say("Any pair pays 11 to 1."),
        "14(2)": say(
            "Only the highest combination of sevens is paid: two 50 to 1, two of one suit 150 to 1, three 500 to 1, "
            "three of one suit 5000 to 1."
        ),
        "14(3)": say("Over 13 and under 13 pay 1 to 1."),
        "15": say(
            "6-7-8 of one suit or three sevens receive three times the stake at once, even if the bank shows an ace."
        ),
        "16(1)": say("A pair may be split, up to four or more stakes."),
        "16(2)": say("Each split stake equals the original one."),
        "16(3)": say("Aces may be split once or several times; each receives one card only."),
        "16(4)": say("Other split pairs draw any number of cards, unless they go over 21."),
        "16(5)": say(
            "Who receives a card equal to a split pair, aces excepted, may be allowed to split once more, unless "
            "they declined to split before."
        ),
        "17": say("One of two alternatives of doubling holds at a table."),
        "17(1)": say(
            "Doubling on any first two cards, those of split pairs included; one card more, face up and sideways."
        ),
        "17(2)": say("Doubling only on 11; one card more."),
        "18(1)": say("Unless the bank shows an ace, a bettor may give up the round and lose half the stake."),
        "18(2)": say("Surrender comes before any additional card and is irrevocable."),
        "19(1)": say("With five cards not over 21, the bank's first card being no ace, half the stake may be claimed."),
        "19(2)": say("If it is not claimed, or the bank's first card is an ace, the round goes on as usual."),
        "20(1)": say("Who decides where several have staked on one box."),
        "20(1)(1)": say("The seated bettor decides."),
        "20(1)(2)": say(
            "At most three bettors a box, or fewer as the manager of the room or area says; the seated one decides,"
            " or the one whose stake lies nearest to the bank."
        ),
        "20(1)(3)": say(
            "The highest stake decides, of equal ones that of the seated bettor; only the seated bettor holds the "
            "cards."
        ),
        "20(2)": say(
            "In all of these procedures bettors on different boxes of a table may not influence each other's "
            "decisions to draw or not."
        ),
        "21": say(
            "The house's choice in articles 1 to 6, 13 to 17, 19, 20, 10(7) and 12(1) needs the authorisation of the "
            "gaming inspectorate, asked for three working days before."
        ),
    },
)

OURS = _table(
    False,
    {
        "R1": say("A plain win pays 1 to 1."),
        "R2": say("If the bank is over 21 every hand that is not wins."),
        "R3": say("A shoe with one deck has no second white card and is shuffled after every round."),
        "R4": say("The bank stands on a soft 17."),
        "R5": say("Surrender comes before the first card drawn in the round, or as the first decision of the box."),
        "R6": say("A surrender is final, also against a later blackjack of the bank."),
        "R7": say("The first of two split hands is finished before the next receives its second card."),
        "R8": say("A pair to split is of one rank; the house may allow equal values."),
        "R9": say("The bank takes only the cards that open stakes need."),
        "R10": say("A five-card claim ends the hand for its bettor: the stake and a half, at exactly five cards."),
        "R11": say("The special prize ends the hand; the house may let its 21 play on."),
        "R12": say("The special prize is on the stake of the hand, split or doubled, in exactly three cards."),
        "R13": say("In over and under 13 an ace counts 1, and exactly 13 loses."),
        "R14": say("Any pair pays again for each pair after a split, unless the house pays only the first two cards."),
        "R15": say("A bettor has one type of side bet on a box; bettor and box both need a main stake."),
        "R16": say("Where nobody is seated, and among equals, the earliest stake decides."),
        "R17": say(
            "Others on the box may match a double or a split with exactly their stake, and are bound by the "
            "rest; who does not match a split stays on the first hand."
        ),
        "R18": say("When the cards are cancelled all stakes go back and prizes are reversed."),
        "R19": say("Split stakes all lose to a blackjack of the bank; the house may take only the original one."),
        "R20": say("A doubled hand over 21 has lost in full, whatever the bank has."),
        "R21": say("The bettor chooses the insurance, from half the stake to what the house accepts."),
        "R22": say("Insurance lives on when its box is settled; it excludes even money."),
        "R23": say("Sevens count the third card dealt to the box, split or not."),
        "R24": say("Three sevens are of different suits unless all three are of one."),
        "R25": say("From the metal box the bank's second card is dealt before the turns and turned after them."),
        "R26": say("Totals are announced when the cards lie open."),
        "R27": say("Aces are split again only where the house says so."),
        "R28": say("A pair with which something else was done can no longer be split."),
        "R29": say("Where doubling is only on 11, not after a split."),
        "R30": say("A double is exactly the stake."),
        "R31": say("No card is drawn to a soft 21."),
        "R32": say("A bettor stands on every box but that of their own seat."),
        "R33": say("Whether only standing bettors have staked is seen box by box."),
        "R34": say("All of article 6 holds at every table."),
        "R35": say("The odds are fixed; the house chooses only what it offers."),
        "R36": say("Thirty cards or more lie behind the second white card."),
        "R37": say(
            "A card that the bank wrongly drew and did not show stays the next card of the pack, unless the house "
            "burns it."
        ),
        "R38": say(
            "How often a pair may be split again is for the house to say: into so many hands, four at the least."
        ),
        "credits": say("Stakes are whole credits."),
        "minimum": say("The minimum of the table."),
        "maximum": say("The maximum of the table counts all of a bettor's stake on one spot of a box."),
        "closed": say("Bets are taken only while betting is open."),
        "seat": say("Only a seated bettor may hold cards, and each seat has one bettor."),
        "cut": say(
            "The cut is offered to the seated bettors in order, then to all at once who stand, have staked in the last "
            "three rounds and are still there: the first of them who takes it cuts. When the time of one is over all "
            "others are asked at once."
        ),
        "talk": say(
            "From the first card to the last decision nobody talks at the table, and who has a stake there talks "
            "nowhere else."
        ),
        "box": say("A box is one that the layout has."),
        "time": say("Whoever lets the time pass stands, and asks for nothing extra."),
        "void": say("Without a main stake nothing is dealt."),
        "pack": say("If the pack runs out within a round the round is void."),
        "last": say("If the white card is the first thing out, that round is still played and is the last."),
    },
)

ARTICLES: dict[str, Article] = LAW | OURS
