"""The ledger as a state machine: whatever people and the house do, in whatever order, no cent is lost or invented."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import pytest
from django.db.models import F, Sum
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tables.games.baccarat.bets import SPOTS
from tables.games.baccarat.options import CommissionMode, TiePolicy
from tables.games.stud_poker.phases import Fold, Raise
from tables.models import Account, LoggedAction, Played, Player, RoundLog, Seat, Table, Transfer
from tables.proof import reconciliation
from tables.queries.folds import round_of
from tables.services.pit.opening import open_jackpot
from tables.services.players import people
from tables.services.rounds import seating
from tests.extent import times
from tests.house import deeds
from tests.house.kit import House, answer, change_shoe, undone, void_round

HANDS = {
    "Player wins with 9 to 7": "4s Kc 5d 7h",
    "a tie at 6": "Ts 4c 6d 2h",
    "a tie at 6 with two pairs": "3s 3c 3d 3h",
    "Banker wins with 8 to 2": "2s 3c Jd 5h",
    "Banker wins with 6 to 4 in three cards": "Ks 2c 4d Kh Ts 4s",
    "Banker wins with 9 to 4, and Player has a pair": "2s 4c 2d 5h",
}
"""What the next round may bring."""

TIES = [hand for hand in HANDS if "tie" in hand]
NAMES = ("ana", "rui", "lin")
TABLES = ("jade", "lotus")
CREDITS = st.one_of(st.sampled_from([10, 10, 100, 5_000, 9_600]), st.integers(0, 11_000))
RARELY = st.sampled_from([False, False, False, True])
SPOT = st.one_of(st.sampled_from(["player", "banker"]), st.sampled_from(list(SPOTS)))

players = st.sampled_from(NAMES)
tables = st.sampled_from(TABLES)


class Ledger(RuleBasedStateMachine):
    """Three players at two tables, and everything that moves chips."""

    def __init__(self) -> None:
        super().__init__()
        self._undone = undone()
        self._undone.__enter__()
        self.house = House()
        self.players: dict[str, Player] = {}
        self.tables: dict[str, Table] = {}
        self.topped_up: dict[str, int] = dict.fromkeys(NAMES, 0)

    @initialize(
        ties=st.sampled_from(TiePolicy),
        commission=st.sampled_from(CommissionMode),
        limit=st.sampled_from([None, 5_000]),
    )
    def open(self, ties: TiePolicy, commission: CommissionMode, limit: int | None) -> None:
        for slug in TABLES:
            self.tables[slug] = self.house.table(
                slug,
                tie_policy=str(ties),
                commission_mode=str(commission),
                imbalance_limit=None if limit is None else limit * 100,
                lucky_six=True,
                min_bet={"banker": 500, "tie": 100},
                max_bet={"tie": 100_000},
            )
        for name in NAMES:
            self.players[name] = self.house.player(name)

    def teardown(self) -> None:
        try:
            if self.tables:
                for table in self.tables.values():
                    if table.pk in open_tables():
                        self.house.play_out(table)
                self.house.in_order()
                self.wallets_hold_what_history_says()
        finally:
            self._undone.__exit__(None, None, None)

    # ── what people do ──────────────────────────────────────────────────────────────────────────────────────

    @rule(name=players, slug=tables, spot=SPOT, credits=CREDITS, at_any_time=RARELY)
    def bet(self, name: str, slug: str, spot: str, credits: int, at_any_time: bool) -> None:
        player, table = self.players[name], self.tables[slug]
        if not at_any_time:
            self.let_betting_be_open(table)
        before = self.house.balance(player)
        came = self.try_(lambda: self.house.bet(player, table, spot, credits), at=table)
        if came == "done":
            assert self.house.balance(player) == before - credits * 100

    @rule(name=players, slug=tables, which=st.integers(0, 3))
    def withdraw(self, name: str, slug: str, which: int) -> None:
        self.change(deeds.withdraw, name, slug, which)

    @rule(name=players, slug=tables, which=st.integers(0, 3), credits=CREDITS)
    def lower(self, name: str, slug: str, which: int, credits: int) -> None:
        self.change(deeds.lower, name, slug, which, credits * 100)

    @rule(name=players, slug=tables, which=st.integers(0, 3), spot=SPOT)
    def move(self, name: str, slug: str, which: int, spot: str) -> None:
        before, after = self.change(deeds.move, name, slug, which, spot)
        assert before == after

    @rule(name=players, slug=tables, seat=st.integers(0, 8))
    def sit(self, name: str, slug: str, seat: int) -> None:
        player, table = self.players[name], self.tables[slug]
        self.try_(lambda: seating.sit(player.pk, table.pk, seat, clock=self.house.clock))

    @rule(name=players, slug=tables)
    def go(self, name: str, slug: str) -> None:
        seating.stand_up(self.players[name].pk, self.tables[slug].pk, clock=self.house.clock)

    @rule(name=players, hours=st.sampled_from([0, 1]))
    def ask_for_more(self, name: str, hours: int) -> None:
        player = self.players[name]
        before = self.house.balance(player)
        if self.try_(lambda: people.top_up(player.pk, clock=self.house.clock)) == "done":
            assert before < people.NEARLY_BROKE and self.house.balance(player) == people.TOP_UP_TO
            self.topped_up[name] += people.TOP_UP_TO - before

    # ── what the house does ─────────────────────────────────────────────────────────────────────────────────

    @rule(slug=tables)
    def step(self, slug: str) -> None:
        self.house.step(self.tables[slug])

    @rule(slug=tables, hand=st.sampled_from(list(HANDS)))
    def deal(self, slug: str, hand: str) -> None:
        """Finish the present round and begin another, of which it is known what it will bring."""
        table = self.tables[slug]
        if table.pk in open_tables():
            laid = self.house.round(table)
            self.house.play_out(table)
            ended = self.house.round(table)
            assert {payout.bet for payout in ended.payouts()} == set(laid.in_escrow()) - taken_down(ended)
        self.house.stack(HANDS[hand])
        self.house.until(table, "betting")

    @rule(name=players, slug=tables, side=st.sampled_from(["player", "banker"]), hand=st.sampled_from(TIES))
    def tie(self, name: str, slug: str, side: str, hand: str) -> None:
        """A round ends in a tie, with this player's stake on a side; and the next one takes bets."""
        self.deal(slug, hand)
        self.bet(name, slug, side, 10, at_any_time=False)
        self.deal(slug, "Player wins with 9 to 7")

    @rule(slug=tables)
    def void(self, slug: str) -> None:
        table = self.tables[slug]
        if table.pk in open_tables():
            fresh = {stake.by: 0 for stake in self.house.round(table).stakes()}
            for stake in self.house.round(table).stakes():
                fresh[stake.by] += 0 if stake.carried else stake.amount
            before = {player.key: self.house.balance(player) for player in self.players.values()}
            void_round(self.house.log(table).pk, "called off", clock=self.house.clock)
            after = {player.key: self.house.balance(player) for player in self.players.values()}
            assert after == {key: balance + fresh.get(key, 0) for key, balance in before.items()}

    @rule(slug=tables)
    def change_shoe(self, slug: str) -> None:
        change_shoe(self.tables[slug].pk)

    # ── what always holds ───────────────────────────────────────────────────────────────────────────────────

    @invariant()
    def all_sums_to_nothing_and_nobody_owes(self) -> None:
        assert (Account.objects.aggregate(total=Sum("balance"))["total"] or 0) == 0
        assert not Account.objects.filter(kind__in=("player", "escrow"), balance__lt=0).exists()

    @precondition(lambda self: bool(self.tables))
    @invariant()
    def in_escrow_lies_what_lies_on_the_layouts(self) -> None:
        for slug, table in self.tables.items():
            assert Account.objects.get(kind="escrow", table=table).balance == sum(self.in_escrow(slug).values())

    def wallets_hold_what_history_says(self) -> None:
        """First credits, top-ups, and what each ended round took and gave; nothing is under way but what is carried."""
        played = Played.objects.values_list("player_id").annotate(net=Sum(F("returned") - F("staked"))).order_by()
        nets = dict(played)
        for name, player in self.players.items():
            expected = people.FIRST_CREDITS + self.topped_up[name] + nets.get(player.pk, 0)
            assert self.house.balance(player) == expected, name

    # ── helpers ─────────────────────────────────────────────────────────────────────────────────────────────

    def in_escrow(self, slug: str, name: str | None = None) -> dict[str, int]:
        log = Table.objects.select_related("round").get(pk=self.tables[slug].pk).round
        if log is None:
            return {}
        return dict(round_of(log).in_escrow(None if name is None else self.players[name].key))

    def change(self, deed: Callable[..., object], name: str, slug: str, which: int, *args: Any) -> tuple[int, int]:
        """Something done with one of the bets that lie there; the player's balance before and after."""
        player, table = self.players[name], self.tables[slug]
        if which:  # else at whatever time, whatever bet
            self.let_betting_be_open(table)
        own = sorted(self.in_escrow(slug, name))
        if not own:
            self.bet(name, slug, "player", 10, at_any_time=False)
            own = sorted(self.in_escrow(slug, name))
        bet = own[which % len(own)] if own else "none"
        balance, held = self.house.balance(player), sum(self.in_escrow(slug, name).values())
        log = Table.objects.get(pk=table.pk).round_id or 0
        self.try_(lambda: deed(player.pk, log, self.house.ref(), bet, *args, clock=self.house.clock), at=table)
        assert self.house.balance(player) + sum(self.in_escrow(slug, name).values()) == balance + held
        return balance, self.house.balance(player)

    def let_betting_be_open(self, table: Table) -> None:
        """Play on until bets are taken at this table."""
        log = Table.objects.select_related("round").get(pk=table.pk).round
        if log is not None and log.due_at is not None and log.due_at <= self.house.clock.at:
            self.house.step(table)
        self.house.until(table, "betting")

    def try_(self, deed: Callable[[], object], at: Table | None = None) -> str:
        """Do it if it is allowed; if it is refused nothing at all may have changed."""
        if at is not None and Table.objects.get(pk=at.pk).round_id is None:
            return "no round"
        before = ledger()
        came = answer(deed)
        if came != "done":
            assert ledger() == before
        return came


