"""Many at once, in real processes: each deed is done or refused, whole, and nobody waits for ever.

Where no mark says otherwise these run on SQLite too, whose processes queue for the one lock of its file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.base.transactions import unit_of_work
from tables.games.blackjack.phases import Double, Follow, Hit, Insurance, Match, Stand
from tables.games.contract.actions import Action, Lower, Ready, Withdraw
from tables.games.contract.round import BetOffer
from tables.games.stud_poker.phases import Raise
from tables.models import Account, LoggedAction, Player, RefusedDeed, RoundLog, Seat, Table, Transfer
from tables.queries.folds import round_of
from tables.services.dealing.advance import advance
from tables.services.dealing.leases import DealerCredentials, StaleLease, take_lease
from tables.services.money import wallet
from tables.services.pit.opening import open_jackpot
from tables.services.players import people
from tables.services.rounds import betting, decisions, seating
from tables.services.rounds.betting import BetRequest
from tables.services.rounds.round_session import Accepted

from . import deeds
from .kit import IDENTITY, LEASE, House, RunningClock, Seeded, answer, everything, void_round
from .processes import Flag, Halt, running, together, until, waiting_for_locks

START = 10_000 * 100


def at_betting(house: House, slug: str = "jade", **options: Any) -> tuple[Table, int]:
    """A table whose betting is open, and its round."""
    table = house.table(slug, **options)
    house.until(table, "betting")
    return table, house.log(table).pk


# ── Bets ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_wallet_pays_for_as_many_bets_as_it_can_and_no_more(hall: House) -> None:
    _, jade = at_betting(hall, "jade")
    _, lotus = at_betting(hall, "lotus")
    ana = hall.player("ana")

    def bets(who: int) -> list[str]:
        return [
            answer(
                lambda number=number, round_id=round_id: deeds.place(  # type: ignore[misc]
                    round_id, BetRequest(ana.pk, f"r-{who}-{number}", "player", 50_000), clock=hall.clock
                )
            )
            for number in range(4)
            for round_id in (jade, lotus)
        ]

    said = Counter(one for process in together(*[partial(bets, who) for who in range(5)]) for one in process)
    assert said == {"done": 20, "balance": 20}
    assert hall.balance(ana) == 0


def test_the_same_click_over_many_lines_is_one_bet(hall: House) -> None:
    _, round_id = at_betting(hall)
    ana = hall.player("ana")
    click = BetRequest(ana.pk, "one-click", "player", 10_000)
    said = together(*[partial(answer, partial(deeds.place, round_id, click, clock=hall.clock))] * 6)
    assert sorted(said) == ["done"] + ["repeated"] * 5
    assert Transfer.objects.filter(reason="stake").count() == 1
    assert hall.balance(ana) == START - 10_000


def test_each_bet_is_in_the_round_or_refused_and_none_after_the_close(hall: House) -> None:
    table, round_id = at_betting(hall)

    def bets_of(player: Player) -> list[str]:
        said: list[str] = []
        while not said or said[-1] == "done":
            request = BetRequest(player.pk, f"r-{len(said)}", "player", 100)
            said.append(answer(partial(deeds.place, round_id, request, clock=hall.clock)))
        return said

    def deal() -> list[str]:
        until(lambda: hall.log(table).version >= 12, "twelve bets lie there")
        while not hall.round(table).over:
            hall.step(table)
        return []

    players = [hall.player(f"p{number}") for number in range(4)]
    said = [one for process in together(*[partial(bets_of, p) for p in players], deal) for one in process]
    kinds = [line.action["do"] for line in LoggedAction.objects.filter(log=round_id).order_by("seq")]
    assert set(said) <= {"done", "time", "closed"}
    assert said.count("done") == kinds.count("bet") >= 12
    assert "bet" not in kinds[kinds.index("close") :]


def test_a_bet_that_waited_past_the_deadline_for_the_table_is_late(hall: House, on_postgresql: bool) -> None:
    _, round_id = at_betting(hall)
    ana = hall.player("ana")
    held, free, asked = Flag(), Flag(), Flag()

    def hold() -> None:
        with unit_of_work():
            RoundLog.objects.select_for_update().get(pk=round_id)
            held.raise_()
            free.wait()

    def bet() -> str:
        asked.raise_()
        request = BetRequest(ana.pk, "click", "player", 10_000)
        return answer(partial(deeds.place, round_id, request, clock=hall.clock))

    with running(hold) as (holder,):
        held.wait()
        with running(bet) as (bettor,):
            asked.wait()
            if on_postgresql:
                until(lambda: waiting_for_locks(), "the bet waits for the table")
            hall.clock.pass_(seconds=18)
            free.raise_()
            holder.told()
            assert bettor.told() == "time"
    assert hall.balance(ana) == START


# ── Seats ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_of_those_who_claim_one_seat_one_gets_it_and_the_others_are_told(hall: House) -> None:
    table, _ = at_betting(hall)
    players = [hall.player(f"p{number}") for number in range(6)]
    said = together(*[partial(answer, partial(seating.sit, p.pk, table.pk, 3, clock=hall.clock)) for p in players])
    assert sorted(said) == ["done"] + ["seat"] * 5
    winner = players[said.index("done")]
    assert list(Seat.objects.values_list("player", "number")) == [(winner.pk, 3)]
    assert hall.round(table).seats == {winner.key: 3}


def test_a_player_who_claims_every_seat_ends_in_one(hall: House) -> None:
    table, _ = at_betting(hall)
    ana = hall.player("ana")
    seats = range(1, 7)
    assert together(
        *[partial(answer, partial(seating.sit, ana.pk, table.pk, seat, clock=hall.clock)) for seat in seats]
    ) == ["done"] * len(seats)
    assert Seat.objects.filter(player=ana).count() == 1
    assert hall.round(table).seats == {ana.key: Seat.objects.get(player=ana).number}


# ── Credits ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_who_asks_many_times_at_once_is_topped_up_once(hall: House) -> None:
    table, _ = at_betting(hall)
    ana = hall.player("ana")
    hall.bet(ana, table, "player", 9_600)
    said = together(*[partial(answer, partial(people.top_up, ana.pk, clock=hall.clock))] * 5)
    assert sorted(said) == ["credits"] * 4 + ["done"]
    assert hall.balance(ana) == START


def test_guests_who_come_at_once_all_come_in(hall: House) -> None:
    hall.player("ana")

    def come() -> str:
        return people.new_guest(clock=hall.clock).name

    names = together(*[come] * 6)
    assert len(set(names)) == 6


# ── Dealers ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_free_table_is_taken_by_one_dealer(hall: House) -> None:
    table = hall.table()
    hall.clock.pass_(days=2)
    before = hall.credentials(table).epoch

    def take(name: str) -> tuple[int, int] | None:
        return take_lease(name, LEASE, identity=IDENTITY, clock=hall.clock)

    taken = together(*[partial(take, f"dealer {number}") for number in range(5)])
    assert Counter(taken) == {None: 4, (table.pk, before + 1): 1}


def test_a_dealer_whose_lease_has_passed_on_changes_nothing_while_the_other_deals(hall: House) -> None:
    table = hall.table(times={"betting": 0, "beat": 0})
    old = hall.credentials(table)
    hall.take_over(table, "new")

    def deal(credentials: DealerCredentials) -> Counter[str]:
        came: Counter[str] = Counter()
        for _ in range(8):
            try:
                came[str(advance(table.pk, credentials, clock=hall.clock).acted)] += 1
            except StaleLease:
                came["stale"] += 1
        return came

    assert together(partial(deal, old), partial(deal, hall.credentials(table))) == [{"stale": 8}, {"True": 8}]
    assert hall.log(table).version == 7  # the first opened the round, the others each added a line


@pytest.mark.postgresql
def test_a_dealer_stopped_before_his_step_finds_his_lease_gone(hall: House) -> None:
    table, _ = at_betting(hall)
    hall.due(table)
    old, halt = hall.credentials(table), Halt('"tables_lease"')
    with running(partial(halt.within, partial(tried, hall, table, old))) as (stopped,):
        halt.halted.wait()
        hall.take_over(table, "new")
        before = everything()
        halt.go.raise_()
        assert stopped.told() == "stale"
        assert everything() == before


@pytest.mark.postgresql
def test_a_lease_is_not_stolen_in_the_middle_of_a_step(hall: House) -> None:
    table, _ = at_betting(hall)
    hall.due(table)
    halt = Halt("INSERT")
    with running(partial(halt.within, partial(tried, hall, table, hall.credentials(table)))) as (stopped,):
        halt.halted.wait()
        hall.clock.pass_(days=2)
        assert take_lease("thief", LEASE, identity=IDENTITY, clock=hall.clock) is None
        halt.go.raise_()
        assert stopped.told() == "done"
    assert hall.round(table).phase == "deal"
    assert take_lease("heir", LEASE, identity=IDENTITY, clock=hall.clock) is not None


def tried(house: House, table: Table, credentials: DealerCredentials) -> str:
    try:
        return "done" if advance(table.pk, credentials, clock=house.clock).acted else "nothing"
    except StaleLease:
        return "stale"


# ── Decisions ───────────────────────────────────────────────────────────────────────────────────────────────


def asked(house: House, *boxes: tuple[Player, ...], stake: int = 10, other: tuple[Player, ...] = ()) -> Table:
    """A Blackjack table with these bettors on boxes 1, 2 …, each with eleven against a nine; the first one is asked.
    Those of `other` follow doubles."""
    seconds = " ".join(f"5{suit}" for suit in "hdsc"[: len(boxes)])
    firsts = " ".join(f"6{suit}" for suit in "hdsc"[: len(boxes)])
    house.stack(f"Kd {firsts} 9d {seconds} 2c 3c 4c 2d 3d 4d")
    table = house.table("taipa", game="blackjack")
    house.until(table, "betting")
    for box, bettors in enumerate(boxes, start=1):
        for player in bettors:
            house.bet(player, table, "main", stake, box)
    for player in other:
        house.decide(player, table, Follow, doubles=True)
    house.until(table, "early_window")
    for bettors in boxes:
        house.decide(bettors[0], table, Ready)
    while house.round(table).next_house_step() is not None:
        house.step(table)
    return table


def says(house: House, player: Player, table: Table, kind: type[Action], **fields: Any) -> Callable[[], str]:
    """A deed that this player has asked for, under a ref of its own, once it is called."""
    deed = partial(decisions.decide, player.pk, house.log(table).pk, house.ref(), kind(player.key, **fields))
    return partial(answer, partial(deed, clock=house.clock))


def deeds_in(table: Table, do: str) -> int:
    return LoggedAction.objects.filter(log__table=table, action__do=do).count()


def test_a_decider_who_asks_over_many_lines_gets_one_card_at_a_time(hall: House) -> None:
    ana = hall.player("ana")
    table = asked(hall, (ana,))
    said = together(*[says(hall, ana, table, Hit, box=1) for _ in range(5)])
    assert said.count("done") == 1
    assert deeds_in(table, "hit") == 1
    hall.play_out(table)


def test_one_click_on_double_over_many_lines_costs_once(hall: House) -> None:
    ana = hall.player("ana")
    table = asked(hall, (ana,))
    said = together(*[says(hall, ana, table, Double, box=1)] * 5)
    assert sorted(said) == ["done"] + ["repeated"] * 4
    assert hall.balance(ana) == START - 2_000
    hall.play_out(table)


def test_one_click_that_is_refused_over_many_lines_is_one_refusal(hall: House) -> None:
    ana = hall.player("ana")
    table = hall.table(max_bet=50_000)
    hall.until(table, "betting")
    bet = partial(deeds.place, hall.log(table).pk, BetRequest(ana.pk, hall.ref(), "player", 60_000), clock=hall.clock)
    assert together(*[partial(answer, bet)] * 5) == ["maximum"] * 5
    (number,) = RefusedDeed.objects.filter(payload="")
    assert number.answer == {"kept": 1} and RefusedDeed.objects.count() == 2
    hall.play_out(table)


def test_of_hit_and_double_at_once_one_is_done(hall: House) -> None:
    ana = hall.player("ana")
    table = asked(hall, (ana,))
    said = together(says(hall, ana, table, Hit, box=1), says(hall, ana, table, Double, box=1))
    assert said.count("done") == 1
    assert hall.balance(ana) == START - (2_000 if deeds_in(table, "double") else 1_000)
    hall.play_out(table)


def test_two_deciders_at_once_do_not_meet(hall: House) -> None:
    """Whose turn it is not is refused, whoever comes first; the next is asked only when the first is done."""
    ana, rui = hall.player("ana"), hall.player("rui")
    table = asked(hall, (ana,), (rui,))
    said = together(says(hall, ana, table, Hit, box=1), says(hall, rui, table, Hit, box=2))
    assert said[0] == "done" and said[1] != "done"
    hall.play_out(table)


def test_everybody_who_is_asked_may_answer_in_the_same_instant(hall: House) -> None:
    people = [hall.player(name) for name in ("ana", "rui", "lin")]
    hall.stack("Kd 6h 6d Ad 5h 5d Ts")
    table = hall.table("taipa", game="blackjack")
    hall.until(table, "betting")
    for player, box in zip(people, (1, 1, 2), strict=True):
        hall.bet(player, table, "main", 10, box)
    hall.until(table, "early_window")
    insurances = [
        says(hall, p, table, Insurance, box=box, amount=500) for p, box in zip(people, (1, 1, 2), strict=True)
    ]
    assert together(*insurances) == ["done"] * 3
    assert [hall.balance(player) for player in people] == [START - 1_500] * 3
    hall.play_out(table)
    assert [hall.balance(player) for player in people] == [START] * 3, "the bank had a blackjack"


@pytest.mark.parametrize("kind", [Hit, Match])
def test_a_decision_that_waited_past_its_time_for_the_table_is_late(
    hall: House, kind: type[Action], on_postgresql: bool
) -> None:
    ana, rui = hall.player("ana"), hall.player("rui")
    table = asked(hall, (ana, rui))
    if kind is Match:
        hall.decide(ana, table, Double, box=1)
    before = hall.balance(ana), hall.balance(rui)
    deed, round_id = says(hall, ana if kind is Hit else rui, table, kind, box=1), hall.log(table).pk
    held, free, about_to = Flag(), Flag(), Flag()

    def hold() -> None:
        with unit_of_work():
            RoundLog.objects.select_for_update().get(pk=round_id)
            held.raise_()
            free.wait()

    def decide() -> str:
        about_to.raise_()
        return deed()

    with running(hold) as (holder,):
        held.wait()
        with running(decide) as (late,):
            about_to.wait()
            if on_postgresql:
                until(lambda: waiting_for_locks(), "the decision waits for the table")
            hall.clock.pass_(seconds=10)
            free.raise_()
            holder.told()
            assert late.told() == "time"
    hall.advance(table)
    assert (deeds_in(table, "stand"), deeds_in(table, "proceed")) == ((1, 0) if kind is Hit else (0, 1))
    assert (hall.balance(ana), hall.balance(rui)) == before
    hall.play_out(table)


@pytest.mark.postgresql
@pytest.mark.parametrize("kind", [Hit, Stand, Double])
def test_a_dealer_who_comes_to_say_that_time_is_over_finds_the_decision_taken(hall: House, kind: type[Action]) -> None:
    ana = hall.player("ana")
    table = asked(hall, (ana,))
    hall.clock.pass_(seconds=9.9)
    halt = Halt('"tables_roundlog"', nth=2)  # they have the table, and not yet the round
    with running(partial(halt.within, partial(tried, hall, table, hall.credentials(table)))) as (dealer,):
        halt.halted.wait()
        assert says(hall, ana, table, kind, box=1)() == "done"
        hall.clock.pass_(seconds=0.5)
        halt.go.raise_()
        assert dealer.told() == ("nothing" if kind is Stand else "done")
    assert not LoggedAction.objects.filter(log__table=table, action__do="stand", by="house").exists()
    hall.play_out(table)


def test_chips_wanted_for_a_match_and_laid_elsewhere_at_once_are_spent_once(hall: House) -> None:
    ana, rui = hall.player("ana"), hall.player("rui")
    jade, _ = at_betting(hall, times={"betting": 3_600_000})
    table = asked(hall, (ana, rui), stake=4_000, other=(rui,))
    hall.decide(ana, table, Double, box=1)
    request = BetRequest(rui.pk, "elsewhere", "player", 400_000)
    bet = partial(answer, partial(deeds.place, hall.log(jade).pk, request, clock=hall.clock))
    said = together(bet, partial(tried, hall, table, hall.credentials(table)))
    assert said in (["done", "done"], ["balance", "done"])
    assert (deeds_in(table, "match"), deeds_in(table, "pass")) == ((0, 1) if said[0] == "done" else (1, 0))
    assert hall.balance(rui) == START - 800_000
    hall.play_out(table)


@pytest.mark.postgresql
def test_a_payment_in_mid_round_and_a_bet_elsewhere_do_not_wait_for_each_other_for_ever(hall: House) -> None:
    """The dealer pays five people of one table while they bet at another: all wallets are locked by id, once."""
    people = [hall.player(f"p{number}") for number in range(5)]
    _, jade = at_betting(hall, times={"betting": 3_600_000})
    table = asked(hall, (people[0], people[1], people[2]), (people[3], people[4]))
    hall.decide(people[0], table, Hit, box=1)
    requests = [BetRequest(player.pk, "elsewhere", "player", 1_000) for player in reversed(people)]

    def bet() -> int:
        return sum(isinstance(one, Accepted) for one in betting.place_many(jade, requests, clock=hall.clock))

    def deal() -> int:
        return int(pit_voids(hall, table) == "done")

    assert together(bet, deal) == [5, 1]
    assert [hall.balance(player) for player in people] == [START - 1_000] * 5


def pit_voids(house: House, table: Table) -> str:
    return answer(partial(void_round, house.log(table).pk, "x", clock=house.clock))


def test_everybody_decides_at_once(hall: House) -> None:
    """A table of real time, its dealer, and players who take whatever is offered, for six decisions."""
    hall.clock = RunningClock()
    times = {"betting": 200, "decision": 500, "beat": 0, "result": 0, "cut": 5}
    table = hall.table("taipa", game="blackjack", times=times, split_rank_rule="same_value")
    players = [hall.player(f"p{number}") for number in range(3)]
    done = Flag()

    def enough() -> bool:
        hall.advance(table)
        decided = LoggedAction.objects.filter(log__table=table, action__do__in=("hit", "stand", "double", "split"))
        return decided.exclude(by="house").count() >= 6 and hall.log(table).settled_at is not None

    def deal() -> None:
        hall.chance = Seeded("taipa")
        until(enough, "six decisions are taken")
        done.raise_()

    def choices(player: Player) -> list[tuple[int, BetOffer | Action]]:
        log = Table.objects.select_related("round").get(pk=table.pk).round
        assert log is not None
        offers = round_of(log).offers(player.key)
        found: list[BetOffer | Action] = [*offers.bets[:3], *offers.actions]
        return [(log.pk, one) for one in found if not isinstance(one, Withdraw | Lower | Follow)]

    def play(player: Player) -> Counter[str]:
        dice, said = Seeded(player.name), Counter[str]()
        for number in count():
            until(lambda: done.up or choices(player))
            if done.up:
                return said
            round_id, chosen = dice.one_of(choices(player) or [(0, Ready(player.key))])
            if isinstance(chosen, BetOffer):
                amount = chosen.least + chosen.step * dice.below(20)
                request = BetRequest(player.pk, f"r-{number}", chosen.spot, amount, chosen.box)
                said[f"bet {answer(partial(deeds.place, round_id, request))}"] += 1
            else:
                said[f"deed {answer(partial(decisions.decide, player.pk, round_id, f'r-{number}', chosen))}"] += 1
        raise AssertionError

    hall.advance(table)
    said = together(deal, *[partial(play, player) for player in players])
    came = sum((one for one in said if isinstance(one, Counter)), Counter[str]())
    assert came["bet done"] >= 2 and came["deed done"] >= 6
    for log in RoundLog.objects.all():
        read = [line.at for line in log.actions.order_by("seq")]
        assert read == sorted(read), "the time was not read under the lock"


# ── Locks ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_tables_that_share_their_players_are_settled_at_once(hall: House, on_postgresql: bool) -> None:
    """One wallet in the middle is held till all wait for it: whoever did not lock by id now stands in another's way."""
    players = [hall.player(f"p{number}") for number in range(30)]
    tables = [hall.table(slug) for slug in ("jade", "lotus", "harbour")]
    for number, table in enumerate(tables):
        hall.until(table, "betting")
        requests = [BetRequest(p.pk, f"r-{p.pk}", "player", 1_000) for p in players]
        betting.place_many(hall.log(table).pk, requests[:: -1 if number % 2 else 1], clock=hall.clock)
        hall.until(table, "result")
        hall.due(table)
    held, free = Flag(), Flag()

    def hold() -> None:
        with unit_of_work():
            wallet.lock([wallet.player(players[15].pk)])
            held.raise_()
            free.wait()

    with running(hold):
        held.wait()
        with running(*[partial(settle, hall, table) for table in tables]) as settling:
            if on_postgresql:
                until(lambda: waiting_for_locks() == len(tables), "all wait")
            free.raise_()
            for process in settling:
                process.told()
    assert all(hall.round(table).over for table in tables)


