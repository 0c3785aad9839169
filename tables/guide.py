"""The first round of whoever has never seen a game: 40 seconds, a fixed demonstration round in a few steps.

In each step a bettor who is nobody ("you") does something or sees something on the felt; one sentence says what, with
its article, and the place it speaks of is pointed at. Cards and throws are chosen for what they show. Nothing is
stored and no credits move (see `tables.demonstration`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from tables import felt
from tables.games import GAMES
from tables.games.blackjack.phases import Hit, Stand
from tables.games.cards import Card, cards
from tables.games.options import read_options
from tables.games.protocol import Action, PlaceBet, Ready, Throw
from tables.games.stud_poker.phases import Raise
from tables.games.words import Note, Words, say
from tables.services.pit import KIOSK_FLOOR

from .demonstration import MARK, UNSEEN, Bettor, Show, otherwise

GUIDE_S = 40
"""How long a guided round takes if nobody touches it."""

TO_LOOK = 50
"""To look at the felt takes as long as to read so many letters."""

YOU = "you"
"""The key of the bettor through whose eyes it is seen: no player's."""

PURSE = 1_000_00
"""Cents that the demonstration's player has."""


# ── Its cards ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Chosen:
    """Cards and throws in the order in which they were chosen. There must be enough of them."""

    left: list[Card]
    thrown: tuple[int, ...] = ()

    def card(self) -> Card:
        return self.left.pop(0)

    def throw(self, throw: Throw) -> tuple[int, ...]:
        assert len(self.thrown) == throw.count and all(map(throw.allows, self.thrown))
        return self.thrown


