"""Throws: drawn and sealed before anybody bets on them, opened when betting has closed, and proved by anybody."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import Any

import pytest
from django.test import Client

from tables.base import proof_format
from tables.base.chance import KEYED, Kind, SystemRandomness, Vault, made_throw, seed_commitment
from tables.felt.public import public_fragments
from tables.models import LoggedAction, Player, RoundLog, SealedThrow, Table
from tables.proof.audit import audit
from tables.queries.folds import fold_cache
from tables.queries.table import table_state
from tables.services.dealing.advance import advance
from tables.services.dealing.leases import DealerCredentials
from tables.services.dealing.throws import label_of_throw, opened_throw
from tables.services.pit import rulings
from tables.services.rounds import seating
from tests.extent import EVERYTHING
from tests.kit import article, view_for

from . import deeds
from .kit import BALL, DICE, VAULT, House, everything, label, null_throw, throw_before, void_round, without_guards
from .test_crashes import Crashing

OTHER_KEY = Vault("another key")
THROW = label(Kind.THROW)
SEEDED = label(Kind.THROW, scheme=KEYED)


def sealed_in(log: RoundLog) -> list[SealedThrow]:
    return list(SealedThrow.objects.filter(log=log).order_by("number"))


def lines(log: RoundLog, do: str) -> list[dict[str, Any]]:
    return list(LoggedAction.objects.filter(log=log, action__do=do).order_by("seq").values_list("action", flat=True))


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def staked(house: House, game: str, spot: str, **options: Any) -> tuple[Table, Player]:
    """A table in its betting, with a hundred credits of Ana's on this spot."""
    ana, table = house.player("ana"), house.table(game=game, **options)
    house.until(table, "betting")
    house.bet(ana, table, spot, 100)
    return table, ana


# ── Chance and seals ────────────────────────────────────────────────────────────────────────────────────────


def test_a_throw_follows_from_its_seed_and_its_links() -> None:
    seed, links = sha256("a seed"), [("p7", sha256("one")), ("p9", sha256("two"))]
    made = made_throw(THROW, DICE, seed, links)
    key = proof_format.key(seed, [link for _, link in links])
    assert made.values == proof_format.throw_of(key, DICE) and made.salt == proof_format.salt(key)
    assert made.commitment == sha256(f"throw:1:1:{made.salt}:{' '.join(map(str, made.values))}")
    assert seed_commitment(THROW, seed) == sha256(f"seed:1:1:{seed}")
    others = [made_throw(THROW, DICE, seed, links[:1]), made_throw(THROW, DICE, sha256("another"), links)]
    assert made.salt not in {other.salt for other in others}


def test_no_seed_is_drawn_twice_and_each_number_may_come() -> None:
    seeds = [SystemRandomness().seed() for _ in range(2_000)]
    assert len(set(seeds)) == 2_000 and all(proof_format.HASH.fullmatch(seed) for seed in seeds)
    assert {made_throw(THROW, BALL, seed, ()).values[0] for seed in seeds} == set(range(37))
    assert {value for seed in seeds[:200] for value in made_throw(THROW, DICE, seed, ()).values} == set(range(1, 7))


def test_no_seal_tells_anything_of_what_is_thrown_not_even_by_its_length() -> None:
    seeds = [SystemRandomness().seed() for _ in range(20)]
    assert len({len(VAULT.seal_seed(SEEDED, seed)) for seed in seeds}) == 1
    assert VAULT.seal_seed(SEEDED, seeds[0]) != VAULT.seal_seed(SEEDED, seeds[0])


def test_another_key_opens_no_throw_and_neither_does_a_broken_seal() -> None:
    seed = SystemRandomness().seed()
    sealed = VAULT.seal_seed(SEEDED, seed)
    with pytest.raises(ValueError, match="another key"):
        OTHER_KEY.open_seed(SEEDED, sealed)
    with pytest.raises(ValueError, match="another key"):
        VAULT.open_seed(SEEDED, sealed[:-1] + bytes([sealed[-1] ^ 1]))
    with pytest.raises(ValueError, match="sealed as pack:1:1 "):
        VAULT.open_seed(SEEDED, VAULT.seal_seed(label(scheme=KEYED), seed))
    before = throw_before(THROW, (17,))
    assert VAULT.open_throw(THROW, before.sealed).commitment == before.commitment, "one of an earlier scheme"


# ── The dealer ──────────────────────────────────────────────────────────────────────────────────────────────


