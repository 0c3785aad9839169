"""What the scripts calculate, each function against a table: amounts, times, the wheel and ways over the felt.

The functions run in the browser, on an empty page. Chips that make up an amount and the roads are not among them: the
house draws both (`tables/felt/formatting.py`, the felts).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation
from playwright.sync_api import Browser, Page

from tables.felt import formatting
from tables.games.roulette.wheel import WHEEL
from tests.kit import neighbours

pytestmark = pytest.mark.any_database

SCRIPT = Path(__file__).resolve().parent.parent.parent / "static/js/arithmetic.js"
LANGUAGES = ("en", "pt", "zh-hant")


class Arithmetic:
    """The script on an empty page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        page.evaluate("window.floor = {}")
        page.add_script_tag(path=SCRIPT)

    def __call__(self, function: str, *arguments: Any) -> Any:
        """What one of its functions returns."""
        return self._page.evaluate(
            "([name, given]) => window.floor.arithmetic[name](...given)", [function, [*arguments]]
        )

    def each(self, function: str, *cases: list[Any]) -> list[Any]:
        """What it returns for each of these lists of arguments."""
        found: list[Any] = self._page.evaluate(
            "([name, cases]) => cases.map((given) => window.floor.arithmetic[name](...given))", [function, [*cases]]
        )
        return found

    def credits(self, language: str, amounts: Sequence[int | str]) -> list[str]:
        """These cents, as it writes them in a language."""
        found: list[str] = self._page.evaluate(
            "([language, amounts]) => amounts.map(window.floor.arithmetic.creditsIn(language))", [language, [*amounts]]
        )
        return found


@pytest.fixture(scope="module")
def arithmetic(browser: Browser) -> Iterator[Arithmetic]:
    page = browser.new_page()
    yield Arithmetic(page)
    page.close()


# ── Amounts ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("language", LANGUAGES)
def test_amounts_are_written_as_the_house_writes_them(arithmetic: Arithmetic, language: str) -> None:
    amounts = [0, 1_00, 25_00, 999_00, 1_000_00, 9_999_00, 10_000_00, 123_456_00, 1_234_567_00, 12_25, 10_50, 5]
    with translation.override(language):
        assert arithmetic.credits(language, amounts) == [formatting.credits_of(cents) for cents in amounts]


def test_an_amount_may_be_a_text_of_digits(arithmetic: Arithmetic) -> None:
    # as data attributes hold it
    assert arithmetic.credits("en", ["250000"]) == ["2,500"]


@pytest.mark.parametrize(
    ("amounts", "language", "tape"),
    [
        ([50_00, 50_00, 50_00], "en", "3 × 50 = 150"),
        ([1_000_00, 1_000_00], "en", "2 × 1,000 = 2,000"),
        ([1_000_00, 1_000_00], "pt", "2 × 1.000 = 2.000"),
        ([1_000_00, 1_000_00], "zh-hant", "2 × 1,000 = 2,000"),
        ([50_00, 10_00, 50_00], "en", "110"),  # a spot between them takes one amount and no other
        ([1_000_00, 500_00], "pt", "1.500"),
        ([0, 0], "en", "2 × 0 = 0"),  # no chip is chosen
    ],
)
def test_a_sweep_says_what_its_chips_come_to(
    arithmetic: Arithmetic, amounts: list[int], language: str, tape: str
) -> None:
    assert arithmetic("tape", amounts, language) == tape


def test_a_sweep_of_many_spots_adds_up(arithmetic: Arithmetic) -> None:
    assert arithmetic("sum", [1_00] * 158) == 158_00
    assert arithmetic("sum", []) == 0
    assert arithmetic("sum", [10_00, 25_00, 5_000_00]) == 5_035_00


def test_presses_on_one_spot_add_up_and_spots_keep_their_order(arithmetic: Arithmetic) -> None:
    bets = [
        {"key": "player", "amount": 10_00},
        {"key": "tie", "amount": 5_00},
        {"key": "player", "amount": 10_00},
        {"key": "banker-3", "amount": 100_00},
        {"key": "player", "amount": 500_00},
    ]
    assert arithmetic("perSpot", bets) == [
        {"key": "player", "amount": 520_00},
        {"key": "tie", "amount": 5_00},
        {"key": "banker-3", "amount": 100_00},
    ]
    assert arithmetic("perSpot", []) == []


