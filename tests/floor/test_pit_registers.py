"""The registers and the watch list, notes and bookmarks of the staff, and the queue of the reported chat."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.test import Client

from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right
from tables.models import Alert, ChatLine, Event, PitNote, Player, Restriction, RoundLog, Watch
from tables.services.pit import notes, sanctions, watches
from tables.services.pit.notes import LONGEST_NOTE
from tables.services.players import chat, play_time
from tables.services.rounds import breaks
from tests.house.kit import House

from .pit_kit import browser, browser_of, member, those_who_may
from .test_pit_people import played

pytestmark = pytest.mark.django_db


@pytest.fixture
def eye() -> Player:
    return member("surveillance")


@pytest.fixture
def today(house: House) -> House:
    """A house of this very day, as the pages ask the database what time it is."""
    house.clock.at = DATABASE_CLOCK.now()
    return house


def said(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return words(answer.content.decode())


def words(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", html.split("<main")[1]).split())


def part(html: str, begin: str, end: str) -> str:
    return html.split(begin)[1].split(end)[0]


# ── The watch list ──────────────────────────────────────────────────────────────────────────────────────────


def test_the_pit_is_alerted_as_a_watched_player_comes_in(today: House, eye: Player) -> None:
    ana, rui = today.player("ana"), today.player("rui")
    client = browser_of(eye)
    client.post(f"/pit/people/{ana.pk}/watch/", {"why": "counts cards"})
    assert not Alert.objects.exists()
    play_time.seen([ana.pk, rui.pk], today.clock.at)
    alert = Alert.objects.get()
    assert (alert.kind, alert.about["player"]) == ("watched", ana.pk)
    told = client.get("/pit/").content.decode()
    assert "Ana is here: counts cards" in told and f'href="/pit/people/{ana.pk}/"' in told
    today.clock.pass_(minutes=20)
    play_time.seen([ana.pk], today.clock.at)
    assert Alert.objects.count() == 1, "she is here all the time"
    Alert.objects.update(acknowledged_by=eye, acknowledged_at=today.clock.at)
    today.clock.pass_(minutes=20)
    play_time.seen([ana.pk], today.clock.at)
    assert Alert.objects.count() == 1
    today.clock.pass_(minutes=31)
    play_time.seen([ana.pk], today.clock.at)
    assert Alert.objects.count() == 2, "she has come again"


def test_nobody_hears_of_it_who_is_not_of_the_staff(today: House, eye: Player) -> None:
    ana = today.player("ana")
    watches.watch(eye, ana.pk, "counts cards", clock=today.clock)
    client = browser_of(ana)
    for path in ("/", "/account/", "/safely/", "/history/"):
        assert "counts cards" not in client.get(path).content.decode()


def test_a_watch_is_ended_with_a_reason_and_then_nobody_is_told(today: House, eye: Player) -> None:
    ana, client = today.player("ana"), browser_of(eye)
    found = watches.watch(eye, ana.pk, "counts cards", clock=today.clock)
    assert "counts cards" in said(client, "/pit/registers/") and "counts cards" in said(
        client, f"/pit/people/{ana.pk}/"
    )
    assert "Give a reason." in words(client.post(f"/pit/watches/{found.pk}/end/", follow=True).content.decode())
    client.post(f"/pit/watches/{found.pk}/end/", {"why": "somebody else"})
    assert "Nobody is watched." in said(client, "/pit/registers/")
    play_time.seen([ana.pk], today.clock.at)
    assert not Alert.objects.exists()
    deeds = Event.objects.filter(player=ana).order_by("seq").values_list("deed", "why")
    assert list(deeds) == [("watched", "counts cards"), ("watch_ended", "somebody else")]


def test_who_cannot_be_watched(today: House, eye: Player) -> None:
    ana = today.player("ana")
    refused = today.refused
    refused(partial(watches.watch, eye, ana.pk, " ", clock=today.clock))
    refused(partial(watches.watch, eye, member("cage").pk, "x", clock=today.clock))
    found = watches.watch(eye, ana.pk, "x", clock=today.clock)
    refused(partial(watches.watch, eye, ana.pk, "x", clock=today.clock))
    with pytest.raises(IntegrityError), transaction.atomic():
        Watch.objects.create(player=ana, why="x", by=eye, at=today.clock.at)
    watches.end(eye, found.pk, "over", clock=today.clock)
    refused(partial(watches.end, eye, found.pk, "over", clock=today.clock))
    refused(partial(watches.watch, member("cage", "c2"), ana.pk, "x", clock=today.clock))


# ── The registers ───────────────────────────────────────────────────────────────────────────────────────────


def test_the_register_tells_the_house_s_restrictions_from_those_of_players(today: House) -> None:
    ana, rui, lin = (today.player(name) for name in ("ana", "rui", "lin"))
    manager = member("shift_manager")
    sanctions.restrict(manager, rui.pk, "exclusion", "he threw chips", clock=today.clock)
    over = sanctions.restrict(
        manager, lin.pk, "mute", "rude", until=today.clock.at + timedelta(minutes=1), clock=today.clock
    )
    Restriction.objects.filter(pk=over.pk).update(
        at=today.clock.at - timedelta(days=2), until=today.clock.at - timedelta(days=1)
    )
    own = breaks.exclude_oneself(ana.pk, next(iter(breaks.EXCLUSIONS)), clock=today.clock)
    html = browser("surveillance").get("/pit/registers/").content.decode()
    by_themselves = words("<main" + part(html, 'id="own-title"', "</section>"))
    by_the_house = words("<main" + part(html, 'id="restricted-title"', "</section>"))
    assert "Ana self-exclusion" in by_themselves and "Rui" not in by_themselves
    assert "Rui no playing for good he threw chips" in by_the_house and "Ana" not in by_the_house
    assert "Lin" not in html.split("<main")[1], "that is over"
    boss = browser_of(manager)
    assert "/lift/" not in boss.get(f"/pit/people/{ana.pk}/").content.decode()
    boss.post(f"/pit/restrictions/{own.pk}/lift/", {"why": "please"})
    own.refresh_from_db()
    assert own.lifted_at is None, "nobody lifts a self-exclusion"


# ── Notes ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_bookmark_stands_in_the_replay_and_leads_to_its_step(house: House, eye: Player) -> None:
    log, ana = played(house)
    client = browser_of(eye)
    page = client.get(f"/pit/rounds/{log.pk}/?step=3").content.decode()
    assert 'name="seq" value="3"' in page
    client.post(
        "/pit/notes/write/",
        {"text": "A late hand <here>", "round": log.pk, "seq": "3", "next": f"/pit/rounds/{log.pk}/?step=3"},
    )
    again = client.get(f"/pit/rounds/{log.pk}/").content.decode()
    assert "A late hand &lt;here&gt;" in again and f"/pit/rounds/{log.pk}/?step=3" in again
    note = PitNote.objects.get()
    assert (note.kind, note.seq, note.log, note.table, note.by) == ("bookmark", 3, log, log.table, eye)
    assert "A late hand" in said(client, "/pit/notes/") and "A late hand" in said(client, "/pit/tables/jade/")
    own = browser_of(ana).get(f"/rounds/{log.pk}/").content.decode()
    assert "A late hand" not in own, "no player reads notes"
    event = Event.objects.get(deed=Event.Kind.NOTED)
    assert (event.why, event.log, event.after) == ("A late hand <here>", log, {"note": note.pk, "step": 3})


def test_an_incident_is_of_a_table_or_a_player_and_is_found(house: House) -> None:
    house.table()
    ana, boss = house.player("ana"), browser("pit_boss")
    boss.post("/pit/notes/write/", {"text": "A drink was spilt", "table": "jade"})
    boss.post("/pit/notes/write/", {"text": "Asked for a review", "player": ana.pk})
    assert "A drink was spilt" in said(boss, "/pit/tables/jade/")
    assert "Asked for a review" in said(boss, f"/pit/people/{ana.pk}/")
    for asked, found in (
        ("q=DRINK", {"A drink"}), ("table=jade", {"A drink"}), (f"player={ana.pk}", {"Asked"}),
        ("kind=bookmark", set()), ("kind=nonsense", {"A drink", "Asked"}), ("", {"A drink", "Asked"}),
    ):  # fmt: skip
        page = said(boss, f"/pit/notes/?{asked}")
        assert {text for text in ("A drink", "Asked") if text in page} == found, asked


def test_what_is_no_note_is_refused(house: House, eye: Player) -> None:
    log, _ana = played(house)
    table = house.table("lotus")
    house.until(table, "betting")
    running = house.log(table)
    for wrong in (
        {"text": "  "}, {"text": "x" * (LONGEST_NOTE + 1)}, {"text": "x", "seq": 1}, {"text": "x", "log": 10**9},
        {"text": "x", "log": log.pk, "seq": log.version + 1}, {"text": "x", "log": log.pk, "seq": -1},
        {"text": "x", "log": running.pk, "seq": 0}, {"text": "x", "table": 10**9}, {"text": "x", "player": eye.pk},
    ):  # fmt: skip
        house.refused(partial(notes.write, eye, clock=house.clock, **wrong))
    client = browser_of(eye)
    for typed in (
        {"text": ""},
        {"text": "x", "table": "none"},
        {"text": "x", "player": "²"},
        {"text": "x", "round": "0"},
    ):
        told = client.post("/pit/notes/write/", {**typed, "next": "/pit/notes/"}, follow=True).content.decode()
        assert "notice" in told and "The note is written." not in told
    assert not PitNote.objects.exists()
    assert RoundLog.objects.count() == 2


def test_a_note_is_never_changed(house: House, eye: Player) -> None:
    note = notes.write(eye, "as it was", clock=house.clock)
    for deed in (
        lambda: PitNote.objects.filter(pk=note.pk).update(text="as it should have been"),
        lambda: PitNote.objects.filter(pk=note.pk).delete(),
    ):
        with pytest.raises(DatabaseError, match="insert-only"), transaction.atomic():
            deed()


def test_who_may_not_write_reads_alone(house: House) -> None:
    log, ana = played(house)
    assert those_who_may(Right.NOTE) == {"pit_boss", "shift_manager", "surveillance"}
    client = browser("cage")
    for path in ("/pit/notes/", "/pit/tables/jade/", f"/pit/people/{ana.pk}/", f"/pit/rounds/{log.pk}/"):
        assert "/pit/notes/write/" not in client.get(path).content.decode()
    house.refused(partial(notes.write, member("cage", "other"), "x", clock=house.clock))


# ── The queue of the chat ───────────────────────────────────────────────────────────────────────────────────


def reported(house: House) -> tuple[Player, Alert]:
    """Bruno has said something among other lines, and two have reported it."""
    table, ana, bruno = house.table(), house.player("ana"), house.player("bruno")
    for number in range(14):
        chat.speak(ana.pk, table.pk, f"a{number}", f"line {number}", clock=house.clock)
        house.clock.pass_(seconds=20)
        if number == 7:
            chat.speak(bruno.pk, table.pk, "b", "you play like a fool", clock=house.clock)
    line = ChatLine.objects.get(player=bruno)
    for name, reason in ((ana, "rude"), (house.player("carla"), "other")):
        chat.report(name.pk, table.pk, line.pk, reason, clock=house.clock)
    return bruno, Alert.objects.get(kind="report")


def test_a_reported_line_stands_with_those_around_it_and_its_reasons(house: House) -> None:
    reported(house)
    page = said(browser("surveillance"), "/pit/moderation/")
    around = [f"line {number}" for number in range(14) if f"line {number} " in f"{page} "]
    assert around == [f"line {number}" for number in range(3, 13)], "five before and five after"
    assert "you play like a fool" in page
    assert "Reported by Ana : insults or threatens" in page and "Reported by Carla : something else" in page
    assert "Reported chat 1" in said(browser("cage"), "/pit/people/")


def test_once_the_chat_is_forgotten_the_line_itself_is_kept(house: House) -> None:
    reported(house)
    ChatLine.objects.all().delete()
    page = said(browser("surveillance"), "/pit/moderation/")
    assert "you play like a fool" in page and "What was said around it is no longer kept." in page


def test_one_touch_bars_the_author_for_a_day_and_settles_the_alert(today: House) -> None:
    bruno, alert = reported(today)
    boss = member("pit_boss")
    client = browser_of(boss)
    told = words(client.post(f"/pit/moderation/{alert.pk}/", {"mute": "1"}, follow=True).content.decode())
    assert "The player is barred from the chat for a day." in told and "Nothing waits." in told
    mute = Restriction.objects.get()
    assert (mute.kind, mute.player, mute.by) == ("mute", bruno, boss)
    assert mute.until is not None
    assert timedelta(0) <= mute.at - (mute.until - timedelta(days=1)) < timedelta(minutes=1)
    assert "you play like a fool – insults or threatens" in mute.why
    alert.refresh_from_db()
    assert alert.acknowledged_by == boss
    again = words(client.post(f"/pit/moderation/{alert.pk}/", {"mute": "1"}, follow=True).content.decode())
    assert "has acknowledged it already" in again and Restriction.objects.count() == 1


def test_or_nothing_is_done_and_it_is_handled(house: House) -> None:
    _bruno, alert = reported(house)
    client = browser("pit_boss")
    told = words(client.post(f"/pit/moderation/{alert.pk}/", follow=True).content.decode())
    assert "Handled. Nobody is barred." in told and not Restriction.objects.exists()
    assert "Looked at last Bruno : you play like a fool" in told


def test_only_who_may_warn_moderates(house: House) -> None:
    _bruno, alert = reported(house)
    for role in ("surveillance", "cage"):
        client = browser(role)
        assert "Nothing to be done" not in said(client, "/pit/moderation/")
        assert client.post(f"/pit/moderation/{alert.pk}/").status_code == 403
    other = Alert.objects.create(kind="low", key="low:1", at=house.clock.at)
    assert browser("shift_manager").post(f"/pit/moderation/{other.pk}/").status_code == 404
