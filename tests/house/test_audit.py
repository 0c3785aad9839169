"""The audit finds whatever was tampered with; and without taking the guards away nobody can tamper with much."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection, transaction

from tables.base.chance import Vault
from tables.models import Account, LoggedAction, PackSeed, RoundLog, Shoe, Table, Transfer
from tables.proof import audit as audits
from tables.proof import sealed
from tables.proof.audit import audit
from tables.queries.folds import fold_cache, folded
from tables.services.dealing.shoes import label_of

from .kit import VAULT, House, without_guards

AT = datetime(2066, 11, 21, 23, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def evening(lasting_db: None) -> House:
    """A house with two rounds behind it and one under way, in order."""
    house = House()
    ana = house.player("ana")
    table = house.table(tie_policy="no_move")
    for hands in ("4s Kc 5d 7h", "Ts 4c 6d 2h", "2s 3c Jd 5h"):  # 9 to 7; a tie at 6; 2 to a natural 8
        house.stack(hands)
        house.until(table, "betting")
        house.bet(ana, table, "player", 100)
        house.bet(ana, table, "banker", 20)
        if hands[0] != "2":
            house.play_out(table)
    house.until(table, "result")
    house.in_order()
    return house


@pytest.fixture
def played(evening: House, db: None) -> House:
    """That house. What is done to it is undone afterwards."""
    return evening


def faults() -> str:
    """All that the audit says, with the dealers' key."""
    return "\n".join(audit(VAULT).faults)


@pytest.fixture
def unguarded(played: House) -> House:
    """The same house, after somebody took the guards away."""
    without_guards()
    return played


def invent(debit: Account, credit: Account, amount: int, **facts: Any) -> None:
    """A transfer, with the balances changed accordingly, that no service made."""
    given: dict[str, Any] = {"key": "gift", "reason": "gift", "by": "nobody", "at": AT} | facts
    Transfer.objects.create(debit=debit, credit=credit, amount=amount, **given)
    for account, change in ((debit, -amount), (credit, amount)):
        account.refresh_from_db()
        account.balance += change
        account.save()


def of(kind: str) -> Account:
    return Account.objects.get(kind=kind)


# ── Money ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_it_finds_a_changed_balance(played: House) -> None:
    Account.objects.filter(kind="player").update(balance=7)
    assert "holds 7, its transfers sum to" in faults()
    assert "all balances of FLOOR sum to" in faults()


def test_it_finds_a_transfer_of_a_round_that_no_line_orders(played: House) -> None:
    first = RoundLog.objects.earliest("number")
    invent(of("float"), of("player"), 100, key=f"settle:{first.pk}:x:prize", reason="prize", log=first)
    assert f"round {first.pk}: settle:{first.pk}:x:prize moved" in faults()
    assert f"round {first.pk} owes" in faults()


def test_it_finds_a_transfer_of_no_round_that_nothing_in_the_house_makes(played: House) -> None:
    invent(of("house"), of("player"), 100)
    assert faults() == "gift of 100 from house to player: 1 such transfers, which no deed makes"


def test_it_finds_a_second_welcome(played: House) -> None:
    invent(of("mint"), of("player"), 100, key="welcome:again", reason="welcome")
    assert "was welcomed 2 times" in faults()


def test_it_finds_chips_taken_off_the_layout(played: House) -> None:
    invent(of("escrow"), of("player"), 100, reason="welcome")
    assert "table Jade: 24000 on the layout, 23900 in escrow" in faults()


def test_it_finds_a_changed_amount(unguarded: House) -> None:
    prize = Transfer.objects.get(reason="prize")
    Transfer.objects.filter(pk=prize.pk).update(amount=1)
    assert "instead of" in faults()


def test_it_finds_a_payment_that_is_gone(unguarded: House) -> None:
    Transfer.objects.filter(reason="prize").delete()
    assert "was never paid" in faults()


# ── Logs ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_it_finds_a_line_that_is_gone(unguarded: House) -> None:
    LoggedAction.objects.filter(log__number=1, action__do="bet").earliest("seq").delete()
    assert "its head says" in faults()


def test_it_finds_a_line_that_nobody_wrote(played: House) -> None:
    log = RoundLog.objects.get(number=1)
    LoggedAction.objects.create(log=log, seq=log.version + 1, at=AT, by="house", action={"do": "settle", "by": "house"})
    assert "its head says" in faults()


@pytest.mark.parametrize("card", ["4h", "Kh", "2h"])
def test_it_finds_a_swapped_card_whatever_comes_of_it(unguarded: House, card: str) -> None:
    """The same points; other points that end the coup as well; points with which a third card was due."""
    line = LoggedAction.objects.filter(log__number=1, action__do="card").earliest("seq")
    assert line.action["card"] == "4s"
    LoggedAction.objects.filter(pk=line.pk).update(action=line.action | {"card": card})
    assert f"shoe {line.log.shoe_id}: the cards in the logs are not in its order" in faults()


