"""A round that the house has thrown is proven by the program that knows nothing of ours."""

from __future__ import annotations

import json
from collections import Counter
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from tables.base.chance import MadePack, Vault, places_dealt
from tables.base.transactions import unit_of_work
from tables.games import GAMES
from tables.games.contract.view import cards_in
from tables.games.values.cards import Card, card
from tables.models import LoggedAction, Player, RoundLog, SealedThrow, Seat, Shoe, Table
from tables.proof.audit import audit
from tables.services.dealing.leases import DealerCredentials
from tables.services.dealing.seeds import commit
from tables.services.rounds import seating
from tests.fairness import verifier
from tests.fairness.bundles import by_the_rules, mutants

from .kit import House, Seeded, change_shoe, everything, null_throw, opened_pack, without_guards

VERIFY = verifier.load()


def prove(log: RoundLog) -> dict[str, Any]:
    """What the command writes."""
    out = StringIO()
    call_command("prove", str(log.pk), stdout=out)
    return dict(json.loads(out.getvalue()))


def states(bundle: dict[str, Any], kept: dict[str, Any] | None = None) -> dict[str, set[str]]:
    """What the verifier says of each kind of claim."""
    found: dict[str, set[str]] = {}
    noted = json.dumps(kept).encode() if kept else b""
    claims = VERIFY.verify(json.dumps(bundle).encode(), bundle["house"], bundle["round"], noted, by_the_rules)
    for claim in claims:
        found.setdefault(claim.code, set()).add(claim.state)
    return found


def staked(house: House, game: str, spot: str) -> Table:
    ana, table = house.player("ana"), house.table(game=game)
    house.until(table, "betting")
    house.bet(ana, table, spot, 100)
    return table


@pytest.mark.parametrize(("game", "spot"), [("roulette", "red"), ("cussec", "small")])
def test_the_verifier_accepts_a_round_that_the_house_has_thrown(house: House, game: str, spot: str) -> None:
    table = staked(house, game, spot)
    before = prove(house.log(table))
    (closed,) = before["throws"]
    assert not {"seed", "salt", "value"} & closed.keys() and not {"record", "outcome"} & before.keys()
    assert VERIFY.CLOSED in states(before)["seed"]
    after = prove(house.play_out(table))
    found = states(after, before)
    assert set().union(*found.values()) == {VERIFY.PROVEN}
    assert found.keys() >= {"seed", "links", "leaf", "numbers", "counts", "record", "outcome", "stakes", "noted"}


def test_a_null_spin_is_in_the_proof_and_counts_for_nothing(house: House) -> None:
    house.throw(17, 4)
    table = staked(house, "roulette", "red")
    house.until(table, "spinning")
    null_throw(house.log(table).pk, "object", clock=house.clock)
    bundle = prove(house.play_out(table))
    assert [(throw["value"], throw["counts"]) for throw in bundle["throws"]] == [("17", False), ("4", True)]
    assert set().union(*states(bundle).values()) <= {VERIFY.PROVEN, VERIFY.UNCHECKED}


def test_a_number_that_the_house_has_chosen_is_found_by_everybody(db: None) -> None:
    """All that the house publishes is changed together: the seed tells."""
    house = House()
    log = house.play_out(staked(house, "cussec", "small"))
    without_guards()
    one = SealedThrow.objects.get(log=log)
    one.opened = (one.opened or {}) | {"values": [6, 6, 6]}
    one.commitment = VERIFY.sha256(f"throw:{one.table_id}:{one.serial}:{one.opened['salt']}:6 6 6")
    one.save()
    assert states(prove(log))["numbers"] == {VERIFY.BROKEN}


def test_the_seed_is_nowhere_in_the_database_before_it_is_opened(house: House) -> None:
    table = staked(house, "roulette", "red")
    rows = repr(everything())
    seed = prove(house.play_out(table))["throws"][0]["seed"]
    assert seed not in rows and seed in repr(everything())


# ── Cards ───────────────────────────────────────────────────────────────────────────────────────────────────

