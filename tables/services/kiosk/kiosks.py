"""Kiosks: how the pit makes them and what it tells them; how a screen becomes one, and which of two is the one.

A screen that is none asks for a code and shows it (`ask`); the pit says which kiosk it is (`enrol`); the screen then is
handed its token (`answered`). The token is stored as its SHA-256, bound to the screen, and renewed with each start
(`begin`): a start ends the use before it, and where that was still alive an alert says so. A token that another screen
shows, or one from before the last start, is refused, and an alert says so too.

Each token follows from the one before: a start whose answer is lost, or that is asked for twice, hands out the same
one, whatever comes first. Only the house can tell what follows.

Locks: the kiosk, then its pairing; what a visitor leaves comes after that (docs/concurrency.md).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.crypto import get_random_string, salted_hmac

from tables.base import announce
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, demand
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.money import CREDIT, is_whole_credits
from tables.games.values.words import say
from tables.models import Alert, Event, Kiosk, Pairing, Player, Table
from tables.services.journal import alerts, events

from . import visitors
from .schedule import Schedule

CODE_LETTERS = "ACDEFGHJKMNPQRTUVWXY3479"
"""None that can be taken for another."""

CODE_LENGTH = 6

SECRET_LENGTH = 43
"""Letters and digits of the secret by which a screen waits: 256 bits."""

CODE_GOOD_FOR = timedelta(minutes=15)
"""So long a screen waits with one code; then it shows another."""

HEARTBEAT = timedelta(seconds=5)
"""How often a screen says that it is there."""

ALIVE_FOR = timedelta(seconds=12)
"""After its last message a screen counts as connected for so long."""

SILENT_AFTER = timedelta(minutes=2)
"""A kiosk that is not heard of for so long is silent: its visitor has gone, and the pit is told."""

IDLE = range(15, 601)
"""Seconds without a touch that can be set."""

MOST_CREDITS = 1_000_000 * CREDIT
"""Cents that a visitor gets at most."""

LONGEST_NAME, LONGEST_PLACE, LONGEST_MESSAGE, LONGEST_GROUP = 40, 80, 200, 40
"""Letters of what the pit writes about a kiosk, and on it."""

ATTRACT, PLAY = "attract", "play"
"""What a screen can be showing; nothing, while it is not connected."""


def digest(secret: str) -> str:
    """What is stored of a secret: SHA-256, hexadecimal. They are random and long, so no slow hash is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()


# ── The pit ─────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Setting:
    """What the pit sets for a kiosk; credits in cents. A wallboard needs a name and a language, and has no tables,
    credits or seconds of its own."""

    name: str
    place: str
    tables: Sequence[int]
    languages: Sequence[str]
    credits: int
    idle_seconds: int
    group: str = ""
    wallboard: bool = False

    @classmethod
    def of_wallboard(cls, name: str, place: str, language: str, group: str = "") -> Setting:
        """What the pit sets for a wallboard."""
        return cls(name, place, (), (language,), 0, 0, group, wallboard=True)

    def check(self) -> None:
        """Raise Refused for what cannot be."""
        known = [code for code, _ in settings.LANGUAGES]
        if not self.name.strip():
            raise Refused("name", say("Give it a name."))
        texts = (
            ("name", self.name, LONGEST_NAME),
            ("place", self.place, LONGEST_PLACE),
            ("group", self.group, LONGEST_GROUP),
        )
        for field, text, most in texts:
            if len(text.strip()) > most:
                raise Refused(field, say("At most %(most)s letters.", most=most))
        if not self.languages or not set(self.languages) <= set(known):
            raise Refused("languages", say("Choose at least one of our languages."))
        if self.wallboard:
            return
        if not is_whole_credits(self.credits) or self.credits > MOST_CREDITS:
            raise Refused("credits", say("Give each visitor some credits."))
        if self.idle_seconds not in IDLE:
            raise Refused("idle", say("Ask after %(least)s to %(most)s seconds.", least=IDLE[0], most=IDLE[-1]))
        if Table.objects.filter(pk__in=self.tables).count() != len(set(self.tables)) or not self.tables:
            raise Refused("tables", say("Choose at least one table."))

    def json(self) -> dict[str, object]:
        """For the event log."""
        known = {"name": self.name, "place": self.place, "languages": list(self.languages), "group": self.group}
        if self.wallboard:
            return {**known, "wallboard": True}
        return {**known, "tables": sorted(self.tables), "credits": self.credits, "idle_seconds": self.idle_seconds}


