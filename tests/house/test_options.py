"""House options: drafted, submitted, answered, and adopted by the first round in which they may hold."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from tables.games import GAMES
from tables.games.contract.errors import Refused
from tables.models import Event, Lease, OptionChange, Player, RoundLog, Seat, Shoe, Table
from tables.queries.folds import log_entries
from tables.queries.history import record_of_log
from tables.services.pit import options as house_options
from tables.services.pit.opening import open_jackpot
from tables.services.rounds import seating
from tests.kit import article

from .kit import House, change_shoe, void_round

MONDAY = datetime(2026, 8, 3, 4, tzinfo=UTC)
"""Noon in Macau; no public holiday is near."""

SHOE: dict[str, Any] = {"dealing_device": "shoe", "decks": 6, "burn_mode": "fixed_n", "burn_fixed_n": 1}


@pytest.fixture
def house(house: House) -> House:
    house.clock.at = MONDAY
    return house


def member(role: str, name: str = "") -> Player:
    name = name or role
    return Player.objects.create(username=name, name=name, role=role)


def drafted(house: House, table: Table, by: Player | None = None, **wanted: Any) -> OptionChange:
    """A draft, by the pit boss unless another drafts it."""
    by = by or Player.objects.filter(role="pit_boss").first() or member("pit_boss")
    return house_options.draft(by, table.pk, wanted, "the season", clock=house.clock)


def approved(house: House, table: Table, planned: date, **wanted: Any) -> OptionChange:
    """A change drafted and submitted today by the pit boss, and approved by the shift manager."""
    change = drafted(house, table, **wanted)
    today = house.clock.at.astimezone(UTC).date()
    house_options.submit(change.drafted_by, change.pk, today, planned, clock=house.clock)
    manager = Player.objects.filter(role="shift_manager").first() or member("shift_manager")
    return house_options.approve(manager, change.pk, "DICJ 17", clock=house.clock)


def adopted(house: House, table: Table, **wanted: Any) -> OptionChange:
    """A change that nobody's leave is wanted for, decided on by the pit boss."""
    change = drafted(house, table, **wanted)
    return house_options.adopt(change.drafted_by, change.pk, clock=house.clock)


def next_round(house: House, table: Table) -> RoundLog:
    """Let the present round end, if there is one (void, where it would wait for a bet), and have the next opened."""
    present = Table.objects.get(pk=table.pk).round_id
    if present is not None and GAMES[table.game].dealt_unstaked:
        house.play_out(table)
    elif present is not None:
        house.until(table, "betting")
        void_round(present, "nobody bets", clock=house.clock)
    for _ in range(20):
        house.step(table)
        log = house.log(table)
        if log.pk != present:
            return log
    raise AssertionError("no round is opened")


def go_to(house: House, table: Table, at: datetime, *players: Player) -> None:
    """Another day: the table has a dealer and is attended, and these players' lines are alive."""
    house.clock.at = at
    Lease.objects.filter(table=table).update(expires_at=at + timedelta(days=1))
    house.attend(table, *players)


def deeds(table: Table) -> list[str]:
    return list(Event.objects.filter(table=table).order_by("seq").values_list("deed", flat=True))


def refused(house: House, deed: Callable[[], object]) -> str:
    return str(house.refused(deed).words)


# ── Drafts ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_draft_keeps_what_changes_and_knows_whether_leave_is_needed(house: House) -> None:
    table = house.table(**SHOE)
    same: dict[str, Any] = {"decks": 6, "burn_mode": "fixed_n", "lucky_six": False}
    plain = drafted(house, table, **same, cut_card_depth=20)
    assert (plain.changes, plain.authorisation, plain.state) == ({"cut_card_depth": 20}, False, "draft")
    assert house_options.authorised_by(plain) == ""
    mixed = drafted(house, table, tie_policy="return", seats=9)
    assert (mixed.changes, mixed.authorisation) == ({"tie_policy": "return", "seats": 9}, True)
    assert house_options.authorised_by(mixed) == "19"
    assert mixed.before["tie_policy"] == "free" and mixed.before["seats"] == 7
    event = Event.objects.latest("seq")
    assert (event.deed, event.by, event.why) == ("options_drafted", mixed.drafted_by, "the season")
    assert event.before == {"tie_policy": "free", "seats": 7}
    assert event.after == {"change": mixed.pk, "options": mixed.changes}


