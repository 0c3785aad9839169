"""The edition in force: a table goes over at midnight in Macau, and each round is played, paid and replayed under its
own."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client

from tables.felt.private import Viewer, private_fragments
from tables.felt.public import public_fragments
from tables.felt.rules import anchor
from tables.games import GAMES
from tables.games.contract.editions import Edition, edition_on, replaced_on
from tables.games.record import outcome_of
from tables.games.shared.options import options_json, under
from tables.games.stud_poker.phases import Raise
from tables.models import Alert, Event, Player, RoundLog, Table
from tables.proof import reconciliation
from tables.queries.history import record_of_log
from tables.queries.table import table_state
from tables.services.journal import alerts
from tables.services.pit import options as house_options
from tables.services.pit import rulings
from tables.services.rounds import seating
from tests.floor.pit_kit import browser, browser_of, member
from tests.kit import article

from .kit import House, void_round
from .test_jackpots import Floor
from .test_options import drafted, go_to, refused

MIDNIGHT = datetime(2004, 5, 17, 16, tzinfo=UTC)
"""Midnight in Macau: with it 61/2004 comes into force."""

ROYAL, BROKEN = "As Ks Qs Js Ts", "Ac Kh 4d 3s 2c"
"""A royal flush, and a dealer's hand that just qualifies."""


@pytest.fixture
def house(house: House) -> House:
    house.clock.at = MIDNIGHT - timedelta(seconds=10)
    return house


def seated(house: House, table: Table) -> Player:
    """Ana, at box 1."""
    ana = house.player("ana")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    return ana


def royal(house: House, table: Table, ana: Player) -> RoundLog:
    """A round in which Ana raises on a royal flush; its record, played again, says what the ledger says."""
    house.stack(f"{ROYAL} {BROKEN}")
    house.until(table, "betting")
    house.bet(ana, table, "ante", 100, 1)
    house.until(table, "look_and_decide")
    house.decide(ana, table, Raise)
    log = house.play_out(table)
    assert reconciliation.reconcile(log).faults == ()
    return log


def told(house: House, table: Table) -> str:
    """What everybody at the table is told."""
    return public_fragments(table_state(table.pk, clock=house.clock))["rulings"]


# ── A change at midnight ────────────────────────────────────────────────────────────────────────────────────


@article("61/2004", "9(5)(9)")
def test_a_table_goes_over_at_midnight_and_each_round_keeps_its_own_edition(house: House) -> None:
    table = house.table(game="stud_poker")
    ana = seated(house, table)
    house.stack(f"{ROYAL} {BROKEN}")
    house.until(table, "betting")
    assert "From midnight on edition 61/2004 of the regulation holds" in told(house, table)
    house.bet(ana, table, "ante", 100, 1)
    house.until(table, "look_and_decide")
    assert house.clock.at >= MIDNIGHT  # staked before it, dealt after it
    assert "From the next round on edition 61/2004 of the regulation holds" in told(house, table)
    house.decide(ana, table, Raise)
    before = house.play_out(table)
    after = royal(house, table, ana)
    assert "From this round on edition 61/2004 of the regulation holds" in told(house, table)

    paid = {"69/2003": 10_400_00, "61/2004": 20_400_00}  # 50 to 1, then 100 to 1 by default, on a raise of 200
    assert before.started_at < MIDNIGHT <= after.started_at
    for log, edition in ((before, "69/2003"), (after, "61/2004")):
        record = record_of_log(log)
        assert (log.edition, log.options["edition"], record["edition"]) == (edition, edition, edition)
        assert outcome_of(record)["returned"] == {ana.key: paid[edition]}
        assert log.played.get().returned == paid[edition]
    event = Event.objects.get(deed="edition")
    assert (event.log, event.by) == (after, None)
    assert event.before == {"edition": "69/2003", "royal_flush_odds": None}
    assert event.after == {"options": {"edition": "61/2004", "royal_flush_odds": 100}, "fallen": []}
    third = royal(house, table, ana)
    assert third.edition == "61/2004" and "edition" not in told(house, table)


