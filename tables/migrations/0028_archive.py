"""Log lines of rounds that are long over may leave the database for a file."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from tables.models import guards, seals

ROUNDS = ("tables_roundlog",)


def free(apps: Any, schema_editor: Any) -> None:
    seals.drop(schema_editor, ROUNDS)


def guard(apps: Any, schema_editor: Any) -> None:
    seals.create(schema_editor, ROUNDS)
    guards.let_archived_go(schema_editor)
    guards.create(schema_editor, guards.ARCHIVES)


def release(apps: Any, schema_editor: Any) -> None:
    guards.drop(schema_editor, guards.ARCHIVES)
    guards.keep_all_lines(schema_editor)
    seals.drop(schema_editor, ROUNDS)


def seal(apps: Any, schema_editor: Any) -> None:
    seals.create(schema_editor, ROUNDS)


class Migration(migrations.Migration):
    dependencies = (("tables", "0027_short_code"),)
    operations = (
        migrations.RunPython(free, seal),
        migrations.CreateModel(
            name="Archive",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "name",
                    models.CharField(
                        help_text="Of the file, in the folder of archives.", max_length=40, unique=True
                    ),
                ),
                (
                    "day",
                    models.DateField(help_text="In Macau, from midnight to midnight: its rounds ended then."),
                ),
                ("sha256", models.CharField(help_text="Of the whole file, hexadecimal.", max_length=64)),
                ("rounds", models.PositiveIntegerField()),
                ("lines", models.PositiveBigIntegerField()),
                ("at", models.DateTimeField()),
            ],
            options={"db_table": "tables_archive"},
        ),
        migrations.AddField(
            model_name="roundlog",
            name="archive",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="The file that its lines lie in; null as long as they are in the database.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tables.archive",
            ),
        ),
        migrations.AddField(
            model_name="roundlog",
            name="archive_offset",
            field=models.PositiveBigIntegerField(
                blank=True, help_text="Where in that file, in bytes …", null=True
            ),
        ),
        migrations.AddField(
            model_name="roundlog",
            name="archive_length",
            field=models.PositiveIntegerField(blank=True, help_text="… and how many.", null=True),
        ),
        migrations.RunPython(guard, release),
    )
