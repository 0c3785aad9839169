"""The first round of whoever has never seen the game, and what can be said of it in one line."""

from __future__ import annotations

from tables.felt.shared.lesson import YOU, Lesson, LessonStep
from tables.games.contract.actions import PlaceBet, Ready
from tables.games.values.words import Note, say

LESSON = Lesson(
    seat=4,
    pack="4c Kd 9s Jc 2h 8h 5d",
    steps=(
        LessonStep("6", say("Each place gets three cards and plays against the banker."), ".bank"),
        LessonStep("4(2)", say("Sit down at a place, choose a chip, and touch the place."), ".tray__chips"),
        LessonStep(
            "9",
            say("Your chips lie on your place. A win pays 1 to 1, less five per cent commission."),
            '[data-key="place-4"]',
            deeds=(PlaceBet(YOU, "b1", "place", 50_00, 4),),
        ),
        LessonStep(
            "5(1)",
            say("You may look at your cards. Court cards and tens count zero, other cards their pips."),
            "#my-cards",
            until="look",
        ),
        LessonStep(
            "5(2)",
            say("Of the sum only the last figure counts: nine is high, three court cards are best of all."),
            "#my-cards",
        ),
        LessonStep(
            "6",
            say("The banker opens, then every place. The higher combination wins."),
            ".bank",
            deeds=(Ready(YOU),),
            until="reveal_places",
        ),
        LessonStep(
            "10", say("Eight beats six: stake and prize are yours, less the commission."), "#my-result", until="settled"
        ),
        LessonStep(
            "7(2)", say("Had both been the same, your stake would have waited there for the next round."), "#place-4"
        ),
    ),
)

LINES = (
    Note("5(2)", say("Three court cards are the best hand; otherwise the points count, nine the highest.")),
    Note("6", say("A place wins if its combination is higher than the banker's.")),
    Note("7(2)", say("After a tie the stake on the place waits for the next round, and may be increased.")),
    Note("10", say("A winning place pays 1 to 1, less a commission of five per cent.")),
)
"""True at every table of the game."""

LIKED = (("place",), ("tie", "odd", "even", "points"))
