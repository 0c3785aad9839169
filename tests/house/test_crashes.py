"""A process dies before any statement, before COMMIT, or right after it: nothing is lost, doubled or drawn again.

Each deed of an evening is first tried by processes that are killed at a point of it (see `Tripwire`): at the first, at
another that moves on from deed to deed, and on either side of its COMMIT; with ALL=1 every third deed at each of its
points, and with NIGHTLY=1 every deed (as `make torture` does with the deeds themselves). As long as
one dies before its COMMIT the database must be untouched to the last row. The one killed right after it has done the
deed without being able to say so: the player repeats it with the same ref and is answered as before; a new dealer takes
the table and goes on. In the end the evening must be the one that nobody interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any

import pytest

from tables.games.baccarat.coup import Hand as Side
from tables.games.baccarat.phases import Turn
from tables.games.blackjack.phases import Double, Follow, Pass, Split
from tables.games.contract.actions import Action, Cut, Decline, Ready
from tables.games.stud_poker.phases import Raise
from tables.games.values.cards import cards
from tables.models import Account, LoggedAction, Player, Table
from tables.services.dealing.advance import advance
from tables.services.dealing.leases import StaleLease
from tables.services.players import people
from tables.services.rounds import betting, decisions, seating
from tables.services.rounds.betting import BetRequest
from tables.services.rounds.round_session import Answer
from tests.arranged import seed_for
from tests.extent import EVERYTHING, NIGHTLY

from . import deeds
from .kit import House, answer, bare_rows, story, void_round
from .processes import Process, Tripwire

Deed = Callable[[], str]


@dataclass
class Undisturbed:
    """Does each deed once, in this process."""

    house: House
    table: Table
    deeds: int = 0
    deaths: int = 0

    def player(self, deed: Deed, *, again: str = "repeated") -> None:
        assert deed() == "done"

    def dealer(self) -> None:
        """The one thing that is due at the table."""
        self.house.due(self.table)
        assert self.house.advance(self.table).acted


class Crashing(Undisturbed):
    """Lets processes die over each deed, at every point of it, before somebody goes on."""

    def player(self, deed: Deed, *, again: str = "repeated") -> None:
        """A player's deed: their client repeats it until it is answered; then the answer must be `again`."""
        self.die_over(deed)
        after = bare_rows()
        assert deed() == again
        assert bare_rows() == after

    def dealer(self) -> None:
        """What is due: the dealer dies over it, another takes the table; the dead one changes nothing any more."""
        self.house.due(self.table)
        dead = self.house.credentials(self.table)
        self.die_over(lambda: "done" if self.house.advance(self.table).acted else "nothing")
        self.house.take_over(self.table, f"heir {self.deaths}")
        after = bare_rows()
        with pytest.raises(StaleLease):
            advance(self.table.pk, dead, clock=self.house.clock)
        assert bare_rows() == after

    def die_over(self, deed: Deed) -> None:
        """Processes die at points of the deed, until one has done it."""
        before = bare_rows()
        self.deeds += 1
        at_each = NIGHTLY or (EVERYTHING and self.deeds % 3 == 1)
        for at in count(1) if at_each else (1, 2 + self.deaths % 13):
            self.die_at(Tripwire(at, side=0 if at_each else 1), deed)
            if bare_rows() != before:
                break
        side = 0
        while bare_rows() == before:
            side += 1
            self.die_at(Tripwire(side=side), deed)
        assert at_each or side in (2, 4), "it did something before its COMMIT"

    def die_at(self, tripwire: Tripwire, deed: Deed) -> None:
        """A process begins the deed and dies."""
        doomed = Process(partial(tripwire.strung, deed))
        ended_by_itself = doomed.wait()
        assert not ended_by_itself, f"it did nothing that it could die over: {doomed.told()}"
        doomed.clean_up()
        self.deaths += 1


class Same:
    """Chance that always gives the same pack, with these cards first, and cuts after the first of them."""

    def __init__(self, first: str) -> None:
        self._seed = seed_for(cards(first))

    def below(self, bound: int) -> int:
        return 0

    def seed(self) -> str:
        return self._seed


