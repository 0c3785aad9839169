"""`manage.py draw`: draws the house's cards, chips and dice into static/svg/, as sprites of `<symbol>`s.

Everything on them is ours: the numerals are strokes, the pips curves, the courts a few shapes turned round the
middle of the card. Change the drawing here and run the command; a test sees to it that the files agree.
"""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand

from tables.games.values.cards import RANKS, SUITS

# ── Cards: 100 × 140 ────────────────────────────────────────────────────────────────────────────────────────

COLOUR = {
    "s": "var(--suit-s, #1b1a1f)",
    "h": "var(--suit-h, #b3202c)",
    "d": "var(--suit-d, #b3202c)",
    "c": "var(--suit-c, #1b1a1f)",
}
"""The suits' colours come from the page (two or four colours), with the usual ones if it says nothing."""

INK, BRASS, PALE, SKIN = "#22262b", "#b98b35", "#e9cf8f", "#f2dcc1"

PIP = {
    "h": "M10 18.6C4 13.8.7 10.1.7 6.1.7 3.1 2.9 1 5.6 1 7.5 1 9.1 2.1 10 3.9 10.9 2.1 12.5 1 14.4 1"
    " 17.1 1 19.3 3.1 19.3 6.1 19.3 10.1 16 13.8 10 18.6Z",
    "d": "M10 .4C11.7 4 14.7 7.6 17.9 10 14.7 12.4 11.7 16 10 19.6 8.3 16 5.3 12.4 2.1 10 5.3 7.6 8.3 4 10 .4Z",
    "s": "M10 .6C12 4.9 19 8 19 12.6 19 15.1 17.2 16.8 14.9 16.8 13.1 16.8 11.7 16 10.9 14.7"
    " 11.1 16.9 11.9 18.3 13.6 19.4H6.4C8.1 18.3 8.9 16.9 9.1 14.7 8.3 16 6.9 16.8"
    " 5.1 16.8 2.8 16.8 1 15.1 1 12.6 1 8 8 4.9 10 .6Z",
    "c": "M10 .7A4.4 4.4 0 0 1 13.3 8 4.5 4.5 0 1 1 10.9 14.2C11 16.7 11.9 18.2 13.6 19.4H6.4"
    "C8.1 18.2 9 16.7 9.1 14.2A4.5 4.5 0 1 1 6.7 8 4.4 4.4 0 0 1 10 .7Z",
}
"""A pip in 20 × 20."""

NUMERAL = {
    "A": "M2 26 10 2l8 24M5 18h10",
    "2": "M3 8.6C3 4.6 6 2 10 2s7 2.6 7 6.5c0 3.8-2.4 6.3-5.4 9.1L3 26h14.6",
    "3": "M3.2 2H16l-6.5 9.1c4.5 0 7.5 3 7.5 7.3S13.8 26 9.7 26c-3.4 0-5.9-1.7-6.9-4.5",
    "4": "M13.6 26V2L2.4 19h15.8",
    "5": "M16 2H5.4l-1 10.2c1.5-1.2 3.3-1.8 5.3-1.8 4.2 0 7.3 3.2 7.3 7.7S13.8 26 9.6 26c-3.4 0-5.8-1.6-6.8-4.3",
    "6": "M14.6 2.3C8 5.4 3.2 11 3.2 18c0 4.8 2.9 8 6.9 8s6.9-3.2 6.9-7.3-2.9-7.2-6.8-7.2c-3.3 0-6 2.1-6.9 5.5",
    "7": "M2.8 2H17.2L8.4 26",
    "8": "M10 2a5.3 5.3 0 1 1 0 10.6A5.3 5.3 0 0 1 10 2ZM10 12.6a6.7 6.7 0 1 1 0 13.4a6.7 6.7 0 0 1 0-13.4Z",
    "9": "M5.4 25.7C12 22.6 16.8 17 16.8 10c0-4.8-2.9-8-6.9-8S3 5.2 3 9.3s2.9 7.2 6.8 7.2c3.3 0 6-2.1 6.9-5.5",
    "T": "M0 5.6 3.8 2v24M14.6 2c3.2 0 5.2 4.4 5.2 12s-2 12-5.2 12-5.2-4.4-5.2-12 2-12 5.2-12Z",
    "J": "M7.5 2h7.7v17.2c0 4.3-2.3 6.8-5.9 6.8-3.4 0-5.7-2.1-6.3-5.5",
    "Q": "M10 2c4.7 0 7.8 4.8 7.8 12S14.7 26 10 26s-7.8-4.8-7.8-12S5.3 2 10 2ZM11.4 19.4 18 27.2",
    "K": "M4 2v24M17 2 4.4 15.6M8.9 10.9 17.8 26",
}
"""A rank in 20 × 28, as strokes."""

