"""Who deals, as a name: it belongs to a table for a shift. No person stands behind it, and the felt says so.

The names are ours, in the three scripts of the house, and nobody's: family names and given names that are frequent in
Macau, put together.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from tables.base.shifts import gaming_day, shifts_of

NAMES: Sequence[tuple[str, str, str]] = (
    ("Ana Lei", "Ana Lei", "李安娜"),
    ("Ben Chan", "Bento Chan", "陳本立"),
    ("Carla Wong", "Carla Wong", "黃嘉蘭"),
    ("David Ieong", "David Ieong", "楊大衛"),
    ("Elsa Fong", "Elsa Fong", "馮愛莎"),
    ("Felix Cheong", "Félix Cheong", "張飛力"),
    ("Grace Leong", "Graça Leong", "梁嘉思"),
    ("Hugo Lam", "Hugo Lam", "林曉高"),
    ("Ines Chao", "Inês Chao", "周燕妮"),
    ("James Ho", "Jaime Ho", "何占士"),
    ("Clara Ng", "Clara Ng", "吳家樂"),
    ("Louis Kuok", "Luís Kuok", "郭路易"),
    ("Maria Tam", "Maria Tam", "譚瑪莉"),
    ("Nuno Sou", "Nuno Sou", "蘇努諾"),
    ("Olivia Mak", "Olívia Mak", "麥詠雅"),
    ("Paul Lou", "Paulo Lou", "盧保羅"),
    ("Rita Kong", "Rita Kong", "江麗達"),
    ("Simon Vong", "Simão Vong", "王思文"),
    ("Teresa Iong", "Teresa Iong", "容德蘭"),
    ("Victor Cheng", "Vítor Cheng", "鄭維德"),
    ("Alice Choi", "Alice Choi", "蔡麗絲"),
    ("Peter Sam", "Pedro Sam", "岑彼得"),
    ("Sara Un", "Sara Un", "阮莎拉"),
)
"""In English, Português and 繁體中文. Their number is prime, so that all of them come to each table."""

_TABLE, _SHIFT = 5, 9
"""How far the next table and the next shift go on in the list."""


def dealer_of(table: int, moment: datetime, hours: Sequence[int], language: str) -> str:
    """The name of whoever deals at this table in the shift of this moment, in the script of a language. `hours` are
    those at which shifts begin."""
    day = gaming_day(moment, hours)
    shift = day.toordinal() * len(hours) + sum(one.since <= moment for one in shifts_of(day, hours))
    english, portuguese, chinese = NAMES[(_TABLE * table + _SHIFT * shift) % len(NAMES)]
    return {"pt": portuguese, "zh-hant": chinese}.get(language, english)
