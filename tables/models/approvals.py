"""What one member of the staff asks for and a second one must approve; and the stops of play that the pit orders."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q


class ApprovalRequest(models.Model):
    """A deed that needs two persons: what was asked for, by whom and why, and how it ended.

    The database refuses an approval by whoever asked, a second decision, any change of what was asked, and an approval
    by somebody who does not count as a second person yet (`tables.models.second_person`).
    """

    class Kind(models.TextChoices):
        """What is asked for; its shape is in `tables.services.pit.deeds`."""

        APPOINT = "appoint", "an appointment"
        REMOVE_FACTOR = "remove_factor", "the removal of a second factor"
        CHANGE_EMAIL = "change_email", "another e-mail address of a player"
        COMP = "comp", "a comp"
        OPEN_TABLE = "open_table", "a new table"
        REOPEN_TABLE = "reopen_table", "a closed table"
        VOID = "void", "a ruling that voids a round"
        CLOSE_AT_ONCE = "close_at_once", "closing a table at once"
        PLAY_AGAIN = "play_again", "the end of a stop of play"

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        APPROVED = "approved", "approved"
        REFUSED = "refused", "refused"
        WITHDRAWN = "withdrawn", "withdrawn"

    kind = models.CharField(max_length=20, choices=Kind.choices)
    key = models.CharField(max_length=80, help_text="Of one thing one request waits.")
    asked = models.JSONField(help_text="What is asked for, in the shape of its kind; amounts in cents.")
    why = models.TextField()
    player = models.ForeignKey("Player", on_delete=models.PROTECT, null=True, related_name="approval_requests")
    table = models.ForeignKey("Table", on_delete=models.PROTECT, null=True, related_name="approval_requests")
    log = models.ForeignKey("RoundLog", on_delete=models.PROTECT, null=True, related_name="approval_requests")
    asked_by = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    decided_by = models.ForeignKey("Player", on_delete=models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)
    decision = models.TextField(blank=True, default="", help_text="Why it was refused.")
    told_at = models.DateTimeField(null=True, help_text="When the asker was told how it ended.")

    class Meta:
        db_table = "tables_approvalrequest"
        ordering = ("-asked_at", "-id")
        indexes = (
            models.Index(fields=("kind", "player", "decided_at"), name="recent_appointments"),
            models.Index(
                fields=("asked_by",),
                name="ended_and_not_told",
                condition=Q(told_at__isnull=True, decided_at__isnull=False),
            ),
        )
        constraints = (
            models.UniqueConstraint(
                fields=("key",), condition=Q(state="waiting"), name="one_request_for_a_thing_waits"
            ),
            models.CheckConstraint(
                name="requests_are_approved_by_another",
                condition=~Q(state="approved") | (Q(decided_by__isnull=False) & ~Q(decided_by=F("asked_by"))),
            ),
            models.CheckConstraint(
                name="requests_are_withdrawn_by_who_asked",
                condition=~Q(state="withdrawn") | (Q(decided_by__isnull=False) & Q(decided_by=F("asked_by"))),
            ),
            models.CheckConstraint(
                name="requests_are_decided_by_somebody",
                condition=Q(state="waiting", decided_by__isnull=True, decided_at__isnull=True)
                | (~Q(state="waiting") & Q(decided_by__isnull=False, decided_at__isnull=False)),
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.key}: {self.state}"


class Halt(models.Model):
    """No new rounds of one game, or of the whole floor (no game), from `at` on until two persons end it."""

    game = models.CharField(max_length=30, blank=True, default="", help_text="The game; empty: the whole floor.")
    why = models.TextField()
    by = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    ended_by = models.ForeignKey("Player", on_delete=models.PROTECT, null=True, related_name="+")
    approved_by = models.ForeignKey("Player", on_delete=models.PROTECT, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "tables_halt"
        ordering = ("-at", "-id")
        constraints = (
            models.UniqueConstraint(
                fields=("game",), condition=Q(ended_at__isnull=True), name="one_halt_of_a_game_at_a_time"
            ),
            models.CheckConstraint(
                name="halts_are_ended_by_two",
                condition=Q(ended_at__isnull=True, ended_by__isnull=True, approved_by__isnull=True)
                | (
                    Q(ended_at__isnull=False, ended_by__isnull=False, approved_by__isnull=False)
                    & ~Q(ended_by=F("approved_by"))
                ),
            ),
        )

    def __str__(self) -> str:
        return f"{self.game or 'the floor'}: {self.at}"


class TableOrigin(models.Model):
    """From which address somebody came to a table where hands are private, as a keyed digest, for as long as they may
    sit there. It shows several accounts of one place at one table, and nothing else."""

    table = models.ForeignKey("Table", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey("Player", on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, help_text="HMAC-SHA-256 of the address with a key of the house.")
    at = models.DateTimeField()

    class Meta:
        db_table = "tables_tableorigin"
        constraints = (models.UniqueConstraint(fields=("table", "player"), name="one_origin_of_a_player_at_a_table"),)

    def __str__(self) -> str:
        return f"{self.table_id}: {self.player_id}"