ROWS: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "2": ((), (26, 114)),
    "3": ((), (26, 70, 114)),
    "4": ((28, 112), ()),
    "5": ((28, 112), (70,)),
    "6": ((28, 70, 112), ()),
    "7": ((28, 70, 112), (49,)),
    "8": ((28, 70, 112), (49, 91)),
    "9": ((25, 55, 85, 115), (70,)),
    "T": ((25, 55, 85, 115), (40, 100)),
}
"""Where the pips stand: heights in the two outer columns, heights in the middle one."""


def _pip(suit: str, x: float, y: float, size: float) -> str:
    """One pip round (x, y); in the lower half it stands on its head."""
    turned = f"rotate(180 {x:g} {y:g})" if y > 70 else ""
    scale = f"translate({x - size / 2:g} {y - size / 2:g})scale({size / 20:g})"
    return f'<path d="{PIP[suit]}" transform="{turned}{scale}"/>'


def _index(rank: str, suit: str) -> str:
    """Rank and suit in one corner; the other is the same, turned."""
    return (
        f'<path d="{NUMERAL[rank]}" transform="translate(6 9)scale(.86)" fill="none" stroke="{COLOUR[suit]}"'
        f' stroke-width="4.3" stroke-linejoin="round"/>'
        f'<path d="{PIP[suit]}" transform="translate(6.5 37)scale(.82)"/>'
    )


def _twice(half: str) -> str:
    return f'{half}<g transform="rotate(180 50 70)">{half}</g>'


CROWN = {
    "K": f'<path d="M38 30 35.5 17l7 5.5L50 13l7.5 9.5 7-5.5L62 30Z" fill="{BRASS}"/>'
    f'<path d="M38 30h24v3.6H38Z" fill="{INK}"/><circle cx="50" cy="13" r="2.2" fill="{BRASS}"/>'
    f'<circle cx="35.5" cy="17" r="1.8" fill="{BRASS}"/><circle cx="64.5" cy="17" r="1.8" fill="{BRASS}"/>',
    "Q": f'<path d="M39 30c0-6 4-9 11-15 7 6 11 9 11 15Z" fill="{BRASS}"/><path d="M50 19l3.2 5-3.2 5-3.2-5Z"'
    f' fill="{PALE}"/><path d="M38.5 30h23v2.8h-23Z" fill="{INK}"/>',
    "J": f'<path d="M37 31c0-9 5-14 14-14 7 0 12 5 12 14Z" fill="currentColor"/><path d="M36 31h28v3.4H36Z"'
    f' fill="{BRASS}"/><path d="M59 22c3-7 8-9 12-8-1 6-4 10-10 12Z" fill="{PALE}" stroke="{INK}" stroke-width=".8"/>',
}

HEAD = {
    "K": f'<path d="M40 34h20v9c0 9-4 15-10 15s-10-6-10-15Z" fill="{SKIN}"/>'
    f'<path d="M39.5 42c0 12 4 19 10.5 19s10.5-7 10.5-19l-3.5 5c-2-2-4.5-2-7 0-2.5-2-5-2-7 0Z" fill="{INK}"/>',
    "Q": f'<path d="M37 33c-3 9-3 18-1 27h28c2-9 2-18-1-27Z" fill="{INK}"/>'
    f'<path d="M41 33h18v9c0 8-4 13-9 13s-9-5-9-13Z" fill="{SKIN}"/>',
    "J": f'<path d="M38 34c-2 6-2 12-.5 18h25c1.5-6 1.5-12-.5-18Z" fill="{INK}"/>'
    f'<path d="M41 34h18v9c0 8-4 13-9 13s-9-5-9-13Z" fill="{SKIN}"/>',
}

FACE = (
    f'<path d="M44.5 41.5h3M52.5 41.5h3" stroke="{INK}" stroke-width="1.6" stroke-linecap="round"/>'
    f'<path d="M50 42v4.5" stroke="{BRASS}" stroke-width="1.2" stroke-linecap="round"/>'
)

