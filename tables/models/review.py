"""What a player asks the pit to look at again, and what the pit answers."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from .player import Role


class Review(models.Model):
    """A round that a player wants looked at again: asked for once, ruled on once, never deleted (`seals`).

    It is adjusted by an adjustment that a second person approves; until then it waits, and if that is refused it waits
    on. So the player reads of credits only when they have moved.
    """

    class Reason(models.TextChoices):
        """What it is about."""

        PAYMENT = "payment", _("I was paid wrongly")
        STAKE = "stake", _("A stake of mine is missing or wrong")
        DECISION = "decision", _("My decision was not taken as I made it")
        RESULT = "result", _("The cards, the number or the dice were wrong")
        CONNECTION = "connection", _("My connection failed")
        OTHER = "other", _("Something else")

    class Outcome(models.TextChoices):
        """What was ruled."""

        STANDS = "stands", _("The round stands")
        ADJUSTED = "adjusted", _("Adjusted")

    log = models.ForeignKey("RoundLog", on_delete=models.PROTECT, related_name="reviews")
    player = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="reviews")
    reason = models.CharField(max_length=12, choices=Reason.choices)
    words = models.TextField(help_text="What the player says of it.")
    asked_at = models.DateTimeField()
    taken_by = models.ForeignKey(
        "Player", on_delete=models.PROTECT, null=True, related_name="+", help_text="Who of the pit has taken it up."
    )
    taken_at = models.DateTimeField(null=True)
    adjustment = models.OneToOneField(
        "Adjustment", on_delete=models.PROTECT, null=True, related_name="review", help_text="Asked for to settle it."
    )
    outcome = models.CharField(max_length=10, choices=Outcome.choices, null=True)
    answer = models.TextField(null=True, help_text="What the player reads.")
    decided_by = models.ForeignKey("Player", on_delete=models.PROTECT, null=True, related_name="+")
    decided_as = models.CharField(
        max_length=20, choices=Role.choices, null=True, help_text="Their role then: all that the player reads of them."
    )
    decided_at = models.DateTimeField(null=True)
    told_at = models.DateTimeField(null=True, help_text="When the player saw the answer.")

    class Meta:
        db_table = "tables_review"
        ordering = ("asked_at", "id")
        indexes = (
            models.Index(fields=("asked_at",), name="reviews_that_wait", condition=Q(outcome__isnull=True)),
            models.Index(fields=("player", "asked_at"), name="reviews_of_a_player"),
        )
        constraints = (
            models.UniqueConstraint(
                fields=("player", "log"), name="one_open_review_of_a_round", condition=Q(outcome__isnull=True)
            ),
            models.CheckConstraint(
                name="reviews_are_taken_by_somebody",
                condition=Q(taken_by__isnull=True, taken_at__isnull=True)
                | Q(taken_by__isnull=False, taken_at__isnull=False),
            ),
            models.CheckConstraint(
                name="reviews_are_ruled_on_whole",
                condition=Q(
                    outcome__isnull=True, answer__isnull=True, decided_by__isnull=True, decided_as__isnull=True,
                    decided_at__isnull=True,
                )
                | (
                    Q(
                        outcome__isnull=False, answer__isnull=False, decided_by__isnull=False,
                        decided_as__isnull=False, decided_at__isnull=False,
                    )
                    & ~Q(answer="")
                ),
            ),
            models.CheckConstraint(
                name="reviews_are_adjusted_by_an_adjustment",
                condition=Q(outcome__isnull=True)
                | Q(outcome="adjusted", adjustment__isnull=False)
                | Q(outcome="stands", adjustment__isnull=True),
            ),
            models.CheckConstraint(
                name="nobody_rules_on_their_own_review",
                condition=Q(decided_by__isnull=True) | ~Q(decided_by=F("player")),
            ),
        )  # fmt: skip

    def __str__(self) -> str:
        return f"{self.player_id} of {self.log_id}: {self.outcome or 'waits'}"

    @property
    def alert_key(self) -> str:
        """Under which the pit is alerted of it."""
        return f"review:{self.pk}"
