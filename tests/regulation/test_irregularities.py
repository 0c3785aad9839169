"""The list of irregularities of each game beside the table of the regulation's file: every row is ruled on, or is met
by the engine itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tables.games import GAMES

REGULATION = Path(__file__).parents[2] / "docs" / "regulation"

ENGINE = ()
"""The rules meet it by themselves: there is nothing to rule."""

ROWS: dict[str, dict[str, tuple[str, ...]]] = {
    "baccarat": {
        "a card comes out face up": ("face_up",),
        "a card to the wrong hand, order known": ("wrong_hand",),
        "a third card drawn against article 9": ("third_too_many",),
        "a third card forgotten": ("third_forgotten",),
        "a mistake that cannot be put right": ("cancelled",),
        "a burn forgotten": ("burn_forgotten",),
        "a soiled card": ("soiled",),
        "the shoe runs out, the machine fails": ("machine",),
        "a bet after closing": ENGINE,
    },
    "blackjack": {
        "a card lies face up in the shoe": ("face_up",),
        "a card to the wrong box, a box left out": ("wrong_box", "cancelled"),
        "void": ("cancelled",),
        "the bank draws on 17 or more and shows it": ("overdraw_shown",),
        "… and has not shown it": ("overdraw_unseen",),
        "worn cards": ("worn",),
        "one deck runs out within a round": ENGINE,
        "the second white card within a round": ENGINE,
        "… as the first thing of a round": ENGINE,
    },
    "cussec": {
        "a cocked or stacked die": ("cocked", "stacked"),
        "fewer presses than are due, noticed before the bell / after uncovering": ("presses", "presses_late"),
        "dice seen before the bell; a die broken or outside": ("seen", "broken"),
        "a wrong announcement, noticed before payment": ("announced",),
        "a failure before uncovering": ("failure",),
    },
    "roulette": {
        "an object on the plate; the ball jumps out, does not rest in one pocket, is thrown with the plate; two balls; "
        "a failure before the result": (
            "object", "jumped", "no_pocket", "stopped", "two_balls", "direction", "failure",
        ),
        "a failure after the result": ("failure_late",),
        "a wrong number announced, noticed before payment": ("announced",),
        "an impossible spot; a bet above the maximum": ENGINE,
    },
    "stud_poker": {
        "wrong dealing, a wrong number of cards in a hand that plays": ("wrong_deal",),
        "two or more cards exposed by mistake, whoever's; the dealer's regular open card is none of them": (
            "two_exposed",
        ),
        "one card of a bettor exposed": ("bettor_exposed",),
        "one card of the dealer exposed": ("dealer_exposed",),
        "cards to a box without an ante": ("dead_box",),
        "the shuffler fails during the deal": ("shuffler", "shuffler_to_shoe"),
    },
    "three_card_baccarat": {
        "a card turned over in dealing": ("turned_over",),
        "a card to the wrong place": ("wrong_place",),
        "not recoverable": ("cancelled",),
        "cards to an inactive place": ("dead_hand", "cancelled"),
        "a burn forgotten": ("burn_forgotten",),
        "worn cards": ("worn",),
        "a player leaves, or holds cards wrongly": ("held_wrongly",),
    },
}  # fmt: skip


def rows_of(game: str) -> list[str]:
    """The first column of the table of what may go wrong."""
    lines = (REGULATION / f"{game}.md").read_text().splitlines()
    begin = next(at for at, line in enumerate(lines) if line.startswith("| What | Treatment |"))
    rows = []
    for line in lines[begin + 2 :]:
        if not line.startswith("|"):
            break
        rows.append(line.split("|")[1].strip())
    return rows


@pytest.mark.parametrize("game", GAMES)
def test_every_row_of_the_regulation_is_in_the_list_or_the_engines_own(game: str) -> None:
    assert rows_of(game) == list(ROWS[game])
    listed = {name for names in ROWS[game].values() for name in names}
    assert listed == {what.name for what in GAMES[game].irregularities}


@pytest.mark.parametrize("game", GAMES)
def test_each_has_a_name_of_its_own_and_an_article_of_its_game(game: str) -> None:
    names = [what.name for what in GAMES[game].irregularities]
    assert len(set(names)) == len(names)
    assert all(what.article in GAMES[game].articles for what in GAMES[game].irregularities)
