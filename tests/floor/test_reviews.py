"""A dispute on its pages: asked for on the page of the round, ruled on beside it and the ledger, answered where it was
asked."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client

from tables.base.clock import DATABASE_CLOCK
from tables.models import Adjustment, Player, Review, RoundLog
from tables.services.rounds import seating
from tests.house.kit import House

from .pit_kit import approve, browser, browser_of, member

pytestmark = pytest.mark.django_db

SAID = {"reason": "payment", "words": "I had the banker"}


@pytest.fixture
def house() -> House:
    return House()


def played(house: House) -> tuple[RoundLog, Player, Player]:
    """A round that Ana has lost and Bea has won, as if it had just been played."""
    table, ana, bea = house.table(), house.player("ana"), house.player("bea")
    house.stack("9s 2c Kd 3h")
    house.until(table, "betting")
    house.bet(ana, table, "banker", 100)
    house.bet(bea, table, "player", 50)
    log = house.play_out(table)
    RoundLog.objects.filter(pk=log.pk).update(settled_at=DATABASE_CLOCK.now())
    return log, ana, bea


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    return answer.content.decode()


def text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def asked(log: RoundLog, player: Player) -> Review:
    answer = browser_of(player).post(f"/rounds/{log.pk}/review/", SAID)
    assert answer["Location"] == f"/rounds/{log.pk}/#review"
    return Review.objects.latest("pk")


def test_asked_looked_at_answered_and_read_where_it_was_asked(house: House) -> None:
    log, ana, _ = played(house)
    mine, boss = browser_of(ana), member("pit_boss", "Rosa Lei")
    here = f"/rounds/{log.pk}/"
    assert "Send it to the pit" in page(mine, here)
    review = asked(log, ana)
    shown = text(page(mine, here))
    assert "review: asked for" in shown and "I had the banker" in shown and "Send it to the pit" not in shown
    assert "review: asked for" in text(page(mine, "/history/"))
    pit = browser_of(boss)
    assert f'<a href="/pit/reviews/{review.pk}/">Ana, round 1</a>' in page(pit, "/pit/")
    listed = page(pit, "/pit/reviews/")
    assert 'id="pit-count-reviews"' in listed and 'data-count="1"' in listed
    assert all(said in text(listed) for said in ("Jade 1", "Ana", "100.00", "I was paid wrongly"))
    pit.post(f"/pit/reviews/{review.pk}/take/")
    assert "the pit is looking at it" in text(page(mine, here))
    empty = pit.post(f"/pit/reviews/{review.pk}/stand/", {"stand-answer": " "})
    assert empty.status_code == 400
    pit.post(f"/pit/reviews/{review.pk}/stand/", {"stand-answer": "The bank had 5."})
    note = f'<a href="{here}#review">'
    for path in ("/", "/account/", "/history/"):
        assert note in page(mine, path), path
    answered = text(page(mine, here))
    assert "review: the round stands" in answered and "The bank had 5." in answered
    assert "Answered by the pit boss" in answered and "Rosa" not in answered
    assert note not in page(mine, "/")
    assert "review: the round stands" in text(page(mine, "/history/"))
    assert "Rosa Lei" in text(page(pit, "/pit/reviews/"))


def test_adjusted_by_two_and_the_player_reads_it_with_the_credits(house: House) -> None:
    log, ana, _ = played(house)
    review, boss, manager = asked(log, ana), member("pit_boss"), member("shift_manager")
    said = {"adjust-credits": "100", "adjust-answer": "Your stake was taken by mistake."}
    pit = browser_of(boss)
    bad = pit.post(f"/pit/reviews/{review.pk}/adjust/", {**said, "adjust-credits": "0"})
    assert bad.status_code == 400 and "An adjustment moves something." in bad.content.decode()
    pit.post(f"/pit/reviews/{review.pk}/adjust/", said)
    mine = browser_of(ana)
    before = text(page(mine, f"/rounds/{log.pk}/"))
    assert "looking at it" in before and "mistake" not in before
    assert "an adjustment waits" in text(page(pit, "/pit/reviews/"))
    approve(manager, f"/pit/adjustments/{Adjustment.objects.get().pk}/approve/")
    after = text(page(mine, f"/rounds/{log.pk}/"))
    assert "review: adjusted" in after and "Your stake was taken by mistake." in after and "+100.00" in after
    assert house.balance(ana) == 1_000_000
    house.in_order()


def test_the_pit_sees_the_round_as_each_saw_it_beside_the_ledger(house: House) -> None:
    log, ana, bea = played(house)
    review, eyes = asked(log, ana), browser("surveillance")
    here = f"/pit/reviews/{review.pk}/"
    shown = page(eyes, here)
    own = re.findall(r'<tr\s+class="is-theirs"\s*>(.*?)</tr>', shown, re.DOTALL)
    assert [("Ana" in row, "100.00" in row) for row in map(text, own)] == [(True, True)]
    assert "Lost stake" in text(shown) and "agrees with the ledger" in text(shown) and "I had the banker" in shown
    assert (
        f'href="{here}as/{bea.key}/?step={log.version}"' in shown
        and f'href="{here}as/spectator/?step={log.version}"' in shown
    )
    assert "/take/" not in shown and "/stand/" not in shown and "/adjust/" not in shown
    for key in (ana.key, bea.key, "spectator"):
        assert eyes.get(f"{here}as/{key}/", {"step": log.version}).status_code == 200
    cleo = house.player("cleo")
    for key in (cleo.key, "p999999", "nobody"):
        assert eyes.get(f"{here}as/{key}/").status_code == 404


def test_the_round_of_somebody_else_is_not_there(house: House) -> None:
    log, ana, _ = played(house)
    cleo = browser_of(house.player("cleo"))
    assert cleo.post(f"/rounds/{log.pk}/review/", SAID).status_code == 404
    assert cleo.post("/rounds/999999/review/", SAID).status_code == 404
    assert Client().post(f"/rounds/{log.pk}/review/", SAID)["Location"].startswith("/accounts/login/")
    asked(log, ana)
    assert "I had the banker" not in page(browser_of(_), f"/rounds/{log.pk}/")
    assert Review.objects.count() == 1


def test_what_is_refused_says_why_and_keeps_what_was_typed(house: House) -> None:
    log, ana, _ = played(house)
    mine, here = browser_of(ana), f"/rounds/{log.pk}/review/"
    for said, why in (
        ({"words": "I had the banker"}, "Choose what it is about."),
        ({**SAID, "words": "I had the banker" + "r" * 500}, "at most 500 characters"),
        ({**SAID, "reason": "fun", "words": "I had the banker"}, "not one of the available choices"),
    ):
        answer = mine.post(here, said)
        assert answer.status_code == 400
        assert why in answer.content.decode() and "I had the banker" in answer.content.decode()
    RoundLog.objects.filter(pk=log.pk).update(settled_at=DATABASE_CLOCK.now() - timedelta(days=7))
    late = mine.post(here, SAID)
    assert late.status_code == 400 and "within 7 days" in late.content.decode()
    assert "Send it to the pit" not in page(mine, f"/rounds/{log.pk}/")
    assert mine.get(here)["Location"] == f"/rounds/{log.pk}/", "to where a change of language leads"
    assert not Review.objects.exists()


def test_who_had_a_seat_alone_is_offered_nothing(house: House) -> None:
    table, ana, bea = house.table(), house.player("ana"), house.player("bea")
    seating.sit(bea.pk, table.pk, 3, clock=house.clock)
    house.until(table, "betting")
    house.bet(ana, table, "banker", 100)
    log = house.play_out(table)
    seated = browser_of(bea)
    assert 'id="review"' not in page(seated, f"/rounds/{log.pk}/")
    refused = seated.post(f"/rounds/{log.pk}/review/", SAID)
    assert refused.status_code == 400 and not Review.objects.exists()


def test_a_guest_asks_like_everybody(house: House) -> None:
    guest = Client()
    guest.post("/guest/")
    player, table = Player.objects.get(guest=True), house.table()
    house.until(table, "betting")
    house.bet(player, table, "banker", 10)
    log = house.play_out(table)
    assert guest.post(f"/rounds/{log.pk}/review/", SAID).status_code == 302
    assert Review.objects.get().player == player
