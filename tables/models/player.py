"""Whoever has an account with the house: players, and staff (who also log in)."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

from .bettors import Bettor, bettor_of
from .ledger import Realm


class Role(models.TextChoices):
    """What a member of the staff does; what each may do is in `tables.base.rights`."""

    PIT_BOSS = "pit_boss", _("pit boss")
    SHIFT_MANAGER = "shift_manager", _("shift manager")
    SURVEILLANCE = "surveillance", _("surveillance")
    CAGE = "cage", _("cage")


class Player(AbstractUser):
    """A person: who they are. Their money is in the ledger, their seats at the tables."""

    name = models.CharField(max_length=40, help_text="Shown at the tables.")
    guest = models.BooleanField(default=False, help_text="Plays without a password, from one browser.")
    origin = models.CharField(
        max_length=32,
        blank=True,
        default="",
        help_text="Of a guest: a keyed digest of the network that they came from; who shares it shares some limits.",
    )
    role = models.CharField(
        max_length=20, choices=Role.choices, blank=True, default="", help_text="Of staff, who do not play."
    )
    kiosk = models.ForeignKey(
        "Kiosk",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="visitors",
        help_text="Of somebody who plays at a kiosk, with demo credits and for a while.",
    )
    last_topped_up_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "tables_player"

    def __str__(self) -> str:
        return self.name or self.username

    @property
    def realm(self) -> Realm:
        """The realm of the money that this person plays with."""
        return Realm.FLOOR if self.kiosk_id is None else Realm.KIOSKS

    @property
    def key(self) -> Bettor:
        """The opaque name that the rules, logs and records know this player by."""
        return bettor_of(self.pk)