TABLES: dict[str, dict[str, Any]] = {
    "baccarat": {"dealing_device": "shoe", "decks": 6, "burn_mode": "fixed_n", "burn_fixed_n": 1, "demo_rounds": 1},
    "blackjack": {"dealing_device": "metal_box", "decks": 1, "deal_procedure": 1},
    "stud_poker": {"shuffle_method": "manual_shoe"},
    "three_card_baccarat": {"decks": 1},
}
STAKES: dict[str, tuple[str, int, int | None]] = {
    "baccarat": ("player", 100, None),
    "blackjack": ("main", 100, 1),
    "stud_poker": ("ante", 100, 1),
    "three_card_baccarat": ("place", 100, 1),
}
SEED_STAYS_CLOSED = {"seed", "order"}


def at_cards(game: str) -> tuple[House, Table, Player]:
    """A table with a stake of Ana's, in a house whose packs follow from their seeds."""
    house = House(Seeded(f"packs of {game}"))
    ana, table = house.player("ana"), house.table(game=game, **TABLES[game])
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    house.bet(ana, table, *STAKES[game])
    return house, table, ana


def fetched(log: RoundLog, player: Player | None = None) -> dict[str, Any]:
    """The bundle as this player, or a stranger, gets it from the house."""
    browser = Client()
    if player is not None:
        browser.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    answer = browser.get(f"/rounds/{log.pk}/proof.json")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def retire(house: House, table: Table) -> None:
    """The next round begins with another pack, and nobody sits there who may not look back."""
    for seat in Seat.objects.filter(table=table):
        seating.stand_up(seat.player_id, table.pk, clock=house.clock)
    change_shoe(table.pk)
    house.until(table, "betting")


@pytest.mark.parametrize("game", TABLES)
def test_the_verifier_accepts_a_round_that_the_house_has_dealt(db: None, game: str) -> None:
    house, table, ana = at_cards(game)
    before = fetched(house.log(table), ana)
    assert "seed" not in before["pack"] and len(before["pack"]["leaves"]) == 52 * before["pack"]["decks"]
    log = house.play_out(table)
    during = fetched(log, None)
    assert VERIFY.CLOSED in states(during, before)["seed"] and states(during, before)["card"] == {VERIFY.PROVEN}
    retire(house, table)
    after = fetched(log, ana)
    found = states(after, before)
    closed = {claim for claim, found_ in found.items() if VERIFY.CLOSED in found_}
    assert VERIFY.BROKEN not in set().union(*found.values()), found
    assert closed == (SEED_STAYS_CLOSED if game == "stud_poker" else set()), "Ana was alone, and saw all the hands"
    assert {"card", "hands", "root", "links", "record", "outcome", "stakes", "noted"} <= found.keys()
    house.in_order()


@pytest.mark.parametrize("game", TABLES)
@pytest.mark.in_full
def test_a_bundle_holds_the_cards_that_its_viewer_has_seen_and_no_others(db: None, game: str) -> None:
    house, table, ana = at_cards(game)
    seen_before: dict[Player | None, Counter[Card]] = {ana: Counter(), None: Counter()}
    while house.log(table).settled_at is None:
        log = house.log(table)
        for who in (ana, None):
            shown = Counter(cards_in(GAMES[game].view(house.round(table), who.key if who else None)))
            bundle = fetched(log, who)
            got = Counter(map(card, (one["card"] for one in bundle["cards"])))
            assert not shown - got, "what lies open is opened"
            seen_before[who] += shown - seen_before[who]
            assert got == seen_before[who], "and what never did is not"
            assert not {"seed", "record", "outcome"} & {*bundle, *bundle["pack"]}
            assert VERIFY.BROKEN not in states(bundle).get("card", set())
        house.step(table)


@pytest.mark.parametrize("game", TABLES)
@pytest.mark.in_full
def test_every_single_change_of_a_bundle_of_the_house_is_found(db: None, game: str) -> None:
    house, table, ana = at_cards(game)
    log = house.play_out(table)
    retire(house, table)
    bundle = fetched(log, ana)
    missed = []
    for path, _other, mutant in mutants(bundle):
        if path[:2] == ("pack", "leaves") and path[2] not in (0, 17, len(bundle["pack"]["leaves"]) - 1):
            continue  # one leaf is as good as another
        known = {"house": bundle["house"], "round_": bundle["round"], "rules": by_the_rules}
        claims = VERIFY.verify(json.dumps(mutant).encode(), **known)
        if VERIFY.BROKEN not in {claim.state for claim in claims}:
            missed.append(path)
            kept = states(mutant, kept=bundle)
            assert kept["noted"] == {VERIFY.BROKEN}, f"{path} is not found by whoever has kept a bundle either"
    of_no_effect = {path for path in missed if path[:2] in {("record", part) for part in OF_NO_EFFECT}}
    closed = {("pack", "seed_commitment")} if game == "stud_poker" else set()  # its seed stays closed for ever
    assert set(missed) - of_no_effect == closed


