"""A dispute on its pages: asked for on the page of the round, ruled on beside it and the ledger, answered where it was
asked."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client

from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right
from tables.games.contract.errors import Refused
from tables.models import Adjustment, Player, Realm, Review, RoundLog, Table
from tables.services.players import reviews
from tables.services.rounds import seating
from tests.house.kit import House

from .pit_kit import ROLES, approve, browser, browser_of, member, those_who_may

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
    assert counted(listed) == {"reviews": 1, "approvals": 1}
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


def counted(html: str) -> dict[str, int]:
    """What the bar of the pit says of what waits."""
    found = re.findall(r'id="pit-count-(reviews|approvals)"[^>]*data-count="(\d+)"', html)
    return {what: int(count) for what, count in found}


def test_the_page_of_the_round_in_the_pit_leads_to_each_review_of_it(house: House) -> None:
    log, ana, bea = played(house)
    pit = browser("surveillance")
    assert "/pit/reviews/" not in page(pit, f"/pit/rounds/{log.pk}/").split("<main")[1]
    first, second = asked(log, ana), asked(log, bea)
    browser_of(member("pit_boss", "Rosa")).post(f"/pit/reviews/{first.pk}/stand/", {"stand-answer": "No."})
    panel = page(pit, f"/pit/rounds/{log.pk}/as/{ana.key}/").split('id="reviews-title"')[1].split("</section>")[0]
    assert re.findall(r'href="(/pit/reviews/\d+/)"', panel) == [f"/pit/reviews/{one.pk}/" for one in (first, second)]
    assert re.findall(r"(Ana|Bea) : I was paid wrongly (The round stands|new)", text(panel)) == [
        ("Ana", "The round stands"), ("Bea", "new"),
    ]  # fmt: skip
    house.step(log.table)
    house.until(log.table, "betting")
    house.bet(bea, log.table, "player", 10)
    other = house.play_out(log.table)
    assert other != log and "reviews-title" not in page(pit, f"/pit/rounds/{other.pk}/")


def test_it_stands_in_the_list_of_all_that_waits_and_counts_there_once(house: House) -> None:
    """An adjustment that would settle a review waits in its place."""
    log, ana, _ = played(house)
    review, boss, manager = asked(log, ana), member("pit_boss"), member("shift_manager")
    pit = browser_of(boss)
    link = f'href="/pit/reviews/{review.pk}/"'

    def waiting() -> str:
        return page(pit, "/pit/approvals/").split('id="waiting-title"')[1].split("</section>")[0]

    assert link in waiting() and "Round 1 at Jade" in text(waiting()) and "I had the banker" in waiting()
    assert "/approve/" not in waiting()
    assert counted(page(pit, "/pit/")) == {"reviews": 1, "approvals": 1}
    pit.post(f"/pit/reviews/{review.pk}/adjust/", {"adjust-credits": "100", "adjust-answer": "Ours."})
    assert link not in waiting() and "100.00 to Ana" in text(waiting())
    assert counted(page(pit, "/pit/")) == {"reviews": 1, "approvals": 1}
    approve(manager, f"/pit/adjustments/{Adjustment.objects.get().pk}/approve/")
    assert "Nothing waits." in waiting() and counted(page(pit, "/pit/")) == {"reviews": 0, "approvals": 0}


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


def test_who_may_watch_reads_it_and_only_who_may_rule_reaches_the_buttons(house: House) -> None:
    log, ana, bea = played(house)
    review = asked(log, ana)
    here = f"/pit/reviews/{review.pk}/"
    read = (here, "/pit/reviews/", f"{here}as/{ana.key}/", "/pit/approvals/")
    pressed: tuple[tuple[str, dict[str, str]], ...] = (
        (f"{here}take/", {}),
        (f"{here}stand/", {"stand-answer": ""}),
        (f"{here}adjust/", {"adjust-credits": "0"}),
    )
    for role in ROLES:
        client = browser(role)
        seen = 200 if role in those_who_may(Right.WATCH) else 403
        assert [client.get(path).status_code for path in read] == [seen] * len(read), role
        done = [302, 400, 400] if role in those_who_may(Right.REVIEW) else [403] * 3
        assert [client.post(*each).status_code for each in pressed] == done, role
    mine = browser_of(bea)
    assert {mine.get(path).status_code for path in read} == {mine.post(*each).status_code for each in pressed} == {404}
    review.refresh_from_db()
    assert (review.outcome, review.adjustment) == (None, None)


def test_nobody_of_the_staff_asks_and_no_visitor_of_a_kiosk(house: House) -> None:
    log, ana, _ = played(house)
    Player.objects.filter(pk=ana.pk).update(role="cage")
    with pytest.raises(Refused, match="Staff"):
        reviews.ask(ana.pk, log.pk, "payment", "so")
    Player.objects.filter(pk=ana.pk).update(role="")
    Table.objects.filter(pk=log.table_id).update(realm=Realm.KIOSKS)
    refused = browser_of(ana).post(f"/rounds/{log.pk}/review/", SAID)
    assert refused.status_code == 400 and "demo credits are not reviewed" in refused.content.decode()
    assert not Review.objects.exists()


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
