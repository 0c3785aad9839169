"""What people may be called: names that say what they seem to say, and that nobody else's looks like.

The rules are those of Unicode's UTS 39. A name is "highly restrictive": letters of one script that is in common use
today, or Latin beside the scripts of Chinese, Japanese or Korean. Two names are alike if they share a skeleton: what is
left when letters that look the same are made the same. The table of those letters is our own and small: it has what
passes for Latin, digits or Han in the scripts that the first rule lets through (docs/decisions/0023).
"""

from __future__ import annotations

import re
import unicodedata

from tables.games.values.words import Words, say

LONGEST_NAME = 40
"""Letters of a user name, and of the name that is shown at the tables."""

MOST_MARKS = 2
"""More marks on one letter make a tower (Vietnamese has two)."""

SCRIPTS = frozenset(
    re.findall(
        r"\w+",
        "ARABIC ARMENIAN BENGALI BOPOMOFO CYRILLIC DEVANAGARI ETHIOPIC GEORGIAN GREEK GUJARATI GURMUKHI HAN HANGUL "
        "HEBREW HIRAGANA KANNADA KATAKANA KHMER LAO LATIN MALAYALAM MYANMAR ORIYA SINHALA TAMIL TELUGU THAANA THAI "
        "TIBETAN",
    )
)
"""Scripts in common use (UAX 31, table 5)."""

MIXES = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)
"""What may stand in one name, beside a single script (UTS 39, 5.2)."""

_EVERYDAY = {
    "LATIN": (
        (0x41, 0x17F),
        (0x18F, 0x18F),
        (0x1A0, 0x1A1),
        (0x1AF, 0x1B0),
        (0x1CD, 0x1DC),
        (0x1E6, 0x21B),
        (0x1E00, 0x1EFF),
    ),
    "GREEK": ((0x370, 0x3FF), (0x1F00, 0x1FFF)),
    "CYRILLIC": ((0x400, 0x52F),),
}
"""Where the letters of everyday languages stand, without phonetic signs, clicks and small capitals."""

_ALIASES = {"CJK": "HAN", "IDEOGRAPHIC": "HAN", "KATAKANA-HIRAGANA": "KATAKANA"}
"""How Unicode's names of characters begin where that is not the script."""

_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and signs that look like nothing."""

_ACCENTS = frozenset(map(chr, (*range(0x300, 0x30D), 0x31B, 0x323)))
"""Marks of letters that Unicode has not composed; none that strikes a letter out."""

_BETWEEN = " -_.@+'’·"
"""What is not part of a skeleton: whether it stands in a name, nobody remembers."""

_SHOWN, _TYPED = frozenset(" -_.'’·"), frozenset("@.+-_")
"""Signs of a name at the tables, and of a user name."""


def _pairs(text: str) -> dict[int, str]:
    return {ord(pair[0]): pair[1:] for pair in text.split()}


_LOOK_ALIKE = (
    _pairs("аa вb еe з3 іi јj кk мm нh оo рp сc тt уy хx ѕs һh ԁd ԛq ԝw ѵv ӏl гr пn ьb")
    | _pairs("АA ВB ЕE З3 ІI ЈJ КK МM НH ОO РP СC ТT УY ХX ЅS ҺH ԀD ԚQ ԜW ѴV ӀI ЬB")
    | _pairs("αa βb γy εe ηn ιi κk νv οo ρp σo ςc τt υu χx ωw ϲc ϳj ϱp")
    | _pairs("ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ϹC ͿJ")
    | _pairs("օo ոn սu ցg հh յj տs աw քp ՕO ՍU ՏS ԼL")
    | _pairs("סo וl ןl ۱l ೦o ഠo ဝo")
    | _pairs("ロ口 カ力 ニ二 エ工 タ夕 ト卜 ハ八 ー一 ノ丿 へヘ")
    | _pairs("ıi ȷj ſs ɡg ɑa þp ƿp ßb 0o 1l Il il |l")
)
"""What is taken for what."""


def normal(name: str) -> str:
    """The name as it is kept: compatible forms made one (NFKC: full width, Roman numerals), each gap one space."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def fault(name: str, *, shown: bool = True) -> Words | None:
    """Why nobody may be called this, at the tables if `shown`, or else as a user name; None if it is fine.

    `name` is normal. Whether it is still free, the names that are taken say (`tables.services.players.names`).
    """
    if not name or len(name) > LONGEST_NAME:
        return say("A name has between 1 and %(most)s letters.", most=LONGEST_NAME)
    scripts, marks, letters = set[str](), 0, 0
    for char in name:
        kind = unicodedata.category(char)
        if kind in ("Mn", "Mc") and letters and char not in _BLANK and (char in _ACCENTS or script_of(char) in SCRIPTS):
            marks += 1
            scripts |= {script_of(char)} & SCRIPTS
            if marks > MOST_MARKS:
                return _unreadable()
            continue
        marks = 0
        if char.isascii() and char.isdigit():
            continue
        if (
            kind[0] == "L"
            and char not in _BLANK
            and (script := script_of(char)) in SCRIPTS
            and _is_everyday(char, script)
        ):
            scripts.add(script)
            letters += 1
        elif char not in (_SHOWN if shown else _TYPED):
            return _unreadable()
    if not letters or not name[0].isalnum():
        return say("A name begins with a letter or a digit, and has at least one letter.")
    if len(scripts) > 1 and not any(scripts <= mix for mix in MIXES):
        return say("A name has letters of one script: not Latin and Cyrillic, for example, which look alike.")
    return None


