"""The names that are taken, as they look."""

from __future__ import annotations

from django.db import models


class TakenName(models.Model):
    """A skeleton of a user name or of a name at the tables (`tables.base.names`): one person's, by the primary key.

    So nobody can be called what looks like somebody else's name, of either kind, however two people choose at once.
    """

    skeleton = models.CharField(max_length=200, primary_key=True)
    player = models.ForeignKey("Player", on_delete=models.CASCADE, related_name="taken_names")

    class Meta:
        db_table = "tables_takenname"

    def __str__(self) -> str:
        return self.skeleton
