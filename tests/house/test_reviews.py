"""A dispute begins with the player: who may ask for a review, who rules on it, and that nothing of it changes later."""

from __future__ import annotations

from functools import partial

import pytest
from django.db import DatabaseError, connection, transaction

from tables.models import Adjustment, Alert, Event, Player, Review, RoundLog
from tables.proof import laws
from tables.queries.reviews import open_reviews, unread_of
from tables.services.pit import adjustments, approvals, rulings
from tables.services.pit import reviews as pit
from tables.services.pit.deeds import Void
from tables.services.players import people, reviews
from tables.services.rounds import seating

from .kit import House, why_not, without_guards

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return House()


def member(role: str, name: str = "") -> Player:
    return Player.objects.create(username=name or role, name=name or role, role=role)


def played(house: House, *, slug: str = "jade") -> tuple[RoundLog, Player]:
    """A round in which Ana has lost 100."""
    table, ana = house.table(slug), house.player(f"ana-{slug}")
    house.stack("9s 2c Kd 3h")
    house.until(table, "betting")
    house.bet(ana, table, "banker", 100)
    return house.play_out(table), ana


def ask(house: House, log: RoundLog, player: Player, reason: str = "payment", words: str = "I won") -> Review:
    return reviews.ask(player.pk, log.pk, reason, words, clock=house.clock)


# ── Asking ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_review_is_asked_for_once_and_the_pit_is_told(house: House) -> None:
    log, ana = played(house)
    review = ask(house, log, ana, words="  I had\nthe  banker\u202e ")
    assert (review.words, review.asked_at, list(open_reviews())) == ("I had the banker", house.clock.at, [review])
    alert = Alert.objects.get(kind=Alert.Kind.REVIEW)
    assert (alert.table, alert.log) == (log.table, log)
    event = Event.objects.get(deed=Event.Kind.REVIEW_ASKED)
    assert (event.by, event.log, event.why) == (ana, log, "I had the banker")
    assert "already" in why_not(lambda: ask(house, log, ana))
    pit.stand(member("pit_boss"), review.pk, "The bank had 5.", clock=house.clock)
    assert ask(house, log, ana, words="look at the third card").outcome is None, "an answer may be doubted"
    house.in_order()


def test_for_seven_days_to_the_second(house: House) -> None:
    log, ana = played(house)
    house.clock.pass_(days=7)
    assert "within 7 days" in why_not(lambda: ask(house, log, ana))
    house.clock.pass_(seconds=-1)
    assert ask(house, log, ana).outcome is None


def test_only_whoever_had_a_stake_in_a_round_that_is_over(house: House) -> None:
    table, ana, bea = house.table(), house.player("ana"), house.player("bea")
    seating.sit(bea.pk, table.pk, 3, clock=house.clock)
    house.until(table, "betting")
    house.bet(ana, table, "banker", 100)
    assert "still being played" in why_not(lambda: ask(house, house.log(table), ana))
    log = house.play_out(table)
    assert "no stake" in why_not(lambda: ask(house, log, bea))
    Player.objects.filter(pk=ana.pk).update(role="cage")
    assert "Staff" in why_not(lambda: ask(house, log, ana))
    assert not Review.objects.exists()


def test_what_is_asked_is_said_in_at_most_500_characters(house: House) -> None:
    log, ana = played(house)
    assert "500" in why_not(lambda: ask(house, log, ana, words="x" * 501))
    assert "nothing to read" in why_not(lambda: ask(house, log, ana, words=" \n\u200b "))
    assert "Choose" in why_not(lambda: ask(house, log, ana, "fun"))
    assert ask(house, log, ana, words="x" * 500).words == "x" * 500


def test_nobody_floods_the_pit_with_reviews(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "MOST_A_DAY", 1)
    monkeypatch.setattr(reviews, "MOST_OF_A_NETWORK", 2)
    table = house.table()
    guests = [people.new_guest("192.0.2.7", clock=house.clock) for _ in range(3)]
    logs = []
    for _ in range(2):
        house.until(table, "betting")
        for guest in guests:
            house.bet(guest, table, "player", 1)
        logs.append(house.play_out(table))
    ask(house, logs[0], guests[0])
    assert "within a day" in why_not(lambda: ask(house, logs[1], guests[0]))
    ask(house, logs[0], guests[1])
    assert "your network" in why_not(lambda: ask(house, logs[0], guests[2]))
    house.clock.pass_(hours=24)
    ask(house, logs[1], guests[0])


# ── Ruling ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_round_stands_and_the_player_is_told_once(house: House) -> None:
    log, ana = played(house)
    boss, review = member("pit_boss"), ask(house, log, ana)
    pit.take(boss, review.pk, clock=house.clock)
    assert not Alert.objects.filter(acknowledged_at=None, kind=Alert.Kind.REVIEW).exists()
    assert "already" in why_not(lambda: pit.take(member("pit_boss", "other"), review.pk, clock=house.clock))
    assert unread_of(ana) == []
    assert "Write" in why_not(lambda: pit.stand(boss, review.pk, " ", clock=house.clock))
    assert "500" in why_not(lambda: pit.stand(boss, review.pk, "x" * 501, clock=house.clock))
    pit.stand(boss, review.pk, "The bank had 5.", clock=house.clock)
    assert "answered already" in why_not(lambda: pit.stand(boss, review.pk, "No.", clock=house.clock))
    review.refresh_from_db()
    assert (review.outcome, review.answer, review.decided_by, review.decided_as, review.decided_at) == (
        "stands", "The bank had 5.", boss, "pit_boss", house.clock.at,
    )  # fmt: skip
    assert unread_of(ana) == [review] and not open_reviews().exists()
    reviews.read(ana, log, clock=house.clock)
    assert unread_of(ana) == []
    told = Event.objects.filter(deed__startswith="review").order_by("seq").values_list("deed", "by")
    assert list(told) == [("review_asked", ana.pk), ("review_taken", boss.pk), ("review_ruled", boss.pk)]
    house.in_order()


