"""Log lines that have left the database."""

from __future__ import annotations

from django.db import models


class Archive(models.Model):
    """A file of rounds of one day, whose log lines are no longer in the database, nor the leaves of packs that stay
    closed. Insert-only.

    The event that tells of it names the same digest, so that it is in the chain of events and under its anchors.
    """

    name = models.CharField(max_length=40, unique=True, help_text="Of the file, in the folder of archives.")
    day = models.DateField(help_text="In Macau, from midnight to midnight: its rounds ended then.")
    sha256 = models.CharField(max_length=64, help_text="Of the whole file, hexadecimal.")
    rounds = models.PositiveIntegerField()
    lines = models.PositiveBigIntegerField()
    at = models.DateTimeField()

    class Meta:
        db_table = "tables_archive"

    def __str__(self) -> str:
        return self.name
