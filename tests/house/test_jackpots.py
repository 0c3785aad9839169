"""The jackpot in the ledger: what feeds it, what it pays, who bears what it lacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from tables.games import GAMES
from tables.games.contract.actions import Meter
from tables.games.contract.errors import OptionError
from tables.games.stud_poker.phases import Fold, Raise
from tables.models import Account, Jackpot, LoggedAction, Played, Player, RoundLog, Table, Transfer
from tables.proof import reconciliation
from tables.queries.folds import round_of
from tables.services.pit.opening import open_jackpot
from tables.services.rounds import seating
from tests.kit import article

from .kit import House, void_round

START = 10_000 * 100
MINIMUM = 500_000_00
STAKE, ADDS = 25_00, 17_50

PATIENT = {"decision": 300_000}
"""Nobody loses their turn while the other table is played."""

LOW = "2c 4d 6h 8s Tc"  # no pair
NOT_QUALIFIED = "2d 4h 6s 8c Td"
ROYAL = "As Ks Qs Js Ts"
OTHER_ROYAL = "Ah Kh Qh Jh Th"
STRAIGHT_FLUSH = "9h 8h 7h 6h 5h"
OTHER_STRAIGHT_FLUSH = "9d 8d 7d 6d 5d"
FOUR = "3s 3h 3d 3c 9c"
FULL_HOUSE = "2s 2h 2c 4s 4c"
FLUSH = "Kc Jc 7c 6c 5c"
OTHER_FLUSH = "Kd Qd Jd 7d 3d"


class Floor:
    """A house with a jackpot, and who sits where at the tables that are linked to it."""

    def __init__(self, house: House, pool: int, *, minimum: int = MINIMUM) -> None:
        self.house = house
        self.jackpot = open_jackpot("lisboa", "Lisboa", pool, clock=house.clock)
        self.minimum = minimum
        self.at: dict[int, dict[int, Player]] = {}

    @property
    def pool(self) -> int:
        return Account.objects.get(jackpot=self.jackpot).balance

    def table(self, slug: str, boxes: int | tuple[int, ...] = (1,), **options: Any) -> Table:
        """A table of this jackpot, and somebody in each of these boxes."""
        given = {"jackpot_minimum": self.minimum, **options}
        table = self.house.table(slug, game="stud_poker", jackpot="lisboa", times=PATIENT, **given)
        self.at[table.pk] = {}
        for box in (boxes,) if isinstance(boxes, int) else boxes:
            player = self.house.player(f"{slug}-{box}")
            seating.sit(player.pk, table.pk, box, clock=self.house.clock)
            self.at[table.pk][box] = player
        return table

    def stack(self, hands: Mapping[int, str], dealer: str = NOT_QUALIFIED) -> None:
        """The next round's cards: five to each box with an ante, from the first on, then five to the dealer."""
        self.house.stack(" ".join([*(hands[box] for box in sorted(hands)), dealer]))

    def stake(self, table: Table, *boxes: int, jackpot: bool = True) -> None:
        """In these boxes (all, if none is named) an ante and the jackpot stake."""
        self.house.until(table, "betting")
        for box in boxes or self.at[table.pk]:
            self.house.bet(self.at[table.pk][box], table, "ante", 100, box)
            if jackpot:
                self.house.bet(self.at[table.pk][box], table, "jackpot", 25, box)

    def decide(self, table: Table, *folding: int) -> None:
        """All raise but those who fold."""
        self.house.until(table, "look_and_decide")
        played = {stake.box for stake in self.house.round(table).stakes()}
        for box, player in self.at[table.pk].items():
            if box in played:
                self.house.decide(player, table, Fold if box in folding else Raise)

    def play(self, table: Table, hands: Mapping[int, str], dealer: str = NOT_QUALIFIED, **how: Any) -> RoundLog:
        """One round with these hands, everybody raising."""
        self.stack(hands, dealer)
        self.stake(table, *hands, **how)
        self.decide(table)
        return self.ended(table)

    def ended(self, table: Table) -> RoundLog:
        """The round, played to its end; its record, played again, says what the ledger says."""
        log = self.house.play_out(table)
        assert reconciliation.reconcile(log).faults == ()
        return log

    def prizes(self, log: RoundLog) -> dict[int, int]:
        """What each box got of the jackpot in a round, and from whom it did not matter."""
        moved = Transfer.objects.filter(log=log, credit__kind="player", reason__in=("jackpot", "prize"))
        stakes = {stake.bet: stake for stake in round_of(log).stakes()}
        found: dict[int, int] = {}
        for bet, amount in moved.values_list("bet", "amount"):
            if stakes[bet].spot == "jackpot":
                found[stakes[bet].box or 0] = found.get(stakes[bet].box or 0, 0) + amount
        return found


