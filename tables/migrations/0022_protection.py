"""Players protect themselves: limits and breaks of their own, and the time that they play.

What an account moved on a day is read from an index of its own, which takes the place of that of the account alone.
"""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

SIDES = (("debit", "transfers_from_an_account"), ("credit", "transfers_to_an_account"))


def by_day(apps: Any, schema_editor: Any) -> None:
    """No table is made anew: on SQLite its triggers would go with it."""
    transfer = apps.get_model("tables", "Transfer")
    for side, name in SIDES:
        schema_editor.add_index(transfer, models.Index(fields=(side, "at"), name=name))
        for old in _of_the_account_alone(schema_editor, f"{side}_id"):
            schema_editor.execute(f"DROP INDEX {schema_editor.quote_name(old)}")


def by_account(apps: Any, schema_editor: Any) -> None:
    transfer = apps.get_model("tables", "Transfer")
    for side, name in SIDES:
        schema_editor.execute(f"CREATE INDEX tables_transfer_{side}_id ON tables_transfer ({side}_id)")
        schema_editor.remove_index(transfer, models.Index(fields=(side, "at"), name=name))


def _of_the_account_alone(schema_editor: Any, column: str) -> list[str]:
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, "tables_transfer")
    return [
        name
        for name, one in found.items()
        if one["columns"] == [column] and one["index"] and not one["unique"] and not one["foreign_key"]
    ]


def _account(side: str) -> Any:
    return models.ForeignKey(
        db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name=f"{side}s", to="tables.account"
    )


_KINDS = [
    ("warning", "a warning"),
    ("mute", "no talking"),
    ("exclusion", "no playing"),
    ("limit", "a limit of stakes a day"),
    ("break", "a break of their own"),
    ("own", "self-exclusion"),
]
_OWN_LIMITS = [("loss", "loss a day"), ("stake", "stakes a day"), ("time", "time a day")]


class Migration(migrations.Migration):
    dependencies = (("tables", "0021_links"),)
    operations = (
        migrations.CreateModel(
            name="OwnLimit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=_OWN_LIMITS, max_length=5)),
                ("most", models.BigIntegerField(help_text="Cents, or minutes; null: none.", null=True)),
                ("set_at", models.DateTimeField()),
                (
                    "next_most",
                    models.BigIntegerField(help_text="What takes its place at `changes_at`; null: none.", null=True),
                ),
                ("changes_at", models.DateTimeField(null=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="own_limits",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"db_table": "tables_ownlimit"},
        ),
        migrations.AddConstraint(
            model_name="ownlimit",
            constraint=models.UniqueConstraint(fields=("player", "kind"), name="one_own_limit_of_a_kind"),
        ),
        migrations.AddConstraint(
            model_name="ownlimit",
            constraint=models.CheckConstraint(
                condition=models.Q(("most__isnull", True), ("most__gt", 0), _connector="OR"),
                name="own_limits_leave_something",
            ),
        ),
        migrations.AddConstraint(
            model_name="ownlimit",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("changes_at__isnull", True), ("next_most__isnull", True)),
                    models.Q(
                        ("changes_at__isnull", False),
                        ("most__isnull", False),
                        models.Q(
                            ("next_most__isnull", True), ("next_most__gt", models.F("most")), _connector="OR"
                        ),
                    ),
                    _connector="OR",
                ),
                name="what_waits_is_more_than_what_holds",
            ),
        ),
        migrations.CreateModel(
            name="PlayClock",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="play_clock",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "since",
                    models.DateTimeField(
                        help_text="When this session began: before it nothing was done for half an hour."
                    ),
                ),
                ("seen_at", models.DateTimeField(help_text="When the player last did something.")),
                ("day", models.DateField(help_text="The gaming day of `seen_at`.")),
                ("played_s", models.PositiveIntegerField(default=0, help_text="Seconds on that day.")),
                (
                    "check_minutes",
                    models.PositiveSmallIntegerField(default=60, help_text="A reality check comes so often."),
                ),
                ("check_due_at", models.DateTimeField(help_text="When the next one is due.")),
            ],
            options={"db_table": "tables_playclock"},
        ),
        migrations.AddConstraint(
            model_name="playclock",
            constraint=models.CheckConstraint(
                condition=models.Q(("check_minutes__in", (30, 60))), name="checks_come_every_30_or_60_minutes"
            ),
        ),
        migrations.AlterField(
            model_name="restriction", name="kind", field=models.CharField(choices=_KINDS, max_length=10)
        ),
        migrations.AddConstraint(
            model_name="restriction",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind__in", ("break", "own")), _negated=True),
                    models.Q(
                        ("by", models.F("player")),
                        ("until__isnull", False),
                        models.Q(
                            ("lifted_at__isnull", True),
                            models.Q(("lifted_at__gte", models.F("until")), ("lifted_by", models.F("player"))),
                            _connector="OR",
                        ),
                    ),
                    _connector="OR",
                ),
                name="own_restrictions_hold_to_their_end",
            ),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                *(migrations.AlterField(model_name="transfer", name=side, field=_account(side)) for side, _ in SIDES),
                *(
                    migrations.AddIndex(model_name="transfer", index=models.Index(fields=[side, "at"], name=name))
                    for side, name in SIDES
                ),
            ],
            database_operations=[migrations.RunPython(by_day, by_account)],
        ),
    )