OF_NO_EFFECT = ("options", "seats", "first_round")
"""What of a record need not bear on what was paid: a limit that nobody reached, who sat where."""


def test_who_plays_where_recording_is_forbidden_has_no_bundle_of_a_round_that_is_over(db: None) -> None:
    house, table, ana = at_cards("stud_poker")
    log = house.play_out(table)
    browser = Client()
    browser.force_login(ana, backend="django.contrib.auth.backends.ModelBackend")
    refused = browser.get(f"/rounds/{log.pk}/proof.json")
    assert refused.status_code == 403 and "12(1)" in refused.content.decode()
    assert "record" not in fetched(log), "a stranger has the cards that lay open, and not who staked what"


def test_a_dealer_goes_on_with_the_seed_that_another_has_committed_to(db: None) -> None:
    """The other has died before mixing: nothing is drawn anew, whatever the seed gives."""
    house, table, _ana = at_cards("stud_poker")
    log = house.play_out(table)
    with unit_of_work():
        committed, _seed = commit(Table.objects.get(pk=table.pk), house.credentials(table), house.clock.at)
    assert committed.revealed is None and not Shoe.objects.filter(seed=committed).exists()
    house.take_over(table, "heir")
    house.until(table, "betting")
    shoe = house.log(table).shoe
    assert shoe is not None and log.shoe is not None
    assert (shoe.seed_id, shoe.number) == (committed.pk, log.shoe.number + 1)
    house.in_order()


def test_a_seed_whose_key_is_lost_is_left_and_the_audit_keeps_saying_so(db: None) -> None:
    house, table, _ana = at_cards("three_card_baccarat")
    house.play_out(table)
    own = house.credentials(table)
    with unit_of_work():
        lost, _seed = commit(
            Table.objects.get(pk=table.pk),
            DealerCredentials(own.owner, own.epoch, own.chance, Vault("another key")),
            house.clock.at,
        )
    house.until(table, "betting")
    shoe = house.log(table).shoe
    assert shoe is not None and shoe.number == lost.number + 1
    assert audit().faults == [
        f"table {table.pk}: the seed of pack {lost.number} was committed to, and no pack was dealt from it"
    ]


def test_no_seed_and_no_salt_of_an_undealt_card_is_in_the_database_before_it_is_opened(db: None) -> None:
    house, table, _ana = at_cards("baccarat")
    shoe = house.log(table).shoe
    assert shoe is not None
    pack = opened_pack(shoe)
    assert isinstance(pack, MadePack)
    while house.log(table).settled_at is None:
        rows = repr(everything())
        assert pack.seed not in rows and pack.key not in rows
        assert not [place for place in range(1, 313) if pack.salt_of(place) in rows and place not in places(shoe.pk)]
        house.step(table)
    retire(house, table)
    assert pack.seed in repr(everything())


def places(shoe_id: int) -> set[int]:
    """Where the cards lay that have been dealt."""
    shoe = Shoe.objects.get(pk=shoe_id)
    return set(places_dealt(shoe.decks, shoe.cut or 0, shoe.dealt))


def drawn(log: RoundLog) -> int:
    return LoggedAction.objects.filter(log=log, action__do="card").count()


def test_before_the_cut_and_for_no_round_there_is_no_bundle(house: House) -> None:
    table = house.table(**TABLES["baccarat"])
    house.until(table, "cut")
    with pytest.raises(CommandError, match="is not cut yet"):
        prove(house.log(table))
    answer = Client().get(f"/rounds/{house.log(table).pk}/proof.json")
    assert answer.status_code == 404 and "is not cut yet" in answer.json()["error"]
    with pytest.raises(CommandError, match="There is no round 999"):
        call_command("prove", "999")
    assert Client().get("/rounds/999/proof.json").status_code == 404
