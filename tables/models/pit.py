"""What the pit remembers: its event log, alerts, orders of chips, changes of options, and rulings."""

from __future__ import annotations

from enum import StrEnum

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Event(models.Model):
    """One deed of the staff, or of the house about a table. Insert-only, and chained: each names the digest before it.

    `digest` is SHA-256 over all the other fields (`tables.services.journal.events`), so that a line that was changed,
    left out or put in between is found by the audit.
    """

    class Kind(StrEnum):
        """What was done."""

        ACKNOWLEDGED = "acknowledged"
        ADJUSTMENT_ASKED = "adjustment_asked"
        ADJUSTMENT_DECIDED = "adjustment_decided"
        AUTHORISATION_GIVEN = "authorisation_given"
        AUTHORISATION_REFUSED = "authorisation_refused"
        AUTHORISATION_REQUESTED = "authorisation_requested"
        CARDS_CHANGED = "cards_changed"
        CHIPS_CONFIRMED = "chips_confirmed"
        CHIPS_ORDERED = "chips_ordered"
        CHIPS_REFUSED = "chips_refused"
        CHIPS_WITHDRAWN = "chips_withdrawn"
        ADMINISTERED = "administered"
        ARCHIVED = "archived"
        BACKED_UP = "backed_up"
        CODE_REFUSED = "code_refused"
        COMP = "comp"
        HALTED = "halted"
        HALT_ENDED = "halt_ended"
        KIOSK_CHANGED = "kiosk_changed"
        KIOSK_ENROLLED = "kiosk_enrolled"
        KIOSK_LOCKED = "kiosk_locked"
        KIOSK_MADE = "kiosk_made"
        KIOSK_MESSAGE = "kiosk_message"
        KIOSK_RESTARTED = "kiosk_restarted"
        KIOSK_RETIRED = "kiosk_retired"
        KIOSK_REVOKED = "kiosk_revoked"
        KIOSK_UNLOCKED = "kiosk_unlocked"
        KIOSK_SCHEDULE = "kiosk_schedule"
        EDITION = "edition"
        LIFT = "lift"
        LOCKED_OUT = "locked_out"
        LOGGED_IN = "logged_in"
        LOGGED_OUT = "logged_out"
        LOGIN_FAILED = "login_failed"
        LOGINS_ENDED = "logins_ended"
        REMOVE = "remove"
        RESTRICT = "restrict"
        OPTIONS_ADOPTED = "options_adopted"
        OPTIONS_APPROVED = "options_approved"
        OPTIONS_DECIDED = "options_decided"
        OPTIONS_DRAFTED = "options_drafted"
        OPTIONS_NOT_ADOPTED = "options_not_adopted"
        OPTIONS_REFUSED = "options_refused"
        OPTIONS_SUBMITTED = "options_submitted"
        OPTIONS_WITHDRAWN = "options_withdrawn"
        LIMITS = "limits"
        OWN_EXCLUSION = "own_exclusion"
        OWN_LIMIT = "own_limit"
        OWN_RETURN = "own_return"
        PASSWORD_CHANGED = "password_changed"
        REQUEST_APPROVED = "request_approved"
        REQUEST_ASKED = "request_asked"
        REQUEST_REFUSED = "request_refused"
        REQUEST_WITHDRAWN = "request_withdrawn"
        NOTED = "noted"
        WATCHED = "watched"
        WATCH_ENDED = "watch_ended"
        FLOAT_COUNTED = "float_counted"
        SLIP_PRINTED = "slip_printed"
        ROLE = "role"
        ROUND_FROZEN = "round_frozen"
        ROUND_HELD = "round_held"
        ROUND_RELEASED = "round_released"
        SECOND_FACTOR = "second_factor"
        THRESHOLDS = "thresholds"
        TABLE_CLOSED = "table_closed"
        TABLE_CLOSING = "table_closing"
        TABLE_OPENED = "table_opened"
        TABLE_PAUSED = "table_paused"
        TABLE_RESUMED = "table_resumed"
        RULED = "ruled"
        RESTORED = "restored"
        REVIEW_ASKED = "review_asked"
        REVIEW_RULED = "review_ruled"
        REVIEW_TAKEN = "review_taken"
        DEALER_ENROLLED = "dealer_enrolled"
        DEALER_REVOKED = "dealer_revoked"

    seq = models.PositiveBigIntegerField(unique=True, help_text="1, 2, 3 … without a gap.")
    at = models.DateTimeField()
    by = models.ForeignKey(
        "Player", on_delete=models.PROTECT, null=True, related_name="+", help_text="Nobody: the house."
    )
    deed = models.CharField(max_length=40)
    table = models.ForeignKey("Table", on_delete=models.PROTECT, null=True, related_name="events")
    log = models.ForeignKey("RoundLog", on_delete=models.PROTECT, null=True, related_name="events")
    player = models.ForeignKey("Player", on_delete=models.PROTECT, null=True, related_name="events")
    why = models.TextField(blank=True, default="")
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    previous = models.CharField(max_length=64, help_text="The digest of the event before; of the first one, nothing.")
    digest = models.CharField(max_length=64)

    class Meta:
        db_table = "tables_event"
        ordering = ("seq",)

    def __str__(self) -> str:
        return f"{self.seq}: {self.deed}"


