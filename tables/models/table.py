"""Tables, their seats, shoes and the lease of the dealer who runs them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from .ledger import Realm


class Table(models.Model):
    """One table of the floor. Options and times are those of the next round; each round keeps its own."""

    class Closing(models.TextChoices):
        AFTER_ROUND = "round", "after the round"
        AFTER_SHOE = "shoe", "at the end of the shoe"

    slug = models.SlugField(unique=True, max_length=40)
    name = models.CharField(max_length=60)
    game = models.CharField(max_length=30)
    options = models.JSONField(help_text="House options of the game, as in the public record.")
    times = models.JSONField(default=dict, help_text="Milliseconds for each pace; see tables.base.timetable.")
    position = models.PositiveIntegerField(default=0, help_text="Order in the lobby.")
    open = models.BooleanField(default=True, help_text="On the floor; a closed one is shown to nobody but the staff.")
    paused = models.BooleanField(default=False, help_text="No round is begun until the pit says so.")
    halted = models.BooleanField(
        default=False, help_text="No round is begun of its game, or on the whole floor (tables.models.Halt)."
    )
    closing = models.CharField(
        max_length=10,
        choices=Closing.choices,
        blank=True,
        default="",
        help_text="When it will close: stakes that lie on are returned then.",
    )
    realm = models.PositiveSmallIntegerField(
        choices=Realm.choices,
        default=Realm.FLOOR,
        help_text="Whose money is played with here, for good: that of players, or the demo credits of kiosks.",
    )
    version = models.PositiveBigIntegerField(
        default=0, help_text="Counts visible changes that stand in no round's log: seats, options, opening."
    )
    round = models.ForeignKey("RoundLog", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    shoe = models.ForeignKey("Shoe", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    jackpot = models.ForeignKey(
        "Jackpot",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="tables",
        help_text="The progressive jackpot that this table feeds and pays from, alone or with others.",
    )
    fresh_shoe_due = models.BooleanField(default=False, help_text="The next round begins with a new shoe (art. 3).")
    fresh_shoe_by = models.CharField(
        max_length=20,
        blank=True,
        default="",
        help_text="The article by which the pit has ordered the new shoe; empty if it has not.",
    )
    edition_in_force = models.BooleanField(
        default=True,
        help_text="Rounds are played under the edition of the regulation in force on their day; else under the one in "
        "the options.",
    )
    big_bet = models.BigIntegerField(
        null=True, blank=True, help_text="Cents: one bettor who stakes so much in a round alerts the pit."
    )
    big_win = models.BigIntegerField(
        null=True, blank=True, help_text="Cents: one bettor who wins so much in a round alerts the pit."
    )
    attended_until = models.DateTimeField(
        null=True, blank=True, help_text="Somebody is at the table till then; past it no round is begun."
    )

    class Meta:
        db_table = "tables_table"
        ordering = ("position", "id")

    def __str__(self) -> str:
        return self.name

    @property
    def begins_no_round(self) -> bool:
        """Whether the pit has ordered that no round is begun here: the present one is played to its end."""
        return self.paused or self.halted


class Seat(models.Model):
    """A taken seat; a free one has no row. Both constraints decide races: one seat, one player."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey("Player", on_delete=models.PROTECT, related_name="seats")
    taken_at = models.DateTimeField()
    seen_at = models.DateTimeField(help_text="When a line of this player to this table was last alive.")
    away = models.BooleanField(default=False, help_text="The line has dropped; the seat is held for a while.")
    leaves_after_round = models.BooleanField(default=False, help_text="The pit takes it away once the round is over.")
    ref = models.CharField(max_length=40, blank=True, default="", help_text="Made by the client that took the seat.")
    rounds_without_bet = models.PositiveSmallIntegerField(default=0)

    class Meta:
        db_table = "tables_seat"
        constraints = (
            models.UniqueConstraint(fields=("table", "number"), name="one_player_in_a_seat"),
            models.UniqueConstraint(fields=("table", "player"), name="one_seat_for_a_player"),
        )

    def __str__(self) -> str:
        return f"{self.table_id}/{self.number}: {self.player_id}"


