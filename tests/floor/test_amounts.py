"""Amounts, wherever somebody can say one: over a socket, in a form of a player or of the pit, in a setting.

One policy everywhere: a whole number of cents over a socket, plain digits in a form. What Python or Django would also
take for a number is none, and nothing that is refused moves a cent.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django import forms
from django.test import Client

from casino.settings import BASE_DIR
from tables.games import GAMES
from tables.games.codec import action_from
from tables.live.messages import Malformed, parse
from tables.models import Account, OwnLimit, Transfer
from tables.services.money import wallet
from tables.services.money.wallet import Posting, Reason
from tables.views.pit import number_fields, option_forms
from tests.house.kit import House, bare_rows

from .pit_kit import browser, browser_of, like, member

NO_JSON_AMOUNTS = (
    "-1", "-10000", "1e30", "9223372036854775808", "9223372036854775807", "1" + "0" * 30, "NaN", "Infinity",
    "-Infinity", "1e999", "-1e999", "1.0", "1E3", "0.5", "true", "false", "null",
    '"100"', '"１００"', '"1_000"', '" 7 "',
    '"٣"', "１００", "٣", "1_000", "0x10", "010", "+5", ".5", "5.", "[100]", '{"cents": 100}', "9" * 4000, "--1", "",
)  # fmt: skip
"""As they stand in the text of a message; 2⁵³ and more is what no browser can count exactly."""

WITH_AMOUNTS = (
    '{"do": "bet", "round": 1, "ref": "ref-12345678", "spot": "player", "amount": %s}',
    '{"do": "bets", "round": 1, "ref": "ref-12345678", "bets": [{"spot": "player", "amount": %s}]}',
)


@pytest.mark.parametrize("message", WITH_AMOUNTS)
def test_over_a_socket_an_amount_is_a_whole_number_of_cents(message: str) -> None:
    parse(message % "100")
    for amount in NO_JSON_AMOUNTS:
        with pytest.raises(Malformed):
            parse(message % amount)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_game_takes_a_word_or_a_truth_for_an_amount(game: str) -> None:
    """What the shape of a deed lets through (docs: `tables.live.messages.Decision`), its action refuses."""
    rules = GAMES[game]
    with_amount = [kind for kind in rules.deeds if "amount" in {field.name for field in dataclasses.fields(kind)}]
    for kind in with_amount:
        said = {"do": kind.do, "by": "p1", "bet": "1-1", "box": 1, "hand": 0, "spot": "red"}
        known = {field.name for field in dataclasses.fields(kind)} | {"do"}
        said = {name: value for name, value in said.items() if name in known}
        action_from(rules, said | {"amount": 100})
        for amount in (True, False, "100", "1_000", "all"):
            with pytest.raises(ValueError):
                action_from(rules, said | {"amount": amount})


NO_TYPED_AMOUNTS = (
    "-5", "0", "1" + "0" * 30, "9223372036854775808", "9223372036854775807", "NaN", "Infinity", "-Infinity", "1e999",
    "1E3", "1e2", "１００", "1_000", "٣", "0x10", "1,000", "½", "²", "true", "True", "--1", "5-", "1.005", "٫5", "5 5",
    "\u200b5", "ten",
)  # fmt: skip


def number_fields_of_ours() -> Iterator[tuple[type[forms.BaseForm], str, forms.Field]]:
    """Each field of a form of ours into which a number is typed."""

    def below(kind: type[forms.BaseForm]) -> Iterator[type[forms.BaseForm]]:
        for one in kind.__subclasses__():
            yield one
            yield from below(one)

    for kind in below(forms.BaseForm):
        if kind.__module__.startswith("tables."):
            for name, field in getattr(kind, "base_fields", {}).items():
                if isinstance(field, (forms.IntegerField, forms.FloatField, forms.DecimalField)):
                    yield kind, name, field


def test_every_form_reads_its_numbers_by_one_policy() -> None:
    """No form has a number field of Django's own, which would take `٣`, `1_000`, `5.0` or ` 7`."""
    found = list(number_fields_of_ours())
    assert len(found) > 8
    for kind, name, field in found:
        assert isinstance(field, (number_fields.WholeNumber, number_fields.Credits)), (kind, name)


@pytest.mark.parametrize("typed", NO_TYPED_AMOUNTS)
def test_what_is_no_amount_is_refused_by_every_field(typed: str) -> None:
    whole = number_fields.WholeNumber(min_value=1, max_value=10**6)
    for field in (whole, number_fields.Credits(max_digits=12, decimal_places=2, min_value=1)):
        with pytest.raises(forms.ValidationError):
            field.clean(typed)
    if typed != "0":
        with pytest.raises(forms.ValidationError):
            option_forms.AmountField().clean(typed)