def test_a_draft_is_read_whole_and_refused_with_the_reason(house: House) -> None:
    table = house.table(**SHOE)
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"burn_mode": "by_decks"}, "burn_fixed_n goes with burn_mode fixed_n"),
        ({"decks": 13}, "decks cannot be 13"),
        ({"decks": None}, "decks cannot be null"),
        ({"decks": 6}, "Nothing changes."),
        ({"odds": 3}, "there is no option odds"),
        ({"edition": "55/2004", "burn_mode": "by_decks", "burn_fixed_n": None}, "does not leave this to the house"),
    )
    for wanted, reason in cases:
        assert reason in refused(house, partial(drafted, house, table, **wanted))
    change = drafted(house, table, burn_mode="by_decks", burn_fixed_n=None)
    assert change.changes == {"burn_mode": "by_decks", "burn_fixed_n": None}
    assert deeds(table) == ["options_drafted"]


def test_a_draft_wants_a_reason_and_the_right(house: House) -> None:
    table = house.table(**SHOE)
    boss = member("pit_boss")
    assert "reason" in refused(house, lambda: house_options.draft(boss, table.pk, {"decks": 8}, " ", clock=house.clock))
    for role in ("surveillance", "cage", ""):
        by = member(role, role or "ana")
        assert "right" in refused(house, partial(drafted, house, table, by, decks=8))


def test_of_an_option_only_one_change_is_pending(house: House) -> None:
    table = house.table(**SHOE)
    first = drafted(house, table, decks=7)
    assert f"no. {first.pk}: Decks in use" in refused(house, lambda: drafted(house, table, decks=8, seats=9))
    drafted(house, table, seats=9)
    house_options.withdraw(first.drafted_by, first.pk, "not now", clock=house.clock)
    assert drafted(house, table, decks=8).changes == {"decks": 8}
    assert deeds(table)[2] == "options_withdrawn"


def test_tables_of_one_jackpot_stay_under_the_same_rules(house: House) -> None:
    open_jackpot("lisboa", "Lisboa", 500_000_00, clock=house.clock)
    table = house.table("guia", game="stud_poker", jackpot="lisboa")
    house.table("penha", game="stud_poker", jackpot="lisboa")
    assert "other rules at penha" in refused(house, lambda: drafted(house, table, jackpot_fixed_flush=1_000_00))
    assert drafted(house, table, min_ante=50_00).authorisation is False


def test_the_older_dispatch_of_stud_poker_leaves_no_choice_of_the_odds(house: House) -> None:
    older = house.table("guia", game="stud_poker", edition="69/2003")
    assert "royal_flush_odds" in refused(house, lambda: drafted(house, older, royal_flush_odds=60))
    assert "Nothing changes." in refused(house, lambda: drafted(house, older, royal_flush_odds=50))
    assert drafted(house, house.table("penha", game="stud_poker"), royal_flush_odds=60).authorisation


# ── The inspectorate ────────────────────────────────────────────────────────────────────────────────────────


@article("55/2004", "19")
def test_a_request_is_filed_three_working_days_ahead(house: House) -> None:
    table = house.table(**SHOE)
    change = drafted(house, table, tie_policy="return")

    def submit(filed: str, planned: str) -> OptionChange:
        dates = (date.fromisoformat(filed), date.fromisoformat(planned))
        return house_options.submit(change.drafted_by, change.pk, *dates, clock=house.clock)

    late = house.refused(lambda: submit("2026-08-03", "2026-08-05"))
    assert late.article == "19" and "may hold from 2026-08-06" in str(late.words)
    for filed in ("2026-08-02", "2026-08-04"):  # before the draft, and tomorrow
        assert "between the draft and today" in refused(house, partial(submit, filed, "2026-09-01"))
    assert submit("2026-08-03", "2026-08-06").state == "submitted"
    assert "another state" in refused(house, lambda: submit("2026-08-03", "2026-08-06"))
    assert Event.objects.latest("seq").after == {
        "change": change.pk,
        "options": {"tie_policy": "return"},
        "submitted_on": "2026-08-03",
        "planned_for": "2026-08-06",
    }


def test_dates_are_those_of_macau(house: House) -> None:
    table = house.table(**SHOE)
    house.clock.at = MONDAY.replace(hour=17)  # Tuesday in Macau
    change = drafted(house, table, tie_policy="return")

    def submit(filed: date) -> OptionChange:
        return house_options.submit(change.drafted_by, change.pk, filed, date(2026, 8, 7), clock=house.clock)

    assert "between the draft and today" in refused(house, lambda: submit(date(2026, 8, 3)))
    assert submit(date(2026, 8, 4)).submitted_on == date(2026, 8, 4)


