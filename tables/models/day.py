"""What days that are over come to: sums that reports read in place of the ledger, and counts of what was drawn."""

from __future__ import annotations

from django.db import models


class TableDay(models.Model):
    """The sums of the rounds of one table that were settled on one day of Macau, in cents.

    `tables.services.pit.days` writes one for every table once the day is over. The ledger and the logs are the truth:
    `audit` sums them anew and compares. The fields are those of `tables.queries.round_figures.Figures` that come from
    rounds, and mean what they mean there.
    """

    table = models.ForeignKey("Table", on_delete=models.PROTECT, related_name="+", db_index=False)
    day = models.DateField(help_text="In Macau, from midnight to midnight.")
    rounds = models.PositiveIntegerField()
    voids = models.PositiveIntegerField()
    unplayed = models.PositiveIntegerField()
    drop = models.BigIntegerField()
    win = models.BigIntegerField()
    commission = models.BigIntegerField()
    theoretical = models.TextField(help_text="A fraction of cents, such as 15500/37.")
    variance = models.TextField(help_text="A fraction of cents squared.")
    unreckoned = models.BigIntegerField()
    unreckoned_win = models.BigIntegerField()
    contributions = models.BigIntegerField()
    payments = models.BigIntegerField()
    restarts = models.BigIntegerField()
    forgiven = models.BigIntegerField()

    class Meta:
        db_table = "tables_tableday"
        constraints = (models.UniqueConstraint(fields=("day", "table"), name="a_day_of_a_table_is_summed_once"),)
        indexes = (models.Index(fields=("table", "day"), name="days_of_a_table"),)

    def __str__(self) -> str:
        return f"table {self.table_id} on {self.day}"


class ChanceDay(models.Model):
    """How often each number, face and card came on one day of Macau at all tables, for the watch over chance.

    `tables.proof.evidence.watch` writes one once the day is over, and reads it with those before it. It follows from
    throws and shoes that were opened.
    """

    day = models.DateField(unique=True, help_text="In Macau, from midnight to midnight.")
    tallies = models.JSONField(help_text="By name: what came, its means and variances, degrees of freedom.")

    class Meta:
        db_table = "tables_chanceday"

    def __str__(self) -> str:
        return str(self.day)