def test_the_pages_say_which_edition_held(house: House) -> None:
    table = house.table(game="stud_poker")
    ana = seated(house, table)
    before = royal(house, table, ana)
    after = royal(house, table, ana)
    seating.stand_up(ana.pk, table.pk, clock=house.clock)
    client = Client()
    client.force_login(ana, backend="django.contrib.auth.backends.ModelBackend")
    for log in (before, after):
        assert f"Edition {log.edition}" in client.get(f"/rounds/{log.pk}/").content.decode()
    rules = client.get(f"/rules/stud_poker/?table={table.slug}").content.decode()
    assert "edition 61/2004" in rules and "In force since 2004-05-18." in rules
    old = house.table("guia", game="stud_poker", edition="69/2003")
    rules = client.get(f"/rules/stud_poker/?table={old.slug}").content.decode()
    assert "In force since 2003-09-09." in rules and "Another took its place on 2004-05-18." in rules
    history = browser("pit_boss").get(f"/pit/tables/{table.slug}/options/history/").content.decode()
    ordered = history.split('id="orders-title"')[1].split("</section>")[0]
    assert "<b>61/2004</b>" in ordered and f'href="/pit/rounds/{after.pk}/"' in ordered
    rules = client.get("/rules/baccarat/").content.decode()
    assert "In force since 2011-09-27 at the earliest" in rules
    first = house.table("lotus", edition="55/2004")
    rules = client.get(f"/rules/baccarat/?table={first.slug}").content.decode()
    assert "In force since 2004-05-18." in rules and "Another took its place on 2005-11-29." in rules
    assert "In force since 1996-02-13 at the earliest" in client.get("/rules/three_card_baccarat/").content.decode()


def titles(html: str, number: str) -> set[str]:
    """What the citations of this article say on a page, whether pressed or heard."""
    cited = rf'data-rule="stud_poker/#{anchor(number)}" title="([^"]*)"'
    return {unescape(said) for said in re.findall(cited, html)}


@article("61/2004", "6", "9(5)(9)", "13", "R20", "R22")
def test_each_edition_is_cited_and_told_in_its_own_words(house: House) -> None:
    """The page of rules, the felt, the replay and the pit: a round says all its days what its own edition says."""
    table = house.table(game="stud_poker")
    ana = seated(house, table)
    before = royal(house, table, ana)
    felt = {before.edition: own_result(house, table, ana)}
    after = royal(house, table, ana)
    felt[after.edition] = own_result(house, table, ana)
    assert list(felt) == ["69/2003", "61/2004"]
    seating.stand_up(ana.pk, table.pk, clock=house.clock)
    client, boss = Client(), browser("pit_boss")
    client.force_login(ana, backend="django.contrib.auth.backends.ModelBackend")
    pays = {
        "69/2003": "A royal flush pays 50 to 1 on the raise, at most",
        "61/2004": "A royal flush pays 50 to 1 up to 100 to 1 on the raise, as the house chooses, at most",
    }
    for log in (before, after):
        replay = f"?step={log.version}"
        rules = client.get(f"/rules/stud_poker/?round={log.pk}").content.decode()
        for page in (
            felt[log.edition],
            client.get(f"/rounds/{log.pk}/{replay}").content.decode(),
            boss.get(f"/pit/rounds/{log.pk}/as/{ana.key}/{replay}").content.decode(),
            rules,
        ):
            (said,) = titles(page, "9(5)(9)")
            assert said.startswith(pays[log.edition]), (log.edition, said)
        own = GAMES["stud_poker"].articles_of(log.edition)
        assert f"Regulation {log.edition}, edition {log.edition}" in rules
        assert set(re.findall(r'<div id="(art-[^"]+)"', rules)) == {anchor(number) for number in own}
        for number, about in own.items():
            assert titles(rules, number) == {str(about.says)}, number
        assert [number in own for number in ("6", "13", "R20", "R22")] == [True, *[log is after] * 2, True]


