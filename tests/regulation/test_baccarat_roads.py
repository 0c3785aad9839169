"""The roads: the shoe's results as bettors read them."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games.baccarat.roads import bead_plate, big_road

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
