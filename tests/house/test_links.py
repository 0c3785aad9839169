"""Links of bettors: they fix packs and throws together with the house, and cost nobody a wait (docs/proof.md)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext

from tables.base import proof_format
from tables.base.bundle import written
from tables.base.chance import Vault
from tables.base.proof_format import chain, sha256
from tables.base.timetable import LINKS_WITHIN
from tables.games.contract.errors import Refused
from tables.models import Departure, OfferedLink, PackSeed, Player, RevealedLink, RoundLog, SealedThrow, Seat, Table
from tables.proof.audit import audit
from tables.proof.bundles import bundle_of
from tables.queries.shoes import open_list_of
from tables.queries.table import table_state
from tables.services.dealing.leases import DealerCredentials
from tables.services.dealing.restoring import drop_what_was_sealed
from tables.services.dealing.seeds import label_of_seed
from tables.services.rounds import links, seating

from .kit import MAIN_BETS, VAULT, House, Seeded, undone, void_round, without_guards

CARDS = ("baccarat", "blackjack", "stud_poker", "three_card_baccarat")
THROWN = ("roulette", "cussec")


class Device:
    """The chain of one bettor: what is offered, and what lies beneath it."""

    def __init__(self, player: Player, table: Table, house: House) -> None:
        self.player, self.table, self.house = player, table, house
        self.chain = list(chain(sha256(player.name), 40))

    def offer(self) -> None:
        links.offer(self.player.pk, self.table.pk, self.chain[0], clock=self.house.clock)

    def reveal(self, number: int) -> None:
        reveal(self, number, self.chain[1])
        del self.chain[0]


def seated(house: House, table: Table, *names: str) -> list[Device]:
    """Players with seats 1, 2, … and their devices, which have offered a link."""
    found = []
    for number, name in enumerate(names, start=1):
        player = house.player(name)
        seating.sit(player.pk, table.pk, number, clock=house.clock)
        found.append(Device(player, table, house))
        found[-1].offer()
    house.attend(table, *(one.player for one in found))
    return found


def to_the_list(house: House, table: Table) -> PackSeed:
    """Play until the house has committed to the seed of the next pack, and waits for links."""
    for _ in range(400):
        if (seed := waiting(table)) is not None:
            return seed
        house.step(table)
        if house.log(table).phase == "betting":
            Table.objects.filter(pk=table.pk).update(fresh_shoe_due=True)
            for seat in Seat.objects.filter(table=table):  # nobody loses their seat meanwhile
                Seat.objects.filter(pk=seat.pk).update(rounds_without_bet=0, seen_at=house.clock.at)
            stake(house, table)
    raise AssertionError("the house never committed")


def waiting(table: Table) -> PackSeed | None:
    return PackSeed.objects.filter(table=table, revealed__isnull=True, dropped_at=None).first()


def stake(house: House, table: Table) -> None:
    seat = Seat.objects.filter(table=table).order_by("number").first()
    if seat is not None and not house.round(table).stakes():
        spot, box = MAIN_BETS[table.game]
        house.bet(seat.player, table, spot, 100, box)


def dealt(house: House, table: Table) -> RoundLog:
    """Stake in the round that has begun, and play it out."""
    house.until(table, "betting")
    stake(house, table)
    return house.play_out(table)


def opened(game: str, *names: str) -> tuple[House, Table, list[Device], PackSeed]:
    """A table at which the house has published the list with the links of these bettors."""
    house = House(Seeded(game))
    table = house.table(game=game)
    house.step(table)
    devices = seated(house, table, *names)
    return house, table, devices, to_the_list(house, table)


# ── Packs ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("game", CARDS)
def test_a_pack_is_made_from_the_seed_and_the_links_of_all_who_revealed(db: None, game: str) -> None:
    house, table, (ana, rui), seed = opened(game, "ana", "rui")
    assert seed.offered == [[ana.player.key, ana.chain[0]], [rui.player.key, rui.chain[0]]]
    assert open_list_of(table.pk) == table_state(table.pk, clock=house.clock).links
    before = house.log(table)
    ana.reveal(seed.number)
    assert not house.advance(table).acted and house.log(table) == before, "it waits for the other, and deals nothing"
    rui.reveal(seed.number)
    assert house.advance(table).acted, "at once"
    seed.refresh_from_db()
    assert seed.revealed == [[ana.player.key, ana.chain[0]], [rui.player.key, rui.chain[0]]]
    shoe = house.log(table).shoe
    assert shoe is not None and shoe.seed_id == seed.pk
    key = proof_format.key(VAULT.open_seed(label_of_seed(seed), seed.sealed), (ana.chain[0], rui.chain[0]))
    order = proof_format.pack_of(key, shoe.decks)
    assert seed.leaves == list(proof_format.leaves(table.pk, seed.number, key, order))
    assert [one.link for one in OfferedLink.objects.order_by("pk")] == [ana.chain[0], rui.chain[0]], "for the next pack"
    dealt(house, table)
    house.in_order()
    proof: Any = written(bundle_of(house.log(table), None))
    assert (proof["pack"]["offered"], proof["pack"]["revealed"]) == (seed.offered, seed.revealed)


@pytest.mark.parametrize("game", CARDS)
def test_nobody_waits_longer_than_two_seconds_for_those_who_stay_silent(db: None, game: str) -> None:
    house, table, (ana, rui), seed = opened(game, "ana", "rui")
    rui.reveal(seed.number)
    assert house.advance(table).look_at == seed.committed_at + LINKS_WITHIN
    house.clock.at = seed.committed_at + timedelta(seconds=2)
    assert house.advance(table).acted
    seed.refresh_from_db()
    assert seed.revealed == [[rui.player.key, rui.chain[0]]], "the proof says who was silent"
    assert proof_format.silent(seed.offered, seed.revealed) == (ana.player.key,)
    assert not OfferedLink.objects.filter(player=ana.player).exists(), "nobody waits for them a second time"
    house.in_order()


def test_a_table_where_nobody_offers_waits_for_nobody(db: None) -> None:
    house = House(Seeded("nobody"))
    table = house.table(game="three_card_baccarat")
    for _ in range(3):
        house.until(table, "betting")
        seating.heartbeat(table.pk, [], clock=house.clock)
        log = house.log(table)
        assert log.shoe is not None and log.shoe.seed is not None
        assert log.shoe.seed.committed_at == log.started_at and log.shoe.seed.offered == []
        ana = Player.objects.filter(username="ana").first() or house.player("ana")
        if not Seat.objects.filter(player=ana).exists():
            seating.sit(ana.pk, table.pk, 1, clock=house.clock)
        house.attend(table, ana)
        house.bet(ana, table, "place", 100, 1)
        house.play_out(table)


@pytest.mark.parametrize("revealed", [False, True])
def test_a_dealer_that_dies_between_commitment_and_mixing_is_followed_by_one_that_draws_nothing_anew(
    db: None, revealed: bool
) -> None:
    house, table, (ana,), seed = opened("stud_poker", "ana")
    if revealed:
        ana.reveal(seed.number)
    house.take_over(table, "heir")
    house.clock.pass_(seconds=3)
    assert house.advance(table).acted
    shoe = house.log(table).shoe
    assert shoe is not None and shoe.seed_id == seed.pk
    seed.refresh_from_db()
    assert seed.revealed == ([[ana.player.key, ana.chain[0]]] if revealed else [])
    dealt(house, table)
    house.in_order()


def test_a_dealer_that_dies_between_mixing_and_cut_is_followed_by_one_that_deals_the_same_pack(db: None) -> None:
    house = House(Seeded("cut"))
    table = house.table(game="baccarat", dealing_device="shoe", decks=6, cut_card_depth=20)
    house.step(table)
    (ana,) = seated(house, table, "ana")
    seed = to_the_list(house, table)
    ana.reveal(seed.number)
    assert house.advance(table).acted
    shoe = house.log(table).shoe
    assert shoe is not None and (shoe.seed_id, shoe.cut) == (seed.pk, None)
    house.take_over(table, "heir")
    last = dealt(house, table)
    assert last.shoe is not None and last.shoe.pk == shoe.pk and last.shoe.cut is not None
    house.in_order()


def test_a_seed_whose_key_is_lost_is_left_and_the_links_come_for_the_next(db: None) -> None:
    house, table, _devices, lost = opened("stud_poker", "ana")
    own = house.credentials(table)
    house._credentials[table.pk] = DealerCredentials(own.owner, own.epoch, own.chance, Vault("another key"))
    house.clock.pass_(seconds=2)
    assert house.advance(table).acted
    following = PackSeed.objects.get(table=table, number=lost.number + 1)
    assert following.offered == lost.offered, "what nobody revealed may be offered once more"
    lost.refresh_from_db()
    assert lost.revealed is None


def test_seats_stand_first_then_those_who_came_first_and_at_most_sixteen(db: None) -> None:
    house = House(Seeded("sixteen"))
    table = house.table(game="baccarat")
    house.until(table, "betting")
    standing = [house.player(f"p{number}") for number in range(18)]
    for player in standing:
        house.bet(player, table, "player", 10)
    for player in standing[:16]:
        Device(player, table, house).offer()
    late = Device(standing[16], table, house)
    refused = house.refused(late.offer)
    assert str(refused.words) and "16" in str(refused.words.values)
    seating.sit(standing[16].pk, table.pk, 2, clock=house.clock)
    late.offer()
    assert [bettor for bettor, _ in links.listed(_table(table))] == [
        standing[16].key, *(one.key for one in standing[:15])
    ]  # fmt: skip
    house.attend(table, standing[16])
    seating.connection_lost(table.pk, standing[16].pk, clock=house.clock)
    Departure.objects.create(table=table, player=standing[0])
    assert [bettor for bettor, _ in links.listed(_table(table))] == [one.key for one in standing[1:16]]


def _table(table: Table) -> Table:
    return Table.objects.get(pk=table.pk)


# ── Throws ──────────────────────────────────────────────────────────────────────────────────────────────────


def thrown(game: str) -> tuple[House, Table, list[Device]]:
    """A table of which two who stand have offered a link, in the first round in which they stake."""
    house = House(Seeded(game))
    table = house.table(game=game)
    devices = [Device(house.player(name), table, house) for name in ("ana", "rui")]
    house.until(table, "betting")
    for one in devices:
        house.bet(one.player, table, MAIN_BETS[game][0], 10)
        one.offer()
    assert waiting(table) is None
    house.play_out(table)
    house.until(table, "betting")
    return house, table, devices


def present_throw(house: House, table: Table) -> SealedThrow:
    return SealedThrow.objects.filter(log=house.log(table)).latest("number")


@pytest.mark.parametrize("game", THROWN)
def test_a_throw_has_the_links_that_came_in_with_the_round_before_and_waits_for_none(db: None, game: str) -> None:
    house, table, (ana, rui) = thrown(game)
    seed = waiting(table)
    assert seed is not None and [bettor for bettor, _ in seed.offered] == [ana.player.key, rui.player.key]
    assert present_throw(house, table).offered == []
    assert table_state(table.pk, clock=house.clock).links == open_list_of(table.pk) != None  # noqa: E711
    ana.reveal(seed.number)
    house.bet(ana.player, table, MAIN_BETS[game][0], 10)
    before = house.play_out(table)
    started = house.clock.at
    house.until(table, "betting")
    assert before.due_at is not None and house.log(table).started_at == max(started, before.due_at), "nobody waits"
    sealed = present_throw(house, table)
    assert (sealed.serial, sealed.seed_commitment) == (seed.number, seed.commitment)
    assert (sealed.offered, sealed.revealed) == (seed.offered, [[ana.player.key, ana.chain[0]]])
    following = waiting(table)
    assert following is not None and following.offered == [[ana.player.key, ana.chain[0]]], "the other was silent"
    house.bet(ana.player, table, MAIN_BETS[game][0], 10)
    log = house.play_out(table)
    house.in_order()
    (proof,) = bundle_of(log, None).throws
    key = proof_format.key(proof.seed or "", [ana.chain[0]])
    assert proof.salt == proof_format.salt(key) and proof.revealed == [(ana.player.key, ana.chain[0])]


@pytest.mark.parametrize("game", THROWN)
def test_the_seed_of_a_throw_outlives_its_dealer_and_a_round_that_is_void(db: None, game: str) -> None:
    house, table, (ana, _rui) = thrown(game)
    seed = waiting(table)
    assert seed is not None
    ana.reveal(seed.number)
    house.take_over(table, "heir")
    void_round(house.log(table).pk, "why")
    house.until(table, "betting")
    assert present_throw(house, table).seed_commitment == seed.commitment
    house.in_order()


# ── What is refused, and changes nothing ────────────────────────────────────────────────────────────────────


def rows() -> list[Any]:
    return [list(kind._default_manager.order_by("pk").values()) for kind in (OfferedLink, RevealedLink, PackSeed)]


BAD: dict[str, tuple[Callable[[Device, PackSeed], None], str]] = {
    "one that does not fit": (lambda one, seed: reveal(one, seed.number, one.chain[2]), "does not lie beneath"),
    "no link": (lambda one, seed: reveal(one, seed.number, "x" * 64), "does not lie beneath"),
    "what was offered": (lambda one, seed: reveal(one, seed.number, one.chain[0]), "does not lie beneath"),
    "another's number": (lambda one, seed: reveal(one, seed.number + 1, one.chain[1]), "takes no links now"),
    "an old pack": (lambda one, seed: reveal(one, seed.number - 1, one.chain[1]), "takes no links now"),
    "a huge number": (lambda one, seed: reveal(one, 10**18, one.chain[1]), "takes no links now"),
    "an offer of 63 digits": (lambda one, seed: offer(one, "a" * 63), "64 digits"),
    "an offer in capitals": (lambda one, seed: offer(one, "A" * 64), "64 digits"),
}


def reveal(one: Device, number: int, link: str) -> None:
    (refused,) = links.reveal_many(one.table.pk, [links.Reveal(one.player.pk, number, link)])
    if refused is not None:
        raise refused


def offer(one: Device, link: str) -> None:
    links.offer(one.player.pk, one.table.pk, link, clock=one.house.clock)


def test_what_does_not_fit_is_refused_in_a_word_and_changes_nothing(db: None) -> None:
    house, table, (ana,), seed = opened("stud_poker", "ana")
    before = rows()
    for what, (deed, words) in BAD.items():
        refusal = house.refused(lambda deed=deed: deed(ana, seed))  # type: ignore[misc]
        assert words in str(refusal.words.text), what
        assert rows() == before, what
    stranger = Device(house.player("stranger"), table, house)
    assert "has a seat or a stake" in house.refused(stranger.offer).words.text
    assert "You have offered no link" in house.refused(lambda: reveal(stranger, seed.number, ana.chain[1])).words.text
    assert rows() == before
    ana.reveal(seed.number)
    reveal(ana, seed.number, ana.chain[0])  # the same once more
    assert RevealedLink.objects.count() == 1
    house.advance(table)
    after = rows()
    with pytest.raises(Refused) as closed:
        reveal(ana, seed.number, ana.chain[0])
    assert "takes no links now" in closed.value.words.text and rows() == after


def test_links_that_come_together_are_kept_together_and_ones_refusal_is_no_others(db: None) -> None:
    house, table, (ana, rui, eva), seed = opened("baccarat", "ana", "rui", "eva")
    offer(eva, eva.chain[5])  # since the list was published

    def reveal_of(one: Device, at: int, number: int = seed.number) -> links.Reveal:
        return links.Reveal(one.player.pk, number, one.chain[at])

    with undone(), CaptureQueriesContext(connection) as for_one:
        assert links.reveal_many(table.pk, [reveal_of(ana, 1)]) == [None]
    came = [
        reveal_of(ana, 1),
        reveal_of(rui, 2),
        reveal_of(eva, 1),
        reveal_of(ana, 1),
        reveal_of(rui, 1, seed.number + 1),
    ]
    with CaptureQueriesContext(connection) as for_all:
        answers = links.reveal_many(table.pk, came)
    assert len(for_all) == len(for_one), "however many there are"
    assert [answer and answer.words.text.split(" ", 1)[0] for answer in answers] == [None, "This", None, None, "Number"]
    revealed = dict(RevealedLink.objects.values_list("player", "link"))
    assert revealed == {ana.player.pk: ana.chain[1], eva.player.pk: eva.chain[1]}
    offered = dict(OfferedLink.objects.values_list("player", "link"))
    assert offered == {ana.player.pk: ana.chain[1], rui.player.pk: rui.chain[0], eva.player.pk: eva.chain[5]}
    assert not house.advance(table).acted, "one is awaited still"
    assert links.reveal_many(table.pk, [reveal_of(rui, 1)]) == [None]
    assert house.advance(table).acted


def test_the_audit_finds_links_that_were_changed(db: None) -> None:
    house, table, (ana,), seed = opened("stud_poker", "ana")
    ana.reveal(seed.number)
    for change in ({"link": "0" * 64}, {"player_id": house.player("rui").pk}):
        with undone(), pytest.raises(DatabaseError, match="written once"):
            RevealedLink.objects.update(**change)
    house.advance(table)
    with undone():
        without_guards()
        PackSeed.objects.filter(pk=seed.pk).update(revealed=[[ana.player.key, "0" * 64]])
        assert "its links do not fit" in "\n".join(audit(VAULT).faults)


def test_after_a_restore_nobody_is_bound_by_a_link_that_may_be_known(db: None) -> None:
    house, table, (ana,), seed = opened("stud_poker", "ana")
    drop_what_was_sealed(clock=house.clock)
    assert not OfferedLink.objects.exists() and open_list_of(table.pk) is None
    assert "takes no links now" in house.refused(lambda: ana.reveal(seed.number)).words.text
    house.until(table, "betting")
    assert RoundLog.objects.filter(shoe__seed=seed).count() == 0
