"""The auditor: a table whose books do not agree stops, the pit is told once, and the others deal on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from tables.live.auditor import Auditor
from tables.models import Account, Alert, AuditorLease, Event, Lease, LoggedAction, RoundLog, Table, Transfer
from tables.models.privileges import DatabaseRole
from tables.proof import running_audit
from tables.proof.running_audit import Finding, RunningAudit
from tables.services.journal import alerts, auditing
from tables.services.pit import books, lifecycle, opening
from tests.floor.pit_kit import member

from .kit import House, without_guards
from .test_roles import acting_as, roles

__all__ = ("roles",)

GAMES = {"jade": "baccarat", "ruby": "blackjack", "pearl": "roulette"}


class Hall(House):
    """A house with three tables, each with a round behind it and one in which stakes lie."""

    resumes = False

    def __init__(self) -> None:
        super().__init__()
        self.tables = {slug: self.table(slug, game=game) for slug, game in GAMES.items()}
        self.ana = self.player("ana")
        self.auditor = Auditor("test", interval_s=10, clock=self.clock)
        for table in self.tables.values():
            self.stake(table)
            self.play_out(table)
            self.until(table, "betting")
            self.stake(table)

    def stake(self, table: Table) -> None:
        self.until(table, "betting")
        spot = {"baccarat": ("player", None), "blackjack": ("main", 1), "roulette": ("red", None)}[table.game]
        self.bet(self.ana, table, spot[0], 100, spot[1])

    def look(self) -> list[tuple[Finding, int | None]]:
        """What the auditor finds now, a little later."""
        self.clock.pass_(seconds=1)
        return [(fault.finding, fault.table) for fault in self.auditor.look()]

    def paused(self) -> set[str]:
        return set(Table.objects.filter(paused=True).values_list("slug", flat=True))

    def deals(self, slug: str) -> bool:
        """Whether the table goes on to a new round once its present one is played out."""
        table = self.tables[slug]
        number = self.play_out(table).number
        for _ in range(5):
            self.step(table)
        return self.log(table).number > number


@pytest.fixture
def hall(db: None) -> Hall:
    return Hall()


def account(hall: House, kind: str, slug: str) -> Account:
    return Account.objects.get(kind=kind, table__slug=slug)


def invented(hall: Hall, slug: str, *, log: RoundLog | None) -> None:
    """A transfer at a table, under which no balance has changed."""
    Transfer.objects.create(
        key="gift", debit=account(hall, "float", slug), credit=account(hall, "escrow", slug), amount=5_00,
        reason="prize", by="nobody", at=hall.clock.now(), log=log,
    )  # fmt: skip


# ── What is found ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_house_in_order_is_in_order_look_after_look(hall: Hall) -> None:
    assert hall.look() == []
    for _ in range(3):
        for table in hall.tables.values():
            hall.play_out(table)
            assert hall.look() == []
            hall.stake(table)
            assert hall.look() == []
    assert hall.paused() == set() and not Alert.objects.filter(kind=Alert.Kind.BOOKS).exists()
    hall.in_order()


def unbalanced(hall: Hall) -> Finding:
    invented(hall, "ruby", log=None)
    return Finding.BALANCE


def of_a_round_that_ordered_none(hall: Hall) -> Finding:
    invented(hall, "ruby", log=hall.log(hall.tables["ruby"]))
    return Finding.ROUND


def of_a_round_that_is_over(hall: Hall) -> Finding:
    invented(hall, "ruby", log=RoundLog.objects.get(table__slug="ruby", number=1))
    return Finding.ROUND


def wrong_stake(hall: Hall) -> Finding:
    """More lies in escrow than on the layout, and all balances agree with their transfers."""
    for kind, change in (("escrow", 1_00), ("float", -1_00)):
        one = account(hall, kind, "ruby")
        one.balance += change
        one.save()
    Transfer.objects.create(
        key="more", debit=account(hall, "float", "ruby"), credit=account(hall, "escrow", "ruby"), amount=1_00,
        reason="fill", by="nobody", at=hall.clock.now(),
    )  # fmt: skip
    return Finding.LAYOUT


def settled_with_an_open_stake(hall: Hall) -> Finding:
    RoundLog.objects.filter(pk=hall.log(hall.tables["ruby"]).pk).update(settled_at=hall.clock.now())
    return Finding.ROUND


def line_gone(hall: Hall) -> Finding:
    LoggedAction.objects.filter(log=hall.log(hall.tables["ruby"])).latest("seq").delete()
    return Finding.ROUND


def changed_balance(hall: Hall) -> Finding:
    Account.objects.filter(kind="float", table__slug="ruby").update(balance=1)
    return Finding.BALANCE


def dealt_by_a_stranger(hall: Hall) -> Finding:
    Lease.objects.filter(table__slug="ruby").update(signature="00")
    return Finding.LEASE


BROKEN = (
    unbalanced,
    of_a_round_that_ordered_none,
    of_a_round_that_is_over,
    wrong_stake,
    settled_with_an_open_stake,
    line_gone,
    changed_balance,
    dealt_by_a_stranger,
)


@pytest.mark.parametrize("looked_before", [True, False], ids=["running", "at start"])
@pytest.mark.parametrize("breaks", BROKEN, ids=lambda breaks: breaks.__name__)
def test_of_three_tables_the_broken_one_stops_and_the_others_deal_on(
    hall: Hall, breaks: Callable[[Hall], Finding], looked_before: bool
) -> None:
    if looked_before:
        assert hall.look() == []
    without_guards()
    finding = breaks(hall)
    ruby = hall.tables["ruby"]
    assert (finding, ruby.pk) in hall.look()
    assert hall.paused() == {"ruby"}
    alert = Alert.objects.filter(kind=Alert.Kind.BOOKS, table=ruby).order_by("pk")[0]
    assert str(alerts.words_of(alert)).endswith("No new round until the pit resumes")
    stopped = Event.objects.get(deed=Event.Kind.TABLE_PAUSED)
    assert (stopped.table_id, stopped.by_id) == (ruby.pk, None)
    assert hall.deals("jade") and hall.deals("pearl")
    hall.look()
    assert hall.paused() == {"ruby"}


def test_the_round_in_play_is_dealt_to_its_end_before_the_table_stops(hall: Hall) -> None:
    invented(hall, "ruby", log=RoundLog.objects.get(table__slug="ruby", number=1))
    hall.look()
    before = hall.log(hall.tables["ruby"])
    assert before.settled_at is None
    assert not hall.deals("ruby")
    assert hall.log(hall.tables["ruby"]).pk == before.pk and hall.log(hall.tables["ruby"]).void is False


def test_what_is_of_no_table_alerts_and_stops_none(hall: Hall) -> None:
    hall.look()
    Account.objects.filter(player=hall.ana).update(balance=1_000_000_00)
    assert {finding for finding, _ in hall.look()} == {Finding.REALM, Finding.BALANCE}
    assert hall.paused() == set()
    words = {str(alerts.words_of(alert)) for alert in Alert.objects.filter(kind=Alert.Kind.BOOKS)}
    assert words == {
        "These do not agree: a balance and its transfers",
        "These do not agree: the sum of all balances and nothing",
    }


def test_a_transfer_that_no_deed_makes_is_found(hall: Hall) -> None:
    hall.look()
    mint, house = Account.objects.get(kind="mint"), Account.objects.get(kind="house")
    Transfer.objects.create(
        key="gift", debit=mint, credit=house, amount=1_00, reason="gift", by="nobody", at=hall.clock.now()
    )
    assert (Finding.OUTSIDE, None) in hall.look()


def test_an_event_that_was_written_beside_the_chain_is_found(hall: Hall) -> None:
    hall.look()
    books.stop_for("balance", "anything", table_id=hall.tables["jade"].pk, clock=hall.clock)
    without_guards()
    Event.objects.filter(deed=Event.Kind.TABLE_PAUSED).update(why="nothing")
    assert (Finding.EVENTS, None) in hall.look()


def test_a_jackpot_that_does_not_agree_stops_all_tables_that_share_it(db: None) -> None:
    house = House()
    opening.open_jackpot("pearls", "Pearls", 500_000_00, clock=house.clock)
    tables = [house.table(slug, game="stud_poker", jackpot="pearls") for slug in ("one", "two")]
    other = house.table("three", game="stud_poker")
    auditor = Auditor("test", clock=house.clock)
    assert auditor.look() == []
    Account.objects.filter(jackpot=tables[0].jackpot).update(balance=1)
    auditor.look()
    assert list(Table.objects.filter(paused=True).order_by("pk")) == tables
    assert not Table.objects.get(pk=other.pk).paused


# ── Told once ───────────────────────────────────────────────────────────────────────────────────────────────


def test_whoever_resumes_a_table_has_the_last_word_and_another_fault_stops_it_again(hall: Hall) -> None:
    boss = member("pit_boss")
    Account.objects.filter(kind="float", table__slug="ruby").update(balance=1)
    hall.look()
    assert hall.paused() == {"ruby"}
    for alert in alerts.open_alerts():
        alerts.acknowledge(boss, alert.pk, clock=hall.clock)
    lifecycle.resume(boss, hall.tables["ruby"].pk, clock=hall.clock)
    hall.play_out(hall.tables["ruby"])
    assert (Finding.BALANCE, hall.tables["ruby"].pk) in hall.look(), "it is still so"
    assert hall.paused() == set()
    assert not Auditor("another", clock=hall.clock).look(), "this one audits"
    Account.objects.filter(kind="escrow", table__slug="ruby").update(balance=7)
    hall.look()
    assert hall.paused() == {"ruby"}


def test_what_could_not_be_told_is_told_at_the_next_look(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    hall.look()
    invented(hall, "ruby", log=RoundLog.objects.get(table__slug="ruby", number=1))

    def fails(*_: Any, **__: Any) -> bool:
        raise OSError

    with monkeypatch.context() as patched:
        patched.setattr("tables.live.auditor.stop_for", fails)
        with pytest.raises(OSError):
            hall.look()
    hall.look()
    assert Alert.objects.filter(key__startswith="books:round:").count() == 1


def test_nothing_is_told_of_what_lies_in_a_round_that_is_played(hall: Hall) -> None:
    invented(hall, "ruby", log=hall.log(hall.tables["ruby"]))
    log = hall.log(hall.tables["ruby"])
    texts = [fault.text for fault in RunningAudit(hall.clock).look() if fault.finding is Finding.ROUND]
    assert texts == [f"round {log.pk}: log and ledger do not agree"]


# ── How much it costs ───────────────────────────────────────────────────────────────────────────────────────


def test_a_look_reads_what_is_new_and_no_more_for_all_that_is_old(hall: Hall, django_assert_num_queries: Any) -> None:
    audit = RunningAudit(hall.clock)
    assert audit.look() == []
    first = audit.rounds
    assert first == 3
    for _ in range(5):
        for table in hall.tables.values():
            hall.play_out(table)
            hall.stake(table)
    hall.clock.pass_(minutes=5)
    assert audit.look() == [] and audit.rounds == first + 15
    assert audit.look() == [] and audit.rounds == first + 15
    with django_assert_num_queries(38, exact=False) as few:
        assert audit.look() == []
    for _ in range(3):
        hall.play_out(hall.tables["jade"])
        hall.stake(hall.tables["jade"])
    hall.clock.pass_(minutes=5)
    assert audit.look() == []
    with django_assert_num_queries(len(few.captured_queries)):
        assert audit.look() == []


def test_a_first_look_leaves_what_is_old_to_the_night_and_goes_on_where_it_broke_off(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_audit, "ROUNDS_AT_ONCE", 2)
    jade = hall.tables["jade"]
    for _ in range(5):
        hall.play_out(jade)
        hall.stake(jade)
    audit = RunningAudit(hall.clock)
    seen = []
    for _ in range(5):
        assert audit.look() == []
        seen.append(audit.rounds)
    assert seen == [2, 4, 6, 8, 8]
    hall.play_out(jade)
    hall.clock.pass_(hours=25)
    late = RunningAudit(hall.clock)
    assert late.look() == [] and late.rounds == 0


def test_a_sum_that_was_made_too_early_is_made_again_before_anybody_is_stopped(hall: Hall) -> None:
    """A transfer may become visible behind others with a higher number."""
    audit = RunningAudit(hall.clock)
    hall.clock.pass_(minutes=5)
    assert audit.look() == []
    audit._sums[account(hall, "float", "ruby").pk] += 7
    assert audit.look() == [] and audit.look() == []


# ── One at a time ───────────────────────────────────────────────────────────────────────────────────────────


def test_one_audits_and_another_takes_over_when_it_is_not_heard_of(hall: Hall) -> None:
    other = Auditor("other", interval_s=10, clock=hall.clock)
    hall.look()
    Account.objects.filter(kind="float", table__slug="ruby").update(balance=1)
    assert other.look() == []
    hall.clock.pass_(minutes=2)
    assert other.look() != []
    assert AuditorLease.objects.get().owner == other.name
    assert hall.auditor.look() == []
    auditing.release(other.name)
    assert hall.auditor.look() != []


def test_the_pit_is_told_when_rounds_end_and_nobody_audits_and_when_somebody_does_again(hall: Hall) -> None:
    def open_() -> list[Alert]:
        alerts.look({}, clock=hall.clock)
        return list(Alert.objects.filter(kind=Alert.Kind.UNAUDITED, resolved_at=None))

    assert open_() == [], "nobody ever has"
    hall.look()
    hall.clock.pass_(minutes=11)
    assert open_() == [], "nothing was played"
    hall.play_out(hall.tables["jade"])
    (alert,) = open_()
    assert str(alerts.words_of(alert)).startswith("Nobody has audited the house since ")
    hall.look()
    assert open_() == []


# ── While the house deals ───────────────────────────────────────────────────────────────────────────────────


def test_a_house_that_deals_during_a_look_is_in_order(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between any two parts of a look somebody stakes, plays a round out, and opens the next."""
    hall = Hall()
    tables = iter([*hall.tables.values()] * 2)
    audit = RunningAudit(hall.clock)
    assert audit.look() == []

    def plays() -> None:
        table = next(tables)
        hall.play_out(table)
        hall.stake(table)

    with monkeypatch.context() as patched:
        for name in ("_sum_up", "_outside", "_balances", "_rounds", "_leases", "_chain_of_events"):
            patched.setattr(RunningAudit, name, before(plays, getattr(RunningAudit, name)))
        assert audit.look() == []
    assert next(tables, None) is None, "it was played all the time"
    assert audit.look() == []
    hall.in_order()


def before(deed: Callable[[], None], part: Callable[..., Any]) -> Callable[..., Any]:
    """A part of a look that begins when somebody, in a connection of their own, has done something."""

    def begins(*given: Any, **named: Any) -> Any:
        said: list[BaseException] = []

        def does() -> None:
            try:
                deed()
            except BaseException as error:
                said.append(error)
            finally:
                connection.close()

        somebody = threading.Thread(target=does)
        somebody.start()
        somebody.join()
        assert not said, said
        came = part(*given, **named)
        return list(came) if hasattr(came, "__next__") else came

    return begins


@pytest.mark.postgresql
def test_the_auditor_needs_no_more_than_its_role(roles: str) -> None:
    hall = Hall()
    with acting_as(roles, DatabaseRole.AUDITOR):
        assert hall.look() == []
    Account.objects.filter(kind="float", table__slug="ruby").update(balance=1)
    with acting_as(roles, DatabaseRole.AUDITOR):
        assert hall.look() != []
    assert hall.paused() == {"ruby"}


def test_a_lease_of_an_auditor_is_as_long_as_several_looks() -> None:
    assert Auditor("test", interval_s=1)._lease == timedelta(minutes=1)
    assert Auditor("test", interval_s=60)._lease == timedelta(minutes=6)