class Departure(models.Model):
    """A bettor without a seat whose last line to this table has closed; gone again when they are back.

    Only of those who have a stake there or had one lately: nobody waits for them to cut the next pack.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="departures")
    player = models.ForeignKey("Player", on_delete=models.CASCADE, related_name="departures")

    class Meta:
        db_table = "tables_departure"
        constraints = (models.UniqueConstraint(fields=("table", "player"), name="one_departure_of_a_player"),)

    def __str__(self) -> str:
        return f"{self.player_id} from {self.table_id}"


class PackSeed(models.Model):
    """The seed that a pack, or a throw, of a table is made from, sealed: only the key that dealers hold opens it
    (docs/proof.md).

    It is committed to first, together with `offered`, the links that bettors had committed to: `[["p7", "…"]]`. Mixing
    adds once what they revealed, and of a pack the leaves: the commitment to each card, by its place. From then on
    there is a shoe, or a sealed throw. What is written never changes: the database refuses (`tables.models.seals`).
    Once its rounds are archived the leaves go (`tables.queries.shoes.leaves_of` has them all the same).
    A throw for which nobody had offered a link has no row here.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField(help_text="The number of its pack, or of its throw, at this table.")
    committed_at = models.DateTimeField()
    commitment = models.CharField(
        max_length=64, unique=True, help_text="SHA-256 of table, number and seed, hexadecimal."
    )
    offered = models.JSONField(help_text="The links that bettors had committed to, as [bettor, link].")
    sealed = models.BinaryField(help_text="Label and seed, encrypted.")
    revealed = models.JSONField(null=True, help_text="The links beneath them that came in time; null before mixing.")
    leaves = models.JSONField(
        null=True, help_text="The commitment to each card, by place; null before mixing, and of a throw."
    )
    dropped_at = models.DateTimeField(
        null=True, help_text="Since when nothing is made from it: the database was restored to an earlier moment."
    )
    archive = models.ForeignKey(
        "Archive",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        help_text="The file of its last round, once leaves and rows of revealed links have left the database.",
    )

    class Meta:
        db_table = "tables_packseed"
        constraints = (models.UniqueConstraint(fields=("table", "number"), name="seeds_are_numbered"),)
        indexes = (
            models.Index(fields=("committed_at",), name="seeds_by_time"),
            models.Index(fields=("committed_at",), name="seeds_not_archived", condition=Q(archive__isnull=True)),
        )

    def __str__(self) -> str:
        return f"{self.table_id}/{self.number}"


class Shoe(models.Model):
    """A shuffled pack, sealed: the order of its cards can be read only with the key that dealers hold.

    The commitment is published before anybody cuts. Once the shoe is retired its seed is opened, `{"seed": …}`, and
    everybody can check that what was dealt is what was sealed. Where hands stay private, just the cards that were dealt
    are opened: in the order of dealing `{"cards": [[salt, card], …]}`.

    A pack of an earlier scheme has no `seed`: it was sealed itself, and `leaves` are there if it is opened card by
    card; else it is opened as `{"salt": …, "order": […]}`.

    What identifies and seals it is never changed, and it is cut once: the database refuses (`tables.models.seals`).
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="shoes")
    number = models.PositiveIntegerField(help_text="Counts the shoes of this table from 1.")
    seed = models.OneToOneField(
        PackSeed, on_delete=models.PROTECT, null=True, related_name="shoe", help_text="Null before scheme 3."
    )
    decks = models.PositiveSmallIntegerField()
    scheme = models.PositiveSmallIntegerField(
        default=1, help_text="How it is sealed (tables.base.chance): before 3, checked but not dealt from."
    )
    commitment = models.CharField(
        max_length=64, unique=True, help_text="SHA-256 of the leaves, or of label, salt and order, hexadecimal."
    )
    leaves = models.JSONField(
        null=True, blank=True, help_text="Before scheme 3: the commitment to each card, if hands stay private."
    )
    sealed = models.BinaryField(null=True, help_text="Before scheme 3: label, salt and order, encrypted.")
    cut = models.PositiveIntegerField(null=True, blank=True, help_text="Cards moved from the top to the bottom.")
    white_at = models.PositiveIntegerField(
        null=True, blank=True, help_text="The white card comes out after this many cards; none in a machine."
    )
    white_shown = models.BooleanField(default=False, help_text="The white card has come out.")
    dealt = models.PositiveIntegerField(default=0, help_text="Cards that have left the shoe.")
    shuffled_at = models.DateTimeField()
    retired_at = models.DateTimeField(null=True, blank=True)
    opened = models.JSONField(null=True, blank=True, help_text="The seed, or salts and cards, once retired.")

    class Meta:
        db_table = "tables_shoe"
        constraints = (models.UniqueConstraint(fields=("table", "number"), name="shoes_are_numbered"),)

    def __str__(self) -> str:
        return f"{self.table_id}/{self.number}"


class EnrolledDealer(models.Model):
    """A dealer that may run tables: its process proves who it is with the key that belongs to `public_key`."""

    name = models.CharField(max_length=40, unique=True)
    public_key = models.CharField(max_length=64, unique=True, help_text="Ed25519, hexadecimal.")
    enrolled_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "tables_enrolleddealer"

    def __str__(self) -> str:
        return self.name


class Lease(models.Model):
    """Which dealer runs a table, until when (in database time), and the fencing epoch of its writes."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="lease", primary_key=True)
    owner = models.CharField(max_length=80, blank=True, default="")
    expires_at = models.DateTimeField(null=True, blank=True)
    epoch = models.PositiveBigIntegerField(default=0, help_text="Grows with every change of hands.")
    protocol = models.PositiveSmallIntegerField(
        db_default=0, help_text="Of the newest program that has dealt here (tables.services.dealing.leases)."
    )
    dealer = models.ForeignKey(EnrolledDealer, on_delete=models.PROTECT, null=True, related_name="leases")
    signature = models.CharField(
        max_length=128, blank=True, default="", help_text="Of table, epoch and owner, by the dealer's key."
    )

    class Meta:
        db_table = "tables_lease"

    def __str__(self) -> str:
        return f"{self.table_id}: {self.owner} ({self.epoch})"
