"""Rulings on irregularities: each of each game's list with its money, once, by whom, and where it cannot be ruled."""

from __future__ import annotations

from functools import partial
from html import unescape
from typing import Any

import pytest
from django.db import connection

from tables.felt.public import public_fragments
from tables.games import GAMES
from tables.games.contract.errors import Refused
from tables.games.contract.game import Game
from tables.games.contract.irregularity import Irregularity, nothing
from tables.games.stud_poker.phases import Fold, Raise
from tables.models import Account, Event, LoggedAction, Player, Ruling, Shoe, Table
from tables.proof.reconciliation import reconcile
from tables.queries.table import table_state
from tables.services.pit import rulings
from tables.services.pit.rulings import Preview
from tables.services.rounds import seating
from tests.extent import EVERYTHING
from tests.kit import article

from .kit import House
from .processes import together

STAKES: dict[str, tuple[tuple[str, str, int, int | None], ...]] = {
    "baccarat": (("ana", "player", 100, None), ("ana", "tie", 10, None), ("rui", "banker", 50, None)),
    "blackjack": (("ana", "main", 100, 1), ("ana", "any_pair", 10, 1), ("rui", "main", 50, 2)),
    "stud_poker": (("ana", "ante", 100, 1), ("ana", "jackpot", 25, 1), ("rui", "ante", 100, 3)),
    "three_card_baccarat": (("ana", "place", 100, 1), ("rui", "place", 50, 2), ("rui", "odd", 20, None)),
    "roulette": (("ana", "red", 100, None), ("ana", "straight_17", 10, None), ("rui", "black", 50, None)),
    "cussec": (("ana", "big", 100, None), ("ana", "single_3", 10, None), ("rui", "odd", 50, None)),
}
OPTIONS: dict[str, dict[str, Any]] = {"baccarat": {"dealing_device": "shoe"}}
SEATED = {
    "blackjack": {"ana": 1, "rui": 2},
    "stud_poker": {"ana": 1, "rui": 3},
    "three_card_baccarat": {"ana": 1, "rui": 2},
}
EVERY = [
    pytest.param(game, what, id=f"{game.slug}-{what.name}") for game in GAMES.values() for what in game.irregularities
]
ONE_OF_EACH_GAME = [
    pytest.param(game, game.irregularities[0], id=f"{game.slug}-{game.irregularities[0].name}")
    for game in GAMES.values()
]
VOIDS = {
    "baccarat": {"cancelled", "machine"},
    "blackjack": {"cancelled"},
    "stud_poker": {"wrong_deal", "two_exposed", "shuffler", "shuffler_to_shoe"},
    "three_card_baccarat": {"cancelled"},
    "roulette": set(),
    "cussec": {"cocked", "stacked", "seen", "broken"},
}

STANDS = {"presses_late", "failure", "failure_late"}
"""Rulings that order nothing but that the round goes on."""


class Night:
    """A table with Ana's and Rui's stakes on it, and a pit boss who looks on."""

    def __init__(self, house: House, game: str, **options: Any) -> None:
        self.house = house
        self.boss = Player.objects.create(username="boss", name="Boss", role="pit_boss")
        self.second = Player.objects.create(username="second", name="Second", role="pit_boss")
        self.table: Table = house.table(game=game, **options)
        self.players = {name: house.player(name) for name in ("ana", "rui")}
        for name, seat in SEATED.get(game, {}).items():
            seating.sit(self.players[name].pk, self.table.pk, seat, clock=house.clock)
        self.house.attend(self.table, *self.players.values())
        self.bet(game)

    def bet(self, game: str) -> None:
        self.house.until(self.table, "betting")
        for name, spot, credits, box in STAKES[game]:
            self.house.bet(self.players[name], self.table, spot, credits, box)

    def balances(self) -> dict[str, int]:
        return {name: self.house.balance(player) for name, player in self.players.items()}

    def escrow(self) -> int:
        return Account.objects.get(table=self.table, kind="escrow").balance

    def until_it_applies(self, what: Irregularity) -> None:
        for _ in range(100):
            round_ = self.house.round(self.table)
            assert not round_.over, "it never applied"
            if what.applies(round_):
                return
            self.house.step(self.table)
        raise AssertionError("it never applied")

    def preview(self, name: str, box: int | None = None) -> Preview:
        return rulings.preview(self.house.log(self.table), name, box)

    def rule(self, name: str, box: int | None = None, *, ref: str = "") -> Ruling:
        log = self.house.log(self.table)
        return rulings.rule(
            self.boss,
            log.pk,
            name,
            why="seen by me",
            ref=ref or self.house.ref(),
            box=box,
            approved_by=self.second,
            clock=self.house.clock,
        )