ROBE = {
    "K": '<path d="M28 70c1-9 7-14 14-15l8 9 8-9c7 1 13 6 14 15Z" fill="currentColor"/>'
    f'<path d="M50 64 42 55l-4 1.5L50 70l12-13.5-4-1.5Z" fill="{PALE}"/>'
    f'<path d="M30.5 66.5h9M60.5 66.5h9" stroke="{BRASS}" stroke-width="2"/>',
    "Q": '<path d="M28 70c1-8 6-13 14-14l8 5 8-5c8 1 13 6 14 14Z" fill="currentColor"/>'
    f'<path d="M42 56l8 5 8-5" fill="none" stroke="{PALE}" stroke-width="2.6"/>'
    f'<circle cx="50" cy="65.5" r="2.4" fill="{PALE}"/><circle cx="42.5" cy="62.5" r="1.5" fill="{PALE}"/>'
    f'<circle cx="57.5" cy="62.5" r="1.5" fill="{PALE}"/>',
    "J": f'<path d="M28 70c1-8 6-13 15-14h14c9 1 14 6 15 14Z" fill="{INK}"/>'
    '<path d="M43 56h14l-3 14h-8Z" fill="currentColor"/>'
    f'<path d="M31 66l9-7M60 59l9 7" stroke="{BRASS}" stroke-width="1.8"/>',
}


def _court(rank: str, suit: str) -> str:
    """A court: half a figure in a brass frame, and the same turned."""
    figure = ROBE[rank] + HEAD[rank] + FACE + CROWN[rank]
    return (
        f'<rect x="27" y="10.5" width="46" height="119" rx="3" fill="#fffdf6" stroke="{BRASS}" stroke-width="1.2"/>'
        f'<g color="{COLOUR[suit]}">{_twice(figure)}</g>'
        f'<path d="M27 70h46" stroke="{BRASS}" stroke-width="1.6"/>'
        + _twice(f'<path d="{PIP[suit]}" transform="translate(29.5 13)scale(.5)"/>')
    )


def _ace(suit: str) -> str:
    petals = "".join(
        f'<path d="M50 36.5c3.5 4.5 3.5 8 0 11.5-3.5-3.5-3.5-7 0-11.5Z" transform="rotate({turn} 50 70)"/>'
        for turn in range(0, 360, 30)
    )
    return (
        f'<g fill="none" stroke="{BRASS}" stroke-width=".9"><circle cx="50" cy="70" r="21.5"/>{petals}</g>'
        f'<path d="{PIP[suit]}" transform="translate(34.5 54)scale(1.55)"/>'
    )


def _middle(rank: str, suit: str) -> str:
    if rank == "A":
        return _ace(suit)
    if rank in "JQK":
        return _court(rank, suit)
    outer, middle = ROWS[rank]
    size = 20 if len(outer) < 4 else 18
    pips = [_pip(suit, x, y, size) for y in outer for x in (39, 61)] + [_pip(suit, 50, y, size) for y in middle]
    return "".join(pips)


PAPER = (
    '<rect x=".75" y=".75" width="98.5" height="138.5" rx="8" fill="var(--card-paper, #fdfaf1)"'
    ' stroke="#b9ad8c" stroke-width="1.5"/>'
)


def _face(rank: str, suit: str) -> str:
    return f'{PAPER}<g fill="{COLOUR[suit]}">{_middle(rank, suit)}{_twice(_index(rank, suit))}</g>'


def _small(rank: str, suit: str) -> str:
    """A face that is read from afar or at 40 px: nothing but rank and suit, large."""
    shift = 20 if rank == "T" else 24
    return (
        f'{PAPER}<path d="{NUMERAL[rank]}" transform="translate({shift} 12)scale(2.5)" fill="none"'
        f' stroke="{COLOUR[suit]}" stroke-width="3.6" stroke-linejoin="round"/>'
        f'<path d="{PIP[suit]}" transform="translate(25 82)scale(2.5)" fill="{COLOUR[suit]}"/>'
    )


def _corner(rank: str, suit: str) -> str:
    """A face that shows only its left edge in a fan of cards: rank and suit, large, in that corner."""
    shift = 5 if rank == "T" else 7
    return (
        f'{PAPER}<path d="{NUMERAL[rank]}" transform="translate({shift} 11)scale(1.6)" fill="none"'
        f' stroke="{COLOUR[suit]}" stroke-width="3.9" stroke-linejoin="round"/>'
        f'<g fill="{COLOUR[suit]}"><path d="{PIP[suit]}" transform="translate(8 63)scale(1.45)"/>'
        f'<path d="{PIP[suit]}" transform="translate(46 84)scale(2.3)"/></g>'
    )


LOTUS = (
    "M50 40c6 6 8 13 8 19 4-5 9-8 16-9 0 10-4 17-11 21 5-.5 9 .5 13 3-5 6-14 9-26 9s-21-3-26-9c4-2.5 8-3.5 13-3"
    "-7-4-11-11-11-21 7 1 12 4 16 9 0-6 2-13 8-19Z"
)
"""The house's mark, a lotus, in the middle of a card's back."""


