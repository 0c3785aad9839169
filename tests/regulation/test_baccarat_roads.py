"""The roads: the shoe's results as bettors read them."""

from __future__ import annotations

import random  # noqa: TID251  # with a seed, for shoes that no house deals
from typing import Any

import pytest

from tables.games.baccarat.coup import Winner
from tables.games.baccarat.roads import Derived, asked, bead_plate, big_road, derived_road, repeats

NAMES = {"P": "player", "B": "banker", "T": "tie"}


def results(letters: str) -> list[dict[str, Any]]:
    """P, B, T for who won; lower case with a Player pair; a dot for a void round."""
    return [
        {"void": True}
        if letter == "."
        else {"winner": NAMES[letter.upper()], "player_pair": letter.islower(), "banker_pair": False}
        for letter in letters
    ]


def drawn(letters: str) -> list[str]:
    """The big road as text, a line a row: the winner's letter and the number of ties."""
    marks = {
        (mark.column, mark.row): (mark.winner.value[0].upper() if mark.winner else "-") + (str(mark.ties or ""))
        for mark in big_road(results(letters))
    }
    columns = 1 + max((column for column, _ in marks), default=-1)
    lines = [" ".join(marks.get((column, row), ".") for column in range(columns)).rstrip(" .") for row in range(6)]
    return [line for line in lines if line]


def test_the_bead_plate_is_filled_downwards_column_by_column() -> None:
    beads = bead_plate(results("PBTpBPB.T"))
    assert [(bead.column, bead.row, bead.winner.value) for bead in beads] == [
        (0, 0, "player"), (0, 1, "banker"), (0, 2, "tie"), (0, 3, "player"), (0, 4, "banker"), (0, 5, "player"),
        (1, 0, "banker"), (1, 1, "tie"),
    ]  # fmt: skip
    assert [bead.player_pair for bead in beads] == [False, False, False, True, False, False, False, False]


@pytest.mark.parametrize(
    ("letters", "lines"),
    [
        ("", []),
        ("P", ["P"]),
        ("PPBP", ["P B P", "P"]),
        ("PTTPB", ["P2 B", "P"]),
        ("TT", ["-2"]),
        ("TTBT", ["B3"]),
        ("T.BB", ["B1", "B"]),
        ("BBBBBBBB", ["B", "B", "B", "B", "B", "B B B"]),
        ("BBBBBBBBP", ["B P", "B", "B", "B", "B", "B B B"]),
        ("BBBBBBBBPPPPPPPP", ["B P", "B P", "B P", "B P", "B P P P P", "B B B"]),
        ("BBBBBBBBPPPPPPPPBB", ["B P B", "B P B", "B P", "B P", "B P P P P", "B B B"]),
        ("BBBBBBBBPBBBBBBB", ["B P B", "B . B", "B . B", "B . B", "B . B B B", "B B B"]),
    ],
)
def test_the_big_road_has_a_column_for_each_run_and_turns_right_where_it_is_blocked(
    letters: str, lines: list[str]
) -> None:
    assert drawn(letters) == lines


def test_no_two_marks_share_a_place_and_nothing_is_lost() -> None:
    letters = "PPPPPPPPPBPPPPPPPPPBBBBBBBBTTPBPBPBPPPPPPPPTTTBBBBBBBBBBBBBBBPPPPPPPPPPPP"
    marks = big_road(results(letters))
    assert len({(mark.column, mark.row) for mark in marks}) == len(marks) == len(letters) - letters.count("T")
    assert sum(mark.ties for mark in marks) == letters.count("T")
    assert all(0 <= mark.row < 6 for mark in marks)


# ── The derived roads ───────────────────────────────────────────────────────────────────────────────────────


def colours(letters: str, road: Derived) -> str:
    """R and B for the red and blue marks of a derived road."""
    return "".join("R" if regular else "B" for regular in repeats(results(letters), road))