def a_box(what: Irregularity, round_: Any) -> int | None:
    return None if what.boxes is None else what.boxes(round_)[0]


@article("57/2004", "seen", "broken")
@pytest.mark.parametrize(("game", "what"), EVERY)
def test_the_ledger_does_what_the_preview_says(house: House, game: Game, what: Irregularity) -> None:
    night = Night(house, game.slug, **OPTIONS.get(game.slug, {}))
    night.until_it_applies(what)
    log = house.log(night.table)
    box = a_box(what, house.round(night.table))
    before, seen = night.balances(), night.preview(what.name, box)
    stored = (log.version, Ruling.objects.count(), Event.objects.count())
    assert (house.log(night.table).version, Ruling.objects.count(), Event.objects.count()) == stored, "only looked at"
    night.rule(what.name, box)
    moved = dict.fromkeys(before, 0)
    for lot in seen.lots:
        moved[lot.name.lower()] += lot.returned - lot.taken_back
    assert night.balances() == {name: before[name] + moved[name] for name in before}
    log.refresh_from_db()
    assert seen.voids == log.void == (what.name in VOIDS[game.slug])
    for lot in seen.lots:
        in_jackpot = lot.spot == "jackpot"
        if seen.voids:
            assert (lot.returned, lot.carried) == ((0, lot.stake) if in_jackpot else (lot.stake, 0))
            assert not lot.stands
        else:
            assert not lot.returned and not lot.carried
    if not seen.voids:
        stands = sum(lot.stands for lot in seen.lots)
        pooled = 25_00 if game.slug == "stud_poker" and log.phase == "deal" else 0
        assert night.escrow() == stands - pooled
    ruled = Ruling.objects.get()
    assert (ruled.irregularity, ruled.why, ruled.by, ruled.log) == (what.name, "seen by me", night.boss, log)
    event = Event.objects.get(deed="ruled")
    assert (event.by, event.log, event.table) == (night.boss, log, night.table)
    assert event.after is not None and event.after["void"] == seen.voids
    nothing_done = log.version == stored[0] and what.next_card is None and not what.shoe
    told = public_fragments(table_state(night.table.pk, clock=house.clock))["rulings"]
    assert ("Nothing was moved here" in told) == (nothing_done and what.name not in STANDS), "players read what is so"
    house.in_order()
    assert not reconcile(house.play_out(night.table)).faults, "its record says what the ledger says"


@pytest.mark.parametrize(("game", "what"), EVERY if EVERYTHING else ONE_OF_EACH_GAME)
def test_nothing_is_ruled_on_a_round_that_is_over(house: House, game: Game, what: Irregularity) -> None:
    night = Night(house, game.slug, **OPTIONS.get(game.slug, {}))
    house.play_out(night.table)
    refusal = house.refused(lambda: night.rule(what.name, 1))
    assert "adjustment" in str(refusal.words)
    assert house.refused(lambda: night.preview(what.name, 1)).words == refusal.words
    assert not Ruling.objects.exists()


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.in_full
def test_nothing_is_ruled_where_it_cannot_have_happened(house: House, game: Game) -> None:
    """Of each irregularity the phases of a whole round in which it is refused are those in which it does not apply."""
    night = Night(house, game.slug, **OPTIONS.get(game.slug, {}))
    at_some_time = {
        what.name: what for what in game.irregularities if what.name not in ("cancelled", "machine") and not what.shoe
    }
    refused = set()
    while not (round_ := house.round(night.table)).over:
        for name, what in at_some_time.items():
            if not what.applies(round_):
                assert house.refused(partial(night.rule, name, 1)).article == what.article, name
                refused.add(name)
        house.step(night.table)
    assert refused == at_some_time.keys()
    assert not Ruling.objects.exists()


