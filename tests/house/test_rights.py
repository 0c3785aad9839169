"""What people may do and may not, article by article: through the services that pages and sockets call."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tables.felt.public import public_fragments
from tables.games import GAMES
from tables.games.baccarat.phases import Turn
from tables.games.blackjack.phases import Double, Hit, Split, Stand, Surrender
from tables.games.contract.actions import Lower, Move, Ready
from tables.models import OptionChange, Player, Table, Transfer
from tables.queries.folds import log_entries
from tables.queries.table import table_state
from tables.services.pit import options as house_options
from tables.services.rounds import seating
from tests.kit import article

from .kit import MAIN_BETS, House
from .test_decisions import in_turn
from .test_jackpots import FLUSH, FOUR, ROYAL, STRAIGHT_FLUSH, Floor
from .test_paying import dealt, until_asked
from .test_rulings import Night
from .test_shoes import SHOE, TIE, blackjack_rounds, burnt_before_betting, stacked

LIMITS: dict[str, dict[str, Any]] = {"stud_poker": {"min_ante": 20_00, "max_ante": 100_00}}
each_game = pytest.mark.parametrize("game", GAMES)


def faces(table: Table, fragment: str) -> list[str]:
    """The cards that everybody sees in a piece of the felt, `""` for each that lies face down."""
    html = public_fragments(table_state(table.pk))[fragment]
    return [part.split('"', 1)[0] for part in html.split('data-card="')[1:]]


# ── In every game ───────────────────────────────────────────────────────────────────────────────────────────


@article("55/2004", "minimum", "maximum", "closed")
@article("56/2004", "minimum", "maximum", "closed")
@article("61/2004", "minimum", "maximum", "closed")
@article("22/96/M", "minimum", "maximum", "closed")
@article("60/2004", "minimum", "maximum", "closed")
@article("57/2004", "minimum", "maximum", "closed")
@each_game
def test_a_bet_lies_between_the_limits_and_is_taken_only_while_betting_is_open(house: House, game: str) -> None:
    spot, box = MAIN_BETS[game]
    table, ana = house.table(game=game, **LIMITS.get(game, {"min_bet": 20_00, "max_bet": 100_00})), house.player("ana")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    before = house.balance(ana)
    assert house.refused(partial(house.bet, ana, table, spot, 19, box)).article == "minimum"
    assert house.refused(partial(house.bet, ana, table, spot, 101, box)).article == "maximum"
    house.bet(ana, table, spot, 60, box)
    assert house.refused(partial(house.bet, ana, table, spot, 60, box)).article == "maximum"
    while house.round(table).offers(ana.key).bets:
        house.step(table)
    assert house.refused(partial(house.bet, ana, table, spot, 20, box)).article == "closed"
    assert house.balance(ana) == before - 60_00


@article("55/2004", "seat")
@article("56/2004", "seat")
@article("61/2004", "seat")
@article("22/96/M", "seat")
@article("60/2004", "seat")
@article("57/2004", "seat")
@each_game
def test_a_seat_has_one_bettor(house: House, game: str) -> None:
    table, ana, rui = house.table(game=game), house.player("ana"), house.player("rui")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    assert house.refused(partial(seating.sit, rui.pk, table.pk, 1, clock=house.clock)).article == "seat"
    assert dict(house.round(table).seats) == {ana.key: 1}


@article("60/2004", "gone")
@article("57/2004", "gone")
@pytest.mark.parametrize(
    ("game", "spot", "thrown", "least"), [("roulette", "red", (3,), 0), ("cussec", "big", (6, 5, 4), 1)]
)
def test_a_stake_stays_and_is_paid_though_its_bettor_goes(
    house: House, game: str, spot: str, thrown: tuple[int, ...], least: int
) -> None:
    house.throw(*thrown, least=least)
    table, ana = house.table(game=game), house.player("ana")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    before = house.balance(ana)
    house.bet(ana, table, spot, 100)
    seating.stand_up(ana.pk, table.pk, clock=house.clock)
    house.play_out(table)
    assert house.balance(ana) == before + 100_00


@article("55/2004", "19")
@article("56/2004", "21")
@article("61/2004", "13")
@article("60/2004", "9")
@article("57/2004", "authorisation")
@pytest.mark.parametrize(
    ("game", "wanted", "by"),
    [
        ("baccarat", {"tie_policy": "no_move"}, "19"),
        ("blackjack", {"double_rule": "eleven_only"}, "21"),
        ("stud_poker", {"royal_flush_odds": 50}, "13"),
        ("roulette", {"sector_definition": "off"}, "9"),
        ("cussec", {"cocked_dice": "reshake_bets_stand"}, "authorisation"),
    ],
)
def test_an_alternative_is_not_adopted_without_the_inspectorates_leave(
    house: House, game: str, wanted: dict[str, Any], by: str
) -> None:
    table = house.table(game=game)
    boss = Player.objects.create(username="boss", name="Boss", role="pit_boss")
    change = house_options.draft(boss, table.pk, wanted, "the season", clock=house.clock)
    assert house.refused(partial(house_options.adopt, boss, change.pk, clock=house.clock)).article == by
    assert OptionChange.objects.get().state == "draft"
    (name,) = wanted
    house.step(table)
    round_: Any = house.round(table)
    assert getattr(round_.options, name) == getattr(GAMES[game].options(), name)


@article("55/2004", "B-A17")
def test_a_right_that_is_merely_reserved_needs_no_leave(house: House) -> None:
    table = house.table(**SHOE)
    boss = Player.objects.create(username="boss", name="Boss", role="pit_boss")
    wanted = {"hold_cards": False, "burn_each_round": 1, "burn_indicator": "counted", "pairs_enabled": False}
    change = house_options.draft(boss, table.pk, wanted, "the season", clock=house.clock)
    house_options.adopt(boss, change.pk, clock=house.clock)
    house.step(table)
    round_: Any = house.round(table)
    assert {name: getattr(round_.options, name) for name in wanted} == wanted


# ── Baccarat ────────────────────────────────────────────────────────────────────────────────────────────────


@article("55/2004", "2(2)", "B-A14")
def test_a_demonstration_round_takes_no_bets_and_spends_its_cards(house: House) -> None:
    stacked(house, "4s Kc 5d 7h", "9s 2c Kd 2h")
    table, ana = house.table(**SHOE, demo_rounds=1), house.player("ana")
    house.until(table, "demo")
    assert "Demonstration" in public_fragments(table_state(table.pk))["rail"]
    assert house.refused(partial(house.bet, ana, table, "player", 100)).article == "closed"
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    house.play_out(table)
    assert house.round(table).result()["player"] == 9
    assert faces(table, "cards")[:2] == ["9s", "Kd"]


@article("55/2004", "7(2)")
def test_the_machine_deals_face_up(house: House) -> None:
    house.stack("4s Kc 5d 7h")
    table = house.table()
    house.until(table, "deal")
    seen = []
    for _ in range(3):
        house.step(table)
        seen.append({face for face in faces(table, "cards") if face})
    assert seen == [{"4s"}, {"4s", "Kc"}, {"4s", "Kc", "5d"}]


@article("55/2004", "8")
@pytest.mark.parametrize("burnt", [0, 1])
def test_a_card_is_burnt_at_the_start_of_each_round_where_the_house_says_so(house: House, burnt: int) -> None:
    table, ana = house.table(**SHOE, burn_each_round=burnt), house.player("ana")
    for _ in range(2):
        house.until(table, "betting")
        house.bet(ana, table, "player", 100)
        lines = log_entries(house.play_out(table))
        assert sum(line.before.phase == "round_burn" and line.action.do == "card" for line in lines) == burnt


@article("55/2004", "10", "B-A12")
def test_in_a_round_that_is_void_a_pair_that_was_seen_pays_nothing(house: House) -> None:
    house.stack("4s 9c 4d 9h")
    night = Night(house, "baccarat")
    ana = night.players["ana"]
    house.bet(ana, night.table, "player_pair", 10)
    before = night.balances()
    while len([face for face in faces(night.table, "cards") if face]) < 4:
        house.step(night.table)
    night.rule("cancelled")
    assert house.log(night.table).void
    assert night.balances() == {"ana": before["ana"] + 120_00, "rui": before["rui"] + 50_00}


@article("55/2004", "12(3)(1)", "12(3)(2)")
def test_after_a_tie_a_stake_is_lowered_and_moved(house: House) -> None:
    stacked(house, TIE, "4s Kc 5d 7h")
    table, ana = house.table(**SHOE), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "banker", 100)
    before = house.balance(ana)
    house.play_out(table)
    house.until(table, "betting")
    (stake,) = house.round(table).stakes()
    house.decide(ana, table, Lower, bet=stake.bet, amount=40_00)
    assert house.balance(ana) == before + 40_00
    house.decide(ana, table, Move, bet=stake.bet, spot="player")
    house.play_out(table)
    assert house.balance(ana) == before + 40_00 + 120_00


@article("55/2004", "note 2")
def test_where_the_house_says_so_a_stake_is_only_added_to_after_a_tie(house: House) -> None:
    stacked(house, TIE)
    table, ana = house.table(**SHOE, tie_policy="no_move"), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    house.play_out(table)
    house.until(table, "betting")
    (stake,) = house.round(table).stakes()
    for deed in (Lower, Move):
        fields: dict[str, Any] = {"amount": 40_00} if deed is Lower else {"spot": "banker"}
        house.refused(partial(house.decide, ana, table, deed, bet=stake.bet, **fields))
    house.bet(ana, table, "player", 50)


@article("55/2004", "B-A5")
def test_a_pair_bet_without_a_stake_beside_it_comes_back(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    before = house.balance(ana)
    house.bet(ana, table, "player_pair", 10)
    house.play_out(table)
    assert house.balance(ana) == before


@article("55/2004", "16(1)")
def test_where_the_house_lets_nobody_hold_cards_the_dealer_opens_them_all(house: House) -> None:
    stacked(house, "4s Kc 5d 7h")
    table, ana = house.table(**SHOE, hold_cards=False), house.player("ana")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    house.bet(ana, table, "player", 100, box=1)
    while not house.round(table).over:
        assert not [action for action in house.round(table).offers(ana.key).actions if isinstance(action, Turn)]
        house.step(table)


# ── Blackjack ───────────────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "3(2)")
def test_nobody_plays_more_boxes_than_the_house_allows(house: House) -> None:
    table, ana = house.table(game="blackjack", max_boxes_per_player=2), house.player("ana")
    house.until(table, "betting")
    for box in (1, 2):
        house.bet(ana, table, "main", 10, box)
    assert house.refused(partial(house.bet, ana, table, "main", 10, 3)).article == "3(2)"


@article("56/2004", "4(1)(2)")
def test_or_the_first_card_alone_is_burnt(house: House) -> None:
    table = house.table("taipa", game="blackjack", initial_burn="single")
    assert [burnt_before_betting(log) for log in blackjack_rounds(house, table, 2)] == [1, 0]


@article("56/2004", "5(2)(2)(1)", "5(2)(2)(2)")
def test_by_procedure_2_all_cards_lie_open_and_the_banks_second_comes_last(house: House) -> None:
    ana, rui = house.player("ana"), house.player("rui")
    table = in_turn(house, "2s Th 9d 3h 6c Kd 7c", ana, rui)
    assert (faces(table, "box-1"), faces(table, "box-2")) == (["2s", "3h"], ["Th", "6c"])
    assert [face for face in faces(table, "cards") if face] == ["9d"]
    house.decide(ana, table, Stand, box=1)
    house.decide(rui, table, Stand, box=2)
    until_asked(house, table)
    assert [face for face in faces(table, "cards") if face][:2] == ["9d", "Kd"]


@article("56/2004", "6(1)")
def test_the_bank_draws_to_sixteen_and_no_further(house: House) -> None:
    ana = house.player("ana")
    table = in_turn(house, "Ts 6d 8h Tc Ah 5c", ana)
    house.decide(ana, table, Stand, box=1)
    assert (house.play_out(table).result or {})["bank"] == ["6d", "Tc", "Ah"]


@article("56/2004", "R9")
def test_the_bank_takes_no_card_where_nothing_is_open(house: House) -> None:
    ana = house.player("ana")
    table = dealt(house, "As 9d Kh 7c", (ana, "main", 10, 1))
    assert (house.play_out(table).result or {})["bank"] == ["9d"]


@article("56/2004", "6(4)", "6(4)(1)", "6(4)(2)", "6(4)(3)", "16(3)")
@pytest.mark.parametrize(
    ("cards", "deeds"),
    [
        ("5s 9d 6h Tc 2c", (Hit,)),  # 21
        ("5s 9d 4h 2c 3c", (Double,)),  # 11, and could go on
        ("As 9d Ah 2c 3c 4c", (Split,)),  # 13 and 14
    ],
)
def test_no_card_is_drawn_to_21_nor_more_than_one_to_a_double_or_a_split_ace(
    house: House, cards: str, deeds: tuple[Any, ...]
) -> None:
    ana = house.player("ana")
    table = in_turn(house, cards, ana)
    for deed in deeds:
        house.decide(ana, table, deed, box=1)
    until_over_for(house, table, ana)
    for hand in range(2):
        house.refused(partial(house.decide, ana, table, Hit, box=1, hand=hand))
    drawn = [
        line
        for line in log_entries(house.log(table))
        if line.action.do == "card" and line.before.phase == "player_turns"
    ]
    assert len(drawn) == (2 if Split in deeds else 1)


def until_over_for(house: House, table: Table, who: Player) -> None:
    """Let the dealer go on to the bank's own cards; nobody is asked any more."""
    while house.log(table).phase == "player_turns":
        assert not [action for action in house.round(table).offers(who.key).actions if isinstance(action, Hit)]
        house.step(table)


