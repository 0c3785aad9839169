"""The first round of whoever has never seen the game, and what can be said of it in one line."""

from __future__ import annotations

from tables.felt.shared.lesson import YOU, Lesson, LessonStep
from tables.games.blackjack.phases import Hit, Stand
from tables.games.contract.actions import PlaceBet
from tables.games.values.words import Note, say

LESSON = Lesson(
    seat=4,
    pack="7d 9c 5h 8s 6d 3h",
    steps=(
        LessonStep("9", say("Come nearer to 21 than the bank, and never over it."), ".bank"),
        LessonStep("3(1)", say("Choose a chip, then touch a box: you play its cards."), ".tray__chips"),
        LessonStep(
            "R1",
            say("Your chips lie in box 4. A plain win pays 1 to 1."),
            '[data-key="main-4"]',
            deeds=(PlaceBet(YOU, "b1", "main", 50_00, 4),),
        ),
        LessonStep(
            "8",
            say("You have 12. A court card counts 10, an ace 1 or 11, any other card its pips."),
            "#box-4",
            until="player_turns",
        ),
        LessonStep("6(2)", say("Now you decide: draw a card, or stand. Over 21 you lose at once."), "#decision"),
        LessonStep(
            "6(4)",
            say("You drew an 8 and have 20. You may draw below 21, but you stand."),
            "#box-4",
            deeds=(Hit(YOU, 4, 0),),
            times=1,
        ),
        LessonStep(
            "6(1)",
            say("The bank has no choice: it draws on 16 or less, and stands on 17 or more."),
            ".bank",
            deeds=(Stand(YOU, 4, 0),),
            until="result",
        ),
        LessonStep("9", say("20 beats 18: you get your stake back, and as much again."), "#my-result", until="settled"),
    ),
)

LINES = (
    Note("6(1)", say("The bank must draw on 16 or less and may not draw on 17 or more.")),
    Note("8", say("An ace counts 1 or 11, a court card 10, any other card its pips.")),
    Note("10(2)", say("An ace with a ten or a court card is a blackjack: it pays 3 to 2 if the bank has none.")),
    Note("11", say("On a tie the stake is returned.")),
    Note("7(2)", say("Whoever goes over 21 loses, even if the bank goes over 21 too.")),
)
"""True at every table of the game."""

LIKED = (("main",), ("any_pair", "over", "under"))