FIRST = (
    "Ks 2c "  # the cut is after the king; the deuce is burnt
    "3c 4s Kc 5d 7h "  # burnt before the round; 9 against 7
    "9c Ts 4c 6d 2h"  # burnt before the round; 6 against 6
)
OPTIONS: dict[str, Any] = {
    "dealing_device": "shoe",
    "decks": 6,
    "cut_card_depth": 312 - 8,  # the white card comes after the first card of the second round
    "burn_mode": "fixed_n",
    "burn_fixed_n": 1,
    "burn_each_round": 1,
    "tie_policy": "no_move",
    "imbalance_limit": 10_000,
}


def evening(way: type[Undisturbed], house: House, slug: str) -> dict[str, Any]:
    """Two players and three rounds: a shoe cut by one of them, a trimmed stake, a tie with a stake carried over to a
    fresh shoe, a void round. The story of it."""
    ana, rui = house.player("ana", username=f"ana-{slug}"), house.player("rui", username=f"rui-{slug}")
    table = house.table(slug, **OPTIONS)
    present = way(house, table)
    refs = iter(range(10_000_000, 20_000_000))

    def client(deed: Callable[..., object], *args: Any) -> Deed:
        return partial(answer, partial(deed, *args, clock=house.clock))

    def changes(player: Player, deed: Callable[..., object], *args: Any) -> None:
        present.player(client(deed, player.pk, house.log(table).pk, str(next(refs)), *args))

    def bets(*stakes: tuple[Player, str, int, int | None]) -> None:
        requests = [BetRequest(p.pk, str(next(refs)), spot, amount * 100, box) for p, spot, amount, box in stakes]
        present.player(partial(burst, house.log(table).pk, requests, house))

    # Before the first round, and its ceremony.
    present.player(client(seating.sit, ana.pk, table.pk, 1), again="done")
    present.player(client(seating.sit, rui.pk, table.pk, 2), again="done")
    house.attend(table, ana, rui)
    present.dealer()  # shuffles, seals, opens the round
    changes(ana, decisions.decide, Decline(ana.key))
    changes(rui, decisions.decide, Cut(rui.key, 1))
    present.dealer()  # burns

    # Betting: 60 against 200 lie there when it closes, so 40 are trimmed.
    bets((ana, "player", 100, 1), (rui, "banker", 200, 2), (rui, "tie", 10, None), (rui, "banker_pair", 10, 2))
    first = house.log(table).pk
    changes(rui, deeds.move, f"{first}-{line_of(table, 'tie')}", "player_pair")
    changes(rui, deeds.withdraw, f"{first}-{line_of(table, 'banker_pair')}")
    changes(ana, deeds.lower, f"{first}-{line_of(table, 'player')}", 5_000)
    changes(ana, deeds.ready)
    present.dealer()  # closes betting
    assert house.round(table).phase == "round_burn"
    present.dealer()  # burns before the round
    present.dealer()  # the first card
    house.until(table, "open_player")
    changes(ana, decisions.decide, Turn(ana.key, Side.PLAYER))
    house.due(table)
    house.until(table, "result")
    present.dealer()  # settles

    # A tie: what lies on Player and Banker is carried. The white card comes.
    present.dealer()  # the next round
    bets((ana, "player", 50, None), (ana, "tie", 20, None))
    house.until(table, "deal")
    house.step(table)
    present.dealer()  # the white card
    house.until(table, "result")
    present.dealer()  # settles

    # A fresh shoe with the carried stake on the layout; the pit calls the round off.
    present.dealer()  # opens the old shoe, shuffles another
    house.until(table, "betting")
    bets((rui, "banker", 100, 2))
    house.until(table, "deal")
    house.step(table)
    present.player(client(void_round, house.log(table).pk, "cards on the floor"), again="closed")
    present.player(client(seating.stand_up, rui.pk, table.pk), again="done")
    present.dealer()  # and the next round begins
    if isinstance(present, Crashing):
        assert present.deaths > (200 if NIGHTLY else 120 if EVERYTHING else 80)
    return story(table)


def burst(round_id: int, requests: Sequence[BetRequest], house: House) -> str:
    answers = betting.place_many(round_id, requests, clock=house.clock)
    came = {answer(partial(_come, one)) for one in answers}
    return came.pop() if len(came) == 1 else str(answers)


def _come(one: Answer) -> Answer:
    if isinstance(one, Exception):
        raise one
    return one


def line_of(table: Table, spot: str) -> int:
    """The line of the present log in which the first bet on this spot was placed."""
    log = Table.objects.get(pk=table.pk).round_id
    return LoggedAction.objects.filter(log_id=log, action__do="bet", action__spot=spot).earliest("seq").seq


