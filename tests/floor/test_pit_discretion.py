"""Staff see no raise of a round that is being played: not as a movement, not in a balance, not in a sum of the day."""

from __future__ import annotations

import re

import pytest

from tables.felt.formatting import text_of
from tables.games.contract.errors import Refused
from tables.games.stud_poker.phases import Fold, Raise
from tables.models import Account, Player, Table
from tables.services.pit import adjustments
from tables.services.rounds import seating
from tests.house.kit import House

from .pit_kit import browser_of, member

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return House()


def deciding(house: House) -> tuple[Table, Player, Player]:
    """Stud Poker: two have laid their antes and look at their cards."""
    table = house.table(game="stud_poker")
    people = [house.player(name) for name in ("ana", "rui")]
    for seat, player in enumerate(people, 1):
        seating.sit(player.pk, table.pk, seat, clock=house.clock)
    house.attend(table, *people)
    house.until(table, "betting")
    for seat, player in enumerate(people, 1):
        house.bet(player, table, "ante", 100, seat)
    house.until(table, "look_and_decide")
    return table, people[0], people[1]


def pages(table: Table, ana: Player, rui: Player) -> dict[str, str]:
    """All that staff can read of these two, without what differs between two readings. (Of the table itself they see
    what a spectator sees.)"""
    manager = Player.objects.filter(role="shift_manager").first() or member("shift_manager")
    client = browser_of(manager)
    escrow = Account.objects.get(kind="escrow", table=table)
    wallet = Account.objects.get(player=ana)
    paths = [
        f"/pit/people/{ana.pk}/",
        f"/pit/people/?q={ana.name}",
        "/pit/people/",
        f"/pit/rounds/?player={ana.pk}",
        "/pit/admin/tables/account/",
        f"/pit/admin/tables/account/{wallet.pk}/change/",
        f"/pit/admin/tables/account/{escrow.pk}/change/",
        "/pit/admin/tables/transfer/",
        "/pit/admin/tables/loggedaction/",
        "/pit/admin/tables/played/",
    ]
    changing = (
        r'value="\w{32,}"|data-live="[^"]*"|id="at-[^"]*"|\d+:\d\d(:\d\d)? ?[ap]?m?|data-version="\d+"|\b\d{13}\b'
    )
    return {path: re.sub(changing, "", client.get(path).content.decode()) for path in paths}


@pytest.mark.parametrize("deed", [Raise, Fold])
def test_a_decision_changes_nothing_that_staff_can_read(house: House, deed: type[Raise] | type[Fold]) -> None:
    table, ana, rui = deciding(house)
    before = pages(table, ana, rui)
    house.decide(ana, table, deed)
    after = pages(table, ana, rui)
    for path in before:
        assert after[path] == before[path], path


def test_nor_does_an_adjustment_tell_of_it(house: House) -> None:
    """What can never be taken is refused when it is asked for; a raise changes neither the answer nor its words."""
    manager, second = member("shift_manager"), member("shift_manager", "second")
    table, ana, _ = deciding(house)
    told = []
    for _ in range(2):
        with pytest.raises(Refused) as refusal:
            adjustments.ask(manager, ana.pk, -10_000_01, "a mistake", clock=house.clock)
        told.append(text_of(refusal.value.words))
        asked = adjustments.ask(manager, ana.pk, -10_000_00, "a mistake", clock=house.clock)
        if house.balance(ana) == 9_900_00:
            adjustments.refuse(second, asked.pk, "why", clock=house.clock)  # the same does not wait twice
            house.decide(ana, table, Raise)
    assert told == ["Ana has 10,000.00."] * 2
    with pytest.raises(Refused) as refusal:
        adjustments.approve(second, asked.pk, clock=house.clock)
    assert text_of(refusal.value.words) == "The player has not enough for this now."


def test_it_is_shown_once_the_round_is_over(house: House) -> None:
    table, ana, rui = deciding(house)
    assert "10,000.00" in pages(table, ana, rui)[f"/pit/people/{ana.pk}/"]
    house.decide(ana, table, Raise)
    house.play_out(table)
    page = pages(table, ana, rui)[f"/pit/people/{ana.pk}/"]
    balance = f"{house.balance(ana) // 100:,}.{house.balance(ana) % 100:02}"
    assert f'<span class="amount__number">{balance}</span>' in page
    assert "200.00" in page and "300.00" in page  # the raise; what was staked today


def test_other_games_show_what_lies_open_anyway(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.attend(table, ana)
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    assert "9,900.00" in pages(table, ana, ana)[f"/pit/people/{ana.pk}/"]
