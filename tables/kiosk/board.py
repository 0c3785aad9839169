"""Kiosks as the pit sees them: what its live pages about them show, read in one go, drawn for page and push alike."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from django.template.loader import render_to_string

from tables.base.calendar import day_begun
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.felt.games import FELTS
from tables.felt.shared.fragments import Fragments
from tables.games.values.words import Words
from tables.models import Event, Kiosk
from tables.pit.board import Buttons
from tables.services.journal.events import KINDS, with_words
from tables.services.kiosk import kiosks
from tables.templatetags.alerts import ShownAlert, bar, open_alerts

from . import statistics as kiosk_statistics
from .statistics import NOTHING, Visits

LAST_EVENTS = 10
"""So many of the last events of a kiosk are told on its page."""


class State(StrEnum):
    """What a kiosk does, or why it does nothing."""

    ATTRACT = "attract"
    PLAY = "play"
    NO_LINE = "no_line"
    LOCKED = "locked"
    NOT_ENROLLED = "not_enrolled"
    RETIRED = "retired"

    @classmethod
    def of(cls, kiosk: Kiosk, now: datetime) -> State:
        if kiosk.retired_at is not None:
            return cls.RETIRED
        if not kiosk.token:
            return cls.NOT_ENROLLED
        if kiosk.locked:
            return cls.LOCKED
        if not kiosks.is_alive(kiosk, now):
            return cls.NO_LINE
        return cls.PLAY if kiosk.showing == kiosks.PLAY else cls.ATTRACT


@dataclass(frozen=True, slots=True)
class Health:
    """What its page said of itself last: words of which the pit draws what the screen shows."""

    version: str = ""
    began_at: datetime | None = None
    size: str = ""
    upright: bool = False
    error: str = ""
    page: str = ""
    game: Words | str = ""
    baize: str = "slate"
    phase: str = ""
    sheet: str = ""
    language: str = ""

    @classmethod
    def of(cls, kiosk: Kiosk) -> Health:
        said = kiosk.health
        sides = [int(side) for side in re.findall(r"\d+", said.get("size", ""))[:2]]
        began, felt = said.get("began", ""), FELTS.get(said.get("game", ""))
        milliseconds = int(began) if began.isascii() and began.isdigit() and len(began) < 15 else 0
        return cls(
            version=said.get("version", ""),
            began_at=datetime.fromtimestamp(milliseconds / 1000, UTC) if milliseconds else None,
            size=said.get("size", ""),
            upright=len(sides) == 2 and sides[1] > sides[0],
            error=said.get("error", ""),
            page=said.get("page", ""),
            game=felt.rules.title if felt else "",
            baize=felt.baize if felt else "slate",
            phase=said.get("phase", ""),
            sheet=said.get("sheet", ""),
            language=said.get("language", ""),
        )


@dataclass(frozen=True, slots=True)
class PitKiosk:
    """One kiosk as the pit sees it.

    `alive`: its screen has a line; `expected`: a screen has been named it and has not begun yet. `figures` are those of
    today.
    """

    kiosk_id: int
    name: str
    place: str
    wallboard: bool
    state: State
    alive: bool
    enrolled: bool
    locked: bool
    expected: bool
    seen_at: datetime | None
    message: str
    group: str
    health: Health
    visitor_id: int | None
    visitor: str
    figures: Visits
    alerts: tuple[ShownAlert, ...]

    @property
    def needs_attention(self) -> bool:
        """Somebody should look at it: an alert is open, or a screen that should have a line has none."""
        return bool(self.alerts) or self.silent

    @property
    def silent(self) -> bool:
        """A screen is this kiosk, and has no line."""
        return not self.alive and self.state in (State.NO_LINE, State.LOCKED)


@dataclass(frozen=True, slots=True)
class KioskPage:
    """What the pit's page of one kiosk shows live: its tile, and what was done with it, newest first."""

    kiosk: PitKiosk
    events: tuple[Event, ...]


# ── Reading ─────────────────────────────────────────────────────────────────────────────────────────────────