def settle(house: House, table: Table) -> None:
    assert house.advance(table).acted


@pytest.mark.postgresql
def test_a_round_that_ends_while_the_dealer_waits_for_it_is_no_fault(hall: House) -> None:
    table, round_id = at_betting(hall)
    hall.due(table)
    held, free = Flag(), Flag()

    def rule() -> None:
        with unit_of_work():
            void_round(round_id, "the pit rules", clock=hall.clock)
            held.raise_()
            free.wait()

    with running(rule) as (ruling,):
        held.wait()
        with running(partial(hall.advance, table)) as (dealing,):
            until(waiting_for_locks, "the dealer waits for the round")
            hall.clock.pass_(seconds=60)
            free.raise_()
            ruling.told()
            assert dealing.told().acted
    assert hall.round(table).phase == "void"


@pytest.mark.postgresql
def test_a_top_up_and_a_settlement_do_not_wait_for_each_other(hall: House) -> None:
    hall.stack("4s Kc 5d 7h")  # 9 against 7
    table, _ = at_betting(hall)
    ana = hall.player("ana")
    hall.bet(ana, table, "banker", 9_600)
    hall.until(table, "result")
    hall.due(table)
    halt = Halt("FROM tables_account ")
    with running(partial(halt.within, partial(people.top_up, ana.pk, clock=hall.clock))) as (asking,):
        halt.halted.wait()
        with running(partial(settle, hall, table)) as (settling,):
            until(lambda: not settling.alive or waiting_for_locks())
            halt.go.raise_()
            settling.told()
            assert asking.told() == 9_600 * 100
    assert hall.balance(ana) == START