def _back() -> str:
    lattice = "".join(f'<path d="M{x} 9 {x + 122} 131M{x + 122} 9 {x} 131"/>' for x in range(-113, 92, 12))
    return (
        f"{PAPER}"
        '<clipPath id="in"><rect x="8" y="8" width="84" height="124" rx="4"/></clipPath>'
        '<rect x="8" y="8" width="84" height="124" rx="4" fill="var(--card-back, #6d1a2b)"/>'
        f'<g clip-path="url(#in)" fill="none" stroke="#d9b366" stroke-opacity=".38" stroke-width=".8">{lattice}</g>'
        '<rect x="11" y="11" width="78" height="118" rx="3" fill="none" stroke="#d9b366" stroke-width="1"/>'
        '<circle cx="50" cy="70" r="26" fill="var(--card-back, #6d1a2b)" stroke="#d9b366" stroke-width="1.4"/>'
        f'<path d="{LOTUS}" transform="translate(13 19)scale(.74)" fill="#e8c885"/>'
    )


def cards_svg() -> str:
    """The sprite of the cards: a symbol for each face (`As`, `As-small`, `As-corner`), `back`, and the `white` one."""
    faces = [_symbol(rank + suit, "0 0 100 140", _face(rank, suit)) for suit in SUITS for rank in RANKS]
    faces += [_symbol(f"{rank}{suit}-small", "0 0 100 140", _small(rank, suit)) for suit in SUITS for rank in RANKS]
    faces += [_symbol(f"{rank}{suit}-corner", "0 0 100 140", _corner(rank, suit)) for suit in SUITS for rank in RANKS]
    white = '<rect x=".75" y=".75" width="98.5" height="138.5" rx="8" fill="#f7f4ea" stroke="#b9ad8c"/>'
    return _sprite(
        [*faces, _symbol("back", "0 0 100 140", _back()), _symbol("white", "0 0 100 140", white)]
        + [_symbol(f"pip-{suit}", "0 0 20 20", f'<path d="{PIP[suit]}" fill="{COLOUR[suit]}"/>') for suit in SUITS]
    )


# ── Chips ───────────────────────────────────────────────────────────────────────────────────────────────────

CHIPS: dict[int, tuple[str, str]] = {
    1: ("#d9d2c0", "#55606b"),
    5: ("#b3262f", "#f2e7cf"),
    10: ("#2459a6", "#f2e7cf"),
    50: ("#1f7a4a", "#f2e7cf"),
    100: ("#23262c", "#f2e7cf"),
    500: ("#6a3a9c", "#f2e7cf"),
    1_000: ("#c4761a", "#fdf3d8"),
    10_000: ("#8c1c4a", "#f0cf86"),
    100_000: ("#0f6f7c", "#f0cf86"),
}
"""Denomination in credits -> colour of the body and of the edge spots."""


def _chip(body: str, spots: str) -> str:
    """A chip from above, 64 × 64; its value is written over it by the page."""
    edge = "".join(f'<path d="M32 1.5v8" transform="rotate({turn} 32 32)"/>' for turn in range(0, 360, 45))
    beads = "".join(f'<circle cx="32" cy="12.5" r="1.1" transform="rotate({t} 32 32)"/>' for t in range(22, 382, 45))
    return (
        f'<circle cx="32" cy="32" r="31" fill="{body}"/><g stroke="{spots}" stroke-width="9.5">{edge}</g>'
        '<circle cx="32" cy="32" r="30.5" fill="none" stroke="#000" stroke-opacity=".35"/>'
        f'<circle cx="32" cy="32" r="22" fill="{body}"/><circle cx="32" cy="32" r="22" fill="#000" fill-opacity=".18"/>'
        f'<g fill="{spots}">{beads}</g><circle cx="32" cy="32" r="17.5" fill="#fbf5e6"/>'
        f'<circle cx="32" cy="32" r="17.5" fill="none" stroke="{body}" stroke-width="1.2"/>'
        '<path d="M8 20A27 27 0 0 1 44 7.5" fill="none" stroke="#fff" stroke-opacity=".28" stroke-width="2"/>'
    )


