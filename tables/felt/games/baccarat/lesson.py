"""The first round of whoever has never seen the game, and what can be said of it in one line."""

from __future__ import annotations

from tables.felt.shared.lesson import CHIP_FIRST, YOU, Lesson, LessonStep
from tables.games.contract.actions import PlaceBet
from tables.games.values.words import Note, say

LESSON = Lesson(
    pack="2h Ks 3c 4d 4s 2c",
    steps=(
        LessonStep("6", say("Two hands play, the Player and the Banker. You bet on which of them wins."), ".hands"),
        LessonStep("13", CHIP_FIRST, ".tray__chips"),
        LessonStep(
            "17",
            say("Your chips lie on the Player, which pays 1 to 1. A tie would pay 8 to 1."),
            ".spot--player",
            deeds=(PlaceBet(YOU, "b1", "player", 50_00),),
        ),
        LessonStep(
            "5(1)",
            say("Each hand gets two cards. Court cards and tens are zero; of the sum the last figure counts."),
            ".hands",
            until="player_third",
        ),
        LessonStep(
            "9(1)",
            say("With 5 points the Player draws a third card. Nobody decides: the rules say who draws."),
            ".hand--player",
            until="banker_third",
        ),
        LessonStep(
            "9(3)(3)",
            say("The Banker has 4 points and draws too, because the Player has drawn a 4."),
            ".hand--banker",
            until="result",
        ),
        LessonStep("11", say("Nine beats six: the hand with the higher points wins."), "#result", until="settled"),
        LessonStep("17", say("You get your stake back, and as much again."), "#my-result"),
    ),
)

LINES = (
    Note("6", say("Only two hands play, the Player and the Banker, however many bet on them.")),
    Note("5(2)", say("Nine is the highest value; court cards, tens and totals of ten count zero.")),
    Note("9", say("Each hand takes at most one more card, and the rules alone say when.")),
    Note("17", say("Player and Banker pay 1 to 1, a tie pays 8 to 1.")),
    Note("12", say("On equal points a new round decides between Player and Banker.")),
)
"""True at every table of the game."""

LIKED = (("player", "banker"), ("tie", "player_pair", "banker_pair", "lucky_six"))
