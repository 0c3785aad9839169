"""Bets that a player likes to place together, saved under a name."""

from __future__ import annotations

from django.db import models


class Favourite(models.Model):
    """What lay on a layout when it was saved, to be laid again at any table of that game.

    `stakes` are objects with a `spot`, an `amount` in cents, and where it lay: `own` in the box of one's seat, or in a
    `box`, or in none.
    """

    player = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="favourites", db_index=False)
    game = models.CharField(max_length=30)
    name = models.CharField(max_length=30)
    stakes = models.JSONField()

    class Meta:
        db_table = "tables_favourite"
        constraints = (models.UniqueConstraint(fields=("player", "game", "name"), name="favourites_have_their_names"),)

    def __str__(self) -> str:
        return self.name