@article("56/2004", "13")
def test_a_bettor_makes_one_side_bet_on_a_box_and_that_may_be_anybodys(house: House) -> None:
    table, ana, rui = house.table(game="blackjack"), house.player("ana"), house.player("rui")
    house.until(table, "betting")
    house.bet(ana, table, "main", 10, 1)
    house.bet(rui, table, "main", 10, 2)
    house.bet(ana, table, "any_pair", 5, 2)
    assert house.refused(partial(house.bet, ana, table, "sevens", 5, 2)).article == "13"
    house.bet(rui, table, "sevens", 5, 2)
    house.until(table, "deal")
    house.refused(partial(house.bet, rui, table, "over_13", 5, 1))


@article("56/2004", "17", "17(2)")
@pytest.mark.parametrize(("second", "may"), [("4h", False), ("5h", True)])
def test_where_the_house_says_so_only_eleven_is_doubled(house: House, second: str, may: bool) -> None:
    ana = house.player("ana")
    table = in_turn(house, f"6s 9d {second} 2c 3c", ana, double_rule="eleven_only")
    double = partial(house.decide, ana, table, Double, box=1)
    if may:
        double()
    else:
        assert house.refused(double).article == "17(2)"


@article("56/2004", "18(2)", "R5")
def test_a_surrender_comes_before_any_card_and_is_not_taken_back(house: House) -> None:
    ana, rui = house.player("ana"), house.player("rui")
    table = dealt(house, "Ts 5s 9d 6h 6c 2c 3c", (ana, "main", 10, 1), (rui, "main", 10, 2))
    house.decide(ana, table, Surrender, box=1)
    assert "hit" not in {action.do for action in house.round(table).offers(ana.key).actions}
    house.refused(partial(house.decide, ana, table, Hit, box=1))
    house.decide(rui, table, Ready)
    until_asked(house, table)
    house.decide(rui, table, Hit, box=2)
    until_asked(house, table)
    assert house.refused(partial(house.decide, rui, table, Surrender, box=2)).article == "R5"