def test_whoever_comes_and_goes_locks_no_wallets(hall: House) -> None:
    """In one transaction accounts are locked once, by id; a table full of people would lock them one by one."""
    table, _ = at_betting(hall)
    players = [hall.player(name) for name in ("ana", "rui", "lin")]
    ids = [player.pk for player in players]
    with CaptureQueriesContext(connection) as statements:
        for seat, player in enumerate(players, start=1):
            seating.sit(player.pk, table.pk, seat, clock=hall.clock)
            seating.connection_lost(table.pk, player.pk, clock=hall.clock)
        seating.heartbeat(table.pk, ids, clock=hall.clock)
        hall.clock.pass_(seconds=60)
        seating.sweep(table.pk, clock=hall.clock)
        hall.clock.pass_(seconds=60)
        seating.sweep(table.pk, clock=hall.clock)
    assert not [query["sql"] for query in statements if "tables_account" in query["sql"]]
    kinds = Counter(hall.log(table).actions.values_list("action__do", flat=True))
    assert kinds == {"sit": 6, "leave": 6}


@pytest.mark.in_full
def test_everybody_does_everything_at_once(hall: House) -> None:
    """Two tables of real time, their dealers, and players who bet, change their minds, sit and go; no time to wait."""
    hall.clock = RunningClock()
    times = {"betting": 40, "decision": 5, "beat": 0, "result": 0, "cut": 5}
    tables = [
        hall.table("jade", times=times, tie_policy="free"),
        hall.table("lotus", times=times, dealing_device="shoe", cut_card_depth=390, imbalance_limit=20_000),
    ]
    players = [hall.player(f"p{number}") for number in range(4)]

    def deal(table: Table, until_round: int) -> None:
        hall.chance = Seeded(table.slug)
        until(lambda: hall.advance(table).look_at and (log := hall.log(table)).settled_at and log.number >= until_round)

    def play(player: Player) -> Counter[str]:
        dice, said = Seeded(player.name), Counter[str]()
        for number in range(60):
            table = dice.one_of(tables)
            round_id = Table.objects.get(pk=table.pk).round_id or 0
            said[answer(partial(dice.one_of(DEEDS), player, table, round_id, number, dice))] += 1
        return said

    hall.advance(tables[0]), hall.advance(tables[1])
    deals: list[Callable[[], object]] = [partial(deal, table, 4) for table in tables]
    said = together(*deals, *[partial(play, player) for player in players])
    assert sum((one for one in said if isinstance(one, Counter)), Counter())["done"] > 20
    for log in RoundLog.objects.all():
        read = [line.at for line in log.actions.order_by("seq")]
        assert read == sorted(read), "the time was not read under the lock"