def test_somebody_else_than_who_drafted_records_the_answer_with_its_reference(house: House) -> None:
    table = house.table(**SHOE)
    manager, other = member("shift_manager"), member("shift_manager", "other")
    change = drafted(house, table, manager, tie_policy="return")
    assert "another state" in refused(house, lambda: house_options.approve(other, change.pk, "17", clock=house.clock))
    house_options.submit(manager, change.pk, date(2026, 8, 3), date(2026, 8, 6), clock=house.clock)
    for by, reference, reason in (
        (manager, "17", "A second person"),
        (other, " ", "reference"),
        (other, "7" * 81, "reference"),
        (member("pit_boss"), "17", "right"),
        (member("surveillance"), "17", "right"),
    ):
        for answer in (house_options.approve, house_options.refuse):
            with pytest.raises(Refused, match=reason):
                answer(by, change.pk, reference, clock=house.clock)
    house_options.approve(other, change.pk, " DICJ 17 ", clock=house.clock)
    change.refresh_from_db()
    assert (change.state, change.reference, change.decided_by) == ("approved", "DICJ 17", other)
    assert deeds(table) == ["options_drafted", "options_submitted", "options_approved"]


def test_the_database_itself_wants_two_persons_a_request_and_a_reference(house: House) -> None:
    table = house.table(**SHOE)
    manager, other = member("shift_manager"), member("shift_manager", "other")
    change = drafted(house, table, manager, tie_policy="return")
    row = OptionChange.objects.filter(pk=change.pk)
    whole: dict[str, Any] = {
        "submitted_on": date(2026, 8, 3),
        "planned_for": date(2026, 8, 6),
        "decided_by": other,
        "reference": "DICJ 17",
        "adopted_at": house.clock.at,
    }
    missing = ({"decided_by": manager}, {"reference": ""}, {"submitted_on": None}, {"decided_by": None})
    for state in ("approved", "adopted"):
        for lacking in missing:
            with pytest.raises(IntegrityError), transaction.atomic():
                row.update(state=state, **(whole | lacking))
    with pytest.raises(IntegrityError), transaction.atomic():
        row.update(state="adopted", **(whole | {"adopted_at": None}))
    row.update(state="adopted", **whole)


def test_what_is_refused_or_withdrawn_never_holds(house: House) -> None:
    table = house.table("wheel", game="roulette")
    no = drafted(house, table, sector_definition="off")
    house_options.submit(no.drafted_by, no.pk, date(2026, 8, 3), date(2026, 8, 6), clock=house.clock)
    house_options.refuse(member("shift_manager"), no.pk, "DICJ 18", clock=house.clock)
    gone = approved(house, table, date(2026, 8, 6), zero_combinations="allowed")
    house_options.withdraw(gone.drafted_by, gone.pk, "not any more", clock=house.clock)
    open_ = drafted(house, table, bets_close="before_throw")
    assert refused(house, lambda: house_options.adopt(open_.drafted_by, open_.pk, clock=house.clock)).startswith(
        "This must be submitted"
    )
    go_to(house, table, MONDAY + timedelta(days=30))
    log = next_round(house, table)
    assert (log.options["sector_definition"], log.options["zero_combinations"]) == ("wheel_arcs", "none")
    assert log.options["bets_close"] == "on_bell"
    for over in (no.pk, gone.pk):
        with pytest.raises(Refused, match="another state"):
            house_options.withdraw(no.drafted_by, over, "once more", clock=house.clock)


# ── Adoption ────────────────────────────────────────────────────────────────────────────────────────────────


@article("60/2004", "9")
def test_roulette_plays_under_new_options_from_the_first_round_of_the_planned_day(house: House) -> None:
    table = house.table("wheel", game="roulette")
    change = approved(house, table, date(2026, 8, 6), sector_definition="layout_blocks", late_seconds=5)
    go_to(house, table, datetime(2026, 8, 5, 15, 59, 50, tzinfo=UTC))
    before = next_round(house, table)
    assert before.options["sector_definition"] == "wheel_arcs"
    go_to(house, table, datetime(2026, 8, 5, 16, 0, 1, tzinfo=UTC))
    assert house.log(table).options["sector_definition"] == "wheel_arcs", "a round ends as it began"
    after = next_round(house, table)
    assert (after.options["sector_definition"], after.options["late_seconds"]) == ("layout_blocks", 5)
    change.refresh_from_db()
    assert (change.state, change.log, change.adopted_at) == ("adopted", after, after.started_at)
    event = Event.objects.latest("seq")
    assert (event.deed, event.by, event.log) == ("options_adopted", None, after)
    assert next_round(house, table).options == after.options
    assert deeds(table).count("options_adopted") == 1
    for log in (before, after):
        log.refresh_from_db()
        assert list(log_entries(log))[-1].after.over
        record = record_of_log(log)
        assert record["options"]["sector_definition"] == log.options["sector_definition"]


