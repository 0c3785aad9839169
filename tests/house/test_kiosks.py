"""Kiosks: how the pit makes them, how a screen becomes one, and which of two is the one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from tables.base.rights import Right
from tables.felt.formatting import text_of
from tables.games.contract.errors import Refused
from tables.models import Alert, Event, Kiosk, Pairing, Player, Realm
from tables.services.journal import alerts
from tables.services.kiosk import kiosks, visitors
from tables.services.kiosk.kiosks import (
    ALIVE_FOR,
    ATTRACT,
    CODE_GOOD_FOR,
    CODE_LENGTH,
    CODE_LETTERS,
    HEARTBEAT,
    PLAY,
    SILENT_AFTER,
    NotEnrolledError,
    digest,
)
from tables.services.kiosk.schedule import Schedule
from tests.floor.pit_kit import ROLES, member, those_who_may

from .kiosk_kit import Screen, boss, enrolled, in_service, setting, visitor
from .kit import House
from .processes import Halt, running, together, until, waiting_for_locks

MOMENT = timedelta(microseconds=1)


def made(house: House, **how: Any) -> Kiosk:
    """A kiosk that no screen is yet."""
    return kiosks.make(boss(), setting(house.table("garden", realm=Realm.KIOSKS), **how), clock=house.clock)


def said(house: House, deed: Callable[[], object]) -> str:
    """What the house says when it refuses this."""
    return text_of(house.refused(deed).words)


def open_alerts() -> list[tuple[str, str]]:
    """The alerts that nobody has acknowledged: of what kind, and about which kiosk."""
    return [(one.kind, one.about["kiosk"]) for one in Alert.objects.filter(acknowledged_at=None).order_by("pk")]


def deeds() -> list[str]:
    return list(Event.objects.order_by("seq").values_list("deed", flat=True))


def fresh(kiosk: Kiosk) -> Kiosk:
    return Kiosk.objects.get(pk=kiosk.pk)


# ── Made by the pit ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_kiosk_is_made_as_it_is_set_and_is_written_down(house: House) -> None:
    kiosk = made(house)
    assert kiosks.setting_of(kiosk) == setting(*kiosk.tables.all())
    assert (kiosk.token, kiosk.use, kiosk.visitor) == ("", 0, None)
    event = Event.objects.get()
    assert (event.deed, event.by) == ("kiosk_made", boss())
    assert event.after == {"kiosk": kiosk.pk, **setting(*kiosk.tables.all()).json()}


def test_it_is_set_anew_and_both_are_written_down(house: House) -> None:
    kiosk = made(house)
    other = house.table("temple", realm=Realm.KIOSKS)
    kiosks.change(boss(), kiosk.pk, setting(other, name="Bar", credits=5), clock=house.clock)
    assert kiosks.setting_of(fresh(kiosk)) == setting(other, name="Bar", credits=5)
    event = Event.objects.latest("seq")
    assert event.deed == "kiosk_changed"
    assert (event.before or {}).get("name") == "Lobby" and (event.after or {}).get("name") == "Bar"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": "  "}, "name"),
        ({"name": "x" * 41}, "name"),
        ({"place": "x" * 81}, "place"),
        ({"languages": []}, "languages"),
        ({"languages": ["en", "xx"]}, "languages"),
        ({"credits": 0}, "credits"),
        ({"credits": -100}, "credits"),
        ({"credits": 150}, "credits"),
        ({"credits": kiosks.MOST_CREDITS + 100}, "credits"),
        ({"idle_seconds": 14}, "idle"),
        ({"idle_seconds": 601}, "idle"),
        ({"tables": []}, "tables"),
        ({"tables": [0]}, "tables"),
    ],
)
def test_what_cannot_be_set_is_refused(house: House, wrong: dict[str, Any], field: str) -> None:
    kiosk = made(house)
    given = replace(setting(*kiosk.tables.all(), name="Bar"), **wrong)
    assert house.refused(partial(kiosks.make, boss(), given, clock=house.clock)).article == field
    assert house.refused(partial(kiosks.change, boss(), kiosk.pk, given, clock=house.clock)).article == field
    assert fresh(kiosk).name == "Lobby" and deeds() == ["kiosk_made"]


def test_no_two_are_called_the_same(house: House) -> None:
    kiosk = made(house)
    same = setting(*kiosk.tables.all())
    assert "already" in said(house, lambda: kiosks.make(boss(), same, clock=house.clock))
    bar = kiosks.make(boss(), replace(same, name="Bar"), clock=house.clock)
    assert "already" in said(house, lambda: kiosks.change(boss(), bar.pk, same, clock=house.clock))
    assert Kiosk.objects.count() == 2


DEEDS: dict[str, Callable[[Player, Kiosk, House], object]] = {
    "kiosk_made": lambda by, kiosk, house: kiosks.make(by, setting(*kiosk.tables.all(), name="Bar"), clock=house.clock),
    "kiosk_changed": lambda by, kiosk, house: kiosks.change(
        by, kiosk.pk, setting(*kiosk.tables.all(), credits=5), clock=house.clock
    ),
    "kiosk_enrolled": lambda by, kiosk, house: kiosks.enrol(
        by, kiosk.pk, Screen(house, "another screen").ask(), clock=house.clock
    ),
    "kiosk_restarted": lambda by, kiosk, house: kiosks.restart(by, kiosk.pk, clock=house.clock),
    "kiosk_locked": lambda by, kiosk, house: kiosks.lock(by, kiosk.pk, "it flickers", clock=house.clock),
    "kiosk_message": lambda by, kiosk, house: kiosks.show(by, kiosk.pk, "back at five", clock=house.clock),
    "kiosk_schedule": lambda by, kiosk, house: kiosks.plan(by, kiosk.pk, Schedule(), clock=house.clock),
    "kiosk_revoked": lambda by, kiosk, house: kiosks.unpair(by, kiosk.pk, "it was stolen", clock=house.clock),
    "kiosk_retired": lambda by, kiosk, house: kiosks.retire(by, kiosk.pk, "it is broken", clock=house.clock),
}


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("role", ["", *ROLES])
def test_every_deed_needs_its_right_and_is_written_down(house: House, role: str, deed: str) -> None:
    kiosk, _ = in_service(house)
    by = member(role) if role else house.player("ana")
    before = Event.objects.count()
    if role not in those_who_may(Right.RUN_KIOSKS):
        assert "right" in said(house, lambda: DEEDS[deed](by, kiosk, house))
        assert Event.objects.count() == before
        return
    DEEDS[deed](by, kiosk, house)
    event = Event.objects.latest("seq")
    assert (event.deed, event.by, Event.objects.count()) == (deed, by, before + 1)


def test_only_who_runs_kiosks_unlocks_one(house: House) -> None:
    kiosk, _ = in_service(house)
    kiosks.lock(boss(), kiosk.pk, "it flickers", clock=house.clock)
    assert "right" in said(house, lambda: kiosks.unlock(member("surveillance"), kiosk.pk, clock=house.clock))
    kiosks.unlock(boss(), kiosk.pk, clock=house.clock)
    assert not fresh(kiosk).locked and deeds()[-1] == "kiosk_unlocked"


@pytest.mark.parametrize("deed", [kiosks.lock, kiosks.unpair, kiosks.retire])
def test_what_ends_something_has_its_reason(house: House, deed: Callable[..., object]) -> None:
    kiosk, _ = in_service(house)
    before = fresh(kiosk).__dict__
    assert said(house, lambda: deed(boss(), kiosk.pk, " ", clock=house.clock)) == "Give a reason."
    assert {**fresh(kiosk).__dict__, "_state": None} == {**before, "_state": None}


@pytest.mark.parametrize("deed", [deed for deed in DEEDS if deed != "kiosk_made"])
def test_nothing_is_done_to_one_that_is_retired(house: House, deed: str) -> None:
    kiosk, _ = in_service(house)
    kiosks.retire(boss(), kiosk.pk, "it is broken", clock=house.clock)
    assert "retired" in said(house, lambda: DEEDS[deed](boss(), kiosk, house))
    assert deeds()[-1] == "kiosk_retired"


# ── A screen becomes one ────────────────────────────────────────────────────────────────────────────────────


def test_a_screen_shows_a_code_and_becomes_the_kiosk_that_the_pit_says(house: House) -> None:
    kiosk, screen = made(house), Screen(house)
    code = screen.ask()
    assert len(code) == CODE_LENGTH and set(code) <= set(CODE_LETTERS)
    assert not screen.ask_on()
    kiosks.enrol(boss(), kiosk.pk, f"{code[:3].lower()}-{code[3:]}", clock=house.clock)
    assert not fresh(kiosk).token
    assert screen.ask_on()
    found = fresh(kiosk)
    assert (found.token, found.screen) == (digest(screen.token), digest(screen.name))
    assert (found.enrolled_at, found.seen_at) == (house.clock.at, house.clock.at)
    assert kiosks.in_use(kiosk.pk, screen.use or 0) == kiosk


def test_nothing_that_a_screen_holds_is_stored(house: House) -> None:
    _, screen = in_service(house)
    asking = Screen(house, "one that waits")
    asking.ask()
    stored = repr([list(Kiosk.objects.values()), list(Pairing.objects.values())])
    for held in (screen.token, screen.name, screen.secret, asking.secret, asking.name):
        assert held and held not in stored


def test_a_code_is_good_for_a_quarter_of_an_hour(house: House) -> None:
    kiosk, screen = made(house), Screen(house)
    code = screen.ask()
    house.clock.at += CODE_GOOD_FOR - MOMENT
    assert not screen.ask_on()
    house.clock.at += MOMENT
    assert "No screen" in said(house, lambda: kiosks.enrol(boss(), kiosk.pk, code, clock=house.clock))
    with pytest.raises(NotEnrolledError):
        screen.ask_on()
    assert fresh(kiosk).use == 0
    screen.ask()
    assert Pairing.objects.count() == 1, "what is over is forgotten"


@pytest.mark.parametrize("code", ["", "ABCDEF", "------", "' OR 1=1"])
def test_a_code_that_no_screen_shows_makes_no_kiosk(house: House, code: str) -> None:
    kiosk, _ = in_service(house)
    Screen(house, "another").ask()
    before = fresh(kiosk).token
    assert "No screen" in said(house, lambda: kiosks.enrol(boss(), kiosk.pk, code, clock=house.clock))
    assert fresh(kiosk).token == before


def test_a_code_makes_one_kiosk(house: House) -> None:
    kiosk, screen = made(house), Screen(house)
    bar = kiosks.make(boss(), setting(*kiosk.tables.all(), name="Bar"), clock=house.clock)
    code = screen.ask()
    kiosks.enrol(boss(), kiosk.pk, code, clock=house.clock)
    assert "No screen" in said(house, lambda: kiosks.enrol(boss(), bar.pk, code, clock=house.clock))
    assert screen.ask_on() and fresh(kiosk).token and not fresh(bar).token


def test_who_only_overhears_the_secret_or_the_code_becomes_nothing(house: House) -> None:
    kiosk, screen = made(house), Screen(house)
    kiosks.enrol(boss(), kiosk.pk, screen.ask(), clock=house.clock)
    with pytest.raises(NotEnrolledError):
        screen.copy("another screen").ask_on()
    with pytest.raises(NotEnrolledError):
        replace(screen, secret="guessed").ask_on()
    assert screen.ask_on()


def test_the_pit_may_think_better_of_it_before_the_screen_has_asked_on(house: House) -> None:
    kiosk = made(house)
    for end in (
        partial(kiosks.enrol, boss(), kiosk.pk, Screen(house, "the right one").ask()),
        partial(kiosks.retire, boss(), kiosk.pk, "it is broken"),
    ):
        screen = Screen(house, "the wrong one")
        kiosks.enrol(boss(), kiosk.pk, screen.ask(), clock=house.clock)
        end(clock=house.clock)
        with pytest.raises(NotEnrolledError):
            screen.ask_on()
    assert not fresh(kiosk).token


def test_a_screen_that_is_enrolled_puts_out_the_one_before_and_its_visitor(house: House) -> None:
    kiosk, old = in_service(house)
    visitor(kiosk, old)
    old.hear(kiosk)
    new = enrolled(house, kiosk, "a new screen")
    assert fresh(kiosk).visitor is None
    assert kiosks.in_use(kiosk.pk, old.use or 0) is None and kiosks.in_use(kiosk.pk, new.use or 0) == kiosk
    assert old.is_refused() and open_alerts() == []
    assert new.begin()


def test_an_enrolment_whose_answer_is_lost_is_answered_again(house: House) -> None:
    kiosk, screen = made(house), Screen(house)
    kiosks.enrol(boss(), kiosk.pk, screen.ask(), clock=house.clock)
    lost = screen.copy()
    assert lost.ask_on() and screen.ask_on()
    assert lost.token == screen.token and screen.use == (lost.use or 0) + 1, "whichever came, it is good"
    assert screen.begin()
    with pytest.raises(NotEnrolledError):
        lost.ask_on()
    assert open_alerts() == []


# ── A device starts ─────────────────────────────────────────────────────────────────────────────────────────


def test_each_start_renews_the_token_and_is_a_new_use(house: House) -> None:
    kiosk, screen = in_service(house)
    for _ in range(3):
        use = screen.use or 0
        assert screen.begin()
        assert screen.use == use + 1
        assert kiosks.in_use(kiosk.pk, use) is None and kiosks.in_use(kiosk.pk, use + 1) == kiosk
    assert len(set(screen.kept)) == 4
    assert fresh(kiosk).token == digest(screen.token) and open_alerts() == []


def test_a_start_ends_the_visit_before_it(house: House) -> None:
    kiosk, screen = in_service(house)
    ana = visitor(kiosk, screen)
    screen.begin()
    assert fresh(kiosk).visitor is None and house.balance(ana) == 0
    assert visitor(kiosk, screen) != ana


def test_an_answer_that_is_lost_costs_nothing(house: House) -> None:
    """The device shows the token that it has, however often; once it has shown the new one the old is no good."""
    _, screen = in_service(house)
    first = screen.copy()
    for _ in range(3):
        assert first.copy().begin()
    assert screen.begin() and open_alerts() == []
    assert screen.begin()
    assert first.is_refused()


def test_of_starts_that_overtake_each_other_any_answer_is_good(house: House) -> None:
    """The server was away and finds three starts of one device in its queue: the device keeps one answer of them."""
    _, screen = in_service(house)
    answers = [screen.copy() for _ in range(3)]
    for one in answers:
        one.begin()
    assert len({one.token for one in answers}) == 1
    assert answers[0].begin() and open_alerts() == []


def test_a_token_that_is_over_is_refused_and_the_pit_is_told(house: House) -> None:
    kiosk, screen = in_service(house)
    thief = screen.copy()
    screen.begin(), screen.begin()
    use, token = screen.use, fresh(kiosk).token
    assert thief.is_refused()
    assert open_alerts() == [("kiosk_twice", "Lobby")]
    assert (fresh(kiosk).use, fresh(kiosk).token) == (use, token), "who is there goes on"
    assert screen.begin()


def test_nobody_follows_a_token_but_the_house(house: House) -> None:
    """Two kiosks that begin with the same token (by whatever accident) do not go on with the same."""
    kiosk, _ = in_service(house)
    bar = kiosks.make(boss(), setting(*kiosk.tables.all(), name="Bar"), clock=house.clock)
    assert kiosks._following(kiosk, "x") != kiosks._following(bar, "x")
    assert kiosks._following(kiosk, "x") != digest("x")


def test_a_second_use_ends_the_first_and_raises_an_alert(house: House) -> None:
    kiosk, screen = in_service(house)
    screen.begin(), screen.hear(kiosk, PLAY)
    ana = visitor(kiosk, screen)
    second = screen.copy()
    second.use = None  # what a tab remembers no other one knows
    house.clock.at += ALIVE_FOR - MOMENT
    assert second.begin()
    assert open_alerts() == [("kiosk_twice", "Lobby")]
    assert alert_says() == "Lobby: its token was shown by a second screen"
    assert screen.hear(kiosk) is None and second.hear(kiosk) is not None
    assert house.balance(ana) == 0 and fresh(kiosk).visitor is None


def alert_says() -> str:
    """What the one alert says."""
    return text_of(alerts.words_of(Alert.objects.get()))


def test_the_first_does_not_take_it_back_while_the_second_is_there(house: House) -> None:
    """Its screen asks again and again: the two would end each other for ever."""
    kiosk, screen = in_service(house)
    screen.hear(kiosk)
    second = screen.copy()
    second.use = None
    assert second.begin() and second.hear(kiosk) is not None
    use = fresh(kiosk).use
    with pytest.raises(kiosks.ElsewhereError):
        screen.begin()
    assert fresh(kiosk).use == use and open_alerts() == [("kiosk_twice", "Lobby")]
    kiosks.gone(kiosk.pk, use)
    assert screen.begin()


def test_the_pit_is_told_of_one_that_was_ended_while_its_line_was_down(house: House) -> None:
    """The second came when nobody seemed to be there. The first asks on: told once, be it acknowledged or not."""
    kiosk, screen = in_service(house)
    second = screen.copy()
    second.use = None
    assert second.begin() and second.hear(kiosk) is not None and open_alerts() == []
    for _ in range(3):
        with pytest.raises(kiosks.ElsewhereError):
            screen.begin()
        assert open_alerts() == [("kiosk_twice", "Lobby")]
    alerts.acknowledge(boss(), Alert.objects.get().pk, clock=house.clock)
    with pytest.raises(kiosks.ElsewhereError):
        screen.begin()
    assert open_alerts() == []


def test_two_that_take_it_from_each_other_are_one_alert(house: House) -> None:
    kiosk, screen = in_service(house)
    other = screen.copy()
    for _ in range(5):
        for one in (screen, other):
            one.token, one.use = max(screen, other, key=lambda it: it.use or 0).token, None  # they share their cookies
            one.begin(), one.hear(kiosk)
    assert open_alerts() == [("kiosk_twice", "Lobby")]


def test_a_device_that_goes_on_from_its_last_start_is_no_second_one(house: House) -> None:
    kiosk, screen = in_service(house)
    for _ in range(3):
        screen.hear(kiosk, PLAY)
        screen.begin()
    assert open_alerts() == []


@pytest.mark.parametrize("ended", ["closed", "cut"])
def test_a_device_that_comes_back_without_memory_is_no_second_one_once_the_first_is_gone(
    house: House, ended: str
) -> None:
    kiosk, screen = in_service(house)
    screen.hear(kiosk)
    if ended == "closed":
        kiosks.gone(kiosk.pk, screen.use or 0)
    else:
        house.clock.at += ALIVE_FOR
    screen.use = None
    assert screen.begin() and open_alerts() == []


@pytest.mark.parametrize("token", ["now", "before"])
def test_another_screen_is_refused_with_the_right_token_and_the_alert_stays(house: House, token: str) -> None:
    kiosk, screen = in_service(house)
    if token == "before":
        old = screen.token
        screen.begin()
        wrong = replace(screen.copy("another screen"), token=old)
    else:
        wrong = screen.copy("another screen")
    before = fresh(kiosk)
    assert wrong.is_refused()
    assert Alert.objects.count() == 1 and open_alerts() == [("kiosk_twice", "Lobby")]
    assert (fresh(kiosk).use, fresh(kiosk).token) == (before.use, before.token)
    assert screen.begin()


@pytest.mark.parametrize("token", ["", "x", "0" * 64])
def test_a_token_of_nobody_is_refused_in_silence(house: House, token: str) -> None:
    kiosk, screen = in_service(house)
    assert replace(screen.copy("another screen"), token=token).is_refused()
    kiosks.unpair(boss(), kiosk.pk, "it was stolen", clock=house.clock)
    assert replace(screen, token=token).is_refused()
    assert open_alerts() == []


@pytest.mark.parametrize("end", [kiosks.unpair, kiosks.retire])
def test_a_screen_that_is_put_out_is_none_any_more(house: House, end: Callable[..., object]) -> None:
    kiosk, screen = in_service(house)
    ana = visitor(kiosk, screen)
    use = screen.use or 0
    end(boss(), kiosk.pk, "it was stolen", clock=house.clock)
    assert kiosks.in_use(kiosk.pk, use) is None and screen.hear(kiosk) is None
    assert "another screen" in said(house, lambda: visitor(kiosk, screen))
    assert screen.is_refused() and replace(screen, token=screen.kept[0]).is_refused()
    with pytest.raises(NotEnrolledError):
        screen.ask_on()
    found = fresh(kiosk)
    assert (found.token, found.token_before, found.screen, found.visitor) == ("", "", "", None)
    assert house.balance(ana) == 0 and open_alerts() == []


def test_a_retired_kiosk_holds_no_token_not_even_by_hand_in_the_database(house: House) -> None:
    kiosk, _ = in_service(house)
    with pytest.raises(IntegrityError), transaction.atomic():
        Kiosk.objects.filter(pk=kiosk.pk).update(retired_at=house.clock.at)
    with pytest.raises(IntegrityError), transaction.atomic():
        Kiosk.objects.filter(pk=kiosk.pk).update(screen="")


def test_a_locked_one_begins_and_lets_nobody_play(house: House) -> None:
    kiosk, screen = in_service(house)
    ana = visitor(kiosk, screen)
    kiosks.lock(boss(), kiosk.pk, "it flickers", clock=house.clock)
    assert fresh(kiosk).visitor is None and house.balance(ana) == 0
    assert "out of service" in said(house, lambda: visitor(kiosk, screen))
    assert screen.begin() and fresh(kiosk).locked
    assert "out of service" in said(house, lambda: visitor(kiosk, screen))
    kiosks.unlock(boss(), kiosk.pk, clock=house.clock)
    assert visitor(kiosk, screen) != ana


def test_what_the_pit_tells_a_screen_stands_until_it_tells_something_else(house: House) -> None:
    kiosk, screen = in_service(house)
    kiosks.show(boss(), kiosk.pk, "  back at five ", clock=house.clock)
    kiosks.restart(boss(), kiosk.pk, clock=house.clock)
    heard = screen.hear(kiosk)
    assert heard is not None and (heard.message, heard.restarts) == ("back at five", 1)
    assert "200" in said(house, lambda: kiosks.show(boss(), kiosk.pk, "x" * 201, clock=house.clock))
    kiosks.show(boss(), kiosk.pk, "", clock=house.clock)
    assert fresh(kiosk).message == ""


# ── Its line ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_heartbeat_says_what_the_screen_shows(house: House) -> None:
    kiosk, screen = in_service(house)
    house.clock.at += HEARTBEAT
    for showing in (ATTRACT, PLAY):
        heard = screen.hear(kiosk, showing)
        assert heard is not None and kiosks.is_alive(heard, house.clock.at)
        assert (
            (fresh(kiosk).showing, fresh(kiosk).seen_at) == (showing, house.clock.at) == (heard.showing, heard.seen_at)
        )
    kiosks.gone(kiosk.pk, screen.use or 0)
    assert not kiosks.is_alive(fresh(kiosk), house.clock.at)


def test_the_line_of_an_earlier_use_says_nothing(house: House) -> None:
    kiosk, screen = in_service(house)
    old = screen.copy()
    screen.begin(), screen.hear(kiosk, PLAY)
    house.clock.at += HEARTBEAT
    assert old.hear(kiosk) is None
    kiosks.gone(kiosk.pk, old.use or 0)
    assert fresh(kiosk).showing == PLAY and fresh(kiosk).seen_at == house.clock.at - HEARTBEAT


def test_a_page_that_goes_to_the_next_does_not_close_its_line(house: House) -> None:
    """The new line is heard before the old one is found closed."""
    kiosk, screen = in_service(house)
    old = screen.hear(kiosk, ATTRACT)
    house.clock.at += MOMENT
    new = screen.hear(kiosk, PLAY)
    assert old is not None and new is not None
    kiosks.gone(kiosk.pk, screen.use or 0, heard_at=old.seen_at)
    assert fresh(kiosk).showing == PLAY
    kiosks.gone(kiosk.pk, screen.use or 0, heard_at=new.seen_at)
    assert fresh(kiosk).showing == ""


def test_one_that_is_silent_has_no_visitor_any_more_and_the_pit_is_told_once(house: House) -> None:
    kiosk, screen = in_service(house)
    ana = visitor(kiosk, screen)
    screen.hear(kiosk, PLAY)
    house.clock.at += SILENT_AFTER - MOMENT
    kiosks.look(clock=house.clock)
    assert fresh(kiosk).visitor == ana and open_alerts() == []
    house.clock.at += MOMENT
    for _ in range(2):
        kiosks.look(clock=house.clock)
        assert fresh(kiosk).visitor is None and house.balance(ana) == 0
        assert open_alerts() == [("kiosk_silent", "Lobby")]
    assert "Lobby: not heard of since " in alert_says()


def test_it_is_told_again_only_when_it_has_spoken_and_is_silent_anew(house: House) -> None:
    kiosk, screen = in_service(house)
    for times in (1, 2):
        house.clock.at += SILENT_AFTER
        for _ in range(2):
            kiosks.look(clock=house.clock)
            Alert.objects.update(acknowledged_at=house.clock.at, acknowledged_by=boss())
        assert Alert.objects.filter(kind="kiosk_silent").count() == times
        screen.hear(kiosk)


def test_who_plays_at_a_silent_one_goes_although_the_pit_knows(house: House) -> None:
    """The line is cut, the pages are not: somebody touches the screen all the same."""
    kiosk, screen = in_service(house)
    house.clock.at += SILENT_AFTER
    kiosks.look(clock=house.clock)
    ana = visitor(kiosk, screen)
    kiosks.look(clock=house.clock)
    assert fresh(kiosk).visitor is None and house.balance(ana) == 0
    assert Alert.objects.count() == 1


@pytest.mark.parametrize("end", [kiosks.unpair, kiosks.retire])
def test_of_one_that_no_screen_is_nothing_is_expected(house: House, end: Callable[..., object]) -> None:
    kiosk, _ = in_service(house)
    end(boss(), kiosk.pk, "it was stolen", clock=house.clock)
    house.clock.at += 2 * SILENT_AFTER
    kiosks.look(clock=house.clock)
    assert open_alerts() == []


# ── At once ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_of_two_that_begin_at_once_one_is_in_use_and_neither_is_lost(hall: House) -> None:
    _, screen = in_service(hall)

    def begins() -> tuple[str, int]:
        one = screen.copy()
        one.begin()
        return one.token, one.use or 0

    came = together(*[begins] * 4)
    assert len({token for token, _ in came}) == 1
    assert sorted(use for _, use in came) == [(screen.use or 0) + more for more in (1, 2, 3, 4)]
    screen.token, screen.use = came[0]
    assert screen.begin()


@pytest.mark.postgresql
def test_a_screen_that_is_answered_and_the_pit_that_means_another_do_not_wait_for_each_other_for_ever(
    hall: House,
) -> None:
    kiosk, screen, other = made(hall), Screen(hall), Screen(hall, "another")
    kiosks.enrol(boss(), kiosk.pk, screen.ask(), clock=hall.clock)
    code, by = other.ask(), boss()
    halt = Halt('FROM "tables_kiosk"')

    def asks_on() -> str:
        try:
            return str(halt.within(screen.ask_on))
        except NotEnrolledError:
            return "not enrolled"

    with running(asks_on) as (asking,):
        halt.halted.wait()
        with running(partial(kiosks.enrol, by, kiosk.pk, code, clock=hall.clock)) as (meaning,):
            until(lambda: waiting_for_locks() or not meaning.alive, "the pit waits, or is through")
            halt.go.raise_()
            assert asking.told() == "not enrolled"
            meaning.told()
    assert not fresh(kiosk).token and other.ask_on()


@pytest.mark.postgresql
def test_whoever_begins_while_it_is_found_silent_is_not_sent_away(hall: House) -> None:
    """It was silent when it was looked for; by the time that it is locked it has begun, and somebody plays."""
    kiosk, screen = in_service(hall)
    hall.clock.at += SILENT_AFTER
    halt = Halt("FOR UPDATE")
    with running(partial(halt.within, partial(kiosks.look, clock=hall.clock))) as (looking,):
        halt.halted.wait()
        screen.begin()
        ana = visitor(kiosk, screen)
        halt.go.raise_()
        looking.told()
    assert fresh(kiosk).visitor == ana and open_alerts() == []


@pytest.mark.postgresql
def test_the_pit_the_screen_and_the_clock_do_everything_at_once(hall: House) -> None:
    """Deeds of the pit, starts, visits, farewells and looks, in any order: each is done or refused, nobody waits for
    ever, and the books are in order."""
    kiosk, screen = in_service(hall)
    table = kiosk.tables.get()
    by = boss()

    def pit_works() -> int:
        for _ in range(8):
            for deed in (
                partial(kiosks.lock, by, kiosk.pk, "why"),
                partial(kiosks.unlock, by, kiosk.pk),
                partial(kiosks.restart, by, kiosk.pk),
                partial(kiosks.change, by, kiosk.pk, setting(table, credits=7)),
            ):
                deed(clock=hall.clock)
        return 0

    def screen_works() -> int:
        came = 0
        for _ in range(12):
            screen.begin()
            for _ in range(3):
                try:
                    visitor(kiosk, screen)
                except Refused:
                    continue
                came += 1
        return came

    def ends() -> int:
        for _ in range(20):
            visitors.farewell(kiosk.pk, clock=hall.clock)
            kiosks.look(clock=hall.clock)
        return 0

    together(pit_works, screen_works, ends)
    assert Event.objects.filter(deed="kiosk_locked").count() == 8
    assert open_alerts() == []
