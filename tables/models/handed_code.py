"""The code that a new member of the staff was handed in person, until they have set up their second factor with it."""

from __future__ import annotations

from django.db import models


class HandedCode(models.Model):
    """Without this code its player sets up no second factor. Only a keyed digest of it is stored."""

    player = models.OneToOneField("Player", on_delete=models.CASCADE, primary_key=True, related_name="handed_code")
    digest = models.CharField(max_length=64)
    handed_by = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="+", help_text="Whoever approved.")
    handed_at = models.DateTimeField()
    refused = models.PositiveSmallIntegerField(default=0, help_text="Wrong codes typed instead of it.")

    class Meta:
        db_table = "tables_handedcode"

    def __str__(self) -> str:
        return f"the code handed to {self.player_id}"