def board(*, clock: Clock = DATABASE_CLOCK) -> list[PitKiosk]:
    """Every kiosk by its name, those that are retired last."""
    found = list(Kiosk.objects.select_related("visitor").order_by("name"))
    return _read(sorted(found, key=lambda kiosk: kiosk.retired_at is not None), clock)


def kiosk_page(kiosk_id: int, *, clock: Clock = DATABASE_CLOCK) -> KioskPage:
    """One kiosk. Raises Kiosk.DoesNotExist."""
    (kiosk,) = _read([Kiosk.objects.select_related("visitor").get(pk=kiosk_id)], clock)
    return KioskPage(kiosk, tuple(events_of(kiosk_id, before=None, limit=LAST_EVENTS)))


def events_of(kiosk_id: int, *, before: int | None, limit: int) -> list[Event]:
    """What was done with a kiosk, newest first, before the event with this id."""
    found = Event.objects.filter(deed__in=KIOSK_DEEDS, after__kiosk=kiosk_id).select_related("by", "table", "player")
    return list((found if before is None else found.filter(pk__lt=before)).order_by("-pk")[:limit])


KIOSK_DEEDS = tuple(deed for deed in KINDS if deed.startswith("kiosk_"))
"""The deeds that are about a kiosk; each says in `after` about which."""


def _read(some: list[Kiosk], clock: Clock) -> list[PitKiosk]:
    now = clock.now()
    today = kiosk_statistics.of_kiosks(day_begun(now), now)
    told: dict[int | None, list[ShownAlert]] = {}
    for one in open_alerts():
        told.setdefault(one.kiosk, []).append(one)
    expected = set(Kiosk.objects.filter(pairings__isnull=False).values_list("pk", flat=True))
    return [
        PitKiosk(
            kiosk_id=kiosk.pk,
            name=kiosk.name,
            place=kiosk.place,
            wallboard=kiosk.wallboard,
            state=State.of(kiosk, now),
            alive=kiosks.is_alive(kiosk, now),
            enrolled=bool(kiosk.token),
            locked=kiosk.locked,
            expected=kiosk.pk in expected,
            seen_at=kiosk.seen_at,
            message=kiosk.message or next(iter(kiosk.messages.values()), ""),
            group=kiosk.group,
            health=Health.of(kiosk),
            visitor_id=kiosk.visitor_id,
            visitor=str(kiosk.visitor or ""),
            figures=today.get(kiosk.pk, NOTHING),
            alerts=tuple(told.get(kiosk.pk, ())),
        )
        for kiosk in some
    ]


# ── Drawing ─────────────────────────────────────────────────────────────────────────────────────────────────


def board_fragments(some: Iterable[PitKiosk], *, buttons: Buttons) -> Fragments:
    """All kiosks: fragment id -> HTML, in the active language."""
    some = list(some)
    return {
        **bar(acknowledges=buttons.acknowledges),
        "pit-kiosk-sum": _sum(some),
        **{f"pit-kiosk-{kiosk.kiosk_id}": _tile(kiosk) for kiosk in some},
    }


def kiosk_fragments(page: KioskPage, *, buttons: Buttons) -> Fragments:
    """The page of one kiosk, likewise."""
    deeds = with_words(page.events)
    return {
        **bar(acknowledges=buttons.acknowledges),
        f"pit-kiosk-{page.kiosk.kiosk_id}": _tile(page.kiosk),
        "pit-kiosk-screen": render_to_string("pit/_kiosk_screen.html", {"kiosk": page.kiosk}),
        "pit-kiosk-events": render_to_string("pit/_kiosk_events.html", {"kiosk": page.kiosk, "deeds": deeds}),
    }


def _tile(kiosk: PitKiosk) -> str:
    return render_to_string("pit/_kiosk.html", {"kiosk": kiosk})


def _sum(some: list[PitKiosk]) -> str:
    sums = kiosk_statistics.total(kiosk.figures for kiosk in some)
    return render_to_string("pit/_kiosk_sum.html", {"sums": sums})