def own_result(house: House, table: Table, player: Player) -> str:
    """The round's end as its bettor reads it at the table."""
    return private_fragments(table_state(table.pk, clock=house.clock), Viewer(key=player.key, name=str(player)))[
        "my-result"
    ]


def test_the_pit_reads_in_the_edition_of_the_round_what_it_has_ruled(house: House) -> None:
    table = house.table(game="stud_poker", shuffle_method="shuffler")
    ana = seated(house, table)
    boss, second = member("pit_boss"), member("pit_boss", "second")
    for edition, replaced in (("69/2003", "or the sabot is used."), ("61/2004", "or the shoe is used.")):
        house.until(table, "betting")
        house.bet(ana, table, "ante", 100, 1)
        house.until(table, "deal")
        assert house.log(table).edition == edition
        log = house.log(table).pk
        choices = titles(browser_of(boss).get(f"/pit/rounds/{log}/rule/").content.decode(), "11(4)")
        assert choices and all(said.endswith(replaced) for said in choices)
        rulings.rule(boss, log, "shuffler", why="it jammed", ref="one", approved_by=second, clock=house.clock)
        (said,) = titles(told(house, table), "11(4)")
        assert said.endswith(replaced)
        house.play_out(table)
        house.clock.at = max(house.clock.at, MIDNIGHT)


def test_a_round_that_nobody_staked_in_is_not_played_on_a_later_day(house: House) -> None:
    table = house.table(game="stud_poker")
    ana = seated(house, table)
    house.until(table, "betting")
    first = house.log(table)
    go_to(house, table, MIDNIGHT + timedelta(hours=9), ana)
    house.step(table)
    first.refresh_from_db()
    assert first.void and first.actions.latest("seq").action["reason"] == "new_edition"
    assert royal(house, table, ana).edition == "61/2004"


# ── What both editions of Stud Poker say alike ──────────────────────────────────────────────────────────────


ODDS = {1: 100, 2: 50, 3: 20, 4: 7, 5: 5, 6: 4, 7: 3}
"""Box -> what its hand pays on the raise, to 1: from a royal flush down to three of a kind."""

DEALT = {
    1: ROYAL, 2: "9h 8h 7h 6h 5h", 3: "3s 3h 3d 3c 9s", 4: "2s 2h 2d 4s 4h",
    5: "Kc Jc 8c 7c 4c", 6: "9d 8s 7d 6s 5d", 7: "Th Td Tc 6d 2c",
}  # fmt: skip

LOW = {1: "Th Td 6c 6d 9s", 2: "8s 8d 9c Jh 2d", 3: "As Kh Qd 7c 5d"}
"""Two pairs, one pair, and odd cards higher than the dealer's."""


@article("61/2004", "9(5)(1)", "9(5)(2)", "9(5)(3)", "9(5)(4)", "9(5)(5)", "9(5)(6)", "9(5)(7)", "9(5)(8)", "9(5)(9)")
@article("61/2004", "10(2)", "10(2)(1)", "10(2)(2)", "10(2)(3)", "10(2)(4)", "10(2)(5)", "10(7)", "10(8)")
@pytest.mark.parametrize(("edition", "royal_odds"), [("69/2003", 50), ("61/2004", 100)])
@pytest.mark.in_full
def test_but_for_a_royal_flush_both_editions_pay_the_same(house: House, edition: str, royal_odds: int) -> None:
    floor = Floor(house, 1_000_000_00 - 7 * 17_50)
    table = floor.table("guia", tuple(DEALT), edition=edition)
    log = floor.play(table, DEALT, "Ac Kd Qh Jh 9c")
    pays = ODDS | {1: royal_odds}
    assert log.edition == edition
    assert paid_on(house, table) == {
        **{("ante", box): (200_00, "9(5)") for box in DEALT},
        **{("raise", box): (200_00 + 200_00 * pays[box], f"9(5)({10 - box})") for box in DEALT},
        ("jackpot", 1): (900_000_00, "10(7)"),  # the straight flush was paid before
        ("jackpot", 2): (100_000_00, "10(2)(2)"),
        ("jackpot", 3): (12_500_00, "10(2)(3)"),
        ("jackpot", 4): (2_500_00, "10(2)(4)"),
        ("jackpot", 5): (1_250_00, "10(2)(5)"),
    }
    assert floor.pool == 500_000_00  # nothing was left, so it begins anew with the minimum
    floor.play(table, LOW, "Ac Kd 4h 3s 2c", jackpot=False)
    assert paid_on(house, table) == {
        **{("ante", box): (200_00, "9(5)") for box in LOW},
        ("raise", 1): (600_00, "9(5)(2)"),
        ("raise", 2): (400_00, "9(5)(1)"),
        ("raise", 3): (400_00, "9(5)(1)"),
    }


