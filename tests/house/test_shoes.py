"""Shoes: shuffled, committed to, cut, dealt in order to the white card, and opened for all to check."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from tables.base.chance import KEYED, MadePack, SystemRandomness, Vault, made_pack
from tables.games.baccarat.phases import Phase
from tables.games.contract.actions import Cut, Decline, DrawCard, VoidReason
from tables.games.values.cards import Card, card, pack
from tables.models import LoggedAction, Player, RoundLog, Shoe, Table
from tables.models.bettors import player_of
from tables.proof.audit import audit
from tables.queries.folds import log_entries
from tables.queries.table import table_state
from tables.services.dealing.advance import advance, void_after_error
from tables.services.dealing.leases import DealerCredentials
from tables.services.dealing.shoes import _opened_packs, label_of
from tables.services.dealing.shoes import opened_pack as opened_by
from tables.services.rounds import decisions, seating
from tests.kit import article

from .kit import VAULT, House, change_shoe, label, lawful, void_round

SHOE: dict[str, Any] = {"dealing_device": "shoe", "decks": 6, "burn_mode": "fixed_n", "burn_fixed_n": 1}

NATURAL = "4s Kc 5d 7h"  # 9 against 7, four cards
TIE = "Ts 4c 6d 2h"  # 6 against 6, four cards


def shoe_table(house: House, *, white_after: int = 300, **options: Any) -> Table:
    """A table with a real shoe, whose white card comes out after so many cards."""
    return house.table(**(SHOE | {"cut_card_depth": 312 - white_after} | options))


def stacked(house: House, *hands: str) -> None:
    """The next shoe gives these hands, one after another, behind a burnt card; it is cut after its first card."""
    house.stack(" ".join(("Kd", "2c", *hands)))


def present(table: Table) -> Shoe:
    shoe = Table.objects.select_related("shoe").get(pk=table.pk).shoe
    assert shoe is not None
    return shoe


def drawn(shoe: Shoe) -> list[Card]:
    """The cards of a shoe as the logs of its rounds have them."""
    logs = RoundLog.objects.filter(shoe=shoe).order_by("number")
    return [line.action.card for log in logs for line in log_entries(log) if isinstance(line.action, DrawCard)]


def shoes_of_rounds(table: Table) -> list[int]:
    """The number of the shoe that each round of the table was dealt from."""
    logs = RoundLog.objects.filter(table=table).select_related("shoe").order_by("number")
    return [log.shoe.number for log in logs if log.shoe is not None]


def play_rounds(house: House, table: Table, rounds: int) -> None:
    for _ in range(rounds):
        house.until(table, "betting")
        house.play_out(table)


# ── Chance and seals ────────────────────────────────────────────────────────────────────────────────────────


def made(seed: str = "", *, decks: int = 1) -> MadePack:
    """A pack from this seed, or from one of its own."""
    return made_pack(label(scheme=KEYED), decks, seed or SystemRandomness().seed(), ())


def test_a_shuffle_is_a_whole_pack_in_an_order_of_its_own() -> None:
    one, other = made(decks=8).order, made(decks=8).order
    assert sorted(map(str, one)) == sorted(map(str, other)) == sorted(map(str, pack(8)))
    assert one != other
    assert {SystemRandomness().below(3) for _ in range(200)} == {0, 1, 2}


def test_each_seal_of_the_same_seed_is_another_and_shows_nothing_of_it() -> None:
    seed, this = SystemRandomness().seed(), label(scheme=KEYED)
    one, other = VAULT.seal_seed(this, seed), VAULT.seal_seed(this, seed)
    assert one != other and seed.encode() not in one
    assert VAULT.open_seed(this, one) == VAULT.open_seed(this, other) == seed


def test_another_key_opens_nothing_and_neither_does_a_broken_seal() -> None:
    this = label(scheme=KEYED)
    sealed = VAULT.seal_seed(this, SystemRandomness().seed())
    with pytest.raises(ValueError, match="another key"):
        Vault("another key").open_seed(this, sealed)
    with pytest.raises(ValueError, match="another key"):
        VAULT.open_seed(this, sealed[:-1] + bytes([sealed[-1] ^ 1]))


def test_each_card_of_a_pack_opens_without_the_others() -> None:
    one, again = made(), made_pack(label(number=2, scheme=KEYED), 1, made().seed, ())
    assert not set(one.leaves) & set(again.leaves), "the same cards at the same places cannot be told"
    assert len({one.salt_of(place) for place in range(1, 53)}) == 52
    for place in (1, 17, 52):
        text = f"card:1:1:{place}:{one.salt_of(place)}:{one.order[place - 1]}"
        assert hashlib.sha256(text.encode()).hexdigest() == one.leaves[place - 1]
    text = "".join(f"{each}\n" for each in one.leaves)
    assert hashlib.sha256(text.encode()).hexdigest() == one.commitment
    assert one.is_committed(one.commitment, one.leaves)


def test_a_pack_is_not_committed_to_if_a_card_a_leaf_or_the_commitment_is_another() -> None:
    one = made()
    leaves = one.leaves
    swapped = replace(one, order=(one.order[1], one.order[0], *one.order[2:]))
    assert not swapped.is_committed(one.commitment, leaves)
    assert [a == b for a, b in zip(swapped.leaves, leaves, strict=True)] == [False] * 2 + [True] * 50
    assert not one.is_committed(one.commitment, [leaves[1], leaves[0], *leaves[2:]])
    assert not one.is_committed(made().commitment, leaves)
    assert not one.is_committed(one.commitment, None)


# ── The ceremony ────────────────────────────────────────────────────────────────────────────────────────────


@article("55/2004", "2(1)")
def test_the_commitment_stands_before_anybody_cuts_and_the_opening_answers_to_it(house: House) -> None:
    table, ana = shoe_table(house), house.player("ana")
    seating.sit(ana.pk, table.pk, 2, clock=house.clock)
    house.step(table)
    assert house.round(table).phase is Phase.CUT
    published = table_state(table.pk, clock=house.clock).commitment
    assert (present(table).opened, present(table).cut) == (None, None)
    decisions.decide(ana.pk, house.log(table).pk, "the-cut", Cut(ana.key, 200), clock=house.clock)
    play_rounds(house, table, 2)
    assert present(table).opened is None, "it is still in use"
    change_shoe(table.pk)
    house.until(table, "betting")
    shoe = Shoe.objects.get(table=table, number=1)
    assert shoe.opened is not None and shoe.retired_at is not None
    assert shoe.seed is not None and published == shoe.commitment
    text = f"seed:{table.pk}:1:{shoe.opened['seed']}"
    assert hashlib.sha256(text.encode()).hexdigest() == shoe.seed.commitment
    pack = made_pack(label_of(shoe), 6, shoe.opened["seed"], [])
    assert (pack.commitment, list(pack.leaves)) == (published, shoe.seed.leaves)
    assert drawn(shoe) == list((pack.order[200:] + pack.order[:200])[: shoe.dealt])
    assert len(drawn(shoe)) >= 9


@article("55/2004", "2(1)")
def test_the_cut_is_offered_by_seat_and_made_by_the_dealer_if_all_pass(house: House) -> None:
    table = shoe_table(house)
    players = [house.player(name) for name in ("ana", "rui", "lin")]
    for seat, player in zip((5, 2, 7), players, strict=True):
        seating.sit(player.pk, table.pk, seat, clock=house.clock)
    ana, rui, lin = players
    house.step(table)
    log = house.log(table).pk

    def says(player: Player, cuts: bool = False) -> str:
        deed = Cut(player.key, 9) if cuts else Decline(player.key)
        decisions.decide(player.pk, log, house.ref(), deed, clock=house.clock)
        return str(house.log(table).wait)

    assert house.refused(lambda: says(ana, cuts=True)).article == "2(1)"
    assert says(rui) == f"cut.{ana.key}:"
    house.clock.pass_(seconds=8)
    assert house.refused(lambda: says(ana)).article == "time"
    house.step(table)
    assert house.log(table).wait == "cut.others:", "whoever is left is asked with everybody else"
    assert house.refused(lambda: says(rui, cuts=True)).article == "2(1)", "passed is passed"
    house.clock.pass_(seconds=8)
    house.step(table)
    assert house.log(table).wait.startswith("burn")  # too late: the dealer has cut
    assert LoggedAction.objects.filter(log=log, action__do="cut").get().by == "house"
    assert present(table).cut == 1
    assert house.refused(lambda: says(lin, cuts=True)).article == ""


# ── The white card and the last round ───────────────────────────────────────────────────────────────────────


@article("55/2004", "1(2)", "3(1)")
@pytest.mark.parametrize(
    ("rule", "white_after", "rounds"),
    [
        ("current_is_last", 1, 1),  # right after the burnt card: before the first card of the first round
        ("current_is_last", 2, 1),
        ("current_is_last", 4, 1),  # before the last card of the first round
        ("current_is_last", 5, 2),  # right after it: it comes out before the first card of the second
        ("current_is_last", 9, 3),
        ("one_more_round", 1, 1),
        ("one_more_round", 2, 2),
        ("one_more_round", 4, 2),
        ("one_more_round", 5, 2),
        ("one_more_round", 8, 3),
    ],
)
def test_the_shoe_ends_where_the_white_card_and_the_rule_say(
    house: House, rule: str, white_after: int, rounds: int
) -> None:
    stacked(house, NATURAL, NATURAL, NATURAL)
    table = shoe_table(house, white_after=white_after, last_round_rule=rule)
    play_rounds(house, table, rounds + 1)
    assert shoes_of_rounds(table) == [1] * rounds + [2]
    logs = list(RoundLog.objects.filter(table=table).order_by("number"))
    assert [log.opening.get("ceremony", False) for log in logs] == [True] + [False] * (rounds - 1) + [True]
    first = Shoe.objects.get(table=table, number=1)
    whites = LoggedAction.objects.filter(log__shoe=first, action__do="white")
    assert whites.count() == 1
    assert drawn(first)[:5] == list(map(card, ("2c", "4s", "Kc", "5d", "7h")))
    known = [log.opening.get("last_round", False) for log in logs[:rounds]]
    assert known == [False] * (rounds - 1) + [rule == "one_more_round" and white_after in (2, 4, 8)]


def test_the_white_card_takes_a_beat_of_its_own(house: House) -> None:
    stacked(house, NATURAL)
    table = shoe_table(house, white_after=3)
    house.until(table, "deal")
    house.step(table)
    house.step(table)
    before = house.clock.at
    house.step(table)
    log = house.log(table)
    assert log.actions.latest("seq").action["do"] == "white"
    assert log.due_at is not None and log.due_at > house.clock.at > before


@article("55/2004", "B-A16")
def test_a_stake_carried_from_the_last_round_lies_there_when_the_next_shoe_begins(house: House) -> None:
    stacked(house, TIE)
    stacked(house, NATURAL)
    table, ana = shoe_table(house, white_after=2, tie_policy="no_move"), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    house.play_out(table)
    assert house.round(table).ends_shoe
    house.until(table, "betting")
    assert shoes_of_rounds(table) == [1, 2]
    (stake,) = house.round(table).stakes()
    assert (stake.amount, stake.carried) == (10_000, True)
    house.play_out(table)
    assert house.balance(ana) == 1_000_000 + 10_000


# ── Fresh shoes ─────────────────────────────────────────────────────────────────────────────────────────────


def test_the_pit_changes_the_shoe_once_and_only_after_the_round(house: House) -> None:
    table, ana = shoe_table(house), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    change_shoe(table.pk)
    house.play_out(table)
    assert shoes_of_rounds(table) == [1]
    play_rounds(house, table, 2)
    assert shoes_of_rounds(table) == [1, 2, 2]


@article("55/2004", "1(3)", "2(3)")
def test_a_machine_gives_every_round_a_fresh_pack_without_ceremony(house: House) -> None:
    table = house.table()
    play_rounds(house, table, 3)
    assert shoes_of_rounds(table) == [1, 2, 3]
    packs = list(Shoe.objects.order_by("number"))
    assert [(shoe.cut, shoe.white_at) for shoe in packs] == [(0, None)] * 3
    assert [shoe.opened is not None for shoe in packs] == [True, True, False]
    assert not LoggedAction.objects.filter(action__do="cut").exists()


def test_a_void_round_goes_on_with_the_same_shoe_behind_the_cards_that_were_seen(house: House) -> None:
    stacked(house, "4s Kc", NATURAL)
    table = shoe_table(house)
    house.until(table, "deal")
    house.step(table)
    house.step(table)
    void_round(house.log(table).pk, "a card fell", clock=house.clock)
    play_rounds(house, table, 1)
    assert shoes_of_rounds(table) == [1, 1]
    assert house.log(table).result == {
        "winner": "player", "player": 9, "banker": 7, "player_pair": False, "banker_pair": False,
    }  # fmt: skip


def test_a_shoe_that_cannot_be_opened_is_replaced_and_the_round_is_void(db: None) -> None:
    """As when the key of the dealers was lost: nobody can deal from that shoe any more, but the table goes on."""
    house = House()
    table, ana = shoe_table(house), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    house.until(table, "deal")
    lost = present(table)
    other = Vault("another key")
    own = house.credentials(table)
    stranger = DealerCredentials(own.owner, own.epoch, own.chance, other)
    house.due(table)
    _opened_packs.clear()
    with pytest.raises(ValueError, match="another key") as error:
        advance(table.pk, stranger, clock=house.clock)
    void_after_error(table.pk, stranger, type(error.value).__name__, clock=house.clock)
    assert house.balance(ana) == 1_000_000
    while house.log(table).phase != "result":
        house.due(table)
        advance(table.pk, stranger, clock=house.clock)
    assert shoes_of_rounds(table) == [1, 2]
    lost.refresh_from_db()
    assert lost.retired_at is not None and lost.opened is None
    assert opened_by(present(table), other).commitment == present(table).commitment
    assert audit(other).faults == [
        f"table {table.pk}: the seed of pack 1 cannot be read: this pack was sealed with another key",
        f"shoe {lost.pk} cannot be read: this pack was sealed with another key",
    ]


# ── Blackjack's devices ─────────────────────────────────────────────────────────────────────────────────────


def blackjack_rounds(house: House, table: Table, rounds: int) -> list[RoundLog]:
    """So many rounds with a bet in each; their logs, oldest first."""
    ana = Player.objects.filter(username="ana").first() or house.player("ana")
    for _ in range(rounds):
        house.until(table, "betting")
        house.bet(ana, table, "main", 10, 1)
        house.play_out(table)
    return list(RoundLog.objects.filter(table=table).order_by("number"))


def begun(logs: list[RoundLog]) -> list[tuple[bool, bool]]:
    """Whether each round began with a ceremony, and was the first of its pack."""
    return [(log.opening.get("ceremony", False), log.opening.get("first_round", False)) for log in logs]


def burnt_before_betting(log: RoundLog) -> int:
    kinds = list(log.actions.order_by("seq").values_list("action__do", flat=True))
    return kinds[: kinds.index("bet")].count("card")


@article("56/2004", "1(4)", "2(1)(2)", "2(2)(4)", "4(1)", "4(1)(1)")
def test_a_machine_is_loaded_once_and_again_when_the_pit_changes_its_cards(house: House) -> None:
    table = house.table("taipa", game="blackjack", initial_burn="one_per_deck")
    blackjack_rounds(house, table, 2)
    change_shoe(table.pk)
    logs = blackjack_rounds(house, table, 2)
    assert begun(logs) == [(True, True), (False, False), (True, True), (False, False)]
    assert [burnt_before_betting(log) for log in logs] == [6, 0, 6, 0]
    assert shoes_of_rounds(table) == [1, 2, 3, 4]
    assert not LoggedAction.objects.filter(action__do__in=("cut", "white")).exists()


def test_a_machine_that_gets_other_decks_is_loaded_again(house: House) -> None:
    table = house.table("taipa", game="blackjack", decks=4)
    blackjack_rounds(house, table, 2)
    table.refresh_from_db()
    five = lawful("blackjack", table.options | {"decks": 5}, clock=house.clock)
    Table.objects.filter(pk=table.pk).update(options=five)
    logs = blackjack_rounds(house, table, 2)
    assert begun(logs) == [(True, True), (False, False), (True, True), (False, False)]


@article("56/2004", "4(2)")
def test_a_machine_burns_a_card_in_each_following_round(house: House) -> None:
    table = house.table("taipa", game="blackjack", round_burn="each_following_round")
    logs = blackjack_rounds(house, table, 3)
    burns = [
        sum(isinstance(line.action, DrawCard) and line.before.phase == "round_burn" for line in log_entries(log))
        for log in logs
    ]
    assert burns == [0, 1, 1]


METAL_BOX: dict[str, Any] = {"dealing_device": "metal_box", "decks": 1, "deal_procedure": 1}


@article("56/2004", "2(1)(1)", "2(2)(3)")
def test_the_one_deck_of_a_metal_box_is_shuffled_cut_and_burnt_for_every_round(house: House) -> None:
    table, rui = house.table("coloane", game="blackjack", **METAL_BOX), house.player("rui")
    seating.sit(rui.pk, table.pk, 4, clock=house.clock)
    house.step(table)
    assert house.round(table).phase == "cut"
    house.decide(rui, table, Cut, position=20)
    logs = blackjack_rounds(house, table, 3)
    assert begun(logs) == [(True, True)] * 3
    assert shoes_of_rounds(table) == [1, 2, 3]
    packs = list(Shoe.objects.order_by("number"))
    assert [(shoe.cut, shoe.white_at) for shoe in packs] == [(20, None), (1, None), (1, None)]
    cuts = LoggedAction.objects.filter(action__do="cut").order_by("log").values_list("by", flat=True)
    assert list(cuts) == [rui.key, "house", "house"]


@article("56/2004", "2(1)", "2(2)", "2(2)(1)")
def test_the_white_card_of_a_blackjack_shoe_announces_its_last_round(house: House) -> None:
    table = house.table("peninsula", game="blackjack", dealing_device="shoe", decks=2, boxes=6, cut_card_depth=70)
    while shoes_of_rounds(table).count(2) < 2:
        logs = blackjack_rounds(house, table, 1)
    of_first = shoes_of_rounds(table).count(1)
    assert of_first > 4
    assert [log.actions.filter(action__do="white").count() for log in logs] == [0] * (of_first - 1) + [1, 0, 0]
    assert begun(logs) == [(True, True), *[(False, False)] * (of_first - 1), (True, True), (False, False)]
    assert Shoe.objects.get(number=1).dealt >= 34


@article("56/2004", "pack")
def test_a_pack_that_runs_out_in_a_round_makes_it_void_and_every_stake_returns(house: House) -> None:
    """One deck, seven boxes: pairs split to four hands each, and the sixth box finds no card any more."""
    pairs = "2345678"
    others = iter([f"{rank}{suit}" for rank in "9TJQKA" for suit in "shdc"])
    order = [next(others), *(f"{rank}s" for rank in pairs), next(others), *(f"{rank}h" for rank in pairs), next(others)]
    for rank in pairs:
        order += [f"{rank}d", f"{rank}c", *islice(others, 4)]
    assert len(set(order)) == 52
    house.stack(" ".join((order[-1], *order[:-1])))  # the cut brings the first card to the end
    table = house.table(
        "coloane", game="blackjack", **METAL_BOX, boxes=7, initial_burn="single", special_prize_offered=False
    )
    players = [house.player(name) for name in ("ana", "rui", "lin")]
    house.until(table, "betting")
    for box in range(1, 8):
        house.bet(players[box % 3], table, "main", 10, box)
    while house.log(table).settled_at is None:
        actions = [action for player in players for action in house.round(table).offers(player.key).actions]
        splits = [action for action in actions if action.do == "split"]
        if splits and house.round(table).next_house_step() is None:
            (split,) = splits
            decisions.decide(player_of(split.by), house.log(table).pk, house.ref(), split, clock=house.clock)
        else:
            house.step(table)
    log = house.log(table)
    assert (log.void, log.actions.latest("seq").action["reason"]) == (True, VoidReason.PACK_OUT)
    assert present(table).dealt == 52
    assert LoggedAction.objects.filter(action__do="split").count() >= 16
    assert [house.balance(player) for player in players] == [1_000_000] * 3
    house.until(table, "betting")
    assert shoes_of_rounds(table) == [1, 2]