def told_otherwise(letters: str, gap: int) -> str:
    """The same by another description: in a grid as deep as it must be, with a step to the left from each win.

    Beside a win that goes down in its column, look so many columns to the left: a mark there, or none there and none
    above it, is red; none there under a mark is blue. A win that begins a column is the contrary of what the column
    before would have got if it had gone on.
    """
    grid: list[str] = []
    marks = ""
    for letter in letters.upper().replace("T", "").replace(".", ""):
        goes_down = bool(grid) and grid[-1][0] == letter
        if not goes_down:
            grid.append("")
        column = len(grid) - 1 if goes_down else len(grid) - 2
        row = len(grid[column]) if column >= 0 else 0
        grid[-1] += letter
        left = column - gap
        if left < 0:
            continue
        there, above = row < len(grid[left]), 0 < row <= len(grid[left])
        red = there or not above
        marks += "R" if red is goes_down else "B"
    return marks


@pytest.mark.parametrize(
    ("letters", "road", "marks"),
    [
        ("", Derived.BIG_EYE_BOY, ""),
        ("BBB", Derived.BIG_EYE_BOY, ""),
        ("BP", Derived.BIG_EYE_BOY, ""),  # nothing to compare before the second win of the second column
        ("BPP", Derived.BIG_EYE_BOY, "B"),  # none beside it, under one
        ("BPPP", Derived.BIG_EYE_BOY, "BR"),  # none beside it, and none above that
        ("BBPP", Derived.BIG_EYE_BOY, "R"),  # one beside it
        ("BPB", Derived.BIG_EYE_BOY, "R"),  # or the first of the third, where the second has but one: alike
        ("BBPB", Derived.BIG_EYE_BOY, "B"),
        ("BTBPTTPT", Derived.BIG_EYE_BOY, "R"),  # ties do not count
        ("BPBPBPBP", Derived.BIG_EYE_BOY, "RRRRRR"),  # chop
        ("BBPBB", Derived.SMALL_ROAD, "R"),  # its first place: the second of the third column, or …
        ("BBPPB", Derived.SMALL_ROAD, ""),
        ("BBPPBB", Derived.SMALL_ROAD, "R"),
        ("BBPBP", Derived.SMALL_ROAD, "B"),  # … the first of the fourth
        ("BPBPB", Derived.COCKROACH_PIG, "R"),
        ("BPBPP", Derived.COCKROACH_PIG, "B"),
        ("BBPBPP", Derived.COCKROACH_PIG, "R"),
        ("BBBBBBBBPPPPPPPP", Derived.BIG_EYE_BOY, "RRRRRRR"),  # a tail belongs to its run
        ("BBBBBBBBPPPPPPPPP", Derived.BIG_EYE_BOY, "RRRRRRRB"),
    ],
)
def test_a_derived_road_compares_columns_of_the_big_road(letters: str, road: Derived, marks: str) -> None:
    assert colours(letters, road) == marks


def test_derived_roads_of_thousands_of_shoes_agree_with_another_description() -> None:
    chance = random.Random(20261124)
    for _ in range(3_000):
        streaky = chance.random()  # how likely a winner is to win again: roads of all shapes
        letters, last = "", "B"
        for _ in range(chance.randrange(90)):
            if chance.random() < 0.095:
                letters += "T"
                continue
            last = last if chance.random() < streaky else "PB"[last == "P"]
            letters += last
        for road in Derived:
            assert colours(letters, road) == told_otherwise(letters, road), letters


def test_the_next_mark_is_what_comes_when_that_hand_wins() -> None:
    chance = random.Random(7)
    for length in range(70):
        letters = "".join(chance.choice("PPPPBBBBT") for _ in range(length))
        for winner, letter in ((Winner.PLAYER, "P"), (Winner.BANKER, "B")):
            for road, answer in asked(results(letters), winner).items():
                before, after = colours(letters, road), colours(letters + letter, road)
                assert after == before + ("" if answer is None else "R" if answer else "B")


def test_a_derived_road_turns_right_where_it_meets_the_bottom() -> None:
    marks = derived_road(results("BP" * 6), Derived.BIG_EYE_BOY)  # ten red ones
    assert [(mark.column, mark.row) for mark in marks] == [(0, row) for row in range(6)] + [
        (column, 5) for column in range(1, 5)
    ]
    assert all(mark.regular for mark in marks)
    turned = derived_road(results("BPPBB"), Derived.BIG_EYE_BOY)
    assert [(mark.column, mark.row, mark.regular) for mark in turned] == [(0, 0, False), (0, 1, False), (1, 0, True)]
