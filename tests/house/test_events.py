"""The chain of events: whatever is changed, left out or put in is found."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import DatabaseError, connection, transaction

from tables.base.transactions import unit_of_work
from tables.models import Event, EventHead, Player, guards
from tables.proof.audit import audit
from tables.services.journal import events


def three_events() -> Player:
    """What somebody did, three times."""
    boss = Player.objects.create(username="boss", name="Boss", role="pit_boss")
    for why in ("one", "two", "三"):
        with unit_of_work():
            events.record(
                Event.Kind.ADMINISTERED,
                by=boss.pk,
                player=boss.pk,
                why=why,
                before={"name": ""},
                after={"name": "Boss"},
            )
    return boss


@pytest.mark.django_db
def test_each_event_is_chained_to_the_one_before() -> None:
    three_events()
    first, second, third = Event.objects.order_by("seq")
    assert (first.seq, first.previous, second.previous, third.previous) == (1, "", first.digest, second.digest)
    assert EventHead.objects.get().digest == third.digest
    assert list(events.faults()) == [] and audit().clean


@pytest.mark.django_db
def test_an_event_is_written_with_its_deed_or_not_at_all() -> None:
    def fails() -> None:
        with unit_of_work():
            events.record(Event.Kind.ROLE, by=None)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert not Event.objects.exists() and list(events.faults()) == []


@pytest.mark.django_db
def test_nobody_changes_or_deletes_an_event() -> None:
    three_events()
    for change in (
        lambda: Event.objects.filter(seq=2).update(why="another"),
        lambda: Event.objects.filter(seq=2).delete(),
    ):
        with pytest.raises(DatabaseError, match="insert-only"), transaction.atomic():
            change()


def _changed() -> None:
    Event.objects.filter(seq=2).update(why="another reason")


def _left_out() -> None:
    Event.objects.filter(seq=2).delete()


def _cut_off() -> None:
    Event.objects.filter(seq=3).delete()


def _put_in() -> None:
    last = Event.objects.get(seq=3)
    last.pk, last.seq, last.previous = None, 4, last.digest
    last.digest = events.digest_of(last)
    last.save(force_insert=True)


def _written_anew() -> None:
    """Somebody computes the digest of what they changed: the next event still names the old one."""
    event = Event.objects.get(seq=2)
    event.why = "another reason"
    Event.objects.filter(seq=2).update(why=event.why, digest=events.digest_of(event))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("tampered", [_changed, _left_out, _cut_off, _put_in, _written_anew])
def test_whatever_somebody_does_to_the_chain_is_found(tampered: Callable[[], None]) -> None:
    three_events()
    with connection.schema_editor() as editor:
        guards.drop(editor, guards.PIT)
    try:
        tampered()
    finally:
        with connection.schema_editor() as editor:
            guards.create(editor, guards.PIT)
    assert list(events.faults()) != []
    assert not audit().clean