def ledger() -> tuple[Any, ...]:
    """All balances, and how many transfers, lines and seats there are."""
    balances = tuple(Account.objects.order_by("pk").values_list("balance", flat=True))
    return balances, Transfer.objects.count(), LoggedAction.objects.count(), Seat.objects.count()


def open_tables() -> set[int]:
    """Tables with a round under way."""
    return set(RoundLog.objects.filter(settled_at__isnull=True).values_list("table_id", flat=True))


def taken_down(ended: Any) -> set[str]:
    """Bets that the dealer took off when betting closed."""
    return {refusal.bet for refusal in ended.refusals} | {trim.bet for trim in ended.trims if not trim.left}


@pytest.mark.django_db
def test_no_cent_is_ever_lost_or_invented() -> None:
    run_state_machine_as_test(
        Ledger,
        settings=settings(
            max_examples=times(8),
            stateful_step_count=30,
            deadline=None,
            database=None,
            phases=[Phase.generate],  # add Phase.shrink to have a failure told shortly: that takes minutes
            suppress_health_check=list(HealthCheck),
        ),
    )


# ── A jackpot that two tables share ─────────────────────────────────────────────────────────────────────────

DEALS = {
    "nothing": "2c 4d 6h 8s Tc 3c 5d 7h 9s Jc",
    "a flush": "Kc Jc 7c 6c 5c 3h 5d 7h 9s Jd",
    "a straight flush, and four of a kind": "9h 8h 7h 6h 5h 3s 3h 3d 3c Kd",
    "two royals": "As Ks Qs Js Ts Ah Kh Qh Jh Th",
    "a royal, and a straight flush": "Ad Kd Qd Jd Td 9c 8c 7c 6c 5c",
}
"""The first ten cards of a round of Stud Poker: two hands, where there are two."""

