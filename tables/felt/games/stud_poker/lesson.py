"""The first round of whoever has never seen the game, and what can be said of it in one line."""

from __future__ import annotations

from tables.felt.shared.lesson import YOU, Lesson, LessonStep
from tables.games.contract.actions import PlaceBet
from tables.games.stud_poker.phases import Raise
from tables.games.values.words import Note, say

LESSON = Lesson(
    seat=4,
    pack="Kh 4s Kd 4c Jh 9d Ac 6s 2h Ks",
    steps=(
        LessonStep("9(5)", say("Your five cards against the dealer's five: the better poker hand wins."), ".bank"),
        LessonStep(
            "6(2)",
            say("Sit down at a box, choose a chip, and lay your ante there: the stake before the cards."),
            ".tray__chips",
        ),
        LessonStep(
            "6(1)",
            say("Your ante lies in your box. You play there alone."),
            '[data-key="ante-4"]',
            deeds=(PlaceBet(YOU, "b1", "ante", 10_00, 4),),
        ),
        LessonStep(
            "7(2)",
            say("Only you see your five cards. Of the dealer's cards the fifth lies open."),
            "#my-cards",
            until="look_and_decide",
        ),
        LessonStep("6(7)", say("Now you decide: raise with exactly twice the ante, or fold and lose it."), "#decision"),
        LessonStep(
            "9(2)",
            say("You have raised. Had the dealer no ace-king or better, raises would return and antes be paid."),
            ".bank",
            deeds=(Raise(YOU),),
            until="compare",
        ),
        LessonStep(
            "9(5)(2)",
            say("Your hand is higher: the ante pays 1 to 1, and the raise, with two pairs, 2 to 1."),
            "#my-result",
            until="settled",
        ),
    ),
)

LINES = (
    Note("6(6)", say("A raise is exactly twice the ante, neither more nor less.")),
    Note("9(1)", say("To open the hands the dealer needs ace-king or better.")),
    Note("9(2)", say("If the dealer has less than ace-king, raises are returned and antes paid 1 to 1.")),
    Note("12(2)", say("Nobody may talk with others while reading the cards and deciding.")),
    Note("4(1)", say("The suits from high to low are spades, hearts, clubs, diamonds.")),
)
"""True at every table of the game."""

LIKED = (("ante",),)