def test_an_evening_of_crashes_ends_like_one_without(hall: House) -> None:
    hall.chance = Same(FIRST)
    calm = evening(Undisturbed, hall, "calm")
    assert [line["do"] for line in calm["rounds"][0]["lines"]].count("card") == 6
    rough = evening(Crashing, hall, "rough")
    assert rough == calm
    hall.in_order()


def test_a_top_up_is_given_once_whenever_it_was_cut_off(hall: House) -> None:
    hall.stack("4s Kc 5d 7h")  # 9 against 7
    table, ana = hall.table(), hall.player("ana")
    hall.until(table, "betting")
    hall.bet(ana, table, "banker", 9_600)
    hall.play_out(table)
    asks = partial(answer, partial(people.top_up, ana.pk, clock=hall.clock))
    Crashing(hall, table).player(asks, again="credits")
    assert hall.balance(ana) == people.TOP_UP_TO


def test_a_guest_is_there_with_his_credits_or_not_at_all(hall: House) -> None:
    def come() -> str:
        people.new_guest(clock=hall.clock)
        return "done"

    Crashing(hall, hall.table()).die_over(come)
    (guest,) = Player.objects.all()
    assert (guest.username, hall.balance(guest)) == (f"guest-{guest.pk}", people.FIRST_CREDITS)


# ── Blackjack ───────────────────────────────────────────────────────────────────────────────────────────────

SHARED = (
    "Kd 2c "  # cut after the king; the deuce is burnt
    "8s 6s As 9d "  # box 1 (ana, and rui behind her), 2 (lin), 3 (rui); the bank's nine
    "8h 5h Kh "  # a pair of eights, eleven, a blackjack
    "3c Ts "  # the first eight gets a three, is doubled, and has 21
    "9h "  # the second has 17
    "Th Kc "  # eleven doubled to 21; the bank draws to 19
    "As 2s 8d Ks 9s"  # a second round, that the pit calls off once a blackjack is paid
)