@pytest.mark.parametrize(
    ("least", "most", "share", "least_share", "amount"),
    [
        (10_00, 50_00, 10, 10, 10_00),  # the smallest share is the least
        (10_00, 50_00, 50, 10, 50_00),
        (10_00, 50_00, 100, 10, 50_00),  # never more than the most
        (10_00, 100_00, 25, 10, 25_00),
        (15_00, 100_00, 25, 10, 37_00),  # 37.50, and whole credits alone
        (1_00, 3_00, 99, 50, 1_00),  # 1.98
        (1_00, 3_00, 100, 50, 2_00),
        (30_00, 20_00, 10, 10, 30_00),  # a most below the least: the least
    ],
)
def test_a_share_of_what_is_offered(
    arithmetic: Arithmetic, least: int, most: int, share: int, least_share: int, amount: int
) -> None:
    assert arithmetic("partOf", least, most, share, least_share) == amount


@pytest.mark.parametrize(
    ("ante", "chip", "most", "times", "balance", "says", "of", "rest"),
    [
        # an ante lies, and the balance covers its raise and that of one more chip
        (10_00, 10_00, 100_00, 2, 100_00, "costs", 10_00, 100_00),
        # it covers exactly what one more chip would cost: 20 + 2 × 40 after 20 lie already
        (20_00, 20_00, 100_00, 2, 100_00, "costs", 20_00, 100_00),
        # with one more chip it would not: 99 − 20 is less than 2 × 40
        (20_00, 20_00, 100_00, 2, 99_00, "would", 40_00, 79_00),
        # it covers the raise on what lies exactly, and one more chip does not fit on the spot
        (20_00, 90_00, 100_00, 2, 40_00, "costs", 20_00, 40_00),
        # it does not cover it
        (20_00, 20_00, 100_00, 2, 39_00, "cannot", 20_00, 39_00),
        # nothing lies: said only if the chip that is chosen could not be raised
        (0, 50_00, 100_00, 2, 149_00, "would", 50_00, 99_00),
        (0, 50_00, 100_00, 2, 150_00, "", 0, 0),
        (0, 50_00, 100_00, 2, 49_00, "", 0, 0),  # the chip itself is too much: the house will say so
        (0, 50_00, 49_00, 2, 60_00, "", 0, 0),  # the spot does not take it
        # another edition asks for the ante once
        (20_00, 20_00, 100_00, 1, 60_00, "costs", 20_00, 60_00),
        (20_00, 20_00, 100_00, 1, 59_00, "would", 40_00, 39_00),
    ],
)
def test_what_is_said_of_a_raise(
    arithmetic: Arithmetic, *, ante: int, chip: int, most: int, times: int, balance: int, says: str, of: int, rest: int
) -> None:
    about = {"ante": ante, "chip": chip, "most": most, "times": times, "balance": balance}
    assert arithmetic("raiseAfter", about) == {"says": says, "ante": of, "rest": rest}


# ── Times ───────────────────────────────────────────────────────────────────────────────────────────────────

NOON = 1_790_000_000_000


def test_the_seconds_of_a_clock_that_runs_down(arithmetic: Arithmetic) -> None:
    left = [10_000, 9_999, 9_001, 9_000, 1_001, 1_000, 1, 0, -1, -1_000, -60_000]
    seconds = arithmetic.each("secondsLeft", *([NOON + one, NOON] for one in left))
    assert seconds == [10, 10, 10, 9, 2, 1, 1, 0, 0, 0, 0]


def test_the_ring_of_a_clock_that_runs_down(arithmetic: Arithmetic) -> None:
    left = [30_000, 20_000, 15_000, 5_000, 0, -5_000]
    shares = arithmetic.each("shareLeft", *([NOON + one, NOON, 20_000] for one in left))
    assert shares == [1, 1, 0.75, 0.25, 0, 0]
    assert arithmetic("shareLeft", NOON + 5_000, NOON, 0) == 1