def _bet(player: Player, table: Table, round_id: int, number: int, dice: Seeded) -> object:
    spot = dice.one_of(("player", "banker", "tie"))
    return deeds.place(round_id, BetRequest(player.pk, f"r-{number}", spot, 1_000 + 100 * dice.below(50)))


def _withdraw(player: Player, table: Table, round_id: int, number: int, dice: Seeded) -> object:
    log = RoundLog.objects.filter(pk=round_id).first()
    own = list(round_of(log).in_escrow(player.key)) if log is not None else []
    return deeds.withdraw(player.pk, round_id, f"r-{number}", dice.one_of(own) if own else "none")


def _ready(player: Player, table: Table, round_id: int, number: int, dice: Seeded) -> object:
    return deeds.ready(player.pk, round_id, f"r-{number}")


def _sit(player: Player, table: Table, round_id: int, number: int, dice: Seeded) -> object:
    seating.sit(player.pk, table.pk, 1 + dice.below(4))
    return None


def _stand_up(player: Player, table: Table, round_id: int, number: int, dice: Seeded) -> object:
    seating.stand_up(player.pk, table.pk)
    return None


def _drop(player: Player, table: Table, round_id: int, number: int, dice: Seeded) -> object:
    seating.connection_lost(table.pk, player.pk)
    return None