def test_it_finds_a_line_that_cannot_be_read(unguarded: House) -> None:
    line = LoggedAction.objects.filter(log__number=1).earliest("seq")
    LoggedAction.objects.filter(pk=line.pk).update(action={"do": "conjure"})
    assert f"round {line.log_id}: line 1 cannot stand" in faults()


@pytest.mark.parametrize("change", [{"phase": "betting"}, {"settled_at": None}])
def test_it_finds_a_head_that_says_something_else(played: House, change: dict[str, Any]) -> None:
    RoundLog.objects.filter(number=1).update(**change)
    assert "its head says" in faults()


def test_it_finds_a_forgotten_carried_stake(unguarded: House) -> None:
    log = RoundLog.objects.get(number=3)
    assert len(log.opening["carried"]) == 2
    log.opening["carried"].pop()
    log.save()
    assert "carried, the one before left" in faults()


def test_what_a_process_remembers_does_not_hide_what_the_database_says(unguarded: House) -> None:
    """Folds are remembered by the dealer's process, but the proof is made from the first line."""
    table = Table.objects.get()
    log = unguarded.log(table)
    fold_cache.keep(log.pk, folded(log))
    assert sum(unguarded.round(table).in_escrow().values()) == 24_000
    line = LoggedAction.objects.get(log=log, action__do="bet", action__spot="player")
    LoggedAction.objects.filter(pk=line.pk).update(action=line.action | {"amount": 5_000})
    assert "table Jade: 19000 on the layout, 24000 in escrow" in faults()


# ── Shoes ───────────────────────────────────────────────────────────────────────────────────────────────────


def opened(change: Callable[[dict[str, Any]], None]) -> None:
    shoe = Shoe.objects.filter(retired_at__isnull=False).earliest("number")
    assert shoe.opened is not None
    change(shoe.opened)
    shoe.save()


def test_it_finds_an_opening_that_was_not_committed_to(played: House) -> None:
    opened(lambda opening: opening.update(seed="5eed" * 16))
    assert "the seed on its page is not the one that was committed to" in faults()


@pytest.mark.parametrize("seed", ["XX", "", 7, None])
def test_it_finds_an_opening_that_is_no_seed(played: House, seed: object) -> None:
    opened(lambda opening: opening.update(seed=seed))
    assert "cannot be read" in faults()


def test_it_finds_a_seed_that_was_committed_to_and_from_which_no_pack_was_dealt(played: House) -> None:
    """A dealer, or somebody at the database, has thrown it away: perhaps its cards did not please them."""
    table, number = Table.objects.get(), PackSeed.objects.latest("number").number
    given = {"committed_at": played.clock.at, "offered": []}
    for at in (1, 2):
        PackSeed.objects.create(table=table, number=number + at, commitment=f"{at}" * 64, sealed=bytes([at]), **given)
    (fault,) = audit().faults
    assert fault == f"table {table.pk}: the seed of pack {number + 1} was committed to, and no pack was dealt from it"


def test_it_finds_a_card_that_is_not_the_one_committed_to_without_any_key(unguarded: House) -> None:
    """It stands in the log as another, with the salt of the first."""
    line = LoggedAction.objects.filter(action__do="card").latest("pk")
    LoggedAction.objects.filter(pk=line.pk).update(action=line.action | {"card": "Ah"})
    fold_cache.clear()
    shoe = Shoe.objects.latest("number")
    place = shoe.dealt  # a machine's pack is not cut
    assert f"shoe {shoe.pk}: the card at place {place} is not the one that was committed to" in audit().faults


def test_it_finds_leaves_and_links_that_are_not_those_of_a_pack(unguarded: House) -> None:
    shoe = Shoe.objects.select_related("seed").latest("number")
    assert shoe.seed is not None and shoe.seed.leaves is not None
    changes: tuple[tuple[dict[str, Any], str], ...] = (
        ({"leaves": shoe.seed.leaves[::-1]}, "its leaves are not the ones that were committed to"),
        ({"revealed": [["p1", "0" * 64]]}, "its links do not fit: p1 has offered no link"),
        ({"revealed": None}, "is mixed without a shoe, or the shoe is there without mixing"),
    )
    for change, fault in changes:
        kept = {name: getattr(shoe.seed, name) for name in change}
        PackSeed.objects.filter(pk=shoe.seed_id or 0).update(**change)
        assert fault in faults()
        PackSeed.objects.filter(pk=shoe.seed_id or 0).update(**kept)