@pytest.mark.parametrize(
    ("attempt", "soonest", "latest"),
    [(0, 0, 1000), (1, 300, 600), (2, 600, 1200), (4, 2400, 4800), (5, 4000, 8000), (30, 4000, 8000)],
)
def test_lines_that_are_lost_together_come_back_spread_out(
    arithmetic: Arithmetic, attempt: int, soonest: int, latest: int
) -> None:
    assert arithmetic.each("comeBackAfter", [attempt, 0], [attempt, 1]) == [soonest, latest]


def test_the_clock_strikes_every_ten_minutes(arithmetic: Arithmetic) -> None:
    passed = [0, 599_999, 600_000, 1_199_999, 1_200_000, 3_600_000]
    assert arithmetic.each("strikes", *([NOON, NOON + one] for one in passed)) == [0, 0, 1, 1, 2, 6]


# ── The wheel ───────────────────────────────────────────────────────────────────────────────────────────────


def test_the_pockets_stand_round_the_wheel_at_equal_angles(arithmetic: Arithmetic) -> None:
    angles = arithmetic.each("pocketAngle", *([WHEEL, number] for number in WHEEL))
    assert angles == pytest.approx([place * 360 / 37 for place in range(37)])
    assert arithmetic("pocketAngle", WHEEL, "32") == pytest.approx(360 / 37)  # as a data attribute holds it


def test_neighbours_are_those_of_the_rules(arithmetic: Arithmetic) -> None:
    found = arithmetic.each("neighbours", *([WHEEL, number] for number in range(37)))
    assert found == [list(neighbours(number, 2)) for number in range(37)]


@pytest.mark.parametrize("turns", [1, -1])
def test_plate_and_ball_turn_against_each_other_and_gather_way_for_a_second(arithmetic: Arithmetic, turns: int) -> None:
    passed = [-500, 0, 500, 1_000, 2_000, 11_000]
    plate = [0, 0, 5, 20, 60, 420]  # 40 degrees a second
    ball = [0, 0, 37.5, 150, 450, 3_150]  # 300 degrees a second
    found = arithmetic.each("spin", *([one, turns] for one in passed))
    assert [one["plate"] for one in found] == pytest.approx([turns * angle for angle in plate])
    assert [one["ball"] for one in found] == pytest.approx([-turns * angle for angle in ball])


@pytest.mark.parametrize("turns", [1, -1])
def test_the_ball_comes_to_rest_on_its_pocket_and_never_turns_back(arithmetic: Arithmetic, turns: int) -> None:
    thrown = [(milliseconds, place * 360 / 37) for milliseconds in range(0, 20_000, 777) for place in range(37)]
    begun = arithmetic.each("spin", *([milliseconds, turns] for milliseconds, _ in thrown))
    ended = arithmetic.each(
        "rest", *([begins, pocket, turns] for begins, (_, pocket) in zip(begun, thrown, strict=True))
    )
    for (_, pocket), begins, ends in zip(thrown, begun, ended, strict=True):
        assert ends["plate"] % 360 == 0
        assert 90 <= turns * (ends["plate"] - begins["plate"]) < 450
        assert (ends["ball"] - pocket) / 360 == pytest.approx(round((ends["ball"] - pocket) / 360))
        assert 360 - 1e-6 <= -turns * (ends["ball"] - begins["ball"]) < 720 + 1e-6


def test_a_ball_is_seen_for_four_seconds_however_early_its_bell_rings(arithmetic: Arithmetic) -> None:
    rolled = [-5, 0, 1_000, 2_199, 2_200, 2_201, 20_000]
    assert arithmetic.each("fall", *([one] for one in rolled)) == [4_000, 4_000, 3_000, 1_801, 1_800, 1_800, 1_800]


# ── Ways over the felt ──────────────────────────────────────────────────────────────────────────────────────