def test_approval_that_comes_after_the_planned_day_lets_the_change_hold_from_then(house: House) -> None:
    table = house.table("dice", game="cussec")
    change = drafted(house, table, four_numbers_enabled=False)
    assert house_options.authorised_by(change) == "authorisation"
    house_options.submit(change.drafted_by, change.pk, date(2026, 8, 3), date(2026, 8, 6), clock=house.clock)
    go_to(house, table, MONDAY + timedelta(days=7))
    assert next_round(house, table).options["four_numbers_enabled"] is True
    house_options.approve(member("shift_manager"), change.pk, "DICJ 17", clock=house.clock)
    assert next_round(house, table).options["four_numbers_enabled"] is False


def test_baccarat_never_changes_in_the_middle_of_a_shoe(house: House) -> None:
    table = house.table(**SHOE)
    first = next_round(house, table)
    change = approved(house, table, date(2026, 8, 6), commission_mode="no_commission_six_half")
    now = adopted(house, table, pairs_enabled=False)
    go_to(house, table, MONDAY + timedelta(days=4))
    same = next_round(house, table)
    assert (same.shoe, same.options) == (first.shoe, first.options)
    change_shoe(table.pk)
    after = next_round(house, table)
    assert after.shoe != first.shoe
    assert after.options == first.options | {"commission_mode": "no_commission_six_half", "pairs_enabled": False}
    for one in (change, now):
        one.refresh_from_db()
        assert (one.state, one.log) == ("adopted", after)


def test_by_a_machine_every_round_of_baccarat_has_a_shoe_of_its_own(house: House) -> None:
    table = house.table()
    next_round(house, table)
    adopted(house, table, pairs_enabled=False)
    assert house.log(table).options["pairs_enabled"] is True
    assert next_round(house, table).options["pairs_enabled"] is False


@article("56/2004", "21")
def test_blackjack_changes_between_rounds_and_another_pack_comes_at_once(house: House) -> None:
    table = house.table("bank", game="blackjack", dealing_device="shoe", decks=6, initial_burn="single")
    first = next_round(house, table)
    change = approved(house, table, date(2026, 8, 6), double_rule="eleven_only")
    deck = approved(house, table, date(2026, 8, 7), decks=8)
    go_to(house, table, MONDAY + timedelta(days=3))
    second = next_round(house, table)
    assert (second.options["double_rule"], second.options["decks"], second.shoe) == ("eleven_only", 6, first.shoe)
    go_to(house, table, MONDAY + timedelta(days=4))
    third = next_round(house, table)
    assert third.options == second.options | {"decks": 8}
    assert third.shoe is not None and (third.shoe.number, third.shoe.decks) == (2, 8)
    change.refresh_from_db()
    deck.refresh_from_db()
    assert (change.log, deck.log) == (second, third)


def test_a_shoe_in_the_place_of_a_machine_is_cut_and_has_its_white_card(house: House) -> None:
    """What the machine last shuffled is not dealt on from as if it were a shoe."""
    table = house.table("bank", game="blackjack", decks=6)
    next_round(house, table)
    approved(house, table, date(2026, 8, 6), dealing_device="shoe", cut_card_depth=60)
    go_to(house, table, MONDAY + timedelta(days=3))
    next_round(house, table)
    house.until(table, "betting")
    shoe = Shoe.objects.filter(table=table).latest("number")
    assert shoe.white_at == 6 * 52 - 60 and shoe.cut


def test_what_needs_no_leave_holds_from_the_next_round(house: House) -> None:
    table = house.table("box", game="three_card_baccarat")
    next_round(house, table)
    change = adopted(house, table, tie_enabled=False)
    assert (change.state, change.planned_for) == ("approved", date(2026, 8, 3))
    assert house.log(table).options["tie_enabled"] is True
    log = next_round(house, table)
    assert log.options["tie_enabled"] is False
    change.refresh_from_db()
    assert (change.state, change.log) == ("adopted", log)
    assert deeds(table) == ["options_drafted", "options_decided", "options_adopted"]
    other = drafted(house, table, tie_enabled=True)
    filed = date(2026, 8, 3)
    assert "No article" in refused(
        house, lambda: house_options.submit(other.drafted_by, other.pk, filed, filed, clock=house.clock)
    )