@pytest.mark.parametrize("role", ["surveillance", "cage", ""])
def test_who_rules_must_have_the_right(house: House, role: str) -> None:
    log, ana = played(house)
    review, other = ask(house, log, ana), member(role, "other")
    for deed in (
        lambda: pit.take(other, review.pk, clock=house.clock),
        lambda: pit.stand(other, review.pk, "so", clock=house.clock),
    ):
        assert "right" in why_not(deed)


def test_an_adjustment_answers_when_the_second_person_approves_it(house: House) -> None:
    log, ana = played(house)
    boss, manager, review = member("pit_boss"), member("shift_manager"), ask(house, log, ana)

    def propose(cents: int, why: str) -> Adjustment:
        return adjustments.ask(boss, ana.pk, cents, why, log=log.pk, review=review.pk, clock=house.clock)

    refused = propose(50_00, "half of it")
    assert "waits for a second person" in why_not(lambda: propose(100_00, "all of it"))
    assert "waits for a second person" in why_not(lambda: pit.stand(boss, review.pk, "No.", clock=house.clock))
    adjustments.refuse(manager, refused.pk, "all or nothing", clock=house.clock)
    review.refresh_from_db()
    assert (review.outcome, unread_of(ana)) == (None, []), "nothing is promised that did not come"
    asked = propose(100_00, "The dealer took your stake by mistake.")
    before = house.balance(ana)
    adjustments.approve(manager, asked.pk, clock=house.clock)
    review.refresh_from_db()
    assert (review.outcome, review.adjustment, review.decided_by, review.decided_as) == (
        "adjusted", asked, boss, "pit_boss",
    )  # fmt: skip
    assert (review.answer, house.balance(ana)) == ("The dealer took your stake by mistake.", before + 100_00)
    house.in_order()


def test_an_adjustment_settles_the_review_of_its_own_round_alone(house: House) -> None:
    (log, ana), (other_log, other) = played(house), played(house, slug="ruby")
    boss, review = member("pit_boss"), ask(house, log, ana)
    assert "another round" in why_not(
        lambda: adjustments.ask(boss, other.pk, 1, "why", log=other_log.pk, review=review.pk, clock=house.clock)
    )
    assert not Adjustment.objects.exists()


def test_nobody_rules_on_what_they_have_ruled_themselves(house: House) -> None:
    """ADR 28: not who ruled in the round, nor who approved that it was void, nor the player once they are staff."""
    table, ana = house.table(), house.player("ana")
    boss, second, third = member("pit_boss"), member("shift_manager"), member("shift_manager", "third")
    house.until(table, "betting")
    house.bet(ana, table, "banker", 100)
    log = house.log(table)
    (name, *_) = [what.name for what, open_ in rulings.open_to(log) if open_ and what.boxes is None]
    request = approvals.ask(boss, Void(log.pk, name, None, house.ref()), "a mishap", clock=house.clock)
    approvals.approve(second, request.pk, clock=house.clock)
    review = ask(house, RoundLog.objects.get(pk=log.pk), ana)
    for one in (boss, second):
        assert "ruled in this round" in why_not(partial(pit.stand, one, review.pk, "so", clock=house.clock))
    asked = adjustments.ask(third, ana.pk, 1_00, "so", log=log.pk, review=review.pk, clock=house.clock)
    assert "ruled in this round" in why_not(lambda: adjustments.approve(second, asked.pk, clock=house.clock))
    adjustments.refuse(third, asked.pk, "another way", clock=house.clock)
    Player.objects.filter(pk=ana.pk).update(role="pit_boss")
    ana.refresh_from_db()
    assert "of their own" in why_not(lambda: pit.stand(ana, review.pk, "so", clock=house.clock))
    pit.stand(third, review.pk, "It was right to void it.", clock=house.clock)


# ── What is written ─────────────────────────────────────────────────────────────────────────────────────────


def test_what_was_asked_and_answered_never_changes(house: House) -> None:
    log, ana = played(house)
    review = ask(house, log, ana)
    pit.stand(member("pit_boss"), review.pk, "The bank had 5.", clock=house.clock)
    row = Review.objects.filter(pk=review.pk)
    for change in (
        {"words": "nothing"},
        {"asked_at": log.started_at},
        {"answer": "You are right."},
        {"decided_by": member("shift_manager")},
        {"outcome": None, "answer": None, "decided_by": None, "decided_as": None, "decided_at": None},
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            row.update(**change)
    with pytest.raises(DatabaseError), transaction.atomic():
        row.delete()


def test_the_audit_finds_an_answer_that_the_pit_did_not_give(house: House) -> None:
    log, ana = played(house)
    boss, review = member("pit_boss"), ask(house, log, ana)
    pit.stand(boss, review.pk, "The bank had 5.", clock=house.clock)
    assert list(laws.faults()) == []
    asked = adjustments.ask(boss, ana.pk, 5_00, "so", log=log.pk, clock=house.clock)
    without_guards()
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tables_review SET outcome = 'adjusted', adjustment_id = %s WHERE id = %s", [asked.pk, review.pk]
        )
    assert list(laws.faults()) == [
        f"review {review.pk} is answered otherwise than the events say",
        f"review {review.pk} speaks of adjustment {asked.pk}, which is of something else or not approved",
    ]
