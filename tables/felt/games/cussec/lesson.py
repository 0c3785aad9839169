"""The first round of whoever has never seen the game, and what can be said of it in one line."""

from __future__ import annotations

from tables.felt.shared.lesson import CHIP_FIRST, YOU, Lesson, LessonStep
from tables.games.contract.actions import PlaceBet
from tables.games.values.words import Note, say

LESSON = Lesson(
    thrown=(3, 4, 6),
    steps=(
        LessonStep(
            "CS-4", say("Three dice have been shaken, and lie under the cover. You bet on what they show."), ".dealing"
        ),
        LessonStep("CS-3", CHIP_FIRST, ".tray__chips"),
        LessonStep(
            "CS-9",
            say("Big wins with 11 to 17, small with 4 to 10, at 1 to 1; three alike beat both."),
            '[data-key="big"]',
            deeds=(PlaceBet(YOU, "b1", "big", 10_00),),
        ),
        LessonStep(
            "C-A4",
            say("A number pays 1, 2 or 3 to 1: as many as there are dice that show it."),
            '[data-key="single_4"]',
            deeds=(PlaceBet(YOU, "b2", "single_4", 5_00),),
        ),
        LessonStep(
            "C-A1",
            say("You may bet on the total too: the rarer it is, the more it pays, up to 50 to 1."),
            ".field--total",
        ),
        LessonStep("CS-5", say("The bell: no more bets. Now the cover is lifted."), ".dealing", until="no_more_bets"),
        LessonStep("CS-6", say("3, 4 and 6 make 13. The spots that have won light up."), ".dealing", until="uncovered"),
        LessonStep(
            "CS-8",
            say("Big and the 4 have won: you keep both stakes, and get the prizes."),
            "#my-result",
            until="settled",
        ),
    ),
)

LINES = (
    Note("CS-9", say("Any triple beats big, small, odd and even.")),
    Note("CS-6", say("After the bell the cover is lifted, and the spots that have won light up.")),
    Note("C-A2", say("A total wins on a triple too.")),
    Note("C-A3", say("A double wins on a triple too, once, at 8 to 1.")),
    Note("C-A4", say("A number that shows on all three dice pays 3 to 1.")),
)
"""True at every table of the game."""

LIKED = (("big", "small"), ("single", "pair"), ("total", "double", "four"))
