"""What the pit keeps on paper and in its books: slips, counts of floats, notes, and whom it watches."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Slip(models.Model):
    """The slip of a fill or a credit that was confirmed, numbered without a gap for each kind."""

    order = models.OneToOneField("ChipOrder", on_delete=models.PROTECT, related_name="slip")
    kind = models.CharField(max_length=10, help_text="That of its order.")
    number = models.PositiveBigIntegerField(help_text="1, 2, 3 … of this kind.")
    printed = models.PositiveIntegerField(default=0, help_text="How often it was printed: from the second time, again.")

    class Meta:
        db_table = "tables_slip"
        constraints = (models.UniqueConstraint(fields=("kind", "number"), name="slips_are_numbered"),)

    def __str__(self) -> str:
        return f"{self.kind} slip {self.number}"


class FloatCount(models.Model):
    """A float that somebody has counted chip by chip, beside what the ledger says lay there in that moment."""

    table = models.ForeignKey("Table", on_delete=models.PROTECT, related_name="counts")
    number = models.PositiveIntegerField(help_text="Counts the counts of this table from 1.")
    chips = models.JSONField(help_text="Denomination in credits, as text -> how many of it.")
    rest = models.PositiveSmallIntegerField(default=0, help_text="Cents that no chip is small enough for.")
    cents = models.BigIntegerField(help_text="What all of it comes to.")
    expected = models.BigIntegerField(help_text="What the ledger said, in cents.")
    why = models.TextField(blank=True, default="", help_text="What explains a difference.")
    by = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        db_table = "tables_floatcount"
        ordering = ("-at", "-id")
        constraints = (
            models.UniqueConstraint(fields=("table", "number"), name="counts_are_numbered"),
            models.CheckConstraint(name="a_difference_is_explained", condition=Q(cents=F("expected")) | ~Q(why="")),
        )

    def __str__(self) -> str:
        return f"count {self.number} of {self.table_id}"

    @property
    def variance(self) -> int:
        """What was counted beyond what the ledger says; below zero, what was missing. In cents."""
        return self.cents - self.expected


class PitNote(models.Model):
    """A note of the staff: an incident, or a bookmark at a step of a round. Written once, never changed."""

    class Kind(models.TextChoices):
        INCIDENT = "incident", _("incident")
        BOOKMARK = "bookmark", _("bookmark")

    kind = models.CharField(max_length=10, choices=Kind.choices)
    table = models.ForeignKey("Table", on_delete=models.PROTECT, null=True, related_name="notes")
    log = models.ForeignKey("RoundLog", on_delete=models.PROTECT, null=True, related_name="notes")
    seq = models.PositiveIntegerField(null=True, help_text="Of a bookmark: the line of the log that it is about.")
    player = models.ForeignKey("Player", on_delete=models.PROTECT, null=True, related_name="notes")
    text = models.TextField()
    by = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        db_table = "tables_pitnote"
        ordering = ("-at", "-id")
        constraints = (
            models.CheckConstraint(
                name="bookmarks_are_of_a_round", condition=~Q(kind="bookmark") | Q(log__isnull=False, seq__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Watch(models.Model):
    """A player whom the staff wants to know of as they come, until somebody ends it."""

    player = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="watches")
    why = models.TextField()
    by = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    ended_by = models.ForeignKey("Player", on_delete=models.PROTECT, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "tables_watch"
        ordering = ("-at", "-id")
        constraints = (
            models.UniqueConstraint(
                fields=("player",), condition=Q(ended_at__isnull=True), name="a_player_is_watched_once"
            ),
            models.CheckConstraint(
                name="watches_are_ended_by_somebody",
                condition=Q(ended_at__isnull=True, ended_by__isnull=True)
                | Q(ended_at__isnull=False, ended_by__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"watch {self.pk} over {self.player_id}"