def _come(player: Player, table: Table, round_id: int, number: int, dice: Seeded) -> object:
    seating.heartbeat(table.pk, [player.pk])
    return None


DEEDS = (_bet, _bet, _bet, _bet, _withdraw, _ready, _sit, _stand_up, _drop, _come, _come)


# ── The jackpot ─────────────────────────────────────────────────────────────────────────────────────────────

MINIMUM, ADDS = 500_000_00, 17_50


def on_a_jackpot(hall: House, *slugs: str) -> dict[str, tuple[Table, Player]]:
    """Tables of one jackpot with its minimum in it, and who sits at each."""
    open_jackpot("lisboa", "Lisboa", MINIMUM, clock=hall.clock)
    found = {}
    for slug in slugs:
        table = hall.table(slug, game="stud_poker", jackpot="lisboa", times={"decision": 300_000})
        found[slug] = table, hall.player(slug)
        seating.sit(found[slug][1].pk, table.pk, 1, clock=hall.clock)
    return found


def stakes_on_a_royal(hall: House, table: Table, player: Player) -> None:
    """They ante and stake on the jackpot; what they will get is a royal flush, and the dealer does not qualify."""
    hall.stack("As Ks Qs Js Ts 2d 4h 6s 8c Td")
    hall.until(table, "betting")
    hall.bet(player, table, "ante", 100, 1)
    hall.bet(player, table, "jackpot", 25, 1)


