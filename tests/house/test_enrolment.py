"""Dealers are enrolled: without a key that the house knows nobody gets a lease. And one that is unfit deals nothing."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as house_settings
from django.core.management import CommandError, call_command

from tables.base.identity import DealerIdentity, is_signed
from tables.live import dealer as dealing_loop
from tables.models import Alert, EnrolledDealer, Event, Lease
from tables.proof import selfcheck
from tables.proof.audit import audit
from tables.services.dealing.advance import advance
from tables.services.dealing.enrolment import NotEnrolledError, enrol, revoke
from tables.services.dealing.leases import StaleLease, renew_leases, take_lease
from tables.services.journal import alerts

from .kit import IDENTITY, VAULT, House
from .processes import running, until
from .test_dealer import deal, is_held, open_table

STRANGER = DealerIdentity("a process with the rights of a dealer, and a key of its own making")
TTL = timedelta(seconds=6)


def test_a_key_that_nobody_enrolled_gets_no_lease(house: House) -> None:
    table = house.table()
    Lease.objects.update(expires_at=house.clock.at)
    with pytest.raises(NotEnrolledError, match=f"manage.py dealers enrol NAME {STRANGER.public}") as told:
        take_lease("stranger", TTL, identity=STRANGER, clock=house.clock)
    assert "\n" not in str(told.value)
    assert Lease.objects.get().owner == "test", "nothing has changed"
    assert enrol("second", STRANGER.public, "a second machine", clock=house.clock) is not None
    taken = take_lease("stranger", TTL, identity=STRANGER, clock=house.clock)
    assert taken is not None and taken[0] == table.pk
    event = Event.objects.get()
    assert (event.deed, event.why) == (Event.Kind.DEALER_ENROLLED, "a second machine")
    assert event.after == {"name": "second", "public_key": STRANGER.public}


def test_a_revoked_dealer_loses_its_tables_at_once_and_gets_none_again(house: House) -> None:
    table = house.table()
    house.until(table, "betting")
    revoke("tests", "the machine was stolen", clock=house.clock)
    assert not renew_leases("test", TTL, clock=house.clock)
    house.due(table)
    with pytest.raises(StaleLease):
        advance(table.pk, house.credentials(table), clock=house.clock)
    with pytest.raises(NotEnrolledError):
        take_lease("test", TTL, identity=IDENTITY, clock=house.clock)
    with pytest.raises(ValueError, match="used before"):
        enrol("again", IDENTITY.public, "so", clock=house.clock)
    assert Event.objects.get().deed == Event.Kind.DEALER_REVOKED


def test_the_audit_finds_a_lease_that_no_enrolled_key_has_signed(house: House) -> None:
    """Who can write the row cannot sign it."""
    table = house.table()
    before = Lease.objects.values("owner", "epoch", "signature").get()
    Lease.objects.update(owner="thief", epoch=before["epoch"] + 1)
    (fault,) = audit(VAULT).faults
    assert fault == f"table {table.pk} is run by thief, whom no enrolled dealer's key has signed for"
    Lease.objects.update(**before)


def test_a_signature_is_of_one_text_by_one_key() -> None:
    signature = IDENTITY.sign("lease:1:1:a")
    assert is_signed("lease:1:1:a", signature, IDENTITY.public)
    assert not is_signed("lease:1:2:a", signature, IDENTITY.public)
    assert not is_signed("lease:1:1:a", signature, STRANGER.public)
    assert not is_signed("lease:1:1:a", "", IDENTITY.public) and not is_signed("lease:1:1:a", "x", "y")


def test_the_command_says_its_key_enrols_and_revokes(db: None, settings: Any) -> None:
    def told(*args: str) -> str:
        said = StringIO()
        call_command("dealers", *args, stdout=said)
        return said.getvalue()

    public = told("key").strip()
    assert public == DealerIdentity(house_settings.DEALER_KEY).public
    assert told("enrol", "north", public, "--why", "opened").split() == ["north", public, "enrolled"]
    assert told("enrol", "other", public, "--why", "twice") == told("list"), "once is enough"
    with pytest.raises(CommandError, match="64 hexadecimal digits"):
        told("enrol", "south", "no key", "--why", "so")
    assert told("revoke", "north", "--why", "closed").split() == ["north", public, "revoked"]
    with pytest.raises(CommandError, match="No dealer called north is enrolled"):
        told("revoke", "north", "--why", "closed")
    settings.DEALER_KEY = ""
    with pytest.raises(CommandError, match="no DEALER_KEY"):
        told("key")


def test_a_dealer_does_not_start_without_being_enrolled(db: None, settings: Any) -> None:
    with pytest.raises(CommandError, match="is not enrolled"):
        call_command("deal")
    settings.DEALER_KEY = ""
    with pytest.raises(CommandError, match="needs DEALER_KEY"):
        call_command("deal")


def test_the_preparation_enrols_the_houses_own_dealer_once(transactional_db: None) -> None:
    for _ in range(2):
        call_command("floor", "--prepare", stdout=StringIO())
    assert EnrolledDealer.objects.get().public_key == DealerIdentity(house_settings.DEALER_KEY).public
    assert Event.objects.filter(deed=Event.Kind.DEALER_ENROLLED).count() == 1


# ── Unfit ───────────────────────────────────────────────────────────────────────────────────────────────────


def program(folder: Path) -> Path:
    """A program of one file, with its manifest."""
    (folder / "manage.py").write_text("as built")
    (folder / selfcheck.MANIFEST).write_text(selfcheck.manifest_text(folder))
    return folder / "manage.py"


def test_an_unfit_dealer_takes_no_table(hall: House, settings: Any, tmp_path: Path) -> None:
    table = open_table()
    settings.BASE_DIR = tmp_path
    program(tmp_path).write_text("changed")
    with pytest.raises(dealing_loop.UnfitError, match=r"manage.py is not the file that was built"):
        asyncio.run(dealing_loop.Dealer("unfit").run())
    assert not is_held(table)


def test_a_dealer_that_becomes_unfit_gives_its_tables_back_and_ends(
    hall: House, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check of each day, which here is one of each moment."""
    table = open_table()
    settings.BASE_DIR = tmp_path
    file = program(tmp_path)
    monkeypatch.setattr(selfcheck, "INTERVAL_S", 0.0)

    def dealt_till_unfit() -> str:
        try:
            deal()
        except dealing_loop.UnfitError as error:
            return str(error)
        return "it was told to end"

    with running(dealt_till_unfit) as (dealer,):
        until(lambda: is_held(table), "the dealer deals")
        file.write_text("changed")
        assert "manage.py is not the file that was built" in dealer.told()
    assert not is_held(table)
    (alert,) = Alert.objects.filter(kind="unfit")
    assert str(alerts.words_of(alert)) == "Not as it must be: manage.py is not the file that was built"
