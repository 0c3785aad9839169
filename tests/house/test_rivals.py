"""Two deeds that exclude each other, at the same moment: one of them is done, whole, and the other finds it done.

`within` stops the first in the middle of its transaction, once it has looked at what the second is about to change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection

from tables.games.contract.actions import Ready
from tables.models import Account, Adjustment, LoggedAction, Player, Role, RoundLog, Table, Transfer
from tables.services.dealing.advance import advance
from tables.services.pit import adjustments, lifecycle, rulings, sanctions
from tables.services.players import own_limits
from tables.services.rounds import breaks
from tables.services.rounds.betting import BetRequest

from . import deeds
from .kit import House, answer
from .processes import Flag, running, together, until, waiting_for_locks

START = 10_000 * 100


def staff(role: str, name: str = "") -> Player:
    return Player.objects.create(username=name or role, name=name or role, role=Role(role))


def at_betting(house: House, slug: str = "jade", **options: Any) -> tuple[Table, int]:
    """A table whose betting is open, and its round."""
    table = house.table(slug, **options)
    house.until(table, "betting")
    return table, house.log(table).pk


class HaltBehind:
    """Stops this process behind the first statement that contains `text`, raises `halted`, and goes on at `go`."""

    def __init__(self, text: str) -> None:
        self.halted, self.go = Flag(), Flag()
        self._text, self._done = text, False

    def within(self, work: Callable[[], str]) -> str:
        with connection.execute_wrapper(self):
            return work()

    def __call__(self, execute: Any, sql: Any, parameters: Any, many: Any, context: Any) -> Any:
        result = execute(sql, parameters, many, context)
        if not self._done and self._text in str(sql):
            self._done = True
            self.halted.raise_()
            self.go.wait()
        return result


# ── A bet, and what forbids it (F8) ─────────────────────────────────────────────────────────────────────────

BARRING: dict[str, Callable[[House, Player, Player], object]] = {
    "excluded by the house": lambda h, boss, ana: sanctions.restrict(boss, ana.pk, "exclusion", "x", clock=h.clock),
    "limited by the house": lambda h, boss, ana: sanctions.restrict(boss, ana.pk, "limit", "x", cents=0, clock=h.clock),
    "a break": lambda h, _, ana: breaks.take_break(ana.pk, "1h", clock=h.clock),
    "excluded by themselves": lambda h, _, ana: breaks.exclude_oneself(ana.pk, "6m", clock=h.clock),
    "a limit of their own": lambda h, _, ana: own_limits.set_limit(ana.pk, "stake", 100, clock=h.clock),
}


@pytest.mark.postgresql
@pytest.mark.parametrize("bar", BARRING)
def test_no_bet_is_committed_after_what_forbids_it(hall: House, bar: str) -> None:
    """The bet has looked and found nothing that forbids it, when the player is barred: one waits for the other."""
    _, round_id = at_betting(hall)
    ana, boss = hall.player("ana"), staff("shift_manager")
    halt = HaltBehind("tables_ownlimit")
    place = partial(deeds.place, round_id, BetRequest(ana.pk, "r-1", "player", 10_000), clock=hall.clock)

    def bets_there() -> int:
        return LoggedAction.objects.filter(log=round_id, action__do="bet").count()

    def barred() -> int:
        """How many bets there are once it is committed."""
        BARRING[bar](hall, boss, ana)
        return bets_there()

    with running(partial(halt.within, partial(answer, place))) as (bettor,):
        halt.halted.wait()
        with running(barred) as (other,):
            until(lambda: waiting_for_locks() or not other.alive, "it waits, or is done")
            halt.go.raise_()
            assert bettor.told() == "done"
            assert other.told() == bets_there() == 1
    again = BetRequest(ana.pk, "r-2", "player", 10_000)
    hall.refused(partial(deeds.place, round_id, again, clock=hall.clock))


def test_a_player_who_bets_without_end_bets_no_more_once_excluded(hall: House) -> None:
    _, round_id = at_betting(hall)
    ana, boss = hall.player("ana"), staff("shift_manager")

    def bets() -> list[str]:
        said: list[str] = []
        while not said or said[-1] == "done":
            request = BetRequest(ana.pk, f"r-{len(said)}", "player", 100)
            said.append(answer(partial(deeds.place, round_id, request, clock=hall.clock)))
        return said

    def exclude() -> list[str]:
        there = LoggedAction.objects.filter(log=round_id, action__do="bet")
        until(lambda: there.count() >= 10, "ten bets lie there")
        sanctions.restrict(boss, ana.pk, "exclusion", "x", clock=hall.clock)
        return [str(there.count())]

    said, (at_exclusion,) = together(bets, exclude)
    assert LoggedAction.objects.filter(log=round_id, action__do="bet").count() == said.count("done")
    assert said.count("done") == int(at_exclusion)


# ── Money that is wanted twice (F4, F7) ─────────────────────────────────────────────────────────────────────


def test_an_adjustment_and_a_bet_want_the_same_chips(hall: House) -> None:
    """All that ana has: she stakes it, or it is taken from her; never both, and never less than nothing is left."""
    _, round_id = at_betting(hall)
    boss, manager = staff("pit_boss"), staff("shift_manager")
    outcomes = Counter[tuple[str, str]]()
    for number in range(4):
        ana = hall.player(f"ana-{number}")
        asked = adjustments.ask(boss, ana.pk, -START, "a mistake", clock=hall.clock)
        request = BetRequest(ana.pk, "r-1", "player", START)
        bet, taken = together(
            partial(answer, partial(deeds.place, round_id, request, clock=hall.clock)),
            partial(answer, partial(adjustments.approve, manager, asked.pk, clock=hall.clock)),
        )
        outcomes[bet, taken] += 1
        assert [bet, taken].count("done") == 1, (bet, taken)
        assert hall.balance(ana) == 0
        assert Adjustment.objects.get(pk=asked.pk).state == ("approved" if taken == "done" else "requested")


def test_two_tabs_stake_the_last_chips_at_one_table(hall: House) -> None:
    _, round_id = at_betting(hall)
    ana = hall.player("ana")
    tabs = [BetRequest(ana.pk, f"tab-{number}", "player", START) for number in range(4)]
    said = together(*[partial(answer, partial(deeds.place, round_id, one, clock=hall.clock)) for one in tabs])
    assert sorted(said) == ["balance"] * 3 + ["done"]
    assert hall.balance(ana) == 0


# ── The end of a round (F5, F6) ─────────────────────────────────────────────────────────────────────────────


def with_a_stake(house: House, slug: str, player: Player) -> tuple[Table, int]:
    """A round whose betting is over as soon as the dealer looks, with a stake in it."""
    table, round_id = at_betting(house, slug)
    house.bet(player, table, "player", 100)
    house.decide(player, table, Ready)
    return table, round_id


def paid(round_id: int) -> Counter[str]:
    return Counter(Transfer.objects.filter(log=round_id).values_list("reason", flat=True))


def test_dealers_who_go_on_at_once_go_on_once(hall: House) -> None:
    """Three processes with the same lease do each step at the same moment, up to the pay: each is done once."""
    ana = hall.player("ana")
    table, round_id = with_a_stake(hall, "jade", ana)

    def go_on() -> str:
        return "acted" if hall.advance(table).acted else "nothing"

    while RoundLog.objects.get(pk=round_id).settled_at is None:
        before = LoggedAction.objects.filter(log=round_id).count()
        hall.due(table)
        assert "acted" in together(*[go_on] * 3)
        assert LoggedAction.objects.filter(log=round_id).count() > before
    assert LoggedAction.objects.filter(log=round_id, action__do__in=["settle", "void"]).count() == 1
    assert max(paid(round_id).values()) == 1, paid(round_id)


def test_a_round_that_goes_on_and_is_voided_at_once_ends_once(hall: House) -> None:
    """At several points of a round: the dealer's step is done before it is void, or not at all."""
    boss, second = staff("pit_boss"), staff("shift_manager")
    for steps in (1, 4, 7):
        ana = hall.player(f"ana-{steps}")
        table, round_id = with_a_stake(hall, f"jade-{steps}", ana)
        for _ in range(steps):
            hall.step(table)
        hall.due(table)

        def void(round_id: int = round_id) -> str:
            ruling = partial(rulings.rule, boss, round_id, "cancelled", why="so", ref="ref-1", approved_by=second)
            return answer(partial(ruling, clock=hall.clock))

        def go_on(table: Table = table) -> str:
            return "done" if advance(table.pk, hall.credentials(table), clock=hall.clock).acted else "nothing"

        together(go_on, void)
        log = RoundLog.objects.get(pk=round_id)
        assert log.settled_at is not None
        last = LoggedAction.objects.filter(log=round_id, action__do__in=["settle", "void"])
        assert last.count() == 1
        assert Account.objects.get(kind="escrow", table=table).balance == 0
        if log.void:
            assert hall.balance(ana) == START


# ── A table that closes (F13) ───────────────────────────────────────────────────────────────────────────────


def test_a_table_that_is_closed_and_a_bet_at_once(hall: House) -> None:
    """The bet is in the round that is void, and goes back whole; or it is refused. Nothing stays on the layout."""
    manager, other = staff("shift_manager"), staff("shift_manager", "second")
    for number in range(3):
        ana = hall.player(f"ana-{number}")
        table, round_id = at_betting(hall, f"jade-{number}")
        request = BetRequest(ana.pk, "r-1", "player", 10_000)
        together(
            partial(answer, partial(deeds.place, round_id, request, clock=hall.clock)),
            partial(
                answer, partial(lifecycle.close_at_once, manager, table.pk, "x", approved_by=other, clock=hall.clock)
            ),
        )
        assert hall.balance(ana) == START
        assert Account.objects.get(kind="escrow", table=table).balance == 0
        hall.refused(partial(deeds.place, round_id, BetRequest(ana.pk, "r-2", "player", 100), clock=hall.clock))
