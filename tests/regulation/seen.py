"""Which articles must be seen to happen to people, and which the rules alone can prove.

A test of the rules cannot see that a button is missing. So every article of law, and each ruling that stands in
`OUR_RIGHTS`, is taken to be somebody's right or duty (a bettor's, the dealer's, the pit's) or to be shown to people. It
needs a test that goes through a page, a socket or a service: one with its mark in a folder of `FOLDERS`. Excused are
what is arithmetic (`ARITHMETIC`) and what the house has no part in (`NOT_OURS`).

`EXPECTED` has the articles whose test comes with their behaviour; whoever brings it takes the line out.
"""

from __future__ import annotations

FOLDERS = ("house", "floor", "browser")

ARITHMETIC: dict[str, str] = {
    "baccarat": """
        1(1) 5(1) 5(2) 6 9 9(1) 9(2) 9(3) 9(3)(1) 9(3)(2) 9(3)(3) 9(3)(4) 9(3)(5) 9(3)(6)
        9(4) 9(4)(1) 9(4)(2) 9(4)(3) 9(4)(4) 9(4)(5) 9(4)(6) 11 17 17(5) 18 18(2)
        """,
    "blackjack": """
        1(2) 1(3) 7(2) 8 9 10(1) 10(4) 10(5) 10(6) 10(7) 11 11(1) 11(2) 12(3) 13(1)(1) 13(1)(2) 13(2)(1) 13(2)(2)
        14(1) 14(2) 14(3) 16(4)
        """,
    "stud_poker": """
        4(1) 4(2) 4(3) 8 8(1) 8(2) 8(3) 8(4) 8(5) 8(6) 8(7) 8(8) 8(9) 8(10) 9(4) 9(5)
        9(5)(1) 9(5)(2) 9(5)(3) 9(5)(4) 9(5)(5) 9(5)(6) 9(5)(7) 9(5)(8) 9(5)(9)
        """,
    "three_card_baccarat": "1(1) 1(2) 5(1) 5(2) 6 7(1) 9 10",
    "roulette": "1(2) 7(1) 7(2) 7(3) 7(4) 7(5) 7(6) 7(7) 7(8)",
    "cussec": "",
}
"""What cards, hands and numbers are worth, what is drawn to them and what is paid on them."""

OUR_RIGHTS: dict[str, str] = {
    "baccarat": "note_2 B-A4 B-A5 B-A9 B-A12 B-A14 B-A16 B-A17 cut minimum maximum trim closed seat",
    "blackjack": "R5 R7 R9 R10 R16 R17 R18 R21 R25 R26 cut talk minimum maximum closed seat time void pack",
    "stud_poker": "R7 R8 R9 R14 R15 R17 R23 R24 minimum maximum closed seat jackpot time",
    "three_card_baccarat": "T-A9 T-A11 T-A12 cut locked look gone minimum maximum closed seat",
    "roulette": "R-A2 R-A9 R-A10 R-A11 R-A12 R-A14 R-A15 sealed minimum maximum closed seat gone colour void",
    "cussec": """
        CS-2 CS-3 CS-4 CS-5 CS-6 CS-7 CS-8 C-A1 C-A8 C-A9 C-A10 authorisation sealed presses seen broken stays void
        minimum maximum closed seat gone
        """,
}
"""Those of our rulings and parameters that are somebody's right or duty, or are shown."""

NOT_OURS: dict[str, dict[str, str]] = {"roulette": {"1(1)": "a cylinder of wood, and how large: here it is drawn"}}
"""What the house has no part in, and why: no test could fail for it, so none carries its mark."""

EXPECTED: dict[str, str] = {}
"""Articles that people cannot do or see yet, or not as they are meant."""


def named(listed: str) -> set[str]:
    """The articles in such a list."""
    return {name.replace("_", " ") for name in listed.split()}