def test_a_quick_finger_is_followed_piece_by_piece(arithmetic: Arithmetic) -> None:
    def pieces(x: float, y: float) -> Any:
        return arithmetic("pieces", {"x": 10, "y": 20}, {"x": x, "y": y}, 4)

    assert pieces(10, 20) == []  # it rests
    assert pieces(12, 20) == [{"x": 12, "y": 20}]
    assert pieces(14, 20) == [{"x": 14, "y": 20}]
    assert pieces(15, 20) == [{"x": 12.5, "y": 20}, {"x": 15, "y": 20}]
    assert pieces(10, 12) == [{"x": 10, "y": 16}, {"x": 10, "y": 12}]
    slanting = pieces(40, 60)  # 50 pixels
    assert len(slanting) == 13
    assert slanting[-1] == {"x": 40, "y": 60}


# ── What is called, and what a purse shows ──────────────────────────────────────────────────────────────────


def test_a_purse_counts_up_in_whole_credits_and_ends_exactly(arithmetic: Arithmetic) -> None:
    assert arithmetic.each("counts", *([9_800_00, 9_897_50, share] for share in (-1, 0, 1, 2))) == [
        9_800_00, 9_800_00, 9_897_50, 9_897_50,
    ]  # fmt: skip
    shown = arithmetic.each("counts", *([9_800_50, 9_997_50, share / 20] for share in range(20)))
    assert shown == sorted(shown) and shown[0] < shown[10] < 9_997_50
    assert all(cents % 100 == 50 for cents in shown)


def test_the_dealer_calls_each_phase_once_and_how_the_round_has_ended(arithmetic: Arithmetic) -> None:
    def told(phase: str, words: str, result: str = "", pace: str = "beat", round_: str = "7") -> dict[str, str]:
        return {"round": round_, "phase": phase, "pace": pace, "words": words, "result": result}

    betting = told("betting", "Place your bets", pace="betting")
    closed = told("deal", "Bets closed")
    over = told("result", "Result", "Banker wins, 3 to 0", pace="result")
    settled = told("settled", "Result", "Banker wins, 3 to 0", pace="result")
    following = told("betting", "Place your bets", pace="betting", round_="8")
    same_again = told("result", "Result", "Banker wins, 3 to 0", pace="result", round_="8")
    pairs = [(betting, betting), (betting, closed), (closed, over), (over, settled), (settled, following),
             (settled, same_again)]  # fmt: skip
    assert arithmetic.each("calls", *([before, now] for before, now in pairs)) == [
        "", "Bets closed", "Banker wins, 3 to 0", "", "Place your bets", "Banker wins, 3 to 0",
    ]  # fmt: skip


def test_the_dealer_has_a_voice_of_the_device_in_the_language_of_the_page_or_none(arithmetic: Arithmetic) -> None:
    def voice(lang: str, *, local: bool = True) -> dict[str, object]:
        return {"lang": lang, "localService": local}

    def of(language: str, *voices: dict[str, object]) -> str | None:
        found = arithmetic("voiceFor", language, [*voices])
        return None if found is None else found["lang"]

    many = [voice(lang) for lang in ("de-DE", "en-US", "en-GB", "pt-BR", "pt-PT", "zh-CN", "zh-TW", "zh_HK")]
    assert [of(language, *many) for language in ("en", "pt", "zh-hant", "zh-Hant")] == [
        "en-GB", "pt-PT", "zh_HK", "zh_HK",
    ]  # fmt: skip
    assert of("zh-hant", voice("zh-CN"), voice("zh-TW")) == "zh-TW"
    assert of("zh-hant", voice("zh-CN"), voice("en-US")) is None
    assert of("en", voice("en-US")) == "en-US"
    assert of("pt") is None
    assert of("en", voice("en-GB", local=False)) is None  # it would be told elsewhere what is said here


def test_what_is_asked_of_one_is_the_same_as_long_as_deed_box_and_hand_are(arithmetic: Arithmetic) -> None:
    asked = arithmetic.each(
        "asks", ['{"do":"hit","box":3,"hand":0}'], ['{"do":"hit","box":3,"hand":0,"amount":5}'],
        ['{"do":"hit","box":3,"hand":1}'], [None],
    )  # fmt: skip
    assert asked[0] == asked[1] != asked[2] and asked[3] == ",,"
