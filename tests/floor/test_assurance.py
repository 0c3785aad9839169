"""The check of docs/assurance/ finds a clause without a verdict, a wrong count, and a test that is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from casino.checks import assurance, documents

BASE = Path(assurance.__file__).resolve().parent.parent.parent

HEAD = """| level | met | not applicable | not met | all |
| --- | --- | --- | --- | --- |
| 1 | 1 | 1 | 0 | 2 |
| 2 | 0 | 0 | 1 | 1 |
| all | 1 | 1 | 1 | 3 |
"""
TABLE = """
| number | level | asks | verdict | shown by |
| --- | --- | --- | --- | --- |
"""
ROWS = (
    "| 1.2.9 | 1 | names are clean | met | `tests/a.py::test_a` |",
    "| 1.2.10 | 1 | files are scanned | not applicable: nothing is uploaded | |",
    "| 1.3.1 | 2 | players show two factors | not met: play money | |",
)


def page(*rows: str, head: str = HEAD) -> list[str]:
    return list(assurance.complaints_about(head + TABLE + "\n".join(rows) + "\n"))


def test_a_page_whose_head_counts_its_rows_right_is_good() -> None:
    assert page(*ROWS) == []


@pytest.mark.parametrize(
    ("number", "row", "complaint"),
    [
        (0, "| 1.2.9 | 1 | names are clean | | `tests/a.py::test_a` |", "1.2.9 has no verdict"),
        (0, "| 1.2.9 | 1 | names are clean | mostly | `tests/a.py::test_a` |", "1.2.9 has no verdict"),
        (0, "| 1.2.9 | 1 | names are clean |", "1.2.9 has no verdict"),
        (0, "| 1.2.9 | 1 | names are clean | met | |", "1.2.9 is met, and nothing is named"),
        (0, "| 1.2.9 | 1 | names are clean | met | we think so |", "1.2.9 is met, and nothing is named"),
        (0, "| 1.2.9 | 1 | | met | `tests/a.py::test_a` |", "1.2.9 does not say what is asked"),
        (
            1,
            "| 1.2.10 | 1 | files are scanned | not applicable | |",
            "1.2.10 is not applicable, and it is not said why",
        ),
        (2, "| 1.3.1 | 2 | players show two factors | not met: | |", "1.3.1 is not met, and it is not said why"),
        (1, "| 1.2.9 | 1 | files are scanned | not applicable: none | |", "1.2.9 stands after 1.2.9"),
        (1, "| 1.2.8 | 1 | files are scanned | not applicable: none | |", "1.2.8 stands after 1.2.9"),
    ],
)
def test_a_clause_that_is_not_judged_or_not_shown_is_found(number: int, row: str, complaint: str) -> None:
    rows = [row if index == number else each for index, each in enumerate(ROWS)]
    assert [what for what in page(*rows) if complaint in what]


def test_a_complaint_names_its_line() -> None:
    assert page(*ROWS[:2], "| 1.3.1 | 2 | | not met: play money | |") == [":11: 1.3.1 does not say what is asked"]


def test_a_head_that_claims_more_than_the_rows_say_is_found() -> None:
    better = "| 1.3.1 | 2 | players show two factors | met | `docs/pit.md` |"
    assert [what.split(" of ")[1].split(";")[0] for what in page(*ROWS[:2], better)] == ["2", "all"]
    assert "nothing of 2" in page(*ROWS, head=HEAD.replace("| 2 | 0 | 0 | 1 | 1 |\n", ""))[0]
    assert len(page(*ROWS, head="")) == 3


def test_a_row_cannot_go_and_take_its_count_along() -> None:
    text = HEAD + TABLE + "\n".join(ROWS)
    assert list(assurance.complaints_about(text, {"1": 2, "2": 1})) == []
    assert "the standard has 2 clauses of 2; here are 1" in next(assurance.complaints_about(text, {"1": 2, "2": 2}))


def test_chapters_are_counted_where_a_standard_has_no_levels() -> None:
    head = HEAD.replace("level", "chapter").replace("| 2 | 0", "| B | 0")
    table = TABLE.replace("number", "clause").replace(" level |", "").replace("| --- ", "", 1)
    rows = (
        "| 1.2 | names are clean | met | [the door](pit.md) |",
        "| 1.10 | files are scanned | not applicable: nothing is uploaded | |",
        "| B.1 | a plan for the worst | not met: it is the operator's | |",
    )
    assert list(assurance.complaints_about(head + table + "\n".join(rows))) == []


def test_parts_are_counted_where_numbers_begin_with_their_letter() -> None:
    head = "| part | met | not applicable | not met | all |\n| --- | --- | --- | --- | --- |\n"
    head += "| A | 1 | 0 | 1 | 2 |\n| B | 1 | 0 | 0 | 1 |\n| all | 2 | 0 | 1 | 3 |\n"
    table = TABLE.replace(" level |", "").replace("| --- ", "", 1)
    rows = [
        "| A9 | a kill | met | `tests/a.py::test_a` |",
        "| A10 | a pause | not met: nobody tries | |",
        "| B1 | a cut | met | `tests/a.py::test_b` |",
    ]
    assert list(assurance.complaints_about(head + table + "\n".join(rows), {"A": 2, "B": 1})) == []
    assert [
        what
        for what in assurance.complaints_about(head + table + "\n".join(rows[::2]), {"A": 2})
        if "A; here are 1" in what
    ]


def test_every_page_of_the_house_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "asvs.md").write_text(HEAD + TABLE + "\n".join(ROWS))
    (tmp_path / "other.md").write_text(HEAD + TABLE + "\n".join(ROWS[:2]))
    found = list(assurance.complaints(tmp_path))
    assert [what for what in found if "asvs.md:1: the standard has 70 clauses of 1; here are 2" in what]
    assert [what for what in found if "other.md:1: the head says" in what]


@pytest.mark.parametrize(
    ("code", "there"),
    [
        ("tests/floor/test_doors.py::test_it_is_right", True),
        ("tests/floor/test_doors.py::test_it_waits", True),
        ("tests/floor/test_doors.py::test_it_is_right[a-1]", True),
        ("tests/floor/test_doors.py::TestDoors::test_they_close", True),
        ("tests/floor/test_doors.py::test_it_is_wrong", False),
        ("tests/floor/test_doors.py::test_they_close", False),
        ("tests/floor/test_doors.py::TestDoors::test_it_is_right", False),
        ("tests/floor/test_doors.py::helper", False),
        ("tests/floor/test_windows.py::test_it_is_right", False),
    ],
)
def test_a_test_that_a_document_names_must_be_there(tmp_path: Path, code: str, there: bool) -> None:
    (tmp_path / "tests/floor").mkdir(parents=True)
    (tmp_path / "tests/floor/test_doors.py").write_text(
        "def test_it_is_right(): ...\nasync def test_it_waits(): ...\ndef helper(): ...\n"
        "class TestDoors:\n    def test_they_close(self): ...\n"
    )
    assert list(documents.names_of_nothing(tmp_path, f"See `{code}`.")) == ([] if there else [code])


def test_the_pages_of_this_checkout_hold() -> None:
    assert list(assurance.complaints(BASE / "docs/assurance")) == []