def paid_on(house: House, table: Table) -> dict[tuple[str, int], tuple[int, str]]:
    """Spot and box -> what came back in the round that is over, in cents, and by which article."""
    round_ = house.round(table)
    boxes = {stake.bet: stake.box or 0 for stake in round_.stakes()}
    paid = [payout for payout in round_.payouts() if payout.returned]
    return {(str(payout.spot), boxes[payout.bet]): (payout.returned, payout.why.article) for payout in paid}


@article("61/2004", "11(1)", "R14")
def test_a_carried_jackpot_stake_goes_over_to_the_new_edition(house: House) -> None:
    """Void under the old one, and void again at midnight for want of an ante; it plays under the new one, paid once."""
    house.clock.at = MIDNIGHT - timedelta(seconds=40)
    floor = Floor(house, 1_000_000_00 - 17_50)
    table = floor.table("guia")
    floor.stake(table)
    house.until(table, "deal")
    void_round(house.log(table).pk, "two cards were exposed", clock=house.clock)
    house.until(table, "betting")
    assert house.clock.at < MIDNIGHT and house.log(table).edition == "69/2003"
    house.clock.at = MIDNIGHT
    floor.stack({1: ROYAL})
    while house.log(table).edition == "69/2003":
        house.step(table)
    floor.stake(table, jackpot=False)
    floor.decide(table)
    log = floor.ended(table)
    assert [(one.edition, one.void) for one in RoundLog.objects.order_by("pk")] == [
        ("69/2003", True), ("69/2003", True), ("61/2004", False),
    ]  # fmt: skip
    assert floor.prizes(log) == {1: 1_000_000_00}  # the whole pool, to which it had added once


# ── What does not go with the new edition ───────────────────────────────────────────────────────────────────


NEXT = (
    *GAMES["baccarat"].in_force[:1],
    Edition("55/2004+83/2011", "2004-05-18"),
    Edition("55/2004+73/2005", "2004-06-01"),
)
"""A regulation whose newest edition has lost what another brought: such a one may come any day."""


@pytest.fixture
def law_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAMES["baccarat"]), "in_force", NEXT)


@pytest.mark.usefixtures("law_to_come")
def test_what_the_new_edition_does_not_know_falls_back_and_the_pit_is_told_before(house: House) -> None:
    house.clock.at = datetime(2004, 5, 20, 4, tzinfo=UTC)
    table = house.table(dealing_device="shoe", burn_mode="fixed_n", burn_fixed_n=2, decks=6)
    assert house.play_out(table).edition == "55/2004+83/2011"
    alerts.look({}, clock=house.clock)
    assert not Alert.objects.filter(kind="edition").exists()
    go_to(house, table, datetime(2004, 5, 31, 15, 59, tzinfo=UTC))
    alerts.look({}, clock=house.clock)
    (alert,) = Alert.objects.filter(kind="edition")
    assert (alert.kind, alert.about["since"], alert.about["fallen"]) == (
        "edition", "2004-06-01", ["burn_mode", "burn_fixed_n"],
    )  # fmt: skip
    assert "these options fall back: Cards burnt after the cut" in str(alerts.words_of(alert))
    last = house.play_out(table)
    go_to(house, table, datetime(2004, 5, 31, 16, tzinfo=UTC))
    house.until(table, "betting")
    log = house.log(table)
    assert (log.number, log.shoe) == (last.number + 1, last.shoe)  # within the shoe: the law does not wait for another
    assert (log.edition, log.options["burn_mode"], log.options["decks"]) == ("55/2004+73/2005", "by_decks", 6)
    event = Event.objects.get(deed="edition")
    assert event.after is not None and event.after["fallen"] == ["burn_mode", "burn_fixed_n"]
    assert Alert.objects.filter(kind="edition").count() == 1
    house.play_out(table)