boxes = st.sampled_from((1, 2))
stud_tables = st.sampled_from(("guia", "penha"))


class SharedPool(RuleBasedStateMachine):
    """Two tables on a small jackpot that is often used up: staked, won, carried, refunded, in whatever order."""

    def __init__(self) -> None:
        super().__init__()
        self._undone = undone()
        self._undone.__enter__()
        self.house = House()
        self.tables: dict[str, Table] = {}
        self.players: dict[tuple[str, int], Player] = {}

    @initialize(
        minimum=st.sampled_from([0, 1_00, 1_000_00]),
        contribution=st.sampled_from(["0", "7/10", "1/3", "1"]),
        reduce=st.booleans(),
    )
    def open(self, minimum: int, contribution: str, reduce: bool) -> None:
        open_jackpot("lisboa", "Lisboa", minimum, clock=self.house.clock)
        self.minimum = minimum
        for slug in ("guia", "penha"):
            table = self.tables[slug] = self.house.table(
                slug,
                game="stud_poker",
                jackpot="lisboa",
                times={"decision": 300_000},
                jackpot_minimum=minimum,
                jackpot_contribution=contribution,
                fixed_prizes_reduce_pool=reduce,
                jackpot_fixed_royal_flush=2_000_00,
                jackpot_fixed_straight_flush=500_00,
                min_ante=1_00,
            )
            for box in (1, 2):
                self.players[slug, box] = self.house.player(f"{slug}-{box}")
                seating.sit(self.players[slug, box].pk, table.pk, box, clock=self.house.clock)

    def teardown(self) -> None:
        try:
            for table in self.tables.values():
                self.end(table)
            for log in RoundLog.objects.filter(settled_at__isnull=False):
                assert reconciliation.reconcile(log).faults == ()
            self.house.in_order()
        finally:
            self._undone.__exit__(None, None, None)

    @rule(slug=stud_tables, deal=st.sampled_from(list(DEALS)), on_jackpot=st.sets(boxes), stop=RARELY)
    def round(self, slug: str, deal: str, on_jackpot: set[int], stop: bool) -> None:
        """Betting on the next round, of which it is known what it will bring; it may stop when all are to decide."""
        table = self.tables[slug]
        self.end(table)
        self.house.stack(DEALS[deal])
        self.house.until(table, "betting")
        for box in (1, 2):
            self.stake(slug, box, "ante", 10)
            if box in on_jackpot:
                self.stake(slug, box, "jackpot", 25)
        if not stop and self.somebody_plays(table):
            self.house.until(table, "look_and_decide")

    @rule(slug=stud_tables, deal=st.sampled_from(list(DEALS)))
    def play(self, slug: str, deal: str) -> None:
        """A round in which everybody who is there has all that they can have on the layout, and raises."""
        self.round(slug, deal, {1, 2}, stop=False)
        self.settle(slug)

    @rule(slug=stud_tables, box=boxes)
    def leave_a_carried_stake(self, slug: str, box: int) -> None:
        """A void round carries the jackpot stakes, and one of those who have one goes."""
        self.round(slug, "nothing", {1, 2}, stop=True)
        self.void(slug)
        if Seat.objects.filter(table=self.tables[slug], player=self.players[slug, box]).exists():
            self.come_or_go(slug, box)

    @rule(slug=stud_tables, box=boxes, spot=st.sampled_from(["ante", "jackpot"]), credits=st.sampled_from([10, 25]))
    def stake(self, slug: str, box: int, spot: str, credits: int) -> None:
        table, player = self.tables[slug], self.players[slug, box]
        if table.pk in open_tables():
            answer(lambda: self.house.bet(player, table, spot, credits, box))

    @rule(slug=stud_tables, box=boxes, kind=st.sampled_from([Raise, Raise, Fold]))
    def decide(self, slug: str, box: int, kind: type[Raise | Fold]) -> None:
        table, player = self.tables[slug], self.players[slug, box]
        if table.pk in open_tables():
            answer(lambda: self.house.decide(player, table, kind))

    @rule(slug=stud_tables, box=boxes)
    def come_or_go(self, slug: str, box: int) -> None:
        table, player = self.tables[slug], self.players[slug, box]
        if Seat.objects.filter(table=table, player=player).exists():
            seating.stand_up(player.pk, table.pk, clock=self.house.clock)
        else:
            seating.sit(player.pk, table.pk, box, clock=self.house.clock)

    @rule(slug=stud_tables)
    def step(self, slug: str) -> None:
        self.house.step(self.tables[slug])

    @rule(slug=stud_tables)
    def settle(self, slug: str) -> None:
        """All who are still to decide raise."""
        for box in (1, 2):
            self.decide(slug, box, Raise)
        self.end(self.tables[slug])

    @rule(slug=stud_tables)
    def void(self, slug: str) -> None:
        if self.tables[slug].pk in open_tables():
            void_round(self.house.log(self.tables[slug]).pk, "called off", clock=self.house.clock)

    def end(self, table: Table) -> None:
        """Play the round out, if there is one under way; with nothing staked it would wait for ever."""
        if table.pk in open_tables():
            if self.somebody_plays(table):
                self.house.play_out(table)
            else:
                void_round(self.house.log(table).pk, "nobody plays", clock=self.house.clock)

    @precondition(lambda self: bool(self.tables))
    @invariant()
    def the_pool_is_never_empty_and_all_sums_to_nothing(self) -> None:
        assert (Account.objects.aggregate(total=Sum("balance"))["total"] or 0) == 0
        pool = Account.objects.get(kind="jackpot").balance
        assert pool > 0 or pool == self.minimum == 0

    @precondition(lambda self: bool(self.tables))
    @invariant()
    def in_escrow_lies_what_lies_on_the_layouts(self) -> None:
        for table in self.tables.values():
            log = Table.objects.select_related("round").get(pk=table.pk).round
            held = round_of(log).in_escrow() if log is not None else {}
            assert Account.objects.get(kind="escrow", table=table).balance == sum(held.values())

    def somebody_plays(self, table: Table) -> bool:
        return any(stake.spot == "ante" for stake in self.house.round(table).stakes())


@pytest.mark.django_db
def test_a_shared_jackpot_is_never_empty_and_always_proven() -> None:
    run_state_machine_as_test(
        SharedPool,
        settings=settings(
            max_examples=times(8),
            stateful_step_count=20,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_the_hands_are_what_they_say(db: None) -> None:
    house = House()
    table = house.table()
    for says, hand in HANDS.items():
        house.stack(hand)
        house.until(table, "betting")
        result = house.play_out(table).result
        assert result is not None
        assert result["winner"].title() in says.title() and (result["player_pair"] == ("pair" in says)), (says, result)