def house_balance() -> int:
    return Account.objects.get(kind="house").balance


def moved(reason: str) -> list[tuple[str, str, int]]:
    """All transfers for this reason: from which kind of account to which, and how much."""
    rows = Transfer.objects.filter(reason=reason).order_by("pk")
    return list(rows.values_list("debit__kind", "credit__kind", "amount"))


def meters() -> list[int]:
    """What the meters showed, in the order of time."""
    lines = LoggedAction.objects.filter(action__do=Meter.do).order_by("pk")
    return [line.action["pool"] for line in lines]


# ── Opened, and linked ──────────────────────────────────────────────────────────────────────────────────────


def test_a_jackpot_opens_with_what_the_house_lays_into_it(house: House) -> None:
    jackpot = open_jackpot("lisboa", "Lisboa", 7_50, clock=house.clock)
    assert Account.objects.get(jackpot=jackpot).balance == 7_50
    assert house_balance() == 0
    assert moved("seed") == [("house", "jackpot", 7_50)]


def test_a_table_that_names_none_has_a_jackpot_of_its_own_with_the_minimum_in_it(house: House) -> None:
    one = house.table("guia", game="stud_poker")
    other = house.table("penha", game="stud_poker", jackpot_minimum=600_00)
    assert (one.jackpot, other.jackpot) == (Jackpot.objects.get(slug="guia"), Jackpot.objects.get(slug="penha"))
    assert [Jackpot.objects.get(slug=slug).account.balance for slug in ("guia", "penha")] == [MINIMUM, 600_00]


def test_a_game_without_a_jackpot_feeds_none(house: House) -> None:
    assert house.table("jade").jackpot is None
    open_jackpot("lisboa", "Lisboa", 100, clock=house.clock)
    with pytest.raises(ValueError, match="no jackpot is played at lotus"):
        house.table("lotus", jackpot="lisboa")
    assert not Table.objects.filter(slug="lotus").exists()


def test_a_table_cannot_be_linked_to_a_jackpot_that_is_not_there(house: House) -> None:
    with pytest.raises(ValueError, match="there is no jackpot lisboa"):
        house.table("guia", game="stud_poker", jackpot="lisboa")


@pytest.mark.parametrize(
    "options",
    [
        {"jackpot_minimum": 400_000_00},
        {"jackpot_stake": 50_00},
        {"jackpot_contribution": "1/2"},
        {"jackpot_fixed_flush": 1_000_00},
        {"fixed_prizes_reduce_pool": False},
    ],
    ids=lambda options: next(iter(options)),
)
def test_tables_of_one_jackpot_have_the_same_stake_prizes_and_minimum(house: House, options: dict[str, Any]) -> None:
    floor = Floor(house, MINIMUM)
    floor.table("guia")
    with pytest.raises(OptionError, match=r"^the jackpot lisboa is fed and paid under other rules at guia$"):
        house.table("penha", game="stud_poker", jackpot="lisboa", **options)
    house.table("barra", game="stud_poker", jackpot="lisboa", min_ante=50_00, decision_mode="in_turn")


