"""Money: accounts, and the one table of transfers that moves it. Only `tables.services.money.wallet` writes here."""

from __future__ import annotations

from enum import StrEnum

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Realm(models.IntegerChoices):
    """Whose money it is. Each realm has its house and its mint and sums to nothing by itself; no transfer leaves it."""

    FLOOR = 0, _("the floor")
    KIOSKS = 1, _("kiosks")


class Jackpot(models.Model):
    """A progressive jackpot: what the tables that are linked to it feed and pay from together lies in its account."""

    slug = models.SlugField(unique=True, max_length=40)
    name = models.CharField(max_length=60)
    realm = models.PositiveSmallIntegerField(choices=Realm.choices, default=Realm.FLOOR)

    class Meta:
        db_table = "tables_jackpot"

    def __str__(self) -> str:
        return self.name


class Account(models.Model):
    """Somewhere that credits lie. `balance` (cents) is the cached sum of its transfers."""

    class Kind(models.TextChoices):
        PLAYER = "player", "a player's wallet"
        ESCROW = "escrow", "stakes on the layout of a table"
        FLOAT = "float", "the chips of a table"
        HOUSE = "house", "the house"
        JACKPOT = "jackpot", "a progressive jackpot"
        MINT = "mint", "where credits come from"

    kind = models.CharField(max_length=10, choices=Kind.choices)
    player = models.OneToOneField("Player", on_delete=models.PROTECT, null=True, blank=True, related_name="account")
    table = models.ForeignKey("Table", on_delete=models.PROTECT, null=True, blank=True, related_name="accounts")
    jackpot = models.OneToOneField(Jackpot, on_delete=models.PROTECT, null=True, blank=True, related_name="account")
    realm = models.PositiveSmallIntegerField(
        choices=Realm.choices, default=Realm.FLOOR, help_text="That of its player, table or jackpot, for good."
    )
    balance = models.BigIntegerField(default=0)

    class Meta:
        db_table = "tables_account"
        constraints = (
            models.CheckConstraint(
                name="no_debts", condition=Q(balance__gte=0) | ~Q(kind__in=("player", "escrow", "jackpot"))
            ),
            models.CheckConstraint(
                name="accounts_have_their_owner",
                condition=Q(kind="player", player__isnull=False, table__isnull=True, jackpot__isnull=True)
                | Q(kind__in=("escrow", "float"), player__isnull=True, table__isnull=False, jackpot__isnull=True)
                | Q(kind="jackpot", player__isnull=True, table__isnull=True, jackpot__isnull=False)
                | Q(kind__in=("house", "mint"), player__isnull=True, table__isnull=True, jackpot__isnull=True),
            ),
            models.UniqueConstraint(
                fields=("kind", "table"), condition=Q(table__isnull=False), name="one_account_of_a_kind_at_a_table"
            ),
            models.UniqueConstraint(
                fields=("kind", "realm"), condition=Q(kind__in=("house", "mint")), name="one_house_one_mint_a_realm"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Transfer(models.Model):
    """`amount` cents from `debit` to `credit`, once. Insert-only: the database refuses to change or delete it."""

    class Reason(StrEnum):
        """Why chips move: the first group in a round, the second outside of any."""

        STAKE = "stake"
        MORE = "more"
        """Laid to a stake once betting has closed: a double, a split, insurance."""
        WITHDRAW = "withdraw"
        TRIM = "trim"
        """The house gives back a part of a stake that is too large."""
        GIVEN_BACK = "given-back"
        """A carried stake leaves escrow: none is left any more, or the table closes."""
        BACK = "back"
        PRIZE = "prize"
        LOST = "lost"
        COMMISSION = "commission"
        POOL = "pool"
        """A stake goes into the jackpot."""
        JACKPOT = "jackpot"
        """A prize comes out of it."""
        RESET = "reset"
        """The house restarts a jackpot in which nothing is left."""
        REFUND = "refund"
        """A bettor left the table: their carried stake returns from the jackpot and the float."""
        VOID = "void"
        REVERSED = "reversed"
        """A prize goes back to the float: the round is void (R18)."""
        FORGIVEN = "forgiven"
        """The float makes up for a prize that is taken back but has been spent."""

        WELCOME = "welcome"
        TOP_UP = "top-up"
        VISIT = "visit"
        CHECKOUT = "checkout"
        MINT = "mint"
        SEED = "seed"
        """The house opens a jackpot with something in it."""
        FLOAT = "float"
        """The house opens a table with its chips."""
        FILL = "fill"
        CREDIT = "credit"
        COUNT = "count"
        """The float of a table that closes returns to the house."""
        COMP = "comp"
        ADJUSTMENT = "adjustment"

    key = models.CharField(max_length=120, help_text="Names the deed: the same one twice fails.")
    debit = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="debits", db_index=False)
    credit = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="credits", db_index=False)
    amount = models.BigIntegerField()
    reason = models.CharField(max_length=20)
    log = models.ForeignKey("RoundLog", on_delete=models.PROTECT, null=True, blank=True, related_name="transfers")
    bet = models.CharField(max_length=40, blank=True, default="")
    by = models.CharField(max_length=20, help_text="Whose deed it was: a bettor's key, `house`, or a staff name.")
    at = models.DateTimeField()

    class Meta:
        db_table = "tables_transfer"
        indexes = (
            models.Index(fields=("at",), name="transfers_of_no_round", condition=Q(log__isnull=True)),
            models.Index(fields=("reason", "at"), name="reasons_of_no_round", condition=Q(log__isnull=True)),
            models.Index(fields=("debit", "at"), name="transfers_from_an_account"),
            models.Index(fields=("credit", "at"), name="transfers_to_an_account"),
        )
        constraints = (
            models.UniqueConstraint(fields=("key",), name="each_deed_moves_money_once"),
            models.CheckConstraint(name="transfers_move_something", condition=Q(amount__gt=0)),
            models.CheckConstraint(name="from_one_to_another", condition=~Q(debit=F("credit"))),
        )

    def __str__(self) -> str:
        return self.key


LAID = (Transfer.Reason.STAKE, Transfer.Reason.MORE)
TAKEN_BACK = (
    Transfer.Reason.WITHDRAW, Transfer.Reason.TRIM, Transfer.Reason.GIVEN_BACK, Transfer.Reason.VOID,
)  # fmt: skip
"""Reasons of transfers: what a player stakes, and what returns to them without being played."""