@article("60/2004", "sealed")
@article("57/2004", "sealed")
@pytest.mark.parametrize(
    ("game", "numbers", "least", "spot", "balance"),
    [("roulette", (17,), 0, "straight_17", 3_500_00), ("cussec", (3, 3, 5), 1, "double_3", 800_00)],
)
def test_what_is_sealed_before_betting_decides_the_round(
    house: House, game: str, numbers: tuple[int, ...], least: int, spot: str, balance: int
) -> None:
    house.throw(*numbers, least=least)
    table, ana = staked(house, game, spot)
    before = house.balance(ana)
    (sealed,) = sealed_in(house.log(table))
    assert [line["commitment"] for line in lines(house.log(table), "seal")] == [sealed.commitment]
    assert sealed.opened is None and not lines(house.log(table), "unseal")
    log = house.play_out(table)
    (opened,) = lines(log, "unseal")
    assert opened["values"] == list(numbers)
    assert sha256(f"throw:{table.pk}:1:{opened['salt']}:{' '.join(map(str, numbers))}") == sealed.commitment
    published = sealed_in(log)[0].opened
    assert published is not None
    assert published == {"salt": opened["salt"], "values": list(numbers), "seed": published["seed"]}
    assert sha256(f"seed:{table.pk}:1:{published['seed']}") == sealed.seed_commitment
    assert [line["seed_commitment"] for line in lines(log, "seal")] == [sealed.seed_commitment]
    assert house.balance(ana) == before + 100_00 + balance


@article("57/2004", "C-A9")
def test_the_dice_may_be_shaken_after_the_bell_and_are_sealed_then(house: House) -> None:
    house.throw(6, 6, 5, least=1)
    table, _ana = staked(house, "cussec", "big", shake_timing="after_betting")
    assert not sealed_in(house.log(table))
    log = house.play_out(table)
    assert log.result == {"dice": [5, 6, 6], "total": 17, "triple": False}
    assert [
        line["do"] for line in LoggedAction.objects.filter(log=log).order_by("seq").values_list("action", flat=True)
    ][-4:] == ["close", "seal", "unseal", "settle"]


def test_until_it_is_opened_a_throw_is_nowhere_but_in_the_vault(house: House) -> None:
    """Two houses with other numbers and the same deeds differ in nothing but commitment and sealed text."""
    shown = []
    for number in (0, 32):
        house.throw(number)
        slug = f"table-{number}"
        table = house.table(slug, game="roulette")
        house.until(table, "betting")
        rows = everything()
        sealed = rows.pop("SealedThrow")[-1]
        assert sealed[-1] is None
        round_ = house.round(table)
        text = repr(
            (rows["LoggedAction"][-1][-2], round_, view_for(round_, None), view_for(round_, "p1"), round_.offers("p1"))
        )
        of_throw = house.log(table).throws.get()
        for commitment in (of_throw.commitment, of_throw.seed_commitment or ""):
            text = text.replace(commitment, "…")
        shown.append(text)
    assert shown[0] == shown[1]


# ── Null throws, and what the pit cancels ───────────────────────────────────────────────────────────────────


@article("60/2004", "2", "R-A14")
def test_a_null_spin_draws_another_number_and_the_first_is_opened_at_the_end_as_not_counted(house: House) -> None:
    house.throw(17, 4)
    table, ana = staked(house, "roulette", "straight_17")
    house.until(table, "spinning")
    null_throw(house.log(table).pk, "object", clock=house.clock)
    house.until(table, "spinning")
    first, second = sealed_in(house.log(table))
    assert first.commitment != second.commitment
    assert first.opened is None and second.opened is None, "what did not count is opened at the end"
    log = house.play_out(table)
    assert log.result == {"number": 4}
    assert [one.opened and one.opened["values"] for one in sealed_in(log)] == [[17], [4]]
    assert house.balance(ana) == 10_000_00 - 100_00


@article("60/2004", "R-A15")
def test_a_number_that_is_known_stands_whatever_fails_or_is_wrongly_announced(house: House) -> None:
    """What is ruled is told at the table as a ruling of the house, not as law."""
    house.throw(17)
    table, ana = staked(house, "roulette", "straight_17")
    house.until(table, "result")
    log, boss = house.log(table).pk, Player.objects.create(username="boss", name="Boss", role="pit_boss")
    for name in ("announced", "failure_late"):
        rulings.rule(boss, log, name, why="seen by me", ref=name, clock=house.clock)
    told = public_fragments(table_state(table.pk, clock=house.clock))["rulings"]
    assert told.count("ruling R-A15") == 2 and "art. " not in told
    assert house.play_out(table).result == {"number": 17}
    assert house.balance(ana) == 10_000_00 + 35 * 100_00