# ── Its steps ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what is said, with its article, and of which place of the page (a class, an id or an attribute).

    Before it `deeds` are done, then the house goes on until the round is in the phase `until`, or for `times` lines.
    """

    article: str
    words: Words
    at: str
    deeds: tuple[Action, ...] = ()
    until: str = ""
    times: int = 0


@dataclass(frozen=True, slots=True)
class Lesson:
    """A guided round: where you sit, who sits there beside you, what is dealt or thrown, and the steps."""

    game: str
    steps: tuple[Step, ...]
    seat: int | None = None
    others: tuple[Bettor, ...] = ()
    pack: str = ""
    thrown: tuple[int, ...] = ()

    def milliseconds(self, step: Step) -> int:
        """How long a step stays: the longer its sentence, the longer. Together they take `GUIDE_S`."""
        whole = sum(TO_LOOK + len(one.words.text) for one in self.steps)
        return round(GUIDE_S * 1000 * (TO_LOOK + len(step.words.text)) / whole)


CHIP_FIRST = say("Choose a chip, then touch what you bet on.")

LESSONS: Mapping[str, Lesson] = {
    lesson.game: lesson
    for lesson in (
        Lesson(
            "baccarat",
            pack="2h Ks 3c 4d 4s 2c",
            steps=(
                Step("6", say("Two hands play, the Player and the Banker. You bet on which of them wins."), ".hands"),
                Step("13", CHIP_FIRST, ".tray__chips"),
                Step(
                    "17",
                    say("Your chips lie on the Player, which pays 1 to 1. A tie would pay 8 to 1."),
                    ".spot--player",
                    deeds=(PlaceBet(YOU, "b1", "player", 50_00),),
                ),
                Step(
                    "5(1)",
                    say("Each hand gets two cards. Court cards and tens are zero; of the sum the last figure counts."),
                    ".hands",
                    until="player_third",
                ),
                Step(
                    "9(1)",
                    say("With 5 points the Player draws a third card. Nobody decides: the rules say who draws."),
                    ".hand--player",
                    until="banker_third",
                ),
                Step(
                    "9(3)(3)",
                    say("The Banker has 4 points and draws too, because the Player has drawn a 4."),
                    ".hand--banker",
                    until="result",
                ),
                Step(
                    "11",
                    say("Nine beats six: the hand with the higher points wins."),
                    "#result",
                    until="settled",
                ),
                Step("17", say("You get your stake back, and as much again."), "#my-result"),
            ),
        ),
        Lesson(
            "blackjack",
            seat=4,
            pack="7d 9c 5h 8s 6d 3h",
            steps=(
                Step("9", say("Come nearer to 21 than the bank, and never over it."), ".bank"),
                Step("3(1)", say("Choose a chip, then touch a box: you play its cards."), ".tray__chips"),
                Step(
                    "R1",
                    say("Your chips lie in box 4. A plain win pays 1 to 1."),
                    '[data-key="main-4"]',
                    deeds=(PlaceBet(YOU, "b1", "main", 50_00, 4),),
                ),
                Step(
                    "8",
                    say("You have 12. A court card counts 10, an ace 1 or 11, any other card its pips."),
                    "#box-4",
                    until="player_turns",
                ),
                Step("6(2)", say("Now you decide: draw a card, or stand. Over 21 you lose at once."), "#decision"),
                Step(
                    "6(4)",
                    say("You drew an 8 and have 20. You may draw below 21, but you stand."),
                    "#box-4",
                    deeds=(Hit(YOU, 4, 0),),
                    times=1,
                ),
                Step(
                    "6(1)",
                    say("The bank has no choice: it draws on 16 or less, and stands on 17 or more."),
                    ".bank",
                    deeds=(Stand(YOU, 4, 0),),
                    until="result",
                ),
                Step(
                    "9", say("20 beats 18: you get your stake back, and as much again."), "#my-result", until="settled"
                ),
            ),
        ),
        Lesson(
            "stud_poker",
            seat=4,
            pack="Kh 4s Kd 4c Jh 9d Ac 6s 2h Ks",
            steps=(
                Step("9(5)", say("Your five cards against the dealer's five: the better poker hand wins."), ".bank"),
                Step(
                    "6(2)",
                    say("Sit down at a box, choose a chip, and lay your ante there: the stake before the cards."),
                    ".tray__chips",
                ),
                Step(
                    "6(1)",
                    say("Your ante lies in your box. You play there alone."),
                    '[data-key="ante-4"]',
                    deeds=(PlaceBet(YOU, "b1", "ante", 10_00, 4),),
                ),
                Step(
                    "7(2)",
                    say("Only you see your five cards. Of the dealer's cards the fifth lies open."),
                    "#my-cards",
                    until="look_and_decide",
                ),
                Step(
                    "6(7)",
                    say("Now you decide: raise with exactly twice the ante, or fold and lose it."),
                    "#decision",
                ),
                Step(
                    "9(2)",
                    say(
                        "You have raised. Had the dealer no ace-king or better, raises would return and antes be paid."
                    ),
                    ".bank",
                    deeds=(Raise(YOU),),
                    until="compare",
                ),
                Step(
                    "9(5)(2)",
                    say("Your hand is higher: the ante pays 1 to 1, and the raise, with two pairs, 2 to 1."),
                    "#my-result",
                    until="settled",
                ),
            ),
        ),
        Lesson(
            "three_card_baccarat",
            seat=4,
            pack="4c Kd 9s Jc 2h 8h 5d",
            steps=(
                Step("6", say("Each place gets three cards and plays against the banker."), ".bank"),
                Step("4(2)", say("Sit down at a place, choose a chip, and touch the place."), ".tray__chips"),
                Step(
                    "9",
                    say("Your chips lie on your place. A win pays 1 to 1, less five per cent commission."),
                    '[data-key="place-4"]',
                    deeds=(PlaceBet(YOU, "b1", "place", 50_00, 4),),
                ),
                Step(
                    "5(1)",
                    say("You may look at your cards. Court cards and tens count zero, other cards their pips."),
                    "#my-cards",
                    until="look",
                ),
                Step(
                    "5(2)",
                    say("Of the sum only the last figure counts: nine is high, three court cards are best of all."),
                    "#my-cards",
                ),
                Step(
                    "6",
                    say("The banker opens, then every place. The higher combination wins."),
                    ".bank",
                    deeds=(Ready(YOU),),
                    until="reveal_places",
                ),
                Step(
                    "10",
                    say("Eight beats six: stake and prize are yours, less the commission."),
                    "#my-result",
                    until="settled",
                ),
                Step(
                    "7(2)",
                    say("Had both been the same, your stake would have waited there for the next round."),
                    "#place-4",
                ),
            ),
        ),
        Lesson(
            "roulette",
            thrown=(23,),
            steps=(
                Step("1(2)", say("A ball falls into one of 37 pockets, 0 to 36. You bet on which."), ".dealing"),
                Step("7", CHIP_FIRST, ".tray__chips"),
                Step(
                    "7(1)",
                    say("One number alone pays 35 to 1."),
                    '[data-key="straight_17"]',
                    deeds=(PlaceBet(YOU, "b1", "straight_17", 1_00),),
                ),
                Step(
                    "7(8)",
                    say("Red or black, odd or even, low or high: each covers eighteen numbers and pays 1 to 1."),
                    '[data-key="red"]',
                    deeds=(PlaceBet(YOU, "b2", "red", 10_00),),
                ),
                Step("7(7)", say("Twelve numbers, a dozen or a column, pay 2 to 1."), ".dozens"),
                Step(
                    "R-A10",
                    say("The ball runs. Bets are taken until the bell, then no more."),
                    ".dealing",
                    until="spinning",
                ),
                Step(
                    "8", say("It is 23, a red number. On zero only bets on zero would win."), ".dealing", until="result"
                ),
                Step(
                    "7",
                    say("Red has won: stake and prize are yours. The stake on 17 is lost."),
                    "#my-result",
                    until="settled",
                ),
            ),
        ),
        Lesson(
            "cussec",
            thrown=(3, 4, 6),
            steps=(
                Step(
                    "CS-4",
                    say("Three dice have been shaken, and lie under the cover. You bet on what they show."),
                    ".dealing",
                ),
                Step("CS-3", CHIP_FIRST, ".tray__chips"),
                Step(
                    "CS-9",
                    say("Big wins with 11 to 17, small with 4 to 10, at 1 to 1; three alike beat both."),
                    '[data-key="big"]',
                    deeds=(PlaceBet(YOU, "b1", "big", 10_00),),
                ),
                Step(
                    "C-A4",
                    say("A number pays 1, 2 or 3 to 1: as many as there are dice that show it."),
                    '[data-key="single_4"]',
                    deeds=(PlaceBet(YOU, "b2", "single_4", 5_00),),
                ),
                Step(
                    "C-A1",
                    say("You may bet on the total too: the rarer it is, the more it pays, up to 50 to 1."),
                    ".field--total",
                ),
                Step("CS-5", say("The bell: no more bets. Now the cover is lifted."), ".dealing", until="no_more_bets"),
                Step(
                    "CS-6", say("3, 4 and 6 make 13. The spots that have won light up."), ".dealing", until="uncovered"
                ),
                Step(
                    "CS-8",
                    say("Big and the 4 have won: you keep both stakes, and get the prizes."),
                    "#my-result",
                    until="settled",
                ),
            ),
        ),
    )
}


# ── What it looks like ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Shown:
    """One step on the page: what it changes there, its sentence, the place it points at, and how long it stays."""

    swaps: tuple[SafeString, ...]
    html: Mapping[str, str]
    note: Note
    at: str
    milliseconds: int


def lesson_round(lesson: Lesson) -> Show:
    """The round of a lesson, as it opens: at the kiosks' own table of the game."""
    game = GAMES[lesson.game]
    table = next(table for table in KIOSK_FLOOR if table.game == lesson.game)
    you = Bettor(YOU, gettext("You"), lesson.seat)
    show = Show(
        game,
        read_options(game.options, table.options),
        (you, *lesson.others),
        Chosen(list(cards(lesson.pack)), lesson.thrown),
    )
    while show.round.due() is not None:
        show.go_on()
    return show