@pytest.mark.parametrize("game", GAMES)
def test_what_the_game_does_not_know_is_refused(house: House, game: str) -> None:
    night = Night(house, game)
    assert "no such" in str(house.refused(lambda: night.rule("meteor")).words)


@pytest.mark.parametrize("role", ["shift_manager", "surveillance", "cage", ""])
def test_only_those_with_the_right_rule(house: House, role: str) -> None:
    night = Night(house, "baccarat")
    who = Player.objects.create(username="other", name="Other", role=role)
    log = house.log(night.table)
    deed = partial(
        rulings.rule, who, log.pk, "cancelled", why="so", ref="one", approved_by=night.second, clock=house.clock
    )
    if role == "shift_manager":
        deed()
        assert Ruling.objects.get().by == who
    else:
        assert "right" in str(house.refused(deed).words)
        assert not Ruling.objects.exists() and not house.round(night.table).over


@pytest.mark.parametrize("why", ["", "  ", "x" * 501])
def test_a_ruling_has_a_reason(house: House, why: str) -> None:
    night = Night(house, "baccarat")
    log = house.log(night.table)
    house.refused(lambda: rulings.rule(night.boss, log.pk, "cancelled", why=why, ref="one", clock=house.clock))
    assert not house.round(night.table).over


# ── Once ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_same_click_twice_is_one_ruling(house: House) -> None:
    night = Night(house, "roulette")
    house.until(night.table, "no_more_bets")
    assert night.rule("jumped", ref="one") == night.rule("jumped", ref="one")
    assert Ruling.objects.count() == Event.objects.count() == 1


def test_two_null_spins_of_one_round_are_two_rulings(house: House) -> None:
    night = Night(house, "roulette")
    for _ in range(2):
        house.until(night.table, "no_more_bets")
        night.rule("jumped")
    assert Ruling.objects.count() == 2
    assert LoggedAction.objects.filter(action__do="null").count() == 2


def test_what_changes_nothing_is_ruled_once_in_a_round(house: House) -> None:
    night = Night(house, "baccarat")
    night.rule("soiled")
    assert "already" in str(house.refused(lambda: night.rule("soiled")).words)
    assert Ruling.objects.count() == 1


def test_two_pit_bosses_at_once_void_a_round_once(hall: House) -> None:
    night = Night(hall, "baccarat")
    before, log_id = night.balances(), hall.log(night.table).pk

    def rules(ref: str) -> str:
        try:
            rulings.rule(night.boss, log_id, "cancelled", why="so", ref=ref, approved_by=night.second, clock=hall.clock)
        except Refused as refusal:
            return str(refusal.words)
        return "done"

    said = sorted(together(*[partial(rules, f"ref{number}") for number in range(4)]))
    connection.close()
    assert said.count("done") == 1 and sum("adjustment" in one for one in said) == 3
    assert night.balances() == {"ana": before["ana"] + 110_00, "rui": before["rui"] + 50_00}
    assert Ruling.objects.count() == Event.objects.filter(deed="ruled").count() == 1


# ── What is no more than a note ─────────────────────────────────────────────────────────────────────────────


NOTES = [
    pytest.param(game, what, id=f"{game.slug}-{what.name}")
    for game in GAMES.values()
    for what in game.irregularities
    if what.deed is nothing and what.next_card is None and not what.shoe and what.name not in STANDS
]
"""Rulings that carry nothing out."""


@article("55/2004", "10")
@article("56/2004", "5(1)(2)")
@article("22/96/M", "2(3)", "2(4)")
@pytest.mark.parametrize(("game", "what"), NOTES)
def test_a_note_says_that_nothing_was_done_and_nothing_is(house: House, game: Game, what: Irregularity) -> None:
    night = Night(house, game.slug, **OPTIONS.get(game.slug, {}))
    night.until_it_applies(what)
    log = house.log(night.table)
    before = night.balances(), night.escrow(), log.actions.count(), house.round(night.table)
    night.rule(what.name)
    assert before == (night.balances(), night.escrow(), log.actions.count(), house.round(night.table))
    told = unescape(public_fragments(table_state(night.table.pk, clock=house.clock))["rulings"])
    assert str(what.says) in told and "Nothing was moved here, and the bets stand" in told
    ended = house.play_out(night.table)
    assert not ended.void and reconcile(ended).faults == ()


