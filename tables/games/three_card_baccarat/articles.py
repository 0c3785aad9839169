"""Everything that a refusal, a payment or a dealt card of 3-Card Baccarat can cite.

Regulation: Portaria 22/96/M. What is not law but a ruling or operating parameter of ours is marked so, and stays marked
wherever it is shown.
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
        "1(1)": say("One or more decks of 52 cards are in use."),
        "1(2)": say("One deck is dealt from a box with one white card, more from a shoe with two."),
        "2(1)": say(
            "The cards serve one round or several. The banker shuffles, and any player may cut with a white card, else "
            "the banker; with more than one deck a second white card goes among the last 30 or 40 cards."
        ),
        "2(2)": say(
            "As many cards as decks are removed first. Three cards face down go to each place, clockwise from the "
            "first, the banker last."
        ),
        "2(3)": say("From the shoe one card is also removed at the start of each following round."),
        "2(4)": say(
            "A dealing error is put right by giving the cards to whom they were due; if that cannot be done all cards "
            "of the round are cancelled."
        ),
        "2(5)": say("Cards that turn over while dealing stay valid."),
        "3(1)": say(
            "When the white card comes out it is the last round; then the cards are reshuffled, or replaced where "
            "they are worn. The house may reshuffle after any round."
        ),
        "3(2)": say("From the box one round is dealt; then the cards are reshuffled."),
        "4(1)": say("Cards go to at most the places marked on the table, the banker's included."),
        "4(2)": say("A player who occupies a place may bet on more than one."),
        "4(3)": say(
            "Nobody changes place in the middle of a round, holds cards away from the table, or holds another place's."
        ),
        "5(1)": say(
            "Court cards and tens count zero. The annex ranks 31 combinations: three court cards are the highest; then "
            "come nine points down to zero, each with two court cards before one, and with one before none."
        ),
        "5(2)": say("Three court cards are best; else the sum counts, less ten or twenty, and nine is the highest."),
        "6": say("A place wins if its combination is higher than the banker's."),
        "7(1)": say("The same combination is a tie."),
        "7(2)": say(
            "After a tie the stakes on the place may be increased but not withdrawn, and wait for the next round; new "
            "bets may be taken."
        ),
        "8(1)": say(
            "Odd and Even go by the banker's points; when the banker has three court cards both are a tie: they may "
            "not be withdrawn and wait for the next round, and new bets may be taken."
        ),
        "8(2)": say("Numbers: the banker has three court cards, or a number of points from 0 to 9."),
        "8(3)": say(
            "Tie: the place's combination equals the banker's; on one place or several, where they are bet on already."
        ),
        "9": say(
            "Place, odd and even pay 1 to 1, three court cards 16 to 1, a number of points 8 to 1, a tie 20 to 1."
        ),
        "10": say("A commission of five per cent is kept from the prizes of place, odd and even."),
    },
)

OURS = _table(
    False,
    {
        "T-A1": say("The banker is the house."),
        "T-A2": say("Three court cards are any three of jack, queen and king."),
        "T-A3": say("A sum of exactly 10 or 20 is 0 points."),
        "T-A4": say("A ten is no court card."),
        "T-A5": say("The same combination is the same of the 31 ranks, not only the same points."),
        "T-A6": say("Numbers are decided by the banker's cards."),
        "T-A7": say("0 points do not win on three court cards."),
        "T-A8": say("0 points are even."),
        "T-A9": say(
            "Anybody's place bet lets a tie be staked on its place, a locked one too; when the last of them is "
            "withdrawn its tie bets go with it."
        ),
        "T-A10": say("Locked odd and even are increased by new bets, which lock too."),
        "T-A11": say("When a deal is cancelled fresh stakes are returned and locked ones stay locked."),
        "T-A12": say(
            "Only bettors who occupy a place bet, unless the house lets others bet where somebody else does already."
        ),
        "T-A13": say("Cards are dealt one at a time, unless the house deals three together."),
        "T-A14": say("The second white card lies at any depth from 30 to 40."),
        "T-A15": say("The white card gives no further round."),
        "T-A16": say("What Portaria 219/96/M may have changed is left to the house as an option."),
        "locked": say(
            "A locked stake plays on after a reshuffle, and when its bettor has left: its place is dealt in."
        ),
        "look": say("Whoever occupies a place may look at its cards; nobody waits longer than the decision time."),
        "gone": say(
            "Stakes stay when their bettor goes, and the dealer opens the place. Before betting closes it is kept for "
            "the bettor until somebody else takes it."
        ),
        "credits": say("Stakes are whole credits."),
        "minimum": say("The minimum of the table."),
        "maximum": say("The maximum of the table counts what is locked and what is added together."),
        "closed": say("Bets are taken only while betting is open."),
        "seat": say("Each place has one bettor."),
        "cut": say(
            "The cut is offered to the seated bettors in order, then to all at once who stand, have staked in the last "
            "three rounds and are still there: the first of them who takes it cuts. When the time of one is over all "
            "others are asked at once."
        ),
    },
)

ARTICLES: dict[str, Article] = LAW | OURS