@article("56/2004", "20(1)", "20(1)(1)", "20(1)(2)", "20(1)(3)", "R16")
@pytest.mark.parametrize(
    ("rule", "seated", "decides"),
    [
        ("seated_decides", "lin", "lin"),
        ("seated_decides", "", "ana"),
        ("seated_or_nearest", "lin", "lin"),
        ("seated_or_nearest", "", "ana"),
        ("highest_stake_decides", "lin", "rui"),
    ],
)
def test_who_decides_for_a_shared_box(house: House, rule: str, seated: str, decides: str) -> None:
    people = {name: house.player(name) for name in ("ana", "rui", "lin")}
    house.stack("Kd 2s 9d 3h 4c")
    table = house.table("taipa", game="blackjack", shared_box_rule=rule)
    if seated:
        seating.sit(people[seated].pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    for name, credits in (("ana", 20), ("rui", 30), ("lin", 10)):
        house.bet(people[name], table, "main", credits, 1)
    house.until(table, "early_window")
    for name in people:
        if house.round(table).default_for(people[name].key):
            house.decide(people[name], table, Ready)
    until_asked(house, table)
    for name in set(people) - {decides}:
        house.refused(partial(house.decide, people[name], table, Hit, box=1))
    house.decide(people[decides], table, Hit, box=1)


@article("56/2004", "3(4)", "20(1)(3)")
def test_only_a_seated_bettor_holds_the_cards_of_a_box(house: House) -> None:
    ana, rui = house.player("ana"), house.player("rui")
    table = house.table("taipa", game="blackjack", shared_box_rule="highest_stake_decides")
    seating.sit(rui.pk, table.pk, 2, clock=house.clock)
    house.until(table, "betting")
    for box in (1, 2):
        house.bet(ana, table, "main", 50, box)
    house.bet(rui, table, "main", 10, 2)
    house.until(table, "early_window")
    felt = public_fragments(table_state(table.pk))
    assert "boxed__holder" not in felt["box-1"], "there are standing bettors alone"
    holder = felt["box-2"].split("boxed__holder")[1].split("</p>")[0]
    assert "Rui" in holder and "Ana" not in holder


# ── Stud Poker ──────────────────────────────────────────────────────────────────────────────────────────────


@article("61/2004", "6(1)", "6(2)", "6(3)")
def test_one_box_with_nobody_else_the_ante_first_and_the_jackpot_before_the_cards(house: House) -> None:
    table, ana, rui = house.table(game="stud_poker"), house.player("ana"), house.player("rui")
    for seat, player in ((1, ana), (3, rui)):
        seating.sit(player.pk, table.pk, seat, clock=house.clock)
    house.until(table, "betting")
    assert house.refused(partial(house.bet, ana, table, "jackpot", 25, 1)).article == "10(1)"
    house.bet(ana, table, "ante", 100, 1)
    assert house.refused(partial(house.bet, ana, table, "ante", 100, 2)).article == "6(1)"
    assert house.refused(partial(house.bet, rui, table, "ante", 100, 1)).article == "6(1)"
    house.until(table, "deal")
    house.step(table)
    assert house.refused(partial(house.bet, ana, table, "jackpot", 25, 1)).article == "6(3)"


@article("61/2004", "10(4)", "10(7)")
def test_the_jackpot_is_paid_from_the_left_and_a_straight_flush_before_a_royal(house: House) -> None:
    floor = Floor(house, 1_000_000_00)
    table = floor.table("guia", (1, 3, 7))

    def order(hands: dict[int, str]) -> list[int]:
        log = floor.play(table, hands)
        boxes = {stake.bet: stake.box for stake in house.round(table).stakes() if stake.spot == "jackpot"}
        paid = Transfer.objects.filter(log=log, reason="jackpot", credit__kind="player").order_by("pk")
        return [boxes[bet] or 0 for bet in paid.values_list("bet", flat=True)]

    assert order({1: FLUSH, 3: FOUR}) == [1, 3]
    assert order({1: ROYAL, 3: FOUR, 7: STRAIGHT_FLUSH}) == [7, 1, 3]


# ── 3-Card Baccarat, Roulette ───────────────────────────────────────────────────────────────────────────────


@article("22/96/M", "2(5)")
def test_a_card_that_turns_over_in_dealing_stays_valid(house: House) -> None:
    night = Night(house, "three_card_baccarat")
    house.until(night.table, "deal")
    night.rule("turned_over")
    house.step(night.table)
    assert sum(bool(face) for box in (1, 2) for face in faces(night.table, f"place-{box}")) == 1
    assert not house.play_out(night.table).void


@article("60/2004", "R-A2", "R-A11")
def test_what_the_house_does_not_sell_is_refused(house: House) -> None:
    table, ana = house.table(game="roulette", enabled_bets=["straight", "split"]), house.player("ana")
    house.until(table, "betting")
    assert house.refused(partial(house.bet, ana, table, "split_0_1", 10)).article == "R-A2"
    assert house.refused(partial(house.bet, ana, table, "red", 10)).article == "R-A11"
    house.bet(ana, table, "straight_0", 10)
