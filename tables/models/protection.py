"""How a player protects themselves: limits that they set, and the time that they play."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class OwnLimit(models.Model):
    """A limit that a player has set for themselves, a row for each kind. A gaming day is what it counts by.

    `most` holds from `set_at` on. A higher one, or none at all, takes its place at `changes_at` and waits until then.
    """

    class Kind(models.TextChoices):
        """What is limited: cents of `LOSS` and `STAKE`, minutes of `TIME`."""

        LOSS = "loss", _("loss a day")
        STAKE = "stake", _("stakes a day")
        TIME = "time", _("time a day")

    player = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="own_limits")
    kind = models.CharField(max_length=5, choices=Kind.choices)
    most = models.BigIntegerField(null=True, help_text="Cents, or minutes; null: none.")
    set_at = models.DateTimeField()
    next_most = models.BigIntegerField(null=True, help_text="What takes its place at `changes_at`; null: none.")
    changes_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "tables_ownlimit"
        constraints = (
            models.UniqueConstraint(fields=("player", "kind"), name="one_own_limit_of_a_kind"),
            models.CheckConstraint(name="own_limits_leave_something", condition=Q(most__isnull=True) | Q(most__gt=0)),
            models.CheckConstraint(
                name="what_waits_is_more_than_what_holds",
                condition=Q(changes_at__isnull=True, next_most__isnull=True)
                | (
                    Q(changes_at__isnull=False, most__isnull=False)
                    & (Q(next_most__isnull=True) | Q(next_most__gt=models.F("most")))
                ),
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.player_id}: {self.most}"

    def at(self, now: datetime) -> int | None:
        """What holds at this moment: cents or minutes, None for no limit."""
        return self.next_most if self.changes_at is not None and self.changes_at <= now else self.most

    def waits(self, now: datetime) -> bool:
        """Whether a change is asked for that does not hold yet."""
        return self.changes_at is not None and self.changes_at > now


class PlayClock(models.Model):
    """How long a player is here: in this session, and on this gaming day. Written once a minute at most."""

    player = models.OneToOneField("Player", on_delete=models.PROTECT, primary_key=True, related_name="play_clock")
    since = models.DateTimeField(help_text="When this session began: before it nothing was done for half an hour.")
    seen_at = models.DateTimeField(help_text="When the player last did something.")
    day = models.DateField(help_text="The gaming day of `seen_at`.")
    played_s = models.PositiveIntegerField(default=0, help_text="Seconds on that day.")
    check_minutes = models.PositiveSmallIntegerField(default=60, help_text="A reality check comes so often.")
    check_due_at = models.DateTimeField(help_text="When the next one is due.")

    class Meta:
        db_table = "tables_playclock"
        constraints = (
            models.CheckConstraint(name="checks_come_every_30_or_60_minutes", condition=Q(check_minutes__in=(30, 60))),
        )

    def __str__(self) -> str:
        return f"{self.player_id} since {self.since}"
