"""A round is a log: what it opened with, then actions, in order, never changed."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class RoundLog(models.Model):
    """One round: options and opening, and the head of its log.

    `version` counts the actions. `phase`, `wait`, `due_at` and `result` are caches of what the fold says, for the
    dealer's query and for lists; the log is the truth. `peeled` and `peeled_at` are no part of it: neither the outcome
    nor money depends on how a card was looked at, and they are gone when the phase is.
    """

    table = models.ForeignKey("Table", on_delete=models.PROTECT, related_name="rounds")
    shoe = models.ForeignKey("Shoe", on_delete=models.PROTECT, null=True, blank=True, related_name="rounds")
    jackpot = models.ForeignKey(
        "Jackpot",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="rounds",
        help_text="The progressive jackpot that this round feeds and pays from.",
    )
    number = models.PositiveBigIntegerField(help_text="Counts the rounds of this table from 1.")
    game = models.CharField(max_length=30)
    edition = models.CharField(max_length=40)
    options = models.JSONField()
    opening = models.JSONField()
    version = models.PositiveIntegerField(default=0)
    phase = models.CharField(max_length=30)
    wait = models.CharField(max_length=120, blank=True, default="")
    wait_began_at = models.DateTimeField(help_text="Since when the present wait lasts.")
    due_at = models.DateTimeField(null=True, blank=True, help_text="When the house acts next; null: when nudged.")
    held_until = models.DateTimeField(
        null=True, blank=True, help_text="Till then nothing is done in it: the pit waits for a second person."
    )
    frozen_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Since when the pit has frozen it: its clock stands until the pit releases it or rules on it.",
    )
    started_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    void = models.BooleanField(default=False)
    result = models.JSONField(null=True, blank=True)
    turned = models.JSONField(
        null=True, blank=True, help_text="Once it is over: the cards that stand sealed in its log, by line."
    )

    archive = models.ForeignKey(
        "Archive",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        help_text="The file that its lines lie in; null as long as they are in the database.",
    )
    archive_offset = models.PositiveBigIntegerField(null=True, blank=True, help_text="Where in that file, in bytes …")
    archive_length = models.PositiveIntegerField(null=True, blank=True, help_text="… and how many.")

    peeled = models.JSONField(
        null=True, blank=True, help_text="How far the cards have been peeled that are to be opened now, by place."
    )
    peeled_at = models.DateTimeField(null=True, blank=True, help_text="When one of them was last peeled further.")
    refused_at = models.DateTimeField(
        null=True, blank=True, help_text="When a deed was first refused in it (RefusedDeed); null: none was."
    )

    class Meta:
        db_table = "tables_roundlog"
        constraints = (models.UniqueConstraint(fields=("table", "number"), name="rounds_are_numbered"),)
        indexes = (
            models.Index(fields=("due_at",), name="rounds_by_due", condition=Q(settled_at__isnull=True)),
            models.Index(fields=("shoe", "number"), name="rounds_by_shoe"),
            models.Index(
                fields=("settled_at", "table"), name="rounds_by_settlement", condition=Q(settled_at__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"round {self.pk}"


class LoggedAction(models.Model):
    """One line of a round's log. Insert-only: the database refuses to change it, and to delete it unless its round was
    archived.

    A card that lies face down stands in it sealed (`tables.base.closed_cards`).
    """

    log = models.ForeignKey(RoundLog, on_delete=models.PROTECT, related_name="actions")
    seq = models.PositiveIntegerField(help_text="1, 2, 3 … within the round.")
    at = models.DateTimeField()
    by = models.CharField(max_length=20)
    action = models.JSONField()
    ref = models.CharField(
        max_length=80, null=True, blank=True, help_text="Made by the client: the same deed twice is done once."
    )
    payload = models.CharField(
        max_length=16, null=True, blank=True, help_text="Digest of all that was asked under this ref, hexadecimal."
    )

    class Meta:
        db_table = "tables_loggedaction"
        ordering = ("log", "seq")
        constraints = (
            models.UniqueConstraint(fields=("log", "seq"), name="one_line_at_a_place"),
            models.UniqueConstraint(fields=("log", "ref"), name="a_deed_is_done_once"),
        )

    def __str__(self) -> str:
        return f"{self.log_id}:{self.seq}"


class RefusedDeed(models.Model):
    """A deed that was refused in a round that is not over: a copy of its message that comes later is refused too. One
    row of each bettor says how many these are (`tables.services.rounds.refusals`)."""

    log = models.ForeignKey(RoundLog, on_delete=models.CASCADE, related_name="+", db_index=False)
    ref = models.CharField(max_length=80)
    payload = models.CharField(max_length=16, help_text="Digest of all that was asked under this ref, hexadecimal.")
    answer = models.JSONField(help_text="What was answered: article, words, and the most that is within the limits.")

    class Meta:
        db_table = "tables_refuseddeed"
        constraints = (models.UniqueConstraint(fields=("log", "ref"), name="a_deed_is_refused_once"),)

    def __str__(self) -> str:
        return f"{self.log_id}:{self.ref}"


class SealedThrow(models.Model):
    """A throw that was drawn before anybody bet on it, sealed: only the key that dealers hold opens it.

    Its commitment stands in the log as well. What opens it is published as it is opened there, `{"salt": …, "values":
    […], "seed": …}`; of one that did not count, or was not reached, once the round is over. `offered` and `revealed`
    are the links of bettors, `[["p7", "…"]]` (docs/proof.md); they and the seed are of throws made from a key. What
    identifies and seals it is never changed: the database refuses (`tables.models.seals`).
    """

    log = models.ForeignKey(RoundLog, on_delete=models.PROTECT, related_name="throws", db_index=False)
    number = models.PositiveSmallIntegerField(help_text="Counts the throws of the round from 1.")
    table = models.ForeignKey(
        "Table", on_delete=models.PROTECT, null=True, related_name="+", help_text="Null under the first scheme."
    )
    serial = models.PositiveBigIntegerField(null=True, help_text="Counts the throws of the table from 1.")
    sealed_at = models.DateTimeField(null=True)
    scheme = models.PositiveSmallIntegerField(
        default=1, help_text="How it is sealed (tables.base.chance): before 3, checked but not thrown."
    )
    seed_commitment = models.CharField(
        max_length=64, null=True, unique=True, help_text="SHA-256 of table, number and seed, hexadecimal."
    )
    offered = models.JSONField(null=True, help_text="The links that bettors had committed to, as [bettor, link].")
    revealed = models.JSONField(null=True, help_text="The links beneath them that came in time.")
    commitment = models.CharField(
        max_length=64, unique=True, help_text="SHA-256 of label, salt and numbers, hexadecimal."
    )
    sealed = models.BinaryField(help_text="Label and seed, encrypted; before scheme 3 label, salt and numbers.")
    opened = models.JSONField(null=True, blank=True, help_text="Salt, numbers and seed, once opened.")

    class Meta:
        db_table = "tables_sealedthrow"
        constraints = (
            models.UniqueConstraint(fields=("log", "number"), name="throws_are_numbered"),
            models.UniqueConstraint(fields=("table", "serial"), name="throws_of_a_table_are_numbered"),
        )

    def __str__(self) -> str:
        return f"{self.log_id}/{self.number}"


class Played(models.Model):
    """What one bettor was debited and credited in one round, in cents; written when it ends, for lists."""

    log = models.ForeignKey(RoundLog, on_delete=models.PROTECT, related_name="played")
    player = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="played")
    staked = models.BigIntegerField()
    returned = models.BigIntegerField()

    class Meta:
        db_table = "tables_played"
        constraints = (models.UniqueConstraint(fields=("player", "log"), name="played_once"),)

    def __str__(self) -> str:
        return f"{self.player_id} in {self.log_id}"

    @property
    def gain(self) -> int:
        """What the round brought the player; negative if it cost them."""
        return self.returned - self.staked