class EventHead(models.Model):
    """Where the chain of events ends: one row, locked while an event is written, last of all locks."""

    seq = models.PositiveBigIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        db_table = "tables_eventhead"

    def __str__(self) -> str:
        return f"{self.seq}: {self.digest}"


class Alert(models.Model):
    """Something on the floor that somebody must see. It stays until a member of the staff acknowledges it by name."""

    class Kind(StrEnum):
        """What somebody must see."""

        VOIDED = "voided"
        CROWDED = "crowded"
        SILENT = "silent"
        LOW = "low"
        JACKPOT = "jackpot"
        LIMIT = "limit"
        HOLD = "hold"
        KIOSK_TWICE = "kiosk_twice"
        KIOSK_SILENT = "kiosk_silent"
        SPRAYING = "spraying"
        CODES = "codes"
        REQUEST = "request"
        COMP = "comp"
        STAFF = "staff"
        HALTED = "halted"
        VOIDS = "voids"
        SHARED = "shared"
        EDITION = "edition"
        REVIEW = "review"
        CHANCE = "chance"
        FROZEN = "frozen"
        BIG_BET = "big_bet"
        BIG_WIN = "big_win"
        REPORT = "report"
        MISFIT = "misfit"
        UNFIT = "unfit"
        BOOKS = "books"
        UNAUDITED = "unaudited"
        WATCHED = "watched"
        DIFFERS = "differs"

    kind = models.CharField(max_length=30)
    key = models.CharField(max_length=80, help_text="Of one thing there is one alert that nobody has acknowledged.")
    table = models.ForeignKey("Table", on_delete=models.PROTECT, null=True, related_name="alerts")
    log = models.ForeignKey("RoundLog", on_delete=models.PROTECT, null=True, related_name="alerts")
    at = models.DateTimeField()
    about = models.JSONField(default=dict, help_text="The values in its words.")
    resolved_at = models.DateTimeField(null=True, help_text="When what it is about was found to be over.")
    acknowledged_by = models.ForeignKey("Player", on_delete=models.PROTECT, null=True, related_name="+")
    acknowledged_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "tables_alert"
        ordering = ("-at", "-id")
        constraints = (
            models.UniqueConstraint(
                fields=("key",), condition=Q(acknowledged_at__isnull=True), name="one_open_alert_for_a_thing"
            ),
            models.CheckConstraint(
                name="acknowledged_by_somebody",
                condition=Q(acknowledged_at__isnull=True, acknowledged_by__isnull=True)
                | Q(acknowledged_at__isnull=False, acknowledged_by__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind}: {self.key}"


class AuditorLease(models.Model):
    """Which process audits the house while it deals, until when, and when a look of it has ended last: one row."""

    owner = models.CharField(max_length=80, blank=True, default="")
    expires_at = models.DateTimeField(null=True)
    looked_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "tables_auditorlease"

    def __str__(self) -> str:
        return self.owner


class ChipOrder(models.Model):
    """Chips that are to come to a table (a fill) or to leave it (a credit): asked for by one, confirmed by another."""

    class Kind(models.TextChoices):
        FILL = "fill", "a fill"
        CREDIT = "credit", "a credit"

    class State(models.TextChoices):
        REQUESTED = "requested", "requested"
        CONFIRMED = "confirmed", "confirmed"
        REFUSED = "refused", "refused"

    table = models.ForeignKey("Table", on_delete=models.PROTECT, related_name="orders")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    amount = models.BigIntegerField(help_text="Cents.")
    why = models.TextField(blank=True, default="")
    state = models.CharField(max_length=10, choices=State.choices, default=State.REQUESTED)
    requested_by = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="+")
    requested_at = models.DateTimeField()
    decided_by = models.ForeignKey("Player", on_delete=models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "tables_chiporder"
        ordering = ("-requested_at", "-id")
        constraints = (
            models.CheckConstraint(name="orders_move_something", condition=Q(amount__gt=0)),
            models.CheckConstraint(
                name="chips_are_confirmed_by_another",
                condition=~Q(state="confirmed") | (Q(decided_by__isnull=False) & ~Q(decided_by=F("requested_by"))),
            ),
            models.CheckConstraint(
                name="orders_are_decided_by_somebody",
                condition=Q(state="requested", decided_by__isnull=True, decided_at__isnull=True)
                | (~Q(state="requested") & Q(decided_by__isnull=False, decided_at__isnull=False)),
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.amount} at {self.table_id}: {self.state}"


class OptionChange(models.Model):
    """A change of a table's house options, from its draft until the first round that is played under it.

    What the regulation wants authorised is submitted to the inspectorate and takes effect three working days later at
    the earliest, once its approval is recorded by somebody else than who drafted it. The rest is adopted at once.
    """

    class State(models.TextChoices):
        DRAFT = "draft", "a draft"
        SUBMITTED = "submitted", "submitted"
        APPROVED = "approved", "approved"
        ADOPTED = "adopted", "adopted"
        REFUSED = "refused", "refused"
        WITHDRAWN = "withdrawn", "withdrawn"

    table = models.ForeignKey("Table", on_delete=models.PROTECT, related_name="option_changes")
    before = models.JSONField(help_text="All options of the table when this was drafted, as in the public record.")
    changes = models.JSONField(help_text="Option -> its new value, as in the public record.")
    authorisation = models.BooleanField(help_text="The regulation wants it authorised.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    why = models.TextField(blank=True, default="")
    drafted_by = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="+")
    drafted_at = models.DateTimeField()
    submitted_by = models.ForeignKey("Player", on_delete=models.PROTECT, null=True, related_name="+")
    submitted_on = models.DateField(null=True, help_text="Macau's date of the request to the inspectorate.")
    planned_for = models.DateField(null=True, help_text="Macau's date from which it is to hold.")
    reference = models.CharField(max_length=80, blank=True, default="", help_text="The inspectorate's, of its answer.")
    decided_by = models.ForeignKey("Player", on_delete=models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True, help_text="When the answer, or the adoption, was recorded.")
    adopted_at = models.DateTimeField(null=True)
    log = models.ForeignKey(
        "RoundLog", on_delete=models.PROTECT, null=True, related_name="+", help_text="The first round under it."
    )

    class Meta:
        db_table = "tables_optionchange"
        ordering = ("-drafted_at", "-id")
        constraints = (
            models.CheckConstraint(
                name="authorised_before_adopted",
                condition=~Q(state__in=("approved", "adopted"), authorisation=True)
                | (
                    Q(submitted_on__isnull=False, planned_for__isnull=False, decided_by__isnull=False)
                    & ~Q(reference="")
                    & ~Q(decided_by=F("drafted_by"))
                ),
            ),
            models.CheckConstraint(
                name="adopted_at_some_time", condition=~Q(state="adopted") | Q(adopted_at__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"{self.table_id}: {', '.join(self.changes)} ({self.state})"


class Ruling(models.Model):
    """What the pit ruled on an irregularity of a round: which of the game's list it was, and why. Insert-only."""

    log = models.ForeignKey("RoundLog", on_delete=models.PROTECT, related_name="rulings")
    irregularity = models.CharField(max_length=40, help_text="Its name in the game's list.")
    values = models.JSONField(default=dict, help_text="What it concerns: a box, a card.")
    why = models.TextField(help_text="The pit's reason, as written; players see what the article says.")
    by = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        db_table = "tables_ruling"
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"{self.log_id}: {self.irregularity}"


class Restriction(models.Model):
    """A restriction of a player: a warning, a mute, an exclusion, a limit. It ends by itself, or somebody lifts it.

    A break and a self-exclusion the player imposes on themselves: nobody ends them early. A break ends by itself; after
    a self-exclusion nobody plays before they have said that they want to.
    """

    class Kind(models.TextChoices):
        WARNING = "warning", _("a warning")
        MUTE = "mute", _("no talking")
        EXCLUSION = "exclusion", _("no playing")
        LIMIT = "limit", _("a limit of stakes a day")
        BREAK = "break", _("a break of their own")
        OWN_EXCLUSION = "own", _("self-exclusion")

    player = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="restrictions")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    cents = models.BigIntegerField(
        null=True, help_text="Of a limit: the most that the player may stake in a day of Macau."
    )
    why = models.TextField()
    by = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    until = models.DateTimeField(null=True, help_text="When it ends; null: for good.")
    lifted_by = models.ForeignKey("Player", on_delete=models.PROTECT, null=True, related_name="+")
    lifted_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "tables_restriction"
        ordering = ("-at", "-id")
        indexes = (
            models.Index(fields=("player", "kind"), name="restrictions_in_force", condition=Q(lifted_at__isnull=True)),
        )
        constraints = (
            models.CheckConstraint(
                name="limits_have_an_amount",
                condition=(Q(kind="limit") & Q(cents__gte=0)) | (~Q(kind="limit") & Q(cents__isnull=True)),
            ),
            models.CheckConstraint(
                name="lifted_by_somebody",
                condition=Q(lifted_at__isnull=True, lifted_by__isnull=True)
                | Q(lifted_at__isnull=False, lifted_by__isnull=False),
            ),
            models.CheckConstraint(
                name="own_restrictions_hold_to_their_end",
                condition=~Q(kind__in=("break", "own"))
                | (
                    Q(by=F("player"), until__isnull=False)
                    & (Q(lifted_at__isnull=True) | Q(lifted_at__gte=F("until"), lifted_by=F("player")))
                ),
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.player_id}"


class Adjustment(models.Model):
    """A transfer that puts a mistake right: asked for by one with a reason, approved by another."""

    class State(models.TextChoices):
        REQUESTED = "requested", "requested"
        APPROVED = "approved", "approved"
        REFUSED = "refused", "refused"

    player = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="adjustments")
    log = models.ForeignKey("RoundLog", on_delete=models.PROTECT, null=True, related_name="adjustments")
    cents = models.BigIntegerField(help_text="To the player; from the player if negative.")
    why = models.TextField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.REQUESTED)
    requested_by = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="+")
    requested_at = models.DateTimeField()
    decided_by = models.ForeignKey("Player", on_delete=models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "tables_adjustment"
        ordering = ("-requested_at", "-id")
        constraints = (
            models.CheckConstraint(name="adjustments_move_something", condition=~Q(cents=0)),
            models.CheckConstraint(
                name="adjustments_are_approved_by_another",
                condition=~Q(state="approved") | (Q(decided_by__isnull=False) & ~Q(decided_by=F("requested_by"))),
            ),
            models.CheckConstraint(
                name="adjustments_are_decided_by_somebody",
                condition=Q(state="requested", decided_by__isnull=True, decided_at__isnull=True)
                | (~Q(state="requested") & Q(decided_by__isnull=False, decided_at__isnull=False)),
            ),
        )

    def __str__(self) -> str:
        return f"{self.cents} for {self.player_id}: {self.state}"