@article("57/2004", "CS-7", "C-A10")
def test_a_cocked_die_makes_the_round_void_and_its_dice_are_opened_as_not_counted(house: House) -> None:
    house.throw(1, 1, 1, least=1)
    table, ana = staked(house, "cussec", "any_triple")
    house.until(table, "no_more_bets")
    null_throw(house.log(table).pk, "cocked", clock=house.clock)
    log = house.play_out(table)
    assert log.void and house.balance(ana) == 10_000_00
    assert [one.opened and one.opened["values"] for one in sealed_in(log)] == [[1, 1, 1]]


def test_what_the_pit_cancels_is_opened_when_the_next_round_begins(house: House) -> None:
    house.throw(9, 8)
    table, _ana = staked(house, "roulette", "red")
    log = house.log(table)
    void_round(log.pk, "the wheel is broken", clock=house.clock)
    assert sealed_in(log)[0].opened is None
    house.step(table)
    assert house.log(table).number == 2
    assert (sealed_in(log)[0].opened or {})["values"] == [9]


def test_the_pit_is_refused_a_null_throw_where_there_is_none(house: House) -> None:
    boss = Player.objects.create(username="boss", name="Boss", role="pit_boss")
    table, _ana = staked(house, "roulette", "red")
    cards = house.table("lotus")

    def refused(at: Table) -> str:
        ruling = partial(rulings.rule, boss, house.log(at).pk, "object", why="so", ref="one", clock=house.clock)
        return str(house.refused(ruling).words)

    house.until(table, "result")
    assert "cannot" in refused(table)
    house.play_out(table)
    assert "over" in refused(table)
    house.until(cards, "betting")
    assert "no such" in refused(cards)


# ── What goes wrong ─────────────────────────────────────────────────────────────────────────────────────────


def test_another_dealer_goes_on_with_the_same_hidden_number(house: House) -> None:
    house.throw(17, 4)
    table, _ana = staked(house, "roulette", "straight_17")
    (sealed,) = sealed_in(house.log(table))
    house.take_over(table, "heir")
    fold_cache.clear()
    log = house.play_out(table)
    assert log.result == {"number": 17}
    assert [one.commitment for one in sealed_in(log)] == [sealed.commitment]


def with_vault(house: House, table: Table, vault: Vault) -> None:
    own = house.credentials(table)
    house._credentials[table.pk] = DealerCredentials(own.owner, own.epoch, own.chance, vault)


def test_dice_whose_key_is_lost_make_the_round_void(db: None) -> None:
    house = House()
    table, ana = staked(house, "cussec", "big")
    with_vault(house, table, OTHER_KEY)
    log = house.play_out(table)
    assert log.void and house.balance(ana) == 10_000_00
    assert lines(log, "void")[0]["reason"] == "lost_throw"
    assert sealed_in(log)[0].opened is None
    house.step(table)
    house.until(table, "betting")
    house.play_out(table)
    assert not house.log(table).void, "the house goes on with the key that it has"
    faults = audit(OTHER_KEY).faults
    assert f"round {log.pk}: throw 1 was never opened" in faults
    assert f"round {log.pk}: throw 1 cannot be read: this throw was sealed with another key" in faults


def test_a_number_whose_key_is_lost_is_a_null_spin(db: None) -> None:
    """Power or connection failure before the result (rulebook, section 7)."""
    house = House()
    house.throw(17, 4)
    table, ana = staked(house, "roulette", "straight_4")
    with_vault(house, table, OTHER_KEY)
    log = house.play_out(table)
    assert [line["reason"] for line in lines(log, "null")] == ["failure"]
    assert log.result == {"number": 4} and house.balance(ana) == 10_000_00 + 3_500_00


def test_a_throw_that_was_exchanged_decides_nothing(db: None) -> None:
    house = House()
    house.throw(1, 1, 1, least=1)
    table, ana = staked(house, "cussec", "triple_6")
    (honest,) = sealed_in(house.log(table))
    exchanged = throw_before(label_of_throw(honest), (6, 6, 6))
    without_guards()
    honest.commitment, honest.sealed = exchanged.commitment, exchanged.sealed
    honest.save()
    log = house.play_out(table)
    assert log.void and house.balance(ana) == 10_000_00
    assert "its throws are sealed as" in "\n".join(audit(VAULT).faults)


