"""The fonts that Chromium draws with in these tests, whatever the machine has: what another machine may have instead.

FONTS=noto python -m pytest tests/browser      one of SETS; "wide" unless it is said

Each set is a configuration of fontconfig with a few fonts in a folder of its own. On other systems than Linux, which
have no fontconfig, the system's own fonts are used.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from casino.bootstrap import FONTS, find_fonts

DEJAVU = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSerif.ttf", "DejaVuSerif-Bold.ttf", "DejaVuSansMono.ttf")
NOTO = (
    *("NotoSans-Regular.ttf", "NotoSans-Bold.ttf", "NotoSerif-Regular.ttf", "NotoSerif-Bold.ttf"),
    *("NotoSansSymbols-Regular.ttf", "NotoSansSymbols2-Regular.ttf", "NotoSansMath-Regular.ttf"),
)
CJK = ("NotoSansCJK-Regular.ttc", "NotoSansCJK-Bold.ttc", "NotoSerifCJK-Regular.ttc", "NotoSerifCJK-Bold.ttc")


class FontsError(Exception):
    """The fonts that were asked for cannot be had. Says why in one line."""


@dataclass(frozen=True)
class FontSet:
    """Some fonts, and which of them stand for the families that every browser knows."""

    files: Mapping[str, tuple[str, ...]]
    """By the name in `casino.bootstrap.FONTS` of the folder in which they are."""
    sans: tuple[str, ...]
    serif: tuple[str, ...]
    mono: str
    zero: float
    """Em that a nought of the sans is wide: by this a test knows the set."""
    chinese: bool = True
    instead: Mapping[str, str] = field(default_factory=dict)
    """A family that is asked for by its name, and the one that is drawn in its place."""


SETS: Mapping[str, FontSet] = {
    "dejavu": FontSet(
        {"dejavu": DEJAVU},
        sans=("DejaVu Sans",),
        serif=("DejaVu Serif",),
        mono="DejaVu Sans Mono",
        zero=0.636,
        chinese=False,
    ),
    "noto": FontSet(
        {"noto": NOTO, "noto-cjk": CJK},
        sans=("Noto Sans", "Noto Sans CJK TC"),
        serif=("Noto Serif", "Noto Serif CJK TC"),
        mono="Noto Sans Mono CJK TC",
        zero=0.572,
    ),
    "wide": FontSet(
        {"dejavu": DEJAVU, "noto-cjk": CJK},
        sans=("DejaVu Sans", "Noto Sans CJK TC"),
        serif=("DejaVu Serif", "Noto Serif CJK TC"),
        mono="DejaVu Sans Mono",
        zero=0.636,
        instead={"Noto Sans CJK TC": "DejaVu Sans", "Noto Serif CJK TC": "DejaVu Serif"},  # its letters are narrow
    ),
}
"""dejavu: a bare Linux, without Chinese. noto: a Linux desktop. wide: letters as wide as those of Verdana, and
Chinese."""


def chosen() -> FontSet | None:
    """The set that the environment names; None where the system's own fonts are used."""
    if sys.platform != "linux":
        return None
    name = os.environ.get("FONTS", "wide")
    if name not in SETS:
        raise FontsError(f"FONTS={name} is no set of fonts. There are: {', '.join(SETS)}.")
    return SETS[name]


def environment(folder: Path) -> dict[str, str]:
    """The environment in which Chromium sees the chosen fonts and no others; what it needs for that is put there."""
    fonts = chosen()
    return dict(os.environ) if fonts is None else {**os.environ, "FONTCONFIG_FILE": str(_configured(fonts, folder))}


def _configured(fonts: FontSet, folder: Path) -> Path:
    """The file of fontconfig that knows these fonts alone."""
    found = find_fonts()
    missing = [FONTS[name][0] for name in fonts.files if name not in found]
    if missing:
        raise FontsError(f"The browser tests need fonts. Install them:  sudo apt-get install {' '.join(missing)}")
    drawn = folder / "fonts"
    drawn.mkdir()
    for name, files in fonts.files.items():
        for file in files:
            if (found[name] / file).exists():
                (drawn / file).symlink_to(found[name] / file)
    rules = [
        *(_instead(asked, drawn) for asked, drawn in fonts.instead.items()),
        # a family that nobody has is drawn as the sans is
        '<match><edit name="family" mode="append_last"><string>sans-serif</string></edit></match>',
        *(_prefer("sans-serif", *fonts.sans), _prefer("serif", *fonts.serif), _prefer("monospace", fonts.mono)),
    ]
    told = folder / "fonts.conf"
    told.write_text(
        '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">\n<fontconfig>\n'
        f"<dir>{drawn}</dir>\n<cachedir>{folder / 'cache'}</cachedir>\n" + "\n".join(rules) + "\n</fontconfig>\n"
    )
    return told


def _prefer(family: str, *fonts: str) -> str:
    names = "".join(f"<family>{font}</family>" for font in fonts)
    return f"<alias><family>{family}</family><prefer>{names}</prefer></alias>"


def _instead(asked: str, drawn: str) -> str:
    return (
        f'<match><test name="family"><string>{asked}</string></test>'
        f'<edit name="family" mode="assign" binding="same"><string>{drawn}</string></edit></match>'
    )
