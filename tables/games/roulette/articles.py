"""Everything that a refusal, a payment or a number of Roulette can cite.

Regulation: External Regulatory Dispatch 60/2004, of which articles 1, 7, 8 and 9 and the beginning of 2 are known. What
is not law but a ruling or operating parameter of ours is marked so, and stays marked wherever it is shown.
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
        "1(1)": say(
            "A wooden cylinder about 32 inches (81.2 centimetres) across, with a plate that turns on a pivot or ball "
            "bearing."
        ),
        "1(2)": say(
            "The plate, smooth or with deflectors, is slightly concave and divided into 37 small pockets by a fixed "
            "metal wall."
        ),
        "1(3)": say("There is one number to each pocket, zero included."),
        "1(4)": say("Numbers other than zero stand alternately on red and black."),
        "1(5)": say("Zero has neither of those colours."),
        "2": say("Throwing the ball, and the null spin. What the article says of a null spin is not known."),
        "2(1)": say(
            "The ball may be thrown from left to right; here the text that is known breaks off, evidently before: or "
            "from right to left."
        ),
        "7": say("The winner keeps the stake and receives the odds of the bet."),
        "7(1)": say("One number pays 35 to 1."),
        "7(2)": say("Two numbers pay 17 to 1."),
        "7(3)": say("Three numbers pay 11 to 1."),
        "7(4)": say("Four numbers pay 8 to 1."),
        "7(5)": say("Six numbers pay 5 to 1."),
        "7(6)": say("Nine numbers, a sector, pay 3 to 1."),
        "7(7)": say("Twelve numbers pay 2 to 1: a sector of twelve, a column, or small, middle and big."),
        "7(8)": say("Eighteen numbers pay 1 to 1: even, odd, low, high, red and black."),
        "8": say(
            "When zero comes up, stakes on zero win, in the Portuguese text those on zero as a single number; all "
            "other stakes lose to the house."
        ),
        "9": say(
            "The choice of the house among the options of articles 3, 5, 6 and 7 needs the prior authorisation of the "
            "gaming inspectorate, asked for three working days before the day on which it is to be adopted."
        ),
    },
)

OURS = _table(
    False,
    {
        "R-A1": say("Articles 3 to 6 and the rest of 2 are not known: what they would say is left to options."),
        "R-A2": say(
            "Zero is not combined with other numbers. Where the house offers it all the same, as the Chinese text "
            "lets it, such bets win on zero."
        ),
        "R-A3": say("Sectors are arcs of the wheel clockwise from zero, unless the house takes blocks of the layout."),
        "R-A4": say(
            "The dozens are small, middle and big, the halves low and high; none is named without its numbers."
        ),
        "R-A5": say("Small is 1 to 12, middle 13 to 24, big 25 to 36."),
        "R-A6": say("The straight line of twelve is the column, plain twelve the sector."),
        "R-A7": say("The numbers stand in the European order."),
        "R-A8": say("Zero is green: red, black, odd, even, low and high lose on it."),
        "R-A9": say("On a null spin the bets stand and the ball is thrown again, unless the house reopens betting."),
        "R-A10": say("Betting closes at the bell, when the ball leaves the groove, or before the ball is thrown."),
        "R-A11": say("The house chooses which bets are offered; the odds are fixed."),
        "R-A12": say("A winning stake is credited with its prize, unless the house leaves it on its spot."),
        "R-A13": say("Nothing is ever rounded: all odds are whole numbers."),
        "R-A14": say(
            "A spin is null when something falls onto the plate, the ball jumps out, does not rest in one pocket or is "
            "thrown in the direction of the plate, the wheel stops, there are two balls, or power or connection fail "
            "before the number is known."
        ),
        "R-A15": say("A number that is known stands, whatever fails or is wrongly announced after it."),
        "sealed": say("The number is drawn and sealed before anybody bets, and its seal is opened after the bell."),
        "credits": say("Stakes are whole credits."),
        "minimum": say("The minimum of the table."),
        "maximum": say("The maximum of the table counts all stakes of a bettor on a spot, those left there included."),
        "closed": say("Bets are taken only while betting is open."),
        "seat": say("Each seat has one bettor; any bettor may use any spot, seated or not."),
        "gone": say("Stakes stay when their bettor goes."),
        "colour": say("Each bettor has a colour of their own at the table, while there are colours left."),
        "void": say("When a round is void, stakes are returned, and those that were left on their spots stay."),
    },
)

ARTICLES: dict[str, Article] = LAW | OURS