def test_dealers_die_over_the_seal_and_over_the_opening_and_the_number_stays(hall: House) -> None:
    hall.throw(17, 4, 5, 6)
    ana, table = hall.player("ana"), hall.table(game="roulette")
    seating.sit(ana.pk, table.pk, 1, clock=hall.clock)
    rough = Crashing(hall, table)
    hall.step(table)
    assert hall.round(table).phase == "seal"
    rough.dealer()
    hall.until(table, "betting")
    (sealed,) = sealed_in(hall.log(table))
    hall.bet(ana, table, "straight_0", 10)
    number = opened_throw(sealed, VAULT).values
    hall.until(table, "no_more_bets")
    rough.dealer()
    assert [line["values"] for line in lines(hall.log(table), "unseal")] == [list(number)]
    assert sealed_in(hall.log(table))[0].opened is not None
    hall.play_out(table)
    assert rough.deaths > (18 if EVERYTHING else 5)


# ── The clock ───────────────────────────────────────────────────────────────────────────────────────────────


def left(house: House, table: Table) -> float | None:
    due = house.log(table).due_at
    return None if due is None else (due - house.clock.at).total_seconds()


def test_the_options_say_how_long_betting_is_open_and_the_table_the_rest(house: House) -> None:
    times = {"betting": 3_000, "beat": 500, "result": 4_000}
    house.throw(17)
    table = house.table(game="roulette", times=times, betting_seconds=25, late_seconds=6)
    ana = house.player("ana")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    waits: list[tuple[str, float | None]] = []
    while not waits or waits[-1][0] != "settled":
        house.step(table)
        if house.log(table).phase == "betting" and not house.round(table).in_escrow():
            house.bet(ana, table, "red", 10)
        waits.append((str(house.log(table).phase), left(house, table)))
    assert waits == [
        ("seal", 0.5), ("betting", 25), ("spinning", 6), ("no_more_bets", 0.5), ("result", 0.5), ("settled", 4),
    ]  # fmt: skip


def test_the_time_of_an_option_survives_a_restart_and_shrinks_while_everybody_is_ready(house: House) -> None:
    house.throw(17)
    table = house.table(game="roulette", times={"hurry": 1_000}, betting_seconds=25)
    ana = house.player("ana")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    house.clock.pass_(seconds=5)
    fold_cache.clear()
    house.take_over(table, "heir")
    house.bet(ana, table, "red", 10)
    assert left(house, table) == 20, "a bet does not prolong betting"
    advance(table.pk, house.credentials(table), clock=house.clock)
    assert left(house, table) == 20
    deeds.ready(ana.pk, house.log(table).pk, house.ref(), clock=house.clock)
    assert left(house, table) == 1
    house.bet(ana, table, "red", 10)
    assert left(house, table) == 20, "who bets again is not ready any more: the whole time stands again"


# ── The audit ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def played(db: None) -> House:
    """A house with a null spin and a round of dice behind it, and a number sealed; without guards."""
    house = House()
    house.throw(17, 4)
    table, ana = staked(house, "roulette", "red")
    house.until(table, "spinning")
    null_throw(house.log(table).pk, "object", clock=house.clock)
    house.play_out(table)
    house.step(table)
    house.until(table, "betting")
    house.throw(2, 3, 4, least=1)
    dice = house.table("dice", game="cussec")
    house.until(dice, "betting")
    house.bet(ana, dice, "small", 10)
    house.play_out(dice)
    report = audit(VAULT)
    assert report.clean and report.throws == 4
    without_guards()
    return house


def faults(vault: Vault | None = None) -> str:
    return "\n".join(audit(vault).faults)


def test_the_audit_needs_no_key_to_find_another_number_in_a_log(played: House) -> None:
    line = LoggedAction.objects.filter(log__game="roulette").get(action__do="unseal")
    LoggedAction.objects.filter(pk=line.pk).update(action=line.action | {"values": [2]})
    assert f"round {line.log_id}: throw 2: what the log has of it is not what was committed to" in faults()
    assert f"round {line.log_id}: throw 2 is in the log as (2,), and was published as (4,)" in faults()


def test_the_audit_finds_a_commitment_that_was_exchanged_with_what_it_opens(played: House) -> None:
    """Numbers, salt and commitment are changed together wherever they stand: only the log's first line is left."""
    found = SealedThrow.objects.get(log__game="cussec")
    other = throw_before(label_of_throw(found), (6, 6, 6))
    opened = VAULT.open_throw(label_of_throw(found), other.sealed)
    found.commitment, found.sealed = other.commitment, other.sealed
    found.opened = {"salt": opened.salt, "values": [6, 6, 6]}
    found.save()
    line = LoggedAction.objects.get(log=found.log, action__do="unseal")
    LoggedAction.objects.filter(pk=line.pk).update(action=line.action | found.opened)
    assert f"round {found.log_id}: its throws are sealed as {[other.commitment]}" in faults()


