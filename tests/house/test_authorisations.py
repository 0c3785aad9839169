"""Alternatives need an authorisation from the first day (Baccarat 19, Blackjack 21, Stud Poker 13, Roulette 9)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import partial
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction

from tables.games.contract.errors import Refused
from tables.models import Authorisation, Event, Player, Table
from tables.proof import laws
from tables.services.pit import authorisations, lifecycle, opening
from tables.services.pit import options as house_options
from tests.kit import article

from .kit import House, open_table, without_guards
from .test_options import approved, go_to, next_round

MONDAY = datetime(2026, 8, 3, 4, tzinfo=UTC)
"""Noon in Macau; no public holiday is near."""

FILED, FROM = date(2026, 8, 3), date(2026, 8, 6)
LIMIT = {"max_bet": 1_000_00}
GIVEN, REFUSED = Authorisation.State.GIVEN, Authorisation.State.REFUSED


@pytest.fixture
def house(house: House) -> House:
    house.clock.at = MONDAY
    return house


def member(role: str, name: str = "") -> Player:
    return Player.objects.get_or_create(username=name or role, name=name or role, role=role)[0]


def opens(house: House, slug: str, game: str, **options: Any) -> Table:
    return opening.open_table(slug, slug.title(), game, {**LIMIT, **options}, clock=house.clock)


def requested(house: House, game: str, **wanted: Any) -> Authorisation:
    boss = member("pit_boss")
    return authorisations.request(boss, game, wanted, FILED, FROM, "the season", clock=house.clock)


def given(house: House, game: str, **wanted: Any) -> Authorisation:
    asked = requested(house, game, **wanted)
    return authorisations.answer(member("shift_manager"), asked.pk, GIVEN, "DICJ 17", clock=house.clock)


@article("55/2004", "19")
@article("56/2004", "21")
@article("61/2004", "13")
@article("60/2004", "9")
@article("57/2004", "authorisation")
@pytest.mark.parametrize(
    ("game", "by", "options"),
    [
        ("baccarat", "19", {"tie_policy": "return"}),
        ("blackjack", "21", {"double_rule": "eleven_only"}),
        ("stud_poker", "13", {"royal_flush_odds": 60, "max_bet": None}),
        ("roulette", "9", {"sector_definition": "off", "max_bet": 1_000_00}),
        ("cussec", "authorisation", {"odd_even_enabled": False}),
    ],
)
def test_an_alternative_opens_only_with_an_authorisation_and_from_its_day_on(
    house: House, game: str, by: str, options: dict[str, Any]
) -> None:
    options = {name: value for name, value in ({**LIMIT} | options).items() if value is not None}

    def deed() -> Table:
        return opening.open_table("one", "One", game, options, clock=house.clock)

    refusal = house.refused(deed)
    assert refusal.article == by and "has not authorised this alternative" in str(refusal.words)
    given(house, game, **options)
    refusal = house.refused(deed)
    assert refusal.article == by and "authorised from 2026-08-06 on" in str(refusal.words)
    assert not Table.objects.exists()
    house.clock.at = MONDAY + timedelta(days=3)
    assert deed().options.items() >= options.items()


def test_the_defaults_and_what_no_article_names_open_without_one(house: House) -> None:
    for game in ("baccarat", "blackjack", "cussec", "three_card_baccarat"):
        opens(house, game.replace("_", "-"), game)
    opens(house, "six", "baccarat", decks=6, pairs_enabled=False)
    opens(house, "two", "blackjack", max_bettors_per_box=2)  # the director of the room may lower it (20(1)(2))
    opening.open_table("guia", "Guia", "stud_poker", {"edition": "69/2003"}, clock=house.clock)
    assert not Authorisation.objects.exists()


def test_the_pit_opens_through_the_same_door(house: House) -> None:
    with pytest.raises(Refused, match="has not authorised"):
        lifecycle.open_new(
            member("pit_boss"), "one", "One", "baccarat", {**LIMIT, "lucky_six": True},
            float_cents=1_000_00, clock=house.clock,
        )  # fmt: skip


def test_a_change_authorised_at_one_table_may_be_played_at_all(house: House) -> None:
    first, second = opens(house, "one", "cussec"), opens(house, "two", "cussec")
    wanted, boss = {"four_numbers_enabled": False}, member("pit_boss")
    change = house_options.draft(boss, first.pk, wanted, "the season", clock=house.clock)
    house_options.submit(boss, change.pk, FILED, FROM, clock=house.clock)
    house_options.approve(member("shift_manager"), change.pk, "DICJ 17", clock=house.clock)
    early = house_options.draft(boss, second.pk, wanted, "too early", clock=house.clock)
    assert early.authorisation, "it holds from Thursday on"
    house_options.withdraw(boss, early.pk, "too early", clock=house.clock)
    house.clock.at = MONDAY + timedelta(days=3)
    assert opens(house, "three", "cussec", **wanted).options["four_numbers_enabled"] is False
    covered = house_options.draft(boss, second.pk, wanted, "the season", clock=house.clock)
    assert not covered.authorisation
    assert house_options.adopt(boss, covered.pk, clock=house.clock).planned_for == date(2026, 8, 6)
    back = house_options.draft(boss, Table.objects.get(slug="three").pk, {"four_numbers_enabled": True}, "no", clock=house.clock)  # fmt: skip  # noqa: E501
    assert back.authorisation, "a change is a choice of the house, also one back to the default"


def test_what_is_a_default_no_more_beside_a_change_is_authorised_with_it(house: House) -> None:
    """The white card stays at 60 while six decks become two, whose default is 30; by a machine there is none."""
    table = house.table("bank", game="blackjack", dealing_device="shoe", initial_burn="single")
    approved(house, table, FROM, decks=2)
    assert Authorisation.objects.latest("pk").options == {"decks": 2, "cut_card_depth": 60}
    approved(house, table, date(2026, 8, 7), dealing_device="auto_shuffler")
    for day in (3, 4):
        go_to(house, table, MONDAY + timedelta(days=day))
        next_round(house, table)
        assert not list(laws.faults())
    table.refresh_from_db()
    assert (table.options["dealing_device"], table.options["cut_card_depth"]) == ("auto_shuffler", 60)


def test_a_request_is_filed_in_time_and_answered_by_another_with_a_reference(house: House) -> None:
    manager, other = member("shift_manager"), member("shift_manager", "other")

    def asks(filed: date, planned: date, **wanted: Any) -> Authorisation:
        return authorisations.request(manager, "baccarat", wanted, filed, planned, "season", clock=house.clock)

    late = house.refused(lambda: asks(FILED, date(2026, 8, 5), lucky_six=True))
    assert late.article == "19" and "may hold from 2026-08-06" in str(late.words)
    assert "today or before" in str(house.refused(lambda: asks(FROM, date(2026, 9, 1), lucky_six=True)).words)
    assert "defaults" in str(house.refused(lambda: asks(FILED, FROM, tie_policy="free", decks=6)).words)
    assert "Lucky 6 came" in str(house.refused(lambda: asks(FILED, FROM, edition="55/2004", lucky_six=True)).words)
    asked = asks(date(2026, 1, 5), date(2026, 1, 8), lucky_six=True, tie_policy="free")
    assert asked.options == {"lucky_six": True}
    for by, reference, reason in ((manager, "17", "second person"), (other, " ", "reference"), (member("cage"), "17", "right")):  # fmt: skip  # noqa: E501
        with pytest.raises(Refused, match=reason):
            authorisations.answer(by, asked.pk, GIVEN, reference, clock=house.clock)
    for lacking in ({"decided_by": manager}, {"reference": ""}, {"decided_by": None}):
        whole = {"state": "given", "decided_by": other, "decided_at": MONDAY, "reference": "DICJ 17"} | lacking
        with pytest.raises(IntegrityError), transaction.atomic():
            Authorisation.objects.filter(pk=asked.pk).update(**whole)
    authorisations.answer(other, asked.pk, REFUSED, "DICJ 17", clock=house.clock)
    with pytest.raises(Refused, match="decided already"):
        authorisations.answer(other, asked.pk, GIVEN, "DICJ 18", clock=house.clock)
    with pytest.raises(IntegrityError), transaction.atomic():
        Authorisation.objects.filter(pk=asked.pk).update(state="given")
    with pytest.raises(Refused, match="has not authorised"):
        opens(house, "one", "baccarat", lucky_six=True)
    kinds = Event.objects.order_by("seq").values_list("deed", "by")
    assert list(kinds) == [("authorisation_requested", manager.pk), ("authorisation_refused", other.pk)]


def test_the_audit_finds_what_is_played_without_one(house: House) -> None:
    table = house.table("dice", game="cussec")
    assert not list(laws.faults())
    stood = table.options
    Table.objects.filter(pk=table.pk).update(options=stood | {"odd_even_enabled": False})
    fault = f"table {table.pk} plays odd_even_enabled: False, which no authorisation on record covers"
    assert list(laws.faults()) == [fault]
    house.until(table, "betting")
    Table.objects.filter(pk=table.pk).update(options=stood)
    assert list(laws.faults()) == [fault], "a round was played so"
    forged = Authorisation.objects.create(
        game="cussec", options={"odd_even_enabled": False}, basis="answer", state="given", holds_from=FILED,
        submitted_on=FILED, reference="DICJ 17", requested_by=member("pit_boss"), requested_at=MONDAY,
        decided_by=member("shift_manager"), decided_at=MONDAY,
    )  # fmt: skip
    assert list(laws.faults()) == [f"authorisation {forged.pk} of cussec is on record by no deed"]
    without_guards()
    forged.delete()
    authorisations.bring("cussec", {"odd_even_enabled": False}, "TEST", clock=house.clock)


def test_tables_from_before_keep_what_they_play_and_no_other_table_gets_it(house: House) -> None:
    old = open_table("old", "Old", "cussec", {"odd_even_enabled": False}, clock=house.clock)
    without_guards()
    Authorisation.objects.all().delete()
    assert list(laws.faults())
    import_module("tables.migrations.0011_authorisations").take_over(apps, None)
    assert not list(laws.faults())
    kept = Authorisation.objects.get()
    assert (kept.basis, kept.table, kept.options) == ("before", old, {"odd_even_enabled": False})
    with pytest.raises(Refused, match="has not authorised"):
        opens(house, "new", "cussec", odd_even_enabled=False)


# ── Limits of a table ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("game", "most", "said"),
    [
        ("baccarat", {}, "5 bets have no maximum, Player among them"),
        ("baccarat", {"player": 1, "banker": 1, "tie": 1, "player_pair": 1}, "Banker pair has no maximum"),
        ("blackjack", {}, "5 bets have no maximum, Main bet among them"),
        ("three_card_baccarat", {"place": 1}, "14 bets have no maximum, Tie among them"),
        ("roulette", {}, "158 bets have no maximum, Straight 0 among them"),
        ("cussec", {"total": 1}, "42 bets have no maximum, Big among them"),
    ],
)
def test_no_table_opens_with_a_bet_that_has_no_maximum(
    house: House, game: str, most: dict[str, int], said: str
) -> None:
    limits = {name: amount * 100_00 for name, amount in most.items()}
    with pytest.raises(Refused, match=f"^{said}"):
        opening.open_table("one", "One", game, {"max_bet": limits}, clock=house.clock)
    assert not Table.objects.exists()


def test_nor_does_a_table_lose_one(house: House) -> None:
    table, boss = opens(house, "one", "baccarat"), member("pit_boss")
    with pytest.raises(Refused, match=r"ha(s|ve) no maximum"):
        lifecycle.set_limits(boss, table.pk, {"max_bet": {"player": 5_00}}, {}, clock=house.clock)
    with pytest.raises(Refused, match=r"ha(s|ve) no maximum"):
        house_options.draft(boss, table.pk, {"max_bet": {}}, "why not", clock=house.clock)


@article("55/2004", "14")
def test_the_difference_is_limited_from_the_opening_on(house: House) -> None:
    """Baccarat 14: to the highest maximum of a main bet, unless the house says another."""
    most = {"player": 400_00, "banker": 700_00, "tie": 900_00, "player_pair": 50_00, "banker_pair": 50_00}
    assert opens(house, "one", "baccarat", max_bet=most).options["imbalance_limit"] == 700_00
    assert opens(house, "two", "baccarat", imbalance_limit=50_00).options["imbalance_limit"] == 50_00
    table = Table.objects.get(slug="two")
    change = house_options.draft(member("pit_boss"), table.pk, {"imbalance_limit": None}, "none", clock=house.clock)
    assert change.changes == {"imbalance_limit": 1_000_00}, "never none at a table"


# ── The director of the room ────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "20(1)(2)")
def test_the_bettors_on_a_box_are_lowered_at_once_and_raised_up_to_what_is_authorised(house: House) -> None:
    """Blackjack 20(1)(2)."""
    table, boss = house.table("bank", game="blackjack"), member("pit_boss")
    ana, rui = house.player("ana"), house.player("rui")
    house.until(table, "betting")
    house.bet(ana, table, "main", 10, 1)

    def sets(number: int, by: Player = boss) -> None:
        house_options.set_at_once(by, table.pk, "max_bettors_per_box", number, "crowded", clock=house.clock)

    sets(1)
    house.bet(rui, table, "main", 10, 1)
    house.play_out(table)
    house.until(table, "betting")
    house.bet(ana, table, "main", 10, 1)
    assert house.refused(lambda: house.bet(rui, table, "main", 10, 1)).article == "20(1)(2)"
    event = Event.objects.latest("seq")
    assert (event.deed, event.by, event.table, event.why) == ("limits", boss, table, "crowded")
    assert event.before == {"limits": {"max_bettors_per_box": 3}}
    assert event.after == {"limits": {"max_bettors_per_box": 1}}
    for number in (0, 4):
        assert house.refused(partial(sets, number)).article == "20(1)(2)"
    with pytest.raises(Refused, match="right"):
        sets(2, member("surveillance"))
    sets(3)
    house.play_out(table)
    house.until(table, "betting")
    for player in (ana, rui):
        house.bet(player, table, "main", 10, 1)


def test_what_is_authorised_is_what_was_last_adopted(house: House) -> None:
    table, boss = house.table("bank", game="blackjack"), member("pit_boss")
    change = house_options.draft(boss, table.pk, {"max_bettors_per_box": 2}, "season", clock=house.clock)
    house_options.submit(boss, change.pk, FILED, FROM, clock=house.clock)
    change = house_options.approve(member("shift_manager"), change.pk, "DICJ 17", clock=house.clock)
    assert house_options.most_at_once(table, "max_bettors_per_box") == 3, "it does not hold yet"
    change.state, change.adopted_at = "adopted", MONDAY
    change.save()
    table.refresh_from_db()
    assert house_options.most_at_once(table, "max_bettors_per_box") == 2


def test_only_where_the_article_says_so(house: House) -> None:
    table = house.table("bank", game="blackjack", shared_box_rule="highest_stake_decides")
    with pytest.raises(Refused, match="No article lets"):
        house_options.set_at_once(member("pit_boss"), table.pk, "max_bettors_per_box", 1, clock=house.clock)
    with pytest.raises(Refused, match="No article lets"):
        house_options.set_at_once(member("pit_boss"), table.pk, "decks", 1, clock=house.clock)
