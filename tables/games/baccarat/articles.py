"""Everything that a refusal, a payment or a drawn card of Baccarat can cite.

Regulation: External Regulatory Dispatch 55/2004 with 73/2005, 83/2011 and the extension 56/2018. What is not law but
a ruling or operating parameter of ours is marked so, and stays marked wherever it is shown.
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
        "1(1)": say("Six to twelve decks of 52 cards are in use."),
        "1(2)": say("The cards are dealt from a shoe with one or more cut cards."),
        "1(3)": say("An automatic machine may shuffle and deal."),
        "1(4)": say("A shuffling machine may be used."),
        "1(5)": say("The table has one or two layouts and at least seven seats."),
        "2(1)": say(
            "The dealer shuffles, a bettor or the dealer cuts, and the white card goes in with at least about "
            "twelve cards behind it. Then as many cards are burnt as there are decks, or as the face of the first "
            "card says, or a number from 1 to 8 that the house fixed beforehand (Dispatch 83/2011)."
        ),
        "2(2)": say("Each new shoe may begin with at most three demonstration rounds."),
        "2(3)": say("With the automatic machine there is no cut, no white card and no burn."),
        "3(1)": say(
            "When the white card comes out it is the last round, or one more round is played. The white card is "
            "taken out, the round is finished and the cards are shuffled again; soiled or damaged cards are "
            "replaced by a new set."
        ),
        "3(2)": say("The house may change the shoe after any round."),
        "4": say("A card that comes out face up stays valid, and so do the bets."),
        "5(1)": say("Court cards, tens and totals of ten count zero."),
        "5(2)": say("Other cards count their pips; nine is the highest value."),
        "6": say("Only two hands take part: Banker and Player."),
        "7(1)": say("Cards are dealt one at a time, Player first, two each; the Player's cards are opened first."),
        "7(2)": say("With the automatic machine cards are dealt face up and return to the machine after the round."),
        "8": say("The house may burn cards at the start of every round."),
        "9": say("Each hand takes at most one more card, the Player first."),
        "9(1)": say("The Player draws with 0 to 5."),
        "9(2)": say("The Player does not draw with 6 to 9, or when the Banker has a natural 8 or 9."),
        "9(3)": say("When the Banker must draw."),
        "9(3)(1)": say("The Banker draws with 0, 1 or 2, whatever the Player drew."),
        "9(3)(2)": say("The Banker draws with 3 if the Player's third card is 1 to 7, 9 or 10."),
        "9(3)(3)": say("The Banker draws with 4 if the Player's third card is 2 to 7."),
        "9(3)(4)": say("The Banker draws with 5 if the Player's third card is 4 to 7."),
        "9(3)(5)": say("The Banker draws with 6 if the Player's third card is 6 or 7."),
        "9(3)(6)": say("The Banker draws with 0 to 5 if the Player took no card."),
        "9(4)": say("When the Banker must not draw."),
        "9(4)(1)": say("The Banker stands with 3 if the Player's third card is 8."),
        "9(4)(2)": say("The Banker stands with 4 if the Player's third card is 1, 8, 9 or 10."),
        "9(4)(3)": say("The Banker stands with 5 if the Player's third card is 1, 2, 3, 8, 9 or 10."),
        "9(4)(4)": say(
            "The Banker stands with 6 if the Player's third card is 1 to 5, 8, 9 or 10, or if the Player took no card."
        ),
        "9(4)(5)": say("The Banker stands with 7, 8 or 9."),
        "9(4)(6)": say("The Banker stands if the Player has a natural 8 or 9."),
        "10": say("A mistake is corrected at once; if that cannot be done the round is cancelled and void."),
        "11": say("The hand with the higher points wins."),
        "12": say("On equal points a new round decides; the stakes may be cancelled, kept or changed."),
        "12(1)": say("After a tie the stakes may be cancelled."),
        "12(2)": say("After a tie the stakes may be kept."),
        "12(3)(1)": say("After a tie the stakes may be changed, with or without reducing them."),
        "12(3)(2)": say("After a tie the stakes may be moved from Player to Banker or the reverse."),
        "13": say("There are bets on Player, Banker, Tie and the two pairs."),
        "13(1)": say("A bet on the Player."),
        "13(2)": say("A bet on the Banker."),
        "13(3)": say("A bet on a tie."),
        "13(4)": say(
            "In addition a bet that a hand's first two cards are a pair, whatever their colour and suit: two jacks are "
            "one, a jack and a queen are not."
        ),
        "13(1)(4)(3)": say("A bet that the Banker wins with six points (Dispatch 56/2018)."),
        "14": say(
            "Where the stakes on Banker and on Player differ, the difference is accepted only up to a set limit."
        ),
        "15": say("Standing bettors may not place stakes in the boxes of the seated bettors."),
        "16(1)": say("The house decides whether bettors may hold cards."),
        "16(2)": say(
            "The seated bettor with the largest stake holds the cards, and may neither leave the table with them nor "
            "look at the drawn card together with the first two."
        ),
        "17": say("Player and Banker pay 1 to 1, Tie 8 to 1, the pairs 11 to 1."),
        "17(5)": say("The six pays 12 to 1 with two cards and 20 to 1 with three (Dispatch 56/2018)."),
        "18": say("When the Banker wins there is a commission, or none and half a prize on 6."),
        "18(1)": say("When the Banker wins the house takes five per cent of the prize."),
        "18(2)": say("No commission, but a Banker who wins with 6 is paid one half (Dispatch 73/2005)."),
        "19": say(
            "The choice among the alternatives of articles 2, 3, 7, 12 and 18 needs the authorisation of the gaming "
            "inspectorate, asked for three working days before."
        ),
    },
)

OURS = _table(
    False,
    {
        "note 1": say("Stakes on the Banker are the table minimum or a multiple of it."),
        "note 2": say("After a tie a bettor may only add to the stake."),
        "B-A1": say(
            "A first card that is a ten or court card burns ten more; the turned card itself is not counted, "
            "unless the house counts it."
        ),
        "B-A2": say("Last round, or one more: the house chooses one of the two."),
        "B-A3": say("At least twelve cards lie behind the white card."),
        "B-A4": say("The house fixes what may be done after a tie; the bettor chooses from it."),
        "B-A5": say(
            "A pair bet needs a stake on Player, Banker or Tie by the same bettor and goes when that is withdrawn; "
            "Lucky 6 stands alone."
        ),
        "B-A6": say("A natural on either side ends the drawing, whatever the other hand has."),
        "B-A7": say("Ten, jack, queen and king are all a third card of ten; ten points are zero."),
        "B-A8": say("The limit of article 14 is on the difference, not on each side."),
        "B-A9": say("Each hand has its own holder; of equal stakes the earlier one, then the lower seat."),
        "B-A10": say("The third card is handed over only when the first two lie open."),
        "B-A11": say("Commission is taken on each winning Banker stake by itself."),
        "B-A12": say("In a void round nothing is paid, decided pairs included."),
        "B-A13": say("A card that came out face up lies open for all and cannot be held back."),
        "B-A14": say("Demonstration rounds are dealt from a shoe only, without bets; their cards are spent."),
        "B-A15": say("The two notes after article 18 are customs of the house, not law."),
        "B-A16": say("A carried stake waits for the next shoe; when the table closes it is returned."),
        "B-A17": say(
            "The burn, demonstrations, the last round, the machine, the tie and the commission need an authorisation."
        ),
        "B-A18": say(
            "Where the house has the cards squeezed, the holder peels those that are to be opened now, sees of them "
            "what everybody sees, and turns each by itself. The dealer opens them when the holder has peeled no "
            "further for eight seconds, or for as long as the house says, and at the latest after thirty."
        ),
        "credits": say("Stakes are whole credits."),
        "minimum": say("The minimum of the table."),
        "maximum": say("The maximum of the table counts a bettor's box and the common area together."),
        "trim": say(
            "Stakes above the limit of article 14 are lowered when betting closes, the newest first, fresh before "
            "carried, each to an amount that may be bet."
        ),
        "closed": say("Bets are taken only while betting is open."),
        "seat": say("Only a seated bettor may hold cards, and each seat has one bettor."),
        "cut": say(
            "The cut is offered to the seated bettors in order, then to all at once who stand, have staked in the last "
            "three rounds and are still there: the first of them who takes it cuts. When the time of one is over all "
            "others are asked at once."
        ),
    },
)

ARTICLES: dict[str, Article] = LAW | OURS
