"""Everything that a refusal, a payment or a throw of Cussec can cite.

Regulation: External Regulatory Dispatch 57/2004, of which no article is known: nothing here is law. The rules `CS-n`
come from the sister regulation of the series and from published house rules; all else are rulings and operating
parameters of ours. Each stays marked as that wherever it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping

from tables.games.contract.game import Article
from tables.games.values.words import Words, say


def _table(rows: Mapping[str, Words]) -> dict[str, Article]:
    return {number: Article(number, says, law=False) for number, says in rows.items()}


RULES = _table(
    {
        "CS-1": say("Three perfectly balanced dice of equal weight, opposite faces adding to seven."),
        "CS-2": say(
            "The shaker is an opaque base with a lever, a glass dome over the dice and a cover locked over it."
        ),
        "CS-3": say("The layout shows every bet, and the winning spots light up."),
        "CS-4": say("The dealer locks the cover and presses the lever three times at least; then bets are taken."),
        "CS-5": say("The dealer rings a bell: no more bets."),
        "CS-6": say("The cover is lifted, the result announced, the winning spots lit."),
        "CS-7": say("A cocked die: what the regulation says of it is not known."),
        "CS-8": say("Losing stakes are collected; a winner keeps the stake and receives the odds of the bet."),
        "CS-9": say("Any triple beats big, small, odd and even."),
        "CS-10": say(
            "A triple wins the double of its number, any triple, its own triple, the single at 3 to 1 and its total."
        ),
    }
)

RULINGS = _table(
    {
        "C-A1": say("The regulation is not at hand: the odds are those published for Macau."),
        "C-A2": say("Totals win on a triple too."),
        "C-A3": say("A double wins on a triple too, once, 8 to 1."),
        "C-A4": say("A single number wins 3 to 1 on a triple."),
        "C-A5": say("A combination of two dice wins once, also where one of its numbers shows twice."),
        "C-A6": say("The sets of four numbers are 1234, 2345, 2356 and 3456."),
        "C-A7": say("Four numbers win only on three different numbers of the four."),
        "C-A8": say("Odd and even are offered at the odds of Macau, unless the house leaves them out."),
        "C-A9": say("The dice are shaken before betting, unless the house shakes them after the bell."),
        "C-A10": say(
            "Cocked dice make the round void and all stakes return, unless the house shakes again with the same bets."
        ),
        "C-A11": say("Totals 5 and 16 pay 18 to 1, as all sources for Macau say."),
        "C-A12": say("Every bet that wins on a throw is settled by itself, without a cap."),
        "C-A13": say("Nothing is ever rounded: all odds are whole numbers."),
    }
)

OURS = _table(
    {
        "authorisation": say(
            "The choice of the house among alternatives needs an authorisation, asked for three working days before."
        ),
        "sealed": say(
            "The result is drawn and sealed when the dice are shaken, and the seal is opened with the cover."
        ),
        "presses": say(
            "Fewer presses than are due, noticed before the bell: the dice are shaken again, and bets may be changed."
        ),
        "seen": say("When the cover is opened or dice are seen before the bell, the round is void."),
        "broken": say("When a die breaks or leaves the dome, the round is void and the dice are replaced."),
        "stays": say("A winning stake is credited with its prize, unless the house leaves it on its spot."),
        "void": say("When a round is void, stakes are returned, and those that were left on their spots stay."),
        "credits": say("Stakes are whole credits."),
        "minimum": say("The minimum of the table."),
        "maximum": say("The maximum of the table counts all stakes of a bettor on a spot, those left there included."),
        "closed": say("Bets are taken only while betting is open."),
        "seat": say("Each seat has one bettor; any bettor may use any spot, seated or not."),
        "gone": say("Stakes stay when their bettor goes."),
    }
)

ARTICLES: dict[str, Article] = RULES | RULINGS | OURS
