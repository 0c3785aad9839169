"""What a deed of the staff has changed, in the reader's language: things by their names, amounts in credits, moments in
Macau's time."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from itertools import groupby
from typing import Any, TypeAlias

from django.conf import settings
from django.utils import timezone
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.translation import gettext as _

from tables.felt.formatting import credits_of, listed, number, text_of
from tables.games import GAMES
from tables.games.shared.options import options_json, options_of, read_value
from tables.games.values.words import Words, say
from tables.models import Alert, Event, OwnLimit, Player, Restriction, Review, Role, Table
from tables.services.journal import alerts
from tables.services.journal.alert_words import BOOKS, REQUESTS
from tables.services.pit import halts
from tables.services.pit.deeds import DEEDS

from .option_forms import in_words, limits_in_words

Change: TypeAlias = tuple[str, str, str]
"""What it is, what it was, and what it is now; empty where there was nothing, or is nothing now."""

NAMES: Mapping[str, Words] = {
    "address": say("Address"),
    "adjustment": say("Adjustment"),
    "article": say("Article"),
    "asked": say("Asked for"),
    "authorisation": say("Authorisation"),
    "big_bet": say("Big bet"),
    "big_win": say("Big win"),
    "books": say("Does not agree"),
    "box": say("Box"),
    "brightness": say("Brightness"),
    "bytes": say("Bytes"),
    "carried": say("Stays on the layout"),
    "cents": say("Amount"),
    "cents_later": say("Amount later"),
    "change": say("Change"),
    "changes_at": say("From"),
    "closing": say("Closing"),
    "commission": say("Commission"),
    "counted": say("Counted before"),
    "credits": say("Credits"),
    "email": say("E-mail"),
    "fallen": say("Fallen back"),
    "file": say("File"),
    "fills": say("Fills"),
    "float": say("Float"),
    "fresh shoe": say("Fresh shoe"),
    "game": say("Game"),
    "group": say("Group"),
    "guest": say("Guest"),
    "holds_from": say("Holds from"),
    "hours": say("Hours"),
    "idle_seconds": say("Seconds until it asks"),
    "irregularity": say("Irregularity"),
    "jackpot": say("Jackpot"),
    "kind": say("Kind"),
    "kiosk": say("Kiosk"),
    "lines": say("Entries"),
    "languages": say("Languages"),
    "message": say("Message"),
    "minutes": say("Minutes"),
    "minutes_later": say("Minutes later"),
    "name": say("Name"),
    "note": say("Note"),
    "number": say("Number"),
    "opened": say("Opened with"),
    "opening": say("Float before"),
    "order": say("Chip order"),
    "outcome": say("Outcome"),
    "paused": say("Paused"),
    "phase": say("Phase"),
    "place": say("Place"),
    "planned_for": say("Planned for"),
    "printed": say("Times printed"),
    "public_key": say("Public key"),
    "realm": say("Played with"),
    "reason": say("Reason"),
    "reference": say("Reference"),
    "request": say("Request"),
    "returned": say("Returned"),
    "review": say("Review"),
    "rounds": say("Rounds"),
    "ruled by": say("Ruled by"),
    "state": say("State"),
    "step": say("Step"),
    "submitted_on": say("Filed on"),
    "tables": say("Tables"),
    "taken_back": say("Taken back"),
    "until": say("Until"),
    "void": say("Round void"),
    "voids": say("Void rounds"),
    "wallboard": say("Wallboard"),
    "win": say("Win"),
}
"""The things that events keep, in words. One that is not here is shown by the name under which it is kept."""

FIRST = ("adjustment", "change", "order", "request", "review", "kind")
"""The things that say what a deed is about: they stand before all others."""

STATES: Mapping[str, Words] = {
    "adopted": say("adopted"),
    "approved": say("approved"),
    "confirmed": say("confirmed"),
    "draft": say("a draft"),
    "given": say("given"),
    "refused": say("refused"),
    "requested": say("requested"),
    "submitted": say("submitted"),
    "waiting": say("waiting"),
    "withdrawn": say("taken back"),
}

CLOSINGS: Mapping[str, Words] = {
    "": say("no"),
    "now": say("at once"),
    "round": say("after the round"),
    "shoe": say("at the end of the shoe"),
}

CHIPS: Mapping[str, Words] = {"fill": say("Fill"), "credit": say("Credit slip")}

REALMS: Mapping[str, Words] = {"FLOOR": say("players' own chips"), "KIOSKS": say("demo credits, at kiosks")}


def changes(event: Event) -> list[Change]:
    """What this deed has changed; what is the same as before is left out."""
    if event.deed == Event.Kind.ACKNOWLEDGED:
        return [_alert(event.after or {})]
    before, after = (
        one if isinstance(one, dict) else {} if one is None else {"": one} for one in (event.before, event.after)
    )
    found, told = _options(event, before, after)
    for name in sorted({*before, *after}, key=_place):
        if name not in told and (name not in before or name not in after or before[name] != after[name]):
            was, becomes = (_value(event.deed, name, one) for one in (before, after))
            found.append((text_of(NAMES[name]) if name in NAMES else name.replace("_", " "), was, becomes))
    return [(name, was, becomes) for name, was, becomes in found if was != becomes]


def _place(name: str) -> tuple[int, str]:
    """Where a thing stands among others. PostgreSQL keeps no order of its own."""
    return FIRST.index(name) if name in FIRST else len(FIRST), name


def _alert(after: Mapping[str, Any]) -> Change:
    """The alert that was acknowledged; the first part of its key is its kind."""
    kind = Alert.Kind(after["key"].split(":")[0])
    return text_of(alerts.KINDS[kind]), "", text_of(alerts.words_of(Alert(kind=kind, about=dict(after))))


def _options(event: Event, before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[list[Change], set[str]]:
    """Limits, times and house options; of a table that opens, what is not the default. And which names these were."""
    slug = event.table.game if event.table is not None else after.get("game", "")
    if slug not in GAMES:
        return [], set()
    game = GAMES[slug]
    if event.deed == Event.Kind.LIMITS:
        return limits_in_words(game, event), {"limits", "times"}
    opens = event.deed == Event.Kind.TABLE_OPENED
    defaults = options_json(game.options()) if opens else {}
    found, options = [], after.get("options", {})
    for name, about in options_of(game.options).items():
        if name in options and not (opens and defaults.get(name) == options[name]):
            was, becomes = (
                in_words(game, name, read_value(game.options, name, one[name])) if name in one else ""
                for one in (before, options)
            )
            found.append((text_of(about.says), was, becomes))
    return found, {"options", *options, *({"times"} if opens else ())}


# ── One value ───────────────────────────────────────────────────────────────────────────────────────────────


def _value(deed: str, name: str, said: Mapping[str, Any]) -> str:
    """One value as a person reads it; as JSON if nobody knows what it is."""
    value = said.get(name)
    if value is None:
        return ""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if name == "kind":
        return _kind(deed, value)
    if name == "asked":
        return text_of(DEEDS[said["kind"]](**value).says())
    if name in WRITERS:
        return WRITERS[name](value)
    if isinstance(value, str):
        return str(Role(value).label) if not name and value in Role.values else value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _kind(deed: str, value: str) -> str:
    if value in REQUESTS and deed.startswith("request"):
        return text_of(REQUESTS[value])
    if value in CHIPS:
        return text_of(CHIPS[value])
    if value in OwnLimit.Kind.values:
        return str(OwnLimit.Kind(value).label)
    return str(Restriction.Kind(value).label) if value in Restriction.Kind.values else value


def _sum(value: Mapping[str, int]) -> str:
    return credits_of(sum(value.values()))


def _closing(value: str | int) -> str:
    return credits_of(value) if isinstance(value, int) else text_of(CLOSINGS[value])


def _moment(value: str) -> str:
    return f"{timezone.localtime(datetime.fromisoformat(value)):%Y-%m-%d %H:%M:%S}"


def _tables(value: list[int]) -> str:
    return listed(list(Table.objects.filter(pk__in=value).order_by("position", "pk").values_list("name", flat=True)))


def _hours(value: list[list[int] | None]) -> str:
    """When a kiosk plays, Monday first; days that follow one another with the same hours are told once."""
    days = [f"{_clock(day[0])}–{_clock(day[1])}" if day else "–" for day in value]
    week = [str(WEEKDAYS_ABBR[number]) for number in range(7)]
    parts, at = [], 0
    for hours, same in groupby(days):
        last = at + len(list(same)) - 1
        parts.append(f"{week[at]}–{week[last]} {hours}" if last > at else f"{week[at]} {hours}")
        at = last + 1
    return listed(parts)


def _clock(minutes: int) -> str:
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"


def _brightness(value: list[list[int]]) -> str:
    return listed([f"{hour:02}:00 {number(percent)} %" for hour, percent in value])


def _reason(value: str) -> str:
    return str(Review.Reason(value).label) if value in Review.Reason.values else value


def _player(value: int) -> str:
    return str(Player.objects.get(pk=value))


def _in(words: Mapping[str, Words]) -> Callable[[str], str]:
    return lambda value: text_of(words[value]) if value in words else value


WRITERS: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(
        (
            "big_bet",
            "big_win",
            "cents",
            "cents_later",
            "commission",
            "counted",
            "credits",
            "fills",
            "float",
            "opened",
            "opening",
            "win",
        ),
        credits_of,
    ),
    **dict.fromkeys(("carried", "returned", "taken_back"), _sum),
    **dict.fromkeys(
        (
            "adjustment",
            "authorisation",
            "box",
            "bytes",
            "change",
            "idle_seconds",
            "kiosk",
            "lines",
            "minutes",
            "minutes_later",
            "order",
            "request",
            "review",
            "rounds",
            "voids",
        ),
        number,
    ),
    "books": _in(BOOKS),
    "brightness": _brightness,
    "changes_at": _moment,
    "closing": _closing,
    "fallen": listed,
    "game": lambda value: text_of(halts.words_of(value)),
    "hours": _hours,
    "languages": lambda value: listed([dict(settings.LANGUAGES).get(code, code) for code in value]),
    "outcome": lambda value: str(Review.Outcome(value).label),
    "realm": _in(REALMS),
    "reason": _reason,
    "ruled by": _player,
    "state": _in(STATES),
    "tables": _tables,
    "until": _moment,
}