def take(show: Show, step: Step) -> None:
    """Bring the round to this step."""
    for deed in step.deeds:
        show.do(deed)
    for _ in range(step.times):
        show.go_on()
    while step.until and str(show.round.phase) != step.until:
        show.go_on()


def _viewer(lesson: Lesson, show: Show) -> felt.Viewer:
    left = PURSE - sum(show.round.held(YOU).values())
    left += sum(paid.returned - paid.stake for paid in show.round.payouts() if paid.by == YOU)
    return felt.Viewer(key=YOU, name=gettext("You"), balance_cents=left, seat=lesson.seat)


@lru_cache(maxsize=24)
def _steps(game_slug: str, language: str) -> tuple[Shown, ...]:
    lesson = LESSONS[game_slug]
    show = lesson_round(lesson)
    before: Mapping[str, str] = _fragments(lesson, show)
    shown = []
    for step in lesson.steps:
        take(show, step)
        html = _fragments(lesson, show)
        swaps = tuple(mark_safe(text) for text in otherwise(html, before).values())
        shown.append(Shown(swaps, html, Note(step.article, step.words), step.at, lesson.milliseconds(step)))
        before = html
    return tuple(shown)


def _fragments(lesson: Lesson, show: Show) -> dict[str, str]:
    state = show.state
    both = felt.public_fragments(state) | felt.private_fragments(state, _viewer(lesson, show))
    return {name: html for name, html in both.items() if name not in NOT_THERE}


NOT_THERE = UNSEEN | {"chat-mine", "favourites", "notice", "my-stakes", "my-seat"}
"""Fragments that have no place on the page of a guided round."""


def page(game_slug: str) -> dict[str, Any]:
    """What kiosk/guide.html needs beside `kiosk` and `next` (the address of the table): the felt as the round opens, as
    `felt.page` has it, and its `steps`. In the active language. Raises KeyError for a game that there is not."""
    lesson = LESSONS[game_slug]
    show = lesson_round(lesson)
    shown = felt.page(show.state, _viewer(lesson, show))
    first = next(deed.amount for step in lesson.steps for deed in step.deeds if isinstance(deed, PlaceBet))
    return {
        **shown,
        "chips": [replace(chip, ready=chip.cents == first) for chip in shown["chips"]],
        "mark": MARK,
        "steps": _steps(game_slug, get_language() or ""),
        "seconds": GUIDE_S,
    }
