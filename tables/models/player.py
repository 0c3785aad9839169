"""Whoever has an account with the house: players, and staff (who also log in)."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models


class Player(AbstractUser):
    """A person. Money is in the ledger, seats at the tables; here is only who he is."""

    name = models.CharField(max_length=40, help_text="Shown at the tables.")
    guest = models.BooleanField(default=False, help_text="Plays without a password, from one browser.")
    last_topped_up_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "tables_player"

    def __str__(self) -> str:
        return self.name or self.username

    @property
    def key(self) -> str:
        """The opaque name that the rules, logs and records know this player by."""
        return f"p{self.pk}"