def setting_of(kiosk: Kiosk) -> Setting:
    """How it is set now."""
    tables = list(kiosk.tables.order_by("pk").values_list("pk", flat=True))
    return Setting(
        kiosk.name, kiosk.place, tables, list(kiosk.languages), kiosk.credits, kiosk.idle_seconds, kiosk.group,
        kiosk.wallboard,
    )  # fmt: skip


def make(by: Player, setting: Setting, *, clock: Clock = DATABASE_CLOCK) -> Kiosk:
    """Make a kiosk, which no screen is yet. Raises Refused."""
    demand(by, Right.RUN_KIOSKS)
    setting.check()
    with unit_of_work():
        kiosk = Kiosk(wallboard=setting.wallboard)
        _set(kiosk, setting)
        events.record(Event.Kind.KIOSK_MADE, by=by.pk, after={"kiosk": kiosk.pk, **setting.json()}, clock=clock)
        announce.pit_changed()
        return kiosk


def change(by: Player, kiosk_id: int, setting: Setting, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Change a kiosk's settings; its screen is told, and they hold for the next visitor; a wallboard restarts. Raises
    Refused."""
    demand(by, Right.RUN_KIOSKS)
    setting.check()
    with unit_of_work():
        kiosk = _in_service(kiosk_id)
        if setting.wallboard != kiosk.wallboard:
            raise Refused("", say("A kiosk does not become a wallboard, nor a wallboard a kiosk: make another one."))
        before = setting_of(kiosk).json()
        if kiosk.wallboard:
            kiosk.restarts += 1  # it has no next visitor
        _set(kiosk, setting)
        announce.kiosk_changed(kiosk.pk)
        after = {"kiosk": kiosk.pk, **setting.json()}
        events.record(Event.Kind.KIOSK_CHANGED, by=by.pk, before=before, after=after, clock=clock)


def _set(kiosk: Kiosk, setting: Setting) -> None:
    kiosk.name, kiosk.place = setting.name.strip(), setting.place.strip()
    kiosk.languages, kiosk.credits = list(setting.languages), setting.credits
    kiosk.idle_seconds, kiosk.group = setting.idle_seconds, setting.group.strip()
    try:
        with transaction.atomic():
            kiosk.save()
    except IntegrityError:
        raise Refused("name", say("There is a kiosk of this name already.")) from None
    kiosk.tables.set(setting.tables)


def enrol(by: Player, kiosk_id: int, code: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """The screen that shows this code is this kiosk from now on, and no other that was it. Raises Refused."""
    demand(by, Right.RUN_KIOSKS)
    shown = "".join(letter for letter in code.upper() if letter.isalnum())
    with unit_of_work():
        kiosk = _in_service(kiosk_id)
        pairing = Pairing.objects.select_for_update().filter(code=shown, kiosk=None).first()
        if pairing is None or pairing.asked_at <= clock.now() - CODE_GOOD_FOR:
            raise Refused("code", say("No screen shows this code now."))
        _put_out(kiosk, clock)
        pairing.kiosk = kiosk
        pairing.save(update_fields=["kiosk"])
        events.record(Event.Kind.KIOSK_ENROLLED, by=by.pk, after={"kiosk": kiosk.pk, "name": kiosk.name}, clock=clock)


def unpair(by: Player, kiosk_id: int, why: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """The screen that is this kiosk is none any more: its token is no good. Raises Refused."""

    def out(kiosk: Kiosk) -> None:
        _demand_screen(kiosk)
        _put_out(kiosk, clock)

    _tell(by, kiosk_id, Event.Kind.KIOSK_REVOKED, why, out, clock)


def restart(by: Player, kiosk_id: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Restart the screen. Raises Refused."""

    def again(kiosk: Kiosk) -> None:
        _demand_screen(kiosk)
        kiosk.restarts += 1

    _tell(by, kiosk_id, Event.Kind.KIOSK_RESTARTED, None, again, clock)


def lock(by: Player, kiosk_id: int, why: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Put it out of service: whoever plays there goes, and nobody is let play. Raises Refused."""

    def shut(kiosk: Kiosk) -> None:
        if kiosk.locked:
            raise Refused("", say("It is locked already."))
        kiosk.locked = True
        _empty(kiosk, clock)

    _tell(by, kiosk_id, Event.Kind.KIOSK_LOCKED, why, shut, clock)


def unlock(by: Player, kiosk_id: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Put it into service again. Raises Refused."""

    def open_(kiosk: Kiosk) -> None:
        if not kiosk.locked:
            raise Refused("", say("It is not locked."))
        kiosk.locked = False

    _tell(by, kiosk_id, Event.Kind.KIOSK_UNLOCKED, None, open_, clock)


def show(
    by: Player, kiosk_id: int, message: str, by_language: Mapping[str, str] | None = None, *,
    clock: Clock = DATABASE_CLOCK,
) -> None:  # fmt: skip
    """Put a message on the screen, or take it away with an empty one; `by_language` is what those read instead who
    speak it. Raises Refused."""
    written = {code: text.strip() for code, text in (by_language or {}).items() if text.strip()}
    for field, text in (("message", message), *((f"message_{code}", text) for code, text in written.items())):
        if len(text.strip()) > LONGEST_MESSAGE:
            raise Refused(field, say("At most %(most)s letters.", most=LONGEST_MESSAGE))

    def write(kiosk: Kiosk) -> None:
        kiosk.message, kiosk.messages = message.strip(), written

    _tell(by, kiosk_id, Event.Kind.KIOSK_MESSAGE, None, write, clock)


def plan(by: Player, kiosk_id: int, schedule: Schedule, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Set when it plays and how bright it is. Raises Refused."""

    def write(kiosk: Kiosk) -> None:
        kiosk.hours, kiosk.brightness = schedule.json()["hours"], schedule.json()["brightness"]

    _tell(by, kiosk_id, Event.Kind.KIOSK_SCHEDULE, None, write, clock, **schedule.json())


def for_group(by: Player, group: str, deed: Callable[[int], None]) -> int:
    """Do this for each kiosk of a group that is in service, all of them or none; for how many. One at which there is
    nothing to do, as it is locked already or has no screen, is left as it is. Raises Refused if it is so at all."""
    demand(by, Right.RUN_KIOSKS)
    done, last = 0, Refused("group", say("There is no kiosk in this group."))
    with unit_of_work():
        for kiosk_id in (
            Kiosk.objects.filter(group=group, retired_at=None)
            .exclude(group="")
            .order_by("pk")
            .values_list("pk", flat=True)
        ):
            try:
                with transaction.atomic():
                    deed(kiosk_id)
            except Refused as refusal:
                if refusal.article:  # what was typed is wrong, for all of them
                    raise
                last = refusal
            else:
                done += 1
        if not done:
            raise last
    return done


def retire(by: Player, kiosk_id: int, why: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """There is no such kiosk any more; what it did stays in the books. Raises Refused."""

    def end(kiosk: Kiosk) -> None:
        _put_out(kiosk, clock)
        kiosk.retired_at = clock.now()

    _tell(by, kiosk_id, Event.Kind.KIOSK_RETIRED, why, end, clock)


def _tell(
    by: Player, kiosk_id: int, kind: Event.Kind, why: str | None, do: Callable[[Kiosk], None], clock: Clock,
    **more: object,
) -> None:  # fmt: skip
    """One deed of the pit about one kiosk, written down; `why` is None where no reason is asked for."""
    demand(by, Right.RUN_KIOSKS)
    if why is not None:
        events.check_reason(why)
    with unit_of_work():
        kiosk = _in_service(kiosk_id)
        do(kiosk)
        kiosk.save()
        announce.kiosk_changed(kiosk.pk)
        after = {"kiosk": kiosk.pk, "name": kiosk.name, "message": kiosk.message, **more}
        if kind is Event.Kind.KIOSK_MESSAGE and kiosk.messages:
            after["messages"] = kiosk.messages
        events.record(kind, by=by.pk, why=why or "", after=after, clock=clock)


def _lock(kiosk_id: int) -> Kiosk:
    kiosk = Kiosk.objects.select_for_update().filter(pk=kiosk_id).first()
    if kiosk is None:
        raise Refused("", say("There is no such kiosk."))
    return kiosk


def _in_service(kiosk_id: int) -> Kiosk:
    """The kiosk, locked. Raises Refused for one that is retired."""
    kiosk = _lock(kiosk_id)
    if kiosk.retired_at is not None:
        raise Refused("", say("This kiosk is retired."))
    return kiosk


def _demand_screen(kiosk: Kiosk) -> None:
    """Raise Refused if no screen is this kiosk."""
    if not kiosk.token:
        raise Refused("", say("No screen is enrolled as this kiosk."))


def _put_out(kiosk: Kiosk, clock: Clock) -> None:
    """Unpair the enrolled screen, and cancel any enrolment that waits."""
    _empty(kiosk, clock)
    Pairing.objects.filter(kiosk=kiosk).delete()
    kiosk.token = kiosk.token_before = kiosk.screen = kiosk.showing = ""
    kiosk.enrolled_at = None
    kiosk.use += 1
    kiosk.save()
    announce.kiosk_changed(kiosk.pk)


def _empty(kiosk: Kiosk, clock: Clock) -> None:
    """Whoever plays at this kiosk, its row being locked, goes."""
    visitors.farewell(kiosk.pk, clock=clock)
    kiosk.visitor = None


# ── The screen ──────────────────────────────────────────────────────────────────────────────────────────────


class NotEnrolledError(Exception):
    """This screen is no kiosk, or no longer."""


class ElsewhereError(Exception):
    """Another device with the same token has taken over; the earlier one waits until that device is gone."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A start of a kiosk's device: the token to keep from now on, and which use of the kiosk this is."""

    kiosk: Kiosk
    token: str
    use: int


def ask(screen: str, *, clock: Clock = DATABASE_CLOCK) -> tuple[str, str]:
    """A screen wants to become a kiosk: the code that it is to show, and the secret by which it asks on."""
    secret, now = get_random_string(SECRET_LENGTH), clock.now()
    with unit_of_work():
        Pairing.objects.filter(asked_at__lte=now - CODE_GOOD_FOR).delete()
        while True:
            code = get_random_string(CODE_LENGTH, CODE_LETTERS)
            if not Pairing.objects.filter(code=code).exists():
                break
        Pairing.objects.create(code=code, secret=digest(secret), screen=digest(screen), asked_at=now)
    return code, secret


def answered(secret: str, screen: str, *, clock: Clock = DATABASE_CLOCK) -> Begun | None:
    """What the pit has said to a screen that waits: None as long as it has said nothing.

    Asked again because the answer was lost, it is answered again, until a token has been shown. Raises NotEnrolledError
    if nobody waits by this secret any more: then the screen has to ask for a new code.
    """
    now = clock.now()
    waiting = Pairing.objects.filter(secret=digest(secret), screen=digest(screen), asked_at__gt=now - CODE_GOOD_FOR)
    with unit_of_work():
        meant = waiting.first()
        if meant is None:
            raise NotEnrolledError
        if meant.kiosk_id is None:
            return None
        kiosk = _lock(meant.kiosk_id)
        if not waiting.filter(kiosk=kiosk).exists():  # the pit has thought better of it, or means another screen
            raise NotEnrolledError
        if is_alive(kiosk, now):
            _used_twice(kiosk, now)
        kiosk.screen, kiosk.enrolled_at = digest(screen), now
        return _begun(kiosk, _following(kiosk, secret), clock)


def begin(token: str, screen: str, last_use: int | None, *, clock: Clock = DATABASE_CLOCK) -> Begun:
    """A device starts with this token, and ends whatever use of it there was; its visitor goes.

    `last_use` is what the device remembers of its last start: one that goes on from there is no second one. Raises
    NotEnrolledError if the token is not good, or another screen's; ElsewhereError to the one that a second one has
    ended, as long as that is there: the two do not end each other for ever.
    """
    now, shown, bound = clock.now(), digest(token), digest(screen)
    with unit_of_work():
        enrolled = Kiosk.objects.select_for_update().exclude(token="")
        kiosk = enrolled.filter(Q(token=shown) | Q(token_before=shown)).first()
        good = kiosk is not None and kiosk.screen == bound
        kiosk = kiosk or enrolled.filter(screen=bound).first()  # one that holds a token which is over
        if kiosk is None:
            raise NotEnrolledError
        alive = is_alive(kiosk, now)
        ended = good and alive and last_use is not None and last_use < kiosk.use
        if not good or (alive and last_use != kiosk.use):
            _used_twice(kiosk, now, asking=ended)
        if good and not ended:
            Pairing.objects.filter(kiosk=kiosk).delete()
            kiosk.token_before = shown
            return _begun(kiosk, _following(kiosk, token), clock)
    raise ElsewhereError if ended else NotEnrolledError  # outside, so that the alert stays


def _used_twice(kiosk: Kiosk, now: datetime, *, asking: bool = False) -> None:
    """The pit is told; of one that keeps `asking` to be let in again, once for each use that keeps it out."""
    key, about = f"{Alert.Kind.KIOSK_TWICE}:{kiosk.pk}", {"kiosk": kiosk.name}
    if asking and not alerts.is_open(key):
        key = f"{key}:{kiosk.use}"
        if alerts.is_known(key):
            return
    alerts.raise_alert(Alert.Kind.KIOSK_TWICE, key, at=now, about=about)


def _following(kiosk: Kiosk, token: str) -> str:
    """The token after this one (the first one after the secret by which its screen waited)."""
    return salted_hmac("tables.kiosk", f"{kiosk.pk}:{token}", algorithm="sha256").hexdigest()


def _begun(kiosk: Kiosk, token: str, clock: Clock) -> Begun:
    """The device of this kiosk holds this token from now on, and the kiosk's next use begins."""
    _empty(kiosk, clock)
    kiosk.token = digest(token)
    kiosk.use += 1
    kiosk.seen_at, kiosk.showing = clock.now(), ""
    kiosk.save()
    announce.kiosk_changed(kiosk.pk)
    return Begun(kiosk, token, kiosk.use)


def in_use(kiosk_id: int, use: int) -> Kiosk | None:
    """The kiosk, if this screen session is the current one; None if the screen has to restart."""
    return Kiosk.objects.filter(pk=kiosk_id, use=use, retired_at=None).exclude(token="").first()


def is_alive(kiosk: Kiosk, now: datetime) -> bool:
    """Whether its screen is connected; of one that was cut off nobody knows for a while."""
    return kiosk.showing != "" and kiosk.seen_at is not None and kiosk.seen_at > now - ALIVE_FOR


def hear(
    kiosk_id: int, use: int, showing: str, health: Mapping[str, str] | None = None, *, clock: Clock = DATABASE_CLOCK
) -> Kiosk | None:
    """Note that a screen is there, what it shows, and what its page says of itself. Returns the kiosk, or None if the
    screen has to restart."""
    assert showing in (ATTRACT, PLAY), showing
    with unit_of_work():
        kiosk = in_use(kiosk_id, use)
        if kiosk is None:
            return None
        before = kiosk.showing, kiosk.health
        kiosk.seen_at, kiosk.showing = clock.now(), showing
        kiosk.health = kiosk.health if health is None else dict(health)
        heard = {"seen_at": kiosk.seen_at, "showing": showing, "health": kiosk.health}
        if not Kiosk.objects.filter(pk=kiosk_id, use=use).update(**heard):
            return None
        if before != (showing, kiosk.health):
            announce.pit_changed()
        return kiosk


def gone(kiosk_id: int, use: int, *, heard_at: datetime | None = None) -> None:
    """The connection of a screen has closed, which was heard last at `heard_at` (the kiosk's `seen_at` then).

    As one page goes to the next, a new connection may be open before the old one is closed: then the screen
    is still there.
    """
    with unit_of_work():
        there = Kiosk.objects.filter(pk=kiosk_id, use=use).exclude(showing="")
        if (there if heard_at is None else there.filter(seen_at=heard_at)).update(showing=""):
            announce.pit_changed()


def look(*, clock: Clock = DATABASE_CLOCK) -> None:
    """Look after kiosks: one that is silent has no visitor any more, and the pit is told; what came to those who have
    gone goes back."""
    for kiosk in Kiosk.objects.exclude(token="").filter(seen_at__lte=clock.now() - SILENT_AFTER).order_by("pk"):
        if kiosk.visitor_id is not None or not alerts.is_known(_silence_of(kiosk)):
            _found_silent(kiosk, clock)
    now = clock.now()
    for kiosk in Kiosk.objects.exclude(visitor=None).exclude(hours=[]).order_by("pk"):
        if Schedule.of(kiosk).closed_until(now) is not None:
            visitors.farewell(kiosk.pk, clock=clock)
    visitors.sweep(clock=clock)


def _silence_of(kiosk: Kiosk) -> str:
    """The key of the alert that a kiosk is silent, since it was heard last."""
    return f"{Alert.Kind.KIOSK_SILENT}:{kiosk.pk}:{kiosk.seen_at.isoformat() if kiosk.seen_at else ''}"


def _found_silent(found: Kiosk, clock: Clock) -> None:
    with unit_of_work():
        kiosk = _lock(found.pk)
        if (kiosk.token, kiosk.seen_at) != (found.token, found.seen_at) or kiosk.seen_at is None:
            return  # it has spoken meanwhile, or is none any more
        visitors.farewell(kiosk.pk, clock=clock)
        if not alerts.is_known(key := _silence_of(kiosk)):
            about = {"kiosk": kiosk.name, "since": kiosk.seen_at.isoformat()}
            alerts.raise_alert(Alert.Kind.KIOSK_SILENT, key, at=clock.now(), about=about)


def shown_at(kiosk: Kiosk) -> Collection[Table]:
    """The open tables of its playlist, in the order of the lobby."""
    return list(kiosk.tables.filter(open=True).order_by("position", "pk"))