@pytest.mark.parametrize("change", [{"cut": 3}, {"dealt": 1}])
def test_it_finds_a_shoe_that_was_turned_or_counted_wrong(unguarded: House, change: dict[str, Any]) -> None:
    Shoe.objects.filter(number=1).update(**change)
    assert f"shoe {Shoe.objects.get(number=1).pk}: " in faults()


def test_it_finds_a_shoe_in_use_that_was_sealed_again(unguarded: House) -> None:
    shoe = Shoe.objects.latest("number")
    other = VAULT.seal_seed(label_of(shoe), "5eed" * 16)
    PackSeed.objects.filter(pk=shoe.seed_id or 0).update(sealed=other)
    assert "the seed of the shoe is not the one that was published" in faults()
    assert audit().clean  # who has no key cannot know


def test_it_says_so_where_the_key_does_not_open_a_shoe_in_use(played: House) -> None:
    found, shoe = audit(Vault("another key")).faults, Shoe.objects.latest("number")
    assert f"shoe {shoe.pk} cannot be read: this pack was sealed with another key" in found
    assert all("sealed with another key" in fault for fault in found)


# ── The command ─────────────────────────────────────────────────────────────────────────────────────────────


def test_the_command_ends_well_only_where_all_is_in_order(played: House) -> None:
    said, complained = StringIO(), StringIO()
    call_command("audit", stdout=said, stderr=complained)
    assert "3 rounds, 3 shoes, 0 throws, 0 days, 0 anchors: in order" in said.getvalue() and not complained.getvalue()
    Account.objects.filter(kind="player").update(balance=7)
    with pytest.raises(SystemExit) as end:
        call_command("audit", stdout=said, stderr=complained)
    assert end.value.code == 1
    assert "holds 7" in complained.getvalue()


# ── The guards ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("model", [Transfer, LoggedAction])
def test_nobody_changes_or_deletes_a_line(played: House, model: Any) -> None:
    before = list(model.objects.order_by("pk").values_list())
    name = model._meta.db_table
    for statement in (f"UPDATE {name} SET at = at", f"UPDATE {name} SET id = -id", f"DELETE FROM {name}"):  # noqa: S608
        with pytest.raises(DatabaseError, match="insert-only"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    one = model.objects.latest("pk")
    one.by = "somebody else"
    for deed in (one.save, one.delete):
        with pytest.raises(DatabaseError, match="insert-only"), transaction.atomic():
            deed()
    assert list(model.objects.order_by("pk").values_list()) == before


@pytest.mark.parametrize(
    "facts", [{"amount": 0}, {"amount": -1}, {"key": "welcome"}, {"credit": "the same"}], ids=json.dumps
)
def test_the_database_refuses_transfers_that_cannot_be(played: House, facts: dict[str, Any]) -> None:
    given: dict[str, Any] = {"key": "gift", "amount": 1, "credit": of("player")} | facts
    if "key" in facts:
        given["key"] = Transfer.objects.get(reason="welcome").key
    if "credit" in facts:
        given["credit"] = of("house")
    with pytest.raises(IntegrityError), transaction.atomic():
        Transfer.objects.create(debit=of("house"), reason="gift", by="nobody", at=AT, **given)


@pytest.mark.parametrize("kind", ["player", "escrow"])
def test_the_database_refuses_debts_of_players_and_layouts(played: House, kind: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Account.objects.filter(kind=kind).update(balance=-1)


# ── A house that deals meanwhile ────────────────────────────────────────────────────────────────────────────


def test_a_house_that_deals_while_it_is_audited_is_in_order(hall: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between any two of its parts somebody stakes, plays a round out, and opens the next."""
    table, ana = hall.table(), hall.player("ana")
    hall.until(table, "betting")
    hall.bet(ana, table, "player", 100)
    deeds = iter(range(100))

    def plays() -> None:
        if next(deeds) % 3 == 2:
            hall.play_out(table)
            hall.step(table)
            hall.until(table, "betting")
        hall.bet(ana, table, "player", 100)

    parts = ("_of_no_round", "_rounds", "_escrows", "_jackpots", "_leases", "_days")
    for place, name in (*((audits, part) for part in parts), (sealed, "faults")):
        monkeypatch.setattr(place, name, after(plays, getattr(place, name)))
    report = audit(VAULT)
    assert report.faults == [] and next(deeds) == 7, "it was played all the time"
    assert audit(VAULT).transfers > report.transfers


def after(deed: Callable[[], None], part: Callable[..., Any]) -> Callable[..., Any]:
    """A part of the audit that begins when somebody, in a connection of their own, has done something."""

    def begins(*given: Any) -> list[str]:
        said: list[BaseException] = []

        def does() -> None:
            try:
                deed()
            except BaseException as error:
                said.append(error)
            finally:
                connection.close()

        somebody = threading.Thread(target=does)
        somebody.start()
        somebody.join()
        assert not said, said
        return list(part(*given))

    return begins
