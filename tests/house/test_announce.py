"""Announcements on their way: one writer, one reader."""

from __future__ import annotations

from typing import get_type_hints

import pytest

from tables.base import announce
from tables.base.announce import Announcement

ALL = (
    announce.TableChanged(3, players=(7, 8), soon=True),
    announce.TableChanged(3, players=(), version=12),
    announce.TableChanged(3, players=(7,), round=4, since=10, line=12),
    announce.TableChanged(3, lobby=True),
    announce.TableChanged(3, players=(7,), lobby=True, due=True),
    announce.PlayersChanged((7,)),
    announce.JackpotChanged(1),
    announce.PitChanged(),
    announce.KioskChanged(2),
    announce.TableDue(3),
    announce.SessionEnded("key"),
    announce.LoginsEnded(7),
)


@pytest.mark.parametrize("announcement", ALL, ids=lambda one: one.kind)
def test_what_is_announced_is_read_again(announcement: Announcement) -> None:
    assert announce.read(announcement.as_message()) == announcement


def test_each_kind_is_known_to_the_reader_by_its_own_name() -> None:
    assert {type(one) for one in ALL} == set(announce.KINDS)
    assert len({one.kind for one in announce.KINDS}) == len(announce.KINDS)


def test_announcements_carry_ids_and_nothing_else() -> None:
    allowed = {int, bool, tuple[int, ...], tuple[int, ...] | None}
    for kind in announce.KINDS:
        said = {name: hint for name, hint in get_type_hints(kind).items() if name != "kind"}
        assert kind is announce.SessionEnded or set(said.values()) <= allowed, kind


@pytest.mark.parametrize("message", [{}, {"type": "bell.rung"}, {"type": "table.changed"}])
def test_what_another_release_announces_is_passed_over(message: dict[str, object]) -> None:
    assert announce.read(message) is None


def test_what_another_release_adds_is_left_out() -> None:
    assert announce.read({"type": "table.due", "table": 3, "since": 5}) == announce.TableDue(3)