@pytest.fixture(scope="module")
def managers(lasting_db: None) -> Client:
    member("shift_manager", "second")
    return browser("shift_manager")


@pytest.mark.django_db
@pytest.mark.parametrize("typed", NO_TYPED_AMOUNTS)
def test_no_form_that_moves_or_limits_money_takes_it(managers: Client, db: None, typed: str) -> None:
    house, manager = House(), like(managers)
    table, ana = house.table("jade"), house.player("ana")
    player = browser_of(ana)
    before = bare_rows(), list(OwnLimit.objects.values())
    asked = [
        (manager, f"/pit/people/{ana.pk}/comp/", {"comp-credits": typed, "comp-why": "x", "comp-ref": "a" * 32}),
        (manager, f"/pit/tables/{table.slug}/chips/", {"kind": "fill", "credits": typed}),
        (manager, f"/pit/tables/{table.slug}/chips/", {"kind": "credit", "credits": typed}),
        (player, "/safely/limit/", {"kind": "loss", "most": typed}),
        (player, "/safely/limit/", {"kind": "stake", "most": typed}),
    ]
    if typed != "-5":  # an adjustment may take from a player
        asked.append((manager, f"/pit/people/{ana.pk}/adjust/", {"adjust-credits": typed, "adjust-why": "x"}))
    if typed != "0":  # a limit of nothing a day is one; so is a threshold that is switched off
        limit = {"restrict-kind": "limit", "restrict-minutes": "60", "restrict-why": "x", "restrict-credits": typed}
        asked.append((manager, f"/pit/people/{ana.pk}/restrict/", limit))
        asked.append((manager, f"/pit/tables/{table.slug}/limits/", {"min_bet": typed, "max_bet": "900"}))
        asked.append((manager, f"/pit/tables/{table.slug}/limits/", {"min_bet": "10", "max_bet": typed}))
        asked.append((manager, f"/pit/tables/{table.slug}/alerts/", {"big_bet": typed, "big_win": ""}))
        asked.append((manager, f"/pit/tables/{table.slug}/alerts/", {"big_bet": "", "big_win": typed}))
    for who, path, fields in asked:
        assert who.post(path, fields).status_code < 500, path
        assert (bare_rows(), list(OwnLimit.objects.values())) == before, (path, fields)


# ── Settings (E6) ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("typed", ["-5", "٣", "1_000", "1e3", "1000.0", " ", "NaN", "9" * 20, "ten"])
@pytest.mark.parametrize("name", ["COMP_ALONE", "FLOAT_ALONE"])
def test_a_setting_of_an_amount_is_plain_digits_or_the_house_does_not_open(name: str, typed: str) -> None:
    command = [sys.executable, "-c", f"from casino import settings; print(settings.{name})"]
    environment = os.environ | {name: typed}
    said = subprocess.run(command, cwd=BASE_DIR, env=environment, capture_output=True, text=True, timeout=60)
    assert said.returncode != 0, said.stdout
    assert name in said.stderr.splitlines()[-1]


# ── At the edge (E7, E8, E10) ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("game", "spot", "numbers", "least", "odds"),
    [("roulette", "straight_7", (7,), 0, 35), ("cussec", "triple_6", (6, 6, 6), 1, 150)],
)
def test_the_largest_stake_of_all_at_the_best_odds_is_paid_to_the_cent(
    game: str, spot: str, numbers: tuple[int, ...], least: int, odds: int
) -> None:
    """10¹² credits, the most that a form of options takes: the float lacks it then, and no number overflows."""
    house = House()
    house.throw(*numbers, least=least)
    most = (10**option_forms.MOST_DIGITS - 1) * 100
    table, ana = house.table(game=game, max_bet=most), house.player("ana")
    accounts = wallet.lock([wallet.MINT, wallet.player(ana.pk)])
    given = Posting("test:most", wallet.MINT, wallet.player(ana.pk), most, Reason.ADJUSTMENT, "test")
    wallet.post(accounts, [given], at=house.clock.now())
    house.until(table, "betting")
    house.bet(ana, table, spot, most // 100)
    house.play_out(table)
    assert house.balance(ana) == 1_000_000 + most + odds * most
    assert Account.objects.get(kind="float", table=table).balance < 0
    assert sum(Account.objects.values_list("balance", flat=True)) == 0
    assert max(Transfer.objects.values_list("amount", flat=True)) < 2**63 // 100
    assert json.loads(json.dumps(odds * most)) == odds * most
