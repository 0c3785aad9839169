"""What a table has done in a period, held against the ledger to the cent, and against what was to be expected."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.db.models import Sum

from tables.games.contract.actions import Withdraw
from tables.games.contract.round import Pace
from tables.models import Account, Played, Player, RoundLog, Table, Transfer
from tables.queries import statistics
from tables.queries.folds import round_of
from tables.queries.round_figures import NOTHING, Figures, of_bettors
from tables.services.pit import adjustments
from tables.services.pit.floats import confirm_chips, order_chips
from tables.services.rounds import seating
from tables.services.rounds.betting import BetRequest
from tests.floor.pit_kit import member

from . import deeds
from .kit import House, Seeded, answer, void_round

EVER = datetime(1970, 1, 1, tzinfo=UTC)
MOMENT = timedelta(microseconds=1)


def of(house: House, table: Table, since: datetime = EVER) -> Figures:
    """The figures since then, up to this very moment."""
    return statistics.of_table(table.pk, since, house.clock.at + MOMENT)


def a_round(house: House, table: Table, *bets: tuple[Player, str, int], ball: int = 1) -> RoundLog:
    """The next round of Roulette: these players lay so many credits on these spots, and the ball falls there."""
    house.throw(ball)
    house.until(table, "betting")
    for player, spot, credits in bets:
        house.bet(player, table, spot, credits)
    return house.play_out(table)


# ── The ledger ──────────────────────────────────────────────────────────────────────────────────────────────


def moved(**which: Any) -> int:
    """Cents that these transfers moved, of rounds that are over."""
    found = Transfer.objects.filter(log__settled_at__isnull=False, **which)
    return int(found.aggregate(cents=Sum("amount"))["cents"] or 0)


def kept() -> int:
    """What came to floats and to the house in rounds, but for what it forgave and laid into jackpots."""
    own = ("float", "house")
    apart = sum(moved(reason=reason, debit__kind__in=own) for reason in ("forgiven", "reset"))
    return moved(credit__kind__in=own) - moved(debit__kind__in=own) + apart


def played_by_the_rules(log: RoundLog) -> int:
    """What was freshly staked and played in a round by its payouts, which decide all that was laid down; in a void one
    what did not come back; less what was refunded (R14 of Stud Poker)."""
    round_ = round_of(log)
    carried = {stake["bet"]: stake["amount"] for stake in log.opening.get("carried", ())}
    laid: Counter[str] = Counter()
    drop = 0
    for payout in round_.payouts():
        laid[payout.bet] += payout.stake - (payout.returned if log.void else 0)
        if payout.bet in carried and payout.why.article == "R14" and payout.returned:
            drop -= payout.returned
    for bet, cents in laid.items():
        lay_there = carried.get(bet, 0) if cents else 0
        drop += max(cents - lay_there, 0)
    return drop


def agrees(found: Figures) -> None:
    over = RoundLog.objects.filter(settled_at__isnull=False)
    assert found.rounds == over.filter(void=False).count()
    assert found.voids + found.unplayed == over.filter(void=True).count()
    assert found.win == kept()
    assert found.commission == moved(credit__kind="house", reason="commission")
    assert found.contributions == moved(debit__kind="escrow", credit__kind="jackpot")
    assert found.payments == moved(debit__kind="jackpot")
    assert found.restarts == moved(reason="reset")
    assert found.forgiven == moved(reason="forgiven")
    assert found.drop == sum(map(played_by_the_rules, over))
    played = Played.objects.filter(log__in=over).aggregate(paid=Sum("staked"), got=Sum("returned"))
    stays = Account.objects.get(kind="escrow").balance
    lost_by_players = (played["paid"] or 0) - (played["got"] or 0) - stays
    assert found.win - found.forgiven + found.contributions - found.payments == lost_by_players
    by_player_too(found)


SHARED = (
    "drop", "win", "commission", "theoretical", "unreckoned", "unreckoned_win", "contributions", "payments",
)  # fmt: skip
"""What the parts of the bettors add up to; the variance is of those who bet on one spot together."""


def by_player_too(found: Figures) -> None:
    """What each player is rated for is what their wallet says, and all of them come to what the tables did."""
    parts = [
        (log, key, part.figures)
        for log in RoundLog.objects.filter(settled_at__isnull=False)
        for key, part in next(of_bettors([log])).items()
    ]
    whole = statistics.total(figures for _, _, figures in parts)
    for name in SHARED:
        assert getattr(whole, name) == getattr(found, name), name
    if Account.objects.get(kind="escrow").balance:
        return  # what stays on the layout is in nobody's wallet
    for player in Player.objects.all():
        theirs = statistics.total(figures for _, key, figures in parts if key == player.key)
        played = Played.objects.filter(player=player).aggregate(paid=Sum("staked"), got=Sum("returned"))
        lost = (played["paid"] or 0) - (played["got"] or 0)
        forgiven = moved(reason="forgiven", credit__player=player)
        assert theirs.win - forgiven + theirs.contributions - theirs.payments == lost, player


OPEN = [
    ("roulette", {"auto_leave_winners": True}),
    ("roulette", {"sector_definition": "layout_blocks", "bets_close": "before_throw"}),
    ("cussec", {"auto_leave_winners": True}),
    ("three_card_baccarat", {"decks": 6, "standing_bets": True}),
]


@pytest.mark.parametrize(("game", "options"), OPEN)
@pytest.mark.in_full
def test_so_are_those_of_a_night_with_stakes_that_stay(house: House, game: str, options: dict[str, Any]) -> None:
    dice = Seeded(f"stakes of {game} {options}")
    house.chance = Seeded(f"chance of {game} {options}")
    table = house.table("jade", game=game, times={"cut": 1_000}, **options)
    players = [house.player(name) for name in ("ana", "rui", "lin")]
    while RoundLog.objects.filter(settled_at__isnull=False).count() < 12:
        log = Table.objects.select_related("round").get().round
        if log is not None and round_of(log).pace is Pace.BETTING:
            for _ in range(dice.below(8)):
                player = dice.one_of(players)
                offers = round_of(RoundLog.objects.get(pk=log.pk)).offers(player.key)
                actions = [one for one in offers.actions if isinstance(one, Withdraw)]
                if actions and not dice.below(4):
                    house.decide(player, table, Withdraw, bet=dice.one_of(actions).bet)
                elif offers.bets:
                    bet = dice.one_of(offers.bets)
                    request = BetRequest(player.pk, house.ref(), bet.spot, bet.least * (1 + dice.below(5)), bet.box)
                    answer(lambda request=request, log=log: deeds.place(log.pk, request, clock=house.clock))  # type: ignore[misc]
            if not dice.below(8):
                void_round(log.pk, "a test", clock=house.clock)
        house.step(table)
    found = of(house, table)
    assert found.drop and found.rounds > 5
    agrees(found)


def test_what_stays_on_its_spot_is_at_stake_again_and_no_new_drop(house: House) -> None:
    ana, table = house.player("ana"), house.table("wheel", game="roulette", auto_leave_winners=True)
    a_round(house, table, (ana, "red", 100), ball=1)
    first = of(house, table)
    assert (first.drop, first.win, first.theoretical) == (100_00, -100_00, Fraction(100_00, 37))
    since = house.clock.at + MOMENT
    a_round(house, table, ball=2)
    second = of(house, table, since)
    assert (second.drop, second.win, second.theoretical) == (0, 100_00, Fraction(100_00, 37))
    assert second.hold is None
    assert of(house, table).hold == 0


def test_who_takes_back_what_stayed_has_played_it_before(house: House) -> None:
    ana, table = house.player("ana"), house.table("wheel", game="roulette", auto_leave_winners=True)
    a_round(house, table, (ana, "red", 100), ball=1)
    since = house.clock.at + MOMENT
    house.throw(2)
    house.until(table, "betting")
    (stake,) = house.round(table).stakes()
    house.decide(ana, table, Withdraw, bet=stake.bet)
    house.bet(ana, table, "black", 10)
    house.decide(ana, table, Withdraw, bet=house.round(table).stakes()[0].bet)
    house.bet(ana, table, "odd", 20)
    house.play_out(table)
    assert of(house, table, since).drop == 20_00


def test_a_void_round_is_counted_with_its_reason_and_is_no_drop(house: House) -> None:
    ana, table = house.player("ana"), house.table("wheel", game="roulette")
    a_round(house, table, (ana, "red", 100), ball=2)
    house.until(table, "betting")
    house.bet(ana, table, "red", 50)
    void_round(house.log(table).pk, "The ball was lost", clock=house.clock)
    found = of(house, table)
    assert (found.rounds, found.voids, found.drop, found.win) == (1, 1, 100_00, 100_00)
    assert found.theoretical == Fraction(100_00, 37)
    (void,) = statistics.voids_of_tables([table.pk], EVER, house.clock.at + MOMENT)
    assert (void.log_id, void.number, void.why.text) == (house.log(table).pk, 2, "The ball was lost")
    assert statistics.voids_of_tables([table.pk], EVER, house.clock.at) == []


def test_a_round_that_nobody_played_is_not_counted_as_void(house: House) -> None:
    table = house.table("guia", game="stud_poker")
    house.until(table, "betting")
    void_round(house.log(table).pk, "Nobody came", clock=house.clock)
    found = of(house, table)
    assert (found.rounds, found.voids, found.unplayed) == (0, 0, 1)
    assert found.idle
    assert statistics.voids_of_tables([table.pk], EVER, house.clock.at + MOMENT) == []


def test_a_jackpot_stake_is_drop_though_its_round_is_void_until_it_is_refunded(house: House) -> None:
    """It goes to the jackpot and plays in the next round (11(1)); whoever leaves gets it back (R14)."""
    table, ana = house.table("guia", game="stud_poker"), house.player("ana")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    house.bet(ana, table, "ante", 100, 1)
    house.bet(ana, table, "jackpot", 25, 1)
    void_round(house.log(table).pk, "The shuffler fails", clock=house.clock)
    void = of(house, table)
    assert (void.voids, void.drop, void.win, void.contributions) == (1, 25_00, 7_50, 17_50)
    assert void.reckoned_win == 0
    seating.stand_up(ana.pk, table.pk, clock=house.clock)
    while Account.objects.get(player=ana).balance < 10_000_00:
        house.step(table)
    void_round(house.log(table).pk, "Nobody is left", clock=house.clock)
    left = of(house, table)
    assert (left.drop, left.win, left.reckoned_win) == (0, 0, 0)
    assert left.payments == 17_50


# ── Outside rounds ──────────────────────────────────────────────────────────────────────────────────────────


def test_fills_and_credits_are_those_that_were_confirmed(house: House) -> None:
    boss, cage = member("pit_boss"), member("cage")
    table, other = house.table("wheel", game="roulette"), house.table("senado", game="roulette")
    for kind, cents, confirmed in (
        ("fill", 300_00, True),
        ("fill", 20_00, True),
        ("credit", 5_00, True),
        ("fill", 9_00, False),
    ):
        order = order_chips(boss, table.pk, kind, cents, clock=house.clock)
        if confirmed:
            confirm_chips(cage, order.pk, clock=house.clock)
    found = of(house, table)
    assert (found.fills, found.credits) == (320_00, 5_00)
    assert not found.idle and found.drop == 0
    assert of(house, other) == NOTHING
    assert statistics.of_table(table.pk, EVER, house.clock.at) == NOTHING


def test_adjustments_belong_to_the_table_of_their_round(house: House) -> None:
    boss, manager, ana = member("pit_boss"), member("shift_manager"), house.player("ana")
    table, other = house.table("wheel", game="roulette"), house.table("senado", game="roulette")
    log = a_round(house, table, (ana, "red", 100), ball=2)
    for cents, of_round in ((30_00, log.pk), (-5_00, log.pk), (7_00, None)):
        asked = adjustments.ask(boss, ana.pk, cents, "A mistake", log=of_round, clock=house.clock)
        adjustments.approve(manager, asked.pk, clock=house.clock)
    adjustments.ask(boss, ana.pk, 99_00, "Nobody approves it", log=log.pk, clock=house.clock)
    assert of(house, table).adjustments == 25_00
    assert of(house, other) == NOTHING
    assert statistics.adjustments(EVER, house.clock.at + MOMENT) == {table.pk: 25_00, None: 7_00}
    assert statistics.adjustments(EVER, house.clock.at) == {}


# ── What was to be expected ─────────────────────────────────────────────────────────────────────────────────


def test_the_band_of_a_round_of_roulette_worked_out_by_hand(house: House) -> None:
    """Red with 150 of two players, and 5 on number 17: 1/37 of 155 is 4.189; red varies by 150² × (1 − 1/37²) =
    22,483.56, number 17 by 5² × (1,261/37 − 1/37²) = 852.01. The root of both, 152.76, 1.96 times, is 299.41."""
    ana, rui, table = house.player("ana"), house.player("rui"), house.table("wheel", game="roulette")
    a_round(house, table, (ana, "red", 100), (rui, "red", 50), (rui, "straight_17", 5), ball=2)
    found = of(house, table)
    assert found.win == 155_00 == found.reckoned_win
    assert found.theoretical == Fraction(155_00, 37)
    red, number = 150_00**2 * (1 - Fraction(1, 37**2)), 5_00**2 * (Fraction(1261, 37) - Fraction(1, 37**2))
    assert found.variance == red + number
    assert found.band == (-295_23, 303_60)
    assert not found.outside


def test_rounds_add_their_variances_not_their_deviations(house: House) -> None:
    ana, table = house.player("ana"), house.table("wheel", game="roulette")
    a_round(house, table, (ana, "red", 100), ball=2)
    one = of(house, table)
    for _ in range(8):
        a_round(house, table, (ana, "red", 100), ball=2)
    nine = of(house, table)
    assert nine.theoretical == 9 * one.theoretical
    width = [found.band[1] - found.band[0] for found in (one, nine)]
    assert width[1] == pytest.approx(3 * width[0], abs=6)
    assert not one.outside
    assert nine.win == 900_00 > nine.band[1] and nine.outside


def test_bets_without_a_figure_are_held_against_nothing(house: House) -> None:
    table, ana = house.table("guia", game="stud_poker"), house.player("ana")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    house.bet(ana, table, "ante", 100, 1)
    house.bet(ana, table, "jackpot", 25, 1)
    house.play_out(table)  # she does not decide: folded
    found = of(house, table)
    assert (found.drop, found.win, found.contributions) == (125_00, 107_50, 17_50)
    assert (found.unreckoned, found.unreckoned_win, found.reckoned_win) == (25_00, 7_50, 100_00)
    assert found.theoretical > 0


def test_a_band_is_rounded_away_from_its_middle() -> None:
    exact = Figures(theoretical=Fraction(10), variance=Fraction(100**2))
    assert exact.band == (-186, 206)
    assert Figures(theoretical=Fraction(1, 3), variance=Fraction(1)).band == (-2, 3)
    assert NOTHING.band == (0, 0)
    edge = Figures(rounds=1, win=206, theoretical=Fraction(10), variance=Fraction(100**2))
    assert not edge.outside
    assert (edge + Figures(win=1)).outside
    assert not (edge + Figures(win=500, unreckoned_win=500)).outside


# ── Time ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_round_belongs_to_the_moment_in_which_it_was_settled(hall: House) -> None:
    """The first moment of a period is in it, that after its last is not; asked again, it is what it was, and one that
    goes on is added to."""
    ana, table = hall.player("ana"), hall.table("wheel", game="roulette")
    ends: list[datetime] = []
    for number in range(9):
        log = a_round(hall, table, (ana, "red", 1 + number), ball=2)
        assert log.settled_at is not None
        ends.append(log.settled_at)
        assert of(hall, table).win == sum(range(1, number + 2)) * 100, "what has come meanwhile was not added"
    hall.step(table)
    for since in (EVER, *ends):
        for until in (*ends, hall.clock.at + MOMENT):
            wins = [(1 + number) * 100 for number, end in enumerate(ends) if since <= end < until]
            for _ in range(2):
                found = statistics.of_table(table.pk, since, until)
                assert (found.rounds, found.win) == (len(wins), sum(wins)), (since, until)
    statistics.remembered.clear()
    assert of(hall, table).win == 45_00


def test_every_table_has_figures_also_where_nothing_happened(house: House) -> None:
    ana, table = house.player("ana"), house.table("wheel", game="roulette")
    idle = house.table("jade", game="baccarat")
    a_round(house, table, (ana, "red", 10), ball=2)
    found = statistics.of_tables(EVER, house.clock.at + MOMENT)
    assert found == {table.pk: of(house, table), idle.pk: NOTHING}
    assert statistics.total(found.values()) == of(house, table)
