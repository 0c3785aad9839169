"""What bettors add to the proof of a pack or a throw: links of chains of their own (docs/proof.md, 2 and 3)."""

from __future__ import annotations

from django.db import models


class OfferedLink(models.Model):
    """The link that a bettor has committed to for the next pack or throw of a table; each new one takes its place.

    It goes into the list that the house publishes with its commitment (`PackSeed.offered`). Once the bettor has
    revealed the link beneath it, that one stands here.
    """

    table = models.ForeignKey("Table", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey("Player", on_delete=models.CASCADE, related_name="+")
    link = models.CharField(max_length=64)
    offered_at = models.DateTimeField(help_text="Since when this bettor contributes here: who came first stands first.")

    class Meta:
        db_table = "tables_offeredlink"
        constraints = (models.UniqueConstraint(fields=("table", "player"), name="one_link_offered_by_a_player"),)

    def __str__(self) -> str:
        return f"{self.player_id} at {self.table_id}"


class RevealedLink(models.Model):
    """The link that a bettor has revealed for a seed that is not mixed yet. Written once (`tables.models.seals`).

    Mixing copies it to `PackSeed.revealed`; the row goes once the seed is marked with its archive.
    """

    seed = models.ForeignKey("PackSeed", on_delete=models.PROTECT, related_name="links")
    player = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="+")
    link = models.CharField(max_length=64)

    class Meta:
        db_table = "tables_revealedlink"
        constraints = (models.UniqueConstraint(fields=("seed", "player"), name="one_link_revealed_by_a_player"),)

    def __str__(self) -> str:
        return f"{self.player_id} for {self.seed_id}"
