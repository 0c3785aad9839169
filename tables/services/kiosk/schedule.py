"""When a kiosk plays and how bright its screen is, by weekday and hour of Macau. The moment is passed in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tables.base.calendar import MACAU, midnight
from tables.games.contract.errors import Refused
from tables.games.values.words import say
from tables.models import Kiosk

DAYS = 7
FULL = 100
DARKEST = 20
"""Per cent of brightness: as it is, and the least that may be set. Darker nobody would find the screen."""

_SPAN = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)\s*[-–]\s*([01]?\d|2[0-3]):([0-5]\d)")
_STEP = re.compile(r"([01]?\d|2[0-3])\s*[: ]\s*(\d{1,3})\s*%?")


@dataclass(frozen=True, slots=True)
class Schedule:
    """Minutes of the day from when until when it plays, Monday first (None: not that day; an end that is not after the
    beginning is on the next day), and from which hour on how many per cent of brightness. Without any hours it always
    plays."""

    hours: tuple[tuple[int, int] | None, ...] = ()
    brightness: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, kiosk: Kiosk) -> Schedule:
        hours = tuple((day[0], day[1]) if day else None for day in kiosk.hours)
        return cls(hours, tuple((hour, percent) for hour, percent in kiosk.brightness))

    @classmethod
    def read(cls, days: Sequence[str], brightness: str) -> Schedule:
        """From what somebody has typed: `10:00-02:00` a day or nothing, and `8 100, 20 70, 0 40`. Raises Refused."""
        spans = [_span(f"day_{number}", text.strip()) for number, text in enumerate(days)]
        steps = sorted(_step(text.strip()) for text in brightness.split(",") if text.strip())
        return cls(tuple(spans) if any(spans) else (), tuple(steps))

    def days(self) -> list[str]:
        """What somebody would type of its hours, a text a day."""
        return ["" if span is None else "-".join(map(_clock, span)) for span in self.hours or (None,) * DAYS]

    def steps(self) -> str:
        """What somebody would type of its brightness."""
        return ", ".join(f"{hour} {percent}" for hour, percent in self.brightness)

    def json(self) -> dict[str, object]:
        return {
            "hours": [list(span or ()) for span in self.hours],
            "brightness": [list(one) for one in self.brightness],
        }

    def closed_until(self, now: datetime) -> datetime | None:
        """When it plays again; None while it does."""
        if not self.hours:
            return None
        today = now.astimezone(MACAU).date()
        begins = []
        for ahead in range(-1, DAYS + 1):
            day = today + timedelta(days=ahead)
            span = self.hours[day.weekday()]
            if span is None:
                continue
            begin, end = (midnight(day) + timedelta(minutes=minutes) for minutes in span)
            if begin <= now < (end if end > begin else end + timedelta(days=1)):
                return None
            if begin > now:
                begins.append(begin)
        return min(begins)

    def percent(self, now: datetime) -> int:
        """How bright the screen is: as the last hour before now says, today's or yesterday's."""
        if not self.brightness:
            return FULL
        hour = now.astimezone(MACAU).hour
        before = [percent for start, percent in self.brightness if start <= hour]
        return (before or [self.brightness[-1][1]])[-1]


def _span(field: str, text: str) -> tuple[int, int] | None:
    if not text:
        return None
    found = _SPAN.fullmatch(text)
    if found is None:
        raise Refused(field, say("Write it as 10:00-02:00, or leave it empty."))
    begins, begin, ends, end = map(int, found.groups())
    return begins * 60 + begin, ends * 60 + end


def _step(text: str) -> tuple[int, int]:
    found = _STEP.fullmatch(text)
    if found is None or not DARKEST <= int(found[2]) <= FULL:
        least = DARKEST
        raise Refused("brightness", say("Write hours and per cent, as 8 100, 20 70; at least %(least)s.", least=least))
    return int(found[1]), int(found[2])


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