def _disc(body: str, spots: str) -> str:
    """A chip lying in a stack, seen from the bettor's side, 40 × 22: the next one lies 5 higher."""
    return (
        f'<path d="M1 9v5c0 4 8.5 7.3 19 7.3S39 18 39 14V9Z" fill="{body}"/>'
        f'<path d="M6 13.3v5l4.5 1.7v-5.1ZM17 16v5.3h6V16ZM34 13.3v5l-4.5 1.7v-5.1Z" fill="{spots}"/>'
        '<path d="M1 9v5c0 4 8.5 7.3 19 7.3S39 18 39 14V9" fill="none" stroke="#000" stroke-opacity=".5"/>'
        f'<ellipse cx="20" cy="9" rx="19" ry="8" fill="{body}"/>'
        '<path d="M17 1.2h6v3.5h-6ZM17 13.3h6v3.6h-6ZM1.3 7.5 8 8v2.2l-6.7.5ZM38.7 7.5 32 8v2.2l6.7.5Z"'
        f' fill="{spots}"/>'
        '<ellipse cx="20" cy="9" rx="11.5" ry="4.7" fill="#fbf5e6"/>'
        '<ellipse cx="20" cy="9" rx="18.6" ry="7.7" fill="none" stroke="#fff" stroke-opacity=".25"/>'
    )


def chips_svg() -> str:
    """The sprite of the chips: `chip-500` from above, `disc-500` as it lies in a stack, and `sign`, the credit."""
    symbols = []
    for value, (body, spots) in CHIPS.items():
        symbols.append(_symbol(f"chip-{value}", "0 0 64 64", _chip(body, spots)))
        symbols.append(_symbol(f"disc-{value}", "0 0 40 22", _disc(body, spots)))
    sign = (
        '<path fill="currentColor" fill-rule="evenodd" d="M10 .8a9.2 9.2 0 1 1 0 18.4A9.2 9.2 0 0 1 10 .8Z'
        "M8.8 1v3.1h2.4V1ZM8.8 15.9V19h2.4v-3.1ZM1 8.8v2.4h3.1V8.8ZM15.9 8.8v2.4H19V8.8Z"
        'M10 5.6 5.6 10l4.4 4.4L14.4 10Z"/>'
    )
    return _sprite([*symbols, _symbol("sign", "0 0 20 20", sign)])


# ── Dice: 40 × 40 ───────────────────────────────────────────────────────────────────────────────────────────

LEFT, MIDDLE, RIGHT = 11, 20, 29

PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((MIDDLE, MIDDLE),),
    2: ((LEFT, LEFT), (RIGHT, RIGHT)),
    3: ((LEFT, LEFT), (MIDDLE, MIDDLE), (RIGHT, RIGHT)),
    4: ((LEFT, LEFT), (RIGHT, LEFT), (LEFT, RIGHT), (RIGHT, RIGHT)),
    5: ((LEFT, LEFT), (RIGHT, LEFT), (MIDDLE, MIDDLE), (LEFT, RIGHT), (RIGHT, RIGHT)),
    6: ((LEFT, LEFT), (RIGHT, LEFT), (LEFT, MIDDLE), (RIGHT, MIDDLE), (LEFT, RIGHT), (RIGHT, RIGHT)),
}
"""The pips of each face, by their middles."""

RED_FACES = (1, 4)
"""The faces that Chinese dice have in red; the single pip is larger too."""


def _die(face: int) -> str:
    radius = 7 if face == 1 else 4.1
    pips = "".join(f'<circle cx="{x}" cy="{y}" r="{radius}"/>' for x, y in PIPS[face])
    return (
        '<rect x="1" y="1" width="38" height="38" rx="8.5" fill="#fdf8ea" stroke="#5c513c"/>'
        '<path d="M4 31.500A8 8 0 0 0 9 36.500H31A6.500 6.500 0 0 0 36.500 31V9" fill="none" stroke="#d3c7a8"'
        ' stroke-width="2.500" stroke-linecap="round"/>'
        f'<g fill="{"#b3202c" if face in RED_FACES else "#1b1a1f"}">{pips}</g>'
    )


def dice_svg() -> str:
    """The sprite of the dice: `die-1` to `die-6`."""
    return _sprite([_symbol(f"die-{face}", "0 0 40 40", _die(face)) for face in PIPS])


# ── Files ───────────────────────────────────────────────────────────────────────────────────────────────────


def _symbol(name: str, box: str, inside: str) -> str:
    return f'<symbol id="{name}" viewBox="{box}">{inside}</symbol>'


def _sprite(symbols: list[str]) -> str:
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(symbols) + "\n</svg>\n"


def drawings() -> dict[Path, str]:
    """Every drawn file and its content."""
    folder = Path(settings.BASE_DIR) / "static" / "svg"
    return {folder / "cards.svg": cards_svg(), folder / "chips.svg": chips_svg(), folder / "dice.svg": dice_svg()}


class Command(BaseCommand):
    help = "Draws cards, chips and dice into static/svg/."

    def handle(self, *args: object, **options: object) -> None:
        for path, text in drawings().items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            self.stdout.write(f"{path.name}: {len(text):,} bytes")