# ── What each article does ──────────────────────────────────────────────────────────────────────────────────


def test_a_soiled_card_changes_the_shoe_after_the_round_and_not_before(house: House) -> None:
    night = Night(house, "baccarat", dealing_device="shoe")
    night.rule("soiled")
    log = house.play_out(night.table)
    assert not log.void and Shoe.objects.filter(table=night.table).count() == 1
    house.until(night.table, "betting")
    while house.log(night.table).pk == log.pk:
        house.step(night.table)
    assert Shoe.objects.filter(table=night.table).count() == 2


@article("56/2004", "5(1)(1)")
def test_a_card_face_up_is_void_in_blackjack_and_the_next_replaces_it(house: House) -> None:
    house.stack("9c As 2s 3s 4s 5s 6s 7s 8s")
    night = Night(house, "blackjack")
    night.rule("face_up")
    assert "already" in str(house.refused(lambda: night.rule("face_up")).words)
    house.play_out(night.table)
    cards = list(LoggedAction.objects.filter(action__do="card").order_by("seq").values_list("action", flat=True))
    exposed = [card["card"] for card in cards if card.get("exposed")]
    round_: Any = house.round(night.table)
    assert exposed == [str(card) for card in round_.exposed_cards] and len(exposed) == 1
    assert str(round_.boxes[0].dealt[0]) == "2s", "the first card lay face up"


@article("55/2004", "4")
def test_a_card_face_up_is_valid_in_baccarat(house: House) -> None:
    night = Night(house, "baccarat", dealing_device="shoe")
    night.rule("face_up")
    log = house.play_out(night.table)
    round_: Any = house.round(night.table)
    assert len(round_.exposed) == 1 and not log.void
    night.bet("baccarat")
    house.play_out(night.table)
    again: Any = house.round(night.table)
    assert not again.exposed, "it was one card of one round"


@article("61/2004", "11(2)")
def test_the_card_of_the_dealer_is_the_one_that_was_meant(house: House) -> None:
    night = Night(house, "stud_poker")
    night.rule("dealer_exposed")
    house.until(night.table, "look_and_decide")
    round_: Any = house.round(night.table)
    deal = round_.deal
    assert deal.exposed_of(0) == (True, False, False, False, False)
    assert not any(any(deal.exposed_of(box)) for box in (1, 3))


@article("61/2004", "11(2)")
def test_a_card_of_a_bettor_lies_open_for_all_and_every_stake_plays_on(house: House) -> None:
    night = Night(house, "stud_poker")
    before = night.balances()
    house.until(night.table, "deal")
    night.rule("bettor_exposed")
    house.until(night.table, "look_and_decide")
    round_: Any = house.round(night.table)
    deal = round_.deal
    open_ = {place: deal.open_cards(place) for place in deal.places}
    assert sum(map(sum, open_.values())) == 2 and open_[0] == (False, False, False, False, True)
    (box,) = [place for place, faces in open_.items() if place and any(faces)]
    felt = public_fragments(table_state(night.table.pk, clock=house.clock))
    exposed = {place for place in (1, 3) if 'title="exposed by mistake"' in felt[f"box-{place}"]}
    assert exposed == {box} and night.balances() == before
    for player in night.players.values():
        house.decide(player, night.table, Raise)
    log = house.play_out(night.table)
    assert not log.void and reconcile(log).faults == ()


@article("61/2004", "11(3)", "R15")
def test_a_dead_box_gets_five_dead_cards_and_the_round_goes_on(house: House) -> None:
    night = Night(house, "stud_poker")
    house.until(night.table, "deal")
    assert "which box" in str(house.refused(lambda: night.rule("dead_box", 3)).words)
    night.rule("dead_box", 5)
    house.until(night.table, "look_and_decide")
    round_: Any = house.round(night.table)
    deal = round_.deal
    assert [dead.box for dead in deal.dead] == [5] * 5
    assert Ruling.objects.get().values["box"] == 5