def evening_of_decisions(way: type[Undisturbed], house: House, slug: str) -> dict[str, Any]:
    """Three players and two rounds: a burst of bets, a split that is followed and one that is not, doubles, payments in
    mid-round, a decision that comes too late, a void round whose prize was spent."""
    ana, rui, lin = players = [house.player(name, username=f"{name}-{slug}") for name in ("ana", "rui", "lin")]
    table = house.table(slug, game="blackjack", dealing_device="shoe", initial_burn="single")
    other = house.table(f"{slug}-other", times={"betting": 3_600_000})
    house.until(other, "betting")
    present = way(house, table)
    refs = iter(range(10_000_000, 20_000_000))

    def decides(player: Player, kind: type[Action], **fields: Any) -> None:
        deed = partial(decisions.decide, player.pk, house.log(table).pk, str(next(refs)), kind(player.key, **fields))
        present.player(partial(answer, partial(deed, clock=house.clock)))

    def bets(*stakes: tuple[Player, str, int, int]) -> None:
        requests = [BetRequest(p.pk, str(next(refs)), spot, amount * 100, box) for p, spot, amount, box in stakes]
        present.player(partial(burst, house.log(table).pk, requests, house))

    def dealt() -> None:
        """The house does what it owes, without dying over it."""
        while house.round(table).next_house_step() is not None:
            house.step(table)

    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.attend(table, *players)
    present.dealer()  # opens the round
    decides(ana, Cut, position=1)
    house.until(table, "betting")
    bets((ana, "main", 60, 1), (ana, "main", 40, 1), (rui, "main", 50, 1), (lin, "main", 20, 2), (rui, "main", 10, 3))
    decides(rui, Follow, splits=True)
    present.dealer()  # closes betting
    present.dealer()  # the first card
    house.until(table, "early_window")
    for player in (ana, lin):
        decides(player, Ready)
    present.dealer()  # pays the blackjack
    dealt()
    decides(ana, Split, box=1)
    present.dealer()  # follows in rui's name
    present.dealer()  # the card that was owed
    dealt()
    decides(ana, Double, box=1)
    decides(rui, Pass, box=1)
    present.dealer()
    dealt()
    present.dealer()  # her time is over: she stands
    decides(lin, Double, box=2)
    present.dealer()
    house.until(table, "result")
    present.dealer()  # settles

    house.until(table, "betting")
    bets((ana, "main", 1_000, 1), (rui, "main", 30, 2))
    house.until(table, "early_window")
    decides(rui, Ready)
    present.dealer()  # pays 1,500
    house.bet(ana, other, "player", house.balance(ana) // 100 - 200)
    present.player(partial(answer, partial(void_round, house.log(table).pk, "x", clock=house.clock)), again="closed")
    assert house.balance(ana) == 0
    if isinstance(present, Crashing):
        assert present.deaths > (200 if NIGHTLY else 120 if EVERYTHING else 80)
    return story(table)


@pytest.mark.in_full
def test_an_evening_of_decisions_with_crashes_ends_like_one_without(hall: House) -> None:
    hall.chance = Same(SHARED)
    calm = evening_of_decisions(Undisturbed, hall, "calm")
    kinds = [line["do"] for line in calm["rounds"][0]["lines"]]
    assert (kinds.count("card"), kinds.count("match"), kinds.count("pay")) == (13, 1, 1)
    assert calm["rounds"][1]["head"][3], "the second round is void"
    rough = evening_of_decisions(Crashing, hall, "rough")
    assert rough == calm
    hall.in_order()


# ── Stud Poker, and its jackpot ─────────────────────────────────────────────────────────────────────────────


def evening_of_a_jackpot(way: type[Undisturbed], house: House, slug: str) -> dict[str, Any]:
    """A void round carries two jackpot stakes; one bettor leaves and is refunded, the other wins all there is. The
    story of it, and what lies in the jackpot."""
    ana, rui = (house.player(name, username=f"{name}-{slug}") for name in ("ana", "rui"))
    table = house.table(slug, game="stud_poker")
    present = way(house, table)
    refs = iter(range(10_000_000, 20_000_000))

    def client(deed: Callable[..., object], *args: Any) -> Deed:
        return partial(answer, partial(deed, *args, clock=house.clock))

    def bets(*stakes: tuple[Player, str, int, int]) -> None:
        requests = [BetRequest(p.pk, str(next(refs)), spot, amount * 100, box) for p, spot, amount, box in stakes]
        present.player(partial(burst, house.log(table).pk, requests, house))

    def pool() -> int:
        return Account.objects.get(jackpot=table.jackpot_id).balance

    minimum = pool()
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    seating.sit(rui.pk, table.pk, 2, clock=house.clock)
    house.until(table, "betting")
    bets((ana, "ante", 100, 1), (ana, "jackpot", 25, 1), (rui, "ante", 100, 2), (rui, "jackpot", 25, 2))
    house.until(table, "bets_closed")
    present.dealer()  # reads the meter and takes the jackpot stakes
    assert pool() == minimum + 35_00
    house.step(table)
    present.player(client(void_round, house.log(table).pk, "wrong dealing"), again="closed")
    present.player(client(seating.stand_up, rui.pk, table.pk), again="done")

    present.dealer()  # opens the next round
    present.dealer()  # refunds
    assert (house.balance(rui), pool()) == (people.FIRST_CREDITS, minimum + 17_50)
    bets((ana, "ante", 100, 1))
    house.until(table, "bets_closed")
    present.dealer()  # reads the meter; nothing is taken
    house.until(table, "look_and_decide")
    deed = partial(decisions.decide, ana.pk, house.log(table).pk, str(next(refs)), Raise(ana.key), clock=house.clock)
    present.player(partial(answer, deed))
    house.until(table, "jackpot")
    present.dealer()  # calls the prize
    present.dealer()  # settles, and restarts the jackpot
    assert pool() == minimum
    if isinstance(present, Crashing):
        assert present.deaths > (80 if NIGHTLY else 50 if EVERYTHING else 30)
    return story(table)


@pytest.mark.in_full
def test_an_evening_of_a_jackpot_with_crashes_ends_like_one_without(hall: House) -> None:
    hall.chance = Same("As Ks Qs Js Ts 2d 4h 6s 8c Td")  # a royal flush, and a dealer who does not qualify
    calm = evening_of_a_jackpot(Undisturbed, hall, "calm")
    reasons = [moved[1] for moved in calm["transfers"]]
    assert [reasons.count(reason) for reason in ("pool", "refund", "jackpot", "reset")] == [2, 2, 1, 1]
    rough = evening_of_a_jackpot(Crashing, hall, "rough")
    assert rough == calm
    hall.in_order()