def _unreadable() -> Words:
    return say("A name has letters, digits and - _ . between them, and nothing that is not seen.")


def script_of(char: str) -> str:
    """The script of a letter or mark, as Unicode's name of it begins; empty if it has no name."""
    first = unicodedata.name(char, "").partition(" ")[0]
    return _ALIASES.get(first, first)


def _is_everyday(char: str, script: str) -> bool:
    ranges = _EVERYDAY.get(script)
    if ranges is None:
        return True
    return unicodedata.category(char) in ("Lu", "Ll") and any(low <= ord(char) <= high for low, high in ranges)


# ── Skeletons ───────────────────────────────────────────────────────────────────────────────────────────────


def skeletons(name: str) -> frozenset[str]:
    """What this name looks like, as it is written, in small letters and in capitals. Names that share one are alike."""
    plain = normal(name)
    return frozenset(skeleton for form in (plain, plain.lower(), plain.upper()) if (skeleton := _skeleton(form)))


def _skeleton(name: str) -> str:
    seen = unicodedata.normalize("NFD", name).translate(_LOOK_ALIKE)
    seen = seen.lower().translate(_LOOK_ALIKE)
    seen = "".join(char for char in seen if char not in _BETWEEN and unicodedata.category(char) not in ("Cf", "Zs"))
    return unicodedata.normalize("NFC", seen.replace("rn", "m").replace("vv", "w"))


RESERVED = (
    *(
        "admin",
        "administrator",
        "banker",
        "cage",
        "casino",
        "croupier",
        "dealer",
        "demo",
        "guest",
        "house",
        "inspector",
    ),
    *("macau floor", "macaufloor", "moderator", "pit", "pit boss", "player", "shift manager", "staff"),
    *("duty manager", "support"),
    *("surveillance", "system", "visitor", "casa", "fiscal", "gerente", "apoio"),
    *("官方", "客服", "荷官", "莊荷", "賭場", "管理員", "監場", "訪客"),
)
"""Whom nobody may pretend to be: the house, its staff, and people that the house names itself."""

_WORDS = re.compile(r"[\s\-_.@+'’·]+|[0-9]+")
_RESERVED = frozenset().union(*map(skeletons, RESERVED))


def is_reserved(name: str) -> bool:
    """Whether this name, or a word of it, is one of those that nobody may choose, or looks like one."""
    words = [word for word in _WORDS.split(normal(name)) if word]
    return any(skeletons(part) & _RESERVED for part in (name, "".join(words), *words))