def test_the_audit_finds_a_null_spin_that_is_told_otherwise_and_one_that_stays_closed(played: House) -> None:
    first = SealedThrow.objects.get(log__game="roulette", number=1, opened__isnull=False)
    kept = first.opened
    SealedThrow.objects.filter(pk=first.pk).update(opened=(kept or {}) | {"values": [5]})
    assert f"round {first.log_id}: throw 1: what the page has of it is not what was committed to" in faults()
    SealedThrow.objects.filter(pk=first.pk).update(opened=None)
    assert f"round {first.log_id}: throw 1 was never opened" in faults()


def test_the_audit_finds_a_throw_that_is_gone_or_too_many(played: House) -> None:
    SealedThrow.objects.filter(log__game="roulette", number=2).delete()
    assert "its throws are sealed as" in faults()


def test_the_audit_finds_with_the_key_a_number_that_the_house_has_chosen(played: House) -> None:
    """It commits to a number that does not follow from its seed."""
    log = RoundLog.objects.filter(game="roulette").latest("number")
    chosen = sha256(f"throw:{log.table_id}:{sealed_in(log)[0].serial}:{'0' * 32}:36")
    line = LoggedAction.objects.get(log=log, action__do="seal")
    LoggedAction.objects.filter(pk=line.pk).update(action=line.action | {"commitment": chosen})
    SealedThrow.objects.filter(log=log).update(commitment=chosen)
    assert faults() == ""
    assert faults(VAULT) == f"round {log.pk}: throw 1: what the vault has of it is not what was committed to"


def test_the_audit_needs_no_key_to_find_numbers_that_do_not_follow_from_their_seed(played: House) -> None:
    found = SealedThrow.objects.get(log__game="cussec")
    kept = found.opened or {}
    SealedThrow.objects.filter(pk=found.pk).update(opened=kept | {"seed": sha256("another")})
    name = f"round {found.log_id}: throw 1"
    assert f"{name}: the seed in the page is not the one that was committed to" in faults()
    other = made_throw(label_of_throw(found), DICE, sha256("another"), ())
    assert f"{name}: seed and links give {other.values}, and (2, 3, 4) was published" in faults()
    SealedThrow.objects.filter(pk=found.pk).update(opened=kept, revealed=[["p7", sha256("link")]])
    assert f"{name}: its links do not fit: p7 has offered no link" in faults()
    SealedThrow.objects.filter(pk=found.pk).update(revealed=[], seed_commitment=sha256("another"))
    assert f"round {found.log_id}: throw 1 has another seed than its log says" in faults()


# ── The page ────────────────────────────────────────────────────────────────────────────────────────────────


def page(path: str) -> str:
    answer = Client().get(path)
    assert answer.status_code == 200, answer.status_code
    return str(answer.content.decode())


def test_the_page_shows_the_commitment_while_people_bet_and_the_opening_afterwards(house: House) -> None:
    house.throw(17, 4)
    table, _ana = staked(house, "roulette", "straight_17")
    log = house.log(table)
    path = f"/rounds/{log.pk}/throws/"
    (first,) = sealed_in(log)
    assert table_state(table.pk, clock=house.clock).commitment == first.commitment
    during = page(path)
    assert first.commitment in during and "Salt" not in during and "still sealed" in during
    assert Client().get(f"{path}1.txt").status_code == 404
    house.until(table, "spinning")
    null_throw(log.pk, "object", clock=house.clock)
    house.until(table, "spinning")
    second = sealed_in(log)[1]
    assert table_state(table.pk, clock=house.clock).commitment == second.commitment
    house.until(table, "result")
    assert Client().get(f"{path}1.txt").status_code == 404, "what did not count is opened at the end"
    assert sha256(page(f"{path}2.txt")) == second.commitment
    house.play_out(table)
    assert sha256(page(f"{path}1.txt")) == first.commitment
    after = page(path)
    assert after.count("Not true.") == 0 and after.count("True.") == 9 and after.count("did not count") == 1


def test_the_page_says_what_is_not_true(house: House) -> None:
    house.throw(17)
    table, _ana = staked(house, "roulette", "straight_17")
    log = house.play_out(table)
    found = SealedThrow.objects.get(log=log)
    kept = found.opened
    SealedThrow.objects.filter(pk=found.pk).update(opened=(kept or {}) | {"values": [18]})
    assert page(f"/rounds/{log.pk}/throws/").count("Not true.") == 3
    SealedThrow.objects.filter(pk=found.pk).update(opened=kept)


def test_a_round_of_cards_has_no_throws_to_show(house: House) -> None:
    table = house.table()
    house.until(table, "betting")
    assert Client().get(f"/rounds/{house.log(table).pk}/throws/").status_code == 404
