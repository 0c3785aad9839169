"""The first round of whoever has never seen the game, and what can be said of it in one line."""

from __future__ import annotations

from tables.felt.shared.lesson import CHIP_FIRST, YOU, Lesson, LessonStep
from tables.games.contract.actions import PlaceBet
from tables.games.values.words import Note, say

LESSON = Lesson(
    thrown=(23,),
    steps=(
        LessonStep("1(2)", say("A ball falls into one of 37 pockets, 0 to 36. You bet on which."), ".dealing"),
        LessonStep("7", CHIP_FIRST, ".tray__chips"),
        LessonStep(
            "7(1)",
            say("One number alone pays 35 to 1."),
            '[data-key="straight_17"]',
            deeds=(PlaceBet(YOU, "b1", "straight_17", 1_00),),
        ),
        LessonStep(
            "7(8)",
            say("Red or black, odd or even, low or high: each covers eighteen numbers and pays 1 to 1."),
            '[data-key="red"]',
            deeds=(PlaceBet(YOU, "b2", "red", 10_00),),
        ),
        LessonStep("7(7)", say("Twelve numbers, a dozen or a column, pay 2 to 1."), ".dozens"),
        LessonStep(
            "R-A10", say("The ball runs. Bets are taken until the bell, then no more."), ".dealing", until="spinning"
        ),
        LessonStep(
            "8", say("It is 23, a red number. On zero only bets on zero would win."), ".dealing", until="result"
        ),
        LessonStep(
            "7", say("Red has won: stake and prize are yours. The stake on 17 is lost."), "#my-result", until="settled"
        ),
    ),
)

LINES = (
    Note("1(3)", say("Each of the 37 pockets has one number, zero included.")),
    Note("7(1)", say("One number pays 35 to 1, two 17 to 1, three 11 to 1, four 8 to 1.")),
    Note("7(7)", say("Twelve numbers, a dozen or a column, pay 2 to 1.")),
    Note("7(8)", say("Red or black, odd or even, low or high pay 1 to 1.")),
    Note("8", say("On zero the stakes on zero win; all others lose.")),
)
"""True at every table of the game."""

LIKED = (("straight",), ("red", "black", "odd", "even", "low", "high", "dozen"), ("split", "corner", "street"))