def test_the_database_knows_whose_a_jackpot_account_is(house: House) -> None:
    floor = Floor(house, MINIMUM)
    for change in ({"jackpot": None}, {"kind": "house"}, {"balance": -1}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Account.objects.filter(jackpot=floor.jackpot).update(**change)


# ── Fed ─────────────────────────────────────────────────────────────────────────────────────────────────────


@article("61/2004", "jackpot")
def test_each_stake_adds_its_part_and_leaves_the_rest_to_the_house(house: House) -> None:
    floor = Floor(house, MINIMUM)
    table = floor.table("guia", (1, 4, 7))
    floats = Account.objects.get(kind="float", table=table)
    floor.stake(table, 1, 4)
    floor.stake(table, 7, jackpot=False)
    assert floor.pool == MINIMUM
    before = floats.balance
    house.until(table, "deal")
    floats.refresh_from_db()
    assert (floor.pool, floats.balance) == (MINIMUM + 2 * ADDS, before + 2 * (STAKE - ADDS))
    assert moved("pool") == [("escrow", "jackpot", ADDS)] * 2
    assert meters() == [MINIMUM]
    house.play_out(table)


def test_a_stake_taken_back_before_betting_closes_adds_nothing(house: House) -> None:
    floor = Floor(house, MINIMUM)
    table = floor.table("guia")
    floor.stake(table)
    (bet,) = [stake.bet for stake in house.round(table).stakes() if stake.spot == "jackpot"]
    house.decide(floor.at[table.pk][1], table, GAMES["stud_poker"].deeds[0], bet=bet)
    house.play_out(table)
    assert floor.pool == MINIMUM


def test_tables_that_close_one_after_the_other_each_read_what_the_other_has_added(house: House) -> None:
    floor = Floor(house, MINIMUM)
    guia, penha = floor.table("guia", (1, 2)), floor.table("penha", (3,))
    for table, hands in ((guia, {1: LOW, 2: "3c 5d 7h 9s Jc"}), (penha, {3: LOW})):
        floor.stack(hands)
        floor.stake(table)
    house.until(penha, "deal")
    house.until(guia, "deal")
    assert meters() == [MINIMUM, MINIMUM + ADDS]
    openings = [getattr(house.round(table), "jackpot_opening") for table in (guia, penha)]  # noqa: B009 (its game's)
    assert openings == [MINIMUM + 3 * ADDS, MINIMUM + ADDS]
    for table in (guia, penha):
        floor.decide(table)
        floor.ended(table)
    assert floor.pool == MINIMUM + 3 * ADDS


# ── Paid (the worked examples SP-19 to SP-26, in the ledger) ────────────────────────────────────────────────

M = 1_000_000_00


@article(
    "61/2004", "10(2)", "10(2)(1)", "10(2)(2)", "10(2)(3)", "10(2)(4)", "10(2)(5)", "10(5)", "10(6)", "10(7)", "10(8)"
)
@pytest.mark.parametrize(
    ("opening", "hands", "prizes", "left", "laid_down"),
    [
        (M, {1: FLUSH}, {1: 1_250_00}, M - 1_250_00, 0),
        (M, {2: STRAIGHT_FLUSH, 5: OTHER_STRAIGHT_FLUSH}, {2: 100_000_00, 5: 100_000_00}, 800_000_00, 0),
        (M, {1: ROYAL, 5: STRAIGHT_FLUSH}, {1: 900_000_00, 5: 100_000_00}, MINIMUM, MINIMUM),
        (M + 1, {3: ROYAL, 6: OTHER_ROYAL}, {3: 500_000_01, 6: 500_000_00}, MINIMUM, MINIMUM),
        (300_000_00, {4: ROYAL}, {4: 500_000_00}, MINIMUM, 200_000_00 + MINIMUM),
        (300_000_00, {4: STRAIGHT_FLUSH}, {4: 50_000_00}, 250_000_00, 0),
        (
            M, {1: FLUSH, 3: FOUR, 7: FULL_HOUSE},
            {1: 1_250_00, 3: 12_500_00, 7: 2_500_00}, 983_750_00, 0,
        ),
        (
            M, {1: FLUSH, 2: ROYAL, 6: OTHER_FLUSH},
            {1: 1_250_00, 2: M, 6: 1_250_00}, MINIMUM, 2_500_00 + MINIMUM,
        ),
        (1_250_01, {1: FLUSH}, {1: 1_250_00}, 1, 0),
    ],
    ids=["SP-19b", "SP-20", "SP-21", "SP-22", "SP-23", "SP-23b", "SP-24", "SP-25", "a cent is left"],
)  # fmt: skip
def test_the_pool_pays_what_the_articles_give(
    house: House, opening: int, hands: dict[int, str], prizes: dict[int, int], left: int, laid_down: int
) -> None:
    floor = Floor(house, opening - len(hands) * ADDS)
    table = floor.table("guia", tuple(hands))
    before = house_balance()
    log = floor.play(table, hands)
    assert floor.prizes(log) == prizes
    assert floor.pool == left
    assert house_balance() == before - laid_down
    assert moved("reset") == ([("house", "jackpot", laid_down)] if laid_down else [])
    assert log.result is not None
    assert (log.result["jackpot"]["opening"], log.result["jackpot"]["closing"]) == (opening, left)


def test_fixed_sums_that_are_not_the_pools_come_from_the_float(house: House) -> None:
    floor = Floor(house, M - 3 * ADDS)
    table = floor.table("guia", (1, 3, 5), fixed_prizes_reduce_pool=False)
    log = floor.play(table, {1: FLUSH, 3: FOUR, 5: STRAIGHT_FLUSH})
    assert floor.prizes(log) == {1: 1_250_00, 3: 12_500_00, 5: 100_000_00}
    assert floor.pool == 900_000_00
    assert moved("jackpot") == [("jackpot", "player", 100_000_00)]


@article("61/2004", "R8")
def test_who_has_no_jackpot_stake_or_folds_wins_nothing_of_it(house: House) -> None:
    """SP-19c, SP-26."""
    floor = Floor(house, M - 2 * ADDS)
    table = floor.table("guia", (1, 3, 5))
    floor.stack({1: ROYAL, 3: STRAIGHT_FLUSH, 5: FLUSH})
    floor.stake(table, 1, 5)
    floor.stake(table, 3, jackpot=False)
    floor.decide(table, 5)
    assert floor.prizes(floor.ended(table)) == {1: M}
    assert floor.pool == MINIMUM


@article("61/2004", "R9")
def test_a_prize_is_in_the_wallet_and_in_the_history_of_who_won_it(house: House) -> None:
    floor = Floor(house, M - ADDS)
    table = floor.table("guia", (2,))
    log = floor.play(table, {2: FLUSH})
    ana = floor.at[table.pk][2]
    returned = 400_00 + 1_250_00  # the ante 1 to 1, the raise back (SP-19b)
    assert house.balance(ana) == START - 325_00 + returned
    line = Played.objects.get(player=ana, log=log)
    assert (line.staked, line.returned) == (325_00, returned)


def test_the_next_round_opens_with_what_is_left(house: House) -> None:
    floor = Floor(house, M - ADDS)
    table = floor.table("guia")
    floor.play(table, {1: ROYAL})
    floor.play(table, {1: LOW})
    assert meters() == [M - ADDS, MINIMUM]
    assert floor.pool == MINIMUM + ADDS


def test_without_a_minimum_a_jackpot_may_stand_at_nothing(house: House) -> None:
    floor = Floor(house, M - ADDS, minimum=0)
    table = floor.table("guia")
    floor.play(table, {1: ROYAL})
    assert (floor.pool, moved("reset")) == (0, [])


# ── Two tables that hit it at the same time ─────────────────────────────────────────────────────────────────


def test_two_tables_that_closed_before_either_paid_share_nothing(house: House) -> None:
    """Each royal gets its own opening; the house bears what the second lacks, and the minimum stays."""
    floor = Floor(house, M - ADDS)
    guia, penha = floor.table("guia"), floor.table("penha")
    for table in (guia, penha):
        floor.stack({1: ROYAL})
        floor.stake(table)
        house.until(table, "look_and_decide")
    before = house_balance()
    for table in (guia, penha):
        floor.decide(table)
    logs = [floor.ended(table) for table in (guia, penha)]
    assert [floor.prizes(log) for log in logs] == [{1: M}, {1: M + ADDS}]
    assert floor.pool == MINIMUM
    # guia took M of M + 17.50 and left 17.50; penha took M + 17.50 of that
    assert moved("reset") == [("house", "jackpot", M + MINIMUM)]
    assert house_balance() == before - M - MINIMUM


def test_a_tenth_is_of_the_rounds_own_opening_whatever_another_table_took(house: House) -> None:
    floor = Floor(house, M - 2 * ADDS)
    guia, penha = floor.table("guia"), floor.table("penha")
    floor.stack({1: ROYAL})
    floor.stake(guia)
    floor.stack({1: STRAIGHT_FLUSH})
    floor.stake(penha)
    house.until(guia, "look_and_decide")
    house.until(penha, "look_and_decide")
    floor.decide(guia)
    assert floor.prizes(floor.ended(guia)) == {1: M - ADDS}
    assert floor.pool == ADDS
    floor.decide(penha)
    assert floor.prizes(floor.ended(penha)) == {1: M // 10}
    assert floor.pool == MINIMUM


# ── Carried over a void, and refunded (11, R14) ─────────────────────────────────────────────────────────────


@article("61/2004", "11(1)", "R14")
def test_a_jackpot_stake_outlives_void_rounds_and_adds_to_the_pool_once(house: House) -> None:
    """SP-27, twice over."""
    floor = Floor(house, M - ADDS)
    table = floor.table("guia")
    ana = floor.at[table.pk][1]
    floor.stake(table)
    house.until(table, "deal")
    void_round(house.log(table).pk, "two cards were exposed by mistake", clock=house.clock)
    assert house.balance(ana) == START - STAKE
    assert floor.pool == M
    for again in (True, False):  # another void, and then the round that it plays in
        floor.stack({1: ROYAL})
        floor.stake(table, jackpot=False)
        house.until(table, "look_and_decide")
        assert floor.pool == M
        if again:
            void_round(house.log(table).pk, "once more", clock=house.clock)
            assert house.balance(ana) == START - STAKE
    floor.decide(table)
    log = floor.ended(table)
    assert floor.prizes(log) == {1: M}
    assert moved("pool") == [("escrow", "jackpot", ADDS)]
    assert meters() == [M - ADDS, M, M]
    line = Played.objects.get(player=ana, log=log)
    assert (line.staked, line.returned) == (300_00, 400_00 + M)


def test_a_round_that_is_void_while_betting_is_open_takes_the_jackpot_stakes_all_the_same(house: House) -> None:
    floor = Floor(house, M)
    table = floor.table("guia")
    floor.stake(table)
    void_round(house.log(table).pk, "the shuffler has failed", clock=house.clock)
    assert (floor.pool, meters()) == (M + ADDS, [])
    assert house.balance(floor.at[table.pk][1]) == START - STAKE
    floor.play(table, {1: FLUSH}, jackpot=False)
    assert floor.pool == M + ADDS - 1_250_00


@article("61/2004", "R14")
def test_whoever_leaves_gets_his_carried_stake_back_out_of_pool_and_float(house: House) -> None:
    floor = Floor(house, M)
    table = floor.table("guia", (1, 2))
    ana, rui = floor.at[table.pk].values()
    floats = Account.objects.get(kind="float", table=table)
    before = floats.balance
    floor.stake(table)
    house.until(table, "deal")
    void_round(house.log(table).pk, "wrong dealing", clock=house.clock)
    seating.stand_up(ana.pk, table.pk, clock=house.clock)
    house.until(table, "betting")
    while house.round(table).next_house_step() is not None:
        house.step(table)
    assert (house.balance(ana), house.balance(rui)) == (START, START - STAKE)
    assert moved("refund") == [("jackpot", "player", ADDS), ("float", "player", STAKE - ADDS)]
    assert floor.pool == M + ADDS
    floats.refresh_from_db()
    assert floats.balance == before + STAKE - ADDS
    floor.stack({2: LOW})
    floor.stake(table, 2, jackpot=False)
    floor.decide(table)
    log = floor.ended(table)
    line = Played.objects.get(player=ana, log=log)
    assert (line.staked, line.returned) == (0, STAKE)


def test_a_refund_never_leaves_the_pool_empty(house: House) -> None:
    """Another table has won everything but the stake that is refunded."""
    floor = Floor(house, M)
    guia, penha = floor.table("guia"), floor.table("penha")
    floor.stack({1: ROYAL})
    floor.stake(penha)
    house.until(penha, "look_and_decide")
    floor.stake(guia)
    house.until(guia, "deal")
    void_round(house.log(guia).pk, "wrong dealing", clock=house.clock)
    floor.decide(penha)
    floor.ended(penha)
    assert floor.pool == ADDS
    seating.stand_up(floor.at[guia.pk][1].pk, guia.pk, clock=house.clock)
    house.until(guia, "betting")
    while house.round(guia).next_house_step() is not None:
        house.step(guia)
    assert house.balance(floor.at[guia.pk][1]) == START
    assert (floor.pool, moved("reset")) == (MINIMUM, [("house", "jackpot", MINIMUM)])
