"""CSV for spreadsheets, of the pit and of players: UTF-8 with a mark of it, and no cell that would be a formula."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO

from django.http import HttpResponse

BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def defused(text: str) -> str:
    """A text that no spreadsheet takes for a formula: an apostrophe before what would begin one."""
    return f"'{text}" if text.startswith(BEGINS_A_FORMULA) else text


def plain(cents: int) -> str:
    """Credits with two decimals, as any spreadsheet reads them: a point, a plain minus, nothing between thousands."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02}"


def csv_sheet(name: str, head: Iterable[str], rows: Iterable[Iterable[str | int]]) -> HttpResponse:
    """The file `name` to download: a line of titles, and the rows. Whoever makes a row defuses what people wrote."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(map(defused, head))
    writer.writerows(rows)
    answer = HttpResponse("\ufeff" + out.getvalue(), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
