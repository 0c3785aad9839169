"""What the inspectorate has authorised the house to play."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q


class Authorisation(models.Model):
    """Alternatives that the house may play in a game, at any table: asked for by one, the answer recorded by another.

    Its basis is an answer of the inspectorate (to a request for the house, or to the `change` of one table), or what
    the demonstration floor brought along; or the one `table` was opened so before authorisations were asked for, and
    then only that table may play it.
    """

    class Basis(models.TextChoices):
        ANSWER = "answer", "an answer of the inspectorate"
        DEMONSTRATION = "demonstration", "brought with the demonstration floor"
        BEFORE = "before", "opened before authorisations were asked for"

    class State(models.TextChoices):
        REQUESTED = "requested", "requested"
        GIVEN = "given", "given"
        REFUSED = "refused", "refused"

    game = models.CharField(max_length=30)
    options = models.JSONField(help_text="Option -> the value that may be played, as in the public record.")
    basis = models.CharField(max_length=15, choices=Basis.choices)
    table = models.ForeignKey("Table", on_delete=models.PROTECT, null=True, related_name="authorisations")
    change = models.OneToOneField("OptionChange", on_delete=models.PROTECT, null=True, related_name="given")
    why = models.TextField(blank=True, default="")
    state = models.CharField(max_length=10, choices=State.choices, default=State.REQUESTED)
    submitted_on = models.DateField(null=True, help_text="Macau's date of the request to the inspectorate.")
    holds_from = models.DateField(help_text="Macau's date from which it may be played.")
    reference = models.CharField(max_length=80, blank=True, default="", help_text="The inspectorate's, of its answer.")
    requested_by = models.ForeignKey("Player", on_delete=models.PROTECT, null=True, related_name="+")
    requested_at = models.DateTimeField()
    decided_by = models.ForeignKey("Player", on_delete=models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "tables_authorisation"
        ordering = ("-requested_at", "-id")
        constraints = (
            models.CheckConstraint(
                name="authorisations_are_recorded_by_another",
                condition=~Q(state="given", basis="answer")
                | (
                    Q(submitted_on__isnull=False, requested_by__isnull=False, decided_by__isnull=False)
                    & ~Q(reference="")
                    & ~Q(decided_by=F("requested_by"))
                ),
            ),
            models.CheckConstraint(
                name="one_table_opened_before",
                condition=Q(basis="before", table__isnull=False) | (~Q(basis="before") & Q(table__isnull=True)),
            ),
            models.CheckConstraint(
                name="authorisations_are_decided_at_some_time",
                condition=Q(state="requested", decided_at__isnull=True)
                | (~Q(state="requested") & Q(decided_at__isnull=False)),
            ),
        )

    def __str__(self) -> str:
        return f"{self.game}: {', '.join(self.options)} ({self.state})"