def goes_on(hall: House, table: Table, phase: str) -> None:
    hall.until(table, phase)


@pytest.mark.in_full
def test_tables_that_close_and_win_in_the_same_instant_each_have_an_opening_of_their_own(hall: House) -> None:
    """Three tables of one jackpot close at once, and all win all of it at once; and once more."""
    there = on_a_jackpot(hall, "guia", "penha", "barra").values()
    for _ in range(2):
        for table, player in there:
            stakes_on_a_royal(hall, table, player)
        logs = [hall.log(table) for table, _ in there]
        together(*[partial(goes_on, hall, table, "look_and_decide") for table, _ in there])
        lines = LoggedAction.objects.filter(log__in=logs, action__do="meter")
        openings = sorted(line.action["pool"] + ADDS for line in lines)
        assert openings == [MINIMUM + ADDS, MINIMUM + 2 * ADDS, MINIMUM + 3 * ADDS]
        for table, player in there:
            hall.decide(player, table, Raise)
        together(*[partial(goes_on, hall, table, "settled") for table, _ in there])
        paid = Transfer.objects.filter(log__in=logs, reason="jackpot").values_list("amount", flat=True)
        assert sorted(paid) == openings
        assert Account.objects.get(kind="jackpot").balance == MINIMUM
        hall.in_order()