def test_options_fall_back_no_further_than_they_must() -> None:
    baccarat = GAMES["baccarat"]
    newest = {"edition": "55/2004+83/2011", "lucky_six": True, "commission_mode": "no_commission_six_half", "decks": 6}
    options, fallen = under(baccarat.options, newest, "55/2004+73/2005")
    assert fallen == ("lucky_six",)
    assert options_json(options).items() >= {"decks": 6, "commission_mode": "no_commission_six_half"}.items()


# ── What the pit plans ──────────────────────────────────────────────────────────────────────────────────────


def test_the_pit_plans_an_edition_for_a_day_and_the_table_follows_the_law_again(house: House) -> None:
    house.clock.at = datetime(2026, 8, 3, 4, tzinfo=UTC)
    table = house.table(game="stud_poker", edition="69/2003")
    ana = seated(house, table)
    assert royal(house, table, ana).edition == "69/2003"  # it was opened so
    change = drafted(house, table, edition="61/2004")
    assert (change.changes, change.authorisation) == ({"edition": "61/2004"}, False)
    house_options.adopt(change.drafted_by, change.pk, date(2026, 8, 5), clock=house.clock)
    go_to(house, table, datetime(2026, 8, 4, 15, 50, tzinfo=UTC), ana)
    assert royal(house, table, ana).edition == "69/2003"
    go_to(house, table, datetime(2026, 8, 4, 16, tzinfo=UTC), ana)
    assert royal(house, table, ana).edition == "61/2004"
    table.refresh_from_db()
    assert table.edition_in_force


def test_an_edition_is_planned_only_for_a_day_on_which_it_holds(house: House) -> None:
    table = house.table(game="stud_poker")
    change = drafted(house, table, edition="61/2004")
    early = lambda: house_options.adopt(change.drafted_by, change.pk, date(2004, 5, 17), clock=house.clock)  # noqa: E731
    assert "61/2004 is in force from 2004-05-18" in refused(house, early)
    house.clock.at = MIDNIGHT
    past = lambda: house_options.adopt(change.drafted_by, change.pk, date(2004, 5, 17), clock=house.clock)  # noqa: E731
    assert "That day has passed." in refused(house, past)
    old: dict[str, Any] = {"edition": "69/2003", "royal_flush_odds": None}
    guia = house.table("guia", game="stud_poker")
    assert "does not leave this to the house" in refused(house, lambda: drafted(house, guia, **old))


@pytest.mark.parametrize("slug", GAMES)
def test_every_edition_has_its_days(slug: str) -> None:
    game = GAMES[slug]
    assert tuple(edition.name for edition in game.in_force) == game.editions
    days = [edition.since for edition in game.in_force if edition.since is not None]
    assert days == sorted(set(days))
    assert edition_on(game.in_force, "1900-01-01") == game.in_force[0]
    assert game.edition_on("2026-01-01") == game.editions[-1]
    for edition in game.editions:
        game.options(edition=edition)  # all defaults go together under each of them


def test_an_edition_without_a_known_day_never_holds_by_itself() -> None:
    editions = (Edition("old", "2000-01-01"), Edition("coming", None))
    assert edition_on(editions, "2030-01-01").name == "old"
    assert replaced_on(editions, "old") is None