@article("61/2004", "11(1)", "R14")
def test_a_void_of_stud_carries_the_jackpot_stake_and_returns_what_was_laid_behind_the_ante(house: House) -> None:
    night = Night(house, "stud_poker")
    before = night.balances()
    house.until(night.table, "look_and_decide")
    ana, rui = night.players["ana"], night.players["rui"]
    house.decide(ana, night.table, Raise)
    seen = night.preview("wrong_deal")
    assert seen.secret and max(lot.returned for lot in seen.lots) == 100_00, "nobody knows yet that Ana has raised"
    house.decide(rui, night.table, Fold)
    after = night.preview("wrong_deal")
    assert not after.secret and max(lot.returned for lot in after.lots) == 300_00
    night.rule("wrong_deal")
    assert night.balances() == {"ana": before["ana"] + 100_00, "rui": before["rui"] + 100_00}
    (carried,) = house.round(night.table).carried()
    assert (carried.by, carried.spot, carried.amount) == (ana.key, "jackpot", 25_00)
    assert [lot.carried for lot in seen.lots if lot.carried] == [25_00]
    log = house.log(night.table)
    while house.log(night.table).pk == log.pk:
        house.step(night.table)
    house.until(night.table, "betting")
    house.bet(ana, night.table, "ante", 100, 1)
    house.play_out(night.table)
    assert not house.round(night.table).carried(), "it has played"


@article("56/2004", "5(1)(2)", "R18")
def test_prizes_that_were_paid_are_taken_back(house: House) -> None:
    """A blackjack is paid before the round is over where the bank can have none."""
    house.stack("2c As 9s 5d Ks 9d 7c")
    night = Night(house, "blackjack")
    laid = {"ana": 110_00, "rui": 50_00}
    start = {name: balance + laid[name] for name, balance in night.balances().items()}
    for _ in range(60):
        paid = [payout for payout in house.round(night.table).payouts() if payout.returned]
        if paid:
            break
        house.step(night.table)
    else:
        raise AssertionError("nothing was paid before the end")
    assert not house.round(night.table).over
    seen = night.preview("cancelled")
    assert sum(lot.taken_back for lot in seen.lots) > 0
    night.rule("cancelled")
    assert night.balances() == start


@article("55/2004", "10")
def test_carried_stakes_stay_in_a_round_that_is_void(house: House) -> None:
    house.stack("9c 9d Kc Kd")
    night = Night(house, "baccarat")
    log = house.play_out(night.table)
    carried = house.round(night.table).carried()
    assert carried, "a tie leaves the stakes"
    while house.log(night.table).pk == log.pk:
        house.step(night.table)
    house.until(night.table, "betting")
    before = night.balances()
    seen = night.preview("cancelled")
    night.rule("cancelled")
    assert night.balances() == before and night.escrow() == sum(stake.amount for stake in carried)
    assert {lot.bet: lot.carried for lot in seen.lots} == {stake.bet: stake.amount for stake in carried}


@article("57/2004", "C-A10")
def test_cocked_dice_are_shaken_again_where_the_house_says_so(house: House) -> None:
    night = Night(house, "cussec", cocked_dice="reshake_bets_stand")
    house.until(night.table, "no_more_bets")
    seen = night.preview("cocked")
    assert not seen.voids and [lot.stands for lot in seen.lots] == [100_00, 10_00, 50_00]
    assert "shaken again" in str(seen.orders)
    night.rule("cocked")
    assert house.log(night.table).phase == "shake_after"


def test_rulings_are_of_one_round(house: House) -> None:
    night = Night(house, "baccarat")
    night.rule("cancelled")
    log = house.log(night.table)
    assert [one.name for one in table_state(night.table.pk, clock=house.clock).rulings] == ["cancelled"]
    while house.log(night.table).pk == log.pk:
        house.step(night.table)
    assert table_state(night.table.pk, clock=house.clock).rulings == ()