@pytest.mark.postgresql
@pytest.mark.parametrize("before", ['INSERT INTO "tables_loggedaction"', "FROM tables_account "])
def test_the_lines_of_a_jackpot_are_numbered_in_the_order_in_which_they_moved_it(hall: House, before: str) -> None:
    """One dealer is stopped as they pay out, just before they write or lock; another comes. The audit of `hall` replays
    the lines: who had the jackpot first stands first."""
    there = on_a_jackpot(hall, "guia", "penha")
    for table, player in there.values():
        stakes_on_a_royal(hall, table, player)
        hall.until(table, "look_and_decide")
    for table, player in there.values():
        hall.decide(player, table, Raise)
        hall.until(table, "result")
        hall.due(table)
    (guia, _), (penha, _) = there.values()
    halt = Halt(before)
    with running(partial(halt.within, partial(tried, hall, guia, hall.credentials(guia)))) as (stopped,):
        halt.halted.wait()
        with running(partial(tried, hall, penha, hall.credentials(penha))) as (other,):
            until(lambda: waiting_for_locks() or hall.log(penha).settled_at, "the other waits, or is through")
            halt.go.raise_()
            assert (stopped.told(), other.told()) == ("done", "done")
    assert Account.objects.get(kind="jackpot").balance == MINIMUM