def test_stakes_that_lie_on_are_decided_under_the_options_they_were_laid_under(house: House) -> None:
    table, ana = house.table("wheel", game="roulette", auto_leave_winners=True), house.player("ana")
    house.throw(7, 7, 8)
    house.until(table, "betting")
    house.bet(ana, table, "straight_7", 10)
    won = house.play_out(table)
    change = approved(house, table, date(2026, 8, 6), enabled_bets=["red_black"])
    go_to(house, table, MONDAY + timedelta(days=3))
    on = next_round(house, table)
    assert on.pk != won.pk and "red_black" in on.options["enabled_bets"] and "straight" in on.options["enabled_bets"]
    next_round(house, table)
    lost = house.play_out(table)
    after = next_round(house, table)
    assert lost.options == on.options and after.options["enabled_bets"] == ["red_black"]
    change.refresh_from_db()
    assert change.log == after


def test_a_change_that_gives_them_back_does_not_wait_for_them(house: House) -> None:
    table, ana = house.table("wheel", game="roulette", auto_leave_winners=True), house.player("ana")
    house.throw(7)
    house.until(table, "betting")
    house.bet(ana, table, "straight_7", 10)
    house.play_out(table)
    adopted(house, table, auto_leave_winners=False)
    balance = house.balance(ana)
    assert next_round(house, table).options["auto_leave_winners"] is False
    house.until(table, "betting")
    assert house.balance(ana) == balance + 10_00


def test_what_does_not_go_together_any_more_is_not_adopted_and_says_so_once(house: House) -> None:
    table = house.table("bank", game="blackjack", decks=6)
    boxes = approved(house, table, date(2026, 8, 6), boxes=6)
    most = approved(house, table, date(2026, 8, 6), max_boxes_per_player=7)
    go_to(house, table, MONDAY + timedelta(days=3))
    for _ in range(3):
        log = next_round(house, table)
        assert (log.options["boxes"], log.options["max_boxes_per_player"]) == (6, 3)
    boxes.refresh_from_db()
    most.refresh_from_db()
    assert (boxes.state, most.state, most.log) == ("adopted", "approved", None)
    assert deeds(table)[-2:] == ["options_adopted", "options_not_adopted"]
    event = Event.objects.latest("seq")
    assert event.why == "max_boxes_per_player cannot be more than the boxes"
    back = approved(house, table, date(2026, 8, 11), boxes=7)
    go_to(house, table, MONDAY + timedelta(days=8))
    log = next_round(house, table)
    assert (log.options["boxes"], log.options["max_boxes_per_player"]) == (7, 7), "each waits for the other"
    back.refresh_from_db()
    most.refresh_from_db()
    assert (back.log, most.log) == (log, log)


def test_whoever_sits_where_no_seat_is_left_stands_up(house: House) -> None:
    table = house.table("bank", game="blackjack", decks=6)
    ana, rui = house.player("ana"), house.player("rui")
    for player, seat in ((ana, 6), (rui, 7)):
        seating.sit(player.pk, table.pk, seat, clock=house.clock)
    approved(house, table, date(2026, 8, 6), boxes=6)
    go_to(house, table, MONDAY + timedelta(days=3), ana, rui)
    log = next_round(house, table)
    assert log.opening["seats"] == {ana.key: 6}
    assert list(Seat.objects.filter(table=table).values_list("player", flat=True)) == [ana.pk]


def test_no_round_is_opened_for_the_sake_of_a_change(house: House) -> None:
    table = house.table("box", game="three_card_baccarat")
    adopted(house, table, tie_enabled=False)
    house.clock.pass_(minutes=5)
    assert not house.advance(table).acted
    assert Table.objects.get(pk=table.pk).options["tie_enabled"] is True


# ── What is asked ───────────────────────────────────────────────────────────────────────────────────────────


def test_what_waits_and_what_was_is_told(house: House) -> None:
    table = house.table("box", game="three_card_baccarat")
    wheel = house.table("wheel", game="roulette")
    draft = drafted(house, wheel, zero_combinations="allowed")
    later = approved(house, wheel, date(2026, 9, 1), sector_definition="off")
    soon = adopted(house, table, tie_enabled=False)
    assert house_options.waiting() == [soon, later, draft]
    assert house_options.opened_with(table) == (Table.objects.get(pk=table.pk).options, None)
    log = next_round(house, table)
    house_options.withdraw(draft.drafted_by, draft.pk, "no", clock=house.clock)
    assert house_options.waiting() == [later]
    assert [change.log for change in house_options.history(table)] == [log]
    assert [change.state for change in house_options.history(wheel)] == ["withdrawn"]
    options, first = house_options.opened_with(table)
    assert first == log and options["tie_enabled"] is True, "the first round was played under the first change"
