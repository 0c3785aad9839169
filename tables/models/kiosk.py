"""Kiosks: touch screens that show the floor and let whoever comes by play with demo credits; wallboards of the pit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q

if TYPE_CHECKING:
    from .table import Table


class Kiosk(models.Model):
    """One screen: what the pit has set for it, the device that is enrolled as it, and who plays there now; or a
    wallboard, which is enrolled in the same way and shows the pit's floor.

    The device holds a token of its own; here is only its SHA-256. Each start of the device is a new `use`, and what
    belongs to an earlier one has ended.
    """

    name = models.CharField(max_length=40, unique=True, help_text="Visitors are called by it at the tables.")
    place = models.CharField(max_length=80, blank=True, default="")
    wallboard = models.BooleanField(
        default=False, db_default=False, help_text="It shows the pit's floor, and nobody plays there."
    )
    group = models.CharField(
        max_length=40, blank=True, default="", db_default="", help_text="What is done for several at once."
    )
    tables: models.ManyToManyField[Table, models.Model] = models.ManyToManyField(
        "Table", related_name="kiosks", help_text="What it shows, and lets people play at."
    )
    languages = models.JSONField(help_text="Codes of those that visitors may choose; the first is its own.")
    credits = models.BigIntegerField(help_text="Cents that each visitor gets.")
    idle_seconds = models.PositiveSmallIntegerField(help_text="After so long without a touch a visitor is asked for.")
    # what the pit tells it
    locked = models.BooleanField(default=False, help_text="Out of service: nobody is let play.")
    message = models.CharField(max_length=200, blank=True, default="", help_text="Shown on the screen.")
    messages = models.JSONField(
        default=dict, db_default={}, blank=True, help_text="The same for those who speak a language, by its code."
    )
    hours = models.JSONField(
        default=list, db_default=[], blank=True, help_text="Of each weekday from when until when; empty: always."
    )
    brightness = models.JSONField(
        default=list, db_default=[], blank=True, help_text="From which hour on how many per cent."
    )
    restarts = models.PositiveIntegerField(default=0, help_text="A screen that began before the last one begins anew.")
    retired_at = models.DateTimeField(null=True, blank=True)
    # the device
    token = models.CharField(max_length=64, blank=True, default="", help_text="SHA-256 of the device's token.")
    token_before = models.CharField(
        max_length=64, blank=True, default="", help_text="The one before: good until the new one has been shown."
    )
    screen = models.CharField(max_length=64, blank=True, default="", help_text="SHA-256 of the screen it is bound to.")
    use = models.PositiveIntegerField(default=0, help_text="Counts the starts of the device.")
    enrolled_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True, help_text="The last heartbeat.")
    showing = models.CharField(max_length=20, blank=True, default="", help_text="What it did then.")
    health = models.JSONField(default=dict, db_default={}, blank=True, help_text="What its page said of itself then.")
    visitor = models.OneToOneField(
        "Player", on_delete=models.PROTECT, null=True, blank=True, related_name="at_kiosk", help_text="Who plays now."
    )

    class Meta:
        db_table = "tables_kiosk"
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(fields=("token",), condition=~Q(token=""), name="a_token_is_of_one_kiosk"),
            models.CheckConstraint(name="tokens_are_bound_to_a_screen", condition=Q(token="") | ~Q(screen="")),
            models.CheckConstraint(name="retired_kiosks_have_no_token", condition=Q(retired_at=None) | Q(token="")),
            models.CheckConstraint(name="kiosks_give_something", condition=Q(credits__gt=0) | Q(wallboard=True)),
            models.CheckConstraint(name="nobody_plays_at_a_wallboard", condition=Q(wallboard=False) | Q(visitor=None)),
        )

    def __str__(self) -> str:
        return self.name


class KioskVisit(models.Model):
    """One visit at a kiosk: how long it was, and whether the visitor was shown how a game goes."""

    kiosk = models.ForeignKey(Kiosk, on_delete=models.PROTECT, related_name="visits")
    visitor = models.OneToOneField("Player", on_delete=models.PROTECT, related_name="visit")
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    guides = models.PositiveSmallIntegerField(default=0, help_text="Guided rounds that were begun.")

    class Meta:
        db_table = "tables_kioskvisit"
        indexes = (models.Index(fields=("began_at",), name="visits_by_time"),)

    def __str__(self) -> str:
        return f"{self.kiosk} {self.visitor_id}"


class Pairing(models.Model):
    """A screen that shows its code and waits for somebody of the staff to say which kiosk it is."""

    code = models.CharField(max_length=12, unique=True, help_text="What the screen shows.")
    secret = models.CharField(max_length=64, unique=True, help_text="SHA-256 of what the screen alone knows.")
    screen = models.CharField(max_length=64)
    asked_at = models.DateTimeField()
    kiosk = models.ForeignKey(Kiosk, on_delete=models.CASCADE, null=True, blank=True, related_name="pairings")

    class Meta:
        db_table = "tables_pairing"

    def __str__(self) -> str:
        return self.code
