"""What people say to each other at a table, whom they do not want to hear, and what they report to the pit."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q


class ChatLine(models.Model):
    """One line said at a table. `log` and `version` say where in which round: the log proves that talk was allowed."""

    table = models.ForeignKey("Table", on_delete=models.PROTECT, related_name="chat", db_index=False)
    number = models.PositiveBigIntegerField(help_text="Counts the lines of this table from 1.")
    player = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="+", db_index=False)
    name = models.CharField(max_length=40, help_text="As the player was called at that time.")
    text = models.CharField(max_length=200)
    at = models.DateTimeField()
    log = models.ForeignKey("RoundLog", on_delete=models.PROTECT, null=True, blank=True, related_name="chat")
    version = models.PositiveIntegerField(default=0, help_text="How many actions the log had.")
    ref = models.CharField(max_length=40, help_text="Made by the client: the same line twice is said once.")

    class Meta:
        db_table = "tables_chatline"
        constraints = (
            models.UniqueConstraint(fields=("table", "number"), name="lines_are_numbered"),
            models.UniqueConstraint(fields=("player", "ref"), name="a_line_is_said_once"),
        )
        indexes = (models.Index(fields=("player", "at"), name="lines_by_player"),)

    def __str__(self) -> str:
        return f"{self.table_id}/{self.number}: {self.name}"


class Mute(models.Model):
    """`player` does not want to read what `muted` says, at any table. Nobody else is told."""

    player = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="mutes", db_index=False)
    muted = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        db_table = "tables_mute"
        constraints = (
            models.UniqueConstraint(fields=("player", "muted"), name="muted_once"),
            models.CheckConstraint(name="nobody_mutes_himself", condition=~Q(player=F("muted"))),
        )

    def __str__(self) -> str:
        return f"{self.player_id} without {self.muted_id}"


class Report(models.Model):
    """A player shows the pit a line. It is kept here as it was said: the line itself goes with time."""

    class Reason(models.TextChoices):
        RUDE = "rude", "insults or threatens"
        ADVICE = "advice", "tells others how to play"
        ADVERTS = "adverts", "advertises or begs"
        OTHER = "other", "something else"

    by = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="reports", db_index=False)
    line = models.PositiveBigIntegerField(help_text="The id of the line, which may be gone.")
    table = models.ForeignKey("Table", on_delete=models.PROTECT, related_name="+")
    about = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=40)
    text = models.CharField(max_length=200)
    said_at = models.DateTimeField()
    log = models.ForeignKey("RoundLog", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    version = models.PositiveIntegerField(default=0)
    reason = models.CharField(max_length=10, choices=Reason.choices)
    at = models.DateTimeField()

    class Meta:
        db_table = "tables_report"
        constraints = (models.UniqueConstraint(fields=("by", "line"), name="reported_once"),)
        indexes = (models.Index(fields=("at",), name="reports_by_time"),)

    def __str__(self) -> str:
        return f"{self.about_id}: {self.reason}"
